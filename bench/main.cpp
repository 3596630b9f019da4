// The program `ember-bench`: measures suites of workloads; `ember bench` starts it.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "bench/bench.h"
#include "bench/speed.h"
#include "cli/terminal.h"
#include "ember/error.h"

namespace ember::bench {
namespace {

using cli::bold, cli::dim, cli::green, cli::left_pad, cli::pad, cli::red;
using nlohmann::json;

std::string number(double v) {
  char text[32];
  std::snprintf(text, sizeof text, v < 10 ? "%.2f" : v < 100 ? "%.1f" : "%.0f", v);
  return text;
}

json as_json(const std::string& suite, const Result& r) {
  json peers = json::object();
  for (const auto& [name, value] : r.peers) peers[name] = value;
  return {{"suite", suite},
          {"name", r.name},
          {"threads", r.threads},
          {"value", r.value},
          {"unit", r.unit},
          {"reference", r.reference.empty() ? json() : json(r.reference)},
          {"ratio", r.ratio ? json(*r.ratio) : json()},
          {"target", r.target},
          {"met", r.met ? json(*r.met) : json()},
          {"note", r.note},
          {"peers", peers}};
}

std::string verdict(const Result& r) {
  if (!r.met) return dim("not compared");
  return *r.met ? green("met") : red("missed");
}

void print(const Section& s) {
  std::cout << bold(s.name + ": " + s.doc) << "\n";
  int threads = 1;
  for (const Result& r : s.results) {
    const std::string times = r.reference.empty() ? "" : "x";
    if (r.threads != threads) std::cout << " " << (threads = r.threads) << " threads\n";
    std::cout << "  " << pad(r.name, 38) << left_pad(number(r.value), 8) << " " << pad(r.unit, 7)
              << pad(r.ratio ? number(*r.ratio) + "x " + r.reference : "", 22)
              << pad(r.target ? "target " + number(r.target) + times : "", 14) << verdict(r)
              << "\n";
    if (!r.note.empty()) std::cout << "    " << dim(r.note) << "\n";
  }
  std::cout << std::flush;
}

void show_progress(const std::string& what) {
  const bool person = isatty(2);
  std::cerr << (person ? "\r\033[K" : "") << what << (person ? "..." : "\n") << std::flush;
}

bool contains(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

// The suites of these names, with the options for them. A name that is not a suite's selects
// workloads of speed.
std::vector<Suite> choose(const std::vector<std::string>& names, Options options) {
  std::vector<std::string> wanted;
  for (const Suite& s : suites({})) {
    if (contains(names, s.name) || contains(names, "all")) wanted.push_back(s.name);
  }
  for (const std::string& n : names) {
    if (n != "all" && !contains(wanted, n)) options.only.push_back(n);
  }
  if (!options.only.empty() && !contains(wanted, "speed")) wanted.push_back("speed");
  std::vector<Suite> chosen = suites(options);
  std::erase_if(chosen, [&](const Suite& s) { return !contains(wanted, s.name); });
  return chosen;
}

void measure(const std::vector<Suite>& chosen, bool json_wanted, const std::string& report) {
  std::vector<Section> sections;
  json list = json::array();
  for (const Suite& s : chosen) {
    sections.push_back({s.name, s.doc, s.run(show_progress)});
    if (isatty(2)) std::cerr << "\r\033[K";
    if (!json_wanted) print(sections.back());
    for (const Result& r : sections.back().results) list.push_back(as_json(s.name, r));
  }
  if (json_wanted) std::cout << json{{"workloads", list}}.dump(2) << "\n";
  if (report.empty()) return;
  std::ofstream file(report);
  file << html(sections);
  if (!file.flush()) throw IoError("cannot write " + report);
  std::cerr << "report: " << report << "\n";
}

}  // namespace
}  // namespace ember::bench

int main(int argc, char** argv) {
  using namespace ember::bench;
  CLI::App app{"Measure workloads; the report says whether targets are met", "ember bench"};
  std::vector<std::string> names = {"core"};
  Options options;
  std::string report;
  bool json_wanted = false;
  bool turns = false;
  app.add_option("names", names,
                 "Suites (speed, core, wrapper, python, everyday, distributed, webnn, all), or "
                 "workloads of speed by a part of their names")
      ->capture_default_str();
  app.add_option("--rounds", options.rounds, "Turns of each peer in speed")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--threads", options.threads, "Thread counts in speed; else one, and all cores")
      ->delimiter(',')
      ->check(CLI::PositiveNumber);
  app.add_option("--report", report, "Write a page with the table and bars to this file");
  app.add_flag("--turns", turns)->group("");  // how speed starts Ember's side
  app.add_flag("--json", json_wanted, "As JSON");
  CLI11_PARSE(app, argc, argv);

  setenv("EMBER_NUM_THREADS", "1", 0);  // before native is loaded; unless asked otherwise
  try {
    if (turns) {
      take_turns();
    } else {
      measure(choose(names, options), json_wanted, report);
    }
  } catch (const ember::Error& e) {
    std::cerr << "ember: " << e.what() << "\n";
    return 1;
  }
  return 0;
}
