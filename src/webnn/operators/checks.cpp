// Checks that operators of several families use.
#include <limits>

#include "src/webnn/operators/operator.h"

namespace ember::webnn {

std::string text(const Dimensions& d) { return to_string(shape_of(d)); }
Ints ints(const Dimensions& d) { return Ints(d.begin(), d.end()); }

namespace {
using Number = std::variant<double, int64_t, uint64_t>;
std::string quoted(std::string_view name) { return "'" + std::string(name) + "'"; }

uint32_t checked_axis(std::string_view name, uint32_t axis, size_t rank) {
  if (axis >= rank) {
    throw IndexError(quoted(name) + " " + std::to_string(axis) + " is out of range for " +
                     std::to_string(rank) + " dimensions");
  }
  return axis;
}

template <class T> T clamp_number(const MLNumber& v, T least, T most) {
  return std::visit(
      [&]<class N>(N x) -> T {
        if constexpr (std::is_same_v<N, double>) {
          if (x != x) return 0;
          return x <= double(least) ? least : x >= double(most) ? most : T(x);
        } else {
          return std::cmp_less(x, least) ? least : std::cmp_greater(x, most) ? most : T(x);
        }
      },
      static_cast<const Number&>(v));
}
}  // namespace

uint32_t axis_of(const Call& c, std::string_view name, size_t rank, uint32_t otherwise) {
  return checked_axis(name, c.u32(name, otherwise), rank);
}

Dimensions axes_of(const Call& c, std::string_view name, size_t rank) {
  Dimensions axes = c.u32s(name);
  if (!c.has(name)) {
    for (uint32_t d = 0; d < rank; ++d) axes.push_back(d);
  }
  uint64_t seen = 0;
  for (uint32_t a : axes) {
    if (seen >> checked_axis(name, a, rank) & 1) {
      throw ValueError(quoted(name) + " has " + std::to_string(a) + " twice");
    }
    seen |= uint64_t(1) << a;
  }
  return axes;
}

void need_shape(const Call& c, std::string_view operand, const Dimensions& wanted) {
  if (c.has(operand) && c.shape(operand) != wanted) {
    throw ShapeError(quoted(operand) + " must have shape " + text(wanted) + ", not " +
                     text(c.shape(operand)));
  }
}

void need_length(std::string_view name, size_t length, size_t wanted) {
  if (length != wanted) {
    throw ValueError(quoted(name) + " must have " + std::to_string(wanted) + " elements, not " +
                     std::to_string(length));
  }
}

Dimensions dimensions(DType t, std::span<const int64_t> sizes) {
  MLOperandDescriptor d{t, {}};
  for (int64_t n : sizes) {
    if (n < 1 || n > std::numeric_limits<int32_t>::max()) {
      throw ShapeError("the result would have a dimension of " + std::to_string(n));
    }
    d.shape.push_back(uint32_t(n));
  }
  check_descriptor(d);
  return d.shape;
}

MLNumber number_as(const MLNumber& v, DType t) {
  if (is_float(t)) {
    const double x = std::visit([](auto n) { return double(n); }, static_cast<const Number&>(v));
    return t == DType::float16 ? double(static_cast<NativeHalf>(x)) : double(float(x));
  }
  const ops::IntInfo info = ops::iinfo(t);
  if (is_unsigned(t)) return clamp_number<uint64_t>(v, 0, info.max);
  return clamp_number<int64_t>(v, info.min, int64_t(info.max));
}
Tensor scalar(const MLNumber& v, DType t) {
  return std::visit([](auto n) { return Tensor(n); }, static_cast<const Number&>(number_as(v, t)));
}

}  // namespace ember::webnn
