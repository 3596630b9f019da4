// ATen calls that compute two nodes, or whose operand is a number instead of a tensor: clamp and
// addmm.
#include "ember/patterns.h"
#include "engines/torch/torch.h"

namespace ember::torch {
namespace {

bool is_real_float(DType t) { return t == DType::float32 || t == DType::float64; }
bool can_bound(DType t) { return is_real_float(t) || t == DType::int32 || t == DType::int64; }

// ATen rejects a number that overflows the dtype; in Ember it is infinite.
at::Scalar bound(const Call& c, size_t i) {
  const Param p = c.params[c.from(i).param];
  if (c.node.dtype == DType::float32) return double(float(p.f));
  return c.node.dtype == DType::float64 ? at::Scalar(p.f) : at::Scalar(p.i);
}
Array clamp(const Call& c) {
  if (Array* t = donated(c, 0)) {
    at::clamp_(*t, bound(c, 1), bound(c, 2));
    return std::move(*t);
  }
  return at::clamp(c[0], bound(c, 1), bound(c, 2));
}
// One bound: of input k, the other input being a scalar. relu is clamp_min.
template <size_t k> Array clamp_min(const Call& c) {
  if (Array* t = donated(c, k)) {
    at::clamp_min_(*t, bound(c, 1 - k));
    return std::move(*t);
  }
  return at::clamp_min(c[k], bound(c, 1 - k));
}
template <size_t k> Array clamp_max(const Call& c) {
  if (Array* t = donated(c, k)) {
    at::clamp_max_(*t, bound(c, 1 - k));
    return std::move(*t);
  }
  return at::clamp_max(c[k], bound(c, 1 - k));
}
Array add_product(const Call& c) { return at::addmm(c[2], c[0], c[1]); }

// A node that replaces another one, and the input of that one which it computes too.
struct Fused {
  Small<uint32_t, 3> in;
  uint32_t inner;
};
std::optional<Fused> match(const Slice& s, uint32_t node, std::span<const uint32_t> uses) {
  const SliceNode& n = s.nodes[node];
  if (n.op == OpId::minimum && can_bound(n.dtype)) {
    if (const auto c = match_clamp(s, node, uses)) {
      return Fused{{c->x, c->low, c->high}, n.in[n.in[0] == c->high ? 1 : 0]};
    }
  }
  if (n.op == OpId::add && is_real_float(n.dtype) && n.shape.size() == 2 && size_of(n.shape) > 1) {
    for (size_t k = 0; k < 2; ++k) {
      const SliceNode& product = s.nodes[n.in[k]];
      if (product.op == OpId::matmul && uses[n.in[k]] == 1 && !product.wanted &&
          product.shape == n.shape) {
        return Fused{{product.in[0], product.in[1], n.in[1 - k]}, n.in[k]};
      }
    }
  }
  return {};
}

}  // namespace

One fused_kernel(const SliceNode& n, const Slice& s) {
  if (n.in.size() == 3) {
    return n.op == OpId::minimum ? clamp : n.op == OpId::add ? add_product : nullptr;
  }
  if ((n.op != OpId::maximum && n.op != OpId::minimum) || !can_bound(n.dtype)) return nullptr;
  for (size_t k = 0; k < 2; ++k) {
    if (s.nodes[n.in[1 - k]].op != OpId::scalar || s.nodes[n.in[k]].op == OpId::scalar) continue;
    if (n.op == OpId::maximum) return k ? clamp_min<1> : clamp_min<0>;
    return k ? clamp_max<1> : clamp_max<0>;
  }
  return nullptr;
}

Slice fuse(const Slice& given) {
  Slice s = given;
  const std::vector<uint32_t> uses = count_uses(s);
  std::vector<bool> gone(s.nodes.size());
  for (uint32_t i = 0; i < s.nodes.size(); ++i) {
    if (auto fused = match(s, i, uses)) {
      s.nodes[i].in = std::move(fused->in);
      gone[fused->inner] = true;
    }
  }
  std::vector<SliceNode> kept;
  std::vector<uint32_t> new_index(s.nodes.size());
  for (size_t i = 0; i < s.nodes.size(); ++i) {
    new_index[i] = uint32_t(kept.size());
    if (gone[i]) continue;
    for (uint32_t& k : s.nodes[i].in) k = new_index[k];
    kept.push_back(std::move(s.nodes[i]));
  }
  s.nodes = std::move(kept);
  for (uint32_t& i : s.inputs) i = new_index[i];
  for (uint32_t& i : s.outputs) i = new_index[i];
  return s;
}

}  // namespace ember::torch
