"""First values of parameters: `xavier_uniform_(p)` fills a tensor, `glorot_uniform(shape)` makes one."""
from __future__ import annotations

from typing import Any, Callable

from .._core import ValueError
from .._core.nn import init as _init
from .._core.nn.init import *  # noqa: F403
from .._core.nn.init import __all__ as _names

__path__: list[str] = []  # so that initializers.glorot can be imported: _aliases knows it
__all__ = [*_names, "get_initializer"]


def get_initializer(name: str | Callable[..., Any]) -> Callable[..., Any]:
    """The function of a name such as 'glorot_uniform', which takes a shape; a function is returned as it is."""
    if callable(name):
        return name
    if name not in _names or name.endswith("_"):
        raise ValueError(f"[get_initializer] no initializer is called {name!r}: there are {', '.join(n for n in _names if not n.endswith('_'))}")
    function: Callable[..., Any] = getattr(_init, name)
    return function
