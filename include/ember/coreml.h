// Export to Core ML: a graph as an ML program in a .mlpackage, for macOS 13, iOS 16 and later.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "ember/tensor.h"

namespace ember::coreml {

struct SaveOptions {
  // Names of the model's inputs and outputs; by default input_0, ..., output_0, ... Core ML allows
  // letters, digits and underscores; every other character becomes an underscore.
  std::vector<std::string> inputs, outputs;
};

// Writes the graph from the inputs (placeholders) to the outputs as a model package at path. Every
// other tensor that the graph reads becomes a weight. Core ML has float32, float16, int32 and bool:
// int64 is stored as int32 (a constant that does not fit is an UnsupportedError), and bool inputs
// and outputs are int32. An op that Core ML cannot express is an UnsupportedError that names it. An
// existing package at path is replaced atomically; any other file or folder there is an IoError.
EMBER_API void save(const std::string& path, std::span<const Tensor> inputs,
                    std::span<const Tensor> outputs, const SaveOptions& = {});

}  // namespace ember::coreml
