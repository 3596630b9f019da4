// The kernels of the files in this folder, for tiles.cpp, and their shared loops. Each function
// chooses the best target.
#pragma once
#include "engines/native/kernel.h"

namespace ember::native {

TileFn f32_tile(OpId);  // Highway's vectors; null: see float_tile
TileFn f64_tile(OpId);
TileFn f32_complex(OpId);  // of pairs; null: see complex_tile
TileFn f64_complex(OpId);
TileFn f32_pair(OpId first, OpId second, bool swapped);
TileFn f64_pair(OpId first, OpId second, bool swapped);
TileFn f32_row_reduce(OpId, bool joins);
TileFn f64_row_reduce(OpId, bool joins);
TileFn float_tile(OpId, DType);  // float32 and float64 by libm
TileFn int_tile(OpId, DType);    // bool and all integers
TileFn int_row_reduce(OpId, DType);
TileFn where_tile(size_t element_bytes);
TileFn complex_tile(OpId, DType);
TileFn complex_row_reduce(OpId, DType);

}  // namespace ember::native
