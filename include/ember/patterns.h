// Patterns of nodes that libraries compute in one call.
#pragma once
#include <optional>

#include "ember/engine.h"

namespace ember {

// How many inputs of nodes each node is.
EMBER_API std::vector<uint32_t> count_uses(const Slice&);

// minimum(maximum(x, low), high), whose bounds are scalars; all are nodes.
struct Clamp {
  uint32_t x, low, high;
};
// The clamp whose minimum is this node, if nothing else reads its maximum. uses: of count_uses().
EMBER_API std::optional<Clamp> match_clamp(const Slice&, uint32_t node,
                                           std::span<const uint32_t> uses);

}  // namespace ember
