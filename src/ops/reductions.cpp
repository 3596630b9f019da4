// Reductions and scans.
#include <cmath>

#include "src/ops/rows.h"

namespace ember {
namespace {

Tensor reduce(OpId op, const char* name, Tensor x, const Axes& axis, bool keepdims,
              double correction = 0) {
  Ints axes;
  try {
    axes = normal_axes(axis, x.ndim());
  } catch (...) {
    rethrow(name, "x", {&x, 1});
  }
  return apply_to(op, ReductionAttr{std::move(axes), keepdims, correction}, std::move(x));
}

// Sums small integers in 64 bits, as the array API requires.
DType accumulator(DType t, Dtype asked) {
  if (asked) return *asked;
  return t == DType::bool_ || is_signed(t) ? DType::int64 : is_unsigned(t) ? DType::uint64 : t;
}

Tensor scan(OpId op, const char* name, Tensor x, std::optional<int64_t> axis,
            bool reverse = false) {
  try {
    if (!axis && x.ndim() != 1) {
      throw ValueError("axis must be given for " + std::to_string(x.ndim()) + " dimensions");
    }
    axis = normal_axis(axis.value_or(0), x.ndim());
  } catch (...) {
    rethrow(name, "x", {&x, 1});
  }
  return apply_to(op, ScanAttr{.axis = *axis, .reverse = reverse}, std::move(x));
}

// Without an axis, the op applies to the flattened tensor.
Tensor arg_extreme(OpId op, const char* name, const Tensor& x, std::optional<int64_t> axis,
                   bool keepdims) {
  try {
    const Tensor from = axis ? x : ops::flatten(x);
    const Tensor r = apply_to(
        op, ArgReductionAttr{normal_axis(axis.value_or(0), from.ndim()), axis && keepdims}, from);
    return axis || !keepdims ? r : ops::reshape(r, Shape(size_t(x.ndim()), 1));
  } catch (...) {
    rethrow(name, "x", {&x, 1});
  }
}

Tensor zeros_slab(const Tensor& x, int64_t axis, double value) {
  Shape s = x.shape();
  s[size_t(normal_axis(axis, x.ndim()))] = 1;
  return ops::full(s, like(x, value), x.dtype());
}

int64_t count_of(const Tensor& x, const Ints& axes) {
  int64_t n = 1;
  for (int64_t a : axes) n *= x.shape()[size_t(a)];
  return n;
}

}  // namespace

namespace ops {

Tensor sum(const Tensor& x, const Axes& axis, bool keepdims, Dtype dtype) {
  return reduce(OpId::sum, "sum", cast_to(x, accumulator(x.dtype(), dtype)), axis, keepdims);
}
Tensor prod(const Tensor& x, const Axes& axis, bool keepdims, Dtype dtype) {
  return reduce(OpId::prod, "prod", cast_to(x, accumulator(x.dtype(), dtype)), axis, keepdims);
}
Tensor mean(const Tensor& x, const Axes& axis, bool keepdims, Dtype dtype) {
  if (dtype && !is_inexact(*dtype)) {
    throw DTypeError("[mean] a mean is a floating-point or complex number, not " +
                     std::string(name(*dtype)));
  }
  return reduce(OpId::mean, "mean", cast_to(x, dtype.value_or(float_of(x.dtype()))), axis,
                keepdims);
}
Tensor var(const Tensor& x, const Axes& axis, double correction, bool keepdims) {
  const bool wide = is_integer(x.dtype()) &&
                    bits_of(x.dtype()) >= 32;  // float32 does not tell such numbers apart
  const Tensor r = reduce(OpId::var, "var", wide ? cast_to(x, DType::float64) : to_float(x), axis,
                          keepdims, correction);
  return wide ? cast_to(r, default_float()) : r;
}
Tensor std(const Tensor& x, const Axes& axis, double correction, bool keepdims) {
  return root(var(x, axis, correction, keepdims));
}
Tensor max(const Tensor& x, const Axes& axis, bool keepdims) {
  return reduce(OpId::max, "max", x, axis, keepdims);
}
Tensor min(const Tensor& x, const Axes& axis, bool keepdims) {
  return reduce(OpId::min, "min", x, axis, keepdims);
}
Tensor all(const Tensor& x, const Axes& axis, bool keepdims) {
  return reduce(OpId::all, "all", x, axis, keepdims);
}
Tensor any(const Tensor& x, const Axes& axis, bool keepdims) {
  return reduce(OpId::any, "any", x, axis, keepdims);
}
Tensor count_nonzero(const Tensor& x, const Axes& axis, bool keepdims) {
  return sum(cast_to(cast_to(x, DType::bool_), DType::int64), axis, keepdims);
}
Tensor logsumexp(const Tensor& x, const Axes& axis, bool keepdims) {
  return reduce(OpId::logsumexp, "logsumexp", to_float(x), axis, keepdims);
}

Tensor argmax(const Tensor& x, std::optional<int64_t> axis, bool keepdims) {
  return arg_extreme(OpId::argmax, "argmax", x, axis, keepdims);
}
Tensor argmin(const Tensor& x, std::optional<int64_t> axis, bool keepdims) {
  return arg_extreme(OpId::argmin, "argmin", x, axis, keepdims);
}

Tensor cumulative_sum(const Tensor& x, std::optional<int64_t> axis, Dtype dtype,
                      bool include_initial, bool reverse, bool exclusive) {
  Tensor r = scan(OpId::cumulative_sum, "cumulative_sum", cast_to(x, accumulator(x.dtype(), dtype)),
                  axis, reverse);
  if (!include_initial && !exclusive) return r;
  const int64_t a = normal_axis(axis.value_or(0), x.ndim());
  const int64_t n = x.shape(a);
  const Tensor zero = zeros_slab(r, a, 0);
  if (include_initial && !exclusive) return reverse ? concat({r, zero}, a) : concat({zero, r}, a);
  if (n == 0) return r;
  return reverse ? concat({slice(r, {1}, {n}, Ints{1}, a), zero}, a)
                 : concat({zero, slice(r, {0}, {n - 1}, Ints{1}, a)}, a);
}
Tensor cumulative_prod(const Tensor& x, std::optional<int64_t> axis, Dtype dtype,
                       bool include_initial) {
  Tensor r = scan(OpId::cumulative_prod, "cumulative_prod",
                  cast_to(x, accumulator(x.dtype(), dtype)), axis);
  if (!include_initial) return r;
  const int64_t a = normal_axis(axis.value_or(0), x.ndim());
  return concat({zeros_slab(r, a, 1), r}, a);
}
Tensor cummax(const Tensor& x, std::optional<int64_t> axis) {
  return scan(OpId::cummax, "cummax", x, axis);
}
Tensor cummin(const Tensor& x, std::optional<int64_t> axis) {
  return scan(OpId::cummin, "cummin", x, axis);
}
// Running sums by doubling: the k-th step adds the sums that end 2^k elements earlier. logaddexp is
// relative to the larger of two, so no element underflows against a larger one that comes later.
Tensor logcumsumexp(const Tensor& x, int64_t axis) {
  Tensor r = widen(to_float(x));
  try {
    const size_t a = size_t(normal_axis(axis, x.ndim()));
    const int64_t n = x.shape()[a];
    for (int64_t by = 1; by < n; by *= 2) {
      Ints before(2 * size_t(x.ndim()), 0);
      before[2 * a] = by;
      const Tensor moved = pad(slice(r, {0}, {n - by}, Ints{1}, Ints{int64_t(a)}), before,
                               "constant", like(r, -HUGE_VAL));
      r = logaddexp(r, moved);
    }
  } catch (...) {
    rethrow("logcumsumexp", "x", {&x, 1});
  }
  return cast_to(r, to_float(x).dtype());
}

}  // namespace ops

namespace {

// ---- Gradients ----
using namespace ops;

// Restores the reduced axes with length 1.
Tensor with_axes(const Tensor& r, const Tensor& x, const Attrs& attrs) {
  return reshape(r, reduced_shape(x.shape(), attrs.as<ReductionAttr>().axes, true));
}
double elements_of(const Tensor& x, const Attrs& attrs) {
  double n = 1;
  for (int64_t a : attrs.as<ReductionAttr>().axes) n *= double(x.shape(a));
  return n;
}

// Equal extremes share the gradient: max of [3, 1, 3] gives [g/2, 0, g/2].
Gradients vjp_extreme(const Vjp& v) {
  const Tensor& x = v.x[0];
  const Tensor ties = cast_to(x == with_axes(v.y[0], x, v.attrs), x.dtype());
  return {ties *
          (with_axes(v.g[0], x, v.attrs) / sum(ties, v.attrs.as<ReductionAttr>().axes, true))};
}

Tensor shifted(const Tensor& x, int64_t axis, int64_t by,
               double fill) {  // towards the end if by > 0, what comes in is fill
  const int64_t n = x.shape(axis);
  const int64_t k = std::min(std::abs(by), n);
  Shape s = x.shape();
  s[size_t(axis)] = k;
  const Tensor edge = full(s, like(x, fill), x.dtype());
  if (k == n) return edge;
  const Tensor rest =
      by > 0 ? slice(x, {0}, {n - k}, Ints{1}, axis) : slice(x, {k}, {n}, Ints{1}, axis);
  return by > 0 ? concat({edge, rest}, axis) : concat({rest, edge}, axis);
}
// For each element the product of all others along an axis, without division, so zeros are allowed:
// [2, 0, 3] gives [0, 6, 0].
Tensor product_of_others(const Tensor& x, int64_t axis) {
  const Tensor before = cumulative_prod(shifted(x, axis, 1, 1), axis);
  const Tensor after =
      flip(cumulative_prod(flip(shifted(x, axis, -1, 1), Ints{axis}), axis), Ints{axis});
  return before * after;
}
Gradients vjp_prod(const Vjp& v) {
  const Tensor& x = v.x[0];
  const Ints& axes = v.attrs.as<ReductionAttr>().axes;
  Ints order;
  Ints back(size_t(x.ndim()));
  Shape outer;
  for (int64_t i = 0; i < x.ndim(); ++i) {
    if (std::find(axes.begin(), axes.end(), i) == axes.end()) {
      order.push_back(i);
      outer.push_back(x.shape(i));
    }
  }
  for (int64_t a : axes) order.push_back(a);
  for (size_t i = 0; i < order.size(); ++i) back[size_t(order[i])] = int64_t(i);
  const Tensor moved = transpose(x, order);
  Shape flat = outer;
  flat.push_back(int64_t(elements_of(x, v.attrs)));
  const Tensor others =
      reshape(product_of_others(reshape(moved, flat), int64_t(outer.size())), moved.shape());
  return {with_axes(v.g[0], x, v.attrs) * cj(transpose(others, back))};
}

// s[k] = g[k] + x[k+1] * s[k+1], by doubling: each step combines runs of twice the length.
Tensor backward_recurrence(Tensor g, const Tensor& x, int64_t axis) {
  Tensor factor = shifted(x, axis, -1, 0);
  for (int64_t by = 1; by < x.shape(axis); by *= 2) {
    g = g + factor * shifted(g, axis, -by, 0);
    factor = factor * shifted(factor, axis, -by, 0);
  }
  return g;
}
Gradients vjp_cumulative_prod(const Vjp& v) {
  const int64_t axis = v.attrs.as<ScanAttr>().axis;
  const Tensor x = cj(v.x[0]);
  return {cumulative_prod(shifted(x, axis, 1, 1), axis) * backward_recurrence(v.g[0], x, axis)};
}

// The gradient goes to the last element that set the running extreme.
Gradients vjp_running_extreme(const Vjp& v) {
  const Tensor& x = v.x[0];
  const int64_t axis = v.attrs.as<ScanAttr>().axis;
  Shape s(size_t(x.ndim()), 1);
  s[size_t(axis)] = x.shape(axis);
  const Tensor places = reshape(arange(0, x.shape(axis), 1, DType::int64), s);
  const Tensor holder = cummax(where(x == v.y[0], places, int64_t(0)), axis);
  return {apply_to(OpId::scatter_elements, ScatterAttr{axis, Mode::add}, zeros_like(x), holder,
                   v.g[0])};
}

Gradients vjp_sum(const Vjp& v) {
  return {broadcast_to(with_axes(v.g[0], v.x[0], v.attrs), v.x[0].shape())};
}
Gradients vjp_mean(const Vjp& v) {
  const Tensor g = with_axes(v.g[0], v.x[0], v.attrs) / elements_of(v.x[0], v.attrs);
  return {broadcast_to(g, v.x[0].shape())};
}
Gradients vjp_var(const Vjp& v) {
  const auto& a = v.attrs.as<ReductionAttr>();
  const Tensor& x = v.x[0];
  const double divisor = std::max(elements_of(x, v.attrs) - a.correction, 0.0);
  return {(x - mean(x, a.axes, true)) * (with_axes(v.g[0], x, v.attrs) * (2 / divisor))};
}
Gradients vjp_logsumexp(const Vjp& v) {
  const Tensor& x = v.x[0];
  const Tensor y = with_axes(v.y[0], x, v.attrs);
  return {with_axes(v.g[0], x, v.attrs) * exp(x - where(isfinite(y), y, 0.0))};
}
Gradients vjp_cumulative_sum(const Vjp& v) {
  const auto& a = v.attrs.as<ScanAttr>();
  return {apply_to(OpId::cumulative_sum, ScanAttr{.axis = a.axis, .reverse = !a.reverse}, v.g[0])};
}

}  // namespace

namespace {
using binder::fn;

Type infer_reduce(Inputs in, const Attrs& attrs) {
  const auto& a = attrs.as<ReductionAttr>();
  return {in[0].dtype(), reduced_shape(in[0].shape(), a.axes, a.keepdims)};
}
Type infer_extreme(Inputs in, const Attrs& attrs) {
  for (int64_t a : attrs.as<ReductionAttr>().axes) {
    if (in[0].shape()[size_t(a)] == 0) {
      throw ValueError("an axis of length 0 has no largest or smallest element");
    }
  }
  return infer_reduce(in, attrs);
}
Type infer_truth(Inputs in, const Attrs& attrs) {
  return {DType::bool_, infer_reduce(in, attrs).shape};
}
Type infer_real(Inputs in, const Attrs& attrs) {
  Type t = infer_reduce(in, attrs);
  t.dtype = real_of(t.dtype);
  return t;
}
Type infer_arg(Inputs in, const Attrs& attrs) {
  const auto& a = attrs.as<ArgReductionAttr>();
  if (in[0].shape()[size_t(a.axis)] == 0) {
    throw ValueError("an axis of length 0 has no largest or smallest element");
  }
  return {DType::int64, reduced_shape(in[0].shape(), {a.axis}, a.keepdims)};
}
Type infer_same(Inputs in, const Attrs&) { return {in[0].dtype(), in[0].shape()}; }

Tensors compose_mean(Inputs in, const Attrs& attrs) {
  const auto& a = attrs.as<ReductionAttr>();
  const Tensor x = widen(in[0]);
  return {cast_to(ops::sum(x, a.axes, a.keepdims) / like(x, double(count_of(x, a.axes))),
                  in[0].dtype())};
}
Tensors compose_var(Inputs in, const Attrs& attrs) {
  const auto& a = attrs.as<ReductionAttr>();
  const Tensor x = widen(in[0]);
  const Tensor d = x - ops::mean(x, a.axes, true);
  const Tensor d2 = is_complex(d.dtype()) ? ops::square(ops::real(d)) + ops::square(ops::imag(d))
                                          : ops::square(d);
  const double n = double(count_of(x, a.axes)) - a.correction;
  return {
      cast_to(ops::sum(d2, a.axes, a.keepdims) / like(d2, n > 0 ? n : 0), real_of(in[0].dtype()))};
}
Tensors compose_logsumexp(Inputs in, const Attrs& attrs) {
  const auto& a = attrs.as<ReductionAttr>();
  const Tensor x = widen(in[0]);
  if (count_of(x, a.axes) == 0) return {ops::log(ops::sum(in[0], a.axes, a.keepdims))};
  const Tensor top = ops::max(x, a.axes, true);
  const Tensor safe = ops::where(ops::isfinite(top), top, like(x, 0));
  Tensor r = ops::log(ops::sum(ops::exp(x - safe), a.axes, true)) + safe;
  if (!a.keepdims) r = ops::reshape(r, reduced_shape(x.shape(), a.axes, false));
  return {cast_to(r, in[0].dtype())};
}

// NumPy's older names flatten without an axis; the array API's functions require one for several
// dimensions.
Tensor cumsum(const Tensor& x, std::optional<int64_t> axis, Dtype dtype, bool include_initial,
              bool reverse, bool exclusive) {
  return ops::cumulative_sum(axis || x.ndim() < 2 ? x : ops::flatten(x), axis, dtype,
                             include_initial, reverse, exclusive);
}
Tensor cumprod(const Tensor& x, std::optional<int64_t> axis, Dtype dtype, bool include_initial) {
  return ops::cumulative_prod(axis || x.ndim() < 2 ? x : ops::flatten(x), axis, dtype,
                              include_initial);
}

#define NODE(op, a, d, k, i, ...) \
  GRAPH_OP(op, a, d, .arity = {1, 1}, .kinds = k, .infer = i __VA_OPT__(, ) __VA_ARGS__)
#define REDUCE(op, a, d, k, i, ...)                                      \
  GRAPH_OP(op, a, d, .traits = t_reduction, .arity = {1, 1}, .kinds = k, \
           .infer = i __VA_OPT__(, ) __VA_ARGS__)
const Row rows[] = {
    REDUCE(sum, "x, axis=None, keepdims=False, dtype=None",
           "Sum over axes; small integers are added in 64 bits.", k_any, infer_reduce,
           .vjp = vjp_sum, .reads = reads_none),
    REDUCE(prod, "x, axis=None, keepdims=False, dtype=None",
           "Product over axes; small integers are multiplied in 64 bits.", k_any, infer_reduce,
           .vjp = vjp_prod, .reads = reads_x),
    REDUCE(mean, "x, axis=None, keepdims=False, dtype=None",
           "Arithmetic mean over axes; integers give the default float.", k_inexact, infer_reduce,
           .compose = compose_mean, .vjp = vjp_mean, .reads = reads_none),
    REDUCE(var, "x, axis=None, correction=0, keepdims=False",
           "Variance over axes: squared deviations divided by n - correction.", k_inexact,
           infer_real, .compose = compose_var, .vjp = vjp_var, .reads = reads_x),
    FUN(std, "x, axis=None, correction=0, keepdims=False",
        "Standard deviation over axes: the square root of var."),
    REDUCE(max, "x, axis=None, keepdims=False",
           "Largest element over axes; NaN if any element is NaN.", k_real, infer_extreme,
           .vjp = vjp_extreme, .reads = reads_x | reads_y),
    REDUCE(min, "x, axis=None, keepdims=False",
           "Smallest element over axes; NaN if any element is NaN.", k_real, infer_extreme,
           .vjp = vjp_extreme, .reads = reads_x | reads_y),
    REDUCE(all, "x, axis=None, keepdims=False", "True if all elements over axes are nonzero.",
           k_any, infer_truth),
    REDUCE(any, "x, axis=None, keepdims=False", "True if any element over axes is nonzero.", k_any,
           infer_truth),
    FUN(count_nonzero, "x, axis=None, keepdims=False", "Number of nonzero elements over axes."),
    REDUCE(logsumexp, "x, axis=None, keepdims=False",
           "log(sum(exp(x))) over axes, without overflow.", k_float, infer_reduce,
           .compose = compose_logsumexp, .vjp = vjp_logsumexp, .reads = reads_x | reads_y),
    REDUCE(argmax, "x, axis=None, keepdims=False",
           "Index of the first largest element along an axis, or of the flattened tensor.", k_real,
           infer_arg),
    REDUCE(argmin, "x, axis=None, keepdims=False",
           "Index of the first smallest element along an axis, or of the flattened tensor.", k_real,
           infer_arg),
    NODE(cumulative_sum,
         "x, axis=None, dtype=None, include_initial=False, reverse=False, exclusive=False",
         "Running sum along an axis.", k_any, infer_same, .vjp = vjp_cumulative_sum,
         .reads = reads_none),
    NODE(cumulative_prod, "x, axis=None, dtype=None, include_initial=False",
         "Running product along an axis.", k_any, infer_same, .vjp = vjp_cumulative_prod,
         .reads = reads_x),
    {.name = "cumsum",
     .args = "x, axis=None, dtype=None, include_initial=False, reverse=False, exclusive=False",
     .doc = "Running sum along an axis, or of the flattened tensor.",
     .call = fn<cumsum>},
    {.name = "cumprod",
     .args = "x, axis=None, dtype=None, include_initial=False",
     .doc = "Running product along an axis, or of the flattened tensor.",
     .call = fn<cumprod>},
    NODE(cummax, "x, axis=None", "Running maximum along an axis.", k_real, infer_same,
         .vjp = vjp_running_extreme, .reads = reads_x | reads_y),
    NODE(cummin, "x, axis=None", "Running minimum along an axis.", k_real, infer_same,
         .vjp = vjp_running_extreme, .reads = reads_x | reads_y),
    FUN(logcumsumexp, "x, axis=-1", "Running log(sum(exp(x))) along an axis, without overflow."),
};
#undef NODE
#undef REDUCE
}  // namespace

std::span<const Row> reduction_rows() { return rows; }

}  // namespace ember
