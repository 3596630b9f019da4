// Gradients of gathers and scatters: each is the other's.
#include "src/ops/rules.h"
#include "src/ops/views.h"

namespace ember {
namespace {

using namespace ops;

// The places of x that an index names: what lies there, and x with values combined into it. A place
// may be named several times.
struct Places {
  OpId op;  // the scatter
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
  // Which of the values stays where the index names a place again: as the engine itself has it. To
  // be broadcast over them.
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

// Sums of 16-bit floats in 32 bits; the caller narrows.
Tensor collected(const Places& p, const Tensor& x, const Tensor& g) {
  const Tensor wide = widen(g);
  return p.put(zeros(x.shape(), wide.dtype()), wide, Mode::add);
}

Gradients of_take(const Vjp& v) {
  const Tensor& x = v.x[0];
  const Tensor& at = v.x[1];
  const Tensor& g = v.g[0];
  const int64_t axis = v.attrs.as<AxisAttr>().axis;
  Shape s = x.shape();
  s[size_t(axis)] = at.size();
  return {collected({OpId::scatter, axis, flatten(at)}, x, reshape(g, s))};
}

// The product of the other factors in the same place, zeros counted apart: nothing is divided by
// zero.
Tensor product_of_others(const Places& p, const Tensor& x, const Tensor& values) {
  const Tensor zero = values == 0.0;
  const Tensor safe = where(zero, 1.0, values);
  const Tensor product = p.get(p.put(ones_like(x), safe, Mode::mul));
  const Tensor zeros_there =
      p.get(p.put(zeros(x.shape(), DType::int64), cast_to(zero, DType::int64), Mode::add));
  return where(zeros_there == cast_to(zero, DType::int64), product / safe, 0.0);
}

template <OpId op> Gradients of_scatter(const Vjp& v) {
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
    case Mode::min: {  // equal shares to all that are as large as the largest
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

const GradientRule rules[] = {
    {OpId::take, of_take, reads_x2},
    {OpId::take_along_axis,
     [](const Vjp& v) -> Gradients {
       return {collected({OpId::scatter_elements, v.attrs.as<AxisAttr>().axis, v.x[1]}, v.x[0],
                         v.g[0])};
     },
     reads_x2},
    {OpId::gather_nd,
     [](const Vjp& v) -> Gradients {
       return {collected({OpId::scatter_nd, 0, v.x[1]}, v.x[0], v.g[0])};
     },
     reads_x2},
    {OpId::scatter, of_scatter<OpId::scatter>, reads_x2, scatter_reads},
    {OpId::scatter_elements, of_scatter<OpId::scatter_elements>, reads_x2, scatter_reads},
    {OpId::scatter_nd, of_scatter<OpId::scatter_nd>, reads_x2, scatter_reads},
};

}  // namespace

std::span<const GradientRule> indexing_gradients() { return rules; }

}  // namespace ember
