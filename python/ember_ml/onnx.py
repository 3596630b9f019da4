"""ONNX models: `net = onnx.load("model.onnx"); y = net(x)` runs one on the current backend."""

from __future__ import annotations

from ._core.onnx import Network, Port, load, operators, parse, save

__all__ = ["Network", "Port", "load", "operators", "parse", "save"]
