# Written by tools/generate/stubs.py: run `make generate`.
import builtins
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from types import ModuleType
from typing import Any, Self, overload

from ember_ml._core import ArrayLike, DType, DTypeLike, EmberTensor, Parameter

class Registry:
    """Layers and models by name, created from configs."""

    def __init__(self) -> None: ...

    def add(self, name: str, entry: object) -> None:
        """
        Adds a class or function whose arguments are the fields of a config. What it makes is a Module, or has create(backend), which gives one.
        """

    def replace(self, name: str, entry: object) -> None:
        """Like register, but replaces an existing entry."""

    def remove(self, name: str) -> bool:
        """Removes an entry; returns whether it existed."""

    def has(self, name: str) -> bool: ...

    def __contains__(self, arg: str, /) -> bool: ...

    def __len__(self) -> int: ...

    def list(self, prefix: str='') -> builtins.list[str]:
        """The names, in order."""

    def create(self, config: object, **fields: Any) -> Any:
        """
        Makes what a config says: a dict or JSON whose field "type" names the entry, a name and its fields, or what has create(backend).
        """

def registry() -> Registry:
    """
    The process's registry, which knows Ember's layers as layers/... and its models as models/...
    """