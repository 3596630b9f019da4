// For the files with gradient rules.
#pragma once
#include <cmath>
#include <numbers>

#include "ember/ops.h"
#include "src/graph/gradient.h"
#include "src/graph/graph.h"
#include "src/ops/rows.h"

namespace ember {

inline Tensor cj(const Tensor& x) { return is_complex(x.dtype()) ? ops::conj(x) : x; }
// Elements start, start + 1, ... of an axis, as many as count; zeros where x has none.
Tensor cut_or_padded(const Tensor& x, int64_t axis, int64_t start, int64_t count, double fill = 0);
// An op with one input, or two, whose gradients are expressions of a, b (the inputs), y and g.
#define RULE1(op, reads, ...)                                             \
  {OpId::op,                                                              \
   [](const Vjp& v) -> Gradients {                                        \
     [[maybe_unused]] const Tensor &x = v.x[0], &y = v.y[0], &g = v.g[0]; \
     return {__VA_ARGS__};                                                \
   },                                                                     \
   reads}
#define RULE2(op, reads, ...) RULE2_BY(op, reads, nullptr, __VA_ARGS__)
#define RULE2_BY(op, reads, reads_by, ...)                                             \
  {OpId::op,                                                                           \
   [](const Vjp& v) -> Gradients {                                                     \
     [[maybe_unused]] const Tensor &a = v.x[0], &b = v.x[1], &y = v.y[0], &g = v.g[0]; \
     return {__VA_ARGS__};                                                             \
   },                                                                                  \
   reads, reads_by}
// Flat almost everywhere: nothing flows back.
#define FLAT(op) {OpId::op, [](const Vjp&) -> Gradients { return {}; }, reads_none}

}  // namespace ember
