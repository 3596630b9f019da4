// Colours and progress, only if standard output is a terminal.
#pragma once
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace ember::cli {

inline bool colours() {
  static const bool on = isatty(1) && !std::getenv("NO_COLOR");
  return on;
}
inline std::string bold(const std::string& s) { return colours() ? "\033[1m" + s + "\033[0m" : s; }
inline std::string dim(const std::string& s) { return colours() ? "\033[2m" + s + "\033[0m" : s; }
inline std::string green(const std::string& s) {
  return colours() ? "\033[32m" + s + "\033[0m" : s;
}
inline std::string red(const std::string& s) { return colours() ? "\033[31m" + s + "\033[0m" : s; }
inline std::string pad(std::string s, size_t n) {
  return s.size() < n ? s + std::string(n - s.size(), ' ') : s;
}
inline std::string left_pad(std::string s, size_t n) {
  return s.size() < n ? std::string(n - s.size(), ' ') + s : s;
}

}  // namespace ember::cli
