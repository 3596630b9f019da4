"""Writes every generated file; with a folder as argument, into that folder instead of the source tree.

`make generate` runs it. tests/structure/test_generated.py compares its output with the tree. Two
tables are measured instead, by `make coverage`.
"""

from __future__ import annotations

import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
EMBER = ROOT / "build/bin/ember"


def output_of(*command: str | pathlib.Path) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def write_pages(docs: pathlib.Path) -> None:
    docs.mkdir(parents=True, exist_ok=True)
    (docs / "ops.md").write_text(output_of(EMBER, "ops", "--markdown"))
    table = output_of(EMBER, "ops", "--onnx", "--markdown")
    title = table.partition("\n")[0] + "\n"  # the page is written by hand up to the table
    page = (ROOT / "docs/onnx.md").read_text().partition(title)[0]
    (docs / "onnx.md").write_text(page + table)


def write_python(package: pathlib.Path) -> None:
    for folder in ("ember_ml", "webnn"):
        (package / folder).mkdir(parents=True, exist_ok=True)
    examples, operators = package / "ember_ml/_examples.py", package / "webnn/_operators.py"
    output_of(sys.executable, HERE / "stubs.py", package / "ember_ml")
    output_of(sys.executable, HERE / "examples.py", examples)
    output_of(sys.executable, HERE / "webnn_operators.py", operators)
    kinds = package / "ember_ml/_op_kinds.py"
    kinds.write_text(output_of(sys.executable, HERE / "op_kinds.py"))
    ruff = pathlib.Path(sys.executable).with_name("ruff")
    config = ROOT / "pyproject.toml"
    output_of(ruff, "format", "-q", "--no-cache", "--config", config, examples, operators, kinds)


def write_node(folder: pathlib.Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "index.d.ts").write_text(output_of("node", HERE / "node_types.mjs"))


def main() -> None:
    target = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT
    write_pages(target / "docs")
    write_python(target / "python")
    write_node(target / "node")


if __name__ == "__main__":
    main()
