"""Neural networks: modules, layers, first values. The layers are C++'s, with PyTorch's names; Python's subclasses mix with them freely."""
from __future__ import annotations

from importlib import import_module as _import_module
from typing import Any as _Any

from .._core import Parameter
from .._core.nn import *  # noqa: F403
from .._core.nn import __all__ as _layers
from .modules.containers import ModuleDict, ParameterDict, ParameterList
from .modules.dense import Dense
from .transforms import install as _install, value_and_grad

_MODULES = ("features", "functional", "init", "initializers", "layers", "losses", "modules", "tensor")
__all__ = [*_layers, "Dense", "ModuleDict", "Parameter", "ParameterDict", "ParameterList", "value_and_grad", *_MODULES]
_install()


def __getattr__(name: str) -> _Any:
    if name in _MODULES:
        return _import_module(f"{__name__}.{name}")
    raise AttributeError(f"module 'ember_ml.nn' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
