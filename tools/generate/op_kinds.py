"""Prints python/ember_ml/_op_kinds.py: the ops and their aliases by what they take and give, for
lint.py, which runs without the package.

tools/generate/all.py runs it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Collection
from typing import Any

from ember_ml import _core

HEAD = '''"""The ops by what they take and give. Written by tools/generate/op_kinds.py: run `make generate`."""
'''
TENSORS = ("Tensor", "Tensors", "Any")


def makes(row: dict[str, Any]) -> bool:
    """Whether the first argument may be something other than an array."""
    args = row["args"]
    return row["family"] in ("creation", "random") or not args or args[0][1] != "Tensor"


def is_plain(row: dict[str, Any]) -> bool:
    """Whether the result is a Python object that is not a tensor."""
    return row["family"] == "inspection" or row["result"] not in TENSORS


def is_elementwise(row: dict[str, Any]) -> bool:
    has_axis = any(name == "axis" for name, *_ in row["args"])
    return row["family"] == "elementwise" or (row["family"] == "activations" and not has_axis)


def assignment(name: str, comment: str, ops: Collection[str]) -> str:
    words = textwrap.fill(" ".join(sorted(ops)), 100)
    return f'\n# {comment}\n{name} = frozenset(\n    """\n{words}\n""".split()\n)\n'


def main() -> None:
    rows = _core.rows()
    aliases: dict[str, list[str]] = {}
    for alias, op in _core.aliases().items():
        aliases.setdefault(op, []).append(alias)

    def named(chosen: Collection[str]) -> set[str]:
        return {name for op in chosen for name in (op, *aliases.get(op, []))}

    made = {r["name"] for r in rows if makes(r)}
    plain = {r["name"] for r in rows if is_plain(r)}
    elementwise = {r["name"] for r in rows if is_elementwise(r)} - made - plain
    arrays = {r["name"] for r in rows} - made - plain - elementwise
    several = {r["name"] for r in rows if r["results"] or r["result"] == "Tensors"} - plain
    print(
        HEAD
        + assignment("MADE", "Their first argument need not be a tensor.", named(made))
        + assignment("ELEMENTWISE", "Every tensor argument is an operand.", named(elementwise))
        + assignment("ARRAYS", "The first argument is a tensor.", named(arrays))
        + assignment("PLAIN", "The result is not a tensor.", named(plain))
        + assignment("SEVERAL", "There are several results.", named(several)),
        end="",
    )


if __name__ == "__main__":
    main()
