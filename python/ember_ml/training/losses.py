"""Losses as objects: an op and its options, to be called with predictions and targets."""
from __future__ import annotations

from typing import Any

from .. import _core, ops

EmberTensor = _core.EmberTensor


class Loss:
    """The base: forward(y_pred, y_true) gives the loss; reduction is mean, sum or none."""

    def __init__(self, reduction: str = "mean") -> None:
        if reduction not in ("mean", "sum", "none"):
            raise _core.ValueError(f"[{type(self).__name__}] reduction must be mean, sum or none, not {reduction!r}")
        self.reduction = reduction

    def forward(self, y_pred: Any, y_true: Any) -> EmberTensor:
        raise _core.UnsupportedError(f"[{type(self).__name__}] a loss has to define forward(y_pred, y_true)")

    def __call__(self, y_pred: Any, y_true: Any) -> EmberTensor:
        return self.forward(y_pred, y_true)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in vars(self).items())})"


class MSELoss(Loss):
    """The mean of squared differences."""

    def forward(self, y_pred: Any, y_true: Any) -> EmberTensor:
        return ops.mse_loss(y_pred, y_true, reduction=self.reduction)


class L1Loss(Loss):
    """The mean of absolute differences."""

    def forward(self, y_pred: Any, y_true: Any) -> EmberTensor:
        return ops.mae_loss(y_pred, y_true, reduction=self.reduction)


class HuberLoss(Loss):
    """Squares of small differences, absolute values of those above delta."""

    def __init__(self, reduction: str = "mean", delta: float = 1.0) -> None:
        super().__init__(reduction)
        self.delta = delta

    def forward(self, y_pred: Any, y_true: Any) -> EmberTensor:
        return ops.huber_loss(y_pred, y_true, delta=self.delta, reduction=self.reduction)


class BCELoss(Loss):
    """The cross entropy of probabilities of yes."""

    def forward(self, y_pred: Any, y_true: Any) -> EmberTensor:
        return ops.binary_cross_entropy(y_pred, y_true, reduction=self.reduction)


class BCEWithLogitsLoss(Loss):
    """The cross entropy of logits of yes."""

    def forward(self, y_pred: Any, y_true: Any) -> EmberTensor:
        return ops.binary_cross_entropy(y_pred, y_true, from_logits=True, reduction=self.reduction)


class CrossEntropyLoss(Loss):
    """Of logits whose classes lie along axis 1, and classes or probabilities; targets that are ignore_index do not count."""

    def __init__(self, reduction: str = "mean", ignore_index: int = -100, label_smoothing: float = 0.0) -> None:
        super().__init__(reduction)
        self.ignore_index = ignore_index
        self.label_smoothing = label_smoothing

    def forward(self, y_pred: Any, y_true: Any) -> EmberTensor:
        return _core.training.cross_entropy(y_pred, y_true, self.reduction, self.ignore_index, self.label_smoothing)
