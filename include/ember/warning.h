// Warnings about programs that run but probably do not do what was meant.
#pragma once
#include <string>

#include "ember/error.h"

namespace ember {

// Prints a text once per process on standard error, or calls the handler each time.
EMBER_API void warn(const std::string& text);
// The handler may throw; the op that warns then throws. Null restores standard error.
using WarningHandler = void (*)(const std::string& text);
EMBER_API void set_warning_handler(WarningHandler handler);

}  // namespace ember
