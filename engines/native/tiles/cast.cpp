// Casts between all dtypes, and rounding of float32 to a 16-bit float in place. Compiled once for
// each instruction set. Floats saturate to integers and NaN becomes 0; integers wrap; every cast
// rounds once, half to even.
#include "engines/native/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engines/native/tiles/cast.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <array>
#include <bit>
#include <limits>
#include <type_traits>
#include <utility>

#include "engines/native/tiles/tiles.h"

HWY_BEFORE_NAMESPACE();
namespace ember::native::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;
#include "engines/native/tiles/loop-inl.h"

// The C++ type of an element that C++ has no number type for.
struct Bool {
  uint8_t v;
};
struct Int4 {
  int8_t v;
};
struct UInt4 {
  uint8_t v;
};
struct F16 {
  uint16_t v;
};
struct BF16 {
  uint16_t v;
};
template <class T> struct Complex {
  T re, im;
};
template <class T> constexpr bool is_complex_pair = false;
template <class T> constexpr bool is_complex_pair<Complex<T>> = true;

// Without branches, so that the compiler vectorizes loops.
HWY_INLINE float widen(BF16 h) { return std::bit_cast<float>(uint32_t(h.v) << 16); }
HWY_INLINE float widen(F16 h) {
  const uint32_t magnitude = uint32_t(h.v & 0x7fff) << 13;
  const uint32_t bits = std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) *
                                                0x1p112f);  // denormals come out right
  return std::bit_cast<float>((magnitude >= 0x0f800000 ? magnitude | 0x7f800000 : bits) |
                              uint32_t(h.v & 0x8000) << 16);
}
HWY_INLINE BF16 narrow_bf16(float f) {
  const uint32_t u = std::bit_cast<uint32_t>(f);
  return {
      uint16_t(((u & 0x7fffffff) > 0x7f800000 ? u | 0x400000 : u + 0x7fff + (u >> 16 & 1)) >> 16)};
}
HWY_INLINE F16 narrow_f16(float f) {
  const uint32_t u = std::bit_cast<uint32_t>(f);
  const uint32_t magnitude = u & 0x7fffffff;
  const uint32_t normal = (magnitude - (112u << 23) + 0xfff + (magnitude >> 13 & 1)) >> 13;
  const uint32_t denormal = std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) -
                            0x3f000000;  // the addition rounds
  const uint32_t nan = 0x7e00 | (magnitude >> 13 & 0x3ff);
  uint32_t r = magnitude < 0x38800000 ? denormal : normal;
  r = magnitude >= 0x477ff000 ? 0x7c00 : r;  // from 65520 on
  r = magnitude > 0x7f800000 ? nan : r;
  return {uint16_t(r | (u >> 16 & 0x8000))};
}
// double to float, rounded to odd: the last bit records the lost digits, so that a second rounding
// is correct.
HWY_INLINE float to_odd(double v) {
  const float f = static_cast<float>(v);
  const double back = f;
  const uint32_t u = std::bit_cast<uint32_t>(f);
  const uint32_t past = (back < 0 ? -back : back) > (v < 0 ? -v : v);
  return std::bit_cast<float>(back != v && v == v ? (u - past) | 1 : u);
}

template <class To, int bits, class F> HWY_INLINE To saturate(F v) {
  constexpr bool sign = std::is_signed_v<To>;
  using Middle = std::conditional_t < bits - sign < 32, int32_t,
        std::conditional_t<bits - sign<64, int64_t, uint64_t>>;
  constexpr To most = bits == 4 ? To(sign ? 7 : 15) : std::numeric_limits<To>::max();
  constexpr F limit = 2 * F(uint64_t(1) << (bits - sign - 1));
  constexpr F low = sign ? -limit : F(0);
  constexpr bool exact = bits - sign <= std::numeric_limits<F>::digits;
  constexpr F high =
      exact ? limit - 1
            : limit * (1 - std::numeric_limits<F>::epsilon() / 2);  // the greatest float that fits
  F c = v == v ? v : F(0);
  c = c < low ? low : c;
  c = c > high ? high : c;
  const To r = To(Middle(c));
  return !exact && v >= limit ? most : r;
}

template <class To, class From> HWY_INLINE To convert(From v) {
  if constexpr (is_complex_pair<From>) {
    if constexpr (is_complex_pair<To>)
      return {decltype(To::re)(v.re), decltype(To::re)(v.im)};
    else if constexpr (std::is_same_v<To, Bool>) {
      return {uint8_t((v.re != 0) | (v.im != 0))};
    } else {
      return convert<To>(v.re);
    }
  } else if constexpr (std::is_same_v<From, F16> || std::is_same_v<From, BF16>) {
    return convert<To>(widen(v));
  } else if constexpr (std::is_same_v<From, Bool>) {
    return convert<To>(v.v);
  } else if constexpr (is_complex_pair<To>) {
    return {decltype(To::re)(v), 0};
  } else if constexpr (std::is_same_v<To, Bool>) {
    return {uint8_t(v != 0)};
  } else if constexpr (std::is_same_v<To, F16> || std::is_same_v<To, BF16>) {
    float f;
    if constexpr (std::is_floating_point_v<From> ? sizeof(From) == 4 : sizeof(From) <= 2) {
      f = float(v);
    } else {
      f = to_odd(double(v));
    }
    if constexpr (std::is_same_v<To, F16>) {
      return narrow_f16(f);
    } else {
      return narrow_bf16(f);
    }
  } else if constexpr (std::is_same_v<To, Int4>) {
    if constexpr (std::is_floating_point_v<From>) {
      return {saturate<int8_t, 4>(v)};
    } else {
      return {int8_t(int8_t(uint8_t(v) << 4) >> 4)};
    }
  } else if constexpr (std::is_same_v<To, UInt4>) {
    if constexpr (std::is_floating_point_v<From>) {
      return {saturate<uint8_t, 4>(v)};
    } else {
      return {uint8_t(v & 15)};
    }
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    return saturate<To, int(sizeof(To)) * 8>(v);
  } else {
    return To(v);
  }
}
template <class To> struct Cast {
  template <class From> static HWY_INLINE To at(From v) { return convert<To>(v); }
};
template <class To> struct Round {
  static HWY_INLINE float at(float v) { return widen(convert<To>(v)); }
};

// The casts that models use most, on Highway's vectors, which are faster than the compiler's loops.
#define EMBER_VECTOR_CASTS \
  ((HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2) || (HWY_ARCH_ARM_A64 && HWY_TARGET == HWY_NEON))
#if EMBER_VECTOR_CASTS
const hn::ScalableTag<float> d;
const hn::Rebind<hwy::float16_t, decltype(d)> d16;
void f32_to_f16(void* out, const void* a, const void*, const void*, unsigned lines, size_t n) {
  const float* x = static_cast<const float*>(a);
  const size_t m = line_mask<float>(lines, 0);
  for (size_t i = 0; i < n; i += hn::Lanes(d)) {
    hn::StoreU(hn::DemoteTo(d16, hn::LoadU(d, x + (i & m))), d16,
               static_cast<hwy::float16_t*>(out) + i);
  }
}
void f16_to_f32(void* out, const void* a, const void*, const void*, unsigned lines, size_t n) {
  const hwy::float16_t* x = static_cast<const hwy::float16_t*>(a);
  const size_t m = line_mask<hwy::float16_t>(lines, 0);
  for (size_t i = 0; i < n; i += hn::Lanes(d)) {
    hn::StoreU(hn::PromoteTo(d, hn::LoadU(d16, x + (i & m))), d, static_cast<float*>(out) + i);
  }
}
void round_f16(void* out, const void* a, const void*, const void*, unsigned lines, size_t n) {
  const float* x = static_cast<const float*>(a);
  const size_t m = line_mask<float>(lines, 0);
  for (size_t i = 0; i < n; i += hn::Lanes(d)) {
    hn::StoreU(hn::PromoteTo(d, hn::DemoteTo(d16, hn::LoadU(d, x + (i & m)))), d,
               static_cast<float*>(out) + i);
  }
}
const hn::Rebind<uint32_t, decltype(d)> d32u;
const hn::Rebind<uint16_t, decltype(d)> d16u;
// The rounded values are in the upper halves; the lower ones are garbage.
template <class V> HWY_INLINE hn::Vec<decltype(d32u)> round_to_bf16(V x) {
  const auto u = hn::BitCast(d32u, x);
  const auto odd = hn::And(hn::ShiftRight<16>(u), hn::Set(d32u, 1));
  const auto r = hn::Add(u, hn::Add(odd, hn::Set(d32u, 0x7fff)));
  return hn::IfThenElse(hn::RebindMask(d32u, hn::IsNaN(x)), hn::Or(u, hn::Set(d32u, 0x400000)), r);
}
void f32_to_bf16(void* out, const void* a, const void*, const void*, unsigned lines, size_t n) {
  const float* x = static_cast<const float*>(a);
  const size_t m = line_mask<float>(lines, 0);
  for (size_t i = 0; i < n; i += hn::Lanes(d)) {
    hn::StoreU(hn::TruncateTo(d16u, hn::ShiftRight<16>(round_to_bf16(hn::LoadU(d, x + (i & m))))),
               d16u, static_cast<uint16_t*>(out) + i);
  }
}
void bf16_to_f32(void* out, const void* a, const void*, const void*, unsigned lines, size_t n) {
  const uint16_t* x = static_cast<const uint16_t*>(a);
  const size_t m = line_mask<uint16_t>(lines, 0);
  for (size_t i = 0; i < n; i += hn::Lanes(d)) {
    hn::StoreU(hn::ShiftLeft<16>(hn::PromoteTo(d32u, hn::LoadU(d16u, x + (i & m)))), d32u,
               static_cast<uint32_t*>(out) + i);
  }
}
void round_bf16(void* out, const void* a, const void*, const void*, unsigned lines, size_t n) {
  const float* x = static_cast<const float*>(a);
  const size_t m = line_mask<float>(lines, 0);
  for (size_t i = 0; i < n; i += hn::Lanes(d)) {
    hn::StoreU(hn::And(round_to_bf16(hn::LoadU(d, x + (i & m))), hn::Set(d32u, 0xffff0000u)), d32u,
               static_cast<uint32_t*>(out) + i);
  }
}
template <class To>
void f32_to_int(void* out, const void* a, const void*, const void*, unsigned lines, size_t n) {
  const hn::Rebind<int32_t, decltype(d)> d32;
  const hn::Rebind<To, decltype(d)> to;
  const size_t m = line_mask<float>(lines, 0);
  for (size_t i = 0; i < n; i += hn::Lanes(d)) {
    auto x = hn::LoadU(d, static_cast<const float*>(a) + (i & m));
    x = hn::IfThenElseZero(hn::Eq(x, x), x);
    To* o = static_cast<To*>(out) + i;
    if constexpr (sizeof(To) == 4) {
      hn::StoreU(hn::ConvertTo(d32, x), to, o);  // saturates
    } else {
      using Limits = std::numeric_limits<To>;
      x = hn::Clamp(x, hn::Set(d, float(Limits::min())), hn::Set(d, float(Limits::max())));
      hn::StoreU(hn::DemoteTo(to, hn::ConvertTo(d32, x)), to, o);
    }
  }
}
#endif
template <class From, class To> constexpr TileFn cast_of() {
#if EMBER_VECTOR_CASTS
  constexpr bool is_float = std::is_same_v<From, float>;
  if constexpr (is_float && std::is_same_v<To, F16>) {
    return f32_to_f16;
  } else if constexpr (std::is_same_v<From, F16> && std::is_same_v<To, float>) {
    return f16_to_f32;
  } else if constexpr (is_float && std::is_same_v<To, BF16>) {
    return f32_to_bf16;
  } else if constexpr (std::is_same_v<From, BF16> && std::is_same_v<To, float>) {
    return bf16_to_f32;
  } else if constexpr (is_float && std::is_integral_v<To> &&
                       (sizeof(To) < 4 || std::is_same_v<To, int32_t>)) {
    return f32_to_int<To>;
  } else
#endif
    return loop1<Cast<To>, To, From>;
}

template <class...> struct Types {};
// In the order of DType; int4 and uint4 are read as int8 and uint8.
using Targets = Types<Bool, Int4, UInt4, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t,
                      int64_t, uint64_t, F16, BF16, float, double, Complex<float>, Complex<double>>;
using Row = std::array<TileFn, dtype_count>;
template <class From, class... To> constexpr Row row_of(Types<To...>) {
  return {cast_of<From, To>()...};
}
template <class From> constexpr Row row = row_of<From>(Targets());
constexpr const Row* rows[dtype_count] = {
    &row<Bool>,           &row<int8_t>,  &row<uint8_t>,  &row<int8_t>,
    &row<uint8_t>,        &row<int16_t>, &row<uint16_t>, &row<int32_t>,
    &row<uint32_t>,       &row<int64_t>, &row<uint64_t>, &row<F16>,
    &row<BF16>,           &row<float>,   &row<double>,   &row<Complex<float>>,
    &row<Complex<double>>};
}  // namespace

TileFn find_cast(DType from, DType to) { return (*rows[size_t(from)])[size_t(to)]; }
TileFn find_round(DType to) {
#if EMBER_VECTOR_CASTS
  return to == DType::float16 ? round_f16 : to == DType::bfloat16 ? round_bf16 : nullptr;
#else
  return to == DType::float16    ? loop1<Round<F16>, float, float>
         : to == DType::bfloat16 ? loop1<Round<BF16>, float, float>
                                 : nullptr;
#endif
}
}  // namespace ember::native::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ember::native {
HWY_EXPORT(find_cast);
HWY_EXPORT(find_round);
TileFn cast_kernel(DType from, DType to) { return HWY_DYNAMIC_DISPATCH(find_cast)(from, to); }
TileFn round_kernel(DType to) { return HWY_DYNAMIC_DISPATCH(find_round)(to); }
}  // namespace ember::native
#endif
