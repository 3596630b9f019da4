"""Export: every parity case is written as a model, accepted by ONNX's checker, and gives
native's results in ONNX Runtime."""

import pathlib
import re
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime
import pytest

import ember_ml
import harness
import test_parity as parity
from ember_ml import _core as E

onnxruntime.set_default_logger_severity(4)
OPTIONS = onnxruntime.SessionOptions()
OPTIONS.intra_op_num_threads = 1


# It stores a float64 factor in an attribute, which is float32.
OPTIONS.add_session_config_entry("optimization.disable_specified_optimizers", "MatMulScaleFusion")
LISTS = pathlib.Path(__file__).parent


def read_list(name):
    """Lines of three tab-separated columns: an op, dtypes, a reason."""
    lines = (LISTS / name).read_text().splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def refusal(error):
    """Why something cannot be exported, without the shapes and dtypes of the case."""
    if isinstance(error, E.UnsupportedError):
        return re.sub(r" of \w+$", "", str(error).split(": ")[-1])
    return (
        "its shape depends on values"
        if isinstance(error, E.StateError) and "a placeholder has no value" in str(error)
        else repr(error)
    )


def flat(result):
    if isinstance(result, (list, tuple)):
        return [t for e in result for t in flat(e)]
    return [result] if isinstance(result, E.EmberTensor) else []


def edge(t):
    """ONNX Runtime's Python package does not accept bfloat16 and 4-bit integers: they are passed
    in other dtypes."""
    other = {"bfloat16": "float32", "int4": "int8", "uint4": "uint8"}.get(str(t.dtype))
    return harness.call("astype", t, other) if other else t


class Hole(int):
    """Represents an array among the arguments."""


def export(c, dtype, path, save=ember_ml.onnx.save):
    """Writes a case. Returns the inputs by name and native's outputs, or None if there is no
    tensor to export."""
    args, kwargs = harness.draw(c, dtype)
    arrays = []

    def hole(x):
        arrays.append(np.asarray(x))
        return Hole(len(arrays) - 1)

    args = [harness.convert(a, hole) for a in args]
    kwargs = {k: harness.convert(v, hole) for k, v in kwargs.items()}

    def f(*tensors):
        def fill(v):
            if isinstance(v, Hole):
                return (
                    harness.call("astype", tensors[v], "bfloat16")
                    if arrays[v].dtype.name == "bfloat16"
                    else tensors[v]
                )
            return [fill(e) for e in v] if isinstance(v, (list, tuple)) else v

        harness.call("seed", 1)
        return [
            edge(t)
            for t in flat(
                harness.call(
                    c.op, *[fill(a) for a in args], **{k: fill(v) for k, v in kwargs.items()}
                )
            )
        ]

    inputs = [a.astype(np.float32) if a.dtype.name == "bfloat16" else a for a in arrays]
    tensors = [harness.to_ember(a) for a in inputs]
    want = [harness.to_numpy(t) for t in f(*tensors)]
    if want:
        save(path, f, tensors)
    return {f"input_{i}": a for i, a in enumerate(inputs)}, want


def chosen(op):
    """The cases of an op, each in float32 or its first dtype, and one of them in every dtype."""
    seen = set()
    for c in (c for c in harness.CASES if c.op == op):
        for dtype in c.dtypes:
            if dtype not in seen or dtype == ("float32" if "float32" in c.dtypes else c.dtypes[0]):
                seen.add(dtype)
                yield c, dtype


def run_op(op, folder):
    """The refused cases with reasons, by dtype, and the cases that differ from native."""
    refused, wrong = {}, {}
    path = str(folder / "case.onnx")
    E.set_backend("native")
    for c, dtype in chosen(op):
        try:
            inputs, want = export(c, dtype, path)
        except E.Error as e:
            refused.setdefault(dtype, set()).add(refusal(e))
            continue
        if not want:
            continue
        try:
            onnx.checker.check_model(path, full_check=True)
            session = onnxruntime.InferenceSession(path, OPTIONS)
            got = session.run(None, {i.name: inputs[i.name] for i in session.get_inputs()})
            assert len(got) == len(want)
            own = c.tol.get(dtype) if isinstance(c.tol, dict) else c.tol
            # Native may have the same error with the opposite sign.
            limit = 2 * own if own else harness.TOLERANCE.get(dtype)
            for k, (g, w) in enumerate(zip(got, want)):
                assert g.dtype == w.dtype, f"result {k} is {g.dtype}, not {w.dtype}"
                harness.close(g, w, g.dtype.name, limit, f"result {k}")
        except Exception as e:
            wrong[c.id or "plain", dtype] = f"{type(e).__name__}: {e}"[:400]
    return {dtype: "; ".join(sorted(reasons)) for dtype, reasons in refused.items()}, wrong


@pytest.mark.parametrize("op", parity.OPS)
def test_exported(op, tmp_path):
    refused, wrong = run_op(op, tmp_path)
    listed = {
        dtype: reason
        for name, dtypes, reason in read_list("not-exported.tsv")
        if name == op
        for dtype in dtypes.split()
    }
    complex_ = {d: r for d, r in refused.items() if d in harness.COMPLEX}
    assert {d: r for d, r in refused.items() if d not in complex_} == listed
    differ = {case for name, case, _ in read_list("differs.tsv") if name == op}
    assert not {k: v for k, v in wrong.items() if k[0] not in differ}
    assert differ == {case for case, _ in wrong}, "listed as different, yet equal"


def write_lists():
    """python tests/onnx/test_export.py: prints the refused and the differing cases, for the two
    lists."""
    for op in sys.argv[1:] or parity.OPS:
        with tempfile.TemporaryDirectory() as folder:
            refused, wrong = run_op(op, pathlib.Path(folder))
        for reason in sorted({r for d, r in refused.items() if d not in harness.COMPLEX}):
            print(
                op,
                " ".join(d for d, r in refused.items() if r == reason and d not in harness.COMPLEX),
                reason,
                sep="\t",
                flush=True,
            )
        for (case, dtype), text in wrong.items():
            print("DIFFERS", op, case, dtype, text.replace("\n", " "), sep="\t", flush=True)


if __name__ == "__main__":
    write_lists()
