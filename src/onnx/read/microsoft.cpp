// com.microsoft: the operators that ONNX Runtime's optimizer fuses, except attention and quantized
// operators.
#include "src/graph/graph.h"
#include "src/onnx/read/read.h"
#include "src/onnx/read/windows.h"
#include "src/ops/layouts.h"

namespace ember::onnx {
namespace {

Values bias_gelu(const Call& c) { return {ops::gelu(c.x(0) + c.x(1))}; }
Values fast_gelu(const Call& c) {
  const Tensor x = c.has(1) ? c.x(0) + c.x(1) : c.x(0);
  return {ops::gelu(x, "tanh")};
}
Values quick_gelu(const Call& c) {
  const Tensor& x = c.x(0);
  return {x * ops::sigmoid(x * c.f("alpha", 1.702))};
}

// ---- Normalization ----
Tensor widen_16bit(const Tensor& x) {
  return x.dtype() == DType::float16 || x.dtype() == DType::bfloat16 ? x.astype(DType::float32) : x;
}

// Inputs: x, skip, scale, then bias (layer normalization only) and a bias that is added to x.
// Outputs: the normalized sum, mean, inverse standard deviation, the sum.
template <bool centered> Values skip_norm(const Call& c) {
  const double eps = c.f("epsilon", 1e-12);
  Tensor sum = c.x(0) + c.x(1);
  const size_t bias = centered ? 4 : 3;
  if (c.has(bias)) sum = sum + c.x(bias);
  const Tensor y = centered ? ops::layer_norm(sum, c.x(2), c.maybe(3), -1, eps)
                            : ops::rms_norm(sum, c.x(2), -1, eps);
  if (!c.wants(1) && !c.wants(2)) return {y, Tensor(), Tensor(), sum};
  const Tensor x = widen_16bit(sum);
  const Tensor mean = ops::mean(x, -1, true);
  const Tensor variance = centered ? ops::var(x, -1, 0, true) : ops::mean(ops::square(x), -1, true);
  return {y, mean, ops::rsqrt(variance + eps), sum};
}

// Normalized sum of the embeddings of words, positions and segments.
Values embed_layer_norm(const Call& c) {
  const double eps = c.f("epsilon", 1e-12);
  // Selects the form of the mask that a later Attention reads; Ember has only one form.
  c.ignore("mask_index_type");
  const Tensor& ids = c.x(0);
  if (ids.ndim() != 2) {
    throw ShapeError("the words must be [batch, steps], not " + to_string(ids.shape()));
  }
  const auto looked_up = [&](size_t table, const Tensor& at) {
    if (!is_integer(at.dtype())) {
      throw DTypeError("indices must be integers, not " + std::string(name(at.dtype())));
    }
    return ops::take(c.x(table), cast_to(at, DType::int64), 0);
  };
  const Tensor positions =
      c.has(8) ? c.x(8) : ops::arange(0, double(ids.shape(1)), 1, DType::int64);
  Tensor sum = looked_up(2, ids) + looked_up(3, positions);
  if (c.has(1) && c.has(4)) sum = sum + looked_up(4, c.x(1));
  const Tensor y = ops::layer_norm(sum, c.x(5), c.x(6), -1, eps);
  const Tensor lengths =
      c.has(7) ? ops::sum(ops::equal(c.x(7), 1), 1) : ops::zeros({ids.shape(0)}, DType::int32);
  return {y, cast_to(lengths, DType::int32), sum};
}

// ---- Products and convolutions with epilogues ----
Tensor activated(const Call& c, const Tensor& x, const std::string& name,
                 std::optional<double> alpha, std::optional<double> beta) {
  if (name.empty()) return x;
  if (name == "Relu") return ops::relu(x);
  if (name == "Sigmoid") return ops::sigmoid(x);
  if (name == "Tanh") return ops::tanh(x);
  if (name == "LeakyRelu") return ops::leaky_relu(x, alpha.value_or(0.01));
  if (name == "HardSigmoid") return ops::hard_sigmoid(x, alpha.value_or(0.2), beta.value_or(0.5));
  if (name == "Clip" && alpha && beta) return ops::clip(x, Tensor(*alpha), Tensor(*beta));
  c.refuse("the activation '" + name.substr(0, 40) + "'");
}

// The last two axes of an operand of FusedMatMul, optionally transposed. transBatch means that the
// stored layout is [n, batch, m] instead of [batch, n, m].
Tensor arranged(const Tensor& x, bool transpose, bool transpose_batch) {
  Tensor y = x;
  if (transpose_batch && x.ndim() > 2) y = ops::moveaxis(y, {0}, {x.ndim() - 2});
  return transpose && x.ndim() > 1 ? ops::matrix_transpose(y) : y;
}
Values fused_matmul(const Call& c) {
  const Tensor a = arranged(c.x(0), c.flag("transA"), c.flag("transBatchA"));
  const Tensor b = arranged(c.x(1), c.flag("transB"), c.flag("transBatchB"));
  const double alpha = c.f("alpha", 1);
  const Tensor y = ops::matmul(a, b);
  return {alpha == 1 ? y : y * alpha};
}

std::optional<double> maybe_float(const Call& c, const char* name) {
  const auto* a = c.attribute(name, proto::Attribute::float_);
  return a ? std::optional(double(a->f)) : std::nullopt;
}
Values fused_gemm(const Call& c) {
  const ops::GemmOptions o{c.f("alpha", 1), c.f("beta", 1), c.flag("transA"), c.flag("transB")};
  c.ignore("activation_gamma");
  const Tensor y = ops::gemm(c.x(0), c.x(1), c.maybe(2), o);
  return {activated(c, y, c.s("activation", ""), maybe_float(c, "activation_alpha"),
                    maybe_float(c, "activation_beta"))};
}

// The fourth input is added before the activation.
Values fused_conv(const Call& c) {
  Tensor y = convolution(c, c.x(0), c.x(1), c.maybe(2));
  if (c.has(3)) y = y + c.x(3);
  const std::vector<double> parameters = c.floats("activation_params");
  const auto parameter = [&](size_t i) {
    return i < parameters.size() ? std::optional(parameters[i]) : std::nullopt;
  };
  return {activated(c, y, c.s("activation", ""), parameter(0), parameter(1))};
}

#define MS "com.microsoft"
const Reader readers[] = {
    {{"BiasGelu", 1, "", MS}, bias_gelu},
    {{"FastGelu", 1, "", MS}, fast_gelu},
    {{"Gelu", 1, "", MS}, [](const Call& c) -> Values { return {ops::gelu(c.x(0))}; }},
    {{"QuickGelu", 1, "", MS}, quick_gelu},
    {{"SkipLayerNormalization", 1, "", MS}, skip_norm<true>},
    {{"SkipSimplifiedLayerNormalization", 1, "", MS}, skip_norm<false>},
    {{"EmbedLayerNormalization", 1, "", MS}, embed_layer_norm},
    {{"FusedMatMul", 1, "", MS}, fused_matmul},
    {{"TransposeMatMul", 1, "", MS}, fused_matmul},
    {{"FusedGemm", 1, "", MS}, fused_gemm},
    {{"FusedConv", 1, "over one, two or three axes", MS}, fused_conv},
    {{"Inverse", 1, "", MS}, [](const Call& c) -> Values { return {ops::inv(c.x(0))}; }},
};
#undef MS

}  // namespace

std::span<const Reader> microsoft_readers() { return readers; }

}  // namespace ember::onnx
