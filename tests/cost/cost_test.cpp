// Costs that are counted and not timed, so that they do not depend on the load: instructions,
// allocations, compiled slices.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <map>
#include <new>
#include <regex>

#include "bench/graph_work.h"
#include "ember/nn.h"

static std::atomic<uint64_t> allocations = 0;
[[gnu::noinline]] void* operator new(size_t n) {
  ++allocations;
  if (void* p = std::malloc(n ? n : 1)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, size_t) noexcept { std::free(p); }

namespace ember {
namespace {

using namespace ops;

using bench::one_by_one, bench::recorded, bench::unfusable;

struct Net : nn::Module {
  nn::Linear first{16, 32}, second{32, 4};
  Net() {
    add("first", first);
    add("second", second);
  }
  Tensor forward(const Tensor& x) override { return second(relu(first(x))); }
};
void training() {
  static Net net;
  static nn::Adam optimizer(net.parameters());
  static const Tensor x = ones({8, 16}).eval();
  static const Tensor y = (arange(0, 8) % 4).eval();
  const Tensor loss = sparse_categorical_cross_entropy(net(x), y, true);
  loss.backward();
  optimizer.step({loss});
}

void softmax_rows() {
  static const Tensor x = (reshape(arange(0, 64 * 256, 1, float32), {64, 256}) * 0.001f).eval();
  softmax(x).eval();
}

void constant_powers() {
  static const Tensor x = (reshape(arange(1, 1 + 64 * 256, 1, float32), {64, 256}) * 0.001f).eval();
  (pow(x, 2) + pow(x, 3) + pow(x, 4) + pow(x, -1) + pow(x, -2) + pow(x, 0.5) + pow(x, -0.5)).eval();
}

const std::map<std::string, void (*)()> work = {
    {"recorded", recorded}, {"one_by_one", one_by_one},     {"unfusable", unfusable},
    {"training", training}, {"softmax_rows", softmax_rows}, {"constant_powers", constant_powers}};

// What a command prints to stdout and stderr (valgrind reports on stderr); "" if it cannot start.
std::string output_of(const std::string& command) {
  std::string text;
  FILE* out = popen((command + " 2>&1").c_str(), "r");
  for (char part[4096]; out && std::fgets(part, sizeof part, out);) text += part;
  if (out) pclose(out);
  return text;
}

// Instructions of a warm call: the increase by ten more calls, divided by ten.
double instructions(const std::string& name) {
  const auto of = [&](int calls) {
    const std::string command =
        "EMBER_NUM_THREADS=1 OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 valgrind --tool=callgrind "
        "--callgrind-out-file=/dev/null /proc/" +
        std::to_string(getpid()) + "/exe --work " + name + " " + std::to_string(calls);
    const std::string text = output_of(command);
    std::smatch found;
    if (!std::regex_search(text, found, std::regex("Collected : ([0-9]+)"))) {
      return ADD_FAILURE() << command << "\n" << text.substr(0, 4000), 0.0;
    }
    return std::stod(found[1]);
  };
  return (of(20) - of(10)) / 10;
}

struct Cost : testing::Test {
  with_backend scope{"native"};
};
#define NEEDS_VALGRIND()                                      \
  if (output_of("valgrind --version").find("valgrind-") != 0) \
  GTEST_SKIP() << "valgrind is absent; tools/setup installs it"

// The bounds are the measured values plus a quarter: an additional pass over the nodes, or a map
// instead of an array, exceeds them.
TEST_F(Cost, InstructionsOfARecordedOp) {
  NEEDS_VALGRIND();
  EXPECT_LE(instructions("recorded") / 1000, 1535);
}
TEST_F(Cost, InstructionsOfAnOpEvaluatedAtOnce) {
  NEEDS_VALGRIND();
  EXPECT_LE(instructions("one_by_one") / 1000, 1935);
}
TEST_F(Cost, InstructionsOfAStepThatCannotFuse) {
  NEEDS_VALGRIND();
  EXPECT_LE(instructions("unfusable") / 1000, 5000);
}
TEST_F(Cost, InstructionsOfATrainingStep) {
  NEEDS_VALGRIND();
  EXPECT_LE(instructions("training"), 368'000);
}
// Per element: vectorized, without an additional pass.
TEST_F(Cost, InstructionsOfSoftmax) {
  NEEDS_VALGRIND();
  EXPECT_LE(instructions("softmax_rows") / (64 * 256), 11.3);
}

// Seven constant powers by products, quotients and roots: a single general power takes more
// instructions.
TEST_F(Cost, InstructionsOfConstantPowers) {
  NEEDS_VALGRIND();
  EXPECT_LE(instructions("constant_powers") / (64 * 256), 20);
}

struct Steady {
  double allocations, buffers, compiled, evaluations;
};
Steady steady(void (*f)()) {
  for (int i = 0; i < 5; ++i) f();
  const uint64_t before = allocations;
  const Counters first = counters();
  for (int i = 0; i < 10; ++i) f();
  const Counters last = counters();
  const auto each = [](uint64_t a, uint64_t b) { return double(b - a) / 10; };
  return {each(before, allocations), each(first.allocations, last.allocations),
          each(first.compiled, last.compiled), each(first.evaluations, last.evaluations)};
}

// Nodes come from a pool and a known structure is not compiled again, so 1,000 ops allocate as
// often as one evaluation.
TEST_F(Cost, ThousandRecordedOpsHardlyAllocate) {
  const Steady s = steady(recorded);
  EXPECT_LE(s.allocations, 12);
  EXPECT_EQ(s.buffers, 0);
  EXPECT_EQ(s.compiled, 0);
  EXPECT_EQ(s.evaluations, 1);
}
TEST_F(Cost, AnOpEvaluatedAtOnceDoesNotAllocate) {
  const Steady s = steady(one_by_one);
  EXPECT_EQ(s.allocations, 0);
  EXPECT_EQ(s.buffers, 0);
  EXPECT_EQ(s.compiled, 0);
}
// The optimizer's counters change in each step; they are parameters of the plan.
TEST_F(Cost, ATrainingStepIsOneEvaluationOfAKnownPlan) {
  const Steady s = steady(training);
  EXPECT_EQ(s.compiled, 0);
  EXPECT_EQ(s.evaluations, 1);
  EXPECT_LE(s.allocations, 143);
  EXPECT_EQ(s.buffers, 0);
}

// A Runge-Kutta solver with four stages per step on three numbers, without reading any value.
Tensor lorenz(int steps) {
  const auto slope = [](const Tensor& u) {
    return stack(
        {10.0 * (u(1) - u(0)), u(0) * (28.0 - u(2)) - u(1), u(0) * u(1) - 8.0 / 3.0 * u(2)});
  };
  Tensor u = ones({3}, DType::float64);
  for (int i = 0; i < steps; ++i) {
    const Tensor a = slope(u);
    const Tensor b = slope(u + 0.005 * a);
    const Tensor c = slope(u + 0.005 * b);
    const Tensor d = slope(u + 0.01 * c);
    u = u + 0.01 / 6 * (a + 2.0 * b + 2.0 * c + d);
  }
  return u.eval();
}
// The 65,000 nodes are evaluated in slices whose structures are known after the first few.
TEST_F(Cost, ALongLoopCompilesAFewPiecesOnce) {
  const Counters first = counters();
  lorenz(1000);
  const Counters last = counters();
  EXPECT_LE(last.compiled - first.compiled, 8);
  EXPECT_GE(last.evaluations - first.evaluations, 20);
}
TEST_F(Cost, ALoopInPiecesGivesTheSameValues) {
  const std::vector<double> whole = lorenz(300).to_vector<double>();
  double v[3] = {1, 1, 1};
  const auto slope = [](const double* p, double* out) {
    out[0] = 10.0 * (p[1] - p[0]);
    out[1] = p[0] * (28.0 - p[2]) - p[1];
    out[2] = p[0] * p[1] - 8.0 / 3.0 * p[2];
  };
  for (int i = 0; i < 300; ++i) {
    double a[3];
    double b[3];
    double c[3];
    double d[3];
    double at[3];
    slope(v, a);
    for (int k = 0; k < 3; ++k) at[k] = v[k] + 0.005 * a[k];
    slope(at, b);
    for (int k = 0; k < 3; ++k) at[k] = v[k] + 0.005 * b[k];
    slope(at, c);
    for (int k = 0; k < 3; ++k) at[k] = v[k] + 0.01 * c[k];
    slope(at, d);
    for (int k = 0; k < 3; ++k) v[k] += 0.01 / 6 * (a[k] + 2.0 * b[k] + 2.0 * c[k] + d[k]);
  }
  for (size_t k = 0; k < 3; ++k) EXPECT_NEAR(whole[k], v[k], 1e-6);
}
// Long chains are not also evaluated in slices if their results are read.
TEST_F(Cost, ReadingAValueIsOneEvaluation) {
  const auto chain = [] {
    Tensor a = (zeros({}) + 1.0).eval();
    Tensor b = a;
    for (int i = 0; i < 90; ++i) a = std::exchange(b, a + b * 0.5);
    return b.item<float>();
  };
  for (int i = 0; i < 100; ++i) chain();
  const Counters first = counters();
  for (int i = 0; i < 10; ++i) chain();
  EXPECT_LE(counters().evaluations - first.evaluations, 21);
}

}  // namespace
}  // namespace ember

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc != 4 || std::string_view(argv[1]) != "--work") return RUN_ALL_TESTS();
  ember::set_backend("native");
  for (int i = 0; i < std::atoi(argv[3]); ++i) ember::work.at(argv[2])();
  return 0;
}
