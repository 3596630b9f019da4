// A layer: a convolution or a product of matrices with constant weights, and its epilogue. The
// weights are packed when the plan is made.
#pragma once
#include "engines/native/kernels/conv_dnnl.h"

namespace ember::native {

struct Layer {
  // How the layer reads its input.
  enum Reading : uint8_t {
    direct,     // in place: output i reads floats at i * lda + k * step
    pixels,     // gathered from an input with channels last
    planes,     // from padded copies of the rows of a channels-first input
    depthwise,  // in place: one filter for each channel, channels last
  };
  Reading reading = pixels;
  ConvShape shape;  // with two spatial axes; a product of matrices is a convolution of one row with
                    // one tap
  int64_t image = 0, row = 0, pixel = 0;  // strides of the input, in floats
  int64_t lda = 0, step = 1;              // direct
  const float* weights = nullptr;  // panels for each group; depthwise: for each tap, the channels
  const float* bias = nullptr;     // both in the plan's memory
  // Indices of the step's inputs, of which the first is the layer's input; 0: none.
  uint8_t low = 0, high = 0, residual = 0, last_low = 0, last_high = 0;
  uint8_t factor = 0, divisor = 0, half = 0;  // of a GELU

  int64_t depth() const { return shape.channels / shape.groups * shape.taps(); }
  int64_t columns() const { return shape.filters / shape.groups; }
};
// Packs weights [filters, channels / groups, taps down, taps across] and bias into packed_size()
// floats.
int64_t packed_size(const Layer&);
void pack(Layer&, const float* w, const float* bias, float* to);

// Runs one layer, or three: a product, a depthwise convolution of its result, and a product of that
// result. The output and the residual have their channels last.
void run_layers(std::span<const Layer>, std::span<const Array> in, const Array& out);

}  // namespace ember::native
