// Movement and creation.
#include "engines/mlx/library.h"

namespace ember::mlx {
namespace {

// Starts, steps and stops of slice and slice_update. MLX counts a negative stop from the end, so a
// stop before the first element is less than -size.
struct Region {
  Region(const C& c, const mx::Shape& whole, std::span<const int64_t> counts) {
    const Ints& steps = c.attr<SliceAttr>().steps;
    for (size_t i = 0; i < counts.size(); ++i) {
      const int64_t by = counts[i] > 1 ? steps[i] : 1;  // the step of a single element is ignored
      const int64_t first = c.start(i);
      const int64_t end = first + by * counts[i];
      start.push_back(int32_t(first));
      step.push_back(int32_t(by));
      stop.push_back(int32_t(by < 0 && end < 0 ? -int64_t(whole[int(i)]) - 1 : end));
    }
  }
  mx::Shape start, stop, step;
};

Array slice(const C& c) {
  const Region r(c, c[0]->shape(), c.node.shape);
  return mx::slice(*c[0], r.start, r.stop, r.step, stream());
}
Array slice_update(const C& c) {
  if (c[1]->size() == 0) return *c[0];
  const Region r(c, c[0]->shape(), c.from(1).shape);
  return mx::slice_update(*c[0], *c[1], r.start, r.stop, r.step, stream());
}
Array reshape(const C& c) { return reshaped(*c[0], to_shape(c.node.shape)); }
Array transpose(const C& c) {
  if (c.node.shape.empty()) return *c[0];
  return mx::transpose(*c[0], to_axes(c.attr<PermutationAttr>().axes), stream());
}
Array broadcast_to(const C& c) { return mx::broadcast_to(*c[0], to_shape(c.node.shape), stream()); }
Array as_strided(const C& c) {
  const auto& a = c.attr<StridedAttr>();
  const mx::Strides strides(a.strides.begin(), a.strides.end());
  return mx::as_strided(mx::contiguous(*c[0], false, stream()), to_shape(c.node.shape), strides,
                        size_t(a.offset), stream());
}
Array concat(const C& c) {
  std::vector<mx::array> parts;
  for (size_t i = 0; i < c.size(); ++i) {
    if (c[i]->size()) parts.push_back(*c[i]);
  }
  return parts.size() == 1
             ? parts[0]
             : mx::concatenate(std::move(parts), int(c.attr<AxisAttr>().axis), stream());
}
// Negative padding crops.
Array pad(const C& c) {
  const auto& a = c.attr<PadAttr>();
  mx::array x = *c[0];
  mx::Shape low;
  mx::Shape high;
  mx::Shape start;
  mx::Shape stop;
  Axes axes;
  bool cut = false;
  bool any = false;
  for (int i = 0; i < int(a.low.size()); ++i) {
    axes.push_back(i);
    low.push_back(int32_t(std::max<int64_t>(a.low[i], 0)));
    high.push_back(int32_t(std::max<int64_t>(a.high[i], 0)));
    const int64_t n = x.shape(i);
    const int64_t first = std::min(n, std::max<int64_t>(-a.low[i], 0));
    const int64_t last = std::max(first, n - std::max<int64_t>(-a.high[i], 0));
    start.push_back(int32_t(first));
    stop.push_back(int32_t(last));
    cut |= first > 0 || last < n;
    any |= low.back() > 0 || high.back() > 0;
  }
  if (cut) x = mx::slice(x, start, stop, stream());
  if (x.size() == 0) return mx::broadcast_to(*c[1], to_shape(c.node.shape), stream());
  return any ? mx::pad(x, axes, low, high, *c[1], "constant", stream()) : x;
}
Support check_pad(const SliceNode& n, const Slice& s) {
  const auto& a = n.attrs.as<PadAttr>();
  const Shape& x = input_shape(n, s);
  for (size_t i = 0; i < x.size(); ++i) {
    if (x[i] && (-a.low[i] > x[i] || -a.high[i] > x[i])) return "more is cut off than there is";
  }
  return {};
}
// mx::copy shares the memory, so this is not one.
Array copy(const C& c) { return mx::full(c[0]->shape(), *c[0], c[0]->dtype(), stream()); }
Array arange(const C& c) {
  return as(mx::arange(0, int(c.node.shape[0]), stream()), type_of(c.node));
}

constexpr KernelRow rows[] = {
    {.op = OpId::slice, .one = slice},
    {.op = OpId::slice_update, .one = slice_update},
    {.op = OpId::identity, .one = reshape},
    {.op = OpId::reshape, .one = reshape},
    {.op = OpId::transpose, .one = transpose},
    {.op = OpId::broadcast_to, .one = broadcast_to},
    {.op = OpId::as_strided, .one = as_strided},
    {.op = OpId::concat, .one = concat},
    {.op = OpId::pad, .one = pad, .supports = check_pad},
    {.op = OpId::copy, .one = copy},
    {.op = OpId::arange, .one = arange},
};

}  // namespace

std::span<const KernelRow> movement_kernels() { return rows; }

}  // namespace ember::mlx
