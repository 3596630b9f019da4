// Normalization and softmax.
#include "src/webnn/operators/operator.h"

namespace ember::webnn {

namespace {

// epsilon, rounded to the input's dtype.
double epsilon(const Call& c) {
  return std::get<double>(number_as(c.f64("epsilon", 1e-5), c.operand("input").dataType()));
}

Results batch_normalization(Call& c) {
  const uint32_t axis = axis_of(c, "axis", c.shape("input").size(), 1);
  for (const char* name : {"mean", "variance", "scale", "bias"}) {
    need_shape(c, name, {c.shape("input")[axis]});
  }
  return {c.result(ops::batch_norm(c.tensor("input"), c.tensor("mean"), c.tensor("variance"),
                                   c.optional("scale"), c.optional("bias"), axis, epsilon(c)))};
}

Results instance_normalization(Call& c) {
  const std::string layout = c.text("layout");
  for (const char* name : {"scale", "bias"}) {
    need_shape(c, name, {c.shape("input")[layout.find('c')]});
  }
  return {c.result(ops::instance_norm(c.tensor("input"), c.optional("scale"), c.optional("bias"),
                                      epsilon(c), layout))};
}

Results layer_normalization(Call& c) {
  const Dimensions& shape = c.shape("input");
  Dimensions axes = axes_of(c, "axes", shape.size());
  Dimensions sizes;
  if (!c.has("axes") && !axes.empty()) axes.erase(axes.begin());  // all but the first
  for (uint32_t a : axes) sizes.push_back(shape[a]);
  for (const char* name : {"scale", "bias"}) need_shape(c, name, sizes);
  return {c.result(ops::layer_norm(c.tensor("input"), c.optional("scale"), c.optional("bias"),
                                   ints(axes), epsilon(c)))};
}

const RowText rows[] = {
    {"batchNormalization", "input mean variance", "scale bias axis:u32 epsilon:f64",
     "input:float@1-8 mean:input@1 variance:input@1 scale:input@1 bias:input@1 output:input@1-8",
     batch_normalization},
    {"instanceNormalization", "input", "scale bias epsilon:f64 layout:nchw|nhwc",
     "input:float@4 scale:input@1 bias:input@1 output:input@4", instance_normalization},
    {"layerNormalization", "input", "scale bias axes:u32s epsilon:f64",
     "input:float@any scale:input@any bias:input@any output:input@any", layer_normalization},
    {"softmax", "input axis:u32", "", "input:float@1-8 output:input@1-8",
     [](Call& c) -> Results {
       return {
           c.result(ops::softmax(c.tensor("input"), axis_of(c, "axis", c.shape("input").size())))};
     }},
};

}  // namespace

std::span<const RowText> normalization_operators() { return rows; }

}  // namespace ember::webnn
