// Functions whose gradient is given rather than derived.
#pragma once
#include <functional>
#include <vector>

#include "ember/tensor.h"

namespace ember {

// y as a function of the inputs. Backward calls vjp with the gradient of y, a tensor of y's shape;
// it returns one gradient per input, undefined where there is none. vjp runs on the thread that
// differentiates, maybe several times; what it records can be differentiated again. How y itself
// was computed is not differentiated.
//
//   Tensor clip_gradient(const Tensor& x) {
//     return with_gradient(x.detach(), {x}, [](const Tensor& g) { return std::vector{ops::clip(g,
//     -1, 1)}; });
//   }
EMBER_API Tensor with_gradient(const Tensor& y, const std::vector<Tensor>& inputs,
                               std::function<std::vector<Tensor>(const Tensor& g)> vjp);

}  // namespace ember
