"""Learning without gradients."""

from __future__ import annotations

from .. import ops
from .._core import EmberTensor
from .._core.nn import Module


class HebbianLayer(Module):
    """A linear layer with Hebbian learning: hebbian_update adds eta times the mean product of
    inputs and outputs.
    """

    weights: EmberTensor

    def __init__(
        self, input_size: int, output_size: int, eta: float = 0.01, weight_scale: float = 0.01
    ) -> None:
        super().__init__()
        self.input_size, self.output_size, self.eta = input_size, output_size, eta
        self.register_buffer("weights", ops.zeros((output_size, input_size)))
        self.reset_weights(weight_scale)

    def forward(self, inputs: EmberTensor) -> EmberTensor:
        return ops.linear(inputs, self.weights)

    def hebbian_update(self, inputs: EmberTensor, outputs: EmberTensor) -> None:
        x, y = inputs.reshape((-1, self.input_size)), outputs.reshape((-1, self.output_size))
        self.weights = self.weights + (y.T @ x) * (self.eta / x.shape[0])

    def get_weight_stats(self) -> dict[str, EmberTensor]:
        return {
            name: f(self.weights)
            for name, f in (
                ("mean", ops.mean),
                ("std", ops.std),
                ("min", ops.min),
                ("max", ops.max),
            )
        }

    def reset_weights(self, weight_scale: float = 0.01) -> None:
        self.weights = ops.random_normal((self.output_size, self.input_size), 0.0, weight_scale)

    def get_weights(self) -> EmberTensor:
        return self.weights
