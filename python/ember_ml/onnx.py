"""ONNX models: `net = onnx.load("model.onnx"); y = net(x)` runs one on the current backend."""

from __future__ import annotations

from ._compat.absent import getter as _getter
from ._core.onnx import Network, Port, load, operators, parse, save

__all__ = ["Network", "Port", "load", "operators", "parse", "save"]

__getattr__ = _getter(__name__, {"export": "use em.onnx.save"}, __all__)
