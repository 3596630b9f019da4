"""Cases as data: an op, its arguments, and a reference that does not know Ember.

Every case runs on every engine and dtype.
"""

import dataclasses
import itertools
import os
import typing
import zlib

import ml_dtypes
import numpy as np

from ember_ml import _core as E

FLOATS = ("float16", "bfloat16", "float32", "float64")
REALS = ("float32", "float64")
COMPLEX = ("complex64", "complex128")
SIGNED = ("int8", "int16", "int32", "int64")
UNSIGNED = ("uint8", "uint16", "uint32", "uint64")
INTS = SIGNED + UNSIGNED
NUMERIC = INTS + FLOATS + COMPLEX
REAL_NUMERIC = INTS + FLOATS
ALL = ("bool",) + NUMERIC
ENGINES = os.environ.get("EMBER_TEST_ENGINES", "native numpy torch mlx onnxruntime").split()

# Relative to the element or to the root mean square of the result, whichever is larger.
TOLERANCE = {
    "float16": 2e-3,
    "bfloat16": 1.6e-2,
    "float32": 1e-5,
    "float64": 1e-12,
    "complex64": 1e-5,
    "complex128": 1e-12,
}


def np_dtype(name):
    return np.dtype({"bool": np.bool_, "bfloat16": ml_dtypes.bfloat16}.get(name, name))


def call(op, *args, **kwargs):
    return E.functions[op](*args, **kwargs)


def to_ember(x, strided=False):
    """An Ember tensor of a NumPy array; strided: a view with negative steps over a reversed copy."""
    x = np.asarray(x)
    if not strided or x.ndim == 0:
        return E.asarray(x)
    flipped = np.ascontiguousarray(x[(slice(None, None, -1),) * x.ndim])
    return E.asarray(flipped)[(slice(None, None, -1),) * x.ndim]


def to_numpy(t):
    return np.frombuffer(t.tobytes(), np_dtype(str(t.dtype))).reshape(t.shape)


@dataclasses.dataclass
class A:
    """A random array: normal numbers, small integers, or values from a range or a list."""

    shape: tuple = (3, 4)
    low: float | None = None
    high: float | None = None
    values: typing.Sequence | None = None
    dtype: str | None = None  # overrides the case's dtype

    def draw(self, rng, dtype):
        dtype = self.dtype or dtype
        n = int(np.prod(self.shape))
        t = np_dtype(dtype)
        if self.values is not None:
            return np.resize(np.asarray(self.values), n).reshape(self.shape).astype(t)
        if dtype == "bool":
            return np.asarray(rng.random(self.shape) < 0.5)
        if dtype in INTS or dtype in ("int4", "uint4"):
            low = self.low if self.low is not None else (0 if dtype.startswith("u") else -5)
            high = self.high if self.high is not None else 6
            low = max(low, np.iinfo(t).min)
            return np.asarray(
                rng.integers(
                    int(np.ceil(low)), max(int(np.floor(high)), int(np.ceil(low)) + 1), self.shape
                )
            ).astype(t)
        if self.low is not None or self.high is not None:
            draw = lambda: rng.uniform(
                self.low if self.low is not None else -1,
                self.high if self.high is not None else 1,
                self.shape,
            )
        else:
            draw = lambda: rng.standard_normal(self.shape)
        if dtype in COMPLEX:
            return np.asarray(draw() + 1j * draw()).astype(t)
        return np.asarray(draw()).astype(t)


def wide(x):
    """Converts to the widest dtype of the kind, in which references compute."""
    if not isinstance(x, np.ndarray):
        return x
    if x.dtype == np.bool_ or x.dtype.kind in "iu":
        return x
    return x.astype(np.complex128 if x.dtype.kind == "c" else np.float64)


@dataclasses.dataclass
class Case:
    op: str
    args: list
    # Called with the arguments as widened arrays; returns an array or a list of arrays.
    ref: typing.Callable
    dtypes: tuple = REALS
    kwargs: dict = dataclasses.field(default_factory=dict)
    out: typing.Any = (
        None  # the result's dtype: a name, or a function of the case's; None: the case's dtype
    )
    tol: dict | float | None = None  # with its reason in `why`
    why: str = ""
    engines: tuple | None = None
    check: typing.Callable | None = None  # replaces the comparison: check(outputs, arrays, dtype)
    id: str = ""


CASES = []


def case(op, args, ref, dtypes=REALS, **more):
    fields = {f.name for f in dataclasses.fields(Case)}
    own = {k: more.pop(k) for k in list(more) if k in fields}
    CASES.append(
        Case(op, list(args), ref, tuple(dtypes), kwargs={**own.pop("kwargs", {}), **more}, **own)
    )


def draw(c, dtype, seed=0):
    rng = np.random.default_rng(zlib.crc32(f"{c.op}{c.id}{dtype}{seed}".encode()))

    def make(a):
        if isinstance(a, A):
            return a.draw(rng, dtype)
        if isinstance(a, (list, tuple)) and any(isinstance(e, A) for e in a):
            return [make(e) for e in a]
        return a

    return [make(a) for a in c.args], {k: make(v) for k, v in c.kwargs.items()}


def convert(v, f):
    if isinstance(v, np.ndarray) or isinstance(v, np.generic):
        return f(np.asarray(v))
    if isinstance(v, (list, tuple)) and any(isinstance(e, np.ndarray) for e in v):
        return [f(e) if isinstance(e, np.ndarray) else e for e in v]
    return v


def tensors(r):
    """The tensors of a result, flattened; scalars as arrays."""
    if isinstance(r, (list, tuple)):
        return list(itertools.chain.from_iterable(tensors(e) for e in r))
    return [to_numpy(r)] if isinstance(r, E.EmberTensor) else [np.asarray(r)]


def close(got, want, dtype, tol, what):
    want = np.asarray(want)
    assert got.shape == want.shape, f"{what}: shape {got.shape}, expected {want.shape}"
    if got.dtype.kind in "biu" and dtype not in TOLERANCE:
        assert np.array_equal(got, want.astype(got.dtype)), f"{what}:\n{got}\nexpected\n{want}"
        return
    name = got.dtype.name if got.dtype.name in TOLERANCE else "float32"
    limit = tol if tol is not None else TOLERANCE[name]
    if isinstance(limit, dict):
        limit = limit.get(name, TOLERANCE[name])
    g = got.astype(np.complex128 if got.dtype.kind == "c" else np.float64)
    w = want.astype(
        np.complex128 if want.dtype.kind == "c" or got.dtype.kind == "c" else np.float64
    )
    if got.dtype.kind in "biu":
        assert np.array_equal(g, w), f"{what}:\n{got}\nexpected\n{want}"
        return
    with np.errstate(all="ignore"):
        top = (
            np.finfo(
                np_dtype(got.dtype.name).type
                if got.dtype.kind != "V" and got.dtype != np_dtype("bfloat16")
                else np.float32
            ).max
            if got.dtype != np_dtype("bfloat16")
            else 3.38e38
        )
        for part in (np.real, np.imag) if got.dtype.kind == "c" else (np.asarray,):
            a, b = part(g), part(w)
            b = np.where(np.abs(b) > top, np.copysign(np.inf, b), b)  # overflow becomes infinite
            same = (a == b) | (np.isnan(a) & np.isnan(b))
            finite = np.isfinite(b)
            rms = np.sqrt(np.mean(np.abs(w[np.isfinite(w)]) ** 2)) if np.isfinite(w).any() else 0.0
            bad = ~same & ~(
                finite & (np.abs(a - b) <= limit * np.maximum(np.abs(b), min(rms, top)))
            )
            assert not bad.any(), (
                f"{what}: {bad.sum()} of {bad.size} differ, first at {np.argwhere(bad)[:1].tolist()}: {a[bad][:3]} expected {b[bad][:3]}"
            )


def run(c, dtype, engine, strided=False):
    args, kwargs = draw(c, dtype)
    E.set_backend(engine)
    if device := os.environ.get("EMBER_TEST_DEVICE"):  # for engines with other devices than the cpu
        E.set_device(device)
    e_args = [convert(a, lambda x: to_ember(x, strided)) for a in args]
    e_kwargs = {k: convert(v, lambda x: to_ember(x, strided)) for k, v in kwargs.items()}
    result = call(c.op, *e_args, **e_kwargs)
    got = tensors(result)
    if c.check:
        c.check(got, args, dtype)
        return
    with np.errstate(all="ignore"):
        want = c.ref(
            *[convert(a, wide) for a in args],
            **{k: convert(v, wide) for k, v in kwargs.items() if k not in ("dtype",)},
        )
    want = [np.asarray(w) for w in want] if isinstance(want, (list, tuple)) else [np.asarray(want)]
    assert len(got) == len(want), f"{c.op}: {len(got)} results, expected {len(want)}"
    outs = c.out if isinstance(c.out, (list, tuple)) else [c.out] * len(got)
    for k, (g, w, o) in enumerate(zip(got, want, outs)):
        expect = o(dtype) if callable(o) else o or dtype
        name = "bool" if g.dtype == np.bool_ else g.dtype.name
        assert name == expect or o == "any", f"{c.op}: result {k} is {name}, expected {expect}"
        close(g, w, name, c.tol, f"{c.op} result {k}")


def real_of(dtype):
    return {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype)


def float_of(dtype):
    return dtype if dtype in FLOATS + COMPLEX else "float32"


def sum_of(dtype):
    return "int64" if dtype in SIGNED + ("bool",) else "uint64" if dtype in UNSIGNED else dtype
