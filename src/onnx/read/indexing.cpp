// Gathering, scattering, and operators whose results depend on values: nonzero, unique, non-maximum
// suppression.
#include <algorithm>
#include <numeric>

#include "src/graph/graph.h"
#include "src/onnx/read/read.h"

namespace ember::onnx {
namespace {

Tensor index(const Tensor& t) {
  if (!is_integer(t.dtype())) {
    throw DTypeError("indices must be integers, not " + std::string(name(t.dtype())));
  }
  return cast_to(t, DType::int64);
}
Tensor counting(int64_t n) { return ops::arange(0, double(n), 1, DType::int64); }

Values gather(const Call& c) {
  return {ops::take(c.x(0), index(c.x(1)), c.axis(c.i("axis", 0), c.x(0).ndim()))};
}

Values gather_elements(const Call& c) {
  const Tensor& x = c.x(0);
  const Tensor& at = c.x(1);
  const int64_t axis = c.axis(c.i("axis", 0), x.ndim());
  if (at.ndim() != x.ndim()) {
    throw ShapeError("the indices have " + std::to_string(at.ndim()) + " dimensions, the data " +
                     std::to_string(x.ndim()));
  }
  Ints starts;
  Ints stops;
  Ints axes;
  for (int64_t d = 0; d < x.ndim(); ++d) {
    if (d != axis && at.shape(d) < x.shape(d)) {
      starts.push_back(0);
      stops.push_back(at.shape(d));
      axes.push_back(d);
    } else if (d != axis && at.shape(d) > x.shape(d)) {
      throw ShapeError("indices of shape " + to_string(at.shape()) + " exceed the data's shape " +
                       to_string(x.shape()));
    }
  }
  return {ops::take_along_axis(axes.empty() ? x : ops::slice(x, starts, stops, {}, axes), index(at),
                               axis)};
}

Values gather_nd(const Call& c) {
  const Tensor& x = c.x(0);
  Tensor at = index(c.x(1));
  const int64_t batch = c.i("batch_dims", 0);
  if (batch < 0 || batch >= std::max<int64_t>(1, std::min(x.ndim(), at.ndim()))) {
    throw ValueError("batch_dims must be less than the dimensions of data and indices, not " +
                     std::to_string(batch));
  }
  if (batch) {  // prepends the batch index to each index
    Tensors parts;
    Shape s = at.shape();
    s.back() = 1;
    for (int64_t d = 0; d < batch; ++d) {
      if (x.shape(d) != at.shape(d)) throw ShapeError("the batches of data and indices differ");
      Shape one(s.size(), 1);
      one[size_t(d)] = s[size_t(d)];
      parts.push_back(ops::broadcast_to(ops::reshape(counting(s[size_t(d)]), one), s));
    }
    parts.push_back(at);
    at = ops::concat(parts, -1);
  }
  return {ops::gather_nd(x, at)};
}

std::string reduction(const Call& c) {
  const std::string r = c.s("reduction", "none");
  return r == "none" ? "set" : r;
}
Values scatter_elements(const Call& c) {
  const Tensor& x = c.x(0);
  return {ops::scatter_elements(x, index(c.x(1)), c.x(2), c.axis(c.i("axis", 0), x.ndim()),
                                reduction(c))};
}
Values scatter_nd(const Call& c) {
  return {ops::scatter_nd(c.x(0), index(c.x(1)), c.x(2), reduction(c))};
}

// Each sample is updated at its own position along the axis.
Values tensor_scatter(const Call& c) {
  const Tensor& x = c.x(0);
  const Tensor& update = c.x(1);
  const std::string mode = c.s("mode", "linear");
  if (mode != "linear" && mode != "circular") {
    throw ValueError("mode must be linear or circular, not '" + mode.substr(0, 40) + "'");
  }
  const int64_t axis = c.axis(c.i("axis", -2), x.ndim());
  if (axis == 0 || update.ndim() != x.ndim()) {
    throw ShapeError(
        "the axis must not be the batch axis, and the update must have the dimensions of the "
        "cache");
  }
  Shape steps(size_t(x.ndim()), 1);
  Shape samples(size_t(x.ndim()), 1);
  steps[size_t(axis)] = update.shape(axis);
  samples[0] = x.shape(0);
  Tensor at = ops::reshape(counting(update.shape(axis)), steps);
  if (c.has(2)) at = at + ops::reshape(index(c.x(2)), samples);
  if (mode == "circular") at = ops::remainder(at, x.shape(axis));
  return {ops::scatter_elements(x, ops::broadcast_to(at, update.shape()), update, axis)};
}

Values one_hot(const Call& c) {
  const Tensor at = cast_to(c.x(0), DType::int64);
  const Tensor& values = c.x(2);                   // floats are allowed
  const double length = c.number(1, "the depth");  // of any numeric type
  if (!(length >= 0 && length < 0x1p40))
    throw ValueError("invalid depth " + std::to_string(length));
  const int64_t depth = int64_t(length);
  const int64_t axis = c.i("axis", -1);
  if (values.shape() != Shape{2}) {
    throw ShapeError("the values must be two, not of shape " + to_string(values.shape()));
  }
  const Tensor hot =
      ops::one_hot(ops::where(ops::less(at, 0), at + depth, at), depth, axis, DType::bool_);
  const auto value = [&](int64_t i) { return ops::reshape(ops::slice(values, {i}, {i + 1}), {}); };
  return {ops::where(hot, value(1), value(0))};
}

Values reverse_sequence(const Call& c) {
  const Tensor& x = c.x(0);
  const Tensor lengths = index(c.x(1));
  const int64_t time = c.i("time_axis", 0);
  const int64_t batch = c.i("batch_axis", 1);
  if (x.ndim() < 2 || std::min(time, batch) != 0 || std::max(time, batch) != 1) {
    throw ValueError("time and batch must be the first two axes");
  }
  const int64_t n = x.shape(time);
  const int64_t samples = x.shape(batch);
  const Tensor y = time == 0 ? x : ops::swapaxes(x, 0, 1);
  const Tensor t = ops::reshape(counting(n), {n, 1});
  const Tensor len = ops::reshape(lengths, {1, samples});
  Shape s(size_t(x.ndim()), 1);
  s[0] = n;
  s[1] = samples;
  const Tensor r =
      ops::take_along_axis(y, ops::reshape(ops::where(ops::less(t, len), len - t - 1, t), s), 0);
  return {time == 0 ? r : ops::swapaxes(r, 0, 1)};
}

Values compress(const Call& c) {
  const auto* axis = c.attribute("axis", proto::Attribute::int_);
  const Ints condition = c.ints(1, "the condition");
  std::vector<int64_t> places;
  for (size_t i = 0; i < condition.size(); ++i) {
    if (condition[i]) places.push_back(int64_t(i));
  }
  const Tensor at = array(std::span<const int64_t>(places), {int64_t(places.size())});
  return {axis ? ops::take(c.x(0), at, c.axis(axis->i, c.x(0).ndim()))
               : ops::take(ops::flatten(c.x(0)), at, 0)};
}

Values nonzero(const Call& c) {
  const Tensor& x = c.known(0, "which elements are not zero");
  const EngineScope native(native_engine);
  return {ops::stack(ops::nonzero(x.ndim() ? x : ops::reshape(x, {1})), 0)};
}

// Rows are compared element by element; equal rows are represented by the first.
Values unique(const Call& c) {
  const auto* given = c.attribute("axis", proto::Attribute::int_);
  const bool sorted = c.flag("sorted", true);
  const Tensor& known = c.known(0, "which elements are alike");
  const EngineScope native(native_engine);
  const int64_t axis = given ? c.axis(given->i, known.ndim()) : 0;
  const Tensor x = given ? ops::moveaxis(known, {axis}, {0}) : ops::flatten(known);
  const Tensor rows = ops::copy(x).eval();
  const int64_t n = x.shape(0);
  const int64_t each = n ? x.size() / n : 0;
  std::vector<int64_t> order(static_cast<size_t>(n));
  std::vector<int64_t> first;
  std::vector<int64_t> inverse(static_cast<size_t>(n));
  std::vector<int64_t> counts;
  std::vector<int64_t> rank;
  std::iota(order.begin(), order.end(), 0);
  visit_dtype(x.dtype(), [&]<class T>(T) {
    if constexpr (std::is_same_v<T, std::complex<float>> ||
                  std::is_same_v<T, std::complex<double>>) {
      throw DTypeError("complex numbers have no order");
    } else {
      const T* p = static_cast<const T*>(rows.data_ptr());
      const auto compare = [&](int64_t a, int64_t b) {
        // NaN sorts last.
        return std::lexicographical_compare(
            p + a * each, p + (a + 1) * each, p + b * each, p + (b + 1) * each,
            [](const T& u, const T& v) { return u < v || (v != v && u == u); });
      };
      std::stable_sort(order.begin(), order.end(), compare);
      for (int64_t i = 0; i < n; ++i) {
        if (i == 0 || compare(order[size_t(i - 1)], order[size_t(i)])) {
          first.push_back(order[size_t(i)]);
          counts.push_back(0);
        }
        inverse[size_t(order[size_t(i)])] = int64_t(first.size()) - 1;
        ++counts.back();
      }
    }
  });
  std::vector<int64_t> by(first.size());
  std::vector<int64_t> place(first.size());
  std::iota(by.begin(), by.end(), 0);
  if (!sorted) {
    std::sort(by.begin(), by.end(),
              [&](int64_t a, int64_t b) { return first[size_t(a)] < first[size_t(b)]; });
  }
  for (size_t i = 0; i < by.size(); ++i) place[size_t(by[i])] = int64_t(i);
  const Tensor where = array(by);
  for (int64_t& i : inverse) i = place[size_t(i)];
  const Tensor at = ops::take(array(first), where, 0);
  const Tensor values = ops::take(x, at, 0);
  return {given ? ops::moveaxis(values, {0}, {axis}) : values, at, array(inverse),
          ops::take(array(counts), where, 0)};
}

// Greedy per class: selects the best remaining box and removes those that overlap it too much.
Values suppress(const Call& c) {
  const bool centre = c.flag("center_point_box");
  const int64_t most = c.has(2) ? c.integer(2, "max_output_boxes_per_class") : 0;
  const double overlap = c.has(3) ? c.number(3, "iou_threshold") : 0;
  const double least =
      c.has(4) ? c.number(4, "score_threshold") : -std::numeric_limits<double>::infinity();
  if (c.x(0).ndim() != 3 || c.x(1).ndim() != 3 || c.x(0).shape(2) != 4 ||
      c.x(0).shape(0) != c.x(1).shape(0) || c.x(0).shape(1) != c.x(1).shape(2)) {
    throw ShapeError("boxes must be [batch, boxes, 4] and scores [batch, classes, boxes], not " +
                     to_string(c.x(0).shape()) + " and " + to_string(c.x(1).shape()));
  }
  const int64_t batches = c.x(0).shape(0);
  const int64_t boxes = c.x(0).shape(1);
  const int64_t classes = c.x(1).shape(1);
  const std::vector<double> corners = c.numbers(0, "the boxes");
  const std::vector<double> scores = c.numbers(1, "the scores");
  struct Box {
    double y1, x1, y2, x2;
  };
  const auto box = [&](int64_t b, int64_t i) -> Box {
    const double* p = corners.data() + 4 * (b * boxes + i);
    if (centre) return {p[1] - p[3] / 2, p[0] - p[2] / 2, p[1] + p[3] / 2, p[0] + p[2] / 2};
    return {std::min(p[0], p[2]), std::min(p[1], p[3]), std::max(p[0], p[2]), std::max(p[1], p[3])};
  };
  const auto iou = [](const Box& a, const Box& b) {
    const double h = std::max(0.0, std::min(a.y2, b.y2) - std::max(a.y1, b.y1));
    const double w = std::max(0.0, std::min(a.x2, b.x2) - std::max(a.x1, b.x1));
    const double both = h * w;
    const double all = (a.y2 - a.y1) * (a.x2 - a.x1) + (b.y2 - b.y1) * (b.x2 - b.x1) - both;
    return all > 0 ? both / all : 0;
  };
  std::vector<int64_t> out;
  for (int64_t b = 0; b < batches; ++b) {
    for (int64_t k = 0; k < classes; ++k) {
      const double* s = scores.data() + (b * classes + k) * boxes;
      std::vector<int64_t> order;
      for (int64_t i = 0; i < boxes; ++i) {
        if (s[i] > least) order.push_back(i);
      }
      std::stable_sort(order.begin(), order.end(),
                       [&](int64_t i, int64_t j) { return s[i] > s[j]; });
      std::vector<int64_t> kept;
      for (const int64_t i : order) {
        if (int64_t(kept.size()) >= most) break;
        if (std::any_of(kept.begin(), kept.end(),
                        [&](int64_t j) { return iou(box(b, i), box(b, j)) > overlap; })) {
          continue;
        }
        kept.push_back(i);
        out.insert(out.end(), {b, k, i});
      }
    }
  }
  const EngineScope native(native_engine);
  return {array(std::span<const int64_t>(out), {int64_t(out.size() / 3), 3})};
}

const char* const while_recording = "the value must be known while recording";
const Reader readers[] = {
    {{"Gather", 1, ""}, gather, moves_strings},
    {{"GatherElements", 11, ""}, gather_elements, moves_strings},
    {{"GatherND", 11, ""}, gather_nd, moves_strings},
    {{"Scatter", 9, ""}, scatter_elements},
    {{"ScatterElements", 11, ""}, scatter_elements},
    {{"ScatterND", 11, ""}, scatter_nd},
    {{"TensorScatter", 24, ""}, tensor_scatter},
    {{"OneHot", 9, ""}, one_hot},
    {{"ReverseSequence", 10, ""}, reverse_sequence},
    {{"Compress", 9, "the condition must be known while recording"}, compress},
    {{"NonZero", 9, while_recording}, nonzero},
    {{"Unique", 11, while_recording}, unique},
    {{"NonMaxSuppression", 10, while_recording}, suppress},
};

}  // namespace

std::span<const Reader> indexing_readers() { return readers; }

}  // namespace ember::onnx
