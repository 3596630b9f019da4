# Written by tools/generate/stubs.py: run `make generate`.

import builtins
from collections.abc import Sequence
from typing import Any, SupportsIndex, overload

from ember_ml._core import ArrayLike, DType, DTypeLike, EmberTensor, Ints, Number, Tensors
import functools
from collections.abc import (Callable as Callable, Sequence as Sequence)
from typing import (Any as Any)
from ember_ml._compat.random import (Key as Key)
from ember_ml._core import (EmberTensor as EmberTensor, ValueError as ValueError, functions as _f)
from ember_ml._core.nn import (init as _init)
from ember_ml._core.nn.init import (__all__ as _core_names, calculate_gain as calculate_gain, constant_ as constant_, glorot_normal_ as
    glorot_normal_, glorot_uniform_ as glorot_uniform_, he_normal_ as he_normal_, he_uniform_ as he_uniform_, kaiming_normal_ as
    kaiming_normal_, kaiming_uniform_ as kaiming_uniform_, lecun_normal_ as lecun_normal_, lecun_uniform_ as lecun_uniform_, normal_ as normal_,
    ones_ as ones_, orthogonal_ as orthogonal_, trunc_normal_ as trunc_normal_, uniform_ as uniform_, xavier_normal_ as xavier_normal_,
    xavier_uniform_ as xavier_uniform_, zeros_ as zeros_)
__path__: list[str]
def constant(value: Any=None, shape: Any=None, *, dtype: Any=None, device: Any=None) -> Any:
    """constant(value, shape), in either order; without a shape, a function of the shape."""
def binomial(shape: Any=None, probability: float=0.5, seed: int | None=None, dtype: Any=None) -> Any:
    """Ones with this probability, else zeros; without a shape, a function of the shape."""
class BinomialInitializer:
    """A function of the shape: ones with this probability, else zeros, drawn with a seed."""

    def __init__(self, probability: float=0.5, seed: int | None=None) -> None: ...

    def __call__(self, shape: Any, dtype: Any=None) -> EmberTensor: ...

    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments."""
def get_initializer(name: str | Callable[..., Any]) -> Callable[..., Any]:
    """The initializer with a name such as 'glorot_uniform', a function of the shape; a function is
    returned unchanged.
    """
glorot_normal: builtins.function
glorot_uniform: builtins.function
he_normal: builtins.function
he_uniform: builtins.function
kaiming_normal: builtins.function
kaiming_uniform: builtins.function
lecun_normal: builtins.function
lecun_uniform: builtins.function
normal: builtins.function
ones: builtins.function
orthogonal: builtins.function
random_normal: builtins.function
random_uniform: builtins.function
truncated_normal: builtins.function
uniform: builtins.function
xavier_normal: builtins.function
xavier_uniform: builtins.function
zeros: builtins.function
__all__: list[str] = ['BinomialInitializer', 'binomial', 'calculate_gain', 'constant', 'constant_', 'get_initializer', 'glorot_normal',
    'glorot_normal_', 'glorot_uniform', 'glorot_uniform_', 'he_normal', 'he_normal_', 'he_uniform', 'he_uniform_', 'kaiming_normal',
    'kaiming_normal_', 'kaiming_uniform', 'kaiming_uniform_', 'lecun_normal', 'lecun_normal_', 'lecun_uniform', 'lecun_uniform_', 'normal',
    'normal_', 'ones', 'ones_', 'orthogonal', 'orthogonal_', 'random_normal', 'random_uniform', 'trunc_normal_', 'truncated_normal', 'uniform',
    'uniform_', 'xavier_normal', 'xavier_normal_', 'xavier_uniform', 'xavier_uniform_', 'zeros', 'zeros_']
