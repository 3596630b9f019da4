// The interface between a graph's nodes and the functions that record them as Ember's ops.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "ember/onnx.h"
#include "ember/ops.h"
#include "src/io/atomic_file.h"
#include "src/onnx/proto/proto.h"

namespace ember::onnx {

// A bit set: the inputs of the network on whose values (not only shapes) a value depends. The last
// bit represents all further inputs.
using InputSet = uint64_t;
inline InputSet input_bit(size_t i) { return InputSet(1) << std::min<size_t>(i, 63); }

// A tensor, or a sequence of values. An undefined tensor without a sequence is an omitted input.
struct Value {
  Tensor tensor;
  std::shared_ptr<const std::vector<Value>> list;
  InputSet depends = 0;
  bool strings = false;  // the tensor contains indices into the vocabulary
  Value() = default;
  Value(Tensor t, bool strings = false) : tensor(std::move(t)), strings(strings) {}
  Value(std::vector<Value> l) : list(std::make_shared<const std::vector<Value>>(std::move(l))) {}
  bool defined() const { return tensor.defined() || list; }
};
using Values = std::vector<Value>;

// Thrown if recording needs a value that depends on placeholders: on which inputs (none: on random
// numbers), and for what purpose.
struct Needs {
  InputSet inputs;
  std::string what, node;
};

// The names that are visible to a graph's nodes, and the attributes of a function call.
struct Scope {
  int64_t opset = 0;
  const Scope* outer = nullptr;
  std::unordered_map<std::string, Value> values;
  const std::unordered_map<std::string, const proto::Attribute*>* attributes = nullptr;
  const Value* find(const std::string& name) const {
    for (const Scope* s = this; s; s = s->outer) {
      if (const auto it = s->values.find(name); it != s->values.end()) return &it->second;
    }
    return nullptr;
  }
};

// The contents of the file.
struct Source {
  proto::Model model;
  // Every tensor in it, converted.
  std::unordered_map<const proto::TensorData*, Value> tensors;
  Vocabulary vocabulary;  // every string in its tensors and operators
  std::unordered_map<std::string, const proto::Function*> functions;
  int64_t opset = 0;
};
void check_axes(const Shape&);  // ShapeError for extents so large that sums of a few could overflow
// External data is mapped, each file once. MappedFiles keeps the mappings between calls.
using MappedFiles = std::map<std::string, std::shared_ptr<io::Mapping>>;
Value read_tensor(const proto::TensorData&, const std::string& folder, MappedFiles& files,
                  Vocabulary&);
std::string node_name(const proto::Node&);  // `Relu "first"`, for messages
// Sorts nodes topologically, keeping the order of nodes that are already sorted. ValueError naming
// the nodes of a cycle.
void sort_nodes(std::vector<proto::Node>&, const std::string& what);
bool is_standard(std::string_view domain);  // ai.onnx
// What encoders return for unknown keys.
inline constexpr const char* unknown_string = "_Unused";
std::string function_key(std::string_view domain, std::string_view name, std::string_view overload);
int64_t opset_of(const std::vector<proto::OpsetId>&);  // of ai.onnx; 0 if there is none

using NamedValues = std::unordered_map<std::string, Value>;

class Recorder {
 public:
  // readable: the inputs whose values are available.
  Recorder(const Source& source, InputSet readable) : source(source), readable_(readable) {}
  // Records a graph with the given inputs, in order.
  Values run(const proto::Graph&, const Scope* outer, Values inputs,
             const NamedValues& replaced = {});
  // The value of a tensor that must be known; throws Needs otherwise.
  const Tensor& known(const Value&, const char* what) const;
  void draw() const;  // before random numbers: throws Needs unless recording is for one call
  void count();       // counts unrolled steps and throws beyond a limit

  const Source& source;

 private:
  void check_growth(const Tensor&) const;
  void run(const std::vector<proto::Node>&, Scope&);
  Values call(const proto::Node&, Scope&);
  Values call_function(const proto::Function&, const proto::Node&, Scope&, Values);
  InputSet readable_;
  int64_t steps_ = 0;
  int depth_ = 0;
  double given_bytes_ = 0;  // of the network's inputs, and of all tensors in the file
};

// The inputs and attributes of one node, for the function that records its operator.
class Call {
 public:
  Call(Recorder& r, const proto::Node& node, const Scope& scope, Values in)
      : recorder(r),
        node(node),
        scope(scope),
        opset(scope.opset),
        in(std::move(in)),
        read_(node.attributes.size()) {}

  bool has(size_t i) const {
    asked_ = std::max(asked_, i + 1);
    return i < in.size() && in[i].defined();
  }
  const Tensor& x(size_t i) const;  // a required input
  std::optional<Tensor> maybe(size_t i) const {
    return has(i) ? std::optional(x(i)) : std::nullopt;
  }
  Tensors all() const;  // the inputs of a variadic operator
  const std::vector<Value>& list(size_t i) const;
  int64_t string_index(const std::string&) const;  // the index of a string in the vocabulary
  size_t outputs() const { return node.outputs.size(); }
  bool wants(size_t i) const { return i < node.outputs.size() && !node.outputs[i].empty(); }

  // Inputs whose values must be known while recording: shapes, axes, counts.
  const Tensor& known(size_t i, const char* what) const;
  Ints ints(size_t i, const char* what) const;
  int64_t integer(size_t i, const char* what) const;
  std::vector<double> numbers(size_t i, const char* what) const;
  double number(size_t i, const char* what) const;

  // Attributes. An attribute that is never read is an error.
  const proto::Attribute* attribute(std::string_view name, int32_t type) const;
  int64_t i(std::string_view name, int64_t fallback) const;
  int64_t i(std::string_view name) const;  // a required attribute
  bool flag(std::string_view name, bool fallback = false) const { return i(name, fallback) != 0; }
  double f(std::string_view name, double fallback) const;
  std::string s(std::string_view name, std::string fallback) const;
  std::optional<Ints> list_of(std::string_view name) const;
  std::vector<double> floats(std::string_view name) const;
  std::vector<std::string> strings(std::string_view name) const;
  const proto::Graph& graph(std::string_view name) const;
  // UnsupportedError for types that Ember does not have.
  std::optional<DType> dtype(std::string_view name) const;
  void ignore(std::string_view name) const { attribute(name, 0); }
  [[noreturn]] void refuse(const std::string& what) const;  // throws UnsupportedError
  void check() const;  // throws unless all attributes and inputs were read

  int64_t axis(int64_t axis, int64_t ndim) const;  // 0 .. ndim-1; IndexError

  Recorder& recorder;
  const proto::Node& node;
  const Scope& scope;
  const int64_t opset;
  const Values in;

 private:
  mutable std::vector<bool> read_;
  mutable size_t asked_ = 0;
};

// only_shapes: the results depend only on the inputs' shapes; sets_depends: the function sets
// `depends` and checks its inputs; strings: inputs may be strings; moves_strings: also the first
// output has strings then.
// holds strings too.
enum : int { only_shapes = 1, sets_depends = 2, strings = 4, moves_strings = 8 };
struct Reader {
  Operator op;
  Values (*read)(const Call&);
  int flags = 0;
};
// One function per family file; read/graph.cpp lists them.
std::span<const Reader> math_readers();
std::span<const Reader> reduction_readers();
std::span<const Reader> movement_readers();
std::span<const Reader> indexing_readers();
std::span<const Reader> neural_readers();
std::span<const Reader> normalization_readers();
std::span<const Reader> attention_readers();
std::span<const Reader> recurrent_readers();
std::span<const Reader> quantization_readers();
std::span<const Reader> signal_readers();
std::span<const Reader> random_readers();
std::span<const Reader> resize_readers();
std::span<const Reader> control_readers();
std::span<const Reader> microsoft_readers();
std::span<const Reader> microsoft_attention_readers();
std::span<const Reader> microsoft_quantized_readers();
std::span<const Reader> ml_readers();
std::span<const Reader> ml_tree_readers();
const Reader* find_reader(std::string_view domain, std::string_view name);
bool has_readers(std::string_view domain);

}  // namespace ember::onnx
