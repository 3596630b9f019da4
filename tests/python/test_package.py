"""The package: its versions agree with the build's, and importing it loads nothing that is not
needed yet."""

import pathlib
import re
import subprocess
import sys
import tomllib

import ember_ml

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def pins(text):
    """The versions of a requirements text by package: {"numpy": "2.4.6"}; lines that pin nothing are
    skipped."""
    return {
        m[1].lower().replace("_", "-"): m[2]
        for m in re.finditer(r"^([\w.-]+)==([\w.]+)", text, re.M)
    }


def test_versions_are_those_of_the_build():
    built = {}
    for path in (ROOT / "requirements.txt", *ROOT.glob("engines/*/requirements.txt")):
        built |= pins(path.read_text())
    extras = {k: pins("\n".join(v)) for k, v in PROJECT["project"]["optional-dependencies"].items()}
    assert set(extras) == {"numpy", "torch", "mlx", "onnxruntime", "all"}
    assert PROJECT["project"]["optional-dependencies"]["all"] == [
        "ember-ml[numpy,torch,mlx,onnxruntime]"
    ]
    asked = (
        pins("\n".join(PROJECT["build-system"]["requires"]))
        | extras["numpy"]
        | extras["torch"]
        | extras["mlx"]
        | extras["onnxruntime"]
    )
    assert asked and {k: built.get(k) for k in asked} == asked
    assert "dependencies" not in PROJECT["project"]


def test_one_version():
    assert (
        ember_ml.__version__
        == re.search(r"project\(Ember VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
    )
    assert PROJECT["project"]["dynamic"] == ["version"]


def test_importing_loads_no_engine_and_no_library():
    others = {"numpy", "torch", "mlx", "scipy", "inspect", "asyncio", "ember_ml.nn", "ember_ml.ops"}
    code = f"import sys, ember_ml; print('libember_' in open('/proc/self/maps').read(), sorted(set(sys.modules) & {others!r}))"
    out = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout
    assert out == "False []\n", out
