// The overhead of WebNN's calls: a dispatch from C++, Python and Node, data transfers, and a cache
// that stays on the device.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "bench/bench.h"
#include "cli/paths.h"
#include "ember/webnn.h"

namespace ember::bench {
namespace {

using namespace ember::webnn;

MLTensorDescriptor open(uint32_t n) {
  MLTensorDescriptor d;
  d.shape = {n};
  d.readable = d.writable = true;
  return d;
}

struct Add {
  MLContext context = createContext();
  MLGraph graph;
  MLTensor x = context.createTensor(open(4)), y = context.createTensor(open(4)),
           z = context.createTensor(open(4));
  Add() {
    MLGraphBuilder b(context);
    const auto p = b.input("x", {DType::float32, {4}});
    const auto q = b.input("y", {DType::float32, {4}});
    graph = b.build({{"z", b.add(p, q)}});
    run();
    context.readTensor(z);
  }
  void run() const { context.dispatch(graph, {{"x", x}, {"y", y}}, {{"z", z}}); }
};

// Resident memory of this process in bytes.
size_t resident() {
  size_t all = 0;
  size_t pages = 0;
  std::ifstream("/proc/self/statm") >> all >> pages;
  return pages * size_t(sysconf(_SC_PAGE_SIZE));
}

Result moved(const char* name, const std::function<void()>& f) {
  std::vector<std::byte> from(1 << 20, std::byte(1));
  std::vector<std::byte> to(1 << 20);
  // Alternately, so that both are measured under the same conditions.
  double own = 1e9;
  double copy = 1e9;
  for (int i = 0; i < 5; ++i) {
    own = std::min(own, time_of(f, 5));
    copy = std::min(copy, time_of(
                              [&] {
                                std::memcpy(to.data(), from.data(), from.size());
                                asm volatile("" : : "r"(to.data()) : "memory");
                              },
                              5));
  }
  return {.name = name,
          .unit = "us",
          .value = own * 1e6,
          .reference = "memcpy",
          .ratio = own / copy,
          .target = 1.2,
          .met = own / copy <= 1.2};
}

// Runs a script that prints the nanoseconds of one dispatch.
Result in_language(const std::string& name, const std::string& command, double target) {
  Result r{.name = name, .unit = "ns", .target = target};
  std::string said;
  if (FILE* out = popen((command + " 2>&1").c_str(), "r")) {
    char line[512];
    while (std::fgets(line, sizeof line, out)) said += line;
    pclose(out);
  }
  const size_t at = said.find("dispatch ");
  if (at == said.npos) return r.note = "not measured: " + said.substr(0, said.find('\n')), r;
  r.value = std::atof(said.c_str() + at + 9);
  r.met = r.value <= target;
  return r;
}

}  // namespace

std::vector<Result> run_webnn(const std::function<void(const std::string&)>& progress) {
  std::vector<Result> r;
  progress("dispatch of an addition of 4 floats");
  const Add add;
  const double ns = 1e9 * time_of([&] { add.run(); });
  r.push_back({.name = "dispatch of 4 floats, C++",
               .unit = "ns",
               .value = ns,
               .target = 1000,
               .met = ns <= 1000});
  const std::string lib = cli::library_folder();
  const std::string share = cli::share_folder();
  const char* python = std::getenv("EMBER_BENCH_PYTHON");
  if (!python) python = std::getenv("EMBER_PYTHON");
  r.push_back(in_language("dispatch of 4 floats, Python",
                          "PYTHONPATH='" + lib + "/../python' '" + (python ? python : "python3") +
                              "' '" + share + "/webnn_dispatch.py'",
                          5000));
  r.push_back(in_language("dispatch of 4 floats, Node",
                          "node '" + share + "/webnn_dispatch.cjs' '" + lib + "/../..'", 10000));

  progress("writing and reading a megabyte");
  const MLTensor mega = add.context.createTensor(open(1 << 18));
  std::vector<std::byte> bytes(1 << 20);
  r.push_back(
      moved("write of 1 MB", [&] { add.context.writeTensor(mega, bytes.data(), bytes.size()); }));
  r.push_back(
      moved("read of 1 MB", [&] { add.context.readTensor(mega, bytes.data(), bytes.size()); }));

  progress("a million dispatches");
  for (int i = 0; i < 10000; ++i) add.run();
  const size_t before = resident();
  for (int i = 0; i < 1000000; ++i) add.run();
  const double grown = (double(resident()) - double(before)) / 1e6;
  r.push_back({.name = "memory after a million dispatches",
               .unit = "MB more",
               .value = grown,
               .target = 1,
               .met = grown <= 1});
  return r;
}

}  // namespace ember::bench
