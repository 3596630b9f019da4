// Quantization, and products and convolutions of quantized tensors.
#include "src/onnx/read/quantization.h"
#include "src/graph/graph.h"
#include "src/onnx/read/windows.h"

namespace ember::onnx {
namespace {

// The granularity of the scale: the whole tensor, an axis, or blocks along it.
struct Axis {
  std::optional<int64_t> axis, block;
  Axis(const Call& c, const Tensor& x, const Tensor& scale) {
    const int64_t given = c.i("axis", 1);
    const int64_t size = c.i("block_size", 0);
    if (size) {
      axis = c.axis(given, x.ndim());
      block = size;
    } else if (scale.ndim() == 1 && scale.size() != 1) {
      axis = c.axis(given, x.ndim());
    } else if (scale.ndim() > 1) {
      throw ShapeError("a scale of shape " + to_string(scale.shape()) + " needs a block_size");
    }
  }
};

}  // namespace

Tensor as_scalar(const Tensor& t) {
  return t.ndim() == 1 && t.size() == 1 ? ops::reshape(t, {}) : t;
}

Tensor fold(const Value& source, Tensor t) { return source.depends ? t : t.eval(); }

Values quantize(const Call& c) {
  const Tensor& x = c.x(0);
  const Tensor scale = as_scalar(c.x(1));
  const Axis axis(c, x, scale);
  c.ignore("saturate");  // concerns 8-bit floats
  const auto asked = c.dtype("output_dtype");
  const auto precision = c.dtype("precision");
  const DType t = c.has(2) ? c.x(2).dtype() : asked.value_or(DType::uint8);
  const DType wide = precision.value_or(scale.dtype());
  const Tensor zero = c.has(2) ? as_scalar(c.x(2)) : ops::zeros(scale.shape(), t);
  return {
      ops::quantize_linear(cast_to(x, wide), cast_to(scale, wide), zero, axis.axis, axis.block)};
}
Values dequantize(const Call& c) {
  const Tensor& x = c.x(0);
  const Tensor scale = as_scalar(c.x(1));
  const Axis axis(c, x, scale);
  const auto asked = c.dtype("output_dtype");
  const Tensor zero = c.has(2) ? as_scalar(c.x(2)) : ops::zeros(scale.shape(), x.dtype());
  const Tensor y = ops::dequantize_linear(x, scale, zero, axis.axis, axis.block);
  return {asked ? cast_to(y, *asked) : y};
}

Quantized quantize_dynamically(const Tensor& x) {
  const Tensor none = cast_to(Tensor(0.0), x.dtype());
  const Tensor high = ops::maximum(ops::max(x), none);
  const Tensor low = ops::minimum(ops::min(x), none);
  const Tensor range = high - low;
  const Tensor scale = ops::where(ops::equal(range, 0.0), ops::ones_like(range), range) / 255.0;
  const Tensor zero =
      cast_to(ops::round(ops::clip(-low / scale, Tensor(0.0), Tensor(255.0))), DType::uint8);
  return {ops::quantize_linear(x, scale, zero), scale, zero};
}

Tensor subtract_zero_point(const Call& c, size_t i, size_t zero, int64_t axis) {
  const Tensor x = cast_to(c.x(i), DType::int32);
  if (!c.has(zero)) return x;
  Tensor z = cast_to(as_scalar(c.x(zero)), DType::int32);
  if (z.ndim() == 1) {
    Shape s(size_t(x.ndim()), 1);
    s[size_t(c.axis(axis, x.ndim()))] = z.size();
    z = ops::reshape(z, s);
  }
  return x - z;
}
namespace {

Values dynamic_quantize(const Call& c) {
  const Quantized q = quantize_dynamically(c.x(0));
  return {q.values, q.scale, q.zero_point};
}

Values matmul_integer(const Call& c) {
  return {ops::matmul(subtract_zero_point(c, 0, 2, c.x(0).ndim() > 1 ? -2 : -1),
                      subtract_zero_point(c, 1, 3, -1))};
}
Values conv_integer(const Call& c) {
  return {convolution(c, subtract_zero_point(c, 0, 2, 1), subtract_zero_point(c, 1, 3, 0), {})};
}

// Inputs: a, its scale and zero point, b, its scale and zero point, then the result's.
Values qlinear_matmul(const Call& c) {
  const Tensor sums = ops::matmul(subtract_zero_point(c, 0, 2, c.x(0).ndim() > 1 ? -2 : -1),
                                  subtract_zero_point(c, 3, 5, -1));
  Tensor as = as_scalar(c.x(1));
  if (as.ndim() == 1) as = ops::reshape(as, {as.size(), 1});
  const DType t = c.x(6).dtype();
  const DType wide = t == DType::float32 ? t : promote(t, DType::float32);
  const Tensor factor = cast_to(as, wide) * cast_to(as_scalar(c.x(4)), wide);
  const Tensor y = cast_to(sums, wide) * factor;
  return {ops::quantize_linear(y, cast_to(as_scalar(c.x(6)), wide), as_scalar(c.x(7)),
                               c.x(6).size() == 1 ? std::optional<int64_t>() : -2)};
}
Values qlinear_conv(const Call& c) {
  std::optional<Tensor> bias = c.maybe(8);
  const Tensor sums =
      convolution(c, subtract_zero_point(c, 0, 2, 1), subtract_zero_point(c, 3, 5, 0), bias);
  Tensor ws = as_scalar(c.x(4));
  if (ws.ndim() == 1) {  // one per filter
    Shape s(size_t(sums.ndim() - 1), 1);
    s[0] = ws.size();
    ws = ops::reshape(ws, s);
  }
  return {ops::quantize_linear(cast_to(sums, DType::float32) * (as_scalar(c.x(1)) * ws),
                               as_scalar(c.x(6)), as_scalar(c.x(7)))};
}

const Reader readers[] = {
    {{"QuantizeLinear", 10, "to integers of 4 to 32 bits"}, quantize},
    {{"DequantizeLinear", 10, "from integers of 4 to 32 bits"}, dequantize},
    {{"DynamicQuantizeLinear", 11, ""}, dynamic_quantize},
    {{"MatMulInteger", 10, ""}, matmul_integer},
    {{"ConvInteger", 10, ""}, conv_integer},
    {{"QLinearMatMul", 10, "of integers"}, qlinear_matmul},
    {{"QLinearConv", 10, ""}, qlinear_conv},
};

}  // namespace

std::span<const Reader> quantization_readers() { return readers; }

}  // namespace ember::onnx
