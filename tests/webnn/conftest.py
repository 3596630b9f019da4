"""Contexts on native, or on every engine under test."""

import os

import pytest

import webnn
from engines import ENGINES, skip_unless_it_loads

contexts = {}


@pytest.fixture
def context():
    return webnn.ML().create_context(accelerated=False)


@pytest.fixture
def builder(context):
    return context.create_graph_builder()


@pytest.fixture(params=ENGINES)
def engine_context(request):
    """One context per engine, shared by all tests."""
    name = request.param
    skip_unless_it_loads(name)
    if name not in contexts:
        contexts[name] = webnn.ML().create_context(
            engine=name, device=os.environ.get("EMBER_TEST_DEVICE")
        )
    return contexts[name]
