// What matrix products and the families built on them share.
#pragma once
#include "src/ops/views.h"

namespace ember {

void check_kin(Inputs in);  // DTypeError where float16 or bfloat16 meets another float
Tensor absolute_square(const Tensor& x);
void need_matrices(const Tensor& x);  // ShapeError below two dimensions
Shape batch_of(const Tensor& x);      // the shape without the last two axes
Shape with(Shape s, std::initializer_list<int64_t> more);
Tensor with_batch(const Tensor& x, const Shape& batch);  // matrices broadcast over a batch
inline int64_t count_over(const Tensor& x, const Ints& axes) {
  int64_t n = 1;
  for (int64_t a : axes) {
    if (__builtin_mul_overflow(n, x.shape()[size_t(a)], &n)) {
      throw ShapeError("the axes have too many elements together");
    }
  }
  return n;
}

}  // namespace ember
