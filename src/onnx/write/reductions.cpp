// Reductions, scans, sorting.
#include <cmath>

#include "src/onnx/write/writer.h"

namespace ember::onnx {

Val any_true(const Val& x, const Ints& axes, bool keepdims) {
  Shape shape;
  for (size_t d = 0; d < x.shape.size(); ++d) {
    const bool gone = std::find(axes.begin(), axes.end(), int64_t(d)) != axes.end();
    if (!gone || keepdims) shape.push_back(gone ? 1 : x.shape[d]);
  }
  return reduce("ReduceMax", x, axes, keepdims, shape);
}

Val reduce(const char* type, const Val& x, const Ints& axes, bool keepdims, const Shape& shape) {
  const bool as_input = x.w->opset >= 18 || std::string_view(type) == "ReduceSum";
  return as_input ? op(type, {x, x.w->ints(axes)}, shape, {{"keepdims", keepdims}})
                  : op(type, {x}, shape, {{"axes", axes}, {"keepdims", keepdims}});
}

namespace {

const Ints& axes_of(const Call& c) { return c.attr<ReductionAttr>().axes; }
Val reduced(const Call& c, const char* type, const Val& x) {
  if (axes_of(c).empty()) return x;
  return reduce(type, x, axes_of(c), c.attr<ReductionAttr>().keepdims, c.n.shape);
}
Val filled(const Call& c, double v) { return expand(c.w.number(v, c.n.dtype), c.n.shape); }

// Maps uint64 to int64 in the same order.
Val uint64_to_int64(const Val& x) {
  const Val s = cast(x, int64);
  return op("BitwiseXor", {s, integer_like(s, INT64_MIN)});
}
Val int64_to_uint64(const Val& x) {
  return cast(op("BitwiseXor", {x, integer_like(x, INT64_MIN)}), uint64);
}

// ONNX Runtime sums sequentially: sums of more than 256 float32 use float64.
Val widen_long_sum(const Val& x, int64_t count) {
  return x.w->exact() && x.dtype == float32 && count > 256 ? cast(x, float64) : x;
}
int64_t count_of(const Call& c) {
  return c.n.shape.empty() ? c.x().size() : c.x().size() / std::max<int64_t>(1, size_of(c.n.shape));
}

// Moves the reduced axes to the end.
Val reduced_axes_last(const Val& x, const Call& c) {
  Ints order;
  for (size_t d = 0; d < x.shape.size(); ++d) {
    if (std::find(axes_of(c).begin(), axes_of(c).end(), int64_t(d)) == axes_of(c).end()) {
      order.push_back(int64_t(d));
    }
  }
  order.append(axes_of(c).begin(), axes_of(c).end());
  return reshape(transpose(x, order), {size_of(c.n.shape), count_of(c)});
}
// Long float64 sums: sums of blocks, then the sum of those and of the remainder.
Val sum_of_blocks(const Call& c) {
  constexpr int64_t block = 1024;
  const int64_t rows = size_of(c.n.shape);
  const int64_t n = count_of(c);
  const int64_t blocks = n / block;
  const Val x = reduced_axes_last(c.x(), c);
  const Val last = c.w.ints({-1});
  const auto added = [&](const Val& v, const Shape& shape) {
    return op("ReduceSum", {v, last}, shape, {{"keepdims", 0}});
  };
  Val r = added(
      added(reshape(slice_axis(x, 1, 0, blocks * block), {rows, blocks, block}), {rows, blocks}),
      {rows});
  if (n % block) r = r + added(slice_axis(x, 1, blocks * block, n % block), {rows});
  return reshape(r, c.n.shape);
}
Val float_sum(const Call& c) {
  if (c.w.exact() && c.x().dtype == float64 && count_of(c) > 4096) return sum_of_blocks(c);
  return cast(reduced(c, "ReduceSum", widen_long_sum(c.x(), count_of(c))), c.x().dtype);
}

Val sum(const Call& c) {
  if (is_float(c.x().dtype)) return float_sum(c);
  if (!c.w.exact() || bits_of(c.x().dtype) < 64) return reduced(c, "ReduceSum", c.x());
  // ONNX Runtime's sum of int64 saturates. Sums of the upper and lower halves cannot, and their
  // combination wraps.
  const Val x = cast(c.x(), uint64);
  const Val half = integer_like(x, 32);
  const Val low =
      reduced(c, "ReduceSum", cast(op("BitwiseAnd", {x, integer_like(x, 0xffffffff)}), int64));
  const Val high = reduced(c, "ReduceSum",
                           cast(op("BitShift", {x, half}, Options{{"direction", "RIGHT"}}), int64));
  return cast(high * integer_like(high, int64_t(1) << 32) + low, c.n.dtype);
}
Val prod(const Call& c) {
  if (is_float(c.x().dtype)) {
    return cast(reduced(c, "ReduceProd", widen_long_sum(c.x(), count_of(c))), c.x().dtype);
  }
  if (!c.w.exact() || axes_of(c).empty() || c.x().size() == 0) {
    return reduced(c, "ReduceProd", c.x());
  }
  // ONNX Runtime's products saturate, but its cumulative product wraps: takes its last element,
  // over all axes flattened.
  const int64_t n = count_of(c);
  const Val flat = reduced_axes_last(c.x(), c);
  const Val all =
      op("CumProd", {flat.dtype == bool_ ? cast(flat, uint32) : flat, c.w.integer(1, int64)},
         flat.shape);
  return cast(reshape(slice_axis(all, 1, n - 1, 1), c.n.shape), c.n.dtype);
}
Val mean(const Call& c) {
  if (c.x().size() == 0) return filled(c, NAN);
  if (c.w.exact() && c.x().dtype == float64) {
    return float_sum(c) / cast(c.w.numbers({{.base = count_of(c)}}, false), float64);
  }
  return cast(reduced(c, "ReduceMean", widen_long_sum(c.x(), count_of(c))), c.x().dtype);
}
// ONNX Runtime ignores NaN in some reductions: restores it.
Val propagate_nan(const Call& c, const Val& r) {
  if (!c.w.exact() || !is_float(r.dtype) || axes_of(c).empty()) return r;
  return where(any_true(op("IsNaN", {c.x()}), axes_of(c), c.attr<ReductionAttr>().keepdims),
               like(r, NAN), r);
}
// ONNX Runtime ignores NaN next to infinity.
Val logsumexp(const Call& c) {
  return c.x().size() == 0 ? filled(c, -HUGE_VAL)
                           : propagate_nan(c, reduced(c, "ReduceLogSumExp", c.x()));
}
// The extreme of int64 by its index: see extreme_of().
Val extreme_by_index(const Call& c, const char* place_type, const Val& x) {
  const Val flat = reduced_axes_last(x, c);
  const Shape one{flat.shape[0], 1};
  const Val place = op(place_type, {flat}, one, {{"axis", 1}, {"keepdims", 1}});
  return reshape(op("GatherElements", {flat, place}, one, {{"axis", 1}}), c.n.shape);
}
Val extreme(const Call& c, const char* type, const char* place_type) {
  const Val& x = c.x();
  if (axes_of(c).empty()) return x;
  if (c.w.exact() && x.dtype == int64) return extreme_by_index(c, place_type, x);
  if (c.w.exact() && x.dtype == uint64) {
    return int64_to_uint64(extreme_by_index(c, place_type, uint64_to_int64(x)));
  }
  if (x.dtype == uint64) return int64_to_uint64(reduced(c, type, uint64_to_int64(x)));
  // float64 represents every uint32.
  if (x.dtype == uint32) {
    return cast(reduced(c, type, cast(x, float64)), uint32);
  }
  return propagate_nan(c, reduced(c, type, x));
}
Val max(const Call& c) { return extreme(c, "ReduceMax", "ArgMax"); }
Val min(const Call& c) { return extreme(c, "ReduceMin", "ArgMin"); }
Val all(const Call& c) {
  return c.x().size() == 0 ? filled(c, 1) : reduced(c, "ReduceMin", cast(c.x(), bool_));
}
Val any(const Call& c) {
  return c.x().size() == 0 ? filled(c, 0) : reduced(c, "ReduceMax", cast(c.x(), bool_));
}

Val arg_extreme(const Call& c, const char* type) {
  const ArgReductionAttr& a = c.attr<ArgReductionAttr>();
  const auto along = [&](const char* kind, const Val& x) {
    return op(kind, {x}, c.n.shape, {{"axis", a.axis}, {"keepdims", a.keepdims}});
  };
  if (c.x().dtype == uint64) return along(type, uint64_to_int64(c.x()));
  const Val r = along(type, c.x().dtype == bool_ ? cast(c.x(), uint8) : c.x());
  if (!c.w.exact() || !is_float(c.x().dtype)) return r;
  const Val nan = op("IsNaN", {c.x()});
  // The first NaN, if there is one.
  return where(any_true(nan, {a.axis}, a.keepdims), along("ArgMax", cast(nan, uint8)), r);
}
Val argmax(const Call& c) { return arg_extreme(c, "ArgMax"); }
Val argmin(const Call& c) { return arg_extreme(c, "ArgMin"); }

Val scan(const Call& c, const char* type) {
  const ScanAttr& a = c.attr<ScanAttr>();
  const Val x = widen_long_sum(c.x(), c.n.shape[size_t(a.axis)]);
  return cast(op(type, {x, c.w.integer(a.axis, int64)}, c.n.shape, {{"reverse", a.reverse}}),
              c.x().dtype);
}
Val cumulative_sum(const Call& c) { return scan(c, "CumSum"); }
Val cumulative_prod(const Call& c) { return scan(c, "CumProd"); }
// A cumulative maximum or minimum in log2(n) steps: extremes of 1, 2, 4, ... neighbours.
Val cumulative_extreme(const Call& c, const char* type) {
  const ScanAttr& a = c.attr<ScanAttr>();
  const size_t axis = size_t(a.axis);
  const int64_t n = c.n.shape[axis];
  Val r = c.x().dtype == bool_ ? cast(c.x(), uint8) : c.x();
  for (int64_t by = 1; by < n; by *= 2) {
    const Val later = slice_axis(r, axis, by, n - by);
    const Val before = slice_axis(r, axis, 0, n - by);
    const Val both = extreme_of(type, later, before);
    const Val rest = slice_axis(r, axis, a.reverse ? n - by : 0, by);
    r = op("Concat", a.reverse ? Vals{both, rest} : Vals{rest, both}, c.n.shape,
           {{"axis", a.axis}});
  }
  return cast(r, c.n.dtype);
}
Val cummax(const Call& c) { return cumulative_extreme(c, "Max"); }
Val cummin(const Call& c) { return cumulative_extreme(c, "Min"); }

// An integer key that sorts like x in a type that TopK supports: floats by their bits, with equal
// zeros, and NaN last in both orders.
Val sort_key(const Val& given, bool descending) {
  const Val x = widen(given);
  if (x.dtype == bool_) return cast(x, uint8);
  if (x.dtype == uint16) return cast(x, int32);
  if (x.dtype == uint32) return cast(x, int64);
  if (x.dtype == uint64) return uint64_to_int64(x);
  if (!is_float(x.dtype)) return x;
  const Val b = bits(where(x == 0.0, like(x, 0), x));
  const int64_t most = x.dtype == float32 ? INT32_MAX : INT64_MAX;
  const Val key = where(b < integer_like(b, 0), op("BitwiseXor", {b, integer_like(b, most)}), b);
  return where(op("IsNaN", {x}), integer_like(b, descending ? -most - 1 : most), key);
}
Val argsort(const Call& c) {
  const SortAttr& a = c.attr<SortAttr>();
  const Val key = sort_key(c.x(), a.descending);
  const Val k = c.w.numbers({{.base = c.n.shape[size_t(a.axis)]}});
  c.w.node("TopK", {key, k}, key.dtype, c.n.shape, {{"axis", a.axis}, {"largest", a.descending}});
  const std::string places = c.w.unique(c.w.op);
  c.w.graph.nodes.back().outputs.push_back(places);
  return {&c.w, places, int64, c.n.shape};
}
Val sort(const Call& c) {
  return op("GatherElements", {c.x(), argsort(c)}, c.n.shape, {{"axis", c.attr<SortAttr>().axis}});
}

// The number of elements of the sorted x before each value: a binary search for all values at once.
Val searchsorted(const Call& c) {
  const bool right = c.attr<SearchAttr>().right;
  const Val x = widen(c[0]);
  const Val v = widen(c[1]);
  const int64_t n = x.shape[0];
  Val found = expand(c.w.integer(0, int64), c.n.shape);
  const Val nan = is_float(v.dtype) ? op("IsNaN", {v}) : Val{};
  int64_t step = 1;
  while (step <= n / 2) step *= 2;
  const Val last = c.w.numbers({{.base = n}}, false);
  for (; n > 0 && step > 0; step /= 2) {
    const Val next = found + integer_like(found, step);
    const Val at = op("Min", {next, last}) - integer_like(found, 1);
    const Val seen = op("Gather", {x, at}, c.n.shape, {{"axis", 0}});
    Val before = op(right ? "LessOrEqual" : "Less", {seen, v});
    if (nan.w) before = before || (right ? nan : nan && !op("IsNaN", {seen}));  // NaN is last
    found = where(before && op("LessOrEqual", {next, last}), next, found);
  }
  return found;
}
Val nonzero(const Call& c) {
  const Val x = cast(c.x(), bool_);
  return transpose(c.w.node("NonZero", {x}, int64, {c.n.shape[1], c.n.shape[0]}), {1, 0});
}

}  // namespace

void add_reductions(Table& t) {
  using enum OpId;
  constexpr std::pair<OpId, Emit> entries[] = {{sum, onnx::sum},
                                               {prod, onnx::prod},
                                               {mean, onnx::mean},
                                               {logsumexp, onnx::logsumexp},
                                               {max, onnx::max},
                                               {min, onnx::min},
                                               {all, onnx::all},
                                               {any, onnx::any},
                                               {argmax, onnx::argmax},
                                               {argmin, onnx::argmin},
                                               {cumulative_sum, onnx::cumulative_sum},
                                               {cumulative_prod, onnx::cumulative_prod},
                                               {cummax, onnx::cummax},
                                               {cummin, onnx::cummin},
                                               {sort, onnx::sort},
                                               {argsort, onnx::argsort},
                                               {searchsorted, onnx::searchsorted},
                                               {nonzero, onnx::nonzero}};
  for (auto [op, emit] : entries) t[size_t(op)].emit = emit;
  for (OpId op : {sum, prod, mean, logsumexp, cumulative_sum, cumulative_prod}) {
    t[size_t(op)].wide = true;
  }
}

}  // namespace ember::onnx
