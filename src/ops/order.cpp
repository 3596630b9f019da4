// Order: sorting, searching and set operations.
#include <cmath>

#include "ember/grad.h"
#include "src/ops/views.h"

namespace ember {
namespace {

Tensor ordered(OpId op, const char* name, const Tensor& x, int64_t axis, bool descending,
               bool stable) {
  return named(name, x, [&] {
    return apply_to(op, SortAttr{normal_axis(axis, x.ndim()), descending, stable}, x);
  });
}

// The sorted elements with the starts of runs of equal elements: 1 1 2 has first = true false true.
// Each NaN is a separate run.
struct Runs {
  Tensor x, order, sorted, first, starts;  // x flattened, argsort, take(x, order), bool, int64
  bool empty;
};
Runs runs(const Tensor& given, bool with_order) {
  Runs r;
  r.x = ops::flatten(given);
  r.empty = given.size() == 0;
  const int64_t n = r.x.size();
  if (with_order) {
    r.order = ops::argsort(r.x, 0);
    r.sorted = ops::take(r.x, r.order, 0);
  } else {
    r.sorted = ops::sort(r.x, 0);
  }
  if (r.empty) {
    r.first = ops::zeros({0}, DType::bool_);
    r.starts = ops::zeros({0}, DType::int64);
    return r;
  }
  const Tensor next = sliced(r.sorted, 0, n > 1 ? Cut{1, 1, n - 1} : Cut{});
  const Tensor before = sliced(r.sorted, 0, n > 1 ? Cut{0, 1, n - 1} : Cut{});
  r.first = ops::concat({ops::ones({1}, DType::bool_), next != before}, 0);
  r.starts = ops::nonzero(r.first)[0];
  return r;
}
Tensor values_of(const Runs& r) { return ops::take(r.sorted, r.starts, 0); }
Tensor counts_of(const Runs& r) {
  const int64_t n = r.starts.size();
  if (r.empty) return r.starts;
  const Tensor ends = ops::concat({sliced(r.starts, 0, n > 1 ? Cut{1, 1, n - 1} : Cut{}),
                                   ops::full({1}, r.x.size(), DType::int64)},
                                  0);
  return ends - r.starts;
}
// The number of each element's run, in the original order.
Tensor inverse_of(const Runs& r, const Shape& shape) {
  if (r.empty) return ops::zeros(shape, DType::int64);
  const Tensor run = ops::cumulative_sum(r.first, 0) - 1;
  const Tensor blank = ops::zeros({r.x.size()}, DType::int64);
  return ops::reshape(apply_to(OpId::scatter, ScatterAttr{0, Mode::set}, blank, r.order, run),
                      shape);
}

// The first k places of an argsort along the last axis.
Tensor first_places(const Tensor& x, int64_t k, bool descending) {
  return sliced(ops::argsort(x, -1, descending), x.ndim() - 1, {0, 1, k});
}

// The extreme of each block of the last axis, as an argsort would put it: NaN only if all are.
Tensor block_extremes(const Tensor& blocks, bool is_max) {
  const auto reduce = [&](const Tensor& x) { return is_max ? ops::max(x, -1) : ops::min(x, -1); };
  if (!is_float(blocks.dtype())) return reduce(blocks);
  const Tensor nan = ops::isnan(blocks);
  const double last = is_max ? -HUGE_VAL : HUGE_VAL;
  return ops::where(ops::all(nan, -1), like(blocks, std::nan("")),
                    reduce(ops::where(nan, like(blocks, last), blocks)));
}

// The same as first_places without sorting long rows. The k extremes lie in the k blocks with the
// best extremes, the earlier of equal ones: each of these k has an element that comes before any of
// another block. Row 5 1 | 4 4 | 2 9, k = 1: the extremes are 5 4 9, so 9 is in the last block.
Tensor select_places(const Tensor& x, int64_t k, bool descending) {
  const int64_t n = x.shape(-1);
  int64_t length = 1;
  while (4 * length * length <= n) length *= 2;
  const int64_t count = n / length;
  const int64_t whole = count * length;
  constexpr int64_t least = 4096;
  const DType t = x.dtype();
  const bool has_order = (is_integer(t) || is_float(t)) && bits_of(t) >= 8;
  if (n < least || !has_order || k == 0 || count + k * length + n - whole > n / 4) {
    return first_places(x, k, descending);
  }
  const no_grad places_have_none;
  const int64_t axis = x.ndim() - 1;
  Shape rows = x.shape();
  rows.pop_back();
  const auto extended = [&](std::initializer_list<int64_t> tail) {
    Shape s = rows;
    for (int64_t d : tail) s.push_back(d);
    return s;
  };
  const Tensor blocks = ops::reshape(sliced(x, axis, {0, 1, whole}), extended({count, length}));
  const Tensor chosen = ops::sort(first_places(block_extremes(blocks, descending), k, descending));
  const Tensor inside = ops::expand_dims(chosen, {-1}) * length + index_range(length);
  const Tensor rest = ops::broadcast_to(index_range(n - whole) + whole, extended({n - whole}));
  const Tensor places = ops::concat({ops::reshape(inside, extended({k * length})), rest}, -1);
  const Tensor best = first_places(ops::take_along_axis(x, places, -1), k, descending);
  return ops::take_along_axis(places, best, -1);
}

}  // namespace

namespace ops {

Tensor sort(const Tensor& x, int64_t axis, bool descending, bool stable) {
  return ordered(OpId::sort, "sort", x, axis, descending, stable);
}
Tensor argsort(const Tensor& x, int64_t axis, bool descending, bool stable) {
  return ordered(OpId::argsort, "argsort", x, axis, descending, stable);
}
std::tuple<Tensor, Tensor> topk(const Tensor& x, int64_t k, int64_t axis, bool largest) {
  return named("topk", x, [&]() -> std::tuple<Tensor, Tensor> {
    const int64_t a = normal_axis(axis, x.ndim());
    const int64_t n = x.shape()[size_t(a)];
    if (k < 0 || k > n) {
      throw ValueError("k must be 0 to " + std::to_string(n) + ", not " + std::to_string(k));
    }
    const Tensor at = a == x.ndim() - 1 ? select_places(x, k, largest)
                                        : sliced(argsort(x, a, largest), a, {0, 1, k});
    return {take_along_axis(x, at, a), at};
  });
}
Tensor searchsorted(const Tensor& x1, const Tensor& x2, std::string_view side,
                    const std::optional<Tensor>& sorter) {
  Tensor in[] = {x1, x2};
  return named("searchsorted", "x1, x2", in, [&] {
    if (side != "left" && side != "right") {
      throw ValueError("side must be left or right, not '" + std::string(side.substr(0, 40)) + "'");
    }
    if (x1.ndim() != 1) {
      throw ShapeError("x1 must have one dimension, not " + std::to_string(x1.ndim()));
    }
    if (sorter && sorter->shape() != x1.shape()) {
      throw ShapeError("the sorter must have the shape of x1");
    }
    if (sorter) in[0] = take(x1, *sorter, 0);
    return apply(OpId::searchsorted, in, SearchAttr{.right = side == "right"});
  });
}

Tensor argwhere(const Tensor& x) {
  return named("argwhere", x, [&] {
    const int64_t count = count_nonzero(x).item<int64_t>();
    Tensor in[] = {x};
    return apply_typed(OpId::nonzero, in, {DType::int64, {count, x.ndim()}});
  });
}
std::vector<Tensor> nonzero(const Tensor& x) {
  return named("nonzero", x, [&] {
    if (x.ndim() == 0) throw ShapeError("needs at least one dimension");
    return unstack(argwhere(x), 1);
  });
}

std::tuple<Tensor, Tensor, Tensor, Tensor> unique_all(const Tensor& x) {
  const Runs r = runs(x, true);
  return {values_of(r), take(r.order, r.starts, 0), inverse_of(r, x.shape()), counts_of(r)};
}
std::tuple<Tensor, Tensor> unique_counts(const Tensor& x) {
  const Runs r = runs(x, false);
  return {values_of(r), counts_of(r)};
}
std::tuple<Tensor, Tensor> unique_inverse(const Tensor& x) {
  const Runs r = runs(x, true);
  return {values_of(r), inverse_of(r, x.shape())};
}
Tensor unique_values(const Tensor& x) { return values_of(runs(x, false)); }

Tensor isin(const Tensor& x1, const Tensor& x2, bool invert) {
  Tensor in[] = {x1, x2};
  return named("isin", "x1, x2", in, [&] {
    if (x1.size() == 0 || x2.size() == 0) return full(x1.shape(), invert, DType::bool_);
    promote_inputs(in, result_dtype(in));
    const Tensor known = sort(flatten(in[1]), 0);
    const Tensor x = flatten(in[0]);
    const Tensor at = minimum(searchsorted(known, x), Tensor(known.size() - 1));
    const Tensor found = reshape(take(known, at, 0) == x, x1.shape());
    return invert ? logical_not(found) : found;
  });
}

}  // namespace ops

namespace {

// ---- Gradients ----
using namespace ops;

Gradients vjp_sort(const Vjp& v) {
  const auto& a = v.attrs.as<SortAttr>();
  const Tensor order = argsort(v.x[0], a.axis, a.descending, true);
  return {apply_to(OpId::scatter_elements, ScatterAttr{a.axis, Mode::set}, zeros_like(v.x[0]),
                   order, v.g[0])};
}

}  // namespace

namespace {
using binder::fn;

Type infer_sort(Inputs in, const Attrs&) { return {in[0].dtype(), in[0].shape()}; }
Type infer_argsort(Inputs in, const Attrs&) { return {DType::int64, in[0].shape()}; }
Type infer_searchsorted(Inputs in, const Attrs&) { return {DType::int64, in[1].shape()}; }

const Row rows[] = {
    {.name = "sort",
     .args = "x, axis=-1, descending=False, stable=True",
     .doc = "Elements in ascending or descending order along an axis, NaN last.",
     .call = fn<ops::sort>,
     .id = OpId::sort,
     .traits = t_movement,
     .arity = {1, 1},
     .infer = infer_sort,
     .vjp = vjp_sort,
     .reads = reads_x},
    {.name = "argsort",
     .args = "x, axis=-1, descending=False, stable=True",
     .doc = "Indices that would sort x along an axis.",
     .call = fn<ops::argsort>,
     .id = OpId::argsort,
     .arity = {1, 1},
     .infer = infer_argsort},
    {.name = "topk",
     .args = "x, k, axis=-1, largest=True -> values, indices",
     .doc = "The k largest or smallest elements along an axis, sorted, and their indices.",
     .call = fn<ops::topk>},
    {.name = "searchsorted",
     .args = "x1, x2, side=\"left\", sorter=None",
     .doc = "Index at which each element of x2 keeps the sorted vector x1 in order.",
     .call = fn<ops::searchsorted>,
     .id = OpId::searchsorted,
     .arity = {2, 2},
     .promote = Promote::common,
     .infer = infer_searchsorted},
    {.name = "nonzero",
     .args = "x",
     .doc = "Indices of the nonzero elements, one vector for each axis.",
     .call = fn<ops::nonzero>,
     .id = OpId::nonzero,
     .arity = {1, 1},
     .eager = true},
    EAGER(argwhere, "x", "Indices of the nonzero elements, one row for each element."),
    EAGER(unique_all, "x -> values, indices, inverse_indices, counts",
          "Sorted distinct elements, index of the first occurrence, index of each element of x "
          "among them, and counts."),
    EAGER(unique_counts, "x -> values, counts",
          "Sorted distinct elements and how often each occurs."),
    EAGER(unique_inverse, "x -> values, inverse_indices",
          "Sorted distinct elements and, for each element of x, its index among them."),
    EAGER(unique_values, "x", "Sorted distinct elements; each NaN counts as distinct."),
    {.name = "isin",
     .args = "x1, x2, invert=False",
     .doc = "True where an element of x1 occurs in x2.",
     .call = fn<ops::isin>},
};
}  // namespace

std::span<const Row> order_rows() { return rows; }

}  // namespace ember
