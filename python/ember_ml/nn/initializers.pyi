# Written by tools/stubs.py: run `make stubs`.

import builtins
from collections.abc import Sequence
from typing import Any, SupportsIndex, overload

from ember_ml._core import ArrayLike, DType, DTypeLike, EmberTensor, Ints, Number, Tensors
from typing import (Any as Any, Callable as Callable)
from ember_ml._core import (ValueError as ValueError)
from ember_ml._core.nn import (init as _init)
from ember_ml._core.nn.init import (__all__ as _names, calculate_gain as calculate_gain, constant as constant, constant_ as constant_,
    glorot_normal as glorot_normal, glorot_normal_ as glorot_normal_, glorot_uniform as glorot_uniform, glorot_uniform_ as glorot_uniform_,
    he_normal as he_normal, he_normal_ as he_normal_, he_uniform as he_uniform, he_uniform_ as he_uniform_, kaiming_normal as kaiming_normal,
    kaiming_normal_ as kaiming_normal_, kaiming_uniform as kaiming_uniform, kaiming_uniform_ as kaiming_uniform_, lecun_normal as lecun_normal,
    lecun_normal_ as lecun_normal_, lecun_uniform as lecun_uniform, lecun_uniform_ as lecun_uniform_, normal as normal, normal_ as normal_, ones
    as ones, ones_ as ones_, orthogonal as orthogonal, orthogonal_ as orthogonal_, random_normal as random_normal, random_uniform as
    random_uniform, trunc_normal_ as trunc_normal_, truncated_normal as truncated_normal, uniform as uniform, uniform_ as uniform_,
    xavier_normal as xavier_normal, xavier_normal_ as xavier_normal_, xavier_uniform as xavier_uniform, xavier_uniform_ as xavier_uniform_,
    zeros as zeros, zeros_ as zeros_)
__path__: list[str]
def get_initializer(name: str | Callable[..., Any]) -> Callable[..., Any]:
    """The function of a name such as 'glorot_uniform', which takes a shape; a function is returned as it is."""
__all__: list[str] = ['calculate_gain', 'constant', 'constant_', 'get_initializer', 'glorot_normal', 'glorot_normal_', 'glorot_uniform',
    'glorot_uniform_', 'he_normal', 'he_normal_', 'he_uniform', 'he_uniform_', 'kaiming_normal', 'kaiming_normal_', 'kaiming_uniform',
    'kaiming_uniform_', 'lecun_normal', 'lecun_normal_', 'lecun_uniform', 'lecun_uniform_', 'normal', 'normal_', 'ones', 'ones_', 'orthogonal',
    'orthogonal_', 'random_normal', 'random_uniform', 'trunc_normal_', 'truncated_normal', 'uniform', 'uniform_', 'xavier_normal',
    'xavier_normal_', 'xavier_uniform', 'xavier_uniform_', 'zeros', 'zeros_']
