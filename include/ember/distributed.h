// Groups of processes and their collectives, over MPI (between GPUs over NCCL). Both libraries are
// opened on first use.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ember/grad.h"
#include "ember/nn/optim.h"

namespace ember::distributed {

enum class Reduce { sum, mean, max, min, prod };
EMBER_API std::string_view name(Reduce);
EMBER_API Reduce parse_reduce(std::string_view);  // ValueError for an unknown name

struct Task;
// An asynchronous operation. Copies refer to the same operation.
class EMBER_API Work {
 public:
  Work() = default;
  explicit Work(std::shared_ptr<Task> task) : task_(std::move(task)) {}
  // Waits and returns the operation's result (nothing for barrier and send), or throws its error.
  Tensor wait() const;
  bool done() const;

 private:
  std::shared_ptr<Task> task_;
};

// A group of processes. A handle; a default-constructed group contains this process alone. All
// ranks of a group call the same operations in the same order. A result is on the engine of the
// argument. Contiguous host memory is read in place and a result is written once.
class EMBER_API Group {
 public:
  struct Impl;
  Group() = default;
  explicit Group(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
  int rank() const;
  int size() const;
  std::string transport() const;  // "Open MPI v4.1.4...", or "none"
  // Ranks with the same color form a group, ordered by key and then by rank. A negative color gives
  // a group of this process alone.
  Group split(int color, int key = 0) const;

  // 16-bit floats are reduced in float32 and rounded once. mean accepts floats and complex numbers;
  // max and min do not accept complex numbers.
  void barrier() const;
  // The root's x. x has the same shape and dtype on all ranks.
  Tensor broadcast(const Tensor& x, int root = 0) const;
  Tensor all_reduce(const Tensor& x, Reduce op = Reduce::sum) const;
  // The ranks' tensors concatenated along axis 0, where their lengths may differ; scalars give a
  // vector.
  Tensor all_gather(const Tensor& x) const;
  // This rank's rows of the reduction, as share() assigns them.
  Tensor reduce_scatter(const Tensor& x, Reduce op = Reduce::sum) const;
  // Part i of axis 0 goes to rank i; the parts received are concatenated in the order of ranks.
  Tensor all_to_all(const Tensor& x) const;
  void send(const Tensor& x, int to) const;
  Tensor recv(DType dtype, const Shape& shape, int from) const;

  // The same operations without waiting. They are carried out in the order of the calls. Arguments
  // are evaluated first.
  Work barrier_async() const;
  Work broadcast_async(const Tensor& x, int root = 0) const;
  Work all_reduce_async(const Tensor& x, Reduce op = Reduce::sum) const;
  Work all_gather_async(const Tensor& x) const;
  Work reduce_scatter_async(const Tensor& x, Reduce op = Reduce::sum) const;
  Work all_to_all_async(const Tensor& x) const;
  Work send_async(const Tensor& x, int to) const;
  Work recv_async(DType dtype, const Shape& shape, int from) const;

  // Byte strings of any length, for small data such as names. broadcast_bytes returns the root's.
  std::string broadcast_bytes(const std::string& bytes, int root = 0) const;
  std::vector<std::string> all_gather_bytes(const std::string& bytes) const;

  Impl* impl() const { return impl_.get(); }  // null: this process alone

 private:
  std::shared_ptr<Impl> impl_;
};

struct InitOptions {
  // Compare the ranks' requests before each operation, so that a mismatch is an error instead of a
  // hang or wrong numbers. Default: EMBER_DISTRIBUTED_CHECKED, which is 1 unless it is set to 0.
  std::optional<bool> checked;
  // Seconds after which an operation that waits for another rank ends the process. Default:
  // EMBER_DISTRIBUTED_TIMEOUT, or 300.
  std::optional<double> timeout;
};
// All processes that mpirun, srun or `ember launch` started, or this one alone. Later calls return
// the same group.
EMBER_API Group init(const InitOptions& options = {});
EMBER_API Group world();  // the group of init(), or this process alone before it
EMBER_API bool is_initialized();
// Prints a message and ends all processes of the world.
[[noreturn]] EMBER_API void abort(const std::string& message, int status = 1);

// The rows [first, last) of n that belong to a rank. The lengths differ by at most one; the longer
// parts come first.
struct Span {
  int64_t first, last;
};
inline Span share(int64_t n, int rank, int size) {
  const int64_t each = n / size;
  const int64_t more = n % size;
  const int64_t first = each * rank + std::min<int64_t>(rank, more);
  return {first, first + each + (rank < more)};
}

// Sum over all ranks that is differentiable: its vjp also sums over all ranks.
EMBER_API Tensor all_reduce_sum(const Tensor& x, const Group& group);

// ---- Strategies ----
// How a model is trained; the base class trains on this process alone. A Trainer calls the
// functions in the order of their declarations.
class EMBER_API Strategy {
 public:
  Strategy() = default;
  Strategy(const Strategy&) = delete;
  virtual ~Strategy() = default;
  int64_t num_devices = 1;
  // One part of axis 0 for each device, as share() assigns them.
  std::vector<Tensor> distribute(const Tensor& batch) const;
  virtual Group group() const { return {}; }
  virtual void prepare(nn::Module&, nn::Optimizer&) {}  // once, before the first step
  // Replaces the gradients by their sums over ranks. also: other tensors of this step, evaluated in
  // the same pass.
  virtual void reduce(const std::vector<nn::Parameter>& parameters, const Tensors& also) {
    (void)parameters;
    (void)also;
  }
  virtual bool step(nn::Optimizer& optimizer, const nn::StepOptions& options) {
    return optimizer.step(options);
  }
  // Whether each rank stores a part of the optimizer's state.
  // Whether each rank saves its part of the state to a file of its own.
  virtual bool shards_state() const { return false; }
  virtual bool shards_checkpoints() const { return false; }
  // This rank's part of an optimizer's whole state.
  virtual nn::StateDict own(const nn::StateDict& state) const { return state; }
};
using StrategyPtr = std::shared_ptr<Strategy>;

struct DataParallelOptions {
  Group group = init();
  size_t bucket_bytes = 25 << 20;       // the size of the buckets in which gradients are reduced
  bool synchronize_batch_norm = false;  // statistics are those of the whole batch
  // Each rank stores the optimizer's state of some of the parameters (ZeRO-1).
  bool shard_optimizer = false;
  bool sharded_checkpoints = false;  // save that state to one file per rank
};
// Each rank has the whole model and a part of each batch. Ranks start from rank 0's weights. Losses
// are weighted by the number of examples, so that parts of unequal length give the gradient of the
// whole batch.
class EMBER_API DataParallelStrategy : public Strategy {
 public:
  explicit DataParallelStrategy(DataParallelOptions options = {});
  Group group() const override { return options_.group; }
  void prepare(nn::Module&, nn::Optimizer&) override;
  // Buckets are reduced from the last parameter to the first; the reduction of one overlaps with
  // the computation of the next.
  void reduce(const std::vector<nn::Parameter>& parameters, const Tensors& also) override;
  bool step(nn::Optimizer&, const nn::StepOptions&) override;
  bool shards_state() const override {
    return options_.shard_optimizer && options_.group.size() > 1;
  }
  bool shards_checkpoints() const override {
    return shards_state() && options_.sharded_checkpoints;
  }
  nn::StateDict own(const nn::StateDict& state) const override;
  const DataParallelOptions& options() const { return options_; }

 private:
  DataParallelOptions options_;
  std::vector<int> owners_;  // by the parameter's number in the optimizer
};

// Makes BatchNorm layers in this module and its descendants use the statistics of the batches of
// all ranks.
EMBER_API void synchronize_batch_norm(nn::Module&, const Group& group);

}  // namespace ember::distributed
