"""Ember ML's functions that rows cannot express: Python's indices, dtypes by name, NumPy's arrays,
devices by name.
"""

from __future__ import annotations

import os
from types import EllipsisType
from typing import Any

from ._core import (
    DType,
    EmberTensor,
    convert_to_tensor,
    get_available_devices,
    get_default_dtype,
    get_device,
    memory_stats,
    set_backend,
    set_device,
)
from ._core import UnsupportedError


class Index:
    """index[1:3, ..., 0] returns the index expression."""

    def __getitem__(self, key: Any) -> Any:
        return key


index = Index()


def slice_update(tensor: Any, slices: Any, updates: Any = None) -> EmberTensor:
    """tensor with updates at slices (any index expression); without updates, the elements there."""
    x = convert_to_tensor(tensor)
    if isinstance(slices, list) and any(isinstance(s, (slice, EllipsisType)) for s in slices):
        slices = tuple(slices)
    if updates is None:
        return x[slices]
    x = x.__copy__()  # a new handle, because assignment changes a handle's value
    x[slices] = updates
    return x


def index_update(tensor: Any, *indices: Any, value: Any) -> EmberTensor:
    """tensor with value at indices."""
    return slice_update(tensor, indices[0] if len(indices) == 1 else indices, value)


def dtype(data: Any = None) -> DType:
    """The dtype of a tensor or of a name; without an argument, the default dtype."""
    if data is None:
        return get_default_dtype()
    if isinstance(data, (str, type, DType)):
        return DType(data)
    return convert_to_tensor(data).dtype


def get_dtype(name: Any) -> DType:
    """The dtype of a name or of a tensor."""
    return name.dtype if isinstance(name, EmberTensor) else DType(name)


def from_dtype_str(name: str) -> DType:
    """The dtype of a name."""
    return DType(name)


def to_dtype_str(dtype: Any) -> str:
    """A dtype's name."""
    return DType(dtype).name


def to_numpy(data: Any) -> Any:
    """The data as a NumPy array, sharing its memory."""
    return convert_to_tensor(data).to_numpy()  # ember: allow


def _convert_to_backend_tensor(data: Any, dtype: Any = None) -> Any:
    return convert_to_tensor(data, dtype=dtype).to_backend_tensor()  # ember: allow


def get_device_of_tensor(tensor: Any) -> str:
    """The device of a tensor."""
    return convert_to_tensor(tensor).device


def is_available(device: str = "cpu") -> bool:
    """Whether the current engine can use a device."""
    return any(d == device or d.partition(":")[0] == device for d in get_available_devices())


def memory_info(device: str | None = None) -> dict[str, int]:
    """Bytes of tensors, of Ember's cache, and of the machine: free and total."""
    if device not in (None, "cpu"):
        raise UnsupportedError(f"[memory_info] only host memory is counted, not that of {device!r}")
    stats, page = memory_stats(), os.sysconf("SC_PAGE_SIZE")
    return {
        "allocated": stats["used"],
        "reserved": stats["used"] + stats["cached"],
        "peak": stats["peak"],
        "free": page * os.sysconf("SC_AVPHYS_PAGES"),
        "total": page * os.sysconf("SC_PHYS_PAGES"),
    }


memory_usage = memory_info
get_default_device, set_default_device, set_ops = get_device, set_device, set_backend
