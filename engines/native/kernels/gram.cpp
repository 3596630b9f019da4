// x.T x of a tall x. Rows are packed a block at a time, in panels of one vector's columns, and the
// panels serve as both factors.
#include "engines/native/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engines/native/kernels/gram.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include "engines/native/kernels/panels.h"
#include "engines/native/kernels/scratch.h"

#ifndef EMBER_NATIVE_GRAM
#define EMBER_NATIVE_GRAM
namespace ember::native {
inline constexpr int64_t
    gram_rows = 128,
    gram_pitch = gram_rows +
                 4;  // of a block; of a panel, so that panels start in different sets of the cache
}
#endif

HWY_BEFORE_NAMESPACE();
namespace ember::native::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;
constexpr D d;
constexpr int lanes = int(hn::MaxLanes(d));
constexpr int64_t tile_size = lanes * lanes;

// c += a.T b for two panels.
HWY_NOINLINE void add_tile(const float* a, const float* b, int64_t rows, float* c) {
  V sum[lanes];
  EMBER_UNROLL
  for (int m = 0; m < lanes; ++m) sum[m] = hn::Zero(d);
  for (int64_t k = 0; k < rows; ++k, a += lanes, b += lanes) {
    const V w = hn::Load(d, b);
    EMBER_UNROLL
    for (int m = 0; m < lanes; ++m) sum[m] = hn::MulAdd(hn::Set(d, a[m]), w, sum[m]);
  }
  EMBER_UNROLL
  for (int m = 0; m < lanes; ++m)
    hn::Store(hn::Add(hn::Load(d, c + m * lanes), sum[m]), d, c + m * lanes);
}
}  // namespace

// Adds what rows of x come to, to tiles: those of the first panel's columns, of the second's from
// the top to the diagonal, and so on.
void add_gram(const float* x, int64_t row, int64_t rows, int64_t n, float* panels, float* tiles) {
  const int64_t count = (n + lanes - 1) / lanes;
  const int64_t ahead = gram_rows * (n + 15) / 16 / (count * (count + 1) / 2) + 1;
  for (int64_t from = 0; from < rows; from += gram_rows, x += gram_rows * row) {
    const int64_t some = std::min(gram_rows, rows - from);
    for (int64_t k = 0; k < some; ++k) {
      for (int64_t p = 0; p < count; ++p) {
        float* to = panels + (p * gram_pitch + k) * lanes;
        if ((p + 1) * lanes <= n) {
          hn::Store(hn::LoadU(d, x + k * row + p * lanes), d, to);
        } else {
          for (int64_t j = 0; j < lanes; ++j) {
            to[j] = p * lanes + j < n ? x[k * row + p * lanes + j] : 0.0f;
          }
        }
      }
    }
    const float* next = x + gram_rows * row;  // the next block, on its way to L2
    float* tile = tiles;
    for (int64_t q = 0; q < count; ++q) {
      for (int64_t p = 0; p <= q; ++p, tile += tile_size) {
        for (int64_t i = 0; i < ahead; ++i, next += 16) __builtin_prefetch(next, 0, 2);
        add_tile(panels + p * gram_pitch * lanes, panels + q * gram_pitch * lanes, some, tile);
      }
    }
  }
}
}  // namespace ember::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ember::native {
HWY_EXPORT(add_gram);

// Pieces of the rows, which depend on their number alone, and then the pieces' sums in order.
void gram(const float* x, int64_t row, int64_t rows, int64_t n, float* c) {
  const int64_t lanes = panel_columns() / 2;
  const int64_t count = (n + lanes - 1) / lanes;
  const int64_t size = count * (count + 1) / 2 * lanes * lanes;
  const int64_t each = std::max<int64_t>(8, (rows / gram_rows + 7) / 8) * gram_rows;
  const int64_t pieces = (rows + each - 1) / each;
  const Scratch<float> parts(pieces * size);
  parallel_for(pieces, 1, [&](int64_t begin, int64_t end) {
    const Scratch<float> panels(count * gram_pitch * lanes);
    for (int64_t p = begin; p < end; ++p) {
      std::fill_n(&parts[p * size], size, 0.0f);
      HWY_DYNAMIC_DISPATCH(add_gram)(x + p * each * row, row, std::min(each, rows - p * each), n,
                                     panels.data(), &parts[p * size]);
    }
  });
  for (int64_t p = 1; p < pieces; ++p) {
    for (int64_t i = 0; i < size; ++i) parts[i] += parts[p * size + i];
  }
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = i; j < n; ++j) {
      const int64_t q = j / lanes;
      const int64_t tile = q * (q + 1) / 2 + i / lanes;
      c[i * n + j] = parts[(tile * lanes + i % lanes) * lanes + j % lanes];
    }
  }
}
}  // namespace ember::native
#endif
