// From a call to a node: dtypes are promoted, the row's rules checked, the node recorded. Nothing is computed.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "ember/grad.h"
#include "src/core/convert.h"
#include "src/core/counters.h"
#include "src/graph/graph.h"

namespace ember {
namespace {

constexpr uint32_t max_pending_nodes = 1 << 16;

// What pending nodes keep alive: nodes, and the memory of values they read, each block counted once as far as a short memory goes.
struct Pending {
  uint32_t nodes = 0;
  size_t bytes = 0;
  const Storage* recent[16] = {};
  bool tracing = false;

  void count(const Storage* s) {
    const Storage*& r = recent[(reinterpret_cast<uintptr_t>(s) >> 6) * 0x9E3779B97F4A7C15u >> 60];
    if (r != s) r = s, bytes += s->bytes;
  }
};
size_t max_pending_bytes() {
  static const size_t bytes = std::max(size_t(1) << 30, size_t(sysconf(_SC_PHYS_PAGES)) * size_t(sysconf(_SC_PAGE_SIZE)) / 4);
  return bytes;
}
constinit thread_local Pending pending __attribute__((tls_model("initial-exec")));

bool eager() {
  static const bool on = [] {
    const char* v = std::getenv("EMBER_EAGER");
    return v && *v && *v != '0';
  }();
  return on;
}

uint8_t kind_of(DType t) { return t == DType::bool_ ? k_bool : is_integer(t) ? k_int : is_float(t) ? k_float : k_complex; }

const char* kinds_text(uint8_t kinds) {
  switch (kinds) {
    case k_bool: return "bool";
    case k_integral: return "integers and bool";
    case k_int: return "integers";
    case k_float: return "real floating-point dtypes";
    case k_inexact: return "floating-point dtypes";
    case k_real: return "real dtypes";
    case k_numeric: return "numeric dtypes";
    case k_int | k_float: return "real numeric dtypes";
  }
  return "other dtypes";
}

DType weak_default(uint8_t kind) {
  return kind == k_bool ? DType::bool_ : kind == k_int ? DType::int64 : kind == k_float ? default_float() : complex_of(default_float());
}

// A weak scalar in another dtype; it must fit.
Tensor rescale(const Node& n, DType t) {
  Param v = n.scalar;
  if (is_float(n.dtype) && is_integer(t)) v.i = convert_one<int64_t>(v.f);  // an explicit cast: as any float's
  if (t == DType::bool_) return make_scalar({.i = is_float(n.dtype) ? v.f != 0 : v.i != 0}, t);
  if (is_integer(t)) {
    const int bits = bits_of(t);
    const bool negative = n.dtype != DType::uint64 && v.i < 0;
    const bool fits = is_unsigned(t) ? !negative && (bits == 64 || v.u >> bits == 0)
                                     : negative ? bits == 64 || v.i >= -(int64_t(1) << (bits - 1)) : v.u >> (bits - 1) == 0;
    if (!fits) throw ValueError("the integer " + (negative ? std::to_string(v.i) : std::to_string(v.u)) + " does not fit " + std::string(name(t)));
    return make_scalar(v, t);
  }
  const double f = is_float(n.dtype) ? v.f : n.dtype == DType::uint64 ? double(v.u) : double(v.i);
  return make_scalar({.f = f}, t);
}

void finish(Node* n, std::span<Tensor> in, const Row& row) {
  n->engine = uint8_t(current_engine());
  n->device = current_device();
  Node* p[4];
  if (in.size() <= 4) {
    for (size_t i = 0; i < in.size(); ++i) p[i] = in[i].steal();
    n->inputs = Small<Node*, 3>(p, p + in.size());
  } else {
    for (Tensor& t : in) n->inputs.push_back(t.steal());
  }
  bool grad = false, first = true;
  for (Node* i : n->inputs) {
    grad |= i->requires_grad;
    if (i->engine != n->engine || i->op == OpId::scalar) continue;  // another engine's operand is moved; scalars are anywhere
    if (!first && i->device != n->device)
      throw DeviceError("[" + std::string(row.name) + "] operands on two devices: " + to_string(n->device) + " and " + to_string(i->device) + "; use to_device");
    n->device = i->device, first = false;
  }
  if (grad && !pending.tracing && is_inexact(n->dtype) && grad_enabled()) n->requires_grad = n->tracked = n->kept = true;
}

// Pending work is bounded: a long loop that reads nothing still evaluates now and then.
Tensor done(Node* n) {
  Tensor t(n);
  if (pending.tracing) return t;
  for (Node* i : n->inputs)
    if (const Storage* s = i->value.load(std::memory_order_acquire)) pending.count(s);
  if (++pending.nodes >= max_pending_nodes || pending.bytes >= max_pending_bytes() || eager()) {
    pending = {};
    eval_nodes({&n, 1});
  }
  return t;
}

void prepare(const Row& row, std::span<Tensor> in) {
  for (const Tensor& t : in)
    if (!t.defined()) throw ValueError("an input is missing");
  bool plain = true;
  for (const Tensor& t : in) plain &= t.node()->dtype == in[0].node()->dtype && !t.node()->weak;
  if (row.promote != Promote::keep && !in.empty()) {
    DType target = plain ? in[0].node()->dtype : result_dtype(in);
    if (row.promote == Promote::floating && !is_inexact(target)) target = default_float();
    if (row.promote == Promote::boolean) target = DType::bool_;
    if (!plain || target != in[0].node()->dtype) promote_inputs(in, target);
  }
  if (row.kinds != k_any)
    for (const Tensor& t : in)
      if (!(row.kinds & kind_of(t.node()->dtype)))
        throw DTypeError("takes " + std::string(kinds_text(row.kinds)) + ", not " + std::string(name(t.node()->dtype)));
}

Type elementwise(const Row& row, Inputs in) {
  Type r{in.back().dtype(), in[0].shape()};
  for (size_t i = 1; i < in.size(); ++i) {
    const Shape& s = in[i].shape();
    if (s.empty() || s == r.shape) continue;
    r.shape = r.shape.empty() ? s : broadcast_shapes(r.shape, s);
  }
  switch (row.result) {
    case Result::same: break;
    case Result::boolean: r.dtype = DType::bool_; break;
    case Result::real: r.dtype = real_of(r.dtype); break;
    case Result::byte: r.dtype = DType::uint8; break;
  }
  return r;
}

Node* record(OpId op, Type&& t, Attrs&& attrs) {
  const int64_t n = size_of(std::span<const int64_t>(t.shape));
  Node* node = new_node();
  node->op = op, node->dtype = t.dtype, node->size = n, node->shape = std::move(t.shape), node->attrs = std::move(attrs);
  return node;
}

}  // namespace

void forget_pending() {
  pending.nodes = 0, pending.bytes = 0;
  std::fill(std::begin(pending.recent), std::end(pending.recent), nullptr);
}

bool set_tracing(bool on) { return std::exchange(pending.tracing, on); }

DType result_dtype(Inputs in) {
  bool strong = false;
  DType t = DType::bool_;
  uint8_t weak = 0;
  for (const Tensor& x : in) {
    const Node& n = *x.node();
    if (n.weak) weak = std::max(weak, kind_of(n.dtype));
    else t = strong ? promote(t, n.dtype) : n.dtype, strong = true;
  }
  if (!strong) return weak_default(weak);
  if (weak <= kind_of(t)) return t;
  if (weak == k_complex && is_float(t)) return complex_of(t);
  return weak_default(weak);
}

Tensor cast_to(Tensor x, DType t) {
  Node& n = *x.node();
  if (n.dtype == t) return x;
  if (n.op == OpId::scalar) {
    Tensor real = rescale(n, real_of(t));
    if (!is_complex(t)) return real;
    x = std::move(real);
  }
  Tensor in[] = {std::move(x)};
  const Shape shape = in[0].shape();
  return apply_typed(OpId::cast, in, {t, shape});
}

void promote_inputs(std::span<Tensor> in, DType target) {
  for (Tensor& x : in)
    if (x.node()->dtype != target) x = cast_to(x, target);
}

// The outermost function that was called gives an error its name: what an inner one said is told again in its words.
void rethrow(std::string_view op, std::string_view args, Inputs in) {
  struct Said { std::string op, text, body, types; };
  static thread_local Said said;
  std::string tag = "[" + std::string(op) + "] ", types;
  if (args.starts_with("arrays") || args.starts_with("*arrays")) args = {};  // a list: its tensors have no names
  for (size_t i = 0; i < in.size(); ++i) {
    if (!in[i].defined()) continue;
    const size_t end = std::min(args.find_first_of(",="), args.size());
    std::string_view arg = args.substr(0, end);
    args.remove_prefix(std::min(args.size(), std::min(args.find(','), args.size()) + 1));
    while (!args.empty() && args[0] == ' ') args.remove_prefix(1);
    if (i == 6 && in.size() > 8) {
      types += ", ... " + std::to_string(in.size()) + " in all";
      break;
    }
    const Node& n = *in[i].node();
    types += (types.empty() ? "" : ", ") + (arg.empty() || in.size() > 4 ? "" : std::string(arg) + ": ") + to_string(Type{n.dtype, n.shape});
  }
  const auto text = [&](const Error& e) {
    std::string what = e.what();
    if (what.starts_with('[')) {
      if (what != said.text || said.op == op) return what;
      what = said.body;
      if (in.empty()) types = said.types;
    }
    said = {std::string(op), tag + what + (types.empty() ? "" : " (" + types + ")"), what, types};
    return said.text;
  };
  try { throw; }
  catch (const ShapeError& e) { throw ShapeError(text(e)); }
  catch (const DTypeError& e) { throw DTypeError(text(e)); }
  catch (const IndexError& e) { throw IndexError(text(e)); }
  catch (const ValueError& e) { throw ValueError(text(e)); }
  catch (const DeviceError& e) { throw DeviceError(text(e)); }
  catch (const UnsupportedError& e) { throw UnsupportedError(text(e)); }
  catch (const EngineError& e) { throw EngineError(text(e)); }
  catch (const StateError& e) { throw StateError(text(e)); }
  catch (const MemoryError& e) { throw MemoryError(text(e)); }
  catch (const IoError& e) { throw IoError(text(e)); }
  catch (const Error&) { throw; }  // interrupted
  catch (const std::bad_alloc&) { throw MemoryError(tag + "out of memory"); }
}

void rethrow_for(std::string_view op) { rethrow(op, "", {}); }

Tensor apply(OpId op, std::span<Tensor> in, Attrs attrs) {
  const Row& r = row(op);
  try {
    prepare(r, in);
    Type t = r.infer ? r.infer(in, attrs) : elementwise(r, in);
    check_size(t.shape, t.dtype);
    Node* n = record(op, std::move(t), std::move(attrs));
    finish(n, in, r);
    return done(n);
  } catch (...) {
    rethrow(r.name, r.args, in);
  }
}

Tensor apply_typed(OpId op, std::span<Tensor> in, Type type, Attrs attrs) {
  const Row& r = row(op);
  try {
    check_size(type.shape, type.dtype);
    Node* n = record(op, std::move(type), std::move(attrs));
    finish(n, in, r);
    return done(n);
  } catch (...) {
    rethrow(r.name, r.args, in);
  }
}

Tensor apply_new(OpId op, Type type, Attrs attrs) { return apply_typed(op, {}, std::move(type), std::move(attrs)); }

Tensor identity(const Tensor& x) {
  Tensor in[] = {x};
  return apply_typed(OpId::reshape, in, {x.dtype(), x.shape()});
}

Tensor output_of(const Tensor& tuple, size_t which) {
  Node* o = record(OpId::output, Type(tuple.node()->extra->types[which]), {});
  o->scalar.u = which;
  Tensor one[] = {tuple};
  finish(o, one, row(tuple.node()->op));
  o->engine = tuple.node()->engine, o->device = tuple.node()->device;
  return Tensor(o);
}

std::vector<Tensor> apply_many(OpId op, std::span<Tensor> in, Attrs attrs) {
  const Row& r = row(op);
  try {
    prepare(r, in);
    Types types = r.infer_many(in, attrs);
    Node* n = record(op, {}, std::move(attrs));
    n->extra = new Extra;
    finish(n, in, r);
    Tensor tuple(n);
    std::vector<Tensor> out;
    for (size_t k = 0; k < types.size(); ++k) {
      check_size(types[k].shape, types[k].dtype);
    }
    n->extra->types = std::move(types);
    for (size_t k = 0; k < n->extra->types.size(); ++k) out.push_back(output_of(tuple, k));
    if (eager() && !pending.tracing) eval_nodes({&n, 1});
    return out;
  } catch (...) {
    rethrow(r.name, r.args, in);
  }
}

}  // namespace ember
