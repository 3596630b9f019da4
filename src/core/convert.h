// Element conversion on the host, for reading values and files. Ops convert on their engines.
#pragma once
#include <cmath>
#include <limits>

#include "ember/dtype.h"

namespace ember {

template <class T> inline constexpr bool is_complex_type = false;
template <class T> inline constexpr bool is_complex_type<std::complex<T>> = true;
template <class T>
inline constexpr bool is_16 = std::is_same_v<T, Half> || std::is_same_v<T, BFloat>;

// Floats saturate to the range of an integer type and NaN becomes 0; integers wrap.
template <class To, class From> To convert_one(From v) {
  if constexpr (std::is_same_v<To, From>) {
    return v;
  } else if constexpr (is_complex_type<From> && is_complex_type<To>) {
    return To(v);
  } else if constexpr (is_complex_type<From>) {
    if constexpr (std::is_same_v<To, bool>) {
      return v != From();
    } else {
      return convert_one<To>(v.real());
    }
  } else if constexpr (is_complex_type<To>) {
    return To(convert_one<typename To::value_type>(v));
  } else if constexpr (is_16<From>) {
    return convert_one<To>(float(v));
  } else if constexpr (is_16<To>) {
    if constexpr (std::is_same_v<To, Half> && !std::is_same_v<From, float>) {  // a single rounding
      Half h;
      h.bits = std::bit_cast<uint16_t>(static_cast<NativeHalf>(v));
      return h;
    } else {
      return To(float(v));
    }
  } else if constexpr (std::is_same_v<To, bool>) {
    return v != From();
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    if (std::isnan(v)) return 0;
    if (v <= From(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
    if (v >= From(std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
    return To(v);
  } else {
    return To(v);
  }
}

inline void convert(void* out, DType to, const void* in, DType from, size_t n) {
  visit_dtype(from, [&]<class F>(F) {
    visit_dtype(to, [&]<class T>(T) {
      for (size_t i = 0; i < n; ++i) {
        static_cast<T*>(out)[i] = convert_one<T>(static_cast<const F*>(in)[i]);
      }
    });
  });
}

}  // namespace ember
