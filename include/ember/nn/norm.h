// Normalization layers.
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "ember/nn/conv.h"

namespace ember::nn {

struct BatchNormOptions {
  double eps = 1e-5;
  // The weight of the new statistics; nullopt: the mean over all batches so far.
  std::optional<double> momentum = 0.1;
  bool affine = true, track_running_stats = true;
};
// Running statistics over batches. They are updated lazily; a training step can evaluate
// named_buffers() together with its other values.
class EMBER_API RunningNorm : public Module {
 public:
  std::string details() const override;
  Parameter weight;
  Parameter bias;
  Tensor running_mean;
  Tensor running_var;
  Tensor num_batches_tracked;
  // If set, BatchNorm passes its sums through this function: a reduction over processes.
  std::function<Tensor(const Tensor&)> across;

 protected:
  RunningNorm(std::string_view kind, int64_t features, const BatchNormOptions& options);
  // Merges the statistics of a batch (unbiased variance); counts: increment num_batches_tracked.
  void update(const Tensor& mean, const Tensor& variance, bool counts);
  int64_t features_;
  BatchNormOptions o_;

 private:
  int pending_ = 0;
};
template <int N>
// Normalizes each channel (axis 1) over all other axes.
class EMBER_API BatchNorm : public RunningNorm {
 public:
  explicit BatchNorm(int64_t num_features, const BatchNormOptions& options = {});
  Tensor forward(const Tensor& x) override;
  std::string kind() const override { return "BatchNorm" + std::to_string(N) + "d"; }
};
using BatchNorm1d = BatchNorm<1>;  // [batch, features] or [batch, features, steps]
using BatchNorm2d = BatchNorm<2>;
using BatchNorm3d = BatchNorm<3>;

struct InstanceNormOptions {
  double eps = 1e-5;
  std::optional<double> momentum = 0.1;
  bool affine = false, track_running_stats = false;
};
// Each channel of each sample; as in PyTorch, num_batches_tracked stays 0.
template <int N> class EMBER_API InstanceNorm : public RunningNorm {
 public:
  explicit InstanceNorm(int64_t num_features, const InstanceNormOptions& options = {});
  Tensor forward(const Tensor& x) override;
  std::string kind() const override { return "InstanceNorm" + std::to_string(N) + "d"; }
};
using InstanceNorm1d = InstanceNorm<1>;
using InstanceNorm2d = InstanceNorm<2>;
using InstanceNorm3d = InstanceNorm<3>;
extern template class BatchNorm<1>;
extern template class BatchNorm<2>;
extern template class BatchNorm<3>;
extern template class InstanceNorm<1>;
extern template class InstanceNorm<2>;
extern template class InstanceNorm<3>;

struct LayerNormOptions {
  double eps = 1e-5;
  bool elementwise_affine = true, bias = true;
};
// Normalizes over the last axes, which have the given shape.
class EMBER_API LayerNorm : public Module {
 public:
  explicit LayerNorm(const Extents& normalized_shape, const LayerNormOptions& options = {});
  Tensor forward(const Tensor& x) override;
  std::string kind() const override { return "LayerNorm"; }
  std::string details() const override;
  Parameter weight;
  Parameter bias;

 private:
  Extents shape_;
  LayerNormOptions o_;
};

struct RMSNormOptions {
  std::optional<double> eps;  // by default depends on the input's dtype
  bool elementwise_affine = true;
};
class EMBER_API RMSNorm : public Module {
 public:
  explicit RMSNorm(const Extents& normalized_shape, const RMSNormOptions& options = {});
  Tensor forward(const Tensor& x) override;
  std::string kind() const override { return "RMSNorm"; }
  std::string details() const override;
  Parameter weight;

 private:
  Extents shape_;
  RMSNormOptions o_;
};

struct GroupNormOptions {
  double eps = 1e-5;
  bool affine = true;
};
// Normalizes groups of channels (axis 1) of each sample.
class EMBER_API GroupNorm : public Module {
 public:
  GroupNorm(int64_t num_groups, int64_t num_channels, const GroupNormOptions& options = {});
  Tensor forward(const Tensor& x) override;
  std::string kind() const override { return "GroupNorm"; }
  std::string details() const override;
  Parameter weight;
  Parameter bias;

 private:
  int64_t groups_, channels_;
  GroupNormOptions o_;
};

}  // namespace ember::nn
