"""The errors that Ember raises. Each is also a built-in exception of Python: `except ValueError`
catches a ShapeError.
"""

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
