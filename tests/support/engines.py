"""The engines under test, and conversions between tensors and arrays."""

import os

import ml_dtypes
import numpy as np
import pytest

import ember_ml

ENGINES = os.environ.get("EMBER_TEST_ENGINES", "native numpy torch mlx onnxruntime").split()
# NumPy's buffer protocol has no names for these dtypes, so they are widened.
NARROW = {"int4": np.int8, "uint4": np.uint8, "bfloat16": np.float32}


def skip_unless_it_loads(name):
    for backend in ember_ml.backend_info():
        if backend["name"] == name and not backend["available"]:
            pytest.skip(f"{name} does not load here: {backend['reason']}")


def skip_unless_under_test(*names):
    for name in names:
        if name not in ENGINES:
            pytest.skip(f"{name} is not among the engines under test")


def to_ember(x):
    x = np.asarray(x)
    if x.dtype == object:
        return x  # strings
    via = NARROW.get(x.dtype.name)
    if via is None:
        return ember_ml.asarray(x)
    return ember_ml.asarray(x.astype(via)).astype(x.dtype.name)


def to_numpy(t):
    if not isinstance(t, ember_ml.EmberTensor):
        return np.array(t, object)  # strings, as lists
    via = NARROW.get(t.dtype.name)
    if via is None:
        return np.asarray(t)
    return np.asarray(t.astype(np.dtype(via).name)).astype(getattr(ml_dtypes, t.dtype.name))
