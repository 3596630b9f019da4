#include "ember/element.h"

#include "ember/error.h"
#include "src/graph/graph.h"
#include "src/graph/pending.h"

namespace ember {
namespace {

bool is_plain(DType t) { return !is_complex(t) && t != DType::int4 && t != DType::uint4; }

// The address of an element of an evaluated, contiguous or strided value of native; null if the
// index does not name one element.
std::byte* find_element(const Node& n, std::span<const int64_t> at) {
  const Storage* s = n.value.load(std::memory_order_acquire);
  if (!s || on_device(s) || n.engine != native_engine || current_engine() != native_engine) {
    return nullptr;
  }
  if (n.op == OpId::scalar || n.requires_grad || at.size() != n.shape.size() ||
      !is_plain(n.dtype)) {
    return nullptr;
  }
  const bool strided = n.extra && n.extra->strided;
  int64_t offset = strided ? n.extra->offset : 0;
  int64_t step = 1;
  for (size_t d = at.size(); d--;) {
    const int64_t length = n.shape[d];
    const int64_t i = at[d] < 0 ? at[d] + length : at[d];
    if (i < 0 || i >= length) return nullptr;  // indexing says what is wrong
    offset += i * (strided ? n.extra->strides[d] : step);
    step *= length;
  }
  return s->data + offset * int64_t(size_of(n.dtype));
}

// Whether a pending write can be evaluated at once: it reads only computed values and scalars.
bool is_ready(const Node& n, int depth) {
  if (!n.pending()) return true;
  if (depth == 0 || (n.op != OpId::broadcast_to && n.op != OpId::reshape &&
                     n.op != OpId::identity && n.op != OpId::slice_update)) {
    return false;
  }
  for (const Node* in : n.inputs) {
    if (!is_ready(*in, depth - 1)) return false;
  }
  return !n.inputs.empty();
}

}  // namespace

std::optional<Tensor> read_element(const Tensor& x, std::span<const int64_t> at) {
  const Node& n = *x.node();
  const std::byte* p = find_element(n, at);
  if (!p) return {};
  Node* r = new_node();
  r->op = OpId::scalar;
  r->dtype = n.dtype;
  r->engine = n.engine;
  r->device = n.device;
  visit_dtype(n.dtype, [&]<class T>(T) {
    if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat>) {
      r->scalar.f = double(float(*reinterpret_cast<const T*>(p)));
    } else if constexpr (std::is_floating_point_v<T>) {
      r->scalar.f = double(*reinterpret_cast<const T*>(p));
    } else if constexpr (std::is_same_v<T, uint64_t>) {
      r->scalar.u = *reinterpret_cast<const T*>(p);
    } else if constexpr (std::is_integral_v<T>) {
      r->scalar.i = int64_t(*reinterpret_cast<const T*>(p));
    }
  });
  return Tensor(r);
}

bool write_element(const Tensor& x, std::span<const int64_t> at, const Tensor& value) {
  Node& n = *x.node();
  const Node& v = *value.node();
  if (v.op != OpId::scalar || is_tracing() || n.refs.load(std::memory_order_acquire) != 1 ||
      n.kept) {
    return false;
  }
  const bool is_same_kind = is_float(v.dtype) == is_float(n.dtype) &&
                            (v.dtype == DType::bool_) == (n.dtype == DType::bool_);
  if (!is_same_kind && !(is_float(n.dtype) && is_integer(v.dtype))) return false;
  if (n.pending() && n.op == OpId::slice_update && n.engine == native_engine && !n.requires_grad &&
      is_ready(n, 3)) {
    x.eval();
  }
  std::byte* p = find_element(n, at);
  const Storage* s = n.value.load(std::memory_order_acquire);
  if (!p || !s->writable || s->refs.load(std::memory_order_acquire) != 1 || n.extra) return false;
  Tensor typed;
  try {
    typed = cast_to(value, n.dtype);
  } catch (const ValueError&) {
    return false;  // it does not fit: indexing says so
  }
  store(typed.node()->scalar, n.dtype, p);
  return true;
}

const Param* scalar_value(const Tensor& x) {
  const Node* n = x.node();
  return n && n->op == OpId::scalar ? &n->scalar : nullptr;
}

}  // namespace ember
