// Convolution. oneDNN computes float32 if it is fast; other convolutions gather the inputs of the
// taps as a matrix and multiply.
#include <array>
#include <limits>
#include <numeric>

#include "engines/native/kernels/conv_dnnl.h"
#include "engines/native/kernels/slide_filter.h"
#include "engines/native/tiles/widen.h"

namespace ember::native {
namespace {

// The type of sums in the plain loops: unsigned for integers, so that they wrap.
template <class T> struct Sum {
  using type = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
};
template <> struct Sum<float> {
  using type = double;
};
template <> struct Sum<double> {
  using type = double;
};
template <> struct Sum<std::complex<float>> {
  using type = std::complex<double>;
};
template <> struct Sum<std::complex<double>> {
  using type = std::complex<double>;
};
template <class S> void add_product(S& sum, S a, S b) { sum += a * b; }
// Without the checks for infinities of std::complex's product.
void add_product(std::complex<double>& sum, std::complex<double> a, std::complex<double> b) {
  sum += std::complex<double>(a.real() * b.real() - a.imag() * b.imag(),
                              a.real() * b.imag() + a.imag() * b.real());
}

// c += a b, row-major: c is m x n and contiguous, a and b have rows of the given lengths.
// transposed: b is n x k.
template <class T>
void multiply_plain(int64_t m, int64_t n, int64_t k, const T* a, int64_t lda, const T* b,
                    int64_t ldb, bool transposed, T* c) {
  using S = typename Sum<T>::type;
  constexpr int64_t tile = 128;
  for (int64_t j0 = 0; j0 < n; j0 += tile) {
    const int64_t width = std::min(tile, n - j0);
    for (int64_t i = 0; i < m; ++i) {
      S sums[tile] = {};
      if (transposed) {
        for (int64_t j = 0; j < width; ++j) {
          for (int64_t p = 0; p < k; ++p) {
            add_product(sums[j], S(a[i * lda + p]), S(b[(j0 + j) * ldb + p]));
          }
        }
      } else {
        for (int64_t p = 0; p < k; ++p) {
          for (int64_t j = 0; j < width; ++j) {
            add_product(sums[j], S(a[i * lda + p]), S(b[p * ldb + j0 + j]));
          }
        }
      }
      T* const out = c + i * n + j0;
      for (int64_t j = 0; j < width; ++j) out[j] = T(S(out[j]) + sums[j]);
    }
  }
}

template <class T>
void multiply(int64_t m, int64_t n, int64_t k, const T* a, int64_t lda, const T* b, int64_t ldb,
              bool transposed, T* c) {
  if (!k) return;
#ifdef EMBER_HAVE_BLAS
  if constexpr (!std::is_integral_v<T>) {
    constexpr int64_t most = std::numeric_limits<int>::max();
    if (std::max({m, n, k, lda, ldb}) <=
        most) {  // BLAS counts columns first, so the row-major product is b a
      const int rows = int(m);
      const int columns = int(n);
      const int depth = int(k);
      const int a_row = int(lda);
      const int b_row = int(ldb);
      const T one(1);
      blas_one_thread();
      return Blas<T>::gemm(transposed ? "T" : "N", "N", &columns, &rows, &depth, &one, b, &b_row, a,
                           &a_row, &one, c, &columns, 1, 1);
    }
  }
#endif
  multiply_plain(m, n, k, a, lda, b, ldb, transposed, c);
}

// One axis: output o at tap k reads input (o * stride + k * dilation - low) / gap if that is an
// integer. The formula is symmetric in outputs and taps, so an axis with both exchanged describes
// the same reads.
struct ConvAxis {
  ConvAxis(const ConvShape& s, size_t d, bool mirrored)
      : in(s.in[d]),
        out(mirrored ? s.kernel[d] : s.out[d]),
        taps(mirrored ? s.out[d] : s.kernel[d]),
        stride(mirrored ? s.dilation[d] : s.strides[d]),
        dilation(mirrored ? s.strides[d] : s.dilation[d]),
        low(s.low[d]),
        gap(s.input_dilation[d]),
        period(gap / std::gcd(gap, stride)),
        step(stride / std::gcd(gap, stride)) {}
  int64_t in, out, taps, stride, dilation, low, gap;
  int64_t period, step;  // whole quotients come every `period` outputs, and lie `step` apart
  int64_t place(int64_t o, int64_t k) const { return o * stride + k * dilation - low; }
  // The index of the input, or -1 for padding.
  int64_t input(int64_t o, int64_t k) const {
    const int64_t p = place(o, k);
    if (p < 0 || (gap != 1 && p % gap)) return -1;
    const int64_t i = gap == 1 ? p : p / gap;
    return i < in ? i : -1;
  }
};

// to[j] = what output first + j reads at tap k, for j < n; row is the input's row, or null for
// padding.
template <class T>
void copy_run(T* to, const T* row, const ConvAxis& a, int64_t first, int64_t n, int64_t k) {
  int64_t j = 0;
  int64_t count = 0;
  int64_t i = 0;
  if (row) {
    const int64_t tries = std::min(n, a.period);
    while (a.gap != 1 && j < tries && a.place(first + j, k) % a.gap) ++j;
    if (j < tries) {
      i = a.gap == 1 ? a.place(first, k) : a.place(first + j, k) / a.gap;
      if (i < 0) {
        const int64_t skipped = (-i + a.step - 1) / a.step;
        i += skipped * a.step;
        j += skipped * a.period;
      }
      if (j < n && i < a.in) {
        count = std::min((n - j + a.period - 1) / a.period, (a.in - i + a.step - 1) / a.step);
      }
    }
  }
  if (!count || a.period != 1) {
    std::fill(to, to + n, T());
    for (int64_t t = 0; t < count; ++t) to[j + t * a.period] = row[i + t * a.step];
    return;
  }
  std::fill(to, to + j, T());
  if (a.step == 1) {
    std::copy(row + i, row + i + count, to + j);
  } else {
    for (int64_t t = 0; t < count; ++t) to[j + t] = row[i + t * a.step];
  }
  std::fill(to + j + count, to + n, T());
}

// The inputs of all outputs, as a matrix: one side is (image, output position), the other (channel,
// tap). A line runs along the side whose last axis is longer. Indices below are of the outputs and
// taps of the axes, exchanged or not.
template <class T> class Reads {
 public:
  Reads(const ConvShape& s, const T* x) : along_taps(s.kernel.back() > s.out.back()), x_(x) {
    for (size_t d = 0; d < s.in.size(); ++d) axes_.emplace_back(s, d, along_taps);
    for (const ConvAxis& a : axes_) {
      outputs_ *= a.out;
      taps_ *= a.taps;
    }
    const int64_t plane = size_of(s.in);
    const int64_t image = s.channels * plane;
    output_pitch_ = along_taps ? plane : image;
    tap_pitch_ = along_taps ? image : plane;
  }
  const bool along_taps;

  // A part of a line with consecutive positions of the last axis.
  struct Run {
    int64_t plane, rest, first, n;  // rest: the index over the other axes
  };
  std::vector<Run> runs(int64_t first, int64_t n) const {
    std::vector<Run> all;
    const int64_t width = axes_.back().out;
    for (const int64_t end = first + n; first < end; first += all.back().n) {
      const int64_t place = first % outputs_;
      const int64_t at = place % width;
      all.push_back({first / outputs_, place / width, at, std::min(end - first, width - at)});
    }
    return all;
  }

  // Writes the line of (plane, tap) `index`, in the channels that begin at x_ + base.
  void line(T* to, const std::vector<Run>& runs, int64_t index, int64_t base) const {
    const size_t last = axes_.size() - 1;
    const T* const x = x_ + base + index / taps_ * tap_pitch_;
    Ints tap(axes_.size());
    int64_t rest = index % taps_;
    for (size_t d = axes_.size(); d-- > 0; rest /= axes_[d].taps) tap[d] = rest % axes_[d].taps;
    for (const Run& r : runs) {
      int64_t offset = 0;
      int64_t scale = axes_[last].in;
      int64_t place = r.rest;
      for (size_t d = last; d-- > 0 && offset >= 0;) {
        const int64_t i = axes_[d].input(place % axes_[d].out, tap[d]);
        offset = i < 0 ? -1 : offset + i * scale;
        place /= axes_[d].out;
        scale *= axes_[d].in;
      }
      copy_run(to, offset < 0 ? nullptr : x + r.plane * output_pitch_ + offset, axes_[last],
               r.first, r.n, tap[last]);
      to += r.n;
    }
  }

 private:
  const T* x_;
  std::vector<ConvAxis> axes_;
  int64_t outputs_ = 1, taps_ = 1, output_pitch_ = 0, tap_pitch_ = 0;
};

// Gathers one tile of the matrix after the other, multiplies it by the filters and adds the result.
// Tiles depend on the shape only, so any number of threads gives the same bits.
template <class T> class Unrolled {
 public:
  Unrolled(const ConvShape& s, const T* x, const T* w, const T* bias, T* y)
      : s_(s), x_(x), w_(w), bias_(bias), y_(y), reads_(s, x) {
    positions_ = s.positions();
    plane_ = size_of(s.in);
    depth_ = s.channels / s.groups * s.taps();
    rows_ = s.filters / s.groups;
    columns_ = s.batch * positions_;
    const auto only = [](const Ints& list, int64_t v) {
      return std::ranges::all_of(list, [&](int64_t i) { return i == v; });
    };
    direct_ = s.taps() == 1 && s.in == s.out && only(s.low, 0) && only(s.strides, 1) &&
              only(s.input_dilation, 1);
    constexpr int64_t budget = (1 << 20) / sizeof(T);  // elements that stay in a core's cache
    const int64_t depth_tiles = (depth_ + 2047) / 2048;
    depth_tile_ = depth_tiles ? (depth_ + depth_tiles - 1) / depth_tiles : 0;
    const int64_t fits = budget / std::max<int64_t>({depth_tile_, rows_, 1});
    const int64_t wanted = (columns_ + 15) / 16;
    tile_ = std::max<int64_t>(32, std::min(fits, std::max<int64_t>(wanted, 64)) / 16 * 16);
  }

  void run() const {
    const int64_t tiles = (columns_ + tile_ - 1) / tile_;
    const double work = double(std::min(tile_, columns_)) * double(rows_ + 1) * double(depth_ + 1);
    parallel_for(s_.groups * tiles, int64_t(std::max(1.0, 200'000 / work)),
                 [&](int64_t begin, int64_t end) {
                   const Scratch<T> reads(depth_tile_ * tile_);
                   const Scratch<T> sums(rows_ * tile_);
                   for (int64_t i = begin; i < end; ++i) {
                     const int64_t first = i % tiles * tile_;
                     one_tile(i / tiles, first, std::min(tile_, columns_ - first), reads.data(),
                              sums.data());
                   }
                 });
  }

 private:
  void one_tile(int64_t group, int64_t first, int64_t n, T* reads, T* sums) const {
    for (int64_t r = 0; r < rows_; ++r) {
      std::fill(sums + r * n, sums + (r + 1) * n, bias_ ? bias_[group * rows_ + r] : T());
    }
    const T* const w = w_ + group * rows_ * depth_;
    const int64_t base = group * (s_.channels / s_.groups) * plane_;
    const int64_t image = first / positions_;
    if (direct_ && image == (first + n - 1) / positions_) {  // the input is the matrix
      multiply(rows_, n, depth_, w, depth_,
               x_ + image * s_.channels * plane_ + base + first % positions_, plane_, false, sums);
    } else if (reads_.along_taps) {
      for (int64_t d = 0; d < depth_; d += depth_tile_) {
        const int64_t deep = std::min(depth_tile_, depth_ - d);
        const auto runs = reads_.runs(d, deep);
        for (int64_t i = 0; i < n; ++i) reads_.line(reads + i * deep, runs, first + i, base);
        multiply(rows_, n, deep, w + d, depth_, reads, deep, true, sums);
      }
    } else {
      const auto runs = reads_.runs(first, n);
      for (int64_t d = 0; d < depth_; d += depth_tile_) {
        const int64_t deep = std::min(depth_tile_, depth_ - d);
        for (int64_t k = 0; k < deep; ++k) reads_.line(reads + k * n, runs, d + k, base);
        multiply(rows_, n, deep, w + d, depth_, reads, n, false, sums);
      }
    }
    for (int64_t at = 0; at < n;) {  // the part of each image
      const int64_t to = (first + at) / positions_;
      const int64_t place = (first + at) % positions_;
      const int64_t count = std::min(n - at, positions_ - place);
      T* const y = y_ + (to * s_.filters + group * rows_) * positions_ + place;
      for (int64_t r = 0; r < rows_; ++r) std::copy_n(sums + r * n + at, count, y + r * positions_);
      at += count;
    }
  }

  const ConvShape& s_;
  const T *x_, *w_, *bias_;
  T* y_;
  const Reads<T> reads_;
  int64_t positions_, plane_, depth_, rows_, columns_, depth_tile_, tile_;
  bool direct_;  // one tap that reads each input at its own position
};

// Whether a is a contiguous array with its first two axes exchanged.
bool has_exchanged_axes(const Array& a) {
  const Ints c = contiguous_strides(a.shape);
  const int64_t plane = c[1];
  if (a.shape.size() < 3 || a.strides[1] != plane * a.shape[0] ||
      (a.shape[0] > 1 && a.strides[0] != plane)) {
    return false;
  }
  return std::equal(c.begin() + 2, c.end(), a.strides.begin() + 2);
}

// Gradients record a filter's gradient as a convolution with batch and channels exchanged in both
// inputs, and with strides and dilation exchanged. oneDNN has kernels for it.
bool filter_gradient(const Call& call) {
  const Array& x = call.in[0];
  const Array& g = call.in[1];
  const Array& y = call.out[0];
  if (y.dtype != DType::float32 || call.in.size() > 2 || !x.size || !g.size ||
      !has_exchanged_axes(x) || !has_exchanged_axes(g)) {
    return false;
  }
  const ConvShape s = conv_shape(call.attrs.as<ConvAttr>(), x.shape, g.shape, y.shape);
  if (s.groups != 1) return false;
  const ConvShape of{s.channels, s.batch,    s.filters, 1,  s.in,      s.kernel,
                     s.out,      s.dilation, s.low,     {}, s.strides, s.input_dilation};
  return conv_filter_dnnl(of, x.as<float>(), g.as<float>(), y.as<float>());
}

// One filter along one sequence: a matrix of what it reads would cost more than the sums.
bool slides(const ConvShape& s) {
  return s.in.size() == 1 && s.channels == 1 && s.filters == 1 && s.strides[0] == 1 &&
         s.input_dilation[0] == 1 && s.kernel[0] <= slide_filter_max && s.out[0] >= s.kernel[0];
}
template <class T> void slide(const ConvShape& s, const T* x, const T* w, const T* bias, T* y) {
  const int64_t in = s.in[0];
  const int64_t out = s.out[0];
  const int64_t taps = s.kernel[0];
  const int64_t dilation = s.dilation[0];
  const int64_t low = s.low[0];
  const T start = bias ? *bias : T(0);
  // Outputs from `first` to before `last` read no padding.
  const int64_t first = std::clamp<int64_t>(low, 0, out);
  const int64_t last = std::clamp<int64_t>(in + low - (taps - 1) * dilation, first, out);
  for (int64_t image = 0; image < s.batch; ++image, x += in, y += out) {
    const auto at_edge = [&](int64_t o) {
      T sum = start;
      for (int64_t k = 0; k < taps; ++k) {
        const int64_t i = o + k * dilation - low;
        if (i >= 0 && i < in) sum += x[i] * w[k];
      }
      y[o] = sum;
    };
    for (int64_t o = 0; o < first; ++o) at_edge(o);
    parallel_for(last - first, 1 << 15, [&](int64_t begin, int64_t end) {
      slide_filter(x + first + begin - low, w, taps, dilation, start, y + first + begin,
                   end - begin);
    });
    for (int64_t o = last; o < out; ++o) at_edge(o);
  }
}

void conv_packed(const Call& call) {
  const Array& y = call.out[0];
  if (y.dtype == DType::float16 || y.dtype == DType::bfloat16) {
    return run_widened(call, conv_packed);
  }
  const ConvShape s =
      conv_shape(call.attrs.as<ConvAttr>(), call.in[0].shape, call.in[1].shape, y.shape);
  visit_dtype(y.dtype, [&]<class T>(T) {
    if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, Half> || std::is_same_v<T, BFloat>) {
      throw DTypeError("does not support " + std::string(name(y.dtype)));
    } else {
      if (bits_of(y.dtype) == 4) {
        throw DTypeError("does not support " + std::string(name(y.dtype)));
      }
      const T* const x = call.in[0].as<T>();
      const T* const w = call.in[1].as<T>();
      const T* const bias = call.in.size() > 2 ? call.in[2].as<T>() : nullptr;
      if constexpr (std::is_floating_point_v<T>) {
        if (slides(s)) return slide(s, x, w, bias, y.as<T>());
      }
      if constexpr (std::is_same_v<T, float>) {
        if (call.in[0].size && call.in[1].size && conv_dnnl(s, x, w, bias, y.as<T>())) return;
      }
      Unrolled<T>(s, x, w, bias, y.as<T>()).run();
    }
  });
}

void conv(const Call& call) {
  if (!call.out[0].size || filter_gradient(call)) return;
  Scratch<std::byte> rooms[3];
  Ints strides[3];
  Small<Array, 3> in;
  for (const Array& given : call.in) {
    const size_t k = in.size();
    Array a = given;
    if (a.size && !contiguous(a.shape, a.strides)) {
      strides[k] = contiguous_strides(a.shape);
      a.strides = strides[k];
      a.data = rooms[k].make(a.size * int64_t(size_of(a.dtype)));
      copy_strided(a, given);
    }
    in.push_back(a);
  }
  conv_packed({std::span<const Array>(in.data(), in.size()), call.out, call.attrs});
}

constexpr KernelRow rows[] = {{OpId::conv, conv, false}};

}  // namespace

ConvShape conv_shape(const ConvAttr& attr, std::span<const int64_t> x, std::span<const int64_t> w,
                     std::span<const int64_t> y) {
  const size_t axes = std::max<size_t>(x.size() - 2, 1);
  const auto fill = [&](Ints given, int64_t absent) {
    given.resize(axes, absent);
    return given;
  };
  const auto spatial = [&](std::span<const int64_t> shape) {
    return fill(Ints(shape.subspan(2)), 1);
  };
  return {x[0],
          x[1],
          w[0],
          attr.groups,
          spatial(x),
          spatial(y),
          spatial(w),
          fill(attr.strides, 1),
          fill(attr.low, 0),
          fill(attr.high, 0),
          fill(attr.dilation, 1),
          fill(attr.input_dilation, 1)};
}

std::span<const KernelRow> convolution_kernels() { return rows; }

}  // namespace ember::native
