"""What the tests of the package webnn share: contexts on native, or on every engine that loads here."""
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
os.environ.setdefault("EMBER_FALLBACK", "silent")  # what an engine lacks runs on native, and is compared all the same
os.environ.setdefault("EMBER_NUM_THREADS", "2")
os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # libtorch's threads would spin on cores that others need

import pytest

import ember_ml
import webnn

ENGINES = os.environ.get("EMBER_TEST_ENGINES", "native numpy torch mlx onnxruntime").split()
contexts = {}


@pytest.fixture
def context():
    return webnn.ML().create_context(accelerated=False)


@pytest.fixture
def builder(context):
    return context.create_graph_builder()


@pytest.fixture(params=ENGINES)
def engine_context(request):
    """One context for each engine, for all tests."""
    name = request.param
    reason = next((b["reason"] for b in ember_ml.backend_info() if b["name"] == name and not b["available"]), None)
    if reason is not None:
        pytest.skip(f"{name} does not load here: {reason}")
    if name not in contexts:
        contexts[name] = webnn.ML().create_context(engine=name, device=os.environ.get("EMBER_TEST_DEVICE"))
    return contexts[name]
