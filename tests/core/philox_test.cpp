// Philox against its published known answers.
#include "src/core/philox.h"

#include <gtest/gtest.h>

namespace ember {
namespace {

using Words = std::array<uint32_t, 4>;

// Known answers published by Random123 for philox4x32 with 10 rounds.
TEST(Philox, KnownAnswers) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
            (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr uint32_t ones = 0xffffffff;
  EXPECT_EQ(philox4x32({ones, ones, ones, ones}, {ones, ones}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, BlocksAndWords) {
  const uint64_t key = 0x0123456789abcdef;
  const uint64_t counter = 0xfffffffffffffffe;
  EXPECT_EQ(philox_block(key, 0x500000007), philox4x32({7, 5, 0, 0}, {0x89abcdef, 0x01234567}));
  for (uint64_t i = 0; i < 16; ++i) {
    EXPECT_EQ(philox_word(key, counter, i), philox_block(key, counter + i / 4)[i % 4]);
  }
  EXPECT_EQ(philox_word(key, counter, 8), philox_block(key, 0)[0]);  // the counter wraps
}

static_assert(philox4x32({0, 0, 0, 0}, {0, 0})[0] == 0x6627e8d5, "usable in constant expressions");

}  // namespace
}  // namespace ember
