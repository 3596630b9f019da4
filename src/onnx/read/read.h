// Reading ONNX: how a graph's nodes become Ember's ops.
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

// Which inputs of the network a value depends on (not: those whose shape alone matters); the last
// bit stands for all beyond.
using InputSet = uint64_t;
inline InputSet input_bit(size_t i) { return InputSet(1) << std::min<size_t>(i, 63); }

// A tensor, or a sequence of values. An undefined tensor without a sequence is an input that was
// left out.
struct Value {
  Tensor tensor;
  std::shared_ptr<const std::vector<Value>> list;
  InputSet depends = 0;
  bool strings = false;  // the tensor holds places in the vocabulary
  Value() = default;
  Value(Tensor t, bool strings = false) : tensor(std::move(t)), strings(strings) {}
  Value(std::vector<Value> l) : list(std::make_shared<const std::vector<Value>>(std::move(l))) {}
  bool defined() const { return tensor.defined() || list; }
};
using Values = std::vector<Value>;

// Thrown where recording needs a value that depends on placeholders: which ones (none: fresh random
// numbers), and for what.
struct Needs {
  InputSet inputs;
  std::string what, node;
};

// The names that a graph's nodes see, and the attributes that a function was called with.
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

// What is read from the file.
struct Source {
  proto::Model model;
  std::unordered_map<const proto::TensorData*, Value>
      tensors;            // every tensor in it, as one of Ember's
  Vocabulary vocabulary;  // every string that its tensors and operators name
  std::unordered_map<std::string, const proto::Function*> functions;
  int64_t opset = 0;
};
void check_axes(const Shape&);  // ShapeError where one is so long that sums of a few could overflow
// External data are mapped, each file once: `files` keeps the mappings between calls.
using MappedFiles = std::map<std::string, std::shared_ptr<io::Mapping>>;
Value read_tensor(const proto::TensorData&, const std::string& folder, MappedFiles& files,
                  Vocabulary&);
std::string node_name(const proto::Node&);  // `Relu "first"`, for messages
// Sorts nodes topologically, and leaves them as they are where they are in such an order.
// ValueError naming the nodes of a cycle.
void sort_nodes(std::vector<proto::Node>&, const std::string& what);
bool is_standard(std::string_view domain);  // ai.onnx
inline constexpr const char* unknown_string =
    "_Unused";  // what encoders give for a key that they do not list
std::string function_key(std::string_view domain, std::string_view name, std::string_view overload);
int64_t opset_of(const std::vector<proto::OpsetId>&);  // of ai.onnx; 0 where there is none

using NamedValues = std::unordered_map<std::string, Value>;

class Recorder {
 public:
  // readable: the inputs whose values may be read, because they are there.
  Recorder(const Source& source, InputSet readable) : source(source), readable_(readable) {}
  // Records a graph; its inputs are given in order.
  Values run(const proto::Graph&, const Scope* outer, Values inputs,
             const NamedValues& replaced = {});
  const Tensor& known(const Value&,
                      const char* what) const;  // a value that may be read, else Needs
  void draw() const;  // random numbers: Needs unless this is recorded for one call
  void count();       // one more step of what is unrolled; there is a limit

  const Source& source;

 private:
  void run(const std::vector<proto::Node>&, Scope&);
  Values call(const proto::Node&, Scope&);
  Values call_function(const proto::Function&, const proto::Node&, Scope&, Values);
  InputSet readable_;
  int64_t steps_ = 0;
  int depth_ = 0;
};

// One node's inputs and attributes, as the function that reads an operator sees them.
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
  const Tensor& x(size_t i) const;  // an input that must be there
  std::optional<Tensor> maybe(size_t i) const {
    return has(i) ? std::optional(x(i)) : std::nullopt;
  }
  Tensors all() const;  // of a variadic operator
  const std::vector<Value>& list(size_t i) const;
  int64_t word(const std::string&) const;  // a string's place in the vocabulary
  size_t outputs() const { return node.outputs.size(); }
  bool wants(size_t i) const { return i < node.outputs.size() && !node.outputs[i].empty(); }

  // Values of inputs that must be known while recording: shapes, axes, counts.
  const Tensor& known(size_t i, const char* what) const;
  Ints ints(size_t i, const char* what) const;
  int64_t integer(size_t i, const char* what) const;
  std::vector<double> numbers(size_t i, const char* what) const;
  double number(size_t i, const char* what) const;

  // Attributes; one that no function has asked for is refused.
  const proto::Attribute* attribute(std::string_view name, int32_t type) const;
  int64_t i(std::string_view name, int64_t fallback) const;
  int64_t i(std::string_view name) const;  // must be there
  bool flag(std::string_view name, bool fallback = false) const { return i(name, fallback) != 0; }
  double f(std::string_view name, double fallback) const;
  std::string s(std::string_view name, std::string fallback) const;
  std::optional<Ints> list_of(std::string_view name) const;
  std::vector<double> floats(std::string_view name) const;
  std::vector<std::string> strings(std::string_view name) const;
  const proto::Graph& graph(std::string_view name) const;
  std::optional<DType> dtype(
      std::string_view name) const;  // UnsupportedError for types that Ember has not
  void ignore(std::string_view name) const { attribute(name, 0); }
  [[noreturn]] void refuse(const std::string& what) const;  // UnsupportedError
  void check() const;  // all attributes and inputs were asked for

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

// only_shapes: the values of the inputs do not matter; keeps: it sets `depends` itself, and checks
// its inputs; strings: inputs may be strings; moves_strings: likewise, and then the first output
// holds strings too.
enum : int { only_shapes = 1, keeps = 2, strings = 4, moves_strings = 8 };
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
