"""Losses with the names and reductions of MLX's `nn.losses`: predictions first, and one number per
example unless a reduction is given.
"""

from __future__ import annotations

from typing import Any

from .. import ops
from .._core import EmberTensor, ValueError as EmberValueError, convert_to_tensor

__all__ = [
    "binary_cross_entropy",
    "cosine_similarity_loss",
    "cross_entropy",
    "hinge_loss",
    "huber_loss",
    "kl_div_loss",
    "l1_loss",
    "log_cosh_loss",
    "mse_loss",
    "nll_loss",
    "smooth_l1_loss",
    "triplet_loss",
]


def _reduce(loss: EmberTensor, reduction: str) -> EmberTensor:
    if reduction == "none":
        return loss
    if reduction not in ("mean", "sum"):
        raise EmberValueError(
            f"[losses] unknown reduction {reduction!r}; available: none, mean, sum"
        )
    result: EmberTensor = ops.mean(loss) if reduction == "mean" else ops.sum(loss)
    return result


def _same_shape(name: str, x: Any, y: Any) -> tuple[EmberTensor, EmberTensor]:
    x, y = convert_to_tensor(x), convert_to_tensor(y)
    if x.shape != y.shape:
        raise EmberValueError(f"[{name}] shapes differ: {list(x.shape)} and {list(y.shape)}")
    return x, y


def cross_entropy(
    logits: Any,
    targets: Any,
    weights: Any = None,
    axis: int = -1,
    label_smoothing: float = 0.0,
    reduction: str = "none",
) -> EmberTensor:
    """Cross entropy of logits, with classes or probabilities as targets."""
    log_p = ops.log_softmax(convert_to_tensor(logits), axis=axis)
    targets = convert_to_tensor(targets)
    if targets.ndim == log_p.ndim:
        loss = -ops.sum(log_p * targets, axis=axis)
    else:
        loss = nll_loss(log_p, targets, axis=axis)
    if label_smoothing:
        loss = (1 - label_smoothing) * loss - label_smoothing * ops.mean(log_p, axis=axis)
    if weights is not None:
        loss = loss * weights
    return _reduce(loss, reduction)


def nll_loss(inputs: Any, targets: Any, axis: int = -1, reduction: str = "none") -> EmberTensor:
    """Negative log probability of each class."""
    picked = ops.take_along_axis(inputs, ops.expand_dims(targets, axis=axis), axis=axis)
    return _reduce(-ops.squeeze(picked, axis=axis), reduction)


def binary_cross_entropy(
    inputs: Any,
    targets: Any,
    weights: Any = None,
    with_logits: bool = True,
    reduction: str = "mean",
) -> EmberTensor:
    """Binary cross entropy of logits; of probabilities if with_logits is false."""
    x, y = _same_shape("binary_cross_entropy", inputs, targets)
    if with_logits:
        loss = ops.softplus(x) - x * y
    else:
        loss = -(y * ops.maximum(ops.log(x), -100.0) + (1 - y) * ops.maximum(ops.log1p(-x), -100.0))
    if weights is not None:
        loss = loss * weights
    return _reduce(loss, reduction)


def mse_loss(predictions: Any, targets: Any, reduction: str = "mean") -> EmberTensor:
    """The squared difference."""
    x, y = _same_shape("mse_loss", predictions, targets)
    return _reduce(ops.square(x - y), reduction)


def l1_loss(predictions: Any, targets: Any, reduction: str = "mean") -> EmberTensor:
    """The absolute difference."""
    x, y = _same_shape("l1_loss", predictions, targets)
    return _reduce(ops.abs(x - y), reduction)


def smooth_l1_loss(
    predictions: Any, targets: Any, beta: float = 1.0, reduction: str = "mean"
) -> EmberTensor:
    """Quadratic below beta, linear above it."""
    x, y = _same_shape("smooth_l1_loss", predictions, targets)
    d = ops.abs(x - y)
    return _reduce(ops.where(d < beta, 0.5 * ops.square(d) / beta, d - 0.5 * beta), reduction)


def huber_loss(
    inputs: Any, targets: Any, delta: float = 1.0, reduction: str = "none"
) -> EmberTensor:
    """Quadratic below delta, linear with slope delta above it."""
    x, y = convert_to_tensor(inputs), convert_to_tensor(targets)
    d = ops.abs(x - y)
    return _reduce(ops.where(d <= delta, 0.5 * ops.square(d), delta * (d - 0.5 * delta)), reduction)


def log_cosh_loss(inputs: Any, targets: Any, reduction: str = "none") -> EmberTensor:
    """log(cosh(difference))."""
    d = convert_to_tensor(inputs) - convert_to_tensor(targets)
    return _reduce(ops.logaddexp(d, -d) - 0.6931471805599453, reduction)


def hinge_loss(inputs: Any, targets: Any, reduction: str = "none") -> EmberTensor:
    """max(0, 1 - input * target), with targets -1 and 1."""
    return _reduce(ops.relu(1 - convert_to_tensor(inputs) * convert_to_tensor(targets)), reduction)


def kl_div_loss(inputs: Any, targets: Any, axis: int = -1, reduction: str = "none") -> EmberTensor:
    """The Kullback-Leibler divergence of log-probabilities from target log-probabilities."""
    x, y = convert_to_tensor(inputs), convert_to_tensor(targets)
    return _reduce(ops.sum(ops.exp(y) * (y - x), axis=axis), reduction)


def cosine_similarity_loss(
    x1: Any, x2: Any, axis: int = 1, eps: float = 1e-8, reduction: str = "none"
) -> EmberTensor:
    """The cosine of the angle between vectors."""
    x, y = convert_to_tensor(x1), convert_to_tensor(x2)
    lengths = ops.sqrt(ops.sum(ops.square(x), axis=axis)) * ops.sqrt(
        ops.sum(ops.square(y), axis=axis)
    )
    return _reduce(ops.sum(x * y, axis=axis) / ops.maximum(lengths, eps), reduction)


def triplet_loss(
    anchors: Any,
    positives: Any,
    negatives: Any,
    axis: int = -1,
    p: int = 2,
    margin: float = 1.0,
    eps: float = 1e-6,
    reduction: str = "none",
) -> EmberTensor:
    """max(0, distance to the positive - distance to the negative + margin)."""
    a = convert_to_tensor(anchors)

    def distance(other: Any) -> Any:
        return ops.sum(ops.abs(a - convert_to_tensor(other)) ** p, axis=axis) + eps

    return _reduce(
        ops.relu(distance(positives) ** (1 / p) - distance(negatives) ** (1 / p) + margin),
        reduction,
    )
