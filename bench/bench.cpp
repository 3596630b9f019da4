// The runner of the suites, their results as text and JSON.
#include "bench/bench.h"

#include <algorithm>

namespace ember::bench {

std::vector<Result> run_speed(const Options& options, const Progress& progress);
std::vector<Result> run_core(const Progress& progress);
std::vector<Result> run_wrapper(const Progress& progress);
std::vector<Result> run_python(const Progress& progress);
std::vector<Result> run_everyday(const Progress& progress);
std::vector<Result> run_webnn(const Progress& progress);
std::vector<Result> run_distributed(const Progress& progress);

std::vector<Suite> suites(const Options& options) {
  return {
      {"speed", "every workload, against the libraries in requirements-bench.txt",
       [=](const Progress& p) { return run_speed(options, p); }},
      {"core", "the cost of recording and evaluating, on one thread", run_core},
      {"wrapper", "what Ember adds to libtorch, MLX and NumPy", run_wrapper},
      {"python", "what a call from Python costs", run_python},
      {"everyday", "lines that users of NumPy and torch type, from Python, on one thread",
       run_everyday},
      {"distributed", "what several ranks cost: all_reduce, and training on two", run_distributed},
      {"webnn", "what WebNN's calls cost in C++, Python and Node", run_webnn}};
}

double quartile(std::vector<double> v) {
  std::nth_element(v.begin(), v.begin() + int64_t(v.size()) / 4, v.end());
  return v[v.size() / 4];
}

double time_of(const std::function<void()>& f, int rounds) {
  using clock = std::chrono::steady_clock;
  const auto seconds = [&](int n) {
    const auto t = clock::now();
    for (int i = 0; i < n; ++i) f();
    return std::chrono::duration<double>(clock::now() - t).count() / n;
  };
  const double once = seconds(1);
  const int n = std::max(1, int(0.005 / std::max(once, 1e-9)));
  std::vector<double> ts;
  for (int i = 0; i < rounds; ++i) ts.push_back(seconds(n));
  return quartile(std::move(ts));
}

}  // namespace ember::bench
