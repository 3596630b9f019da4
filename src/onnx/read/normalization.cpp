// Normalization, dropout, losses.
#include "src/graph/graph.h"
#include "src/onnx/read/read.h"
#include "src/ops/layouts.h"

namespace ember::onnx {
namespace {

Ints axes_range(int64_t first, int64_t end) {
  Ints axes;
  for (int64_t d = first; d < end; ++d) axes.push_back(d);
  return axes;
}
Tensor widen_16bit(const Tensor& x) {
  return x.dtype() == DType::float16 || x.dtype() == DType::bfloat16 ? x.astype(DType::float32) : x;
}

Values batch_norm(const Call& c) {
  const Tensor& x = c.x(0);
  const double eps = c.f("epsilon", 1e-5);
  const double momentum = c.f("momentum", 0.9);
  const bool each_place = c.opset < 9 && c.i("spatial", 1) == 0;
  // Before opset 7 a flag has the role of the number of outputs.
  const bool training =
      c.flag("training_mode") || (c.opset < 7 && !c.flag("is_test") && c.wants(1));
  const DType t = x.dtype();
  const auto fit = [&](size_t i) { return cast_to(c.x(i), widen_16bit(x).dtype()); };
  if (each_place) {  // mean and variance per element of a sample
    if (training) c.refuse("training with a mean for each position (spatial=0)");
    return {cast_to((widen_16bit(x) - fit(3)) * ops::rsqrt(fit(4) + eps) * fit(1) + fit(2), t)};
  }
  if (!training) {
    return {cast_to(ops::batch_norm(widen_16bit(x), fit(3), fit(4), fit(1), fit(2), 1, eps), t)};
  }
  Ints axes{0};
  for (int64_t d = 2; d < x.ndim(); ++d) axes.push_back(d);
  const Tensor mean = ops::mean(widen_16bit(x), axes);
  const Tensor variance = ops::var(widen_16bit(x), axes);
  const auto running = [&](size_t i, const Tensor& now) {
    return cast_to(fit(i) * momentum + now * (1 - momentum), c.x(i).dtype());
  };
  return {cast_to(ops::batch_norm(widen_16bit(x), mean, variance, fit(1), fit(2), 1, eps), t),
          running(3, mean), running(4, variance)};
}

Values layer_norm(const Call& c) {
  const Tensor& x = c.x(0);
  const int64_t axis = c.axis(c.i("axis", -1), x.ndim());
  const double eps = c.f("epsilon", 1e-5);
  c.ignore("stash_type");  // 16-bit floats are always summed in float32
  const Ints axes = axes_range(axis, x.ndim());
  Shape kept(x.shape().begin() + axis, x.shape().end());
  const auto spread = [&](size_t i) {
    return c.x(i).shape() == kept ? c.x(i) : ops::broadcast_to(c.x(i), kept);
  };
  const Tensor y =
      ops::layer_norm(x, spread(1), c.has(2) ? std::optional(spread(2)) : std::nullopt, axes, eps);
  if (!c.wants(1) && !c.wants(2)) return {y};
  const Tensor mean = ops::mean(widen_16bit(x), axes, true);
  const Tensor inverse = ops::rsqrt(ops::var(widen_16bit(x), axes, 0, true) + eps);
  return {y, mean, inverse};
}
Values rms_norm(const Call& c) {
  const Tensor& x = c.x(0);
  const int64_t axis = c.axis(c.i("axis", -1), x.ndim());
  const double eps = c.f("epsilon", 1e-5);
  c.ignore("stash_type");
  Shape kept(x.shape().begin() + axis, x.shape().end());
  const Tensor& scale = c.x(1);
  if (scale.dtype() != x.dtype()) {
    return {
        cast_to(ops::rms_norm(widen_16bit(x), {}, axes_range(axis, x.ndim()), eps), scale.dtype()) *
        scale};
  }
  return {ops::rms_norm(x, scale.shape() == kept ? scale : ops::broadcast_to(scale, kept),
                        axes_range(axis, x.ndim()), eps)};
}
Values simplified_layer_norm(const Call& c) {
  Values out = rms_norm(c);
  if (!c.wants(1)) return out;
  const Tensor& x = c.x(0);
  const Ints axes = axes_range(c.axis(c.i("axis", -1), x.ndim()), x.ndim());
  out.push_back(
      ops::rsqrt(ops::mean(ops::square(widen_16bit(x)), axes, true) + c.f("epsilon", 1e-5)));
  return out;
}
Values group_norm(const Call& c) {
  const Tensor& x = c.x(0);
  const int64_t groups = c.i("num_groups");
  const double eps = c.f("epsilon", 1e-5);
  c.ignore("stash_type");
  if (x.ndim() < 2 || groups < 1 || x.shape(1) % groups) {
    throw ShapeError(std::to_string(groups) +
                     " groups do not divide the channels of an input of shape " +
                     to_string(x.shape()));
  }
  const auto each = [&](size_t i) {  // before opset 21 there is one number per group
    return c.opset < 21 ? ops::repeat(c.x(i), x.shape(1) / groups, 0) : c.x(i);
  };
  return {ops::group_norm(x, groups, each(1), each(2), eps)};
}
Values instance_norm(const Call& c) {
  return {ops::instance_norm(c.x(0), c.x(1), c.x(2), c.f("epsilon", 1e-5))};
}

// Divides by a norm over neighbouring channels.
Values local_response(const Call& c) {
  const Tensor& x = c.x(0);
  const int64_t size = c.i("size");
  const int64_t channels = x.ndim() > 1 ? x.shape(1) : 0;
  const double alpha = c.f("alpha", 1e-4);
  const double beta = c.f("beta", 0.75);
  const double bias = c.f("bias", 1);
  if (x.ndim() < 3 || size < 1) {
    throw ValueError("the input must have channels, and size must be at least 1");
  }
  if (size > 1 << 20) throw ValueError("a size of " + std::to_string(size) + " is too large");
  int64_t rest = 1;
  for (int64_t d = 2; d < x.ndim(); ++d) rest = extent(rest, x.shape(d), 0);
  const Tensor squares = ops::reshape(ops::square(widen_16bit(x)), {x.shape(0), 1, channels, rest});
  const PoolAttr window{
      Mode::add, {size, 1}, {1, 1}, {(size - 1) / 2, 0}, {size - 1 - (size - 1) / 2, 0},
      {1, 1},    false};
  const Tensor sums =
      x.size() ? ops::reshape(apply_to(OpId::pool, window, squares), x.shape()) : widen_16bit(x);
  return {
      cast_to(widen_16bit(x) / ops::pow(sums * (alpha / double(size)) + bias, beta), x.dtype())};
}
Values lp_norm(const Call& c) {
  const Tensor& x = c.x(0);
  const int64_t p = c.i("p", 2);
  const int64_t axis = c.axis(c.i("axis", -1), x.ndim());
  if (p != 1 && p != 2) throw ValueError("p must be 1 or 2, not " + std::to_string(p));
  const Tensor length = p == 1 ? ops::sum(ops::abs(x), axis, true) : ops::reduce_l2(x, axis, true);
  return {ops::where(ops::equal(length, 0.0), ops::zeros_like(x), x / length)};
}
Values mean_variance(const Call& c) {
  const Tensor& x = c.x(0);
  const Ints axes = c.list_of("axes").value_or(Ints{0, 2, 3});
  const Tensor centred = widen_16bit(x) - ops::mean(widen_16bit(x), axes, true);
  return {cast_to(centred / (ops::sqrt(ops::mean(ops::square(centred), axes, true)) + 1e-9),
                  x.dtype())};
}

Values dropout(const Call& c) {
  c.ignore("seed");
  if (c.opset < 7) c.ignore("is_test");  // a model is never trained here
  double ratio = c.f("ratio", 0.5);
  if (c.has(1)) ratio = c.number(1, "the ratio");
  if (c.has(2) && c.integer(2, "training_mode") && ratio != 0) c.refuse("dropout while training");
  return {c.x(0), ops::ones(c.x(0).shape(), DType::bool_)};
}

// The negative log-likelihood of the target class, weighted. Classes are axis 1.
Tensor likelihood(const Call& c, const Tensor& logs, const Tensor& target,
                  const std::optional<Tensor>& weights) {
  const std::string reduction = c.s("reduction", "mean");
  one_of("reduction", reduction, {"none", "mean", "sum"});
  const auto* ignored = c.attribute("ignore_index", proto::Attribute::int_);
  if (logs.ndim() < 2 || target.ndim() != logs.ndim() - 1) {
    throw ShapeError("scores of shape " + to_string(logs.shape()) + " and labels of shape " +
                     to_string(target.shape()) + " do not fit");
  }
  Tensor at = cast_to(target, DType::int64);
  Tensor weight = ops::ones(target.shape(), logs.dtype());
  Tensor counts;
  if (ignored) {
    counts = ops::not_equal(at, ignored->i);
    at = ops::where(counts, at, ops::zeros_like(at));
  }
  if (weights) weight = ops::take(*weights, at, 0);
  if (ignored) weight = ops::where(counts, weight, ops::zeros_like(weight));
  const Tensor loss =
      -ops::squeeze(ops::take_along_axis(logs, ops::expand_dims(at, {1}), 1), 1) * weight;
  if (reduction == "none") return loss;
  const Tensor sum = ops::sum(loss);
  return reduction == "sum" ? sum : sum / ops::sum(weight);
}
Values log_likelihood(const Call& c) { return {likelihood(c, c.x(0), c.x(1), c.maybe(2))}; }
Values cross_entropy(const Call& c) {
  const Tensor logs = ops::log_softmax(c.x(0), 1);
  return {likelihood(c, logs, c.x(1), c.maybe(2)), logs};
}

const Reader readers[] = {
    {{"BatchNormalization", 1, ""}, batch_norm},
    {{"LayerNormalization", 1, "before opset 17 as ONNX Runtime writes it"}, layer_norm},
    {{"RMSNormalization", 23, ""}, rms_norm},
    {{"SimplifiedLayerNormalization", 1, "as ONNX Runtime writes it"}, simplified_layer_norm},
    {{"GroupNormalization", 18, ""}, group_norm},
    {{"InstanceNormalization", 1, ""}, instance_norm},
    {{"LRN", 1, ""}, local_response},
    {{"LpNormalization", 1, ""}, lp_norm},
    {{"MeanVarianceNormalization", 9, ""}, mean_variance},
    {{"Dropout", 1, "not while training"}, dropout},
    {{"NegativeLogLikelihoodLoss", 12, ""}, log_likelihood},
    {{"SoftmaxCrossEntropyLoss", 12, ""}, cross_entropy},
};

}  // namespace

std::span<const Reader> normalization_readers() { return readers; }

}  // namespace ember::onnx
