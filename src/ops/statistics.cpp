// Statistics: quantiles, counts, differences and reductions that skip NaN. All are functions over
// other ops.
#include <cmath>
#include <numbers>

#include "src/ops/products.h"

namespace ember {
namespace {

constexpr double infinity = HUGE_VAL, not_a_number = std::numeric_limits<double>::quiet_NaN();

void need_real(const Tensor& x) {
  if (is_complex(x.dtype())) {
    throw DTypeError("takes real dtypes, not " + std::string(name(x.dtype())));
  }
}

// Moves the reduced axes to the end and merges them.
struct Lines {
  Tensor x;
  int64_t n;
  Shape out;  // of a result with one element for each line
};
Lines lines(const Tensor& x, const Axes& axis, bool keepdims) {
  const Ints axes = normal_axes(axis, x.ndim());
  Ints order;
  Shape s;
  for (int64_t i = 0; i < x.ndim(); ++i) {
    if (std::find(axes.begin(), axes.end(), i) == axes.end()) {
      order.push_back(i);
      s.push_back(x.shape(i));
    }
  }
  order.append(axes.begin(), axes.end());
  const int64_t n = count_over(x, axes);
  s.push_back(n);
  return {ops::reshape(ops::transpose(x, order), s), n, reduced_shape(x.shape(), axes, keepdims)};
}
Tensor at(const Tensor& x, int64_t i) { return sliced(x, x.ndim() - 1, {i, 1, 1}); }

// Interpolates between neighbours a <= b without a + b or b - a, which may overflow or, for
// infinities, be NaN.
Tensor between(const Tensor& a, const Tensor& b, const Tensor& weight) {
  return ops::where(weight == 0.0, a, ops::clip(a * (Tensor(1.0) - weight) + b * weight, a, b));
}
Tensor middle(const Tensor& a, const Tensor& b) {
  return cast_to(widen(a) * 0.5 + widen(b) * 0.5, a.dtype());
}
// Sorting puts NaN last; a line that contains NaN has the result NaN.
Tensor unless_nan(const Tensor& sorted, const Tensor& r) {
  if (!is_inexact(sorted.dtype())) return r;
  return ops::where(ops::isnan(at(sorted, sorted.shape(-1) - 1)), like(r, not_a_number), r);
}

Tensor quantile_of(const Tensor& given, const Tensor& q, const Axes& axis, bool keepdims,
                   std::string_view method, double whole) {
  need_real(given);
  need_real(q);
  const bool picks = method == "lower" || method == "higher" || method == "nearest";
  if (!picks && method != "linear" && method != "midpoint") {
    throw ValueError("method must be linear, lower, higher, midpoint or nearest, not '" +
                     std::string(method.substr(0, 40)) + "'");
  }
  const std::vector<double> where = cast_to(q, DType::float64).to_vector<double>();
  for (double v : where) {
    if (!(v >= 0 && v <= whole)) {
      throw ValueError("q must be 0 to " + std::to_string(int(whole)) + ", not " +
                       std::to_string(v));
    }
  }
  Lines l = lines(picks && given.size() ? given : to_float(given), axis, keepdims);
  Shape out = q.shape();
  out.append(l.out.begin(), l.out.end());
  const DType t = l.x.dtype();
  if (l.n == 0) return ops::full(out, not_a_number, t);
  std::vector<int64_t> low;
  std::vector<int64_t> high;
  std::vector<double> weight;
  for (double v : where) {
    const double place = v / whole * double(l.n - 1);
    const double first = std::floor(place);
    const double pick = method == "lower"    ? first
                        : method == "higher" ? std::ceil(place)
                                             : std::nearbyint(place);
    low.push_back(int64_t(picks ? pick : first));
    high.push_back(std::min(low.back() + 1, l.n - 1));
    weight.push_back(method == "linear" ? place - first : place == first ? 0 : 0.5);
  }
  const Tensor sorted = ops::sort(l.x, -1);
  const Tensor a = ops::take(sorted, array(low), -1);
  Tensor r = a;
  if (!picks) {
    const Tensor wide = widen(a);
    Tensor w = cast_to(array(weight), wide.dtype());
    if (method == "linear") {  // the weights are linear in q between two elements
      const double slope = double(l.n - 1) / whole;
      w = with_gradient(w, {q}, [slope, shape = q.shape()](const Tensor& g) {
        return Tensors{ops::reshape(g * slope, shape)};
      });
    }
    r = cast_to(between(wide, widen(ops::take(sorted, array(high), -1)), w), t);
  }
  return ops::reshape(ops::moveaxis(unless_nan(sorted, r), {-1}, {0}), out);
}

Tensor nan_mask(const Tensor& x) { return ops::isnan(x); }
Tensor without_nan(const Tensor& x, double instead) {
  return is_inexact(x.dtype()) ? ops::where(nan_mask(x), like(x, instead), x) : x;
}
Tensor valid_count(const Tensor& x, const Axes& axis, bool keepdims, DType t) {
  return cast_to(ops::sum(ops::logical_not(nan_mask(x)), axis, keepdims), t);
}
void need_elements(const Tensor& x, const Axes& axis) {
  for (int64_t a : normal_axes(axis, x.ndim())) {
    if (x.shape(a) == 0) throw ValueError("an axis of length 0 has no largest or smallest element");
  }
}
Tensor nan_extreme(const char* op, const Tensor& x, const Axes& axis, bool keepdims, bool largest) {
  return named(op, x, [&] {
    need_real(x);
    need_elements(x, axis);
    const Tensor v = without_nan(x, largest ? -infinity : infinity);
    const Tensor r = largest ? ops::max(v, axis, keepdims) : ops::min(v, axis, keepdims);
    return is_inexact(x.dtype())
               ? ops::where(ops::all(nan_mask(x), axis, keepdims), like(r, not_a_number), r)
               : r;
  });
}
Tensor nan_arg_extreme(const char* op, const Tensor& x, std::optional<int64_t> axis, bool keepdims,
                       bool largest) {
  return named(op, x, [&] {
    need_real(x);
    const Axes over = axis ? Axes(*axis) : Axes();
    need_elements(x, over);
    if (is_inexact(x.dtype()) && ops::any(ops::all(nan_mask(x), over)).item<bool>()) {
      throw ValueError("an axis that contains only NaN has no largest or smallest element");
    }
    const Tensor v = without_nan(x, largest ? -infinity : infinity);
    return largest ? ops::argmax(v, axis, keepdims) : ops::argmin(v, axis, keepdims);
  });
}

// One variable per row.
Tensor variables(const Tensor& x, bool rowvar) {
  if (x.ndim() > 2) {
    throw ShapeError("needs at most two dimensions, not " + std::to_string(x.ndim()));
  }
  const Tensor m = ops::atleast_nd(x, 2);
  return !rowvar && x.ndim() == 2 ? ops::matrix_transpose(m) : m;
}
Tensor covariance(const Tensor& x, const std::optional<Tensor>& y, bool rowvar, double ddof) {
  Tensor v = variables(x, rowvar);
  if (y) {
    const Tensor w = variables(*y, rowvar);
    if (w.shape(1) != v.shape(1)) {
      throw ShapeError("x has " + std::to_string(v.shape(1)) + " observations and y " +
                       std::to_string(w.shape(1)));
    }
    v = ops::concat({v, w}, 0);
  }
  v = is_integer(v.dtype()) ? cast_to(v, DType::float64)
                            : widen(to_float(v));  // float32 does not hold all of them
  const Tensor d = v - ops::mean(v, 1, true);
  const Tensor transposed = ops::matrix_transpose(d);
  const double n = std::max(double(v.shape(1)) - ddof, 0.0);
  return ops::matmul(d, is_complex(d.dtype()) ? ops::conj(transposed) : transposed) / like(d, n);
}
// Integers in the dtype of their sums, where squares and absolute values fit.
Tensor summable(const Tensor& x) {
  const DType t = x.dtype();
  return is_inexact(t) ? x : cast_to(x, is_unsigned(t) ? DType::uint64 : DType::int64);
}
DType covariance_dtype(const Tensor& x, const std::optional<Tensor>& y) {
  return float_of(y ? promote(x.dtype(), y->dtype()) : x.dtype());
}

}  // namespace

namespace ops {

// ---- Quantiles ----
Tensor median(const Tensor& x, const Axes& axis, bool keepdims) {
  return named("median", x, [&]() -> Tensor {
    need_real(x);
    const Lines l = lines(to_float(x), axis, keepdims);
    if (l.n == 0) return full(l.out, not_a_number, l.x.dtype());
    const Tensor s = sort(l.x, -1);
    const Tensor r = l.n % 2 ? at(s, l.n / 2) : middle(at(s, l.n / 2 - 1), at(s, l.n / 2));
    return reshape(unless_nan(s, r), l.out);
  });
}
Tensor nanmedian(const Tensor& x, const Axes& axis, bool keepdims) {
  if (!is_inexact(x.dtype())) return median(x, axis, keepdims);
  return named("nanmedian", x, [&]() -> Tensor {
    need_real(x);
    const Lines l = lines(x, axis, keepdims);
    if (l.n == 0) return full(l.out, not_a_number, l.x.dtype());
    const Tensor s = sort(l.x, -1);
    const Tensor n = sum(logical_not(nan_mask(l.x)), -1, true);
    const Tensor low = take_along_axis(s, maximum(floor_divide(n - 1, 2), 0), -1);
    const Tensor high = take_along_axis(s, minimum(floor_divide(n, 2), l.n - 1), -1);
    const Tensor r = where(low == high, low, middle(low, high));
    return reshape(where(n > 0, r, like(r, not_a_number)), l.out);
  });
}
Tensor quantile(const Tensor& x, const Tensor& q, const Axes& axis, bool keepdims,
                std::string_view method) {
  const Tensor in[] = {x, q};
  return named("quantile", "x, q", in,
               [&] { return quantile_of(x, q, axis, keepdims, method, 1); });
}
Tensor percentile(const Tensor& x, const Tensor& q, const Axes& axis, bool keepdims,
                  std::string_view method) {
  const Tensor in[] = {x, q};
  return named("percentile", "x, q", in,
               [&] { return quantile_of(x, q, axis, keepdims, method, 100); });
}

// ---- Differences ----
Tensor diff(const Tensor& x, int64_t n, int64_t axis, const std::optional<Tensor>& prepend,
            const std::optional<Tensor>& append) {
  return named("diff", x, [&] {
    if (n < 0) throw ValueError("n cannot be negative: " + std::to_string(n));
    const int64_t a = normal_axis(axis, x.ndim());
    if (n == 0) return x;
    Tensors parts;
    if (prepend) parts.push_back(*prepend);
    parts.push_back(x);
    if (append) parts.push_back(*append);
    promote_inputs(parts, result_dtype(parts));
    for (Tensor& v : parts) {
      if (v.ndim() > 0) continue;
      Shape s = x.shape();
      s[size_t(a)] = 1;
      v = broadcast_to(v, s);
    }
    Tensor r = parts.size() > 1 ? concat(parts, a) : x;
    for (int64_t i = 0; i < n && r.shape(a) > 0; ++i) {
      const int64_t left = r.shape(a) - 1;
      const Tensor after = sliced(r, a, left ? Cut{1, 1, left} : Cut{});
      const Tensor before = sliced(r, a, left ? Cut{0, 1, left} : Cut{});
      r = r.dtype() == DType::bool_ ? after != before : after - before;
    }
    return r;
  });
}
Tensor gradient(const Tensor& x, double spacing, std::optional<int64_t> axis, int64_t edge_order) {
  return named("gradient", x, [&] {
    if (!axis && x.ndim() > 1) {
      throw ValueError("axis is required for a tensor with " + std::to_string(x.ndim()) +
                       " dimensions");
    }
    const int64_t a = normal_axis(axis.value_or(0), x.ndim());
    const int64_t n = x.shape(a);
    if (edge_order != 1 && edge_order != 2) {
      throw ValueError("edge_order must be 1 or 2, not " + std::to_string(edge_order));
    }
    if (n < edge_order + 1) {
      throw ShapeError("needs at least " + std::to_string(edge_order + 1) +
                       " elements along the axis, not " + std::to_string(n));
    }
    const Tensor v = to_float(x);
    const auto rise = [&](int64_t from, int64_t to, int64_t count, double over) {
      return (sliced(v, a, {to, 1, count}) - sliced(v, a, {from, 1, count})) / (over * spacing);
    };
    // At an end, the slope of the line or parabola through the nearest elements.
    const auto end = [&](int64_t at, int64_t next) {
      const Tensor slope = next > at ? rise(at, next, 1, 1) : rise(next, at, 1, 1);
      return edge_order == 1 ? slope
                             : slope * 1.5 - rise(std::min(next, 2 * next - at),
                                                  std::max(next, 2 * next - at), 1, 2);
    };
    Tensors parts = {end(0, 1)};
    if (n > 2) parts.push_back(rise(0, 2, n - 2, 2));
    parts.push_back(end(n - 1, n - 2));
    return concat(parts, a);
  });
}

// ---- Counts ----
namespace {
// The bin of each v between evenly spaced bounds, computed and corrected by one where rounding
// moved a bound. Bounds that are too close for that are searched.
Tensor bin_of(const Tensor& v, const Tensor& bounds, double from, double to, int64_t bins) {
  const double ulp =
      std::max(std::abs(from), std::abs(to)) * (v.dtype() == DType::float32 ? 0x1p-23 : 0x1p-52);
  const double width = (to - from) / double(bins);
  const Tensor last(bins - 1);
  if (bins > (1 << 20) || !(width > 16 * ulp) || !std::isfinite(width) ||
      !(double(bins) / (to - from) < 1e30)) {
    return where(v == at(bounds, bins), last, searchsorted(bounds, v, "right") - 1);
  }
  const Tensor scaled = floor((v - at(bounds, 0)) * (1 / width));
  const Tensor guess =
      cast_to(where(isnan(scaled), 0.0, clip(scaled, Tensor(0), last)), DType::int64);
  const Tensor is_above = logical_and(v >= take(bounds, guess + 1, 0), guess < last);
  const Tensor is_below = v < take(bounds, guess, 0);
  return guess + cast_to(is_above, DType::int64) - cast_to(is_below, DType::int64);
}
}  // namespace
std::tuple<Tensor, Tensor> histogram(const Tensor& x, int64_t bins, std::optional<double> low,
                                     std::optional<double> high,
                                     const std::optional<Tensor>& weights, bool density) {
  return named("histogram", x, [&]() -> std::tuple<Tensor, Tensor> {
    need_real(x);
    if (bins < 1) throw ValueError("bins must be positive, not " + std::to_string(bins));
    if (bins == INT64_MAX) throw ShapeError("too many bins");
    if (weights && weights->shape() != x.shape()) {
      throw ShapeError("weights of shape " + to_string(weights->shape()) + " do not match x");
    }
    const Tensor flat = flatten(x);
    if ((!low || !high) && x.size() > 0) {
      const Tensor least = cast_to(min(flat), DType::float64);
      const Tensor most = cast_to(max(flat), DType::float64);
      eval({least, most});
      low = low.value_or(least.item<double>());
      high = high.value_or(most.item<double>());
    }
    double from = low.value_or(0);
    double to = high.value_or(low ? *low + 1 : 1);
    if (!std::isfinite(from) || !std::isfinite(to)) {
      throw ValueError("the range must be finite, not " + std::to_string(from) + " to " +
                       std::to_string(to));
    }
    if (from > to) {
      throw ValueError("the range's low end, " + std::to_string(from) +
                       ", is above its high end, " + std::to_string(to));
    }
    if (from == to) {
      from -= 0.5;
      to += 0.5;
    }
    // For floats the returned edges decide; integers may be finer than the default float.
    const DType t = is_float(x.dtype()) ? (bits_of(x.dtype()) == 16 ? DType::float32 : x.dtype())
                                        : default_float();
    const Tensor exact = linspace(from, to, bins + 1, true, DType::float64);
    const Tensor edges = cast_to(exact, t);
    const DType compared = is_float(x.dtype()) ? t : DType::float64;
    const Tensor v = cast_to(flat, compared);
    const Tensor bounds = is_float(x.dtype()) ? edges : exact;
    Tensor place = bin_of(v, bounds, from, to, bins);
    place = where(logical_and(v >= at(bounds, 0), v <= at(bounds, bins)), place, Tensor(bins));
    const Tensor values =
        !weights ? ones({v.size()}, DType::int64)
                 : flatten(weights->dtype() == DType::bool_ ? cast_to(*weights, DType::int64)
                                                            : *weights);
    Tensor counts = sliced(scatter(values, place, bins + 1), 0, {0, 1, bins});
    if (density) {
      counts = cast_to(counts, promote(float_of(counts.dtype()), t));
      counts =
          counts / (sum(counts) * cast_to(diff(cast_to(bounds, DType::float64)), counts.dtype()));
    }
    return {counts, edges};
  });
}
Tensor bincount(const Tensor& x, const std::optional<Tensor>& weights, int64_t minlength) {
  return named("bincount", x, [&]() -> Tensor {
    if (x.ndim() != 1) throw ShapeError("needs one dimension, not " + std::to_string(x.ndim()));
    if (minlength < 0) {
      throw ValueError("minlength cannot be negative: " + std::to_string(minlength));
    }
    if (weights && weights->shape() != x.shape()) {
      throw ShapeError("weights of shape " + to_string(weights->shape()) + " do not match x");
    }
    const DType t = weights ? float_of(weights->dtype()) : DType::int64;
    if (x.size() == 0) return zeros({minlength}, t);
    const Tensor v = to_index(x);
    const Tensor least = min(v);
    const Tensor most = max(v);
    eval({least, most});
    if (least.item<int64_t>() < 0) {
      throw ValueError("elements cannot be negative: " + std::to_string(least.item<int64_t>()));
    }
    const int64_t top = most.item<int64_t>();
    if (top == INT64_MAX) throw ShapeError("too many bins");
    return scatter(weights ? cast_to(*weights, t) : ones(x.shape(), t), v,
                   std::max(top + 1, minlength));
  });
}
Tensor digitize(const Tensor& x, const Tensor& bins, bool right) {
  const Tensor in[] = {x, bins};
  return named("digitize", "x, bins", in, [&] {
    need_real(x);
    need_real(bins);
    if (bins.ndim() != 1) {
      throw ShapeError("bins must have one dimension, not " + std::to_string(bins.ndim()));
    }
    const char* side = right ? "left" : "right";
    const int64_t n = bins.size();
    if (n < 2) return searchsorted(bins, x, side);
    const Tensor before = sliced(bins, 0, {0, 1, n - 1});
    const Tensor after = sliced(bins, 0, {1, 1, n - 1});
    const Tensor up = all(before <= after);
    const Tensor down = all(before >= after);
    eval({up, down});
    if (up.item<bool>()) return searchsorted(bins, x, side);
    if (!down.item<bool>()) throw ValueError("bins must be monotonic");
    return Tensor(n) - searchsorted(flip(bins, 0), x, side);
  });
}

// ---- Without NaN ----
Tensor nansum(const Tensor& x, const Axes& axis, bool keepdims) {
  return named("nansum", x,
               [&] { return sum(without_nan(x, 0), normal_axes(axis, x.ndim()), keepdims); });
}
Tensor nanprod(const Tensor& x, const Axes& axis, bool keepdims) {
  return named("nanprod", x,
               [&] { return prod(without_nan(x, 1), normal_axes(axis, x.ndim()), keepdims); });
}
Tensor nanmean(const Tensor& x, const Axes& axis, bool keepdims) {
  return named("nanmean", x, [&]() -> Tensor {
    const Ints axes = normal_axes(axis, x.ndim());
    if (!is_inexact(x.dtype())) return mean(x, axes, keepdims);
    const Tensor v = widen(x);
    return cast_to(
        sum(without_nan(v, 0), axes, keepdims) / valid_count(v, axes, keepdims, v.dtype()),
        x.dtype());
  });
}
Tensor nanvar(const Tensor& x, const Axes& axis, double correction, bool keepdims) {
  return named("nanvar", x, [&]() -> Tensor {
    const Ints axes = normal_axes(axis, x.ndim());
    const Tensor v = widen(to_float(x));
    const Tensor d = without_nan(v, 0) - nanmean(v, axes, true);
    const Tensor squares = where(nan_mask(v), like(real(v), 0), absolute_square(d));
    const Tensor n = valid_count(v, axes, keepdims, squares.dtype()) - correction;
    const Tensor r = sum(squares, axes, keepdims) / n;
    return cast_to(where(n > 0.0, r, like(r, not_a_number)), real_of(float_of(x.dtype())));
  });
}
Tensor nanstd(const Tensor& x, const Axes& axis, double correction, bool keepdims) {
  return named("nanstd", x,
               [&] { return root(nanvar(x, normal_axes(axis, x.ndim()), correction, keepdims)); });
}
Tensor nanmax(const Tensor& x, const Axes& axis, bool keepdims) {
  return nan_extreme("nanmax", x, axis, keepdims, true);
}
Tensor nanmin(const Tensor& x, const Axes& axis, bool keepdims) {
  return nan_extreme("nanmin", x, axis, keepdims, false);
}
Tensor nanargmax(const Tensor& x, std::optional<int64_t> axis, bool keepdims) {
  return nan_arg_extreme("nanargmax", x, axis, keepdims, true);
}
Tensor nanargmin(const Tensor& x, std::optional<int64_t> axis, bool keepdims) {
  return nan_arg_extreme("nanargmin", x, axis, keepdims, false);
}

// ---- Moments and sums ----
Tensor cov(const Tensor& x, const std::optional<Tensor>& y, bool rowvar, double ddof) {
  return named("cov", x, [&] {
    return cast_to(squeeze(covariance(x, y, rowvar, ddof)), covariance_dtype(x, y));
  });
}
Tensor corrcoef(const Tensor& x, const std::optional<Tensor>& y, bool rowvar) {
  return named("corrcoef", x, [&] {
    const Tensor c = covariance(x, y, rowvar, 1);
    const Tensor spread = sqrt(real(diagonal(c)));
    Tensor r = c / expand_dims(spread, {1}) / spread;
    const auto hold = [](const Tensor& v) { return clip(v, like(v, -1), like(v, 1)); };
    r = is_complex(r.dtype()) ? hold(real(r)) + hold(imag(r)) * Tensor(std::complex<double>(0, 1))
                              : hold(r);
    return cast_to(squeeze(r), covariance_dtype(x, y));
  });
}
Tensor gaussian(const Tensor& x, const Tensor& mu, const Tensor& sigma) {
  const Tensor in[] = {x, mu, sigma};
  return named("gaussian", "x, mu, sigma", in, [&] {
    need_real(x);
    need_real(mu);
    need_real(sigma);
    return exp(square((to_float(x) - mu) / sigma) * -0.5) / sigma *
           (1 / std::sqrt(2 * std::numbers::pi));
  });
}
Tensor reduce_l1(const Tensor& x, const Axes& axis, bool keepdims) {
  return named("reduce_l1", x,
               [&] { return sum(abs(summable(x)), normal_axes(axis, x.ndim()), keepdims); });
}
Tensor reduce_l2(const Tensor& x, const Axes& axis, bool keepdims) {
  return named("reduce_l2", x, [&] {
    const Tensor v = widen(to_float(x));
    return cast_to(root(sum(absolute_square(v), normal_axes(axis, x.ndim()), keepdims)),
                   real_of(float_of(x.dtype())));
  });
}
Tensor reduce_log_sum(const Tensor& x, const Axes& axis, bool keepdims) {
  return named("reduce_log_sum", x, [&] {
    return cast_to(log(sum(widen(to_float(x)), normal_axes(axis, x.ndim()), keepdims)),
                   float_of(x.dtype()));
  });
}
Tensor reduce_sum_square(const Tensor& x, const Axes& axis, bool keepdims) {
  return named("reduce_sum_square", x, [&] {
    const Ints axes = normal_axes(axis, x.ndim());
    const Tensor r = sum(absolute_square(widen(summable(x))), axes, keepdims);
    return is_inexact(x.dtype()) ? cast_to(r, real_of(x.dtype())) : r;
  });
}
Tensor ptp(const Tensor& x, const Axes& axis, bool keepdims) {
  return named("ptp", x, [&] {
    need_elements(x, axis);
    return max(x, axis, keepdims) - min(x, axis, keepdims);
  });
}
Tensor average(const Tensor& x, const Axes& axis, const std::optional<Tensor>& weights,
               bool keepdims) {
  const Tensor given[] = {x, weights.value_or(x)};
  return named("average", "x, weights", given, [&]() -> Tensor {
    const Ints axes = normal_axes(axis, x.ndim());
    if (!weights) return mean(x, axes, keepdims);
    Tensor in[] = {x, *weights};
    const DType t = float_of(result_dtype(in));
    promote_inputs(in, t);
    if (weights->shape() != x.shape()) {  // one weight for each place along the axes
      Shape s(size_t(x.ndim()), 1);
      Shape wanted;
      for (int64_t a : axes) {
        s[size_t(a)] = x.shape(a);
        wanted.push_back(x.shape(a));
      }
      if (weights->shape() != wanted) {
        throw ShapeError("weights of shape " + to_string(weights->shape()) +
                         " fit neither x nor its axes");
      }
      in[1] = broadcast_to(reshape(in[1], s), x.shape());
    }
    const Tensor w = widen(in[1]);
    return cast_to(sum(widen(in[0]) * w, axes, keepdims) / sum(w, axes, keepdims), t);
  });
}

}  // namespace ops

namespace {
using binder::fn;

const Row rows[] = {
    FUN(median, "x, axis=None, keepdims=False",
        "Middle element over axes, or the mean of the two middle ones; NaN if any element is NaN."),
    EAGER(quantile, "x, q, axis=None, keepdims=False, method=\"linear\"",
          "Quantiles q in [0, 1] over axes; the axes of q come first in the result."),
    EAGER(percentile, "x, q, axis=None, keepdims=False, method=\"linear\"",
          "Quantiles over axes for q in [0, 100]."),
    FUN(diff, "x, n=1, axis=-1, prepend=None, append=None",
        "Differences x[i + 1] - x[i] along an axis, applied n times."),
    FUN(gradient, "x, spacing=1.0, axis=-1, edge_order=1",
        "Numerical derivative along an axis: central differences, one-sided at the ends."),
    EAGER(histogram,
          "x, bins=10, low=None, high=None, weights=None, density=False -> counts, edges",
          "Counts in bins of equal width and the bin edges."),
    EAGER(bincount, "x, weights=None, minlength=0",
          "Count of each non-negative integer, or the sum of its weights."),
    EAGER(
        digitize, "x, bins, right=False",
        "Index of the bin of each element; bins are monotonic and right closes them at the right."),
    FUN(nansum, "x, axis=None, keepdims=False", "Sum over axes, ignoring NaN."),
    FUN(nanprod, "x, axis=None, keepdims=False", "Product over axes, ignoring NaN."),
    FUN(nanmean, "x, axis=None, keepdims=False", "Mean over axes, ignoring NaN."),
    FUN(nanvar, "x, axis=None, correction=0, keepdims=False", "Variance over axes, ignoring NaN."),
    FUN(nanstd, "x, axis=None, correction=0, keepdims=False",
        "Standard deviation over axes, ignoring NaN."),
    FUN(nanmax, "x, axis=None, keepdims=False",
        "Largest element over axes, ignoring NaN; NaN if all elements are NaN."),
    FUN(nanmin, "x, axis=None, keepdims=False",
        "Smallest element over axes, ignoring NaN; NaN if all elements are NaN."),
    FUN(nanmedian, "x, axis=None, keepdims=False", "Median over axes, ignoring NaN."),
    EAGER(nanargmax, "x, axis=None, keepdims=False",
          "Index of the first largest element, ignoring NaN."),
    EAGER(nanargmin, "x, axis=None, keepdims=False",
          "Index of the first smallest element, ignoring NaN."),
    FUN(cov, "x, y=None, rowvar=True, ddof=1.0",
        "Covariance matrix of variables, one in each row (or column if rowvar is false)."),
    FUN(corrcoef, "x, y=None, rowvar=True",
        "Correlation matrix of variables, one in each row (or column if rowvar is false)."),
    FUN(gaussian, "x, mu=0.0, sigma=1.0",
        "Density of the normal distribution with mean mu and standard deviation sigma."),
    FUN(reduce_l1, "x, axis=None, keepdims=False", "Sum of absolute values over axes."),
    FUN(reduce_l2, "x, axis=None, keepdims=False", "Square root of the sum of squares over axes."),
    FUN(reduce_log_sum, "x, axis=None, keepdims=False", "log(sum(x)) over axes."),
    FUN(reduce_sum_square, "x, axis=None, keepdims=False", "Sum of squares over axes."),
    FUN(ptp, "x, axis=None, keepdims=False", "max(x) - min(x) over axes."),
    FUN(average, "x, axis=None, weights=None, keepdims=False",
        "Mean over axes, weighted if weights are given."),
};
}  // namespace

std::span<const Row> statistics_rows() { return rows; }

}  // namespace ember
