// Indexing: x(...) as NumPy has it, its functional update, gathers and scatters.
#include <cmath>

#include "src/ops/views.h"

namespace ember {
namespace {

// The steps of x(items). With x of shape [5, 6, 7], an index tensor i of shape [2] and a new axis
// n,
//   x(1, i, 2:5, n): cuts 1:2, 0:6, 2:5    the slice, of shape [1, 6, 3]
//                    shape [6, 3]          without the axes of integers
//                    axes [0], index [i]   the axes of `shape` that index tensors replace
//                    basic [3, 1]          `shape` without those axes and with new ones
//                    before 0              the axes of i go in front of basic[0]
// so that the result has the shape [2, 3, 1].
struct IndexPlan {
  std::vector<Cut> cuts;  // one per axis of x
  Shape shape;            // a mask over several axes merges them
  Shape basic;
  std::vector<Tensor> index;  // int64; a mask as the positions of its true elements
  Ints axes;
  size_t before = 0;
};

bool is_mask(const IndexItem& i) {
  const auto* t = std::get_if<Tensor>(&i);
  return t && t->dtype() == DType::bool_;
}

int64_t axes_taken(const IndexItem& i) {
  if (std::holds_alternative<Ellipsis>(i) || std::holds_alternative<NewAxis>(i)) return 0;
  return is_mask(i) ? std::get<Tensor>(i).ndim() : 1;
}

int64_t checked_index(int64_t i, int64_t n, int64_t axis) {
  if (i < -n || i >= n) {
    throw IndexError("index " + std::to_string(i) + " is out of range for axis " +
                     std::to_string(axis) + " of length " + std::to_string(n));
  }
  return i < 0 ? i + n : i;
}

// The positions of a mask's true elements in the flattened mask. This is the only step of indexing
// that reads values.
Tensor true_positions(const Tensor& mask) { return ops::nonzero(ops::flatten(mask))[0]; }

IndexPlan plan_index(const Tensor& x, const std::vector<IndexItem>& items) {
  const Shape& s = x.shape();
  IndexPlan p;
  int64_t taken = 0;
  bool dots = false;
  bool tensors = false;
  for (const IndexItem& i : items) {
    if (const auto* t = std::get_if<Tensor>(&i)) {
      if (!t->defined()) throw ValueError("an index is missing");
      tensors = true;
    }
    if (std::holds_alternative<Ellipsis>(i) && std::exchange(dots, true)) {
      throw IndexError("an index may contain only one ellipsis");
    }
    taken += axes_taken(i);
  }
  if (taken > x.ndim()) {
    throw IndexError("too many indices: " + std::to_string(taken) + " for " +
                     std::to_string(x.ndim()) + " dimensions");
  }

  int64_t axis = 0;
  const auto keep = [&](Cut c) {
    p.cuts.push_back(c);
    p.shape.push_back(c.count);
    p.basic.push_back(c.count);
    ++axis;
  };
  // NumPy's rule: the axes of adjacent index tensors and integers stay in place; if a slice, an
  // ellipsis or a new axis separates them, they come first.
  enum { none, running, stopped } run = none;
  bool separated = false;
  const auto advanced = [&] {
    if (run == none) p.before = p.basic.size();
    separated |= run == stopped;
    run = running;
  };
  const auto basic_item = [&] {
    if (run == running) run = stopped;
  };
  for (const IndexItem& item : items) {
    if (const auto* i = std::get_if<int64_t>(&item)) {
      if (tensors) advanced();
      p.cuts.push_back({checked_index(*i, s[size_t(axis)], axis), 1, 1});
      ++axis;
    } else if (const auto* r = std::get_if<Range>(&item)) {
      basic_item();
      keep(cut_of(*r, s[size_t(axis)]));
    } else if (std::holds_alternative<Ellipsis>(item)) {
      basic_item();
      for (int64_t n = x.ndim() - taken; n > 0; --n) keep({0, 1, s[size_t(axis)]});
    } else if (std::holds_alternative<NewAxis>(item)) {
      basic_item();
      p.basic.push_back(1);
    } else {
      const Tensor& t = std::get<Tensor>(item);
      advanced();
      p.axes.push_back(int64_t(p.shape.size()));
      if (!is_mask(item)) {
        p.index.push_back(to_index(t));
        p.shape.push_back(s[size_t(axis)]);
        p.cuts.push_back({0, 1, s[size_t(axis)]});
        ++axis;
        continue;
      }
      int64_t merged = 1;
      for (int64_t n : t.shape()) {
        if (n != s[size_t(axis)] && n != 0) {  // an extent of 0 fits every axis and selects nothing
          throw IndexError("a mask of shape " + to_string(t.shape()) + " does not fit: axis " +
                           std::to_string(axis) + " has length " + std::to_string(s[size_t(axis)]));
        }
        merged *= s[size_t(axis)];
        p.cuts.push_back({0, 1, s[size_t(axis)]});
        ++axis;
      }
      p.index.push_back(true_positions(t));
      p.shape.push_back(merged);
    }
  }
  while (axis < x.ndim()) keep({0, 1, s[size_t(axis)]});
  if (separated) p.before = 0;
  return p;
}

// The index tensors of a plan, broadcast together and stacked along a last axis.
Tensor index_tuples(const IndexPlan& p) { return ops::stack(ops::broadcast_arrays(p.index), -1); }

// The shape of x(items) once the index tensors' common shape is known.
Shape result_shape(const IndexPlan& p, const Shape& common) {
  Shape r(p.basic.begin(), p.basic.begin() + p.before);
  r.append(common.begin(), common.end());
  r.append(p.basic.begin() + p.before, p.basic.end());
  return r;
}

// With k index tensors of the common shape c over y, the slice of x in the shape p.shape:
//   k = 1: take replaces the axis by the axes of c, which move to the front if p.before is 0.
//   k > 1: the indexed axes go first; gather_nd replaces them by the axes of c, which then move
//          behind the axes of y that precede the first indexed one, unless p.before is 0.
// A y of shape [4, 5, 6] indexed along axes 1 and 2 is transposed to [5, 6, 4], gathered to
// [c, 4] and moved to [4, c]. Only then are new axes added.
Tensor read_index(const Tensor& x, const IndexPlan& p) {
  Tensor y = ops::reshape(sliced(x, p.cuts), p.shape);
  if (p.index.empty()) return ops::reshape(y, p.basic);
  const int64_t k = int64_t(p.axes.size());
  const int64_t first = p.axes[0];
  Ints from;
  Ints to;
  if (k == 1) {
    y = ops::take(y, p.index[0], first);
    if (p.before == 0 && first > 0) {
      for (int64_t i = 0; i < p.index[0].ndim(); ++i) {
        from.push_back(first + i);
        to.push_back(i);
      }
      y = ops::moveaxis(y, from, to);
    }
    return ops::reshape(y, result_shape(p, p.index[0].shape()));
  }
  Ints front;
  for (int64_t i = 0; i < k; ++i) front.push_back(i);
  const Tensor tuples = index_tuples(p);
  const Shape common(tuples.shape().begin(), tuples.shape().end() - 1);
  y = ops::gather_nd(ops::moveaxis(y, p.axes, front), tuples);
  for (int64_t i = 0; i < int64_t(common.size()); ++i) {
    from.push_back(i);
    to.push_back((p.before > 0 ? first : 0) + i);
  }
  return ops::reshape(ops::moveaxis(y, from, to), result_shape(p, common));
}

// A value to write into a region of x: in x's dtype, broadcast to the region. Extra leading axes of
// length 1 are dropped.
Tensor update_for(const Tensor& x, const Tensor& value, const Shape& region) {
  Tensor v = typed(value, x.dtype());
  size_t extra = 0;
  while (v.shape().size() - extra > region.size() && v.shape()[extra] == 1) ++extra;
  return ops::broadcast_to(ops::reshape(v, Shape(v.shape().begin() + extra, v.shape().end())),
                           region);
}

Tensor put(const Tensor& x, const std::vector<IndexItem>& items, const Tensor& value) {
  // A single mask and a value that is the same for all selected elements are a where, which needs
  // no evaluation of the mask.
  if (items.size() == 1 && is_mask(items[0])) {
    const Tensor& mask = std::get<Tensor>(items[0]);
    Shape inner;
    Shape wide = mask.shape();
    for (int64_t d = mask.ndim(); d < x.ndim(); ++d) {
      inner.push_back(x.shape()[size_t(d)]);
      wide.push_back(1);
    }
    if (value.ndim() <= int64_t(inner.size()) && mask.ndim() > 0 && mask.ndim() <= x.ndim() &&
        std::equal(mask.shape().begin(), mask.shape().end(), x.shape().begin())) {
      return ops::where(ops::reshape(mask, wide), update_for(x, value, inner), x);
    }
  }
  const IndexPlan p = plan_index(x, items);
  if (p.index.empty()) {
    SliceAttr attr;
    Shape region;
    for (const Cut& c : p.cuts) {
      attr.starts.push_back(c.start);
      attr.steps.push_back(c.step);
      region.push_back(c.count);
    }
    const Tensor v = ops::reshape(update_for(x, value, p.basic), region);
    return v.size() == 0 ? x : apply_to(OpId::slice_update, std::move(attr), x, v);
  }
  // Index tensors for the leading axes alone (no new axes, masks of several axes or cuts):
  // scatter_nd.
  bool leading = int64_t(p.axes.size()) == p.axes.back() + 1 && p.before == 0 &&
                 p.basic.size() + p.axes.size() == p.shape.size();
  for (size_t d = 0; d < p.cuts.size(); ++d) {
    leading &= p.cuts[d].count == x.shape()[d] && p.cuts[d].step == 1;
  }
  if (leading && p.shape == x.shape()) {
    const Tensor at = index_tuples(p);
    const Tensor v =
        update_for(x, value, result_shape(p, Shape(at.shape().begin(), at.shape().end() - 1)));
    return apply_to(OpId::scatter_nd, ScatterAttr{0, Mode::set}, x, at, v);
  }
  // Otherwise the same index, applied to the positions 0 .. size-1, gives the positions to write.
  const Tensor at = read_index(ops::reshape(index_range(x.size()), x.shape()), p);
  const Tensor v = ops::flatten(update_for(x, value, at.shape()));
  return ops::reshape(
      apply_to(OpId::scatter, ScatterAttr{0, Mode::set}, ops::flatten(x), ops::flatten(at), v),
      x.shape());
}

Mode mode_of(std::string_view s) {
  if (s == "set" || s == "none") return Mode::set;
  if (s == "add") return Mode::add;
  if (s == "mul") return Mode::mul;
  if (s == "max") return Mode::max;
  if (s == "min") return Mode::min;
  throw ValueError("the reduction must be set, add, mul, max or min, not '" +
                   std::string(s.substr(0, 40)) + "'");
}

// Broadcasts both to each other except along one axis: [1, 4] and [3, 2] along axis 1 become [3, 4]
// and [3, 2].
void broadcast_except(Tensor& x, Tensor& indices, int64_t axis) {
  if (x.ndim() != indices.ndim()) {
    throw ShapeError("the indices must have " + std::to_string(x.ndim()) + " dimensions, not " +
                     std::to_string(indices.ndim()));
  }
  Shape a = x.shape();
  Shape b = indices.shape();
  const int64_t na = std::exchange(a[size_t(axis)], 1);
  const int64_t nb = std::exchange(b[size_t(axis)], 1);
  a = b = ember::broadcast_shapes(a, b);
  a[size_t(axis)] = na;
  b[size_t(axis)] = nb;
  x = ops::broadcast_to(x, a);
  indices = ops::broadcast_to(indices, b);
}

bool narrow(DType t) { return t == DType::float16 || t == DType::bfloat16; }

// 16-bit floats that are combined at one position are added and multiplied in float32 and rounded
// once.
Tensor combine_at(OpId op, ScatterAttr attr, const Tensor& x, const Tensor& at,
                  const Tensor& values) {
  if (!narrow(x.dtype()) || (attr.mode != Mode::add && attr.mode != Mode::mul)) {
    return apply_to(op, attr, x, at, values);
  }
  return cast_to(
      apply_to(op, attr, cast_to(x, DType::float32), at, cast_to(values, DType::float32)),
      x.dtype());
}
Tensor scatter_into(const Tensor& start, const Tensor& at, const Tensor& values, int64_t axis,
                    Mode mode) {
  return combine_at(OpId::scatter, ScatterAttr{axis, mode}, start, at, values);
}

// The identity element of a reduction: 0 for sums, 1 for products, -inf for maxima.
Tensor neutral(DType t, Mode mode) {
  if (mode != Mode::max && mode != Mode::min) return cast_to(Tensor(mode == Mode::mul ? 1 : 0), t);
  const bool max = mode == Mode::max;
  if (t == DType::bool_) return cast_to(Tensor(!max), t);
  if (is_float(t)) return cast_to(Tensor(max ? -HUGE_VAL : HUGE_VAL), t);
  if (is_complex(t)) throw DTypeError("complex numbers have no order");
  const ops::IntInfo info = ops::iinfo(t);
  return cast_to(max ? Tensor(info.min) : Tensor(info.max), t);
}

Tensor take_as(const char* name, const Tensor& x, const Tensor& indices, int64_t axis) {
  Tensor in[] = {x, indices};
  return named(name, "x, indices", in, [&] {
    in[1] = to_index(indices);
    return apply(OpId::take, in, AxisAttr{.axis = normal_axis(axis, x.ndim())});
  });
}

struct Buckets {
  Tensor at, values;  // as many of one as of the other
  int64_t axis, count;
  Shape shape() const {
    Shape s = values.shape();
    s[size_t(axis)] = count;
    return s;
  }
  Tensor collect(const Tensor& v, Mode mode) const {
    return scatter_into(ops::broadcast_to(neutral(v.dtype(), mode), shape()), at, v, axis, mode);
  }
  // How many fall in each, shaped to broadcast over the result.
  Tensor counts() const {
    Shape s(size_t(values.ndim()), 1);
    s[size_t(axis)] = count;
    return ops::reshape(scatter_into(ops::zeros({count}, DType::int64), at,
                                     ops::ones({at.size()}, DType::int64), 0, Mode::add),
                        s);
  }
};

Buckets buckets(const Tensor& values, const Tensor& indices, std::optional<int64_t> dim_size,
                int64_t axis) {
  Buckets b{to_index(indices), values, normal_axis(axis, values.ndim()), 0};
  const int64_t n = b.at.size();
  const int64_t have = values.shape()[size_t(b.axis)];
  if (b.at.ndim() != 1) {
    throw ShapeError("the indices must have one dimension, not " + std::to_string(b.at.ndim()));
  }
  if (n > have) {
    throw ShapeError(std::to_string(n) + " indices for " + std::to_string(have) +
                     " values along axis " + std::to_string(b.axis));
  }
  if (n < have) b.values = sliced(values, b.axis, {0, 1, n});
  if (dim_size && *dim_size < 0) {
    throw ValueError("dim_size cannot be negative: " + std::to_string(*dim_size));
  }
  if (dim_size) {
    b.count = *dim_size;
  } else if (n > 0) {
    const int64_t last = ops::max(b.at).item<int64_t>();
    if (last == INT64_MAX) {
      throw ShapeError("index " + std::to_string(last) + " needs too many buckets");
    }
    b.count = std::max<int64_t>(last + 1, 0);
  }
  check_size(b.shape(), values.dtype());
  return b;
}

Tensor aggregate(Buckets b, std::string_view aggr) {
  const DType given = b.values.dtype();
  if (aggr == "max" || aggr == "min") {  // an empty bucket holds 0
    return ops::where(b.counts() > 0, b.collect(b.values, aggr == "max" ? Mode::max : Mode::min),
                      cast_to(Tensor(0), given));
  }
  const bool real = aggr == "mean" || aggr == "softmax";
  const DType out = real ? float_of(given) : given;
  b.values =
      cast_to(b.values, narrow(out) ? DType::float32 : out);  // sums of 16-bit floats in 32 bits
  const DType wide = b.values.dtype();
  if (aggr == "add") return cast_to(b.collect(b.values, Mode::add), out);
  if (aggr == "mul") {
    return cast_to(
        ops::where(b.counts() > 0, b.collect(b.values, Mode::mul), cast_to(Tensor(0), wide)), out);
  }
  if (aggr == "mean") {
    return cast_to(b.collect(b.values, Mode::add) / cast_to(ops::maximum(b.counts(), 1), wide),
                   out);
  }
  if (aggr == "softmax") {
    const Tensor top = ops::take(b.collect(b.values, Mode::max), b.at, b.axis);
    const Tensor e = ops::exp(b.values - top);
    return cast_to(e / ops::take(b.collect(e, Mode::add), b.at, b.axis), out);
  }
  throw ValueError("aggr must be add, mean, max, min, mul or softmax, not '" +
                   std::string(aggr.substr(0, 40)) + "'");
}

Tensor collect_as(const char* name, const Tensor& values, const Tensor& indices,
                  std::optional<int64_t> dim_size, std::string_view aggr, int64_t axis) {
  const Tensor in[] = {values, indices};
  return named(name, "values, indices", in,
               [&] { return aggregate(buckets(values, indices, dim_size, axis), aggr); });
}

}  // namespace

Tensor Tensor::operator()(std::vector<IndexItem> items) const {
  return named("index", *this, [&] { return read_index(*this, plan_index(*this, items)); });
}
Tensor index_update(const Tensor& x, const std::vector<IndexItem>& items, const Tensor& value) {
  const Tensor in[] = {x, value};
  return named("index_update", "x, value", in, [&] { return put(x, items, value); });
}

namespace ops {

Tensor take(const Tensor& x, const Tensor& indices, std::optional<int64_t> axis) {
  if (!axis) return take(flatten(x), indices, 0);
  return take_as("take", x, indices, *axis);
}
Tensor gather(const Tensor& x, const Tensor& indices, int64_t axis) {
  return take_as("gather", x, indices, axis);
}
Tensor embedding(const Tensor& weight, const Tensor& indices) {
  return take_as("embedding", weight, indices, 0);
}
Tensor take_along_axis(const Tensor& x, const Tensor& indices, int64_t axis) {
  Tensor in[] = {x, indices};
  return named("take_along_axis", "x, indices", in, [&] {
    const int64_t a = normal_axis(axis, x.ndim());
    in[1] = to_index(indices);
    broadcast_except(in[0], in[1], a);
    return apply(OpId::take_along_axis, in, AxisAttr{.axis = a});
  });
}
Tensor gather_nd(const Tensor& x, const Tensor& indices) {
  Tensor in[] = {x, indices};
  return named("gather_nd", "x, indices", in, [&] {
    in[1] = to_index(indices);
    return apply(OpId::gather_nd, in);
  });
}

Tensor scatter(const Tensor& values, const Tensor& indices, std::optional<int64_t> dim_size,
               std::string_view aggr, int64_t axis) {
  return collect_as("scatter", values, indices, dim_size, aggr, axis);
}
Tensor scatter_mean(const Tensor& values, const Tensor& indices, std::optional<int64_t> dim_size,
                    int64_t axis) {
  return collect_as("scatter_mean", values, indices, dim_size, "mean", axis);
}
Tensor segment_sum(const Tensor& x, const Tensor& segment_ids,
                   std::optional<int64_t> num_segments) {
  return collect_as("segment_sum", x, segment_ids, num_segments, "add", 0);
}
Tensor scatter_elements(const Tensor& x, const Tensor& indices, const Tensor& updates, int64_t axis,
                        std::string_view reduction) {
  const Tensor in[] = {x, indices, updates};
  return named("scatter_elements", "x, indices, updates", in, [&] {
    const ScatterAttr attr{normal_axis(axis, x.ndim()), mode_of(reduction)};
    return combine_at(OpId::scatter_elements, attr, x, to_index(indices),
                      update_for(x, updates, indices.shape()));
  });
}
Tensor put_along_axis(const Tensor& x, const Tensor& indices, const Tensor& values, int64_t axis) {
  const Tensor in[] = {x, indices, values};
  return named("put_along_axis", "x, indices, values", in, [&] {
    const int64_t a = normal_axis(axis, x.ndim());
    Tensor to = x;
    Tensor at = to_index(indices);
    broadcast_except(to, at, a);
    if (to.shape() != x.shape()) {
      throw ShapeError("indices of shape " + to_string(indices.shape()) + " do not broadcast to " +
                       to_string(x.shape()) + " along the other axes");
    }
    return scatter_elements(x, at, values, a);
  });
}
Tensor scatter_nd(const Tensor& x, const Tensor& indices, const Tensor& updates,
                  std::string_view reduction) {
  const Tensor in[] = {x, indices, updates};
  return named("scatter_nd", "x, indices, updates", in, [&] {
    const ScatterAttr attr{0, mode_of(reduction)};
    const int64_t n = indices.ndim();
    const int64_t k = n ? indices.shape(-1) : 0;
    if (n == 0 || k > x.ndim()) {
      throw ShapeError("the last axis of the indices must hold at most " +
                       std::to_string(x.ndim()) + " indices");
    }
    Shape region(indices.shape().begin(), indices.shape().end() - 1);
    region.append(x.shape().begin() + k, x.shape().end());
    return combine_at(OpId::scatter_nd, attr, x, to_index(indices), update_for(x, updates, region));
  });
}
Tensor tensor_scatter_nd_update(const Tensor& x, const Tensor& indices, const Tensor& updates) {
  const Tensor in[] = {x, indices, updates};
  return named("tensor_scatter_nd_update", "x, indices, updates", in,
               [&] { return scatter_nd(x, indices, updates); });
}

Tensor slice_update(const Tensor& x, const Tensor& update, const Ints& starts,
                    const std::optional<Ints>& steps) {
  Tensor in[] = {x, update};
  return named("slice_update", "x, update", in, [&]() -> Tensor {
    const size_t n = size_t(x.ndim());
    if (starts.size() != n || (steps && steps->size() != n)) {
      throw ShapeError(std::to_string(starts.size()) + " starts and " +
                       std::to_string(steps ? steps->size() : n) + " steps for " +
                       std::to_string(n) + " dimensions");
    }
    if (update.ndim() > x.ndim()) throw ShapeError("the update has more dimensions than x");
    Shape region = update.shape();
    while (region.size() < n) region.insert(0, 1);
    SliceAttr attr;
    for (size_t d = 0; d < n; ++d) {
      const int64_t len = x.shape()[d];
      const int64_t count = region[d];
      int64_t start = starts[d];
      int64_t step = steps ? (*steps)[d] : 1;
      int64_t last = 0;
      if (step == 0) throw ValueError("the step of a slice cannot be 0");
      if (start < 0 && start >= -len) start += len;
      if (count == 0) {
        start = 0;
        step = 1;
      }
      if (count == 1) step = 1;
      const bool wraps = count > 0 && (__builtin_mul_overflow(count - 1, step, &last) ||
                                       __builtin_add_overflow(last, start, &last));
      if (count > 0 && (wraps || start < 0 || start >= len || last < 0 || last >= len)) {
        throw IndexError("a slice of " + std::to_string(count) + " elements from " +
                         std::to_string(starts[d]) + " with step " + std::to_string(step) +
                         " exceeds axis " + std::to_string(d) + " of length " +
                         std::to_string(len));
      }
      attr.starts.push_back(start);
      attr.steps.push_back(step);
    }
    in[1] = update_for(x, update, region);
    return in[1].size() == 0 ? x : apply(OpId::slice_update, in, std::move(attr));
  });
}
Tensor index_add(const Tensor& x, const Tensor& indices, const Tensor& values, int64_t axis) {
  const Tensor in[] = {x, indices, values};
  return named("index_add", "x, indices, values", in, [&] {
    const int64_t a = normal_axis(axis, x.ndim());
    const Tensor at = to_index(indices);
    if (at.ndim() > 1) {
      throw ShapeError("the indices must have one dimension, not " + std::to_string(at.ndim()));
    }
    Shape region = x.shape();
    region[size_t(a)] = at.size();
    return scatter_into(x, flatten(at), update_for(x, values, region), a, Mode::add);
  });
}

Tensor masked_select(const Tensor& x, const Tensor& mask) {
  const Tensor in[] = {x, mask};
  return named("masked_select", "x, mask", in, [&] {
    if (mask.dtype() != DType::bool_) {
      throw DTypeError("the mask must be bool, not " + std::string(name(mask.dtype())));
    }
    const Tensors both = broadcast_arrays({x, mask});
    return take(flatten(both[0]), true_positions(both[1]), 0);
  });
}
Tensor masked_fill(const Tensor& x, const Tensor& mask, const Tensor& value) {
  const Tensor in[] = {x, mask, value};
  return named("masked_fill", "x, mask, value", in, [&] {
    if (mask.dtype() != DType::bool_) {
      throw DTypeError("the mask must be bool, not " + std::string(name(mask.dtype())));
    }
    return where(mask, typed(value, x.dtype()), x);
  });
}

}  // namespace ops

namespace {

// ---- Gradients ----
using namespace ops;

// The positions of x that an index selects, possibly several times: reads them, or combines values
// into them.
struct Places {
  OpId op;  // the scatter; get is the gather that belongs to it
  int64_t axis;
  Tensor at;

  explicit Places(const Vjp& v, OpId scatter)
      : op(scatter), axis(v.attrs.as<ScatterAttr>().axis), at(v.x[1]) {}
  Places(OpId scatter, int64_t along, Tensor index)
      : op(scatter), axis(along), at(std::move(index)) {}

  Tensor put(const Tensor& x, const Tensor& values, Mode mode) const {
    return apply_to(op, ScatterAttr{axis, mode}, x, at, values);
  }
  Tensor get(const Tensor& x) const {
    if (op == OpId::scatter) return apply_to(OpId::take, AxisAttr{.axis = axis}, x, at);
    if (op == OpId::scatter_nd) return apply_to(OpId::gather_nd, {}, x, at);
    std::vector<Cut> cuts;  // the index may be shorter than x beside the axis
    for (int64_t d = 0; d < x.ndim(); ++d) {
      cuts.push_back({0, 1, d == axis ? x.shape(d) : at.shape(d)});
    }
    return apply_to(OpId::take_along_axis, AxisAttr{.axis = axis}, sliced(x, cuts), at);
  }
  // True for the values that a `set` keeps where positions repeat, found by scattering the values'
  // numbers: index [2, 0, 2] writes 0, 1, 2 and reads back [2, 1, 2], so the first value loses. The
  // order is the engine's own. Broadcasts over the values.
  Tensor winners(const Shape& x) const {
    Shape base = x;
    Shape slots = at.shape();
    Shape wide = slots;
    Places p = *this;
    if (op == OpId::scatter) {
      base = {x[size_t(axis)]};
      p.axis = 0;
      for (size_t d = size_t(axis) + 1; d < x.size(); ++d) wide.push_back(1);
    } else if (op == OpId::scatter_nd) {
      const size_t depth = size_t(slots.back());
      slots.pop_back();
      wide = slots;
      base = Shape(x.begin(), x.begin() + depth);
      for (size_t d = depth; d < x.size(); ++d) wide.push_back(1);
    }
    const Tensor order = reshape(index_range(size_of(std::span<const int64_t>(slots))), slots);
    return reshape(p.get(p.put(zeros(base, DType::int64), order, Mode::set)) == order, wide);
  }
};

// Zeros in x's shape with g added at the positions; 16-bit floats are summed in float32.
Tensor collected(const Places& p, const Tensor& x, const Tensor& g) {
  const Tensor wide = widen(g);
  return p.put(zeros(x.shape(), wide.dtype()), wide, Mode::add);
}

Gradients vjp_take(const Vjp& v) {
  const Tensor& x = v.x[0];
  const Tensor& at = v.x[1];
  const Tensor& g = v.g[0];
  const int64_t axis = v.attrs.as<AxisAttr>().axis;
  Shape s = x.shape();
  s[size_t(axis)] = at.size();
  return {collected({OpId::scatter, axis, flatten(at)}, x, reshape(g, s))};
}

// For each value the product of the other values at its position. Zeros are counted separately, so
// nothing is divided by zero: [2, 0, 3] gives [0, 6, 0].
Tensor product_of_others(const Places& p, const Tensor& x, const Tensor& values) {
  const Tensor zero = values == 0.0;
  const Tensor safe = where(zero, 1.0, values);
  const Tensor product = p.get(p.put(ones_like(x), safe, Mode::mul));
  const Tensor num_zeros =
      p.get(p.put(zeros(x.shape(), DType::int64), cast_to(zero, DType::int64), Mode::add));
  return where(num_zeros == cast_to(zero, DType::int64), product / safe, 0.0);
}

template <OpId op> Gradients vjp_scatter(const Vjp& v) {
  const Tensor& x = v.x[0];
  const Tensor& values = v.x[2];
  const Tensor& y = v.y[0];
  const Tensor& g = v.g[0];
  const Places p(v, op);
  const bool for_values = v.needs[2];
  switch (v.attrs.as<ScatterAttr>().mode) {
    case Mode::add: return {g, Tensor(), for_values ? p.get(g) : Tensor()};
    case Mode::mul:
      return {g * cj(p.put(ones_like(x), values, Mode::mul)), Tensor(),
              for_values ? p.get(g * cj(x)) * cj(product_of_others(p, x, values)) : Tensor()};
    case Mode::max:
    case Mode::min: {  // equal elements share the gradient
      const Tensor mine = cast_to(x == y, x.dtype());
      const Tensor theirs = cast_to(values == p.get(y), x.dtype());
      const Tensor share = g / p.put(mine, theirs, Mode::add);
      return {mine * share, Tensor(), for_values ? theirs * p.get(share) : Tensor()};
    }
    default:
      return {p.put(g, zeros_like(values), Mode::set), Tensor(),
              for_values ? where(p.winners(x.shape()), p.get(g), 0.0) : Tensor()};
  }
}
uint8_t scatter_reads(const Node& n) {
  switch (n.attrs.as<ScatterAttr>().mode) {
    case Mode::mul: return reads_x | reads_x2 | reads_x3;
    case Mode::max:
    case Mode::min: return reads_x | reads_x2 | reads_x3 | reads_y;
    default: return reads_x2;
  }
}

Gradients vjp_slice_update(const Vjp& v) {
  const auto& a = v.attrs.as<SliceAttr>();
  const Tensor& update = v.x[1];
  Tensor g[] = {v.g[0]};
  return {apply_to(OpId::slice_update, a, v.g[0], zeros_like(update)),
          apply_typed(OpId::slice, g, {g[0].dtype(), update.shape()}, a)};
}
Gradients vjp_take_along_axis(const Vjp& v) {
  const Places p{OpId::scatter_elements, v.attrs.as<AxisAttr>().axis, v.x[1]};
  return {collected(p, v.x[0], v.g[0])};
}
Gradients vjp_gather_nd(const Vjp& v) {
  return {collected({OpId::scatter_nd, 0, v.x[1]}, v.x[0], v.g[0])};
}

}  // namespace

namespace {
using binder::fn;

Type infer_take(Inputs in, const Attrs& attrs) {
  const size_t axis = size_t(attrs.as<AxisAttr>().axis);
  const Shape& s = in[0].shape();
  const Shape& i = in[1].shape();
  Shape r(s.begin(), s.begin() + axis);
  r.append(i.begin(), i.end());
  r.append(s.begin() + axis + 1, s.end());
  return {in[0].dtype(), std::move(r)};
}
Type infer_take_along(Inputs in, const Attrs&) { return {in[0].dtype(), in[1].shape()}; }
Type infer_gather_nd(Inputs in, const Attrs&) {
  const Shape& s = in[0].shape();
  const Shape& i = in[1].shape();
  if (i.empty() || i.back() > int64_t(s.size())) {
    throw ShapeError("the last axis of the indices must hold at most " + std::to_string(s.size()) +
                     " indices");
  }
  Shape r(i.begin(), i.end() - 1);
  r.append(s.begin() + i.back(), s.end());
  return {in[0].dtype(), std::move(r)};
}
Type infer_same(Inputs in, const Attrs&) { return {in[0].dtype(), in[0].shape()}; }
Type infer_scatter_elements(Inputs in, const Attrs& attrs) {
  const Shape& s = in[0].shape();
  const Shape& i = in[1].shape();
  const size_t axis = size_t(attrs.as<ScatterAttr>().axis);
  bool fits = s.size() == i.size();
  for (size_t d = 0; fits && d < s.size(); ++d) fits = d == axis || i[d] <= s[d];
  if (!fits) {
    throw ShapeError("indices of shape " + to_string(i) + " exceed shape " + to_string(s) +
                     " along an axis other than " + std::to_string(axis));
  }
  return {in[0].dtype(), s};
}

// Ember ML's other form is scatter(indices, updates, shape): updates added at tuples of indices,
// all else 0.
Tensor scatter_any(const Tensor& values, const Tensor& indices, const Arg& dim_size,
                   std::string_view aggr, int64_t axis) {
  if (!std::holds_alternative<std::vector<Arg>>(dim_size)) {
    return ops::scatter(values, indices,
                        binder::From<std::optional<int64_t>>::get({.name = "dim_size"}, dim_size),
                        aggr, axis);
  }
  const Tensor& updates = indices;
  if (aggr != "add") {
    throw ValueError("[scatter] a scatter into a shape supports only add, not '" +
                     std::string(aggr.substr(0, 40)) + "'");
  }
  return ops::scatter_nd(
      ops::zeros(binder::From<Ints>::get({.name = "shape"}, dim_size), updates.dtype()), values,
      updates, "add");
}
Tensor scatter_add(const Tensor& values, const Tensor& indices, std::optional<int64_t> dim_size,
                   int64_t axis) {
  return collect_as("scatter_add", values, indices, dim_size, "add", axis);
}
Tensor scatter_max(const Tensor& values, const Tensor& indices, std::optional<int64_t> dim_size,
                   int64_t axis) {
  return collect_as("scatter_max", values, indices, dim_size, "max", axis);
}
Tensor scatter_min(const Tensor& values, const Tensor& indices, std::optional<int64_t> dim_size,
                   int64_t axis) {
  return collect_as("scatter_min", values, indices, dim_size, "min", axis);
}
Tensor scatter_softmax(const Tensor& values, const Tensor& indices, std::optional<int64_t> dim_size,
                       int64_t axis) {
  return collect_as("scatter_softmax", values, indices, dim_size, "softmax", axis);
}

Tensor slice_tensor(const Tensor& x, const Ints& starts, const Ints& sizes) {
  return named("slice_tensor", x, [&] {
    if (starts.size() != sizes.size() || int64_t(starts.size()) > x.ndim()) {
      throw ShapeError(std::to_string(starts.size()) + " starts and " +
                       std::to_string(sizes.size()) + " sizes for " + std::to_string(x.ndim()) +
                       " axes");
    }
    std::vector<Cut> cuts;
    for (size_t d = 0; d < size_t(x.ndim()); ++d) {
      const int64_t n = x.shape()[d];
      if (d >= starts.size()) {
        cuts.push_back({0, 1, n});
        continue;
      }
      const int64_t start = starts[d] < 0 ? starts[d] + n : starts[d];
      const int64_t size = sizes[d] == -1 ? n - start : sizes[d];
      if (start < 0 || start > n || size < 0 || size > n - start) {
        throw IndexError("a slice of " + std::to_string(sizes[d]) + " elements from " +
                         std::to_string(starts[d]) + " exceeds axis " + std::to_string(d) +
                         " of length " + std::to_string(n));
      }
      cuts.push_back({start, 1, size});
    }
    return sliced(x, cuts);
  });
}

#define NODE(op, a, d, t, n, i, ...) \
  GRAPH_OP(op, a, d, .traits = t, .arity = {n, n}, .infer = i, __VA_ARGS__)
#define OWN(op, a, d, e) {.name = #op, .args = a, .doc = d, .call = fn<op>, .eager = e}
const Row rows[] = {
    NODE(take, "x, indices, axis=None",
         "Slices of x at indices along an axis; elements of the flattened tensor if axis is None.",
         t_movement, 2, infer_take, .vjp = vjp_take, .reads = reads_x2),
    NODE(take_along_axis, "x, indices, axis=-1",
         "Elements of x at indices along an axis: x[i, indices[i, j]] for axis 1.", t_movement, 2,
         infer_take_along, .vjp = vjp_take_along_axis, .reads = reads_x2),
    FUN(gather, "x, indices, axis=0", "Slices of x at indices along an axis."),
    NODE(gather_nd, "x, indices",
         "Elements or slices of x at index tuples; the last axis of indices holds a tuple.",
         t_movement, 2, infer_gather_nd, .vjp = vjp_gather_nd, .reads = reads_x2),
    {.name = "scatter",
     .args = "values, indices, dim_size=None, aggr=\"add\", axis=0",
     .doc = "Values with the same index reduced by add, mean, max, min, mul or softmax; 0 where "
            "there are none.",
     .call = fn<scatter_any>,
     .id = OpId::scatter,
     .arity = {3, 3},
     .infer = infer_same,
     .vjp = vjp_scatter<OpId::scatter>,
     .reads_by = scatter_reads,
     .eager = true},
    OWN(scatter_add, "values, indices, dim_size=None, axis=0",
        "Sum of the values with each index; 0 where there are none.", true),
    OWN(scatter_max, "values, indices, dim_size=None, axis=0",
        "Largest of the values with each index; 0 where there are none.", true),
    OWN(scatter_min, "values, indices, dim_size=None, axis=0",
        "Smallest of the values with each index; 0 where there are none.", true),
    OWN(scatter_softmax, "values, indices, dim_size=None, axis=0",
        "Softmax of the values among those with the same index.", true),
    EAGER(scatter_mean, "values, indices, dim_size=None, axis=0",
          "Mean of the values with each index; 0 where there are none."),
    NODE(scatter_elements, "x, indices, updates, axis=0, reduction=\"set\"",
         "x with updates combined at indices along an axis by set, add, mul, max or min.", 0, 3,
         infer_scatter_elements, .vjp = vjp_scatter<OpId::scatter_elements>,
         .reads_by = scatter_reads),
    NODE(scatter_nd, "x, indices, updates, reduction=\"set\"",
         "x with updates combined at index tuples by set, add, mul, max or min.", 0, 3, infer_same,
         .vjp = vjp_scatter<OpId::scatter_nd>, .reads_by = scatter_reads),
    FUN(tensor_scatter_nd_update, "x, indices, updates", "x with updates stored at index tuples."),
    NODE(slice_update, "x, update, starts, steps=None",
         "x with the slice that begins at starts replaced by update.", t_movement, 2, infer_same,
         .vjp = vjp_slice_update, .reads = reads_none),
    OWN(slice_tensor, "x, starts, sizes",
        "Slice of x that begins at starts; a size of -1 extends to the end.", false),
    FUN(index_add, "x, indices, values, axis=0", "x with values added at indices along an axis."),
    FUN(put_along_axis, "x, indices, values, axis=-1",
        "x with values stored at indices along an axis: x[i, indices[i, j]] for axis 1."),
    EAGER(segment_sum, "x, segment_ids, num_segments=None",
          "Sum of the slices with each segment id."),
    FUN(embedding, "weight, indices", "Rows of weight at indices."),
    EAGER(masked_select, "x, mask", "Elements where mask is true, as a vector."),
    FUN(masked_fill, "x, mask, value", "x with value stored where mask is true."),
};
#undef NODE
#undef OWN
}  // namespace

std::span<const Row> indexing_rows() { return rows; }

}  // namespace ember
