"""Elementwise ops, compared with NumPy in float64 (or SciPy)."""

import numpy as np
import scipy.special as sp

from harness import *

SPECIAL = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -2.5,
    np.inf,
    -np.inf,
    np.nan,
    1e-40,
    3.5,
    1e30,
    -1e30,
    88.0,
    -104.0,
    1e-8,
]
UNARY_FLOAT = {
    "acos": (-1, 1),
    "acosh": (1, 9),
    "asin": (-1, 1),
    "asinh": (-9, 9),
    "atan": (-9, 9),
    "atanh": (-0.99, 0.99),
    "cos": (-9, 9),
    "cosh": (-4, 4),
    "exp": (-9, 9),
    "expm1": (-3, 3),
    "log": (0.1, 9),
    "log10": (0.1, 9),
    "log1p": (-0.9, 9),
    "log2": (0.1, 9),
    "reciprocal": (0.5, 3),
    "sin": (-9, 9),
    "sinh": (-4, 4),
    "sqrt": (0, 9),
    "tan": (-1.2, 1.2),
    "tanh": (-3, 3),
}
NUMPY = {
    "acos": np.arccos,
    "acosh": np.arccosh,
    "asin": np.arcsin,
    "asinh": np.arcsinh,
    "atan": np.arctan,
    "atanh": np.arctanh,
}

for name, (low, high) in UNARY_FLOAT.items():
    f = NUMPY.get(name) or getattr(np, name)
    for shape in ((3, 5), (), (0, 2), (1000,)):
        case(name, [A(shape, low, high)], f, FLOATS, id=str(shape))
    case(name, [A((7, 3), low, high)], f, COMPLEX, id="complex")
    case(
        name,
        [A((4,), 1, 5) if name not in ("acos", "asin", "atanh") else A((4,), 0, 1)],
        lambda x, f=f: f(x.astype(np.float64)),
        ("int32", "uint8", "bool"),
        out="float32",
        id="integers",
    )
    case(
        name,
        [A((len(SPECIAL),), values=SPECIAL)],
        f,
        REALS,
        id="special",
        tol={"float32": 2e-5} if name in ("sinh", "cosh", "expm1") else None,
    )

for name, f, low, high in (
    ("cbrt", np.cbrt, -9, 9),
    ("exp2", np.exp2, -5, 5),
    ("erf", sp.erf, -3, 3),
    ("erfc", sp.erfc, -3, 3),
    ("erfinv", sp.erfinv, -0.95, 0.95),
    ("lgamma", sp.gammaln, 0.1, 20),
    ("digamma", sp.digamma, 0.2, 20),
    ("rsqrt", lambda x: 1 / np.sqrt(x), 0.1, 9),
    ("sigmoid", sp.expit, -9, 9),
):
    case(name, [A((30, 5), low, high)], f, FLOATS)
    case(name, [A((0,), low, high)], f, REALS, id="empty")
    case(
        name,
        [A((3,), 1, 5) if name != "erfinv" else A((3,), 0, 1)],
        f,
        ("int32",),
        out="float32",
        id="integers",
    )
case("log1p", [A((3,), values=[3e38, 1e37, 2e-38])], np.log1p, REALS, id="ends")
case("sigmoid", [A((1,), values=[-40])], sp.expit, REALS, id="far below")
case(
    "sigmoid",
    [A((6,), values=[0, np.inf, -np.inf, np.nan, 100, -100])],
    sp.expit,
    REALS,
    id="special",
)
case("erf", [A((6,), values=[0, np.inf, -np.inf, np.nan, 10, -10])], sp.erf, REALS, id="special")
case("lgamma", [A((6,), values=[-0.5, -1.5, 1, 2, 0, np.inf])], sp.gammaln, REALS, id="special")

# The float64 nearest to a root or pole: the result depends on all bits of pi.
case(
    "sin",
    [A((6,), values=np.pi * np.array([1, 2, 3, -1, -2, -3]))],
    np.sin,
    ("float64",),
    id="roots",
)
case(
    "cos",
    [A((6,), values=np.pi * np.array([0.5, 1.5, 2.5, -0.5, -1.5, -2.5]))],
    np.cos,
    ("float64",),
    id="roots",
    engines=("native", "numpy", "torch", "onnxruntime"),
    why="MLX adds pi / 2 to x and takes the sine",
)
case(
    "tan",
    [A((6,), values=np.pi * np.array([0.5, 1.5, 2.5, -0.5, -1.5, -2.5]))],
    np.tan,
    ("float64",),
    id="poles",
)


def same_signs(f):
    """Equal to f, including the signs of zeros."""

    def check(got, a, dtype):
        want = f(*a)
        assert np.array_equal(got[0], want, equal_nan=True) and np.array_equal(
            np.signbit(got[0]), np.signbit(want)
        ), f"{got[0]}, expected {want}"

    return check


ZEROS = [0.0, -0.0, 1, -1, np.inf, -np.inf]
case(
    "where",
    [
        A((6,), values=[True, True, False], dtype="bool"),
        A((6,), values=ZEROS),
        A((6,), values=ZEROS[::-1]),
    ],
    None,
    FLOATS,
    id="signed zeros",
    check=same_signs(np.where),
)
case(
    "trunc",
    [A((6,), values=[-0.5, 0.5, -0.0, 0.0, -1.5, 1.5])],
    None,
    FLOATS,
    id="signed zeros",
    check=same_signs(np.trunc),
)

for name in ("ceil", "floor", "trunc"):
    case(name, [A((30,), -9, 9)], getattr(np, name), FLOATS + INTS)
    case(name, [A((len(SPECIAL),), values=SPECIAL)], getattr(np, name), REALS, id="special")
case("round", [A((40,), values=np.arange(-5, 5, 0.25))], np.round, FLOATS)
case("round", [A((3, 3))], np.round, COMPLEX + INTS, id="more")
case(
    "round",
    [A((20,), -9, 9)],
    lambda x, decimals: np.round(x, decimals),
    FLOATS,
    decimals=1,
    tol={"float16": 1e-2, "bfloat16": 5e-2},
    why="a tenth is not representable",
    id="decimals",
)
case(
    "round",
    [A((20,), -90, 90)],
    lambda x, decimals: np.round(x, decimals),
    ("int32",),
    decimals=-1,
    id="tens",
)
case("abs", [A((5, 4))], np.abs, REAL_NUMERIC + ("bool",))
case("abs", [A((5, 4))], np.abs, COMPLEX, out=real_of, id="complex")
case("abs", [A((4,), values=[-128, 127, 0, -1])], np.abs, ("int8",), id="lowest")
case("negative", [A((5, 4))], np.negative, SIGNED + FLOATS + COMPLEX)
case("negative", [A((5, 4))], np.negative, UNSIGNED, id="wraps")
case("positive", [A((5, 4))], np.positive, NUMERIC)
case("sign", [A((5, 4))], np.sign, NUMERIC)
case("sign", [A((5,), values=[np.nan, 0.0, -0.0, np.inf, -np.inf])], np.sign, FLOATS, id="special")
case("square", [A((5, 4))], np.square, NUMERIC)
case("square", [A((3,), values=[100, 200, 7])], np.square, ("uint8",), id="wraps")
case(
    "signbit",
    [A((8,), values=[0.0, -0.0, 1, -1, np.nan, -np.nan, np.inf, -np.inf])],
    np.signbit,
    FLOATS,
    out="bool",
)
for name in ("isnan", "isinf", "isfinite"):
    case(name, [A((len(SPECIAL),), values=SPECIAL)], getattr(np, name), FLOATS, out="bool")
    case(name, [A((3, 2))], getattr(np, name), COMPLEX + ("int16", "bool"), out="bool", id="more")
case("conj", [A((5, 4))], np.conj, NUMERIC)
case("real", [A((5, 4))], np.real, NUMERIC, out=real_of)
case("imag", [A((5, 4))], np.imag, NUMERIC, out=real_of)
case("angle", [A((5, 4))], np.angle, COMPLEX, out=real_of)
case("angle", [A((5,))], np.angle, REALS, id="real")
case("deg2rad", [A((5, 4), -200, 200)], np.deg2rad, FLOATS)
case("rad2deg", [A((5, 4))], np.rad2deg, FLOATS)
case(
    "sinc",
    [A((9,), values=[0, 0.5, -0.5, 1.25, -3.3, 2.5, 0.1, -0.1, 7.7])],
    np.sinc,
    FLOATS,
    tol={"float16": 1e-2, "bfloat16": 1e-1},
    why="pi x is rounded before the sine",
)
case("logical_not", [A((6, 2))], np.logical_not, ALL, out="bool")
case("bitwise_invert", [A((6, 2))], np.bitwise_not, INTS + ("bool",))
case(
    "popcount",
    [A((6, 2), -9, 99)],
    lambda x: np.vectorize(
        lambda v: bin(int(v) & (2 ** (8 * x.itemsize) - 1)).count("1"), otypes=[np.uint8]
    )(x),
    INTS,
    out="uint8",
)
case(
    "count_zeros",
    [A((6, 2), -9, 99)],
    lambda x: np.vectorize(
        lambda v: 8 * x.itemsize - bin(int(v) & (2 ** (8 * x.itemsize) - 1)).count("1"),
        otypes=[np.uint8],
    )(x),
    INTS,
    out="uint8",
)

for name in ("add", "multiply"):
    case(name, [A((3, 4)), A((4,))], getattr(np, name), ALL)
for name in ("add", "subtract", "multiply"):
    f = getattr(np, name)
    for a, b in (
        ((3, 4), (3, 4)),
        ((3, 1), (1, 4)),
        ((), (2, 3)),
        ((0, 3), (1, 3)),
        ((2, 1, 3), (4, 1)),
        ((1000,), (1000,)),
    ):
        case(name, [A(a), A(b)], f, NUMERIC, id=f"{a}{b}")
case(
    "add",
    [A((4,), values=[250, 3, 200, 255]), A((4,), values=[10, 3, 100, 1])],
    np.add,
    ("uint8",),
    id="wraps",
)
case("divide", [A((3, 4)), A((4,), 0.5, 2)], np.divide, FLOATS + COMPLEX)
case("divide", [A((3,), 1, 9), A((3,), 1, 4)], np.divide, INTS, out="float32", id="integers")
case(
    "divide",
    [A((6,), values=[0, 1, -1, np.inf, 5, np.nan]), A((6,), values=[0, 0, 0, np.inf, -0.0, 1])],
    np.divide,
    REALS,
    id="special",
)
for name in ("maximum", "minimum"):
    case(name, [A((3, 4)), A((4,))], getattr(np, name), REAL_NUMERIC)
    case(
        name,
        [A((4,), values=[np.nan, 1, np.nan, -0.5]), A((4,), values=[1, np.nan, np.nan, np.inf])],
        getattr(np, name),
        FLOATS,
        id="nan",
    )
    case(name, [A((64, 65), -5, 5), A((65,), -5, 5)], getattr(np, name), REALS, id="rows")
for name in ("floor_divide", "remainder", "fmod"):
    f = getattr(np, name)
    case(
        name,
        [A((40,), -20, 20), A((40,), 1, 5)],
        f,
        REAL_NUMERIC,
        tol={"float16": 1e-2, "bfloat16": 2e-1} if name != "floor_divide" else None,
    )
    case(
        name,
        [A((8,), values=[7, -7, 7, -7, 0, 5, -5, 6]), A((8,), values=[2, 2, -2, -2, 3, 0, 0, -3])],
        f,
        SIGNED + REALS,
        id="signs",
    )
case(
    "floor_divide",
    [A((2,), values=[-128, 5]), A((2,), values=[-1, 2])],
    lambda a, b: np.array([-128, 2]),
    ("int8",),
    id="lowest by -1",
)
case(
    "remainder",
    [A((2,), values=[-128, 5]), A((2,), values=[-1, 2])],
    lambda a, b: np.array([0, 1]),
    ("int8",),
    id="lowest by -1",
)
case("pow", [A((20,), 0.1, 3), A((20,), -2, 2)], np.power, FLOATS + COMPLEX)
case("pow", [A((20,), -4, 4), A((20,), 0, 4)], np.power, INTS, id="integers")
case(
    "pow",
    [
        A((10,), values=[0, -0.0, 2, np.nan, 1, np.inf, -8, 0, -np.inf, 4]),
        A((10,), values=[0, 3, -1, 0, np.nan, -1, 3, -1, 3, 0.5]),
    ],
    np.power,
    REALS,
    id="special",
)


def constant_power(x, k):
    """For the exponent 0.5 NumPy uses sqrt: NaN for -inf, -0.0 for -0.0."""
    return np.power(x, np.full_like(x, k))


def within(ulps, f):
    """Zeros, infinities and NaN must equal f's; other values may differ by some ulp from a wider
    type's."""

    def check(got, arrays, dtype):
        wide = np.longdouble if dtype == "float64" else np.float64
        with np.errstate(all="ignore"):
            want = f(*(a.astype(wide) if isinstance(a, np.ndarray) else a for a in arrays))
            near = want.astype(got[0].dtype)
            regular = np.isfinite(near) & (np.abs(want) >= ml_dtypes.finfo(near.dtype).tiny)
            ulp = np.abs(np.spacing(np.where(regular, near, near.dtype.type(1)))).astype(wide)
            error = np.abs(np.where(regular, got[0].astype(wide) - want, 0)) / ulp
            denormal = ~regular & (
                np.abs(got[0].astype(wide) - want)
                <= 2 * ml_dtypes.finfo(near.dtype).smallest_subnormal
            )
        same = (got[0] == near) & (np.signbit(got[0]) == np.signbit(near)) | np.isnan(
            got[0]
        ) & np.isnan(near)
        odd = ~(same | regular | denormal & (near != 0))
        places = [a[odd] if isinstance(a, np.ndarray) else a for a in arrays]
        assert not odd.any(), f"{got[0][odd]} for {places}, expected {near[odd]}"
        assert error.max() <= ulps, (
            f"{error.max()} ulp at {error.argmax()}: {got[0][error.argmax()]}, expected {near[error.argmax()]}"
        )

    return check


exact_power = {dtype: within(2.5 if dtype in REALS else 1, constant_power) for dtype in FLOATS}
UNUSUAL = [0.0, -0.0, 1, -1, np.inf, -np.inf, np.nan, 2, -2, 0.5, 16, -8]
SPREAD = np.exp(np.random.default_rng(0).uniform(-21, 21, 4000))
for k in (0, 1, 2, 3, 4, -1, -2, -3, 0.5, -0.5):
    case("pow", [A((5, 40), -3, 3), k], constant_power, FLOATS, id=f"{k}")
    case(
        "pow",
        [A((3, 11), -3, 3), k],
        lambda x, k: np.power(x, np.complex128(k)),
        COMPLEX,
        id=f"complex {k}",
    )
    case(
        "pow",
        [A((12,), values=UNUSUAL), k],
        None,
        FLOATS,
        id=f"special {k}",
        check=lambda got, arrays, dtype: exact_power[dtype](got, arrays, dtype),
    )
    case(
        "pow",
        [A((4000,), values=SPREAD), k],
        None,
        REALS,
        id=f"ulp {k}",
        check=lambda got, arrays, dtype: exact_power[dtype](got, arrays, dtype),
    )
    if k in (0, 1, 2, 3, 4):
        case(
            "pow",
            [A((4, 15), -128, 255), k],
            lambda x, k: np.power(x, x.dtype.type(k)),
            INTS,
            id=f"wraps {k}",
        )
case(
    "pow",
    [A((6,), 0, 9), 0.5],
    lambda x, k: np.sqrt(x.astype(np.float64)),
    ("int32", "uint8"),
    out="float32",
    id="root of integers",
)

# native's own functions over their whole range, and pairs of unusual values. logaddexp loses
# precision for results near 0.
ODD = UNUSUAL + [
    3,
    -3,
    1e-40,
    -1e-40,
    1e-30,
    1e30,
    -1e30,
    3.4e38,
    100,
    -100,
    88,
    89,
    -89,
    0.9999999,
    1.0000001,
    127.9,
    128,
    -149,
    5e18,
]
RANGE = np.concatenate(
    [ODD, SPREAD, -SPREAD, np.linspace(-1.5, 1.5, 2001), np.linspace(-90, 90, 3001)]
)
for name, ulps in (
    ("sinh", 4),
    ("cosh", 4),
    ("tan", 4),
    ("asinh", 3),
    ("acosh", 3),
    ("atanh", 3),
    ("cbrt", 2),
    ("exp2", 2),
    ("asin", 3),
    ("acos", 3),
    ("atan", 4),
):
    f = NUMPY.get(name) or getattr(np, name)
    case(
        name,
        [A((len(RANGE),), values=RANGE)],
        None,
        REALS,
        id="range",
        check=within(ulps, f),
        engines=("native",),
        why="ulp of its own kernels",
    )
PAIRS = np.stack(np.meshgrid(ODD, ODD)).reshape(2, -1)
DRAWN = np.random.default_rng(1).standard_normal((2, 3000)) * [[3], [1]]
BOTH = np.concatenate([PAIRS, DRAWN, np.exp(DRAWN * 12), DRAWN * [[1000], [1e-3]]], axis=1)
for name, f, ulps in (
    ("hypot", np.hypot, 2),
    ("fmod", np.fmod, 0),
    ("remainder", np.remainder, 1),
    ("atan2", np.arctan2, 4),
    ("pow", np.power, 1),
):
    case(
        name,
        [A((BOTH.shape[1],), values=BOTH[0]), A((BOTH.shape[1],), values=BOTH[1])],
        None,
        REALS,
        id="range",
        check=within(ulps, f),
        engines=("native",),
        why="ulp of its own kernels",
    )
case(
    "logaddexp",
    [A((BOTH.shape[1],), values=np.abs(BOTH[0])), A((BOTH.shape[1],), values=np.abs(BOTH[1]))],
    None,
    REALS,
    id="range",
    check=within(3, np.logaddexp),
    engines=("native",),
    why="ulp of its own kernels",
)
for name in ("floor_divide", "remainder"):  # by a constant: native multiplies by its inverse
    for k in (1, 2, 3, 7, 10, 100, 127):
        case(
            name,
            [A((300,), -128, 255), k],
            lambda x, k, f=getattr(np, name): f(x, x.dtype.type(k)),
            INTS,
            id=f"by {k}",
        )
    for k in (3, 2**62 + 1, 2**63 - 1):
        case(
            name,
            [A((6,), values=[2**63 - 1, -(2**63), -1, 0, 2**62, 5]), k],
            lambda x, k, f=getattr(np, name): f(x, np.int64(k)),
            ("int64",),
            id=f"by {k} large",
        )
case("atan2", [A((30,)), A((30,))], np.arctan2, FLOATS)
case(
    "atan2",
    [
        A((9,), values=[0, -0.0, 0, -0.0, 1, np.inf, np.inf, np.nan, -1]),
        A((9,), values=[1, 1, -1, -1, 0, np.inf, -np.inf, 1, 0]),
    ],
    np.arctan2,
    REALS,
    id="special",
)
case("copysign", [A((5, 3)), A((3,))], np.copysign, FLOATS)
case("hypot", [A((5, 3)), A((3,))], np.hypot, FLOATS)
case(
    "hypot",
    [A((3,), values=[1e30, np.inf, 3]), A((3,), values=[1e30, np.nan, 4])],
    np.hypot,
    ("float32", "float64"),
    id="large",
)
case("logaddexp", [A((5, 3)), A((3,))], np.logaddexp, FLOATS)
case(
    "logaddexp",
    [A((4,), values=[-np.inf, 500, np.inf, np.nan]), A((4,), values=[-np.inf, 500, 1, 0])],
    np.logaddexp,
    REALS,
    id="special",
)
case(
    "nextafter",
    [A((6,)), A((6,))],
    None,
    FLOATS,
    check=lambda got, a, d: np.testing.assert_array_equal(got[0], np.nextafter(a[0], a[1])),
)
case(
    "nextafter",
    [
        A((8,), values=[0, -0.0, 1, -1, np.inf, np.nan, 2, 1]),
        A((8,), values=[1, -1, 1, -2, 0, 1, np.nan, -np.inf]),
    ],
    None,
    FLOATS,
    check=lambda got, a, d: np.testing.assert_array_equal(
        got[0].astype(np.float64), np.nextafter(a[0], a[1]).astype(np.float64)
    ),
    id="special",
)
case(
    "heaviside",
    [A((5,), values=[-1, 0, 2, np.nan, -0.0]), A((5,), values=[0.5] * 5)],
    np.heaviside,
    REALS,
)
for name in ("bitwise_and", "bitwise_or", "bitwise_xor"):
    case(name, [A((5, 3)), A((3,))], getattr(np, name), INTS + ("bool",))
case("bitwise_left_shift", [A((5, 3)), A((3,), 0, 6)], np.left_shift, INTS)
case("bitwise_right_shift", [A((5, 3), -90, 90), A((3,), 0, 6)], np.right_shift, INTS)
case(
    "bitwise_left_shift",
    [A((3,), values=[1, -1, 5]), A((3,), values=[32, 40, 2])],
    lambda a, b: np.array([0, 0, 20]),
    ("int32",),
    id="by the width",
)
case(
    "bitwise_right_shift",
    [A((3,), values=[1, -1, 5]), A((3,), values=[32, 40, 2])],
    lambda a, b: np.array([0, -1, 1]),
    ("int32",),
    id="by the width",
)


def rotated(x, n, left):
    bits = 8 * x.itemsize

    def one(v, k):
        v, k = int(v) & (2**bits - 1), int(k) % bits
        k = k if left else bits - k
        return ((v << k) | (v >> (bits - k))) & (2**bits - 1)

    return (
        np.vectorize(one, otypes=[object])(x, n)
        .astype(np.uint64)
        .astype(f"uint{bits}")
        .view(x.dtype)
    )


case("rotate_left", [A((6,), 0, 100), A((6,), 0, 9)], lambda x, n: rotated(x, n, True), INTS)
case("rotate_right", [A((6,), 0, 100), A((6,), 0, 9)], lambda x, n: rotated(x, n, False), INTS)
case("get_bit", [A((6,), 0, 100), A((6,), 0, 6)], lambda x, p: (x >> p) & 1, INTS)
case(
    "set_bit",
    [A((6,), 0, 100), A((6,), 0, 6), A((6,), dtype="bool")],
    lambda x, p, v: np.where(v, x | (np.ones_like(x) << p), x & ~(np.ones_like(x) << p)),
    INTS,
)
case("toggle_bit", [A((6,), 0, 100), A((6,), 0, 6)], lambda x, p: x ^ (np.ones_like(x) << p), INTS)
for name in ("logical_and", "logical_or", "logical_xor"):
    case(name, [A((5, 3)), A((3,))], getattr(np, name), ALL, out="bool")
for name in ("equal", "not_equal"):
    case(name, [A((5, 3), -2, 3), A((3,), -2, 3)], getattr(np, name), ALL, out="bool")
for name in ("less", "less_equal", "greater", "greater_equal", "equal", "not_equal"):
    case(
        name,
        [A((5, 3), -2, 3), A((3,), -2, 3)],
        getattr(np, name),
        REAL_NUMERIC + ("bool",),
        out="bool",
        id="order",
    )
    case(
        name,
        [A((4,), values=[np.nan, 0, np.inf, -np.inf]), A((4,), values=[np.nan, -0.0, np.inf, 1])],
        getattr(np, name),
        FLOATS,
        out="bool",
        id="special",
    )
case("where", [A((3, 1), dtype="bool"), A((3, 4)), A((4,))], np.where, ALL)
case("where", [A((200, 70), dtype="bool"), A((70,)), A(())], np.where, REALS, id="rows")
case("clip", [A((5, 4)), A((), values=[-0.5]), A((4,), values=[0.5, 1, 0.25, 2])], np.clip, FLOATS)
case("clip", [A((5, 4)), -1, 2], np.clip, SIGNED, id="scalars")
case("clip", [A((5, 4)), None, 2], lambda x, a, b: np.minimum(x, b), INTS + REALS, id="one bound")
case(
    "lerp",
    [A((5,)), A((5,)), A((5,), 0, 1)],
    lambda a, b, w: a + (b - a) * w,
    FLOATS,
    tol={"float16": 5e-3, "bfloat16": 4e-2},
    why="three roundings",
)
case(
    "nan_to_num",
    [A((5,), values=[np.nan, np.inf, -np.inf, 1, -2])],
    None,
    FLOATS,
    check=lambda got, a, d: np.testing.assert_array_equal(
        got[0].astype(np.float64),
        np.array(
            [
                0,
                float(ml_dtypes.finfo(got[0].dtype).max),
                float(ml_dtypes.finfo(got[0].dtype).min),
                1,
                -2,
            ]
        ),
    ),
)
case(
    "nan_to_num",
    [A((3,), values=[np.nan, np.inf, 2])],
    lambda x, nan, posinf: np.nan_to_num(x, nan=nan, posinf=posinf),
    REALS,
    nan=7.0,
    posinf=9.0,
    id="given",
)
case(
    "isclose",
    [
        A((6,), values=[1, 1, np.inf, np.nan, 0, 1e-9]),
        A((6,), values=[1.000001, 1.1, np.inf, np.nan, 1e-9, 0]),
    ],
    np.isclose,
    REALS,
    out="bool",
)
case(
    "isclose",
    [A((2,), values=[np.nan, 1]), A((2,), values=[np.nan, 2])],
    lambda a, b, equal_nan: np.isclose(a, b, equal_nan=True),
    REALS,
    out="bool",
    equal_nan=True,
    id="nan",
)
case(
    "allclose",
    [A((3,), values=[1, 2, 3]), A((3,), values=[1, 2, 3.1])],
    np.allclose,
    REALS,
    out="bool",
)
case(
    "array_equal",
    [A((3,), values=[1, 2, 3]), A((3,), values=[1, 2, 3])],
    np.array_equal,
    ALL,
    out="bool",
)
case("array_equal", [A((3,)), A((4,))], np.array_equal, REALS, out="bool", id="shapes")
