// Products and factorizations. MLX has factorizations on the CPU only, and ends the process if
// LAPACK reports an error, so the kernels find such matrices first.
#include <cmath>

#include "engines/mlx/library.h"

namespace ember::mlx {

// MLX multiplies matrices of floats only. Integers are split into digits of 16 bits, whose products
// float64 sums exactly; products that only reach bits beyond the dtype's are omitted.
mx::array product_of_ints(const mx::array& left, const mx::array& right) {
  const auto cut = [&](const mx::array& x) {
    std::vector<mx::array> r;
    const mx::array whole = mx::astype(x, mx::uint64, stream());  // sign-extended
    for (int i = 0; i < std::max(1, int(x.itemsize()) / 2); ++i) {
      const mx::array moved = mx::right_shift(whole, mx::array(uint64_t(16 * i)), stream());
      r.push_back(mx::astype(mx::bitwise_and(moved, mx::array(uint64_t(0xffff)), stream()),
                             mx::float64, cpu_stream()));
    }
    return r;
  };
  const std::vector<mx::array> a = cut(left);
  const std::vector<mx::array> b = cut(right);
  std::optional<mx::array> sum;
  for (size_t i = 0; i < a.size(); ++i) {
    for (size_t j = 0; i + j < a.size(); ++j) {
      mx::array part = mx::astype(mx::matmul(a[i], b[j], cpu_stream()), mx::uint64, cpu_stream());
      if (i + j) part = mx::left_shift(part, mx::array(uint64_t(16 * (i + j))), stream());
      sum = sum ? mx::add(*sum, part, stream()) : part;
    }
  }
  return as(*sum, left.dtype());
}

namespace {

Array matmul(const C& c) {
  return as(mx::matmul(wide(*c[0]), wide(*c[1]), stream()), type_of(c.node));
}
Array matmul_int(const C& c) { return product_of_ints(*c[0], *c[1]); }
Array matmul_bool(const C& c) {
  const mx::array r = mx::matmul(as(*c[0], mx::float32), as(*c[1], mx::float32), stream());
  return mx::greater(r, like(r, 0), stream());
}
Array matmul_none(const C& c) { return filled(c.node, 0); }
Kernel<Array> pick_matmul(const SliceNode& n, const Slice& s) {
  if (size_of(input_shape(n, s)) == 0) return {.one = matmul_none};
  return {.one = is_inexact(n.dtype) ? matmul : n.dtype == DType::bool_ ? matmul_bool : matmul_int};
}
Support check_matmul(const SliceNode& n, const Slice& s) {
  if (bits_of(n.dtype) == 4) return "MLX has no 4-bit integers";
  if (!is_inexact(n.dtype) && input_shape(n, s).back() > (int64_t(1) << 21)) {
    return "MLX has no products of integers";
  }
  return {};
}

// Factorizations

mx::array flipped(const mx::array& x) { return mx::swapaxes(x, -1, -2, cpu_stream()); }
bool holds(const mx::array& truth) {
  mx::array r = mx::all(truth, false, cpu_stream());
  r.eval();
  return r.item<bool>();
}
void need_finite(const mx::array& x, const char* what) {
  if (!holds(mx::isfinite(x, cpu_stream()))) {
    throw ValueError(std::string(what) + " of a matrix with NaN or inf");
  }
}
void need_diagonal(const mx::array& triangle) {
  const mx::array d = mx::diagonal(triangle, 0, -2, -1, cpu_stream());
  if (!holds(mx::not_equal(d, like(d, 0), cpu_stream()))) throw ValueError("singular matrix");
}

Array cholesky(const C& c) {
  const mx::array r = mx::linalg::cholesky(*c[0], c.attr<TriangleAttr>().upper, cpu_stream());
  // LAPACK stops at the first pivot that is not positive, and leaves it on the diagonal.
  const mx::array pivots = mx::diagonal(r, 0, -2, -1, cpu_stream());
  const mx::array good =
      on_host(mx::all(mx::greater(pivots, like(r, 0), cpu_stream()), -1, false, cpu_stream()));
  for (size_t i = 0; i < good.size(); ++i) {
    if (!good.data<bool>()[i]) {
      throw ValueError((r.ndim() > 2 ? "matrix " + std::to_string(i) + " of the batch"
                                     : std::string("the matrix")) +
                       " is not positive definite");
    }
  }
  return r;
}

// For two rows and columns at least: for one MLX takes the number of bytes of the result for its
// number of elements, and writes beyond it.
struct Lu {
  explicit Lu(const mx::array& x) : parts(mx::linalg::lu(x, cpu_stream())) {}
  const mx::array& places() const { return parts[0]; }  // the row order
  mx::array order() const { return mx::argsort(parts[0], -1, cpu_stream()); }
  const mx::array& lower() const { return parts[1]; }
  const mx::array& upper() const { return parts[2]; }
  std::vector<mx::array> parts;
};
// Crops x, which may have extra rows and columns of zeros, to the shape of an output.
mx::array part(const mx::array& x, const Type& t) {
  const mx::Shape shape = to_shape(t.shape);
  return shape == x.shape() ? x : mx::slice(x, mx::Shape(x.ndim(), 0), shape, cpu_stream());
}
std::vector<Array> lu(const C& c) {
  mx::array x = *c[0];
  const int rows = std::max(2 - x.shape(-2), 0);
  const int columns = std::max(2 - x.shape(-1), 0);
  if (rows || columns) {
    x = mx::pad(x, Axes{-2, -1}, mx::Shape{0, 0}, mx::Shape{rows, columns}, like(x, 0), "constant",
                cpu_stream());
  }
  const Lu r(x);
  const auto& types = c.node.outputs;
  return {part(as(r.order(), mx::int64), types[0]), part(r.lower(), types[1]),
          part(r.upper(), types[2])};
}
Array inv(const C& c) {
  if (c[0]->shape(-1) == 1) return need_diagonal(*c[0]), mx::reciprocal(*c[0], cpu_stream());
  const Lu r(*c[0]);
  need_diagonal(r.upper());
  const mx::array lower = mx::linalg::tri_inv(r.lower(), false, cpu_stream());
  const mx::array upper = mx::linalg::tri_inv(r.upper(), true, cpu_stream());
  return mx::matmul(
      upper,
      mx::take_along_axis(lower, mx::expand_dims(r.places(), -2, cpu_stream()), -1, cpu_stream()),
      cpu_stream());
}
Array solve(const C& c) {
  const bool vector = c[1]->ndim() + 1 == c[0]->ndim();
  const mx::array b = vector ? mx::expand_dims(*c[1], -1, cpu_stream()) : *c[1];
  if (c[0]->shape(-1) == 1) {
    need_diagonal(*c[0]);
    return reshaped(mx::divide(b, *c[0], cpu_stream()), to_shape(c.node.shape));
  }
  const Lu r(*c[0]);
  need_diagonal(r.upper());
  const mx::array sorted =
      mx::take_along_axis(b, mx::expand_dims(r.order(), -1, cpu_stream()), -2, cpu_stream());
  const mx::array y =
      mx::matmul(mx::linalg::tri_inv(r.lower(), false, cpu_stream()), sorted, cpu_stream());
  const mx::array x =
      mx::matmul(mx::linalg::tri_inv(r.upper(), true, cpu_stream()), y, cpu_stream());
  return vector ? mx::squeeze(x, -1, cpu_stream()) : x;
}
Array solve_triangular(const C& c) {
  const auto& attr = c.attr<TriangularSolveAttr>();
  mx::array a = *c[0];
  bool upper = attr.upper;
  if (attr.unit_diagonal) {
    a = mx::where(mx::eye(a.shape(-1), mx::bool_, cpu_stream()), like(a, 1), a, cpu_stream());
  } else {
    need_diagonal(a);
  }
  if (attr.transposed) {
    a = flipped(a);
    upper = !upper;
  }
  const bool vector = c[1]->ndim() + 1 == c[0]->ndim();
  const mx::array b = vector ? mx::expand_dims(*c[1], -1, cpu_stream()) : *c[1];
  const mx::array x = mx::matmul(mx::linalg::tri_inv(a, upper, cpu_stream()), b, cpu_stream());
  return vector ? mx::squeeze(x, -1, cpu_stream()) : x;
}
// The complete factorization has as many columns as rows, so x is extended by an identity.
std::vector<Array> qr(const C& c) {
  mx::array x = *c[0];
  if (c.attr<QrAttr>().complete && x.shape(-2) > x.shape(-1)) {
    mx::Shape shape = x.shape();
    shape.back() = x.shape(-2);
    x = mx::concatenate(
        {x, mx::broadcast_to(mx::eye(x.shape(-2), x.dtype(), cpu_stream()), shape, cpu_stream())},
        -1, cpu_stream());
  }
  auto [q, r] = mx::linalg::qr(x, cpu_stream());
  return {q, part(r, c.node.outputs[1])};
}
std::vector<Array> eigh(const C& c) {
  const bool upper = c.attr<TriangleAttr>().upper;
  need_finite(upper ? mx::triu(*c[0], 0, cpu_stream()) : mx::tril(*c[0], 0, cpu_stream()), "eigh");
  auto [values, vectors] = mx::linalg::eigh(*c[0], upper ? "L" : "U",
                                            cpu_stream());  // MLX passes the transpose to LAPACK
  return {values, vectors};
}
std::vector<Array> eig(const C& c) {
  need_finite(*c[0], "eig");
  auto [values, vectors] = mx::linalg::eig(*c[0], cpu_stream());
  // MLX leaves that out
  if (c[0]->dtype() == mx::complex64) {
    vectors = mx::conjugate(vectors, cpu_stream());
  }
  return {values, vectors};
}
std::vector<Array> svd(const C& c) {
  need_finite(*c[0], "svd");
  const std::vector<mx::array> r = mx::linalg::svd(*c[0], true, cpu_stream());
  return {part(r[0], c.node.outputs[0]), r[1], part(r[2], c.node.outputs[2])};
}
// Factors of a matrix without rows or columns: identities, and the order 0, 1, 2...
std::vector<Array> of_nothing(const C& c) {
  std::vector<Array> r;
  for (const Type& t : c.node.outputs) {
    const mx::Shape shape = to_shape(t.shape);
    if (size_of(t.shape) == 0) {
      r.push_back(mx::zeros(shape, to_mlx(t.dtype), cpu_stream()));
      continue;
    }
    const int n = shape.back();
    const mx::Dtype d = to_mlx(t.dtype);
    const mx::array start = t.dtype == DType::int64 ? as(mx::arange(0, n, cpu_stream()), d)
                                                    : mx::eye(n, d, cpu_stream());
    r.push_back(mx::broadcast_to(start, shape, cpu_stream()));
  }
  return r;
}
template <std::vector<Array> (*f)(const C&)>
Kernel<Array> unless_empty(const SliceNode& n, const Slice& s) {
  return {.many = size_of(input_shape(n, s)) ? f : of_nothing};
}

Support reals(const SliceNode& n, const Slice& s) {
  const DType t = input_type(n, s);
  return t == DType::float32 || t == DType::float64
             ? Support()
             : Support("MLX has it for float32 and float64 only");
}
Support inexact(const SliceNode& n, const Slice& s) {
  return input_type(n, s) == DType::complex64 ? Support() : reals(n, s);
}
Support check_eig(const SliceNode& n, const Slice& s) {
  return input_type(n, s) == DType::float64
             ? Support("MLX gives the eigenvalues of float64 in complex64")
             : inexact(n, s);
}
constexpr KernelRow rows[] = {
    {.op = OpId::matmul, .pick = pick_matmul, .supports = check_matmul},
    {.op = OpId::cholesky, .one = cholesky, .supports = reals},
    {.op = OpId::inv, .one = inv, .supports = reals},
    {.op = OpId::solve, .one = solve, .supports = reals},
    {.op = OpId::solve_triangular, .one = solve_triangular, .supports = reals},
    {.op = OpId::lu, .pick = unless_empty<lu>, .supports = reals},
    {.op = OpId::qr, .pick = unless_empty<qr>, .supports = reals},
    {.op = OpId::svd, .pick = unless_empty<svd>, .supports = inexact},
    {.op = OpId::eigh, .many = eigh, .supports = inexact},
    {.op = OpId::eig, .many = eig, .supports = check_eig},
};

}  // namespace

std::span<const KernelRow> linalg_kernels() { return rows; }

}  // namespace ember::mlx
