// Activations, normalization, attention.
#include <numbers>

#include "engines/torch/torch.h"

namespace ember::torch {
namespace {

Array softmax(const Call& c) { return at::softmax(c[0], c.attr<AxisAttr>().axis); }
Array log_softmax(const Call& c) { return at::log_softmax(c[0], c.attr<AxisAttr>().axis); }
// ATen's exact gelu adds 1 to erf, which loses everything far below 0, and has NaN at infinity.
Array gelu(const Call& c) {
  if (c.attr<GeluAttr>().tanh) return at::gelu(c[0], "tanh");
  const Array x = widened(c[0]);
  return typed(at::mul(x, -std::numbers::sqrt2 / 2).erfc_().mul_(0.5).mul_(x), c.node.dtype);
}
Array silu(const Call& c) {
  if (Array* t = donated(c, 0)) {
    at::silu_out(*t, c[0]);
    return std::move(*t);
  }
  return at::silu(c[0]);
}

// Whether an operand that broadcasts over x differs along `axes` alone.
bool along(const Shape& operand, size_t rank, const Ints& axes) {
  for (size_t d = 0; d < operand.size(); ++d) {
    if (operand[d] != 1 &&
        std::find(axes.begin(), axes.end(), int64_t(d + rank - operand.size())) == axes.end()) {
      return false;
    }
  }
  return true;
}
Support supports_norm(const SliceNode& n, const Slice& s) {
  const Ints& axes = n.attrs.as<NormAttr>().axes;
  if (axes.empty() || size_of(n.shape) == 0) return "nothing is normalized";
  for (size_t i = 1; i < n.in.size(); ++i) {
    if (!along(s.nodes[n.in[i]].shape, n.shape.size(), axes)) {
      return "libtorch has no scale or bias beside the normalized axes";
    }
  }
  return {};
}
// A scale or bias expanded to the shape of the normalized axes of x.
Array expanded_parameter(const Array& operand, const Array& x, const Ints& axes) {
  Ints ones(size_t(x.dim() - operand.dim()), 1);
  Ints sizes;
  ones.append(operand.sizes().begin(), operand.sizes().end());
  for (int64_t a : axes) sizes.push_back(x.size(a));
  if (operand.sizes() == ints(sizes)) return operand;
  Ints own;
  for (int64_t a : axes) own.push_back(ones[size_t(a)]);
  return operand.reshape(ints(own)).expand(ints(sizes)).contiguous();
}
// f(x, sizes of the axes) on x permuted so that the axes come last; the result is permuted back.
template <class F> Array normalized(const Array& x, const Ints& axes, F f) {
  Ints order;
  Ints sizes;
  Ints back(size_t(x.dim()), 0);
  for (int64_t a : axes) sizes.push_back(x.size(a));
  if (axes[0] == x.dim() - int64_t(axes.size())) return f(x, ints(sizes));
  const Array y = f(last_axes(x, axes, &order), ints(sizes));
  for (size_t d = 0; d < order.size(); ++d) back[size_t(order[d])] = int64_t(d);
  return y.permute(ints(back));
}
// ATen computes x * r - mean * r, which cancels if the mean is many standard deviations from 0.
template <class T> bool far_from_zero(const Array& mean, const Array& r) {
  const T* m = mean.const_data_ptr<T>();
  const T* d = r.const_data_ptr<T>();
  T most = 0;
  for (int64_t i = 0, n = mean.numel(); i < n; ++i) most = std::max(most, std::abs(m[i] * d[i]));
  return most > 8;
}
bool cancels(const Array& mean, const Array& r) {
  if (!mean.device().is_cpu()) return false;
  const ScalarType t = mean.scalar_type();
  return t == at::kFloat ? far_from_zero<float>(mean, r)
                         : t == at::kDouble && far_from_zero<double>(mean, r);
}
Array layer_norm(const Call& c) {
  const auto& a = c.attr<NormAttr>();
  const Array scale = expanded_parameter(c[1], c[0], a.axes);
  const Array bias = expanded_parameter(c[2], c[0], a.axes);
  return normalized(c[0], a.axes, [&](const Array& x, at::IntArrayRef sizes) {
    auto [y, mean, r] = at::native_layer_norm(x, sizes, scale, bias, a.eps);
    return cancels(mean, r)
               ? std::get<0>(at::native_layer_norm(at::sub(x, mean), sizes, scale, bias, a.eps))
               : y;
  });
}
std::vector<Array> layer_norm_grad(const Call& c) {
  const auto& a = c.attr<NormAttr>();
  const Array scale = widened(expanded_parameter(c[2], c[1], a.axes));
  Ints order;
  Array x = widened(last_axes(c[1], a.axes, &order)).contiguous();
  const Array g = widened(last_axes(c[0], a.axes, nullptr)).contiguous();
  auto [y, mean, r] = at::native_layer_norm(x, scale.sizes(), scale, {}, a.eps);
  if (cancels(mean, r)) {
    x = at::sub(x, mean);
    std::tie(y, mean, r) = at::native_layer_norm(x, scale.sizes(), scale, {}, a.eps);
  }
  const auto [x_grad, scale_grad, bias_grad] = at::native_layer_norm_backward(
      g, x, scale.sizes(), mean, r, scale, scale, {true, true, true});
  Ints back(order.size());
  for (size_t d = 0; d < order.size(); ++d) back[size_t(order[d])] = int64_t(d);
  const at::IntArrayRef each = ints(c.node.outputs[1].shape);
  return {x_grad.permute(ints(back)), scale_grad.reshape(each), bias_grad.reshape(each)};
}
Support supports_layer_norm_grad(const SliceNode& n, const Slice& s) {
  const Ints& axes = n.attrs.as<NormAttr>().axes;
  const Shape& x = s.nodes[n.in[1]].shape;
  if (axes.empty() || size_of(x) == 0) return "nothing is normalized";
  return along(s.nodes[n.in[2]].shape, x.size(), axes)
             ? Support()
             : "libtorch has no scale beside the normalized axes";
}
Array rms_norm(const Call& c) {
  const auto& a = c.attr<NormAttr>();
  const Array scale = widened(expanded_parameter(c[1], c[0], a.axes));
  return typed(normalized(widened(c[0]), a.axes,
                          [&](const Array& x, at::IntArrayRef sizes) {
                            return at::rms_norm(x, sizes, scale, a.eps);
                          }),
               c.node.dtype);
}
// Mean, variance, scale and bias belong to one axis, which has to be axis 1 for ATen.
Array batch_norm(const Call& c) {
  const auto& a = c.attr<NormAttr>();
  const Array& given = c[0];
  std::array<Array, 4> p;
  for (size_t i = 0; i < 4; ++i) p[i] = expanded_parameter(c[i + 1], given, a.axes);
  const bool alone = given.dim() == 1;
  const bool moved = !alone && a.axes[0] != 1;
  const Array x = alone ? given.unsqueeze(0) : moved ? given.movedim(a.axes[0], 1) : given;
  const Array y = at::batch_norm(x, p[2], p[3], p[0], p[1], false, 0, a.eps, false);
  return alone ? y.squeeze(0) : moved ? y.movedim(1, a.axes[0]) : y;
}

// ATen's kernels take four axes and equal batch axes, and either a mask or is_causal.
Array attention(const Call& c) {
  const auto& a = c.attr<AttentionAttr>();
  const size_t rank = c.node.shape.size();
  const int64_t l = c[0].size(-2);
  const int64_t s = c[1].size(-2);
  const bool masked = c.size() > 3;
  const bool wide = narrow(c.node.dtype) && masked && c[3].scalar_type() == at::kFloat;
  std::vector<int64_t> batch(c.node.shape.begin(), c.node.shape.end() - 2);
  const auto operand = [&](const Array& x, int64_t rows, int64_t cols) {
    std::vector<int64_t> sizes = batch;
    sizes.push_back(rows);
    sizes.push_back(cols);
    Array t = x.sizes() == at::IntArrayRef(sizes) ? x : x.expand(sizes);
    while (t.dim() < 4) t = t.unsqueeze(0);
    return t.dim() > 4 ? t.flatten(0, t.dim() - 4) : t;
  };
  const auto part = [&](const Array& x) {
    return operand(wide ? widened(x) : x, x.size(-2), x.size(-1));
  };
  const Array q = part(c[0]);
  const Array k = part(c[1]);
  const Array v = part(c[2]);
  std::optional<Array> mask;
  if (masked) {
    Array m = c[3];
    if (a.causal) {
      const Array past = at::ones({l, s}, m.options().dtype(at::kBool)).tril();
      m = m.scalar_type() == at::kBool ? at::logical_and(m, past)
                                       : at::where(past, m, at::full({}, -HUGE_VAL, m.options()));
    }
    m = m.scalar_type() == at::kBool ? m : m.to(q.scalar_type());
    while (m.dim() < 2) m = m.unsqueeze(0);
    mask = operand(m, l, s);
  }
  const bool causal = a.causal && !masked;
  Array r = at::scaled_dot_product_attention(q, k, v, mask, 0.0, causal, a.scale);
  // ATen's fast kernel returns 0 for a row whose scores are all NaN, as for a row that is masked
  // out.
  if (any_true(at::eq(r, 0).all(-1)) && !any_true(at::isfinite(at::add(at::sum(q), at::sum(k))))) {
    r = std::get<0>(
        at::_scaled_dot_product_attention_math(q, k, v, mask, 0.0, causal, {}, a.scale));
  }
  return typed(rank == 4 ? r : r.reshape(ints(c.node.shape)), c.node.dtype);
}
Support supports_attention(const SliceNode& n, const Slice& s) {
  const SliceNode& q = s.nodes[n.in[0]];
  const SliceNode& k = s.nodes[n.in[1]];
  const bool empty = size_of(n.shape) == 0 || size_of(q.shape) == 0 || size_of(k.shape) == 0;
  return empty ? "no elements" : Support();
}

constexpr KernelRow rows[] = {
    {OpId::softmax, softmax},
    {OpId::log_softmax, log_softmax},
    {OpId::gelu, gelu},
    {OpId::silu, silu},
    {.op = OpId::layer_norm, .one = layer_norm, .supports = supports_norm},
    {.op = OpId::layer_norm_grad, .many = layer_norm_grad, .supports = supports_layer_norm_grad},
    {.op = OpId::rms_norm, .one = rms_norm, .supports = supports_norm},
    {.op = OpId::batch_norm, .one = batch_norm, .supports = supports_norm},
    {.op = OpId::attention, .one = attention, .supports = supports_attention},
};

}  // namespace

std::span<const KernelRow> normalization_kernels() { return rows; }

}  // namespace ember::torch
