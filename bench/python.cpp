// The overhead of a call from Python, compared with the libraries' own Python calls.
// bench/python_overhead.py measures.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <sstream>

#include "bench/bench.h"
#include "cli/paths.h"

namespace ember::bench {

std::vector<Result> run_python(const std::function<void(const std::string&)>& progress) {
  const char* python = std::getenv("EMBER_BENCH_PYTHON");
  if (!python) {
    return {{.name = "calls from Python",
             .unit = "ns/op",
             .note = "not measured: set EMBER_BENCH_PYTHON to a Python with NumPy, torch and MLX "
                     "(make bench does)"}};
  }
  progress("calls from Python: seven processes in turn");
  const std::string lib = cli::library_folder();
  const std::string command = "PYTHONPATH='" + lib + "/../python' '" + python + "' '" +
                              cli::share_folder() + "/python_overhead.py' 2>&1";
  std::map<std::string, double> ns;
  std::map<std::string, std::string> missing;
  if (FILE* out = popen(command.c_str(), "r")) {
    char line[512];
    while (std::fgets(line, sizeof line, out)) {
      std::istringstream words(line);
      std::string peer;
      std::string what;
      std::string value;
      words >> peer >> what;
      std::getline(words, value);
      if (what == "missing") {
        missing[peer] = value;
      } else if (const double v = std::atof(value.c_str()); v > 0) {
        ns[peer + " " + what] = v;
      }
    }
    pclose(out);
  }
  std::vector<Result> r;
  const auto measured = [&](const std::string& key, const std::string& to) {
    return ns.contains(key) && ns.contains(to);
  };
  if (measured("ember:native chain", "numpy chain")) {
    const double own = ns["ember:native chain"];
    const double numpy = ns["numpy chain"];
    r.push_back({.name = "1,000 ops on 10 floats, native",
                 .unit = "ns/op",
                 .value = own,
                 .reference = "NumPy",
                 .ratio = own / numpy,
                 .target = 0.5,
                 .met = own / numpy <= 0.5});
    const double alone = ns["ember:native alone"];
    const double one = ns["numpy alone"];
    r.push_back({.name = "one op at a time, native",
                 .unit = "ns/op",
                 .value = alone,
                 .reference = "NumPy",
                 .ratio = alone / one,
                 .target = 1,
                 .met = alone / one <= 1});
  }
  struct Call {
    const char* key;
    const char* name;
    double target;        // of the ratio to x + x
    double numpy_target;  // of the ratio to NumPy's; 0: none
  };
  constexpr Call calls[] = {{"softmax", "softmax(x, axis=-1)", 2.2, 0.5},
                            {"sum", "sum(x, axis=0)", 2.2, 0.5},
                            {"reshape", "reshape(x, (2, 5))", 2.5, 0.5},
                            {"sum_method", "x.sum(axis=0)", 2.2, 0},
                            {"reshape_method", "x.reshape(2, 5)", 2.5, 0}};
  for (const Call& call : calls) {
    const std::string own = std::string("ember:native ") + call.key;
    const auto compare = [&](const std::string& to, const char* reference, double target) {
      if (!measured(own, to)) return;
      const double ratio = ns[own] / ns[to];
      Result row{.name = std::string(call.name) + ", recorded",
                 .unit = "ns/call",
                 .value = ns[own],
                 .reference = reference,
                 .ratio = ratio,
                 .target = target};
      if (target > 0) row.met = ratio <= target;
      r.push_back(std::move(row));
    };
    compare("ember:native add", "x + x", call.target);
    compare(std::string("numpy ") + call.key, "NumPy", call.numpy_target);
  }
  for (const char* library : {"numpy", "torch", "mlx"}) {
    const std::string engine = std::string("ember:") + library;
    if (measured(engine + " chain", std::string(library) + " chain")) {
      const double added = ns[engine + " chain"] - ns[std::string(library) + " chain"];
      r.push_back(
          {.name = std::string("added to ") + library + "'s own Python call",
           .unit = "ns/op",
           .value = added,
           .target = 600,
           .met = added <= 600,
           .note = "its own: " + std::to_string(int(ns[std::string(library) + " chain"])) + " ns"});
    } else {
      r.push_back({.name = std::string("added to ") + library + "'s own Python call",
                   .unit = "ns/op",
                   .target = 600,
                   .note = "not measured:" +
                           (missing.contains(library) ? missing[library] : missing[engine])});
    }
  }
  return r;
}

}  // namespace ember::bench
