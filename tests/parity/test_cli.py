"""The command, the README and the environment from a user's view."""

import json
import os
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EMBER = ROOT / "build/bin/ember"
HELLO = ROOT / "build/examples/hello"
README = (ROOT / "README.md").read_text()


def run(*args, check=True, **env):
    r = subprocess.run(
        [str(a) for a in args],
        capture_output=True,
        text=True,
        env={**os.environ, **env},
        timeout=600,
    )
    assert not check or r.returncode == 0, r.stderr
    return r


def block(kind):
    """The C++ program, or the text after it."""
    return re.search(rf"```{kind}\n(.*?)```", README[README.index("```cpp") :], re.S).group(1)


def test_the_readme_shows_the_example():
    assert block("cpp") == (ROOT / "examples/hello.cpp").read_text()


NUMBER = r"-?\d+\.\d+(?:e-?\d+)?"


def numbers(text):
    return [float(v) for v in re.findall(NUMBER, text)]


# To the last digit of float32, which instruction sets may round differently.
def test_the_readme_shows_its_output():
    shown, printed = block("text"), run(HELLO, EMBER_ML_BACKEND="native").stdout
    assert re.sub(NUMBER + " *", "#", printed) == re.sub(NUMBER + " *", "#", shown)
    assert numbers(printed) == pytest.approx(numbers(shown), abs=6e-8)


def test_the_same_program_gives_the_same_numbers_on_numpy_without_being_rebuilt():
    native, other = (numbers(run(HELLO, EMBER_ML_BACKEND=b).stdout) for b in ("native", "numpy"))
    assert len(native) == 10 and native == pytest.approx(other, abs=1e-6)


def test_checked_compares_with_native():
    assert numbers(run(HELLO, EMBER_ML_BACKEND="numpy", EMBER_CHECKED="1").stdout) == pytest.approx(
        numbers(block("text")), abs=1e-6
    )


def test_eager_evaluates_at_each_call():
    assert numbers(run(HELLO, EMBER_EAGER="1").stdout) == pytest.approx(
        numbers(block("text")), abs=1e-6
    )


def test_a_backend_that_is_not_there_is_a_message():
    r = run(HELLO, check=False, EMBER_ML_BACKEND="nosuch")
    assert r.returncode != 0 and "backend 'nosuch' is not available" in r.stderr


def remember(home, content):
    """An environment whose ~/.ember/backend has this content; None makes it a directory."""
    (home / ".ember").mkdir()
    if content is None:
        (home / ".ember/backend").mkdir()
    else:
        (home / ".ember/backend").write_bytes(content)
    return {"HOME": str(home), "EMBER_ML_BACKEND": ""}


@pytest.mark.parametrize(
    "content,backend",
    [(b"", "native"), (b" \n", "native"), (b"numpy\n", "numpy"), (b"  numpy \t\r\n", "numpy")],
    ids=["empty", "blank", "numpy", "spaces"],
)
def test_the_remembered_backend(tmp_path, content, backend):
    assert f"* {backend}" in run(EMBER, "backends", **remember(tmp_path, content)).stdout


@pytest.mark.parametrize(
    "content",
    [b"../../x\n", b"\x00\xff" * 500_000, b"nosuch\n", b"num py", None],
    ids=["path", "junk", "absent", "inside", "directory"],
)
def test_a_remembered_backend_that_is_not_there_is_a_message(tmp_path, content):
    env = remember(tmp_path, content)
    for program in ([HELLO], [EMBER, "backends"]):
        r = run(*program, check=False, **env)
        assert r.returncode != 0 and "~/.ember/backend: " in r.stderr
    assert "* native" in run(EMBER, "backends", **env | {"EMBER_ML_BACKEND": "native"}).stdout


@pytest.mark.parametrize("backend", ["native", "numpy"])
def test_the_device_of_the_environment(backend):
    run(HELLO, EMBER_ML_BACKEND=backend, EMBER_ML_DEVICE="cpu")
    assert (
        f"* {backend}"
        in run(EMBER, "backends", EMBER_ML_BACKEND=backend, EMBER_ML_DEVICE="cpu").stdout
    )
    for device, why in [
        ("banana", "unknown device 'banana'"),
        ("cuda:", "unknown device 'cuda:'"),
        ("cuda:99", f"backend '{backend}' has no device cuda:99 here; it has cpu"),
    ]:
        for program in ([HELLO], [EMBER, "backends"]):
            r = run(*program, check=False, EMBER_ML_BACKEND=backend, EMBER_ML_DEVICE=device)
            assert r.returncode != 0 and "EMBER_ML_DEVICE: " + why in r.stderr


def test_backends_json():
    all_ = {b["name"]: b for b in json.loads(run(EMBER, "backends", "--json").stdout)["backends"]}
    assert all_["native"]["available"] and all_["native"]["ops"] > 100
    assert all_["numpy"]["available"] and all_["numpy"]["version"]
    for b in all_.values():
        assert b["available"] or b["reason"]
    assert "cuda" not in all_  # a device of torch's, not a backend
    assert "AVX3" not in json.dumps(all_)  # Highway's name of AVX-512


def test_ops_json_has_every_op():
    ops = json.loads(run(EMBER, "ops", "--json").stdout)["ops"]
    assert len(ops) >= 330
    assert all(o["doc"].endswith(".") and o["name"] and o["family"] for o in ops), [
        o["name"] for o in ops if not o["doc"].endswith(".")
    ]


def test_ops_describes_one_op():
    text = run(EMBER, "ops", "conv2d").stdout
    assert "strides=1" in text and "groups=1" in text
    assert "reduce_mean" in run(EMBER, "ops", "mean").stdout
    r = run(EMBER, "ops", "no_such_op", check=False)
    assert r.returncode == 1 and "no_such_op" in r.stderr


def test_help_and_no_colours_in_pipes():
    assert "backends" in run(EMBER, "--help").stdout
    assert "\033" not in run(EMBER, "backends").stdout
    assert run(EMBER, "nosuch", check=False).returncode != 0
