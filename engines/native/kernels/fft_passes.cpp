// The inner loops of the Fourier transforms, compiled once for each instruction set.
#include "engines/native/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engines/native/kernels/fft_passes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include "engines/native/kernels/fft.h"

HWY_BEFORE_NAMESPACE();
namespace ember::native::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;
#include "engines/native/tiles/lanes-inl.h"

constexpr int max_radix = 31;

// The transform of the P (or, where P is 0, radix) numbers in r, i, in place.
template <int P, class D, class V = hn::Vec<D>, class R = hn::TFromD<D>>
HWY_INLINE void butterfly(D d, int radix, const R* roots, V* HWY_RESTRICT r, V* HWY_RESTRICT i) {
  if constexpr (P == 2) {
    const V ar = r[0];
    const V ai = i[0];
    r[0] = hn::Add(ar, r[1]);
    i[0] = hn::Add(ai, i[1]);
    r[1] = hn::Sub(ar, r[1]);
    i[1] = hn::Sub(ai, i[1]);
  } else if constexpr (P == 4) {
    const V ar = hn::Add(r[0], r[2]);
    const V ai = hn::Add(i[0], i[2]);
    const V br = hn::Sub(r[0], r[2]);
    const V bi = hn::Sub(i[0], i[2]);
    const V cr = hn::Add(r[1], r[3]);
    const V ci = hn::Add(i[1], i[3]);
    const V dr = hn::Sub(r[1], r[3]);
    const V di = hn::Sub(i[1], i[3]);
    r[0] = hn::Add(ar, cr);
    i[0] = hn::Add(ai, ci);
    r[1] = hn::Add(br, di);
    i[1] = hn::Sub(bi, dr);
    r[2] = hn::Sub(ar, cr);
    i[2] = hn::Sub(ai, ci);
    r[3] = hn::Sub(br, di);
    i[3] = hn::Add(bi, dr);
  } else {
    // An odd radix: elements k and p - k meet the same cosine and opposite sines.
    const int p = P ? P : radix;
    const int h = (p - 1) / 2;
    V sr[max_radix];
    V si[max_radix];
    V zr = r[0];
    V zi = i[0];
    for (int k = 1; k <= h; ++k) {
      sr[k] = hn::Add(r[k], r[p - k]);
      si[k] = hn::Add(i[k], i[p - k]);
      sr[p - k] = hn::Sub(r[k], r[p - k]);
      si[p - k] = hn::Sub(i[k], i[p - k]);
      zr = hn::Add(zr, sr[k]);
      zi = hn::Add(zi, si[k]);
    }
    for (int j = 1; j <= h; ++j) {
      V cr = r[0];
      V ci = i[0];
      V tr = hn::Zero(d);
      V ti = hn::Zero(d);
      for (int k = 1, at = 0; k <= h; ++k) {
        at += j;
        if (at >= p) at -= p;
        const V c = hn::Set(d, roots[2 * at]);
        const V s = hn::Set(d, roots[2 * at + 1]);
        cr = hn::MulAdd(c, sr[k], cr);
        ci = hn::MulAdd(c, si[k], ci);
        tr = hn::MulAdd(s, sr[p - k], tr);
        ti = hn::MulAdd(s, si[p - k], ti);
      }
      r[j] = hn::Add(cr, ti);
      i[j] = hn::Sub(ci, tr);
      r[p - j] = hn::Sub(cr, ti);
      i[p - j] = hn::Add(ci, tr);
    }
    r[0] = zr;
    i[0] = zi;
  }
}

// y[q + s (radix p + j)] = w^(j p) sum over k of x[q + s (p + m k)] exp(-2 pi i j k / radix)
template <int P, class D, class R>
HWY_INLINE void pass(D d, const FftPass<R>& f, const FftWork<R>& work, int64_t s) {
  using V = hn::Vec<D>;
  const int radix = P ? P : f.radix;
  const int64_t m = f.m;
  const int64_t step = int64_t(hn::Lanes(d));
  const int64_t far = s * m;
  V r[P ? P : max_radix];
  V i[P ? P : max_radix];
  for (int64_t p = 0; p < m; ++p) {
    const R* w = f.twiddles + p * 2 * (radix - 1);
    const R* xr = work.re + s * p;
    const R* xi = work.im + s * p;
    R* yr = work.re2 + s * radix * p;
    R* yi = work.im2 + s * radix * p;
    for (int64_t q = 0; q < s; q += step) {
      for (int k = 0; k < radix; ++k) {
        r[k] = hn::LoadU(d, xr + q + far * k);
        i[k] = hn::LoadU(d, xi + q + far * k);
      }
      butterfly<P>(d, radix, f.roots, r, i);
      hn::StoreU(r[0], d, yr + q);
      hn::StoreU(i[0], d, yi + q);
      for (int j = 1; j < radix; ++j) {
        const V wr = hn::Set(d, w[2 * j - 2]);
        const V wi = hn::Set(d, w[2 * j - 1]);
        hn::StoreU(hn::MulSub(r[j], wr, hn::Mul(i[j], wi)), d, yr + q + s * j);
        hn::StoreU(hn::MulAdd(r[j], wi, hn::Mul(i[j], wr)), d, yi + q + s * j);
      }
    }
  }
}

template <class D, class R>
void pass_of(D d, const FftPass<R>& f, const FftWork<R>& work, int64_t s) {
  switch (f.radix) {
    case 2: return pass<2>(d, f, work, s);
    case 3: return pass<3>(d, f, work, s);
    case 4: return pass<4>(d, f, work, s);
    case 5: return pass<5>(d, f, work, s);
    case 7: return pass<7>(d, f, work, s);
    default: return pass<0>(d, f, work, s);
  }
}

// Sequences lie side by side, more and shorter ones after each pass, and end in order (Stockham).
template <class R>
void run(const FftPass<R>* passes, size_t count, FftWork<R>& work, int64_t lanes) {
  const hn::CappedTag<R, size_t(fft_lanes<R>)> wide;
  const hn::CappedTag<R, 1> narrow;
  for (int64_t s = lanes; count > 0; s *= passes->radix, ++passes, --count) {
    if (s % int64_t(hn::Lanes(wide)) == 0) {
      pass_of(wide, *passes, work, s);
    } else {
      pass_of(narrow, *passes, work, s);
    }
    work.swap_buffers();
  }
}

template <class R>
void twiddle(R* re, R* im, int64_t n, const R* base, int64_t base_im, const R* lane,
             int64_t lane_im) {
  const hn::CappedTag<R, size_t(fft_lanes<R>)> d;
  for (int64_t k = 0; k < n; ++k) {
    const auto br = hn::Set(d, base[k]);
    const auto bi = hn::Set(d, base[base_im + k]);
    for (int64_t at = k * fft_lanes<R>, end = at + fft_lanes<R>; at < end;
         at += int64_t(hn::Lanes(d))) {
      const auto lr = hn::LoadU(d, lane + at);
      const auto li = hn::LoadU(d, lane + lane_im + at);
      const auto wr = hn::MulSub(br, lr, hn::Mul(bi, li));
      const auto wi = hn::MulAdd(br, li, hn::Mul(bi, lr));
      const auto xr = hn::LoadU(d, re + at);
      const auto xi = hn::LoadU(d, im + at);
      hn::StoreU(hn::MulSub(xr, wr, hn::Mul(xi, wi)), d, re + at);
      hn::StoreU(hn::MulAdd(xr, wi, hn::Mul(xi, wr)), d, im + at);
    }
  }
}

template <class R> void load(const R* x, int64_t stride, int64_t n, const R* window, R* re, R* im) {
  constexpr int64_t lanes = fft_lanes<R>;
  constexpr int64_t w = square<R>;
  const hn::CappedTag<R, size_t(lanes)> d;
  const int64_t whole = 2 * n / w * w;
  HWY_ALIGN R weighed[w * lanes];
  // Whole cache lines of a few lines: all of them together may not fit in the one set of the cache
  // that they share.
  for (int64_t from = 0; from < whole; from += lanes) {
    for (int64_t l = 0; l < lanes; l += w) {
      const int64_t end = std::min(whole, from + lanes);
      const R* at = x + l * stride + from;
      if (window && end - from == lanes) {
        for (int64_t i = 0; i < w; ++i) {
          for (int64_t q = 0; q < lanes; q += int64_t(hn::Lanes(d))) {
            hn::Store(hn::Mul(hn::LoadU(d, at + i * stride + q), hn::LoadU(d, window + from + q)),
                      d, weighed + i * lanes + q);
          }
        }
      } else if (window) {
        for (int64_t i = 0; i < w; ++i) {
          for (int64_t r = from; r < end; ++r) {
            weighed[i * lanes + r - from] = at[i * stride + r - from] * window[r];
          }
        }
      }
      for (int64_t r = from; r < end; r += w) {
        turn(window ? weighed + (r - from) : at + (r - from), window ? lanes : stride,
             [&](int64_t j) { return ((r + j) % 2 ? im : re) + (r + j) / 2 * lanes + l; });
      }
    }
  }
  for (int64_t r = whole; r < 2 * n; ++r) {
    for (int64_t l = 0; l < lanes; ++l) {
      (r % 2 ? im : re)[r / 2 * lanes + l] =
          window ? x[l * stride + r] * window[r] : x[l * stride + r];
    }
  }
}
template <class R>
void store(const R* re, const R* im, int64_t n, const R* roots, R factor, R* y, int64_t stride) {
  constexpr int64_t lanes = fft_lanes<R>;
  constexpr int64_t w = square<R>;
  constexpr int64_t most = 8;
  const hn::CappedTag<R, size_t(lanes)> d;
  const int64_t count = roots ? n + 1 : n;
  const auto f = hn::Set(d, roots ? factor / 2 : factor);
  HWY_ALIGN R z[2 * most * lanes];
  for (int64_t from = 0; from < count; from += most) {
    const int64_t rows = 2 * std::min(most, count - from);
    for (int64_t k = from; k < from + rows / 2; ++k) {
      for (int64_t q = 0; q < lanes; q += int64_t(hn::Lanes(d))) {
        const int64_t i = (k == n ? 0 : k) * lanes + q;
        const int64_t j = (k == 0 ? 0 : n - k) * lanes + q;
        auto zr = hn::LoadU(d, re + i);
        auto zi = hn::LoadU(d, im + i);
        if (roots) {
          const auto yr = hn::LoadU(d, re + j);
          const auto yi = hn::LoadU(d, im + j);
          const auto c = hn::Set(d, roots[k]);
          const auto s = hn::Set(d, roots[n + 1 + k]);
          const auto er = hn::Add(zr, yr);
          const auto ei = hn::Sub(zi, yi);
          const auto dr = hn::Add(zi, yi);
          const auto di = hn::Sub(yr, zr);
          zr = hn::Add(er, hn::MulSub(dr, c, hn::Mul(di, s)));
          zi = hn::Add(ei, hn::MulAdd(dr, s, hn::Mul(di, c)));
        }
        R* to = z + 2 * (k - from) * lanes + q;
        hn::StoreU(hn::Mul(zr, f), d, to);
        hn::StoreU(hn::Mul(zi, f), d, to + lanes);
      }
    }
    R* at = y + 2 * from;
    const int64_t whole = rows / w * w;
    for (int64_t l = 0; l < lanes; l += w) {
      for (int64_t r = 0; r < whole; r += w) {
        turn(z + r * lanes + l, lanes, [&](int64_t j) { return at + (l + j) * stride + r; });
      }
    }
    for (int64_t r = whole; r < rows; ++r) {
      for (int64_t l = 0; l < lanes; ++l) at[l * stride + r] = z[r * lanes + l];
    }
  }
}
}  // namespace

void load_f32(const float* x, int64_t stride, int64_t n, const float* window, float* re,
              float* im) {
  load(x, stride, n, window, re, im);
}
void load_f64(const double* x, int64_t stride, int64_t n, const double* window, double* re,
              double* im) {
  load(x, stride, n, window, re, im);
}
void store_f32(const float* re, const float* im, int64_t n, const float* roots, float factor,
               float* y, int64_t stride) {
  store(re, im, n, roots, factor, y, stride);
}
void store_f64(const double* re, const double* im, int64_t n, const double* roots, double factor,
               double* y, int64_t stride) {
  store(re, im, n, roots, factor, y, stride);
}
void run_f32(const FftPass<float>* passes, size_t count, FftWork<float>& work, int64_t lanes) {
  run(passes, count, work, lanes);
}
void run_f64(const FftPass<double>* passes, size_t count, FftWork<double>& work, int64_t lanes) {
  run(passes, count, work, lanes);
}
void twiddle_f32(float* re, float* im, int64_t n, const float* base, int64_t base_im,
                 const float* lane, int64_t lane_im) {
  twiddle(re, im, n, base, base_im, lane, lane_im);
}
void twiddle_f64(double* re, double* im, int64_t n, const double* base, int64_t base_im,
                 const double* lane, int64_t lane_im) {
  twiddle(re, im, n, base, base_im, lane, lane_im);
}
}  // namespace ember::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ember::native {
HWY_EXPORT(run_f32);
HWY_EXPORT(run_f64);
HWY_EXPORT(load_f32);
HWY_EXPORT(load_f64);
HWY_EXPORT(store_f32);
HWY_EXPORT(store_f64);
HWY_EXPORT(twiddle_f32);
HWY_EXPORT(twiddle_f64);
void fft_passes(const FftPass<float>* passes, size_t count, FftWork<float>& work, int64_t lanes) {
  HWY_DYNAMIC_DISPATCH(run_f32)(passes, count, work, lanes);
}
void fft_passes(const FftPass<double>* passes, size_t count, FftWork<double>& work, int64_t lanes) {
  HWY_DYNAMIC_DISPATCH(run_f64)(passes, count, work, lanes);
}
void fft_load(const float* x, int64_t stride, int64_t n, const float* window, float* re,
              float* im) {
  HWY_DYNAMIC_DISPATCH(load_f32)(x, stride, n, window, re, im);
}
void fft_load(const double* x, int64_t stride, int64_t n, const double* window, double* re,
              double* im) {
  HWY_DYNAMIC_DISPATCH(load_f64)(x, stride, n, window, re, im);
}
void fft_store(const float* re, const float* im, int64_t n, const float* roots, float factor,
               float* y, int64_t stride) {
  HWY_DYNAMIC_DISPATCH(store_f32)(re, im, n, roots, factor, y, stride);
}
void fft_store(const double* re, const double* im, int64_t n, const double* roots, double factor,
               double* y, int64_t stride) {
  HWY_DYNAMIC_DISPATCH(store_f64)(re, im, n, roots, factor, y, stride);
}
void fft_twiddle(float* re, float* im, int64_t n, const float* base, int64_t base_im,
                 const float* lane, int64_t lane_im) {
  HWY_DYNAMIC_DISPATCH(twiddle_f32)(re, im, n, base, base_im, lane, lane_im);
}
void fft_twiddle(double* re, double* im, int64_t n, const double* base, int64_t base_im,
                 const double* lane, int64_t lane_im) {
  HWY_DYNAMIC_DISPATCH(twiddle_f64)(re, im, n, base, base_im, lane, lane_im);
}
}  // namespace ember::native
#endif
