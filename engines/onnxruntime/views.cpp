#include "engines/onnxruntime/views.h"

#include "ember/row.h"

namespace ember::ort {
namespace {

bool is_contiguous(const Shape& shape, const Ints& strides) {
  const Ints plain = contiguous_strides(shape);
  for (size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] != 1 && strides[d] != plain[d]) return false;
  }
  return true;
}

}  // namespace

std::optional<View> find_view(const Slice& s, uint32_t i) {
  constexpr size_t longest = 32;
  std::vector<uint32_t> chain;  // from the node to the leaf
  for (;; i = s.nodes[i].in[0]) {
    const OpId op = s.nodes[i].op;
    if (op == OpId::leaf) break;
    if (!has_trait(op, t_view) || op == OpId::as_strided || chain.size() == longest) return {};
    if (size_of(s.nodes[i].shape) == 0) return {};
    chain.push_back(i);
  }
  if (s.nodes[i].constant) return {};
  View v{uint32_t(std::find(s.inputs.begin(), s.inputs.end(), i) - s.inputs.begin()), {}, {}};
  v.strides = s.nodes[i].strided ? s.nodes[i].strides : contiguous_strides(s.nodes[i].shape);
  for (auto at = chain.rbegin(); at != chain.rend(); ++at) {
    const SliceNode& n = s.nodes[*at];
    const Shape& shape = s.nodes[n.in[0]].shape;
    if (n.op == OpId::identity) continue;
    Ints strides;
    if (n.op == OpId::reshape) {
      if (!is_contiguous(shape, v.strides)) return {};
      strides = contiguous_strides(n.shape);
    } else if (n.op == OpId::transpose) {
      for (int64_t a : n.attrs.as<PermutationAttr>().axes) strides.push_back(v.strides[size_t(a)]);
    } else if (n.op == OpId::slice) {
      for (size_t d = 0; d < shape.size(); ++d) {
        strides.push_back(v.strides[d] * n.attrs.as<SliceAttr>().steps[d]);
        v.offset.terms.emplace_back(n.param + uint32_t(d), v.strides[d]);
      }
    } else {
      strides.resize(n.shape.size() - shape.size(), 0);
      for (size_t d = 0; d < shape.size(); ++d) strides.push_back(shape[d] == 1 ? 0 : v.strides[d]);
    }
    v.strides = std::move(strides);
  }
  return v;
}

Value View::of(const Value& in, const SliceNode& n, std::span<const Param> params) const {
  Value v{.storage = in.storage,
          .offset = in.offset + offset(params),
          .strides = strides,
          .strided = true};
  if (v.offset == 0 && is_contiguous(n.shape, strides)) {
    v.strides.clear();
    v.strided = false;
  }
  const size_t own = size_t(size_of(n.shape)) * size_of(n.dtype);
  if (in.storage->bytes > 4096 && in.storage->bytes / 4 > own) {
    return {.storage = pack(v, {n.dtype, n.shape})};
  }
  retain(v.storage);
  return v;
}

Part part_for(const Slice& s, const std::vector<uint32_t>& wanted) {
  std::vector<bool> needed(s.nodes.size(), false);
  for (uint32_t i : wanted) needed[i] = true;
  for (uint32_t i = uint32_t(s.nodes.size()); i--;) {
    if (needed[i]) {
      for (uint32_t k : s.nodes[i].in) needed[k] = true;
    }
  }
  Part p;
  std::vector<uint32_t> at(s.nodes.size());
  std::vector<uint32_t> leaf(s.nodes.size());
  std::vector<bool> dense(s.nodes.size(), false);
  const auto add = [&](SliceNode n) {
    p.slice.nodes.push_back(std::move(n));
    return uint32_t(p.slice.nodes.size() - 1);
  };
  for (uint32_t i = 0; i < s.nodes.size(); ++i) {
    if (!needed[i]) continue;
    SliceNode n = s.nodes[i];
    for (uint32_t& k : n.in) k = at[k];
    if (n.op != OpId::leaf || !n.strided || n.constant) {
      at[i] = leaf[i] = add(std::move(n));
      continue;
    }
    Ints order;
    Ints strides;
    Ints back(n.shape.size());  // the axes in the order of memory
    Shape shape;
    for (size_t d = 0; d < n.shape.size(); ++d) order.push_back(int64_t(d));
    std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
      return n.strides[size_t(a)] > n.strides[size_t(b)];
    });
    for (size_t k = 0; k < order.size(); ++k) {
      const size_t d = size_t(order[k]);
      shape.push_back(n.shape[d]);
      strides.push_back(n.strides[d]);
      back[d] = int64_t(k);
    }
    dense[i] = is_contiguous(shape, strides);
    const SliceNode as_read{.op = OpId::transpose,
                            .dtype = n.dtype,
                            .wanted = false,
                            .shape = n.shape,
                            .in = {},
                            .attrs = PermutationAttr{.axes = back}};
    if (dense[i]) {
      n.shape = shape;
      n.strided = false;
      n.strides.clear();
    }
    at[i] = leaf[i] = add(std::move(n));
    if (dense[i] && !std::is_sorted(order.begin(), order.end())) {
      at[i] = add(as_read);
      p.slice.nodes.back().in = {leaf[i]};
    }
  }
  for (uint32_t k = 0; k < s.inputs.size(); ++k) {
    if (needed[s.inputs[k]]) {
      p.slice.inputs.push_back(leaf[s.inputs[k]]);
      p.inputs.push_back({k, bool(dense[s.inputs[k]])});
    }
  }
  for (uint32_t i : wanted) p.slice.outputs.push_back(at[i]);
  return p;
}

}  // namespace ember::ort
