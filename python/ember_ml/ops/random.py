"""Random numbers: random.normal is ops.random_normal. NumPy's generators and JAX's keys are here
too.
"""

from typing import Any as _Any

from .._compat.absent import missing as _missing
from .._compat.random import (
    Generator,
    Key,
    PRNGKey,
    default_rng,
    dirichlet,
    fold_in,
    key,
    multivariate_normal,
    rand,
    randint,
    randn,
    random_sample,
    randperm,
    split,
    standard_normal,
)
from .._names import of_families as _of

_NAMES = _of("random")
_NAMES |= {_n.removeprefix("random_"): _f for _n, _f in _NAMES.items()}
globals().update(_NAMES)
random = random_sample
__all__ = [
    *_NAMES,
    "Generator",
    "Key",
    "PRNGKey",
    "default_rng",
    "dirichlet",
    "fold_in",
    "key",
    "multivariate_normal",
    "rand",
    "randint",
    "randn",
    "random",
    "random_sample",
    "randperm",
    "split",
    "standard_normal",
]
_ADVICE = {
    "RandomState": "use em.random.default_rng(seed)",
    "SeedGenerator": "use em.random.default_rng(seed)",
    "get_state": "use em.random.get_seed()",
    "state": "use em.random.get_seed() and em.random.seed(value)",
}


def __getattr__(name: str) -> _Any:
    _missing(__name__, name, _ADVICE, __all__)
