// The cost of the graph itself, on one thread.
#include "bench/bench.h"
#include "ember/ember.h"

namespace ember::bench {
namespace {

using namespace ember::ops;

double tiny_lazy() {
  const Tensor x = array(std::vector<float>(10, 0.5f));
  return 1e9 / 1000 * time_of([&] {
    Tensor y = x;
    for (int i = 0; i < 250; ++i) y = (y * 0.5f + x) - y * x;
    y.eval();
  });
}

double tiny_eager() {
  const Tensor x = array(std::vector<float>(10, 0.5f));
  return 1e9 / 1000 * time_of([&] {
    Tensor y = x;
    for (int i = 0; i < 250; ++i) {
      const Tensor a = (y * 0.5f).eval(), b = (a + x).eval(), c = (y * x).eval();
      y = (b - c).eval();
    }
  });
}

// Each op needs the one before as a whole: nothing fuses.
double unfusable() {
  const Tensor w = reshape(arange(0, 64, 1, float32), {8, 8}) * 0.01f;
  w.eval();
  return 1e9 / 1000 * time_of([&] {
    Tensor y = w;
    for (int i = 0; i < 200; ++i) {
      y = matmul(y, w);                             // 8x8
      const Tensor row = y(i % 8);                  // index: the offset changes, the plan does not
      const Tensor s = sum(y, 0);                   // over the leading axis
      const Tensor flat = reshape(concat({row, s, row, s, row, s, row, s}), {8, 8});  // concat, reshape
      y = flat;
    }
    y.eval();
  });
}

Result plain(const char* name, double ns, double target) {
  return {.name = name, .unit = "ns/op", .value = ns, .target = target, .met = ns <= target};
}

}  // namespace

std::vector<Result> run_core(const std::function<void(const std::string&)>& progress) {
  std::vector<Result> r;
  progress("1,000 dependent ops on 10 floats");
  r.push_back(plain("tiny, recorded and evaluated", tiny_lazy(), 150));
  progress("the same, each op evaluated at once");
  r.push_back(plain("tiny, evaluated one by one", tiny_eager(), 200));
  progress("a chain that cannot fuse");
  r.push_back(plain("chain that cannot fuse", unfusable(), 500));
  return r;
}

}  // namespace ember::bench
