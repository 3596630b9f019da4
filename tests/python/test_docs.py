"""The pages for Python users: their code runs, prints the output shown, and only uses existing
names."""

import contextlib
import doctest
import io
import os
import pathlib
import re
import subprocess
import sys

import pytest

import ember_ml

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = [
    "README.md",
    "docs/migrating.md",
    "docs/python.md",
    "docs/training.md",
    "docs/webnn.md",
    "docs/webnn-migration.md",
]
ENV = {
    **os.environ,
    "PYTHONPATH": str(pathlib.Path(ember_ml.__file__).resolve().parents[1]),
}  # absolute, because programs run in other folders


def blocks(page, language):
    """Code blocks in this language, each with its line and the text block that follows, if any."""
    text = (ROOT / page).read_text()
    pattern = rf"^```{language}\n(.*?)^```\n(?:```text\n(.*?)^```$)?"
    return [
        (text[: m.start()].count("\n") + 2, m[1], m[2])
        for m in re.finditer(pattern, text, re.M | re.S)
    ]


def params(language):
    return [
        pytest.param(page, line, code, output, id=f"{page}:{line}")
        for page in PAGES
        for line, code, output in blocks(page, language)
    ]


@pytest.mark.parametrize("page,line,code,output", params("python"))
def test_python(page, line, code, output, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with ember_ml.using_backend("native"):
        if code.startswith(">>>"):
            failed = []
            test = doctest.DocTestParser().get_doctest(code, {}, page, page, line - 1)
            doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=failed.append)
            assert not failed, "".join(failed)
            return
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(
                compile("\n" * (line - 1) + code, str(ROOT / page), "exec"),
                {"__name__": "__main__"},
            )
    absent = tuple(b["name"] for b in ember_ml.backend_info() if not b["available"])
    assert printed.getvalue() == "".join(
        t for t in (output or "").splitlines(True) if not t.startswith(absent)
    )


@pytest.mark.parametrize("page,line,code,output", params("py"))
def test_code_with_torch(page, line, code, output, tmp_path):
    """The build's Python has torch's libraries without CUDA's, which `import torch` requires."""
    python = os.environ.get("EMBER_BENCH_PYTHON", str(ROOT / "build/bench/bin/python"))
    if not os.path.exists(python):
        pytest.skip("no Python with torch: tools/setup bench makes one")
    r = subprocess.run([python, "-c", code], cwd=tmp_path, capture_output=True, text=True, env=ENV)
    assert r.stdout == (output or ""), r.stderr


@pytest.mark.parametrize("page", PAGES)
def test_names_exist(page):
    text = (ROOT / page).read_text()
    for name in sorted(set(re.findall(r"\bem((?:\.[A-Za-z_]\w*)+)", text))):
        there = ember_ml
        for part in name[1:].split("."):
            there = getattr(there, part)
    for target in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (ROOT / page).parent.joinpath(target).exists(), f"{page} links to {target}"


def test_the_pages_have_code():
    assert all(blocks(page, "python") for page in PAGES) and blocks("README.md", "python")[0][2]


@pytest.mark.parametrize(
    "name,arguments,words",
    [
        ("hello.py", [], ["native:", "[0.20896432 0.22207978]"]),
        (
            "train.py",
            ["--epochs", "2", "--save", "digits.safetensors"],
            ["(hidden): Linear(in_features=64", "epoch  2: loss 0.7"],
        ),
    ],
)
def test_examples(name, arguments, words, tmp_path):
    r = subprocess.run(
        [sys.executable, ROOT / "examples" / name, *arguments],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env=ENV,
    )
    assert r.returncode == 0 and all(w in r.stdout for w in words), r.stdout + r.stderr
    assert "--save" not in arguments or set(ember_ml.load(tmp_path / "digits.safetensors")) == {
        "hidden.weight",
        "hidden.bias",
        "out.weight",
        "out.bias",
    }


def test_an_example_on_another_engine(engine):
    r = subprocess.run(
        [sys.executable, ROOT / "examples/train.py", "--backend", engine, "--epochs", "8"],
        capture_output=True,
        text=True,
        env=ENV,
    )
    accuracy = re.findall(r"([\d.]+)% of the new digits", r.stdout)
    assert len(accuracy) == 8 and float(accuracy[-1]) > 94, r.stdout + r.stderr


def test_examples_are_pure():
    from ember_ml import lint

    assert lint.main([str(p) for p in sorted((ROOT / "examples").glob("*.py"))]) == 0
