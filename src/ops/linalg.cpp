// Linear algebra: decompositions and functions of them, and the rows of the family. The last two
// axes are matrices, those before them a batch.
#include <cmath>

#include "src/ops/products.h"

namespace ember {
namespace {

constexpr double infinity = HUGE_VAL;

void need_square(const Tensor& x) {
  need_matrices(x);
  if (x.shape(-1) != x.shape(-2)) {
    throw ShapeError("needs square matrices, not " + std::to_string(x.shape(-2)) + " by " +
                     std::to_string(x.shape(-1)));
  }
}

// Converts to a dtype that LAPACK takes: integers to the default float, 16-bit floats to float32.
Tensor factorable(const Tensor& x) { return widen(to_float(x)); }
Tensor adjoint(const Tensor& x) {
  const Tensor t = ops::matrix_transpose(x);
  return is_complex(x.dtype()) ? ops::conj(t) : t;
}
Tensor column(const Tensor& x) { return ops::expand_dims(x, {-1}); }
double epsilon(const Tensor& x) { return ops::finfo(real_of(x.dtype())).eps; }
// The threshold on singular values relative to the largest: one number, or one per matrix.
Tensor cutoff(const Tensor& x, const std::optional<Tensor>& rtol) {
  if (!rtol) return double(std::max(x.shape(-1), x.shape(-2))) * epsilon(x);
  return rtol->ndim() ? ops::expand_dims(cast_to(*rtol, real_of(x.dtype())), {-1}) : *rtol;
}
int64_t least_side(const Tensor& x) { return std::min(x.shape(-1), x.shape(-2)); }

// Solves a x = b. b is a vector only if it has one dimension; batches broadcast.
Tensor solved(OpId op, const char* name, const char* args, const Tensor& a, const Tensor& b,
              Attrs attrs) {
  const Tensor given[] = {a, b};
  return named(name, args, given, [&] {
    need_square(a);
    if (b.ndim() == 0) throw ShapeError("the right side needs at least one dimension");
    Tensor in[] = {a, b};
    const DType t = float_of(result_dtype(in));
    promote_inputs(in, t);
    in[0] = widen(in[0]);
    in[1] = widen(in[1]);
    const bool vector = b.ndim() == 1;
    if (vector) in[1] = column(in[1]);
    if (in[1].shape(-2) != a.shape(-1)) {
      throw ShapeError("a has " + std::to_string(a.shape(-1)) + " rows, but the right side has " +
                       std::to_string(in[1].shape(-2)));
    }
    const Shape batch = broadcast_shapes(batch_of(in[0]), batch_of(in[1]));
    in[0] = with_batch(in[0], batch);
    in[1] = with_batch(in[1], batch);
    Tensor x = cast_to(apply(op, in, std::move(attrs)), t);
    return vector ? ops::reshape(x, Shape(x.shape().begin(), x.shape().end() - 1)) : x;
  });
}

// 1 for an even permutation along the last axis, -1 for an odd one, from the number of inversions:
// [2, 0, 1] has two.
Tensor parity(const Tensor& p) {
  const int64_t n = p.shape(-1);
  const Tensor before = ops::reshape(index_range(n), {n, 1}) < index_range(n);
  const Tensor swapped =
      ops::logical_and(ops::expand_dims(p, {-1}) > ops::expand_dims(p, {-2}), before);
  return Tensor(1) - ops::remainder(ops::sum(swapped, {-2, -1}), 2) * 2;
}
struct Triangular {
  Tensor diagonal,
      sign;  // of the upper factor, in twice the precision; the sign of the row exchanges
};
Triangular triangular(const Tensor& x) {
  need_square(x);
  const auto [p, l, u] = ops::lu(factorable(x));
  const Tensor d =
      cast_to(ops::diagonal(u), is_complex(u.dtype()) ? DType::complex128 : DType::float64);
  return {d, cast_to(parity(p), d.dtype())};
}

// Sums of powers of the absolute values; x is real or complex floating-point.
Tensor vector_norm_of(const Tensor& given, const Axes& axis, bool keepdims, double ord) {
  const Tensor x = widen(to_float(given));
  const DType t = real_of(float_of(given.dtype()));
  const Ints axes = normal_axes(axis, x.ndim());
  int64_t count = 1;
  for (int64_t a : axes) count = x.shape()[size_t(a)] == 0 ? 0 : count;
  if (std::isnan(ord)) throw ValueError("the order of a norm cannot be NaN");
  if (ord == infinity && count == 0) return ops::zeros(reduced_shape(x.shape(), axes, keepdims), t);
  Tensor r;
  if (ord == infinity) {
    r = ops::max(ops::abs(x), axes, keepdims);
  } else if (ord == -infinity) {
    r = ops::min(ops::abs(x), axes, keepdims);
  } else if (ord == 0) {
    r = ops::count_nonzero(x, axes, keepdims);
  } else if (ord == 1) {
    r = ops::sum(ops::abs(x), axes, keepdims);
  } else if (ord == 2) {
    r = root(ops::sum(absolute_square(x), axes, keepdims));
  } else {
    // t^k, with the gradient 0 at t = 0, where the slope may be infinite.
    const auto power = [](const Tensor& t, double k) {
      const Tensor zero = t == 0.0;
      return ops::where(zero, like(t, k > 0 ? 0 : infinity), ops::pow(ops::where(zero, 1.0, t), k));
    };
    const Tensor absolute = ops::abs(x);
    const Tensor powers = ord > 0 && ord < 1 ? power(absolute, ord) : ops::pow(absolute, ord);
    r = power(ops::sum(powers, axes, keepdims), 1 / ord);
  }
  return cast_to(r, t);
}

// The norm of the matrices in the last two axes.
Tensor matrix_norm_of(const Tensor& given, std::string_view ord) {
  need_matrices(given);
  const DType t = real_of(float_of(given.dtype()));
  if (ord == "fro") return vector_norm_of(given, {-2, -1}, false, 2);
  const bool least = ord == "-inf" || ord == "-1" || ord == "-2";
  if (!least && ord != "nuc" && ord != "inf" && ord != "1" && ord != "2") {
    throw ValueError("the order must be fro, nuc, inf, -inf, 1, -1, 2 or -2, not '" +
                     std::string(ord.substr(0, 40)) + "'");
  }
  if (!least && (given.shape(-1) == 0 || given.shape(-2) == 0)) {
    return ops::zeros(batch_of(given), t);
  }
  const Tensor x = factorable(given);
  Tensor r;
  if (ord == "nuc") {
    r = ops::sum(ops::svdvals(x), -1);
  } else if (ord == "2") {
    r = ops::max(ops::svdvals(x), -1);
  } else if (ord == "-2") {
    r = ops::min(ops::svdvals(x), -1);
  } else {
    const Tensor sums = ops::sum(ops::abs(x), ord.ends_with("inf") ? -1 : -2);
    r = least ? ops::min(sums, -1) : ops::max(sums, -1);
  }
  return cast_to(r, t);
}
std::string order_text(double ord) {
  if (std::isinf(ord)) return ord > 0 ? "inf" : "-inf";
  if (ord == std::trunc(ord) && std::abs(ord) < 1e9) return std::to_string(int64_t(ord));
  return std::to_string(ord);
}
Tensor norm_over(const Tensor& x, std::string_view ord, const Ints& axes, bool keepdims) {
  if (axes.size() != 2) {
    throw ValueError("a matrix norm needs two axes, not " + std::to_string(axes.size()));
  }
  const Ints two = normal_axes(axes, x.ndim());
  const Tensor r = matrix_norm_of(ops::moveaxis(x, two, {-2, -1}), ord);
  return keepdims ? ops::expand_dims(r, two) : r;
}

}  // namespace

namespace ops {

// ---- Decompositions ----
Tensor cholesky(const Tensor& x, bool upper) {
  return cast_to(apply_to(OpId::cholesky, TriangleAttr{.upper = upper}, factorable(x)),
                 float_of(x.dtype()));
}
std::tuple<Tensor, Tensor> eig(const Tensor& x) {
  Tensor in[] = {factorable(x)};
  const auto r = apply_many(OpId::eig, in);
  return {r[0], r[1]};
}
std::tuple<Tensor, Tensor> eigh(const Tensor& x, bool upper) {
  Tensor in[] = {factorable(x)};
  const DType t = float_of(x.dtype());
  const auto r = apply_many(OpId::eigh, in, TriangleAttr{.upper = upper});
  return {cast_to(r[0], real_of(t)), cast_to(r[1], t)};
}
Tensor eigvals(const Tensor& x) {
  return named("eigvals", x, [&] {
    need_square(x);
    return std::get<0>(eig(x));
  });
}
Tensor eigvalsh(const Tensor& x, bool upper) {
  return named("eigvalsh", x, [&] {
    need_square(x);
    return std::get<0>(eigh(x, upper));
  });
}
Tensor inv(const Tensor& x) {
  return cast_to(apply_to(OpId::inv, {}, factorable(x)), float_of(x.dtype()));
}
std::tuple<Tensor, Tensor> qr(const Tensor& x, std::string_view mode) {
  if (mode != "reduced" && mode != "complete") {
    throw ValueError("[qr] mode must be reduced or complete, not '" +
                     std::string(mode.substr(0, 40)) + "'");
  }
  Tensor in[] = {factorable(x)};
  const DType t = float_of(x.dtype());
  const auto r = apply_many(OpId::qr, in, QrAttr{.complete = mode == "complete"});
  return {cast_to(r[0], t), cast_to(r[1], t)};
}
std::tuple<Tensor, Tensor, Tensor> svd(const Tensor& x, bool full_matrices) {
  Tensor in[] = {factorable(x)};
  const DType t = float_of(x.dtype());
  const auto r = apply_many(OpId::svd, in, SvdAttr{.full_matrices = full_matrices});
  return {cast_to(r[0], t), cast_to(r[1], real_of(t)), cast_to(r[2], t)};
}
Tensor svdvals(const Tensor& x) {
  return named("svdvals", x, [&] {
    need_matrices(x);
    return std::get<1>(svd(x, false));
  });
}
std::tuple<Tensor, Tensor, Tensor> lu(const Tensor& x) {
  Tensor in[] = {factorable(x)};
  const DType t = float_of(x.dtype());
  const auto r = apply_many(OpId::lu, in);
  return {r[0], cast_to(r[1], t), cast_to(r[2], t)};
}
Tensor solve(const Tensor& x1, const Tensor& x2) {
  return solved(OpId::solve, "solve", "x1, x2", x1, x2, {});
}
Tensor solve_triangular(const Tensor& a, const Tensor& b, bool upper, bool unit_diagonal,
                        bool transposed) {
  return solved(OpId::solve_triangular, "solve_triangular", "a, b", a, b,
                TriangularSolveAttr{upper, unit_diagonal, transposed});
}

// ---- What follows from them ----
Tensor trace(const Tensor& x, int64_t offset, Dtype dtype) {
  return named("trace", x, [&] { return sum(diagonal(x, offset), -1, false, dtype); });
}
Tensor det(const Tensor& x) {
  return named("det", x, [&] {
    const auto [d, sign] = triangular(x);
    return cast_to(prod(d, -1) * sign, float_of(x.dtype()));
  });
}
std::tuple<Tensor, Tensor> slogdet(const Tensor& x) {
  return named("slogdet", x, [&]() -> std::tuple<Tensor, Tensor> {
    const auto [d, row_sign] = triangular(x);
    const DType t = float_of(x.dtype());
    return {cast_to(prod(sign(d), -1) * row_sign, t), cast_to(sum(log(abs(d)), -1), real_of(t))};
  });
}
Tensor pinv(const Tensor& x, const std::optional<Tensor>& rtol) {
  return named("pinv", x, [&]() -> Tensor {
    need_matrices(x);
    if (least_side(x) == 0) {
      return zeros(with(batch_of(x), {x.shape(-1), x.shape(-2)}), float_of(x.dtype()));
    }
    const Tensor m = factorable(x);
    const auto [u, s, vh] = svd(m, false);
    const Tensor large = s > max(s, -1, true) * cutoff(m, rtol);
    const Tensor inverse = where(large, like(s, 1) / where(large, s, like(s, 1)), like(s, 0));
    return cast_to(matmul(adjoint(vh) * expand_dims(inverse, {-2}), adjoint(u)),
                   float_of(x.dtype()));
  });
}
Tensor matrix_rank(const Tensor& x, const std::optional<Tensor>& rtol) {
  return named("matrix_rank", x, [&]() -> Tensor {
    need_matrices(x);
    if (least_side(x) == 0) return zeros(batch_of(x), DType::int64);
    const Tensor m = factorable(x);
    const Tensor s = svdvals(m);
    return count_nonzero(s > max(s, -1, true) * cutoff(m, rtol), -1);
  });
}
std::tuple<Tensor, Tensor, Tensor, Tensor> lstsq(const Tensor& a, const Tensor& b,
                                                 std::optional<double> rcond) {
  const Tensor given[] = {a, b};
  return named("lstsq", "a, b", given, [&]() -> std::tuple<Tensor, Tensor, Tensor, Tensor> {
    if (a.ndim() != 2) {
      throw ShapeError("a must have two dimensions, not " + std::to_string(a.ndim()));
    }
    if (b.ndim() != 1 && b.ndim() != 2) {
      throw ShapeError("b must have one or two dimensions, not " + std::to_string(b.ndim()));
    }
    if (a.shape(0) != b.shape(0)) {
      throw ShapeError("a has " + std::to_string(a.shape(0)) + " rows, but b has " +
                       std::to_string(b.shape(0)));
    }
    Tensor in[] = {a, b};
    const DType t = float_of(result_dtype(in));
    promote_inputs(in, t);
    const Tensor x = widen(in[0]);
    const Tensor y = b.ndim() == 1 ? column(widen(in[1])) : widen(in[1]);
    const int64_t m = x.shape(0);
    const int64_t n = x.shape(1);
    const int64_t k = y.shape(1);
    const Shape out = b.ndim() == 1 ? Shape{n} : Shape{n, k};
    if (m == 0 || n == 0) {
      return {zeros(out, t), zeros({0}, real_of(t)), zeros({}, DType::int64),
              zeros({0}, real_of(t))};
    }
    const auto [u, s, vh] = svd(x, false);
    const Tensor large = s > max(s) * cutoff(x, rcond);
    const Tensor inverse = where(large, like(s, 1) / where(large, s, like(s, 1)), like(s, 0));
    const Tensor solution = matmul(adjoint(vh), matmul(adjoint(u), y) * column(inverse));
    const Tensor rank = count_nonzero(large);
    Tensor residuals = zeros({0}, real_of(t));
    if (m > n && rank.item<int64_t>() == n) {
      residuals = cast_to(sum(absolute_square(y - matmul(x, solution)), 0), real_of(t));
    }
    return {cast_to(reshape(solution, out), t), residuals, rank, cast_to(s, real_of(t))};
  });
}
Tensor matrix_power(const Tensor& x, int64_t n) {
  return named("matrix_power", x, [&] {
    need_square(x);
    Tensor power = n < 0 ? inv(x) : x;
    Tensor r;
    for (uint64_t k = n < 0 ? 0 - uint64_t(n) : uint64_t(n); k > 0; k >>= 1) {
      if (k & 1) r = r.defined() ? matmul(r, power) : power;
      if (k > 1) power = matmul(power, power);
    }
    return r.defined() ? r : broadcast_to(eye(x.shape(-1), {}, 0, x.dtype()), x.shape());
  });
}
Tensor matrix_norm(const Tensor& x, std::string_view ord, bool keepdims) {
  return named("matrix_norm", x, [&] {
    need_matrices(x);
    return norm_over(x, ord, {-2, -1}, keepdims);
  });
}
Tensor vector_norm(const Tensor& x, const Axes& axis, bool keepdims, double ord) {
  return named("vector_norm", x, [&] { return vector_norm_of(x, axis, keepdims, ord); });
}
Tensor norm(const Tensor& x, std::optional<double> ord, const Axes& axis, bool keepdims) {
  return named("norm", x, [&] {
    if (!ord) return vector_norm_of(x, axis, keepdims, 2);
    const Ints axes = axis ? normal_axes(*axis, x.ndim()) : normal_axes(Axes(), x.ndim());
    if (axes.size() == 1) return vector_norm_of(x, axes, keepdims, *ord);
    return norm_over(x, order_text(*ord), axes, keepdims);
  });
}
Tensor cond(const Tensor& x) {
  return named("cond", x, [&] {
    need_matrices(x);
    if (least_side(x) == 0) throw ShapeError("an empty matrix has no condition number");
    const Tensor s = svdvals(factorable(x));
    const Tensor r = max(s, -1) / min(s, -1);
    return cast_to(where(isnan(r), like(r, infinity), r), real_of(float_of(x.dtype())));
  });
}

// The Pade approximation of order 13 of exp(x / 2^k), squared k times. k is chosen per matrix from
// its norm, which is read.
Tensor expm(const Tensor& x) {
  return named("expm", x, [&]() -> Tensor {
    need_square(x);
    const DType t = float_of(x.dtype());
    Tensor a = factorable(x);
    if (x.size() == 0) return cast_to(a, t);
    constexpr double theta = 5.371920351148152;
    const Tensor norm = max(sum(abs(a), -2, true), -1, true);
    const Tensor halvings =
        where(isfinite(norm), maximum(ceil(log2(norm / theta)), like(norm, 0)), like(norm, 0));
    const int64_t most = int64_t(max(halvings).item<double>());
    if (most > 0) a = a * cast_to(exp2(-halvings), a.dtype());
    constexpr double b[] = {64764752532480000.,
                            32382376266240000.,
                            7771770303897600.,
                            1187353796428800.,
                            129060195264000.,
                            10559470521600.,
                            670442572800.,
                            33522128640.,
                            1323241920.,
                            40840800.,
                            960960.,
                            16380.,
                            182.,
                            1.};
    const auto c = [&](int i) { return Tensor(b[i] / b[0]); };
    const Tensor one = eye(x.shape(-1), {}, 0, a.dtype());
    const Tensor a2 = matmul(a, a);
    const Tensor a4 = matmul(a2, a2);
    const Tensor a6 = matmul(a2, a4);
    const Tensor u = matmul(a, matmul(a6, a6 * c(13) + a4 * c(11) + a2 * c(9)) + a6 * c(7) +
                                   a4 * c(5) + a2 * c(3) + one * c(1));
    const Tensor v =
        matmul(a6, a6 * c(12) + a4 * c(10) + a2 * c(8)) + a6 * c(6) + a4 * c(4) + a2 * c(2) + one;
    Tensor r = solve(v - u, v + u);
    for (int64_t i = 0; i < most; ++i) {
      r = where(halvings > like(halvings, double(i)), matmul(r, r), r);
    }
    return cast_to(r, t);
  });
}
// The Q factor of a random matrix, with its signs fixed so that the distribution is uniform over
// orthogonal matrices.
Tensor orthogonal(const Shape& shape, double gain, DType dtype, std::optional<int64_t> seed) {
  return named("orthogonal", [&]() -> Tensor {
    if (shape.size() < 2) throw ShapeError("needs at least two dimensions");
    const int64_t n = checked_size(shape);
    const int64_t rows = shape[0];
    if (!is_float(dtype)) {
      throw DTypeError("returns real floating-point numbers, not " + std::string(name(dtype)));
    }
    if (n == 0) return zeros(shape, dtype);
    const int64_t cols = n / rows;
    const auto draw = [&] {
      return random_normal({std::max(rows, cols), std::min(rows, cols)}, 0, 1,
                           dtype == DType::float64 ? dtype : DType::float32);
    };
    Tensor a;
    if (seed) {
      Generator generator{uint64_t(*seed)};
      with_generator scope(generator);
      a = draw();
    } else {
      a = draw();
    }
    const auto [q, r] = qr(a);
    const Tensor d = diagonal(r);
    const Tensor square = q * where(d < like(d, 0), like(d, -1), like(d, 1)) * gain;
    return cast_to(reshape(rows < cols ? matrix_transpose(square) : square, shape), dtype);
  });
}

}  // namespace ops

namespace {

// Gradients. Where a factor is unique only up to a choice (the phase of an eigenvector, the basis
// of a null space), the gradients hold for functions that do not depend on the choice.
using namespace ops;

Tensor row_of(const Tensor& x) { return expand_dims(x, {-2}); }
Tensor unit(int64_t n, DType t) { return eye(n, {}, 0, t); }
Tensor on_diagonal(const Tensor& d) { return column(d) * unit(d.shape(-1), d.dtype()); }
Tensor halved_diagonal(const Tensor& x) {
  return x * (1.0 - unit(x.shape(-1), real_of(x.dtype())) * 0.5);
}
Tensor columns(const Tensor& x, int64_t from, int64_t count) {
  return sliced(x, x.ndim() - 1, {count ? from : 0, 1, count});
}
Tensor rows_of(const Tensor& x, int64_t from, int64_t count) {
  return sliced(x, x.ndim() - 2, {count ? from : 0, 1, count});
}
// b u^-H for an upper triangular u, and l^-H b for a lower triangular l.
Tensor over_adjoint(const Tensor& b, const Tensor& u) {
  return adjoint(solve_triangular(u, adjoint(b), true));
}
Tensor under_adjoint(const Tensor& l, const Tensor& b, bool unit_diagonal = false) {
  return solve_triangular(cj(l), b, false, unit_diagonal, true);
}

// 1 / x, and 0 where x is 0, so that directions without influence contribute nothing.
Tensor inverse(const Tensor& x) {
  const Tensor zero = x == 0.0;
  return where(zero, 0.0, 1.0 / where(zero, 1.0, x));
}
// 1 / (w[j] - w[i]), and 0 for equal eigenvalues, whose eigenvectors are not unique.
Tensor inverse_gaps(const Tensor& w) { return inverse(row_of(w) - column(w)); }

Tensor sum_of(const Tensor& a, const Tensor& b) {
  return !a.defined() ? b : !b.defined() ? a : a + b;
}

// Converts the gradient of a Hermitian matrix to that of the triangle that is read.
Tensor triangle_of(const Tensor& x, bool upper) {
  const Tensor both = halved_diagonal(x + adjoint(x));
  return upper ? triu(both) : tril(both);
}

Gradients vjp_cholesky(const Vjp& v) {
  const bool upper = v.attrs.as<TriangleAttr>().upper;
  const Tensor l = upper ? adjoint(v.y[0]) : v.y[0];
  const Tensor g = upper ? adjoint(v.g[0]) : v.g[0];
  const Tensor left = under_adjoint(l, halved_diagonal(tril(matmul(adjoint(l), g))));
  return {triangle_of(under_adjoint(l, adjoint(left)), upper)};
}

Gradients vjp_eigh(const Vjp& v) {
  const Tensor& w = v.y[0];
  const Tensor& u = v.y[1];
  const Tensor& gw = v.g[0];
  const Tensor& gu = v.g[1];
  Tensor inner;
  if (gu.defined()) inner = matmul(adjoint(u), gu) * inverse_gaps(w);
  if (gw.defined() && !inner.defined()) {
    return {triangle_of(matmul(u * row_of(gw), adjoint(u)), v.attrs.as<TriangleAttr>().upper)};
  }
  if (gw.defined()) inner = inner + on_diagonal(gw);
  return {triangle_of(matmul(matmul(u, inner), adjoint(u)), v.attrs.as<TriangleAttr>().upper)};
}

Gradients vjp_eig(const Vjp& v) {
  const Tensor& w = v.y[0];
  const Tensor& u = v.y[1];
  const Tensor& gw = v.g[0];
  const Tensor& gu = v.g[1];
  const Tensor uh = adjoint(u);
  Tensor inner;
  if (gu.defined()) {  // the vectors have length 1: what would stretch them does not count
    const Tensor m = matmul(uh, gu);
    inner = (m - matmul(uh, u) * row_of(real(diagonal(m)))) * cj(inverse_gaps(w));
  }
  if (gw.defined()) inner = sum_of(on_diagonal(gw), inner);
  return {solve(uh, matmul(inner, uh))};
}

// The gradient of the first k columns of a unitary matrix from the gradient of all columns. The
// others span the orthogonal complement of the first.
Tensor thin(const Tensor& q, const Tensor& g, int64_t k) {
  const int64_t rest = q.shape(-1) - k;
  if (rest == 0 || !g.defined()) return g;
  const Tensor other = columns(q, k, rest);
  const Tensor first = columns(q, 0, k);
  return columns(g, 0, k) - matmul(other, matmul(adjoint(columns(g, k, rest)), first));
}

Gradients vjp_svd(const Vjp& v) {
  const Tensor& s = v.y[1];
  const Tensor& gs = v.g[1];
  const int64_t m = v.x[0].shape(-2);
  const int64_t n = v.x[0].shape(-1);
  const int64_t k = s.shape(-1);
  const Tensor all_v = adjoint(v.y[2]);
  const Tensor u = columns(v.y[0], 0, k);
  const Tensor w = columns(all_v, 0, k);
  const Tensor wh = adjoint(w);
  const Tensor gu = thin(v.y[0], v.g[0], k);
  const Tensor gw = thin(all_v, v.g[2].defined() ? adjoint(v.g[2]) : Tensor(), k);
  if (!gu.defined() && !gw.defined()) return {matmul(u * row_of(gs), wh)};
  const Tensor gaps = inverse_gaps(s) * inverse(row_of(s) + column(s));
  const Tensor small = inverse(s);
  const auto skew = [](const Tensor& x) { return x - adjoint(x); };
  Tensor inner;
  Tensor phase;
  Tensor r;
  Tensor beside;
  if (gs.defined()) inner = on_diagonal(gs);
  if (gu.defined()) {
    const Tensor turn = matmul(adjoint(u), gu);
    inner = sum_of(skew(turn) * gaps * row_of(s), inner);
    if (is_complex(u.dtype())) phase = imag(diagonal(turn));
    if (m > k) beside = (gu - matmul(u, turn)) * row_of(small);
  }
  if (gw.defined()) {
    const Tensor turn = matmul(wh, gw);
    inner = sum_of(skew(turn) * gaps * column(s), inner);
    if (is_complex(u.dtype())) phase = sum_of(phase, -imag(diagonal(turn)));
    if (n > k) r = matmul(u * row_of(small), adjoint(gw - matmul(w, turn)));
  }
  if (phase.defined()) {
    inner = inner + on_diagonal(phase * small * 0.5) * Tensor(std::complex<double>(0, 1));
  }
  return {sum_of(matmul(sum_of(matmul(u, inner), beside), wh), r)};
}

// x = q r. The first k columns of x determine q and the square part of r; further columns of r are
// q^H times those of x.
Gradients vjp_qr(const Vjp& v) {
  const int64_t m = v.x[0].shape(-2);
  const int64_t n = v.x[0].shape(-1);
  const int64_t k = std::min(m, n);
  const Tensor q = columns(v.y[0], 0, k);
  const Tensor r = rows_of(v.y[1], 0, k);
  const Tensor r1 = columns(r, 0, k);
  Tensor gq = thin(v.y[0], v.g[0], k);
  Tensor gr = v.g[1].defined() ? rows_of(v.g[1], 0, k) : Tensor();
  Tensor rest;
  if (n > k && gr.defined()) {
    const Tensor gr2 = columns(gr, k, n - k);
    rest = matmul(q, gr2);
    gq = sum_of(matmul(q, matmul(columns(r, k, n - k), adjoint(gr2))), gq);
    gr = columns(gr, 0, k);
  }
  Tensor turn;
  if (gr.defined()) turn = matmul(gr, adjoint(r1));
  if (gq.defined()) turn = sum_of(-matmul(adjoint(q), gq), turn);
  const Tensor up = triu(turn);
  const Tensor inner = matmul(q, halved_diagonal(up + adjoint(up)));
  const Tensor first = over_adjoint(sum_of(inner, gq), r1);
  if (n == k) return {first};
  return {
      concat({first, rest.defined() ? rest : zeros(with(batch_of(q), {m, n - k}), q.dtype())}, -1)};
}

// x[p] = l u. The rows of l below its square part and the columns of u right of its square part
// follow by triangular solves.
Gradients vjp_lu(const Vjp& v) {
  const Tensor& p = v.y[0];
  const Tensor& all_l = v.y[1];
  const Tensor& all_u = v.y[2];
  const int64_t m = v.x[0].shape(-2);
  const int64_t n = v.x[0].shape(-1);
  const int64_t k = std::min(m, n);
  Tensor gl = v.g[1];
  Tensor gu = v.g[2];
  Tensor below;
  Tensor beside;
  const Tensor l = rows_of(all_l, 0, k);
  const Tensor u = columns(all_u, 0, k);
  if (!gl.defined()) gl = zeros_like(all_l);
  if (!gu.defined()) gu = zeros_like(all_u);
  // Zero pivots: nothing divides by the last one. The factors are discontinuous at others, whose
  // gradients are infinite.
  const Tensor i = index_range(k);
  const Tensor diagonal_one = reshape(i, {k, 1}) == i;
  const Tensor last = logical_and(diagonal_one, i == k - 1);
  const Tensor pivots = where(logical_and(diagonal_one, u == 0.0),
                              like(u, finfo(real_of(u.dtype())).smallest_normal), u);
  if (n > k) {
    beside = under_adjoint(l, columns(gu, k, n - k), true);
    gl = gl - matmul(beside, adjoint(columns(all_u, k, n - k)));
    gu = columns(gu, 0, k);
  }
  if (m > k) {
    below = over_adjoint(rows_of(gl, k, m - k), pivots);
    gu = gu - matmul(adjoint(rows_of(all_l, k, m - k)), below);
    gl = rows_of(gl, 0, k);
  }
  gu = triu(gu);
  const Tensor turn =
      tril(matmul(adjoint(l), gl) - matmul(gu, adjoint(u)), -1);  // its last column is 0
  Tensor r = under_adjoint(l, gu + over_adjoint(turn, where(last, like(u, 1), pivots)), true);
  if (n > k) r = concat({r, beside}, -1);
  if (m > k) r = concat({r, below}, -2);
  return {take_along_axis(r, column(argsort(p, -1)), -2)};
}

Gradients vjp_solve(const Vjp& v) {
  const Tensor gb = solve(adjoint(v.x[0]), v.g[0]);
  return {v.needs[0] ? -matmul(gb, adjoint(v.y[0])) : Tensor(), gb};
}
Gradients vjp_solve_triangular(const Vjp& v) {
  const auto& [upper, unit_diagonal, transposed] = v.attrs.as<TriangularSolveAttr>();
  const Tensor gb = solve_triangular(cj(v.x[0]), v.g[0], upper, unit_diagonal, !transposed);
  if (!v.needs[0]) return {Tensor(), gb};
  const Tensor ga =
      transposed ? -matmul(cj(v.y[0]), matrix_transpose(gb)) : -matmul(gb, adjoint(v.y[0]));
  return {upper ? triu(ga, unit_diagonal) : tril(ga, -int64_t(unit_diagonal)), gb};
}

Gradients vjp_inv(const Vjp& v) {
  const Tensor h = adjoint(v.y[0]);
  return {-matmul(matmul(h, v.g[0]), h)};
}

// The gradient of a transposed weight is transposed again by transpose's own rule. Computed in
// transposed form, it is contiguous where the weight is.
bool is_transposed(const Tensor& x) { return x.node()->op == OpId::transpose; }

Gradients vjp_matmul(const Vjp& v) {
  const Tensor& a = v.x[0];
  const Tensor& b = v.x[1];
  const Tensor& g = v.g[0];
  return {!v.needs[0]        ? Tensor()
          : is_transposed(a) ? matrix_transpose(matmul(cj(b), matrix_transpose(g)))
                             : matmul(g, adjoint(b)),
          !v.needs[1]        ? Tensor()
          : is_transposed(b) ? matrix_transpose(matmul(matrix_transpose(g), cj(a)))
                             : matmul(adjoint(a), g)};
}

}  // namespace

namespace {
using binder::fn;

Type infer_matmul(Inputs in, const Attrs&) {
  const Shape& a = in[0].shape();
  const Shape& b = in[1].shape();
  if (a.size() < 2 || b.size() != a.size()) throw ShapeError("needs matrices");
  if (a.back() != b[b.size() - 2]) {
    throw ShapeError("inner dimensions differ: " + std::to_string(a.back()) + " and " +
                     std::to_string(b[b.size() - 2]));
  }
  Shape s = a;
  s.back() = b.back();
  return {in[0].dtype(), std::move(s)};
}
Type infer_square(Inputs in, const Attrs&) {
  need_square(in[0]);
  return {in[0].dtype(), in[0].shape()};
}
Type infer_solve(Inputs in, const Attrs&) { return {in[1].dtype(), in[1].shape()}; }
Types eigen_types(const Tensor& x, DType value, DType vector) {
  need_square(x);
  return {{value, with(batch_of(x), {x.shape(-1)})}, {vector, x.shape()}};
}
Types infer_eig(Inputs in, const Attrs&) {
  return eigen_types(in[0], complex_of(in[0].dtype()), complex_of(in[0].dtype()));
}
Types infer_eigh(Inputs in, const Attrs&) {
  return eigen_types(in[0], real_of(in[0].dtype()), in[0].dtype());
}
Types infer_lu(Inputs in, const Attrs&) {
  need_matrices(in[0]);
  const Shape batch = batch_of(in[0]);
  const int64_t m = in[0].shape(-2);
  const int64_t n = in[0].shape(-1);
  const int64_t k = std::min(m, n);
  return {{DType::int64, with(batch, {m})},
          {in[0].dtype(), with(batch, {m, k})},
          {in[0].dtype(), with(batch, {k, n})}};
}
Types infer_qr(Inputs in, const Attrs& attrs) {
  need_matrices(in[0]);
  const Shape batch = batch_of(in[0]);
  const int64_t m = in[0].shape(-2);
  const int64_t n = in[0].shape(-1);
  const int64_t k = attrs.as<QrAttr>().complete ? m : std::min(m, n);
  return {{in[0].dtype(), with(batch, {m, k})}, {in[0].dtype(), with(batch, {k, n})}};
}
Types infer_svd(Inputs in, const Attrs& attrs) {
  need_matrices(in[0]);
  const Shape batch = batch_of(in[0]);
  const int64_t m = in[0].shape(-2);
  const int64_t n = in[0].shape(-1);
  const int64_t k = std::min(m, n);
  const bool full = attrs.as<SvdAttr>().full_matrices;
  const DType t = in[0].dtype();
  return {{t, with(batch, {m, full ? m : k})},
          {real_of(t), with(batch, {k})},
          {t, with(batch, {full ? n : k, n})}};
}

// axes: a number, or one list per array.
Tensor tensordot_any(const Tensor& x1, const Tensor& x2, const Arg& axes) {
  const auto* pair = std::get_if<std::vector<Arg>>(&axes);
  if (!pair) return ops::tensordot(x1, x2, binder::From<int64_t>::get({.name = "axes"}, axes));
  if (pair->size() != 2) {
    throw ValueError("axes must be a number or two lists, not " + std::to_string(pair->size()));
  }
  const auto list = [&](size_t i) { return binder::From<Ints>::get({.name = "axes"}, (*pair)[i]); };
  return ops::tensordot(x1, x2, list(0), list(1));
}
std::string order_of(const Arg& ord) {
  if (const auto* v = std::get_if<double>(&ord)) return order_text(*v);
  return binder::From<std::string>::get({.name = "ord"}, ord);
}
Tensor matrix_norm_any(const Tensor& x, const Arg& ord, bool keepdims) {
  return ops::matrix_norm(x, order_of(ord), keepdims);
}
Tensor norm_any(const Tensor& x, const Arg& ord, const Axes& axis, bool keepdims) {
  const auto* text = std::get_if<std::string>(&ord);
  if (!text) {
    return ops::norm(x, binder::From<std::optional<double>>::get({.name = "ord"}, ord), axis,
                     keepdims);
  }
  return named("norm", x, [&] {
    return norm_over(x, *text, axis ? *axis : normal_axes(Axes(), x.ndim()), keepdims);
  });
}
Arg svd_any(const Tensor& x, bool full_matrices, bool compute_uv) {
  return compute_uv ? binder::to_arg(ops::svd(x, full_matrices)) : Arg(ops::svdvals(x));
}
#define NODE(op, a, d, ...) GRAPH_OP(op, a, d, .arity = {1, 1}, .kinds = k_inexact, __VA_ARGS__)
const Row rows[] = {
    {.name = "matmul",
     .args = "x1, x2",
     .doc = "Matrix product over the last two axes, broadcast over the others; vectors act as a "
            "row or column.",
     .call = fn<ops::matmul>,
     .id = OpId::matmul,
     .arity = {2, 2},
     .promote = Promote::common,
     .infer = infer_matmul,
     .vjp = vjp_matmul,
     .reads_by = reads_crosswise},
    FUN(dot, "a, b",
        "Sum of products over the last axis of a and the second to last of b; with a scalar, the "
        "product."),
    FUN(inner, "a, b", "Sum of products over the last axes of a and b."),
    FUN(outer, "x1, x2", "Product of each element of x1 with each element of x2, both flattened."),
    FUN(vecdot, "x1, x2, axis=-1", "Sum of conj(x1) * x2 along an axis."),
    {.name = "tensordot",
     .args = "x1, x2, axes=2",
     .doc = "Sum of products over several axes: the last of x1 and the first of x2, or two lists.",
     .call = fn<tensordot_any>},
    {.name = "einsum",
     .args = "equation, *operands",
     .doc = "Einstein summation of the operands, in an order that needs few operations.",
     .call = fn<ops::einsum>},
    FUN(kron, "a, b", "Kronecker product: each element of a times b."),
    FUN(cross, "x1, x2, axis=-1", "Cross product of 3-element vectors along an axis."),
    FUN(multi_dot, "arrays",
        "Product of several matrices, in the order that needs the fewest operations."),
    FUN(gemm, "a, b, c=None, **options",
        "alpha * a @ b + beta * c, with a and b transposed on request."),
    FUN(trace, "x, offset=0, dtype=None", "Sum of the elements of a diagonal of matrices."),
    NODE(cholesky, "x, upper=False",
         "Cholesky factor L with x = L @ L^H of positive definite matrices, or U with x = U^H @ U.",
         .infer = infer_square, .vjp = vjp_cholesky, .reads = reads_y),
    FUN(det, "x", "Determinants of square matrices."),
    FUN(slogdet, "x -> sign, logabsdet",
        "Sign and natural logarithm of the absolute value of determinants."),
    NODE(eig, "x -> eigenvalues, eigenvectors",
         "Complex eigenvalues and eigenvectors of square matrices.", .infer_many = infer_eig,
         .vjp = vjp_eig, .reads = reads_y),
    NODE(eigh, "x, upper=False -> eigenvalues, eigenvectors",
         "Ascending eigenvalues and eigenvectors of Hermitian matrices; only one triangle is read.",
         .infer_many = infer_eigh, .vjp = vjp_eigh, .reads = reads_y),
    FUN(eigvals, "x", "Complex eigenvalues of square matrices."),
    FUN(eigvalsh, "x, upper=False",
        "Ascending eigenvalues of Hermitian matrices; only one triangle is read."),
    NODE(inv, "x", "Inverses of square matrices.", .infer = infer_square, .vjp = vjp_inv,
         .reads = reads_y),
    FUN(pinv, "x, rtol=None",
        "Pseudo-inverses; singular values up to rtol times the largest count as zero."),
    NODE(qr, "x, mode=\"reduced\" -> Q, R",
         "QR factorization: Q with orthonormal columns and upper triangular R.",
         .infer_many = infer_qr, .vjp = vjp_qr, .reads = reads_y),
    {.name = "solve",
     .args = "x1, x2",
     .doc = "Solution x of x1 @ x = x2; a 1-d x2 is a vector.",
     .call = fn<ops::solve>,
     .id = OpId::solve,
     .arity = {2, 2},
     .kinds = k_inexact,
     .infer = infer_solve,
     .vjp = vjp_solve,
     .reads = reads_x | reads_y},
    {.name = "solve_triangular",
     .args = "a, b, upper=False, unit_diagonal=False, transposed=False",
     .doc = "Solution x of a @ x = b for a triangular a; only one triangle is read.",
     .call = fn<ops::solve_triangular>,
     .id = OpId::solve_triangular,
     .arity = {2, 2},
     .kinds = k_inexact,
     .infer = infer_solve,
     .vjp = vjp_solve_triangular,
     .reads = reads_x | reads_y},
    {.name = "svd",
     .args = "x, full_matrices=True, compute_uv=True -> U, S, Vh",
     .doc = "Singular value decomposition: U, the singular values in descending order, and the "
            "adjoint of V.",
     .call = fn<svd_any>,
     .id = OpId::svd,
     .arity = {1, 1},
     .kinds = k_inexact,
     .infer_many = infer_svd,
     .vjp = vjp_svd,
     .reads = reads_y},
    FUN(svdvals, "x", "Singular values in descending order."),
    NODE(lu, "x -> P, L, U", "LU factorization with row permutation P: x[P] = L @ U.",
         .infer_many = infer_lu, .vjp = vjp_lu, .reads = reads_y),
    {.name = "lstsq",
     .args = "a, b, rcond=None -> solution, residuals, rank, singular_values",
     .doc = "Least-squares solution of a @ x = b, residuals, rank and singular values.",
     .call = fn<ops::lstsq>,
     .eager = true},
    FUN(matrix_power, "x, n", "n-th power of square matrices; of their inverses for negative n."),
    FUN(matrix_rank, "x, rtol=None", "Number of singular values above rtol times the largest."),
    {.name = "matrix_norm",
     .args = "x, ord=\"fro\", keepdims=False",
     .doc = "Matrix norm: fro, nuc, inf, -inf, 1, -1, 2 or -2.",
     .call = fn<matrix_norm_any>},
    FUN(vector_norm, "x, axis=None, keepdims=False, ord=2.0",
        "Vector norm over axes: sum(|x|^ord)^(1/ord), and its limits for inf, -inf and 0."),
    {.name = "norm",
     .args = "x, ord=None, axis=None, keepdims=False",
     .doc = "Vector norm over one axis or matrix norm over two; by default the root of the sum of "
            "squares.",
     .call = fn<norm_any>},
    {.name = "expm",
     .args = "x",
     .doc = "Matrix exponential.",
     .call = fn<ops::expm>,
     .eager = true},
    FUN(orthogonal, "shape, gain=1.0, dtype=float, seed=None",
        "Random matrix with orthonormal rows or columns; all axes but the first form the columns."),
    FUN(cond, "x", "Condition number: the largest singular value divided by the smallest."),
};
#undef NODE
}  // namespace

std::span<const Row> linalg_rows() { return rows; }

}  // namespace ember
