"""Programs of pywebnn's users: its names, arguments and error messages."""

import asyncio
import http.server
import inspect
import os
import pathlib
import subprocess
import sys
import threading

import numpy as np
import pytest

import ember_ml
import webnn

ROOT = pathlib.Path(__file__).parents[2]


def test_names():
    assert {
        "ML",
        "MLContext",
        "AsyncMLContext",
        "MLGraphBuilder",
        "MLOperand",
        "MLGraph",
        "MLTensor",
        "Hub",
    } <= set(webnn.__all__)
    assert (
        all(getattr(webnn, n).__module__.startswith("webnn") for n in webnn.__all__)
        and webnn.__version__
    )
    assert list(inspect.signature(webnn.AsyncMLContext.create_tensor).parameters)[1:] == [
        "shape",
        "data_type",
        "readable",
        "writable",
        "exportable_to_gpu",
    ]


@pytest.mark.parametrize(
    "variable, arguments, want",
    [("numpy", "", "numpy"), ("numpy", "engine='native'", "native"), ("native", "", "native")],
)
def test_contexts_compute_on_the_current_backend(variable, arguments, want):
    """The environment's backend, unless the program names one."""
    code = f"import webnn; print(webnn.ML().create_context({arguments}).backend_info()['engine'])"
    r = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"EMBER_ML_BACKEND": variable},
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert r.stdout.strip() == want, r.stderr


def test_contexts_follow_the_program():
    before = ember_ml.get_backend()
    ember_ml.set_backend("numpy")
    try:
        assert webnn.ML().create_context().backend_info()["engine"] == "numpy"
    finally:
        ember_ml.set_backend(before)


@pytest.mark.parametrize("arguments", [dict(device="npu"), dict(device_type="npu")], ids=str)
def test_a_kind_of_device_that_is_not_here(arguments):
    with pytest.warns(RuntimeWarning, match="no engine here has a npu"):
        context = webnn.ML().create_context(**arguments)
    assert not context.accelerated and "npu" in context.backend_info()["fallback_reason"]


# The signatures in its source, in this order; further parameters may follow.
SIGNATURES = """
gemm a b c alpha beta a_transpose b_transpose
conv2d input filter strides dilations pads groups input_layout filter_layout bias
conv_transpose2d input filter strides dilations pads output_padding output_sizes groups input_layout filter_layout bias
average_pool2d input window_dimensions strides dilations pads layout
max_pool2d input window_dimensions strides dilations pads layout
global_average_pool input layout
global_max_pool input layout
batch_normalization input mean variance scale bias epsilon axis
instance_normalization input scale bias epsilon layout
layer_normalization input scale bias epsilon axes
softmax x axis
reshape x new_shape
expand input new_shape
transpose input permutation
concat inputs axis
slice input starts sizes strides
split input splits axis
tile input repetitions
pad input padding mode value
squeeze input axes
unsqueeze input axes
gather input indices axis
scatter_elements input indices updates axis
scatter_nd input indices updates
where_ condition true_value false_value
arg_max input axis keep_dimensions output_data_type
arg_min input axis keep_dimensions output_data_type
cast input data_type
clamp input min_value max_value
hard_sigmoid input alpha beta
hard_swish input alpha beta
elu input alpha
leaky_relu input alpha
prelu input slope
triangular input upper diagonal
quantize_linear input scale zero_point
dequantize_linear input scale zero_point
input name shape data_type
constant value shape data_type
build outputs
"""
for names, arguments in (
    (
        "add sub mul div matmul equal greater greater_or_equal lesser lesser_or_equal logical_and logical_or logical_xor",
        "a b",
    ),
    (
        "abs ceil floor neg sign exp log sqrt reciprocal sin cos tan erf identity relu sigmoid tanh logical_not",
        "x",
    ),
    ("gelu softplus softsign", "input"),
    (
        " ".join(
            "reduce_" + n
            for n in "sum mean max min product l1 l2 log_sum log_sum_exp sum_square".split()
        ),
        "input axes keep_dimensions",
    ),
):
    SIGNATURES += "".join(f"{n} {arguments}\n" for n in names.split())


def parameters(function):
    """Signatures of Python's functions and of the extension's."""
    if hasattr(function, "__nb_signature__"):
        text = function.__nb_signature__[0][0]
        return [
            p.split(":")[0].split("=")[0].strip()
            for p in text[text.index("(") + 1 : text.rindex(")")].split(", ")
        ][1:]
    return list(inspect.signature(function).parameters)[1:]


@pytest.mark.parametrize("line", SIGNATURES.split("\n")[1:-1])
def test_signature(line):
    name, *wanted = line.split()
    assert parameters(getattr(webnn.MLGraphBuilder, name))[: len(wanted)] == wanted


def test_every_operator_has_a_label_and_a_sentence():
    from ember_ml._core.webnn import _operators
    import re

    for op, *_ in _operators():
        name = (
            "is_nan"
            if op == "isNaN"
            else re.sub(r"(?<=[a-z0-9])([A-Z]+)", lambda m: "_" + m[1].lower(), op)
        )
        method = getattr(webnn.MLGraphBuilder, name)
        assert (
            inspect.signature(method).parameters["label"].kind is inspect.Parameter.KEYWORD_ONLY
            and method.__doc__
        ), op
    assert len(_operators()) == 95


# ---- programs ----


def test_a_graph_of_two_inputs():
    ml = webnn.ML()
    context = ml.create_context("default", False, "cpu")
    assert context.power_preference == "default" and context.accelerated is False
    assert repr(context) == "MLContext(accelerated=false, power='default')"
    builder = context.create_graph_builder()
    x = builder.input("x", [2, 3], "float32")
    y = builder.input("y", [2, 3], "float32")
    assert (x.name, x.shape, x.data_type, repr(x)) == (
        "x",
        [2, 3],
        "float32",
        "MLOperand(name='x', dtype='float32', shape=[2, 3])",
    )
    z = builder.add(x, y)
    assert z.name is None and repr(z) == "MLOperand(name='unnamed', dtype='float32', shape=[2, 3])"
    graph = builder.build({"output": builder.relu(z)})
    assert (
        graph.operand_count == 4
        and graph.operation_count == 2
        and repr(graph) == "MLGraph(operands=4, operations=2)"
    )
    assert graph.get_input_names() == ["x", "y"] and graph.get_output_names() == ["output"]
    assert (
        "float32" in graph.debug_operand(0)
        and graph.count_unknown_shapes() == 0 == graph.count_empty_shapes()
        and graph.debug_unknown_shapes() == []
    )
    x_data = np.array([[1, -2, 3], [4, -5, 6]], np.float32)
    # Another dtype: the data is converted.
    results = context.compute(graph, {"x": x_data, "y": np.ones((2, 3))})
    np.testing.assert_array_equal(results["output"], np.maximum(x_data + 1, 0))
    assert results["output"].dtype == np.float32


def test_a_builder_without_a_context_that_builds_twice():
    builder = webnn.MLGraphBuilder()
    x = builder.input("x", [2], "float32")
    first, second = builder.build({"y": builder.neg(x)}), builder.build({"y": builder.exp(x)})
    for engine in ("native", "numpy"):
        context = webnn.ML().create_context(engine=engine)
        assert context.compute(first, {"x": [1, 2]})["y"].tolist() == [-1, -2]
        np.testing.assert_allclose(
            context.compute(second, {"x": [1, 2]})["y"], np.exp([1, 2]), rtol=1e-6
        )


def test_tensors(context, builder):
    graph = builder.build(
        {
            "y": builder.mul(
                builder.input("x", [2, 2], "float32"), builder.constant(np.array(2.0, np.float32))
            )
        }
    )
    x, y = (
        context.create_host_tensor([2, 2], "float32"),
        context.create_host_tensor([2, 2], "float32"),
    )
    assert (
        repr(x)
        == "MLTensor(shape=[2, 2], dtype=float32, readable=true, writable=true, exportable_to_gpu=false)"
        and x.size == 4
    )
    assert context.read_tensor(x).tolist() == [[0, 0], [0, 0]]
    context.write_tensor(x, [[1, 2], [3, 4]])
    for dispatch in (
        context.dispatch,
        context.dispatch_with_host_tensors,
        context.dispatch_with_device_tensors,
    ):
        dispatch(graph, {"x": x}, {"y": y})
        assert context.read_tensor(y).tolist() == [[2, 4], [6, 8]]
    x.destroy()
    with pytest.raises(RuntimeError, match="destroyed"):
        context.read_tensor(x)
    with pytest.raises(RuntimeError, match="already destroyed"):
        x.destroy()


def test_constants(context, builder):
    x = builder.input("x", [2], "float32")
    whole = builder.constant(np.array([1, 2], np.int64))
    assert whole.data_type == "int64" and whole.shape == [2]
    values = [
        builder.constant([1, 2], [2], "float32"),
        builder.constant(np.array([1.0, 2.0]), data_type="float32"),
        builder.constant(np.array([1, 2], np.float32).tobytes(), [2], "float32"),
        builder.constant(np.array([[1, 2]], np.float32), [2]),
        builder.cast(whole, "float32"),
    ]
    for v in values:
        assert v.data_type == "float32" and v.shape == [2]
        x = builder.add(x, v)
    assert context.compute(builder.build({"y": x}), {"x": [0, 0]})["y"].tolist() == [5, 10]
    with pytest.raises(ValueError, match="Unsupported data type: float64"):
        builder.constant(np.zeros(2))
    with pytest.raises(ValueError, match="Shape mismatch"):
        builder.constant(np.zeros(3, np.float32), [2])


def test_asynchronous(context):
    b = context.create_graph_builder()
    graph = b.build({"y": b.add(b.input("x", [4], "float32"), b.constant(np.ones(4, np.float32)))})

    async def main():
        c = webnn.AsyncMLContext(context)
        x, y = c.create_tensor([4], "float32"), c.create_tensor([4], "float32")
        assert x.readable and x.writable and c.power_preference == "default" and not c.accelerated
        results = []
        for i in range(20):  # in the order of the calls, without waiting
            await c.write_tensor_async(x, np.full(4, i, np.float32))
            await c.dispatch(graph, {"x": x}, {"y": y})
            results.append(asyncio.ensure_future(c.read_tensor_async(y)))
            await asyncio.sleep(0)
        assert [r[0] for r in await asyncio.gather(*results)] == [i + 1 for i in range(20)]
        with pytest.raises(RuntimeError, match="not readable"):
            await c.read_tensor_async(context.create_tensor([4], "float32"))
        x.destroy()
        with pytest.raises(RuntimeError, match="destroyed"):
            await c.read_tensor_async(x)
        builder = c.create_graph_builder()
        assert isinstance(builder, webnn.MLGraphBuilder) and c.compute(graph, {"x": [1, 2, 3, 4]})[
            "y"
        ].tolist() == [2, 3, 4, 5]
        return c.read_tensor(y)

    assert asyncio.run(main()).tolist() == [20] * 4


def test_limits_and_information(context):
    limits = context.op_support_limits()
    assert limits["preferredInputLayout"] == "nchw" and limits["maxTensorByteLength"] == 2147483647
    assert (
        limits["add"]["a"]
        == {"dataTypes": limits["add"]["a"]["dataTypes"], "rankRange": {"min": 0, "max": 8}}
        and "float32" in limits["add"]["a"]["dataTypes"]
    )
    assert "int4" in limits["input"]["dataTypes"] and len(limits) == 100
    info = context.backend_info()
    assert (
        info["backend"] == info["engine"] == "native"
        and info["backend_available"]
        and "fallback_reason" not in info
    )
    assert set(info["compiled_features"]) == {"onnx_runtime", "coreml_runtime", "trtx_runtime"}


def test_numpy_is_not_imported_before_a_result_is_read():
    code = """
import sys, webnn
c = webnn.ML().create_context()
b = c.create_graph_builder()
g = b.build({"y": b.add(b.input("x", [2], "float32"), b.constant([1.0, 2.0], [2], "float32"))})
x, y = c.create_tensor([2], "float32"), c.create_tensor([2], "float32")
x.write([1.0, 2.0])
c.dispatch(g, {"x": x}, {"y": y})
assert "numpy" not in sys.modules and "asyncio" not in sys.modules
sys.modules["numpy"] = None  # as if it were not installed
print(type(y.read()).__name__, y.read().tolist())
del sys.modules["numpy"]
print(type(y.read()).__name__)
"""
    assert (
        subprocess.run(
            [sys.executable, "-c", code], check=True, capture_output=True, text=True
        ).stdout
        == "EmberTensor [2.0, 4.0]\nndarray\n"
    )


def test_others_run_while_a_graph_is_computed(context, builder):
    """Python's lock is released meanwhile: a thread counts while read_tensor waits."""
    x = builder.input("x", [512, 512], "float32")
    y = x
    for _ in range(60):
        y = builder.tanh(builder.matmul(y, x))
    graph = builder.build({"y": y})
    a, b = (
        context.create_tensor([512, 512], "float32"),
        context.create_host_tensor([512, 512], "float32"),
    )
    counted, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    try:
        context.dispatch(graph, {"x": a}, {"y": b})
        before = counted[0]
        context.read_tensor(b)
        assert counted[0] > before
    finally:
        stop.set()
        thread.join()


# ---- messages that users match ----


def f32(builder, *shape):
    f32.count += 1
    return builder.input(f"in{f32.count}", list(shape), "float32")


f32.count = 0
SENTENCES = [
    (lambda b: b.softmax(f32(b, 2, 3), axis=2), "Axis 2 out of bounds for rank 2"),
    (lambda b: b.concat([f32(b, 2, 3), f32(b, 2, 3)], 2), "Axis 2 out of bounds for rank 2"),
    (lambda b: b.arg_max(f32(b, 2, 3), 2), "Axis 2 out of bounds for rank 2"),
    (lambda b: b.add(f32(b, 2, 3), f32(b, 4)), "Incompatible shapes"),
    (lambda b: b.matmul(f32(b, 2, 3), f32(b, 4, 5)), "Incompatible shapes for matmul"),
    (lambda b: b.conv2d(f32(b, 3, 4, 4), f32(b, 1, 3, 2, 2)), "Conv2d input must be 4D"),
    (
        lambda b: b.conv2d(f32(b, 1, 3, 4, 4), f32(b, 2, 1, 2, 2), groups=2),
        "Conv2d input channels.*must be divisible by groups",
    ),
    (
        lambda b: b.conv2d(f32(b, 1, 3, 4, 4), f32(b, 1, 3, 2, 2), input_layout="invalid"),
        "Invalid input_layout",
    ),
    (
        lambda b: b.conv2d(f32(b, 1, 3, 4, 4), f32(b, 1, 3, 2, 2), filter_layout="invalid"),
        "Invalid filter_layout",
    ),
    (
        lambda b: b.conv_transpose2d(f32(b, 3, 4, 4), f32(b, 3, 1, 2, 2)),
        "ConvTranspose2d input must be 4D",
    ),
    (
        lambda b: b.conv_transpose2d(
            f32(b, 1, 3, 4, 4), f32(b, 3, 1, 2, 2), input_layout="invalid"
        ),
        "Invalid input_layout",
    ),
    (lambda b: b.average_pool2d(f32(b, 3, 4, 4), [2, 2]), "Pool2d input must be 4D"),
    (lambda b: b.max_pool2d(f32(b, 1, 3, 4, 4), [2, 2], layout="invalid"), "Invalid layout"),
    (lambda b: b.global_average_pool(f32(b, 3, 4, 4)), "Global pooling input must be 4D"),
    (lambda b: b.global_max_pool(f32(b, 1, 3, 4, 4), layout="invalid"), "Invalid layout"),
    (lambda b: b.reshape(f32(b, 2, 3), [5]), "Reshape requires same number of elements"),
    (lambda b: b.reduce_sum(f32(b, 2, 3, 4), axes=[5]), "out of bounds"),
    (lambda b: b.reduce_mean(f32(b, 2, 3, 4), axes=[1, 1]), "Duplicate axis"),
    (lambda b: b.input("x", [2], "float64"), "Unsupported data type: float64"),
    (lambda b: b.clamp(f32(b, 2), min_value=6.0, max_value=0.0), "minValue is greater"),
]


@pytest.mark.parametrize(
    "number", range(len(SENTENCES)), ids=[s.replace(" ", "-") for _, s in SENTENCES]
)
def test_messages_that_users_match(builder, number):
    call, sentence = SENTENCES[number]
    with pytest.raises(ValueError, match=sentence):
        call(builder)


def test_sentences_of_tensors_and_inputs(context, builder):
    graph = builder.build(
        {"y": builder.add(builder.input("x", [2], "float32"), builder.input("z", [2], "float32"))}
    )
    with pytest.raises(ValueError, match="Missing input: z"):
        context.compute(graph, {"x": [1, 2]})
    with pytest.raises(ValueError, match="Shape mismatch"):
        context.compute(graph, {"x": [1, 2], "z": [1, 2, 3]})
    with pytest.raises(ValueError, match="Shape mismatch"):
        context.write_tensor(context.create_host_tensor([2, 3], "float32"), np.ones((2, 2)))
    with pytest.raises(RuntimeError, match="not writable"):
        context.write_tensor(context.create_tensor([2], "float32", readable=True), [1, 2])
    with pytest.raises(RuntimeError, match="not readable"):
        context.read_tensor(context.create_tensor([2], "float32", writable=True))
    with pytest.raises(TypeError, match="'numpy.ndarray' object is not an instance of 'MLTensor'"):
        context.dispatch(graph, {"x": np.ones(2), "z": np.ones(2)}, {})
    with pytest.raises(OverflowError, match="out of range integral type conversion attempted"):
        builder.softmax(builder.input("q", [2], "float32"), -1)


# ---- the hub ----


@pytest.fixture
def hub(tmp_path, monkeypatch):
    """A server with one model, and the requests to it."""
    site = tmp_path / "site" / "someone" / "relu" / "resolve" / "main"
    site.mkdir(parents=True)
    (site / "model.webnn").write_text(
        'webnn_graph "r" v1 { inputs { x: f32[2]; } nodes { y = relu(x); } outputs { y; } }'
    )
    (site / "model.weights").write_bytes(b"WGWT\x01\0\0\0")
    (site / "manifest.json").write_text(
        '{"format": "wg-weights-manifest", "version": 1, "endianness": "little", "tensors": {}}'
    )
    asked = []

    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *args):
            super().__init__(*args, directory=str(tmp_path / "site"))

        def log_message(self, *args):
            asked.append(self.path)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
    yield webnn.Hub(tmp_path / "cache"), asked, site
    server.shutdown()
    server.server_close()


def test_hub(hub, context):
    models, asked, site = hub
    assert models.list_cached_models() == []
    files = models.download_model("someone/relu")
    assert sorted(files) == ["graph", "manifest", "weights"] and len(asked) == 3
    graph = webnn.MLGraph.load(
        files["graph"], manifest_path=files["manifest"], weights_path=files["weights"]
    )
    assert context.compute(graph, {"x": [-1, 1]})["y"].tolist() == [0, 1]
    models.download_model("someone/relu")
    assert len(asked) == 3  # nothing is missing
    pathlib.Path(files["weights"]).write_bytes(b"changed")
    models.download_model("someone/relu")
    assert len(asked) == 4 and pathlib.Path(files["weights"]).read_bytes() == b"WGWT\x01\0\0\0"
    assert models.list_cached_models() == ["someone/relu"]
    models.clear_cache("someone/relu")
    assert models.list_cached_models() == [] and not os.path.exists(files["graph"])


def test_hub_that_fails(hub):
    models, asked, site = hub
    for name in ("relu", "a/b/c", "../x", "a/..", "/etc", "a b/c", ""):
        with pytest.raises(ValueError, match="Invalid model_id"):
            models.download_model(name)
    assert asked == []
    with pytest.raises(RuntimeError, match="Failed to download"):
        models.download_model("nobody/nothing")
    (site / "model.webnn").write_text("<html>")
    with pytest.raises(RuntimeError, match="Invalid graph"):
        models.download_model("someone/relu")


# ---- ONNX ----


def test_convert_to_onnx(context, tmp_path):
    """ONNX's checker accepts the model, and ONNX Runtime gives the same results under the same
    names."""
    import onnx
    import onnxruntime

    b = context.create_graph_builder()
    rng = np.random.default_rng(1)
    x = b.input("an image", [1, 3, 8, 8], "float32")
    y = b.clamp(
        b.conv2d(
            x,
            b.constant(rng.standard_normal((4, 3, 3, 3)).astype(np.float32)),
            pads=[1, 1, 1, 1],
            bias=b.constant(np.arange(4, dtype=np.float32)),
        ),
        0,
        6,
    )
    graph = b.build(
        {"pooled": b.average_pool2d(y), "chances": b.softmax(b.reshape(y, [4, 64]), axis=1)}
    )
    context.convert_to_onnx(graph, str(tmp_path / "model.onnx"))
    model = onnx.load(tmp_path / "model.onnx")
    onnx.checker.check_model(model, full_check=True)
    session = onnxruntime.InferenceSession(
        tmp_path / "model.onnx", providers=["CPUExecutionProvider"]
    )
    assert [i.name for i in session.get_inputs()] == ["an image"] and [
        o.name for o in session.get_outputs()
    ] == ["pooled", "chances"]
    data = rng.standard_normal((1, 3, 8, 8)).astype(np.float32)
    ours, theirs = (
        context.compute(graph, {"an image": data}),
        dict(zip(["pooled", "chances"], session.run(None, {"an image": data}))),
    )
    for name, want in theirs.items():
        np.testing.assert_allclose(ours[name], want, rtol=1e-5, atol=1e-6)
    with pytest.raises(OSError):
        context.convert_to_onnx(graph, tmp_path / "no" / "folder.onnx")
