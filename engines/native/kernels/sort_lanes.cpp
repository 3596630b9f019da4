// Batcher's merge-exchange network (Knuth, The Art of Computer Programming, volume 3, algorithm
// 5.2.2M) over vectors, so that every comparison serves all lines.
#include "engines/native/kernels/sort_lanes.h"

#include "engines/native/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engines/native/kernels/sort_lanes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>

HWY_BEFORE_NAMESPACE();
namespace ember::native {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class K> void sort_network(K* keys, int64_t n) {
  const hn::CappedTag<K, size_t(sort_lanes<K>)> d;
  const int64_t width = int64_t(hn::Lanes(d));
  const auto exchange = [&](int64_t i, int64_t j) HWY_ATTR {
    K* const a = keys + i * sort_lanes<K>;
    K* const b = keys + j * sort_lanes<K>;
    for (int64_t l = 0; l < sort_lanes<K>; l += width) {
      const auto x = hn::Load(d, a + l);
      const auto y = hn::Load(d, b + l);
      hn::Store(hn::Min(x, y), d, a + l);
      hn::Store(hn::Max(x, y), d, b + l);
    }
  };
  const int64_t half = int64_t(std::bit_ceil(uint64_t(n))) / 2;
  for (int64_t p = half; p > 0; p /= 2) {
    // Exchanges i and i + distance wherever (i & p) == r.
    int64_t r = 0;
    int64_t distance = p;
    for (int64_t q = half;; q /= 2) {
      for (int64_t first = r; first + distance < n; first += 2 * p) {
        const int64_t end = std::min(first + p, n - distance);
        for (int64_t i = first; i < end; ++i) exchange(i, i + distance);
      }
      if (q == p) break;
      distance = q - p;
      r = p;
    }
  }
}
void sort_u8(uint8_t* keys, int64_t n) { sort_network(keys, n); }
void sort_u16(uint16_t* keys, int64_t n) { sort_network(keys, n); }
void sort_u32(uint32_t* keys, int64_t n) { sort_network(keys, n); }
void sort_u64(uint64_t* keys, int64_t n) { sort_network(keys, n); }

}  // namespace HWY_NAMESPACE
}  // namespace ember::native
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ember::native {

HWY_EXPORT(sort_u8);
HWY_EXPORT(sort_u16);
HWY_EXPORT(sort_u32);
HWY_EXPORT(sort_u64);
void sort_in_lanes(uint8_t* keys, int64_t n) { HWY_DYNAMIC_DISPATCH(sort_u8)(keys, n); }
void sort_in_lanes(uint16_t* keys, int64_t n) { HWY_DYNAMIC_DISPATCH(sort_u16)(keys, n); }
void sort_in_lanes(uint32_t* keys, int64_t n) { HWY_DYNAMIC_DISPATCH(sort_u32)(keys, n); }
void sort_in_lanes(uint64_t* keys, int64_t n) { HWY_DYNAMIC_DISPATCH(sort_u64)(keys, n); }

}  // namespace ember::native
#endif
