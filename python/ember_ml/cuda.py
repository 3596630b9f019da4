"""CUDA's devices under torch's names."""

from __future__ import annotations

from ._core import clear_cache, get_available_devices, synchronize


def is_available() -> bool:
    """Whether the current engine can use a CUDA device."""
    return device_count() > 0


def device_count() -> int:
    """The number of CUDA devices that the current engine can use."""
    return sum(d.startswith("cuda") for d in get_available_devices())


def empty_cache() -> None:
    """Returns cached memory to the system."""
    clear_cache()


__all__ = ["device_count", "empty_cache", "is_available", "synchronize"]
