"""The time of one dispatch of an addition of 4 floats, in nanoseconds: the lower quartile over
rounds."""

import time

import webnn

context = webnn.ML().create_context()
builder = context.create_graph_builder()
x, y = builder.input("x", [4], "float32"), builder.input("y", [4], "float32")
graph = builder.build({"z": builder.add(x, y)})
inputs = {name: context.create_host_tensor([4], "float32") for name in "xy"}
outputs = {"z": context.create_host_tensor([4], "float32")}


def timed(n: int) -> float:
    start = time.perf_counter_ns()
    for _ in range(n):
        context.dispatch(graph, inputs, outputs)
    context.read_tensor(outputs["z"])
    return (time.perf_counter_ns() - start) / n


timed(1000)
print("dispatch", sorted(timed(5000) for _ in range(21))[5])
