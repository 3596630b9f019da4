// Losses broadcast as all ops do, but [4, 1] against [4] makes 16 differences of 4.
#pragma once
#include "ember/tensor.h"
#include "ember/warning.h"

namespace ember {

// A single number on either side is taken as meant.
inline void warn_of_broadcast(const std::string& op, const Tensor& prediction,
                              const Tensor& target) {
  if (prediction.shape() == target.shape() || prediction.ndim() == 0 || target.ndim() == 0) return;
  warn("[" + op + "] the prediction has shape " + to_string(prediction.shape()) +
       " and the target " + to_string(target.shape()) +
       ": they broadcast, which is seldom what is meant. Give both the same shape");
}

}  // namespace ember
