"""Statistics: reductions, order, and what is made of them."""
from .._names import of_families as _of

_NAMES = _of("reductions", "order", "statistics")
globals().update(_NAMES)
__all__ = list(_NAMES)
