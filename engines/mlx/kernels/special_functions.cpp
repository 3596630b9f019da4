// Elementwise ops that MLX does not have, or that differ from Ember's, in terms of those it has.
#include <cmath>

#include "engines/mlx/library.h"

namespace ember::mlx {
namespace {

mx::array plus(const mx::array& a, const mx::array& b) { return mx::add(a, b, stream()); }
mx::array minus(const mx::array& a, const mx::array& b) { return mx::subtract(a, b, stream()); }
mx::array times(const mx::array& a, const mx::array& b) { return mx::multiply(a, b, stream()); }
mx::array both(const mx::array& a, const mx::array& b) { return mx::logical_and(a, b, stream()); }
mx::array either(const mx::array& a, const mx::array& b) { return mx::logical_or(a, b, stream()); }
mx::array choose(const mx::array& c, const mx::array& a, const mx::array& b) {
  return mx::where(c, a, b, stream());
}
mx::array lt(const mx::array& a, double v) { return mx::less(a, like(a, v), stream()); }
mx::array eq(const mx::array& a, double v) { return mx::equal(a, like(a, v), stream()); }
mx::array shifted(const mx::array& a, int n) { return mx::right_shift(a, like(a, n), stream()); }
bool is_signed_int(const mx::array& x) { return mx::issubdtype(x.dtype(), mx::signedinteger); }
mx::Dtype bits_dtype(const mx::array& x) {
  return x.itemsize() == 2 ? mx::int16 : x.itemsize() == 4 ? mx::int32 : mx::int64;
}
// of a float, as a signed integer
mx::array bits(const mx::array& x) { return mx::view(x, bits_dtype(x), stream()); }

mx::array as_unsigned(const mx::array& x) {
  const size_t n = x.itemsize();
  return mx::view(x,
                  n == 1   ? mx::uint8
                  : n == 2 ? mx::uint16
                  : n == 4 ? mx::uint32
                           : mx::uint64,
                  stream());
}

// A kernel in float32 for 16-bit floats, so that only its result is rounded.
template <mx::array (*f)(const mx::array&)> Array once(const C& c) {
  return as(f(wide(*c[0])), type_of(c.node));
}
template <mx::array (*f)(const mx::array&, const mx::array&)> Array once2(const C& c) {
  return as(f(wide(*c[0]), wide(*c[1])), type_of(c.node));
}

// The error of MLX's sin and cos of floats grows with the argument, and float64 is computed in
// float32; complex numbers use the C library. For float64 only tan is precise, so with t = tan(x /
// 2): sin(x) = 2t / (1 + t^2), cos(x) = (1 - t^2) / (1 + t^2).
mx::array sine(const mx::array& x) {
  if (x.dtype() == mx::complex64 || on_gpu()) return mx::sin(x, stream());
  if (x.dtype() == mx::float32) {
    return mx::real(mx::sin(mx::astype(x, mx::complex64, stream()), stream()), stream());
  }
  const mx::array t = mx::tan(times(x, like(x, 0.5)), stream());
  return mx::divide(plus(t, t), plus(like(x, 1), times(t, t)), stream());
}
mx::array cosine(const mx::array& x) {
  if (x.dtype() == mx::complex64 || on_gpu()) return mx::cos(x, stream());
  if (x.dtype() == mx::float32) {
    return mx::real(mx::cos(mx::astype(x, mx::complex64, stream()), stream()), stream());
  }
  const mx::array t = mx::tan(times(x, like(x, 0.5)), stream());
  const mx::array one = like(x, 1);
  return mx::divide(times(minus(one, t), plus(one, t)), plus(one, times(t, t)), stream());
}
mx::array sigmoid_of(const mx::array& x) {
  if (x.dtype() == mx::float32) return mx::sigmoid(x, stream());
  return mx::reciprocal(plus(like(x, 1), exponential(mx::negative(x, stream()))), stream());
}
mx::array exp2(const mx::array& x) { return mx::power(like(x, 2), x, stream()); }
// exp(z) - 1 = 2 exp(z / 2) sinh(z / 2); MLX computes the real part only.
mx::array expm1_complex(const mx::array& z) {
  const mx::array h = times(z, like(z, 0.5));
  return times(times(like(z, 2), mx::exp(h, stream())), mx::sinh(h, stream()));
}
mx::array expm1_of(const mx::array& x) {
  return x.dtype() == mx::complex64 ? expm1_complex(x) : mx::expm1(x, stream());
}
mx::array cbrt(const mx::array& x) {
  return times(mx::sign(x, stream()), mx::power(mx::abs(x, stream()), like(x, 1.0 / 3), stream()));
}
// Chebyshev's fit to erfc of float32, with a relative error of 1.2e-7, computed in float64:
// erfc(|x|) = t exp(-x^2 + p(t)) for t = 1 / (1 + |x| / 2), and erfc(-x) = 2 - erfc(x).
mx::array erfc(const mx::array& given) {
  const mx::array x = as(given, on_gpu() ? mx::float32 : mx::float64);
  const mx::array z = mx::abs(x, stream());
  const mx::array t = mx::reciprocal(plus(like(x, 1), times(like(x, 0.5), z)), stream());
  mx::array p = like(x, 0.17087277);
  for (double k : {-0.82215223, 1.48851587, -1.13520398, 0.27886807, -0.18628806, 0.09678418,
                   0.37409196, 1.00002368, -1.26551223}) {
    p = plus(like(x, k), times(t, p));
  }
  const mx::array r = times(t, exponential(minus(p, times(z, z))));
  return as(choose(lt(x, 0), minus(like(x, 2), r), r), given.dtype());
}
mx::array hypot(const mx::array& a, const mx::array& b) {
  const mx::array x = mx::abs(a, stream());
  const mx::array y = mx::abs(b, stream());
  const mx::array top = mx::maximum(x, y, stream());
  const mx::array ratio =
      mx::divide(mx::minimum(x, y, stream()), choose(eq(top, 0), like(x, 1), top), stream());
  const mx::array r = times(top, mx::sqrt(plus(like(x, 1), times(ratio, ratio)), stream()));
  const mx::array infinite = either(mx::isinf(x, stream()), mx::isinf(y, stream()));
  return choose(infinite, like(x, HUGE_VAL), r);
}
mx::array logaddexp_of(const mx::array& a, const mx::array& b) {
  if (a.dtype() != mx::float64) return mx::logaddexp(a, b, stream());
  const mx::array top = mx::maximum(a, b, stream());
  const mx::array low = mx::minimum(a, b, stream());
  const mx::array r = plus(top, mx::log1p(exponential(minus(low, top)), stream()));
  return choose(either(eq(low, -HUGE_VAL), eq(top, HUGE_VAL)), top, r);
}
Array signbit(const C& c) { return lt(bits(*c[0]), 0); }
Array copysign(const C& c) {
  const mx::array a = bits(*c[0]);
  const mx::array b = bits(*c[1]);
  const mx::array differ = lt(mx::bitwise_xor(a, b, stream()), 0);
  return choose(differ, mx::negative(*c[0], stream()), *c[0]);
}
// The neighbours of a float are those of its bits; the neighbour of 0 is the smallest number with
// the other operand's sign.
Array nextafter(const C& c) {
  const mx::array& x = *c[0];
  const mx::array& y = *c[1];
  const mx::array i = bits(x);
  const mx::array away =
      mx::equal(mx::less(x, y, stream()), mx::greater(x, like(x, 0), stream()), stream());
  const mx::array moved = plus(i, choose(away, like(i, 1), like(i, -1)));
  const mx::array top = constant_int(x.itemsize() == 2   ? INT16_MIN
                                     : x.itemsize() == 4 ? INT32_MIN
                                                         : INT64_MIN,
                                     i.dtype());
  const mx::array sign = mx::bitwise_and(bits(y), top, stream());
  const mx::array smallest = mx::bitwise_or(sign, like(i, 1), stream());
  const mx::array r = mx::view(choose(eq(x, 0), smallest, moved), x.dtype(), stream());
  const mx::array nan = either(mx::isnan(x, stream()), mx::isnan(y, stream()));
  return choose(nan, plus(x, y), choose(mx::equal(x, y, stream()), y, r));
}

// Adds neighbouring bits, then pairs, then groups of four, in place.
Array popcount(const C& c) {
  const mx::array& x = *c[0];
  const int size = int(x.itemsize());
  mx::array v = as_unsigned(x);
  const mx::Dtype t = v.dtype();
  const auto mask = [&](uint64_t m) { return mx::array(m & (~uint64_t(0) >> (64 - 8 * size)), t); };
  const auto groups = [&](int n, uint64_t m) {
    v = plus(mx::bitwise_and(v, mask(m), stream()),
             mx::bitwise_and(shifted(v, n), mask(m), stream()));
  };
  groups(1, 0x5555555555555555);
  groups(2, 0x3333333333333333);
  groups(4, 0x0f0f0f0f0f0f0f0f);
  if (size > 1) groups(8, 0x00ff00ff00ff00ff);
  if (size > 2) groups(16, 0x0000ffff0000ffff);
  if (size > 4) groups(32, 0x00000000ffffffff);
  return as(v, mx::uint8);
}

// Division. The processor traps at an integer divided by 0, and at the smallest one divided by -1,
// so both divisors are replaced by 1.
bool is_safe_constant(const C& c) {  // neither 0 nor -1
  const SliceNode& by = c.from(1);
  return by.op == OpId::scalar && c.params[by.param].i != 0 && c.params[by.param].i != -1;
}
mx::array trapless(const mx::array& b) {
  const mx::array zero = eq(b, 0);
  return choose(is_signed_int(b) ? either(zero, eq(b, -1)) : zero, like(b, 1), b);
}
Array divide_down(const C& c) {  // of integers
  const mx::array& a = *c[0];
  const mx::array& b = *c[1];
  const bool safe = is_safe_constant(c);
  const mx::array d = safe ? b : trapless(b);
  mx::array q = mx::floor_divide(a, d, stream());  // towards 0
  if (is_signed_int(a)) {
    const mx::array inexact = mx::not_equal(times(q, d), a, stream());
    const mx::array below = both(inexact, mx::not_equal(lt(a, 0), lt(d, 0), stream()));
    q = minus(q, as(below, q.dtype()));
    if (!safe) q = choose(eq(b, -1), mx::negative(a, stream()), q);
  }
  return safe ? q : choose(eq(b, 0), like(q, 0), q);
}
Array modulo(const C& c) {  // of integers: by 0 and by -1 the remainder is 0, as it is by 1
  return mx::remainder(*c[0], is_safe_constant(c) ? *c[1] : trapless(*c[1]), stream());
}
Array modulo_towards_zero(const C& c) {
  return mx::divmod(*c[0], is_safe_constant(c) ? *c[1] : trapless(*c[1]), stream())[1];
}
mx::array fmod(const mx::array& a, const mx::array& b) { return mx::divmod(a, b, stream())[1]; }
mx::array floored_remainder(const mx::array& a, const mx::array& b) {
  const mx::array r = fmod(a, b);
  const mx::array other =
      both(mx::not_equal(r, like(r, 0), stream()), mx::not_equal(lt(r, 0), lt(b, 0), stream()));
  const mx::array zero =
      choose(lt(b, 0), like(b, -0.0f), like(b, 0));  // a zero has the divisor's sign too
  return choose(eq(r, 0), zero, choose(other, plus(r, b), r));
}
// Computed from the remainder, as in Python, because the quotient may round up to an integer that
// it is below.
mx::array floored_quotient(const mx::array& a, const mx::array& b) {
  const mx::array q =
      mx::round(mx::divide(minus(a, floored_remainder(a, b)), b, stream()), 0, stream());
  const mx::array plain =
      mx::divide(a, b, stream());  // for infinities and 0, as the array API specifies
  const mx::array signed_zero = times(plain, like(plain, 0));
  return choose(both(mx::isfinite(plain, stream()), mx::isfinite(b, stream())),
                choose(eq(q, 0), signed_zero, q), plain);
}

// MLX shifts as C++ does, where a shift by the width or more is undefined. A negative shift is a
// huge unsigned one.
Array shift_left(const C& c) {
  const mx::array& a = *c[0];
  const mx::array& b = *c[1];
  const int width = int(8 * a.itemsize());
  const mx::array fits = mx::less(as_unsigned(b), as_unsigned(like(b, width)), stream());
  return choose(fits, mx::left_shift(a, choose(fits, b, like(b, 0)), stream()), like(a, 0));
}
Array shift_right(const C& c) {
  const mx::array& a = *c[0];
  const mx::array& b = *c[1];
  const int width = int(8 * a.itemsize());
  const mx::array fits = mx::less(as_unsigned(b), as_unsigned(like(b, width)), stream());
  const mx::array r = mx::right_shift(a, choose(fits, b, like(b, width - 1)), stream());
  return is_signed_int(a) ? r : choose(fits, r, like(a, 0));
}

// MLX's loop over the bits of the exponent does not end for negative ones; the result is 1 / a^-b,
// truncated.
Array power_signed(const C& c) {
  const mx::array& a = *c[0];
  const mx::array& b = *c[1];
  const mx::array up = mx::power(a, mx::maximum(b, like(b, 0), stream()), stream());
  const mx::array odd =
      mx::not_equal(mx::bitwise_and(b, like(b, 1), stream()), like(b, 0), stream());
  const mx::array turned = choose(odd, like(a, -1), like(a, 1));
  return choose(lt(b, 0), choose(eq(a, 1), like(a, 1), choose(eq(a, -1), turned, like(a, 0))), up);
}
Array power_plain(const C& c) { return mx::power(*c[0], *c[1], stream()); }

template <One of_ints, One of_floats> Kernel<Array> by_kind(const SliceNode& n, const Slice&) {
  return {.one = is_inexact(n.dtype) ? of_floats : of_ints};
}

constexpr KernelRow rows[] = {
    {.op = OpId::sin, .one = once<sine>},
    {.op = OpId::cos, .one = once<cosine>},
    {.op = OpId::sigmoid, .one = once<sigmoid_of>},
    {.op = OpId::expm1, .one = once<expm1_of>},
    {.op = OpId::exp2, .one = once<exp2>},
    {.op = OpId::cbrt, .one = once<cbrt>},
    {.op = OpId::hypot, .one = once2<hypot>},
    {.op = OpId::logaddexp, .one = once2<logaddexp_of>},
    {.op = OpId::rsqrt, .one = [](const C& c) -> Array { return mx::rsqrt(*c[0], stream()); }},
    {.op = OpId::erf,
     .one = [](const C& c) -> Array { return mx::erf(*c[0], stream()); },
     .supports = single},
    {.op = OpId::erfinv,
     .one = [](const C& c) -> Array { return mx::erfinv(*c[0], stream()); },
     .supports = single},
    {.op = OpId::erfc, .one = once<erfc>, .supports = single},
    {.op = OpId::signbit, .one = signbit},
    {.op = OpId::copysign, .one = copysign},
    {.op = OpId::nextafter, .one = nextafter},
    {.op = OpId::popcount, .one = popcount, .supports = no_four_bits},
    {.op = OpId::floor_divide,
     .pick = by_kind<divide_down, once2<floored_quotient>>,
     .supports = no_four_bits},
    {.op = OpId::remainder,
     .pick = by_kind<modulo, once2<floored_remainder>>,
     .supports = no_four_bits},
    {.op = OpId::fmod, .pick = by_kind<modulo_towards_zero, once2<fmod>>, .supports = no_four_bits},
    {.op = OpId::bitwise_left_shift, .one = shift_left, .supports = no_four_bits},
    {.op = OpId::bitwise_right_shift, .one = shift_right, .supports = no_four_bits},
    {.op = OpId::pow,
     .pick = [](const SliceNode& n, const Slice&) -> Kernel<Array> {
       return {.one = is_signed(n.dtype) ? power_signed : power_plain};
     },
     .supports = no_four_bits},
};

}  // namespace

std::span<const KernelRow> special_function_kernels() { return rows; }

}  // namespace ember::mlx
