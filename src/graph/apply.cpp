// Records a call as a node: promotes dtypes and applies the row's rules. Nothing is computed.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "ember/grad.h"
#include "src/core/convert.h"
#include "src/core/counters.h"
#include "src/graph/graph.h"
#include "src/graph/pending.h"

namespace ember {
namespace {

// The pending nodes of a thread and the bytes of the values that they keep alive. A block counts
// once unless a colliding entry of `recent` forgot it.
struct Pending {
  uint32_t nodes = 0;
  uint32_t in_piece = 0;  // nodes since the last evaluation on this thread
  size_t bytes = 0;
  const Storage* recent[16] = {};
  bool tracing = false;
  bool has_tape = false;  // a gradient may be asked for
  uint64_t trail = 0;     // of the last sixteen nodes: what they compute
  uint64_t mark = 0;      // the trail where pieces of a loop end; 0: none is known

  void add(const Node& n) {
    ++nodes;
    ++in_piece;
    trail = (trail << 4) ^ (uint64_t(n.op) | uint64_t(n.dtype) << 8 | uint64_t(n.size) << 16) *
                               0x9E3779B97F4A7C15u;
  }
  // A long loop is evaluated in pieces that end at the same node of its body, so that all but the
  // first have a known structure.
  bool ends_piece() {
    constexpr uint32_t piece = 2048;
    constexpr uint32_t longest_body = 4096;
    if (has_tape || in_piece < piece) return false;
    if (trail == mark) return true;
    if (!mark || in_piece % longest_body == 0) mark = trail;
    return false;
  }
  void count(const Storage* s) {
    const Storage*& r = recent[(reinterpret_cast<uintptr_t>(s) >> 6) * 0x9E3779B97F4A7C15u >> 60];
    if (r != s) {
      r = s;
      bytes += s->bytes;
    }
  }
};
constinit thread_local Pending pending __attribute__((tls_model("initial-exec")));

// Bounds on pending work. Eager evaluation is a bound of one node.
struct Most {
  uint32_t nodes = 1 << 16;
  size_t bytes = std::max(size_t(1) << 30,
                          size_t(sysconf(_SC_PHYS_PAGES)) * size_t(sysconf(_SC_PAGE_SIZE)) / 4);
};
const Most most = [] {  // before it is set, which is before main, every node is evaluated
  const char* v = std::getenv("EMBER_EAGER");
  return v && *v && *v != '0' ? Most{.nodes = 1} : Most{};
}();

uint8_t kind_of(DType t) {
  return t == DType::bool_ ? k_bool : is_integer(t) ? k_int : is_float(t) ? k_float : k_complex;
}

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
  return kind == k_bool    ? DType::bool_
         : kind == k_int   ? DType::int64
         : kind == k_float ? default_float()
                           : complex_of(default_float());
}

// A weak scalar converted to another dtype; ValueError if it does not fit.
Tensor rescale(const Node& n, DType t) {
  Param v = n.scalar;
  // an explicit cast: as any float's
  if (is_float(n.dtype) && is_integer(t)) {
    v.i = convert_one<int64_t>(v.f);
  }
  if (t == DType::bool_) return make_scalar({.i = is_float(n.dtype) ? v.f != 0 : v.i != 0}, t);
  if (is_integer(t)) {
    const int bits = bits_of(t);
    const bool negative = n.dtype != DType::uint64 && v.i < 0;
    const bool fits = is_unsigned(t) ? !negative && (bits == 64 || v.u >> bits == 0)
                      : negative     ? bits == 64 || v.i >= -(int64_t(1) << (bits - 1))
                                     : v.u >> (bits - 1) == 0;
    if (!fits) {
      throw ValueError("the integer " + (negative ? std::to_string(v.i) : std::to_string(v.u)) +
                       " does not fit " + std::string(name(t)));
    }
    return make_scalar(v, t);
  }
  const double f = is_float(n.dtype) ? v.f : n.dtype == DType::uint64 ? double(v.u) : double(v.i);
  return make_scalar({.f = f}, t);
}

// Moves the inputs into the node.
void finish(Node& n, std::span<Tensor> in, const Row& row) {
  n.engine = uint8_t(current_engine());
  n.device = current_device();
  bool grad = false;
  bool first = true;
  for (const Tensor& t : in) {
    const Node& i = *t.node();
    grad |= i.requires_grad;
    if (i.op == OpId::scalar) continue;  // scalars are anywhere
    if (const Storage* s = i.value.load(std::memory_order_acquire); s && !pending.tracing) {
      pending.count(s);
    }
    if (i.engine != n.engine) continue;  // another engine's operand is moved
    if (!first && i.device != n.device) {
      throw DeviceError("[" + std::string(row.name) + "] operands are on two devices: " +
                        to_string(n.device) + " and " + to_string(i.device) + "; use to_device");
    }
    n.device = i.device;
    first = false;
  }
  for (Tensor& t : in) n.inputs.push_back(t.steal());
  if (grad && !pending.tracing && is_inexact(n.dtype) && grad_enabled()) {
    n.requires_grad = n.tracked = n.kept = pending.has_tape = true;
  }
}

// Evaluates when the bounds are reached, so that a long loop that reads nothing does not grow
// without limit.
void bound(Node* n) {
  if (pending.tracing) return;
  pending.add(*n);
  const bool is_full = pending.nodes >= most.nodes || pending.bytes >= most.bytes;
  if (!is_full && !pending.ends_piece()) return;
  Pending before = std::exchange(pending, {});
  const size_t evaluated = eval_counted({&n, 1});
  if (is_full) return;
  if (evaluated >= before.in_piece / 2) {
    pending.mark = before.mark;
    return;
  }
  // This node ended a side branch and the loop itself is still pending: look for another end.
  before.in_piece = 0;
  before.mark = 0;
  pending = before;
}

void check_arity(const Row& row, Inputs in) {
  if (in.size() < row.arity.least || in.size() > row.arity.most) {
    throw StateError("recorded with " + std::to_string(in.size()) + " inputs");
  }
}

void prepare(const Row& row, std::span<Tensor> in) {
  check_arity(row, in);
  bool same = true;
  bool weak = true;
  for (const Tensor& t : in) {
    if (!t.defined()) throw ValueError("an input is missing");
    same &= t.node()->dtype == in[0].node()->dtype;
    weak &= t.node()->weak;
  }
  if (row.promote != Promote::keep && !in.empty()) {
    DType target = same && !weak ? in[0].node()->dtype : result_dtype(in);
    if (row.promote == Promote::floating && !is_inexact(target)) target = default_float();
    if (row.promote == Promote::boolean) target = DType::bool_;
    if (!same || target != in[0].node()->dtype) promote_inputs(in, target);
  }
  if (row.kinds != k_any) {
    for (const Tensor& t : in) {
      if (!(row.kinds & kind_of(t.node()->dtype))) {
        throw DTypeError("takes " + std::string(kinds_text(row.kinds)) + ", not " +
                         std::string(name(t.node()->dtype)));
      }
    }
  }
}

void set_type(Node& n, Type&& t) {
  check_size(t.shape, t.dtype);
  n.dtype = t.dtype;
  n.size = size_of(std::span<const int64_t>(t.shape));
  n.shape = std::move(t.shape);
}

// The type of an elementwise op's result. Without broadcasting the size needs no check.
void set_elementwise(Node& n, const Row& row, Inputs in) {
  DType dtype = in.back().node()->dtype;
  switch (row.result) {
    case Result::same: break;
    case Result::boolean: dtype = DType::bool_; break;
    case Result::real: dtype = real_of(dtype); break;
    case Result::byte: dtype = DType::uint8; break;
  }
  const Node* like = in[0].node();
  for (size_t i = 1; i < in.size(); ++i) {
    const Node* m = in[i].node();
    if (m->shape.empty() || m->shape == like->shape) continue;
    if (!like->shape.empty()) {
      Shape wide = like->shape;
      for (const Tensor& t : in) wide = broadcast_shapes(wide, t.node()->shape);
      return set_type(n, {dtype, std::move(wide)});
    }
    like = m;
  }
  n.dtype = dtype;
  n.size = like->size;
  n.shape = like->shape;
}

// A node without inputs yet; the handle frees it if a later step throws.
Tensor begin(OpId op, Attrs&& attrs) {
  Node* n = new_node();
  n->op = op;
  n->attrs = std::move(attrs);
  return Tensor(n);
}

}  // namespace

void forget_pending() {
  pending.nodes = 0;
  pending.in_piece = 0;
  pending.bytes = 0;
  pending.has_tape = false;
  std::fill(std::begin(pending.recent), std::end(pending.recent), nullptr);
}

void restart_piece() { pending.in_piece = 0; }
bool is_tracing() { return pending.tracing; }
bool set_tracing(bool on) { return std::exchange(pending.tracing, on); }

DType result_dtype(Inputs in) {
  bool strong = false;
  DType t = DType::bool_;
  uint8_t weak = 0;
  for (const Tensor& x : in) {
    const Node& n = *x.node();
    if (n.weak) {
      weak = std::max(weak, kind_of(n.dtype));
    } else {
      t = strong ? promote(t, n.dtype) : n.dtype;
      strong = true;
    }
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
  for (Tensor& x : in) {
    if (x.node()->dtype != target) x = cast_to(x, target);
  }
}

Tensor apply(OpId op, std::span<Tensor> in, Attrs attrs) {
  const Row& r = row(op);
  try {
    prepare(r, in);
    Tensor t = begin(op, std::move(attrs));
    Node& n = *t.node();
    if (r.infer) {
      set_type(n, r.infer(in, n.attrs));
    } else {
      set_elementwise(n, r, in);
    }
    finish(n, in, r);
    bound(&n);
    return t;
  } catch (...) {
    rethrow(r.name, r.args, in);
  }
}

Tensor apply_typed(OpId op, std::span<Tensor> in, Type type, Attrs attrs) {
  const Row& r = row(op);
  try {
    check_arity(r, in);
    Tensor t = begin(op, std::move(attrs));
    set_type(*t.node(), std::move(type));
    finish(*t.node(), in, r);
    bound(t.node());
    return t;
  } catch (...) {
    rethrow(r.name, r.args, in);
  }
}

Tensor apply_new(OpId op, Type type, Attrs attrs) {
  return apply_typed(op, {}, std::move(type), std::move(attrs));
}

Tensor identity(const Tensor& x) { return identity(x, {}); }
Tensor identity(const Tensor& x, Inputs first) {
  Tensors in{x};
  in.insert(in.end(), first.begin(), first.end());
  return apply_typed(OpId::identity, in, {x.dtype(), x.shape()});
}

Tensor output_of(const Tensor& tuple, size_t which) {
  Tensor t = begin(OpId::output, {});
  Node& n = *t.node();
  set_type(n, Type(tuple.node()->extra->types[which]));
  n.scalar.u = which;
  Tensor one[] = {tuple};
  finish(n, one, row(tuple.node()->op));
  n.engine = tuple.node()->engine;
  n.device = tuple.node()->device;
  return t;
}

std::vector<Tensor> apply_many(OpId op, std::span<Tensor> in, Attrs attrs) {
  const Row& r = row(op);
  try {
    prepare(r, in);
    Tensor tuple = begin(op, std::move(attrs));
    Node* n = tuple.node();
    Types types = r.infer_many(in, n->attrs);
    for (const Type& t : types) check_size(t.shape, t.dtype);
    extra_of(*n).types = std::move(types);
    finish(*n, in, r);
    std::vector<Tensor> out;
    for (size_t k = 0; k < n->extra->types.size(); ++k) out.push_back(output_of(tuple, k));
    if (most.nodes <= 1 && !pending.tracing) eval_nodes({&n, 1});
    return out;
  } catch (...) {
    rethrow(r.name, r.args, in);
  }
}

}  // namespace ember
