# Written by tools/generate/stubs.py: run `make generate`.
import builtins
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from types import ModuleType
from typing import Any, Self, overload

from ember_ml._core import ArrayLike, DType, DTypeLike, EmberTensor, Parameter
from ember_ml._core.nn.mixing import Layer
from ember_ml._core.nn import mixing as mixing
from ember_ml._core.nn import init as init

class Module:
    """
    The base of all layers and models. A subclass calls super().__init__(), assigns Parameters and modules as
    attributes, and defines forward.
    """

    def __repr__(self) -> str: ...

    def __dir__(self) -> list[Any]: ...

    def extra_repr(self) -> str:
        """The options in the printed form."""

    @property
    def trainable_variables(self) -> list[Parameter]:
        """The Parameters that get gradients, as a list."""

    def _defer(self, dtype: DTypeLike | None=None) -> None:
        """Says that the parameters are made when the first input comes."""

    def _finish_build(self) -> None:
        """
        Hands the parameters made since _defer to the optimizers that wait for them.
        """

    @property
    def built(self) -> bool:
        """
        Whether its own parameters are there: some layers make them when they see their first input.
        """

    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments."""

    @property
    def training(self) -> bool:
        """
        Whether dropout and batch statistics are those of training; train() and eval() set it for all below too.
        """

    @training.setter
    def training(self, arg: bool, /) -> None: ...

    def parameters(self, recurse: bool=True) -> Iterator[Parameter]:
        """Every Parameter, each once."""

    def named_parameters(self, prefix: str='', recurse: bool=True, remove_duplicate: bool=True) -> Iterator[tuple[str, Parameter]]:
        """Pairs of a name such as 'fc.weight' and a Parameter."""

    def buffers(self, recurse: bool=True) -> Iterator[EmberTensor]:
        """Every buffer."""

    def named_buffers(self, prefix: str='', recurse: bool=True) -> Iterator[tuple[str, EmberTensor]]:
        """Pairs of a name and a buffer."""

    def children(self) -> Iterator[Module]:
        """The modules directly below."""

    def named_children(self) -> Iterator[tuple[str, Module]]:
        """Pairs of a name and a module directly below."""

    def modules(self) -> Iterator[Module]:
        """This module and all below, each once."""

    def named_modules(self, prefix: str='') -> Iterator[tuple[str, Module]]:
        """Pairs of a name and a module: this one, named '', and all below."""

    def register_parameter(self, name: str, param: object | None) -> None:
        """Registers a Parameter under a name; None keeps the name free."""

    def register_buffer(self, name: str, tensor: object | None, persistent: bool=True) -> None:
        """
        Registers a tensor that is saved with the module but not trained; not persistent: not saved either.
        """

    def add_module(self, name: str, module: object) -> None:
        """Registers a module under a name."""

    def register_module(self, name: str, module: object) -> None:
        """Registers a module under a name."""

    def apply(self, fn: Callable[..., Any]) -> Self:
        """Calls fn with every module below, then with this one."""

    def train(self, mode: bool=True) -> Self:
        """Training mode for this module and all below."""

    def eval(self) -> Self:
        """Evaluation mode for this module and all below."""

    def freeze(self, frozen: bool=True) -> Self:
        """Frozen parameters get no gradients."""

    def requires_grad_(self, requires_grad: bool=True) -> Self:
        """Whether the parameters get gradients."""

    def zero_grad(self, set_to_none: bool=True) -> None:
        """Drops the gradients of all parameters."""

    def to(self, *args: Any, device: object | None=None, dtype: DTypeLike | None=None) -> Self:
        """
        Moves floating-point parameters and buffers to a dtype, all to a device.
        """

    def state_dict(self) -> dict[str, EmberTensor]:
        """
        Parameters and buffers by name, with PyTorch's names; tensors outside every gradient.
        """

    def load_state_dict(self, state_dict: dict[str, Any], strict: bool=True) -> LoadReport:
        """
        Takes the values of a dict of tensors; unless strict, keys may lack or be too many.
        """

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the state to a .safetensors file, atomically."""

    def load(self, path: str | PathLike[str], strict: bool=True) -> LoadReport:
        """Loads the values from a file written by save or PyTorch."""

    def parameter_count(self, trainable_only: bool=False) -> int:
        """The number of elements of all parameters."""

    def summary(self) -> str:
        """A table of the modules and their parameters."""

    @classmethod
    def from_config(self, *args: Any, **kwargs: Any) -> Any: ...

    def half(self) -> Self:
        """Floating-point parameters and buffers in this dtype."""

    def float(self) -> Self:
        """Floating-point parameters and buffers in this dtype."""

    def double(self) -> Self:
        """Floating-point parameters and buffers in this dtype."""

    def bfloat16(self) -> Self:
        """Floating-point parameters and buffers in this dtype."""

    def __init__(self) -> None: ...
    forward: Callable[..., Any]

    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

    def __getattr__(self, name: str) -> Any: ...

    def __setattr__(self, name: str, value: Any) -> None: ...

class LoadReport:
    """The missing and the unexpected keys of a state."""

    @property
    def missing_keys(self) -> list[str]:
        """Keys of the module that the state lacks."""

    @property
    def unexpected_keys(self) -> list[str]:
        """Keys of the state that the module lacks."""

    def __iter__(self) -> Iterator[Any]: ...

    def __repr__(self) -> Any: ...

class Sequential(Module):
    """
    Modules applied in order: Sequential(Linear(64, 32), ReLU()), also of a dict of names and modules.
    """

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Any]: ...

    def __getitem__(self, index: object) -> Any: ...

    def __setitem__(self, index: object, module: object) -> None: ...

    def __delitem__(self, index: object) -> None: ...

    def append(self, module: object) -> Any:
        """Appends a module."""

    def extend(self, modules: object) -> Any:
        """Appends modules."""

    def insert(self, index: int, module: object) -> Any:
        """Inserts a module before an index."""

    def pop(self, index: object=-1) -> Any:
        """Removes and returns a module."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The last module's output."""

    def add(self, layer: object) -> Any:
        """Appends a module."""

    @property
    def layers(self) -> list[Any]:
        """The modules, as a list."""

    def get_config(self) -> Any:
        """
        What from_config makes the same layers of, with new parameters: their classes and arguments.
        """

    @classmethod
    def from_config(self, *args: Any, **kwargs: Any) -> Any: ...

    def __init__(self, *modules: Any) -> None: ...

class ModuleList(Module):
    """A list of modules that are all registered."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[Any]: ...

    def __getitem__(self, index: object) -> Any: ...

    def __setitem__(self, index: object, module: object) -> None: ...

    def __delitem__(self, index: object) -> None: ...

    def append(self, module: object) -> Any:
        """Appends a module."""

    def extend(self, modules: object) -> Any:
        """Appends modules."""

    def insert(self, index: int, module: object) -> Any:
        """Inserts a module before an index."""

    def pop(self, index: object=-1) -> Any:
        """Removes and returns a module."""

    def __init__(self, modules: Any=None) -> None: ...

class Linear(Module):
    """x @ weight.T + bias, over the last axis."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self, in_features: Any, out_features: Any, bias: bool=True) -> None: ...

class Embedding(Module):
    """
    Rows of a table by integer index. Row padding_idx starts as zeros and receives no gradient.
    """

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self, num_embeddings: Any, embedding_dim: Any, padding_idx: Any=None) -> None: ...

class Dropout(Module):
    """
    In training, sets elements to 0 with probability p and scales the others to keep the mean.
    """

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self, p: float=0.5) -> None: ...

class Flatten(Module):
    """Flattens the axes from start_dim to end_dim into one."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self, start_dim: Any=1, end_dim: Any=-1) -> None: ...

class Identity(Module):
    """The input itself."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self) -> None: ...

class ReLU(Module):
    """max(x, 0)."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self) -> None: ...

class ReLU6(Module):
    """x clamped to [0, 6]."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self) -> None: ...

class Sigmoid(Module):
    """1 / (1 + exp(-x))."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self) -> None: ...

class LogSigmoid(Module):
    """log(sigmoid(x))."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self) -> None: ...

class Hardsigmoid(Module):
    """x / 6 + 1 / 2, clamped to [0, 1]."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self) -> None: ...

class Tanh(Module):
    """tanh(x)."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self) -> None: ...

class LeCunTanh(Module):
    """1.7159 tanh(2 x / 3)."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self) -> None: ...

class SiLU(Module):
    """x sigmoid(x)."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self) -> None: ...

class SELU(Module):
    """The scaled exponential linear unit, which is self-normalizing."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self) -> None: ...

class Mish(Module):
    """x tanh(softplus(x))."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self) -> None: ...

class Hardswish(Module):
    """x times hardsigmoid(x)."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self) -> None: ...

class Softsign(Module):
    """x / (1 + |x|)."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self) -> None: ...

class Softmax(Module):
    """exp(x) / sum(exp(x)) along dim."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self, dim: Any=-1) -> None: ...

class LogSoftmax(Module):
    """The logarithm of softmax along dim."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self, dim: Any=-1) -> None: ...

class GLU(Module):
    """The first half along dim times the sigmoid of the second half."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self, dim: Any=-1) -> None: ...

class Softplus(Module):
    """log(1 + exp(beta x)) / beta."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self, beta: float=1.0) -> None: ...

class ELU(Module):
    """x, and alpha (exp(x) - 1) below 0."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self, alpha: float=1.0) -> None: ...

class CELU(Module):
    """x, and alpha (exp(x / alpha) - 1) below 0."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self, alpha: float=1.0) -> None: ...

class LeakyReLU(Module):
    """x, and negative_slope x below 0."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self, negative_slope: float=0.01) -> None: ...

class GELU(Module):
    """
    x * Phi(x), with Phi the normal distribution function; approximate is none or tanh.
    """

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self, approximate: str='none') -> None: ...

class PReLU(Module):
    """
    x, and a learned slope times x below 0: one for all, or one for each channel (axis 1).
    """

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self, num_parameters: Any=1, init: float=0.25) -> None: ...

def get_activation(name: str) -> Callable[..., EmberTensor]:
    """
    The activation with a name such as 'relu', as a function of one tensor.
    """

class Conv1d(Module):
    """
    Cross-correlation of [batch, in_channels, ...] with learned windows. padding: sizes, 'same' or 'valid'.
    """

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self, in_channels: Any, out_channels: Any, kernel_size: Any, stride: Any=1, padding: Any=0, dilation: Any=1, groups: Any=1, bias: bool=True) -> None: ...

class ConvTranspose1d(Module):
    """
    The transposed convolution: the gradient of a convolution with respect to its input.
    """

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self, in_channels: Any, out_channels: Any, kernel_size: Any, stride: Any=1, padding: Any=0, output_padding: Any=0, groups: Any=1, bias: bool=True, dilation: Any=1) -> None: ...

class MaxPool1d(Module):
    """
    The largest value in each window; stride: by default the window's size.
    """

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self, kernel_size: Any, stride: Any=None, padding: Any=0, dilation: Any=1, ceil_mode: bool=False) -> None: ...

class AvgPool1d(Module):
    """The mean of each window; stride: by default the window's size."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self, kernel_size: Any, stride: Any=None, padding: Any=0, ceil_mode: bool=False, count_include_pad: bool=True) -> None: ...

class AdaptiveAvgPool1d(Module):
    """Means of windows, to a given size."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self, output_size: Any) -> None: ...

class AdaptiveMaxPool1d(Module):
    """Largest values of windows, to a given size."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self, output_size: Any) -> None: ...

class BatchNorm1d(Module):
    """
    Each channel (axis 1) normalized over all other axes; while not training, by the running statistics.
    """

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self, num_features: Any, eps: float=1e-05, momentum: float=0.1, affine: bool=True, track_running_stats: bool=True) -> None: ...

class InstanceNorm1d(Module):
    """Each channel of each sample normalized."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self, num_features: Any, eps: float=1e-05, momentum: float=0.1, affine: bool=False, track_running_stats: bool=False) -> None: ...

class Conv2d(Module):
    """
    Cross-correlation of [batch, in_channels, ...] with learned windows. padding: sizes, 'same' or 'valid'.
    """

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self, in_channels: Any, out_channels: Any, kernel_size: Any, stride: Any=1, padding: Any=0, dilation: Any=1, groups: Any=1, bias: bool=True) -> None: ...

class ConvTranspose2d(Module):
    """
    The transposed convolution: the gradient of a convolution with respect to its input.
    """

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self, in_channels: Any, out_channels: Any, kernel_size: Any, stride: Any=1, padding: Any=0, output_padding: Any=0, groups: Any=1, bias: bool=True, dilation: Any=1) -> None: ...

class MaxPool2d(Module):
    """
    The largest value in each window; stride: by default the window's size.
    """

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self, kernel_size: Any, stride: Any=None, padding: Any=0, dilation: Any=1, ceil_mode: bool=False) -> None: ...

class AvgPool2d(Module):
    """The mean of each window; stride: by default the window's size."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self, kernel_size: Any, stride: Any=None, padding: Any=0, ceil_mode: bool=False, count_include_pad: bool=True) -> None: ...

class AdaptiveAvgPool2d(Module):
    """Means of windows, to a given size."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self, output_size: Any) -> None: ...

class AdaptiveMaxPool2d(Module):
    """Largest values of windows, to a given size."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self, output_size: Any) -> None: ...

class BatchNorm2d(Module):
    """
    Each channel (axis 1) normalized over all other axes; while not training, by the running statistics.
    """

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self, num_features: Any, eps: float=1e-05, momentum: float=0.1, affine: bool=True, track_running_stats: bool=True) -> None: ...

class InstanceNorm2d(Module):
    """Each channel of each sample normalized."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self, num_features: Any, eps: float=1e-05, momentum: float=0.1, affine: bool=False, track_running_stats: bool=False) -> None: ...

class Conv3d(Module):
    """
    Cross-correlation of [batch, in_channels, ...] with learned windows. padding: sizes, 'same' or 'valid'.
    """

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self, in_channels: Any, out_channels: Any, kernel_size: Any, stride: Any=1, padding: Any=0, dilation: Any=1, groups: Any=1, bias: bool=True) -> None: ...

class ConvTranspose3d(Module):
    """
    The transposed convolution: the gradient of a convolution with respect to its input.
    """

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self, in_channels: Any, out_channels: Any, kernel_size: Any, stride: Any=1, padding: Any=0, output_padding: Any=0, groups: Any=1, bias: bool=True, dilation: Any=1) -> None: ...

class MaxPool3d(Module):
    """
    The largest value in each window; stride: by default the window's size.
    """

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self, kernel_size: Any, stride: Any=None, padding: Any=0, dilation: Any=1, ceil_mode: bool=False) -> None: ...

class AvgPool3d(Module):
    """The mean of each window; stride: by default the window's size."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self, kernel_size: Any, stride: Any=None, padding: Any=0, ceil_mode: bool=False, count_include_pad: bool=True) -> None: ...

class AdaptiveAvgPool3d(Module):
    """Means of windows, to a given size."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self, output_size: Any) -> None: ...

class AdaptiveMaxPool3d(Module):
    """Largest values of windows, to a given size."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self, output_size: Any) -> None: ...

class BatchNorm3d(Module):
    """
    Each channel (axis 1) normalized over all other axes; while not training, by the running statistics.
    """

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self, num_features: Any, eps: float=1e-05, momentum: float=0.1, affine: bool=True, track_running_stats: bool=True) -> None: ...

class InstanceNorm3d(Module):
    """Each channel of each sample normalized."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self, num_features: Any, eps: float=1e-05, momentum: float=0.1, affine: bool=False, track_running_stats: bool=False) -> None: ...

class GlobalAvgPool(Module):
    """The mean over everything behind the channels."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self) -> None: ...

class GlobalMaxPool(Module):
    """The largest value of everything behind the channels."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self) -> None: ...

class LayerNorm(Module):
    """Normalized over the last axes, which have this shape."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self, normalized_shape: Any, eps: float=1e-05, elementwise_affine: bool=True, bias: bool=True) -> None: ...

class RMSNorm(Module):
    """
    Divided by the root of the mean square over the last axes; eps: the dtype's when None.
    """

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self, normalized_shape: Any, eps: Any=None, elementwise_affine: bool=True) -> None: ...

class GroupNorm(Module):
    """Groups of channels (axis 1) of each sample normalized."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self, num_groups: Any, num_channels: Any, eps: float=1e-05, affine: bool=True) -> None: ...

class RNN(Module):
    """
    h' = nonlinearity(W x + b + U h + c), over [steps, batch, input_size], or [batch, steps, input_size] with batch_first.
    """

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike, hx: object | None=None) -> tuple[Any, ...]:
        """
        The last layer's hidden states, and the state after the last step. hx: the first state.
        """

    def __init__(self, input_size: Any, hidden_size: Any, num_layers: Any=1, nonlinearity: str='tanh', bias: bool=True, batch_first: bool=False, dropout: float=0.0, bidirectional: bool=False) -> None: ...

class LSTM(Module):
    """
    Long short-term memory, with gates i, f, g, o; the state is a pair (hidden, cell).
    """

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike, hx: object | None=None) -> tuple[Any, ...]:
        """
        The last layer's hidden states, and the state after the last step. hx: the first state.
        """

    def __init__(self, input_size: Any, hidden_size: Any, num_layers: Any=1, bias: bool=True, batch_first: bool=False, dropout: float=0.0, bidirectional: bool=False) -> None: ...

class GRU(Module):
    """Gated recurrent units, with gates r, z, n."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike, hx: object | None=None) -> tuple[Any, ...]:
        """
        The last layer's hidden states, and the state after the last step. hx: the first state.
        """

    def __init__(self, input_size: Any, hidden_size: Any, num_layers: Any=1, bias: bool=True, batch_first: bool=False, dropout: float=0.0, bidirectional: bool=False) -> None: ...

class RNNCell(Module):
    """
    One step of an RNN: x [batch, input_size] and a state [batch, hidden_size] give the next state.
    """

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike, hx: ArrayLike | None=None) -> EmberTensor:
        """The next state. hx: the previous state, by default zeros."""

    def __init__(self, input_size: Any, hidden_size: Any, bias: bool=True, nonlinearity: str='tanh') -> None: ...

class GRUCell(Module):
    """One step of a GRU, with gates r, z, n."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike, hx: ArrayLike | None=None) -> EmberTensor:
        """The next state. hx: the previous state, by default zeros."""

    def __init__(self, input_size: Any, hidden_size: Any, bias: bool=True) -> None: ...

class LSTMCell(Module):
    """
    One step of an LSTM, with gates i, f, g, o; the state is a pair (hidden, cell).
    """

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike, hx: object | None=None) -> tuple[Any, ...]:
        """The next state. hx: the previous state, by default zeros."""

    def __init__(self, input_size: Any, hidden_size: Any, bias: bool=True) -> None: ...

class NeuronMap:
    """
    Which neuron acts on which, and in which sense: +1 excites, -1 inhibits. The first `outputs` neurons give the output.
    """

    def __init__(self, inputs: int, units: int, outputs: int) -> None: ...

    @property
    def inputs(self) -> int: ...

    @property
    def units(self) -> int: ...

    @property
    def outputs(self) -> int: ...

    @property
    def synapse_count(self) -> int: ...

    @property
    def sensory_synapse_count(self) -> int: ...

    @property
    def layers(self) -> list[list[int]]:
        """Groups of neurons in the order of evaluation, the outputs last."""

    @layers.setter
    def layers(self, arg: Sequence[Sequence[int]], /) -> None: ...

    def add_synapse(self, src: int, dest: int, polarity: int) -> None:
        """A synapse between neurons."""

    def add_sensory_synapse(self, src: int, dest: int, polarity: int) -> None:
        """A synapse from an input."""

    def adjacency(self) -> EmberTensor:
        """[units, units]: polarities, from row to column."""

    def sensory_adjacency(self) -> EmberTensor:
        """[inputs, units]: polarities, from row to column."""

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[int, int, int, Sequence[tuple[int, int, int]], Sequence[tuple[int, int, int]], Sequence[Sequence[int]]], /) -> None: ...

def fully_connected_map(inputs: int, units: int, outputs: int | None=None, self_connections: bool=True, seed: int=1) -> NeuronMap:
    """Every neuron acts on every other, in random senses."""

def random_map(inputs: int, units: int, sparsity: float=0.5, outputs: int | None=None, self_connections: bool=True, seed: int=1) -> NeuronMap:
    """Random synapses; sparsity is the part left out."""

def ncp_map(inputs: int, inter_neurons: int, command_neurons: int, motor_neurons: int, sensory_fanout: int, inter_fanout: int, recurrent_command_synapses: int, motor_fanin: int, seed: int=1) -> NeuronMap:
    """
    A neural circuit policy: inputs to inter neurons to command neurons to motor neurons.
    """

def auto_ncp_map(inputs: int, units: int, outputs: int, sparsity: float=0.5, seed: int=1) -> NeuronMap:
    """
    A neural circuit policy whose numbers follow from units, outputs and sparsity.
    """

class LTC(Module):
    """
    A liquid time-constant network: neurons whose synapses are conductances. units: how many, or a NeuronMap.
    """

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike, hx: object | None=None, timespans: ArrayLike | None=None) -> tuple[Any, ...]:
        """
        The outputs of all steps, and the state after the last. hx: the first state; timespans: the time from each step to the next, 1 when left out.
        """

    def __init__(self, input_size: Any, units: Any, batch_first: bool=True, ode_unfolds: Any=6, epsilon: float=1e-08, input_affine: bool=True, output_affine: bool=True, implicit_constraints: bool=True, mixed_memory: bool=False) -> None: ...

class CfC(Module):
    """The closed form of a liquid network. units: how many, or a NeuronMap."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike, hx: object | None=None, timespans: ArrayLike | None=None) -> tuple[Any, ...]:
        """
        The outputs of all steps, and the state after the last. hx: the first state; timespans: the time from each step to the next, 1 when left out.
        """

    def __init__(self, input_size: Any, units: Any, batch_first: bool=True, mode: str='default', activation: str='lecun_tanh', backbone_units: Any=128, backbone_layers: Any=1, backbone_dropout: float=0.0, mixed_memory: bool=False) -> None: ...

class LTCCell(Module):
    """One step of an LTC: x [batch, inputs], state [batch, units]."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike, state: ArrayLike, elapsed: ArrayLike=1.0) -> tuple[Any, ...]:
        """The outputs and the next state, after the time elapsed."""

    def clamp(self) -> None:
        """Keeps capacities, leaks and weights positive."""

    def __init__(self, map: Any, batch_first: bool=True, ode_unfolds: Any=6, epsilon: float=1e-08, input_affine: bool=True, output_affine: bool=True, implicit_constraints: bool=True, mixed_memory: bool=False) -> None: ...

class WiredCfCCell(Module):
    """One step of a CfC for each layer of a map."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike, state: ArrayLike, elapsed: ArrayLike=1.0) -> tuple[Any, ...]:
        """The outputs and the next state, after the time elapsed."""

    def __init__(self, map: Any, batch_first: bool=True, mode: str='default', activation: str='lecun_tanh', backbone_units: Any=128, backbone_layers: Any=1, backbone_dropout: float=0.0, mixed_memory: bool=False) -> None: ...

class CfCCell(Module):
    """One step of a CfC."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike, state: ArrayLike, elapsed: ArrayLike=1.0) -> EmberTensor:
        """The next state, after the time elapsed."""

    def __init__(self, inputs: Any, units: Any, batch_first: bool=True, mode: str='default', activation: str='lecun_tanh', backbone_units: Any=128, backbone_layers: Any=1, backbone_dropout: float=0.0, mixed_memory: bool=False) -> None: ...

class MultiheadAttention(Module):
    """
    Each query sees the values whose keys are like it, in several heads side by side.
    """

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, query: ArrayLike, key: ArrayLike | None=None, value: ArrayLike | None=None, key_padding_mask: ArrayLike | None=None, need_weights: bool=True, attn_mask: ArrayLike | None=None, average_attn_weights: bool=True, is_causal: bool=False) -> tuple[Any, ...]:
        """
        The output, and the weights where asked for. In a bool mask, true is what must not be seen; other masks are added to the scores.
        """

    def __init__(self, embed_dim: Any, num_heads: Any, dropout: float=0.0, bias: bool=True, kdim: Any=None, vdim: Any=None, batch_first: bool=False) -> None: ...

class TransformerEncoderLayer(Module):
    """
    Self-attention, then a feed-forward network, each with a residual and a norm.
    """

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, src: ArrayLike, src_mask: ArrayLike | None=None, src_key_padding_mask: ArrayLike | None=None, is_causal: bool=False) -> EmberTensor:
        """The layer's output. A bool mask is true where a query must not attend."""

    def __init__(self, d_model: Any, nhead: Any, dim_feedforward: Any=2048, dropout: float=0.1, activation: str='relu', layer_norm_eps: float=1e-05, batch_first: bool=False, norm_first: bool=False, bias: bool=True) -> None: ...

class TransformerDecoderLayer(Module):
    """
    Self-attention, attention to a memory, a feed-forward network, each with a residual and a norm.
    """

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, tgt: ArrayLike, memory: ArrayLike, tgt_mask: ArrayLike | None=None, memory_mask: ArrayLike | None=None, tgt_key_padding_mask: ArrayLike | None=None, memory_key_padding_mask: ArrayLike | None=None, tgt_is_causal: bool=False, memory_is_causal: bool=False) -> EmberTensor:
        """The layer's output. A bool mask is true where a query must not attend."""

    def __init__(self, d_model: Any, nhead: Any, dim_feedforward: Any=2048, dropout: float=0.1, activation: str='relu', layer_norm_eps: float=1e-05, batch_first: bool=False, norm_first: bool=False, bias: bool=True) -> None: ...

class TransformerEncoder(Module):
    """Encoder layers one after the other."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, src: ArrayLike, mask: ArrayLike | None=None, src_key_padding_mask: ArrayLike | None=None, is_causal: bool=False) -> EmberTensor:
        """The layer's output. A bool mask is true where a query must not attend."""

    def __init__(self, encoder_layer: Any, num_layers: Any, norm: Any=None) -> None: ...

class TransformerDecoder(Module):
    """Decoder layers one after the other."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, tgt: ArrayLike, memory: ArrayLike, tgt_mask: ArrayLike | None=None, memory_mask: ArrayLike | None=None, tgt_key_padding_mask: ArrayLike | None=None, memory_key_padding_mask: ArrayLike | None=None, tgt_is_causal: bool=False, memory_is_causal: bool=False) -> EmberTensor:
        """The layer's output. A bool mask is true where a query must not attend."""

    def __init__(self, decoder_layer: Any, num_layers: Any, norm: Any=None) -> None: ...

class SinusoidalPositions(Module):
    """Adds sin and cos of the position in ever longer waves."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self, dim: Any, max_length: Any=5000, batch_first: bool=False) -> None: ...

class LearnedPositions(Module):
    """Adds a learned vector to each place."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self, dim: Any, max_length: Any, batch_first: bool=False) -> None: ...

class RotaryPositions(Module):
    """Turns pairs of features by angles that grow with the position."""

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike) -> EmberTensor:
        """The layer's output."""

    def __init__(self, base: float=10000.0, interleaved: bool=False) -> None: ...

def causal_mask(queries: int, keys: int | None=None) -> EmberTensor:
    """True where a query would see ahead, as attn_mask takes it."""

class Model(Layer):
    """
    Layers one after the other, the same mask for all. A subclass defines its own parts and forward.
    """

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike, mask: ArrayLike | None=None) -> EmberTensor:
        """
        The layer's output. mask [batch, steps]: true for what is real; what it leaves out is never seen and comes out as zeros.
        """

    def add(self, layer: object) -> None:
        """Appends a layer."""

    def __len__(self) -> int: ...

    def __init__(self, layers: Any=()) -> None: ...

class HybridModel(Model):
    """
    A channel mixer (mlp, gated_mlp), then a sequence mixer (attention, causal_attention, convolution, recurrent); both may be layers too.
    """

    def extra_repr(self) -> str:
        """The options in the printed form."""

    def forward(self, x: ArrayLike, mask: ArrayLike | None=None) -> EmberTensor:
        """
        The layer's output. mask [batch, steps]: true for what is real; what it leaves out is never seen and comes out as zeros.
        """

    def __init__(self, hidden_size: Any=0, channel_mixer: str='mlp', sequence_mixer: str='attention', num_heads: Any=1, dropout: float=0.0, residual: bool=False) -> None: ...
__all__: list[str] = ['AdaptiveAvgPool1d', 'AdaptiveAvgPool2d', 'AdaptiveAvgPool3d', 'AdaptiveMaxPool1d', 'AdaptiveMaxPool2d', 'AdaptiveMaxPool3d', 'AvgPool1d', 'AvgPool2d', 'AvgPool3d', 'BatchNorm1d', 'BatchNorm2d', 'BatchNorm3d', 'CELU', 'CfC', 'CfCCell', 'Conv1d', 'Conv2d', 'Conv3d', 'ConvTranspose1d', 'ConvTranspose2d', 'ConvTranspose3d', 'Dropout', 'ELU', 'Embedding', 'Flatten', 'GELU', 'GLU', 'GRU', 'GRUCell', 'GlobalAvgPool', 'GlobalMaxPool', 'GroupNorm', 'Hardsigmoid', 'Hardswish', 'HybridModel', 'Identity', 'InstanceNorm1d', 'InstanceNorm2d', 'InstanceNorm3d', 'LSTM', 'LSTMCell', 'LTC', 'LTCCell', 'LayerNorm', 'LeCunTanh', 'LeakyReLU', 'LearnedPositions', 'Linear', 'LoadReport', 'LogSigmoid', 'LogSoftmax', 'MaxPool1d', 'MaxPool2d', 'MaxPool3d', 'Mish', 'Model', 'Module', 'ModuleList', 'MultiheadAttention', 'NeuronMap', 'PReLU', 'RMSNorm', 'RNN', 'RNNCell', 'ReLU', 'ReLU6', 'RotaryPositions', 'SELU', 'Sequential', 'SiLU', 'Sigmoid', 'SinusoidalPositions', 'Softmax', 'Softplus', 'Softsign', 'Tanh', 'TransformerDecoder', 'TransformerDecoderLayer', 'TransformerEncoder', 'TransformerEncoderLayer', 'WiredCfCCell', 'auto_ncp_map', 'causal_mask', 'fully_connected_map', 'get_activation', 'ncp_map', 'random_map']
