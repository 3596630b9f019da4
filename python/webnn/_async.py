"""A context for coroutines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ember_ml._core.webnn import MLContext, MLGraph, MLTensor

from ._builder import MLGraphBuilder

if TYPE_CHECKING:
    from ember_ml._core import ArrayLike


class AsyncMLContext:
    """A context with awaitable reads, which do not block the event loop.

    Operations of a context happen in the order of the calls, awaited or not.
    """

    def __init__(self, context: MLContext) -> None:
        self._context = context

    async def dispatch(
        self, graph: MLGraph, inputs: Mapping[str, MLTensor], outputs: Mapping[str, MLTensor]
    ) -> None:
        """Runs the graph; what it gives is there for the next read of its outputs."""
        self._context.dispatch(graph, inputs, outputs)

    async def read_tensor_async(self, tensor: MLTensor) -> Any:
        """The tensor's value as an array."""
        import asyncio

        loop = asyncio.get_running_loop()
        result: asyncio.Future[Any] = loop.create_future()

        def settle(value: Any, error: BaseException | None) -> None:
            if result.cancelled():
                return
            if error is None:
                result.set_result(value)
            else:
                result.set_exception(error)

        self._context._read_later(
            tensor, lambda value, error: loop.call_soon_threadsafe(settle, value, error)
        )
        return await result

    async def write_tensor_async(self, tensor: MLTensor, data: ArrayLike) -> None:
        """Another value for the tensor."""
        self._context.write_tensor(tensor, data)

    def create_graph_builder(self) -> MLGraphBuilder:
        return MLGraphBuilder(self._context)

    def create_tensor(
        self,
        shape: Sequence[int],
        data_type: str,
        readable: bool = True,
        writable: bool = True,
        exportable_to_gpu: bool = False,
    ) -> MLTensor:
        """Creates a tensor; unlike in MLContext.create_tensor, it is readable and writable by
        default.
        """
        return self._context.create_tensor(shape, data_type, readable, writable, exportable_to_gpu)

    def compute(
        self, graph: MLGraph, inputs: Mapping[str, ArrayLike], outputs: object = None
    ) -> dict[str, Any]:
        return self._context.compute(graph, inputs, outputs)

    def read_tensor(self, tensor: MLTensor) -> Any:
        return self._context.read_tensor(tensor)

    def write_tensor(self, tensor: MLTensor, data: ArrayLike) -> None:
        self._context.write_tensor(tensor, data)

    @property
    def accelerated(self) -> bool:
        return self._context.accelerated

    @property
    def power_preference(self) -> str:
        return self._context.power_preference
