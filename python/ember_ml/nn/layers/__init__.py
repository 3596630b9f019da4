"""Layers over [batch, steps, features] with a mask: `channel_mixing` acts on each step,
`sequence_mixing` between steps.
"""

from ..._core.nn import Linear, Sequential
from ..._core.nn.mixing import *  # noqa: F403
from ..._core.nn.mixing import __all__ as _mixing
from . import base, channel_mixing, sequence_mixing
from ..modules.batch_normalization import BatchNormalization
from ..modules.dropout import Dropout
from .base import ChannelMixingLayer, SequenceMixingLayer

__all__ = [
    *_mixing,
    "BatchNormalization",
    "ChannelMixingLayer",
    "Dropout",
    "Linear",
    "SequenceMixingLayer",
    "Sequential",
    "base",
    "channel_mixing",
    "sequence_mixing",
]
