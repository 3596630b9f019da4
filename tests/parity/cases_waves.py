"""Waves, Ember ML's losses and its scatters, compared with NumPy's formulas in float64."""

import numpy as np

from harness import *

WAVES = ((A((1000,)), A((1000,))), (A((37,)), A((50,))), (A((8,)), A((8,))))


def phases(a, b):
    return np.angle(np.fft.fft(a)) - np.angle(np.fft.fft(b))


def strength(a, b):
    a, b = a[: len(b)], b[: len(a)]
    apart = np.abs(phases(a, b))
    return np.corrcoef(a, b)[0, 1] * (1 - np.mean(np.minimum(apart, 2 * np.pi - apart)) / np.pi)


def coherence(a, b, freq_range=(0, 1)):
    a, b = a[: len(b)], b[: len(a)]
    f = np.abs(np.fft.fftfreq(len(a)))
    return np.abs(np.mean(np.exp(1j * phases(a, b))[(f >= freq_range[0]) & (f <= freq_range[1])]))


def partial(a, b, window_size=100):
    n = min(len(a), len(b))
    return np.array(
        [
            strength(a[i : i + window_size], b[i : i + window_size])
            for i in range(n - window_size + 1)
        ]
    )


def stability(wave, window_size=100):
    e = np.array(
        [
            np.sum(wave[i : i + window_size] ** 2)
            for i in range(0, len(wave) - window_size + 1, window_size)
        ]
    )
    return 1.0 if len(e) < 2 or e.mean() == 0 else 1 / (1 + e.var() / e.mean())


# The phase of a small coefficient is ill-conditioned, so errors of 16-bit inputs are measured
# relative to the others.
for k, (a, b) in enumerate(WAVES):
    case(
        "compute_interference_strength",
        [a, b],
        strength,
        FLOATS,
        tol={"float32": 1e-4},
        why="sums of angles of small coefficients",
        id=str(k),
    )
    case(
        "compute_phase_coherence",
        [a, b],
        coherence,
        FLOATS,
        tol={"float32": 1e-4},
        why="sums of angles of small coefficients",
        id=str(k),
    )
    case(
        "compute_phase_coherence",
        [a, b],
        coherence,
        REALS,
        tol={"float32": 1e-4},
        why="sums of angles of small coefficients",
        freq_range=[0.1, 0.3],
        id=f"{k} range",
    )
case(
    "compute_interference_strength",
    [A((9,)), A((9,), dtype="int32")],
    strength,
    REALS,
    tol={"float32": 1e-4},
    why="as above",
    id="integers",
)
case(
    "partial_interference",
    [A((130,)), A((110,))],
    partial,
    REALS,
    tol={"float32": 1e-4},
    why="as above",
)
case(
    "partial_interference",
    [A((30,)), A((30,))],
    partial,
    REALS,
    window_size=16,
    tol={"float32": 1e-4},
    why="as above",
    id="short",
)
case("partial_interference", [A((30,)), A((30,))], lambda a, b: np.zeros(0), REALS, id="none")
for n in (0, 50, 199, 200, 1000, 1050):
    case(
        "compute_energy_stability", [A((n,))], stability, FLOATS if n == 1000 else REALS, id=str(n)
    )
case("compute_energy_stability", [A((64,))], stability, FLOATS, window_size=8, id="short windows")
case(
    "compute_energy_stability",
    [A((64,), values=[0])],
    stability,
    FLOATS,
    window_size=8,
    id="silence",
)
case(
    "compute_energy_stability",
    [A((64,))],
    stability,
    ("int8", "int64"),
    window_size=8,
    out="float32",
    id="integers",
)

case("exponential_decay", [A((7,)), 0.5], lambda x, r: x * np.exp(-r * np.arange(7)), FLOATS)
case(
    "exponential_decay",
    [A((4, 3)), 0.5],
    lambda x, r: x * np.exp(-r * np.arange(4))[:, None],
    FLOATS,
    id="rows",
)
case(
    "exponential_decay",
    [A((7,)), A((7,), 0, 1), A((7,), 0, 2)],
    lambda x, r, t: x * np.exp(-r * t),
    FLOATS,
    id="times",
)
case("exponential_decay", [A(()), 0.5, 3.0], lambda x, r, t: x * np.exp(-r * t), FLOATS, id="one")

for mode, f in (("xor", np.bitwise_xor), ("and", np.bitwise_and), ("or", np.bitwise_or)):
    case(
        "binary_wave_interference",
        [[A((3, 5)), A((5,)), A((3, 1))]],
        lambda w, mode, f=f: f(f(w[0], w[1]), w[2]),
        INTS,
        mode=mode,
        id=mode,
    )
case("binary_wave_interference", [[A((5,))]], lambda w: w[0], ("int32", "bool"), id="one")
case(
    "binary_wave_propagate",
    [A((12,), 0, 8), A((12,), values=[0, 1, 2, -1, -2, 3], dtype="int64")],
    lambda w, s: np.where(
        s >= 0, w << np.maximum(s, 0).astype(w.dtype), w >> np.maximum(-s, 0).astype(w.dtype)
    ),
    INTS,
)
case(
    "binary_wave_propagate",
    [A((6,), values=[1, 2, 5]), -1],
    lambda w, s: w >> 1,
    ("int32", "uint8"),
    id="right",
)
case(
    "binary_wave_propagate",
    [A((6,), values=[1, 2, 5]), 100],
    lambda w, s: w * 0,
    ("int8", "int64"),
    id="out",
)
for n, part in ((10, 0.25), (10, 0.0), (10, 1.0), (1, 0.4), (7, 0.5), (100, 0.333)):
    case(
        "create_duty_cycle",
        [n, part],
        lambda n, p: (np.arange(n) < round(n * p)).astype(int),
        ("float32",),
        out="int32",
        id=f"{n} {part}",
    )
for n, half in ((10, 2), (9, 1), (5, 100), (12, 3)):
    case(
        "generate_blocky_sin",
        [n, half],
        lambda n, h: (np.arange(n) % (2 * h) < h).astype(int),
        ("float32",),
        out="int32",
        id=f"{n} {half}",
    )


def split(a, b):
    if b - a == 1:
        return (
            (1.0, 1.0)
            if a == 0
            else ((6 * a - 5.0) * (2 * a - 1) * (6 * a - 1), a**3 * 640320.0**3 / 24)
        )
    (p, q), (r, s) = split(a, (a + b) // 2), split((a + b) // 2, b)
    return p * r, q * r + p * s


for a, b in ((0, 1), (0, 4), (3, 4), (2, 9)):
    case("binary_split", [a, b], split, ("float32",), out="float64", id=f"{a} {b}")

# Ember ML's losses: the target is the first argument, and the mean has an axis.
PLACES = ((None, False), (0, False), (-1, True), ([0, 1], True))


def mean(x, axis, keepdims):
    return np.mean(x, axis=tuple(axis) if isinstance(axis, list) else axis, keepdims=keepdims)


ELEMENTWISE = {
    "mse_loss": lambda d: d**2,
    "mae_loss": np.abs,
    "log_cosh_loss": lambda d: np.logaddexp(d, -d) - np.log(2),
    "huber_loss": lambda d: np.where(np.abs(d) <= 1, d * d / 2, np.abs(d) - 0.5),
}
for axis, keepdims in PLACES:
    for op, f in ELEMENTWISE.items():
        case(
            op,
            [A((3, 4)), A((3, 4))],
            lambda y, p, axis, keepdims, f=f: mean(f(p - y), axis, keepdims),
            FLOATS if axis is None else REALS,
            axis=axis,
            keepdims=keepdims,
            id=f"{axis} {keepdims}",
        )
    case(
        "binary_crossentropy",
        [A((3, 4), 0, 1), A((3, 4), 0.01, 0.99)],
        lambda y, p, axis, keepdims: mean(
            -(y * np.log(p) + (1 - y) * np.log(1 - p)), axis, keepdims
        ),
        REALS,
        axis=axis,
        keepdims=keepdims,
        id=f"{axis} {keepdims}",
    )
    case(
        "categorical_crossentropy",
        [A((3, 4, 5), 0, 1), A((3, 4, 5), 0.01, 0.99)],
        lambda y, p, axis, keepdims: mean(-np.sum(y * np.log(p), -1), axis, keepdims),
        REALS,
        axis=axis,
        keepdims=keepdims,
        id=f"{axis} {keepdims}",
    )
    case(
        "sparse_categorical_crossentropy",
        [A((3, 4), 0, 5, dtype="int64"), A((3, 4, 5), 0.01, 0.99)],
        lambda y, p, axis, keepdims: mean(
            -np.log(np.take_along_axis(p, y[..., None], -1))[..., 0], axis, keepdims
        ),
        REALS,
        axis=axis,
        keepdims=keepdims,
        id=f"{axis} {keepdims}",
    )
case(
    "mse_loss",
    [A((3, 4)), A((3, 4))],
    lambda y, p, **_: np.sum((p - y) ** 2, 1),
    REALS,
    axis=1,
    reduction="sum",
    id="sum",
)


def log_softmax(x):
    return x - np.log(np.sum(np.exp(x), -1, keepdims=True))


case(
    "binary_crossentropy",
    [A((3, 4), 0, 1), A((3, 4))],
    lambda y, p, from_logits: np.mean(np.logaddexp(0, p) - y * p),
    REALS,
    from_logits=True,
    id="logits",
)
case(
    "categorical_crossentropy",
    [A((3, 4), 0, 1), A((3, 4))],
    lambda y, p, from_logits: np.mean(-np.sum(y * log_softmax(p), -1)),
    REALS,
    from_logits=True,
    id="logits",
)
case(
    "sparse_categorical_crossentropy",
    [A((3,), 0, 4, dtype="int32"), A((3, 4))],
    lambda y, p, from_logits: np.mean(-np.take_along_axis(log_softmax(p), y[:, None], 1)),
    REALS,
    from_logits=True,
    id="logits",
)


# Scatter ops by name, the form with a shape, and split by sizes.
def buckets(f, start):
    def ref(values, indices, dim_size, axis=0):
        values = np.moveaxis(values, axis, 0)[: len(indices)]
        out = np.zeros((dim_size, *values.shape[1:]), values.dtype)
        for k in range(dim_size):
            if (indices == k).any():
                out[k] = f(values[indices == k], 0)
        return np.moveaxis(out, 0, axis)

    return ref


def softmax_within(values, indices, dim_size):
    e = np.exp(values - np.max(values))
    return e / np.array([e[indices == i].sum() for i in indices])


AT = A((6,), values=[0, 2, 0, 4, 2, 0], dtype="int64")
for op, f in (("scatter_add", np.sum), ("scatter_max", np.max), ("scatter_min", np.min)):
    case(op, [A((6,)), AT, 5], buckets(f, 0), ("int32", "int64") + FLOATS)
    case(op, [A((2, 6)), AT, 6], buckets(f, 0), REALS, axis=1, id="axis")
case("scatter_softmax", [A((6,)), AT, 5], softmax_within, FLOATS)


def scatter_add(indices, updates, shape):
    out = np.zeros(shape, updates.dtype)
    np.add.at(out, tuple(np.moveaxis(indices, -1, 0)), updates)
    return out


case(
    "scatter",
    [A((3, 2), values=[0, 1, 2, 2, 0, 1], dtype="int64"), A((3,)), (3, 4)],
    scatter_add,
    ("int32",) + FLOATS,
    id="shape",
)
case(
    "scatter",
    [A((2, 1), values=[2, 0], dtype="int64"), A((2, 4)), (3, 4)],
    scatter_add,
    REALS,
    id="shape rows",
)
case("slice_tensor", [A((3, 4)), [1, 0], [2, 2]], lambda x, a, n: x[1:3, 0:2], ALL)
case(
    "slice_tensor",
    [A((3, 4)), [-2, 1], [-1, 3]],
    lambda x, a, n: x[1:, 1:4],
    REALS,
    id="to the end",
)
case("slice_tensor", [A((3, 4)), [1], [0]], lambda x, a, n: x[1:1], REALS, id="empty")
for bits in (1, 5, 8):
    for op, left in (("rotate_left", True), ("rotate_right", False)):

        def rotated(x, by, bit_width, left=left):
            v, mask, n = x.astype(object) & (2**bit_width - 1), 2**bit_width - 1, by % bit_width
            n = n if left else (bit_width - n) % bit_width
            return np.array(((v << n) | (v >> (bit_width - n))) & mask).astype(x.dtype)

        case(
            op,
            [A((5,), 0, 120), 3],
            rotated,
            ("uint8", "int16", "int64", "uint64") if bits < 8 else ("int16", "uint32", "int64"),
            bit_width=bits,
            id=f"{bits} bits",
        )
case(
    "gradient",
    [A((3, 7)), 0.5],
    lambda x, h, **_: np.gradient(x, h, axis=1, edge_order=2),
    REALS,
    axis=1,
    edge_order=2,
    id="edge order 2",
)
case(
    "mean",
    [A((3, 4))],
    lambda x: np.mean(x),
    ("float16", "float32", "int32"),
    dtype="float64",
    out="float64",
    id="dtype",
)
case(
    "svd",
    [A((3, 4))],
    lambda x, compute_uv: np.linalg.svd(x, compute_uv=False),
    REALS,
    compute_uv=False,
    id="values alone",
)
case(
    "normalize_vector",
    [A((3, 4))],
    lambda x, axis: x / np.linalg.norm(x),
    REALS,
    axis=None,
    id="whole",
)
case(
    "get_seed",
    [],
    None,
    ("float32",),
    check=lambda got, a, d: np.testing.assert_equal((got[0].dtype.kind, got[0].shape), ("i", ())),
)
