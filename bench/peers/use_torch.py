"""torch, and with "compile" torch.compile, whose weights are constants where Ember's are."""

from collections.abc import Callable
from typing import Any

import networks
import operators
import torch
import torch._inductor.config
import torch.nn.functional as F

version = torch.__version__
compiled = False


def start(mode: str, threads: int) -> None:
    global compiled
    compiled = mode == "compile"
    torch.set_num_threads(threads)
    torch._inductor.config.freezing = True


def to_numpy(x: Any) -> Any:
    return (
        x.detach().float().numpy()
        if x.dtype in (torch.float16, torch.bfloat16)
        else x.detach().numpy()
    )


class Ops:
    """The functions that networks.py uses."""

    relu, relu6, gelu, linear = F.relu, F.relu6, F.gelu, F.linear
    conv = staticmethod(
        lambda x, w, b, stride, padding, groups: F.conv2d(x, w, b, stride, padding, 1, groups)
    )
    layer_norm = staticmethod(lambda x, w=None, b=None: F.layer_norm(x, x.shape[-1:], w, b))
    attention = staticmethod(
        lambda q, k, v, causal: F.scaled_dot_product_attention(q, k, v, is_causal=causal)
    )
    swap = staticmethod(lambda x: x.transpose(1, 2))
    max_pool = staticmethod(lambda x: F.max_pool2d(x, 2))


class Net(torch.nn.Module):
    """A network that owns its weights, which makes them constants for torch.compile."""

    def __init__(self, f: Callable[..., Any], weights: dict[str, Any]) -> None:
        super().__init__()
        self.f, self.names = f, list(weights)
        self.values = torch.nn.ParameterList(weights.values())

    def forward(self, x: Any) -> Any:
        return self.f(Ops, x, dict(zip(self.names, self.values)))


def infer(kind: str, tensors: dict[str, Any]) -> Callable[[], Any]:
    x = tensors.pop("x")
    net = Net(networks.INFERENCE[kind], tensors).eval()
    f = torch.compile(net, fullgraph=True, dynamic=False) if compiled else net

    def call() -> Any:
        with torch.no_grad():  # required for freezing
            return f(x)

    return call


def train(kind: str, tensors: dict[str, Any]) -> Callable[[], Any]:
    x, y, count = tensors.pop("x"), tensors.pop("y"), iter(range(10**9))
    model, decay = networks.TRAINING[kind]
    net = Net(model, tensors)
    f = torch.compile(net, fullgraph=True, dynamic=False) if compiled else net
    optimizer = torch.optim.AdamW(net.parameters(), 1e-3, weight_decay=decay, fused=True)

    def call() -> Any:
        optimizer.zero_grad()
        loss = F.cross_entropy(f(x).flatten(0, -2), y[next(count) % len(y)].flatten())
        loss.backward()
        optimizer.step()
        return loss

    return call


FUNCTIONS: dict[str, Callable[..., Any]] = operators.FUNCTIONS | {
    "functions": lambda x, y: torch.tanh(x * y + x) * torch.sigmoid(y - 0.5 * x)
    + torch.log1p(torch.abs(x - y)),
    "softmax": lambda x: torch.softmax(x, -1),
    "layer_norm": lambda x: F.layer_norm(x, x.shape[-1:]),
    "matmul + bias + gelu": lambda x, w, b: F.gelu(torch.addmm(b, x, w)),
    "attention": lambda q, k, v: F.scaled_dot_product_attention(q, k, v),
    "sort": lambda x: torch.sort(x).values,
    "scatter-add": lambda x, i: torch.zeros(65536).scatter_add_(0, i, x),
    "cumsum": lambda x: torch.cumsum(x, 0),
    "stft": lambda x, window: torch.stft(x, 1024, 256, window=window, return_complex=True),
    "svd": lambda x: torch.linalg.svd(x),
}


UNFUSED = {
    "1,000 ops on 10 floats",
    "matmul",
    "sort",
    "svd",
}  # a single call, or the first is already compiled


def prepare(kind: str, inputs: dict[str, Any], order: dict[str, str]) -> Callable[[], Any] | None:
    tensors = {k: torch.from_numpy(v) for k, v in inputs.items()}
    if compiled:
        torch.compiler.reset()
    if kind in networks.INFERENCE:
        return infer(kind, tensors)
    if kind in networks.TRAINING:
        return train(kind, tensors)
    f = FUNCTIONS.get(kind)
    if not f or compiled and kind in UNFUSED:
        return None
    if order["dtype"]:
        tensors = {k: v.to(getattr(torch, order["dtype"])) for k, v in tensors.items()}
    if compiled:
        f = torch.compile(f, fullgraph=True, dynamic=False)

    def call() -> Any:
        with torch.inference_mode():
            return f(**tensors)

    return call
