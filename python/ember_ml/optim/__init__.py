"""The optimizers of ember_ml.training, under torch's and MLX's path."""

from typing import Any as _Any

from .. import training as _training
from .._compat.absent import missing as _missing
from .._compat.mlx import clip_grad_norm
from . import lr_scheduler

_ADVICE = {
    "Adafactor": "use optim.Adam",
    "LBFGS": "use scipy.optimize.minimize with em.value_and_grad, or optim.AdamW",
    "Muon": "use optim.AdamW",
    "NAdam": "use optim.Adam",
    "RAdam": "use optim.AdamW with a warmup, such as optim.lr_scheduler.LinearLR",
    "cosine_decay": "use optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)",
    "exponential_decay": "use optim.lr_scheduler.ExponentialLR(optimizer, rate)",
    "join_schedules": "use optim.lr_scheduler.SequentialLR(optimizer, schedules, boundaries)",
    "linear_schedule": "use optim.lr_scheduler.LinearLR",
    "step_decay": "use optim.lr_scheduler.StepLR(optimizer, steps, rate)",
    "swa_utils": "average the tensors of net.state_dict()",
}
_NAMES = {
    n: v
    for n, v in vars(_training).items()
    if isinstance(v, type) and issubclass(v, _training.Optimizer)
}
globals().update(_NAMES)
__all__ = [*_NAMES, "clip_grad_norm", "lr_scheduler"]


def __getattr__(name: str) -> _Any:
    _missing(__name__, name, _ADVICE, __all__)
