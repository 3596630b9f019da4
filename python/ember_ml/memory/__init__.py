"""Memory: statistics, and gradients that recompute instead of storing."""

from __future__ import annotations

from .._core import clear_cache, memory_stats as stats, reset_peak_memory as reset_peak
from .._grad import checkpoint
from .manager import GradientCheckpointing, checkpoint_function

__all__ = [
    "GradientCheckpointing",
    "checkpoint",
    "checkpoint_function",
    "clear_cache",
    "reset_peak",
    "stats",
]
