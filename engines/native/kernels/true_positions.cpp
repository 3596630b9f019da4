// Eight bytes at a time become eight bits, and a table has the positions of the bits that are set:
// a whole row of it is stored, and the next one overwrites what is left over.
#include "engines/native/kernels/true_positions.h"

#include "engines/native/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engines/native/kernels/true_positions.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <array>
#include <cstring>

#ifndef EMBER_TRUE_POSITIONS_TABLE
#define EMBER_TRUE_POSITIONS_TABLE
namespace ember::native {
// Row 0b00001010 begins with 1, 3.
inline constexpr auto positions_of_bits = [] {
  std::array<std::array<uint8_t, 8>, 256> table{};
  for (size_t bits = 0; bits < 256; ++bits) {
    size_t count = 0;
    for (uint8_t k = 0; k < 8; ++k) {
      if (bits >> k & 1) table[bits][count++] = k;
    }
  }
  return table;
}();
}  // namespace ember::native
#endif

HWY_BEFORE_NAMESPACE();
namespace ember::native {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void write_positions(const uint8_t* p, int64_t first, int64_t* to, int64_t* end) {
  int64_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::CappedTag<int64_t, 8> d;
  const hn::Rebind<int32_t, decltype(d)> d32;
  const hn::Rebind<uint8_t, decltype(d)> d8;
  constexpr uint64_t ones = 0x0101010101010101;
  for (; to + 8 <= end; i += 8) {  // as many bytes follow, since eight of them are still to come
    uint64_t v;
    std::memcpy(&v, p + i, 8);
    const uint64_t truth = (((v & 0x7f * ones) + 0x7f * ones) | v) >> 7 & ones;
    const uint8_t* row = positions_of_bits[truth * 0x0102040810204080 >> 56].data();
    const auto start = hn::Set(d, first + i);
    for (size_t k = 0; k < 8; k += hn::Lanes(d)) {
      const auto position = hn::PromoteTo(d, hn::PromoteTo(d32, hn::LoadU(d8, row + k)));
      hn::StoreU(hn::Add(start, position), d, to + k);
    }
    to += truth * ones >> 56;
  }
#endif
  for (; to < end; ++i) {
    *to = first + i;
    to += p[i] != 0;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace ember::native
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ember::native {

HWY_EXPORT(write_positions);
void write_true_positions(const uint8_t* p, int64_t first, int64_t* to, int64_t* end) {
  HWY_DYNAMIC_DISPATCH(write_positions)(p, first, to, end);
}

}  // namespace ember::native
#endif
