"""The table op x dtype x engine: who computes what. It is made by running the parity cases, and
lives in docs/.

python tests/parity/coverage.py            writes docs/coverage.tsv and docs/coverage.md
"""

import concurrent.futures
import multiprocessing
import os
import pathlib
import sys

DOCS = pathlib.Path(__file__).parents[2] / "docs"
STATES = ("own", "body", "fallback", "refused")  # from best to worst
ORDER = (
    "bool int4 uint4 int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 bfloat16 float32 float64 complex64 "
    "complex128"
).split()


def read():
    """{(op, engine): {dtype: state}} and {op: kind} of the table in docs/."""
    table, kinds = {}, {}
    for line in (DOCS / "coverage.tsv").read_text().splitlines()[1:]:
        op, kind, engine, *states = line.split("\t")
        kinds[op] = kind
        table[op, engine] = {d: s for s, dtypes in zip(STATES, states) for d in dtypes.split()}
    return table, kinds


def state(op, graph_op, watched):
    """The state of an op in one run: a part on native makes it a fallback."""
    if any(how == 2 for _, how in watched):
        return "fallback"
    if not graph_op:
        return "body"
    return STATES[max((how for name, how in watched if name == op), default=0)]


def worst(states):
    return max(states, key=STATES.index)


def measure(engine):
    import test_parity

    return {op: test_parity.run_op(op, engine)[0] for op in test_parity.OPS}


def write(table, kinds, engines):
    lines = ["op\tkind\tengine\t" + "\t".join(STATES)]
    for op in sorted(kinds):
        for engine in engines:
            row = table[op, engine]
            lines.append(
                "\t".join(
                    [op, kinds[op], engine]
                    + [" ".join(d for d in ORDER if row.get(d) == s) for s in STATES]
                )
            )
    (DOCS / "coverage.tsv").write_text("\n".join(lines) + "\n")
    (DOCS / "coverage.md").write_text(page(table, kinds, engines))


def share(table, kinds, engine, dtypes):
    """The fraction of the primitives' entries for these dtypes that the engine computes itself."""
    states = [
        table[op, engine][d]
        for op, kind in kinds.items()
        if kind == "primitive"
        for d in dtypes
        if d in table[op, engine]
    ]
    return sum(s == "own" for s in states), len(states)


def cell(row):
    """own, or own with exceptions: `own; fallback: complex128`."""
    states = {s: [d for d in ORDER if row.get(d) == s] for s in STATES}
    present = [s for s in STATES if states[s]]
    if len(present) == 1:
        return present[0]
    most = max(present, key=lambda s: len(states[s]))
    return "; ".join([most] + [f"{s}: {' '.join(states[s])}" for s in present if s != most])


def page(table, kinds, engines):
    text = [
        "# Who computes what",
        "",
        "Made by `make coverage` from the parity cases (each runs on every engine and is compared with an independent reference);",
        "the tests fail when it is out of date. `ember ops --coverage` prints it, `docs/coverage.tsv` is the same as data.",
        "",
        "- **own**: the engine's library computes it. **body**: it is written in other ops, which the engine computes.",
        "- **fallback**: a part runs on native, in host memory, with one warning and a counter (EMBER_FALLBACK=error refuses it).",
        "- **refused**: an UnsupportedError.",
        "",
        "| of the primitives, own | " + " | ".join(engines) + " |",
        "|---|" + "---|" * len(engines),
    ]
    for dtypes in (
        ["float32"],
        ["int64"],
        ["bool"],
        ["float16"],
        ["float64"],
        ["complex64"],
        ["complex128"],
        ORDER,
    ):
        shares = [share(table, kinds, e, dtypes) for e in engines]
        name = "all dtypes" if len(dtypes) > 1 else dtypes[0]
        text.append(
            f"| {name} | " + " | ".join(f"{a} of {n} ({100 * a // n} %)" for a, n in shares) + " |"
        )
    for kind, title in (
        ("primitive", "Primitives"),
        ("composite", "Composites"),
        ("function", "Functions that fall back somewhere"),
    ):
        ops = [op for op in sorted(kinds) if kinds[op] == kind]
        if kind == "function":
            everything = len(ops)
            ops = [op for op in ops if any("fallback" in table[op, e].values() for e in engines)]
        text += ["", f"## {title}", ""]
        if kind == "function":
            text += [
                f"{everything} functions are written in the ops above; the other {everything - len(ops)} never leave their engine.",
                "",
            ]
        text += ["| op | " + " | ".join(engines) + " |", "|---|" + "---|" * len(engines)]
        text += [
            f"| {op} | " + " | ".join(cell(table[op, e]) for e in engines) + " |" for op in ops
        ]
    return "\n".join(text) + "\n"


if __name__ == "__main__":
    os.environ.setdefault("EMBER_FALLBACK", "silent")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    import harness
    import test_parity

    kinds = {r["name"]: r["kind"] for r in harness.E.rows()}
    table = {}
    with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        for engine, rows in zip(harness.ENGINES, pool.map(measure, harness.ENGINES)):
            table |= {(op, engine): row for op, row in rows.items()}
            print(
                engine, *share(table, kinds, engine, ["float32", "int64", "bool"]), file=sys.stderr
            )
    write(table, kinds, harness.ENGINES)
