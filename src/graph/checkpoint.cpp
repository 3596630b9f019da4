#include "ember/memory.h"

#include "src/graph/gradient.h"
#include "src/graph/graph.h"

namespace ember::memory {

// Records f once with gradients to find the leaves that it reads, then drops the graph. The
// gradient records f again over arguments that are evaluated after the cotangent, so that no
// segment is recomputed before the backward pass reaches it.
Tensor checkpoint(const std::function<Tensor(const Tensors&)>& f, const Tensors& args) {
  if (!grad_enabled()) return f(args);
  const Tensor y = f(args);
  if (!y.defined()) throw ValueError("[checkpoint] the function returned no tensor");
  if (!y.requires_grad()) return y;
  const Tensors leaves = forget_tape(y, args);
  Tensors inputs = args;
  inputs.insert(inputs.end(), leaves.begin(), leaves.end());
  return with_gradient(y.detach(), inputs, [f, args, leaves](const Tensor& g) {
    Tensors xs;
    for (const Tensor& a : args) {
      xs.push_back(identity(a, {&g, 1}));
      if (a.requires_grad() && !xs.back().requires_grad()) xs.back().set_requires_grad();
    }
    const Tensor again = [&] {
      const enable_grad on;
      return f(xs);
    }();
    xs.insert(xs.end(), leaves.begin(), leaves.end());
    return gradients_up_to({&again, 1}, xs, {&g, 1}, grad_enabled());
  });
}

}  // namespace ember::memory
