// Outputs of a slice that are inputs looked at in another way need no session.
#pragma once
#include "ember/onnx_writer.h"

namespace ember::ort {

struct View {
  uint32_t input = 0;  // of the slice
  Ints strides;
  onnx::Feed::Number offset;  // in elements, from the input's own
  // Without a copy, unless it would keep a much larger array alive.
  Value of(const Value&, const SliceNode&, std::span<const Param>) const;
};
// What node i is a view of, if it is one.
std::optional<View> find_view(const Slice&, uint32_t i);

// The part of a slice that some of its nodes need. An input with strides that fills its memory, in
// whatever order of its axes, becomes one without, and a transpose: it is read where it is.
struct Part {
  struct Input {
    uint32_t place;  // among the slice's
    bool dense;      // its elements lie one after the other, from its offset on
  };
  Slice slice;
  std::vector<Input> inputs;
};
Part part_for(const Slice&, const std::vector<uint32_t>& wanted);

}  // namespace ember::ort
