// Gradients: reverse mode over the graph. Gradients are ordinary tensors: lazy, on the engine of
// the differentiated tensor, and differentiable again.
#pragma once
#include <functional>

#include "ember/tensor.h"

namespace ember {

EMBER_API bool grad_enabled();
// Enables or disables the recording of gradients on this thread until the object is destroyed.
class EMBER_API grad_mode {
 public:
  explicit grad_mode(bool on);
  grad_mode(const grad_mode&) = delete;
  ~grad_mode();

 private:
  bool before_;
};
struct no_grad : grad_mode {
  no_grad() : grad_mode(false) {}
};
struct enable_grad : grad_mode {
  enable_grad() : grad_mode(true) {}
};

struct GradOptions {
  bool retain_graph = false;  // keep the data that a second pass over the same graph needs
  // The gradients are themselves differentiable; implies retain_graph.
  bool create_graph = false;
  // False: an input that the outputs do not depend on is a ValueError. True: its gradient is zeros.
  bool allow_unused = true;
};
// The gradients of sum(ys * gs) with respect to xs. gs defaults to ones; ys without gs must have
// one element.
EMBER_API std::vector<Tensor> gradients(std::span<const Tensor> ys, std::span<const Tensor> xs,
                                        std::span<const Tensor> gs = {}, GradOptions options = {});
// Accumulates the gradient of y into grad() of every leaf that requires one.
EMBER_API void backward(const Tensor& y, const Tensor& gradient = {}, GradOptions options = {});

using Tensors = std::vector<Tensor>;
struct ValueAndGrad {
  Tensor value;
  Tensors grads;
};
// The functional form. f is called with arguments that require gradients; grad(grad(f)) is the
// second derivative.
EMBER_API ValueAndGrad value_and_grad(const std::function<Tensor(const Tensors&)>& f,
                                      const Tensors& args);
inline Tensors grad(const std::function<Tensor(const Tensors&)>& f, const Tensors& args) {
  return value_and_grad(f, args).grads;
}
// For a function of one argument: grad(f)(x).
template <class F>
  requires std::is_invocable_r_v<Tensor, F, const Tensor&>
auto grad(F f) {
  return [f = std::move(f)](const Tensor& x) {
    return value_and_grad([&](const Tensors& a) { return f(a[0]); }, {x}).grads[0];
  };
}
template <class F>
  requires std::is_invocable_r_v<Tensor, F, const Tensor&>
auto value_and_grad(F f) {
  return [f = std::move(f)](const Tensor& x) {
    ValueAndGrad r = value_and_grad([&](const Tensors& a) { return f(a[0]); }, {x});
    return std::pair(std::move(r.value), std::move(r.grads[0]));
  };
}

}  // namespace ember
