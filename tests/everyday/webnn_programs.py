"""WebNN from Python, as its specification and samples use it."""

import asyncio
import numpy as np
import ember_ml
import webnn
from check import close


def context():
    return webnn.ML().create_context(engine=ember_ml.get_backend())


def program_first_graph():
    ctx = context()
    builder = ctx.create_graph_builder()
    a = builder.input("a", [2, 2], "float32")
    b = builder.input("b", [2, 2], "float32")
    c = builder.constant(np.full((2, 2), 0.5, np.float32))
    graph = builder.build({"out": builder.mul(builder.add(a, b), c)})
    x = np.array([[1, 2], [3, 4]], np.float32)
    close(ctx.compute(graph, {"a": x, "b": x})["out"], x)


def program_dense_classifier():
    rng = np.random.default_rng(0)
    w1, b1 = rng.normal(size=(4, 8)).astype(np.float32), np.zeros(8, np.float32)
    w2 = rng.normal(size=(8, 3)).astype(np.float32)
    ctx = context()
    builder = ctx.create_graph_builder()
    x = builder.input("x", [5, 4], "float32")
    h = builder.relu(builder.add(builder.matmul(x, builder.constant(w1)), builder.constant(b1)))
    graph = builder.build({"p": builder.softmax(builder.matmul(h, builder.constant(w2)), 1)})
    data = rng.normal(size=(5, 4)).astype(np.float32)
    z = np.maximum(data @ w1 + b1, 0) @ w2
    e = np.exp(z - z.max(1, keepdims=True))
    close(ctx.compute(graph, {"x": data})["p"], e / e.sum(1, keepdims=True))


def program_convolution_and_pool():
    ctx = context()
    builder = ctx.create_graph_builder()
    x = builder.input("x", [1, 1, 4, 4], "float32")
    kernel = builder.constant(np.ones((1, 1, 3, 3), np.float32))
    y = builder.conv2d(x, kernel, pads=[1, 1, 1, 1])
    graph = builder.build(
        {"y": y, "pooled": builder.max_pool2d(y, window_dimensions=[2, 2], strides=[2, 2])}
    )
    out = ctx.compute(graph, {"x": np.ones((1, 1, 4, 4), np.float32)})
    expected = np.array([[4, 6, 6, 4], [6, 9, 9, 6], [6, 9, 9, 6], [4, 6, 6, 4]], float)
    close(out["y"], expected[None, None])
    close(out["pooled"], np.full((1, 1, 2, 2), 9))


def program_tensors_and_dispatch():
    ctx = context()
    builder = ctx.create_graph_builder()
    x = builder.input("x", [3], "float32")
    graph = builder.build({"y": builder.mul(x, x)})
    inputs = {"x": ctx.create_tensor([3], "float32", writable=True)}
    outputs = {"y": ctx.create_tensor([3], "float32", readable=True)}
    for scale in (1.0, 2.0):
        ctx.write_tensor(inputs["x"], np.array([1, 2, 3], np.float32) * scale)
        ctx.dispatch(graph, inputs, outputs)
        close(ctx.read_tensor(outputs["y"]), np.array([1, 4, 9]) * scale**2)


def program_reading_without_blocking():
    async def main():
        ctx = context()
        builder = ctx.create_graph_builder()
        graph = builder.build({"y": builder.exp(builder.input("x", [2], "float32"))})
        inputs = {"x": ctx.create_host_tensor([2], "float32")}
        outputs = {"y": ctx.create_host_tensor([2], "float32")}
        ctx.write_tensor(inputs["x"], np.array([0, 1], np.float32))
        ctx.dispatch(graph, inputs, outputs)
        return await webnn.AsyncMLContext(ctx).read_tensor_async(outputs["y"])

    close(asyncio.run(main()), [1, np.e])


def program_errors_name_the_operator():
    builder = context().create_graph_builder()
    a = builder.input("a", [2, 3], "float32")
    try:
        builder.matmul(a, a, label="product")
    except (ValueError, TypeError) as error:
        assert "product" in str(error)
    else:
        raise AssertionError("matmul of [2, 3] and [2, 3] was accepted")
