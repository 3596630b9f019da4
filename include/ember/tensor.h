// A Tensor is a handle to a node of the lazy graph. An op call checks and records; reading a value
// evaluates.
#pragma once
#include <complex>
#include <initializer_list>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "ember/device.h"
#include "ember/dtype.h"
#include "ember/shape.h"

namespace ember {

struct Node;
struct Storage;
struct IndexItem;
EMBER_API void retain(Node*);
EMBER_API void drop(Node*);

class EMBER_API Tensor {
 public:
  Tensor() = default;  // undefined: an optional argument that is not given
  // Scalars are 0-d without a dtype of their own: they take the dtype of the tensors they are
  // combined with, unless that dtype cannot represent their kind.
  Tensor(bool v);
  Tensor(int v) : Tensor(int64_t(v)) {}
  Tensor(long v);
  Tensor(long long v) : Tensor(long(v)) {}
  Tensor(unsigned v) : Tensor(int64_t(v)) {}
  Tensor(unsigned long v);
  Tensor(float v) : Tensor(double(v)) {}
  Tensor(double v);
  Tensor(std::complex<double> v);
  template <class T> Tensor(T*) = delete;  // a pointer is not a bool
  explicit Tensor(Node* owned) : node_(owned) {}

  Tensor(const Tensor& o) : node_(o.node_) {
    if (node_) retain(node_);
  }
  Tensor(Tensor&& o) noexcept : node_(std::exchange(o.node_, nullptr)) {}
  Tensor& operator=(Tensor o) noexcept {
    std::swap(node_, o.node_);
    return *this;
  }
  ~Tensor() {
    if (node_) drop(node_);
  }

  explicit operator bool() const = delete;  // ambiguous: use defined(), or item<bool>()
  bool defined() const { return node_; }

  const Shape& shape() const;
  int64_t shape(int64_t axis) const;  // negative axes count from the end
  int64_t ndim() const { return int64_t(shape().size()); }
  int64_t size() const;
  DType dtype() const;
  Device device() const;
  std::string_view backend() const;
  bool requires_grad() const;
  Tensor& set_requires_grad(bool on = true);
  bool is_leaf() const;   // not computed from tensors that require gradients
  Tensor detach() const;  // the same value without gradient history
  void backward(bool retain_graph = false, bool create_graph = false) const;  // of one element
  void backward(const Tensor& gradient, bool retain_graph = false, bool create_graph = false) const;
  Tensor grad() const;             // undefined until backward reaches this leaf
  void set_grad(const Tensor& g);  // an undefined gradient clears it
  size_t nbytes() const { return size_t(size()) * size_of(dtype()); }
  Ints strides() const;  // of the value, in elements; evaluates
  bool evaluated() const;

  const Tensor& eval() const;
  // The values in row-major order, converted to T. A conversion that loses kind is an error:
  // float64 to int is an error, int32 to double is not.
  template <class T> std::vector<T> to_vector() const;
  template <class T> T item() const;  // the single element
  // The memory itself: contiguous, read-only, valid while this tensor lives.
  template <class T> std::span<const T> data() const;
  const void* data_ptr() const;  // contiguous host memory
  void copy_to(void* out, DType as) const;

  Tensor operator()(std::vector<IndexItem> items) const;
  template <class... I> Tensor operator()(I&&... items) const;
  Tensor astype(DType t) const;
  Tensor reshape(Shape s) const;
  Tensor transpose() const;
  Tensor to_backend(std::string_view name) const;
  Tensor to_device(Device d) const;

  Tensor& operator+=(const Tensor& o);
  Tensor& operator-=(const Tensor& o);
  Tensor& operator*=(const Tensor& o);
  Tensor& operator/=(const Tensor& o);

  Node* node() const { return node_; }
  Node* steal() { return std::exchange(node_, nullptr); }

 private:
  Node* node_ = nullptr;
};

// Evaluates several tensors in one pass over the graph.
EMBER_API void eval(std::span<const Tensor> ts);
inline void eval(std::initializer_list<Tensor> ts) {
  eval(std::span<const Tensor>(ts.begin(), ts.size()));
}

// Nested lists: array({{1, 2}, {3, 4}}).
struct Nested {
  std::variant<bool, int64_t, double, std::complex<double>, std::vector<Nested>> value;
  Nested(bool v) : value(v) {}
  Nested(int v) : value(int64_t(v)) {}
  Nested(long v) : value(int64_t(v)) {}
  Nested(long long v) : value(int64_t(v)) {}
  Nested(float v) : value(double(v)) {}
  Nested(double v) : value(v) {}
  Nested(std::complex<double> v) : value(v) {}
  Nested(std::initializer_list<Nested> v) : value(std::vector<Nested>(v)) {}
  Nested(std::vector<Nested> v) : value(std::move(v)) {}
};
EMBER_API Tensor array(const Nested& values, std::optional<DType> dtype = {});
template <class T> Tensor array(std::span<const T> values, Shape shape);  // copies
template <class T> Tensor array(const std::vector<T>& values) {
  return array(std::span<const T>(values), {int64_t(values.size())});
}
EMBER_API Tensor from_data(const void* data, DType dtype, Shape shape);  // copies
// Shares the memory, which must not change. release(owner) is called when nobody reads it any more.
EMBER_API Tensor from_buffer(const void* data, DType dtype, Shape shape, void* owner,
                             void (*release)(void*), Ints strides = {});

// Indexing: x(1), x(slice(0, 3)), x(ellipsis, 0), x(newaxis), x(mask), x(indices).
struct All {};
inline constexpr struct Ellipsis {
} ellipsis;
inline constexpr struct NewAxis {
} newaxis;
inline constexpr All all_;
struct Range {
  std::optional<int64_t> start, stop;
  int64_t step = 1;
};
inline Range slice(std::optional<int64_t> start = {}, std::optional<int64_t> stop = {},
                   int64_t step = 1) {
  return {start, stop, step};
}
struct IndexItem : std::variant<int64_t, Range, Ellipsis, NewAxis, Tensor> {
  using variant::variant;
  IndexItem(int v) : variant(int64_t(v)) {}
  IndexItem(All) : variant(Range{}) {}
};
template <class... I> Tensor Tensor::operator()(I&&... items) const {
  return (*this)(std::vector<IndexItem>{IndexItem(std::forward<I>(items))...});
}
// The functional form of x[items] = value.
EMBER_API Tensor index_update(const Tensor& x, const std::vector<IndexItem>& items,
                              const Tensor& value);

// As NumPy prints it; a pending tensor shows its type only.
EMBER_API std::ostream& operator<<(std::ostream&, const Tensor&);
EMBER_API std::string to_string(const Tensor&);  // evaluates, then prints as NumPy does
struct PrintOptions;
EMBER_API std::string to_string(const Tensor&, const PrintOptions&);

// ---- only templates below ----
template <class T> std::vector<T> Tensor::to_vector() const {
  if constexpr (std::is_same_v<T, bool>) {
    std::vector<uint8_t> b(static_cast<size_t>(size()));
    copy_to(b.data(), DType::bool_);
    return {b.begin(), b.end()};
  } else {
    std::vector<T> v(static_cast<size_t>(size()));
    copy_to(v.data(), dtype_of<T>);
    return v;
  }
}
EMBER_API void require_one_element(const Tensor&);
template <class T> T Tensor::item() const {
  require_one_element(*this);
  T v{};
  copy_to(&v, dtype_of<T>);
  return v;
}
EMBER_API void require_dtype(const Tensor&, DType);
template <class T> std::span<const T> Tensor::data() const {
  require_dtype(*this, dtype_of<T>);
  return {static_cast<const T*>(data_ptr()), static_cast<size_t>(size())};
}
EMBER_API void require_size(size_t given, const Shape& shape);
template <class T> Tensor array(std::span<const T> values, Shape shape) {
  require_size(values.size(), shape);
  return from_data(values.data(), dtype_of<T>, std::move(shape));
}

}  // namespace ember
