// For the family files: what a row table and a one-line function need.
#pragma once
#include "ember/ops.h"
#include "src/graph/gradient.h"
#include "src/graph/graph.h"
#include "src/ops/binder.h"

namespace ember {

// One function per family file; registry.cpp lists them.
std::span<const Row> elementwise_rows();
std::span<const Row> creation_rows();
std::span<const Row> reduction_rows();
std::span<const Row> order_rows();
std::span<const Row> statistics_rows();
std::span<const Row> movement_rows();
std::span<const Row> indexing_rows();
std::span<const Row> linalg_rows();
std::span<const Row> signal_rows();
std::span<const Row> activation_rows();
std::span<const Row> convolution_rows();
std::span<const Row> normalization_rows();
std::span<const Row> recurrent_rows();
std::span<const Row> loss_rows();
std::span<const Row> random_rows();
std::span<const Row> wave_rows();
std::span<const Row> inspection_rows();

int64_t normal_axis(int64_t axis, int64_t ndim);  // 0 .. ndim-1; IndexError
Ints normal_axes(const Axes& axes,
                 int64_t ndim);  // sorted ascending, no repeats; all axes when left out
Ints normal_axes(const Ints& axes, int64_t ndim);  // in the order given, no repeats
Shape reduced_shape(const Shape& s, const Ints& axes, bool keepdims);
DType float_of(DType t);  // the dtype itself when inexact, else the default float
Tensor to_float(const Tensor& x);
Tensor widen(const Tensor& x);     // 16-bit floats in float32, so that sums keep their precision
Tensor to_index(const Tensor& x);  // int64; DTypeError for floats and bools
Tensor like(const Tensor& x, double v);  // a scalar of x's dtype
Tensor root(const Tensor& x);            // sqrt of a sum of squares: its gradient at 0 is 0
// On maximum, minimum and sqrt: where they have no derivative, that of the first input is 0, as
// that of relu at 0 is. Engines compute the same values with and without it.
struct ZeroSubgradient {
  template <class F> void each(F&&) const {}
};
template <> const void* AttrBox<ZeroSubgradient>::id();
// Elements start, start + 1, ..., start + count - 1 of an axis, with `fill` where x has none:
// start -1 and count 4 of [1, 2] give [0, 1, 2, 0].
Tensor crop_or_pad(const Tensor& x, int64_t axis, int64_t start, int64_t count, double fill = 0);

// ---- Rows ----
// A function over other ops; one whose result's shape depends on values; and an op of the graph,
// followed by its other columns.
#define FUN(op, a, d) {.name = #op, .args = a, .doc = d, .call = binder::fn<ops::op>}
#define EAGER(op, a, d) \
  {.name = #op, .args = a, .doc = d, .call = binder::fn<ops::op>, .eager = true}
#define GRAPH_OP(op, a, d, ...) \
  {.name = #op, .args = a, .doc = d, .call = binder::fn<ops::op>, .id = OpId::op, __VA_ARGS__}

// ---- Gradient rules in rows ----
inline Tensor cj(const Tensor& x) { return is_complex(x.dtype()) ? ops::conj(x) : x; }
// Each input's gradient reads the other input, of two.
uint8_t reads_crosswise(const Node&);
// An op with a zero gradient almost everywhere.
inline Gradients flat(const Vjp&) { return {}; }
#define FLAT .vjp = flat, .reads = reads_none
// The columns of a rule that is an expression of the input x, the output y and its cotangent g; of
// two inputs a and b, one expression for each.
#define VJP1(values, ...)                                                \
  .vjp = [](const Vjp& v) -> Gradients {                                 \
    [[maybe_unused]] const Tensor &x = v.x[0], &y = v.y[0], &g = v.g[0]; \
    return {__VA_ARGS__};                                                \
  },                                                                     \
  .reads = values
#define VJP2(values, ...)                                                             \
  .vjp = [](const Vjp& v) -> Gradients {                                              \
    [[maybe_unused]] const Tensor &a = v.x[0], &b = v.x[1], &y = v.y[0], &g = v.g[0]; \
    return {__VA_ARGS__};                                                             \
  },                                                                                  \
  .reads = values

}  // namespace ember
