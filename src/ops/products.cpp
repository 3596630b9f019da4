// Products: matmul and related ops, each reduced to one matrix product or to elementwise
// multiplication.
#include "src/ops/products.h"

#include <cmath>

namespace ember {

// A product does not promote float16 and bfloat16 to other floats: the caller must cast.
void check_kin(Inputs in) {
  const Tensor* narrow = nullptr;
  const Tensor* other = nullptr;
  for (const Tensor& x : in) {
    if (!x.defined()) throw ValueError("an input is missing");
    const Node& n = *x.node();
    if (n.weak || !is_inexact(n.dtype)) continue;
    const bool small = n.dtype == DType::float16 || n.dtype == DType::bfloat16;
    if (small && narrow && narrow->dtype() != n.dtype) {
      other = &x;
    } else {
      (small ? narrow : other) = &x;
    }
  }
  if (narrow && other) {
    throw DTypeError(std::string(name(narrow->dtype())) + " does not mix with " +
                     std::string(name(other->dtype())) + " in a product: cast one of them");
  }
}

Tensor absolute_square(const Tensor& x) {
  return is_complex(x.dtype()) ? ops::square(ops::real(x)) + ops::square(ops::imag(x))
                               : ops::square(x);
}
void need_matrices(const Tensor& x) {
  if (x.ndim() < 2) throw ShapeError("needs at least two dimensions");
}
Shape batch_of(const Tensor& x) { return Shape(x.shape().begin(), x.shape().end() - 2); }
Shape with(Shape s, std::initializer_list<int64_t> more) {
  s.append(more.begin(), more.end());
  return s;
}
Tensor with_batch(const Tensor& x, const Shape& batch) {
  return ops::broadcast_to(x, with(batch, {x.shape(-2), x.shape(-1)}));
}

namespace ops {

Tensor matmul(const Tensor& x1, const Tensor& x2) {
  if (x1.ndim() == 2 && x2.ndim() == 2 && x1.dtype() == x2.dtype()) {
    return apply_to(OpId::matmul, {}, x1, x2);
  }
  const Tensor given[] = {x1, x2};
  return named("matmul", "x1, x2", given, [&]() -> Tensor {
    check_kin(given);
    Tensor in[] = {x1, x2};
    if (x1.ndim() == 0 || x2.ndim() == 0) {
      throw ShapeError("a scalar has no rows or columns: use multiply");
    }
    const bool row = x1.ndim() == 1;
    const bool col = x2.ndim() == 1;
    if (row) in[0] = expand_dims(x1, {0});
    if (col) in[1] = expand_dims(x2, {1});
    if (in[0].shape(-1) != in[1].shape(-2)) {
      throw ShapeError("inner dimensions differ: " + std::to_string(in[0].shape(-1)) + " and " +
                       std::to_string(in[1].shape(-2)));
    }
    if (x1.ndim() > 2 && x2.ndim() == 2) {  // one product: libraries would run the batch one by
                                            // one, and so would x2's gradient
      Shape s = x1.shape();
      s.back() = x2.shape(1);
      int64_t rows = 1;
      for (int64_t n : batch_of(x1)) rows *= n;
      return reshape(matmul(reshape(x1, {rows * x1.shape(-2), x1.shape(-1)}), x2), s);
    }
    const Shape batch = ember::broadcast_shapes(batch_of(in[0]), batch_of(in[1]));
    in[0] = with_batch(in[0], batch);
    in[1] = with_batch(in[1], batch);
    const Tensor r = apply(OpId::matmul, in);
    if (!row && !col) return r;
    Shape s = r.shape();
    if (row) s.erase(s.size() - 2);
    if (col) s.pop_back();
    return reshape(r, s);
  });
}
Tensor dot(const Tensor& a, const Tensor& b) {
  const Tensor given[] = {a, b};
  return named("dot", "a, b", given, [&]() -> Tensor {
    check_kin(given);
    if (a.ndim() == 0 || b.ndim() == 0) return multiply(a, b);
    if (b.ndim() <= 2) return matmul(a, b);
    return tensordot(a, b, Ints{-1}, Ints{-2});
  });
}
Tensor inner(const Tensor& a, const Tensor& b) {
  const Tensor given[] = {a, b};
  return named("inner", "a, b", given, [&]() -> Tensor {
    check_kin(given);
    if (a.ndim() == 0 || b.ndim() == 0) return multiply(a, b);
    return tensordot(a, b, Ints{-1}, Ints{-1});
  });
}
Tensor outer(const Tensor& x1, const Tensor& x2) {
  return reshape(x1, {x1.size(), 1}) * reshape(x2, {1, x2.size()});
}
Tensor vecdot(const Tensor& x1, const Tensor& x2, int64_t axis) {
  Tensor in[] = {x1, x2};
  return named("vecdot", "x1, x2", in, [&] {
    check_kin(in);
    const Tensor a = moveaxis(x1, {axis}, {-1});
    const Tensor b = moveaxis(x2, {axis}, {-1});
    if (a.shape(-1) != b.shape(-1)) {
      throw ShapeError("inner dimensions differ: " + std::to_string(a.shape(-1)) + " and " +
                       std::to_string(b.shape(-1)));
    }
    const DType t = result_dtype(in);
    const Tensor left = widen(cast_to(a, t));
    const Tensor right = widen(cast_to(b, t));
    return cast_to(sum((is_complex(t) ? conj(left) : left) * right, -1, false, left.dtype()), t);
  });
}
Tensor tensordot(const Tensor& x1, const Tensor& x2, int64_t axes) {
  const Tensor in[] = {x1, x2};
  return named("tensordot", "x1, x2", in, [&] {
    if (axes < 0 || axes > std::min(x1.ndim(), x2.ndim())) {
      throw ValueError("axes must be 0 to " + std::to_string(std::min(x1.ndim(), x2.ndim())) +
                       ", not " + std::to_string(axes));
    }
    Ints last;
    Ints first;
    for (int64_t i = 0; i < axes; ++i) {
      last.push_back(x1.ndim() - axes + i);
      first.push_back(i);
    }
    return tensordot(x1, x2, last, first);
  });
}
Tensor tensordot(const Tensor& x1, const Tensor& x2, const Ints& axes1, const Ints& axes2) {
  Tensor in[] = {x1, x2};
  return named("tensordot", "x1, x2", in, [&] {
    check_kin(in);
    if (axes1.size() != axes2.size()) {
      throw ValueError(std::to_string(axes1.size()) + " axes of x1 and " +
                       std::to_string(axes2.size()) + " of x2");
    }
    const Ints over1 = normal_axes(axes1, x1.ndim());
    const Ints over2 = normal_axes(axes2, x2.ndim());
    for (size_t i = 0; i < over1.size(); ++i) {
      if (x1.shape(over1[i]) != x2.shape(over2[i])) {
        throw ShapeError("inner dimensions differ: " + std::to_string(x1.shape(over1[i])) +
                         " and " + std::to_string(x2.shape(over2[i])));
      }
    }
    const auto rest = [](const Tensor& x, const Ints& over) {
      Ints r;
      for (int64_t i = 0; i < x.ndim(); ++i) {
        if (std::find(over.begin(), over.end(), i) == over.end()) r.push_back(i);
      }
      return r;
    };
    const Ints free1 = rest(x1, over1);
    const Ints free2 = rest(x2, over2);
    Ints order1 = free1;
    Ints order2 = over2;
    order1.append(over1.begin(), over1.end());
    order2.append(free2.begin(), free2.end());
    const int64_t m = count_over(x1, free1);
    const int64_t k = count_over(x1, over1);
    const int64_t n = count_over(x2, free2);
    Shape s;
    for (int64_t a : free1) s.push_back(x1.shape(a));
    for (int64_t a : free2) s.push_back(x2.shape(a));
    return reshape(
        matmul(reshape(transpose(x1, order1), {m, k}), reshape(transpose(x2, order2), {k, n})), s);
  });
}
Tensor kron(const Tensor& a, const Tensor& b) {
  const Tensor in[] = {a, b};
  return named("kron", "a, b", in, [&] {
    const int64_t n = std::max(a.ndim(), b.ndim());
    const Tensor x = atleast_nd(a, n);
    const Tensor y = atleast_nd(b, n);
    Shape sx;
    Shape sy;
    Shape s;
    for (int64_t i = 0; i < n; ++i) {
      int64_t d;
      if (__builtin_mul_overflow(x.shape(i), y.shape(i), &d)) {
        throw ShapeError("the result has too many elements");
      }
      sx.push_back(x.shape(i));
      sx.push_back(1);
      sy.push_back(1);
      sy.push_back(y.shape(i));
      s.push_back(d);
    }
    return reshape(reshape(x, sx) * reshape(y, sy), s);
  });
}
Tensor cross(const Tensor& x1, const Tensor& x2, int64_t axis) {
  const Tensor in[] = {x1, x2};
  return named("cross", "x1, x2", in, [&] {
    const int64_t n = std::max(x1.ndim(), x2.ndim());
    const int64_t back = normal_axis(axis, n) - n;
    const auto part = [&](const Tensor& x, int64_t i) {
      const int64_t a = normal_axis(back, x.ndim());
      if (x.shape(a) != 3) {
        throw ShapeError("axis " + std::to_string(axis) + " must have length 3, not " +
                         std::to_string(x.shape(a)));
      }
      return sliced(x, a, {i, 1, 1});
    };
    Tensors r;
    for (int64_t i = 0; i < 3; ++i) {
      const int64_t j = (i + 1) % 3;
      const int64_t k = (i + 2) % 3;
      r.push_back(part(x1, j) * part(x2, k) - part(x1, k) * part(x2, j));
    }
    return concat(r, back);
  });
}
// The cheapest order, by dynamic programming; a very long chain is multiplied from left to right.
Tensor multi_dot(const Tensors& arrays) {
  return named("multi_dot", "", arrays, [&]() -> Tensor {
    const size_t n = arrays.size();
    if (n < 2) throw ValueError("needs at least two arrays");
    check_kin(arrays);
    Tensors in = arrays;
    promote_inputs(in, result_dtype(in));
    const bool row = in[0].ndim() == 1;
    const bool col = in[n - 1].ndim() == 1;
    if (row) in[0] = expand_dims(in[0], {0});
    if (col) in[n - 1] = expand_dims(in[n - 1], {1});
    for (size_t i = 0; i < n; ++i) {
      if (in[i].ndim() != 2) {
        throw ShapeError("array " + std::to_string(i) + " must have two dimensions, not " +
                         std::to_string(arrays[i].ndim()));
      }
      if (i > 0 && in[i - 1].shape(1) != in[i].shape(0)) {
        throw ShapeError("inner dimensions differ: " + std::to_string(in[i - 1].shape(1)) +
                         " and " + std::to_string(in[i].shape(0)));
      }
    }
    const auto finish = [&](Tensor r) {
      Shape s;
      if (!row) s.push_back(r.shape(0));
      if (!col) s.push_back(r.shape(1));
      return reshape(r, s);
    };
    if (n > 256) {
      Tensor r = in[0];
      for (size_t i = 1; i < n; ++i) r = matmul(r, in[i]);
      return finish(r);
    }
    std::vector<double> size(n + 1);
    std::vector<double> cost(n * n, 0);
    std::vector<size_t> cut(n * n, 0);
    for (size_t i = 0; i < n; ++i) size[i] = double(in[i].shape(0));
    size[n] = double(in[n - 1].shape(1));
    for (size_t length = 2; length <= n; ++length) {
      for (size_t i = 0; i + length <= n; ++i) {
        const size_t j = i + length - 1;
        double& best = cost[i * n + j] = HUGE_VAL;
        for (size_t k = i; k < j; ++k) {
          const double c =
              cost[i * n + k] + cost[(k + 1) * n + j] + size[i] * size[k + 1] * size[j + 1];
          if (c < best) {
            best = c;
            cut[i * n + j] = k;
          }
        }
      }
    }
    const auto product = [&](const auto& self, size_t i, size_t j) -> Tensor {
      if (i == j) return in[i];
      const size_t k = cut[i * n + j];
      return matmul(self(self, i, k), self(self, k + 1, j));
    };
    return finish(product(product, 0, n - 1));
  });
}
Tensor gemm(const Tensor& a, const Tensor& b, const std::optional<Tensor>& c,
            const GemmOptions& options) {
  const Tensor in[] = {a, b};
  return named("gemm", "a, b", in, [&] {
    need_matrices(a);
    need_matrices(b);
    Tensor r = matmul(options.a_transpose ? matrix_transpose(a) : a,
                      options.b_transpose ? matrix_transpose(b) : b);
    if (options.alpha != 1) r = r * options.alpha;
    if (!c || options.beta == 0) return r;
    if (ember::broadcast_shapes(c->shape(), r.shape()) != r.shape()) {
      throw ShapeError("c of shape " + to_string(c->shape()) + " does not broadcast to " +
                       to_string(r.shape()));
    }
    const Tensor all[] = {a, b, *c};
    check_kin(all);
    return r + (options.beta == 1 ? *c : *c * options.beta);
  });
}

}  // namespace ops
}  // namespace ember
