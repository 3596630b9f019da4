"""The kernels of the numpy engine.

compile_slice() turns the nodes of a slice into the source of one straight-line Python function and
compiles it. An op is either one ufunc (UFUNCS), or an entry of EMIT: a function from the node and
the names of its inputs to an expression. Expressions may call the functions of this file. Ops that
NumPy cannot express are in DECLINED, with the reason.
"""

import itertools
import math
import os
import platform
from functools import lru_cache
from types import SimpleNamespace

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

try:
    from ml_dtypes import bfloat16
except ImportError:
    bfloat16 = None

if int(np.__version__.split(".")[0]) < 2:
    raise ImportError(f"NumPy 2 or newer is needed, this is {np.__version__}")

# Dtypes. int4 and uint4 have one byte for each element, so they are moved and read as bytes.

DTYPES = {
    name: np.dtype(name)
    for name in (
        "bool int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 float32 float64 complex64 complex128".split()
    )
}
DTYPES |= {"int4": np.dtype("int8"), "uint4": np.dtype("uint8")}
if bfloat16 is not None:
    DTYPES["bfloat16"] = np.dtype(bfloat16)
FOUR_BITS = {"int4", "uint4"}
NARROW = {"float16", "bfloat16"}
MODES = (
    "none",
    "set",
    "add",
    "mul",
    "max",
    "min",
    "mean",
    "l2",
    "softmax",
)  # Ember's Mode, in order


def literal(dtype):
    """A dtype in generated code."""
    return (
        "bfloat16"
        if dtype == "bfloat16"
        else "np.bool_"
        if dtype == "bool"
        else f"np.{DTYPES[dtype].name}"
    )


def number(value):
    """A float in generated code."""
    return repr(value) if math.isfinite(value) else f"float('{value}')"


def wide(dtype):
    """The dtype in which a dtype is accumulated."""
    return "float32" if dtype in NARROW else dtype


def widened(x):
    """x, or x in float32 if it is a 16-bit float."""
    return x.astype(np.float32) if x.dtype.kind in "fV" and x.itemsize == 2 else x  # V: bfloat16


def floor_divide(a, b):
    """As in the array API: inf // 2 is inf, 1 // -inf is -0."""
    q = np.floor_divide(a, b)
    special = np.isinf(a) | np.isinf(b)
    return np.where(special, np.divide(a, b), q) if special.any() else q


def rounded(n, expression):
    """An expression computed in wide(n.dtype), back in n.dtype."""
    return f"{expression}.astype({literal(n.dtype)})" if n.dtype in NARROW else expression


# Ops that are one ufunc. The others are in EMIT, below.

UFUNCS = {
    name: name
    for name in (
        "cbrt cos cosh exp exp2 expm1 isfinite isinf isnan log log10 log1p log2 logical_not negative sign signbit sin sinh sqrt "
        "square tan tanh reciprocal add subtract multiply divide maximum minimum remainder fmod copysign hypot "
        "logaddexp nextafter bitwise_and bitwise_or bitwise_xor logical_and logical_or logical_xor equal not_equal less "
        "less_equal greater greater_equal"
    ).split()
}
UFUNCS |= dict(
    abs="absolute",
    acos="arccos",
    acosh="arccosh",
    asin="arcsin",
    asinh="arcsinh",
    atan="arctan",
    atanh="arctanh",
    atan2="arctan2",
    pow="power",
    conj="conjugate",
    bitwise_invert="invert",
    bitwise_left_shift="left_shift",
    bitwise_right_shift="right_shift",
    ceil="ceil",
    floor="floor",
    trunc="trunc",
    round="rint",
)
IDENTITY_ON_INTEGERS = {"ceil", "floor", "trunc", "round"}

COMPOSITE = "composite: its body is used"
DECLINED = {
    op: COMPOSITE
    for op in (
        "logsumexp softmax log_softmax gelu silu layer_norm rms_norm batch_norm attention"
    ).split()
}
DECLINED |= {op: f"NumPy has no {op}" for op in "digamma erf erfc erfinv lgamma".split()}

MOVEMENT = set(
    "identity reshape transpose slice broadcast_to as_strided concat pad copy slice_update take take_along_axis gather_nd".split()
)
NO_16_BIT = set("cholesky eig eigh inv lu qr solve solve_triangular svd fft rfft irfft".split())


@lru_cache(maxsize=None)
def ufunc_dtype(op, dtypes):
    """The result dtype of an op's ufunc; TypeError if it has no loop for these inputs."""
    ufunc = getattr(np, UFUNCS[op])
    return ufunc.resolve_dtypes(tuple(DTYPES[d] for d in dtypes) + (None,))[-1]


def supports(op, dtype, dtypes, mode):
    """A reason to reject a node with this dtype, these input dtypes and this mode (or 0), or ""."""
    everything = {dtype, *dtypes}
    if bfloat16 is None and "bfloat16" in everything:
        return "NumPy has no bfloat16 without ml_dtypes"
    if op in ("leaf", "scalar", "output"):
        return ""
    if op in DECLINED:
        return DECLINED[op]
    if (
        everything & FOUR_BITS
        and op not in MOVEMENT
        and not (op == "cast" and dtype not in FOUR_BITS)
    ):
        return "NumPy has no 4-bit integers"
    if op in NO_16_BIT and everything & NARROW:
        return f"NumPy has no {op} for 16-bit floats"
    if op in ("expm1", "tanh") and dtype.startswith("complex"):
        return f"NumPy's complex {op} misses special cases"
    if op in ("scatter", "scatter_elements", "scatter_nd") and MODES[mode] not in ("set", *COMBINE):
        return f"NumPy has no scatter with mode {MODES[mode]}"
    if op == "pool" and MODES[mode] not in ("max", "min", "mean", "l2", "add"):
        return f"NumPy has no pool with mode {MODES[mode]}"
    if op in UFUNCS:
        try:
            ufunc_dtype(op, tuple(dtypes))
        except TypeError:
            return f"NumPy has no {op} for {dtypes[0]}"
    elif op not in EMIT:
        return f"NumPy has no {op}"
    return ""


def facts():
    found = {
        "python": platform.python_version(),
        "bfloat16": "ml_dtypes" if bfloat16 is not None else "none",
    }
    try:
        blas = np.show_config(mode="dicts")["Build Dependencies"]["blas"]
        found["blas"] = f"{blas['name']} {blas['version']}"
    except Exception:  # the layout of the report is not documented
        pass
    return tuple(found.items())


# Elementwise


def cast(x, dtype):
    kind = np.dtype(dtype).kind
    x = x.real if x.dtype.kind == "c" and kind not in "cb" else x
    return saturated(x, dtype) if kind in "iu" and x.dtype.kind in "fV" else x.astype(dtype)


def saturated(x, dtype):
    """Floats as integers: out-of-range values saturate, NaN becomes 0.

    In NumPy the result depends on the processor.
    """
    x, low, high = widened(x), np.iinfo(dtype).min, np.iinfo(dtype).max
    fits = (x >= low) & (x < high + 1)
    if fits.all():
        return x.astype(dtype)
    return np.where(
        fits,
        np.where(fits, x, 0).astype(dtype),
        np.where(x < 0, low, np.where(x > 0, high, 0)).astype(dtype),
    )


def power(a, b):
    """Powers of signed integers. NumPy rejects negative exponents; Ember truncates 1 / a ** -b."""
    up = np.power(a, np.maximum(b, 0))
    return (
        np.where(b < 0, np.where(a == -1, np.where(b & 1, -1, 1), a == 1), up).astype(a.dtype)
        if np.any(b < 0)
        else up
    )


def sigmoid(x):
    if x.dtype.kind == "c":
        return 1 / (1 + np.exp(-x))
    small = np.exp(-np.abs(x))  # never overflows
    return np.where(x >= 0, 1, small) / (1 + small)


def popcount(x):
    return np.bitwise_count(
        x.view(f"u{x.itemsize}") if x.dtype.kind == "i" else x
    )  # of the bits, not of the absolute value


# Reductions, scans, order


def mean(x, axes, keepdims, dtype):
    return np.add.reduce(x, axis=axes, dtype=dtype, keepdims=keepdims) / math.prod(
        x.shape[a] for a in axes
    )


def var(x, axes, keepdims, correction, dtype):
    centred = x.astype(dtype) - mean(x, axes, True, dtype)
    squares = (
        np.square(centred)
        if centred.dtype.kind == "f"
        else np.square(centred.real) + np.square(centred.imag)
    )
    return np.add.reduce(squares, axis=axes, keepdims=keepdims) / max(
        math.prod(x.shape[a] for a in axes) - correction, 0
    )


def scan(ufunc, x, axis, reverse, dtype=None):
    if reverse:
        return np.flip(ufunc.accumulate(np.flip(x, axis), axis=axis, dtype=dtype), axis)
    return ufunc.accumulate(x, axis=axis, dtype=dtype)


def opposite(x):
    """Reverses the order of x's values, exactly; NaN stays last."""
    return -x if x.dtype.kind in "fc" else ~x


def sort(x, axis, descending):
    key = widened(x)  # ml_dtypes' comparison misplaces NaN
    ordered = (
        opposite(np.sort(opposite(key), axis=axis, kind="stable"))
        if descending
        else np.sort(key, axis=axis, kind="stable")
    )
    return ordered.astype(x.dtype, copy=False)


def argsort(x, axis, descending):
    key = widened(x)
    return np.argsort(opposite(key) if descending else key, axis=axis, kind="stable")


def searchsorted(ordered, values, right):
    return np.searchsorted(widened(ordered), widened(values), side="right" if right else "left")


# Movement


def span(start, step, count):
    """The slice that takes start, start + step, ..., count of them."""
    stop = start + step * count
    return slice(start, stop if stop >= 0 else None, step) if count else slice(0, 0)


def slice_update(x, update, where):
    out = np.array(x)
    out[where] = update
    return out


def pad(x, value, low, high):
    """x padded by low and high on each axis; negative amounts crop."""
    out = np.full([l + n + h for l, n, h in zip(low, x.shape, high)], value, x.dtype)
    source = [(max(-l, 0), n - max(-h, 0)) for l, n, h in zip(low, x.shape, high)]
    if all(begin < end for begin, end in source):
        target = tuple(
            slice(max(l, 0), max(l, 0) + end - begin) for l, (begin, end) in zip(low, source)
        )
        out[target] = x[tuple(slice(*s) for s in source)]
    return out


def as_strided(x, shape, strides, offset):
    flat = (
        np.ascontiguousarray(x).reshape(-1).view(np.uint8)
    )  # of bytes, so that NumPy checks the bounds
    return np.ndarray(shape, x.dtype, flat, offset * x.itemsize, [s * x.itemsize for s in strides])


# Indexing


def checked(index, size):
    """Indices as non-negative int64."""
    index = np.asarray(index)
    place = index.astype(np.int64)
    wrong = (place >= size) | (
        place < (0 if index.dtype.kind == "u" else -size)
    )  # a large uint64 has become negative
    if wrong.any():
        raise IndexError(f"index {index[wrong].flat[0]} is out of range for an axis of size {size}")
    return np.where(place < 0, place + size, place)


def flat_index(columns, shape):
    """The flat, row-major index of the element at columns in an array of that shape."""
    place = 0
    for column, size in zip(columns, shape):
        place = place * size + column
    return place


def gather_nd(x, index):
    columns = tuple(checked(index[..., k], x.shape[k]) for k in range(index.shape[-1]))
    return x[columns] if columns else np.broadcast_to(x, index.shape[:-1] + x.shape)


COMBINE = dict(add=np.add, mul=np.multiply, max=np.maximum, min=np.minimum)


def put(x, index, values, mode):
    """x with values at positions of its first axis. The last of several for one position wins."""
    out = np.array(widened(x) if mode in ("add", "mul") else x, order="C")
    if mode == "set":
        out[index] = values
    else:
        COMBINE[mode].at(out, index, values.astype(out.dtype, copy=False))
    return out.astype(x.dtype, copy=False)


def scatter(x, index, values, axis, mode):
    index = checked(index, x.shape[axis])
    return np.moveaxis(
        put(np.moveaxis(x, axis, 0), index, np.moveaxis(values, axis, 0), mode), 0, axis
    )


def scatter_elements(x, index, updates, axis, mode):
    columns = list(np.ogrid[tuple(slice(n) for n in index.shape)])
    columns[axis] = checked(index, x.shape[axis])
    place = np.broadcast_to(flat_index(columns, x.shape), index.shape)
    return put(x.reshape(-1), place.reshape(-1), updates.reshape(-1), mode).reshape(x.shape)


def scatter_nd(x, index, updates, mode):
    depth = index.shape[-1]
    columns = [checked(index[..., k], x.shape[k]) for k in range(depth)]
    place = np.broadcast_to(flat_index(columns, x.shape), index.shape[:-1]).reshape(-1)
    rest = x.shape[depth:]
    rows = x.reshape((math.prod(x.shape[:depth]),) + rest)
    return put(rows, place, updates.reshape(place.shape + rest), mode).reshape(x.shape)


# Random


def random_bits(key, counter, shape):
    """Philox 4x32-10: word i is word i % 4 of the block at counter + i // 4.

    NumPy's own Philox has 64-bit words.
    """
    size, low = math.prod(shape), 0xFFFFFFFF
    at = np.arange((size + 3) // 4, dtype=np.uint64) + np.uint64(counter)  # wraps
    state = at & low, at >> 32, np.zeros_like(at), np.zeros_like(at)
    keys = int(key) & low, int(key) >> 32
    for _ in range(10):
        a, b = state[0] * 0xD2511F53, state[2] * 0xCD9E8D57
        state = (b >> 32) ^ state[1] ^ keys[0], b & low, (a >> 32) ^ state[3] ^ keys[1], a & low
        keys = (keys[0] + 0x9E3779B9) & low, (keys[1] + 0xBB67AE85) & low
    return np.stack(state, -1).astype(np.uint32).reshape(-1)[:size].reshape(shape)


# Linear algebra and signal


def finite(x, what):
    """x, if it is finite: LAPACK may not terminate for a matrix with NaN or inf."""
    if not np.isfinite(x).all():
        raise ValueError(f"{what} of a matrix with NaN or inf")
    return x


def eigh(x, upper):
    finite((np.triu if upper else np.tril)(x), "eigh")
    return np.linalg.eigh(x, UPLO="U" if upper else "L")


def eig(x):
    values, vectors = np.linalg.eig(finite(x, "eig"))
    dtype = np.result_type(x.dtype, np.complex64)
    return values.astype(dtype, copy=False), vectors.astype(dtype, copy=False)


def lu(x):
    """Row order, lower and upper factor of each matrix, by elimination with partial pivoting."""
    batch, (m, n) = x.shape[:-2], x.shape[-2:]
    k, u = min(m, n), x.reshape((math.prod(batch), m, n)).copy()
    order, every = np.tile(np.arange(m), (len(u), 1)), np.arange(len(u))
    for j in range(k):
        top = j + abs(u[:, j:, j]).argmax(axis=1)
        u[every, j], u[every, top] = u[every, top], u[every, j].copy()
        order[every, j], order[every, top] = order[every, top], order[every, j].copy()
        pivot = u[:, j : j + 1, j]
        u[:, j + 1 :, j] /= np.where(
            pivot == 0, 1, pivot
        )  # a column of zeros has nothing to eliminate
        u[:, j + 1 :, j + 1 :] -= u[:, j + 1 :, j, None] * u[:, j, None, j + 1 :]
    lower = np.tril(u[:, :, :k], -1) + np.eye(m, k, dtype=x.dtype)
    return (
        order.reshape(batch + (m,)),
        lower.reshape(batch + (m, k)),
        np.triu(u[:, :k]).reshape(batch + (k, n)),
    )


def solve_triangular(a, b, upper, unit, transposed):
    a = np.triu(a) if upper else np.tril(a)
    if unit:
        a[..., range(a.shape[-1]), range(a.shape[-1])] = 1
    return np.linalg.solve(a.swapaxes(-1, -2) if transposed else a, b)


def for_blas(x):
    """x, or a copy if NumPy would not use BLAS for it: NumPy's own loop is slow and sums one by
    one."""
    if x.dtype.kind not in "fc":
        return x
    (rows, cols), (row, col) = x.shape[-2:], x.strides[-2:]
    dense = lambda n, step, m, inner: (m <= 1 or inner == x.itemsize) and (
        n <= 1 or step >= m * x.itemsize
    )
    return (
        x if dense(rows, row, cols, col) or dense(cols, col, rows, row) else np.array(x, order="C")
    )


def scaled(x, scale):
    return x if scale == 1 else x * scale


# Neural


def dilate(x, steps):
    """x with step - 1 zeros between neighbours along each spatial axis."""
    sizes = [n and (n - 1) * s + 1 for n, s in zip(x.shape[2:], steps)]
    out = np.zeros(x.shape[:2] + tuple(sizes), x.dtype)
    out[(slice(None), slice(None), *(slice(None, None, s) for s in steps))] = x
    return out


def conv(x, w, bias, strides, low, high, dilation, input_dilation, groups):
    x, w = widened(x), widened(w)
    if any(d != 1 for d in input_dilation):
        x = dilate(x, input_dilation)
    x = pad(x, 0, (0, 0, *low), (0, 0, *high)) if any(low) or any(high) else x
    axes = range(2, x.ndim)
    windows = sliding_window_view(
        x, [(k - 1) * d + 1 for k, d in zip(w.shape[2:], dilation)], tuple(axes)
    )
    windows = windows[
        (slice(None), slice(None), *(slice(None, None, s) for s in (*strides, *dilation)))
    ]
    # With windows as [channels, kernel, positions] a convolution is one product of matrices for
    # each image and group.
    windows = np.moveaxis(windows, [a + len(axes) for a in axes], axes)
    spatial = windows.shape[x.ndim :]
    filters, depth = w.shape[0], math.prod(w.shape[1:])
    w = w.reshape(groups, filters // groups, depth)
    out = np.empty((x.shape[0], filters) + spatial, x.dtype)
    for image, result in zip(windows, out):
        np.matmul(
            w,
            image.reshape(groups, depth, math.prod(spatial)),
            out=result.reshape(groups, filters // groups, math.prod(spatial)),
        )
    if bias is not None:
        out += bias.reshape((filters,) + (1,) * len(spatial)).astype(x.dtype)
    return out


def extreme(dtype, sign):
    """The identity of the maximum (sign -1) or of the minimum (1)."""
    if dtype.kind in "fV":
        return sign * math.inf
    if dtype.kind == "b":
        return sign > 0
    return np.iinfo(dtype).max if sign > 0 else np.iinfo(dtype).min


def pool(x, mode, window, strides, low, high, dilation, count_padding, spatial):
    """The mean divides by the number of elements inside the array, with count_padding also by those
    in the padding."""
    axes = list(zip(x.shape[2:], spatial, window, strides, low, high, dilation))
    fill = extreme(x.dtype, -1 if mode == "max" else 1) if mode in ("max", "min") else 0
    x = x[(..., *(slice(0, max(n + min(h, 0), 0)) for n, *_, h, _ in axes))]
    x = x if mode in ("max", "min") else np.square(widened(x)) if mode == "l2" else widened(x)
    # The last window may end before or behind the padded array: pad to where it ends.
    ends = [
        max(out - 1, 0) * s + (k - 1) * d + 1 - n - l
        for n, (_, out, k, s, l, _, d) in zip(x.shape[2:], axes)
    ]
    x = pad(x, fill, (0, 0, *low), (0, 0, *ends))
    taps = sliding_window_view(
        x, [(k - 1) * d + 1 for k, d in zip(window, dilation)], tuple(range(2, x.ndim))
    )
    taps = taps[
        (
            slice(None),
            slice(None),
            *(slice(0, out * s, s) for out, s in zip(spatial, strides)),
            *(slice(None, None, d) for d in dilation),
        )
    ]
    combine = COMBINE.get(mode, np.add)
    if math.prod(window) > math.prod(spatial):
        result = combine.reduce(taps, axis=tuple(range(-len(window), 0)))
    else:  # a few large operations instead of many small ones
        first, *others = itertools.product(*(range(k) for k in window))
        result = np.array(taps[(..., *first)])
        for at in others:
            combine(result, taps[(..., *at)], out=result)
    if mode == "l2":
        return np.sqrt(result)
    if mode == "mean":
        counts = [inside(*a, count_padding) for a in axes]
        return result / math.prod(np.ix_(*counts)).astype(result.dtype)
    return result


def inside(size, out, window, stride, low, high, dilation, count_padding):
    """The number of elements that count in each window along one axis."""
    at = np.arange(out)[:, None] * stride + np.arange(window) * dilation - low
    return np.sum(
        at < size + high if count_padding else (at >= 0) & (at < size + min(high, 0)), axis=1
    )


# Functions from a node and the names of its inputs to an expression.


def reduction(ufunc, accumulates):
    def emit(n, x):
        dtype = f", dtype={literal(wide(n.dtype))}" if accumulates else ""
        expression = f"np.{ufunc}.reduce({x}, axis={n.axes}{dtype}, keepdims={bool(n.keepdims)})"
        return rounded(n, expression) if accumulates else expression

    return emit


def scanning(ufunc, accumulates):
    def emit(n, x):
        dtype = literal(wide(n.dtype)) if accumulates else None
        return rounded(n, f"scan(np.{ufunc}, {x}, {n.axis}, {bool(n.reverse)}, {dtype})")

    return emit


def spans(n, shape):
    """The index of slice and slice_update; the starts are parameters."""
    return (
        "("
        + "".join(f"span(p[{n.param + k}], {n.steps[k]}, {size}), " for k, size in enumerate(shape))
        + ")"
    )


def index_of(n, index, size):
    """Indices for take. NumPy checks them, but rejects uint64."""
    return f"checked({index}, {size})" if n.dtypes[1] == "uint64" else index


def emit_var(n, x):
    dtype = n.dtypes[0] if n.dtypes[0].startswith("complex") else wide(n.dtype)
    return rounded(
        n, f"var({x}, {n.axes}, {bool(n.keepdims)}, {number(n.correction)}, {literal(dtype)})"
    )


def emit_matmul(n, *names):
    if n.dtype in NARROW:
        return rounded(n, f"np.matmul({', '.join(f'for_blas(widened({x}))' for x in names)})")
    # for_blas() has seen the slice's inputs; only movement makes arrays that BLAS does not take.
    return f"np.matmul({', '.join(f'for_blas({x})' if op in MOVEMENT else x for x, op in zip(names, n.ops))})"


def emit_fft(n, x):
    # These norms multiply by 1.
    name, norm = ("ifft", "forward") if n.inverse else ("fft", "backward")
    return f"scaled(np.fft.{name}({x}, n={n.n}, axis={n.axis}, norm={norm!r}), {number(n.scale)})"


def per_axis(n, given, absent):
    """One number for each spatial axis: those given, then absent."""
    return given + (absent,) * (len(n.shape) - 2 - len(given))


def emit_conv(n, x, w, bias=None):
    ones = [per_axis(n, given, 1) for given in (n.strides, n.dilation, n.input_dilation)]
    pads = [per_axis(n, given, 0) for given in (n.low, n.high)]
    return rounded(
        n,
        f"conv({x}, {w}, {bias}, {ones[0]}, {pads[0]}, {pads[1]}, {ones[1]}, {ones[2]}, {n.groups})",
    )


def emit_pool(n, x):
    ones = [per_axis(n, given, 1) for given in (n.window, n.strides, n.dilation)]
    pads = [per_axis(n, given, 0) for given in (n.low, n.high)]
    return (
        f"pool({x}, {MODES[n.mode]!r}, {ones[0]}, {ones[1]}, {pads[0]}, {pads[1]}, {ones[2]}, {bool(n.count_padding)}, "
        f"{n.shape[2:]}).astype({literal(n.dtype)}, copy=False)"
    )


EMIT = {
    # elementwise
    "cast": lambda n, x: f"cast({x}, {literal(n.dtype)})",
    "imag": lambda n, x: f"{x}.imag",
    "real": lambda n, x: f"{x}.real",
    "popcount": lambda n, x: f"popcount({x}).astype({literal(n.dtype)})",
    "rsqrt": lambda n, x: rounded(n, f"np.reciprocal(np.sqrt(widened({x})))"),
    "sigmoid": lambda n, x: rounded(n, f"sigmoid(widened({x}))"),
    "floor_divide": lambda n, a, b: (
        f"np.floor_divide({a}, {b})"
        if DTYPES[n.dtype].kind in "iu"
        else f"floor_divide({a}, {b}).astype({literal(n.dtype)})"
    ),
    "where": lambda n, c, a, b: f"np.where({c}, {a}, {b})",
    # reductions and scans
    "sum": reduction("add", True),
    "prod": reduction("multiply", True),
    "max": reduction("maximum", False),
    "min": reduction("minimum", False),
    "all": reduction("logical_and", False),
    "any": reduction("logical_or", False),
    "mean": lambda n, x: rounded(
        n, f"mean({x}, {n.axes}, {bool(n.keepdims)}, {literal(wide(n.dtype))})"
    ),
    "var": emit_var,
    "argmax": lambda n, x: f"np.argmax({x}, axis={n.axis}, keepdims={bool(n.keepdims)})",
    "argmin": lambda n, x: f"np.argmin({x}, axis={n.axis}, keepdims={bool(n.keepdims)})",
    "cumulative_sum": scanning("add", True),
    "cumulative_prod": scanning("multiply", True),
    "cummax": scanning("maximum", False),
    "cummin": scanning("minimum", False),
    # order
    "sort": lambda n, x: f"sort({x}, {n.axis}, {bool(n.descending)})",
    "argsort": lambda n, x: f"argsort({x}, {n.axis}, {bool(n.descending)})",
    "searchsorted": lambda n, a, v: f"searchsorted({a}, {v}, {bool(n.right)})",
    "nonzero": lambda n, x: f"np.array(np.argwhere({x}), order='C')",
    # movement and creation
    "arange": lambda n: f"np.arange({n.shape[0]}).astype({literal(n.dtype)})",
    "identity": lambda n, x, *first: f"{x}.view()",
    "reshape": lambda n, x: f"{x}.reshape({n.shape})",
    "transpose": lambda n, x: f"{x}.transpose({n.axes})",
    "slice": lambda n, x: f"{x}[{spans(n, n.shape)}]",
    "broadcast_to": lambda n, x: f"np.broadcast_to({x}, {n.shape})",
    "as_strided": lambda n, x: f"as_strided({x}, {n.shape}, {n.strides}, {n.offset})",
    "concat": lambda n, *xs: f"np.concatenate(({', '.join(xs)},), axis={n.axis})",
    "pad": lambda n, x, value: f"pad({x}, {value}, {n.low}, {n.high})",
    "copy": lambda n, x: f"np.array({x}, order='C')",
    "slice_update": lambda n, x, update: f"slice_update({x}, {update}, {spans(n, n.shapes[1])})",
    # indexing
    "take": lambda n, x, i: f"np.take({x}, {index_of(n, i, n.shapes[0][n.axis])}, axis={n.axis})",
    "take_along_axis": lambda n,
    x,
    i: f"np.take_along_axis({x}, {index_of(n, i, n.shapes[0][n.axis])}, {n.axis})",
    "gather_nd": lambda n, x, i: f"gather_nd({x}, {i})",
    "scatter": lambda n, x, i, values: f"scatter({x}, {i}, {values}, {n.axis}, {MODES[n.mode]!r})",
    "scatter_elements": lambda n,
    x,
    i,
    values: f"scatter_elements({x}, {i}, {values}, {n.axis}, {MODES[n.mode]!r})",
    "scatter_nd": lambda n, x, i, values: f"scatter_nd({x}, {i}, {values}, {MODES[n.mode]!r})",
    # random
    "random_bits": lambda n, key, counter: f"random_bits({key}, {counter}, {n.shape})",
    # linear algebra
    "matmul": emit_matmul,
    "cholesky": lambda n, x: f"np.linalg.cholesky({x}, upper={bool(n.upper)})",
    "eig": lambda n, x: f"eig({x})",
    "eigh": lambda n, x: f"eigh({x}, {bool(n.upper)})",
    "inv": lambda n, x: f"np.linalg.inv({x})",
    "qr": lambda n, x: f"np.linalg.qr({x}, mode={'complete' if n.complete else 'reduced'!r})",
    "lu": lambda n, x: f"lu({x})",
    "solve": lambda n, a, b: f"np.linalg.solve({a}, {b})",
    "solve_triangular": lambda n,
    a,
    b: f"solve_triangular({a}, {b}, {n.upper}, {n.unit_diagonal}, {n.transposed})",
    "svd": lambda n, x: f"np.linalg.svd(finite({x}, 'svd'), full_matrices={bool(n.full_matrices)})",
    # signal: the scale is the whole normalization
    "fft": emit_fft,
    "rfft": lambda n, x: f"scaled(np.fft.rfft({x}, n={n.n}, axis={n.axis}), {number(n.scale)})",
    "irfft": lambda n,
    x: f"scaled(np.fft.irfft({x}, n={n.n}, axis={n.axis}, norm='forward'), {number(n.scale)})",
    # neural
    "conv": emit_conv,
    "pool": emit_pool,
}


# Inputs and outputs, as capsules of NumPy's array interface, __array_struct__.


class Lent:
    """An input: Ember's memory, which the capsule keeps alive."""

    __slots__ = ("__array_struct__", "place")


def lend(capsule, place):
    lent = Lent()
    lent.__array_struct__, lent.place = capsule, place
    return np.asarray(lent)


def give(x, dtype, shape):
    """An output: its capsule and the owner of its memory, which is -1 (itself), the index of an
    input, or the capsule of another array."""
    x = np.asarray(x, dtype)
    if x.shape != shape:
        raise RuntimeError(f"NumPy gave shape {x.shape} for {shape}")
    root = x
    while (base := getattr(root, "base", None)) is not None:
        root = base[0] if type(base) is tuple else base
    if root is x:
        return x.__array_struct__, -1
    if all(s % x.itemsize == 0 for s in x.strides):
        if type(root) is Lent:
            return x.__array_struct__, root.place
        if (
            type(root) is np.ndarray and root.nbytes <= 4 * x.nbytes
        ):  # a small view would keep a large array alive
            return x.__array_struct__, root.__array_struct__
    return np.array(x, order="C").__array_struct__, -1


# Compiles a slice.


def emit(n, names, out):
    """The expression of a node.

    out: the name of an operand whose memory may be reused, or None.
    """
    if n.op == "output":
        return f"{names[0]}[{n.param}]"
    if n.op == "scalar":
        return (
            f"np.array(p[{n.param}], bfloat16)"
            if n.dtype == "bfloat16"
            else f"{literal(n.dtype)}(p[{n.param}])"
        )
    if n.op not in UFUNCS:
        return EMIT[n.op](n, *names)
    if n.op == "pow" and n.dtype.startswith("int"):
        return f"power({', '.join(names)})"
    if n.op in IDENTITY_ON_INTEGERS and DTYPES[n.dtype].kind in "biu":
        return names[0]
    exact = ufunc_dtype(n.op, tuple(n.dtypes)) == DTYPES[n.dtype]
    call = f"np.{UFUNCS[n.op]}({', '.join(names)}{f', out={out}' if out and exact else ''})"
    return call if exact else f"{call}.astype({literal(n.dtype)})"


OWN_CODE = "<ember ", os.path.dirname(np.__file__) + os.sep


def is_foreign(error):
    """Whether neither NumPy nor this file raised the error, but a signal handler, which Python may
    call between any two lines."""
    at = error.__traceback__
    while at and at.tb_next:
        at = at.tb_next
    return bool(at) and not at.tb_frame.f_code.co_filename.startswith(OWN_CODE)


def named(error, ops):
    """An error of the same kind, with the name of the op whose line failed."""
    kind = next(
        (k for k in (IndexError, ValueError, TypeError, MemoryError) if isinstance(error, k)),
        RuntimeError,
    )
    op = ops.get(error.__traceback__.tb_lineno)
    return kind(f"[{op}] {error}" if op else str(error))


def compile_slice(nodes, inputs, outputs):
    """A function from the capsules of the inputs and the parameters to the give() of each output.

    nodes: (op, dtype, shape, inputs, attributes, parameter, wanted)
    """
    nodes = [
        SimpleNamespace(
            op=op,
            dtype=dtype,
            shape=shape,
            inputs=places,
            param=param,
            wanted=wanted,
            uses=0,
            **attrs,
        )
        for op, dtype, shape, places, attrs, param, wanted in nodes
    ]
    last = {}
    for at, n in enumerate(nodes):
        n.dtypes, n.shapes = [nodes[i].dtype for i in n.inputs], [nodes[i].shape for i in n.inputs]
        n.ops = [nodes[i].op for i in n.inputs]
        for i in n.inputs:
            nodes[i].uses += 1
            last[i] = at
    lines = ["def run(c, p, ops=ops):", " try:", "  with np.errstate(all='ignore'):"]
    ops = {}  # by line
    factors = {i for n in nodes if n.op == "matmul" for i in n.inputs}
    for place, i in enumerate(inputs):
        lent = (
            f"lend(c[{place}], {place}){'.view(bfloat16)' if nodes[i].dtype == 'bfloat16' else ''}"
        )
        lines.append(f"   t{i} = {f'for_blas({lent})' if i in factors else lent}")
    owned = set()  # results of ufuncs, which do not alias anything
    for at, n in enumerate(nodes):
        if n.op == "leaf" or not (n.uses or n.wanted):
            continue
        reused = next(
            (
                i
                for i in n.inputs
                if i in owned
                and nodes[i].uses == 1
                and not nodes[i].wanted
                and nodes[i].shape == n.shape
                and nodes[i].dtype == n.dtype
            ),
            None,
        )
        lines.append(
            f"   t{at} = {emit(n, [f't{i}' for i in n.inputs], None if reused is None else f't{reused}')}"
        )
        ops[len(lines)] = n.op
        if (
            n.op in UFUNCS and n.op not in IDENTITY_ON_INTEGERS and n.op != "pow" and n.shape
        ):  # ufuncs of 0-d arrays return scalars
            owned.add(at)
        dead = sorted({i for i in n.inputs if last[i] == at and not nodes[i].wanted})
        if dead:
            lines.append(f"   del {', '.join(f't{i}' for i in dead)}")
    results = [f"give(t{i}, {literal(nodes[i].dtype)}, {nodes[i].shape})" for i in outputs]
    lines.append(f"   return ({''.join(r + ', ' for r in results)})")
    lines += [
        " except Exception as error:",
        "  if is_foreign(error):",
        "   raise",
        "  raise named(error, ops) from error",
    ]
    scope = {"ops": ops}
    exec(compile("\n".join(lines), "<ember slice>", "exec"), globals(), scope)
    return scope["run"]
