"""The functions that a module exports, by the families of the rows."""

from __future__ import annotations

from typing import Any, Iterable

from . import _core

FUNCTIONS: dict[str, Any] = _core.functions


def of_families(*families: str) -> dict[str, Any]:
    return {name: f for name, f in FUNCTIONS.items() if f.family in families}


def named(names: Iterable[str]) -> dict[str, Any]:
    return {name: FUNCTIONS[name] for name in names}


DTYPES: dict[str, _core.DType] = {
    name: value for name, value in vars(_core).items() if isinstance(value, _core.DType)
}
