// Serializes a slice as an ML program. The message numbers are those of Core ML's MIL.proto.
#include "src/coreml/writer.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "src/core/convert.h"
#include "src/core/node.h"

namespace ember::coreml {
namespace {

using io::Message;

constexpr const char* opset = "CoreML6";  // iOS 16, macOS 13
constexpr size_t largest_rank = 5;
constexpr uint64_t smallest_blob = 64;  // bytes; smaller constants are stored in the program

int data_type(DType t) {
  switch (t) {
    case DType::bool_: return 1;
    case DType::float16: return 10;
    case DType::float32: return 11;
    case DType::int32: return 23;
    default:
      throw Unsupported{"Core ML computes float32, float16, int32 and bool, not " +
                        std::string(name(t))};
  }
}

void check_type(DType t, const Shape& shape) {
  data_type(stored(t));
  if (shape.size() > largest_rank) {
    throw Unsupported{"Core ML has at most 5 dimensions, not " + std::to_string(shape.size())};
  }
  if (size_of(shape) == 0) throw Unsupported{"Core ML has no empty tensors"};
}

// A tensor value with its elements in the message.
Message immediate(DType t, const Shape& shape, std::string_view bytes) {
  Message list;
  Message tensor;
  const size_t n = size_t(size_of(shape));
  if (t == DType::float32) {
    tensor.message(1, list.bytes(1, bytes));
  } else if (t == DType::float16) {
    tensor.message(7, list.bytes(1, bytes));
  } else {
    Message packed;
    for (size_t i = 0; i < n; ++i) {
      int32_t v = 0;
      std::memcpy(&v, bytes.data() + i * size_of(t), size_of(t));
      packed.varint(t == DType::bool_ ? uint64_t(v != 0) : uint64_t(int64_t(v)));
    }
    tensor.message(t == DType::bool_ ? 3 : 2, list.bytes(1, packed.str()));
  }
  return Message().message(2, value_type(t, shape)).message(3, Message().message(1, tensor));
}

// The elements of a contiguous constant as the program stores them: int64 becomes int32.
std::string narrowed(DType t, std::string_view bytes) {
  if (t != DType::int64) return std::string(bytes);
  std::string r(bytes.size() / 2, '\0');
  for (size_t i = 0; i < bytes.size() / 8; ++i) {
    int64_t v;
    std::memcpy(&v, bytes.data() + 8 * i, 8);
    const int32_t small = int32_t(v);
    if (small != v) {
      throw Unsupported{"the constant " + std::to_string(v) +
                        " does not fit int32, Core ML's only integer dtype"};
    }
    std::memcpy(r.data() + 4 * i, &small, 4);
  }
  return r;
}

std::string bytes_of(DType t, Param p) {
  std::string r(size_of(t), '\0');
  store(p, t, r.data());
  return r;
}

// Makes a name of letters, digits and underscores that does not start with a digit.
std::string identifier(std::string_view name) {
  std::string r(name);
  for (char& c : r) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  if (r.empty() || std::isdigit(static_cast<unsigned char>(r[0]))) r.insert(0, "_");
  return r;
}

const Table& table() {
  static const Table t = [] {
    Table r{};
    add_elementwise(r);
    add_reductions(r);
    add_movement(r);
    add_neural(r);
    return r;
  }();
  return t;
}

Val emit(Writer& w, const SliceNode& n, Vals in) {
  w.op = name(n.op);
  if (n.op == OpId::output || !n.outputs.empty() || !table()[size_t(n.op)]) {
    throw Unsupported{"Core ML has no such operation"};
  }
  check_type(n.dtype, n.shape);
  for (const Val& v : in) check_type(v.dtype, v.shape);
  Val r = table()[size_t(n.op)]({w, n, std::move(in)});
  if (r.dtype != stored(n.dtype) || r.shape != n.shape) {
    throw StateError("[" + std::string(w.op) + "] written as " + to_string(Type{r.dtype, r.shape}) +
                     " instead of " + to_string(Type{stored(n.dtype), n.shape}));
  }
  return r;
}

// Inputs and outputs of a model are arrays of rank 1 or more, of float32, float16 or int32.
Type outside(DType t, const Shape& shape) {
  check_type(t, shape);
  return {t == DType::bool_ ? DType::int32 : stored(t), shape.empty() ? Shape{1} : shape};
}

void write_inputs(Writer& w, Program& p, const std::vector<std::string>& names, Message& function) {
  for (size_t k = 0; k < w.slice.inputs.size(); ++k) {
    const uint32_t i = w.slice.inputs[k];
    const SliceNode& n = w.slice.nodes[i];
    if (n.constant) continue;
    w.op = "input";
    const Type type = outside(n.dtype, n.shape);
    const std::string& name = names[k];
    p.inputs.push_back({name, type.dtype, type.shape});
    function.message(1, named_value(name, type.dtype, type.shape));
    const Val v{&w, name, type.dtype, type.shape};
    w.values[i] = cast(reshape(v, n.shape), stored(n.dtype));
  }
}

void write_outputs(Writer& w, Program& p, const std::vector<std::string>& names, Message& block) {
  for (size_t k = 0; k < w.slice.outputs.size(); ++k) {
    const uint32_t i = w.slice.outputs[k];
    const SliceNode& n = w.slice.nodes[i];
    w.op = "output";
    const Type type = outside(n.dtype, n.shape);
    const Val inner = w.values[i].w ? w.values[i] : w.leaf(i);
    const Val v = reshape(cast(inner, type.dtype), type.shape);
    const std::string& name = names[k];
    // An identity gives the result the output's name; Core ML removes it.
    Message operation;
    operation.bytes(1, "identity");
    operation.entry(2, "x", Message().message(1, Message().bytes(1, v.name)));
    operation.message(3, named_value(name, type.dtype, type.shape));
    operation.entry(5, "name", string_value(name));
    w.operations.push_back(std::move(operation));
    p.outputs.push_back({name, type.dtype, type.shape});
    block.bytes(2, name);
  }
}

}  // namespace

DType stored(DType t) { return t == DType::int64 ? DType::int32 : t; }

Message value_type(DType t, const Shape& shape) {
  Message tensor;
  tensor.integer(1, uint64_t(data_type(t))).integer(2, shape.size());
  for (int64_t d : shape) {
    tensor.message(3, Message().message(1, Message().integer(1, uint64_t(d))));
  }
  return Message().message(1, tensor);
}
Message string_type() { return Message().message(1, Message().integer(1, 2)); }
Message string_value(std::string_view s) {
  const Message list = Message().message(4, Message().bytes(1, s));
  return Message().message(2, string_type()).message(3, Message().message(1, list));
}
Message named_value(std::string_view name, DType t, const Shape& shape) {
  return Message().bytes(1, name).message(2, value_type(t, shape));
}

std::string Writer::unique(std::string_view base) {
  std::string r(base);
  while (!taken.insert(r).second) r = std::string(base) + "_" + std::to_string(count_++);
  return r;
}

Val Writer::operation(const char* type, const Args& args, DType t, Shape shape) {
  check_type(t, shape);
  const std::string name = unique(std::string(op) + "_" + std::to_string(count_++));
  Message m;
  m.bytes(1, type);
  for (const Arg& a : args) {
    Message bindings;
    for (const std::string& v : a.values) bindings.message(1, Message().bytes(1, v));
    m.entry(2, a.name, bindings);
  }
  m.message(3, named_value(name, t, shape));
  m.entry(5, "name", string_value(name));
  operations.push_back(std::move(m));
  return {this, name, t, std::move(shape)};
}

Val Writer::const_operation(const Message& type, const Message& value, DType t,
                            const Shape& shape) {
  const std::string name = unique("const_" + std::to_string(count_++));
  Message m;
  m.bytes(1, "const");
  m.message(3, Message().bytes(1, name).message(2, type));
  m.entry(5, "name", string_value(name));
  m.entry(5, "val", value);
  operations.push_back(std::move(m));
  return {this, name, t, shape};
}

Val Writer::constant(DType given, const Shape& shape, std::string bytes) {
  check_type(given, shape);
  bytes = narrowed(given, bytes);
  const DType t = stored(given);
  if (bytes.size() >= smallest_blob && is_float(t)) {
    const uint64_t record = blobs.empty() ? 64 : (blobs.back().end() + 63) / 64 * 64;
    Blob& blob = blobs.emplace_back();
    blob.dtype = t;
    blob.record = record;
    blob.data = std::move(bytes);
    const Message file = Message().bytes(1, "@model_path/weights/weight.bin").integer(2, record);
    const Message value = Message().message(2, value_type(t, shape)).message(5, file);
    return const_operation(value_type(t, shape), value, t, shape);
  }
  Val& known = constants_[to_string(Type{t, shape}) + bytes];
  if (!known.w) known = const_operation(value_type(t, shape), immediate(t, shape, bytes), t, shape);
  return known;
}
Val Writer::number(double v, DType t) {
  return constant(t, {}, bytes_of(t, is_float(t) ? Param{.f = v} : Param{.i = int64_t(v)}));
}
Val Writer::integer(int64_t v) {
  return constant(DType::int64, {}, bytes_of(DType::int64, {.i = v}));
}
Val Writer::integers(const Ints& v) {
  std::string bytes(reinterpret_cast<const char*>(v.data()), 8 * v.size());
  return constant(DType::int64, {int64_t(v.size())}, std::move(bytes));
}
Val Writer::boolean(bool v) { return constant(DType::bool_, {}, std::string(1, char(v))); }
Val Writer::booleans(const std::vector<bool>& v) {
  return constant(DType::bool_, {int64_t(v.size())}, std::string(v.begin(), v.end()));
}
Val Writer::text(std::string_view s) {
  Val& known = constants_["text " + std::string(s)];
  if (!known.w) known = const_operation(string_type(), string_value(s), DType::bool_, {});
  return known;
}

Val Writer::leaf(uint32_t i) {
  Val& v = values[i];
  if (v.w) return v;
  const SliceNode& n = slice.nodes[i];
  check_type(n.dtype, n.shape);
  if (n.op == OpId::scalar) {
    return v = constant(n.dtype, {}, bytes_of(n.dtype, (*params_)[n.param]));
  }
  if (!n.constant) throw StateError("a value is read before it is written");
  return v = constant_leaf(i, n.shape);
}
Val Writer::constant_leaf(uint32_t i, const Shape& shape, const Reorder& reorder) {
  const SliceNode& n = slice.nodes[i];
  if (!params_) return {this, "x", stored(n.dtype), shape};  // can_write: values do not matter
  Storage* const dense = pack(*n.constant, {n.dtype, n.shape});
  const std::string_view from(reinterpret_cast<const char*>(dense->data),
                              size_t(size_of(shape)) * size_of(n.dtype));
  std::string bytes(from);
  if (reorder) reorder(size_of(n.dtype), from, bytes);
  drop(dense);
  return constant(n.dtype, shape, std::move(bytes));
}
double Writer::scalar(uint32_t i) const {
  const SliceNode& n = slice.nodes[i];
  if (n.op != OpId::scalar) throw Unsupported{"Core ML needs its value to be a constant number"};
  if (!params_) return 0;  // can_write: values do not matter
  const Param p = (*params_)[n.param];
  return is_float(n.dtype) ? p.f : double(p.i);
}
int64_t Writer::start(const SliceNode& n, size_t axis) const {
  return params_ ? (*params_)[n.param + axis].i : 0;
}

Support can_write(const SliceNode& n, const Slice& s) {
  if (n.op == OpId::leaf || n.op == OpId::scalar) return {};
  Writer w(s);
  w.values.resize(s.nodes.size());
  Vals in;
  for (uint32_t i : n.in) in.push_back({&w, "x", stored(s.nodes[i].dtype), s.nodes[i].shape});
  try {
    emit(w, n, std::move(in));
  } catch (const Unsupported& u) {
    return u.why;
  }
  return {};
}

Program write(const Slice& s, std::span<const Param> params, std::vector<std::string> inputs,
              std::vector<std::string> outputs) {
  Writer w(s, params);
  w.values.resize(s.nodes.size());
  for (auto* names : {&inputs, &outputs}) {
    for (std::string& n : *names) n = w.unique(identifier(n));
  }
  Program p;
  Message function;
  Message block;
  try {
    write_inputs(w, p, inputs, function);
    for (uint32_t i = 0; i < s.nodes.size(); ++i) {
      const SliceNode& n = s.nodes[i];
      if (n.op == OpId::leaf || n.op == OpId::scalar) continue;
      w.op = name(n.op);
      Vals in;
      for (uint32_t k : n.in) in.push_back(w.values[k].w ? w.values[k] : w.leaf(k));
      w.values[i] = emit(w, n, std::move(in));
    }
    write_outputs(w, p, outputs, block);
  } catch (const Unsupported& u) {
    throw UnsupportedError("[coreml.save] " + std::string(w.op) + ": " + u.why);
  }
  for (const Message& m : w.operations) block.message(3, m);
  function.bytes(2, opset).entry(3, opset, block);
  p.bytes = Message().integer(1, 1).entry(2, "main", function).str();
  p.blobs = std::move(w.blobs);
  return p;
}

}  // namespace ember::coreml
