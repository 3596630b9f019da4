// What the linear algebra kernels share: the few BLAS and LAPACK functions they call (32-bit
// integers, Fortran's calling convention). OpenBLAS runs them on the calling thread only.
#pragma once
#include <climits>
#include <complex>
#include <type_traits>

#include "engines/native/kernels/scratch.h"

namespace ember::native {

template <class T> struct RealOf {
  using type = T;
};
template <class R> struct RealOf<std::complex<R>> {
  using type = R;
};
template <class T> using Real = typename RealOf<T>::type;
template <class T> inline constexpr bool is_complex_type = !std::is_same_v<T, Real<T>>;

}  // namespace ember::native

#ifdef EMBER_HAVE_BLAS
#ifdef EMBER_SYSTEM_BLAS
#define EMBER_BLAS_NAME(name) name
#else
#define EMBER_BLAS_NAME(name) scipy_##name  // the wheel scipy_openblas32
#endif
// Text arguments carry hidden lengths behind all others, as gfortran passes them.
#define EMBER_BLAS_COMMON(c, T)                                                                    \
  void EMBER_BLAS_NAME(c##gemm_)(const char* ta, const char* tb, const int* m, const int* n,       \
                                 const int* k, const T* alpha, const T* a, const int* lda,         \
                                 const T* b, const int* ldb, const T* beta, T* out,                \
                                 const int* ldc, size_t, size_t);                                  \
  void EMBER_BLAS_NAME(c##gemv_)(const char* t, const int* m, const int* n, const T* alpha,        \
                                 const T* a, const int* lda, const T* x, const int* incx,          \
                                 const T* beta, T* y, const int* incy, size_t);                    \
  void EMBER_BLAS_NAME(c##trsm_)(const char* side, const char* uplo, const char* t,                \
                                 const char* diag, const int* m, const int* n, const T* alpha,     \
                                 const T* a, const int* lda, T* b, const int* ldb, size_t, size_t, \
                                 size_t, size_t);                                                  \
  void EMBER_BLAS_NAME(c##potrf_)(const char* uplo, const int* n, T* a, const int* lda, int* info, \
                                  size_t);                                                         \
  void EMBER_BLAS_NAME(c##getrf_)(const int* m, const int* n, T* a, const int* lda, int* pivots,   \
                                  int* info);                                                      \
  void EMBER_BLAS_NAME(c##getri_)(const int* n, T* a, const int* lda, const int* pivots, T* work,  \
                                  const int* lwork, int* info);                                    \
  void EMBER_BLAS_NAME(c##getrs_)(const char* t, const int* n, const int* nrhs, const T* a,        \
                                  const int* lda, const int* pivots, T* b, const int* ldb,         \
                                  int* info, size_t);                                              \
  void EMBER_BLAS_NAME(c##geqrf_)(const int* m, const int* n, T* a, const int* lda, T* tau,        \
                                  T* work, const int* lwork, int* info);
#define EMBER_BLAS_REAL(c, T)                                                                     \
  EMBER_BLAS_COMMON(c, T)                                                                         \
  void EMBER_BLAS_NAME(c##orgqr_)(const int* m, const int* n, const int* k, T* a, const int* lda, \
                                  const T* tau, T* work, const int* lwork, int* info);            \
  void EMBER_BLAS_NAME(c##syevd_)(const char* job, const char* uplo, const int* n, T* a,          \
                                  const int* lda, T* w, T* work, const int* lwork, int* iwork,    \
                                  const int* liwork, int* info, size_t, size_t);                  \
  void EMBER_BLAS_NAME(c##geev_)(const char* left, const char* right, const int* n, T* a,         \
                                 const int* lda, T* wr, T* wi, T* vl, const int* ldvl, T* vr,     \
                                 const int* ldvr, T* work, const int* lwork, int* info, size_t,   \
                                 size_t);                                                         \
  void EMBER_BLAS_NAME(c##gesdd_)(const char* job, const int* m, const int* n, T* a,              \
                                  const int* lda, T* s, T* u, const int* ldu, T* vt,              \
                                  const int* ldvt, T* work, const int* lwork, int* iwork,         \
                                  int* info, size_t);                                             \
  void EMBER_BLAS_NAME(c##gesvd_)(const char* jobu, const char* jobv, const int* m, const int* n, \
                                  T* a, const int* lda, T* s, T* u, const int* ldu, T* vt,        \
                                  const int* ldvt, T* work, const int* lwork, int* info, size_t,  \
                                  size_t);
#define EMBER_BLAS_COMPLEX(c, T, R)                                                                \
  EMBER_BLAS_COMMON(c, T)                                                                          \
  void EMBER_BLAS_NAME(c##ungqr_)(const int* m, const int* n, const int* k, T* a, const int* lda,  \
                                  const T* tau, T* work, const int* lwork, int* info);             \
  void EMBER_BLAS_NAME(c##heevd_)(const char* job, const char* uplo, const int* n, T* a,           \
                                  const int* lda, R* w, T* work, const int* lwork, R* rwork,       \
                                  const int* lrwork, int* iwork, const int* liwork, int* info,     \
                                  size_t, size_t);                                                 \
  void EMBER_BLAS_NAME(c##geev_)(const char* left, const char* right, const int* n, T* a,          \
                                 const int* lda, T* w, T* vl, const int* ldvl, T* vr,              \
                                 const int* ldvr, T* work, const int* lwork, R* rwork, int* info,  \
                                 size_t, size_t);                                                  \
  void EMBER_BLAS_NAME(c##gesdd_)(const char* job, const int* m, const int* n, T* a,               \
                                  const int* lda, R* s, T* u, const int* ldu, T* vt,               \
                                  const int* ldvt, T* work, const int* lwork, R* rwork,            \
                                  int* iwork, int* info, size_t);                                  \
  void EMBER_BLAS_NAME(c##gesvd_)(const char* jobu, const char* jobv, const int* m, const int* n,  \
                                  T* a, const int* lda, R* s, T* u, const int* ldu, T* vt,         \
                                  const int* ldvt, T* work, const int* lwork, R* rwork, int* info, \
                                  size_t, size_t);
extern "C" {
EMBER_BLAS_REAL(s, float)
EMBER_BLAS_REAL(d, double)
EMBER_BLAS_COMPLEX(c, std::complex<float>, float)
EMBER_BLAS_COMPLEX(z, std::complex<double>, double)
void EMBER_BLAS_NAME(openblas_set_num_threads)(int) __attribute__((weak));
}
#undef EMBER_BLAS_COMMON
#undef EMBER_BLAS_REAL
#undef EMBER_BLAS_COMPLEX

namespace ember::native {

// The functions of one element type under the same names; orgqr and syevd stand for ungqr and heevd
// too.
template <class T> struct Blas;
#define EMBER_BLAS_TABLE(c, T, Q, E)                          \
  template <> struct Blas<T> {                                \
    static constexpr auto gemm = EMBER_BLAS_NAME(c##gemm_);   \
    static constexpr auto gemv = EMBER_BLAS_NAME(c##gemv_);   \
    static constexpr auto trsm = EMBER_BLAS_NAME(c##trsm_);   \
    static constexpr auto potrf = EMBER_BLAS_NAME(c##potrf_); \
    static constexpr auto getrf = EMBER_BLAS_NAME(c##getrf_); \
    static constexpr auto getri = EMBER_BLAS_NAME(c##getri_); \
    static constexpr auto getrs = EMBER_BLAS_NAME(c##getrs_); \
    static constexpr auto geqrf = EMBER_BLAS_NAME(c##geqrf_); \
    static constexpr auto orgqr = EMBER_BLAS_NAME(c##Q##_);   \
    static constexpr auto syevd = EMBER_BLAS_NAME(c##E##_);   \
    static constexpr auto geev = EMBER_BLAS_NAME(c##geev_);   \
    static constexpr auto gesdd = EMBER_BLAS_NAME(c##gesdd_); \
    static constexpr auto gesvd = EMBER_BLAS_NAME(c##gesvd_); \
  };
EMBER_BLAS_TABLE(s, float, orgqr, syevd)
EMBER_BLAS_TABLE(d, double, orgqr, syevd)
EMBER_BLAS_TABLE(c, std::complex<float>, ungqr, heevd)
EMBER_BLAS_TABLE(z, std::complex<double>, ungqr, heevd)
#undef EMBER_BLAS_TABLE

// Every caller of BLAS says this first: our pool is the only source of threads.
inline void blas_one_thread() {
  static const bool done = [] {
    if (EMBER_BLAS_NAME(openblas_set_num_threads)) EMBER_BLAS_NAME(openblas_set_num_threads)(1);
    return true;
  }();
  (void)done;
}

}  // namespace ember::native
#endif
