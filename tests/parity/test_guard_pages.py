"""Native does not read a byte outside an array that it did not allocate: for every op and dtype,
checked with unreadable pages."""

import os
import pathlib
import subprocess
import sys

import ml_dtypes
import numpy as np
import pytest

import guarded
from ember_ml import _core as E

HERE = pathlib.Path(__file__).parent


@pytest.mark.skipif("native" not in guarded.harness.ENGINES, reason="native is not tested")
@pytest.mark.parametrize(
    "isa, places", [(None, []), ("AVX2", ["at_end", "row_ends"]), ("SSE4", ["at_end", "row_ends"])]
)
def test_no_kernel_reads_past_a_foreign_array(isa, places, tmp_path):
    env = {**os.environ, **({"EMBER_MAX_ISA": isa} if isa else {})}
    progress = tmp_path / "progress"
    r = subprocess.run(
        [sys.executable, HERE / "guarded.py", progress, *places],
        env=env,
        capture_output=True,
        text=True,
    )
    ran = progress.read_text().strip() if progress.exists() else "nothing"
    assert r.returncode == 0 and ran == "done", (
        f"exit status {r.returncode} while it ran {ran}\n{r.stderr[-2000:]}"
    )


@pytest.mark.parametrize("dtype", ["float32", ml_dtypes.bfloat16, "bool", "complex128"])
def test_guarded_arrays_are_shared(dtype):
    a = np.arange(7).astype(dtype)
    x = guarded.share(a)
    a[3] = 0
    assert np.array_equal(guarded.harness.to_numpy(x), a)
