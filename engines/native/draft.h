// A plan in the making: what is known about each value of the slice.
#pragma once
#include <optional>

#include "engines/native/plan.h"

namespace ember::native {

// How a value is laid out: a place in the buffer of another value, or its own.
struct Layout {
  uint32_t base = none;
  int64_t offset = 0;
  Small<DynamicTerm, 2> dynamic;
  Ints strides;
};

struct Info {
  uint32_t rep = none;       // the earlier equal value, or itself
  uint32_t step = none;      // which group or kernel makes it
  uint32_t last = 0;         // the last step that reads its buffer
  uint32_t uses = 0;
  uint32_t buffer = none;
  bool needs_buffer = false, wanted = false, owned = false;
  bool line = false, squeezed = false, uniform = false;
  uint32_t slot_step = none;  // step for which `slot` holds
  uint16_t slot = 0;
  Layout at;
};

struct Group {  // what one step computes
  bool fused;
  int64_t split;  // fused: leading axes that are rows; -1: nothing is reduced
  std::vector<uint32_t> members;
};

inline bool contiguous(const Shape& shape, const Ints& strides) {
  int64_t step = 1;
  for (size_t i = shape.size(); i--;) {
    if (shape[i] != 1 && strides[i] != step) return false;
    step *= shape[i];
  }
  return true;
}

inline Ints broadcast_strides(const Shape& shape, const Ints& strides, const Shape& full) {
  Ints r(full.size(), 0);
  const size_t off = full.size() - shape.size();
  for (size_t i = 0; i < shape.size(); ++i) r[off + i] = shape[i] == 1 ? 0 : strides[i];
  return r;
}

// Adjacent dimensions that one stride can walk become one.
inline void collapse(Ints& dims, Ints& strides) {
  Ints d, s;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] == 1) continue;
    if (!d.empty() && s.back() == strides[i] * dims[i]) d.back() *= dims[i], s.back() = strides[i];
    else d.push_back(dims[i]), s.push_back(strides[i]);
  }
  dims = d, strides = s;
}

inline bool commutes(OpId o) { return o == OpId::add || o == OpId::multiply; }  // maximum and minimum tell zeros apart

struct Draft {
  explicit Draft(const Slice& s) : slice(s) {}
  const Slice& slice;
  Plan plan;
  std::vector<Info> info;
  std::vector<Type> extra_types;   // of the outputs of nodes with several: values after the nodes
  std::vector<Group> groups;       // one to a step, before copies are added
  std::vector<uint8_t> donors;     // inputs whose memory some output takes
  std::vector<uint32_t> value_of;  // of the buffers that values own

  const SliceNode& node(uint32_t i) const { return slice.nodes[i]; }
  const Shape& shape(uint32_t v) const { return v < slice.nodes.size() ? node(v).shape : extra_types[v - slice.nodes.size()].shape; }
  DType dtype(uint32_t v) const { return v < slice.nodes.size() ? node(v).dtype : extra_types[v - slice.nodes.size()].dtype; }
  int64_t count(uint32_t v) const { return size_of(std::span<const int64_t>(shape(v))); }
  uint32_t rep(uint32_t i) const { return info[i].rep; }
  Operand operand(uint32_t v) const {
    const Layout& at = info[v].at;
    return {info[at.base].buffer, dtype(v), at.offset, at.dynamic, shape(v), at.strides};
  }
  Operand fresh(uint32_t v) const { return {info[v].buffer, dtype(v), 0, {}, shape(v), contiguous_strides(shape(v))}; }
};

void fuse(Draft&, uint32_t group);  // adds the step of a fused group to the plan

}  // namespace ember::native
