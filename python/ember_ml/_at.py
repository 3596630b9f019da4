"""`x.at[i]` of JAX and MLX: updates that return a new tensor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._core import EmberTensor, functions as _f


def _with(x: EmberTensor, index: Any, updates: Any, reduction: str) -> EmberTensor:
    """x with updates at an index; repeated elements accumulate."""
    numbers = _f["reshape"](_f["arange"](x.size), x.shape)
    places = numbers[index]
    updates = _f["broadcast_to"](_f["astype"](updates, x.dtype), places.shape)
    flat = _f["scatter_elements"](
        x.reshape(-1), places.reshape(-1), updates.reshape(-1), reduction=reduction
    )
    result: EmberTensor = flat.reshape(x.shape)
    return result


class IndexedUpdate:
    """The elements of a tensor at an index. Each method returns a tensor with these elements
    changed.
    """

    __slots__ = ("_index", "_x")

    def __init__(self, x: EmberTensor, index: Any) -> None:
        self._x = x
        self._index = index

    def get(self) -> EmberTensor:
        """The selected elements."""
        return self._x[self._index]

    def set(self, values: Any) -> EmberTensor:
        """The tensor with these elements set to values."""
        return _with(self._x, self._index, values, "set")

    def add(self, values: Any) -> EmberTensor:
        """The tensor with values added; repeated elements accumulate."""
        return _with(self._x, self._index, values, "add")

    def subtract(self, values: Any) -> EmberTensor:
        """The tensor with values subtracted."""
        return self.add(_f["negative"](values))

    def multiply(self, values: Any) -> EmberTensor:
        """The tensor with the elements multiplied by values."""
        return _with(self._x, self._index, values, "mul")

    def divide(self, values: Any) -> EmberTensor:
        """The tensor with the elements divided by values."""
        return self.multiply(_f["reciprocal"](_f["astype"](values, self._x.dtype)))

    def power(self, values: Any) -> EmberTensor:
        """The tensor with the elements raised to powers."""
        return self.set(_f["power"](self.get(), values))

    def min(self, values: Any) -> EmberTensor:
        """The tensor with the minimum of each element and its value."""
        return _with(self._x, self._index, values, "min")

    def max(self, values: Any) -> EmberTensor:
        """The tensor with the maximum of each element and its value."""
        return _with(self._x, self._index, values, "max")

    def apply(self, f: Callable[[EmberTensor], Any]) -> EmberTensor:
        """The tensor with f applied to the elements."""
        return self.set(f(self.get()))

    maximum = max
    minimum = min
    mul = multiply


class At:
    """The value of `x.at`; indexing it selects the elements to change."""

    __slots__ = ("_x",)

    def __init__(self, x: EmberTensor) -> None:
        self._x = x

    def __getitem__(self, index: Any) -> IndexedUpdate:
        return IndexedUpdate(self._x, index)


def install() -> None:
    """Adds `at` to tensors."""
    setattr(
        EmberTensor,
        "at",
        property(
            At,
            doc="x.at[i].set(v), .add(v) and similar methods return x with the elements at i changed.",
        ),
    )
