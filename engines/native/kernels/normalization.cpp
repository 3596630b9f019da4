// Softmax, layer normalization and its gradient, along rows. A row is prefetched while the one
// before is computed, stays in L1 for all passes over it, and is written once. After an elementwise
// op the bodies run in tile programs, which fuse it.
#include "engines/native/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engines/native/kernels/normalization.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "engines/native/kernels/iterate.h"
#include "engines/native/plan/plan.h"
#include "engines/native/tiles/tables.h"

#ifndef EMBER_NATIVE_ROWS
#define EMBER_NATIVE_ROWS
namespace ember::native {
// Rows of n elements. With `stream`, stores bypass the caches. Scale and bias (`affine`) are each a
// row and a cache line, or (step 0) a line of one value.
template <class T> struct Rows {
  const T* in;
  T *out, *spare;  // spare: room for a row, and a cache line
  int64_t count, n;
  bool stream;
  const T* affine[2];
  int64_t step[2];
  double eps;
};
inline constexpr int64_t short_row = 32,
                         short_rows = 64;  // rows up to this length are worked on so many at a time
struct GradientRows {
  const float *x, *g, *scale;
  float *out, *scale_sum, *bias_sum;  // sums and scale: of a row, and a cache line
  int64_t count, n;
  double eps;
};
}  // namespace ember::native
#endif

HWY_BEFORE_NAMESPACE();
namespace ember::native::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;
#include "engines/native/tiles/lanes-inl.h"
#include "engines/native/tiles/math-inl.h"

template <class T> using Tag = hn::ScalableTag<T>;
template <class T> constexpr int64_t width = int64_t(hn::MaxLanes(Tag<T>()));

// The elements from i on of a row of n; `rest` beyond its end.
template <class T> HWY_INLINE hn::Vec<Tag<T>> load(const T* x, int64_t i, int64_t n, T rest) {
  const Tag<T> d;
  if (HWY_LIKELY(i + width<T> <= n)) return hn::LoadU(d, x + i);
  HWY_ALIGN T tail[hn::MaxLanes(d)];
  std::fill_n(tail, width<T>, rest);
  std::copy_n(x + i, n - i, tail);
  return hn::Load(d, tail);
}
// Stores value(i) for all elements of a row.
template <class T, class F> HWY_INLINE void write(T* to, int64_t n, bool stream, F value) {
  const Tag<T> d;
  int64_t i = 0;
  if (stream) {
    for (; i + width<T> <= n; i += width<T>) hn::Stream(value(i), d, to + i);
  } else {
    for (; i + width<T> <= n; i += width<T>) hn::StoreU(value(i), d, to + i);
  }
  if (i == n) return;
  HWY_ALIGN T tail[hn::MaxLanes(d)];
  hn::Store(value(i), d, tail);
  std::copy_n(tail, n - i, to + i);
}

template <class T, class F> HWY_INLINE T fold(hn::Vec<Tag<T>>* acc, int64_t count, F f) {
  for (int64_t half = count / 2; half; half /= 2) {
    for (int64_t k = 0; k < half; ++k) acc[k] = f(acc[k], acc[k + half]);
  }
  return fold_lanes(Tag<T>(), acc[0], f);
}
// The sum of value(i), a vector for the elements from i on: in lanes of 256 bytes, and blocks of
// those in double, which gives the bits of a tile program's sum.
template <class T, class F> HWY_INLINE T sum(int64_t n, F value) {
  constexpr int64_t L = width<T>;
  constexpr int64_t count = int64_t(256 / sizeof(T)) / L;
  constexpr int64_t block = row_block;
  const Tag<T> d;
  double total = 0;
  for (int64_t from = 0; from < n; from += block) {
    const int64_t end = std::min(n, from + block);
    hn::Vec<Tag<T>> acc[count];
    for (auto& v : acc) v = hn::Zero(d);
    int64_t i = from;
    for (; i + count * L <= end; i += count * L) {
      for (int64_t k = 0; k < count; ++k) acc[k] = hn::Add(acc[k], value(i + k * L));
    }
    for (int64_t k = 0; i < end; ++k, i += L) {
      acc[k] = hn::Add(acc[k], hn::IfThenElseZero(hn::FirstN(d, size_t(end - i)), value(i)));
    }
    total += double(fold<T>(acc, count, [](auto a, auto b) HWY_ATTR { return hn::Add(a, b); }));
  }
  return T(total);
}
// Prefetches the next row to L2.
template <class T> HWY_INLINE void fetch(const T* x) { __builtin_prefetch(x, 0, 2); }

template <class T> void softmax_short(const Rows<T>& r);
template <class T> void softmax(const Rows<T>& r) {
  if (r.n <= short_row && r.count > 1) return softmax_short(r);
  constexpr int64_t L = width<T>;
  constexpr int64_t count = 4;
  constexpr T low = -std::numeric_limits<T>::infinity();
  const Tag<T> d;
  const int64_t n = r.n;
  T* e = r.spare;
  for (int64_t row = 0; row < r.count; ++row) {
    const T* x = r.in + row * n;
    hn::Vec<Tag<T>> most[count];
    for (auto& v : most) v = hn::Set(d, low);
    int64_t i = 0;
    for (; i + count * L <= n; i += count * L) {
      for (int64_t k = 0; k < count; ++k) most[k] = hn::Max(most[k], hn::LoadU(d, x + i + k * L));
    }
    for (; i < n; i += L) most[0] = hn::Max(most[0], load(x, i, n, low));
    const auto top =
        hn::Set(d, fold<T>(most, count, [](auto a, auto b) HWY_ATTR { return hn::Max(a, b); }));
    const T total = sum<T>(n, [&](int64_t at) HWY_ATTR {  // propagates a NaN that Max ignored
      fetch(x + n + at);
      const auto v = vm::exp(d, hn::Sub(load(x, at, n, T(0)), top));
      hn::Store(v, d, e + at);
      return v;
    });
    const auto factor = hn::Set(d, T(1) / total);
    write<T>(r.out + row * n, n, r.stream,
             [&](int64_t at) HWY_ATTR { return hn::Mul(hn::Load(d, e + at), factor); });
  }
  if (r.stream) hwy::FlushStream();
}

// Rows of a few elements, a vector of rows at a time: column k of `block` rows is a row of the
// scratch memory. Sums are those that `sum` gives for so short a row, where each element has a lane
// of its own.
template <class T> void softmax_short(const Rows<T>& r) {
  constexpr int64_t L = width<T>;
  constexpr int64_t block = short_rows;
  const Tag<T> d;
  const int64_t n = r.n;
  T* e = r.spare;
  for (int64_t first = 0; first < r.count; first += block) {
    const int64_t rows = std::min(block, r.count - first);
    const T* x = r.in + first * n;
    T* out = r.out + first * n;
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t k = 0; k < n; ++k) e[k * block + i] = x[i * n + k];
    }
    for (int64_t k = 0; k < n; ++k) std::fill(e + k * block + rows, e + (k + 1) * block, T(0));
    for (int64_t i = 0; i < rows; i += L) {
      auto top = hn::Load(d, e + i);
      for (int64_t k = 1; k < n; ++k) top = hn::Max(top, hn::Load(d, e + k * block + i));
      hn::Vec<Tag<T>> acc[short_row];
      for (int64_t k = 0; k < n; ++k) {
        acc[k] = vm::exp(d, hn::Sub(hn::Load(d, e + k * block + i),
                                    top));  // a NaN that Max passed over ends up in here
        hn::Store(acc[k], d, e + k * block + i);
      }
      for (int64_t half = short_row / 2; half; half /= 2) {
        for (int64_t k = 0; k + half < std::min(n, 2 * half); ++k) {
          acc[k] = hn::Add(acc[k], acc[k + half]);
        }
      }
      const auto factor = hn::Div(hn::Set(d, T(1)), acc[0]);
      for (int64_t k = 0; k < n; ++k) {
        hn::Store(hn::Mul(hn::Load(d, e + k * block + i), factor), d, e + k * block + i);
      }
    }
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t k = 0; k < n; ++k) out[i * n + k] = e[k * block + i];
    }
  }
}

template <class T> void layer_norm(const Rows<T>& r) {
  const Tag<T> d;
  const int64_t n = r.n;
  const T* scale = r.affine[0];
  const T* bias = r.affine[1];
  const int64_t scale_step = r.step[0];
  const int64_t bias_step = r.step[1];
  for (int64_t row = 0; row < r.count; ++row) {
    const T* x = r.in + row * n;
    const auto mean =
        hn::Set(d, sum<T>(n, [&](int64_t at) HWY_ATTR { return load(x, at, n, T(0)); }) / T(n));
    const T squares = sum<T>(n, [&](int64_t at) HWY_ATTR {
      fetch(x + n + at);
      const auto v = hn::Sub(load(x, at, n, T(0)), mean);
      return hn::Mul(v, v);
    });
    const auto factor = hn::Set(d, T(1) / std::sqrt(squares / T(n) + T(r.eps)));
    write<T>(r.out + row * n, n, r.stream, [&](int64_t at) HWY_ATTR {
      const auto v = hn::Mul(hn::Sub(load(x, at, n, T(0)), mean), factor);
      return hn::Add(hn::Mul(v, hn::LoadU(d, scale + at * scale_step)),
                     hn::LoadU(d, bias + at * bias_step));
    });
  }
  if (r.stream) hwy::FlushStream();
}
}  // namespace

// The gradients of x go out; those of scale and bias are added to sums.
void layer_norm_grad(const GradientRows& r) {
  using T = float;
  const Tag<T> d;
  const int64_t n = r.n;
  for (int64_t row = 0; row < r.count; ++row) {
    const T* x = r.x + row * n;
    const T* g = r.g + row * n;
    const auto scaled = [&](int64_t at) HWY_ATTR {
      return hn::Mul(load(g, at, n, T(0)), hn::LoadU(d, r.scale + at));
    };
    const auto mean =
        hn::Set(d, sum<T>(n, [&](int64_t at) HWY_ATTR { return load(x, at, n, T(0)); }) / T(n));
    const auto mean_g = hn::Set(d, sum<T>(n, scaled) / T(n));
    const auto minus_mean = [&](int64_t at)
                                HWY_ATTR { return hn::Sub(load(x, at, n, T(0)), mean); };
    const T squares = sum<T>(n, [&](int64_t at) HWY_ATTR {
      fetch(x + n + at);
      fetch(g + n + at);
      const auto v = minus_mean(at);
      return hn::Mul(v, v);
    });
    const T product =
        sum<T>(n, [&](int64_t at) HWY_ATTR { return hn::Mul(scaled(at), minus_mean(at)); });
    const T root = T(1) / std::sqrt(squares / T(n) + T(r.eps));
    const auto factor = hn::Set(d, root);
    const auto mean_gn = hn::Set(d, product / T(n) * root);
    write<T>(r.out + row * n, n, false, [&](int64_t at) HWY_ATTR {
      const auto v = hn::Mul(minus_mean(at), factor);
      const auto gv = load(g, at, n, T(0));
      hn::StoreU(hn::MulAdd(gv, v, hn::LoadU(d, r.scale_sum + at)), d, r.scale_sum + at);
      hn::StoreU(hn::Add(gv, hn::LoadU(d, r.bias_sum + at)), d, r.bias_sum + at);
      return hn::Mul(hn::Sub(hn::Sub(scaled(at), mean_g), hn::Mul(v, mean_gn)), factor);
    });
  }
}
void softmax_f32(const Rows<float>& r) { softmax(r); }
void softmax_f64(const Rows<double>& r) { softmax(r); }
void layer_norm_f32(const Rows<float>& r) { layer_norm(r); }
void layer_norm_f64(const Rows<double>& r) { layer_norm(r); }
}  // namespace ember::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ember::native {
HWY_EXPORT(softmax_f32);
HWY_EXPORT(softmax_f64);
HWY_EXPORT(layer_norm_f32);
HWY_EXPORT(layer_norm_f64);
HWY_EXPORT(layer_norm_grad);
namespace {
void softmax(const Rows<float>& r) { HWY_DYNAMIC_DISPATCH(softmax_f32)(r); }
void softmax(const Rows<double>& r) { HWY_DYNAMIC_DISPATCH(softmax_f64)(r); }
void layer_norm(const Rows<float>& r) { HWY_DYNAMIC_DISPATCH(layer_norm_f32)(r); }
void layer_norm(const Rows<double>& r) { HWY_DYNAMIC_DISPATCH(layer_norm_f64)(r); }

// Splits rows of n elements over threads. T is the type of the computation; 16-bit floats are
// converted row by row.
template <class T, class F> void each_rows(const Call& call, Rows<T> all, F f) {
  const Array& x = call.in[0];
  const Array& out = call.out[0];
  const int64_t n = all.n;
  const int64_t room = n + 64;
  const size_t bytes = size_t(n) * size_of(x.dtype);
  all.stream =
      bytes % 64 == 0 && bytes * size_t(x.size / n) >= stream_bytes && x.dtype == dtype_of<T>;
  split(x.size / n, grain_of(4 * n), [&](int64_t begin, int64_t end) {
    const Scratch<T> memory(std::max(4 * room, n <= short_row ? n * short_rows : 0));
    Rows<T> r = all;
    r.spare = memory.data();
    if (x.dtype == dtype_of<T>) {
      r.in = x.as<T>() + begin * n;
      r.out = out.as<T>() + begin * n;
      r.count = end - begin;
      return f(r);
    }
    T* wide = r.spare + room;
    T* narrow = wide + 2 * room;
    r.in = wide;
    r.out = wide + room;
    r.count = 1;
    for (int64_t i = begin; i < end; ++i) {
      std::memcpy(narrow, x.data + size_t(i) * bytes, bytes);
      cast_kernel(x.dtype, dtype_of<T>)(wide, narrow, nullptr, nullptr, 0, size_t(n));
      f(r);
      cast_kernel(dtype_of<T>, x.dtype)(narrow, r.out, nullptr, nullptr, 0, size_t(n));
      std::memcpy(out.data + size_t(i) * bytes, narrow, bytes);
    }
  });
}
template <class F> void visit_compute_type(DType t, F&& f) {
  if (t == DType::float64) {
    f(double());
  } else {
    f(float());
  }
}

void run_softmax(const Call& call) {
  visit_compute_type(call.in[0].dtype, [&]<class T>(T) {
    Rows<T> r{};
    r.n = call.in[0].shape.back();
    each_rows<T>(call, r, [](const Rows<T>& rows) { softmax(rows); });
  });
}

void run_layer_norm(const Call& call) {
  const Array& x = call.in[0];
  const NormAttr& a = call.attrs.as<NormAttr>();
  visit_compute_type(x.dtype, [&]<class T>(T) {
    Rows<T> r{};
    r.eps = a.eps;
    r.n = size_of(x.shape.last(a.axes.size()));
    Scratch<T> memory(2 * (r.n + 64));
    for (size_t k = 0; k < 2; ++k) {
      const Array& p = call.in[k + 1];
      T* row = memory.data() + int64_t(k) * (r.n + 64);
      visit_dtype(p.dtype, [&]<class P>(P) {
        if constexpr (!is_complex_type<P>) {
          for (int64_t i = 0; i < (p.size == 1 ? 64 : r.n); ++i) {
            row[i] = T(widen(p.as<P>()[p.size == 1 ? 0 : i]));
          }
        }
      });
      r.affine[k] = row;
      r.step[k] = p.size != 1;
    }
    each_rows<T>(call, r, [](const Rows<T>& rows) { layer_norm(rows); });
  });
}

// Sums over rows are split into pieces that depend on the shape only.
void run_layer_norm_grad(const Call& call) {
  const Array& x = call.in[1];
  const Array& scale = call.in[2];
  const NormAttr& a = call.attrs.as<NormAttr>();
  const int64_t n = size_of(x.shape.last(a.axes.size()));
  const int64_t count = x.size / n;
  const int64_t room = n + 64;
  const int64_t rows = std::max<int64_t>(64, (count + 63) / 64);
  const int64_t pieces = (count + rows - 1) / rows;
  const Scratch<float> sums(pieces * 2 * room);
  const Scratch<float> factors(room);
  for (int64_t i = 0; i < room; ++i) {
    factors[i] = scale.as<float>()[scale.size == 1 ? 0 : std::min(i, n - 1)];
  }
  float* const x_grad = call.out[0].as<float>();
  float* const scale_grad = call.out[1].as<float>();
  float* const bias_grad = call.out[2].as<float>();
  split(pieces, grain_of(8 * n * rows), [&](int64_t begin, int64_t end) {
    for (int64_t p = begin; p < end; ++p) {
      float* const sum = sums.data() + p * 2 * room;
      std::fill_n(sum, 2 * room, 0.0f);
      const int64_t first = p * rows * n;
      HWY_DYNAMIC_DISPATCH(layer_norm_grad)({x.as<float>() + first, call.in[0].as<float>() + first,
                                             factors.data(), x_grad + first, sum, sum + room,
                                             std::min(rows, count - p * rows), n, a.eps});
    }
  });
  const Scratch<double> total(2 * room);
  std::fill_n(total.data(), 2 * room, 0.0);
  for (int64_t p = 0; p < pieces; ++p) {
    for (int64_t i = 0; i < 2 * room; ++i) total[i] += double(sums[p * 2 * room + i]);
  }
  for (int64_t i = 0; i < n; ++i) {
    scale_grad[i] = float(total[i]);
    bias_grad[i] = float(total[room + i]);
  }
}

// A body in elementwise ops fuses with an elementwise producer, which is faster than this kernel.
Support supports_rows(const SliceNode& n, const Slice& s) {
  if (size_of(std::span<const int64_t>(n.shape)) == 0) return "no elements";
  if (is_elementwise(s.nodes[n.in[0]].op)) return "the body fuses with the input's op";
  return {};
}
Support supports_softmax(const SliceNode& n, const Slice& s) {
  if (n.attrs.as<AxisAttr>().axis != int64_t(n.shape.size()) - 1) {
    return "the kernel is for the last axis";
  }
  return supports_rows(n, s);
}
// One value, or one to each element of a row, which is the last axes of x.
bool fits_rows(const Shape& p, const Shape& x, size_t axes) {
  if (size_of(std::span<const int64_t>(p)) == 1) return true;
  for (size_t i = 1; i <= x.size(); ++i) {
    if ((i <= p.size() ? p[p.size() - i] : 1) != (i <= axes ? x[x.size() - i] : 1)) return false;
  }
  return true;
}
constexpr const char* needs_row_weights =
    "the kernel needs a scale and a bias of one element, or of the normalized shape";
bool are_last(const Ints& axes, const Shape& x) {
  for (size_t k = 0; k < axes.size(); ++k) {
    if (axes[k] != int64_t(x.size() - axes.size() + k)) return false;
  }
  return !axes.empty();
}
Support supports_layer_norm(const SliceNode& n, const Slice& s) {
  const Ints& axes = n.attrs.as<NormAttr>().axes;
  if (!are_last(axes, n.shape)) return "the kernel is for the last axes";
  for (size_t k = 1; k < 3; ++k) {
    if (!fits_rows(s.nodes[n.in[k]].shape, n.shape, axes.size())) return needs_row_weights;
  }
  return supports_rows(n, s);
}
Support supports_layer_norm_grad(const SliceNode& n, const Slice& s) {
  for (uint32_t k : n.in) {
    if (s.nodes[k].dtype != DType::float32) return "the kernel is for float32";
  }
  const Shape& x = s.nodes[n.in[1]].shape;
  const Ints& axes = n.attrs.as<NormAttr>().axes;
  if (size_of(std::span<const int64_t>(x)) == 0) return "no elements";
  if (!are_last(axes, x)) return "the kernel is for the last axes";
  return fits_rows(s.nodes[n.in[2]].shape, x, axes.size()) ? Support() : needs_row_weights;
}

const KernelRow rows[] = {
    {OpId::softmax, run_softmax, true, supports_softmax},
    {OpId::layer_norm, run_layer_norm, true, supports_layer_norm},
    {OpId::layer_norm_grad, run_layer_norm_grad, true, supports_layer_norm_grad},
};
}  // namespace

std::span<const KernelRow> normalization_kernels() { return rows; }

}  // namespace ember::native
#endif
