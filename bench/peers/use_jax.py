"""JAX, everything under jit."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import networks
import numpy as np
import operators

version = jax.__version__


def start(mode: str, threads: int) -> None:
    # It uses one thread per core of the process's affinity.
    jax.config.update("jax_platforms", "cpu")
    jax.config.update("jax_enable_x64", True)  # allows float64; float32 stays the default


def to_numpy(x: Any) -> Any:
    return np.asarray(x.astype(jnp.float32) if x.dtype in (jnp.float16, jnp.bfloat16) else x)


def layer_norm(x: Any, weight: Any = 1, bias: Any = 0, eps: float = 1e-5) -> Any:
    d = x - x.mean(-1, keepdims=True)
    return d * jax.lax.rsqrt((d * d).mean(-1, keepdims=True) + eps) * weight + bias


def attention(q: Any, k: Any, v: Any, causal: bool) -> Any:
    s = q @ k.swapaxes(-1, -2) * (q.shape[-1] ** -0.5)
    if causal:
        s = jnp.where(jnp.tril(jnp.ones(s.shape[-2:], bool)), s, -jnp.inf)
    return jax.nn.softmax(s, -1) @ v


def stft(x: Any, window: Any) -> Any:
    x = jnp.pad(x, 512, mode="reflect")
    frames = jnp.arange(0, x.shape[0] - 1023, 256, dtype=jnp.int32)[:, None] + jnp.arange(
        1024, dtype=jnp.int32
    )
    return jnp.fft.rfft(x[frames] * window).T


class Ops:
    """The functions that networks.py uses."""

    relu, relu6 = jax.nn.relu, jax.nn.relu6
    gelu = staticmethod(lambda x: jax.nn.gelu(x, approximate=False))
    linear = staticmethod(lambda x, w, b: x @ w.T + b)
    conv = staticmethod(
        lambda x, w, b, stride, padding, groups: jax.lax.conv_general_dilated(
            x, w, (stride, stride), ((padding, padding),) * 2, feature_group_count=groups
        )
        + b[:, None, None]
    )
    layer_norm, attention = staticmethod(layer_norm), staticmethod(attention)
    swap = staticmethod(lambda x: x.swapaxes(1, 2))
    max_pool = staticmethod(
        lambda x: jax.lax.reduce_window(
            x, -jnp.inf, jax.lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID"
        )
    )


def train(kind: str, w: dict[str, Any]) -> Callable[[], Any]:
    x, y, count = w.pop("x"), w.pop("y").astype(jnp.int32), iter(range(10**9))
    model, decay = networks.TRAINING[kind]

    def loss_of(w: Any, x: Any, y: Any) -> Any:
        return -jnp.take_along_axis(jax.nn.log_softmax(model(Ops, x, w)), y[..., None], -1).mean()

    step = jax.jit(
        networks.adam_step(jax.value_and_grad(loss_of), decay), donate_argnums=(0, 1, 2, 3)
    )
    zeros = lambda: {k: jnp.zeros_like(v) for k, v in w.items()}
    state = [w, zeros(), zeros(), jnp.float32(0)]

    def call() -> Any:
        loss, *state[:] = jax.block_until_ready(step(*state, x, y[next(count) % len(y)]))
        return loss

    return call


FUNCTIONS: dict[str, Callable[..., Any]] = operators.FUNCTIONS | {
    "functions": lambda x, y: jnp.tanh(x * y + x) * jax.nn.sigmoid(y - 0.5 * x)
    + jnp.log1p(jnp.abs(x - y)),
    "softmax": lambda x: jax.nn.softmax(x, -1),
    "layer_norm": layer_norm,
    "matmul + bias + gelu": lambda x, w, b: jax.nn.gelu(x @ w + b, approximate=False),
    "attention": lambda q, k, v: attention(q, k, v, False),
    "sort": lambda x: jnp.sort(x),
    "scatter-add": lambda x, i: jnp.zeros(65536, jnp.float32).at[i].add(x),
    "cumsum": lambda x: jnp.cumsum(x),
    "stft": stft,
    "svd": lambda x: tuple(jnp.linalg.svd(x)),
}


def prepare(kind: str, inputs: dict[str, Any], order: dict[str, str]) -> Callable[[], Any] | None:
    arrays = {k: jnp.asarray(v, dtype=order["dtype"] or None) for k, v in inputs.items()}
    if kind in networks.TRAINING:
        return train(kind, arrays)
    if model := networks.INFERENCE.get(kind):
        x = arrays.pop("x")
        run = jax.jit(lambda x: model(Ops, x, arrays))  # weights are constants, as in Ember
        return lambda: jax.block_until_ready(run(x))
    f = FUNCTIONS.get(kind)
    if not f:
        return None
    if kind != "1,000 ops on 10 floats":  # that workload measures single dispatches
        f = jax.jit(f)
    return lambda: jax.block_until_ready(f(**arrays))
