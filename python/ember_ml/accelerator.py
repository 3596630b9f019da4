"""torch.accelerator: the CUDA devices of the current engine."""

from .cuda import device_count, is_available, synchronize

__all__ = ["current_accelerator", "device_count", "is_available", "synchronize"]


def current_accelerator() -> str | None:
    """'cuda' where the current engine can use it."""
    return "cuda" if is_available() else None
