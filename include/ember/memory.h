// Memory statistics, and gradients that recompute instead of storing.
#pragma once
#include <functional>

#include "ember/backend.h"
#include "ember/grad.h"

namespace ember::memory {

inline MemoryStats stats() { return memory_stats(); }
EMBER_API void reset_peak();  // restarts the measurement of the peak

// Computes f(args) and keeps only the arguments for the gradient, which recomputes the intermediate
// values. Values and gradients are bit-identical to those without it. f may use parameters that are
// not arguments; they get their gradients as well.
EMBER_API Tensor checkpoint(const std::function<Tensor(const Tensors&)>& f, const Tensors& args);
template <class F, class... T>
  requires std::is_invocable_r_v<Tensor, F, const T&...> &&
           (std::is_convertible_v<T, Tensor> && ...) && (sizeof...(T) > 0)
Tensor checkpoint(F f, const T&... args) {
  return checkpoint(
      [f = std::move(f)](const Tensors& a) {
        return [&]<size_t... I>(std::index_sequence<I...>) {
          return f(a[I]...);
        }(std::make_index_sequence<sizeof...(T)>());
      },
      Tensors{args...});
}

}  // namespace ember::memory
