// fft, rfft and irfft along one axis: lines are gathered into buffers, transformed there, and
// written out.
#include <algorithm>

#include "engines/native/kernels/fft.h"

namespace ember::native {
namespace {

// How a line of the input becomes a complex sequence, and how that becomes a line of the output. R
// is the data's type, C the one that is computed in. A real transform of even length is a complex
// one of half that length.
enum class Kind { complex, real, real_inverse };

// Where lines lie: line i starts at (i / inner) * step * inner + i % inner, its elements are inner
// apart. Lines may overlap.
struct Lines {
  int64_t count, inner, in_length, out_length, in_step;
};

// The lines that are worked on together: some lines from the first one, in a buffer of as many
// lanes or more.
struct Block {
  int64_t first, count, lanes;
};

template <class R, class C> struct Transform {
  Kind kind;
  bool inverse, half;
  int64_t n;
  C scale;
  Lines lines;
  std::shared_ptr<const FftPlan<C>> plan;
  const C* roots;             // half: cosines, then sines
  const R* window = nullptr;  // that lines are to be multiplied by

  int64_t length() const { return half ? n / 2 : n; }

  // Whether all lanes are lines of one piece each, of complex numbers or of pairs of reals, which
  // become complex numbers.
  bool packed(const Block& b) const {
    return b.count == fft_lanes<C> && lines.inner == 1 &&
           (kind == Kind::complex || (kind == Kind::real && half));
  }
  // Calls f(k, place in the buffer, start of the line in memory) for the elements begin <= k < end
  // of a block's lines.
  template <class F>
  void each(const Block& b, int64_t step, int64_t begin, int64_t end, F&& f) const {
    int64_t start[fft_lanes<C>];
    for (int64_t l = 0; l < b.count; ++l) {
      start[l] = (b.first + l) / lines.inner * step * lines.inner + (b.first + l) % lines.inner;
    }
    // Lines that lie side by side are worth a loop of their own, which the compiler turns into
    // vectors.
    if (b.count == fft_lanes<C> && start[b.count - 1] - start[0] == b.count - 1) {
      for (int64_t k = begin; k < end; ++k) {
        for (int64_t l = 0; l < fft_lanes<C>; ++l) f(k, k * fft_lanes<C> + l, start[0] + l);
      }
    } else {
      for (int64_t from = begin; from < end;
           from += 16) {  // whole cache lines of one line of data, then the next one's
        for (int64_t l = 0; l < b.count; ++l) {
          for (int64_t k = from; k < std::min(end, from + 16); ++k) f(k, k * b.lanes + l, start[l]);
        }
      }
    }
  }

  void load(const Array& in, const FftWork<C>& w, const Block& b) const {
    C* re = w.re;
    C* im = w.im;
    const int64_t step = lines.inner;
    const int64_t size = length();
    const int64_t given = std::min(lines.in_length, kind == Kind::real ? n : size);
    if constexpr (std::is_same_v<R, C>) {
      if (packed(b) && given == (half ? n : size)) {
        const int64_t stride = kind == Kind::complex ? 2 * lines.in_step : lines.in_step;
        return fft_load(in.as<R>() + b.first * stride, stride, size, window, re, im);
      }
    }
    if (window) return load_weighed(in, w, b);
    if (b.count < b.lanes) {
      std::fill_n(re, size * b.lanes, C(0));
      std::fill_n(im, size * b.lanes, C(0));
    }
    const auto clear = [&](int64_t from) {
      each(b, lines.in_step, from, size,
           [&](int64_t, int64_t at, int64_t) { re[at] = im[at] = 0; });
    };
    if (kind == Kind::complex) {
      const auto* x = in.as<R>();
      each(b, lines.in_step, 0, given, [=](int64_t k, int64_t at, int64_t start) {
        const R* z = x + 2 * (start + k * step);
        re[at] = C(z[0]);
        im[at] = C(z[1]);
      });
      clear(given);
    } else if (kind == Kind::real && half) {
      const R* x = in.as<R>();
      each(b, lines.in_step, 0, given / 2, [=](int64_t k, int64_t at, int64_t start) {
        re[at] = C(x[start + 2 * k * step]);
        im[at] = C(x[start + (2 * k + 1) * step]);
      });
      clear(given / 2);
      if (given % 2) {
        each(b, lines.in_step, given / 2, given / 2 + 1,
             [=](int64_t k, int64_t at, int64_t start) { re[at] = C(x[start + 2 * k * step]); });
      }
    } else if (kind == Kind::real) {
      const R* x = in.as<R>();
      each(b, lines.in_step, 0, given, [=](int64_t k, int64_t at, int64_t start) {
        re[at] = C(x[start + k * step]);
        im[at] = 0;
      });
      clear(given);
    } else {
      load_inverse(in, re, im, b);
    }
  }

  void load_weighed(const Array& in, const FftWork<C>& w, const Block& b) const {
    const int64_t n = lines.in_length;
    const Scratch<R> weighed(b.count * n);
    for (int64_t l = 0; l < b.count; ++l) {
      for (int64_t k = 0; k < n; ++k) {
        weighed[l * n + k] = in.as<R>()[(b.first + l) * lines.in_step + k] * window[k];
      }
    }
    Transform plain = *this;
    plain.window = nullptr;
    plain.lines.in_step = n;
    Array from = in;
    from.data = reinterpret_cast<std::byte*>(weighed.data());
    plain.load(from, w, {0, b.count, b.lanes});
  }

  // The first number, and the last one of an even length, count as real.
  void load_inverse(const Array& in, C* re, C* im, const Block& b) const {
    const auto* x = in.as<std::complex<R>>();
    const int64_t size = length();
    const auto number = [&](int64_t start, int64_t k) -> std::complex<C> {
      if (k >= lines.in_length) return {};
      const std::complex<R> z = x[start + k * lines.inner];
      return {C(z.real()), k == 0 || 2 * k == n ? C(0) : C(z.imag())};
    };
    each(b, lines.in_step, 0, half ? size : size / 2 + 1,
         [&](int64_t k, int64_t at, int64_t start) {
           const std::complex<C> z = number(start, k);
           if (half) {
             const std::complex<C> y = number(start, size - k);
             const C dr = z.real() - y.real();
             const C di = z.imag() + y.imag();
             const C c = roots[k];
             const C s = -roots[size + 1 + k];
             re[at] = z.real() + y.real() - (dr * s + di * c);
             im[at] = z.imag() - y.imag() + (dr * c - di * s);
           } else {
             const int64_t mirror = at + (size - 2 * k) * b.lanes;
             re[at] = z.real();
             im[at] = z.imag();
             if (k) {
               re[mirror] = z.real();
               im[mirror] = -z.imag();
             }
           }
         });
  }

  void store(const Array& out, const FftWork<C>& w, const Block& b) const {
    const C* re = w.re;
    const C* im = w.im;
    const C factor = scale;
    const int64_t step = lines.inner;
    const int64_t size = length();
    const int64_t lanes = b.lanes;
    R* y = out.as<R>();
    if constexpr (std::is_same_v<R, C>) {
      if (packed(b)) {
        return fft_store(re, im, size, roots, factor, y + 2 * b.first * lines.out_length,
                         2 * lines.out_length);
      }
    }
    if (kind == Kind::real_inverse && half) {
      each(b, lines.out_length, 0, size, [=](int64_t k, int64_t at, int64_t start) {
        y[start + 2 * k * step] = R(re[at] * factor);
        y[start + (2 * k + 1) * step] = R(im[at] * factor);
      });
    } else if (kind == Kind::real_inverse) {
      each(b, lines.out_length, 0, size,
           [=](int64_t k, int64_t at, int64_t start) { y[start + k * step] = R(re[at] * factor); });
    } else if (!half) {
      each(b, lines.out_length, 0, lines.out_length, [=](int64_t k, int64_t at, int64_t start) {
        R* z = y + 2 * (start + k * step);
        z[0] = R(re[at] * factor);
        z[1] = R(im[at] * factor);
      });
    } else {
      each(b, lines.out_length, 0, size + 1, [=, this](int64_t k, int64_t at, int64_t start) {
        const int64_t i = k == size ? at - size * lanes : at;
        const int64_t j = k == 0 ? at : at + (size - 2 * k) * lanes;
        const C er = re[i] + re[j];
        const C ei = im[i] - im[j];
        const C dr = im[i] + im[j];
        const C di = re[j] - re[i];
        const C c = roots[k];
        const C s = roots[size + 1 + k];
        R* z = y + 2 * (start + k * step);
        z[0] = R((er + (dr * c - di * s)) * (factor / 2));
        z[1] = R((ei + (dr * s + di * c)) * (factor / 2));
      });
    }
  }

  void run(const Array& in, const Array& out, FftWork<C>& w, const Block& b) const {
    load(in, w, b);
    if (inverse) w.swap_parts();
    plan->run(w, b.lanes);
    if (inverse) w.swap_parts();
    store(out, w, b);
  }

  void run_all(const Array& in, const Array& out) const {
    // Lines side by side while they fit in the cache; further, where they lie side by side in
    // memory already.
    const int64_t size = length();
    const int64_t most = lines.inner > 1 ? 1 << 16 : 1 << 12;
    const int64_t lanes = lines.count >= fft_lanes<C> / 2 && size <= most ? fft_lanes<C> : 1;
    const int64_t blocks = (lines.count + lanes - 1) / lanes;
    const auto some = [&](int64_t begin, int64_t end) {
      FftWork<C> w(size * lanes);
      for (int64_t b = begin; b < end; ++b) {
        run(in, out, w, {b * lanes, std::min(lanes, lines.count - b * lanes), lanes});
      }
    };
    // A few long lines: one after the other, each on all threads.
    if (lanes == 1 && blocks < 8 && size >= 1 << 14) {
      some(0, blocks);
    } else {
      parallel_for(blocks, std::max<int64_t>(1, (1 << 14) / (size * lanes)), some);
    }
  }
};

template <class R, class C> void transform(const Call& call, Kind kind) {
  const Array& in = call.in[0];
  const Array& out = call.out[0];
  const FftAttr& attr = call.attrs.as<FftAttr>();
  const int64_t rank = in.rank();
  const int64_t axis = attr.axis < 0 ? attr.axis + rank : attr.axis;
  if (attr.n < 1) {
    throw ValueError("a transform needs a length of at least 1, not " + std::to_string(attr.n));
  }
  Transform<R, C> t;
  t.kind = kind;
  t.n = attr.n;
  t.scale = C(attr.scale);
  t.inverse = kind == Kind::complex ? attr.inverse : kind == Kind::real_inverse;
  t.half = kind != Kind::complex && attr.n % 2 == 0;
  t.lines = {1, 1, in.shape[size_t(axis)], out.shape[size_t(axis)], in.shape[size_t(axis)]};
  for (int64_t d = 0; d < rank; ++d) {
    if (d != axis) t.lines.count *= in.shape[size_t(d)];
    if (d > axis) t.lines.inner *= in.shape[size_t(d)];
  }
  if (t.lines.count == 0) return;
  if (call.in.size() == 2) {
    t.window = call.in[1].as<R>();
    t.lines.in_step = rank > 1 ? in.strides[size_t(rank - 2)] : 0;
  }
  t.plan = FftPlan<C>::get(t.length());
  t.roots = t.half ? t.plan->half_roots() : nullptr;
  t.run_all(in, out);
}

// float32 data is computed in float32, unless the length needs the longer way of Bluestein.
void run(const Call& call, Kind kind) {
  const int64_t n = call.attrs.as<FftAttr>().n;
  if (real_of(call.in[0].dtype) == DType::float64) return transform<double, double>(call, kind);
  if (real_of(call.in[0].dtype) != DType::float32) {
    throw DTypeError("a transform needs float32, float64 or complex numbers");
  }
  const bool half = kind != Kind::complex && n % 2 == 0;
  if (n >= 1 && !fft_direct(half ? n / 2 : n)) return transform<float, double>(call, kind);
  transform<float, float>(call, kind);
}

constexpr KernelRow rows[] = {
    {OpId::fft, [](const Call& c) { run(c, Kind::complex); }},
    {OpId::rfft, [](const Call& c) { run(c, Kind::real); }},
    {OpId::irfft, [](const Call& c) { run(c, Kind::real_inverse); }},
};

}  // namespace

std::span<const KernelRow> signal_kernels() { return rows; }

}  // namespace ember::native
