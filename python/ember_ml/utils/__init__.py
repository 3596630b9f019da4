"""Small helpers that Ember ML's code imports, and torch's utils.data."""

from importlib import import_module as _import_module
from typing import Any as _Any

from .._compat.absent import missing as _missing
from . import backend_utils

_ADVICE = {
    "checkpoint": "use em.checkpoint(f, x)",
    "tensorboard": "use training.TensorBoard, or training.EventWriter",
    "to_categorical": "use em.one_hot(labels, num_classes)",
    "plot_model": "use em.onnx.save and a viewer of ONNX files",
    "tree_flatten": "use a list, tuple or dict comprehension",
    "tree_map": "use a list, tuple or dict comprehension",
    "tree_unflatten": "use a list, tuple or dict comprehension",
}
__all__ = ["backend_utils", "data"]


def __getattr__(name: str) -> _Any:
    if name == "data":
        return _import_module(f"{__name__}.data")
    _missing(__name__, name, _ADVICE, __all__)
