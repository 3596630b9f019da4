// The float64 tile kernels, compiled once for each instruction set.
#include "engines/native/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engines/native/tiles/f64.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "engines/native/tiles/tables.h"
#include "engines/native/tiles/tiles.h"

HWY_BEFORE_NAMESPACE();
namespace ember::native::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;
using T = double;
#include "engines/native/tiles/lanes-inl.h"
#include "engines/native/tiles/math-inl.h"
// After the two above, which it uses.
#include "engines/native/tiles/float-inl.h"
}  // namespace
TileFn f64_tile(OpId op) { return find_tile(op); }
TileFn f64_complex(OpId op) { return find_complex(op); }
TileFn f64_pair(OpId first, OpId second, bool swapped) { return find_pair(first, second, swapped); }
TileFn f64_row_reduce(OpId op, bool joins) { return find_row_reduce(op, joins); }
}  // namespace ember::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ember::native {
HWY_EXPORT(f64_tile);
HWY_EXPORT(f64_complex);
HWY_EXPORT(f64_pair);
HWY_EXPORT(f64_row_reduce);
TileFn f64_tile(OpId op) { return HWY_DYNAMIC_DISPATCH(f64_tile)(op); }
TileFn f64_complex(OpId op) { return HWY_DYNAMIC_DISPATCH(f64_complex)(op); }
TileFn f64_pair(OpId first, OpId second, bool swapped) {
  return HWY_DYNAMIC_DISPATCH(f64_pair)(first, second, swapped);
}
TileFn f64_row_reduce(OpId op, bool joins) {
  return HWY_DYNAMIC_DISPATCH(f64_row_reduce)(op, joins);
}
}  // namespace ember::native
#endif
