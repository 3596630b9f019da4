"""scikit-learn."""

from collections.abc import Callable
from typing import Any

import numpy as np
import sklearn
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler

version = sklearn.__version__
to_numpy = np.asarray


def start(mode: str, threads: int) -> None:
    pass  # set by OMP_NUM_THREADS and OPENBLAS_NUM_THREADS


def prepare(kind: str, inputs: dict[str, Any], order: dict[str, str]) -> Callable[[], Any] | None:
    x = inputs.get("x")
    if kind == "PCA":
        return lambda: np.abs(PCA(32).fit_transform(x))  # a component's sign is arbitrary
    if kind == "standardize":
        return lambda: StandardScaler().fit_transform(x)
    return None
