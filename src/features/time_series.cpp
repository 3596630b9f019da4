// Windows over series and their statistics, spectra, lags and differences.
#include <algorithm>

#include "src/features/common.h"

namespace ember::features {
namespace {

constexpr const char* who = "time series";

// Windows [..., length] and values that several features share. A value that no feature uses is
// never evaluated.
class Windows {
 public:
  Windows(const Tensor& w, double sample_rate) : w_(w), rate_(sample_rate) {}
  Tensor feature(std::string_view name) {
    if (name == "mean") return mean(w_, -1);
    if (name == "std") return ops::std(w_, -1);
    if (name == "min") return min(w_, -1);
    if (name == "max") return max(w_, -1);
    if (name == "median") return median(w_, -1);
    if (name == "skew") return unless_flat(moment(3) / (variance() * sqrt(variance())), 0.0);
    if (name == "kurtosis") return unless_flat(moment(4) / square(variance()) - 3.0, 0.0);
    if (name == "power") return mean(square(w_), -1);
    if (name == "centroid") {
      return w_.shape(-1) < 2
                 ? nothing()
                 : unless_flat(sum(spectrum() * frequencies(), -1) / sum(spectrum(), -1), 0.0);
    }
    if (name == "dominant") {
      return w_.shape(-1) < 2 ? nothing()
                              : unless_flat(take(frequencies(), argmax(spectrum(), -1), 0), 0.0);
    }
    throw ValueError("[time series] unknown feature " + brief(name) +
                     ": mean, std, min, max, median, skew, kurtosis, power, centroid, dominant");
  }

 private:
  const Tensor& apart() {
    if (!apart_.defined()) apart_ = w_ - mean(w_, -1, true);
    return apart_;
  }
  const Tensor& variance() {
    if (!variance_.defined()) variance_ = mean(square(apart()), -1);
    return variance_;
  }
  Tensor moment(int n) {
    return mean(n == 3 ? square(apart()) * apart() : square(square(apart())), -1);
  }
  // Constant windows have neither shape nor spectrum; their deviations are rounding errors.
  Tensor unless_flat(const Tensor& value, double otherwise) {
    if (!flat_.defined()) {
      const Tensor low = min(w_, -1);
      const Tensor high = max(w_, -1);
      flat_ = high - low <= maximum(abs(low), abs(high)) * rounding(w_);
    }
    return where(flat_, otherwise, value);
  }
  // The power at each frequency except 0. Each counts twice, for its mirror image, except Nyquist
  // (the last one for an even length).
  const Tensor& spectrum() {
    if (spectrum_.defined()) return spectrum_;
    const int64_t n = w_.shape(-1);
    const int64_t bins = n / 2;
    const Tensor f = slice_from_one(rfft(apart()));
    spectrum_ = square(real(f)) + square(imag(f));
    if (n % 2 == 0) {
      spectrum_ =
          spectrum_ * where(arange(double(bins)) == bins - 1, 1.0, asarray(2.0, w_.dtype()));
    }
    return spectrum_;
  }
  Tensor frequencies() const {
    return slice_from_one(rfftfreq(w_.shape(-1), 1 / rate_, w_.dtype()));
  }
  static Tensor slice_from_one(const Tensor& x) { return x(ellipsis, ember::slice(1)); }
  Tensor nothing() const { return zeros_like(mean(w_, -1)); }

  Tensor w_, apart_, variance_, flat_, spectrum_;
  double rate_;
};

Tensor series_of(const Tensor& x, int64_t axis) {
  const Tensor r = real_of(x, who);
  NEED(r.ndim() > 0, ShapeError, who, "a series needs an axis");
  return axis == -1 ? r : moveaxis(r, {axis}, {-1});
}
Tensor windows_of(const Tensor& series, int64_t window, int64_t step) {
  NEED(window > 0 && step > 0, ValueError, who,
       "window and step must be positive, not " + std::to_string(window) + " and " +
           std::to_string(step));
  NEED(window <= series.shape(-1), ValueError, who,
       "a window of " + std::to_string(window) + " steps is longer than a series of " +
           std::to_string(series.shape(-1)));
  return windows(series, {window}, {step}, -1);
}
int64_t largest(const Ints& v, int64_t least, const char* what, int64_t steps) {
  NEED(!v.empty(), ValueError, who, std::string("no ") + what + " asked for");
  for (int64_t k : v) {
    NEED(k >= least && k < steps, ValueError, who,
         std::string(what) + " must be between " + std::to_string(least) + " and " +
             std::to_string(steps - 1) + " for " + std::to_string(steps) + " steps, not " +
             std::to_string(k));
  }
  return *std::max_element(v.begin(), v.end());
}
Tensor last_steps(const Tensor& x, int64_t count, int64_t back = 0) {
  const int64_t end = x.shape(-1) - back;
  return x(ellipsis, ember::slice(end - count, end));
}

}  // namespace

Tensor window_statistics(const Tensor& x, int64_t window, int64_t step,
                         const std::vector<std::string>& names, int64_t axis, double sample_rate) {
  NEED(sample_rate > 0, ValueError, who, "sample_rate must be positive, not " + text(sample_rate));
  NEED(!names.empty(), ValueError, who, "no statistics asked for");
  Windows w(windows_of(series_of(x, axis), window, step), sample_rate);
  Tensors all;
  for (const std::string& n : names) all.push_back(w.feature(n));
  return stack(all, -1);
}
Tensor spectral_features(const Tensor& x, double sample_rate, int64_t axis) {
  const Tensor s = series_of(x, axis);
  return squeeze(
      window_statistics(s, s.shape(-1), 1, {"power", "centroid", "dominant"}, -1, sample_rate), -2);
}
Tensor lagged(const Tensor& x, const Ints& lags, int64_t axis) {
  const Tensor s = series_of(x, axis);
  const int64_t steps = s.shape(-1);
  const int64_t count = steps - largest(lags, 0, "lags", steps);
  Tensors all;
  for (int64_t k : lags) all.push_back(last_steps(s, count, k));
  return stack(all, -1);
}
Tensor differences(const Tensor& x, const Ints& orders, int64_t axis) {
  const Tensor s = series_of(x, axis);
  const int64_t steps = s.shape(-1);
  const int64_t count = steps - largest(orders, 1, "orders of difference", steps);
  Tensors all;
  for (int64_t k : orders) all.push_back(last_steps(diff(s, k), count));
  return stack(all, -1);
}

TimeSeriesFeatures::TimeSeriesFeatures(TimeSeriesOptions options) : o_(std::move(options)) {
  NEED(o_.step > 0 && o_.window.value_or(1) > 0, ValueError, kind(),
       "window and step must be positive");
  NEED(o_.sample_rate > 0, ValueError, kind(),
       "sample_rate must be positive, not " + text(o_.sample_rate));
}
std::vector<std::string> TimeSeriesFeatures::feature_names() const {
  std::vector<std::string> r = o_.statistics;
  for (int64_t k : o_.lags) r.push_back("lag_" + std::to_string(k));
  for (int64_t k : o_.differences) r.push_back("difference_" + std::to_string(k));
  return r;
}
Tensor TimeSeriesFeatures::transform(const Tensor& data) const {
  const Tensor x = real_of(data, kind());
  NEED(x.ndim() >= 1 && x.ndim() <= 3, ShapeError, kind(),
       "expects [steps], [batch, steps] or [batch, steps, channels], not the shape " +
           to_string(x.shape()));
  const int64_t axis = x.ndim() > 1 ? 1 : 0;
  if (o_.statistics.empty() && o_.lags.empty() && o_.differences.empty()) {
    NEED(x.shape(axis) > 0, ShapeError, kind(), "the series has no steps");
    return (x - mean(x, axis, true)) / spread(x, axis);
  }
  const Tensor series = x.ndim() == 3 ? moveaxis(x, {1}, {2}) : x;
  const Tensor w = windows_of(series, o_.window.value_or(series.shape(-1)), o_.step);
  const int64_t steps = w.shape(-1);
  Windows each(w, o_.sample_rate);
  Tensors all;
  for (const std::string& n : o_.statistics) all.push_back(each.feature(n));
  if (!o_.lags.empty()) largest(o_.lags, 0, "lags", steps);
  for (int64_t k : o_.lags) all.push_back(w(ellipsis, steps - 1 - k));
  if (!o_.differences.empty()) largest(o_.differences, 1, "orders of difference", steps);
  for (int64_t k : o_.differences) all.push_back(diff(last_steps(w, k + 1), k)(ellipsis, 0));
  Tensor y = stack(all, -1);  // [batch?, channels?, windows, features]
  if (x.ndim() == 3) {
    y = moveaxis(y, {1}, {2});
    y = reshape(y, {y.shape(0), y.shape(1), y.shape(2) * y.shape(3)});
  }
  return o_.window ? y : squeeze(y, -2);
}

}  // namespace ember::features
