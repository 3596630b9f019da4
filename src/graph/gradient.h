// Gradients over a recorded graph.
#pragma once
#include <functional>
#include <span>

#include "ember/custom_gradient.h"
#include "ember/row.h"

namespace ember {

// The values the rule of a recorded node reads; a composite without one reads its inputs again.
uint8_t gradient_reads(const Node&);

Tensor sum_to(const Tensor& g, const Shape& shape);  // undoes a broadcast

// The leaves beside the given tensors that y depends on; what y was made from is no longer kept.
std::vector<Tensor> forget_tape(const Tensor& y, std::span<const Tensor> given);
// Gradients at xs, not beyond them; undefined where ys do not depend on one.
std::vector<Tensor> gradients_up_to(std::span<const Tensor> ys, std::span<const Tensor> xs,
                                    std::span<const Tensor> gs, bool create_graph);

}  // namespace ember
