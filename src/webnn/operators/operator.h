// How operators are written: a row with its parameters, limits and a function that checks what the
// limits cannot say and records.
#pragma once
#include "ember/error.h"
#include "ember/ops.h"
#include "src/webnn/state.h"

namespace ember::webnn {

// The arguments of one call. Everything was converted and checked against the row: types, dtypes
// and ranks of operands, same builder.
struct Call {
  BuilderState& builder;
  const Operator& op;
  std::span<const Arg> args;
  const Options& options;

  const Arg& at(std::string_view name) const;  // of an argument or option; not given: an empty one
  bool has(std::string_view name) const { return at(name).given(); }
  const MLOperand& operand(std::string_view name) const;
  const std::vector<Arg>& list(std::string_view name) const;
  Tensor tensor(std::string_view name) const { return operand(name).state().tensor; }
  std::optional<Tensor> optional(std::string_view name) const {
    return has(name) ? std::optional(tensor(name)) : std::nullopt;
  }
  const Dimensions& shape(std::string_view name) const { return operand(name).shape(); }
  uint32_t u32(std::string_view name, uint32_t otherwise = 0) const;
  int32_t i32(std::string_view name, int32_t otherwise) const;
  double f64(std::string_view name, double otherwise) const;
  bool flag(std::string_view name, bool otherwise = false) const;
  std::string text(std::string_view name) const;  // a choice; not given: the row's first
  Dimensions u32s(std::string_view name, const Dimensions& otherwise = {}) const;
  DType dtype(std::string_view name, DType otherwise) const;
  const MLNumber& number(std::string_view name) const;

  MLOperand result(Tensor t) const { return new_operand(builder, std::move(t)); }
};

// A row in text. params: "input filter steps:u32" (without a type: operand). options: "groups:u32
// layout:nchw|nhwc bias axes:u32s". Types: operand operands bool u32 u32~ (wraps instead of
// refusing) i32 u32s u32s~ f64 f32s number dtype splits, a|b a choice, [a|b] a list of choices.
// limits: "input:float@4 filter:input@4 bias:input@1 output:input@4": dtypes (a set's name, or the
// operand whose dtype it has) @ rank or ranks. Sets: any (all ten), number (all but the 4-bit
// ones), float, signed (float and signed integers); single ones f32, u8...; a/b joins. Ranks: 4,
// 0-5, 1-any, any.
struct RowText {
  const char* name;
  const char* params;
  const char* options;
  const char* limits;
  std::vector<MLOperand> (*build)(Call&);
  bool several = false;
};
// One for each file of operators.
std::span<const RowText> elementwise_operators();
std::span<const RowText> movement_operators();
std::span<const RowText> indexing_operators();
std::span<const RowText> reduction_operators();
std::span<const RowText> window_operators();
std::span<const RowText> normalization_operators();
std::span<const RowText> product_operators();
std::span<const RowText> recurrent_operators();

void check_call(const BuilderState&, const Operator&, std::span<const Arg> args,
                const Options&);  // types, dtypes, ranks, ownership

// ---- what several families check and compute ----
using Results = std::vector<MLOperand>;
inline constexpr uint32_t max_tensors =
    8192;  // in one list: the specification's valid tensor count
Dimensions broadcast(const Dimensions& a, const Dimensions& b);  // ShapeError where they do not fit
bool broadcasts_to(const Dimensions& from, const Dimensions& to);  // from fits into to, one way
std::string text(const Dimensions&);                               // "[2, 3]"
Ints ints(const Dimensions&);
uint32_t axis_of(const Call&, std::string_view name, size_t rank,
                 uint32_t otherwise = 0);  // IndexError where it is no axis
Dimensions axes_of(const Call&, std::string_view name,
                   size_t rank);  // in range, each once; not given: all of them
void need_shape(const Call&, std::string_view operand,
                const Dimensions&);  // ShapeError where a given operand has another
void need_length(std::string_view name, size_t length, size_t wanted);  // ValueError
// Dimensions of a result, each within 1 to 2^31 - 1, of a tensor that is not too large.
Dimensions dimensions(DType, std::span<const int64_t>);
// A double rounded to a float's digits; an int64_t or uint64_t held within an integer's range,
// fractions cut off.
MLNumber number_as(const MLNumber&, DType);
Tensor scalar(const MLNumber&, DType);  // likewise, as a weak scalar

}  // namespace ember::webnn
