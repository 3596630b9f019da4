// The text of the error that f throws; a failure where it throws none of that kind.
#pragma once
#include <gtest/gtest.h>

#include <string>

namespace ember {

template <class E, class F> std::string error_of(F f) {
  try {
    f();
  } catch (const E& e) {
    return e.what();
  }
  ADD_FAILURE() << "no error of the expected kind";
  return "";
}

}  // namespace ember
