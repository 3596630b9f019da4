"""Reductions and scans, compared with NumPy in float64."""

import numpy as np

from harness import *

# Shapes and reduced axes: rows, columns, blocks, a middle axis, all axes.
PLACES = (
    ((3, 4), None),
    ((3, 4), 0),
    ((3, 4), -1),
    ((3, 4), [0, 1]),
    ((2, 3, 4), [0, 2]),
    ((2, 3, 4), [-1, -2]),
    ((2, 3, 4), 1),
    ((), None),
    ((), []),
    ((3, 4), []),
    ((5, 1), 1),
    ((1, 5), 0),
)
LARGE = (
    ((300, 257), None),
    ((300, 257), 0),
    ((300, 257), 1),
    ((70000,), None),
    ((7, 33, 65), [0, 2]),
    ((7, 33, 65), 1),
    ((2, 3000, 2), 1),
    ((40000, 3), 0),
    ((3, 40000), 1),
)
SPECIAL = [1, np.nan, np.inf, -np.inf, 2, 3, 0, -0.0]


def axes(axis):
    return tuple(axis) if isinstance(axis, list) else axis


def reduces(op, f, dtypes, draw=A, large=REALS, **more):
    for shape, axis in PLACES:
        for keepdims in (False, True) if len(shape) != 2 else (False,):
            case(
                op,
                [draw(shape)],
                lambda x, axis, keepdims: f(x, axis=axes(axis), keepdims=keepdims),
                dtypes,
                axis=axis,
                keepdims=keepdims,
                id=f"{shape} {axis} {keepdims}",
                **more,
            )
    for shape, axis in LARGE:
        case(
            op,
            [draw(shape)],
            lambda x, axis: f(x, axis=axes(axis), keepdims=False),
            large,
            axis=axis,
            id=f"{shape} {axis}",
            **more,
        )


def off_zero(shape):  # so that sums do not cancel
    return A(shape, -1, 3)


def log_sum_exp(x, axis=None, keepdims=False):
    top = np.max(x, axis=axis, keepdims=True)
    r = np.log(
        np.sum(np.exp(x - np.where(np.isfinite(top), top, 0)), axis=axis, keepdims=True)
    ) + np.where(np.isfinite(top), top, 0)
    return r if keepdims else np.squeeze(r, tuple(range(x.ndim)) if axis is None else axis)


def empties(op, f, dtypes=REALS, **more):
    for shape, axis in (((0, 3), 0), ((0, 3), 1), ((0,), None), ((2, 0, 3), [0, 1])):
        case(
            op,
            [A(shape)],
            lambda x, axis: f(x, axis=axes(axis)),
            dtypes,
            axis=axis,
            id=f"empty {shape} {axis}",
            **more,
        )


reduces("sum", np.sum, REALS + COMPLEX, draw=off_zero, large=FLOATS + COMPLEX)
reduces("sum", np.sum, ("float16", "bfloat16"), large=())
reduces("sum", np.sum, INTS + ("bool",), out=sum_of, large=("int8", "uint64", "bool"))
empties("sum", np.sum, REALS + COMPLEX)
case("sum", [A((len(SPECIAL),), values=SPECIAL)], np.sum, FLOATS, id="special")
case("sum", [A((3,), values=[np.inf, np.inf, 1])], np.sum, FLOATS, id="infinite")
case(
    "sum",
    [A((3, 3), values=[2**62, 2**62, 2**62, 5, 6, 7, 8, 9, 1])],
    np.sum,
    ("int64",),
    axis=1,
    id="wraps",
)
for d in ("int8", "uint16", "float16", "float32", "float64", "complex64"):
    case(
        "sum",
        [A((5, 6), 0, 3, dtype="uint8")],
        lambda x, axis: np.sum(x, axis=axis),
        (d,),
        dtype=d,
        axis=0,
        id="dtype",
    )
    case(
        "prod",
        [A((5, 3), 1, 3, dtype="uint8")],
        lambda x, axis: np.prod(x, axis=axis),
        (d,),
        dtype=d,
        axis=1,
        id="dtype",
    )
    case(
        "cumulative_sum",
        [A((5, 6), 0, 3, dtype="uint8")],
        lambda x, axis: np.cumsum(x, axis=axis),
        (d,),
        dtype=d,
        axis=0,
        id="dtype",
    )
    case(
        "cumulative_prod",
        [A((5, 3), 1, 3, dtype="uint8")],
        lambda x, axis: np.cumprod(x, axis=axis),
        (d,),
        dtype=d,
        axis=1,
        id="dtype",
    )
case("sum", [A((1 << 20,), values=[0.1])], np.sum, ("float32", "float64"), id="many alike")
case("sum", [A((3000,), values=[10.0])], np.sum, ("float16",), id="past what float16 counts")
near = lambda s: A(s, 0.99, 1.01)
reduces(
    "prod",
    np.prod,
    FLOATS,
    draw=near,
    large=REALS,
    tol={"float32": 2e-5, "float64": 1e-11},
    why="the roundings of thousands of factors add up",
)
reduces("prod", np.prod, COMPLEX, large=(), tol={"complex64": 2e-5})
reduces("prod", np.prod, INTS + ("bool",), out=sum_of, large=("int8", "uint64"))
empties("prod", np.prod, REALS + COMPLEX)
case("prod", [A((len(SPECIAL),), values=SPECIAL)], np.prod, FLOATS, id="special")

reduces("mean", np.mean, FLOATS + COMPLEX, draw=off_zero, large=FLOATS)
reduces("mean", np.mean, ("int8", "uint64", "bool"), out="float32", large=())
empties("mean", np.mean)
case(
    "mean",
    [A((3, 4), values=SPECIAL)],
    lambda x, axis: np.mean(x, axis=axis),
    FLOATS,
    axis=0,
    id="special",
)
case("mean", [A((4000,), values=[60000.0])], np.mean, ("float16",), id="a sum past float16")
for name, f in (("var", np.var), ("std", np.std)):
    for shape, axis in PLACES + LARGE:
        for c in (0, 1):
            n = int(
                np.prod(
                    [
                        shape[a]
                        for a in (
                            range(len(shape)) if axis is None else np.atleast_1d(axis).astype(int)
                        )
                    ]
                )
            )
            if n - c <= 0:
                continue
            case(
                name,
                [A(shape)],
                lambda x, axis, correction, f=f: f(x, axis=axes(axis), ddof=correction),
                FLOATS,
                axis=axis,
                correction=c,
                id=f"{shape} {axis} {c}",
            )
            case(
                name,
                [A(shape)],
                lambda x, axis, correction, f=f: f(x, axis=axes(axis), ddof=correction),
                COMPLEX,
                out=real_of,
                axis=axis,
                correction=c,
                id=f"complex {shape} {axis} {c}",
            )
    case(
        name,
        [A((3, 4))],
        lambda x, axis, keepdims, f=f: f(x, axis=axis, keepdims=keepdims),
        REALS,
        axis=1,
        keepdims=True,
        id="keepdims",
    )
    case(name, [A((3, 4))], f, ("int16", "uint8", "bool"), out="float32", id="integers")
    case(
        name,
        [A((3, 4))],
        lambda x, axis, correction, f=f: f(x, axis=axis, ddof=correction),
        REALS,
        axis=0,
        correction=3,
        id="nothing left",
    )
    case(
        name,
        [A((3, 4))],
        lambda x, axis, correction, f=f: f(x, axis=axis, ddof=correction),
        REALS,
        axis=0,
        correction=5,
        id="less than nothing left",
    )
    case(
        name,
        [A((3, 4))],
        lambda x, axis, correction, f=f: f(x, axis=axis, ddof=correction),
        REALS,
        axis=0,
        correction=0.5,
        id="half",
    )
    empties(name, f)
    case(name, [A((6,), values=[1e4 + 1, 1e4, 1e4 - 1])], f, REALS, id="far from zero")

for name, f in (("max", np.max), ("min", np.min)):
    reduces(
        name,
        f,
        REAL_NUMERIC + ("bool",),
        draw=lambda s: A(s, -100, 100),
        large=REAL_NUMERIC + ("bool",),
    )
    case(
        name,
        [A((0, 3))],
        lambda x, axis, f=f: f(x, axis=axis),
        REALS + INTS,
        axis=1,
        id="empty beside",
    )
    for n in (8, 100, 70000):
        case(name, [A((n,), values=[1, 2, 3] * 7 + [np.nan] + [5] * 30)], f, FLOATS, id=f"NaN {n}")
    case(
        name,
        [A((300, 257), values=[1, 2, 3] * 400 + [np.nan] + [5] * 30)],
        lambda x, axis, f=f: f(x, axis=axis),
        FLOATS,
        axis=0,
        id="NaN in columns",
    )
    case(
        name,
        [A((2, 4), values=[np.inf, -np.inf, 1, 2, -np.inf, -np.inf, -np.inf, -np.inf])],
        lambda x, axis, f=f: f(x, axis=axis),
        FLOATS,
        axis=1,
        id="infinite",
    )
    case(
        name,
        [A((4,), values=np.array([2**63, 2**64 - 1, 5, 2**63 - 1], np.uint64))],
        f,
        ("uint64",),
        id="largest",
    )
for name, f in (("all", np.all), ("any", np.any)):
    few = lambda s, n=name: A(s, values=[1] * 11 + [0] if n == "all" else [0] * 11 + [1])
    reduces(name, f, ALL, draw=few, large=ALL, out="bool")
    empties(name, f, out="bool")
    case(
        name,
        [A((3, 2), values=[np.nan, np.nan, 0.0, -0.0, 1e-40, np.inf])],
        lambda x, axis, f=f: f(x, axis=axis),
        REALS,
        out="bool",
        axis=1,
        id="special",
    )
reduces(
    "count_nonzero",
    np.count_nonzero,
    ALL,
    draw=lambda s: A(s, values=[0, 3, 0, 1, -0.0]),
    large=("float32", "bool", "int8"),
    out="int64",
)
empties("count_nonzero", np.count_nonzero, out="int64")
case(
    "count_nonzero",
    [A((4,), values=[np.nan, -0.0, 0, np.inf])],
    np.count_nonzero,
    FLOATS,
    out="int64",
    id="special",
)

reduces("logsumexp", log_sum_exp, FLOATS, large=FLOATS)
reduces(
    "logsumexp",
    lambda x, **k: log_sum_exp(x.astype(float), **k),
    ("int32", "bool"),
    out="float32",
    large=(),
)
for shape, axis in (((1, 4), None), ((1, 4, 1), (1, 2)), ((1, 1), None), ((4, 1, 1), (0, 2))):
    case(
        "logsumexp",
        [A(shape)],
        lambda x, axis: log_sum_exp(x, axis=axis),
        FLOATS,
        axis=axis,
        id=f"one of the others {shape} {axis}",
    )
case(
    "logsumexp",
    [A((2, 3), values=[1000, 1001, 1002, -1000, -1001, -1002])],
    lambda x, axis: log_sum_exp(x, axis=axis),
    FLOATS,
    axis=1,
    id="far",
)
case(
    "logsumexp",
    [A((4, 2), values=[-np.inf, -np.inf, np.inf, 1, np.nan, 1, -np.inf, 2])],
    lambda x, axis: log_sum_exp(x, axis=axis),
    FLOATS,
    axis=1,
    id="special",
)
case(
    "logsumexp",
    [A((2, 2), values=[np.inf, np.nan, np.inf, 1])],
    lambda x, axis: np.array([np.nan, np.inf]),
    FLOATS,
    axis=1,
    id="NaN beside infinity",
)
case("logsumexp", [A((0, 3))], lambda x, axis: np.full(3, -np.inf), REALS, axis=0, id="empty")
case("logsumexp", [A((0, 3))], lambda x, axis: np.zeros(0), REALS, axis=1, id="empty beside")

for name, f in (("argmax", np.argmax), ("argmin", np.argmin)):
    for shape, axis in PLACES + LARGE:
        if isinstance(axis, list):
            continue
        for keepdims in (False, True) if len(shape) != 2 else (False,):
            ref = lambda x, axis, keepdims, f=f: f(x, axis=axis, keepdims=keepdims)
            case(
                name,
                [A(shape, -100, 100)],
                ref,
                REAL_NUMERIC + ("bool",),
                out="int64",
                axis=axis,
                keepdims=keepdims,
                id=f"{shape} {axis} {keepdims}",
            )
        case(
            name,
            [A(shape, values=[3, 1, 3, 1, 2])],
            lambda x, axis, f=f: f(x, axis=axis),
            REAL_NUMERIC,
            out="int64",
            axis=axis,
            id=f"ties {shape} {axis}",
        )
        case(
            name,
            [A(shape, values=[3, 1, 3] * 5 + [np.nan, 7, np.nan, np.inf, -np.inf])],
            lambda x, axis, f=f: f(x, axis=axis),
            FLOATS,
            out="int64",
            axis=axis,
            id=f"NaN {shape} {axis}",
        )
    case(
        name,
        [A((0, 3))],
        lambda x, axis, f=f: f(x, axis=axis),
        REALS,
        out="int64",
        axis=1,
        id="empty beside",
    )
    case(name, [A((4,), values=[0.0, -0.0, 0.0, -0.0])], f, FLOATS, out="int64", id="zeros")

SCANS = (
    ((5,), None),
    ((5,), 0),
    ((3, 4), 0),
    ((3, 4), -1),
    ((2, 3, 4), 1),
    ((0, 3), 0),
    ((0, 3), 1),
    ((0,), None),
    ((300, 257), 0),
    ((300, 257), 1),
    ((5000,), 0),
    ((2, 700, 3), 1),
)


def running(op, f, dtypes, draw=A, **more):
    for shape, axis in SCANS:
        ref = lambda x, axis: f(x, axis=axis)
        case(op, [draw(shape)], ref, dtypes, axis=axis, id=f"{shape} {axis}", **more)


def with_ends(f, start):
    def ref(x, axis=0, include_initial=False, reverse=False, exclusive=False):
        axis = 0 if axis is None else axis
        first = (
            np.full_like(np.take(x, [0], axis), start)
            if x.shape[axis]
            else np.full([1 if d == axis % x.ndim else n for d, n in enumerate(x.shape)], start)
        )
        r = np.flip(f(np.flip(x, axis), axis=axis), axis) if reverse else f(x, axis=axis)
        if exclusive:  # sums that exclude the element itself
            n = x.shape[axis]
            if n:
                r = np.concatenate(
                    [np.take(r, range(1, n), axis), first]
                    if reverse
                    else [first, np.take(r, range(n - 1), axis)],
                    axis,
                )
        elif include_initial:
            r = np.concatenate([r, first] if reverse else [first, r], axis)
        return r

    return ref


for name, of_numpy in (("cumsum", np.cumsum), ("cumprod", np.cumprod)):
    case(name, [A((3, 4), 0.9, 1.1)], of_numpy, FLOATS, id="flattened")
    case(
        name,
        [A((3, 4), 0.9, 1.1)],
        lambda x, axis, f=of_numpy: f(x, axis=axis),
        FLOATS,
        axis=1,
        id="axis",
    )
running("cumulative_sum", np.cumsum, FLOATS + COMPLEX)
running("cumulative_sum", np.cumsum, INTS + ("bool",), out=sum_of)
running(
    "cumulative_prod",
    np.cumprod,
    FLOATS,
    draw=lambda s: A(s, 0.99, 1.01),
    tol={"float32": 5e-5, "float64": 1e-11},
    why="the roundings of thousands of factors add up",
)
running("cumulative_prod", np.cumprod, INTS + ("bool",), out=sum_of)
for shape, axis in SCANS:
    for kw in (
        {"include_initial": True},
        {"reverse": True},
        {"exclusive": True},
        {"reverse": True, "exclusive": True},
        {"reverse": True, "include_initial": True},
    ):
        case(
            "cumulative_sum",
            [A(shape)],
            with_ends(np.cumsum, 0),
            ("float16", "float32", "int64", "complex64"),
            axis=axis,
            id=f"{shape} {axis} {kw}",
            **kw,
        )
    case(
        "cumulative_prod",
        [A(shape, 0.99, 1.01)],
        with_ends(np.cumprod, 1),
        REALS,
        axis=axis,
        include_initial=True,
        id=f"{shape} {axis} initial",
        tol={"float32": 5e-5, "float64": 1e-11},
        why="the roundings of thousands of factors add up",
    )
case("cumulative_sum", [A((len(SPECIAL),), values=SPECIAL[::-1])], np.cumsum, FLOATS, id="special")
case("cumulative_prod", [A((len(SPECIAL),), values=SPECIAL)], np.cumprod, FLOATS, id="special")
case(
    "cumulative_prod",
    [A((5, 3))],
    lambda x, axis: np.cumprod(x, axis=axis),
    COMPLEX,
    axis=0,
    id="complex",
)
for name, f in (("cummax", np.maximum), ("cummin", np.minimum)):
    running(
        name,
        lambda x, axis, f=f: f.accumulate(x, axis=0 if axis is None else axis),
        REAL_NUMERIC + ("bool",),
        draw=lambda s: A(s, -100, 100),
    )
    case(
        name,
        [A((7,), values=[1, 0, -np.inf, np.inf, 2, np.nan, 3])],
        f.accumulate,
        FLOATS,
        id="special",
    )
    case(
        name,
        [A((7,), values=[-0.0, 0.0, 1, np.nan, 5, np.nan, 3])],
        f.accumulate,
        FLOATS,
        id="NaN stays",
    )
for shape, axis in SCANS:
    if axis is not None:
        case(
            "logcumsumexp",
            [A(shape)],
            lambda x, axis: np.logaddexp.accumulate(x, axis=axis),
            FLOATS,
            axis=axis,
            id=f"{shape} {axis}",
        )
case(
    "logcumsumexp",
    [A((4,), values=[-1000, -999, 0, 1000])],
    np.logaddexp.accumulate,
    FLOATS,
    id="far apart",
)
case(
    "logcumsumexp",
    [A((4,), values=[1000, 0, -1000, 1000])],
    np.logaddexp.accumulate,
    FLOATS,
    id="falling",
)
case(
    "logcumsumexp",
    [A((6,), values=[-np.inf, -np.inf, 1, np.inf, 0, np.nan])],
    np.logaddexp.accumulate,
    FLOATS,
    id="special",
)
case(
    "logcumsumexp",
    [A((4,))],
    lambda x: np.logaddexp.accumulate(x.astype(float)),
    ("int32", "bool"),
    out="float32",
    id="integers",
)
