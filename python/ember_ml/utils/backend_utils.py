"""Ember ML's names for backends and conversions."""

from __future__ import annotations

from typing import Any

from .._core import (
    convert_to_tensor as convert_to_tensor_safe,
    get_backend as get_current_backend,
    get_device,
    set_backend,
)
from .._more import to_numpy as tensor_to_numpy_safe
from .._names import FUNCTIONS as _FUNCTIONS


def initialize_random_seed(seed: int = 42) -> None:
    """Seeds the random generator."""
    _FUNCTIONS["seed"](seed)


def set_preferred_backend(backend_name: str | None = None) -> str:
    """Selects a backend if it is available; returns the name of the current one."""
    try:
        if backend_name is not None:
            set_backend(backend_name)
    except (ValueError, RuntimeError):
        pass
    return get_current_backend()


def get_backend_info() -> dict[str, Any]:
    """The current engine's name and device."""
    return {"name": get_current_backend(), "device": get_device()}


def print_backend_info() -> None:
    """Prints the current engine's name and device."""
    print("backend {name}, device {device}".format(**get_backend_info()))


__all__ = [
    "convert_to_tensor_safe",
    "get_backend_info",
    "get_current_backend",
    "initialize_random_seed",
    "print_backend_info",
    "set_preferred_backend",
    "tensor_to_numpy_safe",
]
