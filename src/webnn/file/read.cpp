// Reads both forms of a graph file. The file is not trusted: nesting is limited, and names are
// resolved later.
#include "src/io/atomic_file.h"
#include "src/webnn/file/scan.h"

namespace ember::webnn::file {
namespace {

constexpr std::pair<std::string_view, DType> short_names[] = {
    {"f32", DType::float32}, {"f16", DType::float16}, {"i32", DType::int32}, {"u32", DType::uint32},
    {"i64", DType::int64},   {"u64", DType::uint64},  {"i8", DType::int8},   {"u8", DType::uint8},
    {"i4", DType::int4},     {"u4", DType::uint4}};

class Reader : public Scanner {
 public:
  Reader(std::string_view text, const std::string& path, const Sizes& sizes, bool json)
      : Scanner(text, path, json), sizes_(sizes) {}
  Graph json();
  Graph text();

 private:
  uint32_t size(std::string name, uint64_t most) {
    if (most == 0 || most > UINT32_MAX) {
      fail("the dimension " + io::printable(name) + " needs a size from 1 to 2^32 - 1");
    }
    const auto given = sizes_.find(name);
    if (given == sizes_.end()) return uint32_t(most);
    if (given->second > most) {
      fail("the dimension " + io::printable(name) + " is at most " + std::to_string(most) + ", " +
           std::to_string(given->second) + " was asked for");
    }
    return given->second;
  }
  uint32_t integer() {
    const MLNumber n = number();
    const auto* i = std::get_if<int64_t>(&n);
    if (!i || *i < 0 || *i > UINT32_MAX) fail("expected an integer from 0 to 4294967295");
    return uint32_t(*i);
  }
  // dyn("n", 8) in text, {"name": "n", "maxSize": 8} in JSON.
  bool at_dynamic() { return json_ ? peek() == '{' : at_word("dyn"); }
  uint32_t dynamic() {
    if (!json_) {
      take_word("dyn");
      take('(');
      std::string name = string();
      take(',');
      const uint32_t most = integer();
      take(')');
      return size(std::move(name), most);
    }
    std::optional<std::string> name;
    uint64_t most = 0;
    each_member([&](const std::string& key) {
      if (key == "name") {
        name = string();
      } else if (key == "maxSize") {
        most = integer();
      } else {
        skip();
      }
    });
    if (!name) fail("expected a dimension: an integer, or an object with name and maxSize");
    return size(std::move(*name), most);
  }
  Dimensions shape() {
    Dimensions d;
    each_item([&] {
      if (d.size() == max_rank) fail("more than " + std::to_string(max_rank) + " dimensions");
      d.push_back(at_dynamic() ? dynamic() : integer());
    });
    return d;
  }
  // A value of an option.
  Arg value(int depth = 0) {
    const char c = peek();
    if (c == '[') {
      if (depth == 4) fail("lists are nested too deep");
      std::vector<Arg> list;
      each_item([&] { list.push_back(value(depth + 1)); });
      return list;
    }
    if (at_dynamic()) return MLNumber(int64_t(dynamic()));
    if (c == '"') return string();
    if (take_word("true")) return true;
    if (take_word("false")) return false;
    if (take_word("null")) return {};
    if (!json_ && at_name()) return name();
    return number();
  }
  void option(Node& n, std::string key, Arg v) {
    if (v.given() && !n.options.emplace(key, std::move(v)).second) {
      fail("the option " + io::printable(key) + " occurs twice");
    }
  }
  DType data_type(std::string_view word) {
    for (const auto& [name, t] : short_names) {
      if (json_ ? ember::name(t) == word : name == word) return t;
    }
    fail("unknown data type " + io::printable(word));
  }
  std::string bytes() {
    std::string b;
    each_item([&] {
      const uint32_t v = integer();
      if (v > 255) fail("a byte is at most 255");
      b += char(v);
    });
    return b;
  }
  Const json_const(std::string name);
  Node json_node();
  Const text_const();
  Node text_node();
  template <class F> void block(F item) {
    take('{');
    while (peek() != '}') item();
    take('}');
  }

  const Sizes& sizes_;
  std::map<std::string, std::string, std::less<>> same_;  // in text, y = x; makes y an alias of x
  std::string meant(std::string name) const {
    const auto it = same_.find(name);
    return it == same_.end() ? name : it->second;
  }
};

Const Reader::json_const(std::string name) {
  Const c{std::move(name)};
  bool typed = false;
  std::string kind;
  each_member([&](const std::string& key) {
    if (key == "dataType") {
      c.type.dataType = data_type(string());
      typed = true;
    } else if (key == "shape") {
      c.type.shape = shape();
    } else if (key == "init") {
      each_member([&](const std::string& part) {
        if (part == "kind") {
          kind = string();
        } else if (part == "ref") {
          c.weights = string();
        } else if (part == "value") {
          c.number = peek() == '"' ? word_number(string()) : number();
        } else if (part == "bytes") {
          c.bytes = bytes();
        } else {
          skip();
        }
      });
    } else {
      skip();
    }
  });
  if (!typed) fail("the constant " + io::printable(c.name) + " has no dataType");
  if (kind != "weights") c.weights.reset();
  if (kind != "scalar") c.number.reset();
  if (kind != "inlineBytes") c.bytes.clear();
  if (kind != "inlineBytes" && !c.weights && !c.number) {
    fail("the constant " + io::printable(c.name) +
         " has no value: init must be weights, scalar or inlineBytes");
  }
  return c;
}

Node Reader::json_node() {
  Node n;
  std::string id;
  each_member([&](const std::string& key) {
    if (key == "id") {
      id = string();
    } else if (key == "op") {
      n.op = string();
    } else if (key == "inputs") {
      each_item([&] { n.inputs.push_back(string()); });
    } else if (key == "outputs" && peek() == '[') {
      each_item([&] { n.outputs.push_back(string()); });
    } else if (key == "options" && peek() == '{') {
      each_member([&](std::string k) { option(n, std::move(k), value()); });
    } else {
      skip();
    }
  });
  if (n.outputs.empty()) n.outputs.push_back(id);
  return n;
}

Graph Reader::json() {
  Graph g;
  std::string format;
  uint32_t version = 0;
  each_member([&](const std::string& key) {
    if (key == "format") {
      format = string();
    } else if (key == "version") {
      version = integer();
    } else if (key == "name" && peek() == '"') {
      g.name = string();
    } else if (key == "quantized") {
      g.quantized = take_word("true") || (skip(), false);
    } else if (key == "inputs") {
      each_member([&](std::string name) {
        MLOperandDescriptor type;
        bool typed = false;
        each_member([&](const std::string& part) {
          if (part == "dataType") {
            type.dataType = data_type(string());
            typed = true;
          } else if (part == "shape") {
            type.shape = shape();
          } else {
            skip();
          }
        });
        if (!typed) fail("the input " + io::printable(name) + " has no dataType");
        g.inputs.emplace_back(std::move(name), std::move(type));
      });
    } else if (key == "consts") {
      each_member([&](std::string name) { g.consts.push_back(json_const(std::move(name))); });
    } else if (key == "nodes") {
      each_item([&] { g.nodes.push_back(json_node()); });
    } else if (key == "outputs") {
      each_member([&](std::string name) { g.outputs.emplace_back(std::move(name), string()); });
    } else {
      skip();
    }
  });
  end();
  if (format != "webnn-graph-json") {
    fail("not a WebNN graph: its format is " + io::printable(format) +
         ", not \"webnn-graph-json\"");
  }
  if (version != 1 && version != 2) {
    fail("version " + std::to_string(version) + " is not known, only 1 and 2");
  }
  return g;
}

Const Reader::text_const() {
  Const c{name()};
  take(':');
  c.type.dataType = data_type(name());
  c.type.shape = shape();
  bool given = false;
  while (peek() == '@') {
    take('@');
    const std::string kind = name();
    c.weights.reset();
    c.number.reset();
    c.bytes.clear();
    take('(');
    if (kind == "weights") {
      c.weights = string();
    } else if (kind == "scalar") {
      c.number = peek() == '"' ? word_number(string()) : number();
    } else if (kind == "bytes") {
      c.bytes = bytes();
    } else {
      fail("expected @weights, @scalar or @bytes, not @" + kind);
    }
    take(')');
    given = true;
  }
  if (!given) c.weights = c.name;
  take(';');
  return c;
}

Node Reader::text_node() {
  Node n;
  if (peek() == '[') {
    each_item([&] { n.outputs.push_back(name()); });
  } else {
    n.outputs.push_back(name());
  }
  take('=');
  n.op = name();
  if (peek() == ';') {  // y = x;
    if (n.outputs.size() != 1) fail("several names for one value");
    if (!same_.emplace(n.outputs[0], meant(n.op)).second) {
      fail("the name " + io::printable(n.outputs[0]) + " occurs twice");
    }
    take(';');
    return {};
  }
  take('(');
  while (peek() != ')') {
    if (at_name() && !at_dynamic()) {
      std::string word = name();
      if (peek() == '=') {
        take('=');
        option(n, std::move(word), value());
      } else {
        n.inputs.push_back(meant(std::move(word)));
      }
    } else if (peek() == '[') {
      each_item([&] { n.inputs.push_back(meant(name())); });
    } else if (peek() == '"') {
      n.inputs.push_back(meant(string()));
    } else {
      fail("expected an operand or name=value");
    }
    if (peek() != ')') take(',');
  }
  take(')');
  take(';');
  // Operands among the options may be aliases too.
  if (!same_.empty()) {
    for (auto& [key, v] : n.options) {
      if (auto* s = std::get_if<std::string>(&v); s && key != "label") *s = meant(*s);
    }
  }
  return n;
}

Graph Reader::text() {
  Graph g;
  if (!take_word("webnn_graph")) fail("not a WebNN graph: expected webnn_graph, or a JSON object");
  g.name = string();
  if (!take_word("v1") && !take_word("v2")) fail("expected the version, v1 or v2");
  if (peek() == '@') {
    take('@');
    if (!take_word("quantized")) fail("expected @quantized");
    g.quantized = true;
  }
  block([&] {
    const std::string kind = name();
    if (kind == "inputs") {
      block([&] {
        std::string n = name();
        take(':');
        MLOperandDescriptor type;
        type.dataType = data_type(name());
        type.shape = shape();
        take(';');
        g.inputs.emplace_back(std::move(n), std::move(type));
      });
    } else if (kind == "consts") {
      block([&] { g.consts.push_back(text_const()); });
    } else if (kind == "nodes") {
      block([&] {
        if (Node n = text_node(); !n.op.empty()) g.nodes.push_back(std::move(n));
      });
    } else if (kind == "outputs") {
      block([&] {
        std::string n = name();
        std::string what = meant(n);
        g.outputs.emplace_back(std::move(n), std::move(what));
        if (peek() == ',' || peek() == ';') take(peek());
      });
    } else {
      fail("expected inputs, consts, nodes or outputs, not " + io::printable(kind));
    }
  });
  end();
  return g;
}

}  // namespace

Graph parse(std::string_view text, const std::string& path, const Sizes& sizes) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  if (!io::valid_utf8(text)) io::fail(path, "the graph is not UTF-8");
  const size_t first = text.find_first_not_of(" \t\r\n");
  const bool json = first != text.npos && text[first] == '{';
  Reader r(text, path, sizes, json);
  return json ? r.json() : r.text();
}

}  // namespace ember::webnn::file
