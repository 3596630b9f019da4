"""The layers' functions: activations, convolutions, norms, attention, losses."""
from .._names import named as _named, of_families as _of

_NAMES = _of("activations", "convolution", "normalization", "recurrent", "losses") | _named(["sigmoid", "tanh", "embedding", "one_hot", "pad"])
globals().update(_NAMES)
__all__ = list(_NAMES)
