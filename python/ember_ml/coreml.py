"""Core ML packages: `coreml.save("net.mlpackage", net, [x])` writes a network for macOS and iOS."""

from __future__ import annotations

from ._core.coreml import save

__all__ = ["save"]
