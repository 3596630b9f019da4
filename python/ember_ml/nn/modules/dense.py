"""A linear layer with its activation."""

from __future__ import annotations

from typing import Any, Callable

from ..._core import EmberTensor
from ..._core.nn import Linear, get_activation


class Dense(Linear):
    """activation(x @ weight.T + bias). activation: a name such as 'relu', a function, or None."""

    def __init__(
        self,
        input_dim: int,
        units: int,
        activation: str | Callable[[Any], Any] | None = None,
        use_bias: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(input_dim, units, use_bias, **kwargs)
        self.input_dim, self.units, self.use_bias, self.activation = (
            input_dim,
            units,
            use_bias,
            activation,
        )
        if isinstance(activation, str):
            get_activation(activation)  # raises for an unknown name

    def forward(self, x: Any) -> EmberTensor:
        """The layer's output."""
        y = super().forward(x)
        if self.activation is None:
            return y
        return (
            get_activation(self.activation)(y)
            if isinstance(self.activation, str)
            else self.activation(y)
        )

    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments."""
        return {
            "input_dim": self.input_dim,
            "units": self.units,
            "activation": self.activation,
            "use_bias": self.use_bias,
        }

    def extra_repr(self) -> str:
        """The options in the printed form."""
        return f"input_dim={self.input_dim}, units={self.units}, activation={self.activation!r}, use_bias={self.use_bias}"
