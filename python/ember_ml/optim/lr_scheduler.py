"""The schedules of ember_ml.training, under torch's path."""

from .. import training as _training

_NAMES = {
    n: v
    for n, v in vars(_training).items()
    if isinstance(v, type) and issubclass(v, _training.Schedule)
}
globals().update(_NAMES)
__all__ = list(_NAMES)
