// Matrix products and quantization.
#include "src/webnn/operators/operator.h"

namespace ember::webnn {

namespace {

void check_inner(uint32_t columns, uint32_t rows, const Dimensions& a, const Dimensions& b) {
  if (columns != rows) {
    throw ShapeError("inner dimensions differ: " + std::to_string(columns) + " and " +
                     std::to_string(rows) + " of " + text(a) + " and " + text(b));
  }
}

Results matmul(Call& c) {
  Dimensions a = c.shape("a");
  Dimensions b = c.shape("b");
  const uint32_t rows = a[a.size() - 2];
  const uint32_t columns = b.back();
  check_inner(a.back(), b[b.size() - 2], a, b);
  a.resize(a.size() - 2);
  b.resize(b.size() - 2);
  Dimensions out = broadcast(a, b);
  out.insert(out.end(), {rows, columns});
  check_descriptor({c.operand("a").dataType(), out});
  return {c.result(ops::matmul(c.tensor("a"), c.tensor("b")))};
}

Results gemm(Call& c) {
  Dimensions a = c.shape("a");
  Dimensions b = c.shape("b");
  if (c.flag("aTranspose")) std::swap(a[0], a[1]);
  if (c.flag("bTranspose")) std::swap(b[0], b[1]);
  check_inner(a[1], b[0], a, b);
  const Dimensions out{a[0], b[1]};
  if (c.has("c") && !broadcasts_to(c.shape("c"), out)) {
    throw ShapeError("'c' of shape " + text(c.shape("c")) + " does not broadcast to " + text(out));
  }
  const DType t = c.operand("a").dataType();
  check_descriptor({t, out});
  const auto option = [&](const char* name) {
    return std::get<double>(number_as(c.f64(name, 1), t));
  };
  const ops::GemmOptions o{.alpha = option("alpha"),
                           .beta = option("beta"),
                           .a_transpose = c.flag("aTranspose"),
                           .b_transpose = c.flag("bTranspose")};
  return {c.result(ops::gemm(c.tensor("a"), c.tensor("b"), c.optional("c"), o))};
}

// Scale and zero point have the same shape, which divides the input's shape into blocks.
void check_blocks(const Call& c) {
  const Dimensions& input = c.shape("input");
  const Dimensions& scale = c.shape("scale");
  need_shape(c, "zeroPoint", scale);
  bool fits = scale.size() == input.size();
  for (size_t d = 0; fits && d < scale.size(); ++d) fits = input[d] % scale[d] == 0;
  if (!fits) {
    throw ShapeError("the scale's shape " + text(scale) + " does not divide the input's, " +
                     text(input) + ", into blocks");
  }
}

Results quantize(Call& c) {
  check_blocks(c);
  return {
      c.result(ops::quantize_linear(c.tensor("input"), c.tensor("scale"), c.tensor("zeroPoint")))};
}
Results dequantize(Call& c) {
  check_blocks(c);
  check_descriptor({c.operand("scale").dataType(), c.shape("input")});
  return {c.result(
      ops::dequantize_linear(c.tensor("input"), c.tensor("scale"), c.tensor("zeroPoint")))};
}

#define QUANTIZED "u8/i8/u32/i32/i4/u4"
const RowText rows[] = {
    {"matmul", "a b", "", "a:float@2-8 b:a@2-8 output:a@2-8", matmul},
    {"gemm", "a b", "c alpha:f64 beta:f64 aTranspose:bool bTranspose:bool",
     "a:float@2 b:a@2 c:a@0-2 output:a@2", gemm},
    {"quantizeLinear", "input scale zeroPoint", "",
     "input:float@any scale:input@any zeroPoint:" QUANTIZED "@any output:zeroPoint@any", quantize},
    {"dequantizeLinear", "input scale zeroPoint", "",
     "input:" QUANTIZED "@any scale:float@any zeroPoint:input@any output:scale@any", dequantize},
};

}  // namespace

std::span<const RowText> product_operators() { return rows; }

}  // namespace ember::webnn
