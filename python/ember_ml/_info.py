"""The array API's inspection of its namespace."""

from __future__ import annotations

from typing import Any

from . import _core
from ._names import DTYPES

_STANDARD = (
    "bool",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float32",
    "float64",
    "complex64",
    "complex128",
)


class Info:
    """The result of `__array_namespace_info__()`."""

    def capabilities(self) -> dict[str, Any]:
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}

    def default_device(self) -> str:
        return _core.get_device()

    def devices(self) -> tuple[str, ...]:
        return tuple(_core.get_available_devices())

    def default_dtypes(self, *, device: str | None = None) -> dict[str, _core.DType]:
        real = _core.get_default_dtype()
        return {
            "real floating": real,
            "complex floating": DTYPES["complex128" if real == "float64" else "complex64"],
            "integral": DTYPES["int64"],
            "indexing": DTYPES["int64"],
        }

    def dtypes(
        self, *, device: str | None = None, kind: str | tuple[str, ...] | None = None
    ) -> dict[str, _core.DType]:
        return {
            n: DTYPES[n]
            for n in _STANDARD
            if kind is None or _core.functions["isdtype"](DTYPES[n], kind)
        }


def __array_namespace_info__() -> Info:
    """What this namespace has: capabilities, devices and dtypes."""
    return Info()
