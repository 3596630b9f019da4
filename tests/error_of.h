// The message of the exception that f throws; a failure if it does not throw that type.
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
