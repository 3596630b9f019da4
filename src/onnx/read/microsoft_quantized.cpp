// com.microsoft: quantized arithmetic, in the form that ONNX Runtime's quantizer writes.
#include "src/graph/graph.h"
#include "src/onnx/read/quantization.h"
#include "src/onnx/read/windows.h"
#include "src/ops/layouts.h"

namespace ember::onnx {
namespace {

// Dequantizes operand i, whose scale and zero point are the next two inputs.
Tensor real(const Call& c, size_t i) {
  const Tensor& x = c.x(i);
  const Tensor scale = as_scalar(c.x(i + 1));
  const Tensor zero = c.has(i + 2) ? as_scalar(c.x(i + 2)) : ops::zeros(scale.shape(), x.dtype());
  return ops::dequantize_linear(x, scale, zero);
}
// Quantizes y with the scale at input i and the zero point after it.
Tensor requantized(const Call& c, const Tensor& y, size_t i, DType otherwise) {
  const Tensor scale = as_scalar(c.x(i));
  return ops::quantize_linear(y, scale,
                              c.has(i + 1) ? as_scalar(c.x(i + 1)) : ops::zeros({}, otherwise));
}

template <Tensor (*F)(Tensor, Tensor)> Values binary(const Call& c) {
  return {requantized(c, F(real(c, 0), real(c, 3)), 6, c.x(0).dtype())};
}
template <Tensor (*F)(const Call&, const Tensor&)> Values unary(const Call& c) {
  return {requantized(c, F(c, real(c, 0)), 3, c.x(0).dtype())};
}
Tensor sigmoid(const Call&, const Tensor& x) { return ops::sigmoid(x); }
Tensor leaky_relu(const Call& c, const Tensor& x) { return ops::leaky_relu(x, c.f("alpha", 0.01)); }

// Before opset 13 of ai.onnx, all axes from `axis` on are flattened.
Tensor softmax(const Call& c, const Tensor& x) {
  const int64_t axis = c.axis(c.i("axis", -1), x.ndim());
  if (c.i("opset") >= 13 || axis == x.ndim() - 1) return ops::softmax(x, axis);
  int64_t rows = 1;
  for (int64_t d = 0; d < axis; ++d) rows = extent(rows, x.shape(d), 0);
  return ops::reshape(ops::softmax(ops::reshape(x, {rows, -1}), -1), x.shape());
}

// Applies f to an image with channels first.
template <class F> Tensor with_channels_first(const Call& c, const Tensor& x, F f) {
  return c.flag("channels_last") ? ops::moveaxis(f(ops::moveaxis(x, {-1}, {1})), {1}, {-1}) : f(x);
}
Tensor averages(const Call& c, const Tensor& x) {
  return with_channels_first(c, x, [&](const Tensor& image) { return average_pool(c, image); });
}
Tensor average(const Call& c, const Tensor& x) {
  return with_channels_first(c, x,
                             [](const Tensor& image) { return ops::global_average_pool(image); });
}

// Inputs: the result's scale and zero point, then three per operand.
Values concat(const Call& c) {
  if (c.in.size() < 5 || c.in.size() % 3 != 2) {
    throw ValueError("it takes a scale and a zero point and three inputs for each operand, not " +
                     std::to_string(c.in.size()));
  }
  Tensors parts;
  for (size_t i = 2; i < c.in.size(); i += 3) parts.push_back(real(c, i));
  return {requantized(c, ops::concat(parts, c.i("axis")), 0, c.x(2).dtype())};
}

// Inputs: the condition, two operands of three inputs each, the result's scale and zero point.
Values where(const Call& c) {
  return {requantized(c, ops::where(c.x(0), real(c, 1), real(c, 4)), 7, c.x(1).dtype())};
}

// ---- Products ----
// One number per column of the right operand.
Tensor scale_of(const Call& c, size_t i) { return as_scalar(c.x(i)); }

// Inputs: a, its scale and zero point, b, its scale and zero point, an int32 bias, the result's
// scale and zero point.
Values gemm(const Call& c) {
  const double alpha = c.f("alpha", 1);
  const bool ta = c.flag("transA");
  const bool tb = c.flag("transB");
  const Tensor a = subtract_zero_point(c, 0, 2, 0);
  const Tensor b = subtract_zero_point(c, 3, 5, tb ? 0 : 1);
  Tensor sums = ops::matmul(ta ? ops::matrix_transpose(a) : a, tb ? ops::matrix_transpose(b) : b);
  if (c.has(6)) sums = sums + c.x(6);
  const Tensor y = cast_to(sums, DType::float32) * (scale_of(c, 1) * scale_of(c, 4) * alpha);
  return {c.has(7) ? requantized(c, y, 7, c.x(0).dtype()) : y};
}
// Inputs: a and b, their scales, their zero points, a bias.
Values matmul_to_float(const Call& c) {
  const Tensor sums = ops::matmul(subtract_zero_point(c, 0, 4, c.x(0).ndim() > 1 ? -2 : -1),
                                  subtract_zero_point(c, 1, 5, -1));
  const Tensor y = cast_to(sums, c.x(2).dtype()) * (scale_of(c, 2) * scale_of(c, 3));
  return {c.has(6) ? y + c.x(6) : y};
}
// Inputs: a, which is quantized dynamically, b, its scale and zero point, a bias.
Values dynamic_matmul(const Call& c) {
  const Quantized a = quantize_dynamically(c.x(0));
  const Tensor left = cast_to(a.values, DType::int32) - cast_to(a.zero_point, DType::int32);
  const Tensor sums = ops::matmul(left, subtract_zero_point(c, 1, 3, -1));
  const Tensor y = cast_to(sums, DType::float32) * (a.scale * scale_of(c, 2));
  return {c.has(4) ? y + c.x(4) : y};
}

// Unpacks 2-, 4- or 8-bit numbers along the last axis, lowest bits first.
Tensor unpacked(const Tensor& bytes, int64_t bits) {
  if (bits == 8) return bytes;
  Tensors parts;
  const Tensor mask = cast_to(Tensor((1 << bits) - 1), bytes.dtype());
  for (int64_t shift = 0; shift < 8; shift += bits) {
    parts.push_back(ops::bitwise_and(
        ops::bitwise_right_shift(bytes, cast_to(Tensor(shift), bytes.dtype())), mask));
  }
  Shape shape = bytes.shape();
  shape.back() = extent(shape.back(), 8 / bits, 0);
  return ops::reshape(ops::stack(parts, -1), shape);
}

// Inputs: a [..., K], the weights [N, blocks, bytes per block], scales, zero points, a permutation
// of a's columns, a bias.
Values matmul_bits(const Call& c) {
  const int64_t k = c.i("K");
  const int64_t n = c.i("N");
  const int64_t bits = c.i("bits", 4);
  const int64_t block = c.i("block_size");
  c.ignore("accuracy_level");
  c.ignore("weight_prepacked");
  if (bits != 2 && bits != 4 && bits != 8) c.refuse("numbers of " + std::to_string(bits) + " bits");
  if (c.has(4)) c.refuse("columns in another order (g_idx)");
  if (k < 1 || n < 1 || block < 16) {
    throw ValueError("K and N must be at least 1, block_size at least 16");
  }
  const int64_t blocks = (k - 1) / block + 1;
  const DType t = c.x(0).dtype();
  const Tensor packed = ops::reshape(c.x(1), {n, blocks, block * bits / 8});
  const Tensor scale = ops::reshape(c.x(2), {n, blocks, 1});
  Tensor zero = cast_to(Tensor(1 << (bits - 1)), t);
  if (c.has(3) && c.x(3).dtype() == DType::uint8) {
    const Tensor zeros = unpacked(ops::reshape(c.x(3), {n, -1}), bits);
    zero = cast_to(ops::reshape(ops::slice(zeros, {0}, {blocks}, {}, 1), {n, blocks, 1}), t);
  } else if (c.has(3)) {
    zero = ops::reshape(c.x(3), {n, blocks, 1});
  }
  Tensor weight = (cast_to(unpacked(packed, bits), t) - zero) * cast_to(scale, t);
  weight =
      ops::matrix_transpose(ops::slice(ops::reshape(weight, {n, blocks * block}), {0}, {k}, {}, 1));
  const Tensor y = ops::matmul(c.x(0), fold(c.in[1], weight));
  return {c.has(5) ? y + c.x(5) : y};
}

#define MS "com.microsoft"
const Reader readers[] = {
    {{"QuantizeLinear", 1, "to integers of 4 to 32 bits", MS}, quantize},
    {{"DequantizeLinear", 1, "from integers of 4 to 32 bits", MS}, dequantize},
    {{"QLinearAdd", 1, "", MS}, binary<ops::add>},
    {{"QLinearMul", 1, "", MS}, binary<ops::multiply>},
    {{"QLinearSigmoid", 1, "", MS}, unary<sigmoid>},
    {{"QLinearLeakyRelu", 1, "", MS}, unary<leaky_relu>},
    {{"QLinearSoftmax", 1, "", MS}, unary<softmax>},
    {{"QLinearAveragePool", 1, "over one, two or three axes", MS}, unary<averages>},
    {{"QLinearGlobalAveragePool", 1, "", MS}, unary<average>},
    {{"QLinearConcat", 1, "", MS}, concat},
    {{"QLinearWhere", 1, "", MS}, where},
    {{"QGemm", 1, "", MS}, gemm},
    {{"MatMulIntegerToFloat", 1, "", MS}, matmul_to_float},
    {{"DynamicQuantizeMatMul", 1, "", MS}, dynamic_matmul},
    {{"MatMulNBits", 1, "of 2, 4 and 8 bits, without g_idx", MS}, matmul_bits},
};
#undef MS

}  // namespace

std::span<const Reader> microsoft_quantized_readers() { return readers; }

}  // namespace ember::onnx
