"""Base classes: a subclass of Layer defines forward(x, mask=None), a subclass of a family mix(x) or
mix(x, mask).
"""

from ..._core.nn.mixing import ChannelMixing, Layer, SequenceMixing

ChannelMixingLayer = ChannelMixing
SequenceMixingLayer = SequenceMixing
__all__ = ["ChannelMixing", "ChannelMixingLayer", "Layer", "SequenceMixing", "SequenceMixingLayer"]
