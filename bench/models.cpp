// Whole networks with constant weights against ONNX Runtime, batch 1: the same .onnx file, each peer in a process of its own, in turn.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "bench/bench.h"
#include "ember/ember.h"
#include "ember/onnx.h"
#include "ember/program.h"
#include "examples/mobilenet.h"

namespace ember::bench {
namespace {

using namespace ember::ops;

constexpr int rounds = 25;

// MiniLM: 6 layers of a sentence encoder, from the hidden states on. Its speed does not depend on the weights, so any will do.
Tensor minilm(Tensor x) {
  constexpr int64_t hidden = 384, heads = 12;
  seed(1);
  const auto dense = [](const Tensor& v, int64_t out) { return linear(v, random_normal({out, v.shape(-1)}) * 0.05f, random_normal({out}) * 0.05f); };
  const auto norm = [](const Tensor& v) { return layer_norm(v, ones({hidden}), zeros({hidden})); };
  const auto split = [&](const Tensor& v, const Ints& axes) { return transpose(reshape(v, {v.shape(0), v.shape(1), heads, hidden / heads}), axes); };
  for (int i = 0; i < 6; ++i) {
    const Tensor q = split(dense(x, hidden), {0, 2, 1, 3}), k = split(dense(x, hidden), {0, 2, 3, 1}), v = split(dense(x, hidden), {0, 2, 1, 3});
    const Tensor weights = softmax(matmul(q, k) * float(1 / std::sqrt(double(hidden / heads))));
    const Tensor mixed = reshape(transpose(matmul(weights, v), Ints{0, 2, 1, 3}), x.shape());
    x = norm(x + dense(mixed, hidden));
    x = norm(x + dense(gelu(dense(x, 4 * hidden)), hidden));
  }
  return x;
}

// A process that, for each line it gets, runs its model a number of times and prints the seconds of one run.
class Peer {
 public:
  Peer(const std::vector<std::string>& command, int threads) {
    int in[2], out[2];
    if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC)) return;
    if (pid_ = fork(); pid_ == 0) {
      dup2(in[0], 0), dup2(out[1], 1);
      setenv("EMBER_NUM_THREADS", std::to_string(threads).c_str(), 1);
      std::vector<char*> words;
      for (const std::string& w : command) words.push_back(const_cast<char*>(w.c_str()));
      words.push_back(nullptr);
      execv(words[0], words.data());
      _exit(127);
    }
    close(in[0]), close(out[1]);
    to_ = fdopen(in[1], "w"), from_ = fdopen(out[0], "r");
  }
  Peer(const Peer&) = delete;
  ~Peer() {
    if (to_) fclose(to_), fclose(from_);
    if (pid_ > 0) waitpid(pid_, nullptr, 0);
  }
  std::optional<double> turn() {
    char line[64];
    usleep(100'000);  // the other one's threads wait for more work on the processor for a while
    if (!to_ || std::fputs("\n", to_) < 0 || std::fflush(to_) || !std::fgets(line, sizeof line, from_)) return {};
    return std::atof(line);
  }

 private:
  pid_t pid_ = -1;
  FILE *to_ = nullptr, *from_ = nullptr;
};

constexpr double turn_seconds = 0.1;
const char* const onnxruntime = R"(
import sys, time
import numpy, onnxruntime
options = onnxruntime.SessionOptions()
options.intra_op_num_threads, options.inter_op_num_threads = int(sys.argv[2]), 1
session = onnxruntime.InferenceSession(sys.argv[1], options, providers=["CPUExecutionProvider"])
feed = {i.name: numpy.random.default_rng(1).standard_normal(i.shape, numpy.float32) for i in session.get_inputs()}
for line in sys.stdin:
    start, n = time.perf_counter(), 0
    while (passed := time.perf_counter() - start) < float(sys.argv[3]):
        session.run(None, feed)
        n += 1
    print(passed / n, flush=True)
)";

// The same on this side.
void take_turns(const std::string& path) {
  using clock = std::chrono::steady_clock;
  const auto n = onnx::load(path);
  std::vector<Tensor> places, inputs;
  for (const onnx::Port& p : n.inputs()) {
    Shape shape;
    for (const onnx::Dim& d : *p.shape) shape.push_back(*d.size);
    places.push_back(placeholder({p.dtype, shape})), inputs.push_back(random_normal(shape).eval());
  }
  std::optional<Program> program;
  {
    const Recording recording;
    program.emplace(places, n.record(places));
  }
  for (std::string line; std::getline(std::cin, line);) {
    const auto start = clock::now();
    int64_t runs = 0;
    double passed;
    while ((passed = std::chrono::duration<double>(clock::now() - start).count()) < turn_seconds) (*program)(inputs), ++runs;
    std::cout << passed / double(runs) << std::endl;
  }
}

Result race(const std::string& name, const std::string& file, const char* python, int threads, double target) {
  Result r{.name = name + ", " + std::to_string(threads) + (threads > 1 ? " threads" : " thread"), .unit = "ms", .reference = "ONNX Runtime", .target = target};
  setenv("EMBER_BENCH_TURNS", file.c_str(), 1);
  Peer own({"/proc/self/exe", "bench", "models"}, threads);
  unsetenv("EMBER_BENCH_TURNS");
  Peer other(python ? std::vector<std::string>{python, "-c", onnxruntime, file, std::to_string(threads), std::to_string(turn_seconds)}
                    : std::vector<std::string>{"/bin/false"}, threads);
  std::vector<double> mine, theirs;
  for (int i = 0; i <= rounds; ++i) {
    const auto a = own.turn(), b = other.turn();
    if (i && a) mine.push_back(*a);  // the first is to warm up
    if (i && b) theirs.push_back(*b);
  }
  const auto quartile = [](std::vector<double>& v) {
    std::nth_element(v.begin(), v.begin() + int64_t(v.size()) / 4, v.end());
    return v[v.size() / 4];
  };
  if (mine.empty()) return r.note = "not measured: the process ended early", r;
  r.value = quartile(mine) * 1e3;
  if (theirs.empty()) return r.note = "ONNX Runtime was not measured: set EMBER_BENCH_PYTHON to a Python that has it (make bench does)", r;
  r.ratio = r.value / quartile(theirs) / 1e3, r.met = *r.ratio <= target;
  return r;
}

}  // namespace

std::vector<Result> run_models(const std::function<void(const std::string&)>& progress) {
  if (const char* path = std::getenv("EMBER_BENCH_TURNS")) {
    take_turns(path);
    std::exit(0);
  }
  signal(SIGPIPE, SIG_IGN);  // a peer may end before its turn
  const char* python = std::getenv("EMBER_BENCH_PYTHON");
  std::vector<Result> r;
  const auto folder = std::filesystem::temp_directory_path() / ("ember-bench-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  struct Remove {
    const std::filesystem::path& folder;
    ~Remove() { std::filesystem::remove_all(folder); }
  } remove{folder};
  const auto both = [&](const std::string& name, const Type& input, const std::function<Tensor(const Tensor&)>& network) {
    const std::string file = (folder / "model.onnx").string();
    {
      const Recording recording;
      const Tensor x = placeholder(input);
      onnx::save(file, {{x}}, {{network(x)}});
    }
    for (const int threads : {1, 2}) {
      progress(name + " on " + std::to_string(threads) + (threads > 1 ? " threads" : " thread"));
      r.push_back(race(name, file, python, threads, 1));
    }
  };
  if (const std::string weights = MobileNet::find(); !weights.empty()) {
    const MobileNet net(weights);
    both("MobileNetV2", {float32, {1, 3, 224, 224}}, [&](const Tensor& x) { return net.forward(x); });
  } else r.push_back({.name = "MobileNetV2", .unit = "ms", .reference = "ONNX Runtime", .target = 1, .note = "not measured: `make models` fetches the weights"});
  for (const int64_t tokens : {32, 128}) both("MiniLM, " + std::to_string(tokens) + " tokens", {float32, {1, tokens, 384}}, minilm);
  return r;
}

}  // namespace ember::bench
