"""JAX's functions about devices and pending values, and MLX's that do the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .. import tree
from .._core import EmberTensor, convert_to_tensor, get_available_devices, get_backend, get_device
from .._grad import checkpoint, eval

__all__ = [
    "async_eval",
    "block_until_ready",
    "default_backend",
    "default_device",
    "device_count",
    "device_get",
    "device_put",
    "devices",
    "local_devices",
    "remat",
    "tree_map",
]

async_eval = eval
default_device = get_device
devices = local_devices = get_available_devices
remat = checkpoint
tree_map = tree.map


def device_count() -> int:
    """The number of devices of the current engine."""
    return len(get_available_devices())


def default_backend() -> str:
    """The name of the current engine."""
    return get_backend()


def device_put(x: Any, device: str | None = None) -> Any:
    """The tensors of a tree on a device, by default the current one."""
    where = get_device() if device is None else str(device)
    return tree.map(lambda leaf: convert_to_tensor(leaf).to_device(where), x)


def device_get(x: Any) -> Any:
    """The tensors of a tree as NumPy arrays."""
    return tree.map(lambda leaf: convert_to_tensor(leaf).to_numpy(), x)  # ember: allow


def _tensors(x: Any) -> Iterator[EmberTensor]:
    return (leaf for leaf in tree.leaves(x) if isinstance(leaf, EmberTensor))


def block_until_ready(x: Any) -> Any:
    """The same tree, evaluated."""
    eval(_tensors(x))
    return x
