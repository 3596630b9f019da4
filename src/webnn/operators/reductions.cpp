// Reductions, argMin and argMax, cumulative sums.
#include "src/webnn/operators/operator.h"

namespace ember::webnn {

namespace {

template <class F> Results reduced(Call& c, F&& f) {
  const Dimensions axes = axes_of(c, "axes", c.shape("input").size());
  return {c.result(f(c.tensor("input"), Axes(ints(axes)), c.flag("keepDimensions")))};
}
// Sums in the input's dtype, which Ember's sums would widen.
Tensor sum_in_dtype(const Tensor& x, const Axes& axes, bool keep) {
  return ops::sum(x, axes, keep, x.dtype());
}

template <Tensor (*f)(const Tensor&, std::optional<int64_t>, bool)> Results position(Call& c) {
  const uint32_t axis = axis_of(c, "axis", c.shape("input").size());
  const DType t = c.dtype("outputDataType", DType::int32);
  if (t != DType::int32 && t != DType::int64) {
    throw DTypeError("outputDataType must be int32 or int64, not " + std::string(name(t)));
  }
  return {c.result(ops::astype(f(c.tensor("input"), axis, c.flag("keepDimensions")), t))};
}

Results cumulative_sum(Call& c) {
  const Tensor x = c.tensor("input");
  const uint32_t axis = axis_of(c, "axis", size_t(x.ndim()));
  return {c.result(
      ops::cumulative_sum(x, axis, x.dtype(), false, c.flag("reversed"), c.flag("exclusive")))};
}

#define WIDE "f32/f16/i32/u32/i64/u64"
#define REDUCE(name, types, expression)                                                          \
  {#name, "input", "axes:u32s keepDimensions:bool", "input:" types "@any output:input@any",      \
   [](Call& c) -> Results {                                                                      \
     return reduced(c, [](const Tensor& x, const Axes& axes, bool keep) { return expression; }); \
   }}
#define POSITION(name, op)                                              \
  {#name, "input axis:u32", "keepDimensions:bool outputDataType:dtype", \
   "input:number@1-8 output:i32/i64@any", position<ops::op>}
const RowText rows[] = {
    POSITION(argMin, argmin),
    POSITION(argMax, argmax),
    {"cumulativeSum", "input axis:u32~", "exclusive:bool reversed:bool",
     "input:" WIDE "@1-8 output:input@1-8", cumulative_sum},
    REDUCE(reduceL1, WIDE, sum_in_dtype(ops::abs(x), axes, keep)),
    REDUCE(reduceL2, "float", ops::vector_norm(x, axes, keep)),
    REDUCE(reduceLogSum, "float", ops::log(sum_in_dtype(x, axes, keep))),
    REDUCE(reduceLogSumExp, "float", ops::logsumexp(x, axes, keep)),
    REDUCE(reduceMax, "number", ops::max(x, axes, keep)),
    REDUCE(reduceMean, "float", ops::mean(x, axes, keep)),
    REDUCE(reduceMin, "number", ops::min(x, axes, keep)),
    REDUCE(reduceProduct, WIDE, ops::prod(x, axes, keep, x.dtype())),
    REDUCE(reduceSum, WIDE, sum_in_dtype(x, axes, keep)),
    REDUCE(reduceSumSquare, WIDE, sum_in_dtype(ops::square(x), axes, keep)),
};

}  // namespace

std::span<const RowText> reduction_operators() { return rows; }

}  // namespace ember::webnn
