// Softmax, normalization, attention.
#include <cmath>

#include "engines/mlx/library.h"

namespace ember::mlx {
namespace {

Array softmax(const C& c) {
  return mx::softmax(*c[0], int(c.attr<AxisAttr>().axis), true, stream());
}
Array log_softmax(const C& c) {
  const mx::array x = wide(*c[0]);
  const int axis = int(c.attr<AxisAttr>().axis);
  const mx::array d = mx::subtract(x, mx::max(x, axis, true, stream()), stream());
  return as(mx::subtract(d, mx::logsumexp(d, axis, true, stream()), stream()), type_of(c.node));
}

// Normalization. MLX's function works on the last axis, and loses precision if the mean is large
// relative to the standard deviation.
mx::array scaled(const mx::array& x, const mx::array& variance, double eps,
                 const mx::array& scale) {
  const mx::array factor = mx::rsqrt(mx::add(variance, like(x, eps), stream()), stream());
  return mx::multiply(mx::multiply(x, factor, stream()), scale, stream());
}
Array layer_norm(const C& c) {
  const auto& a = c.attr<NormAttr>();
  const Axes axes = to_axes(a.axes);
  const mx::array x = wide(*c[0]);
  const mx::array d = mx::subtract(x, mean_of(x, axes, true), stream());
  const mx::array y = scaled(d, mean_of(mx::square(d, stream()), axes, true), a.eps, wide(*c[1]));
  return as(mx::add(y, wide(*c[2]), stream()), type_of(c.node));
}
Array rms_norm(const C& c) {
  const auto& a = c.attr<NormAttr>();
  const mx::array x = wide(*c[0]);
  return as(scaled(x, mean_of(mx::square(x, stream()), to_axes(a.axes), true), a.eps, wide(*c[1])),
            type_of(c.node));
}
Array batch_norm(const C& c) {
  const mx::array d = mx::subtract(wide(*c[0]), wide(*c[1]), stream());
  const mx::array y = scaled(d, wide(*c[2]), c.attr<NormAttr>().eps, wide(*c[3]));
  return as(mx::add(y, wide(*c[4]), stream()), type_of(c.node));
}

// MLX aligns its causal mask to the last rows, and returns NaN for rows that are masked out.
Support check_attention(const SliceNode& n, const Slice& s) {
  const Shape& q = input_shape(n, s);
  const Shape& k = input_shape(n, s, 1);
  const Shape& v = input_shape(n, s, 2);
  if (n.in.size() > 3) return "MLX gives NaN where a mask leaves nothing";
  if (q.size() != 4 || k.size() != 4 || v.size() != 4) return "MLX takes four dimensions";
  if (!std::equal(q.begin(), q.begin() + 2, k.begin()) ||
      !std::equal(q.begin(), q.begin() + 2, v.begin())) {
    return "MLX takes equal batches";
  }
  if (n.attrs.as<AttentionAttr>().causal && q[2] != k[2]) {
    return "MLX aligns a causal mask with the last row";
  }
  if (k[2] == 0 || q[3] == 0) return "MLX takes no empty keys";
  return single(n, s);
}
Array attention(const C& c) {
  const auto& a = c.attr<AttentionAttr>();
  return as(mx::fast::scaled_dot_product_attention(wide(*c[0]), wide(*c[1]), wide(*c[2]),
                                                   float(a.scale), a.causal ? "causal" : "",
                                                   std::nullopt, std::nullopt, stream()),
            type_of(c.node));
}

constexpr KernelRow rows[] = {
    {.op = OpId::softmax, .one = softmax, .supports = single},
    {.op = OpId::log_softmax, .one = log_softmax, .supports = single},
    {.op = OpId::layer_norm, .one = layer_norm},
    {.op = OpId::rms_norm, .one = rms_norm},
    {.op = OpId::batch_norm, .one = batch_norm},
    {.op = OpId::attention, .one = attention, .supports = check_attention},
};

}  // namespace

std::span<const KernelRow> normalization_kernels() { return rows; }

}  // namespace ember::mlx
