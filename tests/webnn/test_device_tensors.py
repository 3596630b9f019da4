"""Tensors are device-resident by default, and host-accessible on request (seed 003)."""

import numpy as np
import pytest

import ember_ml
import webnn


def get_context():
    return webnn.ML().create_context()


def test_device_tensor_is_default():
    """Verify create_tensor() defaults to device-resident"""
    context = get_context()

    # Default behavior: device-resident
    tensor = context.create_tensor([2, 3], "float32")
    assert isinstance(tensor, webnn.MLDeviceTensor)
    assert not tensor.readable
    assert not tensor.writable


def test_host_tensor_explicit():
    """Verify host tensors require explicit flags"""
    context = get_context()

    # Explicit host access
    tensor = context.create_tensor([2, 3], "float32", readable=True, writable=True)
    assert isinstance(tensor, webnn.MLTensor)
    assert tensor.readable
    assert tensor.writable


def test_host_tensor_convenience():
    """Verify create_host_tensor() convenience method"""
    context = get_context()

    # Convenience method
    tensor = context.create_host_tensor([2, 3], "float32")
    assert isinstance(tensor, webnn.MLTensor)
    assert tensor.readable
    assert tensor.writable


def plus_one(context, shape=(2, 3), dtype="float32"):
    b = context.create_graph_builder()
    return b.build(
        {
            "y": b.add(
                b.input("x", list(shape), dtype), b.constant(np.ones(shape), list(shape), dtype)
            )
        }
    )


def test_flags_decide_the_tensor_class():
    context = get_context()
    assert issubclass(webnn.MLDeviceTensor, webnn.MLTensor)
    for flags in ({"readable": True}, {"writable": True}, {"readable": True, "writable": True}):
        assert type(context.create_tensor([1], "float32", **flags)) is webnn.MLTensor
    assert (
        type(context.create_tensor_for_graph(plus_one(context), [2, 3], "float32"))
        is webnn.MLDeviceTensor
    )
    for shape, dtype in (([3, 2], "float32"), ([2, 3], "float16")):
        with pytest.raises(ValueError, match="no input or output"):
            context.create_tensor_for_graph(plus_one(context), shape, dtype)
    tensor = context.create_tensor([2, 3], "float16")
    assert (tensor.shape, tensor.data_type, tensor.size, tensor.device, tensor.backend) == (
        [2, 3],
        "float16",
        6,
        "cpu",
        "native",
    )
    assert repr(tensor) == "MLDeviceTensor(shape=[2, 3], dtype=float16, device=cpu, backend=native)"


def test_flags_hold_for_the_context():
    """A context cannot read or write a device tensor; the tensor has its own read() and write(),
    as in pywebnn."""
    context = get_context()
    tensor = context.create_tensor([2], "float32")
    with pytest.raises(RuntimeError, match="not readable"):
        context.read_tensor(tensor)
    with pytest.raises(RuntimeError, match="not writable"):
        context.write_tensor(tensor, [1, 2])
    tensor.write([1, 2])
    assert tensor.read().tolist() == [1, 2]


def test_storage_is_made_at_first_use():
    context = get_context()
    graph = plus_one(context)
    used = ember_ml.memory_stats()["used"]
    big = context.create_tensor([1 << 20], "float32")
    x, y = (
        context.create_tensor([2, 3], "float32"),
        context.create_tensor_for_graph(graph, [2, 3], "float32"),
    )
    assert not (x.materialized or y.materialized or big.materialized)
    assert ember_ml.memory_stats()["used"] == used
    context.dispatch(graph, {"x": x}, {"y": y})
    assert x.materialized and y.materialized and not big.materialized
    assert y.read().tolist() == [[1, 1, 1], [1, 1, 1]]  # x is zeros


@pytest.mark.parametrize(
    "dtype", ["float32", "float16", "int32", "uint32", "int64", "uint64", "int8", "uint8"]
)
def test_every_dtype_through_a_dispatch(engine_context, dtype):
    x, y = engine_context.create_tensor([2, 3], dtype), engine_context.create_tensor([2, 3], dtype)
    x.write([[1, 2, 3], [4, 5, 6]])
    engine_context.dispatch(plus_one(engine_context, dtype=dtype), {"x": x}, {"y": y})
    got = y.read()
    assert got.dtype == dtype and got.tolist() == [[2, 3, 4], [5, 6, 7]]


def test_large_integers_survive():
    context = get_context()
    for dtype, value in (
        ("int64", 2**53 + 1),
        ("int64", -(2**63)),
        ("uint64", 2**64 - 1),
        ("int32", 16777217),
    ):
        t = context.create_host_tensor([1], dtype)
        context.write_tensor(t, [value])
        assert context.read_tensor(t).tolist() == [value]


def test_two_sets_of_tensors_in_turn(engine_context):
    """A cache that never leaves the device: a step's result is an input of the next one."""
    b = engine_context.create_graph_builder()
    past = b.input("past", [2, 8], "float32")
    graph = b.build({"present": b.add(past, b.constant(np.full((2, 8), 0.5, np.float32)))})
    past, present = (engine_context.create_tensor([2, 8], "float32") for _ in range(2))
    for _ in range(10):
        engine_context.dispatch(graph, {"past": past}, {"present": present})
        past, present = present, past
    assert (past.read() == 5).all()


def test_device_tensors_cost_no_more_than_host_tensors():
    """Neither copies a byte on the way into or out of a dispatch."""
    context = get_context()
    graph = plus_one(context)
    for make in (context.create_tensor, context.create_host_tensor):
        x, y = make([2, 3], "float32"), make([2, 3], "float32")
        context.dispatch(graph, {"x": x}, {"y": y})
        before = ember_ml.counters()["copies"]
        for _ in range(10):
            context.dispatch(graph, {"x": x}, {"y": y})
        assert ember_ml.counters()["copies"] == before


def test_export():
    """Without a GPU, exportable_to_gpu exports host memory, by DLPack and without a copy."""
    context = get_context()
    x = context.create_tensor([2, 3], "float32", exportable_to_gpu=True)
    assert x.exportable_to_gpu and isinstance(x, webnn.MLDeviceTensor)
    x.write([[1, 2, 3], [4, 5, 6]])
    exported = np.from_dlpack(x)
    assert exported.tolist() == [[1, 2, 3], [4, 5, 6]] and ember_ml.from_dlpack(
        x, copy=False
    ).shape == (2, 3)
    assert x.__dlpack_device__() == (1, 0)
    x.write(np.zeros((2, 3)))  # exported data does not change
    assert exported.tolist() == [[1, 2, 3], [4, 5, 6]]
    with pytest.raises(RuntimeError, match="not exportable"):
        np.from_dlpack(context.create_tensor([2, 3], "float32"))


def test_a_device_that_is_absent():
    with pytest.warns(RuntimeWarning, match="host memory"):
        context = webnn.ML().create_context(engine="native", device="cuda")
    assert not context.accelerated and "cuda" in context.backend_info()["fallback_reason"]
    x, y = context.create_tensor([2, 3], "float32"), context.create_tensor([2, 3], "float32")
    context.dispatch(plus_one(context), {"x": x}, {"y": y})
    assert (y.read() == 1).all()
    with pytest.raises(RuntimeError, match="nonsense"):
        webnn.ML().create_context(engine="nonsense")


def test_constant_tensors_are_shared_by_graphs():
    context = get_context()
    w = context.create_constant_tensor([2], "float32", [1, 2])
    assert w.constant and not (w.readable or w.writable)
    for op in ("add", "mul"):
        b = context.create_graph_builder()
        graph = b.build({"y": getattr(b, op)(b.input("x", [2], "float32"), b.constant(w))})
        assert context.compute(graph, {"x": [3, 4]})["y"].tolist() == (
            [4, 6] if op == "add" else [3, 8]
        )
