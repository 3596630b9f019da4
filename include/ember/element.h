// Reads and writes single elements of evaluated tensors without recording a node, which makes
// element loops in Python fast. Where that is not possible, callers use ordinary indexing.
#pragma once
#include <optional>
#include <span>

#include "ember/engine.h"
#include "ember/tensor.h"

namespace ember {

// x[at] as a scalar of x's dtype, for an index that selects one element; nullopt if x is pending,
// requires a gradient or is not in host memory.
EMBER_API std::optional<Tensor> read_element(const Tensor& x, std::span<const int64_t> at);
// Writes an element in place if no other handle can observe x's memory; returns false if the write
// has to be recorded. Evaluates an earlier pending write first.
EMBER_API bool write_element(const Tensor& x, std::span<const int64_t> at, const Tensor& value);
// The value of a scalar that is not in memory; null for every other tensor. The dtype selects the
// member: f, i or u.
EMBER_API const Param* scalar_value(const Tensor& x);

}  // namespace ember
