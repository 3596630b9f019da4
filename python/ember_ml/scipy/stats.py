"""Differentiable densities in SciPy's form."""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

import math
from typing import Any

from .._compat import op as _op
from .._compat.absent import missing as _missing
from .._core import EmberTensor, convert_to_tensor


class norm:
    """The normal distribution with mean loc and standard deviation scale."""

    @staticmethod
    def logpdf(x: Any, loc: Any = 0.0, scale: Any = 1.0) -> EmberTensor:
        """The logarithm of the density at x."""
        z = (convert_to_tensor(x) - loc) / scale
        log_scale = _op.log(_op.astype(scale, z.dtype))
        return -0.5 * _op.square(z) - log_scale - 0.5 * math.log(2 * math.pi)

    @staticmethod
    def pdf(x: Any, loc: Any = 0.0, scale: Any = 1.0) -> EmberTensor:
        """The density at x."""
        return _op.exp(norm.logpdf(x, loc, scale))

    @staticmethod
    def cdf(x: Any, loc: Any = 0.0, scale: Any = 1.0) -> EmberTensor:
        """The cumulative distribution function at x."""
        z = (convert_to_tensor(x) - loc) / scale
        return 0.5 * _op.erfc(z * -math.sqrt(0.5))

    @staticmethod
    def ppf(q: Any, loc: Any = 0.0, scale: Any = 1.0) -> EmberTensor:
        """The q-quantile."""
        return _op.erfinv(2 * convert_to_tensor(q) - 1) * (math.sqrt(2) * scale) + loc


class multivariate_normal:
    """The multivariate normal distribution."""

    @staticmethod
    def logpdf(x: Any, mean: Any, cov: Any) -> EmberTensor:
        """The logarithm of the density at the vectors along x's last axis."""
        factor = _op.cholesky(convert_to_tensor(cov))
        distance = convert_to_tensor(x) - mean
        z = _op.solve_triangular(factor, _op.expand_dims(distance, -1))[..., 0]
        log_det = _op.sum(_op.log(_op.diagonal(factor)), axis=-1)
        n = distance.shape[-1]
        return -0.5 * _op.sum(_op.square(z), axis=-1) - log_det - 0.5 * n * math.log(2 * math.pi)

    @staticmethod
    def pdf(x: Any, mean: Any, cov: Any) -> EmberTensor:
        """The density at the vectors along x's last axis."""
        return _op.exp(multivariate_normal.logpdf(x, mean, cov))


__all__ = ["multivariate_normal", "norm"]


def __getattr__(name: str) -> Any:
    advice = {name: f"use scipy.stats.{name}, which takes tensors, or em.distributions"}
    _missing(__name__, name, advice, __all__)
