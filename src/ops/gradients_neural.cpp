// Gradients of Fourier transforms, activations, normalization, convolution, pooling and attention.
// 16-bit floats are widened.
#include "src/ops/layouts.h"
#include "src/ops/rules.h"

namespace ember {

Tensor cut_or_padded(const Tensor& x, int64_t axis, int64_t start, int64_t count, double fill) {
  const int64_t n = x.shape(axis);
  const int64_t from = std::clamp<int64_t>(start, 0, n);
  const int64_t to = std::clamp<int64_t>(start + count, from, n);
  const Tensor part = sliced(x, axis, {to > from ? from : 0, 1, to - from});
  const int64_t low = std::min(count, std::max<int64_t>(0, from - start));
  const int64_t high = count - low - (to - from);
  if (low == 0 && high == 0) return part;
  PadAttr pad{Ints(size_t(x.ndim()), 0), Ints(size_t(x.ndim()), 0)};
  pad.low[size_t(axis)] = low;
  pad.high[size_t(axis)] = high;
  return apply_to(OpId::pad, std::move(pad), part, like(x, fill));
}

namespace {

using namespace ops;

// ---- Fourier transforms ----
// In a half spectrum all but the first and, of an even number, the last stand for two.
Tensor in_halves(const Tensor& spectrum, const FftAttr& a, double inner) {
  const int64_t m = a.n / 2 + 1;
  const Tensor k = index_range(m);
  const Tensor alone = a.n % 2 ? k == 0 : logical_or(k == 0, k == m - 1);
  Shape s(size_t(spectrum.ndim()), 1);
  s[size_t(a.axis)] = m;
  return spectrum * reshape(where(alone, like(real(spectrum), 1), like(real(spectrum), inner)), s);
}
Gradients of_fft(const Vjp& v) {
  const auto& a = v.attrs.as<FftAttr>();
  return {cut_or_padded(apply_to(OpId::fft, FftAttr{a.axis, a.n, !a.inverse, a.scale}, v.g[0]),
                        a.axis, 0, v.x[0].shape(a.axis))};
}
Gradients of_rfft(const Vjp& v) {
  const auto& a = v.attrs.as<FftAttr>();
  const Tensor r =
      apply_to(OpId::irfft, FftAttr{a.axis, a.n, true, a.scale}, in_halves(v.g[0], a, 0.5));
  return {cut_or_padded(r, a.axis, 0, v.x[0].shape(a.axis))};
}
Gradients of_irfft(const Vjp& v) {
  const auto& a = v.attrs.as<FftAttr>();
  const Tensor r =
      in_halves(apply_to(OpId::rfft, FftAttr{a.axis, a.n, false, a.scale}, v.g[0]), a, 2);
  return {cut_or_padded(r, a.axis, 0, v.x[0].shape(a.axis))};
}

// ---- Activations ----
Gradients of_gelu(const Vjp& v) {
  const Tensor x = widen(v.x[0]);
  const Tensor g = widen(v.g[0]);
  if (!v.attrs.as<GeluAttr>().tanh) {
    const Tensor below = erfc(x * (-std::numbers::sqrt2 / 2)) * 0.5;
    const Tensor density = exp(x * x * -0.5) * (std::numbers::inv_sqrtpi / std::numbers::sqrt2);
    return {g * (below + x * density)};
  }
  const double c = std::sqrt(2 / std::numbers::pi);
  const Tensor square = x * x;
  const Tensor t = tanh(x * (square * 0.044715 + 1.0) * c);
  return {g * ((t + 1.0) * 0.5 + x * (1.0 - t * t) * (square * (3 * 0.044715) + 1.0) * (0.5 * c))};
}
Gradients of_silu(const Vjp& v) {
  const Tensor x = widen(v.x[0]);
  const Tensor s = sigmoid(x);
  return {widen(v.g[0]) * (s * (x * (1.0 - s) + 1.0))};
}

// Gradients that an op gives one after the other along its last axis, each in its own shape, which
// begins with the axes before that.
Gradients apart(const Tensor& all, std::initializer_list<Shape> shapes) {
  const int64_t axis = all.ndim() - 1;
  Gradients r;
  int64_t start = 0;
  for (const Shape& s : shapes) {
    const int64_t n = size_of(std::span<const int64_t>(s).subspan(size_t(axis)));
    r.push_back(reshape(sliced(all, axis, {std::exchange(start, start + n), 1, n}), s));
  }
  return r;
}

// ---- Normalization ----
Gradients of_layer_norm(const Vjp& v) {
  const Ints& axes = v.attrs.as<NormAttr>().axes;
  const Tensor& x = v.x[0];
  if (x.size() == 0 || axes.empty() || axes[0] + int64_t(axes.size()) != x.ndim()) {
    return layer_norm_gradients(v.g[0], x, v.x[1], v.attrs);
  }
  Tensor in[] = {v.g[0], x, v.x[1]};
  Shape row = x.shape();
  std::fill_n(row.begin(), axes[0], 1);
  return apart(apply(OpId::layer_norm_grad, in, v.attrs), {x.shape(), row, row});
}
Gradients of_rms_norm(const Vjp& v) {
  const auto& a = v.attrs.as<NormAttr>();
  const Tensor x = widen(v.x[0]);
  const Tensor g = widen(v.g[0]);
  const Tensor factor = rsqrt(mean(square(x), a.axes, true) + like(x, a.eps));
  const Tensor n = x * factor;
  const Tensor gn = g * widen(v.x[1]);
  return {(gn - n * mean(gn * n, a.axes, true)) * factor, g * n};
}
Gradients of_batch_norm(const Vjp& v) {  // the statistics are inputs of their own
  const Tensor g = widen(v.g[0]);
  const Tensor root = rsqrt(widen(v.x[2]) + v.attrs.as<NormAttr>().eps);
  const Tensor scale = widen(v.x[3]);
  const Tensor n = (widen(v.x[0]) - widen(v.x[1])) * root;
  return {g * (root * scale), v.needs[1] ? -g * (root * scale) : Tensor(),
          v.needs[2] ? g * n * (square(root) * scale * -0.5) : Tensor(), g * n, g};
}

// ---- Attention ----
Gradients of_attention(const Vjp& v) {
  if (v.x[1].shape(-2) == 0) return {};
  if (v.x.size() > 3 && v.needs[3]) return attention_gradients(v.x, v.y[0], v.g[0], v.attrs);
  Tensors in{v.y[0], v.g[0]};
  in.insert(in.end(), v.x.begin(), v.x.end());
  const auto in_batch = [&](const Tensor& x) {
    Shape s = batch_of(v.y[0]);
    s.push_back(x.shape(-2));
    s.push_back(x.shape(-1));
    return s;
  };
  return apart(apply(OpId::attention_grad, in, v.attrs),
               {in_batch(v.x[0]), in_batch(v.x[1]), in_batch(v.x[2])});
}

// ---- Convolution ----
// As a convolution of g, spread out by the strides, with the mirrored filter, whose inputs and
// outputs change places.
Tensor conv_by_input(const Tensor& x, const Tensor& w, const Tensor& g, const ConvAttr& a) {
  const Shape& s = w.shape();
  const Shape& o = g.shape();
  Shape apart{a.groups, s[0] / a.groups, s[1]};
  Shape joined{a.groups * s[1], s[0] / a.groups};
  Ints turned{0, 2, 1};
  Ints spatial;
  ConvAttr back{a.input_dilation, {}, {}, a.dilation, a.strides, a.groups};
  for (size_t d = 2; d < s.size(); ++d) {
    apart.push_back(s[d]);
    joined.push_back(s[d]);
    turned.push_back(int64_t(d) + 1);
    spatial.push_back(int64_t(d));
    const int64_t reach = (s[d] - 1) * a.dilation[d - 2] + 1;
    const int64_t low = reach - 1 - a.low[d - 2];
    back.low.push_back(low);
    back.high.push_back((x.shape()[d] - 1) * a.input_dilation[d - 2] + reach - low -
                        (o[d] - 1) * a.strides[d - 2] - 1);
  }
  const Tensor mirrored = flip(reshape(transpose(reshape(cj(w), apart), turned), joined), spatial);
  return apply_to(OpId::conv, std::move(back), g, mirrored);
}
// As a convolution of x with g for the filter: the batch is what is summed over, strides and
// dilation change places.
Tensor conv_by_filter(const Tensor& x, const Tensor& w, const Tensor& g, const ConvAttr& a) {
  const Shape& s = x.shape();
  const Shape& o = g.shape();
  Shape apart{s[0], a.groups, s[1] / a.groups};
  Shape joined{s[1] / a.groups, a.groups * s[0]};
  Ints turned{2, 1, 0};
  Ints swapped{1, 0};
  ConvAttr back{a.dilation, a.low, {}, a.strides, a.input_dilation, a.groups};
  for (size_t d = 2; d < s.size(); ++d) {
    apart.push_back(s[d]);
    joined.push_back(s[d]);
    turned.push_back(int64_t(d) + 1);
    swapped.push_back(int64_t(d));
    const int64_t spread = (s[d] - 1) * a.input_dilation[d - 2] + 1;
    back.high.push_back((w.shape()[d] - 1) * a.dilation[d - 2] + (o[d] - 1) * a.strides[d - 2] + 1 -
                        a.low[d - 2] - spread);
  }
  const Tensor planes = reshape(transpose(reshape(cj(x), apart), turned), joined);
  return transpose(apply_to(OpId::conv, std::move(back), planes, transpose(g, swapped)), swapped);
}
Gradients of_conv(const Vjp& v) {
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
  bool apart = true;  // no two share an element

  explicit Windows(const Vjp& v) : a(v.attrs.as<PoolAttr>()), x(v.x[0].shape()), y(v.g[0].shape()) {
    for (size_t d = 0; d < axes; ++d) {
      apart &= a.window[d] == 1 || (a.dilation[d] == 1 && a.strides[d] >= a.window[d]);
    }
  }
  PoolAttr adding() const {
    PoolAttr r = a;
    r.mode = Mode::add;
    r.count_padding = false;
    return r;
  }
  // For each element of x the sum of g over the windows that hold it.
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
      if (apart) t = broadcast_to(t, wide);
      t = reshape(cut_or_padded(t, axis + 1, 0, a.strides[d]), spread);
      t = apart ? cut_or_padded(t, axis, a.low[d], x[d + 2])
                : cut_or_padded(t, axis, a.low[d] - reach, x[d + 2] + reach);
    }
    return apart ? t
                 : apply_to(OpId::pool, PoolAttr{Mode::add, a.window, ones, none, none, a.dilation},
                            t);
  }
  // Of each window's g equal shares to the elements that are its result. Windows are axes of the
  // padded x; what they send back is added up.
  Tensor shares(const Tensor& given, double fill, const Tensor& result, const Tensor& g) const {
    Shape padded;
    Shape places{y[0] * y[1]};
    Shape views;
    Tensor t = given;
    for (size_t d = 0; d < axes; ++d) {
      padded.push_back((y[d + 2] - 1) * a.strides[d] + (a.window[d] - 1) * a.dilation[d] + 1);
      t = cut_or_padded(t, int64_t(d + 2), -a.low[d], padded[d], fill);
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
    for (size_t d = 0; d < axes; ++d) t = cut_or_padded(t, int64_t(d + 2), a.low[d], x[d + 2]);
    return t;
  }
};

Gradients of_pool(const Vjp& v) {
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
      if (!w.apart) {
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

const GradientRule rules[] = {
    {OpId::fft, of_fft, reads_none},
    {OpId::rfft, of_rfft, reads_none},
    {OpId::irfft, of_irfft, reads_none},
    {OpId::softmax,
     [](const Vjp& v) -> Gradients {
       const Tensor y = widen(v.y[0]);
       const Tensor g = widen(v.g[0]);
       return {y * (g - sum(g * y, v.attrs.as<AxisAttr>().axis, true))};
     },
     reads_y},
    {OpId::log_softmax,
     [](const Vjp& v) -> Gradients {
       const Tensor g = widen(v.g[0]);
       return {g - exp(widen(v.y[0])) * sum(g, v.attrs.as<AxisAttr>().axis, true)};
     },
     reads_y},
    {OpId::gelu, of_gelu, reads_x},
    {OpId::silu, of_silu, reads_x},
    {OpId::layer_norm, of_layer_norm, reads_x | reads_x2},
    {OpId::rms_norm, of_rms_norm, reads_x | reads_x2},
    {OpId::batch_norm, of_batch_norm, reads_x | reads_x2 | reads_x3 | 8},
    {OpId::conv, of_conv, reads_x | reads_x2, reads_crosswise},
    {OpId::pool, of_pool, reads_x | reads_y, pool_reads},
    {OpId::attention, of_attention, reads_all_x | reads_y},
};

}  // namespace

std::span<const GradientRule> neural_gradients() { return rules; }

}  // namespace ember
