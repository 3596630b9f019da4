// Finds the kernel of an elementwise op for a dtype. Casts and rounding are in cast.cpp.
#include "engines/native/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engines/native/tiles/tiles.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cstring>

#include "engines/native/tiles/tiles.h"

HWY_BEFORE_NAMESPACE();
namespace ember::native::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
const char* target_name() { return hwy::TargetName(HWY_TARGET); }

// Whole cache lines at a time if vectors are that wide, so that the memory system does not read
// them first.
void stream_copy(std::byte* to, const std::byte* from, size_t bytes) {
  const hn::ScalableTag<uint8_t> d;
  size_t i = 0;
  for (; i + hn::Lanes(d) <= bytes; i += hn::Lanes(d)) {
    hn::Stream(hn::LoadU(d, reinterpret_cast<const uint8_t*>(from + i)), d,
               reinterpret_cast<uint8_t*>(to + i));
  }
  std::memcpy(to + i, from + i, bytes - i);
}
}  // namespace ember::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ember::native {
HWY_EXPORT(target_name);
HWY_EXPORT(stream_copy);
void stream_tile(std::byte* to, const std::byte* from, size_t bytes) {
  HWY_DYNAMIC_DISPATCH(stream_copy)(to, from, bytes);
}
const char* instruction_set() { return HWY_DYNAMIC_DISPATCH(target_name)(); }

namespace {
// The next 16-bit float, in float32 slots: the next bits, which have the order of the numbers for
// each sign.
template <class H>
void next_tile(void* out, const void* a, const void* b, const void*, unsigned lines, size_t n) {
  const auto* x = static_cast<const float*>(a);
  const auto* y = static_cast<const float*>(b);
  const size_t mx = lines & 1 ? 15 : ~size_t(0);
  const size_t my = lines & 2 ? 15 : ~size_t(0);
  for (size_t i = 0; i < n; ++i) {
    const float from = x[i & mx];
    const float to = y[i & my];
    H h(from);
    if (from == to || from != from || to != to) {
      h = H(from != from ? from : to);
    } else if (from == 0) {
      h.bits = uint16_t(to < 0 ? 0x8001 : 1);
    } else {
      h.bits = uint16_t(h.bits + ((to > from) == (from > 0) ? 1 : -1));
    }
    static_cast<float*>(out)[i] = float(h);
  }
}
}  // namespace

TileFn tile_kernel(OpId op, DType in) {
  // 16-bit floats are float32 in tiles, rounded after each op, which is correct for every op but
  // this one.
  if (in == DType::float16) return op == OpId::nextafter ? next_tile<Half> : nullptr;
  if (in == DType::bfloat16) return op == OpId::nextafter ? next_tile<BFloat> : nullptr;
  if (op == OpId::where) return where_tile(size_of(in));
  TileFn fn = nullptr;
  if (in == DType::float32) {
    fn = f32_tile(op);
  } else if (in == DType::float64) {
    fn = f64_tile(op);
  } else if (is_complex(in)) {
    return complex_tile(op, in);
  } else {
    return int_tile(op, in);
  }
  return fn ? fn : float_tile(op, in);
}
TileFn pair_kernel(OpId first, OpId second, bool swapped, DType in) {
  if (in == DType::float32) return f32_pair(first, second, swapped);
  return in == DType::float64 ? f64_pair(first, second, swapped) : nullptr;
}
TileFn row_reduce_kernel(OpId op, DType in, bool joins) {
  switch (in) {
    case DType::float16:
    case DType::bfloat16: return nullptr;
    case DType::float32: return f32_row_reduce(op, joins);
    case DType::float64: return f64_row_reduce(op, joins);
    default: return is_complex(in) ? complex_row_reduce(op, in) : int_row_reduce(op, in);
  }
}
}  // namespace ember::native
#endif
