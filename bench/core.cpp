// The cost of the graph itself and of the two patterns every program has: long elementwise expressions and softmax. One thread.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

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

constexpr int64_t big = int64_t(1) << 24;

// Three arrays moved at memcpy's speed: what reading two and writing one must cost.
double memcpy_seconds() {
  std::vector<float> a(big, 1.0f), b(big, 2.0f);
  const double once = time_of([&] { std::memcpy(b.data(), a.data(), big * 4); }, 15);
  return once * 1.5;
}

double arithmetic() {
  const Tensor x = random_uniform({big}), y = random_uniform({big});
  eval({x, y});
  return time_of([&] { ((x * y + x) * (y - 0.5f * x) + (x - y) * (x + y) - 0.25f * x).eval(); }, 15);
}

double softmax_rows() {
  const Tensor x = random_normal({4096, 4096});
  x.eval();
  return time_of([&] { softmax(x).eval(); }, 15);
}

// The peer runs in a process of its own: thread pools fight in one. Nothing where there is no torch.
std::optional<double> torch_softmax() {
  const char* python = std::getenv("EMBER_BENCH_PYTHON");
  if (!python) return {};
  static const char* script = R"(
import time, torch
torch.set_num_threads(1)
x = torch.randn(4096, 4096)
ts = []
with torch.inference_mode():
    for _ in range(16):
        t = time.perf_counter(); torch.softmax(x, -1); ts.append(time.perf_counter() - t)
print(sorted(ts[1:])[3])
)";
  int fds[2];
  if (pipe(fds) != 0) return {};
  const pid_t pid = fork();
  if (pid == 0) {
    dup2(fds[1], 1);
    close(fds[0]);
    execl(python, python, "-c", script, nullptr);
    _exit(127);
  }
  close(fds[1]);
  char text[64] = {};
  const ssize_t n = read(fds[0], text, sizeof text - 1);
  close(fds[0]);
  int status = 0;
  waitpid(pid, &status, 0);
  if (n <= 0 || status != 0) return {};
  return std::atof(text);
}

Result plain(const char* name, double ns, double target) {
  return {.name = name, .unit = "ns/op", .value = ns, .target = target, .met = ns <= target};
}
Result ratio(const char* name, double seconds, const char* reference, double base, double target) {
  return {.name = name, .unit = "ms", .value = seconds * 1e3, .reference = reference, .ratio = seconds / base, .target = target, .met = seconds / base <= target};
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
  progress("ten elementwise ops on 16.8 M floats");
  // Interleaved, the best of three rounds of each: the machine may change its speed between them.
  double best = 1e9, moved = 1e9;
  for (int i = 0; i < 3; ++i) moved = std::min(moved, memcpy_seconds()), best = std::min(best, arithmetic());
  r.push_back(ratio("elementwise expression", best, "three arrays at memcpy speed", moved, 1.5));
  progress("softmax over the rows of 4096x4096");
  double own = 1e9;
  std::optional<double> torch;
  for (int i = 0; i < 3; ++i) {
    own = std::min(own, softmax_rows());
    if (auto t = torch_softmax()) torch = std::min(torch.value_or(1e9), *t);
  }
  if (torch) r.push_back(ratio("softmax 4096x4096", own, "torch", *torch, 0.5));
  else r.push_back({.name = "softmax 4096x4096", .unit = "ms", .value = own * 1e3, .reference = "torch", .target = 0.5,
                    .note = "torch was not measured: set EMBER_BENCH_PYTHON to a Python that has it (make bench does)"});
  return r;
}

}  // namespace ember::bench
