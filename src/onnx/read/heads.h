// Heads of attention: what ai.onnx's and com.microsoft's operators have in common.
#pragma once
#include "src/onnx/read/read.h"

namespace ember::onnx {

Tensor split_heads(const Tensor& x,
                   int64_t heads);    // [batch, steps, heads * size] to [batch, heads, steps, size]
Tensor merge_heads(const Tensor& x);  // and back
Tensor repeat_heads(const Tensor& x, int64_t heads);  // each key or value serves several queries
// Turns the first 2 * d features of x, [batch, heads, steps, size], by angles of shape [batch, 1,
// steps, d].
Tensor rotate_heads(const Tensor& x, const Tensor& cos, const Tensor& sin, bool interleaved);

}  // namespace ember::onnx
