// Initializers of parameters.
#include "ember/nn/init.h"

#include <cmath>

#include "src/nn/common.h"

namespace ember::nn::init {
namespace {

// Draws with mean 0 and the given standard deviation, which is the bound of a uniform distribution
// divided by sqrt(3).
Tensor spread(const Shape& shape, double deviation, bool uniform, DType dtype) {
  const double bound = std::sqrt(3.0) * deviation;
  return uniform ? ops::random_uniform(shape, -bound, bound, dtype)
                 : ops::random_normal(shape, 0, deviation, dtype);
}
Tensor xavier(const Shape& shape, double gain, bool uniform, DType dtype) {
  const Fans f = fans(shape);
  return spread(shape, gain * std::sqrt(2.0 / double(std::max<int64_t>(1, f.in + f.out))), uniform,
                dtype);
}
Tensor kaiming(const Shape& shape, const KaimingOptions& o, bool uniform) {
  const Fans f = fans(shape);
  const double g = o.gain.value_or(init::gain("leaky_relu", o.slope));
  return spread(shape, g / std::sqrt(double(std::max<int64_t>(1, o.fan_out ? f.out : f.in))),
                uniform, o.dtype);
}

}  // namespace

Fans fans(const Shape& shape) {
  if (shape.size() < 2) {
    throw ShapeError("[init] fans need a shape of at least two dimensions, not " +
                     to_string(shape));
  }
  const int64_t window = size_of(std::span<const int64_t>(shape).subspan(2));
  return {shape[1] * window, shape[0] * window};
}
double gain(std::string_view activation, double param) {
  if (activation == "linear" || activation == "conv" || activation == "sigmoid") return 1;
  if (activation == "tanh") return 5.0 / 3;
  if (activation == "relu") return std::sqrt(2.0);
  if (activation == "leaky_relu") return std::sqrt(2 / (1 + param * param));
  if (activation == "selu") return 0.75;
  throw ValueError("[init::gain] unknown activation '" + std::string(activation.substr(0, 40)) +
                   "': linear, conv, sigmoid, tanh, relu, leaky_relu, selu");
}

Tensor zeros(const Shape& shape, DType dtype) { return ops::zeros(shape, dtype); }
Tensor ones(const Shape& shape, DType dtype) { return ops::ones(shape, dtype); }
Tensor constant(const Shape& shape, double value, DType dtype) {
  return ops::full(shape, value, dtype);
}
Tensor uniform(const Shape& shape, double low, double high, DType dtype) {
  return ops::random_uniform(shape, low, high, dtype);
}
Tensor normal(const Shape& shape, double mean, double stddev, DType dtype) {
  return ops::random_normal(shape, mean, stddev, dtype);
}
Tensor truncated_normal(const Shape& shape, double mean, double stddev, double low, double high,
                        DType dtype) {
  NEED(stddev > 0, "init::truncated_normal",
       "stddev must be positive, not " + std::to_string(stddev));
  // Limits the bounds to six standard deviations. Wider bounds would not change the distribution,
  // but a draw at the very end of its range would be returned as the bound.
  return ops::truncated_normal(shape, mean, stddev, std::max(-6.0, (low - mean) / stddev),
                               std::min(6.0, (high - mean) / stddev), dtype);
}
Tensor orthogonal(const Shape& shape, double gain, DType dtype) {
  return ops::orthogonal(shape, gain).astype(dtype);
}

Tensor xavier_uniform(const Shape& shape, double gain, DType dtype) {
  return xavier(shape, gain, true, dtype);
}
Tensor xavier_normal(const Shape& shape, double gain, DType dtype) {
  return xavier(shape, gain, false, dtype);
}
Tensor kaiming_uniform(const Shape& shape, const KaimingOptions& o) {
  return kaiming(shape, o, true);
}
Tensor kaiming_normal(const Shape& shape, const KaimingOptions& o) {
  return kaiming(shape, o, false);
}
Tensor lecun_uniform(const Shape& shape, DType dtype) {
  return kaiming(shape, {.gain = 1, .dtype = dtype}, true);
}
Tensor lecun_normal(const Shape& shape, DType dtype) {
  // The standard deviation of a standard normal distribution truncated at -2 and 2.
  constexpr double kept = 0.87962566103423978;
  const double deviation = 1 / (std::sqrt(double(std::max<int64_t>(1, fans(shape).in))) * kept);
  return ops::truncated_normal(shape, 0, deviation, -2, 2, dtype);
}

Initializer get_initializer(std::string_view name) {
  struct Entry {
    std::string_view name;
    Initializer make;
  };
  static const std::vector<Entry> all = {
      {"zeros", [](const Shape& s) { return zeros(s); }},
      {"ones", [](const Shape& s) { return ones(s); }},
      {"uniform", [](const Shape& s) { return uniform(s); }},
      {"normal", [](const Shape& s) { return normal(s); }},
      {"truncated_normal", [](const Shape& s) { return truncated_normal(s); }},
      {"orthogonal", [](const Shape& s) { return orthogonal(s); }},
      {"glorot_uniform", [](const Shape& s) { return xavier_uniform(s); }},
      {"glorot_normal", [](const Shape& s) { return xavier_normal(s); }},
      {"xavier_uniform", [](const Shape& s) { return xavier_uniform(s); }},
      {"xavier_normal", [](const Shape& s) { return xavier_normal(s); }},
      {"he_uniform", [](const Shape& s) { return kaiming_uniform(s); }},
      {"he_normal", [](const Shape& s) { return kaiming_normal(s); }},
      {"kaiming_uniform", [](const Shape& s) { return kaiming_uniform(s); }},
      {"kaiming_normal", [](const Shape& s) { return kaiming_normal(s); }},
      {"lecun_uniform", [](const Shape& s) { return lecun_uniform(s); }},
      {"lecun_normal", [](const Shape& s) { return lecun_normal(s); }},
  };
  std::string names;
  for (const Entry& e : all) {
    if (e.name == name) return e.make;
    names += (names.empty() ? "" : ", ") + std::string(e.name);
  }
  throw ValueError("[get_initializer] unknown initializer '" + std::string(name.substr(0, 40)) +
                   "': " + names);
}

}  // namespace ember::nn::init
