// Activations as modules, and by name. The functions themselves are in ops.
#pragma once
#include <string>
#include <string_view>

#include "ember/nn/module.h"
#include "ember/ops.h"

namespace ember::nn {

#define EMBER_ACTIVATION(Name, call)                          \
  class EMBER_API Name : public Module {                      \
   public:                                                    \
    Tensor forward(const Tensor& x) override { return call; } \
    std::string kind() const override { return #Name; }       \
  };
EMBER_ACTIVATION(ReLU, ops::relu(x))
EMBER_ACTIVATION(ReLU6, ops::relu6(x))
EMBER_ACTIVATION(Sigmoid, ops::sigmoid(x))
EMBER_ACTIVATION(LogSigmoid, ops::logsigmoid(x))
EMBER_ACTIVATION(Hardsigmoid, ops::hard_sigmoid(x, 1.0 / 6))
EMBER_ACTIVATION(Tanh, ops::tanh(x))
EMBER_ACTIVATION(LeCunTanh, ops::tanh(x * (2.0 / 3)) * 1.7159)
EMBER_ACTIVATION(SiLU, ops::silu(x))
EMBER_ACTIVATION(SELU, ops::selu(x))
EMBER_ACTIVATION(Mish, ops::mish(x))
EMBER_ACTIVATION(Hardswish, ops::hardswish(x))
EMBER_ACTIVATION(Softsign, ops::softsign(x))
#undef EMBER_ACTIVATION

// Activations with one option.
#define EMBER_ACTIVATION(Name, type, arg, standard, call)     \
  class EMBER_API Name : public Module {                      \
   public:                                                    \
    explicit Name(type arg = standard) : arg##_(arg) {}       \
    Tensor forward(const Tensor& x) override { return call; } \
    std::string kind() const override { return #Name; }       \
    std::string details() const override;                     \
                                                              \
   private:                                                   \
    type arg##_;                                              \
  };
EMBER_ACTIVATION(Softmax, int64_t, dim, -1, ops::softmax(x, dim_))
EMBER_ACTIVATION(LogSoftmax, int64_t, dim, -1, ops::log_softmax(x, dim_))
EMBER_ACTIVATION(GLU, int64_t, dim, -1, ops::glu(x, dim_))
EMBER_ACTIVATION(Softplus, double, beta, 1, ops::softplus(x, beta_))
EMBER_ACTIVATION(ELU, double, alpha, 1, ops::elu(x, alpha_))
EMBER_ACTIVATION(CELU, double, alpha, 1, ops::celu(x, alpha_))
EMBER_ACTIVATION(LeakyReLU, double, negative_slope, 0.01, ops::leaky_relu(x, negative_slope_))
EMBER_ACTIVATION(GELU, std::string, approximate, "none", ops::gelu(x, approximate_))
#undef EMBER_ACTIVATION

// A learned slope for negative x: one, or one per channel (axis 1).
class EMBER_API PReLU : public Module {
 public:
  explicit PReLU(int64_t num_parameters = 1, double initial = 0.25);
  Tensor forward(const Tensor& x) override;
  std::string kind() const override { return "PReLU"; }
  std::string details() const override;
  Parameter weight;
};

using Activation = Tensor (*)(const Tensor&);
// "relu", "gelu", "lecun_tanh"...; the ValueError for an unknown name lists all.
EMBER_API Activation get_activation(std::string_view name);

}  // namespace ember::nn
