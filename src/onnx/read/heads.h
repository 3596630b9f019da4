// Attention heads, for the operators of ai.onnx and com.microsoft.
#pragma once
#include "src/onnx/read/read.h"

namespace ember::onnx {

// [batch, steps, heads * size] to [batch, heads, steps, size].
Tensor split_heads(const Tensor& x, int64_t heads);
Tensor merge_heads(const Tensor& x);  // the inverse
// Grouped queries: repeats each key or value head.
Tensor repeat_heads(const Tensor& x, int64_t heads);
// Rotates the first 2 * d features of x [batch, heads, steps, size] by angles [batch, 1, steps, d].
Tensor rotate_heads(const Tensor& x, const Tensor& cos, const Tensor& sin, bool interleaved);

}  // namespace ember::onnx
