// Sorts many short lines at once, one to a lane.
#pragma once
#include <cstdint>

namespace ember::native {

// Lines that are sorted together: as many as a 64-byte row of keys holds.
template <class K> inline constexpr int64_t sort_lanes = 64 / int64_t(sizeof(K));
// A network needs some n log2(n)^2 / 4 exchanges: longer lines are sorted faster one by one.
inline constexpr int64_t sort_lanes_max = 1024;

// Sorts each lane in ascending order. Element i of line l is keys[i * sort_lanes<K> + l], for
// i < n; keys are 64-byte aligned.
void sort_in_lanes(uint8_t* keys, int64_t n);
void sort_in_lanes(uint16_t* keys, int64_t n);
void sort_in_lanes(uint32_t* keys, int64_t n);
void sort_in_lanes(uint64_t* keys, int64_t n);

}  // namespace ember::native
