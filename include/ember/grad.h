// Gradients: reverse mode over the graph. Gradients are tensors like any other: lazy, on the engine
// of what they differentiate, and differentiable again.
#pragma once
#include <functional>

#include "ember/tensor.h"

namespace ember {

EMBER_API bool grad_enabled();
// While one of these lives, what this thread records is (not) differentiated.
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
  bool retain_graph = false;  // keep what a second pass over the same graph needs
  bool create_graph =
      false;                 // the gradients can be differentiated themselves; implies retain_graph
  bool allow_unused = true;  // false: an input that the outputs do not depend on is a ValueError,
                             // else its gradient is zeros
};
// The gradients of sum(ys * gs) with respect to xs; gs are ones where left out. ys without gs must
// have one element.
EMBER_API std::vector<Tensor> gradients(std::span<const Tensor> ys, std::span<const Tensor> xs,
                                        std::span<const Tensor> gs = {}, GradOptions options = {});
// Adds the gradients of y to grad() of every leaf that requires them.
EMBER_API void backward(const Tensor& y, const Tensor& gradient = {}, GradOptions options = {});

using Tensors = std::vector<Tensor>;
struct ValueAndGrad {
  Tensor value;
  Tensors grads;
};
// The functional form. f is called with its arguments marked; grad(grad(f)) is the second
// derivative.
EMBER_API ValueAndGrad value_and_grad(const std::function<Tensor(const Tensors&)>& f,
                                      const Tensors& args);
inline Tensors grad(const std::function<Tensor(const Tensors&)>& f, const Tensors& args) {
  return value_and_grad(f, args).grads;
}
// Of one argument: grad(f)(x).
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
