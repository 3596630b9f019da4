// Standardization, and normalization by norms, ranges and quantiles.
#include "src/features/common.h"

namespace ember::features {
namespace {

// The maximum of |x| along an axis.
Tensor max_abs(const Tensor& x, int64_t axis) { return max(abs(x), axis, true); }
// Checks x against statistics learned along an axis: all other axes must have the same extents.
void check_same_shape(const Tensor& x, const Tensor& learned, int64_t axis, std::string_view who) {
  bool fits = x.ndim() == learned.ndim();
  for (int64_t d = 0; fits && d < x.ndim(); ++d) {
    fits = learned.shape(d) == 1 || x.shape(d) == learned.shape(d) ||
           d == (axis < 0 ? axis + x.ndim() : axis);
  }
  NEED(fits, ShapeError, who,
       "was fitted for " + to_string(learned.shape()) + " beside the samples, which the shape " +
           to_string(x.shape()) + " does not fit");
}

}  // namespace

const Tensor& Standardize::need(const Tensor& t) const { return need_state(t, kind()), t; }
Standardize& Standardize::fit(const Tensor& data) {
  const no_grad off;
  const Tensor x = samples_of(data, kind());
  const Tensor centre = ops::mean(x, o_.axis, true);
  mean_ = o_.with_mean ? centre : zeros_like(centre);
  scale_ = o_.with_std ? spread(x, o_.axis) : ones_like(centre);
  feature_dim_ = x.shape(-1);
  return *this;
}
Tensor Standardize::transform(const Tensor& data) const {
  const Tensor x = real_of(data, kind());
  check_same_shape(x, mean(), o_.axis, kind());
  return (x - mean_) / scale_;
}
Tensor Standardize::inverse_transform(const Tensor& data) const {
  const Tensor x = real_of(data, kind());
  check_same_shape(x, mean(), o_.axis, kind());
  return x * scale_ + mean_;
}
TensorMap Standardize::state() const {
  return {{"mean", mean()}, {"scale", scale()}, {"axis", nn::number(o_.axis)}};
}
void Standardize::load_state(const TensorMap& s) {
  const Tensor& m = nn::entry(s, "mean");
  const Tensor& v = nn::entry(s, "scale");
  NEED(m.shape() == v.shape() && m.ndim() > 0, ShapeError, kind(),
       "the parts of the state are not compatible");
  o_.axis = nn::read_whole(nn::entry(s, "axis"));
  mean_ = m;
  scale_ = v;
  feature_dim_ = m.shape(-1);
}

Normalize::Normalize(NormalizeOptions options) : o_(std::move(options)) {
  const bool by_feature = o_.norm == "minmax" || o_.norm == "robust";
  NEED(by_feature || o_.norm == "l1" || o_.norm == "l2" || o_.norm == "max", ValueError, kind(),
       "norm must be l1, l2, max, minmax or robust, not " + brief(o_.norm));
  NEED(o_.low < o_.high, ValueError, kind(),
       "the range must rise, not go from " + text(o_.low) + " to " + text(o_.high));
  NEED(0 <= o_.quantile_low && o_.quantile_low < o_.quantile_high && o_.quantile_high <= 1,
       ValueError, kind(),
       "the quantiles must rise and lie between 0 and 1, not " + text(o_.quantile_low) + " and " +
           text(o_.quantile_high));
  axis_ = o_.axis.value_or(by_feature ? 0 : 1);
  learned_ = by_feature || axis_ == 0;
}
const Tensor& Normalize::need(const Tensor& t) const {
  NEED(learned_, StateError, kind(),
       o_.norm + " along axis " + std::to_string(axis_) +
           " learns nothing: every sample has its own scale");
  return need_state(t, kind()), t;
}
Tensor Normalize::length(const Tensor& x) const {
  const Tensor r = o_.norm == "l1"   ? reduce_l1(x, axis_, true)
                   : o_.norm == "l2" ? reduce_l2(x, axis_, true)
                                     : max_abs(x, axis_);
  return where(r == 0.0, 1.0, r);
}
Normalize& Normalize::fit(const Tensor& data) {
  const no_grad off;
  const Tensor x = samples_of(data, kind());
  feature_dim_ = x.shape(-1);
  if (!learned_) return *this;
  if (o_.norm == "minmax") {
    const Tensor low = min(x, axis_, true);
    const Tensor high = max(x, axis_, true);
    center_ = low;
    scale_ = divisor(high - low, maximum(abs(low), abs(high)));
  } else if (o_.norm == "robust") {
    const Tensor q =
        quantile(x, array({o_.quantile_low, o_.quantile_high}, x.dtype()), axis_, true);
    center_ = median(x, axis_, true);
    scale_ = divisor(q(1) - q(0), max_abs(x, axis_));
  } else {
    scale_ = length(x);
    center_ = zeros_like(scale_);
  }
  return *this;
}
Tensor Normalize::transform(const Tensor& data) const {
  const Tensor x = real_of(data, kind());
  if (!learned_) return x / length(x);
  check_same_shape(x, scale(), axis_, kind());
  Tensor y = (x - center_) / scale_;
  if (o_.norm != "minmax") return y;
  if (o_.clip) y = clip(y, 0.0, 1.0);
  return o_.low == 0 && o_.high == 1 ? y : y * (o_.high - o_.low) + o_.low;
}
Tensor Normalize::inverse_transform(const Tensor& data) const {
  NEED(learned_, UnsupportedError, kind(),
       o_.norm + " along axis " + std::to_string(axis_) + " keeps no lengths to return to");
  Tensor y = real_of(data, kind());
  check_same_shape(y, scale(), axis_, kind());
  if (o_.norm == "minmax") y = (y - o_.low) / (o_.high - o_.low);
  return y * scale_ + center_;
}
TensorMap Normalize::state() const {
  if (!learned_) return {};
  return {{"center", center()},
          {"scale", scale()},
          {"range", array({o_.low, o_.high}, DType::float64)}};
}
void Normalize::load_state(const TensorMap& s) {
  if (!learned_) return;
  const Tensor& c = nn::entry(s, "center");
  const Tensor& v = nn::entry(s, "scale");
  const std::vector<double> range =
      nn::entry(s, "range").astype(DType::float64).to_vector<double>();
  NEED(c.shape() == v.shape() && c.ndim() > 0 && range.size() == 2, ShapeError, kind(),
       "the parts of the state are not compatible");
  center_ = c;
  scale_ = v;
  o_.low = range[0];
  o_.high = range[1];
  feature_dim_ = c.shape(-1);
}

}  // namespace ember::features
