"""Ember from Python: the cost of calls."""

from collections.abc import Callable
from typing import Any

import ember_ml
import numpy as np
import operators

version = ember_ml.__version__
to_numpy = np.asarray


def start(mode: str, threads: int) -> None:
    ember_ml.set_backend("native")


def prepare(kind: str, inputs: dict[str, Any], order: dict[str, str]) -> Callable[[], Any] | None:
    if kind != "1,000 ops on 10 floats":
        return None
    x = ember_ml.asarray(inputs["x"])
    return lambda: operators.tiny(x).eval()
