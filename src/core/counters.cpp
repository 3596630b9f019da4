// Counts what the library did.
#include "src/core/counters.h"

#include "ember/backend.h"

namespace ember {

Tally& tally() {
  static Tally& t = *new Tally;
  return t;
}
void count_copy() { tally().copies.fetch_add(1, std::memory_order_relaxed); }
Counters counters() {
  const Tally& t = tally();
  return {t.compiled, t.cache_hits, t.evaluations, t.fallbacks, t.allocations, t.copies};
}

}  // namespace ember
