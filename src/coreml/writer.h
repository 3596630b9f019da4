// Writes ML programs: values of the program, and functions that append operations.
#pragma once
#include <array>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ember/engine.h"
#include "src/io/protobuf.h"

namespace ember::coreml {

// Thrown while an op is written, with the reason why Core ML cannot express it.
struct Unsupported {
  std::string why;
};

class Writer;

// A value of the program: the result of an operation, an input, or a constant.
struct Val {
  Writer* w = nullptr;
  std::string name;
  DType dtype = DType::float32;
  Shape shape;
  int64_t size() const { return size_of(shape); }
  int64_t rank() const { return int64_t(shape.size()); }
};
using Vals = std::vector<Val>;

// A named argument of an operation: one value, or a list of values.
struct Arg {
  const char* name;
  std::vector<std::string> values;
  Arg(const char* n, const Val& v) : name(n), values{v.name} {}
  Arg(const char* n, const Vals& list) : name(n) {
    for (const Val& v : list) values.push_back(v.name);
  }
};
using Args = std::vector<Arg>;

// Weights that are too large for the program itself, in the order of their records in weight.bin: a
// 64-byte record, then the data.
struct Blob {
  DType dtype;
  uint64_t record;  // offset in the file
  std::string data;
  uint64_t end() const { return record + 64 + data.size(); }
};

class Writer {
 public:
  // Without parameters, the writer only checks whether nodes can be written.
  explicit Writer(const Slice& slice, std::optional<std::span<const Param>> params = {})
      : slice(slice), params_(params) {}

  // Appends an operation; the caller gives the result's type.
  Val operation(const char* type, const Args&, DType, Shape);

  // Constants. Text and list constants can only be arguments.
  Val number(double v, DType);
  Val integer(int64_t v);
  Val integers(const Ints&);
  Val boolean(bool v);
  Val booleans(const std::vector<bool>&);
  Val text(std::string_view);
  Val constant(DType, const Shape&, std::string bytes);

  Val leaf(uint32_t i);  // a constant leaf or scalar of the slice, written on first use
  // Writes a constant leaf with another shape; reorder computes the result's bytes from the leaf's.
  using Reorder = std::function<void(size_t element_bytes, std::string_view from, std::string& to)>;
  Val constant_leaf(uint32_t i, const Shape&, const Reorder& = {});
  double scalar(uint32_t i) const;  // the value of a scalar node; Unsupported for other nodes
  int64_t start(const SliceNode&, size_t axis) const;  // the start of a slice or slice_update
  bool is_constant(uint32_t i) const { return slice.nodes[i].constant; }
  std::string unique(std::string_view base);

  const Slice& slice;
  std::string_view op;      // the Ember op that is being written, after which operations are named
  std::vector<Val> values;  // one per node of the slice, once written
  std::vector<io::Message> operations;
  std::vector<Blob> blobs;
  std::set<std::string, std::less<>> taken;  // names in use

 private:
  Val const_operation(const io::Message& type, const io::Message& value, DType, const Shape&);

  std::optional<std::span<const Param>> params_;
  std::map<std::string, Val> constants_;  // small constants, by type and bytes
  size_t count_ = 0;
};

// Encodings, defined in src/coreml/program.cpp.
DType stored(DType);  // the dtype that represents t: int32 for int64
io::Message value_type(DType, const Shape&);
io::Message string_type();
io::Message string_value(std::string_view);
io::Message named_value(std::string_view name, DType, const Shape&);

// Functions over values that several ops use. Elementwise results have the broadcast shape.
Val unary(const char* type, const Val& x);
Val binary(const char* type, const Val& a, const Val& b);
Val compare(const char* type, const Val& a, const Val& b);  // bool result
Val cast(const Val& x, DType);
Val as_number(const Val& x);  // converts bool to int32
Val select(const Val& condition, const Val& a, const Val& b);
Val like(const Val& x, double v);  // a scalar of x's dtype
Val reshape(const Val& x, const Shape&);
Val transpose(const Val& x, const Ints& permutation);
Val broadcast(const Val& x, const Shape&);
Val slice_axis(const Val& x, int64_t axis, int64_t start, int64_t count);
Val concat(const Vals&, int64_t axis);
Val index_in_range(const Val& index, int64_t size);  // negative indices count from the end

inline Val operator+(const Val& a, const Val& b) { return binary("add", a, b); }
inline Val operator-(const Val& a, const Val& b) { return binary("sub", a, b); }
inline Val operator*(const Val& a, const Val& b) { return binary("mul", a, b); }
inline Val operator/(const Val& a, const Val& b) { return binary("real_div", a, b); }
inline Val operator+(const Val& a, double b) { return a + like(a, b); }
inline Val operator-(const Val& a, double b) { return a - like(a, b); }
inline Val operator*(const Val& a, double b) { return a * like(a, b); }

// The arguments of a function that writes an op.
struct Call {
  Writer& w;
  const SliceNode& n;
  Vals in;
  const Val& operator[](size_t i) const { return in[i]; }
  const Val& x() const { return in[0]; }
  template <class T> const T& attr() const { return n.attrs.as<T>(); }
};
using Emit = Val (*)(const Call&);
using Table = std::array<Emit, size_t(OpId::count)>;
void add_elementwise(Table&);
void add_reductions(Table&);
void add_movement(Table&);
void add_neural(Table&);

struct Program {
  std::string bytes;  // the serialized function "main" in its program
  struct Port {
    std::string name;
    DType dtype;
    Shape shape;
  };
  std::vector<Port> inputs, outputs;
  std::vector<Blob> blobs;
};
// Whether a node can be written. Called before composites are expanded.
Support can_write(const SliceNode&, const Slice&);
Program write(const Slice&, std::span<const Param>, std::vector<std::string> inputs,
              std::vector<std::string> outputs);

}  // namespace ember::coreml
