// NumPy's .npy format, versions 1 to 3. Arrays of Python objects and of records are refused;
// nothing is ever unpickled.
#pragma once
#include "src/io/host_array.h"

namespace ember::io {

// Big-endian and column-major files are converted. With map, the array lies in a private mapping
// where nothing is to convert.
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
  bool swapped = false;  // the bytes of a number are in the other order
  bool columns = false;  // column major
  uint64_t data = 0;     // where the elements begin
  uint64_t bytes = 0;    // how many bytes they take; size == data + bytes
};
// size: of the whole file or entry. where: how messages begin, such as "x.npz": entry "a.npy"
NpyHeader read_npy_header(Source& source, uint64_t size, const std::string& where);
HostArray read_npy_data(Source& source, const NpyHeader& header);
EMBER_API std::string npy_header(
    const ArrayView& array);  // DTypeError where the format has no such dtype

}  // namespace ember::io
