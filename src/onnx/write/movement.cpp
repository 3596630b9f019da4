// Movement and indexing. Values that follow from extents are written with numbers(), so that an
// open model works for other extents.
#include "src/onnx/write/writer.h"

namespace ember::onnx {

Val reshape(const Val& x, const Shape& shape) {
  if (x.shape == shape) return x;
  if (x.size()) return op("Reshape", {x, x.w->extents(shape)}, shape);
  x.w->need(14, "Reshape of nothing");
  return op("Reshape", {x, x.w->extents(shape)}, shape, {{"allowzero", 1}});
}
Val expand(const Val& x, const Shape& shape) {
  return x.shape == shape ? x : op("Expand", {x, x.w->extents(shape)}, shape);
}
Val transpose(const Val& x, const Ints& axes) {
  Shape shape;
  for (int64_t a : axes) shape.push_back(x.shape[size_t(a)]);
  return op("Transpose", {x}, shape, {{"perm", axes}});
}
Val range(const Val& near, const Feed::Number& count, int64_t n) {
  Writer& w = *near.w;
  return w.node("Range", {w.integer(0, int64), w.numbers({count}, false), w.integer(1, int64)},
                int64, {n});
}
Val slice_axis(const Val& x, size_t axis, int64_t start, int64_t count) {
  Shape shape = x.shape;
  shape[axis] = count;
  Writer& w = *x.w;
  return op("Slice",
            {x, w.numbers({{.base = start}}), w.numbers({{.base = start + count}}),
             w.ints({int64_t(axis)})},
            shape);
}

Val pad_unfused(const Val& x, Ints pads, const Val& value, const Shape& shape) {
  pads.insert(pads.size() / 2, 0);
  pads.insert(0, 0);
  Shape from{1};
  Shape to{1};
  from.append(x.shape.begin(), x.shape.end());
  to.append(shape.begin(), shape.end());
  return reshape(op("Pad", {reshape(x, from), x.w->ints(pads), value}, to), shape);
}

namespace {

using Number = Feed::Number;

Val arange(const Call& c) {
  return cast(range({&c.w, "", int64, {}}, {.base = c.n.shape[0]}, c.n.shape[0]), c.n.dtype);
}
Val reshaped(const Call& c) { return reshape(c.x(), c.n.shape); }
Val transposed(const Call& c) { return transpose(c.x(), c.attr<PermutationAttr>().axes); }
Val broadcast(const Call& c) { return expand(c.x(), c.n.shape); }
Val copied(const Call& c) { return op("Identity", {c.x()}); }
Val concatenated(const Call& c) {
  return op("Concat", c.in, c.n.shape, {{"axis", c.attr<AxisAttr>().axis}});
}

// Whether a slice or update covers a whole axis, so that its start can only be 0.
bool covers_axis(int64_t count, int64_t size, int64_t step) {
  return count == size && (step == 1 || count == 1);
}

Val sliced(const Call& c) {
  const Ints& steps = c.attr<SliceAttr>().steps;
  std::vector<Number> starts;
  std::vector<Number> stops;
  Ints axes;
  Ints by;
  for (size_t d = 0; d < steps.size(); ++d) {
    if (covers_axis(c.n.shape[d], c.x().shape[d], steps[d])) continue;
    const uint32_t param = c.n.param + uint32_t(d);
    starts.push_back({.terms = {{param, 1}}});
    stops.push_back({.base = steps[d] * c.n.shape[d], .terms = {{param, 1}}, .stop = true});
    axes.push_back(int64_t(d));
    by.push_back(steps[d]);
  }
  if (axes.empty()) return c.x();
  return op("Slice", {c.x(), c.w.numbers(starts), c.w.numbers(stops), c.w.ints(axes), c.w.ints(by)},
            c.n.shape);
}

// offset + the sum over axes of index * step, as int64 of the given shape.
Val flat_index_grid(Writer& w, const Shape& shape, const Ints& steps, const Number& offset) {
  Val sum = w.numbers({offset}, false);
  for (size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == 1 || steps[d] == 0) continue;
    Shape along(shape.size() - d, 1);
    along[0] = shape[d];
    sum = sum +
          reshape(range(sum, {.base = shape[d]}, shape[d]) * w.numbers({{.base = steps[d]}}, false),
                  along);
  }
  return expand(sum, shape);
}

Val as_strided(const Call& c) {
  const StridedAttr& a = c.attr<StridedAttr>();
  return op("Gather",
            {reshape(c.x(), {c.x().size()}),
             flat_index_grid(c.w, c.n.shape, a.strides, {.base = a.offset})},
            c.n.shape, {{"axis", 0}});
}

// Adds low and high to each axis; negative values crop.
Val padded(const Call& c) {
  const PadAttr& a = c.attr<PadAttr>();
  const Val value = reshape(c[1], {});
  if (c.x().size() == 0) return expand(value, c.n.shape);
  Ints pads = a.low;
  pads.append(a.high.begin(), a.high.end());
  const auto& nodes = c.w.slice.nodes;
  const bool pooled = std::any_of(nodes.begin(), nodes.end(), [&](const SliceNode& m) {
    return m.op == OpId::pool && &nodes[m.in[0]] == &c.n;
  });
  return pooled ? pad_unfused(c.x(), pads, value, c.n.shape)
                : op("Pad", {c.x(), c.w.ints(pads), value}, c.n.shape);
}

Val slice_update(const Call& c) {
  const Val& x = c[0];
  const Val& update = c[1];
  const Ints& steps = c.attr<SliceAttr>().steps;
  size_t lead = 0;  // the number of leading axes up to the last partial one
  for (size_t d = 0; d < x.shape.size(); ++d) {
    if (!covers_axis(update.shape[d], x.shape[d], steps[d])) lead = d + 1;
  }
  if (lead == 0) return update;
  const Shape front(x.shape.begin(), x.shape.begin() + lead);
  const Shape region(update.shape.begin(), update.shape.begin() + lead);
  const Ints strides = contiguous_strides(front);
  Ints by;
  Number offset;
  for (size_t d = 0; d < lead; ++d) {
    by.push_back(steps[d] * strides[d]);
    offset.terms.push_back({c.n.param + uint32_t(d), strides[d]});
  }
  Shape rows{size_of(front)};
  Shape new_rows{size_of(region)};
  const Val at = reshape(flat_index_grid(c.w, region, by, offset), {size_of(region), 1});
  rows.append(x.shape.begin() + lead, x.shape.end());
  new_rows.append(x.shape.begin() + lead, x.shape.end());
  return reshape(op("ScatterND", {reshape(x, rows), at, reshape(update, new_rows)}, rows), x.shape);
}

// Indices as int64. A uint64 that does not fit is out of range for any axis.
Val index_of(const Val& i) {
  return cast(i.dtype == uint64 ? op("Min", {i, integer_like(i, INT64_MAX)}) : i, int64);
}

Val take(const Call& c) {
  if (c[1].size() == 0) return c.w.constant(c[0].dtype, c.n.shape, "");
  return op("Gather", {c[0], index_of(c[1])}, c.n.shape, {{"axis", c.attr<AxisAttr>().axis}});
}
Val take_along_axis(const Call& c) {
  return op("GatherElements", {c[0], index_of(c[1])}, c.n.shape,
            {{"axis", c.attr<AxisAttr>().axis}});
}
Val gather_nd(const Call& c) {
  if (c[1].shape.back() == 0) return expand(c[0], c.n.shape);
  return op("GatherND", {c[0], index_of(c[1])}, c.n.shape);
}

// Scatters values into x at indices along an axis; both have the shape of the values.
Val scattered(const Val& given, const Val& at, const Val& new_values, int64_t axis, Mode mode) {
  if (mode < Mode::set || mode > Mode::min) throw Unsupported{"ONNX has no such scatter"};
  constexpr const char* names[] = {"", "none", "add", "mul", "max", "min"};
  const char* how = names[size_t(mode)];
  if (at.size() == 0) return given;
  const auto put = [&](const Val& x, const Val& v, const char* reduction) {
    if (mode == Mode::set) return op("ScatterElements", {x, at, v}, x.shape, {{"axis", axis}});
    x.w->need(
        std::string_view(reduction) == "max" || std::string_view(reduction) == "min" ? 18 : 16,
        "ScatterElements that reduces");
    return op("ScatterElements", {x, at, v}, x.shape, {{"axis", axis}, {"reduction", reduction}});
  };
  if (mode == Mode::set) return put(given, new_values, how);
  if (given.dtype == bool_) {
    return cast(put(cast(given, uint8), cast(new_values, uint8),
                    mode == Mode::add || mode == Mode::max ? "max" : "min"),
                bool_);
  }
  const Val x = widen(given);
  const Val v = widen(new_values);
  const Val r = put(x, v, how);
  if (!x.w->exact() || !is_float(x.dtype) || mode == Mode::add || mode == Mode::mul) {
    return cast(r, given.dtype);
  }
  // NaN has to win; ONNX Runtime ignores it.
  const auto missing = [](const Val& y) { return cast(op("IsNaN", {y}), uint8); };
  return cast(where(cast(put(missing(x), missing(v), "max"), bool_), like(r, NAN), r), given.dtype);
}
Val scatter(const Call& c) {
  const ScatterAttr& a = c.attr<ScatterAttr>();
  Shape along(c[2].shape.size() - size_t(a.axis), 1);
  along[0] = c[1].shape[0];
  return scattered(c[0], expand(reshape(index_of(c[1]), along), c[2].shape), c[2], a.axis, a.mode);
}
Val scatter_elements(const Call& c) {
  const ScatterAttr& a = c.attr<ScatterAttr>();
  return scattered(c[0], index_of(c[1]), c[2], a.axis, a.mode);
}
// Index tuples become indices into x with its leading axes flattened. A Gather from 0, 1, ...
// checks them and resolves negative ones.
Val scatter_nd(const Call& c) {
  const Val& x = c[0];
  const Val index = index_of(c[1]);
  const size_t depth = size_t(index.shape.back());
  const Shape front(x.shape.begin(), x.shape.begin() + depth);
  const Shape rest(x.shape.begin() + depth, x.shape.end());
  const Shape tuples(index.shape.begin(), index.shape.end() - 1);
  const int64_t count = size_of(tuples);
  const int64_t row = size_of(rest);
  if (count == 0 || x.size() == 0) return x;
  const Ints strides = contiguous_strides(front);
  Val at = expand(c.w.integer(0, int64), {count, 1});
  const Val flat = reshape(index, {count, int64_t(depth)});
  for (size_t d = 0; d < depth; ++d) {
    const Val column = slice_axis(flat, 1, int64_t(d), 1);
    const Val all = range(x, {.base = front[d]}, front[d]);
    at = at + op("Gather", {all, column}, {count, 1}, {{"axis", 0}}) *
                  c.w.numbers({{.base = strides[d]}}, false);
  }
  const Val r = scattered(reshape(x, {size_of(front), row}), expand(at, {count, row}),
                          reshape(c[2], {count, row}), 0, c.attr<ScatterAttr>().mode);
  return reshape(r, x.shape);
}

}  // namespace

void add_movement(Table& t) {
  using enum OpId;
  constexpr std::pair<OpId, Emit> entries[] = {{arange, onnx::arange},
                                               {identity, copied},
                                               {reshape, reshaped},
                                               {transpose, transposed},
                                               {slice, sliced},
                                               {broadcast_to, broadcast},
                                               {copy, copied},
                                               {as_strided, onnx::as_strided},
                                               {concat, concatenated},
                                               {pad, padded},
                                               {slice_update, onnx::slice_update}};
  for (auto [op, emit] : entries) t[size_t(op)] = {.emit = emit, .takes_4bit = true};
}
void add_indexing(Table& t) {
  using enum OpId;
  constexpr std::pair<OpId, Emit> entries[] = {{take, onnx::take},
                                               {take_along_axis, onnx::take_along_axis},
                                               {gather_nd, onnx::gather_nd},
                                               {scatter, onnx::scatter},
                                               {scatter_elements, onnx::scatter_elements},
                                               {scatter_nd, onnx::scatter_nd}};
  for (auto [op, emit] : entries) t[size_t(op)] = {.emit = emit};
  for (OpId op : {take, take_along_axis, gather_nd}) t[size_t(op)].takes_4bit = true;
  t[size_t(take)].empty = t[size_t(scatter)].empty = true;
}

}  // namespace ember::onnx
