// Initial values of parameters. Each function returns a tensor of the given shape:
// p.assign(init::he_normal(p.shape())). Fans are PyTorch's: for [out, in, window...], fan_in is in
// * window and fan_out is out * window.
#pragma once
#include <functional>
#include <string_view>

#include "ember/ops.h"

namespace ember::nn::init {

struct Fans {
  int64_t in, out;
};
EMBER_API Fans fans(const Shape& shape);  // at least two dimensions
// The factor that preserves the variance through an activation: linear, conv, sigmoid, tanh, relu,
// leaky_relu (param is its slope), selu.
EMBER_API double gain(std::string_view activation, double param = 0.01);

EMBER_API Tensor zeros(const Shape& shape, DType dtype = default_float());
EMBER_API Tensor ones(const Shape& shape, DType dtype = default_float());
EMBER_API Tensor constant(const Shape& shape, double value, DType dtype = default_float());
EMBER_API Tensor uniform(const Shape& shape, double low = 0, double high = 1,
                         DType dtype = default_float());
EMBER_API Tensor normal(const Shape& shape, double mean = 0, double stddev = 1,
                        DType dtype = default_float());
EMBER_API Tensor truncated_normal(
    // low and high are values, not multiples of the standard deviation.
    const Shape& shape, double mean = 0, double stddev = 1, double low = -2, double high = 2,
    DType dtype = default_float());
EMBER_API Tensor orthogonal(const Shape& shape, double gain = 1, DType dtype = default_float());

EMBER_API Tensor xavier_uniform(const Shape& shape, double gain = 1, DType dtype = default_float());
EMBER_API Tensor xavier_normal(const Shape& shape, double gain = 1, DType dtype = default_float());
struct KaimingOptions {
  double slope = 0;            // of the leaky relu after the layer; 0 is relu
  bool fan_out = false;        // preserve the variance of gradients instead of that of values
  std::optional<double> gain;  // used instead of the slope's gain
  DType dtype = default_float();
};
EMBER_API Tensor kaiming_uniform(const Shape& shape, const KaimingOptions& options = {});
EMBER_API Tensor kaiming_normal(const Shape& shape, const KaimingOptions& options = {});
EMBER_API Tensor lecun_uniform(const Shape& shape, DType dtype = default_float());
EMBER_API Tensor
// Truncated at two standard deviations, with variance 1 / fan_in.
lecun_normal(const Shape& shape, DType dtype = default_float());
inline Tensor glorot_uniform(const Shape& shape, double gain = 1, DType dtype = default_float()) {
  return xavier_uniform(shape, gain, dtype);
}
inline Tensor glorot_normal(const Shape& shape, double gain = 1, DType dtype = default_float()) {
  return xavier_normal(shape, gain, dtype);
}
inline Tensor he_uniform(const Shape& shape, const KaimingOptions& options = {}) {
  return kaiming_uniform(shape, options);
}
inline Tensor he_normal(const Shape& shape, const KaimingOptions& options = {}) {
  return kaiming_normal(shape, options);
}

using Initializer = std::function<Tensor(const Shape&)>;
// "glorot_uniform", "zeros"...; the ValueError for an unknown name lists all.
EMBER_API Initializer get_initializer(std::string_view name);

}  // namespace ember::nn::init
