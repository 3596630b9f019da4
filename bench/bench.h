// Workloads of `ember bench`: each returns a value, a reference, and whether the target is met.
#pragma once
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ember::bench {

struct Result {
  std::string name, unit;
  double value = 0;
  std::string reference;        // the denominator of the ratio
  std::optional<double> ratio;  // value / reference, if there is a reference
  double target = 0;            // for the ratio if there is one, otherwise for the value; 0: none
  std::optional<bool> met;      // absent: the reference could not be measured
  std::string note;
  int threads = 1;
  // All samples, in the same unit.
  std::vector<std::pair<std::string, double>> peers = {};
};

using Progress = std::function<void(const std::string&)>;
struct Options {
  std::vector<std::string> only;  // workloads of the speed suite with one of these in their names;
                                  // all where there are none
  std::vector<int> threads;       // empty: one thread, and all cores
  int rounds = 9;
};
struct Suite {
  const char* name;
  const char* doc;
  std::function<std::vector<Result>(const Progress&)> run;
};
std::vector<Suite> suites(const Options& options);

double quartile(std::vector<double>);  // the lower quartile
// Seconds per call: the lower quartile over rounds of about 5 ms, after a warm-up round.
double time_of(const std::function<void()>& f, int rounds = 21);

// A self-contained page: a table, and bars if there are peers.
struct Section {
  std::string name, doc;
  std::vector<Result> results;
};
std::string html(const std::vector<Section>& sections);

}  // namespace ember::bench
