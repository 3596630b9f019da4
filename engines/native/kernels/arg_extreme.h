// The position of the extreme of a row, in vectors.
#pragma once
#include <cstdint>

namespace ember::native {

// Shorter rows are not worth the vectors.
inline constexpr int64_t find_extreme_min = 33;

// The first position of the largest (is_max) or smallest of n elements, or of the first NaN if
// there is one; n is at least find_extreme_min. Reads p[0] to p[n - 1] alone.
int64_t find_extreme(const float* p, int64_t n, bool is_max);
int64_t find_extreme(const double* p, int64_t n, bool is_max);
int64_t find_extreme(const int32_t* p, int64_t n, bool is_max);
int64_t find_extreme(const int64_t* p, int64_t n, bool is_max);

}  // namespace ember::native
