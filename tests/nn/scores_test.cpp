// Metrics and cross entropy as functions, parameter groups that are added later, stopped loaders, a
// fit that fails.
#include <gtest/gtest.h>

#include <cmath>

#include "ember/train.h"
#include "tests/error_of.h"

namespace ember::train {
namespace {

using namespace ops;
using Numbers = std::vector<double>;

TEST(Scores, ClassesAsNumbersOrAsScores) {
  const Tensor target = array({0, 1, 2, 2});
  const Tensor classes = array({0, 2, 2, 2});
  const Tensor scores = array({{0.9, 0.1, 0.0}, {0.1, 0.2, 0.7}, {0.0, 0.2, 0.8}, {0.3, 0.2, 0.5}});
  for (const Tensor& p : {classes, scores}) {
    EXPECT_EQ(confusion_matrix(target, p).to_vector<int64_t>(),
              (std::vector<int64_t>{1, 0, 0, 0, 0, 1, 0, 0, 2}));
    const Record r = classification_metrics(target, p);
    EXPECT_DOUBLE_EQ(r.at("accuracy"), 0.75);
    EXPECT_DOUBLE_EQ(r.at("recall"), 2.0 / 3);
    EXPECT_DOUBLE_EQ(r.at("precision"), (1 + 0 + 2.0 / 3) / 3);
  }
  EXPECT_EQ(confusion_matrix(target, classes, true).to_vector<double>(),
            (Numbers{1, 0, 0, 0, 0, 1, 0, 0, 1}));
  EXPECT_THROW(confusion_matrix(target, array({0, 1})), ShapeError);
  EXPECT_THROW(confusion_matrix(array({0, -1}), array({0, 1})), ValueError);
  EXPECT_THROW(binary_classification_metrics(target, classes), ValueError);
  EXPECT_EQ(
      binary_classification_metrics(array({1, 0, 1}), array({0.9, 0.4, 0.2}), 0.3).at("recall"),
      0.5);
}
TEST(Scores, ThePrecisionRecallCurve) {
  const Tensor target = array({0, 0, 1, 1});
  const Tensor score = array({0.1, 0.4, 0.35, 0.8}, float64);
  const PrecisionRecall c = precision_recall_curve(target, score);
  EXPECT_EQ(c.precision.to_vector<double>(), (Numbers{0.5, 2.0 / 3, 0.5, 1, 1}));
  EXPECT_EQ(c.recall.to_vector<double>(), (Numbers{1, 1, 0.5, 0.5, 0}));
  EXPECT_EQ(c.thresholds.to_vector<double>(), (Numbers{0.1, 0.35, 0.4, 0.8}));
  EXPECT_NEAR(average_precision_score(target, score), 5.0 / 6, 1e-12);
  EXPECT_DOUBLE_EQ(roc_auc(target, score), 0.75);
  EXPECT_EQ(precision_recall_curve(array({1, 0}), array({0.5, 0.5})).thresholds.size(), 1)
      << "equal scores are one decision";
}
TEST(Scores, CrossEntropy) {
  const Tensor x = array({{1.0, 2.0}, {3.0, 1.0}}, float64);
  const Tensor t = array({0, 0});
  const double a = std::log(1 + std::exp(1.0));
  const double b = std::log(1 + std::exp(-2.0));
  EXPECT_NEAR(item(cross_entropy(x, t)), (a + b) / 2, 1e-12);
  EXPECT_NEAR(item(cross_entropy(x, array({0, -100}))), a, 1e-12);
  const double smooth = 0.9 * a + 0.1 * (a + std::log(1 + std::exp(-1.0))) / 2;
  EXPECT_NEAR(item(cross_entropy(x, array({0, -100}), {.label_smoothing = 0.1})), smooth, 1e-12);
  EXPECT_NEAR(
      item(cross_entropy(x, array({{1.0, 0.0}, {0.0, 0.0}}, float64), {.reduction = "sum"})), a,
      1e-12);
  EXPECT_EQ(cross_entropy(x.astype(float16), t).dtype(), float16);
  EXPECT_THROW(cross_entropy(x, t, {.reduction = "median"}), ValueError);
  EXPECT_THROW(cross_entropy(x, array({1.0})), ShapeError);
}

TEST(Groups, ComeLaterAndAllAtOnce) {
  const nn::Parameter a(ones({2}, float64));
  const nn::Parameter b(ones({2}, float64));
  nn::SGD optimizer({a}, {.lr = 0.5});
  nn::ExponentialLR schedule(optimizer, 0.5);
  EXPECT_THROW(optimizer.add_group({{b, a}, {.lr = 1}}), ValueError);
  EXPECT_THROW(optimizer.add_group({{b}, {.lr = -1}}), ValueError);
  EXPECT_EQ(optimizer.groups(), 1u);
  EXPECT_EQ(optimizer.parameters().size(), 1u) << "nothing of a group that is refused stays";
  optimizer.add_group({{b}, {.lr = 0.25}});
  EXPECT_EQ(optimizer.parameters(1), std::vector{b});
  sum(a.value() + b.value()).backward();
  optimizer.step();
  EXPECT_EQ(a.value().to_vector<double>()[0], 0.5);
  EXPECT_EQ(b.value().to_vector<double>()[0], 0.75);
  nn::SGD other(nn::SGD::Groups{{{a}, {}}, {{b}, {}}});
  other.load_state_dict(optimizer.state_dict());
  EXPECT_EQ(other.lr(1), 0.25);
  EXPECT_THROW(optimizer.set_options(0, {.momentum = -1}), ValueError);
}

TEST(Loader, RestsAndGoesOn) {
  DataLoader l(dataset(9, [](int64_t i) { return Tensors{full({}, double(i), float64)}; }),
               {.batch_size = 3, .workers = 2});
  l.next();
  l.rest();
  l.rest();
  EXPECT_EQ((*l.next())[0].to_vector<double>(), (Numbers{3, 4, 5}));
}
struct Net : nn::Module {
  nn::Parameter w;
  Net() { add("w", w, ones({1, 1}, float64)); }
  Tensor forward(const Tensor& x) override { return matmul(x, w.value()); }
};
TEST(Training, AFitThatFailsLeavesNoGradients) {
  Net net;
  nn::SGD optimizer(net);
  struct Broken : Metric {
    std::string name() const override { return "broken"; }
    Tensor statistics(const Tensor&, const Tensor&) const override {
      throw StateError("after the gradients");
    }
    double result() const override { return 0; }
  };
  Trainer trainer(net, optimizer, [](const Tensor& p, const Tensor& t) { return mse_loss(p, t); },
                  {.metrics = {std::make_shared<Broken>()}});
  DataLoader data(dataset({ones({4, 1}, float64), zeros({4, 1}, float64)}), {.batch_size = 2});
  EXPECT_EQ(error_of<StateError>([&] { trainer.fit(data); }), "after the gradients");
  EXPECT_FALSE(net.w.grad().defined());
}

}  // namespace
}  // namespace ember::train
