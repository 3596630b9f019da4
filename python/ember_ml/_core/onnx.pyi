# Written by tools/generate/stubs.py: run `make generate`.
import builtins
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from types import ModuleType
from typing import Any, Self, overload

from ember_ml._core import ArrayLike, DType, DTypeLike, EmberTensor, Parameter

class Port:
    """An input or output of a network."""

    @property
    def name(self) -> str: ...

    @property
    def dtype(self, /) -> DType | str | None:
        """'string' for strings; None if the file does not declare it."""

    @property
    def shape(self, /) -> tuple[int | str | None, ...] | None:
        """A number, a name or None for each axis; None for any number of axes."""

    def __repr__(self) -> str: ...

class Network:
    """A network read from an ONNX model; it runs on the current backend."""

    @property
    def inputs(self) -> list[Port]: ...

    @property
    def defaults(self) -> list[Port]:
        """Inputs that have a value, which a call may replace."""

    @property
    def outputs(self) -> list[Port]: ...

    @property
    def opset(self) -> int:
        """The version of ONNX's operators."""

    @property
    def producer(self) -> str:
        """The program that wrote the file."""

    @property
    def metadata(self) -> dict[str, str]: ...

    @property
    def operators(self) -> dict[str, int]:
        """The operators of the graph and their counts."""

    def run(self, inputs: dict[str, Any]) -> dict[str, Any]:
        """
        The outputs by name, from the inputs by name: tensors, and lists where an output holds strings.
        """

    def __call__(self, *args: Any, **named: Any) -> Any:
        """The output, or a tuple of all, from the inputs in order or by name."""

    def __repr__(self) -> str: ...

def load(path: str | PathLike[str]) -> Network:
    """Reads an ONNX model; weights in other files must lie in its folder."""

def parse(model: bytes, folder: str | PathLike[str] | None=None) -> Network:
    """
    A network from a model's bytes; folder: where its weights in other files are.
    """

def operators() -> list[tuple[str, int, str, str]]:
    """
    The operators that are read: name, the opset that it came with, what of it is not supported, and the domain.
    """

def save(path: str | PathLike[str], f: Callable[..., Any], inputs: Any, *, input_names: Sequence[str]=[], output_names: Sequence[str]=[], external: bool=False, opset: int | None=None) -> None:
    """
    Writes f, as it computes from tensors of the inputs' dtypes and shapes, as an ONNX model. f is a module or a function; it gives a tensor, several, or a dict of them by name. What else it reads are the model's weights; external: in a file of their own. opset: 13 to 28; unless it is given 21, or what the operators need.
    """