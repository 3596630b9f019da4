# Written by tools/generate/stubs.py: run `make generate`.

import builtins
from collections.abc import Sequence
from typing import Any, SupportsIndex, overload

from ember_ml._core import ArrayLike, DType, DTypeLike, EmberTensor, Ints, Number, Tensors
from ember_ml import (training as _training)
from ember_ml._compat.absent import (getter as _getter)
from ember_ml._core.training import (CosineAnnealingLR as CosineAnnealingLR, CosineAnnealingWarmRestarts as CosineAnnealingWarmRestarts,
    ExponentialLR as ExponentialLR, LambdaLR as LambdaLR, LinearLR as LinearLR, MultiStepLR as MultiStepLR, OneCycleLR as OneCycleLR,
    ReduceLROnPlateau as ReduceLROnPlateau, Schedule as Schedule, SequentialLR as SequentialLR, StepLR as StepLR, Schedule as LRScheduler)
__all__: list[str] = ['CosineAnnealingLR', 'CosineAnnealingWarmRestarts', 'ExponentialLR', 'LRScheduler', 'LambdaLR', 'LinearLR',
    'MultiStepLR', 'OneCycleLR', 'ReduceLROnPlateau', 'Schedule', 'SequentialLR', 'StepLR']
