"""The published WebNN conformance data: every graph is built of Ember's ops, and its outputs are within the tolerance the suite gives them."""
import json
import pathlib

import numpy as np
import pytest

from ember_ml import _core as E
import harness
from harness import call, ENGINES, np_dtype

DATA = pathlib.Path(__file__).resolve().parents[3] / "shared" / "webnn" / "wpt"
if not DATA.is_dir():
    pytest.skip(f"the WebNN conformance data are not there: {DATA}", allow_module_level=True)

NIBBLES = {"int4": np.int8, "uint4": np.uint8}  # Ember keeps an element of 4 bits in a byte, its sign with it; ml_dtypes keeps the lower half only
NUMBERS = {"NaN": np.nan, "Infinity": np.inf, "-Infinity": -np.inf, "-0": -0.0}


def number(v):
    """A value of the JSON as a Python number; what is no number is left alone."""
    if isinstance(v, str):
        return NUMBERS[v] if v in NUMBERS else int(v[:-1]) if v.endswith("n") and v[:-1].lstrip("-").isdigit() else v
    return v


def array(t):
    dtype, shape = t["descriptor"]["dataType"], t["descriptor"]["shape"]
    kind = np.float64 if str(dtype).startswith("float") else object
    data = t["data"] if isinstance(t["data"], list) else [t["data"]]
    flat = np.array([number(v) for v in data], kind)
    if dtype == "float16":
        flat = flat.astype(np.float32)
    with np.errstate(over="ignore"):
        flat = flat.astype(NIBBLES.get(dtype, dtype)).astype(np_dtype(dtype))
    return flat.reshape(shape) if isinstance(t["data"], list) else np.broadcast_to(flat[0], shape)


def to_ember(x):
    name = x.dtype.name
    return call("astype", harness.to_ember(x.astype(NIBBLES[name])), name) if name in NIBBLES else harness.to_ember(x)


def to_numpy(t):
    return np.frombuffer(t.tobytes(), NIBBLES[t.dtype]).astype(np_dtype(str(t.dtype))).reshape(t.shape) if t.dtype in NIBBLES else harness.to_numpy(t)


def tensor(t):
    if not isinstance(t["data"], list) and t["descriptor"]["shape"]:  # a large one, of one value
        return call("full", t["descriptor"]["shape"], number(t["data"]), dtype=t["descriptor"]["dataType"])
    return to_ember(array(t))




def cast(x, dtype):
    return call("astype", x, dtype)


def simple(name, **fixed):
    return lambda *args, **options: call(name, *args, **fixed)


def compare(name):
    return lambda a, b: cast(call(name, a, b), "uint8")


def logical(name):
    return lambda *args: cast(call(name, *args), "uint8")


def reduce(f):
    def run(x, axes=None, keepDimensions=False):
        return f(x, list(range(len(x.shape))) if axes is None else axes, keepDimensions)
    return run


def total(x, axes, keep):
    return call("sum", x, axis=axes, keepdims=keep, dtype=x.dtype)


def arg(name):
    return lambda x, axis, keepDimensions=False, outputDataType="int32": cast(call(name, x, axis=axis, keepdims=keepDimensions), outputDataType)


def divide(a, b):
    if str(a.dtype).startswith("float"):
        return call("divide", a, b)
    return cast(call("trunc", call("divide", cast(a, "float64"), cast(b, "float64"))), a.dtype)


def scalar(v, dtype):
    """A number as WebNN takes it: held within the dtype, fractions cut off for integers."""
    if str(dtype).startswith("float"):
        return to_ember(np.array(v, np.float64).astype(dtype))
    limits = np.iinfo(dtype)
    return to_ember(np.array(limits.max if v >= limits.max else limits.min if v <= limits.min else int(v), dtype))


def bounded(x, minValue=None, maxValue=None):
    bound = lambda v: None if v is None or v != v else scalar(v, x.dtype)  # a bound that is NaN is none
    return call("clip", x, bound(minValue), bound(maxValue))


def held(indices, lengths):
    """Indices out of range are held within it, as WebNN has it; Ember's ops refuse them."""
    n = np.array(lengths, np.int64)
    return call("clip", cast(indices, "int64"), to_ember(-n), to_ember(n - 1))


def conv(x, filter, bias=None, inputLayout="nchw", filterLayout="oihw", dilations=(1, 1), **o):
    return call("conv2d", x, filter, bias, input_layout=inputLayout, filter_layout=filterLayout, dilation=list(dilations), **o)


def conv_transpose(x, filter, bias=None, inputLayout="nchw", filterLayout="iohw", dilations=(1, 1), outputPadding=(0, 0), outputSizes=None, **o):
    return call("conv_transpose2d", x, filter, bias, input_layout=inputLayout, filter_layout=filterLayout, dilation=list(dilations), output_padding=list(outputPadding),
                output_sizes=outputSizes, **o)


def pool(name):
    def run(x, windowDimensions=None, padding=(0, 0, 0, 0), strides=(1, 1), dilations=(1, 1), layout="nchw", outputShapeRounding="floor", outputSizes=None):
        size = x.shape[2:] if layout == "nchw" else x.shape[1:3]
        make = lambda ceil: call(name, x, kernel_size=list(windowDimensions or size), padding=list(padding), strides=list(strides), dilation=list(dilations), layout=layout, ceil_mode=ceil)
        y = make(outputShapeRounding == "ceil" if outputSizes is None else True)
        at = 2 if layout == "nchw" else 1
        wanted, widths = list(y.shape), [0] * 8
        for d in range(2):
            free = size[d] + padding[2 * d] + padding[2 * d + 1] - ((windowDimensions or size)[d] - 1) * dilations[d] - 1
            wanted[at + d] = outputSizes[d] if outputSizes else (-(-free // strides[d]) if outputShapeRounding == "ceil" else free // strides[d]) + 1
            widths[2 * (at + d) + 1] = max(0, wanted[at + d] - y.shape[at + d])
        # WebNN keeps a last window that sees only padding, and that is 0; a size asked for may leave out the last one.
        return call("slice", call("pad", y, widths), [0] * 4, wanted)
    return run


def quantized(name):
    return lambda x, scale, zeroPoint: call(name, x, scale, zeroPoint)


NAMES = {"recurrentBias": "recurrent_bias", "peepholeWeight": "peephole", "initialHiddenState": "initial_hidden", "initialCellState": "initial_cell", "resetAfter": "reset_after",
         "returnSequence": "return_sequence"}


def recurrent(name):
    def run(x, weight, recurrentWeight, steps, hiddenSize, **o):
        assert (steps, hiddenSize) == (x.shape[0], recurrentWeight.shape[2])
        return call(name, x, weight, recurrentWeight, **{"return_sequence": False, **{NAMES.get(k, k): v for k, v in o.items()}})
    return run


def cell(name):
    return lambda *args, hiddenSize, **o: call(name, *args, **{NAMES.get(k, k): v for k, v in o.items()})


def resample(x, mode="nearest-neighbor", axes=(2, 3), scales=(1, 1), sizes=None):
    size = {"sizes": sizes} if sizes else {"scales": list(scales)}
    return call("resample", x, mode={"nearest-neighbor": "nearest"}.get(mode, mode), axes=list(axes), **size)


def split(x, splits, axis=0):
    return call("split", x, splits if isinstance(splits, int) else np.cumsum(splits)[:-1].tolist(), axis)


def pad(x, before, after, mode="constant", value=0):
    return call("pad", x, [n for p in zip(before, after) for n in p], {"reflection": "reflect"}.get(mode, mode), scalar(value, x.dtype))


def cut(x, starts, sizes, strides=None):
    return call("slice", x, starts, [a + n for a, n in zip(starts, sizes)], strides)


def layer_norm(x, axes=None, epsilon=1e-5, **o):
    return call("layer_norm", x, axes=list(range(1, len(x.shape))) if axes is None else axes, eps=epsilon, **o)


# From WebNN's operators to Ember's ops; what is left of the options has Ember's names.
OPERATORS = {
    "add": simple("add"), "sub": simple("subtract"), "mul": simple("multiply"), "div": divide, "max": simple("maximum"), "min": simple("minimum"), "pow": simple("pow"),
    **{n: simple(n) for n in ("abs", "ceil", "cos", "erf", "exp", "floor", "log", "reciprocal", "sign", "sin", "sqrt", "tan", "tanh", "relu", "sigmoid", "softplus", "softsign", "prelu", "matmul",
                              "gelu", "reshape", "tile", "softmax")},
    "neg": simple("negative"), "roundEven": simple("round"), "hardSwish": simple("hardswish"), "expand": simple("broadcast_to"), "identity": simple("positive"),
    "gatherND": lambda x, i: call("gather_nd", x, held(i, x.shape[:i.shape[-1]])),
    "equal": compare("equal"), "notEqual": compare("not_equal"), "greater": compare("greater"), "greaterOrEqual": compare("greater_equal"), "lesser": compare("less"),
    "lesserOrEqual": compare("less_equal"), "logicalAnd": logical("logical_and"), "logicalOr": logical("logical_or"), "logicalXor": logical("logical_xor"),
    "logicalNot": logical("logical_not"), "isNaN": logical("isnan"), "isInfinite": logical("isinf"),
    "where": lambda c, a, b: call("where", cast(c, "bool"), a, b), "cast": cast, "clamp": bounded, "argMax": arg("argmax"), "argMin": arg("argmin"),
    "elu": lambda x, alpha=1: call("elu", x, alpha), "leakyRelu": lambda x, alpha=0.01: call("leaky_relu", x, alpha),
    "hardSigmoid": lambda x, alpha=0.2, beta=0.5: call("hard_sigmoid", x, alpha, beta), "linear": lambda x, alpha=1, beta=0: call("add", call("multiply", x, alpha), beta),
    "concat": lambda xs, axis: call("concat", xs, axis), "split": split, "slice": cut, "pad": pad,
    "transpose": lambda x, permutation=None: call("transpose", x, permutation), "reverse": lambda x, axes=None: call("flip", x, axes),
    "triangular": lambda x, upper=True, diagonal=0: call("triu" if upper else "tril", x, diagonal),
    "gather": lambda x, i, axis=0: call("take", x, held(i, x.shape[axis]), axis), "gatherElements": lambda x, i, axis=0: call("take_along_axis", x, held(i, x.shape[axis]), axis),
    "scatterElements": lambda x, i, u, axis=0: call("scatter_elements", x, held(i, x.shape[axis]), u, axis),
    "scatterND": lambda x, i, u: call("scatter_nd", x, held(i, x.shape[:i.shape[-1]]), u),
    "cumulativeSum": lambda x, axis, exclusive=False, reversed=False: call("cumulative_sum", x, axis, dtype=x.dtype, exclusive=exclusive, reverse=reversed),
    "reduceSum": reduce(total), "reduceL1": reduce(lambda x, a, k: total(call("abs", x), a, k)), "reduceSumSquare": reduce(lambda x, a, k: total(call("square", x), a, k)),
    "reduceL2": reduce(lambda x, a, k: call("vector_norm", x, axis=a, keepdims=k)), "reduceLogSum": reduce(lambda x, a, k: call("log", total(x, a, k))),
    "reduceLogSumExp": reduce(lambda x, a, k: call("logsumexp", x, axis=a, keepdims=k)), "reduceMax": reduce(lambda x, a, k: call("max", x, axis=a, keepdims=k)),
    "reduceMin": reduce(lambda x, a, k: call("min", x, axis=a, keepdims=k)), "reduceMean": reduce(lambda x, a, k: call("mean", x, axis=a, keepdims=k)),
    "reduceProduct": reduce(lambda x, a, k: call("prod", x, axis=a, keepdims=k, dtype=x.dtype)),
    "conv2d": conv, "convTranspose2d": conv_transpose, "averagePool2d": pool("average_pool2d"), "maxPool2d": pool("max_pool2d"), "l2Pool2d": pool("l2_pool2d"),
    "batchNormalization": lambda x, m, v, epsilon=1e-5, **o: call("batch_norm", x, m, v, eps=epsilon, **o), "layerNormalization": layer_norm,
    "instanceNormalization": lambda x, epsilon=1e-5, **o: call("instance_norm", x, eps=epsilon, **o),
    "gemm": lambda a, b, c=None, alpha=1, beta=1, aTranspose=False, bTranspose=False: call("gemm", a, b, c, alpha=alpha, beta=beta, a_transpose=aTranspose, b_transpose=bTranspose),
    "gru": recurrent("gru"), "lstm": recurrent("lstm"), "gruCell": cell("gru_cell"), "lstmCell": cell("lstm_cell"),
    "quantizeLinear": quantized("quantize_linear"), "dequantizeLinear": quantized("dequantize_linear"), "resample2d": resample,
}


def run_graph(graph):
    tensors = {name: tensor(t) for name, t in graph["inputs"].items()}

    def value(v):
        if isinstance(v, list):
            return [value(e) for e in v]
        return tensors[v] if isinstance(v, str) and v in tensors else number(v)
    for o in graph["operators"]:
        given, options = [], {}
        for argument in o["arguments"]:
            for name, v in argument.items():
                if name == "options":
                    options |= {k: value(e) for k, e in v.items() if k != "label"}
                elif name == "hiddenSize" and o["name"].endswith("Cell"):
                    options[name] = v
                else:
                    given.append(value(v))
        result = OPERATORS[o["name"]](*given, **options)
        if isinstance(o["outputs"], list):
            assert len(result) == len(o["outputs"])
            tensors |= dict(zip(o["outputs"], result))
        else:
            tensors[o["outputs"]] = result[0] if isinstance(result, list) else result
    return {name: to_numpy(tensors[name]) for name in graph["expectedOutputs"]}


def steps(x, dtype):
    """Floats as integers one apart from their neighbours; half floats as the suite takes them, with a gap between the signs."""
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
    if not isinstance(want["data"], list):  # the suite looks at the first 1000 of a large one
        got, wanted = got.reshape(-1)[:1000], wanted.reshape(-1)[:1000]
    limit = tolerance["value"] or 0
    if str(dtype).startswith("float"):
        same = (got == wanted) | (np.isnan(got) & np.isnan(wanted))
        if tolerance["metricType"] == "ATOL":
            off = np.abs(got.astype(np.float64) - wanted.astype(np.float64))
        else:
            off = np.abs(steps(np.ascontiguousarray(got), dtype) - steps(np.ascontiguousarray(wanted), dtype))
        near = same | ((off <= limit) & (np.isnan(got) == np.isnan(wanted)))
    else:
        off = np.abs(got.astype(object) - wanted.astype(object)) if got.dtype.kind in "iu" else np.abs(got.astype(np.int64) - wanted.astype(np.int64))
        near = np.asarray(off <= limit)
    assert near.all(), f"{name}: {(~near).sum()} of {near.size} differ by up to {np.max(off[~near])} {tolerance['metricType']}, {limit} allowed: {got[~near][:4]} expected {wanted[~near][:4]}"


# Expected values further from the exact ones than their own tolerance, and the exact ones.
CORRECTED = {"subgraph: batchNormalization options.axis=0 + gelu": {4: -0.03595130432701605}}  # x erfc(-x / sqrt 2) / 2 at -3 / sqrt(2.00001): 34 ULP off

FILES = {p.stem: json.loads(p.read_text()) for p in sorted(DATA.glob("*.json")) if p.stem != "index"}
CASES = [(f"{stem}: {c['name']}", c) for stem, data in FILES.items() for c in data["cases"]]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("number_of", range(len(CASES)), ids=[f"{name.split(':')[0]}-{i}" for i, (name, _) in enumerate(CASES)])
def test_case(number_of, engine):
    name, c = CASES[number_of]
    E.set_backend(engine)
    try:
        got = run_graph(c["graph"])
    except Exception as e:
        raise AssertionError(f"{name}: {e}") from e
    for output, want in c["graph"]["expectedOutputs"].items():
        if name in CORRECTED:
            want = {**want, "data": [CORRECTED[name].get(i, v) for i, v in enumerate(want["data"])]}
        check(f"{name}: {output}", got[output], want, c["tolerance"])


def test_nothing_is_left_out():
    index = json.loads((DATA / "index.json").read_text())
    assert (len(FILES), len(CASES)) == (index["files"], index["cases"])
    used = {o["name"] for _, c in CASES for o in c["graph"]["operators"]}
    assert used == set(OPERATORS), f"not mapped: {used - set(OPERATORS)}; not used: {set(OPERATORS) - used}"
