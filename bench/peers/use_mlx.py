"""MLX, and with "compile" mlx.core.compile."""
from collections.abc import Callable
from typing import Any

import mlx.core as mx
import mlx.nn as nn
import numpy as np

version = mx.__version__
compiled = False


def start(mode: str, threads: int) -> None:
    global compiled
    compiled = mode == "compile"


def to_numpy(x: Any) -> Any:
    return np.array(x.astype(mx.float32) if x.dtype in (mx.float16, mx.bfloat16) else x)


def tiny(x: Any) -> Any:
    y = x
    for _ in range(250):
        y = (y * 0.5 + x) - y * x
    return y


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "1,000 ops on 10 floats": tiny,
    "chain": lambda x, y: (x * y + x) * (y - 0.5 * x) + (x - y) * (x + y) - 0.25 * x,
    "integer chain": lambda x, y: (x * y + x) * (y - 2 * x) + (x - y) * (x + y) - 3 * x,
    "functions": lambda x, y: mx.tanh(x * y + x) * mx.sigmoid(y - 0.5 * x) + mx.log1p(mx.abs(x - y)),
    "sum over axis 0": lambda x: x.sum(0),
    "sum over axis 1": lambda x: x.sum(1),
    "softmax": lambda x: mx.softmax(x, -1),
    "layer_norm": lambda x: mx.fast.layer_norm(x, None, None, 1e-5),
    "matmul": lambda x, y: x @ y,
}
UNFUSED = {"1,000 ops on 10 floats", "sum over axis 0", "sum over axis 1", "softmax", "layer_norm", "matmul"}  # one op: nothing to compile


def prepare(kind: str, inputs: dict[str, Any], order: dict[str, str]) -> Callable[[], Any] | None:
    f = FUNCTIONS.get(kind)
    if not f or compiled and kind in UNFUSED:
        return None
    arrays = {k: mx.array(v) for k, v in inputs.items()}
    if order["dtype"]:
        arrays = {k: v.astype(getattr(mx, order["dtype"])) for k, v in arrays.items()}
    mx.eval(arrays)
    if compiled:
        f = mx.compile(f)

    def call() -> Any:
        r = f(**arrays)
        mx.eval(r)
        return r
    return call
