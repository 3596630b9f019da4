// Products, convolution, pooling, normalization, attention: one operator each where its
// restrictions hold; otherwise the body of a composite is written.
#include <cmath>

#include "src/onnx/write/writer.h"

namespace ember::onnx {
namespace {

Val matmul(const Call& c) {
  if (c[0].size() == 0 || c[1].size() == 0) return expand(c.w.number(0, c.n.dtype), c.n.shape);
  // ONNX Runtime sums products sequentially, so very long sums use float64.
  if (c.w.exact() && c.n.dtype != float64 && is_float(c.n.dtype) && c[0].shape.back() >= 1 << 16) {
    return cast(op("MatMul", {cast(c[0], float64), cast(c[1], float64)}, c.n.shape), c[0].dtype);
  }
  return op("MatMul", c.in, c.n.shape);
}

bool is_one(int64_t n) { return n == 1; }
bool all_one(const Ints& v) { return std::all_of(v.begin(), v.end(), is_one); }
Ints joined(Ints a, const Ints& b) {
  a.append(b.begin(), b.end());
  return a;
}

// Pads the spatial axes by low and high; negative values crop.
Val pad_spatial(const Val& x, const Ints& low, const Ints& high, const Val& value) {
  Ints pads{0, 0};
  pads.append(low.begin(), low.end());
  pads.push_back(0);
  pads.push_back(0);
  pads.append(high.begin(), high.end());
  Shape shape = x.shape;
  for (size_t d = 0; d < low.size(); ++d) shape[d + 2] += low[d] + high[d];
  if (pads == Ints(pads.size(), 0)) return x;
  return pad_unfused(x, pads, value, shape);
}
// Pads x explicitly by the parts of low and high that an operator does not support: negative
// values, and values of at least `limit`.
Val pad_unsupported(const Val& x, Ints& low, Ints& high, const Ints& limit, double value) {
  Ints before(low.size(), 0);
  Ints after(low.size(), 0);
  for (size_t d = 0; d < low.size(); ++d) {
    if (low[d] < 0 || low[d] >= limit[d]) std::swap(before[d], low[d]);
    if (high[d] < 0 || high[d] >= limit[d]) std::swap(after[d], high[d]);
  }
  return pad_spatial(x, before, after, like(x, value));
}

// Dilates the spatial axes: steps - 1 zeros after each element, including the last.
Val dilate(const Val& x, const Ints& steps) {
  Shape expanded{x.shape[0], x.shape[1]};
  Shape wide = expanded;
  Shape joined = expanded;
  Ints pads(4 + 4 * steps.size(), 0);
  for (size_t d = 0; d < steps.size(); ++d) {
    const int64_t n = x.shape[d + 2];
    expanded.push_back(n);
    expanded.push_back(1);
    wide.push_back(n);
    wide.push_back(steps[d]);
    joined.push_back(n * steps[d]);
    pads[2 + 2 * steps.size() + 2 + 2 * d + 1] = steps[d] - 1;
  }
  return reshape(op("Pad", {reshape(x, expanded), x.w->ints(pads), like(x, 0)}, wide), joined);
}
// The filter of the transposed convolution: inputs and outputs of each group are swapped, and
// spatial axes are flipped.
Val transposed_filter(const Val& w, int64_t groups) {
  const size_t spatial = w.shape.size() - 2;
  Shape grouped{groups, w.shape[0] / groups, w.shape[1]};
  Shape result{groups * w.shape[1], w.shape[0] / groups};
  Ints order{0, 2, 1};
  Ints axes;
  Ints last;
  Ints steps(spatial, -1);
  Ints stop(spatial, INT64_MIN);
  for (size_t d = 0; d < spatial; ++d) {
    grouped.push_back(w.shape[d + 2]);
    result.push_back(w.shape[d + 2]);
    order.push_back(int64_t(d) + 3);
    axes.push_back(int64_t(d) + 2);
    last.push_back(-1);
  }
  const Val transposed = reshape(transpose(reshape(w, grouped), order), result);
  Writer& to = *w.w;
  return op("Slice", {transposed, to.ints(last), to.ints(stop), to.ints(axes), to.ints(steps)},
            result);
}

// Reduces a stride or dilation that exceeds the padded input to the smallest value with the same
// result.
void limit_steps(int64_t& stride, int64_t& dilation, int64_t window, int64_t padded) {
  if (window == 1) dilation = 1;
  stride = std::min(stride, padded - (window - 1) * dilation);
}

Val conv(const Call& c) {
  const ConvAttr& a = c.attr<ConvAttr>();
  const Val& x = c[0];
  const Val& w = c[1];
  const size_t spatial = x.shape.size() - 2;
  if (spatial < 1 || spatial > 3) throw Unsupported{"ONNX Runtime convolves over 1 to 3 axes"};
  Ints strides = a.strides;
  Ints dilation = a.dilation;
  Ints low = a.low;
  Ints high = a.high;
  Ints kernel(w.shape.begin() + 2, w.shape.end());
  for (size_t d = 0; d < spatial; ++d) {
    const int64_t dilated = (x.shape[d + 2] - 1) * a.input_dilation[d] + 1;
    limit_steps(strides[d], dilation[d], kernel[d], dilated + low[d] + high[d]);
  }
  const auto written = [&](const char* type, const Val& from, const Val& filter, Options more) {
    Vals in{from, filter};
    if (c.in.size() > 2) in.push_back(c[2]);
    const Options geometry{{"dilations", dilation}, {"group", a.groups}, {"kernel_shape", kernel}};
    more.insert(more.end(), geometry.begin(), geometry.end());
    return op(type, in, c.n.shape, more);
  };
  const Ints no_limit(spatial, INT64_MAX);
  const auto direct = [&](const Val& given) {
    const Val from = pad_unsupported(given, low, high, no_limit, 0);
    return written("Conv", from, w, {{"strides", strides}, {"pads", joined(low, high)}});
  };
  if (all_one(a.input_dilation)) return direct(x);
  // A dilated input: a transposed convolution, if its padding can be expressed.
  Ints before;
  Ints after;
  Ints more;
  bool says = all_one(a.strides);
  for (size_t d = 0; d < spatial; ++d) {
    const int64_t reach = (kernel[d] - 1) * dilation[d];
    const int64_t end = reach - high[d];
    before.push_back(reach - low[d]);
    after.push_back(std::max<int64_t>(end, 0));
    more.push_back(std::max<int64_t>(-end, 0));
    says &= before[d] >= 0 && more[d] < a.input_dilation[d];
  }
  if (says) {
    return written(
        "ConvTranspose", x, transposed_filter(w, a.groups),
        {{"strides", a.input_dilation}, {"pads", joined(before, after)}, {"output_padding", more}});
  }
  for (size_t d = 0; d < spatial; ++d) high[d] -= a.input_dilation[d] - 1;
  return direct(dilate(x, a.input_dilation));
}

Val pool(const Call& c) {
  const PoolAttr& a = c.attr<PoolAttr>();
  const size_t spatial = a.window.size();
  if (spatial < 1 || spatial > 3) throw Unsupported{"ONNX Runtime pools over 1 to 3 axes"};
  Ints strides = a.strides;
  Ints dilation = a.dilation;
  Ints low = a.low;
  Ints high = a.high;
  int64_t count = 1;
  for (size_t d = 0; d < spatial; ++d) {
    limit_steps(strides[d], dilation[d], a.window[d], c.x().shape[d + 2] + low[d] + high[d]);
    count *= a.window[d];
  }
  const auto pooled = [&](const char* type, const Val& given, double border, Options more) {
    const Val x = pad_unsupported(given, low, high, a.window, border);
    Shape shape = c.n.shape;
    shape[0] = given.shape[0];
    shape[1] = given.shape[1];
    const Options geometry{
        {"kernel_shape", a.window}, {"strides", strides}, {"pads", joined(low, high)}};
    more.insert(more.end(), geometry.begin(), geometry.end());
    const bool dilated = !all_one(dilation);
    if (dilated && std::string_view(type) == "AveragePool") {
      c.w.need(19, "AveragePool with dilations");
    }
    if (dilated && std::string_view(type) == "LpPool") c.w.need(18, "LpPool with dilations");
    if (dilated) more.push_back({"dilations", dilation});
    return op(type, {x}, shape, more);
  };
  if (a.mode == Mode::max || a.mode == Mode::min) {
    const DType t = c.x().dtype;
    if (bits_of(t) == 64 && is_integer(t)) {
      throw Unsupported{"ONNX Runtime has no MaxPool of " + std::string(name(t))};
    }
    // Exact for these integers.
    const Val x = t == float32 || t == float64 ? c.x() : cast(c.x(), float64);
    const bool min = a.mode == Mode::min;
    const auto largest = [&](const Val& of) {
      const Ints l = low;
      const Ints h = high;
      const Val r = pooled("MaxPool", of, -HUGE_VAL, {});
      low = l;
      high = h;
      return r;
    };
    const Val r = min ? -largest(-x) : largest(x);
    if (!c.w.exact() || !is_float(t)) return cast(r, t);
    const Val nan = largest(cast(op("IsNaN", {x}), float32)) > 0.0;  // MaxPool ignores NaN
    return cast(where(nan, like(r, NAN), r), t);
  }
  if (a.mode == Mode::l2) return pooled("LpPool", c.x(), 0, {{"p", 2}});
  if (a.mode == Mode::add) {
    return pooled("AveragePool", c.x(), 0, {{"count_include_pad", 1}}) * double(count);
  }
  if (a.mode != Mode::mean) throw Unsupported{"ONNX has no such pooling"};
  bool wide = false;  // padding that only a dilated window can have
  for (size_t d = 0; d < spatial; ++d) wide |= low[d] >= a.window[d] || high[d] >= a.window[d];
  if (wide && !a.count_padding) {  // the sum divided by the number of elements
    Shape ones = c.x().shape;
    ones[0] = ones[1] = 1;
    const Ints l = low;
    const Ints h = high;
    const Val sum = pooled("AveragePool", c.x(), 0, {{"count_include_pad", 1}});
    low = l;
    high = h;
    const Val places =
        pooled("AveragePool", expand(like(c.x(), 1), ones), 0, {{"count_include_pad", 1}});
    return sum / places;
  }
  return pooled("AveragePool", c.x(), 0, {{"count_include_pad", a.count_padding}});
}

Val along(const Call& c, const char* type) {
  return op(type, {c.x()}, c.n.shape, {{"axis", c.attr<AxisAttr>().axis}});
}
Val softmax(const Call& c) { return along(c, "Softmax"); }
Val log_softmax(const Call& c) { return along(c, "LogSoftmax"); }
Val silu(const Call& c) {
  if (!c.w.exact()) throw Unsupported{"ONNX Runtime has no Swish"};
  return c.x() / (op("Exp", {-c.x()}) + 1.0);
}
Val gelu(const Call& c) {
  const bool tanh = c.attr<GeluAttr>().tanh;
  if (c.w.exact() && !tanh) throw Unsupported{"ONNX Runtime adds 1 to erf, which is 0 below -5.9"};
  return op("Gelu", {c.x()}, c.n.shape, {{"approximate", tanh ? "tanh" : "none"}});
}

// ONNX stores scalar attributes as float32.
void need_single(const Call& c) {
  if (c.x().dtype == float64) throw Unsupported{"ONNX Runtime normalizes in float32"};
}
// The shape of the last axes, if those are the normalized axes.
Shape last_axes(const Call& c) {
  const Ints& axes = c.attr<NormAttr>().axes;
  const size_t n = c.x().shape.size();
  for (size_t i = 0; i < axes.size(); ++i) {
    if (size_t(axes[i]) != n - axes.size() + i) {
      throw Unsupported{"ONNX normalizes over the last axes"};
    }
  }
  if (axes.empty()) throw Unsupported{"ONNX normalizes over the last axes"};
  return Shape(c.x().shape.end() - axes.size(), c.x().shape.end());
}
Val weight(const Val& v, const Shape& shape) {
  if (v.size() != size_of(shape) && v.size() != 1) {
    throw Unsupported{"scale and bias are not of the normalized shape"};
  }
  return v.size() == size_of(shape) ? reshape(v, shape) : expand(reshape(v, {}), shape);
}
Options norm_options(const Call& c, const Shape& last) {
  return {{"axis", -int64_t(last.size())}, {"epsilon", c.attr<NormAttr>().eps}};
}

Val layer_norm(const Call& c) {
  need_single(c);
  const Shape last = last_axes(c);
  return op("LayerNormalization", {c.x(), weight(c[1], last), weight(c[2], last)}, c.n.shape,
            norm_options(c, last));
}
Val rms_norm(const Call& c) {
  need_single(c);
  const Shape last = last_axes(c);
  return op("RMSNormalization", {c.x(), weight(c[1], last)}, c.n.shape, norm_options(c, last));
}
Val batch_norm(const Call& c) {
  need_single(c);
  const NormAttr& a = c.attr<NormAttr>();
  if (c.w.exact() && c.w.slice.nodes[c.n.in[0]].op != OpId::conv) {
    throw Unsupported{"its body is more exact, unless a convolution takes it in"};
  }
  if (a.axes != Ints{1} || c.x().shape.size() < 2) {
    throw Unsupported{"ONNX's channels are the second axis"};
  }
  const Shape channels{c.x().shape[1]};
  Vals in{c.x()};
  for (size_t i : {3, 4, 1, 2}) in.push_back(weight(c[i], channels));
  return op("BatchNormalization", in, c.n.shape, {{"epsilon", a.eps}});
}
Val attention(const Call& c) {
  need_single(c);
  const AttentionAttr& a = c.attr<AttentionAttr>();
  if (c.in.size() > 3) throw Unsupported{"ONNX's attention gives NaN where a mask leaves nothing"};
  if (!(a.scale > 0)) throw Unsupported{"ONNX Runtime's attention takes positive scales"};
  const auto batch = [](const Val& v) { return Shape(v.shape.begin(), v.shape.begin() + 2); };
  if (c.x().shape.size() != 4 || batch(c[1]) != batch(c[0]) || batch(c[2]) != batch(c[0]) ||
      c[1].size() == 0 || c[0].size() == 0) {
    throw Unsupported{"ONNX's attention takes 4 axes"};
  }
  return op("Attention", c.in, c.n.shape, {{"is_causal", a.causal}, {"scale", a.scale}});
}

}  // namespace

void add_neural(Table& t) {
  using enum OpId;
  constexpr std::pair<OpId, Emit> entries[] = {{matmul, onnx::matmul},
                                               {conv, onnx::conv},
                                               {pool, onnx::pool},
                                               {softmax, onnx::softmax},
                                               {log_softmax, onnx::log_softmax},
                                               {gelu, onnx::gelu},
                                               {silu, onnx::silu},
                                               {layer_norm, onnx::layer_norm},
                                               {rms_norm, onnx::rms_norm},
                                               {batch_norm, onnx::batch_norm},
                                               {attention, onnx::attention}};
  for (auto [op, emit] : entries) t[size_t(op)] = {.emit = emit, .wide = true};
}

}  // namespace ember::onnx
