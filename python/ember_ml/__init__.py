"""Ember: tensors and neural networks that run on any engine.

This module is an array API namespace (2025.12); `ops` has every op, `nn` the layers, `training`
what trains them. Functions record ops and reading a value computes them. Engines load on first use.
"""

from __future__ import annotations

import importlib as _importlib
import math as _math
from typing import Any as _Any

from . import _aliases, _at, tree
from ._compat import (
    absent as _absent,
    einops_backend as _einops_backend,
    methods as _methods,
    ufuncs as _ufuncs,
)
from ._compat.calculus import gradient, install as _install_gradient
from ._compat.grids import *  # noqa: F403
from ._compat.jax import *  # noqa: F403
from ._compat.numpy import *  # noqa: F403
from ._compat.random import rand, rand_like, randint, randn, randn_like, randperm
from ._compat.text import genfromtxt, loadtxt, savetxt
from ._compat.torch import *  # noqa: F403
from ._core import (
    DType,
    EmberTensor,
    Parameter,
    asarray,
    auto_select_backend,
    backend_info,
    clear_cache,
    convert_to_tensor,
    counters,
    finfo,
    from_dlpack,
    get_available_backends,
    get_available_devices,
    get_backend,
    get_default_dtype,
    get_device,
    get_printoptions,
    iinfo,
    load,
    load_metadata,
    memory_stats,
    save,
    set_backend,
    set_default_dtype,
    set_device,
    set_printoptions,
    synchronize,
    to_device,
    using_backend,
    __version__,
)
from ._custom import custom_function, custom_vjp, jvp, vjp
from ._grad import (
    checkpoint,
    enable_grad,
    eval,
    grad,
    gradients,
    hessian,
    jacobian,
    no_grad,
    value_and_grad,
)
from ._info import __array_namespace_info__
from ._more import (
    dtype,
    from_dtype_str,
    get_default_device,
    get_device_of_tensor,
    get_dtype,
    index,
    index_update,
    is_available,
    memory_info,
    memory_usage,
    set_default_device,
    set_ops,
    slice_update,
    to_dtype_str,
    to_numpy,
)
from ._names import DTYPES as _DTYPES, FUNCTIONS as _FUNCTIONS

__array_api_version__ = "2025.12"
e, pi, inf, nan, newaxis = _math.e, _math.pi, _math.inf, _math.nan, None

_MODULES = (
    "accelerator",
    "activations",
    "autograd",
    "backend",
    "backends",
    "bitwise",
    "core",
    "coreml",
    "cuda",
    "datasets",
    "debug",
    "distributed",
    "distributions",
    "errors",
    "fast",
    "features",
    "fft",
    "func",
    "lax",
    "linalg",
    "linearalg",
    "lint",
    "memory",
    "models",
    "nn",
    "numpy",
    "onnx",
    "ops",
    "optim",
    "optimizers",
    "random",
    "registry",
    "scipy",
    "special",
    "stats",
    "tensor",
    "training",
    "tree_util",
    "types",
    "utils",
    "visualization",
)
# torch's and NumPy's names of dtypes. They are not in __all__: `float` and `int` would hide
# Python's own.
_DTYPE_WORDS = {
    "float": "float32",
    "int": "int32",
    "half": "float16",
    "double": "float64",
    "single": "float32",
    "long": "int64",
    "short": "int16",
    "byte": "uint8",
    "cfloat": "complex64",
    "cdouble": "complex128",
    "int_": "int64",
    "intp": "int64",
}
_FUNCTIONS_HERE = {n: f for n, f in _FUNCTIONS.items() if n not in _MODULES and n not in globals()}
globals().update(_FUNCTIONS_HERE)
globals().update(_DTYPES)
bool_ = _DTYPES["bool"]
array = asarray
jacfwd = jacrev = jacobian
Array = Tensor = ndarray = EmberTensor
_at.install()
_einops_backend.install()
_install_gradient()
_methods.install()
_ufuncs.install()


def __getattr__(name: str) -> _Any:
    if name in _MODULES:
        return _importlib.import_module(f"{__name__}.{name}")
    if name in _DTYPE_WORDS:
        return _DTYPES[_DTYPE_WORDS[name]]
    _absent.missing(__name__, name, _absent.TOP, __dir__())


__all__ = [n for n in globals() if not n.startswith("_") and n != "annotations"] + [
    "fft",
    "linalg",
    "__array_namespace_info__",
]


def __dir__() -> list[str]:
    return sorted({*__all__, *_MODULES, "__version__", "__array_api_version__"})
