"""Runs every parity case of native, and larger ones, on arrays whose memory ends where a page
begins that nobody may read.

A kernel that reads one byte past a foreign array ends this process with SIGSEGV; the file named on
the command line then says what it ran. `python guarded.py progress.txt` runs everything; further
words are the placements to try.
"""

import ctypes
import importlib
import mmap
import os
import pathlib
import sys

import ml_dtypes
import numpy as np

sys.path.insert(0, os.path.dirname(__file__))

import harness  # noqa: E402
from harness import ALL, FLOATS, NUMERIC, A, Case  # noqa: E402
from ember_ml import _core as E  # noqa: E402

PAGE = mmap.PAGESIZE
LIBC = ctypes.CDLL(None, use_errno=True)


class Guarded:
    """Memory between two unreadable pages."""

    def __init__(self, size):
        self.size = -(-size // PAGE) * PAGE
        self.map = mmap.mmap(-1, self.size + 2 * PAGE)
        self.start = ctypes.addressof(ctypes.c_char.from_buffer(self.map)) + PAGE
        for page in (self.start - PAGE, self.start + self.size):
            assert LIBC.mprotect(ctypes.c_void_p(page), PAGE, 0) == 0

    def array(self, x, at_end):
        """x, placed at the end or at the beginning of readable memory."""
        place = self.start + (self.size - x.nbytes if at_end else 0)
        memory = (
            np.frombuffer((ctypes.c_byte * x.nbytes).from_address(place), np.uint8)
            .view(x.dtype)
            .reshape(x.shape)
        )
        memory[...] = x
        return memory


class Pool:
    """Reuses guarded memory between cases: every array of a case gets its own piece."""

    def __init__(self):
        self.free, self.used = {}, []

    def array(self, x, at_end):
        size = -(-x.nbytes // PAGE)
        piece = self.free.setdefault(size, []).pop() if self.free.get(size) else Guarded(x.nbytes)
        self.used.append((size, piece))
        return piece.array(x, at_end)

    def reset(self):
        for size, piece in self.used:
            self.free[size].append(piece) if size in self.free else self.free.update(
                {size: [piece]}
            )
        self.used.clear()


POOL = Pool()


def share(memory):
    return E.asarray(memory, copy=False)


def at_end(x):
    return share(POOL.array(x, True))


def last_rows(x):
    """The end of a longer array, taken by a slice."""
    if not x.ndim:
        return at_end(x)
    return share(POOL.array(np.concatenate([x[:1], x]), True))[1:]


def row_ends(x):
    """Rows with a gap before each."""
    if not x.ndim:
        return at_end(x)
    return share(POOL.array(np.concatenate([x[..., :1], x], axis=-1), True))[..., 1:]


def reversed_rows(x):
    """In reverse, ending at the first readable byte."""
    if not x.ndim:
        return at_end(x)
    return share(POOL.array(np.ascontiguousarray(x[::-1]), False))[::-1]


def transposed(x):
    """The last two axes transposed in memory."""
    if x.ndim < 2:
        return at_end(x)
    return share(
        np.swapaxes(POOL.array(np.ascontiguousarray(np.swapaxes(x, -1, -2)), True), -1, -2)
    )


PLACES = (at_end, last_rows, row_ends, reversed_rows, transposed)


def guard(x, place):
    x = np.asarray(x, order="C")
    if not x.size or x.dtype in (ml_dtypes.int4, ml_dtypes.uint4):
        return harness.to_ember(x)
    return place(x)


# Sizes that reach the kernels' vector loops, remainder loops and library calls.
LARGE = []


def large(op, *args, dtypes=FLOATS, **kwargs):
    LARGE.append(Case(op, list(args), None, dtypes, kwargs))


for n in (7, 65, 1000, 8193, 70001):
    for op in ("sum", "max", "min", "prod"):
        large(op, A((n,), low=0.5, high=1.5), dtypes=ALL if op == "sum" else harness.REAL_NUMERIC)
    large("add", A((n,)), A((n,)), dtypes=ALL)
    large("exp", A((n,), low=-2, high=2))
    large("cumulative_sum", A((n,)), dtypes=NUMERIC)
    large("sort", A((n,)), dtypes=harness.REAL_NUMERIC)
    large("argmax", A((n,)), dtypes=harness.REAL_NUMERIC)
    large("convolve", A((n,)), A((7,)))
    large("where", A((n,), dtype="bool"), A((n,)), A((n,)), dtypes=ALL)
for t in ALL:
    large(
        "astype",
        A((333,)),
        t,
        dtypes=ALL if t in harness.COMPLEX + ("bool",) else ("bool",) + harness.REAL_NUMERIC,
    )
for rows, n in ((5, 3), (257, 4), (65, 17), (33, 129), (9, 1000), (3, 9001)):
    for op in ("sum", "mean", "max", "var", "logsumexp", "any", "argmin", "cumulative_sum"):
        large(op, A((rows, n)), axis=-1)
        large(op, A((rows, n)), axis=0)
    for op in ("softmax", "log_softmax"):
        large(op, A((rows, n)), axis=-1)
    large("layer_norm", A((rows, n)), A((n,)), A((n,)))
    large("rms_norm", A((rows, n)), A((n,)))
    large("add", A((rows, n)), A((n,)), dtypes=ALL)
    large("add", A((rows, n)), A((rows, 1)), dtypes=ALL)
    large("concat", [A((rows, n)), A((rows, n))], axis=1, dtypes=ALL)
    large("take", A((rows, n)), A((7,), low=0, high=rows, dtype="int64"), axis=0, dtypes=ALL)
    large("topk", A((rows, n)), 2)
for m, k, n in (
    (1, 100, 1),
    (1, 64, 65),
    (65, 64, 1),
    (33, 17, 9),
    (130, 70, 129),
    (520, 40, 40),
    (3, 5000, 3),
    (200, 1, 200),
):
    large("matmul", A((m, k)), A((k, n)), dtypes=NUMERIC)
large("matmul", A((1200, 65)), A((65, 65)))
large("matmul", A((5, 33, 17)), A((5, 17, 19)), dtypes=NUMERIC)
for n in (8, 15, 97, 128, 1001):
    large("fft", A((17, n)), dtypes=harness.COMPLEX)
    large("rfft", A((17, n)), dtypes=harness.REALS)
    large("irfft", A((17, n)), dtypes=harness.COMPLEX)
for c, f, kernel in ((3, 5, 3), (16, 32, 3), (17, 9, 1), (8, 8, 5)):
    large("conv2d", A((2, c, 19, 21)), A((f, c, kernel, kernel)), A((f,)))
large("conv2d", A((2, 32, 19, 21)), A((32, 1, 3, 3)), groups=32)
large("max_pool2d", A((2, 5, 19, 21)), kernel_size=3)
large("average_pool2d", A((2, 5, 20, 24)), kernel_size=2)
large("scaled_dot_product_attention", A((2, 3, 33, 17)), A((2, 3, 29, 17)), A((2, 3, 29, 15)))


def evaluate(result):
    for r in result if isinstance(result, (list, tuple)) else [result]:
        if isinstance(r, (list, tuple)):
            evaluate(r)
        elif isinstance(r, E.EmberTensor):
            r.eval()


def fused(x, y, row):
    """Programs of several instructions over operands of different widths."""
    f = E.functions
    wide, narrow = f["astype"](x, "float64"), f["astype"](x, "float32")
    yield "a cast in a sum of rows", f["sum"](narrow + 1, axis=-1)
    yield "a choice by a comparison", f["where"](x > 0, x * 2, y) + row
    yield "softmax of a sum", f["softmax"](wide + row, axis=-1)
    yield "slices of slices", x[1:][1:, 1:] + y[2:, 1:]
    yield "rows less their means", narrow - f["mean"](narrow, axis=-1, keepdims=True)
    yield "squares summed in all", f["sum"](f["square"](narrow))


def programs():
    """The runs: a label, and a function of the placement of arrays."""

    def calls(c, dtype):
        args, kwargs = harness.draw(c, dtype)

        def run(place):
            placed = [harness.convert(a, place) for a in args]
            evaluate(
                harness.call(
                    c.op, *placed, **{k: harness.convert(v, place) for k, v in kwargs.items()}
                )
            )

        return run

    for c in harness.CASES + LARGE:
        if "native" not in (c.engines or ("native",)):
            continue
        for dtype in c.dtypes:
            yield f"{c.op} {c.id or 'plain'} {dtype}", calls(c, dtype)
    rng = np.random.default_rng(0)
    for shape in ((3, 5), (40, 50), (7, 1030)):
        for dtype in (d for d in harness.REAL_NUMERIC):
            x, y = (
                np.asarray(rng.integers(0, 9, shape)).astype(harness.np_dtype(dtype))
                for _ in range(2)
            )

            def run(place, x=x, y=y):
                for _, r in fused(place(x), place(y), place(y[0])):
                    r.eval()

            yield f"fused {shape} {dtype}", run


def main(progress, *names):
    E.set_backend("native")
    shown = os.open(progress, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    places = [p for p in PLACES if not names or p.__name__ in names]
    for label, run in programs():
        for place in places:
            os.pwrite(shown, f"{label} {place.__name__}".ljust(200).encode(), 0)
            run(lambda x: guard(x, place))
            POOL.reset()
    os.pwrite(shown, b"done".ljust(200), 0)


if __name__ == "__main__":
    for path in sorted(pathlib.Path(__file__).parent.glob("cases_*.py")):
        importlib.import_module(path.stem)
    main(*sys.argv[1:])
