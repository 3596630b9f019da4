// Single elements of tensors that have been computed already, looked up and written without a node
// for each: what loops over elements in Python live on. Where that is not possible, callers index
// as usual.
#pragma once
#include <optional>
#include <span>

#include "ember/engine.h"
#include "ember/tensor.h"

namespace ember {

// x[at] as a scalar of x's dtype, for an index that names one element; nothing if x still pends,
// carries a gradient or lies elsewhere.
EMBER_API std::optional<Tensor> read_element(const Tensor& x, std::span<const int64_t> at);
// Writes a number where nobody else can see x's memory; false if it has to be recorded. Evaluates a
// pending write before this one.
EMBER_API bool write_element(const Tensor& x, std::span<const int64_t> at, const Tensor& value);
// The value of a scalar that is not in memory; null for every other tensor. Its member is the one
// of the dtype: f, i or u.
EMBER_API const Param* scalar_value(const Tensor& x);

}  // namespace ember
