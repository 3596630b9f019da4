// Memory: what is used, and gradients that recompute instead of storing.
#pragma once
#include <functional>

#include "ember/backend.h"
#include "ember/grad.h"

namespace ember::memory {

inline MemoryStats stats() { return memory_stats(); }
EMBER_API void reset_peak();  // the peak counts from here

// f(args), of which a gradient later needs the arguments only: what f computes on the way is
// computed again then. Values and gradients are the same bits as without. f may use parameters
// beside its arguments; they get their gradients as well.
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
