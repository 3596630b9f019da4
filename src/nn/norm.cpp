// Normalization layers and running statistics.
#include "ember/nn/norm.h"

#include "ember/grad.h"
#include "src/nn/common.h"

namespace ember::nn {
namespace {

Axes last_axes(std::string_view layer, const Tensor& x, const Ints& shape) {
  const size_t n = shape.size();
  NEED_SHAPE(
      size_t(x.ndim()) >= n && std::equal(shape.begin(), shape.end(), x.shape().end() - n), layer,
      "expects a shape that ends with " + to_string(shape) + ", not " + to_string(x.shape()));
  Ints axes;
  for (size_t i = 0; i < n; ++i) axes.push_back(x.ndim() - int64_t(n - i));
  return axes;
}
void check_shape(std::string_view layer, const Ints& shape) {
  NEED(!shape.empty(), layer, "the shape to normalize must have at least one axis");
  for (int64_t d : shape) {
    NEED(d > 0, layer, "the shape to normalize must be positive, not " + to_string(shape));
  }
}
Ints axes_from(const Tensor& x, int64_t first) {
  Ints axes;
  for (int64_t d = first; d < x.ndim(); ++d) axes.push_back(d);
  return axes;
}
// 16-bit statistics are accumulated in float32 and converted when they are stored.
Tensor wide(const Tensor& x) {
  return x.dtype() == DType::float16 || x.dtype() == DType::bfloat16 ? x.astype(DType::float32) : x;
}
// Statistics may be wider than x; the result has the dtype of x.
Tensor normalized(const Tensor& x, const Tensor& mean, const Tensor& variance, const RunningNorm& m,
                  double eps) {
  const Tensor y =
      ops::batch_norm(x, mean, variance, optional_of(m.weight), optional_of(m.bias), 1, eps);
  return is_float(x.dtype()) ? y.astype(x.dtype()) : y;
}

}  // namespace

RunningNorm::RunningNorm(std::string_view kind, int64_t features, const BatchNormOptions& o)
    : features_(features), o_(o) {
  need_positive(kind, {{"num_features", features}});
  NEED(o.eps >= 0, kind, "eps must not be negative");
  add("weight", weight, o_.affine ? ops::ones({features}) : Tensor());
  add("bias", bias, o_.affine ? ops::zeros({features}) : Tensor());
  if (o_.track_running_stats) {
    running_mean = ops::zeros({features});
    running_var = ops::ones({features});
    num_batches_tracked = ops::zeros({}, DType::int64);
  }
  add_buffer("running_mean", running_mean);
  add_buffer("running_var", running_var);
  add_buffer("num_batches_tracked", num_batches_tracked);
}
void RunningNorm::update(const Tensor& mean, const Tensor& variance, bool counts) {
  const no_grad off;
  // Bounds the chain of pending updates, because the statistics may not be read for a long time.
  pending_ = running_mean.evaluated() ? 0 : pending_ + 1;
  if (pending_ >= 32) {
    ember::eval({running_mean, running_var, num_batches_tracked});
    pending_ = 0;
  }
  if (counts) num_batches_tracked = num_batches_tracked + 1;
  const DType t = running_mean.dtype();
  const auto moved = [&](const Tensor& old, const Tensor& now) {
    const Tensor fresh = now.detach().astype(t);
    if (o_.momentum || !counts) {
      return old * (1 - o_.momentum.value_or(0)) + fresh * o_.momentum.value_or(0);
    }
    return old + (fresh - old) / num_batches_tracked.astype(t);
  };
  running_mean = moved(running_mean, mean);
  running_var = moved(running_var, variance);
}
std::string RunningNorm::details() const {
  return std::to_string(features_) + ", eps=" + text(o_.eps) +
         ", momentum=" + (o_.momentum ? text(*o_.momentum) : "None") +
         ", affine=" + text(o_.affine) + ", track_running_stats=" + text(o_.track_running_stats);
}

template <int N>
BatchNorm<N>::BatchNorm(int64_t features, const BatchNormOptions& options)
    : RunningNorm(BatchNorm::kind(), features, options) {}
template <int N> Tensor BatchNorm<N>::forward(const Tensor& x) {
  NEED_SHAPE((x.ndim() == N + 2 || (N == 1 && x.ndim() == 2)) && x.shape(1) == features_, kind(),
             "expects " + std::to_string(N + 2) + " dimensions with " + std::to_string(features_) +
                 " channels along axis 1, not the shape " + to_string(x.shape()));
  Tensor mean = running_mean;
  Tensor variance = running_var;
  if (training() || !o_.track_running_stats) {
    double n = double(x.size() / features_);
    Ints axes = axes_from(x, 2);
    axes.insert(0, 0);
    const Tensor w = wide(x);
    Tensor sums;
    if (across) {
      sums = across(ops::concat({ops::sum(w, axes), ops::full({1}, n, w.dtype())}));
      n = ops::item(sums(-1));
    }
    NEED_SHAPE(n > 1, kind(),
               "needs more than one value for each channel while training, not the shape " +
                   to_string(x.shape()));
    if (across) {
      mean = sums(slice(0, features_)) / n;
      Ints column(size_t(x.ndim()), 1);
      column[1] = features_;
      variance = across(ops::sum(ops::square(w - ops::reshape(mean, column)), axes)) / n;
    } else {
      mean = ops::mean(w, axes);
      variance = ops::var(w, axes);
    }
    if (o_.track_running_stats) update(mean, variance * (n / (n - 1)), true);
  }
  return normalized(x, mean, variance, *this, o_.eps);
}

template <int N>
InstanceNorm<N>::InstanceNorm(int64_t features, const InstanceNormOptions& o)
    : RunningNorm(InstanceNorm::kind(), features,
                  {.eps = o.eps,
                   .momentum = o.momentum,
                   .affine = o.affine,
                   .track_running_stats = o.track_running_stats}) {}
template <int N> Tensor InstanceNorm<N>::forward(const Tensor& given) {
  const bool single = given.ndim() == N + 1;
  const Tensor x = single ? ops::expand_dims(given, {0}) : given;
  NEED_SHAPE(x.ndim() == N + 2 && x.shape(1) == features_, kind(),
             "expects " + std::to_string(N + 2) + " dimensions with " + std::to_string(features_) +
                 " channels along axis 1, not the shape " + to_string(given.shape()));
  Tensor y;
  if (training() || !o_.track_running_stats) {
    const int64_t n = x.size() / std::max<int64_t>(1, x.shape(0) * features_);
    NEED_SHAPE(
        n > 1, kind(),
        "needs more than one value for each channel, not the shape " + to_string(given.shape()));
    if (o_.track_running_stats) {
      const Tensor w = wide(x.detach());
      update(ops::mean(ops::mean(w, axes_from(x, 2)), 0),
             ops::mean(ops::var(w, axes_from(x, 2), 1), 0), false);
    }
    y = ops::instance_norm(x, optional_of(weight), optional_of(bias), o_.eps);
  } else {
    y = normalized(x, running_mean, running_var, *this, o_.eps);
  }
  return single ? ops::squeeze(y, 0) : y;
}

LayerNorm::LayerNorm(const Extents& shape, const LayerNormOptions& options)
    : shape_(shape), o_(options) {
  check_shape("LayerNorm", shape);
  add("weight", weight, o_.elementwise_affine ? ops::ones(shape) : Tensor());
  add("bias", bias, o_.elementwise_affine && o_.bias ? ops::zeros(shape) : Tensor());
}
Tensor LayerNorm::forward(const Tensor& x) {
  return ops::layer_norm(x, optional_of(weight), optional_of(bias),
                         last_axes("LayerNorm", x, shape_), o_.eps);
}
std::string LayerNorm::details() const {
  return text(shape_) + ", eps=" + text(o_.eps) +
         ", elementwise_affine=" + text(o_.elementwise_affine);
}

RMSNorm::RMSNorm(const Extents& shape, const RMSNormOptions& options) : shape_(shape), o_(options) {
  check_shape("RMSNorm", shape);
  add("weight", weight, o_.elementwise_affine ? ops::ones(shape) : Tensor());
}
Tensor RMSNorm::forward(const Tensor& x) {
  return ops::rms_norm(
      x, optional_of(weight), last_axes("RMSNorm", x, shape_),
      o_.eps ? *o_.eps : ops::finfo(is_float(x.dtype()) ? x.dtype() : default_float()).eps);
}
std::string RMSNorm::details() const {
  return text(shape_) + ", eps=" + (o_.eps ? text(*o_.eps) : "None") +
         ", elementwise_affine=" + text(o_.elementwise_affine);
}

GroupNorm::GroupNorm(int64_t groups, int64_t channels, const GroupNormOptions& options)
    : groups_(groups), channels_(channels), o_(options) {
  need_positive("GroupNorm", {{"num_groups", groups}, {"num_channels", channels}});
  NEED(channels % groups == 0, "GroupNorm",
       std::to_string(groups) + " groups do not divide " + std::to_string(channels) + " channels");
  add("weight", weight, o_.affine ? ops::ones({channels}) : Tensor());
  add("bias", bias, o_.affine ? ops::zeros({channels}) : Tensor());
}
Tensor GroupNorm::forward(const Tensor& x) {
  NEED_SHAPE(x.ndim() > 1 && x.shape(1) == channels_, "GroupNorm",
             "expects " + std::to_string(channels_) + " channels along axis 1, not the shape " +
                 to_string(x.shape()));
  return ops::group_norm(x, groups_, optional_of(weight), optional_of(bias), o_.eps);
}
std::string GroupNorm::details() const {
  return std::to_string(groups_) + ", " + std::to_string(channels_) + ", eps=" + text(o_.eps) +
         ", affine=" + text(o_.affine);
}

template class BatchNorm<1>;
template class BatchNorm<2>;
template class BatchNorm<3>;
template class InstanceNorm<1>;
template class InstanceNorm<2>;
template class InstanceNorm<3>;

}  // namespace ember::nn
