// Elementwise ops. Most rows are only data: the kinds of dtypes they take, how those are promoted,
// what comes out.
#include <numbers>

#include "src/ops/rows.h"

namespace ember {
namespace ops {

#define UNARY(name) \
  Tensor name(Tensor x) { return apply(OpId::name, {&x, 1}); }
#define BINARY(name)                              \
  Tensor name(Tensor x1, Tensor x2) {             \
    Tensor in[] = {std::move(x1), std::move(x2)}; \
    return apply(OpId::name, in);                 \
  }
UNARY(abs)
UNARY(acos)
UNARY(acosh)
UNARY(asin)
UNARY(asinh)
UNARY(atan)
UNARY(atanh)
UNARY(bitwise_invert)
UNARY(cbrt)
UNARY(ceil)
UNARY(conj)
UNARY(cos)
UNARY(cosh)
UNARY(digamma)
UNARY(erf)
UNARY(erfc)
UNARY(erfinv)
UNARY(exp)
UNARY(exp2)
UNARY(expm1)
UNARY(floor)
UNARY(isfinite)
UNARY(isinf)
UNARY(isnan)
UNARY(lgamma)
UNARY(log)
UNARY(log10)
UNARY(log1p)
UNARY(log2)
UNARY(logical_not)
UNARY(negative)
UNARY(popcount)
UNARY(reciprocal)
UNARY(rsqrt)
UNARY(sigmoid)
UNARY(sign)
UNARY(signbit)
UNARY(sin)
UNARY(sinh)
UNARY(sqrt)
UNARY(square)
UNARY(tan)
UNARY(tanh)
UNARY(trunc)
BINARY(add)
BINARY(subtract)
BINARY(multiply)
BINARY(divide)
BINARY(maximum)
BINARY(minimum)
BINARY(floor_divide)
BINARY(remainder)
BINARY(fmod)
BINARY(atan2)
BINARY(copysign)
BINARY(hypot)
BINARY(logaddexp)
BINARY(nextafter)
BINARY(bitwise_and)
BINARY(bitwise_or)
BINARY(bitwise_xor)
BINARY(bitwise_left_shift)
BINARY(bitwise_right_shift)
BINARY(logical_and)
BINARY(logical_or)
BINARY(logical_xor)
BINARY(equal)
BINARY(not_equal)
BINARY(less)
BINARY(less_equal)
BINARY(greater)
BINARY(greater_equal)
#undef UNARY
#undef BINARY

namespace {
// x^k for common constant exponents by products, quotients and roots, since the general power is up
// to eighty times slower. Results lie within 2.5 ulp. Zeros, infinities and NaN are pow's:
// pow(-inf, 0.5) is inf and pow(-0.0, 0.5) is 0.0, unlike sqrt's. Returns an undefined tensor for
// other exponents.
Tensor constant_power(const Tensor& x, double k) {
  if (k == 1) return x;
  if (k == 2) return square(x);
  if (is_complex(x.dtype())) return {};
  if (k == 0 && !x.requires_grad()) return ones_like(x);
  if (k == 3) return multiply(x, square(x));
  if (k == 4) return square(square(x));
  if (!is_float(x.dtype())) return {};
  if (k == -1) return reciprocal(x);
  // in this order a large x gives a denormal result and not 0
  if (k == -2) {
    return square(reciprocal(x));
  }
  if (k == -3) return divide(reciprocal(x), square(x));
  if (k != 0.5 && k != -0.5) return {};
  const Tensor v = 0.0 - -x;  // x without the sign of zero; ONNX Runtime takes x + 0 for x
  return k > 0 ? where(x == -HUGE_VAL, HUGE_VAL, sqrt(v)) : where(x == -HUGE_VAL, 0.0, rsqrt(v));
}
bool is_number(const Node& n) {
  return n.op == OpId::scalar && (is_integer(n.dtype) || is_float(n.dtype));
}
}  // namespace

Tensor pow(Tensor x1, Tensor x2) {
  Tensor in[] = {std::move(x1), std::move(x2)};
  if (in[0].defined() && in[1].defined() && is_number(*in[1].node())) {
    const Node& n = *in[1].node();
    const bool is_negative = is_integer(n.dtype) && n.dtype != DType::uint64 && n.scalar.i < 0;
    if (n.weak && is_negative && is_integer(in[0].dtype())) {
      throw ValueError("[pow] integers to the power " + std::to_string(n.scalar.i) +
                       " are not integers: cast the base to a floating-point dtype");
    }
    const Tensor x = cast_to(in[0], result_dtype(in));
    const double k = is_float(n.dtype)          ? n.scalar.f
                     : n.dtype == DType::uint64 ? double(n.scalar.u)
                                                : double(n.scalar.i);
    // 16-bit floats are rounded once
    if (Tensor y = constant_power(widen(x), k); y.defined()) {
      return cast_to(y, x.dtype());
    }
  }
  return apply(OpId::pow, in);
}
Tensor real(Tensor x) { return is_complex(x.dtype()) ? apply(OpId::real, {&x, 1}) : x; }
Tensor imag(Tensor x) { return is_complex(x.dtype()) ? apply(OpId::imag, {&x, 1}) : zeros_like(x); }
Tensor positive(Tensor x) { return x; }
Tensor angle(Tensor x) {
  x = to_float(x);
  return atan2(imag(x), real(x));
}
Tensor deg2rad(Tensor x) { return to_float(x) * (std::numbers::pi / 180); }
Tensor rad2deg(Tensor x) { return to_float(x) * (180 / std::numbers::pi); }
Tensor sinc(Tensor x) {
  x = to_float(x) * std::numbers::pi;
  return where(x == 0.0, 1.0, sin(x) / where(x == 0.0, 1.0, x));
}
Tensor round(Tensor x, int64_t decimals) {
  if (decimals == 0) return apply(OpId::round, {&x, 1});
  if (!is_inexact(x.dtype())) {
    if (decimals > 0) return x;
    if (decimals < -18) return x * 0;
    int64_t unit = 1;
    for (int64_t i = 0; i < -decimals; ++i) unit *= 10;
    return cast_to(round(cast_to(x, DType::float64) / double(unit)) * double(unit), x.dtype());
  }
  const double unit = std::pow(10.0, double(std::abs(decimals)));
  Tensor scaled = decimals > 0 ? x * unit : x / unit;
  scaled = apply(OpId::round, {&scaled, 1});
  return decimals > 0 ? scaled / unit : scaled * unit;
}
Tensor heaviside(Tensor x1, Tensor x2) {
  const Tensor x = to_float(x1);
  return where(isnan(x), x, where(x < 0.0, 0.0, where(x > 0.0, 1.0, std::move(x2))));
}
Tensor where(Tensor condition, Tensor x1, Tensor x2) {
  Tensor in[] = {std::move(condition), std::move(x1), std::move(x2)};
  try {
    for (const Tensor& t : in) {
      if (!t.defined()) throw ValueError("an input is missing");
    }
    in[0] = cast_to(in[0], DType::bool_);
    promote_inputs(std::span(in).subspan(1), result_dtype(std::span(in).subspan(1)));
  } catch (...) {
    rethrow("where", "condition, x1, x2", in);
  }
  return apply(OpId::where, in);
}
// Bounds never widen x, and NaN bounds give NaN.
Tensor clip(const Tensor& x, const std::optional<Tensor>& min, const std::optional<Tensor>& max) {
  Tensor r = x;
  if (min) r = maximum(r, cast_to(*min, x.dtype()));
  if (max) r = minimum(r, cast_to(*max, x.dtype()));
  return r;
}
Tensor lerp(const Tensor& a, const Tensor& b, const Tensor& weight) { return a + (b - a) * weight; }
Tensor nan_to_num(const Tensor& x, double nan, std::optional<double> posinf,
                  std::optional<double> neginf) {
  if (!is_inexact(x.dtype())) return x;
  if (is_complex(x.dtype())) {
    const Tensor re = nan_to_num(real(x), nan, posinf, neginf);
    const Tensor im = nan_to_num(imag(x), nan, posinf, neginf);
    return re + im * Tensor(std::complex<double>(0, 1));
  }
  const FloatInfo info = finfo(x.dtype());
  Tensor r = where(isnan(x), like(x, nan), x);
  r = where(r == like(x, HUGE_VAL), like(x, posinf.value_or(info.max)), r);
  return where(r == like(x, -HUGE_VAL), like(x, neginf.value_or(info.min)), r);
}
Tensor isclose(const Tensor& a, const Tensor& b, double rtol, double atol, bool equal_nan) {
  const DType t = float_of(promote(a.dtype(), b.dtype()));
  const Tensor x = cast_to(a, t);
  const Tensor y = cast_to(b, t);
  Tensor r = where(isfinite(y), abs(x - y) <= abs(y) * rtol + atol, x == y);
  return equal_nan ? logical_or(r, logical_and(isnan(x), isnan(y))) : r;
}
Tensor allclose(const Tensor& a, const Tensor& b, double rtol, double atol, bool equal_nan) {
  return all(isclose(a, b, rtol, atol, equal_nan));
}
Tensor array_equal(const Tensor& a, const Tensor& b, bool equal_nan) {
  if (a.shape() != b.shape()) return full({}, false, DType::bool_);
  Tensor same = a == b;
  if (equal_nan && is_inexact(a.dtype()) && is_inexact(b.dtype())) {
    same = logical_or(same, logical_and(isnan(a), isnan(b)));
  }
  return all(same);
}

// Bits. Rotations and counts work on the unsigned twin of the same width.
namespace {
void need_integer(const char* op, const Tensor& x) {
  if (!is_integer(x.dtype())) {
    throw DTypeError("[" + std::string(op) + "] takes integers, not " +
                     std::string(name(x.dtype())));
  }
}
Tensor bit_mask(const Tensor& x, const Tensor& position) {
  return bitwise_left_shift(like(x, 1), cast_to(position, x.dtype()));
}
Tensor rotate(const char* op, Tensor x, Tensor by, std::optional<int64_t> bit_width, bool left) {
  need_integer(op, x);
  const DType t = x.dtype();
  const int all = bits_of(t);
  if (bit_width && (*bit_width < 1 || *bit_width > all)) {
    throw ValueError("[" + std::string(op) + "] bit_width must lie in [1, " + std::to_string(all) +
                     "], not " + std::to_string(*bit_width));
  }
  const int bits = int(bit_width.value_or(all));
  const DType u = all <= 8    ? DType::uint8
                  : all == 16 ? DType::uint16
                  : all == 32 ? DType::uint32
                              : DType::uint64;
  const auto lower = [&](const Tensor& v) {
    return bits == all ? v : v & make_scalar({.u = (uint64_t(1) << bits) - 1}, u, false);
  };
  const Tensor v = lower(cast_to(x, u));
  const Tensor n = cast_to(remainder(by, bits), u);
  const Tensor back = remainder(like(v, bits) - n, like(v, bits));
  return cast_to(lower(left ? bitwise_left_shift(v, n) | bitwise_right_shift(v, back)
                            : bitwise_right_shift(v, n) | bitwise_left_shift(v, back)),
                 t);
}
}  // namespace
Tensor count_zeros(Tensor x) {
  need_integer("count_zeros", x);
  const int bits = bits_of(x.dtype());
  return Tensor(bits) - popcount(std::move(x));
}
Tensor rotate_left(Tensor x, Tensor by, std::optional<int64_t> bit_width) {
  return rotate("rotate_left", std::move(x), std::move(by), bit_width, true);
}
Tensor rotate_right(Tensor x, Tensor by, std::optional<int64_t> bit_width) {
  return rotate("rotate_right", std::move(x), std::move(by), bit_width, false);
}
Tensor get_bit(Tensor x, Tensor position) {
  need_integer("get_bit", x);
  return bitwise_right_shift(x, cast_to(position, x.dtype())) & like(x, 1);
}
Tensor set_bit(const Tensor& x, const Tensor& position, const Tensor& value) {
  need_integer("set_bit", x);
  const Tensor m = bit_mask(x, position);
  return where(cast_to(value, DType::bool_), x | m, x & ~m);
}
Tensor toggle_bit(Tensor x, Tensor position) {
  need_integer("toggle_bit", x);
  const Tensor m = bit_mask(x, position);
  return std::move(x) ^ m;
}

}  // namespace ops

namespace {
using binder::fn;
using enum OpId;
constexpr auto P = Promote::common;
constexpr auto F = Promote::floating;
constexpr auto B = Promote::boolean;
constexpr auto K = Promote::keep;

Type infer_where(Inputs in, const Attrs&) {
  return {in[1].dtype(),
          broadcast_shapes(in[0].shape(), broadcast_shapes(in[1].shape(), in[2].shape()))};
}

#define ANY(op, a, d, k, p, ...) \
  {.name = #op,                  \
   .args = a,                    \
   .doc = d,                     \
   .id = op,                     \
   .kinds = k,                   \
   .promote = p,                 \
   __VA_OPT__(.result = __VA_ARGS__, ).call = fn<ops::op>}
#define ROW(op, ...) ANY(op, "x", __VA_ARGS__)
#define ROW2(op, ...) ANY(op, "x1, x2", __VA_ARGS__)
#define FUN(op, a, d) {.name = #op, .args = a, .doc = d, .call = fn<ops::op>}
const Row rows[] = {
    ROW(abs, "Absolute value |x|; the modulus of a complex number.", k_any, K, Result::real),
    ROW(acos, "Inverse cosine.", k_inexact, F),
    ROW(acosh, "Inverse hyperbolic cosine.", k_inexact, F),
    ROW(asin, "Inverse sine.", k_inexact, F),
    ROW(asinh, "Inverse hyperbolic sine.", k_inexact, F),
    ROW(atan, "Inverse tangent.", k_inexact, F),
    ROW(atanh, "Inverse hyperbolic tangent.", k_inexact, F),
    ROW(bitwise_invert, "Each bit inverted; logical not for bool.", k_integral, K),
    ROW(cbrt, "Cube root.", k_float, F),
    ROW(ceil, "Smallest integer not less than x.", k_real, K),
    ROW(conj, "Complex conjugate.", k_any, K),
    ROW(cos, "Cosine.", k_inexact, F),
    ROW(cosh, "Hyperbolic cosine.", k_inexact, F),
    ROW(digamma, "Logarithmic derivative of the gamma function.", k_float, F),
    ROW(erf, "Error function: 2 / sqrt(pi) times the integral of exp(-t^2) from 0 to x.", k_float,
        F),
    ROW(erfc, "Complementary error function: 1 - erf(x), computed without cancellation.", k_float,
        F),
    ROW(erfinv, "Inverse error function: y with erf(y) = x.", k_float, F),
    ROW(exp, "e raised to the power x.", k_inexact, F),
    ROW(exp2, "2 raised to the power x.", k_float, F),
    ROW(expm1, "exp(x) - 1, accurate near 0.", k_inexact, F),
    ROW(floor, "Largest integer not greater than x.", k_real, K),
    ROW(imag, "Imaginary part; 0 for real numbers.", k_complex, K, Result::real),
    ROW(isfinite, "True where x is neither infinite nor NaN.", k_any, K, Result::boolean),
    ROW(isinf, "True where x is positive or negative infinity.", k_any, K, Result::boolean),
    ROW(isnan, "True where x is NaN.", k_any, K, Result::boolean),
    ROW(lgamma, "Natural logarithm of |gamma(x)|.", k_float, F),
    ROW(log, "Natural logarithm.", k_inexact, F),
    ROW(log10, "Logarithm to base 10.", k_inexact, F),
    ROW(log1p, "log(1 + x), accurate near 0.", k_inexact, F),
    ROW(log2, "Logarithm to base 2.", k_inexact, F),
    ROW(logical_not, "True where x is zero or false.", k_bool, B),
    ROW(negative, "-x.", k_numeric, K),
    ROW(popcount, "Number of one bits in the two's complement representation.", k_int, K,
        Result::byte),
    FUN(count_zeros, "x", "Number of zero bits in the two's complement representation."),
    FUN(positive, "x", "x itself."),
    ROW(real, "Real part.", k_complex, K, Result::real),
    ROW(reciprocal, "1 / x.", k_inexact, F),
    ANY(round, "x, decimals=0", "x rounded to the given number of decimals, ties to even.", k_any,
        K),
    ROW(rsqrt, "1 / sqrt(x).", k_float, F),
    ROW(sigmoid, "1 / (1 + exp(-x)).", k_inexact, F),
    ROW(sign, "-1, 0 or 1; x / |x| for complex numbers.", k_numeric, K),
    ROW(signbit, "True where the sign bit is set, including that of -0.0 and of NaN.", k_float, K,
        Result::boolean),
    ROW(sin, "Sine.", k_inexact, F),
    ROW(sinh, "Hyperbolic sine.", k_inexact, F),
    ROW(sqrt, "Square root.", k_inexact, F),
    ROW(square, "x * x.", k_numeric, K),
    ROW(tan, "Tangent.", k_inexact, F),
    ROW(tanh, "Hyperbolic tangent.", k_inexact, F),
    ROW(trunc, "x rounded toward zero.", k_real, K),
    FUN(angle, "x", "Argument of a complex number in radians; 0 or pi for real numbers."),
    FUN(deg2rad, "x", "x * pi / 180: degrees converted to radians."),
    FUN(rad2deg, "x", "x * 180 / pi: radians converted to degrees."),
    FUN(sinc, "x", "sin(pi * x) / (pi * x), and 1 at 0."),
    ROW2(add, "x1 + x2.", k_any, P),
    ROW2(subtract, "x1 - x2.", k_numeric, P),
    ROW2(multiply, "x1 * x2.", k_any, P),
    ROW2(divide, "x1 / x2; integers give the default float.", k_inexact, F),
    ROW2(maximum, "Larger of x1 and x2; NaN if either is NaN.", k_real, P),
    ROW2(minimum, "Smaller of x1 and x2; NaN if either is NaN.", k_real, P),
    ROW2(floor_divide, "floor(x1 / x2); 0 for integers divided by zero.", k_int | k_float, P),
    ROW2(remainder, "Remainder of x1 / x2 with the sign of x2; 0 for integers divided by zero.",
         k_int | k_float, P),
    ROW2(fmod, "Remainder of x1 / x2 with the sign of x1.", k_int | k_float, P),
    ROW2(pow, "x1 raised to the power x2.", k_numeric, P),
    ROW2(atan2, "Angle in radians between the positive x axis and the point (x2, x1).", k_float, F),
    ROW2(copysign, "x1 with the sign of x2.", k_float, F),
    ROW2(hypot, "sqrt(x1^2 + x2^2), without overflow.", k_float, F),
    ROW2(logaddexp, "log(exp(x1) + exp(x2)), without overflow.", k_float, F),
    ROW2(nextafter, "Next representable number after x1 in the direction of x2.", k_float, F),
    FUN(heaviside, "x1, x2", "0 where x1 < 0, x2 where x1 = 0, and 1 where x1 > 0."),
    ROW2(bitwise_and, "Bitwise and; logical and for bool.", k_integral, P),
    ROW2(bitwise_or, "Bitwise or; logical or for bool.", k_integral, P),
    ROW2(bitwise_xor, "Bitwise exclusive or; logical exclusive or for bool.", k_integral, P),
    ROW2(bitwise_left_shift, "x1 * 2^x2, discarding high bits; 0 if x2 is the width or more.",
         k_int, P),
    ROW2(bitwise_right_shift, "floor(x1 / 2^x2).", k_int, P),
    FUN(rotate_left, "x, by, bit_width=None",
        "Lowest bit_width bits (by default all) rotated left by the given number."),
    FUN(rotate_right, "x, by, bit_width=None",
        "Lowest bit_width bits (by default all) rotated right by the given number."),
    FUN(get_bit, "x, position", "Bit at position, 0 or 1; position 0 is the lowest."),
    FUN(set_bit, "x, position, value", "x with the bit at position set to value."),
    FUN(toggle_bit, "x, position", "x with the bit at position inverted."),
    ROW2(logical_and, "True where both x1 and x2 are nonzero.", k_bool, B),
    ROW2(logical_or, "True where x1 or x2 is nonzero.", k_bool, B),
    ROW2(logical_xor, "True where exactly one of x1 and x2 is nonzero.", k_bool, B),
    ROW2(equal, "True where x1 == x2.", k_any, P, Result::boolean),
    ROW2(not_equal, "True where x1 != x2.", k_any, P, Result::boolean),
    ROW2(less, "True where x1 < x2.", k_real, P, Result::boolean),
    ROW2(less_equal, "True where x1 <= x2.", k_real, P, Result::boolean),
    ROW2(greater, "True where x1 > x2.", k_real, P, Result::boolean),
    ROW2(greater_equal, "True where x1 >= x2.", k_real, P, Result::boolean),
    {.name = "where",
     .args = "condition, x1, x2",
     .doc = "x1 where condition is true, x2 elsewhere.",
     .id = where,
     .infer = infer_where,
     .call = fn<ops::where>},
    FUN(clip, "x, min=None, max=None",
        "x clamped to [min, max]; a bound that is None does not apply."),
    FUN(lerp, "a, b, weight", "a + (b - a) * weight."),
    FUN(nan_to_num, "x, nan=0.0, posinf=None, neginf=None",
        "x with NaN, inf and -inf replaced; by default inf by the largest finite number."),
    FUN(isclose, "a, b, rtol=1e-5, atol=1e-8, equal_nan=False",
        "True where |a - b| <= atol + rtol * |b|."),
    FUN(allclose, "a, b, rtol=1e-5, atol=1e-8, equal_nan=False",
        "True if |a - b| <= atol + rtol * |b| for all elements."),
    FUN(array_equal, "a, b, equal_nan=False",
        "True if a and b have the same shape and equal elements."),
};
#undef ANY
#undef ROW
#undef ROW2
#undef FUN
}  // namespace

std::span<const Row> elementwise_rows() { return rows; }

}  // namespace ember
