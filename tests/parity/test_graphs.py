"""Random graphs: fusion never changes a bit, a cached plan takes new scalars and offsets, and
engines agree."""

import dataclasses
import os

import numpy as np
import pytest

from ember_ml import _core as E
from engines import skip_unless_under_test
from harness import call, ENGINES, np_dtype, to_ember, to_numpy

SEEDS = int(os.environ.get("EMBER_GRAPH_SEEDS", "75"))  # of each kind of graph
FIRST = int(os.environ.get("EMBER_GRAPH_FIRST", "0"))
INTS = ("int8", "int16", "int32", "int64", "uint8")
FLOATS = ("float16", "bfloat16", "float32", "float64")
DTYPES = ("bool",) + INTS + FLOATS + ("float32", "float32", "float64", "complex64")
SMALL = (
    (7,),
    (4, 64),
    (3, 5),
    (2, 3, 4),
    (5, 1, 64),
    (1,),
    (),
    (6, 70),
    (33, 65),
    (2, 1, 3, 5),
    (128,),
    (0, 4),
    (3, 0),
    (1, 1),
    (9, 1),
    (16, 16),
)
LARGE = ((300, 257), (70000,), (5, 40, 64), (1100, 3), (2, 66000))
LIMIT = 200_000  # elements per value
# The largest difference between engines, relative to the largest element; the coarsest dtype on a
# value's own path decides.
TOLERANCE = {
    "float16": 6e-2,
    "bfloat16": 0.4,
    "float32": 1e-3,
    "float64": 1e-8,
    "complex64": 1e-3,
    "complex128": 1e-8,
}
EPSILON = {
    "float16": 2.0**-10,
    "bfloat16": 2.0**-7,
    "float32": 2.0**-23,
    "float64": 2.0**-52,
    "complex64": 2.0**-23,
    "complex128": 2.0**-52,
}

UNARY = (
    "abs",
    "negative",
    "sign",
    "square",
    "exp",
    "log",
    "sqrt",
    "sin",
    "cos",
    "tanh",
    "sigmoid",
    "floor",
    "ceil",
    "round",
    "trunc",
    "reciprocal",
    "expm1",
    "log1p",
    "erf",
    "rsqrt",
    "isnan",
    "isfinite",
    "signbit",
    "atan",
    "cbrt",
    "exp2",
    "gelu",
    "silu",
    "bitwise_invert",
    "logical_not",
    "conj",
    "real",
    "imag",
    "popcount",
    "copy",
    "lgamma",
    "asinh",
)
BINARY = (
    "add",
    "subtract",
    "multiply",
    "divide",
    "maximum",
    "minimum",
    "add",
    "subtract",
    "multiply",
    "divide",
    "maximum",
    "minimum",
    "floor_divide",
    "remainder",
    "fmod",
    "pow",
    "atan2",
    "copysign",
    "hypot",
    "logaddexp",
    "nextafter",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "bitwise_left_shift",
    "bitwise_right_shift",
    "logical_and",
    "logical_or",
    "logical_xor",
    "equal",
    "not_equal",
    "less",
    "less_equal",
    "greater",
    "greater_equal",
)
REDUCE = (
    "sum",
    "max",
    "min",
    "mean",
    "sum",
    "max",
    "prod",
    "all",
    "any",
    "var",
    "logsumexp",
    "argmax",
    "count_nonzero",
)
# Ops that round the same way, or are continuous, on every engine.
SMOOTH = (
    "abs",
    "negative",
    "sin",
    "cos",
    "tanh",
    "sigmoid",
    "atan",
    "erf",
    "copy",
    "conj",
    "real",
    "imag",
)
EXACT = ("abs", "negative", "sign", "square", "bitwise_invert", "logical_not", "popcount", "copy")
EXACT_BINARY = (
    "add",
    "subtract",
    "multiply",
    "maximum",
    "minimum",
    "floor_divide",
    "remainder",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "equal",
    "not_equal",
    "less",
    "greater_equal",
)


@dataclasses.dataclass(frozen=True)
class Ref:
    at: int


@dataclasses.dataclass
class Call:
    op: str
    args: list
    kwargs: dict
    other: list | None = None  # the same structure with different scalars and offsets
    pick: int | None = None  # the index of an output


def draw(rng, shape, dtype):
    t = np_dtype(dtype)
    if dtype == "bool":
        return np.asarray(rng.random(shape) < 0.5)
    if dtype in INTS:
        return np.asarray(rng.integers(0 if dtype == "uint8" else -9, 10, shape)).astype(t)
    x = np.asarray(rng.uniform(-2, 2, shape))
    if dtype == "complex64":
        x = x + 1j * rng.uniform(-2, 2, shape)
    return np.asarray(x).astype(t)


def resolve(a, values):
    if isinstance(a, Ref):
        return values[a.at]
    return [resolve(e, values) for e in a] if isinstance(a, list) else a


def apply(c, values, other=False):
    args = resolve(c.other if other and c.other is not None else c.args, values)
    kwargs = {k: resolve(v, values) for k, v in c.kwargs.items()}
    r = args[0][tuple(args[1])] if c.op == "index" else call(c.op, *args, **kwargs)
    return r[c.pick] if c.pick is not None else r


class Graph:
    """A list of calls, each on earlier values.

    `wild`: any op may be there, also those that tell apart what rounding made differ.
    """

    def __init__(self, seed, wild):
        self.rng, self.wild = np.random.default_rng([seed, int(wild)]), wild
        self.values, self.calls, self.leaves = [], [], []
        r = self.rng
        shapes = SMALL if r.random() < 0.75 else LARGE
        self.fusing = self.choose((0, 0.9))  # the fraction of ops that fuse
        self.full = shapes[r.integers(len(shapes))]
        self.dtypes = [DTYPES[k] for k in r.integers(0, len(DTYPES), r.integers(1, 5))]
        for _ in range(r.integers(2, 6)):
            self.leaf(self.broadcastable())
        for _ in range(r.integers(10, 61)):
            for _ in range(20):
                if self.step():
                    break
        n = len(self.values)
        self.kept = sorted({n - 1, *(int(k) for k in r.integers(0, n, r.integers(1, 6)))})
        self.early = {int(k) for k in r.integers(0, n, r.integers(0, 4))}
        self.last = {}
        for i, c in enumerate(self.calls):
            for k in refs(c):
                self.last[k] = i

    def choose(self, seq):
        return seq[self.rng.integers(len(seq))]

    def broadcastable(self):
        shape = [1 if self.rng.random() < 0.2 else d for d in self.full]
        return tuple(
            shape[self.rng.integers(0, len(shape) + 1) if self.rng.random() < 0.3 else 0 :]
        )

    def leaf(self, shape, dtype=None):
        x = draw(self.rng, shape, dtype or self.choose(self.dtypes))
        if self.wild and x.size and x.dtype.kind not in "biuc" and self.rng.random() < 0.4:
            at = self.rng.integers(0, x.size, 4)
            x.reshape(-1)[at] = np.array([0.0, -0.0, np.inf, np.nan], x.dtype)[
                self.rng.permutation(4)
            ]
        self.leaves.append((x, bool(self.rng.random() < 0.25)))
        self.calls.append(len(self.leaves) - 1)
        self.values.append(to_ember(x))
        return Ref(len(self.values) - 1)

    def add(self, op, *args, other=None, pick=None, **kwargs):
        c = Call(op, list(args), kwargs, None if other is None else list(other), pick)
        v = apply(c, self.values)
        if int(np.prod(v.shape)) > LIMIT:
            raise ValueError("large")
        self.calls.append(c)
        self.values.append(v)
        return Ref(len(self.values) - 1)

    def pick(self, kinds=None):
        for _ in range(8):
            k = len(self.values) - 1 - min(int(self.rng.exponential(6)), len(self.values) - 1)
            if kinds is None or self.values[k].dtype in kinds:
                return Ref(k)
        raise ValueError("none")

    def of(self, ref):
        return self.values[ref.at]

    def step(self):
        before = len(self.values)
        try:
            fusing = (
                self.unary,
                self.unary,
                self.unary,
                self.binary,
                self.binary,
                self.binary,
                self.binary,
                self.scalar,
                self.scalar,
                self.cast,
                self.where,
                self.reduce,
                self.reduce,
                self.rows,
            )
            others = (
                self.view,
                self.view,
                self.view,
                self.cut,
                self.cut,
                self.move,
                self.order,
                self.product,
                self.update,
                self.decompose,
                self.fresh,
            )
            self.choose(fusing if self.rng.random() < self.fusing else fusing + others)()
            return True
        except (E.Error, ValueError):
            return len(self.values) > before

    def exact(self, x):
        return self.of(x).dtype in INTS + ("bool",)

    def calm(self, x):
        """Bounds a value where engines are compared."""
        if self.wild or self.exact(x):
            return
        t = self.of(x).dtype
        if t == "complex64":
            self.add("divide", x, self.add("add", self.add("abs", x), 1.0))
        else:
            self.add("tanh", x)

    def unary(self):
        x = self.pick()
        self.add(self.choose(UNARY if self.wild else EXACT if self.exact(x) else SMOOTH), x)

    def binary(self):
        x, y = self.pick(), self.pick()
        if self.wild:
            self.add(self.choose(BINARY), x, y)
        elif self.exact(x) and self.exact(y):
            self.add(self.choose(EXACT_BINARY), x, y)
        elif self.rng.random() < 0.2:
            self.add("divide", x, self.add("add", self.add("abs", y), 2))
        else:
            self.calm(
                self.add(
                    self.choose(
                        ("add", "subtract", "multiply", "maximum", "minimum")
                        if "complex64" not in (self.of(x).dtype, self.of(y).dtype)
                        else ("add", "multiply")
                    ),
                    x,
                    y,
                )
            )

    def scalar(self):
        x = self.pick()
        a, b = (int(k) for k in self.rng.integers(1, 7, 2))
        if not self.exact(x):
            a, b = a + 0.25, b + 0.5
        op = self.choose(("add", "subtract", "multiply", "maximum", "minimum", "divide"))
        if not self.wild and self.of(x).dtype == "complex64":
            op = "add"
        if self.rng.random() < 0.5:
            r = self.add(op, x, a, other=[x, b])
        elif self.wild or op != "divide":
            r = self.add(op, a, x, other=[b, x])
        else:
            return
        self.calm(r)

    def cast(self):
        x = self.pick()
        to = self.choose(DTYPES)
        if (
            not self.wild
            and not self.exact(x)
            and (to in INTS + ("bool",) or self.of(x).dtype == "complex64")
        ):
            raise ValueError
        self.add("astype", x, to)

    def where(self):
        c = self.pick(("bool",) if not self.wild else None)
        self.add(
            "where",
            c if self.of(c).dtype == "bool" else self.add("not_equal", c, 0),
            self.pick(),
            self.pick(),
        )

    def axes(self, x):
        n = len(self.of(x).shape)
        k = self.rng.integers(5) if self.rng.random() >= self.fusing else 2
        if n == 0 or k == 0:
            return None
        if k == 2 and self.fusing:
            return [n - 1]
        if k <= 2:
            return list(range(n - int(self.rng.integers(1, n + 1)), n))
        if k == 3:
            return list(range(int(self.rng.integers(1, n + 1))))
        return sorted({int(a) for a in self.rng.integers(0, n, n)})

    def reduce(self):
        x = self.pick()
        if self.wild:
            op = self.choose(REDUCE)
        else:
            op = self.choose(
                ("sum", "max", "min", "all", "any", "count_nonzero")
                if self.exact(x)
                else ("max", "min", "mean", "mean")
            )
        axis = self.axes(x)
        if op == "argmax":
            axis = axis[0] if axis else None
        self.calm(self.add(op, x, axis=axis, keepdims=bool(self.rng.random() < 0.6)))

    def rows(self):
        x = self.pick(FLOATS)
        op = self.choose(("softmax", "log_softmax", "layer_norm", "rms_norm", "normalize"))
        if op == "softmax" or op == "log_softmax":
            r = self.add(op, x, axis=int(self.rng.integers(0, max(1, len(self.of(x).shape)))))
        elif op == "normalize":
            r = self.add("subtract", x, self.add("mean", x, axis=-1, keepdims=True))
            self.add(
                "divide",
                r,
                self.add(
                    "add",
                    self.add(
                        "sum" if self.wild else "mean",
                        self.add("square", r),
                        axis=-1,
                        keepdims=True,
                    ),
                    1.0,
                    other=[Ref(len(self.values) - 1), 2.0],
                ),
            )
            return
        else:
            r = self.add(op, x, eps=0.5)
        self.calm(r)

    def view(self):
        x = self.pick()
        shape = list(self.of(x).shape)
        n = len(shape)
        k = self.choose(
            ("reshape", "transpose", "broadcast_to", "flip", "expand_dims", "squeeze", "flatten")
        )
        if k == "reshape":
            to = (
                [d for d in shape if d != 1]
                if self.rng.random() < 0.4
                else shape[:-2] + [shape[-2] * shape[-1]]
                if n > 1
                else [d for s in shape for d in ((2, s // 2) if s % 2 == 0 else (s, 1))]
            )
            self.add("reshape", x, to)
        elif k == "flatten":
            self.add("reshape", x, [-1])
        elif k == "transpose":
            self.add("transpose", x, [int(a) for a in self.rng.permutation(n)])
        elif k == "broadcast_to":
            self.add(
                "broadcast_to",
                x,
                [
                    int(self.rng.integers(1, 4)) if d == 1 else d
                    for d in ([1] if self.rng.random() < 0.3 else []) + shape
                ],
            )
        elif k == "flip":
            self.add("flip", x, [int(self.rng.integers(0, n))] if n else None)
        elif k == "expand_dims":
            self.add("expand_dims", x, int(self.rng.integers(0, n + 1)))
        else:
            self.add("squeeze", x, [i for i, d in enumerate(shape) if d == 1])

    def cut(self):
        x = self.pick()
        items, other = [], []
        for d in self.of(x).shape:
            k = self.rng.integers(5)
            if d == 0 or k <= 1:
                items.append(slice(None)), other.append(slice(None))
            elif k == 2:
                items.append(int(self.rng.integers(d))), other.append(int(self.rng.integers(d)))
            else:
                step = int(self.choose((1, 1, 2, 3)))
                n = int(self.rng.integers(1, (d - 1) // step + 2)) if self.rng.random() < 0.9 else 0
                span = (n - 1) * step + 1 if n else 0
                at = [int(self.rng.integers(0, d - span + 1)) for _ in range(2)]
                backwards = self.rng.random() < 0.4 and n
                for p, a in zip((items, other), at):
                    last = a + span - 1
                    p.append(
                        slice(last, a - 1 if a else None, -step)
                        if backwards
                        else slice(a, a + span, step)
                    )
        self.add("index", x, items, other=[x, other])

    def move(self):
        x = self.pick()
        shape = self.of(x).shape
        n = len(shape)
        k = self.choose(("concat", "pad", "take", "roll", "stack", "tile", "cumulative_sum"))
        if k == "concat":
            self.add(
                "concat", [x, self.pick(), x], axis=int(self.rng.integers(0, n))
            ) if n else None
        elif k == "stack":
            same = [Ref(i) for i, v in enumerate(self.values) if v.shape == shape]
            self.add("stack", [x, self.choose(same)], axis=int(self.rng.integers(0, n + 1)))
        elif k == "pad":
            self.add("pad", x, [int(a) for a in self.rng.integers(0, 3, 2 * n)])
        elif k == "take" and n:
            axis = int(self.rng.integers(0, n))
            if not shape[axis]:
                raise ValueError
            i = self.leaf((int(self.rng.integers(1, 9)),), "int64")
            self.leaves[-1] = (self.leaves[-1][0] % shape[axis], False)
            self.values[i.at] = to_ember(self.leaves[-1][0])
            self.add("take", x, i, axis=axis)
        elif k == "roll":
            self.add("roll", x, 1, axis=0)
        elif k == "tile":
            self.add("tile", x, [2])
        elif n and (self.wild or self.exact(x)):
            self.add("cumulative_sum", x, axis=int(self.rng.integers(0, n)))

    def order(self):
        x = self.pick(None if self.wild else INTS + FLOATS)
        n = len(self.of(x).shape)
        if self.wild and self.rng.random() < 0.3:
            self.add("argsort", x, axis=int(self.rng.integers(0, n)))
        else:
            self.add(
                "sort",
                x,
                axis=int(self.rng.integers(0, n)),
                descending=bool(self.rng.random() < 0.5),
            )

    def product(self):
        x = self.pick(FLOATS + ("complex64", "int32"))
        shape = self.of(x).shape
        if len(shape) < 2 or np.prod(shape) > 90_000:
            raise ValueError
        y = self.leaf((shape[-1], int(self.rng.integers(1, 9))), self.of(x).dtype)
        self.calm(self.add("matmul", x, y))

    def update(self):
        x = self.pick()
        shape = self.of(x).shape
        u = self.leaf(tuple(max(1, d // 3) for d in shape), self.of(x).dtype)
        at = [[int(self.rng.integers(0, d - max(1, d // 3) + 1)) for d in shape] for _ in range(2)]
        if self.rng.random() < 0.5:
            u = self.add("multiply", u, u)
        self.add("slice_update", x, u, at[0], other=[x, u, at[1]])

    def decompose(self):
        if self.rng.random() < 0.6:
            raise ValueError
        x = self.leaf((int(self.rng.integers(2, 7)), 4), self.choose(("float32", "float64")))
        self.leaves[-1] = (np.nan_to_num(self.leaves[-1][0], posinf=1, neginf=1), False)
        self.values[x.at] = to_ember(self.leaves[-1][0])
        y = self.add("multiply", x, 2.0, other=[x, 3.0])
        if self.rng.random() < 0.5:
            if self.wild:
                self.add("qr", y, pick=0)
            self.add("qr", y, pick=1)
            self.add("abs", Ref(len(self.values) - 1))
        else:
            s = self.add("svd", y, pick=1)
            self.add("tanh", s)

    def fresh(self):
        k = self.rng.integers(3)
        if k == 0:
            self.leaf(self.broadcastable())
        elif k == 1:
            self.add("full", list(self.full), 1.5)
        else:
            self.add("arange", 0, int(np.prod(self.full[-1:])))


def refs(c):
    found = []

    def look(a):
        if isinstance(a, Ref):
            found.append(a.at)
        elif isinstance(a, list):
            for e in a:
                look(e)

    if isinstance(c, Call):
        look(c.args), look(list(c.kwargs.values()))
    return found


def evaluate(g, eager=False, other=False, early=(), together=True, engines=None):
    """The kept values.

    eager: every op by itself, nothing dropped; else values go as soon as nothing needs them.
    """
    values, kept = {}, set(g.kept)
    for i, c in enumerate(g.calls):
        if engines:
            E.set_backend(engines[hash((i, len(g.calls))) % len(engines)])
        values[i] = to_ember(*g.leaves[c]) if isinstance(c, int) else apply(c, values, other)
        if eager or i in early:
            E.eval([values[i]])
        if not eager:
            for k in {*refs(c), i}:
                if g.last.get(k, -1) <= i and k not in kept:
                    values.pop(k, None)
    if together:
        E.eval([values[k] for k in g.kept])
    return [to_numpy(values[k]) for k in (g.kept if together else g.kept[::-1])][
        :: 1 if together else -1
    ]


def bits(x):
    """Whether the arrays are bit-identical; NaNs are equal."""
    nan = np.isnan(x) if x.dtype.kind not in "biu" else None
    if x.dtype.kind == "c":
        x = np.ascontiguousarray(x).view(np.float32 if x.dtype == np.complex64 else np.float64)
        nan = np.isnan(x)
    if nan is not None and nan.any():
        x = np.where(nan, np.array(np.nan, x.dtype), x).astype(x.dtype)
    return x.tobytes()


def same(g, want, got, what):
    for k, w, v in zip(g.kept, want, got):
        if w.shape != v.shape or w.dtype != v.dtype or bits(w) != bits(v):
            bad = (
                ""
                if w.shape != v.shape
                else np.argwhere(~((w == v) | ((w != w) & (v != v))))[:3].tolist()
            )
            raise AssertionError(f"{what}: value {k}, {g.calls[k]}, {w.dtype}{w.shape}, at {bad}")


def fused(g):
    E.set_backend("native")
    for other in (False, True):  # the second run uses plans from the cache
        want = evaluate(g, eager=True, other=other)
        same(g, want, evaluate(g, other=other), "fused")
        same(g, want, evaluate(g, other=other, early=g.early), "some evaluated early")
        same(g, want, evaluate(g, other=other, together=False), "one after the other")
        same(g, want, evaluate(g, other=other, early=range(len(g.calls))), "op by op in place")
    return want


def build(seed, wild):
    E.set_backend("native")
    return Graph(seed, wild)


def largest(x):
    x = np.abs(
        np.asarray(x).astype(np.complex128 if np.asarray(x).dtype.kind == "c" else np.float64)
    )
    return np.max(x[np.isfinite(x)], initial=0.0)


DERIVATIVE = {
    "sin": np.cos,
    "cos": np.sin,
    "tanh": lambda z: 1 / np.cosh(z) ** 2,
    "sigmoid": lambda z: 0.25 / np.cosh(z / 2) ** 2,
    "atan": lambda z: 1 / (1 + z * z),
    "erf": lambda z: 1.2 * np.exp(-z * z),
}


def slope(op, z):
    """A bound of |f'|.

    Smooth functions of real arguments are no steeper than erf; complex ones have poles.
    """
    if z.dtype.kind != "c" or op not in DERIVATIVE:
        return 1.2
    with np.errstate(all="ignore"):
        return 2 * largest(DERIVATIVE[op](z.astype(np.complex128)))


def propagate_errors(c, args, errors, result):
    """A first-order bound of the error of a call's result, given its arguments' errors; both are
    absolute errors of the largest element."""
    x, y = ([largest(a) for a in args] + [0.0, 0.0])[:2]
    ex, ey = (errors + [0.0, 0.0])[:2]
    if c.op in SMOOTH:
        return slope(c.op, args[0]) * ex
    if c.op == "multiply":
        return x * ey + y * ex + ex * ey
    if c.op == "square":
        return 2 * x * ex + ex * ex
    if c.op == "divide":
        least = np.min(np.abs(args[1].astype(np.complex128)), initial=np.inf)
        return ex / least + x * ey / least**2
    if c.op in ("add", "subtract", "log_softmax"):
        return ex + ey if c.op != "log_softmax" else 2 * ex
    if c.op in ("layer_norm", "rms_norm"):  # x / sqrt(v + 1/2) divides by at least sqrt(1/2)
        return 1.5 * ex * (2 + 2 * largest(result))
    if c.op == "matmul":
        return args[0].shape[-1] * (x * ey + y * ex)
    if c.op == "svd":
        return args[0].size ** 0.5 * ex
    # Movement, selection, sorting and averages do not increase the error.
    return max(errors, default=0.0)


def rounding(c, args, dtype, result):
    """The difference between two engines' results for the same inputs: ulps of the largest
    element."""
    if dtype not in EPSILON:
        return 0.0
    places = {
        "matmul": 4 + args[0].shape[-1] if c.op == "matmul" else 0,
        "mean": 16,
        "layer_norm": 16,
        "rms_norm": 16,
        "softmax": 16,
        "log_softmax": 16,
        "qr": 2000,
        "svd": 100,
    }.get(c.op, 4)
    top = largest(result)
    if c.op in ("mean", "layer_norm", "matmul", "log_softmax"):  # terms may cancel
        top = max(top, *(largest(a) for a in args[:2]))
    return places * EPSILON[dtype] * top


def bounds(g):
    """Of each value, how far engines may differ: its arguments' errors, propagated, and the
    rounding of its own dtype.

    Largest elements overestimate that in long chains of products, so TOLERANCE limits it.
    """
    E.set_backend("native")
    values, errors, most, limits = [], [], [], []
    for c in g.calls:
        if isinstance(c, int):
            values.append(to_ember(*g.leaves[c]))
            error, tolerance = 0.0, 0.0
        else:
            values.append(apply(c, values, True))
            E.eval([values[-1]])
            given = [
                a for arg in (c.other or c.args) for a in (arg if isinstance(arg, list) else [arg])
            ]
            given = [
                a for a in given if isinstance(a, (Ref, int, float)) and not isinstance(a, bool)
            ]
            refs_of = [a.at for a in given if isinstance(a, Ref)]
            args = [to_numpy(values[a.at]) if isinstance(a, Ref) else np.asarray(a) for a in given]
            before = [errors[a.at] if isinstance(a, Ref) else 0.0 for a in given]
            dtype, result = str(values[-1].dtype), to_numpy(values[-1])
            error = tolerance = 0.0
            if dtype in EPSILON:
                error = propagate_errors(c, args, before, result) + rounding(c, args, dtype, result)
                tolerance = max(TOLERANCE[dtype], *(most[k] for k in refs_of), 0.0)
        errors.append(error)
        most.append(tolerance)
        limits.append(min(error, tolerance * max(1, largest(to_numpy(values[-1])))))
    return limits


def agree(g, want, got, limits, engine):
    for k, w, v in zip(g.kept, want, got):
        what = f"{engine}: value {k}, {g.calls[k]}, {w.dtype}{w.shape}"
        assert w.shape == v.shape and w.dtype == v.dtype, what
        if w.dtype.kind in "biu":
            assert np.array_equal(w, v), what
        elif w.size:
            wide = np.complex128 if w.dtype.kind == "c" else np.float64
            w, v = w.astype(wide), v.astype(wide)
            with np.errstate(invalid="ignore"):
                d = np.where((w == v) | (np.isnan(w) & np.isnan(v)), 0, np.abs(w - v))
            assert d.max() <= limits[k], f"{what}: {d.max()}, {limits[k]} allowed"


@pytest.mark.parametrize("seed", range(FIRST, FIRST + SEEDS))
def test_fusion_keeps_bits(seed):
    fused(build(seed, True))


@pytest.mark.parametrize("seed", range(FIRST, FIRST + SEEDS))
def test_engines_agree(seed):
    g = build(seed, False)
    want, limits = fused(g), bounds(g)
    for engine in ENGINES:
        if engine != "native":
            E.set_backend(engine)
            agree(g, want, evaluate(g, other=True), limits, engine)
            agree(
                g,
                want,
                evaluate(g, other=True, engines=("native", engine)),
                limits,
                f"native and {engine}",
            )


def op_by_op(f, *leaves):
    """f's results, lazily and with every call evaluated at once."""

    def now(name, *args, **kwargs):
        r = call(name, *args, **kwargs)
        E.eval([r])
        return r

    E.set_backend("native")
    got, want = f(call, *leaves), f(now, *leaves)
    E.eval(got)
    for k, (g, w) in enumerate(zip(got, want)):
        assert bits(to_numpy(g)) == bits(to_numpy(w)), f"result {k}"
    return got


def test_one_value_beside_an_empty_one():
    x, s = to_ember(np.zeros((0, 4), np.float32)), to_ember(np.array([2.0], np.float32))
    r = op_by_op(lambda call, x, s: [call("add", x, s), call("multiply", s, s)], x, s)
    assert to_numpy(r[1]).tolist() == [4.0]


@pytest.mark.parametrize("first", ["maximum", "minimum"])
@pytest.mark.parametrize("second", ["maximum", "minimum"])
def test_zeros_keep_their_signs(first, second):
    a, b = (to_ember(np.array(v * 40, np.float32)) for v in ([0.0, -0.0], [-0.0, 0.0]))
    op_by_op(lambda call, a, b: [call(second, a, call(first, a, b))], a, b)
    op_by_op(lambda call, a, b: [call(first, a, b), call(first, b, a)], a, b)


@pytest.mark.parametrize("shape", [(2900, 3100), (3000, 3072)])
def test_results_past_the_caches(shape):
    x = to_ember(np.random.default_rng(0).standard_normal(shape).astype(np.float32))

    def f(call, x):
        y = call("subtract", x, call("max", x, axis=-1, keepdims=True))
        return [y, call("sum", y, axis=-1), call("add", call("multiply", x, x), 1.0)]

    op_by_op(f, x)


@pytest.mark.parametrize("n", [4097, 9000])
def test_more_nodes_than_a_group_takes(n):
    def f(call, x):
        values = [x]
        for i in range(n):
            j = max(0, len(values) - 1 - i * 7 % 50)
            values.append(
                call("tanh", values[j])
                if i % 7 == 0
                else call(("add", "maximum", "subtract", "minimum")[i % 4], values[j], values[-1])
            )
        return [values[n // 2], values[-1]]

    op_by_op(f, to_ember(np.random.default_rng(0).standard_normal((7, 70)).astype(np.float32)))


@pytest.mark.parametrize("n", [65535, 65536, 65537])
@pytest.mark.parametrize("dtype", ["float32", "float16", "int8", "complex64"])
def test_rows_at_the_limit(n, dtype):
    x = to_ember((np.arange(2 * n) % 3).reshape(2, n).astype(np_dtype(dtype)))
    op_by_op(
        lambda call, x: [call("sum", call("add", x, x), axis=-1), call("sum", call("add", x, x))], x
    )


def test_a_failed_run_changes_nothing():
    E.set_backend("native")
    x = call("multiply", to_ember(np.arange(1, 13, dtype=np.float32).reshape(3, 4)), 2.0)
    E.eval([x])
    y = call("add", x, 1.0)
    del x
    bad, good = call("take", y, to_ember(np.array([0, 9])), axis=0), call("multiply", y, 3.0)
    del y
    for _ in range(2):
        with pytest.raises(E.Error):
            E.eval([bad, good])
    assert np.array_equal(to_numpy(good), (np.arange(1, 13).reshape(3, 4) * 2 + 1) * 3)


def test_engines_that_need_each_other():
    """A value is evaluated before its own slice, for another value, and its handle is dropped:
    nobody may read it again."""
    skip_unless_under_test("numpy")

    def on(engine, name, *args):
        E.set_backend(engine)
        return call(name, *args)

    x = to_ember(np.arange(6, dtype=np.float32))
    first = on("numpy", "multiply", on("native", "add", x, 1.0), 2.0)
    second = on("native", "subtract", first, 1.0)
    # Bodies reuse the memory of dropped nodes.
    third = on(
        "native", "softmax", on("native", "layer_norm", on("numpy", "multiply", second, 3.0))
    )
    root = on("native", "add", on("numpy", "multiply", third, 0.0), second)
    del first, second, third
    assert np.array_equal(to_numpy(root), (np.arange(6) + 1) * 2 - 1)
