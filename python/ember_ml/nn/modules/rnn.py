"""Recurrent and liquid networks under Ember ML's names: sequences come as [batch, steps, features], and return_sequences and
return_state say what forward gives. Those of `ember_ml.nn` always give both, as PyTorch's do."""
from __future__ import annotations

from typing import Any

from ..._core import UnsupportedError, functions as _f
from ..._core import nn as _nn
from ..._core.nn import CfCCell, GRUCell, LSTMCell, LTCCell, Module, RNNCell
from .wiring import FullyConnectedMap, NeuronMap

__path__: list[str] = []  # so that rnn.lstm can be imported: _aliases knows it


def _result(self: Any, y: Any, state: Any) -> Any:
    if not self.return_sequences:
        y = _f["take"](y, -1, axis=1 if self.batch_first else 0)
    return (y, state) if self.return_state else y


class _Recurrent:
    """What the three have in common; the rest is the layer's of `ember_ml.nn`."""

    def __init__(self, input_size: int, hidden_size: int, num_layers: int = 1, *, bias: bool = True, batch_first: bool = True,
                 return_sequences: bool = True, return_state: bool = False, use_bias: bool = True, **options: Any) -> None:
        super().__init__(input_size, hidden_size, num_layers, bias=bias and use_bias, batch_first=batch_first, **options)  # type: ignore[call-arg]
        self.return_sequences, self.return_state = return_sequences, return_state

    def forward(self, inputs: Any, initial_state: Any = None) -> Any:
        """The hidden states of all steps, or of the last; with return_state also the state after the last step."""
        return _result(self, *super().forward(inputs, initial_state))  # type: ignore[misc]


class RNN(_Recurrent, _nn.RNN):
    """h' = tanh(W x + b + U h + c)."""


class LSTM(_Recurrent, _nn.LSTM):
    """Long short-term memory; the state is a pair (hidden, cell)."""


class GRU(_Recurrent, _nn.GRU):
    """Gated recurrent units."""


class _Liquid(Module):
    """A network that is made when the number of inputs is known: from the map, or from the first input."""

    def __init__(self, neuron_map: NeuronMap | int, return_sequences: bool, return_state: bool, batch_first: bool = True, **options: Any) -> None:
        super().__init__()
        self.neuron_map = FullyConnectedMap(neuron_map) if isinstance(neuron_map, int) else neuron_map
        self.return_sequences, self.return_state, self.batch_first, self.options = return_sequences, return_state, batch_first, options
        if self.neuron_map.is_built():
            self.build((self.neuron_map.input_dim,))

    def _make(self, wiring: Any) -> Module:
        raise NotImplementedError

    def build(self, input_shape: Any) -> None:
        """Makes the parameters, for inputs whose last axis has this length."""
        self.neuron_map.build(input_shape[-1])
        self.rnn = self._make(self.neuron_map.wiring)

    def forward(self, inputs: Any, initial_state: Any = None, timespans: Any = None, time_deltas: Any = None) -> Any:
        """The outputs of all steps, or of the last; with return_state also the state after the last step."""
        x = _f["asarray"](inputs)
        if not hasattr(self, "rnn"):
            self.build(x.shape)
        return _result(self, *self.rnn(x, initial_state, time_deltas if timespans is None else timespans))

    def get_config(self) -> dict[str, Any]:
        """The constructor's arguments."""
        return {"neuron_map": self.neuron_map, "return_sequences": self.return_sequences, "return_state": self.return_state,
                "batch_first": self.batch_first, **self.options}


class LTC(_Liquid):
    """A liquid time-constant network over a map of neurons."""

    def __init__(self, neuron_map: NeuronMap | int, return_sequences: bool = True, return_state: bool = False, batch_first: bool = True,
                 mixed_memory: bool = False, input_mapping: str | None = "affine", output_mapping: str | None = "affine", ode_unfolds: int = 6,
                 epsilon: float = 1e-8, implicit_param_constraints: bool = False) -> None:
        super().__init__(neuron_map, return_sequences, return_state, batch_first, mixed_memory=mixed_memory, input_mapping=input_mapping,
                         output_mapping=output_mapping, ode_unfolds=ode_unfolds, epsilon=epsilon, implicit_param_constraints=implicit_param_constraints)

    def _make(self, wiring: Any) -> Module:
        o = self.options
        return _nn.LTC(wiring.inputs, wiring, self.batch_first, o["ode_unfolds"], o["epsilon"], o["input_mapping"] is not None,
                       o["output_mapping"] is not None, o["implicit_param_constraints"], o["mixed_memory"])


class CfC(_Liquid):
    """The closed form of a liquid network over a map of neurons."""

    def __init__(self, neuron_map: NeuronMap | int, return_sequences: bool = False, return_state: bool = False, batch_first: bool = True,
                 mode: str = "default", activation: str = "lecun_tanh", mixed_memory: bool = False) -> None:
        super().__init__(neuron_map, return_sequences, return_state, batch_first, mode=mode, activation=activation, mixed_memory=mixed_memory)

    def _make(self, wiring: Any) -> Module:
        o = self.options
        return _nn.CfC(wiring.inputs, wiring, self.batch_first, o["mode"], o["activation"], mixed_memory=o["mixed_memory"])


class _Absent(Module):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise UnsupportedError(f"[{type(self).__name__}] is not part of Ember: LTC and CfC are its liquid networks")


class LQNet(_Absent):
    """A name of Ember ML: not part of Ember."""


class CTRQNet(_Absent):
    """A name of Ember ML: not part of Ember."""


class seCfC(_Absent):
    """A name of Ember ML: not part of Ember."""


__all__ = ["CTRQNet", "CfC", "CfCCell", "GRU", "GRUCell", "LQNet", "LSTM", "LSTMCell", "LTC", "LTCCell", "RNN", "RNNCell", "seCfC"]
