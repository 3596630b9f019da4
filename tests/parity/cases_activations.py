"""Activations, compared with their formulas in float64."""

import numpy as np
import scipy.special as sp

from harness import *

# Values of similar magnitude are grouped, because the largest result sets the tolerance.
SPECIAL = [
    0.0,
    -0.0,
    np.inf,
    -np.inf,
    np.nan,
    0.5,
    -0.5,
    1.0,
    -1.0,
    2.0,
    -2.0,
    3.0,
    -3.0,
    6.0,
    5.0,
    7.5,
    -7.5,
]
LARGE = [6e4, -6e4, 2e4, -2e4, 800.0, -800.0, 104.0, -104.0, 88.0, -88.0, np.nan]
HUGE = [3e38, -3e38, 1e38, -1e38]
BELOW = [-6.0, -20.0, -40.0, -80.0]
SMALL = [1e-4, -1e-4, 3e-4, -2e-4]


def softplus(x, beta=1):
    return np.logaddexp(0, beta * x) / beta


def elu(x, alpha=1):
    return np.where(x > 0, x, alpha * np.expm1(np.minimum(x, 0)))


def keep_nan(x, y):
    return np.where(np.isnan(x), x, y)


FORMULAS = {
    "relu": lambda x: np.maximum(x, 0),
    "relu6": lambda x: np.clip(x, 0, 6),
    "hard_sigmoid": lambda x, alpha=0.2, beta=0.5: np.clip(alpha * x + beta, 0, 1),
    "softplus": softplus,
    "softsign": lambda x: x / (1 + np.abs(x)),
    "gelu": lambda x: x * sp.ndtr(x),
    "silu": lambda x: x * sp.expit(x),
    "elu": elu,
    "selu": lambda x: 1.0507009873554805 * elu(x, 1.6732632423543772),
    "celu": lambda x, alpha=1: np.maximum(x, 0)
    + np.minimum(0, alpha * np.expm1(np.minimum(x / alpha, 0) if alpha > 0 else x / alpha)),
    "leaky_relu": lambda x, alpha=0.01: np.where(x > 0, x, alpha * x),
    "mish": lambda x: x * np.tanh(softplus(x)),
    "hardswish": lambda x: x * (np.clip(x + 3, 0, 6) / 6),
    "hardtanh": lambda x, low=-1, high=1: np.clip(x, low, high),
    "tanhshrink": lambda x: x - np.tanh(x),
    "hardshrink": lambda x, lam=0.5: np.where(np.abs(x) <= lam, 0, x),
    "softshrink": lambda x, lam=0.5: keep_nan(
        x, np.where(x > lam, x - lam, np.where(x < -lam, x + lam, 0))
    ),
    "logsigmoid": lambda x: -softplus(-x),
}
KEEPS_INTEGERS = ("relu", "relu6")
for name, f in FORMULAS.items():
    for shape in ((3, 5), (), (0, 2), (1000,)):
        case(name, [A(shape, -8, 8)], f, FLOATS, id=str(shape))
    case(name, [A((len(SPECIAL),), values=SPECIAL)], f, FLOATS, id="special")
    case(name, [A((len(LARGE),), values=LARGE)], f, FLOATS, id="large")
    case(name, [A((len(HUGE),), values=HUGE)], f, ("float32", "float64", "bfloat16"), id="huge")
    for x in BELOW:
        case(
            name,
            [A((1,), values=[x])],
            f,
            ("float64",) if name == "gelu" and x == -20 else ("float32",),
            id=f"far below {x}",
        )  # float32 cannot represent 5e-88
        case(name, [A((1,), values=[-x])], f, ("float32",), id=f"far above {x}")
    if name != "tanhshrink":  # in float32 x and tanh(x) are equal for small x
        case(name, [A((len(SMALL),), values=SMALL)], f, FLOATS, id="small")
    case(
        name,
        [A((7,), -5, 6)],
        lambda x, f=f: f(x.astype(np.float64)),
        ("int8", "int32", "uint8"),
        out=None if name in KEEPS_INTEGERS else "float32",
        id="integers",
    )


def tanh_gelu(x, approximate="tanh"):
    return x * 0.5 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def options(name, values, *args, **named):
    case(
        name,
        [A((4, 30), *values), *args],
        lambda x, *a, **k: FORMULAS[name](x, *a, **k),
        FLOATS,
        id=f"{args}{named}",
        **named,
    )


case("gelu", [A((300,), -8, 8)], tanh_gelu, FLOATS, approximate="tanh", id="tanh")
case(
    "gelu",
    [A((len(SPECIAL),), values=SPECIAL)],
    tanh_gelu,
    FLOATS,
    approximate="tanh",
    id="tanh special",
)
case(
    "gelu",
    [A((3, 4), -8, 8)],
    lambda x, approximate: x * sp.ndtr(x),
    REALS,
    approximate="none",
    id="none",
)
options("hard_sigmoid", (-8, 8), alpha=0.5, beta=-0.25)
options("softplus", (-8, 8), beta=2.5)
options("softplus", (-8, 8), beta=0.01)
options("elu", (-8, 8), alpha=0.3)
options("celu", (-8, 8), alpha=2.5)
options("celu", (-2, 2), alpha=-1.5)
options("leaky_relu", (-8, 8), alpha=0.2)
options("leaky_relu", (-8, 8), alpha=-2)
options("hardtanh", (-8, 8), low=-2.5, high=0.5)
options("hardshrink", (-2, 2), 1.25)
options("softshrink", (-2, 2), 1.25)
options("softshrink", (-2, 2), 0)
case("threshold", [A((3, 5)), 0.25], lambda x, t: np.where(x > t, x, 0), FLOATS)
case(
    "threshold", [A((3, 5)), -0.25, 7.0], lambda x, t, v: np.where(x > t, x, v), FLOATS, id="value"
)
case(
    "threshold",
    [A((len(SPECIAL),), values=SPECIAL), 0.5],
    lambda x, t: keep_nan(x, np.where(x > t, x, 0)),
    FLOATS,
    id="special",
)
case(
    "threshold",
    [A((9,)), 1],
    lambda x, t: np.where(x > t, x, 0),
    ("int32", "uint8"),
    out="float32",
    id="integers",
)
case("threshold", [A((0, 2)), 0.5], lambda x, t: x, REALS, id="empty")
prelu = lambda x, slope: np.where(x >= 0, x, x * slope)
case("prelu", [A((3, 4, 5)), A((5,))], prelu, FLOATS)
case("prelu", [A((3, 4, 5)), A((4, 1))], prelu, FLOATS, id="channels")
case("prelu", [A((3, 4)), 0.25], prelu, FLOATS, id="scalar")
case(
    "prelu",
    [A((len(SPECIAL),), values=SPECIAL), A((1,), values=[0.5])],
    prelu,
    FLOATS,
    id="special",
)
case("prelu", [A((3, 4)), A((4,))], prelu, ("int32", "int8"), id="integers")
case("prelu", [A((0, 4)), A((4,))], prelu, REALS, id="empty")

softmax = lambda x, axis=-1: sp.softmax(x, axis=axis)
log_softmax = lambda x, axis=-1: sp.log_softmax(x, axis=axis)
for name, f in (("softmax", softmax), ("log_softmax", log_softmax)):
    for shape in ((3, 4), (5,), (2, 3, 4), (2, 1), (7, 33, 5), (3, 2000), (300, 2)):
        for axis in range(-1, len(shape)):
            case(
                name,
                [A(shape, -6, 6)],
                f,
                FLOATS if axis == -1 else ("float32",),
                axis=axis,
                id=f"{shape} {axis}",
            )
    case(name, [A(())], lambda x, f=f: f(x.reshape(1)).reshape(()), FLOATS, id="0-d")
    case(name, [A((0, 3))], lambda x, axis=-1: x, REALS, id="empty")
    case(name, [A((3, 0))], lambda x: x, REALS, id="empty rows")
    case(
        name,
        [A((2, 5), -9, 9)],
        lambda x, f=f: f(x.astype(np.float64)),
        ("int32", "uint8"),
        out="float32",
        id="integers",
    )
    case(
        name, [A((2, 4), values=[1e4, 1e4, -1e4, 0, -1e4, -1e4, -6e4, -1e4])], f, FLOATS, id="large"
    )
    case(
        name,
        [
            A(
                (5, 3),
                values=[
                    -np.inf,
                    0,
                    1,
                    -np.inf,
                    -np.inf,
                    0,
                    np.nan,
                    0,
                    1,
                    np.inf,
                    0,
                    1,
                    -np.inf,
                    -np.inf,
                    -np.inf,
                ],
            )
        ],
        lambda x, f=f: np.stack([f(r) if np.isfinite(r.max()) else r * np.nan for r in x]),
        FLOATS,
        id="special",
    )
case("softmax", [A((4000,), values=[1.0])], softmax, FLOATS, id="many alike")

for a, w in (
    ((3, 4), (5, 4)),
    ((4,), (5, 4)),
    ((2, 3, 4), (5, 4)),
    ((3, 4), (4,)),
    ((0, 4), (5, 4)),
    ((3, 0), (5, 0)),
    ((70, 65), (130, 65)),
):
    case(
        "linear",
        [A(a), A(w)],
        lambda x, w: x @ np.swapaxes(w, -1, -2) if w.ndim > 1 else x @ w,
        FLOATS + COMPLEX,
        id=f"{a}{w}",
    )
    if len(w) == 2:
        case(
            "linear",
            [A(a), A(w), A(w[:1])],
            lambda x, w, b: x @ w.T + b,
            FLOATS + COMPLEX + ("int32",),
            id=f"{a}{w} bias",
            tol={"float16": 4e-3, "bfloat16": 3.2e-2},
            why="the product is rounded before the sum",
        )

for axis in (-1, 0, 1):
    case(
        "glu",
        [A((4, 6, 8), -8, 8)],
        lambda x, axis: np.split(x, 2, axis)[0] * sp.expit(np.split(x, 2, axis)[1]),
        FLOATS,
        axis=axis,
        id=str(axis),
    )
case(
    "glu",
    [A((8,), values=[1, np.inf, -np.inf, np.nan, np.inf, -1e4, 1e4, 0])],
    lambda x: x[:4] * sp.expit(x[4:]),
    FLOATS,
    id="special",
)
case("glu", [A((0, 4))], lambda x: x[:, :2], REALS, id="empty")
case(
    "glu",
    [A((2, 4))],
    lambda x: x[:, :2] * sp.expit(x[:, 2:].astype(np.float64)),
    ("int32",),
    out="float32",
    id="integers",
)
