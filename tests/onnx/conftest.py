"""What the tests of ONNX models share: how arrays go in and come out, and the engines they run on."""
import os

os.environ.setdefault("EMBER_FALLBACK", "silent")  # what an engine lacks runs on native, and is compared all the same
os.environ.setdefault("EMBER_NUM_THREADS", "2")
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

import ml_dtypes
import numpy as np
import pytest

import ember_ml

ENGINES = os.environ.get("EMBER_TEST_ENGINES", "native numpy torch mlx onnxruntime").split()
NARROW = {"int4": np.int8, "uint4": np.uint8, "bfloat16": np.float32}  # what NumPy's buffers have no name for goes through these


def to_ember(x):
    x = np.asarray(x)
    if x.dtype == object:
        return x  # strings
    via = NARROW.get(x.dtype.name)
    return ember_ml.asarray(x) if via is None else ember_ml.asarray(x.astype(via)).astype(x.dtype.name)


def to_numpy(t):
    if not isinstance(t, ember_ml.EmberTensor):
        return np.array(t, object)  # strings, as lists
    via = NARROW.get(t.dtype.name)
    return np.asarray(t) if via is None else np.asarray(t.astype(np.dtype(via).name)).astype(getattr(ml_dtypes, t.dtype.name))


@pytest.fixture
def on_engine():
    """A function that chooses an engine for a test; it is put back after it."""
    before = ember_ml.get_backend()

    def choose(name):
        reason = next((b["reason"] for b in ember_ml.backend_info() if b["name"] == name and not b["available"]), None)
        if reason is not None:
            pytest.skip(f"{name} does not load here: {reason}")
        ember_ml.set_backend(name)
    yield choose
    ember_ml.set_backend(before)
