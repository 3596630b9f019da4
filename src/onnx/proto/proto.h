// ONNX files as plain structs, and their wire format (protocol buffers): the parts that Ember reads
// and writes. Other fields (documentation, training, devices) are skipped.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ember/dtype.h"

namespace ember::onnx::proto {

// ONNX's element types. Some have no Ember dtype and exist only for messages.
enum DataType : int32_t {
  undefined,
  float32,
  uint8,
  int8,
  uint16,
  int16,
  int32,
  int64,
  string,
  bool_,
  float16,
  float64,
  uint32,
  uint64,
  complex64,
  complex128,
  bfloat16,
  float8e4m3fn,
  float8e4m3fnuz,
  float8e5m2,
  float8e5m2fnuz,
  uint4,
  int4,
  float4e2m1,
  float8e8m0,
  uint2,
  int2,
  float6e2m3,
  float6e3m2,
};
EMBER_API std::string data_type_name(int32_t);     // "float8e5m2", "type 99"
EMBER_API std::optional<DType> dtype_of(int32_t);  // nullopt if Ember has no such dtype
EMBER_API int32_t data_type_of(DType);

using Entries = std::vector<std::pair<std::string, std::string>>;

// The elements are in raw (little-endian, two 4-bit elements per byte), in the list of their type
// (int32s also stores bool, small integers and the bits of 16-bit floats; floats and doubles store
// complex numbers as pairs), or in another file (external).
struct TensorData {
  std::string name;
  std::vector<int64_t> dims;
  int32_t data_type = undefined;
  std::string_view raw;  // not owned: a part of the parsed bytes, or memory of the writer
  std::vector<float> floats;
  std::vector<double> doubles;
  std::vector<int32_t> int32s;
  std::vector<int64_t> int64s;
  std::vector<uint64_t> uint64s;
  std::vector<std::string> strings;
  Entries external;      // location, offset, length
  int32_t location = 0;  // 1: external
  bool segmented = false;
};
struct SparseTensor {
  std::vector<TensorData> values, indices;  // at most one each
  std::vector<int64_t> dims;
};

struct Graph;
struct Attribute {
  enum Type : int32_t {
    none,
    float_,
    int_,
    string,
    tensor,
    graph,
    floats_,
    ints_,
    strings_,
    tensors_,
    graphs_,
    sparse,
    sparses,
    type_,
    types
  };
  std::string name,
      // The attribute of the enclosing function that provides the value.
      reference;
  int32_t type = none;
  float f = 0;
  int64_t i = 0;
  std::string s;
  std::vector<TensorData> t;  // at most one
  std::vector<Graph> g;       // at most one
  std::vector<SparseTensor> sparse_tensor;
  std::vector<float> floats;
  std::vector<int64_t> ints;
  std::vector<std::string> strings;
};

struct Node {
  std::string op_type, domain, name, overload;
  std::vector<std::string> inputs, outputs;  // "": omitted
  std::vector<Attribute> attributes;
};

struct Dim {
  int64_t value = -1;  // negative: unknown
  std::string name;
};
struct ValueInfo {
  enum Kind : int32_t {
    none = 0,
    tensor = 1,
    sequence = 4,
    map = 5,
    opaque = 7,
    sparse = 8,
    optional = 9
  };
  std::string name;
  int32_t kind = none;
  int32_t elem_type = undefined;  // of a tensor
  bool ranked = false;            // whether dims are known
  std::vector<Dim> dims;
};

struct Graph {
  std::string name;
  std::vector<Node> nodes;
  std::vector<TensorData> initializers;
  std::vector<SparseTensor> sparse_initializers;
  std::vector<ValueInfo> inputs, outputs, value_info;
};

struct OpsetId {
  std::string domain;
  int64_t version = 0;
};
struct Function {
  std::string name, domain, overload;
  std::vector<std::string> inputs, outputs, attributes;
  std::vector<Attribute> defaults;  // attributes with default values
  std::vector<Node> nodes;
  std::vector<OpsetId> opsets;
};
struct Model {
  int64_t ir_version = 0, model_version = 0;
  std::string producer_name, producer_version, domain, doc;
  std::vector<OpsetId> opsets;
  Graph graph;
  Entries metadata;
  std::vector<Function> functions;
};

// The bytes must outlive the model, because raw tensor data points into them. IoError naming the
// source if they are not a model.
EMBER_API Model parse(std::string_view bytes, const std::string& source = "model");
// MemoryError if it exceeds the format's limit of 2 GB.
EMBER_API std::string serialize(const Model&);

}  // namespace ember::onnx::proto
