"""Ember ML's modules: its RNN, LSTM, GRU, CfC and LTC, which take [batch, steps, features], its
neuron maps, and every other layer of `ember_ml.nn`. PyTorch's RNN, LSTM and GRU are in
`ember_ml.nn`.
"""

from __future__ import annotations

from typing import Any as _Any

from ..._core import Parameter
from ..._core.nn import *  # noqa: F403
from ..._core.nn import Module, __all__ as _layers
from . import activations, rnn, wiring
from .batch_normalization import BatchNormalization
from .containers import ModuleDict, ParameterDict, ParameterList
from .dense import Dense
from .dropout import Dropout  # type: ignore[assignment]
from .ncp import NCP, AutoNCP
from .rnn import GRU, LSTM, LTC, RNN, CfC, StrideAware, StrideAwareCell, StrideAwareCfC, seCfC  # type: ignore[assignment]
from .wiring import (  # type: ignore[assignment]
    AutoNCPMap,
    EnhancedNCPMap,
    EnhancedNeuronMap,
    FullyConnectedMap,
    FullyConnectedNCPMap,
    NCPMap,
    NeuronMap,
    RandomMap,
)

BaseModule = Module
_names = {n for n in globals() if not n.startswith("_")} - {"annotations"}
__all__ = sorted(_names)


def __getattr__(name: str) -> _Any:
    raise AttributeError(f"module 'ember_ml.nn.modules' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
