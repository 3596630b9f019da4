"""The optimizers of ember_ml.training, where torch's and MLX's users look for them."""
from typing import Any as _Any

from .. import training as _training
from .._compat.absent import missing as _missing
from . import lr_scheduler

_NAMES = {n: v for n, v in vars(_training).items() if n in _training.__all__ and isinstance(v, type) and issubclass(v, _training.Optimizer)}
globals().update(_NAMES)
__all__ = [*_NAMES, "lr_scheduler"]


def __getattr__(name: str) -> _Any:
    _missing(__name__, name, {"swa_utils": "use em.lerp of net.state_dict() and its mean"}, __all__)
