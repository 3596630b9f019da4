// The subcommands of `ember`.
#include "cli/commands.h"

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/terminal.h"
#include "ember/ember.h"
#include "ember/row.h"

namespace ember::cli {
namespace {

using nlohmann::json;

std::string join(const std::vector<std::string>& v) {
  std::string r;
  for (const auto& s : v) r += (r.empty() ? "" : ", ") + s;
  return r;
}

// Truncates a reason for the table; --json has all of it.
std::string brief(const std::string& s) { return s.size() > 100 ? s.substr(0, 97) + "..." : s; }

json describe(const Row& r) {
  std::vector<std::string> others;
  for (const Alias& a : aliases()) {
    if (std::string_view(a.target) == r.name) others.push_back(a.name);
  }
  const char* kind = r.id == OpId::leaf ? "function" : r.compose ? "composite" : "primitive";
  return {{"name", r.name}, {"signature", signature(r)}, {"doc", r.doc},    {"family", r.family},
          {"kind", kind},   {"aliases", others},         {"eager", r.eager}};
}

}  // namespace

int backends(bool as_json) {
  const auto all = backend_info();
  if (as_json) {
    json list = json::array();
    for (const auto& b : all) {
      json facts = json::object();
      for (const auto& [k, v] : b.facts) facts[k] = v;
      list.push_back({{"name", b.name},
                      {"available", b.available},
                      {"reason", b.reason},
                      {"version", b.version},
                      {"devices", b.devices},
                      {"ops", b.ops},
                      {"facts", facts}});
    }
    std::cout << json{{"backends", list}}.dump(2) << "\n";
    return 0;
  }
  const std::string current = get_backend();
  std::cout << bold(pad("engine", 15) + pad("version", 10) + pad("devices", 10) + pad("ops", 6) +
                    "details")
            << "\n";
  for (const auto& b : all) {
    std::string name = (b.name == current ? "* " : "  ") + b.name;
    if (!b.available) {
      std::cout << dim(pad(name, 15) + pad("absent", 10) + brief(b.reason)) << "\n";
      continue;
    }
    std::vector<std::string> facts;
    for (const auto& [k, v] : b.facts) facts.push_back(k + " " + v);
    std::cout << green(pad(name, 15)) << pad(b.version, 10) << pad(join(b.devices), 10)
              << pad(std::to_string(b.ops), 6) << join(facts) << "\n";
  }
  std::cout << dim("* current; choose with EMBER_ML_BACKEND or set_backend(name)") << "\n";
  return 0;
}

int ops(const std::string& name, bool as_json) {
  const Row* exact = name.empty() ? nullptr : find_row(name);
  std::vector<const Row*> rows;
  for (const Row* r : all_rows()) {
    if (exact ? r == exact : std::string_view(r->name).find(name) != std::string_view::npos) {
      rows.push_back(r);
    }
  }
  if (rows.empty()) throw ValueError("no op matches '" + name + "'");
  if (as_json) {
    json list = json::array();
    for (const Row* r : rows) list.push_back(describe(*r));
    std::cout << json{{"ops", list}}.dump(2) << "\n";
    return 0;
  }
  if (!exact) {
    std::string family;
    for (const Row* r : rows) {
      if (family != r->family) {
        std::cout << (family.empty() ? "" : "\n") << bold(family = r->family) << "\n";
      }
      std::cout << "  " << pad(r->name, 24) << r->doc << "\n";
    }
    std::cout << dim("\n" + std::to_string(rows.size()) + " ops; `ember ops NAME` shows one")
              << "\n";
    return 0;
  }
  const json d = describe(*exact);
  std::cout << bold(std::string(exact->name) + "(" + signature(*exact) + ")") << "\n\n  "
            << exact->doc << "\n\n";
  std::cout << pad("family", 10) << exact->family << "\n"
            << pad("kind", 10) << d["kind"].get<std::string>() << "\n";
  if (!d["aliases"].empty()) std::cout << pad("aliases", 10) << join(d["aliases"]) << "\n";
  if (exact->eager) {
    std::cout << pad("eager", 10) << "evaluates at once: the output's shape depends on the data\n";
  }
  if (exact->id == OpId::leaf) {
    std::cout << pad("engines", 10) << "all: it is made of other ops\n";
    return 0;
  }
  for (const auto& b : backend_info()) {
    if (b.available) {
      const Support s = supports_op(b.name, exact->id);
      std::cout << pad(b.name, 10)
                << (s.yes            ? green("own kernel")
                    : exact->compose ? "its body in other ops"
                                     : "on native (" + s.reason + ")")
                << "\n";
    }
  }
  return 0;
}

int ops_page() {
  std::cout << "# The ops\nMade from the rows by `ember ops --markdown`. Graph ops are what "
               "engines see; composites have a body in other ops, which\n"
               "runs where an engine has no version of its own. *Eager* ones evaluate at once: "
               "their shape depends on data.\n";
  std::string family;
  for (const Row* r : all_rows()) {
    if (family != r->family) {
      std::cout << "\n## " << (family = r->family) << "\n| op | kind | meaning |\n|---|---|---|\n";
    }
    const json d = describe(*r);
    std::string note = r->doc;
    if (r->eager) note += " *Eager.*";
    if (!d["aliases"].empty()) note += " Also: " + join(d["aliases"]) + ".";
    for (size_t at = 0; (at = note.find('|', at)) != std::string::npos; at += 2) {
      note.insert(at, "\\");
    }
    std::cout << "| `" << r->name << "(" << signature(*r) << ")` | " << d["kind"].get<std::string>()
              << " | " << note << " |\n";
  }
  return 0;
}

}  // namespace ember::cli
