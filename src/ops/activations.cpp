// Activations. Composites where engines have one call for them, functions otherwise.
#include <cmath>
#include <numbers>

#include "src/ops/rows.h"

namespace ember {
namespace {
Tensor along_axis(OpId op, const char* name, const Tensor& x, int64_t axis) {
  int64_t a = 0;
  try {
    a = x.ndim() == 0 && (axis == 0 || axis == -1) ? 0 : normal_axis(axis, x.ndim());
  } catch (...) {
    rethrow(name, "x", {&x, 1});
  }
  if (x.ndim() == 0) {
    return ops::reshape(apply_to(op, AxisAttr{.axis = 0}, ops::reshape(to_float(x), {1})), {});
  }
  return apply_to(op, AxisAttr{.axis = a}, to_float(x));
}
}  // namespace

namespace ops {

Tensor relu(Tensor x) {
  static const Attrs zero_at_zero = ZeroSubgradient();
  Tensor zero = like(x, 0);
  return apply_to(OpId::maximum, zero_at_zero, std::move(x), std::move(zero));
}
Tensor relu6(Tensor x) { return clip(x, like(x, 0), like(x, 6)); }
Tensor hard_sigmoid(const Tensor& x, double alpha, double beta) {
  return clip(to_float(x) * alpha + beta, Tensor(0.0), Tensor(1.0));
}
Tensor softmax(const Tensor& x, int64_t axis) {
  return along_axis(OpId::softmax, "softmax", x, axis);
}
Tensor log_softmax(const Tensor& x, int64_t axis) {
  return along_axis(OpId::log_softmax, "log_softmax", x, axis);
}
// log(1 + exp(bx)) / b, in the form that does not overflow.
Tensor softplus(const Tensor& x, double beta) {
  if (!(beta > 0)) {
    throw ValueError("[softplus] beta must be positive, not " + std::to_string(beta));
  }
  const Tensor z = to_float(x) * beta;
  return (maximum(z, 0.0) + log1p(exp(-abs(z)))) / beta;
}
Tensor softsign(const Tensor& x) {
  const Tensor z = to_float(x);
  return z / (abs(z) + 1.0);
}
Tensor gelu(const Tensor& x, std::string_view approximate) {
  if (approximate != "none" && approximate != "tanh") {
    throw ValueError("[gelu] approximate must be \"none\" or \"tanh\", not \"" +
                     std::string(approximate) + "\"");
  }
  return apply_to(OpId::gelu, GeluAttr{.tanh = approximate == "tanh"}, to_float(x));
}
Tensor silu(const Tensor& x) { return apply_to(OpId::silu, {}, to_float(x)); }
Tensor elu(const Tensor& x, double alpha) {
  const Tensor z = to_float(x);
  return where(z > 0.0, z, expm1(minimum(z, 0.0)) * alpha);
}
Tensor selu(const Tensor& x) {
  return elu(x, 1.6732632423543772848170429916717) * 1.0507009873554804934193349852946;
}
Tensor celu(const Tensor& x, double alpha) {
  if (alpha == 0) throw ValueError("[celu] alpha must not be 0");
  const Tensor z = to_float(x);
  return maximum(z, 0.0) +
         minimum(expm1(minimum(z / alpha, alpha > 0 ? 0.0 : HUGE_VAL)) * alpha, 0.0);
}
Tensor leaky_relu(const Tensor& x, double alpha) {
  const Tensor z = to_float(x);
  return where(z > 0.0, z, z * alpha);
}
Tensor prelu(const Tensor& x, const Tensor& slope) { return where(x > like(x, 0), x, x * slope); }
Tensor mish(const Tensor& x) {
  const Tensor z = to_float(x);
  return z * tanh(softplus(z));
}
Tensor hardswish(const Tensor& x) {
  const Tensor z = to_float(x);
  return z * (clip(z + 3.0, Tensor(0.0), Tensor(6.0)) / 6.0);  // z * 6 may overflow
}
Tensor hardtanh(const Tensor& x, double low, double high) {
  if (!(low < high)) {
    throw ValueError("[hardtanh] low must be less than high: " + std::to_string(low) + " and " +
                     std::to_string(high));
  }
  const Tensor z = to_float(x);
  return clip(z, Tensor(low), Tensor(high));
}
Tensor threshold(const Tensor& x, double threshold, double value) {
  const Tensor z = to_float(x);
  return where(z <= threshold, like(z, value), z);  // NaN stays
}
Tensor linear(const Tensor& x, const Tensor& weight, const std::optional<Tensor>& bias) {
  const Tensor y = matmul(x, weight.ndim() > 1 ? matrix_transpose(weight) : weight);
  return bias ? y + *bias : y;
}
Tensor glu(const Tensor& x, int64_t axis) {
  const Tensor in[] = {x};
  int64_t a = 0;
  try {
    a = normal_axis(axis, x.ndim());
    if (x.shape(a) % 2) {
      throw ShapeError("the length " + std::to_string(x.shape(a)) + " of the axis must be even");
    }
  } catch (...) {
    rethrow("glu", "x", in);
  }
  const Tensors halves = split(to_float(x), 2, a);
  return halves[0] * sigmoid(halves[1]);
}
Tensor tanhshrink(const Tensor& x) {
  const Tensor z = to_float(x);
  return z - tanh(z);
}
Tensor hardshrink(const Tensor& x, double lambda) {
  const Tensor z = to_float(x);
  return where(abs(z) <= lambda, like(z, 0), z);
}
Tensor softshrink(const Tensor& x, double lambda) {
  const Tensor z = to_float(x);
  return where(abs(z) <= lambda, like(z, 0), z - sign(z) * lambda);
}
Tensor logsigmoid(const Tensor& x) { return -softplus(-to_float(x)); }

}  // namespace ops

namespace {

// ---- Gradients ----
using namespace ops;

Gradients vjp_gelu(const Vjp& v) {
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
Gradients vjp_silu(const Vjp& v) {
  const Tensor x = widen(v.x[0]);
  const Tensor s = sigmoid(x);
  return {widen(v.g[0]) * (s * (x * (1.0 - s) + 1.0))};
}

Gradients vjp_softmax(const Vjp& v) {
  const Tensor y = widen(v.y[0]);
  const Tensor g = widen(v.g[0]);
  return {y * (g - sum(g * y, v.attrs.as<AxisAttr>().axis, true))};
}
Gradients vjp_log_softmax(const Vjp& v) {
  const Tensor g = widen(v.g[0]);
  return {g - exp(widen(v.y[0])) * sum(g, v.attrs.as<AxisAttr>().axis, true)};
}

}  // namespace

namespace {
using binder::fn;

Type infer_same(Inputs in, const Attrs&) { return {in[0].dtype(), in[0].shape()}; }

// Fused, this is one pass over memory with one reciprocal per row.
Tensors compose_softmax(Inputs in, const Attrs& attrs) {
  const int64_t axis = attrs.as<AxisAttr>().axis;
  if (in[0].shape()[size_t(axis)] == 0) return {in[0]};
  const Tensor x = widen(in[0]);
  const Tensor e = ops::exp(x - ops::max(x, axis, true));
  return {cast_to(e * ops::reciprocal(ops::sum(e, axis, true)), in[0].dtype())};
}
Tensors compose_log_softmax(Inputs in, const Attrs& attrs) {
  const int64_t axis = attrs.as<AxisAttr>().axis;
  if (in[0].shape()[size_t(axis)] == 0) return {in[0]};
  const Tensor x = widen(in[0]);
  const Tensor z = x - ops::max(x, axis, true);
  return {cast_to(z - ops::log(ops::sum(ops::exp(z), axis, true)), in[0].dtype())};
}
Tensors compose_gelu(Inputs in, const Attrs& attrs) {
  const Tensor x = widen(in[0]);
  if (attrs.as<GeluAttr>().tanh) {
    const Tensor inner = (x + x * x * x * 0.044715) * std::sqrt(2 / std::numbers::pi);
    return {cast_to(x * 0.5 * (ops::tanh(inner) + 1.0), in[0].dtype())};
  }
  return {cast_to(x * 0.5 * ops::erfc(x * -std::numbers::sqrt2 / 2.0), in[0].dtype())};
}
Tensors compose_silu(Inputs in, const Attrs&) {
  const Tensor x = widen(in[0]);
  return {cast_to(x * ops::sigmoid(x), in[0].dtype())};
}

#define COMPOSITE(op, a, d, t, ...)                                                       \
  GRAPH_OP(op, a, d, .traits = t, .arity = {1, 1}, .kinds = k_float, .infer = infer_same, \
           .compose = compose_##op, __VA_ARGS__)
const Row rows[] = {
    FUN(relu, "x", "max(x, 0)."),
    FUN(relu6, "x", "x clamped to [0, 6]."),
    FUN(hard_sigmoid, "x, alpha=0.2, beta=0.5", "alpha * x + beta, clamped to [0, 1]."),
    COMPOSITE(softmax, "x, axis=-1", "exp(x) / sum(exp(x)) along an axis, without overflow.", 0,
              .vjp = vjp_softmax, .reads = reads_y),
    COMPOSITE(log_softmax, "x, axis=-1", "x - log(sum(exp(x))) along an axis, without overflow.", 0,
              .vjp = vjp_log_softmax, .reads = reads_y),
    FUN(softplus, "x, beta=1", "log(1 + exp(beta * x)) / beta, without overflow."),
    FUN(softsign, "x", "x / (1 + |x|)."),
    COMPOSITE(gelu, "x, approximate=\"none\"",
              "x * Phi(x), with Phi the normal distribution function; approximate is none or tanh.",
              t_elementwise, .vjp = vjp_gelu, .reads = reads_x),
    COMPOSITE(silu, "x", "x * sigmoid(x).", t_elementwise, .vjp = vjp_silu, .reads = reads_x),
    FUN(elu, "x, alpha=1", "x where x > 0, alpha * (exp(x) - 1) elsewhere."),
    FUN(selu, "x", "Scaled elu with the constants that preserve mean and variance."),
    FUN(celu, "x, alpha=1", "max(0, x) + min(0, alpha * (exp(x / alpha) - 1))."),
    FUN(leaky_relu, "x, alpha=0.01", "x where x > 0, alpha * x elsewhere."),
    FUN(prelu, "x, slope", "x where x > 0, slope * x elsewhere."),
    FUN(mish, "x", "x * tanh(softplus(x))."),
    FUN(hardswish, "x", "x * clip(x + 3, 0, 6) / 6."),
    FUN(hardtanh, "x, low=-1, high=1", "x clamped to [low, high]."),
    FUN(threshold, "x, threshold, value=0", "x where x > threshold, value elsewhere."),
    FUN(linear, "x, weight, bias=None", "x @ weight.T + bias."),
    FUN(glu, "x, axis=-1", "First half along an axis times the sigmoid of the second half."),
    FUN(tanhshrink, "x", "x - tanh(x)."),
    FUN(hardshrink, "x, lambd=0.5", "0 where |x| <= lambd, x elsewhere."),
    FUN(softshrink, "x, lambd=0.5", "x moved toward 0 by lambd, and 0 where |x| <= lambd."),
    FUN(logsigmoid, "x", "log(sigmoid(x)), without overflow."),
};
#undef COMPOSITE
}  // namespace

std::span<const Row> activation_rows() { return rows; }

}  // namespace ember
