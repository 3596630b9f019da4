"""Layers and models by name, made from configs:
`registry().create({"type": "models/mlp", "sizes": [64, 32, 10]})`.
"""

from __future__ import annotations

from typing import Any, Callable, TypeVar

from ._core.registry import Registry, registry

_Entry = TypeVar("_Entry", bound=Callable[..., Any])


def register(name: str, where: Registry | None = None) -> Callable[[_Entry], _Entry]:
    """A decorator that registers a class or function under a name, replacing an earlier entry.

    The fields of a config are its arguments. It must return a Module, or an object whose
    create(backend) returns one.
    """

    def enter(entry: _Entry) -> _Entry:
        (registry() if where is None else where).replace(name, entry)
        return entry

    return enter


__all__ = ["Registry", "register", "registry"]
