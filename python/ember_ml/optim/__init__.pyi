# Written by tools/generate/stubs.py: run `make generate`.

import builtins
from collections.abc import Sequence
from typing import Any, SupportsIndex, overload

from ember_ml._core import ArrayLike, DType, DTypeLike, EmberTensor, Ints, Number, Tensors
from typing import (Any as _Any)
from ember_ml import (training as _training)
from ember_ml._compat.absent import (missing as _missing)
from ember_ml._compat.mlx import (clip_grad_norm as clip_grad_norm)
from ember_ml.optim import (lr_scheduler as lr_scheduler)
from ember_ml._core.training import (Adadelta as Adadelta, Adagrad as Adagrad, Adam as Adam, Adamax as Adamax, AdamW as AdamW, Lion as Lion,
    Optimizer as Optimizer, RMSprop as RMSprop, SGD as SGD)
__all__: list[str] = ['Adadelta', 'Adagrad', 'Adam', 'AdamW', 'Adamax', 'Lion', 'Optimizer', 'RMSprop', 'SGD', 'clip_grad_norm',
    'lr_scheduler']
