// Suggestions for misspelled names.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace ember {

class Registry;
// At most three names, the nearest first, within a small edit distance (2, or a third of a long
// name), compared as a whole or after the last slash.
std::vector<std::string> nearest_names(std::string_view wrong,
                                       const std::vector<std::string>& known, bool closely = false);
std::string joined(const std::vector<std::string>& names, const char* between = ", ");
inline std::string in_quotes(std::string_view s) {
  return "'" + std::string(s.substr(0, 60)) + (s.size() > 60 ? "...'" : "'");
}
void add_builtin_layers(Registry&);
void add_builtin_models(Registry&);

}  // namespace ember
