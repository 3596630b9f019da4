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

// One axis of an input or output: a number, or what the file calls it while it is open, perhaps
// nothing.
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

// The strings of a network. A tensor of strings is an int64 tensor of their places here; those that
// a network does not name, and that are only passed through it, get the places behind its own.
class EMBER_API Vocabulary {
 public:
  int64_t add(std::string_view);  // its place
  std::optional<int64_t> find(std::string_view) const;
  const std::string& operator[](int64_t place) const;  // IndexError

 private:
  std::vector<std::string> strings_;
  std::unordered_map<std::string, int64_t> places_;
};

// A network is compiled once for each set of input types (the last few are kept), with its weights
// as constants. Where a shape or a branch depends on values of an input, a small input counts as
// part of its type, and with a large one nothing is compiled: the network is recorded anew at each
// call. Copies share everything.
class EMBER_API Network {
 public:
  const std::vector<Port>& inputs() const;  // those without a value in the file
  // Inputs with a value in the file, which a call may replace (from version 4 of the format on).
  const std::vector<Port>& defaults() const;
  const std::vector<Port>& outputs() const;
  int64_t opset() const;  // of ai.onnx
  const std::string& producer() const;
  const Metadata& metadata() const;
  std::vector<std::pair<std::string, int64_t>> operators()
      const;  // which the graph has, and how often

  const Vocabulary& vocabulary() const;

  // Tensors by the names of the inputs, one for each; the results by the names of the outputs.
  TensorMap operator()(const TensorMap& inputs) const;
  // The outputs as they follow from the inputs (placeholders, in order): for programs, conversion
  // and export. Nothing is computed but what depends on no input. UnsupportedError where a shape or
  // a branch depends on an input's value. fixed: inputs by name that are given a value for good;
  // the placeholders are those of the others.
  std::vector<Tensor> record(std::span<const Tensor> inputs, const TensorMap& fixed = {}) const;

 private:
  friend EMBER_API Network load(const std::string&);
  friend EMBER_API Network parse(std::string_view, const std::string&);
  struct Impl;
  explicit Network(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
  std::shared_ptr<Impl> impl_;
};

// Everything is checked here that does not depend on the inputs' shapes: IoError, ValueError (a
// graph that makes no sense), UnsupportedError naming the operator. Weights in files of their own
// must be in the model's folder.
EMBER_API Network load(const std::string& path);
EMBER_API Network parse(std::string_view bytes,
                        const std::string& folder = "");  // no folder: no weights in other files

// Writes outputs, as they follow from inputs (placeholders), as a model that takes the inputs and
// gives the outputs; every other tensor that they read is a weight in it. What ONNX has no operator
// for is an UnsupportedError that names the op.
struct SaveOptions {
  std::vector<std::string> inputs,
      outputs;            // names: input_0, ..., output_0, ... unless they are given
  bool external = false;  // weights in a file beside the model, as they are anyway above 1.5 GB
  std::optional<int64_t> opset;  // 13 to 28; unless it is given 21, or what the operators need
};
EMBER_API void save(const std::string& path, std::span<const Tensor> inputs,
                    std::span<const Tensor> outputs, const SaveOptions& = {});

// The operators that Ember reads.
struct Operator {
  const char* name;
  int since;                // the opset that it came with
  const char* note;         // what of it is not supported; "" where all is
  const char* domain = "";  // ai.onnx; others by their names
};
EMBER_API std::span<const Operator> operators();
inline constexpr int64_t oldest_opset = 1, newest_opset = 28, oldest_written_opset = 13;

}  // namespace ember::onnx
