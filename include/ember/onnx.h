// ONNX models: a network read from a file and run on the current backend.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ember/io.h"
#include "ember/tensor.h"

namespace ember::onnx {

// One axis of an input or output: an extent, or the name that the file gives an open axis (may be
// empty).
struct Dim {
  std::optional<int64_t> size;
  std::string name;
};
struct Port {
  std::string name;
  std::optional<DType> dtype;  // absent: strings, or an output without a type in the file
  std::optional<std::vector<Dim>> shape;  // absent: any number of dimensions
  bool strings = false;
};
EMBER_API std::string to_string(const Port&);  // "float32[batch, 3, 224, 224]"

// The strings of a network. A tensor of strings is an int64 tensor of indices into this table.
// Strings that only occur in inputs are appended.
class EMBER_API Vocabulary {
 public:
  int64_t add(std::string_view);  // its index
  std::optional<int64_t> find(std::string_view) const;
  const std::string& operator[](int64_t place) const;  // IndexError

 private:
  std::vector<std::string> strings_;
  std::unordered_map<std::string, int64_t> places_;
};

// A network is compiled once for each set of input types (the most recent ones are cached), with
// its weights as constants. If a shape or branch depends on the value of a small input, that value
// is part of the key; if it depends on a large input, the network is recorded anew at each call.
// Copies share all data.
class EMBER_API Network {
 public:
  const std::vector<Port>& inputs() const;  // inputs without a value in the file
  // Inputs with a value in the file, which a call may replace (file format 4 and later).
  const std::vector<Port>& defaults() const;
  const std::vector<Port>& outputs() const;
  int64_t opset() const;  // of ai.onnx
  const std::string& producer() const;
  const Metadata& metadata() const;
  // The operators of the graph and their counts.
  std::vector<std::pair<std::string, int64_t>> operators() const;

  const Vocabulary& vocabulary() const;

  // Takes one tensor per input, by name; returns the results by the names of the outputs.
  TensorMap operator()(const TensorMap& inputs) const;
  // Records the outputs as functions of the inputs (placeholders, in order), for programs,
  // conversion and export. Computes only values that depend on no input. UnsupportedError if a
  // shape or branch depends on an input's value. fixed: constant values for some inputs, by name;
  // the placeholders are for the others.
  std::vector<Tensor> record(std::span<const Tensor> inputs, const TensorMap& fixed = {}) const;

 private:
  friend EMBER_API Network load(const std::string&);
  friend EMBER_API Network parse(std::string_view, const std::string&);
  struct Impl;
  explicit Network(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<Impl> impl_;
};

// Checks everything that does not depend on the inputs' shapes: IoError, ValueError (an invalid
// graph), UnsupportedError naming the operator. Files with external weights must be in the model's
// folder.
EMBER_API Network load(const std::string& path);
// Without a folder, the model cannot have weights in other files.
EMBER_API Network parse(std::string_view bytes, const std::string& folder = "");

// Writes the graph from inputs (placeholders) to outputs as a model; every other tensor that it
// reads becomes a weight. An op that ONNX cannot express is an UnsupportedError that names it.
struct SaveOptions {
  // Names; by default input_0, ..., output_0, ...
  std::vector<std::string> inputs, outputs;
  bool external = false;         // weights in a separate file, as is always the case above 1.5 GB
  std::optional<int64_t> opset;  // 13 to 28; by default 21, or the lowest that the operators need
};
EMBER_API void save(const std::string& path, std::span<const Tensor> inputs,
                    std::span<const Tensor> outputs, const SaveOptions& = {});

// The operators that Ember can read.
struct Operator {
  const char* name;
  int since;                // the opset that introduced it
  const char* note;         // what is not supported; "" if everything is
  const char* domain = "";  // ai.onnx; other domains by their names
};
EMBER_API std::span<const Operator> operators();
inline constexpr int64_t oldest_opset = 1, newest_opset = 28, oldest_written_opset = 13;

}  // namespace ember::onnx
