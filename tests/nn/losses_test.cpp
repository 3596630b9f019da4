// Losses with options, and loaders and optimizers with partial passes, samplers and modules that
// are built later.
#include <gtest/gtest.h>

#include <cmath>

#include "ember/nn.h"
#include "ember/train.h"
#include "ember/warning.h"

using namespace ember;
using namespace ember::ops;
using namespace ember::train;

namespace {

std::string last_warning;

double value(const Tensor& t) { return t.astype(DType::float64).item<double>(); }

TEST(Losses, ClassWeights) {
  const Tensor x = array({{0.5, -1.0, 2.0}, {1.0, 0.0, -0.5}});
  const Tensor w = array({1.0, 2.0, 0.5});
  const Tensor y = array({2, 1});
  const auto log_p = [](double a, double b, double c, double of) {
    return of - std::log(std::exp(a) + std::exp(b) + std::exp(c));
  };
  const double first = -log_p(0.5, -1, 2, 2);
  const double second = -log_p(1, 0, -0.5, 0);
  EXPECT_NEAR(value(cross_entropy(x, y, {.weight = w})), (0.5 * first + 2 * second) / 2.5, 1e-6);
  EXPECT_NEAR(value(cross_entropy(x, y, {.reduction = "sum", .weight = w})),
              0.5 * first + 2 * second, 1e-6);
  EXPECT_NEAR(value(nll(log_softmax(x, 1), y, {.ignore_index = 1, .weight = w})), first, 1e-6);
  EXPECT_THROW(cross_entropy(x, y, {.weight = array({1.0, 2.0})}), ShapeError);
  EXPECT_THROW(cross_entropy(x, y, {.reduction = "median"}), ValueError);
  EXPECT_THROW(binary_cross_entropy(x, x, {.pos_weight = w}), ValueError);
}

TEST(Losses, PositiveWeight) {
  const double x = 0.7;
  const double p = 1 / (1 + std::exp(-x));
  const Tensor logit = array({x});
  const Tensor yes = array({1.0});
  const Tensor no = array({0.0});
  const Tensor weight = array({3.0});
  EXPECT_NEAR(value(binary_cross_entropy_with_logits(logit, yes, {.pos_weight = weight})),
              -3 * std::log(p), 1e-6);
  EXPECT_NEAR(value(binary_cross_entropy_with_logits(logit, no, {.pos_weight = weight})),
              -std::log(1 - p), 1e-6);
}

TEST(Losses, BroadcastingWarns) {
  set_warning_handler([](const std::string& text) { last_warning = text; });
  mse_loss(ops::ones({4, 1}), ops::ones({4}));
  EXPECT_NE(last_warning.find("[4, 1]"), std::string::npos);
  last_warning.clear();
  mse_loss(ops::ones({4}), ops::ones({4}));
  smooth_l1(ops::ones({4}), ops::ones({4}));
  EXPECT_EQ(last_warning, "");
  smooth_l1(ops::ones({4, 1}), ops::ones({4}));
  EXPECT_NE(last_warning.find("smooth_l1_loss"), std::string::npos);
  set_warning_handler(nullptr);
}

std::vector<int64_t> numbers(DataLoader& l) {
  std::vector<int64_t> r;
  for (const Tensors& b : l) {
    for (int64_t v : b[0].to_vector<int64_t>()) r.push_back(v);
  }
  return r;
}

TEST(Loader, EachPassIsAnEpoch) {
  DataLoader l(dataset({arange(0, 5, 1, DType::int64)}), {.batch_size = 2});
  const std::vector<int64_t> all = {0, 1, 2, 3, 4};
  for (const Tensors& b : l) {
    EXPECT_EQ(b[0].size(), 2);
    break;
  }
  EXPECT_EQ(numbers(l), all);
  EXPECT_EQ(numbers(l), all);
  l.seek({7, 1});
  EXPECT_EQ(numbers(l), (std::vector<int64_t>{2, 3, 4}));
}

TEST(Loader, Samplers) {
  const DatasetPtr data = dataset({arange(0, 6, 1, DType::int64)});
  DataLoader order(data, {.batch_size = 2, .sampler = [](int64_t epoch) {
                            return std::vector<int64_t>{epoch, 5, 4};
                          }});
  EXPECT_EQ(order.size(), 2);
  EXPECT_EQ(numbers(order), (std::vector<int64_t>{0, 5, 4}));
  EXPECT_EQ(numbers(order), (std::vector<int64_t>{1, 5, 4}));
  DataLoader batches(data, {.batch_sampler = [](int64_t) {
                       return std::vector<std::vector<int64_t>>{{1}, {2, 3, 4}};
                     }});
  EXPECT_EQ(batches.examples(), 4);
  EXPECT_EQ(batches.rows(1), 3);
  EXPECT_THROW(DataLoader(data, {.shuffle = true,
                                 .sampler = [](int64_t) { return std::vector<int64_t>{0}; }}),
               ValueError);
  EXPECT_THROW(DataLoader(data, {.sampler = [](int64_t) { return std::vector<int64_t>{6}; }}),
               IndexError);
  const auto parts = random_split(data, {4, 2}, 1);
  std::vector<int64_t> together = parts[0]->indices();
  together.insert(together.end(), parts[1]->indices().begin(), parts[1]->indices().end());
  std::sort(together.begin(), together.end());
  EXPECT_EQ(together, (std::vector<int64_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_THROW(random_split(data, {4, 3}), ValueError);
}

// Its width is the width of its first input.
struct Scale : nn::Module {
  nn::Parameter w;
  Scale() { defer(); }
  Tensor forward(const Tensor& x) override {
    build(x.shape(-1));
    return x * w;
  }
  void prepare_to_load(const nn::StateDict& s) override {
    if (const auto it = s.find("w"); it != s.end()) build(it->second.shape(0));
  }

 private:
  void build(int64_t n) {
    if (built()) return;
    add("w", w, ops::ones({n}));
    finish_build();
  }
};

TEST(Optimizer, GetsParametersThatAreMadeLater) {
  Scale m;
  nn::SGD optimizer(m, {.lr = 0.5});
  EXPECT_EQ(m.parameter_count(), 0);
  sum(m(array({1.0, 2.0}))).backward();
  EXPECT_TRUE(optimizer.step());
  EXPECT_EQ(m.w.value().to_vector<double>(), (std::vector<double>{0.5, 0.0}));
  EXPECT_EQ(optimizer.parameters().size(), 1u);
  Scale other;
  other.load_state_dict(m.state_dict());
  EXPECT_EQ(other.w.value().to_vector<double>(), (std::vector<double>{0.5, 0.0}));
}

TEST(Optimizer, GradientsInPairs) {
  nn::Parameter a(array({1.0}));
  nn::Parameter b(array({2.0}));
  nn::SGD optimizer(std::vector{a}, {.lr = 0.5});
  optimizer.apply_gradients({{array({2.0}), a}, {Tensor(), b}});
  EXPECT_EQ(a.value().to_vector<double>()[0], 0.0);
  EXPECT_EQ(b.value().to_vector<double>()[0], 2.0);
  EXPECT_EQ(optimizer.parameters().size(), 2u);
  EXPECT_THROW(optimizer.apply_gradients({{array({2.0, 3.0}), a}}), ShapeError);
  EXPECT_THROW(nn::SGD(std::vector<nn::Parameter>{}).step(), StateError);
}

}  // namespace
