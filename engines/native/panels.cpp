#include "engines/native/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engines/native/panels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <utility>

#include "engines/native/panels.h"

HWY_BEFORE_NAMESPACE();
namespace ember::native::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;
constexpr D d;
constexpr int lanes = int(hn::MaxLanes(d));
#if HWY_TARGET == HWY_AVX3 || HWY_ARCH_ARM_A64  // 32 registers
constexpr int max_rows = 14, max_pixels = 8;
#else
constexpr int max_rows = 6, max_pixels = 6;
#endif
#define EMBER_UNROLL _Pragma("GCC unroll 16")

HWY_INLINE V hold(V v, V low, V high) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR
  return hn::Min(high, hn::Max(low, v));  // of a NaN and a number, the second
#else
  v = hn::IfThenElse(hn::Lt(v, low), low, v);
  return hn::IfThenElse(hn::Gt(v, high), high, v);
#endif
}
// n: how many of the vector's floats exist.
HWY_INLINE V load_part(const float* p, int64_t n) {
  if (n >= lanes) return hn::LoadU(d, p);
  HWY_ALIGN float part[lanes] = {};
  for (int64_t i = 0; i < n; ++i) part[i] = p[i];
  return hn::Load(d, part);
}
HWY_INLINE void store_part(V v, float* p, int64_t n) {
  if (n >= lanes) return hn::StoreU(v, d, p);
#if HWY_TARGET == HWY_AVX3
  hn::BlendedStore(v, hn::FirstN(d, size_t(std::max<int64_t>(n, 0))), d, p);
#else
  HWY_ALIGN float part[lanes];
  hn::Store(v, d, part);
  for (int64_t i = 0; i < n; ++i) p[i] = part[i];
#endif
}

template <int M, int N>
HWY_NOINLINE void tile(const Product& p) {
  V sum[M][N];
  EMBER_UNROLL for (int v = 0; v < N; ++v) {
    const V bias = hn::LoadU(d, p.bias + v * lanes);
    EMBER_UNROLL for (int m = 0; m < M; ++m) sum[m][v] = bias;
  }
  const float *a = p.a, *b = p.panels;
  const int64_t lda = p.lda, step = p.step;
  for (int64_t k = p.depth; k > 0; --k, a += step, b += N * lanes) {
    V w[N];
    EMBER_UNROLL for (int v = 0; v < N; ++v) w[v] = hn::LoadU(d, b + v * lanes);
    EMBER_UNROLL for (int m = 0; m < M; ++m) {
      const V x = hn::Set(d, a[m * lda]);
      EMBER_UNROLL for (int v = 0; v < N; ++v) sum[m][v] = hn::MulAdd(x, w[v], sum[m][v]);
    }
  }
  const V low = hn::Set(d, p.end.low), high = hn::Set(d, p.end.high);
  EMBER_UNROLL for (int m = 0; m < M; ++m)
    EMBER_UNROLL for (int v = 0; v < N; ++v) sum[m][v] = hold(sum[m][v], low, high);
  if (const float* r = p.end.residual) {
    const V last_low = hn::Set(d, p.end.last_low), last_high = hn::Set(d, p.end.last_high);
    EMBER_UNROLL for (int m = 0; m < M; ++m)
      EMBER_UNROLL for (int v = 0; v < N; ++v)
        sum[m][v] = hold(hn::Add(sum[m][v], load_part(r + m * p.ldc + v * lanes, p.columns - v * lanes)), last_low, last_high);
  }
  float* c = p.c;
  if (p.columns >= N * lanes) {
    EMBER_UNROLL for (int m = 0; m < M; ++m)
      EMBER_UNROLL for (int v = 0; v < N; ++v) hn::StoreU(sum[m][v], d, c + m * p.ldc + v * lanes);
  } else {
    EMBER_UNROLL for (int m = 0; m < M; ++m)
      EMBER_UNROLL for (int v = 0; v < N; ++v) store_part(sum[m][v], c + m * p.ldc + v * lanes, p.columns - v * lanes);
  }
}

using Tile = void (*)(const Product&);
template <int N, int... M>
constexpr std::array<Tile, sizeof...(M)> tiles(std::integer_sequence<int, M...>) { return {tile<M + 1, N>...}; }
constexpr auto narrow = tiles<1>(std::make_integer_sequence<int, max_rows>()), wide = tiles<2>(std::make_integer_sequence<int, max_rows>());

}  // namespace

void multiply(const Product& all) {
  Product p = all;
  const int64_t count = (all.rows + max_rows - 1) / max_rows;
  for (int64_t first = 0; first < all.columns; first += 2 * lanes) {
    p.columns = all.columns - first;
    p.a = all.a, p.c = all.c + first, p.end.residual = all.end.residual ? all.end.residual + first : nullptr;
    const auto& kernels = p.columns <= lanes ? narrow : wide;
    for (int64_t t = 0; t < count; ++t) {
      const int64_t m = all.rows / count + (t < all.rows % count);  // about equal heights
      kernels[size_t(m - 1)](p);
      p.a += m * p.lda, p.c += m * p.ldc;
      if (p.end.residual) p.end.residual += m * p.ldc;
    }
    p.panels += p.depth * (p.columns <= lanes ? lanes : 2 * lanes), p.bias += 2 * lanes;
  }
}

namespace {

// P outputs side by side from x on, with those taps across that lie inside, one vector of channels after the other.
template <int P>
HWY_INLINE void pixels(const DepthwiseRow& w, int64_t x, int64_t first, int64_t end) {
  const V low = hn::Set(d, w.end.low), high = hn::Set(d, w.end.high);
  const V last_low = hn::Set(d, w.end.last_low), last_high = hn::Set(d, w.end.last_high);
  const int64_t step = w.stride * w.pixel, start = (x * w.stride - w.low) * w.pixel;
  for (int64_t at = 0; at < w.channels; at += lanes) {
    const int64_t c = std::min(at, w.channels - lanes);  // the last vector overlaps the one before
    V sum[P];
    const V bias = hn::LoadU(d, w.bias + c);
    EMBER_UNROLL for (int i = 0; i < P; ++i) sum[i] = bias;
    for (int64_t r = 0; r < w.down; ++r) {
      if (!w.rows[r]) continue;
      const float* in = w.rows[r] + start + c;
      for (int64_t k = first; k < end; ++k) {
        const V tap = hn::LoadU(d, w.weights + (r * w.across + k) * w.channels + c);
        const float* from = in + k * w.dilation * w.pixel;
        EMBER_UNROLL for (int i = 0; i < P; ++i) sum[i] = hn::MulAdd(hn::LoadU(d, from + i * step), tap, sum[i]);
      }
    }
    float* out = w.out + x * w.channels + c;
    EMBER_UNROLL for (int i = 0; i < P; ++i) sum[i] = hold(sum[i], low, high);
    if (w.end.residual)
      EMBER_UNROLL for (int i = 0; i < P; ++i)
        sum[i] = hold(hn::Add(sum[i], hn::LoadU(d, w.end.residual + (x + i) * w.channels + c)), last_low, last_high);
    EMBER_UNROLL for (int i = 0; i < P; ++i) hn::StoreU(sum[i], d, out + i * w.channels);
  }
}

// Fewer channels than a vector has lanes.
void pixel_of_few(const DepthwiseRow& w, int64_t x, int64_t first, int64_t end) {
  const auto held = [](float v, float low, float high) { return v < low ? low : v > high ? high : v; };
  for (int64_t c = 0; c < w.channels; ++c) {
    float sum = w.bias[c];
    for (int64_t r = 0; r < w.down; ++r)
      for (int64_t k = first; k < end && w.rows[r]; ++k)
        sum += w.rows[r][(x * w.stride - w.low + k * w.dilation) * w.pixel + c] * w.weights[(r * w.across + k) * w.channels + c];
    sum = held(sum, w.end.low, w.end.high);
    if (w.end.residual) sum = held(sum + w.end.residual[x * w.channels + c], w.end.last_low, w.end.last_high);
    w.out[x * w.channels + c] = sum;
  }
}

}  // namespace

void depthwise(const DepthwiseRow& w) {
  const auto at_least = [](int64_t v, int64_t step) { return v <= 0 ? 0 : (v + step - 1) / step; };
  const bool few = w.channels < lanes;
  // From `inner` to `outer`, no tap across is in the padding.
  const int64_t reach = (w.across - 1) * w.dilation;
  const int64_t inner = std::min(w.out_width, at_least(w.low, w.stride));
  const int64_t outer = std::clamp(at_least(w.width - reach + w.low, w.stride), inner, w.out_width);
  for (int64_t x = 0; x < w.out_width;) {
    if (!few && x >= inner && x + max_pixels <= outer) { pixels<max_pixels>(w, x, 0, w.across), x += max_pixels; continue; }
    if (!few && x >= inner && x + 3 <= outer) { pixels<3>(w, x, 0, w.across), x += 3; continue; }
    const int64_t place = x * w.stride - w.low;
    const int64_t first = std::min(w.across, at_least(-place, w.dilation)), end = std::clamp(at_least(w.width - place, w.dilation), first, w.across);
    few ? pixel_of_few(w, x, first, end) : pixels<1>(w, x, first, end);
    ++x;
  }
}

int64_t vector_lanes() { return lanes; }
int64_t tile_rows() { return max_rows; }

}  // namespace ember::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ember::native {
HWY_EXPORT(multiply);
HWY_EXPORT(depthwise);
HWY_EXPORT(vector_lanes);
HWY_EXPORT(tile_rows);
void multiply_panels(const Product& p) { HWY_DYNAMIC_DISPATCH(multiply)(p); }
void depthwise_row(const DepthwiseRow& w) { HWY_DYNAMIC_DISPATCH(depthwise)(w); }
int64_t panel_columns() { return 2 * HWY_DYNAMIC_DISPATCH(vector_lanes)(); }
int64_t panel_rows() { return HWY_DYNAMIC_DISPATCH(tile_rows)(); }
int64_t panels_size(int64_t depth, int64_t columns) {
  const int64_t half = panel_columns() / 2;
  return (columns + half - 1) / half * half * depth;
}
}  // namespace ember::native
#endif
