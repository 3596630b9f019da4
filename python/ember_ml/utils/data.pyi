# Written by tools/generate/stubs.py: run `make generate`.

import builtins
from collections.abc import Sequence
from typing import Any, SupportsIndex, overload

from ember_ml._core import ArrayLike, DType, DTypeLike, EmberTensor, Ints, Number, Tensors
from typing import (Any as _Any)
from ember_ml import (training as _training)
from ember_ml._compat.absent import (missing as _missing)
from ember_ml.training.data import (BatchSampler as BatchSampler, ConcatDataset as ConcatDataset, DataLoader as DataLoader, IterableDataset
    as IterableDataset, RandomSampler as RandomSampler, Sampler as Sampler, SequentialSampler as SequentialSampler, SubsetRandomSampler as
    SubsetRandomSampler, WeightedRandomSampler as WeightedRandomSampler, random_split as random_split)
from ember_ml._core.training import (Dataset as Dataset, Subset as Subset, TensorDataset as TensorDataset)
__all__: list[str] = ['BatchSampler', 'ConcatDataset', 'DataLoader', 'Dataset', 'IterableDataset', 'RandomSampler', 'Sampler',
    'SequentialSampler', 'Subset', 'SubsetRandomSampler', 'TensorDataset', 'WeightedRandomSampler', 'random_split']
