"""One impurity a line; the comments name what must be found there, and nothing else may be."""
import os, numpy as xyz  #! EM101
import numpy  #! EM101
import numpy.linalg  #! EM101
import torch.nn as nn  #! EM101
import mlx.core as mc  #! EM101
import importlib as il
import math
from importlib import import_module as load
from jax import numpy as jn  #! EM101
from numpy import mean as m, float32 as f32, ndarray  #! EM101
from torch import Tensor, nn as tnn  #! EM101
from torch.nn import functional as G  #! EM101
from typing import Optional, List
import ember_ml
import ember_ml as em
from ember_ml import ops as o, tensor as t
from ember_ml.ops import sum as total_of, item
from ember_ml.nn.tensor import EmberTensor
from emberharmony import ops

plugin = il.import_module("numpy")  #! EM101
other = load("torch")  #! EM101
third = __import__("tensorflow")  #! EM101
alias = xyz
fn = xyz.mean  #! EM102


def functions(x):
    a = m(x)  #! EM102
    b = alias.std(x)  #! EM102
    c = plugin.exp(x)  #! EM102
    d = il.import_module("jax").grad(x)  #! EM101 EM102
    e = fn(x)  #! EM102
    f = getattr(xyz, "cumsum")(x)  #! EM102
    g = numpy.linalg.inv(x)  #! EM102
    h = G.relu(x)  #! EM102
    i = jn.where(x > 0, x, 0)  #! EM102
    j = nn.Linear(3, 4)  #! EM102
    k = xyz.pi  #! EM102
    l = third.reduce_mean(x)  #! EM102
    q = other.cat([a, b])  #! EM102
    return list(map(xyz.sqrt, x)), [c, d, e, f, g, h, i, j, k, l, q]  #! EM102


class Net(nn.Module):  #! EM102
    @other.no_grad()  #! EM102
    def forward(self, x: Tensor) -> Optional[Tensor]:  #! EM502 EM502
        return x


def lazy():
    import torch  #! EM101
    return torch.stack([])  #! EM102


def conversions(x, y):
    a = x.numpy()  #! EM201
    b = x.detach().cpu().numpy()  #! EM201
    c = numpy.asarray(x)  #! EM201
    d = xyz.array([1, 2])  #! EM201
    e = other.from_numpy(a)  #! EM201
    f = mc.array(y)  #! EM201
    g = t.to_numpy(x)  #! EM201
    h = (x
         .cpu()
         .numpy())  #! EM201
    return a, b, c, d, e, f, g, h, x.to_numpy(), x.__array__()  #! EM201 EM201


def trips(x: t.Tensor):
    values = x.tolist()
    a = t.convert_to_tensor(values)  #! EM202
    b = t.array([v * 2 for v in x.tolist()])  #! EM202
    doubled = []
    for row in values:
        doubled.append(row * 2)
    c = ops.asarray(doubled)  #! EM202
    d = EmberTensor(x.numpy())  #! EM201 EM202
    e = t.tensor(list(map(abs, values)))  #! EM202
    f = em.tensor([v for v in ops.sort(x).tolist() if v > 0])  #! EM202
    return a, b, c, d, e, f


def scalars(x, y: EmberTensor, z: "Optional[t.Tensor]", n: int):
    a = float(ops.min(x))  #! EM301
    b = int(o.argmax(x))  #! EM301
    c = bool(y > 0)  #! EM301
    d = y.item()  #! EM301
    e = complex(y)  #! EM301
    f = float(y[0] * 2)  #! EM301
    g = float(x)  #! EM301
    h = item(y)  #! EM301
    i = math.sqrt(y)  #! EM301
    j = float(ember_ml.ops.mean(y) / n)  #! EM301
    if float(z) < 0.5:  #! EM301
        return ops.sum(y).item()  #! EM301
    k = int(y.sum()) + 1  #! EM301
    return a, b, c, d, e, f, g, h, i, j, k


def averages(values, x: t.Tensor):
    a = ops.sum(values) / len(values)  #! EM302
    b = total_of(x) / x.shape[0]  #! EM302
    n = len(values)
    c = ops.sum(values) / n  #! EM302
    d = o.divide(o.sum(x), len(x))  #! EM302
    total = ops.sum(ops.square(values))
    e = total / float(len(values))  #! EM302
    f = x.sum() / x.size  #! EM302
    g = ops.sum(x, axis=1) / ops.shape(x)[1]  #! EM302
    return a, b, c, d, e, f, g


def loops(points, x: t.Tensor, other_x):
    out = []
    for i in range(len(points)):  #! EM401
        out.append(ops.square(points[i]))
    for row in x:  #! EM401
        out.append(ops.mean(row))
    for i in range(x.shape[0]):  #! EM401
        p = x[i]
        out.append(ops.exp(p))
    for i, row in enumerate(x):  #! EM401
        out.append(row * i)
    total = ops.zeros(())
    for i in range(len(x)):  #! EM401
        total = ops.add(total, ops.square(x[i]))
    for i in range(10):  #! EM401
        total += x[i]
    i = 0
    while i < len(x):  #! EM401
        out.append(ops.sin(x[i]))
        i += 1
    a = [ops.mean(r) for r in x]  #! EM401
    b = [ops.abs(points[k]) for k in range(len(points))]  #! EM401
    for r, s in zip(x, other_x):  #! EM401
        out.append(ops.dot(r, s))
    for i in range(len(x)):  #! EM401
        for j in range(len(x)):  #! EM401
            out.append(ops.subtract(x[i, j], 1))
    c = sum(x)  #! EM402
    d = max(ops.abs(x))  #! EM402
    e = list(map(ops.sin, x))  #! EM402
    f = sorted(x)  #! EM402
    return out, total, a, b, c, d, e, f


def types(x, shape, dtype=xyz.float32, other_dtype=f32, third_dtype=xyz.dtype("float16")):  #! EM501 EM501 EM501
    a = ops.zeros(shape, dtype=other.float64)  #! EM501
    b = ops.zeros(shape, dtype="float32")  #! EM504
    c = ops.cast(x, "float16")  #! EM504
    d = a.astype("int64")  #! EM504
    if isinstance(x, numpy.ndarray):  #! EM502
        return a
    if isinstance(x, (list, other.Tensor, mc.array)):  #! EM502 EM502
        return b
    if isinstance(x, ndarray) or type(x) is xyz.ndarray:  #! EM502 EM502
        return c
    if hasattr(x, "numpy") or getattr(x, "__array__", None):  #! EM503 EM503
        return d
    if type(x).__module__ == "torch":  #! EM503
        return a
    return type(x).__module__.startswith("numpy")  #! EM503


def annotated(x: "xyz.ndarray", y: List[mc.array], z: xyz.float32 = 0):  #! EM502 EM502 EM501
    w: other.Tensor = x  #! EM502
    return w, y, z


def more_defaults(shape, dtype="float32"):  #! EM504
    return ops.ones(shape, dtype=dtype)


def numbers(shape):
    a = xyz.random.normal(0, 1, shape)  #! EM601
    b = other.randn(3)  #! EM601
    c = mc.random.uniform(shape=shape)  #! EM601
    d = numpy.random.default_rng(0)  #! EM601
    other.manual_seed(0)  #! EM601
    return a, b, c, d


def devices(x, model, device, args):
    x = x.cuda()  #! EM602
    y = x.to("cuda:0")  #! EM602
    z = x.to(device=args.device)  #! EM602
    w = model.to(other.device("cuda"))  #! EM602 EM602
    if other.cuda.is_available():  #! EM602
        mc.set_default_device(mc.gpu)  #! EM602 EM602
    return x.cpu(), y, z, w  #! EM602


def branches(x: t.Tensor):
    backend = em.get_backend()
    if backend == "numpy":  #! EM603
        return 1
    if em.get_backend() in ("torch", "mlx"):  #! EM603
        return 2
    if x.backend != "torch":  #! EM603
        return 3
    match ops.get_backend():
        case "mlx":  #! EM603
            return 4
    return 5


def writes(x: t.Tensor, y, z, n):
    x[0] = 1.0  #! EM701
    x[:, 1] += 2  #! EM701
    a = ops.zeros((3, 3))
    a[0, 0] = 1  #! EM701
    b = ops.add(y, n)
    y[2] = n  #! EM701
    x.add_(1)  #! EM702
    z.copy_(x)  #! EM702
    ops.zeros(3).custom_()  #! EM702
    ops.add(x, y, out=b)  #! EM703
    xyz.add(x, y, out=b)  #! EM102 EM703
    return a, b


class Layer:
    def __init__(self, size):
        self.weight = ops.zeros((size, size))
        self.scale = float(size)

    def norm(self) -> t.Tensor:
        return ops.norm(self.weight)

    def bad(self):
        self.weight[0] = 1.0  #! EM701
        n = float(self.norm())  #! EM301
        return float(ops.mean(self.weight)), n, float(self.scale)  #! EM301


top = ops.mean(t.ones((3,)))
number = float(top) + 1  #! EM301


def nested():
    def inner():
        return float(top)  #! EM301
    return inner, lambda v: v.numpy()  #! EM201
