"""The networks of bench/workloads_networks.cpp, written with the functions `o` of any library,
and their training."""

from collections.abc import Callable
from typing import Any

Weights = dict[str, Any]


def mobilenet(o: Any, x: Any, w: Weights) -> Any:
    n = 0

    def conv(x: Any, stride: int = 1) -> Any:
        nonlocal n
        weight, bias = w[f"{n}.weight"], w[f"{n}.bias"]
        n += 1
        return o.conv(
            x,
            weight,
            bias,
            stride,
            weight.shape[2] // 2,
            weight.shape[0] if weight.shape[1] == 1 else 1,
        )

    x, channels = o.relu6(conv(x, 2)), 32
    for expansion, to, count, stride in [
        (1, 16, 1, 1),
        (6, 24, 2, 2),
        (6, 32, 3, 2),
        (6, 64, 4, 2),
        (6, 96, 3, 1),
        (6, 160, 3, 2),
        (6, 320, 1, 1),
    ]:
        for i in range(count):
            step = stride if i == 0 else 1
            y = o.relu6(conv(x)) if expansion > 1 else x
            y = conv(o.relu6(conv(y, step)))
            x = x + y if step == 1 and channels == to else y
            channels = to
    x = o.relu6(conv(x)).mean((2, 3))
    return o.linear(x, w[f"{n}.weight"], w[f"{n}.bias"])


def split(o: Any, x: Any, heads: int) -> Any:
    return o.swap(x.reshape(x.shape[0], x.shape[1], heads, -1))


def minilm(o: Any, x: Any, w: Weights) -> Any:
    for i in range(6):
        dense = lambda x, name: o.linear(x, w[f"{i}.{name}.weight"], w[f"{i}.{name}.bias"])
        q, k, v = (split(o, dense(x, name), 12) for name in "qkv")
        x = o.layer_norm(x + dense(o.swap(o.attention(q, k, v, False)).reshape(x.shape), "mixed"))
        x = o.layer_norm(x + dense(o.gelu(dense(x, "wide")), "narrow"))
    return x


def mlp(o: Any, x: Any, w: Weights) -> Any:
    for name in ("first", "second"):
        x = o.relu(o.linear(x, w[name + ".weight"], w[name + ".bias"]))
    return o.linear(x, w["out.weight"], w["out.bias"])


def digits(o: Any, x: Any, w: Weights) -> Any:
    for name in ("conv1", "conv2"):
        x = o.relu(o.conv(x, w[name + ".weight"], w[name + ".bias"], 1, 1, 1))
    x = o.max_pool(x).reshape(x.shape[0], -1)
    x = o.relu(o.linear(x, w["hidden.weight"], w["hidden.bias"]))
    return o.linear(x, w["out.weight"], w["out.bias"])


def characters(o: Any, x: Any, w: Weights) -> Any:
    h = w["token.weight"][x] + w["positions.weight"]
    for i in range(4):
        at = f"blocks.layers.{i}."
        linear = lambda x, name: o.linear(x, w[at + name + ".weight"], w[at + name + ".bias"])
        norm = lambda x, name: o.layer_norm(x, w[at + name + ".weight"], w[at + name + ".bias"])
        qkv = o.linear(
            norm(h, "norm1"), w[at + "self_attn.in_proj_weight"], w[at + "self_attn.in_proj_bias"]
        )
        q, k, v = (split(o, qkv[..., 144 * j : 144 * (j + 1)], 4) for j in range(3))
        h = h + linear(o.swap(o.attention(q, k, v, True)).reshape(h.shape), "self_attn.out_proj")
        h = h + linear(o.gelu(linear(norm(h, "norm2"), "linear1")), "linear2")
    return o.linear(
        o.layer_norm(h, w["blocks.norm.weight"], w["blocks.norm.bias"]),
        w["head.weight"],
        w["head.bias"],
    )


INFERENCE: dict[str, Callable[..., Any]] = {
    "MobileNetV2": mobilenet,
    "MiniLM": minilm,
    "conv 3x3": lambda o, x, w: o.conv(x, w["w"], w["b"], 1, 1, 1),
}
# and the decay of AdamW
TRAINING: dict[str, tuple[Callable[..., Any], float]] = {
    "train MLP": (mlp, 0.0),
    "train digits": (digits, 0.0),
    "train characters": (characters, 0.01),
}


def adam_step(
    value_and_grad: Callable[..., Any], decay: float, lr: float = 1e-3
) -> Callable[..., Any]:
    """A step of Adam or AdamW for libraries of pure functions: (w, m, v, t, x, y) to (loss, w, m,
    v, t)."""

    def step(w: Weights, m: Weights, v: Weights, t: Any, x: Any, y: Any) -> Any:
        loss, g = value_and_grad(w, x, y)
        t = t + 1
        m = {k: 0.9 * m[k] + 0.1 * g[k] for k in w}
        v = {k: 0.999 * v[k] + 0.001 * g[k] * g[k] for k in w}
        one, two = 1 - 0.9**t, 1 - 0.999**t
        w = {
            k: w[k] * (1 - lr * decay) - lr * (m[k] / one) / ((v[k] / two) ** 0.5 + 1e-8) for k in w
        }
        return loss, w, m, v, t

    return step
