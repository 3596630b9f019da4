// Runs float32 kernels on 16-bit floats.
#pragma once
#include <cstring>
#include <deque>

#include "engines/native/kernels/blas.h"

namespace ember::native {

// Casts n contiguous elements. Tile kernels work on 64 bytes at a time, so the remainder goes
// through a buffer.
inline void cast_elements(const std::byte* from, DType from_type, std::byte* to, DType to_type,
                          int64_t n) {
  const TileFn cast = cast_kernel(from_type, to_type);
  if (!cast) {
    throw UnsupportedError("cannot cast " + std::string(name(from_type)) + " to " +
                           std::string(name(to_type)));
  }
  constexpr int64_t step = 64;  // elements: whole 64 bytes of any dtype
  const size_t from_size = size_of(from_type);
  const size_t to_size = size_of(to_type);
  parallel_for(n / step, 512, [&](int64_t begin, int64_t end) {
    const size_t at = size_t(begin * step);
    cast(to + at * to_size, from + at * from_size, nullptr, nullptr, 0,
         size_t((end - begin) * step));
  });
  const size_t done = size_t(n / step * step);
  const size_t rest = size_t(n) - done;
  if (!rest) return;
  alignas(64) std::byte in[step * 16] = {};
  alignas(64) std::byte out[step * 16];
  std::memcpy(in, from + done * from_size, rest * from_size);
  cast(out, in, nullptr, nullptr, 0, rest);
  std::memcpy(to + done * to_size, out, rest * to_size);
}

// Runs a float32 kernel with one output: widens the inputs, and rounds the result once.
inline void run_widened(const Call& call, Kernel kernel) {
  std::deque<Scratch<float>> memory;
  const auto wide = [&](Array a) {
    a.dtype = DType::float32;
    a.data = reinterpret_cast<std::byte*>(memory.emplace_back(a.size).data());
    return a;
  };
  std::vector<Array> in;
  for (const Array& a : call.in) {
    in.push_back(wide(a));
    cast_elements(a.data, a.dtype, in.back().data, DType::float32, a.size);
  }
  const Array& result = call.out[0];
  const Array out = wide(result);
  kernel({in, {&out, 1}, call.attrs});
  cast_elements(out.data, DType::float32, result.data, result.dtype, result.size);
}

}  // namespace ember::native
