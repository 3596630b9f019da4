"""JAX, everything under jit."""
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

version = jax.__version__


def start(mode: str, threads: int) -> None:
    jax.config.update("jax_platforms", "cpu")  # its threads are as many as the cores that the process may use
    jax.config.update("jax_enable_x64", True)  # for what is float64; float32 stays as it is


def to_numpy(x: Any) -> Any:
    return np.asarray(x.astype(jnp.float32) if x.dtype in (jnp.float16, jnp.bfloat16) else x)


def tiny(x: Any) -> Any:
    y = x
    for _ in range(250):
        y = (y * 0.5 + x) - y * x
    return y


def layer_norm(x: Any, weight: Any = 1, bias: Any = 0, eps: float = 1e-5) -> Any:
    d = x - x.mean(-1, keepdims=True)
    return d * jax.lax.rsqrt((d * d).mean(-1, keepdims=True) + eps) * weight + bias


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "1,000 ops on 10 floats": tiny,
    "chain": lambda x, y: (x * y + x) * (y - 0.5 * x) + (x - y) * (x + y) - 0.25 * x,
    "integer chain": lambda x, y: (x * y + x) * (y - 2 * x) + (x - y) * (x + y) - 3 * x,
    "functions": lambda x, y: jnp.tanh(x * y + x) * jax.nn.sigmoid(y - 0.5 * x) + jnp.log1p(jnp.abs(x - y)),
    "sum over axis 0": lambda x: x.sum(0),
    "sum over axis 1": lambda x: x.sum(1),
    "softmax": lambda x: jax.nn.softmax(x, -1),
    "layer_norm": layer_norm,
    "matmul": lambda x, y: x @ y,
}


def prepare(kind: str, inputs: dict[str, Any], order: dict[str, str]) -> Callable[[], Any] | None:
    f = FUNCTIONS.get(kind)
    if not f:
        return None
    arrays = {k: jnp.asarray(v, dtype=order["dtype"] or None) for k, v in inputs.items()}
    if kind != "1,000 ops on 10 floats":  # dispatched one by one there; compiled it would be one
        f = jax.jit(f)
    return lambda: jax.block_until_ready(f(**arrays))
