"""Batch normalization with Ember ML's and Keras' arguments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..._core import EmberTensor, Parameter, ValueError, functions as _f
from ..._core.nn import Module


class BatchNormalization(Module):
    """(x - mean) / sqrt(variance + epsilon) * gamma + beta, along every axis but one.

    During training, mean and variance are those of the batch, and their moving averages, moving =
    momentum * moving + (1 - momentum) * batch, are stored for inference. The first input determines
    the length of the axis.
    """

    gamma: Parameter | None
    beta: Parameter | None
    moving_mean: EmberTensor
    moving_variance: EmberTensor

    def __init__(
        self,
        axis: int = -1,
        momentum: float = 0.99,
        epsilon: float = 1e-3,
        center: bool = True,
        scale: bool = True,
    ) -> None:
        super().__init__()
        if not 0 <= momentum <= 1 or not epsilon >= 0:
            raise ValueError(
                f"[BatchNormalization] momentum must lie in [0, 1] and epsilon not be negative: {momentum} and {epsilon}"
            )
        self.axis, self.momentum, self.epsilon, self.center, self.scale = (
            axis,
            momentum,
            epsilon,
            center,
            scale,
        )
        self._defer()

    def build(self, input_shape: Any) -> None:
        """Creates the parameters for inputs of this shape."""
        if self.built:
            return
        self._make(input_shape[self.axis])

    def _make(self, n: int) -> None:
        self.register_parameter("gamma", Parameter(_f["ones"]((n,))) if self.scale else None)
        self.register_parameter("beta", Parameter(_f["zeros"]((n,))) if self.center else None)
        self.register_buffer("moving_mean", _f["zeros"]((n,)))
        self.register_buffer("moving_variance", _f["ones"]((n,)))
        self._finish_build()

    def prepare_to_load(self, state_dict: Mapping[str, Any]) -> None:
        """Creates the parameters for a saved state."""
        if "moving_mean" in state_dict:
            self._make(state_dict["moving_mean"].shape[0])

    def forward(self, x: Any, training: bool | None = None) -> EmberTensor:
        """The layer's output. training: whether to use the mean and variance of the batch; by
        default the module's mode.
        """
        x = _f["asarray"](x)
        self.build(x.shape)
        along = self.axis % x.ndim
        others, shape = (
            tuple(a for a in range(x.ndim) if a != along),
            tuple(x.shape[along] if a == along else 1 for a in range(x.ndim)),
        )
        if self.training if training is None else training:
            mean, variance = _f["mean"](x, axis=others), _f["var"](x, axis=others)
            keep = self.momentum
            self.moving_mean = (self.moving_mean * keep + mean.detach() * (1 - keep)).astype(
                self.moving_mean.dtype
            )
            self.moving_variance = (
                self.moving_variance * keep + variance.detach() * (1 - keep)
            ).astype(self.moving_variance.dtype)
        else:
            mean, variance = self.moving_mean, self.moving_variance
        y = (x - mean.reshape(shape)) / _f["sqrt"](variance.reshape(shape) + self.epsilon)
        if self.gamma is not None:
            y = y * self.gamma.reshape(shape)
        return y if self.beta is None else _f["add"](y, self.beta.reshape(shape))

    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments."""
        return {
            name: getattr(self, name) for name in ("axis", "momentum", "epsilon", "center", "scale")
        }


__all__ = ["BatchNormalization"]
