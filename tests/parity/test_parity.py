"""Every case on every engine and dtype, as it is and over views; and no op without a case."""
import importlib
import pathlib

import pytest

import harness
from ember_core import _core as E

for path in sorted(pathlib.Path(__file__).parent.glob("cases_*.py")):
    importlib.import_module(path.stem)


def known_gaps(engine):
    """op dtype reason, one to a line; an entry that passes is an error."""
    path = pathlib.Path(__file__).parent / f"known-gaps-{engine}.txt"
    gaps = {}
    for line in path.read_text().splitlines() if path.exists() else []:
        if line.strip() and not line.startswith("#"):
            op, dtype, reason = line.split(maxsplit=2)
            gaps[op, dtype] = reason
    return gaps


GAPS = {engine: known_gaps(engine) for engine in harness.ENGINES}
OPS = sorted({c.op for c in harness.CASES})


# One test to an op and engine: tens of thousands of runs would spend more time in the test runner than in Ember.
@pytest.mark.parametrize("engine", harness.ENGINES)
@pytest.mark.parametrize("op", OPS)
def test_parity(op, engine):
    failures, passes = [], set()
    for c in harness.CASES:
        if c.op != op or engine not in (c.engines or harness.ENGINES):
            continue
        for dtype in c.dtypes:
            try:
                harness.run(c, dtype, engine)
                harness.run(c, dtype, engine, strided=True)
                passes.add(dtype)
            except Exception as e:
                if (op, dtype) not in GAPS[engine]:
                    failures.append(f"{c.id or 'plain'} {dtype}: {type(e).__name__}: {e}")
    for (gap, dtype), reason in GAPS[engine].items():
        if gap == op and dtype in passes:
            failures.append(f"{dtype} is listed as a known gap of {engine} ({reason}), yet it passes: remove the entry")
    assert not failures, f"{len(failures)} failures of {op} on {engine}:\n" + "\n".join(failures[:20])


def test_every_op_has_a_case():
    ops = {name for name, *_ in E.rows()}
    missing = ops - {c.op for c in harness.CASES}
    assert not missing, f"ops without a parity case: {sorted(missing)}"


def test_every_case_has_an_op():
    ops = {name for name, *_ in E.rows()}
    unknown = {c.op for c in harness.CASES} - ops
    assert not unknown, f"cases for ops that do not exist: {sorted(unknown)}"


def test_every_engine_under_test_is_available():
    missing = set(harness.ENGINES) - set(E.get_available_backends())
    assert not missing, f"engines that should be tested are not available: {sorted(missing)}"
