// The definition of an operator: a row with its parameters and limits, and a function that checks
// further conditions and records.
#pragma once
#include "ember/error.h"
#include "ember/ops.h"
#include "src/webnn/state.h"

namespace ember::webnn {

// The arguments of one call. They are already converted and checked against the row: types, dtypes,
// ranks, ownership of operands.
struct Call {
  BuilderState& builder;
  const Operator& op;
  std::span<const Arg> args;
  const Options& options;

  const Arg& at(std::string_view name) const;  // an argument or option; empty if not given
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
  std::string text(std::string_view name) const;  // a choice; by default the row's first
  Dimensions u32s(std::string_view name, const Dimensions& otherwise = {}) const;
  DType dtype(std::string_view name, DType otherwise) const;
  const MLNumber& number(std::string_view name) const;

  MLOperand result(Tensor t) const { return new_operand(builder, std::move(t)); }
};

// A row as text. params: "input filter steps:u32" (without a type: operand). options: "groups:u32
// layout:nchw|nhwc bias axes:u32s". Types: operand operands bool u32 u32~ (wraps instead of
// throwing) i32 u32s u32s~ f64 f32s number dtype splits; a|b is a choice, [a|b] a list of choices.
// limits: "input:float@4 filter:input@4 bias:input@1 output:input@4": dtypes (the name of a set, or
// the operand with the same dtype) @ rank or ranks. Sets: any (all ten), number (all but 4-bit
// types), float, signed (float and signed integers); single dtypes f32, u8...; a/b is a union.
// Ranks: 4, 0-5, 1-any, any.
struct RowText {
  const char* name;
  const char* params;
  const char* options;
  const char* limits;
  std::vector<MLOperand> (*build)(Call&);
  bool several = false;
};
// One function for each file of operators.
std::span<const RowText> elementwise_operators();
std::span<const RowText> movement_operators();
std::span<const RowText> indexing_operators();
std::span<const RowText> reduction_operators();
std::span<const RowText> window_operators();
std::span<const RowText> normalization_operators();
std::span<const RowText> product_operators();
std::span<const RowText> recurrent_operators();

// types, dtypes, ranks, ownership.
void check_call(const BuilderState&, const Operator&, std::span<const Arg> args, const Options&);

// ---- Checks and computations that several families use ----
using Results = std::vector<MLOperand>;
// Of a list: the specification's valid tensor count.
inline constexpr uint32_t max_tensors = 8192;
Dimensions broadcast(const Dimensions& a,
                     const Dimensions& b);  // ShapeError if they are incompatible
bool broadcasts_to(const Dimensions& from,
                   const Dimensions& to);  // one-way broadcasting of from to to
std::string text(const Dimensions&);       // "[2, 3]"
Ints ints(const Dimensions&);
// IndexError if it is out of range.
uint32_t axis_of(const Call&, std::string_view name, size_t rank, uint32_t otherwise = 0);
// Checked to be in range and unique; by default all axes.
Dimensions axes_of(const Call&, std::string_view name, size_t rank);
// ShapeError if a given operand has another shape.
void need_shape(const Call&, std::string_view operand, const Dimensions&);
void need_length(std::string_view name, size_t length, size_t wanted);  // ValueError
// Dimensions of a result, each within 1 to 2^31 - 1. Checks the size of the tensor.
Dimensions dimensions(DType, std::span<const int64_t>);
// A double rounded to float, or an integer clamped to the dtype's range after truncation.
MLNumber number_as(const MLNumber&, DType);
Tensor scalar(const MLNumber&, DType);  // the same as a scalar

}  // namespace ember::webnn
