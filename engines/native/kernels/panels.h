// Kernels of layers with constant weights: products with weights packed in panels, and depthwise
// convolutions. Activations have their channels last.
#pragma once
#include <limits>

#include "engines/native/kernel.h"

#define EMBER_UNROLL _Pragma("GCC unroll 16")  // a loop over registers

namespace ember::native {

// The epilogue of a sum: clamp to [low, high], add the residual, clamp to [last_low, last_high].
// NaN stays NaN. With gelu, for products only, x becomes x * half * erfc(x * factor / divisor).
struct Epilogue {
  static constexpr float infinity = std::numeric_limits<float>::infinity();
  float low = -infinity, high = infinity;
  const float* residual = nullptr;  // with the result's strides
  float last_low = -infinity, last_high = infinity;
  bool gelu = false;
  float factor = 0, divisor = 1, half = 0;
};

// Weights with `depth` rows are packed in panels of panel_columns() columns, each contiguous and
// row-major; the last one is half as wide if that is enough.
int64_t panel_columns();
int64_t panel_rows();  // rows of a that are multiplied at a time
int64_t panels_size(int64_t depth, int64_t columns);
template <class Get> void pack_panels(int64_t depth, int64_t columns, float* to, Get&& get) {
  const int64_t width = panel_columns();
  for (int64_t first = 0; first < columns; first += width) {
    const int64_t wide = columns - first <= width / 2 ? width / 2 : width;
    for (int64_t k = 0; k < depth; ++k) {
      for (int64_t j = 0; j < wide; ++j) *to++ = first + j < columns ? get(k, first + j) : 0.0f;
    }
  }
}

// Packs rows in memory, `row` floats apart.
void pack_rows(const float* from, int64_t row, int64_t depth, int64_t columns, float* to);
// to[k * width + j] = from[j * row + k] for j < rows and k < depth.
void transpose_rows(const float* from, int64_t row, int64_t rows, int64_t depth, float* to,
                    int64_t width);
// Packs columns in memory, `column` floats apart.
void pack_columns(const float* from, int64_t column, int64_t depth, int64_t columns, float* to);

// c = a times the panels, plus the bias. Each element is summed in the order of the depth, however
// the work is split.
struct Product {
  const float* a = nullptr;
  int64_t rows = 0, depth = 0, columns = 0;
  int64_t lda = 0, run = 0, step = 1, next = 0;  // floats: to the next row of a; along a row, `run`
                                                 // of them `step` apart, then to the next run
  const float *panels = nullptr,
              *bias = nullptr;  // the bias is readable to the end of the last panel
  float* c = nullptr;
  int64_t ldc = 0;
  Epilogue epilogue;
};
void multiply_panels(const Product&);

// The upper triangle of c = x.T x, for many more rows than columns. In gram.cpp.
void gram(const float* x, int64_t row, int64_t rows, int64_t n, float* c);

// One row of the output of a depthwise convolution.
struct DepthwiseRow {
  const float* const* rows =
      nullptr;        // of the input, one for each tap down; null where it is padding
  int64_t pixel = 0;  // floats from a pixel of the input to the next
  const float *weights = nullptr, *bias = nullptr;  // weights: for each tap, the channels
  float* out = nullptr;
  int64_t channels = 0, width = 0, out_width = 0, down = 1, across = 1, stride = 1, dilation = 1,
          low = 0;
  Epilogue epilogue;
};
void depthwise_row(const DepthwiseRow&);

}  // namespace ember::native
