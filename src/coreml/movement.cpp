// Movement, creation and indexing.
#include <algorithm>

#include "src/coreml/writer.h"

namespace ember::coreml {
namespace {

Val arange(const Call& c) {
  Ints list;
  for (int64_t i = 0; i < c.n.shape[0]; ++i) list.push_back(i);
  return cast(c.w.integers(list), stored(c.n.dtype));
}
Val reshaped(const Call& c) { return reshape(c.x(), c.n.shape); }
Val transposed(const Call& c) { return transpose(c.x(), c.attr<PermutationAttr>().axes); }
Val broadcast_to(const Call& c) { return broadcast(c.x(), c.n.shape); }
Val concatenated(const Call& c) { return concat(c.in, c.attr<AxisAttr>().axis); }

Val sliced(const Call& c) {
  const Ints& steps = c.attr<SliceAttr>().steps;
  Ints begin;
  Ints end;
  std::vector<bool> to_the_end;
  for (size_t d = 0; d < steps.size(); ++d) {
    begin.push_back(c.w.start(c.n, d));
    end.push_back(begin.back() + steps[d] * c.n.shape[d]);
    to_the_end.push_back(end.back() < 0);  // a negative end would count from the back
    end.back() = std::max<int64_t>(end.back(), 0);
  }
  if (c.x().shape.empty()) return c.x();
  const Args args{{"x", c.x()},
                  {"begin", c.w.integers(begin)},
                  {"end", c.w.integers(end)},
                  {"stride", c.w.integers(steps)},
                  {"end_mask", c.w.booleans(to_the_end)}};
  return c.w.operation("slice_by_index", args, c.x().dtype, c.n.shape);
}

// Replaces a block of x by update, recursively over the axes: concat(x[:s], middle, x[s + n:]),
// where the middle part is updated along the next axis.
Val embed(const Call& c, const Val& x, const Val& update, size_t axis) {
  for (; axis < x.shape.size() && x.shape[axis] == update.shape[axis]; ++axis) {}
  if (axis == x.shape.size()) return update;
  const int64_t a = int64_t(axis);
  const int64_t size = x.shape[axis];
  const int64_t n = update.shape[axis];
  const int64_t start = c.w.start(c.n, axis);
  Vals parts;
  if (start > 0) parts.push_back(slice_axis(x, a, 0, start));
  parts.push_back(embed(c, slice_axis(x, a, start, n), update, axis + 1));
  if (start + n < size) parts.push_back(slice_axis(x, a, start + n, size - start - n));
  return concat(parts, a);
}
Val slice_update(const Call& c) {
  for (size_t d = 0; d < c[0].shape.size(); ++d) {
    if (c.attr<SliceAttr>().steps[d] != 1 && c[1].shape[d] != 1) {
      throw Unsupported{"Core ML updates no slices with steps"};
    }
  }
  return embed(c, c[0], c[1], 0);
}

// Pads by concatenating constant blocks along each axis, because Core ML's pad only accepts floats.
Val padded_by_concat(const Call& c, Val x, const Ints& low, const Ints& high) {
  const Val value = c.w.number(c.w.scalar(c.n.in[1]), x.dtype);
  for (size_t d = 0; d < low.size(); ++d) {
    const auto block = [&](int64_t n) {
      Shape shape = x.shape;
      shape[d] = n;
      return broadcast(reshape(value, Shape(shape.size(), 1)), shape);
    };
    Vals parts;
    if (low[d]) parts.push_back(block(low[d]));
    parts.push_back(x);
    if (high[d]) parts.push_back(block(high[d]));
    x = concat(parts, int64_t(d));
  }
  return x;
}
Val padded(const Call& c) {
  const PadAttr& a = c.attr<PadAttr>();
  Val x = c.x();
  Ints low;
  Ints high;
  Ints pairs;
  for (size_t d = 0; d < a.low.size(); ++d) {
    const int64_t cut = std::max<int64_t>(0, -a.low[d]);
    const int64_t rest = x.shape[d] - cut - std::max<int64_t>(0, -a.high[d]);
    x = slice_axis(x, int64_t(d), cut, rest);
    low.push_back(std::max<int64_t>(0, a.low[d]));
    high.push_back(std::max<int64_t>(0, a.high[d]));
    pairs.push_back(low.back());
    pairs.push_back(high.back());
  }
  if (pairs == Ints(pairs.size(), 0)) return x;
  if (!is_float(x.dtype)) return padded_by_concat(c, x, low, high);
  const Args args{{"x", x},
                  {"pad", c.w.integers(pairs)},
                  {"mode", c.w.text("constant")},
                  {"constant_val", c.w.number(c.w.scalar(c.n.in[1]), x.dtype)}};
  return c.w.operation("pad", args, x.dtype, c.n.shape);
}

Val gathered(const Call& c, const char* type, const Val& given, const Val& indices, int64_t axis) {
  const Val x = as_number(given);
  Args args{{"x", x}, {"indices", indices}, {"axis", c.w.integer(axis)}};
  if (std::string_view(type) == "gather") args.push_back({"batch_dims", c.w.integer(0)});
  return cast(c.w.operation(type, args, x.dtype, c.n.shape), given.dtype);
}
Val take(const Call& c) {
  const int64_t axis = c.attr<AxisAttr>().axis;
  return gathered(c, "gather", c[0], index_in_range(c[1], c[0].shape[size_t(axis)]), axis);
}
Val take_along_axis(const Call& c) {
  const int64_t axis = c.attr<AxisAttr>().axis;
  return gathered(c, "gather_along_axis", c[0], index_in_range(c[1], c[0].shape[size_t(axis)]),
                  axis);
}

// Gathers the elements of a view from the flattened array, by indices that are constants.
Val as_strided(const Call& c) {
  const StridedAttr& a = c.attr<StridedAttr>();
  Ints positions;
  for (int64_t i = 0; i < size_of(c.n.shape); ++i) {
    int64_t rest = i;
    int64_t at = a.offset;
    for (size_t d = c.n.shape.size(); d-- > 0; rest /= c.n.shape[d]) {
      at += rest % c.n.shape[d] * a.strides[d];
    }
    positions.push_back(at);
  }
  const Val flat = as_number(reshape(c.x(), {c.x().size()}));
  const Val indices = c.w.integers(positions);
  const Args args{
      {"x", flat}, {"indices", indices}, {"axis", c.w.integer(0)}, {"batch_dims", c.w.integer(0)}};
  const Val list = c.w.operation("gather", args, flat.dtype, {int64_t(positions.size())});
  return cast(reshape(list, c.n.shape), c.x().dtype);
}

const char* scatter_mode(Mode m) {
  switch (m) {
    case Mode::set: return "update";
    case Mode::add: return "add";
    case Mode::mul: return "mul";
    case Mode::max: return "max";
    case Mode::min: return "min";
    default: throw Unsupported{"Core ML has no such scatter"};
  }
}
Val scattered(const Call& c, const char* type) {
  const ScatterAttr& a = c.attr<ScatterAttr>();
  const Args args{{"data", c[0]},
                  {"indices", index_in_range(c[1], c[0].shape[size_t(a.axis)])},
                  {"updates", c[2]},
                  {"axis", c.w.integer(a.axis)},
                  {"mode", c.w.text(scatter_mode(a.mode))}};
  if (c[0].dtype == DType::bool_) throw Unsupported{"Core ML does not scatter bool"};
  return c.w.operation(type, args, c[0].dtype, c.n.shape);
}
Val scatter(const Call& c) { return scattered(c, "scatter"); }
Val scatter_elements(const Call& c) {
  Shape whole = c[0].shape;
  const size_t axis = size_t(c.attr<ScatterAttr>().axis);
  whole[axis] = c[1].shape[axis];
  if (c[1].shape != whole) {
    throw Unsupported{"Core ML scatters along one axis of arrays that are equal in the others"};
  }
  return scattered(c, "scatter_along_axis");
}

}  // namespace

void add_movement(Table& t) {
  constexpr std::pair<OpId, Emit> entries[] = {
      {OpId::arange, coreml::arange},
      {OpId::identity, [](const Call& c) { return c.x(); }},
      {OpId::reshape, reshaped},
      {OpId::transpose, transposed},
      {OpId::broadcast_to, coreml::broadcast_to},
      {OpId::concat, concatenated},
      {OpId::slice, sliced},
      {OpId::slice_update, coreml::slice_update},
      {OpId::pad, padded},
      {OpId::take, coreml::take},
      {OpId::take_along_axis, coreml::take_along_axis},
      {OpId::as_strided, coreml::as_strided},
      {OpId::scatter, coreml::scatter},
      {OpId::scatter_elements, coreml::scatter_elements},
  };
  for (auto [op, emit] : entries) t[size_t(op)] = emit;
}

}  // namespace ember::coreml
