"""The core's Trainer, which also accepts arrays."""

from __future__ import annotations

from typing import Any, Callable, Iterable, Mapping

from .. import _core, ops
from .._core import EmberTensor
from .._core import training as _t
from .data import DataLoader, IterableDataset
from .losses import Loss


class _Criterion:
    """The loss of a trainer, weighted by class during a fit with class weights."""

    def __init__(self, loss: Callable[..., Any], model: Any) -> None:
        self.loss, self.model = loss, model
        self.weights: EmberTensor | None = None

    def __call__(self, prediction: EmberTensor, target: EmberTensor) -> EmberTensor:
        if self.weights is None or not self.model.training:
            return self.loss(prediction, target)  # type: ignore[no-any-return]
        classes = target.reshape((target.shape[0], -1))[:, 0].astype("int64")
        last = self.weights.shape[0] - 1
        # A class without a weight has weight 1.
        of_each = ops.where(classes > last, 1.0, ops.take(self.weights, ops.minimum(classes, last)))
        return ops.mean(self.loss.per_example(prediction, target) * of_each)  # type: ignore[attr-defined]


class Trainer(_t.Trainer):
    """Trains a module: epochs, validation, metrics, accumulation, clipping, mixed precision,
    schedules, callbacks, exact resume.

    The last tensor of a batch is the target, those before it are the inputs; a batch of one tensor
    is both. loss(prediction, target) is any callable that returns one number as a tensor;
    forward(model, *inputs), if given, is called in place of model(*inputs). strategy, such as
    distributed.DataParallelStrategy(), trains on several processes.
    """

    def __init__(
        self,
        model: Any,
        optimizer: Any,
        loss: Any,
        *,
        accumulate: int = 1,
        clip_norm: float = 0.0,
        clip_value: float = 0.0,
        precision: Any = None,
        scaler: Any = None,
        schedule: Any = None,
        schedule_each_step: bool = False,
        schedule_metric: str = "",
        metrics: Iterable[Any] = (),
        forward: Any = None,
        strategy: Any = None,
    ) -> None:
        self._criterion = _Criterion(loss, model)
        super().__init__(
            model,
            optimizer,
            self._criterion if callable(loss) else loss,
            accumulate=accumulate,
            clip_norm=clip_norm,
            clip_value=clip_value,
            precision=precision,
            scaler=scaler,
            schedule=schedule,
            schedule_each_step=schedule_each_step,
            schedule_metric=schedule_metric,
            metrics=list(metrics),
            forward=forward,
            strategy=strategy,
        )

    def fit(  # type: ignore[override]
        self,
        data: Any,
        y: Any = None,
        epochs: int = 1,
        *,
        batch_size: int | None = None,
        validation: Any = None,
        validation_data: Any = None,
        validation_split: float = 0.0,
        shuffle: bool = True,
        seed: int = 0,
        verbose: int | bool = 0,
        class_weight: Mapping[int, float] | Any = None,
        callbacks: Iterable[Any] = (),
        resume: Any = None,
    ) -> dict[str, list[float]]:
        """Trains the model and returns the history, a list for each name.

        data: a loader, a dataset, or arrays x with targets y (x may be a tuple of several inputs),
        split into batches of batch_size (32) and shuffled by seed. validation_data: a loader or a
        pair (x, y); validation_split: the last fraction of the arrays instead. verbose: a line or a
        bar per epoch. class_weight: the weight of each class in the loss. resume: a checkpoint, or
        a folder with checkpoints, of which the newest is used; epochs count from the start of the
        interrupted fit.
        """
        if isinstance(data, _t.DataLoader) and isinstance(y, int):
            y, epochs = None, y
        if validation is not None and validation_data is not None:
            raise _core.ValueError(
                "[fit] validation and validation_data are the same argument: give one of them"
            )
        validation = validation_data if validation is None else validation
        x, y, held_out = _split(data, y, validation_split)
        if held_out is not None:
            if validation is not None:
                raise _core.ValueError(
                    "[fit] validation_split and validation_data cannot be combined"
                )
            validation = held_out
        loader = self._loader(x, y, batch_size, shuffle, seed)
        callbacks = list(callbacks) + ([_t.Progress()] if verbose else [])
        self._criterion.weights = None if class_weight is None else self._weights(class_weight)
        try:
            return super().fit(
                loader,
                epochs,
                validation=self._validation(validation, batch_size),
                callbacks=callbacks,
                resume=resume,
            )
        finally:
            self._criterion.weights = None

    def evaluate(
        self, data: Any, y: Any = None, *, batch_size: int | None = None
    ) -> dict[str, float]:
        """Loss and metrics of a loader, from the start of its first epoch, or of arrays x and y."""
        return super().evaluate(self._loader(data, y, batch_size, False, 0))

    def predict(self, data: Any, *, batch_size: int | None = None) -> EmberTensor:
        """The predictions for all examples of a loader, in order, or for an array or a tuple of them.

        Arrays are one batch unless batch_size is given.
        """
        if isinstance(data, _t.DataLoader):
            return super().predict(data)
        if isinstance(data, tuple) and all(map(_is_array, data)):
            inputs = [self._as_tensor(x) for x in data]
            # The last tensor of a batch is the target, which predict does not read.
            batches = _t.TensorDataset(*inputs, inputs[0])
            return super().predict(DataLoader(batches, batch_size or inputs[0].shape[0]))
        x = self._as_tensor(data)
        return super().predict(
            x if batch_size is None else DataLoader(_t.TensorDataset(x), batch_size)
        )

    def _as_tensor(self, array: Any) -> EmberTensor:
        """Converts floating-point arrays to the dtype of the model, because NumPy's float64 is
        rarely intended; integers are unchanged.
        """
        given = ops.asarray(array)
        own = next(
            (p.dtype for p in self.model.parameters() if ops.isdtype(p.dtype, "real floating")),
            given.dtype,
        )
        return (
            given.astype(own)
            if ops.isdtype(given.dtype, "real floating") and given.dtype != own
            else given
        )

    def _loader(self, x: Any, y: Any, batch_size: int | None, shuffle: bool, seed: int) -> Any:
        if isinstance(x, _t.DataLoader):
            if y is not None:
                raise _core.ValueError(
                    "[Trainer] y cannot be combined with a loader, whose batches contain the targets"
                )
            if batch_size is not None:
                raise _core.ValueError("[Trainer] batch_size cannot be combined with a loader")
            if isinstance(getattr(x, "dataset", None), IterableDataset):
                raise _core.ValueError(
                    "[Trainer] fit needs a dataset with a length, not an IterableDataset: collect its examples in a list"
                )
            return x
        if y is None and not _is_array(x) and not isinstance(x, tuple):
            return DataLoader(x, batch_size or 32, shuffle, seed=seed)
        inputs = x if isinstance(x, tuple) else (x,)
        tensors = [self._as_tensor(t) for t in (*inputs, *(() if y is None else (y,)))]
        return DataLoader(_t.TensorDataset(*tensors), batch_size or 32, shuffle, seed=seed)

    def _validation(self, given: Any, batch_size: int | None) -> Any:
        if given is None or isinstance(given, _t.DataLoader):
            return given
        x, y = given if isinstance(given, (tuple, list)) and len(given) == 2 else (given, None)
        return self._loader(x, y, batch_size, False, 0)

    def _weights(self, given: Any) -> EmberTensor:
        if not isinstance(self._criterion.loss, Loss):
            raise _core.ValueError(
                "[fit] class_weight needs a loss of ember_ml.training or ember_ml.nn, such as CrossEntropyLoss(), not "
                f"{getattr(self._criterion.loss, '__name__', type(self._criterion.loss).__name__)}"
            )
        if isinstance(given, Mapping):
            if not given or any(not isinstance(k, int) or k < 0 for k in given):
                raise _core.ValueError(
                    f"[fit] the keys of class_weight must be classes, integers from 0: {given!r}"
                )
            given = [float(given.get(c, 1.0)) for c in range(max(given) + 1)]
        return ops.asarray(given, dtype="float32")


def _is_array(x: Any) -> bool:
    """Whether x is a tensor or another library's array."""
    return isinstance(x, EmberTensor) or hasattr(x, "__array__")  # ember: allow


def _split(x: Any, y: Any, fraction: float) -> tuple[Any, Any, Any]:
    """x and y without their last part, and that part as a pair (x, y): `fraction` of the examples.
    The pair is None if the fraction is 0."""
    if not fraction:
        return x, y, None
    if not 0 < fraction < 1:
        raise _core.ValueError(f"[fit] validation_split must lie between 0 and 1, not {fraction}")
    if y is None:
        raise _core.ValueError(
            "[fit] validation_split needs arrays x and y; use random_split for a dataset"
        )
    several = isinstance(x, tuple)
    inputs = [ops.asarray(t) for t in (x if several else (x,))]
    target = ops.asarray(y)
    examples = target.shape[0]
    # 10 * (1 - 0.9) is less than 1 by rounding
    first_held = int(examples * (1 - fraction) + 1e-9)
    if first_held in (0, examples):
        raise _core.ValueError(
            f"[fit] validation_split {fraction} of {examples} examples leaves an empty part"
        )
    kept = [t[:first_held] for t in inputs]
    held = [t[first_held:] for t in inputs]
    return (
        (tuple(kept) if several else kept[0]),
        target[:first_held],
        ((tuple(held) if several else held[0]), target[first_held:]),
    )


__all__ = ["Trainer"]
