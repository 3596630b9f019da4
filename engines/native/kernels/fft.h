// Discrete Fourier transforms of any length. Mixed radix where all prime factors are small,
// Bluestein's convolution otherwise.
#pragma once
#include <cstdint>
#include <memory>
#include <utility>

#include "engines/native/kernels/blas.h"

namespace ember::native {

// Sequences under work: element k of lane l is re[k * lanes + l] + i im[k * lanes + l]. A transform
// may leave its result in the second pair of buffers and swap the names, so always read re and im
// afterwards.
template <class R> struct FftWork {
  explicit FftWork(int64_t count)
      : memory(4 * count), re(memory.data()), im(re + count), re2(im + count), im2(re2 + count) {}
  void swap_buffers() {
    std::swap(re, re2);
    std::swap(im, im2);
  }
  // around a transform: the inverse
  void swap_parts() {
    std::swap(re, im);
    std::swap(re2, im2);
  }
  Scratch<R> memory;
  R *re, *im, *re2, *im2;
};

// Lanes that are worked on together: a cache line. Transforms take this many lanes, or one.
template <class R> inline constexpr int64_t fft_lanes = 64 / sizeof(R);

bool fft_direct(
    int64_t n);  // all prime factors are small: float32 is then accurate enough for float32 data

// What a length needs beforehand. R is float or double.
template <class R> class FftPlan {
 public:
  static std::shared_ptr<const FftPlan> get(int64_t n);  // from a bounded cache; n >= 1
  explicit FftPlan(int64_t n);
  ~FftPlan();
  // sum over k of x[k] exp(-2 pi i j k / n), for each lane.
  void run(FftWork<R>& work, int64_t lanes) const;
  // exp(-2 pi i k / 2n) for k = 0..n, real parts before imaginary ones: what a real transform of
  // length 2n needs.
  const R* half_roots() const;

 private:
  struct Tables;
  void stockham(FftWork<R>& work, int64_t lanes) const;
  void four_step(FftWork<R>& work) const;
  void bluestein(FftWork<R>& work, int64_t lanes) const;
  int64_t n_;
  std::unique_ptr<Tables> t_;
};
extern template class FftPlan<float>;
extern template class FftPlan<double>;

// One step of a transform of sequences of length radix * m, s of them side by side.
template <class R> struct FftPass {
  int radix;
  int64_t m;
  const R* roots;     // cos, sin of 2 pi j / radix, for the odd radices
  const R* twiddles;  // per p < m: radix - 1 complex numbers
};
// The loops, compiled for each instruction set. The result is in work.re, work.im.
void fft_passes(const FftPass<float>* passes, size_t count, FftWork<float>& work, int64_t lanes);
void fft_passes(const FftPass<double>* passes, size_t count, FftWork<double>& work, int64_t lanes);
// fft_lanes lines of n complex numbers, their starts `stride` reals apart, into lanes, times a
// window of 2 n reals where there is one; and back, times a factor. With roots (half_roots) the
// lanes hold what a real transform needs to give n + 1 numbers.
void fft_load(const float* x, int64_t stride, int64_t n, const float* window, float* re, float* im);
void fft_load(const double* x, int64_t stride, int64_t n, const double* window, double* re,
              double* im);
void fft_store(const float* re, const float* im, int64_t n, const float* roots, float factor,
               float* y, int64_t stride);
void fft_store(const double* re, const double* im, int64_t n, const double* roots, double factor,
               double* y, int64_t stride);
// x[k][l] *= base[k] * lane[k][l] for the fft_lanes columns l of a block; tables hold real parts,
// then imaginary ones at `im`.
void fft_twiddle(float* re, float* im, int64_t n, const float* base, int64_t base_im,
                 const float* lane, int64_t lane_im);
void fft_twiddle(double* re, double* im, int64_t n, const double* base, int64_t base_im,
                 const double* lane, int64_t lane_im);

}  // namespace ember::native
