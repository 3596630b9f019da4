"""Statistics, compared with NumPy in float64."""

import warnings

import numpy as np

from harness import *

PLACES = (
    ((3, 4), None),
    ((3, 4), 0),
    ((3, 4), -1),
    ((2, 3, 4), [0, 2]),
    ((2, 3, 4), 1),
    ((5,), None),
    ((), None),
    ((7, 1), 1),
    ((41, 33), None),
    ((300, 5), 0),
    ((2, 700), 1),
)
EMPTY = (((0, 3), 0), ((0, 3), 1), ((0,), None), ((2, 0, 3), [0, 1]))
METHODS = ("linear", "lower", "higher", "midpoint", "nearest")


@dataclasses.dataclass
class Holes(A):
    """Normal numbers with some NaN, and a first row of NaN only."""

    line: bool = False

    def draw(self, rng, dtype):
        x = np.array(super().draw(rng, dtype))
        x[rng.random(self.shape) < 0.3] = np.nan
        if self.line and x.size:
            x[(0,) * (x.ndim - 1)] = np.nan
        return x


@dataclasses.dataclass
class Pierced(A):
    """One NaN in every 7 elements: rows of other lengths have some numbers."""

    def draw(self, rng, dtype):
        x = np.array(super().draw(rng, dtype))
        x.flat[::7] = np.nan
        return x


def axes(axis):
    return tuple(axis) if isinstance(axis, list) else axis


def quiet(f):
    """Ignores NumPy's warnings about slices without numbers."""

    def g(*a, **k):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return f(*a, **k)

    return g


def reduces(op, f, dtypes, places=PLACES, draw=A, **more):
    """All dtypes for the first shapes, one or two for the others."""
    for i, (shape, axis) in enumerate(places):
        dtypes = dtypes if i < 4 else dtypes[-2:] if i < 7 else dtypes[-2:-1]
        for keepdims in (False, True) if axis in (0, [0, 2]) else (False,):
            case(
                op,
                [draw(shape)],
                lambda x, axis, keepdims, **k: quiet(f)(x, axis=axes(axis), keepdims=keepdims, **k),
                dtypes,
                axis=axis,
                keepdims=keepdims,
                id=f"{shape} {axis} {keepdims}",
                **more,
            )


# Quantiles
reduces("median", np.median, FLOATS)
reduces("median", np.median, ("int8", "uint64", "int32"), PLACES[:6], out="float32")
reduces("median", np.median, REALS, EMPTY)
reduces("median", np.median, FLOATS, (((6, 9), 0), ((6, 9), 1), ((6, 9), None)), draw=Holes)
case("median", [A((4,), values=[np.inf, np.inf, -np.inf, 1])], np.median, FLOATS, id="inf")
case("median", [A((4,), values=[np.inf, np.inf, np.inf, 1])], np.median, FLOATS, id="two inf")
case("median", [A((2,), values=[60000, 60000])], np.median, ("float16",), id="sum past float16")
case(
    "median",
    [A((2,), values=[3e38, 3.2e38])],
    lambda x: np.float64(x).mean(),
    ("float32",),
    id="sum past float32",
)
reduces(
    "nanmedian",
    np.nanmedian,
    FLOATS,
    (((6, 9), 0), ((6, 9), 1), ((6, 9), None), ((3, 4, 5), [0, 2]), ((3, 4, 5), 1)),
    draw=Holes,
)
reduces(
    "nanmedian",
    np.nanmedian,
    FLOATS,
    (((6, 9), 0), ((6, 9), 1)),
    draw=lambda s: Holes(s, line=True),
)
reduces("nanmedian", np.nanmedian, REALS, PLACES + EMPTY)
reduces("nanmedian", np.nanmedian, ("int16",), PLACES[:4], out="float32")
case("nanmedian", [A((4,), values=[np.nan, np.inf, np.inf, 1])], np.nanmedian, FLOATS, id="inf")
case(
    "nanmedian",
    [A((3,), values=[np.nan, 3e38, 3.2e38])],
    lambda x: np.float64(x[1:]).mean(),
    ("float32",),
    id="sum past float32",
)

for op, whole in (("quantile", 1), ("percentile", 100)):
    f = getattr(np, op)
    for method in METHODS:
        picks = method in ("lower", "higher", "nearest")
        for shape, axis in PLACES[:8] if method in ("linear", "nearest") else PLACES[3:4]:
            for keepdims in (False, True) if axis in (0, [0, 2]) else (False,):
                case(
                    op,
                    [A(shape), 0.3 * whole],
                    lambda x, q, axis, f=f, **k: f(x, q, axis=axes(axis), **k),
                    REALS,
                    axis=axis,
                    keepdims=keepdims,
                    method=method,
                    id=f"{shape} {axis} {keepdims} {method}",
                )
        for q in ([0.0, 0.25, 0.5, 1.0], [[0.1, 0.77], [0.5, 0.99]], []):
            case(
                op,
                [
                    A((5, 6)),
                    A(np.shape(q), values=np.multiply(q, whole) if q else [0], dtype="float64"),
                ],
                lambda x, q, axis, method, f=f: f(x, q, axis=axis, method=method),
                FLOATS,
                axis=1,
                method=method,
                id=f"{q} {method}",
            )
            case(
                op,
                [
                    A((5, 6), -20, 20),
                    A(np.shape(q), values=np.multiply(q, whole) if q else [0], dtype="float64"),
                ],
                lambda x, q, axis, method, f=f: f(x, q, axis=axis, method=method),
                ("int8", "int64", "uint16"),
                axis=0,
                method=method,
                out=None if picks else "float32",
                id=f"{q} {method} integers",
            )
        case(
            op,
            [Holes((5, 6)), 0.5 * whole],
            lambda x, q, axis, method, f=f: f(x, q, axis=axis, method=method),
            FLOATS,
            axis=1,
            method=method,
            id=f"nan {method}",
        )
        case(
            op,
            [A((4,), values=[np.inf, np.inf, 1, -np.inf]), A((3,), values=[0, 0.9 * whole, whole])],
            lambda x, q, method: np.array([-np.inf, np.inf, np.inf]),
            REALS,
            method=method,
            id=f"inf {method}",
        )
    case(
        op,
        [A((0, 3)), 0.5 * whole],
        lambda x, q, axis: np.full(3, np.nan),
        FLOATS,
        axis=0,
        id="empty",
    )
    case(
        op,
        [A((0, 3)), A((2,), values=[0, 0.5])],
        lambda x, q, axis: np.zeros((2, 0)),
        REALS,
        axis=1,
        id="no lines",
    )
    case(
        op,
        [A((4001,)), A((5,), values=[0, 0.001 * whole, 0.5 * whole, 0.9999 * whole, whole])],
        f,
        REALS,
        id="long",
    )
case(
    "quantile",
    [A((2,), values=[-3e38, 3e38]), 0.5],
    lambda x, q: np.float64(0),
    ("float32",),
    id="difference past float32",
)

# Differences
for n in (0, 1, 2, 3, 9):
    for axis in (0, -1, 1):
        case(
            "diff",
            [A((4, 5, 6))],
            np.diff,
            NUMERIC if (n, axis) == (1, -1) else REALS + ("int8", "uint8") if n < 3 else REALS,
            n=n,
            axis=axis,
            id=f"{n} {axis}",
            tol={"float16": 8e-3, "bfloat16": 6e-2} if n > 1 else None,
            why="each difference is rounded",
        )
case("diff", [A((4, 5))], np.diff, ("bool",), id="bool")
case(
    "diff",
    [A((4, 5))],
    lambda x, prepend, append: np.diff(x, prepend=prepend, append=append),
    NUMERIC,
    prepend=A((4, 1)),
    append=A((4, 2)),
    id="more",
)
case(
    "diff",
    [A((4, 5))],
    lambda x, prepend, append, axis: np.diff(x, prepend=prepend, append=append, axis=axis),
    REALS + ("int32",),
    prepend=1,
    append=A(()),
    axis=0,
    id="scalars",
)
case("diff", [A((0, 3))], np.diff, REALS, axis=0, id="empty")
case("diff", [A((1,))], np.diff, REALS + ("int8",), id="one")
case("diff", [A((4,), values=[np.inf, np.inf, np.nan, 1])], np.diff, FLOATS, id="special")
for axis in (0, 1, -1):
    case(
        "gradient",
        [A((4, 5, 6))],
        lambda x, spacing, axis: np.gradient(x, spacing, axis=axis),
        FLOATS + COMPLEX,
        spacing=0.5,
        axis=axis,
        id=str(axis),
    )
case("gradient", [A((2,))], lambda x: np.gradient(x, axis=-1), FLOATS, id="two")
case(
    "gradient",
    [A((9,), 0, 6)],
    lambda x: np.gradient(x.astype(np.float64), axis=-1),
    ("uint8", "int32", "bool"),
    out="float32",
    id="integers",
)
case("gradient", [A((3, 0))], lambda x, axis: np.gradient(x, axis=0), REALS, axis=0, id="empty")

# Counts
edges = lambda d: "float32" if d in ("float16", "bfloat16") else float_of(d)
for bins in (10, 1, 3, 64):
    case(
        "histogram",
        [A((11, 12))],
        np.histogram,
        FLOATS + ("int32", "uint8"),
        out=["int64", edges],
        bins=bins,
        id=str(bins),
    )
case(
    "histogram",
    [A((100,), -40, 40)],
    lambda x, bins, low, high: np.histogram(x, bins, (low, high)),
    FLOATS + ("int8", "int64"),
    out=["int64", edges],
    bins=7,
    low=-21.0,
    high=28.0,
    id="range",
)
case(
    "histogram",
    [A((100,), -40, 40)],
    lambda x, bins, low: np.histogram(x, bins, (low, float(x.max()))),
    REALS,
    out=["int64", edges],
    bins=4,
    low=-3.0,
    id="low end",
)
case(
    "histogram",
    [A((8,), values=[0, 1, 2, 3, 4, 4, 4, 0])],
    np.histogram,
    FLOATS + INTS,
    out=["int64", edges],
    bins=4,
    id="on the edges",
)
case(
    "histogram",
    [A((6, 2))],
    lambda x, weights: np.histogram(x, weights=weights),
    FLOATS,
    out=[None, edges],
    weights=A((6, 2), 0, 1),
    id="weights",
)
case(
    "histogram",
    [A((30,))],
    lambda x, weights: np.histogram(x, weights=weights),
    REALS,
    out=["int64", edges],
    weights=A((30,), dtype="int64"),
    id="whole weights",
)
case(
    "histogram",
    [A((60,))],
    lambda x, density: np.histogram(x, density=True),
    FLOATS + ("int32",),
    out=[edges, edges],
    density=True,
    id="density",
)
case(
    "histogram",
    [A((60,))],
    lambda x, density, weights: np.histogram(x, density=True, weights=weights),
    REALS,
    out=[None, edges],
    density=True,
    weights=A((60,), 0, 2),
    id="density of weights",
)
case("histogram", [A((0,))], np.histogram, REALS + ("int32",), out=["int64", edges], id="empty")
case(
    "histogram",
    [A((5,), values=[2])],
    np.histogram,
    FLOATS + ("int32",),
    out=["int64", edges],
    id="all alike",
)
case(
    "histogram",
    [A((5,), values=[np.nan, 1, 2, np.inf, 0])],
    lambda x, low, high: np.histogram(x[np.isfinite(x)], range=(low, high)),
    FLOATS,
    out=["int64", edges],
    low=0.0,
    high=2.0,
    id="nan",
)
case("bincount", [A((50,), 0, 9)], np.bincount, INTS, out="int64")
case("bincount", [A((50,), 0, 9, dtype="int64"), A((50,))], np.bincount, REALS, id="weights")
case(
    "bincount",
    [A((50,), 0, 9, dtype="int64"), A((50,), 0, 9)],
    np.bincount,
    ("int32",),
    out="float32",
    id="whole weights",
)
case(
    "bincount",
    [A((5,), 0, 9)],
    lambda x, minlength: np.bincount(x, minlength=minlength),
    INTS,
    out="int64",
    minlength=20,
    id="minlength",
)
case(
    "bincount",
    [A((0,))],
    lambda x, minlength: np.bincount(x, minlength=minlength),
    ("int64", "uint8"),
    out="int64",
    minlength=2,
    id="empty",
)
case("bincount", [A((2000,), values=[3])], np.bincount, ("int64",), out="int64", id="many alike")
for right in (False, True):
    for bins in ([-1, 0, 0, 0.5, 2], [2, 0.5, 0, 0, -1], [0.5], []):
        case(
            "digitize",
            [A((4, 5)), A((len(bins),), values=bins or [0])],
            np.digitize,
            FLOATS,
            out="int64",
            right=right,
            id=f"{bins} {right}",
        )
        case(
            "digitize",
            [A((5,), values=[-1, 0, 0.5, 2, np.inf]), A((len(bins),), values=bins or [0])],
            np.digitize,
            REALS,
            out="int64",
            right=right,
            id=f"{bins} {right} on the edges",
        )
    case(
        "digitize",
        [A((9,), -9, 9), A((3,), values=[1, 3, 4])],
        np.digitize,
        INTS,
        out="int64",
        right=right,
        id=f"integers {right}",
    )

# Without NaN
wild = (((6, 9), 0), ((6, 9), 1), ((6, 9), None), ((3, 4, 5), [0, 2]), ((70, 65), 1), ((70, 65), 0))
for op in ("nansum", "nanprod", "nanmean", "nanmax", "nanmin"):
    f = getattr(np, op)
    near = (
        (lambda s: Holes(s, 0.9, 1.1), lambda s: Holes(s, 0.9, 1.1, line=True))
        if op == "nanprod"
        else (Holes, lambda s: Holes(s, line=True))
    )
    tol = {"float32": 2e-5, "float64": 1e-11} if op == "nanprod" else None
    for draw_ in near:
        reduces(
            op,
            f,
            FLOATS,
            wild[:4] if draw_ is near[1] else wild,
            draw=draw_,
            tol=tol,
            why="the roundings of many factors",
        )
    reduces(op, f, REALS, PLACES[:8], draw=lambda s: A(s, 0.9, 1.1))
    reduces(
        op,
        f,
        ("int8", "uint32", "int64"),
        PLACES[:6],
        out={"nanmean": "float32"}.get(op, sum_of if op in ("nansum", "nanprod") else None),
    )
    if op in ("nansum", "nanprod", "nanmean"):
        reduces(op, f, REALS, EMPTY)
        reduces(
            op,
            f,
            COMPLEX,
            (((6, 4), 0), ((6, 4), None)),
            draw=Holes,
            tol={"complex64": 2e-5},
            why="the roundings of many factors",
        )
    case(op, [A((4,), values=[np.nan, np.inf, 1, -np.inf])], f, FLOATS, id="inf")
    case(op, [A((3,), values=[np.nan, np.inf, 1])], f, FLOATS, id="one inf")
case("nansum", [A((3000,), values=[10.0])], np.nansum, ("float16",), id="past what float16 counts")
case(
    "nanmean",
    [A((4000,), values=[60000.0, np.nan])],
    np.nanmean,
    ("float16",),
    id="a sum past float16",
)
for correction in (0, 1, 2.5):
    for op in ("nanvar", "nanstd"):
        f = getattr(np, op)
        g = lambda x, correction, f=f, **k: f(x, ddof=correction, **k)
        reduces(
            op,
            g,
            FLOATS,
            wild[:4] + ((wild[4],) if correction == 0 else ()),
            draw=Holes,
            correction=correction,
        )
        reduces(
            op, g, REALS, (((6, 9), 1),), draw=lambda s: Holes(s, line=True), correction=correction
        )
        reduces(op, g, ("int8", "uint32"), PLACES[:4], out="float32", correction=correction)
        reduces(
            op,
            g,
            REALS,
            (((3, 4), 0), ((3, 4), None), ((3, 1), 1), ((0, 3), 0), ((0, 3), 1)),
            correction=correction,
        )
for op in ("nanvar", "nanstd"):
    reduces(op, getattr(np, op), COMPLEX, (((6, 4), 0), ((6, 4), None)), draw=Holes, out=real_of)
for op in ("nanargmax", "nanargmin"):
    f = getattr(np, op)
    for shape, axis in (((6, 9), 0), ((6, 9), 1), ((6, 9), None), ((3, 4, 5), 1)):
        for keepdims in (False, True):
            case(
                op,
                [Pierced(shape)],
                f,
                FLOATS,
                out="int64",
                axis=axis,
                keepdims=keepdims,
                id=f"{shape} {axis} {keepdims}",
            )
            case(
                op,
                [A(shape)],
                f,
                ("int8", "uint64"),
                out="int64",
                axis=axis,
                keepdims=keepdims,
                id=f"{shape} {axis} {keepdims}",
            )
    case(
        op,
        [A((5,), values=[np.nan, np.inf, -np.inf, np.inf, -np.inf])],
        f,
        FLOATS,
        out="int64",
        id="inf",
    )
case(
    "nanargmax",
    [A((3,), values=[np.nan, -np.inf, -np.inf])],
    np.nanargmax,
    FLOATS,
    out="int64",
    id="lowest",
)
case(
    "nanargmin",
    [A((3,), values=[np.nan, np.inf, np.inf])],
    np.nanargmin,
    FLOATS,
    out="int64",
    id="highest",
)

# Moments and sums
for ddof in (1.0, 0.0):
    case(
        "cov",
        [A((3, 20))],
        lambda x, ddof: np.cov(x, ddof=ddof),
        FLOATS + COMPLEX,
        ddof=ddof,
        id=f"rows {ddof}",
    )
for op in ("cov", "corrcoef"):
    f = getattr(np, op)
    case(
        op,
        [A((20, 3))],
        lambda x, rowvar, f=f: f(x, rowvar=rowvar),
        FLOATS + COMPLEX,
        rowvar=False,
        id="columns",
    )
    case(op, [A((3, 20)), A((2, 20))], f, FLOATS + COMPLEX, id="two")
    case(op, [A((20,)), A((20,))], f, REALS, id="vectors")
    case(op, [A((20,))], f, REALS, id="one vector")
    case(op, [A((3, 20))], f, ("int8", "uint32"), out="float32", id="integers")
    case(
        op,
        [A((40, 300))],
        f,
        REALS,
        id="large",
        tol={"float32": 2e-5},
        why="the diagonal outweighs the other elements",
    )
case("corrcoef", [A((3, 20))], np.corrcoef, FLOATS + COMPLEX)
pdf = lambda x, mu=0.0, sigma=1.0: np.exp(-(((x - mu) / sigma) ** 2) / 2) / (
    sigma * np.sqrt(2 * np.pi)
)
case("gaussian", [A((4, 5))], pdf, FLOATS)
case("gaussian", [A((4, 5)), 1.0, 2.0], pdf, FLOATS, id="scalars")
case("gaussian", [A((4, 5)), A((5,)), A((4, 1), 0.5, 2)], pdf, FLOATS, id="arrays")
case("gaussian", [A((6,), -3, 4)], pdf, ("int32", "uint8"), out="float32", id="integers")
case("gaussian", [A((5,), values=[np.inf, -np.inf, np.nan, 1e4, -50])], pdf, FLOATS, id="special")
case("gaussian", [A((0, 2))], pdf, REALS, id="empty")
absolute = (
    lambda x: np.abs(x)
    if x.dtype.kind in "fc"
    else np.abs(x.astype(np.int64))
    if x.dtype.kind in "bi"
    else x
)
l1 = lambda x, **k: np.sum(absolute(x), **k)
l2 = lambda x, **k: np.sqrt(np.sum(np.square(absolute(x).astype(np.float64)), **k))
log_sum = lambda x, **k: np.log(np.sum(x.astype(np.result_type(x, np.float64)), **k))
sum_square = (
    lambda x, **k: np.sum(np.square(absolute(x)), **k)
    if x.dtype.kind in "fcbi"
    else np.sum(np.square(x.astype(np.uint64)), **k)
)
for op, f, integers in (
    ("reduce_l1", l1, sum_of),
    ("reduce_l2", l2, "float32"),
    ("reduce_sum_square", sum_square, sum_of),
    ("reduce_log_sum", log_sum, "float32"),
):
    reduces(op, f, FLOATS, draw=(lambda s: A(s, 0.1, 2)) if op == "reduce_log_sum" else A)
    reduces(op, f, REALS, EMPTY)
    if op != "reduce_log_sum":
        reduces(op, f, COMPLEX, PLACES[:5], out=real_of)
    reduces(
        op,
        f,
        ("int8", "uint32", "int64", "uint8"),
        PLACES[:6],
        out=integers,
        draw=lambda s: A(s, 1, 100),
    )
    case(op, [A((4,), values=[1, np.inf, 2, 3])], f, FLOATS, id="inf")
    case(op, [A((4,), values=[1, np.inf, np.nan, 3])], f, FLOATS, id="nan")
case("reduce_l1", [A((3,), values=[-128, -128, 100])], l1, ("int8",), out="int64", id="lowest")
case(
    "reduce_sum_square",
    [A((3,), values=[-128, -128, 100])],
    sum_square,
    ("int8",),
    out="int64",
    id="lowest",
)
case("reduce_l2", [A((3000,), values=[3.0])], l2, ("float16",), id="past what float16 counts")
case("reduce_l2", [A((3,), values=[300.0])], l2, ("float16",), id="squares past float16")
case("reduce_log_sum", [A((3,), values=[60000.0])], log_sum, ("float16",), id="a sum past float16")
reduces("ptp", np.ptp, REAL_NUMERIC, PLACES[:6])
reduces("ptp", np.ptp, REALS, PLACES[6:] + (((0, 3), 1),))
case("ptp", [A((4,), values=[1, np.inf, np.nan, 3])], np.ptp, FLOATS, id="nan")
case("ptp", [A((4,), values=[1, np.inf, 2, 3])], np.ptp, FLOATS, id="inf")
reduces("average", np.average, FLOATS + COMPLEX, PLACES[:6])
reduces("average", np.average, ("int8", "uint32"), PLACES[:6], out="float32")
for shape, axis in PLACES[:7]:
    for keepdims in (False, True):
        case(
            "average",
            [A(shape)],
            lambda x, axis, **k: np.average(x, axis=axes(axis), **k),
            FLOATS,
            axis=axis,
            weights=A(shape, 0.1, 1),
            keepdims=keepdims,
            id=f"weights {shape} {axis} {keepdims}",
        )
case(
    "average",
    [A((4, 5, 6))],
    lambda x, axis, weights: np.average(x, axis=axis, weights=weights),
    FLOATS + COMPLEX,
    axis=1,
    weights=A((5,), 0.1, 1),
    id="along an axis",
)
case(
    "average",
    [A((4, 5, 6))],
    lambda x, axis, weights: np.average(x, axis=tuple(axis), weights=weights),
    REALS,
    axis=[0, 2],
    weights=A((4, 6), 0.1, 1),
    id="along axes",
)
case(
    "average",
    [A((4, 5))],
    lambda x, axis, weights: np.average(x, axis=axis, weights=weights),
    ("int16", "uint8"),
    out="float32",
    axis=1,
    weights=A((5,), 1, 6),
    id="integers",
)
