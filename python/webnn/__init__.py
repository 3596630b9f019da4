"""WebNN for Python: graphs of the W3C's operators, built once, run on any of Ember's engines.

The names are pywebnn's, so that its programs run: `ML().create_context()`,
`context.create_graph_builder()`, `builder.input(...)`, `builder.build(...)`,
`context.dispatch(...)`. Tensors stay on the device unless they are created readable or writable.
Results are NumPy arrays if NumPy is installed; the package does not need it.
"""

from __future__ import annotations

from ember_ml import __version__
from ember_ml._core.webnn import ML, MLContext, MLDeviceTensor, MLGraph, MLOperand, MLTensor

from ._async import AsyncMLContext
from ._builder import MLGraphBuilder
from ._hub import Hub

__all__ = [
    "ML",
    "MLContext",
    "AsyncMLContext",
    "MLGraphBuilder",
    "MLOperand",
    "MLGraph",
    "MLTensor",
    "MLDeviceTensor",
    "Hub",
]
__version__ = __version__
