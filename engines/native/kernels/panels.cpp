#include "engines/native/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engines/native/kernels/panels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "engines/native/kernels/panels.h"
#include "engines/native/tiles/tables.h"

HWY_BEFORE_NAMESPACE();
namespace ember::native::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;
#include "engines/native/tiles/lanes-inl.h"
#include "engines/native/tiles/math-inl.h"
using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;
constexpr D d;
constexpr int lanes = int(hn::MaxLanes(d)), line = 16;  // floats
#if HWY_TARGET == HWY_AVX3 || HWY_ARCH_ARM_A64          // 32 registers
constexpr int max_rows = 14;
#else
constexpr int max_rows = 6;
#endif

HWY_INLINE V clamp(V v, V low, V high) {
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
#if HWY_TARGET == HWY_AVX3
  return hn::MaskedLoad(hn::FirstN(d, size_t(std::max<int64_t>(n, 0))), d, p);
#endif
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

// Prefetches lines from `ahead` on, one for each step of the depth.
template <int M, int N> HWY_NOINLINE void tile(const Product& p, const float* ahead) {
  V sum[M][N];
  EMBER_UNROLL
  for (int v = 0; v < N; ++v) {
    const V bias = hn::LoadU(d, p.bias + v * lanes);
    EMBER_UNROLL
    for (int m = 0; m < M; ++m) sum[m][v] = bias;
  }
  const float* runs = p.a;
  const float* b = p.panels;
  const int64_t lda = p.lda;
  const int64_t step = p.step;
  for (int64_t left = p.depth; left > 0; left -= p.run, runs += p.next) {
    const float* a = runs;
    _Pragma("GCC unroll 2") for (int64_t k = p.run; k > 0;
                                 --k, a += step, b += N * lanes, ahead += line) {
      __builtin_prefetch(ahead, 0, 2);
      V w[N];
      EMBER_UNROLL
      for (int v = 0; v < N; ++v) w[v] = hn::LoadU(d, b + v * lanes);
      EMBER_UNROLL
      for (int m = 0; m < M; ++m) {
        const V x = hn::Set(d, a[m * lda]);
        EMBER_UNROLL
        for (int v = 0; v < N; ++v) sum[m][v] = hn::MulAdd(x, w[v], sum[m][v]);
      }
    }
  }
  if (p.epilogue.low != -Epilogue::infinity || p.epilogue.high != Epilogue::infinity) {
    const V low = hn::Set(d, p.epilogue.low);
    const V high = hn::Set(d, p.epilogue.high);
    EMBER_UNROLL
    for (int m = 0; m < M; ++m) {
      EMBER_UNROLL
      for (int v = 0; v < N; ++v) sum[m][v] = clamp(sum[m][v], low, high);
    }
  }
  if (const float* r = p.epilogue.residual) {
    const V last_low = hn::Set(d, p.epilogue.last_low);
    const V last_high = hn::Set(d, p.epilogue.last_high);
    EMBER_UNROLL
    for (int m = 0; m < M; ++m) {
      EMBER_UNROLL
      for (int v = 0; v < N; ++v)
        sum[m][v] =
            clamp(hn::Add(sum[m][v], load_part(r + m * p.ldc + v * lanes, p.columns - v * lanes)),
                  last_low, last_high);
    }
  }
  float* c = p.c;
  if (p.columns >= N * lanes) {
    EMBER_UNROLL
    for (int m = 0; m < M; ++m) {
      EMBER_UNROLL
      for (int v = 0; v < N; ++v) hn::StoreU(sum[m][v], d, c + m * p.ldc + v * lanes);
    }
  } else {
    EMBER_UNROLL
    for (int m = 0; m < M; ++m) {
      EMBER_UNROLL
      for (int v = 0; v < N; ++v)
        store_part(sum[m][v], c + m * p.ldc + v * lanes, p.columns - v * lanes);
    }
  }
}

// Applies the GELU to a tile that was just stored.
HWY_NOINLINE void apply_gelu(const Product& p, int64_t rows, int64_t columns) {
  const V factor = hn::Set(d, p.epilogue.factor);
  const V divisor = hn::Set(d, p.epilogue.divisor);
  const V half = hn::Set(d, p.epilogue.half);
  for (int64_t m = 0; m < rows; ++m) {
    for (int64_t v = 0; v < columns; v += lanes) {
      float* const c = p.c + m * p.ldc + v;
      const V x = load_part(c, columns - v);
      const V scaled = hn::Mul(x, factor);
      store_part(hn::Mul(hn::Mul(x, half),
                         vm::erfc(d, p.epilogue.divisor == 1 ? scaled : hn::Div(scaled, divisor))),
                 c, columns - v);
    }
  }
}

using Tile = void (*)(const Product&, const float*);
template <int N, int... M>
constexpr std::array<Tile, sizeof...(M)> tiles(std::integer_sequence<int, M...>) {
  return {tile<M + 1, N>...};
}
constexpr auto narrow = tiles<1>(std::make_integer_sequence<int, max_rows>()),
               wide = tiles<2>(std::make_integer_sequence<int, max_rows>());

}  // namespace

void multiply(const Product& all) {
  Product p = all;
  const int64_t count = (all.rows + max_rows - 1) / max_rows;
  for (int64_t first = 0; first < all.columns; first += 2 * lanes) {
    p.columns = all.columns - first;
    p.a = all.a;
    p.c = all.c + first;
    p.epilogue.residual = all.epilogue.residual ? all.epilogue.residual + first : nullptr;
    const auto& kernels = p.columns <= lanes ? narrow : wide;
    const float* const next = p.panels + p.depth * (p.columns <= lanes ? lanes : 2 * lanes);
    for (int64_t t = 0; t < count; ++t) {
      const int64_t m = all.rows / count + (t < all.rows % count);  // about equal heights
      const int64_t fetched = t * p.depth * line;  // floats of the next panel that are prefetched
      kernels[size_t(m - 1)](p, fetched < next - p.panels ? next + fetched : p.panels);
      if (p.epilogue.gelu) apply_gelu(p, m, std::min<int64_t>(p.columns, 2 * lanes));
      p.a += m * p.lda;
      p.c += m * p.ldc;
      if (p.epilogue.residual) p.epilogue.residual += m * p.ldc;
    }
    p.panels = next;
    p.bias += 2 * lanes;
  }
}

namespace {

// Calls f(pixel of the input, weights) for the taps of output x outside the padding.
template <class F> HWY_INLINE void each_tap(const DepthwiseRow& w, int64_t x, F&& f) {
  for (int64_t r = 0; r < w.down; ++r) {
    for (int64_t k = 0; k < w.across && w.rows[r]; ++k) {
      const int64_t at = x * w.stride - w.low + k * w.dilation;
      if (at >= 0 && at < w.width) {
        f(w.rows[r] + at * w.pixel, w.weights + (r * w.across + k) * w.channels);
      }
    }
  }
}

// Computes P neighbouring outputs from x on, one vector of channels at a time. A column of the
// input is loaded once for all taps that read it.
template <int P, int K, int S> HWY_NOINLINE void pixels(const DepthwiseRow& w, int64_t x) {
  constexpr int columns = (P - 1) * S + K;
  const V low = hn::Set(d, w.epilogue.low);
  const V high = hn::Set(d, w.epilogue.high);
  const V last_low = hn::Set(d, w.epilogue.last_low);
  const V last_high = hn::Set(d, w.epilogue.last_high);
  const int64_t left = x * S - w.low;
  const int64_t begin = std::max<int64_t>(-left, 0);
  const int64_t end = w.width - left;  // columns outside the padding
  for (int64_t at = 0; at < w.channels; at += lanes) {
    const int64_t c = std::min(at, w.channels - lanes);  // the last vector overlaps the one before
    V sum[P];
    const V bias = hn::LoadU(d, w.bias + c);
    EMBER_UNROLL
    for (int i = 0; i < P; ++i) sum[i] = bias;
    const float* taps = w.weights + c;
    for (int64_t r = 0; r < w.down; ++r, taps += K * w.channels) {
      if (!w.rows[r]) continue;
      const float* in = w.rows[r] + left * w.pixel + c;
      V tap[K];
      EMBER_UNROLL
      for (int k = 0; k < K; ++k) tap[k] = hn::LoadU(d, taps + k * w.channels);
      EMBER_UNROLL
      for (int j = 0; j < columns; ++j) {
        if (j < begin || j >= end) continue;
        const V v = hn::LoadU(d, in + j * w.pixel);
        EMBER_UNROLL
        for (int i = 0; i < P; ++i)
          if (j - i * S >= 0 && j - i * S < K) {
            sum[i] = hn::MulAdd(v, tap[(j - i * S) % K], sum[i]);
          }
      }
    }
    float* out = w.out + x * w.channels + c;
    EMBER_UNROLL
    for (int i = 0; i < P; ++i) sum[i] = clamp(sum[i], low, high);
    if (w.epilogue.residual) {
      EMBER_UNROLL
      for (int i = 0; i < P; ++i) {
        sum[i] =
            clamp(hn::Add(sum[i], hn::LoadU(d, w.epilogue.residual + (x + i) * w.channels + c)),
                  last_low, last_high);
      }
    }
    EMBER_UNROLL
    for (int i = 0; i < P; ++i) hn::StoreU(sum[i], d, out + i * w.channels);
  }
}

// The same for one output, with any number of taps and any dilation.
void pixel(const DepthwiseRow& w, int64_t x) {
  const V low = hn::Set(d, w.epilogue.low);
  const V high = hn::Set(d, w.epilogue.high);
  const V last_low = hn::Set(d, w.epilogue.last_low);
  const V last_high = hn::Set(d, w.epilogue.last_high);
  for (int64_t at = 0; at < w.channels; at += lanes) {
    const int64_t c = std::min(at, w.channels - lanes);
    V sum = hn::LoadU(d, w.bias + c);
    each_tap(w, x, [&](const float* in, const float* tap) HWY_ATTR {
      sum = hn::MulAdd(hn::LoadU(d, in + c), hn::LoadU(d, tap + c), sum);
    });
    sum = clamp(sum, low, high);
    if (w.epilogue.residual) {
      sum = clamp(hn::Add(sum, hn::LoadU(d, w.epilogue.residual + x * w.channels + c)), last_low,
                  last_high);
    }
    hn::StoreU(sum, d, w.out + x * w.channels + c);
  }
}

// For fewer channels than a vector has lanes.
void pixel_of_few(const DepthwiseRow& w, int64_t x) {
  const auto clamp_scalar = [](float v, float low, float high) {
    return v < low ? low : v > high ? high : v;
  };
  for (int64_t c = 0; c < w.channels; ++c) {
    float sum = w.bias[c];
    each_tap(w, x, [&](const float* in, const float* tap) { sum += in[c] * tap[c]; });
    sum = clamp_scalar(sum, w.epilogue.low, w.epilogue.high);
    if (w.epilogue.residual) {
      sum = clamp_scalar(sum + w.epilogue.residual[x * w.channels + c], w.epilogue.last_low,
                         w.epilogue.last_high);
    }
    w.out[x * w.channels + c] = sum;
  }
}

using Pixels = void (*)(const DepthwiseRow&, int64_t);
constexpr int max_pixels = 7;
template <int K, int S, int... P>
constexpr std::array<Pixels, sizeof...(P)> runs(std::integer_sequence<int, P...>) {
  return {pixels<P + 1, K, S>...};
}
template <int K, int S>
constexpr auto runs_of = runs<K, S>(std::make_integer_sequence<int, max_pixels>());

}  // namespace

void depthwise(const DepthwiseRow& w) {
  const Pixels* run = nullptr;
  if (w.channels >= lanes && w.dilation == 1 && w.stride <= 2) {
    if (w.across == 3) run = (w.stride == 1 ? runs_of<3, 1> : runs_of<3, 2>).data();
    if (w.across == 5) run = (w.stride == 1 ? runs_of<5, 1> : runs_of<5, 2>).data();
  }
  const Pixels one = w.channels < lanes ? pixel_of_few : pixel;
  const int64_t count = run ? (w.out_width + max_pixels - 1) / max_pixels : w.out_width;
  for (int64_t t = 0, x = 0; t < count; ++t) {
    const int64_t n = w.out_width / count + (t < w.out_width % count);  // about equal lengths
    (run ? run[n - 1] : one)(w, x);
    x += n;
  }
}

void pack(const float* from, int64_t row, int64_t depth, int64_t columns, float* to) {
  for (int64_t k = 0; k < depth; ++k, from += row) {
    for (int64_t at = 0; at < columns && k + 8 < depth; at += 16) {
      __builtin_prefetch(from + 8 * row + at);
    }  // rows may be far apart
    for (int64_t at = 0; at < columns; at += 2 * lanes) {
      float* const c = to + at * depth + k * (columns - at <= lanes ? lanes : 2 * lanes);
      hn::StoreU(load_part(from + at, columns - at), d, c);
      if (columns - at > lanes) {
        hn::StoreU(load_part(from + at + lanes, columns - at - lanes), d, c + lanes);
      }
    }
  }
}

void transpose(const float* from, int64_t row, int64_t rows, int64_t depth, float* to,
               int64_t width) {
  constexpr int64_t w = square<float>;
  constexpr int64_t strip = 16;  // few enough rows to prefetch, enough to write whole lines
  const int64_t done = depth / w * w;
  const int64_t whole = rows / w * w;
  for (int64_t first = 0; first < whole; first += strip) {
    for (int64_t k = 0; k < done; k += w) {
      for (int64_t j = first; j < std::min(whole, first + strip); j += w) {
        turn(from + j * row + k, row, [&](int64_t i) { return to + (k + i) * width + j; });
      }
    }
  }
  for (int64_t k = 0; k < depth; ++k) {
    for (int64_t j = k < done ? whole : 0; j < rows; ++j) to[k * width + j] = from[j * row + k];
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
HWY_EXPORT(pack);
HWY_EXPORT(transpose);
HWY_EXPORT(vector_lanes);
HWY_EXPORT(tile_rows);
void multiply_panels(const Product& p) { HWY_DYNAMIC_DISPATCH(multiply)(p); }
void depthwise_row(const DepthwiseRow& w) { HWY_DYNAMIC_DISPATCH(depthwise)(w); }
void pack_rows(const float* from, int64_t row, int64_t depth, int64_t columns, float* to) {
  HWY_DYNAMIC_DISPATCH(pack)(from, row, depth, columns, to);
}
void transpose_rows(const float* from, int64_t row, int64_t rows, int64_t depth, float* to,
                    int64_t width) {
  HWY_DYNAMIC_DISPATCH(transpose)(from, row, rows, depth, to, width);
}
void pack_columns(const float* from, int64_t column, int64_t depth, int64_t columns, float* to) {
  const int64_t panel = panel_columns();
  for (int64_t first = 0; first < columns; first += panel) {
    const int64_t wide = columns - first <= panel / 2 ? panel / 2 : panel;
    const int64_t n = std::min(wide, columns - first);
    transpose_rows(from + first * column, column, n, depth, to, wide);
    for (int64_t k = 0; k < depth; ++k, to += wide) std::fill(to + n, to + wide, 0.0f);
  }
}
int64_t panel_columns() { return 2 * HWY_DYNAMIC_DISPATCH(vector_lanes)(); }
int64_t panel_rows() { return HWY_DYNAMIC_DISPATCH(tile_rows)(); }
int64_t panels_size(int64_t depth, int64_t columns) {
  const int64_t half = panel_columns() / 2;
  return (columns + half - 1) / half * half * depth;
}
}  // namespace ember::native
#endif
