// Element types and promotion.
#pragma once
#include <bit>
#include <complex>
#include <cstdint>
#include <optional>
#include <string_view>

#include "ember/error.h"

namespace ember {

enum class DType : uint8_t {
  bool_,
  int4,
  uint4,
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  float16,
  bfloat16,
  float32,
  float64,
  complex64,
  complex128,
};
inline constexpr int dtype_count = 17;

inline constexpr DType bool_ = DType::bool_, int4 = DType::int4, uint4 = DType::uint4,
                       int8 = DType::int8, uint8 = DType::uint8, int16 = DType::int16,
                       uint16 = DType::uint16, int32 = DType::int32, uint32 = DType::uint32,
                       int64 = DType::int64, uint64 = DType::uint64, float16 = DType::float16,
                       bfloat16 = DType::bfloat16, float32 = DType::float32,
                       float64 = DType::float64, complex64 = DType::complex64,
                       complex128 = DType::complex128;

#if defined(__aarch64__)
using NativeHalf = __fp16;  // g++ 12 has no _Float16 in C++ there
#else
using NativeHalf = _Float16;
#endif

// 16-bit floats as C++ values: storage and conversion only, arithmetic happens in float.
struct Half {
  uint16_t bits = 0;
  Half() = default;
  explicit Half(float v) : bits(std::bit_cast<uint16_t>(static_cast<NativeHalf>(v))) {}
  operator float() const { return static_cast<float>(std::bit_cast<NativeHalf>(bits)); }
};
struct BFloat {
  uint16_t bits = 0;
  BFloat() = default;
  explicit BFloat(float v) {  // round to nearest even; NaN is preserved
    const uint32_t u = std::bit_cast<uint32_t>(v);
    bits = (u & 0x7fffffff) > 0x7f800000 ? uint16_t(u >> 16 | 0x40)
                                         : uint16_t((u + 0x7fff + (u >> 16 & 1)) >> 16);
  }
  operator float() const { return std::bit_cast<float>(uint32_t(bits) << 16); }
};

// Bytes of one element. int4 and uint4 use one byte per element in memory and half a byte in files.
constexpr size_t size_of(DType t) {
  constexpr uint8_t bytes[] = {1, 1, 1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 2, 4, 8, 8, 16};
  return bytes[size_t(t)];
}
constexpr bool is_float(DType t) { return t >= DType::float16 && t <= DType::float64; }
constexpr bool is_complex(DType t) { return t >= DType::complex64; }
constexpr bool is_inexact(DType t) { return t >= DType::float16; }
constexpr bool is_integer(DType t) { return t >= DType::int4 && t <= DType::uint64; }
constexpr bool is_unsigned(DType t) {
  return is_integer(t) && (t == DType::uint4 || t == DType::uint8 || t == DType::uint16 ||
                           t == DType::uint32 || t == DType::uint64);
}
constexpr bool is_signed(DType t) { return is_integer(t) && !is_unsigned(t); }
constexpr bool is_4bit(DType t) { return t == DType::int4 || t == DType::uint4; }
constexpr int bits_of(DType t) { return is_4bit(t) ? 4 : int(size_of(t)) * 8; }
constexpr DType real_of(DType t) {
  return t == DType::complex64 ? DType::float32 : t == DType::complex128 ? DType::float64 : t;
}
constexpr DType complex_of(DType t) {
  return t == DType::float64 || t == DType::complex128 ? DType::complex128 : DType::complex64;
}

EMBER_API std::string_view name(DType);                        // "float32"
EMBER_API std::optional<DType> parse_dtype(std::string_view);  // the names above, and "bool"
EMBER_API DType promote(DType, DType);                         // defined for every pair
EMBER_API DType default_float();                               // float32 unless set
EMBER_API void set_default_float(DType);
// Whether a conversion loses neither kind nor range, by the order of promotion.
EMBER_API bool can_cast(DType from, DType to);

template <class T> struct dtype_traits;
#define EMBER_DTYPE(T, name)                    \
  template <> struct dtype_traits<T> {          \
    static constexpr DType value = DType::name; \
  };
EMBER_DTYPE(bool, bool_)
EMBER_DTYPE(int8_t, int8)
EMBER_DTYPE(uint8_t, uint8)
EMBER_DTYPE(int16_t, int16)
EMBER_DTYPE(uint16_t, uint16)
EMBER_DTYPE(int32_t, int32)
EMBER_DTYPE(uint32_t, uint32)
EMBER_DTYPE(int64_t, int64)
EMBER_DTYPE(uint64_t, uint64)
EMBER_DTYPE(Half, float16)
EMBER_DTYPE(BFloat, bfloat16)
EMBER_DTYPE(float, float32)
EMBER_DTYPE(double, float64)
EMBER_DTYPE(std::complex<float>, complex64)
EMBER_DTYPE(std::complex<double>, complex128)
#undef EMBER_DTYPE
template <class T> inline constexpr DType dtype_of = dtype_traits<std::remove_cv_t<T>>::value;

// Calls f with a value of the C++ type of t: visit_dtype(t, [&]<class T>(T) { ... }). int4 is
// int8_t and uint4 uint8_t in memory.
template <class F> decltype(auto) visit_dtype(DType t, F&& f) {
  switch (t) {
    case DType::bool_: return f(bool());
    case DType::int4:
    case DType::int8: return f(int8_t());
    case DType::uint4:
    case DType::uint8: return f(uint8_t());
    case DType::int16: return f(int16_t());
    case DType::uint16: return f(uint16_t());
    case DType::int32: return f(int32_t());
    case DType::uint32: return f(uint32_t());
    case DType::int64: return f(int64_t());
    case DType::uint64: return f(uint64_t());
    case DType::float16: return f(Half());
    case DType::bfloat16: return f(BFloat());
    case DType::float32: return f(float());
    case DType::float64: return f(double());
    case DType::complex64: return f(std::complex<float>());
    case DType::complex128: return f(std::complex<double>());
  }
  throw DTypeError("unknown dtype");
}

}  // namespace ember
