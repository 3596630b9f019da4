// How memory goes to MLX and comes back, without a copy where that can be.
#pragma once
#include "engines/mlx/library.h"

namespace ember::mlx {

mx::array lend(const Value&, const SliceNode& leaf);
bool small_view(
    const mx::array&);  // it would keep a buffer alive that is more than four times larger
Value take(mx::array&&);

}  // namespace ember::mlx
