// Elementwise ops. Most rows are data only: the dtypes an op takes, their promotion, the dtype of
// the result and the gradient rule.
#include <numbers>

#include "src/ops/rows.h"

namespace ember {

template <> const void* AttrBox<ZeroSubgradient>::id() {
  static const char address = 0;
  return &address;
}

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
  if (k == 0) return where(true, like(x, 1), x);  // x stays an input, with the gradient 0
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

// Bits. Rotations and counts use the unsigned dtype of the same width.
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

// Gradients; of complex inputs g * conj(f'(x)), the direction of steepest ascent.
using namespace ops;

constexpr double ln2 = std::numbers::ln2, ln10 = std::numbers::ln10, pi = std::numbers::pi;
const double two_over_sqrt_pi = 2 * std::numbers::inv_sqrtpi,
             half_sqrt_pi = 0.5 / std::numbers::inv_sqrtpi;

// Equal inputs of maximum and minimum get one half each; with ZeroSubgradient the second gets all,
// and y tells which input won: relu keeps its output alone for backward.
template <OpId wins> Gradients vjp_select(const Vjp& v) {
  const Tensor& a = v.x[0];
  const Tensor& b = v.x[1];
  const Tensor& g = v.g[0];
  const auto won = [](const Tensor& x, const Tensor& y) {
    return wins == OpId::maximum ? x > y : x < y;
  };
  if (v.attrs) {
    const Tensor lost = wins == OpId::maximum ? v.y[0] <= b : v.y[0] >= b;
    return {where(lost, 0.0, g), where(lost, g, 0.0)};
  }
  const Tensor half = g * 0.5;
  const Tensor ties = a == b;
  return {where(ties, half, where(won(a, b), g, 0.0)), where(ties, half, where(won(b, a), g, 0.0))};
}
uint8_t select_reads(const Node& n) { return n.attrs ? reads_y | reads_x2 : reads_x | reads_x2; }

Gradients vjp_sqrt(const Vjp& v) {
  const Tensor& y = v.y[0];
  const Tensor& g = v.g[0];
  if (!v.attrs) return {g / cj(y * 2.0)};
  const Tensor zero = y == 0.0;
  return {where(zero, 0.0, g / (where(zero, 1.0, y) * 2.0))};
}

// The derivative of digamma: the recurrence up to x + 10, where the asymptotic series is accurate,
// and the reflection formula below one half.
Tensor trigamma(const Tensor& x) {
  const Tensor low = x < 0.5;
  const Tensor at = where(low, 1.0 - x, x);
  Tensor sum = zeros_like(x);
  Tensor z = at;
  for (int i = 0; i < 10; ++i) {
    sum = sum + 1.0 / square(z);
    z = z + 1.0;
  }
  const Tensor r = 1.0 / square(z);
  sum = sum + 1.0 / z + r * 0.5 +
        r / z * (1.0 / 6 - r * (1.0 / 30 - r * (1.0 / 42 - r * (1.0 / 30 - r * (5.0 / 66)))));
  return where(low, square(pi / sin(x * pi)) - sum, sum);
}

Tensor power_by_base(const Tensor& a, const Tensor& b, const Tensor& g) {
  return where(b == 0.0, 0.0, g * cj(b * pow(a, where(b == 0.0, 1.0, b) - 1.0)));
}
Tensor power_by_exponent(const Tensor& a, const Tensor& b, const Tensor& y, const Tensor& g) {
  const Tensor zero = is_complex(b.dtype()) ? a == 0.0 : logical_and(a == 0.0, b >= 0.0);
  return where(zero, 0.0, g * cj(y * log(where(zero, 1.0, a))));
}

}  // namespace
uint8_t reads_crosswise(const Node& n) {
  return uint8_t((n.inputs[1]->requires_grad ? reads_x : 0) |
                 (n.inputs[0]->requires_grad ? reads_x2 : 0));
}
namespace {
// Only the gradient of the second input reads the result.
template <int inputs> uint8_t y_for_second(const Node& n) {
  return uint8_t(inputs | (n.inputs[1]->requires_grad ? reads_y : 0));
}

// x / |x| moves only with the component of g orthogonal to x.
Gradients vjp_sign(const Vjp& v) {
  if (!is_complex(v.x[0].dtype())) return {};
  const Tensor& y = v.y[0];
  const Tensor& g = v.g[0];
  return {where(y == 0.0, 0.0, (g - y * real(conj(y) * g)) / where(y == 0.0, 1.0, abs(v.x[0])))};
}
Gradients vjp_where(const Vjp& v) {
  const Tensor& condition = v.x[0];
  const Tensor& g = v.g[0];
  return {Tensor(), where(condition, g, 0.0), where(condition, 0.0, g)};
}

}  // namespace

namespace {
using binder::fn;
constexpr auto P = Promote::common;
constexpr auto F = Promote::floating;
constexpr auto B = Promote::boolean;
constexpr auto K = Promote::keep;

Type infer_where(Inputs in, const Attrs&) {
  return {in[1].dtype(),
          broadcast_shapes(in[0].shape(), broadcast_shapes(in[1].shape(), in[2].shape()))};
}

#define ANY(op, a, n, t, d, k, p, ...)                         \
  GRAPH_OP(op, a, d, .traits = t, .arity = {n, n}, .kinds = k, \
           .promote = p __VA_OPT__(, ) __VA_ARGS__)
#define ROW(op, ...) ANY(op, "x", 1, t_elementwise, __VA_ARGS__)
#define ROW2(op, ...) ANY(op, "x1, x2", 2, t_elementwise, __VA_ARGS__)
#define SWAP(op, ...) ANY(op, "x1, x2", 2, t_elementwise | t_commutative, __VA_ARGS__)
const Row rows[] = {
    ROW(abs, "Absolute value |x|; the modulus of a complex number.", k_any, K,
        .result = Result::real, VJP1(reads_x, sign(x) * g)),
    ROW(acos, "Inverse cosine.", k_inexact, F, VJP1(reads_x, -g / cj(sqrt(1.0 - x * x)))),
    ROW(acosh, "Inverse hyperbolic cosine.", k_inexact, F,
        VJP1(reads_x, g / cj(sqrt(x - 1.0) * sqrt(x + 1.0)))),
    ROW(asin, "Inverse sine.", k_inexact, F, VJP1(reads_x, g / cj(sqrt(1.0 - x * x)))),
    ROW(asinh, "Inverse hyperbolic sine.", k_inexact, F, VJP1(reads_x, g / cj(sqrt(x * x + 1.0)))),
    ROW(atan, "Inverse tangent.", k_inexact, F, VJP1(reads_x, g / cj(x * x + 1.0))),
    ROW(atanh, "Inverse hyperbolic tangent.", k_inexact, F, VJP1(reads_x, g / cj(1.0 - x * x))),
    ROW(bitwise_invert, "Each bit inverted; logical not for bool.", k_integral, K),
    ROW(cbrt, "Cube root.", k_float, F, VJP1(reads_y, g / (square(y) * 3.0))),
    ROW(ceil, "Smallest integer not less than x.", k_real, K, FLAT),
    ROW(conj, "Complex conjugate.", k_any, K, VJP1(reads_none, cj(g))),
    ROW(cos, "Cosine.", k_inexact, F, VJP1(reads_x, -cj(sin(x)) * g)),
    ROW(cosh, "Hyperbolic cosine.", k_inexact, F, VJP1(reads_x, cj(sinh(x)) * g)),
    ROW(digamma, "Logarithmic derivative of the gamma function.", k_float, F,
        VJP1(reads_x, trigamma(x) * g)),
    ROW(erf, "Error function: 2 / sqrt(pi) times the integral of exp(-t^2) from 0 to x.", k_float,
        F, VJP1(reads_x, exp(-square(x)) * g * two_over_sqrt_pi)),
    ROW(erfc, "Complementary error function: 1 - erf(x), computed without cancellation.", k_float,
        F, VJP1(reads_x, -(exp(-square(x)) * g) * two_over_sqrt_pi)),
    ROW(erfinv, "Inverse error function: y with erf(y) = x.", k_float, F,
        VJP1(reads_y, exp(square(y)) * g * half_sqrt_pi)),
    ROW(exp, "e raised to the power x.", k_inexact, F, VJP1(reads_y, cj(y) * g)),
    ROW(exp2, "2 raised to the power x.", k_float, F, VJP1(reads_y, cj(y) * g * ln2)),
    ROW(expm1, "exp(x) - 1, accurate near 0.", k_inexact, F, VJP1(reads_y, cj(y + 1.0) * g)),
    ROW(floor, "Largest integer not greater than x.", k_real, K, FLAT),
    ROW(imag, "Imaginary part; 0 for real numbers.", k_complex, K, .result = Result::real,
        VJP1(reads_none, Tensor(std::complex<double>(0, 1)) * g)),
    ROW(isfinite, "True where x is neither infinite nor NaN.", k_any, K, .result = Result::boolean),
    ROW(isinf, "True where x is positive or negative infinity.", k_any, K,
        .result = Result::boolean),
    ROW(isnan, "True where x is NaN.", k_any, K, .result = Result::boolean),
    ROW(lgamma, "Natural logarithm of |gamma(x)|.", k_float, F, VJP1(reads_x, digamma(x) * g)),
    ROW(log, "Natural logarithm.", k_inexact, F, VJP1(reads_x, g / cj(x))),
    ROW(log10, "Logarithm to base 10.", k_inexact, F, VJP1(reads_x, g / cj(x) / ln10)),
    ROW(log1p, "log(1 + x), accurate near 0.", k_inexact, F, VJP1(reads_x, g / cj(x + 1.0))),
    ROW(log2, "Logarithm to base 2.", k_inexact, F, VJP1(reads_x, g / cj(x) / ln2)),
    ROW(logical_not, "True where x is zero or false.", k_bool, B),
    ROW(negative, "-x.", k_numeric, K, VJP1(reads_none, -g)),
    ROW(popcount, "Number of one bits in the two's complement representation.", k_int, K,
        .result = Result::byte),
    FUN(count_zeros, "x", "Number of zero bits in the two's complement representation."),
    FUN(positive, "x", "x itself."),
    ROW(real, "Real part.", k_complex, K, .result = Result::real, VJP1(reads_none, g)),
    ROW(reciprocal, "1 / x.", k_inexact, F, VJP1(reads_y, -(cj(square(y)) * g))),
    ANY(round, "x, decimals=0", 1, t_elementwise,
        "x rounded to the given number of decimals, ties to even.", k_any, K, FLAT),
    ROW(rsqrt, "1 / sqrt(x).", k_float, F, VJP1(reads_y, cj(square(y) * y) * g * -0.5)),
    ROW(sigmoid, "1 / (1 + exp(-x)).", k_inexact, F, VJP1(reads_y, (g * y) * (1.0 - y))),
    ROW(sign, "-1, 0 or 1; x / |x| for complex numbers.", k_numeric, K, .vjp = vjp_sign,
        .reads = reads_x | reads_y),
    ROW(signbit, "True where the sign bit is set, including that of -0.0 and of NaN.", k_float, K,
        .result = Result::boolean),
    ROW(sin, "Sine.", k_inexact, F, VJP1(reads_x, cj(cos(x)) * g)),
    ROW(sinh, "Hyperbolic sine.", k_inexact, F, VJP1(reads_x, cj(cosh(x)) * g)),
    ROW(sqrt, "Square root.", k_inexact, F, .vjp = vjp_sqrt, .reads = reads_y),
    ROW(square, "x * x.", k_numeric, K, VJP1(reads_x, cj(x) * g * 2.0)),
    ROW(tan, "Tangent.", k_inexact, F, VJP1(reads_y, cj(square(y) + 1.0) * g)),
    ROW(tanh, "Hyperbolic tangent.", k_inexact, F, VJP1(reads_y, cj(1.0 - square(y)) * g)),
    ROW(trunc, "x rounded toward zero.", k_real, K, FLAT),
    FUN(angle, "x", "Argument of a complex number in radians; 0 or pi for real numbers."),
    FUN(deg2rad, "x", "x * pi / 180: degrees converted to radians."),
    FUN(rad2deg, "x", "x * 180 / pi: radians converted to degrees."),
    FUN(sinc, "x", "sin(pi * x) / (pi * x), and 1 at 0."),
    SWAP(add, "x1 + x2.", k_any, P, VJP2(reads_none, g, g)),
    ROW2(subtract, "x1 - x2.", k_numeric, P, VJP2(reads_none, g, -g)),
    SWAP(multiply, "x1 * x2.", k_any, P, VJP2(reads_x | reads_x2, cj(b) * g, cj(a) * g),
         .reads_by = reads_crosswise),
    ROW2(divide, "x1 / x2; integers give the default float.", k_inexact, F,
         VJP2(reads_x2 | reads_y, g / cj(b), -(cj(y / b) * g)), .reads_by = y_for_second<reads_x2>),
    ROW2(maximum, "Larger of x1 and x2; NaN if either is NaN.", k_real, P,
         .vjp = vjp_select<OpId::maximum>, .reads_by = select_reads),
    ROW2(minimum, "Smaller of x1 and x2; NaN if either is NaN.", k_real, P,
         .vjp = vjp_select<OpId::minimum>, .reads_by = select_reads),
    ROW2(floor_divide, "floor(x1 / x2); 0 for integers divided by zero.", k_int | k_float, P, FLAT),
    ROW2(remainder, "Remainder of x1 / x2 with the sign of x2; 0 for integers divided by zero.",
         k_int | k_float, P, VJP2(reads_x | reads_x2, g, -(floor(a / b) * g))),
    ROW2(fmod, "Remainder of x1 / x2 with the sign of x1.", k_int | k_float, P,
         VJP2(reads_x | reads_x2, g, -(trunc(a / b) * g))),
    ROW2(pow, "x1 raised to the power x2.", k_numeric, P,
         VJP2(reads_x | reads_x2 | reads_y, power_by_base(a, b, g), power_by_exponent(a, b, y, g)),
         .reads_by = y_for_second<reads_x | reads_x2>),
    ROW2(atan2, "Angle in radians between the positive x axis and the point (x2, x1).", k_float, F,
         VJP2(reads_x | reads_x2, (g * b) / (square(a) + square(b)),
              (-g * a) / (square(a) + square(b)))),
    ROW2(copysign, "x1 with the sign of x2.", k_float, F,
         VJP2(reads_x | reads_y, (g * sign(a)) * sign(y), Tensor())),
    ROW2(hypot, "sqrt(x1^2 + x2^2), without overflow.", k_float, F,
         VJP2(reads_x | reads_x2 | reads_y, where(y == 0.0, 0.0, (g * a) / y),
              where(y == 0.0, 0.0, (g * b) / y))),
    ROW2(logaddexp, "log(exp(x1) + exp(x2)), without overflow.", k_float, F,
         VJP2(reads_x | reads_x2, sigmoid(where(a == b, 0.0, a - b)) * g,
              sigmoid(where(a == b, 0.0, b - a)) * g)),
    ROW2(nextafter, "Next representable number after x1 in the direction of x2.", k_float, F),
    FUN(heaviside, "x1, x2", "0 where x1 < 0, x2 where x1 = 0, and 1 where x1 > 0."),
    SWAP(bitwise_and, "Bitwise and; logical and for bool.", k_integral, P),
    SWAP(bitwise_or, "Bitwise or; logical or for bool.", k_integral, P),
    SWAP(bitwise_xor, "Bitwise exclusive or; logical exclusive or for bool.", k_integral, P),
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
    SWAP(logical_and, "True where both x1 and x2 are nonzero.", k_bool, B),
    SWAP(logical_or, "True where x1 or x2 is nonzero.", k_bool, B),
    SWAP(logical_xor, "True where exactly one of x1 and x2 is nonzero.", k_bool, B),
    SWAP(equal, "True where x1 == x2.", k_any, P, .result = Result::boolean),
    SWAP(not_equal, "True where x1 != x2.", k_any, P, .result = Result::boolean),
    ROW2(less, "True where x1 < x2.", k_real, P, .result = Result::boolean),
    ROW2(less_equal, "True where x1 <= x2.", k_real, P, .result = Result::boolean),
    ROW2(greater, "True where x1 > x2.", k_real, P, .result = Result::boolean),
    ROW2(greater_equal, "True where x1 >= x2.", k_real, P, .result = Result::boolean),
    {.name = "where",
     .args = "condition, x1, x2",
     .doc = "x1 where condition is true, x2 elsewhere.",
     .call = fn<ops::where>,
     .id = OpId::where,
     .traits = t_elementwise,
     .arity = {3, 3},
     .infer = infer_where,
     .vjp = vjp_where,
     .reads = reads_x},
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
#undef SWAP
}  // namespace

std::span<const Row> elementwise_rows() { return rows; }

}  // namespace ember
