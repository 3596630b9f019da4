"""Normalization, attention and rotary embedding, compared with NumPy in float64."""

import itertools

import numpy as np

from harness import *


def normal(x, axes, eps):
    axes = tuple(axes) if isinstance(axes, (list, tuple)) else axes
    return (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + eps)


def along(v, axes, ndim):
    """Reshapes v, whose axes are x's `axes` in that order, to broadcast over x."""
    if v is None or v.ndim == 0:
        return v
    axes = [a % ndim for a in axes]
    s = [1] * ndim
    for a, n in zip(axes, v.shape):
        s[a] = n
    return v.transpose(np.argsort(axes)).reshape(s)


def affine(y, scale, bias, axes):
    y = y if scale is None else y * along(scale, axes, y.ndim)
    return y if bias is None else y + along(bias, axes, y.ndim)


def batch_ref(x, mean, variance, scale=None, bias=None, axis=1, eps=1e-5):
    return affine(
        (x - along(mean, [axis], x.ndim)) / np.sqrt(along(variance, [axis], x.ndim) + eps),
        scale,
        bias,
        [axis],
    )


def layer_ref(x, scale=None, bias=None, axes=-1, eps=1e-5):
    axes = list(range(x.ndim)) if axes is None else [axes] if isinstance(axes, int) else axes
    return affine(normal(x, axes, eps), scale, bias, axes)


def rms_ref(x, scale=None, axes=-1, eps=1e-5):
    axes = [axes] if isinstance(axes, int) else axes
    return affine(x / np.sqrt((x * x).mean(tuple(axes), keepdims=True) + eps), scale, None, axes)


def group_ref(x, groups, scale=None, bias=None, eps=1e-5):
    y = np.empty_like(x)
    c = x.shape[1] // groups
    for n, g in itertools.product(range(x.shape[0]), range(groups)):
        y[n, g * c : (g + 1) * c] = normal(x[n, g * c : (g + 1) * c], None, eps)
    return affine(y, scale, bias, [1])


def instance_ref(x, scale=None, bias=None, eps=1e-5, layout="nchw"):
    channel = 1 if layout == "nchw" else x.ndim - 1
    return affine(
        normal(x, [d for d in range(1, x.ndim) if d != channel], eps), scale, bias, [channel]
    )


X, C = (2, 6, 4, 5), A((6,))
POSITIVE = A((6,), 0.5, 2)
case("batch_norm", [A(X), C, POSITIVE], batch_ref, FLOATS)
case("batch_norm", [A(X), C, POSITIVE, C, C], batch_ref, FLOATS, id="affine")
case("batch_norm", [A(X), C, POSITIVE, None, C], batch_ref, REALS, id="bias")
case("batch_norm", [A(X), C, POSITIVE, C], batch_ref, REALS, eps=0.1, id="scale")
case(
    "batch_norm",
    [A((2, 4, 5, 6)), C, POSITIVE, C, C],
    batch_ref,
    REALS,
    axis=-1,
    id="channels last",
)
case("batch_norm", [A((6,)), C, POSITIVE], batch_ref, REALS, axis=0, id="one axis")
case("batch_norm", [A((7, 6)), C, POSITIVE, C, C], batch_ref, REALS, id="two axes")
case("batch_norm", [A((0, 6, 3)), C, POSITIVE, C, C], batch_ref, REALS, id="no images")
case(
    "batch_norm",
    [A((2, 6, 1, 2, 3)), A((), 1, 2), A((), 1, 2), A(()), A(())],
    batch_ref,
    REALS,
    id="scalars",
)
case(
    "batch_norm",
    [A((3, 64, 9, 9)), A((64,)), A((64,), 0.5, 2), A((64,)), A((64,))],
    batch_ref,
    ("float32", "float16"),
    id="size",
)
case("batch_norm", [A((2, 6)), C, POSITIVE], batch_ref, ("int32",), out="float32", id="integers")
case(
    "batch_norm",
    [A((2, 2), values=[1, np.nan, np.inf, 2]), A((2,), values=[0, 1]), A((2,), values=[0, 1])],
    batch_ref,
    REALS,
    id="special",
)

for op, ref, biased in (("layer_norm", layer_ref, True), ("rms_norm", rms_ref, False)):
    more = lambda *s: [A(s)] * (1 + biased)
    case(op, [A(X)], ref, FLOATS)
    case(op, [A(X), *more(5)], ref, FLOATS, id="affine")
    case(op, [A(X), *more(4, 5)], ref, REALS, axes=[2, 3], id="two axes")
    case(op, [A(X), *more(5, 6)], ref, REALS, axes=[3, 1], id="axes out of order")
    case(op, [A(X), *more(6, 4, 5)], ref, REALS, axes=[-3, -2, -1], eps=0.01, id="three axes")
    case(op, [A(X), *more(2)], ref, REALS, axes=0, id="the first axis")
    case(op, [A((3, 700)), *more(700)], ref, FLOATS, id="long")
    case(
        op,
        [A((3, 700), 1000, 1001)],
        ref,
        REALS,
        id="far from 0",
        tol={"float32": 2e-4} if biased else None,
        why="a mean near 1000 is rounded by up to 3e-5, the spread is 0.3",
    )
    case(op, [A((0, 5)), *more(5)], ref, REALS, id="no rows")
    case(op, [A((5,)), *more(5)], ref, REALS, id="one row")
    case(op, [A((3, 1)), *more(1)], ref, REALS, id="rows of one")
    case(op, [A((2, 6))], ref, ("int32", "uint8"), out="float32", id="integers")
    case(op, [A((2, 3), values=[1, np.nan, 2, 1, 2, 3])], ref, REALS, id="nan")
case("layer_norm", [A(X), None, A((5,))], layer_ref, REALS, id="bias")
case("layer_norm", [A(X)], lambda x, axes: np.zeros_like(x), REALS, axes=[], id="no axes")
case("layer_norm", [A(X)], lambda x, axes: normal(x, None, 1e-5), REALS, axes=None, id="all axes")
case("layer_norm", [A((2, 4), values=[3.0] * 8)], layer_ref, FLOATS, id="constant rows")
case("rms_norm", [A((2, 4), 0, 0.01)], rms_ref, REALS, eps=0.0, id="no eps")


def layer_grad_ref(g, x, scale=None, axes=-1, eps=1e-5):
    axes = tuple(a % x.ndim for a in ([axes] if isinstance(axes, int) else axes))
    others = tuple(d for d in range(x.ndim) if d not in axes)
    n = normal(x, axes, eps)
    gn = affine(g, scale, None, axes)
    mean = lambda v: v.mean(axes, keepdims=True)
    x_grad = (gn - mean(gn) - n * mean(gn * n)) / np.sqrt(x.var(axes, keepdims=True) + eps)
    return [x_grad, (g * n).sum(others, keepdims=True), g.sum(others, keepdims=True)]


# The gradients of 16-bit floats are float32.
GRAD = "layer_norm_grad"
case(GRAD, [A(X), A(X)], layer_grad_ref, REALS)
case(GRAD, [A(X), A(X), A((5,))], layer_grad_ref, REALS, id="scale")
case(
    GRAD,
    [A(X), A(X), A((5,))],
    layer_grad_ref,
    ("float16", "bfloat16"),
    out="float32",
    id="16 bits",
)
case(GRAD, [A(X), A(X), A((4, 5))], layer_grad_ref, REALS, axes=[2, 3], id="two axes")
case(GRAD, [A(X), A(X), A((5, 6))], layer_grad_ref, REALS, axes=[3, 1], id="axes out of order")
case(GRAD, [A(X), A(X), A((2,))], layer_grad_ref, REALS, axes=0, id="the first axis")
case(GRAD, [A((300, 70)), A((300, 70)), A((70,))], layer_grad_ref, REALS, id="many rows")
case(GRAD, [A((0, 3)), A((0, 3)), A((3,))], layer_grad_ref, REALS, id="no rows")

for groups in (1, 2, 3, 6):
    case("group_norm", [A(X), groups, C, C], group_ref, FLOATS, id=f"{groups}")
case("group_norm", [A(X), 3], group_ref, REALS, id="plain")
case("group_norm", [A((4, 6)), 2, C], group_ref, REALS, eps=0.1, id="no spatial axes")
case("group_norm", [A((2, 6, 3, 2, 2)), 3, None, C], group_ref, REALS, id="bias")
case("group_norm", [A((0, 6, 3)), 3, C, C], group_ref, REALS, id="no images")
case("instance_norm", [A(X), C, C], instance_ref, FLOATS)
case("instance_norm", [A(X)], instance_ref, REALS, eps=0.1, id="plain")
case(
    "instance_norm",
    [A((2, 4, 5, 6)), C, C],
    instance_ref,
    FLOATS,
    layout="nhwc",
    id="channels last",
)
case("instance_norm", [A((2, 6, 9)), None, C], instance_ref, REALS, id="1 d")
case("instance_norm", [A((2, 3, 2, 4, 6)), C], instance_ref, REALS, layout="nhwc", id="3 d")
case("instance_norm", [A((0, 6, 3, 3)), C, C], instance_ref, REALS, id="no images")


def dropped(got, args, dtype):
    x, y = args[0].astype(np.float64), got[0].astype(np.float64)
    kept = y != 0
    assert got[0].dtype == args[0].dtype and y.shape == x.shape
    assert abs(kept.mean() - 0.75) < 0.03, kept.mean()
    np.testing.assert_allclose(y[kept], (x / 0.75)[kept], rtol=2 * TOLERANCE[dtype])


case("dropout", [A((100, 100), 1, 2), 0.25], None, FLOATS, check=dropped)
case("dropout", [A((5, 4))], lambda x, training: x, FLOATS, training=False, id="not training")
case("dropout", [A((5, 4)), 0.0], lambda x, p: x, FLOATS, id="none")
case("dropout", [A((5, 4)), 1.0], lambda x, p: 0 * x, FLOATS, id="all")
case("dropout", [A((0, 4)), 0.5], lambda x, p: x, REALS, id="empty")


def attention_ref(q, k, v, mask=None, causal=False, scale=None):
    heads = q.shape[-3] if q.ndim > 2 else 1
    if q.ndim > 2 and k.shape[-3] > 1:
        k = k.repeat(heads // k.shape[-3], -3)
    if q.ndim > 2 and v.shape[-3] > 1:
        v = v.repeat(heads // v.shape[-3], -3)
    s = q @ k.swapaxes(-1, -2) * (1 / np.sqrt(q.shape[-1]) if scale is None else scale)
    if mask is not None:
        s = np.where(mask, s, -np.inf) if mask.dtype == np.bool_ else s + mask
    if causal:
        s = np.where(np.tril(np.ones(s.shape[-2:], bool)), s, -np.inf)
    top = s.max(-1, keepdims=True, initial=-np.inf)
    e = np.exp(s - np.where(np.isneginf(top), 0, top))
    total = e.sum(-1, keepdims=True)
    return e @ v / np.where(total == 0, 1, total)


def attention_grad_ref(y, g, q, k, v, mask=None, causal=False, scale=None):
    scale = 1 / np.sqrt(q.shape[-1]) if scale is None else scale
    weights = lambda v: attention_ref(q, k, v, mask, causal, scale)
    p = weights(np.broadcast_to(np.eye(k.shape[-2]), k.shape[:-1] + (k.shape[-2],)))
    gs = p * (g @ v.swapaxes(-1, -2) - (g * y).sum(-1, keepdims=True))
    return [gs @ k * scale, gs.swapaxes(-1, -2) @ q * scale, p.swapaxes(-1, -2) @ g]


SDPA = "scaled_dot_product_attention"
Q, K, V = A((2, 4, 5, 8)), A((2, 4, 6, 8)), A((2, 4, 6, 3))
Y = A((2, 4, 5, 3))
for k, o in enumerate(({}, {"causal": True}, {"scale": 0.3}, {"scale": 2.0, "causal": True})):
    case("attention_grad", [Y, Y, Q, K, V], attention_grad_ref, REALS, id=f"options {k}", **o)
case(
    "attention_grad",
    [Y, Y, Q, K, V],
    attention_grad_ref,
    ("float16", "bfloat16"),
    out="float32",
    id="16 bits",
)
case(
    "attention_grad",
    [Y, Y, Q, K, V, A((5, 6), values=[True, False, True], dtype="bool")],
    attention_grad_ref,
    REALS,
    id="mask",
)
case("attention_grad", [Y, Y, Q, K, V, A((5, 6))], attention_grad_ref, REALS, id="float mask")
case(
    "attention_grad",
    [A((2, 5, 3)), A((2, 5, 3)), A((2, 5, 8)), A((2, 0, 8)), A((2, 0, 3))],
    lambda y, g, q, k, v: [np.zeros_like(q), np.zeros_like(k), np.zeros_like(v)],
    REALS,
    id="no keys",
)
for k, o in enumerate(({}, {"causal": True}, {"scale": 0.3}, {"scale": 2.0, "causal": True})):
    case(SDPA, [Q, K, V], attention_ref, FLOATS, id=f"options {k}", **o)
    case(
        SDPA,
        [Q, A((2, 2, 6, 8)), A((2, 2, 6, 3))],
        attention_ref,
        REALS,
        id=f"grouped heads {k}",
        **o,
    )
    case(
        SDPA,
        [Q, A((2, 1, 6, 8)), A((2, 1, 6, 3))],
        attention_ref,
        REALS,
        id=f"one head of keys {k}",
        **o,
    )
    case(SDPA, [A((5, 8)), A((6, 8)), A((6, 3))], attention_ref, REALS, id=f"two axes {k}", **o)
for shape in ((5, 6), (2, 1, 5, 6), (1, 6), (2, 4, 1, 6)):
    case(SDPA, [Q, K, V, A(shape, dtype="bool")], attention_ref, FLOATS, id=f"bool mask {shape}")
    case(SDPA, [Q, K, V, A(shape)], attention_ref, FLOATS, id=f"mask {shape}")
case(
    SDPA,
    [A((2, 3, 5, 8)), A((2, 3, 6, 8), values=[np.nan] * 48 + [1.0] * 240), A((2, 3, 6, 3))],
    attention_ref,
    FLOATS,
    id="a head of NaN",
)
case(
    SDPA,
    [A((1,) * 5), A((1,) * 5, values=[np.nan]), A((1,) * 5)],
    attention_ref,
    FLOATS,
    id="one NaN",
)
case(SDPA, [Q, K, V, A((5, 6), values=[False])], attention_ref, REALS, id="nothing to attend to")
case(
    SDPA,
    [Q, K, V, A((5, 6), values=[0, -np.inf, -np.inf])],
    attention_ref,
    FLOATS,
    causal=True,
    id="infinite mask",
)
case(SDPA, [Q, A((2, 4, 0, 8)), A((2, 4, 0, 3))], attention_ref, REALS, id="no keys")
case(SDPA, [A((2, 4, 0, 8)), K, V], attention_ref, REALS, id="no queries")
case(SDPA, [A((0, 4, 5, 8)), A((0, 4, 6, 8)), A((0, 4, 6, 3))], attention_ref, REALS, id="no batch")
case(
    SDPA,
    [A((1, 2, 70, 32)), A((1, 2, 90, 32)), A((1, 2, 90, 32))],
    attention_ref,
    FLOATS,
    causal=True,
    id="size",
)
case(
    SDPA,
    [A((2, 4, 8), 20, 30), A((2, 4, 8), 20, 30), A((2, 4, 8))],
    attention_ref,
    REALS,
    id="large scores",
    tol={"float32": 2e-4},
    why="the scores are near 1800, where float32 has steps of 1e-4",
)


def rope_ref(x, positions=None, base=10000.0, interleaved=False):
    n = x.shape[-1]
    at = np.arange(x.shape[-2]) if positions is None else positions.astype(np.float64)
    angle = at[..., None] * base ** (-2 * np.arange(n // 2) / n)
    y = np.empty_like(x)
    first, second = (
        (slice(0, None, 2), slice(1, None, 2))
        if interleaved
        else (slice(0, n // 2), slice(n // 2, None))
    )
    y[..., first] = x[..., first] * np.cos(angle) - x[..., second] * np.sin(angle)
    y[..., second] = x[..., second] * np.cos(angle) + x[..., first] * np.sin(angle)
    return y


for inter in (False, True):
    case("rope", [A((2, 3, 5, 8))], rope_ref, FLOATS, interleaved=inter, id=f"{inter}")
    case("rope", [A((7, 6))], rope_ref, REALS, base=100.0, interleaved=inter, id=f"base {inter}")
    case(
        "rope",
        [A((2, 3, 5, 8)), A((5,), 0, 30, dtype="int64")],
        rope_ref,
        FLOATS,
        interleaved=inter,
        id=f"positions {inter}",
    )
    case(
        "rope",
        [A((2, 3, 5, 8)), A((2, 1, 5), 0, 30, dtype="int32")],
        rope_ref,
        REALS,
        interleaved=inter,
        id=f"positions of each {inter}",
    )
    case(
        "rope",
        [A((8,)), A((), 3, 4, dtype="int64")],
        rope_ref,
        REALS,
        interleaved=inter,
        id=f"one place {inter}",
    )
    case("rope", [A((0, 5, 8))], rope_ref, REALS, interleaved=inter, id=f"empty {inter}")
    case(
        "rope",
        [A((1, 600, 16))],
        rope_ref,
        REALS,
        interleaved=inter,
        id=f"long {inter}",
        tol={"float32": 1e-4},
        why="an angle of 600 has steps of 6e-5 in float32",
    )
