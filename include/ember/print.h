// Arrays as text in the format of NumPy's str().
#pragma once
#include <span>
#include <string>

#include "ember/dtype.h"

namespace ember {

enum class FloatMode : uint8_t {
  maxprec,        // the shortest unique digits, at most `precision` after the point
  maxprec_equal,  // the same number of digits for all elements
  unique,         // the shortest unique digits
  fixed,          // always `precision` digits
};

struct PrintOptions {
  int precision = 8;         // digits after the point, 0 to 1100
  int64_t threshold = 1000;  // arrays of more elements than this are summarised
  int64_t edgeitems = 3;     // number of items at each end of a summary
  int64_t linewidth = 75;
  bool suppress = false;  // no scientific notation for small numbers
  char sign = '-';        // '-': minus only; '+': always; ' ': a space before positive numbers
  FloatMode floatmode = FloatMode::maxprec;
  std::string nanstr = "nan", infstr = "inf";
  std::string separator = " ";  // between elements; ", " as NumPy's repr() has it
  int64_t indent = 0;           // columns that lines after the first are indented by
};

EMBER_API PrintOptions print_options();
EMBER_API void set_print_options(const PrintOptions&);  // ValueError if a field is out of range

// Strides are in elements and may be negative or 0; data points to the element [0, 0, ...]. Reads
// only the elements that are printed.
EMBER_API std::string format_array(DType, std::span<const int64_t> shape,
                                   std::span<const int64_t> strides, const void* data,
                                   const PrintOptions& = print_options());

}  // namespace ember
