// Convolution, pooling and resampling.
#include <cmath>

#include "src/webnn/operators/operator.h"

namespace ember::webnn {

namespace {

// The position of a letter in a layout: axis("nhwc", 'c') is 3.
size_t axis(std::string_view layout, char letter) { return layout.find(letter); }

Dimensions pair_of(const Call& c, const char* name, const Dimensions& otherwise) {
  const Dimensions p = c.u32s(name, otherwise);
  need_length(name, p.size(), 2);
  for (uint32_t v : p) {
    if (v == 0) throw ValueError("'" + std::string(name) + "' must be at least 1");
  }
  return p;
}

// The options of windows that move over height and width.
struct Windows {
  std::array<int64_t, 2> size, stride, dilation, low, high,
      reach;                 // the extent of a dilated window
  std::array<size_t, 2> at;  // the axes of height and width

  Windows(const Call& c, const std::string& layout, const Dimensions& window)
      : at{axis(layout, 'h'), axis(layout, 'w')} {
    const Dimensions padding = c.u32s("padding", {0, 0, 0, 0});
    const Dimensions strides = pair_of(c, "strides", {1, 1});
    const Dimensions dilations = pair_of(c, "dilations", {1, 1});
    need_length("padding", padding.size(), 4);
    for (size_t d = 0; d < 2; ++d) {
      size[d] = window[d];
      stride[d] = strides[d];
      dilation[d] = dilations[d];
      low[d] = padding[2 * d];
      high[d] = padding[2 * d + 1];
      // Avoids overflow of sums of two 32-bit numbers.
      reach[d] = int64_t(
          std::min<uint64_t>(uint64_t(size[d] - 1) * uint64_t(dilation[d]) + 1, 1ull << 62));
    }
  }
  Ints padding() const { return {low[0], high[0], low[1], high[1]}; }
  static Ints ints(const std::array<int64_t, 2>& a) { return {a[0], a[1]}; }

  // The specification does not require this, but its tests do.
  void check_steps(size_t d, int64_t n, const char* what) const {
    if (const int64_t step = std::max(stride[d], dilation[d]); step > n) {
      throw ValueError("a stride or dilation of " + std::to_string(step) + " is longer than the " +
                       what + ", " + std::to_string(n));
    }
  }
  // The largest start of a window over the padded input, which must be a valid tensor.
  std::array<int64_t, 2> last_starts(const MLOperand& input) const {
    Ints padded(input.shape().begin(), input.shape().end());
    std::array<int64_t, 2> f;
    for (size_t d = 0; d < 2; ++d) {
      const int64_t n = padded[at[d]] += low[d] + high[d];
      f[d] = n - reach[d];
      if (f[d] < 0) {
        throw ShapeError("a window of " + std::to_string(reach[d]) +
                         " elements is longer than the padded input, " + std::to_string(n));
      }
      check_steps(d, n, "padded input");
    }
    dimensions(input.dataType(), padded);
    return f;
  }
};

Results conv2d(Call& c) {
  const std::string layout = c.text("inputLayout");
  const std::string filter = c.text("filterLayout");
  const Dimensions& x = c.shape("input");
  const Dimensions& f = c.shape("filter");
  const Windows w(c, layout, {f[axis(filter, 'h')], f[axis(filter, 'w')]});
  const uint32_t groups = c.u32("groups", 1);
  const uint32_t in = x[axis(layout, 'c')];
  const uint32_t out = f[axis(filter, 'o')];
  if (groups == 0) throw ValueError("'groups' must be at least 1");
  if (in % groups || in / groups != f[axis(filter, 'i')]) {
    throw ShapeError("the filter has " + std::to_string(f[axis(filter, 'i')]) +
                     " input channels, but the input has " + std::to_string(in) + " in " +
                     std::to_string(groups) + " groups");
  }
  if (out % groups) {
    throw ShapeError(std::to_string(out) + " output channels are not a multiple of " +
                     std::to_string(groups) + " groups");
  }
  need_shape(c, "bias", {out});
  const auto last_starts = w.last_starts(c.operand("input"));
  Ints sizes = ints(x);
  for (size_t d = 0; d < 2; ++d) sizes[w.at[d]] = last_starts[d] / w.stride[d] + 1;
  sizes[axis(layout, 'c')] = out;
  dimensions(c.operand("input").dataType(), sizes);
  const ops::ConvOptions o{.strides = w.ints(w.stride),
                           .padding = w.padding(),
                           .dilation = w.ints(w.dilation),
                           .groups = groups,
                           .input_layout = layout,
                           .filter_layout = filter};
  return {c.result(ops::conv2d(c.tensor("input"), c.tensor("filter"), c.optional("bias"), o))};
}

Results conv_transpose2d(Call& c) {
  const std::string layout = c.text("inputLayout");
  const std::string filter = c.text("filterLayout");
  const Dimensions& x = c.shape("input");
  const Dimensions& f = c.shape("filter");
  const Windows w(c, layout, {f[axis(filter, 'h')], f[axis(filter, 'w')]});
  const Dimensions more = c.u32s("outputPadding", {0, 0});
  const Dimensions wanted = c.u32s("outputSizes", {0, 0});
  need_length("outputPadding", more.size(), 2);
  need_length("outputSizes", wanted.size(), 2);
  const uint32_t groups = c.u32("groups", 1);
  const uint32_t in = x[axis(layout, 'c')];
  const int64_t out = int64_t(f[axis(filter, 'o')]) * groups;
  if (groups == 0) throw ValueError("'groups' must be at least 1");
  if (in != f[axis(filter, 'i')]) {
    throw ShapeError("the filter has " + std::to_string(f[axis(filter, 'i')]) +
                     " input channels, but the input has " + std::to_string(in));
  }
  Ints sizes = ints(x);
  sizes[axis(layout, 'c')] = out;
  for (size_t d = 0; d < 2; ++d) {
    const int64_t least = (sizes[w.at[d]] - 1) * w.stride[d] + w.reach[d] - w.low[d] - w.high[d];
    int64_t& n = sizes[w.at[d]] = least + more[d];
    if (c.has("outputSizes")) {
      n = wanted[d];
      if (n < least || n >= least + w.stride[d]) {
        throw ShapeError("'outputSizes' must be " + std::to_string(least) + " to " +
                         std::to_string(least + w.stride[d] - 1) + ", not " + std::to_string(n));
      }
    } else if (more[d] >= w.stride[d]) {
      throw ValueError("'outputPadding' must be less than the stride " +
                       std::to_string(w.stride[d]) + ", not " + std::to_string(more[d]));
    }
  }
  dimensions(c.operand("input").dataType(), sizes);
  // Like windows over an input, with input and output exchanged.
  for (size_t d = 0; d < 2; ++d) w.check_steps(d, sizes[w.at[d]], "output");
  need_shape(c, "bias", {uint32_t(out)});
  // The specification does not require groups of equal size: missing channels are zeros.
  const auto filled = [&](const char* name, size_t at) {
    if (in % groups == 0) return c.tensor(name);
    Ints widths(8, 0);
    widths[2 * at + 1] = groups - in % groups;
    return ops::pad(c.tensor(name), widths);
  };
  const ops::ConvTransposeOptions o{.strides = w.ints(w.stride),
                                    .padding = w.padding(),
                                    .dilation = w.ints(w.dilation),
                                    .groups = groups,
                                    .output_sizes = Ints{sizes[w.at[0]], sizes[w.at[1]]},
                                    .input_layout = layout,
                                    .filter_layout = filter};
  return {
      c.result(ops::conv_transpose2d(filled("input", axis(layout, 'c')),
                                     filled("filter", axis(filter, 'i')), c.optional("bias"), o))};
}

template <Tensor (*f)(const Tensor&, const ops::PoolOptions&)> Results pool(Call& c) {
  const std::string layout = c.text("layout");
  Tensor x = c.tensor("input");
  const Windows w(
      c, layout,
      pair_of(c, "windowDimensions",
              {c.shape("input")[axis(layout, 'h')], c.shape("input")[axis(layout, 'w')]}));
  const auto last_starts = w.last_starts(c.operand("input"));
  Ints sizes = ints(c.shape("input"));
  Ints count;
  Ints more;
  for (size_t d = 0; d < 2; ++d) {
    count.push_back(last_starts[d] / w.stride[d] + 1);
    more.push_back(count[d] + (last_starts[d] % w.stride[d] != 0));
  }
  if (c.has("outputSizes")) {
    const Ints wanted = ints(pair_of(c, "outputSizes", {}));
    if (wanted != count && wanted != more) {
      throw ShapeError("'outputSizes' must be " + to_string(count) + " or " + to_string(more) +
                       ", not " + to_string(wanted));
    }
    count = wanted;
  } else if (c.text("outputShapeRounding") == "ceil") {
    count = more;
  }
  sizes[w.at[0]] = count[0];
  sizes[w.at[1]] = count[1];
  dimensions(x.dtype(), sizes);

  // A window that contains only padding gives 0. Ember's pooling does not have such windows, so
  // only those from first to last are pooled.
  ops::PoolOptions o{.kernel_size = w.ints(w.size),
                     .strides = w.ints(w.stride),
                     .padding = Ints(4, 0),
                     .dilation = w.ints(w.dilation),
                     .layout = layout};
  Ints starts(4, 0);
  Ints stops = ints(c.shape("input"));
  Ints around(8, 0);
  bool any = true;
  bool odd = false;
  for (size_t d = 0; d < 2; ++d) {
    const int64_t n = stops[w.at[d]];
    const int64_t step = w.stride[d];
    const int64_t first = w.low[d] < w.reach[d] ? 0 : (w.low[d] - w.reach[d]) / step + 1;
    const int64_t last = std::min(count[d] - 1, (w.low[d] + n - 1) / step);
    const int64_t begin = first * step - w.low[d];
    const int64_t end =
        last * step + w.reach[d] - w.low[d];  // relative to the input's first element
    o.padding[2 * d] = std::max<int64_t>(0, -begin);
    o.padding[2 * d + 1] = std::max<int64_t>(0, end - n);
    starts[w.at[d]] = std::max<int64_t>(0, begin);
    around[2 * w.at[d]] = first;
    around[2 * w.at[d] + 1] = count[d] - 1 - last;
    any &= first <= last;
    odd |= first > 0 || last + 1 < count[d];
  }
  if (!any) {
    return {c.result(ops::zeros(shape_of(Dimensions(sizes.begin(), sizes.end())), x.dtype()))};
  }
  if (odd) x = ops::slice(x, starts, stops);
  x = f(x, o);
  return {c.result(odd ? ops::pad(x, around) : x)};
}

Results resample2d(Call& c) {
  const Tensor x = c.tensor("input");
  const Dimensions axes = c.has("axes") ? axes_of(c, "axes", 4) : Dimensions{2, 3};
  need_length("axes", axes.size(), 2);
  ops::ResampleOptions o{.mode = c.text("mode") == "linear" ? "linear" : "nearest",
                         .axes = ints(axes)};
  std::vector<double> scales{1, 1};
  if (c.has("scales")) {
    scales.clear();
    for (const Arg& a : c.list("scales")) scales.push_back(float(to_double(std::get<MLNumber>(a))));
    need_length("scales", scales.size(), 2);
    for (double s : scales) {
      if (!(s > 0)) throw ValueError("'scales' must be greater than 0, not " + std::to_string(s));
    }
  }
  Ints sizes = ints(c.shape("input"));
  Ints wanted;
  if (c.has("sizes")) {
    wanted = ints(pair_of(c, "sizes", {}));
  } else {
    for (size_t d = 0; d < 2; ++d) {
      wanted.push_back(int64_t(std::min(std::floor(double(sizes[axes[d]]) * scales[d]), 0x1p40)));
    }
  }
  for (size_t d = 0; d < 2; ++d) sizes[axes[d]] = wanted[d];
  dimensions(x.dtype(), sizes);
  if (c.has("sizes")) {
    o.sizes = wanted;
  } else {
    o.scales = scales;
  }
  const Tensor y = ops::resample(x, o);  // interpolation of integers has fractions
  return {c.result(y.dtype() == x.dtype() ? y : ops::astype(ops::round(y), x.dtype()))};
}

#define POOL(name, types, op)                                                         \
  {#name, "input",                                                                    \
   "windowDimensions:u32s padding:u32s strides:u32s dilations:u32s layout:nchw|nhwc " \
   "outputShapeRounding:floor|ceil outputSizes:u32s",                                 \
   "input:" types "@4 output:input@4", pool<ops::op>}
const RowText rows[] = {
    {"conv2d", "input filter",
     "padding:u32s strides:u32s dilations:u32s groups:u32 inputLayout:nchw|nhwc "
     "filterLayout:oihw|hwio|ohwi|ihwo bias",
     "input:float@4 filter:input@4 bias:input@1 output:input@4", conv2d},
    {"convTranspose2d", "input filter",
     "padding:u32s strides:u32s dilations:u32s outputPadding:u32s outputSizes:u32s groups:u32 "
     "inputLayout:nchw|nhwc filterLayout:iohw|hwoi|ohwi bias",
     "input:float@4 filter:input@4 bias:input@1 output:input@4", conv_transpose2d},
    POOL(averagePool2d, "float", average_pool2d),
    POOL(l2Pool2d, "float", l2_pool2d),
    POOL(maxPool2d, "number", max_pool2d),
    {"resample2d", "input", "mode:nearest-neighbor|linear scales:f32s sizes:u32s axes:u32s",
     "input:f32/f16/u8/i8@4 output:input@4", resample2d},
};

}  // namespace

std::span<const RowText> window_operators() { return rows; }

}  // namespace ember::webnn
