// Four vectors of results at a time, so that their sums overlap.
#include "engines/native/kernels/slide_filter.h"

#include "engines/native/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engines/native/kernels/slide_filter.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ember::native {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
void slide(const T* x, const T* w, int64_t taps, int64_t dilation, T start, T* y, int64_t n) {
  const hn::ScalableTag<T> d;
  const int64_t lanes = int64_t(hn::Lanes(d));
  const auto first = hn::Set(d, start);
  int64_t i = 0;
  for (; i + 4 * lanes <= n; i += 4 * lanes) {
    auto a = first;
    auto b = first;
    auto c = first;
    auto e = first;
    const T* from = x + i;
    for (int64_t k = 0; k < taps; ++k, from += dilation) {
      const auto factor = hn::Set(d, w[k]);
      a = hn::Add(a, hn::Mul(hn::LoadU(d, from), factor));
      b = hn::Add(b, hn::Mul(hn::LoadU(d, from + lanes), factor));
      c = hn::Add(c, hn::Mul(hn::LoadU(d, from + 2 * lanes), factor));
      e = hn::Add(e, hn::Mul(hn::LoadU(d, from + 3 * lanes), factor));
    }
    hn::StoreU(a, d, y + i);
    hn::StoreU(b, d, y + i + lanes);
    hn::StoreU(c, d, y + i + 2 * lanes);
    hn::StoreU(e, d, y + i + 3 * lanes);
  }
  for (; i < n; ++i) {
    T sum = start;
    for (int64_t k = 0; k < taps; ++k) sum += x[i + k * dilation] * w[k];
    y[i] = sum;
  }
}
void slide_f32(const float* x, const float* w, int64_t taps, int64_t dilation, float start,
               float* y, int64_t n) {
  slide(x, w, taps, dilation, start, y, n);
}
void slide_f64(const double* x, const double* w, int64_t taps, int64_t dilation, double start,
               double* y, int64_t n) {
  slide(x, w, taps, dilation, start, y, n);
}

}  // namespace HWY_NAMESPACE
}  // namespace ember::native
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ember::native {

HWY_EXPORT(slide_f32);
HWY_EXPORT(slide_f64);
void slide_filter(const float* x, const float* w, int64_t taps, int64_t dilation, float start,
                  float* y, int64_t n) {
  HWY_DYNAMIC_DISPATCH(slide_f32)(x, w, taps, dilation, start, y, n);
}
void slide_filter(const double* x, const double* w, int64_t taps, int64_t dilation, double start,
                  double* y, int64_t n) {
  HWY_DYNAMIC_DISPATCH(slide_f64)(x, w, taps, dilation, start, y, n);
}

}  // namespace ember::native
#endif
