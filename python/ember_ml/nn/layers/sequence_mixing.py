"""Layers that act between steps."""

from ..._core.nn.mixing import Attention, CausalAttention, Convolution, Recurrent

__all__ = ["Attention", "CausalAttention", "Convolution", "Recurrent"]
