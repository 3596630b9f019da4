// Workloads of `ember bench`: each gives a value, what it is compared with, and whether the target holds.
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
  std::string reference;             // what the ratio is to
  std::optional<double> ratio;       // value / reference, where there is one
  double target = 0;                 // for the ratio if there is one, else for the value
  std::optional<bool> met;           // absent: the reference could not be measured
  std::string note;
};

struct Suite {
  const char* name;
  const char* doc;
  std::vector<Result> (*run)(const std::function<void(const std::string&)>& progress);
};
std::vector<Suite> suites();

// Seconds of one call: the lower quartile over rounds of about 5 ms each, after one to warm up.
double time_of(const std::function<void()>& f, int rounds = 21);

}  // namespace ember::bench
