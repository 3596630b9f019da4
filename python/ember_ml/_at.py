"""`x.at[i]`, as JAX and MLX have it: an update that gives a new tensor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._core import EmberTensor, functions as _f


def _with(x: EmberTensor, index: Any, updates: Any, reduction: str) -> EmberTensor:
    """x with updates at an index, where an element that is named twice takes both."""
    numbers = _f["reshape"](_f["arange"](x.size), x.shape)
    places = numbers[index]
    updates = _f["broadcast_to"](_f["astype"](updates, x.dtype), places.shape)
    flat = _f["scatter_elements"](
        x.reshape(-1), places.reshape(-1), updates.reshape(-1), reduction=reduction
    )
    result: EmberTensor = flat.reshape(x.shape)
    return result


class IndexedUpdate:
    """The elements of a tensor at an index. Each method gives a tensor in which they are changed; the tensor itself stays."""

    __slots__ = ("_index", "_x")

    def __init__(self, x: EmberTensor, index: Any) -> None:
        self._x = x
        self._index = index

    def get(self) -> EmberTensor:
        """The elements."""
        return self._x[self._index]

    def set(self, values: Any) -> EmberTensor:
        """With values in their place."""
        return _with(self._x, self._index, values, "set")

    def add(self, values: Any) -> EmberTensor:
        """With values added; an element that the index names twice is added to twice."""
        return _with(self._x, self._index, values, "add")

    def subtract(self, values: Any) -> EmberTensor:
        """With values subtracted."""
        return self.add(_f["negative"](values))

    def multiply(self, values: Any) -> EmberTensor:
        """With values multiplied in."""
        return _with(self._x, self._index, values, "mul")

    def divide(self, values: Any) -> EmberTensor:
        """With values divided out."""
        return self.multiply(_f["reciprocal"](_f["astype"](values, self._x.dtype)))

    def power(self, values: Any) -> EmberTensor:
        """Raised to powers."""
        return self.set(_f["power"](self.get(), values))

    def min(self, values: Any) -> EmberTensor:
        """With the smaller of each element and its value."""
        return _with(self._x, self._index, values, "min")

    def max(self, values: Any) -> EmberTensor:
        """With the larger of each element and its value."""
        return _with(self._x, self._index, values, "max")

    def apply(self, f: Callable[[EmberTensor], Any]) -> EmberTensor:
        """With f of them in their place."""
        return self.set(f(self.get()))

    maximum = max
    minimum = min
    mul = multiply


class At:
    """What `x.at` is: indexing it names the elements to change."""

    __slots__ = ("_x",)

    def __init__(self, x: EmberTensor) -> None:
        self._x = x

    def __getitem__(self, index: Any) -> IndexedUpdate:
        return IndexedUpdate(self._x, index)


def install() -> None:
    """Gives tensors their `at`."""
    setattr(
        EmberTensor,
        "at",
        property(
            At, doc="x.at[i].set(v), .add(v) and their kin give x with the elements at i changed."
        ),
    )
