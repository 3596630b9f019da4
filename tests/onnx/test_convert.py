"""There and back: what Ember read, written by Ember, computes the same in ONNX Runtime and in Ember."""
import glob
import os
import pathlib
import subprocess

import numpy as np
import onnx as onnx_package
import pytest

from ember_ml import onnx

from engines import to_numpy
from test_networks import EMBER, arrays, oracle, published

NAMES = [n for n in published() if n.endswith("-12")]


def convert(source, to, *more):
    return subprocess.run([EMBER, "convert", source, to, *more], capture_output=True, text=True, timeout=600)


@pytest.mark.parametrize("name", NAMES)
def test_published(tmp_path, name):
    path, m = published()[name]
    onnx_package.save(m, tmp_path / "a.onnx")
    r = convert(tmp_path / "a.onnx", tmp_path / "b.onnx")
    assert r.returncode == 0, r.stderr
    written = onnx_package.load(tmp_path / "b.onnx")
    onnx_package.checker.check_model(written)
    net = onnx.load(tmp_path / "b.onnx")
    for folder in glob.glob(f"{os.path.dirname(path)}/test_data_set_*"):
        feed = {p.name: x for p, x in zip(net.inputs, arrays(folder, "input"), strict=True)}
        for ours, theirs, want in zip(net.run(feed).values(), oracle(written).run([o.name for o in written.graph.output], feed), arrays(folder, "output"), strict=True):
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
