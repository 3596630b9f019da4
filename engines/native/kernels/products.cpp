// Matrix multiplication: the batch is split into pieces that depend on the shapes only, and each
// piece is one gemm on one thread of the pool. So results do not depend on the number of threads,
// and nothing waits for OpenMP threads after a fork.
#include <algorithm>
#include <optional>

#include "engines/native/kernels/blas.h"
#include "engines/native/kernels/panels.h"
#ifdef EMBER_HAVE_DNNL
#include <dnnl.h>
#include "engines/native/threads/signals.h"
// oneDNN loads libgomp, which has these functions. They are weak, so that a build without oneDNN
// does not link OpenMP.
extern "C" __attribute__((weak)) void omp_set_num_threads(int);
extern "C" __attribute__((weak)) int omp_get_max_threads(void);
#endif

namespace ember::native {
namespace {

// A matrix in memory, strides in elements.
template <class T> struct Mat {
  const T* data;
  int64_t row, col;
  Mat at(int64_t i, int64_t j) const { return {data + i * row + j * col, row, col}; }
};

// How elements multiply and accumulate: integers wrap around, bools are or and and.
template <class T> struct Arithmetic {
  using Acc = T;
  static void add(Acc& acc, T a, T b) { acc += a * b; }
};
template <class T>
  requires std::is_integral_v<T>
struct Arithmetic<T> {
  using Acc = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  static void add(Acc& acc, T a, T b) { acc += Acc(a) * Acc(b); }
};
template <> struct Arithmetic<bool> {
  using Acc = uint8_t;
  static void add(Acc& acc, bool a, bool b) { acc |= uint8_t(a & b); }
};
template <class R> struct Arithmetic<std::complex<R>> {
  using Acc = std::complex<R>;
  // The plain formula: std::complex's operator calls a function that looks for infinities.
  static void add(Acc& acc, Acc a, Acc b) {
    acc = {acc.real() + (a.real() * b.real() - a.imag() * b.imag()),
           acc.imag() + (a.real() * b.imag() + a.imag() * b.real())};
  }
};

// c[M, N] = a @ b in portable loops: columns of b in packed strips, four rows at a time in
// registers. Any strides.
template <class T>
void gemm_plain(int64_t M, int64_t N, int64_t K, Mat<T> a, Mat<T> b, T* c, int64_t ldc) {
  using Op = Arithmetic<T>;
  using Acc = typename Op::Acc;
  constexpr int64_t rows = 4;
  constexpr int64_t cols = sizeof(T) > 8 ? 4 : sizeof(T) > 4 ? 8 : 16;
  constexpr int64_t depth = 256;
  T strip[depth * cols];
  for (int64_t j = 0; j < N; j += cols) {
    const int64_t nj = std::min(cols, N - j);
    for (int64_t k = 0; k < std::max<int64_t>(K, 1); k += depth) {
      const int64_t nk = std::min(depth, K - k);
      for (int64_t p = 0; p < nk; ++p) {
        for (int64_t q = 0; q < cols; ++q) {
          strip[p * cols + q] = q < nj ? *b.at(k + p, j + q).data : T();
        }
      }
      for (int64_t i = 0; i < M; i += rows) {
        const int64_t ni = std::min(rows, M - i);
        Acc acc[rows][cols] = {};
        for (int64_t p = 0; p < nk; ++p) {
          T x[rows];
          for (int64_t r = 0; r < rows; ++r) x[r] = *a.at(i + std::min(r, ni - 1), k + p).data;
          for (int64_t r = 0; r < rows; ++r) {
            for (int64_t q = 0; q < cols; ++q) Op::add(acc[r][q], x[r], strip[p * cols + q]);
          }
        }
        for (int64_t r = 0; r < ni; ++r) {
          for (int64_t q = 0; q < nj; ++q) {
            T& out = c[(i + r) * ldc + j + q];
            if constexpr (std::is_same_v<T, bool>) {
              out = acc[r][q] || (k && out);
            } else {
              out = T(k ? Acc(out) + acc[r][q] : acc[r][q]);
            }
          }
        }
      }
    }
  }
}

// How BLAS sees a matrix: row major with a leading dimension, or the transpose of such a one.
struct Layout {
  bool transposed;
  int64_t ld;
};
std::optional<Layout> layout(int64_t rows, int64_t cols, int64_t row, int64_t col) {
  if ((cols <= 1 || col == 1) && (rows <= 1 || row >= std::max<int64_t>(1, cols))) {
    return Layout{false, rows <= 1 ? std::max<int64_t>(1, cols) : row};
  }
  if ((rows <= 1 || row == 1) && (cols <= 1 || col >= std::max<int64_t>(1, rows))) {
    return Layout{true, cols <= 1 ? std::max<int64_t>(1, rows) : col};
  }
  return std::nullopt;
}

#ifdef EMBER_HAVE_BLAS
// y[m or n] = op(a) x for a column-major a; y is cleared first because 0 * NaN in uninitialised
// memory is a NaN.
template <class T>
void gemv(bool transposed, int64_t m, int64_t n, const T* a, int64_t lda, const T* x, int64_t incx,
          T* y, int64_t incy) {
  const int64_t size = transposed ? n : m;
  for (int64_t i = 0; i < size; ++i) y[i * incy] = T();
  const T one(1);
  const int im = int(m);
  const int in = int(n);
  const int ilda = int(lda);
  const int ix = int(incx);
  const int iy = int(incy);
  Blas<T>::gemv(transposed ? "T" : "N", &im, &in, &one, a, &ilda, x, &ix, &one, y, &iy, 1);
}

template <class T>
void gemm_blas(int64_t M, int64_t N, int64_t K, const T* a, Layout la, const T* b, Layout lb, T* c,
               int64_t ldc) {
  blas_one_thread();
  // Row-major c = a b is column-major c^T = b^T a^T, so everything below names b first.
  const bool ta = la.transposed;
  const bool tb = lb.transposed;
  if (N == 1) return gemv<T>(!ta, ta ? M : K, ta ? K : M, a, la.ld, b, tb ? 1 : lb.ld, c, ldc);
  if (M == 1) return gemv<T>(tb, tb ? K : N, tb ? N : K, b, lb.ld, a, ta ? la.ld : 1, c, 1);
#ifdef EMBER_HAVE_DNNL
  // oneDNN wins except for small products, where its call costs 0.3 us, and small but deep ones by
  // a transposed b. One thread: the pieces are the threads' work.
  if constexpr (std::is_same_v<T, float>) {
    if (M * N > (int64_t(1) << 18) / K && !(tb && M <= 128 && N < 128 && K >= 512) &&
        omp_set_num_threads && omp_get_max_threads) {
      const NoSignals meanwhile;
      const int threads = omp_get_max_threads();
      if (threads != 1) omp_set_num_threads(1);
      const auto status =
          dnnl_sgemm(ta ? 'T' : 'N', tb ? 'T' : 'N', M, N, K, 1, a, la.ld, b, lb.ld, 0, c, ldc);
      if (threads != 1) omp_set_num_threads(threads);
      if (status == dnnl_success) return;
    }
  }
#endif
  const T one(1);
  const T zero(0);
  const int m = int(M);
  const int n = int(N);
  const int k = int(K);
  const int lda = int(la.ld);
  const int ldb = int(lb.ld);
  const int ldo = int(ldc);
  Blas<T>::gemm(tb ? "T" : "N", ta ? "T" : "N", &n, &m, &k, &one, b, &ldb, a, &lda, &zero, c, &ldo,
                1, 1);
}
#endif

template <class T>
inline constexpr bool has_blas =
#ifdef EMBER_HAVE_BLAS
    std::is_floating_point_v<T> || is_complex_type<T>;
#else
    false;
#endif

// One piece, on this thread. M, N >= 1.
template <class T>
void gemm(int64_t M, int64_t N, int64_t K, Mat<T> a, Mat<T> b, T* c, int64_t ldc) {
#ifdef EMBER_HAVE_BLAS
  if constexpr (has_blas<T>) {
    const auto la = layout(M, K, a.row, a.col);
    const auto lb = layout(K, N, b.row, b.col);
    if (K && la && lb && std::max({M, N, K, la->ld, lb->ld, ldc}) <= INT_MAX) {
      return gemm_blas(M, N, K, a.data, *la, b.data, *lb, c, ldc);
    }
  }
#endif
  gemm_plain(M, N, K, a, b, c, ldc);
}

// A matrix times its own transpose: the upper triangle in bands of rows, and its mirror image.
template <class T> void gemm_mirrored(int64_t N, int64_t K, Mat<T> a, Mat<T> b, T* c) {
  const int64_t band = std::max<int64_t>(std::is_same_v<T, float> && b.col == 1 ? 16 : 64,
                                         N / 256 * 16);  // thin where b needs no packing
  const bool tall = std::is_same_v<T, float> && b.col == 1 && N <= 512 && K >= 4 * N;
  if constexpr (std::is_same_v<T, float>) {
    if (tall) gram(b.data, b.row, K, N, c);
  }
  if (!tall) {
    parallel_for((N + band - 1) / band, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin * band; i < std::min(N, end * band); i += band) {
        gemm(std::min(band, N - i), N - i, K, a.at(i, 0), b.at(0, i), c + i * N + i, N);
      }
    });
  }
  constexpr int64_t block = 32;  // rows and columns that stay in the cache
  parallel_for((N + block - 1) / block, 8, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin * block; i < std::min(N, end * block); i += block) {
      for (int64_t j = 0; j <= i; j += block) {
        for (int64_t r = i; r < std::min(N, i + block); ++r) {
          for (int64_t q = j; q < std::min(r, j + block); ++q) c[r * N + q] = c[q * N + r];
        }
      }
    }
  });
}

// One product on all threads: a grid of tiles of c, or pieces of K summed in order where c is
// small.
template <class T> void gemm_threads(int64_t M, int64_t N, int64_t K, Mat<T> a, Mat<T> b, T* c) {
  // More than 8 tiles only while they stay large: every tile packs its part of a and b again.
  const double least = M == 1 || N == 1 ? 1 << 18 : 1 << 21;
  const double work = double(M) * double(N) * double(K);
  if (a.data == b.data && a.row == b.col && a.col == b.row && M == N && N >= 128 &&
      work > 2 * least) {
    return gemm_mirrored(N, K, a, b, c);
  }
  // A transposed b, as weights are in a forward pass, is transposed once instead of in every piece
  // of the work, where rows are so many that it takes little of the time.
  if constexpr (std::is_same_v<T, float>) {
    if (b.row == 1 && b.col >= K && M >= 512 && N >= 32 && K >= 32) {
      const Scratch<float> transposed(K * N);
      constexpr int64_t strip = 64;
      parallel_for((N + strip - 1) / strip, std::max<int64_t>(1, (1 << 16) / (strip * K)),
                   [&](int64_t begin, int64_t end) {
                     transpose_rows(b.data + begin * strip * b.col, b.col,
                                    std::min(N, end * strip) - begin * strip, K,
                                    transposed.data() + begin * strip, N);
                   });
      return gemm_threads(M, N, K, a, {transposed.data(), N, 1}, c);
    }
  }
  int64_t tm = M;
  int64_t tn = N;
  int64_t count = 1;
  const auto half = [](int64_t n) { return ((n + 1) / 2 + 15) / 16 * 16; };
  const bool transposed = b.row == 1 && b.col != 1 &&
                          N * K <= 1 << 19;  // packing takes longer then: tiles are not to be thin
  while (std::max(tm, tn) > (transposed ? 128 : 32) &&
         (count < 8 ? work > 2 * least * double(count) : count < 64 && std::max(tm, tn) > 512)) {
    int64_t& side = transposed ? (tm > 128 ? tm : tn) : tm >= tn ? tm : tn;
    side = half(side);
    count *= 2;
  }
  const int64_t down = (M + tm - 1) / tm;
  const int64_t across = (N + tn - 1) / tn;
  if (down * across > 1) {
    parallel_for(down * across, 1, [&](int64_t begin, int64_t end) {
      for (int64_t t = begin; t < end; ++t) {
        const int64_t i = t / across * tm;
        const int64_t j = t % across * tn;
        gemm(std::min(tm, M - i), std::min(tn, N - j), K, a.at(i, 0), b.at(0, j), c + i * N + j, N);
      }
    });
    return;
  }
  const int64_t depth = std::max<int64_t>({4096, (int64_t(1) << 20) / (M * N), (K + 63) / 64});
  const int64_t pieces = (K + depth - 1) / depth;
  if (pieces < 2 || std::is_same_v<T, bool>) return gemm(M, N, K, a, b, c, N);
  if constexpr (!std::is_same_v<T, bool>) {
    const Scratch<T> part(pieces * M * N);
    parallel_for(pieces, 1, [&](int64_t begin, int64_t end) {
      for (int64_t p = begin; p < end; ++p) {
        gemm(M, N, std::min(depth, K - p * depth), a.at(0, p * depth), b.at(p * depth, 0),
             part.data() + p * M * N, N);
      }
    });
    for (int64_t i = 0; i < M * N; ++i) {
      typename Arithmetic<T>::Acc sum(part[i]);
      for (int64_t p = 1; p < pieces; ++p) sum += typename Arithmetic<T>::Acc(part[p * M * N + i]);
      c[i] = T(sum);
    }
  }
}

// An input: the inner matrix and the strides of the batch, which are 0 where it is broadcast.
template <class T> struct Operand {
  Mat<T> mat;
  Ints batch;
  int64_t offset(std::span<const int64_t> shape, int64_t index) const {
    int64_t at = 0;
    for (size_t d = shape.size(); d-- > 0; index /= shape[d]) at += index % shape[d] * batch[d];
    return at;
  }
};
template <class T> Operand<T> operand(const Array& x) {
  const size_t r = x.shape.size();
  return {{x.as<T>(), x.strides[r - 2], x.strides[r - 1]}, Ints(x.strides.first(r - 2))};
}

// count elements in a row, converted; 16-bit floats by the vector kernels as far as whole lines of
// 64 bytes go.
template <class From, class To>
void convert(const From* from, To* to, int64_t count, int64_t stride) {
  int64_t i = 0;
  if constexpr (!std::is_same_v<From, To>) {
    if (const TileFn fast =
            stride == 1 && count >= 64 ? cast_kernel(dtype_of<From>, dtype_of<To>) : nullptr) {
      i = count / 64 * 64;
      fast(to, from, nullptr, nullptr, 0, size_t(i));
    }
  }
  for (; i < count; ++i) to[i] = To(from[i * stride]);
}

// A copy of an input as T, each broadcast matrix once; a transposed matrix stays one, so that rows
// are read as they lie.
template <class From, class T> Operand<T> copied(const Array& x, T* to) {
  const size_t r = x.shape.size();
  const bool swap = x.strides[r - 2] == 1 && x.strides[r - 1] != 1;
  Operand<From> in = operand<From>(x);
  if (swap) std::swap(in.mat.row, in.mat.col);
  const int64_t rows = x.shape[r - (swap ? 1 : 2)];
  const int64_t cols = x.shape[r - (swap ? 2 : 1)];
  Ints shape(x.shape.first(r - 2));
  Operand<T> out{{to, swap ? 1 : cols, swap ? cols : 1}, Ints(r - 2)};
  int64_t count = 1;
  for (size_t d = r - 2; d-- > 0;) {
    if (in.batch[d] == 0) {
      shape[d] = 1;
    } else {
      out.batch[d] = count * rows * cols;
    }
    count *= shape[d];
  }
  parallel_for(count * rows, std::max<int64_t>(1, (1 << 15) / std::max<int64_t>(1, cols)),
               [&](int64_t begin, int64_t end) {
                 for (int64_t i = begin; i < end; ++i) {
                   convert(in.mat.at(i % rows, 0).data + in.offset(shape, i / rows), to + i * cols,
                           cols, in.mat.col);
                 }
               });
  return out;
}

// The rows of a whole batch of a as one tall matrix, if they lie evenly. Otherwise the batch stays.
template <class T>
bool fold(std::span<const int64_t> batch, int64_t M, const Operand<T>& a, const Operand<T>& b,
          Mat<T>& tall) {
  int64_t rows = M;
  int64_t row = a.mat.row;
  for (size_t d = batch.size(); d-- > 0;) {
    if (batch[d] == 1) continue;
    if (b.batch[d] != 0) return false;
    if (rows == 1) {
      row = a.batch[d];
    } else if (a.batch[d] != rows * row) {
      return false;
    }
    rows *= batch[d];
  }
  tall = {a.mat.data, row, a.mat.col};
  return true;
}

template <class T>
void multiply(std::span<const int64_t> batch, int64_t M, int64_t N, int64_t K, const Operand<T>& a,
              const Operand<T>& b, T* c) {
  const int64_t count = size_of(batch);
  Mat<T> tall;
  if (count == 1) return gemm_threads(M, N, K, a.mat, b.mat, c);
  if (fold(batch, M, a, b, tall) && (!has_blas<T> || layout(M * count, K, tall.row, tall.col))) {
    return gemm_threads(M * count, N, K, tall, b.mat, c);
  }
  const auto one = [&](int64_t i, auto&& f) {
    f(M, N, K, Mat<T>{a.mat.data + a.offset(batch, i), a.mat.row, a.mat.col},
      Mat<T>{b.mat.data + b.offset(batch, i), b.mat.row, b.mat.col}, c + i * M * N);
  };
  const double work = double(M) * double(N) * double(std::max<int64_t>(K, 1));
  if (count < 8 && work > 1 << 22) {
    for (int64_t i = 0; i < count; ++i) one(i, gemm_threads<T>);
    return;
  }
  parallel_for(count, std::max<int64_t>(1, int64_t((1 << 18) / work)),
               [&](int64_t begin, int64_t end) {
                 for (int64_t i = begin; i < end; ++i) {
                   one(i, [](int64_t m, int64_t n, int64_t k, Mat<T> x, Mat<T> y, T* z) {
                     gemm(m, n, k, x, y, z, n);
                   });
                 }
               });
}

// Elements of a copy: broadcast batch dimensions count once.
int64_t copy_size(const Array& x) {
  int64_t n = 1;
  for (size_t d = 0; d < x.shape.size(); ++d) {
    n *= d + 2 < x.shape.size() && x.strides[d] == 0 ? 1 : x.shape[d];
  }
  return n;
}

template <class T>
void run(const Array& a, const Array& b, const Array& c, std::span<const int64_t> batch, int64_t M,
         int64_t N, int64_t K) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat>) {
    const Scratch<float> x(copy_size(a));
    const Scratch<float> y(copy_size(b));
    const Scratch<float> z(c.size);
    multiply(batch, M, N, K, copied<T>(a, x.data()), copied<T>(b, y.data()), z.data());
    parallel_for(c.size, 1 << 15, [&](int64_t begin, int64_t end) {
      convert(&z[begin], c.as<T>() + begin, end - begin, 1);
    });
  } else {
    const auto copy_if = [](const Array& x, Scratch<T>& room) {
      Operand<T> o = operand<T>(x);
      if (!has_blas<T> ||
          layout(x.shape[x.shape.size() - 2], x.shape.back(), o.mat.row, o.mat.col)) {
        return o;
      }
      return copied<T>(x, room.make(copy_size(x)));
    };
    Scratch<T> x;
    Scratch<T> y;
    multiply(batch, M, N, K, copy_if(a, x), copy_if(b, y), c.as<T>());
  }
}

void matmul(const Call& call) {
  const Array& a = call.in[0];
  const Array& b = call.in[1];
  const Array& c = call.out[0];
  if (c.size == 0) return;
  const size_t r = a.shape.size();
  const auto batch = a.shape.first(r - 2);
  const int64_t M = a.shape[r - 2];
  const int64_t K = a.shape[r - 1];
  const int64_t N = b.shape[r - 1];
  visit_dtype(a.dtype, [&]<class T>(T) { run<T>(a, b, c, batch, M, N, K); });
  // A nibble lies in a byte: wrap around at 4 bits, with the sign where there is one.
  if (c.dtype == DType::int4) {
    for (int64_t i = 0; i < c.size; ++i) {
      c.as<int8_t>()[i] = int8_t(int8_t(uint8_t(c.as<uint8_t>()[i] << 4)) >> 4);
    }
  }
  if (c.dtype == DType::uint4) {
    for (int64_t i = 0; i < c.size; ++i) c.as<uint8_t>()[i] &= 15;
  }
}

constexpr KernelRow rows[] = {{OpId::matmul, matmul, false}};

}  // namespace

std::span<const KernelRow> product_kernels() { return rows; }

}  // namespace ember::native
