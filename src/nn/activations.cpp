// Activations as modules, and by name.
#include "ember/nn/activations.h"

#include "src/nn/common.h"

namespace ember::nn {

std::string Softmax::details() const { return "dim=" + std::to_string(dim_); }
std::string LogSoftmax::details() const { return "dim=" + std::to_string(dim_); }
std::string GLU::details() const { return "dim=" + std::to_string(dim_); }
std::string Softplus::details() const { return "beta=" + text(beta_); }
std::string ELU::details() const { return "alpha=" + text(alpha_); }
std::string CELU::details() const { return "alpha=" + text(alpha_); }
std::string LeakyReLU::details() const { return "negative_slope=" + text(negative_slope_); }
std::string GELU::details() const { return "approximate='" + approximate_ + "'"; }

PReLU::PReLU(int64_t n, double initial) {
  need_positive("PReLU", {{"num_parameters", n}});
  add("weight", weight, ops::full({n}, initial, default_float()));
}
Tensor PReLU::forward(const Tensor& x) {
  if (weight.size() == 1 || x.ndim() < 2) return ops::prelu(x, weight);
  Shape channels(size_t(x.ndim() - 1), 1);
  channels[0] = weight.size();
  return ops::prelu(x, ops::reshape(weight, channels));
}
std::string PReLU::details() const { return "num_parameters=" + std::to_string(weight.size()); }

Activation get_activation(std::string_view name) {
  struct Entry {
    std::string_view name;
    Activation f;
  };
  static constexpr Entry all[] = {
      {"relu", [](const Tensor& x) { return ops::relu(x); }},
      {"relu6", [](const Tensor& x) { return ops::relu6(x); }},
      {"sigmoid", [](const Tensor& x) { return ops::sigmoid(x); }},
      {"tanh", [](const Tensor& x) { return ops::tanh(x); }},
      {"softmax", [](const Tensor& x) { return ops::softmax(x); }},
      {"log_softmax", [](const Tensor& x) { return ops::log_softmax(x); }},
      {"softplus", [](const Tensor& x) { return ops::softplus(x); }},
      {"softsign", [](const Tensor& x) { return ops::softsign(x); }},
      {"gelu", [](const Tensor& x) { return ops::gelu(x); }},
      {"gelu_tanh", [](const Tensor& x) { return ops::gelu(x, "tanh"); }},
      {"silu", [](const Tensor& x) { return ops::silu(x); }},
      {"swish", [](const Tensor& x) { return ops::silu(x); }},
      {"elu", [](const Tensor& x) { return ops::elu(x); }},
      {"selu", [](const Tensor& x) { return ops::selu(x); }},
      {"leaky_relu", [](const Tensor& x) { return ops::leaky_relu(x); }},
      {"mish", [](const Tensor& x) { return ops::mish(x); }},
      {"hardswish", [](const Tensor& x) { return ops::hardswish(x); }},
      {"lecun_tanh", [](const Tensor& x) { return ops::tanh(x * (2.0 / 3)) * 1.7159; }},
      {"linear", [](const Tensor& x) { return x; }},
  };
  std::string names;
  for (const Entry& e : all) {
    if (e.name == name) return e.f;
    names += (names.empty() ? "" : ", ") + std::string(e.name);
  }
  throw ValueError("[get_activation] unknown activation '" + std::string(name.substr(0, 40)) +
                   "': " + names);
}

}  // namespace ember::nn
