"""Layers that work on each step by itself."""

from ..._core.nn.mixing import GatedMLP, MLP

__all__ = ["GatedMLP", "MLP"]
