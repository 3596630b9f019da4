"""Errors of the builder with pywebnn's texts, which programs match, followed by Ember's text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ember_ml import errors

_LAYOUTS = {"inputLayout": "input_layout", "filterLayout": "filter_layout", "layout": "layout"}


def _axes(value: Any) -> list[int]:
    return [int(a) for a in value] if isinstance(value, Iterable) else [int(value)]


def _sentence(
    op: str, args: tuple[Any, ...], options: dict[str, Any], family: str, error: Exception
) -> str | None:
    if isinstance(error, errors.DTypeError):
        return None
    first = args[0]
    shape = (
        first.shape
        if hasattr(first, "shape")
        else first[0].shape
        if op == "concat" and first
        else []
    )
    windowed = (
        family
        or {"conv2d": "Conv2d", "convTranspose2d": "ConvTranspose2d"}.get(op)
        or ("Pool2d" if op.endswith("Pool2d") else None)
    )
    for name, ours in _LAYOUTS.items():
        if f"'{name}' must be one of" in str(error):
            return f"Invalid {ours} '{options[name]}'"
    if windowed and len(shape) != 4:
        return f"{windowed} input must be 4D"
    if op == "conv2d":
        channels, groups = (
            shape[3 if options.get("inputLayout") == "nhwc" else 1],
            options.get("groups") or 1,
        )
        if groups and channels % groups:
            return f"Conv2d input channels ({channels}) must be divisible by groups ({groups})"
    axes = options.get("axes") or options.get("axis")
    if op in ("softmax", "concat", "argMin", "argMax", "cumulativeSum"):
        axes = args[1]
    if axes is not None and op != "triangular":
        outside = [a for a in _axes(axes) if a >= len(shape)]
        if outside:
            return f"Axis {outside[0]} out of bounds for rank {len(shape)}"
        twice = [a for a in _axes(axes) if _axes(axes).count(a) > 1]
        if twice:
            return f"Duplicate axis {twice[0]}"
    if not isinstance(error, errors.ShapeError):
        return None
    if op == "reshape":
        return "Reshape requires same number of elements"
    if op == "matmul":
        return "Incompatible shapes for matmul"
    return "Incompatible shapes" if len(args) > 1 and hasattr(args[1], "shape") else None


def explained(
    op: str, args: tuple[Any, ...], options: dict[str, Any], family: str, error: errors.Error
) -> Exception:
    """The error to raise for a call that failed with this error."""
    sentence = _sentence(op, args, options, family, error)
    if sentence is None:
        return error
    kind = type(error) if isinstance(error, ValueError) else errors.ValueError
    return kind(f"{sentence}: {error}")
