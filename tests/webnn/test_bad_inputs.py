"""Invalid calls of WebNN in Python: each raises a typed error, and the context still works."""

import array
import asyncio
import gc
import math

import numpy as np
import pytest

import ember_ml
import webnn


@pytest.fixture
def graph(context, builder):
    return builder.build(
        {"y": builder.add(builder.input("a", [2], "float32"), builder.input("b", [2], "float32"))}
    )


@pytest.fixture
def tensors(context):
    return [context.create_host_tensor([2], "float32") for _ in range(3)]


@pytest.fixture(autouse=True)
def goes_on(context, graph, tensors):
    """The context still computes after each test."""
    yield
    if not context.lost:
        assert context.compute(graph, {"a": [1, 2], "b": [3, 4]})["y"].tolist() == [4, 6]


def test_one_tensor_twice(context, graph, tensors):
    a, b, y = tensors
    for inputs, outputs in (({"a": a, "b": a}, {"y": y}), ({"a": a, "b": b}, {"y": a})):
        with pytest.raises(ValueError, match="twice"):
            context.dispatch(graph, inputs, outputs)


def test_names(context, graph, tensors):
    a, b, y = tensors
    good = {"a": a, "b": b}
    for inputs, outputs in (
        ({"a": a}, {"y": y}),
        ({**good, "c": y}, {"y": y}),
        ({"a": a, "B": b}, {"y": y}),
        (good, {}),
        (good, {"z": y}),
        (good, {"y": y, "": a}),
        ({"__proto__": a, "b": b}, {"y": y}),
        ({}, {"y": y}),
    ):
        with pytest.raises(
            ValueError, match="missing|no input|no output|one output|twice|duplicate"
        ):
            context.dispatch(graph, inputs, outputs)
    with pytest.raises(UnicodeEncodeError):
        context.dispatch(graph, {"a\ud800": a, "b": b}, {"y": y})
    for wrong in (
        {1: a, "b": b},
        [a, b],
        None,
        {"a": None, "b": b},
        {"a": 1.0, "b": b},
        {"a": graph, "b": b},
    ):
        with pytest.raises(TypeError):
            context.dispatch(graph, wrong, {"y": y})
    for wrong in (None, "graph", a):
        with pytest.raises(TypeError):
            context.dispatch(wrong, good, {"y": y})


@pytest.mark.parametrize(
    "shape,dtype",
    [
        ([3], "float32"),
        ([2, 1], "float32"),
        ([], "float32"),
        ([1], "float32"),
        ([2], "float16"),
        ([2], "int32"),
        ([1, 1, 256, 256], "float32"),
    ],
)
def test_tensors_of_another_type(context, graph, tensors, shape, dtype):
    a, b, y = tensors
    other = context.create_host_tensor(shape, dtype)
    for inputs, outputs in (({"a": other, "b": b}, {"y": y}), ({"a": a, "b": b}, {"y": other})):
        with pytest.raises(ValueError, match="the tensor"):
            context.dispatch(graph, inputs, outputs)


def test_objects_of_another_context(context, graph, tensors):
    a, b, y = tensors
    other = webnn.ML().create_context()
    foreign = other.create_host_tensor([2], "float32")
    with pytest.raises(ValueError, match="another context"):
        other.dispatch(graph, {"a": a, "b": b}, {"y": y})
    with pytest.raises(ValueError, match="another context"):
        context.dispatch(graph, {"a": foreign, "b": b}, {"y": y})
    with pytest.raises(ValueError, match="another context"):
        other.compute(graph, {"a": [1, 2], "b": [1, 2]})
    for call in (
        lambda: other.read_tensor(a),
        lambda: other.write_tensor(a, [1, 2]),
        lambda: other.create_tensor_for_graph(graph, [2], "float32"),
    ):
        with pytest.raises(ValueError, match="another context"):
            call()
    with pytest.raises(ValueError, match="another context"):
        other.create_graph_builder().constant(
            context.create_constant_tensor([2], "float32", [1, 2])
        )


def test_operands_of_another_builder(context, builder):
    x = context.create_graph_builder().input("x", [2], "float32")
    for call in (
        lambda: builder.relu(x),
        lambda: builder.concat([x, x], 0),
        lambda: builder.build({"x": x}),
        lambda: builder.gemm(
            builder.input("p", [2, 2], "float32"), builder.input("q", [2, 2], "float32"), c=x
        ),
    ):
        with pytest.raises(ValueError, match="another builder"):
            call()


def test_destroyed(context, graph, tensors):
    a, b, y = tensors
    b.destroy()
    for call in (
        lambda: context.dispatch(graph, {"a": a, "b": b}, {"y": y}),
        lambda: context.read_tensor(b),
        lambda: context.write_tensor(b, [1, 2]),
        b.destroy,
    ):
        with pytest.raises(RuntimeError, match="destroyed"):
            call()
    builder = context.create_graph_builder()
    gone = builder.build({"y": builder.relu(builder.input("a", [2], "float32"))})
    gone.destroy()
    with pytest.raises(RuntimeError, match="destroyed"):
        context.dispatch(gone, {"a": a}, {"y": y})


def test_a_destroyed_context_rejects_calls(context, graph, tensors):
    a, b, y = tensors
    context.destroy()
    context.destroy()
    assert context.lost
    for call in (
        lambda: context.dispatch(graph, {"a": a, "b": b}, {"y": y}),
        lambda: context.create_tensor([1], "float32"),
        context.create_graph_builder,
        lambda: context.read_tensor(a),
        lambda: context.write_tensor(a, [1, 2]),
        lambda: context.compute(graph, {"a": [1, 2], "b": [1, 2]}),
    ):
        with pytest.raises(RuntimeError, match="lost"):
            call()


def test_data_of_the_wrong_size(context, tensors):
    a = tensors[0]
    for data in (
        [1],
        [1, 2, 3],
        [[1, 2]],
        1.0,
        [],
        np.zeros((2, 1)),
        np.zeros(0),
        b"12345678",
        array.array("f", [1, 2, 3]),
    ):
        with pytest.raises(ValueError, match="Shape mismatch"):
            context.write_tensor(a, data)
    for data in (
        None,
        "12",
        object(),
        [1, "2"],
        [[1], [2, 3]],
        [1j, 2],
        np.array(["1", "2"]),
        np.array([1j, 2]),
        {1: 2},
        lambda: 0,
    ):
        with pytest.raises((TypeError, ValueError)):
            context.write_tensor(a, data)
    with pytest.raises((ValueError, OverflowError)):
        context.write_tensor(context.create_host_tensor([1], "int64"), [2**70])


def test_buffers_of_all_kinds(context, tensors):
    a = tensors[0]
    base = np.arange(8, dtype=np.float32)
    unaligned = np.frombuffer(b"\0" + base.tobytes(), np.float32, 2, offset=1)
    for data, wanted in (
        (base[::4], [0, 4]),
        (base[5:3:-1], [5, 4]),
        (base.astype(">f4")[:2], [0, 1]),
        (base.astype(np.float64)[:2], [0, 1]),
        (unaligned, [0, 1]),
        (array.array("d", [1, 2]), [1, 2]),
        (memoryview(base)[:2], [0, 1]),
        (np.array([True, False]), [1, 0]),
        (ember_ml.asarray([3.0, 4.0]), [3, 4]),
        (range(2), [0, 1]),
    ):
        context.write_tensor(a, data)
        assert context.read_tensor(a).tolist() == wanted


MISFITS = [
    ("int32", np.array([1.7])),
    ("int32", np.array([2**40])),
    ("uint8", np.array([300])),
    ("int8", np.array([200], np.uint8)),
    ("int32", np.array([np.nan])),
    ("int32", [1.5]),
    ("int32", [math.nan]),
    ("uint8", [300]),
    ("uint8", [2.5]),
    ("uint32", np.array([-1], np.int32)),
    ("uint64", np.array([-1], np.int8)),
    ("int64", np.array([2**63], np.uint64)),
    ("int32", np.array([2.0**31])),
    ("int32", np.array([np.inf], np.float32)),
    ("float16", np.array([7e4])),
    ("float32", np.array([1e39])),
    ("int4", np.array([8], np.int8)),
    ("int4", [-9]),
    ("uint4", np.array([16], np.uint8)),
    ("uint4", [-1]),
]


@pytest.mark.parametrize("dtype, data", MISFITS, ids=lambda v: v if isinstance(v, str) else repr(v))
def test_numbers_never_become_others(context, dtype, data):
    """In any of their forms."""
    builder = context.create_graph_builder()
    graph = builder.build({"y": builder.identity(builder.input("x", [1], dtype))})
    t = context.create_host_tensor([1], dtype)
    for call in (
        lambda: context.compute(graph, {"x": data}),
        lambda: context.write_tensor(t, data),
        lambda: builder.constant(data, [1], dtype),
        lambda: context.create_constant_tensor([1], dtype, data),
    ):
        with pytest.raises((ValueError, OverflowError), match="does not fit|out of range"):
            call()
    assert context.read_tensor(t).tolist() == [0]


@pytest.mark.parametrize(
    "dtype, data, want",
    [
        ("int32", np.array([2.0, -3.0]), [2, -3]),
        ("uint8", [0, 255], [0, 255]),
        ("int64", [2**63 - 1, -(2**63)], [2**63 - 1, -(2**63)]),
        ("uint64", [2**64 - 1, 0], [2**64 - 1, 0]),
        ("uint64", np.array([2**63 - 1, 0]), [2**63 - 1, 0]),
        ("int32", np.array([True, False]), [1, 0]),
        ("int8", np.array([-128, 127]), [-128, 127]),
        ("float32", np.array([np.inf, 1 / 3]), [np.inf, np.float32(1 / 3)]),
        ("float32", np.array([1, 2]), [1, 2]),
        ("float16", np.array([65504.0, 0.5]), [65504, 0.5]),
        ("int4", [-8, 7], [-8, 7]),
        ("uint4", np.array([15, 0], np.uint8), [15, 0]),
        ("int32", np.array([2.0**31 - 1, -(2.0**31)]), [2**31 - 1, -(2**31)]),
    ],
    ids=lambda v: v if isinstance(v, str) else repr(v),
)
def test_numbers_that_fit(context, dtype, data, want):
    t = context.create_host_tensor([2], dtype)
    context.write_tensor(t, data)
    assert context.read_tensor(t).tolist() == want


def test_shapes(context, builder):
    for shape in ([0], [2, 0], [1] * 9, [65536, 65536], [2**32 - 1]):
        with pytest.raises(ValueError):
            context.create_tensor(shape, "float32")
        with pytest.raises(ValueError):
            builder.input("x", shape, "float32")
    for shape in ([2**32], [-1], [2**64], [-(2**70)]):
        with pytest.raises(OverflowError):
            context.create_tensor(shape, "float32")
    for shape in ([1.5], [math.nan], ["2"], "22", None, 2, [None], [True], [[2]], {2}):
        with pytest.raises(TypeError):
            context.create_tensor(shape, "float32")
    for dtype in ("float64", "", "f32", "bool", "complex64", 3, "float32\0"):
        with pytest.raises(ValueError, match="Unsupported data type"):
            context.create_tensor([2], dtype)


def test_inputs_of_a_graph(builder):
    twice = [builder.input("x", [2], "float32") for _ in range(2)]
    with pytest.raises(ValueError, match="duplicate input 'x'"):
        builder.build({"y": builder.add(*twice)})
    with pytest.raises(ValueError, match="empty"):
        builder.input("", [2], "float32")
    with pytest.raises((TypeError, ValueError)):
        builder.input("\ud800", [2], "float32")
    with pytest.raises(TypeError):
        builder.input(1, [2], "float32")


def test_building(context, builder):
    x = builder.input("x", [2], "float32")
    for outputs in (
        {},
        {"": builder.relu(x)},
        {"x": x},
        {"c": builder.constant(np.ones(2, np.float32))},
    ):
        with pytest.raises(ValueError):
            builder.build(outputs)
    for outputs in (
        {"y": 1},
        {"y": None},
        {1: builder.relu(x)},
        [builder.relu(x)],
        None,
        builder.relu(x),
    ):
        with pytest.raises(TypeError):
            builder.build(outputs)
    first = builder.build({"y": builder.relu(x)})  # a builder may build again, as in pywebnn
    second = builder.build({"y": builder.neg(x)})
    assert context.compute(first, {"x": [1, -1]})["y"].tolist() == [1, 0] and context.compute(
        second, {"x": [1, -1]}
    )["y"].tolist() == [-1, 1]


def test_arguments_of_operators(builder):
    x = builder.input("x", [2, 2], "float32")
    for call in (
        lambda: builder.relu(None),
        lambda: builder.relu(np.ones(2)),
        lambda: builder.relu([x]),
        lambda: builder.add(x),
        lambda: builder.concat(x, 0),
        lambda: builder.concat([None], 0),
        lambda: builder.relu(x, label=1),
        lambda: builder.elu(x, alpha="1"),
        lambda: builder.elu(x, alpha=True),
        lambda: builder.softmax(x, 1.0),
        lambda: builder.reshape(x, "4"),
        lambda: builder.reshape(x, [2.0, 2]),
        lambda: builder.triangular(x, upper=1),
        lambda: builder.cast(x),
        lambda: builder.softmax(x, True),
        lambda: builder.add(x, 1.0),
        lambda: builder.relu(x, "label"),
        lambda: builder.relu(x, no_such_option=1),
    ):
        with pytest.raises(TypeError):
            call()
    for call in (
        lambda: builder.softmax(x, -1),
        lambda: builder.reshape(x, [-1]),
        lambda: builder.softmax(x, 2**40),
        lambda: builder.slice(x, [0, -1], [1, 1]),
    ):
        with pytest.raises(OverflowError):
            call()
    for call in (
        lambda: builder.cast(x, "float64"),
        lambda: builder.elu(x, alpha=math.inf),
        lambda: builder.elu(x, alpha=math.nan),
        lambda: builder.pad(x, [1, 1]),
        lambda: builder.pad(x, [0] * 4, mode="wrap"),
        lambda: builder.slice(x, [0, 0], [0, 1]),
        lambda: builder.split(x, 0),
        lambda: builder.split(x, [1, 2], axis=1),
        lambda: builder.tile(x, [0, 1]),
        lambda: builder.squeeze(x, [0]),
        lambda: builder.unsqueeze(x, [5]),
        lambda: builder.unsqueeze(x, [0, 0]),
        lambda: builder.hard_swish(x, alpha=1),
        lambda: builder.concat([], 0),
    ):
        with pytest.raises((ValueError, TypeError)):
            call()
    with pytest.raises(ValueError, match=r"\[here\]"):
        builder.reshape(x, [5], label="here")


def test_constants_are_taken_at_the_call(context, builder):
    data = np.ones(2, np.float32)
    y = builder.add(builder.input("x", [2], "float32"), builder.constant(data))
    data[:] = 5
    graph = builder.build({"y": y})
    data[:] = 7
    assert context.compute(graph, {"x": [0, 0]})["y"].tolist() == [1, 1]


def test_writes_are_taken_at_the_call(context, graph, tensors):
    a, b, y = tensors
    data = np.ones(2, np.float32)
    for _ in range(100):
        data[:] = 1
        context.write_tensor(a, data)
        context.dispatch(graph, {"a": a, "b": b}, {"y": y})
        data[:] = 9
        assert context.read_tensor(y).tolist() == [1, 1]


def test_inputs_are_not_modified(engine_context):
    b = engine_context.create_graph_builder()
    graph = b.build({"y": b.exp(b.neg(b.input("x", [1000], "float32")))})
    x, y = (
        engine_context.create_host_tensor([1000], "float32"),
        engine_context.create_host_tensor([1000], "float32"),
    )
    data = np.linspace(-1, 1, 1000, dtype=np.float32)
    engine_context.write_tensor(x, data)
    for _ in range(3):
        engine_context.dispatch(graph, {"x": x}, {"y": y})
    np.testing.assert_array_equal(engine_context.read_tensor(x), data)
    np.testing.assert_allclose(engine_context.read_tensor(y), np.exp(-data), rtol=1e-5)


def test_destroy_with_reads_in_flight(context):
    b = context.create_graph_builder()
    x = b.input("x", [256, 256], "float32")
    y = x
    for _ in range(20):
        y = b.tanh(b.matmul(y, x))
    graph = b.build({"y": y})

    async def main():
        c = webnn.AsyncMLContext(context)
        t, out = (
            context.create_tensor([256, 256], "float32"),
            context.create_host_tensor([256, 256], "float32"),
        )
        context.dispatch(graph, {"x": t}, {"y": out})
        read = asyncio.ensure_future(c.read_tensor_async(out))
        await asyncio.sleep(0)
        out.destroy(), t.destroy()  # earlier requests are still completed
        return await read

    assert (asyncio.run(main()) == 0).all()


def test_a_read_that_nobody_waits_for(context, tensors):
    async def main():
        c = webnn.AsyncMLContext(context)
        read = asyncio.ensure_future(c.read_tensor_async(tensors[0]))
        await asyncio.sleep(0)
        read.cancel()

    asyncio.run(main())


def test_a_million_tensors(context):
    def resident():
        with open("/proc/self/status") as f:
            return next(int(line.split()[1]) for line in f if line.startswith("VmRSS"))

    for _ in range(20000):
        context.create_tensor([1000], "float32").destroy()
    gc.collect()
    before = resident()
    for _ in range(1000000):
        context.create_tensor([1000], "float32").destroy()
    gc.collect()
    assert resident() - before < 4000  # kB


def test_a_hundred_thousand_dispatches(context, graph, tensors):
    a, b, y = tensors
    used = ember_ml.memory_stats()["used"]
    for _ in range(100000):
        context.dispatch(graph, {"a": a, "b": b}, {"y": y})
    context.read_tensor(y)
    assert ember_ml.memory_stats()["used"] - used < 100000


def test_exit_with_work_in_flight():
    import subprocess
    import sys

    code = """
import webnn
c = webnn.ML().create_context()
b = c.create_graph_builder()
x = b.input("x", [400, 400], "float32")
y = x
for _ in range(30):
    y = b.tanh(b.matmul(y, x))
g = b.build({"y": y})
t, out = c.create_tensor([400, 400], "float32"), c.create_host_tensor([400, 400], "float32")
for _ in range(5):
    c.dispatch(g, {"x": t}, {"y": out})
c._read_later(out, print)
"""
    r = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600)
    assert r.returncode == 0 and "Fatal" not in r.stderr and "Traceback" not in r.stderr, r.stderr
