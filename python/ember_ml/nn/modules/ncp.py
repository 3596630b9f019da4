"""A wired recurrent layer: neurons read their synapses in each step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..._core import EmberTensor, Parameter, functions as _f
from ..._core.nn import Module, get_activation
from ..initializers import get_initializer
from .wiring import AutoNCPMap, NeuronMap


class NCP(Module):
    """state' = activation(x @ kernel + state @ recurrent_kernel + bias) along the synapses of a
    map; the output is the state of its first neurons.
    """

    def __init__(
        self,
        neuron_map: NeuronMap,
        activation: str = "tanh",
        use_bias: bool = True,
        kernel_initializer: str = "glorot_uniform",
        recurrent_initializer: str = "orthogonal",
        bias_initializer: str = "zeros",
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.neuron_map, self.activation, self.use_bias, self.dtype = (
            neuron_map,
            activation,
            use_bias,
            dtype,
        )
        self.kernel_initializer, self.recurrent_initializer, self.bias_initializer = (
            kernel_initializer,
            recurrent_initializer,
            bias_initializer,
        )
        get_activation(activation)
        self._defer(dtype)
        if neuron_map.is_built():
            self.build((neuron_map.input_dim,))

    def build(self, input_shape: Any) -> None:
        """Creates the parameters for inputs whose last axis has this length."""
        if self.built:
            return
        self.neuron_map.build(input_shape[-1])
        inputs, units = input_shape[-1], self.neuron_map.units
        self.kernel = Parameter(
            get_initializer(self.kernel_initializer)((inputs, units), dtype=self.dtype)
        )
        self.recurrent_kernel = Parameter(
            get_initializer(self.recurrent_initializer)((units, units), dtype=self.dtype)
        )
        self.register_parameter(
            "bias",
            Parameter(get_initializer(self.bias_initializer)((units,), dtype=self.dtype))
            if self.use_bias
            else None,
        )
        self.register_buffer("input_mask", self.neuron_map.get_input_mask(), persistent=False)
        self.register_buffer(
            "recurrent_mask", self.neuron_map.get_recurrent_mask(), persistent=False
        )
        self._finish_build()

    def prepare_to_load(self, state_dict: Mapping[str, Any]) -> None:
        """Creates the parameters for a saved state, whose shapes give the number of inputs."""
        if "kernel" in state_dict:
            self.build((state_dict["kernel"].shape[0],))

    def reset_state(self) -> None:
        """Does nothing: forward takes and returns the state."""

    def forward(self, inputs: Any, state: Any = None, return_state: bool = False) -> Any:
        """The output of one step from a state, by default zeros; with return_state also the next
        state.
        """
        x = _f["asarray"](inputs)
        self.build(x.shape)
        s = x @ (self.kernel * self.input_mask)
        if state is not None:
            s = s + state @ (self.recurrent_kernel * self.recurrent_mask)
        if self.bias is not None:
            s = s + self.bias
        s = get_activation(self.activation)(s)
        y = s[..., : self.neuron_map.output_dim]
        return (y, s) if return_state else y

    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments."""
        return {
            "neuron_map": self.neuron_map,
            "activation": self.activation,
            "use_bias": self.use_bias,
            "kernel_initializer": self.kernel_initializer,
            "recurrent_initializer": self.recurrent_initializer,
            "bias_initializer": self.bias_initializer,
            "dtype": self.dtype,
        }


class AutoNCP(NCP):
    """A neural circuit policy whose layer sizes follow from units, output_size and sparsity_level."""

    def __init__(
        self,
        units: int,
        output_size: int,
        sparsity_level: float = 0.5,
        seed: int | None = None,
        **options: Any,
    ) -> None:
        super().__init__(
            AutoNCPMap(units, output_size, sparsity_level=sparsity_level, seed=seed), **options
        )


__all__ = ["AutoNCP", "NCP"]
