"""Engines that a test of ONNX models chooses."""

import pytest

import ember_ml
from engines import skip_unless_it_loads


@pytest.fixture
def on_engine():
    """A function that chooses an engine for the test."""

    def choose(name):
        skip_unless_it_loads(name)
        ember_ml.set_backend(name)

    return choose
