// `ember run`: describes an ONNX model and runs it.
#include <algorithm>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/commands.h"
#include "cli/terminal.h"
#include "ember/coreml.h"
#include "ember/ember.h"
#include "ember/onnx.h"
#include "ember/program.h"
#include "src/io/atomic_file.h"

namespace ember::cli {
namespace {

using nlohmann::json;
using onnx::Network;
using onnx::Port;

json describe(const std::vector<Port>& ports) {
  json list = json::array();
  for (const Port& p : ports) {
    json shape = nullptr;
    if (p.shape) {
      shape = json::array();
      for (const onnx::Dim& d : *p.shape) {
        shape.push_back(d.size ? json(*d.size) : d.name.empty() ? json() : json(d.name));
      }
    }
    const json dtype = p.strings ? json("string") : p.dtype ? json(name(*p.dtype)) : json();
    list.push_back({{"name", p.name}, {"dtype", dtype}, {"shape", shape}});
  }
  return list;
}

using io::plain;  // names come from a file and could contain terminal escapes

void show(const Network& n, const std::string& path) {
  const auto ports = [](const char* what, const std::vector<Port>& list) {
    for (const Port& p : list) {
      std::cout << pad(&p == &list[0] ? what : "", 11) << bold(plain(p.name)) << "  "
                << to_string(p) << "\n";
    }
  };
  ports("inputs", n.inputs());
  ports("outputs", n.outputs());
  std::cout << pad("opset", 11) << n.opset()
            << (n.producer().empty() ? "" : ", written by " + plain(n.producer())) << "\n";
  std::string line;
  for (const auto& [op, count] : n.operators()) {
    line +=
        (line.empty() ? "" : ", ") + plain(op) + (count > 1 ? " x " + std::to_string(count) : "");
  }
  std::cout << pad("operators", 11) << line << "\n";
  std::string call = "ember run " + path;
  for (const Port& p : n.inputs()) call += " --input " + plain(p.name) + "=FILE.npy";
  std::cout << dim("run it with: " + call) << "\n";
}

// Splits name=path. A path alone is allowed if there is only one port.
std::pair<std::string, std::string> named(const std::string& given, const std::vector<Port>& ports,
                                          const char* what) {
  for (const Port& p : ports) {  // a name may contain an equals sign
    if (given.starts_with(p.name + "=")) return {p.name, given.substr(p.name.size() + 1)};
  }
  if (ports.size() == 1 && given.find('=') == std::string::npos) return {ports[0].name, given};
  std::string names;
  for (const Port& p : ports) names += (names.empty() ? "" : ", ") + plain(p.name);
  throw ValueError(std::string("--") + what + " takes NAME=FILE, not '" + given +
                   "'; the names are: " + (names.empty() ? "none" : names));
}

// Parses a number of a list in an input's dtype; it must be representable.
Tensor number_of(const std::string& text, const Port& p) {
  const DType dtype = *p.dtype;
  const auto refuse = [&](const std::string& why) -> ValueError {
    return ValueError("--value " + plain(p.name) + ": " + plain(text) + " " + why + " (" +
                      to_string(p) + ")");
  };
  if (dtype == DType::bool_) {
    if (text != "true" && text != "false") throw refuse("is neither true nor false");
    return Tensor(text == "true");
  }
  size_t used = 0;
  // From stod and stoll.
  try {
    if (is_float(dtype)) {
      const double v = std::stod(text, &used);
      if (used == text.size()) return Tensor(v).astype(dtype);
    } else if (is_integer(dtype)) {
      const long long v = std::stoll(text, &used);
      const Tensor t = ops::full({}, int64_t(v), DType::int64);
      if (used == text.size() && ops::equal(t.astype(dtype).astype(DType::int64), t).item<bool>() &&
          (v >= 0 || !is_unsigned(dtype))) {
        return t.astype(dtype);
      }
      if (used == text.size()) throw refuse("does not fit");
    }
  } catch (const std::logic_error&) {
    // stod and stoll reject other texts.
  }
  throw refuse("is not a number of its type");
}

// Parses NAME=1 or NAME=1,2,3: one number fills the input's shape, where an open axis has length 1.
TensorMap values_of(const Network& n, const std::vector<std::string>& given) {
  std::vector<Port> ports = n.inputs();
  ports.insert(ports.end(), n.defaults().begin(), n.defaults().end());
  TensorMap values;
  for (const std::string& s : given) {
    const auto [name, text] = named(s, ports, "value");
    const Port& p = *std::find_if(ports.begin(), ports.end(),
                                  [&](const Port& port) { return port.name == name; });
    if (!p.dtype) throw UnsupportedError("--value: the input " + plain(name) + " takes strings");
    Tensors numbers;
    std::istringstream in(text);
    for (std::string number; std::getline(in, number, ',');) {
      numbers.push_back(number_of(number, p));
    }
    if (numbers.empty()) throw ValueError("--value takes NAME=1 or NAME=1,2,3, not '" + s + "'");
    Shape shape;
    if (p.shape) {
      for (const onnx::Dim& d : *p.shape) shape.push_back(d.size.value_or(1));
    }
    const Tensor all = ops::stack(numbers, 0);
    if (numbers.size() == 1) {
      values[name] = ops::broadcast_to(ops::reshape(all, {}), shape);
    } else {
      values[name] = p.shape && size_of(shape) == all.size() ? ops::reshape(all, shape) : all;
    }
  }
  return values;
}

std::string full_name(const onnx::Operator& o) {
  return (*o.domain ? std::string(o.domain) + "." : "") + o.name;
}

}  // namespace

int run_model(const std::string& path, const std::vector<std::string>& inputs,
              const std::vector<std::string>& outputs, const std::vector<std::string>& values,
              const std::string& backend, bool as_json) {
  if (!backend.empty()) set_backend(backend);
  const Network n = onnx::load(path);
  TensorMap in = values_of(n, values);
  if (inputs.empty() && in.empty() && !n.inputs().empty()) {
    json ops = json::object();
    for (const auto& [op, count] : n.operators()) ops[op] = count;
    if (as_json) {
      std::cout << json{{"inputs", describe(n.inputs())},
                        {"outputs", describe(n.outputs())},
                        {"opset", n.opset()},
                        {"producer", n.producer()},
                        {"operators", ops},
                        {"metadata", n.metadata()}}
                       .dump(2)
                << "\n";
    } else {
      show(n, path);
    }
    return 0;
  }
  for (const std::string& given : inputs) {
    const auto [name, file] = named(given, n.inputs(), "input");
    in[name] = load(file);
  }
  std::vector<std::pair<std::string, std::string>> files;
  for (const std::string& given : outputs) files.push_back(named(given, n.outputs(), "output"));
  const TensorMap out = n(in);
  json results = json::object();
  for (const Port& p : n.outputs()) {
    const Tensor& t = out.at(p.name);
    const std::string type = std::string(name(t.dtype())) + to_string(t.shape());
    if (as_json) {
      json first = json::array();
      if (!is_complex(t.dtype())) {
        for (const double v :
             ops::tolist(ops::slice(ops::flatten(t), {0}, {std::min<int64_t>(t.size(), 8)}))) {
          first.push_back(v);
        }
      }
      results[p.name] = {{"dtype", name(t.dtype())}, {"shape", t.shape().vec()}, {"first", first}};
    } else {
      PrintOptions o = print_options();
      o.threshold = 8;
      std::cout << bold(plain(p.name)) << "  " << type << "\n" << to_string(t, o) << "\n";
    }
  }
  for (const auto& [name, file] : files) save(file, out.at(name));
  if (as_json) std::cout << json{{"backend", get_backend()}, {"outputs", results}}.dump(2) << "\n";
  return 0;
}

// Writes the graph as Ember records it for these shapes: functions expanded, constants folded,
// newest operators.
int convert(const std::string& from, const std::string& to, const std::vector<std::string>& shapes,
            const std::vector<std::string>& values, std::optional<int64_t> opset, bool external) {
  const Network n = onnx::load(from);
  std::map<std::string, Shape> given;
  for (const std::string& s : shapes) {
    const auto [name, text] = named(s, n.inputs(), "shape");
    Shape& shape = given[name] = {};
    std::istringstream in(text);
    for (std::string number; std::getline(in, number, 'x');) {
      if (number.empty() || number.size() > 12 ||
          number.find_first_not_of("0123456789") != std::string::npos) {
        throw ValueError("--shape takes NAME=2x3x4, not '" + s + "'");
      }
      shape.push_back(std::stoll(number));
    }
  }
  const TensorMap fixed = values_of(n, values);
  std::vector<Tensor> in;
  onnx::SaveOptions options{.external = external, .opset = opset};
  for (const Port& p : n.inputs()) {
    if (fixed.contains(p.name)) continue;
    Shape shape;
    bool open = !p.shape;
    if (p.shape) {
      for (const onnx::Dim& d : *p.shape) {
        open |= !d.size;
        shape.push_back(d.size.value_or(0));
      }
    }
    if (given.contains(p.name)) {
      shape = given[p.name];
    } else if (open) {
      throw ValueError("the input " + plain(p.name) + " is " + to_string(p) +
                       ": set its shape, as in --shape " + plain(p.name) + "=1x3x224x224");
    }
    if (!p.dtype) {
      throw UnsupportedError("the input " + plain(p.name) +
                             " takes strings, which Ember does not write");
    }
    in.push_back(placeholder({*p.dtype, shape}));
    options.inputs.push_back(p.name);
  }
  for (const Port& p : n.outputs()) options.outputs.push_back(p.name);
  const std::vector<Tensor> out = n.record(in, fixed);
  if (to.ends_with(".mlpackage")) {
    if (external) {
      throw ValueError(
          "--external: a Core ML package always has its weights in a file of their own");
    }
    if (opset) throw ValueError("--opset: a Core ML package has no opset");
    coreml::save(to, in, out, {options.inputs, options.outputs});
    std::cout << "wrote " << to << "\n";
    return 0;
  }
  onnx::save(to, in, out, options);
  show(onnx::load(to), to);
  return 0;
}

int onnx_operators(bool as_json, bool markdown) {
  if (as_json) {
    json list = json::array();
    for (const onnx::Operator& o : onnx::operators()) {
      list.push_back(
          {{"name", o.name}, {"domain", o.domain}, {"since", o.since}, {"note", o.note}});
    }
    std::cout << json{{"operators", list}}.dump(2) << "\n";
  } else if (markdown) {
    std::cout << "| operator | since opset | limits |\n|---|---|---|\n";
    for (const onnx::Operator& o : onnx::operators()) {
      std::cout << "| " << full_name(o) << " | " << o.since << " | " << o.note << " |\n";
    }
  } else {
    for (const onnx::Operator& o : onnx::operators()) {
      std::cout << "  " << pad(full_name(o), 48) << o.note << "\n";
    }
    std::cout << dim("\n" + std::to_string(onnx::operators().size()) +
                     " operators; of ai.onnx, opsets " + std::to_string(onnx::oldest_opset) +
                     " to " + std::to_string(onnx::newest_opset))
              << "\n";
  }
  return 0;
}

}  // namespace ember::cli
