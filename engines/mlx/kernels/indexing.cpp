// Gathers and scatters. MLX does not check indices, so all are checked here.
#include <cmath>

#include "engines/mlx/library.h"

namespace ember::mlx {
namespace {

template <class T> void check_each(const mx::array& index, int64_t size) {
  const T* p = index.data<T>();
  for (size_t i = 0; i < index.size(); ++i) {
    if (std::is_unsigned_v<T> ? uint64_t(p[i]) >= uint64_t(size)
                              : int64_t(p[i]) >= size || int64_t(p[i]) < -size) {
      throw IndexError("index " + std::to_string(p[i]) + " is out of range for an axis of size " +
                       std::to_string(size));
    }
  }
}
// Evaluates indices and checks their range. Negative ones count from the end, as in MLX.
mx::array checked(const mx::array& given, int64_t size) {
  if (given.size() == 0) return given;
  const mx::array index = on_host(given);
  switch (index.dtype()) {
    case mx::int8: check_each<int8_t>(index, size); break;
    case mx::uint8: check_each<uint8_t>(index, size); break;
    case mx::int16: check_each<int16_t>(index, size); break;
    case mx::uint16: check_each<uint16_t>(index, size); break;
    case mx::int32: check_each<int32_t>(index, size); break;
    case mx::uint32: check_each<uint32_t>(index, size); break;
    case mx::int64: check_each<int64_t>(index, size); break;
    case mx::uint64: check_each<uint64_t>(index, size); break;
    default: throw DTypeError("indices must be integers");
  }
  return index;
}
// Checked indices as non-negative int64, for arithmetic.
mx::array non_negative(const mx::array& given, int64_t size) {
  const mx::array i = as(checked(given, size), mx::int64);
  return mx::where(mx::less(i, constant_int(0, mx::int64), stream()),
                   mx::add(i, constant_int(size, mx::int64), stream()), i, stream());
}

Array take(const C& c) {
  const int axis = int(c.attr<AxisAttr>().axis);
  return mx::take(*c[0], checked(*c[1], c[0]->shape(axis)), axis, stream());
}
Array take_along_axis(const C& c) {
  const int axis = int(c.attr<AxisAttr>().axis);
  return mx::take_along_axis(*c[0], checked(*c[1], c[0]->shape(axis)), axis, stream());
}

// Column k of indices [..., depth].
mx::array column(const mx::array& index, int k) {
  mx::Shape start(index.ndim(), 0);
  mx::Shape stop = index.shape();
  start.back() = k;
  stop.back() = k + 1;
  return mx::squeeze(mx::slice(index, start, stop, stream()), -1, stream());
}
Array gather_nd(const C& c) {
  const mx::array& x = *c[0];
  const mx::array& index = *c[1];
  const int depth = index.shape(-1);
  if (depth == 0) return mx::broadcast_to(x, to_shape(c.node.shape), stream());
  std::vector<mx::array> columns;
  Axes axes;
  mx::Shape sizes = x.shape();
  for (int k = 0; k < depth; ++k) {
    columns.push_back(checked(column(index, k), x.shape(k)));
    axes.push_back(k);
    sizes[k] = 1;
  }
  return reshaped(mx::gather(x, columns, axes, sizes, stream()), to_shape(c.node.shape));
}

// On the CPU, where the last of several updates of one index wins.
mx::array scattered(const mx::array& x, const mx::array& index, const mx::array& updates, int axis,
                    Mode mode) {
  switch (mode) {
    case Mode::set: return mx::scatter(x, index, updates, axis, cpu_stream());
    case Mode::add: return mx::scatter_add(x, index, updates, axis, cpu_stream());
    case Mode::mul: return mx::scatter_prod(x, index, updates, axis, cpu_stream());
    case Mode::max: return mx::scatter_max(x, index, updates, axis, cpu_stream());
    case Mode::min: return mx::scatter_min(x, index, updates, axis, cpu_stream());
    default: throw ValueError("the reduction of a scatter must be set, add, mul, max or min");
  }
}
// x with updates at indices of one axis. updates: [indices, x's shape with 1 for the axis].
mx::array scatter_along(const mx::array& given, const mx::array& index, const mx::array& updates,
                        int axis, Mode mode) {
  const bool sums = mode == Mode::add || mode == Mode::mul;
  const mx::array x = sums ? wide(given) : given;
  const mx::array u = sums ? wide(updates) : updates;
  mx::array r = scattered(x, index, u, axis, mode);
  if ((mode == Mode::max || mode == Mode::min) &&
      mx::issubdtype(x.dtype(), mx::floating)) {  // MLX loses NaN
    const mx::array nan =
        mx::scatter_max(mx::isnan(x, stream()), index, mx::isnan(u, stream()), axis, cpu_stream());
    r = mx::where(nan, like(x, NAN), r, stream());
  }
  return as(r, given.dtype());
}

Array scatter(const C& c) {
  const auto& a = c.attr<ScatterAttr>();
  const int axis = int(a.axis);
  if (c[1]->size() == 0 || c[2]->size() == 0) return *c[0];
  const mx::array moved = mx::moveaxis(*c[2], axis, 0, stream());
  return scatter_along(*c[0], checked(*c[1], c[0]->shape(axis)),
                       mx::expand_dims(moved, axis + 1, stream()), axis, a.mode);
}

// x with rows updated: place has shape [n], updates [n, ...].
mx::array scatter_rows(const mx::array& rows, const mx::array& place, const mx::array& updates,
                       Mode mode) {
  mx::Shape shape = rows.shape();
  shape[0] = 1;
  shape.insert(shape.begin(), int32_t(place.size()));
  return scatter_along(rows, reshaped(place, mx::Shape{int32_t(place.size())}),
                       reshaped(updates, shape), 0, mode);
}
Array scatter_elements(const C& c) {
  const auto& a = c.attr<ScatterAttr>();
  const mx::array& x = *c[0];
  const mx::array& index = *c[1];
  if (index.size() == 0) return x;
  const int n = int(x.ndim());
  std::optional<mx::array> place;  // row by row
  for (int d = 0; d < n; ++d) {
    mx::Shape along(size_t(n), 1);
    along[d] = index.shape(d);
    const mx::array i =
        d == a.axis ? non_negative(index, x.shape(d))
                    : reshaped(as(mx::arange(0, index.shape(d), stream()), mx::int64), along);
    place = place ? mx::add(mx::multiply(*place, constant_int(x.shape(d), mx::int64), stream()), i,
                            stream())
                  : i;
  }
  const mx::array at = place ? mx::broadcast_to(*place, index.shape(), stream())
                             : mx::zeros({1}, mx::int64, stream());
  const mx::array flat = reshaped(x, mx::Shape{int32_t(x.size())});
  return reshaped(scatter_rows(flat, at, *c[2], a.mode), x.shape());
}
Array scatter_nd(const C& c) {
  const mx::array& x = *c[0];
  const mx::array& index = *c[1];
  if (c[2]->size() == 0) return x;
  const int depth = index.shape(-1);
  mx::Shape rows{1};
  mx::Shape places = index.shape();
  places.pop_back();
  mx::array place = mx::zeros(places, mx::int64, stream());
  for (int k = 0; k < depth; ++k) {
    const mx::array i = non_negative(column(index, k), x.shape(k));
    place =
        k ? mx::add(mx::multiply(place, constant_int(x.shape(k), mx::int64), stream()), i, stream())
          : i;
    rows[0] *= x.shape(k);
  }
  for (int d = depth; d < int(x.ndim()); ++d) rows.push_back(x.shape(d));
  return reshaped(scatter_rows(reshaped(x, rows), place, *c[2], c.attr<ScatterAttr>().mode),
                  x.shape());
}

template <class Attr> void check_axis(const C& c) {
  checked(*c[1], c.from(0).shape[size_t(c.attr<Attr>().axis)]);
}
void check_columns(const C& c) {
  for (int k = 0; k < c[1]->shape(-1) && c[1]->size(); ++k) {
    checked(column(*c[1], k), c.from(0).shape[size_t(k)]);
  }
}
Support check_scatter(const SliceNode& n, const Slice&) {
  const Mode mode = n.attrs.as<ScatterAttr>().mode;
  if (bits_of(n.dtype) == 4 && mode != Mode::set) return "MLX has no 4-bit integers";
  if (is_complex(n.dtype) && (mode == Mode::max || mode == Mode::min)) {
    return "complex numbers have no order";
  }
  return {};
}

constexpr KernelRow rows[] = {
    {.op = OpId::take, .one = take, .check_empty = check_axis<AxisAttr>},
    {.op = OpId::take_along_axis, .one = take_along_axis, .check_empty = check_axis<AxisAttr>},
    {.op = OpId::gather_nd, .one = gather_nd, .check_empty = check_columns},
    {.op = OpId::scatter,
     .one = scatter,
     .supports = check_scatter,
     .check_empty = check_axis<ScatterAttr>},
    {.op = OpId::scatter_elements,
     .one = scatter_elements,
     .supports = check_scatter,
     .check_empty = check_axis<ScatterAttr>},
    {.op = OpId::scatter_nd,
     .one = scatter_nd,
     .supports = check_scatter,
     .check_empty = check_columns},
};

}  // namespace

std::span<const KernelRow> indexing_kernels() { return rows; }

}  // namespace ember::mlx
