// Prints each warning once, or calls a handler.
#include "ember/warning.h"

#include <atomic>
#include <iostream>
#include <mutex>
#include <set>

namespace ember {
namespace {

std::atomic<WarningHandler> current_handler{nullptr};

}  // namespace

void set_warning_handler(WarningHandler handler) { current_handler = handler; }

void warn(const std::string& text) {
  if (const WarningHandler handler = current_handler) return handler(text);
  static std::mutex mutex;
  static std::set<std::string> said;
  const std::lock_guard lock(mutex);
  if (said.insert(text).second) std::cerr << "ember: warning: " << text << "\n";
}

}  // namespace ember
