// NCCL, opened at run time, for tensors whose memory is a GPU's.
#pragma once
#include "src/distributed/process.h"

namespace ember::distributed {

// A communicator of the ranks of a group, each with the GPU that its tensors lie on. Methods fill
// task.out and return when the GPU is done.
struct Nccl {
  void* comm = nullptr;
  void* stream = nullptr;
  int device, rank, size;
  // All ranks at once. share makes bytes those of the first rank. EngineError where NCCL or CUDA is
  // absent.
  Nccl(int gpu, int own_rank, int ranks, const std::function<void(void* bytes, int n)>& share);
  void begin(const Task&);  // before each of the others: what computes the argument is done
  void broadcast(Task&, int root);
  void all_reduce(Task&, Reduce);
  void all_gather(Task&, const std::vector<int64_t>& lengths, int64_t width);
  void reduce_scatter(Task&, const std::vector<int>& counts, Reduce);
  void all_to_all(Task&, int count);
};

}  // namespace ember::distributed
