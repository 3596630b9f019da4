// Signals in the middle of a product or a convolution do not corrupt its memory.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/time.h>

#include "ember/ember.h"

namespace ember {
namespace {

volatile sig_atomic_t arrived = 0;

TEST(Signals, DuringProductsAndConvolutions) {
  using namespace ops;
  const Tensor x = random_normal({400, 256});
  const Tensor w = random_normal({256, 256}) * 0.06;
  const Tensor image = random_normal({2, 32, 40, 40});
  const Tensor filter = random_normal({32, 32, 3, 3}) * 0.05;
  const auto work = [&] {
    Tensor y = x;
    Tensor z = image;
    for (int i = 0; i < 40; ++i) y = tanh(matmul(y, w));
    for (int i = 0; i < 10; ++i) z = tanh(conv2d(z, filter, {}, {.padding = {1}}));
    eval({y, z});
    return std::pair(y.to_vector<float>(), z.to_vector<float>());
  };
  const auto undisturbed = work();
  struct sigaction old;
  struct sigaction own{};
  own.sa_handler = [](int) { arrived = 1; };
  own.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &own, &old);
  const itimerval often{{0, 300}, {0, 300}};
  const itimerval never{};
  setitimer(ITIMER_REAL, &often, nullptr);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(work(), undisturbed);
  setitimer(ITIMER_REAL, &never, nullptr);
  sigaction(SIGALRM, &old, nullptr);
  EXPECT_TRUE(arrived);
}

}  // namespace
}  // namespace ember
