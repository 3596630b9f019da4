// Products, convolution, pooling, normalization. A composite without an equivalent Core ML
// operation is rejected, and its body is written instead.
#include <algorithm>

#include "src/coreml/writer.h"

namespace ember::coreml {
namespace {

void need_float(const Call& c) {
  if (!is_float(c.x().dtype)) throw Unsupported{"Core ML computes it for floats only"};
}

// matmul needs at least two dimensions, so vectors become matrices with one row or column.
Val matmul(const Call& c) {
  need_float(c);
  Val a = c[0];
  Val b = c[1];
  Shape shape = c.n.shape;
  if (a.rank() == 1) {
    a = reshape(a, {1, a.shape[0]});
    shape.insert(shape.size() - (b.rank() > 1), 1);
  }
  if (b.rank() == 1) {
    b = reshape(b, {b.shape[0], 1});
    shape.push_back(1);
  }
  const Args args{
      {"x", a}, {"y", b}, {"transpose_x", c.w.boolean(false)}, {"transpose_y", c.w.boolean(false)}};
  return reshape(c.w.operation("matmul", args, a.dtype, shape), c.n.shape);
}

// Padding before and after each spatial axis, interleaved.
Ints interleaved(const Ints& low, const Ints& high) {
  Ints r;
  for (size_t d = 0; d < low.size(); ++d) {
    r.push_back(low[d]);
    r.push_back(high[d]);
  }
  return r;
}
bool any_negative(const Ints& v) {
  return std::any_of(v.begin(), v.end(), [](int64_t i) { return i < 0; });
}
bool all_one(const Ints& v) {
  return std::all_of(v.begin(), v.end(), [](int64_t i) { return i == 1; });
}

// A convolution of a dilated input is a transposed convolution. Its filter is a constant [in, out /
// groups, ...] that is flipped along the spatial axes.
Val transposed_filter(const Call& c, int64_t groups) {
  const Shape& from = c[1].shape;  // [groups * out, in, ...]
  const int64_t out = from[0] / groups;
  const int64_t in = from[1];
  const int64_t taps = c[1].size() / (from[0] * in);
  Shape to = from;
  to[0] = groups * in;
  to[1] = out;
  return c.w.constant_leaf(
      c.n.in[1], to, [&](size_t element, std::string_view given, std::string& bytes) {
        for (int64_t g = 0; g < groups; ++g) {
          for (int64_t o = 0; o < out; ++o) {
            for (int64_t i = 0; i < in; ++i) {
              for (int64_t t = 0; t < taps; ++t) {
                const int64_t source = ((g * out + o) * in + i) * taps + t;
                const int64_t target = ((g * in + i) * out + o) * taps + (taps - 1 - t);
                given.copy(bytes.data() + size_t(target) * element, element,
                           size_t(source) * element);
              }
            }
          }
        }
      });
}

Val conv(const Call& c) {
  need_float(c);
  const ConvAttr& a = c.attr<ConvAttr>();
  const size_t spatial = c.x().shape.size() - 2;
  if (spatial < 1 || spatial > 3) throw Unsupported{"Core ML convolves over 1 to 3 axes"};
  const bool transposed = !all_one(a.input_dilation);
  if (transposed && !all_one(a.strides)) throw Unsupported{"Core ML has no such convolution"};
  const bool constant = c.w.is_constant(c.n.in[1]);
  if (!constant && (transposed || !all_one(a.dilation))) {
    throw Unsupported{"Core ML takes a constant filter for dilated and transposed convolutions"};
  }
  Ints low = a.low;
  Ints high = a.high;
  Shape shape = c.n.shape;
  if (transposed) {
    // The transposed convolution crops (k - 1) * dilation - pad on each side.
    for (size_t d = 0; d < spatial; ++d) {
      const int64_t reach = (c[1].shape[d + 2] - 1) * a.dilation[d];
      low[d] = reach - low[d];
      high[d] = reach - high[d];
    }
  }
  if (any_negative(low) || any_negative(high)) {
    throw Unsupported{"Core ML takes no negative padding"};
  }
  const Val weight = transposed ? transposed_filter(c, a.groups) : c[1];
  Args args{{"x", c.x()},
            {"weight", weight},
            {"strides", c.w.integers(transposed ? a.input_dilation : a.strides)},
            {"pad_type", c.w.text("custom")},
            {"pad", c.w.integers(interleaved(low, high))},
            {"dilations", c.w.integers(a.dilation)},
            {"groups", c.w.integer(a.groups)}};
  if (transposed) args.push_back({"output_shape", c.w.integers(Ints(shape.begin(), shape.end()))});
  const bool biased = c.in.size() > 2 && c.w.is_constant(c.n.in[2]) && c[2].rank() == 1;
  if (biased) args.push_back({"bias", c[2]});
  const Val y = c.w.operation(transposed ? "conv_transpose" : "conv", args, c.x().dtype, shape);
  if (c.in.size() < 3 || biased) return y;
  Shape channels(c.x().shape.size(), 1);
  channels[1] = shape[1];
  return y + reshape(c[2], channels);
}

Val pool(const Call& c) {
  need_float(c);
  const PoolAttr& a = c.attr<PoolAttr>();
  const size_t spatial = a.window.size();
  if (spatial < 1 || spatial > 3) throw Unsupported{"Core ML pools over 1 to 3 axes"};
  if (!all_one(a.dilation)) throw Unsupported{"Core ML pools without dilation"};
  if (any_negative(a.low) || any_negative(a.high)) {
    throw Unsupported{"Core ML takes no negative padding"};
  }
  const bool average = a.mode == Mode::mean || a.mode == Mode::add;
  if (!average && a.mode != Mode::max && a.mode != Mode::l2) {
    throw Unsupported{"Core ML has no such pooling"};
  }
  if (a.mode == Mode::l2 && spatial > 2) throw Unsupported{"Core ML pools over 1 or 2 axes"};
  for (size_t d = 0; d < spatial; ++d) {
    const int64_t padded = c.x().shape[d + 2] + a.low[d] + a.high[d];
    if ((padded - a.window[d]) / a.strides[d] + 1 != c.n.shape[d + 2]) {
      throw Unsupported{"Core ML pools whole windows"};
    }
  }
  Args args{{"x", c.x()},
            {"kernel_sizes", c.w.integers(a.window)},
            {"strides", c.w.integers(a.strides)},
            {"pad_type", c.w.text("custom")},
            {"pad", c.w.integers(interleaved(a.low, a.high))},
            {"ceil_mode", c.w.boolean(false)}};
  const bool exclude = a.mode == Mode::mean && !a.count_padding;
  if (average) args.push_back({"exclude_padding_from_average", c.w.boolean(exclude)});
  const char* type = average ? "avg_pool" : a.mode == Mode::max ? "max_pool" : "l2_pool";
  const Val y = c.w.operation(type, args, c.x().dtype, c.n.shape);
  if (a.mode != Mode::add) return y;
  int64_t count = 1;
  for (int64_t n : a.window) count *= n;
  return y * double(count);
}

Val softmax(const Call& c) {
  const Args args{{"x", c.x()}, {"axis", c.w.integer(c.attr<AxisAttr>().axis)}};
  return c.w.operation("softmax", args, c.x().dtype, c.n.shape);
}

// Scale and bias as constants of the normalized shape. If they are not constant, the body is
// written.
Val constant_of(const Call& c, size_t input, const Shape& shape) {
  if (!c.w.is_constant(c.n.in[input]) || c[input].size() != size_of(shape)) {
    throw Unsupported{"Core ML takes a constant scale and bias of the normalized shape"};
  }
  return c.w.constant_leaf(c.n.in[input], shape);
}
Val layer_norm(const Call& c) {
  const NormAttr& a = c.attr<NormAttr>();
  Shape shape;
  for (size_t i = 0; i < a.axes.size(); ++i) {
    if (a.axes[i] != c.x().rank() - int64_t(a.axes.size() - i)) {
      throw Unsupported{"Core ML normalizes over the last axes"};
    }
    shape.push_back(c.x().shape[size_t(a.axes[i])]);
  }
  const Args args{{"x", c.x()},
                  {"axes", c.w.integers(a.axes)},
                  {"gamma", constant_of(c, 1, shape)},
                  {"beta", constant_of(c, 2, shape)},
                  {"epsilon", like(c.x(), a.eps)}};
  return c.w.operation("layer_norm", args, c.x().dtype, c.n.shape);
}
Val batch_norm(const Call& c) {
  const NormAttr& a = c.attr<NormAttr>();
  if (a.axes != Ints{1} || c.x().rank() < 3) {
    throw Unsupported{"Core ML's channels are the second axis of 3 to 5"};
  }
  const Shape channels{c.x().shape[1]};
  const Args args{{"x", c.x()},
                  {"mean", constant_of(c, 1, channels)},
                  {"variance", constant_of(c, 2, channels)},
                  {"gamma", constant_of(c, 3, channels)},
                  {"beta", constant_of(c, 4, channels)},
                  {"epsilon", like(c.x(), a.eps)}};
  return c.w.operation("batch_norm", args, c.x().dtype, c.n.shape);
}

}  // namespace

void add_neural(Table& t) {
  constexpr std::pair<OpId, Emit> entries[] = {
      {OpId::matmul, coreml::matmul},
      {OpId::conv, coreml::conv},
      {OpId::pool, coreml::pool},
      {OpId::softmax, coreml::softmax},
      {OpId::layer_norm, coreml::layer_norm},
      {OpId::batch_norm, coreml::batch_norm},
  };
  for (auto [op, emit] : entries) t[size_t(op)] = emit;
}

}  // namespace ember::coreml
