"""Sorting, searching and sets, compared with NumPy, with Ember's rules for ties and NaN: stable,
NaN last in both orders."""

import numpy as np

from harness import *

TIES = [3, 1, 2, 3, 1, 1, 2, 5, 0, 3]
SPECIAL = [1, np.nan, np.inf, -np.inf, 0.0, -0.0, np.nan, 2, -1, 1e-40, 2, np.inf]
SHAPES = (
    ((9,), -1),
    ((3, 5), -1),
    ((3, 5), 0),
    ((2, 3, 4), 1),
    ((1,), 0),
    ((0, 3), 0),
    ((0, 3), 1),
    ((255,), 0),
    ((256,), 0),
    ((5000,), -1),
    ((300, 257), 0),
    ((300, 257), 1),
    ((2, 700, 3), 1),
)


def order(x, axis=-1, descending=False, stable=True):
    """argsort by ranks, which can be negated for any dtype; NaN ranks last. Complex numbers are
    ordered by which parts are NaN, then by the real and the imaginary part."""
    if x.size == 0:
        return np.zeros(x.shape, np.int64)
    if x.dtype.kind == "c":
        parts = [np.where(np.isnan(p), 0, -p if descending else p) for p in (x.imag, x.real)]
        return np.lexsort((*parts, 2 * np.isnan(x.real) + np.isnan(x.imag)), axis=axis)
    values, ranks = np.unique(x, return_inverse=True)
    ranks = ranks.reshape(x.shape).astype(np.int64)
    ranks = np.where(
        np.isnan(x) if x.dtype.kind == "f" else False, len(values), -ranks if descending else ranks
    )
    return np.argsort(ranks, axis=axis, kind="stable")


def ordered(x, axis=-1, **k):
    return np.take_along_axis(x, order(x, axis, **k), axis)


def same_zeros(op_order):
    """Exact, including the signs of zeros."""

    def check(got, args, dtype):
        want = np.take_along_axis(args[0], op_order(wide(args[0])), -1)
        np.testing.assert_array_equal(got[0].astype(np.float64), want.astype(np.float64))
        np.testing.assert_array_equal(
            np.signbit(got[0].astype(np.float64))[got[0] == 0],
            np.signbit(want.astype(np.float64))[want == 0],
        )

    return check


for descending in (False, True):
    for shape, axis in SHAPES:
        for name, f, out in (("sort", ordered, None), ("argsort", order, "int64")):
            case(
                name,
                [A(shape, -100, 100)],
                f,
                ALL,
                out=out,
                axis=axis,
                descending=descending,
                id=f"{shape} {axis} {descending}",
            )
            case(
                name,
                [A(shape, values=TIES)],
                f,
                REAL_NUMERIC,
                out=out,
                axis=axis,
                descending=descending,
                id=f"ties {shape} {axis} {descending}",
            )
            case(
                name,
                [A(shape, values=SPECIAL)],
                f,
                FLOATS,
                out=out,
                axis=axis,
                descending=descending,
                id=f"special {shape} {axis} {descending}",
            )
    for n in (12, 600):
        case(
            "sort",
            [A((n,), values=SPECIAL)],
            None,
            FLOATS,
            descending=descending,
            id=f"zeros {n} {descending}",
            check=same_zeros(lambda x, d=descending: order(x, descending=d)),
        )
    case(
        "sort",
        [A((6,), values=[-128, 127, 0, -1, 1, -128])],
        ordered,
        SIGNED,
        descending=descending,
        id=f"ends {descending}",
    )
    case(
        "argsort",
        [A((4,), values=np.array([2**64 - 1, 0, 2**63, 2**63 - 1], np.uint64))],
        order,
        ("uint64",),
        out="int64",
        descending=descending,
        id=f"large {descending}",
    )
    case(
        "argsort",
        [A((5,), values=[2**53, 2**53 + 1, -(2**53), 2**63 - 1, -(2**63)])],
        order,
        ("int64",),
        out="int64",
        descending=descending,
        id=f"large {descending}",
    )
    for n in (8, 640):
        case(
            "argsort",
            [
                A(
                    (n,),
                    values=[
                        1 + 1j,
                        1 - 1j,
                        np.nan + 1j,
                        complex(1, np.nan),
                        complex(np.nan, np.nan),
                        0.5,
                        1 + 1j,
                        complex(np.nan, 0),
                    ],
                )
            ],
            order,
            COMPLEX,
            out="int64",
            descending=descending,
            id=f"complex {n} {descending}",
        )
case("sort", [A((5, 3))], ordered, REALS, stable=False, id="unstable")

for largest in (True, False):
    for shape, axis in (((9,), -1), ((3, 5), -1), ((5, 3), 0), ((2, 7, 3), 1), ((300, 100), 1)):
        for k in (0, 1, 3):

            def top(x, k, axis, largest):
                at = np.take(order(x, axis, descending=largest), range(k), axis)
                return [np.take_along_axis(x, at, axis), at]

            for values in (None, TIES):
                case(
                    "topk",
                    [A(shape, -100, 100, values=values), k],
                    top,
                    REAL_NUMERIC,
                    out=[None, "int64"],
                    axis=axis,
                    largest=largest,
                    id=f"{shape} {axis} {k} {largest} {values is None}",
                )
    for shape, k in (((5000,), 5), ((3, 4099), 2)):
        # Blocks of ties, of NaN alone, and of infinities with NaN.
        for values in (None, [1, 2, 2, 1] * 99, [np.nan] * 150 + [-np.inf] + [np.nan, 1] * 3000):
            case(
                "topk",
                [A(shape, -100, 100, values=values), k],
                top,
                FLOATS if values is None or len(values) > 500 else REAL_NUMERIC,
                out=[None, "int64"],
                axis=-1,
                largest=largest,
                id=f"long {shape} {largest} {len(values or [])}",
            )
    case(
        "topk",
        [A((12,), values=SPECIAL), 12],
        lambda x, k, largest: [ordered(x, descending=largest), order(x, descending=largest)],
        FLOATS,
        out=[None, "int64"],
        largest=largest,
        id=f"special {largest}",
    )

for side in ("left", "right"):
    for n, m in (
        (10, (7,)),
        (10, (2, 3)),
        (10, ()),
        (0, (4,)),
        (10, (0,)),
        (1, (3,)),
        (1000, (300, 100)),
    ):

        def search(a, v, side):
            return np.searchsorted(a, v, side=side)

        case(
            "searchsorted",
            [A((n,), values=np.sort(np.resize(TIES, n)) if n else None), A(m, -1, 6)],
            search,
            REAL_NUMERIC,
            out="int64",
            side=side,
            id=f"{n} {m} {side}",
        )
    case(
        "searchsorted",
        [
            A((7,), values=[-np.inf, -1, -0.0, 0.0, 2, np.inf, np.nan]),
            A((7,), values=[np.nan, 0.0, -0.0, np.inf, -np.inf, 5, -5]),
        ],
        search,
        FLOATS,
        out="int64",
        side=side,
        id=f"special {side}",
    )
    case(
        "searchsorted",
        [A((5,), values=[5, 1, 4, 2, 3]), A((4,), values=[0, 3, 3.5, 9])],
        lambda a, v, side, sorter: np.searchsorted(a, v, side=side, sorter=sorter),
        REALS,
        out="int64",
        side=side,
        sorter=A((5,), values=[1, 3, 4, 2, 0], dtype="int64"),
        id=f"sorter {side}",
    )
    case(
        "searchsorted",
        [
            A((5,), values=[1, 2, 3, 4, 5], dtype="int32"),
            A((3,), values=[0.5, 3, 5.5], dtype="float32"),
        ],
        search,
        ("float32",),
        out="int64",
        side=side,
        id=f"promotes {side}",
    )
    case(
        "searchsorted",
        [A((4,), values=[1 + 1j, 1 + 2j, 2, 2 + 1j]), A((3,), values=[1 + 2j, 0, 9])],
        search,
        COMPLEX,
        out="int64",
        side=side,
        id=f"complex {side}",
    )

for shape in ((7,), (3, 4), (2, 3, 4), (0,), (0, 3), (70000,), (300, 257)):
    few = A(shape, values=[0, 3, 0, 0, 1, 0])
    case("nonzero", [few], lambda x: list(np.nonzero(x)), ALL, out="int64", id=str(shape))
    case("argwhere", [few], np.argwhere, ALL, out="int64", id=str(shape))
case(
    "nonzero",
    [A((5,), values=[np.nan, -0.0, 0.0, 1e-40, -np.inf])],
    lambda x: list(np.nonzero(x)),
    REALS,
    out="int64",
    id="special",
)
case("nonzero", [A((4,), values=[0])], lambda x: list(np.nonzero(x)), ALL, out="int64", id="none")
case("argwhere", [A(())], lambda x: np.argwhere(x), ("float32", "int8"), out="int64", id="0-d")

for shape in ((10,), (4, 5), (1,), (0,), (0, 3), (), (5000,), (300, 257)):

    def unique(x, **k):
        return np.unique(x, return_index=True, return_inverse=True, return_counts=True)

    def all_of(x):
        v, at, inverse, counts = unique(x)
        return [v, at, inverse.reshape(x.shape), counts]

    draw = A(shape, values=TIES)
    case("unique_all", [draw], all_of, ALL, out=[None, "int64", "int64", "int64"], id=str(shape))
    case(
        "unique_counts",
        [draw],
        lambda x: [all_of(x)[0], all_of(x)[3]],
        ALL,
        out=[None, "int64"],
        id=str(shape),
    )
    case(
        "unique_inverse",
        [draw],
        lambda x: [all_of(x)[0], all_of(x)[2]],
        ALL,
        out=[None, "int64"],
        id=str(shape),
    )
    case("unique_values", [draw], np.unique, ALL, id=str(shape))
    case("unique_values", [A(shape)], np.unique, ALL, id=f"{shape} random")
# Every NaN is unique, as the array API specifies; the two zeros are equal.
case(
    "unique_values",
    [A((12,), values=SPECIAL)],
    lambda x: np.unique(x, equal_nan=False),
    FLOATS,
    id="special",
)
case(
    "unique_counts",
    [A((5,), values=[np.nan, 0.0, -0.0, np.nan, 1])],
    lambda x: [np.array([0, 1, np.nan, np.nan]), np.array([2, 1, 1, 1])],
    FLOATS,
    out=[None, "int64"],
    id="special",
)
case(
    "unique_all",
    [A((5,), values=[np.nan, 0.0, -0.0, np.nan, 1])],
    lambda x: [
        np.array([0, 1, np.nan, np.nan]),
        np.array([1, 4, 0, 3]),
        np.array([2, 0, 0, 3, 1]),
        np.array([2, 1, 1, 1]),
    ],
    FLOATS,
    out=[None, "int64", "int64", "int64"],
    id="special",
)

for a, b in (
    ((5, 4), (3,)),
    ((7,), (2, 2)),
    ((), (4,)),
    ((3,), (0,)),
    ((0,), (3,)),
    ((300, 257), (50,)),
    ((4,), ()),
):
    for invert in (False, True):
        case(
            "isin",
            [A(a, 0, 6), A(b, 0, 6)],
            lambda x, y, invert: np.isin(x, y, invert=invert),
            ALL,
            out="bool",
            invert=invert,
            id=f"{a} {b} {invert}",
        )
case(
    "isin",
    [A((4,), values=[np.nan, 0.0, np.inf, 2]), A((3,), values=[np.nan, -0.0, np.inf])],
    np.isin,
    FLOATS,
    out="bool",
    id="special",
)
case(
    "isin",
    [A((4,), values=[1, 2, 3, 4]), A((3,), values=[1.5, 2, 4], dtype="float64")],
    np.isin,
    ("int32", "float32"),
    out="bool",
    id="promotes",
)
