// Programs: a recorded graph, compiled once and run with different inputs.
#include "ember/program.h"

#include <gtest/gtest.h>

#include "ember/ember.h"
#include "tests/error_of.h"

namespace ember {
namespace {

using Floats = std::vector<float>;
Type floats(Shape s) { return {DType::float32, std::move(s)}; }

TEST(Program, RunsWithOtherInputsWithoutCompiling) {
  const Tensor x = placeholder(floats({3}));
  const Tensor y = placeholder(floats({3}));
  const Program p(std::vector{x, y},
                  std::vector{ops::multiply(ops::add(x, y), 2), ops::subtract(x, y)});
  const uint64_t compiled = counters().compiled;
  for (float k : {1.f, 2.f}) {
    const auto out = p(std::vector{array(Floats{k, 2, 3}), array(Floats{4, 5, 6})});
    EXPECT_EQ(out[0].to_vector<float>(), (Floats{2 * (k + 4), 14, 18}));
    EXPECT_EQ(out[1].to_vector<float>(), (Floats{k - 4, -3, -3}));
  }
  EXPECT_EQ(counters().compiled, compiled);
}

TEST(Program, ConstantPartsAreComputedOnce) {
  const Tensor x = placeholder(floats({2}));
  const Tensor w = array(Floats{1, 2});
  const Tensor scaled = ops::exp(ops::multiply(w, 3));  // depends on no input
  const Program p(std::vector{x}, std::vector{ops::add(x, scaled)});
  EXPECT_TRUE(scaled.evaluated());
  EXPECT_EQ(p(std::vector{array(Floats{0, 0})})[0].to_vector<float>(), scaled.to_vector<float>());
}

TEST(Program, OutputsMayBeInputsConstantsOrTheSameTwice) {
  const Tensor x = placeholder(floats({2}));
  const Tensor c = array(Floats{7, 8});
  const Tensor y = ops::negative(x);
  const Program p(std::vector{x}, std::vector{x, c, y, y});
  const auto out = p(std::vector{array(Floats{1, 2})});
  EXPECT_EQ(out[0].to_vector<float>(), (Floats{1, 2}));
  EXPECT_EQ(out[1].to_vector<float>(), (Floats{7, 8}));
  EXPECT_EQ(out[2].to_vector<float>(), (Floats{-1, -2}));
  EXPECT_EQ(out[3].to_vector<float>(), (Floats{-1, -2}));
}

TEST(Program, SeveralOutputsOfOneOpAndViews) {
  const Tensor x = placeholder(floats({2, 3}));
  const auto [values, indices] = ops::topk(x, 2);
  const Program p(std::vector{x},
                  std::vector{values, ops::transpose(x), ops::astype(indices, DType::int64)});
  const auto out = p(std::vector{ops::reshape(array(Floats{3, 1, 2, 4, 6, 5}), {2, 3})});
  EXPECT_EQ(out[0].to_vector<float>(), (Floats{3, 2, 6, 5}));
  EXPECT_EQ(out[1].to_vector<float>(), (Floats{3, 4, 1, 6, 2, 5}));
  EXPECT_EQ(out[2].to_vector<int64_t>(), (std::vector<int64_t>{0, 2, 1, 2}));
}

TEST(Program, TakesViewsScalarsAndPendingTensors) {
  const Tensor x = placeholder(floats({2, 2}));
  const Tensor s = placeholder(floats({}));
  const Program p(std::vector{x, s}, std::vector{ops::multiply(x, s)});
  const Tensor m = ops::reshape(array(Floats{1, 2, 3, 4}), {2, 2});
  EXPECT_EQ(p(std::vector{ops::transpose(m), Tensor(2.0)})[0].to_vector<float>(),
            (Floats{2, 6, 4, 8}));
  EXPECT_EQ(p(std::vector{ops::add(m, 1), Tensor(0.5)})[0].to_vector<float>(),
            (Floats{1, 1.5, 2, 2.5}));
}

TEST(Program, InputsAreCheckedAndLeftAlone) {
  const Tensor x = placeholder(floats({2}));
  const Program p(std::vector{x}, std::vector{ops::add(x, 1)});
  const Tensor given = array(Floats{1, 2});
  p(std::vector{given});
  EXPECT_EQ(given.to_vector<float>(), (Floats{1, 2}));
  EXPECT_NE(
      error_of<ShapeError>([&] { p(std::vector{array(Floats{1, 2, 3})}); }).find("float32[2]"),
      std::string::npos);
  EXPECT_NE(error_of<DTypeError>([&] {
              p(std::vector{array(std::vector<double>{1, 2})});
            }).find("float64"),
            std::string::npos);
  EXPECT_NE(error_of<ValueError>([&] { p(std::vector<Tensor>{}); }).find("1 inputs"),
            std::string::npos);
}

TEST(Program, APlaceholderHasNoValue) {
  const Tensor x = placeholder(floats({2}));
  const Tensor y = ops::add(x, 1);
  EXPECT_NE(error_of<StateError>([&] { y.eval(); }).find("placeholder"), std::string::npos);
  EXPECT_NE(error_of<StateError>([&] { x.to_vector<float>(); }).find("placeholder"),
            std::string::npos);
  EXPECT_NE(error_of<ValueError>([&] { Program({}, std::vector{y}); }).find("not among the inputs"),
            std::string::npos);
  EXPECT_NE(error_of<ValueError>([&] {
              Program(std::vector{y}, std::vector{y});
            }).find("not a placeholder"),
            std::string::npos);
  EXPECT_EQ(Program(std::vector{x}, std::vector{y})(std::vector{array(Floats{1, 2})})[0]
                .to_vector<float>(),
            (Floats{2, 3}));
}

TEST(Program, OutlivesWhatItWasRecordedFrom) {
  const auto make = [] {
    const Tensor x = placeholder(floats({2}));
    const Tensor w = array(Floats{10, 20});
    return Program(std::vector{x}, std::vector{ops::add(ops::multiply(x, w), 1)});
  };
  const Program p = make();
  EXPECT_EQ(p(std::vector{array(Floats{1, 2})})[0].to_vector<float>(), (Floats{11, 41}));
}

}  // namespace
}  // namespace ember
