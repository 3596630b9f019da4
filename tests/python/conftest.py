"""What the Python tests share: every engine that loads here, chosen for a test and put back after it."""
import os

os.environ.setdefault("EMBER_FALLBACK", "silent")  # what an engine lacks runs on native, and is compared all the same
os.environ.setdefault("EMBER_NUM_THREADS", "2")
os.environ.setdefault("SCIPY_ARRAY_API", "1")  # read when scipy is imported
os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # libtorch's threads would spin on cores that others need

import pytest

import ember_ml

ENGINES = os.environ.get("EMBER_TEST_ENGINES", "native numpy torch mlx onnxruntime").split()


@pytest.fixture(params=ENGINES)
def engine(request):
    reason = next((b["reason"] for b in ember_ml.backend_info() if b["name"] == request.param and not b["available"]), None)
    if reason is not None:
        pytest.skip(f"{request.param} does not load here: {reason}")
    before = ember_ml.get_backend()
    ember_ml.set_backend(request.param)
    yield request.param
    ember_ml.set_backend(before)


@pytest.fixture(autouse=True)
def same_start():
    """Every test starts on native and from the same seed, so that none fails by chance, or by what ran before it."""
    ember_ml.set_backend("native")
    ember_ml.random.seed(1)
