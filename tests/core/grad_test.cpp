// Gradients in C++: the functional form and backward, higher orders, memory between forward and
// backward, errors.
#include <gtest/gtest.h>

#include <cmath>

#include "ember/ember.h"
#include "ember/row.h"
#include "src/graph/gradient.h"
#include "tests/error_of.h"

namespace ember {
namespace {

using namespace ops;

Tensor leaf(std::vector<double> v) { return array(v).set_requires_grad(); }
std::vector<double> values(const Tensor& t) { return t.to_vector<double>(); }
using List = std::vector<double>;

TEST(Grad, OfAFunction) {
  const auto f = [](const Tensor& x) { return sum(x * x * x); };
  const Tensor x = array(List{1, 2, 3});
  EXPECT_EQ(values(grad(f)(x)), (List{3, 12, 27}));
  const auto [value, slope] = value_and_grad(f)(x);
  EXPECT_EQ(value.item<double>(), 36);
  EXPECT_EQ(values(slope), (List{3, 12, 27}));
  EXPECT_FALSE(x.requires_grad());
  EXPECT_FALSE(slope.requires_grad());
  EXPECT_FALSE(value.requires_grad());
}

TEST(Grad, OfSeveralArguments) {
  const Tensors g = grad([](const Tensors& a) { return sum(a[0] * a[1]); },
                         {array(List{1, 2}), array(List{5, 7}), array(List{0})});
  EXPECT_EQ(values(g[0]), (List{5, 7}));
  EXPECT_EQ(values(g[1]), (List{1, 2}));
  EXPECT_EQ(values(g[2]), (List{0}));  // nothing depends on it
}

TEST(Grad, HigherOrders) {
  const auto f = [](const Tensor& x) { return pow(x, 5.0) + sin(x); };
  const Tensor x = full({}, 1.5, float64);
  const double v = 1.5;
  EXPECT_DOUBLE_EQ(grad(f)(x).item<double>(), 5 * std::pow(v, 4) + std::cos(v));
  EXPECT_DOUBLE_EQ(grad(grad(f))(x).item<double>(), 20 * std::pow(v, 3) - std::sin(v));
  EXPECT_DOUBLE_EQ(grad(grad(grad(f)))(x).item<double>(), 60 * v * v - std::cos(v));
}

// A gradient penalty: backward through a gradient.
TEST(Grad, OfAGradientsNorm) {
  const Tensor x = leaf({1, 2});
  const Tensors xs{x};
  const Tensors ys{sum(x * x * x)};
  const Tensor g = gradients(ys, xs, {}, {.create_graph = true})[0];
  sum(g * g).backward();
  EXPECT_EQ(values(x.grad()), (List{36, 288}));  // d (3 x^2)^2 = 36 x^3
}

TEST(Grad, BackwardAddsUp) {
  Tensor x = leaf({1, 2});
  EXPECT_FALSE(x.grad().defined());
  sum(x * 3.0).backward();
  sum(x * x).backward();
  EXPECT_EQ(values(x.grad()), (List{5, 7}));
  x.set_grad({});
  EXPECT_FALSE(x.grad().defined());
  (x * 2.0).backward(array(List{1, 10}));
  EXPECT_EQ(values(x.grad()), (List{2, 20}));
}

TEST(Grad, Detach) {
  const Tensor x = leaf({1, 2});
  const Tensor y = x * x;
  const Tensor z = y.detach();
  EXPECT_TRUE(y.requires_grad());
  EXPECT_FALSE(y.is_leaf());
  EXPECT_FALSE(z.requires_grad());
  EXPECT_TRUE(z.is_leaf());
  EXPECT_EQ(values(z), (List{1, 4}));
  sum(y * z).backward();
  EXPECT_EQ(values(x.grad()), (List{2, 16}));  // z is a constant
}

TEST(Grad, NoGrad) {
  const Tensor x = leaf({1, 2});
  {
    const no_grad off;
    EXPECT_FALSE(grad_enabled());
    EXPECT_FALSE((x * x).requires_grad());
    const enable_grad on;
    EXPECT_TRUE((x * x).requires_grad());
  }
  EXPECT_TRUE(grad_enabled());
  EXPECT_TRUE((x * x).requires_grad());
}

TEST(Grad, ReadingBeforeBackward) {
  const Tensor x = leaf({1, 2});
  const Tensor inner = exp(x);
  const Tensor y = sum(inner * inner);
  EXPECT_NEAR(y.item<double>(), std::exp(2) + std::exp(4), 1e-12);
  EXPECT_NEAR(values(inner)[0], std::exp(1), 1e-12);
  y.backward();
  EXPECT_NEAR(values(x.grad())[1], 2 * std::exp(4), 1e-12);
  EXPECT_NEAR(y.item<double>(), std::exp(2) + std::exp(4), 1e-12);  // values outlive the graph
}

TEST(Grad, SeveralOutputsOneOfThemUsed) {
  if (!supports_op("native", OpId::eigh).yes) GTEST_SKIP() << "this build has no LAPACK";
  const Tensor x = array(List{2, 1, 1, 3}).set_requires_grad();
  const Tensor m = reshape(x, {2, 2});
  const auto [w, v] = eigh(m);
  v.eval();
  sum(w).backward();  // the trace
  EXPECT_NEAR(values(x.grad())[0], 1, 1e-12);
  EXPECT_NEAR(values(x.grad())[1], 0, 1e-12);
}

TEST(Grad, RetainGraph) {
  const Tensor x = leaf({1, 2});
  const Tensor y = sum(exp(x));
  y.backward(true);
  y.backward();
  EXPECT_DOUBLE_EQ(values(x.grad())[0], 2 * std::exp(1));
  EXPECT_NE(error_of<StateError>([&] { y.backward(); }).find("freed by an earlier backward"),
            std::string::npos);
  EXPECT_DOUBLE_EQ(values(x.grad())[0], 2 * std::exp(1));
}

TEST(Grad, Errors) {
  const Tensor x = leaf({1, 2});
  EXPECT_EQ(error_of<UnsupportedError>([&] { sum(nextafter(x, x + 1.0)).backward(); }),
            "[nextafter] has no gradient");
  EXPECT_EQ(error_of<ShapeError>([&] { (x * 2.0).backward(); }),
            "[backward] the gradient may be omitted only for a single element, not for shape [2]");
  EXPECT_EQ(error_of<ShapeError>([&] { (x * 2.0).backward(array(List{1, 2, 3})); }),
            "[backward] the gradient has shape [3], the tensor [2]");
  EXPECT_EQ(error_of<StateError>([&] { sum(array(List{1, 2})).backward(); }),
            "[backward] no tensor of the graph requires gradients: set requires_grad on the inputs "
            "first");
  EXPECT_EQ(error_of<StateError>([&] {
              Tensor y = x * 2.0;
              y.set_requires_grad(false);
            }),
            "this tensor was computed from others that require gradients: use detach()");
  EXPECT_EQ(error_of<DTypeError>([&] { zeros({2}, int32).set_requires_grad(); }),
            "only floating-point tensors can require gradients, not int32");
  EXPECT_EQ(error_of<ShapeError>([&] { grad([](const Tensor& t) { return t * 2.0; })(x); }),
            "[grad] the function must return one number, not shape [2]");
  const Tensors unused{leaf({1})};
  const Tensors ys{sum(x)};
  EXPECT_EQ(error_of<ValueError>([&] { gradients(ys, unused, {}, {.allow_unused = false}); }),
            "[gradients] the outputs do not depend on one of the inputs");
}

TEST(Grad, EveryGraphOpOfFloatsHasARuleABodyOrAReason) {
  const std::vector<OpId> none{OpId::nextafter};
  for (size_t i = 0; i < size_t(OpId::count); ++i) {
    const OpId op = OpId(i);
    if (op == OpId::leaf || op == OpId::scalar || op == OpId::output) continue;
    const Row& r = row(op);
    const bool floats =
        (r.kinds & k_inexact) && r.result != Result::boolean && r.result != Result::byte;
    const std::string_view name = r.name;
    const bool whole = name == "all" || name == "any" || name == "argmax" || name == "argmin" ||
                       name == "argsort" || name == "searchsorted" || name == "nonzero" ||
                       name == "arange" || name == "random_bits";
    if (!floats || whole) continue;
    const bool has = r.vjp || r.compose;
    const bool excused = std::find(none.begin(), none.end(), op) != none.end();
    EXPECT_NE(has, excused) << name;
  }
}

// The number of tensors of this size that an evaluation stores for backward.
struct Kept : testing::Test {
  static constexpr int64_t n = 1 << 20;
  with_backend scope{"native"};
  Tensor x = from_values();
  static Tensor from_values() {
    Tensor x = array(std::vector<float>(size_t(n), 0.5f));
    return x.set_requires_grad();
  }
  double tensors_after(const std::function<Tensor(const Tensor&)>& f) {
    const size_t before = memory_stats().used;
    const Tensor y = sum(f(x));
    y.eval();  // a separate statement: values that temporaries refer to are stored
    return double(memory_stats().used - before) / double(n * int64_t(sizeof(float)));
  }
};
TEST_F(Kept, NothingWhereRulesReadNothing) {
  EXPECT_LT(tensors_after([](const Tensor& x) {
              return reshape(-(x + 1.0) * 3.0 / 2.0, {1024, 1024}) - 5.0;
            }),
            0.1);
}
TEST_F(Kept, WhatRulesReadAndNoMore) {
  // exp's result.
  EXPECT_NEAR(tensors_after([](const Tensor& x) { return exp(x + 1.0) * 2.0; }), 1, 0.1);
  // sin's input.
  EXPECT_NEAR(tensors_after([](const Tensor& x) { return sin(x * 2.0) + 1.0; }), 1, 0.1);
  // Both results.
  EXPECT_NEAR(tensors_after([](const Tensor& x) { return tanh(exp(x)) - 1.0; }), 2, 0.1);
  EXPECT_NEAR(tensors_after([](const Tensor& x) { return x * x; }), 0,
              0.1);  // x itself exists anyway
}
TEST_F(Kept, ReleasedByBackward) {
  const size_t before = memory_stats().used;
  const Tensor y = sum(tanh(exp(x) + 1.0));
  y.eval();
  EXPECT_GT(memory_stats().used, before + 2 * n * sizeof(float) - 1);
  y.backward();
  x.grad().eval();
  // The gradient remains.
  EXPECT_LT(memory_stats().used, before + size_t(1.2 * double(n * sizeof(float))));
}

TEST(Grad, AGraphOfManyOps) {
  constexpr int ops = 100'000;
  const Tensor x = leaf({1, 2});
  Tensor y = x;
  for (int i = 0; i < ops; ++i) y = i % 2 ? y - 0.25 : y + 0.25;
  sum(y * y).backward();
  EXPECT_EQ(values(x.grad()), (List{2, 4}));
}
TEST(Grad, ALeafUsedManyTimes) {
  const Tensor x = leaf({3});
  Tensor y = x;
  for (int i = 0; i < 40; ++i) y = (y + x) * 0.5;  // always x: the paths are 2^40, the nodes 80
  y.backward();
  EXPECT_NEAR(values(x.grad())[0], 1, 1e-12);
}

// In any order, with gaps, and overlapping.
TEST(Grad, PartsSideBySide) {
  const auto slopes = [](std::vector<std::pair<int64_t, int64_t>> parts) {
    const Tensor x = leaf({1, 2, 3, 4, 5, 6});
    Tensor y = zeros({}, float64);
    double weight = 1;
    for (auto [from, to] : parts) {
      y = y + sum(x(slice(from, to))) * weight;
      weight *= 10;
    }
    y.backward();
    return values(x.grad());
  };
  EXPECT_EQ(slopes({{0, 2}, {2, 4}, {4, 6}}), (List{1, 1, 10, 10, 100, 100}));
  EXPECT_EQ(slopes({{4, 6}, {0, 2}, {2, 4}}), (List{10, 10, 100, 100, 1, 1}));
  EXPECT_EQ(slopes({{0, 1}, {2, 4}, {4, 5}}), (List{1, 0, 10, 10, 100, 0}));
  EXPECT_EQ(slopes({{0, 3}, {2, 5}, {5, 6}}), (List{1, 1, 11, 10, 10, 100}));
  EXPECT_EQ(slopes({{0, 3}, {0, 3}, {3, 6}}), (List{11, 11, 11, 100, 100, 100}));
}

// A complete training step: forward, backward, a new leaf.
TEST(Grad, StepsOfDescent) {
  Tensor x = leaf({5, -3});
  for (int i = 0; i < 100; ++i) {
    const Tensor loss = sum(square(x - array(List{1, 2})));
    loss.backward();
    x = (x.detach() - x.grad() * 0.1).eval();
    x.set_requires_grad();
  }
  EXPECT_NEAR(values(x)[0], 1, 1e-8);
  EXPECT_NEAR(values(x)[1], 2, 1e-8);
}

}  // namespace
}  // namespace ember
