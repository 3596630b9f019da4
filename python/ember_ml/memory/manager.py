"""Checkpointing: gradients that store only the arguments of a function."""

from __future__ import annotations

from typing import Any, Callable

from .._core import EmberTensor
from .._grad import checkpoint as checkpoint_function


class GradientCheckpointing:
    """Calls functions so that their gradients recompute intermediate values instead of storing
    them.
    """

    def checkpoint(self, fn: Callable[..., EmberTensor], *args: Any) -> EmberTensor:
        result: EmberTensor = checkpoint_function(fn, *args)
        return result


__all__ = ["GradientCheckpointing", "checkpoint_function"]
