# Written by tools/generate/stubs.py: run `make generate`.
import builtins
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from types import ModuleType
from typing import Any, Self, overload

from ember_ml._core import ArrayLike, DType, DTypeLike, EmberTensor, Parameter
from ember_ml._core.nn import Module
from ember_ml._core.training import Optimizer

class Work:
    """A running operation."""

    def wait(self) -> Any:
        """Waits for the operation and returns its result or raises its error."""

    def done(self) -> bool:
        """Whether the operation has finished."""

class Group:
    """
    A group of processes; a new one contains only this process.

    All ranks of a group call the same operations in the same order. With async_op=True a call begins the operation and returns a Work.
    """

    def __init__(self) -> None: ...

    @property
    def rank(self) -> int:
        """The rank of this process, counted from 0."""

    @property
    def size(self) -> int:
        """The number of processes."""

    @property
    def transport(self) -> str:
        """The MPI library and its version, or none."""

    def split(self, color: int, key: int=0) -> Group:
        """
        Those that give the same color, ordered by key and then by rank. A negative color: this process alone.
        """

    def barrier(self, *, async_op: bool=False) -> Any:
        """Waits for all ranks."""

    def broadcast(self, x: ArrayLike, root: int=0, *, async_op: bool=False) -> Any:
        """The root's tensor on all ranks; x has its shape and dtype on each."""

    def all_reduce(self, x: ArrayLike, op: str='sum', *, async_op: bool=False) -> Any:
        """sum, mean, max, min or prod over the ranks, on all of them."""

    def all_gather(self, x: ArrayLike, *, async_op: bool=False) -> Any:
        """
        The tensors of all ranks concatenated along axis 0, where their lengths may differ.
        """

    def reduce_scatter(self, x: ArrayLike, op: str='sum', *, async_op: bool=False) -> Any:
        """This rank's rows of the reduction, as given by share()."""

    def all_to_all(self, x: ArrayLike, *, async_op: bool=False) -> Any:
        """
        Sends part i of axis 0 to rank i and returns the received parts in the order of ranks.
        """

    def send(self, x: ArrayLike, to: int, *, async_op: bool=False) -> Any:
        """Sends a tensor to a rank, which calls recv."""

    def recv(self, shape: int | Sequence[int], dtype: DTypeLike, source: int, *, async_op: bool=False) -> Any:
        """Receives a tensor from a rank, which calls send."""

def init(checked: bool | None=None, timeout: float | None=None) -> Group:
    """
    All processes that mpirun, srun or `ember launch` started; this one alone otherwise. Later calls give the same group.

    checked: ranks that disagree raise an error instead of hanging (yes, unless EMBER_DISTRIBUTED_CHECKED=0). timeout: seconds after which an
    operation that waits for another rank ends the process (EMBER_DISTRIBUTED_TIMEOUT, or 300).
    """

def world() -> Group:
    """The group of init(); before it, a group of this process."""

def is_initialized() -> bool: ...

def abort(message: str, status: int=1) -> None:
    """Ends all processes with a message."""

def share(n: int, rank: int, size: int) -> tuple[int, int]:
    """The half-open range of the n rows that belong to a rank."""

def all_reduce_sum(x: ArrayLike, group: Group) -> EmberTensor:
    """A differentiable sum over the ranks."""

class Strategy:
    """A training strategy; the base trains on this process."""

    def __init__(self) -> None: ...

    @property
    def num_devices(self) -> int:
        """The number of parts of a batch."""

    @num_devices.setter
    def num_devices(self, arg: int, /) -> None: ...

    def distribute(self, batch: ArrayLike) -> list[EmberTensor]:
        """Parts along axis 0, one for each device, longer ones first."""

    @property
    def group(self) -> Group: ...

    def prepare(self, model: Module, optimizer: Optimizer) -> None:
        """Called once before the first step."""

    def reduce(self, parameters: object) -> None:
        """Sums the gradients over the ranks."""

    def step(self, optimizer: Optimizer) -> bool:
        """The optimizer's step."""

class DataParallelStrategy(Strategy):
    """
    Each rank has the whole model and processes a part of each batch: Trainer(..., strategy=DataParallelStrategy()).

    Weights are rank 0's at first; gradients are summed over ranks in pieces of bucket_bytes, weighted by examples. shard_optimizer: each
    rank has the optimizer's state of some of the parameters; sharded_checkpoints: and saves it to a file of its own.
    """

    def __init__(self, group: Group | None=None, *, bucket_bytes: int=26214400, synchronize_batch_norm: bool=False, shard_optimizer: bool=False, sharded_checkpoints: bool=False) -> None: ...