"""The WebNN examples run and find the known results."""

import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

import webnn
from engines import ENGINES

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = pathlib.Path(os.environ.get("EMBER_MODELS", ROOT / "build/models"))
ENV = {**os.environ, "PYTHONPATH": str(pathlib.Path(webnn.__file__).resolve().parents[1])}


def run(name, *arguments):
    r = subprocess.run(
        [sys.executable, ROOT / "examples" / name, *arguments],
        capture_output=True,
        text=True,
        env=ENV,
    )
    assert r.returncode == 0, r.stderr
    return r.stdout


def test_the_specifications_first_example():
    assert (
        run("webnn_first.py")
        == "Output value: [[[[2.25, 2.25], [2.25, 2.25]], [[2.25, 2.25], [2.25, 2.25]]]]\n"
    )


@pytest.mark.parametrize("engine", ENGINES)
def test_mobilenet(engine):
    folder = MODELS / "mobilenetv2"
    if not folder.exists():
        pytest.skip("no weights of MobileNetV2: `make models` fetches them")
    printed = run("webnn_mobilenet.py", folder, "--engine", engine)
    assert (
        re.match(r" 99\.(59|60)\d%  lesser panda\n", printed)
        and f" ms for an image on {engine}" in printed
    ), printed


@pytest.mark.parametrize("engine", ENGINES)
def test_a_cache_on_the_device_gives_the_tokens_of_one_with_copies(engine):
    # The program compares them itself.
    assert run("webnn_kv_cache.py", "--tokens", "4", "--engine", engine).startswith("tokens: ")


SENTENCES = [
    "A cat sits on the window sill.",
    "The kitten is resting by the window.",
    "Stock prices fell sharply on Monday.",
    "Ein Café in Zürich – 東京で会いましょう!",
    "antidisestablishmentarianism; $3.50 (50% off)",
    "",
]
# The first numbers of each vector, as printed by bench/minilm_torch.py with torch 2.15.0.
FIRST = [
    [0.1006691, -0.0115505, -0.0137158, 0.0541486, -0.0698893, -0.0075353, 0.0761074, 0.0342112],
    [0.0895369, 0.0169581, -0.0147031, 0.0445823, 0.0204412, 0.0671221, -0.0408242, 0.0000306],
    [0.0188461, -0.0134097, 0.1058566, 0.0266274, -0.0143676, 0.0272747, -0.0553509, 0.0715885],
    [0.0219506, 0.0909346, 0.0242669, 0.0303930, 0.0039897, 0.0463327, 0.0720652, 0.0088131],
    [0.0561692, 0.0685259, 0.0167495, 0.0451009, -0.0430564, -0.0516140, 0.0716943, -0.0345863],
    [-0.1188385, 0.0482987, -0.0025482, -0.0110113, 0.0519508, 0.0102917, 0.1154333, 0.0007008],
]


@pytest.mark.parametrize("engine", ENGINES)
def test_minilm(engine):
    folder = MODELS / "minilm"
    if not folder.exists():
        pytest.skip("no all-MiniLM-L6-v2: `make models` fetches it")
    vectors = np.array(
        [
            line.split()
            for line in run(
                "webnn_minilm.py", "--model", folder, "--engine", engine, "--vectors", *SENTENCES
            ).splitlines()
        ],
        np.float64,
    )
    assert vectors.shape == (6, 384)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    np.testing.assert_allclose(vectors[:, :8], FIRST, atol=2e-6)
