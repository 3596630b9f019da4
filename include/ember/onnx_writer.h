// A slice of the graph as an ONNX model: what export writes to a file, and what the engine
// onnxruntime gives to a session.
#pragma once
#include <optional>
#include <utility>

#include "ember/engine.h"

namespace ember::onnx {

// Whether the node can be written with operators that ONNX Runtime computes for its dtypes.
// Plainly, it is the operator that ONNX has for it; exactly, it is more than one where ONNX
// Runtime's gives less than Ember does: NaN, overflow, long sums, small results.
enum class Style { plain, exact };
// opset: the operators may not be of a later one; without it, any may be used.
EMBER_API Support can_write(const SliceNode&, const Slice&, Style,
                            std::optional<int64_t> opset = {});

// A small input of an open model, beside the leaves: a scalar, or whole numbers that follow from
// extents and starts.
struct Feed {
  struct Number {
    int64_t base = 0;
    std::vector<std::pair<uint32_t, int64_t>> terms =
        {};             // a parameter, and what it is multiplied by
    bool stop = false;  // of a slice: below 0 it is before the first element
    EMBER_API int64_t operator()(std::span<const Param>) const;
  };
  std::string name;
  DType dtype = DType::int64;
  Shape shape;
  std::optional<uint32_t> scalar;  // the parameter it is
  std::vector<Number> numbers;     // otherwise
};

struct Writing {
  Style style = Style::plain;
  bool open =
      false;  // extents, scalars and starts are left open, so that one model serves many slices
  std::span<const Param> params;  // the values of scalars and starts, where it is not open
  std::vector<std::string> inputs,
      outputs;  // names; those of leaves and of outputs, in the slice's order, unless given
  size_t apart =
      SIZE_MAX;  // constants of this many bytes or more are left to the reader: external data
  std::string location;               // the file that the model says they are in
  std::optional<int64_t> opset = {};  // to write; else 21, or what the operators need
  bool nibbles = false;  // int4 and uint4 are themselves at the edges, packed; otherwise bytes
};
struct Written {
  struct Apart {
    std::string name;
    uint32_t leaf;           // a node of the slice
    uint64_t offset, bytes;  // in the file
  };
  std::string model;               // its bytes
  std::vector<uint32_t> inputs;    // which of the slice's inputs are inputs of the model, in order;
                                   // the feeds come after them
  std::vector<std::string> names;  // theirs
  std::vector<Feed> feeds;
  std::vector<std::string> outputs;
  std::vector<Apart> apart;
};
// UnsupportedError where can_write says no.
EMBER_API Written write(const Slice&, const Writing&);

}  // namespace ember::onnx
