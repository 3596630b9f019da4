// Walking strided arrays: the iteration space that several arrays share, and the number rules the
// whole-array kernels share.
#pragma once
#include <array>
#include <cstdlib>
#include <functional>
#include <limits>
#include <type_traits>

#include "engines/native/kernel.h"

namespace ember::native {

inline constexpr int64_t parallel_grain = 32768;  // elements worth handing to another thread

// parallel_for without making a std::function where the work is small.
template <class F> void split(int64_t n, int64_t grain, F&& f) {
  if (n > grain) {
    parallel_for(n, grain, std::ref(f));
  } else if (n > 0) {
    f(int64_t(0), n);
  }
}
// The grain for items that cost `each` elements of work apiece.
inline int64_t grain_of(int64_t each) {
  return std::max<int64_t>(1, parallel_grain / std::max<int64_t>(each, 1));
}

template <size_t N> using Offsets = std::array<int64_t, N>;

// The axes that N arrays have in common, outermost first, with each array's step along them. Axes
// of size one are left out.
template <size_t N> struct Space {
  struct Axis {
    int64_t n;
    int64_t step[N];
  };
  Small<Axis, 6> axes;
  int64_t size = 1;

  template <class... Step> void add(int64_t n, Step... step) {
    size *= n;
    if (n != 1) axes.push_back({n, {step...}});
  }
  // Sorts the axes by array k's step, smallest last; repeated axes (step 0) go first.
  void sort(size_t k) {
    const auto key = [k](const Axis& a) {
      return a.step[k] ? std::abs(a.step[k]) : std::numeric_limits<int64_t>::max();
    };
    for (size_t i = 1; i < axes.size(); ++i) {
      for (size_t j = i; j > 0 && key(axes[j - 1]) < key(axes[j]); --j) {
        std::swap(axes[j - 1], axes[j]);
      }
    }
  }
  // Merges neighbours that are one run in every array. Afterwards there is at least one axis.
  void collapse() {
    size_t top = 0;
    for (size_t i = 1; i < axes.size(); ++i) {
      const Axis next = axes[i];
      bool one_run = size != 0;
      for (size_t k = 0; one_run && k < N; ++k) {
        one_run = axes[top].step[k] == next.step[k] * next.n;
      }
      if (!one_run) {
        axes[++top] = next;
      } else {
        axes[top].n *= next.n;
        std::copy(next.step, next.step + N, axes[top].step);
      }
    }
    axes.resize(top + 1, Axis{1, {}});
  }
  const Axis& inner() const { return axes.back(); }
};

// Calls f(offsets, n) for the positions begin..end of a collapsed space, in order, one run along
// the innermost axis at a time.
template <size_t N, class F> void for_runs(const Space<N>& s, int64_t begin, int64_t end, F&& f) {
  if (begin >= end) return;
  const int outer = int(s.axes.size()) - 1;
  const auto& inner = s.axes[size_t(outer)];
  int64_t index[max_dims];
  Offsets<N> at{};
  int64_t row = begin / inner.n;
  int64_t col = begin % inner.n;
  for (int d = outer - 1; d >= 0; --d) {
    const auto& a = s.axes[size_t(d)];
    index[d] = row % a.n;
    row /= a.n;
    for (size_t k = 0; k < N; ++k) at[k] += index[d] * a.step[k];
  }
  for (int64_t left = end - begin;;) {
    const int64_t n = std::min(inner.n - col, left);
    Offsets<N> here = at;
    if (col) {
      for (size_t k = 0; k < N; ++k) here[k] += col * inner.step[k];
    }
    f(here, n);
    if (!(left -= n)) return;
    col = 0;
    for (int d = outer - 1; d >= 0; --d) {
      const auto& a = s.axes[size_t(d)];
      const bool carry = ++index[d] == a.n;
      for (size_t k = 0; k < N; ++k) at[k] += carry ? -a.step[k] * (a.n - 1) : a.step[k];
      if (!carry) break;
      index[d] = 0;
    }
  }
}
// The offsets of one position.
template <size_t N> Offsets<N> position(const Space<N>& s, int64_t i) {
  Offsets<N> r{};
  for_runs(s, i, i + 1, [&](const Offsets<N>& at, int64_t) { r = at; });
  return r;
}

// A shape seen from one axis: outer x n x inner.
struct Around {
  int64_t outer = 1, n = 1, inner = 1;
  Around(std::span<const int64_t> shape, int64_t axis) {
    for (int64_t d = 0; d < int64_t(shape.size()); ++d) {
      (d < axis ? outer : d == axis ? n : inner) *= shape[size_t(d)];
    }
  }
};

// Elements as bits, for ops that only move them.
template <class T> struct [[gnu::may_alias]] Word {
  T bits;
};
struct Pair {
  uint64_t low, high;
};
template <class F> void visit_word(DType t, F&& f) {
  switch (size_of(t)) {
    case 1: return f(Word<uint8_t>());
    case 2: return f(Word<uint16_t>());
    case 4: return f(Word<uint32_t>());
    case 8: return f(Word<uint64_t>());
    default: return f(Word<Pair>());
  }
}

template <class T>
inline constexpr bool is_half = std::is_same_v<T, Half> || std::is_same_v<T, BFloat>;
template <class T>
inline constexpr bool is_complex_type =
    std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>;

// What arithmetic on T is done in: float for the 16-bit floats, unsigned for integers, so that they
// wrap.
template <class T> struct WorkOf {
  using type = T;
};
template <class T>
  requires is_half<T>
struct WorkOf<T> {
  using type = float;
};
template <class T>
  requires std::is_integral_v<T>
struct WorkOf<T> {
  using type = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
};
template <class T> using Work = typename WorkOf<T>::type;
// What T is compared in.
template <class T>
using Ordered =
    std::conditional_t<is_half<T>, float, std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>>;

template <class T> T widen(T v) { return v; }
inline float widen(BFloat v) { return v; }
inline float widen(
    Half v) {  // in steps that compilers vectorise; the product is exact, for subnormals too
  const uint32_t magnitude = uint32_t(v.bits & 0x7fff) << 13;
  const uint32_t u = std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) * 0x1p112f);
  return std::bit_cast<float>(u | (magnitude >= 0x0f800000 ? 0x7f800000u : 0u) |
                              uint32_t(v.bits & 0x8000) << 16);
}

// Complex numbers by the school formula, as NumPy has it: no recovery of infinities.
template <class T> T product(const T& a, const T& b) {
  if constexpr (is_complex_type<T>) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  } else {
    return a * b;
  }
}
template <class T> bool is_nan(const T& v) {
  if constexpr (std::is_floating_point_v<T>) {
    return v != v;
  } else {
    return false;
  }
}
// max and min that a NaN wins.
template <bool is_max, class T> T extreme(T a, T b) {
  return (is_max ? b > a : b < a) || is_nan(b) ? b : a;
}

}  // namespace ember::native
