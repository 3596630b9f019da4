"""Operators of ai.onnx.ml: scikit-learn pipelines exported by skl2onnx give scikit-learn's
results, and single operators ONNX Runtime's."""

import json
import pathlib

import numpy as np
import onnxruntime
import pytest
from onnx import helper

from ember_ml import errors, onnx

from engines import ENGINES, to_numpy

FOLDER = pathlib.Path(__file__).parent / "sklearn"  # written by make_sklearn_models.py
NAMES = sorted(p.stem for p in FOLDER.glob("*.onnx"))


def test_there_are_models():
    assert len(NAMES) == 15


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("engine", ENGINES)
def test_pipelines(name, engine, on_engine):
    on_engine(engine)
    net = onnx.load(FOLDER / f"{name}.onnx")
    data = json.loads((FOLDER / f"{name}.json").read_text())
    feed = {p.name: data["inputs"][p.name] for p in net.inputs}
    feed = {n: x if isinstance(x[0][0], str) else np.array(x, np.float32) for n, x in feed.items()}
    for rows in (slice(None), slice(0, 1)):
        got = list(net.run({n: x[rows] for n, x in feed.items()}).values())
        for g, want in zip(got, data["outputs"], strict=True):
            if isinstance(want[0], str):
                assert g == want[rows]
            else:
                np.testing.assert_allclose(
                    to_numpy(g).reshape(np.shape(want[rows])), want[rows], rtol=1e-4, atol=1e-5
                )


# ---- Single operators ----
X = np.array([[1, -2, 0.5, 0], [0, 3, -1, 2], [0, 0, 0, 0], [2, 2, 2, 2]], np.float32)
F, I, S = np.float32, np.int64, object


def one_node(op, inputs, outputs=1, version=3, **attributes):
    feed = {f"x{k}": np.asarray(x) for k, x in enumerate(inputs)}
    node = helper.make_node(
        op, list(feed), [f"y{k}" for k in range(outputs)], domain="ai.onnx.ml", **attributes
    )
    ports = [
        helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(x.dtype), x.shape)
        for n, x in feed.items()
    ]
    graph = helper.make_graph(
        [node], "g", ports, [helper.ValueInfoProto(name=f"y{k}") for k in range(outputs)]
    )
    return helper.make_model(
        graph,
        opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.ml", version)],
        ir_version=9,
    ), feed


def compare(op, inputs, outputs=1, **more):
    model, feed = one_node(op, inputs, outputs, **more)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(model.SerializeToString(), options)
    for port, inferred in zip(model.graph.output, session.get_outputs()):
        if inferred.type == "tensor(string)":  # strings must be declared
            port.type.tensor_type.elem_type = 8
    got = onnx.parse(model.SerializeToString()).run(feed)
    for g, w in zip(got.values(), session.run(None, feed), strict=True):
        if w.dtype == object:
            assert np.array(g, object).tolist() == w.tolist()
        else:
            assert to_numpy(g).dtype == w.dtype and to_numpy(g).shape == w.shape
            np.testing.assert_allclose(to_numpy(g), w, rtol=1e-5, atol=1e-6)


WORDS = np.array([["b", "a"], ["zzz", "c"]], object)
LINEAR = dict(
    coefficients=[0.5, -1, 2, 0.25, 1, 1, -0.5, 0, -1, 0.5, 0, 2], intercepts=[0.5, -0.25, 0]
)
TWO = dict(coefficients=[0.5, -1, 2, 0.25], intercepts=[0.5])
VECTORS = dict(
    n_supports=2,
    support_vectors=[1.0, 0, 0.5, -1, 0, 2, 1, 0.5],
    coefficients=[0.5, -2],
    rho=[0.25],
)


@pytest.mark.parametrize(
    "op, inputs, attributes",
    [
        ("Scaler", [X], dict(offset=[1.0, 0, 0.5, 2], scale=[2.0, 1, 0.5, 3])),
        ("Scaler", [X.astype(I)], dict(offset=[1.0], scale=[0.5])),
        ("Normalizer", [X], dict(norm="L1")),
        ("Normalizer", [X], dict(norm="L2")),
        ("Normalizer", [np.abs(X)], dict(norm="MAX")),
        (
            "Imputer",
            [np.where(X == 0, np.nan, X)],
            dict(imputed_value_floats=[5.0, 6, 7, 8], replaced_value_float=float("nan")),
        ),
        ("Imputer", [X], dict(imputed_value_floats=[9.0], replaced_value_float=2.0)),
        ("Imputer", [X.astype(I)], dict(imputed_value_int64s=[9], replaced_value_int64=2)),
        ("Binarizer", [X], dict(threshold=0.5)),
        ("ArrayFeatureExtractor", [X, np.array([3, 0])], {}),
        ("ArrayFeatureExtractor", [X[0], np.array([1])], {}),
        ("ArrayFeatureExtractor", [WORDS, np.array([1, 1])], {}),
        ("FeatureVectorizer", [X, X[:, :1]], dict(inputdimensions=[4, 1])),
        ("OneHotEncoder", [np.array([[1, 3], [2, 7]])], dict(cats_int64s=[1, 2, 3])),
        ("OneHotEncoder", [WORDS], dict(cats_strings=["a", "b", "c"], zeros=1)),
        ("OneHotEncoder", [X[:, :1]], dict(cats_int64s=[0, 1])),
        ("LabelEncoder", [WORDS], dict(keys_strings=["a", "b"], values_int64s=[7, 8])),
        (
            "LabelEncoder",
            [WORDS],
            dict(keys_strings=["a", "b"], values_strings=["x", "y"], default_string="?"),
        ),
        (
            "LabelEncoder",
            [np.array([1, 5, 2])],
            dict(keys_int64s=[1, 2], values_strings=["x", "y"]),
        ),
        (
            "LabelEncoder",
            [np.array([1, 5, 2])],
            dict(keys_int64s=[1, 2], values_floats=[0.5, 1.5], default_float=9.0),
        ),
        (
            "LabelEncoder",
            [np.array([1, np.nan, 4], F)],
            dict(keys_floats=[1.0, float("nan")], values_int64s=[3, 4], default_int64=5, version=4),
        ),
        ("LabelEncoder", [WORDS], dict(classes_strings=["a", "b"], version=1)),
        ("LabelEncoder", [np.array([1, 0, 9])], dict(classes_strings=["a", "b"], version=1)),
        ("CategoryMapper", [WORDS], dict(cats_int64s=[4, 5], cats_strings=["a", "b"])),
        (
            "CategoryMapper",
            [np.array([4, 6])],
            dict(cats_int64s=[4, 5], cats_strings=["a", "b"], default_string="none"),
        ),
        ("LinearRegressor", [X], dict(targets=3, **LINEAR)),
        ("LinearRegressor", [X], dict(targets=3, post_transform="SOFTMAX", **LINEAR)),
        ("LinearRegressor", [X], dict(**TWO)),
        (
            "LinearClassifier",
            [X],
            dict(outputs=2, classlabels_ints=[3, 5, 9], post_transform="SOFTMAX", **LINEAR),
        ),
        (
            "LinearClassifier",
            [X],
            dict(
                outputs=2, classlabels_strings=["p", "q", "r"], post_transform="LOGISTIC", **LINEAR
            ),
        ),
        (
            "LinearClassifier",
            [X],
            dict(outputs=2, classlabels_ints=[3, 5], post_transform="LOGISTIC", **TWO),
        ),
        ("LinearClassifier", [X], dict(outputs=2, classlabels_ints=[3, 5], **TWO)),
        ("SVMRegressor", [X], dict(kernel_type="RBF", kernel_params=[0.3, 0.0, 3.0], **VECTORS)),
        ("SVMRegressor", [X], dict(kernel_type="POLY", kernel_params=[0.3, 1.0, 2.0], **VECTORS)),
        (
            "SVMRegressor",
            [X],
            dict(kernel_type="SIGMOID", kernel_params=[0.3, 0.1, 0.0], one_class=1, **VECTORS),
        ),
        (
            "SVMRegressor",
            [X],
            dict(
                kernel_type="LINEAR",
                kernel_params=[0.0, 0, 0],
                coefficients=[1.0, 2, 3, 4],
                rho=[0.5],
            ),
        ),
    ],
    ids=lambda v: v if isinstance(v, str) else "",
)
def test_as_onnxruntime(op, inputs, attributes):
    compare(op, inputs, **attributes)


# Two trees: x0 <= 0.5 ? leaf 1 : (x1 < 1 ? leaf 3 : leaf 4), and x2 >= 0 ? leaf 1 : leaf 2.
TREES = dict(
    nodes_treeids=[0] * 5 + [1] * 3,
    nodes_nodeids=[0, 1, 2, 3, 4, 0, 1, 2],
    nodes_featureids=[0, 0, 1, 0, 0, 2, 0, 0],
    nodes_values=[0.5, 0, 1, 0, 0, 0, 0, 0],
    nodes_modes=["BRANCH_LEQ", "LEAF", "BRANCH_LT", "LEAF", "LEAF", "BRANCH_GTE", "LEAF", "LEAF"],
    nodes_truenodeids=[1, 0, 3, 0, 0, 1, 0, 0],
    nodes_falsenodeids=[2, 0, 4, 0, 0, 2, 0, 0],
)
LEAVES = ([0, 0, 0, 1, 1], [1, 3, 4, 1, 2])


def tree_leaves(prefix, ids, weights):
    return {
        f"{prefix}_treeids": LEAVES[0],
        f"{prefix}_nodeids": LEAVES[1],
        f"{'class' if prefix == 'class' else 'target'}_ids": ids,
        f"{prefix}_weights": weights,
    }


@pytest.mark.parametrize("post_transform", ["NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO"])
@pytest.mark.parametrize(
    "ids, weights, more",
    [
        ([0, 1, 2, 0, 2], [0.5, 0.25, 0.75, 0.125, 1], dict(classlabels_int64s=[4, 6, 9])),
        (
            [0, 1, 2, 0, 2],
            [0.5, -0.25, 0.75, 0.125, -1],
            dict(classlabels_strings=["a", "b", "c"], base_values=[0.5, 0.25, 0]),
        ),
        ([0] * 5, [0.5, 0.25, 0.125, 0.125, 0.25], dict(classlabels_int64s=[4, 6])),
        ([0] * 5, [0.5, -0.25, 1.125, 0.125, -0.25], dict(classlabels_int64s=[4, 6])),
        ([1] * 5, [0.5, 0.25, 0.125, 0.125, 0.25], dict(classlabels_strings=["n", "y"])),
        (
            [0] * 5,
            [0.5, -0.25, 1.125, 0.125, -0.25],
            dict(classlabels_int64s=[0, 1], base_values=[-0.75]),
        ),
        ([1] * 5, [0.5, -0.25, 1.125, 0.125, -0.25], dict(classlabels_int64s=[4, 6])),
    ],
    ids=range(7),
)
def test_tree_classifiers(ids, weights, more, post_transform):
    compare(
        "TreeEnsembleClassifier",
        [X],
        outputs=2,
        post_transform=post_transform,
        **TREES,
        **tree_leaves("class", ids, weights),
        **more,
    )


@pytest.mark.parametrize(
    "more",
    [
        {},
        dict(aggregate_function="AVERAGE"),
        dict(aggregate_function="MIN"),
        dict(aggregate_function="MAX"),
        dict(base_values=[2.0]),
        dict(nodes_missing_value_tracks_true=[1] + [0] * 7),
    ],
    ids=range(6),
)
def test_tree_regressors(more):
    x = X.copy()
    x[1, 0] = np.nan
    compare(
        "TreeEnsembleRegressor",
        [x],
        n_targets=1,
        **TREES,
        **tree_leaves("target", [0] * 5, [1.5, -2, 3, 10, 20]),
        **more,
    )


def test_a_single_target_is_transformed():
    """As the standard specifies; ONNX Runtime ignores it."""
    model, feed = one_node(
        "TreeEnsembleRegressor",
        [X],
        n_targets=1,
        post_transform="LOGISTIC",
        **TREES,
        **tree_leaves("target", [0] * 5, [1.5, -2, 3, 10, 20]),
    )
    first, second = (
        np.where(X[:, 0] <= 0.5, 1.5, np.where(X[:, 1] < 1, -2, 3)),
        np.where(X[:, 2] >= 0, 10, 20),
    )
    np.testing.assert_allclose(
        to_numpy(onnx.parse(model.SerializeToString()).run(feed)["y0"])[:, 0],
        1 / (1 + np.exp(-(first + second))),
        rtol=1e-6,
    )


@pytest.mark.parametrize(
    "change, text",
    [
        (dict(nodes_truenodeids=[0, 0, 3, 0, 0, 1, 0, 0]), "cycle"),
        (dict(nodes_truenodeids=[9, 0, 3, 0, 0, 1, 0, 0]), "missing"),
        (dict(nodes_values=[0.5]), "differ in length"),
        (dict(nodes_featureids=[0, 0, -1, 0, 0, 2, 0, 0]), "feature -1"),
        (dict(nodes_featureids=[0, 0, 7, 0, 0, 2, 0, 0]), "8 features, the input has 4"),
        (dict(nodes_nodeids=[0, 1, 2, 3, 3, 0, 1, 2]), "two nodes 3"),
        (dict(target_ids=[0, 0, 0, 0, 1]), "missing"),
    ],
    ids=range(7),
)
def test_trees_that_make_no_sense(change, text):
    model, feed = one_node(
        "TreeEnsembleRegressor",
        [X],
        n_targets=1,
        **(TREES | tree_leaves("target", [0] * 5, [1.5, -2, 3, 10, 20]) | change),
    )
    with pytest.raises((errors.ValueError, errors.ShapeError), match=text):
        onnx.parse(model.SerializeToString()).run(feed)


def test_maps_are_refused_by_name():
    model, _ = one_node("DictVectorizer", [X], string_vocabulary=["a"])
    with pytest.raises(errors.UnsupportedError, match="DictVectorizer"):
        onnx.parse(model.SerializeToString())
