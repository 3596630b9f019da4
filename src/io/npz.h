// NumPy's .npz format: a zip archive of .npy files.
#pragma once
#include "src/io/host_array.h"

namespace ember::io {

// In the order of the archive. Names are those of the entries without ".npy". Nothing is unpacked
// to disk, so "../x" is only a name.
EMBER_API NamedArrays read_npz(const std::string& path);
EMBER_API void write_npz(const std::string& path, std::span<const NamedView> arrays,
                         bool compressed = false);

}  // namespace ember::io
