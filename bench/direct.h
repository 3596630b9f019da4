// The same work written directly for a library, to measure Ember's overhead. Each library has its
// own module that links it: lib/ember/bench/direct_<engine>.so, opened after the engine.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ember::bench {

struct Floats {
  const float* data;
  std::vector<int64_t> shape;
};
struct Conv {
  Floats weight, bias;
  int64_t stride, groups;
};
struct Block {
  std::optional<Conv> expand;
  Conv depthwise, project;
  bool residual;
};
// MobileNetV2, as in examples/mobilenet.h.
struct Network {
  Conv first, last;
  std::vector<Block> blocks;
  Floats weight, bias;
};

// The blocks with a library's own layers, each created from a Conv.
template <class Layer> struct Part {
  std::optional<Layer> expand;
  Layer depthwise, project;
  bool residual;
};
template <class Layer> std::vector<Part<Layer>> parts_of(const Network& n) {
  std::vector<Part<Layer>> r;
  for (const Block& b : n.blocks) {
    r.push_back({b.expand ? std::optional<Layer>(*b.expand) : std::nullopt, Layer(b.depthwise),
                 Layer(b.project), b.residual});
  }
  return r;
}

class Direct {
 public:
  virtual ~Direct() = default;
  using Work = std::function<std::vector<float>(bool read)>;  // read: its result, where the module
                                                              // can give it
  // X * y and x + y in turn.
  virtual Work elementwise(const Floats& x, const Floats& y, int ops) = 0;
  virtual Work matmuls(const Floats& x, const Floats& w, int ops) = 0;
  // Relu between the layers.
  virtual Work mlp(const Floats& x, const std::vector<std::pair<Floats, Floats>>& layers) = 0;
  virtual Work mobilenet(const Floats&, const Network&) { return {}; }
};
using DirectFactory = Direct* (*)();
#define EMBER_DIRECT(T)                                                                    \
  extern "C" __attribute__((visibility("default"))) ember::bench::Direct* ember_direct() { \
    return new T;                                                                          \
  }

}  // namespace ember::bench
