// Files: safetensors, .npy and .npz. The extension selects the format. Loading never runs code;
// saving is atomic.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "ember/tensor.h"

namespace ember {

using TensorMap = std::map<std::string, Tensor>;
using Metadata = std::map<std::string, std::string>;

// .npy, or .safetensors under the name "tensor".
EMBER_API void save(const std::string& path, const Tensor& x);
// .safetensors or .npz.
EMBER_API void save(const std::string& path, const TensorMap& xs, const Metadata& meta = {});
EMBER_API Tensor load(const std::string& path, bool map = false);  // a file with one tensor
EMBER_API TensorMap load_all(const std::string& path, bool map = false, Metadata* meta = nullptr);

}  // namespace ember
