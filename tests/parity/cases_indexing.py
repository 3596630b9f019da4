"""Gathers and scatters, compared with NumPy. x[...] itself is tested in test_indexing.py."""

import numpy as np

from harness import *

SOME = ("bool", "int8", "int16", "float32", "complex64", "complex128")
at = lambda *v, dtype="int64": A((len(v),), values=v, dtype=dtype)
grid = lambda shape, low, high: A(shape, low, high, dtype="int64")

for name in ("take", "gather"):
    for shape, index, axis in (
        ((5,), (7,), 0),
        ((5, 4), (3,), 0),
        ((5, 4), (3,), -1),
        ((5, 4), (2, 3), 1),
        ((5, 4), (), 0),
        ((2, 5, 3), (4,), 1),
        ((5, 4), (0,), 0),
        ((5, 0), (3,), 0),
        ((300, 257), (100,), 1),
        ((300, 257), (500,), 0),
    ):
        n = shape[axis]
        case(
            name,
            [A(shape), grid(index, -n, n)],
            lambda x, i, axis: np.take(x, i, axis),
            SOME,
            axis=axis,
            id=f"{shape} {index} {axis}",
        )
case("take", [A((3, 4)), grid((5,), -12, 12)], np.take, ALL, id="flattened")
case("take", [A(()), at(0, -1)], np.take, ALL, id="0-d")
for d in INTS:
    case("take", [A((9,)), at(0, 3, 8, 3, dtype=d)], np.take, ("float32",), id=f"{d} indices")
case("take", [A((4,)), 2], np.take, ALL, id="an integer")
for shape in ((), (5,), (2, 3), (0,), (70, 100)):
    case("embedding", [A((9, 4)), grid(shape, -9, 9)], lambda w, i: w[i], SOME, id=str(shape))
for shape, index, axis in (
    ((3, 4), (3, 6), -1),
    ((3, 4), (2, 4), 0),
    ((3, 4), (1, 2), 1),
    ((3, 1), (3, 5), 1),
    ((2, 3, 4), (2, 1, 4), 1),
    ((0, 3), (0, 2), 1),
    ((300, 257), (300, 31), 1),
    ((300, 257), (31, 257), 0),
):
    n = shape[axis]
    case(
        "take_along_axis",
        [A(shape), grid(index, -n, n)],
        lambda x, i, axis: np.take_along_axis(x, i, axis),
        SOME,
        axis=axis,
        id=f"{shape} {index} {axis}",
    )
for shape, tuples, k in (
    ((4, 5), (3,), 2),
    ((4, 5), (3,), 1),
    ((4, 5), (2, 3), 2),
    ((4, 4, 3), (6,), 2),
    ((4, 5), (), 1),
    ((4, 5), (3,), 0),
    ((4, 5), (0,), 2),
    ((60, 60, 7), (1000,), 2),
    ((5,), (5000,), 1),
):
    case(
        "gather_nd",
        [A(shape), grid(tuples + (k,), -4, 4)],
        lambda x, i: x[tuple(np.moveaxis(i, -1, 0))]
        if i.shape[-1]
        else np.broadcast_to(x, i.shape[:-1] + x.shape),
        SOME,
        id=f"{shape} {tuples} {k}",
    )

COMBINE = {"add": np.add, "mul": np.multiply, "max": np.maximum, "min": np.minimum}


def buckets(v, i, dim_size=None, aggr="add", axis=0):
    """By definition: one value after another."""
    v = np.moveaxis(v.astype(float) if aggr == "softmax" else v, axis, 0)[: len(i)]
    size = dim_size if dim_size is not None else int(i.max()) + 1 if len(i) else 0
    i = np.where(i < 0, i + size, i)
    parts = [v[i == b] for b in range(size)]
    if aggr == "softmax":
        out = np.zeros(v.shape)
        for b in range(size):
            e = np.exp(parts[b] - parts[b].max(axis=0)) if len(parts[b]) else parts[b]
            out[i == b] = e / e.sum(axis=0)
        return np.moveaxis(out, 0, axis)
    fold = {"add": np.sum, "mean": np.mean, "mul": np.prod, "max": np.max, "min": np.min}[aggr]
    rows = [
        (
            fold(p, axis=0)
            if p.dtype.kind != "b" or aggr in ("max", "min")
            else fold(p.astype(np.int64), axis=0)
        )
        if len(p)
        else np.zeros(v.shape[1:])
        for p in parts
    ]
    out = np.array(rows).reshape((size,) + v.shape[1:])
    return np.moveaxis(
        out.astype(v.dtype) if aggr != "mean" and v.dtype.kind in "iu" else out, 0, axis
    )


for aggr, dtypes in (
    ("add", NUMERIC),
    ("mul", NUMERIC),
    ("max", REAL_NUMERIC + ("bool",)),
    ("min", REAL_NUMERIC + ("bool",)),
):
    case("scatter", [A((7, 3)), at(0, 2, 0, 5, 2, 2, 0)], buckets, dtypes, aggr=aggr, id=aggr)
    case(
        "scatter",
        [A((7, 3)), at(0, 2, 0, 5, 2, 2, 0), 8],
        buckets,
        dtypes,
        aggr=aggr,
        id=f"{aggr} dim_size",
    )
    case(
        "scatter",
        [A((3, 7)), at(0, 2, 0, 5, 2, 2, 0), 8],
        buckets,
        ("float32", "int32"),
        aggr=aggr,
        axis=-1,
        id=f"{aggr} axis",
    )
    case(
        "scatter",
        [A((7,)), at(0, 2, -1, 5, 2, -3), 6],
        buckets,
        ("float32", "int32"),
        aggr=aggr,
        id=f"{aggr} fewer indices, negative",
    )
    case(
        "scatter",
        [A((0, 2)), A((0,), dtype="int64"), 3],
        buckets,
        REALS,
        aggr=aggr,
        id=f"{aggr} empty",
    )
    case(
        "scatter",
        [A((3000, 5), 0.99, 1.01), A((3000,), 0, 10, dtype="int64")],
        buckets,
        REALS,
        aggr=aggr,
        id=f"{aggr} long",
        tol={"float32": 5e-5, "float64": 1e-11},
        why="hundreds of roundings one after another",
    )
for aggr in ("mean", "softmax"):
    case("scatter", [A((7, 3)), at(0, 2, 0, 5, 2, 2, 0)], buckets, FLOATS, aggr=aggr, id=aggr)
    case(
        "scatter",
        [A((7, 3)), at(0, 2, 0, 5, 2, 2, 0)],
        buckets,
        ("int32", "uint8"),
        out="float32",
        aggr=aggr,
        id=f"{aggr} integers",
    )
    case(
        "scatter",
        [A((2, 7, 3)), at(0, 2, 0, 5, 2, 2, 0), 7],
        buckets,
        REALS,
        aggr=aggr,
        axis=1,
        id=f"{aggr} axis",
    )
case(
    "scatter",
    [A((4,), values=[1000, 1001, -1000, 5]), at(0, 0, 1, 1)],
    buckets,
    FLOATS,
    aggr="softmax",
    id="far",
)
case(
    "scatter",
    [A((4,), values=[np.nan, 1, np.inf, 5]), at(0, 0, 1, 1)],
    buckets,
    FLOATS,
    aggr="max",
    id="special",
)
case(
    "scatter_mean",
    [A((7, 3)), at(0, 2, 0, 5, 2, 2, 0)],
    lambda v, i: buckets(v, i, aggr="mean"),
    FLOATS,
)
case(
    "scatter_mean",
    [A((3, 7)), at(0, 2, 0, 5, 2, 2, 0), 9],
    lambda v, i, n, axis: buckets(v, i, n, "mean", axis),
    COMPLEX + REALS,
    axis=1,
    id="axis",
)
case("segment_sum", [A((7, 3)), at(0, 0, 1, 1, 3, 3, 3)], buckets, NUMERIC)
case(
    "segment_sum",
    [A((7,)), at(3, 0, 1, 1, 3, 0, 3), 6],
    buckets,
    NUMERIC,
    id="unsorted, num_segments",
)


def combine(x, place, value, reduction):
    x[place] = value if reduction == "set" else COMBINE[reduction](x[place], value)


def elements(x, i, u, axis=0, reduction="set"):
    x, u = np.array(x), np.broadcast_to(u, i.shape)
    for p in np.ndindex(i.shape):
        q = list(p)
        q[axis] = i[p]
        combine(x, tuple(q), u[p], reduction)
    return x


def scatter_tuples(x, i, u, reduction="set"):
    x, u = np.array(x), np.broadcast_to(u, i.shape[:-1] + x.shape[i.shape[-1] :])
    for p in np.ndindex(i.shape[:-1]):
        combine(x, tuple(i[p]), u[p], reduction)
    return x


for reduction, dtypes in (
    ("set", ALL),
    ("add", NUMERIC),
    ("mul", NUMERIC),
    ("max", REAL_NUMERIC + ("bool",)),
    ("min", REAL_NUMERIC + ("bool",)),
):
    more = dict(reduction=reduction)
    for shape, index, axis in (
        ((5, 4), (3, 4), 0),
        ((5, 4), (5, 9), 1),
        ((5, 4), (2, 3), -1),
        ((6,), (20,), 0),
        ((3, 4, 2), (3, 2, 2), 1),
        ((5, 4), (0, 4), 0),
    ):
        n = shape[axis]
        case(
            "scatter_elements",
            [A(shape), grid(index, -n, n), A(index)],
            elements,
            dtypes,
            axis=axis,
            id=f"{reduction} {shape} {index} {axis}",
            **more,
        )
    case(
        "scatter_elements",
        [A((5, 4)), grid((3, 4), 0, 5), A((4,))],
        elements,
        REALS,
        id=f"{reduction} broadcast",
        **more,
    )
    for shape, index in (
        ((5, 4), (3, 2)),
        ((5, 4), (6, 1)),
        ((5, 4), (2, 3, 2)),
        ((5,), (12, 1)),
        ((5, 4), (0, 2)),
        ((5, 4), (2,)),
        ((5, 4), (3, 0)),
    ):
        case(
            "scatter_nd",
            [A(shape), grid(index, -4, 4), A(index[:-1] + shape[index[-1] :])],
            scatter_tuples,
            dtypes,
            id=f"{reduction} {shape} {index}",
            **more,
        )
case(
    "scatter_elements",
    [A((300, 257)), grid((100, 257), 0, 300), A((100, 257))],
    elements,
    ("float32",),
    axis=0,
    reduction="add",
    id="long",
)
case(
    "scatter_nd",
    [A((40, 30, 20)), grid((500, 2), 0, 30), A((500, 20))],
    scatter_tuples,
    ("float32", "int64"),
    reduction="add",
    id="long",
)
case("scatter_nd", [A((5, 4)), grid((3, 2), 0, 4), 7], scatter_tuples, NUMERIC, id="a scalar")
case("tensor_scatter_nd_update", [A((5, 4)), grid((3, 2), 0, 4), A((3,))], scatter_tuples, ALL)
case(
    "tensor_scatter_nd_update",
    [A((5,)), A((4, 1), values=[1, 3, 1, 1], dtype="int64"), A((4,))],
    scatter_tuples,
    ALL,
    id="the last of several counts",
)
for shape, index, values, axis in (
    ((5, 4), (5, 2), (5, 2), -1),
    ((5, 4), (3, 4), (), 0),
    ((5, 4), (1, 4), (1, 4), 0),
    ((5, 4), (5, 1), (), 1),
):

    def put(x, i, v, axis):
        x = np.array(x)
        np.put_along_axis(x, i, v, axis)
        return x

    case(
        "put_along_axis",
        [A(shape), A(index, values=[1, 0, 2, 3], dtype="int64"), A(values)],
        put,
        SOME,
        axis=axis,
        id=f"{shape} {index} {axis}",
    )
for shape, index, values, axis in (
    ((5, 4), [0, 2, 0], (3, 4), 0),
    ((5, 4), [3, 3, -1], (5, 3), 1),
    ((5, 4), [1], (), 0),
    ((5,), [0, 0, 0, 4], (4,), 0),
    ((300, 257), [5] * 20, (20, 257), 0),
):

    def add(x, i, v, axis):
        x = np.array(x)
        np.add.at(x, (slice(None),) * (axis % x.ndim) + (i,), v)
        return x

    case(
        "index_add",
        [A(shape), at(*index), A(values)],
        add,
        NUMERIC,
        axis=axis,
        id=f"{shape} {index} {axis}",
    )


def region(x, u, starts, steps=None):
    x, u = np.array(x), np.asarray(u).reshape((1,) * (x.ndim - np.ndim(u)) + np.shape(u))
    places = [
        (s + n if s < 0 else s) + np.arange(c) * t
        for s, n, c, t in zip(starts, x.shape, u.shape, steps or [1] * x.ndim)
    ]
    x[np.ix_(*places)] = u
    return x


for shape, update, starts, steps in (
    ((6,), (3,), [2], None),
    ((6,), (3,), [5], [-2]),
    ((5, 4), (2, 2), [1, 1], [3, 2]),
    ((5, 4), (4,), [-1, 0], None),
    ((5, 4), (0, 4), [0, 0], None),
    ((5, 4), (), [2, 3], None),
    ((5, 4), (5, 4), [0, 0], None),
    ((300, 257), (100, 100), [3, 250], [2, -2]),
):
    case(
        "slice_update",
        [A(shape), A(update), starts, steps],
        region,
        ALL,
        id=f"{shape} {update} {starts} {steps}",
    )
for shape, mask in (
    ((5,), (5,)),
    ((3, 4), (3, 4)),
    ((3, 4), (4,)),
    ((3, 1), (3, 4)),
    ((), ()),
    ((0, 3), (0, 3)),
    ((300, 257), (300, 257)),
):
    case(
        "masked_select",
        [A(shape), A(mask, dtype="bool")],
        lambda x, m: np.broadcast_to(x, np.broadcast_shapes(x.shape, m.shape))[
            np.broadcast_to(m, np.broadcast_shapes(x.shape, m.shape))
        ],
        SOME,
        id=f"{shape} {mask}",
    )
    case(
        "masked_fill",
        [A(shape), A(mask, dtype="bool"), A(())],
        lambda x, m, v: np.where(m, v, x),
        ALL,
        id=f"{shape} {mask}",
    )
case(
    "masked_fill",
    [A((3, 4)), A((3, 4), dtype="bool"), -np.inf],
    lambda x, m, v: np.where(m, v, x),
    FLOATS,
    id="infinity",
)
case(
    "masked_fill",
    [A((3, 4)), A((3, 1), dtype="bool"), 3],
    lambda x, m, v: np.where(m, v, x),
    NUMERIC,
    id="a scalar",
)
case(
    "masked_select",
    [A((3,)), A((3,), values=[0, 0, 0], dtype="bool")],
    lambda x, m: x[m],
    ALL,
    id="nothing",
)
