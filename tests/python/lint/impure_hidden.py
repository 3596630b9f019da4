"""Impurities behind aliases, branches and attributes."""
from numpy import *  #! EM101
import sys
import numpy as np  #! EM101
import jax.numpy as jnp  #! EM101
import torch  #! EM101
from typing import Union
from ember_ml import ops, tensor, get_backend

xp = np if sys.argv else jnp


def star(x):
    return cumsum(x), xp.mean(x), sys.modules["numpy"].std(x)  #! EM102 EM102 EM102 EM101


def types(x: Union[np.ndarray, torch.Tensor], y: "np.ndarray | torch.Tensor"):  #! EM502 EM502 EM502
    with torch.no_grad():  #! EM102
        z = x.to(torch.float16)  #! EM501
    return z[np.newaxis, :], y, torch.zeros(3, dtype=torch.float32)  #! EM102 EM102 EM501


def tables(x, y):
    return {"numpy": x, "torch": y}[get_backend()]  #! EM603


def text(x):
    return get_backend().lower() == "torch", "torch" in get_backend()  #! EM603 EM603


class Holder:
    def __init__(self, x):
        self.backend = get_backend()
        self.data = tensor.convert_to_tensor(x)

    def use(self, i):
        if self.backend == "mlx":  #! EM603
            self.data[i], self.data[0] = 1, 2  #! EM701 EM701
        return (lambda a: np.mean(a))(i), float(y := ops.mean(self.data)), y  #! EM102 EM301


@np.vectorize  #! EM102
def clip(v, low=np.inf, rng=np.random.default_rng()):  #! EM102 EM601
    return f"{np.mean(v)}"  #! EM102


def each(x: tensor.Tensor):
    a = [float(v) for v in x]
    b = sum(ops.square(v) for v in x)  #! EM401
    c = x.zero_()  #! EM702
    np.add.at(x, 0, 1)  #! EM102
    assert np.allclose(a, b)  #! EM102
    for i in range(len(x)):  #! EM401
        yield ops.sin(x[i])
    yield float(ops.mean(x))  #! EM301
    return c


try:
    import cupy as cp  #! EM101
except ImportError:
    cp = None


def maybe(x):
    if cp is not None:
        return cp.sum(x)  #! EM102
    import numpy.random as nr  #! EM101
    return nr.rand(3)  #! EM601


async def wait(client):
    x = ops.mean(await client.get())
    async with client:
        return int(x)  #! EM301


def branches(flag, values):
    if flag:
        v = ops.mean(values)
    else:
        v = 0.0
    total = 0
    for b in values:  #! EM401
        total = total + ops.mean(b)
    return float(v), float(total)  #! EM301 EM301


def kept(x: tensor.Tensor, weights: dict[str, tensor.Tensor]) -> float:
    scale = float(ops.max(x))  #! EM301
    return scale * 2


def unpromised(x: tensor.Tensor):
    return float(ops.max(x))  #! EM301


def aliased(points):
    out = []
    for i in range(len(points)):  #! EM401
        p = points[i]
        out.append(ops.exp(p))
    return out
