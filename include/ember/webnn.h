// The W3C's WebNN: contexts, tensors, graphs, and a builder with the operators of its
// specification. A WebNN graph is a recorded graph: build() compiles it once, dispatch() runs it.
// Names are the specification's.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "ember/dtype.h"
#include "ember/engine.h"
#include "ember/tensor.h"

namespace ember::webnn {

// Errors are Ember's (error.h). StateError corresponds to the specification's InvalidStateError;
// UnsupportedError to NotSupportedError; EngineError, MemoryError and IoError to OperationError;
// all others to TypeError.

using Dimensions = std::vector<uint32_t>;
struct MLOperandDescriptor {
  DType dataType = DType::float32;  // one of data_types()
  Dimensions shape;
  bool operator==(const MLOperandDescriptor&) const = default;
};
struct MLTensorDescriptor : MLOperandDescriptor {
  bool readable = false, writable = false;
  // Outside the specification: the memory may be exported, see MLTensor::value.
  bool exportable = false;
};
// float32, float16, int32, uint32, int64, uint64, int8, uint8, int4, uint4.
EMBER_API std::span<const DType> data_types();
EMBER_API size_t
// The size of the bytes that are written and read. Two 4-bit integers share a byte, the first in
// the low half.
byte_length(const MLOperandDescriptor&);
inline constexpr size_t max_tensor_bytes = 2147483647, max_rank = 8;

// A number of any operand's dtype without loss: 64-bit integers do not fit a double.
struct MLNumber : std::variant<double, int64_t, uint64_t> {
  using variant::variant;
  MLNumber(int v) : variant(int64_t(v)) {}
  MLNumber(unsigned v) : variant(uint64_t(v)) {}
};

class MLContext;
class MLGraph;
struct Operator;

struct OperandState;
class EMBER_API MLOperand {
 public:
  MLOperand() = default;  // an option that is not given
  explicit MLOperand(std::shared_ptr<const OperandState> s) : state_(std::move(s)) {}
  bool defined() const { return state_ != nullptr; }
  DType dataType() const;
  const Dimensions& shape() const;
  const std::string& name() const;  // of an input; otherwise empty
  const OperandState& state() const { return *state_; }
  bool operator==(const MLOperand&) const = default;

 private:
  std::shared_ptr<const OperandState> state_;
};

struct TensorState;
class EMBER_API MLTensor {
 public:
  MLTensor() = default;
  explicit MLTensor(std::shared_ptr<TensorState> s) : state_(std::move(s)) {}
  bool defined() const { return state_ != nullptr; }
  DType dataType() const;
  const Dimensions& shape() const;
  bool readable() const;
  bool writable() const;
  bool constant() const;
  bool exportable() const;
  bool destroyed() const;
  bool materialized() const;  // its storage exists: it was written, read or dispatched
  void destroy();             // earlier requests are completed; repeated calls are allowed
  // The current value of an exportable or constant tensor, sharing memory. Waits for earlier
  // requests.
  Tensor value() const;
  TensorState& state() const { return *state_; }
  bool operator==(const MLTensor&) const = default;

 private:
  std::shared_ptr<TensorState> state_;
};

struct GraphState;
class EMBER_API MLGraph {
 public:
  MLGraph() = default;
  explicit MLGraph(std::shared_ptr<GraphState> s) : state_(std::move(s)) {}
  bool defined() const { return state_ != nullptr; }
  // In the order of creation.
  const std::vector<std::pair<std::string, MLOperandDescriptor>>& inputs() const;
  const std::vector<std::pair<std::string, MLOperandDescriptor>>& outputs() const;
  std::vector<std::string> devices() const;
  void destroy();
  GraphState& state() const { return *state_; }

 private:
  std::shared_ptr<GraphState> state_;
};

// Named tensors of a dispatch. Names must be unique.
using MLNamedTensors = std::span<const std::pair<std::string_view, MLTensor>>;
using NamedTensors = std::initializer_list<std::pair<std::string_view, MLTensor>>;
using MLNamedOperands = std::vector<std::pair<std::string, MLOperand>>;

struct MLContextOptions {
  std::string powerPreference = "default";  // or high-performance, low-power
  bool accelerated = true;
  std::string engine;  // outside the specification: an Ember backend; empty: the current one
  // Outside the specification: one of the engine's devices; by default the current one, or the
  // engine's first.
  std::string device;
};

struct ContextState;
class EMBER_API MLContext {
 public:
  MLContext() = default;
  explicit MLContext(std::shared_ptr<ContextState> s) : state_(std::move(s)) {}
  bool defined() const { return state_ != nullptr; }

  MLTensor createTensor(const MLTensorDescriptor&) const;  // filled with zeros
  MLTensor createConstantTensor(const MLOperandDescriptor&, const void* data, size_t bytes) const;
  // Dispatches, reads and writes of one context run in the order of the calls. dispatch and
  // writeTensor do not wait; an error inside a dispatch is thrown by the next read of its outputs.
  void dispatch(const MLGraph&, MLNamedTensors inputs, MLNamedTensors outputs) const;
  void dispatch(const MLGraph& g, NamedTensors inputs, NamedTensors outputs) const {
    dispatch(g, MLNamedTensors(inputs.begin(), inputs.size()),
             MLNamedTensors(outputs.begin(), outputs.size()));
  }
  // Copies the data before it returns.
  void writeTensor(const MLTensor&, const void* data, size_t bytes) const;
  // Waits, then writes the first byte_length() bytes of out.
  void readTensor(const MLTensor&, void* out, size_t bytes) const;
  std::vector<std::byte> readTensor(const MLTensor&) const;
  // Does not wait. done is called once, on any thread, with the bytes, or with an error and no
  // bytes.
  using Done = std::function<void(std::exception_ptr, std::span<const std::byte>)>;
  void readTensor(const MLTensor&, Done done) const;

  void wait() const;  // until all earlier requests are completed
  // Loses the context and discards dispatches that have not begun; repeated calls are allowed.
  void destroy() const;
  void onLost(std::function<void(std::string message)>) const;
  bool lost() const;
  bool accelerated() const;  // whether it computes on something other than the CPU
  const std::string& powerPreference() const;
  std::string_view engine() const;
  Device device() const;
  ContextState& state() const { return *state_; }
  const std::shared_ptr<ContextState>& shared() const { return state_; }
  bool operator==(const MLContext&) const = default;

 private:
  std::shared_ptr<ContextState> state_;
};
EMBER_API MLContext createContext(const MLContextOptions& = {});

// ---- operators: rows, as every language reads them ----

enum class ParamType : uint8_t {
  operand,
  operands,
  boolean,
  u32,
  wrapped_u32,
  i32,
  u32s,
  wrapped_u32s,
  f64,
  f32s,
  number,
  data_type,
  choice,
  choices,
  splits
};
struct Param {
  std::string name;
  ParamType type = ParamType::operand;
  // choice, choices: the strings allowed; the first is the default of a choice.
  std::vector<std::string> choices;
};
struct TensorLimit {  // of one operand
  std::string name;
  std::vector<DType> dataTypes;
  // The operand whose dtype it must have; empty: any of dataTypes.
  uint32_t min_rank = 0, max_rank = 0;
  std::string same_as;
};
struct Arg : std::variant<std::monostate, bool, MLNumber, std::string, DType, MLOperand,
                          std::vector<Arg>> {
  using variant::variant;
  bool given() const { return index() != 0; }
};
struct Call;
struct Operator {
  // options: without label, which all operators have.
  std::string name;
  std::vector<Param> params, options;
  // Limits of the operands, then of the results (output, or output0, output1...).
  std::vector<TensorLimit> limits;
  bool several = false;  // returns a list of operands
  std::vector<MLOperand> (*build)(Call&) = nullptr;
};
EMBER_API std::span<const Operator> operators();
EMBER_API const Operator* find_operator(std::string_view name);

// A recorded call of an operator.
struct Options : std::map<std::string, Arg, std::less<>> {
  using map::map;
};
struct Operation {
  const Operator* op = nullptr;
  std::vector<Arg> args;  // in the order of op->params
  Options options;        // the given options, including label
  std::vector<MLOperand> results;
};

// ---- options of the operators; defaults are the specification's ----

using Label = std::string;
using List = std::optional<Dimensions>;
#define EMBER_OPTIONS(...) \
  template <class F> void each(F&& f) const { __VA_ARGS__; }
struct MLOperatorOptions {
  Label label;
  EMBER_OPTIONS((void)f)
};
struct MLArgMinMaxOptions {
  Label label;
  bool keepDimensions = false;
  DType outputDataType = DType::int32;
  EMBER_OPTIONS(f("keepDimensions", keepDimensions), f("outputDataType", outputDataType))
};
struct MLBatchNormalizationOptions {
  Label label;
  MLOperand scale, bias;
  uint32_t axis = 1;
  double epsilon = 1e-5;
  EMBER_OPTIONS(f("scale", scale), f("bias", bias), f("axis", axis), f("epsilon", epsilon))
};
struct MLClampOptions {
  Label label;
  std::optional<MLNumber> minValue, maxValue;
  EMBER_OPTIONS(f("minValue", minValue), f("maxValue", maxValue))
};
struct MLConv2dOptions {
  Label label;
  List padding, strides, dilations;
  uint32_t groups = 1;
  std::string inputLayout = "nchw", filterLayout = "oihw";
  MLOperand bias;
  EMBER_OPTIONS(f("padding", padding), f("strides", strides), f("dilations", dilations),
                f("groups", groups), f("inputLayout", inputLayout), f("filterLayout", filterLayout),
                f("bias", bias))
};
struct MLConvTranspose2dOptions {
  Label label;
  List padding, strides, dilations, outputPadding, outputSizes;
  uint32_t groups = 1;
  std::string inputLayout = "nchw", filterLayout = "iohw";
  MLOperand bias;
  EMBER_OPTIONS(f("padding", padding), f("strides", strides), f("dilations", dilations),
                f("outputPadding", outputPadding), f("outputSizes", outputSizes),
                f("groups", groups), f("inputLayout", inputLayout), f("filterLayout", filterLayout),
                f("bias", bias))
};
struct MLCumulativeSumOptions {
  Label label;
  bool exclusive = false, reversed = false;
  EMBER_OPTIONS(f("exclusive", exclusive), f("reversed", reversed))
};
struct MLEluOptions {
  Label label;
  double alpha = 1;
  EMBER_OPTIONS(f("alpha", alpha))
};
struct MLGatherOptions {
  Label label;
  uint32_t axis = 0;
  EMBER_OPTIONS(f("axis", axis))
};
struct MLGemmOptions {
  Label label;
  MLOperand c;
  double alpha = 1, beta = 1;
  bool aTranspose = false, bTranspose = false;
  EMBER_OPTIONS(f("c", c), f("alpha", alpha), f("beta", beta), f("aTranspose", aTranspose),
                f("bTranspose", bTranspose))
};
struct MLGruOptions {
  Label label;
  MLOperand bias, recurrentBias, initialHiddenState;
  bool resetAfter = true, returnSequence = false;
  std::string direction = "forward", layout = "zrn";
  std::optional<std::vector<std::string>> activations;
  EMBER_OPTIONS(f("bias", bias), f("recurrentBias", recurrentBias),
                f("initialHiddenState", initialHiddenState), f("resetAfter", resetAfter),
                f("returnSequence", returnSequence), f("direction", direction), f("layout", layout),
                f("activations", activations))
};
struct MLGruCellOptions {
  Label label;
  MLOperand bias, recurrentBias;
  bool resetAfter = true;
  std::string layout = "zrn";
  std::optional<std::vector<std::string>> activations;
  EMBER_OPTIONS(f("bias", bias), f("recurrentBias", recurrentBias), f("resetAfter", resetAfter),
                f("layout", layout), f("activations", activations))
};
struct MLHardSigmoidOptions {
  Label label;
  double alpha = 0.2, beta = 0.5;
  EMBER_OPTIONS(f("alpha", alpha), f("beta", beta))
};
struct MLInstanceNormalizationOptions {
  Label label;
  MLOperand scale, bias;
  double epsilon = 1e-5;
  std::string layout = "nchw";
  EMBER_OPTIONS(f("scale", scale), f("bias", bias), f("epsilon", epsilon), f("layout", layout))
};
struct MLLayerNormalizationOptions {
  Label label;
  MLOperand scale, bias;
  List axes;
  double epsilon = 1e-5;
  EMBER_OPTIONS(f("scale", scale), f("bias", bias), f("axes", axes), f("epsilon", epsilon))
};
struct MLLeakyReluOptions {
  Label label;
  double alpha = 0.01;
  EMBER_OPTIONS(f("alpha", alpha))
};
struct MLLinearOptions {
  Label label;
  double alpha = 1, beta = 0;
  EMBER_OPTIONS(f("alpha", alpha), f("beta", beta))
};
struct MLLstmOptions {
  Label label;
  MLOperand bias, recurrentBias, peepholeWeight, initialHiddenState, initialCellState;
  bool returnSequence = false;
  std::string direction = "forward", layout = "iofg";
  std::optional<std::vector<std::string>> activations;
  EMBER_OPTIONS(f("bias", bias), f("recurrentBias", recurrentBias),
                f("peepholeWeight", peepholeWeight), f("initialHiddenState", initialHiddenState),
                f("initialCellState", initialCellState), f("returnSequence", returnSequence),
                f("direction", direction), f("layout", layout), f("activations", activations))
};
struct MLLstmCellOptions {
  Label label;
  MLOperand bias, recurrentBias, peepholeWeight;
  std::string layout = "iofg";
  std::optional<std::vector<std::string>> activations;
  EMBER_OPTIONS(f("bias", bias), f("recurrentBias", recurrentBias),
                f("peepholeWeight", peepholeWeight), f("layout", layout),
                f("activations", activations))
};
struct MLPadOptions {
  Label label;
  std::string mode = "constant";
  MLNumber value = 0;
  EMBER_OPTIONS(f("mode", mode), f("value", value))
};
struct MLPool2dOptions {
  Label label;
  List windowDimensions, padding, strides, dilations;
  std::string layout = "nchw", outputShapeRounding = "floor";
  List outputSizes;
  EMBER_OPTIONS(f("windowDimensions", windowDimensions), f("padding", padding),
                f("strides", strides), f("dilations", dilations), f("layout", layout),
                f("outputShapeRounding", outputShapeRounding), f("outputSizes", outputSizes))
};
struct MLReduceOptions {
  Label label;
  List axes;
  bool keepDimensions = false;
  EMBER_OPTIONS(f("axes", axes), f("keepDimensions", keepDimensions))
};
struct MLResample2dOptions {
  Label label;
  std::string mode = "nearest-neighbor";
  std::optional<std::vector<float>> scales;
  List sizes, axes;
  EMBER_OPTIONS(f("mode", mode), f("scales", scales), f("sizes", sizes), f("axes", axes))
};
struct MLReverseOptions {
  Label label;
  List axes;
  EMBER_OPTIONS(f("axes", axes))
};
struct MLScatterOptions {
  Label label;
  uint32_t axis = 0;
  EMBER_OPTIONS(f("axis", axis))
};
struct MLSliceOptions {
  Label label;
  List strides;
  EMBER_OPTIONS(f("strides", strides))
};
struct MLSplitOptions {
  Label label;
  uint32_t axis = 0;
  EMBER_OPTIONS(f("axis", axis))
};
struct MLTransposeOptions {
  Label label;
  List permutation;
  EMBER_OPTIONS(f("permutation", permutation))
};
struct MLTriangularOptions {
  Label label;
  bool upper = true;
  int32_t diagonal = 0;
  EMBER_OPTIONS(f("upper", upper), f("diagonal", diagonal))
};
#undef EMBER_OPTIONS

struct BuilderState;
class EMBER_API MLGraphBuilder {
 public:
  MLGraphBuilder() = default;
  explicit MLGraphBuilder(const MLContext&);
  bool defined() const { return state_ != nullptr; }
  const MLContext& context() const;

  MLOperand input(std::string name, const MLOperandDescriptor&);
  // Copies the data.
  MLOperand constant(const MLOperandDescriptor&, const void* data, size_t bytes);
  MLOperand constant(DType dataType, MLNumber value);  // 0-d
  MLOperand constant(const MLTensor&);                 // shares the constant tensor
  MLGraph build(const MLNamedOperands& outputs);       // may be called once
  // Checks now and returns a function that compiles, on any thread.
  std::function<MLGraph()> prepare(const MLNamedOperands& outputs);

  // An operator by its row.
  std::vector<MLOperand> call(const Operator&, std::vector<Arg> args, Options options = {});

#define EMBER_UNARY(name)                                                   \
  MLOperand name(const MLOperand& input, const MLOperatorOptions& o = {}) { \
    return one(#name, o, input);                                            \
  }
#define EMBER_BINARY(name)                                                                  \
  MLOperand name(const MLOperand& a, const MLOperand& b, const MLOperatorOptions& o = {}) { \
    return one(#name, o, a, b);                                                             \
  }
#define EMBER_REDUCE(name)                                                \
  MLOperand name(const MLOperand& input, const MLReduceOptions& o = {}) { \
    return one(#name, o, input);                                          \
  }
  EMBER_UNARY(abs)
  EMBER_UNARY(ceil)
  EMBER_UNARY(cos)
  EMBER_UNARY(erf)
  EMBER_UNARY(exp)
  EMBER_UNARY(floor)
  EMBER_UNARY(identity)
  EMBER_UNARY(log)
  EMBER_UNARY(neg)
  EMBER_UNARY(reciprocal)
  EMBER_UNARY(roundEven)
  EMBER_UNARY(sin)
  EMBER_UNARY(sign)
  EMBER_UNARY(sqrt)
  EMBER_UNARY(tan)
  EMBER_UNARY(logicalNot)
  EMBER_UNARY(isNaN)
  EMBER_UNARY(isInfinite)
  EMBER_UNARY(gelu)
  EMBER_UNARY(hardSwish)
  EMBER_UNARY(relu)
  EMBER_UNARY(sigmoid)
  EMBER_UNARY(softplus)
  EMBER_UNARY(softsign)
  EMBER_UNARY(tanh)
  EMBER_BINARY(add)
  EMBER_BINARY(sub)
  EMBER_BINARY(mul)
  EMBER_BINARY(div)
  EMBER_BINARY(max)
  EMBER_BINARY(min)
  EMBER_BINARY(pow)
  EMBER_BINARY(equal)
  EMBER_BINARY(notEqual)
  EMBER_BINARY(greater)
  EMBER_BINARY(greaterOrEqual)
  EMBER_BINARY(lesser)
  EMBER_BINARY(lesserOrEqual)
  EMBER_BINARY(logicalAnd)
  EMBER_BINARY(logicalOr)
  EMBER_BINARY(logicalXor)
  EMBER_BINARY(matmul)
  EMBER_BINARY(prelu)
  EMBER_REDUCE(reduceL1)
  EMBER_REDUCE(reduceL2)
  EMBER_REDUCE(reduceLogSum)
  EMBER_REDUCE(reduceLogSumExp)
  EMBER_REDUCE(reduceMax)
  EMBER_REDUCE(reduceMean)
  EMBER_REDUCE(reduceMin)
  EMBER_REDUCE(reduceProduct)
  EMBER_REDUCE(reduceSum)
  EMBER_REDUCE(reduceSumSquare)
#undef EMBER_UNARY
#undef EMBER_BINARY
#undef EMBER_REDUCE
  MLOperand argMin(const MLOperand& input, uint32_t axis, const MLArgMinMaxOptions& o = {}) {
    return one("argMin", o, input, axis);
  }
  MLOperand argMax(const MLOperand& input, uint32_t axis, const MLArgMinMaxOptions& o = {}) {
    return one("argMax", o, input, axis);
  }
  MLOperand batchNormalization(const MLOperand& input, const MLOperand& mean,
                               const MLOperand& variance,
                               const MLBatchNormalizationOptions& o = {}) {
    return one("batchNormalization", o, input, mean, variance);
  }
  MLOperand cast(const MLOperand& input, DType dataType, const MLOperatorOptions& o = {}) {
    return one("cast", o, input, dataType);
  }
  MLOperand clamp(const MLOperand& input, const MLClampOptions& o = {}) {
    return one("clamp", o, input);
  }
  MLOperand concat(const std::vector<MLOperand>& inputs, uint32_t axis,
                   const MLOperatorOptions& o = {}) {
    return one("concat", o, inputs, axis);
  }
  MLOperand conv2d(const MLOperand& input, const MLOperand& filter, const MLConv2dOptions& o = {}) {
    return one("conv2d", o, input, filter);
  }
  MLOperand convTranspose2d(const MLOperand& input, const MLOperand& filter,
                            const MLConvTranspose2dOptions& o = {}) {
    return one("convTranspose2d", o, input, filter);
  }
  MLOperand cumulativeSum(const MLOperand& input, uint32_t axis,
                          const MLCumulativeSumOptions& o = {}) {
    return one("cumulativeSum", o, input, axis);
  }
  MLOperand dequantizeLinear(const MLOperand& input, const MLOperand& scale,
                             const MLOperand& zeroPoint, const MLOperatorOptions& o = {}) {
    return one("dequantizeLinear", o, input, scale, zeroPoint);
  }
  MLOperand quantizeLinear(const MLOperand& input, const MLOperand& scale,
                           const MLOperand& zeroPoint, const MLOperatorOptions& o = {}) {
    return one("quantizeLinear", o, input, scale, zeroPoint);
  }
  MLOperand elu(const MLOperand& input, const MLEluOptions& o = {}) { return one("elu", o, input); }
  MLOperand expand(const MLOperand& input, const Dimensions& newShape,
                   const MLOperatorOptions& o = {}) {
    return one("expand", o, input, newShape);
  }
  MLOperand gather(const MLOperand& input, const MLOperand& indices,
                   const MLGatherOptions& o = {}) {
    return one("gather", o, input, indices);
  }
  MLOperand gatherElements(const MLOperand& input, const MLOperand& indices,
                           const MLGatherOptions& o = {}) {
    return one("gatherElements", o, input, indices);
  }
  MLOperand gatherND(const MLOperand& input, const MLOperand& indices,
                     const MLOperatorOptions& o = {}) {
    return one("gatherND", o, input, indices);
  }
  MLOperand gemm(const MLOperand& a, const MLOperand& b, const MLGemmOptions& o = {}) {
    return one("gemm", o, a, b);
  }
  std::vector<MLOperand> gru(const MLOperand& input, const MLOperand& weight,
                             const MLOperand& recurrentWeight, uint32_t steps, uint32_t hiddenSize,
                             const MLGruOptions& o = {}) {
    return many("gru", o, input, weight, recurrentWeight, steps, hiddenSize);
  }
  MLOperand gruCell(const MLOperand& input, const MLOperand& weight,
                    const MLOperand& recurrentWeight, const MLOperand& hiddenState,
                    uint32_t hiddenSize, const MLGruCellOptions& o = {}) {
    return one("gruCell", o, input, weight, recurrentWeight, hiddenState, hiddenSize);
  }
  MLOperand hardSigmoid(const MLOperand& input, const MLHardSigmoidOptions& o = {}) {
    return one("hardSigmoid", o, input);
  }
  MLOperand instanceNormalization(const MLOperand& input,
                                  const MLInstanceNormalizationOptions& o = {}) {
    return one("instanceNormalization", o, input);
  }
  MLOperand layerNormalization(const MLOperand& input, const MLLayerNormalizationOptions& o = {}) {
    return one("layerNormalization", o, input);
  }
  MLOperand leakyRelu(const MLOperand& input, const MLLeakyReluOptions& o = {}) {
    return one("leakyRelu", o, input);
  }
  MLOperand linear(const MLOperand& input, const MLLinearOptions& o = {}) {
    return one("linear", o, input);
  }
  std::vector<MLOperand> lstm(const MLOperand& input, const MLOperand& weight,
                              const MLOperand& recurrentWeight, uint32_t steps, uint32_t hiddenSize,
                              const MLLstmOptions& o = {}) {
    return many("lstm", o, input, weight, recurrentWeight, steps, hiddenSize);
  }
  std::vector<MLOperand> lstmCell(const MLOperand& input, const MLOperand& weight,
                                  const MLOperand& recurrentWeight, const MLOperand& hiddenState,
                                  const MLOperand& cellState, uint32_t hiddenSize,
                                  const MLLstmCellOptions& o = {}) {
    return many("lstmCell", o, input, weight, recurrentWeight, hiddenState, cellState, hiddenSize);
  }
  MLOperand pad(const MLOperand& input, const Dimensions& beginningPadding,
                const Dimensions& endingPadding, const MLPadOptions& o = {}) {
    return one("pad", o, input, beginningPadding, endingPadding);
  }
  MLOperand averagePool2d(const MLOperand& input, const MLPool2dOptions& o = {}) {
    return one("averagePool2d", o, input);
  }
  MLOperand l2Pool2d(const MLOperand& input, const MLPool2dOptions& o = {}) {
    return one("l2Pool2d", o, input);
  }
  MLOperand maxPool2d(const MLOperand& input, const MLPool2dOptions& o = {}) {
    return one("maxPool2d", o, input);
  }
  MLOperand resample2d(const MLOperand& input, const MLResample2dOptions& o = {}) {
    return one("resample2d", o, input);
  }
  MLOperand reshape(const MLOperand& input, const Dimensions& newShape,
                    const MLOperatorOptions& o = {}) {
    return one("reshape", o, input, newShape);
  }
  MLOperand reverse(const MLOperand& input, const MLReverseOptions& o = {}) {
    return one("reverse", o, input);
  }
  MLOperand scatterElements(const MLOperand& input, const MLOperand& indices,
                            const MLOperand& updates, const MLScatterOptions& o = {}) {
    return one("scatterElements", o, input, indices, updates);
  }
  MLOperand scatterND(const MLOperand& input, const MLOperand& indices, const MLOperand& updates,
                      const MLOperatorOptions& o = {}) {
    return one("scatterND", o, input, indices, updates);
  }
  MLOperand slice(const MLOperand& input, const Dimensions& starts, const Dimensions& sizes,
                  const MLSliceOptions& o = {}) {
    return one("slice", o, input, starts, sizes);
  }
  MLOperand softmax(const MLOperand& input, uint32_t axis, const MLOperatorOptions& o = {}) {
    return one("softmax", o, input, axis);
  }
  std::vector<MLOperand> split(const MLOperand& input, uint32_t splits,
                               const MLSplitOptions& o = {}) {
    return many("split", o, input, splits);
  }
  std::vector<MLOperand> split(const MLOperand& input, const Dimensions& splits,
                               const MLSplitOptions& o = {}) {
    return many("split", o, input, splits);
  }
  MLOperand tile(const MLOperand& input, const Dimensions& repetitions,
                 const MLOperatorOptions& o = {}) {
    return one("tile", o, input, repetitions);
  }
  MLOperand transpose(const MLOperand& input, const MLTransposeOptions& o = {}) {
    return one("transpose", o, input);
  }
  MLOperand triangular(const MLOperand& input, const MLTriangularOptions& o = {}) {
    return one("triangular", o, input);
  }
  MLOperand where(const MLOperand& condition, const MLOperand& trueValue,
                  const MLOperand& falseValue, const MLOperatorOptions& o = {}) {
    return one("where", o, condition, trueValue, falseValue);
  }
  BuilderState& state() const { return *state_; }

 private:
  template <class T> static Arg arg(const T& v) {
    if constexpr (requires { v.has_value(); }) {
      return v ? arg(*v) : Arg();
    } else if constexpr (std::is_same_v<T, MLOperand>) {
      return v.defined() ? Arg(v) : Arg();
    } else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      return MLNumber(int64_t(v));
    } else if constexpr (std::is_same_v<T, double> || std::is_same_v<T, float>) {
      return MLNumber(double(v));
    } else if constexpr (std::is_constructible_v<std::string, const T&>) {
      return std::string(v);
    } else if constexpr (requires { v.begin(); }) {
      std::vector<Arg> list;
      for (const auto& e : v) list.push_back(arg(e));
      return list;
    } else {
      return v;
    }
  }
  template <class O, class... T>
  std::vector<MLOperand> many(std::string_view op, const O& options, const T&... args) {
    Options given;
    options.each([&](const char* name, const auto& v) {
      if (Arg a = arg(v); a.given()) given.emplace(name, std::move(a));
    });
    if (!options.label.empty()) given.emplace("label", options.label);
    std::vector<Arg> list;
    (list.push_back(arg(args)), ...);
    return call(*find_operator(op), std::move(list), std::move(given));
  }
  template <class O, class... T>
  MLOperand one(std::string_view op, const O& options, const T&... args) {
    return many(op, options, args...)[0];
  }
  std::shared_ptr<BuilderState> state_;
};

// ---- graph files (docs/webnn.md) ----

struct MLGraphFiles {
  // Paths, relative to the graph's folder or the current one; by default next to the graph.
  std::string weights, manifest;
  // Extents of dynamic dimensions, by name; by default the largest allowed.
  std::map<std::string, uint32_t, std::less<>> sizes;
};
// Writes path.webnn as text (JSON where the text format cannot express its names) or path.json, and
// path.safetensors with the constants. Each file is replaced atomically.
EMBER_API void save(const MLGraph&, const std::string& path, bool quantized = false);
EMBER_API MLGraph load(const MLContext&, const std::string& path, const MLGraphFiles& = {});
// A builder to continue from the graph's outputs.
EMBER_API MLNamedOperands load(MLGraphBuilder&, const std::string& path, const MLGraphFiles& = {});
EMBER_API MLGraph rebuild(const MLContext&, const MLGraph&);  // the same graph for another context

// Outside the specification, as pywebnn has them: a reshape.
EMBER_API MLOperand squeeze(MLGraphBuilder&, const MLOperand&, const List& axes = {},
                            const Label& = {});
EMBER_API MLOperand unsqueeze(MLGraphBuilder&, const MLOperand&, const Dimensions& axes,
                              const Label& = {});

}  // namespace ember::webnn
