// Writes ONNX: values of the model, and functions over them that add nodes.
#pragma once
#include <deque>
#include <map>
#include <set>
#include <variant>

#include "ember/onnx_writer.h"
#include "src/onnx/proto/proto.h"

namespace ember::onnx {

class Writer;
struct Val {
  Writer* w = nullptr;
  std::string name;
  DType dtype = DType::float32;
  Shape shape;
  int64_t size() const { return size_of(shape); }
};
using Vals = std::vector<Val>;

struct Option : proto::Attribute {
  Option(const char* n, int64_t v) {
    name = n;
    type = int_;
    i = v;
  }
  Option(const char* n, int v) : Option(n, int64_t(v)) {}
  Option(const char* n, bool v) : Option(n, int64_t(v)) {}
  Option(const char* n, double v) {
    name = n;
    type = float_;
    f = float(v);
  }
  Option(const char* n, const char* v) {
    name = n;
    type = string;
    s = v;
  }
  Option(const char* n, const Ints& v) {
    name = n;
    type = ints_;
    ints = v.vec();
  }
};
using Options = std::vector<Option>;

class Writer {
 public:
  Writer(const Slice& s, const Writing& how) : slice(s), how(how), opset(how.opset.value_or(21)) {}
  // Throws Unsupported if `what` was introduced after the opset that is written.
  void need(int64_t since, std::string_view what);

  // Adds a node. The caller gives the result's type.
  Val node(const char* type, const Vals& in, DType dtype, Shape shape, const Options& = {});
  Val number(double v, DType t);
  Val integer(int64_t v, DType t);
  Val ints(const Ints& v);  // an int64 vector
  // The same for numbers that an open model computes at run time; vector = false: 0-d.
  Val numbers(std::vector<Feed::Number> v, bool vector = true);
  Val extents(const Shape& s);
  bool exact() const { return how.style == Style::exact; }
  Val leaf(uint32_t i);  // a leaf or scalar of the slice, added on first use
  // The value of a scalar that is written as a constant.
  std::optional<Param> known(uint32_t i) const;

  const Slice& slice;
  const Writing& how;
  std::string_view op;  // the Ember op that is being written, after which nodes are named
  proto::Graph graph;
  Written written;
  std::vector<Val> values;  // one per node of the slice
  int64_t opset;
  std::deque<std::string> blobs;
  std::set<std::string, std::less<>> taken;

  std::map<std::string, Val> bits_of_floats;  // for floats that were made from bits: name to bits

  std::string unique(std::string_view base);
  Val constant(DType t, const Shape& shape, std::string bytes);

 private:
  std::map<std::pair<int, std::string>, std::string> constants_;  // by dtype, dims and bytes
  size_t count_ = 0;
};

// Functions named after ONNX operators, for the dtypes that ONNX Runtime has kernels for. Other
// dtypes are computed in a wider one with identical results, or throw Unsupported. Elementwise
// functions infer the result's shape; others are given it.
struct Unsupported {
  std::string why;
};
Val op(const char* type, const Vals& in, const Options& = {});
Val op(const char* type, const Vals& in, const Shape& shape, const Options& = {});

Val cast(const Val& x, DType t);  // ONNX's Cast: integers wrap; no-op for the same dtype
// Ember's conversion: floats saturate, and 4-bit integers are bytes in range.
Val convert(const Val& x, DType t);
Val like(const Val& x, double v);
Val integer_like(const Val& x, int64_t v);
// In the exact style, preserves the sign of zeros.
Val where(const Val& c, const Val& a, const Val& b);
Val reshape(const Val& x, const Shape& shape);
Val expand(const Val& x, const Shape& shape);
Val transpose(const Val& x, const Ints& axes);
Val range(const Val& near, const Feed::Number& count, int64_t n);  // int64: 0, 1, ... n - 1
// A constant range of one axis.
Val slice_axis(const Val& x, size_t axis, int64_t start, int64_t count);
// Pad that ONNX Runtime does not fuse with the next operator, which may not support so much
// padding. It pads a view with an additional axis.
Val pad_unfused(const Val& x, Ints pads, const Val& value, const Shape& shape);
Val bits(const Val& x);  // a float's bits as a signed integer
Val float_of_bits(const Val& x, DType t);
Val sign_bit(const Val& x);  // bool
// A reduction over axes, which are an attribute before opset 18 (ReduceSum: 13).
Val reduce(const char* type, const Val& x, const Ints& axes, bool keepdims, const Shape& shape);
Val any_true(const Val& x, const Ints& axes, bool keepdims);
Val extreme_of(const char* type, const Val& a, const Val& b);  // Max or Min, elementwise
Val expm1(const Val& x);
Val log1p(const Val& x);

inline Val operator+(const Val& a, const Val& b) { return op("Add", {a, b}); }
inline Val operator-(const Val& a, const Val& b) { return op("Sub", {a, b}); }
inline Val operator*(const Val& a, const Val& b) { return op("Mul", {a, b}); }
inline Val operator/(const Val& a, const Val& b) { return op("Div", {a, b}); }
inline Val operator<(const Val& a, const Val& b) { return op("Less", {a, b}); }
inline Val operator>(const Val& a, const Val& b) { return op("Greater", {a, b}); }
inline Val operator==(const Val& a, const Val& b) { return op("Equal", {a, b}); }
inline Val operator!(const Val& a) { return op("Not", {a}); }
inline Val operator&&(const Val& a, const Val& b) { return op("And", {a, b}); }
inline Val operator||(const Val& a, const Val& b) { return op("Or", {a, b}); }
inline Val operator-(const Val& a) {
  return is_unsigned(a.dtype) ? op("Sub", {integer_like(a, 0), a}) : op("Neg", {a});
}
// A number is converted to the other operand's dtype.
inline Val operator+(const Val& a, double b) { return a + like(a, b); }
inline Val operator-(const Val& a, double b) { return a - like(a, b); }
inline Val operator*(const Val& a, double b) { return a * like(a, b); }
inline Val operator/(const Val& a, double b) { return a / like(a, b); }
inline Val operator<(const Val& a, double b) { return a < like(a, b); }
inline Val operator>(const Val& a, double b) { return a > like(a, b); }
inline Val operator==(const Val& a, double b) { return a == like(a, b); }

constexpr bool narrow(DType t) { return t == DType::float16 || t == DType::bfloat16; }
inline Val widen(const Val& x) { return narrow(x.dtype) ? cast(x, DType::float32) : x; }

// The arguments of a function that writes an op of Ember.
struct Call {
  Writer& w;
  const SliceNode& n;
  Vals in;
  const Val& operator[](size_t i) const { return in[i]; }
  const Val& x() const { return in[0]; }
  template <class T> const T& attr() const { return n.attrs.as<T>(); }
};
using Emit = Val (*)(const Call&);
struct Entry {
  Emit emit = nullptr;
  const char* type = nullptr;  // or the name of an elementwise operator
  bool wide = false;           // 16-bit floats are computed in float32
  bool empty = false;          // also written for empty results, to check indices
  bool takes_4bit = false;     // moves or converts elements, so 4-bit integers can be bytes
};
using Table = std::array<Entry, size_t(OpId::count)>;
void add_elementwise(Table&);
void add_math(Table&);
void add_reductions(Table&);
void add_movement(Table&);
void add_indexing(Table&);
void add_neural(Table&);

}  // namespace ember::onnx
