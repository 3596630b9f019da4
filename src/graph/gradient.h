// What a gradient rule gets and gives. A rule is written in ops, so it runs on every engine and can
// be differentiated again.
#pragma once
#include <functional>
#include <span>

#include "ember/custom_gradient.h"
#include "ember/row.h"

namespace ember {

struct Vjp {
  Inputs x, y;  // y: the outputs, several where the op has several
  Inputs g;     // the gradients of the outputs; undefined where nothing depends on one
  const Attrs& attrs;
  std::span<const bool> needs;  // per input: whether its gradient is wanted
};
// One gradient per input, undefined where there is none (or where it is not wanted). Shapes may
// still be those of a broadcast, and gradients of real inputs complex: the caller sums and takes
// the real part.
using Gradients = std::vector<Tensor>;
struct GradientRule {
  OpId op;
  Gradients (*vjp)(const Vjp&);
  uint8_t reads;  // whose values the rule reads: bit i is input i, reads_y the outputs
  uint8_t (*reads_by)(const Node&) =
      nullptr;  // where that depends on the attributes, or on whose gradient is wanted
};
enum : uint8_t {
  reads_none = 0,
  reads_x = 1,
  reads_x2 = 2,
  reads_x3 = 4,
  reads_y = 128,
  reads_all_x = 127
};

std::span<const GradientRule> elementwise_gradients();
std::span<const GradientRule> reduction_gradients();
std::span<const GradientRule> movement_gradients();
std::span<const GradientRule> indexing_gradients();
std::span<const GradientRule> linalg_gradients();
std::span<const GradientRule> neural_gradients();

EMBER_API const GradientRule* gradient_rule(OpId);  // none: through the op's body, or not at all
// For reads_by, of two inputs of which each one's gradient reads the other.
uint8_t reads_crosswise(const Node&);
// The values the rule of a recorded node reads; a composite without one reads its inputs again.
uint8_t gradient_reads(const Node&);

Tensor sum_to(const Tensor& g, const Shape& shape);  // undoes a broadcast

// For gradients that are not an op's.
Tensor after(const Tensor& x,
             const Tensor& first);  // x itself, in the order of evaluation after another
// The leaves beside the given tensors that y depends on; what y was made from is no longer kept.
std::vector<Tensor> forget_tape(const Tensor& y, std::span<const Tensor> given);
// Gradients at xs, not beyond them; undefined where ys do not depend on one.
std::vector<Tensor> gradients_up_to(std::span<const Tensor> ys, std::span<const Tensor> xs,
                                    std::span<const Tensor> gs, bool create_graph);

}  // namespace ember
