"""Whole models: the package's published models, old opsets, changing shapes, functions, branches
and loops, and their use."""

import functools
import glob
import json
import os
import pathlib
import subprocess
import warnings

import numpy as np
import onnx as onnx_package
import onnxruntime
import pytest
from onnx import AttributeProto, TensorProto, helper, numpy_helper

import ember_ml
from ember_ml import errors, onnx

from engines import ENGINES, to_ember, to_numpy

ROOT = pathlib.Path(__file__).resolve().parents[2]
EMBER = ROOT / "build/bin/ember"
DATA = pathlib.Path(onnx_package.__file__).parent / "backend/test/data"
F, I, B = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
node, value, constant = helper.make_node, helper.make_tensor_value_info, numpy_helper.from_array


def model(nodes, inputs, outputs, initializers=(), opset=17, **more):
    graph = helper.make_graph(
        nodes,
        "g",
        [value(*i) for i in inputs],
        [value(*o) for o in outputs],
        list(initializers),
        **more,
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])


def network(m):
    return onnx.parse(m.SerializeToString())


def oracle(m):
    options = onnxruntime.SessionOptions()
    options.log_severity_level, options.intra_op_num_threads = 3, 1
    return onnxruntime.InferenceSession(m.SerializeToString(), options)


# ---- Published models ----
@functools.cache
def published():
    """Models with data: exported at opset 6 and converted to later ones, so that older forms of
    operators occur too."""
    found = {}
    for path in sorted(glob.glob(f"{DATA}/*/*/model.onnx")):
        name, m = path.split("/")[-2], onnx_package.load(path)
        opset = next((o.version for o in m.opset_import if not o.domain), 0)
        if any(n.domain or n.op_type == "StringNormalizer" for n in m.graph.node):
            continue  # refused by name, as in the node tests
        found[name] = path, m
        for to in (7, 12, 21):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    # The converter does not reshape a slope with several elements, as opset 6
                    # requires.
                    if opset < to and opset == 6 and not ("PReLU" in name and "multi" in name):
                        found[f"{name}-{to}"] = (
                            path,
                            onnx_package.version_converter.convert_version(m, to),
                        )
                except RuntimeError:
                    pass  # the converter does not support it
    return found


def arrays(folder, kind):
    paths = sorted(glob.glob(f"{folder}/{kind}_*.pb"))
    return [
        numpy_helper.to_array(TensorProto.FromString(pathlib.Path(p).read_bytes())) for p in paths
    ]


def test_the_published_models_are_found():
    assert len(published()) >= 390


@pytest.mark.parametrize("name", published())
@pytest.mark.parametrize("engine", [e for e in ENGINES if e in ("native", "numpy")])
def test_published_models_give_their_outputs(name, engine, on_engine):
    on_engine(engine)
    path, m = published()[name]
    net = network(m)
    for folder in glob.glob(f"{os.path.dirname(path)}/test_data_set_*"):
        got = net(*map(to_ember, arrays(folder, "input")))
        for g, w in zip(
            got if isinstance(got, tuple) else [got], arrays(folder, "output"), strict=True
        ):
            # Another library rounds them to float32.
            np.testing.assert_allclose(to_numpy(g), w, rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize(
    "name", ["densenet121", "inception_v2", "resnet50", "shufflenet", "squeezenet"]
)
def test_architectures(name):
    """The weights are constants of one repeated value: the test compares the structure."""
    m = onnx_package.load(DATA / "light" / f"light_{name}.onnx")
    net, session = network(m), oracle(m)
    x = np.random.default_rng(1).random(net.inputs[0].shape, np.float32)
    for got, want in zip(
        net.run({net.inputs[0].name: x}).values(),
        session.run(None, {net.inputs[0].name: x}),
        strict=True,
    ):
        np.testing.assert_allclose(to_numpy(got), want, rtol=1e-4, atol=1e-6)


# ---- Forms of operators by opset, against ONNX Runtime ----
def same_as_oracle(m, feed):
    got = network(m).run(feed)
    for name, want in zip([o.name for o in m.graph.output], oracle(m).run(None, feed), strict=True):
        np.testing.assert_allclose(to_numpy(got[name]), want, rtol=1e-5, atol=1e-6)
        assert to_numpy(got[name]).shape == want.shape


X = np.random.default_rng(2).standard_normal((2, 3, 4, 5)).astype(np.float32)


@pytest.mark.parametrize(
    "op, opset, attributes, inputs",
    [
        ("Softmax", 11, {}, []),
        ("Softmax", 12, {"axis": 2}, []),
        ("Softmax", 13, {}, []),
        ("LogSoftmax", 7, {"axis": 0}, []),
        ("Hardmax", 11, {"axis": 1}, []),
        ("Slice", 7, {"starts": [1, -3], "ends": [9, -1], "axes": [0, 3]}, []),
        ("Slice", 10, {}, [[3], [0], [2], [-1]]),
        ("Pad", 7, {"pads": [0, 0, 1, 2, 0, 0, 0, 1], "mode": "reflect"}, []),
        ("Pad", 10, {"pads": [0, 0, 1, -1, 0, 0, 0, 1], "value": 3.0}, []),
        ("Squeeze", 11, {}, []),
        ("Unsqueeze", 11, {"axes": [0, -1]}, []),
        ("Clip", 7, {"min": -0.5, "max": 0.5}, []),
        ("Clip", 10, {"min": 0.0}, []),
        ("Split", 11, {"axis": 3, "split": [2, 3]}, []),
        ("TopK", 9, {"k": 2, "axis": 1}, []),
        ("Dropout", 9, {}, []),
        ("ReduceSum", 11, {"axes": [1, -1], "keepdims": 0}, []),
        ("ReduceMean", 17, {"axes": [2]}, []),
        ("Upsample", 7, {"scales": [1.0, 1.0, 2.0, 1.5], "mode": "linear"}, []),
        ("Resize", 10, {"mode": "nearest"}, [np.array([1, 1, 2.5, 0.5], np.float32)]),
        ("ReduceLogSumExp", 13, {"axes": [0, 3]}, []),
        ("ArgMax", 11, {"axis": 2}, []),
        (
            "AveragePool",
            7,
            {"kernel_shape": [2, 3], "pads": [1, 1, 0, 1], "count_include_pad": 1},
            [],
        ),
        ("AveragePool", 19, {"kernel_shape": [3, 3], "strides": [2, 2], "ceil_mode": 1}, []),
        ("MaxPool", 12, {"kernel_shape": [2, 2], "auto_pad": "SAME_UPPER", "strides": [2, 2]}, []),
        ("LRN", 7, {"size": 3, "alpha": 0.1}, []),
        ("LpNormalization", 7, {"axis": 1, "p": 1}, []),
        ("Flatten", 7, {"axis": 2}, []),
        ("DepthToSpace", 7, {"blocksize": 1}, []),
        ("SpaceToDepth", 13, {"blocksize": 1}, []),
        ("MeanVarianceNormalization", 9, {}, []),
        ("GlobalLpPool", 7, {"p": 3}, []),
        ("Cast", 9, {"to": I}, []),
        ("Tile", 7, {}, [[1, 2, 1, 2]]),
        ("Expand", 8, {}, [[2, 2, 3, 1, 1]]),
        ("CumSum", 11, {"exclusive": 1, "reverse": 1}, [np.array(2)]),
        ("Shape", 15, {"start": -2}, []),
    ],
    ids=lambda v: str(v) if isinstance(v, (str, int)) else "",
)
def test_opsets(op, opset, attributes, inputs):
    outputs = {"Split": 2, "TopK": 2}.get(op, 1)
    names = [f"i{k}" for k in range(len(inputs))]
    kind = I if op in ("ArgMax", "Cast", "Shape") else F
    shape = None if op in ("Split", "TopK") else []
    m = model(
        [node(op, ["x", *names], [f"y{k}" for k in range(outputs)], **attributes)],
        [("x", F, X.shape)],
        [(f"y{k}", I if op == "TopK" and k else kind, None) for k in range(outputs)],
        [constant(np.asarray(v), n) for n, v in zip(names, inputs)],
        opset,
    )
    m.ir_version = 8
    same_as_oracle(m, {"x": X})
    assert shape is None or len(m.graph.output) == 1


@pytest.mark.parametrize(
    "op, opset, attributes, b, want",
    [
        ("Add", 6, {"broadcast": 1, "axis": 1}, (3, 4), lambda x, b: x + b[:, :, None]),
        ("Mul", 6, {"broadcast": 1, "axis": 0}, (2,), lambda x, b: x * b[:, None, None, None]),
        ("Sub", 6, {"broadcast": 1}, (5,), lambda x, b: x - b),
        (
            "Div",
            1,
            {"broadcast": 1, "axis": -2, "consumed_inputs": [0, 0]},
            (4,),
            lambda x, b: x / b[:, None],
        ),
        ("Greater", 1, {"broadcast": 1, "axis": 3}, (5,), lambda x, b: x > b),
        ("PRelu", 6, {}, (3,), lambda x, b: np.where(x < 0, x * b[:, None, None], x)),
        ("Pow", 1, {"broadcast": 1, "axis": 1}, (3,), lambda x, b: x ** b[:, None, None]),
    ],
    ids=lambda v: str(v) if isinstance(v, (str, int)) else "",
)
def test_broadcasting_before_opset_7(op, opset, attributes, b, want):
    b = np.random.default_rng(8).random(b).astype(np.float32) + 1
    x = X + 4 if op == "Pow" else X
    kind = B if op == "Greater" else F
    net = network(
        model(
            [node(op, ["x", "b"], ["y"], **attributes)],
            [("x", F, X.shape)],
            [("y", kind, X.shape)],
            [constant(b, "b")],
            opset,
        )
    )
    np.testing.assert_allclose(
        to_numpy(net(x)), want(x.astype(np.float64), b.astype(np.float64)), rtol=1e-5
    )


@pytest.mark.parametrize(
    "op, opset, attributes, inputs, want",
    [
        ("Reshape", 1, {"shape": [0, -1], "consumed_inputs": [0]}, [], lambda x: x.reshape(2, -1)),
        ("Cast", 1, {"to": "INT32"}, [], lambda x: x.astype(np.int32)),
        ("Tile", 1, {}, [3, 2], lambda x: np.tile(x, (1, 1, 3, 1))),
        (
            "Pad",
            1,
            {"paddings": [0, 0, 1, 0, 0, 0, 0, 2]},
            [],
            lambda x: np.pad(x, ((0, 0), (0, 0), (1, 0), (0, 2))),
        ),
        ("Dropout", 6, {"is_test": 1}, [], lambda x: x),
        ("Relu", 1, {"consumed_inputs": [0]}, [], lambda x: np.maximum(x, 0)),
        ("Concat", 1, {}, [], lambda x: x),
        (
            "Upsample",
            1,
            {"width_scale": 2.0, "height_scale": 3.0},
            [],
            lambda x: x.repeat(3, 2).repeat(2, 3),
        ),
        ("GlobalLpPool", 1, {"p": 2.0}, [], lambda x: np.sqrt((x**2).sum((2, 3), keepdims=True))),
    ],
    ids=lambda v: str(v) if isinstance(v, (str, int)) else "",
)
def test_operators_of_old_opsets(op, opset, attributes, inputs, want):
    names = [f"i{k}" for k in range(len(inputs))]
    kind = TensorProto.INT32 if op == "Cast" else F
    net = network(
        model(
            [node(op, ["x", *names], ["y"], **attributes)],
            [("x", F, X.shape)],
            [("y", kind, None)],
            [constant(np.array(v), n) for n, v in zip(names, inputs)],
            opset,
        )
    )
    np.testing.assert_allclose(to_numpy(net(X)), want(X), rtol=1e-6)


def test_normalization_of_each_place():
    scale, bias, mean, variance = (
        np.random.default_rng(k).random(X.shape[1:]).astype(np.float32) + 0.5 for k in range(4)
    )
    net = network(
        model(
            [node("BatchNormalization", ["x", "s", "b", "m", "v"], ["y"], spatial=0)],
            [("x", F, X.shape)],
            [("y", F, X.shape)],
            [constant(v, n) for n, v in zip("sbmv", (scale, bias, mean, variance))],
            7,
        )
    )
    want = (X.astype(np.float64) - mean) / np.sqrt(
        variance.astype(np.float64) + 1e-5
    ) * scale + bias
    np.testing.assert_allclose(to_numpy(net(X)), want, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    "op, extra", [("LayerNormalization", ["b"]), ("SimplifiedLayerNormalization", [])]
)
def test_normalization_that_onnxruntime_writes(op, extra):
    m = model(
        [node(op, ["x", "s", *extra], ["y"], axis=-1, epsilon=1e-3)],
        [("x", F, X.shape)],
        [("y", F, X.shape)],
        [constant(np.linspace(1, 2, 5).astype(np.float32), n) for n in ["s", *extra]],
        12,
    )
    m.ir_version = 8
    same_as_oracle(m, {"x": X})


@pytest.mark.parametrize("op", ["MaxPool", "AveragePool", "LpPool"])
def test_windows_longer_than_the_image(op):
    m = model(
        [node(op, ["x"], ["y"], kernel_shape=[5, 2])],
        [("x", F, X.shape)],
        [("y", F, None)],
        opset=12,
    )
    m.ir_version = 8
    same_as_oracle(m, {"x": X})
    assert to_numpy(network(m)(X)).shape == (2, 3, 0, 4)


def lstm(op, gates, **attributes):
    rng = np.random.default_rng(3)
    weights = {"w": (2, gates * 4, 5), "r": (2, gates * 4, 4), "b": (2, 8 * gates), "h": (2, 3, 4)}
    names = ["x", "w", "r", "b", "n", "h"]
    if op == "LSTM":
        weights |= {"c": (2, 3, 4), "p": (2, 12)}
        names += ["c", "p"]
    init = [
        constant(rng.standard_normal(s).astype(np.float32) * 0.5, n) for n, s in weights.items()
    ] + [constant(np.array([6, 2, 4], np.int32), "n")]
    outputs = ["y", "yh"] + ["yc"] * (op == "LSTM")
    m = model(
        [node(op, names, outputs, hidden_size=4, direction="bidirectional", **attributes)],
        [("x", F, (6, 3, 5))],
        [(o, F, None) for o in outputs],
        init,
        14,
    )
    m.ir_version = 8
    return m


@pytest.mark.parametrize(
    "op, gates, attributes",
    [
        ("LSTM", 4, {}),
        ("LSTM", 4, {"clip": 0.3}),
        ("LSTM", 4, {"activations": ["HardSigmoid", "Tanh", "Softsign"] * 2}),
        ("GRU", 3, {}),
        ("GRU", 3, {"linear_before_reset": 1}),
        ("RNN", 1, {}),
        (
            "RNN",
            1,
            {
                "activations": ["LeakyRelu", "Affine"],
                "activation_alpha": [0.2, 0.5],
                "activation_beta": [0.1],
            },
        ),
    ],
    ids=range(7),
)
def test_sequences_of_different_lengths(op, gates, attributes):
    """Both directions, with peepholes, initial states and lengths."""
    same_as_oracle(
        lstm(op, gates, **attributes),
        {"x": np.random.default_rng(4).standard_normal((6, 3, 5)).astype(np.float32)},
    )


@pytest.mark.parametrize(
    "attributes",
    [
        {"output_shape": [9, 11]},
        {"output_shape": [8, 9], "auto_pad": "SAME_LOWER"},
        {"auto_pad": "SAME_UPPER"},
        {"pads": [1, 0, 0, 2], "output_padding": [1, 1]},
        {"dilations": [2, 1], "group": 2},
    ],
    ids=range(5),
)
def test_transposed_convolutions(attributes):
    group = attributes.get("group", 1)
    w = np.random.default_rng(5).standard_normal((4, 6 // group, 3, 3)).astype(np.float32)
    b = np.arange(6, dtype=np.float32)
    m = model(
        [node("ConvTranspose", ["x", "w", "b"], ["y"], strides=[2, 2], **attributes)],
        [("x", F, (1, 4, 4, 5))],
        [("y", F, None)],
        [constant(w, "w"), constant(b, "b")],
        11,
    )
    m.ir_version = 8
    same_as_oracle(
        m, {"x": np.random.default_rng(6).standard_normal((1, 4, 4, 5)).astype(np.float32)}
    )


# ---- Shapes ----
FLEXIBLE = model(
    [  # splits the last axis into halves, whatever its length
        node("Shape", ["x"], ["s"]),
        node("Gather", ["s", "zero"], ["n"]),
        node("Gather", ["s", "one"], ["k"]),
        node("Div", ["k", "two"], ["half"]),
        node("Unsqueeze", ["n", "axes"], ["n1"]),
        node("Unsqueeze", ["half", "axes"], ["half1"]),
        node("Concat", ["n1", "minus", "half1"], ["shape"], axis=0),
        node("Reshape", ["x", "shape"], ["r"]),
        node("ReduceSum", ["r", "minus"], ["y"], keepdims=0),
    ],
    [("x", F, ("n", "k"))],
    [("y", F, ("n", 2))],
    [
        constant(np.array(v), n)
        for n, v in {"zero": 0, "one": 1, "two": 2, "axes": [0], "minus": [-1]}.items()
    ],
)


def test_shapes_are_worked_out_for_each_input():
    net = network(FLEXIBLE)
    assert [p.shape for p in net.inputs] == [("n", "k")] and [p.shape for p in net.outputs] == [
        ("n", 2)
    ]
    for n, k in ((3, 4), (1, 10), (3, 4)):
        x = np.random.default_rng(n).random((n, k), np.float32)
        np.testing.assert_allclose(to_numpy(net(x)), x.reshape(n, 2, k // 2).sum(-1), rtol=1e-6)


def test_a_program_for_each_set_of_types():
    net = network(FLEXIBLE)
    inputs = [np.ones((n, 4), np.float32) for n in range(1, 5)]
    for x in inputs:
        net(x)
    before = ember_ml.counters()["compiled"]
    for x in inputs:
        net(x)
    assert ember_ml.counters()["compiled"] == before
    for n in range(5, 15):
        net(np.ones((n, 4), np.float32))
    between = ember_ml.counters()["compiled"]
    net(inputs[0])  # only the most recent programs are cached
    assert ember_ml.counters()["compiled"] > between


def test_a_small_input_may_decide_on_a_shape():
    m = model(
        [node("Expand", ["x", "shape"], ["y"])],
        [("x", F, (1, 2)), ("shape", I, (2,))],
        [("y", F, None)],
    )
    net = network(m)
    for n in (3, 5, 3):
        assert to_numpy(net([[1.0, 2.0]], [n, 2])).shape == (n, 2)


def test_a_large_input_may_decide_on_a_shape():
    m = model(
        [
            node("NonZero", ["x"], ["at"]),
            node("Transpose", ["at"], ["i"]),
            node("GatherND", ["x", "i"], ["y"]),
        ],
        [("x", F, ("n",))],
        [("y", F, None)],
    )
    net = network(m)
    for seed in range(3):
        x = np.maximum(np.random.default_rng(seed).standard_normal(5000).astype(np.float32), 0)
        np.testing.assert_array_equal(to_numpy(net(x)), x[x != 0])


def test_initializers_may_be_listed_as_inputs():
    m = model(
        [node("Add", ["x", "w"], ["y"])],
        [("x", F, (2,)), ("w", F, (2,))],
        [("y", F, (2,))],
        [constant(np.ones(2, np.float32), "w")],
    )
    net = network(m)
    assert [p.name for p in net.inputs] == ["x"] and to_numpy(net([1.0, 2.0])).tolist() == [2, 3]


def test_inputs_with_a_value_may_be_replaced():
    m = model(
        [node("Add", ["x", "w"], ["y"])],
        [("x", F, (2,)), ("w", F, (2,))],
        [("y", F, (2,))],
        [constant(np.ones(2, np.float32), "w")],
    )
    net = network(m)
    assert [p.name for p in net.inputs] == ["x"] and [p.name for p in net.defaults] == ["w"]
    assert to_numpy(net([1.0, 2.0], w=[5.0, 5.0])).tolist() == [6, 7]
    assert to_numpy(net([1.0, 2.0])).tolist() == [2, 3]
    with pytest.raises(errors.ShapeError, match='"w" must be'):
        net([1.0, 2.0], w=[5.0])
    m.ir_version = 3  # in version 3 every initializer is also an input
    with pytest.raises(errors.ValueError, match='unknown input "w"'):
        network(m)([1.0, 2.0], w=[5.0, 5.0])


def test_a_replaced_input_may_decide_on_a_shape():
    m = model(
        [node("Expand", ["x", "shape"], ["y"])],
        [("x", F, (1, 2)), ("shape", I, (2,))],
        [("y", F, None)],
        [constant(np.array([3, 2]), "shape")],
    )
    net = network(m)
    assert to_numpy(net([[1.0, 2.0]])).shape == (3, 2) and to_numpy(
        net([[1.0, 2.0]], shape=[4, 2])
    ).shape == (4, 2)


def test_an_output_without_a_type():
    m = model([node("Cast", ["x"], ["y"], to=I)], [("x", F, (2,))], [("y", F, None)])
    m.graph.output[0].ClearField("type")
    net = network(m)
    assert net.outputs[0].dtype is None and repr(net.outputs[0]) == "y: any[...]"
    assert net([1.0, 2.0]).dtype == ember_ml.int64


def shuffled(m, seed=0):
    nodes = list(m.graph.node)
    order = np.random.default_rng(seed).permutation(len(nodes))
    del m.graph.node[:]
    m.graph.node.extend(nodes[i] for i in order)
    return m


@pytest.mark.parametrize("seed", range(5))
def test_unordered_nodes_are_sorted(seed):
    m = shuffled(onnx_package.ModelProto.FromString(FLEXIBLE.SerializeToString()), seed)
    x = np.random.default_rng(1).random((3, 4), np.float32)
    np.testing.assert_allclose(to_numpy(network(m)(x)), x.reshape(3, 2, 2).sum(-1), rtol=1e-6)


def test_nodes_in_any_order_around_a_branch():
    """The branch reads a name that a node after the If computes; its own nodes are unordered
    too."""
    yes = graph(
        [node("Neg", ["b"], ["a"]), node("Add", ["late", "late"], ["b"])], [], [("a", F, None)]
    )
    no = graph([node("Identity", ["late"], ["c"])], [], [("c", F, None)])
    m = model(
        [
            node("If", ["flag"], ["y"], then_branch=yes, else_branch=no),
            node("Add", ["x", "x"], ["late"]),
        ],
        [("x", F, (2,)), ("flag", B, ())],
        [("y", F, None)],
    )
    net = network(m)
    assert to_numpy(net([1.0, 2.0], True)).tolist() == [-4, -8] and to_numpy(
        net([1.0, 2.0], False)
    ).tolist() == [2, 4]


# ---- Functions, branches, loops ----
def test_functions():
    """Attributes are passed through nested functions; defaults apply to missing ones."""
    imports = [helper.make_opsetid("", 17), helper.make_opsetid("my", 1)]
    inner = node("LeakyRelu", ["a"], ["b"])
    inner.attribute.append(
        AttributeProto(name="alpha", ref_attr_name="slope", type=AttributeProto.FLOAT)
    )
    leak = helper.make_function(
        "my",
        "leak",
        ["a"],
        ["b"],
        [inner],
        imports,
        attribute_protos=[helper.make_attribute("slope", 0.5)],
    )
    call = node("leak", ["a"], ["c"], domain="my")
    call.attribute.append(
        AttributeProto(name="slope", ref_attr_name="outer", type=AttributeProto.FLOAT)
    )
    both = helper.make_function(
        "my",
        "both",
        ["a"],
        ["c", "d"],
        [call, node("leak", ["a"], ["d"], domain="my")],
        imports,
        ["outer"],
    )
    m = model(
        [node("both", ["x"], ["y", "z"], domain="my", outer=0.25)],
        [("x", F, (2,))],
        [("y", F, (2,)), ("z", F, (2,))],
    )
    m.opset_import.append(imports[1])
    m.functions.extend([leak, both])
    y, z = network(m)([-4.0, 1.0])
    assert to_numpy(y).tolist() == [-1, 1] and to_numpy(z).tolist() == [-2, 1]


def graph(nodes, inputs, outputs):
    return helper.make_graph(nodes, "b", [value(*i) for i in inputs], [value(*o) for o in outputs])


@pytest.mark.parametrize("size", [2, 3000])
def test_branches(size):
    """The branches read names of the enclosing graph; the condition depends on an input."""
    yes, no = (
        graph([node("Neg", ["x"], ["a"])], [], [("a", F, None)]),
        graph([node("Add", ["x", "x"], ["b"])], [], [("b", F, None)]),
    )
    m = model(
        [
            node("ReduceSum", ["x"], ["s"], keepdims=0),
            node("Greater", ["s", "zero"], ["c"]),
            node("If", ["c"], ["y"], then_branch=yes, else_branch=no),
        ],
        [("x", F, (size,))],
        [("y", F, (size,))],
        [constant(np.array(0, np.float32), "zero")],
    )
    net = network(m)
    for x in (np.ones(size, np.float32), -np.ones(size, np.float32), np.ones(size, np.float32)):
        np.testing.assert_array_equal(to_numpy(net(x)), -x if x.sum() > 0 else x + x)


def test_loops():
    """s = 2 s + i, and every s, until s > 30 or for ten iterations."""
    body = graph(
        [
            node("Add", ["s", "s"], ["d"]),
            node("Cast", ["i"], ["f"], to=F),
            node("Add", ["d", "f"], ["t"]),
            node("Less", ["t", "limit"], ["go"]),
            node("Identity", ["t"], ["u"]),
        ],
        [("i", I, ()), ("c", B, ()), ("s", F, ())],
        [("go", B, ()), ("t", F, ()), ("u", F, ())],
    )
    m = model(
        [node("Loop", ["trips", "", "x"], ["y", "all"], body=body)],
        [("x", F, ())],
        [("y", F, ()), ("all", F, (None,))],
        [constant(np.array(10), "trips"), constant(np.array(30, np.float32), "limit")],
    )
    y, all_ = network(m)(1.0)
    want, s = [], 1.0
    for i in range(10):
        s = 2 * s + i
        want.append(s)
        if s >= 30:
            break
    assert float(y) == want[-1] and to_numpy(all_).tolist() == want


def test_a_loop_that_counts_in_a_vector():
    body = graph(
        [
            node("Cast", ["i"], ["f"], to=F),
            node("Concat", ["s", "f"], ["t"], axis=0),
            node("Identity", ["c"], ["go"]),
        ],
        [("i", I, (1,)), ("c", B, (1,)), ("s", F, (None,))],
        [("go", B, (1,)), ("t", F, (None,))],
    )
    m = model(
        [node("Loop", ["trips", "", "x"], ["y"], body=body)],
        [("x", F, (1,))],
        [("y", F, (None,))],
        [constant(np.array([3]), "trips")],
    )
    assert to_numpy(network(m)([7.0])).tolist() == [7, 0, 1, 2]


def test_strings_pass_through():
    m = model(
        [
            node("Concat", ["x", "w"], ["c"], axis=0),
            node("Gather", ["c", "at"], ["y"]),
            node("Equal", ["x", "w"], ["e"]),
        ],
        [("x", TensorProto.STRING, (2,))],
        [("y", TensorProto.STRING, (3,)), ("e", B, (2,))],
        [constant(np.array(["a", "b"], object), "w"), constant(np.array([3, 0, 1]), "at")],
    )
    net = network(m)
    assert (
        repr(net) == "Network(x: string[2]) -> y: string[3], e: bool[2]"
        and net.inputs[0].dtype == "string"
    )
    for x in (["\u00fc", "b"], np.array(["\u00fc", "b"]), np.array(["\u00fc", "b"], object)):
        y, e = net(x)
        assert y == ["b", "\u00fc", "b"] and to_numpy(e).tolist() == [False, True]
    with pytest.raises(errors.DTypeError, match="takes strings, not int"):
        net([1, 2])
    with pytest.raises(errors.ShapeError):
        net(["a", ["b"]])


def test_sequences_inside_a_graph():
    m = model(
        [
            node("SplitToSequence", ["x", "two"], ["s"], axis=0),
            node("SequenceLength", ["s"], ["n"]),
            node("SequenceAt", ["s", "last"], ["t"]),
            node("SequenceInsert", ["s", "t", "first"], ["u"]),
            node("ConcatFromSequence", ["u"], ["y"], axis=0),
        ],
        [("x", F, (5,))],
        [("y", F, None), ("n", I, ())],
        [constant(np.array(v), n) for n, v in {"two": 2, "last": -1, "first": 0}.items()],
    )
    y, n = network(m)([1.0, 2.0, 3.0, 4.0, 5.0])
    assert to_numpy(y).tolist() == [5, 1, 2, 3, 4, 5] and int(n) == 3


# ---- In Python and in the shell ----
def test_python():
    m = model(
        [node("Sub", ["a", "b"], ["d"]), node("Mul", ["a", "b"], ["p"])],
        [("a", F, ("n",)), ("b", F, ("n",))],
        [("d", F, ("n",)), ("p", F, ("n",))],
    )
    m.producer_name = "a test"
    m.metadata_props.add(key="task", value="arithmetic")
    net = network(m)
    assert repr(net) == "Network(a: float32[n], b: float32[n]) -> d: float32[n], p: float32[n]"
    assert (
        net.opset == 17
        and net.producer == "a test"
        and net.metadata == {"task": "arithmetic"}
        and net.operators == {"Mul": 1, "Sub": 1}
    )
    port = net.inputs[0]
    assert (port.name, port.dtype, port.shape, repr(port)) == (
        "a",
        ember_ml.float32,
        ("n",),
        "a: float32[n]",
    )
    for results in (
        net([3.0], [2.0]),
        net([3.0], b=[2.0]),
        net(b=[2.0], a=[3.0]),
        tuple(net.run({"a": [3.0], "b": [2.0]}).values()),
    ):
        assert [float(r[0]) for r in results] == [1, 6]
    with pytest.raises(errors.ValueError, match="3 were given"):
        net([1.0], [1.0], [1.0])
    with pytest.raises(errors.ValueError, match="twice"):
        net([1.0], a=[1.0])


@pytest.mark.parametrize("engine", ENGINES)
def test_the_current_backend_runs_it(engine, on_engine):
    net = network(FLEXIBLE)
    on_engine(engine)
    y = net(np.ones((2, 4), np.float32))
    assert y.backend == engine and to_numpy(y).tolist() == [[2, 2], [2, 2]]


def test_operators_have_the_version_of_the_standard():
    known = {name: (since, note) for name, since, note, domain in onnx.operators() if not domain}
    for name, (since, note) in known.items():
        # ONNX Runtime adds operators to ai.onnx that the standard has later or never.
        if "ONNX Runtime" not in note:
            # Each operator exists in ONNX at that opset.
            assert onnx_package.defs.get_schema(name, max(since, 1)), name
    for domain in ("com.microsoft", "ai.onnx.ml"):
        assert any(d == domain for *_, d in onnx.operators())
    newest = onnx_package.defs.onnx_opset_version()
    assert json.loads(
        subprocess.run(
            [EMBER, "ops", "--onnx", "--json"], capture_output=True, text=True, check=True
        ).stdout
    )["operators"][0]["name"] == min(known)
    assert newest == 28, "a later ONNX: look at what changed, and raise newest_opset"


def ember(*args):
    return subprocess.run([EMBER, *map(str, args)], capture_output=True, text=True, timeout=600)


@pytest.fixture
def saved(tmp_path):
    m = model(
        [node("Sub", ["a", "b"], ["d"])], [("a", F, ("n",)), ("b", F, ("n",))], [("d", F, ("n",))]
    )
    onnx_package.save(m, tmp_path / "m.onnx")
    (
        np.save(tmp_path / "a.npy", np.array([3, 4], np.float32)),
        np.save(tmp_path / "b.npy", np.array([1, 1], np.float32)),
        np.save(tmp_path / "c.npy", np.ones(2)),
    )
    return tmp_path


def test_command_shows_a_model(saved):
    text = ember("run", saved / "m.onnx").stdout
    assert (
        "a  float32[n]" in text
        and "d  float32[n]" in text
        and "Sub" in text
        and "--input b=" in text
    )
    told = json.loads(ember("run", saved / "m.onnx", "--json").stdout)
    assert told["inputs"][1] == {"name": "b", "dtype": "float32", "shape": ["n"]} and told[
        "operators"
    ] == {"Sub": 1}


def test_command_runs_a_model(saved):
    r = ember(
        "run",
        saved / "m.onnx",
        "--input",
        f"a={saved}/a.npy",
        "--input",
        f"b={saved}/b.npy",
        "--output",
        f"d={saved}/out.npy",
        "--backend",
        "native",
    )
    assert r.returncode == 0 and "d  float32[2]" in r.stdout and "[2. 3.]" in r.stdout, r.stderr
    assert np.load(saved / "out.npy").tolist() == [2, 3]
    r = json.loads(
        ember(
            "run",
            saved / "m.onnx",
            "--input",
            f"a={saved}/a.npy",
            "--input",
            f"b={saved}/b.npy",
            "--json",
        ).stdout
    )
    assert r == {
        "backend": "native",
        "outputs": {"d": {"dtype": "float32", "shape": [2], "first": [2, 3]}},
    }


@pytest.mark.parametrize(
    "arguments, text",
    [
        (["--input", "{}/a.npy"], "the names are: a, b"),
        (["--input", "z={}/a.npy"], "the names are: a, b"),
        (["--input", "a={}/a.npy"], '"b" is missing'),
        (["--input", "a={}/a.npy", "--input", "b={}/c.npy"], "must be float32[n], not float64[2]"),
        (["--input", "a={}/none.npy"], "none.npy"),
        (
            ["--input", "a={}/a.npy", "--input", "b={}/b.npy", "--output", "q=x.npy"],
            "the names are: d",
        ),
        (["--backend", "nosuch"], "nosuch"),
    ],
)
def test_command_says_what_is_wrong(saved, arguments, text):
    r = ember("run", saved / "m.onnx", *(a.format(saved) for a in arguments))
    assert r.returncode == 1 and text in r.stderr and not r.stdout
