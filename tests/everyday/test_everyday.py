"""Everyday programs of users of other libraries, each on every engine, against independent results.

A program is a function `program_*` in a file of this folder. It is written as a user of NumPy,
torch, JAX, MLX, Keras, scikit-learn, SciPy or Ember ML would write it, and asserts its own result.
The first word of the file's name is the library. One that takes `folder` gets an empty directory.
"""

import ast
import importlib
import inspect
import os
import subprocess
import sys
from pathlib import Path

os.environ.setdefault("MPLBACKEND", "agg")

import pytest

import ember_ml

HERE = Path(__file__).parent
ENGINES = os.environ.get("EMBER_TEST_ENGINES", "native numpy torch mlx onnxruntime").split()
sys.path.insert(0, str(HERE))


# Programs that fail, with the reason. A program that starts to work fails the test, so that its
# line is removed.
NAMESAKE = (
    "the name is NumPy's and the array API's, whose meaning differs; docs/migrating.md says so"
)
SAYS_WHAT = "is not offered; the error says what to write"
LATER = {
    "jax_programs-vmap": "vmap: a later part",
    "mlx_programs-default_device": "default_device " + SAYS_WHAT,
    "mlx_programs-save_safetensors": "save_safetensors " + SAYS_WHAT,
    "mlx_programs-streams": "mx.cpu " + SAYS_WHAT,
    "mlx_programs-vectorized_map": "vmap: a later part",
    "numpy_basics-sort_in_place": "x.sort() gives a sorted tensor, and x stays",
    "numpy_indexing-sliding_window_view": "np.lib " + SAYS_WHAT,
    "numpy_linalg-polynomial_object": "poly1d " + SAYS_WHAT,
    "numpy_numerics-unpack_bits": "unpackbits " + SAYS_WHAT,
    "numpy_statistics-shuffle_in_place": "random.shuffle(x) gives a shuffled tensor, and x stays",
    "torch_tensors-equal_is_one_answer": NAMESAKE,
    "torch_tensors-repeat_as_tiles": NAMESAKE,
    "torch_tensors-rows_of_nonzero": NAMESAKE,
    "torch_tensors-sort_gives_a_pair": NAMESAKE + "; with dim= it is torch's",
    "torch_tensors-split_into_sizes": NAMESAKE,
    "torch_tensors-transpose_two_axes": NAMESAKE,
    "torch_tensors-unbiased_deviation": NAMESAKE,
    "torch_training-checkpoint": "a .pt file is never read; safetensors hold tensors only, no nested state with numbers",
    "torch_training-predicted_classes_by_max": NAMESAKE + "; with dim= it is torch's",
}


def find_programs():
    """(file, function) of every program, found without importing it."""
    for path in sorted(HERE.glob("*_*.py")):
        if path.name.startswith("test_"):
            continue
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("program_"):
                yield path.stem, node.name


def cases():
    """A parameter for each program; those of LATER must fail."""
    for file, name in find_programs():
        key = f"{file}-{name.removeprefix('program_')}"
        marks = [pytest.mark.xfail(strict=True, reason=LATER[key])] if key in LATER else []
        yield pytest.param(file, name, id=key, marks=marks)


def test_later_names_programs():
    assert set(LATER) <= {case.id for case in cases()}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("file, name", list(cases()))
def test_program(file, name, engine, tmp_path):
    ember_ml.set_backend(engine)
    program = getattr(importlib.import_module(file), name)
    program(*[tmp_path] * len(inspect.signature(program).parameters))


@pytest.mark.parametrize("engine", ENGINES)
def test_webnn_in_node(engine):
    subprocess.run(
        ["node", HERE / "webnn_in_node.mjs"],
        check=True,
        env=os.environ | {"EMBER_ML_BACKEND": engine},
    )
