"""Workloads that only use operators and methods that all array libraries share."""

from collections.abc import Callable
from typing import Any


def tiny(x: Any) -> Any:
    y = x
    for _ in range(250):
        y = (y * 0.5 + x) - y * x
    return y


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "1,000 ops on 10 floats": tiny,
    "chain": lambda x, y: (x * y + x) * (y - 0.5 * x) + (x - y) * (x + y) - 0.25 * x,
    "integer chain": lambda x, y: (x * y + x) * (y - 2 * x) + (x - y) * (x + y) - 3 * x,
    "sum over axis 0": lambda x: x.sum(0),
    "sum over axis 1": lambda x: x.sum(1),
    "matmul": lambda x, y: x @ y,
}
