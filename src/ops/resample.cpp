// Resampling, one axis after the other, with each output a weighted sum of a few inputs; and
// sampling at the positions of a grid.
#include <cmath>

#include "src/ops/layouts.h"

namespace ember {
namespace {

// The indices and weights of the inputs that each output along an axis reads: `taps` per output,
// stored tap by tap.
struct Taps {
  int64_t out = 0, taps = 0;
  std::vector<int64_t> places;
  std::vector<double> weights;
};

double cubic(double t, double a) {
  t = std::abs(t);
  if (t < 1) return ((a + 2) * t - (a + 3)) * t * t + 1;
  return t < 2 ? ((t - 5) * t + 8) * t * a - 4 * a : 0;
}

constexpr int64_t most_taps = int64_t(1) << 30;  // the table of an axis is made on the host

Taps taps_of(int64_t in, int64_t out, double ratio, const ops::ResampleOptions& o) {
  const bool linear = o.mode == "linear";
  const bool nearest = o.mode == "nearest";
  if (o.align_corners) ratio = out > 1 ? double(in - 1) / double(out - 1) : 0;
  const double stretch = o.antialias ? std::max(ratio, 1.0) : 1;
  const double support = (linear ? 1 : 2) * stretch;
  if (!(support < double(most_taps))) {
    throw ValueError("the axis shrinks too much: by " + std::to_string(ratio));
  }
  Taps t{.out = out,
         .taps = nearest       ? 1
                 : o.antialias ? std::min(in, 2 * int64_t(std::ceil(support)) + 1)
                 : linear      ? 2
                               : 4};
  if (out > most_taps / t.taps) {
    throw ValueError("an axis of " + std::to_string(out) + " elements with " +
                     std::to_string(t.taps) + " terms each is too long to resample");
  }
  t.places.resize(size_t(out * t.taps));
  t.weights.resize(size_t(out * t.taps), 1);
  const double last = double(in - 1);
  std::vector<double> w(size_t(t.taps));
  for (int64_t i = 0; i < out; ++i) {
    const double centre = (double(i) + 0.5) * ratio;
    const double corner = double(i) * ratio;
    double first = 0;
    double sum = 1;
    if (nearest) {
      first = o.align_corners ? std::floor(corner + 0.5) : std::floor(centre);
      w[0] = 1;
    } else if (o.antialias) {  // as wide as the step, and only over what is there
      first =
          std::min(std::max(0.0, std::floor(centre - support + 0.5)), last + 1 - double(t.taps));
      sum = 0;
      for (int64_t k = 0; k < t.taps; ++k) {
        const double at = (first + double(k) + 0.5 - centre) / stretch;
        sum += w[size_t(k)] = linear ? std::max(0.0, 1 - std::abs(at)) : cubic(at, -0.5);
      }
      if (sum == 0) sum = 1;
    } else {
      const double at = o.align_corners ? corner
                        : linear        ? std::max(0.0, centre - 0.5)
                                        : centre - 0.5;
      first = std::floor(at);
      const double part = at - first;
      if (linear) {
        w[0] = 1 - part;
        w[1] = part;
      } else {
        for (int k = 0; k < 4; ++k) w[size_t(k)] = cubic(part - double(k - 1), -0.75);
      }
      if (!linear) first -= 1;
    }
    for (int64_t k = 0; k < t.taps; ++k) {
      const size_t to = size_t(k * out + i);
      t.places[to] = int64_t(std::clamp(first + double(k), 0.0, last));
      t.weights[to] = w[size_t(k)] / sum;
    }
  }
  return t;
}

// Reshapes [n] to broadcast along one axis of x.
Tensor along(const Tensor& v, int64_t axis, int64_t ndim) {
  Shape s(size_t(ndim - axis), 1);
  s[0] = v.size();
  return ops::reshape(v, s);
}

Tensor resample_axis(const Tensor& x, int64_t axis, const Taps& t, bool nearest) {
  const Tensor places = array(std::span<const int64_t>(t.places), {t.taps, t.out});
  if (nearest) return ops::take(x, ops::flatten(places), axis);
  const Tensor weights =
      cast_to(array(std::span<const double>(t.weights), {t.taps, t.out}), x.dtype());
  if (t.taps > 8) {
    Shape s(size_t(x.ndim() - axis) + 1, 1);
    s[0] = t.taps;
    s[1] = t.out;
    return ops::sum(ops::take(x, places, axis) * ops::reshape(weights, s), axis);
  }
  Tensor sum;
  for (int64_t k = 0; k < t.taps; ++k) {
    const Tensor at = ops::reshape(sliced(places, 0, {k, 1, 1}), {t.out});
    const Tensor w = ops::reshape(sliced(weights, 0, {k, 1, 1}), {t.out});
    const Tensor term = ops::take(x, at, axis) * along(w, axis, x.ndim());
    sum = sum.defined() ? sum + term : term;
  }
  return sum;
}

// Maps grid coordinates in [-1, 1] to positions along an axis of n elements.
Tensor places_of(const Tensor& g, int64_t n, bool corners) {
  return corners ? (g + 1.0) * (double(n - 1) / 2) : ((g + 1.0) * double(n) - 1.0) * 0.5;
}

Tensor held(const Tensor& at, int64_t n) {
  return ops::clip(at, Tensor(0.0), Tensor(double(n - 1)));
}

// Moves positions outside the axis to the border or mirrors them at it.
Tensor inside(const Tensor& at, int64_t n, std::string_view mode, bool corners) {
  if (mode == "zeros") return at;
  if (mode == "border") return held(at, n);
  const double low = corners ? 0 : -0.5;
  const double span = corners ? double(n - 1) : double(n);
  if (span == 0) return at * 0.0;
  const Tensor c = ops::abs(at - low);
  const Tensor rest = ops::fmod(c, span);
  const Tensor odd = ops::fmod(ops::floor(c / span), 2.0);
  return held(ops::where(odd == 0.0, rest + low, Tensor(span + low) - rest), n);
}

// Images [n, c, h * w] read at integer positions [n, 1, points] and multiplied by a weight; 0
// outside for any weight.
struct Images {
  Tensor flat;
  int64_t h, w;
  Tensor at(const Tensor& y, const Tensor& x, const Tensor& weight) const {
    const Tensor there = (y >= 0.0) & (y <= double(h - 1)) & (x >= 0.0) & (x <= double(w - 1));
    const Tensor none = like(y, 0);
    const Tensor row = cast_to(ops::where(there, y, none), DType::int64);
    const Tensor column = cast_to(ops::where(there, x, none), DType::int64);
    return ops::where(there, ops::take_along_axis(flat, row * w + column, 2) * weight,
                      like(flat, 0));
  }
};

Tensor cubic_weight(const Tensor& part, int tap) {
  const double a = -0.75;
  const Tensor t = ops::abs(part - double(tap - 1));
  if (tap == 1 || tap == 2) return ((t * (a + 2)) - (a + 3)) * t * t + 1.0;
  return ((t - 5.0) * t + 8.0) * t * a - 4 * a;
}

}  // namespace

namespace ops {

Tensor resample(const Tensor& given, const ResampleOptions& o) {
  return named("resample", given, [&]() -> Tensor {
    one_of("mode", o.mode, {"nearest", "linear", "cubic"});
    if (o.scales.has_value() == o.sizes.has_value()) {
      throw ValueError("either scales or sizes must be given");
    }
    if (o.antialias && o.mode == "nearest") {
      throw ValueError("antialias requires mode linear or cubic, not nearest");
    }
    const int64_t n = int64_t(o.scales ? o.scales->size() : o.sizes->size());
    if (n > given.ndim()) {
      throw ShapeError(std::to_string(n) + " axes to resample in " + std::to_string(given.ndim()) +
                       " dimensions");
    }
    Ints axes;
    for (int64_t i = 0; i < n; ++i) axes.push_back(given.ndim() - n + i);
    if (o.axes) axes = normal_axes(*o.axes, given.ndim());
    if (int64_t(axes.size()) != n) {
      throw ShapeError(std::to_string(n) + " scales or sizes for " + std::to_string(axes.size()) +
                       " axes");
    }

    Shape shape = given.shape();
    std::vector<double> ratios;
    for (size_t i = 0; i < axes.size(); ++i) {
      int64_t& d = shape[size_t(axes[i])];
      const int64_t in = d;
      if (o.sizes) {
        d = (*o.sizes)[i];
      } else {
        const double scale = (*o.scales)[i];
        const double length = std::floor(double(in) * scale);
        if (!(scale > 0) || !std::isfinite(scale)) {
          throw ValueError("a scale must be positive, not " + std::to_string(scale));
        }
        if (!(length < 0x1p60)) {
          throw ShapeError("an axis of " + std::to_string(in) +
                           " elements is too long for the scale " + std::to_string(scale));
        }
        d = int64_t(length);
      }
      if (d < 1 && in > 0) {
        throw ValueError("axis " + std::to_string(axes[i]) + " would have " + std::to_string(d) +
                         " elements");
      }
      if (d != 0 && in == 0) throw ShapeError("an axis of length 0 cannot be resampled");
      ratios.push_back(o.sizes ? double(in) / double(d) : 1 / (*o.scales)[i]);
    }
    const bool nearest = o.mode == "nearest";
    const DType t = nearest ? given.dtype() : float_of(given.dtype());
    check_size(shape, t);
    if (size_of(std::span<const int64_t>(shape)) == 0) return zeros(shape, t);
    Tensor x = nearest ? given : widen(to_float(given));
    for (size_t i = 0; i < axes.size(); ++i) {
      const int64_t in = x.shape(axes[i]);
      const int64_t out = shape[size_t(axes[i])];
      if (in == out && ratios[i] == 1) continue;
      x = resample_axis(x, axes[i], taps_of(in, out, ratios[i], o), nearest);
    }
    return cast_to(x, t);
  });
}

Tensor grid_sample(const Tensor& x, const Tensor& grid, std::string_view mode,
                   std::string_view padding_mode, bool align_corners) {
  const Tensor given[] = {x, grid};
  return named("grid_sample", "x, grid", given, [&]() -> Tensor {
    one_of("mode", mode, {"bilinear", "nearest", "bicubic"});
    one_of("padding_mode", padding_mode, {"zeros", "border", "reflection"});
    if (x.ndim() != 4) {
      throw ShapeError("the input must have 4 dimensions, not " + std::to_string(x.ndim()));
    }
    if (grid.ndim() != 4 || grid.shape(3) != 2) {
      throw ShapeError("the grid must have shape [batch, height, width, 2]");
    }
    if (grid.shape(0) != x.shape(0)) {
      throw ShapeError("the batches differ: " + std::to_string(x.shape(0)) + " and " +
                       std::to_string(grid.shape(0)));
    }
    if (is_complex(x.dtype()) || is_complex(grid.dtype())) {
      throw DTypeError("takes real dtypes, not complex numbers");
    }
    Tensor in[] = {to_float(x), to_float(grid)};
    const DType t = result_dtype(in);
    promote_inputs(in, t);
    const int64_t n = x.shape(0);
    const int64_t c = x.shape(1);
    const int64_t h = x.shape(2);
    const int64_t w = x.shape(3);
    const int64_t rows = grid.shape(1);
    const int64_t columns = grid.shape(2);
    const Shape shape{n, c, rows, columns};
    if (h == 0 || w == 0) {
      throw ShapeError("an image of " + std::to_string(h) + " x " + std::to_string(w) +
                       " is empty");
    }
    check_size(shape, t);
    if (size_of(std::span<const int64_t>(shape)) == 0) return zeros(shape, t);

    const Images images{reshape(widen(in[0]), {n, c, h * w}), h, w};
    const Tensor g = widen(in[1]);
    const auto coordinate = [&](int64_t k, int64_t size) {
      return places_of(reshape(sliced(g, 3, {k, 1, 1}), {n, 1, rows * columns}), size,
                       align_corners);
    };
    Tensor ix = coordinate(0, w);
    Tensor iy = coordinate(1, h);
    Tensor sum;
    if (mode == "bicubic") {  // each of the 16 places is moved inside by itself
      const Tensor x0 = floor(ix);
      const Tensor y0 = floor(iy);
      const Tensor px = ix - x0;
      const Tensor py = iy - y0;
      for (int j = 0; j < 4; ++j) {
        for (int i = 0; i < 4; ++i) {
          const Tensor y = inside(y0 + double(j - 1), h, padding_mode, align_corners);
          const Tensor x = inside(x0 + double(i - 1), w, padding_mode, align_corners);
          const Tensor term = images.at(y, x, cubic_weight(px, i) * cubic_weight(py, j));
          sum = sum.defined() ? sum + term : term;
        }
      }
    } else {
      ix = inside(ix, w, padding_mode, align_corners);
      iy = inside(iy, h, padding_mode, align_corners);
      if (mode == "nearest") {
        sum = images.at(round(iy), round(ix), like(g, 1));
      } else {
        const Tensor x0 = floor(ix);
        const Tensor y0 = floor(iy);
        const Tensor px = ix - x0;
        const Tensor py = iy - y0;
        const Tensor qx = Tensor(1.0) - px;
        const Tensor qy = Tensor(1.0) - py;
        sum = images.at(y0, x0, qx * qy) + images.at(y0, x0 + 1.0, px * qy) +
              images.at(y0 + 1.0, x0, qx * py) + images.at(y0 + 1.0, x0 + 1.0, px * py);
      }
    }
    return cast_to(reshape(sum, shape), t);
  });
}

}  // namespace ops
}  // namespace ember
