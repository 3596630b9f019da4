"""The purity check: every bad pattern of the guideline is found at its line, clean code has no
findings, and no file makes it fail."""

from __future__ import annotations

import importlib.util
import json
import os
import random
import re
import statistics
import subprocess
import sys
import textwrap
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
CASES = Path(__file__).resolve().parent / "lint"
TOOL = ROOT / "python/ember_ml/lint.py"
SEEDS = ROOT / "tests/data/seeds"


def load() -> ModuleType:  # loads the file alone: it does not need the package
    spec = importlib.util.spec_from_file_location("ember_lint", TOOL)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


lint = load()


def found(text: str) -> Counter[tuple[int, str]]:
    return Counter((f.line, f.code) for f in lint.check_source(text, "case.py"))


def codes(text: str) -> list[str]:
    return [f.code for f in lint.check_source(textwrap.dedent(text), "case.py")]


def run(
    *args: object, tool: tuple[object, ...] = (sys.executable, TOOL), **options: object
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(a) for a in (*tool, *args)], capture_output=True, text=True, timeout=600, **options
    )  # type: ignore[call-overload, no-any-return]


# ---- The guideline's own code ----
def blocks(seed: str) -> dict[int, str]:
    """The Python blocks of a seed, by the line where their code begins."""
    lines = (SEEDS / f"{seed}.txt").read_text(encoding="utf-8").split("\n")
    fences = [i for i, line in enumerate(lines) if line.strip().startswith("```")]
    return {
        a + 2: textwrap.dedent("\n".join(lines[a + 1 : b]))
        for a, b in zip(fences[::2], fences[1::2])
        if lines[a].strip() == "```python"
    }


# For each seed: the lines that must be found with their codes; no other line may be found.
BAD = {
    "004": {
        18: "EM101",
        22: "EM102",
        23: "EM102",
        28: "EM201",
        30: "EM201",
        59: "EM301",
        60: "EM301",
        66: "EM302",
        94: "EM201",
        95: "EM102 EM102",
        96: "EM202",
        101: "EM401",
        102: "EM401",
        198: "EM101",
        200: "EM501",
        205: "EM502",
        208: "EM502",
        211: "EM503",
        239: "EM603",
        240: "EM601",
        241: "EM603",
        242: "EM601",
        243: "EM603",
        244: "EM601",
        262: "EM603",
        265: "EM603",
        266: "EM602",
        267: "EM603",
        269: "EM201",
    },
    "002": {
        233: "EM101",
        234: "EM102",
        243: "EM201",
        254: "EM201",
        509: "EM102",
        520: "EM102",
        521: "EM702",
        532: "EM102",
        533: "EM102",  # how a backend is written inside
    },
    "001": {
        65: "EM101",
        229: "EM502",
        233: "EM102",
        391: "EM502",
        394: "EM102",
        401: "EM502",
        404: "EM102",
        411: "EM502",
        414: "EM102",
        435: "EM603",
        437: "EM603",
        438: "EM101",
        439: "EM602",
        441: "EM602",
        445: "EM603",
        446: "EM101",
        447: "EM602",
    },
    "000": {},
}
OUTLINES = {
    ("001", 21),
    ("001", 116),
    ("001", 479),
}  # signatures without bodies, and a statement of Python 3.12


@pytest.mark.parametrize("seed", BAD)
def test_the_seeds(seed: str) -> None:
    expected = Counter((line, code) for line, given in BAD[seed].items() for code in given.split())
    actual: Counter[tuple[int, str]] = Counter()
    for start, text in blocks(seed).items():
        try:
            actual.update({(line + start - 1, code): n for (line, code), n in found(text).items()})
        except SyntaxError:
            assert (seed, start) in OUTLINES
    assert actual == expected


def test_operators_are_as_lazy_as_ops_and_no_finding() -> None:
    assert not codes("""
        from ember_ml import ops
        def mixed(a, b, c, tensor, mean, std):
            return ops.multiply(a + b, c), (tensor - mean) / std, (a - b) ** 2, -a @ b
    """)


# ---- Files with known findings, and clean files ----
@pytest.mark.parametrize("path", sorted(CASES.glob("*.py")), ids=lambda p: p.stem)
def test_findings_are_those_marked_in_the_file(path: Path) -> None:
    text = path.read_text()
    expected = Counter(
        (i, code)
        for i, line in enumerate(text.split("\n"), 1)
        if "#!" in line
        for code in line.split("#!")[1].split()
    )
    assert bool(expected) == path.stem.startswith("impure")
    assert found(text) == expected


PLANTS = {
    "import numpy as planted": "EM101",
    "from jax.numpy import exp as planted": "EM101",
    "planted = __import__('mlx.core')": "EM101",
    "planted = torch.mean(3)": "EM102",
    "planted = ops.ones((3,)).numpy()": "EM201",
    "planted = torch.as_tensor([1])": "EM201",
    "planted = tensor.array(ops.ones((3,)).tolist())": "EM202",
    "planted = [float(ops.mean(ops.ones((3,))))] * 2; use(planted)": "EM301",
    "use(ops.ones(()).item())": "EM301",
    "v = ops.ones((3,)); use(ops.sum(v) / len(v))": "EM302",
    "use([ops.sin(v) for v in ops.ones((3,))])": "EM401",
    "use(sum(ops.ones((3,))))": "EM402",
    "planted = torch.float16": "EM501",
    "planted = isinstance(3, torch.Tensor)": "EM502",
    "planted = hasattr(3, 'numpy')": "EM503",
    "planted = ops.zeros((2,), dtype='float32')": "EM504",
    "planted = torch.randn(3)": "EM601",
    "planted = ops.ones((3,)).cuda()": "EM602",
    "planted = ops.get_backend() == 'torch'": "EM603",
    "w = ops.ones((3,)); w[0] = 1": "EM701",
    "ops.ones((3,)).add_(1)": "EM702",
    "ops.add(1, 2, out=use)": "EM703",
}


def test_every_rule_is_planted() -> None:
    assert {*PLANTS.values()} == set(lint.RULES)


@pytest.mark.parametrize("seed", range(20))
def test_planted_impurities_in_a_clean_file(seed: int) -> None:
    lines = (CASES / "clean.py").read_text().split("\n")
    assert len(lines) > 200
    draw = random.Random(seed)
    places = [i for i, line in enumerate(lines) if re.match(r" +(return|assert|for) ", line)]
    plants = draw.sample(list(PLANTS.items()), k=len(PLANTS))
    chosen = sorted(draw.sample(places, k=len(plants)), reverse=True)
    planted: list[tuple[str, str]] = []
    for at, (text, code) in zip(chosen, plants):
        indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
        lines.insert(at, indent + text)
        planted.append((indent + text, code))
    assert found("\n".join(lines)) == Counter(
        (lines.index(text) + 1, code) for text, code in planted
    )


@pytest.mark.parametrize(
    "source",
    [
        "import numpy as xyz",
        "import os, numpy",
        "import numpy.linalg as la",
        "from numpy import mean as m",
        "from numpy import *",
        "from torch.nn import functional",
        "import mlx.core as mx",
        "import jax.numpy",
        "import tensorflow as tf",
        "import onnxruntime as ort",
        "import importlib as i\ni.import_module('numpy')",
        "__import__('torch')",
        "from importlib import import_module as get\nget('mlx.core')",
        "import sys\nsys.modules['numpy']",
    ],
)
def test_imports_under_any_name(source: str) -> None:
    assert codes(source) == ["EM101"]


@pytest.mark.parametrize(
    "source",
    [
        "import numpydoc",
        "from . import numpy",
        "from .torch import x",
        "import mylib.numpy",
        "import_module('numpy')",
        "x = 'import numpy'",
        "# import numpy",
        "import importlib\nimportlib.import_module(name)",
    ],
)
def test_imports_of_other_things(source: str) -> None:
    assert not codes(source)


@pytest.mark.parametrize(
    "source, cure",
    [
        ("np.mean(x)", "ops.mean(...)"),
        ("torch.cat(x)", "ops.concat(...)"),
        ("np.linalg.inv(x)", "ops.inv(...)"),
        ("np.fft.rfft(x)", "ops.rfft(...)"),
        ("torch.randn(3)", "ops.random_normal(...)"),
        ("mx.random.uniform()", "ops.random_uniform(...)"),
        ("np.float64", "ops.float64"),
        ("np.bool_", "ops.bool_"),
        ("np.dtype('float16')", "ops.float16"),
        ("x.add_(1)", "ops.add(...)"),
        ("torch.nn.Linear(2, 2)", "ember_ml.nn"),
        ("np.pi", "ops.pi"),
    ],
)
def test_findings_suggest_a_replacement(source: str, cure: str) -> None:
    assert cure in lint.check_source(source, "x")[0].instead


def test_every_op_that_is_advised_exists() -> None:
    text = (ROOT / "docs/ops.md").read_text()
    names = set(re.findall(r"^\| `(\w+)\(", text, re.M)) | {
        n for also in re.findall(r"Also: ([\w, ]+)\.", text) for n in also.split(", ")
    }
    advised = {
        *lint.RENAMED.values(),
        *lint.RANDOM.values(),
        *lint.FILLED.values(),
        *filter(None, lint.WALKERS.values()),
    }
    assert advised <= names, advised - names


# ---- Plain Python and Ember itself ----
def test_the_standard_library_raises_no_alarm() -> None:
    library = Path(statistics.__file__).parent
    r = run(
        *(
            library / n
            for n in (
                "statistics.py",
                "json",
                "asyncio",
                "collections",
                "email",
                "ftplib.py",
                "random.py",
                "fractions.py",
                "dataclasses.py",
            )
        )
    )
    assert r.returncode == 0, r.stdout + r.stderr


@pytest.mark.parametrize("folder", ["python", "examples", "utils"])
def test_ember_itself_raises_no_alarm(folder: str) -> None:
    r = run(ROOT / folder)
    assert r.returncode == 0, r.stdout + r.stderr


# ---- The command ----
BAD_FILE = 'import numpy as np\nx = "é"; y = np.mean(x)\n'


def test_text_output_and_exit_codes(tmp_path: Path) -> None:
    bad, good = tmp_path / "bad.py", tmp_path / "good.py"
    bad.write_text(BAD_FILE)
    good.write_text("x = 1\n")
    r = run(bad, good)
    assert r.returncode == 1 and not r.stderr
    assert r.stdout.split("\n") == [
        f"{bad}:1:8: EM101 numpy is imported as np",
        "    instead: from ember_ml import ops, tensor",
        f"{bad}:2:14: EM102 numpy.mean computes outside Ember",
        "    instead: ops.mean(...)",
        "2 findings in 1 of 2 files",
        "",
    ]
    assert run("--quiet", bad).stdout.count("\n") == 2
    r = run(good)
    assert (r.returncode, r.stdout) == (0, "0 findings in 0 of 1 file\n")
    assert (run("--quiet", good).returncode, run("--quiet", good).stdout) == (0, "")
    assert (
        lint.main([str(good), "--quiet"]) == 0
        and lint.main([str(bad), "--quiet"]) == 1
        and lint.main([]) == 2
    )


def test_json(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(BAD_FILE)
    r = run("--json", tmp_path)
    assert r.returncode == 1
    first, second = json.loads(r.stdout)
    assert first == {
        "path": str(tmp_path / "bad.py"),
        "line": 1,
        "column": 8,
        "code": "EM101",
        "message": "numpy is imported as np",
        "instead": "from ember_ml import ops, tensor",
    }
    assert second["code"] == "EM102" and second["column"] == 14
    (tmp_path / "bad.py").write_text("")
    assert json.loads(run("--json", tmp_path).stdout) == []


def test_select_ignore_and_the_list(tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text(BAD_FILE + "z = np.random.rand(3)\n")

    def left(*options: str) -> list[str]:
        return [f["code"] for f in json.loads(run("--json", *options, bad).stdout)]

    assert left() == ["EM101", "EM102", "EM601"]
    assert left("--select", "EM102,EM601") == ["EM102", "EM601"] and left("--select", "EM1") == [
        "EM101",
        "EM102",
    ]
    assert left("--ignore", "EM1") == ["EM601"] and left(
        "--select", "EM1", "--ignore", "EM101"
    ) == ["EM102"]
    assert run("--select", "EM7", bad).returncode == 0
    assert (
        run("--select", "E501", bad).returncode == 2
        and "unknown rule 'E501'" in run("--ignore", "E501", bad).stderr
    )
    assert run("--list-rules").stdout.split("\n")[:-1] == [
        f"{code}  {title}" for code, title in lint.RULES.items()
    ]
    assert (
        run("--help").returncode == 0 and run().returncode == 2 and run("--nosuch").returncode == 2
    )


def test_allow_comments() -> None:
    assert not codes("import numpy as np  # ember: allow")
    assert not codes("import numpy as np  # an adapter  # ember:allow[EM101]")
    assert codes("import numpy as np; np.mean(3)  # ember: allow[EM101]") == ["EM102"]
    assert not codes("import numpy as np; np.mean(3)  # ember: allow[EM101, EM102] plots need it")
    assert codes("import numpy as np  # ember: allow[EM102]") == ["EM101"]
    assert codes("x = '# ember: allow'; import numpy") == ["EM101"], "a string is no comment"
    assert codes("# ember: allow\nimport numpy") == ["EM101"], "a comment speaks for its own line"
    assert codes("import numpy  # ember: allowed") == ["EM101"]


@pytest.mark.parametrize(
    "content, code, says",
    [
        (b"def f(:\n", 2, "invalid syntax"),
        (b"x = '\xff\xfe'\n", 2, "encoding"),
        (b"# coding: nosuch\n", 2, "nosuch"),
        (b"x = 1\x00\n", 2, "null"),
        (b"(" * 5000 + b")" * 5000, 2, "nested"),
        (b"x = " + b"-" * 100_000 + b"1", 2, "nested"),
        (b"", 0, ""),
        (b"\n\n", 0, ""),
        (b"\xef\xbb\xbfx = 1\n", 0, ""),
        (b"# coding: latin-1\nx = '\xe9'; import numpy\n", 1, ""),
        (b"x = 1\r\nimport numpy\r\n", 1, ""),
        (b"x = a" + b" + a" * 3000, 0, ""),
        (b"x = a" + b".b()" * 150, 0, ""),
        (b"if a:\n  b\n" + b"elif a:\n  b\n" * 150, 0, ""),
    ],
)
def test_unreadable_files_are_reported(
    tmp_path: Path, content: bytes, code: int, says: str
) -> None:
    (tmp_path / "odd.py").write_bytes(content)
    (tmp_path / "other.py").write_text("x = 1\n")
    r = run(tmp_path)
    assert r.returncode == code and says in r.stderr and "Traceback" not in r.stderr, r.stderr
    assert r.stdout.endswith(", 1 could not be read\n") == (code == 2)


def test_paths_that_are_not_there(tmp_path: Path) -> None:
    r = run(tmp_path / "nosuch.py", tmp_path / "nosuch")
    assert r.returncode == 2 and r.stderr.count("No such file") == 2
    (tmp_path / "bad.py").write_text(BAD_FILE)
    r = run(tmp_path / "nosuch.py", tmp_path)
    assert r.returncode == 2 and "EM101" in r.stdout, "an error does not hide findings"


def test_a_huge_file(tmp_path: Path) -> None:
    huge = tmp_path / "huge.py"
    huge.write_text(
        "from ember_ml import ops\nx = ops.zeros((3,))\n"
        + "".join(f"y{i} = ops.add(x, {i})\nif y{i}:\n    z = {i}\n" for i in range(10_000))
        + "float(x)\n"
    )
    assert json.loads(run("--json", huge).stdout)[0]["line"] == 30_003


def test_folders(tmp_path: Path) -> None:
    for name in (
        "a.py",
        "sub/b.py",
        ".hidden/c.py",
        "build/d.py",
        "venv/e.py",
        "mine/pyvenv.cfg",
        "mine/f.py",
        "lib/site-packages/g.py",
        "node_modules/h.py",
        "notes.txt",
        "sub/__pycache__/i.py",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("import numpy\n" if not name.endswith("cfg") else "")
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "gone.py").symlink_to(tmp_path / "nowhere")
    r = run("--json", tmp_path, tmp_path / "a.py", tmp_path / "build")
    assert [Path(f["path"]).name for f in json.loads(r.stdout)] == ["a.py", "b.py", "d.py"], (
        "a folder that is named is searched"
    )


def test_nothing_but_the_standard_library_is_imported(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(BAD_FILE)
    program = (
        f"import sys, runpy; sys.argv = ['lint', {str(tmp_path)!r}]\ntry: runpy.run_path({str(TOOL)!r}, run_name='__main__')\n"
        "except SystemExit as e: print(e.code, sorted(m for m in ('numpy', 'torch', 'ember_ml') if m in sys.modules))"
    )
    assert run("-I", "-c", program, tool=(sys.executable,)).stdout.endswith("1 []\n")


def test_modules_beside_it_do_not_stand_in_for_the_standard_library(tmp_path: Path) -> None:
    for path in (TOOL, TOOL.with_name("_op_kinds.py")):
        (tmp_path / path.name).write_text(path.read_text())
    for name in ("types", "random", "enum", "re", "tokenize", "signal"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('the wrong module')")
    assert run("--list-rules", tool=(sys.executable, "-S", tmp_path / "lint.py")).returncode == 0


def test_every_way_to_run_it_gives_the_same_output(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(BAD_FILE)
    plain = run(tmp_path).stdout
    script = ROOT / "utils/detect_numpy_usage.py"
    assert run(tmp_path, tool=(sys.executable, script)).stdout == plain
    hook = re.search(r"entry: (\S+)", (ROOT / ".pre-commit-hooks.yaml").read_text())
    assert hook and run("bad.py", tool=(ROOT / hook[1],), cwd=tmp_path).returncode == 1, (
        "the hook starts the script itself"
    )
    command = ROOT / "build/bin/ember"
    if not command.exists():
        pytest.skip("the command is not built")
    r = run("lint", tmp_path, tool=(command,))
    assert (r.returncode, r.stdout) == (1, plain)
    assert run("lint", "--help", tool=(command,)).stdout == run("--help").stdout
    r = run("lint", tmp_path, tool=(command,), env={**os.environ, "EMBER_PYTHON": "/nosuch"})
    assert r.returncode == 2 and "EMBER_PYTHON" in r.stderr


def test_as_a_module_of_the_package(tmp_path: Path) -> None:
    pytest.importorskip("ember_ml", reason="the package is not built")
    (tmp_path / "bad.py").write_text(BAD_FILE)
    r = run(tmp_path, tool=(sys.executable, "-m", "ember_ml.lint"))
    assert (r.returncode, r.stdout) == (1, run(tmp_path).stdout), r.stderr


def test_what_is_advised_exists() -> None:
    pytest.importorskip("ember_ml", reason="the package is not built")
    from ember_ml import ops, tensor

    for name in [
        *lint.OPS,
        *lint.DTYPES.values(),
        "pi",
        "to_device",
        "get_device",
        "get_available_devices",
        "load",
        "save",
        "get_backend",
    ]:
        assert hasattr(ops, name), name
    assert hasattr(tensor, "convert_to_tensor") and hasattr(tensor, "Tensor")


def test_the_guideline_explains_every_rule() -> None:
    assert set(re.findall(r"EM\d\d\d", (ROOT / "docs/purity.md").read_text())) == set(lint.RULES)
