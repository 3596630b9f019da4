// Workloads of `ember bench`: each gives a value, what it is compared with, and whether the target
// holds.
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
  std::string reference;        // what the ratio is to
  std::optional<double> ratio;  // value / reference, where there is one
  double target = 0;            // for the ratio if there is one, else for the value; 0: none
  std::optional<bool> met;      // absent: the reference could not be measured
  std::string note;
  int threads = 1;
  std::vector<std::pair<std::string, double>> peers =
      {};  // all that were measured, in the same unit
};

using Progress = std::function<void(const std::string&)>;
struct Options {
  std::vector<std::string> only;  // workloads of the speed suite with one of these in their names;
                                  // all where there are none
  std::vector<int> threads;       // none: one, and all cores
  int rounds = 9;
};
struct Suite {
  const char* name;
  const char* doc;
  std::function<std::vector<Result>(const Progress&)> run;
};
std::vector<Suite> suites(const Options& options);

double quartile(std::vector<double>);  // the lower one
// Seconds of one call: the lower quartile over rounds of about 5 ms each, after one to warm up.
double time_of(const std::function<void()>& f, int rounds = 21);

// A page that needs nothing beside it: a table, and bars where there are peers.
struct Section {
  std::string name, doc;
  std::vector<Result> results;
};
std::string html(const std::vector<Section>& sections);

}  // namespace ember::bench
