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
    """An operation under way."""

    def wait(self) -> Any:
        """What the operation gives, once it is over; its error, if it had one."""

    def done(self) -> bool:
        """Whether it is over."""

class Group:
    """
    Processes that work together; a new one is this process alone.

    All ranks of a group call the same operations in the same order. With async_op=True a call begins the operation and returns a Work.
    """

    def __init__(self) -> None: ...

    @property
    def rank(self) -> int:
        """The number of this process, from 0 on."""

    @property
    def size(self) -> int:
        """How many there are."""

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
        """The root's tensor, on all ranks; x has its shape and dtype everywhere."""

    def all_reduce(self, x: ArrayLike, op: str='sum', *, async_op: bool=False) -> Any:
        """sum, mean, max, min or prod over the ranks, on all of them."""

    def all_gather(self, x: ArrayLike, *, async_op: bool=False) -> Any:
        """
        The ranks' tensors, one after the other along axis 0, where they may differ in length.
        """

    def reduce_scatter(self, x: ArrayLike, op: str='sum', *, async_op: bool=False) -> Any:
        """This rank's rows of the reduction, as share() has them."""

    def all_to_all(self, x: ArrayLike, *, async_op: bool=False) -> Any:
        """
        Part i of axis 0 goes to rank i; the parts come back in the order of ranks.
        """

    def send(self, x: ArrayLike, to: int, *, async_op: bool=False) -> Any:
        """To one rank, which calls recv."""

    def recv(self, shape: int | Sequence[int], dtype: DTypeLike, source: int, *, async_op: bool=False) -> Any:
        """From one rank, which calls send."""

def init(checked: bool | None=None, timeout: float | None=None) -> Group:
    """
    All processes that mpirun, srun or `ember launch` started; this one alone otherwise. Later calls give the same group.

    checked: ranks that disagree get an error instead of a hang (yes, unless EMBER_DISTRIBUTED_CHECKED=0). timeout: seconds after which an
    operation that waits for another rank ends the process (EMBER_DISTRIBUTED_TIMEOUT, or 300).
    """

def world() -> Group:
    """What init() gave; this process alone before it."""

def is_initialized() -> bool: ...

def abort(message: str, status: int=1) -> None:
    """Ends all processes with a message."""

def share(n: int, rank: int, size: int) -> tuple[int, int]:
    """The first of n rows that a rank has, and the one behind its last."""

def all_reduce_sum(x: ArrayLike, group: Group) -> EmberTensor:
    """A sum over the ranks that gradients go through."""

class Strategy:
    """How a model is trained: this one on this process alone."""

    def __init__(self) -> None: ...

    @property
    def num_devices(self) -> int:
        """How many parts a batch has."""

    @num_devices.setter
    def num_devices(self, arg: int, /) -> None: ...

    def distribute(self, batch: ArrayLike) -> list[EmberTensor]:
        """A part for each device along axis 0, the longer ones first."""

    @property
    def group(self) -> Group: ...

    def prepare(self, model: Module, optimizer: Optimizer) -> None:
        """Once, before the first step."""

    def reduce(self, parameters: object) -> None:
        """The gradients become the sums over ranks."""

    def step(self, optimizer: Optimizer) -> bool:
        """The optimizer's step."""

class DataParallelStrategy(Strategy):
    """
    Each rank has the whole model and a part of each batch: Trainer(..., strategy=DataParallelStrategy()).

    Weights are rank 0's at first; gradients are summed over ranks in pieces of bucket_bytes, weighted by examples. shard_optimizer: each
    rank has the optimizer's state of some of the parameters; sharded_checkpoints: and saves it to a file of its own.
    """

    def __init__(self, group: Group | None=None, *, bucket_bytes: int=26214400, synchronize_batch_norm: bool=False, shard_optimizer: bool=False, sharded_checkpoints: bool=False) -> None: ...