"""Neural networks: modules, layers, initializers. The layers are written in C++ with PyTorch's
names; Python subclasses combine with them freely.
"""

from __future__ import annotations

from importlib import import_module as _import_module
from typing import Any as _Any

from .._compat.absent import NN as _ADVICE, missing as _missing
from .._core import Parameter
from .._core.nn import *  # noqa: F403
from .._core.nn import __all__ as _layers
from .modules.containers import ModuleDict, ParameterDict, ParameterList
from .modules.dense import Dense
from ..training.losses import *  # noqa: F403
from ..training.losses import __all__ as _losses
from .modules.stateless import *  # noqa: F403
from .modules.stateless import __all__ as _stateless
from .transforms import install as _install, value_and_grad

_MODULES = (
    "features",
    "functional",
    "init",
    "initializers",
    "layers",
    "losses",
    "modules",
    "tensor",
    "utils",
)
__all__ = [
    *_layers,
    *_losses,
    *_stateless,
    "Dense",
    "ModuleDict",
    "Parameter",
    "ParameterDict",
    "ParameterList",
    "value_and_grad",
    *_MODULES,
]
_install()


def __getattr__(name: str) -> _Any:
    if name in _MODULES:
        return _import_module(f"{__name__}.{name}")
    functional = _import_module(f"{__name__}.functional")
    if name in functional.__all__:
        return getattr(functional, name)
    _missing(__name__, name, _ADVICE, (*__all__, *functional.__all__))


def __dir__() -> list[str]:
    return sorted(__all__)
