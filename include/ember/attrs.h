// The attributes of a node: one struct for each meaning, shared by the ops that agree on it. A
// struct lists its fields in each(), from which hashing, equality, printing and the cache key
// follow.
#pragma once
#include <atomic>
#include <ostream>

#include "ember/dtype.h"
#include "ember/shape.h"

namespace ember {

// Receives the fields of an attribute struct in order.
struct EMBER_API FieldVisitor {
  virtual ~FieldVisitor() = default;
  virtual void field(const char* name, int64_t) = 0;
  virtual void field(const char* name, double) = 0;
  virtual void field(const char* name, const Ints&) = 0;
};

// How scatter and pool combine values.
enum class Mode : int64_t { none, set, add, mul, max, min, mean, l2, softmax };

struct AxisAttr {  // softmax, concat, take ...
  int64_t axis = -1;
  template <class F> void each(F&& f) const { f("axis", axis); }
};
struct ReductionAttr {
  Ints axes;
  bool keepdims = false;
  double correction = 0;  // var alone
  template <class F> void each(F&& f) const {
    f("axes", axes);
    f("keepdims", int64_t(keepdims));
    f("correction", correction);
  }
};
struct ArgReductionAttr {  // argmax, argmin
  int64_t axis = -1;
  bool keepdims = false;
  template <class F> void each(F&& f) const {
    f("axis", axis);
    f("keepdims", int64_t(keepdims));
  }
};
struct ScanAttr {
  int64_t axis = -1;
  bool reverse = false;
  template <class F> void each(F&& f) const {
    f("axis", axis);
    f("reverse", int64_t(reverse));
  }
};
struct SortAttr {
  int64_t axis = -1;
  bool descending = false;
  bool stable = true;
  template <class F> void each(F&& f) const {
    f("axis", axis);
    f("descending", int64_t(descending));
    f("stable", int64_t(stable));
  }
};
struct SearchAttr {
  bool right = false;  // the place after equal elements, not the one before them
  template <class F> void each(F&& f) const { f("right", int64_t(right)); }
};
struct PermutationAttr {
  Ints axes;  // axis d of the result is axis axes[d] of the input
  template <class F> void each(F&& f) const { f("axes", axes); }
};
struct SliceAttr {
  Ints starts, steps;  // starts are parameters: they do not enter the cache key
  template <class F> void each(F&& f) const {
    f("starts", starts);
    f("steps", steps);
  }
};
struct StridedAttr {
  Ints strides;
  int64_t offset = 0;  // in elements of a contiguous input
  template <class F> void each(F&& f) const {
    f("strides", strides);
    f("offset", offset);
  }
};
struct PadAttr {
  Ints low, high;  // constant padding; the value is the second input
  template <class F> void each(F&& f) const {
    f("low", low);
    f("high", high);
  }
};
struct ScatterAttr {
  int64_t axis = 0;
  Mode mode = Mode::set;
  template <class F> void each(F&& f) const {
    f("axis", axis);
    f("mode", int64_t(mode));
  }
};
struct ConvAttr {
  Ints strides, low, high, dilation, input_dilation;
  int64_t groups = 1;  // x: N C spatial, w: O C/groups spatial, no flip
  template <class F> void each(F&& f) const {
    f("strides", strides);
    f("low", low);
    f("high", high);
    f("dilation", dilation);
    f("input_dilation", input_dilation);
    f("groups", groups);
  }
};
struct PoolAttr {
  Mode mode = Mode::max;
  Ints window, strides, low, high, dilation;
  bool count_padding = false;  // x: N C spatial
  template <class F> void each(F&& f) const {
    f("mode", int64_t(mode));
    f("window", window);
    f("strides", strides);
    f("low", low);
    f("high", high);
    f("dilation", dilation);
    f("count_padding", int64_t(count_padding));
  }
};
struct NormAttr {
  Ints axes;
  double eps = 1e-5;
  template <class F> void each(F&& f) const {
    f("axes", axes);
    f("eps", eps);
  }
};
struct FftAttr {
  int64_t axis = -1, n = 0;
  bool inverse = false;
  double scale = 1;  // n: the length of the transform
  template <class F> void each(F&& f) const {
    f("axis", axis);
    f("n", n);
    f("inverse", int64_t(inverse));
    f("scale", scale);
  }
};
struct GeluAttr {
  bool tanh = false;  // the approximation by tanh
  template <class F> void each(F&& f) const { f("tanh", int64_t(tanh)); }
};
struct AttentionAttr {
  bool causal = false;
  double scale = 1;
  template <class F> void each(F&& f) const {
    f("causal", int64_t(causal));
    f("scale", scale);
  }
};
struct TriangleAttr {  // cholesky, eigh
  bool upper = false;
  template <class F> void each(F&& f) const { f("upper", int64_t(upper)); }
};
struct TriangularSolveAttr {
  bool upper = false;
  bool unit_diagonal = false;
  bool transposed = false;
  template <class F> void each(F&& f) const {
    f("upper", int64_t(upper));
    f("unit_diagonal", int64_t(unit_diagonal));
    f("transposed", int64_t(transposed));
  }
};
struct QrAttr {
  bool complete = false;  // q is square
  template <class F> void each(F&& f) const { f("complete", int64_t(complete)); }
};
struct SvdAttr {
  bool full_matrices = false;
  template <class F> void each(F&& f) const { f("full_matrices", int64_t(full_matrices)); }
};

// Every attribute struct.
#define EMBER_ATTRS(X)   \
  X(AxisAttr)            \
  X(ReductionAttr)       \
  X(ArgReductionAttr)    \
  X(ScanAttr)            \
  X(SortAttr)            \
  X(SearchAttr)          \
  X(PermutationAttr)     \
  X(SliceAttr)           \
  X(StridedAttr)         \
  X(PadAttr)             \
  X(ScatterAttr)         \
  X(ConvAttr)            \
  X(PoolAttr)            \
  X(NormAttr)            \
  X(FftAttr)             \
  X(GeluAttr)            \
  X(AttentionAttr)       \
  X(TriangleAttr)        \
  X(TriangularSolveAttr) \
  X(QrAttr)              \
  X(SvdAttr)

struct EMBER_API AttrBase {
  virtual ~AttrBase() = default;
  virtual void visit(FieldVisitor&) const = 0;
  mutable std::atomic<uint32_t> refs{1};
  const void* kind = nullptr;
};

// A counted handle to an immutable attribute struct, or nothing.
class Attrs {
 public:
  Attrs() = default;
  template <class T, class = decltype(&T::template each<FieldVisitor>)> Attrs(T v);
  Attrs(const Attrs& o) : p_(o.p_) {
    if (p_) p_->refs.fetch_add(1, std::memory_order_relaxed);
  }
  Attrs(Attrs&& o) noexcept : p_(std::exchange(o.p_, nullptr)) {}
  Attrs& operator=(Attrs o) noexcept {
    std::swap(p_, o.p_);
    return *this;
  }
  ~Attrs() {
    if (p_ && p_->refs.fetch_sub(1, std::memory_order_acq_rel) == 1) delete p_;
  }
  explicit operator bool() const { return p_; }
  template <class T> const T& as() const;  // StateError when it holds another struct
  void visit(FieldVisitor& v) const {
    if (p_) p_->visit(v);
  }

 private:
  const AttrBase* p_ = nullptr;
};

template <class T> struct AttrBox final : AttrBase {
  explicit AttrBox(T v) : value(std::move(v)) { kind = id(); }
  void visit(FieldVisitor& f) const override {
    value.each([&](const char* n, const auto& v) { f.field(n, v); });
  }
  static const void* id();  // one address per struct, in libember: plug-ins compare it
  T value;
};
template <class T, class> Attrs::Attrs(T v) : p_(new AttrBox<T>(std::move(v))) {}
template <class T> const T& Attrs::as() const {
  if (!p_ || p_->kind != AttrBox<T>::id()) throw StateError("attributes of another kind");
  return static_cast<const AttrBox<T>*>(p_)->value;
}
#define EMBER_DECLARE_ID(T) template <> EMBER_API const void* AttrBox<T>::id();
EMBER_ATTRS(EMBER_DECLARE_ID)
#undef EMBER_DECLARE_ID

}  // namespace ember
