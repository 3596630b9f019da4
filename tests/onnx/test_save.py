"""onnx.save: names, weights, ops written as one operator, unusual dtypes, and refused graphs."""

import numpy as np
import onnx
import onnxruntime
import pytest

import ember_ml as em
from ember_ml import _core as E
from ember_ml import nn
from ember_ml.onnx import load, save
from engines import skip_unless_under_test

onnxruntime.set_default_logger_severity(4)
RNG = np.random.default_rng(5)


def draw(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def checked(path):
    onnx.checker.check_model(str(path), full_check=True)
    return onnx.load(str(path), load_external_data=False)


def run(path, *inputs):
    session = onnxruntime.InferenceSession(str(path))
    return session.run(None, dict(zip((i.name for i in session.get_inputs()), inputs)))


def types_of(model):
    return [n.op_type for n in model.graph.node]


@pytest.fixture(autouse=True)
def on_native():
    E.set_backend("native")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.onnx"


X = em.asarray(draw(2, 6, 8, 8))
WHOLE = {
    "Softmax": lambda x: em.softmax(x, 1),
    "LogSoftmax": lambda x: em.log_softmax(x),
    "LayerNormalization": lambda x: em.layer_norm(x, em.ones((8,)), em.zeros((8,))),
    "RMSNormalization": lambda x: em.rms_norm(x, em.ones((8,))),
    "Gelu": lambda x: em.gelu(x),
    "Conv": lambda x: em.conv2d(x, em.ones((4, 6, 3, 3)), em.zeros((4,)), padding=1),
    "ConvTranspose": lambda x: em.conv_transpose2d(x, em.ones((6, 4, 3, 3)), strides=2),
    "MaxPool": lambda x: em.max_pool2d(x, 2),
    "AveragePool": lambda x: em.average_pool2d(x, 2),
    "MatMul": lambda x: em.matmul(x, em.ones((2, 6, 8, 3))),
    "Attention": lambda x: em.scaled_dot_product_attention(x, x, x),
    "Clip": lambda x: em.relu6(x),
    "Relu": lambda x: em.relu(x),
    "Sigmoid": lambda x: em.sigmoid(x),
    "ReduceMean": lambda x: em.mean(x, (2, 3)),
    "Gather": lambda x: em.take(x, em.asarray(np.array([1, 0])), 1),
}


@pytest.mark.parametrize("operator", WHOLE)
def test_what_onnx_has_is_one_operator(operator, path):
    save(path, WHOLE[operator], [X])
    model = checked(path)
    assert [t for t in types_of(model) if t not in ("Slice", "Reshape", "Transpose")] == [operator]
    np.testing.assert_allclose(
        run(path, np.asarray(X))[0], np.asarray(WHOLE[operator](X)), rtol=1e-5, atol=1e-5
    )


def test_batch_normalization_after_a_convolution(path):
    f = lambda x: em.batch_norm(
        em.conv2d(x, em.ones((4, 6, 3, 3))),
        em.ones((4,)),
        em.ones((4,)),
        em.ones((4,)),
        em.zeros((4,)),
    )  # noqa: E731
    save(path, f, [X])
    assert [t for t in types_of(checked(path)) if t != "Reshape"] == ["Conv", "BatchNormalization"]
    np.testing.assert_allclose(run(path, np.asarray(X))[0], np.asarray(f(X)), rtol=1e-5, atol=1e-4)


def test_names_and_shapes(path):
    save(
        path,
        lambda a, b: {"sum": a + b, "product": a * b},
        [em.ones((2, 3)), em.ones((3,))],
        input_names=["left", "right"],
    )
    graph = checked(path).graph
    assert [i.name for i in graph.input] == ["left", "right"] and [
        o.name for o in graph.output
    ] == ["sum", "product"]
    assert [d.dim_value for d in graph.input[0].type.tensor_type.shape.dim] == [2, 3]
    got = run(path, np.full((2, 3), 2, np.float32), np.array([1, 2, 3], np.float32))
    assert got[0].tolist() == [[3, 4, 5]] * 2 and got[1].tolist() == [[2, 4, 6]] * 2


def test_a_pad_before_a_pooling_stays_apart(path):
    """ONNX Runtime would fuse it with the pooling, whose padding must be smaller than its
    window."""
    x = draw(1, 2, 5, 5)
    padded_mean = lambda x: em.average_pool2d(
        em.pad(x, ((0, 0), (0, 0), (3, 3), (3, 3))), 2, strides=1
    )
    save(path, padded_mean, [em.asarray(x)])
    np.testing.assert_allclose(
        run(path, x)[0], np.asarray(padded_mean(em.asarray(x))), rtol=1e-6, atol=1e-6
    )


def test_names_that_ember_would_give_itself(path):
    save(
        path,
        lambda a, b: (em.exp(a) + b) * 2.0,
        [em.ones((2,)), em.ones((2,))],
        input_names=["exp_0", "constant_1"],
        output_names=["multiply_2"],
    )
    checked(path)
    np.testing.assert_allclose(
        run(path, np.zeros(2, np.float32), np.ones(2, np.float32))[0], [4, 4]
    )


@pytest.mark.parametrize(
    "names",
    [
        dict(input_names=["a"]),
        dict(input_names=["a", "a"]),
        dict(input_names=["a", "b"], output_names=["a"]),
        dict(input_names=["", "b"]),
        dict(output_names=["a", "b"]),
    ],
)
def test_bad_names(names, path):
    with pytest.raises(E.ValueError, match=r"\[onnx.save\]"):
        save(path, lambda a, b: a + b, [em.ones((2,)), em.ones((2,))], **names)
    assert not path.exists()


def test_outputs_that_are_inputs_constants_or_the_same(path):
    c = em.asarray(draw(3))

    def f(x, unread):
        y = em.exp(x)
        return x, c, y, y

    save(path, f, [em.ones((3,)), em.ones((5,))])
    assert [i.name for i in checked(path).graph.input] == ["input_0", "input_1"]
    x = draw(3)
    got = run(path, x, np.ones(5, np.float32))
    for g, w in zip(got, (x, np.asarray(c), np.exp(x), np.exp(x))):
        np.testing.assert_allclose(g, w, rtol=1e-6)


def test_a_saved_module_contains_its_weights(path):
    net = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 3))
    x = draw(4, 6)
    save(path, net, [em.asarray(x)])
    model = checked(path)
    assert sum(
        len(i.raw_data) for i in model.graph.initializer if i.name.startswith("weight")
    ) == 4 * (6 * 16 + 16 + 16 * 3 + 3)
    want = np.asarray(net(em.asarray(x)))
    np.testing.assert_allclose(run(path, x)[0], want, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(np.asarray(load(path)(em.asarray(x))), want, rtol=1e-5, atol=1e-6)


def test_weights_in_a_file_of_their_own(path, tmp_path):
    big, small, view = draw(40, 50), draw(3, 1), em.asarray(draw(60, 40)).T[::-1]
    f = lambda x: em.matmul(x, em.asarray(big)) + em.asarray(small) + em.matmul(x, view)[:, :50]  # noqa: E731
    x = em.asarray(draw(3, 40))
    save(path, f, [x], external=True)
    model = checked(path)
    apart = [i for i in model.graph.initializer if i.data_location == onnx.TensorProto.EXTERNAL]
    assert {tuple(i.dims) for i in apart} == {(40, 50), (40, 60)}
    assert {e.value for i in apart for e in i.external_data if e.key == "location"} == {
        "model.onnx.data"
    }
    assert path.stat().st_size < 4000 and (tmp_path / "model.onnx.data").stat().st_size >= 4 * (
        2000 + 2400
    )
    np.testing.assert_allclose(run(path, np.asarray(x))[0], np.asarray(f(x)), rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(np.asarray(load(path)(x)), np.asarray(f(x)), rtol=1e-4, atol=1e-4)


def test_edges_keep_their_dtypes(path):
    """4-bit integers and bfloat16 keep their dtype in the file; computations use wider ones."""
    x = em.asarray(np.arange(-8, 8, dtype=np.int8)).astype("int4")
    w = em.asarray(np.arange(16, dtype=np.uint8)).astype("uint4")
    at = em.asarray(np.array([3, 15]))
    save(
        path,
        lambda x, b, at: (em.flip(x), em.take(w, at).astype("float32"), b * b),
        [x, em.ones((16,), "bfloat16"), at],
    )
    graph = checked(path).graph
    types = [v.type.tensor_type.elem_type for v in (*graph.input, *graph.output)]
    T = onnx.TensorProto
    assert types == [T.INT4, T.BFLOAT16, T.INT64, T.INT4, T.FLOAT, T.BFLOAT16]
    assert [
        (i.data_type, len(i.raw_data)) for i in graph.initializer if i.data_type == T.UINT4
    ] == [(T.UINT4, 8)]
    got = load(path)(x, em.full((16,), 2, "bfloat16"), at)
    assert np.asarray(got[0].astype("int8")).tolist() == list(range(7, -9, -1))
    assert (
        np.asarray(got[1]).tolist() == [3, 15]
        and np.asarray(got[2].astype("float32")).tolist() == [4] * 16
    )


def test_slices_and_updates(path):
    x = draw(5, 6)
    f = lambda x: (x[1:4, ::-2], E.functions["slice_update"](x, em.zeros((2, 3)), [2, 1], [1, 2]))  # noqa: E731
    save(path, f, [em.asarray(x)])
    checked(path)
    got = run(path, x)
    assert np.array_equal(got[0], x[1:4, ::-2])
    want = x.copy()
    want[2:4, 1:6:2] = 0
    assert np.array_equal(got[1], want)


def test_an_older_opset_where_nothing_newer_is_needed(path):
    save(path, lambda x: em.tanh(x), [em.ones((3,))])
    assert checked(path).opset_import[0].version == 21
    save(path, lambda x: em.cumulative_prod(x), [em.ones((3,))])
    assert checked(path).opset_import[0].version == 26


@pytest.mark.parametrize(
    "f, message",
    [
        (lambda x: em.linalg.inv(em.reshape(x, (2, 2))), r"\[inv\] ONNX does not support it"),
        (lambda x: em.real(em.astype(x, "complex64")), "no complex numbers"),
        (lambda x: em.nonzero(x)[0], "a placeholder has no value"),
    ],
    ids=["inv", "complex", "nonzero"],
)
def test_what_is_refused(f, message, path):
    with pytest.raises(E.Error, match=message):
        save(path, f, [em.ones((4,))])
    assert not path.exists()


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(E.IoError):
        save(tmp_path / "absent" / "model.onnx", lambda x: x + 1.0, [em.ones((2,))])


def test_from_another_engine(path):
    """A graph with constants that the engine onnxruntime computed is written like any other."""
    skip_unless_under_test("onnxruntime")
    E.set_backend("onnxruntime")
    w = em.exp(em.asarray(draw(3, 4)))
    x = draw(2, 3)
    save(path, lambda x: em.matmul(x, w), [em.asarray(x)])
    checked(path)
    np.testing.assert_allclose(run(path, x)[0], x @ np.asarray(w), rtol=1e-5)
