// Graph files: a graph as they say it, with names in place of operands. docs/webnn.md describes
// both forms.
#pragma once
#include "src/webnn/state.h"

namespace ember::webnn::file {

struct Const {
  std::string name;
  MLOperandDescriptor type;
  // One of these: a tensor of the weights' file, a number that fills the shape, the bytes
  // themselves.
  std::optional<std::string> weights;
  std::optional<MLNumber> number;
  std::string bytes;
};
struct Node {
  std::string op;
  std::vector<std::string> inputs, outputs;
  Options options;  // operands by name, as strings; data types as strings too
};
struct Graph {
  std::string name;
  bool quantized = false;
  std::vector<std::pair<std::string, MLOperandDescriptor>> inputs;
  std::vector<Const> consts;
  std::vector<Node> nodes;
  std::vector<std::pair<std::string, std::string>> outputs;  // name, what it is
};
using Sizes = std::map<std::string, uint32_t, std::less<>>;

Graph parse(std::string_view text, const std::string& path,
            const Sizes& sizes);  // either form; IoError
std::string json_of(const Graph&);
std::optional<std::string> text_of(
    const Graph&);  // nothing where the text form has no words for a name

// A file of weights. Constants that name one tensor share it.
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
