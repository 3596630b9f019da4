"""Creation ops, compared with NumPy."""

import numpy as np

from harness import *

SHAPES = ([], [3], [0, 3], [2, 3, 4], [300, 257])


def case_per_dtype(op, args, ref, dtypes, **more):
    """One case per dtype, which is also the requested dtype."""
    for d in dtypes:
        case(op, args, ref, (d,), dtype=d, **more)


for name, f in (("zeros", np.zeros), ("ones", np.ones), ("empty", np.zeros)):
    for s in SHAPES:
        case_per_dtype(name, [s], f, ALL, id=str(s))
        case(name, [s], f, ("float32",), id=f"{s} default")
    case(name, [5], f, ("float32",), id="a number for a shape")
for name, f in (
    ("zeros_like", np.zeros_like),
    ("ones_like", np.ones_like),
    ("empty_like", np.zeros_like),
):
    for s in ((), (0, 3), (70, 1000)):
        case(name, [A(s)], f, ALL, id=str(s))
    case_per_dtype(name, [A((3, 2), dtype="float32")], f, ALL, id="another dtype")
for value, d in (
    (7, "int64"),
    (0.5, "float32"),
    (True, "bool"),
    (1 - 2j, "complex64"),
    (np.nan, "float32"),
    (-np.inf, "float32"),
):
    for s in SHAPES:
        case("full", [s, value], lambda s, v: np.full(s, v), (d,), id=f"{s} {value}")
case_per_dtype("full", [[2, 3], 3], lambda s, v: np.full(s, v), NUMERIC)
case_per_dtype("full", [[2, 3], 1], lambda s, v: np.full(s, bool(v)), ("bool",), id="bool")
case("full", [[4, 3], A(())], lambda s, v: np.full(s, v), ALL, id="a tensor's value")
case("full_like", [A((3, 2)), 5], lambda x, v: np.full(x.shape, v), NUMERIC)
case("full_like", [A((0, 2)), 5], lambda x, v: np.full(x.shape, v), NUMERIC, id="empty")
case_per_dtype(
    "full_like",
    [A((3, 2), dtype="float64"), 5],
    lambda x, v: np.full(x.shape, v),
    NUMERIC,
    id="another dtype",
)

case_per_dtype(
    "asarray",
    [A((3, 4), 0, 5, dtype="float32")],
    lambda x: x.astype(np.int64),
    INTS,
    id="floats to integers",
)
case("asarray", [A((3, 4))], lambda x: x, ALL)
case("asarray", [A((3, 4))], lambda x, copy: x, ALL, copy=True, id="copy")
case("asarray", [A(())], lambda x, copy: x, ALL, copy=False, id="no copy")
for value, d in ((7, "int64"), (0.5, "float32"), (True, "bool"), (1 - 2j, "complex64")):
    case("asarray", [value], np.asarray, (d,), id=f"{value}")
case("copy", [A((300, 257))], lambda x: x, ALL)
case("copy", [A(())], lambda x: x, ALL, id="0-d")
case("copy", [A((0, 2))], lambda x: x, ALL, id="empty")

# Conversions between all pairs of dtypes: integers wrap, floats truncate, nonzero is true, the
# imaginary part of a real number is 0.
for to in ALL:
    froms = [d for d in ALL if not (d in COMPLEX and to not in COMPLEX + ("bool",))]
    each_to = lambda x, d, t=to: x.astype(np.float64) if t == "bfloat16" else x.astype(np_dtype(t))
    case(
        "astype",
        [A((41, 7), 0 if to in UNSIGNED else -5, 9), to],
        each_to,
        froms,
        out=to,
        id=f"to {to}",
    )
    case("astype", [A((), 2, 9), to], each_to, froms, out=to, id=f"0-d to {to}")
case(
    "astype",
    [A((70000,), -900, 900), "float32"],
    lambda x, d: x,
    REAL_NUMERIC,
    out="float32",
    id="long",
)
case(
    "astype",
    [A((6,), values=[-1, -128, 127, 100, 5, -77]), "uint8"],
    lambda x, d: x.astype(np.uint8),
    SIGNED,
    out="uint8",
    id="wraps",
)
case(
    "astype",
    [A((5,), values=[300, 65535, 256, 128, 127]), "int8"],
    lambda x, d: x.astype(np.int8),
    ("uint16", "int32", "uint64"),
    out="int8",
    id="narrows",
)
case(
    "astype",
    [A((4,), values=[2.9, -2.9, 0.5, -0.5]), "int32"],
    lambda x, d: np.trunc(x),
    FLOATS,
    out="int32",
    id="truncates",
)
case(
    "astype",
    [A((6,), values=[np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-30]), "bool"],
    lambda x, d: x != 0,
    ("float32", "float64"),
    out="bool",
    id="truth",
)
case(
    "astype",
    [A((8,), values=[np.nan, np.inf, -np.inf, 1e30, -1e30, 0, -1, 255]), "int32"],
    lambda x, d: np.array([0, 2**31 - 1, -(2**31), 2**31 - 1, -(2**31), 0, -1, 255]),
    REALS,
    out="int32",
    id="saturates",
)
case(
    "astype",
    [A((5,), values=[np.nan, np.inf, -np.inf, -1, 255]), "uint8"],
    lambda x, d: np.array([0, 255, 0, 0, 255]),
    FLOATS,
    out="uint8",
    id="saturates unsigned",
)
case(
    "astype",
    [
        A(
            (9,),
            values=[
                1 + 2.0**-11,
                1 + 3 * 2.0**-11,
                65504,
                65519.9,
                65520,
                2.0**-25,
                3 * 2.0**-25,
                2.0**-24,
                np.nan,
            ],
        ),
        "float16",
    ],
    None,
    REALS,
    check=lambda got, a, d: np.testing.assert_array_equal(got[0], a[0].astype(np.float16)),
    id="rounds to even",
)
case(
    "astype",
    [
        A((7,), values=[1 + 2.0**-8, 1 + 3 * 2.0**-8, 3.39e38, 3.4e38, 1e-40, np.inf, np.nan]),
        "bfloat16",
    ],
    None,
    ("float32",),
    check=lambda got, a, d: np.testing.assert_array_equal(
        got[0].astype(np.float32), a[0].astype(ml_dtypes.bfloat16).astype(np.float32)
    ),
    id="rounds bfloat16 to even",
)
for to, values in (("int4", [-8, -1, 0, 7]), ("uint4", [0, 1, 9, 15])):
    case(
        "astype",
        [A((4,), values=values, dtype="int8"), to],
        None,
        ("float32",),
        id=f"to {to}",
        check=lambda got, a, d, v=values: np.testing.assert_array_equal(got[0].astype(np.int8), v),
    )

for args in (
    [4],
    [3, 5],
    [5, 3],
    [0],
    [0, 4],
    [4, 4, 1],
    [4, 4, -2],
    [3, 6, 2],
    [4, 4, 99],
    [4, 4, -99],
    [4, 4, 2**62],
    [300, 257, -3],
):
    ref = lambda n, m=None, k=0: np.eye(n, m, int(np.clip(k, -(10**6), 10**6)))
    case("eye", args, ref, ("float32",), id=str(args))
    case(
        "tri",
        args,
        lambda n, m=None, k=0: np.tri(n, m, int(np.clip(k, -(10**6), 10**6))),
        ("float32",),
        id=str(args),
    )
case_per_dtype("eye", [4, 5, 1], np.eye, ALL)
case_per_dtype("tri", [4, 5, 1], np.tri, ALL)

for args in (
    [5],
    [0],
    [-3],
    [2, 9],
    [2, 9, 3],
    [9, 2, -3],
    [9, 2, 3],
    [2, 9, -1],
    [-5, 5, 2],
    [0, 10, 3],
    [100000],
    [2**53, 2**53 + 4],
    [2**62, 2**62 + 5, 2],
):
    case("arange", args, np.arange, ("int64",), id=str(args))
for args in (
    [5.0],
    [0.5, 3.5],
    [0.0, 1.0, 0.1],
    [1.0, 0.0, -0.25],
    [3.0, 3.0],
    [0, 1, 0.3],
    [-1.5, 2, 0.5],
    [0.0, 70000.0],
    [0.0, 1.0, 1e-4],
    [1e10, 1e10 + 10, 3.5],
):
    case("arange", args, np.arange, ("float32",), id=str(args))
case_per_dtype("arange", [3, 50, 4], np.arange, NUMERIC)
case_per_dtype("arange", [0.5, 3.0, 0.5], np.arange, FLOATS + COMPLEX, id="floats")
case_per_dtype(
    "arange", [0.5, 4.2, 1.0], lambda *a: np.arange(*a).astype(int), INTS, id="floats to integers"
)
case_per_dtype("arange", [250, 256], np.arange, ("uint8", "int16"), id="to the end of the dtype")

for args in (
    [0, 1],
    [0, 1, 5],
    [2.5, -2.5, 11],
    [3, 3, 4],
    [0, 1, 1],
    [0, 1, 0],
    [0, 10, 70000],
    [1e-30, 2e-30, 5],
):
    for endpoint in (True, False):
        case_per_dtype(
            "linspace",
            args,
            lambda a, b, n=50, endpoint=True: np.linspace(a, b, n, endpoint=endpoint),
            REALS,
            endpoint=endpoint,
            id=f"{args} {endpoint}",
        )
case_per_dtype("linspace", [1e-323, 5e-323, 5], np.linspace, ("float64",), id="subnormal")
case_per_dtype("linspace", [-2, 7, 10], np.linspace, FLOATS + COMPLEX)
case_per_dtype(
    "linspace", [0.5, 7.25, 6], lambda *a: np.floor(np.linspace(*a)), INTS, id="integers"
)
case("linspace", [0, 1, 7], lambda *a: np.linspace(*a), ("float32",), id="default")
for args in ([0, 2, 5], [0, 1], [-1, 1, 4], [0, 1, 0], [0, 1, 1]):
    case_per_dtype("logspace", args, lambda a, b, n=50: np.logspace(a, b, n), FLOATS, id=str(args))
case_per_dtype(
    "logspace",
    [0, 4, 5],
    lambda a, b, n, endpoint, base: np.logspace(a, b, n, endpoint=endpoint, base=base),
    REALS,
    endpoint=False,
    base=2.0,
    id="base",
)
case_per_dtype(
    "logspace",
    [0, 4, 5],
    lambda a, b, n, base: np.logspace(a, b, n, base=base),
    INTS,
    base=2.0,
    id="integers",
)

for indexing in ("xy", "ij"):
    for sizes in ((4,), (4, 3), (2, 3, 4), (1, 5), (0, 3)):
        case(
            "meshgrid",
            [[A((n,)) for n in sizes]],
            lambda xs, indexing: [np.asarray(g) for g in np.meshgrid(*xs, indexing=indexing)],
            ALL,
            indexing=indexing,
            id=f"{sizes} {indexing}",
        )
    case(
        "meshgrid",
        [[A(()), A((3,))]],
        lambda xs, indexing: [np.asarray(g) for g in np.meshgrid(*xs, indexing=indexing)],
        REALS,
        indexing=indexing,
        id=f"0-d {indexing}",
    )
for name in ("tril", "triu"):
    for shape in ((4, 4), (3, 5), (5, 3), (2, 3, 4), (0, 3), (3, 0), (300, 257)):
        for k in (0, 1, -2, 7, -7):
            case(
                name,
                [A(shape)],
                lambda x, k, f=getattr(np, name): f(x, k),
                ALL if shape == (3, 5) else REALS,
                k=k,
                id=f"{shape} {k}",
            )
    case(
        name,
        [A((3, 3), values=[np.nan, np.inf, 1, 2, np.nan, 3, np.inf, 5, 6])],
        getattr(np, name),
        REALS,
        id="special",
    )
    for args in ([4], [4, 1], [4, -1], [3, 0, 5], [5, 2, 3], [0], [3, -9], [3, 9]):
        case(
            name + "_indices",
            args,
            lambda n, k=0, m=None, f=getattr(np, name + "_indices"): list(f(n, k, m)),
            ("int64",),
            id=str(args),
        )
for k in (0, 1, -1, 4, -6):
    case("diag", [A((4,))], lambda x, k: np.diag(x, k), ALL, k=k, id=f"vector {k}")
    case("diag", [A((4, 6))], lambda x, k: np.diag(x, k), ALL, k=k, id=f"matrix {k}")
    case("diag", [A((0,))], lambda x, k: np.diag(x, k), REALS, k=k, id=f"empty {k}")
case("diag", [A((300,))], np.diag, REALS, id="long")


def hot(i, depth, axis=-1):
    return np.moveaxis(np.asarray(i)[..., None] == np.arange(depth), -1, axis)


for shape in ((), (5,), (2, 3), (0,)):
    case("one_hot", [A(shape, 0, 6), 6], hot, INTS, out="float32", id=str(shape))
case(
    "one_hot",
    [A((6,), values=[0, -1, 7, 5, 6, 2**40], dtype="int64"), 6],
    hot,
    ("float32",),
    id="outside",
)
case("one_hot", [A((3, 4), 0, 6), 6], hot, ("int32",), out="float32", axis=0, id="axis 0")
case("one_hot", [A((3, 4), 0, 6), 6], hot, ("int32",), out="float32", axis=1, id="axis 1")
case("one_hot", [A((3, 4), 0, 6), 6], hot, ("int32",), out="float32", axis=-2, id="axis -2")
case("one_hot", [A((3,), 0, 6), 0], hot, ("int64",), out="float32", id="depth 0")
case("one_hot", [A((300,), 0, 257), 257], hot, ("int64",), out="float32", id="long")
for d in ALL:
    case("one_hot", [A((3,), 0, 6, dtype="int64"), 6], hot, (d,), dtype=d, id="dtype")
case("vander", [A((4,))], lambda x: np.vander(x), REALS + COMPLEX)
case("vander", [A((4,))], lambda x: np.vander(x), SIGNED, out="int64", id="integers")
case(
    "vander",
    [A((5,)), 3],
    lambda x, n, increasing: np.vander(x, n, increasing=increasing),
    REALS,
    increasing=True,
    id="increasing",
)
case("vander", [A((5,)), 0], lambda x, n: np.vander(x, n), REALS, id="no columns")
case("vander", [A((5,)), 1], lambda x, n: np.vander(x, n), REALS, id="one column")
case("vander", [A((0,)), 3], lambda x, n: np.vander(x, n), REALS, id="empty")
