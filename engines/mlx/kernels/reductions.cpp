// Reductions and scans.
#include <cmath>

#include "engines/mlx/library.h"

namespace ember::mlx {

// MLX adds one element after another, whose error grows with their number: long axes are added up
// in pieces.
constexpr int piece = 32;
static mx::array add_axis(mx::array x, int axis) {  // the axis is kept
  while (x.shape(axis) > 4 * piece) {
    const int n = x.shape(axis);
    const int whole = n / piece * piece;
    mx::Shape start(x.ndim(), 0);
    mx::Shape stop = x.shape();
    mx::Shape split = x.shape();
    stop[axis] = whole;
    split[axis] = n / piece;
    split.insert(split.begin() + axis + 1, piece);
    const mx::array head = whole == n ? x : mx::slice(x, start, stop, here());
    mx::array sums = mx::sum(reshaped(head, split), axis + 1, false, here());
    if (whole < n) {
      start[axis] = whole;
      stop[axis] = n;
      sums = mx::concatenate({sums, mx::sum(mx::slice(x, start, stop, here()), axis, true, here())},
                             axis, here());
    }
    x = sums;
  }
  return mx::sum(x, axis, true, here());
}
mx::array add_up(mx::array x, const Axes& axes, bool keep) {
  if (axes.empty()) return x;
  int64_t count = 1;
  for (int a : axes) count *= x.shape(a);
  if (count <= 4 * piece || !mx::issubdtype(x.dtype(), mx::inexact)) {
    return mx::sum(x, axes, keep, here());
  }
  for (size_t i = axes.size(); i-- > 0;) x = add_axis(x, axes[i]);
  return keep ? x : mx::squeeze(x, axes, here());
}
mx::array mean_of(const mx::array& x, const Axes& axes, bool keep) {
  if (axes.empty()) return x;
  double count = 1;
  for (int a : axes) count *= x.shape(a);
  return mx::divide(add_up(x, axes, keep), like(x, count), here());
}

namespace {

struct Reduction {
  explicit Reduction(const C& c)
      : x(*c[0]), axes(to_axes(c.attr<AxesAttr>().axes)), keep(c.attr<AxesAttr>().keepdims) {}
  const mx::array& x;
  Axes axes;
  bool keep;
};

Array sum(const C& c) {
  const Reduction r(c);
  return as(add_up(wide(r.x), r.axes, r.keep), type_of(c.node));
}
Array prod(const C& c) {
  const Reduction r(c);
  if (r.axes.empty()) return r.x;
  return as(mx::prod(wide(r.x), r.axes, r.keep, here()), type_of(c.node));
}
mx::array truth(const mx::array& x) {
  return x.dtype() == mx::bool_ ? x : mx::not_equal(x, like(x, 0), here());
}
Array all(const C& c) {
  const Reduction r(c);
  return r.axes.empty() ? truth(r.x) : mx::all(truth(r.x), r.axes, r.keep, here());
}
Array any(const C& c) {
  const Reduction r(c);
  return r.axes.empty() ? truth(r.x) : mx::any(truth(r.x), r.axes, r.keep, here());
}
Array max(const C& c) {
  const Reduction r(c);
  return r.axes.empty() ? r.x : mx::max(r.x, r.axes, r.keep, here());
}
Array min(const C& c) {
  const Reduction r(c);
  return r.axes.empty() ? r.x : mx::min(r.x, r.axes, r.keep, here());
}
Array mean(const C& c) {
  const Reduction r(c);
  return as(mean_of(wide(r.x), r.axes, r.keep), type_of(c.node));
}
Array var(const C& c) {
  const Reduction r(c);
  const mx::array x = wide(r.x);
  const mx::array d = mx::subtract(x, mean_of(x, r.axes, true), here());
  const auto square = [](const mx::array& v) { return mx::square(v, here()); };
  const bool complex = d.dtype() == mx::complex64;
  const mx::array d2 =
      complex ? mx::add(square(mx::real(d, here())), square(mx::imag(d, here())), here())
              : square(d);
  double count = 1;
  for (int a : r.axes) count *= x.shape(a);
  const mx::array total = add_up(d2, r.axes, r.keep);
  return as(
      mx::divide(total, like(total, std::max(count - c.attr<AxesAttr>().correction, 0.0)), here()),
      type_of(c.node));
}
Array logsumexp(const C& c) {
  const Reduction r(c);
  if (r.axes.empty()) return r.x;
  // Without keepdims MLX leaves an axis too many where all others have one element.
  return as(reshaped(mx::logsumexp(wide(r.x), r.axes, true, here()), to_shape(c.node.shape)),
            type_of(c.node));
}

// MLX passes over NaN; here the first one is the largest and the smallest.
template <mx::array (*f)(const mx::array&, int, bool, mx::StreamOrDevice)>
Array extreme(const C& c) {
  const auto& a = c.attr<AxisAttr>();
  const mx::array& x = *c[0];
  const int axis = int(a.axis);
  mx::array r = f(x, axis, a.flag, here());
  if (mx::issubdtype(x.dtype(), mx::floating)) {
    const mx::array nan = mx::isnan(x, here());
    r = mx::where(mx::any(nan, axis, a.flag, here()), mx::argmax(nan, axis, a.flag, here()), r,
                  here());
  }
  return as(r, mx::int64);
}

template <class F> Array scan(const C& c, F f) {
  const auto& a = c.attr<AxisAttr>();
  // MLX divides by that axis's stride, which may be 0
  if (c[0]->shape(int(a.axis)) == 1) {
    return *c[0];
  }
  return as(f(wide(*c[0]), int(a.axis), a.flag), type_of(c.node));
}
Array cumulative_sum(const C& c) {
  return scan(c, [](const mx::array& x, int axis, bool reverse) {
    return mx::cumsum(x, axis, reverse, true, here());
  });
}
Array cumulative_prod(const C& c) {
  return scan(c, [](const mx::array& x, int axis, bool reverse) {
    return mx::cumprod(x, axis, reverse, true, here());
  });
}
// MLX loses a NaN at the next number; everything behind one is NaN.
mx::array with_nan(const mx::array& r, const mx::array& x, int axis, bool reverse) {
  if (!mx::issubdtype(x.dtype(), mx::floating)) return r;
  const mx::array seen =
      mx::cummax(mx::astype(mx::isnan(x, here()), mx::uint8, here()), axis, reverse, true, here());
  return mx::where(mx::astype(seen, mx::bool_, here()), like(x, NAN), r, here());
}
Array cummax(const C& c) {
  return scan(c, [](const mx::array& x, int axis, bool reverse) {
    return with_nan(mx::cummax(x, axis, reverse, true, here()), x, axis, reverse);
  });
}
Array cummin(const C& c) {
  return scan(c, [](const mx::array& x, int axis, bool reverse) {
    return with_nan(mx::cummin(x, axis, reverse, true, here()), x, axis, reverse);
  });
}

// Of nothing: what the op starts with.
template <int v> Array none_is(const C& c) { return filled(c.node, v); }
Array none_is_nan(const C& c) { return filled(c.node, NAN); }
Array none_is_minus_infinity(const C& c) { return filled(c.node, -HUGE_VAL); }
template <One full, One empty> Kernel<Array> unless_empty(const SliceNode& n, const Slice& s) {
  return {.one = size_of(input_shape(n, s)) ? full : empty};
}

// Sums and products of bool in bool.
template <One number, One boolean, One empty>
Kernel<Array> pick_total(const SliceNode& n, const Slice& s) {
  if (size_of(input_shape(n, s)) == 0) return {.one = empty};
  return {.one = n.dtype == DType::bool_ ? boolean : number};
}

}  // namespace

void add_reductions(Table& t) {
  const auto at = [&](OpId op) -> Entry& { return t[size_t(op)]; };
  at(OpId::sum) = pick(pick_total<sum, any, none_is<0>>, no_four_bits);
  at(OpId::prod) = pick(pick_total<prod, all, none_is<1>>, no_four_bits);
  at(OpId::all) = pick(unless_empty<all, none_is<1>>);
  at(OpId::any) = pick(unless_empty<any, none_is<0>>);
  at(OpId::max) = one(max, no_four_bits);
  at(OpId::min) = one(min, no_four_bits);
  at(OpId::mean) = pick(unless_empty<mean, none_is_nan>);
  at(OpId::var) = pick(unless_empty<var, none_is_nan>);
  at(OpId::logsumexp) = pick(unless_empty<logsumexp, none_is_minus_infinity>, single);
  at(OpId::argmax) = one(extreme<mx::argmax>, no_four_bits);
  at(OpId::argmin) = one(extreme<mx::argmin>, no_four_bits);
  at(OpId::cumulative_sum) = one(cumulative_sum, no_four_bits);
  at(OpId::cumulative_prod) = one(cumulative_prod, no_four_bits);
  at(OpId::cummax) = one(cummax, no_four_bits);
  at(OpId::cummin) = one(cummin, no_four_bits);
}

}  // namespace ember::mlx
