"""The old API still works and warns (seed 003). docs/webnn-migration.md has the schedule."""

import pathlib
import warnings

import numpy as np
import pytest

import webnn

CONTEXT = webnn.ML().create_context()
BUILDER = CONTEXT.create_graph_builder()
graph = BUILDER.build({"y": BUILDER.relu(BUILDER.input("x", [2, 3], "float32"))})


def get_context():
    return CONTEXT


def test_old_api_with_warning():
    """Verify deprecated APIs emit warnings"""
    context = get_context()

    with pytest.warns(DeprecationWarning, match="create_device_tensor"):
        tensor = context.create_device_tensor(graph, [2, 3], "float32")
    assert isinstance(tensor, webnn.MLDeviceTensor)


def test_new_api_without_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        x = CONTEXT.create_host_tensor([2, 3], "float32")
        y = CONTEXT.create_tensor([2, 3], "float32")
        CONTEXT.create_tensor_for_graph(graph, [2, 3], "float32")
        CONTEXT.dispatch(graph, {"x": x}, {"y": y})


def test_the_device_of_the_old_api():
    with (
        pytest.warns(DeprecationWarning),
        pytest.raises(ValueError, match="Unsupported device: bogus"),
    ):
        CONTEXT.create_device_tensor(graph, [2, 3], "float32", device="bogus")
    with pytest.warns((DeprecationWarning, RuntimeWarning)) as told:
        tensor = CONTEXT.create_device_tensor(graph, [2, 3], "float32", "cuda")
    assert [w.category for w in told] == [DeprecationWarning, RuntimeWarning] and "cuda" in str(
        told[1].message
    )
    tensor.write(np.ones((2, 3)))
    assert (tensor.read() == 1).all()


def test_the_warning_points_at_the_caller():
    with pytest.warns(DeprecationWarning) as told:
        CONTEXT.create_device_tensor(graph, [2, 3], "float32")
    assert pathlib.Path(told[0].filename).name == "test_migration.py"


def test_the_guide_names_what_warns():
    guide = (pathlib.Path(__file__).parents[2] / "docs" / "webnn-migration.md").read_text()
    for name in (
        "create_device_tensor",
        "create_tensor_for_graph",
        "create_host_tensor",
        "create_tensor",
        "v0.1",
        "v1.0",
        "v2.0",
    ):
        assert name in guide, name
