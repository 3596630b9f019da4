// Quantized numbers: what ai.onnx's and com.microsoft's operators have in common.
#pragma once
#include "src/onnx/read/read.h"

namespace ember::onnx {

Values quantize(const Call&);
Values dequantize(const Call&);

Tensor as_scalar(const Tensor& t);  // a list of one number becomes the number
// An operand less its zero point, as int32; a list of zero points goes along an axis.
Tensor subtract_zero_point(const Call&, size_t operand, size_t zero_point, int64_t axis);
struct Quantized {
  Tensor values, scale, zero_point;
};
Quantized quantize_dynamically(const Tensor& x);  // to uint8, over the range of x and 0
// Computes t once, now, where what it is made of depends on no input, instead of at each run.
Tensor fold(const Value& source, Tensor t);

}  // namespace ember::onnx
