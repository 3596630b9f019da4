// Strings: a tensor of strings is a tensor of indices into a vocabulary.
#include "src/onnx/read/read.h"

namespace ember::onnx {

int64_t Vocabulary::add(std::string_view s) {
  const auto [it, added] = places_.try_emplace(std::string(s), int64_t(strings_.size()));
  if (added) strings_.emplace_back(s);
  return it->second;
}

std::optional<int64_t> Vocabulary::find(std::string_view s) const {
  const auto it = places_.find(std::string(s));
  return it == places_.end() ? std::nullopt : std::optional(it->second);
}

const std::string& Vocabulary::operator[](int64_t place) const {
  if (place < 0 || place >= int64_t(strings_.size())) {
    throw IndexError("[onnx] " + std::to_string(place) + " is out of range for a vocabulary of " +
                     std::to_string(strings_.size()) + " strings");
  }
  return strings_[size_t(place)];
}

}  // namespace ember::onnx
