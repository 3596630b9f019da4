// The safetensors format: 8 bytes with the header's length, a JSON header, the arrays without gaps.
#pragma once
#include <map>

#include "src/io/host_array.h"

namespace ember::io {

using Metadata = std::map<std::string, std::string>;

// In the order of the header. With map, aligned arrays are in a private mapping of the file;
// others, and bools, whose bytes are checked, are copies.
EMBER_API NamedArrays read_safetensors(const std::string& path, Metadata* metadata = nullptr,
                                       bool map = false);
EMBER_API void write_safetensors(const std::string& path, std::span<const NamedView> arrays,
                                 const Metadata& metadata = {});

}  // namespace ember::io
