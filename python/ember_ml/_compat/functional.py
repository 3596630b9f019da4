"""torch.nn.functional: functions with torch's arguments and defaults, where Ember's op of that name
has others or there is none.

The losses are the core's.
"""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from .._core import EmberTensor, ShapeError, convert_to_tensor
from .._core import ValueError as EmberValueError
from . import op

__all__ = [
    "adaptive_avg_pool1d",
    "adaptive_avg_pool2d",
    "adaptive_avg_pool3d",
    "adaptive_max_pool1d",
    "adaptive_max_pool2d",
    "adaptive_max_pool3d",
    "affine_grid",
    "alpha_dropout",
    "avg_pool1d",
    "avg_pool2d",
    "avg_pool3d",
    "bilinear",
    "cosine_similarity",
    "dropout1d",
    "dropout2d",
    "dropout3d",
    "fold",
    "gumbel_softmax",
    "hardsigmoid",
    "interpolate",
    "normalize",
    "pad",
    "pairwise_distance",
    "softmin",
    "unfold",
]


def _pair(value: Any) -> tuple[int, int]:
    return (value, value) if isinstance(value, int) else tuple(value)


# ---- Pooling, padding, windows ----
def _average_pool(n: int) -> Any:
    def pool(
        input: Any,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> EmberTensor:
        """The mean of each window; with count_include_pad, zeros of the padding count."""
        average = getattr(op, f"average_pool{n}d")
        return average(
            input,
            kernel_size=kernel_size,
            strides=stride,
            padding=padding,
            ceil_mode=ceil_mode,
            count_include_pad=count_include_pad,
        )

    pool.__name__ = pool.__qualname__ = f"avg_pool{n}d"
    return pool


avg_pool1d, avg_pool2d, avg_pool3d = map(_average_pool, (1, 2, 3))


def _adaptive(kind: str, n: int) -> Any:
    def pool(input: Any, output_size: Any) -> EmberTensor:
        """Adaptive pooling to an output size; None keeps a length."""
        x = convert_to_tensor(input)
        wanted = (
            (output_size,) * n
            if output_size is None or isinstance(output_size, int)
            else tuple(output_size)
        )
        lengths = [have if w is None else w for w, have in zip(wanted, x.shape[-n:])]
        return getattr(op, f"adaptive_{kind}_pool")(x, lengths)

    pool.__name__ = pool.__qualname__ = f"adaptive_{'avg' if kind == 'average' else kind}_pool{n}d"
    return pool


adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d = (
    _adaptive("average", n) for n in (1, 2, 3)
)
adaptive_max_pool1d, adaptive_max_pool2d, adaptive_max_pool3d = (
    _adaptive("max", n) for n in (1, 2, 3)
)


def pad(input: Any, pad: Any, mode: str = "constant", value: Any = 0) -> EmberTensor:
    """torch's pad: lengths before and after the last axis, then the second to last, and so on. A
    list of pairs is as in em.pad.
    """
    x = convert_to_tensor(input)
    if not isinstance(pad, (list, tuple)) or any(isinstance(p, (list, tuple)) for p in pad):
        return op.pad(x, pad, mode, value)
    if len(pad) % 2 or len(pad) > 2 * x.ndim:
        raise ShapeError(f"[pad] {len(pad)} lengths are not pairs for at most {x.ndim} dimensions")
    modes = {"constant": "constant", "reflect": "reflect", "replicate": "edge", "circular": "wrap"}
    if mode not in modes:
        raise EmberValueError(f"[pad] mode must be one of {', '.join(modes)}, not {mode!r}")
    pairs = [(0, 0)] * (x.ndim - len(pad) // 2) + [
        (pad[i], pad[i + 1]) for i in range(len(pad) - 2, -1, -2)
    ]
    # Negative lengths crop.
    cut = tuple(
        slice(-min(before, 0), n + min(after, 0)) for n, (before, after) in zip(x.shape, pairs)
    )
    more = [length for pair in pairs for length in (max(pair[0], 0), max(pair[1], 0))]
    if mode == "circular":
        for axis, (before, after) in enumerate(pairs):
            n = x.shape[axis]
            x = op.take(x, [i % n for i in range(-before, n + after)], axis)
        return x
    return op.pad(x[cut], more, modes[mode], value)


def unfold(
    input: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
) -> EmberTensor:
    """The windows of images [n, c, h, w] as columns: [n, c * kernel_h * kernel_w, windows]."""
    x = convert_to_tensor(input)
    kernel, step, spread, edge = _pair(kernel_size), _pair(stride), _pair(dilation), _pair(padding)
    x = op.pad(x, ((0, 0), (0, 0), (edge[0], edge[0]), (edge[1], edge[1])))
    n, c, h, w = x.shape
    rows, columns = (
        (length - d * (k - 1) - 1) // s + 1 for length, k, d, s in zip((h, w), kernel, spread, step)
    )
    if rows < 1 or columns < 1:
        raise ShapeError(f"[unfold] a window of {kernel} does not fit {h} x {w}")
    down = op.arange(rows)[None, :] * step[0] + op.arange(kernel[0])[:, None] * spread[0]
    across = op.arange(columns)[None, :] * step[1] + op.arange(kernel[1])[:, None] * spread[1]
    windows = op.take(op.take(x, down, 2), across, 4)  # [n, c, kernel_h, rows, kernel_w, columns]
    return op.reshape(
        op.permute_dims(windows, (0, 1, 2, 4, 3, 5)), (n, c * kernel[0] * kernel[1], rows * columns)
    )


def fold(
    input: Any,
    output_size: Any,
    kernel_size: Any,
    dilation: Any = 1,
    padding: Any = 0,
    stride: Any = 1,
) -> EmberTensor:
    """Images from their windows; overlaps are added."""
    x = convert_to_tensor(input)
    size, kernel, step, spread, edge = map(
        _pair, (output_size, kernel_size, stride, dilation, padding)
    )
    h, w = size[0] + 2 * edge[0], size[1] + 2 * edge[1]
    rows, columns = (
        (length - d * (k - 1) - 1) // s + 1 for length, k, d, s in zip((h, w), kernel, spread, step)
    )
    if x.shape[-1] != rows * columns or x.shape[1] % (kernel[0] * kernel[1]):
        raise ShapeError(
            f"[fold] {rows * columns} windows of {kernel} are needed, with whole channels (input: "
            f"{list(x.shape)})"
        )
    n, c = x.shape[0], x.shape[1] // (kernel[0] * kernel[1])
    down = op.arange(rows)[None, :] * step[0] + op.arange(kernel[0])[:, None] * spread[0]
    down = down[:, None, :, None]
    across = op.arange(columns)[None, :] * step[1] + op.arange(kernel[1])[:, None] * spread[1]
    across = across[None, :, None, :]
    place = op.flatten(op.broadcast_to(down * w + across, (*kernel, rows, columns)))
    values = op.moveaxis(op.reshape(x, (n, c, -1)), -1, 0)
    image = op.moveaxis(op.scatter_add(values, place, h * w, 0), 0, -1)
    image = op.reshape(image, (n, c, h, w))
    return image[:, :, edge[0] : h - edge[0], edge[1] : w - edge[1]]


def interpolate(
    input: Any,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> EmberTensor:
    """[batch, channels, ...] resized to a size or by a factor."""
    return op.resample(
        input,
        size=size,
        scale_factor=scale_factor,
        mode=mode,
        align_corners=align_corners,
        **({"antialias": True} if antialias else {}),
    )


def affine_grid(theta: Any, size: Sequence[int], align_corners: bool = False) -> EmberTensor:
    """The grid for grid_sample from matrices [n, 2, 3], for images [n, c, h, w]."""
    matrices = convert_to_tensor(theta)
    n, _, h, w = size

    def line(length: int) -> Any:
        if align_corners:
            return op.linspace(-1.0, 1.0, length) if length > 1 else op.zeros(1)
        return (op.arange(length) * 2 + 1) / length - 1

    y, x = op.meshgrid(line(h), line(w), indexing="ij")
    points = op.reshape(op.stack([x, y, op.ones_like(x)], -1), (1, h * w, 3)).astype(matrices.dtype)
    return op.reshape(op.matmul(points, op.matrix_transpose(matrices)), (n, h, w, 2))


# ---- Activations and dropout ----
def hardsigmoid(input: Any) -> EmberTensor:
    """min(max(x + 3, 0), 6) / 6."""
    return op.hard_sigmoid(input, 1 / 6, 0.5)


def softmin(input: Any, dim: int = -1) -> EmberTensor:
    """softmax of -x."""
    return op.softmax(op.negative(convert_to_tensor(input)), dim)


def gumbel_softmax(logits: Any, tau: float = 1, hard: bool = False, dim: int = -1) -> EmberTensor:
    """A differentiable random choice: softmax of logits plus Gumbel noise; hard gives one-hot
    vectors."""
    x = convert_to_tensor(logits)
    soft = op.softmax((x + op.random_gumbel(x.shape, dtype=x.dtype)) / tau, dim)
    if not hard:
        return soft
    chosen = op.one_hot(op.argmax(soft, dim), x.shape[dim], dim, dtype=x.dtype)
    return chosen - soft.detach() + soft


def _channel_dropout(n: int) -> Any:
    def dropout(input: Any, p: float = 0.5, training: bool = True) -> EmberTensor:
        """Dropout of whole channels with probability p."""
        x = convert_to_tensor(input)
        kept = op.ones(x.shape[: x.ndim - n] + (1,) * n, dtype=x.dtype)
        return x * op.dropout(kept, p, training) if training else x

    dropout.__name__ = dropout.__qualname__ = f"dropout{n}d"
    return dropout


dropout1d, dropout2d, dropout3d = map(_channel_dropout, (1, 2, 3))


def alpha_dropout(input: Any, p: float = 0.5, training: bool = False) -> EmberTensor:
    """Dropout for selu that preserves mean and variance."""
    x = convert_to_tensor(input)
    if not training or p == 0:
        return x
    floor = -1.7580993408473766  # the limit of selu at minus infinity
    scale = 1 / math.sqrt((1 - p) * (1 + p * floor * floor))
    kept = op.random_uniform(x.shape, dtype=x.dtype) >= p
    return op.where(kept, x, floor) * scale - scale * p * floor


# ---- Distances and bilinear forms ----
def normalize(input: Any, p: float = 2.0, dim: Any = 1, eps: float = 1e-12) -> EmberTensor:
    """Vectors along dim divided by their norms."""
    x = convert_to_tensor(input)
    size = op.vector_norm(x, dim, True, float(p))
    return x / op.maximum(size, eps)


def cosine_similarity(x1: Any, x2: Any, dim: int = 1, eps: float = 1e-8) -> EmberTensor:
    """The cosine of the angle between vectors along dim."""
    a, b = op.broadcast_arrays(convert_to_tensor(x1), convert_to_tensor(x2))
    return op.cosine_similarity(a, b, dim, eps)


def pairwise_distance(
    x1: Any, x2: Any, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False
) -> EmberTensor:
    """The distance between corresponding vectors of x1 and x2; em.cdist has all pairs."""
    return op.vector_norm(op.subtract(x1, x2) + eps, -1, keepdim, float(p))


def bilinear(input1: Any, input2: Any, weight: Any, bias: Any = None) -> EmberTensor:
    """input1 @ weight[k] @ input2 for each k, plus bias."""
    result = op.einsum(
        "...i,kij,...j->...k",
        convert_to_tensor(input1),
        convert_to_tensor(weight),
        convert_to_tensor(input2),
    )
    return result if bias is None else result + bias
