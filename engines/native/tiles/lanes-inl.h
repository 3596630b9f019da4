// Shuffles of Highway's vectors. Included once for each target, inside its namespace, where hn is
// Highway.

// Folds the lanes of a vector by halves: the same order on every target.
template <class D, class V, class F> HWY_INLINE hn::TFromD<D> fold_lanes(D d, V v, F f) {
#if HWY_TARGET != HWY_SCALAR
  if constexpr (hn::MaxLanes(d) > 1) {
    const hn::Half<D> half;
    return fold_lanes(half, f(hn::LowerHalf(half, v), hn::UpperHalf(half, v)), f);
  }
#endif
  (void)d;
  (void)f;
  return hn::GetLane(v);
}

// Transposes a small square: element j of row i is stored in to(j)[i].
template <class R>
constexpr int64_t square = int64_t(hn::MaxLanes(hn::CappedTag<R, 16 / sizeof(R)>()));
template <class R, class To> HWY_INLINE void turn(const R* from, int64_t stride, To to) {
  const hn::CappedTag<R, 16 / sizeof(R)> d;
#if HWY_TARGET != HWY_SCALAR
  const auto a = hn::LoadU(d, from), b = hn::LoadU(d, from + stride);
  if constexpr (square<R> == 4) {
    const auto c = hn::LoadU(d, from + 2 * stride);
    const auto e = hn::LoadU(d, from + 3 * stride);
    const auto ab = hn::InterleaveLower(d, a, b);
    const auto ce = hn::InterleaveLower(d, c, e);
    const auto ab2 = hn::InterleaveUpper(d, a, b);
    const auto ce2 = hn::InterleaveUpper(d, c, e);
    hn::StoreU(hn::ConcatLowerLower(d, ce, ab), d, to(0));
    hn::StoreU(hn::ConcatUpperUpper(d, ce, ab), d, to(1));
    hn::StoreU(hn::ConcatLowerLower(d, ce2, ab2), d, to(2));
    hn::StoreU(hn::ConcatUpperUpper(d, ce2, ab2), d, to(3));
  } else {
    hn::StoreU(hn::InterleaveLower(d, a, b), d, to(0));
    hn::StoreU(hn::InterleaveUpper(d, a, b), d, to(1));
  }
#else
  {
    (void)d;
    (void)stride;
  }
  *to(0) = *from;
#endif
}
