// Gradients of reductions, scans and sort.
#include "src/ops/rules.h"

namespace ember {
namespace {

using namespace ops;

// A reduced tensor with its axes back at length 1.
Tensor with_axes(const Tensor& r, const Tensor& x, const Attrs& attrs) {
  return reshape(r, reduced_shape(x.shape(), attrs.as<ReductionAttr>().axes, true));
}
double count_of(const Tensor& x, const Attrs& attrs) {
  double n = 1;
  for (int64_t a : attrs.as<ReductionAttr>().axes) n *= double(x.shape(a));
  return n;
}

// Equal shares to all that are as large as the largest.
Gradients extreme(const Vjp& v) {
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
// The product of all others along an axis: no division, so zeros are no problem.
Tensor product_of_others(const Tensor& x, int64_t axis) {
  const Tensor before = cumulative_prod(shifted(x, axis, 1, 1), axis);
  const Tensor after =
      flip(cumulative_prod(flip(shifted(x, axis, -1, 1), Ints{axis}), axis), Ints{axis});
  return before * after;
}
Gradients of_prod(const Vjp& v) {
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
  flat.push_back(int64_t(count_of(x, v.attrs)));
  const Tensor others =
      reshape(product_of_others(reshape(moved, flat), int64_t(outer.size())), moved.shape());
  return {with_axes(v.g[0], x, v.attrs) * cj(transpose(others, back))};
}

// s[k] = g[k] + x[k+1] * s[k+1], by doubling: each step joins runs twice as long.
Tensor backward_recurrence(Tensor g, const Tensor& x, int64_t axis) {
  Tensor factor = shifted(x, axis, -1, 0);
  for (int64_t by = 1; by < x.shape(axis); by *= 2) {
    g = g + factor * shifted(g, axis, -by, 0);
    factor = factor * shifted(factor, axis, -by, 0);
  }
  return g;
}
Gradients of_cumulative_prod(const Vjp& v) {
  const int64_t axis = v.attrs.as<ScanAttr>().axis;
  const Tensor x = cj(v.x[0]);
  return {cumulative_prod(shifted(x, axis, 1, 1), axis) * backward_recurrence(v.g[0], x, axis)};
}

// To the last element that set the record.
Gradients of_running_extreme(const Vjp& v) {
  const Tensor& x = v.x[0];
  const int64_t axis = v.attrs.as<ScanAttr>().axis;
  Shape s(size_t(x.ndim()), 1);
  s[size_t(axis)] = x.shape(axis);
  const Tensor places = reshape(arange(0, x.shape(axis), 1, DType::int64), s);
  const Tensor holder = cummax(where(x == v.y[0], places, int64_t(0)), axis);
  return {apply_to(OpId::scatter_elements, ScatterAttr{axis, Mode::add}, zeros_like(x), holder,
                   v.g[0])};
}

Gradients of_sort(const Vjp& v) {
  const auto& a = v.attrs.as<SortAttr>();
  const Tensor order = argsort(v.x[0], a.axis, a.descending, true);
  return {apply_to(OpId::scatter_elements, ScatterAttr{a.axis, Mode::set}, zeros_like(v.x[0]),
                   order, v.g[0])};
}

const GradientRule rules[] = {
    {OpId::sum,
     [](const Vjp& v) -> Gradients {
       return {broadcast_to(with_axes(v.g[0], v.x[0], v.attrs), v.x[0].shape())};
     },
     reads_none},
    {OpId::mean,
     [](const Vjp& v) -> Gradients {
       return {broadcast_to(with_axes(v.g[0], v.x[0], v.attrs) / count_of(v.x[0], v.attrs),
                            v.x[0].shape())};
     },
     reads_none},
    {OpId::var,
     [](const Vjp& v) -> Gradients {
       const auto& a = v.attrs.as<ReductionAttr>();
       const Tensor& x = v.x[0];
       return {(x - mean(x, a.axes, true)) *
               (with_axes(v.g[0], x, v.attrs) *
                (2 / std::max(count_of(x, v.attrs) - a.correction, 0.0)))};
     },
     reads_x},
    {OpId::logsumexp,
     [](const Vjp& v) -> Gradients {
       const Tensor& x = v.x[0];
       const Tensor y = with_axes(v.y[0], x, v.attrs);
       return {with_axes(v.g[0], x, v.attrs) * exp(x - where(isfinite(y), y, 0.0))};
     },
     reads_x | reads_y},
    {OpId::prod, of_prod, reads_x},
    {OpId::max, extreme, reads_x | reads_y},
    {OpId::min, extreme, reads_x | reads_y},
    {OpId::cumulative_sum,
     [](const Vjp& v) -> Gradients {
       const auto& a = v.attrs.as<ScanAttr>();
       return {
           apply_to(OpId::cumulative_sum, ScanAttr{.axis = a.axis, .reverse = !a.reverse}, v.g[0])};
     },
     reads_none},
    {OpId::cumulative_prod, of_cumulative_prod, reads_x},
    {OpId::cummax, of_running_extreme, reads_x | reads_y},
    {OpId::cummin, of_running_extreme, reads_x | reads_y},
    {OpId::sort, of_sort, reads_x},
};

}  // namespace

std::span<const GradientRule> reduction_gradients() { return rules; }

}  // namespace ember
