// Tile kernels of complex64 and complex128. Functions are computed in double for both, with the
// special values of C99's Annex G where the library gives them; multiplication is the plain formula
// and division Smith's, as in NumPy.
#include <cmath>
#include <complex>
#include <limits>

#include "engines/native/tiles/tiles.h"

namespace ember::native {
namespace {
#include "engines/native/tiles/loop-inl.h"

using Z = std::complex<double>;
template <class T> using C = std::complex<T>;

template <class T> inline C<T> multiply(C<T> a, C<T> b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}
template <class T>
inline C<T> divide(C<T> a,
                   C<T> b) {  // by the larger part of b first, so that nothing overflows needlessly
  if (std::abs(b.real()) >= std::abs(b.imag())) {
    if (b.real() == 0) return {a.real() / std::abs(b.real()), a.imag() / std::abs(b.real())};
    const T q = b.imag() / b.real();
    const T s = 1 / (b.real() + b.imag() * q);
    return {(a.real() + a.imag() * q) * s, (a.imag() - a.real() * q) * s};
  }
  const T q = b.real() / b.imag();
  const T s = 1 / (b.imag() + b.real() * q);
  return {(a.real() * q + a.imag()) * s, (a.imag() * q - a.real()) * s};
}
Z log1p(Z z) {
  const double x = z.real();
  const double y = z.imag();
  if (std::abs(x) < 0.5 && std::abs(y) < 0.5) {
    return {0.5 * std::log1p(x * (2 + x) + y * y), std::atan2(y, 1 + x)};
  }
  return std::log(Z(1 + x, y));
}
Z expm1(Z z) {
  if (z.imag() == 0) return {std::expm1(z.real()) + 0.0, z.imag()};  // + 0.0: never -0
  if (!std::isfinite(z.real()) || !std::isfinite(z.imag())) {
    const Z e = std::exp(z);
    return {e.real() - 1, e.imag()};
  }
  const double s = std::sin(z.imag() / 2);
  return {std::expm1(z.real()) * std::cos(z.imag()) - 2 * s * s,
          std::exp(z.real()) * std::sin(z.imag())};
}
Z tanh(Z z) {  // at infinity the imaginary part's sign is its own
  if (std::isinf(z.real()) && std::isfinite(z.imag())) {
    return {std::copysign(1, z.real()), std::copysign(0, z.imag())};
  }
  return std::tanh(z);
}
Z power(Z a, Z b) {
  if (b == Z(0)) return 1;
  if (a == Z(0)) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    return b.real() > 0 ? Z(0) : Z(nan, nan);
  }
  if (const double k = b.real(); b.imag() == 0 && k == std::trunc(k) &&
                                 std::abs(k) <= 64) {  // small whole powers by multiplying
    Z r = 1;
    Z x = a;
    for (unsigned n = unsigned(std::abs(k)); n; n >>= 1, x = multiply(x, x)) {
      if (n & 1) r = multiply(r, x);
    }
    return k < 0 ? divide(Z(1), r) : r;
  }
  return std::pow(a, b);
}
Z sigmoid(Z z) {
  const Z e = std::exp(z.real() < 0 ? z : -z);  // never overflows
  return divide(z.real() < 0 ? e : Z(1), Z(1) + e);
}
template <class T> C<T> sign(C<T> z) {
  if (z == C<T>(0)) return 0;
  const T r = std::hypot(z.real(), z.imag());
  return {z.real() / r, z.imag() / r};
}

template <OpId op> struct Complex {
  static Z of(Z z) {
    if constexpr (op == OpId::acos) return std::acos(z);
    if constexpr (op == OpId::acosh) return std::acosh(z);
    if constexpr (op == OpId::asin) return std::asin(z);
    if constexpr (op == OpId::asinh) return std::asinh(z);
    if constexpr (op == OpId::atan) return std::atan(z);
    if constexpr (op == OpId::atanh) return std::atanh(z);
    if constexpr (op == OpId::cos) return std::cos(z);
    if constexpr (op == OpId::cosh) return std::cosh(z);
    if constexpr (op == OpId::exp) return std::exp(z);
    if constexpr (op == OpId::expm1) return expm1(z);
    if constexpr (op == OpId::log) return std::log(z);
    if constexpr (op == OpId::log10 || op == OpId::log2) {
      const Z l = std::log(z);
      constexpr double s = op == OpId::log2 ? 1.4426950408889634074 : 0.43429448190325182765;
      return {l.real() * s, l.imag() * s};
    }
    if constexpr (op == OpId::log1p) return log1p(z);
    if constexpr (op == OpId::rsqrt) return divide(Z(1), std::sqrt(z));
    if constexpr (op == OpId::sigmoid) return sigmoid(z);
    if constexpr (op == OpId::sin) return std::sin(z);
    if constexpr (op == OpId::sinh) return std::sinh(z);
    if constexpr (op == OpId::sqrt) return std::sqrt(z);
    if constexpr (op == OpId::tan) return std::tan(z);
    if constexpr (op == OpId::tanh) return tanh(z);
  }
  template <class T> static C<T> at(C<T> z) {
    if constexpr (op == OpId::square) {
      return multiply(z, z);
    } else if constexpr (op == OpId::reciprocal) {
      return divide(C<T>(1), z);
    } else if constexpr (op == OpId::sign) {
      return sign(z);
    } else if constexpr (op == OpId::conj) {
      return {z.real(), -z.imag()};
    } else {
      return C<T>(of(Z(z)));
    }
  }
  template <class T> static C<T> at(C<T> a, C<T> b) {
    if constexpr (op == OpId::multiply) return multiply(a, b);
    if constexpr (op == OpId::divide) return divide(a, b);
    if constexpr (op == OpId::pow) return C<T>(power(Z(a), Z(b)));
  }
};
template <OpId op> struct Part {
  template <class T> static T at(C<T> z) {
    if constexpr (op == OpId::real) return z.real();
    if constexpr (op == OpId::imag) return z.imag();
    if constexpr (op == OpId::abs) return std::hypot(z.real(), z.imag());
  }
};
template <OpId op> struct Test {
  template <class T> static uint8_t at(C<T> z) {
    if constexpr (op == OpId::isnan) return std::isnan(z.real()) || std::isnan(z.imag());
    if constexpr (op == OpId::isinf) return std::isinf(z.real()) || std::isinf(z.imag());
    if constexpr (op == OpId::isfinite) return std::isfinite(z.real()) && std::isfinite(z.imag());
  }
  template <class T> static uint8_t at(C<T> a, C<T> b) {
    return ((a.real() == b.real()) & (a.imag() == b.imag())) == (op == OpId::equal);
  }
};

// Ops that treat both parts alike run the real kernel over twice as many elements.
template <OpId op, class T>
void parts(void* out, const void* a, const void* b, const void* c, unsigned lines, size_t n) {
  static const TileFn real = sizeof(T) == 4 ? f32_tile(op) : f64_tile(op);
  real(out, a, b, c, lines, 2 * n);
}

template <class T> TileFn find(OpId op) {
  switch (op) {
#define U(name) \
  case OpId::name: return exact1<Complex<OpId::name>, C<T>, C<T>>;
#define L(name) \
  case OpId::name: return loop1<Complex<OpId::name>, C<T>, C<T>>;
#define B(name) \
  case OpId::name: return exact2<Complex<OpId::name>, C<T>, C<T>>;
#define P(name) \
  case OpId::name: return parts<OpId::name, T>;
#define R(name) \
  case OpId::name: return loop1<Part<OpId::name>, T, C<T>>;
#define F(name) \
  case OpId::name: return loop1<Test<OpId::name>, uint8_t, C<T>>;
#define E(name) \
  case OpId::name: return loop2<Test<OpId::name>, uint8_t, C<T>>;
    // clang-format off
    U(acos) U(acosh) U(asin) U(asinh) U(atan) U(atanh) U(cos) U(cosh) U(exp) U(expm1) U(log) U(log10) U(log2) U(log1p)
    U(rsqrt) U(sigmoid) U(sin) U(sinh) U(sqrt) U(tan) U(tanh) U(sign)
    L(square) L(reciprocal) L(conj)
    P(add) P(subtract) P(negative) P(round)
    B(divide) B(pow)
    R(real) R(imag)
    F(isnan) F(isinf) F(isfinite)
    E(equal) E(not_equal)
    // clang-format on
#undef U
#undef L
#undef B
#undef P
#undef R
#undef F
#undef E
                  case OpId::multiply:
    return loop2<Complex<OpId::multiply>, C<T>, C<T>>;
  case OpId::abs: return exact1<Part<OpId::abs>, T, C<T>>;
    default : return nullptr;
  }
}

template <bool is_sum, class T>
void row(void* out, const void* a, const void*, const void*, unsigned lines, size_t n) {
  const size_t m = line_mask<C<T>>(lines, 0);
  const C<T>* x = static_cast<const C<T>*>(a);
  Z r[4] = {Z(!is_sum), Z(!is_sum), Z(!is_sum), Z(!is_sum)};
  for (size_t i = 0; i < n; ++i) {
    r[i % 4] = is_sum ? r[i % 4] + Z(x[i & m]) : multiply(r[i % 4], Z(x[i & m]));
  }
  const Z v =
      is_sum ? (r[0] + r[1]) + (r[2] + r[3]) : multiply(multiply(r[0], r[1]), multiply(r[2], r[3]));
  for (size_t k = 0; k < 64 / sizeof(C<T>); ++k) static_cast<C<T>*>(out)[k] = C<T>(v);
}
template <class T> TileFn find_row(OpId op) {
  return op == OpId::sum ? row<true, T> : op == OpId::prod ? row<false, T> : nullptr;
}
}  // namespace

TileFn complex_tile(OpId op, DType t) {
  if (const TileFn fn = t == DType::complex64 ? f32_complex(op) : f64_complex(op)) return fn;
  return t == DType::complex64    ? find<float>(op)
         : t == DType::complex128 ? find<double>(op)
                                  : nullptr;
}
TileFn complex_row_reduce(OpId op, DType t) {
  return t == DType::complex64    ? find_row<float>(op)
         : t == DType::complex128 ? find_row<double>(op)
                                  : nullptr;
}

}  // namespace ember::native
