"""Types: the stubs match the modules, and mypy accepts the package, the examples and a user's
program."""

import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "python" / "ember_ml"
FIRST = "# Written by tools/generate/stubs.py"
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
        "--cache-dir",
        str(cache),
        "--no-error-summary",
        *map(str, paths),
    ]
    return subprocess.run(
        command,
        cwd=ROOT,
        capture_output=True,
        text=True,
    ).stdout


def test_package_examples_and_a_program():
    """typed.py also contains errors: an ignored error that does not occur is an error."""
    found = mypy(
        PACKAGE,
        ROOT / "python" / "emberharmony",
        ROOT / "python" / "webnn",
        ROOT / "tests" / "python" / "typed.py",
        *sorted((ROOT / "examples").glob("*.py")),
    )
    assert not found, found


def test_tools_and_benchmarks():
    scripts = ("tools/*.py", "tools/generate/*.py", "bench/peers/*.py", "bench/*_torch.py")
    found = mypy("--follow-imports=silent", *(p for s in scripts for p in ROOT.glob(s)))
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
    """A stub shadows its source, so each of these is checked separately."""
    name = str(path.relative_to(ROOT))
    found = [line for line in mypy(name).splitlines() if line.startswith(name)]
    assert not found, "\n".join(found)
