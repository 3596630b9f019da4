"""Loops, sums and conversions that are as they should be: no finding."""
import math
import operator as np
from ember_ml import ops, tensor
import pandas as pd


def init(sizes):
    weights, scales = [], []
    for i in range(len(sizes)):
        weights.append(ops.zeros((sizes[i],)))
        scales.append(ops.full((2,), 1.0 / math.sqrt(sizes[i])))
    for i in range(len(sizes) - 1):
        weights.append(ops.random_normal((sizes[i], sizes[i + 1])))
    return weights


def norms(weights, shapes, x):
    out = []
    for i in range(len(weights)):
        out.append(ops.norm(weights[i]))
    for i in range(len(shapes)):
        out.append(ops.reshape(x, shapes[i]))
    return out


def layers(h, weights):
    for i in range(len(weights)):
        h = ops.relu(ops.matmul(h, weights[i]))
    return h


def frame(path):
    df = pd.read_csv(path)
    return tensor.convert_to_tensor(df.to_numpy()), np.add(1, 2), np.mul(3, 4)


def integrate(x: tensor.Tensor, state, dt):
    trace = []
    for t in range(len(x)):
        speed = ops.matmul(state, state)
        state = ops.add(state, ops.multiply(dt, ops.add(speed, x[t])))
        trace.append(state)
    return ops.stack(trace)


def scan(x: tensor.Tensor):
    hs = [ops.zeros_like(x[0])]
    for t in range(x.shape[0]):
        hs.append(ops.tanh(ops.add(hs[-1], x[t])))
    return hs


def fit(x: tensor.Tensor, y: tensor.Tensor, model, optimizer):
    losses = []
    for i in range(len(x)):
        loss = ops.mse_loss(model(x[i]), y[i])
        loss.backward()
        optimizer.step()
        losses.append(loss)
    return losses


def descend(params, loss, lr):
    grads = ops.gradients(loss, params)
    for p, g in zip(params, grads):
        p.data = ops.subtract(p.data, ops.multiply(lr, g))


def scale(q, d_k):
    return ops.multiply(q, 1 / math.sqrt(d_k)), ops.sqrt(d_k), int(d_k), ops.divide(q, math.sqrt(q.shape[-1]))


def report(x: tensor.Tensor, path):
    import json
    worst = float(ops.max(x))
    with open(path, "w") as f:
        json.dump({"mean": float(ops.mean(x))}, f)
        f.write(str(x.item()))
    print(f"worst {worst:.3f}, {worst}")


class Meter:
    total = 0.0

    def __init__(self):
        self.total = 0.0
        self.count = 0
        self.values = []

    def update(self, v: float, n: int = 1):
        self.total += float(v) * n
        self.count += int(n)
        self.values.append(v)
        self.values[-1] = float(v)

    @property
    def mean(self) -> float:
        return float(self.total / max(self.count, 1))


def windows(x: tensor.Tensor, size: int):
    parts = []
    for i in range(0, len(x), size):
        parts.append(ops.mean(x[i:i + size]))
    for name, value in {"a": x}.items():
        parts.append(ops.mean(value))
    return parts, {i: x[i] for i in range(3)}, [x[i] for i in range(len(x))]


def swing(x: tensor.Tensor, state, dt):
    trace = []
    for t in range(len(x)):
        force = ops.matmul(state, state)
        state += dt * ops.add(force, x[t])
        trace.append(state)
    print(float(ops.mean(x)), repr(x.item()))
    return trace, ops.sum(x) / (len(x) * 2)
