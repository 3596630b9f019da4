"""Ember ML's helpers, torch's utils.data and MLX's tree functions."""

from importlib import import_module as _import_module
from typing import Any as _Any

from .._compat.absent import missing as _missing
from .._compat.mlx import tree_flatten, tree_map_with_path, tree_unflatten
from ..tree import map as tree_map, reduce as tree_reduce
from . import backend_utils

_ADVICE = {
    "checkpoint": "use em.checkpoint(f, x)",
    "tensorboard": "use training.TensorBoard, or training.EventWriter",
    "to_categorical": "use em.one_hot(labels, num_classes)",
    "plot_model": "use em.onnx.save and a viewer of ONNX files",
}
__all__ = [
    "backend_utils",
    "data",
    "tree_flatten",
    "tree_map",
    "tree_map_with_path",
    "tree_reduce",
    "tree_unflatten",
]


def __getattr__(name: str) -> _Any:
    if name == "data":
        return _import_module(f"{__name__}.data")
    _missing(__name__, name, _ADVICE, __all__)
