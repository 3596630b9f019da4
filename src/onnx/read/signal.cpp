// Fourier transforms, windows, the mel scale.
#include <cmath>
#include <complex>
#include <numbers>

#include "src/graph/graph.h"
#include "src/onnx/read/read.h"
#include "src/ops/layouts.h"

namespace ember::onnx {
namespace {

// ONNX stores complex numbers as pairs along a last axis, and real numbers with a last axis of
// length 1.
Tensor signal_of(const Tensor& x) {
  const Tensor w = x.dtype() == DType::float64 ? x : x.astype(DType::float32);
  const auto part = [&](int64_t i) {
    return ops::squeeze(ops::slice(w, {i}, {i + 1}, {}, -1), -1);
  };
  if (x.ndim() < 2 || x.shape(-1) < 1 || x.shape(-1) > 2) {
    throw ShapeError("the last axis must hold one number or two, not the shape " +
                     to_string(x.shape()));
  }
  return x.shape(-1) == 1 ? part(0) : part(0) + part(1) * Tensor(std::complex<double>(0, 1));
}
Tensor pairs(const Tensor& z) { return ops::stack({ops::real(z), ops::imag(z)}, -1); }

// For a real signal, one half of the spectrum is the mirrored conjugate of the other.
Tensor transform(const Tensor& z, int64_t n, int64_t axis, bool onesided) {
  if (is_complex(z.dtype())) {
    if (onesided) throw ValueError("a one-sided transform needs a real signal");
    return ops::fft(z, n, axis);
  }
  const Tensor half = ops::rfft(z, n, axis);
  if (onesided) return half;
  const int64_t rest = n - half.shape(axis);
  return ops::concat(
      {half, ops::conj(ops::flip(ops::slice(half, {1}, {1 + rest}, {}, axis), axis))}, axis);
}

Values dft(const Call& c) {
  const Tensor& x = c.x(0);
  const bool inverse = c.flag("inverse");
  const bool onesided = c.flag("onesided");
  const int64_t given = c.opset < 20 ? c.i("axis", 1) : c.has(2) ? c.integer(2, "axis") : -2;
  const int64_t axis = c.axis(given, x.ndim());
  if (axis == x.ndim() - 1)
    throw IndexError("the last axis holds real and imaginary parts and cannot be transformed");
  const int64_t n = c.has(1)              ? c.integer(1, "the length")
                    : inverse && onesided ? 2 * (x.shape(axis) - 1)
                                          : x.shape(axis);
  const Tensor z = signal_of(x);
  if (inverse && onesided) {
    return {cast_to(ops::expand_dims(ops::irfft(z, n, axis), {-1}), x.dtype())};
  }
  if (inverse) return {cast_to(pairs(ops::ifft(z, n, axis)), x.dtype())};
  return {cast_to(pairs(transform(z, n, axis, onesided)), x.dtype())};
}

Values stft(const Call& c) {
  const Tensor& x = c.x(0);
  const int64_t step = c.integer(1, "frame_step");
  const bool onesided = c.flag("onesided", true);
  if (x.ndim() != 3) {
    throw ShapeError("the signal must have the axes [batch, length, parts], not " +
                     to_string(x.shape()));
  }
  const int64_t n = c.has(3) ? c.integer(3, "frame_length") : c.has(2) ? c.x(2).size() : x.shape(1);
  Tensor frames = ops::frame(signal_of(x), n, step, 1);  // [batch, frames, n]
  if (c.has(2)) frames = frames * cast_to(c.x(2), real_of(frames.dtype()));
  return {cast_to(pairs(transform(frames, n, 2, onesided)), x.dtype())};
}

constexpr int64_t longest = int64_t(1) << 24;

// A sum of cosines over one period.
Values window(const Call& c, double a, double b, double d) {
  const int64_t n = c.integer(0, "the size");
  const DType t = c.dtype("output_datatype").value_or(DType::float32);
  const double period = double(c.flag("periodic", true) ? n : n - 1);
  if (n < 0 || n > longest)
    throw ValueError("invalid window of " + std::to_string(n) + " elements");
  std::vector<double> v(static_cast<size_t>(n));
  for (int64_t i = 0; i < n; ++i) {
    const double at = period > 0 ? 2 * std::numbers::pi * double(i) / period : 0;
    v[size_t(i)] = n == 1 ? 1 : a - b * std::cos(at) + d * std::cos(2 * at);
  }
  return {cast_to(array(v), t)};
}

// Triangular filters with equal widths on the mel scale; their edges are rounded to bins.
Values mel_weights(const Call& c) {
  const int64_t mels = c.integer(0, "num_mel_bins");
  const int64_t length = c.integer(1, "dft_length");
  const int64_t rate = c.integer(2, "sample_rate");
  const double low = c.number(3, "lower_edge_hertz");
  const double high = c.number(4, "upper_edge_hertz");
  const DType t = c.dtype("output_datatype").value_or(DType::float32);
  if (mels < 1 || length < 1 || rate < 1 || mels > longest || length > longest ||
      mels * (length / 2 + 1) > longest) {
    throw ValueError("sizes out of range");
  }
  const int64_t bins = length / 2 + 1;
  const auto mel = [](double hertz) { return 2595 * std::log10(1 + hertz / 700); };
  std::vector<int64_t> edges;
  for (int64_t i = 0; i < mels + 2; ++i) {
    const double at =
        700 *
        (std::pow(10, (mel(low) + double(i) * (mel(high) - mel(low)) / double(mels + 2)) / 2595) -
         1);
    const double bin = std::floor(double(length + 1) * at / double(rate));
    if (!(bin >= 0 && bin < double(bins))) {
      throw ValueError("the edges must lie within 0 and half the sample rate");
    }
    edges.push_back(int64_t(bin));
  }
  std::vector<double> w(static_cast<size_t>(bins * mels));
  for (int64_t i = 0; i < mels; ++i) {
    const int64_t left = edges[size_t(i)];
    const int64_t centre = edges[size_t(i) + 1];
    const int64_t right = edges[size_t(i) + 2];
    if (left == centre) w[size_t(centre * mels + i)] = 1;
    for (int64_t j = left; j <= centre && left != centre; ++j) {
      w[size_t(j * mels + i)] = double(j - left) / double(centre - left);
    }
    for (int64_t j = centre; j < right; ++j) {
      w[size_t(j * mels + i)] = double(right - j) / double(right - centre);
    }
  }
  return {cast_to(array(std::span<const double>(w), {bins, mels}), t)};
}

const Reader readers[] = {
    {{"DFT", 17, ""}, dft},
    {{"STFT", 17, ""}, stft},
    {{"HannWindow", 17, ""}, [](const Call& c) { return window(c, 0.5, 0.5, 0); }},
    {{"HammingWindow", 17, ""}, [](const Call& c) { return window(c, 25.0 / 46, 21.0 / 46, 0); }},
    {{"BlackmanWindow", 17, ""}, [](const Call& c) { return window(c, 0.42, 0.5, 0.08); }},
    {{"MelWeightMatrix", 17, ""}, mel_weights},
};

}  // namespace

std::span<const Reader> signal_readers() { return readers; }

}  // namespace ember::onnx
