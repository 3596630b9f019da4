// Recurrent networks and their cells.
#include "src/webnn/operators/operator.h"

namespace ember::webnn {

namespace {

struct Kind {
  uint32_t gates;
  size_t activations;
};
constexpr Kind gru_kind{3, 2}, lstm_kind{4, 3};

// Checks the shapes of all operands; directions is empty for a cell.
void check_shapes(const Call& c, Kind kind, Dimensions directions) {
  const Dimensions& x = c.shape("input");
  const uint32_t hidden = c.u32("hiddenSize");
  const uint32_t batch = x[x.size() - 2];
  // The specification allows the two biases to be concatenated, so that size is checked too.
  dimensions(c.operand("input").dataType(), Ints{int64_t(hidden) * kind.gates * 2});
  const auto need = [&](const char* name, std::initializer_list<uint32_t> rest) {
    Dimensions wanted = directions;
    wanted.insert(wanted.end(), rest);
    need_shape(c, name, wanted);
  };
  need("weight", {kind.gates * hidden, x.back()});
  need("recurrentWeight", {kind.gates * hidden, hidden});
  need("bias", {kind.gates * hidden});
  need("recurrentBias", {kind.gates * hidden});
  need("peepholeWeight", {3 * hidden});
  for (const char* state : {"hiddenState", "cellState", "initialHiddenState", "initialCellState"}) {
    need(state, {batch, hidden});
  }
  if (c.has("activations")) {
    need_length("activations", c.list("activations").size(), kind.activations);
  }
}

ops::RecurrentOptions options(const Call& c, bool cell) {
  ops::RecurrentOptions o{.bias = c.optional("bias"),
                          .recurrent_bias = c.optional("recurrentBias"),
                          .peephole = c.optional("peepholeWeight"),
                          .initial_hidden = c.optional("initialHiddenState"),
                          .initial_cell = c.optional("initialCellState"),
                          .reset_after = c.flag("resetAfter", true),
                          .return_sequence = c.flag("returnSequence"),
                          .layout = c.text("layout")};
  if (!cell) o.direction = c.text("direction");
  if (c.has("activations")) {
    for (const Arg& a : c.list("activations")) o.activations.push_back(std::get<std::string>(a));
  }
  return o;
}

template <Tensors (*f)(const Tensor&, const Tensor&, const Tensor&, const ops::RecurrentOptions&)>
Results network(Call& c, Kind kind) {
  const Dimensions& x = c.shape("input");
  const uint32_t steps = c.u32("steps");
  const uint32_t directions = c.text("direction") == "both" ? 2 : 1;
  if (x[0] != steps) {
    throw ShapeError("'steps' is " + std::to_string(steps) + ", the input has " +
                     std::to_string(x[0]));
  }
  check_shapes(c, kind, {directions});
  // The whole sequence must be a valid tensor, even if it is not returned.
  dimensions(c.operand("input").dataType(), Ints{steps, directions, x[1], c.u32("hiddenSize")});
  Results r;
  for (Tensor& t :
       f(c.tensor("input"), c.tensor("weight"), c.tensor("recurrentWeight"), options(c, false))) {
    r.push_back(c.result(std::move(t)));
  }
  return r;
}

Results gru_cell(Call& c) {
  check_shapes(c, gru_kind, {});
  return {c.result(ops::gru_cell(c.tensor("input"), c.tensor("weight"), c.tensor("recurrentWeight"),
                                 c.tensor("hiddenState"), options(c, true)))};
}
Results lstm_cell(Call& c) {
  check_shapes(c, lstm_kind, {});
  Results r;
  for (Tensor& t :
       ops::lstm_cell(c.tensor("input"), c.tensor("weight"), c.tensor("recurrentWeight"),
                      c.tensor("hiddenState"), c.tensor("cellState"), options(c, true))) {
    r.push_back(c.result(std::move(t)));
  }
  return r;
}

#define ACTIVATIONS "activations:[relu|sigmoid|tanh]"
#define SEQUENCE "initialHiddenState returnSequence:bool direction:forward|backward|both "
const RowText rows[] = {
    {"gru", "input weight recurrentWeight steps:u32 hiddenSize:u32",
     "bias recurrentBias " SEQUENCE "resetAfter:bool layout:zrn|rzn " ACTIVATIONS,
     "input:float@3 weight:input@3 recurrentWeight:input@3 bias:input@2 recurrentBias:input@2 "
     "initialHiddenState:input@3 "
     "output0:input@3 output1:input@4",
     [](Call& c) { return network<ops::gru>(c, gru_kind); }, true},
    {"gruCell", "input weight recurrentWeight hiddenState hiddenSize:u32",
     "bias recurrentBias resetAfter:bool layout:zrn|rzn " ACTIVATIONS,
     "input:float@2 weight:input@2 recurrentWeight:input@2 hiddenState:input@2 bias:input@1 "
     "recurrentBias:input@1 output:input@2",
     gru_cell},
    {"lstm", "input weight recurrentWeight steps:u32 hiddenSize:u32",
     "bias recurrentBias peepholeWeight " SEQUENCE "initialCellState layout:iofg|ifgo " ACTIVATIONS,
     "input:float@3 weight:input@3 recurrentWeight:input@3 bias:input@2 recurrentBias:input@2 "
     "peepholeWeight:input@2 "
     "initialHiddenState:input@3 initialCellState:input@3 output0:input@3 output1:input@3 "
     "output2:input@4",
     [](Call& c) { return network<ops::lstm>(c, lstm_kind); }, true},
    {"lstmCell", "input weight recurrentWeight hiddenState cellState hiddenSize:u32",
     "bias recurrentBias peepholeWeight layout:iofg|ifgo " ACTIVATIONS,
     "input:float@2 weight:input@2 recurrentWeight:input@2 hiddenState:input@2 cellState:input@2 "
     "bias:input@1 recurrentBias:input@1 "
     "peepholeWeight:input@1 output0:input@2 output1:input@2",
     lstm_cell, true},
};

}  // namespace

std::span<const RowText> recurrent_operators() { return rows; }

}  // namespace ember::webnn
