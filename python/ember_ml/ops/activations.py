"""Activation functions."""

from .._names import named as _named, of_families as _of

_NAMES = _of("activations") | _named(["sigmoid", "tanh"])
globals().update(_NAMES)
__all__ = list(_NAMES)
