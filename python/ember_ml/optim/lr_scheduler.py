"""The schedules of ember_ml.training, under torch's path."""

from .. import training as _training
from .._compat.absent import getter as _getter

_NAMES = {
    n: v
    for n, v in vars(_training).items()
    if isinstance(v, type) and issubclass(v, _training.Schedule)
}
globals().update(_NAMES)
__all__ = list(_NAMES)

__getattr__ = _getter(
    __name__,
    {
        name: "use optim.lr_scheduler.LambdaLR(optimizer, lambda count: factor)"
        for name in ("ConstantLR", "CyclicLR", "MultiplicativeLR", "PolynomialLR")
    },
    __all__,
)
