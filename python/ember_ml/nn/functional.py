"""The layers' functions: activations, convolutions, norms, attention, losses.

Those of torch.nn.functional have torch's arguments.
"""

from typing import Any as _Any

from .._compat.absent import NN as _ADVICE, missing as _missing
from .._compat.functional import *  # noqa: F403
from .._compat.functional import __all__ as _torchs
from .._core import training as _training
from .._names import named as _named, of_families as _of

_LOSSES = """
binary_cross_entropy binary_cross_entropy_with_logits cross_entropy ctc_loss gaussian_nll_loss hinge_embedding_loss kl_div
margin_ranking_loss multi_margin_loss multilabel_margin_loss multilabel_soft_margin_loss nll_loss poisson_nll_loss
smooth_l1_loss soft_margin_loss triplet_margin_loss
""".split()
_NAMES = _of("activations", "convolution", "normalization", "recurrent", "losses")
_NAMES |= _named(["sigmoid", "tanh", "embedding", "one_hot", "logsumexp"])
_NAMES |= {n: getattr(_training, n) for n in _LOSSES}
globals().update({n: f for n, f in _NAMES.items() if n not in _torchs})
__all__ = sorted({*_NAMES, *_torchs})


def __getattr__(name: str) -> _Any:
    _missing(__name__, name, _ADVICE, __all__)
