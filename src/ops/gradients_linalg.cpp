// Gradients of matrix products and decompositions. Where a factor is only fixed up to a choice (the
// phase of an eigenvector, the basis of a null space), they are right for whatever does not depend
// on the choice.
#include "src/ops/products.h"
#include "src/ops/rules.h"

namespace ember {
namespace {

using namespace ops;

Tensor adjoint(const Tensor& x) { return cj(matrix_transpose(x)); }
Tensor column(const Tensor& x) { return expand_dims(x, {-1}); }
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
// b u^-H of an upper triangular u, and l^-H b of a lower triangular l.
Tensor over_adjoint(const Tensor& b, const Tensor& u) {
  return adjoint(solve_triangular(u, adjoint(b), true));
}
Tensor under_adjoint(const Tensor& l, const Tensor& b, bool unit_diagonal = false) {
  return solve_triangular(cj(l), b, false, unit_diagonal, true);
}

// 1 / x, and 0 where x is 0: what nothing depends on stays out.
Tensor inverse(const Tensor& x) {
  const Tensor zero = x == 0.0;
  return where(zero, 0.0, 1.0 / where(zero, 1.0, x));
}
// 1 / (w[j] - w[i]). Equal values leave their vectors free to turn into each other.
Tensor inverse_gaps(const Tensor& w) { return inverse(row_of(w) - column(w)); }

Tensor sum_of(const Tensor& a, const Tensor& b) {
  return !a.defined() ? b : !b.defined() ? a : a + b;
}

// From the gradient of a Hermitian matrix to that of the triangle which is read.
Tensor triangle_of(const Tensor& x, bool upper) {
  const Tensor both = halved_diagonal(x + adjoint(x));
  return upper ? triu(both) : tril(both);
}

Gradients of_cholesky(const Vjp& v) {
  const bool upper = v.attrs.as<TriangleAttr>().upper;
  const Tensor l = upper ? adjoint(v.y[0]) : v.y[0];
  const Tensor g = upper ? adjoint(v.g[0]) : v.g[0];
  const Tensor left = under_adjoint(l, halved_diagonal(tril(matmul(adjoint(l), g))));
  return {triangle_of(under_adjoint(l, adjoint(left)), upper)};
}

Gradients of_eigh(const Vjp& v) {
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

Gradients of_eig(const Vjp& v) {
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

// The gradient of the first k columns of a unitary matrix, from that of all: the others follow as
// what is orthogonal to them.
Tensor thin(const Tensor& q, const Tensor& g, int64_t k) {
  const int64_t rest = q.shape(-1) - k;
  if (rest == 0 || !g.defined()) return g;
  const Tensor other = columns(q, k, rest);
  const Tensor first = columns(q, 0, k);
  return columns(g, 0, k) - matmul(other, matmul(adjoint(columns(g, k, rest)), first));
}

Gradients of_svd(const Vjp& v) {
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

// x = q r, first for as many columns as q has; further ones are q^H times those of x.
Gradients of_qr(const Vjp& v) {
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

// x[p] = l u. The rows of l below u's square and the columns of u beside l's follow by a triangular
// solve.
Gradients of_lu(const Vjp& v) {
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
  // Pivots that are 0: the last one is never divided by. Others make the factors jump, and show as
  // infinities.
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

Gradients of_solve(const Vjp& v) {
  const Tensor gb = solve(adjoint(v.x[0]), v.g[0]);
  return {v.needs[0] ? -matmul(gb, adjoint(v.y[0])) : Tensor(), gb};
}
Gradients of_solve_triangular(const Vjp& v) {
  const auto& [upper, unit_diagonal, transposed] = v.attrs.as<TriangularSolveAttr>();
  const Tensor gb = solve_triangular(cj(v.x[0]), v.g[0], upper, unit_diagonal, !transposed);
  if (!v.needs[0]) return {Tensor(), gb};
  const Tensor ga =
      transposed ? -matmul(cj(v.y[0]), matrix_transpose(gb)) : -matmul(gb, adjoint(v.y[0]));
  return {upper ? triu(ga, unit_diagonal) : tril(ga, -int64_t(unit_diagonal)), gb};
}

// The gradient of a transposed weight is turned back by whoever asks for it: computed turned, it
// lies in memory as the weight does.
bool is_turned(const Tensor& x) { return x.node()->op == OpId::transpose; }

const GradientRule rules[] = {
    {OpId::matmul,
     [](const Vjp& v) -> Gradients {
       const Tensor& a = v.x[0];
       const Tensor& b = v.x[1];
       const Tensor& g = v.g[0];
       return {!v.needs[0]    ? Tensor()
               : is_turned(a) ? matrix_transpose(matmul(cj(b), matrix_transpose(g)))
                              : matmul(g, adjoint(b)),
               !v.needs[1]    ? Tensor()
               : is_turned(b) ? matrix_transpose(matmul(matrix_transpose(g), cj(a)))
                              : matmul(adjoint(a), g)};
     },
     reads_x | reads_x2, reads_crosswise},
    {OpId::cholesky, of_cholesky, reads_y},
    {OpId::eig, of_eig, reads_y},
    {OpId::eigh, of_eigh, reads_y},
    {OpId::inv,
     [](const Vjp& v) -> Gradients {
       const Tensor h = adjoint(v.y[0]);
       return {-matmul(matmul(h, v.g[0]), h)};
     },
     reads_y},
    {OpId::lu, of_lu, reads_y},
    {OpId::qr, of_qr, reads_y},
    {OpId::solve, of_solve, reads_x | reads_y},
    {OpId::solve_triangular, of_solve_triangular, reads_x | reads_y},
    {OpId::svd, of_svd, reads_y},
};

}  // namespace

std::span<const GradientRule> linalg_gradients() { return rules; }

}  // namespace ember
