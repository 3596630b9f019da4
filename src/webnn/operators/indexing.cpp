// Operators that read and write at indices.
#include "src/webnn/operators/operator.h"

namespace ember::webnn {

namespace {

// Clamps indices to the valid range, because Ember's ops reject others. lengths: of the axis, or
// one per element of the last dimension.
Tensor clamp_indices(const Tensor& indices, std::span<const int64_t> lengths) {
  const Tensor at = ops::astype(indices, DType::int64);
  if (lengths.size() == 1) return ops::clip(at, Tensor(-lengths[0]), Tensor(lengths[0] - 1));
  const Tensor n = array(lengths, {int64_t(lengths.size())});
  return ops::clip(at, ops::negative(n), ops::subtract(n, 1));
}

Tensor clamp_along(const Tensor& x, const Tensor& indices, uint32_t axis) {
  return clamp_indices(indices, {&x.shape()[axis], 1});
}
Tensor clamp_tuples(const Tensor& x, const Tensor& indices) {
  return clamp_indices(indices, {x.shape().begin(), size_t(indices.shape().back())});
}

Results gather(Call& c) {
  const Tensor x = c.tensor("input");
  const Tensor indices = c.tensor("indices");
  const uint32_t axis = axis_of(c, "axis", size_t(x.ndim()));
  Ints sizes = ints(c.shape("input"));
  sizes.erase(axis);
  for (size_t d = 0; d < c.shape("indices").size(); ++d) sizes.insert(axis + d, indices.shape()[d]);
  dimensions(x.dtype(), sizes);
  return {c.result(ops::take(x, clamp_along(x, indices, axis), axis))};
}

// The indices have the input's shape except along the axis.
uint32_t check_elements(const Call& c) {
  Dimensions wanted = c.shape("input");
  if (c.shape("indices").size() != wanted.size()) {
    throw ShapeError("input and indices must have one rank, not the shapes " + text(wanted) +
                     " and " + text(c.shape("indices")));
  }
  const uint32_t axis = axis_of(c, "axis", wanted.size());
  wanted[axis] = c.shape("indices")[axis];
  need_shape(c, "indices", wanted);
  return axis;
}

Results gather_elements(Call& c) {
  const uint32_t axis = check_elements(c);
  const Tensor x = c.tensor("input");
  return {c.result(ops::take_along_axis(x, clamp_along(x, c.tensor("indices"), axis), axis))};
}

Results scatter_elements(Call& c) {
  const uint32_t axis = check_elements(c);
  need_shape(c, "updates", c.shape("indices"));
  const Tensor x = c.tensor("input");
  return {c.result(ops::scatter_elements(x, clamp_along(x, c.tensor("indices"), axis),
                                         c.tensor("updates"), axis))};
}

// The indices' shape without its last dimension, then the dimensions of the input that are not
// indexed.
Ints picked(const Call& c) {
  const Dimensions& input = c.shape("input");
  const Dimensions& indices = c.shape("indices");
  const uint32_t n = indices.back();
  if (n > input.size()) {
    throw ShapeError(std::to_string(n) + " coordinates per index for an input of " +
                     std::to_string(input.size()) + " dimensions");
  }
  Ints sizes(indices.begin(), indices.end() - 1);
  sizes.append(input.begin() + n, input.end());
  return sizes;
}

Results gather_nd(Call& c) {
  const Tensor x = c.tensor("input");
  const Tensor indices = c.tensor("indices");
  dimensions(x.dtype(), picked(c));
  return {c.result(ops::gather_nd(x, clamp_tuples(x, indices)))};
}

Results scatter_nd(Call& c) {
  const Ints wanted = picked(c);
  need_shape(c, "updates", Dimensions(wanted.begin(), wanted.end()));
  const Tensor x = c.tensor("input");
  return {c.result(ops::scatter_nd(x, clamp_tuples(x, c.tensor("indices")), c.tensor("updates")))};
}

#define INDICES "indices:i32/u32/i64@"
const RowText rows[] = {
    {"gather", "input indices", "axis:u32", "input:any@1-8 " INDICES "any output:input@any",
     gather},
    {"gatherElements", "input indices", "axis:u32", "input:any@1-8 " INDICES "1-8 output:input@1-8",
     gather_elements},
    {"gatherND", "input indices", "", "input:any@1-8 " INDICES "1-8 output:input@any", gather_nd},
    {"scatterElements", "input indices updates", "axis:u32",
     "input:any@1-8 " INDICES "1-8 updates:input@1-8 output:input@1-8", scatter_elements},
    {"scatterND", "input indices updates", "",
     "input:any@1-8 " INDICES "1-8 updates:input@any output:input@1-8", scatter_nd},
};

}  // namespace

std::span<const RowText> indexing_operators() { return rows; }

}  // namespace ember::webnn
