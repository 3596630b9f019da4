"""Lets tests of ONNX models select engines."""

import pytest

import ember_ml
from engines import skip_unless_it_loads


@pytest.fixture
def on_engine():
    """A function that selects an engine for the test."""

    def choose(name):
        skip_unless_it_loads(name)
        ember_ml.set_backend(name)

    return choose
