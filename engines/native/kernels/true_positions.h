// The positions of true bytes, in vectors.
#pragma once
#include <cstdint>

namespace ember::native {

// Writes first, first + 1, ... for those of p[0], p[1], ... that are not zero, until `end` is
// reached: so many bytes are not zero. Writes nothing at or past `end` and reads no byte that
// follows the last one that counts.
void write_true_positions(const uint8_t* p, int64_t first, int64_t* to, int64_t* end);

}  // namespace ember::native
