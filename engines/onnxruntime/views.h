// Outputs that are views of inputs, which need no session.
#pragma once
#include "ember/onnx_writer.h"

namespace ember::ort {

struct View {
  uint32_t input = 0;  // index of the slice's input
  Ints strides;
  onnx::Feed::Number offset;  // in elements, relative to the input's offset
  // A view, or a copy if the view would keep a much larger array alive.
  Value of(const Value&, const SliceNode&, std::span<const Param>) const;
};
// The input and layout of node i if it is a view of an input.
std::optional<View> find_view(const Slice&, uint32_t i);

// The part of a slice that some of its nodes need. A strided input that is dense with its axes
// permuted becomes a contiguous input and a transpose, so that it is read in place.
struct Part {
  struct Input {
    uint32_t place;  // index of the slice's input
    bool dense;      // its elements are contiguous from its offset on
  };
  Slice slice;
  std::vector<Input> inputs;
};
Part part_for(const Slice&, const std::vector<uint32_t>& wanted);

}  // namespace ember::ort
