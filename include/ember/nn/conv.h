// Convolution and pooling layers in one, two and three dimensions. Channels first; the batch axis
// is optional.
#pragma once
#include <optional>
#include <string>

#include "ember/nn/module.h"

namespace ember::nn {

// One number for all axes, or one per axis: 3, {3, 5}.
struct Extents : Ints {
  Extents(int v) : Ints{v} {}
  Extents(int64_t v) : Ints{v} {}
  Extents(std::initializer_list<int64_t> v) : Ints(v) {}
  Extents(const Ints& v) : Ints(v) {}
};

struct ConvOptions {
  Extents stride = 1, padding = 0, dilation = 1;
  int64_t groups = 1;
  bool bias = true;
};
template <int N> class EMBER_API Conv : public Module {
 public:
  Conv(int64_t in_channels, int64_t out_channels, const Extents& kernel_size,
       const ConvOptions& options = {});
  Tensor forward(const Tensor& x) override;
  std::string kind() const override { return "Conv" + std::to_string(N) + "d"; }
  std::string details() const override;
  Parameter weight;
  Parameter bias;  // [out, in / groups, window...], [out]

 private:
  ConvOptions o_;
};
using Conv1d = Conv<1>;
using Conv2d = Conv<2>;
using Conv3d = Conv<3>;

struct ConvTransposeOptions {
  Extents stride = 1, padding = 0, output_padding = 0, dilation = 1;
  int64_t groups = 1;
  bool bias = true;
};
template <int N> class EMBER_API ConvTranspose : public Module {
 public:
  ConvTranspose(int64_t in_channels, int64_t out_channels, const Extents& kernel_size,
                const ConvTransposeOptions& options = {});
  Tensor forward(const Tensor& x) override;
  std::string kind() const override { return "ConvTranspose" + std::to_string(N) + "d"; }
  std::string details() const override;
  Parameter weight;
  Parameter bias;  // [in, out / groups, window...], [out]

 private:
  ConvTransposeOptions o_;
};
using ConvTranspose1d = ConvTranspose<1>;
using ConvTranspose2d = ConvTranspose<2>;
using ConvTranspose3d = ConvTranspose<3>;

struct MaxPoolOptions {
  std::optional<Extents> stride;  // the window's size by default
  Extents padding = 0, dilation = 1;
  bool ceil_mode = false;
};
template <int N> class EMBER_API MaxPool : public Module {
 public:
  explicit MaxPool(const Extents& kernel_size, const MaxPoolOptions& options = {});
  Tensor forward(const Tensor& x) override;
  std::string kind() const override { return "MaxPool" + std::to_string(N) + "d"; }
  std::string details() const override;

 private:
  Extents window_;
  MaxPoolOptions o_;
};
using MaxPool1d = MaxPool<1>;
using MaxPool2d = MaxPool<2>;
using MaxPool3d = MaxPool<3>;

struct AvgPoolOptions {
  std::optional<Extents> stride;
  Extents padding = 0;
  bool ceil_mode = false, count_include_pad = true;
};
template <int N> class EMBER_API AvgPool : public Module {
 public:
  explicit AvgPool(const Extents& kernel_size, const AvgPoolOptions& options = {});
  Tensor forward(const Tensor& x) override;
  std::string kind() const override { return "AvgPool" + std::to_string(N) + "d"; }
  std::string details() const override;

 private:
  Extents window_;
  AvgPoolOptions o_;
};
using AvgPool1d = AvgPool<1>;
using AvgPool2d = AvgPool<2>;
using AvgPool3d = AvgPool<3>;

// Pools to a fixed output size, whatever the input's size.
template <int N, bool Max> class EMBER_API AdaptivePool : public Module {
 public:
  explicit AdaptivePool(const Extents& output_size);
  Tensor forward(const Tensor& x) override;
  std::string kind() const override {
    return (Max ? "AdaptiveMaxPool" : "AdaptiveAvgPool") + std::to_string(N) + "d";
  }
  std::string details() const override;

 private:
  Extents size_;
};
using AdaptiveAvgPool1d = AdaptivePool<1, false>;
using AdaptiveAvgPool2d = AdaptivePool<2, false>;
using AdaptiveAvgPool3d = AdaptivePool<3, false>;
using AdaptiveMaxPool1d = AdaptivePool<1, true>;
using AdaptiveMaxPool2d = AdaptivePool<2, true>;
using AdaptiveMaxPool3d = AdaptivePool<3, true>;

// Pools over all axes after the channels: [batch, channels, ...] to [batch, channels].
template <bool Max> class EMBER_API GlobalPool : public Module {
 public:
  Tensor forward(const Tensor& x) override;
  std::string kind() const override { return Max ? "GlobalMaxPool" : "GlobalAvgPool"; }
};
using GlobalAvgPool = GlobalPool<false>;
using GlobalMaxPool = GlobalPool<true>;

#define EMBER_INSTANCES(N)                      \
  extern template class Conv<N>;                \
  extern template class ConvTranspose<N>;       \
  extern template class MaxPool<N>;             \
  extern template class AvgPool<N>;             \
  extern template class AdaptivePool<N, false>; \
  extern template class AdaptivePool<N, true>;
EMBER_INSTANCES(1)
EMBER_INSTANCES(2)
EMBER_INSTANCES(3)
#undef EMBER_INSTANCES
extern template class GlobalPool<false>;
extern template class GlobalPool<true>;

}  // namespace ember::nn
