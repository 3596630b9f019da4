// Functions with a user-defined gradient.
#pragma once
#include <functional>
#include <vector>

#include "ember/tensor.h"

namespace ember {

// Returns y as a function of the inputs. Backward calls vjp with the cotangent, a tensor of y's
// shape; vjp returns one gradient per input, undefined where there is none. vjp runs on the thread
// that differentiates, possibly several times; the ops that it records can be differentiated again.
// The computation of y itself is not differentiated.
//
//   Tensor clip_gradient(const Tensor& x) {
//     return with_gradient(x.detach(), {x}, [](const Tensor& g) { return std::vector{ops::clip(g,
//     -1, 1)}; });
//   }
EMBER_API Tensor with_gradient(const Tensor& y, const std::vector<Tensor>& inputs,
                               std::function<std::vector<Tensor>(const Tensor& g)> vjp);

}  // namespace ember
