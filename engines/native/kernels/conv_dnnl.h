// What a convolution is, in numbers, and the part of it that oneDNN does.
#pragma once
#include "engines/native/kernel.h"

namespace ember::native {

// One entry per spatial axis in each list, at least one axis.
struct ConvShape {
  int64_t batch = 0, channels = 0, filters = 0, groups = 1;
  Ints in, out, kernel, strides, low, high, dilation, input_dilation;
  int64_t positions() const { return size_of(out); }
  int64_t taps() const { return size_of(kernel); }
};

ConvShape conv_shape(const ConvAttr&, std::span<const int64_t> x, std::span<const int64_t> w,
                     std::span<const int64_t> y);

// False where oneDNN is not built in or has no fast way to do it. Nothing may be empty; bias may be
// null. The engine's loader must have called guard_amx() before.
bool conv_dnnl(const ConvShape&, const float* x, const float* w, const float* bias, float* y);
// The gradient of that convolution's filter, with the channels first: from x and the gradient of y.
bool conv_filter_dnnl(const ConvShape&, const float* x, const float* y, float* w);

}  // namespace ember::native
