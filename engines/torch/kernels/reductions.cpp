// Reductions and scans. 16-bit floats are summed in float32.
#include "engines/torch/torch.h"

namespace ember::torch {
namespace {

// ATen takes an empty list for all axes, Ember for none. Then a new axis of length 1 is reduced.
struct Axes {
  Array x;
  Ints axes;
  bool keep;
  explicit Axes(const Call& c) : x(c[0]) {
    const auto& a = c.attr<ReductionAttr>();
    axes = a.axes;
    keep = a.keepdims && !axes.empty();
    if (axes.empty()) {
      x = x.unsqueeze(0);
      axes = {0};
    }
  }
  at::IntArrayRef list() const { return ints(axes); }
  // For ATen's ops over one axis: the reduced axes flattened into the last one.
  Array flattened() const {
    return axes.size() == 1 ? x.movedim(axes[0], -1)
                            : last_axes(x, axes).flatten(-int64_t(axes.size()));
  }
};
std::optional<ScalarType> wide(const Array& x) {
  return narrow(x.scalar_type()) ? std::optional(at::kFloat) : std::nullopt;
}

Array as_bool(const Array& x) { return x.scalar_type() == at::kBool ? x : at::ne(x, 0); }

Array sum(const Call& c) {
  const Axes a(c);
  if (a.x.scalar_type() == at::kBool) return at::any(a.x, a.list(), a.keep);
  return typed(at::sum(a.x, a.list(), a.keep, wide(a.x)), c.node.dtype);
}
Array prod(const Call& c) {
  const Axes a(c);
  if (a.x.scalar_type() == at::kBool) return at::all(a.x, a.list(), a.keep);
  const Array r = at::prod(a.flattened(), -1, false, wide(a.x));
  return typed(a.keep ? r.reshape(ints(c.node.shape)) : r, c.node.dtype);
}
Array max(const Call& c) {
  const Axes a(c);
  return at::amax(a.x, a.list(), a.keep);
}
Array min(const Call& c) {
  const Axes a(c);
  return at::amin(a.x, a.list(), a.keep);
}
Array all(const Call& c) {
  const Axes a(c);
  return at::all(as_bool(a.x), a.list(), a.keep);
}
Array any(const Call& c) {
  const Axes a(c);
  return at::any(as_bool(a.x), a.list(), a.keep);
}
Array mean(const Call& c) {
  const Axes a(c);
  return typed(at::mean(a.x, a.list(), a.keep, wide(a.x)), c.node.dtype);
}
Array var(const Call& c) {
  const Axes a(c);
  return typed(
      at::var(widened(a.x), a.list(), at::Scalar(c.attr<ReductionAttr>().correction), a.keep),
      c.node.dtype);
}
Array logsumexp(const Call& c) {
  const Axes a(c);
  return typed(at::logsumexp(widened(a.x), a.list(), a.keep), c.node.dtype);
}

Array comparable(const Array& x) { return x.scalar_type() == at::kBool ? x.view(at::kByte) : x; }
Array argmax(const Call& c) {
  return at::argmax(comparable(c[0]), c.attr<ArgReductionAttr>().axis,
                    c.attr<ArgReductionAttr>().keepdims);
}
Array argmin(const Call& c) {
  return at::argmin(comparable(c[0]), c.attr<ArgReductionAttr>().axis,
                    c.attr<ArgReductionAttr>().keepdims);
}

// f(x, axis), from the end if reversed.
template <class F> Array scan(const Call& c, F f) {
  const auto& a = c.attr<ScanAttr>();
  return a.reverse ? at::flip(f(at::flip(c[0], a.axis), a.axis), a.axis) : f(c[0], a.axis);
}
Array cumulative_sum(const Call& c) {
  return scan(c, [&](const Array& x, int64_t axis) {
    if (x.scalar_type() == at::kBool) return at::ne(at::cumsum(x, axis), 0);
    return typed(at::cumsum(x, axis, narrow(x.scalar_type()) ? at::kFloat : x.scalar_type()),
                 c.node.dtype);
  });
}
Array cumulative_prod(const Call& c) {
  return scan(c, [&](const Array& x, int64_t axis) {
    if (x.scalar_type() == at::kBool) return at::ne(at::cumprod(x, axis), 0);
    return typed(at::cumprod(x, axis, narrow(x.scalar_type()) ? at::kFloat : x.scalar_type()),
                 c.node.dtype);
  });
}
Array cummax(const Call& c) {
  return scan(c, [](const Array& x, int64_t axis) { return std::get<0>(at::cummax(x, axis)); });
}
Array cummin(const Call& c) {
  return scan(c, [](const Array& x, int64_t axis) { return std::get<0>(at::cummin(x, axis)); });
}

constexpr auto bits = Detour::bits, order = Detour::order;
constexpr KernelRow rows[] = {
    {OpId::sum, sum, detour<sum, bits>},
    {OpId::prod, prod, detour<prod, bits>},
    {OpId::max, max, detour<max, order>},
    {OpId::min, min, detour<min, order>},
    {OpId::all, all},
    {OpId::any, any},
    {OpId::argmax, argmax, detour<argmax, order>},
    {OpId::argmin, argmin, detour<argmin, order>},
    {OpId::cumulative_sum, cumulative_sum, detour<cumulative_sum, bits>},
    {OpId::cumulative_prod, cumulative_prod, detour<cumulative_prod, bits>},
    {OpId::cummax, cummax, detour<cummax, order>},
    {OpId::cummin, cummin, detour<cummin, order>},
    {OpId::mean, mean},
    {OpId::var, var},
    {OpId::logsumexp, logsumexp},
};

}  // namespace

std::span<const KernelRow> reduction_kernels() { return rows; }

}  // namespace ember::torch
