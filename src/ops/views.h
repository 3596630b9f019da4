// What the families that make, move and index share: named errors, cuts along an axis, scalars of a
// dtype.
#pragma once
#include "src/ops/rows.h"

namespace ember {

// Runs f; an error that leaves it gets the op's name and the inputs' types.
template <class F> auto named(const char* op, const char* args, Inputs in, F&& f) -> decltype(f()) {
  try {
    return f();
  } catch (...) {
    rethrow(op, args, in);
  }
}
template <class F> auto named(const char* op, const Tensor& x, F&& f) -> decltype(f()) {
  return named(op, "x", {&x, 1}, f);
}
template <class F> auto named(const char* op, F&& f) -> decltype(f()) {
  return named(op, "", {}, f);
}

// Elements start, start + step, ... along one axis.
struct Cut {
  int64_t start = 0, step = 1, count = 0;
};
Cut cut_of(const Range& r, int64_t n);  // Python's rules; bounds may be anything, the step not 0
Tensor sliced(const Tensor& x,
              std::span<const Cut> cuts);  // one per axis; x itself when they leave all of it
Tensor sliced(const Tensor& x, int64_t axis, Cut cut);

DType natural_dtype(const Tensor& x);
Tensor strong(Tensor x);  // a weak scalar becomes a tensor that takes part in promotion
Tensor typed(const Tensor& value, DType t);  // cast as astype does; scalars must fit integers
Tensor index_range(int64_t n);               // int64 0 .. n-1
int64_t checked_size(
    const Shape& shape);  // the number of elements; ShapeError when it is no possible size

}  // namespace ember
