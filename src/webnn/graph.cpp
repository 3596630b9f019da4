// Builds graphs: an operand holds a recorded tensor, and build() compiles a program.
#include <unordered_set>

#include "src/core/node.h"
#include "src/graph/graph.h"
#include "src/webnn/operators/operator.h"

namespace ember::webnn {
namespace {

void check_open(const BuilderState& b) {
  if (b.context.lost()) throw StateError("the builder's context is lost");
  if (b.built && !b.reusable) {
    throw StateError("the builder has built its graph: make another builder");
  }
}

// Runs f, which records on the context's engine.
template <class F> auto recorded(const BuilderState& b, F f) {
  const Recording recording;
  const EngineScope scope(b.context.state().engine, b.context.device());
  return f();
}

}  // namespace

Tensor move_to_context(const BuilderState& b, const Tensor& t) {
  const ContextState& c = b.context.state();
  return c.device == Device() ? t : t.to_backend(engine_name(c.engine)).to_device(c.device).eval();
}

double to_double(const MLNumber& n) {
  return std::visit([](auto v) { return double(v); },
                    static_cast<const std::variant<double, int64_t, uint64_t>&>(n));
}

Tensor scalar_of(const MLNumber& n, DType t) {
  return std::visit(
      [&](auto v) { return from_data(&v, dtype_of<decltype(v)>, {}).astype(t).eval(); },
      static_cast<const std::variant<double, int64_t, uint64_t>&>(number_as(n, t)));
}

MLOperand new_operand(BuilderState& b, Tensor tensor) {
  auto s = std::make_shared<OperandState>();
  s->builder = b.id;
  s->type = {tensor.dtype(), dimensions_of(tensor.shape())};
  check_descriptor(s->type);
  s->tensor = std::move(tensor);
  return MLOperand(std::move(s));
}

DType MLOperand::dataType() const { return state_->type.dataType; }
const Dimensions& MLOperand::shape() const { return state_->type.shape; }
const std::string& MLOperand::name() const { return state_->name; }

const std::vector<std::pair<std::string, MLOperandDescriptor>>& MLGraph::inputs() const {
  return state_->inputs;
}
const std::vector<std::pair<std::string, MLOperandDescriptor>>& MLGraph::outputs() const {
  return state_->outputs;
}
std::vector<std::string> MLGraph::devices() const {
  return {ember::to_string(state_->context->device)};
}
void MLGraph::destroy() { state_->destroyed.store(true); }

MLGraphBuilder::MLGraphBuilder(const MLContext& context) {
  if (!context.defined()) throw ValueError("[MLGraphBuilder] the context is missing");
  if (context.lost()) throw StateError("[MLGraphBuilder] the context is lost");
  static std::atomic<uint64_t> builders{0};
  state_ = std::make_shared<BuilderState>();
  state_->id = ++builders;
  state_->context = context;
}
const MLContext& MLGraphBuilder::context() const { return state_->context; }

MLOperand MLGraphBuilder::input(std::string name, const MLOperandDescriptor& type) {
  BuilderState& b = *state_;
  check_open(b);
  if (name.empty()) throw ValueError("[input] the name is empty");
  try {
    check_descriptor(type);
  } catch (...) {
    rethrow_for("input");
  }
  auto s = std::make_shared<OperandState>();
  s->builder = b.id;
  s->type = type;
  s->name = std::move(name);
  s->tensor = recorded(b, [&] { return placeholder({type.dataType, shape_of(type.shape)}); });
  b.inputs.push_back(MLOperand(std::move(s)));
  return b.inputs.back();
}

MLOperand MLGraphBuilder::constant(const MLOperandDescriptor& type, const void* data,
                                   size_t bytes) {
  BuilderState& b = *state_;
  check_open(b);
  auto s = std::make_shared<OperandState>();
  s->builder = b.id;
  s->type = type;
  s->constant = true;
  try {
    check_descriptor(type);
    s->tensor = recorded(b, [&] { return move_to_context(b, tensor_from(type, data, bytes)); });
  } catch (...) {
    rethrow_for("constant");
  }
  b.constants.push_back(MLOperand(std::move(s)));
  return b.constants.back();
}

MLOperand MLGraphBuilder::constant(DType type, MLNumber value) {
  BuilderState& b = *state_;
  check_open(b);
  auto s = std::make_shared<OperandState>();
  s->builder = b.id;
  s->type = {type, {}};
  s->constant = true;
  try {
    check_descriptor(s->type);
    s->tensor = recorded(b, [&] { return move_to_context(b, scalar_of(value, type)); });
  } catch (...) {
    rethrow_for("constant");
  }
  b.constants.push_back(MLOperand(std::move(s)));
  return b.constants.back();
}

MLOperand MLGraphBuilder::constant(const MLTensor& tensor) {
  BuilderState& b = *state_;
  check_open(b);
  if (!tensor.defined() || tensor.state().context.get() != &b.context.state()) {
    throw ValueError("[constant] the tensor belongs to another context");
  }
  if (!tensor.constant()) {
    throw ValueError("[constant] the tensor is not constant: createConstantTensor makes those");
  }
  if (tensor.destroyed()) throw ValueError("[constant] the tensor is destroyed");
  auto s = std::make_shared<OperandState>();
  s->builder = b.id;
  s->type = tensor.state().type;
  s->constant = true;
  s->tensor = move_to_context(b, tensor.value());
  b.constants.push_back(MLOperand(std::move(s)));
  return b.constants.back();
}

std::vector<MLOperand> MLGraphBuilder::call(const Operator& op, std::vector<Arg> args,
                                            Options options) {
  BuilderState& b = *state_;
  check_open(b);
  const auto label = options.find("label");
  const std::string name =
      label == options.end() ? op.name : std::get<std::string>(label->second) + "] [" + op.name;
  try {
    check_call(b, op, args, options);
    Call c{b, op, args, options};
    auto results = recorded(b, [&] { return op.build(c); });
    b.operations.push_back({&op, std::move(args), std::move(options), results});
    return results;
  } catch (const MemoryError& e) {
    throw ValueError("[" + name + "] the result is too large: " + e.what());
  } catch (...) {
    rethrow_for(name);
  }
}

MLGraph MLGraphBuilder::build(const MLNamedOperands& outputs) { return prepare(outputs)(); }

std::function<MLGraph()> MLGraphBuilder::prepare(const MLNamedOperands& outputs) {
  BuilderState& b = *state_;
  check_open(b);
  if (outputs.empty()) throw ValueError("[build] needs at least one output");
  auto g = std::make_shared<GraphState>();
  std::unordered_set<const OperandState*> needed;
  std::vector<Tensor> results;
  for (const auto& [name, o] : outputs) {
    if (name.empty()) throw ValueError("[build] the name of an output is empty");
    if (!o.defined() || o.state().builder != b.id) {
      throw ValueError("[build] the output '" + name + "' belongs to another builder");
    }
    if (o.state().constant || !o.name().empty()) {
      throw ValueError("[build] the output '" + name +
                       "' is an input or a constant, not the result of an operator");
    }
    for (const auto& [before, type] : g->outputs) {
      if (before == name) throw ValueError("[build] duplicate output '" + name + "'");
    }
    g->outputs.push_back({name, o.state().type});
    g->output_operands.push_back(o);
    // On a device a view is copied, because tensors are contiguous there.
    results.push_back(b.context.device() == Device() ? o.state().tensor : recorded(b, [&] {
      return ops::copy(o.state().tensor);
    }));
    needed.insert(&o.state());
  }
  // Collects the operations that the outputs depend on, in the order of creation.
  const auto need = [&](const Arg& a, const auto& self) -> void {
    if (const auto* o = std::get_if<MLOperand>(&a)) needed.insert(&o->state());
    if (const auto* list = std::get_if<std::vector<Arg>>(&a)) {
      for (const Arg& e : *list) self(e, self);
    }
  };
  for (size_t i = b.operations.size(); i--;) {
    const Operation& op = b.operations[i];
    if (std::none_of(op.results.begin(), op.results.end(),
                     [&](const MLOperand& r) { return needed.contains(&r.state()); })) {
      continue;
    }
    for (const Arg& a : op.args) need(a, need);
    for (const auto& [name, a] : op.options) need(a, need);
    g->operations.push_back(op);
  }
  std::reverse(g->operations.begin(), g->operations.end());
  std::vector<Tensor> inputs;
  for (const MLOperand& i : b.inputs) {
    if (!needed.contains(&i.state())) continue;
    // Checked here and not by input(), because the web platform's tests create many inputs with the
    // same name.
    for (const auto& [before, type] : g->inputs) {
      if (before == i.name()) throw ValueError("[build] duplicate input '" + before + "'");
    }
    g->inputs.push_back({i.name(), i.state().type});
    g->input_operands.push_back(i);
    inputs.push_back(i.state().tensor);
  }
  for (const MLOperand& k : b.constants) {
    if (needed.contains(&k.state())) g->constants.push_back(k);
  }
  b.built = true;
  g->context = {b.context.shared()};
  return [g, inputs = std::move(inputs), results = std::move(results)] {
    try {
      g->program.emplace(inputs, results);
    } catch (...) {
      rethrow_for("build");
    }
    return MLGraph(g);
  };
}

}  // namespace ember::webnn
