// Elementwise ops. A result is written into a donated input, if there is one.
#include "engines/torch/torch.h"

namespace ember::torch {
namespace {

bool all_ints(const Array& x) { return at::isIntegralType(x.scalar_type(), /*includeBool=*/false); }

// Kernels of one ATen call. f_out writes into its first argument, which may also be an operand.
#define UNARY_CALL(f)            \
  [](const Call& c) -> Array {   \
    if (Array* t = donated(c)) { \
      at::f##_out(*t, c[0]);     \
      return std::move(*t);      \
    }                            \
    return at::f(c[0]);          \
  }
#define BINARY_CALL(f)             \
  [](const Call& c) -> Array {     \
    if (Array* t = donated(c)) {   \
      at::f##_out(*t, c[0], c[1]); \
      return std::move(*t);        \
    }                              \
    return at::f(c[0], c[1]);      \
  }

Array identity(const Call& c) { return c[0]; }
Array all_false(const Call& c) { return at::zeros_like(c[0], at::kBool); }
Array all_true(const Call& c) { return at::ones_like(c[0], at::kBool); }

constexpr One add = BINARY_CALL(add), subtract = BINARY_CALL(sub), multiply = BINARY_CALL(mul),
              negative = UNARY_CALL(neg), invert = UNARY_CALL(bitwise_not),
              left_shift = BINARY_CALL(bitwise_left_shift),
              right_shift = BINARY_CALL(bitwise_right_shift), less = BINARY_CALL(lt),
              less_equal = BINARY_CALL(le), greater = BINARY_CALL(gt),
              greater_equal = BINARY_CALL(ge), larger = BINARY_CALL(maximum),
              smaller = BINARY_CALL(minimum), bit_and = BINARY_CALL(bitwise_and),
              bit_or = BINARY_CALL(bitwise_or), bit_xor = BINARY_CALL(bitwise_xor),
              real_abs = UNARY_CALL(abs), power = BINARY_CALL(pow);

Array abs(const Call& c) { return c.node.dtype == DType::bool_ ? c[0] : real_abs(c); }
Array square(const Call& c) {
  if (Array* t = donated(c)) return std::move(t->mul_(*t));
  return at::mul(c[0], c[0]);
}
Array conj(const Call& c) { return c[0].is_complex() ? at::conj_physical(c[0]) : c[0]; }

// Integers stay as they are; real and imaginary parts are rounded separately.
template <One f> Array rounding(const Call& c) { return c[0].is_floating_point() ? f(c) : c[0]; }
Array round_parts(const Call& c) {
  if (c[0].is_complex()) return at::complex(at::round(at::real(c[0])), at::round(at::imag(c[0])));
  return c[0].is_floating_point() ? UNARY_CALL(round)(c) : c[0];
}

// The sign of NaN, and of a complex number that is not finite, is NaN.
Array sign(const Call& c) {
  const Array& x = c[0];
  if (x.is_complex()) {
    return at::where(at::eq(x, 0), at::zeros({}, x.options()), at::div(x, at::abs(x)));
  }
  return x.is_floating_point() ? at::where(at::isnan(x), x, at::sign(x)) : at::sign(x);
}
Array sign_unsigned(const Call& c) { return at::ne(c[0], 0).to(c[0].scalar_type()); }

// libtorch has no cube root: pow(x, 1/3) and one step of Newton's method.
Array cbrt(const Call& c) {
  const Array x = widened(c[0]);
  const Array a = at::abs(x);
  const Array y = at::pow(a, 1.0 / 3);
  const Array better = at::sub(y, at::div(at::sub(y, at::div(a, at::mul(y, y))), 3));
  return typed(at::copysign(at::where(at::isfinite(better), better, y), x), c.node.dtype);
}

// Adds neighbouring bits, pairs, then groups of four in place; the product with 0x0101...01 adds
// all bytes into the top one.
Array popcount(const Call& c) {
  const int bits = bits_of(c.from(0).dtype);
  Array x = c.from(0).dtype == DType::uint64 ? c[0].view(at::kLong) : c[0].to(at::kLong);
  if (bits < 64) x = at::bitwise_and(x, (int64_t(1) << bits) - 1);
  constexpr int64_t twos = 0x5555555555555555;
  constexpr int64_t fours = 0x3333333333333333;
  constexpr int64_t bytes = 0x0f0f0f0f0f0f0f0f;
  constexpr int64_t ones = 0x0101010101010101;
  x = at::sub(x, at::bitwise_and(at::bitwise_right_shift(x, 1), twos));
  x = at::add(at::bitwise_and(x, fours), at::bitwise_and(at::bitwise_right_shift(x, 2), fours));
  x = at::bitwise_and(at::add(x, at::bitwise_right_shift(x, 4)), bytes);
  return at::bitwise_and(at::bitwise_right_shift(at::mul(x, ones), 56), 255).to(at::kByte);
}

// Division of integers. By zero it is 0; the smallest integer divided by -1 wraps, where the
// processor would trap.
template <class F> Array divided(const Array& a, const Array& b, F divide, bool quotient) {
  const bool has_sign = b.scalar_type() != at::kByte;
  if (b.numel() == 1 && (b.item<int64_t>() > 0 || b.item<int64_t>() < -1)) return divide(a, b);
  const Array zero = at::eq(b, 0);
  const Array special = has_sign ? at::logical_or(zero, at::eq(b, -1)) : zero;
  if (!any_true(special)) return divide(a, b);
  const Array r = divide(a, at::where(special, at::ones({}, b.options()), b));
  const Array none = at::zeros({}, b.options());
  if (!quotient) return at::where(special, none, r);
  return at::where(zero, none, has_sign ? at::where(special, at::neg(a), r) : r);
}
Array floor_divide(const Call& c) {
  if (!all_ints(
          c[0])) {  // with an infinity, as the array API has it: inf // 2 is inf, 1 // -inf is -0
    const Array special = at::logical_or(at::isinf(c[0]), at::isinf(c[1]));
    const Array q = at::floor_divide(c[0], c[1]);
    return any_true(special) ? at::where(special, at::div(c[0], c[1]), q) : q;
  }
  return divided(
      c[0], c[1], [](const Array& a, const Array& b) { return at::floor_divide(a, b); }, true);
}
Array remainder(const Call& c) {
  if (!all_ints(c[0])) {
    const Array r =
        at::remainder(c[0], c[1]);  // not into an operand: the divisor is read once more
    return at::where(at::eq(r, 0), at::copysign(r, c[1]), r);  // a zero has the divisor's sign too
  }
  return divided(
      c[0], c[1], [](const Array& a, const Array& b) { return at::remainder(a, b); }, false);
}
Array fmod(const Call& c) {
  if (!all_ints(c[0])) return BINARY_CALL(fmod)(c);
  return divided(c[0], c[1], [](const Array& a, const Array& b) { return at::fmod(a, b); }, false);
}

// uint64 by uint64 in int64: q = 2 * ((a / 2) / b) is the quotient or one less. A divisor whose top
// bit is set goes into a at most once, so q starts at 0.
std::pair<Array, Array> divide_bits(const Array& a, const Array& b) {
  const Array half = at::bitwise_and(at::bitwise_right_shift(a, 1), INT64_MAX);
  const Array large = at::lt(b, 0);
  const Array one = at::ones({}, b.options());
  const Array by = at::where(at::le(b, 0), one, b);
  Array q = at::where(large, at::zeros({}, b.options()),
                      at::bitwise_left_shift(at::floor_divide(half, by), 1));
  Array r = at::sub(a, at::mul(q, b));
  const Array more = at::ge(at::bitwise_xor(r, INT64_MIN), at::bitwise_xor(b, INT64_MIN));
  const Array zero = at::eq(b, 0);
  q = at::add(q, more.to(at::kLong));
  r = at::where(more, at::sub(r, b), r);
  return {q.masked_fill(zero, 0), r.masked_fill(zero, 0)};
}
template <One f, bool quotient> Array divide_unsigned(const Call& c) {
  if (c.node.dtype != DType::uint64) return detour<f, Detour::order>(c);
  auto [q, r] = divide_bits(c[0].view(at::kLong), c[1].view(at::kLong));
  return (quotient ? q : r).view(at::kUInt64);
}

// The logical shift of uint64: the first bit is shifted separately, to clear the top bit.
Array right_shift_unsigned(const Call& c) {
  if (c.node.dtype != DType::uint64) return detour<right_shift, Detour::order>(c);
  const Array x = c[0].view(at::kLong);
  const Array by = c[1].view(at::kLong);
  const Array once = at::bitwise_and(at::bitwise_right_shift(x, 1), INT64_MAX);
  return at::where(at::eq(by, 0), x, at::bitwise_right_shift(once, at::sub(by, 1)))
      .view(at::kUInt64);
}
Array left_shift_unsigned(const Call& c) {
  if (c.node.dtype == DType::uint64) return detour<left_shift, Detour::bits>(c);
  return detour<left_shift, Detour::order>(c);
}

// By squaring, so that it wraps as products do, for exponents of 64 bits.
Array pow_unsigned(const Call& c) {
  if (c.node.dtype != DType::uint64) return detour<power, Detour::order>(c);
  Array base = c[0].view(at::kLong);
  Array by = c[1].view(at::kLong);
  Array r = at::ones_like(base);
  Array one = at::ones({}, base.options());
  while (any_true(at::ne(by, 0))) {
    r = at::mul(r, at::where(at::ne(at::bitwise_and(by, 1), 0), base, one));
    base = at::mul(base, base);
    by = at::bitwise_and(at::bitwise_right_shift(by, 1), INT64_MAX);
  }
  return r.expand(ints(c.node.shape)).view(at::kUInt64);
}

// Floats to integers: saturates; NaN becomes 0.
Array saturated(const Array& given, DType to) {
  const Array x = widened(given);
  const int bits = bits_of(to) - is_signed(to);
  const double limit = std::ldexp(1.0, bits);
  const double low = is_signed(to) ? -limit : 0;
  const double below = bits < 24                       ? limit - 1
                       : x.scalar_type() == at::kFloat ? std::nextafterf(float(limit), 0.f)
                                                       : std::nextafter(limit, 0.0);
  const Array r = at::nan_to_num(x, 0.0).clamp_(low, below).to(type_of(to));
  if (bits < 24) return r;
  const uint64_t most = bits == 64 ? UINT64_MAX : (uint64_t(1) << bits) - 1;
  if (!wide_unsigned(to)) {
    return at::where(at::ge(x, limit), at::full({}, at::Scalar(most), r.options()), r);
  }
  const Array bits_of_r = to_signed(r, Detour::bits);
  return to_unsigned(at::where(at::ge(x, limit), at::full({}, -1, bits_of_r.options()), bits_of_r),
                     r.scalar_type(), Detour::bits);
}
Array cast(const Call& c) {
  const DType from = c.from(0).dtype;
  const DType to = c.node.dtype;
  const Array& x = c[0];
  if (from == to) return x;
  if (is_complex(from) && to == DType::bool_) return at::ne(x, 0);
  const Array& real = is_complex(from) && !is_complex(to) ? at::real(x) : x;
  if (is_float(real_of(from)) && is_integer(to)) return saturated(real, to);
  const Array r = real.to(type_of(to));
  if (bits_of(to) != 4) return r;
  return to == DType::uint4 ? at::bitwise_and(r, 15)
                            : at::bitwise_right_shift(at::bitwise_left_shift(r, 4), 4);
}

// Reads the sign bit of a NaN, too.
Array signbit_of_bits(const Call& c) {
  return narrow(c[0].scalar_type()) ? at::lt(c[0].view(at::kShort), 0) : at::signbit(c[0]);
}
Array where(const Call& c) { return at::where(c[0], c[1], c[2]); }

#define UNARY(op, f) {OpId::op, UNARY_CALL(f)}
#define BINARY(op, f) {OpId::op, BINARY_CALL(f)}
#define BITS(op, f) {OpId::op, f, detour<f, Detour::bits>}
#define ORDER(op, f) {OpId::op, f, detour<f, Detour::order>}
#define ELSEWHERE(op_, f, how) \
  {.op = OpId::op_, .one = f, .elsewhere = detour_if_unsigned<f, Detour::how>}
constexpr KernelRow rows[] = {
    {OpId::abs, abs, identity},
    UNARY(acos, acos),
    UNARY(acosh, acosh),
    UNARY(asin, asin),
    UNARY(asinh, asinh),
    UNARY(atan, atan),
    UNARY(atanh, atanh),
    BITS(bitwise_invert, invert),
    {OpId::cbrt, cbrt},
    {OpId::ceil, rounding<UNARY_CALL(ceil)>},
    {OpId::conj, conj},
    UNARY(cos, cos),
    UNARY(cosh, cosh),
    UNARY(digamma, digamma),
    UNARY(erf, erf),
    UNARY(erfc, erfc),
    UNARY(erfinv, erfinv),
    UNARY(exp, exp),
    UNARY(exp2, exp2),
    UNARY(expm1, expm1),
    {OpId::floor, rounding<UNARY_CALL(floor)>},
    {OpId::imag, [](const Call& c) { return at::imag(c[0]); }},
    {OpId::isfinite, [](const Call& c) { return at::isfinite(c[0]); }, all_true},
    {OpId::isinf, [](const Call& c) { return at::isinf(c[0]); }, all_false},
    {OpId::isnan, [](const Call& c) { return at::isnan(c[0]); }, all_false},
    UNARY(lgamma, lgamma),
    UNARY(log, log),
    UNARY(log10, log10),
    UNARY(log1p, log1p),
    UNARY(log2, log2),
    UNARY(logical_not, logical_not),
    BITS(negative, negative),
    {OpId::popcount, popcount},
    {OpId::real, [](const Call& c) { return at::real(c[0]); }},
    UNARY(reciprocal, reciprocal),
    {OpId::round, round_parts},
    UNARY(rsqrt, rsqrt),
    UNARY(sigmoid, sigmoid),
    {OpId::sign, sign, sign_unsigned},
    {.op = OpId::signbit, .one = UNARY_CALL(signbit), .elsewhere = signbit_of_bits},
    UNARY(sin, sin),
    UNARY(sinh, sinh),
    UNARY(sqrt, sqrt),
    BITS(square, square),
    UNARY(tan, tan),
    UNARY(tanh, tanh),
    {OpId::trunc, rounding<UNARY_CALL(trunc)>},
    BITS(add, add),
    BITS(subtract, subtract),
    BITS(multiply, multiply),
    BINARY(divide, div),
    ELSEWHERE(maximum, larger, order),
    ELSEWHERE(minimum, smaller, order),
    {OpId::floor_divide, floor_divide, divide_unsigned<floor_divide, true>},
    {OpId::remainder, remainder, divide_unsigned<remainder, false>},
    {OpId::fmod, fmod, divide_unsigned<fmod, false>},
    {OpId::pow, power, pow_unsigned},
    BINARY(atan2, atan2),
    BINARY(copysign, copysign),
    BINARY(hypot, hypot),
    BINARY(logaddexp, logaddexp),
    BINARY(nextafter, nextafter),
    ELSEWHERE(bitwise_and, bit_and, bits),
    ELSEWHERE(bitwise_or, bit_or, bits),
    ELSEWHERE(bitwise_xor, bit_xor, bits),
    {OpId::bitwise_left_shift, left_shift, left_shift_unsigned},
    {OpId::bitwise_right_shift, right_shift, right_shift_unsigned},
    BINARY(logical_and, logical_and),
    BINARY(logical_or, logical_or),
    BINARY(logical_xor, logical_xor),
    BINARY(equal, eq),
    BINARY(not_equal, ne),
    ORDER(less, less),
    ORDER(less_equal, less_equal),
    ORDER(greater, greater),
    ORDER(greater_equal, greater_equal),
    ELSEWHERE(where, where, bits),
    {OpId::cast, cast},
};

}  // namespace

std::span<const KernelRow> elementwise_kernels() { return rows; }

}  // namespace ember::torch
