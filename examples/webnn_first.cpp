// The first example of the WebNN specification: two inputs, each with a constant added, multiplied.
#include <ember/webnn.h>

#include <cstdio>
#include <vector>

using namespace ember::webnn;

int main() {
  const MLContext context = createContext();
  MLGraphBuilder builder(context);
  const MLOperandDescriptor type{ember::DType::float32, {1, 2, 2, 2}};
  const std::vector<float> halves(8, 0.5f);
  const auto constant1 = builder.constant(type, halves.data(), 32);
  const auto constant2 = builder.constant(type, halves.data(), 32);
  const auto input1 = builder.input("input1", type);
  const auto input2 = builder.input("input2", type);
  const auto output = builder.mul(builder.add(constant1, input1), builder.add(constant2, input2));
  const MLGraph graph = builder.build({{"output", output}});  // compiled

  const MLTensor x = context.createTensor({{type}, /*readable*/ false, /*writable*/ true});
  const MLTensor y = context.createTensor({{type}, false, true});
  const MLTensor z = context.createTensor({{type}, true, false});
  const std::vector<float> ones(8, 1.0f);
  context.writeTensor(x, ones.data(), 32);
  context.writeTensor(y, ones.data(), 32);
  context.dispatch(graph, {{"input1", x}, {"input2", y}}, {{"output", z}});  // does not wait
  std::vector<float> result(8);
  context.readTensor(z, result.data(), 32);      // waits
  for (float v : result) std::printf("%g ", v);  // 2.25 2.25 2.25 2.25 2.25 2.25 2.25 2.25
  std::puts("");
}
