// What ATen has as one call that needs no tensor for a scalar, or is two nodes of the graph: a
// value held between scalars, and a product with something added.
#include "engines/torch/torch.h"

namespace ember::torch {
namespace {

bool real(DType t) { return t == DType::float32 || t == DType::float64; }
bool bounded(DType t) { return real(t) || t == DType::int32 || t == DType::int64; }

// ATen refuses numbers that the dtype cannot hold; to Ember they are infinite.
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
// One bound alone, the other operand being input k. relu is such a one.
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

// The inputs of n and of the node `inner`, which n alone reads, as those of one node; nothing if
// they are no such pair.
Small<uint32_t, 3> joined(const Slice& s, const SliceNode& n, const SliceNode& inner,
                          uint32_t other) {
  const auto& nodes = s.nodes;
  if (n.op == OpId::minimum && inner.op == OpId::maximum && nodes[other].op == OpId::scalar &&
      bounded(n.dtype)) {
    for (size_t j = 0; j < 2; ++j) {
      if (nodes[inner.in[j]].op == OpId::scalar && nodes[inner.in[1 - j]].shape == n.shape) {
        return {inner.in[1 - j], inner.in[j], other};
      }
    }
  }
  if (n.op == OpId::add && inner.op == OpId::matmul && real(n.dtype) && n.shape.size() == 2 &&
      inner.shape == n.shape && size_of(n.shape) > 1) {
    return {inner.in[0], inner.in[1], other};
  }
  return {};
}

}  // namespace

One folded_kernel(const SliceNode& n, const Slice& s) {
  if (n.in.size() == 3) {
    return n.op == OpId::minimum ? clamp : n.op == OpId::add ? add_product : nullptr;
  }
  if ((n.op != OpId::maximum && n.op != OpId::minimum) || !bounded(n.dtype)) return nullptr;
  for (size_t k = 0; k < 2; ++k) {
    if (s.nodes[n.in[1 - k]].op == OpId::scalar && s.nodes[n.in[k]].op != OpId::scalar) {
      return n.op == OpId::maximum ? (k ? clamp_min<1> : clamp_min<0>)
             : k                   ? clamp_max<1>
                                   : clamp_max<0>;
    }
  }
  return nullptr;
}

Slice folded(const Slice& given) {
  Slice s = given;
  std::vector<uint32_t> uses(s.nodes.size());
  std::vector<uint32_t> place(s.nodes.size());
  std::vector<bool> gone(s.nodes.size());
  for (const SliceNode& n : s.nodes) {
    for (uint32_t i : n.in) ++uses[i];
  }
  for (SliceNode& n : s.nodes) {
    for (size_t k = 0; k < 2 && n.in.size() == 2; ++k) {
      const uint32_t inner = n.in[k];
      if (uses[inner] != 1 || s.nodes[inner].wanted || s.nodes[inner].in.size() != 2) continue;
      if (auto in = joined(s, n, s.nodes[inner], n.in[1 - k]); !in.empty()) {
        n.in = in;
        gone[inner] = true;
      }
    }
  }
  std::vector<SliceNode> kept;
  for (size_t i = 0; i < s.nodes.size(); ++i) {
    place[i] = uint32_t(kept.size());
    if (gone[i]) continue;
    for (uint32_t& k : s.nodes[i].in) k = place[k];
    kept.push_back(std::move(s.nodes[i]));
  }
  s.nodes = std::move(kept);
  for (uint32_t& i : s.inputs) i = place[i];
  for (uint32_t& i : s.outputs) i = place[i];
  return s;
}

}  // namespace ember::torch
