// Windows that slide over the spatial axes: what convolutions and pools have in common.
#pragma once
#include "src/onnx/read/read.h"

namespace ember::onnx {

struct Windows {
  Ints size, strides, dilations, low, high,
      reach;  // reach: the elements from a window's first to its last
  std::string auto_pad;
  // kernel: a filter's shape; without one it is an attribute.
  Windows(const Call&, const Shape& x, std::optional<Ints> kernel = {});
  Ints padding() const;  // [before, after] for each axis
};
Ints kernel_of(const Tensor& filter);  // its spatial axes
Tensor average_pool(const Call&, const Tensor& x);
Tensor convolution(const Call&, const Tensor& x, const Tensor& filter,
                   const std::optional<Tensor>& bias);

}  // namespace ember::onnx
