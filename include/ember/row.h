// A row says what an op means: one per op, in src/ops. Everything that must know all ops reads the
// rows.
#pragma once
#include <complex>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "ember/engine.h"
#include "ember/tensor.h"

namespace ember {

using Inputs = std::span<const Tensor>;
using Types = std::vector<Type>;

enum Kinds : uint8_t {
  k_bool = 1,
  k_int = 2,
  k_float = 4,
  k_complex = 8,
  k_real = 7,
  k_numeric = 14,
  k_inexact = 12,
  k_integral = 3,
  k_any = 15
};

// What happens to the inputs' dtypes before infer sees them.
enum class Promote : uint8_t {
  keep,      // as they are
  common,    // all to the promoted dtype
  floating,  // likewise, and integers and bools to the default float
  boolean,   // all to bool
};
enum class Result : uint8_t { same, boolean, real, byte };  // elementwise: the output's dtype

// Properties of an op that hold on every engine.
enum Traits : uint8_t {
  t_elementwise = 1,  // element i of the output depends on element i of each broadcast input alone
  t_commutative = 2,  // its two inputs may be swapped without a change of the result's bits
  t_movement = 4,     // each element of the output is an element of an input
  t_view = 8,         // a movement that strides and an offset can express
  t_reduction = 16,   // combines the elements along axes that disappear or get length 1
  t_random = 32,      // pseudo-random bits, a function of the inputs
};
struct Arity {  // how many inputs a node has
  uint8_t least = 0;
  uint8_t most = 0;
};
inline constexpr uint8_t any_number = 255;

// The arguments of a gradient rule. A rule is written in ops, so it runs on every engine and can be
// differentiated again.
struct Vjp {
  Inputs x, y;  // y: all outputs
  Inputs g;     // the cotangents of the outputs; undefined where nothing depends on one
  const Attrs& attrs;
  std::span<const bool> needs;  // per input: whether its gradient is wanted
};
// One gradient per input, undefined where it is zero or not wanted. The caller sums over broadcast
// axes and takes the real part for a real input.
using Gradients = std::vector<Tensor>;
// The values that a rule reads, which an evaluation therefore stores: bit i is input i, the last of
// them also stands for all further inputs.
enum Reads : uint8_t {
  reads_none = 0,
  reads_x = 1,
  reads_x2 = 2,
  reads_x3 = 4,
  reads_x4 = 8,
  reads_all_x = 127,
  reads_y = 128
};
// The outputs of a batching rule and the axis over examples of each, -1 where it has none.
struct Batched {
  std::vector<Tensor> y;
  Ints axes;
};

// A value that crosses a language border: what Python, Node and the tests hand to an op, and what
// they get back.
struct Arg : std::variant<std::monostate, bool, int64_t, double, std::complex<double>, std::string,
                          DType, Tensor, std::vector<Arg>> {
  using variant::variant;
  bool none() const { return index() == 0; }
};
using Kwargs = std::map<std::string, Arg, std::less<>>;

// One argument of an op as callers in other languages see it; an options struct is spelled out, a
// field each.
struct Field {
  std::string name, type;  // type: Tensor, Tensors, bool, int, float, str, DType, Ints, Axes, Any;
                           // "?" after it: may be None
  std::string fallback;    // as Python would write it; empty: the argument must be given
  bool variadic = false;   // all further positional arguments
  Arg value;               // the fallback, unless it belongs to an options struct
};

// The arguments of one call, by the number of their field. Each language reads its own values:
// Python its objects, C++ a list of Arg. A reader is called once for each field that is given.
class EMBER_API Arguments {
 public:
  static constexpr size_t max_fields = 64;
  virtual ~Arguments() = default;
  bool is_given(size_t field) const { return given_ >> field & 1; }
  bool is_none(size_t field) const { return none_ >> field & 1; }  // given as None
  virtual Tensor tensor(size_t field) = 0;
  virtual std::vector<Tensor> tensors(size_t field) = 0;
  virtual bool boolean(size_t field) = 0;
  virtual int64_t integer(size_t field) = 0;
  virtual double number(size_t field) = 0;
  virtual Ints integers(size_t field) = 0;
  virtual DType dtype(size_t field) = 0;
  virtual Arg value(size_t field) = 0;  // of any other type

 protected:
  void set_given(size_t field, bool is_none) {
    given_ |= uint64_t(1) << field;
    none_ |= uint64_t(is_none) << field;
  }

 private:
  uint64_t given_ = 0;
  uint64_t none_ = 0;
};

struct Row;
// The public function with its types erased.
struct Binding {
  Arg (*call)(const Row&, Arguments&) = nullptr;
  std::vector<std::vector<Field>> (*fields)() =
      nullptr;              // per parameter; names and fallbacks only inside options structs
  const char* result = "";  // its type
  Tensor (*unary)(Tensor) =
      nullptr;  // present where one or two tensors are all there is: the short way
  Tensor (*binary)(Tensor, Tensor) = nullptr;
  explicit operator bool() const { return call; }
};

struct Row {
  const char* name;
  const char* args;  // as Python would write them: "x, axis=None", "*arrays"; options structs as
                     // "**options"; "-> q, r" names results
  const char* doc;   // one sentence
  Binding call;      // the public function, for dynamic arguments
  OpId id = OpId::leaf;  // leaf: no node of its own, a function over other ops
  uint8_t traits = 0;
  Arity arity;
  uint8_t kinds = k_any;
  Promote promote = Promote::keep;
  Result result = Result::same;
  Type (*infer)(Inputs, const Attrs&) = nullptr;
  Types (*infer_many)(Inputs, const Attrs&) = nullptr;             // ops with several outputs
  std::vector<Tensor> (*compose)(Inputs, const Attrs&) = nullptr;  // present: a composite
  // The gradient rule. A composite without one is differentiated through its body, which reads the
  // inputs again.
  Gradients (*vjp)(const Vjp&) = nullptr;
  uint8_t reads = reads_all_x;
  uint8_t (*reads_by)(const Node&) = nullptr;  // where `reads` depends on the node
  // Forward mode: the tangents of the outputs y from those of the inputs x, undefined for zero.
  std::vector<Tensor> (*jvp)(Inputs x, Inputs y, Inputs tangents, const Attrs&) = nullptr;
  // Vectorization: the op over inputs of which x[i] has an axis over examples at axes[i], or -1.
  Batched (*batch)(Inputs x, const Ints& axes, const Attrs&) = nullptr;
  bool eager = false;  // the output's shape depends on data: evaluates at once
  // The table of all rows adds these.
  const char* family = "";
  std::vector<Field> fields;         // of args
  std::vector<std::string> results;  // the names of a tuple's members, if they have any
};

EMBER_API const Row& row(OpId);
inline bool has_trait(OpId op, Traits t) { return row(op).traits & t; }
EMBER_API const Row* find_row(std::string_view name);  // also by alias
EMBER_API std::span<const Row* const> all_rows();      // by family, in order
struct Alias {
  const char* name;
  const char* target;
};
EMBER_API std::span<const Alias> aliases();
// Calls the row's function; its errors name the op.
EMBER_API Arg call(const Row& row, Arguments& arguments);
EMBER_API Arg call(std::string_view op, std::vector<Arg> args, Kwargs kwargs = {});
// f(a, b, c) and f([a, b, c]) mean the same, where the list's own elements are tensors or lists.
EMBER_API std::vector<Arg> unpack_variadic(std::vector<Arg> positional);
EMBER_API Support supports_op(std::string_view backend,
                              OpId);  // asked with small operands of a dtype the op takes
// For the coverage table: what engines did with the ops that were evaluated while watching, in
// order.
enum class How : uint8_t { own, body, fallback };
struct Taken {
  OpId op;
  How how;
};
EMBER_API void watch_ops(bool on);
EMBER_API std::vector<Taken> watched_ops();   // since the last call
EMBER_API std::string signature(const Row&);  // the fields as Python would write them

}  // namespace ember
