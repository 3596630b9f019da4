// Walks a graph: names, attributes, functions, and values that are known while recording.
#include <algorithm>
#include <optional>

#include "src/graph/graph.h"
#include "src/io/atomic_file.h"
#include "src/onnx/read/read.h"

namespace ember::onnx {
namespace {

constexpr int64_t step_limit = 1 << 20;  // limits unrolled loops and expanded functions
constexpr int depth_limit = 64;
constexpr int64_t known_limit = 1 << 24;  // elements of a value that is read while recording
// A file of some hundred bytes can ask for gigabytes by a pad or a count of repeats. Values of more
// bytes than size_limit may be at most growth_limit times as large as inputs and weights together.
constexpr double size_limit = 1 << 30;
constexpr double growth_limit = 1 << 20;

std::pair<std::string_view, std::string_view> key(const Reader& r) {
  return {r.op.domain, r.op.name};
}

const std::vector<const Reader*>& readers() {
  static const std::vector<const Reader*> all = [] {
    std::vector<const Reader*> r;
    for (const auto family :
         {math_readers, reduction_readers, movement_readers, indexing_readers, neural_readers,
          normalization_readers, attention_readers, recurrent_readers, quantization_readers,
          signal_readers, random_readers, resize_readers, control_readers, microsoft_readers,
          microsoft_attention_readers, microsoft_quantized_readers, ml_readers, ml_tree_readers}) {
      for (const Reader& reader : family()) r.push_back(&reader);
    }
    std::sort(r.begin(), r.end(),
              [](const Reader* a, const Reader* b) { return key(*a) < key(*b); });
    return r;
  }();
  return all;
}

InputSet depends_on(const Values& vs) {
  InputSet r = 0;
  for (const Value& v : vs) {
    r |= v.depends;
    if (v.list) r |= depends_on(*v.list);
  }
  return r;
}

double bytes_of(const Tensor& t) {
  return t.defined() ? double(t.size()) * double(size_of(t.dtype())) : 0;
}

struct Deeper {
  int& depth;
  explicit Deeper(int& d) : depth(d) {
    if (depth == depth_limit) {
      throw UnsupportedError("graphs and functions nested more than " +
                             std::to_string(depth_limit) + " deep");
    }
    ++depth;
  }
  ~Deeper() { --depth; }
};

}  // namespace

void check_axes(const Shape& s) {
  for (const int64_t d : s) {
    if (d > int64_t(1) << 40) {
      throw ShapeError("an axis of " + std::to_string(d) + " elements is too long");
    }
  }
}

const Reader* find_reader(std::string_view domain, std::string_view name) {
  const auto& all = readers();
  const std::pair wanted(is_standard(domain) ? std::string_view() : domain, name);
  const auto it = std::lower_bound(all.begin(), all.end(), wanted,
                                   [](const Reader* r, const auto& k) { return key(*r) < k; });
  return it != all.end() && key(**it) == wanted ? *it : nullptr;
}
bool has_readers(std::string_view domain) {
  return std::any_of(readers().begin(), readers().end(),
                     [&](const Reader* r) { return r->op.domain == domain; });
}
bool is_standard(std::string_view domain) { return domain.empty() || domain == "ai.onnx"; }

std::span<const Operator> operators() {
  static const std::vector<Operator> all = [] {
    std::vector<Operator> r;
    for (const Reader* reader : readers()) r.push_back(reader->op);
    return r;
  }();
  return all;
}

std::string function_key(std::string_view domain, std::string_view name,
                         std::string_view overload) {
  std::string key(domain);
  return key.append(1, '\0').append(name).append(1, '\0').append(overload);
}

// ---- Recorder ----
void Recorder::count() {
  if (++steps_ > step_limit) {
    throw UnsupportedError("more than " + std::to_string(step_limit) +
                           " nodes: loops are unrolled, and this one is too long");
  }
}

const Tensor& Recorder::known(const Value& v, const char* what) const {
  if (v.depends & ~readable_) throw Needs{v.depends & ~readable_, what, {}};
  if (v.tensor.size() > known_limit) {
    throw UnsupportedError(std::string(what) + " has " + std::to_string(v.tensor.size()) +
                           " elements, too many to be read");
  }
  return v.tensor.eval();
}

void Recorder::draw() const {
  if (readable_ != ~InputSet(0)) throw Needs{0, "fresh random numbers", {}};
}

void Recorder::check_growth(const Tensor& t) const {
  const double bytes = bytes_of(t);
  if (bytes > size_limit && bytes > growth_limit * given_bytes_) {
    throw MemoryError("a result of " + std::to_string(int64_t(bytes)) +
                      " bytes from inputs and weights of " + std::to_string(int64_t(given_bytes_)) +
                      ": its sizes are not those of a real model");
  }
}

Values Recorder::run(const proto::Graph& g, const Scope* outer, Values inputs,
                     const NamedValues& replaced) {
  const Deeper deeper(depth_);
  if (!outer) {
    for (const Value& v : inputs) given_bytes_ += bytes_of(v.tensor);
    for (const auto& [data, value] : source.tensors) given_bytes_ += bytes_of(value.tensor);
  }
  Scope scope{.opset = outer ? outer->opset : source.opset,
              .outer = outer,
              .attributes = outer ? outer->attributes : nullptr};
  for (const proto::TensorData& t : g.initializers) scope.values[t.name] = source.tensors.at(&t);
  size_t k = 0;
  for (const proto::ValueInfo& v : g.inputs) {
    if (outer || !scope.values.contains(v.name)) {
      if (k == inputs.size()) {
        throw ValueError("a graph with " + std::to_string(g.inputs.size()) + " inputs was given " +
                         std::to_string(inputs.size()));
      }
      scope.values[v.name] = std::move(inputs[k++]);
    }
  }
  for (const auto& [name, value] : replaced) scope.values[name] = value;
  if (k != inputs.size()) {
    throw ValueError("a graph with " + std::to_string(g.inputs.size()) + " inputs was given " +
                     std::to_string(inputs.size()));
  }
  run(g.nodes, scope);
  Values out;
  for (const proto::ValueInfo& v : g.outputs) out.push_back(*scope.find(v.name));
  return out;
}

void Recorder::run(const std::vector<proto::Node>& nodes, Scope& scope) {
  for (const proto::Node& n : nodes) {
    count();
    Values out;
    try {
      out = call(n, scope);
    } catch (Needs& needs) {
      if (needs.node.empty()) needs.node = node_name(n);
      throw;
    } catch (...) {
      rethrow(node_name(n), "", {});
    }
    for (size_t i = 0; i < n.outputs.size(); ++i) {
      if (!n.outputs[i].empty()) scope.values[n.outputs[i]] = std::move(out[i]);
    }
  }
}

Values Recorder::call(const proto::Node& n, Scope& scope) {
  Values in;
  for (const std::string& name : n.inputs) in.push_back(name.empty() ? Value() : *scope.find(name));
  if (const auto f = source.functions.find(function_key(n.domain, n.op_type, n.overload));
      f != source.functions.end()) {
    return call_function(*f->second, n, scope, std::move(in));
  }
  const Reader& reader = *find_reader(n.domain, n.op_type);
  InputSet depends = depends_on(in);
  const bool given_strings =
      std::any_of(in.begin(), in.end(), [](const Value& v) { return v.strings; });
  if (given_strings && !(reader.flags & (sets_depends | strings | moves_strings))) {
    throw UnsupportedError("strings as inputs are not supported");
  }
  // Values that depend on no input are computed once, here, on native.
  std::optional<EngineScope> here;
  if (!(reader.flags & sets_depends) && (!depends || reader.flags & only_shapes)) {
    here.emplace(native_engine);
  }
  const Call c(*this, n, scope, std::move(in));
  Values out = reader.read(c);
  c.check();
  if (given_strings && reader.flags & moves_strings) out[0].strings = true;
  if (out.size() < n.outputs.size() &&
      std::any_of(n.outputs.begin() + ptrdiff_t(out.size()), n.outputs.end(),
                  [](const std::string& s) { return !s.empty(); })) {
    throw ValueError("it has " + std::to_string(out.size()) + " outputs, not " +
                     std::to_string(n.outputs.size()));
  }
  out.resize(n.outputs.size());
  for (const Value& v : out) {
    if (!v.tensor.defined()) continue;
    check_axes(v.tensor.shape());
    check_growth(v.tensor);
  }
  for (Value& v : out) {
    if (!(reader.flags & (only_shapes | sets_depends))) v.depends |= depends;
  }
  return out;
}

Values Recorder::call_function(const proto::Function& f, const proto::Node& n, Scope& caller,
                               Values in) {
  if (in.size() > f.inputs.size()) {
    throw ValueError("the function has " + std::to_string(f.inputs.size()) + " inputs, not " +
                     std::to_string(in.size()));
  }
  std::unordered_map<std::string, const proto::Attribute*> attributes;
  for (const proto::Attribute& a : f.defaults) attributes[a.name] = &a;
  for (const proto::Attribute& a : n.attributes) {
    if (a.reference.empty()) {
      attributes[a.name] = &a;
    } else if (caller.attributes && caller.attributes->contains(a.reference)) {
      attributes[a.name] = caller.attributes->at(a.reference);
    }
  }
  const Deeper deeper(depth_);
  Scope scope{.opset = source.opset, .attributes = &attributes};
  for (size_t i = 0; i < f.inputs.size(); ++i) {
    scope.values[f.inputs[i]] = i < in.size() ? std::move(in[i]) : Value();
  }
  if (const int64_t own = opset_of(f.opsets)) scope.opset = own;
  run(f.nodes, scope);
  Values out;
  for (const std::string& name : f.outputs) out.push_back(*scope.find(name));
  out.resize(std::max(out.size(), n.outputs.size()));
  return out;
}

// ---- Call ----
int64_t Call::string_index(const std::string& s) const {
  const std::optional<int64_t> place = recorder.source.vocabulary.find(s);
  if (!place) throw StateError("the string " + io::printable(s) + " is not in the vocabulary");
  return *place;
}
const Tensor& Call::x(size_t i) const {
  if (!has(i)) throw ValueError("input " + std::to_string(i) + " is missing");
  if (in[i].list) throw ValueError("input " + std::to_string(i) + " is a sequence, not a tensor");
  return in[i].tensor;
}
Tensors Call::all() const {
  if (in.empty()) throw ValueError("takes at least one input");
  Tensors r;
  for (size_t i = 0; i < in.size(); ++i) r.push_back(x(i));
  return r;
}
const std::vector<Value>& Call::list(size_t i) const {
  if (!has(i) || !in[i].list) {
    throw ValueError("input " + std::to_string(i) + " must be a sequence");
  }
  return *in[i].list;
}

const Tensor& Call::known(size_t i, const char* what) const {
  return x(i), recorder.known(in[i], what);
}
Ints Call::ints(size_t i, const char* what) const {
  const Tensor& t = known(i, what);
  if (!is_integer(t.dtype()) && t.dtype() != DType::bool_) {
    throw DTypeError(std::string(what) + " must be integers, not " + std::string(name(t.dtype())));
  }
  const EngineScope native(native_engine);
  return t.astype(DType::int64).to_vector<int64_t>();
}
std::vector<double> Call::numbers(size_t i, const char* what) const {
  const Tensor& t = known(i, what);
  if (is_complex(t.dtype())) throw DTypeError(std::string(what) + " must be real");
  const EngineScope native(native_engine);
  return t.astype(DType::float64).to_vector<double>();
}
int64_t Call::integer(size_t i, const char* what) const {
  const Ints v = ints(i, what);
  if (v.size() != 1) {
    throw ShapeError(std::string(what) + " must be one number, not " + std::to_string(v.size()));
  }
  return v[0];
}
double Call::number(size_t i, const char* what) const {
  const std::vector<double> v = numbers(i, what);
  if (v.size() != 1) {
    throw ShapeError(std::string(what) + " must be one number, not " + std::to_string(v.size()));
  }
  return v[0];
}

const proto::Attribute* Call::attribute(std::string_view name, int32_t type) const {
  for (size_t k = 0; k < node.attributes.size(); ++k) {
    const proto::Attribute* a = &node.attributes[k];
    if (a->name != name) continue;
    read_[k] = true;
    if (!a->reference.empty()) {
      if (!scope.attributes || !scope.attributes->contains(a->reference)) return nullptr;
      a = scope.attributes->at(a->reference);
    }
    // Early versions of the format omit the type.
    if (type && a->type != type && a->type != proto::Attribute::none) {
      throw ValueError("the attribute " + io::printable(name) +
                       " does not have the type that the operator requires");
    }
    return a;
  }
  return nullptr;
}
int64_t Call::i(std::string_view name, int64_t fallback) const {
  const auto* a = attribute(name, proto::Attribute::int_);
  return a ? a->i : fallback;
}
int64_t Call::i(std::string_view name) const {
  const auto* a = attribute(name, proto::Attribute::int_);
  if (!a) throw ValueError("the attribute " + io::printable(name) + " is missing");
  return a->i;
}
double Call::f(std::string_view name, double fallback) const {
  const auto* a = attribute(name, proto::Attribute::float_);
  return a ? double(a->f) : fallback;
}
std::string Call::s(std::string_view name, std::string fallback) const {
  const auto* a = attribute(name, proto::Attribute::string);
  return a ? a->s : fallback;
}
std::optional<Ints> Call::list_of(std::string_view name) const {
  const auto* a = attribute(name, proto::Attribute::ints_);
  return a ? std::optional<Ints>(a->ints) : std::nullopt;
}
std::vector<double> Call::floats(std::string_view name) const {
  const auto* a = attribute(name, proto::Attribute::floats_);
  return a ? std::vector<double>(a->floats.begin(), a->floats.end()) : std::vector<double>();
}
std::vector<std::string> Call::strings(std::string_view name) const {
  const auto* a = attribute(name, proto::Attribute::strings_);
  return a ? a->strings : std::vector<std::string>();
}
const proto::Graph& Call::graph(std::string_view name) const {
  const auto* a = attribute(name, proto::Attribute::graph);
  if (!a || a->g.empty()) throw ValueError("the graph " + io::printable(name) + " is missing");
  return a->g[0];
}
std::optional<DType> Call::dtype(std::string_view name) const {
  const auto* a = attribute(name, proto::Attribute::int_);
  if (!a) return std::nullopt;
  const auto t = a->i >= 0 && a->i < 1000 ? proto::dtype_of(int32_t(a->i)) : std::nullopt;
  if (!t) {
    throw UnsupportedError("Ember has no dtype for ONNX's " + proto::data_type_name(int32_t(a->i)));
  }
  return t;
}
void Call::refuse(const std::string& what) const {
  throw UnsupportedError(what + " is not supported");
}
void Call::check() const {
  const auto* reader = find_reader(node.domain, node.op_type);
  if (!(reader->flags & sets_depends)) {
    for (size_t i = asked_; i < in.size(); ++i) {
      if (in[i].defined()) {
        throw ValueError("takes " + std::to_string(asked_) + " inputs at most in this form, not " +
                         std::to_string(in.size()));
      }
    }
  }
  for (size_t k = 0; k < read_.size(); ++k) {
    if (!read_[k] && !(opset < 6 && node.attributes[k].name == "consumed_inputs")) {
      throw UnsupportedError("the attribute " + io::printable(node.attributes[k].name) +
                             " is not known (opset " + std::to_string(opset) + ")");
    }
  }
}
int64_t Call::axis(int64_t axis, int64_t ndim) const {
  if (axis < -ndim || axis >= ndim) {
    throw IndexError("axis " + std::to_string(axis) + " is out of range for " +
                     std::to_string(ndim) + " dimensions");
  }
  return axis < 0 ? axis + ndim : axis;
}

}  // namespace ember::onnx
