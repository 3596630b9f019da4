"""The notebook examples/tour.ipynb runs from top to bottom, and its claims hold."""

import json
import os
import pathlib
import subprocess
import sys

import ember_ml

NOTEBOOK = pathlib.Path(__file__).resolve().parents[2] / "examples" / "tour.ipynb"
CELLS = [c for c in json.loads(NOTEBOOK.read_text())["cells"] if c["cell_type"] == "code"]
RUN = """
import json, sys, warnings
import matplotlib.pyplot as plt
warnings.filterwarnings("ignore", message=".*cannot be shown")
names = {"__name__": "__main__"}
for i, cell in enumerate(json.load(sys.stdin), 1):
    exec(compile(cell, f"cell {i}", "exec"), names)
with open(sys.argv[1], "w") as out:
    json.dump({"accuracy": {k: h["val_accuracy"][-1] for k, h in names["histories"].items()},
               "loss": {k: h["loss"] for k, h in names["histories"].items()}, "plots": len(plt.get_fignums())}, out)
"""


def test_the_notebook_runs(tmp_path):
    """In a separate process: it imports other libraries, which may be broken."""
    code = json.dumps(["".join(c["source"]) for c in CELLS])
    r = subprocess.run(
        [sys.executable, "-c", RUN, str(tmp_path / "out.json")],
        input=code,
        cwd=NOTEBOOK.parent,
        capture_output=True,
        text=True,
        env={
            **os.environ,
            "MPLBACKEND": "Agg",
            "TMPDIR": str(tmp_path),
            "PYTHONPATH": str(pathlib.Path(ember_ml.__file__).resolve().parents[1]),
        },
    )
    assert r.returncode == 0, r.stderr
    out = json.loads((tmp_path / "out.json").read_text())
    assert (
        set(out["accuracy"]) == set(ember_ml.get_available_backends())
        and min(out["accuracy"].values()) > 0.95
    )
    assert (
        max(
            abs(a - b)
            for losses in out["loss"].values()
            for a, b in zip(losses, out["loss"]["native"])
        )
        < 1e-5
    )
    assert out["plots"] == 4
    assert "the same answers: True" in r.stdout and "ShapeError [matmul]" in r.stdout


def test_it_is_stored_with_its_output():
    outputs = [o for c in CELLS for o in c["outputs"]]
    assert sum("image/png" in o.get("data", {}) for o in outputs) == 4
    assert [c["execution_count"] for c in CELLS] == list(range(1, len(CELLS) + 1)) and not any(
        o["output_type"] == "error" for o in outputs
    )
    assert all(c["outputs"] for c in CELLS if "print(" in "".join(c["source"]))
    assert NOTEBOOK.stat().st_size < 300_000
