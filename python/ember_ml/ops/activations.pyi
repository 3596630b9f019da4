# Written by tools/generate/stubs.py: run `make generate`.

import builtins
from collections.abc import Sequence
from typing import Any, SupportsIndex, overload

from ember_ml._core import ArrayLike, DType, DTypeLike, EmberTensor, Ints, Number, Tensors
from ember_ml._names import (named as _named, of_families as _of)
from ember_ml.ops import (relu as relu, relu6 as relu6, hard_sigmoid as hard_sigmoid, softmax as softmax, log_softmax as log_softmax,
    softplus as softplus, softsign as softsign, gelu as gelu, silu as silu, elu as elu, selu as selu, celu as celu, leaky_relu as leaky_relu,
    prelu as prelu, mish as mish, hardswish as hardswish, hardtanh as hardtanh, threshold as threshold, linear as linear, glu as glu, tanhshrink
    as tanhshrink, hardshrink as hardshrink, softshrink as softshrink, logsigmoid as logsigmoid, swish as swish, hard_tanh as hard_tanh,
    hard_swish as hard_swish, log_sigmoid as log_sigmoid, sigmoid as sigmoid, tanh as tanh)
__all__: list[str] = ['celu', 'elu', 'gelu', 'glu', 'hard_sigmoid', 'hard_swish', 'hard_tanh', 'hardshrink', 'hardswish', 'hardtanh',
    'leaky_relu', 'linear', 'log_sigmoid', 'log_softmax', 'logsigmoid', 'mish', 'prelu', 'relu', 'relu6', 'selu', 'sigmoid', 'silu', 'softmax',
    'softplus', 'softshrink', 'softsign', 'swish', 'tanh', 'tanhshrink', 'threshold']
