// float32 and float64 functions for Highway vectors. Included once for each target, inside its
// namespace, where hn is Highway. Fma is asked for by name. Last bits differ between targets with
// and without it, and on AVX3, which has tables for float32.
//
// Largest error found in ulp, compared with double (float32: every value with tables, every 29th on
// AVX2) and long double (float64, 800,000 values); in brackets on SSE4, which has no fma (float32,
// every 97th value). From sinh on: 400,000 values each, logaddexp away from results near 0, pow of
// float32 in double.
//
// clang-format off
//   function    tables   float32 (SSE4)   float64 (SSE4)
//   exp         0.77     1.04             0.96
//   expm1                1.65 (1.73)      1.73 (1.87)
//   log         1.31     0.93             0.85
//   log2                 1.72 (2.68)      0.94 (1.84)
//   log10                1.41 (1.95)      0.88 (1.75)
//   log1p       1.30     0.96             1.37
//   tanh        1.24     2.01             2.06
//   sigmoid     2.00     1.99             1.99
//   sin                  1.55 (2.33)      1.51 (libm)
//   cos                  1.55 (2.09)      1.50 (libm)
//   erf         0.80     1.13 (1.27)      libm
//   erfc        1.59     3.97 (4.54)      libm
//   sinh                 2.53             2.25
//   cosh                 2.96             3.04
//   tan                  3.46             3.28
//   asinh                1.93             1.67
//   acosh                1.87             1.84
//   atanh                1.94             1.96
//   cbrt                 1.2              0.94
//   exp2                 1.22             1.04
//   hypot                1.15             1.20
//   logaddexp            1.15             1.59
//   asin                 1.80             libm
//   acos                 1.06             libm
//   atan                 2.55             libm
//   atan2                2.57             libm
//   pow                  0.51             libm
// clang-format on
namespace vm {

template <class T> struct Bits;  // a format: bits of its mantissa, bias of its exponent
template <> struct Bits<float> {
  using I = int32_t;
  static constexpr int mantissa = 23, bias = 127;
};
template <> struct Bits<double> {
  using I = int64_t;
  static constexpr int mantissa = 52, bias = 1023;
};
template <class D> using Lane = hn::TFromD<D>;
template <class D> constexpr bool is_single = sizeof(hn::TFromD<D>) == 4;

template <class D> HWY_INLINE auto num(D d, double v) { return hn::Set(d, Lane<D>(v)); }
template <class D, class V> HWY_INLINE V poly(D, V, V r) { return r; }
template <class D, class V, class... C>
HWY_INLINE V poly(D d, V x, V r, double c, C... more) {  // highest power first
  return poly(d, x, hn::MulAdd(r, x, num(d, c)), more...);
}

template <class D, class V, size_t n> HWY_INLINE V poly(D d, V x, const float (&c)[n]) {
  V r = num(d, c[0]);
  for (size_t k = 1; k < n; ++k) r = hn::MulAdd(r, x, num(d, c[k]));
  return r;
}

// Rounds x to a whole number n, |n| < 2^22 (2^51), and gives it as an integer too.
template <class D, class V, class VI> HWY_INLINE V whole(D d, V x, VI& i) {
  using B = Bits<Lane<D>>;
  const hn::RebindToSigned<D> di;
  const V magic = num(d, 1.5 * double(int64_t(1) << B::mantissa));
  const V t = hn::Add(x, magic);
  i = hn::Sub(hn::BitCast(di, t), hn::BitCast(di, magic));
  return hn::Sub(t, magic);
}
// x * 2^n, denormals and infinity included, for x near 1 and a whole n between twice the least and
// twice the greatest exponent
template <class D, class V, class VI> HWY_INLINE V scale(D d, V x, V n, VI i) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  {
    (void)d;
    (void)i;
  }
  if constexpr (is_single<D>) {
    return V{_mm512_scalef_ps(x.raw, n.raw)};
  } else {
    return V{_mm512_scalef_pd(x.raw, n.raw)};
  }
#else
  (void)n;
  using B = Bits<Lane<D>>;
  const hn::RebindToUnsigned<D> du;
  const auto w = hn::BitCast(
      du, hn::Add(i, hn::Set(hn::RebindToSigned<D>(), 2 * B::bias)));  // two factors, each in range
  const auto h = hn::ShiftRight<1>(w);
  const auto power = [&](auto biased)
                         HWY_ATTR { return hn::BitCast(d, hn::ShiftLeft<B::mantissa>(biased)); };
  return hn::Mul(hn::Mul(x, power(h)), power(hn::Sub(w, h)));
#endif
}
// Replaces the lanes of r where x is beyond limit, or NaN, by f(x): no lane's result depends on its
// neighbours.
template <class D, class V, class F> HWY_NOINLINE V patch(D d, V x, V r, Lane<D> limit, F f) {
  HWY_ALIGN Lane<D> v[hn::MaxLanes(d)], w[hn::MaxLanes(d)];
  hn::Store(x, d, v);
  hn::Store(r, d, w);
  for (size_t i = 0; i < hn::Lanes(d); ++i) {
    if (!(std::abs(v[i]) <= limit)) w[i] = f(v[i]);
  }
  return hn::Load(d, w);
}

// AVX-512 looks up one of 16 floats in each lane at once. There float32 functions are short
// polynomials around tabled points, where the function is very near a float.
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
template <class D> constexpr bool has_tables = is_single<D>;
template <class D, class VI>
HWY_INLINE hn::Vec<D> pick(D d, const float* table, VI i) {  // table[i % 16]
  return hn::Vec<D>{_mm512_permutexvar_ps(i.raw, hn::Load(d, table).raw)};
}
// x + low = n ln2 + r, where n counts sixteenths: exp(x) = 2^floor(n) root (1 + e). Gives e.
template <class D, class V, class... L> HWY_INLINE V exp_parts(D d, V x, V& n, V& root, L... low) {
  const V magic = num(d, tables::sixteenths);
  const V t = hn::MulAdd(x, num(d, tables::log2_e), magic);
  n = hn::Sub(t, magic);
  V r = hn::MulAdd(n, num(d, tables::over_ln2), hn::NegMulAdd(n, num(d, tables::ln2), x));
  ((r = hn::Add(r, low)), ...);
  const auto i = hn::BitCast(hn::RebindToSigned<D>(), t);
  root = pick(d, tables::roots_of_2[0], i);
  return hn::MulAdd(poly(d, r, tables::exp_terms), r, pick(d, tables::roots_of_2[1], i));
}
// The square in two parts; which point: from |x| + 1, as odd_by_table.
template <class D, class V> HWY_INLINE V erfc_by_table(D d, V x) {
  const V a = hn::Min(num(d, 10.25), hn::Abs(x));
  const V square = hn::Mul(a, a);
  const auto i = hn::ShiftRight<21>(hn::BitCast(hn::RebindToSigned<D>(), hn::Add(a, num(d, 1))));
  const V t = hn::Sub(a, pick(d, tables::erfcx_points[0], i));
  V p = pick(d, tables::erfcx_points[7], i);
  V n;
  V root;
  for (int k = 6; k > 0; --k) p = hn::MulAdd(p, t, pick(d, tables::erfcx_points[k], i));
  const V e = exp_parts(d, hn::Neg(square), n, root, hn::NegMulAdd(a, a, square));
  const V tail = scale(d, hn::MulAdd(p, root, hn::Mul(p, hn::Mul(e, root))), n, i);
  return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::Sub(num(d, 2), tail), tail);
}
// log of u, which is x or 1 + x: u = 2^k (1 + r) / c. `other` gives it where u is not normal or
// from 2^125 on.
template <bool plus_1, class D, class V, class F>
HWY_INLINE V log_by_table(D d, V x, V u, F other) {
  const hn::RebindToSigned<D> di;
  const hn::RebindToUnsigned<D> du;
  const auto y = hn::Add(hn::BitCast(di, u), hn::Set(di, (1 << 18) - (127 << 23)));
  const auto e = hn::And(y, hn::Set(di, -1 << 23));
  const auto i = hn::ShiftRight<19>(y);
  const V c = hn::BitCast(d, hn::Sub(hn::BitCast(di, pick(d, tables::log_points[0], i)), e));
  const V one = num(d, 1);  // divided by 2^k
  const V r = hn::MulAdd(x, c, plus_1 ? hn::Sub(c, one) : hn::Neg(one));
  const V p = poly(d, r, tables::log_terms);
  const V v = hn::Add(hn::MulAdd(hn::ConvertTo(d, e), num(d, tables::ln2 * 0x1p-23f),
                                 pick(d, tables::log_points[1], i)),
                      hn::MulAdd(hn::Mul(r, r), p, r));
  const auto usual = hn::RebindMask(
      d, hn::Lt(hn::Sub(hn::BitCast(du, u), hn::Set(du, 1u << 23)), hn::Set(du, 251u << 23)));
  return HWY_LIKELY(hn::AllTrue(d, usual)) ? v : hn::IfThenElse(usual, v, other());
}
template <const tables::Odd& f, class D, class V> HWY_INLINE V odd_by_table(D d, V x) {
  const V a = hn::Min(num(d, f.high), hn::Abs(x));  // a NaN stays: see clamp
  const auto i =
      hn::ShiftRight<f.shift>(hn::BitCast(hn::RebindToSigned<D>(), hn::Max(num(d, f.low), a)));
  const V t = hn::Sub(a, pick(d, f.points[0], i));
  V p = pick(d, f.points[7], i);
  for (int k = 6; k > 1; --k) p = hn::MulAdd(p, t, pick(d, f.points[k], i));
  return hn::CopySignToAbs(hn::MulAdd(p, t, hn::Max(t, pick(d, f.points[1], i))), x);
}
template <class D, class V> HWY_INLINE V tanh_by_table(D d, V x) {
  return odd_by_table<tables::tanh>(d, x);
}
template <class D, class V> HWY_INLINE V erf_by_table(D d, V x) {
  return odd_by_table<tables::erf>(d, x);
}
#else
template <class D> constexpr bool has_tables = false;
#endif

// x + low = n ln2 + r; sets n, its integer and e = exp(r) - 1
template <class D, class V, class VI, class... L>
HWY_INLINE V reduce_expm1(D d, V x, V& n, VI& i, L... low) {
  n = whole(d, hn::Mul(x, num(d, 1.4426950408889634)), i);
  if constexpr (is_single<D>) {
    V r = hn::NegMulAdd(n, num(d, -2.12194440e-4), hn::NegMulAdd(n, num(d, 0.693359375), x));
    ((r = hn::Add(r, low)), ...);
    const V q =
        poly(d, r, num(d, 1.392692677e-03), 8.363774046e-03, 4.166654870e-02, 1.666657329e-01, 0.5);
    return hn::MulAdd(hn::Mul(r, r), q, r);
  } else {
    const V r = hn::NegMulAdd(n, num(d, 0x1.3de6af278ece6p-42),
                              hn::NegMulAdd(n, num(d, 0x1.62e42fefa3p-1), x));
    const V q = poly(d, r, num(d, 2.09147553258932021e-09), 2.51053127296221029e-08,
                     2.75572734787185824e-07, 2.75572551700008879e-06, 2.48015873256774607e-05,
                     1.98412698750022792e-04, 1.38888888888837113e-03, 8.33333333332608381e-03,
                     4.16666666666666713e-02, 1.66666666666666713e-01, 0.5);
    return hn::MulAdd(hn::Mul(r, r), q, r);
  }
}
template <class D> using IntVec = hn::Vec<hn::RebindToSigned<D>>;
// Keeps a NaN: x86 does when it is the second operand of Max and Min.
template <class D, class V> HWY_INLINE V clamp(D d, V x, double lo, double hi) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR
  return hn::Min(num(d, hi), hn::Max(num(d, lo), x));
#else
  const V r = hn::IfThenElse(hn::Lt(x, num(d, lo)), num(d, lo), x);
  return hn::IfThenElse(hn::Gt(r, num(d, hi)), num(d, hi), r);
#endif
}
template <class D, class V>
HWY_INLINE auto is_tiny(D d, V x) {  // where expm1(x) and log1p(x) are x; keeps -0 and denormals
  return hn::Lt(hn::Abs(x), num(d, is_single<D> ? 0x1p-25 : 0x1p-54));
}
template <class D, class V> HWY_INLINE V exp(D d, V x) {
  V n;
  IntVec<D> i;
  const V y =
      clamp(d, x, is_single<D> ? tables::exp_low : -746, is_single<D> ? tables::exp_high : 710);
  if constexpr (has_tables<D>) {
    V root;
    const V e = exp_parts(d, y, n, root);
    return scale(d, hn::MulAdd(e, root, root), n, i);
  } else {
    const V e = reduce_expm1(d, y, n, i);
    return scale(d, hn::Add(e, num(d, 1)), n, i);
  }
}
// 2^n e + (2^n - 1), with half of 2^n so that it never overflows too early
template <class D, class V> HWY_INLINE V expm1(D d, V x) {
  V n;
  IntVec<D> i;
  const V e = reduce_expm1(d, clamp(d, x, is_single<D> ? -20 : -40, is_single<D> ? 89 : 710), n, i);
  const V p = scale(d, num(d, 0.5), n, i);
  const V t = hn::MulAdd(p, e, hn::Sub(p, num(d, 0.5)));
  return hn::IfThenElse(is_tiny(d, x), x, hn::Add(t, t));
}
// One over 1 + exp(-x), both times 2^-k: their range is enough even where the result is denormal.
template <class D, class V> HWY_INLINE V sigmoid(D d, V x) {
  constexpr int k = is_single<D> ? 32 : 64;
  constexpr double end = is_single<D> ? tables::sigmoid_end : 746;
  const V y = hn::Neg(clamp(d, x, -end, end));
  const V unit = num(d, 1.0 / double(uint64_t(1) << (k - 1)) / 2);
  V n;
  V e;
  V root = num(d, 1);
  IntVec<D> i;
  if constexpr (has_tables<D>) {
    e = exp_parts(d, y, n, root);
  } else {
    e = reduce_expm1(d, y, n, i);
    i = hn::Sub(i, hn::Set(hn::RebindToSigned<D>(), k));
  }
  const V s = scale(d, root, hn::Sub(n, num(d, k)), i);
  return hn::Div(unit,
                 hn::Add(hn::Max(s, unit),
                         hn::MulAdd(e, s, hn::Min(s, unit))));  // the larger one is rounded once
}
template <class D, class V> HWY_INLINE V tanh(D d, V x) {
  if constexpr (has_tables<D>) {
    return tanh_by_table(d, x);
  } else {  // (1 - t) / (1 + t), t = exp(-2|x|) = p (1 + e), in which 1 - p and 1 + p are exact
    V n;
    IntVec<D> i;
    const V one = num(d, 1);
    const V a = hn::Abs(x);
    const V e =
        reduce_expm1(d, clamp(d, hn::Mul(a, num(d, -2)), is_single<D> ? -20 : -40, 0), n, i);
    const V p = scale(d, one, n, i);
    return hn::CopySign(
        hn::Div(hn::NegMulAdd(p, e, hn::Sub(one, p)), hn::MulAdd(p, e, hn::Add(one, p))), x);
  }
}

// log(1 + f) = f + w for f in [-1/4, 1/2] (float64: [1/sqrt2 - 1, sqrt2 - 1]); this gives w
template <class D, class V> HWY_INLINE V log_tail(D d, V f) {
  if constexpr (is_single<D>) {
    const V p =
        poly(d, f, num(d, -4.507446650e-02), 1.046299566e-01, -1.316119653e-01, 1.447840051e-01,
             -1.664731234e-01, 1.999086086e-01, -2.500009583e-01, 3.333344912e-01, -0.5);
    return hn::Mul(hn::Mul(f, f), p);
  } else {  // log(1 + f) = 2 atanh(s), s = f / (2 + f)
    const V s = hn::Div(f, hn::Add(f, num(d, 2)));
    const V z = hn::Mul(s, s);
    const V h = hn::Mul(hn::Mul(f, f), num(d, 0.5));
    const V r = poly(d, z, num(d, 1.46178071534628279e-01), 1.53316117220506531e-01,
                     1.81828924325370317e-01, 2.22222110893794927e-01, 2.85714286262538364e-01,
                     3.99999999998988887e-01, 6.66666666666666963e-01);
    return hn::Sub(hn::Mul(s, hn::MulAdd(r, z, h)), h);
  }
}
// The k with u = 2^k m and m in [3/4, 3/2) (float64: [1/sqrt2, sqrt2)), for a normal u > 0: a
// number, and bits in their place
template <class D, class V, class VI> HWY_INLINE V exponent(D d, V u, VI& in_place) {
  using B = Bits<Lane<D>>;
  using I = typename B::I;
  const hn::RebindToSigned<D> di;
  const hn::RebindToUnsigned<D> du;
  const auto y = hn::Sub(hn::BitCast(di, u),
                         hn::BitCast(di, num(d, is_single<D> ? 0.75 : 0.70710678118654752)));
  in_place = hn::And(y, hn::Set(di, I(-1) << B::mantissa));
  const auto j = hn::ShiftRight<B::mantissa>(
      hn::BitCast(du, hn::Add(y, hn::Set(di, I(B::bias) << B::mantissa))));
  const V two = num(d, double(int64_t(1) << B::mantissa));  // its last bit counts ones
  return hn::Sub(hn::BitCast(d, hn::Or(hn::BitCast(du, two), j)), hn::Add(two, num(d, B::bias)));
}
// k ln2 + f + w without losing low bits; `base` 2 and 10 scale by their constants
template <int base, class D, class V> HWY_INLINE V log_sum(D d, V k, V f, V w) {
  constexpr bool s = is_single<D>;
  if constexpr (base == 0) {
    const V lo = num(d, s ? 0x1.7f7d1cp-20 : 0x1.3de6af278ece6p-42);
    const V hi = num(d, s ? 0x1.62e4p-1 : 0x1.62e42fefa3p-1);
    return hn::MulAdd(k, hi, hn::Add(f, hn::MulAdd(k, lo, w)));
  } else if constexpr (base == 2) {
    const V c = num(d, s ? 0x1.715476p+0 : 0x1.71547652b82fep+0);
    const V lo = num(d, s ? 0x1.4ae0cp-26 : 0x1.777d0ffda0d24p-56);
    return hn::Add(k, hn::MulAdd(f, c, hn::MulAdd(w, c, hn::Mul(f, lo))));
  } else {
    const V c = num(d, s ? 0x1.bcb7b2p-2 : 0x1.bcb7b1526e50ep-2);
    const V lo = num(d, s ? -0x1.5b235ep-27 : 0x1.95355baaafad3p-57);
    const V k_hi = num(d, s ? 0x1.344p-2 : 0x1.34413509f7p-2);
    const V k_lo = num(d, s ? 0x1.3509f8p-18 : 0x1.3fde623e2566bp-43);
    return hn::MulAdd(k, k_hi,
                      hn::MulAdd(f, c, hn::MulAdd(w, c, hn::MulAdd(k, k_lo, hn::Mul(f, lo)))));
  }
}
template <class D, class V, class M>
HWY_INLINE V log_odd(D d, V r, V u, M usual) {  // u is what the logarithm is of
  const V inf = num(d, double(__builtin_inff()));
  const V nan = num(d, double(__builtin_nanf("")));
  const V odd =
      hn::IfThenElse(hn::Eq(u, num(d, 0)), hn::Neg(inf), hn::IfThenElse(hn::Eq(u, inf), inf, nan));
  return hn::IfThenElse(usual, r, odd);
}
template <int base, class D, class V> HWY_INLINE V log_any(D d, V x) {
  using B = Bits<Lane<D>>;
  const V least = num(d, is_single<D> ? 0x1p-126 : 0x1p-1022);
  const V inf = num(d, double(__builtin_inff()));
  const auto usual = hn::And(hn::Ge(x, least), hn::Lt(x, inf));
  IntVec<D> e;
  const hn::RebindToSigned<D> di;
  V u = x;
  V shift = num(d, 0);
  const bool all = hn::AllTrue(d, usual);
  if (HWY_UNLIKELY(!all)) {  // denormals are scaled up
    const auto small = hn::Lt(x, least);
    u = hn::IfThenElse(small, hn::Mul(x, num(d, double(int64_t(1) << (B::mantissa + 2)))), x);
    shift = hn::IfThenElse(small, num(d, B::mantissa + 2), shift);
  }
  const V k = hn::Sub(exponent(d, u, e), shift);
  const V f = hn::Sub(hn::BitCast(d, hn::Sub(hn::BitCast(di, u), e)), num(d, 1));
  const V r = log_sum<base>(d, k, f, log_tail(d, f));
  return HWY_LIKELY(all) ? r : log_odd(d, r, x, hn::And(hn::Gt(x, num(d, 0)), hn::Lt(x, inf)));
}
// 1 + x = 2^k (1 + f) without losing the low bits of x
template <class D, class V> HWY_INLINE V log1p_any(D d, V x) {
  const hn::RebindToSigned<D> di;
  const V one = num(d, 1);
  const V u = hn::Add(x, one);
  const V quarter = num(d, 0.25);
  const V inf = num(d, double(__builtin_inff()));
  IntVec<D> e;
  const V k = exponent(d, u, e);
  const V s = hn::BitCast(d, hn::Sub(hn::BitCast(di, num(d, 4)), e));  // 4 / 2^k
  const V f = hn::MulAdd(hn::Mul(x, quarter), s, hn::MulAdd(s, quarter, hn::Neg(one)));
  const V r = hn::IfThenElse(is_tiny(d, x), x, log_sum<0>(d, k, f, log_tail(d, f)));
  const auto usual = hn::And(hn::Gt(x, num(d, -1)), hn::Lt(x, inf));
  return HWY_LIKELY(hn::AllTrue(d, usual)) ? r : log_odd(d, r, u, usual);
}

template <int base, class D, class V> HWY_INLINE V log(D d, V x) {
  if constexpr (has_tables<D> && base == 0)
    return log_by_table<false>(d, x, x, [&] HWY_ATTR { return log_any<0>(d, x); });
  else {
    return log_any<base>(d, x);
  }
}
template <class D, class V> HWY_INLINE V log1p(D d, V x) {
  if constexpr (has_tables<D>)
    return hn::CopySign(
        log_by_table<true>(d, x, hn::Add(x, num(d, 1)), [&] HWY_ATTR { return log1p_any(d, x); }),
        x);
  else {
    return log1p_any(d, x);
  }
}

// Arguments up to this are reduced here, larger ones by libm. Without fma float64 leaves everything
// to libm.
template <class D> constexpr double trig_limit() {
  return is_single<D> ? (HWY_NATIVE_FMA ? 1e5 : 1e4) : 1e9;
}
// sin(x + quarter pi/2) for a quarter of 0 or 1; for 2 tan(x)
template <int quarter, class D, class V> HWY_INLINE V sin_cos(D d, V x) {
  using I = typename Bits<Lane<D>>::I;
  constexpr int to_sign = int(sizeof(I)) * 8 - 2;
  const hn::RebindToSigned<D> di;
  IntVec<D> i;
  const V k = whole(d, hn::Mul(x, num(d, 0.63661977236758134)), i);
  V r;
  V s;
  V c;
  if constexpr (is_single<D>) {
#if HWY_NATIVE_FMA
    r = hn::NegMulAdd(k, num(d, -0x1.777a5cp-25), hn::NegMulAdd(k, num(d, 0x1.921fb6p+0), x));
    r = hn::NegMulAdd(k, num(d, -0x1.ee59dap-50), r);
#else
    // pi/2 in pieces of 11 bits, whose products with k are exact
    r = hn::Sub(hn::Sub(x, hn::Mul(k, num(d, 0x1.92p+0))), hn::Mul(k, num(d, 0x1.fb4p-12)));
    r = hn::Sub(hn::Sub(r, hn::Mul(k, num(d, 0x1.444p-24))), hn::Mul(k, num(d, 0x1.68cp-39)));
    r = hn::Sub(r, hn::Mul(k, num(d, 0x1.1a6264p-54)));
#endif
    const V z = hn::Mul(r, r);
    s = poly(d, z, num(d, 2.724931392e-06), -1.984008268e-04, 8.333331905e-03, -1.666666716e-01);
    c = poly(d, z, num(d, 2.454743662e-05), -1.388830016e-03, 4.166666418e-02);
  } else {
    r = hn::NegMulAdd(k, num(d, 0x1.1a62633145c07p-54),
                      hn::NegMulAdd(k, num(d, 0x1.921fb54442d18p+0), x));
    r = hn::NegMulAdd(k, num(d, -0x1.f1976b7ed8fbcp-110), r);
    const V z = hn::Mul(r, r);
    s = poly(d, z, num(d, -7.58657664830752511e-13), 1.60585295732897755e-10,
             -2.50521062195283503e-08, 2.75573192193019358e-06, -1.98412698412650166e-04,
             8.33333333333333148e-03, -1.66666666666666657e-01);
    c = poly(d, z, num(d, 4.74580492319550496e-14), -1.14704597502437620e-11,
             2.08767557838976279e-09, -2.75573192213821249e-07, 2.48015873015846182e-05,
             -1.38888888888888873e-03, 4.16666666666666644e-02);
  }
  const V z = hn::Mul(r, r);
  s = hn::MulAdd(hn::Mul(r, z), s, r);
  c = hn::MulAdd(hn::Mul(z, z), c, hn::MulAdd(z, num(d, -0.5), num(d, 1)));
  if constexpr (quarter == 2) {  // the tangent: s / c, or -c / s in odd quarters
    const auto odd = hn::RebindMask(d, hn::Ne(hn::And(i, hn::Set(di, 1)), hn::Zero(di)));
    const V t = hn::Div(hn::IfThenElse(odd, hn::Neg(c), s), hn::IfThenElse(odd, s, c));
    return hn::IfThenElse(hn::Lt(hn::Abs(x), num(d, is_single<D> ? 0x1p-13 : 0x1p-27)), x, t);
  }
  if constexpr (quarter != 0) i = hn::Add(i, hn::Set(di, 1));
  V v = hn::IfThenElse(hn::RebindMask(d, hn::Ne(hn::And(i, hn::Set(di, 1)), hn::Zero(di))), c, s);
  v = hn::Xor(v, hn::BitCast(d, hn::ShiftLeft<to_sign>(hn::And(i, hn::Set(di, 2)))));
  // keeps -0
  if constexpr (quarter == 0) {
    v = hn::IfThenElse(hn::Lt(hn::Abs(x), num(d, is_single<D> ? 0x1p-13 : 0x1p-27)), x, v);
  }
  return v;
}
template <int quarter, class D, class V> HWY_INLINE V sin_or_cos(D d, V x) {
  constexpr Lane<D> limit = trig_limit<D>();
  const V r = sin_cos<quarter>(d, x);
  if (HWY_LIKELY(hn::AllTrue(d, hn::Le(hn::Abs(x), num(d, limit))))) return r;
  return patch(d, x, r, limit, [](Lane<D> v) { return quarter ? std::cos(v) : std::sin(v); });
}

// float32 only. 1 - exp(-q(|x|)) above 1, an odd polynomial below.
template <class D, class V> HWY_INLINE V erf_small(D d, V x) {
  const V p = poly(d, hn::Mul(x, x), num(d, 7.875874871e-05), -8.016864303e-04, 5.189087242e-03,
                   -2.685421146e-02, 1.128359437e-01, -3.761262596e-01, 1.283791661e-01);
  return hn::MulAdd(x, p, x);
}
template <class D, class V> HWY_INLINE V erf(D d, V x) {
  if constexpr (has_tables<D>) {
    return erf_by_table(d, x);
  } else {
    const V a = hn::Abs(x);
    const V small = erf_small(d, x);
    const auto is_small = hn::Lt(a, num(d, 1));
    if (hn::AllTrue(d, is_small)) return small;
    const V t = clamp(d, a, 1, 4);
    const V q = poly(d, t, num(d, 1.863842626e-04), -2.947706496e-03, 2.183825150e-02,
                     -1.031071320e-01, -6.381444335e-01, -1.127089381, -3.414637176e-04);
    V n;
    IntVec<D> i;
    const V e = reduce_expm1(d, q, n, i);
    const V b = scale(d, hn::Add(e, num(d, 1)), n, i);
    return hn::IfThenElse(is_small, small, hn::CopySign(hn::Sub(num(d, 1), b), x));
  }
}
// float32 only. Without tables exp(-x^2) t p(t) with t = 1 / (|x| + 2) above 0.5, the square in two
// parts; below 0, 2 less that.
template <class D, class V> HWY_INLINE V erfc(D d, V x) {
  if constexpr (has_tables<D>) return erfc_by_table(d, x);
  const hn::RebindToUnsigned<D> du;
  const V a = clamp(d, hn::Abs(x), 0, 10.25);
  const V head = hn::And(a, hn::BitCast(d, hn::Set(du, 0xFFFFF000u)));
  const V low = hn::Mul(hn::Sub(head, a), hn::Add(head, a));
  const V two = num(d, 2);
  const V b = hn::Add(a, two);
  const V t = hn::Div(num(d, 1), b);
  const V p =
      poly(d, t, num(d, -3.122016670e+01), 7.559044758e+01, -6.533513538e+01, 1.948195674e+01,
           -1.405356101e+00, 3.351344562e+00, 1.932437810e+00, 1.130258941e+00, 5.641538490e-01);
  V n;
  IntVec<D> i;
  // What rounding did to t, which t p(t) feels 1.2 to 2.1 times.
  const V off = hn::NegMulAdd(hn::Sub(a, hn::Sub(b, two)), t, hn::NegMulAdd(t, b, num(d, 1)));
  const V e = reduce_expm1(d, hn::Neg(hn::Mul(head, head)), n, i, low);
  const V tp = hn::Mul(t, p);
  const V g = hn::MulAdd(hn::Mul(tp, num(d, 1.7)), off, tp);
  const V tail = scale(d, hn::MulAdd(g, e, g), n, i);
  const V large = hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::Sub(num(d, 2), tail), tail);
  return hn::IfThenElse(hn::Ge(a, num(d, 0.5)), large, hn::Sub(num(d, 1), erf_small(d, x)));
}
// Lanes where `take` holds are computed again by f(lane).
template <class D, class V, class M, class F> HWY_INLINE V patch_lanes(D d, V r, M take, F f) {
  if (HWY_LIKELY(hn::AllFalse(d, take))) return r;
  HWY_ALIGN Lane<D> w[hn::MaxLanes(d)], t[hn::MaxLanes(d)];
  hn::Store(r, d, w);
  hn::Store(hn::IfThenElseZero(take, num(d, 1)), d, t);
  for (size_t i = 0; i < hn::Lanes(d); ++i) {
    if (t[i] != 0) w[i] = f(i);
  }
  return hn::Load(d, w);
}
template <class D, class V, class M, class F> HWY_INLINE V patch_lanes(D d, V x, V r, M take, F f) {
  HWY_ALIGN Lane<D> v[hn::MaxLanes(d)];
  hn::Store(x, d, v);
  return patch_lanes(d, r, take, [&](size_t i) { return f(v[i]); });
}

// e^|x| / 2, from half of it squared, so that it overflows where sinh and cosh do
template <class D, class V> HWY_INLINE V half_exp(D d, V a) {
  const V h = exp(d, hn::Mul(a, num(d, 0.5)));
  return hn::Mul(hn::Mul(h, num(d, 0.5)), h);
}
template <class D, class V> HWY_INLINE V cosh(D d, V x) {
  const V t = half_exp(d, hn::Abs(x));
  return hn::Add(t, hn::Div(num(d, 0.25), t));
}
template <class D, class V> HWY_INLINE V sinh(D d, V x) {
  const V a = hn::Abs(x);
  const V e = expm1(d, a);
  const V one = num(d, 1);
  V r = hn::Mul(hn::Add(e, hn::Div(e, hn::Add(e, one))), num(d, 0.5));
  const auto large = hn::Gt(a, num(d, is_single<D> ? 80 : 700));
  if (HWY_UNLIKELY(!hn::AllFalse(d, large))) r = hn::IfThenElse(large, half_exp(d, a), r);
  return hn::IfThenElse(is_tiny(d, x), x, hn::CopySign(r, x));
}
// squares up to this do not overflow
template <class D> constexpr double square_limit() { return is_single<D> ? 1e18 : 1e150; }
template <class D, class V> HWY_INLINE V asinh(D d, V x) {
  const V a = hn::Abs(x);
  const V z = hn::Mul(a, a);
  const V one = num(d, 1);
  const V r = log1p(d, hn::Add(a, hn::Div(z, hn::Add(one, hn::Sqrt(hn::Add(z, one))))));
  const V s = hn::IfThenElse(is_tiny(d, x), x, hn::CopySign(r, x));
  return patch_lanes(d, x, s, hn::Gt(a, num(d, square_limit<D>())),
                     [](Lane<D> v) { return std::asinh(v); });
}
template <class D, class V> HWY_INLINE V acosh(D d, V x) {
  const V t = hn::Sub(x, num(d, 1));
  const V root = hn::Sqrt(hn::MulAdd(t, t, hn::Add(t, t)));
  const V r = hn::IfThenElse(hn::Lt(x, num(d, 1)), num(d, double(__builtin_nanf(""))),
                             log1p(d, hn::Add(t, root)));
  return patch_lanes(d, x, r, hn::Gt(x, num(d, square_limit<D>())),
                     [](Lane<D> v) { return std::acosh(v); });
}
template <class D, class V> HWY_INLINE V atanh(D d, V x) {
  const V a = hn::Abs(x);
  const V r = hn::Mul(log1p(d, hn::Div(hn::Add(a, a), hn::Sub(num(d, 1), a))), num(d, 0.5));
  return hn::IfThenElse(is_tiny(d, x), x, hn::CopySign(r, x));
}
template <class D, class V> HWY_INLINE V exp2(D d, V x) {
  V n;
  IntVec<D> i;
  const V y = clamp(d, x, is_single<D> ? -160 : -1100, is_single<D> ? 160 : 1100);
  n = whole(d, y, i);
  const V f = hn::Sub(y, n);
  V r;
  if constexpr (is_single<D>) {
    r = poly(d, f, num(d, 1.547589669e-04), 1.340028316e-03, 9.618005415e-03, 5.550327742e-02,
             2.402265133e-01, 6.931472063e-01, 1);
  } else {
    V zero;
    IntVec<D> none;
    r = hn::Add(reduce_expm1(d, hn::Mul(f, num(d, 0.69314718055994531)), zero, none), num(d, 1));
    r = scale(d, r, zero, none);
  }
  return scale(d, r, n, i);
}
// log(exp(a) + exp(b)); two equal infinities are apart by NaN
template <class D, class V> HWY_INLINE V logaddexp(D d, V a, V b) {
  const V apart = hn::Neg(hn::Abs(hn::Sub(a, b)));
  const V top = hn::IfThenElse(hn::Gt(a, b), a, b);
  const V r = hn::Add(top, log1p(d, exp(d, apart)));
  const V either = hn::Add(a, b);  // NaN where one is
  const V n = hn::IfThenElse(hn::And(hn::Eq(a, a), hn::Eq(b, b)), r, either);
  return hn::IfThenElse(hn::Eq(a, b), hn::Add(a, num(d, 0.69314718055994531)), n);
}
template <class D, class V> HWY_INLINE V hypot(D d, V x, V y) {
  constexpr double big = is_single<D> ? 0x1p60 : 0x1p500;
  constexpr double down = is_single<D> ? 0x1p-70 : 0x1p-600;
  constexpr double up = is_single<D> ? 0x1p80 : 0x1p600;
  const V a = hn::Abs(x);
  const V b = hn::Abs(y);
  const V inf = num(d, double(__builtin_inff()));
  const V top = hn::Max(a, b);
  const auto usual = hn::And(hn::And(hn::Lt(a, num(d, big)), hn::Lt(b, num(d, big))),
                             hn::Gt(top, num(d, 1 / big)));
  const V r = hn::Sqrt(hn::MulAdd(a, a, hn::Mul(b, b)));
  if (HWY_LIKELY(hn::AllTrue(d, usual))) return r;
  const auto large = hn::Ge(top, num(d, big));
  const V s = hn::IfThenElse(large, num(d, down), num(d, up));
  const V back = hn::IfThenElse(large, num(d, 1 / down), num(d, 1 / up));
  const V p = hn::Mul(a, s);
  const V q = hn::Mul(b, s);
  const V odd = hn::Mul(hn::Sqrt(hn::MulAdd(p, p, hn::Mul(q, q))), back);
  return hn::IfThenElse(hn::Or(hn::Eq(a, inf), hn::Eq(b, inf)), inf, hn::IfThenElse(usual, r, odd));
}
template <class D, class V> HWY_INLINE V cbrt(D d, V x) {
  using B = Bits<Lane<D>>;
  const hn::RebindToSigned<D> di;
  const V a = hn::Abs(x);
  const V inf = num(d, double(__builtin_inff()));
  const auto small = hn::Lt(a, num(d, is_single<D> ? 0x1p-120 : 0x1p-1016));
  const V u = hn::Mul(a, hn::IfThenElse(small, num(d, 0x1p54),
                                        num(d, 0.125)));  // neither denormal nor near overflow
  // The exponent over three, with the mantissa as its fraction: within 5 %, and Halley's steps cube
  // the error.
  constexpr double unit = double(int64_t(1) << B::mantissa);
  constexpr double offset = (B::bias * 2.0 / 3 - 0.0331) * unit;
  V y = hn::BitCast(d, hn::ConvertTo(di, hn::MulAdd(hn::ConvertTo(d, hn::BitCast(di, u)),
                                                    num(d, 1.0 / 3), num(d, offset))));
  for (int k = 0; k < (is_single<D> ? 2 : 3); ++k) {
    const V cube = hn::Mul(hn::Mul(y, y), y);
    y = hn::NegMulAdd(y, hn::Div(hn::Sub(cube, u), hn::Add(hn::Add(cube, cube), u)), y);
  }
  y = hn::Mul(y, hn::IfThenElse(small, num(d, 0x1p-18), num(d, 2)));
  return hn::IfThenElse(hn::And(hn::Gt(a, hn::Zero(d)), hn::Lt(a, inf)), hn::CopySign(y, x), x);
}
template <class D, class V> HWY_INLINE V tan(D d, V x) {
  const V r = sin_cos<2>(d, x);
  if (HWY_LIKELY(hn::AllTrue(d, hn::Le(hn::Abs(x), num(d, Lane<D>(trig_limit<D>())))))) return r;
  return patch(d, x, r, Lane<D>(trig_limit<D>()), [](Lane<D> v) { return std::tan(v); });
}

// float32 only. asin: a polynomial up to 0.5, above pi/2 - 2 asin(sqrt((1 - x) / 2)).
template <class D, class V> HWY_INLINE V asin_part(D d, V a, hn::Mask<D>& large) {
  large = hn::Gt(a, num(d, 0.5));
  const V half = num(d, 0.5);
  const V z = hn::IfThenElse(large, hn::NegMulAdd(a, half, half), hn::Mul(a, a));
  const V s = hn::IfThenElse(large, hn::Sqrt(z), a);
  const V p = poly(d, z, num(d, 3.756518850e-02), 1.440261488e-02, 3.181760935e-02, 4.451572049e-02,
                   7.500510917e-02, 1.666665987e-01);
  return hn::MulAdd(hn::Mul(s, z), p, s);
}
template <class D, class V> HWY_INLINE V asin(D d, V x) {
  hn::Mask<D> large;
  const V r = asin_part(d, hn::Abs(x), large);
  const V top =
      hn::Add(hn::NegMulAdd(r, num(d, 2), num(d, 0x1.921fb6p+0)), num(d, -0x1.777a5cp-25));
  return hn::CopySign(hn::IfThenElse(large, top, r), x);
}
template <class D, class V> HWY_INLINE V acos(D d, V x) {
  hn::Mask<D> large;
  const V r = hn::CopySign(asin_part(d, hn::Abs(x), large), x);
  const V low = num(d, -0x1.777a5cp-25);
  const V half_pi = num(d, 0x1.921fb6p+0);
  const V twice = hn::Add(r, r);
  const V pi = num(d, 0x1.921fb6p+1);
  const V far = hn::IfThenElse(hn::Lt(x, hn::Zero(d)),
                               hn::Add(hn::Add(twice, num(d, -0x1.777a5cp-24)), pi), twice);
  return hn::IfThenElse(large, far, hn::Add(hn::Sub(low, r), half_pi));
}
// float32 only. atan(p / q) for 0 <= p <= q, q > 0: around 0, or around 1 as pi/4 + atan((p - q) /
// (p + q))
template <class D, class V> HWY_INLINE V atan_ratio(D d, V p, V q) {
  const auto large = hn::Gt(p, hn::Mul(q, num(d, 0.41421356)));
  const V t =
      hn::Div(hn::IfThenElse(large, hn::Sub(p, q), p), hn::IfThenElse(large, hn::Add(p, q), q));
  const V z = hn::Mul(t, t);
  const V c = poly(d, z, num(d, -6.081148273e-02), 1.059513644e-01, -1.424373828e-01,
                   1.999848397e-01, -3.333331542e-01);
  return hn::Add(hn::MulAdd(hn::Mul(t, z), c, t), hn::IfThenElseZero(large, num(d, 0x1.921fb6p-1)));
}
template <class D, class V> HWY_INLINE V atan(D d, V x) {
  const V a = hn::Abs(x);
  const V one = num(d, 1);
  const auto far = hn::Gt(a, one);
  const V p = hn::IfThenElse(far, hn::Div(one, a), a);
  const V r = atan_ratio(d, p, one);
  return hn::CopySign(hn::IfThenElse(far, hn::Sub(num(d, 0x1.921fb6p+0), r), r), x);
}
template <class D, class V> HWY_INLINE V atan2(D d, V y, V x) {
  const V a = hn::Abs(y);
  const V b = hn::Abs(x);
  const V zero = hn::Zero(d);
  const V p = hn::Min(a, b);
  const V q = hn::Max(a, b);
  const V half_pi = num(d, 0x1.921fb6p+0);
  const auto usual = hn::And(hn::And(hn::Gt(q, num(d, 1e-30)), hn::Lt(q, num(d, 1e30))),
                             hn::And(hn::Eq(x, x), hn::Eq(y, y)));
  V r = atan_ratio(d, p, q);
  r = hn::IfThenElse(hn::Gt(a, b), hn::Sub(half_pi, r), r);
  r = hn::IfThenElse(hn::Lt(x, zero), hn::Sub(num(d, 0x1.921fb6p+1), r), r);
  r = hn::CopySign(r, y);
  if (HWY_LIKELY(hn::AllTrue(d, usual))) return r;
  HWY_ALIGN Lane<D> v[hn::MaxLanes(d)], w[hn::MaxLanes(d)];
  hn::Store(y, d, v);
  hn::Store(x, d, w);
  return patch_lanes(d, r, hn::Not(usual), [&](size_t i) { return std::atan2(v[i], w[i]); });
}

// The remainder with x's sign. Quotients up to 2^22 (2^51) have exact remainders; others go to
// libm. Needs fma.
template <class D, class V> HWY_INLINE V fmod(D d, V x, V y) {
  const V a = hn::Abs(x);
  const V b = hn::Abs(y);
  const V t = hn::Div(a, b);
  const V limit = num(d, is_single<D> ? 0x1p22 : 0x1p51);
  V r = hn::NegMulAdd(hn::Trunc(t), b, a);
  r = hn::IfThenElse(hn::Lt(r, hn::Zero(d)), hn::Add(r, b),
                     r);  // the quotient was rounded up to a whole number
  r = hn::CopySign(r, x);
  const auto usual = hn::And(hn::Lt(t, limit), hn::Lt(b, num(d, double(__builtin_inff()))));
  if (HWY_LIKELY(hn::AllTrue(d, usual))) return r;
  HWY_ALIGN Lane<D> v[hn::MaxLanes(d)], w[hn::MaxLanes(d)];
  hn::Store(x, d, v);
  hn::Store(y, d, w);
  return patch_lanes(d, r, hn::Not(usual), [&](size_t i) { return std::fmod(v[i], w[i]); });
}
template <class D, class V> HWY_INLINE V remainder(D d, V x, V y) {
  const V r = fmod(d, x, y);
  const V zero = hn::Zero(d);
  const auto other = hn::Xor(hn::Lt(r, zero), hn::Lt(y, zero));
  const V wrapped = hn::IfThenElse(other, hn::Add(r, y), r);
  const V whole = hn::IfThenElse(hn::Eq(r, zero), hn::CopySign(zero, y), wrapped);
  return hn::IfThenElse(hn::Eq(y, zero), r, whole);
}
template <class D, class V> HWY_INLINE V floor_divide(D d, V x, V y) {
  const V r = fmod(d, x, y);
  const V zero = hn::Zero(d);
  const V one = num(d, 1);
  const V ratio = hn::Div(x, y);
  const V inf = num(d, double(__builtin_inff()));
  const auto down = hn::AndNot(hn::Eq(r, zero), hn::Xor(hn::Lt(r, zero), hn::Lt(y, zero)));
  V q = hn::Div(hn::Sub(x, r), y);
  q = hn::Sub(q, hn::IfThenElseZero(down, one));
  V f = hn::Floor(q);
  f = hn::IfThenElse(hn::Gt(hn::Sub(q, f), num(d, 0.5)), hn::Add(f, one), f);
  f = hn::IfThenElse(hn::Eq(q, zero), hn::CopySign(zero, ratio), f);
  const auto odd =
      hn::Or(hn::Eq(y, zero), hn::Or(hn::Eq(hn::Abs(x), inf), hn::Eq(hn::Abs(y), inf)));
  return hn::IfThenElse(odd, ratio, f);
}

// |x|^y for float32, in double: 2^(y log2 |x|) with log2 within 2^-37 of its value.
template <class D, class V> HWY_INLINE V power_in_double(D d, V a, V y) {
  const hn::RebindToSigned<D> di;
  const V inf = num(d, double(__builtin_inff()));
  // a = 2^k (1 + f), 1 + f from sqrt(1/2) to sqrt(2)
  const auto bits = hn::Sub(hn::BitCast(di, a), hn::Set(di, 0x3FE6A09E667F3BCD));
  const auto k = hn::ShiftRight<52>(bits);
  const V one = num(d, 1);
  const V f = hn::Sub(hn::BitCast(d, hn::Sub(hn::BitCast(di, a), hn::ShiftLeft<52>(k))), one);
  const V magic = num(d, 0x1.8p52);
  const V n = hn::Sub(hn::BitCast(d, hn::Add(hn::BitCast(di, magic), k)), magic);
  const V p = poly(d, f, num(d, -7.17087445111651844e-02), 1.34064270583325068e-01,
                   -1.34393734389322422e-01, 1.29867528644940056e-01, -1.42480956979018886e-01,
                   1.60257546008444968e-01, -1.80440515084476005e-01, 2.06105190693068568e-01,
                   -2.40446246709645733e-01, 2.88538838375629603e-01, -3.60673796423059356e-01,
                   4.80898348444545598e-01, -7.21347520312544122e-01, 1.44269504088708445e+00);
  V l = hn::MulAdd(f, p, n);
  l = hn::IfThenElse(hn::Eq(a, hn::Zero(d)), hn::Neg(inf), l);
  l = hn::IfThenElse(hn::Lt(a, inf), l, a);  // infinity and NaN
  IntVec<D> i;
  const V t = clamp(d, hn::Mul(y, l), -300, 300);
  const V whole_t = whole(d, t, i);
  const V g = hn::Sub(t, whole_t);
  const V e = poly(d, g, num(d, 1.53149472438399518e-05), 1.54671103448578151e-04,
                   1.33334307852537551e-03, 9.61803691084289064e-03, 5.55041096257389149e-02,
                   2.40226510758533268e-01, 6.93147180541652697e-01, 1);
  return scale(d, e, whole_t, i);
}
#if HWY_TARGET != HWY_SCALAR  // whose vectors have no halves
template <class D, class V> HWY_INLINE V power(D d, V x, V y) {
  const hn::Repartition<double, D> dd;
  const hn::Half<D> dh;
  const V a = hn::Abs(x);
  const V zero = hn::Zero(d);
  const V one = num(d, 1);
  const V inf = num(d, double(__builtin_inff()));
  const auto lower = [&](V v) HWY_ATTR { return hn::PromoteTo(dd, hn::LowerHalf(dh, v)); };
  const auto upper = [&](V v) HWY_ATTR { return hn::PromoteTo(dd, hn::UpperHalf(dh, v)); };
  const auto low = hn::DemoteTo(dh, power_in_double(dd, lower(a), lower(y)));
  const auto high = hn::DemoteTo(dh, power_in_double(dd, upper(a), upper(y)));
  V r = hn::Combine(d, high, low);
  const auto plain = hn::And(hn::Gt(x, zero), hn::Lt(x, inf));
  const auto ordinary = hn::Lt(hn::Abs(y), inf);
  if (HWY_LIKELY(hn::AllTrue(d, hn::And(plain, ordinary)))) return r;
  const V half = hn::Mul(y, num(d, 0.5));
  const auto is_whole = hn::Eq(hn::Floor(y), y);
  const auto is_odd = hn::AndNot(hn::Eq(hn::Floor(half), half), is_whole);
  const auto is_negative = hn::Lt(hn::CopySign(one, x), zero);
  const V nan = num(d, double(__builtin_nanf("")));
  r = hn::IfThenElse(hn::And(is_negative, hn::And(is_odd, ordinary)), hn::Neg(r), r);
  const auto no_root =
      hn::And(hn::And(hn::Lt(x, zero), hn::Gt(x, hn::Neg(inf))), hn::AndNot(is_whole, ordinary));
  r = hn::IfThenElse(no_root, nan, r);
  r = hn::IfThenElse(hn::And(hn::Eq(a, one), hn::Eq(hn::Abs(y), inf)), one, r);
  return hn::IfThenElse(hn::Or(hn::Eq(x, one), hn::Eq(y, zero)), one, r);
}
#endif
}  // namespace vm
