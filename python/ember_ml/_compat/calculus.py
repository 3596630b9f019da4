"""Numerical gradients with NumPy's arguments."""

from __future__ import annotations

from typing import Any

from .._core import EmberTensor, ShapeError, convert_to_tensor
from .._core import ValueError as EmberValueError
from . import op


def _along(x: EmberTensor, spacing: Any, axis: int, edge_order: int) -> EmberTensor:
    """The gradient along one axis, for a distance or the coordinates of the points."""
    spacing = convert_to_tensor(spacing)
    if spacing.ndim == 0:
        result: EmberTensor = op.gradient(x, spacing, axis=axis, edge_order=edge_order)
        return result
    n = x.shape[axis]
    if edge_order not in (1, 2) or n <= edge_order:
        raise EmberValueError(
            f"[gradient] edge_order must be 1 or 2, and less than the number of points (edge_order: {edge_order}, points: {n})"
        )
    if spacing.shape != (n,):
        raise ShapeError(
            f"[gradient] needs a coordinate for each of {n} points (axis {axis}, coordinates: {list(spacing.shape)})"
        )
    # For steps a before and b after a point: the derivative of the parabola through the three
    # points.
    y = op.moveaxis(x, axis, -1)
    steps = op.diff(spacing)
    slopes = op.diff(y, axis=-1) / steps
    a, b = steps[:-1], steps[1:]
    inner = (b * slopes[..., :-1] + a * slopes[..., 1:]) / (a + b)
    first, last = slopes[..., :1], slopes[..., -1:]
    if edge_order == 2:
        bend = (slopes[..., 1:] - slopes[..., :-1]) / (a + b)
        first = first - bend[..., :1] * steps[:1]
        last = last + bend[..., -1:] * steps[-1:]
    result = op.moveaxis(op.concat([first, inner, last], axis=-1), -1, axis)
    return result


def gradient(
    f: Any = None,
    *varargs: Any,
    axis: Any = None,
    edge_order: int = 1,
    x: Any = None,
    spacing: Any = None,
) -> Any:
    """Gradient along an axis, or a list of gradients along several; along all axes if axis is None.

    After f come the distance between points or their coordinates, one for all axes or one for each;
    spacing is the one for all. Ember's own name of f is x.
    """
    if (f is None) == (x is None):
        raise TypeError("[gradient] takes one tensor: f, or x")
    x = convert_to_tensor(x if f is None else f)
    if spacing is not None:
        varargs = (*varargs, spacing)
    if axis is None:
        axes = list(range(x.ndim))
    else:
        axes = [int(a) for a in axis] if isinstance(axis, (list, tuple)) else [int(axis)]
    if len(varargs) not in (0, 1, len(axes)):
        raise TypeError(
            f"[gradient] takes no spacing, one, or one for each of {len(axes)} axes, not {len(varargs)}"
        )
    spacings = (
        [1.0] * len(axes)
        if not varargs
        else list(varargs) * len(axes)
        if len(varargs) == 1
        else list(varargs)
    )
    slopes = [_along(x, spacing, a, edge_order) for spacing, a in zip(spacings, axes)]
    return slopes[0] if len(axes) == 1 else slopes


def install() -> None:
    """Adds gradient to tensors as a method."""
    setattr(EmberTensor, "gradient", gradient)
