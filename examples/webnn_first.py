"""The first example of WebNN's specification: (constant1 + input1) * (constant2 + input2), built
once and run."""

import webnn

context = webnn.ML().create_context(power_preference="low-power")

# constant1 ---+
#              +--- Add ---> intermediate1 ---+
# input1    ---+                              |
#                                             +--- Mul ---> output
# constant2 ---+                              |
#              +--- Add ---> intermediate2 ---+
# input2    ---+
shape, size = [1, 2, 2, 2], 8
builder = context.create_graph_builder()
constant1 = builder.constant([0.5] * size, shape, "float32")
input1 = builder.input("input1", shape, "float32")
constant2 = builder.constant([0.5] * size, shape, "float32")
input2 = builder.input("input2", shape, "float32")
intermediate1 = builder.add(constant1, input1)
intermediate2 = builder.add(constant2, input2)
graph = builder.build({"output": builder.mul(intermediate1, intermediate2)})

tensor1 = context.create_tensor(shape, "float32", writable=True)
tensor2 = context.create_tensor(shape, "float32", writable=True)
output = context.create_tensor(shape, "float32", readable=True)
ones = [[[[1.0, 1.0], [1.0, 1.0]], [[1.0, 1.0], [1.0, 1.0]]]]
context.write_tensor(tensor1, ones)
context.write_tensor(tensor2, ones)
context.dispatch(graph, {"input1": tensor1, "input2": tensor2}, {"output": output})  # does not wait
print("Output value:", context.read_tensor(output).tolist())  # waits
