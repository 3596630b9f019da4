// Writes both forms of a graph file.
#include <charconv>
#include <cmath>
#include <unordered_set>

#include "src/webnn/file/file.h"

namespace ember::webnn::file {
namespace {

struct Writer {
  bool json;
  std::string out;

  std::string quoted(std::string_view s) const {
    std::string q = "\"";
    for (const char c : s) {
      if (c == '"' || c == '\\') {
        q += '\\';
        q += c;
      } else if (json && static_cast<unsigned char>(c) < 0x20) {
        q += "\\u00";
        q += "0123456789abcdef"[c >> 4];
        q += "0123456789abcdef"[c & 15];
      } else {
        q += c;
      }
    }
    return q + '"';
  }
  // A float keeps its fraction, also for 2.0 and -0.0.
  std::string number(const MLNumber& n) const {
    return std::visit(
        [&](auto v) {
          char text[32];
          if constexpr (std::is_same_v<decltype(v), double>) {
            if (!std::isfinite(v)) {
              return quoted(std::isnan(v) ? "NaN" : v < 0 ? "-Infinity" : "Infinity");
            }
          }
          std::string s(text, std::to_chars(text, text + sizeof text, v).ptr);
          if (std::is_same_v<decltype(v), double> && s.find_first_of(".e") == s.npos) s += ".0";
          return s;
        },
        static_cast<const std::variant<double, int64_t, uint64_t>&>(n));
  }
  std::string value(const Arg& a) const {
    if (const auto* b = std::get_if<bool>(&a)) return *b ? "true" : "false";
    if (const auto* n = std::get_if<MLNumber>(&a)) return number(*n);
    if (const auto* s = std::get_if<std::string>(&a)) return quoted(*s);
    if (const auto* list = std::get_if<std::vector<Arg>>(&a)) {
      return joined(*list, [&](const Arg& e) { return value(e); });
    }
    return "null";
  }
  template <class T, class F>
  std::string joined(const T& list, F f, const char* open = "[", const char* close = "]") const {
    std::string s;
    for (const auto& e : list) s += (s.empty() ? "" : ", ") + f(e);
    return open + s + close;
  }
  std::string shape(const Dimensions& d) const {
    return joined(d, [](uint32_t n) { return std::to_string(n); });
  }
  // The members of an object, one per line.
  template <class T, class F>
  void block(const char* head, const T& items, F line, const char* between, const char* tail) {
    out += head;
    bool first = true;
    for (const auto& i : items) {
      out += std::string(std::exchange(first, false) ? "" : between) + "\n    " + line(i);
    }
    out += tail;
  }
};

std::string_view short_name(DType t) {
  switch (t) {
    case DType::float32: return "f32";
    case DType::float16: return "f16";
    case DType::int32: return "i32";
    case DType::uint32: return "u32";
    case DType::int64: return "i64";
    case DType::uint64: return "u64";
    case DType::int8: return "i8";
    case DType::uint8: return "u8";
    case DType::int4: return "i4";
    default: return "u4";
  }
}

bool is_name(std::string_view s) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  if (s == "true" || s == "false" || s == "null" || s == "dyn") return false;
  return !s.empty() && letter(s[0]) && std::all_of(s.begin(), s.end(), [&](char c) {
    return letter(c) || (c >= '0' && c <= '9');
  });
}

}  // namespace

std::string json_of(const Graph& g) {
  Writer w{true};
  const auto type = [&](const MLOperandDescriptor& d) {
    return "\"dataType\": \"" + std::string(ember::name(d.dataType)) +
           "\", \"shape\": " + w.shape(d.shape);
  };
  const auto names = [&](const std::vector<std::string>& all) {
    return w.joined(all, [&](const std::string& s) { return w.quoted(s); });
  };
  w.out =
      "{\n  \"format\": \"webnn-graph-json\",\n  \"version\": 2,\n  \"name\": " + w.quoted(g.name) +
      ",\n  \"quantized\": " + (g.quantized ? "true" : "false") + ",\n";
  w.block(
      "  \"inputs\": {", g.inputs,
      [&](const auto& i) { return w.quoted(i.first) + ": {" + type(i.second) + "}"; }, ",",
      "\n  },\n");
  w.block(
      "  \"consts\": {", g.consts,
      [&](const Const& c) {
        return w.quoted(c.name) + ": {" + type(c.type) +
               ", \"init\": {\"kind\": \"weights\", \"ref\": " + w.quoted(*c.weights) + "}}";
      },
      ",", "\n  },\n");
  w.block(
      "  \"nodes\": [", g.nodes,
      [&](const Node& n) {
        return "{\"id\": " + w.quoted(n.outputs[0]) + ", \"op\": " + w.quoted(n.op) +
               ", \"inputs\": " + names(n.inputs) + ", \"options\": " +
               w.joined(
                   n.options,
                   [&](const auto& o) { return w.quoted(o.first) + ": " + w.value(o.second); }, "{",
                   "}") +
               (n.outputs.size() > 1 ? ", \"outputs\": " + names(n.outputs) : "") + "}";
      },
      ",", "\n  ],\n");
  w.block(
      "  \"outputs\": {", g.outputs,
      [&](const auto& o) { return w.quoted(o.first) + ": " + w.quoted(o.second); }, ",",
      "\n  }\n}\n");
  return w.out;
}

std::optional<std::string> text_of(const Graph& g) {
  // An output shares the name of its value, and all names share one namespace.
  std::map<std::string, std::string> renamed;
  std::unordered_set<std::string> taken;
  for (const auto& [name, type] : g.inputs) {
    if (!is_name(name) || !taken.insert(name).second) return {};
  }
  for (const Const& c : g.consts) taken.insert(c.name);
  for (const auto& [name, value] : g.outputs) {
    if (!is_name(name) || !renamed.emplace(value, name).second) return {};
  }
  for (const Node& n : g.nodes) {
    for (const std::string& o : n.outputs) {
      if (!renamed.contains(o)) taken.insert(o);
    }
  }
  for (const auto& [name, value] : g.outputs) {
    if (!taken.insert(name).second) return {};
  }

  Writer w{false};
  const auto named = [&](const std::string& s) {
    const auto it = renamed.find(s);
    return it == renamed.end() ? s : it->second;
  };
  const auto type = [&](const MLOperandDescriptor& d) {
    return std::string(short_name(d.dataType)) + w.shape(d.shape);
  };
  w.out = "webnn_graph " + w.quoted(g.name) + " v2" + (g.quantized ? " @quantized" : "") + " {\n";
  w.block(
      "  inputs {", g.inputs, [&](const auto& i) { return i.first + ": " + type(i.second) + ";"; },
      "", "\n  }\n");
  if (!g.consts.empty()) {
    w.block(
        "  consts {", g.consts,
        [&](const Const& c) {
          return c.name + ": " + type(c.type) + " @weights(" + w.quoted(*c.weights) + ");";
        },
        "", "\n  }\n");
  }
  w.block(
      "  nodes {", g.nodes,
      [&](const Node& n) {
        const std::string results =
            n.outputs.size() > 1 ? w.joined(n.outputs, named) : named(n.outputs[0]);
        std::vector<std::string> args;
        for (const std::string& i : n.inputs) args.push_back(named(i));
        const Operator& op = *find_operator(n.op);
        for (const auto& [key, v] : n.options) {
          const bool operand = std::any_of(
              op.options.begin(), op.options.end(),
              [&](const Param& p) { return p.name == key && p.type == ParamType::operand; });
          args.push_back(key + "=" + (operand ? named(std::get<std::string>(v)) : w.value(v)));
        }
        return results + " = " + n.op +
               w.joined(args, [](const std::string& a) { return a; }, "(", ")") + ";";
      },
      "", "\n  }\n");
  w.block("  outputs {", g.outputs, [&](const auto& o) { return o.first + ";"; }, "", "\n  }\n}\n");
  return w.out;
}

}  // namespace ember::webnn::file
