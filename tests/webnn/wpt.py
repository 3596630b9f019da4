"""The published WebNN conformance data: reads it, builds its graphs with the package webnn, and
compares as the suite does."""

import json
import pathlib
import re

import numpy as np

DATA = pathlib.Path(__file__).resolve().parents[1] / "data" / "webnn"

NIBBLES = {
    "int4": "int8",
    "uint4": "uint8",
}  # NumPy does not have them: a 4-bit element is read and written as a byte
NUMBERS = {"NaN": np.nan, "Infinity": np.inf, "-Infinity": -np.inf, "-0": -0.0}
# Expected values whose error exceeds their own tolerance, and the exact values.
# x erfc(-x / sqrt 2) / 2 at -3 / sqrt(2.00001): 34 ULP off.
CORRECTED = {"subgraph: batchNormalization options.axis=0 + gelu": {4: -0.03595130432701605}}
RENAMED = {
    "conv2d": {"padding": "pads"},
    "convTranspose2d": {"padding": "pads"},
    **{op: {"padding": "pads"} for op in ("averagePool2d", "maxPool2d", "l2Pool2d")},
}

FILES = {
    p.stem: json.loads(p.read_text())["cases"]
    for p in sorted(DATA.glob("*.json"))
    if p.stem != "index"
}
CASES = [(f"{stem}: {c['name']}", c) for stem, cases in FILES.items() for c in cases]


def number(v):
    """A JSON value as a Python number; other values are returned unchanged."""
    if isinstance(v, str):
        return (
            NUMBERS[v]
            if v in NUMBERS
            else int(v[:-1])
            if v.endswith("n") and v[:-1].lstrip("-").isdigit()
            else v
        )
    return v


def array(t):
    dtype, shape = t["descriptor"]["dataType"], t["descriptor"]["shape"]
    data = t["data"] if isinstance(t["data"], list) else [t["data"]]
    flat = np.array([number(v) for v in data], np.float64 if dtype.startswith("float") else object)
    if dtype == "float16":
        flat = flat.astype(np.float32)
    with np.errstate(over="ignore"):
        flat = flat.astype(NIBBLES.get(dtype, dtype))
    return flat.reshape(shape) if isinstance(t["data"], list) else np.broadcast_to(flat[0], shape)


def snake(name):
    return (
        "is_nan"
        if name == "isNaN"
        else re.sub(r"(?<=[a-z0-9])([A-Z]+)", lambda m: "_" + m[1].lower(), name)
    )


def record(builder, graph):
    """The operands of the graph's outputs, by name."""
    operands = {}
    for name, t in graph["inputs"].items():
        d = t["descriptor"]
        operands[name] = (
            builder.constant(array(t), d["shape"], d["dataType"])
            if t.get("constant")
            else builder.input(name, d["shape"], d["dataType"])
        )

    def value(v):
        if isinstance(v, list):
            return [value(e) for e in v]
        return operands[v] if isinstance(v, str) and v in operands else number(v)

    for o in graph["operators"]:
        given, options = [], {}
        for argument in o["arguments"]:
            for name, v in argument.items():
                if name == "options":
                    options |= {
                        snake(RENAMED.get(o["name"], {}).get(k, k)): value(e) for k, e in v.items()
                    }
                else:
                    given.append(value(v))
        if o["name"] == "pad":
            given = [given[0], [*given[1], *given[2]]]
        result = getattr(builder, snake(o["name"]))(*given, **options)
        if isinstance(o["outputs"], list):
            assert len(result) == len(o["outputs"])
            operands |= dict(zip(o["outputs"], result))
        else:
            operands[o["outputs"]] = result[0] if isinstance(result, list) else result
    return {name: operands[name] for name in graph["expectedOutputs"]}


def build(context, graph):
    builder = context.create_graph_builder()
    outputs = record(builder, graph)
    for name, want in graph["expectedOutputs"].items():
        d = want["descriptor"]
        assert (outputs[name].data_type, outputs[name].shape) == (d["dataType"], d["shape"]), (
            f"{name} is {outputs[name]}, expected {d}"
        )
    return builder.build(outputs)


def run(context, built, graph):
    """Writes tensors, dispatches, reads."""
    names = built.get_input_names()
    inputs = {}
    for name in names:
        t = graph["inputs"][name]
        inputs[name] = context.create_tensor(
            t["descriptor"]["shape"], t["descriptor"]["dataType"], writable=True
        )
        context.write_tensor(inputs[name], array(t))
    outputs = {
        name: context.create_tensor(
            t["descriptor"]["shape"], t["descriptor"]["dataType"], readable=True
        )
        for name, t in graph["expectedOutputs"].items()
    }
    context.dispatch(built, inputs, outputs)
    return {name: context.read_tensor(t) for name, t in outputs.items()}


def steps(x, dtype):
    """Maps floats to integers so that neighbours differ by one; half floats as in the suite,
    with a gap between the signs."""
    if dtype == "float16":
        bits = x.view(np.uint16).astype(np.int64)
        return np.where(bits & 0x7FFF == 0, 0, bits)
    bits = x.view(np.int32).astype(np.int64)
    return np.where(bits < 0, -(bits & 0x7FFFFFFF), bits)


def check(name, got, want, tolerance):
    dtype = want["descriptor"]["dataType"]
    wanted = array(want)
    assert got.dtype == wanted.dtype, f"{name} is {got.dtype}, expected {wanted.dtype}"
    assert got.shape == wanted.shape, f"{name} has shape {got.shape}, expected {wanted.shape}"
    # The suite checks the first 1000 elements of a large tensor.
    if not isinstance(want["data"], list):
        got, wanted = got.reshape(-1)[:1000], wanted.reshape(-1)[:1000]
    limit = tolerance["value"] or 0
    if dtype.startswith("float"):
        same = (got == wanted) | (np.isnan(got) & np.isnan(wanted))
        if tolerance["metricType"] == "ATOL":
            off = np.abs(got.astype(np.float64) - wanted.astype(np.float64))
        else:
            off = np.abs(
                steps(np.ascontiguousarray(got), dtype) - steps(np.ascontiguousarray(wanted), dtype)
            )
        near = same | ((off <= limit) & (np.isnan(got) == np.isnan(wanted)))
    else:
        off = np.abs(got.astype(object) - wanted.astype(object))
        near = np.asarray(off <= limit)
    assert near.all(), (
        f"{name}: {(~near).sum()} of {near.size} differ by up to {np.max(off[~near])} {tolerance['metricType']}, {limit} allowed: {got[~near][:4]} expected {wanted[~near][:4]}"
    )


def check_case(name, case, results):
    for output, want in case["graph"]["expectedOutputs"].items():
        if name in CORRECTED:
            want = {**want, "data": [CORRECTED[name].get(i, v) for i, v in enumerate(want["data"])]}
        check(f"{name}: {output}", results[output], want, case["tolerance"])
