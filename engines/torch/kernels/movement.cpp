// Movement and creation. Results are views unless steps are negative, which ATen cannot express.
#include "engines/torch/torch.h"

namespace ember::torch {
namespace {

// The region of x given by starts, steps and sizes. Axes with negative steps are read forwards, and
// listed in `flipped`.
Array region(const Call& c, const Array& x, at::IntArrayRef sizes, std::vector<int64_t>& flipped) {
  const Ints& steps = c.attr<SliceAttr>().steps;
  Ints strides;
  int64_t offset = x.storage_offset();
  bool empty = false;
  for (size_t d = 0; d < sizes.size(); ++d) {
    const int64_t step = x.stride(int64_t(d)) * std::abs(steps[d]);
    const int64_t n = sizes[d];
    empty |= n == 0;
    strides.push_back(step);
    offset += c.start(d) * x.stride(int64_t(d));
    if (steps[d] < 0 && n > 0) {
      offset -= (n - 1) * step;
      flipped.push_back(int64_t(d));
    }
  }
  return empty ? at::empty(sizes, x.options()) : view_of(x, sizes, ints(strides), offset);
}
Array slice(const Call& c) {
  std::vector<int64_t> flipped;
  Array r = region(c, c[0], ints(c.node.shape), flipped);
  return flipped.empty() ? r : at::flip(r, flipped);
}
Array slice_update(const Call& c) {
  Array r = donated_or_copy(c);
  std::vector<int64_t> flipped;
  Array to = region(c, r, c[1].sizes(), flipped);
  if (to.numel()) to.copy_(flipped.empty() ? c[1] : at::flip(c[1], flipped));
  return r;
}

Array pad(const Call& c) {
  const auto& a = c.attr<PadAttr>();
  Array r = at::empty(ints(c.node.shape), c[0].options());
  Array from = c[0];
  Array to = r;
  r.copy_(c[1].expand(ints(c.node.shape)));
  for (size_t d = 0; d < c.node.shape.size(); ++d) {  // negative ones crop
    const int64_t axis = int64_t(d);
    const int64_t begin = std::max<int64_t>(-a.low[d], 0);
    const int64_t end = from.size(axis) + std::min<int64_t>(a.high[d], 0);
    if (begin >= end) return r;
    from = from.narrow(axis, begin, end - begin);
    to = to.narrow(axis, std::max<int64_t>(a.low[d], 0), end - begin);
  }
  to.copy_(from);
  return r;
}

Array arange(const Call& c) {
  const ScalarType t = type_of(c.node.dtype);
  const bool direct = t == at::kFloat || t == at::kDouble || t == at::kLong || t == at::kInt;
  const Array r =
      at::arange(c.node.shape[0], at::TensorOptions(direct ? t : at::kLong).device(device()));
  return direct ? r : r.to(t);
}

Array concat(const Call& c) {
  Arrays all;
  for (Array* t : c.in) all.push_back(*t);
  return at::cat(all, c.attr<AxisAttr>().axis);
}
Array as_strided(const Call& c) {
  const auto& a = c.attr<StridedAttr>();
  const Array x = c[0].contiguous();
  if (size_of(c.node.shape) == 0) return at::empty(ints(c.node.shape), x.options());
  std::vector<int64_t> flipped;
  Ints strides = a.strides;
  int64_t offset = x.storage_offset() + a.offset;
  for (size_t d = 0; d < strides.size(); ++d) {
    if (strides[d] < 0) {
      offset += strides[d] * (c.node.shape[d] - 1);
      strides[d] = -strides[d];
      flipped.push_back(int64_t(d));
    }
  }
  Array r = view_of(x, ints(c.node.shape), ints(strides), offset);
  return flipped.empty() ? r : at::flip(r, flipped);
}

Array reshape(const Call& c) { return c[0].reshape(ints(c.node.shape)); }

constexpr auto bits = Detour::bits;
constexpr KernelRow rows[] = {
    {OpId::arange, arange},
    {OpId::identity, reshape},
    {OpId::reshape, reshape},
    {OpId::transpose,
     [](const Call& c) { return c[0].permute(ints(c.attr<PermutationAttr>().axes)); }},
    {OpId::slice, slice, detour<slice, bits>},
    {OpId::broadcast_to, [](const Call& c) { return c[0].expand(ints(c.node.shape)); }},
    {OpId::as_strided, as_strided, detour<as_strided, bits>},
    {OpId::concat, concat},
    {OpId::pad, pad},
    {OpId::copy, [](const Call& c) { return c[0].clone(at::MemoryFormat::Contiguous); }},
    {OpId::slice_update, slice_update, detour<slice_update, bits>},
};

}  // namespace

std::span<const KernelRow> movement_kernels() { return rows; }

}  // namespace ember::torch
