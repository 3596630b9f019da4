"""Reads a Core ML package with coremltools and computes its program in NumPy, operation by
operation."""

import itertools
import logging

import numpy as np

logging.getLogger("coremltools").setLevel(logging.ERROR)

import coremltools as ct  # noqa: E402
from coremltools.converters.mil.frontend.milproto.load import load as load_program  # noqa: E402
from coremltools.models.utils import load_spec  # noqa: E402

KINDS = {"fp32": np.float32, "fp16": np.float16, "int32": np.int32, "bool": np.bool_}
FEATURES = {65568: np.float32, 65552: np.float16, 131104: np.int32}


def windows(x, kernel, strides, dilations, pads, fill):
    """The windows of x [n, c, *spatial]: [n, c, *out, *kernel]."""
    spatial = len(kernel)
    pairs = [(0, 0), (0, 0)] + [(pads[2 * d], pads[2 * d + 1]) for d in range(spatial)]
    x = np.pad(x, pairs, constant_values=fill)
    reach = [(k - 1) * d + 1 for k, d in zip(kernel, dilations)]
    view = np.lib.stride_tricks.sliding_window_view(x, reach, tuple(range(2, 2 + spatial)))
    steps = [slice(None, None, s) for s in strides]
    taps = [slice(None, None, d) for d in dilations]
    return view[(slice(None), slice(None), *steps, *taps)]


def conv(x, weight, strides, pad, dilations, groups, bias=None):
    spatial = weight.ndim - 2
    w = windows(x, weight.shape[2:], strides, dilations, pad, 0).astype(np.float64)
    n, c = x.shape[:2]
    w = w.reshape(n, groups, c // groups, *w.shape[2:])
    filters = weight.reshape(groups, -1, *weight.shape[1:]).astype(np.float64)
    axes = "xyz"[:spatial]
    taps = "uvw"[:spatial]
    y = np.einsum(f"ngc{axes}{taps},goc{taps}->ngo{axes}", w, filters, optimize=True)
    y = y.reshape(n, -1, *y.shape[3:])
    if bias is not None:
        y = y + bias.reshape(-1, *([1] * spatial))
    return y


def conv_transpose(x, weight, strides, pad, dilations, groups, output_shape, bias=None):
    """Each input element adds the scaled filter to the output; then the padding is cropped."""
    spatial = weight.ndim - 2
    n, c = x.shape[:2]
    out = weight.shape[1] * groups
    full = [int(output_shape[2 + d]) + pad[2 * d] + pad[2 * d + 1] for d in range(spatial)]
    size = [
        max(f, (x.shape[2 + d] - 1) * strides[d] + (weight.shape[2 + d] - 1) * dilations[d] + 1)
        for d, f in enumerate(full)
    ]
    y = np.zeros((n, out, *size))
    for g in range(groups):
        xs = x[:, g * c // groups : (g + 1) * c // groups].astype(np.float64)
        ws = weight[g * c // groups : (g + 1) * c // groups].astype(np.float64)
        for tap in itertools.product(*(range(k) for k in weight.shape[2:])):
            part = np.einsum("nc...,co->no...", xs, ws[(slice(None), slice(None), *tap)])
            at = tuple(
                slice(
                    t * dilations[d],
                    t * dilations[d] + (x.shape[2 + d] - 1) * strides[d] + 1,
                    strides[d],
                )
                for d, t in enumerate(tap)
            )
            y[(slice(None), slice(g * out // groups, (g + 1) * out // groups), *at)] += part
    crop = tuple(slice(pad[2 * d], pad[2 * d] + int(output_shape[2 + d])) for d in range(spatial))
    y = y[(slice(None), slice(None), *crop)]
    return y if bias is None else y + bias.reshape(-1, *([1] * spatial))


def pool(kind, x, kernel_sizes, strides, pad, ceil_mode, exclude_padding_from_average=False):
    assert not ceil_mode
    ones = [1] * len(kernel_sizes)
    taps = tuple(range(-len(kernel_sizes), 0))
    if kind == "max_pool":
        return windows(x, kernel_sizes, strides, ones, pad, -np.inf).max(taps)
    w = windows(x, kernel_sizes, strides, ones, pad, 0).astype(np.float64)
    if kind == "l2_pool":
        return np.sqrt((w**2).sum(taps))
    if not exclude_padding_from_average:
        return w.mean(taps)
    return w.sum(taps) / windows(np.ones_like(x), kernel_sizes, strides, ones, pad, 0).sum(taps)


def erf(x):
    from scipy.special import erf

    return erf(x.astype(np.float64))


def axes_of(a):
    return None if a is None else tuple(int(i) for i in np.atleast_1d(a))


def reduction(f):
    return lambda x, axes, keep_dims: f(x, axis=axes_of(axes), keepdims=bool(keep_dims))


def moments(x, axes, gamma, beta, epsilon):
    x = x.astype(np.float64)
    d = x - x.mean(axes_of(axes), keepdims=True)
    return d / np.sqrt((d**2).mean(axes_of(axes), keepdims=True) + epsilon) * gamma + beta


def channels(v, x):
    return v.reshape(-1, *([1] * (x.ndim - 2))).astype(np.float64)


def softmax(x, axis):
    e = np.exp(x.astype(np.float64) - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def slice_by_index(x, begin, end, stride, end_mask):
    return x[
        tuple(
            slice(int(b), None if m else int(e), int(s))
            for b, e, s, m in zip(begin, end, stride, end_mask)
        )
    ]


def scatter(data, indices, updates, axis, mode):
    y = np.moveaxis(data.copy(), axis, 0)
    u = np.moveaxis(updates, axis, 0)
    for k, i in enumerate(indices):
        y[i] = {
            "update": u[k],
            "add": y[i] + u[k],
            "mul": y[i] * u[k],
            "max": np.maximum(y[i], u[k]),
            "min": np.minimum(y[i], u[k]),
        }[mode]
    return np.moveaxis(y, 0, axis)


def scatter_along_axis(data, indices, updates, axis, mode):
    y = data.copy()
    for at in np.ndindex(*indices.shape):
        to = (*at[:axis], int(indices[at]), *at[axis + 1 :])
        y[to] = {
            "update": updates[at],
            "add": y[to] + updates[at],
            "mul": y[to] * updates[at],
            "max": max(y[to], updates[at]),
            "min": min(y[to], updates[at]),
        }[mode]
    return y


OPERATIONS = {
    "identity": lambda x: x,
    "cast": lambda x, dtype: x.astype(KINDS[str(dtype)]),
    "real_div": lambda x, y: x / y,
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "pow": np.power,
    "floor_div": np.floor_divide,
    "mod": np.mod,
    "maximum": np.maximum,
    "minimum": np.minimum,
    "equal": np.equal,
    "not_equal": np.not_equal,
    "less": np.less,
    "less_equal": np.less_equal,
    "greater": np.greater,
    "greater_equal": np.greater_equal,
    "logical_and": np.logical_and,
    "logical_or": np.logical_or,
    "logical_xor": np.logical_xor,
    "logical_not": np.logical_not,
    "abs": np.abs,
    "acos": np.arccos,
    "asin": np.arcsin,
    "atan": np.arctan,
    "atanh": np.arctanh,
    "ceil": np.ceil,
    "cos": np.cos,
    "cosh": np.cosh,
    "erf": erf,
    "exp": np.exp,
    "exp2": np.exp2,
    "floor": np.floor,
    "round": lambda x: np.round(x),
    "sign": np.sign,
    "sin": np.sin,
    "sinh": np.sinh,
    "sqrt": np.sqrt,
    "square": np.square,
    "tan": np.tan,
    "tanh": np.tanh,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x.astype(np.float64))),
    "silu": lambda x: x / (1 + np.exp(-x)),
    "relu": lambda x: np.maximum(x, 0),
    "log": lambda x, epsilon: np.log(x + epsilon),
    "rsqrt": lambda x, epsilon: 1 / np.sqrt(x + epsilon),
    "gelu": lambda x, mode: x * 0.5 * (1 + erf(x / np.sqrt(2)))
    if mode == "EXACT"
    else 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))),
    "select": lambda cond, a, b: np.where(cond, a, b),
    "reduce_sum": reduction(np.sum),
    "reduce_prod": reduction(np.prod),
    "reduce_mean": reduction(np.mean),
    "reduce_max": reduction(np.max),
    "reduce_min": reduction(np.min),
    "reduce_argmax": lambda x, axis, keep_dims: np.argmax(x, int(axis), keepdims=bool(keep_dims)),
    "reduce_argmin": lambda x, axis, keep_dims: np.argmin(x, int(axis), keepdims=bool(keep_dims)),
    "cumsum": lambda x, axis, exclusive, reverse: np.flip(np.cumsum(np.flip(x, axis), axis), axis)
    if reverse
    else np.cumsum(x, axis),
    "argsort": lambda x, axis, ascending: np.argsort(
        x if ascending else -x, int(axis), kind="stable"
    ),
    "reshape": lambda x, shape: x.reshape(shape),
    "squeeze": lambda x, axes: np.squeeze(x, axes_of(axes)),
    "transpose": lambda x, perm: np.transpose(x, perm),
    "tile": lambda x, reps: np.tile(x, reps),
    "slice_by_size": lambda x, begin, size: x[tuple(slice(b, b + s) for b, s in zip(begin, size))],
    "slice_by_index": slice_by_index,
    "concat": lambda values, axis, interleave: np.concatenate(values, int(axis)),
    "pad": lambda x, pad, mode, constant_val: np.pad(
        x, np.reshape(pad, (-1, 2)), constant_values=constant_val
    ),
    "gather": lambda x, indices, axis, batch_dims: np.take(x, indices, int(axis)),
    "gather_along_axis": lambda x, indices, axis: np.take_along_axis(x, indices, int(axis)),
    "scatter": scatter,
    "scatter_along_axis": scatter_along_axis,
    "reverse": lambda x, axes: np.flip(x, axes_of(axes)),
    "matmul": lambda x, y, transpose_x, transpose_y: np.matmul(
        x.astype(np.float64), y.astype(np.float64)
    ),
    "conv": lambda pad_type, **kw: conv(**kw),
    "conv_transpose": lambda pad_type, **kw: conv_transpose(**kw),
    "max_pool": lambda pad_type, **kw: pool("max_pool", **kw),
    "l2_pool": lambda pad_type, **kw: pool("l2_pool", **kw),
    "avg_pool": lambda pad_type, **kw: pool("avg_pool", **kw),
    "softmax": lambda x, axis: softmax(x, int(axis)),
    "layer_norm": moments,
    "batch_norm": lambda x, mean, variance, gamma, beta, epsilon: (x - channels(mean, x))
    / np.sqrt(channels(variance, x) + epsilon)
    * channels(gamma, x)
    + channels(beta, x),
}


class Package:
    """A package read by coremltools: its spec, its program with inferred types, and its results
    in NumPy."""

    def __init__(self, path):
        self.spec = load_spec(str(path))
        self.program = load_program(
            self.spec, self.spec.specificationVersion, str(path) + "/Data/com.apple.CoreML/weights"
        )
        self.main = self.program.functions["main"]

    def __call__(self, *arrays):
        features = self.spec.description.input
        assert len(arrays) == len(features)
        values = {}
        for feature, x in zip(features, arrays):
            kind = feature.type.multiArrayType
            x = np.asarray(x)
            values[feature.name] = x.astype(FEATURES[kind.dataType]).reshape(list(kind.shape))
        with np.errstate(all="ignore"):
            for op in self.main.operations:
                self.compute(op, values)
        return {f.name: values[f.name] for f in self.spec.description.output}

    def compute(self, op, values):
        (out,) = op.outputs
        if op.op_type == "const":
            values[out.name] = (
                np.asarray(op.val.val) if not isinstance(op.val.val, str) else op.val.val
            )
            return

        def value(v):
            return [values[i.name] for i in v] if isinstance(v, (list, tuple)) else values[v.name]

        given = {
            k: value(v) for k, v in op.inputs.items() if v is not None and not k.startswith("_")
        }
        given = {k: v for k, v in given.items() if k in PARAMETERS.get(op.op_type, given)}
        f = OPERATIONS[op.op_type]
        y = f(*given.values()) if isinstance(f, np.ufunc) else f(**given)
        kind = ct.converters.mil.mil.types.nptype_from_builtin(out.dtype)
        y = np.asarray(y).astype(kind)
        assert y.shape == tuple(out.shape), (
            op.op_type,
            y.shape,
            out.shape,
        )  # type inference agrees with the values
        values[out.name] = y


# Parameters of newer operations that the functions above ignore, with the only accepted values.
PARAMETERS = {
    "slice_by_index": ("x", "begin", "end", "stride", "end_mask"),
    "gather": ("x", "indices", "axis", "batch_dims"),
    "gather_along_axis": ("x", "indices", "axis"),
    "scatter": ("data", "indices", "updates", "axis", "mode"),
    "scatter_along_axis": ("data", "indices", "updates", "axis", "mode"),
}
