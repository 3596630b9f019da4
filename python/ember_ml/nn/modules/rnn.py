"""Recurrent and liquid networks under Ember ML's names: sequences are [batch, steps, features], and
return_sequences and return_state select the results of forward; states are lists. Those of
`ember_ml.nn` always return both, as in PyTorch.
"""

from __future__ import annotations

from typing import Any, Mapping

from ..._core import (
    EmberTensor,
    Parameter,
    StateError,
    UnsupportedError,
    ValueError,
    functions as _f,
)
from ..._core import nn as _nn
from ..._core.nn import CfCCell, GRUCell, LSTMCell, LTCCell, Module, RNNCell
from ..initializers import get_initializer
from .wiring import FullyConnectedMap, NeuronMap

__path__: list[str] = []  # so that rnn.lstm can be imported: _aliases knows it


def _only(layer: str, **options: tuple[Any, Any]) -> None:
    """Raises an error for options of Ember ML that have only one supported value here."""
    for name, (given, known) in options.items():
        if given is not None and given != known:
            raise ValueError(f"[{layer}] {name} must be {known!r}, not {given!r}")


def _initialize(module: Module, inputs: int, kernel: Any, recurrent: Any, bias: Any) -> None:
    """Initializes the input weights, the recurrent weights and the biases; None keeps the current
    values.
    """
    for name, p in module.named_parameters():
        last = name.rpartition(".")[2]
        if last.startswith("bias") and bias is not None:
            p.data = get_initializer(bias)(p.shape, dtype=p.dtype)
        elif last.startswith("weight_ih") and kernel is not None:
            p.data = get_initializer(kernel)(p.shape, dtype=p.dtype)
        elif last.startswith("weight_hh") and recurrent is not None:
            gates = p.shape[0] // p.shape[1]
            parts = [
                get_initializer(recurrent)((p.shape[1], p.shape[1]), dtype=p.dtype)
                for _ in range(gates)
            ]
            p.data = _f["concat"](parts, axis=0)
        elif last == "weight":  # a head of a CfC cell reads inputs and state, concatenated
            wide = p.data
            n = wide.shape[1] - wide.shape[0] if wide.shape[1] > wide.shape[0] else wide.shape[1]
            left = (
                wide[:, :n]
                if kernel is None
                else get_initializer(kernel)((wide.shape[0], n), dtype=p.dtype)
            )
            right = (
                wide[:, n:]
                if recurrent is None
                else get_initializer(recurrent)((wide.shape[0], wide.shape[1] - n), dtype=p.dtype)
            )
            p.data = _f["concat"]([left, right], axis=1)


def _states(state: Any) -> list[Any]:
    return list(state) if isinstance(state, (tuple, list)) else [state]


def _given_state(state: Any, two: bool) -> Any:
    """Converts a list of states, as return_state gives it, to the core's form."""
    if not isinstance(state, (tuple, list)):
        return state
    if len(state) == 1 and not two:
        return state[0]
    return tuple(state)


def _result(self: Any, y: Any, state: Any) -> Any:
    if not self.return_sequences:
        y = _f["take"](y, -1, axis=1 if self.batch_first else 0)
    return (y, _states(state)) if self.return_state else y


class _Recurrent:
    """The common base; the rest is inherited from the layer in `ember_ml.nn`."""

    _memory = False

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = True,
        dropout: float = 0.0,
        bidirectional: bool = False,
        return_sequences: bool = True,
        return_state: bool = False,
        use_bias: bool = True,
        activation: str = "tanh",
        recurrent_activation: str | None = None,
        kernel_initializer: Any = None,
        recurrent_initializer: Any = None,
        bias_initializer: Any = None,
        **options: Any,
    ) -> None:
        layer = type(self).__name__
        if isinstance(self, _nn.RNN):
            options["nonlinearity"] = options.get("nonlinearity", activation)
        else:
            _only(
                layer,
                activation=(activation, "tanh"),
                recurrent_activation=(recurrent_activation, "sigmoid"),
            )
        super().__init__(
            input_size,
            hidden_size,
            num_layers,
            bias=bias and use_bias,
            batch_first=batch_first,  # type: ignore[call-arg]
            dropout=dropout,
            bidirectional=bidirectional,
            **options,
        )
        self.return_sequences, self.return_state = return_sequences, return_state
        self.kernel_initializer, self.recurrent_initializer, self.bias_initializer = (
            kernel_initializer,
            recurrent_initializer,
            bias_initializer,
        )
        _initialize(self, input_size, kernel_initializer, recurrent_initializer, bias_initializer)  # type: ignore[arg-type]

    def forward(self, inputs: Any, initial_state: Any = None) -> Any:
        """The hidden states of all steps, or of the last; with return_state also the list of states
        after the last step.
        """
        return _result(self, *super().forward(inputs, _given_state(initial_state, self._memory)))  # type: ignore[misc]

    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments."""
        config: dict[str, Any] = super().get_config()  # type: ignore[misc]
        own = (
            "return_sequences",
            "return_state",
            "kernel_initializer",
            "recurrent_initializer",
            "bias_initializer",
        )
        return {**config, **{name: getattr(self, name) for name in own}}

    def reset_state(self, batch_size: int = 1) -> list[EmberTensor]:
        """The state before the first step: zeros, one tensor [layers, batch, hidden] for each part
        of it.
        """
        config = super().get_config()  # type: ignore[misc]
        layers = config["num_layers"] * (2 if config["bidirectional"] else 1)
        return [
            _f["zeros"]((layers, batch_size, config["hidden_size"]))
            for _ in range(2 if self._memory else 1)
        ]


class RNN(_Recurrent, _nn.RNN):
    """h' = activation(W x + b + U h + c); activation: tanh or relu."""


class LSTM(_Recurrent, _nn.LSTM):
    """Long short-term memory; the state is a list [hidden, cell]."""

    _memory = True


class GRU(_Recurrent, _nn.GRU):
    """Gated recurrent units."""


class _Liquid(Module):
    """A network that is built when the number of inputs is known: from the map, or from the first
    input. Missing options are taken from the map.
    """

    _defaults: Mapping[str, Any] = {}

    def __init__(
        self,
        neuron_map: NeuronMap | int,
        return_sequences: bool,
        return_state: bool,
        batch_first: bool,
        go_backwards: bool,
        **given: Any,
    ) -> None:
        super().__init__()
        self.neuron_map = (
            FullyConnectedMap(neuron_map) if isinstance(neuron_map, int) else neuron_map
        )
        self.return_sequences, self.return_state, self.batch_first, self.go_backwards = (
            return_sequences,
            return_state,
            batch_first,
            go_backwards,
        )
        of_map = getattr(self.neuron_map, "options", {})
        self.options = {
            name: value
            if given[name] is None and name not in of_map
            else of_map[name]
            if given[name] is None
            else given[name]
            for name, value in self._defaults.items()
        }
        self._check(of_map)
        self._defer()
        if self.neuron_map.is_built():
            self.build((self.neuron_map.input_dim,))

    def _check(self, of_map: Mapping[str, Any]) -> None:
        """Raises an error for options that this network does not have."""

    def _make(self, wiring: Any) -> Module:
        raise NotImplementedError

    def build(self, input_shape: Any) -> None:
        """Creates the parameters for inputs whose last axis has this length."""
        if self.built:
            return
        self.neuron_map.build(input_shape[-1])
        self.rnn = self._make(self.neuron_map.wiring)
        self._finish_build()

    def prepare_to_load(self, state_dict: Mapping[str, Any]) -> None:
        """Builds the network for a saved state, whose shapes give the number of inputs."""
        inputs = self._inputs_of(state_dict)
        if inputs is not None:
            self.build((inputs,))

    def _inputs_of(self, state: Mapping[str, Any]) -> int | None:
        raise NotImplementedError

    def _spans(self, x: EmberTensor, spans: Any) -> EmberTensor | None:
        """The time from each step to the next, one number per batch and step."""
        factor = self.options["time_scale_factor"]
        steps = x.shape[:-1]
        if spans is None:
            return None if factor == 1 else _f["full"](steps, float(factor), dtype=x.dtype)
        spans = _f["asarray"](spans, dtype=x.dtype)
        if spans.ndim == 1 and len(steps) == 2:  # the same for all examples
            spans = _f["broadcast_to"](spans if self.batch_first else spans[:, None], steps)
        return _f["multiply"](spans, factor)

    def forward(
        self, inputs: Any, initial_state: Any = None, timespans: Any = None, time_deltas: Any = None
    ) -> Any:
        """The outputs of all steps, or of the last; with return_state also the list of states after
        the last step. timespans: the time from each step to the next, [batch, steps] or [steps]; by
        default 1.
        """
        x = _f["asarray"](inputs)
        self.build(x.shape)
        spans = self._spans(x, time_deltas if timespans is None else timespans)
        if self.go_backwards:
            axis = 0 if x.ndim == 2 or not self.batch_first else 1
            x = _f["flip"](x, axis=axis)
            spans = None if spans is None else _f["flip"](spans, axis=axis)
        memory = bool(self.options["mixed_memory"])
        return _result(self, *self.rnn(x, _given_state(initial_state, memory), spans))

    def reset_state(self, batch_size: int = 1) -> list[EmberTensor]:
        """The state before the first step: zeros [batch, units], and those of the memory."""
        return [
            _f["zeros"]((batch_size, self.neuron_map.units))
            for _ in range(2 if self.options["mixed_memory"] else 1)
        ]

    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments."""
        return {
            "neuron_map": self.neuron_map,
            "return_sequences": self.return_sequences,
            "return_state": self.return_state,
            "batch_first": self.batch_first,
            "go_backwards": self.go_backwards,
            **self.options,
        }

    @property
    def state_size(self) -> int:
        """The number of neurons."""
        return int(self.neuron_map.units)

    @property
    def output_size(self) -> int:
        """The number of output neurons."""
        return int(self.neuron_map.output_dim)

    @property
    def synapse_count(self) -> int:
        """The number of synapses between neurons."""
        return self.neuron_map.synapse_count

    @property
    def sensory_synapse_count(self) -> int:
        """The number of synapses from inputs."""
        return self.neuron_map.sensory_synapse_count


class LTC(_Liquid):
    """A liquid time-constant network over a map of neurons.

    Capacities, leaks and synaptic weights are positive by construction: the softplus of the
    parameters. With implicit_param_constraints=False, Ember ML's default, they are parameters
    themselves and training may leave the stable region: call apply_weight_constraints() after each
    step.
    """

    _defaults = {
        "mixed_memory": False,
        "input_mapping": "affine",
        "output_mapping": "affine",
        "ode_unfolds": 6,
        "epsilon": 1e-8,
        "implicit_param_constraints": True,
        "time_scale_factor": 1.0,
    }

    def __init__(
        self,
        neuron_map: NeuronMap | int,
        return_sequences: bool = True,
        return_state: bool = False,
        batch_first: bool = True,
        mixed_memory: bool | None = None,
        input_mapping: str | None = None,
        output_mapping: str | None = None,
        ode_unfolds: int | None = None,
        epsilon: float | None = None,
        implicit_param_constraints: bool | None = None,
        time_scale_factor: float | None = None,
        go_backwards: bool = False,
    ) -> None:
        super().__init__(
            neuron_map,
            return_sequences,
            return_state,
            batch_first,
            go_backwards,
            mixed_memory=mixed_memory,
            input_mapping=input_mapping,
            output_mapping=output_mapping,
            ode_unfolds=ode_unfolds,
            epsilon=epsilon,
            implicit_param_constraints=implicit_param_constraints,
            time_scale_factor=time_scale_factor,
        )

    def _check(self, of_map: Mapping[str, Any]) -> None:
        for name in ("input_mapping", "output_mapping"):
            if self.options[name] not in ("affine", "linear", "none"):
                raise ValueError(
                    f"[LTC] {name} must be 'affine', 'linear' or 'none', not {self.options[name]!r}"
                )
        for name in (
            "mode",
            "activation",
            "recurrent_activation",
            "use_bias",
            "kernel_initializer",
            "recurrent_initializer",
            "bias_initializer",
        ):
            if name in of_map:
                raise ValueError(
                    f"[LTC] the map has {name}={of_map[name]!r}, which LTC does not support"
                )

    def _make(self, wiring: Any) -> Module:
        o = self.options
        rnn = _nn.LTC(
            wiring.inputs,
            wiring,
            self.batch_first,
            o["ode_unfolds"],
            o["epsilon"],
            o["input_mapping"] != "none",
            o["output_mapping"] != "none",
            o["implicit_param_constraints"],
            o["mixed_memory"],
        )
        for mapping, bias in ((o["input_mapping"], "input_b"), (o["output_mapping"], "output_b")):
            if mapping == "linear":  # a scale without an offset
                getattr(rnn.rnn_cell, bias).requires_grad = False
        return rnn

    def _inputs_of(self, state: Mapping[str, Any]) -> int | None:
        w = state.get("rnn.rnn_cell.sensory_w")
        return None if w is None else int(w.shape[0])

    def apply_weight_constraints(self) -> None:
        """Clamps capacities, leaks and synaptic weights to non-negative values; useful if they are
        not constrained implicitly.
        """
        if not self.built:
            raise StateError("[LTC] is not built: call it once, or build(input_shape)")
        self.rnn.rnn_cell.clamp()


class CfC(_Liquid):
    """The closed form of a liquid network over a map of neurons."""

    _defaults = {
        "mode": "default",
        "mixed_memory": False,
        "time_scale_factor": 1.0,
        "kernel_initializer": None,
        "recurrent_initializer": None,
        "bias_initializer": None,
    }

    def __init__(
        self,
        neuron_map: NeuronMap | int,
        return_sequences: bool = False,
        return_state: bool = False,
        go_backwards: bool = False,
        mode: str | None = None,
        time_scale_factor: float | None = None,
        activation: str = "tanh",
        recurrent_activation: str = "sigmoid",
        use_bias: bool = True,
        kernel_initializer: Any = None,
        recurrent_initializer: Any = None,
        bias_initializer: Any = None,
        mixed_memory: bool | None = None,
        batch_first: bool = True,
    ) -> None:
        _only(
            type(self).__name__,
            activation=(activation, "tanh"),
            recurrent_activation=(recurrent_activation, "sigmoid"),
            use_bias=(use_bias, True),
        )
        super().__init__(
            neuron_map,
            return_sequences,
            return_state,
            batch_first,
            go_backwards,
            mode=mode,
            mixed_memory=mixed_memory,
            time_scale_factor=time_scale_factor,
            kernel_initializer=kernel_initializer,
            recurrent_initializer=recurrent_initializer,
            bias_initializer=bias_initializer,
        )

    def _check(self, of_map: Mapping[str, Any]) -> None:
        layer = type(self).__name__
        _only(
            layer,
            activation=(of_map.get("activation"), "tanh"),
            recurrent_activation=(of_map.get("recurrent_activation"), "sigmoid"),
            use_bias=(of_map.get("use_bias"), True),
        )
        for name in (
            "ode_unfolds",
            "epsilon",
            "implicit_param_constraints",
            "input_mapping",
            "output_mapping",
        ):
            if name in of_map:
                raise ValueError(
                    f"[{layer}] the map has {name}={of_map[name]!r}, which CfC does not support: use LTC"
                )
        if self.options["mode"] not in ("default", "no_gate", "pure"):
            raise ValueError(
                f"[{layer}] mode must be 'default', 'no_gate' or 'pure', not {self.options['mode']!r}"
            )

    def _make(self, wiring: Any) -> Module:
        o = self.options
        rnn = _nn.CfC(
            wiring.inputs, wiring, self.batch_first, o["mode"], mixed_memory=o["mixed_memory"]
        )
        _initialize(
            rnn,
            wiring.inputs,
            o["kernel_initializer"],
            o["recurrent_initializer"],
            o["bias_initializer"],
        )
        return rnn

    def _inputs_of(self, state: Mapping[str, Any]) -> int | None:
        w = state.get("rnn.rnn_cell.layer_0.ff1.weight")
        return None if w is None else int(w.shape[1] - w.shape[0])


class seCfC(CfC):
    """A CfC whose neurons have positions: get_regularization_loss() is the mean of |weight| times
    length over its synapses, times regularization_strength. The positions are those of an
    EnhancedNeuronMap or EnhancedNCPMap, else a grid.
    """

    def __init__(
        self,
        neuron_map: NeuronMap | int,
        *args: Any,
        regularization_strength: float = 0.01,
        **options: Any,
    ) -> None:
        if not regularization_strength >= 0:
            raise ValueError(
                f"[seCfC] regularization_strength must not be negative, not {regularization_strength}"
            )
        super().__init__(neuron_map, *args, **options)
        self.regularization_strength = regularization_strength

    def get_regularization_loss(self) -> EmberTensor:
        """The regularization loss of the recurrent synapses."""
        if not self.built:
            raise StateError("[seCfC] is not built: call it once, or build(input_shape)")
        far, layers = self.neuron_map.get_distances(), self.neuron_map.wiring.layers
        costs, n = [], 0
        for i, own in enumerate(layers):
            before = list(own) if i == 0 else list(layers[i - 1])
            cell = getattr(self.rnn.rnn_cell, f"layer_{i}")
            ahead = self.neuron_map.wiring.inputs if i == 0 else 0
            sources = before if i == 0 else [*before, *own]
            d = _f["take"](
                _f["take"](far, _f["asarray"](list(own)), axis=0), _f["asarray"](sources), axis=1
            )
            for name, p in cell.named_parameters():
                if name.endswith("weight"):
                    costs.append(_f["sum"](_f["abs"](p[:, ahead:]) * d.astype(p.dtype)))
                    n += d.size
        total = costs[0]
        for c in costs[1:]:
            total = total + c
        return total * (self.regularization_strength / n)

    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments."""
        return {**super().get_config(), "regularization_strength": self.regularization_strength}


class StrideAwareCfC(CfC):
    """A CfC that reads every stride_length-th step, with time stride_length * time_scale_factor
    between two of them.
    """

    def __init__(
        self,
        neuron_map: NeuronMap | int,
        stride_length: int = 1,
        time_scale_factor: float | None = None,
        *,
        return_sequences: bool = False,
        return_state: bool = False,
        **options: Any,
    ) -> None:
        if stride_length < 1:
            raise ValueError(
                f"[StrideAwareCfC] stride_length must be positive, not {stride_length}"
            )
        super().__init__(
            neuron_map,
            return_sequences,
            return_state,
            time_scale_factor=time_scale_factor,
            **options,
        )
        self.stride_length = stride_length

    def forward(
        self, inputs: Any, initial_state: Any = None, timespans: Any = None, time_deltas: Any = None
    ) -> Any:
        """The outputs of the steps that it reads, or of the last of them."""
        x = _f["asarray"](inputs)
        n, axis = self.stride_length, 0 if x.ndim == 2 or not self.batch_first else 1
        spans = time_deltas if timespans is None else timespans
        if n == 1:
            return super().forward(x, initial_state, spans)
        take = (slice(None),) * axis + (slice(None, None, n),)
        spans = (
            _f["full"](x.shape[:-1], 1.0, dtype=x.dtype)
            if spans is None
            else _f["asarray"](spans, dtype=x.dtype)
        )
        if spans.ndim < x.ndim - 1:
            take_spans: Any = slice(None, None, n)
        else:
            take_spans = take
        return super().forward(x[take], initial_state, spans[take_spans] * float(n))

    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments."""
        config = super().get_config()
        return {"stride_length": self.stride_length, **config}


class StrideAwareCell(Module):
    """One step of a leaky network: h' = h + (1 - exp(-time)) (activation(W x + U h + b) - h), with
    time = stride_length * time_scale_factor * elapsed_time: the exact solution of the linear
    relaxation.
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        stride_length: int = 1,
        time_scale_factor: float = 1.0,
        activation: str = "tanh",
        use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros",
    ) -> None:
        super().__init__()
        if stride_length < 1 or not time_scale_factor > 0:
            raise ValueError(
                f"[StrideAwareCell] stride_length and time_scale_factor must be positive, not {stride_length} and {time_scale_factor}"
            )
        self.input_size, self.hidden_size, self.stride_length, self.time_scale_factor = (
            input_size,
            hidden_size,
            stride_length,
            time_scale_factor,
        )
        self.activation, self.use_bias = activation, use_bias
        self.kernel_initializer, self.bias_initializer = kernel_initializer, bias_initializer
        _nn.get_activation(activation)  # raises for an unknown name
        self.kernel = Parameter(get_initializer(kernel_initializer)((input_size, hidden_size)))
        self.recurrent_kernel = Parameter(get_initializer("orthogonal")((hidden_size, hidden_size)))
        self.register_parameter(
            "bias",
            Parameter(get_initializer(bias_initializer)((hidden_size,))) if use_bias else None,
        )

    def forward(
        self, inputs: Any, state: Any = None, elapsed_time: Any = 1.0
    ) -> tuple[EmberTensor, EmberTensor]:
        """The output, which is the next state, and the next state."""
        x = _f["asarray"](inputs)
        h = (
            _f["zeros"]((*x.shape[:-1], self.hidden_size), dtype=x.dtype)
            if state is None
            else _states(state)[0]
        )
        z = x @ self.kernel + h @ self.recurrent_kernel
        if self.bias is not None:
            z = z + self.bias
        time = _f["asarray"](elapsed_time, dtype=h.dtype) * (
            self.stride_length * self.time_scale_factor
        )
        h = h + (1 - _f["exp"](-time)) * (_nn.get_activation(self.activation)(z) - h)
        return h, h

    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments."""
        return {
            name: getattr(self, name)
            for name in (
                "input_size",
                "hidden_size",
                "stride_length",
                "time_scale_factor",
                "activation",
                "use_bias",
                "kernel_initializer",
                "bias_initializer",
            )
        }


class StrideAware(Module):
    """A StrideAwareCell along a sequence: it reads every stride_length-th step."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        stride_length: int = 1,
        time_scale_factor: float = 1.0,
        return_sequences: bool = True,
        batch_first: bool = True,
        activation: str = "tanh",
        bias: bool = True,
        use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros",
        return_state: bool = False,
    ) -> None:
        super().__init__()
        self.return_sequences, self.return_state, self.batch_first = (
            return_sequences,
            return_state,
            batch_first,
        )
        self.cell = StrideAwareCell(
            input_size,
            hidden_size,
            stride_length,
            time_scale_factor,
            activation,
            bias and use_bias,
            kernel_initializer,
            bias_initializer,
        )

    def forward(self, inputs: Any, initial_state: Any = None, elapsed_time: float = 1.0) -> Any:
        """The states at the steps that it reads, or at the last of them."""
        x = _f["asarray"](inputs)
        axis = 1 if self.batch_first else 0
        h, outputs = initial_state, []
        for t in range(0, x.shape[axis], self.cell.stride_length):
            y, h = self.cell(_f["take"](x, t, axis=axis), h, elapsed_time)
            outputs.append(y)
        if not outputs:
            raise ValueError(f"[StrideAware] the shape {x.shape} has no steps")
        return _result(self, _f["stack"](outputs, axis=axis), h)

    def reset_state(self, batch_size: int = 1) -> list[EmberTensor]:
        """The state before the first step: zeros."""
        return [_f["zeros"]((batch_size, self.cell.hidden_size))]

    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments."""
        return {
            **self.cell.get_config(),
            "return_sequences": self.return_sequences,
            "return_state": self.return_state,
            "batch_first": self.batch_first,
        }


class _Absent(Module):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise UnsupportedError(f"[{type(self).__name__}] is not available in Ember: use LTC or CfC")


class LQNet(_Absent):
    """A name of Ember ML that Ember does not offer."""


class CTRQNet(_Absent):
    """A name of Ember ML that Ember does not offer."""


__all__ = [
    "CTRQNet",
    "CfC",
    "CfCCell",
    "GRU",
    "GRUCell",
    "LQNet",
    "LSTM",
    "LSTMCell",
    "LTC",
    "LTCCell",
    "RNN",
    "RNNCell",
    "StrideAware",
    "StrideAwareCell",
    "StrideAwareCfC",
    "seCfC",
]
