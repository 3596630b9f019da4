// How an engine or a writer lists its kernels: an array of rows for each family of ops, in the
// family's file, and one table over all of them.
#pragma once
#include <initializer_list>

#include "ember/engine.h"

namespace ember {

// Finds a row by its op. Row has a member `op`; each op has at most one row.
template <class Row> class KernelTable {
 public:
  KernelTable(std::initializer_list<std::span<const Row>> families) {
    for (const std::span<const Row> family : families) {
      for (const Row& row : family) rows_[size_t(row.op)] = &row;
    }
  }
  const Row* find(OpId op) const { return rows_[size_t(op)]; }  // null if the op has none

 private:
  std::array<const Row*, size_t(OpId::count)> rows_{};
};

}  // namespace ember
