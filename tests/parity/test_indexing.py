"""x[...] against NumPy's: a table of index expressions, and random ones.

What NumPy refuses, Ember refuses.
"""

import numpy as np
import pytest

from ember_ml import _core as E
from harness import ENGINES, to_ember, to_numpy

I = lambda *v: np.array(v, np.int64)
B = lambda *v: np.array(v, np.bool_)
S = np.s_
X = np.arange(5 * 4 * 3).reshape(5, 4, 3)
MASK = X % 4 == 1
BIG = 2**63 - 1
EXPRESSIONS = [
    # Integers, slices, new axes, the ellipsis.
    S[()],
    S[0],
    S[-1],
    S[4, 3, 2],
    S[-5, -4, -3],
    S[...],
    S[..., 0],
    S[0, ...],
    S[0, ..., 0],
    S[1:3],
    S[::2],
    S[::-1],
    S[::-2],
    S[3:0:-1],
    S[-2:],
    S[:-2],
    S[10:],
    S[:10],
    S[-99:99],
    S[3:1],
    S[1:1],
    S[:, 1],
    S[:, :, 1],
    S[:, 1:3, ::2],
    S[::-1, ::-1, ::-1],
    S[4:None:-2, ..., 0:1],
    S[None],
    S[:, None],
    S[..., None],
    S[None, 0, None, :, None],
    S[None, ..., None],
    S[BIG : -BIG - 1 : -1],
    S[-BIG - 1 : BIG],
    S[::BIG],
    S[::-BIG],
    S[0:5:BIG],
    S[2:-BIG:-3],
    S[:, -1:-BIG:-1],
    # One index array.
    S[I(0, 2, 4)],
    S[I(-1, -5, 0)],
    S[I()],
    S[:, I(1, 1, 3)],
    S[..., I(2, 0)],
    S[:, :, I([0, 1], [2, 2])],
    S[I([0], [1])],
    S[1, I(0, 3)],
    S[I(0, 3), 1],
    S[:, I(0, 3), 1],
    S[:, 1, I(0, 2)],
    S[::-1, I(0, 2)],
    S[1:4, I(0, 2), ::2],
    S[None, I(0, 1)],
    S[I(0, 1), None],
    S[0, :, I(0, 1)],
    S[I(0, 1), :, 0],
    S[:, None, I(0, 1)],
    S[np.int64(2)],
    S[I(3).reshape(())],
    S[:, I(3).reshape(())],
    S[I(3).reshape(()), :, I(0, 1)],
    # Several index arrays.
    S[I(0, 1), I(2, 3)],
    S[I(0, 1), I(2, 3), I(0, -1)],
    S[I(0, 1), :, I(0, 2)],
    S[:, I(0, 1), I(0, 2)],
    S[I([0], [4]), I(1, 2, 3)],
    S[I([0], [4]), :, I(1, 2, 0)],
    S[:, I([0], [3]), I(1, 2, 0)],
    S[I(0, 1), 2, I(0, 2)],
    S[0, I(0, 1), I(0, 2)],
    S[I(0, 1), None, I(0, 2)],
    S[None, I(0, 1), I(0, 2)],
    S[I(0, 1), I(0, 2), None],
    S[..., I(0, 1), I(0, 2)],
    S[I(0, 1), ..., I(0, 2)],
    S[I(0), I(0), I(0, 1, 2)],
    S[I(0, 1), 1:3, I(0, 2)],
    S[1:3, I(0, 1), I(0, 2)],
    S[I(), I()],
    S[I().reshape(0, 3)],
    S[I(0, 1), I(1), ::-1],
    # Masks.
    S[MASK],
    S[MASK[:, :, 0]],
    S[B(1, 0, 1, 0, 0)],
    S[:, B(1, 0, 0, 1)],
    S[..., B(0, 1, 1)],
    S[B(0, 0, 0, 0, 0)],
    S[1, MASK[1]],
    S[:, MASK[0]],
    S[B(1, 0, 1, 0, 0), I(0, 1)],
    S[B(1, 0, 1, 0, 0), :, I(0, 1)],
    S[MASK[:, :, 0], I(0, 2)[:1]],
    S[MASK[:, :, 0], None],
    S[None, MASK],
    S[B(1, 1, 0, 0, 0), B(1, 0, 0, 1)],
    S[B(1, 0, 1, 0, 0), 1],
    S[::2, B(1, 0, 0, 1), ::-1],
    S[~MASK],
    S[MASK & False],
]
REFUSED = [
    S[5],
    S[-6],
    S[0, 4],
    S[0, 0, 3],
    S[0, 0, 0, 0],
    S[..., ...],
    S[:, :, :, :],
    S[I(5)],
    S[:, I(-5)],
    S[I(0, 1), I(0, 1, 2)],
    S[B(1, 0)],
    S[B(1, 0, 1, 0, 0, 1)],
    S[MASK, 0],
    S[:, MASK],
    S[np.array([0.5])],
    S[np.array([np.nan])],
    S[BIG],
    S[-BIG - 1],
    S[I(2**32 + 1)],
    S[I(-BIG - 1)],
    S[I(0, 9), I(0, 0)],
    S[B(1, 1, 1, 0, 0), B(1, 0, 0, 1)],
]


def items(expression):
    expression = expression if isinstance(expression, tuple) else (expression,)
    return [
        to_ember(i) if isinstance(i, (np.ndarray,)) else int(i) if isinstance(i, np.integer) else i
        for i in expression
    ]


def name(expression):
    return str(expression).replace("array", "")[:80]


def same(x, expression, strided=False):
    got = to_numpy(to_ember(x, strided)[tuple(items(expression))])
    want = x[expression]
    assert got.shape == want.shape and got.dtype == want.dtype and np.array_equal(got, want), (
        f"{got}\nexpected\n{want}"
    )


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("dtype", ["int64", "float32", "bool", "int16", "complex128"])
@pytest.mark.parametrize("expression", EXPRESSIONS, ids=name)
def test_index(engine, dtype, expression):
    E.set_backend(engine)
    same(X.astype(dtype), expression)
    same(X.astype(dtype), expression, strided=True)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    "expression", [S[()], S[...], S[None], S[..., None], S[None, ..., None]], ids=name
)
def test_0d(engine, expression):
    E.set_backend(engine)
    same(np.array(3.5, np.float32), expression)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    "expression",
    [
        S[:],
        S[:, 1],
        S[::-1],
        S[I()],
        S[:, I(0, 2)],
        S[B().reshape(0)],
        S[None],
        S[:, None, ::2],
        S[np.zeros((0, 3), np.bool_)],
    ],
    ids=name,
)
def test_empty(engine, expression):
    E.set_backend(engine)
    same(np.zeros((0, 3), np.float32), expression)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("expression", REFUSED, ids=name)
def test_invalid_indices_raise(engine, expression):
    E.set_backend(engine)
    with pytest.raises((IndexError, ValueError)):
        X[expression]
    with pytest.raises((E.IndexError, E.ShapeError, E.ValueError, E.DTypeError)) as e:
        to_ember(X)[tuple(items(expression))].eval()
    assert str(e.value).startswith("["), e.value
    same(X, S[1, 2])


def random_expression(rng, shape):
    """Items for a random part of the axes; index arrays may broadcast with each other."""
    common = tuple(rng.integers(0, 4, rng.integers(0, 3)))
    out, axis = [], 0
    while axis < len(shape):
        n, kind = shape[axis], rng.integers(0, 9)
        if kind == 0:
            out.append(int(rng.integers(-n, n)))
        elif kind <= 3:
            bound = lambda: None if rng.random() < 0.4 else int(rng.integers(-n - 2, n + 3))
            out.append(slice(bound(), bound(), int(rng.choice([-3, -2, -1, 1, 2, 3]))))
        elif kind <= 5:
            s = (
                common
                if rng.random() < 0.7
                else tuple(d if rng.random() < 0.5 else 1 for d in common)
            )
            out.append(rng.integers(-n, n, s))
        elif kind == 6 and not any(isinstance(i, np.ndarray) for i in out):
            out.append(rng.random(n) < 0.5)
        elif (
            kind == 7 and axis + 2 <= len(shape) and not any(isinstance(i, np.ndarray) for i in out)
        ):
            out.append(rng.random(shape[axis : axis + 2]) < 0.5)
            axis += 1
        else:
            out.append(None)
            axis -= 1
        axis += 1
        if rng.random() < 0.1:
            break
    if Ellipsis not in [i for i in out if not isinstance(i, np.ndarray)] and rng.random() < 0.3:
        out.append(Ellipsis)
    return tuple(np.asarray(i) if isinstance(i, np.integer) else i for i in out)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("seed", range(20))
def test_random_expressions(engine, seed):
    E.set_backend(engine)
    rng = np.random.default_rng(seed)
    for _ in range(60):
        x = rng.standard_normal(tuple(rng.integers(1, 6, rng.integers(1, 5)))).astype(np.float32)
        expression = random_expression(rng, x.shape)
        try:
            x[expression]
        except (IndexError, ValueError):
            with pytest.raises(E.Error):
                to_ember(x)[tuple(items(expression))].eval()
            continue
        try:
            same(x, expression, strided=rng.random() < 0.3)
        except Exception as e:
            raise AssertionError(f"{x.shape} {expression}: {e}") from e


@pytest.mark.parametrize("engine", ENGINES)
def test_large_arrays(engine):
    E.set_backend(engine)
    rng = np.random.default_rng(0)
    x = rng.standard_normal((300, 257)).astype(np.float32)
    for e in (
        S[::-1, ::3],
        S[x > 0],
        S[rng.integers(-300, 300, 5000)],
        S[:, rng.integers(0, 257, 999)],
        S[rng.integers(0, 300, 70000), rng.integers(0, 257, 70000)],
        S[x[:, 0] > 0, 5],
    ):
        same(x, e)
        same(x, e, strided=True)
