// Elementwise ops that are one or two calls of MLX. special_functions.cpp has the others.
#include <cmath>

#include "engines/mlx/library.h"

namespace ember::mlx {

mx::Dtype to_mlx(DType t) {
  switch (t) {
    case DType::bool_: return mx::bool_;
    case DType::int4:
    case DType::int8: return mx::int8;
    case DType::uint4:
    case DType::uint8: return mx::uint8;
    case DType::int16: return mx::int16;
    case DType::uint16: return mx::uint16;
    case DType::int32: return mx::int32;
    case DType::uint32: return mx::uint32;
    case DType::int64: return mx::int64;
    case DType::uint64: return mx::uint64;
    case DType::float16: return mx::float16;
    case DType::bfloat16: return mx::bfloat16;
    case DType::float32: return mx::float32;
    case DType::float64: return mx::float64;
    case DType::complex64: return mx::complex64;
    case DType::complex128: break;
  }
  throw DTypeError("MLX has no " + std::string(name(t)));
}

mx::array constant(double v, mx::Dtype t) {
  if (t == mx::complex64) return mx::array(std::complex<float>(float(v), 0));
  if (t == mx::bool_) return mx::array(v != 0);
  if (t == mx::float16 || t == mx::bfloat16 || t == mx::float32) return mx::array(float(v), t);
  return mx::issubdtype(t, mx::integer) ? constant_int(int64_t(v), t) : mx::array(v, t);
}
mx::array constant_int(int64_t v, mx::Dtype t) {
  if (t == mx::bool_) return mx::array(v != 0);
  return mx::array(v, t);
}
mx::array filled(const SliceNode& n, double v) {
  return mx::full(to_shape(n.shape), constant(v, type_of(n)), stream());
}

// MLX computes exp of float64 in float32, but not powers.
mx::array exponential(const mx::array& x) {
  return x.dtype() == mx::float64 ? mx::power(like(x, M_E), x, stream()) : mx::exp(x, stream());
}

namespace {

bool four_bits(DType t) { return bits_of(t) == 4; }

Array identity(const C& c) { return *c[0]; }
Array invert_bits(const C& c) { return mx::bitwise_invert(*c[0], stream()); }
Array invert_bool(const C& c) { return mx::logical_not(*c[0], stream()); }

// The identity for integers.
template <mx::array (*f)(const mx::array&, mx::StreamOrDevice)> Array rounding(const C& c) {
  return f(*c[0], stream());
}
template <mx::array (*f)(const mx::array&, mx::StreamOrDevice)>
Kernel<Array> pick_rounding(const SliceNode& n, const Slice&) {
  return {.one = is_inexact(n.dtype) ? rounding<f> : identity};
}

// One function for bool and one for integers. MLX's exclusive or of bool is wrong if it writes its
// result over the second operand.
using Binary = mx::array (*)(const mx::array&, const mx::array&, mx::StreamOrDevice);
template <Binary f> Array binary(const C& c) { return f(*c[0], *c[1], stream()); }
template <Binary of_bool, Binary of_ints>
Kernel<Array> pick_binary(const SliceNode& n, const Slice&) {
  return {.one = n.dtype == DType::bool_ ? binary<of_bool> : binary<of_ints>};
}

// The sign of NaN is NaN; MLX's is 0.
Array sign_of(const C& c) {
  const mx::array& x = *c[0];
  return mx::where(mx::isnan(x, stream()), x, mx::sign(x, stream()), stream());
}

// Casts. Floats to integers saturate, and NaN becomes 0; MLX's casts are C++'s, which are undefined
// for these values.
Array cast_plain(const C& c) { return as(*c[0], type_of(c.node)); }
Array cast_bool(const C& c) { return mx::not_equal(*c[0], like(*c[0], 0), stream()); }
mx::array saturated(const mx::array& given, DType to) {
  mx::array x = wide(given);
  const int bits = bits_of(to);
  const double low = is_unsigned(to) ? 0 : -std::ldexp(1.0, bits - 1);
  const double end = std::ldexp(1.0, is_unsigned(to) ? bits : bits - 1);
  const int digits = x.dtype() == mx::float64 ? 53 : 24;
  const double gap = bits > digits ? std::ldexp(1.0, bits - digits - (is_unsigned(to) ? 0 : 1)) : 1;
  const double high = end - gap;
  const mx::array number = mx::where(mx::equal(x, x, stream()), x, like(x, 0), stream());
  mx::array r =
      mx::astype(mx::maximum(mx::minimum(number, like(x, high), stream()), like(x, low), stream()),
                 to_mlx(to), stream());
  if (bits <= digits) return r;
  const uint64_t top = is_unsigned(to) ? ~uint64_t(0) >> (64 - bits) : ~uint64_t(0) >> (65 - bits);
  return mx::where(mx::greater_equal(x, like(x, end), stream()), mx::array(top, to_mlx(to)), r,
                   stream());
}
Array cast_saturated(const C& c) { return saturated(*c[0], c.node.dtype); }
Array cast_real(const C& c) { return as(mx::real(*c[0], stream()), type_of(c.node)); }
Array cast_real_saturated(const C& c) { return saturated(mx::real(*c[0], stream()), c.node.dtype); }
// Integers to 4 bits: the low bits, sign-extended for int4.
Array cast_nibble(const C& c) {
  const mx::array x = as(*c[0], type_of(c.node));
  const mx::array four = like(x, 4);
  if (c.node.dtype == DType::uint4) return mx::bitwise_and(x, like(x, 15), stream());
  return mx::right_shift(mx::left_shift(x, four, stream()), four, stream());
}
Kernel<Array> pick_cast(const SliceNode& n, const Slice& s) {
  const DType from = input_type(n, s);
  const DType to = n.dtype;
  if (to == DType::bool_) return {.one = cast_bool};
  if (is_complex(from) && !is_complex(to)) {
    return {.one = is_integer(to) ? cast_real_saturated : cast_real};
  }
  if (is_float(from) && is_integer(to)) return {.one = cast_saturated};
  return {.one = four_bits(to) && from != to && from != DType::bool_ ? cast_nibble : cast_plain};
}

#define UNARY(op_, f)                                             \
  {.op = OpId::op_,                                               \
   .one = [](const C& c) -> Array { return f(*c[0], stream()); }, \
   .supports = no_four_bits}
#define BINARY(op_, f)                                                   \
  {.op = OpId::op_,                                                      \
   .one = [](const C& c) -> Array { return f(*c[0], *c[1], stream()); }, \
   .supports = no_four_bits}
constexpr KernelRow rows[] = {
    UNARY(abs, mx::abs),
    UNARY(acos, mx::arccos),
    UNARY(acosh, mx::arccosh),
    UNARY(asin, mx::arcsin),
    UNARY(asinh, mx::arcsinh),
    UNARY(atan, mx::arctan),
    UNARY(atanh, mx::arctanh),
    UNARY(cosh, mx::cosh),
    UNARY(sinh, mx::sinh),
    UNARY(tan, mx::tan),
    UNARY(tanh, mx::tanh),
    UNARY(sqrt, mx::sqrt),
    UNARY(square, mx::square),
    UNARY(log, mx::log),
    UNARY(log2, mx::log2),
    UNARY(log10, mx::log10),
    UNARY(log1p, mx::log1p),
    UNARY(conj, mx::conjugate),
    UNARY(real, mx::real),
    UNARY(imag, mx::imag),
    UNARY(negative, mx::negative),
    UNARY(isfinite, mx::isfinite),
    UNARY(isinf, mx::isinf),
    UNARY(isnan, mx::isnan),
    UNARY(reciprocal, mx::reciprocal),
    UNARY(logical_not, mx::logical_not),
    {.op = OpId::exp,
     .one = [](const C& c) -> Array { return exponential(*c[0]); },
     .supports = no_four_bits},
    {.op = OpId::ceil, .pick = pick_rounding<mx::ceil>, .supports = no_four_bits},
    {.op = OpId::floor, .pick = pick_rounding<mx::floor>, .supports = no_four_bits},
    {.op = OpId::trunc, .pick = pick_rounding<mx::trunc>, .supports = no_four_bits},
    {.op = OpId::round,
     .pick = [](const SliceNode& n, const Slice&) -> Kernel<Array> {
       return {.one = is_inexact(n.dtype)
                          ? One([](const C& c) -> Array { return mx::round(*c[0], 0, stream()); })
                          : identity};
     },
     .supports = no_four_bits},
    {.op = OpId::bitwise_invert,
     .pick = [](const SliceNode& n, const Slice&) -> Kernel<Array> {
       return {.one = n.dtype == DType::bool_ ? invert_bool : invert_bits};
     },
     .supports = no_four_bits},
    {.op = OpId::sign,
     .pick = [](const SliceNode& n, const Slice&) -> Kernel<Array> {
       return {.one = is_float(n.dtype) ? sign_of : One([](const C& c) -> Array {
                 return mx::sign(*c[0], stream());
               })};
     },
     .supports = no_four_bits},
    BINARY(add, mx::add),
    BINARY(subtract, mx::subtract),
    BINARY(multiply, mx::multiply),
    BINARY(divide, mx::divide),
    BINARY(maximum, mx::maximum),
    BINARY(minimum, mx::minimum),
    BINARY(atan2, mx::arctan2),
    {.op = OpId::bitwise_and,
     .pick = pick_binary<mx::logical_and, mx::bitwise_and>,
     .supports = no_four_bits},
    {.op = OpId::bitwise_or,
     .pick = pick_binary<mx::logical_or, mx::bitwise_or>,
     .supports = no_four_bits},
    {.op = OpId::bitwise_xor,
     .pick = pick_binary<mx::not_equal, mx::bitwise_xor>,
     .supports = no_four_bits},
    BINARY(logical_and, mx::logical_and),
    BINARY(logical_or, mx::logical_or),
    BINARY(logical_xor, mx::not_equal),
    BINARY(equal, mx::equal),
    BINARY(not_equal, mx::not_equal),
    BINARY(less, mx::less),
    BINARY(less_equal, mx::less_equal),
    BINARY(greater, mx::greater),
    BINARY(greater_equal, mx::greater_equal),
    {.op = OpId::where,
     .one = [](const C& c) -> Array { return mx::where(*c[0], *c[1], *c[2], stream()); },
     .supports = no_four_bits},
    {.op = OpId::cast, .pick = pick_cast},
};

}  // namespace

std::span<const KernelRow> elementwise_kernels() { return rows; }

}  // namespace ember::mlx
