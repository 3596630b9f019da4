"""NumPy's objects for indexing expressions: r_, c_, mgrid, ogrid, s_; and ix_."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

from typing import Any

from .._core import EmberTensor, convert_to_tensor
from .._core import ValueError as EmberValueError
from . import op

__all__ = ["c_", "ix_", "mgrid", "ogrid", "r_", "s_"]


def _line(part: slice) -> EmberTensor:
    """start:stop:step, where a step of 5j is a number of points, stop included."""
    start = 0 if part.start is None else part.start
    if isinstance(part.step, complex):
        return op.linspace(float(start), float(part.stop), int(abs(part.step)))
    return op.arange(start, part.stop, 1 if part.step is None else part.step)


class Grid:
    """mgrid[0:3, 0:5:11j]: the coordinates of a grid's points, one tensor for each axis."""

    def __init__(self, sparse: bool) -> None:
        self.sparse = sparse

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return _line(key)
        lines = op.meshgrid(*map(_line, key), indexing="ij")
        if not self.sparse:
            return op.stack([x.astype(op.result_type(*lines)) for x in lines])
        n = len(key)
        return tuple(
            op.reshape(_line(part), (1,) * i + (-1,) + (1,) * (n - i - 1))
            for i, part in enumerate(key)
        )


class Joined:
    """r_[0:3, 7, x]: slices, numbers and vectors concatenated; c_ makes each a column."""

    def __init__(self, columns: bool) -> None:
        self.columns = columns

    def __getitem__(self, key: Any) -> EmberTensor:
        parts = []
        for part in key if isinstance(key, tuple) else (key,):
            if isinstance(part, str):
                raise EmberValueError(
                    f"[r_] unknown directive {part!r}: use em.concat or em.stack with an axis"
                )
            x = _line(part) if isinstance(part, slice) else convert_to_tensor(part)
            parts.append(
                op.reshape(x, (x.size, 1)) if self.columns and x.ndim < 2 else op.atleast_nd(x, 1)
            )
        return op.concat(parts, -1 if self.columns else 0)


class Key:
    """s_[1:3, ...] returns the index expression."""

    def __getitem__(self, key: Any) -> Any:
        return key


def ix_(*args: Any) -> tuple[EmberTensor, ...]:
    """Index vectors or masks reshaped to select a grid of rows and columns."""
    found = []
    for i, a in enumerate(args):
        x = convert_to_tensor(a)
        x = op.nonzero(x)[0] if x.dtype == "bool" else x
        found.append(op.reshape(x, (1,) * i + (-1,) + (1,) * (len(args) - i - 1)))
    return tuple(found)


mgrid, ogrid, r_, c_, s_ = Grid(False), Grid(True), Joined(False), Joined(True), Key()
