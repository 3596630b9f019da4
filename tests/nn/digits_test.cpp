// One training program on every engine: equal losses, equal accuracy, no fallbacks.
#include <gtest/gtest.h>

#include <cmath>

#include "cli/digits.h"
#include "ember/ember.h"
#include "tests/engines/each_engine.h"

namespace ember {
namespace {

cli::Run trained(const std::string& engine, DType dtype, int epochs) {
  const with_backend scope(engine);
  return cli::train_digits(cli::load_digits(dtype), epochs, [](int, int, int) {});
}

class OnEngine : public testing::TestWithParam<std::string> {};

TEST_P(OnEngine, LossesAgreeInFloat64) {
  const auto mine = trained(GetParam(), float64, 5);
  const auto native = trained("native", float64, 5);
  ASSERT_GE(native.losses.size(), 100u);
  for (size_t i = 0; i < 100; ++i) {
    ASSERT_NEAR(mine.losses[i], native.losses[i], 1e-8) << "step " << i;
  }
}

TEST_P(OnEngine, ReadsDigitsInFloat32) {
  const auto mine = trained(GetParam(), float32, 12);
  const auto native = trained("native", float32, 1);
  for (size_t i = 0; i < 20; ++i) {
    ASSERT_NEAR(mine.losses[i], native.losses[i], 1e-3) << "step " << i;
  }
  EXPECT_GE(mine.accuracy.back(), 0.97);
  if (GetParam() != "onnxruntime") EXPECT_EQ(mine.fallbacks, 0u);  // ONNX has no random bits
}

// Trained on native and continued on another engine: neither weights nor code depend on the engine.
TEST_P(OnEngine, ContinuesWhatNativeBegan) {
  const auto begun = trained("native", float32, 3);
  const with_backend scope(GetParam());
  const cli::Digits data = cli::load_digits();
  cli::DigitNet net;
  net.load_state_dict(begun.weights);
  nn::Adam optimizer(net.parameters(), {.lr = 1e-3});
  std::vector<double> losses;
  for (int i = 0; i < 10; ++i) {
    const Tensor loss =
        ops::sparse_categorical_cross_entropy(net(data.train_images), data.train_labels, true);
    loss.backward();
    optimizer.step({loss});
    losses.push_back(ops::item(loss));
  }
  EXPECT_LT(losses.back(), losses.front() * 0.9);
  EXPECT_LT(losses.front(), 0.5) << "it goes on from where native was";
}

INSTANTIATE_TEST_SUITE_P(Digits, OnEngine, testing::ValuesIn(test_engines()),
                         [](const auto& p) { return p.param; });

}  // namespace
}  // namespace ember
