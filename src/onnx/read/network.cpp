// Loads a model and runs it with one program per set of input types.
#include <algorithm>
#include <filesystem>
#include <list>
#include <mutex>
#include <unordered_set>

#include "ember/program.h"
#include "ember/runtime.h"
#include "src/graph/graph.h"
#include "src/io/atomic_file.h"
#include "src/onnx/read/read.h"

namespace ember::onnx {
namespace {

constexpr size_t programs_kept = 8;
// Elements of an input whose value may be a part of the key.
constexpr int64_t small_input = 1024;

// The format version from which inputs may have values in the file.
constexpr int64_t overridable_since = 4;

using io::printable;

// ---- Requirements on a file that do not depend on its inputs ----
using Names = std::unordered_set<std::string_view>;

class Check {
 public:
  explicit Check(const Source& source) : source_(source) {}

  void graph(const proto::Graph& g, int64_t opset, const std::string& what) {
    if (!g.sparse_initializers.empty()) {
      throw UnsupportedError("[onnx] " + what + " has sparse initializers");
    }
    names_.emplace_back();
    for (const proto::ValueInfo& v : g.inputs) {
      if (!names_.back().insert(v.name).second) {
        throw ValueError("[onnx] " + what + " has two inputs " + printable(v.name));
      }
    }
    for (const proto::TensorData& t : g.initializers) names_.back().insert(t.name);
    nodes(g.nodes, opset, what);
    for (const proto::ValueInfo& v : g.outputs) {
      if (!seen(v.name)) {
        throw ValueError("[onnx] " + what + " has the output " + printable(v.name) +
                         ", which no node computes");
      }
    }
    names_.pop_back();
  }
  void function(const proto::Function& f) {
    const std::string what = "the function " + printable(f.name);
    std::vector<Names> outside;
    std::swap(names_, outside);
    names_.emplace_back(f.inputs.begin(), f.inputs.end());
    const int64_t own = opset_of(f.opsets);
    nodes(f.nodes, own ? own : source_.opset, what);
    for (const std::string& name : f.outputs) {
      if (!seen(name)) {
        throw ValueError("[onnx] " + what + " has the output " + printable(name) +
                         ", which no node computes");
      }
    }
    std::swap(names_, outside);
  }
  static void check_opset(int64_t v) {
    if (v < oldest_opset || v > newest_opset) {
      throw UnsupportedError("[onnx] opset " + std::to_string(v) + " of ai.onnx: Ember reads " +
                             std::to_string(oldest_opset) + " to " + std::to_string(newest_opset) +
                             " (onnx.version_converter changes a model's)");
    }
  }

 private:
  bool seen(std::string_view name) const {
    return std::any_of(names_.begin(), names_.end(),
                       [&](const Names& n) { return n.contains(name); });
  }
  void nodes(const std::vector<proto::Node>& list, int64_t opset, const std::string& what) {
    for (const proto::Node& n : list) {
      const std::string node = "[onnx] " + what + ": the node " + node_name(n);
      for (const std::string& name : n.inputs) {
        if (!name.empty() && !seen(name)) {
          throw ValueError(node + " reads " + printable(name) + ", which no node computes");
        }
      }
      for (const proto::Attribute& a : n.attributes) {
        for (const proto::Graph& g : a.g) {
          graph(g, opset, "the graph " + printable(a.name) + " of " + io::plain(n.op_type));
        }
      }
      if (!source_.functions.contains(function_key(n.domain, n.op_type, n.overload))) {
        const Reader* r = find_reader(n.domain, n.op_type);
        if (!is_standard(n.domain)) {
          if (!has_readers(n.domain)) {
            throw UnsupportedError(node + " is of the domain " + printable(n.domain) +
                                   ": operators of ai.onnx, ai.onnx.ml and com.microsoft are read");
          }
          if (!r) {
            throw UnsupportedError(node + " of the domain " + printable(n.domain) +
                                   " is not a supported operator");
          }
        } else {
          check_opset(opset);
        }
        if (!r) {
          throw UnsupportedError(node + " (opset " + std::to_string(opset) +
                                 ") is not a supported operator");
        }
        if (is_standard(n.domain) && r->op.since > opset) {
          throw UnsupportedError(node + " needs opset " + std::to_string(r->op.since) +
                                 ", but the model has " + std::to_string(opset));
        }
      }
      for (const std::string& name : n.outputs) {
        if (!name.empty() && !names_.back().insert(name).second) {
          throw ValueError(node + " computes " + printable(name) + ", which is already defined");
        }
      }
    }
  }

  const Source& source_;
  std::vector<Names> names_;
};

// Converts every tensor of a file to one of Ember's, leaving only the name in the file's struct,
// and collects the strings.
class TensorReader {
 public:
  TensorReader(Source& source, std::string folder) : source_(source), folder_(std::move(folder)) {}

  void read(proto::Graph& g) {
    for (proto::TensorData& t : g.initializers) read(t);
    read(g.nodes);
  }
  void read(std::vector<proto::Node>& nodes) {
    for (proto::Node& n : nodes) {
      const bool names_strings = n.domain == "ai.onnx.ml" || n.op_type == "Constant";
      read(n.attributes);
      if (!names_strings) continue;
      source_.vocabulary.add(unknown_string);
      for (const proto::Attribute& a : n.attributes) {
        source_.vocabulary.add(a.s);
        for (const std::string& s : a.strings) source_.vocabulary.add(s);
      }
    }
  }
  void read(std::vector<proto::Attribute>& attributes) {
    for (proto::Attribute& a : attributes) {
      for (proto::TensorData& t : a.t) read(t);
      for (proto::Graph& g : a.g) read(g);
    }
  }

 private:
  void read(proto::TensorData& t) {
    source_.tensors[&t] = read_tensor(t, folder_, files_, source_.vocabulary);
    t = {.name = std::move(t.name)};
  }

  Source& source_;
  const std::string folder_;
  MappedFiles files_;
};

void sort_graph(proto::Graph& g, const std::string& what) {
  for (proto::Node& n : g.nodes) {
    for (proto::Attribute& a : n.attributes) {
      for (proto::Graph& inner : a.g) {
        sort_graph(inner, "the graph " + printable(a.name) + " of " + node_name(n));
      }
    }
  }
  sort_nodes(g.nodes, what);
}
void sort_function(proto::Function& f) {
  for (proto::Node& n : f.nodes) {
    for (proto::Attribute& a : n.attributes) {
      for (proto::Graph& inner : a.g) {
        sort_graph(inner, "the graph " + printable(a.name) + " of " + node_name(n));
      }
    }
  }
  sort_nodes(f.nodes, "the function " + printable(f.name));
}

// ZipMap returns its input, one column per class, although the file declares a list of maps.
bool is_zip_map(const proto::Graph& g, const std::string& output) {
  return std::any_of(g.nodes.begin(), g.nodes.end(), [&](const proto::Node& n) {
    return n.op_type == "ZipMap" && n.domain == "ai.onnx.ml" && n.outputs == std::vector{output};
  });
}

Port port_of(const proto::ValueInfo& v, const char* what, bool untyped_allowed) {
  static const std::map<int32_t, const char*> kinds{
      {proto::ValueInfo::sequence, "a sequence"},
      {proto::ValueInfo::map, "a map"},
      {proto::ValueInfo::opaque, "an opaque value"},
      {proto::ValueInfo::sparse, "a sparse tensor"},
      {proto::ValueInfo::optional, "an optional value"}};
  const std::string about = std::string("[onnx] the ") + what + " " + printable(v.name);
  if (!io::valid_utf8(v.name)) throw IoError(about + " has a name that is not UTF-8");
  if (v.kind != proto::ValueInfo::tensor) {
    const auto kind = kinds.find(v.kind);
    if (kind == kinds.end() && untyped_allowed) return {.name = v.name};
    if (kind == kinds.end()) throw ValueError(about + " has no type");
    throw UnsupportedError(about + " is " + kind->second + ": inputs and outputs must be tensors");
  }
  Port p{.name = v.name,
         .dtype = proto::dtype_of(v.elem_type),
         .strings = v.elem_type == proto::string};
  const bool untyped = v.elem_type == proto::undefined && untyped_allowed;
  if (!p.dtype && !p.strings && !untyped) {
    throw UnsupportedError(about + " holds " + proto::data_type_name(v.elem_type) +
                           ", for which Ember has no dtype");
  }
  if (!v.ranked) return p;
  p.shape.emplace();
  for (const proto::Dim& d : v.dims) {
    if (!io::valid_utf8(d.name)) throw IoError(about + " has an axis whose name is not UTF-8");
    p.shape->push_back({d.value >= 0 ? std::optional(d.value) : std::nullopt, d.name});
  }
  return p;
}

}  // namespace

std::string to_string(const Port& p) {
  std::string s(p.strings ? "string" : p.dtype ? name(*p.dtype) : "any");
  if (!p.shape) return s + "[...]";
  s += "[";
  for (const Dim& d : *p.shape) {
    s += (s.back() == '[' ? "" : ", ") + (d.size           ? std::to_string(*d.size)
                                          : d.name.empty() ? "?"
                                                           : io::plain(d.name));
  }
  return s + "]";
}

int64_t opset_of(const std::vector<proto::OpsetId>& list) {
  for (const proto::OpsetId& o : list) {
    if (is_standard(o.domain)) return o.version;
  }
  return 0;
}

struct Network::Impl {
  Source source;
  std::vector<Port> inputs, defaults, outputs;
  Metadata metadata;
  std::mutex mutex;
  InputSet values_matter = 0;  // inputs whose values are part of the key
  // Shapes depend on the values of a large input, or on random numbers: record at each call.
  bool recompute = false;
  std::list<std::pair<std::string, std::shared_ptr<Program>>> programs;  // most recently used first

  Impl(std::string_view bytes, const std::string& name, const std::string& folder) try {
    const EngineScope native(native_engine);
    source.model = proto::parse(bytes, name);
    proto::Model& m = source.model;
    if (m.opsets.empty() || m.graph.outputs.empty()) {
      io::fail(name, "not an ONNX model: it has no graph with outputs, or no opset");
    }
    source.opset = opset_of(m.opsets);
    // Without an opset, the first node of ai.onnx is rejected.
    if (source.opset) {
      Check::check_opset(source.opset);
    }
    for (const proto::Function& f : m.functions) {
      source.functions[function_key(f.domain, f.name, f.overload)] = &f;
    }
    sort_graph(m.graph, "the graph");
    for (proto::Function& f : m.functions) sort_function(f);
    Check check(source);
    for (const proto::Function& f : m.functions) check.function(f);
    check.graph(m.graph, source.opset, "the graph");
    Names constant;
    for (const proto::TensorData& t : m.graph.initializers) constant.insert(t.name);
    for (const proto::ValueInfo& v : m.graph.inputs) {
      if (!constant.contains(v.name)) {
        inputs.push_back(port_of(v, "input", false));
      } else if (m.ir_version >= overridable_since) {
        defaults.push_back(port_of(v, "input", false));
      }
    }
    Names given;
    for (const proto::ValueInfo& v : m.graph.outputs) {
      outputs.push_back(is_zip_map(m.graph, v.name) ? Port{.name = v.name}
                                                    : port_of(v, "output", true));
      if (!given.insert(v.name).second) {
        throw ValueError("[onnx] the output " + printable(v.name) + " occurs twice");
      }
    }
    TensorReader reader(source, folder);
    reader.read(m.graph);
    for (proto::Function& f : m.functions) {
      reader.read(f.nodes);
      reader.read(f.defaults);
    }
    for (const auto& [key, value] : m.metadata) {
      if (io::valid_utf8(key) && io::valid_utf8(value)) metadata[key] = value;
    }
    if (!io::valid_utf8(m.producer_name)) m.producer_name.clear();
  } catch (const std::bad_alloc&) {
    throw MemoryError("[onnx] out of memory while loading " + printable(name));
  }

  // The ports that a call provides: all inputs, and the inputs with a value in the file that it
  // overrides.
  using Ports = std::vector<const Port*>;
  Ports required() const {
    Ports ports;
    for (const Port& p : inputs) ports.push_back(&p);
    return ports;
  }

  std::vector<Tensor> record(const Ports& ports, std::span<const Tensor> given, InputSet readable,
                             InputSet constant) const {
    Values in;
    NamedValues replaced;
    for (size_t i = 0; i < given.size(); ++i) {
      Value v(given[i], ports[i]->strings);
      v.depends = input_bit(i) & ~constant;
      if (i < inputs.size()) {
        in.push_back(std::move(v));
      } else {
        replaced[ports[i]->name] = std::move(v);
      }
    }
    Recorder recorder(source, readable);
    std::vector<Tensor> out;
    const Values results = recorder.run(source.model.graph, nullptr, std::move(in), replaced);
    for (size_t i = 0; i < results.size(); ++i) {
      const std::string about = "[onnx] the output " + printable(outputs[i].name);
      if (!results[i].tensor.defined()) throw ValueError(about + " is not a tensor");
      if (results[i].strings != outputs[i].strings) {
        throw UnsupportedError(about + (results[i].strings
                                            ? " holds strings, but the file declares another type"
                                            : " does not hold strings, as the file declares"));
      }
      const std::optional<DType> declared = outputs[i].dtype;
      if (declared && results[i].tensor.dtype() != *declared) {
        throw DTypeError(about + " is " + std::string(ember::name(results[i].tensor.dtype())) +
                         ", but the file declares " + std::string(ember::name(*declared)));
      }
      out.push_back(results[i].tensor);
    }
    return out;
  }

  static std::string names_of(const Ports& ports, InputSet set) {
    std::string s;
    for (size_t i = 0; i < ports.size(); ++i) {
      if (set & input_bit(i)) s += (s.empty() ? "" : ", ") + printable(ports[i]->name);
    }
    return s;
  }
  std::string names_of(InputSet set) const { return names_of(required(), set); }

  Tensor fit(const Port& p, Tensor t) const {
    const std::string about =
        "[onnx] the input " + printable(p.name) + " must be " + to_string(p) + ", not ";
    if (!t.defined())
      throw ValueError("[onnx] the input " + printable(p.name) + " is not a tensor");
    const std::string is = to_string(Type{t.dtype(), t.shape()});
    const DType wanted = p.dtype.value_or(DType::int64);  // strings: their indices
    if (t.dtype() != wanted) {
      if (!t.node()->weak || p.strings) throw DTypeError(about + is);
      t = t.astype(wanted);
    }
    check_axes(t.shape());
    if (!p.shape) return t;
    bool fits = t.shape().size() == p.shape->size();
    for (size_t i = 0; fits && i < p.shape->size(); ++i) {
      fits = !(*p.shape)[i].size || *(*p.shape)[i].size == t.shape()[i];
    }
    if (!fits) throw ShapeError(about + is);
    return t;
  }

  // The program for these inputs, cached or new; null if the network has to be recorded at each
  // call.
  std::shared_ptr<Program> program(const Ports& ports, const std::vector<Tensor>& given,
                                   InputSet& constant) {
    std::lock_guard lock(mutex);
    while (!recompute) {
      constant = values_matter;
      std::string key = std::to_string(current_engine()) + ember::to_string(current_device());
      for (size_t i = 0; i < given.size(); ++i) {
        if (i >= inputs.size()) key += ports[i]->name;
        key += to_string(Type{given[i].dtype(), given[i].shape()});
        if (constant & input_bit(i)) {
          key.append(static_cast<const char*>(given[i].data_ptr()), given[i].nbytes());
        }
      }
      const auto hit = std::find_if(programs.begin(), programs.end(),
                                    [&](const auto& p) { return p.first == key; });
      if (hit != programs.end()) {
        programs.splice(programs.begin(), programs, hit);
        return hit->second;
      }
      std::vector<Tensor> in;
      std::vector<Tensor> placeholders;
      for (size_t i = 0; i < given.size(); ++i) {
        in.push_back(constant & input_bit(i) ? given[i]
                                             : placeholder({given[i].dtype(), given[i].shape()}));
        if (!(constant & input_bit(i))) placeholders.push_back(in.back());
      }
      try {
        std::vector<Tensor> out;
        {
          const Recording recording;
          out = record(ports, in, 0, constant);
        }
        auto p = std::make_shared<Program>(placeholders, out);
        programs.emplace_front(std::move(key), p);
        if (programs.size() > programs_kept) programs.pop_back();
        return p;
      } catch (const Needs& needs) {
        recompute = !needs.inputs;
        for (size_t i = 0; i < given.size(); ++i) {
          recompute |= needs.inputs & input_bit(i) && given[i].size() > small_input;
        }
        values_matter |= needs.inputs;
      }
    }
    return nullptr;
  }
};

const std::vector<Port>& Network::inputs() const { return impl_->inputs; }
const std::vector<Port>& Network::outputs() const { return impl_->outputs; }
const std::vector<Port>& Network::defaults() const { return impl_->defaults; }
const Vocabulary& Network::vocabulary() const { return impl_->source.vocabulary; }
int64_t Network::opset() const { return impl_->source.opset; }
const std::string& Network::producer() const { return impl_->source.model.producer_name; }
const Metadata& Network::metadata() const { return impl_->metadata; }

std::vector<std::pair<std::string, int64_t>> Network::operators() const {
  std::map<std::string, int64_t> counts;
  std::vector<const std::vector<proto::Node>*> left{&impl_->source.model.graph.nodes};
  for (const proto::Function& f : impl_->source.model.functions) left.push_back(&f.nodes);
  while (!left.empty()) {
    const auto& nodes = *left.back();
    left.pop_back();
    for (const proto::Node& n : nodes) {
      ++counts[(is_standard(n.domain) ? "" : io::plain(n.domain) + "::") + io::plain(n.op_type)];
      for (const proto::Attribute& a : n.attributes) {
        for (const proto::Graph& g : a.g) left.push_back(&g.nodes);
      }
    }
  }
  return {counts.begin(), counts.end()};
}

TensorMap Network::operator()(const TensorMap& named) const {
  Impl& m = *impl_;
  Impl::Ports ports = m.required();
  for (const Port& p : m.defaults) {
    if (named.contains(p.name)) ports.push_back(&p);
  }
  std::vector<Tensor> in;
  for (const Port* p : ports) {
    const auto it = named.find(p->name);
    if (it == named.end()) {
      throw ValueError("[onnx] the input " + printable(p->name) +
                       " is missing: the network takes " + m.names_of(~InputSet(0)));
    }
    in.push_back(m.fit(*p, it->second));
  }
  for (const auto& [name, tensor] : named) {
    if (std::none_of(ports.begin(), ports.end(), [&](const Port* p) { return p->name == name; })) {
      throw ValueError("[onnx] unknown input " + printable(name) +
                       (m.inputs.empty() ? ": the network takes none"
                                         : ": the network takes " + m.names_of(~InputSet(0))));
    }
  }
  const Waiting working;
  std::vector<Tensor> out;
  InputSet constant = 0;
  if (const auto program = m.program(ports, in, constant)) {
    std::vector<Tensor> rest;
    for (size_t i = 0; i < in.size(); ++i) {
      if (!(constant & input_bit(i))) rest.push_back(in[i]);
    }
    out = (*program)(rest);
  } else {
    out = m.record(ports, in, ~InputSet(0), 0);
    eval(out);
  }
  TensorMap results;
  for (size_t i = 0; i < out.size(); ++i) results[m.outputs[i].name] = out[i];
  return results;
}

std::vector<Tensor> Network::record(std::span<const Tensor> given, const TensorMap& fixed) const {
  const Impl& m = *impl_;
  Impl::Ports ports = m.required();
  for (const Port& p : m.defaults) {
    if (fixed.contains(p.name)) ports.push_back(&p);
  }
  std::vector<Tensor> in;
  InputSet constant = 0;
  for (size_t i = 0, next = 0; i < ports.size(); ++i) {
    const auto it = fixed.find(ports[i]->name);
    const bool is_fixed = it != fixed.end();
    // The last bit is shared by all further inputs.
    if (is_fixed && input_bit(i) != input_bit(63)) {
      constant |= input_bit(i);
    }
    if (!is_fixed && next == given.size()) {
      throw ValueError("[onnx] the network has more inputs than the " +
                       std::to_string(given.size()) + " given");
    }
    in.push_back(m.fit(*ports[i], is_fixed ? it->second : given[next++]));
  }
  if (in.size() != given.size() + fixed.size()) {
    throw ValueError("[onnx] the network takes " + m.names_of(~InputSet(0)) + "; " +
                     std::to_string(given.size()) + " inputs and " + std::to_string(fixed.size()) +
                     " values were given");
  }
  const Recording recording;
  try {
    return m.record(ports, in, 0, constant);
  } catch (const Needs& n) {
    throw UnsupportedError(
        "[" + n.node + "] " + n.what +
        (n.inputs ? " depends on the value of " + Impl::names_of(ports, n.inputs) : " are drawn") +
        ", so the graph is not the same for each call and cannot be recorded");
  }
}

Network load(const std::string& path) {
  std::unique_ptr<char[]> bytes;
  size_t size = 0;
  {
    const io::InputFile file(path);
    if (const std::string why = io::foreign_format(file.head()); !why.empty()) io::fail(path, why);
    size = size_t(file.size());
    bytes = std::make_unique_for_overwrite<char[]>(size);
    file.read_at(0, bytes.get(), size);
  }
  const std::string folder = std::filesystem::path(path).parent_path();
  return Network(std::make_shared<Network::Impl>(std::string_view(bytes.get(), size), path,
                                                 folder.empty() ? "." : folder));
}

Network parse(std::string_view bytes, const std::string& folder) {
  return Network(std::make_shared<Network::Impl>(bytes, "model", folder));
}

}  // namespace ember::onnx
