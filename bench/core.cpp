// The overhead of the graph, on one thread.
#include "bench/bench.h"
#include "bench/graph_work.h"

namespace ember::bench {
namespace {

Result of_an_op(const char* name, void (*thousand)(), double target) {
  const double ns = time_of(thousand) * 1e9 / 1000;
  return {.name = name, .unit = "ns/op", .value = ns, .target = target, .met = ns <= target};
}

}  // namespace

std::vector<Result> run_core(const std::function<void(const std::string&)>& progress) {
  std::vector<Result> r;
  progress("1,000 dependent ops on 10 floats");
  r.push_back(of_an_op("tiny, recorded and evaluated", recorded, 150));
  progress("the same, each op evaluated at once");
  r.push_back(of_an_op("tiny, evaluated one by one", one_by_one, 200));
  progress("a chain that cannot fuse");
  r.push_back(of_an_op("chain that cannot fuse", unfusable, 500));
  return r;
}

}  // namespace ember::bench
