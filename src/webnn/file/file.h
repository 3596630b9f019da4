// Graph files: a graph with names in place of operands. docs/webnn.md describes both forms.
#pragma once
#include "src/webnn/state.h"

namespace ember::webnn::file {

struct Const {
  std::string name;
  MLOperandDescriptor type;
  // Exactly one of these is set: the name of a tensor in the weights' file, a number that fills the
  // shape, or the bytes.
  std::optional<std::string> weights;
  std::optional<MLNumber> number;
  std::string bytes;
};
struct Node {
  std::string op;
  std::vector<std::string> inputs, outputs;
  Options options;  // operands and data types are strings
};
struct Graph {
  std::string name;
  bool quantized = false;
  std::vector<std::pair<std::string, MLOperandDescriptor>> inputs;
  std::vector<Const> consts;
  std::vector<Node> nodes;
  std::vector<std::pair<std::string, std::string>> outputs;  // name, operand
};
using Sizes = std::map<std::string, uint32_t, std::less<>>;

// Reads either form; IoError.
Graph parse(std::string_view text, const std::string& path, const Sizes& sizes);
std::string json_of(const Graph&);
// Nullopt if the text form cannot express a name.
std::optional<std::string> text_of(const Graph&);

// A file of weights. Constants that name the same tensor share it.
struct Weights {
  struct Entry {
    DType stored;
    Shape shape;
    Tensor tensor;
  };
  std::string path;
  std::map<std::string, Entry, std::less<>> entries;
  Tensor find(const std::string& graph, const Const&) const;
};
Weights read_weights(const std::string& graph, const MLGraphFiles& given);

}  // namespace ember::webnn::file
