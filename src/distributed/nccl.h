// NCCL, opened at run time, for tensors in GPU memory.
#pragma once
#include "src/distributed/process.h"

namespace ember::distributed {

// A communicator of the ranks of a group, each with the GPU of its tensors. Methods fill task.out
// and return when the GPU has finished.
struct Nccl {
  void* comm = nullptr;
  void* stream = nullptr;
  int device, rank, size;
  // Collective. share broadcasts bytes from the first rank. EngineError if NCCL or CUDA is absent.
  Nccl(int gpu, int own_rank, int ranks, const std::function<void(void* bytes, int n)>& share);
  void begin(const Task&);  // called before each operation: waits until the argument is computed
  void broadcast(Task&, int root);
  void all_reduce(Task&, Reduce);
  void all_gather(Task&, const std::vector<int64_t>& lengths, int64_t width);
  void reduce_scatter(Task&, const std::vector<int>& counts, Reduce);
  void all_to_all(Task&, int count);
};

}  // namespace ember::distributed
