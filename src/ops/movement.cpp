// Movement: ops that rearrange elements. Views are recorded as reshape, transpose, slice,
// broadcast_to or as_strided.
#include <algorithm>
#include <numeric>

#include "src/ops/views.h"

namespace ember {

Cut cut_of(const Range& r, int64_t n) {
  if (r.step == 0) throw ValueError("the step of a slice cannot be 0");
  const bool back = r.step < 0;
  const int64_t step = std::max(r.step, -INT64_MAX);
  const int64_t low = back ? -1 : 0;
  const int64_t high = back ? n - 1 : n;
  const auto bound = [&](const std::optional<int64_t>& v, int64_t otherwise) {
    return !v ? otherwise : *v < 0 ? std::max(*v + n, low) : std::min(*v, high);
  };
  const int64_t start = bound(r.start, back ? high : low);
  const int64_t stop = bound(r.stop, back ? low : high);
  const int64_t count = back ? (start > stop ? (start - stop - 1) / -step + 1 : 0)
                             : (start < stop ? (stop - start - 1) / step + 1 : 0);
  if (count == 0) return {};
  return {start, count == 1 ? 1 : step, count};
}

Tensor sliced(const Tensor& x, std::span<const Cut> cuts) {
  const Shape& s = x.shape();
  Shape shape;
  SliceAttr attr;
  bool whole = true;
  for (size_t d = 0; d < s.size(); ++d) {
    const Cut& c = cuts[d];
    whole &= c.count == s[d] && (c.count == 0 || (c.start == 0 && c.step == 1));
    shape.push_back(c.count);
    attr.starts.push_back(c.start);
    attr.steps.push_back(c.step);
  }
  if (whole) return x;
  Tensor in[] = {x};
  return apply_typed(OpId::slice, in, {x.dtype(), std::move(shape)}, std::move(attr));
}
Tensor sliced(const Tensor& x, int64_t axis, Cut cut) {
  std::vector<Cut> cuts;
  for (int64_t n : x.shape()) cuts.push_back({0, 1, n});
  cuts[size_t(axis)] = cut;
  return sliced(x, cuts);
}

int64_t checked_size(const Shape& shape) {
  check_size(shape, DType::bool_);
  return size_of(std::span<const int64_t>(shape));
}

namespace {

constexpr int64_t max_parts =
    65536;  // of an axis that holds nothing: a list of results must not outgrow the data

int64_t product(int64_t a, int64_t b) {
  int64_t r;
  if (__builtin_mul_overflow(a, b, &r)) {
    throw ShapeError("an axis of " + std::to_string(a) + " x " + std::to_string(b) +
                     " elements is too long");
  }
  return r;
}

std::vector<Cut> whole_cuts(const Shape& s) {
  std::vector<Cut> cuts;
  for (int64_t n : s) cuts.push_back({0, 1, n});
  return cuts;
}

Ints iota(int64_t n) {
  Ints r;
  for (int64_t i = 0; i < n; ++i) r.push_back(i);
  return r;
}

// Promotes to one dtype; scalars take that of the tensors.
Tensors alike(const Tensors& arrays) {
  if (arrays.empty()) throw ValueError("needs at least one array");
  for (const Tensor& t : arrays) {
    if (!t.defined()) throw ValueError("an input is missing");
  }
  Tensors r = arrays;
  promote_inputs(r, result_dtype(r));
  return r;
}

Tensors parts(const Tensor& x, int64_t sections, int64_t axis, bool equal) {
  const int64_t n = x.shape()[size_t(axis)];
  if (sections <= 0) {
    throw ValueError("the number of sections must be positive, not " + std::to_string(sections));
  }
  if (equal && n % sections != 0) {
    throw ShapeError("an axis of length " + std::to_string(n) + " cannot be split into " +
                     std::to_string(sections) + " equal parts");
  }
  if (sections > std::max(n, max_parts)) {
    throw ValueError(std::to_string(sections) + " sections are too many");
  }
  Tensors r;
  int64_t at = 0;
  for (int64_t i = 0; i < sections; ++i) {
    const int64_t count = n / sections + (i < n % sections);
    r.push_back(sliced(x, axis, {count ? at : 0, 1, count}));
    at += count;
  }
  return r;
}

// The source indices of `count` padding elements of an axis of length n, beginning at position
// `first`.
Tensor places_beside(int64_t n, int64_t first, int64_t count, std::string_view mode) {
  const Tensor i = index_range(count) + first;
  if (mode == "reflect" && n == 1) return ops::clip(i, Tensor(0), Tensor(0));
  if (mode == "wrap") return ops::remainder(i, n);
  const int64_t period = mode == "reflect" ? 2 * (n - 1) : 2 * n;
  const int64_t last = mode == "reflect" ? period : period - 1;
  const Tensor m = ops::remainder(i, period);
  return ops::where(m < n, m, Tensor(last) - m);
}
// The `count` elements that pad an axis, beginning at position `first`.
Tensor elements_beside(const Tensor& x, int64_t axis, int64_t first, int64_t count,
                       std::string_view mode) {
  const int64_t n = x.shape(axis);
  if (mode != "edge") return ops::take(x, places_beside(n, first, count, mode), axis);
  Shape shape = x.shape();
  shape[size_t(axis)] = count;
  return ops::broadcast_to(sliced(x, axis, {first < 0 ? 0 : n - 1, 1, 1}), shape);
}
// Padding one axis after another copies the tensor at each step. The axis that grows the most comes
// last, so that only the last step copies a tensor of the size of the result.
Ints axes_by_growth(const Shape& before, const Shape& after) {
  Ints axes(before.size());
  std::iota(axes.begin(), axes.end(), 0);
  const auto growth = [&](int64_t axis) {
    return double(after[size_t(axis)]) / double(std::max<int64_t>(before[size_t(axis)], 1));
  };
  std::stable_sort(axes.begin(), axes.end(),
                   [&](int64_t a, int64_t b) { return growth(a) < growth(b); });
  return axes;
}

}  // namespace

namespace ops {

Tensor reshape(const Tensor& x, const Shape& shape, std::optional<bool> copy) {
  return named("reshape", x, [&]() -> Tensor {
    if (copy == true) return ops::copy(reshape(x, shape));
    if (shape == x.shape()) return x;
    Shape s = shape;
    Shape known = shape;
    size_t open = s.size();
    for (size_t d = 0; d < s.size(); ++d) {
      if (s[d] != -1) continue;
      if (open != s.size()) {
        throw ShapeError("only one dimension of the shape can be -1: " + to_string(shape));
      }
      open = d;
      known[d] = 1;
    }
    const int64_t n = checked_size(known);
    if (open != s.size()) {
      if (n == 0 || x.size() % n != 0) {
        throw ShapeError(std::to_string(x.size()) + " elements do not fit shape " +
                         to_string(shape));
      }
      s[open] = x.size() / n;
    } else if (n != x.size()) {
      throw ShapeError(std::to_string(x.size()) + " elements do not fit shape " + to_string(shape));
    }
    Tensor in[] = {x};
    return apply_typed(OpId::reshape, in, {x.dtype(), std::move(s)});
  });
}
Tensor flatten(const Tensor& x) {
  return named("flatten", x, [&] { return reshape(x, {x.size()}); });
}

Tensor transpose(const Tensor& x, const std::optional<Ints>& axes) {
  return named("transpose", x, [&]() -> Tensor {
    const int64_t n = x.ndim();
    Ints order = iota(n);
    if (!axes) {
      std::reverse(order.begin(), order.end());
    } else {
      if (int64_t(axes->size()) != n) {
        throw ShapeError(std::to_string(axes->size()) + " axes for " + std::to_string(n) +
                         " dimensions");
      }
      order = normal_axes(*axes, n);
    }
    if (order == iota(n)) return x;
    return apply_to(OpId::transpose, PermutationAttr{.axes = std::move(order)}, x);
  });
}
Tensor permute_dims(const Tensor& x, const Ints& axes) {
  return named("permute_dims", x, [&] { return transpose(x, axes); });
}
Tensor matrix_transpose(const Tensor& x) {
  return named("matrix_transpose", x, [&] {
    if (x.ndim() < 2) throw ShapeError("needs at least two dimensions");
    return swapaxes(x, -1, -2);
  });
}
Tensor moveaxis(const Tensor& x, const Ints& source, const Ints& destination) {
  return named("moveaxis", x, [&] {
    const int64_t n = x.ndim();
    const Ints from = normal_axes(source, n);
    const Ints to = normal_axes(destination, n);
    if (from.size() != to.size()) {
      throw ValueError(std::to_string(from.size()) + " source and " + std::to_string(to.size()) +
                       " destination axes");
    }
    Ints order(size_t(n), -1);
    Ints rest;
    for (int64_t i = 0; i < n; ++i) {
      if (std::find(from.begin(), from.end(), i) == from.end()) rest.push_back(i);
    }
    for (size_t i = 0; i < to.size(); ++i) order[size_t(to[i])] = from[i];
    size_t k = 0;
    for (int64_t& o : order) {
      if (o < 0) o = rest[k++];
    }
    return transpose(x, order);
  });
}
Tensor swapaxes(const Tensor& x, int64_t axis1, int64_t axis2) {
  return named("swapaxes", x, [&] {
    Ints order = iota(x.ndim());
    std::swap(order[size_t(normal_axis(axis1, x.ndim()))],
              order[size_t(normal_axis(axis2, x.ndim()))]);
    return transpose(x, order);
  });
}

Tensor squeeze(const Tensor& x, const Axes& axis) {
  return named("squeeze", x, [&] {
    Shape s;
    if (!axis) {
      for (int64_t d : x.shape()) {
        if (d != 1) s.push_back(d);
      }
    } else {
      const Ints axes = normal_axes(axis, x.ndim());
      for (int64_t a : axes) {
        if (x.shape()[size_t(a)] != 1) {
          throw ShapeError("axis " + std::to_string(a) + " has length " +
                           std::to_string(x.shape()[size_t(a)]) + ", not 1");
        }
      }
      s = reduced_shape(x.shape(), axes, false);
    }
    return reshape(x, s);
  });
}
Tensor expand_dims(const Tensor& x, const Ints& axis) {
  return named("expand_dims", x, [&] {
    Shape s = x.shape();
    Ints axes = normal_axes(axis, x.ndim() + int64_t(axis.size()));
    std::sort(axes.begin(), axes.end());
    for (int64_t a : axes) s.insert(size_t(a), 1);
    return reshape(x, s);
  });
}
Tensor atleast_nd(const Tensor& x, int64_t ndim) {
  return named("atleast_nd", x, [&] {
    if (ndim < 0 || ndim > int64_t(max_dims)) {
      throw ValueError("ndim must be 0 to " + std::to_string(max_dims) + ", not " +
                       std::to_string(ndim));
    }
    Shape s;
    for (int64_t i = x.ndim(); i < ndim; ++i) s.push_back(1);
    s.append(x.shape().begin(), x.shape().end());
    return reshape(x, s);
  });
}

Tensor broadcast_to(const Tensor& x, const Shape& shape) {
  return named("broadcast_to", x, [&]() -> Tensor {
    const Shape& from = x.shape();
    if (shape == from) return x;
    check_size(shape, x.dtype());
    bool fits = from.size() <= shape.size();
    for (size_t i = 0; fits && i < from.size(); ++i) {
      fits = from[i] == 1 || from[i] == shape[shape.size() - from.size() + i];
    }
    if (!fits) {
      throw ShapeError("shape " + to_string(from) + " does not broadcast to " + to_string(shape));
    }
    Tensor in[] = {x};
    return apply_typed(OpId::broadcast_to, in, {x.dtype(), shape});
  });
}
Shape broadcast_shapes(const std::vector<Shape>& shapes) {
  return named("broadcast_shapes", [&] {
    Shape r;
    for (const Shape& s : shapes) {
      for (int64_t d : s) {
        if (d < 0) throw ShapeError("a dimension cannot be negative: " + to_string(s));
      }
      r = ember::broadcast_shapes(r, s);
    }
    check_size(r, DType::bool_);
    return r;
  });
}
Tensors broadcast_arrays(const Tensors& arrays) {
  return named("broadcast_arrays", "", arrays, [&] {
    Shape s;
    for (const Tensor& t : arrays) s = ember::broadcast_shapes(s, t.shape());
    Tensors r;
    for (const Tensor& t : arrays) r.push_back(broadcast_to(t, s));
    return r;
  });
}

Tensor concat(const Tensors& arrays, std::optional<int64_t> axis) {
  return named("concat", "", arrays, [&]() -> Tensor {
    Tensors in = alike(arrays);
    if (!axis) {
      for (Tensor& t : in) t = flatten(t);
    }
    const int64_t a = normal_axis(axis.value_or(0), in[0].ndim());
    if (in.size() == 1) return in[0];
    return apply(OpId::concat, in, AxisAttr{.axis = a});
  });
}
Tensor stack(const Tensors& arrays, int64_t axis) {
  return named("stack", "", arrays, [&] {
    Tensors in = alike(arrays);
    const int64_t a = normal_axis(axis, in[0].ndim() + 1);
    for (Tensor& t : in) {
      if (t.shape() != arrays[0].shape()) {
        throw ShapeError("shapes " + to_string(arrays[0].shape()) + " and " + to_string(t.shape()) +
                         " differ");
      }
      t = expand_dims(t, {a});
    }
    return concat(in, a);
  });
}
Tensor hstack(const Tensors& arrays) {
  return named("hstack", "", arrays, [&] {
    Tensors in = alike(arrays);
    for (Tensor& t : in) t = atleast_nd(t, 1);
    return concat(in, in[0].ndim() == 1 ? 0 : 1);
  });
}
Tensor vstack(const Tensors& arrays) {
  return named("vstack", "", arrays, [&] {
    Tensors in = alike(arrays);
    for (Tensor& t : in) t = atleast_nd(t, 2);
    return concat(in, 0);
  });
}
Tensor dstack(const Tensors& arrays) {
  return named("dstack", "", arrays, [&] {
    Tensors in = alike(arrays);
    for (Tensor& t : in) {
      t = atleast_nd(t, 2);
      if (t.ndim() == 2) t = expand_dims(t, {2});
    }
    return concat(in, 2);
  });
}

Tensors unstack(const Tensor& x, int64_t axis) {
  return named("unstack", x, [&] {
    const int64_t a = normal_axis(axis, x.ndim());
    const int64_t n = x.shape()[size_t(a)];
    if (n > std::max(x.size(), max_parts)) {
      throw ValueError(std::to_string(n) + " empty parts are too many");
    }
    const Shape s = reduced_shape(x.shape(), {a}, false);
    Tensors r;
    for (int64_t i = 0; i < n; ++i) r.push_back(reshape(sliced(x, a, {i, 1, 1}), s));
    return r;
  });
}
Tensors split(const Tensor& x, int64_t sections, int64_t axis) {
  return named("split", x, [&] { return parts(x, sections, normal_axis(axis, x.ndim()), true); });
}
Tensors split(const Tensor& x, const Ints& positions, int64_t axis) {
  return named("split", x, [&] {
    const int64_t a = normal_axis(axis, x.ndim());
    const int64_t n = x.shape()[size_t(a)];
    Tensors r;
    for (size_t i = 0; i <= positions.size(); ++i) {
      Range range;
      if (i > 0) range.start = positions[i - 1];
      if (i < positions.size()) range.stop = positions[i];
      r.push_back(sliced(x, a, cut_of(range, n)));
    }
    return r;
  });
}
Tensors array_split(const Tensor& x, int64_t sections, int64_t axis) {
  return named("array_split", x,
               [&] { return parts(x, sections, normal_axis(axis, x.ndim()), false); });
}

Tensor tile(const Tensor& x, const Ints& repetitions) {
  return named("tile", x, [&] {
    Shape s = x.shape();
    Ints times = repetitions;
    while (times.size() < s.size()) times.insert(0, 1);
    while (s.size() < times.size()) s.insert(0, 1);
    Shape expanded;
    Shape spread;
    Shape out;
    for (size_t d = 0; d < s.size(); ++d) {
      if (times[d] < 0) {
        throw ValueError("a repetition cannot be negative: " + to_string(repetitions));
      }
      if (times[d] != 1) {
        expanded.push_back(1);
        spread.push_back(times[d]);
      }
      expanded.push_back(s[d]);
      spread.push_back(s[d]);
      out.push_back(product(s[d], times[d]));
    }
    check_size(out, x.dtype());
    return reshape(broadcast_to(reshape(x, expanded), spread), out);
  });
}
Tensor repeat(const Tensor& x, const Tensor& repeats, std::optional<int64_t> axis) {
  if (!axis) return repeat(flatten(x), repeats, 0);
  return named("repeat", x, [&] {
    const int64_t a = normal_axis(*axis, x.ndim());
    const int64_t n = x.shape()[size_t(a)];
    const Tensor counts = to_index(repeats);
    if (counts.ndim() > 1 || (counts.size() != 1 && counts.size() != n)) {
      throw ShapeError("repeats of shape " + to_string(counts.shape()) + " for an axis of length " +
                       std::to_string(n));
    }
    int64_t total = 0;
    const std::vector<int64_t> each = counts.to_vector<int64_t>();
    for (int64_t c : each) {
      if (c < 0) throw ValueError("a repetition cannot be negative: " + std::to_string(c));
      if (__builtin_add_overflow(total, c, &total)) {
        throw ShapeError("the repetitions add up to too many elements");
      }
    }
    if (each.size() == 1) {
      Shape spread = x.shape();
      Shape out = x.shape();
      spread.insert(size_t(a) + 1, each[0]);
      out[size_t(a)] = product(n, each[0]);
      return reshape(broadcast_to(expand_dims(x, {a + 1}), spread), out);
    }
    return take(x, searchsorted(cumulative_sum(counts, 0), index_range(total), "right"), a);
  });
}

Tensor flip(const Tensor& x, const Axes& axis) {
  return named("flip", x, [&] {
    std::vector<Cut> cuts = whole_cuts(x.shape());
    for (int64_t a : normal_axes(axis, x.ndim())) {
      cuts[size_t(a)] = cut_of({{}, {}, -1}, x.shape()[size_t(a)]);
    }
    return sliced(x, cuts);
  });
}
Tensor roll(const Tensor& x, const Ints& shift, const Axes& axis) {
  if (!axis) {
    return named("roll", x, [&] {
      int64_t total = 0;
      for (int64_t s : shift) {
        if (x.size() > 0) total = (total + s % x.size()) % x.size();
      }
      return reshape(roll(flatten(x), {total}, 0), x.shape());
    });
  }
  return named("roll", x, [&] {
    const size_t n = std::max(shift.size(), axis->size());
    if ((shift.size() != 1 && shift.size() != n) || (axis->size() != 1 && axis->size() != n)) {
      throw ValueError(std::to_string(shift.size()) + " shifts for " +
                       std::to_string(axis->size()) + " axes");
    }
    Tensor r = x;
    for (size_t i = 0; i < n; ++i) {
      const int64_t a = normal_axis((*axis)[axis->size() == 1 ? 0 : i], x.ndim());
      const int64_t len = x.shape()[size_t(a)];
      if (len == 0) continue;
      const int64_t by = shift[shift.size() == 1 ? 0 : i] % len;
      const int64_t cut = by > 0 ? len - by : -by;
      if (cut == 0) continue;
      r = concat({sliced(r, a, {cut, 1, len - cut}), sliced(r, a, {0, 1, cut})}, a);
    }
    return r;
  });
}
Tensor rot90(const Tensor& x, int64_t k, const Ints& axes) {
  return named("rot90", x, [&]() -> Tensor {
    if (axes.size() != 2) throw ValueError("needs two axes, not " + std::to_string(axes.size()));
    const Ints a = normal_axes(axes, x.ndim());
    switch ((k % 4 + 4) % 4) {
      case 1: return swapaxes(flip(x, a[1]), a[0], a[1]);
      case 2: return flip(x, a);
      case 3: return flip(swapaxes(x, a[0], a[1]), a[1]);
    }
    return x;
  });
}

Tensor pad(const Tensor& x, const Ints& pad_width, std::string_view mode, const Tensor& value) {
  return named("pad", x, [&]() -> Tensor {
    const size_t n = size_t(x.ndim());
    const size_t k = pad_width.size();
    if (k != 2 * n && k != 1 && k != 2) {
      throw ShapeError(std::to_string(k) + " pad widths for " + std::to_string(n) +
                       " dimensions: needs [before, after] for each");
    }
    PadAttr attr;
    bool any = false;
    Shape out = x.shape();
    for (size_t d = 0; d < n; ++d) {
      const int64_t low = pad_width[k <= 2 ? 0 : 2 * d];
      const int64_t high = pad_width[k <= 2 ? k - 1 : 2 * d + 1];
      if (low < 0 || high < 0) {
        throw ValueError("pad widths cannot be negative: " + to_string(pad_width));
      }
      int64_t sum;
      if (__builtin_add_overflow(low, high, &sum) || __builtin_add_overflow(out[d], sum, &out[d])) {
        throw ShapeError("the padded axis " + std::to_string(d) + " is too long");
      }
      any |= sum != 0;
      attr.low.push_back(low);
      attr.high.push_back(high);
    }
    if (mode != "constant" && mode != "edge" && mode != "reflect" && mode != "symmetric" &&
        mode != "wrap") {
      throw ValueError("mode must be constant, edge, reflect, symmetric or wrap, not '" +
                       std::string(mode.substr(0, 40)) + "'");
    }
    check_size(out, x.dtype());
    if (!any) return x;
    if (mode == "constant") {
      if (value.ndim() != 0) {
        throw ShapeError("the value must be a scalar, not of shape " + to_string(value.shape()));
      }
      return apply_to(OpId::pad, std::move(attr), x, typed(value, x.dtype()));
    }
    for (size_t d = 0; d < n; ++d) {
      if (x.shape()[d] == 0 && out[d] != 0) {
        throw ShapeError("axis " + std::to_string(d) + " is empty: it has no elements to pad with");
      }
    }
    Tensor r = x;
    for (int64_t axis : axes_by_growth(x.shape(), out)) {
      const size_t d = size_t(axis);
      Tensors parts;
      if (attr.low[d]) parts.push_back(elements_beside(r, axis, -attr.low[d], attr.low[d], mode));
      parts.push_back(r);
      if (attr.high[d]) {
        parts.push_back(elements_beside(r, axis, x.shape()[d], attr.high[d], mode));
      }
      if (parts.size() > 1) r = concat(parts, axis);
    }
    return r;
  });
}

// The diagonal of a row-major matrix has the stride columns + 1.
Tensor diagonal(const Tensor& x, int64_t offset, int64_t axis1, int64_t axis2) {
  return named("diagonal", x, [&] {
    if (x.ndim() < 2) throw ShapeError("needs at least two dimensions");
    const Ints axes = normal_axes(Ints{axis1, axis2}, x.ndim());
    Tensor r = moveaxis(x, axes, {-2, -1});
    const int64_t rows = r.shape(-2);
    const int64_t cols = r.shape(-1);
    const int64_t count = offset >= 0 ? (offset < cols ? std::min(rows, cols - offset) : 0)
                                      : (offset > -rows ? std::min(rows + offset, cols) : 0);
    Shape s(r.shape().begin(), r.shape().end() - 2);
    s.push_back(product(rows, cols));
    return sliced(reshape(r, s), r.ndim() - 2,
                  count ? Cut{offset >= 0 ? offset : -offset * cols, cols + 1, count} : Cut{});
  });
}

Tensor as_strided(const Tensor& x, const Shape& shape, const Ints& strides, int64_t offset) {
  return named("as_strided", x, [&] {
    if (shape.size() != strides.size()) {
      throw ShapeError(std::to_string(strides.size()) + " strides for " +
                       std::to_string(shape.size()) + " dimensions");
    }
    const int64_t n = checked_size(shape);
    int64_t low = offset;
    int64_t high = offset;
    bool fits = offset >= 0 && offset <= x.size();
    for (size_t d = 0; n > 0 && fits && d < shape.size(); ++d) {
      int64_t reach;
      int64_t& end = strides[d] < 0 ? low : high;
      fits = !__builtin_mul_overflow(shape[d] - 1, strides[d], &reach) &&
             !__builtin_add_overflow(end, reach, &end);
    }
    if (!fits || (n > 0 && (low < 0 || high >= x.size()))) {
      throw IndexError("shape " + to_string(shape) + " with strides " + to_string(strides) +
                       " and offset " + std::to_string(offset) + " reaches outside the " +
                       std::to_string(x.size()) + " elements");
    }
    Tensor in[] = {x};
    return apply_typed(OpId::as_strided, in, {x.dtype(), shape}, StridedAttr{strides, offset});
  });
}
Tensor windows(const Tensor& x, const Ints& window, const Ints& step, const Axes& axis) {
  return named("windows", x, [&] {
    const Ints axes = axis ? normal_axes(*axis, x.ndim()) : iota(x.ndim());
    if (window.size() != axes.size()) {
      throw ShapeError(std::to_string(window.size()) + " window lengths for " +
                       std::to_string(axes.size()) + " axes");
    }
    if (step.size() != 1 && step.size() != axes.size()) {
      throw ShapeError(std::to_string(step.size()) + " steps for " + std::to_string(axes.size()) +
                       " axes");
    }
    Shape s = x.shape();
    const Ints unit = contiguous_strides(s);
    Ints strides = unit;
    for (size_t i = 0; i < axes.size(); ++i) {
      const size_t d = size_t(axes[i]);
      const int64_t w = window[i];
      const int64_t by = step[step.size() == 1 ? 0 : i];
      if (w <= 0) throw ValueError("a window's length must be positive, not " + std::to_string(w));
      if (by <= 0) {
        throw ValueError("the step between windows must be positive, not " + std::to_string(by));
      }
      if (w > s[d]) {
        throw ShapeError("a window of " + std::to_string(w) + " is longer than the axis, " +
                         std::to_string(s[d]));
      }
      const int64_t count = (s[d] - w) / by + 1;
      if (count > 1) strides[d] = unit[d] * by;
      s[d] = count;
      s.push_back(w);
      strides.push_back(unit[d]);
    }
    return as_strided(x, s, strides);
  });
}
Tensor frame(const Tensor& x, int64_t frame_length, int64_t hop_length, int64_t axis) {
  return named("frame", x, [&] {
    if (frame_length <= 0) {
      throw ValueError("frame_length must be positive, not " + std::to_string(frame_length));
    }
    if (hop_length <= 0) {
      throw ValueError("hop_length must be positive, not " + std::to_string(hop_length));
    }
    const int64_t a = normal_axis(axis, x.ndim());
    return moveaxis(windows(x, {frame_length}, {hop_length}, a), {-1}, {a + 1});
  });
}

Tensor slice(const Tensor& x, const Ints& starts, const Ints& stops,
             const std::optional<Ints>& steps, const Axes& axes) {
  return named("slice", x, [&] {
    const Ints along =
        axes ? normal_axes(*axes, x.ndim()) : iota(std::min(int64_t(starts.size()), x.ndim()));
    if (starts.size() != along.size() || stops.size() != along.size() ||
        (steps && steps->size() != along.size())) {
      throw ShapeError(std::to_string(starts.size()) + " starts, " + std::to_string(stops.size()) +
                       " stops and " + std::to_string(steps ? steps->size() : along.size()) +
                       " steps for " + std::to_string(along.size()) + " axes");
    }
    std::vector<Cut> cuts = whole_cuts(x.shape());
    for (size_t i = 0; i < along.size(); ++i) {
      const size_t d = size_t(along[i]);
      cuts[d] = cut_of({starts[i], stops[i], steps ? (*steps)[i] : 1}, x.shape()[d]);
    }
    return sliced(x, cuts);
  });
}

}  // namespace ops

Tensor crop_or_pad(const Tensor& x, int64_t axis, int64_t start, int64_t count, double fill) {
  const int64_t n = x.shape(axis);
  const int64_t from = std::clamp<int64_t>(start, 0, n);
  const int64_t to = std::clamp<int64_t>(start + count, from, n);
  const Tensor part = sliced(x, axis, {to > from ? from : 0, 1, to - from});
  const int64_t low = std::min(count, std::max<int64_t>(0, from - start));
  const int64_t high = count - low - (to - from);
  if (low == 0 && high == 0) return part;
  PadAttr pad{Ints(size_t(x.ndim()), 0), Ints(size_t(x.ndim()), 0)};
  pad.low[size_t(axis)] = low;
  pad.high[size_t(axis)] = high;
  return apply_to(OpId::pad, std::move(pad), part, like(x, fill));
}

namespace {

// ---- Gradients ----
using namespace ops;

// Zeros of `shape` with g in the sliced region. With steps of 1 that is a pad, which fuses.
Tensor unslice(const Tensor& g, const Shape& shape, const SliceAttr& a) {
  const bool dense = std::all_of(a.steps.begin(), a.steps.end(), [](int64_t s) { return s == 1; });
  if (!dense || g.size() == 0) {
    return g.size() == 0 ? zeros(shape, g.dtype())
                         : apply_to(OpId::slice_update, a, zeros(shape, g.dtype()), g);
  }
  PadAttr pad{a.starts, {}};
  for (size_t d = 0; d < shape.size(); ++d) {
    pad.high.push_back(shape[d] - a.starts[d] - g.shape()[d]);
  }
  return apply_to(OpId::pad, std::move(pad), g, like(g, 0));
}
Tensor region(const Tensor& x, const Shape& shape, SliceAttr a) {
  Tensor in[] = {x};
  return apply_typed(OpId::slice, in, {x.dtype(), shape}, std::move(a));
}

Gradients vjp_slice(const Vjp& v) {
  return {unslice(v.g[0], v.x[0].shape(), v.attrs.as<SliceAttr>())};
}

Gradients vjp_transpose(const Vjp& v) {
  const Ints& order = v.attrs.as<PermutationAttr>().axes;
  Ints back(order.size());
  for (size_t i = 0; i < order.size(); ++i) back[size_t(order[i])] = int64_t(i);
  return {transpose(v.g[0], back)};
}

Gradients vjp_concat(const Vjp& v) {
  const size_t axis = size_t(v.attrs.as<AxisAttr>().axis);
  Gradients r;
  SliceAttr at{Ints(v.g[0].shape().size(), 0), Ints(v.g[0].shape().size(), 1)};
  for (const Tensor& x : v.x) {
    r.push_back(region(v.g[0], x.shape(), at));
    at.starts[axis] += x.shape()[axis];
  }
  return r;
}

Gradients vjp_pad(const Vjp& v) {
  const auto& a = v.attrs.as<PadAttr>();
  const Tensor inner = region(v.g[0], v.x[0].shape(), {a.low, Ints(a.low.size(), 1)});
  return {inner, v.needs[1] ? sum(v.g[0]) - sum(inner) : Tensor()};
}

// An element that several windows contain gets the sum of their gradients.
Gradients vjp_as_strided(const Vjp& v) {
  const Tensor& x = v.x[0];
  Tensor places[] = {arange(0, x.size(), 1, DType::int64)};
  const Tensor at = apply_typed(OpId::as_strided, places, {DType::int64, v.g[0].shape()}, v.attrs);
  const Tensor flat = zeros({x.size()}, x.dtype());
  return {reshape(
      apply_to(OpId::scatter, ScatterAttr{0, Mode::add}, flat, flatten(at), flatten(v.g[0])),
      x.shape())};
}

}  // namespace

namespace {
using binder::fn;

Type infer_transpose(Inputs in, const Attrs& attrs) {
  Shape s;
  for (int64_t a : attrs.as<PermutationAttr>().axes) s.push_back(in[0].shape()[size_t(a)]);
  return {in[0].dtype(), std::move(s)};
}
Type infer_concat(Inputs in, const Attrs& attrs) {
  const size_t axis = size_t(attrs.as<AxisAttr>().axis);
  Shape s = in[0].shape();
  for (const Tensor& t : in.subspan(1)) {
    bool fits = t.shape().size() == s.size();
    for (size_t d = 0; fits && d < s.size(); ++d) fits = d == axis || t.shape()[d] == s[d];
    if (!fits) {
      throw ShapeError("shapes " + to_string(in[0].shape()) + " and " + to_string(t.shape()) +
                       " differ along an axis other than " + std::to_string(axis));
    }
    if (__builtin_add_overflow(s[axis], t.shape()[axis], &s[axis])) {
      throw ShapeError("the result has too many elements");
    }
  }
  return {in[0].dtype(), std::move(s)};
}
Type infer_pad(Inputs in, const Attrs& attrs) {
  const auto& a = attrs.as<PadAttr>();
  Shape s = in[0].shape();
  for (size_t d = 0; d < s.size(); ++d) s[d] += a.low[d] + a.high[d];
  return {in[0].dtype(), std::move(s)};
}

Tensors split_any(const Tensor& x, const Arg& sections, int64_t axis) {
  if (const auto* n = std::get_if<int64_t>(&sections)) return ops::split(x, *n, axis);
  return ops::split(x, binder::From<Ints>::get({.name = "sections"}, sections), axis);
}

#define VIEW(op, a, d, ...) \
  GRAPH_OP(op, a, d, .traits = t_movement | t_view, .arity = {1, 1}, __VA_ARGS__)
const Row rows[] = {
    VIEW(reshape, "x, shape, copy=None", "Same elements in another shape; one extent may be -1.",
         VJP1(reads_none, reshape(g, x.shape()))),
    {.name = "transpose",
     .args = "x, axes=None",
     .doc = "Axes permuted; without axes, reversed.",
     .call = fn<ops::transpose>,
     .id = OpId::transpose,
     .traits = t_movement | t_view,
     .arity = {1, 1},
     .infer = infer_transpose,
     .vjp = vjp_transpose,
     .reads = reads_none},
    {.name = "identity",
     .args = "x, *first",
     .doc = "x, evaluated after other tensors.",
     .id = OpId::identity,
     .traits = t_movement | t_view,
     .arity = {1, any_number},
     VJP1(reads_none, g)},
    FUN(permute_dims, "x, axes", "Axes permuted: axis i of the result is axis axes[i] of x."),
    FUN(matrix_transpose, "x", "Last two axes swapped."),
    FUN(moveaxis, "x, source, destination",
        "Axes moved to new positions, the others kept in order."),
    FUN(swapaxes, "x, axis1, axis2", "Two axes swapped."),
    FUN(squeeze, "x, axis=None", "Axes of length 1 removed."),
    FUN(expand_dims, "x, axis=[0]", "x with new axes of length 1 at the given positions."),
    VIEW(broadcast_to, "x, shape",
         "x repeated along axes of length 1 and along new leading axes to the given shape.",
         VJP1(reads_none, g)),
    FUN(broadcast_arrays, "*arrays", "Arrays broadcast to their common shape."),
    FUN(broadcast_shapes, "*shapes", "Shape that the given shapes broadcast to."),
    {.name = "concat",
     .args = "arrays, axis=0",
     .doc = "Arrays concatenated along an axis; flattened first if axis is None.",
     .call = fn<ops::concat>,
     .id = OpId::concat,
     .traits = t_movement,
     .arity = {0, any_number},
     .promote = Promote::common,
     .infer = infer_concat,
     .vjp = vjp_concat,
     .reads = reads_none},
    FUN(stack, "arrays, axis=0", "Arrays stacked along a new axis."),
    FUN(hstack, "arrays", "Arrays concatenated along the second axis; vectors along the first."),
    FUN(vstack, "arrays", "Arrays concatenated along the first axis; vectors become rows."),
    FUN(dstack, "arrays", "Arrays concatenated along the third axis."),
    FUN(unstack, "x, axis=0", "Slices along an axis, without that axis."),
    {.name = "split",
     .args = "x, sections, axis=0",
     .doc = "Equal parts along an axis, or the parts between the given positions.",
     .call = fn<split_any>},
    FUN(array_split, "x, sections, axis=0",
        "Parts along an axis whose lengths differ by at most 1."),
    FUN(tile, "x, repetitions", "x repeated as a block along its axes."),
    {.name = "repeat",
     .args = "x, repeats, axis=None",
     .doc = "Each element repeated along an axis; the flattened tensor if axis is None.",
     .call = fn<ops::repeat>,
     .eager = true},
    FUN(flip, "x, axis=None", "Elements in reverse order along axes."),
    FUN(roll, "x, shift, axis=None",
        "Elements shifted along axes; those shifted out re-enter at the other end."),
    FUN(rot90, "x, k=1, axes=[0, 1]", "x rotated by k * 90 degrees in the plane of two axes."),
    {.name = "pad",
     .args = "x, pad_width, mode=\"constant\", value=0",
     .doc = "x with elements added at both ends of each axis; mode is constant, edge, reflect, "
            "symmetric or wrap.",
     .call = fn<ops::pad>,
     .id = OpId::pad,
     .traits = t_movement,
     .arity = {2, 2},
     .infer = infer_pad,
     .vjp = vjp_pad,
     .reads = reads_none},
    FUN(flatten, "x", "All elements in one axis, in row-major order."),
    FUN(atleast_nd, "x, ndim", "x with leading axes of length 1 until it has ndim axes."),
    FUN(diagonal, "x, offset=0, axis1=-2, axis2=-1", "Diagonals of matrices as the last axis."),
    VIEW(as_strided, "x, shape, strides, offset=0",
         "View of the contiguous x with the given shape and strides, in elements.",
         .vjp = vjp_as_strided, .reads = reads_none),
    FUN(windows, "x, window, step=[1], axis=None",
        "Sliding windows along axes; the axes within a window come last."),
    FUN(frame, "x, frame_length, hop_length, axis=-1",
        "Frames of frame_length elements along an axis, one every hop_length elements."),
    VIEW(slice, "x, starts, stops, steps=None, axes=None",
         "x[start:stop:step] along the given axes.", .vjp = vjp_slice, .reads = reads_none),
};
#undef VIEW
}  // namespace

std::span<const Row> movement_rows() { return rows; }

}  // namespace ember
