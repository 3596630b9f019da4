// What a node knows beside its inputs. A few small structs shared by families; each lists its
// fields once, and hashing, equality, printing and the cache key follow from the list.
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

enum class Mode : int64_t {
  none,
  set,
  add,
  mul,
  max,
  min,
  mean,
  l2,
  softmax
};  // how values combine in scatter and pool

struct AxesAttr {
  Ints axes;
  bool keepdims = false;
  double correction = 0;  // reductions; transpose's permutation; correction: var
  template <class F> void each(F&& f) const {
    f("axes", axes);
    f("keepdims", int64_t(keepdims));
    f("correction", correction);
  }
};
struct AxisAttr {
  int64_t axis = -1;
  bool flag = false;
  bool stable = true;  // flag: sort descending, argmax keepdims, searchsorted right, scan reverse
  template <class F> void each(F&& f) const {
    f("axis", axis);
    f("flag", int64_t(flag));
    f("stable", int64_t(stable));
  }
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
struct FlagAttr {
  int64_t flag = 0;
  double value = 0;  // svd full, triangular upper (1) unit (2) transposed (4), gelu tanh, attention
                     // causal and scale
  template <class F> void each(F&& f) const {
    f("flag", flag);
    f("value", value);
  }
};

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
#define EMBER_ATTR(T) template <> EMBER_API const void* AttrBox<T>::id();
EMBER_ATTR(AxesAttr)
EMBER_ATTR(AxisAttr)
EMBER_ATTR(SliceAttr)
EMBER_ATTR(StridedAttr)
EMBER_ATTR(PadAttr)
EMBER_ATTR(ScatterAttr)
EMBER_ATTR(ConvAttr)
EMBER_ATTR(PoolAttr)
EMBER_ATTR(NormAttr)
EMBER_ATTR(FftAttr)
EMBER_ATTR(FlagAttr)
#undef EMBER_ATTR

}  // namespace ember
