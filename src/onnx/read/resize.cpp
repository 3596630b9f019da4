// Resized images, and samples at the points of a grid or in boxes.
#include <cmath>

#include "src/graph/graph.h"
#include "src/onnx/read/read.h"
#include "src/ops/layouts.h"

namespace ember::onnx {
namespace {

constexpr int64_t max_table_size = int64_t(1) << 24;  // limits tables that are made on the host

struct Rules {
  std::string mode, places, nearest;
  double cubic = -0.75, outside = 0;
  bool antialias = false, exclude = false;
};

double cubic(double t, double a) {
  t = std::abs(t);
  if (t <= 1) return ((a + 2) * t - (a + 3)) * t * t + 1;
  return t < 2 ? ((t - 5) * t + 8) * t * a - 4 * a : 0;
}

// Resizes one axis of x to length out; roi is the region of the axis that is resized.
Tensor resized(const Tensor& x, int64_t axis, int64_t out, double scale, double roi_low,
               double roi_high, const Rules& r) {
  const int64_t in = x.shape(axis);
  const double width = scale * double(in);
  const double shrink = r.antialias ? std::min(scale, 1.0) : 1;
  const bool linear = r.mode == "linear";
  const bool nearest = r.mode == "nearest";
  const double reach = (linear ? 1 : 2) / shrink;
  if (!(reach < double(max_table_size))) {
    throw ValueError("an axis shrinks too much: by " + std::to_string(scale));
  }
  const int64_t first = nearest ? 0 : int64_t(std::floor(-reach)) + 1;
  const int64_t taps = nearest ? 1 : 2 - 2 * first;
  if (out > max_table_size / taps) {
    throw ValueError("an axis of " + std::to_string(out) + " elements with " +
                     std::to_string(taps) + " terms each is too long to resize");
  }
  std::vector<int64_t> at(size_t(out * taps));
  std::vector<double> weight(size_t(out * taps), 1);
  std::vector<double> missing(static_cast<size_t>(out), 0);
  bool any_missing = false;
  for (int64_t i = 0; i < out; ++i) {
    const double y = double(i);
    double place = (y + 0.5) / scale - 0.5;
    if (r.places == "align_corners") {
      place = width == 1 ? 0 : y * double(in - 1) / (width - 1);
    } else if (r.places == "asymmetric") {
      place = y / scale;
    } else if (r.places == "pytorch_half_pixel") {
      place = width == 1 ? -0.5 : place;
    } else if (r.places == "half_pixel_symmetric") {
      place += double(in) / 2 * (1 - double(out) / width);
    } else if (r.places == "tf_half_pixel_for_nn") {
      place = (y + 0.5) / scale;
    } else if (r.places == "tf_crop_and_resize") {
      const double span = (roi_high - roi_low) * double(in - 1);
      place = roi_low * double(in - 1) + (width == 1 ? span / 2 : y * span / (width - 1));
      if (place < 0 || place > double(in - 1)) {
        missing[size_t(i)] = 1;
        any_missing = true;
      }
    }
    if (!std::isfinite(place)) throw ValueError("a coordinate is not finite");
    const auto put = [&](int64_t k, double where, double w) {
      if (r.exclude && (where < 0 || where > double(in - 1))) w = 0;
      at[size_t(k * out + i)] = int64_t(std::clamp(where, 0.0, double(in - 1)));
      weight[size_t(k * out + i)] = w;
    };
    if (nearest) {
      const double down = std::floor(place);
      const double part = place - down;
      const bool up = r.nearest == "ceil"                ? part > 0
                      : r.nearest == "floor"             ? false
                      : r.nearest == "round_prefer_ceil" ? part >= 0.5
                                                         : part > 0.5;
      put(0, down + up, 1);
      weight[size_t(i)] = 1;
      continue;
    }
    const double base = std::ceil(place) - 1;
    const double part = place - base;  // within 0 (not) and 1 (still)
    double sum = 0;
    for (int64_t k = 0; k < taps; ++k) {
      const double t = (double(first + k) - part) * shrink;
      put(k, base + double(first + k), linear ? std::max(0.0, 1 - std::abs(t)) : cubic(t, r.cubic));
      sum += weight[size_t(k * out + i)];
    }
    if (r.antialias || r.exclude) {
      for (int64_t k = 0; k < taps; ++k) weight[size_t(k * out + i)] /= sum;
    }
  }
  Shape along(size_t(x.ndim() - axis), 1);
  along[0] = out;
  const auto row = [&](auto& v, int64_t k) {
    return array(std::span(v).subspan(size_t(k * out), size_t(out)), {out});
  };
  Tensor y;
  for (int64_t k = 0; k < taps; ++k) {
    const Tensor read = ops::take(x, row(std::as_const(at), k), axis);
    const Tensor term =
        nearest ? read
                : read * cast_to(ops::reshape(row(std::as_const(weight), k), along), x.dtype());
    y = y.defined() ? y + term : term;
  }
  if (!any_missing) return y;
  return ops::where(ops::reshape(ops::not_equal(array(missing), 0.0), along),
                    cast_to(Tensor(r.outside), x.dtype()), y);
}

std::string mode_of(const Call& c) {
  const std::string mode = c.s("mode", "nearest");
  return c.opset < 7 && mode == "bilinear" ? "linear" : mode;
}

Values resize(const Call& c) {
  const Tensor& x = c.x(0);
  const bool old = c.opset < 11;
  const bool upsample = c.node.op_type == "Upsample";
  Rules r{.mode = mode_of(c),
          .places = c.s("coordinate_transformation_mode", old ? "asymmetric" : "half_pixel"),
          .nearest = c.s("nearest_mode", old ? "floor" : "round_prefer_floor"),
          .cubic = c.f("cubic_coeff_a", -0.75),
          .outside = c.f("extrapolation_value", 0),
          .antialias = c.flag("antialias"),
          .exclude = c.flag("exclude_outside")};
  const std::string policy = c.s("keep_aspect_ratio_policy", "stretch");
  one_of("mode", r.mode, {"nearest", "linear", "cubic"});
  one_of("keep_aspect_ratio_policy", policy, {"stretch", "not_larger", "not_smaller"});
  one_of("coordinate_transformation_mode", r.places,
         {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric",
          "tf_half_pixel_for_nn", "tf_crop_and_resize"});
  one_of("nearest_mode", r.nearest, {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"});
  if (r.mode == "nearest") r.antialias = false;
  Ints axes = c.list_of("axes").value_or(Ints());
  if (axes.empty()) {
    for (int64_t d = 0; d < x.ndim(); ++d) axes.push_back(d);
  }
  std::vector<double> scales;
  std::vector<double> roi;
  Ints sizes;
  if (upsample && c.opset < 7) {
    scales = {1, 1, c.f("height_scale", 1), c.f("width_scale", 1)};
  } else if (upsample && c.opset < 9) {
    scales = c.floats("scales");
  } else if (old) {
    scales = c.numbers(1, "the scales");
  } else {
    if (c.has(1) && r.places == "tf_crop_and_resize") roi = c.numbers(1, "the region");
    if (c.has(2)) scales = c.numbers(2, "the scales");
    if (c.has(3)) sizes = c.ints(3, "the sizes");
  }
  const size_t n = axes.size();
  if (scales.empty() == sizes.empty() || (scales.empty() ? sizes.size() : scales.size()) != n) {
    throw ValueError("either a scale or a size is needed for each of " + std::to_string(n) +
                     " axes");
  }
  if (r.places == "tf_crop_and_resize" && roi.size() != 2 * n) {
    throw ValueError("the region must have " + std::to_string(2 * n) + " numbers, not " +
                     std::to_string(roi.size()));
  }
  for (size_t i = 0; i < n; ++i) axes[i] = c.axis(axes[i], x.ndim());
  if (!sizes.empty()) {
    for (size_t i = 0; i < n; ++i) scales.push_back(double(sizes[i]) / double(x.shape(axes[i])));
    if (policy != "stretch") {
      const double all = policy == "not_larger" ? *std::min_element(scales.begin(), scales.end())
                                                : *std::max_element(scales.begin(), scales.end());
      for (size_t i = 0; i < n; ++i) {
        const double length = std::floor(all * double(x.shape(axes[i])) + 0.5);
        if (!(length >= 1 && length < double(max_table_size))) {
          throw ValueError("an axis of " + std::to_string(length) + " elements");
        }
        scales[i] = all;
        sizes[i] = int64_t(length);
      }
    }
  }
  const DType t = x.dtype();
  const DType wide = r.mode == "nearest" || t == DType::float64 ? t : DType::float32;
  Tensor y = cast_to(x, wide);
  for (size_t i = 0; i < n; ++i) {
    const double s = scales[i];
    const double length =
        sizes.empty() ? std::floor(double(x.shape(axes[i])) * s) : double(sizes[i]);
    if (!(s > 0) || !std::isfinite(s) || !(length >= 1 && length < double(max_table_size))) {
      throw ValueError("axis " + std::to_string(axes[i]) + " of length " +
                       std::to_string(x.shape(axes[i])) + " cannot be resized by " +
                       std::to_string(s));
    }
    if (s == 1 && int64_t(length) == x.shape(axes[i]) && r.places != "tf_crop_and_resize") continue;
    y = resized(y, axes[i], int64_t(length), s, roi.empty() ? 0 : roi[i],
                roi.empty() ? 1 : roi[i + n], r);
  }
  if (is_integer(t) && wide != t) {  // rounded and clamped
    const auto limits = ops::iinfo(t);
    y = ops::clip(ops::round(y), Tensor(double(limits.min)), Tensor(double(limits.max)));
  }
  return {cast_to(y, t)};
}

// Moves coordinates outside of [0, n - 1] to the border, or mirrors them at it.
Tensor move_inside(const Tensor& at, int64_t n, const std::string& mode, bool corners) {
  const auto clamped = [&](const Tensor& t) {
    return ops::clip(t, Tensor(0.0), Tensor(double(n - 1)));
  };
  if (mode == "zeros") return at;
  if (mode == "border") return clamped(at);
  const double low = corners ? 0 : -0.5;
  const double span = corners ? double(n - 1) : double(n);
  if (span == 0) return at * 0.0;
  const Tensor c = ops::abs(at - low);
  const Tensor rest = ops::fmod(c, span);
  const Tensor odd = ops::fmod(ops::floor(c / span), 2.0);
  return clamped(ops::where(ops::equal(odd, 0.0), rest + low, Tensor(span + low) - rest));
}

// Samples volumes: trilinear between the eight neighbours of a point, or the nearest one. Images
// use Ember's op grid_sample.
Tensor sample_volume(const Tensor& x, const Tensor& grid, bool nearest, const std::string& outside,
                     bool corners) {
  if (grid.ndim() != 5 || grid.shape(4) != 3 || grid.shape(0) != x.shape(0)) {
    throw ShapeError("the grid has shape " + to_string(grid.shape()) + ", which does not fit " +
                     to_string(x.shape()));
  }
  const int64_t n = x.shape(0);
  const int64_t channels = x.shape(1);
  const int64_t points = extent(extent(grid.shape(1), grid.shape(2), 0), grid.shape(3), 0);
  const int64_t size[] = {x.shape(2), x.shape(3), x.shape(4)};
  if (x.size() == 0) {
    throw ShapeError("a volume of shape " + to_string(x.shape()) + " is empty");
  }
  Tensor place[3];
  for (int64_t d = 0; d < 3; ++d) {  // the grid's last axis is x, y, z
    const Tensor g = ops::reshape(ops::slice(grid, {2 - d}, {3 - d}, {}, 4), {n, 1, points});
    const Tensor at =
        corners ? (g + 1.0) * (double(size[d] - 1) / 2) : ((g + 1.0) * double(size[d]) - 1.0) * 0.5;
    place[d] = move_inside(at, size[d], outside, corners);
    if (nearest) place[d] = ops::round(place[d]);
  }
  const Tensor flat = ops::reshape(x, {n, channels, size[0] * size[1] * size[2]});
  Tensor sum;
  for (int corner = 0; corner < (nearest ? 1 : 8); ++corner) {
    Tensor index;
    Tensor weight;
    Tensor there;
    for (int d = 0; d < 3; ++d) {
      const Tensor low = ops::floor(place[d]);
      const Tensor part = place[d] - low;
      const bool far = corner >> d & 1;
      const Tensor at = nearest ? place[d] : far ? low + 1.0 : low;
      const Tensor w = nearest ? ops::ones_like(part) : far ? part : Tensor(1.0) - part;
      const Tensor good = (at >= 0.0) & (at <= double(size[d] - 1));
      const Tensor whole = cast_to(ops::where(good, at, ops::zeros_like(at)), DType::int64);
      index = d ? index * size[d] + whole : whole;
      weight = d ? weight * w : w;
      there = d ? there & good : good;
    }
    const Tensor term =
        ops::take_along_axis(flat, index, 2) * ops::where(there, weight, ops::zeros_like(weight));
    sum = sum.defined() ? sum + term : term;
  }
  return ops::reshape(sum, {n, channels, grid.shape(1), grid.shape(2), grid.shape(3)});
}

Values grid_sample(const Call& c) {
  std::string mode = c.s("mode", c.opset < 20 ? "bilinear" : "linear");
  const std::string outside = c.s("padding_mode", "zeros");
  const bool corners = c.flag("align_corners");
  if (mode == "linear") mode = "bilinear";
  if (mode == "cubic") mode = "bicubic";
  one_of("padding_mode", outside, {"zeros", "border", "reflection"});
  const Tensor& x = c.x(0);
  const Tensor& grid = c.x(1);
  if (x.ndim() == 5 && mode != "bicubic") {
    one_of("mode", mode, {"bilinear", "nearest"});
    return {
        cast_to(sample_volume(cast_to(x, grid.dtype()), grid, mode == "nearest", outside, corners),
                x.dtype())};
  }
  if (x.ndim() != 4) c.refuse("a " + mode + " sample of " + std::to_string(x.ndim() - 2) + " axes");
  return {cast_to(ops::grid_sample(x, grid, mode, outside, corners), x.dtype())};
}

Values affine_grid(const Call& c) {
  const Tensor& theta = c.x(0);
  const Ints size = c.ints(1, "the size");
  const bool corners = c.flag("align_corners");
  const size_t k = size.size() < 2 ? 0 : size.size() - 2;
  if ((k != 2 && k != 3) || theta.shape() != Shape{size[0], int64_t(k), int64_t(k) + 1}) {
    throw ShapeError("matrices of shape " + to_string(theta.shape()) + " do not match the size " +
                     to_string(size));
  }
  Shape whole(size.begin() + 2, size.end());
  Tensors columns;  // x, y, (z,) 1 of each point
  for (size_t d = k; d--;) {
    const int64_t n = whole[d];
    if (n < 1) throw ShapeError("invalid size " + to_string(size));
    Shape s(k, 1);
    s[d] = n;
    const Tensor i = cast_to(ops::arange(0, double(n), 1, DType::int64), theta.dtype());
    columns.push_back(
        ops::broadcast_to(ops::reshape(corners && n > 1 ? i * (2.0 / double(n - 1)) - 1.0
                                                        : (i * 2.0 + 1.0) / double(n) - 1.0,
                                       s),
                          whole));
  }
  columns.push_back(ops::ones(whole, theta.dtype()));
  int64_t points = 1;
  for (const int64_t n : whole) points = extent(points, n, 0);
  const Tensor places = ops::reshape(ops::stack(columns, -1), {points, int64_t(k) + 1});
  Shape out{size[0]};
  out.append(whole.begin(), whole.end());
  out.push_back(int64_t(k));
  return {ops::reshape(ops::matmul(places, ops::matrix_transpose(theta)), out)};
}

// A region of interest in pixels: its corner, the size of a bin, and the samples per bin.
struct Roi {
  double y, x;
  double bin_height, bin_width;
  int64_t sample_rows, sample_columns;
};

// ratio: sampling_ratio; 0 means one sample per pixel of a bin.
Roi parse_roi(const double* corners, double scale, bool half_pixel, int64_t rows, int64_t columns,
              int64_t ratio) {
  double height = (corners[3] - corners[1]) * scale;
  double width = (corners[2] - corners[0]) * scale;
  if (!half_pixel) {
    height = std::max(height, 1.0);
    width = std::max(width, 1.0);
  }
  if (!(std::abs(height) < 1e6 && std::abs(width) < 1e6)) {
    throw ValueError("invalid box of " + std::to_string(height) + " x " + std::to_string(width));
  }
  const double shift = half_pixel ? 0.5 : 0;
  Roi r{.y = corners[1] * scale - shift,
        .x = corners[0] * scale - shift,
        .bin_height = height / double(rows),
        .bin_width = width / double(columns),
        .sample_rows = ratio,
        .sample_columns = ratio};
  if (ratio == 0) {
    r.sample_rows = std::max<int64_t>(0, int64_t(std::ceil(r.bin_height)));
    r.sample_columns = std::max<int64_t>(0, int64_t(std::ceil(r.bin_width)));
  }
  return r;
}

// The four pixels around a point and their bilinear weights. Points up to one pixel outside of the
// image are moved to its border; farther ones have weights of 0.
struct Corners {
  int64_t pixel[4] = {};
  double weight[4] = {};
};
Corners corners_around(double y, double x, int64_t height, int64_t width) {
  Corners c;
  if (y < -1 || y > double(height) || x < -1 || x > double(width)) return c;
  y = std::clamp(y, 0.0, double(height - 1));
  x = std::clamp(x, 0.0, double(width - 1));
  const int64_t y0 = int64_t(y);
  const int64_t x0 = int64_t(x);
  const int64_t y1 = std::min(y0 + 1, height - 1);
  const int64_t x1 = std::min(x0 + 1, width - 1);
  const double fy = y - double(y0);
  const double fx = x - double(x0);
  return {{y0 * width + x0, y0 * width + x1, y1 * width + x0, y1 * width + x1},
          {(1 - fy) * (1 - fx), (1 - fy) * fx, fy * (1 - fx), fy * fx}};
}

// Divides each box into bins, samples each bin on a grid, and takes the mean or maximum of the
// samples. Tables of pixels and weights are made here; a gather and a reduction use them.
Values roi_align(const Call& c) {
  const Tensor& x = c.x(0);
  const std::string coordinates =
      c.s("coordinate_transformation_mode", c.opset < 16 ? "output_half_pixel" : "half_pixel");
  const std::string mode = c.s("mode", "avg");
  const int64_t rows = c.i("output_height", 1);
  const int64_t columns = c.i("output_width", 1);
  const int64_t ratio = c.i("sampling_ratio", 0);
  const double scale = c.f("spatial_scale", 1);
  one_of("mode", mode, {"avg", "max"});
  one_of("coordinate_transformation_mode", coordinates, {"half_pixel", "output_half_pixel"});
  const std::vector<double> boxes = c.numbers(1, "the boxes");
  const Ints batches = c.ints(2, "the batch indices");
  const int64_t n = int64_t(batches.size());
  const int64_t height = x.ndim() == 4 ? x.shape(2) : 0;
  const int64_t width = x.ndim() == 4 ? x.shape(3) : 0;
  if (x.ndim() != 4 || x.size() == 0 || int64_t(boxes.size()) != 4 * n || rows < 1 || columns < 1 ||
      ratio < 0) {
    throw ShapeError(
        "boxes [n, 4], n batch indices and an output of at least one row and column are needed");
  }
  std::vector<Roi> rois;
  int64_t max_samples = 1;  // per bin
  for (int64_t i = 0; i < n; ++i) {
    const Roi r =
        parse_roi(boxes.data() + 4 * i, scale, coordinates == "half_pixel", rows, columns, ratio);
    max_samples = std::max(max_samples, extent(r.sample_rows, r.sample_columns, 0));
    if (batches[size_t(i)] < 0 || batches[size_t(i)] >= x.shape(0)) {
      throw IndexError("batch index " + std::to_string(batches[size_t(i)]) +
                       " is out of range for " + std::to_string(x.shape(0)));
    }
    rois.push_back(r);
  }
  const int64_t bins = extent(rows, columns, 0);
  const int64_t total = extent(extent(n, bins, 0), max_samples, 0);
  if (total > max_table_size / 4) {
    throw ValueError("too many samples: " + std::to_string(total));
  }
  std::vector<int64_t> pixels(size_t(4 * total), 0);
  std::vector<double> weights(size_t(4 * total), 0);
  std::vector<double> unused(size_t(total), 1);  // 1 for table entries that are not a sample
  for (int64_t i = 0; i < n; ++i) {
    const Roi& r = rois[size_t(i)];
    const int64_t samples = r.sample_rows * r.sample_columns;
    const int64_t image = batches[size_t(i)] * height * width;
    const double share = mode == "avg" ? 1 / double(samples) : 1;
    for (int64_t bin = 0; bin < bins; ++bin) {
      for (int64_t k = 0; k < samples; ++k) {
        const double sample_y =
            r.y + double(bin / columns) * r.bin_height +
            (double(k / r.sample_columns) + 0.5) * r.bin_height / double(r.sample_rows);
        const double sample_x =
            r.x + double(bin % columns) * r.bin_width +
            (double(k % r.sample_columns) + 0.5) * r.bin_width / double(r.sample_columns);
        const Corners near = corners_around(sample_y, sample_x, height, width);
        const size_t entry = size_t((i * bins + bin) * max_samples + k);
        unused[entry] = 0;
        for (size_t q = 0; q < 4; ++q) {
          pixels[4 * entry + q] = image + near.pixel[q];
          weights[4 * entry + q] = near.weight[q] * share;
        }
      }
    }
  }
  const Tensor flat =
      ops::reshape(ops::permute_dims(x, {0, 2, 3, 1}), {x.shape(0) * height * width, x.shape(1)});
  const Shape s{n * bins, 4 * max_samples, 1};
  const Tensor read =
      ops::take(flat, array(std::span<const int64_t>(pixels), {n * bins, 4 * max_samples}), 0) *
      cast_to(array(std::span<const double>(weights), s), x.dtype());
  Tensor y;
  if (mode == "avg") {
    y = ops::sum(read, 1);
  } else {
    const Tensor each = ops::max(ops::reshape(read, {n * bins, max_samples, 4, x.shape(1)}), 2);
    const Tensor none =
        ops::not_equal(array(std::span<const double>(unused), {n * bins, max_samples, 1}), 0.0);
    y = ops::max(ops::where(none, cast_to(Tensor(-INFINITY), x.dtype()), each), 1);
  }
  return {ops::permute_dims(ops::reshape(y, {n, rows, columns, x.shape(1)}), {0, 3, 1, 2})};
}

const Reader readers[] = {
    {{"Resize", 10, ""}, resize},
    {{"Upsample", 1, ""}, resize},
    {{"GridSample", 16, "images and volumes, the latter not cubic"}, grid_sample},
    {{"AffineGrid", 20, ""}, affine_grid},
    {{"RoiAlign", 10, "the boxes must be known while recording"}, roi_align},
};

}  // namespace

std::span<const Reader> resize_readers() { return readers; }

}  // namespace ember::onnx
