// The tile kernels of one float type on Highway's vectors. Included once for each target, inside
// its namespace, after math-inl.h. Operands are padded, so kernels work on whole vectors; only
// reductions mask the remainder. Built with -ffp-contract=off, so that a pair has the same bits as
// its two ops.
using D = hn::ScalableTag<T>;
using V = hn::Vec<D>;
constexpr D d;
constexpr size_t line = 64 / sizeof(T);

template <class W> HWY_INLINE size_t mask_of(unsigned lines, int k) {
  return lines >> k & 1 ? 64 / sizeof(W) - 1 : ~size_t(0);
}

// Highway does not define Max and Min of NaN. These propagate NaN, and return the second of two
// zeros.
template <OpId op, class W> HWY_INLINE W max_min(W a, W b) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR
  return hn::IfThenElse(hn::Eq(a, a), op == OpId::maximum ? hn::Max(a, b) : hn::Min(a, b), a);
#else
  return hn::IfThenElse(
      hn::Or(op == OpId::maximum ? hn::Gt(a, b) : hn::Lt(a, b), hn::Not(hn::Eq(a, a))), a, b);
#endif
}
template <OpId op> HWY_INLINE V binary(V a, V b) {
  if constexpr (op == OpId::add) return hn::Add(a, b);
  if constexpr (op == OpId::subtract) return hn::Sub(a, b);
  if constexpr (op == OpId::multiply) return hn::Mul(a, b);
  if constexpr (op == OpId::divide) return hn::Div(a, b);
  if constexpr (op == OpId::maximum || op == OpId::minimum) return max_min<op>(a, b);
  if constexpr (op == OpId::copysign) return hn::CopySign(a, b);
  if constexpr (op == OpId::hypot) return vm::hypot(d, a, b);
  if constexpr (op == OpId::logaddexp) return vm::logaddexp(d, a, b);
  if constexpr (op == OpId::fmod) return vm::fmod(d, a, b);
  if constexpr (op == OpId::remainder) return vm::remainder(d, a, b);
  if constexpr (op == OpId::floor_divide) return vm::floor_divide(d, a, b);
  if constexpr (op == OpId::atan2) return vm::atan2(d, a, b);
#if HWY_TARGET != HWY_SCALAR
  if constexpr (op == OpId::pow) return vm::power(d, a, b);
#endif
}
HWY_INLINE V signed_as(V r, V x) {  // Highway's portable rounding gets the sign of zero wrong
  return HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128 ? hn::CopySign(r, x) : r;
}
template <OpId op> HWY_INLINE V unary(V x) {
  const V one = hn::Set(d, T(1));
  const V zero = hn::Zero(d);
  if constexpr (op == OpId::abs) return hn::Abs(x);
  if constexpr (op == OpId::negative) return hn::Neg(x);
  if constexpr (op == OpId::square) return hn::Mul(x, x);
  if constexpr (op == OpId::sqrt) return hn::Sqrt(x);
  if constexpr (op == OpId::reciprocal) return hn::Div(one, x);
  if constexpr (op == OpId::rsqrt) return hn::Div(one, hn::Sqrt(x));
  if constexpr (op == OpId::floor) return signed_as(hn::Floor(x), x);
  if constexpr (op == OpId::ceil) return signed_as(hn::Ceil(x), x);
  if constexpr (op == OpId::trunc) return signed_as(hn::Trunc(x), x);
  if constexpr (op == OpId::round) return signed_as(hn::Round(x), x);
  if constexpr (op == OpId::sign) {
    return hn::IfThenElse(hn::Eq(x, x), hn::IfThenElse(hn::Eq(x, zero), zero, hn::CopySign(one, x)),
                          x);
  }
  if constexpr (op == OpId::exp) return vm::exp(d, x);
  if constexpr (op == OpId::expm1) return vm::expm1(d, x);
  if constexpr (op == OpId::log) return vm::log<0>(d, x);
  if constexpr (op == OpId::log2) return vm::log<2>(d, x);
  if constexpr (op == OpId::log10) return vm::log<10>(d, x);
  if constexpr (op == OpId::log1p) return vm::log1p(d, x);
  if constexpr (op == OpId::tanh) return vm::tanh(d, x);
  if constexpr (op == OpId::sigmoid) return vm::sigmoid(d, x);
  if constexpr (op == OpId::sin) return vm::sin_or_cos<0>(d, x);
  if constexpr (op == OpId::cos) return vm::sin_or_cos<1>(d, x);
  if constexpr (op == OpId::erf) return vm::erf(d, x);
  if constexpr (op == OpId::erfc) return vm::erfc(d, x);
  if constexpr (op == OpId::sinh) return vm::sinh(d, x);
  if constexpr (op == OpId::cosh) return vm::cosh(d, x);
  if constexpr (op == OpId::tan) return vm::tan(d, x);
  if constexpr (op == OpId::asinh) return vm::asinh(d, x);
  if constexpr (op == OpId::acosh) return vm::acosh(d, x);
  if constexpr (op == OpId::atanh) return vm::atanh(d, x);
  if constexpr (op == OpId::cbrt) return vm::cbrt(d, x);
  if constexpr (op == OpId::exp2) return vm::exp2(d, x);
  if constexpr (op == OpId::asin) return vm::asin(d, x);
  if constexpr (op == OpId::acos) return vm::acos(d, x);
  if constexpr (op == OpId::atan) return vm::atan(d, x);
}
template <OpId op> HWY_INLINE auto test(V a, V b) {
  const V inf = hn::Set(d, std::numeric_limits<T>::infinity());
  if constexpr (op == OpId::equal) return hn::Eq(a, b);
  // Ne is false for NaN on some targets
  if constexpr (op == OpId::not_equal) {
    return hn::Not(hn::Eq(a, b));
  }
  if constexpr (op == OpId::less) return hn::Lt(a, b);
  if constexpr (op == OpId::less_equal) return hn::Le(a, b);
  if constexpr (op == OpId::greater) return hn::Gt(a, b);
  if constexpr (op == OpId::greater_equal) return hn::Ge(a, b);
  if constexpr (op == OpId::isnan) return hn::Not(hn::Eq(a, a));
  if constexpr (op == OpId::isinf) return hn::Eq(hn::Abs(a), inf);
  if constexpr (op == OpId::isfinite) return hn::Lt(hn::Abs(a), inf);
  if constexpr (op == OpId::signbit) {
    const hn::RebindToSigned<D> di;
    return hn::RebindMask(d, hn::Lt(hn::BitCast(di, a), hn::Zero(di)));
  }
}

template <OpId op>
void unary_tile(void* out, const void* a, const void*, const void*, unsigned lines, size_t n) {
  const T* x = static_cast<const T*>(a);
  T* o = static_cast<T*>(out);
  const size_t m = mask_of<T>(lines, 0);
  for (size_t i = 0; i < n; i += hn::Lanes(d)) {
    hn::StoreU(unary<op>(hn::LoadU(d, x + (i & m))), d, o + i);
  }
}
template <OpId op>
void binary_tile(void* out, const void* a, const void* b, const void*, unsigned lines, size_t n) {
  const T* x = static_cast<const T*>(a);
  const T* y = static_cast<const T*>(b);
  T* o = static_cast<T*>(out);
  const size_t L = hn::Lanes(d);
  if (!(lines & 3)) {
    for (size_t i = 0; i < n; i += L) {
      hn::StoreU(binary<op>(hn::LoadU(d, x + i), hn::LoadU(d, y + i)), d, o + i);
    }
  } else {
    const size_t ma = mask_of<T>(lines, 0);
    const size_t mb = mask_of<T>(lines, 1);
    for (size_t i = 0; i < n; i += L) {
      hn::StoreU(binary<op>(hn::LoadU(d, x + (i & ma)), hn::LoadU(d, y + (i & mb))), d, o + i);
    }
  }
}
template <OpId op>
void test_tile(void* out, const void* a, const void* b, const void*, unsigned lines, size_t n) {
  constexpr bool one =
      op == OpId::isnan || op == OpId::isinf || op == OpId::isfinite || op == OpId::signbit;
  const T* x = static_cast<const T*>(a);
  const T* y = static_cast<const T*>(one ? a : b);
  uint8_t* o = static_cast<uint8_t*>(out);
  const size_t L = hn::Lanes(d);
  const size_t ma = mask_of<T>(lines, 0);
  const size_t mb = one ? ma : mask_of<T>(lines, 1);
  const hn::RebindToUnsigned<D> du;
  const hn::Rebind<uint8_t, D> d8;
  for (size_t i = 0; i < n; i += L) {
    const auto m = test<op>(hn::LoadU(d, x + (i & ma)), hn::LoadU(d, y + (i & mb)));
    const auto bits = hn::BitCast(du, hn::VecFromMask(d, m));
    hn::StoreU(hn::TruncateTo(d8, hn::ShiftRight<sizeof(T) * 8 - 1>(bits)), d8, o + i);
  }
}
#if HWY_TARGET != HWY_SCALAR  // its vectors hold one part
// Complex numbers as pairs: n of them are 2 n elements. The plain formula, with its rounding.
HWY_INLINE V complex_product(V a, V b) {
  const V p = hn::Mul(a, hn::DupEven(b));
  const V q = hn::Mul(hn::Reverse2(d, a), hn::DupOdd(b));
  return hn::OddEven(hn::Add(p, q), hn::Sub(p, q));
}
void complex_multiply(void* out, const void* a, const void* b, const void*, unsigned lines,
                      size_t n) {
  const T* x = static_cast<const T*>(a);
  const T* y = static_cast<const T*>(b);
  const size_t ma = mask_of<T>(lines, 0);
  const size_t mb = mask_of<T>(lines, 1);
  for (size_t i = 0; i < 2 * n; i += hn::Lanes(d)) {
    hn::StoreU(complex_product(hn::LoadU(d, x + (i & ma)), hn::LoadU(d, y + (i & mb))), d,
               static_cast<T*>(out) + i);
  }
}
void complex_square(void* out, const void* a, const void*, const void*, unsigned lines, size_t n) {
  complex_multiply(out, a, a, nullptr, lines & 1 ? 3 : 0, n);
}
void complex_abs(void* out, const void* a, const void*, const void*, unsigned lines, size_t n) {
  const T* x = static_cast<const T*>(a);
  const size_t m = mask_of<T>(lines, 0);
  for (size_t i = 0; i < n; i += hn::Lanes(d)) {
    const V low = hn::LoadU(d, x + (2 * i & m));
    const V high = hn::LoadU(d, x + ((2 * i + hn::Lanes(d)) & m));
    hn::StoreU(vm::hypot(d, hn::ConcatEven(d, high, low), hn::ConcatOdd(d, high, low)), d,
               static_cast<T*>(out) + i);
  }
}
TileFn find_complex(OpId op) {
  return op == OpId::multiply ? complex_multiply
         : op == OpId::square ? complex_square
         : op == OpId::abs    ? complex_abs
                              : nullptr;
}
#else
TileFn find_complex(OpId) { return nullptr; }
#endif

// second(first(a, b), c), or second(c, first(a, b))
template <OpId first, OpId second, bool swapped>
void pair_tile(void* out, const void* a, const void* b, const void* c, unsigned lines, size_t n) {
  const T* x = static_cast<const T*>(a);
  const T* y = static_cast<const T*>(b);
  const T* z = static_cast<const T*>(c);
  T* o = static_cast<T*>(out);
  const size_t L = hn::Lanes(d);
  const auto calc = [](V p, V q, V r) HWY_ATTR {
    const V v = binary<first>(p, q);
    return swapped ? binary<second>(r, v) : binary<second>(v, r);
  };
  if (!(lines & 7)) {
    for (size_t i = 0; i < n; i += L) {
      hn::StoreU(calc(hn::LoadU(d, x + i), hn::LoadU(d, y + i), hn::LoadU(d, z + i)), d, o + i);
    }
  } else {
    const size_t ma = mask_of<T>(lines, 0);
    const size_t mb = mask_of<T>(lines, 1);
    const size_t mc = mask_of<T>(lines, 2);
    for (size_t i = 0; i < n; i += L) {
      hn::StoreU(
          calc(hn::LoadU(d, x + (i & ma)), hn::LoadU(d, y + (i & mb)), hn::LoadU(d, z + (i & mc))),
          d, o + i);
    }
  }
}

// Accumulators of 256 bytes, element i in lane i % lanes, are folded by halves: the same order on
// every target.
template <OpId op, class W> HWY_INLINE W fold(W a, W b) {
  if constexpr (op == OpId::sum) return hn::Add(a, b);
  if constexpr (op == OpId::prod) return hn::Mul(a, b);
  if constexpr (op == OpId::max) return max_min<OpId::maximum>(a, b);
  if constexpr (op == OpId::min) return max_min<OpId::minimum>(a, b);
}
template <OpId op> HWY_INLINE T fold_block(const T* x, size_t n) {
  constexpr size_t L = hn::MaxLanes(d);
  constexpr size_t count = 4 * line / L;
  constexpr size_t ahead = 4096 / sizeof(T);  // often in the next row
  constexpr T inf = std::numeric_limits<T>::infinity();
  const V start = hn::Set(d, op == OpId::sum    ? T(0)
                             : op == OpId::prod ? T(1)
                             : op == OpId::max  ? -inf
                                                : inf);
  V acc[count];
  for (V& v : acc) v = start;
  size_t i = 0;
  for (; i + count * L <= n; i += count * L) {
    for (size_t k = 0; k < count; ++k) {
      if (k * L % line == 0) __builtin_prefetch(x + i + k * L + ahead, 0, 2);
      acc[k] = fold<op>(acc[k], hn::LoadU(d, x + i + k * L));
    }
  }
  for (size_t k = 0; k < count && i < n; ++k, i += L) {
    const V v = hn::LoadU(d, x + i);
    acc[k] = fold<op>(acc[k], i + L <= n ? v : hn::IfThenElse(hn::FirstN(d, n - i), v, start));
  }
  for (size_t half = count / 2; half; half /= 2) {
    for (size_t k = 0; k < half; ++k) acc[k] = fold<op>(acc[k], acc[k + half]);
  }
  return fold_lanes(d, acc[0], [](auto a, auto b) HWY_ATTR { return fold<op>(a, b); });
}
// Combines the blocks of a row in order, sums and products in double.
template <OpId op> struct Joined {
  std::conditional_t<op == OpId::sum || op == OpId::prod, double, T> total;
  HWY_INLINE void take(T v) {
    if constexpr (op == OpId::sum) {
      total += double(v);
    } else if constexpr (op == OpId::prod) {
      total *= double(v);
    } else {
      total = hn::GetLane(fold<op>(hn::Set(d, total), hn::Set(d, v)));
    }
  }
};
HWY_INLINE void store_line(void* out, T r) {
  for (size_t k = 0; k < line; k += hn::Lanes(d)) {
    hn::StoreU(hn::Set(d, r), d, static_cast<T*>(out) + k);
  }
}
template <OpId op>
void row_tile(void* out, const void* a, const void*, const void*, unsigned lines, size_t n) {
  constexpr size_t block = row_block;
  const T* x = static_cast<const T*>(a);
  HWY_ALIGN T repeated[block];
  if (lines & 1) {  // a line is n equal values
    for (size_t i = 0; i < block && i < n; ++i) repeated[i] = *x;
  }
  const auto fold_at = [&](size_t i) HWY_ATTR {
    return fold_block<op>(lines & 1 ? repeated : x + i, std::min(n - i, block));
  };
  T r = fold_at(0);
  if (n > block) {
    Joined<op> all{r};
    for (size_t i = block; i < n; i += block) all.take(fold_at(i));
    r = T(all.total);
  }
  store_line(out, r);
}
template <OpId op>
void join_tile(void* out, const void* a, const void*, const void*, unsigned, size_t n) {
  const T* x = static_cast<const T*>(a);
  Joined<op> all{x[0]};
  for (size_t i = 1; i < n; ++i) all.take(x[i]);
  store_line(out, T(all.total));
}

TileFn find_tile(OpId op) {
  switch (op) {
#define U(name) \
  case OpId::name: return unary_tile<OpId::name>;
#define B(name) \
  case OpId::name: return binary_tile<OpId::name>;
#define C(name) \
  case OpId::name: return test_tile<OpId::name>;
    // clang-format off
    U(abs) U(negative) U(square) U(sqrt) U(reciprocal) U(rsqrt) U(floor) U(ceil) U(trunc) U(round) U(sign)
    U(exp) U(expm1) U(log) U(log2) U(log10) U(log1p) U(tanh) U(sigmoid)
    B(add) B(subtract) B(multiply) B(divide) B(maximum) B(minimum) B(copysign)
    C(equal) C(not_equal) C(less) C(less_equal) C(greater) C(greater_equal) C(isnan) C(isinf) C(isfinite) C(signbit)
    U(sinh) U(cosh) U(asinh) U(acosh) U(atanh) U(cbrt) U(exp2)
    B(hypot) B(logaddexp)
        // clang-format on
        default : break;
  }
  if constexpr (sizeof(T) == 4 || HWY_NATIVE_FMA) {
    switch (op) {
      // clang-format off
      U(sin) U(cos) U(tan)
          // clang-format on
          default : break;
    }
  }
  if constexpr (HWY_NATIVE_FMA) {
    switch (op) {
      // clang-format off
      B(fmod) B(remainder) B(floor_divide)
          // clang-format on
          default : break;
    }
  }
  if constexpr (sizeof(T) == 4) {
    switch (op) {
      // clang-format off
      U(erf) U(erfc) U(asin) U(acos) U(atan)
      B(atan2)
          // clang-format on
          default : break;
    }
#if HWY_TARGET != HWY_SCALAR
    if (op == OpId::pow) return binary_tile<OpId::pow>;
#endif
  }
  return nullptr;
#undef U
#undef B
#undef C
}
constexpr OpId pair_ops[] = {OpId::add,    OpId::subtract, OpId::multiply,
                             OpId::divide, OpId::maximum,  OpId::minimum};
// maximum and minimum distinguish -0 and 0
constexpr bool commutes(OpId op) { return op == OpId::add || op == OpId::multiply; }
template <size_t i> constexpr TileFn pair() {  // first, second, swapped
  constexpr OpId first = pair_ops[i / 12];
  constexpr OpId second = pair_ops[i / 2 % 6];
  return pair_tile < first, second, i % 2 && !commutes(second) > ;
}
template <size_t... i> constexpr auto make_pairs(std::index_sequence<i...>) {
  return std::array<TileFn, sizeof...(i)>{pair<i>()...};
}
constexpr auto pairs = make_pairs(std::make_index_sequence<72>());
TileFn find_pair(OpId first, OpId second, bool swapped) {
  const auto place = [](OpId op) {
    return size_t(std::find(std::begin(pair_ops), std::end(pair_ops), op) - pair_ops);
  };
  const size_t f = place(first);
  const size_t s = place(second);
  return f == 6 || s == 6 ? nullptr : pairs[f * 12 + s * 2 + swapped];
}
TileFn find_row_reduce(OpId op, bool joins) {
  switch (op) {
#define R(name) \
  case OpId::name: return joins ? join_tile<OpId::name> : row_tile<OpId::name>;
    // clang-format off
    R(sum) R(prod) R(max) R(min)
    // clang-format on
#undef R
        default : return nullptr;
  }
}
