// Typed errors. Every error Ember throws is one of these; docs/errors.md has a section per kind.
#pragma once
#include <stdexcept>
#include <string>

#define EMBER_API __attribute__((visibility("default")))

namespace ember {

struct EMBER_API Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct EMBER_API ShapeError : Error {
  using Error::Error;
};  // shapes that are not compatible
struct EMBER_API DTypeError : Error {
  using Error::Error;
};  // a dtype the op does not take
struct EMBER_API IndexError : Error {
  using Error::Error;
};  // an index or axis out of range
struct EMBER_API ValueError : Error {
  using Error::Error;
};  // an argument's value
struct EMBER_API DeviceError : Error {
  using Error::Error;
};  // an unknown device, or operands on two
struct EMBER_API UnsupportedError : Error {
  using Error::Error;
};  // legal, but not to be had here
struct EMBER_API EngineError : Error {
  using Error::Error;
};  // an engine is absent, broken, or failed
struct EMBER_API StateError : Error {
  using Error::Error;
};  // an object used in the wrong state
struct EMBER_API MemoryError : Error {
  using Error::Error;
};  // an allocation failed
struct EMBER_API IoError : Error {
  using Error::Error;
};  // files

}  // namespace ember
