"""Statistics: reductions, order, and functions of them."""

from .._compat.calculus import gradient
from .._names import of_families as _of

_NAMES = _of("reductions", "order", "statistics")
globals().update(_NAMES | {"gradient": gradient})
__all__ = list(_NAMES)
