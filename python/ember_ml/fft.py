"""Fourier transforms: the array API's extension, and the two-dimensional ones. Calling the module
calls fft.
"""

from __future__ import annotations

import sys as _sys
from types import ModuleType as _ModuleType
from typing import Any as _Any

from ._names import FUNCTIONS as _F

_NAMES = [n for n in _F if "fft" in n and n != "stft" and n != "istft"]
globals().update({n: _F[n] for n in _NAMES})
__all__ = _NAMES


class _Fft(_ModuleType):
    def __call__(self, *args: _Any, **kwargs: _Any) -> _Any:
        return _F["fft"](*args, **kwargs)


_sys.modules[__name__].__class__ = _Fft
