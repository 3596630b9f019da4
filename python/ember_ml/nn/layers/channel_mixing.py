"""Layers that act on each step."""

from ..._core.nn.mixing import GatedMLP, MLP

__all__ = ["GatedMLP", "MLP"]
