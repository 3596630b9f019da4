"""torch, and with "compile" torch.compile, whose weights are constants where Ember's are."""
from collections.abc import Callable
from typing import Any

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
    return x.detach().float().numpy() if x.dtype in (torch.float16, torch.bfloat16) else x.detach().numpy()


def tiny(x: Any) -> Any:
    y = x
    for _ in range(250):
        y = (y * 0.5 + x) - y * x
    return y


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "1,000 ops on 10 floats": tiny,
    "chain": lambda x, y: (x * y + x) * (y - 0.5 * x) + (x - y) * (x + y) - 0.25 * x,
    "integer chain": lambda x, y: (x * y + x) * (y - 2 * x) + (x - y) * (x + y) - 3 * x,
    "functions": lambda x, y: torch.tanh(x * y + x) * torch.sigmoid(y - 0.5 * x) + torch.log1p(torch.abs(x - y)),
    "sum over axis 0": lambda x: x.sum(0),
    "sum over axis 1": lambda x: x.sum(1),
    "softmax": lambda x: torch.softmax(x, -1),
    "layer_norm": lambda x: F.layer_norm(x, x.shape[-1:]),
    "matmul": lambda x, y: x @ y,
}


def prepare(kind: str, inputs: dict[str, Any], order: dict[str, str]) -> Callable[[], Any] | None:
    tensors = {k: torch.from_numpy(v) for k, v in inputs.items()}
    f = FUNCTIONS.get(kind)
    if not f:
        return None
    if order["dtype"]:
        tensors = {k: v.to(getattr(torch, order["dtype"])) for k, v in tensors.items()}
    if compiled:
        torch.compiler.reset()
        f = torch.compile(f, fullgraph=True, dynamic=False)

    def call() -> Any:
        with torch.inference_mode():
            return f(**tensors)
    return call
