// Tensor: creation of leaves and scalars, reading of values.
#include "ember/tensor.h"

#include <unistd.h>

#include <cmath>
#include <limits>
#include <ostream>

#include "ember/backend.h"
#include "ember/grad.h"
#include "ember/ops.h"
#include "ember/print.h"
#include "src/core/convert.h"
#include "src/graph/compile.h"

namespace ember {
namespace {

const Node& get(const Tensor& t) {
  if (!t.defined()) throw ValueError("this tensor is undefined: it was never assigned a value");
  return *t.node();
}

// Copies n-dimensional strided elements into contiguous memory, in runs where the innermost axis is
// contiguous.
void gather(std::byte* out, const std::byte* in, size_t element, std::span<const int64_t> shape,
            std::span<const int64_t> strides) {
  if (shape.empty()) {
    std::memcpy(out, in, element);
    return;
  }
  const size_t rank = shape.size();
  if (size_of(shape) == 0) return;
  Ints at(rank, 0);
  const int64_t inner = shape[rank - 1];
  const int64_t step = strides[rank - 1];
  const std::byte* row = in;
  for (;;) {
    if (step == 1) {
      std::memcpy(out, row, size_t(inner) * element);
    } else {
      for (int64_t i = 0; i < inner; ++i) {
        std::memcpy(out + size_t(i) * element, row + i * step * int64_t(element), element);
      }
    }
    out += size_t(inner) * element;
    size_t d = rank - 1;
    for (; d-- > 0;) {
      row += strides[d] * int64_t(element);
      if (++at[d] < shape[d]) break;
      row -= strides[d] * shape[d] * int64_t(element);
      at[d] = 0;
    }
    if (d == size_t(-1)) return;
  }
}

}  // namespace

void check_size(const Shape& shape, DType dtype) {
  if (shape.size() > max_dims) {
    throw ShapeError("a tensor has at most " + std::to_string(max_dims) + " dimensions, not " +
                     std::to_string(shape.size()));
  }
  int64_t n = int64_t(size_of(dtype));
  bool zero = false;
  for (int64_t d : shape) {
    if (d < 0) throw ShapeError("a dimension cannot be negative: " + to_string(shape));
    zero |= d == 0;
  }
  if (zero) return;
  for (int64_t d : shape) {
    if (__builtin_mul_overflow(n, d, &n)) {
      throw ShapeError("a tensor of shape " + to_string(shape) + " has too many elements");
    }
  }
}

void require_size(size_t given, const Shape& shape) {
  check_size(shape, DType::complex128);
  if (size_of(std::span<const int64_t>(shape)) != int64_t(given)) {
    throw ShapeError("[array] " + std::to_string(given) + " values do not fill shape " +
                     to_string(shape));
  }
}

Storage* pack(const Value& v, const Type& t) {
  const size_t element = size_of(t.dtype);
  Storage* s = allocate(size_t(size_of(std::span<const int64_t>(t.shape))) * element);
  const Ints strides = v.strided ? v.strides : contiguous_strides(t.shape);
  gather(s->data, v.storage->data + v.offset * int64_t(element), element, t.shape, strides);
  return s;
}

Storage* host_copy(const Node& n) {
  Storage* s = n.value.load(std::memory_order_acquire);
  Storage* none = nullptr;
  if (Storage* p = n.extra->packed.load(std::memory_order_acquire)) return p;
  Value v{.storage = s};
  if (n.extra->strided) {
    v.offset = n.extra->offset;
    v.strides = n.extra->strides;
    v.strided = true;
  }
  const Type type{n.dtype, n.shape};
  Storage* p = on_device(s) ? engine(n.engine).download(v, type) : pack(v, type);
  count_copy();
  if (!n.extra->packed.compare_exchange_strong(none, p, std::memory_order_acq_rel)) {
    drop(p);
    p = none;
  }
  return p;
}

Value value_of(const Node& n) {
  if (n.op == OpId::scalar) return {.storage = scalar_storage(n.scalar, n.dtype)};
  Storage* s = n.value.load(std::memory_order_acquire);
  if (on_device(s)) s = host_copy(n);
  retain(s);
  if (n.extra && n.extra->strided && s == n.value.load(std::memory_order_relaxed)) {
    return {.storage = s, .offset = n.extra->offset, .strides = n.extra->strides, .strided = true};
  }
  return {.storage = s};
}

Tensor make_leaf(Type type, Value value) {
  Node* n = new_node();
  n->dtype = type.dtype;
  n->size = size_of(std::span<const int64_t>(type.shape));
  n->shape = std::move(type.shape);
  n->engine = uint8_t(current_engine());
  n->device = value.storage->device;
  publish(*n, std::move(value));
  return Tensor(n);
}

// Recent scalars are shared, so that x * 0.5f in a loop does not create nodes.
Tensor make_scalar(Param v, DType dtype, bool weak) {
  struct Recent {
    Node* node[64] = {};
    ~Recent() {
      for (Node*& n : node) {
        if (n) drop_node(std::exchange(n, nullptr));
      }
    }
  };
  static constinit thread_local Recent* recent __attribute__((tls_model("initial-exec"))) = nullptr;
  if (!recent) {
    static thread_local std::unique_ptr<Recent> own = std::make_unique<Recent>();
    recent = own.get();
  }
  Node*& r = recent->node[((v.u ^ uint64_t(dtype) << 56) * 0x9E3779B97F4A7C15u) >> 58];
  if (!r || r->scalar.u != v.u || r->dtype != dtype || r->weak != weak) {
    if (r) drop_node(r);
    r = new_node();
    r->op = OpId::scalar;
    r->dtype = dtype;
    r->weak = weak;
    r->scalar = v;
    r->engine = uint8_t(current_engine());
  }
  retain_node(r);
  return Tensor(r);
}

template <class T> T element_of(Param v) {
  if constexpr (is_complex_type<T>) {
    throw StateError("a complex scalar has storage");
  } else if constexpr (is_16<T>) {
    return T(float(v.f));
  } else if constexpr (std::is_floating_point_v<T>) {
    return T(v.f);
  } else {
    return T(v.u);
  }
}
void store(Param v, DType t, void* to) {
  visit_dtype(t, [&]<class T>(T) {
    const T x = element_of<T>(v);
    std::memcpy(to, &x, sizeof x);
  });
}
void fill_line(void* line, Param v, DType t) {
  visit_dtype(
      t, [&]<class T>(T) { std::fill_n(static_cast<T*>(line), 64 / sizeof(T), element_of<T>(v)); });
}
Storage* scalar_storage(Param v, DType t) {
  Storage* s = allocate(64);
  fill_line(s->data, v, t);
  return s;
}

Tensor::Tensor(bool v) : Tensor(make_scalar({.i = v}, DType::bool_)) {}
Tensor::Tensor(long v) : Tensor(make_scalar({.i = v}, DType::int64)) {}
Tensor::Tensor(unsigned long v)
    : Tensor(make_scalar({.u = v}, v >> 63 ? DType::uint64 : DType::int64)) {}
Tensor::Tensor(double v) : Tensor(make_scalar({.f = v}, default_float())) {}
Tensor::Tensor(std::complex<double> v) {
  // At full precision, because it may be combined with complex128.
  *this = from_data(&v, DType::complex128, {});
  node_->weak = true;
}

const Shape& Tensor::shape() const { return get(*this).shape; }
int64_t Tensor::shape(int64_t axis) const {
  const Shape& s = shape();
  const int64_t n = int64_t(s.size());
  const int64_t a = axis < 0 ? axis + n : axis;
  if (a < 0 || a >= n) {
    throw IndexError("axis " + std::to_string(axis) + " is out of range for " + std::to_string(n) +
                     " dimensions");
  }
  return s[size_t(a)];
}
int64_t Tensor::size() const { return get(*this).size; }
DType Tensor::dtype() const { return get(*this).dtype; }
Device Tensor::device() const { return get(*this).device; }
std::string_view Tensor::backend() const { return engine_name(get(*this).engine); }
bool Tensor::requires_grad() const { return get(*this).requires_grad; }
Tensor& Tensor::set_requires_grad(bool on) {
  const Node& n = get(*this);
  if (on && !is_inexact(n.dtype)) {
    throw DTypeError("only floating-point tensors can require gradients, not " +
                     std::string(name(n.dtype)));
  }
  if (!on && n.tracked) {
    throw StateError("this tensor was computed from others that require gradients: use detach()");
  }
  if (n.op == OpId::scalar) {
    *this = copy_of(*this);
  } else if (n.requires_grad != on && n.refs.load(std::memory_order_relaxed) > 1) {
    // A copy, because other handles of the node keep their flag.
    const no_grad off;
    const EngineScope scope(n.engine, n.device);
    *this = identity(*this);
  }
  node_->requires_grad = on;
  return *this;
}
bool Tensor::is_leaf() const { return !get(*this).tracked; }
Tensor Tensor::detach() const {
  get(*this);
  if (!node_->requires_grad) return *this;
  const no_grad off;
  const EngineScope scope(node_->engine);
  return identity(*this);
}
void Tensor::backward(bool retain_graph, bool create_graph) const {
  backward(Tensor(), retain_graph, create_graph);
}
void Tensor::backward(const Tensor& gradient, bool retain_graph, bool create_graph) const {
  get(*this);
  ember::backward(*this, gradient, {.retain_graph = retain_graph, .create_graph = create_graph});
}
Tensor Tensor::grad() const { return get(*this).extra ? node_->extra->grad : Tensor(); }
void Tensor::set_grad(const Tensor& g) {
  const Node& n = get(*this);
  if (g.defined() && (g.shape() != n.shape || g.dtype() != n.dtype)) {
    throw ShapeError("[set_grad] the gradient must be " + to_string(Type{n.dtype, n.shape}) +
                     " like its tensor, not " + to_string(Type{g.dtype(), g.shape()}));
  }
  extra_of(*node_).grad = g;
}
Extra& extra_of(Node& n) {
  if (!n.extra) n.extra = new Extra;
  return *n.extra;
}
bool Tensor::evaluated() const { return !get(*this).pending(); }

const Tensor& Tensor::eval() const {
  Node* n = const_cast<Node*>(&get(*this));
  if (n->pending()) eval_nodes({&n, 1});
  return *this;
}

Ints Tensor::strides() const {
  eval();
  const Node& n = *node_;
  return n.extra && n.extra->strided ? n.extra->strides : contiguous_strides(n.shape);
}

const void* Tensor::data_ptr() const {
  eval();
  Node& n = *node_;
  if (n.op == OpId::scalar) {
    Storage* s = scalar_storage(n.scalar, n.dtype);
    Storage* none = nullptr;
    if (!n.value.compare_exchange_strong(none, s, std::memory_order_acq_rel)) drop(s);
    return n.value.load()->data;
  }
  if (on_device(n.value.load())) return host_copy(n)->data;
  if (n.extra && n.extra->strided) {
    if (n.extra->strides == contiguous_strides(n.shape)) {
      return n.value.load()->data + n.extra->offset * int64_t(size_of(n.dtype));
    }
    return host_copy(n)->data;  // a copy, because others may be reading the strided value
  }
  return n.value.load()->data;
}

void Tensor::copy_to(void* out, DType as) const {
  eval();
  const Node& n = *node_;
  if (!can_cast(n.dtype, as) &&
      !(is_float(n.dtype) && is_float(as) && size_of(as) >= size_of(n.dtype))) {
    throw DTypeError("reading " + std::string(name(n.dtype)) + " as " + std::string(name(as)) +
                     " would lose values: use astype first");
  }
  const Value v = value_of(n);
  struct Guard {
    Storage* s;
    ~Guard() { drop(s); }
  } guard{v.storage};
  if (v.strided) {
    Storage* dense = pack(v, {n.dtype, n.shape});
    const Guard packed{dense};
    convert(out, as, dense->data, n.dtype, size_t(n.size));
  } else {
    convert(out, as, v.storage->data, n.dtype, size_t(n.size));
  }
}

void require_one_element(const Tensor& t) {
  if (t.size() != 1) {
    throw ShapeError("[item] a tensor of shape " + to_string(t.shape()) + " has " +
                     std::to_string(t.size()) + " elements, not one");
  }
}
void require_dtype(const Tensor& t, DType d) {
  if (t.dtype() != d) {
    throw DTypeError("[data] the tensor holds " + std::string(name(t.dtype())) + ", not " +
                     std::string(name(d)));
  }
}

Tensor from_data(const void* data, DType dtype, Shape shape) {
  check_size(shape, dtype);
  const size_t bytes = size_t(size_of(std::span<const int64_t>(shape))) * size_of(dtype);
  Storage* s = allocate(bytes);
  if (bytes) std::memcpy(s->data, data, bytes);
  return make_leaf({dtype, std::move(shape)}, {.storage = s}).to_device(current_device());
}
Tensor from_buffer(const void* data, DType dtype, Shape shape, void* owner, void (*release)(void*),
                   Ints strides) {
  check_size(shape, dtype);
  if (!strides.empty() && strides.size() != shape.size()) {
    throw ShapeError("[from_buffer] the number of strides must equal the number of dimensions");
  }
  // The storage spans the lowest to the highest element, wherever the first one is.
  int64_t low = 0;
  int64_t high = -1;
  int64_t element = int64_t(size_of(dtype));
  if (const int64_t n = size_of(std::span<const int64_t>(shape));
      strides.empty() || strides == contiguous_strides(shape)) {
    strides.clear();
    high = n - 1;
  } else if (n > 0) {
    high = 0;
    for (size_t i = 0; i < shape.size(); ++i) {
      int64_t reach;
      int64_t& end = strides[i] < 0 ? low : high;
      if (__builtin_mul_overflow(strides[i], (shape[i] - 1) * element, &reach) ||
          __builtin_add_overflow(end, reach / element, &end)) {
        throw ValueError("[from_buffer] the strides " + to_string(strides) + " exceed the buffer");
      }
    }
  }
  std::byte* base = static_cast<std::byte*>(const_cast<void*>(data)) + low * element;
  Value v{.storage = adopt(base, size_t((high - low + 1) * element), owner, release)};
  if (!strides.empty()) {
    v.offset = -low;
    v.strides = std::move(strides);
    v.strided = true;
  }
  return make_leaf({dtype, std::move(shape)}, std::move(v));
}

namespace {
// Finds the shape and kind of a nested list; all levels must agree.
void scan(const Nested& v, size_t depth, Shape& shape, int& kind, bool first) {
  if (const auto* list = std::get_if<std::vector<Nested>>(&v.value)) {
    if (depth >= max_dims) {
      throw ShapeError("[array] nested deeper than " + std::to_string(max_dims) + " levels");
    }
    if (first && depth == shape.size()) shape.push_back(int64_t(list->size()));
    if (depth >= shape.size() || shape[depth] != int64_t(list->size())) {
      throw ShapeError("[array] ragged nested list at depth " + std::to_string(depth));
    }
    for (size_t i = 0; i < list->size(); ++i) {
      scan((*list)[i], depth + 1, shape, kind, first && i == 0);
    }
    return;
  }
  if (depth != shape.size()) {
    throw ShapeError("[array] ragged nested list at depth " + std::to_string(depth));
  }
  kind = std::max(kind, int(v.value.index()));
}
template <class T> void flatten(const Nested& v, std::vector<T>& out) {
  std::visit(
      [&]<class E>(const E& e) {
        if constexpr (std::is_same_v<E, std::vector<Nested>>) {
          for (const Nested& n : e) flatten(n, out);
        } else if constexpr (std::is_same_v<E, std::complex<double>>) {
          if constexpr (std::is_same_v<T, std::complex<double>>) out.push_back(e);
        } else {
          out.push_back(T(e));
        }
      },
      v.value);
}
}  // namespace

Tensor array(const Nested& values, std::optional<DType> dtype) {
  Shape shape;
  int kind = -1;
  scan(values, 0, shape, kind, true);
  const auto make = [&]<class T>(T, DType natural) {
    std::vector<T> flat;
    flatten(values, flat);
    const DType target = dtype.value_or(natural);
    // The value must be representable.
    if (is_integer(target) && std::is_same_v<T, int64_t>) {
      for (const T& v : flat) {
        (void)cast_to(Tensor(make_scalar({.i = int64_t(std::real(v))}, DType::int64)), target);
      }
    }
    return cast_to(from_data(flat.data(), dtype_of<T>, shape), target);
  };
  if (kind == 3) return make(std::complex<double>(), complex_of(default_float()));
  if (kind == 0) {
    std::vector<uint8_t> flat;
    flatten(values, flat);
    return cast_to(from_data(flat.data(), DType::bool_, shape), dtype.value_or(DType::bool_));
  }
  if (kind == 1) return make(int64_t(), DType::int64);
  return make(double(), default_float());
}

Tensor copy_of(const Tensor& x) {
  const Node& n = *x.eval().node();
  const Value v = value_of(n);
  struct Guard {
    Storage* s;
    ~Guard() { drop(s); }
  } guard{v.storage};
  return make_leaf({n.dtype, n.shape}, {.storage = pack(v, {n.dtype, n.shape})});
}

std::string to_string(const Tensor& t) { return to_string(t, print_options()); }
std::string to_string(const Tensor& t, const PrintOptions& options) {
  t.eval();
  const Value v = value_of(*t.node());
  struct Guard {
    Storage* s;
    ~Guard() { drop(s); }
  } guard{v.storage};
  const Ints strides = v.strided ? v.strides : contiguous_strides(t.shape());
  return format_array(t.dtype(), t.shape(), strides,
                      v.storage->data + v.offset * int64_t(size_of(t.dtype())), options);
}
std::ostream& operator<<(std::ostream& os, const Tensor& t) {
  if (!t.defined()) return os << "<no tensor>";
  if (t.evaluated()) return os << to_string(t);
  return os << "<pending " << name(t.node()->op) << ": " << to_string(Type{t.dtype(), t.shape()})
            << " on " << t.backend() << ">";
}

}  // namespace ember
