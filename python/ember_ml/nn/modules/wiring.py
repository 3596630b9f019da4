"""Wirings under Ember ML's names: a map defines the synapses between neurons and is built when the
number of inputs is known.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Sequence
from typing import Any

from ..._core import EmberTensor, StateError, ValueError, functions as _f
from ..._core import nn as _nn  # not its functions: wiring.ncp_map is also the name of a module

Wiring = _nn.NeuronMap
__path__: list[str] = []  # so that wiring.ncp_map can be imported: _aliases knows it


class NeuronMap:
    """Neurons without synapses: add_synapse and add_sensory_synapse connect them. The first
    output_dim neurons give the output.
    """

    def __init__(
        self,
        units: int,
        output_dim: int | None = None,
        input_dim: int | None = None,
        sparsity_level: float = 0.5,
        seed: int | None = None,
    ) -> None:
        self.units, self.output_dim, self.input_dim = (
            units,
            units if output_dim is None else output_dim,
            input_dim,
        )
        self.sparsity_level, self.seed = sparsity_level, seed
        self.map: Wiring | None = None
        if input_dim:
            self.build(input_dim)

    @property
    def options(self) -> dict[str, Any]:
        """The map's options for the networks built from it."""
        return {}

    def get_distances(self) -> EmberTensor:
        """[units, units]: the distances between neurons."""
        return _distances(_grid(self.units, (5, 5, 4)), "euclidean")

    def _wire(self, inputs: int) -> Wiring:
        return Wiring(inputs, self.units, self.output_dim)

    @property
    def _seed(self) -> int:
        return 1 if self.seed is None else self.seed

    def build(self, input_dim: int | None = None) -> None:
        """Builds the synapses for a number of inputs; a built map does not change."""
        if input_dim is None:
            input_dim = self.input_dim
        if input_dim is None:
            raise StateError(f"[{type(self).__name__}] build needs input_dim")
        if self.map is None or self.map.inputs != input_dim:
            self.input_dim, self.map = input_dim, self._wire(input_dim)

    def is_built(self) -> bool:
        """Whether the synapses are built."""
        return self.map is not None

    def set_input_dim(self, input_dim: int) -> None:
        """Builds the synapses for a number of inputs."""
        self.build(input_dim)

    @property
    def wiring(self) -> Wiring:
        """The core's map, which LTC and CfC take."""
        if self.map is None:
            raise StateError(f"[{type(self).__name__}] is not built: call build(input_dim)")
        return self.map

    @property
    def synapse_count(self) -> int:
        """The number of synapses between neurons."""
        return self.wiring.synapse_count

    @property
    def sensory_synapse_count(self) -> int:
        """The number of synapses from inputs."""
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
        """[units]: 1 for output neurons."""
        return _f["concat"](
            [_f["ones"]((self.output_dim,)), _f["zeros"]((self.units - self.output_dim,))]
        )

    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments."""
        return {
            "units": self.units,
            "output_dim": self.output_dim,
            "input_dim": self.input_dim,
            "sparsity_level": self.sparsity_level,
            "seed": self.seed,
        }

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> NeuronMap:
        """The map of a config from get_config."""
        return cls(**config)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in self.get_config().items())})"


def _cast(t: EmberTensor, dtype: Any) -> EmberTensor:
    return t if dtype is None else _f["astype"](t, dtype)


class FullyConnectedMap(NeuronMap):
    """Synapses between all neurons, except the fraction sparsity_level."""

    def __init__(
        self,
        units: int,
        output_dim: int | None = None,
        input_dim: int | None = None,
        sparsity_level: float = 0.0,
        seed: int | None = None,
    ) -> None:
        super().__init__(units, output_dim, input_dim, sparsity_level, seed)

    def _wire(self, inputs: int) -> Wiring:
        if self.sparsity_level:
            return _nn.random_map(
                inputs, self.units, self.sparsity_level, self.output_dim, seed=self._seed
            )
        return _nn.fully_connected_map(inputs, self.units, self.output_dim, seed=self._seed)


class RandomMap(NeuronMap):
    """Random synapses; sparsity_level is the fraction without one."""

    def _wire(self, inputs: int) -> Wiring:
        return _nn.random_map(
            inputs, self.units, self.sparsity_level, self.output_dim, seed=self._seed
        )


class _NetworkOptions:
    """Options of the networks built from a map: CfC and LTC take the options of the map and reject
    those that they do not have.
    """

    _own: dict[str, Any]

    @property
    def options(self) -> dict[str, Any]:
        """The map's options for the networks built from it."""
        return dict(self._own)

    def _take_options(self, arguments: dict[str, Any]) -> None:
        """arguments: a constructor's, of which those in _STANDARD that are not None are kept."""
        self._own = {n: arguments[n] for n in _STANDARD if arguments.get(n) is not None}

    def __getattr__(self, name: str) -> Any:
        own = self.__dict__.get("_own", {})
        if name in own:
            return own[name]
        if name in _STANDARD:
            return _STANDARD[name]
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


_STANDARD = {
    "time_scale_factor": 1.0,
    "activation": "tanh",
    "recurrent_activation": "sigmoid",
    "mode": "default",
    "use_bias": True,
    "kernel_initializer": None,
    "recurrent_initializer": None,
    "bias_initializer": None,
    "mixed_memory": False,
    "ode_unfolds": 6,
    "epsilon": 1e-8,
    "implicit_param_constraints": True,
    "input_mapping": "affine",
    "output_mapping": "affine",
}


class NCPMap(_NetworkOptions, NeuronMap):
    """A neural circuit policy: inputs to inter neurons to command neurons, which act on each other,
    to motor neurons.

    sparsity_level: the fraction of missing synapses between two groups; sensory_to_inter_sparsity:
    the same for those from the inputs. The options from time_scale_factor on are those of the CfC
    or LTC built from the map.
    """

    def __init__(
        self,
        inter_neurons: int,
        command_neurons: int,
        motor_neurons: int,
        sensory_neurons: int = 0,
        sparsity_level: float = 0.5,
        seed: int | None = None,
        time_scale_factor: float | None = None,
        activation: str | None = None,
        recurrent_activation: str | None = None,
        mode: str | None = None,
        use_bias: bool | None = None,
        kernel_initializer: Any = None,
        recurrent_initializer: Any = None,
        bias_initializer: Any = None,
        mixed_memory: bool | None = None,
        ode_unfolds: int | None = None,
        epsilon: float | None = None,
        implicit_param_constraints: bool | None = None,
        input_mapping: str | None = None,
        output_mapping: str | None = None,
        sensory_to_inter_sparsity: float | None = None,
        units: int | None = None,
        output_dim: int | None = None,
        input_dim: int | None = None,
    ) -> None:
        self.inter_neurons = inter_neurons
        self.command_neurons = command_neurons
        self.motor_neurons = motor_neurons
        self.sensory_neurons = sensory_neurons
        self.sensory_to_inter_sparsity = sensory_to_inter_sparsity
        self._take_options(locals())
        total = inter_neurons + command_neurons + motor_neurons
        if units not in (None, total) or output_dim not in (None, motor_neurons):
            raise ValueError(
                f"[{type(self).__name__}] units and output_dim follow from the neurons: they are {total} and {motor_neurons}, not "
                f"{units} and {output_dim}"
            )
        super().__init__(
            total, motor_neurons, input_dim or sensory_neurons or None, sparsity_level, seed
        )

    def _wire(self, inputs: int) -> Wiring:
        def kept_count(of: int, sparsity: float | None = None) -> int:
            return max(
                1, math.ceil(of * (1 - (self.sparsity_level if sparsity is None else sparsity)))
            )

        return _nn.ncp_map(
            inputs,
            self.inter_neurons,
            self.command_neurons,
            self.motor_neurons,
            kept_count(self.inter_neurons, self.sensory_to_inter_sparsity),
            kept_count(self.command_neurons),
            kept_count(self.command_neurons),
            kept_count(self.command_neurons),
            self._seed,
        )

    def get_neuron_groups(self) -> dict[str, list[int]]:
        """The neurons of each kind; the motor neurons come first, the sensory ones are the inputs."""
        inter, command, motor = self.wiring.layers
        return {
            "sensory": list(range(self.wiring.inputs)),
            "inter": list(inter),
            "command": list(command),
            "motor": list(motor),
        }

    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments."""
        return {
            "inter_neurons": self.inter_neurons,
            "command_neurons": self.command_neurons,
            "motor_neurons": self.motor_neurons,
            "sensory_neurons": self.sensory_neurons,
            "sparsity_level": self.sparsity_level,
            "seed": self.seed,
            "sensory_to_inter_sparsity": self.sensory_to_inter_sparsity,
            "input_dim": self.input_dim,
            **self.options,
        }


class AutoNCPMap(NeuronMap):
    """A neural circuit policy whose layer sizes follow from units, output_dim and sparsity_level."""

    def _wire(self, inputs: int) -> Wiring:
        return _nn.auto_ncp_map(
            inputs, self.units, self.output_dim, self.sparsity_level, self._seed
        )


class FullyConnectedNCPMap(_NetworkOptions, FullyConnectedMap):
    """Synapses between all neurons. The options from time_scale_factor on are those of the CfC or
    LTC built from the map.
    """

    def __init__(
        self,
        units: int,
        output_dim: int | None = None,
        input_dim: int | None = None,
        sparsity_level: float = 0.0,
        seed: int | None = None,
        time_scale_factor: float | None = None,
        activation: str | None = None,
        recurrent_activation: str | None = None,
        mode: str | None = None,
        use_bias: bool | None = None,
        kernel_initializer: Any = None,
        recurrent_initializer: Any = None,
        bias_initializer: Any = None,
        mixed_memory: bool | None = None,
        ode_unfolds: int | None = None,
        epsilon: float | None = None,
        implicit_param_constraints: bool | None = None,
        input_mapping: str | None = None,
        output_mapping: str | None = None,
    ) -> None:
        self._take_options(locals())
        super().__init__(units, output_dim, input_dim, sparsity_level, seed)

    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments."""
        return {**super().get_config(), **self.options}


def _grid(n: int, structure: Sequence[int]) -> list[tuple[float, ...]]:
    """Positions of n neurons on a grid of this structure, with as many layers as needed."""
    places = list(itertools.product(*(range(k) for k in structure)))
    layers = -(-n // max(1, len(places)))
    return [
        (*map(float, p[:-1]), float(p[-1] + layer * structure[-1]))
        for layer in range(layers)
        for p in places
    ][:n]


def _distances(places: Sequence[Sequence[float]], metric: str) -> EmberTensor:
    x = _f["asarray"]([list(map(float, p)) for p in places], dtype="float32")
    d = _f["abs"](x[:, None] - x[None])
    if metric == "euclidean":
        return _f["sqrt"](_f["sum"](d * d, axis=-1))
    if metric == "manhattan":
        return _f["sum"](d, axis=-1)
    if metric == "chebyshev":
        return _f["max"](d, axis=-1)
    raise ValueError(
        f"[EnhancedNeuronMap] distance_metric must be euclidean, manhattan or chebyshev, not {metric!r}"
    )


class _Spatial:
    """Neurons with positions: near ones are more likely to be connected, by distance **
    -distance_power.
    """

    units: int
    sparsity_level: float
    _seed: int

    def _take_places(
        self,
        neuron_type: str,
        neuron_params: dict[str, Any] | None,
        coordinates_list: Any,
        network_structure: Sequence[int],
        distance_metric: str,
        distance_power: float,
        units: int,
    ) -> None:
        if neuron_type not in ("cfc", "ltc"):
            raise ValueError(
                f"[{type(self).__name__}] neuron_type must be cfc or ltc, not {neuron_type!r}"
            )
        self.neuron_type, self.neuron_params = neuron_type, dict(neuron_params or {})
        self.network_structure, self.distance_metric, self.distance_power = (
            tuple(network_structure),
            distance_metric,
            distance_power,
        )
        if coordinates_list is None:
            self.coordinates_list = _grid(units, self.network_structure)
        else:  # one list per axis
            self.coordinates_list = [tuple(map(float, p)) for p in zip(*coordinates_list)]
            if len(self.coordinates_list) != units:
                raise ValueError(
                    f"[{type(self).__name__}] coordinates_list has positions for {len(self.coordinates_list)} neurons, not {units}"
                )
        _distances(self.coordinates_list[:1], distance_metric)
        self._given_places = coordinates_list

    def get_distances(self) -> EmberTensor:
        """[units, units]: the distances between neurons."""
        return _distances(self.coordinates_list, self.distance_metric)

    def get_dynamic_properties(self) -> dict[str, Any]:
        """The kind of the neurons."""
        return {"neuron_type": self.neuron_type, "neuron_params": self.neuron_params}

    def get_spatial_properties(self) -> dict[str, Any]:
        """The positions of the neurons."""
        return {
            "coordinates_list": self._given_places,
            "network_structure": self.network_structure,
            "distance_metric": self.distance_metric,
            "distance_power": self.distance_power,
            "coordinates": self.coordinates_list,
            "distances": self.get_distances(),
        }

    def get_neuron_factory(self) -> type:
        """The network class for the neurons: CfC or LTC of `ember_ml.nn.modules.rnn`."""
        from . import rnn

        return {"cfc": rnn.CfC, "ltc": rnn.LTC}[self.neuron_type]

    def _own_config(self) -> dict[str, Any]:
        return {
            "neuron_type": self.neuron_type,
            "coordinates_list": self._given_places,
            "network_structure": self.network_structure,
            "distance_metric": self.distance_metric,
            "distance_power": self.distance_power,
        }

    def _nearest(
        self, pairs: Sequence[tuple[int, int]], keep: int, dice: random.Random
    ) -> list[tuple[int, int]]:
        """keep random pairs, near ones with higher probability: those with the largest log(u) /
        weight.
        """
        far = self.get_distances().tolist()
        weight = {p: (1.0 + far[p[0]][p[1]]) ** -self.distance_power for p in pairs}
        return sorted(
            sorted(pairs, key=lambda p: math.log(1.0 - dice.random()) / weight[p], reverse=True)[
                :keep
            ]
        )


class EnhancedNeuronMap(_Spatial, NeuronMap):
    """Random synapses between neurons with positions: near ones are more likely to be connected, by
    distance ** -distance_power.

    neuron_type, cfc or ltc, selects the network of get_neuron_factory(). coordinates_list: one list
    of positions for each axis; without it the neurons lie on a grid of network_structure.
    """

    def __init__(
        self,
        units: int,
        output_dim: int | None = None,
        input_dim: int | None = None,
        sparsity_level: float = 0.5,
        seed: int | None = None,
        neuron_type: str = "cfc",
        neuron_params: dict[str, Any] | None = None,
        coordinates_list: Any = None,
        network_structure: Sequence[int] = (5, 5, 4),
        distance_metric: str = "euclidean",
        distance_power: float = 1.0,
    ) -> None:
        self._take_places(
            neuron_type,
            neuron_params,
            coordinates_list,
            network_structure,
            distance_metric,
            distance_power,
            units,
        )
        super().__init__(units, output_dim, input_dim, sparsity_level, seed)

    def _wire(self, inputs: int) -> Wiring:
        wiring, dice = Wiring(inputs, self.units, self.output_dim), random.Random(self._seed)
        pairs = [(a, b) for a in range(self.units) for b in range(self.units)]
        for a, b in self._nearest(pairs, round(len(pairs) * (1 - self.sparsity_level)), dice):
            wiring.add_synapse(a, b, 1 if dice.random() < 2 / 3 else -1)
        sensory = [(a, b) for a in range(inputs) for b in range(self.units)]
        for a, b in dice.sample(sensory, round(len(sensory) * (1 - self.sparsity_level))):
            wiring.add_sensory_synapse(a, b, 1 if dice.random() < 2 / 3 else -1)
        return wiring

    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments."""
        return {**super().get_config(), **self._own_config(), "neuron_params": self.neuron_params}


class EnhancedNCPMap(_Spatial, NCPMap):
    """A neural circuit policy whose neurons have a kind and positions; see EnhancedNeuronMap. Among
    the synapses that its groups may have, near ones are more likely.
    """

    def __init__(
        self,
        inter_neurons: int,
        command_neurons: int,
        motor_neurons: int,
        sensory_neurons: int = 0,
        sparsity_level: float = 0.5,
        seed: int | None = None,
        neuron_type: str = "cfc",
        time_scale_factor: float | None = None,
        activation: str | None = None,
        recurrent_activation: str | None = None,
        mode: str | None = None,
        coordinates_list: Any = None,
        network_structure: Sequence[int] = (5, 5, 4),
        distance_metric: str = "euclidean",
        distance_power: float = 1.0,
        sensory_to_inter_sparsity: float | None = None,
        input_dim: int | None = None,
    ) -> None:
        units = inter_neurons + command_neurons + motor_neurons
        self._take_places(
            neuron_type,
            None,
            coordinates_list,
            network_structure,
            distance_metric,
            distance_power,
            units,
        )
        super().__init__(
            inter_neurons,
            command_neurons,
            motor_neurons,
            sensory_neurons,
            sparsity_level,
            seed,
            time_scale_factor,
            activation,
            recurrent_activation,
            mode,
            sensory_to_inter_sparsity=sensory_to_inter_sparsity,
            input_dim=input_dim,
        )

    def _wire(self, inputs: int) -> Wiring:
        plain = super()._wire(inputs)
        wiring, dice = Wiring(inputs, self.units, self.output_dim), random.Random(self._seed)
        groups = [list(g) for g in plain.layers]
        for a, row in enumerate(plain.sensory_adjacency().tolist()):
            for b, polarity in enumerate(row):
                if polarity:
                    wiring.add_sensory_synapse(a, b, int(polarity))
        inter, command, motor = groups
        synapses = plain.adjacency().tolist()
        for sources, targets in ((inter, command), (command, command), (command, motor)):
            pairs = [(a, b) for a in sources for b in targets]
            chosen = self._nearest(pairs, sum(1 for a, b in pairs if synapses[a][b]), dice)
            for b in targets:  # every target gets a synapse
                if sources is not targets and not any(t == b for _, t in chosen):
                    chosen += self._nearest([(a, b) for a in sources], 1, dice)
            for a, b in chosen:
                wiring.add_synapse(a, b, 1 if dice.random() < 0.5 else -1)
        wiring.layers = groups
        return wiring

    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments."""
        return {**super().get_config(), **self._own_config()}


__all__ = [
    "AutoNCPMap",
    "EnhancedNCPMap",
    "EnhancedNeuronMap",
    "FullyConnectedMap",
    "FullyConnectedNCPMap",
    "NCPMap",
    "NeuronMap",
    "RandomMap",
]
