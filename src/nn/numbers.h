// Numbers as 0-d tensors without loss, for states in files.
#pragma once
#include "ember/ops.h"

namespace ember::nn {

inline Tensor number(double v) { return from_data(&v, DType::float64, {}); }
inline Tensor number(int64_t v) { return from_data(&v, DType::int64, {}); }
inline Tensor number(uint64_t v) { return from_data(&v, DType::uint64, {}); }
inline double read_number(const Tensor& t) { return ops::astype(t, DType::float64).item<double>(); }
inline int64_t read_whole(const Tensor& t) { return ops::astype(t, DType::int64).item<int64_t>(); }
// Reads a counter of steps, epochs or batches; ValueError for an impossible count.
inline int64_t read_count(const Tensor& t, const std::string& key) {
  const int64_t v = t.size() == 1 && is_integer(t.dtype()) ? read_whole(t) : -1;
  if (v < 0 || v > int64_t(1) << 53) {
    throw ValueError("'" + key + "' in the saved state is not a count: " + to_string(t));
  }
  return v;
}
inline const Tensor& entry(const TensorMap& state, const std::string& key) {
  const auto it = state.find(key);
  if (it == state.end()) throw ValueError("'" + key + "' is missing from the saved state");
  return it->second;
}
// The entries whose keys begin with prefix, without the prefix; and the inverse.
inline TensorMap under(const TensorMap& all, const std::string& prefix) {
  TensorMap r;
  for (auto it = all.lower_bound(prefix); it != all.end() && it->first.starts_with(prefix); ++it) {
    r.emplace(it->first.substr(prefix.size()), it->second);
  }
  return r;
}
inline void put_under(TensorMap& all, const std::string& prefix, const TensorMap& part) {
  for (const auto& [key, t] : part) all.emplace(prefix + key, t);
}

}  // namespace ember::nn
