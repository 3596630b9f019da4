// A layer: a convolution or a product of matrices whose weights never change, with what follows it.
// The weights are packed when the plan is made.
#pragma once
#include "engines/native/kernels/conv_dnnl.h"

namespace ember::native {

struct Layer {
  // Where the numbers are that weights multiply.
  enum Reading : uint8_t {
    direct,     // in place: every output reads the floats `lda` further than the one before, `step`
                // apart
    pixels,     // gathered from an input whose channels lie next to each other
    planes,     // from padded copies of the rows of an input in planes
    depthwise,  // in place: a filter to each channel, channels next to each other
  };
  Reading reading = pixels;
  ConvShape shape;  // with two spatial axes; a product of matrices is a convolution of one row with
                    // one tap
  int64_t image = 0, row = 0, pixel = 0;  // floats from one to the next in the input
  int64_t lda = 0, step = 1;              // direct
  const float
      *weights = nullptr,
      *bias = nullptr;  // in the plan's memory: panels for each group, or for each tap the channels
  // Places among the step's inputs, of which the first is what the layer reads; 0: there is none.
  uint8_t low = 0, high = 0, residual = 0, last_low = 0, last_high = 0;
  uint8_t factor = 0, divisor = 0, half = 0;  // of a bent ending

  int64_t depth() const { return shape.channels / shape.groups * shape.taps(); }
  int64_t columns() const { return shape.filters / shape.groups; }
};
// Packs weights (filters, channels / groups, taps down, taps across, contiguous) and bias into
// packed_size() floats.
int64_t packed_size(const Layer&);
void pack(Layer&, const float* w, const float* bias, float* to);

// One layer, or three: a product, a depthwise convolution that reads it, and a product that reads
// that. The output has its channels next to each other, and so has the residual.
void run_layers(std::span<const Layer>, std::span<const Array> in, const Array& out);

}  // namespace ember::native
