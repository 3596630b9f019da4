"""Probability distributions under torch's names: samples, log-probabilities, entropies,
divergences.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from . import ops
from ._core import EmberTensor, DTypeError, UnsupportedError, convert_to_tensor

__all__ = ["Bernoulli", "Categorical", "Distribution", "Normal", "Uniform", "kl_divergence"]

Size = int | Sequence[int]


def _shape(sample_shape: Size) -> tuple[int, ...]:
    return (sample_shape,) if isinstance(sample_shape, int) else tuple(sample_shape)


def _pair(a: Any, b: Any) -> tuple[EmberTensor, EmberTensor]:
    """Two tensors broadcast to one shape; integers become floats."""
    a, b = ops.broadcast_arrays(convert_to_tensor(a) * 1.0, convert_to_tensor(b) * 1.0)
    return a, b


class Distribution:
    """The base of all distributions. batch_shape is the shape of the parameters."""

    batch_shape: tuple[int, ...] = ()

    @property
    def mean(self) -> EmberTensor:
        """The expected value."""
        raise NotImplementedError

    @property
    def variance(self) -> EmberTensor:
        """The variance."""
        raise NotImplementedError

    @property
    def stddev(self) -> EmberTensor:
        """The standard deviation."""
        return ops.sqrt(self.variance)

    def rsample(self, sample_shape: Size = ()) -> EmberTensor:
        """Samples of shape sample_shape + batch_shape that are differentiable with respect to the
        parameters.
        """
        raise UnsupportedError(
            f"[{type(self).__name__}] samples of integers have no gradient: use log_prob"
        )

    def sample(self, sample_shape: Size = ()) -> EmberTensor:
        """Samples of shape sample_shape + batch_shape without a gradient."""
        return self.rsample(sample_shape).detach()

    def log_prob(self, value: Any) -> EmberTensor:
        """The logarithm of the probability or density at value."""
        raise NotImplementedError

    def entropy(self) -> EmberTensor:
        """The entropy: the expected value of -log_prob."""
        raise NotImplementedError


class Normal(Distribution):
    """The normal distribution with mean loc and standard deviation scale."""

    def __init__(self, loc: Any, scale: Any) -> None:
        self.loc, self.scale = _pair(loc, scale)
        self.batch_shape = self.loc.shape

    @property
    def mean(self) -> EmberTensor:
        """loc."""
        return self.loc

    @property
    def variance(self) -> EmberTensor:
        """The square of scale."""
        return ops.square(self.scale)

    def rsample(self, sample_shape: Size = ()) -> EmberTensor:
        """loc + scale * noise."""
        noise = ops.random_normal((*_shape(sample_shape), *self.batch_shape), dtype=self.loc.dtype)
        return self.loc + self.scale * noise

    def log_prob(self, value: Any) -> EmberTensor:
        """The logarithm of the density at value."""
        z = (convert_to_tensor(value) - self.loc) / self.scale
        return -0.5 * ops.square(z) - ops.log(self.scale) - 0.5 * math.log(2 * math.pi)

    def cdf(self, value: Any) -> EmberTensor:
        """The cumulative distribution function at value."""
        return 0.5 * (
            1 + ops.erf((convert_to_tensor(value) - self.loc) / (self.scale * math.sqrt(2)))
        )

    def entropy(self) -> EmberTensor:
        """The entropy: the expected value of -log_prob."""
        return ops.log(self.scale) + 0.5 + 0.5 * math.log(2 * math.pi)


class Uniform(Distribution):
    """The uniform distribution on [low, high)."""

    def __init__(self, low: Any, high: Any) -> None:
        self.low, self.high = _pair(low, high)
        self.batch_shape = self.low.shape

    @property
    def mean(self) -> EmberTensor:
        """(low + high) / 2."""
        return (self.low + self.high) / 2

    @property
    def variance(self) -> EmberTensor:
        """(high - low)^2 / 12."""
        return ops.square(self.high - self.low) / 12

    def rsample(self, sample_shape: Size = ()) -> EmberTensor:
        """low + (high - low) * noise."""
        noise = ops.random_uniform((*_shape(sample_shape), *self.batch_shape), dtype=self.low.dtype)
        return self.low + (self.high - self.low) * noise

    def log_prob(self, value: Any) -> EmberTensor:
        """The logarithm of the density at value; -inf outside [low, high)."""
        x = convert_to_tensor(value)
        inside = ops.logical_and(x >= self.low, x < self.high)
        return ops.where(inside, -ops.log(self.high - self.low), -math.inf)

    def entropy(self) -> EmberTensor:
        """log(high - low)."""
        return ops.log(self.high - self.low)


class Bernoulli(Distribution):
    """1 with a probability, else 0; give either probs or logits."""

    def __init__(self, probs: Any = None, logits: Any = None) -> None:
        if (probs is None) == (logits is None):
            raise DTypeError("[Bernoulli] takes either probs or logits")
        if logits is None:
            p = convert_to_tensor(probs) * 1.0
            self.logits = ops.log(p) - ops.log1p(-p)
        else:
            self.logits = convert_to_tensor(logits) * 1.0
        self.probs = ops.sigmoid(self.logits) if logits is not None else p
        self.batch_shape = self.logits.shape

    @property
    def mean(self) -> EmberTensor:
        """The probability of 1."""
        return self.probs

    @property
    def variance(self) -> EmberTensor:
        """p (1 - p)."""
        return self.probs * (1 - self.probs)

    def sample(self, sample_shape: Size = ()) -> EmberTensor:
        """0 and 1, as floats."""
        shape = (*_shape(sample_shape), *self.batch_shape)
        noise = ops.random_uniform(shape, dtype=self.probs.dtype)
        return ops.astype(noise < self.probs.detach(), self.probs.dtype)

    def log_prob(self, value: Any) -> EmberTensor:
        """The logarithm of the probability of 0 or 1."""
        return convert_to_tensor(value) * self.logits - ops.softplus(self.logits)

    def entropy(self) -> EmberTensor:
        """The entropy: the expected value of -log_prob."""
        return ops.softplus(self.logits) - self.probs * self.logits


class Categorical(Distribution):
    """Classes 0 to n - 1; the last axis of probs or logits has one number for each."""

    def __init__(self, probs: Any = None, logits: Any = None) -> None:
        if (probs is None) == (logits is None):
            raise DTypeError("[Categorical] takes either probs or logits")
        if logits is None:
            p = convert_to_tensor(probs) * 1.0
            self.probs = p / ops.sum(p, axis=-1, keepdims=True)
            self.logits = ops.log(self.probs)
        else:
            self.logits = ops.log_softmax(convert_to_tensor(logits) * 1.0, axis=-1)
            self.probs = ops.exp(self.logits)
        self.batch_shape = self.logits.shape[:-1]

    @property
    def mean(self) -> EmberTensor:
        """NaN: classes are not numbers."""
        return ops.full(self.batch_shape, math.nan)

    @property
    def variance(self) -> EmberTensor:
        """NaN: classes are not numbers."""
        return ops.full(self.batch_shape, math.nan)

    def sample(self, sample_shape: Size = ()) -> EmberTensor:
        """Samples of classes."""
        shape = (*_shape(sample_shape), *self.batch_shape)
        noise = ops.random_uniform((*shape, 1), dtype=self.probs.dtype)
        below = ops.cumulative_sum(self.probs.detach(), axis=-1) <= noise
        classes = ops.sum(ops.astype(below, "int64"), axis=-1)
        return ops.minimum(classes, self.probs.shape[-1] - 1)

    def log_prob(self, value: Any) -> EmberTensor:
        """The logarithm of the probability of each class."""
        value = convert_to_tensor(value)
        shape = ops.broadcast_shapes(value.shape, self.batch_shape)
        places = ops.expand_dims(ops.broadcast_to(value, shape), axis=-1)
        logits = ops.broadcast_to(self.logits, (*shape, self.logits.shape[-1]))
        return ops.squeeze(ops.take_along_axis(logits, places, axis=-1), axis=-1)

    def entropy(self) -> EmberTensor:
        """The entropy: the expected value of -log_prob."""
        return -ops.sum(ops.where(self.probs > 0, self.probs * self.logits, 0.0), axis=-1)


def kl_divergence(p: Distribution, q: Distribution) -> EmberTensor:
    """The Kullback-Leibler divergence: the expected value under p of log p - log q."""
    if isinstance(p, Normal) and isinstance(q, Normal):
        ratio = ops.square(p.scale / q.scale)
        return 0.5 * (ratio + ops.square((p.loc - q.loc) / q.scale) - 1 - ops.log(ratio))
    if isinstance(p, Categorical) and isinstance(q, Categorical):
        return ops.sum(ops.where(p.probs > 0, p.probs * (p.logits - q.logits), 0.0), axis=-1)
    if isinstance(p, Bernoulli) and isinstance(q, Bernoulli):
        return p.probs * (p.logits - q.logits) + ops.softplus(q.logits) - ops.softplus(p.logits)
    raise UnsupportedError(
        f"[kl_divergence] of {type(p).__name__} and {type(q).__name__} has no implemented closed form"
    )
