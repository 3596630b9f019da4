"""How a model is trained on several processes."""

from __future__ import annotations

from .._core.distributed import DataParallelStrategy, Strategy

__all__ = ["DataParallelStrategy", "Strategy"]
