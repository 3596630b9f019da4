// Writes a slice as an ONNX model.
#include <bit>
#include <cmath>

#include "ember/patterns.h"
#include "src/core/node.h"
#include "src/onnx/write/writer.h"

namespace ember::onnx {
namespace {

constexpr uint32_t bit(DType t) { return 1u << int(t); }
constexpr uint32_t boolean = bit(bool_), f16 = bit(float16), bf16 = bit(bfloat16),
                   f32 = bit(float32), f64 = bit(float64), i8 = bit(int8), u8 = bit(uint8),
                   i16 = bit(int16), u16 = bit(uint16), i32 = bit(int32), u32 = bit(uint32),
                   i64 = bit(int64), u64 = bit(uint64),
                   ints = i8 | u8 | i16 | u16 | i32 | u32 | i64 | u64, single = f16 | f32,
                   real = f16 | f32 | f64, most = boolean | ints | real, all = most | bf16;

// The kernels of ONNX Runtime 1.31 on the CPU, found by creating a session for each. Summing
// operators are listed without float16, because they have to sum in float32.
struct Kernel {
  const char* name;
  uint32_t types;
  enum { same, truth, place } result = same;
  uint32_t data = ~0u;  // the inputs with these types
  int since = 13;       // the opset, from the oldest that Ember writes
};
constexpr Kernel kernels[] = {
    {"Abs", ints | real},
    {"Acos", single},
    {"Acosh", single},
    {"Asin", single},
    {"Asinh", single},
    {"Atan", single},
    {"Atanh", single},
    {"Ceil", real},
    {"Cos", real},
    {"Cosh", single},
    {"Erf", single},
    {"Exp", real},
    {"Floor", real},
    {"Log", real},
    {"Neg", i8 | i16 | i32 | i64 | real},
    {"Reciprocal", real},
    {"Round", real},
    {"Sigmoid", real},
    {"Sign", ints | f32 | f64},
    {"Sin", real},
    {"Sinh", single},
    {"Sqrt", real},
    {"Tan", single},
    {"Tanh", real},
    {"Relu", i8 | i32 | real},
    {"Identity", all},
    {"BitwiseNot", ints, Kernel::same, ~0u, 18},
    {"Not", boolean},
    {"IsInf", real | bf16, Kernel::truth},
    {"IsNaN", real | bf16, Kernel::truth},
    {"Add", ints | real},
    {"Sub", ints | real},
    {"Mul", ints | real},
    {"Div", ints | real},
    {"Mod", ints | real},
    {"Pow", real},
    {"Max", i8 | u8 | i32 | u32 | i64 | u64 | real},
    {"Min", i8 | u8 | i32 | u32 | i64 | u64 | real},
    {"Clip", i8 | u8 | i32 | u32 | i64 | u64 | real},
    {"BitwiseAnd", ints, Kernel::same, ~0u, 18},
    {"BitwiseOr", ints, Kernel::same, ~0u, 18},
    {"BitwiseXor", ints, Kernel::same, ~0u, 18},
    {"And", boolean},
    {"Or", boolean},
    {"Xor", boolean},
    {"BitShift", u8 | u32 | u64},
    {"Equal", most, Kernel::truth},
    {"Less", ints | real, Kernel::truth},
    {"LessOrEqual", ints | real, Kernel::truth},
    {"Greater", ints | real, Kernel::truth},
    {"GreaterOrEqual", ints | real, Kernel::truth},
    {"Where", i8 | u8 | i32 | u32 | i64 | real, Kernel::same, 6},
    {"ReduceSum", i64 | f32 | f64, Kernel::same, 1},
    {"ReduceProd", i64 | f32 | f64, Kernel::same, 1},
    {"ReduceMean", f32 | f64, Kernel::same, 1},
    {"ReduceLogSumExp", f32 | f64, Kernel::same, 1},
    {"ReduceMax", boolean | i8 | u8 | i32 | i64 | real, Kernel::same, 1},
    {"ReduceMin", boolean | i8 | u8 | i32 | i64 | real, Kernel::same, 1},
    {"ArgMax", i8 | u8 | i32 | i64 | real, Kernel::place},
    {"ArgMin", i8 | u8 | i32 | i64 | real, Kernel::place},
    {"CumSum", i32 | i64 | f32 | f64, Kernel::same, 1},
    {"CumProd", i32 | u32 | i64 | u64 | f32 | f64, Kernel::same, 1, 26},
    {"Reshape", all, Kernel::same, 1},
    {"Transpose", all},
    {"Slice", all, Kernel::same, 1},
    {"Expand", most, Kernel::same, 1},
    {"Concat", all},
    {"Pad", boolean | i8 | u8 | i32 | u32 | i64 | u64 | real, Kernel::same, 5},
    {"Gather", all, Kernel::same, 1},
    {"GatherElements", all, Kernel::same, 1},
    {"GatherND", all, Kernel::same, 1},
    {"ScatterND", all, Kernel::same, 5},
    {"ScatterElements", all, Kernel::same, 5},
    {"MatMul", i32 | u32 | i64 | u64 | f32 | f64},
    {"Conv", f32},
    {"ConvTranspose", f32},
    {"MaxPool", i8 | u8 | f32 | f64},
    {"AveragePool", f32},
    {"LpPool", f32},
    {"Softmax", f32 | f64},
    {"LogSoftmax", f32},
    {"Gelu", f32, Kernel::same, ~0u, 20},
    {"LayerNormalization", f32 | f64, Kernel::same, ~0u, 17},
    {"RMSNormalization", f32 | f64, Kernel::same, ~0u, 23},
    {"BatchNormalization", f32 | f64},
    {"Attention", f32 | f64, Kernel::same, ~0u, 23},
};

// The dtypes that were added to an operator in a later opset.
struct LaterTypes {
  std::string_view name;
  uint32_t types;
  int since;
};
constexpr uint32_t short_ints = i8 | u8 | i16 | u16;
constexpr LaterTypes later_types[] = {
    {"Add", short_ints, 14}, {"Sub", short_ints, 14},    {"Mul", short_ints, 14},
    {"Div", short_ints, 14}, {"Relu", ints, 14},         {"IsInf", f16 | bf16, 20},
    {"IsNaN", bf16, 20},     {"ReduceMax", boolean, 20}, {"ReduceMin", boolean, 20}};
uint32_t types_of(const Kernel& k, int64_t opset) {
  uint32_t types = k.types;
  for (const LaterTypes& later : later_types) {
    if (later.name == k.name && opset < later.since) types &= ~later.types;
  }
  return types;
}

// The dtype to compute in: t if the operator has a kernel for it, else a dtype that represents all
// values of t. uint64 uses int64, whose wrapped bits are right for sums, products and movement.
DType carrier(const Kernel& k, DType t, int64_t opset) {
  const uint32_t types = types_of(k, opset);
  if (types & bit(t)) return t;
  constexpr DType wider[] = {uint8, int32, uint32, float32, int64, uint64};
  for (DType w : wider) {
    if (!(types & bit(w)) || (w == float32) != is_float(t)) continue;
    if (is_float(t)
            ? narrow(t)
            : t == bool_ || bits_of(w) > bits_of(t) || (bits_of(w) == 64 && bits_of(t) == 64)) {
      return w;
    }
  }
  throw Unsupported{"ONNX Runtime has no " + std::string(k.name) + " of " + std::string(name(t))};
}

DType stored(DType t) { return t == int4 ? int8 : t == uint4 ? uint8 : t; }

std::string bytes_of(Param p, DType t) {
  std::string r(size_of(t), '\0');
  store(p, t, r.data());
  return r;
}

const Table& table() {
  static const Table t = [] {
    Table r{};
    add_elementwise(r);
    add_math(r);
    add_reductions(r);
    add_movement(r);
    add_indexing(r);
    add_neural(r);
    return r;
  }();
  return t;
}

void refuse_complex(DType t) {
  if (is_complex(t)) throw Unsupported{"ONNX Runtime computes no complex numbers"};
}

// Writes one node whose inputs are written.
Val emit(Writer& w, const SliceNode& n, Vals in) {
  const Entry& e = table()[size_t(n.op)];
  if (!e.emit && !e.type) throw Unsupported{"ONNX has no " + std::string(name(n.op))};
  refuse_complex(n.dtype);
  for (const Val& v : in) refuse_complex(v.dtype);
  w.op = name(n.op);
  const DType t = stored(n.dtype);
  if (size_of(n.shape) == 0 && !e.empty) return w.constant(t, n.shape, "");
  if (e.wide) {
    for (Val& v : in) v = widen(v);
  }
  Val r = e.type ? op(e.type, in) : e.emit({w, n, std::move(in)});
  if (e.wide && narrow(t)) r = cast(r, t);
  if (r.dtype != t || r.shape != n.shape) {
    throw StateError("[" + std::string(w.op) + "] written as " + to_string(Type{r.dtype, r.shape}) +
                     " instead of " + to_string(Type{t, n.shape}));
  }
  return r;
}

// A clamp is one operator if its bounds are known: ONNX Runtime fuses it with the node before.
std::map<uint32_t, Clamp> find_clamps(const Writer& w) {
  const std::vector<uint32_t> uses = count_uses(w.slice);
  std::map<uint32_t, Clamp> r;
  for (uint32_t i = 0; i < w.slice.nodes.size(); ++i) {
    if (!is_float(w.slice.nodes[i].dtype)) continue;
    const auto c = match_clamp(w.slice, i, uses);
    if (c && w.known(c->low) && w.known(c->high)) r[i] = *c;
  }
  return r;
}

std::string pack_4bit(std::string_view bytes) {
  std::string r((bytes.size() + 1) / 2, '\0');
  for (size_t i = 0; i < bytes.size(); ++i) {
    r[i / 2] = char(uint8_t(r[i / 2]) | (uint8_t(bytes[i]) & 15) << 4 * (i % 2));
  }
  return r;
}

proto::ValueInfo info(const std::string& name, DType t, const Shape& shape, bool open) {
  proto::ValueInfo v{.name = name,
                     .kind = proto::ValueInfo::tensor,
                     .elem_type = proto::data_type_of(t),
                     .ranked = true};
  for (int64_t d : shape) v.dims.push_back({open ? -1 : d, ""});
  return v;
}

}  // namespace

int64_t Feed::Number::operator()(std::span<const Param> params) const {
  int64_t v = base;
  for (auto [at, factor] : terms) v += factor * params[at].i;
  return stop && v < 0 ? INT64_MIN : v;
}

void Writer::need(int64_t since, std::string_view what) {
  if (how.opset && since > *how.opset) {
    throw Unsupported{"ONNX has " + std::string(what) + " from opset " + std::to_string(since) +
                      " on"};
  }
  opset = std::max(opset, since);
}

std::string Writer::unique(std::string_view base) {
  std::string r;
  do r = std::string(base) + "_" + std::to_string(count_++);
  while (!taken.insert(r).second);
  return r;
}

Val Writer::node(const char* type, const Vals& in, DType dtype, Shape shape,
                 const Options& options) {
  proto::Node n{.op_type = type};
  n.name = unique(op);
  for (const Val& v : in) n.inputs.push_back(v.name);
  n.outputs = {n.name};
  n.attributes.assign(options.begin(), options.end());
  graph.nodes.push_back(std::move(n));
  return {this, graph.nodes.back().name, dtype, std::move(shape)};
}

Val Writer::constant(DType t, const Shape& shape, std::string bytes) {
  std::string key = to_string(shape) + bytes;
  std::string& known = constants_[{int(t), key}];
  if (known.empty()) {
    known = unique("constant");
    blobs.push_back(std::move(bytes));
    graph.initializers.push_back({.name = known,
                                  .dims = shape.vec(),
                                  .data_type = proto::data_type_of(t),
                                  .raw = blobs.back()});
  }
  return {this, known, t, shape};
}
Val Writer::number(double v, DType t) {
  return constant(t, {}, is_inexact(t) ? bytes_of({.f = v}, t) : bytes_of({.i = int64_t(v)}, t));
}
Val Writer::integer(int64_t v, DType t) { return constant(t, {}, bytes_of({.i = v}, t)); }
Val Writer::ints(const Ints& v) {
  return constant(int64, {int64_t(v.size())},
                  std::string(reinterpret_cast<const char*>(v.data()), v.size() * sizeof(int64_t)));
}
Val Writer::numbers(std::vector<Feed::Number> v, bool vector) {
  Shape shape;
  if (vector) shape = {int64_t(v.size())};
  if (!how.open) {
    Ints fixed;
    for (const Feed::Number& n : v) fixed.push_back(n(how.params));
    Val r = ints(fixed);
    return vector ? r : integer(fixed[0], int64);
  }
  written.feeds.push_back(
      {.name = unique("numbers"), .shape = shape, .scalar = {}, .numbers = std::move(v)});
  return {this, written.feeds.back().name, int64, shape};
}
Val Writer::extents(const Shape& s) {
  std::vector<Feed::Number> v;
  for (int64_t d : s) v.push_back({.base = d});
  return numbers(std::move(v));
}

std::optional<Param> Writer::known(uint32_t i) const {
  if (how.open || slice.nodes[i].op != OpId::scalar) return {};
  return how.params[slice.nodes[i].param];
}

Val Writer::leaf(uint32_t i) {
  Val& v = values[i];
  if (v.w) return v;
  const SliceNode& n = slice.nodes[i];
  const DType t = stored(n.dtype);
  if (n.op == OpId::scalar) {
    refuse_complex(n.dtype);
    if (const auto p = known(i)) return v = constant(t, {}, bytes_of(*p, t));
    written.feeds.push_back(
        {.name = unique("scalar"), .dtype = t, .shape = {}, .scalar = n.param, .numbers = {}});
    return v = {this, written.feeds.back().name, t, {}};
  }
  if (!n.constant) throw StateError("a value is read before it is written");
  v = {this, unique("weight"), t, n.shape};
  const uint64_t bytes = uint64_t(size_of(n.shape)) * size_of(t);
  proto::TensorData data{.name = v.name,
                         .dims = n.shape.vec(),
                         .data_type = proto::data_type_of(how.packed_4bit ? n.dtype : t)};
  const bool packed = how.packed_4bit && is_4bit(n.dtype);
  if (bytes >= how.external_bytes && !packed) {
    uint64_t at = written.external.empty()
                      ? 0
                      : written.external.back().offset + written.external.back().bytes;
    at = (at + 4095) / 4096 * 4096;  // readers can map the data at page boundaries
    data.location = 1;
    data.external = {{"location", how.location},
                     {"offset", std::to_string(at)},
                     {"length", std::to_string(bytes)}};
    written.external.push_back({v.name, i, at, bytes});
  } else {
    Storage* const dense =
        n.constant->strided ? pack(*n.constant, {n.dtype, n.shape}) : n.constant->storage;
    const std::string_view raw(reinterpret_cast<const char*>(dense->data), bytes);
    if (packed || n.constant->strided) {
      blobs.push_back(packed ? pack_4bit(raw) : std::string(raw));
      data.raw = blobs.back();
    } else {
      data.raw = raw;
    }
    if (n.constant->strided) drop(dense);
  }
  graph.initializers.push_back(std::move(data));
  if (packed) v = node("Cast", {v}, t, n.shape, {{"to", int64_t(proto::data_type_of(t))}});
  return v;
}

Val op(const char* type, const Vals& in, const Options& options) {
  Shape shape = in[0].shape;
  for (size_t i = 1; i < in.size(); ++i) shape = broadcast_shapes(shape, in[i].shape);
  return op(type, in, shape, options);
}
Val op(const char* type, const Vals& in, const Shape& shape, const Options& options) {
  static const auto index = [] {
    std::map<std::string_view, const Kernel*> r;
    for (const Kernel& k : kernels) r[k.name] = &k;
    return r;
  }();
  const Kernel& k = *index.at(type);
  Writer& w = *in[0].w;
  w.need(k.since, type);
  const DType given = in[k.data & 1 ? 0 : 1].dtype;
  const DType t = carrier(k, given, w.opset);
  Vals cast_in = in;
  for (size_t i = 0; i < in.size(); ++i) {
    if (k.data >> i & 1) cast_in[i] = cast(in[i], t);
  }
  const DType out = k.result == Kernel::truth ? bool_ : k.result == Kernel::place ? int64 : t;
  const Val r = w.node(type, cast_in, out, shape, options);
  return k.result == Kernel::same ? cast(r, given) : r;
}

Val cast(const Val& x, DType t) {
  if (x.dtype == t) return x;
  return x.w->node("Cast", {x}, t, x.shape, {{"to", int64_t(proto::data_type_of(t))}});
}
Val like(const Val& x, double v) { return x.w->number(v, x.dtype); }
Val integer_like(const Val& x, int64_t v) { return x.w->integer(v, x.dtype); }
Val where(const Val& c, const Val& a, const Val& b) {
  if (a.dtype == bool_) return (c && a) || (!c && b);
  // ONNX Runtime's Where returns 0 for a selected -0.
  if (c.w->exact() && is_float(a.dtype)) {
    return float_of_bits(op("Where", {c, bits(a), bits(b)}), a.dtype);
  }
  return op("Where", {c, a, b});
}

Support can_write(const SliceNode& n, const Slice& s, Style style, std::optional<int64_t> opset) {
  if (n.op == OpId::leaf || n.op == OpId::scalar) return {};
  const Writing how{.style = style, .open = true, .opset = opset};
  Writer w(s, how);
  bool has_4bit = is_4bit(n.dtype);
  Vals in;
  for (uint32_t i : n.in) {
    const SliceNode& from = s.nodes[i];
    has_4bit |= is_4bit(from.dtype);
    in.push_back({&w, "x", stored(from.dtype), from.shape});
  }
  if (!n.outputs.empty() || n.op == OpId::output) return "ONNX has no " + std::string(name(n.op));
  if (has_4bit && opset && *opset < 21) return "ONNX has 4-bit integers from opset 21 on";
  if (has_4bit && !table()[size_t(n.op)].takes_4bit)
    return "ONNX Runtime computes no 4-bit integers";
  try {
    emit(w, n, std::move(in));
  } catch (const Unsupported& u) {
    return u.why;
  }
  return {};
}

namespace {

// Renames a node's result in all its readers.
void rename(Writer& w, proto::Node& made, const std::string& to) {
  const std::string from = std::exchange(made.outputs.back(), to);
  for (proto::Node& m : w.graph.nodes) std::replace(m.inputs.begin(), m.inputs.end(), from, to);
  const auto update = [&](Val& v) {
    if (v.name == from) v.name = to;
  };
  for (Val& v : w.values) update(v);
  for (auto& [name, bits] : w.bits_of_floats) update(bits);
  if (auto entry = w.bits_of_floats.extract(from)) {
    entry.key() = to;
    w.bits_of_floats.insert(std::move(entry));
  }
}

void write_graph(Writer& w) {
  const Slice& s = w.slice;
  const Writing& how = w.how;
  w.values.resize(s.nodes.size());
  for (const auto* names : {&how.inputs, &how.outputs}) {
    for (const std::string& name : *names) w.taken.insert(name);
  }
  const auto input_name = [&](size_t k) {
    return k < how.inputs.size() && !how.inputs[k].empty() ? how.inputs[k]
                                                           : "x" + std::to_string(k);
  };
  for (uint32_t k = 0; k < s.inputs.size(); ++k) {
    const uint32_t i = s.inputs[k];
    const SliceNode& n = s.nodes[i];
    if (n.constant) continue;
    w.op = "input";
    refuse_complex(n.dtype);
    const DType outside = how.packed_4bit ? n.dtype : stored(n.dtype);
    const std::string name = input_name(k);
    w.taken.insert(name);
    w.graph.inputs.push_back(info(name, outside, n.shape, how.open));
    w.written.inputs.push_back(k);
    w.written.names.push_back(name);
    w.values[i] = {&w, name, outside, n.shape};
    w.values[i] = cast(w.values[i], stored(n.dtype));
  }

  const std::map<uint32_t, Clamp> clamps = find_clamps(w);
  std::set<uint32_t> inside;  // the maxima of clamps
  for (const auto& [at, c] : clamps) {
    inside.insert(s.nodes[at].in[s.nodes[at].in[0] == c.high ? 1 : 0]);
  }
  std::map<uint32_t, size_t> outputs;
  for (size_t k = 0; k < s.outputs.size(); ++k) outputs[s.outputs[k]] = k;
  w.written.outputs.resize(s.outputs.size());
  w.graph.outputs.resize(s.outputs.size());
  const auto value = [&](uint32_t i) { return w.values[i].w ? w.values[i] : w.leaf(i); };
  for (uint32_t i = 0; i < s.nodes.size(); ++i) {
    const SliceNode& n = s.nodes[i];
    if (n.op == OpId::leaf || n.op == OpId::scalar || inside.contains(i)) continue;
    w.op = name(n.op);
    if (const auto c = clamps.find(i); c != clamps.end()) {
      w.op = "clip";
      w.values[i] =
          op("Clip", {value(c->second.x), value(c->second.low), value(c->second.high)}, n.shape);
    } else {
      Vals in;
      for (uint32_t k : n.in) in.push_back(value(k));
      w.values[i] = emit(w, n, std::move(in));
    }
    const auto out = outputs.find(i);
    if (out == outputs.end()) continue;
    const size_t k = out->second;
    const DType outside = how.packed_4bit ? n.dtype : stored(n.dtype);
    Val& v = w.values[i];
    const std::string name = k < how.outputs.size() ? how.outputs[k] : "y" + std::to_string(k);
    w.taken.insert(name);
    // The node that computed the value gets the output's name, unless the value is an input, a
    // weight or another output. An Identity would also do, but ONNX Runtime's optimizer damages
    // large graphs that contain them.
    auto& nodes = w.graph.nodes;
    const auto made = std::find_if(nodes.begin(), nodes.end(), [&](const proto::Node& m) {
      return m.outputs.back() == v.name;
    });
    const bool is_output = std::find(w.written.outputs.begin(), w.written.outputs.end(), v.name) !=
                           w.written.outputs.end();
    if (made == nodes.end() || is_output || outside != v.dtype) {
      w.op = "output";
      outside == v.dtype ? op("Identity", {v}, v.shape) : cast(v, outside);
      nodes.back().outputs[0] = name;
    } else {
      rename(w, *made, name);
    }
    w.graph.outputs[k] = info(name, outside, n.shape, how.open);
    w.written.outputs[k] = name;
  }
  for (const Feed& f : w.written.feeds) {
    w.graph.inputs.push_back(info(f.name, f.dtype, f.shape, false));
  }
}

}  // namespace

Written write(const Slice& s, const Writing& how) {
  Writer w(s, how);
  try {
    write_graph(w);
  } catch (const Unsupported& u) {
    throw UnsupportedError("[" + std::string(w.op) + "] " + u.why);
  }
  // The format version of the opset's time, because older readers reject later ones.
  const int64_t format = w.opset >= 21 ? 10 : w.opset >= 19 ? 9 : w.opset >= 15 ? 8 : 7;
  proto::Model m{.ir_version = format, .producer_name = "Ember", .producer_version = EMBER_VERSION};
  m.opsets = {{"", w.opset}};
  m.graph = std::move(w.graph);
  m.graph.name = "ember";
  w.written.model = proto::serialize(m);
  return std::move(w.written);
}

}  // namespace ember::onnx
