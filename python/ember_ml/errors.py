"""The errors that Ember raises. Each is also one of Python's own, so `except ValueError` catches what it should."""

from ._core import (
    DeviceError,
    DTypeError,
    EngineError,
    Error,
    IndexError,
    IoError,
    MemoryError,
    ShapeError,
    StateError,
    UnsupportedError,
    ValueError,
)

__all__ = [
    "DeviceError",
    "DTypeError",
    "EngineError",
    "Error",
    "IndexError",
    "IoError",
    "MemoryError",
    "ShapeError",
    "StateError",
    "UnsupportedError",
    "ValueError",
]
