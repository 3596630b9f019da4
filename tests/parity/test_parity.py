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
RUNS = [(c, d, e) for c in harness.CASES for d in c.dtypes for e in c.engines or harness.ENGINES]


@pytest.mark.parametrize("case,dtype,engine", RUNS, ids=[f"{c.op}-{c.id + '-' if c.id else ''}{d}-{e}-{i}" for i, (c, d, e) in enumerate(RUNS)])
def test_parity(case, dtype, engine):
    reason = GAPS[engine].get((case.op, dtype))
    try:
        harness.run(case, dtype, engine)
        harness.run(case, dtype, engine, strided=True)
    except Exception:
        if reason is None:
            raise
        return
    assert reason is None, f"{case.op} {dtype} is listed as a known gap of {engine} ({reason}), yet it passes: remove the entry"


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
