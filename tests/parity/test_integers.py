"""Integer ops at the limits of every integer dtype, and where squares and casts to floats
overflow, compared with exact numbers."""

import warnings

import numpy as np
import pytest

from harness import ENGINES, INTS, call, to_ember, to_numpy
from ember_ml import _core as E


def values(dtype):
    """Both limits, 0, and the neighbours of powers of two and of their square roots."""
    info = np.iinfo(dtype)
    around = [
        0,
        3_037_000_499,
        *(2**k for k in (4, 7, 8, 11, 15, 16, 24, 31, 32, 46, 53, 62, 63)),
        181,
        46_340,
        info.min,
        info.max,
    ]
    found = {sign * (v + d) for v in around for d in (-1, 0, 1) for sign in (1, -1)}
    return np.array(sorted(v for v in found if info.min <= v <= info.max), dtype)


def wrapped(v, dtype):
    bits = np.iinfo(dtype).bits
    v &= (1 << bits) - 1
    return v - (1 << bits) if np.iinfo(dtype).min < 0 and v >> (bits - 1) else v


def exact(f):
    """An elementwise reference with Python's integers, converted to the dtype as two's
    complement."""
    return lambda *arrays: np.array(
        [wrapped(int(f(*map(int, v))), arrays[0].dtype) for v in zip(*arrays)], arrays[0].dtype
    )


def shifted(right):
    def f(a, by):
        bits = a.dtype.itemsize * 8
        out = [
            (int(v) >> int(b) if right else int(v) << int(b))
            if 0 <= b < bits
            else (-1 if right and v < 0 else 0)
            for v, b in zip(a, by)
        ]
        return np.array([wrapped(v, a.dtype) for v in out], a.dtype)

    return f


UNARY = {
    "abs": exact(abs),
    "negative": exact(lambda v: -v),
    "square": exact(lambda v: v * v),
    "sign": exact(lambda v: (v > 0) - (v < 0)),
    "positive": exact(lambda v: v),
    "bitwise_invert": exact(lambda v: ~v),
    "logical_not": lambda x: x == 0,
    "isfinite": lambda x: x == x,
    "isnan": lambda x: x != x,
    "isinf": lambda x: x != x,
    "floor": exact(lambda v: v),
    "ceil": exact(lambda v: v),
    "trunc": exact(lambda v: v),
    "round": exact(lambda v: v),
}
BINARY = {
    "add": exact(lambda a, b: a + b),
    "subtract": exact(lambda a, b: a - b),
    "multiply": exact(lambda a, b: a * b),
    "maximum": exact(max),
    "minimum": exact(min),
    "bitwise_and": exact(lambda a, b: a & b),
    "bitwise_or": exact(lambda a, b: a | b),
    "bitwise_xor": exact(lambda a, b: a ^ b),
    "equal": np.equal,
    "not_equal": np.not_equal,
    "less": np.less,
    "less_equal": np.less_equal,
    "greater": np.greater,
    "greater_equal": np.greater_equal,
    "logical_and": np.logical_and,
    "logical_or": np.logical_or,
    "logical_xor": np.logical_xor,
    "floor_divide": exact(lambda a, b: a // b if b else 0),
    "remainder": exact(lambda a, b: a % b if b else 0),
    "fmod": exact(lambda a, b: (abs(a) % abs(b)) * (-1 if a < 0 else 1) if b else 0),
    "bitwise_left_shift": shifted(False),
    "bitwise_right_shift": shifted(True),
}
REDUCTIONS = {
    "max": lambda x: x.max(-1),
    "min": lambda x: x.min(-1),
    "ptp": lambda x: exact(lambda a, b: a - b)(x.max(-1), x.min(-1)),
    "argmax": lambda x: x.argmax(-1),
    "argmin": lambda x: x.argmin(-1),
    "all": lambda x: x.all(-1),
    "any": lambda x: x.any(-1),
    "count_nonzero": lambda x: np.count_nonzero(x, -1),
    "cummax": lambda x: np.maximum.accumulate(x, -1),
    "cummin": lambda x: np.minimum.accumulate(x, -1),
    "sort": lambda x: np.sort(x, -1),
    "argsort": lambda x: np.argsort(x, -1, kind="stable"),
    "cumulative_sum": lambda x: np.cumsum(x, -1),
    "cumulative_prod": lambda x: np.cumprod(x, -1),
    "sum": lambda x: x.sum(-1),
    "prod": lambda x: x.prod(-1),
}


def check(engine, op, arrays, want, **more):
    with E.using_backend(engine):
        got = to_numpy(call(op, *(to_ember(x) for x in arrays), **more))
    want = np.asarray(want)
    assert got.shape == want.shape
    wrong = np.flatnonzero((got != want.astype(got.dtype)).ravel())
    if wrong.size:
        at = wrong[0]
        operands = [x.ravel()[at] if x.shape == got.shape else x[at] for x in arrays]
        raise AssertionError(
            f"{op} {arrays[0].dtype} of {operands}: {got.ravel()[at]}, expected {want.ravel()[at]} ({wrong.size} wrong)"
        )


def sweep(engine, ops, arrays_of, dtypes=INTS, **more):
    failures = []
    for op, reference in ops.items():
        for dtype in dtypes:
            arrays = arrays_of(dtype)
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                want = reference(*arrays)
            try:
                check(engine, op, arrays, want, **more)
            except Exception as e:
                failures.append(f"{op} {dtype}: {e}")
    assert not failures, "\n".join(failures)


@pytest.mark.parametrize("engine", ENGINES)
def test_one_operand(engine):
    sweep(engine, UNARY, lambda t: [values(t)])


@pytest.mark.parametrize("engine", ENGINES)
def test_two_operands(engine):
    def pairs(dtype):
        v = values(dtype)
        return [x.ravel() for x in np.meshgrid(v, v, indexing="ij")]

    sweep(engine, BINARY, pairs)


@pytest.mark.parametrize("engine", ENGINES)
def test_reductions_of_rows(engine):
    def rows(dtype):
        v = values(dtype)
        return [np.stack([np.roll(v, k)[:5] for k in range(len(v))])]

    sweep(engine, REDUCTIONS, rows, axis=-1)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("dtype", ["int32", "uint32", "int64", "uint64"])
def test_variance_beyond_float32(engine, dtype):
    x = np.array([2**30, 2**30 - 1, 2**30 + 1, 2**30 + 7], dtype)
    with E.using_backend(engine):
        for op, f in (("var", np.var), ("std", np.std), ("cov", np.cov)):
            got = to_numpy(call(op, to_ember(x)))
            assert got.dtype == np.float32 and np.allclose(
                got, f(x.astype(np.float64)), rtol=1e-6
            ), (op, got)


def shuffled(dtype, count):
    v = values(dtype)
    return [np.random.default_rng(k).permutation(v) for k in range(count)]


@pytest.mark.parametrize("engine", ENGINES)
def test_casts(engine):
    for to in INTS:
        sweep(engine, {"astype": lambda x: x.astype(to)}, lambda t: [values(t)], dtype=to)


@pytest.mark.parametrize("engine", ENGINES)
def test_choices(engine):
    sweep(
        engine, {"clip": lambda x, a, b: np.minimum(np.maximum(x, a), b)}, lambda t: shuffled(t, 3)
    )
    sweep(engine, {"where": np.where}, lambda t: [values(t) > 1, *shuffled(t, 2)])
    sweep(
        engine,
        {"searchsorted": lambda x, v: np.searchsorted(x, v)},
        lambda t: [values(t), *shuffled(t, 1)],
    )
    sweep(engine, {"diff": np.diff}, lambda t: shuffled(t, 1))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("reduction", ["max", "min", "add", "mul"])
def test_scatters(engine, reduction):
    combine = {"max": np.maximum, "min": np.minimum, "add": np.add, "mul": np.multiply}[reduction]

    def reference(x, i, u):
        out = x.copy()
        combine.at(out, i, u)
        return out

    def operands(dtype):
        x, u = shuffled(dtype, 2)
        return [x, np.arange(len(x)) % 3, u]

    sweep(engine, {"scatter_elements": reference}, operands, reduction=reduction)
