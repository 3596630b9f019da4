// Tables of signal processing: windows and the mel filter bank. They are small, so they are
// computed on the host in double precision.
#include <cmath>
#include <numbers>

#include "src/core/convert.h"
#include "src/ops/views.h"

namespace ember {
namespace {

void need_float(DType t) {
  if (!is_float(t)) {
    throw DTypeError("takes real floating-point dtypes, not " + std::string(name(t)));
  }
}

// fill(double*) writes all elements.
template <class F> Tensor table(const Shape& shape, DType dtype, F&& fill) {
  check_size(shape, DType::float64);
  const int64_t n = size_of(std::span<const int64_t>(shape));
  Value exact{.storage = allocate(size_t(n) * sizeof(double))};
  const Tensor keep = make_leaf({DType::float64, shape}, exact);
  double* p = reinterpret_cast<double*>(exact.storage->data);
  fill(p);
  if (dtype == DType::float64) return keep.to_device(current_device());
  Value r{.storage = allocate(size_t(n) * size_of(dtype))};
  convert(r.storage->data, dtype, p, DType::float64, size_t(n));
  return make_leaf({dtype, shape}, r).to_device(current_device());
}

// f(t) for t from 0 to 1 over the window; a periodic window excludes t = 1.
template <class F> Tensor window(const char* op, int64_t n, bool periodic, DType dtype, F&& f) {
  return named(op, [&] {
    need_float(dtype);
    if (n < 0) throw ValueError("the length cannot be negative: " + std::to_string(n));
    return table({n}, dtype, [&](double* w) {
      const double length = double(periodic ? n : n - 1);
      for (int64_t i = 0; i < n; ++i) w[i] = n == 1 ? 1 : f(double(i) / length);
    });
  });
}
double turn(double t) { return std::cos(2 * std::numbers::pi * t); }

// exp(-x) I0(x), the scaled modified Bessel function of order 0, by its power series or, for large
// x, its asymptotic series.
double bessel_i0e(double x) {
  if (x < 30) {
    double term = 1;
    double sum = 1;
    for (int k = 1; term > sum * 1e-17; ++k) {
      term *= x * x / (4.0 * k * k);
      sum += term;
    }
    return sum * std::exp(-x);
  }
  double term = 1;
  double sum = 1;
  for (int k = 1; k < 30 && std::abs(term) > 1e-17; ++k) {
    term *= (2.0 * k - 1) * (2.0 * k - 1) / (8.0 * k * x);
    sum += term;
  }
  return sum / std::sqrt(2 * std::numbers::pi * x);
}

// Slaney's scale: linear up to 1000 Hz, logarithmic above.
constexpr double mel_width = 200.0 / 3, mel_knee = 1000 / mel_width;
double mel_step() { return std::log(6.4) / 27; }
double to_mel(double hz) {
  return hz < 1000 ? hz / mel_width : mel_knee + std::log(hz / 1000) / mel_step();
}
double to_hz(double mel) {
  return mel < mel_knee ? mel * mel_width : 1000 * std::exp(mel_step() * (mel - mel_knee));
}

}  // namespace

namespace ops {

Tensor hann_window(int64_t n, bool periodic, DType dtype) {
  return window("hann_window", n, periodic, dtype, [](double t) { return 0.5 - 0.5 * turn(t); });
}
Tensor hamming_window(int64_t n, bool periodic, DType dtype) {
  return window("hamming_window", n, periodic, dtype,
                [](double t) { return 0.54 - 0.46 * turn(t); });
}
Tensor blackman_window(int64_t n, bool periodic, DType dtype) {
  return window("blackman_window", n, periodic, dtype,
                [](double t) { return 0.42 - 0.5 * turn(t) + 0.08 * turn(2 * t); });
}
Tensor bartlett_window(int64_t n, bool periodic, DType dtype) {
  return window("bartlett_window", n, periodic, dtype,
                [](double t) { return 1 - std::abs(2 * t - 1); });
}
Tensor kaiser_window(int64_t n, double beta, bool periodic, DType dtype) {
  if (!std::isfinite(beta)) throw ValueError("[kaiser_window] beta must be finite");
  const double b = std::abs(beta);
  const double top = bessel_i0e(b);
  return window("kaiser_window", n, periodic, dtype, [=](double t) {
    const double x = b * std::sqrt(std::max(0.0, 1 - (2 * t - 1) * (2 * t - 1)));
    return bessel_i0e(x) / top * std::exp(x - b);
  });
}

// Triangles between neighbouring mel frequencies, each of area 1 over frequency.
Tensor mel_filter_bank(int64_t n_mels, int64_t n_fft, double sample_rate, double low,
                       std::optional<double> high, DType dtype) {
  return named("mel_filter_bank", [&] {
    need_float(dtype);
    if (n_mels <= 0) throw ValueError("n_mels must be positive, not " + std::to_string(n_mels));
    if (n_fft <= 0) throw ValueError("n_fft must be positive, not " + std::to_string(n_fft));
    const double top = high.value_or(sample_rate / 2);
    if (!(sample_rate > 0) || !std::isfinite(sample_rate)) {
      throw ValueError("sample_rate must be positive and finite, not " +
                       std::to_string(sample_rate));
    }
    if (!(low >= 0 && low < top && std::isfinite(top))) {
      throw ValueError("the frequencies must be 0 <= low < high, not " + std::to_string(low) +
                       " and " + std::to_string(top));
    }
    const int64_t cols = n_fft / 2 + 1;
    return table({n_mels, cols}, dtype, [&](double* w) {
      const double from = to_mel(low);
      const double step = (to_mel(top) - from) / double(n_mels + 1);
      const auto edge = [&](int64_t i) { return to_hz(from + step * double(i)); };
      for (int64_t m = 0; m < n_mels; ++m) {
        const double a = edge(m);
        const double b = edge(m + 1);
        const double c = edge(m + 2);
        for (int64_t k = 0; k < cols; ++k) {
          const double f = double(k) * sample_rate / double(n_fft);
          w[m * cols + k] =
              std::max(0.0, std::min((f - a) / (b - a), (c - f) / (c - b))) * 2 / (c - a);
        }
      }
    });
  });
}

}  // namespace ops
}  // namespace ember
