// NumPy's .npy format, versions 1 to 3. Arrays of Python objects and records are rejected; nothing
// is unpickled.
#pragma once
#include "src/io/host_array.h"

namespace ember::io {

// Converts big-endian and column-major files. With map, an array that needs no conversion is in a
// private mapping of the file.
EMBER_API HostArray read_npy(const std::string& path, bool map = false);
EMBER_API void write_npy(const std::string& path, const ArrayView& array);

// A stream of bytes: a file, or an entry of an archive.
struct Source {
  virtual ~Source() = default;
  virtual void read(void* out, size_t n) = 0;  // all of n, or IoError
};

struct NpyHeader {
  DType dtype = DType::float32;
  Shape shape;
  bool swapped = false;  // not in the byte order of this machine
  bool columns = false;  // column-major
  uint64_t data = 0;     // offset of the elements
  uint64_t bytes = 0;    // their size; size == data + bytes
};
// size: of the whole file or entry. where: a prefix for messages, such as "x.npz": entry "a.npy"
NpyHeader read_npy_header(Source& source, uint64_t size, const std::string& where);
HostArray read_npy_data(Source& source, const NpyHeader& header);
// DTypeError if the format does not have the dtype.
EMBER_API std::string npy_header(const ArrayView& array);

}  // namespace ember::io
