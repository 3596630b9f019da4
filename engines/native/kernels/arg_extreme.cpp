// Each lane keeps the best element that it has seen and its position; four vectors hide the
// latency.
#include "engines/native/kernels/arg_extreme.h"

#include "engines/native/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engines/native/kernels/arg_extreme.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace ember::native {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The best of each lane so far.
template <class D> struct Best {
  using DI = hn::RebindToSigned<D>;
  hn::Vec<D> value;
  hn::Vec<DI> position;

  // Not an aggregate: an implicit default constructor would lack the target's attributes.
  HWY_INLINE Best(hn::Vec<D> v, hn::Vec<DI> at) : value(v), position(at) {}

  template <bool is_max> HWY_INLINE static hn::Mask<D> beats(hn::Vec<D> a, hn::Vec<D> b) {
    return is_max ? hn::Gt(a, b) : hn::Lt(a, b);
  }
  template <bool is_max> HWY_INLINE void see(hn::Vec<D> v, hn::Vec<DI> at) {
    const auto better = beats<is_max>(v, value);
    value = hn::IfThenElse(better, v, value);
    position = hn::IfThenElse(hn::RebindMask(DI(), better), at, position);
  }
  // Of two equal ones the first counts.
  template <bool is_max> HWY_INLINE void join(const Best& other) {
    const DI di;
    const auto equal =
        hn::And(hn::RebindMask(di, hn::Eq(other.value, value)), hn::Lt(other.position, position));
    const auto better = hn::Or(hn::RebindMask(di, beats<is_max>(other.value, value)), equal);
    value = hn::IfThenElse(hn::RebindMask(D(), better), other.value, value);
    position = hn::IfThenElse(better, other.position, position);
  }
};

// Up to 2^30 elements, so that positions fit lanes of 32 bits.
template <bool is_max, class T> int64_t find_in_block(const T* p, int64_t n) {
  const hn::CappedTag<T, 64 / sizeof(T)> d;
  using D = std::remove_const_t<decltype(d)>;
  const typename Best<D>::DI di;
  using Position = hn::TFromD<typename Best<D>::DI>;
  const int64_t lanes = int64_t(hn::Lanes(d));
  auto at = hn::Iota(di, Position(0));
  const Best<D> first(hn::LoadU(d, p), at);
  Best<D> best[4] = {first, first, first, first};
  auto nan = hn::Not(hn::Eq(best[0].value, best[0].value));
  const auto see = [&](Best<D>& b, hn::Vec<D> v, auto position) HWY_ATTR {
    if constexpr (hwy::IsFloat<T>()) nan = hn::Or(nan, hn::Not(hn::Eq(v, v)));
    b.template see<is_max>(v, position);
  };
  const auto step = hn::Set(di, Position(lanes));
  int64_t i = 0;
  for (; i + 4 * lanes <= n; i += 4 * lanes) {
    for (int64_t k = 0; k < 4; ++k) {
      see(best[k], hn::LoadU(d, p + i + k * lanes), at);
      at = hn::Add(at, step);
    }
  }
  for (; i + lanes <= n; i += lanes) {
    see(best[0], hn::LoadU(d, p + i), at);
    at = hn::Add(at, step);
  }
  // The last vector ends with the row: it sees some elements again.
  see(best[1], hn::LoadU(d, p + n - lanes), hn::Iota(di, Position(n - lanes)));
  if (!hn::AllFalse(d, nan)) {
    return std::find_if(p, p + n, [](T v) { return v != v; }) - p;
  }
  best[0].template join<is_max>(best[1]);
  best[2].template join<is_max>(best[3]);
  best[0].template join<is_max>(best[2]);
  const auto value = best[0].value;
  const auto extreme = is_max ? hn::MaxOfLanes(d, value) : hn::MinOfLanes(d, value);
  const auto positions = hn::IfThenElse(hn::RebindMask(di, hn::Eq(value, extreme)),
                                        best[0].position, hn::Set(di, hwy::LimitsMax<Position>()));
  return int64_t(hn::GetLane(hn::MinOfLanes(di, positions)));
}

template <bool is_max, class T> int64_t find_in_row(const T* p, int64_t n) {
  constexpr int64_t block = int64_t(1) << 30;
  int64_t best = find_in_block<is_max>(p, std::min(n, block));
  for (int64_t b = block; b < n && p[best] == p[best]; b += block) {
    const int64_t end = std::min(n, b + block);
    const int64_t first = std::min(b, end - find_extreme_min);
    const int64_t at = first + find_in_block<is_max>(p + first, end - first);
    if ((is_max ? p[at] > p[best] : p[at] < p[best]) || p[at] != p[at]) best = at;
  }
  return best;
}
template <class T> int64_t find(const T* p, int64_t n, bool is_max) {
  return is_max ? find_in_row<true>(p, n) : find_in_row<false>(p, n);
}
int64_t find_f32(const float* p, int64_t n, bool is_max) { return find(p, n, is_max); }
int64_t find_f64(const double* p, int64_t n, bool is_max) { return find(p, n, is_max); }
int64_t find_i32(const int32_t* p, int64_t n, bool is_max) { return find(p, n, is_max); }
int64_t find_i64(const int64_t* p, int64_t n, bool is_max) { return find(p, n, is_max); }

}  // namespace HWY_NAMESPACE
}  // namespace ember::native
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ember::native {

HWY_EXPORT(find_f32);
HWY_EXPORT(find_f64);
HWY_EXPORT(find_i32);
HWY_EXPORT(find_i64);
int64_t find_extreme(const float* p, int64_t n, bool is_max) {
  return HWY_DYNAMIC_DISPATCH(find_f32)(p, n, is_max);
}
int64_t find_extreme(const double* p, int64_t n, bool is_max) {
  return HWY_DYNAMIC_DISPATCH(find_f64)(p, n, is_max);
}
int64_t find_extreme(const int32_t* p, int64_t n, bool is_max) {
  return HWY_DYNAMIC_DISPATCH(find_i32)(p, n, is_max);
}
int64_t find_extreme(const int64_t* p, int64_t n, bool is_max) {
  return HWY_DYNAMIC_DISPATCH(find_i64)(p, n, is_max);
}

}  // namespace ember::native
#endif
