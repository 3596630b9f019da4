// Typed errors. Every error Ember throws is one of these; docs/errors.md has a section per kind.
#pragma once
#include <stdexcept>
#include <string>

#define EMBER_API __attribute__((visibility("default")))

namespace ember {

struct EMBER_API Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};
// Incompatible shapes.
struct EMBER_API ShapeError : Error {
  using Error::Error;
};
// A dtype that the op does not accept.
struct EMBER_API DTypeError : Error {
  using Error::Error;
};
// An index or axis out of range.
struct EMBER_API IndexError : Error {
  using Error::Error;
};
// An invalid argument value.
struct EMBER_API ValueError : Error {
  using Error::Error;
};
// An unknown device, or operands on different devices.
struct EMBER_API DeviceError : Error {
  using Error::Error;
};
// A valid request that this build, engine or format does not support.
struct EMBER_API UnsupportedError : Error {
  using Error::Error;
};
// An engine is absent, broken, or failed.
struct EMBER_API EngineError : Error {
  using Error::Error;
};
// An object used in the wrong state.
struct EMBER_API StateError : Error {
  using Error::Error;
};
// An allocation failed.
struct EMBER_API MemoryError : Error {
  using Error::Error;
};
// A file cannot be read or written.
struct EMBER_API IoError : Error {
  using Error::Error;
};

}  // namespace ember
