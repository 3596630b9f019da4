// The counters behind ember::counters().
#pragma once
#include <atomic>
#include <cstdint>

namespace ember {

struct Tally {
  std::atomic<uint64_t> compiled{0}, cache_hits{0}, evaluations{0}, fallbacks{0}, allocations{0},
      copies{0};
};
Tally& tally();

}  // namespace ember
