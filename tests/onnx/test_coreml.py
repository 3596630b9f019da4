"""Core ML packages: coremltools reads them, its shape and dtype inference agrees, and
interpreting the program in NumPy gives native's results."""

import pathlib
import shutil
import subprocess
import tempfile

import numpy as np
import onnx
import pytest

import ember_ml as em
from ember_ml import _core as E, coreml, nn

from mil import Package
from test_export import chosen, export, harness, parity, read_list, refusal
from test_networks import EMBER

DTYPES = ("float32", "int32", "bool")
MOST_CASES = 8  # per op: coremltools is slow


def run_op(op, folder):
    """The refused cases with reasons, by dtype, and the cases that differ from native."""
    refused, wrong = {}, {}
    E.set_backend("native")
    cases = [(c, dtype) for c, dtype in chosen(op) if dtype in DTYPES]
    for c, dtype in cases[:MOST_CASES]:
        path = folder / "case.mlpackage"
        try:
            inputs, want = export(c, dtype, path, coreml.save)
        except E.Error as e:
            if "empty tensors" not in str(e):  # Core ML does not have them, whatever the op
                refused.setdefault(dtype, set()).add(refusal(e))
            continue
        if not want or any(
            x.dtype == np.int64 and np.any(x != x.astype(np.int32)) for x in inputs.values()
        ):
            continue
        try:
            package = Package(path)
            names = [i.name for i in package.spec.description.input]
            got = package(*(inputs[n] for n in names))
            own = c.tol.get(dtype) if isinstance(c.tol, dict) else c.tol
            limit = 2 * own if own else harness.TOLERANCE.get(dtype)
            for k, (g, w) in enumerate(zip(got.values(), want, strict=True)):
                kind = {"bool": np.int32, "int64": np.int32}.get(w.dtype.name, w.dtype)
                assert g.dtype == kind, f"result {k} is {g.dtype}, not {kind}"
                harness.close(
                    g.reshape(w.shape), w.astype(kind), g.dtype.name, limit, f"result {k}"
                )
        except Exception as e:
            wrong[c.id or "plain", dtype] = f"{type(e).__name__}: {e}"[:400]
        shutil.rmtree(path)
    return {dtype: "; ".join(sorted(reasons)) for dtype, reasons in refused.items()}, wrong


@pytest.mark.parametrize("op", parity.OPS)
def test_op(op, tmp_path):
    refused, wrong = run_op(op, tmp_path)
    listed = {
        dtype: reason
        for name, dtypes, reason in read_list("not-coreml.tsv")
        if name == op
        for dtype in dtypes.split()
    }
    assert refused == listed
    assert not wrong


def write_list():
    """PYTHONPATH=...

    python tests/onnx/test_coreml.py: the lines of not-coreml.tsv, and what differs.
    """
    for op in parity.OPS:
        with tempfile.TemporaryDirectory() as folder:
            refused, wrong = run_op(op, pathlib.Path(folder))
        for reason in sorted(set(refused.values())):
            print(
                op,
                " ".join(d for d, r in refused.items() if r == reason),
                reason,
                sep="\t",
                flush=True,
            )
        for case, text in wrong.items():
            print("DIFFERS", op, case, text.replace("\n", " "), sep="\t", flush=True)


def networks():
    """Name, module, input: every kind of layer that Core ML has an operation for, with constant
    weights."""
    x2 = em.random_normal((2, 3, 9, 8), seed=1)
    sequence = em.random_normal((2, 7, 8), seed=2)
    image = nn.Sequential(
        nn.Conv2d(3, 8, 3, stride=2, padding=1),
        nn.BatchNorm2d(8),
        nn.ReLU6(),
        nn.Conv2d(8, 8, 3, padding=2, dilation=2, groups=8),
        nn.SiLU(),
        nn.AvgPool2d(2),
        nn.Flatten(),
        nn.Linear(8 * 4, 5),
        nn.Softmax(-1),
    )
    upscale = nn.Sequential(
        nn.ConvTranspose2d(3, 4, 3, stride=2, padding=1, output_padding=1),
        nn.Tanh(),
        nn.ConvTranspose2d(4, 4, 2, stride=2, groups=2),
        nn.MaxPool2d(3, stride=2, padding=1),
    )
    return {
        "image": (image, x2),
        "upscale": (upscale, x2),
        "normalized": (
            nn.Sequential(nn.LayerNorm(8), nn.Linear(8, 16), nn.GELU(), nn.RMSNorm(16)),
            sequence,
        ),
        "groups": (nn.Sequential(nn.Conv2d(3, 8, 1), nn.GroupNorm(2, 8)), x2),
        "transformer": (
            nn.TransformerEncoderLayer(8, 2, dim_feedforward=16, batch_first=True),
            sequence,
        ),
        "lstm": (nn.LSTM(8, 6, batch_first=True), sequence),
        "gru": (nn.GRU(8, 6, batch_first=True), sequence),
    }


@pytest.mark.parametrize("name", networks())
def test_network(name, tmp_path):
    E.set_backend("native")
    net, x = networks()[name]
    net.eval()

    def f(x):
        y = net(x)
        return y[0] if isinstance(y, tuple) else y

    coreml.save(tmp_path / "net.mlpackage", f, [x], input_names=["x"], output_names=["y"])
    package = Package(tmp_path / "net.mlpackage")
    np.testing.assert_allclose(package(np.asarray(x))["y"], np.asarray(f(x)), rtol=2e-5, atol=2e-6)
    used = {o.op_type for o in package.main.operations}
    wanted = {
        "image": {"conv", "batch_norm", "avg_pool", "softmax"},
        "upscale": {"conv_transpose", "max_pool"},
        "normalized": {"layer_norm", "gelu", "matmul"},
    }
    assert wanted.get(name, set()) <= used


def test_an_onnx_model_is_converted(tmp_path):
    w = np.random.default_rng(0).standard_normal((4, 3)).astype(np.float32)
    h = onnx.helper
    graph = h.make_graph(
        [h.make_node("MatMul", ["in:0", "w"], ["m"]), h.make_node("Relu", ["m"], ["out"])],
        "g",
        [h.make_tensor_value_info("in:0", 1, ["n", 4])],
        [h.make_tensor_value_info("out", 1, ["n", 3])],
        [onnx.numpy_helper.from_array(w, "w")],
    )
    onnx.save(
        h.make_model(graph, opset_imports=[h.make_opsetid("", 17)], ir_version=8),
        tmp_path / "a.onnx",
    )
    to = tmp_path / "a.mlpackage"
    r = subprocess.run(
        [EMBER, "convert", tmp_path / "a.onnx", to, "--shape", "in:0=2x4"],
        capture_output=True,
        text=True,
    )
    assert r.returncode == 0, r.stderr
    x = np.random.default_rng(1).standard_normal((2, 4)).astype(np.float32)
    package = Package(to)
    assert [i.name for i in package.spec.description.input] == ["in_0"]
    np.testing.assert_allclose(package(x)["out"], np.maximum(x @ w, 0), rtol=1e-5)


def test_dtypes_of_inputs_and_outputs(tmp_path):
    """bool inputs and outputs are int32, int64 is int32 everywhere, a 0-d tensor has one
    element."""
    path = tmp_path / "edges.mlpackage"
    coreml.save(
        path,
        lambda a, b: {"any": em.any(a), "sum": em.sum(b), "not": em.logical_not(a)},
        [em.asarray([True, False]), em.asarray([3, 4])],
    )
    package = Package(path)
    got = package(np.array([1, 0]), np.array([3, 4]))
    assert {k: (v.dtype.name, v.tolist()) for k, v in got.items()} == {
        "any": ("int32", [1]),
        "sum": ("int32", [7]),
        "not": ("int32", [0, 1]),
    }


def test_what_is_refused(tmp_path):
    x = em.ones((2, 3))
    path = tmp_path / "net.mlpackage"
    with pytest.raises(E.UnsupportedError, match=r"float32, float16, int32 and bool, not float64"):
        coreml.save(path, lambda x: x + 1, [em.ones((2,), dtype="float64")])
    with pytest.raises(E.UnsupportedError, match="4294967296 does not fit int32"):
        coreml.save(path, lambda i: i + 2**32, [em.ones((2,), dtype="int64")])
    with pytest.raises(E.UnsupportedError, match="svd"):
        coreml.save(path, lambda x: em.linalg.svdvals(x), [x])
    with pytest.raises(E.Error, match="mlpackage"):
        coreml.save(tmp_path / "net.onnx", lambda x: x, [x])
    with pytest.raises(E.Error, match="2 names for 1 input"):
        coreml.save(path, lambda x: x, [x], input_names=["a", "b"])
    assert not list(tmp_path.iterdir())


def test_a_package_is_replaced_whole_and_nothing_else_is(tmp_path):
    path = tmp_path / "net.mlpackage"
    coreml.save(path, lambda x: x * 2, [em.ones((2,))])
    (path / "left over").write_text("")
    coreml.save(path, lambda x: x * 3, [em.ones((2,))])
    assert not (path / "left over").exists() and sorted(p.name for p in tmp_path.iterdir()) == [
        "net.mlpackage"
    ]
    np.testing.assert_array_equal(Package(path)(np.ones(2))["output_0"], [3, 3])
    other = tmp_path / "photos.mlpackage"
    other.mkdir()
    (other / "photo").write_text("mine")
    with pytest.raises(E.Error, match="not a model package"):
        coreml.save(other, lambda x: x, [em.ones((2,))])
    assert (other / "photo").read_text() == "mine"


if __name__ == "__main__":
    write_list()
