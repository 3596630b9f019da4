// Arrays as text, laid out as NumPy's str() does it.
#pragma once
#include <span>
#include <string>

#include "ember/dtype.h"

namespace ember {

enum class FloatMode : uint8_t {
  maxprec,        // the shortest digits that name the value, at most `precision` after the point
  maxprec_equal,  // the same number of digits for all
  unique,         // the shortest digits, however many
  fixed,          // always `precision` digits
};

struct PrintOptions {
  int precision = 8;         // digits after the point, 0 to 1100
  int64_t threshold = 1000;  // arrays of more elements than this are summarised
  int64_t edgeitems = 3;     // how many items a summary shows at each end
  int64_t linewidth = 75;
  bool suppress = false;  // no scientific notation for small numbers
  char sign = '-';        // '-': minus only; '+': always; ' ': a space before positive numbers
  FloatMode floatmode = FloatMode::maxprec;
  std::string nanstr = "nan", infstr = "inf";
  std::string separator = " ";  // between elements; ", " as NumPy's repr() has it
  int64_t indent = 0;           // of further lines, after a text that the first stands behind
};

EMBER_API PrintOptions print_options();
EMBER_API void set_print_options(const PrintOptions&);  // ValueError where a field is out of range

// Strides are in elements and may be negative or 0; data is the element at [0, 0, ...]. Only
// elements that are shown are read.
EMBER_API std::string format_array(DType, std::span<const int64_t> shape,
                                   std::span<const int64_t> strides, const void* data,
                                   const PrintOptions& = print_options());

}  // namespace ember
