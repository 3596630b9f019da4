"""Modules under the names that Ember ML has for them: everything of `ember_ml.nn`, and `activations`, `rnn`, `wiring`."""
from __future__ import annotations

from importlib import import_module as _import_module
from typing import Any as _Any

from ..._core import Parameter
from ..._core.nn import *  # noqa: F403
from ..._core.nn import Module, __all__ as _layers
from .containers import ModuleDict, ParameterDict, ParameterList
from .dense import Dense

BaseModule = Module
_MODULES = ("activations", "rnn", "wiring")
_NCP = ("AutoNCP", "NCP")
__all__ = [*_layers, "BaseModule", "Dense", "ModuleDict", "Parameter", "ParameterDict", "ParameterList", *_MODULES, *_NCP]


def __getattr__(name: str) -> _Any:
    if name in _MODULES:
        return _import_module(f"{__name__}.{name}")
    if name in _NCP:
        return getattr(_import_module(f"{__name__}.ncp"), name)
    raise AttributeError(f"module 'ember_ml.nn.modules' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
