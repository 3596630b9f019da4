"""JAX's scipy: linalg and special are Ember's modules, stats has the densities that JAX's programs
use.

SciPy itself takes tensors too.
"""

from typing import Any as _Any

from .. import linalg, special
from .._compat.absent import missing as _missing
from . import stats

_ADVICE = {
    "fft": "use em.fft",
    "integrate": "use em.trapezoid, or scipy.integrate",
    "interpolate": "use em.interp, or scipy.interpolate",
    "ndimage": "use scipy.ndimage, which takes tensors",
    "optimize": "use scipy.optimize with em.value_and_grad, or an optimizer of em.optim",
    "signal": "use em.convolve and em.conv2d, or scipy.signal, which takes tensors",
    "spatial": "use em.cdist, or scipy.spatial",
}
__all__ = ["linalg", "special", "stats"]


def __getattr__(name: str) -> _Any:
    _missing(__name__, name, _ADVICE, __all__)
