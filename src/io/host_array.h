// Arrays in host memory that are read from or written to files.
#pragma once
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ember/engine.h"

namespace ember::io {

// The size of an array in bytes, or nullopt on overflow. Extents of 0 do not hide an overflow of
// the others.
inline std::optional<uint64_t> checked_bytes(DType dtype, std::span<const int64_t> shape) {
  constexpr uint64_t limit = std::numeric_limits<int64_t>::max();
  uint64_t n = size_of(dtype);
  bool empty = false;
  for (int64_t d : shape) {
    if (d < 0) return std::nullopt;
    if (d == 0) {
      empty = true;
    } else if (n > limit / uint64_t(d)) {
      return std::nullopt;
    } else {
      n *= uint64_t(d);
    }
  }
  return empty ? 0 : n;
}

// An array to write: contiguous, row-major, not owned.
struct ArrayView {
  DType dtype = DType::float32;
  Shape shape;
  const void* data = nullptr;
  size_t bytes() const { return size_t(ember::size_of(shape)) * size_of(dtype); }
};
using NamedView = std::pair<std::string, ArrayView>;

// An array that was read: contiguous, row-major, with its storage.
class HostArray {
 public:
  HostArray(DType d, Shape s) : dtype(d), shape(std::move(s)), storage(allocate(view_bytes())) {}
  HostArray(DType d, Shape s, Storage* owned) : dtype(d), shape(std::move(s)), storage(owned) {}
  HostArray(HostArray&& o) noexcept
      : dtype(o.dtype), shape(std::move(o.shape)), storage(std::exchange(o.storage, nullptr)) {}
  HostArray& operator=(HostArray&& o) noexcept {
    std::swap(dtype, o.dtype);
    std::swap(shape, o.shape);
    std::swap(storage, o.storage);
    return *this;
  }
  ~HostArray() {
    if (storage) drop(storage);
  }
  size_t bytes() const { return view_bytes(); }
  std::byte* data() const { return storage->data; }
  ArrayView view() const { return {dtype, shape, storage->data}; }
  Storage* release() { return std::exchange(storage, nullptr); }  // the caller owns it

  DType dtype;
  Shape shape;
  Storage* storage;

 private:
  size_t view_bytes() const { return size_t(ember::size_of(shape)) * size_of(dtype); }
};
using NamedArrays = std::vector<std::pair<std::string, HostArray>>;

// Bytes of a file other than 0 and 1 must not become C++ bools.
inline void normalise_bools(std::byte* p, size_t n) {
  for (size_t i = 0; i < n; ++i) p[i] = std::byte(p[i] != std::byte(0));
}

}  // namespace ember::io
