"""gdb: `source tools/ember_gdb.py`.

Shows a Tensor without evaluating it: op, type, backend, and the first values if it has any.
"""

from __future__ import annotations

from typing import Any

import gdb

DTYPES = (
    "bool int4 uint4 int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 bfloat16 float32 float64 complex64 complex128"
).split()
CTYPES = {
    "bool": "bool",
    "int8": "signed char",
    "uint8": "unsigned char",
    "int16": "short",
    "uint16": "unsigned short",
    "int32": "int",
    "uint32": "unsigned int",
    "int64": "long",
    "uint64": "unsigned long",
    "float32": "float",
    "float64": "double",
}


def small(v: Any) -> list[int]:
    """The elements of an ember::Small."""
    n, capacity = int(v["size_"]), int(v["capacity_"])
    inline = v["inline_"]
    data = v["heap_"] if capacity > inline.type.range()[1] + 1 else inline
    return [int(data[i]) for i in range(n)]


class TensorPrinter:
    def __init__(self, val: Any) -> None:
        self.val = val

    def to_string(self) -> str:
        node = self.val["node_"]
        if int(node) == 0:
            return "<no tensor>"
        n = node.dereference()
        dtype = DTYPES[int(n["dtype"])]
        shape = small(n["shape"])
        text = f"{dtype}{shape}"
        op = str(n["op"]).split("::")[-1]
        if op == "scalar":
            return f"{text} scalar {n['scalar']['f'] if 'float' in dtype else n['scalar']['i']}"
        storage = n["value"]["_M_b"]["_M_p"]
        if int(storage) == 0:
            return f"{text} pending {op}"
        strided = int(n["extra"]) != 0 and bool(n["extra"]["strided"])
        if dtype not in CTYPES or strided:
            return text + (" strided" if strided else "")
        data = storage["data"].reinterpret_cast(gdb.lookup_type(CTYPES[dtype]).pointer())
        count = int(n["size"])
        values = ", ".join(str(data[i]) for i in range(min(count, 8)))
        return f"{text} = {{{values}{', ...' if count > 8 else ''}}}"


def lookup(val: Any) -> TensorPrinter | None:
    return (
        TensorPrinter(val)
        if val.type.strip_typedefs().unqualified().name == "ember::Tensor"
        else None
    )


gdb.pretty_printers.append(lookup)
