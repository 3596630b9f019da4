"""Functions of which a gradient needs the arguments only."""

from __future__ import annotations

from typing import Any, Callable

from .._core import EmberTensor
from .._grad import checkpoint as checkpoint_function


class GradientCheckpointing:
    """Computes functions so that their gradients recompute what lies between arguments and result, instead of storing it."""

    def checkpoint(self, fn: Callable[..., EmberTensor], *args: Any) -> EmberTensor:
        result: EmberTensor = checkpoint_function(fn, *args)
        return result


__all__ = ["GradientCheckpointing", "checkpoint_function"]
