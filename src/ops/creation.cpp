// Creation. A filled tensor is a broadcast scalar, so its value is not part of the structure key.
#include <cmath>

#include "src/ops/views.h"

namespace ember {

Tensor strong(Tensor x) {
  const Node& n = *x.node();
  if (!n.weak) return x;
  if (n.op == OpId::scalar) return make_scalar(n.scalar, n.dtype, false);
  return apply_to(OpId::copy, {}, std::move(x));
}
// The dtype of a scalar that meets no tensor.
DType natural_dtype(const Tensor& x) {
  return x.node()->weak && is_complex(x.dtype()) ? complex_of(default_float()) : x.dtype();
}
Tensor typed(const Tensor& value, DType t) {
  const DType from = value.dtype();
  if (is_complex(from) && !is_complex(t) && t != DType::bool_) {
    throw DTypeError("cannot convert a complex number to " + std::string(name(t)) +
                     ": use real or abs first");
  }
  if (!is_inexact(from) || is_inexact(t) || t == DType::bool_) return cast_to(value, t);
  Tensor in[] = {value};
  return apply_typed(OpId::cast, in, {t, value.shape()});
}
Tensor index_range(int64_t n) { return apply_new(OpId::arange, {DType::int64, {n}}); }

namespace {

Tensor filled(const Shape& shape, const Tensor& value, DType dtype) {
  check_size(shape, dtype);
  return ops::broadcast_to(strong(typed(value, dtype)), shape);
}

constexpr double max_exact = 9007199254740992;  // 2^53
bool exact(double v) { return std::abs(v) <= max_exact && v == std::trunc(v); }
Tensor float64_scalar(double v) { return cast_to(Tensor(v), DType::float64); }

// The largest n for which a float dtype represents all integers up to n.
double whole_limit(DType t) {
  switch (real_of(t)) {
    case DType::bfloat16: return 256;
    case DType::float16: return 2048;
    case DType::float32: return 16777216;
    default: return max_exact;
  }
}

void need_number(DType t) {
  if (t == DType::bool_) throw DTypeError("takes numeric dtypes, not bool");
}

bool fits(__int128 v, DType t) {
  if (!is_integer(t)) return true;
  const int bits = bits_of(t);
  return is_unsigned(t) ? v >= 0 && v >> bits == 0
                        : v >= -(__int128(1) << (bits - 1)) && v < __int128(1) << (bits - 1);
}

Tensor arange_whole(int64_t start, int64_t stop, int64_t step, DType dtype) {
  need_number(dtype);
  if (step == 0) throw ValueError("the step cannot be 0");
  const __int128 span = __int128(stop) - start;
  const __int128 count = step > 0 ? (span + step - 1) / step : (span + step + 1) / step;
  const __int128 n = (step > 0) == (span > 0) && span != 0 ? count : 0;
  if (n > INT64_MAX) throw ShapeError("the range has too many elements");
  if (n > 0 && !(fits(start, dtype) && fits(start + (n - 1) * step, dtype))) {
    throw ValueError("the range " + std::to_string(start) + " to " + std::to_string(stop) +
                     " does not fit " + std::string(name(dtype)));
  }
  check_size({int64_t(n)}, std::max(dtype, DType::int64));
  if (start == 0 && step == 1) return apply_new(OpId::arange, {dtype, {int64_t(n)}});
  Tensor r = index_range(int64_t(n));
  if (step != 1) r = r * Tensor(step);
  if (start != 0) r = r + Tensor(start);
  return cast_to(r, dtype);
}

// Computed in the dtype itself if it represents all integers up to both ends, otherwise in float64
// and rounded once.
Tensor arange_real(double start, double stop, double step, DType dtype) {
  need_number(dtype);
  if (step == 0) throw ValueError("the step cannot be 0");
  if (!std::isfinite(start) || !std::isfinite(stop) || !std::isfinite(step)) {
    throw ValueError("start, stop and step must be finite");
  }
  const double length = std::ceil((stop - start) / step);
  if (!(length < 4611686018427387904.0)) {
    throw ValueError("a range of " + std::to_string(length) + " elements is too long");
  }
  const int64_t n = length > 0 ? int64_t(length) : 0;
  const double limit = whole_limit(dtype);
  const bool direct = is_inexact(dtype) && exact(start) && exact(step) &&
                      std::abs(start) <= limit &&
                      std::abs(start) + double(n) * std::abs(step) <= limit;
  Tensor r = apply_new(OpId::arange, {direct ? dtype : DType::float64, {n}});
  if (step != 1) r = r * (direct ? Tensor(step) : float64_scalar(step));
  if (start != 0) r = r + (direct ? Tensor(start) : float64_scalar(start));
  return cast_to(r, dtype);
}

// i * step + start in float64. The last point is exactly stop if stop is included.
Tensor points(double start, double stop, int64_t num, bool endpoint) {
  if (num < 0) throw ValueError("num cannot be negative: " + std::to_string(num));
  check_size({num}, DType::float64);
  const Tensor i = apply_new(OpId::arange, {DType::float64, {num}});
  const double gaps = double(endpoint ? num - 1 : num);
  const double span = stop - start;
  const double step = span / gaps;
  if (num == 0 || gaps == 0) return i * float64_scalar(0) + float64_scalar(start);
  // Where step underflows, i * (1 / n) * span keeps the points distinct.
  const Tensor y =
      (step == 0 ? i / float64_scalar(gaps) * float64_scalar(span) : i * float64_scalar(step)) +
      float64_scalar(start);
  return endpoint ? ops::where(i == float64_scalar(gaps), float64_scalar(stop), y) : y;
}

// True where column - row <= k, the lower triangle. k is clamped to the range that makes a
// difference.
Tensor lower(int64_t rows, int64_t cols, int64_t k) {
  check_size({rows, cols}, DType::bool_);
  const Tensor i = ops::reshape(index_range(rows), {rows, 1});
  const Tensor j = index_range(cols);
  return j <= i + Tensor(std::clamp(k, -rows - 1, cols));
}
Tensor zero_of(DType t) { return cast_to(Tensor(0), t); }
std::tuple<Tensor, Tensor> places(const Tensor& mask) {
  const Tensors at = ops::nonzero(mask);
  return {at[0], at[1]};
}
void need_matrix(const Tensor& x) {
  if (x.ndim() < 2) throw ShapeError("needs at least two dimensions");
}

}  // namespace

namespace ops {

Tensor asarray(const Tensor& x, Dtype dtype, std::optional<bool> copy) {
  return named("asarray", x, [&]() -> Tensor {
    const DType t = dtype.value_or(natural_dtype(x));
    if (copy && !*copy && t != x.dtype()) {
      throw ValueError("copy=False cannot change the dtype from " + std::string(name(x.dtype())) +
                       " to " + std::string(name(t)));
    }
    const Tensor r = strong(typed(x, t));
    return copy && *copy && t == x.dtype() ? ops::copy(r) : r;
  });
}
Tensor astype(const Tensor& x, DType dtype, bool) {
  return named("astype", x, [&] { return strong(typed(x, dtype)); });
}
Tensor copy(const Tensor& x) { return apply_to(OpId::copy, {}, x); }

Tensor full(const Shape& shape, const Tensor& value, Dtype dtype) {
  return named("full", "fill_value", {&value, 1},
               [&] { return filled(shape, value, dtype.value_or(natural_dtype(value))); });
}
Tensor zeros(const Shape& shape, DType dtype) {
  return named("zeros", [&] { return filled(shape, 0, dtype); });
}
Tensor ones(const Shape& shape, DType dtype) {
  return named("ones", [&] { return filled(shape, 1, dtype); });
}
Tensor empty(const Shape& shape, DType dtype) {
  return named("empty", [&] { return filled(shape, 0, dtype); });
}
Tensor full_like(const Tensor& x, const Tensor& value, Dtype dtype) {
  return named("full_like", x, [&] { return filled(x.shape(), value, dtype.value_or(x.dtype())); });
}
Tensor zeros_like(const Tensor& x, Dtype dtype) { return full_like(x, 0, dtype); }
Tensor ones_like(const Tensor& x, Dtype dtype) { return full_like(x, 1, dtype); }
Tensor empty_like(const Tensor& x, Dtype dtype) { return full_like(x, 0, dtype); }

Tensor arange(double start, std::optional<double> stop, double step, Dtype dtype) {
  return named("arange", [&] {
    const double from = stop ? start : 0;
    const double to = stop.value_or(start);
    const bool whole = exact(from) && exact(to) && exact(step);
    const DType t = dtype.value_or(whole ? DType::int64 : default_float());
    return whole && is_integer(t) ? arange_whole(int64_t(from), int64_t(to), int64_t(step), t)
                                  : arange_real(from, to, step, t);
  });
}
Tensor linspace(double start, double stop, int64_t num, bool endpoint, DType dtype) {
  return named("linspace", [&] {
    need_number(dtype);
    const Tensor y = points(start, stop, num, endpoint);
    return cast_to(is_integer(dtype) ? floor(y) : y, dtype);
  });
}
Tensor logspace(double start, double stop, int64_t num, bool endpoint, double base, DType dtype) {
  return named("logspace", [&] {
    need_number(dtype);
    return cast_to(pow(float64_scalar(base), points(start, stop, num, endpoint)), dtype);
  });
}

Tensor eye(int64_t n_rows, std::optional<int64_t> n_cols, int64_t k, DType dtype) {
  return named("eye", [&] {
    const int64_t rows = n_rows;
    const int64_t cols = n_cols.value_or(rows);
    check_size({rows, cols}, dtype);
    return cast_to(reshape(index_range(rows), {rows, 1}) + Tensor(std::clamp(k, -rows, cols)) ==
                       index_range(cols),
                   dtype);
  });
}
Tensor tri(int64_t n, std::optional<int64_t> m, int64_t k, DType dtype) {
  return named("tri", [&] { return cast_to(lower(n, m.value_or(n), k), dtype); });
}
Tensor tril(const Tensor& x, int64_t k) {
  return named("tril", x, [&] {
    need_matrix(x);
    return where(lower(x.shape(-2), x.shape(-1), k), x, zero_of(x.dtype()));
  });
}
Tensor triu(const Tensor& x, int64_t k) {
  return named("triu", x, [&] {
    need_matrix(x);
    return where(lower(x.shape(-2), x.shape(-1), k == INT64_MIN ? k : k - 1), zero_of(x.dtype()),
                 x);
  });
}
std::tuple<Tensor, Tensor> tril_indices(int64_t n, int64_t k, std::optional<int64_t> m) {
  return named("tril_indices", [&] { return places(lower(n, m.value_or(n), k)); });
}
std::tuple<Tensor, Tensor> triu_indices(int64_t n, int64_t k, std::optional<int64_t> m) {
  return named("triu_indices", [&] {
    return places(logical_not(lower(n, m.value_or(n), k == INT64_MIN ? k : k - 1)));
  });
}
Tensor diag(const Tensor& x, int64_t k) {
  return named("diag", x, [&] {
    if (x.ndim() == 2) return diagonal(x, k, 0, 1);
    if (x.ndim() != 1) throw ShapeError("needs one or two dimensions");
    int64_t n;
    if (k < 0 ? __builtin_sub_overflow(x.size(), k, &n) : __builtin_add_overflow(x.size(), k, &n)) {
      throw ShapeError("the matrix has too many elements");
    }
    check_size({n, n}, x.dtype());
    const Tensor blank = zeros({n * n}, x.dtype());
    if (x.size() == 0) return reshape(blank, {n, n});
    return reshape(slice_update(blank, x, {k < 0 ? -k * n : k}, Ints{n + 1}), {n, n});
  });
}
Tensor one_hot(const Tensor& indices, int64_t depth, int64_t axis, DType dtype) {
  return named("one_hot", "indices", {&indices, 1}, [&] {
    if (depth < 0) throw ValueError("depth cannot be negative: " + std::to_string(depth));
    const int64_t n = indices.ndim() + 1;
    const int64_t a = normal_axis(axis, n);
    Shape s(size_t(n), 1);
    s[size_t(a)] = depth;
    return cast_to(expand_dims(to_index(indices), {a}) == reshape(index_range(depth), s), dtype);
  });
}
Tensors meshgrid(const Tensors& arrays, std::string_view indexing) {
  return named("meshgrid", "", arrays, [&] {
    if (indexing != "xy" && indexing != "ij") {
      throw ValueError("indexing must be xy or ij, not '" + std::string(indexing.substr(0, 40)) +
                       "'");
    }
    const size_t n = arrays.size();
    Shape s;
    for (const Tensor& t : arrays) {
      if (t.ndim() > 1) throw ShapeError("takes vectors, not shape " + to_string(t.shape()));
      s.push_back(t.size());
    }
    const bool swap = indexing == "xy" && n > 1;
    if (swap) std::swap(s[0], s[1]);
    Tensors r;
    for (size_t i = 0; i < n; ++i) {
      Shape along(n, 1);
      along[swap && i < 2 ? 1 - i : i] = arrays[i].size();
      r.push_back(broadcast_to(reshape(arrays[i], along), s));
    }
    return r;
  });
}
// Running products, which are exact for integers and complex numbers wherever multiplication is.
Tensor vander(const Tensor& x, std::optional<int64_t> n, bool increasing) {
  return named("vander", x, [&]() -> Tensor {
    if (x.ndim() != 1) throw ShapeError("needs one dimension");
    const int64_t rows = x.size();
    const int64_t cols = n.value_or(rows);
    if (cols < 0) throw ValueError("n cannot be negative: " + std::to_string(cols));
    const DType t = is_inexact(x.dtype()) ? x.dtype() : promote(x.dtype(), DType::int64);
    if (cols == 0) return zeros({rows, 0}, t);
    const Tensor base = broadcast_to(reshape(cast_to(x, t), {rows, 1}), {rows, cols - 1});
    const Tensor powers = cumulative_prod(concat({ones({rows, 1}, t), base}, 1), 1, t);
    return increasing ? powers : flip(powers, 1);
  });
}

}  // namespace ops

namespace {
using binder::fn;

Type infer_copy(Inputs in, const Attrs&) { return {in[0].dtype(), in[0].shape()}; }

// Integer arguments give integers, computed exactly; one float argument gives floats.
Tensor arange_any(const Arg& start, const Arg& stop, const Arg& step, Dtype dtype) {
  const auto* from = std::get_if<int64_t>(stop.none() ? &step : &start);
  const auto* to = std::get_if<int64_t>(stop.none() ? &start : &stop);
  const auto* by = std::get_if<int64_t>(&step);
  if (from && to && by) {
    const DType t = dtype.value_or(DType::int64);
    if (is_integer(t)) return arange_whole(stop.none() ? 0 : *from, *to, *by, t);
  }
  const auto number = [](const char* name, const Arg& a) {
    return binder::From<double>::get({.name = name}, a);
  };
  const std::optional<double> end = stop.none() ? std::optional<double>() : number("stop", stop);
  const DType t = dtype.value_or(from && to && by ? DType::int64 : default_float());
  return ops::arange(number("start", start), end, number("step", step), t);
}

const Row rows[] = {
    FUN(asarray, "x, dtype=None, copy=None", "x as a tensor, converted to dtype if one is given."),
    FUN(zeros, "shape, dtype=float", "A tensor of zeros."),
    FUN(ones, "shape, dtype=float", "A tensor of ones."),
    FUN(full, "shape, fill_value, dtype=None", "A tensor with every element equal to fill_value."),
    FUN(empty, "shape, dtype=float", "A tensor of zeros; memory is never uninitialized."),
    FUN(zeros_like, "x, dtype=None", "Zeros with the shape of x."),
    FUN(ones_like, "x, dtype=None", "Ones with the shape of x."),
    FUN(full_like, "x, fill_value, dtype=None",
        "A tensor with the shape of x and every element equal to fill_value."),
    FUN(empty_like, "x, dtype=None", "Zeros with the shape of x."),
    FUN(eye, "n_rows, n_cols=None, k=0, dtype=float",
        "Ones on the k-th diagonal, zeros elsewhere."),
    {.name = "arange",
     .args = "start, stop=None, step=1, dtype=None",
     .doc = "start, start + step, start + 2 * step, ..., stop excluded; one argument is stop.",
     .call = fn<arange_any>,
     .id = OpId::arange},
    FUN(linspace, "start, stop, num=50, endpoint=True, dtype=float",
        "num evenly spaced numbers from start to stop."),
    FUN(logspace, "start, stop, num=50, endpoint=True, base=10.0, dtype=float",
        "base raised to num evenly spaced exponents from start to stop."),
    FUN(meshgrid, "*arrays, indexing=\"xy\"", "Coordinate grids from coordinate vectors."),
    FUN(tril, "x, k=0", "Lower triangles of matrices: zero above the k-th diagonal."),
    FUN(triu, "x, k=0", "Upper triangles of matrices: zero below the k-th diagonal."),
    FUN(tri, "n, m=None, k=0, dtype=float",
        "Matrix with ones at and below the k-th diagonal and zeros above it."),
    {.name = "tril_indices",
     .args = "n, k=0, m=None -> rows, columns",
     .doc = "Row and column indices of the lower triangle of an n by m matrix.",
     .call = fn<ops::tril_indices>,
     .eager = true},
    {.name = "triu_indices",
     .args = "n, k=0, m=None -> rows, columns",
     .doc = "Row and column indices of the upper triangle of an n by m matrix.",
     .call = fn<ops::triu_indices>,
     .eager = true},
    FUN(diag, "x, k=0",
        "Matrix with the vector x on its k-th diagonal, or the k-th diagonal of the matrix x."),
    FUN(one_hot, "indices, depth, axis=-1, dtype=float",
        "1 at each index along a new axis and 0 elsewhere; all 0 for an index out of range."),
    {.name = "copy",
     .args = "x",
     .doc = "Copy of x that shares no memory with it.",
     .call = fn<ops::copy>,
     .id = OpId::copy,
     .traits = t_movement,
     .arity = {1, 1},
     .infer = infer_copy,
     VJP1(reads_none, g)},
    {.name = "astype",
     .args = "x, dtype, copy=True",
     .doc = "x converted to dtype.",
     .call = fn<ops::astype>,
     .id = OpId::cast,
     .traits = t_elementwise,
     .arity = {1, 1},
     VJP1(reads_none, g)},
    FUN(vander, "x, n=None, increasing=False",
        "Vandermonde matrix: powers of a vector's elements as columns."),
};
}  // namespace

std::span<const Row> creation_rows() { return rows; }

}  // namespace ember
