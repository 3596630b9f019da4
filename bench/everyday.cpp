// One-liners of NumPy and torch users, compared with the faster of the two. bench/everyday.py
// measures.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "bench/bench.h"
#include "cli/paths.h"

namespace ember::bench {
namespace {

constexpr double limit = 1.5;  // ratio to the best peer

std::string sized(const std::string& name, int64_t size) {
  return size == 0 ? name
                   : name + ", " +
                         (size >= 1'000'000 ? "1 M"
                          : size >= 10'000  ? "10 k"
                                            : std::to_string(size));
}

Result result_of(const nlohmann::json& line) {
  Result r{.name = sized(line["name"], line["size"]), .unit = "us", .target = limit};
  for (const auto& [peer, us] : line["us"].items()) {
    if (peer == "ember") {
      r.value = us;
    } else {
      r.peers.push_back({peer, us});
    }
  }
  const auto best =
      std::min_element(r.peers.begin(), r.peers.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  if (line.contains("differs")) {
    r.note = "the results differ: " + line["differs"].get<std::string>();
  }
  if (r.value > 0 && best != r.peers.end()) {
    r.reference = best->first;
    r.ratio = r.value / best->second;
    r.met = *r.ratio <= limit && r.note.empty();
  } else if (line.contains("errors")) {
    r.note = line["errors"].dump();
  }
  return r;
}

}  // namespace

std::vector<Result> run_everyday(const Progress& progress) {
  const char* python = std::getenv("EMBER_BENCH_PYTHON");
  if (!python) {
    return {{.name = "everyday lines",
             .note = "not measured: set EMBER_BENCH_PYTHON to a Python with NumPy and torch (make "
                     "bench does)"}};
  }
  progress("everyday lines: three processes in turn");
  const std::string lib = cli::library_folder();
  const std::string command = "PYTHONPATH='" + lib + "/../python' '" + python + "' '" +
                              cli::share_folder() + "/everyday.py' 2>/dev/null";
  std::vector<Result> r;
  std::vector<double> ratios;
  if (FILE* out = popen(command.c_str(), "r")) {
    std::string text;
    for (int c; (c = std::fgetc(out)) != EOF;) {
      if (c != '\n') {
        text += char(c);
        continue;
      }
      const auto line = nlohmann::json::parse(std::exchange(text, {}), nullptr, false);
      if (!line.is_object() || !line.contains("us")) continue;
      r.push_back(result_of(line));
      if (r.back().ratio) ratios.push_back(*r.back().ratio);
    }
    pclose(out);
  }
  if (ratios.empty()) return {{.name = "everyday lines", .note = "not measured: " + command}};
  const auto over = std::count_if(ratios.begin(), ratios.end(), [](double v) { return v > limit; });
  std::nth_element(ratios.begin(), ratios.begin() + int64_t(ratios.size()) / 2, ratios.end());
  const double median = ratios[ratios.size() / 2];
  const std::string of_all = "of " + std::to_string(ratios.size()) + " lines and sizes";
  r.insert(r.begin(), {{.name = "median ratio to the faster of NumPy and torch",
                        .value = median,
                        .target = 0.7,
                        .met = median <= 0.7,
                        .note = of_all},
                       {.name = "slower than 1.5 times the faster one",
                        .value = double(over),
                        .met = over == 0,
                        .note = of_all}});
  return r;
}

}  // namespace ember::bench
