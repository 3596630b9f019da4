"""Lines that users of NumPy and torch type, timed on Ember, NumPy and torch: `ember bench everyday`
runs this file.

One process for each library, kept to one thread, taken in turn. CPU time, the least of all turns,
so that other work on the machine hardly counts. Prints one line of JSON for each workload and size:
{"name": ..., "size": ..., "us": {"ember": ..., "numpy": ..., "torch": ...}, "differs": "..."};
sizes are 10, 10 k and 1 M elements.

everyday.py [--rounds N] [--sizes 10,10000] [WORDS ...]    only workloads with one of these words
"""

import json
import math
import os
import subprocess
import sys
import time
from typing import Any

PEERS = ("ember", "numpy", "torch")
SIZES = (10, 10_000, 1_000_000)
ONE_THREAD = {
    name: "1"
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "EMBER_NUM_THREADS")
}

# One workload per line: its text with the library as `xp` and, after " || ", NumPy's and torch's
# text where they differ ("-": the library has no equivalent, or only a much longer one). Inputs are
# those of `inputs` below.
LINES = """
x + y
x * 2 + 1
x * y - x / p
(x - y) ** 2
x ** 2
x ** 3
x ** -1
x ** 0.5
x ** 2.5
p ** y
2.0 ** x
-x
abs(x)
x / 3
x // 1
x % 1.0 || || xp.remainder(x, 1.0)
k + k
k * 3
k // 7
k % 7
k ** 2
k & 255
k << 2
k >> 2
k / 7
j * j
j % 10
j // 10
d * d + d
d ** 2
z * z
xp.abs(z)
z.real + z.imag
x > 0
x == y
(x > 0) & (y > 0)
~b
b | e
b ^ e
xp.where(x > 0, x, y)
xp.where(x > 0, x, 0.0)
xp.where(b, k, 0)
xp.clip(x, -1, 1)
xp.maximum(x, 0) || || xp.clamp(x, min=0)
xp.maximum(x, y)
xp.sign(x)
xp.floor(x)
xp.round(x)
xp.round(x, decimals=2)
xp.sqrt(p)
xp.exp(x)
xp.log(p)
xp.log1p(p)
xp.sin(x)
xp.cos(d)
xp.tan(x)
xp.tanh(x)
xp.arctan2(x, y) || || xp.atan2(x, y)
xp.arcsin(u) || || xp.asin(u)
xp.sinh(x)
xp.exp(d)
xp.log(dp)
xp.tanh(d)
xp.hypot(x, y)
xp.isnan(x)
xp.isfinite(x)
xp.isclose(x, y)
xp.nan_to_num(x)
xp.logaddexp(x, y)
xp.cbrt(x) || || -
xp.square(x)
xp.sum(x)
xp.mean(x)
xp.max(x)
xp.min(k)
xp.prod(p[:100])
xp.std(x) || || xp.std(x, correction=0)
xp.var(m, axis=0) || || xp.var(m, axis=0, correction=0)
xp.std(m, axis=1) || || xp.std(m, axis=1, correction=0)
xp.sum(k)
xp.sum(j)
xp.sum(d)
xp.sum(b)
xp.mean(k) || || -
xp.count_nonzero(b)
xp.count_nonzero(x)
xp.any(b)
xp.all(x > -100)
xp.any(x > 100)
xp.argmax(x)
xp.argmin(x)
xp.argmax(k)
xp.argmax(m, axis=1)
xp.argmin(m, axis=0)
xp.argmin(w, axis=1)
xp.argmax(t, axis=-1)
xp.sum(m, axis=0)
xp.sum(m, axis=1)
xp.max(m, axis=0) || || xp.amax(m, axis=0)
xp.max(m, axis=1) || || xp.amax(m, axis=1)
xp.mean(m, axis=1, keepdims=True)
xp.sum(t, axis=1)
xp.sum(w, axis=1)
xp.mean(w, axis=0)
xp.max(t, axis=1) || || xp.amax(t, axis=1)
xp.min(w, axis=1) || || xp.amin(w, axis=1)
xp.all(m > 0, axis=1)
xp.sum(kw, axis=1)
xp.sum(tb, axis=1)
xp.prod(t, axis=1) || || xp.prod(t, dim=1)
xp.sum(m * m)
xp.sum((x - y) ** 2)
xp.mean(abs(x - y))
xp.median(x) || || -
xp.median(m, axis=1) || || -
xp.percentile(x, 90) || || -
xp.quantile(x, 0.25) || || -
xp.cumsum(x) || || xp.cumsum(x, 0)
xp.cumsum(k) || || xp.cumsum(k, 0)
xp.cumsum(m, axis=0)
xp.cumsum(m, axis=1)
xp.cumprod(xp.cos(x)) || || xp.cumprod(xp.cos(x), 0)
xp.diff(x)
xp.histogram(x, bins=100)[0] || || xp.histc(x, bins=100)
xp.bincount(c)
xp.digitize(x, edges) || || xp.bucketize(x, edges)
xp.searchsorted(sx, y)
xp.sort(x) || || xp.sort(x).values
xp.sort(k) || || xp.sort(k).values
xp.argsort(x)
xp.sort(m, axis=1) || || xp.sort(m, dim=1).values
xp.sort(m, axis=0) || || xp.sort(m, dim=0).values
xp.argsort(m, axis=1) || || xp.argsort(m, dim=1)
xp.topk(x, 5)[0] || xp.sort(xp.partition(x, -5)[-5:])[::-1] || xp.topk(x, 5).values
xp.unique(c) || || xp.unique(c)
xp.unique(j)
xp.unique(x)
xp.isin(c, three)
xp.nonzero(b)[0] || || xp.nonzero(b)
xp.argwhere(x > 1)
x[b]
x[x > 0]
m[mb]
x[i]
m[ri]
m[ri[:, None], ri[None, :]]
xp.take(x, i)
xp.take_along_axis(m, mi, axis=1) || || xp.take_along_dim(m, mi, 1)
x[::2] + 1
x[::-1] * 2 || || xp.flip(x, (0,)) * 2
m[:, 0] + 1
m[:, ::2] * 2
m[1:-1, 1:-1] + m[2:, 1:-1]
m.T + m
xp.copy(m.T) || xp.array(m.T, order='C') || m.T.contiguous()
xp.copy(xp.swapaxes(q, 0, 2)) || xp.array(xp.swapaxes(q, 0, 2), order='C') || xp.swapaxes(q, 0, 2).contiguous()
xp.copy(xp.transpose(img, (0, 2, 3, 1))) || xp.array(xp.transpose(img, (0, 2, 3, 1)), order='C') || xp.permute(img, (0, 2, 3, 1)).contiguous()
m.reshape(-1) + 1
xp.copy(x) || || xp.clone(x)
x.astype('float64') || || x.to(xp.float64)
x.astype('int32') || || x.to(xp.int32)
k.astype('float32') || || k.to(xp.float32)
b.astype('float32') || || b.to(xp.float32)
d.astype('float32') || || d.to(xp.float32)
bytes_.astype('float32') / 255 || || bytes_.to(xp.float32) / 255
x.astype('float16') || || x.to(xp.float16)
xp.concat([x, y]) || xp.concatenate([x, y])
xp.concat([m, m], axis=1) || xp.concatenate([m, m], axis=1)
xp.stack([x, y])
xp.stack([x, y, p], axis=1)
xp.split(m, [1, 2])[2] + 1 || || xp.tensor_split(m, [1, 2])[2] + 1
xp.tile(x, 3) || || xp.tile(x, (3,))
xp.repeat(x, 3) || || xp.repeat_interleave(x, 3)
xp.repeat(m, 2, axis=0) || || xp.repeat_interleave(m, 2, dim=0)
xp.flip(x) || xp.copy(xp.flip(x)) || xp.flip(x, (0,))
xp.flip(m, axis=1) || xp.copy(xp.flip(m, axis=1)) || xp.flip(m, (1,))
xp.roll(x, 1)
xp.roll(m, 1, axis=1) || || xp.roll(m, 1, 1)
xp.rot90(m) || xp.copy(xp.rot90(m)) || xp.rot90(m).contiguous()
xp.pad(m, 1) || || xp.nn.functional.pad(m, (1, 1, 1, 1))
xp.pad(x, 2, mode='reflect') || || -
xp.tril(m)
xp.triu(m, k=1) || || xp.triu(m, 1)
xp.diag(m) + 0 || xp.diag(m) + 0 || xp.diag(m) + 0
xp.diag(x[:100])
xp.trace(m)
xp.eye(side) + 0
xp.zeros(size) + x
xp.ones((side, side)) * 2
xp.full(size, 3.0) + 1 || || xp.full((size,), 3.0) + 1
xp.arange(size) * 2
xp.arange(0, 1, 1 / size) + 0
xp.linspace(0, 1, size) + 0
xp.meshgrid(m[0], m[0])[0] + 0 || || xp.meshgrid(m[0], m[0], indexing='xy')[0] + 0
xp.outer(m[0], m[0])
xp.kron(m[:3, :3], m[:3, :3])
m @ m
a @ a
a @ a[0]
da @ da
x @ y
w @ w.T[:, :16]
batch @ batch
xp.einsum('ij,jk->ik', a, a)
xp.einsum('ij,ij->i', m, m)
xp.einsum('bij,bjk->bik', batch, batch)
xp.tensordot(a, a, axes=1) || || xp.tensordot(a, a, dims=1)
xp.cross(t, t + 1) || || xp.linalg.cross(t, t + 1)
m - m.mean(axis=0)
(m - m.mean(axis=0)) / (m.std(axis=0) + 1e-6) || || (m - m.mean(axis=0)) / (m.std(dim=0, correction=0) + 1e-6)
m / xp.sum(m, axis=1, keepdims=True)
xp.linalg.norm(x)
xp.linalg.norm(m, axis=1)
xp.linalg.norm(t, axis=1)
xp.sqrt(xp.sum((t[:100, None] - t[None, :100]) ** 2, axis=-1))
xp.linalg.inv(a)
xp.linalg.solve(a, a[0])
xp.linalg.det(a)
xp.linalg.cholesky(spd)
xp.linalg.eigh(spd)[0]
xp.linalg.svd(a)[1]
xp.linalg.qr(a)[0]
xp.cov(w.T)
xp.corrcoef(w.T)
xp.fft.fft(z)
xp.fft.rfft(x)
xp.fft.fft2(m)
xp.convolve(x, v7) || || -
xp.random.normal((size,)) || rng.standard_normal(size, dtype='float32') || xp.randn(size)
xp.random.uniform((size,)) || rng.random(size, dtype='float32') || xp.rand(size)
xp.random.integers((size,), 0, 10) || rng.integers(0, 10, size) || xp.randint(0, 10, (size,))
xp.random.permutation(size) || rng.permutation(size) || xp.randperm(size)
xp.softmax(x) || - || xp.softmax(x, -1)
xp.softmax(m) || - || xp.softmax(m, -1)
xp.softmax(t) || - || xp.softmax(t, -1)
xp.softmax(w) || xp.exp(w - w.max(1, keepdims=True)) / xp.exp(w - w.max(1, keepdims=True)).sum(1, keepdims=True) || xp.softmax(w, -1)
xp.softmax(m, axis=0) || - || xp.softmax(m, 0)
xp.log_softmax(t) || - || xp.log_softmax(t, -1)
xp.logsumexp(w, axis=1) || - || xp.logsumexp(w, 1)
xp.sigmoid(x) || 1 / (1 + xp.exp(-x))
xp.relu(x) || xp.maximum(x, 0)
xp.gelu(x) || - || xp.nn.functional.gelu(x)
xp.silu(x) || - || xp.nn.functional.silu(x)
xp.softplus(x) || - || xp.nn.functional.softplus(x)
xp.leaky_relu(x) || - || xp.nn.functional.leaky_relu(x)
xp.elu(x) || - || xp.nn.functional.elu(x)
xp.layer_norm(m) || - || xp.nn.functional.layer_norm(m, (side,))
xp.layer_norm(w) || - || xp.nn.functional.layer_norm(w, (w.shape[1],))
xp.one_hot(c, 10) || xp.eye(10, dtype='float32')[c] || xp.nn.functional.one_hot(c, 10).float()
xp.embedding(table, c) || table[c] || xp.nn.functional.embedding(c, table)
xp.conv2d(img, kernel) || - || xp.nn.functional.conv2d(img, kernel)
xp.conv2d(img, kernel, padding=1) || - || xp.nn.functional.conv2d(img, kernel, padding=1)
xp.max_pool2d(img, 2) || - || xp.nn.functional.max_pool2d(img, 2)
xp.average_pool2d(img, 2) || - || xp.nn.functional.avg_pool2d(img, 2)
xp.mse_loss(x, y) || xp.mean((x - y) ** 2) || xp.nn.functional.mse_loss(x, y)
xp.sparse_categorical_cross_entropy(logits, c, True) || - || xp.nn.functional.cross_entropy(logits, c)
xp.binary_cross_entropy(u, uu) || - || xp.nn.functional.binary_cross_entropy(u, uu)
xp.dot(x, y)
xp.allclose(x, x)
xp.array_equal(x, x) || || xp.equal(x, x)
xp.average(x, weights=p) || || -
float(xp.sum(x))
int(xp.argmax(x))
x.tolist()[:1]
xp.asarray(x.tolist()) || xp.array(x.tolist()) || xp.tensor(x.tolist())
bool(xp.all(x == x))
xp.ptp(x) || || -
xp.nanmean(x)
xp.nansum(x)
xp.expm1(x)
xp.log2(p)
xp.log10(p)
xp.asinh(x)
xp.exp2(x)
xp.fmod(x, 1.0)
xp.trunc(x)
xp.minimum(k, 5) || || xp.clamp(k, max=5)
x.reshape(-1, 2).sum(axis=1)
h + h
h * h
xp.sum(h)
"""

# Programs of several lines; `run(xp)` is called. Arrays are made with xp.asarray.
PROGRAMS = {
    "Lorenz by RK4, 2,000 steps": """
def slope(u):
    return xp.stack([10.0 * (u[1] - u[0]), u[0] * (28.0 - u[2]) - u[1], u[0] * u[1] - 8.0 / 3.0 * u[2]])
def run():
    u, h = xp.asarray([1.0, 1.0, 1.0]), 0.01
    for _ in range(2000):
        a = slope(u)
        b = slope(u + h / 2 * a)
        c = slope(u + h / 2 * b)
        e = slope(u + h * c)
        u = u + h / 6 * (a + 2 * b + 2 * c + e)
    return u
""",
    "300 element writes": """
def run():
    v = xp.zeros(1000)
    for i in range(300):
        v[i] = i
    return v
""",
    "iterate 1,000 elements": """
thousand = xp.arange(1000.0)
def run():
    total = 0.0
    for v in thousand:
        total += float(v)
    return total
""",
    "1,000 element reads": """
thousand = xp.arange(1000.0)
def run():
    return sum(float(thousand[i]) for i in range(1000))
""",
    "iterate 1,000 rows": """
rows = xp.ones((1000, 8))
def run():
    total = xp.zeros(8)
    for row in rows:
        total = total + row
    return total
""",
    "Game of Life, 64x64, 50 steps": """
start = xp.asarray([[(i * 7 + j * 13 + i * j) % 5 == 0 for j in range(64)] for i in range(64)])
def run():
    g = start
    for _ in range(50):
        q = g.astype(xp.int32) if hasattr(g, "astype") else g.to(xp.int32)
        n = sum(xp.roll(xp.roll(q, a, 0), b, 1) for a in (-1, 0, 1) for b in (-1, 0, 1)) - q
        g = (n == 3) | (g & (n == 2))
    return g
""",
    "Mandelbrot, 100x100, 50 steps": """
re = xp.reshape(xp.linspace(-2, 1, 100), (1, 100))
im = xp.reshape(xp.linspace(-1.5, 1.5, 100), (100, 1))
def run():
    x, y, n = re + 0 * im, im + 0 * re, 0 * re * im
    for _ in range(50):
        xx, yy = x * x, y * y
        inside = xx + yy < 4
        n = n + inside
        x, y = xp.where(inside, xx - yy + re, x), xp.where(inside, 2 * x * y + im, y)
    return n
""",
    "k-means, 5,000x8, 6 centres, 10 rounds": """
points = xp.reshape(xp.sin(xp.arange(40000.0) * 1.7) * 3, (5000, 8))
def run():
    centres = points[:6]
    for _ in range(10):
        distance = xp.sum((points[:, None] - centres[None]) ** 2, axis=-1)
        label = xp.argmin(distance, axis=1)
        centres = xp.stack([xp.sum(xp.where((label == c)[:, None], points, 0.0), axis=0) / (xp.sum(label == c) + 1e-9) for c in range(6)])
    return centres
""",
    "gradient descent, 200 steps of 10 weights": """
data = xp.reshape(xp.sin(xp.arange(1000.0)), (100, 10))
target = xp.cos(xp.arange(100.0))
def run():
    w = xp.zeros(10)
    for _ in range(200):
        w = w - 0.1 * (data.T @ (data @ w - target)) / 100
    return w
""",
    "Monte Carlo pi, 100,000 points": """
def run():
    if hasattr(xp, "rand"):
        a, b = xp.rand(100000), xp.rand(100000)
    elif hasattr(xp.random, "default_rng") and xp.__name__ == "numpy":
        g = xp.random.default_rng(0)
        a, b = g.random(100000), g.random(100000)
    else:
        a, b = xp.random.uniform((100000,)), xp.random.uniform((100000,))
    return 4 * float(xp.sum((a * a + b * b < 1))) / 100000
""",
    "Newton's square roots, 20 steps": """
values = xp.arange(1.0, 1001.0)
def run():
    r = values
    for _ in range(20):
        r = 0.5 * (r + values / r)
    return r
""",
    "moving average by slices, 10,000": """
series = xp.sin(xp.arange(10000.0))
def run():
    return sum(series[i:10000 - 9 + i] for i in range(10)) / 10
""",
    "heat equation, 100x100, 100 steps": """
plate = xp.reshape(xp.cos(xp.arange(10000.0)), (100, 100))
def run():
    t = plate
    for _ in range(100):
        t = t + 0.2 * (xp.roll(t, 1, 0) + xp.roll(t, -1, 0) + xp.roll(t, 1, 1) + xp.roll(t, -1, 1) - 4 * t)
    return t
""",
    "power iteration, 50x50, 100 steps": """
matrix = xp.reshape(xp.sin(xp.arange(2500.0)), (50, 50))
def run():
    v = xp.ones(50)
    for _ in range(100):
        v = matrix @ v
        v = v / xp.sqrt(xp.sum(v * v))
    return v
""",
    "fibonacci of scalars, 90 steps": """
def run():
    a, b = xp.asarray(0.0), xp.asarray(1.0)
    for _ in range(90):
        a, b = b, a + b
    return float(a)
""",
}


def inputs(size: int) -> dict[str, Any]:
    """The names that the lines use, as NumPy's arrays."""
    import numpy as np

    g = np.random.default_rng(7)
    side = max(3, math.isqrt(size))
    small = {10: 3, 10_000: 32}.get(size, 128)
    f = lambda *shape: g.standard_normal(shape).astype("float32")
    rows, triples = max(1, size // 16), max(3, size // 3)
    channels, edge = {10: (1, 4), 10_000: (4, 50)}.get(size, (16, 125))
    square = f(small, small)
    r: dict[str, Any] = dict(
        size=size,
        side=side,
        x=f(size),
        y=f(size),
        p=np.abs(f(size)) + 0.1,
        d=g.standard_normal(size),
        u=g.random(size).astype("float32") * 0.98 + 0.01,
        i=g.integers(0, size, size),
        j=g.integers(0, 100, size).astype("int32"),
        k=g.integers(-1000, 1000, size),
        c=g.integers(0, 10, size),
        b=g.random(size) < 0.5,
        e=g.random(size) < 0.5,
        m=f(side, side),
        w=f(rows, 16),
        t=f(triples, 3),
        z=(f(size) + 1j * f(size)).astype("complex64"),
        mb=g.random((side, side)) < 0.5,
        ri=g.integers(0, side, side),
        mi=g.integers(0, side, (side, side)),
        h=f(size).astype("float16"),
        sx=np.sort(f(size)),
        edges=np.linspace(-3, 3, 20, dtype="float32"),
        three=np.array([1, 5, 7]),
        bytes_=g.integers(0, 256, size).astype("uint8"),
        q=f(*[max(2, round(size ** (1 / 3)))] * 3),
        a=square + 3 * np.eye(small, dtype="float32"),
        spd=square @ square.T + np.eye(small, dtype="float32"),
        da=(square + 3 * np.eye(small, dtype="float32")).astype("float64"),
        batch=f(max(1, size // 256), 16, 16),
        v7=f(7),
        img=f(1, channels, edge, edge),
        kernel=f(8, channels, 3, 3),
        table=f(10, 32),
        logits=f(size, 10),
        kw=g.integers(-9, 9, (rows, 16)),
        tb=g.random((triples, 3)) < 0.5,
    )
    r["dp"], r["uu"] = np.abs(r["d"]) + 0.1, r["u"][::-1].copy()
    return r


def text_for(line: str, library: str) -> str | None:
    parts = [part.strip() for part in line.split("||")]
    own = parts[0]
    text = own if PEERS.index(library) >= len(parts) else parts[PEERS.index(library)] or own
    return None if text == "-" else text


def start(library: str) -> tuple[Any, Any, Any]:
    """The library, what makes its arrays of NumPy's, and what waits for a result."""
    if library == "numpy":
        import numpy

        return numpy, lambda a: a, lambda r: r
    if library == "torch":
        import torch

        torch.set_num_threads(1)
        torch.set_grad_enabled(False)
        return torch, lambda a: torch.from_numpy(a.copy()), lambda r: r
    import ember_ml

    ember_ml.set_backend("native")

    def finish(r: Any) -> Any:
        if isinstance(r, (tuple, list)):
            for part in r:
                finish(part)
        elif hasattr(r, "eval"):
            r.eval()
        return r

    return ember_ml, ember_ml.asarray, finish


def to_numpy(r: Any) -> Any:
    import numpy

    return numpy.asarray(r)


def difference(ours: Any, theirs: Any) -> str:
    """Nothing where results agree."""
    import numpy as np

    try:
        a, b = np.asarray(ours), np.asarray(theirs)
        if a.shape != b.shape:
            return f"shape {a.shape}, NumPy's {b.shape}"
        if a.dtype.kind in "biu" or b.dtype.kind in "biu":
            a, b = a.astype("float64"), b.astype("float64")
        apart = np.abs(a - b)
        scale = np.maximum(np.abs(b), np.sqrt(np.mean(np.abs(b) ** 2))) if b.size else b
        with np.errstate(all="ignore"):
            worst = (
                np.nanmax(np.where(apart > 0, apart / np.maximum(scale, 1e-30), 0)) if a.size else 0
            )
        return f"by {worst:.1e}" if worst > (2e-2 if a.dtype == np.float16 else 1e-3) else ""
    except Exception as error:
        return repr(error)[:100]


def least(call: Any, seconds: float) -> float:
    """CPU seconds of one call: the least of stretches of 1 ms or one call."""
    clock = time.process_time
    call()
    begin = clock()
    call()
    repeat = range(max(1, int(0.001 / max(clock() - begin, 1e-7))))
    best, spent = math.inf, 0.0
    while spent < seconds:
        begin = clock()
        for _ in repeat:
            call()
        took = clock() - begin
        spent += max(took, 1e-6)
        best = min(best, took)
    return best / len(repeat)


def serve(library: str) -> None:
    """Answers an order with a line of JSON."""
    import warnings

    warnings.filterwarnings("ignore")
    xp, array, finish = start(library)
    import numpy

    numpy.seterr(all="ignore")
    made: dict[int, tuple[dict[str, Any], dict[str, Any]]] = {}
    calls: dict[str, Any] = {}

    def names(size: int) -> tuple[dict[str, Any], dict[str, Any]]:
        if size not in made:
            made.clear()
            calls.clear()
            plain = inputs(size)
            made[size] = (
                plain,
                {key: array(v) if isinstance(v, numpy.ndarray) else v for key, v in plain.items()},
            )
        return made[size]

    def prepare(name: str, size: int) -> Any:
        if name in PROGRAMS:
            space: dict[str, Any] = {"xp": xp}
            exec(PROGRAMS[name], space)
            return lambda: finish(space["run"]())
        text = text_for(name, library)
        if text is None:
            return None
        own = names(size)[1]
        space = {"xp": xp, "rng": numpy.random.default_rng(0), "finish": finish, **own}
        return eval(f"lambda: finish({text})", space)

    print("ready", flush=True)
    for order in sys.stdin:
        name, size, seconds, check = json.loads(order)
        try:
            key = f"{name} {size}"
            if key not in calls:
                if size:
                    names(size)
                calls[key] = prepare(name, size)
            call = calls[key]
            if call is None:
                print(json.dumps({}), flush=True)
                continue
            answer: dict[str, Any] = {"us": least(call, seconds) * 1e6}
            # Equal elements may have any order.
            comparable = "random" not in name and "argsort" not in name
            if check and size and comparable and text_for(name, "numpy"):
                reference = eval(text_for(name, "numpy") or "", {"xp": numpy, **names(size)[0]})
                answer["differs"] = difference(to_numpy(call()), reference)
            print(json.dumps(answer), flush=True)
        except Exception as error:
            calls.pop(f"{name} {size}", None)
            print(json.dumps({"error": f"{type(error).__name__}: {error}"[:200]}), flush=True)


def main() -> None:
    options, words = {"rounds": 3, "sizes": SIZES, "seconds": 0.01}, []
    rest = iter(sys.argv[1:])
    for word in rest:
        if word == "--rounds":
            options["rounds"] = int(next(rest))
        elif word == "--sizes":
            options["sizes"] = tuple(int(v) for v in next(rest).split(","))
        else:
            words.append(word)
    lines = [line for line in LINES.strip().split("\n")]
    work = [(line, size) for size in options["sizes"] for line in lines] + [
        (name, 0) for name in PROGRAMS
    ]
    work = [(name, size) for name, size in work if not words or any(word in name for word in words)]
    servers = {}
    for peer in PEERS:
        p = subprocess.Popen(
            [sys.executable, __file__, "serve", peer],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **ONE_THREAD},
        )
        assert p.stdin and p.stdout and p.stderr
        if p.stdout.readline().strip() == "ready":
            servers[peer] = p
        else:
            print(
                json.dumps({"missing": peer, "why": p.stderr.read().strip().split("\n")[-1][:200]}),
                flush=True,
            )
    for name, size in work:
        seen: dict[str, float] = {}
        result: dict[str, Any] = {"name": name.split("||")[0].strip(), "size": size, "us": seen}
        for turn in range(options["rounds"]):
            for peer, p in servers.items():
                p.stdin.write(
                    json.dumps([name, size, options["seconds"], turn == 0 and peer == "ember"])
                    + "\n"
                )
                p.stdin.flush()
                answer = json.loads(p.stdout.readline())
                if "us" in answer:
                    seen[peer] = min(seen.get(peer, math.inf), answer["us"])
                if "error" in answer:
                    result.setdefault("errors", {})[peer] = answer["error"]
                if answer.get("differs"):
                    result["differs"] = answer["differs"]
        print(json.dumps(result), flush=True)


if __name__ == "__main__":
    serve(sys.argv[2]) if sys.argv[1:2] == ["serve"] else main()
