#include "ember/memory.h"

#include "src/graph/gradient.h"
#include "src/graph/graph.h"

namespace ember::memory {

// f is recorded once with gradients, to learn which leaves it reads, and let go of: nothing of it
// is kept. The gradient records f again, over arguments that wait for the incoming gradient, so
// that no layer is computed again before its turn.
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
