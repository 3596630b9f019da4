// A plan under construction: the properties of each value of the slice.
#pragma once
#include <optional>

#include "ember/row.h"
#include "engines/native/plan/plan.h"

namespace ember::native {

// The layout of a value, in its own buffer or, for a view, in that of another value.
struct Layout {
  uint32_t base = none;
  int64_t offset = 0;
  uint32_t dynamic = none;
  Ints strides;
};

struct Info {
  uint32_t rep = none;   // the first equal value, or itself
  uint32_t step = none;  // the index of the group that computes it
  uint32_t end = 0;      // the last group that reads its buffer
  uint32_t uses = 0;
  uint32_t buffer = none;
  bool needs_buffer = false, wanted = false, owned = false;
  bool line = false;  // in its group, a tile of one repeated value per row, not one per element
  bool squeezed = false, uniform = false;
  bool channels_last = false;  // axis 1 is the last in memory
  uint32_t layer = none;       // the layer that it is a part of
  uint32_t slot_step = none;   // the group in which `slot` is valid
  uint16_t slot = 0;
  Layout at;
};

struct Group {  // the nodes of one step
  enum Kind : uint8_t { single, fused, layer } kind;
  int64_t split;  // fused: leading axes that are rows; -1: nothing is reduced
  std::vector<uint32_t> members;
  bool channels_last = false;  // fused: tiles run along the channels
};

// A convolution or product with constant weights, and its epilogue: the nodes behind it that it
// computes too.
struct LayerDraft {
  std::vector<uint32_t> members;  // in order; the layer's result is the last one's value
  uint32_t input = none, residual = none;
  uint32_t low = none, high = none;                     // clamp before the residual is added
  uint32_t last_low = none, last_high = none;           // clamp at the end
  uint32_t factor = none, divisor = none, half = none;  // x * half * erfc(x * factor / divisor)
  std::vector<float> weights;  // [filters, channels / groups, taps], with the epilogue's scales
  std::vector<float> bias;
  ConvShape shape;
  bool product = false;          // a product of matrices, not a convolution
  std::vector<uint32_t> before;  // layers that run in the same step before it, row by row
  bool joined = false;           // it is one of those
};

// Whether two lists of strides address the same elements.
inline bool same_strides(const Shape& shape, const Ints& a, const Ints& b) {
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] != 1 && a[i] != b[i]) return false;
  }
  return true;
}

inline Ints broadcast_strides(const Shape& shape, const Ints& strides, const Shape& full) {
  Ints r(full.size(), 0);
  const size_t off = full.size() - shape.size();
  for (size_t i = 0; i < shape.size(); ++i) r[off + i] = shape[i] == 1 ? 0 : strides[i];
  return r;
}

// Merges adjacent dimensions that one stride covers.
inline void collapse(Ints& dims, Ints& strides) {
  Ints d;
  Ints s;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] == 1) continue;
    if (!d.empty() && s.back() == strides[i] * dims[i]) {
      d.back() *= dims[i];
      s.back() = strides[i];
    } else {
      d.push_back(dims[i]);
      s.push_back(strides[i]);
    }
  }
  dims = d;
  strides = s;
}

// Strides of a dense array whose axis 1 is the last in memory.
inline Ints channels_last_strides(const Shape& shape) {
  Ints r(shape.size());
  int64_t step = r[1] = 1;
  step = shape[1];
  for (size_t i = shape.size(); i-- > 2;) {
    r[i] = step;
    step *= shape[i];
  }
  r[0] = step;
  return r;
}

// Not maximum and minimum, which distinguish -0 and 0.
inline bool commutes(OpId o) { return has_trait(o, t_commutative); }

struct Draft {
  explicit Draft(const Slice& s) : slice(s) {}
  const Slice& slice;
  Plan plan;
  std::vector<Info> info;
  std::vector<Type>
      extra_types;  // of the results of nodes with several; these values come after the nodes
  std::vector<Group> groups;  // one for each step; copies are added later
  std::vector<LayerDraft> layers;
  std::vector<uint32_t> emitted;   // layers in the order of the steps
  std::vector<uint8_t> donors;     // inputs whose memory an output reuses
  std::vector<uint32_t> value_of;  // the value that owns a buffer

  const SliceNode& node(uint32_t i) const { return slice.nodes[i]; }
  const Shape& shape(uint32_t v) const {
    return v < slice.nodes.size() ? node(v).shape : extra_types[v - slice.nodes.size()].shape;
  }
  DType dtype(uint32_t v) const {
    return v < slice.nodes.size() ? node(v).dtype : extra_types[v - slice.nodes.size()].dtype;
  }
  int64_t count(uint32_t v) const { return size_of(std::span<const int64_t>(shape(v))); }
  uint32_t rep(uint32_t i) const { return info[i].rep; }
  Operand operand(uint32_t v) const {
    const Layout& at = info[v].at;
    return {info[at.base].buffer, dtype(v), at.offset, at.dynamic, shape(v), at.strides};
  }
  // Adds a step that copies an operand, contiguous unless strides are given.
  Operand packed(Operand from, std::optional<Ints> strides = {}) {
    Buffer b{.dtype = from.dtype,
             .bytes = size_t(size_of(std::span<const int64_t>(from.shape))) * size_of(from.dtype),
             .op = name(OpId::copy)};
    plan.buffers.push_back(b);
    Operand to{uint32_t(plan.buffers.size() - 1),
               from.dtype,
               0,
               none,
               from.shape,
               strides ? *strides : contiguous_strides(from.shape)};
    Step c{.kind = Step::copy, .op = "copy"};
    c.in.push_back(std::move(from));
    c.out.push_back(to);
    plan.steps.push_back(std::move(c));
    return to;
  }
  // The operand of a value that is not a view.
  Operand own_operand(uint32_t v) const {
    return {info[v].buffer, dtype(v), 0, none, shape(v), info[v].at.strides};
  }
  // Adds the terms of a slice whose axis d starts at params[first + d]; returns the last one.
  uint32_t add_terms(uint32_t before, uint32_t first, const Ints& strides) {
    for (size_t d = 0; d < strides.size(); ++d) {
      plan.terms.push_back({before, first + uint32_t(d), strides[d]});
      before = uint32_t(plan.terms.size() - 1);
    }
    return before;
  }
};

void match_layers(Draft&);  // before values are grouped
void emit_layer(Draft&, uint32_t layer);
void pack_layers(Draft&);           // after their steps are emitted
void fuse(Draft&, uint32_t group);  // adds the step of a fused group to the plan

}  // namespace ember::native
