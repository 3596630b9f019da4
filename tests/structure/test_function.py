"""A function over ops is written in three files; the build makes the rest.

function.patch adds `sech`. The test applies it to a copy of the sources, compiles the sources that it
changes, links them with the objects of the build and looks at every surface.
"""

import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

import numpy as np
import pytest
from engines import ENGINES

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
PATCH = pathlib.Path(__file__).with_name("function.patch")


def run(*command, **kwargs):
    done = subprocess.run(command, capture_output=True, text=True, **kwargs)
    assert not done.returncode, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the sources with the patch, and a library of them in `lib`."""
    tree = tmp_path_factory.mktemp("structure")
    for folder in (
        "include",
        "src",
        "docs",
        "python",
        "tests/parity",
        "tests/support",
        "tools/generate",
    ):
        shutil.copytree(ROOT / folder, tree / folder)
    shutil.copy(ROOT / "pyproject.toml", tree)
    (tree / "build").symlink_to(BUILD)
    run("git", "apply", str(PATCH), cwd=tree)
    changed = re.findall(r"^\+\+\+ b/(\S+)", PATCH.read_text(), re.M)
    (tree / "lib").mkdir()
    objects = {
        compiled(tree, path): f"CMakeFiles/ember.dir/{path}.o"
        for path in changed
        if path.endswith(".cpp")
    }
    link(tree, objects)
    return tree


def compiled(tree, path):
    commands = json.loads((BUILD / "compile_commands.json").read_text())
    command = next(c["command"] for c in commands if c["file"] == str(ROOT / path))
    words = [w for w in shlex.split(command) if w != "-Winvalid-pch"]
    # The precompiled header includes the headers of the tree that it was built from.
    header = next(w for w in words if w.endswith("cmake_pch.hxx"))
    own = tree / "lib/pch.hxx"
    own.write_text(pathlib.Path(header).read_text().replace(str(ROOT), str(tree)))
    target = tree / "lib" / (pathlib.Path(path).name + ".o")
    words[words.index("-o") + 1] = str(target)
    moved = {str(ROOT / path): str(tree / path), header: str(own), "-O2": "-O0"}
    for folder in ("include", "src"):
        moved[f"-I{ROOT / folder}"] = f"-I{tree / folder}"
    moved[f"-I{ROOT}"] = f"-I{tree}"
    run(*(moved.get(w, w) for w in words), cwd=BUILD)
    return target


def link(tree, objects):
    """Links libember as the build does, with some objects replaced."""
    command = run("ninja", "-C", BUILD, "-t", "commands", "lib/libember.so.0").splitlines()[-1]
    words = shlex.split(command.split("&&")[1])
    words[words.index("-o") + 1] = str(tree / "lib/libember.so.0")
    replaced = {old: str(new) for new, old in objects.items()}
    assert replaced.keys() <= set(words)
    run(*(replaced.get(w, w) for w in words), cwd=BUILD)


@pytest.fixture(scope="module")
def environment(copy):
    return {
        **os.environ,
        "LD_LIBRARY_PATH": str(copy / "lib"),
        "PYTHONPATH": str(BUILD / "python"),
        "EMBER_ENGINE_PATH": str(BUILD / "lib/ember/engines"),
    }


def test_three_files_are_written_by_hand():
    changed = re.findall(r"^\+\+\+ b/(\S+)", PATCH.read_text(), re.M)
    assert changed == [
        "include/ember/ops.h",
        "src/ops/elementwise.cpp",
        "tests/parity/cases_elementwise.py",
    ]


def test_the_command_and_the_generated_files_have_it(copy, environment):
    shown = run(BUILD / "bin/ember", "ops", "sech", env=environment)
    assert "1 / cosh(x)" in shown
    written = copy / "generated"
    run(sys.executable, copy / "tools/generate/all.py", written, env=environment)
    for path, text in {
        "docs/ops.md": "| `sech(x)` | function | Hyperbolic secant, 1 / cosh(x). |",
        "python/ember_ml/_core/__init__.pyi": "def sech(",
        "python/ember_ml/ops/__init__.pyi": "sech",
        "python/ember_ml/_op_kinds.py": "sech",
        "python/ember_ml/_examples.py": "print(ops.sech(",
    }.items():
        assert text in (written / path).read_text(), path


@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_computes_it(engine, environment):
    program = f"""
import numpy as np, ember_ml as em
em.set_backend({engine!r})
x = em.asarray([-1.5, 0.0, 2.0], dtype=em.float32)
print(em.sech(x).tolist(), x.sech().tolist(), em.grad(lambda v: em.sum(em.sech(v)))(x).tolist())
"""
    lists = run(sys.executable, "-c", program, env=environment)
    values, method, gradient = json.loads("[" + lists.strip().replace("] [", "], [") + "]")
    x = np.array([-1.5, 0.0, 2.0])
    np.testing.assert_allclose(values, 1 / np.cosh(x), rtol=1e-6)
    np.testing.assert_allclose(gradient, -np.tanh(x) / np.cosh(x), rtol=1e-5, atol=1e-7)
    assert method == values
