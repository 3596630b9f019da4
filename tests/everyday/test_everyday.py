"""Everyday programs of users of other libraries, each on every engine, against independent results.

A program is a function `program_*` in a file of this folder. It is written as a user of NumPy, torch,
JAX, MLX, Keras, scikit-learn, SciPy or Ember ML would write it, and asserts its own result. The first
word of the file's name is the library. One that takes `folder` gets an empty directory.
"""
import ast
import importlib
import inspect
import os
import sys
from pathlib import Path

os.environ.setdefault("MPLBACKEND", "agg")

import pytest

import ember_ml

HERE = Path(__file__).parent
ENGINES = os.environ.get("EMBER_TEST_ENGINES", "native numpy torch mlx onnxruntime").split()
sys.path.insert(0, str(HERE))


def find_programs():
    """(file, function) of every program, found without importing it."""
    for path in sorted(HERE.glob("*_*.py")):
        if path.name.startswith("test_"):
            continue
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("program_"):
                yield path.stem, node.name


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("file, name", [pytest.param(f, n, id=f"{f}-{n[8:]}") for f, n in find_programs()])
def test_program(file, name, engine, tmp_path):
    ember_ml.set_backend(engine)
    program = getattr(importlib.import_module(file), name)
    program(*[tmp_path] * len(inspect.signature(program).parameters))
