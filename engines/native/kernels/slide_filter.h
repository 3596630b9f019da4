// One filter that slides along one sequence.
#pragma once
#include <cstdint>

namespace ember::native {

// More taps are left to matrix products, which add in blocks.
inline constexpr int64_t slide_filter_max = 64;

// y[i] = start + x[i] w[0] + x[i + dilation] w[1] + ..., added in this order, for i < n.
void slide_filter(const float* x, const float* w, int64_t taps, int64_t dilation, float start,
                  float* y, int64_t n);
void slide_filter(const double* x, const double* w, int64_t taps, int64_t dilation, double start,
                  double* y, int64_t n);

}  // namespace ember::native
