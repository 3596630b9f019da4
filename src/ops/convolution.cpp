// Convolution and pooling. The graph ops take channels first; the functions here reduce other
// layouts, transposed convolution and padding modes to them.
#include "src/ops/layouts.h"

namespace ember {
namespace {

struct Padding {
  Ints low, high;
};

// One number, one per axis, or [before, after] per axis.
Padding padding_of(const Ints& given, size_t axes) {
  if (given.size() != 2 * axes || axes == 0) {
    const Ints p = per_axis("padding", given, axes, 0);
    return {p, p};
  }
  Padding p;
  for (size_t i = 0; i < given.size(); ++i) {
    if (given[i] < 0) {
      throw ValueError("padding must be at least 0, not " + std::to_string(given[i]));
    }
    (i % 2 ? p.high : p.low).push_back(given[i]);
  }
  return p;
}

// The number of windows of `reach` elements that fit.
int64_t count_windows(int64_t padded, int64_t reach, int64_t stride) {
  if (padded < reach) {
    throw ShapeError("a window of " + std::to_string(reach) +
                     " elements is longer than the padded input, " + std::to_string(padded));
  }
  return (padded - reach) / stride + 1;
}
int64_t reach_of(int64_t window, int64_t dilation) {
  if (window < 1) throw ShapeError("a window cannot have " + std::to_string(window) + " elements");
  return extent(dilation, window - 1, 1);
}
void need_dims(const char* what, const Tensor& x, size_t spatial) {
  if (x.ndim() != int64_t(spatial) + 2) {
    throw ShapeError(std::string(what) + " must have " + std::to_string(spatial + 2) +
                     " dimensions, not " + std::to_string(x.ndim()));
  }
}

Type infer_conv(Inputs in, const Attrs& attrs) {
  const ConvAttr& a = attrs.as<ConvAttr>();
  const Shape& x = in[0].shape();
  const Shape& w = in[1].shape();
  const DType t = in[0].dtype();
  if (t == DType::bool_ || bits_of(t) == 4) {
    throw DTypeError("does not support " + std::string(name(t)));
  }
  if (x.size() < 2 || w.size() != x.size()) {
    throw ShapeError("the filter must have as many dimensions as the input: " +
                     std::to_string(w.size()) + " and " + std::to_string(x.size()));
  }
  if (a.groups < 1) throw ValueError("groups must be at least 1, not " + std::to_string(a.groups));
  if (x[1] % a.groups) {
    throw ShapeError(std::to_string(a.groups) + " groups do not divide " + std::to_string(x[1]) +
                     " input channels");
  }
  if (w[0] % a.groups) {
    throw ShapeError(std::to_string(a.groups) + " groups do not divide " + std::to_string(w[0]) +
                     " filters");
  }
  if (w[1] != x[1] / a.groups) {
    throw ShapeError("the filter has " + std::to_string(w[1]) +
                     " input channels, but a group of the input has " +
                     std::to_string(x[1] / a.groups));
  }
  if (in.size() > 2 && in[2].shape() != Shape{w[0]}) {
    throw ShapeError("the bias must have shape " + to_string(Shape{w[0]}) + ", not " +
                     to_string(in[2].shape()));
  }
  Shape s{x[0], w[0]};
  for (size_t d = 0; d + 2 < x.size(); ++d) {
    if (a.strides[d] < 1 || a.dilation[d] < 1 || a.input_dilation[d] < 1) {
      throw ValueError("strides and dilations must be at least 1");
    }
    const int64_t apart = x[d + 2] ? extent(x[d + 2] - 1, a.input_dilation[d], 1) : 0;
    s.push_back(count_windows(extent(1, apart, extent(1, a.low[d], a.high[d])),
                              reach_of(w[d + 2], a.dilation[d]), a.strides[d]));
  }
  return {t, std::move(s)};
}

Type infer_pool(Inputs in, const Attrs& attrs) {
  const PoolAttr& a = attrs.as<PoolAttr>();
  const Shape& x = in[0].shape();
  if (is_complex(in[0].dtype())) {
    throw DTypeError("takes real dtypes, not " + std::string(name(in[0].dtype())));
  }
  if (x.size() != a.window.size() + 2) {
    throw ShapeError("the input must have " + std::to_string(a.window.size() + 2) +
                     " dimensions, not " + std::to_string(x.size()));
  }
  Shape s{x[0], x[1]};
  for (size_t d = 0; d + 2 < x.size(); ++d) {
    if (x[d + 2] == 0) throw ShapeError("an axis of length 0 has no windows");
    s.push_back(count_windows(extent(1, x[d + 2], extent(1, a.low[d], a.high[d])),
                              reach_of(a.window[d], a.dilation[d]), a.strides[d]));
  }
  return {in[0].dtype(), std::move(s)};
}

// in: x, w and an optional bias, channels first and of one dtype. A convolution over no elements
// gives the bias.
Tensor convolve(std::span<Tensor> in, ConvAttr attr) {
  const Attrs attrs(std::move(attr));
  Type type = infer_conv(in, attrs);
  check_size(type.shape, type.dtype);
  if (in[0].size() && in[1].size()) return apply(OpId::conv, in, attrs);
  Shape s(type.shape.size() - 1, 1);
  s[0] = type.shape[1];
  return ops::broadcast_to(in.size() > 2 ? ops::reshape(in[2], s) : cast_to(Tensor(0), type.dtype),
                           type.shape);
}

Tensors operands(const Tensor& x, const Tensor& weight, const std::optional<Tensor>& bias) {
  Tensors in{x, weight};
  if (bias) in.push_back(*bias);
  return in;
}

void prepare(Tensors& in, size_t spatial, const Ints& x_order, const Ints& w_order) {
  check_kin(in);
  need_dims("the input", in[0], spatial);
  need_dims("the filter", in[1], spatial);
  const DType t = result_dtype(in);
  promote_inputs(in, t == DType::bool_ ? DType::int64 : t);
  in[0] = ops::transpose(in[0], x_order);
  in[1] = ops::transpose(in[1], w_order);
}

Tensor conv(const char* name, size_t spatial, const Tensor& x, const Tensor& weight,
            const std::optional<Tensor>& bias, const ops::ConvOptions& o) {
  const Tensors given = operands(x, weight, bias);
  return named(name, "x, weight, bias", given, [&] {
    one_of("input_layout", o.input_layout, {"nchw", "nhwc"});
    one_of("filter_layout", o.filter_layout, {"oihw", "hwio", "ohwi", "ihwo"});
    one_of("auto_pad", o.auto_pad, {"none", "same_upper", "same_lower", "valid"});
    Tensors in = given;
    const Ints order = order_of(o.input_layout, 'n', 'c', int64_t(spatial));
    prepare(in, spatial, order, order_of(o.filter_layout, 'o', 'i', int64_t(spatial)));
    Padding p = padding_of(o.padding, spatial);
    ConvAttr a{per_axis("strides", o.strides, spatial, 1),
               {},
               {},
               per_axis("dilation", o.dilation, spatial, 1),
               Ints(spatial, 1),
               o.groups};
    if (o.auto_pad != "none") {
      for (size_t d = 0; d < spatial; ++d) {
        if (p.low[d] || p.high[d]) throw ValueError("padding and auto_pad cannot both be given");
        if (o.auto_pad == "valid") continue;
        const int64_t n = in[0].shape()[d + 2];
        const int64_t out = n / a.strides[d] + (n % a.strides[d] != 0);
        const int64_t reach = reach_of(in[1].shape()[d + 2], a.dilation[d]);
        const int64_t total =
            n ? std::max<int64_t>(0, extent(out - 1, a.strides[d], reach - n)) : 0;
        p.low[d] = o.auto_pad == "same_upper" ? total / 2 : total - total / 2;
        p.high[d] = total - p.low[d];
      }
    }
    a.low = p.low;
    a.high = p.high;
    return ops::transpose(convolve(in, std::move(a)), inverse_of(order));
  });
}

void check_image(const Tensor& x, int64_t factor) {
  if (factor < 1) throw ValueError("the factor must be at least 1, not " + std::to_string(factor));
  if (x.ndim() < 3) {
    throw ShapeError("the input must have at least 3 dimensions, not " + std::to_string(x.ndim()));
  }
}
// Reshapes the last three axes to `split`, permutes these and joins them to `joined`.
Tensor rearrange_image(const Tensor& x, const Ints& split, const Ints& axes, const Ints& joined) {
  const Shape batch(x.shape().begin(), x.shape().end() - 3);
  const int64_t n = int64_t(batch.size());
  Shape parts = batch;
  Shape result = batch;
  Ints order;
  parts.append(split.begin(), split.end());
  result.append(joined.begin(), joined.end());
  for (int64_t d = 0; d < n; ++d) order.push_back(d);
  for (int64_t d : axes) order.push_back(n + d);
  return ops::reshape(ops::transpose(ops::reshape(x, parts), order), result);
}

// The filter, flipped, with its input and output channels swapped in each group:
// [groups * a, b, ...] becomes [groups * b, a, ...].
Tensor transposed_filter(const Tensor& w, int64_t groups) {
  const Shape& s = w.shape();
  Shape grouped{groups, s[0] / groups, s[1]};
  Shape swapped{extent(groups, s[1], 0), s[0] / groups};
  Ints axes{0, 2, 1};
  Ints spatial;
  for (size_t d = 2; d < s.size(); ++d) {
    grouped.push_back(s[d]);
    swapped.push_back(s[d]);
    axes.push_back(int64_t(d) + 1);
    spatial.push_back(int64_t(d));
  }
  return ops::flip(ops::reshape(ops::transpose(ops::reshape(w, grouped), axes), swapped), spatial);
}

// A transposed convolution is a convolution of the dilated input with the transposed filter.
Tensor conv_transpose(const char* name, size_t spatial, const Tensor& x, const Tensor& weight,
                      const std::optional<Tensor>& bias, const ops::ConvTransposeOptions& o) {
  const Tensors given = operands(x, weight, bias);
  return named(name, "x, weight, bias", given, [&] {
    one_of("input_layout", o.input_layout, {"nchw", "nhwc"});
    one_of("filter_layout", o.filter_layout, {"iohw", "hwoi", "ohwi", "oihw"});
    Tensors in = given;
    const Ints order = order_of(o.input_layout, 'n', 'c', int64_t(spatial));
    prepare(in, spatial, order, order_of(o.filter_layout, 'i', 'o', int64_t(spatial)));
    const Shape& s = in[0].shape();
    const Shape w = in[1].shape();
    const int64_t groups = o.groups;
    if (groups < 1) throw ValueError("groups must be at least 1, not " + std::to_string(groups));
    if (w[0] != s[1]) {
      throw ShapeError("the filter has " + std::to_string(w[0]) +
                       " input channels, but the input has " + std::to_string(s[1]));
    }
    if (s[1] % groups) {
      throw ShapeError(std::to_string(groups) + " groups do not divide " + std::to_string(s[1]) +
                       " input channels");
    }

    const Ints strides = per_axis("strides", o.strides, spatial, 1);
    const Ints dilation = per_axis("dilation", o.dilation, spatial, 1);
    const Padding p = padding_of(o.padding, spatial);
    Ints more = per_axis("output_padding", o.output_padding, spatial, 0);
    if (o.output_sizes && o.output_sizes->size() != spatial) {
      throw ValueError(std::to_string(o.output_sizes->size()) + " output_sizes for " +
                       std::to_string(spatial) + " axes");
    }
    ConvAttr a{Ints(spatial, 1), {}, {}, dilation, strides, groups};
    for (size_t d = 0; d < spatial; ++d) {
      const int64_t reach = reach_of(w[d + 2], dilation[d]);
      const int64_t dilated = s[d + 2] ? extent(s[d + 2] - 1, strides[d], 1) : 0;
      const int64_t limit = std::max(strides[d], dilation[d]);
      if (o.output_sizes) {
        const int64_t least =
            extent(1, dilated, extent(1, reach - 1, 0)) - extent(1, p.low[d], p.high[d]);
        const int64_t size = (*o.output_sizes)[d];
        if (size < least || size >= extent(1, least, limit)) {
          throw ShapeError("an output of " + std::to_string(size) + " elements is not within " +
                           std::to_string(least) + " to " + std::to_string(least + limit - 1));
        }
        more[d] = size - least;
      } else if (more[d] >= limit) {
        throw ValueError("output_padding must be less than the stride or the dilation, " +
                         std::to_string(limit) + ", not " + std::to_string(more[d]));
      }
      a.low.push_back(extent(-1, p.low[d], reach - 1));
      a.high.push_back(extent(-1, p.high[d], extent(1, reach - 1, more[d])));
    }

    in[1] = transposed_filter(in[1], groups);
    return ops::transpose(convolve(in, std::move(a)), inverse_of(order));
  });
}

Tensor pooled(PoolAttr attr, const Tensor& x) {
  const Attrs attrs(std::move(attr));
  infer_pool({&x, 1}, attrs);
  return apply_to(OpId::pool, attrs, x);
}

Tensor pool(const char* name, Mode mode, size_t spatial, const Tensor& given,
            const ops::PoolOptions& o) {
  return named(name, given, [&] {
    one_of("layout", o.layout, {"nchw", "nhwc"});
    need_dims("the input", given, spatial);
    const Ints order = order_of(o.layout, 'n', 'c', int64_t(spatial));
    const Tensor x = ops::transpose(mode == Mode::max ? given : to_float(given), order);
    const Padding p = padding_of(o.padding, spatial);
    PoolAttr a{mode,
               per_axis("kernel_size", o.kernel_size, spatial, 1),
               {},
               p.low,
               p.high,
               per_axis("dilation", o.dilation, spatial, 1),
               o.count_include_pad && mode == Mode::mean};
    a.strides = o.strides ? per_axis("strides", *o.strides, spatial, 1) : a.window;
    Shape ones{1, 1};
    bool grown = false;
    for (size_t d = 0; d < spatial; ++d) {
      const int64_t n = x.shape()[d + 2];
      const int64_t reach = reach_of(a.window[d], a.dilation[d]);
      const int64_t stride = a.strides[d];
      if (std::max(p.low[d], p.high[d]) >= reach) {
        throw ValueError("padding must be less than the window's " + std::to_string(reach) +
                         " elements, not " + std::to_string(std::max(p.low[d], p.high[d])));
      }
      const int64_t padded = extent(1, n, extent(1, p.low[d], p.high[d]));
      ones.push_back(padded);
      if (!o.ceil_mode || padded < reach) continue;
      // Ceil mode adds a window for the remaining elements if it starts in the input or the padding
      // before it.
      int64_t last = (padded - reach) / stride + ((padded - reach) % stride != 0);
      if (last * stride >= n + p.low[d]) --last;
      const int64_t extra = last * stride + reach - padded;
      if (extra > 0) {
        a.high[d] += extra;
        grown = true;
      }
    }
    if (!grown || !a.count_padding) {
      return ops::transpose(pooled(std::move(a), x), inverse_of(order));
    }
    // Elements that only the last window of ceil mode adds do not count in a mean over padding:
    // divide the sum by the number of elements that count.
    a.mode = Mode::add;
    a.count_padding = false;
    PoolAttr counting = a;
    for (size_t d = 0; d < spatial; ++d) {
      counting.low[d] = 0;
      counting.high[d] = a.high[d] - p.high[d];
    }
    const Tensor wide = widen(x);
    const Tensor sums = pooled(std::move(a), wide);
    const Tensor counts = pooled(std::move(counting), ops::ones(ones, wide.dtype()));
    return ops::transpose(cast_to(sums / counts, x.dtype()), inverse_of(order));
  });
}

// Window i of an axis is [floor(i * n / out), ceil((i + 1) * n / out)): n = 5, out = 2 give [0, 3)
// and [2, 5). Its elements, at most n / out + 2, are gathered.
Tensor adaptive(const char* name, bool mean, const Tensor& given, const Ints& output_size) {
  return named(name, given, [&] {
    if (output_size.empty() || int64_t(output_size.size()) > given.ndim()) {
      throw ShapeError(std::to_string(output_size.size()) + " output sizes for " +
                       std::to_string(given.ndim()) + " dimensions");
    }
    if (is_complex(given.dtype())) {
      throw DTypeError("takes real dtypes, not " + std::string(ember::name(given.dtype())));
    }
    const DType t = mean ? float_of(given.dtype()) : given.dtype();
    Tensor x = mean ? widen(to_float(given)) : given;
    for (size_t k = 0; k < output_size.size(); ++k) {
      const int64_t axis = given.ndim() - int64_t(output_size.size() - k);
      const int64_t n = given.shape(axis);
      const int64_t out = output_size[k];
      if (out < 1) {
        throw ValueError("an output size must be at least 1, not " + std::to_string(out));
      }
      if (n == 0) throw ShapeError("an axis of length 0 has no windows");
      if (out == n) continue;
      x = ops::moveaxis(x, {axis}, {-1});
      extent(n, out, n);
      if (n % out == 0) {
        Shape s = x.shape();
        s.back() = out;
        s.push_back(n / out);
        x = mean ? ops::mean(ops::reshape(x, s), -1) : ops::max(ops::reshape(x, s), -1);
      } else {
        const Tensor i = index_range(out);
        const Tensor start = ops::floor_divide(i * n, out);
        const Tensor end = -ops::floor_divide(-((i + 1) * n), out);
        const Tensor at = ops::expand_dims(start, {1}) + index_range(n / out + 2);
        const Tensor last = ops::expand_dims(end, {1}) - 1;
        const Tensor values = ops::take(x, ops::minimum(at, last), -1);
        x = mean ? ops::sum(ops::where(at <= last, values, like(values, 0)), -1) /
                       cast_to(end - start, x.dtype())
                 : ops::max(values, -1);
      }
      x = ops::moveaxis(x, {-1}, {axis});
    }
    return cast_to(x, t);
  });
}

Ints spatial_axes(const Tensor& x, std::string_view layout) {
  one_of("layout", layout, {"nchw", "nhwc"});
  if (x.ndim() < 3) {
    throw ShapeError("the input must have at least 3 dimensions, not " + std::to_string(x.ndim()));
  }
  Ints axes;
  for (int64_t d = 2; d < x.ndim(); ++d) axes.push_back(layout == "nchw" ? d : d - 1);
  return axes;
}

}  // namespace

namespace ops {

#define CONV(n)                                                                               \
  Tensor conv##n##d(const Tensor& x, const Tensor& weight, const std::optional<Tensor>& bias, \
                    const ConvOptions& options) {                                             \
    return conv("conv" #n "d", n, x, weight, bias, options);                                  \
  }                                                                                           \
  Tensor conv_transpose##n##d(const Tensor& x, const Tensor& weight,                          \
                              const std::optional<Tensor>& bias,                              \
                              const ConvTransposeOptions& options) {                          \
    return conv_transpose("conv_transpose" #n "d", n, x, weight, bias, options);              \
  }                                                                                           \
  Tensor max_pool##n##d(const Tensor& x, const PoolOptions& options) {                        \
    return pool("max_pool" #n "d", Mode::max, n, x, options);                                 \
  }                                                                                           \
  Tensor average_pool##n##d(const Tensor& x, const PoolOptions& options) {                    \
    return pool("average_pool" #n "d", Mode::mean, n, x, options);                            \
  }                                                                                           \
  Tensor l2_pool##n##d(const Tensor& x, const PoolOptions& options) {                         \
    return pool("l2_pool" #n "d", Mode::l2, n, x, options);                                   \
  }
CONV(1)
CONV(2)
CONV(3)
#undef CONV

Tensor adaptive_average_pool(const Tensor& x, const Ints& output_size) {
  return adaptive("adaptive_average_pool", true, x, output_size);
}
Tensor adaptive_max_pool(const Tensor& x, const Ints& output_size) {
  return adaptive("adaptive_max_pool", false, x, output_size);
}
Tensor global_average_pool(const Tensor& x, std::string_view layout) {
  return named("global_average_pool", x, [&] { return mean(x, spatial_axes(x, layout), true); });
}
Tensor global_max_pool(const Tensor& x, std::string_view layout) {
  return named("global_max_pool", x, [&] { return max(x, spatial_axes(x, layout), true); });
}

Tensor pixel_shuffle(const Tensor& x, int64_t factor) {
  return named("pixel_shuffle", x, [&] {
    check_image(x, factor);
    const int64_t c = x.shape(-3);
    const int64_t h = x.shape(-2);
    const int64_t w = x.shape(-1);
    const int64_t r = factor;
    const int64_t parts = extent(r, r, 0);
    if (c % parts) {
      throw ShapeError(std::to_string(c) + " channels are not a multiple of " +
                       std::to_string(parts));
    }
    return rearrange_image(x, {c / parts, r, r, h, w}, {0, 3, 1, 4, 2},
                           {c / parts, extent(h, r, 0), extent(w, r, 0)});
  });
}
Tensor pixel_unshuffle(const Tensor& x, int64_t factor) {
  return named("pixel_unshuffle", x, [&] {
    check_image(x, factor);
    const int64_t c = x.shape(-3);
    const int64_t h = x.shape(-2);
    const int64_t w = x.shape(-1);
    const int64_t r = factor;
    if (h % r || w % r) {
      throw ShapeError("an image of " + std::to_string(h) + " x " + std::to_string(w) +
                       " is not divisible into blocks of " + std::to_string(r));
    }
    return rearrange_image(x, {c, h / r, r, w / r, r}, {0, 2, 4, 1, 3},
                           {extent(c, extent(r, r, 0), 0), h / r, w / r});
  });
}

}  // namespace ops

namespace {

// ---- Gradients ----
using namespace ops;

// The gradient of x: a convolution of g, dilated by the strides, with the flipped filter whose
// input and output channels are swapped.
Tensor conv_by_input(const Tensor& x, const Tensor& w, const Tensor& g, const ConvAttr& a) {
  const Shape& s = w.shape();
  const Shape& o = g.shape();
  ConvAttr back{a.input_dilation, {}, {}, a.dilation, a.strides, a.groups};
  for (size_t d = 2; d < s.size(); ++d) {
    const int64_t reach = (s[d] - 1) * a.dilation[d - 2] + 1;
    const int64_t low = reach - 1 - a.low[d - 2];
    back.low.push_back(low);
    back.high.push_back((x.shape()[d] - 1) * a.input_dilation[d - 2] + reach - low -
                        (o[d] - 1) * a.strides[d - 2] - 1);
  }
  const Tensor mirrored = transposed_filter(cj(w), a.groups);
  return apply_to(OpId::conv, std::move(back), g, mirrored);
}
// The gradient of the filter: a convolution of x with g as the filter. The batch takes the place of
// the channels, and strides and dilation are swapped.
Tensor conv_by_filter(const Tensor& x, const Tensor& w, const Tensor& g, const ConvAttr& a) {
  const Shape& s = x.shape();
  const Shape& o = g.shape();
  Shape grouped{s[0], a.groups, s[1] / a.groups};
  Shape joined{s[1] / a.groups, a.groups * s[0]};
  Ints axes{2, 1, 0};
  Ints swapped{1, 0};
  ConvAttr back{a.dilation, a.low, {}, a.strides, a.input_dilation, a.groups};
  for (size_t d = 2; d < s.size(); ++d) {
    grouped.push_back(s[d]);
    joined.push_back(s[d]);
    axes.push_back(int64_t(d) + 1);
    swapped.push_back(int64_t(d));
    const int64_t spread = (s[d] - 1) * a.input_dilation[d - 2] + 1;
    back.high.push_back((w.shape()[d] - 1) * a.dilation[d - 2] + (o[d] - 1) * a.strides[d - 2] + 1 -
                        a.low[d - 2] - spread);
  }
  const Tensor planes = reshape(transpose(reshape(cj(x), grouped), axes), joined);
  return transpose(apply_to(OpId::conv, std::move(back), planes, transpose(g, swapped)), swapped);
}
Gradients vjp_conv(const Vjp& v) {
  const auto& a = v.attrs.as<ConvAttr>();
  Gradients r{v.needs[0] ? conv_by_input(v.x[0], v.x[1], v.g[0], a) : Tensor(),
              v.needs[1] ? conv_by_filter(v.x[0], v.x[1], v.g[0], a) : Tensor()};
  if (v.x.size() > 2) {
    Ints axes{0};
    for (int64_t d = 2; d < v.g[0].ndim(); ++d) axes.push_back(d);
    r.push_back(v.needs[2] ? sum(v.g[0], axes) : Tensor());
  }
  return r;
}

// ---- Pooling ----
struct Windows {
  const PoolAttr& a;
  const Shape x, y;
  size_t axes = a.window.size();
  bool disjoint = true;  // no two share an element

  explicit Windows(const Vjp& v) : a(v.attrs.as<PoolAttr>()), x(v.x[0].shape()), y(v.g[0].shape()) {
    for (size_t d = 0; d < axes; ++d) {
      disjoint &= a.window[d] == 1 || (a.dilation[d] == 1 && a.strides[d] >= a.window[d]);
    }
  }
  PoolAttr adding() const {
    PoolAttr r = a;
    r.mode = Mode::add;
    r.count_padding = false;
    return r;
  }
  // For each element of x the sum of g over the windows that contain it.
  Tensor back(const Tensor& g) const {
    Tensor t = g;
    Ints ones(axes, 1);
    Ints none(axes, 0);
    for (size_t d = 0; d < axes; ++d) {
      const int64_t axis = int64_t(d + 2);
      const int64_t reach = (a.window[d] - 1) * a.dilation[d];
      Shape spread = t.shape();
      Shape wide;
      spread[d + 2] *= a.strides[d];
      t = expand_dims(t, {axis + 1});
      wide = t.shape();
      wide[d + 3] = a.window[d];
      if (disjoint) t = broadcast_to(t, wide);
      t = reshape(crop_or_pad(t, axis + 1, 0, a.strides[d]), spread);
      t = disjoint ? crop_or_pad(t, axis, a.low[d], x[d + 2])
                   : crop_or_pad(t, axis, a.low[d] - reach, x[d + 2] + reach);
    }
    return disjoint ? t
                    : apply_to(OpId::pool,
                               PoolAttr{Mode::add, a.window, ones, none, none, a.dilation}, t);
  }
  // Splits the g of each window equally among the elements that are its result. The windows are
  // strided views of the padded x; their gradients are scattered back and added.
  Tensor shares(const Tensor& given, double fill, const Tensor& result, const Tensor& g) const {
    Shape padded;
    Shape places{y[0] * y[1]};
    Shape views;
    Tensor t = given;
    for (size_t d = 0; d < axes; ++d) {
      padded.push_back((y[d + 2] - 1) * a.strides[d] + (a.window[d] - 1) * a.dilation[d] + 1);
      t = crop_or_pad(t, int64_t(d + 2), -a.low[d], padded[d], fill);
      places.push_back(y[d + 2]);
    }
    const int64_t planes = places[0];
    const int64_t plane = size_of(std::span<const int64_t>(padded));
    Ints step(axes, 1);
    Ints over;
    for (size_t d = axes - 1; d > 0; --d) step[d - 1] = step[d] * padded[d];
    StridedAttr at{{plane}, 0};
    views = places;
    for (size_t d = 0; d < axes; ++d) at.strides.push_back(step[d] * a.strides[d]);
    for (size_t d = 0; d < axes; ++d) {
      at.strides.push_back(step[d] * a.dilation[d]);
      views.push_back(a.window[d]);
      places.push_back(1);
      over.push_back(int64_t(1 + axes + d));
    }
    const auto windows = [&](const Tensor& p) {
      Tensor in[] = {p};
      views[0] = p.shape(0);
      return apply_typed(OpId::as_strided, in, {p.dtype(), views}, at);
    };
    const Tensor ties =
        cast_to(windows(reshape(t, {planes, plane})) == reshape(result, places), g.dtype());
    const Tensor index = flatten(windows(reshape(index_range(plane), {1, plane})));
    const Tensor share =
        reshape(ties * (reshape(g, places) / sum(ties, over, true)), {planes, index.size()});
    t = apply_to(OpId::scatter, ScatterAttr{1, Mode::add}, zeros({planes, plane}, g.dtype()), index,
                 share);
    padded.insert(0, y[1]);
    padded.insert(0, y[0]);
    t = reshape(t, padded);
    for (size_t d = 0; d < axes; ++d) t = crop_or_pad(t, int64_t(d + 2), a.low[d], x[d + 2]);
    return t;
  }
};

Gradients vjp_pool(const Vjp& v) {
  const Windows w(v);
  const Tensor g = widen(v.g[0]);
  switch (w.a.mode) {
    case Mode::add: return {w.back(g)};
    case Mode::mean: {
      if (w.a.count_padding) {
        return {w.back(g / double(size_of(std::span<const int64_t>(w.a.window))))};
      }
      Shape plane = w.x;
      plane[0] = plane[1] = 1;
      return {w.back(g / apply_to(OpId::pool, w.adding(), ones(plane, g.dtype())))};
    }
    case Mode::l2: {
      const Tensor y = widen(v.y[0]);
      const Tensor none = y == 0.0;
      return {widen(v.x[0]) * w.back(where(none, 0.0, g / where(none, 1.0, y)))};
    }
    default: {  // equal shares to all that are as large as the largest
      if (!w.disjoint) {
        return {w.shares(v.x[0], w.a.mode == Mode::max ? -HUGE_VAL : HUGE_VAL, v.y[0], g)};
      }
      const Tensor ties = cast_to(v.x[0] == w.back(v.y[0]), g.dtype());
      return {ties * w.back(g / apply_to(OpId::pool, w.adding(), ties))};
    }
  }
}
uint8_t pool_reads(const Node& n) {
  const Mode m = n.attrs.as<PoolAttr>().mode;
  return m == Mode::add || m == Mode::mean ? uint8_t(reads_none) : uint8_t(reads_x | reads_y);
}

}  // namespace

namespace {
using binder::fn;

#define CONV(n)                                                               \
  FUN(conv##n##d, "x, weight, bias=None, **options",                          \
      "Cross-correlation with filters over " #n " spatial axes, plus bias."), \
      FUN(conv_transpose##n##d, "x, weight, bias=None, **options",            \
          "Gradient of conv" #n "d with respect to its input, plus bias.")
#define POOL(n)                                                                                    \
  FUN(max_pool##n##d, "x, **options", "Largest element of each window over " #n " spatial axes."), \
      FUN(average_pool##n##d, "x, **options", "Mean of each window over " #n " spatial axes."),    \
      FUN(l2_pool##n##d, "x, **options",                                                           \
          "Square root of the sum of squares of each window over " #n " spatial axes.")
const Row rows[] = {
    {.name = "conv",
     .args = "x, weight, bias",
     .doc = "Cross-correlation of channels-first x with filters, plus bias.",
     .id = OpId::conv,
     .arity = {2, 3},
     .kinds = k_numeric,
     .promote = Promote::common,
     .infer = infer_conv,
     .vjp = vjp_conv,
     .reads_by = reads_crosswise},
    {.name = "pool",
     .args = "x",
     .doc = "Reduction of each window of channels-first x: max, mean or L2 norm.",
     .id = OpId::pool,
     .arity = {1, 1},
     .kinds = k_real,
     .infer = infer_pool,
     .vjp = vjp_pool,
     .reads_by = pool_reads},
    CONV(1),
    CONV(2),
    CONV(3),
    POOL(1),
    POOL(2),
    POOL(3),
    FUN(adaptive_average_pool, "x, output_size",
        "Means of output_size windows that cover the last axes."),
    FUN(adaptive_max_pool, "x, output_size",
        "Largest elements of output_size windows that cover the last axes."),
    FUN(global_average_pool, "x, layout=\"nchw\"",
        "Mean over all spatial axes, kept with length 1."),
    FUN(global_max_pool, "x, layout=\"nchw\"",
        "Largest element over all spatial axes, kept with length 1."),
    FUN(pixel_shuffle, "x, factor",
        "Channels rearranged into an image that is larger by factor along both axes."),
    FUN(pixel_unshuffle, "x, factor",
        "Blocks of factor by factor pixels rearranged into channels."),
    FUN(resample, "x, **options",
        "Axes resized by nearest, linear or cubic interpolation, with half-pixel centers "
        "unless align_corners."),
    FUN(grid_sample, "x, grid, mode=\"bilinear\", padding_mode=\"zeros\", align_corners=False",
        "Images sampled at the coordinates of grid, which range from -1 to 1."),
};
#undef CONV
#undef POOL
}  // namespace

std::span<const Row> convolution_rows() { return rows; }

}  // namespace ember
