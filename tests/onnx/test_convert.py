"""Round trips: a model that Ember reads and writes gives the same results in ONNX Runtime and in
Ember."""

import glob
import json
import os
import pathlib
import subprocess

import numpy as np
import onnx as onnx_package
import pytest

import ember_ml as em
from ember_ml import errors, nn, onnx

from engines import to_numpy
from test_networks import EMBER, arrays, oracle, published

NAMES = [n for n in published() if n.endswith("-12")]


def convert(source, to, *more):
    return subprocess.run(
        [EMBER, "convert", source, to, *more], capture_output=True, text=True, timeout=600
    )


@pytest.mark.parametrize("name", NAMES)
def test_published_models_convert_without_a_change(tmp_path, name):
    path, m = published()[name]
    onnx_package.save(m, tmp_path / "a.onnx")
    r = convert(tmp_path / "a.onnx", tmp_path / "b.onnx")
    assert r.returncode == 0, r.stderr
    written = onnx_package.load(tmp_path / "b.onnx")
    onnx_package.checker.check_model(written)
    net = onnx.load(tmp_path / "b.onnx")
    for folder in glob.glob(f"{os.path.dirname(path)}/test_data_set_*"):
        feed = {p.name: x for p, x in zip(net.inputs, arrays(folder, "input"), strict=True)}
        for ours, theirs, want in zip(
            net.run(feed).values(),
            oracle(written).run([o.name for o in written.graph.output], feed),
            arrays(folder, "output"),
            strict=True,
        ):
            np.testing.assert_allclose(to_numpy(ours), want, rtol=1e-3, atol=1e-5)
            np.testing.assert_allclose(theirs, want, rtol=1e-3, atol=1e-5)


def test_open_shapes_are_asked_for(tmp_path):
    from test_networks import FLEXIBLE

    onnx_package.save(FLEXIBLE, tmp_path / "a.onnx")
    r = convert(tmp_path / "a.onnx", tmp_path / "b.onnx")
    assert r.returncode == 1 and "--shape x=" in r.stderr and not (tmp_path / "b.onnx").exists()
    r = convert(tmp_path / "a.onnx", tmp_path / "b.onnx", "--shape", "x=2x", "--external")
    assert r.returncode == 1 and not pathlib.Path(tmp_path / "b.onnx").exists()
    r = convert(tmp_path / "a.onnx", tmp_path / "b.onnx", "--shape", "x=2x6", "--external")
    assert r.returncode == 0, r.stderr
    net = onnx.load(tmp_path / "b.onnx")
    assert net.inputs[0].shape == (2, 6) and "Shape" not in net.operators
    np.testing.assert_allclose(to_numpy(net(np.ones((2, 6), np.float32))), [[3, 3], [3, 3]])


# ---- Older opsets ----
class Everything(nn.Module):
    """Operators whose form depends on the opset."""

    def __init__(self):
        super().__init__()
        self.conv, self.norm = nn.Conv2d(3, 4, 3, padding=1), nn.LayerNorm(8)

    def forward(self, x):
        y = em.gelu(self.norm(self.conv(x)))
        parts = [
            em.max(y, axis=(2, 3)),
            em.mean(y, axis=3),
            em.sum(y, axis=(1, 2)),
            em.prod(y[:, :, 0, :2], axis=2),
            em.logsumexp(y, axis=(1, 3)),
        ]
        pooled = em.average_pool2d(y, [2, 2], strides=[2, 2]) + em.max_pool2d(
            y, [2, 2], strides=[2, 2]
        )
        small = em.astype(em.clip(y * 10, -100, 100), "int8")
        return (
            *parts,
            pooled,
            em.softmax(y, axis=1),
            em.astype(small + small, "float32"),
            em.any(y > 1, axis=1),
            em.argmax(y, axis=2),
        )


@pytest.mark.parametrize("opset", [13, 14, 15, 16, 17, 18, 19, 20, 21, 23])
def test_opset(tmp_path, opset):
    em.seed(1)
    net, x = Everything(), np.random.default_rng(2).standard_normal((2, 3, 8, 8)).astype(np.float32)
    onnx.save(tmp_path / "m.onnx", net, [x], opset=opset)
    m = onnx_package.load(tmp_path / "m.onnx")
    assert m.opset_import[0].version == opset
    onnx_package.checker.check_model(m, full_check=True)
    for got, again, want in zip(
        oracle(m).run(None, {"input_0": x}),
        onnx.load(tmp_path / "m.onnx")(x),
        net(em.asarray(x)),
        strict=True,
    ):
        np.testing.assert_allclose(got, to_numpy(want), rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(to_numpy(again), to_numpy(want), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_narrow_floats_of_an_older_opset(tmp_path, dtype):
    """Later opsets allow these dtypes for IsNaN and IsInf."""
    f = lambda x: (em.isnan(em.astype(x, dtype)), em.isinf(em.astype(x, dtype)))
    x = np.array([1, np.nan, np.inf, -np.inf], np.float32)
    onnx.save(tmp_path / "m.onnx", f, [x], opset=13)
    nan, inf = oracle(onnx_package.load(tmp_path / "m.onnx")).run(None, {"input_0": x})
    assert nan.tolist() == [False, True, False, False] and inf.tolist() == [
        False,
        False,
        True,
        True,
    ]


@pytest.mark.parametrize(
    "f, dtype, text",
    [
        (lambda x: x & x, "int32", r"\[bitwise_and\].*from opset 18 on"),
        (lambda x: em.signbit(x), "float32", r"\[signbit\].*from opset 26 on"),
    ],
)
def test_ops_that_an_older_opset_lacks(tmp_path, f, dtype, text):
    with pytest.raises(errors.UnsupportedError, match=text):
        onnx.save(tmp_path / "m.onnx", f, [np.ones(3, dtype)], opset=17)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("opset", [0, 12, 29, -1])
def test_no_such_opset(tmp_path, opset):
    with pytest.raises(errors.ValueError, match=f"opset {opset}: Ember writes 13 to 28"):
        onnx.save(tmp_path / "m.onnx", lambda x: x + 1, [np.ones(3, np.float32)], opset=opset)


def test_command_converts_to_an_older_opset(tmp_path):
    path, m = published()[
        "test_softmax_functional_dim3-12"
        if "test_softmax_functional_dim3-12" in NAMES
        else NAMES[0]
    ]
    onnx_package.save(m, tmp_path / "a.onnx")
    r = convert(tmp_path / "a.onnx", tmp_path / "b.onnx", "--opset", "13")
    assert r.returncode == 0, r.stderr
    assert onnx_package.load(tmp_path / "b.onnx").opset_import[0].version == 13
    r = convert(tmp_path / "a.onnx", tmp_path / "c.onnx", "--opset", "11")
    assert r.returncode == 1 and "Ember writes 13 to 28" in r.stderr


# ---- Inputs with fixed values ----
@pytest.fixture
def depends(tmp_path):
    """A branch depends on one input, a shape on another."""
    from test_networks import B, F, I, graph, model, node

    yes, no = (
        graph([node("Neg", ["x"], ["a"])], [], [("a", F, None)]),
        graph([node("Identity", ["x"], ["b"])], [], [("b", F, None)]),
    )
    m = model(
        [
            node("If", ["flip"], ["z"], then_branch=yes, else_branch=no),
            node("Expand", ["z", "shape"], ["y"]),
        ],
        [("x", F, (1, 2)), ("flip", B, ()), ("shape", I, (2,))],
        [("y", F, None)],
    )
    onnx_package.save(m, tmp_path / "a.onnx")
    np.save(tmp_path / "x.npy", np.array([[1, 2]], np.float32))
    return tmp_path


def test_fixed_values_are_written_away(depends):
    r = convert(depends / "a.onnx", depends / "b.onnx")
    assert r.returncode == 1 and 'depends on the value of "flip"' in r.stderr
    r = convert(
        depends / "a.onnx", depends / "b.onnx", "--value", "flip=true", "--value", "shape=3,2"
    )
    assert r.returncode == 0, r.stderr
    net = onnx.load(depends / "b.onnx")
    assert [p.name for p in net.inputs] == ["x"] and "If" not in net.operators
    assert to_numpy(net([[1.0, 2.0]])).tolist() == [[-1, -2]] * 3


def test_command_runs_with_values(depends):
    r = subprocess.run(
        [
            EMBER,
            "run",
            depends / "a.onnx",
            "--input",
            f"x={depends}/x.npy",
            "--value",
            "flip=false",
            "--value",
            "shape=1,2",
            "--json",
        ],
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert r.returncode == 0, r.stderr
    assert json.loads(r.stdout)["outputs"]["y"] == {
        "dtype": "float32",
        "shape": [1, 2],
        "first": [1, 2],
    }


@pytest.mark.parametrize(
    "value, text",
    [
        ("flip=1", "neither true nor false"),
        ("shape=1.5,2", "1.5 is not a number of its type"),
        ("shape=", "--value takes"),
        ("z=1", "the names are: x, flip, shape"),
        ("shape=99999999999999999999,2", "not a number"),
        ("x=one", "not a number"),
    ],
)
def test_values_that_make_no_sense(depends, value, text):
    r = convert(depends / "a.onnx", depends / "b.onnx", "--value", value)
    assert r.returncode == 1 and text in r.stderr, r.stderr
