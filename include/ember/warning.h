// Warnings: what runs, but is probably not what was meant.
#pragma once
#include <string>

#include "ember/error.h"

namespace ember {

// Says it once per text and process on standard error, or calls the handler each time.
EMBER_API void warn(const std::string& text);
// The handler may throw; what it throws comes out of the op that warns. Null restores standard
// error.
using WarningHandler = void (*)(const std::string& text);
EMBER_API void set_warning_handler(WarningHandler handler);

}  // namespace ember
