"""Movement ops, compared with NumPy: results are exact and every dtype is tested."""

import numpy as np
from numpy.lib.stride_tricks import as_strided, sliding_window_view

from harness import *

SOME = (
    "bool",
    "int8",
    "int16",
    "float32",
    "complex64",
    "complex128",
)  # at least one dtype per element size


def lists(f):
    return lambda *a, **k: [np.asarray(r) for r in f(*a, **k)]


case("reshape", [A((3, 4)), [2, 6]], np.reshape, ALL)
for shape, to in (
    ((3, 4), [-1]),
    ((3, 4), [2, -1, 3]),
    ((), [1, 1]),
    ((), [-1]),
    ((1,), []),
    ((0, 3), [3, 0]),
    ((0, 3), [5, 0, 2]),
    ((300, 257), [257, 300]),
    ((2, 3, 4), [4, 6]),
    ((6,), [6]),
    ((0,), [-1]),
    ((0,), [-1, 3]),
):
    case("reshape", [A(shape), to], np.reshape, SOME, id=f"{shape} {to}")
for shape, axes in (
    ((3, 4), None),
    ((2, 3, 4), None),
    ((), None),
    ((5,), None),
    ((2, 3, 4), [1, 2, 0]),
    ((2, 3, 4), [-1, 0, 1]),
    ((2, 0, 4), [2, 0, 1]),
    ((300, 257), [1, 0]),
    ((7, 33, 65), [2, 0, 1]),
    ((4, 5, 6, 7), [3, 1, 2, 0]),
    ((2, 3, 4, 5, 6), [4, 0, 3, 1, 2]),
    ((), []),
):
    case("transpose", [A(shape), axes], np.transpose, SOME, id=f"{shape} {axes}")
    if axes is not None:
        case("permute_dims", [A(shape), axes], np.transpose, SOME, id=f"{shape} {axes}")
case("transpose", [A((3, 4))], np.transpose, ALL, id="all dtypes")
for shape in ((3, 4), (2, 3, 4), (0, 3), (1, 1), (129, 65)):
    case("matrix_transpose", [A(shape)], lambda x: np.swapaxes(x, -1, -2), SOME, id=str(shape))
for a, b in ((0, 2), ([0, 1], [-1, -2]), ([2], [0]), ([], []), (-1, 0), ([0, 1, 2], [2, 0, 1])):
    case("moveaxis", [A((2, 3, 4)), a, b], np.moveaxis, SOME, id=f"{a} {b}")
for a, b in ((0, 1), (-1, 0), (1, 1), (2, -3)):
    case("swapaxes", [A((2, 3, 4)), a, b], np.swapaxes, SOME, id=f"{a} {b}")
for shape, axis in (
    ((1, 3, 1), None),
    ((1, 3, 1), 0),
    ((1, 3, 1), -1),
    ((1, 3, 1), [0, 2]),
    ((), None),
    ((1, 1), None),
    ((1, 0), 0),
    ((2, 3), []),
):
    case(
        "squeeze",
        [A(shape), axis],
        lambda x, axis: np.squeeze(
            x, axis if axis is None or isinstance(axis, int) else tuple(axis)
        ),
        SOME,
        id=f"{shape} {axis}",
    )
for shape, axis in (
    ((2, 3), 0),
    ((2, 3), -1),
    ((2, 3), [0, 2]),
    ((2, 3), [-1, -2]),
    ((), 0),
    ((0,), 1),
    ((), [0, 1]),
    ((2, 3), [0, -1]),
    ((2,), [3, 0, 1]),
):
    case(
        "expand_dims",
        [A(shape), axis],
        lambda x, axis: np.expand_dims(x, axis),
        SOME,
        id=f"{shape} {axis}",
    )
for shape, to in (
    ((3, 1), [3, 4]),
    ((4,), [3, 4]),
    ((), [2, 2]),
    ((1, 4), [0, 4]),
    ((0,), [5, 0]),
    ((3, 1, 2), [5, 3, 4, 2]),
    ((1,), [70000]),
    ((300, 1), [300, 257]),
    ((2, 3), [2, 3]),
):
    case(
        "broadcast_to",
        [A(shape), to],
        np.broadcast_to,
        ALL if shape == (3, 1) else SOME,
        id=f"{shape} {to}",
    )
for shapes in (
    ((3, 1), (1, 4)),
    ((3,), (2, 3), ()),
    ((0, 1), (1, 4)),
    ((5,),),
    ((2, 1, 3), (4, 1)),
):
    case(
        "broadcast_arrays",
        [[A(s) for s in shapes]],
        lists(lambda xs: np.broadcast_arrays(*xs)),
        SOME,
        id=str(shapes),
    )
    case(
        "broadcast_shapes",
        [[list(s) for s in shapes]],
        None,
        ("float32",),
        id=str(shapes),
        check=lambda got, a, d: np.testing.assert_array_equal(
            [int(g) for g in got], np.broadcast_shapes(*map(tuple, a[0]))
        ),
    )

for shapes, axis in (
    (((2, 3), (4, 3)), 0),
    (((2, 3), (2, 5)), 1),
    (((2, 3), (2, 5)), -1),
    (((2, 3), (0, 3), (1, 3)), 0),
    (((4,), (2,), (3,)), 0),
    (((2, 3),), 1),
    (((200, 70), (100, 70)), 0),
    (((70, 200), (70, 100)), 1),
    (((2, 3, 4), (2, 1, 4)), 1),
    (((0,), (0,)), 0),
):
    case(
        "concat",
        [[A(s) for s in shapes]],
        lambda xs, axis: np.concatenate(xs, axis),
        SOME,
        axis=axis,
        id=f"{shapes} {axis}",
    )
case(
    "concat",
    [[A((2, 3)), A((4,)), A(())]],
    lambda xs, axis: np.concatenate(xs, None),
    ALL,
    axis=None,
    id="flattened",
)
case(
    "concat",
    [[A((2, 3)), A((1, 3), dtype="float64")]],
    lambda xs: np.concatenate(xs),
    ("int8", "float32", "float64"),
    out="float64",
    id="promotes",
)
case("concat", [[A((1,), dtype="bool")] * 70], lambda xs: np.concatenate(xs), ("bool",), id="many")
for shape, axis in (
    ((2, 3), 0),
    ((2, 3), 1),
    ((2, 3), 2),
    ((2, 3), -1),
    ((2, 3), -3),
    ((), 0),
    ((0, 2), 1),
    ((300, 100), 2),
):
    case(
        "stack",
        [[A(shape)] * 3],
        lambda xs, axis: np.stack(xs, axis),
        SOME,
        axis=axis,
        id=f"{shape} {axis}",
    )
for name in ("hstack", "vstack", "dstack"):
    for shapes in (
        ((2,), (2,)),
        ((2, 3), (2, 3)),
        ((2, 3, 1), (2, 3, 1)),
        ((), ()),
        ((0, 2), (0, 2)),
    ):
        case(
            name,
            [[A(s) for s in shapes]],
            lambda xs, f=getattr(np, name): f(xs),
            SOME,
            id=str(shapes),
        )
case("hstack", [[A((2, 3)), A((2, 1))]], np.hstack, ALL, id="lengths")
case("vstack", [[A((2, 3)), A((3,))]], np.vstack, ALL, id="a row")
for shape, axis in (((3, 4), 0), ((3, 4), -1), ((2, 3, 4), 1), ((0, 2), 0), ((2, 0), 0), ((5,), 0)):
    case(
        "unstack",
        [A(shape)],
        lists(lambda x, axis: list(np.moveaxis(x, axis, 0))),
        SOME,
        axis=axis,
        id=f"{shape} {axis}",
    )
for shape, sections, axis in (
    ((6, 2), 3, 0),
    ((2, 6), 2, -1),
    ((6,), [2, 4], 0),
    ((6,), [4, 2, 9], 0),
    ((6,), [], 0),
    ((6,), [-2], 0),
    ((0, 2), 2, 0),
    ((3, 6), [1, 1], 1),
):
    case(
        "split",
        [A(shape), sections],
        lists(lambda x, s, axis: np.split(x, s, axis)),
        SOME,
        axis=axis,
        id=f"{shape} {sections} {axis}",
    )
for shape, sections, axis in (((7, 2), 3, 0), ((2, 6), 4, -1), ((2,), 5, 0), ((0,), 2, 0)):
    case(
        "array_split",
        [A(shape), sections],
        lists(lambda x, s, axis: np.array_split(x, s, axis)),
        SOME,
        axis=axis,
        id=f"{shape} {sections} {axis}",
    )
for shape, reps in (
    ((2, 3), [2]),
    ((2, 3), [2, 3]),
    ((3,), [2, 1, 2]),
    ((), [3]),
    ((2, 3), [0, 2]),
    ((0, 3), [2, 2]),
    ((2, 3), []),
    ((2, 3), 2),
    ((30, 40), [9, 7]),
    ((2, 1, 3), [1, 4, 1]),
):
    case("tile", [A(shape), reps], np.tile, ALL if reps == [2, 3] else SOME, id=f"{shape} {reps}")
for shape, reps, axis in (
    ((2, 3), 2, None),
    ((2, 3), 2, 0),
    ((2, 3), 3, -1),
    ((), 3, None),
    ((2, 3), 0, 1),
    ((0, 3), 2, 0),
    ((300, 100), 3, 1),
):
    case(
        "repeat",
        [A(shape), reps],
        lambda x, r, axis: np.repeat(x, r, axis),
        SOME,
        axis=axis,
        id=f"{shape} {reps} {axis}",
    )
case(
    "repeat",
    [A((3, 2)), A((3,), values=[2, 0, 3], dtype="int64")],
    lambda x, r, axis: np.repeat(x, r, axis),
    ALL,
    axis=0,
    id="counts",
)
case(
    "repeat",
    [A((4,)), A((4,), values=[1, 0, 0, 2], dtype="int32")],
    lambda x, r: np.repeat(x, r),
    SOME,
    id="counts, flattened",
)
case(
    "repeat",
    [A((4,)), A((1,), values=[3], dtype="int64")],
    lambda x, r: np.repeat(x, r),
    SOME,
    id="one count",
)
case(
    "repeat",
    [A((3,)), A((3,), values=[0, 0, 0], dtype="int64")],
    lambda x, r: np.repeat(x, r),
    SOME,
    id="no counts",
)
for shape, axis in (
    ((3, 4), None),
    ((3, 4), 0),
    ((3, 4), -1),
    ((2, 3, 4), [0, 2]),
    ((), None),
    ((0, 2), 0),
    ((300, 257), [0, 1]),
    ((1, 5), 0),
):
    case(
        "flip",
        [A(shape)],
        lambda x, axis: np.flip(x, axis if axis is None or isinstance(axis, int) else tuple(axis)),
        SOME,
        axis=axis,
        id=f"{shape} {axis}",
    )
for shape, shift, axis in (
    ((5,), 2, None),
    ((3, 4), 5, None),
    ((3, 4), -1, 0),
    ((3, 4), [1, 2], [0, 1]),
    ((3, 4), 7, -1),
    ((0, 3), 2, 0),
    ((3, 4), 0, 1),
    ((3, 4), 1, [0, 1]),
    ((), 3, None),
    ((0,), 1, None),
    ((3, 4), -(2**63), 1),
    ((3, 4), 2**63 - 1, None),
    ((3, 4), [1, 1], 0),
    ((300, 257), [100, -50], [0, 1]),
):

    def rolled(x, shift, axis):  # NumPy's overflows with huge shifts
        near = lambda s: s % 12 if x.size == 12 and abs(s) > 2**40 else s
        return np.roll(
            x,
            [near(s) for s in shift] if isinstance(shift, list) else near(shift),
            tuple(axis) if isinstance(axis, list) else axis,
        )

    case("roll", [A(shape), shift], rolled, SOME, axis=axis, id=f"{shape} {shift} {axis}")
for k in (-1, 0, 1, 2, 3, 4, 6, -(2**63)):
    case("rot90", [A((3, 4))], lambda x, k: np.rot90(x, k % 4), SOME, k=k, id=f"{k}")
    case(
        "rot90",
        [A((2, 3, 4))],
        lambda x, k, axes: np.rot90(x, k % 4, axes),
        SOME,
        k=k,
        axes=[2, 0],
        id=f"axes {k}",
    )

WIDTHS = (
    ((5,), [2, 3]),
    ((3, 4), [1, 2, 0, 3]),
    ((3, 4), [2]),
    ((3, 4), [1, 2]),
    ((1, 3), [2, 2, 4, 5]),
    ((2, 3), [9, 7, 8, 11]),
    ((60, 70), [3, 40, 69, 5]),
    ((2, 3), [0, 0, 0, 0]),
    ((2, 3, 2), [1, 0, 0, 1, 0, 0]),
)


def pad_width(x, w):
    return (
        [(w[0], w[-1])] * x.ndim
        if len(w) <= 2
        else [(w[2 * d], w[2 * d + 1]) for d in range(x.ndim)]
    )


for mode in ("edge", "reflect", "symmetric", "wrap"):
    for shape, w in WIDTHS:
        case(
            "pad",
            [A(shape), w],
            lambda x, w, mode: np.pad(x, pad_width(x, w), mode),
            SOME,
            mode=mode,
            id=f"{mode} {shape} {w}",
        )
for shape, w in WIDTHS + (((0, 2), [1, 1, 1, 0]), ((), []), ((0,), [3, 0])):
    if shape or not w:
        case(
            "pad",
            [A(shape), w],
            lambda x, w, value: np.pad(x, pad_width(x, w), constant_values=value) if x.ndim else x,
            ALL[1:],
            value=3,
            id=f"constant {shape} {w}",
        )
case("pad", [A((2, 3)), [1, 1]], lambda x, w: np.pad(x, 1), ALL, id="zeros")
case(
    "pad",
    [A((2, 3)), [1, 1]],
    lambda x, w, value: np.pad(x, 1, constant_values=value),
    FLOATS,
    value=-np.inf,
    id="infinity",
)
case(
    "pad",
    [A((2, 3)), [1, 1]],
    lambda x, w, value: np.pad(x, 1, constant_values=value),
    REALS,
    value=A((), dtype="float32"),
    id="a tensor's value",
)
for shape in ((), (3, 4), (0, 2), (2, 3, 4)):
    case("flatten", [A(shape)], np.ravel, ALL, id=str(shape))
for shape, n in (((), 0), ((), 2), ((3,), 3), ((2, 3), 1), ((2, 3), 4)):
    case(
        "atleast_nd",
        [A(shape), n],
        lambda x, n: x.reshape((1,) * max(n - x.ndim, 0) + x.shape),
        SOME,
        id=f"{shape} {n}",
    )
for shape in ((4, 4), (3, 5), (5, 3), (2, 3, 4), (0, 3), (3, 0), (200, 100)):
    for k in (0, 1, -1, 2, -9, 2**62, -(2**63)):
        case(
            "diagonal",
            [A(shape)],
            lambda x, offset: np.diagonal(x, int(np.clip(offset, -1000, 1000)), -2, -1),
            SOME,
            offset=k,
            id=f"{shape} {k}",
        )
for a, b in ((0, 1), (1, 0), (0, 2), (-1, 0)):
    case("diagonal", [A((2, 3, 4)), 1, a, b], np.diagonal, ALL, id=f"axes {a} {b}")


def strided(x, shape, strides, offset=0):
    x = np.ascontiguousarray(x).reshape(-1)[offset:]
    return as_strided(x, shape, [s * x.itemsize for s in strides])


for shape, to, strides, offset in (
    ((12,), [3, 4], [4, 1], 0),
    ((12,), [4, 3], [1, 4], 0),
    ((12,), [3, 3], [1, 2], 2),
    ((3, 4), [2, 2], [5, 1], 1),
    ((12,), [5], [0], 3),
    ((12,), [], [], 7),
    ((12,), [4], [-2], 11),
    ((0,), [0], [1], 0),
    ((12,), [0, 3], [100, 100], 5),
    ((70000,), [300, 200], [230, 3], 1),
):
    case(
        "as_strided",
        [A(shape), to, strides, offset],
        strided,
        ALL if to == [3, 4] else SOME,
        id=f"{shape} {to} {strides}",
    )
for shape, window, step, axis in (
    ((9,), [3], [1], None),
    ((9,), [3], [2], None),
    ((6, 7), [2, 3], [1], None),
    ((6, 7), [2, 3], [2, 3], None),
    ((6, 7), [3], [2], [1]),
    ((6, 7), [3], [2], [0]),
    ((6, 7), [6, 7], [1], None),
    ((5, 6, 7), [2, 3], [1, 2], [2, 0]),
    ((0, 4), [2], [1], [1]),
    ((5,), [1], [9], None),
    ((300, 257), [5, 7], [3], None),
):

    def windows(x, window, step, axis):
        axis = list(range(x.ndim)) if axis is None else axis
        step = step * len(axis) if len(step) == 1 else step
        cut = [slice(None)] * x.ndim
        for a, s in zip(axis, step):
            cut[a] = slice(None, None, s)
        return sliding_window_view(x, window, tuple(axis))[tuple(cut)]

    case(
        "windows",
        [A(shape), window, step, axis],
        windows,
        SOME,
        id=f"{shape} {window} {step} {axis}",
    )
for shape, length, hop, axis in (
    ((10,), 4, 2, -1),
    ((10,), 4, 5, -1),
    ((10,), 10, 1, -1),
    ((3, 10), 4, 3, -1),
    ((10, 3), 4, 3, 0),
    ((2, 10, 3), 4, 3, 1),
    ((70000,), 512, 128, -1),
    ((10,), 3, 99, -1),
):
    case(
        "frame",
        [A(shape), length, hop],
        lambda x, n, hop, axis: np.stack(
            [np.take(x, np.arange(s, s + n), axis) for s in range(0, x.shape[axis] - n + 1, hop)],
            axis % x.ndim,
        ),
        SOME,
        axis=axis,
        id=f"{shape} {length} {hop} {axis}",
    )
BIG = 2**63 - 1
for shape, starts, stops, steps, axes in (
    ((10,), [2], [8], None, None),
    ((10,), [-3], [BIG], None, None),
    ((10,), [8], [2], [-2], None),
    ((10,), [BIG], [-BIG - 1], [-1], None),
    ((10,), [-BIG - 1], [BIG], [3], None),
    ((10,), [5], [5], None, None),
    ((10,), [7], [3], None, None),
    ((4, 6), [1, 2], [3, 6], [1, 2], None),
    ((4, 6), [1], [3], None, [1]),
    ((4, 6), [1, 0], [3, 4], [1, 1], [-1, 0]),
    ((4, 6), [3], [-9], [-1], [0]),
    ((0, 3), [0], [1], None, [0]),
    ((10,), [9], [0], [-BIG - 1], None),
    ((10,), [0], [10], [BIG], None),
    ((300, 257), [299, 1], [0, 250], [-7, 3], None),
    ((2, 3), [], [], None, None),
):

    def slices(x, starts, stops, steps, axes):
        cut = [slice(None)] * x.ndim
        for i, a in enumerate(range(len(starts)) if axes is None else axes):
            cut[a] = slice(starts[i], stops[i], steps[i] if steps else 1)
        return x[tuple(cut)]

    case(
        "slice",
        [A(shape), starts, stops, steps, axes],
        slices,
        ALL if shape == (4, 6) else SOME,
        id=f"{shape} {starts} {stops} {steps} {axes}",
    )
