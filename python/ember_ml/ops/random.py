"""Random numbers: random.normal is ops.random_normal."""
from .._names import of_families as _of

_NAMES = _of("random")
_NAMES |= {_n.removeprefix("random_"): _f for _n, _f in _NAMES.items()}
globals().update(_NAMES)
__all__ = list(_NAMES)
