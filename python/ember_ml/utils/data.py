"""Data sets and loaders of ember_ml.training, under torch's path."""

from typing import Any as _Any

from .. import training as _training
from .._compat.absent import missing as _missing

_ADVICE = {
    "IterableDataset": "use training.Dataset, with __len__ and __getitem__",
    "Sampler": "use the shuffle= of DataLoader, or training.Dataset of chosen rows",
    "Subset": "use training.TensorDataset of chosen rows: x[indices]",
    "WeightedRandomSampler": "use em.random.choice(n, p=weights) to choose rows",
    "random_split": "use em.random.permutation(n) to choose rows",
}
_WORDS = ("Data", "Sampl", "Subset", "_split", "collate")
_NAMES = {n: getattr(_training, n) for n in _training.__all__ if any(word in n for word in _WORDS)}
globals().update(_NAMES)
__all__ = list(_NAMES)


def __getattr__(name: str) -> _Any:
    _missing(__name__, name, _ADVICE, __all__)
