// Shared by the layers: checks that name the layer, text for details(), optional biases.
#pragma once
#include <charconv>
#include <optional>
#include <string>

#include "ember/nn/module.h"
#include "ember/ops.h"

namespace ember::nn {

// Macros, so that the message is only built on failure: forward runs these checks in every call.
#define NEED(good, layer, ...)                                                      \
  do {                                                                              \
    if (!(good)) throw ValueError("[" + std::string(layer) + "] " + (__VA_ARGS__)); \
  } while (0)
#define NEED_SHAPE(good, layer, ...)                                                \
  do {                                                                              \
    if (!(good)) throw ShapeError("[" + std::string(layer) + "] " + (__VA_ARGS__)); \
  } while (0)
inline void need_positive(std::string_view layer,
                          std::initializer_list<std::pair<const char*, int64_t>> sizes) {
  for (const auto& [what, n] : sizes) {
    NEED(n > 0, layer, std::string(what) + " must be positive, not " + std::to_string(n));
  }
}
inline void need_rate(std::string_view layer, double p) {
  NEED(p >= 0 && p <= 1, layer,
       "the dropout rate must be between 0 and 1, not " + std::to_string(p));
}
inline std::optional<Tensor> optional_of(const Parameter& p) {
  return p.defined() ? std::optional<Tensor>(p.value()) : std::nullopt;
}
inline std::optional<Tensor> optional_of(const Tensor& t) {
  return t.defined() ? std::optional<Tensor>(t) : std::nullopt;
}

// In Python's format: 1e-05, True, (3, 3).
inline std::string text(double v) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, v).ptr};
}
inline std::string text(bool v) { return v ? "True" : "False"; }
inline std::string text(const Ints& v) {
  std::string r = "(";
  for (size_t i = 0; i < v.size(); ++i) r += (i ? ", " : "") + std::to_string(v[i]);
  return r + (v.size() == 1 ? ",)" : ")");
}

}  // namespace ember::nn
