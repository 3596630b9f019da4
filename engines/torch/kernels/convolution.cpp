// Convolution and pooling. Where ATen cannot express the attributes, over padded or dilated inputs,
// or over views of the windows.
#include "engines/torch/torch.h"

namespace ember::torch {
namespace {

// Pads the spatial axes with a constant, or crops them where the padding is negative.
Array padded(const Array& x, const Ints& low, const Ints& high, const at::Scalar& value) {
  std::vector<int64_t> amounts;
  for (size_t d = low.size(); d-- > 0;) {
    amounts.push_back(low[d]);
    amounts.push_back(high[d]);
  }
  return std::all_of(amounts.begin(), amounts.end(), [](int64_t n) { return n == 0; })
             ? x
             : at::constant_pad_nd(x, amounts, value);
}
bool all_equal(const Ints& v, int64_t to) {
  return std::all_of(v.begin(), v.end(), [&](int64_t n) { return n == to; });
}
bool symmetric(const Ints& low, const Ints& high) {
  return low == high && std::all_of(low.begin(), low.end(), [](int64_t n) { return n >= 0; });
}

// ATen keeps strides, dilations and padding in 32 bits.
bool fits_32_bits(std::initializer_list<const Ints*> attributes) {
  return std::all_of(attributes.begin(), attributes.end(), [](const Ints* a) {
    return std::all_of(a->begin(), a->end(),
                       [](int64_t n) { return n >= INT32_MIN && n <= INT32_MAX; });
  });
}
constexpr const char* not_32_bits = "libtorch keeps strides, dilations and padding in 32 bits";

// Inserts steps - 1 zeros between the elements along each spatial axis.
Array dilated(const Array& x, const Ints& steps) {
  Ints sizes{x.size(0), x.size(1)};
  for (size_t d = 0; d < steps.size(); ++d) {
    sizes.push_back((x.size(int64_t(d) + 2) - 1) * steps[d] + 1);
  }
  Array r = at::zeros(ints(sizes), x.options());
  Array to = r;
  for (size_t d = 0; d < steps.size(); ++d) to = to.slice(int64_t(d) + 2, 0, INT64_MAX, steps[d]);
  to.copy_(x);
  return r;
}

// A convolution over a dilated input is ATen's transposed convolution with the filter flipped and
// its input and output channels swapped.
std::optional<Array> as_transposed(const Array& x, const Array& w, const std::optional<Array>& bias,
                                   const ConvAttr& a) {
  if (!all_equal(a.strides, 1) || !at::isFloatingType(x.scalar_type())) return {};
  Ints padding;
  Ints more;
  for (size_t d = 0; d < a.low.size(); ++d) {
    padding.push_back(a.dilation[d] * (w.size(int64_t(d) + 2) - 1) - a.low[d]);
    more.push_back(a.high[d] - a.low[d]);
    if (padding[d] < 0 || more[d] < 0 || more[d] >= std::max(a.input_dilation[d], a.dilation[d])) {
      return {};
    }
  }
  const int64_t groups = a.groups;
  const int64_t filters = w.size(0) / groups;
  Ints mirrored;
  for (int64_t d = 2; d < w.dim(); ++d) mirrored.push_back(d);
  const Array filter =
      w.unflatten(0, {groups, filters}).transpose(1, 2).flatten(0, 1).flip(ints(mirrored));
  return at::convolution(x, filter, bias, ints(a.input_dilation), ints(padding), ints(a.dilation),
                         true, ints(more), groups);
}

Array convolve(Array x, const Array& w, const std::optional<Array>& bias, const ConvAttr& a) {
  if (!all_equal(a.input_dilation, 1)) {
    if (std::optional<Array> r = as_transposed(x, w, bias, a)) return *r;
    x = dilated(x, a.input_dilation);
  }
  const bool same = symmetric(a.low, a.high);
  const Ints none(a.low.size(), 0);
  return at::convolution(same ? x : padded(x, a.low, a.high, 0), w, bias, ints(a.strides),
                         ints(same ? a.low : none), ints(a.dilation), false, ints(none), a.groups);
}
Array conv(const Call& c) {
  const ConvAttr& a = c.attr<ConvAttr>();
  std::optional<Array> bias;
  if (c.size() > 2) bias = c[2];
  if (!c[0].is_complex()) return convolve(c[0], c[1], bias, a);
  const Array xr = at::real(c[0]);
  const Array xi = at::imag(c[0]);
  const Array wr = at::real(c[1]);
  const Array wi = at::imag(c[1]);
  const Array re = at::sub(convolve(xr, wr, {}, a), convolve(xi, wi, {}, a));
  const Array im = at::add(convolve(xr, wi, {}, a), convolve(xi, wr, {}, a));
  Ints shape(c.node.shape.size() - 1, 1);
  shape[0] = c.node.shape[1];
  const Array r = at::complex(re, im);
  return bias ? at::add(r, bias->reshape(ints(shape))) : r;
}
// cuDNN has no integers, and would round float32 to TF32, which has 10 bits; Ember never narrows
// silently.
Array exact_conv(const Call& c) {
  if (is_integer(c.node.dtype)) return on_cpu<conv, detour<conv, Detour::bits>>(c);
  struct Exact {
    bool before = at::globalContext().allowTF32CuDNN();
    Exact() { at::globalContext().setAllowTF32CuDNN(false); }
    ~Exact() { at::globalContext().setAllowTF32CuDNN(before); }
  } exact;
  return conv(c);
}
Support supports_conv(const SliceNode& n, const Slice& s) {
  for (uint32_t i : n.in) {
    if (size_of(s.nodes[i].shape) == 0) return "empty operands";
  }
  if (n.shape.size() < 3 || n.shape.size() > 5) {
    return "libtorch convolves over one, two or three axes";
  }
  const auto& a = n.attrs.as<ConvAttr>();
  if (!fits_32_bits({&a.strides, &a.low, &a.high, &a.dilation, &a.input_dilation})) {
    return not_32_bits;
  }
  return {};
}

// A view of x's windows: y[n, c, i..., k...] = x[n, c, i * stride + k * dilation...].
Array windows(const Array& x, const PoolAttr& a, const Shape& out) {
  Ints sizes{x.size(0), x.size(1)};
  Ints strides{x.stride(0), x.stride(1)};
  for (size_t d = 0; d < a.window.size(); ++d) {
    sizes.push_back(out[d + 2]);
    strides.push_back(x.stride(int64_t(d) + 2) * a.strides[d]);
  }
  for (size_t d = 0; d < a.window.size(); ++d) {
    sizes.push_back(a.window[d]);
    strides.push_back(x.stride(int64_t(d) + 2) * a.dilation[d]);
  }
  return view_of(x, ints(sizes), ints(strides), x.storage_offset());
}
Ints window_axes(const PoolAttr& a) {
  Ints axes;
  for (size_t d = 0; d < a.window.size(); ++d) {
    axes.push_back(int64_t(d) - int64_t(a.window.size()));
  }
  return axes;
}
// How many positions of each window count, shaped to broadcast over the result: those inside the
// array, or inside its padding too.
Array counted(const Call& c, const PoolAttr& a, at::TensorOptions options) {
  Array all = at::ones({}, options);
  for (size_t d = 0; d < a.window.size(); ++d) {
    const int64_t size = c[0].size(int64_t(d) + 2);
    const int64_t out = c.node.shape[d + 2];
    const at::TensorOptions whole = options.dtype(at::kLong);
    const Array at = at::arange(out, whole)
                         .mul_(a.strides[d])
                         .unsqueeze(1)
                         .add(at::arange(a.window[d], whole).mul_(a.dilation[d]))
                         .sub_(a.low[d]);
    const Array inside =
        a.count_padding
            ? at::lt(at, size + a.high[d])
            : at::logical_and(at::ge(at, 0), at::lt(at, size + std::min<int64_t>(a.high[d], 0)));
    Ints shape(a.window.size(), 1);
    shape[d] = out;
    all = at::mul(all, inside.sum(1).to(options.dtype()).reshape(ints(shape)));
  }
  return all;
}

at::Scalar least(ScalarType t) {
  if (at::isFloatingType(t)) return -HUGE_VAL;
  return t == at::kByte    ? 0
         : t == at::kChar  ? INT8_MIN
         : t == at::kShort ? INT16_MIN
         : t == at::kInt   ? int64_t(INT32_MIN)
                           : INT64_MIN;
}
// One axis is two to ATen, the first of length 1.
Ints of_plane(const Ints& v, int64_t first) { return v.size() == 1 ? Ints{first, v[0]} : v; }

Array max_pool(const Array& given, const PoolAttr& a, const Shape& out) {
  const bool one_by_one = a.window.size() > 3 || (!given.device().is_cpu() &&
                                                  !given.is_floating_point());  // ATen has no more
  bool half = !one_by_one && symmetric(a.low, a.high);
  for (size_t d = 0; d < a.window.size(); ++d) half = half && a.low[d] <= a.window[d] / 2;
  Array x = half ? given : padded(given, a.low, a.high, least(given.scalar_type()));
  const Ints none(a.low.size(), 0);
  const Ints& pad = half ? a.low : none;
  if (one_by_one) return at::amax(windows(x, a, out), ints(window_axes(a)));
  if (a.window.size() == 3) {
    return at::max_pool3d(x, ints(a.window), ints(a.strides), ints(pad), ints(a.dilation), false);
  }
  const bool line = a.window.size() == 1;
  const Array r = at::max_pool2d(line ? x.unsqueeze(2) : x, ints(of_plane(a.window, 1)),
                                 ints(of_plane(a.strides, 1)), ints(of_plane(pad, 0)),
                                 ints(of_plane(a.dilation, 1)), false);
  return line ? r.squeeze(2) : r;
}
// Sums of windows, or their means if ATen counts as Ember does.
Array sum_pool(const Call& c, const Array& given, const PoolAttr& a, bool mean) {
  bool plain = symmetric(a.low, a.high) && all_equal(a.dilation, 1) && given.is_floating_point() &&
               a.window.size() <= 3;
  for (size_t d = 0; d < a.window.size(); ++d) plain = plain && a.low[d] <= a.window[d] / 2;
  // Over three axes ATen refuses windows larger than the array without its padding.
  for (size_t d = 0; a.window.size() == 3 && d < 3; ++d) {
    plain = plain && a.window[d] <= given.size(int64_t(d) + 2);
  }
  if (!plain) {
    const Array sum = at::sum(windows(padded(given, a.low, a.high, 0), a, c.node.shape),
                              ints(window_axes(a)), false, given.scalar_type());
    return mean ? at::div(sum, counted(c, a, given.options())) : sum;
  }
  const auto divisor = mean ? std::nullopt : std::optional<int64_t>(1);
  if (a.window.size() == 3) {
    return at::avg_pool3d(given, ints(a.window), ints(a.strides), ints(a.low), false,
                          a.count_padding, divisor);
  }
  const bool line = a.window.size() == 1;
  const Array r = at::avg_pool2d(line ? given.unsqueeze(2) : given, ints(of_plane(a.window, 1)),
                                 ints(of_plane(a.strides, 1)), ints(of_plane(a.low, 0)), false,
                                 a.count_padding, divisor);
  return line ? r.squeeze(2) : r;
}

// reverses the order, exactly
Array opposite(const Array& x) { return x.is_floating_point() ? at::neg(x) : at::bitwise_not(x); }

Array pool(const Call& c) {
  const auto& a = c.attr<PoolAttr>();
  const Array& x = c[0];
  const Shape& out = c.node.shape;
  if (size_of(out) == 0) return at::empty(ints(out), x.options());
  if (a.mode == Mode::max || a.mode == Mode::min) {
    const Array ordered = x.scalar_type() == at::kBool ? x.view(at::kByte) : x;
    const Array r = a.mode == Mode::max ? max_pool(ordered, a, out)
                                        : opposite(max_pool(opposite(ordered), a, out));
    return x.scalar_type() == at::kBool ? at::ne(r, 0) : r;
  }
  const Array wide = widened(x);
  if (a.mode == Mode::l2) {
    return typed(sum_pool(c, at::square(wide), a, false).sqrt_(), c.node.dtype);
  }
  return typed(sum_pool(c, wide, a, a.mode == Mode::mean), c.node.dtype);
}
Array pool_unsigned(const Call& c) {
  const Mode mode = c.attr<PoolAttr>().mode;
  return mode == Mode::max || mode == Mode::min ? detour<pool, Detour::order>(c)
                                                : detour<pool, Detour::bits>(c);
}
Support supports_pool(const SliceNode& n, const Slice&) {
  const auto& a = n.attrs.as<PoolAttr>();
  const Mode m = a.mode;
  if (!fits_32_bits({&a.window, &a.strides, &a.low, &a.high, &a.dilation})) return not_32_bits;
  if (m != Mode::max && m != Mode::min && !is_float(n.dtype) &&
      (m == Mode::mean || m == Mode::l2)) {
    return "integers have no exact mean";
  }
  if (n.dtype == DType::bool_ && m == Mode::add) return "libtorch has no sums of bools";
  const bool known =
      m == Mode::max || m == Mode::min || m == Mode::mean || m == Mode::l2 || m == Mode::add;
  return known ? Support() : "libtorch has no such pooling";
}

constexpr KernelRow rows[] = {
    {.op = OpId::conv,
     .one = conv,
     .unsigned_one = detour<conv, Detour::bits>,
     .supports = supports_conv,
     .elsewhere = exact_conv},
    {.op = OpId::pool, .one = pool, .unsigned_one = pool_unsigned, .supports = supports_pool},
};

}  // namespace

std::span<const KernelRow> convolution_kernels() { return rows; }

}  // namespace ember::torch
