// Shared by the tests of layers: arrays for naive loops in double, comparison, and a float64
// default dtype with a fixed seed.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <sstream>

#include "ember/ember.h"
#include "ember/nn.h"
#include "tests/error_of.h"

namespace ember::nn {

struct Layers : testing::Test {
  DType before = default_float();
  void SetUp() override {
    set_default_float(float64);
    ops::seed(7);
  }
  void TearDown() override { set_default_float(before); }
};

inline Tensor random(const Shape& s) { return ops::random_normal(s, 0, 1, float64); }

// A dense array of doubles; omitted trailing indices are 0.
struct Ref {
  Shape shape;
  std::vector<double> v;
  Ref() = default;
  explicit Ref(const Shape& s, double fill = 0)
      : shape(s), v(size_t(size_of(std::span<const int64_t>(s))), fill) {}
  explicit Ref(std::initializer_list<int64_t> s, double fill = 0) : Ref(Shape(s), fill) {}
  Ref(const Tensor& t) : shape(t.shape()), v(t.astype(float64).to_vector<double>()) {}
  Ref(const Parameter& p) : Ref(p.value()) {}
  size_t place(std::initializer_list<int64_t> at) const {
    size_t k = 0;
    auto it = at.begin();
    for (int64_t d : shape) k = k * size_t(d) + size_t(it == at.end() ? 0 : *it++);
    return k;
  }
  double& operator()(std::initializer_list<int64_t> at) { return v[place(at)]; }
  double operator()(std::initializer_list<int64_t> at) const { return v[place(at)]; }
};

inline void expect_close(const Tensor& got, const Ref& want, double tolerance = 1e-10) {
  ASSERT_EQ(to_string(got.shape()), to_string(want.shape));
  const Ref g(got);
  for (size_t i = 0; i < g.v.size(); ++i) {
    ASSERT_NEAR(g.v[i], want.v[i], tolerance * (1 + std::abs(want.v[i]))) << "at " << i;
  }
}
inline double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

// y[r, o] = sum over i of x[r, i] w[o, i] + b[o], where x is reshaped to rows.
inline Ref linear(const Ref& x, const Ref& w, const std::vector<double>& b = {}) {
  const int64_t in = w.shape[1];
  const int64_t out = w.shape[0];
  const int64_t rows = int64_t(x.v.size()) / in;
  Shape s = x.shape;
  s.back() = out;
  Ref y(s);
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t o = 0; o < out; ++o) {
      double sum = b.empty() ? 0 : b[size_t(o)];
      for (int64_t i = 0; i < in; ++i) sum += x.v[size_t(r * in + i)] * w({o, i});
      y.v[size_t(r * out + o)] = sum;
    }
  }
  return y;
}

// Gradients of sum(y * y) reach every parameter: defined, finite, not all zero.
inline void expect_gradients(Module& m, const std::function<Tensor()>& run) {
  m.zero_grad();
  const Tensor y = run();
  ops::sum(y * y).backward();
  for (const auto& [name, p] : m.named_parameters()) {
    const Tensor g = p.grad();
    ASSERT_TRUE(g.defined()) << m.kind() << " " << name;
    EXPECT_EQ(to_string(g.shape()), to_string(p.shape())) << m.kind() << " " << name;
    EXPECT_TRUE(ops::all(ops::isfinite(g)).item<bool>()) << m.kind() << " " << name;
    EXPECT_TRUE(ops::any(g != 0.0).item<bool>()) << m.kind() << " " << name;
  }
}
inline std::vector<std::string> keys(const Module& m) {
  std::vector<std::string> r;
  for (const auto& [name, t] : m.state_dict()) r.push_back(name);
  return r;
}
using Names = std::vector<std::string>;

}  // namespace ember::nn
