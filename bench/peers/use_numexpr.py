"""numexpr: expressions only."""

from collections.abc import Callable
from typing import Any

import numexpr
import numpy as np

version = numexpr.__version__
to_numpy = np.asarray


def start(mode: str, threads: int) -> None:
    numexpr.set_num_threads(threads)


# A plain 0.5 would be float64.
EXPRESSIONS = {
    "chain": "(x * y + x) * (y - half * x) + (x - y) * (x + y) - quarter * x",
    "integer chain": "(x * y + x) * (y - 2 * x) + (x - y) * (x + y) - 3 * x",
    "functions": "tanh(x * y + x) / (one + exp(half * x - y)) + log1p(abs(x - y))",
}


def prepare(kind: str, inputs: dict[str, Any], order: dict[str, str]) -> Callable[[], Any] | None:
    if kind not in EXPRESSIONS or order["dtype"].endswith("float16"):
        return None
    dtype = inputs["x"].dtype
    names = dict(inputs, half=dtype.type(0.5), quarter=dtype.type(0.25), one=dtype.type(1))
    return lambda: numexpr.evaluate(EXPRESSIONS[kind], names)
