"""Quantization, losses and distances, compared with NumPy and SciPy in float64."""

import itertools

import numpy as np
import scipy.special as sp
from scipy.spatial.distance import cdist

from harness import *

REDUCE = {"mean": np.mean, "sum": np.sum, "none": lambda v: v}


def loss(f):
    return lambda p, t, reduction="mean", **o: REDUCE[reduction](f(p, t, **o))


def huber(p, t, delta=1.0):
    d = np.abs(p - t)
    return np.where(d <= delta, d * d / 2, delta * (d - delta / 2))


def binary(p, t, from_logits=False):
    if from_logits:
        return np.logaddexp(0, p) - p * t
    with np.errstate(all="ignore"):
        return -(t * np.maximum(np.log(p), -100) + (1 - t) * np.maximum(np.log1p(-p), -100))


def log_of(p, from_logits, axis):
    return sp.log_softmax(p, axis) if from_logits else np.log(np.clip(p, 1e-7, 1 - 1e-7))


def categorical(p, t, from_logits=False, axis=-1):
    return -(t * log_of(p, from_logits, axis)).sum(axis)


def picked(p, t, axis=-1):
    return -np.take_along_axis(p, np.expand_dims(t, axis), axis).squeeze(axis)


def sparse(p, t, from_logits=False, axis=-1):
    return picked(log_of(p, from_logits, axis), t, axis)


def kl(p, t):
    return sp.xlogy(t, t) - t * p


P, T = A((5, 4)), A((5, 4))
UNIT = A((5, 4), 0.05, 0.95)
CLASSES = A((5,), 0, 4, dtype="int64")
for reduction in REDUCE:
    o = {"reduction": reduction, "id": reduction}
    case("mse_loss", [P, T], loss(lambda p, t: (p - t) ** 2), FLOATS, **o)
    case("mae_loss", [P, T], loss(lambda p, t: np.abs(p - t)), FLOATS, **o)
    case("huber_loss", [P, T], loss(huber), FLOATS, **o)
    case("log_cosh_loss", [P, T], loss(lambda p, t: np.log(np.cosh(p - t))), FLOATS, **o)
    case("binary_cross_entropy", [UNIT, UNIT], loss(binary), FLOATS, **o)
    case("categorical_cross_entropy", [UNIT, UNIT], loss(categorical), FLOATS, **o)
    case("sparse_categorical_cross_entropy", [UNIT, CLASSES], loss(sparse), FLOATS, **o)
    case("nll_loss", [P, CLASSES], loss(picked), FLOATS, **o)
    case("kl_div_loss", [P, UNIT], loss(kl), FLOATS, **o)
    logits = {"reduction": reduction, "from_logits": True, "id": f"logits {reduction}"}
    case("binary_cross_entropy", [P, UNIT], loss(binary), FLOATS, **logits)
    case("categorical_cross_entropy", [P, UNIT], loss(categorical), FLOATS, **logits)
    case("sparse_categorical_cross_entropy", [P, CLASSES], loss(sparse), FLOATS, **logits)
for name, f in (
    ("mse_loss", lambda p, t: (p - t) ** 2),
    ("mae_loss", lambda p, t: np.abs(p - t)),
    ("huber_loss", huber),
    ("log_cosh_loss", lambda p, t: np.log(np.cosh(p - t))),
):
    case(name, [A((5, 4)), A((4,))], loss(f), REALS, reduction="none", id="broadcast")
    case(name, [A(()), A(())], loss(f), REALS, id="scalars")
    case(name, [A((0, 3)), A((0, 3))], loss(f), REALS, reduction="sum", id="empty sum")
    case(name, [A((0, 3)), A((0, 3))], lambda p, t: np.nan, REALS, id="empty mean")
    case(
        name,
        [A((5,)), A((5,))],
        loss(lambda p, t, f=f: f(p.astype(np.float64), t.astype(np.float64))),
        ("int32",),
        out="float32",
        id="integers",
    )
case(
    "huber_loss",
    [A((40,), -5, 5), A((40,), -5, 5)],
    loss(huber),
    REALS,
    delta=2.5,
    reduction="none",
    id="delta",
)
case(
    "log_cosh_loss",
    [A((3,), values=[1e4, -1e4, 0]), A((3,), values=[0])],
    loss(lambda p, t: np.abs(p - t) - np.where(p == t, 0, np.log(2))),
    ("bfloat16",) + REALS,
    reduction="none",
    id="far",
)
case(
    "log_cosh_loss",
    [A((6,), values=[1e-4, -1e-3, 0.01, 1e-6, 0, 0.1]), A((6,), values=[0])],
    loss(lambda p, t: np.log1p(2 * np.sinh((p - t) / 2) ** 2)),
    REALS,
    reduction="none",
    id="near",
)
case(
    "binary_cross_entropy",
    [A((4,), values=[0, 1, 0, 1]), A((4,), values=[1, 1, 0, 0])],
    loss(lambda p, t: np.array([100.0, 0, 0, 100])),
    REALS,
    reduction="none",
    id="sure",
)
case(
    "binary_cross_entropy",
    [A((4,), values=[1000, -1000, 1000, -1000]), A((4,), values=[1, 1, 0, 0])],
    loss(binary),
    ("bfloat16",) + REALS,
    reduction="none",
    from_logits=True,
    id="sure logits",
)
case(
    "binary_cross_entropy",
    [A((5, 4)), A((5, 4), 0, 2, dtype="int64")],
    loss(binary),
    REALS,
    from_logits=True,
    id="classes",
)
case(
    "categorical_cross_entropy",
    [A((3, 4, 2)), A((3, 4, 2), 0, 1)],
    loss(categorical),
    REALS,
    axis=1,
    from_logits=True,
    id="axis",
)
case(
    "categorical_cross_entropy",
    [A((2, 3), values=[0, 0.5, 1]), A((2, 3), values=[1, 0, 0])],
    loss(categorical),
    REALS,
    id="zero",
)
case(
    "sparse_categorical_cross_entropy",
    [A((3, 4, 2)), A((3, 2), 0, 4, dtype="int32")],
    loss(sparse),
    REALS,
    axis=1,
    from_logits=True,
    reduction="none",
    id="axis",
)
case(
    "sparse_categorical_cross_entropy",
    [A((2, 3), values=[1000, 0, -1000]), A((2,), values=[0, 2], dtype="int64")],
    loss(sparse),
    ("bfloat16",) + REALS,
    from_logits=True,
    reduction="none",
    id="large",
)
case(
    "nll_loss",
    [A((3, 4, 2)), A((3, 2), 0, 4, dtype="uint8")],
    loss(picked),
    REALS,
    axis=1,
    reduction="none",
    id="axis",
)
case("nll_loss", [A((4,)), A((), 0, 4, dtype="int64")], loss(picked), REALS, id="one")
case(
    "nll_loss",
    [A((3, 4)), A((3,), values=[-1, 0, -4], dtype="int64")],
    loss(picked),
    REALS,
    reduction="none",
    id="from the end",
)
case(
    "kl_div_loss",
    [A((2, 3)), A((2, 3), values=[0, 0.25, 0.75, 1, 0, 0])],
    loss(kl),
    FLOATS,
    reduction="none",
    id="zero",
)


def contrastive(a, b, t, margin=1.0):
    d = np.sqrt(((a - b) ** 2).sum(-1))
    return np.where(t == 1, d**2, np.maximum(margin - d, 0) ** 2)


def cosine_embedding(a, b, t, margin=0.0):
    c = (a * b).sum(-1) / np.sqrt(((a**2).sum(-1) + 1e-12) * ((b**2).sum(-1) + 1e-12))
    return np.where(t == 1, 1 - c, np.maximum(c - margin, 0))


def pairs(f):
    return lambda a, b, t, reduction="mean", **o: REDUCE[reduction](f(a, b, t, **o))


ALIKE = A((6,), values=[1, 0, -1, 1, 0, 1], dtype="int64")
for name, f in (("contrastive_loss", contrastive), ("cosine_embedding_loss", cosine_embedding)):
    for reduction in REDUCE:
        case(
            name, [A((6, 4)), A((6, 4)), ALIKE], pairs(f), FLOATS, reduction=reduction, id=reduction
        )
    case(
        name,
        [A((2, 6, 4)), A((4,)), ALIKE],
        pairs(f),
        REALS,
        margin=0.3,
        reduction="none",
        id="broadcast",
    )


def ctc_ref(lp, targets, input_lengths, target_lengths, blank=0, reduction="mean"):
    """The sum of the probabilities of all paths that read as the target."""
    losses = []
    for n in range(lp.shape[1]):
        total = -np.inf
        for path in itertools.product(range(lp.shape[2]), repeat=int(input_lengths[n])):
            read = [c for i, c in enumerate(path) if (i == 0 or c != path[i - 1]) and c != blank]
            if read == targets[n, : target_lengths[n]].tolist():
                total = np.logaddexp(total, sum(lp[i, n, c] for i, c in enumerate(path)))
        losses.append(-total)
    losses = np.array(losses)
    return REDUCE[reduction](
        losses / np.maximum(target_lengths, 1) if reduction == "mean" else losses
    )


def ids(values, shape, dtype="int64"):
    return A(shape, values=values, dtype=dtype)


LOG_P = A((5, 6, 4), -4, -0.5)
CTC = [
    LOG_P,
    ids([1, 1, 2, 1, 2, 3, 3, 2, 1, 1, 3, 2, 2, 2, -7, 1, 1, 1], (6, 3)),
    ids([5, 4, 3, 5, 5, 0], (6,)),
    ids([3, 2, 1, 0, 2, 0], (6,)),
]
for reduction in REDUCE:
    case("ctc_loss", CTC, ctc_ref, FLOATS, reduction=reduction, id=reduction)
case(
    "ctc_loss",
    [
        LOG_P,
        ids([0, 1, 2, 1, 2, 0], (6, 3), "int32"),
        ids([5, 4, 3, 5, 5, 4], (6,), "int32"),
        ids([3, 2, 1, 0, 2, 1], (6,), "int32"),
    ],
    ctc_ref,
    REALS,
    blank=3,
    reduction="none",
    id="blank",
)
case(
    "ctc_loss",
    [LOG_P, ids([1], (6, 3)), ids([2], (6,)), ids([2], (6,))],
    ctc_ref,
    REALS,
    reduction="none",
    id="too short",
)
case(
    "ctc_loss",
    [A((3, 0, 4)), ids([1], (0, 2)), ids([1], (0,)), ids([1], (0,))],
    lambda *a, reduction: np.zeros(0),
    REALS,
    reduction="none",
    id="no batch",
)

QUANTIZED = {
    "int8": (-128, 127),
    "uint8": (0, 255),
    "int4": (-8, 7),
    "uint4": (0, 15),
    "int32": (-(2**31), 2**31 - 1),
}


def spread(v, x, axis=None, block_size=None):
    """Scale or zero point as an array that broadcasts over x."""
    if v.ndim == 0:
        return v
    if v.ndim == 1 and x.ndim != 1:
        v = v.reshape(
            [len(v) if axis is not None and d == axis % x.ndim else 1 for d in range(x.ndim)]
        )
    for d in range(x.ndim):
        if v.shape[d] not in (1, x.shape[d]):
            v = v.repeat(block_size or x.shape[d] // v.shape[d], d)
    return v[tuple(slice(0, n) for n in x.shape)]


def quantize_ref(name):
    def ref(x, scale, zero, axis=None, block_size=None):
        s, z = (
            spread(scale, x, axis, block_size),
            spread(zero, x, axis, block_size).astype(np.float64),
        )
        return np.clip(np.rint(x / s) + z, *QUANTIZED[name])

    return ref


def dequantize_ref(x, scale, zero, axis=None, block_size=None):
    return (x.astype(np.float64) - spread(zero, x, axis, block_size).astype(np.float64)) * spread(
        scale, x, axis, block_size
    )


# Multiples of 1/4 divided by powers of two: x / scale is exact, including ties.
GRID = np.arange(-30, 30) / 4
for q, (low, high) in ((q, QUANTIZED[q]) for q in ("int8", "uint8", "int32")):
    few = max(low, -8), min(high, 8)
    zero = lambda *s: A(s, *few, dtype=q)
    scale = lambda *s: A(s, values=[0.5, 0.25, 1.0, 2.0, 0.125])
    x, quant = A((4, 6), values=GRID), A((4, 6), max(low, -100), min(high, 100), dtype=q)
    same = lambda d, q=q: q
    for k, (shape, o) in enumerate(
        (
            ((), {}),
            ((6,), {"axis": 1}),
            ((4,), {"axis": 0}),
            ((4, 1), {}),
            ((4, 6), {}),
            ((4, 3), {"axis": 1, "block_size": 2}),
            ((4, 2), {"axis": 1, "block_size": 4}),
            ((2,), {"axis": -1, "block_size": 3}),
            ((2, 3), {}),
            ((1, 6), {}),
            ((1,), {}),
        )
    ):
        if "block_size" in o or len(shape) == 2 or k in (0, 1, 2, 10):
            case(
                "quantize_linear",
                [x, scale(*shape), zero(*shape)],
                quantize_ref(q),
                ("float32", "float16"),
                out=same,
                id=f"{q} {k}",
                **o,
            )
            case(
                "dequantize_linear",
                [quant, scale(*shape), zero(*shape)],
                dequantize_ref,
                ("float32", "float16"),
                id=f"{q} {k}",
                **o,
            )
    case(
        "quantize_linear",
        [A((6,), values=[1e9, -1e9, 1e20, -1e20, 3.4e38, -3.4e38]), scale(), zero()],
        quantize_ref(q),
        REALS,
        out=same,
        id=f"{q} held",
    )
    case(
        "quantize_linear",
        [A((0, 3)), scale(), zero()],
        quantize_ref(q),
        REALS,
        out=same,
        id=f"{q} empty",
    )
    case(
        "quantize_linear", [A(()), scale(), zero()], quantize_ref(q), REALS, out=same, id=f"{q} 0 d"
    )
    case(
        "dequantize_linear",
        [
            A((5, 7), low, high, dtype=q) if q != "int32" else A((5, 7), -1000, 1000, dtype=q),
            scale(7),
            zero(7),
        ],
        dequantize_ref,
        FLOATS,
        axis=1,
        id=f"{q} range",
    )
case(
    "dequantize_linear",
    [
        A((2,), values=[2**31 - 1, -(2**31)], dtype="int32"),
        A((), values=[1.0]),
        A((), values=[-1], dtype="int32"),
    ],
    dequantize_ref,
    REALS,
    id="lowest and highest",
)
case(
    "quantize_linear",
    [
        A((4,), values=[2147483000.0, -2147483000.0, 16777217.0, 5]),
        A((), values=[1.0]),
        A((), values=[3], dtype="int32"),
    ],
    quantize_ref("int32"),
    ("float64",),
    out="int32",
    id="digits",
)


def nibbles(values, shape, dtype):
    """A tensor of 4-bit integers, and their values: Ember stores each in a byte with its sign
    extended, unlike NumPy's extension."""
    v = np.resize(np.array(values), shape).astype({"int4": np.int8, "uint4": np.uint8}[dtype])
    return call("astype", to_ember(v), dtype), v


for q, values in (("int4", [-8, 7, -1, 3, 0, -5, 2]), ("uint4", [0, 15, 8, 3, 1, 10, 7])):
    for k, (shape, o) in enumerate(
        (
            ((), {}),
            ((6,), {"axis": 1}),
            ((4,), {"axis": 0}),
            ((4, 6), {}),
            ((4, 3), {"axis": 1, "block_size": 2}),
            ((2,), {"axis": -1, "block_size": 4}),
            ((2, 3), {}),
        )
    ):
        zero, z = nibbles(values, shape, q)
        quant, v = nibbles(values, (4, 6), q)
        scale = A(shape, values=[0.5, 0.25, 1.0, 2.0, 0.125])
        case(
            "quantize_linear",
            [A((4, 6), values=GRID), scale, zero],
            lambda x, s, _, z=z, q=q, **o: quantize_ref(q)(x, s, z, **o),
            ("float32", "float16"),
            out=lambda d, q=q: q,
            id=f"{q} {k}",
            **o,
        )
        case(
            "dequantize_linear",
            [quant, scale, zero],
            lambda _, s, __, v=v, z=z, **o: dequantize_ref(v, s, z, **o),
            ("float32", "float16"),
            id=f"{q} {k}",
            **o,
        )


def length(v, axis=-1, keepdims=False):
    return np.sqrt((v * v).sum(axis, keepdims=keepdims))


def cosine(a, b, axis=-1, eps=1e-8):
    a, b = np.broadcast_arrays(a, b)
    return (a * b).sum(axis) / (np.maximum(length(a, axis), eps) * np.maximum(length(b, axis), eps))


for shapes in (
    ((5, 4), (5, 4)),
    ((5, 4), (4,)),
    ((2, 1, 4), (3, 4)),
    ((4,), (4,)),
    ((0, 4), (0, 4)),
    ((3, 900), (3, 900)),
):
    args = [A(s) for s in shapes]
    case("cosine_similarity", args, cosine, FLOATS, id=f"{shapes}")
    case("euclidean_distance", args, lambda a, b: length(a - b), FLOATS, id=f"{shapes}")
case("cosine_similarity", [A((3, 4, 2)), A((3, 4, 2))], cosine, REALS, axis=1, id="axis")
case(
    "cosine_similarity",
    [A((2, 3), values=[0, 0, 0, 1, 2, 3]), A((2, 3), values=[1, 2, 3])],
    cosine,
    REALS,
    id="zero",
)
case(
    "cosine_similarity",
    [A((5,), 1, 5), A((5,), 1, 5)],
    lambda a, b: cosine(a.astype(float), b.astype(float)),
    ("int32",),
    out="float32",
    id="integers",
)
case(
    "euclidean_distance",
    [A((3, 4, 2)), A((3, 4, 2))],
    lambda a, b, axis: length(a - b, axis),
    REALS,
    axis=0,
    id="axis",
)
METRIC = {2: "euclidean", 1: "cityblock", np.inf: "chebyshev"}
for p in (2, 1, np.inf, 3, 1.5):
    distance = (
        lambda a, b, p=p: cdist(a, b, METRIC[p]) if p in METRIC else cdist(a, b, "minkowski", p=p)
    )
    case(
        "pairwise_distance",
        [A((5, 4)), A((3, 4))],
        lambda a, b, p, f=distance: f(a, b),
        FLOATS,
        p=float(p),
        id=f"{p}",
    )
    case(
        "pairwise_distance",
        [A((5, 4))],
        lambda a, p, f=distance: f(a, a),
        REALS,
        p=float(p),
        id=f"{p} of one",
    )
case(
    "pairwise_distance",
    [A((5, 4), -2, 2), A((3, 4), -2, 2)],
    lambda a, b, p: (a[:, None] != b[None]).sum(-1).astype(np.float64),
    REALS,
    p=0.0,
    id="0",
)
case("pairwise_distance", [A((0, 4)), A((3, 4))], lambda a, b: np.zeros((0, 3)), REALS, id="empty")
case(
    "pairwise_distance",
    [A((2, 0)), A((3, 0))],
    lambda a, b: np.zeros((2, 3)),
    REALS,
    id="no coordinates",
)
case("pairwise_distance", [A((40, 33)), A((50, 33))], lambda a, b: cdist(a, b), FLOATS, id="size")
for axis, shape in ((-1, (5, 4)), (0, (5, 4)), (1, (2, 3, 4)), (-1, (4,)), (-1, (0, 4))):
    case(
        "normalize_vector",
        [A(shape)],
        lambda x, axis: x / np.maximum(length(x, axis, True), 1e-12),
        FLOATS,
        axis=axis,
        id=f"{axis} {shape}",
    )
case(
    "normalize_vector",
    [A((2, 3), values=[0, 0, 0, 3, 0, 4])],
    lambda x: np.array([[0, 0, 0], [0.6, 0, 0.8]]),
    FLOATS,
    id="zero",
)
case(
    "normalize_vector",
    [A((2, 3), values=[0.1, 0.2, 0.2])],
    lambda x, eps: x / 10,
    REALS,
    eps=10.0,
    id="eps",
)
case(
    "normalize_vector",
    [A((3,), 1, 5)],
    lambda x: x / length(x.astype(np.float64)),
    ("int32",),
    out="float32",
    id="integers",
)
