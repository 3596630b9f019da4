"""NumPy's methods of functions of two arguments: `add.at`, `add.reduce`, `multiply.outer`,
`maximum.accumulate`.
"""

from __future__ import annotations

from typing import Any

from .._at import IndexedUpdate
from .._core import EmberTensor, UnsupportedError, convert_to_tensor
from . import op

REDUCTIONS = {
    "add": "sum",
    "logical_and": "all",
    "logical_or": "any",
    "maximum": "max",
    "minimum": "min",
    "multiply": "prod",
}
SCANS = {"add": "cumsum", "maximum": "cummax", "minimum": "cummin", "multiply": "cumprod"}
UPDATES = {
    "add": "add",
    "divide": "divide",
    "maximum": "max",
    "minimum": "min",
    "multiply": "multiply",
    "subtract": "subtract",
}


def _counterpart(f: Any, method: str, table: dict[str, str]) -> str:
    if f.__name__ not in table:
        raise UnsupportedError(
            f"[{f.__name__}] has no method {method}; it exists for: {', '.join(table)}"
        )
    return table[f.__name__]


def outer(self: Any, x1: Any, x2: Any) -> EmberTensor:
    """The function of each pair of elements of x1 and x2: shape x1.shape + x2.shape."""
    x1, x2 = convert_to_tensor(x1), convert_to_tensor(x2)
    result: EmberTensor = self(x1.reshape((*x1.shape, *(1,) * x2.ndim)), x2)
    return result


def reduce(self: Any, x: Any, axis: Any = 0, keepdims: bool = False) -> EmberTensor:
    """The elements along axes reduced by the function."""
    result: EmberTensor = getattr(op, _counterpart(self, "reduce", REDUCTIONS))(
        x, axis=axis, keepdims=keepdims
    )
    return result


def accumulate(self: Any, x: Any, axis: int = 0) -> EmberTensor:
    """The running reduction of the elements along an axis."""
    result: EmberTensor = getattr(op, _counterpart(self, "accumulate", SCANS))(x, axis=axis)
    return result


def at(self: Any, x: EmberTensor, indices: Any, values: Any) -> None:
    """Changes x at indices in place; repeated elements accumulate."""
    update = _counterpart(self, "at", UPDATES)
    if not isinstance(x, EmberTensor):
        raise TypeError(f"[{self.__name__}.at] changes a tensor, not {type(x).__name__}")
    x[...] = getattr(IndexedUpdate(x, indices), update)(values)


def install() -> None:
    """Gives Ember's functions these methods."""
    for method in (accumulate, at, outer, reduce):
        setattr(type(op.add), method.__name__, method)
