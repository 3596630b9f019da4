// Reductions and scans.
#include <cmath>

#include "engines/mlx/library.h"

namespace ember::mlx {

// MLX adds elements sequentially, and the error grows with their number. Long axes are summed in
// blocks.
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
    const mx::array head = whole == n ? x : mx::slice(x, start, stop, stream());
    mx::array sums = mx::sum(reshaped(head, split), axis + 1, false, stream());
    if (whole < n) {
      start[axis] = whole;
      stop[axis] = n;
      sums = mx::concatenate(
          {sums, mx::sum(mx::slice(x, start, stop, stream()), axis, true, stream())}, axis,
          stream());
    }
    x = sums;
  }
  return mx::sum(x, axis, true, stream());
}
mx::array sum_of(mx::array x, const Axes& axes, bool keep) {
  if (axes.empty()) return x;
  int64_t count = 1;
  for (int a : axes) count *= x.shape(a);
  if (count <= 4 * piece || !mx::issubdtype(x.dtype(), mx::inexact)) {
    return mx::sum(x, axes, keep, stream());
  }
  for (size_t i = axes.size(); i-- > 0;) x = add_axis(x, axes[i]);
  return keep ? x : mx::squeeze(x, axes, stream());
}
mx::array mean_of(const mx::array& x, const Axes& axes, bool keep) {
  if (axes.empty()) return x;
  double count = 1;
  for (int a : axes) count *= x.shape(a);
  return mx::divide(sum_of(x, axes, keep), like(x, count), stream());
}

namespace {

struct Reduction {
  explicit Reduction(const C& c)
      : x(*c[0]),
        axes(to_axes(c.attr<ReductionAttr>().axes)),
        keep(c.attr<ReductionAttr>().keepdims) {}
  const mx::array& x;
  Axes axes;
  bool keep;
};

Array sum(const C& c) {
  const Reduction r(c);
  return as(sum_of(wide(r.x), r.axes, r.keep), type_of(c.node));
}
Array prod(const C& c) {
  const Reduction r(c);
  if (r.axes.empty()) return r.x;
  return as(mx::prod(wide(r.x), r.axes, r.keep, stream()), type_of(c.node));
}
mx::array truth(const mx::array& x) {
  return x.dtype() == mx::bool_ ? x : mx::not_equal(x, like(x, 0), stream());
}
Array all(const C& c) {
  const Reduction r(c);
  return r.axes.empty() ? truth(r.x) : mx::all(truth(r.x), r.axes, r.keep, stream());
}
Array any(const C& c) {
  const Reduction r(c);
  return r.axes.empty() ? truth(r.x) : mx::any(truth(r.x), r.axes, r.keep, stream());
}
Array max(const C& c) {
  const Reduction r(c);
  return r.axes.empty() ? r.x : mx::max(r.x, r.axes, r.keep, stream());
}
Array min(const C& c) {
  const Reduction r(c);
  return r.axes.empty() ? r.x : mx::min(r.x, r.axes, r.keep, stream());
}
Array mean(const C& c) {
  const Reduction r(c);
  return as(mean_of(wide(r.x), r.axes, r.keep), type_of(c.node));
}
Array var(const C& c) {
  const Reduction r(c);
  const mx::array x = wide(r.x);
  const mx::array d = mx::subtract(x, mean_of(x, r.axes, true), stream());
  const auto square = [](const mx::array& v) { return mx::square(v, stream()); };
  const bool complex = d.dtype() == mx::complex64;
  const mx::array d2 =
      complex ? mx::add(square(mx::real(d, stream())), square(mx::imag(d, stream())), stream())
              : square(d);
  double count = 1;
  for (int a : r.axes) count *= x.shape(a);
  const mx::array total = sum_of(d2, r.axes, r.keep);
  return as(
      mx::divide(total, like(total, std::max(count - c.attr<ReductionAttr>().correction, 0.0)),
                 stream()),
      type_of(c.node));
}
Array logsumexp(const C& c) {
  const Reduction r(c);
  if (r.axes.empty()) return r.x;
  // Without keepdims MLX leaves one axis too many if all others have length 1.
  return as(reshaped(mx::logsumexp(wide(r.x), r.axes, true, stream()), to_shape(c.node.shape)),
            type_of(c.node));
}

// MLX ignores NaN; here the first NaN is the largest and the smallest.
template <mx::array (*f)(const mx::array&, int, bool, mx::StreamOrDevice)>
Array extreme(const C& c) {
  const auto& a = c.attr<ArgReductionAttr>();
  const mx::array& x = *c[0];
  const int axis = int(a.axis);
  mx::array r = f(x, axis, a.keepdims, stream());
  if (mx::issubdtype(x.dtype(), mx::floating)) {
    const mx::array nan = mx::isnan(x, stream());
    r = mx::where(mx::any(nan, axis, a.keepdims, stream()),
                  mx::argmax(nan, axis, a.keepdims, stream()), r, stream());
  }
  return as(r, mx::int64);
}

template <class F> Array scan(const C& c, F f) {
  const auto& a = c.attr<ScanAttr>();
  // MLX divides by the axis's stride, which may be 0.
  if (c[0]->shape(int(a.axis)) == 1) {
    return *c[0];
  }
  return as(f(wide(*c[0]), int(a.axis), a.reverse), type_of(c.node));
}
Array cumulative_sum(const C& c) {
  return scan(c, [](const mx::array& x, int axis, bool reverse) {
    return mx::cumsum(x, axis, reverse, true, stream());
  });
}
Array cumulative_prod(const C& c) {
  return scan(c, [](const mx::array& x, int axis, bool reverse) {
    return mx::cumprod(x, axis, reverse, true, stream());
  });
}
// MLX loses a NaN at the next number; here all elements after a NaN are NaN.
mx::array with_nan(const mx::array& r, const mx::array& x, int axis, bool reverse) {
  if (!mx::issubdtype(x.dtype(), mx::floating)) return r;
  const mx::array seen = mx::cummax(mx::astype(mx::isnan(x, stream()), mx::uint8, stream()), axis,
                                    reverse, true, stream());
  return mx::where(mx::astype(seen, mx::bool_, stream()), like(x, NAN), r, stream());
}
Array cummax(const C& c) {
  return scan(c, [](const mx::array& x, int axis, bool reverse) {
    return with_nan(mx::cummax(x, axis, reverse, true, stream()), x, axis, reverse);
  });
}
Array cummin(const C& c) {
  return scan(c, [](const mx::array& x, int axis, bool reverse) {
    return with_nan(mx::cummin(x, axis, reverse, true, stream()), x, axis, reverse);
  });
}

// The result for an empty axis: the neutral element.
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

constexpr KernelRow rows[] = {
    {.op = OpId::sum, .pick = pick_total<sum, any, none_is<0>>, .supports = no_four_bits},
    {.op = OpId::prod, .pick = pick_total<prod, all, none_is<1>>, .supports = no_four_bits},
    {.op = OpId::all, .pick = unless_empty<all, none_is<1>>},
    {.op = OpId::any, .pick = unless_empty<any, none_is<0>>},
    {.op = OpId::max, .one = max, .supports = no_four_bits},
    {.op = OpId::min, .one = min, .supports = no_four_bits},
    {.op = OpId::mean, .pick = unless_empty<mean, none_is_nan>},
    {.op = OpId::var, .pick = unless_empty<var, none_is_nan>},
    {.op = OpId::logsumexp,
     .pick = unless_empty<logsumexp, none_is_minus_infinity>,
     .supports = single},
    {.op = OpId::argmax, .one = extreme<mx::argmax>, .supports = no_four_bits},
    {.op = OpId::argmin, .one = extreme<mx::argmin>, .supports = no_four_bits},
    {.op = OpId::cumulative_sum, .one = cumulative_sum, .supports = no_four_bits},
    {.op = OpId::cumulative_prod, .one = cumulative_prod, .supports = no_four_bits},
    {.op = OpId::cummax, .one = cummax, .supports = no_four_bits},
    {.op = OpId::cummin, .one = cummin, .supports = no_four_bits},
};

}  // namespace

std::span<const KernelRow> reduction_kernels() { return rows; }

}  // namespace ember::mlx
