// Windows that slide over the spatial axes, for convolutions and pools.
#pragma once
#include "src/onnx/read/read.h"

namespace ember::onnx {

struct Windows {
  Ints size, strides, dilations, low, high,
      reach;  // the extent of a dilated window
  std::string auto_pad;
  // kernel: a filter's shape; by default the attribute kernel_shape.
  Windows(const Call&, const Shape& x, std::optional<Ints> kernel = {});
  Ints padding() const;  // [before, after] per axis
};
Ints kernel_of(const Tensor& filter);  // its spatial axes
Tensor average_pool(const Call&, const Tensor& x);
Tensor convolution(const Call&, const Tensor& x, const Tensor& filter,
                   const std::optional<Tensor>& bias);

}  // namespace ember::onnx
