"""Every op, under all its names. Each call runs on the current backend."""

from __future__ import annotations

from types import ModuleType as _ModuleType
from typing import Any

import ember_ml as _ember

from .. import linalg as linearalg
from .._compat import absent as _absent
from .._names import FUNCTIONS as _FUNCTIONS

globals().update(_FUNCTIONS)
globals().update(
    {
        _n: _v
        for _n, _v in vars(_ember).items()
        if not _n.startswith("_") and not isinstance(_v, _ModuleType)
    }
)

from . import activations, bitwise, random, stats  # noqa: E402

__all__ = [
    _name
    for _name in globals()
    if not _name.startswith("_") and _name not in ("annotations", "Any")
]


def __getattr__(name: str) -> Any:
    _absent.missing(__name__, name, _absent.TOP, __all__)
