# Written by tools/generate/stubs.py: run `make generate`.

import builtins
from collections.abc import Sequence
from typing import Any, SupportsIndex, overload

from ember_ml._core import ArrayLike, DType, DTypeLike, EmberTensor, Ints, Number, Tensors
from ember_ml._compat.torch import (entr as entr, logit as logit, xlog1py as xlog1py, xlogy as xlogy)
from ember_ml._names import (named as _named)
from ember_ml.ops import (digamma as digamma, erf as erf, erfc as erfc, erfinv as erfinv, exp2 as exp2, expit as expit, expm1 as expm1,
    gammaln as gammaln, lgamma as lgamma, log1p as log1p, log_softmax as log_softmax, logsumexp as logsumexp, round as round, sinc as sinc,
    softmax as softmax, digamma as psi)
__all__: list[str] = ['digamma', 'entr', 'erf', 'erfc', 'erfinv', 'exp2', 'expit', 'expm1', 'gammaln', 'lgamma', 'log1p', 'log_softmax',
    'logit', 'logsumexp', 'psi', 'round', 'sinc', 'softmax', 'xlog1py', 'xlogy']
