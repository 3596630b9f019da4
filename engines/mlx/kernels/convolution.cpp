// Convolution and pooling. Channels are axis 1 in Ember, the last axis in MLX's convolution.
#include <cmath>

#include "engines/mlx/library.h"

namespace ember::mlx {
namespace {

// Pads x along its spatial axes; negative padding crops.
mx::array cropped_or_padded(mx::array x, const Ints& low, const Ints& high,
                            const mx::array& value) {
  mx::Shape start(x.ndim(), 0);
  mx::Shape stop = x.shape();
  mx::Shape before;
  mx::Shape after;
  Axes axes;
  bool cut = false;
  bool more = false;
  for (size_t d = 0; d < low.size(); ++d) {
    const int axis = int(d) + 2;
    axes.push_back(axis);
    start[axis] = int32_t(std::max<int64_t>(-low[d], 0));
    stop[axis] =
        int32_t(std::max<int64_t>(x.shape(axis) - std::max<int64_t>(-high[d], 0), start[axis]));
    before.push_back(int32_t(std::max<int64_t>(low[d], 0)));
    after.push_back(int32_t(std::max<int64_t>(high[d], 0)));
    cut |= low[d] < 0 || high[d] < 0;
    more |= low[d] > 0 || high[d] > 0;
  }
  if (cut) x = mx::slice(x, start, stop, stream());
  return more ? mx::pad(x, axes, before, after, value, "constant", stream()) : x;
}

// A view of all windows: [batch, channels, window..., positions...], or positions before window.
mx::array windows(const mx::array& given, const Ints& window, const Ints& dilation,
                  const Ints& strides, std::span<const int64_t> positions, bool window_first) {
  const mx::array x = mx::contiguous(given, false, stream());
  const size_t n = window.size();
  Ints steps(n + 2, 1);
  for (size_t d = n + 1; d-- > 0;) steps[d] = steps[d + 1] * x.shape(int(d) + 1);
  mx::Shape shape{x.shape(0), x.shape(1)};
  mx::Strides at;
  at.push_back(steps[0]);
  at.push_back(steps[1]);
  for (const bool inside : {window_first, !window_first}) {
    for (size_t d = 0; d < n; ++d) {
      shape.push_back(int32_t(inside ? window[d] : positions[d]));
      at.push_back(steps[d + 2] * (inside ? dilation[d] : strides[d]));
    }
  }
  return mx::as_strided(x, shape, at, 0, stream());
}

// Convolution

Axes channels_last(size_t n) {
  Axes r{0};
  for (size_t i = 2; i < n; ++i) r.push_back(int(i));
  r.push_back(1);
  return r;
}
Axes channels_second(size_t n) {
  Axes r{0, int(n) - 1};
  for (size_t i = 1; i + 1 < n; ++i) r.push_back(int(i));
  return r;
}
// Negative padding of a dilated input, as elements to crop before it is dilated and positive
// padding for the gap that remains: padding -3 of an input dilated by 2 crops 2 elements and
// pads 1.
struct Padding {
  explicit Padding(const ConvAttr& a)
      : cut_low(a.low.size(), 0), cut_high(cut_low), low(a.low), high(a.high) {
    for (size_t d = 0; d < low.size(); ++d) {
      const int64_t step = a.input_dilation[d];
      if (low[d] < 0) {
        cut_low[d] = -((-low[d] + step - 1) / step);
        low[d] -= cut_low[d] * step;
      }
      if (high[d] < 0) {
        cut_high[d] = -((-high[d] + step - 1) / step);
        high[d] -= cut_high[d] * step;
      }
    }
  }
  Ints cut_low, cut_high, low, high;
};

mx::array convolved(const mx::array& x, const mx::array& w, const ConvAttr& a, const Padding& p,
                    int groups) {
  return mx::conv_general(x, w, to_axes(a.strides), to_axes(p.low), to_axes(p.high),
                          to_axes(a.dilation), to_axes(a.input_dilation), groups, false, stream());
}
Array conv(const C& c) {
  const auto& a = c.attr<ConvAttr>();
  const size_t n = c.node.shape.size();
  const Padding p(a);
  mx::array x = cropped_or_padded(wide(*c[0]), p.cut_low, p.cut_high, *c[0]);
  x = mx::transpose(x, channels_last(n), stream());
  const mx::array w = mx::transpose(wide(*c[1]), channels_last(n), stream());
  std::optional<mx::array> r;
  if (n == 5 && a.groups > 1) {  // MLX has no groups over three axes
    const std::vector<mx::array> xs = mx::split(x, int(a.groups), -1, stream());
    const std::vector<mx::array> ws = mx::split(w, int(a.groups), 0, stream());
    std::vector<mx::array> parts;
    for (size_t g = 0; g < xs.size(); ++g) parts.push_back(convolved(xs[g], ws[g], a, p, 1));
    r = mx::concatenate(std::move(parts), -1, stream());
  } else {
    r = convolved(x, w, a, p, int(a.groups));
  }
  if (c.size() > 2) r = mx::add(*r, wide(*c[2]), stream());
  return as(mx::transpose(*r, channels_second(n), stream()), type_of(c.node));
}

// Inserts steps - 1 zeros between the elements along each spatial axis.
mx::array dilated(mx::array x, const Ints& steps) {
  for (size_t d = 0; d < steps.size(); ++d) {
    if (steps[d] == 1) continue;
    const int axis = int(d) + 2;
    const int n = x.shape(axis);
    mx::Shape shape = x.shape();
    mx::Shape start(x.ndim(), 0);
    shape[axis] = int32_t(n * steps[d]);
    x = mx::pad(mx::expand_dims(x, axis + 1, stream()), Axes{axis + 1}, mx::Shape{0},
                mx::Shape{int32_t(steps[d] - 1)}, like(x, 0), "constant", stream());
    mx::Shape stop = shape;
    stop[axis] -= int32_t(steps[d] - 1);
    x = mx::slice(reshaped(x, shape), start, stop, stream());
  }
  return x;
}
// A convolution as a matrix product, for what MLX cannot convolve: dtypes (float64 is computed in
// float32) and shapes that overruns() rejects.
Array conv_by_product(const C& c) {
  const auto& a = c.attr<ConvAttr>();
  const Shape& out = c.node.shape;
  const Shape& filter = c.from(1).shape;
  const Padding p(a);
  mx::array x =
      dilated(cropped_or_padded(wide(*c[0]), p.cut_low, p.cut_high, *c[0]), a.input_dilation);
  x = cropped_or_padded(x, p.low, p.high, like(x, 0));
  const std::span<const int64_t> positions(out.begin() + 2, out.end());
  const Ints window(filter.begin() + 2, filter.end());
  const int32_t groups = int32_t(a.groups);
  const int32_t filters = int32_t(filter[0]) / groups;
  const int32_t depth = int32_t(size_of(filter) / filter[0]);
  const mx::array all = reshaped(windows(x, window, a.dilation, a.strides, positions, true),
                                 mx::Shape{x.shape(0), groups, depth, int32_t(size_of(positions))});
  mx::Shape batched{x.shape(0), groups, filters, depth};
  const mx::array w = mx::broadcast_to(reshaped(wide(*c[1]), mx::Shape{1, groups, filters, depth}),
                                       batched, stream());
  const bool floats = mx::issubdtype(x.dtype(), mx::inexact);
  mx::array r =
      reshaped(floats ? mx::matmul(w, all, stream()) : product_of_ints(w, all), to_shape(out));
  if (c.size() > 2) {
    mx::Shape along(out.size() - 1, 1);
    along[0] = int32_t(out[1]);
    r = mx::add(r, reshaped(wide(*c[2]), along), stream());
  }
  return as(r, type_of(c.node));
}
// Whether MLX would write past the end of the result. Its direct convolution (with groups or
// dilation, over two or three axes) visits every window that could begin in the padding, even if
// the result has fewer.
bool overruns(const SliceNode& n, const ConvAttr& a) {
  const auto is_one = [](int64_t v) { return v == 1; };
  const bool gaps = !std::all_of(a.dilation.begin(), a.dilation.end(), is_one);
  const bool direct = n.shape.size() == 4 ? gaps || a.groups > 1 : n.shape.size() == 5 && gaps;
  if (!direct || !std::all_of(a.input_dilation.begin(), a.input_dilation.end(), is_one)) {
    return false;
  }
  for (size_t d = 0; d < a.low.size(); ++d) {
    if ((std::max<int64_t>(a.low[d], 0) + a.strides[d] - 1) / a.strides[d] > n.shape[d + 2]) {
      return true;
    }
  }
  return false;
}
bool has_conv(const SliceNode& n) {
  const bool single = is_float(n.dtype) && n.dtype != DType::float64;
  return single && n.shape.size() >= 3 && n.shape.size() <= 5 &&
         !overruns(n, n.attrs.as<ConvAttr>());
}
Kernel<Array> pick_conv(const SliceNode& n, const Slice&) {
  return {.one = has_conv(n) ? conv : conv_by_product};
}
Support check_conv(const SliceNode& n, const Slice& s) {
  for (uint32_t i : n.in) {
    if (size_of(s.nodes[i].shape) == 0) return "MLX has no empty convolutions";
  }
  const Shape& x = input_shape(n, s);
  const Shape& w = input_shape(n, s, 1);
  const int64_t depth = size_of(w) / w[0];
  const std::span<const int64_t> positions(n.shape.begin() + 2, n.shape.end());
  const auto& a = n.attrs.as<ConvAttr>();
  const double elements =
      double(depth) * double(a.groups) * double(size_of(positions)) * double(x[0]);
  if (!has_conv(n) && (elements > 1e9 || depth > 1 << 21)) {
    return "MLX has convolutions of float32 and shorter floats only";
  }
  if (!fits({&a.strides, &a.low, &a.high, &a.dilation, &a.input_dilation})) {
    return "MLX takes 32-bit numbers";
  }
  for (size_t d = 0; d < a.low.size(); ++d) {
    if (-a.low[d] >= (x[d + 2] - 1) * a.input_dilation[d] + 1 ||
        -a.high[d] >= (x[d + 2] - 1) * a.input_dilation[d] + 1) {
      return "the padding crops all elements";
    }
  }
  return {};
}

// Pooling

// The neutral element of the reduction.
mx::array neutral(Mode mode, DType t) {
  const mx::Dtype d = to_mlx(t);
  if (mode != Mode::max && mode != Mode::min) return constant(0, narrow(t) ? mx::float32 : d);
  if (is_float(t)) return constant(mode == Mode::max ? -HUGE_VAL : HUGE_VAL, d);
  if (t == DType::bool_) return mx::array(mode == Mode::min);
  const mx::iinfo info(d);
  return mode == Mode::max ? constant_int(info.min, d) : mx::array(info.max, d);
}

// The number of elements of each window along an axis that count for the mean.
std::vector<float> counts(const PoolAttr& a, size_t d, int64_t size, int64_t out) {
  std::vector<float> r;
  for (int64_t i = 0; i < out; ++i) {
    int64_t n = 0;
    for (int64_t k = 0; k < a.window[d]; ++k) {
      const int64_t at = i * a.strides[d] + k * a.dilation[d] - a.low[d];
      n += a.count_padding ? at < size + a.high[d]
                           : at >= 0 && at < size + std::min<int64_t>(a.high[d], 0);
    }
    r.push_back(float(n));
  }
  return r;
}

mx::array combined(Mode mode, const mx::array& a, const mx::array& b) {
  return mode == Mode::max   ? mx::maximum(a, b, stream())
         : mode == Mode::min ? mx::minimum(a, b, stream())
                             : mx::add(a, b, stream());
}
// The elements at one position of all windows are a slice of x: a few large ops instead of many
// small ones.
mx::array pool_slices(const mx::array& x, const PoolAttr& a, std::span<const int64_t> positions) {
  const size_t n = a.window.size();
  std::optional<mx::array> r;
  Ints at(n, 0);
  for (bool more = true; more;) {
    mx::Shape first(n + 2, 0);
    mx::Shape last = x.shape();
    mx::Shape step(n + 2, 1);
    for (size_t d = 0; d < n; ++d) {
      first[d + 2] = int32_t(at[d] * a.dilation[d]);
      step[d + 2] = int32_t(a.strides[d]);
      last[d + 2] = int32_t(first[d + 2] + (positions[d] - 1) * a.strides[d] + 1);
    }
    const mx::array slice = mx::slice(x, first, last, step, stream());
    r = r ? combined(a.mode, *r, slice) : slice;
    more = false;
    for (size_t d = n; d-- > 0 && !more;) more = ++at[d] < a.window[d] || (at[d] = 0);
  }
  return *r;
}
mx::array pool_windows(const mx::array& x, const PoolAttr& a, std::span<const int64_t> positions) {
  const int n = int(a.window.size());
  const mx::array all = windows(x, a.window, a.dilation, a.strides, positions, false);
  Axes axes;
  for (int d = 0; d < n; ++d) axes.push_back(n + 2 + d);
  if (a.mode == Mode::max) return mx::max(all, axes, false, stream());
  return a.mode == Mode::min ? mx::min(all, axes, false, stream()) : sum_of(all, axes, false);
}
Array pool(const C& c) {
  const auto& a = c.attr<PoolAttr>();
  const Shape& in = c.from(0).shape;
  const std::span<const int64_t> positions(c.node.shape.begin() + 2, c.node.shape.end());
  const size_t n = a.window.size();
  mx::array x = a.mode == Mode::max || a.mode == Mode::min ? *c[0] : wide(*c[0]);
  if (a.mode == Mode::l2) x = mx::square(x, stream());
  // Padded up to the end of the last window, which may differ from the end of the padding.
  Ints cut(n);
  Ints more(n);
  Ints none(n, 0);
  for (size_t d = 0; d < n; ++d) {
    const int64_t end = (positions[d] - 1) * a.strides[d] + (a.window[d] - 1) * a.dilation[d] + 1 -
                        a.low[d];  // in elements of x
    cut[d] = std::min<int64_t>(a.high[d], 0);
    more[d] = end - (in[d + 2] + cut[d]);
  }
  x = cropped_or_padded(cropped_or_padded(x, none, cut, x), a.low, more,
                        neutral(a.mode, c.node.dtype));
  mx::array r =
      size_of(a.window) <= 64 ? pool_slices(x, a, positions) : pool_windows(x, a, positions);
  if (a.mode == Mode::l2) r = mx::sqrt(r, stream());
  if (a.mode == Mode::mean) {
    for (size_t d = 0; d < n; ++d) {
      const std::vector<float> number = counts(a, d, in[d + 2], positions[d]);
      mx::Shape along(n + 2, 1);
      along[d + 2] = int32_t(positions[d]);
      r = mx::divide(r, mx::array(number.begin(), along, r.dtype()), stream());
    }
  }
  return as(r, type_of(c.node));
}
Support check_pool(const SliceNode& n, const Slice& s) {
  const auto& a = n.attrs.as<PoolAttr>();
  if (bits_of(n.dtype) == 4) return "MLX has no 4-bit integers";
  if (!fits({&a.window, &a.strides, &a.low, &a.high, &a.dilation})) {
    return "MLX takes 32-bit numbers";
  }
  return size_of(input_shape(n, s)) == 0 ? Support("MLX has no empty windows") : Support();
}

constexpr KernelRow rows[] = {
    {.op = OpId::conv, .pick = pick_conv, .supports = check_conv},
    {.op = OpId::pool, .one = pool, .supports = check_pool},
};

}  // namespace

std::span<const KernelRow> convolution_kernels() { return rows; }

}  // namespace ember::mlx
