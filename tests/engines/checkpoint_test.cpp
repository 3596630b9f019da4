// memory::checkpoint: bit-identical results, and memory only for the layers' boundaries and one
// layer.
#include <gtest/gtest.h>

#include <cmath>

#include "ember/ember.h"

namespace ember {
namespace {

using namespace ops;

struct Stack {
  static constexpr int layers = 32;
  static constexpr int64_t rows = 256, width = 64, wide = 512;
  std::vector<Tensor> up, down;
  Tensor x;
  Stack() {
    seed(3);
    for (int i = 0; i < layers; ++i) {
      up.push_back((random_normal({width, wide}) * 0.1f).eval());
      down.push_back((random_normal({wide, width}) * 0.05f).eval());
    }
    for (int i = 0; i < layers; ++i) {
      up[size_t(i)].set_requires_grad();
      down[size_t(i)].set_requires_grad();
    }
    x = random_normal({rows, width}).eval();
  }
  Tensor layer(const Tensor& h, int i) const {
    return h + matmul(sin(tanh(matmul(h, up[size_t(i)]))), down[size_t(i)]);
  }
  // Loss and gradients in one evaluation, and the additional peak memory.
  std::pair<std::vector<Tensor>, size_t> train(bool checkpointed) const {
    Tensor h = x;
    for (int i = 0; i < layers; ++i) {
      h = checkpointed ? memory::checkpoint([this, i](const Tensor& t) { return layer(t, i); }, h)
                       : layer(h, i);
    }
    const Tensor loss = mean(square(h));
    std::vector<Tensor> of = up;
    of.insert(of.end(), down.begin(), down.end());
    h = Tensor();
    std::vector<Tensor> results = gradients({&loss, 1}, of);
    results.push_back(loss);
    memory::reset_peak();
    const size_t before = memory::stats().used;
    eval(results);
    return {results, memory::stats().peak - before};
  }
};

TEST(Checkpoint, SameBitsAndLittleMemory) {
  const with_backend scope("native");
  const Stack s;
  const auto [plain, much] = s.train(false);
  const auto [again, little] = s.train(true);
  for (size_t i = 0; i < plain.size(); ++i) {
    const auto a = plain[i].data<float>();
    const auto b = again[i].data<float>();
    ASSERT_TRUE(std::equal(a.begin(), a.end(), b.begin())) << "gradient " << i;
  }
  const size_t boundary = Stack::rows * Stack::width * 4;
  const size_t inner = Stack::rows * Stack::wide * 4;
  const size_t weights = Stack::width * Stack::wide * 4;
  const size_t results = 2 * Stack::layers * weights;  // the gradients remain
  // One layer: its product, activation and their gradients.
  const size_t bound = (Stack::layers + 1) * boundary + 6 * inner + results;
  EXPECT_LE(little, size_t(1.3 * double(bound)))
      << "boundaries " << Stack::layers * boundary << ", gradients " << results
      << ", without checkpoints " << much;
  EXPECT_GT(much, Stack::layers * 2 * inner)
      << "the plain stack keeps every layer, so the comparison means something";
}

// Reading the loss first stores the boundaries; the gradient is the same.
TEST(Checkpoint, LossReadBeforeBackward) {
  const with_backend scope("native");
  const Stack s;
  const auto run = [&](bool checkpointed) {
    Tensor h = s.x;
    for (int i = 0; i < 4; ++i) {
      h = checkpointed ? memory::checkpoint([&s, i](const Tensor& t) { return s.layer(t, i); }, h)
                       : s.layer(h, i);
    }
    const Tensor loss = mean(square(h));
    loss.eval();
    return gradients({&loss, 1}, std::vector<Tensor>(s.up.begin(), s.up.begin() + 4));
  };
  const auto a = run(false);
  const auto b = run(true);
  for (size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i].to_vector<float>(), b[i].to_vector<float>());
}

TEST(Checkpoint, OfNothingThatNeedsGradients) {
  const Tensor x = array({1, 2, 3}, float32);
  EXPECT_EQ(memory::checkpoint([](const Tensor& t) { return t * 2.0; }, x).to_vector<float>(),
            (std::vector<float>{2, 4, 6}));
}

}  // namespace
}  // namespace ember
