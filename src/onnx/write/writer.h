// Writing ONNX: values of the model, and functions over them that add nodes.
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
  // The operator came with an opset: Unsupported where that is later than the one to be written.
  void need(int64_t since, std::string_view what);

  // A node as it is written; the result's type is the caller's word.
  Val node(const char* type, const Vals& in, DType dtype, Shape shape, const Options& = {});
  Val number(double v, DType t);
  Val whole(int64_t v, DType t);
  Val ints(const Ints& v);  // an int64 vector
  Val numbers(std::vector<Feed::Number> v,
              bool vector = true);  // likewise, of what an open model leaves open; or a 0-d one
  Val extents(const Shape& s);
  bool exact() const { return how.style == Style::exact; }
  Val leaf(uint32_t i);  // a leaf or scalar of the slice, entered when it is first read
  std::optional<Param> known(
      uint32_t i) const;  // the value of a scalar, where it is written as a constant

  const Slice& slice;
  const Writing& how;
  std::string_view op;  // of Ember, that is being written: nodes are named after it
  proto::Graph graph;
  Written written;
  std::vector<Val> values;  // per node of the slice
  int64_t opset;
  std::deque<std::string> blobs;
  std::set<std::string, std::less<>> taken;

  std::map<std::string, Val> bits_of_floats;  // what floats were made of, by the names of these

  std::string unique(std::string_view base);
  Val constant(DType t, const Shape& shape, std::string bytes);

 private:
  std::map<std::pair<int, std::string>, std::string> constants_;  // dtype, dims and bytes to a name
  size_t count_ = 0;
};

// The operators of ONNX, by name, for the dtypes that ONNX Runtime has kernels for; others are
// computed in a wider one that gives the very same, or are an Unsupported. Elementwise ones find
// the result's shape, others are given it.
struct Unsupported {
  std::string why;
};
Val op(const char* type, const Vals& in, const Options& = {});
Val op(const char* type, const Vals& in, const Shape& shape, const Options& = {});

Val cast(const Val& x, DType t);  // ONNX's Cast: integers wrap; nothing where it is that already
Val convert(const Val& x,
            DType t);  // Ember's: floats saturate, and 4-bit integers are bytes in range
Val like(const Val& x, double v);
Val whole_like(const Val& x, int64_t v);
Val where(const Val& c, const Val& a,
          const Val& b);  // keeps the sign of zeros, if the style is exact
Val reshape(const Val& x, const Shape& shape);
Val expand(const Val& x, const Shape& shape);
Val transpose(const Val& x, const Ints& axes);
Val range(const Val& near, const Feed::Number& count, int64_t n);  // int64: 0, 1, ... n - 1
Val slice_axis(const Val& x, size_t axis, int64_t start,
               int64_t count);  // a static part along one axis
// Pad with an axis more: ONNX Runtime would make it part of the operator after it, also where that
// cannot have so much.
Val pad_apart(const Val& x, Ints pads, const Val& value, const Shape& shape);
Val bits(const Val& x);  // a float's bits as a signed integer
Val float_of_bits(const Val& x, DType t);
Val sign_bit(const Val& x);  // bool
// A reduction over axes, which are an attribute before opset 18 (of ReduceSum, 13).
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
  return is_unsigned(a.dtype) ? op("Sub", {whole_like(a, 0), a}) : op("Neg", {a});
}
// With a number: of the value's own dtype.
inline Val operator+(const Val& a, double b) { return a + like(a, b); }
inline Val operator-(const Val& a, double b) { return a - like(a, b); }
inline Val operator*(const Val& a, double b) { return a * like(a, b); }
inline Val operator/(const Val& a, double b) { return a / like(a, b); }
inline Val operator<(const Val& a, double b) { return a < like(a, b); }
inline Val operator>(const Val& a, double b) { return a > like(a, b); }
inline Val operator==(const Val& a, double b) { return a == like(a, b); }

constexpr bool narrow(DType t) { return t == DType::float16 || t == DType::bfloat16; }
inline Val widen(const Val& x) { return narrow(x.dtype) ? cast(x, DType::float32) : x; }

// What writes one op of Ember: its node, its inputs.
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
  const char* type = nullptr;  // or it is this operator, elementwise
  bool wide = false;           // 16-bit floats are float32 inside
  bool empty = false;          // asked for empty results too, to check indices
  bool nibbles = false;        // moves or converts elements, so that 4-bit integers can be bytes
};
using Table = std::array<Entry, size_t(OpId::count)>;
void add_elementwise(Table&);
void add_math(Table&);
void add_reductions(Table&);
void add_movement(Table&);
void add_indexing(Table&);
void add_neural(Table&);

}  // namespace ember::onnx
