// Reductions, softmax and related operators, scans, sorting.
#include <limits>

#include "src/graph/graph.h"
#include "src/onnx/read/read.h"
#include "src/ops/layouts.h"

namespace ember::onnx {
namespace {

// The axes are an attribute in early opsets and an input later. No axes means all axes or, if a
// flag says so, none.
struct Over {
  Axes axes;
  bool keepdims, nothing = false;
  Over(const Call& c, int64_t as_input) : keepdims(c.flag("keepdims", true)) {
    const bool noop = c.flag("noop_with_empty_axes");
    std::optional<Ints> given = c.list_of("axes");
    if (c.opset >= as_input && c.has(1)) given = c.ints(1, "axes");
    if (given && !given->empty()) {
      axes = Axes(*given);
    } else {
      nothing = noop;
    }
  }
};

using Reduce = Tensor (*)(const Tensor&, const Axes&, bool);

template <Reduce F, int since> Values reduce(const Call& c) {
  const Over over(c, since);
  const Tensor& x = c.x(0);
  const Axes none(Ints{});
  return {cast_to(F(x, over.nothing ? none : over.axes, over.keepdims), x.dtype())};
}

Tensor sum(const Tensor& x, const Axes& a, bool k) { return ops::sum(x, a, k, x.dtype()); }
Tensor product(const Tensor& x, const Axes& a, bool k) { return ops::prod(x, a, k, x.dtype()); }
Tensor mean(const Tensor& x, const Axes& a, bool k) {  // integers: truncated
  return is_float(x.dtype()) ? ops::mean(x, a, k)
                             : ops::trunc(ops::mean(x.astype(DType::float64), a, k));
}
Tensor l1(const Tensor& x, const Axes& a, bool k) { return sum(ops::abs(x), a, k); }
Tensor sum_square(const Tensor& x, const Axes& a, bool k) { return sum(x * x, a, k); }
Tensor l2(const Tensor& x, const Axes& a, bool k) {
  const Tensor wide = is_float(x.dtype()) ? x : x.astype(DType::float64);
  return ops::reduce_l2(wide, a, k);
}
Tensor log_sum(const Tensor& x, const Axes& a, bool k) {
  return ops::log(ops::sum(is_float(x.dtype()) ? x : x.astype(DType::float64), a, k));
}
Tensor log_sum_exp(const Tensor& x, const Axes& a, bool k) {
  return ops::logsumexp(is_float(x.dtype()) ? x : x.astype(DType::float64), a, k);
}

// The maximum of no elements is the type's minimum, and the reverse.
template <bool largest> Tensor extreme(const Tensor& x, const Axes& axes, bool keepdims) {
  if (x.size() == 0) {
    const Shape s = ops::sum(x, axes, keepdims).shape();
    if (size_of(s) == 0) return ops::zeros(s, x.dtype());
    Tensor v = largest;
    if (x.dtype() == DType::bool_) {
      v = Tensor(!largest);
    } else if (is_float(x.dtype())) {
      v = Tensor(largest ? -std::numeric_limits<double>::infinity()
                         : std::numeric_limits<double>::infinity());
    } else {
      v = largest ? Tensor(ops::iinfo(x.dtype()).min) : Tensor(ops::iinfo(x.dtype()).max);
    }
    return ops::full(s, v, x.dtype());
  }
  if (x.dtype() == DType::bool_) {
    return largest ? ops::any(x, axes, keepdims) : ops::all(x, axes, keepdims);
  }
  return largest ? ops::max(x, axes, keepdims) : ops::min(x, axes, keepdims);
}

template <bool largest> Values arg(const Call& c) {
  const Tensor& x = c.x(0);
  const int64_t axis = c.axis(c.i("axis", 0), x.ndim());
  const bool keepdims = c.flag("keepdims", true);
  const bool last = c.flag("select_last_index");
  const Tensor y = last ? ops::flip(x, axis) : x;
  const Tensor at = largest ? ops::argmax(y, axis, keepdims) : ops::argmin(y, axis, keepdims);
  return {last ? Tensor(x.shape(axis) - 1) - at : at};
}

// Before opset 13, all axes from `axis` on are flattened.
template <Tensor (*F)(const Tensor&, int64_t)> Values over_axis(const Call& c) {
  const Tensor& x = c.x(0);
  const int64_t given = c.i("axis", c.opset < 13 ? 1 : -1);
  if (c.opset >= 13) return {F(x, c.axis(given, x.ndim()))};
  const int64_t axis = given == x.ndim() ? given : c.axis(given, x.ndim());
  if (axis == x.ndim() - 1) return {F(x, -1)};
  int64_t rows = 1;
  int64_t columns = 1;
  for (int64_t d = 0; d < x.ndim(); ++d) {
    int64_t& n = d < axis ? rows : columns;
    n = extent(n, x.shape(d), 0);
  }
  return {ops::reshape(F(ops::reshape(x, {rows, columns}), -1), x.shape())};
}
Tensor hardmax(const Tensor& x, int64_t axis) {
  return ops::one_hot(ops::argmax(x, axis), x.shape(axis), axis, x.dtype());
}

Values cumulative_sum(const Call& c) {
  const Tensor& x = c.x(0);
  const int64_t axis = c.axis(c.integer(1, "axis"), x.ndim());
  return {ops::cumulative_sum(x, axis, x.dtype(), false, c.flag("reverse"), c.flag("exclusive"))};
}
Values cumulative_product(const Call& c) {
  const int64_t axis = c.axis(c.integer(1, "axis"), c.x(0).ndim());
  const bool reverse = c.flag("reverse");
  const bool exclusive = c.flag("exclusive");
  const Tensor x = reverse ? ops::flip(c.x(0), axis) : c.x(0);
  Tensor y = ops::cumulative_prod(x, axis, x.dtype(), exclusive);
  if (exclusive) y = ops::slice(y, {0}, {x.shape(axis)}, {}, axis);
  return {reverse ? ops::flip(y, axis) : y};
}

Values top_k(const Call& c) {
  const Tensor& x = c.x(0);
  const int64_t axis = c.axis(c.i("axis", -1), x.ndim());
  const bool largest = c.flag("largest", true);
  c.ignore("sorted");  // a sorted result is a valid unsorted result
  const int64_t k = c.opset < 10 ? c.i("k") : c.integer(1, "k");
  const auto [values, indices] = ops::topk(x, k, axis, largest);
  return {values, indices};
}

#define REDUCE(name, f, since) {{name, 1, ""}, reduce<f, since>}
const Reader readers[] = {
    REDUCE("ReduceL1", l1, 18),
    REDUCE("ReduceL2", l2, 18),
    REDUCE("ReduceLogSum", log_sum, 18),
    REDUCE("ReduceLogSumExp", log_sum_exp, 18),
    REDUCE("ReduceMax", extreme<true>, 18),
    REDUCE("ReduceMean", mean, 18),
    REDUCE("ReduceMin", extreme<false>, 18),
    REDUCE("ReduceProd", product, 18),
    REDUCE("ReduceSum", sum, 13),
    REDUCE("ReduceSumSquare", sum_square, 18),
    {{"ArgMax", 1, ""}, arg<true>},
    {{"ArgMin", 1, ""}, arg<false>},
    {{"Softmax", 1, ""}, over_axis<ops::softmax>},
    {{"LogSoftmax", 1, ""}, over_axis<ops::log_softmax>},
    {{"Hardmax", 1, ""}, over_axis<hardmax>},
    {{"CumSum", 11, ""}, cumulative_sum},
    {{"CumProd", 26, ""}, cumulative_product},
    {{"TopK", 1, ""}, top_k},
};
#undef REDUCE

}  // namespace

std::span<const Reader> reduction_readers() { return readers; }

}  // namespace ember::onnx
