"""Types: the stubs are what the modules give now, and mypy accepts the package, the examples and a
user's program."""

import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "python" / "ember_ml"
FIRST = "# Written by tools/stubs.py"
STUBS = {
    str(p.relative_to(PACKAGE)): p.read_text()
    for p in sorted(PACKAGE.rglob("*.pyi"))
    if p.read_text().startswith(FIRST)
}


def mypy(*paths):
    cache = ROOT / "build" / "mypy" / os.environ.get("PYTEST_XDIST_WORKER", "0")
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--cache-dir",
        str(cache),
        "--no-error-summary",
        *map(str, paths),
    ]
    return subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "MYPYPATH": str(ROOT / "python")},
        capture_output=True,
        text=True,
    ).stdout


def test_stubs_are_up_to_date(tmp_path):
    subprocess.run([sys.executable, ROOT / "tools" / "stubs.py", tmp_path], check=True)
    now = {str(p.relative_to(tmp_path)): p.read_text() for p in tmp_path.rglob("*.pyi")}
    assert sorted(now) == sorted(STUBS), "make stubs"
    stale = [path for path in now if now[path] != STUBS[path]]
    assert not stale, f"out of date: {stale}: run make stubs"


def test_package_examples_and_a_program():
    """typed.py also says what must be refused: an ignored error that does not come is an error."""
    found = mypy(
        PACKAGE,
        ROOT / "python" / "emberharmony",
        ROOT / "python" / "webnn",
        ROOT / "tests" / "python" / "typed.py",
        *sorted((ROOT / "examples").glob("*.py")),
    )
    assert not found, found


def test_the_program_runs():
    import typed

    assert typed.right().shape == (2, 2)


@pytest.mark.parametrize(
    "path",
    [p for p in map(PACKAGE.joinpath, (s[:-1] for s in STUBS)) if p.exists()],
    ids=lambda p: str(p.relative_to(PACKAGE)),
)
def test_sources_behind_stubs(path):
    """A stub stands before its source, so each of these is checked by itself."""
    name = str(path.relative_to(ROOT))
    found = [line for line in mypy(name).splitlines() if line.startswith(name)]
    assert not found, "\n".join(found)
