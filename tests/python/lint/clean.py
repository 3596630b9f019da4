"""Ordinary code beside Ember and with it: no finding."""
import argparse
import asyncio
import configparser
import json
import logging
import math
import os
import random
import statistics
from dataclasses import dataclass
from typing import Any, Callable, Optional

import ember_ml as em
import pytest
from ember_ml import ops, stats, tensor
from ember_ml.nn import Model, modules
from ember_ml.ops import set_backend
from ember_ml.types import TensorLike

logger = logging.getLogger(__name__)
cp = configparser.ConfigParser()
cp.read("settings.ini")
mx = max(3, 4)


def configure(config, args):
    lr = float(config["lr"])
    n = int(args.n)
    debug = bool(os.environ.get("DEBUG"))
    ratio = float(n) / int(len(config))
    names = []
    for i in range(n):
        names.append(i * ratio)
    table = {}
    for i, name in enumerate(names):
        table[name] = i
        table[i] = float(name)
    names[0] = 1.0
    return lr, n, debug, table, sum(names) / len(names), max(names), sorted(names)


def init():
    global tf
    tf = open("log.txt")


def use():
    return tf.read()


def shapes(x: tensor.Tensor):
    rows = int(x.shape[0])
    dims = float(x.ndim) + int(ops.ndim(x)) + int(ops.shape(x)[0]) + float(ops.size(x))
    n, d = x.shape
    half = int(n / 2)
    return rows, dims, half, range(int(d)), bool(x is None), x.dtype == "float32", len(x) / 2


def operators(x: tensor.Tensor, y: tensor.Tensor):
    z = (x - y) / 2 + x @ y ** 2
    z += 1
    z = -z * (x > 0)
    return z[1:3], z[x > 0], abs(z), x.T, z / ops.sum(z), ops.sum(x) / 2


def batch_mean(loss, batch_size):
    return ops.sum(loss) / batch_size


def train(model, loader, x, y):
    step = em.value_and_grad(lambda p, a, b: ops.mean(ops.square(model(p, a) - b)))
    params = {"w": ops.zeros((3, 3)), "b": ops.zeros((3,))}
    history = []
    for epoch in range(10):
        for start in range(0, len(x), 32):
            xb, yb = x[start:start + 32], y[start:start + 32]
            loss, grads = step(params, xb, yb)
            for name, g in grads.items():
                params[name] = params[name] - 0.1 * g
        history.append(loss)
        print(epoch, float(loss), f"{loss.item():.3f}")
        logger.info("loss %f", loss.item())
    final = float(loss)
    print("done: %.3f" % float(loss), final)
    return params, ops.stack(history)


def recurrent(x: tensor.Tensor, w, u, h):
    outputs = []
    for t in range(x.shape[1]):
        h = ops.tanh(ops.matmul(x[:, t], w) + ops.matmul(h, u))
        outputs.append(h)
    return ops.stack(outputs)


class Cell(modules.Module):
    def __init__(self, size: int):
        super().__init__()
        self.size = int(size)
        self.weight = ops.random_normal((size, size))
        self.cache = {}
        self.state = [ops.zeros((size,)) for _ in range(3)]

    def forward(self, x: tensor.Tensor, steps: int = 3) -> tensor.Tensor:
        for t in range(len(x)):
            self.h = ops.tanh(ops.matmul(x[t], self.weight) + self.h)
        for i in range(len(self.state)):
            self.state[i] = ops.multiply(self.state[i], 0.9)
        self.cache["last"] = self.h
        self.cache[steps] = float(steps)
        return self.h


class Adam:
    def __init__(self, params: list[tensor.Tensor], lr=0.1):
        self.lr = float(lr)
        self.params = params
        self.m = [ops.zeros_like(p) for p in params]
        self.v = {}

    def step(self, grads):
        for i, (p, g) in enumerate(zip(self.params, grads)):
            self.m[i] = ops.add(ops.multiply(0.9, self.m[i]), ops.multiply(0.1, g))
            self.v[i] = ops.square(g)
            self.params[i] = p - self.lr * self.m[i]


def sequence(parts: list[tensor.Tensor], x: tensor.Tensor):
    out = []
    for p in parts:
        out.append(ops.mean(p))
    for q in ops.split(x, 4):
        out.append(ops.mean(q))
    out[0] = ops.zeros(())
    u, s, vt = ops.linearalg.svd(x)
    return sum(out), [ops.relu(p) for p in parts], s[0], [p.shape for p in parts]


def update(params, grads, lr):
    fresh = []
    for p, g in zip(params, grads):
        fresh.append(ops.subtract(p, ops.multiply(lr, g)))
    for i in range(len(params)):
        params[i] = ops.subtract(params[i], ops.multiply(lr, grads[i]))
    return fresh


def sizes(n, k, x):
    eye = ops.eye(n)
    top = ops.topk(x, k)
    scaled = ops.multiply(x, n)
    grid = ops.zeros((n, k))
    return eye, top, scaled, grid, int(n), float(k), int(n) // 2


def files(path):
    x = tensor.convert_to_tensor([[float(v) for v in line.split(",")] for line in open(path)])
    with open(path, "w") as f:
        json.dump(x.tolist(), f)
    for row in x.tolist():
        print(row)
    y = tensor.array(list(range(10)))
    z = tensor.array(json.loads("[1]"))
    state = tensor.load(path)
    state["w"] = y
    return x, y, z, state


def either(x: TensorLike):
    if isinstance(x, (int, float)):
        return float(x)
    if isinstance(x, str):
        return float(x)
    return ops.mean(x)


def kinds(x: Any):
    if isinstance(x, tensor.Tensor):
        return x.tolist()
    if isinstance(x, list) and hasattr(x, "name"):
        x[0] = 3
    return float(x)


def backends(model, x):
    results = {}
    for name in em.get_available_backends():
        if name == "native":
            continue
        set_backend(name)
        with em.using_backend("torch"):
            results[name] = model(x).tolist()
    print(em.get_backend(), "is in force; numpy and torch are others")
    import matplotlib
    assert matplotlib.get_backend() == "agg"
    return results


@dataclass
class Config:
    dtype: str = "float32"
    device: str = "cuda"


def options(dtype: str = "float32", callback: Optional[Callable[[int], float]] = None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--dtype", default="float32")
    return parser.parse_args(), dtype, callback


def plain(np, query, message, quantity):
    rows = query.filter(query.id.in_([1, 2]), query.name.is_(None)).all()
    message.to("bob")
    quantity.to("meter")
    rows.sort_()
    return np.mean(rows)


def check(x: tensor.Tensor):
    assert float(ops.mean(x)) == 1.0
    assert ops.allclose(x, x)
    assert x.item() == pytest.approx(float(ops.sum(x)))
    if ops.any(x > 3):
        raise ValueError(f"too large: {float(ops.max(x))}")


async def fetch(client):
    data = await client.get("/")
    return [float(v) for v in data], math.sqrt(float(data[0])), statistics.mean(data), random.random(), asyncio.sleep(0)


def means(x, groups):
    total = stats.mean(x)
    if (n := len(groups)) > 3:
        total = ops.sum(x) / (n + 1)
    match groups:
        case ["numpy", *rest]:
            return rest
        case {"a": a}:
            return float(a)
    return total


def accuracy(model, x, y) -> float:
    return float(ops.mean(ops.equal(ops.argmax(model(x), axis=-1), y)))


def extremes(x: tensor.Tensor) -> dict[str, float]:
    return {"low": float(ops.min(x)), "high": ops.max(x).item()}


class Head(Model):
    def forward(self, x: "tensor.Tensor", mask: "Optional[tensor.Tensor]" = None) -> "tensor.Tensor":
        for layer in self.layers:
            x = layer(x)
        if mask is not None:
            x = ops.where(mask, x, 0.0)
        return x
