// Optimizers, compared step by step with torch in float64; schedules and losses too. Optimizers
// that torch's C++ library lacks are compared with their published formulas in plain loops.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <numbers>
#include <random>

#include "ember/backend.h"
#include "ember/grad.h"
#include "ember/nn/optim.h"
#include "ember/ops.h"

namespace ember::nn {
namespace {

using namespace ops;
using Numbers = std::vector<double>;

// ---- the oracle ----
struct Oracle {
  const char* (*optimize)(const char*, const char*, const int64_t*, const double*, const double*,
                          const double*, int64_t, double, double*) = nullptr;
  const char* (*schedule)(const char*, const char*, double, int64_t, const double*,
                          double*) = nullptr;
  const char* (*loss)(const char*, const char*, int64_t, int64_t, const double*, const double*,
                      const int64_t*, int64_t, double*, double*) = nullptr;
  const char* (*ctc)(int64_t, int64_t, int64_t, int64_t, const double*, const int64_t*,
                     const int64_t*, const int64_t*, int64_t, double*, double*) = nullptr;
  std::string missing;

  Oracle() { open(); }
  void open() {
#ifdef EMBER_TORCH_ORACLE
    try {
      const with_backend scope("torch");  // opens the libraries that the oracle needs
    } catch (const Error& e) {
      return void(missing = e.what());
    }
    void* module = dlopen(EMBER_TORCH_ORACLE, RTLD_NOW | RTLD_LOCAL);
    if (!module) return void(missing = dlerror());
    {
      find(module, "oracle_optimize", optimize);
      find(module, "oracle_schedule", schedule);
      find(module, "oracle_loss", loss);
      find(module, "oracle_ctc", ctc);
    }
#else
    missing = "built without the torch package";
#endif
  }
  template <class F> void find(void* module, const char* name, F& f) {
    f = reinterpret_cast<F>(dlsym(module, name));
    if (!f) missing = dlerror();
  }
};
const Oracle& oracle() {
  static const Oracle o;
  return o;
}
#define NEED_TORCH()                                                        \
  if (const std::string& why = oracle().missing; !why.empty()) {            \
    const char* engines = std::getenv("EMBER_TEST_ENGINES");                \
    if (engines && std::string(engines).find("torch") != std::string::npos) \
      FAIL() << "torch is to be compared with: " << why;                    \
    GTEST_SKIP() << "torch is not among the engines under test: " << why;   \
  }
#define ASK(call) \
  if (const char* why = (call)) FAIL() << why

// ---- a small net ----
constexpr int64_t sizes[] = {8, 3, 5, 2};
constexpr int64_t weight_count = 5 * 3 + 5 + 2 * 5 + 2;
Numbers draw(size_t n, unsigned seed, double low = -1, double high = 1) {
  std::mt19937 g(seed);
  Numbers r;
  for (size_t i = 0; i < n; ++i) r.push_back(low + (high - low) * (g() / 4294967296.0));
  return r;
}
const Numbers inputs = draw(8 * 3, 1), targets = draw(8 * 2, 2),
              start = draw(size_t(weight_count), 3);

struct Net : Module {
  Parameter w1, b1, w2, b2;
  Net() {
    const double* at = start.data();
    const auto take = [&](Shape s) {
      const Tensor t = from_data(at, float64, s);
      at += t.size();
      return t;
    };
    add("w1", w1, take({5, 3}));
    add("b1", b1, take({5}));
    add("w2", w2, take({2, 5}));
    add("b2", b2, take({2}));
  }
  Tensor forward(const Tensor& x) override {
    const Tensor h = tanh(matmul(x, matrix_transpose(w1.value())) + b1.value());
    return matmul(h, matrix_transpose(w2.value())) + b2.value();
  }
  Tensor loss() {
    return mse_loss(forward(array(std::span<const double>(inputs), {8, 3})),
                    array(std::span<const double>(targets), {8, 2}));
  }
  Numbers values() const {
    Numbers r;
    for (const Parameter& p : parameters()) {
      for (double v : p.value().to_vector<double>()) r.push_back(v);
    }
    return r;
  }
  Numbers grads() const {
    Numbers r;
    for (const Parameter& p : parameters()) {
      for (double v : p.grad().to_vector<double>()) r.push_back(v);
    }
    return r;
  }
};

double largest_difference(const Numbers& a, const Numbers& b) {
  EXPECT_EQ(a.size(), b.size());
  double r = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    r = std::isnan(a[i] - b[i]) ? HUGE_VAL : std::max(r, std::abs(a[i] - b[i]));
  }
  return r;
}

// All weights after each of 100 steps.
template <class Opt> Numbers train(typename Opt::Options options, double clip_norm = 0) {
  Net net;
  Opt optimizer(net, options);
  Numbers r;
  for (int i = 0; i < 100; ++i) {
    optimizer.zero_grad();
    const Tensor loss = net.loss();
    loss.backward();
    if (clip_norm > 0) clip_grad_norm(optimizer.parameters(), clip_norm);
    optimizer.step({loss});
    EXPECT_TRUE(loss.evaluated());
    const Numbers v = net.values();
    r.insert(r.end(), v.begin(), v.end());
  }
  return r;
}
template <class Opt>
void against_torch(const char* name, const char* options, typename Opt::Options ours,
                   double clip_norm = 0) {
  NEED_TORCH();
  Numbers theirs(size_t(100 * weight_count));
  ASK(oracle().optimize(name, options, sizes, inputs.data(), targets.data(), start.data(), 100,
                        clip_norm, theirs.data()));
  const Numbers mine = train<Opt>(ours, clip_norm);
  const double d = largest_difference(mine, theirs);
  testing::Test::RecordProperty("largest_difference", std::to_string(d));
  EXPECT_LE(d, 1e-6) << name << " " << options;
  EXPECT_LE(d, 1e-11) << name << " " << options << ": more than rounding";
}

TEST(Optim, SGDIsTorchs) {
  against_torch<SGD>("SGD", "lr=0.1", {.lr = 0.1});
  against_torch<SGD>("SGD", "lr=0.05 weight_decay=0.01", {.lr = 0.05, .weight_decay = 0.01});
  against_torch<SGD>("SGD", "lr=0.05 momentum=0.9", {.lr = 0.05, .momentum = 0.9});
  against_torch<SGD>("SGD", "lr=0.05 momentum=0.9 dampening=0.3 weight_decay=0.01",
                     {.lr = 0.05, .momentum = 0.9, .dampening = 0.3, .weight_decay = 0.01});
  against_torch<SGD>("SGD", "lr=0.05 momentum=0.9 nesterov=1",
                     {.lr = 0.05, .momentum = 0.9, .nesterov = true});
}
TEST(Optim, AdamIsTorchs) {
  against_torch<Adam>("Adam", "lr=0.001", {});
  against_torch<Adam>("Adam", "lr=0.02 beta1=0.8 beta2=0.95 weight_decay=0.02 eps=1e-6",
                      {.lr = 0.02, .betas = {0.8, 0.95}, .eps = 1e-6, .weight_decay = 0.02});
  against_torch<Adam>("Adam", "lr=0.05 amsgrad=1", {.lr = 0.05, .amsgrad = true});
}
TEST(Optim, AdamWIsTorchs) {
  against_torch<AdamW>("AdamW", "lr=0.001", {});
  against_torch<AdamW>("AdamW", "lr=0.02 weight_decay=0.1 amsgrad=1",
                       {.lr = 0.02, .weight_decay = 0.1, .amsgrad = true});
}
TEST(Optim, RMSpropIsTorchs) {
  against_torch<RMSprop>("RMSprop", "lr=0.01", {});
  against_torch<RMSprop>("RMSprop", "lr=0.002 alpha=0.9 weight_decay=0.01 momentum=0.5",
                         {.lr = 0.002, .alpha = 0.9, .weight_decay = 0.01, .momentum = 0.5});
  against_torch<RMSprop>("RMSprop", "lr=0.005 alpha=0.9 centered=1 momentum=0.9",
                         {.lr = 0.005, .alpha = 0.9, .momentum = 0.9, .centered = true});
}
TEST(Optim, AdagradIsTorchs) {
  against_torch<Adagrad>("Adagrad", "lr=0.01", {});
  against_torch<Adagrad>(
      "Adagrad", "lr=0.1 lr_decay=0.01 weight_decay=0.01 initial_accumulator_value=0.1",
      {.lr = 0.1, .lr_decay = 0.01, .weight_decay = 0.01, .initial_accumulator_value = 0.1});
}
TEST(Optim, ClippingByNormIsTorchs) {
  against_torch<SGD>("SGD", "lr=0.2 momentum=0.9", {.lr = 0.2, .momentum = 0.9}, 0.05);
}

// f(step, weight, gradient, state of two numbers) returns the new weight.
template <class Opt, class F> void against_loops(typename Opt::Options options, F f) {
  Net net;
  Opt optimizer(net, options);
  Numbers w = net.values();
  std::vector<std::array<double, 2>> state(w.size(), {0, 0});
  for (int t = 1; t <= 100; ++t) {
    const Tensor loss = net.loss();
    loss.backward();
    const Numbers g = net.grads();
    for (size_t i = 0; i < w.size(); ++i) w[i] = f(t, w[i], g[i], state[i]);
    optimizer.step({loss});
    ASSERT_LE(largest_difference(net.values(), w), 1e-12) << "step " << t;
  }
}
TEST(Optim, AdamaxIsTheFormula) {
  against_loops<Adamax>({.lr = 0.01, .weight_decay = 0.01}, [](int t, double w, double g, auto& s) {
    g += 0.01 * w;
    s[0] = 0.9 * s[0] + 0.1 * g;
    s[1] = std::max(0.999 * s[1], std::abs(g) + 1e-8);
    return w - 0.01 / (1 - std::pow(0.9, t)) * s[0] / s[1];
  });
}
TEST(Optim, AdadeltaIsTheFormula) {
  against_loops<Adadelta>({.weight_decay = 0.01}, [](int, double w, double g, auto& s) {
    g += 0.01 * w;
    s[0] = 0.9 * s[0] + 0.1 * g * g;
    const double d = std::sqrt(s[1] + 1e-6) / std::sqrt(s[0] + 1e-6) * g;
    s[1] = 0.9 * s[1] + 0.1 * d * d;
    return w - d;
  });
}
TEST(Optim, LionIsThePapers) {
  against_loops<Lion>({.lr = 1e-3, .weight_decay = 0.1}, [](int, double w, double g, auto& s) {
    const double c = 0.9 * s[0] + 0.1 * g;
    s[0] = 0.99 * s[0] + 0.01 * g;
    return w - 1e-3 * (double(c > 0) - double(c < 0) + 0.1 * w);
  });
}

TEST(Optim, StepsAreCompiledOnceAndEvaluatedOnce) {
  Net net;
  Adam optimizer(net, {.lr = 0.01});
  ExponentialLR schedule(optimizer, 0.999);
  Counters before{};
  for (int i = 0; i < 503; ++i) {
    if (i == 3) before = counters();
    const Tensor loss = net.loss() + mean(dropout(square(net.w1.value()), 0.1)) * 1e-3 +
                        mean(dropout(square(net.w2.value()), 0.2)) * 1e-3;
    loss.backward();
    clip_grad_norm(optimizer.parameters(), 1.0);
    optimizer.step({loss});
    schedule.step();
  }
  EXPECT_EQ(counters().compiled, before.compiled);
  EXPECT_EQ(counters().evaluations, before.evaluations + 500);
}

TEST(Optim, GroupsHaveTheirOwnOptions) {
  Net net;
  SGD optimizer(SGD::Groups{{{net.w1, net.b1}, {.lr = 0.5}}, {{net.w2, net.b2}, {.lr = 0}}});
  EXPECT_EQ(optimizer.groups(), 2u);
  EXPECT_EQ(optimizer.lr(0), 0.5);
  const Numbers before = net.w2.value().to_vector<double>();
  const Numbers first = net.w1.value().to_vector<double>();
  net.loss().backward();
  optimizer.step();
  EXPECT_EQ(net.w2.value().to_vector<double>(), before);
  EXPECT_NE(net.w1.value().to_vector<double>(), first);
  optimizer.set_lr(0.25);
  EXPECT_EQ(optimizer.lr(1), 0.25);
  EXPECT_THROW(SGD(SGD::Groups{{{net.w1}, {}}, {{net.w1}, {}}}), ValueError);
  EXPECT_THROW(SGD(net, {.lr = 1, .nesterov = true}), ValueError);
}

TEST(Optim, FrozenParametersAndThoseWithoutGradientsStay) {
  Net net;
  net.w1.set_trainable(false);
  Adam optimizer(net);
  const Numbers before = net.w1.value().to_vector<double>();
  net.loss().backward();
  optimizer.step();
  EXPECT_EQ(net.w1.value().to_vector<double>(), before);
  optimizer.step();  // no parameter has a gradient now
  EXPECT_FALSE(optimizer.state_dict().contains("state.0.step"));
  EXPECT_EQ(optimizer.state_dict().at("state.1.step").item<int64_t>(), 1);
}

TEST(Optim, AnErrorInTheStepChangesNothing) {
  Net net;
  SGD optimizer(net, {.lr = 0.1, .momentum = 0.9});
  const Numbers before = net.values();
  const Tensor index = array(std::vector<int64_t>{99});
  (net.loss() + sum(take(net.b1.value(), index))).backward();
  EXPECT_ANY_THROW(optimizer.step());
  optimizer.zero_grad();
  EXPECT_EQ(net.values(), before);
  EXPECT_FALSE(optimizer.state_dict().contains("state.0.step"));
  net.loss().backward();
  optimizer.step();
  EXPECT_NE(net.values(), before);
}

TEST(Optim, AStepThatIsSaidNotToBeIsNone) {
  Net a;
  Net b;
  Adam skipping(a, {.lr = 0.01});
  Adam plain(b, {.lr = 0.01});
  for (int i = 0; i < 4; ++i) {
    a.loss().backward();
    EXPECT_EQ(skipping.step({.only_if = array(std::vector<int64_t>{i != 1})(0) == 1}), i != 1);
    if (i == 1) continue;
    b.loss().backward();
    plain.step();
  }
  EXPECT_EQ(a.values(), b.values());
}

TEST(Optim, StateGoesThroughAFileBitForBit) {
  Net a;
  Net b;
  RMSprop one(a, {.momentum = 0.9, .centered = true});
  RMSprop two(b, {.lr = 7, .momentum = 0.1, .centered = true});
  const auto run = [](Net& net, RMSprop& o, int n) {
    for (int i = 0; i < n; ++i) {
      net.loss().backward();
      o.step();
    }
  };
  run(a, one, 5);
  const std::string path = testing::TempDir() + "optim_state.safetensors";
  save(path, one.state_dict());
  const TensorMap state = load_all(path);
  EXPECT_TRUE(state.contains("state.0.square_avg") && state.contains("state.3.grad_avg") &&
              state.contains("group.0.lr"));
  two.load_state_dict(state);
  EXPECT_EQ(two.lr(), 0.01);
  b.load_state_dict(a.state_dict());
  run(a, one, 5);
  run(b, two, 5);
  EXPECT_EQ(a.values(), b.values());
  Adam other(b);
  EXPECT_THROW(other.load_state_dict(state), ValueError);
  SGD fewer(std::vector<Parameter>{b.w1}, {});
  EXPECT_THROW(fewer.load_state_dict(one.state_dict()), ValueError);
  std::filesystem::remove(path);
}

TEST(Optim, SixteenBitParametersHaveAMaster) {
  Parameter p(full({1}, 1.0, float16));
  // Steps far below float16's precision near 1.
  SGD optimizer(std::vector<Parameter>{p}, {.lr = 1e-4});
  for (int i = 0; i < 100; ++i) {
    Tensor v = p.value();
    v.set_grad(ones({1}, float16));
    optimizer.step();
  }
  EXPECT_NEAR(p.value().astype(float32).item<float>(), 0.99, 5e-4);
  EXPECT_NEAR(optimizer.state_dict().at("state.0.master").item<float>(), 0.99, 1e-5);
  EXPECT_EQ(p.dtype(), float16);
}

TEST(Optim, ClippingByValueAndTheNormItself) {
  Parameter a(zeros({2}, float64));
  Parameter b(zeros({1}, float64));
  Parameter none(zeros({1}, float64));
  Tensor ta = a.value();
  Tensor tb = b.value();
  ta.set_grad(array(Numbers{3, 0}));
  tb.set_grad(array(Numbers{-4}));
  const Tensor norm = clip_grad_norm({a, b, none}, 1);
  EXPECT_FALSE(norm.evaluated());
  EXPECT_DOUBLE_EQ(norm.item<double>(), 5);
  EXPECT_NEAR(a.grad().to_vector<double>()[0], 0.6, 1e-6);
  EXPECT_DOUBLE_EQ(clip_grad_norm({a, b}, 10, HUGE_VAL).item<double>(), 4 / (5 + 1e-6));
  EXPECT_NEAR(b.grad().item<double>(), -0.8, 1e-6);
  clip_grad_value({a, b, none}, 0.7);
  EXPECT_DOUBLE_EQ(b.grad().item<double>(), -0.7);
  EXPECT_NEAR(a.grad().to_vector<double>()[0], 0.6, 1e-6);
}

// ---- schedules ----
struct Rates : testing::Test {
  Net net;
  SGD optimizer{net, {.lr = 0.5, .momentum = 0.9}};
  template <class F> void expect(Schedule& s, int n, F f) {
    EXPECT_NEAR(optimizer.lr(), f(0), 1e-12);
    for (int i = 1; i <= n; ++i) {
      s.step();
      ASSERT_NEAR(optimizer.lr(), f(i), 1e-12) << i;
    }
    EXPECT_EQ(s.count(), n);
  }
};
TEST_F(Rates, StepIsTorchs) {
  NEED_TORCH();
  Numbers theirs(30);
  ASK(oracle().schedule("StepLR", "step_size=4 gamma=0.5", 0.5, 30, nullptr, theirs.data()));
  StepLR s(optimizer, 4, 0.5);
  // torch's C++ StepLR reads the count before it increments it: its rates are one step late.
  expect(s, 29, [&](int i) { return i == 0 ? 0.5 : theirs[size_t(i)]; });
}
TEST_F(Rates, PlateauIsTorchs) {
  NEED_TORCH();
  const Numbers metrics = draw(60, 7);
  for (const bool maximize : {false, true}) {
    for (const bool absolute : {false, true}) {
      // torch's C++ class multiplies by the threshold here where its Python class, and
      if (maximize && absolute) {
        continue;
      }
      // the text, add it
      Numbers theirs(60);
      Numbers ours;
      const std::string options =
          "max=" + std::to_string(maximize) +
          " factor=0.5 patience=2 threshold=0.0625 cooldown=3 absolute=" + std::to_string(absolute);
      ASK(oracle().schedule("plateau", options.c_str(), 0.5, 60, metrics.data(), theirs.data()));
      optimizer.set_lr(0.5);
      ReduceLROnPlateau s(optimizer, {.maximize = maximize,
                                      .factor = 0.5,
                                      .patience = 2,
                                      .threshold = 0.0625,
                                      .absolute = absolute,
                                      .cooldown = 3});
      for (double m : metrics) {
        s.step(m);
        ours.push_back(optimizer.lr());
      }
      EXPECT_LE(largest_difference(ours, theirs), 1e-9) << options;
    }
  }
}
TEST_F(Rates, PlateauOfARisingMetricByDifferences) {
  ReduceLROnPlateau s(optimizer, {.maximize = true,
                                  .factor = 0.1,
                                  .patience = 1,
                                  .threshold = 0.5,
                                  .absolute = true,
                                  .cooldown = 1,
                                  .min_lr = 0.01});
  const Numbers metrics = {0, 0.4, 0.6, 1, 1.1, 1.1, 1.1, 1.1};
  const Numbers rates = {0.5, 0.5, 0.5, 0.5, 0.05, 0.05, 0.05, 0.01};
  for (size_t i = 0; i < metrics.size(); ++i) {
    s.step(metrics[i]);
    EXPECT_DOUBLE_EQ(optimizer.lr(), rates[i]) << i;
  }
}
TEST_F(Rates, MultiStep) {
  MultiStepLR s(optimizer, {3, 5, 5}, 0.1);
  expect(s, 8, [](int i) { return 0.5 * (i < 3 ? 1 : i < 5 ? 0.1 : 0.001); });
}
TEST_F(Rates, Exponential) {
  ExponentialLR s(optimizer, 0.9);
  expect(s, 20, [](int i) { return 0.5 * std::pow(0.9, i); });
}
TEST_F(Rates, LinearWarmUp) {
  LinearLR s(optimizer, 0.1, 1, 5);
  expect(s, 8, [](int i) { return 0.5 * (0.1 + 0.9 * std::min(i, 5) / 5); });
}
TEST_F(Rates, Cosine) {
  CosineAnnealingLR s(optimizer, 10, 0.1);
  expect(s, 25, [](int i) { return 0.1 + 0.4 * (1 + std::cos(std::numbers::pi * i / 10)) / 2; });
}
TEST_F(Rates, CosineWithRestarts) {
  CosineAnnealingWarmRestarts s(optimizer, 3, 2, 0.1);
  expect(s, 25, [](int i) {
    const int period = i < 3 ? 3 : i < 9 ? 6 : i < 21 ? 12 : 24;
    const int at = i < 3 ? i : i < 9 ? i - 3 : i < 21 ? i - 9 : i - 21;
    return 0.1 + 0.4 * (1 + std::cos(std::numbers::pi * at / period)) / 2;
  });
}
TEST_F(Rates, OneCycle) {
  OneCycleLR s(optimizer, {.max_lr = 1, .total_steps = 10});
  EXPECT_NEAR(optimizer.lr(), 0.04, 1e-12);
  EXPECT_NEAR(optimizer.momentum(), 0.95, 1e-12);
  for (int i = 1; i < 10; ++i) {
    s.step();
    const double part = i <= 2 ? i / 2.0 : (i - 2) / 7.0;
    const double wave = (1 + std::cos(std::numbers::pi * part)) / 2;
    ASSERT_NEAR(optimizer.lr(), i <= 2 ? 1 + (0.04 - 1) * wave : 4e-6 + (1 - 4e-6) * wave, 1e-12)
        << i;
    ASSERT_NEAR(optimizer.momentum(), i <= 2 ? 0.85 + 0.1 * wave : 0.95 - 0.1 * wave, 1e-12) << i;
  }
  s.step();  // as many as there are steps of the optimizer
  EXPECT_THROW(s.step(), ValueError);
}
TEST_F(Rates, OneCycleOfThreeStraightPhases) {
  OneCycleLR s(optimizer, {.max_lr = 1,
                           .total_steps = 21,
                           .linear = true,
                           .three_phase = true,
                           .cycle_momentum = false});
  expect(s, 20, [](int i) {
    const double up = 0.3 * 21 - 1;
    const double low = 0.04;
    const double last = 4e-6;
    return i <= up       ? low + (1 - low) * i / up
           : i <= 2 * up ? 1 + (low - 1) * (i - up) / up
                         : low + (last - low) * (i - 2 * up) / (20 - 2 * up);
  });
  EXPECT_EQ(optimizer.momentum(), 0.9);
}
TEST_F(Rates, OneAfterTheOther) {
  auto warm = std::make_shared<LinearLR>(optimizer, 0.1, 1, 4);
  auto then = std::make_shared<ExponentialLR>(optimizer, 0.5);
  SequentialLR s(optimizer, {warm, then}, {4});
  expect(s, 8,
         [](int i) { return i < 4 ? 0.5 * (0.1 + 0.9 * i / 4) : 0.5 * std::pow(0.5, i - 4); });
}
TEST_F(Rates, StateIsSaved) {
  CosineAnnealingLR s(optimizer, 10);
  for (int i = 0; i < 4; ++i) s.step();
  Net other;
  SGD optimizer2(other, {.lr = 9});
  CosineAnnealingLR s2(optimizer2, 10);
  s2.load_state_dict(s.state_dict());
  EXPECT_EQ(optimizer2.lr(), optimizer.lr());
  s.step();
  s2.step();
  EXPECT_EQ(optimizer2.lr(), optimizer.lr());
  ReduceLROnPlateau p(optimizer, {.patience = 0});
  ReduceLROnPlateau q(optimizer2, {.patience = 0});
  p.step(1.0);
  p.step(0.5);
  q.load_state_dict(p.state_dict());
  p.step(0.6);
  q.step(0.6);
  EXPECT_EQ(optimizer2.lr(), optimizer.lr());
  EXPECT_THROW(p.Schedule::step(), ValueError);
}

// ---- losses ----
struct LossCase {
  const char *name, *options;
  double low, high;
  Tensor (*f)(const Tensor& p, const Tensor& t, const Tensor& classes, std::string_view reduction);
  bool one_per_row;
};
const LossCase loss_cases[] = {
    {"mse_loss", "", -2, 2,
     [](const Tensor& p, const Tensor& t, const Tensor&, std::string_view r) {
       return mse_loss(p, t, r);
     },
     false},
    {"mae_loss", "", -2, 2,
     [](const Tensor& p, const Tensor& t, const Tensor&, std::string_view r) {
       return mae_loss(p, t, r);
     },
     false},
    {"huber_loss", "delta=0.7", -2, 2,
     [](const Tensor& p, const Tensor& t, const Tensor&, std::string_view r) {
       return huber_loss(p, t, 0.7, r);
     },
     false},
    {"binary_cross_entropy", "", 0.01, 0.99,
     [](const Tensor& p, const Tensor& t, const Tensor&, std::string_view r) {
       return binary_cross_entropy(p, t, false, r);
     },
     false},
    {"binary_cross_entropy_logits", "", 0, 3,
     [](const Tensor& p, const Tensor& t, const Tensor&, std::string_view r) {
       return binary_cross_entropy(p, t, true, r);
     },
     false},
    {"categorical_cross_entropy_logits", "", -2, 2,
     [](const Tensor& p, const Tensor& t, const Tensor&, std::string_view r) {
       return categorical_cross_entropy(p, t, true, -1, r);
     },
     true},
    {"sparse_categorical_cross_entropy_logits", "", -2, 2,
     [](const Tensor& p, const Tensor&, const Tensor& c, std::string_view r) {
       return sparse_categorical_cross_entropy(p, c, true, -1, r);
     },
     true},
    {"nll_loss", "", -2, 2,
     [](const Tensor& p, const Tensor&, const Tensor& c, std::string_view r) {
       return nll_loss(p, c, -1, r);
     },
     true},
    {"kl_div_loss", "", 0.01, 1,
     [](const Tensor& p, const Tensor& t, const Tensor&, std::string_view r) {
       return kl_div_loss(p, t, r);
     },
     false},
    {"cosine_embedding_loss", "margin=0.2", -1, 1,
     [](const Tensor& p, const Tensor& t, const Tensor& c, std::string_view r) {
       return cosine_embedding_loss(p, t, where(c == 1, 1, -1), 0.2, r);
     },
     true},
    {"cosine_similarity", "", -1, 1,
     [](const Tensor& p, const Tensor& t, const Tensor&, std::string_view r) {
       const Tensor s = cosine_similarity(p, t);
       return r == "none" ? s : Tensor();
     },
     true},
};
TEST(Losses, ValuesAndGradientsAreTorchs) {
  NEED_TORCH();
  for (const LossCase& c : loss_cases) {
    for (const auto& [reduction, number] : {std::pair("none", 0), {"mean", 1}, {"sum", 2}}) {
      const std::string name = c.name;
      const Numbers p = draw(30, 11, c.low, c.high);
      const Numbers t = draw(30, 12, c.low, c.high);
      std::vector<int64_t> classes;
      for (size_t i = 0; i < 6; ++i) {
        classes.push_back(name == "cosine_embedding_loss" ? (i % 2 ? 1 : -1) : int64_t(i * 7 % 5));
      }
      Tensor x = array(std::span<const double>(p), {6, 5});
      x.set_requires_grad();
      const Tensor loss =
          c.f(x, array(std::span<const double>(t), {6, 5}), array(classes), reduction);
      if (!loss.defined()) continue;
      sum(loss).backward();
      Numbers value(number ? 1 : c.one_per_row ? 6 : 30);
      Numbers gradient(30);
      ASK(oracle().loss(c.name, c.options, 6, 5, p.data(), t.data(), classes.data(), number,
                        value.data(), gradient.data()));
      EXPECT_LE(largest_difference(loss.to_vector<double>(), value), 1e-12)
          << name << " " << reduction;
      EXPECT_LE(largest_difference(x.grad().to_vector<double>(), gradient), 1e-12)
          << name << " " << reduction;
    }
  }
}
TEST(Losses, CtcIsTorchs) {
  NEED_TORCH();
  const int64_t steps = 7;
  const int64_t batch = 3;
  const int64_t classes = 4;
  const int64_t length = 3;
  const Numbers logits = draw(size_t(steps * batch * classes), 21, -2, 2);
  const std::vector<int64_t> labels = {1, 2, 3, 2, 2, 1, 3, 1, 1};
  const std::vector<int64_t> in = {7, 6, 5};
  const std::vector<int64_t> out = {3, 2, 1};
  for (const auto& [reduction, number] : {std::pair("none", 0), {"mean", 1}, {"sum", 2}}) {
    Tensor x = array(std::span<const double>(logits), {steps, batch, classes});
    x.set_requires_grad();
    const Tensor loss =
        ctc_loss(log_softmax(x, -1), array(std::span<const int64_t>(labels), {batch, length}),
                 array(in), array(out), 0, reduction);
    sum(loss).backward();
    Numbers value(number ? 1 : 3);
    Numbers gradient(logits.size());
    ASK(oracle().ctc(steps, batch, classes, length, logits.data(), labels.data(), in.data(),
                     out.data(), number, value.data(), gradient.data()));
    EXPECT_LE(largest_difference(loss.to_vector<double>(), value), 1e-12) << reduction;
    EXPECT_LE(largest_difference(x.grad().to_vector<double>(), gradient), 1e-12) << reduction;
  }
}
TEST(Losses, ContrastiveIsTheFormula) {
  const Numbers a = draw(12, 31);
  const Numbers b = draw(12, 32);
  const Numbers same = {1, 0, 0, 1};
  Tensor x = array(std::span<const double>(a), {4, 3});
  x.set_requires_grad();
  const Tensor loss =
      contrastive_loss(x, array(std::span<const double>(b), {4, 3}), array(same), 1.5, "none");
  sum(loss).backward();
  for (size_t i = 0; i < 4; ++i) {
    double square = 0;
    for (size_t k = 0; k < 3; ++k) {
      square += (a[3 * i + k] - b[3 * i + k]) * (a[3 * i + k] - b[3 * i + k]);
    }
    const double d = std::sqrt(square);
    const double gap = std::max(0.0, 1.5 - d);
    EXPECT_NEAR(loss.to_vector<double>()[i], same[i] != 0 ? square : gap * gap, 1e-12);
    for (size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(x.grad().to_vector<double>()[3 * i + k],
                  (a[3 * i + k] - b[3 * i + k]) * (same[i] != 0 ? 2 : -2 * gap / d), 1e-12);
    }
  }
}
TEST(Losses, EqualPairsHaveFiniteGradients) {
  Tensor x = ones({2, 3}, float64);
  x.set_requires_grad();
  sum(contrastive_loss(x, ones({2, 3}, float64), array(Numbers{1, 0}))).backward();
  for (double g : x.grad().to_vector<double>()) EXPECT_TRUE(std::isfinite(g));
}

}  // namespace
}  // namespace ember::nn
