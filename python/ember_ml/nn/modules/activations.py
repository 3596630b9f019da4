"""Activations: as modules (`ReLU`) and as functions (`relu`), and by name."""

from __future__ import annotations

from typing import Any

from ..._core.nn import (
    CELU,
    ELU,
    GELU,
    GLU,
    Hardsigmoid,
    Hardswish,
    LeakyReLU,
    LeCunTanh,
    LogSigmoid,
    LogSoftmax,
    Mish,
    PReLU,
    ReLU,
    ReLU6,
    SELU,
    SiLU,
    Sigmoid,
    Softmax,
    Softplus,
    Softsign,
    Tanh,
    get_activation,
)
from ...backend import get_activations_module
from .dropout import Dropout
from ...ops import activations as _functions

__path__: list[str] = []  # so that activations.relu_module can be imported: _aliases knows it


def _update_activation_aliases() -> None:
    """Does nothing: the functions use the current backend."""


def __getattr__(name: str) -> Any:
    if name in _functions.__all__:
        return getattr(_functions, name)
    raise AttributeError(f"module 'ember_ml.nn.modules.activations' has no attribute {name!r}")


__all__ = [
    "CELU",
    "ELU",
    "GELU",
    "GLU",
    "Dropout",
    "Hardsigmoid",
    "Hardswish",
    "LeakyReLU",
    "LeCunTanh",
    "LogSigmoid",
    "LogSoftmax",
    "Mish",
    "PReLU",
    "ReLU",
    "ReLU6",
    "SELU",
    "SiLU",
    "Sigmoid",
    "Softmax",
    "Softplus",
    "Softsign",
    "Tanh",
    "get_activation",
    "get_activations_module",
    *_functions.__all__,
]
