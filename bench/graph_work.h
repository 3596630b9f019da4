// Workloads dominated by the graph's overhead, each with 1,000 ops: bench/core.cpp times them,
// tests/cost counts instructions.
#pragma once
#include "ember/ember.h"

namespace ember::bench {

inline void recorded() {
  static const Tensor x = array(std::vector<float>(10, 0.5f));
  Tensor y = x;
  for (int i = 0; i < 250; ++i) y = (y * 0.5f + x) - y * x;
  y.eval();
}

inline void one_by_one() {
  static const Tensor x = array(std::vector<float>(10, 0.5f));
  Tensor y = x;
  for (int i = 0; i < 250; ++i) {
    const Tensor a = (y * 0.5f).eval();
    const Tensor b = (a + x).eval();
    const Tensor c = (y * x).eval();
    y = (b - c).eval();
  }
}

// Each op needs the complete result of the previous one, so nothing fuses. The offset of the index
// changes, the plan does not.
inline void unfusable() {
  using namespace ops;
  static const Tensor w = (reshape(arange(0, 64, 1, float32), {8, 8}) * 0.01f).eval();
  Tensor y = w;
  for (int i = 0; i < 200; ++i) {
    y = matmul(y, w);
    const Tensor row = y(i % 8);
    const Tensor s = sum(y, 0);
    y = reshape(concat({row, s, row, s, row, s, row, s}), {8, 8});
  }
  y.eval();
}

}  // namespace ember::bench
