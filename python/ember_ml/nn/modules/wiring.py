"""Wirings under Ember ML's names: a map says how neurons are connected, and is built once the number of inputs is known."""
from __future__ import annotations

import math
from typing import Any

from ..._core import EmberTensor, StateError, functions as _f
from ..._core import nn as _nn  # not its functions: wiring.ncp_map is also a module's name

Wiring = _nn.NeuronMap
__path__: list[str] = []  # so that wiring.ncp_map can be imported: _aliases knows it


class NeuronMap:
    """Neurons without synapses: add_synapse and add_sensory_synapse connect them. The first output_dim neurons give the output."""

    def __init__(self, units: int, output_dim: int | None = None, input_dim: int | None = None, sparsity_level: float = 0.5,
                 seed: int | None = None, **options: Any) -> None:
        self.units, self.output_dim, self.input_dim = units, units if output_dim is None else output_dim, input_dim
        self.sparsity_level, self.seed, self.options = sparsity_level, seed, options
        self.map: Wiring | None = None
        if input_dim:
            self.build(input_dim)

    def _wire(self, inputs: int) -> Wiring:
        return Wiring(inputs, self.units, self.output_dim)

    @property
    def _seed(self) -> int:
        return 1 if self.seed is None else self.seed

    def build(self, input_dim: int | None = None) -> None:
        """Lays the synapses for a number of inputs. A map that is built already stays as it is."""
        if input_dim is None:
            input_dim = self.input_dim
        if input_dim is None:
            raise StateError(f"[{type(self).__name__}] build needs input_dim, which was not given before either")
        if self.map is None or self.map.inputs != input_dim:
            self.input_dim, self.map = input_dim, self._wire(input_dim)

    def is_built(self) -> bool:
        """Whether the synapses are laid."""
        return self.map is not None

    def set_input_dim(self, input_dim: int) -> None:
        """Lays the synapses for a number of inputs."""
        self.build(input_dim)

    @property
    def wiring(self) -> Wiring:
        """The map that LTC and CfC take."""
        if self.map is None:
            raise StateError(f"[{type(self).__name__}] is not built: call build(input_dim)")
        return self.map

    @property
    def synapse_count(self) -> int:
        """How many synapses there are between neurons."""
        return self.wiring.synapse_count

    @property
    def sensory_synapse_count(self) -> int:
        """How many synapses come from inputs."""
        return self.wiring.sensory_synapse_count

    def add_synapse(self, src: int, dest: int, polarity: int) -> None:
        """A synapse between neurons: +1 excites, -1 inhibits."""
        self.wiring.add_synapse(src, dest, polarity)

    def add_sensory_synapse(self, src: int, dest: int, polarity: int) -> None:
        """A synapse from an input: +1 excites, -1 inhibits."""
        self.wiring.add_sensory_synapse(src, dest, polarity)

    def erev_initializer(self, shape: Any = None, dtype: Any = None) -> EmberTensor:
        """The polarities [units, units], from row to column."""
        return _cast(self.wiring.adjacency(), dtype)

    def sensory_erev_initializer(self, shape: Any = None, dtype: Any = None) -> EmberTensor:
        """The polarities [inputs, units], from row to column."""
        return _cast(self.wiring.sensory_adjacency(), dtype)

    def get_input_mask(self) -> EmberTensor:
        """[inputs, units]: 1 where there is a synapse."""
        return _f["abs"](self.wiring.sensory_adjacency())

    def get_recurrent_mask(self) -> EmberTensor:
        """[units, units]: 1 where there is a synapse."""
        return _f["abs"](self.wiring.adjacency())

    def get_output_mask(self) -> EmberTensor:
        """[units]: 1 for the neurons that give the output."""
        return _f["concat"]([_f["ones"]((self.output_dim,)), _f["zeros"]((self.units - self.output_dim,))])

    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments."""
        return {"units": self.units, "output_dim": self.output_dim, "input_dim": self.input_dim, "sparsity_level": self.sparsity_level,
                "seed": self.seed, **self.options}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> NeuronMap:
        """The map that get_config describes."""
        return cls(**config)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in self.get_config().items())})"


def _cast(t: EmberTensor, dtype: Any) -> EmberTensor:
    return t if dtype is None else _f["astype"](t, dtype)


class FullyConnectedMap(NeuronMap):
    """Every neuron acts on every other, but for the part sparsity_level."""

    def __init__(self, units: int, output_dim: int | None = None, input_dim: int | None = None, sparsity_level: float = 0.0,
                 seed: int | None = None, **options: Any) -> None:
        super().__init__(units, output_dim, input_dim, sparsity_level, seed, **options)

    def _wire(self, inputs: int) -> Wiring:
        if self.sparsity_level:
            return _nn.random_map(inputs, self.units, self.sparsity_level, self.output_dim, seed=self._seed)
        return _nn.fully_connected_map(inputs, self.units, self.output_dim, seed=self._seed)


class RandomMap(NeuronMap):
    """Random synapses; sparsity_level is the part left out."""

    def _wire(self, inputs: int) -> Wiring:
        return _nn.random_map(inputs, self.units, self.sparsity_level, self.output_dim, seed=self._seed)


class NCPMap(NeuronMap):
    """A neural circuit policy: inputs to inter neurons to command neurons, which act on each other, to motor neurons."""

    def __init__(self, inter_neurons: int, command_neurons: int, motor_neurons: int, sensory_neurons: int = 0, sparsity_level: float = 0.5,
                 seed: int | None = None, units: int | None = None, output_dim: int | None = None, input_dim: int | None = None,
                 **options: Any) -> None:
        self.inter_neurons, self.command_neurons, self.motor_neurons = inter_neurons, command_neurons, motor_neurons
        self.sensory_neurons = sensory_neurons
        super().__init__(inter_neurons + command_neurons + motor_neurons, motor_neurons, input_dim or sensory_neurons or None,
                         sparsity_level, seed, **options)

    def _wire(self, inputs: int) -> Wiring:
        def some(of: int) -> int:
            return max(1, math.ceil(of * (1 - self.sparsity_level)))
        return _nn.ncp_map(inputs, self.inter_neurons, self.command_neurons, self.motor_neurons, some(self.inter_neurons),
                       some(self.command_neurons), some(self.command_neurons), some(self.command_neurons), self._seed)

    def get_neuron_groups(self) -> dict[str, list[int]]:
        """The neurons of each kind; the motor neurons come first, the sensory ones are the inputs."""
        inter, command, motor = self.wiring.layers
        return {"sensory": list(range(self.wiring.inputs)), "inter": list(inter), "command": list(command), "motor": list(motor)}

    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments."""
        return {"inter_neurons": self.inter_neurons, "command_neurons": self.command_neurons, "motor_neurons": self.motor_neurons,
                "sensory_neurons": self.sensory_neurons, "sparsity_level": self.sparsity_level, "seed": self.seed,
                "input_dim": self.input_dim, **self.options}


class AutoNCPMap(NeuronMap):
    """A neural circuit policy whose numbers follow from units, output_dim and sparsity_level."""

    def _wire(self, inputs: int) -> Wiring:
        return _nn.auto_ncp_map(inputs, self.units, self.output_dim, self.sparsity_level, self._seed)


class FullyConnectedNCPMap(FullyConnectedMap):
    """Every neuron acts on every other, with the options of a neural circuit policy."""


class EnhancedNeuronMap(RandomMap):
    """Random synapses between neurons that have a kind and places in space."""

    def get_dynamic_properties(self) -> dict[str, Any]:
        """What was said about the kind of the neurons."""
        return {"neuron_type": self.options.get("neuron_type", "cfc"), "neuron_params": self.options.get("neuron_params") or {}}

    def get_spatial_properties(self) -> dict[str, Any]:
        """What was said about the places of the neurons."""
        standard = {"coordinates_list": None, "network_structure": (5, 5, 4), "distance_metric": "euclidean", "distance_power": 1.0}
        return {name: self.options.get(name, value) for name, value in standard.items()}


class EnhancedNCPMap(NCPMap):
    """A neural circuit policy whose neurons have a kind and places in space."""

    get_dynamic_properties = EnhancedNeuronMap.get_dynamic_properties
    get_spatial_properties = EnhancedNeuronMap.get_spatial_properties


__all__ = ["AutoNCPMap", "EnhancedNCPMap", "EnhancedNeuronMap", "FullyConnectedMap", "FullyConnectedNCPMap", "NCPMap", "NeuronMap", "RandomMap"]
