# Written by tools/generate/stubs.py: run `make generate`.

import builtins
from collections.abc import Sequence
from typing import Any, SupportsIndex, overload

from ember_ml._core import ArrayLike, DType, DTypeLike, EmberTensor, Ints, Number, Tensors
import sys as _sys
from types import (ModuleType as _ModuleType)
from typing import (Any as _Any)
from ember_ml._names import (FUNCTIONS as _F)
from ember_ml.ops import (fft as fft, ifft as ifft, rfft as rfft, irfft as irfft, hfft as hfft, ihfft as ihfft, fftn as fftn, ifftn as
    ifftn, rfftn as rfftn, irfftn as irfftn, fft2 as fft2, ifft2 as ifft2, rfft2 as rfft2, irfft2 as irfft2, fftfreq as fftfreq, rfftfreq as
    rfftfreq, fftshift as fftshift, ifftshift as ifftshift)
from typing import TypeAlias
from ember_ml._core import DType as _DType_, EmberTensor as _EmberTensor_
import ember_ml.ops as _ops_
class _FftFunctions(type):
    fft = staticmethod(_ops_.fft)
    ifft = staticmethod(_ops_.ifft)
    rfft = staticmethod(_ops_.rfft)
    irfft = staticmethod(_ops_.irfft)
    hfft = staticmethod(_ops_.hfft)
    ihfft = staticmethod(_ops_.ihfft)
    fftn = staticmethod(_ops_.fftn)
    ifftn = staticmethod(_ops_.ifftn)
    rfftn = staticmethod(_ops_.rfftn)
    irfftn = staticmethod(_ops_.irfftn)
    fft2 = staticmethod(_ops_.fft2)
    ifft2 = staticmethod(_ops_.ifft2)
    rfft2 = staticmethod(_ops_.rfft2)
    irfft2 = staticmethod(_ops_.irfft2)
    fftfreq = staticmethod(_ops_.fftfreq)
    rfftfreq = staticmethod(_ops_.rfftfreq)
    fftshift = staticmethod(_ops_.fftshift)
    ifftshift = staticmethod(_ops_.ifftshift)
class _Fft(metaclass=_FftFunctions):
    def __new__(cls, *args: _Any, **kwargs: _Any) -> _Any:
        ...
__all__: list[str] = ['fft', 'fft2', 'fftfreq', 'fftn', 'fftshift', 'hfft', 'ifft', 'ifft2', 'ifftn', 'ifftshift', 'ihfft', 'irfft',
    'irfft2', 'irfftn', 'rfft', 'rfft2', 'rfftfreq', 'rfftn']
