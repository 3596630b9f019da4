// Products and decompositions.
#include "engines/torch/torch.h"

namespace ember::torch {
namespace {

// The dot product of long vectors uses ATen's sum, which is pairwise; BLAS adds sequentially.
Array matmul(const Call& c) {
  constexpr int64_t long_row = 1 << 15;
  if (c.node.dtype == DType::bool_) {
    return at::gt(at::matmul(c[0].to(at::kFloat), c[1].to(at::kFloat)), 0);
  }
  if (c[0].size(-1) >= long_row && c[0].size(-2) == 1 && c[1].size(-1) == 1 &&
      c[0].scalar_type() == at::kFloat) {
    return at::mul(c[0], c[1].mT()).sum({-1}, true);
  }
  return c[0].dim() == 2   ? at::mm(c[0], c[1])
         : c[0].dim() == 3 ? at::bmm(c[0], c[1])
                           : at::matmul(c[0], c[1]);
}

Array elsewhere(const Call& c) {
  return is_integer(c.node.dtype) ? on_cpu<matmul, detour<matmul, Detour::bits>>(c) : matmul(c);
}

void check_finite(const Array& x, const char* op) {
  if (!at::isfinite(x).all().item<bool>()) {
    throw ValueError(std::string(op) + " of a matrix with NaN or inf");
  }
}
// ATen's decompositions may return a lazy conjugate.
Array resolved(const Array& x) { return x.resolve_conj().resolve_neg(); }

// The result, NaN for matrices with NaN or inf whose factorization failed. A finite matrix whose
// factorization failed is singular, which is an error.
Array checked_solution(const Array& a, const Array& result, const Array& info) {
  const Array failed = at::ne(info, 0);
  if (!any_true(failed)) return result;
  if (any_true(at::logical_and(failed, at::isfinite(a).flatten(-2).all(-1)))) {
    throw ValueError("singular matrix");
  }
  return result.masked_fill(failed.unsqueeze(-1).unsqueeze(-1), NAN);
}

Array cholesky(const Call& c) {
  const auto [factor, info] = at::linalg_cholesky_ex(c[0], c.attr<TriangleAttr>().upper, false);
  const Array diagonal = factor.diagonal(0, -2, -1);
  const Array good = at::gt(diagonal.is_complex() ? at::real(diagonal) : diagonal, 0)
                         .all(-1)
                         .logical_and(at::eq(info, 0));
  if (good.all().item<bool>()) return resolved(factor);
  const int64_t first = at::argmin(good.flatten().to(at::kByte)).item<int64_t>();
  throw ValueError(
      (c[0].dim() > 2 ? "matrix " + std::to_string(first) + " of the batch" : "the matrix") +
      " is not positive definite");
}
Arrays eig(const Call& c) {
  check_finite(c[0], "eig");
  auto [values, vectors] = at::linalg_eig(c[0]);
  return {values, resolved(vectors)};
}
Arrays eigh(const Call& c) {
  const bool upper = c.attr<TriangleAttr>().upper;
  check_finite(upper ? c[0].triu() : c[0].tril(), "eigh");
  auto [values, vectors] = at::linalg_eigh(c[0], upper ? "U" : "L");
  return {values, resolved(vectors)};
}
Array inv(const Call& c) {
  const auto [result, info] = at::linalg_inv_ex(c[0], false);
  return checked_solution(c[0], resolved(result), info);
}
Array solve(const Call& c) {
  const auto [result, info] = at::linalg_solve_ex(c[0], c[1], true, false);
  return checked_solution(c[0], resolved(result), info);
}
Array solve_triangular(const Call& c) {
  const auto& [upper, unit, transposed] = c.attr<TriangularSolveAttr>();
  if (!unit && any_true(at::eq(c[0].diagonal(0, -2, -1), 0))) throw ValueError("singular matrix");
  return resolved(at::linalg_solve_triangular(transposed ? c[0].mT() : c[0], c[1],
                                              upper != transposed, true, unit));
}
// Row order p with x[p] = l @ u: the row of the 1 in each column of ATen's permutation matrix.
Arrays lu(const Call& c) {
  const auto [p, l, u] = at::linalg_lu(c[0]);
  const Array rows = p.numel()
                         ? at::argmax(p.is_complex() ? at::real(p) : p, -2)
                         : at::zeros(ints(c.node.outputs[0].shape), p.options().dtype(at::kLong));
  return {rows, resolved(l), resolved(u)};
}
Arrays qr(const Call& c) {
  auto [q, r] = at::linalg_qr(c[0], c.attr<QrAttr>().complete ? "complete" : "reduced");
  return {resolved(q), resolved(r)};
}
Arrays svd(const Call& c) {
  check_finite(c[0], "svd");
  auto [u, s, vh] = at::linalg_svd(c[0], c.attr<SvdAttr>().full_matrices);
  return {resolved(u), s, resolved(vh)};
}

constexpr KernelRow rows[] = {
    {.op = OpId::matmul,
     .one = matmul,
     .unsigned_one = detour<matmul, Detour::bits>,
     .elsewhere = elsewhere},
    {OpId::cholesky, cholesky},
    {.op = OpId::eig, .many = eig},
    {.op = OpId::eigh, .many = eigh},
    {OpId::inv, inv},
    {.op = OpId::lu, .many = lu},
    {.op = OpId::qr, .many = qr},
    {OpId::solve, solve},
    {OpId::solve_triangular, solve_triangular},
    {.op = OpId::svd, .many = svd},
};

}  // namespace

std::span<const KernelRow> linalg_kernels() { return rows; }

}  // namespace ember::torch
