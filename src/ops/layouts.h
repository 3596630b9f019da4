// Layouts of images and filters, and numbers given per spatial axis: what convolution, pooling and
// normalization share.
#pragma once
#include "src/ops/products.h"

namespace ember {

// The permutation that brings a layout such as "hwio" to `first`, `second`, then the spatial axes;
// "hw" stands for all of them.
inline Ints order_of(std::string_view layout, char first, char second, int64_t spatial) {
  int64_t place = 0;
  int64_t a = 0;
  int64_t b = 0;
  int64_t s = 0;
  for (char c : layout) {
    if (c == first) {
      a = place++;
    } else if (c == second) {
      b = place++;
    } else if (c == 'h') {
      s = place;
      place += spatial;
    }
  }
  Ints order{a, b};
  for (int64_t i = 0; i < spatial; ++i) order.push_back(s + i);
  return order;
}
inline Ints inverse_of(const Ints& order) {
  Ints r(order.size());
  for (size_t i = 0; i < order.size(); ++i) r[size_t(order[i])] = int64_t(i);
  return r;
}

inline void one_of(const char* what, std::string_view given,
                   std::initializer_list<std::string_view> allowed) {
  if (std::find(allowed.begin(), allowed.end(), given) != allowed.end()) return;
  std::string list;
  for (size_t i = 0; i < allowed.size(); ++i) {
    list += (i == 0                    ? ""
             : i + 1 == allowed.size() ? " or "
                                       : ", ") +
            std::string(allowed.begin()[i]);
  }
  throw ValueError(std::string(what) + " must be " + list + ", not '" +
                   std::string(given.substr(0, 40)) + "'");
}

// What attention weighs the values with, and the sums to divide by; of its inputs, widened.
std::pair<Tensor, Tensor> attention_weights(Inputs in, const Attrs& attrs);
// The gradients of query, key and value, and of what is added to the scores, for the result y and
// its gradient g.
Tensors attention_gradients(Inputs in, const Tensor& y, const Tensor& g, const Attrs& attrs);

// One number serves all axes.
inline Ints per_axis(const char* what, const Ints& given, size_t axes, int64_t least) {
  if (given.size() != 1 && given.size() != axes) {
    throw ValueError(std::to_string(given.size()) + " numbers in " + what + " for " +
                     std::to_string(axes) + " axes");
  }
  for (int64_t v : given) {
    if (v < least) {
      throw ValueError(std::string(what) + " must be at least " + std::to_string(least) + ", not " +
                       std::to_string(v));
    }
  }
  return given.size() == axes ? given : Ints(axes, given[0]);
}

// a * b + c; ShapeError where no axis is that long.
inline int64_t extent(int64_t a, int64_t b, int64_t c) {
  int64_t r;
  if (__builtin_mul_overflow(a, b, &r) || __builtin_add_overflow(r, c, &r) || r > INT64_MAX / 4 ||
      r < -(INT64_MAX / 4)) {
    throw ShapeError("an axis of " + std::to_string(a) + " x " + std::to_string(b) + " + " +
                     std::to_string(c) + " elements is too long");
  }
  return r;
}

}  // namespace ember
