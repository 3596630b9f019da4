"""MLX, and with "compile" mlx.core.compile."""

from collections.abc import Callable
from typing import Any

import mlx.core as mx
import mlx.nn as nn
import networks
import numpy as np
import operators

version = mx.__version__
compiled = False


def start(mode: str, threads: int) -> None:
    global compiled
    compiled = mode == "compile"


def to_numpy(x: Any) -> Any:
    return np.array(x.astype(mx.float32) if x.dtype in (mx.float16, mx.bfloat16) else x)


def stft(x: Any, window: Any) -> Any:
    n = x.shape[0] // 256 + 1
    x = mx.concatenate([x[1:513][::-1], x, x[-513:-1][::-1]])
    return mx.fft.rfft(mx.as_strided(x, (n, 1024), (256, 1)) * window).T


class Ops:
    """What networks.py needs.

    The networks' arrays have their channels in the middle, MLX's convolution wants them last.
    """

    relu, relu6, gelu = nn.relu, nn.relu6, nn.gelu
    linear = staticmethod(lambda x, w, b: mx.addmm(b, x, w.T))
    conv = staticmethod(
        lambda x, w, b, stride, padding, groups: (
            mx.conv2d(
                x.transpose(0, 2, 3, 1), w.transpose(0, 2, 3, 1), stride, padding, groups=groups
            )
            + b
        ).transpose(0, 3, 1, 2)
    )
    layer_norm = staticmethod(lambda x, w=None, b=None: mx.fast.layer_norm(x, w, b, 1e-5))
    attention = staticmethod(
        lambda q, k, v, causal: mx.fast.scaled_dot_product_attention(
            q, k, v, scale=q.shape[-1] ** -0.5, mask="causal" if causal else None
        )
    )
    swap = staticmethod(lambda x: x.swapaxes(1, 2))
    max_pool = staticmethod(
        lambda x: x.reshape(*x.shape[:2], x.shape[2] // 2, 2, x.shape[3] // 2, 2).max((3, 5))
    )


def train(kind: str, w: dict[str, Any]) -> Callable[[], Any]:
    x, y, count = w.pop("x"), w.pop("y").astype(mx.int32), iter(range(10**9))
    model, decay = networks.TRAINING[kind]

    def loss_of(w: Any, x: Any, y: Any) -> Any:
        return nn.losses.cross_entropy(model(Ops, x, w), y, reduction="mean")

    step = networks.adam_step(mx.value_and_grad(loss_of), decay)
    if compiled:
        step = mx.compile(step)
    zeros = lambda: {k: mx.zeros_like(v) for k, v in w.items()}
    state = [w, zeros(), zeros(), mx.array(0.0)]

    def call() -> Any:
        loss, *state[:] = step(*state, x, y[next(count) % len(y)])
        mx.eval(loss, state)
        return loss

    return call


FUNCTIONS: dict[str, Callable[..., Any]] = operators.FUNCTIONS | {
    "functions": lambda x, y: mx.tanh(x * y + x) * mx.sigmoid(y - 0.5 * x)
    + mx.log1p(mx.abs(x - y)),
    "softmax": lambda x: mx.softmax(x, -1),
    "layer_norm": lambda x: mx.fast.layer_norm(x, None, None, 1e-5),
    "matmul + bias + gelu": lambda x, w, b: nn.gelu(mx.addmm(b, x, w)),
    "attention": lambda q, k, v: mx.fast.scaled_dot_product_attention(
        q, k, v, scale=q.shape[-1] ** -0.5
    ),
    "sort": lambda x: mx.sort(x),
    "scatter-add": lambda x, i: mx.zeros(65536).at[i].add(x),
    "cumsum": lambda x: mx.cumsum(x),
    "stft": stft,
    "svd": lambda x: mx.linalg.svd(x),
}
SLOW = {"MobileNetV2", "MiniLM", "train characters"}  # tens of seconds on a CPU
UNFUSED = {
    "1,000 ops on 10 floats",
    "sum over axis 0",
    "sum over axis 1",
    "softmax",
    "layer_norm",
    "matmul",
    "attention",
    "sort",
    "scatter-add",
    "cumsum",
    "svd",
}  # a single op: compiling does not help


def prepare(kind: str, inputs: dict[str, Any], order: dict[str, str]) -> Callable[[], Any] | None:
    f = FUNCTIONS.get(kind)
    known = f or kind in networks.TRAINING or kind in networks.INFERENCE
    if not known or kind in SLOW or compiled and kind in UNFUSED:
        return None
    arrays = {k: mx.array(v) for k, v in inputs.items()}
    if order["dtype"]:
        arrays = {k: v.astype(getattr(mx, order["dtype"])) for k, v in arrays.items()}
    mx.eval(arrays)
    if kind in networks.TRAINING:
        return train(kind, arrays)
    if model := networks.INFERENCE.get(kind):
        arrays, weights = {"x": arrays.pop("x")}, arrays
        f = lambda x: model(Ops, x, weights)
    assert f
    run = mx.compile(f) if compiled else f

    def call() -> Any:
        r = run(**arrays)
        mx.eval(r)
        return r

    return call
