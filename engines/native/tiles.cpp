// Which kernel runs an elementwise op on a type. Casts and rounding are in tiles_cast.cpp.
#include "engines/native/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engines/native/tiles.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "engines/native/tiles.h"

HWY_BEFORE_NAMESPACE();
namespace ember::native::HWY_NAMESPACE {
const char* target_name() { return hwy::TargetName(HWY_TARGET); }
}  // namespace ember::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ember::native {
HWY_EXPORT(target_name);
const char* instruction_set() { return HWY_DYNAMIC_DISPATCH(target_name)(); }

TileFn tile_kernel(OpId op, DType in) {
  if (in == DType::float16 || in == DType::bfloat16) return nullptr;  // held as float32 and rounded
  if (op == OpId::where) return where_tile(size_of(in));
  TileFn fn = nullptr;
  if (in == DType::float32) fn = f32_tile(op);
  else if (in == DType::float64) fn = f64_tile(op);
  else if (is_complex(in)) return complex_tile(op, in);
  else return int_tile(op, in);
  return fn ? fn : float_tile(op, in);
}
TileFn pair_kernel(OpId first, OpId second, bool swapped, DType in) {
  if (in == DType::float32) return f32_pair(first, second, swapped);
  return in == DType::float64 ? f64_pair(first, second, swapped) : nullptr;
}
TileFn row_reduce_kernel(OpId op, DType in) {
  switch (in) {
    case DType::float16: case DType::bfloat16: return nullptr;
    case DType::float32: return f32_row_reduce(op);
    case DType::float64: return f64_row_reduce(op);
    default: return is_complex(in) ? complex_row_reduce(op, in) : int_row_reduce(op, in);
  }
}
}  // namespace ember::native
#endif
