// Saves graphs to files, loads them, and rebuilds them for other contexts.
#include <cstring>
#include <filesystem>
#include <unordered_map>

#include "ember/ops.h"
#include "src/graph/graph.h"
#include "src/io/atomic_file.h"
#include "src/io/safetensors.h"
#include "src/webnn/file/file.h"

namespace ember::webnn {
namespace {

using io::printable;

// ---- writing ----

uint64_t digest(const void* data, size_t n) {
  uint64_t h = 0x9e3779b97f4a7c15u ^ n;
  const auto* p = static_cast<const char*>(data);
  for (; n >= 8; p += 8, n -= 8) {
    uint64_t v;
    std::memcpy(&v, p, 8);
    h = (h ^ v) * 0xff51afd7ed558ccdu;
    h ^= h >> 32;
  }
  for (; n; ++p, --n) {
    h = (h ^ uint8_t(*p)) * 0xff51afd7ed558ccdu;
    h ^= h >> 32;
  }
  return h;
}

// Equal constants are stored once. The name is derived from the content, so that a graph cannot
// read another graph's weights.
struct WeightsOut {
  std::vector<io::NamedView> views;
  std::vector<Tensor> held;
  std::deque<std::string> packed;  // owns the bytes of packed views
  std::unordered_map<uint64_t, std::vector<size_t>> known;

  std::string add(const MLOperand& o) {
    const Tensor& t = o.state().tensor;
    io::ArrayView v{t.dtype(), t.shape(), t.data_ptr()};
    if (is_4bit(v.dtype)) {
      const auto* bytes = static_cast<const uint8_t*>(v.data);
      std::string half(size_t(t.size() + 1) / 2, '\0');
      for (int64_t i = 0; i < t.size(); ++i) {
        half[size_t(i / 2)] |= char((bytes[i] & 15) << i % 2 * 4);
      }
      packed.push_back(std::move(half));
      v = {DType::uint8, {int64_t(packed.back().size())}, packed.back().data()};
    }
    const uint64_t h = digest(v.data, v.bytes());
    for (size_t k : known[h]) {
      if (const io::ArrayView& w = views[k].second;
          w.dtype == v.dtype && w.shape == v.shape && !std::memcmp(w.data, v.data, v.bytes())) {
        return views[k].first;
      }
    }
    known[h].push_back(views.size());
    held.push_back(t);
    char hex[17];
    std::snprintf(hex, sizeof hex, "%016llx", static_cast<unsigned long long>(h));
    views.emplace_back("w" + std::to_string(views.size()) + "-" + hex, v);
    return views.back().first;
  }
};

// The graph with a name for each operand.
file::Graph described(const GraphState& g, WeightsOut& weights) {
  file::Graph f;
  std::unordered_map<const OperandState*, std::string> names;
  std::map<std::string, bool> taken;
  for (const MLOperand& i : g.input_operands) {
    f.inputs.emplace_back(i.name(), i.state().type);
    names[&i.state()] = i.name();
    taken[i.name()] = true;
  }
  auto fresh = [&, count = std::map<char, int>()](const MLOperand& o,
                                                  char letter) mutable -> const std::string& {
    std::string n;
    do n = letter + std::to_string(count[letter]++);
    while (taken.contains(n));
    return names[&o.state()] = n;
  };
  for (const MLOperand& c : g.constants) {
    file::Const k{fresh(c, 'c'), c.state().type};
    k.weights = weights.add(c);
    f.consts.push_back(std::move(k));
  }
  for (const Operation& op : g.operations) {
    file::Node n{op.op->name};
    const auto plain = [&](const Arg& a, const auto& self) -> Arg {
      if (const auto* o = std::get_if<MLOperand>(&a)) return names.at(&o->state());
      if (const auto* t = std::get_if<DType>(&a)) return std::string(ember::name(*t));
      const auto* list = std::get_if<std::vector<Arg>>(&a);
      if (!list) return a;
      std::vector<Arg> out;
      for (const Arg& e : *list) out.push_back(self(e, self));
      return out;
    };
    for (size_t i = 0; i < op.args.size(); ++i) {
      const Param& p = op.op->params[i];
      const Arg v = plain(op.args[i], plain);
      if (p.type == ParamType::operand) {
        n.inputs.push_back(std::get<std::string>(v));
      } else if (p.type == ParamType::operands) {
        for (const Arg& e : std::get<std::vector<Arg>>(v)) {
          n.inputs.push_back(std::get<std::string>(e));
        }
      } else {
        n.options.emplace(p.name, v);
      }
    }
    for (const auto& [key, a] : op.options) {
      if (a.given()) n.options.emplace(key, plain(a, plain));
    }
    for (const MLOperand& r : op.results) n.outputs.push_back(fresh(r, 'v'));
    f.nodes.push_back(std::move(n));
  }
  for (size_t i = 0; i < g.outputs.size(); ++i) {
    f.outputs.emplace_back(g.outputs[i].first, names.at(&g.output_operands[i].state()));
  }
  return f;
}

// ---- reading ----

// A constant that shares the tensor's memory.
MLOperand constant_of(MLGraphBuilder& b, const MLOperandDescriptor& type, Tensor t) {
  auto s = std::make_shared<OperandState>();
  s->builder = b.state().id;
  s->type = type;
  s->constant = true;
  s->tensor = move_to_context(b.state(), t);
  b.state().constants.push_back(MLOperand(std::move(s)));
  return b.state().constants.back();
}

// Names of options in files of other writers.
std::string option_name(const std::string& op, std::string name) {
  for (size_t i = 1; i + 1 < name.size(); ++i) {
    if (name[i] == '_' && name[i + 1] >= 'a' && name[i + 1] <= 'z') {
      name.erase(i, 1);
      name[i] = char(name[i] - 'a' + 'A');
    }
  }
  if (name == "pads") return "padding";
  if (name == "repeats") return "repetitions";
  if (name == "to" && op == "cast") return "dataType";
  return name;
}

// Errors of the builder are the file's fault and become IoErrors; errors of the context, engine or
// memory are passed on.
template <class F>
auto as_file_errors(const std::string& path, const std::string& where, F f) -> decltype(f()) {
  try {
    return f();
  } catch (const ShapeError& e) {
    io::fail(path, where + e.what());
  } catch (const DTypeError& e) {
    io::fail(path, where + e.what());
  } catch (const IndexError& e) {
    io::fail(path, where + e.what());
  } catch (const ValueError& e) {
    io::fail(path, where + e.what());
  }
}

class Loader {
 public:
  Loader(MLGraphBuilder& b, std::string path, const MLGraphFiles& given)
      : builder_(b), path_(std::move(path)), given_(given) {}

  MLNamedOperands load() {
    const io::InputFile file(path_);
    if (const std::string other = io::foreign_format(file.head()); !other.empty()) {
      io::fail(path_, "not a WebNN graph: " + other);
    }
    std::string text(size_t(file.size()), '\0');
    file.read_at(0, text.data(), text.size());
    const file::Graph g = file::parse(text, path_, given_.sizes);
    text = {};
    for (const auto& [name, type] : g.inputs) {
      define(name, as_file_errors(path_, "", [&] { return builder_.input(name, type); }));
    }
    for (const file::Const& c : g.consts) {
      define(c.name, as_file_errors(path_, "the constant " + printable(c.name) + ": ",
                                    [&] { return constant(c); }));
    }
    for (const file::Node& n : g.nodes) {
      const auto results = as_file_errors(path_, "the node " + printable(n.outputs[0]) + ": ",
                                          [&] { return call(n); });
      if (results.size() < n.outputs.size()) {
        io::fail(path_, "the node " + printable(n.outputs[0]) + " has " +
                            std::to_string(results.size()) + " results, not " +
                            std::to_string(n.outputs.size()));
      }
      for (size_t i = 0; i < n.outputs.size(); ++i) define(n.outputs[i], results[i]);
    }
    MLNamedOperands out;
    for (const auto& [name, value] : g.outputs) out.emplace_back(name, at(value));
    return out;
  }

 private:
  void define(const std::string& name, MLOperand o) {
    if (!values_.emplace(name, std::move(o)).second) {
      io::fail(path_, "the name " + printable(name) + " occurs twice");
    }
  }
  MLOperand at(const std::string& name) const {
    const auto it = values_.find(name);
    if (it == values_.end()) {
      io::fail(path_, "the operand " + printable(name) + " is used before it is defined");
    }
    return it->second;
  }

  MLOperand constant(const file::Const& c) {
    check_descriptor(c.type);
    if (c.weights) {
      if (!weights_) weights_ = file::read_weights(path_, given_);
      return constant_of(builder_, c.type, weights_->find(path_, c));
    }
    if (!c.number) {
      const size_t n = size_t(size_of(std::span<const int64_t>(shape_of(c.type.shape))));
      if (!is_4bit(c.type.dataType) || c.bytes.size() != n) {
        return builder_.constant(c.type, c.bytes.data(), c.bytes.size());
      }
      std::string packed((n + 1) / 2, '\0');  // one per byte, as pywebnn writes them
      for (size_t i = 0; i < n; ++i) packed[i / 2] |= char((c.bytes[i] & 15) << i % 2 * 4);
      return builder_.constant(c.type, packed.data(), packed.size());
    }
    // One number, repeated by strides of 0, so that a short file needs little memory.
    return constant_of(
        builder_, c.type,
        ops::broadcast_to(scalar_of(*c.number, c.type.dataType), shape_of(c.type.shape)).eval());
  }

  Arg converted(const Param& p, const Arg& a) {
    const auto* s = std::get_if<std::string>(&a);
    if (p.type == ParamType::operand && s) return at(*s);
    if (p.type == ParamType::data_type && s) {
      const auto t = parse_dtype(*s);
      return t ? Arg(*t) : a;
    }
    if (p.type == ParamType::number && s) {
      return *s == "NaN"         ? MLNumber(NAN)
             : *s == "Infinity"  ? MLNumber(INFINITY)
             : *s == "-Infinity" ? MLNumber(-INFINITY)
                                 : a;
    }
    return a;
  }

  std::vector<MLOperand> call(const file::Node& n) {
    if (auto others = other_call(n)) return *others;
    const Operator* op = find_operator(n.op);
    if (!op) throw ValueError("unknown operator " + printable(n.op));
    std::map<std::string, Arg> given;
    std::map<std::string, bool> has;
    for (const auto& [key, a] : n.options) {
      const std::string name = option_name(n.op, key);
      // hasBias and similar: which optional operands are among the inputs.
      if (name.starts_with("has") && name.size() > 3 && std::holds_alternative<bool>(a)) {
        has[std::string(1, char(name[3] | 32)) + name.substr(4)] = std::get<bool>(a);
      } else if (!given.emplace(name, a).second) {
        throw ValueError("the option " + printable(name) + " occurs twice");
      }
    }
    if (n.op == "pad" && given.contains("padding")) {  // starts, then ends, in one list
      const Arg both = given.extract("padding").mapped();
      const auto* list = std::get_if<std::vector<Arg>>(&both);
      if (!list || list->size() % 2) {
        throw ValueError("padding must be a list of beginnings and ends");
      }
      const auto middle = list->begin() + ptrdiff_t(list->size() / 2);
      given.emplace("beginningPadding", std::vector<Arg>(list->begin(), middle));
      given.emplace("endingPadding", std::vector<Arg>(middle, list->end()));
    }
    std::vector<Arg> args;
    size_t input = 0;
    for (const Param& p : op->params) {
      if (p.type == ParamType::operands) {
        std::vector<Arg> all;
        for (; input < n.inputs.size(); ++input) all.push_back(at(n.inputs[input]));
        args.emplace_back(std::move(all));
      } else if (p.type == ParamType::operand && input < n.inputs.size()) {
        args.emplace_back(at(n.inputs[input++]));
      } else if (auto found = given.extract(p.name)) {
        args.push_back(converted(p, found.mapped()));
      } else {
        throw ValueError("'" + p.name + "' is missing");
      }
    }
    Options options;
    for (const Param& p : op->options) {
      if (auto found = given.extract(p.name)) {
        options.emplace(p.name, converted(p, found.mapped()));
      } else if (p.type == ParamType::operand && input < n.inputs.size() &&
                 (!has.contains(p.name) || has[p.name])) {
        options.emplace(p.name, at(n.inputs[input++]));
      }
    }
    if (auto label = given.extract("label")) options.emplace("label", label.mapped());
    if (!given.empty()) {
      throw ValueError("'" + n.op + "' has no option " + printable(given.begin()->first));
    }
    if (input < n.inputs.size()) throw ValueError("too many inputs");
    return builder_.call(*op, std::move(args), std::move(options));
  }

  // pywebnn's operators that the specification has removed.
  std::optional<std::vector<MLOperand>> other_call(const file::Node& n) {
    const bool pool = n.op == "globalAveragePool" || n.op == "globalMaxPool";
    const bool squeeze = n.op == "squeeze";
    const bool unsqueeze = n.op == "unsqueeze";
    if (!pool && !squeeze && !unsqueeze) return {};
    if (n.inputs.size() != 1) throw ValueError("it takes one input");
    const MLOperand x = at(n.inputs[0]);
    Options options;
    if (const auto label = n.options.find("label"); label != n.options.end()) {
      options.insert(*label);
    }
    const auto layout = n.options.find("layout");
    const auto axes = n.options.find("axes");
    if (pool) {
      if (layout != n.options.end()) options.insert(*layout);
      return builder_.call(*find_operator(n.op == "globalMaxPool" ? "maxPool2d" : "averagePool2d"),
                           {x}, std::move(options));
    }
    if (axes == n.options.end() && unsqueeze) throw ValueError("'axes' is missing");
    const std::string text =
        options.contains("label") ? std::get<std::string>(options.at("label")) : "";
    if (squeeze && axes == n.options.end()) return {{webnn::squeeze(builder_, x, {}, text)}};
    Dimensions list;
    const auto* given = std::get_if<std::vector<Arg>>(&axes->second);
    for (size_t i = 0; given && i < given->size(); ++i) {
      const auto* v = std::get_if<MLNumber>(&(*given)[i]);
      const auto* k = v ? std::get_if<int64_t>(v) : nullptr;
      if (!k || *k < 0 || *k > int64_t(max_rank)) {
        throw ValueError("'axes' must be a list of dimensions");
      }
      list.push_back(uint32_t(*k));
    }
    return {{squeeze ? webnn::squeeze(builder_, x, list, text)
                     : webnn::unsqueeze(builder_, x, list, text)}};
  }

  MLGraphBuilder& builder_;
  const std::string path_;
  const MLGraphFiles& given_;
  std::unordered_map<std::string, MLOperand> values_;
  std::optional<file::Weights> weights_;
};

}  // namespace

MLOperand squeeze(MLGraphBuilder& b, const MLOperand& x, const List& axes, const Label& label) {
  Dimensions shape;
  if (axes) {
    for (uint32_t a : *axes) {
      if (a >= x.shape().size() || x.shape()[a] != 1) {
        throw ShapeError("[squeeze] axis " + std::to_string(a) + " of " +
                         to_string(shape_of(x.shape())) + " is not 1");
      }
    }
  }
  for (uint32_t i = 0; i < x.shape().size(); ++i) {
    if (axes ? std::find(axes->begin(), axes->end(), i) == axes->end() : x.shape()[i] != 1) {
      shape.push_back(x.shape()[i]);
    }
  }
  return b.reshape(x, shape, {.label = label});
}

MLOperand unsqueeze(MLGraphBuilder& b, const MLOperand& x, const Dimensions& axes,
                    const Label& label) {
  const size_t rank = x.shape().size() + axes.size();
  Dimensions shape(rank, 0);
  for (uint32_t a : axes) {
    if (a >= rank) {
      throw ValueError("[unsqueeze] axis " + std::to_string(a) + " out of bounds for rank " +
                       std::to_string(rank));
    }
    if (std::exchange(shape[a], 1)) {
      throw ValueError("[unsqueeze] Duplicate axis " + std::to_string(a));
    }
  }
  size_t k = 0;
  for (uint32_t& d : shape) {
    if (d == 0) d = x.shape()[k++];
  }
  return b.reshape(x, shape, {.label = label});
}

void save(const MLGraph& graph, const std::string& path, bool quantized) {
  if (!graph.defined()) throw ValueError("[save] the graph is missing");
  const bool json = path.ends_with(".json");
  if (!json && !path.ends_with(".webnn")) {
    throw IoError(printable(path) + ": the extension must be .webnn or .json");
  }
  WeightsOut weights;
  file::Graph g = described(graph.state(), weights);
  const std::filesystem::path target(path);
  g.name = target.stem().string();
  g.quantized = quantized;
  std::optional<std::string> text;
  if (!json) text = file::text_of(g);
  if (!text) text = file::json_of(g);
  // The weights are written first, because a graph without weights is useless.
  if (!weights.views.empty()) {
    io::write_safetensors(std::filesystem::path(target).replace_extension(".safetensors").string(),
                          weights.views);
  }
  io::AtomicFile file(path);
  file.write(*text);
  file.commit();
}

MLNamedOperands load(MLGraphBuilder& builder, const std::string& path, const MLGraphFiles& files) {
  return Loader(builder, path, files).load();
}

MLGraph load(const MLContext& context, const std::string& path, const MLGraphFiles& files) {
  MLGraphBuilder builder(context);
  const MLNamedOperands outputs = load(builder, path, files);
  return as_file_errors(path, "", [&] { return builder.build(outputs); });
}

MLGraph rebuild(const MLContext& context, const MLGraph& graph) {
  const GraphState& g = graph.state();
  MLGraphBuilder b(context);
  std::unordered_map<const OperandState*, MLOperand> now;
  for (const MLOperand& i : g.input_operands) now[&i.state()] = b.input(i.name(), i.state().type);
  for (const MLOperand& c : g.constants) {
    now[&c.state()] = constant_of(b, c.state().type, c.state().tensor);
  }
  const auto here = [&](const Arg& a, const auto& self) -> Arg {
    if (const auto* o = std::get_if<MLOperand>(&a)) return now.at(&o->state());
    const auto* list = std::get_if<std::vector<Arg>>(&a);
    if (!list) return a;
    std::vector<Arg> out;
    for (const Arg& e : *list) out.push_back(self(e, self));
    return out;
  };
  for (const Operation& op : g.operations) {
    std::vector<Arg> args;
    for (const Arg& a : op.args) args.push_back(here(a, here));
    Options options;
    for (const auto& [key, a] : op.options) options.emplace(key, here(a, here));
    const auto results = b.call(*op.op, std::move(args), std::move(options));
    for (size_t i = 0; i < results.size(); ++i) now[&op.results[i].state()] = results[i];
  }
  MLNamedOperands outputs;
  for (size_t i = 0; i < g.outputs.size(); ++i) {
    outputs.emplace_back(g.outputs[i].first, now.at(&g.output_operands[i].state()));
  }
  return b.build(outputs);
}

}  // namespace ember::webnn
