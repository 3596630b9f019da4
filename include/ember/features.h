// Features from data: principal components, scaling, time series. fit learns parameters and
// transform applies them. Both consist of ops, so they run on every engine, and transform is lazy
// and differentiable.
#pragma once
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ember/io.h"
#include "ember/ops.h"

namespace ember::features {

using ops::one_hot, ops::scatter, ops::scatter_mean;

// The base class: learns nothing and returns its input.
class EMBER_API FeatureExtractor {
 public:
  explicit FeatureExtractor(int64_t feature_dim = 0) : feature_dim_(feature_dim) {}
  virtual ~FeatureExtractor() = default;
  virtual FeatureExtractor& fit(const Tensor& x);
  virtual Tensor transform(const Tensor& x) const { return x; }
  // UnsupportedError where the transformation is not invertible.
  virtual Tensor inverse_transform(const Tensor& x) const;
  virtual Tensor fit_transform(const Tensor& x) { return fit(x).transform(x); }
  // Processes x, multiplied by the mask if one is given.
  Tensor extract(const Tensor& x, const Tensor& mask = {}) const;
  virtual std::string kind() const { return "FeatureExtractor"; }
  int64_t feature_dim() const { return feature_dim_; }  // the number of input features, where known
  void set_feature_dim(int64_t n) { feature_dim_ = n; }

  // What fit learned, as tensors. A file also stores the kind.
  virtual TensorMap state() const { return {}; }
  virtual void load_state(const TensorMap&) {}
  void save(const std::string& path) const;
  void load(const std::string& path);

 protected:
  int64_t feature_dim_;
};

// The number of components: a number, the smallest number that explains more than a fraction of the
// variance, or (by default) all.
struct ComponentCount : std::variant<std::monostate, int64_t, double> {
  ComponentCount() = default;
  ComponentCount(int n) : variant(int64_t(n)) {}
  ComponentCount(int64_t n) : variant(n) {}
  ComponentCount(double fraction) : variant(fraction) {}
};
struct PCAOptions {
  ComponentCount n_components;
  bool whiten = false;  // scale components to variance 1
  bool center = true;
  // full, covariance_eigh, randomized, incremental; auto: by shape, never incremental.
  std::string svd_solver = "auto";
  int64_t oversamples = 10;  // randomized: directions in addition to the components
  // randomized: by default 7 for few components and 4 for many
  std::optional<int64_t> power_iterations;
  std::optional<uint64_t> seed;  // randomized: a seed of its own instead of the process generator
  // incremental: rows per step of fit, by default 5 times the number of features
  std::optional<int64_t> batch_size;
};
// Principal components of rows [samples, features]. Signs are chosen so that the largest loading of
// every component is positive, whatever the solver.
class EMBER_API PCA : public FeatureExtractor {
 public:
  explicit PCA(PCAOptions options = {});
  PCA& fit(const Tensor& x) override;  // evaluates
  // Adds rows to those that fit or partial_fit already used; evaluates.
  PCA& partial_fit(const Tensor& x);
  Tensor transform(const Tensor& x) const override;
  Tensor fit_transform(const Tensor& x) override;  // centers only once
  Tensor inverse_transform(const Tensor& x) const override;
  std::string kind() const override { return "PCA"; }
  const PCAOptions& options() const { return o_; }
  int64_t n_components() const { return components().shape(0); }
  int64_t n_samples() const { return samples_; }
  const Tensor& components() const;  // [components, features], rows of norm 1
  const Tensor& singular_values() const;
  const Tensor& mean() const;
  Tensor explained_variance() const;
  Tensor explained_variance_ratio() const;
  Tensor noise_variance() const;  // the mean variance of the omitted directions
  TensorMap state() const override;
  void load_state(const TensorMap&) override;

 private:
  void forget();
  void need_fit() const;
  void learn(const Tensor& singular, const Tensor& vt, const Tensor& mean, const Tensor& squares,
             int64_t samples);
  Tensor fit_rows(const Tensor& x);
  Tensor project(const Tensor& centred) const;
  Tensor scale() const;
  PCAOptions o_;
  Tensor components_;
  Tensor singular_;
  Tensor mean_;
  Tensor squares_;  // the sum of squared deviations
  int64_t samples_ = 0;
};
inline PCA pca(PCAOptions options = {}) { return PCA(std::move(options)); }

struct StandardizeOptions {
  bool with_mean = true, with_std = true;
  int64_t axis = 0;  // the axis of the samples
};
// Scales to mean 0 and standard deviation 1 along an axis; constant features are not scaled.
class EMBER_API Standardize : public FeatureExtractor {
 public:
  explicit Standardize(StandardizeOptions options = {}) : o_(options) {}
  Standardize& fit(const Tensor& x) override;
  Tensor transform(const Tensor& x) const override;
  Tensor inverse_transform(const Tensor& x) const override;
  std::string kind() const override { return "Standardize"; }
  const StandardizeOptions& options() const { return o_; }
  const Tensor& mean() const { return need(mean_); }
  const Tensor& scale() const { return need(scale_); }
  TensorMap state() const override;
  void load_state(const TensorMap&) override;

 private:
  const Tensor& need(const Tensor& t) const;
  StandardizeOptions o_;
  Tensor mean_;
  Tensor scale_;
};
inline Standardize standardize_features(StandardizeOptions options = {}) {
  return Standardize(options);
}

struct NormalizeOptions {
  // l1, l2, max (of absolute values), minmax, robust (median and quantiles).
  std::string norm = "l2";
  // Along axis 0, fit learns one scale per feature; along another axis each sample is scaled by its
  // own statistics. Default: 0 for minmax and robust, which are always learned, and 1 for the
  // others.
  std::optional<int64_t> axis;
  double low = 0, high = 1;                          // minmax: the target range
  bool clip = false;                                 // minmax: clamp to the target range
  double quantile_low = 0.25, quantile_high = 0.75;  // robust
};
class EMBER_API Normalize : public FeatureExtractor {
 public:
  explicit Normalize(NormalizeOptions options = {});
  Normalize& fit(const Tensor& x) override;
  Tensor transform(const Tensor& x) const override;
  Tensor inverse_transform(const Tensor& x) const override;
  std::string kind() const override { return "Normalize"; }
  const NormalizeOptions& options() const { return o_; }
  // transform returns (x - center) / scale, then maps it to the range.
  const Tensor& center() const { return need(center_); }
  const Tensor& scale() const { return need(scale_); }
  TensorMap state() const override;
  void load_state(const TensorMap&) override;

 private:
  const Tensor& need(const Tensor& t) const;
  Tensor length(const Tensor& x) const;
  NormalizeOptions o_;
  bool learned_;
  int64_t axis_;
  Tensor center_;
  Tensor scale_;
};
inline Normalize normalize_features(NormalizeOptions options = {}) {
  return Normalize(std::move(options));
}

// ---- time series ----
// Features of each window along an axis, [..., windows, features]:
//   mean std min max median skew kurtosis (of the population; kurtosis is 0 for a normal
//   distribution, skew and kurtosis are 0 for constant windows), power (mean square), centroid and
//   dominant (frequencies of the spectrum without its constant part).
EMBER_API Tensor window_statistics(const Tensor& x, int64_t window, int64_t step = 1,
                                   const std::vector<std::string>& names = {"mean", "std", "min",
                                                                            "max", "median", "skew",
                                                                            "kurtosis"},
                                   int64_t axis = -1, double sample_rate = 1);
// [..., 3]: power, centroid, dominant.
EMBER_API Tensor spectral_features(const Tensor& x, double sample_rate = 1, int64_t axis = -1);
// Values delayed by some steps, and differences of some orders, aligned at the end of the series
// and stacked along a last axis: [..., steps - largest, lags or orders].
EMBER_API Tensor lagged(const Tensor& x, const Ints& lags, int64_t axis = -1);
EMBER_API Tensor differences(const Tensor& x, const Ints& orders = {1}, int64_t axis = -1);

struct TimeSeriesOptions {
  std::optional<int64_t> window;  // steps; by default the whole series is one window
  int64_t step = 1;
  std::vector<std::string> statistics;  // names as in window_statistics
  Ints lags, differences;               // at the end of each window
  double sample_rate = 1;
};
// Input: [batch, steps], [steps], or [batch, steps, channels]. Without options, standardizes each
// series along its steps. Otherwise returns [batch, windows, features], with the features of the
// channels concatenated; without a window, [batch, features].
class EMBER_API TimeSeriesFeatures : public FeatureExtractor {
 public:
  explicit TimeSeriesFeatures(TimeSeriesOptions options = {});
  Tensor transform(const Tensor& x) const override;
  std::string kind() const override { return "TimeSeriesFeatures"; }
  // Of one channel: "mean", "lag_2", "difference_1".
  std::vector<std::string> feature_names() const;

 private:
  TimeSeriesOptions o_;
};
inline TimeSeriesFeatures time_series_features(TimeSeriesOptions options = {}) {
  return TimeSeriesFeatures(std::move(options));
}

// Transforms a signal by a neuron's role: memory decays it slowly, inhibition dampens and inverts
// it, any other role passes it unchanged.
class EMBER_API SpecializedProcessor {
 public:
  explicit SpecializedProcessor(std::string role = "default") : role_(std::move(role)) {}
  const std::string& role() const { return role_; }
  Tensor process(const Tensor& x) const;
  Tensor operator()(const Tensor& x) const { return process(x); }

 private:
  std::string role_;
};

}  // namespace ember::features
