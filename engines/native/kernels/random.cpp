// Random bits, as src/core/philox.h defines them.
#include "engines/native/kernel.h"
#include "engines/native/targets.h"
#include "src/core/philox.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engines/native/kernels/random.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ember::native {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The words at n counters, as many as fill whole vectors; returns how many counters those were. A
// state word has a 64-bit lane to itself: a product needs that, and reads only the lower half, so
// what is left in the upper half is never masked away.
int64_t fill_blocks([[maybe_unused]] uint32_t* out, [[maybe_unused]] uint64_t key,
                    [[maybe_unused]] uint64_t counter, int64_t n) {
#if HWY_TARGET == HWY_SCALAR
  return 0 * n;  // one lane is no vector: the caller does it all
#else
  const hn::ScalableTag<uint64_t> d;
  const hn::Repartition<uint32_t, decltype(d)> half;
  const auto m0 = hn::Set(half, philox_multiplier[0]), m1 = hn::Set(half, philox_multiplier[1]);
  const auto low = hn::Set(d, 0xFFFFFFFF);
  const int64_t lanes = int64_t(hn::Lanes(d));
  HWY_ALIGN uint64_t keys[2 * philox_rounds][HWY_MAX_BYTES / 8];
  uint32_t k0 = uint32_t(key);
  uint32_t k1 = uint32_t(key >> 32);
  for (int round = 0; round < philox_rounds; ++round) {
    hn::Store(hn::Set(d, k0), d, keys[2 * round]);
    hn::Store(hn::Set(d, k1), d, keys[2 * round + 1]);
    k0 += philox_weyl[0];
    k1 += philox_weyl[1];
  }
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    auto c0 = hn::Iota(d, counter + uint64_t(i));
    auto c1 = hn::ShiftRight<32>(c0);
    auto c2 = hn::Zero(d);
    auto c3 = c2;
    for (int round = 0; round < philox_rounds; ++round) {
      const auto a = hn::MulEven(hn::BitCast(half, c0), m0);
      const auto b = hn::MulEven(hn::BitCast(half, c2), m1);
      c0 = hn::Xor3(hn::ShiftRight<32>(b), c1, hn::Load(d, keys[2 * round]));
      c2 = hn::Xor3(hn::ShiftRight<32>(a), c3, hn::Load(d, keys[2 * round + 1]));
      c1 = b;
      c3 = a;
    }
    // The output is 64-byte aligned and a block has 16 bytes, so that pairs of words may be stored
    // as 64-bit ones.
    hn::StoreInterleaved2(hn::Or(hn::And(c0, low), hn::ShiftLeft<32>(c1)),
                          hn::Or(hn::And(c2, low), hn::ShiftLeft<32>(c3)), d,
                          reinterpret_cast<uint64_t*>(out + 4 * i));
  }
  return i;
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace ember::native
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ember::native {
namespace {

HWY_EXPORT(fill_blocks);

void random_bits(const Call& call) {
  const uint64_t key = *call.in[0].as<uint64_t>();
  const uint64_t counter = *call.in[1].as<uint64_t>();
  uint32_t* const out = call.out[0].as<uint32_t>();
  const int64_t n = call.out[0].size;
  const int64_t blocks = n / 4;
  parallel_for(blocks, 4096, [&](int64_t begin, int64_t end) {
    begin += HWY_DYNAMIC_DISPATCH(fill_blocks)(out + 4 * begin, key, counter + uint64_t(begin),
                                               end - begin);
    for (; begin < end; ++begin) {
      std::ranges::copy(philox_block(key, counter + uint64_t(begin)), out + 4 * begin);
    }
  });
  for (int64_t i = 4 * blocks; i < n; ++i) out[i] = philox_word(key, counter, uint64_t(i));
}

constexpr KernelRow rows[] = {{OpId::random_bits, random_bits}};

}  // namespace

std::span<const KernelRow> random_kernels() { return rows; }

}  // namespace ember::native
#endif
