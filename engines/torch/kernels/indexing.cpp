// Gathers and scatters. Indices are checked before ATen sees them; negative ones count from the
// end.
#include "engines/torch/torch.h"

namespace ember::torch {
namespace {

std::pair<int64_t, int64_t> extremes(const Array& index) {
  const int64_t n = index.numel();
  if (n <= 4096 && index.device().is_cpu() &&
      index.is_contiguous()) {  // ATen would take longer to begin
    const auto [low, high] =
        std::minmax_element(index.const_data_ptr<int64_t>(), index.const_data_ptr<int64_t>() + n);
    return {*low, *high};
  }
  const auto [low, high] = at::aminmax(index);
  return {low.item<int64_t>(), high.item<int64_t>()};
}
Array resolved_indices(const Array& index, int64_t size) {
  if (index.numel() == 0) return index;
  const auto [least, most] = extremes(index);
  if (least < -size || most >= size) {
    const Array wrong =
        index.masked_select(at::logical_or(at::lt(index, -size), at::ge(index, size)));
    throw IndexError("index " + std::to_string(wrong[0].item<int64_t>()) +
                     " is out of range for an axis of size " + std::to_string(size));
  }
  return least < 0 ? at::where(at::lt(index, 0), at::add(index, size), index) : index;
}

// Tuples of indices, the last axis of index, as indices into an array whose leading axes are
// flattened: for sizes (4, 5), the tuple (2, 3) becomes 2 * 5 + 3.
Array flat_indices(const Array& index, at::IntArrayRef sizes) {
  Array at;
  for (int64_t k = 0; k < index.size(-1); ++k) {
    const Array column = resolved_indices(index.select(-1, k), sizes[k]);
    at = at.defined() ? at::add(at::mul(at, sizes[k]), column) : column;
  }
  return at.defined() ? at : at::zeros(index.sizes().slice(0, index.dim() - 1), index.options());
}
// x with its first `depth` axes flattened into one.
Array flatten_leading(const Array& x, int64_t depth) {
  std::vector<int64_t> sizes{1};
  for (int64_t d = 0; d < x.dim(); ++d) {
    if (d < depth) {
      sizes[0] *= x.size(d);
    } else {
      sizes.push_back(x.size(d));
    }
  }
  return x.reshape(sizes);
}

Array take(const Call& c) {
  const int64_t axis = c.attr<AxisAttr>().axis;
  const Array at = resolved_indices(c[1], c[0].size(axis));
  if (size_of(c.node.shape) == 0) return at::empty(ints(c.node.shape), c[0].options());
  Array r = at::index_select(c[0], axis, at.dim() == 1 ? at : at.reshape(-1));
  return at.dim() == 1 ? r : r.reshape(ints(c.node.shape));
}
Array take_along_axis(const Call& c) {
  const int64_t axis = c.attr<AxisAttr>().axis;
  return at::gather(c[0], axis, resolved_indices(c[1], c[0].size(axis)));
}
Array gather_nd(const Call& c) {
  const Array at = flat_indices(c[1], c[0].sizes());
  if (size_of(c.node.shape) == 0) return at::empty(ints(c.node.shape), c[0].options());
  return at::index_select(flatten_leading(c[0], c[1].size(-1)), 0, at.reshape(-1))
      .reshape(ints(c.node.shape));
}

// Scatters values along an axis of x. For Mode::set the last of several values for one index wins.
void scatter_along(Array& x, int64_t axis, const Array& at, const Array& values, Mode mode) {
  if (at.numel() == 0 || x.numel() == 0) return;
  if (mode == Mode::set && x.device().is_cpu()) {
    x.scatter_(axis, at, values);
  } else if (mode == Mode::set) {
    // ATen scatters in any order here, so all values for one index are made equal to the last.
    Ints shape(size_t(at.dim()), 1);
    shape[size_t(axis)] = at.size(axis);
    const Array order = at::arange(at.size(axis), at.options()).reshape(ints(shape)).expand_as(at);
    const Array last = at::zeros(x.sizes(), at.options()).scatter_reduce_(axis, at, order, "amax");
    x.scatter_(axis, at, values.gather(axis, last.gather(axis, at)));
  } else if (x.scalar_type() == at::kBool) {  // add is or, mul is and
    Array bytes = x.view(at::kByte);
    bytes.scatter_reduce_(axis, at, values.view(at::kByte),
                          mode == Mode::add || mode == Mode::max ? "amax" : "amin");
  } else if (mode == Mode::add) {
    x.scatter_add_(axis, at, values);
  } else {
    x.scatter_reduce_(axis, at, values,
                      mode == Mode::mul   ? "prod"
                      : mode == Mode::max ? "amax"
                                          : "amin");
  }
}
// Repeated sums and products of 16-bit floats accumulate in float32 and are rounded once.
Array scatter_into(const Call& c, Array x, int64_t axis, const Array& at, const Array& values) {
  const Mode mode = c.attr<ScatterAttr>().mode;
  if (!narrow(x.scalar_type()) || mode == Mode::set || mode == Mode::max || mode == Mode::min) {
    scatter_along(x, axis, at, values, mode);
    return x;
  }
  Array wide = x.to(at::kFloat);
  scatter_along(wide, axis, at, values.to(at::kFloat), mode);
  return wide.to(x.scalar_type());
}

Array scatter(const Call& c) {
  const int64_t axis = c.attr<ScatterAttr>().axis;
  const Array index = resolved_indices(c[1], c[0].size(axis));
  std::vector<int64_t> shape(size_t(c[2].dim()), 1);
  shape[size_t(axis)] = index.numel();
  return scatter_into(c, donated_or_copy(c), axis, index.reshape(shape).expand_as(c[2]), c[2]);
}
Array scatter_elements(const Call& c) {
  const int64_t axis = c.attr<ScatterAttr>().axis;
  const Array index = resolved_indices(c[1], c[0].size(axis));
  return scatter_into(c, donated_or_copy(c), axis, index, c[2]);
}
Array scatter_nd(const Call& c) {
  const int64_t depth = c[1].size(-1);
  const Array at = flat_indices(c[1], c[0].sizes());
  Array rows = flatten_leading(donated_or_copy(c), depth);
  std::vector<int64_t> sizes = rows.sizes().vec();
  std::vector<int64_t> ones(size_t(rows.dim()), 1);
  sizes[0] = ones[0] = at.numel();
  return scatter_into(c, rows, 0, at.reshape(ones).expand(sizes), c[2].reshape(sizes))
      .reshape(ints(c.node.shape));
}

template <One f> Array scatter_unsigned(const Call& c) {
  const Mode mode = c.attr<ScatterAttr>().mode;
  return mode == Mode::max || mode == Mode::min ? detour<f, Detour::order>(c)
                                                : detour<f, Detour::bits>(c);
}
template <One f> Array elsewhere(const Call& c) {
  if (is_complex(c.node.dtype) && c.attr<ScatterAttr>().mode != Mode::set) return on_cpu<f, f>(c);
  return wide_unsigned(c.node.dtype) ? scatter_unsigned<f>(c) : f(c);
}
Support supports_mode(const SliceNode& n, const Slice&) {
  const Mode m = n.attrs.as<ScatterAttr>().mode;
  if (m >= Mode::set && m <= Mode::min) return {};
  return "the reduction of a scatter must be set, add, mul, max or min";
}

constexpr auto bits = Detour::bits;
constexpr KernelRow rows[] = {
    {OpId::take, take, detour<take, bits>},
    {OpId::take_along_axis, take_along_axis, detour<take_along_axis, bits>},
    {OpId::gather_nd, gather_nd, detour<gather_nd, bits>},
    {.op = OpId::scatter,
     .one = scatter,
     .unsigned_one = scatter_unsigned<scatter>,
     .supports = supports_mode,
     .elsewhere = elsewhere<scatter>},
    {.op = OpId::scatter_elements,
     .one = scatter_elements,
     .unsigned_one = scatter_unsigned<scatter_elements>,
     .supports = supports_mode,
     .elsewhere = elsewhere<scatter_elements>},
    {.op = OpId::scatter_nd,
     .one = scatter_nd,
     .unsigned_one = scatter_unsigned<scatter_nd>,
     .supports = supports_mode,
     .elsewhere = elsewhere<scatter_nd>},
};

}  // namespace

std::span<const KernelRow> indexing_kernels() { return rows; }

}  // namespace ember::torch
