// Plain loops over tiles, for types and ops without a Highway kernel. Included inside a namespace,
// once for each target where there are several. F is a struct with a static function `at`.
//
// The cheap ones go over operands 64 bytes at a time: the compiler vectorises a constant inner loop
// even at -O2, and padding makes whole pieces safe. The ones that call libm stop at n.
#ifndef EMBER_VECTOR_LOOP
#if defined(__clang__)
#define EMBER_VECTOR_LOOP _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define EMBER_VECTOR_LOOP \
  _Pragma("GCC ivdep") _Pragma("GCC unroll 1")  // fully unrolled, it would not be vectorized
#else
#define EMBER_VECTOR_LOOP
#endif
#endif

template <class W> inline size_t line_mask(unsigned lines, int k) {
  return lines >> k & 1 ? 64 / sizeof(W) - 1 : ~size_t(0);
}

template <class F, class O, class A>
void loop1(void* out, const void* a, const void*, const void*, unsigned lines, size_t n) {
  constexpr size_t piece = 64 / (sizeof(O) > sizeof(A) ? sizeof(O) : sizeof(A));
  const size_t ma = line_mask<A>(lines, 0);
  for (size_t i = 0; i < n; i += piece) {
    const A* x = static_cast<const A*>(a) + (i & ma);
    O* o = static_cast<O*>(out) + i;
    EMBER_VECTOR_LOOP
    for (size_t k = 0; k < piece; ++k) o[k] = F::at(x[k]);
  }
}
template <class F, class O, class A>
void loop2(void* out, const void* a, const void* b, const void*, unsigned lines, size_t n) {
  constexpr size_t piece = 64 / (sizeof(O) > sizeof(A) ? sizeof(O) : sizeof(A));
  const size_t ma = line_mask<A>(lines, 0);
  const size_t mb = line_mask<A>(lines, 1);
  for (size_t i = 0; i < n; i += piece) {
    const A* x = static_cast<const A*>(a) + (i & ma);
    const A* y = static_cast<const A*>(b) + (i & mb);
    O* o = static_cast<O*>(out) + i;
    EMBER_VECTOR_LOOP
    for (size_t k = 0; k < piece; ++k) o[k] = F::at(x[k], y[k]);
  }
}
template <class F, class O, class A>
void exact1(void* out, const void* a, const void*, const void*, unsigned lines, size_t n) {
  const size_t ma = line_mask<A>(lines, 0);
  for (size_t i = 0; i < n; ++i) static_cast<O*>(out)[i] = F::at(static_cast<const A*>(a)[i & ma]);
}
template <class F, class O, class A>
void exact2(void* out, const void* a, const void* b, const void*, unsigned lines, size_t n) {
  const size_t ma = line_mask<A>(lines, 0);
  const size_t mb = line_mask<A>(lines, 1);
  const A* x = static_cast<const A*>(a);
  const A* y = static_cast<const A*>(b);
  for (size_t i = 0; i < n; ++i) static_cast<O*>(out)[i] = F::at(x[i & ma], y[i & mb]);
}
