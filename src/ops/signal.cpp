// Signal: Fourier transforms, short-time transforms and convolution of sequences.
#include <cmath>

#include "src/ops/products.h"

namespace ember {
namespace {

enum class Scale { none, root, whole };  // 1, 1 / sqrt(n), 1 / n
Scale scale_of(std::string_view norm, bool inverse) {
  if (norm == "backward") return inverse ? Scale::whole : Scale::none;
  if (norm == "forward") return inverse ? Scale::none : Scale::whole;
  if (norm == "ortho") return Scale::root;
  throw ValueError("norm must be backward, ortho or forward, not '" +
                   std::string(norm.substr(0, 40)) + "'");
}
std::string_view swapped(std::string_view norm) {
  return norm == "backward" ? "forward" : norm == "forward" ? "backward" : norm;
}

Tensor to_complex(const Tensor& x) {
  const Tensor v = widen(to_float(x));
  return cast_to(v, complex_of(v.dtype()));
}
Tensor to_real(const Tensor& x) {
  if (is_complex(x.dtype())) {
    throw DTypeError("takes real dtypes, not " + std::string(name(x.dtype())));
  }
  return widen(to_float(x));
}

// A transform of length n along one axis; the input is cropped or padded with zeros.
Tensor transformed(OpId op, const Tensor& x, std::optional<int64_t> n, int64_t axis,
                   std::string_view norm, bool inverse) {
  const int64_t a = normal_axis(axis, x.ndim());
  const int64_t m = x.shape(a);
  const int64_t length = n.value_or(op == OpId::irfft ? (m > 0 ? 2 * (m - 1) : 0) : m);
  if (length <= 0) {
    throw ValueError("the length of a transform must be positive, not " + std::to_string(length));
  }
  const Scale s = scale_of(norm, inverse);
  const double factor = s == Scale::none   ? 1
                        : s == Scale::root ? 1 / std::sqrt(double(length))
                                           : 1 / double(length);
  return apply_to(op, FftAttr{a, length, inverse, factor},
                  op == OpId::rfft ? to_real(x) : to_complex(x));
}
Tensor one(const char* name, OpId op, const Tensor& x, std::optional<int64_t> n, int64_t axis,
           std::string_view norm, bool inverse) {
  return named(name, x, [&] { return transformed(op, x, n, axis, norm, inverse); });
}

struct Grid {
  Ints axes;
  std::vector<std::optional<int64_t>> lengths;  // -1 leaves a length as it is
};
Grid grid(const Tensor& x, const std::optional<Ints>& s, const Axes& axes) {
  Grid g;
  if (axes) {
    g.axes = normal_axes(*axes, x.ndim());
  } else {
    const int64_t count = s ? int64_t(s->size()) : x.ndim();
    if (count > x.ndim()) {
      throw ShapeError(std::to_string(count) + " lengths for " + std::to_string(x.ndim()) +
                       " dimensions");
    }
    for (int64_t i = x.ndim() - count; i < x.ndim(); ++i) g.axes.push_back(i);
  }
  if (s && s->size() != g.axes.size()) {
    throw ShapeError(std::to_string(s->size()) + " lengths for " + std::to_string(g.axes.size()) +
                     " axes");
  }
  for (size_t i = 0; i < g.axes.size(); ++i) {
    g.lengths.push_back(s && (*s)[i] != -1 ? std::optional((*s)[i]) : std::nullopt);
  }
  return g;
}
Tensor many(const char* name, const Tensor& x, const std::optional<Ints>& s, const Axes& axes,
            std::string_view norm, bool inverse) {
  return named(name, x, [&] {
    const Grid g = grid(x, s, axes);
    scale_of(norm, inverse);
    Tensor r = to_complex(x);
    for (size_t i = g.axes.size(); i-- > 0;) {
      r = transformed(OpId::fft, r, g.lengths[i], g.axes[i], norm, inverse);
    }
    return r;
  });
}
// Transforms between real numbers and half spectra: the last axis is halved.
Tensor many_real(const char* name, const Tensor& x, const std::optional<Ints>& s, const Axes& axes,
                 std::string_view norm, bool inverse) {
  return named(name, x, [&] {
    const Grid g = grid(x, s, axes);
    if (g.axes.empty()) throw ValueError("needs at least one axis");
    const size_t last = g.axes.size() - 1;
    Tensor r = x;
    if (!inverse) r = transformed(OpId::rfft, r, g.lengths[last], g.axes[last], norm, false);
    for (size_t i = last; i-- > 0;) {
      r = transformed(OpId::fft, r, g.lengths[i], g.axes[i], norm, inverse);
    }
    return inverse ? transformed(OpId::irfft, r, g.lengths[last], g.axes[last], norm, true) : r;
  });
}

// 0, 1, ..., followed by the negative frequencies: n = 5 gives 0, 1, 2, -2, -1.
Tensor frequencies(const char* op, int64_t n, double d, DType dtype, bool half) {
  return named(op, [&] {
    if (n <= 0) throw ValueError("n must be positive, not " + std::to_string(n));
    if (d == 0 || std::isnan(d)) throw ValueError("the spacing d cannot be " + std::to_string(d));
    if (!is_inexact(dtype)) {
      throw DTypeError("takes floating-point dtypes, not " + std::string(name(dtype)));
    }
    const Tensor i = index_range(half ? n / 2 + 1 : n);
    const Tensor k = half ? i : ops::where(i < (n - 1) / 2 + 1, i, i - n);
    return cast_to(
        cast_to(k, DType::float64) * cast_to(Tensor(1 / (double(n) * d)), DType::float64), dtype);
  });
}
Tensor shifted(const char* op, const Tensor& x, const Axes& axes, bool back) {
  return named(op, x, [&] {
    const Ints over = normal_axes(axes, x.ndim());
    Ints by;
    for (int64_t a : over) by.push_back(back ? -(x.shape(a) / 2) : x.shape(a) / 2);
    return over.empty() ? x : ops::roll(x, by, over);
  });
}

// The frames and the window of a short-time transform.
struct Cutting {
  int64_t n_fft, hop;
  Tensor window;  // of n_fft elements
};
Cutting cutting(const ops::StftOptions& o, int64_t n_fft, DType t, Device device) {
  if (n_fft <= 0) throw ValueError("n_fft must be positive, not " + std::to_string(n_fft));
  const int64_t hop = o.hop_length.value_or(std::max<int64_t>(n_fft / 4, 1));
  const int64_t length = o.win_length.value_or(o.window ? o.window->size() : n_fft);
  if (hop <= 0) throw ValueError("hop_length must be positive, not " + std::to_string(hop));
  if (length <= 0 || length > n_fft) {
    throw ValueError("the window's length must be 1 to n_fft = " + std::to_string(n_fft) +
                     ", not " + std::to_string(length));
  }
  if (o.window && o.window->shape() != Shape{length}) {
    throw ShapeError("the window must have shape [" + std::to_string(length) + "], not " +
                     to_string(o.window->shape()));
  }
  if (o.window && is_complex(o.window->dtype())) {
    throw DTypeError("the window must be real, not " + std::string(name(o.window->dtype())));
  }
  const Tensor w =
      o.window ? cast_to(*o.window, t) : ops::hann_window(length, true, t).to_device(device);
  const int64_t left = (n_fft - length) / 2;
  return {n_fft, hop, length == n_fft ? w : ops::pad(w, {left, n_fft - length - left})};
}

Tensor overlapped(const Tensor& frames, int64_t hop) {
  const int64_t count = frames.shape(-2);
  const int64_t length = frames.shape(-1);
  Shape s(frames.shape().begin(), frames.shape().end() - 2);
  int64_t total = 0;
  if (count > 0 && (__builtin_mul_overflow(count - 1, hop, &total) ||
                    __builtin_add_overflow(total, length, &total))) {
    throw ShapeError("the signal has too many elements");
  }
  if (count == 0 || length == 0) {
    s.push_back(total);
    return ops::zeros(s, frames.dtype());
  }
  s.push_back(count * length);
  const Tensor at =
      ops::reshape(index_range(count) * Tensor(hop), {count, 1}) + index_range(length);
  return ops::scatter(ops::reshape(frames, s), ops::flatten(at), total, "add", -1);
}

// sum_j a[i + j] w[j] with zero padding; both in one real dtype that conv takes.
Tensor slid(const Tensor& a, const Tensor& w, int64_t low, int64_t high) {
  ConvAttr attr{.strides = {1},
                .low = {low},
                .high = {high},
                .dilation = {1},
                .input_dilation = {1},
                .groups = 1};
  const Tensor r = apply_to(OpId::conv, std::move(attr), ops::reshape(a, {1, 1, a.size()}),
                            ops::reshape(w, {1, 1, w.size()}));
  return ops::flatten(r);
}
Tensor slide(const Tensor& a, const Tensor& w, std::string_view mode) {
  const int64_t n = w.size();
  const int64_t low = mode == "full" ? n - 1 : mode == "same" ? n / 2 : 0;
  const int64_t high = mode == "full" ? n - 1 : mode == "same" ? n - n / 2 - 1 : 0;
  const DType t = a.dtype();
  if (is_complex(t)) {
    const Tensor ar = ops::real(a);
    const Tensor ai = ops::imag(a);
    const Tensor wr = ops::real(w);
    const Tensor wi = ops::imag(w);
    const Tensor re = slid(ar, wr, low, high) - slid(ai, wi, low, high);
    const Tensor im = slid(ar, wi, low, high) + slid(ai, wr, low, high);
    return re + im * Tensor(std::complex<double>(0, 1));
  }
  const DType wide = t == DType::bool_ || bits_of(t) == 4 ? DType::int64 : t;
  return cast_to(slid(cast_to(a, wide), cast_to(w, wide), low, high), t);
}
void check_sequences(Inputs in, std::string_view mode) {
  check_kin(in);
  if (mode != "full" && mode != "same" && mode != "valid") {
    throw ValueError("mode must be full, same or valid, not '" + std::string(mode.substr(0, 40)) +
                     "'");
  }
  for (const Tensor& x : in) {
    if (x.ndim() != 1) throw ShapeError("needs one dimension, not " + std::to_string(x.ndim()));
    if (x.size() == 0) throw ValueError("an empty sequence cannot be convolved");
  }
}

}  // namespace

namespace ops {

// ---- Fourier transforms ----
Tensor fft(const Tensor& x, std::optional<int64_t> n, int64_t axis, std::string_view norm) {
  return one("fft", OpId::fft, x, n, axis, norm, false);
}
Tensor ifft(const Tensor& x, std::optional<int64_t> n, int64_t axis, std::string_view norm) {
  return one("ifft", OpId::fft, x, n, axis, norm, true);
}
Tensor rfft(const Tensor& x, std::optional<int64_t> n, int64_t axis, std::string_view norm) {
  return one("rfft", OpId::rfft, x, n, axis, norm, false);
}
Tensor irfft(const Tensor& x, std::optional<int64_t> n, int64_t axis, std::string_view norm) {
  return one("irfft", OpId::irfft, x, n, axis, norm, true);
}
Tensor hfft(const Tensor& x, std::optional<int64_t> n, int64_t axis, std::string_view norm) {
  return one("hfft", OpId::irfft, conj(x), n, axis, swapped(norm), true);
}
Tensor ihfft(const Tensor& x, std::optional<int64_t> n, int64_t axis, std::string_view norm) {
  return conj(one("ihfft", OpId::rfft, x, n, axis, swapped(norm), false));
}
Tensor fftn(const Tensor& x, const std::optional<Ints>& s, const Axes& axes,
            std::string_view norm) {
  return many("fftn", x, s, axes, norm, false);
}
Tensor ifftn(const Tensor& x, const std::optional<Ints>& s, const Axes& axes,
             std::string_view norm) {
  return many("ifftn", x, s, axes, norm, true);
}
Tensor rfftn(const Tensor& x, const std::optional<Ints>& s, const Axes& axes,
             std::string_view norm) {
  return many_real("rfftn", x, s, axes, norm, false);
}
Tensor irfftn(const Tensor& x, const std::optional<Ints>& s, const Axes& axes,
              std::string_view norm) {
  return many_real("irfftn", x, s, axes, norm, true);
}
Tensor fft2(const Tensor& x, const std::optional<Ints>& s, const Ints& axes,
            std::string_view norm) {
  return many("fft2", x, s, axes, norm, false);
}
Tensor ifft2(const Tensor& x, const std::optional<Ints>& s, const Ints& axes,
             std::string_view norm) {
  return many("ifft2", x, s, axes, norm, true);
}
Tensor rfft2(const Tensor& x, const std::optional<Ints>& s, const Ints& axes,
             std::string_view norm) {
  return many_real("rfft2", x, s, axes, norm, false);
}
Tensor irfft2(const Tensor& x, const std::optional<Ints>& s, const Ints& axes,
              std::string_view norm) {
  return many_real("irfft2", x, s, axes, norm, true);
}
Tensor fftfreq(int64_t n, double d, DType dtype) {
  return frequencies("fftfreq", n, d, dtype, false);
}
Tensor rfftfreq(int64_t n, double d, DType dtype) {
  return frequencies("rfftfreq", n, d, dtype, true);
}
Tensor fftshift(const Tensor& x, const Axes& axes) { return shifted("fftshift", x, axes, false); }
Tensor ifftshift(const Tensor& x, const Axes& axes) { return shifted("ifftshift", x, axes, true); }

// ---- Short-time transforms ----
Tensor overlap_add(const Tensor& frames, int64_t hop_length) {
  return named("overlap_add", "frames", {&frames, 1}, [&] {
    if (frames.ndim() < 2) {
      throw ShapeError("needs at least two dimensions: frames and their elements");
    }
    if (hop_length <= 0) {
      throw ValueError("hop_length must be positive, not " + std::to_string(hop_length));
    }
    return overlapped(frames, hop_length);
  });
}
Tensor stft(const Tensor& x, const StftOptions& options) {
  return named("stft", x, [&]() -> Tensor {
    if (x.ndim() == 0) throw ShapeError("needs at least one dimension");
    const Tensor v = to_real(x);
    if (!options.n_fft) {  // frames that are cut and weighed already
      if (options.hop_length || options.win_length || options.window) {
        throw ValueError("n_fft is missing");
      }
      const Tensor r = rfft(v);
      return r.ndim() == 1 ? r : matrix_transpose(r);
    }
    const Cutting c = cutting(options, *options.n_fft, v.dtype(), v.device());
    Tensor signal = v;
    if (options.center) {
      Ints widths(size_t(2 * x.ndim()), 0);
      widths[widths.size() - 2] = widths.back() = c.n_fft / 2;
      signal = pad(v, widths, options.pad_mode);
    }
    if (signal.shape(-1) < c.n_fft) {
      throw ShapeError("a signal of " + std::to_string(signal.shape(-1)) +
                       " elements is shorter than n_fft = " + std::to_string(c.n_fft));
    }
    return matrix_transpose(rfft(frame(signal, c.n_fft, c.hop) * c.window));
  });
}
Tensor istft(const Tensor& x, const StftOptions& options, std::optional<int64_t> length) {
  return named("istft", x, [&]() -> Tensor {
    if (x.ndim() < 2) throw ShapeError("needs at least two dimensions: frequencies and frames");
    if (length && *length < 0) {
      throw ValueError("length cannot be negative: " + std::to_string(*length));
    }
    const Tensor spectrum = to_complex(x);
    const Cutting c = cutting(options, options.n_fft.value_or(2 * (x.shape(-2) - 1)),
                              real_of(spectrum.dtype()), spectrum.device());
    if (x.shape(-2) != c.n_fft / 2 + 1) {
      throw ShapeError("n_fft = " + std::to_string(c.n_fft) + " needs " +
                       std::to_string(c.n_fft / 2 + 1) + " frequencies, not " +
                       std::to_string(x.shape(-2)));
    }
    const Tensor frames = irfft(matrix_transpose(spectrum), c.n_fft) * c.window;
    const Tensor y = overlapped(frames, c.hop);
    const Tensor weight = overlapped(broadcast_to(square(c.window), {x.shape(-1), c.n_fft}), c.hop);
    const Tensor whole = y / where(weight > 1e-11, weight, like(weight, 1));
    const int64_t n = whole.shape(-1);
    const int64_t start = options.center ? std::min(c.n_fft / 2, n) : 0;
    const int64_t end = options.center ? std::max(start, n - c.n_fft / 2) : n;
    const int64_t wanted = length.value_or(end - start);
    const int64_t have = std::min(wanted, n - start);
    const int64_t axis = whole.ndim() - 1;
    const Tensor r = sliced(whole, axis, have > 0 ? Cut{start, 1, have} : Cut{});
    if (have == wanted) return r;
    Ints widths(size_t(2 * x.ndim() - 2), 0);
    widths.back() = wanted - have;
    return pad(r, widths);
  });
}
Tensor spectrogram(const Tensor& x, const StftOptions& options, double power) {
  return named("spectrogram", x, [&] {
    const Tensor s = stft(x, options);
    if (power == 2) return absolute_square(s);
    return power == 1 ? abs(s) : pow(abs(s), power);
  });
}

// ---- Convolution of sequences ----
Tensor convolve(const Tensor& a, const Tensor& v, std::string_view mode) {
  const Tensor given[] = {a, v};
  return named("convolve", "a, v", given, [&] {
    check_sequences(given, mode);
    Tensor in[] = {a, v};
    promote_inputs(in, result_dtype(in));
    if (a.size() < v.size()) std::swap(in[0], in[1]);
    return slide(in[0], flip(in[1], 0), mode);
  });
}
Tensor correlate(const Tensor& a, const Tensor& v, std::string_view mode) {
  const Tensor given[] = {a, v};
  return named("correlate", "a, v", given, [&] {
    check_sequences(given, mode);
    Tensor in[] = {a, v};
    promote_inputs(in, result_dtype(in));
    const auto conjugate = [](const Tensor& x) { return is_complex(x.dtype()) ? conj(x) : x; };
    if (a.size() >= v.size()) return slide(in[0], conjugate(in[1]), mode);
    return conjugate(flip(slide(in[1], conjugate(in[0]), mode), 0));
  });
}

}  // namespace ops

namespace {

// ---- Gradients ----
using namespace ops;

// rfft keeps n/2 + 1 bins. Each stands for itself and its mirror image, except DC and, for even n,
// Nyquist: n = 4 has the factors 1, inner, 1.
Tensor in_halves(const Tensor& spectrum, const FftAttr& a, double inner) {
  const int64_t m = a.n / 2 + 1;
  const Tensor k = index_range(m);
  const Tensor alone = a.n % 2 ? k == 0 : logical_or(k == 0, k == m - 1);
  Shape s(size_t(spectrum.ndim()), 1);
  s[size_t(a.axis)] = m;
  return spectrum * reshape(where(alone, like(real(spectrum), 1), like(real(spectrum), inner)), s);
}
Gradients vjp_fft(const Vjp& v) {
  const auto& a = v.attrs.as<FftAttr>();
  return {crop_or_pad(apply_to(OpId::fft, FftAttr{a.axis, a.n, !a.inverse, a.scale}, v.g[0]),
                      a.axis, 0, v.x[0].shape(a.axis))};
}
Gradients vjp_rfft(const Vjp& v) {
  const auto& a = v.attrs.as<FftAttr>();
  const Tensor r =
      apply_to(OpId::irfft, FftAttr{a.axis, a.n, true, a.scale}, in_halves(v.g[0], a, 0.5));
  return {crop_or_pad(r, a.axis, 0, v.x[0].shape(a.axis))};
}
Gradients vjp_irfft(const Vjp& v) {
  const auto& a = v.attrs.as<FftAttr>();
  const Tensor r =
      in_halves(apply_to(OpId::rfft, FftAttr{a.axis, a.n, false, a.scale}, v.g[0]), a, 2);
  return {crop_or_pad(r, a.axis, 0, v.x[0].shape(a.axis))};
}

}  // namespace

namespace {
using binder::fn;

Shape with_length(const Shape& s, int64_t axis, int64_t n) {
  Shape r = s;
  r[size_t(axis)] = n;
  return r;
}
Type infer_fft(Inputs in, const Attrs& attrs) {
  const auto& a = attrs.as<FftAttr>();
  return {in[0].dtype(), with_length(in[0].shape(), a.axis, a.n)};
}
Type infer_rfft(Inputs in, const Attrs& attrs) {
  const auto& a = attrs.as<FftAttr>();
  return {complex_of(in[0].dtype()), with_length(in[0].shape(), a.axis, a.n / 2 + 1)};
}
Type infer_irfft(Inputs in, const Attrs& attrs) {
  const auto& a = attrs.as<FftAttr>();
  return {real_of(in[0].dtype()), with_length(in[0].shape(), a.axis, a.n)};
}
Tensor istft_any(const Tensor& x, std::optional<int64_t> length, const ops::StftOptions& options) {
  return ops::istft(x, options, length);
}
Tensor spectrogram_any(const Tensor& x, double power, const ops::StftOptions& options) {
  return ops::spectrogram(x, options, power);
}

#define NODE(op, a, d, k, i, ...) \
  GRAPH_OP(op, a, d, .arity = {1, 1}, .kinds = k, .infer = i, __VA_ARGS__)
#define ONE "x, n=None, axis=-1, norm=\"backward\""
#define MANY "x, s=None, axes=None, norm=\"backward\""
#define TWO "x, s=None, axes=[-2, -1], norm=\"backward\""
const Row rows[] = {
    NODE(fft, ONE, "Discrete Fourier transform along an axis.", k_complex, infer_fft,
         .vjp = vjp_fft, .reads = reads_none),
    FUN(ifft, ONE, "Inverse discrete Fourier transform along an axis."),
    NODE(rfft, ONE, "Fourier transform of real numbers: the n / 2 + 1 non-negative frequencies.",
         k_float, infer_rfft, .vjp = vjp_rfft, .reads = reads_none),
    NODE(irfft, ONE, "Real inverse Fourier transform of the non-negative frequencies.", k_complex,
         infer_irfft, .vjp = vjp_irfft, .reads = reads_none),
    FUN(hfft, ONE, "Real Fourier transform of a Hermitian signal, given by its first half."),
    FUN(ihfft, ONE, "Inverse of hfft."),
    FUN(fftn, MANY, "Discrete Fourier transform along several axes."),
    FUN(ifftn, MANY, "Inverse discrete Fourier transform along several axes."),
    FUN(rfftn, MANY,
        "Fourier transform of real numbers along axes; the last keeps its non-negative "
        "frequencies."),
    FUN(irfftn, MANY, "Inverse of rfftn."),
    FUN(fft2, TWO, "Discrete Fourier transform along two axes."),
    FUN(ifft2, TWO, "Inverse discrete Fourier transform along two axes."),
    FUN(rfft2, TWO,
        "Fourier transform of real numbers along two axes; the last keeps its non-negative "
        "frequencies."),
    FUN(irfft2, TWO, "Inverse of rfft2."),
    FUN(fftfreq, "n, d=1.0, dtype=float",
        "Frequency of each bin of fft for n samples with spacing d."),
    FUN(rfftfreq, "n, d=1.0, dtype=float",
        "Frequency of each bin of rfft for n samples with spacing d."),
    FUN(fftshift, "x, axes=None", "Zero-frequency bin shifted to the center."),
    FUN(ifftshift, "x, axes=None", "Inverse of fftshift."),
    FUN(hann_window, "n, periodic=True, dtype=float", "Hann window: 0.5 - 0.5 * cos(2 * pi * t)."),
    FUN(hamming_window, "n, periodic=True, dtype=float",
        "Hamming window: 0.54 - 0.46 * cos(2 * pi * t)."),
    FUN(blackman_window, "n, periodic=True, dtype=float",
        "Blackman window: 0.42 - 0.5 * cos(2 * pi * t) + 0.08 * cos(4 * pi * t)."),
    FUN(bartlett_window, "n, periodic=True, dtype=float",
        "Bartlett window: 1 - |2 * t - 1|, a triangle."),
    FUN(kaiser_window, "n, beta=12.0, periodic=True, dtype=float",
        "Kaiser window with shape parameter beta."),
    FUN(overlap_add, "frames, hop_length",
        "Signal from frames that start every hop_length elements; overlaps are added."),
    FUN(stft, "x, **options",
        "Short-time Fourier transform [frequency, frame]; without n_fft, x holds windowed frames."),
    {.name = "istft",
     .args = "x, length=None, **options",
     .doc = "Signal from its short-time Fourier transform.",
     .call = fn<istft_any>},
    {.name = "spectrogram",
     .args = "x, power=2.0, **options",
     .doc = "Absolute value of the short-time Fourier transform raised to a power.",
     .call = fn<spectrogram_any>},
    FUN(mel_filter_bank, "n_mels, n_fft, sample_rate, low=0.0, high=None, dtype=float",
        "Triangular filters on Slaney's mel scale, each of area 1: [n_mels, n_fft / 2 + 1]."),
    FUN(convolve, "a, v, mode=\"full\"",
        "Discrete convolution of two vectors; mode is full, same or valid."),
    FUN(correlate, "a, v, mode=\"valid\"",
        "Cross-correlation of two vectors with v conjugated; mode is full, same or valid."),
};
#undef NODE
#undef ONE
#undef MANY
#undef TWO
}  // namespace

std::span<const Row> signal_rows() { return rows; }

}  // namespace ember
