// The safetensors format: 8 bytes of header length, a JSON header, the arrays without gaps.
#pragma once
#include <map>

#include "src/io/host_array.h"

namespace ember::io {

using Metadata = std::map<std::string, std::string>;

// In the order of the header. With map, arrays lie in a private mapping of the file where their
// alignment allows it (bools never do: their bytes are checked), else they are copies.
EMBER_API NamedArrays read_safetensors(const std::string& path, Metadata* metadata = nullptr,
                                       bool map = false);
EMBER_API void write_safetensors(const std::string& path, std::span<const NamedView> arrays,
                                 const Metadata& metadata = {});

}  // namespace ember::io
