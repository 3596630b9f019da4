// Pooling: windows over the axes behind batch and channel. One row of outputs at a time; padding is
// never read.
#include <algorithm>
#include <cmath>
#include <limits>

#include "engines/native/tiles/widen.h"

namespace ember::native {
namespace {

// How many i in [0, n) have i * step < end.
int64_t below(int64_t n, int64_t step, int64_t end) {
  return end <= 0 ? 0 : std::min(n, (end - 1) / step + 1);
}

struct Range {
  int64_t begin, end;
};

// Tap k of output o looks at place o * stride + k * dilation - low.
struct PoolAxis {
  int64_t in, out, window, stride, dilation, low, high;
  int64_t pitch = 1;  // elements from one place to the next
  std::vector<Range> taps =
      {};  // of each output, those that see an element: found once, because of the divisions
  int64_t end() const { return std::min(in, in + high); }
  int64_t place(int64_t o, int64_t k) const { return o * stride + k * dilation - low; }
  int64_t taps_below(int64_t o, int64_t limit) const {
    return below(window, dilation, limit - (o * stride - low));
  }
  int64_t outputs_below(int64_t k, int64_t limit) const {
    return below(out, stride, limit - (k * dilation - low));
  }
  // How many taps of output o the mean divides by: all up to the end of the padding, or those that
  // see an element.
  double count(int64_t o, bool padding) const {
    return double(padding ? taps_below(o, in + high)
                          : std::max<int64_t>(0, taps_below(o, end()) - taps_below(o, 0)));
  }
};

bool channels_last(const Call& call) {
  return call.in[0].shape.size() > 2 && call.in[0].strides[1] == 1;
}

std::vector<PoolAxis> axes_of(const Call& call, const PoolAttr& p) {
  const auto at = [](const Ints& list, size_t d, int64_t absent) {
    return d < list.size() ? list[d] : absent;
  };
  std::vector<PoolAxis> axes;
  for (size_t d = 0; d + 2 < call.in[0].shape.size(); ++d) {
    axes.push_back({call.in[0].shape[d + 2], call.out[0].shape[d + 2], at(p.window, d, 1),
                    at(p.strides, d, 1), at(p.dilation, d, 1), at(p.low, d, 0), at(p.high, d, 0)});
  }
  // one more axis, of windows of 1
  if (channels_last(call)) {
    axes.push_back({call.in[0].shape[1], call.in[0].shape[1], 1, 1, 1, 0, 0});
  }
  if (axes.empty()) axes.push_back({1, 1, 1, 1, 1, 0, 0});
  // A last axis that one window covers exactly is merged with the one before, so that global
  // pooling is one long run.
  while (axes.size() > 1) {
    const PoolAxis b = axes.back();
    PoolAxis& a = axes[axes.size() - 2];
    if (b.out != 1 || b.window != b.in || b.low || b.high || b.dilation != 1 || a.dilation != 1) {
      break;
    }
    a = {a.in * b.in, a.out, a.window * b.in, a.stride * b.in, 1, a.low * b.in, a.high * b.in};
    axes.pop_back();
  }
  for (size_t d = axes.size() - 1; d-- > 0;) axes[d].pitch = axes[d + 1].pitch * axes[d + 1].in;
  return axes;
}

template <class T> struct Max {
  using Sum = T;
  using Limits = std::numeric_limits<T>;
  static T start() { return Limits::has_infinity ? T(-Limits::infinity()) : Limits::lowest(); }
  static void add(T& sum, T v) { sum = v > sum || v != v ? v : sum; }  // a NaN comes in and stays
  static void join(T& sum, T other) { add(sum, other); }
  static T finish(T sum, double) { return sum; }
};
// Sums are made in float64, or unsigned in integers, so that they wrap.
template <class T, Mode mode> struct Add {
  using Sum = std::conditional_t<std::is_floating_point_v<T>, double,
                                 std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>>;
  static Sum start() { return 0; }
  static void add(Sum& sum, T v) { sum += mode == Mode::l2 ? Sum(v) * Sum(v) : Sum(v); }
  static void join(Sum& sum, Sum other) { sum += other; }
  static T finish(Sum sum, [[maybe_unused]] double count) {
    if constexpr (mode == Mode::mean) {
      return count ? T(sum / count) : std::numeric_limits<T>::quiet_NaN();
    } else if constexpr (mode == Mode::l2) {
      return T(std::sqrt(sum));
    } else {
      return T(sum);
    }
  }
};

template <class T, class How> class Pooling {
 public:
  using Sum = typename How::Sum;
  Pooling(const Call& call, const PoolAttr& p)
      : x_(call.in[0].as<T>()),
        y_(call.out[0].as<T>()),
        axes_(axes_of(call, p)),
        padding_(p.count_padding) {
    for (const PoolAxis& a : axes_) {
      plane_ *= a.in;
      taps_ *= double(a.window);
    }
    PoolAxis& last = axes_.back();
    for (size_t d = 0; d + 1 < axes_.size(); ++d) lines_ *= axes_[d].out;
    for (PoolAxis& a : axes_) {
      if (&a != &last || along_window()) {
        for (int64_t o = 0; o < a.out; ++o) {
          a.taps.push_back({a.taps_below(o, 0), a.taps_below(o, a.end())});
        }
      }
    }
    if (!along_window()) {
      for (int64_t k = 0; k < last.window; ++k) {
        outputs_.push_back({last.outputs_below(k, 0), last.outputs_below(k, last.end())});
      }
    }
    if (p.mode == Mode::mean) {
      for (int64_t o = 0; o < last.out; ++o) counts_.push_back(last.count(o, padding_));
    }
    const auto tiled = [](const PoolAxis& a) {
      return a.stride == a.window && a.dilation == 1 && a.out * a.window == a.in && !a.low &&
             !a.high;
    };
    side_by_side_ = axes_.size() > 1 && std::ranges::all_of(axes_, tiled);
  }

  void run(int64_t planes) const {
    const PoolAxis& last = axes_.back();
    const int64_t grain = int64_t(std::max(1.0, 30'000 / (double(last.out) * taps_)));
    // Windows that cover the last axis: the other axes are done first, in whole lines.
    const bool summed = axes_.size() > 1 && last.window > 1 &&
                        double(last.window) * double(last.out) >= double(last.in);
    parallel_for(planes * lines_, grain, [&](int64_t begin, int64_t end) {
      if (side_by_side_) return side_by_side(begin, end);
      const Scratch<Sum> sums(last.out);
      const Scratch<Sum> line(summed ? last.in : 0);
      Ints o(axes_.size());
      for (int64_t i = begin; i < end; ++i) {
        int64_t rest = i % lines_;
        double count = 1;
        for (size_t d = axes_.size() - 1; d-- > 0; rest /= axes_[d].out) {
          o[d] = rest % axes_[d].out;
          if (!counts_.empty()) count *= axes_[d].count(o[d], padding_);
        }
        std::fill_n(sums.data(), last.out, How::start());
        const T* const x = x_ + i / lines_ * plane_;
        if (summed) {
          std::fill_n(line.data(), last.in, How::start());
          each_line(0, x, o, [&](const T* from) {
            for (int64_t j = 0; j < last.end(); ++j) How::add(line[j], from[j]);
          });
          last_axis(line.data(), sums.data(), [](Sum& sum, Sum v) { How::join(sum, v); });
        } else {
          each_line(0, x, o, [&](const T* from) {
            last_axis(from, sums.data(), [](Sum& sum, T v) { How::add(sum, v); });
          });
        }
        T* const y = y_ + i * last.out;
        for (int64_t j = 0; j < last.out; ++j) {
          y[j] = How::finish(sums[j], counts_.empty() ? 1 : count * counts_[size_t(j)]);
        }
      }
    });
  }

 private:
  // Windows that cover everything, none twice: some lines of outputs are reduced over the other
  // axes, then over the last as one run.
  void side_by_side(int64_t begin, int64_t end) const {
    const PoolAxis& last = axes_.back();
    const size_t outer = axes_.size() - 1;
    const int64_t many = std::max<int64_t>(1, 1024 / last.in);
    const Scratch<Sum> lines(many * last.in);
    const Scratch<Sum> sums(many * last.out);
    Ints o(outer);
    const T* x = x_ + begin / lines_ * plane_;
    for (int64_t d = int64_t(outer) - 1, rest = begin % lines_; d >= 0;
         rest /= axes_[size_t(d)].out, --d) {
      const PoolAxis& a = axes_[size_t(d)];
      o[size_t(d)] = rest % a.out;
      x += rest % a.out * a.window * a.pitch;
    }
    for (int64_t i = begin; i < end; i += many) {
      const int64_t n = std::min(many, end - i);
      std::fill_n(lines.data(), n * last.in, How::start());
      for (int64_t r = 0; r < n; ++r) {
        Sum* const line = lines.data() + r * last.in;
        each_tap(0, x, [&](const T* from) {
          for (int64_t j = 0; j < last.in; ++j) How::add(line[j], from[j]);
        });
        for (size_t d = outer; d-- > 0;) {  // on to the next line
          const PoolAxis& a = axes_[d];
          x += a.window * a.pitch;
          if (++o[d] < a.out) break;
          o[d] = 0;
          if (d) x -= a.in * a.pitch;
        }
      }
      std::fill_n(sums.data(), n * last.out, How::start());
      for (int64_t k = 0; k < last.window; ++k) {
        const Sum* const from = lines.data() + k;
        if (last.window == 2) {
          for (int64_t j = 0; j < n * last.out; ++j) How::join(sums[j], from[2 * j]);
        } else {
          for (int64_t j = 0; j < n * last.out; ++j) How::join(sums[j], from[j * last.window]);
        }
      }
      for (int64_t j = 0; j < n * last.out; ++j) y_[i * last.out + j] = How::finish(sums[j], taps_);
    }
  }
  template <class F> void each_tap(size_t d, const T* x, F&& f) const {
    if (d + 1 == axes_.size()) return f(x);
    for (int64_t k = 0; k < axes_[d].window; ++k) each_tap(d + 1, x + k * axes_[d].pitch, f);
  }

  // Goes through the window's taps on all axes but the last, and gives the lines they see to f.
  template <class F> void each_line(size_t d, const T* x, const Ints& o, F&& f) const {
    const PoolAxis& a = axes_[d];
    if (d + 1 == axes_.size()) return f(x);
    const auto [first, end] = a.taps[size_t(o[d])];
    for (int64_t k = first; k < end; ++k) each_line(d + 1, x + a.place(o[d], k) * a.pitch, o, f);
  }

  // The last axis, from elements or from sums over the other axes.
  template <class From, class Take> void last_axis(const From* x, Sum* sums, Take take) const {
    const PoolAxis& a = axes_.back();
    if (along_window()) return along_window(x, sums, take);
    for (int64_t k = 0; k < a.window; ++k) {
      const auto [first, end] = outputs_[size_t(k)];
      const int64_t n = end - first;
      if (n <= 0) continue;
      const From* const from = x + a.place(first, k);
      Sum* const to = sums + first;
      if (a.stride == 1) {
        for (int64_t j = 0; j < n; ++j) take(to[j], from[j]);
      } else if (a.stride == 2) {
        for (int64_t j = 0; j < n; ++j) take(to[j], from[2 * j]);
      } else {
        for (int64_t j = 0; j < n; ++j) take(to[j], from[j * a.stride]);
      }
    }
  }

  bool along_window() const { return axes_.back().window > 2 * axes_.back().out; }
  template <class From, class Take> void along_window(const From* x, Sum* sums, Take take) const {
    const PoolAxis& a = axes_.back();
    constexpr int64_t lanes = 8;  // sums side by side, so that they can be a vector
    for (int64_t j = 0; j < a.out; ++j) {
      auto [k, end] = a.taps[size_t(j)];
      if (k >= end) continue;
      const From* from = x + a.place(j, k);
      if (a.dilation == 1 && end - k >= lanes) {
        Sum part[lanes];
        std::fill_n(part, lanes, How::start());
        for (; k + lanes <= end; k += lanes, from += lanes) {
          for (int64_t i = 0; i < lanes; ++i) take(part[i], from[i]);
        }
        for (const Sum& p : part) How::join(sums[j], p);
      }
      for (; k < end; ++k, from += a.dilation) take(sums[j], *from);
    }
  }

  const T* x_;
  T* y_;
  std::vector<PoolAxis> axes_;
  std::vector<Range> outputs_;  // along the last axis: of each tap, those that see an element
  std::vector<double> counts_;  // the mean's, along the last axis
  bool padding_, side_by_side_;
  int64_t plane_ = 1, lines_ = 1;
  double taps_ = 1;
};

void pool(const Call& call) {
  const Array& y = call.out[0];
  if (!y.size) return;
  if (y.dtype == DType::float16 || y.dtype == DType::bfloat16) return run_widened(call, pool);
  const PoolAttr& p = call.attrs.as<PoolAttr>();
  const int64_t planes = channels_last(call) ? y.shape[0] : y.shape[0] * y.shape[1];
  visit_dtype(y.dtype, [&]<class T>(T) {
    constexpr bool is_float = std::is_floating_point_v<T>;
    if constexpr (is_float || std::is_integral_v<T>) {
      if (p.mode == Mode::max) return Pooling<T, Max<T>>(call, p).run(planes);
    }
    if constexpr (is_float || (std::is_integral_v<T> && !std::is_same_v<T, bool>)) {
      if (p.mode == Mode::add && bits_of(y.dtype) != 4) {
        return Pooling<T, Add<T, Mode::add>>(call, p).run(planes);
      }
    }
    if constexpr (is_float) {
      if (p.mode == Mode::mean) return Pooling<T, Add<T, Mode::mean>>(call, p).run(planes);
      if (p.mode == Mode::l2) return Pooling<T, Add<T, Mode::l2>>(call, p).run(planes);
    }
    const bool known =
        p.mode == Mode::max || p.mode == Mode::add || p.mode == Mode::mean || p.mode == Mode::l2;
    if (!known) throw ValueError("the reduction of pooling must be max, add, mean or l2");
    throw DTypeError("pooling does not support " + std::string(name(y.dtype)));
  });
}

constexpr KernelRow rows[] = {{OpId::pool, pool, true, nullptr, true}};

}  // namespace

std::span<const KernelRow> pooling_kernels() { return rows; }

}  // namespace ember::native
