// float32 and float64 ops without a vector version: loops over libm, and functions that libm lacks.
// Functions that libm computes with more than 3 ulp in float32 are computed in double.
#include <cmath>
#include <limits>
#include <numbers>

#include "engines/native/tiles/tiles.h"

namespace ember::native {
namespace {
#include "engines/native/tiles/loop-inl.h"

constexpr double inf = std::numeric_limits<double>::infinity(),
                 nan = std::numeric_limits<double>::quiet_NaN();

double digamma(double x) {
  if (x == 0) return std::copysign(inf, -x);
  double r = 0;
  if (x < 0) {  // reflection, with the fraction taken before multiplying by pi
    const double f = x - std::nearbyint(x);
    if (f == 0 || x == -inf) return nan;
    r = -std::numbers::pi / std::tan(std::numbers::pi * f);
    x = 1 - x;
  }
  for (; x < 12; x += 1) r -= 1 / x;
  const double z = 1 / (x * x);
  double tail = 0;
  for (const double c :
       {1.0 / 12, -691.0 / 32760, 1.0 / 132, -1.0 / 240, 1.0 / 252, -1.0 / 120, 1.0 / 12}) {
    tail = tail * z + c;
  }
  return r + (std::log(x) - 0.5 / x - tail * z);
}
double erfinv(
    double y) {  // a rough start, then Halley's steps on whichever of erf and erfc keeps all digits
  const double a = std::abs(y);
  if (!(a < 1)) return a == 1 ? std::copysign(inf, y) : nan;
  double x;
  if (a < 0.1) {
    x = a * (std::sqrt(std::numbers::pi) / 2) * (1 + std::numbers::pi / 12 * a * a);
    if (a < 1e-8) return std::copysign(x, y);
  } else {
    constexpr double k = 0.147;
    const double l = std::log((1 - a) * (1 + a));
    const double h = 2 / (std::numbers::pi * k) + l / 2;
    x = std::sqrt(std::sqrt(h * h - l / k) - h);
  }
  for (int i = 0; i < 3; ++i) {
    const double f = a < 0.5 ? std::erf(x) - a : (1 - a) - std::erfc(x);
    const double u = f / (2 / std::sqrt(std::numbers::pi) * std::exp(-x * x));
    x -= u / (1 + x * u);
  }
  return std::copysign(x, y);
}
double logaddexp(double a, double b) {
  if (a == b) return a + std::numbers::ln2;  // also two equal infinities
  return (a > b ? a : b) + std::log1p(std::exp(-std::abs(a - b)));
}
template <class T> T remainder(T a, T b) {  // has the sign of b
  const T r = std::fmod(a, b);
  if (b == 0) return r;
  if (r == 0) return std::copysign(T(0), b);
  return (r < 0) != (b < 0) ? r + b : r;
}
template <class T> T floor_divide(T a, T b) {
  // as in the array API: 1 // -inf is -0
  if (b == 0 || std::isinf(a) || std::isinf(b)) {
    return a / b;
  }
  const T r = std::fmod(a, b);
  const T q = (a - r) / b - T(r != 0 && (r < 0) != (b < 0));
  if (q == 0) return std::copysign(T(0), a / b);
  const T f = std::floor(q);
  return q - f > T(0.5) ? f + 1 : f;  // q is an integer up to rounding
}

template <OpId op> struct Float {
  template <class T> static T at(T x) {
    if constexpr (op == OpId::acos) return std::acos(x);
    if constexpr (op == OpId::acosh) return std::acosh(x);
    if constexpr (op == OpId::asin) return std::asin(x);
    if constexpr (op == OpId::asinh) return std::asinh(x);
    if constexpr (op == OpId::atan) return std::atan(x);
    if constexpr (op == OpId::atanh) return std::atanh(x);
    if constexpr (op == OpId::cbrt) return std::cbrt(x);
    if constexpr (op == OpId::cos) return std::cos(x);
    if constexpr (op == OpId::cosh) return std::cosh(x);
    if constexpr (op == OpId::digamma) return T(digamma(x));
    if constexpr (op == OpId::erf) return std::erf(x);
    if constexpr (op == OpId::erfc) return T(std::erfc(double(x)));
    if constexpr (op == OpId::erfinv) return T(erfinv(x));
    if constexpr (op == OpId::exp2) return std::exp2(x);
    if constexpr (op == OpId::lgamma) return T(log_gamma(double(x)));
    if constexpr (op == OpId::sin) return std::sin(x);
    if constexpr (op == OpId::sinh) return std::sinh(x);
    if constexpr (op == OpId::tan) return std::tan(x);
  }
  template <class T> static T at(T a, T b) {
    if constexpr (op == OpId::floor_divide) return floor_divide(a, b);
    if constexpr (op == OpId::remainder) return remainder(a, b);
    if constexpr (op == OpId::fmod) return std::fmod(a, b);
    if constexpr (op == OpId::pow) return std::pow(a, b);
    if constexpr (op == OpId::atan2) return std::atan2(a, b);
    if constexpr (op == OpId::hypot) return std::hypot(a, b);
    if constexpr (op == OpId::logaddexp) return T(logaddexp(a, b));
    if constexpr (op == OpId::nextafter) return std::nextafter(a, b);
  }
  static double log_gamma(double x) {
#if defined(__GLIBC__)
    int sign;  // lgamma writes to a global
    return ::lgamma_r(x, &sign);
#else
    return std::lgamma(x);
#endif
  }
};
struct Copy {
  template <class T> static T at(T x) { return x; }
};

template <class T> TileFn find(OpId op) {
  switch (op) {
#define U(name) \
  case OpId::name: return exact1<Float<OpId::name>, T, T>;
#define B(name) \
  case OpId::name: return exact2<Float<OpId::name>, T, T>;
    // clang-format off
    U(acos) U(acosh) U(asin) U(asinh) U(atan) U(atanh) U(cbrt) U(cos) U(cosh) U(digamma) U(erf) U(erfc) U(erfinv) U(exp2)
    U(lgamma) U(sin) U(sinh) U(tan)
    B(floor_divide) B(remainder) B(fmod) B(pow) B(atan2) B(hypot) B(logaddexp) B(nextafter)
    // clang-format on
#undef U
#undef B
              case OpId::conj:
  case OpId::real: return loop1<Copy, T, T>;
    default : return nullptr;
  }
}
}  // namespace

TileFn float_tile(OpId op, DType t) {
  return t == DType::float32 ? find<float>(op) : t == DType::float64 ? find<double>(op) : nullptr;
}

}  // namespace ember::native
