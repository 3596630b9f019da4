"""Losses as modules with PyTorch's names, arguments and formulas: loss(predictions, targets)."""

from __future__ import annotations

from typing import Any, Callable

from .. import _core, ops
from .._core import EmberTensor
from .._core import training as _f
from .._core.nn import Module


class Loss(Module):
    """The base of losses: forward(y_pred, y_true); reduction is mean, sum or none."""

    def __init__(self, reduction: str = "mean") -> None:
        super().__init__()
        if reduction not in self._reductions:
            raise _core.ValueError(
                f"[{type(self).__name__}] reduction must be {', '.join(self._reductions[:-1])} or {self._reductions[-1]}, "
                f"not {reduction!r}"
            )
        self.reduction = reduction

    _reductions: tuple[str, ...] = ("mean", "sum", "none")

    def _weight(self, name: str, given: Any) -> None:
        self.register_buffer(name, None if given is None else ops.asarray(given))

    def forward(self, y_pred: Any, y_true: Any) -> EmberTensor:
        """The loss of predictions and targets."""
        raise _core.UnsupportedError(
            f"[{type(self).__name__}] a loss must define forward(y_pred, y_true)"
        )

    def extra_repr(self) -> str:
        """The options in the printed form."""
        return ", ".join(f"{k}={v!r}" for k, v in vars(self).items() if not k.startswith("_"))

    def per_example(self, y_pred: Any, y_true: Any) -> EmberTensor:
        """The loss of each example, whatever the reduction."""
        before, self.reduction = self.reduction, "none"
        try:
            each = self.forward(y_pred, y_true)
        finally:
            self.reduction = before
        return ops.mean(each.reshape((each.shape[0], -1)), axis=1) if each.ndim > 1 else each


class MSELoss(Loss):
    """The squared difference."""

    def forward(self, y_pred: Any, y_true: Any) -> EmberTensor:
        """The loss of predictions and targets."""
        return ops.mse_loss(y_pred, y_true, reduction=self.reduction)


class L1Loss(Loss):
    """The absolute difference."""

    def forward(self, y_pred: Any, y_true: Any) -> EmberTensor:
        """The loss of predictions and targets."""
        return ops.mae_loss(y_pred, y_true, reduction=self.reduction)


class HuberLoss(Loss):
    """d^2 / 2 for differences up to delta, linear above."""

    def __init__(self, reduction: str = "mean", delta: float = 1.0) -> None:
        super().__init__(reduction)
        self.delta = delta

    def forward(self, y_pred: Any, y_true: Any) -> EmberTensor:
        """The loss of predictions and targets."""
        return ops.huber_loss(y_pred, y_true, delta=self.delta, reduction=self.reduction)


class SmoothL1Loss(Loss):
    """d^2 / (2 beta) for differences below beta, d - beta / 2 above."""

    def __init__(self, reduction: str = "mean", beta: float = 1.0) -> None:
        super().__init__(reduction)
        self.beta = beta

    def forward(self, y_pred: Any, y_true: Any) -> EmberTensor:
        """The loss of predictions and targets."""
        return _f.smooth_l1_loss(y_pred, y_true, self.reduction, self.beta)


class _Weighted(Loss):
    """Its first argument is a weight, or, as in Ember ML, the reduction."""

    def __init__(self, weight: Any = None, reduction: str = "mean") -> None:
        if isinstance(weight, str):
            weight, reduction = None, weight
        super().__init__(reduction)
        self._weight("weight", weight)


class BCELoss(_Weighted):
    """Binary cross entropy of probabilities. weight: for the examples."""

    def forward(self, y_pred: Any, y_true: Any) -> EmberTensor:
        """The loss of predictions and targets."""
        return _f.binary_cross_entropy(y_pred, y_true, self.weight, self.reduction)


class BCEWithLogitsLoss(_Weighted):
    """Binary cross entropy of logits. weight: for the examples; pos_weight: for positive targets."""

    def __init__(self, weight: Any = None, reduction: str = "mean", pos_weight: Any = None) -> None:
        super().__init__(weight, reduction)
        self._weight("pos_weight", pos_weight)

    def forward(self, y_pred: Any, y_true: Any) -> EmberTensor:
        """The loss of predictions and targets."""
        return _f.binary_cross_entropy_with_logits(
            y_pred, y_true, self.weight, self.reduction, self.pos_weight
        )


class CrossEntropyLoss(_Weighted):
    """Cross entropy of logits, classes along axis 1, with target classes or probabilities; targets
    equal to ignore_index do not count. weight: for the classes.
    """

    def __init__(
        self,
        weight: Any = None,
        ignore_index: int = -100,
        reduction: str = "mean",
        label_smoothing: float = 0.0,
    ) -> None:
        super().__init__(weight, reduction)
        self.ignore_index, self.label_smoothing = ignore_index, label_smoothing

    def forward(self, y_pred: Any, y_true: Any) -> EmberTensor:
        """The loss of predictions and targets."""
        return _f.cross_entropy(
            y_pred, y_true, self.weight, self.ignore_index, self.reduction, self.label_smoothing
        )


class NLLLoss(_Weighted):
    """Negative log probability of the target class, classes along axis 1. weight: for the classes."""

    def __init__(
        self, weight: Any = None, ignore_index: int = -100, reduction: str = "mean"
    ) -> None:
        super().__init__(weight, reduction)
        self.ignore_index = ignore_index

    def forward(self, y_pred: Any, y_true: Any) -> EmberTensor:
        """The loss of predictions and targets."""
        return _f.nll_loss(y_pred, y_true, self.weight, self.ignore_index, self.reduction)


class KLDivLoss(Loss):
    """target * (log(target) - prediction), where prediction holds log probabilities; reduction may
    be batchmean.
    """

    _reductions = ("mean", "batchmean", "sum", "none")

    def __init__(self, reduction: str = "mean", log_target: bool = False) -> None:
        super().__init__(reduction)
        self.log_target = log_target

    def forward(self, y_pred: Any, y_true: Any) -> EmberTensor:
        """The loss of predictions and targets."""
        return _f.kl_div(y_pred, y_true, self.reduction, self.log_target)


class PoissonNLLLoss(Loss):
    """Negative log likelihood of counts, given the rate or its logarithm."""

    def __init__(
        self, log_input: bool = True, full: bool = False, eps: float = 1e-8, reduction: str = "mean"
    ) -> None:
        super().__init__(reduction)
        self.log_input, self.full, self.eps = log_input, full, eps

    def forward(self, y_pred: Any, y_true: Any) -> EmberTensor:
        """The loss of predictions and targets."""
        return _f.poisson_nll_loss(
            y_pred, y_true, self.log_input, self.full, self.eps, self.reduction
        )


class GaussianNLLLoss(Loss):
    """Negative log likelihood of a normal distribution with this mean and variance."""

    def __init__(self, full: bool = False, eps: float = 1e-6, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.full, self.eps = full, eps

    def forward(self, y_pred: Any, y_true: Any, var: Any = None) -> EmberTensor:
        """The loss of means, targets and variances."""
        if var is None:
            raise _core.DTypeError("[GaussianNLLLoss] needs the variances: loss(mean, target, var)")
        return _f.gaussian_nll_loss(y_pred, y_true, var, self.full, self.eps, self.reduction)


class _Margin(Loss):
    def __init__(self, margin: float = 0.0, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.margin = margin


class MarginRankingLoss(_Margin):
    """max(0, margin - target (x1 - x2)); targets are 1 and -1."""

    def forward(self, x1: Any, x2: Any, target: Any = None) -> EmberTensor:
        """The loss of two scores and targets."""
        return _f.margin_ranking_loss(x1, x2, target, self.margin, self.reduction)


class CosineEmbeddingLoss(_Margin):
    """1 - cosine of pairs whose target is 1, the cosine above margin of those whose target is -1."""

    def forward(self, x1: Any, x2: Any, target: Any = None) -> EmberTensor:
        """The loss of pairs of vectors and targets."""
        return ops.cosine_embedding_loss(
            x1, x2, target, margin=self.margin, reduction=self.reduction
        )


class HingeEmbeddingLoss(_Margin):
    """x where the target is 1, max(0, margin - x) where it is -1."""

    def __init__(self, margin: float = 1.0, reduction: str = "mean") -> None:
        super().__init__(margin, reduction)

    def forward(self, y_pred: Any, y_true: Any) -> EmberTensor:
        """The loss of distances and targets."""
        return _f.hinge_embedding_loss(y_pred, y_true, self.margin, self.reduction)


class SoftMarginLoss(Loss):
    """log(1 + exp(-target x)); targets are 1 and -1."""

    def forward(self, y_pred: Any, y_true: Any) -> EmberTensor:
        """The loss of scores and targets."""
        return _f.soft_margin_loss(y_pred, y_true, self.reduction)


class MultiMarginLoss(Loss):
    """The hinge loss of each class against the target class, averaged over the classes."""

    def __init__(
        self, p: float = 1, margin: float = 1.0, weight: Any = None, reduction: str = "mean"
    ) -> None:
        super().__init__(reduction)
        self.p, self.margin = p, margin
        self._weight("weight", weight)

    def forward(self, y_pred: Any, y_true: Any) -> EmberTensor:
        """The loss of scores and classes."""
        return _f.multi_margin_loss(
            y_pred, y_true, self.p, self.margin, self.weight, self.reduction
        )


class MultiLabelMarginLoss(Loss):
    """The multi-class hinge loss with several target classes: those of each row up to the first -1."""

    def forward(self, y_pred: Any, y_true: Any) -> EmberTensor:
        """The loss of scores and classes."""
        return _f.multilabel_margin_loss(y_pred, y_true, self.reduction)


class MultiLabelSoftMarginLoss(_Weighted):
    """Binary cross entropy of logits, averaged over the classes. weight: for the classes."""

    def forward(self, y_pred: Any, y_true: Any) -> EmberTensor:
        """The loss of logits and targets."""
        return _f.multilabel_soft_margin_loss(y_pred, y_true, self.weight, self.reduction)


class TripletMarginLoss(Loss):
    """max(0, |anchor - positive| - |anchor - negative| + margin)."""

    def __init__(
        self,
        margin: float = 1.0,
        p: float = 2.0,
        eps: float = 1e-6,
        swap: bool = False,
        reduction: str = "mean",
    ) -> None:
        super().__init__(reduction)
        self.margin, self.p, self.eps, self.swap = margin, p, eps, swap

    def forward(self, anchor: Any, positive: Any, negative: Any = None) -> EmberTensor:
        """The loss of three vectors."""
        return _f.triplet_margin_loss(
            anchor, positive, negative, self.margin, self.p, self.eps, self.swap, self.reduction
        )


class TripletMarginWithDistanceLoss(Loss):
    """The triplet margin loss with a custom distance."""

    def __init__(
        self,
        distance_function: Callable[[Any, Any], EmberTensor] | None = None,
        margin: float = 1.0,
        swap: bool = False,
        reduction: str = "mean",
    ) -> None:
        super().__init__(reduction)
        self.distance_function, self.margin, self.swap = distance_function, margin, swap

    def forward(self, anchor: Any, positive: Any, negative: Any = None) -> EmberTensor:
        """The loss of three vectors."""
        if self.distance_function is None:
            return _f.triplet_margin_loss(
                anchor, positive, negative, self.margin, swap=self.swap, reduction=self.reduction
            )
        apart = self.distance_function(anchor, negative)
        if self.swap:
            apart = ops.minimum(apart, self.distance_function(positive, negative))
        each = ops.maximum(self.distance_function(anchor, positive) - apart + self.margin, 0.0)
        return (
            ops.mean(each)
            if self.reduction == "mean"
            else ops.sum(each)
            if self.reduction == "sum"
            else each
        )


class CTCLoss(Loss):
    """Negative log probability of label sequences, summed over all alignments."""

    def __init__(
        self, blank: int = 0, reduction: str = "mean", zero_infinity: bool = False
    ) -> None:
        super().__init__(reduction)
        self.blank, self.zero_infinity = blank, zero_infinity

    def forward(
        self, log_probs: Any, targets: Any, input_lengths: Any = None, target_lengths: Any = None
    ) -> EmberTensor:
        """The loss of log_probs [steps, batch, classes] and targets [batch, length], with their
        lengths.
        """
        return _f.ctc_loss(
            log_probs,
            targets,
            input_lengths,
            target_lengths,
            self.blank,
            self.reduction,
            self.zero_infinity,
        )


__all__ = [
    "BCELoss",
    "BCEWithLogitsLoss",
    "CTCLoss",
    "CosineEmbeddingLoss",
    "CrossEntropyLoss",
    "GaussianNLLLoss",
    "HingeEmbeddingLoss",
    "HuberLoss",
    "KLDivLoss",
    "L1Loss",
    "Loss",
    "MSELoss",
    "MarginRankingLoss",
    "MultiLabelMarginLoss",
    "MultiLabelSoftMarginLoss",
    "MultiMarginLoss",
    "NLLLoss",
    "PoissonNLLLoss",
    "SmoothL1Loss",
    "SoftMarginLoss",
    "TripletMarginLoss",
    "TripletMarginWithDistanceLoss",
]
