"""Selects an engine for a test, for every engine under test."""

import pytest

import ember_ml
from engines import ENGINES, skip_unless_it_loads


@pytest.fixture(params=ENGINES)
def engine(request):
    skip_unless_it_loads(request.param)
    ember_ml.set_backend(request.param)
    return request.param
