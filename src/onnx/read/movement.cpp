// Shapes and movement: slices, concatenation, padding, blocks.
#include <cmath>

#include "src/graph/graph.h"
#include "src/onnx/read/read.h"
#include "src/ops/layouts.h"

namespace ember::onnx {
namespace {

Tensor integers(std::span<const int64_t> v) { return array(v, {int64_t(v.size())}); }

Values constant(const Call& c) {
  if (const auto* a = c.attribute("value", proto::Attribute::tensor); a && !a->t.empty()) {
    return {c.recorder.source.tensors.at(&a->t[0])};
  }
  if (const auto* a = c.attribute("value_float", proto::Attribute::float_)) {
    return {ops::full({}, double(a->f), DType::float32)};
  }
  if (const auto* a = c.attribute("value_int", proto::Attribute::int_)) {
    return {ops::full({}, a->i, DType::int64)};
  }
  if (const auto* a = c.attribute("value_floats", proto::Attribute::floats_)) {
    return {array(a->floats)};
  }
  if (const auto* a = c.attribute("value_ints", proto::Attribute::ints_)) {
    return {integers(a->ints)};
  }
  if (const auto* a = c.attribute("value_string", proto::Attribute::string)) {
    return {{ops::full({}, c.string_index(a->s), DType::int64), true}};
  }
  if (const auto* a = c.attribute("value_strings", proto::Attribute::strings_)) {
    Ints words;
    for (const std::string& s : a->strings) words.push_back(c.string_index(s));
    return {{integers(words), true}};
  }
  if (c.node.attributes.empty()) throw ValueError("the value is missing");
  c.refuse("a constant that is not a numeric tensor");
}
Values constant_of_shape(const Call& c) {
  const Ints shape = c.ints(0, "the shape");
  const auto* a = c.attribute("value", proto::Attribute::tensor);
  if (!a || a->t.empty()) return {ops::zeros(shape, DType::float32)};
  const Value& value = c.recorder.source.tensors.at(&a->t[0]);
  if (value.strings) c.refuse("a tensor of equal strings");
  const Tensor& v = value.tensor;
  if (v.size() != 1) {
    throw ValueError("the value must be one number, not " + std::to_string(v.size()));
  }
  return {ops::broadcast_to(ops::reshape(v, {}), shape)};
}
Values shape(const Call& c) {
  const Shape& s = c.x(0).shape();
  const int64_t n = int64_t(s.size());
  const auto place = [&](int64_t v) { return std::clamp<int64_t>(v < 0 ? v + n : v, 0, n); };
  const int64_t start = place(c.i("start", 0));
  const int64_t end = std::max(start, place(c.i("end", n)));
  return {integers(std::span<const int64_t>(s).subspan(size_t(start), size_t(end - start)))};
}
Values range(const Call& c) {
  c.ignore("stash_type");
  const DType t = c.x(0).dtype();
  const double start = c.number(0, "start");
  const double limit = c.number(1, "limit");
  const double delta = c.number(2, "delta");
  const double n = std::max(0.0, std::ceil((limit - start) / delta));
  if (!(n < 0x1p40)) {
    throw ValueError("a range from " + std::to_string(start) + " to " + std::to_string(limit) +
                     " with step " + std::to_string(delta) + " has no end");
  }
  const DType wide = t == DType::float16 || t == DType::bfloat16 ? DType::float32 : t;
  const Tensor steps = cast_to(ops::arange(0, n, 1, DType::int64), wide);
  return {cast_to(steps * cast_to(c.x(2), wide) + cast_to(c.x(0), wide), t)};
}
Values eye_like(const Call& c) {
  const Tensor& x = c.x(0);
  if (x.ndim() != 2) {
    throw ShapeError("the input must be a matrix, not of shape " + to_string(x.shape()));
  }
  return {ops::eye(x.shape(0), x.shape(1), c.i("k", 0), c.dtype("dtype").value_or(x.dtype()))};
}
Values trilu(const Call& c) {
  const int64_t k = c.has(1) ? c.integer(1, "k") : 0;
  return {c.flag("upper", true) ? ops::triu(c.x(0), k) : ops::tril(c.x(0), k)};
}

Values reshape(const Call& c) {
  const Tensor& x = c.x(0);
  Shape s = c.opset < 5 ? c.list_of("shape").value_or(Ints()) : c.ints(1, "the shape");
  if (!c.flag("allowzero")) {
    for (size_t d = 0; d < s.size(); ++d) {
      if (s[d] == 0) {
        if (int64_t(d) >= x.ndim()) {
          throw ShapeError("the 0 at position " + std::to_string(d) +
                           " refers to an axis that the input does not have");
        }
        s[d] = x.shape()[d];
      }
    }
  }
  return {ops::reshape(x, s)};
}
Values flatten(const Call& c) {
  const Tensor& x = c.x(0);
  const int64_t given = c.i("axis", 1);
  const int64_t axis = given == x.ndim() ? given : c.axis(given, x.ndim());
  int64_t rows = 1;
  int64_t columns = 1;
  for (int64_t d = 0; d < x.ndim(); ++d) {
    int64_t& n = d < axis ? rows : columns;
    n = extent(n, x.shape(d), 0);
  }
  return {ops::reshape(x, {rows, columns})};
}
Values transpose(const Call& c) { return {ops::transpose(c.x(0), c.list_of("perm"))}; }

std::optional<Ints> axes_of(const Call& c) {
  std::optional<Ints> axes = c.list_of("axes");
  return c.opset >= 13 && c.has(1) ? c.ints(1, "axes") : axes;
}
Values squeeze(const Call& c) {
  const auto axes = axes_of(c);
  return {ops::squeeze(c.x(0), axes ? Axes(*axes) : Axes())};
}
Values unsqueeze(const Call& c) {
  const auto axes = axes_of(c);
  if (!axes) throw ValueError("the axes are missing");
  return {ops::expand_dims(c.x(0), *axes)};
}
Values expand(const Call& c) {
  return {ops::broadcast_to(c.x(0), broadcast_shapes(c.x(0).shape(), c.ints(1, "the shape")))};
}
Values tile(const Call& c) {
  if (c.opset < 6) {  // along one axis
    Ints along(size_t(c.x(0).ndim()), 1);
    along[size_t(c.axis(c.integer(2, "the axis"), c.x(0).ndim()))] =
        c.integer(1, "the repetitions");
    return {ops::tile(c.x(0), along)};
  }
  const Ints times = c.ints(1, "the repetitions");
  if (int64_t(times.size()) != c.x(0).ndim()) {
    throw ShapeError(std::to_string(times.size()) + " repetitions for " +
                     std::to_string(c.x(0).ndim()) + " dimensions");
  }
  return {ops::tile(c.x(0), times)};
}

Values concat(const Call& c) {
  return {ops::concat(c.all(), c.opset < 4 ? c.i("axis", 1) : c.i("axis"))};
}

Values split(const Call& c) {
  const Tensor& x = c.x(0);
  const int64_t axis = c.axis(c.i("axis", 0), x.ndim());
  const int64_t n = x.shape(axis);
  const int64_t parts = c.i("num_outputs", int64_t(c.outputs()));
  std::optional<Ints> sizes = c.list_of("split");
  if ((c.opset >= 13 || c.opset < 2) && c.has(1)) sizes = c.ints(1, "the sizes");
  if (!sizes) {
    if (parts < 1 || parts > 1 << 20) {
      throw ValueError("an axis cannot be split into " + std::to_string(parts) + " parts");
    }
    const int64_t each = n / parts + (n % parts != 0);
    if (c.opset < 18 && n % parts) {
      throw ShapeError("an axis of " + std::to_string(n) + " elements cannot be split into " +
                       std::to_string(parts) + " equal parts");
    }
    sizes.emplace();
    for (int64_t k = 0; k < parts; ++k) {
      sizes->push_back(std::clamp<int64_t>(n - k * each, 0, each));
    }
  }
  Values out;
  int64_t at = 0;
  for (const int64_t size : *sizes) {
    if (size < 0 || size > n - at) {
      throw ShapeError("parts of " + to_string(*sizes) + " elements do not add up to an axis of " +
                       std::to_string(n));
    }
    out.push_back(ops::slice(x, {at}, {at + size}, {}, axis));
    at += size;
  }
  if (at != n) {
    throw ShapeError("parts of " + to_string(*sizes) + " elements do not add up to an axis of " +
                     std::to_string(n));
  }
  return out;
}

Values slice(const Call& c) {
  const Tensor& x = c.x(0);
  Ints starts;
  Ints ends;
  Ints axes;
  Ints steps;
  if (c.opset < 10) {
    starts = c.list_of("starts").value_or(Ints());
    ends = c.list_of("ends").value_or(Ints());
    axes = c.list_of("axes").value_or(Ints());
  } else {
    starts = c.ints(1, "the starts");
    ends = c.ints(2, "the ends");
    if (c.has(3)) axes = c.ints(3, "the axes");
    if (c.has(4)) steps = c.ints(4, "the steps");
  }
  if (axes.empty()) {
    for (size_t d = 0; d < starts.size(); ++d) axes.push_back(int64_t(d));
  }
  if (steps.empty()) steps = Ints(starts.size(), 1);
  return {ops::slice(x, starts, ends, steps, axes)};
}

Values pad(const Call& c) {
  Tensor x = c.x(0);
  const std::string mode = c.s("mode", "constant");
  Ints pads = c.opset < 11 ? c.list_of(c.opset < 2 ? "paddings" : "pads").value_or(Ints())
                           : c.ints(1, "the pads");
  Ints axes;
  Tensor value = c.opset < 11 ? Tensor(c.f("value", 0))
                 : c.has(2)   ? ops::reshape(c.x(2), {})
                              : Tensor(0);
  if (c.has(3)) {
    axes = c.ints(3, "the axes");
  } else {
    for (int64_t d = 0; d < x.ndim(); ++d) axes.push_back(d);
  }
  if (pads.size() != 2 * axes.size()) {
    throw ShapeError(std::to_string(pads.size()) + " pads for " + std::to_string(axes.size()) +
                     " axes");
  }
  Ints widths(size_t(2 * x.ndim()), 0);
  Ints starts;
  Ints stops;
  Ints along;
  for (size_t i = 0; i < axes.size(); ++i) {  // negative padding crops
    const size_t d = size_t(c.axis(axes[i], x.ndim()));
    const int64_t low = pads[i];
    const int64_t high = pads[i + axes.size()];
    const int64_t n = x.shape()[d];
    if (low < -n || high < -n || std::min<int64_t>(low, 0) + std::min<int64_t>(high, 0) < -n) {
      throw ShapeError("axis " + std::to_string(d) + " has " + std::to_string(n) +
                       " elements: more would be cut off");
    }
    widths[2 * d] = std::max<int64_t>(low, 0);
    widths[2 * d + 1] = std::max<int64_t>(high, 0);
    if (low < 0 || high < 0) {
      starts.push_back(std::max<int64_t>(-low, 0));
      stops.push_back(n + std::min<int64_t>(high, 0));
      along.push_back(int64_t(d));
    }
  }
  if (!along.empty()) x = ops::slice(x, starts, stops, {}, along);
  return {ops::pad(x, widths, mode, mode == "constant" ? cast_to(value, x.dtype()) : Tensor(0))};
}

Values center_crop_pad(const Call& c) {
  Tensor x = c.x(0);
  const Ints sizes = c.ints(1, "the shape");
  Ints axes = c.list_of("axes").value_or(Ints());
  if (axes.empty()) {
    for (size_t d = 0; d < sizes.size(); ++d) axes.push_back(int64_t(d));
  }
  if (axes.size() != sizes.size()) {
    throw ShapeError(std::to_string(sizes.size()) + " sizes for " + std::to_string(axes.size()) +
                     " axes");
  }
  Ints widths(size_t(2 * x.ndim()), 0);
  for (size_t i = 0; i < axes.size(); ++i) {
    const int64_t d = c.axis(axes[i], x.ndim());
    const int64_t n = x.shape(d);
    const int64_t want = sizes[i];
    if (want < 0) throw ShapeError("an axis cannot have " + std::to_string(want) + " elements");
    if (want < n) {
      x = ops::slice(x, {(n - want) / 2}, {(n - want) / 2 + want}, {}, d);
    } else {
      widths[size_t(2 * d)] = (want - n) / 2;
      widths[size_t(2 * d + 1)] = want - n - (want - n) / 2;
    }
  }
  return {ops::pad(x, widths)};
}

// Moves blocks of channels to blocks of pixels, or the inverse. DCR: the slowest part of the
// channel index is the position in the block.
Values depth_to_space(const Call& c) {
  const Tensor& x = c.x(0);
  const int64_t b = c.i("blocksize");
  const std::string mode = c.s("mode", "DCR");
  one_of("mode", mode, {"DCR", "CRD"});
  if (x.ndim() != 4 || b < 1 || x.shape(1) % extent(b, b, 0)) {
    throw ShapeError("an input of shape " + to_string(x.shape()) + " does not fit blocks of " +
                     std::to_string(b));
  }
  const int64_t n = x.shape(0);
  const int64_t depth = x.shape(1) / (b * b);
  const int64_t h = x.shape(2);
  const int64_t w = x.shape(3);
  const Tensor apart =
      mode == "DCR"
          ? ops::permute_dims(ops::reshape(x, {n, b, b, depth, h, w}), {0, 3, 4, 1, 5, 2})
          : ops::permute_dims(ops::reshape(x, {n, depth, b, b, h, w}), {0, 1, 4, 2, 5, 3});
  return {ops::reshape(apart, {n, depth, extent(h, b, 0), extent(w, b, 0)})};
}
Values space_to_depth(const Call& c) {
  const Tensor& x = c.x(0);
  const int64_t b = c.i("blocksize");
  const std::string mode = c.s("mode", "DCR");
  one_of("mode", mode, {"DCR", "CRD"});
  if (x.ndim() != 4 || b < 1 || x.shape(2) % b || x.shape(3) % b) {
    throw ShapeError("an input of shape " + to_string(x.shape()) + " does not fit blocks of " +
                     std::to_string(b));
  }
  const int64_t n = x.shape(0);
  const int64_t depth = x.shape(1);
  const int64_t h = x.shape(2) / b;
  const int64_t w = x.shape(3) / b;
  const Tensor apart =
      ops::permute_dims(ops::reshape(x, {n, depth, h, b, w, b}),
                        mode == "DCR" ? Ints{0, 3, 5, 1, 2, 4} : Ints{0, 1, 3, 5, 2, 4});
  return {ops::reshape(apart, {n, extent(depth, extent(b, b, 0), 0), h, w})};
}

// Adds columns of blocks to an image at their positions.
Values col_to_im(const Call& c) {
  const Tensor& x = c.x(0);
  const Ints image = c.ints(1, "the image's shape");
  const Ints block = c.ints(2, "the block's shape");
  const size_t k = image.size();
  const Ints strides = c.list_of("strides").value_or(Ints(k, 1));
  const Ints dilations = c.list_of("dilations").value_or(Ints(k, 1));
  const Ints pads = c.list_of("pads").value_or(Ints(2 * k, 0));
  if (x.ndim() != 3 || block.size() != k || strides.size() != k || dilations.size() != k ||
      pads.size() != 2 * k) {
    throw ShapeError("shapes, strides, dilations and pads are not compatible");
  }
  // Flat positions in the padded image, [block elements, positions].
  Shape padded;
  Shape cut_low;
  Shape cut_high;
  Tensor places = ops::zeros({1, 1}, DType::int64);
  int64_t elements = 1;
  int64_t positions = 1;
  for (size_t d = 0; d < k; ++d) {
    if (image[d] < 1 || block[d] < 1 || strides[d] < 1 || dilations[d] < 1 || pads[d] < 0 ||
        pads[d + k] < 0) {
      throw ValueError("sizes, strides and dilations must be at least 1, pads at least 0");
    }
    padded.push_back(extent(1, image[d], extent(1, pads[d], pads[d + k])));
    const int64_t reach = extent(dilations[d], block[d] - 1, 1);
    if (reach > padded[d]) {
      throw ShapeError("a block of " + std::to_string(reach) +
                       " elements is longer than the padded image, " + std::to_string(padded[d]));
    }
    const int64_t n = (padded[d] - reach) / strides[d] + 1;
    elements = extent(elements, block[d], 0);
    positions = extent(positions, n, 0);
    const Tensor inside = ops::reshape(
        ops::arange(0, double(block[d]), 1, DType::int64) * dilations[d], {block[d], 1, 1});
    const Tensor at = ops::reshape(ops::arange(0, double(n), 1, DType::int64) * strides[d], {n});
    const Tensor before =
        ops::reshape(places * padded[d], {places.shape(0), 1, places.shape(1), 1});
    places = ops::reshape(before + ops::expand_dims(inside + at, {0}), {elements, positions});
    cut_low.push_back(pads[d]);
    cut_high.push_back(pads[d] + image[d]);
  }
  if (x.shape(1) % elements || x.shape(2) != positions) {
    throw ShapeError("an input of shape " + to_string(x.shape()) + " does not consist of " +
                     std::to_string(elements) + " elements at " + std::to_string(positions) +
                     " positions");
  }
  const int64_t n = x.shape(0);
  const int64_t channels = x.shape(1) / elements;
  int64_t whole = 1;
  for (const int64_t d : padded) whole = extent(whole, d, 0);
  const Tensor columns = ops::reshape(x, {extent(n, channels, 0), extent(elements, positions, 0)});
  Shape s{n, channels};
  s.append(padded.begin(), padded.end());
  Ints axes;
  for (size_t d = 0; d < k; ++d) axes.push_back(int64_t(d) + 2);
  return {ops::slice(ops::reshape(ops::scatter(columns, ops::flatten(places), whole, "add", 1), s),
                     cut_low, cut_high, {}, axes)};
}

const Reader readers[] = {
    {{"Constant", 1, "no sparse tensors"}, constant},
    {{"ConstantOfShape", 9, ""}, constant_of_shape},
    {{"Shape", 1, ""}, shape, only_shapes | strings},
    {{"Size", 1, ""},
     [](const Call& c) -> Values { return {ops::full({}, c.x(0).size(), DType::int64)}; },
     only_shapes | strings},
    {{"Range", 11, ""}, range},
    {{"EyeLike", 9, ""}, eye_like, only_shapes},
    {{"Trilu", 14, ""}, trilu},
    {{"Reshape", 1, ""}, reshape, moves_strings},
    {{"Flatten", 1, ""}, flatten, moves_strings},
    {{"Transpose", 1, ""}, transpose, moves_strings},
    {{"Squeeze", 1, ""}, squeeze, moves_strings},
    {{"Unsqueeze", 1, ""}, unsqueeze, moves_strings},
    {{"Expand", 8, ""}, expand, moves_strings},
    {{"Tile", 1, ""}, tile, moves_strings},
    {{"Concat", 1, ""}, concat, moves_strings},
    {{"Split", 1, ""}, split},
    {{"Slice", 1, ""}, slice, moves_strings},
    {{"Pad", 1, ""}, pad},
    {{"CenterCropPad", 18, ""}, center_crop_pad},
    {{"DepthToSpace", 1, ""}, depth_to_space},
    {{"SpaceToDepth", 1, ""}, space_to_depth},
    {{"Col2Im", 18, ""}, col_to_im},
};

}  // namespace

std::span<const Reader> movement_readers() { return readers; }

}  // namespace ember::onnx
