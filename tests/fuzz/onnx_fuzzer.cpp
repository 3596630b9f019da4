// libFuzzer: any bytes are either rejected with one of Ember's errors or recorded. Built by the
// preset fuzz.
#include "ember/onnx.h"
#include "ember/program.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ember;
  try {
    const onnx::Network net = onnx::parse({reinterpret_cast<const char*>(data), size});
    std::vector<Tensor> inputs;
    for (const onnx::Port& p : net.inputs()) {
      Shape s;
      for (const onnx::Dim& d : p.shape.value_or(std::vector<onnx::Dim>(2))) {
        s.push_back(d.size.value_or(3));
      }
      inputs.push_back(placeholder({p.dtype.value_or(DType::int64), s}));
    }
    net.record(inputs);
  } catch (const Error&) {}
  return 0;
}
