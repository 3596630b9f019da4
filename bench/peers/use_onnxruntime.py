"""ONNX Runtime: the workloads that Ember can write as a model."""

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import onnxruntime

version = onnxruntime.__version__
to_numpy = np.asarray
options = onnxruntime.SessionOptions()


def start(mode: str, threads: int) -> None:
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1


def prepare(kind: str, inputs: dict[str, Any], order: dict[str, str]) -> Callable[[], Any] | None:
    path = order["folder"] + "/model.onnx"
    if (
        not os.path.exists(path)
        or order["dtype"].endswith("float16")
        or kind == "1,000 ops on 10 floats"
    ):
        return None
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    feed = {i.name: inputs[i.name] for i in session.get_inputs()}
    return lambda: session.run(None, feed)
