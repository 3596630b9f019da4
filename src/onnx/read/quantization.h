// Quantized tensors, for the operators of ai.onnx and com.microsoft.
#pragma once
#include "src/onnx/read/read.h"

namespace ember::onnx {

Values quantize(const Call&);
Values dequantize(const Call&);

Tensor as_scalar(const Tensor& t);  // a list of one number becomes 0-d
// An operand minus its zero point, as int32. A list of zero points belongs to an axis.
Tensor subtract_zero_point(const Call&, size_t operand, size_t zero_point, int64_t axis);
struct Quantized {
  Tensor values, scale, zero_point;
};
Quantized quantize_dynamically(const Tensor& x);  // to uint8, over a range that contains x and 0
// Evaluates t once, now, if its source depends on no input.
Tensor fold(const Value& source, Tensor t);

}  // namespace ember::onnx
