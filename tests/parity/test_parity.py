"""Every case on every engine and dtype, contiguous and as views; and every op has a case."""

import importlib
import pathlib

import pytest

import coverage
import harness
from ember_ml import _core as E

for path in sorted(pathlib.Path(__file__).parent.glob("cases_*.py")):
    importlib.import_module(path.stem)


def known_gaps(engine):
    """Lines: op dtype reason. An entry that passes is an error."""
    path = pathlib.Path(__file__).parent / f"known-gaps-{engine}.txt"
    gaps = {}
    for line in path.read_text().splitlines() if path.exists() else []:
        if line.strip() and not line.startswith("#"):
            op, dtype, reason = line.split(maxsplit=2)
            gaps[op, dtype] = reason
    return gaps


GAPS = {engine: known_gaps(engine) for engine in harness.ENGINES}
OPS = sorted({c.op for c in harness.CASES})


KINDS = {r["name"]: r["kind"] for r in E.rows()}
TABLE, _ = coverage.read()


def run_op(op, engine):
    """Runs every case of an op on an engine: the state by dtype, the failures, and the dtypes
    that passed."""
    states, failures, passes = {}, [], set()
    E.watch_ops(True)
    for c in harness.CASES:
        if c.op != op or engine not in (c.engines or harness.ENGINES):
            continue
        for dtype in c.dtypes:
            for strided in (False, True):
                E.watched_ops()
                try:
                    harness.run(c, dtype, engine, strided)
                    passes.add(dtype)
                except Exception as e:
                    failures.append(
                        (
                            dtype,
                            f"{c.id or 'plain'} {dtype}{' strided' * strided}: {type(e).__name__}: {e}",
                        )
                    )
                    if isinstance(e, E.UnsupportedError):
                        states.setdefault(dtype, []).append("refused")
                states.setdefault(dtype, []).append(
                    coverage.state(op, KINDS[op] != "function", E.watched_ops())
                )
    return {dtype: coverage.worst(s) for dtype, s in states.items()}, failures, passes


# One test per op and engine, because the test runner would take longer than Ember with one per
# case.
@pytest.mark.parametrize("engine", harness.ENGINES)
@pytest.mark.parametrize("op", OPS)
def test_parity(op, engine):
    states, failures, passes = run_op(op, engine)
    failed = {dtype for dtype, _ in failures}
    wrong = [text for dtype, text in failures if (op, dtype) not in GAPS[engine]]
    for (gap, dtype), reason in GAPS[engine].items():
        if gap == op and dtype in passes - failed:
            wrong.append(
                f"{dtype} is listed as a known gap of {engine} ({reason}), yet it passes: remove the entry"
            )
    assert not wrong, f"{len(wrong)} failures of {op} on {engine}:\n" + "\n".join(wrong[:20])
    assert states == TABLE.get((op, engine)), (
        f"docs/coverage.tsv is out of date for {op} on {engine}: run make coverage"
    )


def test_every_op_has_a_case():
    ops = {r["name"] for r in E.rows()}
    missing = ops - {c.op for c in harness.CASES}
    assert not missing, f"ops without a parity case: {sorted(missing)}"


def test_every_case_has_an_op():
    ops = {r["name"] for r in E.rows()}
    unknown = {c.op for c in harness.CASES} - ops
    assert not unknown, f"cases for ops that do not exist: {sorted(unknown)}"


def test_every_engine_under_test_is_available():
    missing = set(harness.ENGINES) - set(E.get_available_backends())
    assert not missing, f"engines that should be tested are not available: {sorted(missing)}"


@pytest.mark.parametrize(
    "engine, least",
    [("native", 100), ("numpy", 90), ("torch", 90), ("mlx", 80), ("onnxruntime", 80)],
)
def test_engines_do_the_work_themselves(engine, least):
    """Of the primitives, for float32, int64 and bool."""
    table, kinds = coverage.read()
    own, all = coverage.share(table, kinds, engine, ["float32", "int64", "bool"])
    assert own * 100 >= all * least, f"{engine} computes {own} of {all} itself"
    refused = [
        key
        for key, row in table.items()
        for d in ("float32", "float64", "int64", "bool")
        if row.get(d) == "refused"
    ]
    assert not refused, f"refused: {refused}"
    scatter = [
        table[op, engine][d]
        for op in ("scatter", "scatter_elements", "scatter_nd")
        for d in ("float32", "int64")
    ]
    assert set(scatter) == {"own"}, f"scatter on {engine}: {scatter}"
