// Patterns of nodes that libraries compute in one call.
#include "ember/patterns.h"

namespace ember {

std::vector<uint32_t> count_uses(const Slice& s) {
  std::vector<uint32_t> uses(s.nodes.size());
  for (const SliceNode& n : s.nodes) {
    for (uint32_t i : n.in) ++uses[i];
  }
  return uses;
}

std::optional<Clamp> match_clamp(const Slice& s, uint32_t node, std::span<const uint32_t> uses) {
  const auto is_scalar = [&](uint32_t i) { return s.nodes[i].op == OpId::scalar; };
  const SliceNode& outer = s.nodes[node];
  if (outer.op != OpId::minimum) return {};
  for (size_t k = 0; k < 2; ++k) {
    const uint32_t high = outer.in[1 - k];
    const SliceNode& inner = s.nodes[outer.in[k]];
    if (inner.op != OpId::maximum || inner.wanted || uses[outer.in[k]] != 1 || !is_scalar(high)) {
      continue;
    }
    for (size_t j = 0; j < 2; ++j) {
      if (is_scalar(inner.in[1 - j])) return Clamp{inner.in[j], inner.in[1 - j], high};
    }
  }
  return {};
}

}  // namespace ember
