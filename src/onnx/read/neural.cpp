// Products, convolution and pooling.
#include <cmath>

#include "src/graph/graph.h"
#include "src/onnx/read/read.h"
#include "src/onnx/read/windows.h"
#include "src/ops/layouts.h"

namespace ember::onnx {

Windows::Windows(const Call& c, const Shape& x, std::optional<Ints> kernel) {
  if (x.size() < 3) {
    throw ShapeError("the input must have at least 3 dimensions, not " + std::to_string(x.size()));
  }
  const size_t n = x.size() - 2;
  const auto given = c.list_of("kernel_shape");
  size = kernel  ? *kernel
         : given ? *given
                 : throw ValueError("the attribute \"kernel_shape\" is missing");
  if (kernel && given && *given != *kernel) {
    throw ShapeError("kernel_shape is " + to_string(*given) + ", the filter's " +
                     to_string(*kernel));
  }
  if (size.size() != n) {
    throw ShapeError("a window of " + std::to_string(size.size()) + " dimensions for " +
                     std::to_string(n));
  }
  strides = per_axis("strides", c.list_of("strides").value_or(Ints(n, 1)), n, 1);
  dilations = per_axis("dilations", c.list_of("dilations").value_or(Ints(n, 1)), n, 1);
  auto_pad = c.s("auto_pad", "NOTSET");
  one_of("auto_pad", auto_pad, {"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"});
  const Ints pads = c.list_of("pads").value_or(Ints(2 * n, 0));
  if (pads.size() != 2 * n) {
    throw ShapeError(std::to_string(pads.size()) + " pads for " + std::to_string(n) + " axes");
  }
  low.resize(n);
  high.resize(n);
  for (size_t d = 0; d < n; ++d) {
    if (size[d] < 1) {
      throw ShapeError("a window cannot have " + std::to_string(size[d]) + " elements");
    }
    reach.push_back(extent(dilations[d], size[d] - 1, 1));
    if (auto_pad == "NOTSET") {
      low[d] = pads[d];
      high[d] = pads[d + n];
    } else if (auto_pad != "VALID") {
      const int64_t in = x[d + 2];
      const int64_t out = in / strides[d] + (in % strides[d] != 0);
      const int64_t total = std::max<int64_t>(0, extent(out - 1, strides[d], reach[d] - in));
      low[d] = auto_pad == "SAME_UPPER" ? total / 2 : total - total / 2;
      high[d] = total - low[d];
    }
    if (low[d] < 0 || high[d] < 0) throw ValueError("pads must be at least 0");
  }
}

Ints Windows::padding() const {
  Ints p;
  for (size_t d = 0; d < low.size(); ++d) {
    p.push_back(low[d]);
    p.push_back(high[d]);
  }
  return p;
}

Ints kernel_of(const Tensor& w) {
  return Ints(w.shape().begin() + std::min<size_t>(2, w.shape().size()), w.shape().end());
}

Tensor convolution(const Call& c, const Tensor& x, const Tensor& w,
                   const std::optional<Tensor>& bias) {
  const Windows win(c, x.shape(), kernel_of(w));
  const ops::ConvOptions o{.strides = win.strides,
                           .padding = win.padding(),
                           .dilation = win.dilations,
                           .groups = c.i("group", 1)};
  switch (x.ndim()) {
    case 3: return ops::conv1d(x, w, bias, o);
    case 4: return ops::conv2d(x, w, bias, o);
    case 5: return ops::conv3d(x, w, bias, o);
  }
  c.refuse("a convolution over " + std::to_string(x.ndim() - 2) + " axes");
}

namespace {

// A window longer than the padded input does not fit anywhere: the result is empty, as in ONNX
// Runtime.
std::optional<Tensor> pool_without_windows(const Windows& win, const Tensor& x) {
  Shape shape{x.shape(0), x.shape(1)};
  bool empty = false;
  for (size_t d = 0; d < win.size.size(); ++d) {
    const int64_t room =
        extent(1, x.shape()[d + 2], extent(1, win.low[d], win.high[d])) - win.reach[d];
    empty |= room < 0;
    shape.push_back(room < 0 ? 0 : room / win.strides[d] + 1);
  }
  return empty ? std::optional(ops::zeros(shape, x.dtype())) : std::nullopt;
}

}  // namespace

Tensor average_pool(const Call& c, const Tensor& x) {
  const Windows win(c, x.shape());
  const ops::PoolOptions o{.kernel_size = win.size,
                           .strides = win.strides,
                           .padding = win.padding(),
                           .dilation = win.dilations,
                           .ceil_mode = c.flag("ceil_mode"),
                           .count_include_pad = c.flag("count_include_pad")};
  if (x.ndim() > 5) c.refuse("pooling over " + std::to_string(x.ndim() - 2) + " axes");
  if (const auto none = pool_without_windows(win, x); none && !o.ceil_mode) return *none;
  return (x.ndim() == 3   ? ops::average_pool1d
          : x.ndim() == 4 ? ops::average_pool2d
                          : ops::average_pool3d)(x, o);
}

namespace {

Values gemm(const Call& c) {
  const Tensor& a = c.x(0);
  const Tensor& b = c.x(1);
  const double alpha = c.f("alpha", 1);
  const double beta = c.f("beta", 1);
  const bool at = c.flag("transA");
  const bool bt = c.flag("transB");
  if (c.opset < 7) c.ignore("broadcast");  // broadcasting is always allowed
  if (is_float(a.dtype())) return {ops::gemm(a, b, c.maybe(2), {alpha, beta, at, bt})};
  if (alpha != 1 || beta != 1) c.refuse("a product of integers with alpha or beta");
  const Tensor y =
      ops::matmul(at ? ops::matrix_transpose(a) : a, bt ? ops::matrix_transpose(b) : b);
  return {c.has(2) ? y + c.x(2) : y};
}

// Crops the result of the transposed convolution at both ends; a negative crop pads with zeros.
Values conv_transpose(const Call& c) {
  const Tensor& x = c.x(0);
  const Tensor& w = c.x(1);
  if (x.ndim() < 3 || x.ndim() > 5) {
    c.refuse("a convolution over " + std::to_string(x.ndim() - 2) + " axes");
  }
  const size_t n = size_t(x.ndim()) - 2;
  const auto sizes = c.list_of("output_shape");
  const Ints more = c.list_of("output_padding").value_or(Ints(n, 0));
  Windows win(c, x.shape(), kernel_of(w));
  if (more.size() != n || (sizes && sizes->size() < n)) {
    throw ShapeError("output_shape and output_padding must have a number for each axis");
  }
  ops::ConvTransposeOptions o{
      .strides = win.strides, .padding = {}, .dilation = win.dilations, .groups = c.i("group", 1)};
  Ints fill(2 * (n + 2), 0);
  bool filled = false;
  for (size_t d = 0; d < n; ++d) {
    const int64_t in = x.shape()[d + 2];
    const int64_t whole = extent(in - 1, win.strides[d], win.reach[d]);
    int64_t low = win.low[d];
    int64_t high = win.high[d];
    if (sizes || win.auto_pad.starts_with("SAME")) {
      const int64_t want = sizes ? (*sizes)[sizes->size() - n + d] : extent(in, win.strides[d], 0);
      if (want < 1) throw ShapeError("an output of " + std::to_string(want) + " elements");
      const int64_t total = extent(1, whole, more[d]) - want;
      low = total > 0 ? (win.auto_pad == "SAME_UPPER" ? total / 2 : total - total / 2) : 0;
      high = total - low;
    }
    high = extent(-1, more[d], high);
    o.padding.push_back(std::max<int64_t>(low, 0));
    o.padding.push_back(std::max<int64_t>(high, 0));
    fill[2 * (d + 2)] = std::max<int64_t>(-low, 0);
    fill[2 * (d + 2) + 1] = std::max<int64_t>(-high, 0);
    filled |= low < 0 || high < 0;
  }
  const auto f = n == 1   ? ops::conv_transpose1d
                 : n == 2 ? ops::conv_transpose2d
                          : ops::conv_transpose3d;
  if (!filled) return {f(x, w, c.maybe(2), o)};
  const Tensor y = ops::pad(f(x, w, {}, o), fill);
  if (!c.has(2)) return {y};
  Shape s(n + 1, 1);
  s[0] = c.x(2).size();
  return {y + ops::reshape(c.x(2), s)};
}

// The number of windows along each axis; high is extended to what the last windows need beyond the
// padding.
Shape windows_of(const Windows& win, const Shape& x, bool ceil, Ints& high) {
  Shape out;
  high = win.high;
  for (size_t d = 0; d < win.size.size(); ++d) {
    const int64_t n = x[d + 2];
    const int64_t padded = extent(1, n, extent(1, win.low[d], win.high[d]));
    if (padded < win.reach[d]) {
      throw ShapeError("a window of " + std::to_string(win.reach[d]) +
                       " elements is longer than the padded input, " + std::to_string(padded));
    }
    int64_t last = (padded - win.reach[d]) / win.strides[d] +
                   (ceil && (padded - win.reach[d]) % win.strides[d]);
    if (last * win.strides[d] >= n + win.low[d]) --last;
    high[d] = std::max(win.high[d], last * win.strides[d] + win.reach[d] - padded + win.high[d]);
    out.push_back(last + 1);
  }
  return out;
}

Values max_pool(const Call& c) {
  const Tensor& x = c.x(0);
  const Windows win(c, x.shape());
  const bool ceil = c.flag("ceil_mode");
  const bool columns = c.flag("storage_order");
  const ops::PoolOptions o{.kernel_size = win.size,
                           .strides = win.strides,
                           .padding = win.padding(),
                           .dilation = win.dilations,
                           .ceil_mode = ceil};
  if (x.ndim() > 5) c.refuse("pooling over " + std::to_string(x.ndim() - 2) + " axes");
  if (const auto none = pool_without_windows(win, x); none && !ceil) {
    return {*none, cast_to(*none, DType::int64)};
  }
  const Tensor y = (x.ndim() == 3   ? ops::max_pool1d
                    : x.ndim() == 4 ? ops::max_pool2d
                                    : ops::max_pool3d)(x, o);
  if (!c.wants(1)) return {y};
  // The index of each maximum: windows along the last axis, the position of the maximum in its
  // window, then that position's index in the input.
  const size_t n = win.size.size();
  Ints high;
  const Shape out = windows_of(win, x.shape(), ceil, high);
  Tensor elements = x;
  Tensor places = ops::zeros({1}, DType::int64);
  Tensor inside = ops::zeros({1}, DType::bool_) == Tensor(false);
  Ints order{0, 1};
  Shape flat{x.shape(0), x.shape(1)};
  int64_t window = 1;
  for (size_t d = 0; d < n; ++d) {
    const Tensor first =
        ops::arange(0, double(out[d]), 1, DType::int64) * win.strides[d] - win.low[d];
    const Tensor at = ops::reshape(first, {out[d], 1}) +
                      ops::arange(0, double(win.size[d]), 1, DType::int64) * win.dilations[d];
    elements = ops::take(elements, ops::clip(at, Tensor(0), Tensor(x.shape()[d + 2] - 1)),
                         int64_t(2 + 2 * d));
    int64_t step = 1;  // stride of this axis in the flat input
    for (size_t e = 0; e < n; ++e) {
      if (columns ? e < d : e > d) step = extent(step, x.shape()[e + 2], 0);
    }
    const Tensor good = ops::logical_and(at >= 0, ops::less(at, x.shape()[d + 2]));
    places = ops::expand_dims(places, {-1, -2}) + at * step;
    inside = ops::logical_and(ops::expand_dims(inside, {-1, -2}), good);
    order.push_back(int64_t(2 + 2 * d));
    flat.push_back(out[d]);
    window = extent(window, win.size[d], 0);
  }
  for (size_t d = 0; d < n; ++d) order.push_back(int64_t(3 + 2 * d));
  flat.push_back(window);
  const Tensor low = is_float(x.dtype()) ? Tensor(-INFINITY) : Tensor(ops::iinfo(x.dtype()).min);
  const auto lined = [&](const Tensor& t, bool whole) {  // [..., windows, elements of a window]
    Shape s = flat;
    if (!whole) s[0] = s[1] = 1;
    return ops::reshape(ops::permute_dims(whole ? t : ops::expand_dims(t, {0}), order), s);
  };
  const Tensor values =
      ops::where(lined(inside, false), lined(elements, true), cast_to(low, x.dtype()));
  const Tensor best = ops::argmax(values, -1, true);
  const Tensor all = ops::broadcast_to(lined(places, false), values.shape());
  const Tensor found = ops::squeeze(ops::take_along_axis(all, best, -1), -1);
  int64_t plane = 1;
  for (size_t d = 0; d < n; ++d) plane = extent(plane, x.shape()[d + 2], 0);
  Shape batches(size_t(x.ndim()), 1);
  batches[0] = x.shape(0);
  batches[1] = x.shape(1);
  return {y, found + ops::reshape(
                         ops::arange(0, double(x.shape(0) * x.shape(1)), 1, DType::int64) * plane,
                         batches)};
}

Values max_unpool(const Call& c) {
  const Tensor& x = c.x(0);
  const Windows win(c, x.shape());
  Shape out{x.shape(0), x.shape(1)};
  int64_t total = 1;
  for (size_t d = 0; d < win.size.size(); ++d) {
    out.push_back(extent(x.shape()[d + 2] - 1, win.strides[d],
                         extent(-1, win.low[d], extent(-1, win.high[d], win.size[d]))));
  }
  for (const int64_t d : out) {
    if (d < 0) throw ShapeError("invalid output shape " + to_string(out));
    total = extent(total, d, 0);
  }
  const Tensor y = ops::reshape(
      ops::scatter_elements(ops::zeros({total}, x.dtype()),
                            cast_to(ops::flatten(c.x(1)), DType::int64), ops::flatten(x), 0),
      out);
  if (!c.has(2)) return {y};
  const Ints want = c.ints(2, "the output's shape");  // zeros follow
  if (want.size() != out.size()) {
    throw ShapeError("the output's shape must have " + std::to_string(x.ndim()) + " axes");
  }
  Ints widths;
  for (size_t d = 0; d < out.size(); ++d) {
    widths.push_back(0);
    widths.push_back(extent(-1, out[d], want[d]));
  }
  return {ops::pad(y, widths)};
}

Tensor rooted(const Tensor& sums, double p) {
  return p == 1 ? sums : p == 2 ? ops::sqrt(sums) : ops::pow(sums, 1 / p);
}
Tensor powers(const Tensor& x, double p) {
  return p == 1 ? ops::abs(x) : p == 2 ? ops::square(x) : ops::pow(ops::abs(x), p);
}

double exponent_of(const Call& c) { return c.opset < 2 ? c.f("p", 2) : double(c.i("p", 2)); }

Values lp_pool(const Call& c) {
  const Tensor& x = c.x(0);
  const Windows win(c, x.shape());
  const double p = exponent_of(c);
  const bool ceil = c.flag("ceil_mode");
  if (const auto none = pool_without_windows(win, x); none && !ceil) return {*none};
  Ints high;
  windows_of(win, x.shape(), ceil, high);
  return {rooted(
      apply_to(OpId::pool,
               PoolAttr{Mode::add, win.size, win.strides, win.low, high, win.dilations, false},
               powers(x, p)),
      p)};
}
Values global_lp_pool(const Call& c) {
  const double p = exponent_of(c);
  Ints axes;
  for (int64_t d = 2; d < c.x(0).ndim(); ++d) axes.push_back(d);
  return {rooted(ops::sum(powers(c.x(0), p), axes, true), p)};
}

// Each output reads the elements of its window at positions plus offsets, with bilinear
// interpolation.
Values deform_conv(const Call& c) {
  const Tensor& x = c.x(0);
  const Tensor& w = c.x(1);
  const Tensor& offset = c.x(2);
  const Windows win(c, x.shape(), kernel_of(w));
  const int64_t group = c.i("group", 1);
  const int64_t groups = c.i("offset_group", 1);
  if (x.ndim() != 4) {
    c.refuse("a deformable convolution over " + std::to_string(x.ndim() - 2) + " axes");
  }
  const int64_t n = x.shape(0);
  const int64_t channels = x.shape(1);
  const int64_t h = x.shape(2);
  const int64_t width = x.shape(3);
  const int64_t kh = win.size[0];
  const int64_t kw = win.size[1];
  const int64_t taps = extent(kh, kw, 0);
  Ints high;
  const Shape out = windows_of(win, x.shape(), false, high);
  const int64_t oh = out[0];
  const int64_t ow = out[1];
  const int64_t points = extent(taps, extent(oh, ow, 0), 0);
  if (groups < 1 || channels % groups || offset.shape() != Shape{n, groups * taps * 2, oh, ow}) {
    throw ShapeError("the offsets have shape " + to_string(offset.shape()) +
                     ", which does not fit");
  }
  const DType t = x.dtype();
  // Positions without offsets along one axis, [taps, oh, ow].
  const auto grid = [&](int64_t size, int64_t axis) {
    const Tensor in = ops::arange(0, double(size), 1, DType::int64) * win.dilations[size_t(axis)];
    const Tensor at =
        ops::arange(0, double(out[size_t(axis)]), 1, DType::int64) * win.strides[size_t(axis)] -
        win.low[size_t(axis)];
    return axis == 0 ? ops::reshape(in, {kh, 1, 1, 1}) + ops::reshape(at, {oh, 1})
                     : ops::reshape(in, {kw, 1, 1}) + at;
  };
  const Tensor moved = ops::reshape(offset, {n, groups, kh, kw, 2, oh, ow});
  const auto place = [&](int64_t axis) {
    const Tensor by = ops::squeeze(ops::slice(moved, {axis}, {axis + 1}, {}, 4), 4);
    return ops::reshape(by + cast_to(axis == 0 ? grid(kh, 0) : grid(kw, 1), t),
                        {n, groups, 1, points});
  };
  const Tensor y = place(0);
  const Tensor z = place(1);
  const Tensor y0 = ops::floor(y);
  const Tensor z0 = ops::floor(z);
  const Tensor py = y - y0;
  const Tensor pz = z - z0;
  const Tensor flat = ops::reshape(x, {n, groups, channels / groups, h * width});
  const auto read = [&](const Tensor& row, const Tensor& column, const Tensor& weight) {
    const Tensor there =
        (row >= 0.0) & (row <= double(h - 1)) & (column >= 0.0) & (column <= double(width - 1));
    const Tensor at = cast_to(ops::where(there, row * double(width) + column, ops::zeros_like(row)),
                              DType::int64);
    return ops::take_along_axis(flat, at, 3) * ops::where(there, weight, ops::zeros_like(weight));
  };
  const Tensor one = cast_to(Tensor(1.0), t);
  Tensor samples = read(y0, z0, (one - py) * (one - pz)) + read(y0, z0 + 1.0, (one - py) * pz) +
                   read(y0 + 1.0, z0, py * (one - pz)) + read(y0 + 1.0, z0 + 1.0, py * pz);
  if (c.has(4)) samples = samples * ops::reshape(c.x(4), {n, groups, 1, points});
  // The rest is a product over the channels of a group and the elements of a window.
  if (group < 1 || channels % group || w.shape(0) % group || w.shape(1) != channels / group) {
    throw ShapeError("the filter of shape " + to_string(w.shape()) + " does not fit " +
                     std::to_string(group) + " groups of " + std::to_string(channels) +
                     " channels");
  }
  const int64_t rows = w.shape(0) / group;
  const int64_t inner = w.shape(1) * taps;
  const Tensor columns = ops::reshape(samples, {n, group, inner, oh * ow});
  const Tensor filters = ops::reshape(w, {1, group, rows, inner});
  Tensor r = ops::reshape(ops::matmul(filters, columns), {n, w.shape(0), oh, ow});
  if (c.has(3)) r = r + ops::reshape(c.x(3), {w.shape(0), 1, 1});
  return {r};
}

// A causal convolution. The second output is the end of the input, which the next call needs.
Values causal_conv(const Call& c) {
  const Tensor& x = c.x(0);
  const Tensor& w = c.x(1);
  const std::string activation = c.s("activation", "none");
  one_of("activation", activation, {"none", "silu", "swish"});
  if (x.ndim() != 3 || w.ndim() != 3) throw ShapeError("input and weight must have 3 dimensions");
  const int64_t before = w.shape(2) - 1;
  const Tensor past = c.has(3) ? c.x(3) : ops::zeros({x.shape(0), x.shape(1), before}, x.dtype());
  const Tensor whole = ops::concat({past, x}, 2);
  const Tensor y = ops::conv1d(whole, w, c.maybe(2), {.groups = x.shape(1)});
  return {activation == "none" ? y : ops::silu(y),
          ops::slice(whole, {whole.shape(2) - before}, {whole.shape(2)}, {}, 2)};
}

const Reader readers[] = {
    {{"Gemm", 1, ""}, gemm},
    {{"MatMul", 1, ""}, [](const Call& c) -> Values { return {ops::matmul(c.x(0), c.x(1))}; }},
    {{"Einsum", 12, ""},
     [](const Call& c) -> Values { return {ops::einsum(c.s("equation", ""), c.all())}; }},
    {{"Det", 11, ""}, [](const Call& c) -> Values { return {ops::det(c.x(0))}; }},
    {{"Conv", 1, "over one, two or three axes"},
     [](const Call& c) -> Values { return {convolution(c, c.x(0), c.x(1), c.maybe(2))}; }},
    {{"ConvTranspose", 1, "over one, two or three axes"}, conv_transpose},
    {{"CausalConvWithState", 27, ""}, causal_conv},
    {{"DeformConv", 19, "over two axes"}, deform_conv},
    {{"AveragePool", 1, "over one, two or three axes"},
     [](const Call& c) -> Values { return {average_pool(c, c.x(0))}; }},
    {{"MaxPool", 1, "over one, two or three axes"}, max_pool},
    {{"MaxUnpool", 9, ""}, max_unpool},
    {{"LpPool", 1, ""}, lp_pool},
    {{"GlobalAveragePool", 1, ""},
     [](const Call& c) -> Values { return {ops::global_average_pool(c.x(0))}; }},
    {{"GlobalMaxPool", 1, ""},
     [](const Call& c) -> Values { return {ops::global_max_pool(c.x(0))}; }},
    {{"GlobalLpPool", 1, ""}, global_lp_pool},
};

}  // namespace

std::span<const Reader> neural_readers() { return readers; }

}  // namespace ember::onnx
