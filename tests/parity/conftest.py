import os
import sys

import pytest

sys.path.insert(0, os.path.dirname(__file__))
os.environ.setdefault("EMBER_FALLBACK", "silent")  # what an engine lacks runs on native, and is compared all the same
os.environ.setdefault("EMBER_NUM_THREADS", "2")
os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # libtorch's threads would spin on cores that others need
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the references' threads would compete with the workers


@pytest.fixture(autouse=True)
def same_random_numbers():
    """Every test starts from the same seed, so that none fails by chance."""
    from ember_ml import _core
    _core.functions["seed"](1)
