"""Special functions under the names of SciPy and torch."""

from ._compat.torch import entr, logit, xlog1py, xlogy
from ._names import named as _named

_NAMES = _named(
    """digamma erf erfc erfinv exp2 expit expm1 gammaln lgamma log1p log_softmax logsumexp round sinc softmax""".split()
)
globals().update(_NAMES)
psi = _NAMES["digamma"]
__all__ = ["entr", "logit", "psi", "xlog1py", "xlogy", *_NAMES]
