# Written by tools/generate/stubs.py: run `make generate`.
import builtins
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from types import ModuleType
from typing import Any, Self, overload

from ember_ml._core import ArrayLike, DType, DTypeLike, EmberTensor, Parameter

def save(path: str | PathLike[str], f: Callable[..., Any], inputs: Any, *, input_names: Sequence[str]=[], output_names: Sequence[str]=[]) -> None:
    """
    Writes f, as it computes from tensors of the inputs' dtypes and shapes, as a Core ML package (.mlpackage, for macOS 13 and iOS 16). f is a module or a function that returns a tensor, several, or a dict of them by name. Every other tensor that it reads becomes a weight; int64 is stored as int32.
    """