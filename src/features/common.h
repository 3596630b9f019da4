// Shared by the extractors: conversion to real dtypes, scales that are safe to divide by, states.
#pragma once
#include <charconv>

#include "ember/features.h"
#include "ember/grad.h"
#include "src/nn/numbers.h"

namespace ember::features {

using namespace ops;

#define NEED(good, Kind, name, ...)                                          \
  do {                                                                       \
    if (!(good)) throw Kind("[" + std::string(name) + "] " + (__VA_ARGS__)); \
  } while (0)

// Converts to float32 or float64: statistics of narrower types would lose precision.
inline Tensor real_of(const Tensor& x, std::string_view who) {
  NEED(x.defined(), ValueError, who, "there is no tensor");
  const DType t = x.dtype();
  NEED(!is_complex(t), DTypeError, who, "complex numbers have no order");
  const DType wide = !is_float(t)
                         ? (size_of(default_float()) < 4 ? DType::float32 : default_float())
                     : size_of(t) < 4 ? DType::float32
                                      : t;
  return wide == t ? x : x.astype(wide);
}
inline Tensor samples_of(const Tensor& x, std::string_view who) {
  const Tensor r = real_of(x, who).detach();
  NEED(r.ndim() > 0 && r.size() > 0, ShapeError, who,
       "needs samples, not the shape " + to_string(r.shape()));
  return r;
}
inline double rounding(const Tensor& x) { return 10 * finfo(x.dtype()).eps; }
// A scale with 1 in place of values that are negligible relative to size.
inline Tensor divisor(const Tensor& scale, const Tensor& size) {
  return where(scale <= size * rounding(scale), 1.0, scale);
}
// The standard deviation along an axis, or 1 where all values are equal. Equality is decided by the
// extremes, which have no rounding error.
inline Tensor spread(const Tensor& x, int64_t axis) {
  const Tensor low = min(x, axis, true);
  const Tensor high = max(x, axis, true);
  return where(high - low <= maximum(abs(low), abs(high)) * rounding(x), 1.0,
               ops::std(x, axis, 0, true));
}
inline void need_state(const Tensor& t, std::string_view who) {
  NEED(t.defined(), StateError, who, "it has not been fitted");
}
inline std::string text(double v) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, v).ptr};
}
inline std::string brief(std::string_view s) { return "'" + std::string(s.substr(0, 40)) + "'"; }

}  // namespace ember::features
