# Written by tools/generate/stubs.py: run `make generate`.
import builtins
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from types import ModuleType
from typing import Any, Self, overload

from ember_ml._core import ArrayLike, DType, DTypeLike, EmberTensor, Parameter
from ember_ml._core.nn import Module

class Layer(Module):
    """A module whose forward takes [batch, steps, features] and a mask."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike, mask: ArrayLike | None=None) -> EmberTensor:
        """
        The layer's output. mask [batch, steps]: true for what is real; what it leaves out is never seen and comes out as zeros.
        """

    def __init__(self) -> None: ...

class ChannelMixing(Layer):
    """Acts on each step. A subclass defines mix(self, x), or forward."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike, mask: ArrayLike | None=None) -> EmberTensor:
        """
        The layer's output. mask [batch, steps]: true for what is real; what it leaves out is never seen and comes out as zeros.
        """

    def mix(self, *args: Any) -> EmberTensor:
        """The function of forward on the valid steps."""

    def __init__(self) -> None: ...

class SequenceMixing(Layer):
    """Acts between steps. A subclass defines mix(self, x, mask), or forward."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike, mask: ArrayLike | None=None) -> EmberTensor:
        """
        The layer's output. mask [batch, steps]: true for what is real; what it leaves out is never seen and comes out as zeros.
        """

    def mix(self, *args: Any) -> EmberTensor:
        """The function of forward on the valid steps."""

    def __init__(self) -> None: ...

class MLP(ChannelMixing):
    """down(activation(up(x))); hidden_size: 4 times the features when None."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike, mask: ArrayLike | None=None) -> EmberTensor:
        """
        The layer's output. mask [batch, steps]: true for what is real; what it leaves out is never seen and comes out as zeros.
        """

    def __init__(self, features: Any, hidden_size: Any=None, activation: str='gelu', dropout: float=0.0, bias: bool=True) -> None: ...

class GatedMLP(ChannelMixing):
    """
    down(activation(gate(x)) * up(x)); hidden_size: 4 times the features when None.
    """

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike, mask: ArrayLike | None=None) -> EmberTensor:
        """
        The layer's output. mask [batch, steps]: true for what is real; what it leaves out is never seen and comes out as zeros.
        """

    def __init__(self, features: Any, hidden_size: Any=None, activation: str='silu', dropout: float=0.0, bias: bool=False) -> None: ...

class Attention(SequenceMixing):
    """Self-attention."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike, mask: ArrayLike | None=None) -> EmberTensor:
        """
        The layer's output. mask [batch, steps]: true for what is real; what it leaves out is never seen and comes out as zeros.
        """

    def __init__(self, features: Any, num_heads: Any=1, dropout: float=0.0, bias: bool=True) -> None: ...

class CausalAttention(Attention):
    """Causal self-attention."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike, mask: ArrayLike | None=None) -> EmberTensor:
        """
        The layer's output. mask [batch, steps]: true for what is real; what it leaves out is never seen and comes out as zeros.
        """

    def __init__(self, features: Any, num_heads: Any=1, dropout: float=0.0, bias: bool=True) -> None: ...

class Convolution(SequenceMixing):
    """A depthwise convolution along the steps that keeps their number."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike, mask: ArrayLike | None=None) -> EmberTensor:
        """
        The layer's output. mask [batch, steps]: true for what is real; what it leaves out is never seen and comes out as zeros.
        """

    def __init__(self, features: Any, kernel_size: Any=3, causal: bool=False, bias: bool=True) -> None: ...

class Recurrent(SequenceMixing):
    """A recurrent network: cell rnn, lstm or gru."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike, mask: ArrayLike | None=None) -> EmberTensor:
        """
        The layer's output. mask [batch, steps]: true for what is real; what it leaves out is never seen and comes out as zeros.
        """

    def __init__(self, features: Any, cell: str='gru', num_layers: Any=1, bidirectional: bool=False) -> None: ...
__all__: list[str] = ['Attention', 'CausalAttention', 'ChannelMixing', 'Convolution', 'GatedMLP', 'Layer', 'MLP', 'Recurrent', 'SequenceMixing']
