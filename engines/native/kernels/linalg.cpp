// Decompositions and solvers by LAPACK, one matrix after another over the batch. LAPACK stores
// columns and we store rows, so it sees the transpose of what we have; each kernel says how it
// comes to terms with that.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "engines/native/kernels/blas.h"

namespace ember::native {

#ifdef EMBER_HAVE_BLAS
namespace {

struct Dims {
  int64_t batch = 1, m = 0, n = 0;
  int im = 0, in = 0;
  explicit Dims(const Array& a)
      : m(a.shape[a.shape.size() - 2]), n(a.shape.back()), im(int(m)), in(int(n)) {
    for (int64_t d : a.shape.first(a.shape.size() - 2)) batch *= d;
    if (std::max(m, n) > INT_MAX / 2) throw UnsupportedError("more than 2^30 rows or columns");
  }
};

template <class F> void visit_lapack(DType t, F&& f) {
  switch (t) {
    case DType::float32: return f(float());
    case DType::float64: return f(double());
    case DType::complex64: return f(std::complex<float>());
    case DType::complex128: return f(std::complex<double>());
    default:
      throw DTypeError("linear algebra needs float32, float64, complex64 or complex128, not " +
                       std::string(name(t)));
  }
}

// Runs body(begin, end, fail) over the batch on our pool. fail(i) notes a matrix that cannot be
// done; the first one of them comes back, or -1.
template <class Body> int64_t each_matrix(int64_t batch, double work, const Body& body) {
  blas_one_thread();
  std::atomic<int64_t> first{INT64_MAX};
  parallel_for(batch, std::max<int64_t>(1, int64_t(65536 / std::max(1.0, work))),
               [&](int64_t begin, int64_t end) {
                 body(begin, end, [&](int64_t i) {
                   for (int64_t seen = first; i < seen && !first.compare_exchange_weak(seen, i);) {}
                 });
               });
  return first == INT64_MAX ? -1 : first.load();
}

// to[c][r] = from[r][c], in blocks that fit in the cache. from is rows x cols, to has rows elements
// per line.
template <class T> void transpose(const T* from, T* to, int64_t rows, int64_t cols) {
  constexpr int64_t block = 16;
  for (int64_t i = 0; i < rows; i += block) {
    for (int64_t j = 0; j < cols; j += block) {
      for (int64_t c = j; c < std::min(cols, j + block); ++c) {
        for (int64_t r = i; r < std::min(rows, i + block); ++r) {
          to[c * rows + r] = from[r * cols + c];
        }
      }
    }
  }
}

// The size of workspace that LAPACK wants, from its answer to a query.
template <class T> int workspace(T answer) {
  const double size = double(std::real(answer));
  if (!(size < INT_MAX)) throw UnsupportedError("the matrix is too large for LAPACK");
  return std::max(1, int(size));
}

// After a failed factorization: a matrix with NaN or inf is not singular, its solution is unknown.
template <class T> bool unknown(const T* a, int64_t n, T* out, int64_t count) {
  if (all_finite(a, n * n)) return false;
  std::fill_n(out, count, T(std::numeric_limits<Real<T>>::quiet_NaN()));
  return true;
}

template <class T> void identity(T* a, int64_t n) {
  std::fill_n(a, n * n, T());
  for (int64_t i = 0; i < n; ++i) a[i * n + i] = T(1);
}

// The lower triangle of a is the upper one of its transpose, whose factor's transpose is the factor
// of a: no copy is turned.
template <class T> void cholesky(const Call& call) {
  const Dims d(call.in[0]);
  const bool upper = call.attrs.as<TriangleAttr>().upper;
  const int64_t n = d.n;
  const int64_t bad =
      each_matrix(d.batch, double(n) * n * n, [&](int64_t begin, int64_t end, auto&& fail) {
        for (int64_t b = begin; b < end && n; ++b) {
          const T* a = call.in[0].as<T>() + b * n * n;
          T* out = call.out[0].as<T>() + b * n * n;
          for (int64_t i = 0; i < n; ++i) {
            std::fill_n(out + i * n, n, T());
            const int64_t from = upper ? i : 0;
            const int64_t to = upper ? n : i + 1;
            std::copy(a + i * n + from, a + i * n + to, out + i * n + from);
          }
          int info = 0;
          Blas<T>::potrf(upper ? "L" : "U", &d.in, out, &d.in, &info, 1);
          bool positive = info == 0;  // a NaN passes LAPACK's test, not this one
          for (int64_t i = 0; i < n; ++i) positive &= std::real(out[i * n + i]) > 0;
          if (!positive) fail(b);
        }
      });
  if (bad < 0) return;
  const std::string which =
      call.in[0].rank() > 2 ? "matrix " + std::to_string(bad) + " of the batch" : "the matrix";
  throw ValueError(which + " is not positive definite");
}

// LAPACK sees the transpose, which is the conjugate of a: so are its eigenvectors, and they come as
// rows.
template <class T> void eigh(const Call& call) {
  using R = Real<T>;
  const Dims d(call.in[0]);
  const int64_t n = d.n;
  if (n == 0 || d.batch == 0) return;
  const bool upper = call.attrs.as<TriangleAttr>().upper;
  const auto lapack = [&](T* a, R* w, T* work, int lwork, R* rwork, int lrwork, int* iwork,
                          int liwork) {
    int info = 0;
    if constexpr (is_complex_type<T>) {
      Blas<T>::syevd("V", upper ? "L" : "U", &d.in, a, &d.in, w, work, &lwork, rwork, &lrwork,
                     iwork, &liwork, &info, 1, 1);
    } else {
      (void)rwork;
      (void)lrwork;
      Blas<T>::syevd("V", upper ? "L" : "U", &d.in, a, &d.in, w, work, &lwork, iwork, &liwork,
                     &info, 1, 1);
    }
    return info == 0;
  };
  T work_size{};
  R real_size{};
  int liwork = 1;
  lapack(nullptr, nullptr, &work_size, -1, &real_size, -1, &liwork, -1);
  const int lwork = workspace(work_size);
  const int lrwork = workspace(real_size);
  std::atomic<bool> finite = true;
  const int64_t bad =
      each_matrix(d.batch, 10.0 * n * n * n, [&](int64_t begin, int64_t end, auto&& fail) {
        const Scratch<T> a(n * n);
        const Scratch<T> work(lwork);
        const Scratch<R> rwork(lrwork);
        const Scratch<int> iwork(liwork);
        for (int64_t b = begin; b < end; ++b) {
          const T* in = call.in[0].as<T>() + b * n * n;
          bool good = true;
          for (int64_t i = 0; i < n; ++i) {
            good &= upper ? all_finite(in + i * n + i, n - i) : all_finite(in + i * n, i + 1);
          }
          if (!good) finite = false;
          if (!finite) return;
          std::copy_n(in, n * n, a.data());
          if (!lapack(a.data(), call.out[0].as<R>() + b * n, work.data(), lwork, rwork.data(),
                      lrwork, iwork.data(), liwork)) {
            fail(b);
          }
          if constexpr (is_complex_type<T>) {
            for (int64_t i = 0; i < n * n; ++i) a[i] = std::conj(a[i]);
          }
          transpose(a.data(), call.out[1].as<T>() + b * n * n, n, n);
        }
      });
  if (!finite) throw ValueError("eigh of a matrix with NaN or inf");
  if (bad >= 0) throw ValueError("the eigenvalues did not converge");
}

template <class T> void eig(const Call& call) {
  using R = Real<T>;
  using C = std::complex<R>;
  const Dims d(call.in[0]);
  const int64_t n = d.n;
  if (n == 0 || d.batch == 0) return;
  if (!all_finite(call.in[0].as<T>(), call.in[0].size)) {
    throw ValueError("eig of a matrix with NaN or inf");
  }
  // w holds the eigenvalues; for real matrices their real parts, with the imaginary ones n further
  // on.
  const auto lapack = [&](T* a, T* w, T* v, T* work, int lwork, R* rwork) {
    int info = 0;
    const int one = 1;
    if constexpr (is_complex_type<T>) {
      Blas<T>::geev("N", "V", &d.in, a, &d.in, w, nullptr, &one, v, &d.in, work, &lwork, rwork,
                    &info, 1, 1);
    } else {
      (void)rwork;
      Blas<T>::geev("N", "V", &d.in, a, &d.in, w, w + n, nullptr, &one, v, &d.in, work, &lwork,
                    &info, 1, 1);
    }
    return info == 0;
  };
  T work_size{};
  T unused[2] = {};
  R unused_real{};
  lapack(unused, unused, unused, &work_size, -1, &unused_real);
  const int lwork = workspace(work_size);
  const int64_t bad =
      each_matrix(d.batch, 25.0 * n * n * n, [&](int64_t begin, int64_t end, auto&& fail) {
        const Scratch<T> a(n * n);
        const Scratch<T> v(n * n);
        const Scratch<T> w(2 * n);
        const Scratch<T> work(lwork);
        const Scratch<R> rwork(2 * n);
        for (int64_t b = begin; b < end; ++b) {
          transpose(call.in[0].as<T>() + b * n * n, a.data(), n, n);
          if (!lapack(a.data(), w.data(), v.data(), work.data(), lwork, rwork.data())) {
            fail(b);
            continue;
          }
          C* values = call.out[0].as<C>() + b * n;
          C* vectors = call.out[1].as<C>() + b * n * n;
          if constexpr (is_complex_type<T>) {
            std::copy_n(w.data(), n, values);
            transpose(v.data(), vectors, n, n);
          } else {
            for (int64_t j = 0; j < n; ++j) {
              values[j] = {w[j], w[n + j]};
              // Conjugate eigenvectors come as one real and one imaginary part; the value with the
              // positive one is first.
              const bool pair = w[n + j] != 0;
              const bool second = w[n + j] < 0;
              const T* re = &v[(second ? j - 1 : j) * n];
              const T* im = re + (pair ? n : 0);
              for (int64_t i = 0; i < n; ++i) {
                vectors[i * n + j] = {re[i], !pair ? R(0) : second ? -im[i] : im[i]};
              }
            }
          }
        }
      });
  if (bad >= 0) throw ValueError("the eigenvalues did not converge");
}

// The inverse of the transpose is the transpose of the inverse: nothing is turned.
template <class T> void inv(const Call& call) {
  const Dims d(call.in[0]);
  const int64_t n = d.n;
  if (n == 0 || d.batch == 0) return;
  T work_size{};
  int info = 0;
  int query = -1;
  int unused = 0;
  Blas<T>::getri(&d.in, &work_size, &d.in, &unused, &work_size, &query, &info);
  const int lwork = std::max(workspace(work_size), d.in);
  const int64_t bad =
      each_matrix(d.batch, 2.0 * n * n * n, [&](int64_t begin, int64_t end, auto&& fail) {
        const Scratch<T> work(lwork);
        const Scratch<int> pivots(n);
        for (int64_t b = begin; b < end; ++b) {
          T* a = call.out[0].as<T>() + b * n * n;
          std::copy_n(call.in[0].as<T>() + b * n * n, n * n, a);
          int status = 0;
          Blas<T>::getrf(&d.in, &d.in, a, &d.in, pivots.data(), &status);
          if (status == 0) {
            Blas<T>::getri(&d.in, a, &d.in, pivots.data(), work.data(), &lwork, &status);
          }
          if (status != 0 && !unknown(call.in[0].as<T>() + b * n * n, n, a, n * n)) fail(b);
        }
      });
  if (bad >= 0) throw ValueError("singular matrix");
}

template <class T> void lu(const Call& call) {
  const Dims d(call.in[0]);
  const int64_t m = d.m;
  const int64_t n = d.n;
  const int64_t k = std::min(m, n);
  each_matrix(d.batch, double(m) * n * k, [&](int64_t begin, int64_t end, auto&&) {
    const Scratch<T> a(m * n);
    const Scratch<int> pivots(k);
    for (int64_t b = begin; b < end; ++b) {
      transpose(call.in[0].as<T>() + b * m * n, a.data(), m, n);
      int info = 0;  // a zero on the diagonal of u is no error here
      if (k) Blas<T>::getrf(&d.im, &d.in, a.data(), &d.im, pivots.data(), &info);
      int64_t* p = call.out[0].as<int64_t>() + b * m;
      for (int64_t i = 0; i < m; ++i) p[i] = i;
      // NaN may confuse the search for pivots
      for (int64_t i = 0; i < k; ++i) {
        if (pivots[i] > 0 && pivots[i] <= m) {
          std::swap(p[i], p[pivots[i] - 1]);
        }
      }
      T* l = call.out[1].as<T>() + b * m * k;
      T* u = call.out[2].as<T>() + b * k * n;
      for (int64_t i = 0; i < m; ++i) {
        for (int64_t j = 0; j < k; ++j) l[i * k + j] = i > j ? a[j * m + i] : T(i == j ? 1 : 0);
      }
      for (int64_t i = 0; i < k; ++i) {
        for (int64_t j = 0; j < n; ++j) u[i * n + j] = i <= j ? a[j * m + i] : T();
      }
    }
  });
}

template <class T> void qr(const Call& call) {
  const Dims d(call.in[0]);
  const int64_t m = d.m;
  const int64_t n = d.n;
  const int64_t k = std::min(m, n);
  const int64_t width = call.attrs.as<QrAttr>().complete ? m : k;
  const int ik = int(k);
  const int iwidth = int(width);
  const int query = -1;
  int info = 0;
  T sizes[2] = {T(1), T(1)};
  if (k) {
    T unused{};
    Blas<T>::geqrf(&d.im, &d.in, &unused, &d.im, &unused, &sizes[0], &query, &info);
    Blas<T>::orgqr(&d.im, &iwidth, &ik, &unused, &d.im, &unused, &sizes[1], &query, &info);
  }
  const int lwork = std::max({workspace(sizes[0]), workspace(sizes[1]), d.in, iwidth});
  each_matrix(d.batch, 2.0 * m * n * k, [&](int64_t begin, int64_t end, auto&&) {
    const Scratch<T> a(m * std::max(n, width));
    const Scratch<T> tau(k);
    const Scratch<T> work(lwork);
    for (int64_t b = begin; b < end; ++b) {
      T* q = call.out[0].as<T>() + b * m * width;
      T* r = call.out[1].as<T>() + b * width * n;
      if (k == 0) {
        if (width) identity(q, m);
        continue;
      }
      int status = 0;
      transpose(call.in[0].as<T>() + b * m * n, a.data(), m, n);
      Blas<T>::geqrf(&d.im, &d.in, a.data(), &d.im, tau.data(), work.data(), &lwork, &status);
      for (int64_t i = 0; i < width; ++i) {
        for (int64_t j = 0; j < n; ++j) r[i * n + j] = i <= j ? a[j * m + i] : T();
      }
      Blas<T>::orgqr(&d.im, &iwidth, &ik, a.data(), &d.im, tau.data(), work.data(), &lwork,
                     &status);
      transpose(a.data(), q, width, m);
    }
  });
}

template <class T> void solve(const Call& call) {
  const Dims d(call.in[0]);
  const Dims r(call.in[1]);
  const int64_t n = d.n;
  const int64_t k = r.n;
  if (n == 0 || d.batch == 0) return;
  const int64_t bad = each_matrix(
      d.batch, double(n) * n * n + double(n) * n * k, [&](int64_t begin, int64_t end, auto&& fail) {
        const Scratch<T> a(n * n);
        const Scratch<T> x(n * k);
        const Scratch<int> pivots(n);
        for (int64_t b = begin; b < end; ++b) {
          T* out = call.out[0].as<T>() + b * n * k;
          transpose(call.in[0].as<T>() + b * n * n, a.data(), n, n);
          int info = 0;
          Blas<T>::getrf(&d.in, &d.in, a.data(), &d.in, pivots.data(), &info);
          if (info != 0 && !unknown(call.in[0].as<T>() + b * n * n, n, out, n * k)) fail(b);
          if (info != 0 || k == 0) continue;
          transpose(call.in[1].as<T>() + b * n * k, x.data(), n, k);
          Blas<T>::getrs("N", &d.in, &r.in, a.data(), &d.in, pivots.data(), x.data(), &d.in, &info,
                         1);
          transpose(x.data(), out, k, n);
        }
      });
  if (bad >= 0) throw ValueError("singular matrix");
}

// a x = b is x^T a^T = b^T, and the transposes are what LAPACK sees: solve from the right, with the
// other triangle.
template <class T> void solve_triangular(const Call& call) {
  const Dims d(call.in[0]);
  const Dims r(call.in[1]);
  const int64_t n = d.n;
  const int64_t k = r.n;
  const auto& attr = call.attrs.as<TriangularSolveAttr>();
  const int64_t bad =
      each_matrix(d.batch, double(n) * n * k, [&](int64_t begin, int64_t end, auto&& fail) {
        for (int64_t b = begin; b < end; ++b) {
          const T* a = call.in[0].as<T>() + b * n * n;
          T* x = call.out[0].as<T>() + b * n * k;
          bool singular = false;
          for (int64_t i = 0; i < n && !attr.unit_diagonal; ++i) singular |= a[i * n + i] == T();
          if (singular) fail(b);
          if (singular || n == 0 || k == 0) continue;
          std::copy_n(call.in[1].as<T>() + b * n * k, n * k, x);
          const T one(1);
          const char* uplo = attr.upper ? "L" : "U";
          const char* transpose = attr.transposed ? "T" : "N";
          const char* diagonal = attr.unit_diagonal ? "U" : "N";
          Blas<T>::trsm("R", uplo, transpose, diagonal, &r.in, &d.in, &one, a, &d.in, x, &r.in, 1,
                        1, 1, 1);
        }
      });
  if (bad >= 0) throw ValueError("singular matrix");
}

// The transpose's left vectors, stored by columns, are vh stored by rows, and its right ones are u:
// nothing is turned.
template <class T> void svd(const Call& call) {
  using R = Real<T>;
  const Dims d(call.in[0]);
  const int64_t m = d.m;
  const int64_t n = d.n;
  const int64_t k = std::min(m, n);
  const bool full = call.attrs.as<SvdAttr>().full_matrices;
  const int64_t us = m * (full ? m : k);
  const int64_t vs = n * (full ? n : k);
  if (k == 0) {
    for (int64_t b = 0; b < d.batch && full; ++b) {
      if (m) identity(call.out[0].as<T>() + b * us, m);
      if (n) identity(call.out[2].as<T>() + b * vs, n);
    }
    return;
  }
  if (!all_finite(call.in[0].as<T>(), call.in[0].size)) {
    throw ValueError("svd of a matrix with NaN or inf");
  }
  const char* job = full ? "A" : "S";
  const int ldu = d.in;
  const int ldv = int(full ? m : k);
  const auto divide = [&](T* a, R* s, T* u, T* vh, T* work, int lwork, R* rwork, int* iwork) {
    int info = 0;
    if constexpr (is_complex_type<T>) {
      Blas<T>::gesdd(job, &d.in, &d.im, a, &d.in, s, vh, &ldu, u, &ldv, work, &lwork, rwork, iwork,
                     &info, 1);
    } else {
      (void)rwork;
      Blas<T>::gesdd(job, &d.in, &d.im, a, &d.in, s, vh, &ldu, u, &ldv, work, &lwork, iwork, &info,
                     1);
    }
    return info == 0;
  };
  // The slower and more robust algorithm, for the rare matrix where the other one gives up.
  const auto iterate = [&](T* a, R* s, T* u, T* vh, T* work, int lwork, R* rwork) {
    int info = 0;
    if constexpr (is_complex_type<T>) {
      Blas<T>::gesvd(job, job, &d.in, &d.im, a, &d.in, s, vh, &ldu, u, &ldv, work, &lwork, rwork,
                     &info, 1, 1);
    } else {
      (void)rwork;
      Blas<T>::gesvd(job, job, &d.in, &d.im, a, &d.in, s, vh, &ldu, u, &ldv, work, &lwork, &info, 1,
                     1);
    }
    return info == 0;
  };
  T size{};
  T unused{};
  R real{};
  int none = 0;
  divide(&unused, &real, &unused, &unused, &size, -1, &real, &none);
  const int lwork = workspace(size);
  const int64_t rsize =
      is_complex_type<T> ? std::max(5 * k * k + 5 * k, 2 * std::max(m, n) * k + 2 * k * k + k) : 1;
  const int64_t bad =
      each_matrix(d.batch, 10.0 * m * n * k, [&](int64_t begin, int64_t end, auto&& fail) {
        const Scratch<T> a(m * n);
        const Scratch<T> work(lwork);
        const Scratch<R> rwork(rsize);
        const Scratch<int> iwork(8 * k);
        for (int64_t b = begin; b < end; ++b) {
          const T* in = call.in[0].as<T>() + b * m * n;
          T* u = call.out[0].as<T>() + b * us;
          T* vh = call.out[2].as<T>() + b * vs;
          R* s = call.out[1].as<R>() + b * k;
          std::copy_n(in, m * n, a.data());
          if (divide(a.data(), s, u, vh, work.data(), lwork, rwork.data(), iwork.data())) continue;
          T more{};
          iterate(a.data(), s, u, vh, &more, -1, rwork.data());
          const int lmore = workspace(more);
          const Scratch<T> room(lmore);
          std::copy_n(in, m * n, a.data());
          if (!iterate(a.data(), s, u, vh, room.data(), lmore, rwork.data())) fail(b);
        }
      });
  if (bad >= 0) throw ValueError("the singular values did not converge");
}

#define EMBER_ROW(op) \
  {OpId::op, [](const Call& c) { visit_lapack(c.in[0].dtype, [&]<class T>(T) { op<T>(c); }); }}
constexpr KernelRow rows[] = {
    EMBER_ROW(cholesky), EMBER_ROW(eig), EMBER_ROW(eigh),  EMBER_ROW(inv),
    EMBER_ROW(lu),       EMBER_ROW(qr),  EMBER_ROW(solve), EMBER_ROW(solve_triangular),
    EMBER_ROW(svd)};
#undef EMBER_ROW

}  // namespace

std::span<const KernelRow> linalg_kernels() { return rows; }
#else
std::span<const KernelRow> linalg_kernels() { return {}; }
#endif

}  // namespace ember::native
