// `ember ops --coverage`: prints docs/coverage.tsv, which the tests measure and compare.
#include <algorithm>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/commands.h"
#include "cli/terminal.h"
#include "ember/error.h"

namespace ember::cli {
namespace {

constexpr const char* table =
#include "coverage.inc"
    ;
constexpr const char* states[] = {"own", "body", "fallback", "refused"};

struct Line {
  std::string op, kind, engine, dtypes[4];
};

std::vector<Line> lines() {
  std::vector<Line> r;
  std::istringstream in(table);
  std::string text;
  std::getline(in, text);  // the heading
  while (std::getline(in, text)) {
    std::istringstream fields(text);
    Line l;
    std::getline(fields, l.op, '\t');
    std::getline(fields, l.kind, '\t');
    std::getline(fields, l.engine, '\t');
    for (std::string& d : l.dtypes) std::getline(fields, d, '\t');
    r.push_back(std::move(l));
  }
  return r;
}

// "own", or the state of most dtypes with the exceptions.
std::string cell(const Line& l, std::string& exceptions) {
  size_t most = 0;
  for (size_t s = 1; s < 4; ++s) {
    if (l.dtypes[s].size() > l.dtypes[most].size()) most = s;
  }
  bool mixed = false;
  for (size_t s = 0; s < 4; ++s) {
    if (s != most && !l.dtypes[s].empty()) {
      mixed = true;
      exceptions +=
          (exceptions.empty() ? "" : "; ") + l.engine + " " + states[s] + ": " + l.dtypes[s];
    }
  }
  return std::string(states[most]) + (mixed ? "*" : "");
}

}  // namespace

int coverage(const std::string& name, bool as_json) {
  std::vector<std::string> engines;
  std::map<std::string, std::vector<Line>> ops;
  for (Line& l : lines()) {
    if (std::find(engines.begin(), engines.end(), l.engine) == engines.end()) {
      engines.push_back(l.engine);
    }
    if (l.op.find(name) != std::string::npos) ops[l.op].push_back(std::move(l));
  }
  if (ops.empty()) throw ValueError("unknown op '" + name + "'");
  if (as_json) {
    nlohmann::json list = nlohmann::json::array();
    for (const auto& [op, rows] : ops) {
      for (const Line& l : rows) {
        for (size_t s = 0; s < 4; ++s) {
          std::istringstream dtypes(l.dtypes[s]);
          for (std::string d; dtypes >> d;) {
            list.push_back({{"op", op},
                            {"kind", l.kind},
                            {"engine", l.engine},
                            {"dtype", d},
                            {"state", states[s]}});
          }
        }
      }
    }
    std::cout << nlohmann::json{{"coverage", list}}.dump(2) << "\n";
    return 0;
  }
  std::cout << bold(pad("op", 28) + pad("kind", 11));
  for (const auto& e : engines) std::cout << bold(pad(e, 11));
  std::cout << bold("exceptions") << "\n";
  for (const auto& [op, rows] : ops) {
    std::string exceptions;
    std::cout << pad(op, 28) << pad(rows[0].kind, 11);
    for (const Line& l : rows) std::cout << pad(cell(l, exceptions), 11);
    std::cout << dim(exceptions) << "\n";
  }
  std::cout << dim("own: the engine's library computes it. body: in other ops, which the engine "
                   "computes. fallback: a part runs on native.")
            << "\n";
  return 0;
}

}  // namespace ember::cli
