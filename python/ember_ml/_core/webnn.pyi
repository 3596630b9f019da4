# Written by tools/generate/stubs.py: run `make generate`.
import builtins
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from types import ModuleType
from typing import Any, Self, overload

from ember_ml._core import ArrayLike, DType, DTypeLike, EmberTensor, Parameter
from webnn import MLGraphBuilder

class MLTensor:
    """
    A tensor of a context. It reads as zeros until something is written or dispatched to it.
    """

    @property
    def data_type(self) -> str: ...

    @property
    def shape(self) -> list[int]: ...

    @property
    def size(self) -> int: ...

    @property
    def readable(self) -> bool: ...

    @property
    def writable(self) -> bool: ...

    @property
    def exportable_to_gpu(self) -> bool: ...

    @property
    def constant(self) -> bool: ...

    @property
    def materialized(self) -> bool:
        """Whether its storage is allocated."""

    def destroy(self) -> None:
        """Frees the tensor; a second call is an error."""

    def __dlpack__(self, **options: object) -> Any:
        """Its value now, in host memory, without a copy."""

    def __dlpack_device__(self) -> tuple[int, int]: ...

    def __repr__(self) -> str: ...

class MLDeviceTensor(MLTensor):
    """A tensor in the memory of the context's device."""

    @property
    def device(self) -> str: ...

    @property
    def backend(self) -> str: ...

    def read(self) -> Any:
        """Its value as an array."""

    def write(self, data: ArrayLike) -> None:
        """Replaces the value."""

    def __repr__(self) -> str: ...

class MLOperand:
    """A value inside a graph that is being built."""

    @property
    def data_type(self) -> str: ...

    @property
    def shape(self) -> list[int]: ...

    @property
    def name(self) -> str | None: ...

    def __repr__(self) -> str: ...

class MLGraph:
    """A graph that is compiled."""

    @property
    def operand_count(self) -> int: ...

    @property
    def operation_count(self) -> int: ...

    @property
    def devices(self) -> list[str]: ...

    def get_input_names(self) -> list[str]: ...

    def get_output_names(self) -> list[str]: ...

    def save(self, path: str | PathLike[str], quantized: bool=False) -> None:
        """
        Writes the graph to path, .webnn or .json, and its constants to a .safetensors file beside it.
        """

    @staticmethod
    def load(path: str | PathLike[str], manifest_path: str | PathLike[str] | None=None, weights_path: str | PathLike[str] | None=None, *, context: MLContext | None=None, sizes: Mapping[str, int]={}) -> MLGraph:
        """
        A graph from a file. sizes: of its dynamic dimensions, by name. Without a context, any context may run it.
        """

    def destroy(self) -> None: ...

    def debug_operand(self, idx: int) -> str: ...

    def count_empty_shapes(self) -> int:
        """The number of scalar operands."""

    def count_scalar_constants(self) -> int: ...

    def count_unknown_shapes(self) -> int:
        """None, because every shape is known."""

    def count_unknown_shapes_excluding_scalar_ops(self) -> int: ...

    def debug_unknown_shapes(self) -> list[str]: ...

    def debug_unknown_shapes_structured(self) -> list[Any]: ...

    def __repr__(self) -> str: ...

class MLContext:
    """
    A context for building and running graphs: an engine and one of its devices.
    """

    def create_graph_builder(self) -> MLGraphBuilder: ...

    def dispatch(self, graph: MLGraph, inputs: Mapping[str, MLTensor], outputs: Mapping[str, MLTensor]) -> None:
        """
        Runs the graph: inputs and outputs are dicts of tensors by name. It does not wait; read_tensor does.
        """

    def dispatch_with_host_tensors(self, graph: MLGraph, inputs: Mapping[str, MLTensor], outputs: Mapping[str, MLTensor]) -> None:
        """
        Runs the graph: inputs and outputs are dicts of tensors by name. It does not wait; read_tensor does.
        """

    def dispatch_with_device_tensors(self, graph: MLGraph, inputs: Mapping[str, MLTensor], outputs: Mapping[str, MLTensor]) -> None:
        """
        Runs the graph: inputs and outputs are dicts of tensors by name. It does not wait; read_tensor does.
        """

    def compute(self, graph: MLGraph, inputs: Mapping[str, ArrayLike], _outputs: object=None) -> dict[str, Any]:
        """Runs the graph with a dict of arrays and returns a dict of arrays."""

    def create_tensor(self, shape: Sequence[int], data_type: str, readable: bool=False, writable: bool=False, exportable_to_gpu: bool=False) -> MLTensor:
        """
        A tensor of zeros: an MLDeviceTensor, which stays where the context computes, unless it shall be readable or writable.
        """

    def create_host_tensor(self, shape: Sequence[int], data_type: str) -> MLTensor:
        """A tensor that can be read and written."""

    def create_constant_tensor(self, shape: Sequence[int], data_type: str, data: ArrayLike) -> MLTensor:
        """
        A tensor for MLGraphBuilder.constant, shared by the graphs that use it.
        """

    def create_tensor_for_graph(self, graph: MLGraph, shape: Sequence[int], data_type: str) -> MLDeviceTensor:
        """A device tensor; create_tensor needs no graph."""

    def create_device_tensor(self, graph: MLGraph, shape: Sequence[int], data_type: str, device: str | None=None) -> MLDeviceTensor:
        """Deprecated: create_tensor creates device tensors."""

    def read_tensor(self, tensor: MLTensor) -> Any:
        """The value as an array of its data type, after all earlier operations."""

    def write_tensor(self, tensor: MLTensor, data: ArrayLike) -> None:
        """Replaces the value by an array or lists of numbers."""

    def _read_later(self, tensor: MLTensor, done: Callable[[Any, BaseException | None], object]) -> None: ...

    def convert_to_onnx(self, graph: MLGraph, path: str | PathLike[str]) -> None:
        """
        Writes the graph as an ONNX model; very large weights go to a file beside it.
        """

    def op_support_limits(self) -> dict[str, Any]: ...

    def backend_info(self) -> dict[str, Any]: ...

    def destroy(self) -> None:
        """Destroys the context; it cannot be used afterwards."""

    @property
    def lost(self) -> bool: ...

    @property
    def power_preference(self) -> str: ...

    @property
    def accelerated(self) -> bool: ...

    def __repr__(self) -> str: ...

class ML:
    """Makes contexts."""

    def __init__(self) -> None: ...

    def create_context(self, power_preference: str='default', accelerated: bool=True, device_type: str='auto', *, engine: str | None=None, device: str | None=None) -> MLContext:
        """
        A context. engine: one of Ember's backends, native unless named; device: one of its devices. A missing device falls back to the CPU with a warning.
        """

class Builder:
    """The base of MLGraphBuilder."""

    def __init__(self, context: MLContext | None=None) -> None:
        """Without a context, any context can run the graphs."""

    def input(self, name: str, shape: Sequence[int], data_type: str) -> MLOperand:
        """An input of the graph."""

    def constant(self, value: ArrayLike | MLTensor, shape: Sequence[int] | None=None, data_type: str | None=None) -> MLOperand:
        """A constant: an array, lists of numbers, bytes, or a constant tensor."""

    def build(self, outputs: Mapping[str, MLOperand]) -> MLGraph:
        """Compiles the graph of the outputs."""

    def squeeze(self, input: MLOperand, axes: Sequence[int] | None=None, *, label: str='') -> MLOperand:
        """Removes the given axes of length 1, or all of them."""

    def unsqueeze(self, input: MLOperand, axes: Sequence[int], *, label: str='') -> MLOperand:
        """Inserts axes of length 1 at positions of the result."""

    def _call(self, name: str, args: tuple[Any, ...], options: dict[str, Any]) -> Any: ...

def _operators() -> list[Any]: ...