// Functions that ONNX does not have, or not in float64, in terms of others. They are accurate where
// the obvious formula is not: near 0, where exp overflows, at infinities and signed zeros.
#include <cmath>
#include <numbers>

#include "src/onnx/write/writer.h"

namespace ember::onnx {

// Kahan's formula: the errors of exp and log cancel.
Val expm1(const Val& x) {
  const Val u = op("Exp", {x});
  const Val d = u - 1.0;
  const Val near = where(d == -1.0 || u == HUGE_VAL, d, d * (x / op("Log", {u})));
  return where(u == 1.0, x, near);
}
Val log1p(const Val& x) {
  const Val u = x + 1.0;
  const Val d = u - 1.0;
  const Val l = op("Log", {u});
  return where(d == 0.0, x, where(u == HUGE_VAL, u, l * (x / d)));
}

namespace {

Val magnitude(const Val& x) { return op("Abs", {x}); }
Val with_sign(const Val& x, const Val& of) {
  const Val a = bits(x);
  const Val b = bits(of);
  const int64_t top = int64_t(uint64_t(1) << (bits_of(a.dtype) - 1));
  return float_of_bits(op("BitwiseOr", {op("BitwiseAnd", {a, integer_like(a, ~top)}),
                                        op("BitwiseAnd", {b, integer_like(b, top)})}),
                       x.dtype);
}
// For operators that ONNX Runtime has only for float32.
template <Val (*in_double)(const Val&)> Val either(const Call& c, const char* type) {
  return c.x().dtype == float64 ? in_double(c.x()) : op(type, {c.x()});
}

Val tan64(const Val& x) { return op("Sin", {x}) / op("Cos", {x}); }
Val half_exp(const Val& x) {  // exp(x) / 2, which overflows later
  const Val h = op("Exp", {x * 0.5});
  return h * 0.5 * h;
}
Val cosh64(const Val& x) {
  const Val e = half_exp(magnitude(x));
  return e + like(x, 0.25) / e;
}
Val sinh64(const Val& x) {
  const Val a = magnitude(x);
  const Val e = expm1(a);
  return with_sign(where(a > 700.0, half_exp(a), (e + e / (e + 1.0)) * 0.5), x);
}
Val asinh64(const Val& x) {
  const Val a = magnitude(x);
  const Val a2 = a * a;
  return with_sign(where(a > 1e150, op("Log", {a}) + std::numbers::ln2,
                         log1p(a + a2 / (op("Sqrt", {a2 + 1.0}) + 1.0))),
                   x);
}
Val acosh64(const Val& x) {
  const Val t = x - 1.0;
  const Val r = where(x > 1e150, op("Log", {x}) + std::numbers::ln2,
                      log1p(t + op("Sqrt", {t * 2.0 + t * t})));
  return where(t < 0.0, like(x, NAN), r);
}
Val atanh64(const Val& x) {
  const Val a = magnitude(x);
  return with_sign(log1p(a * 2.0 / (like(a, 1) - a)) * 0.5, x);
}
Val tan(const Call& c) {
  if (c.w.exact() && c.x().dtype == float64) {
    throw Unsupported{"ONNX Runtime's float64 sine of pi is 0"};
  }
  return either<tan64>(c, "Tan");
}
Val sinh(const Call& c) { return either<sinh64>(c, "Sinh"); }
Val cosh(const Call& c) { return either<cosh64>(c, "Cosh"); }
Val asinh(const Call& c) { return either<asinh64>(c, "Asinh"); }
Val acosh(const Call& c) { return either<acosh64>(c, "Acosh"); }
Val atanh(const Call& c) { return either<atanh64>(c, "Atanh"); }

Val exp_less_one(const Call& c) { return expm1(c.x()); }
Val log_of_more(const Call& c) { return log1p(c.x()); }
Val exp2(const Call& c) { return op("Pow", {like(c.x(), 2), c.x()}); }
Val log2(const Call& c) { return op("Log", {c.x()}) / std::numbers::ln2; }
Val log10(const Call& c) { return op("Log", {c.x()}) / std::numbers::ln10; }
Val rsqrt(const Call& c) { return op("Reciprocal", {op("Sqrt", {c.x()})}); }
Val cbrt(const Call& c) {
  const Val x = cast(c.x(), float64);
  const Val a = magnitude(x);
  return cast(with_sign(op("Pow", {a, like(a, 1.0 / 3)}), x), c.x().dtype);
}

// erfc(z) = t exp(p(t) - z^2) with t = 1 / (1 + z / 2) for z >= 0. p was fitted to 1e-8 in float64,
// which is sufficient for float32.
Val erfc(const Call& c) {
  if (c.x().dtype == float64) throw Unsupported{"ONNX Runtime has no Erf of float64"};
  if (c.w.exact()) throw Unsupported{"in ONNX's operators it takes 50 times as long"};
  const Val x = cast(c.x(), float64);
  const Val z = magnitude(x);
  const Val t = op("Reciprocal", {z * 0.5 + 1.0});
  constexpr double p[] = {-1.2655121242770675, 0.9999999272501361,   0.3750201990062125,
                          0.08259243325322577, -0.07473419449999273, -0.23370788997616712,
                          0.3355402260484918,  -1.2254251694415412,  2.3987337287800052,
                          -2.20510749992678,   0.9913575971906489,   -0.17875724386991854};
  Val sum = like(t, p[11]);
  for (int i = 10; i >= 0; --i) sum = sum * t + p[i];
  const Val r = t * op("Exp", {sum - z * z});
  return cast(where(x < 0.0, like(r, 2) - r, r), c.x().dtype);
}

Val sign_bits(const Call& c) {
  return is_float(c.x().dtype) ? sign_bit(c.x()) : c.x() < integer_like(c.x(), 0);
}
Val copysign(const Call& c) { return with_sign(c[0], c[1]); }
Val nextafter(const Call& c) {
  const Val& a = c[0];
  const Val& b = c[1];
  const Val at = bits(a);
  const Val away = integer_like(at, 1);
  const Val back = integer_like(at, -1);
  const Val up = b > a;
  const Val moved = float_of_bits(at + where(op("Xor", {up, a > 0.0}), back, away), a.dtype);
  const Val least = float_of_bits(integer_like(at, 1), a.dtype);
  const Val from_zero = where(up, least, with_sign(least, like(b, -1)));
  const Val result = where(a == b, b, where(a == 0.0, from_zero, moved));
  return where(op("IsNaN", {a}) || op("IsNaN", {b}), a + b, result);
}
Val hypot(const Call& c) {
  const Val infinite = op("IsInf", {c[0]}) || op("IsInf", {c[1]});
  Val r;
  if (c.x().dtype == float64) {
    const Val a = magnitude(c[0]);
    const Val b = magnitude(c[1]);
    const Val big = op("Max", {a, b});
    const Val ratio = op("Min", {a, b}) / big;
    r = where(big == 0.0, big, big * op("Sqrt", {ratio * ratio + 1.0}));
  } else {
    const Val a = cast(c[0], float64);
    const Val b = cast(c[1], float64);
    r = cast(op("Sqrt", {a * a + b * b}), float32);
  }
  return where(infinite, like(r, HUGE_VAL), r);
}
Val logaddexp(const Call& c) {
  const Val& a = c[0];
  const Val& b = c[1];
  return where(a == b, a + std::numbers::ln2,
               op("Max", {a, b}) + log1p(op("Exp", {-magnitude(a - b)})));
}
Val atan2(const Call& c) {
  const Val& y = c[0];
  const Val& x = c[1];
  const Val a = magnitude(y);
  const Val b = magnitude(x);
  const Val first = where(a == b, where(a == 0.0, like(a, 0), like(a, std::numbers::pi / 4)),
                          op("Atan", {a / b}));
  return with_sign(where(sign_bit(x), like(a, std::numbers::pi) - first, first), y);
}

}  // namespace

void add_math(Table& t) {
  using enum OpId;
  constexpr std::pair<OpId, Emit> entries[] = {
      {expm1, exp_less_one},        {log1p, log_of_more}, {exp2, onnx::exp2},
      {log2, onnx::log2},           {log10, onnx::log10}, {rsqrt, onnx::rsqrt},
      {cbrt, onnx::cbrt},           {tan, onnx::tan},     {sinh, onnx::sinh},
      {cosh, onnx::cosh},           {asinh, onnx::asinh}, {acosh, onnx::acosh},
      {atanh, onnx::atanh},         {erfc, onnx::erfc},   {hypot, onnx::hypot},
      {logaddexp, onnx::logaddexp}, {atan2, onnx::atan2}};
  for (auto [op, emit] : entries) t[size_t(op)] = {.emit = emit, .wide = true};
  t[size_t(signbit)].emit = sign_bits;
  t[size_t(copysign)].emit = onnx::copysign;
  t[size_t(nextafter)].emit = onnx::nextafter;
}

}  // namespace ember::onnx
