// Gradients of movement.
#include "src/ops/rules.h"

namespace ember {
namespace {

using namespace ops;

// The region of a slice is put back among zeros. Where it is dense and forward, that is padding,
// which fuses.
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

Gradients of_transpose(const Vjp& v) {
  const Ints& order = v.attrs.as<PermutationAttr>().axes;
  Ints back(order.size());
  for (size_t i = 0; i < order.size(); ++i) back[size_t(order[i])] = int64_t(i);
  return {transpose(v.g[0], back)};
}

Gradients of_concat(const Vjp& v) {
  const size_t axis = size_t(v.attrs.as<AxisAttr>().axis);
  Gradients r;
  SliceAttr at{Ints(v.g[0].shape().size(), 0), Ints(v.g[0].shape().size(), 1)};
  for (const Tensor& x : v.x) {
    r.push_back(region(v.g[0], x.shape(), at));
    at.starts[axis] += x.shape()[axis];
  }
  return r;
}

Gradients of_pad(const Vjp& v) {
  const auto& a = v.attrs.as<PadAttr>();
  const Tensor inner = region(v.g[0], v.x[0].shape(), {a.low, Ints(a.low.size(), 1)});
  return {inner, v.needs[1] ? sum(v.g[0]) - sum(inner) : Tensor()};
}

// Elements that several windows show get the sum of what those get.
Gradients of_as_strided(const Vjp& v) {
  const Tensor& x = v.x[0];
  Tensor places[] = {arange(0, x.size(), 1, DType::int64)};
  const Tensor at = apply_typed(OpId::as_strided, places, {DType::int64, v.g[0].shape()}, v.attrs);
  const Tensor flat = zeros({x.size()}, x.dtype());
  return {reshape(
      apply_to(OpId::scatter, ScatterAttr{0, Mode::add}, flat, flatten(at), flatten(v.g[0])),
      x.shape())};
}

Gradients of_slice_update(const Vjp& v) {
  const auto& a = v.attrs.as<SliceAttr>();
  return {apply_to(OpId::slice_update, a, v.g[0], zeros_like(v.x[1])),
          region(v.g[0], v.x[1].shape(), a)};
}

const GradientRule rules[] = {
    RULE1(reshape, reads_none, reshape(g, x.shape())),
    {OpId::transpose, of_transpose, reads_none},
    {OpId::slice,
     [](const Vjp& v) -> Gradients {
       return {unslice(v.g[0], v.x[0].shape(), v.attrs.as<SliceAttr>())};
     },
     reads_none},
    RULE1(broadcast_to, reads_none, g),
    {OpId::as_strided, of_as_strided, reads_none},
    {OpId::concat, of_concat, reads_none},
    {OpId::pad, of_pad, reads_none},
    RULE1(copy, reads_none, g),
    {OpId::slice_update, of_slice_update, reads_none},
};

}  // namespace

std::span<const GradientRule> movement_gradients() { return rules; }

}  // namespace ember
