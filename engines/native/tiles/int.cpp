// Tile kernels of bool and the integers, compiled once for each instruction set. Arithmetic is
// unsigned, so that it wraps. int4 and uint4 are bytes, sign- or zero-extended: they are computed
// as bytes and wrap at the end.
#include "engines/native/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engines/native/tiles/int.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

#include "engines/native/tiles/tiles.h"

HWY_BEFORE_NAMESPACE();
namespace ember::native::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;
#include "engines/native/tiles/loop-inl.h"

template <class T>
using Wide =
    std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;  // wide enough not to promote to int

template <class T> T power(T a, T b) {
  if constexpr (std::is_signed_v<T>) {
    if (b < 0) return a == 1 ? 1 : a == -1 ? (b & 1 ? -1 : 1) : 0;
  }
  Wide<T> r = 1;
  Wide<T> x = Wide<T>(a);
  for (; b; b = T(b >> 1), x *= x) {
    if (b & 1) r *= x;
  }
  return T(r);
}
template <class T> uint8_t popcount(T v) {
  Wide<T> x = Wide<T>(std::make_unsigned_t<T>(v));
  constexpr Wide<T> all = ~Wide<T>(0);
  x -= x >> 1 & all / 3;
  x = (x & all / 5) + (x >> 2 & all / 5);
  return uint8_t(((x + (x >> 4)) & all / 17) * (all / 255) >> (sizeof(x) * 8 - 8));
}

template <OpId op> struct Int {
  template <class T> static HWY_INLINE auto at(T a) {
    using U = Wide<T>;
    if constexpr (op == OpId::abs) return std::is_signed_v<T> && a < 0 ? T(U(0) - U(a)) : a;
    if constexpr (op == OpId::negative) return T(U(0) - U(a));
    if constexpr (op == OpId::sign) return T((a > 0) - (a < 0));
    if constexpr (op == OpId::square) return T(U(a) * U(a));
    if constexpr (op == OpId::bitwise_invert) return T(~U(a));
    if constexpr (op == OpId::signbit) return uint8_t(a < 0);
    if constexpr (op == OpId::isnan || op == OpId::isinf) return uint8_t(0);
    if constexpr (op == OpId::isfinite) return uint8_t(1);
    if constexpr (op == OpId::popcount) return popcount(a);
    if constexpr (op == OpId::logical_not) return uint8_t(a == 0);
    if constexpr (op == OpId::copy) return a;
  }
  template <class T> static HWY_INLINE auto at(T a, T b) {
    using U = Wide<T>;
    constexpr bool sign = std::is_signed_v<T>;
    constexpr unsigned width = sizeof(T) * 8;
    if constexpr (op == OpId::add) return T(U(a) + U(b));
    if constexpr (op == OpId::subtract) return T(U(a) - U(b));
    if constexpr (op == OpId::multiply) return T(U(a) * U(b));
    if constexpr (op == OpId::maximum) return a > b ? a : b;
    if constexpr (op == OpId::minimum) return a < b ? a : b;
    if constexpr (op == OpId::bitwise_and) return T(a & b);
    if constexpr (op == OpId::bitwise_or) return T(a | b);
    if constexpr (op == OpId::bitwise_xor) return T(a ^ b);
    const U amount = U(std::make_unsigned_t<T>(b));  // a negative shift counts as a large one
    if constexpr (op == OpId::bitwise_left_shift) {
      return T(amount < width ? U(a) << (amount & (width - 1)) : U(0));
    }
    if constexpr (op == OpId::bitwise_right_shift) {
      if constexpr (sign) {
        return T(a >> (amount < width ? amount : width - 1));
      } else {
        return T(amount < width ? U(a) >> (amount & (width - 1)) : U(0));
      }
    }
    if constexpr (op == OpId::floor_divide) {
      if (b == 0) return T(0);
      if (sign && b == T(-1)) return T(U(0) - U(a));  // the only quotient that may overflow
      return T(a / b - (sign && a % b != 0 && (a < 0) != (b < 0)));
    }
    if constexpr (op == OpId::remainder || op == OpId::fmod) {
      if (b == 0 || (sign && b == T(-1))) return T(0);
      const T r = T(a % b);
      return op == OpId::remainder && r != 0 && (r < 0) != (b < 0) ? T(r + b) : r;
    }
    if constexpr (op == OpId::pow) return power(a, b);
    if constexpr (op == OpId::equal) return uint8_t(a == b);
    if constexpr (op == OpId::not_equal) return uint8_t(a != b);
    if constexpr (op == OpId::less) return uint8_t(a < b);
    if constexpr (op == OpId::less_equal) return uint8_t(a <= b);
    if constexpr (op == OpId::greater) return uint8_t(a > b);
    if constexpr (op == OpId::greater_equal) return uint8_t(a >= b);
    if constexpr (op == OpId::logical_and) return uint8_t((a != 0) & (b != 0));
    if constexpr (op == OpId::logical_or) return uint8_t((a != 0) | (b != 0));
    if constexpr (op == OpId::logical_xor) return uint8_t((a != 0) ^ (b != 0));
  }
};
template <class T> HWY_INLINE T wrap4(T v) {
  if constexpr (std::is_signed_v<T>) {
    return T(T(uint8_t(v) << 4) >> 4);
  } else {
    return v & 15;
  }
}
template <OpId op> struct Int4 {
  template <class T> static HWY_INLINE T at(T a) { return wrap4(Int<op>::at(a)); }
  template <class T> static HWY_INLINE T at(T a, T b) { return wrap4(Int<op>::at(a, b)); }
};
struct Popcount4 {
  template <class T> static HWY_INLINE uint8_t at(T a) { return popcount(uint8_t(a & 15)); }
};

// Comparisons of 64-bit values: the compiler does not vectorize a loop with eight bytes of results.
template <OpId op, class T>
void test64(void* out, const void* a, const void* b, const void*, unsigned lines, size_t n) {
  const hn::ScalableTag<T> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const hn::Rebind<uint8_t, decltype(d)> d8;
  const size_t ma = line_mask<T>(lines, 0);
  const size_t mb = line_mask<T>(lines, 1);
  for (size_t i = 0; i < n; i += hn::Lanes(d)) {
    const auto x = hn::LoadU(d, static_cast<const T*>(a) + (i & ma));
    const auto y = hn::LoadU(d, static_cast<const T*>(b) + (i & mb));
    constexpr bool negated =
        op == OpId::not_equal || op == OpId::less_equal || op == OpId::greater_equal;
    const auto m = [&]() HWY_ATTR {
      if constexpr (op == OpId::equal || op == OpId::not_equal) {
        return hn::Eq(x, y);
      } else if constexpr (op == OpId::less || op == OpId::greater_equal) {
        return hn::Lt(x, y);
      } else {
        return hn::Lt(y, x);
      }
    }();
    const auto bit = hn::ShiftRight<63>(hn::BitCast(du, hn::VecFromMask(d, m)));
    hn::StoreU(hn::TruncateTo(d8, negated ? hn::Xor(bit, hn::Set(du, 1)) : bit), d8,
               static_cast<uint8_t*>(out) + i);
  }
}
template <OpId op, class T> constexpr TileFn test() {
  if constexpr (sizeof(T) == 8) {
    return test64<op, T>;
  } else {
    return loop2<Int<op>, uint8_t, T>;
  }
}

// floor(a / b) for one b > 1 without dividing each a.
template <class T> struct Divisor {  // up to 16 bits: (a + 1/2) / b is never near a whole number
  float inverse;
  explicit Divisor(T b) : inverse(1.0f / float(b)) {}
  HWY_INLINE T floor_of(T a) const { return T(std::floor((float(a) + 0.5f) * inverse)); }
};
template <OpId op, class T> void divide_short(T* out, const T* a, T b, size_t n) {
  const Divisor<T> divisor(b);
  EMBER_VECTOR_LOOP
  for (size_t i = 0; i < n; ++i) {
    const T q = divisor.floor_of(a[i]);
    out[i] = op == OpId::floor_divide ? q : T(Wide<T>(a[i]) - Wide<T>(q) * Wide<T>(b));
  }
}

#if HWY_TARGET != HWY_SCALAR
// The upper halves of the products of unsigned lanes.
template <class V> HWY_INLINE V multiply_high(V a, V b) {
  const hn::DFromV<V> d;
  const hn::Repartition<uint32_t, decltype(d)> d32;
  const hn::Repartition<uint64_t, decltype(d)> d64;
  const auto low = [&](auto v) HWY_ATTR { return hn::BitCast(d32, v); };
  const auto high = [&](auto v) HWY_ATTR { return low(hn::ShiftRight<32>(hn::BitCast(d64, v))); };
  if constexpr (sizeof(hn::TFromV<V>) == 4) {
    const auto even = hn::MulEven(a, b);
    const auto odd = hn::MulEven(high(a), high(b));
    return hn::OddEven(low(odd), high(even));
  } else {
    const auto half = hn::Set(d64, 0xFFFFFFFF);
    const auto x = hn::MulEven(low(a), high(b));
    const auto y = hn::MulEven(high(a), low(b));
    const auto z = hn::ShiftRight<32>(hn::MulEven(low(a), low(b)));
    const auto carry = hn::Add(hn::Add(hn::And(x, half), hn::And(y, half)), z);
    const auto upper = hn::Add(hn::ShiftRight<32>(x), hn::ShiftRight<32>(y));
    return hn::Add(hn::Add(hn::MulEven(high(a), high(b)), upper), hn::ShiftRight<32>(carry));
  }
}
template <class V> HWY_INLINE V multiply_low(V a, V b) {
  if constexpr (sizeof(hn::TFromV<V>) == 4) {
    return hn::Mul(a, b);
  } else {
    const hn::Repartition<uint32_t, hn::DFromV<V>> d32;
    const auto low = [&](V v) HWY_ATTR { return hn::BitCast(d32, v); };
    const auto high = [&](V v) HWY_ATTR { return low(hn::ShiftRight<32>(v)); };
    const auto middle = hn::Add(hn::MulEven(low(a), high(b)), hn::MulEven(high(a), low(b)));
    return hn::Add(hn::MulEven(low(a), low(b)), hn::ShiftLeft<32>(middle));
  }
}

// Granlund and Montgomery's division by an invariant: with 2^l the smallest power of two not below
// b and m = floor(2^N (2^l - b) / b) + 1, a / b is (t + (a - t) / 2) / 2^(l - 1), where t is the
// upper half of a m. For a negative a, floor(a / b) = ~(~a / b).
template <OpId op, class T> void divide_long(T* out, const T* a, T b, size_t n) {
  using U = std::make_unsigned_t<T>;
  using Double = unsigned __int128;
  constexpr int bits = 8 * int(sizeof(T));
  const int l = int(std::bit_width(U(b - 1)));
  const U m = U((((Double(1) << l) - Double(U(b))) << bits) / Double(U(b)) + 1);
  const hn::ScalableTag<U> d;
  const auto factor = hn::Set(d, m);
  const auto by = hn::Set(d, U(b));
  for (size_t i = 0; i < n; i += hn::Lanes(d)) {
    const auto x = hn::LoadU(d, reinterpret_cast<const U*>(a) + i);
    auto sign = hn::Zero(d);
    if constexpr (std::is_signed_v<T>) {
      sign =
          hn::BitCast(d, hn::BroadcastSignBit(hn::BitCast(hn::RebindToSigned<decltype(d)>(), x)));
    }
    const auto u = hn::Xor(x, sign);
    const auto t = multiply_high(u, factor);
    const auto sum = hn::Add(t, hn::ShiftRight<1>(hn::Sub(u, t)));
    const auto q = hn::Xor(hn::ShiftRightSame(sum, l - 1), sign);
    hn::StoreU(op == OpId::floor_divide ? q : hn::Sub(x, multiply_low(q, by)), d,
               reinterpret_cast<U*>(out) + i);
  }
}
#endif

template <OpId op, class T>
void divide_tile(void* out, const void* a, const void* b, const void* c, unsigned lines, size_t n) {
  const T by = *static_cast<const T*>(b);
  const bool by_one_number = lines == 2 && by > 1;
  if constexpr (sizeof(T) <= 2) {
    if (by_one_number) {
      return divide_short<op>(static_cast<T*>(out), static_cast<const T*>(a), by, n);
    }
#if HWY_TARGET != HWY_SCALAR
  } else {
    if (by_one_number) {
      return divide_long<op>(static_cast<T*>(out), static_cast<const T*>(a), by, n);
    }
#endif
  }
  exact2<Int<op>, T, T>(out, a, b, c, lines, n);
}

template <class T, bool nibble> TileFn find_int(OpId op) {
  switch (op) {
#define U(name)    \
  case OpId::name: \
    return loop1<std::conditional_t<nibble, Int4<OpId::name>, Int<OpId::name>>, T, T>;
#define B(name)    \
  case OpId::name: \
    return loop2<std::conditional_t<nibble, Int4<OpId::name>, Int<OpId::name>>, T, T>;
#define E(name)    \
  case OpId::name: \
    return exact2<std::conditional_t<nibble, Int4<OpId::name>, Int<OpId::name>>, T, T>;
#define D(name) \
  case OpId::name: return nibble ? exact2<Int4<OpId::name>, T, T> : divide_tile<OpId::name, T>;
#define I(name) \
  case OpId::name: return loop1<Int<OpId::copy>, T, T>;
#define C(name) \
  case OpId::name: return test<OpId::name, T>();
#define F(name) \
  case OpId::name: return loop1<Int<OpId::name>, uint8_t, T>;
    // clang-format off
    U(abs) U(negative) U(sign) U(square) U(bitwise_invert)
    I(floor) I(ceil) I(trunc) I(round) I(conj) I(real)
    B(add) B(subtract) B(multiply) B(maximum) B(minimum) B(bitwise_and) B(bitwise_or) B(bitwise_xor)
    B(bitwise_left_shift) B(bitwise_right_shift)
    E(fmod) E(pow)
    D(floor_divide) D(remainder)
    C(equal) C(not_equal) C(less) C(less_equal) C(greater) C(greater_equal)
    F(signbit) F(isnan) F(isinf) F(isfinite)
      // clang-format on
      case OpId::popcount:
    return loop1<std::conditional_t<nibble, Popcount4, Int<OpId::popcount>>, uint8_t, T>;
#undef U
#undef E
#undef D
#undef F
    default : return nullptr;
  }
}
TileFn find_bool(OpId op) {
  using T = uint8_t;
  switch (op) {
#define L(name, as) \
  case OpId::name: return loop2<Int<OpId::as>, T, T>;
#define N(name, as) \
  case OpId::name: return loop1<Int<OpId::as>, T, T>;
    // clang-format off
    L(logical_and, logical_and) L(logical_or, logical_or) L(logical_xor, logical_xor)
    L(bitwise_and, logical_and) L(bitwise_or, logical_or) L(bitwise_xor, logical_xor)
    L(minimum, logical_and) L(maximum, logical_or) L(multiply, logical_and) L(add, logical_or)
    N(logical_not, logical_not) N(bitwise_invert, logical_not) N(isnan, isnan) N(isinf, isinf) N(isfinite, isfinite)
    I(floor) I(ceil) I(trunc) I(round) I(conj) I(real) I(abs)
    C(equal) C(not_equal) C(less) C(less_equal) C(greater) C(greater_equal)
    // clang-format on
#undef L
#undef N
#undef B
#undef I
#undef C
                            default : return nullptr;
  }
}

template <OpId op, class T, bool nibble>
void row(void* out, const void* a, const void*, const void*, unsigned lines, size_t n) {
  constexpr size_t piece = 64 / sizeof(T);
  constexpr OpId two = op == OpId::sum    ? OpId::add
                       : op == OpId::prod ? OpId::multiply
                       : op == OpId::max  ? OpId::maximum
                                          : OpId::minimum;
  using Limits = std::numeric_limits<T>;
  const size_t m = line_mask<T>(lines, 0);
  const T* x = static_cast<const T*>(a);
  T lanes[piece];
  for (T& v : lanes) {
    v = op == OpId::sum    ? T(0)
        : op == OpId::prod ? T(1)
        : op == OpId::max  ? Limits::min()
                           : Limits::max();
  }
  size_t i = 0;
  for (; i + piece <= n; i += piece) {
    const T* p = x + (i & m);
    EMBER_VECTOR_LOOP
    for (size_t k = 0; k < piece; ++k) lanes[k] = Int<two>::at(lanes[k], p[k]);
  }
  for (; i < n; ++i) lanes[0] = Int<two>::at(lanes[0], x[i & m]);
  T r = lanes[0];
  for (size_t k = 1; k < piece; ++k) r = Int<two>::at(r, lanes[k]);
  if (nibble) r = wrap4(r);
  for (size_t k = 0; k < piece; ++k) static_cast<T*>(out)[k] = r;
}
template <class T, bool nibble> TileFn find_row(OpId op) {
  switch (op) {
    case OpId::sum: return row<OpId::sum, T, nibble>;
    case OpId::prod: return row<OpId::prod, T, nibble>;
    case OpId::max: return row<OpId::max, T, nibble>;
    case OpId::min: return row<OpId::min, T, nibble>;
    default: return nullptr;
  }
}

void count_true(void* out, const void* a, const void*, const void*, unsigned lines, size_t n) {
  const hn::ScalableTag<uint8_t> d;
  const uint8_t* x = static_cast<const uint8_t*>(a);
  size_t total = 0;
  if (lines & 1) {
    total = *x ? n : 0;
  } else {
    const auto truth = [&](size_t i) HWY_ATTR { return hn::Ne(hn::LoadU(d, x + i), hn::Zero(d)); };
    size_t i = 0;
    for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) total += hn::CountTrue(d, truth(i));
    if (i < n) total += hn::CountTrue(d, hn::And(truth(i), hn::FirstN(d, n - i)));
  }
  std::fill_n(static_cast<int64_t*>(out), 64 / sizeof(int64_t), int64_t(total));
}

// out = c ? a : b by element size; operand 0 is the condition
struct Bytes16 {
  uint64_t v[2];
};
template <class T>
void where(void* out, const void* c, const void* a, const void* b, unsigned lines, size_t n) {
  const size_t mc = line_mask<uint8_t>(lines, 0);
  const size_t ma = line_mask<T>(lines, 1);
  const size_t mb = line_mask<T>(lines, 2);
  if constexpr (sizeof(T) == 4 || sizeof(T) == 8) {
    const hn::ScalableTag<T> d;
    const hn::Rebind<uint8_t, decltype(d)> d8;
    const hn::Rebind<uint32_t, decltype(d)> d32;
    for (size_t i = 0; i < n; i += hn::Lanes(d)) {
      const auto wide = [&]() HWY_ATTR {
        const auto v = hn::PromoteTo(d32, hn::LoadU(d8, static_cast<const uint8_t*>(c) + (i & mc)));
        if constexpr (sizeof(T) == 8) {
          return hn::PromoteTo(d, v);
        } else {
          return v;
        }
      }();
      const auto x = hn::LoadU(d, static_cast<const T*>(a) + (i & ma));
      const auto y = hn::LoadU(d, static_cast<const T*>(b) + (i & mb));
      hn::StoreU(hn::IfThenElse(hn::Ne(wide, hn::Zero(d)), x, y), d, static_cast<T*>(out) + i);
    }
  } else {
    constexpr size_t piece = 64 / sizeof(T);
    for (size_t i = 0; i < n; i += piece) {
      const uint8_t* p = static_cast<const uint8_t*>(c) + (i & mc);
      const T* x = static_cast<const T*>(a) + (i & ma);
      const T* y = static_cast<const T*>(b) + (i & mb);
      T* o = static_cast<T*>(out) + i;
      EMBER_VECTOR_LOOP
      for (size_t k = 0; k < piece; ++k) o[k] = p[k] ? x[k] : y[k];
    }
  }
}
}  // namespace

TileFn int_tile(OpId op, DType t) {
  switch (t) {
    case DType::bool_: return find_bool(op);
    case DType::int4: return find_int<int8_t, true>(op);
    case DType::uint4: return find_int<uint8_t, true>(op);
    case DType::int8: return find_int<int8_t, false>(op);
    case DType::uint8: return find_int<uint8_t, false>(op);
    case DType::int16: return find_int<int16_t, false>(op);
    case DType::uint16: return find_int<uint16_t, false>(op);
    case DType::int32: return find_int<int32_t, false>(op);
    case DType::uint32: return find_int<uint32_t, false>(op);
    case DType::int64: return find_int<int64_t, false>(op);
    case DType::uint64: return find_int<uint64_t, false>(op);
    default: return nullptr;
  }
}
TileFn int_row_reduce(OpId op, DType t) {
  switch (t) {
    case DType::bool_:
      return op == OpId::max || op == OpId::min || op == OpId::prod ? find_row<uint8_t, false>(op)
                                                                    : nullptr;
    case DType::int4: return find_row<int8_t, true>(op);
    case DType::uint4: return find_row<uint8_t, true>(op);
    case DType::int8: return find_row<int8_t, false>(op);
    case DType::uint8: return find_row<uint8_t, false>(op);
    case DType::int16: return find_row<int16_t, false>(op);
    case DType::uint16: return find_row<uint16_t, false>(op);
    case DType::int32: return find_row<int32_t, false>(op);
    case DType::uint32: return find_row<uint32_t, false>(op);
    case DType::int64: return find_row<int64_t, false>(op);
    case DType::uint64: return find_row<uint64_t, false>(op);
    default: return nullptr;
  }
}
TileFn count_tile() { return count_true; }
TileFn where_tile(size_t bytes) {
  switch (bytes) {
    case 1: return where<uint8_t>;
    case 2: return where<uint16_t>;
    case 4: return where<uint32_t>;
    case 8: return where<uint64_t>;
    default: return where<Bytes16>;
  }
}
}  // namespace ember::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ember::native {
HWY_EXPORT(int_tile);
HWY_EXPORT(int_row_reduce);
HWY_EXPORT(count_tile);
HWY_EXPORT(where_tile);
TileFn int_tile(OpId op, DType t) { return HWY_DYNAMIC_DISPATCH(int_tile)(op, t); }
TileFn int_row_reduce(OpId op, DType t) { return HWY_DYNAMIC_DISPATCH(int_row_reduce)(op, t); }
TileFn count_kernel() { return HWY_DYNAMIC_DISPATCH(count_tile)(); }
TileFn where_tile(size_t bytes) { return HWY_DYNAMIC_DISPATCH(where_tile)(bytes); }
}  // namespace ember::native
#endif
