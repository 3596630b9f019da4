// NCCL, opened at run time, for tensors whose memory is a GPU's. MPI carries its first handshake.
#pragma once
#include "src/distributed/process.h"

namespace ember::distributed {

// A communicator of the ranks of a group, each with the GPU that its tensors lie on. Methods fill task.out and return when the GPU is done.
struct Nccl {
  void* comm = nullptr;
  void* stream = nullptr;
  int device = 0, rank = 0, size = 1;
  void broadcast(Task&, int root);
  void all_reduce(Task&, Reduce);
  void all_gather(Task&, const std::vector<int64_t>& lengths, int64_t width);
  void reduce_scatter(Task&, const std::vector<int>& counts, Reduce);
  void all_to_all(Task&, int count);
};
Nccl& nccl_of(Group::Impl& group, const Task& task);  // made by all ranks at the first use; EngineError where NCCL or CUDA is absent

}  // namespace ember::distributed
