"""The choice of the backend, and the functions as read-only modules."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any, NoReturn

from ember_ml._compat.absent import getter as _getter
from ember_ml._core import (
    auto_select_backend,
    backend_info,
    get_available_backends,
    get_available_devices,
    get_backend,
    get_device,
    set_backend,
    set_device,
    using_backend,
)

__path__: list[str] = []  # so that backend.numpy.types can be imported: _aliases knows it


class View(ModuleType):
    """A module's public names. Functions select their backend at each call, so assignment is not
    needed.
    """

    def __init__(self, name: str, module: ModuleType) -> None:
        super().__init__(name, module.__doc__)
        self.__dict__.update({n: getattr(module, n) for n in module.__all__})

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise AttributeError(f"{self.__name__} can only be read")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{self.__name__} can only be read")


def _view(module: str) -> View:
    return View(f"ember_ml.backend.{get_backend()}", import_module(f"ember_ml.{module}"))


def get_backend_module() -> ModuleType:
    """Every op, on the current engine."""
    return _view("ops")


def get_stats_module() -> ModuleType:
    """The statistics, on the current engine."""
    return _view("ops.stats")


def get_linearalg_module() -> ModuleType:
    """Linear algebra, on the current engine."""
    return _view("linalg")


def get_activations_module() -> ModuleType:
    """The activation functions, on the current engine."""
    return _view("ops.activations")


def get_bitwise_module() -> ModuleType:
    """The ops on bits, on the current engine."""
    return _view("ops.bitwise")


def load_backend_config() -> dict[str, bool]:
    """Every engine, and whether it is available here."""
    return {b["name"]: b["available"] for b in backend_info()}


__all__ = [
    "auto_select_backend",
    "get_activations_module",
    "get_available_backends",
    "get_available_devices",
    "get_backend",
    "get_backend_module",
    "get_bitwise_module",
    "get_device",
    "get_linearalg_module",
    "get_stats_module",
    "load_backend_config",
    "set_backend",
    "set_device",
    "using_backend",
]

__getattr__ = _getter(__name__, {"backend": "use em.get_backend()"}, __all__)
