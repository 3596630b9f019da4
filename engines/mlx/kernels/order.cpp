// Sorting and searching.
#include "engines/mlx/library.h"

namespace ember::mlx {

mx::array on_host(const mx::array& x) {
  mx::array r = x;
  if (r.status() == mx::array::Status::unscheduled) r.eval();
  if (!r.flags().row_contiguous) r = mx::contiguous(r, false, stream());
  r.eval();
  return r;
}

namespace {

// A key that reverses the order of values; NaN stays last.
mx::array reversed_key(const mx::array& x) {
  if (x.dtype() == mx::bool_) return mx::logical_not(x, stream());
  return mx::issubdtype(x.dtype(), mx::floating) ? mx::negative(x, stream())
                                                 : mx::bitwise_invert(x, stream());
}
Array sort(const C& c) {
  const auto& a = c.attr<SortAttr>();
  if (a.descending) return reversed_key(mx::sort(reversed_key(*c[0]), int(a.axis), stream()));
  return mx::sort(*c[0], int(a.axis), stream());
}
Array argsort(const C& c) {
  const auto& a = c.attr<SortAttr>();
  return as(mx::argsort(a.descending ? reversed_key(*c[0]) : *c[0], int(a.axis), stream()),
            mx::int64);
}

// a before b, NaN after everything.
mx::array before(const mx::array& a, const mx::array& b) {
  const mx::array r = mx::less(a, b, stream());
  if (!mx::issubdtype(a.dtype(), mx::floating)) return r;
  return mx::logical_or(
      r,
      mx::logical_and(mx::isnan(b, stream()), mx::logical_not(mx::isnan(a, stream()), stream()),
                      stream()),
      stream());
}
// Binary search for all values at once: the position grows by ever smaller powers of two while the
// element before it belongs to the left.
Array searchsorted(const C& c) {
  const mx::array& sorted = *c[0];
  const mx::array& v = *c[1];
  const bool right = c.attr<SearchAttr>().right;
  const int n = sorted.shape(0);
  int step = 1;
  while (2 * step <= n) step *= 2;
  mx::array place = mx::zeros(v.shape(), mx::int64, stream());
  for (; step > 0; step /= 2) {
    const mx::array next = mx::add(place, constant_int(step, mx::int64), stream());
    const mx::array inside = mx::less_equal(next, constant_int(n, mx::int64), stream());
    const mx::array last = mx::minimum(next, constant_int(n, mx::int64), stream());
    const mx::array element =
        mx::take(sorted, mx::subtract(last, constant_int(1, mx::int64), stream()), 0, stream());
    const mx::array left =
        right ? mx::logical_not(before(v, element), stream()) : before(element, v);
    place = mx::where(mx::logical_and(inside, left, stream()), next, place, stream());
  }
  return place;
}
Array searchsorted_none(const C& c) { return filled(c.node, 0); }

// The graph knows the number of rows; the indices are collected on the host.
Array nonzero(const C& c) {
  const mx::array& x = *c[0];
  const mx::array mask =
      on_host(x.dtype() == mx::bool_ ? x : mx::not_equal(x, like(x, 0), stream()));
  const bool* m = mask.data<bool>();
  const int64_t rows = c.node.shape[0];
  std::vector<int64_t> found;
  found.reserve(size_t(size_of(c.node.shape)));
  int64_t count = 0;
  for (int64_t i = 0; i < int64_t(mask.size()); ++i) {
    if (!m[i]) continue;
    if (++count > rows) break;
    const size_t at = found.size();
    found.resize(at + x.ndim());
    int64_t rest = i;
    for (size_t d = x.ndim(); d-- > 0; rest /= x.shape(int(d))) {
      found[at + d] = rest % x.shape(int(d));
    }
  }
  if (count != rows) throw StateError("the number of nonzero elements differs from the count");
  return mx::array(found.begin(), to_shape(c.node.shape), mx::int64);
}

bool has_length_1(const SliceNode& n) {
  return n.shape.empty() || n.shape[size_t(n.attrs.as<SortAttr>().axis)] == 1;
}
Support ordered(const SliceNode& n, const Slice& s) {
  if (is_complex(input_type(n, s))) return "MLX orders complex numbers by their real parts only";
  return no_four_bits(n, s);
}

// MLX divides by the axis's stride, which may be 0 for an axis of length 1.
constexpr KernelRow rows[] = {
    {.op = OpId::sort,
     .pick = [](const SliceNode& n, const Slice&) -> Kernel<Array> {
       return {.one = has_length_1(n) ? One([](const C& c) -> Array { return *c[0]; }) : sort};
     },
     .supports = ordered},
    {.op = OpId::argsort,
     .pick = [](const SliceNode& n, const Slice&) -> Kernel<Array> {
       return {.one = has_length_1(n) ? One([](const C& c) -> Array { return filled(c.node, 0); })
                                      : argsort};
     },
     .supports = ordered},
    {.op = OpId::searchsorted,
     .pick = [](const SliceNode& n, const Slice& s) -> Kernel<Array> {
       return {.one = size_of(input_shape(n, s)) ? searchsorted : searchsorted_none};
     },
     .supports = ordered},
    {.op = OpId::nonzero, .one = nonzero, .supports = no_four_bits},
};

}  // namespace

std::span<const KernelRow> order_kernels() { return rows; }

}  // namespace ember::mlx
