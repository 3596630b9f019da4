// Ember's random bits: Philox4x32-10, a counter-based generator. Word i of a draw depends only on
// the key, the counter and i, so every engine produces the same words: it is word i % 4 of
// philox_block(key, counter + i / 4).
#pragma once
#include <array>
#include <cstdint>

namespace ember {

inline constexpr uint32_t philox_multiplier[2] = {0xD2511F53, 0xCD9E8D57};
// Added to the key in each round.
inline constexpr uint32_t philox_weyl[2] = {0x9E3779B9, 0xBB67AE85};
inline constexpr int philox_rounds = 10;

constexpr std::array<uint32_t, 4> philox4x32(std::array<uint32_t, 4> ctr,
                                             std::array<uint32_t, 2> key) {
  for (int round = 0; round < philox_rounds; ++round) {
    const uint64_t a = uint64_t(philox_multiplier[0]) * ctr[0];
    const uint64_t b = uint64_t(philox_multiplier[1]) * ctr[2];
    ctr = {uint32_t(b >> 32) ^ ctr[1] ^ key[0], uint32_t(b), uint32_t(a >> 32) ^ ctr[3] ^ key[1],
           uint32_t(a)};
    key = {key[0] + philox_weyl[0], key[1] + philox_weyl[1]};
  }
  return ctr;
}

// The four words at a 64-bit counter. The upper 64 bits of the counter are zero.
constexpr std::array<uint32_t, 4> philox_block(uint64_t key, uint64_t counter) {
  return philox4x32({uint32_t(counter), uint32_t(counter >> 32), 0, 0},
                    {uint32_t(key), uint32_t(key >> 32)});
}

// Word i of the draw that starts at counter, modulo 2^64.
constexpr uint32_t philox_word(uint64_t key, uint64_t counter, uint64_t i) {
  return philox_block(key, counter + i / 4)[i % 4];
}

}  // namespace ember
