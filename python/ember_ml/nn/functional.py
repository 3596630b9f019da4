"""The layers' functions: activations, convolutions, norms, attention, losses; those of torch.nn.functional with torch's arguments."""
from typing import Any as _Any

from .._compat.absent import NN as _ADVICE, missing as _missing
from .._compat.functional import *  # noqa: F403
from .._compat.functional import __all__ as _torchs
from .._names import named as _named, of_families as _of

_NAMES = _of("activations", "convolution", "normalization", "recurrent", "losses")
_NAMES |= _named(["sigmoid", "tanh", "embedding", "one_hot", "logsumexp"])
globals().update({n: f for n, f in _NAMES.items() if n not in _torchs})
__all__ = sorted({*_NAMES, *_torchs})


def __getattr__(name: str) -> _Any:
    _missing(__name__, name, _ADVICE, __all__)
