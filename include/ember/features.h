// Features from data: principal components, scaling, time series. What fit learns, transform
// applies; everything is made of ops, so it runs on every engine, and transform is lazy and
// differentiable as they are.
#pragma once
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ember/io.h"
#include "ember/ops.h"

namespace ember::features {

using ops::one_hot, ops::scatter, ops::scatter_mean;

// The base: learns nothing and changes nothing.
class EMBER_API FeatureExtractor {
 public:
  explicit FeatureExtractor(int64_t feature_dim = 0) : feature_dim_(feature_dim) {}
  virtual ~FeatureExtractor() = default;
  virtual FeatureExtractor& fit(const Tensor& x);
  virtual Tensor transform(const Tensor& x) const { return x; }
  virtual Tensor inverse_transform(
      const Tensor& x) const;  // UnsupportedError where nothing leads back
  virtual Tensor fit_transform(const Tensor& x) { return fit(x).transform(x); }
  Tensor extract(const Tensor& x,
                 const Tensor& mask = {}) const;  // of x times the mask, where there is one
  virtual std::string kind() const { return "FeatureExtractor"; }
  int64_t feature_dim() const { return feature_dim_; }  // features that come in, where known
  void set_feature_dim(int64_t n) { feature_dim_ = n; }

  // What fit learned, as tensors. A file also says of what kind it is.
  virtual TensorMap state() const { return {}; }
  virtual void load_state(const TensorMap&) {}
  void save(const std::string& path) const;
  void load(const std::string& path);

 protected:
  int64_t feature_dim_;
};

// How many components: a number, the least that explains more than a fraction of the variance, or
// (left out) all there are.
struct ComponentCount : std::variant<std::monostate, int64_t, double> {
  ComponentCount() = default;
  ComponentCount(int n) : variant(int64_t(n)) {}
  ComponentCount(int64_t n) : variant(n) {}
  ComponentCount(double fraction) : variant(fraction) {}
};
struct PCAOptions {
  ComponentCount n_components;
  bool whiten = false;  // components of variance 1
  bool center = true;
  std::string svd_solver =
      "auto";  // full, covariance_eigh, randomized, incremental; auto: by shape, never incremental
  int64_t oversamples = 10;  // randomized: directions beyond the components asked for
  std::optional<int64_t>
      power_iterations;          // randomized: 7 for few components, 4 for many, when left out
  std::optional<uint64_t> seed;  // randomized: draws apart from the process's generator
  std::optional<int64_t>
      batch_size;  // incremental: rows for each step of fit, 5 times the features when left out
};
// Principal components of rows [samples, features]. The largest loading of every component is
// positive, whatever the solver.
class EMBER_API PCA : public FeatureExtractor {
 public:
  explicit PCA(PCAOptions options = {});
  PCA& fit(const Tensor& x) override;  // evaluates
  PCA& partial_fit(
      const Tensor& x);  // more rows, on top of what fit or partial_fit learned before; evaluates
  Tensor transform(const Tensor& x) const override;
  Tensor fit_transform(const Tensor& x) override;  // centres once
  Tensor inverse_transform(const Tensor& x) const override;
  std::string kind() const override { return "PCA"; }
  const PCAOptions& options() const { return o_; }
  int64_t n_components() const { return components().shape(0); }
  int64_t n_samples() const { return samples_; }
  const Tensor& components() const;  // [components, features], rows of length 1
  const Tensor& singular_values() const;
  const Tensor& mean() const;
  Tensor explained_variance() const;
  Tensor explained_variance_ratio() const;
  Tensor noise_variance() const;  // the mean variance of the directions left out
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
  Tensor squares_;  // squares_: all squared deviations, added up
  int64_t samples_ = 0;
};
inline PCA pca(PCAOptions options = {}) { return PCA(std::move(options)); }

struct StandardizeOptions {
  bool with_mean = true, with_std = true;
  int64_t axis = 0;  // the axis of the samples
};
// To mean 0 and standard deviation 1 along an axis; what is constant keeps its scale.
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
  std::string norm =
      "l2";  // l1, l2, max (of absolute values), minmax, robust (median and quantiles)
  // Along axis 0 the scale is learned by fit, for each feature; along another it is worked out anew
  // for each sample. When left out: 0 for minmax and robust, which are always learned, 1 for the
  // others.
  std::optional<int64_t> axis;
  double low = 0, high = 1;  // minmax: the range aimed at
  bool clip = false;         // minmax: what lies beyond the range seen is held to it
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
  // transform gives (x - center) / scale, moved to the range
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
//   mean std min max median skew kurtosis (population figures, kurtosis 0 for a normal
//   distribution, both 0 for what is constant), power (mean square), centroid and dominant
//   (frequencies of the spectrum without its constant part).
EMBER_API Tensor window_statistics(const Tensor& x, int64_t window, int64_t step = 1,
                                   const std::vector<std::string>& names = {"mean", "std", "min",
                                                                            "max", "median", "skew",
                                                                            "kurtosis"},
                                   int64_t axis = -1, double sample_rate = 1);
EMBER_API Tensor spectral_features(const Tensor& x, double sample_rate = 1,
                                   int64_t axis = -1);  // [..., 3]: power, centroid, dominant
// Values some steps ago, and differences of some orders, one below the other: [..., steps -
// largest, lags or orders].
EMBER_API Tensor lagged(const Tensor& x, const Ints& lags, int64_t axis = -1);
EMBER_API Tensor differences(const Tensor& x, const Ints& orders = {1}, int64_t axis = -1);

struct TimeSeriesOptions {
  std::optional<int64_t> window;  // steps; the whole series as one window when left out
  int64_t step = 1;
  std::vector<std::string> statistics;  // as window_statistics has them
  Ints lags, differences;               // at the end of each window
  double sample_rate = 1;
};
// Series [batch, steps], [steps], or [batch, steps, channels]. Nothing asked for: each series
// standardized along its steps. Else [batch, windows, features], the channels' features side by
// side; without a window, [batch, features].
class EMBER_API TimeSeriesFeatures : public FeatureExtractor {
 public:
  explicit TimeSeriesFeatures(TimeSeriesOptions options = {});
  Tensor transform(const Tensor& x) const override;
  std::string kind() const override { return "TimeSeriesFeatures"; }
  std::vector<std::string> feature_names()
      const;  // of one channel: "mean", "lag_2", "difference_1"

 private:
  TimeSeriesOptions o_;
};
inline TimeSeriesFeatures time_series_features(TimeSeriesOptions options = {}) {
  return TimeSeriesFeatures(std::move(options));
}

// What a neuron's role does to a signal: memory fades slowly, inhibition dampens and inverts, any
// other role passes it on.
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
