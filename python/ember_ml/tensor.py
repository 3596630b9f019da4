"""Tensors: tensor([1, 2, 3]) creates one; the module has functions that create, convert and move
tensors.
"""

from __future__ import annotations

import sys as _sys
from types import ModuleType as _ModuleType
from typing import Any

import ember_ml as _ember

from ember_ml._core import DType as EmberDType, EmberTensor
from ember_ml._more import _convert_to_backend_tensor
from ember_ml.interfaces import DTypeInterface, TensorInterface

__path__: list[str] = []  # so that tensor.common and its kin can be imported: _aliases knows them
globals().update(
    {
        _n: _v
        for _n, _v in vars(_ember).items()
        if not _n.startswith("_") and not isinstance(_v, _ModuleType)
    }
)
slice = globals()["slice_tensor"]  # takes starts and sizes; ops.slice takes starts and stops
integer, floating = int, float  # the types of item()

__all__ = [
    _name
    for _name in globals()
    if not _name.startswith("_") and _name not in ("annotations", "Any")
]


class _Tensor(_ModuleType):
    def __call__(
        self,
        data: Any,
        dtype: Any = None,
        device: str | None = None,
        requires_grad: bool | None = None,
    ) -> EmberTensor:
        """A tensor of numbers, lists or another library's array; a tensor that needs no change is
        returned unchanged.
        """
        return _ember.convert_to_tensor(data, dtype, device, requires_grad)


_sys.modules[__name__].__class__ = _Tensor


def __getattr__(name: str) -> Any:
    raise AttributeError(f"module 'ember_ml.tensor' has no attribute {name!r}")
