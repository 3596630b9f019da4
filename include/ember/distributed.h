// More than one process: groups of them and what they do together, over MPI (between GPUs over
// NCCL), both opened when they are needed.
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
EMBER_API Reduce parse_reduce(std::string_view);  // ValueError for a name that is none

struct Task;
// An operation under way; copies are handles to the same one.
class EMBER_API Work {
 public:
  Work() = default;
  explicit Work(std::shared_ptr<Task> task) : task_(std::move(task)) {}
  Tensor wait()
      const;  // what the operation gives (nothing for barrier and send); its error, if it had one
  bool done() const;

 private:
  std::shared_ptr<Task> task_;
};

// Processes that work together. A handle; a default one is this process alone. All ranks of a group
// call the same operations in the same order. Results lie on the engine of the argument; contiguous
// host memory is read where it is and results are written once.
class EMBER_API Group {
 public:
  struct Impl;
  Group() = default;
  explicit Group(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
  int rank() const;
  int size() const;
  std::string transport() const;  // "Open MPI v4.1.4...", or "none"
  // Those that give the same color, ordered by key and then by rank. A negative color: this process
  // alone.
  Group split(int color, int key = 0) const;

  // 16-bit floats are reduced in float32 and rounded once. mean is of floats and complex numbers;
  // max and min are not of complex ones.
  void barrier() const;
  Tensor broadcast(const Tensor& x,
                   int root = 0) const;  // the root's; x has its shape and dtype on all ranks
  Tensor all_reduce(const Tensor& x, Reduce op = Reduce::sum) const;
  Tensor all_gather(const Tensor& x) const;  // one after the other along axis 0, where they may
                                             // differ in length; numbers give a vector
  Tensor reduce_scatter(const Tensor& x, Reduce op = Reduce::sum)
      const;  // this rank's rows of the reduction, as share() has them
  Tensor all_to_all(const Tensor& x)
      const;  // part i of axis 0 goes to rank i; the parts come back in the order of ranks
  void send(const Tensor& x, int to) const;
  Tensor recv(DType dtype, const Shape& shape, int from) const;

  // The same, begun; they are carried out in the order of the calls while this thread goes on.
  // Arguments are evaluated first.
  Work barrier_async() const;
  Work broadcast_async(const Tensor& x, int root = 0) const;
  Work all_reduce_async(const Tensor& x, Reduce op = Reduce::sum) const;
  Work all_gather_async(const Tensor& x) const;
  Work reduce_scatter_async(const Tensor& x, Reduce op = Reduce::sum) const;
  Work all_to_all_async(const Tensor& x) const;
  Work send_async(const Tensor& x, int to) const;
  Work recv_async(DType dtype, const Shape& shape, int from) const;

  // Bytes of any length: small things such as names. broadcast takes the root's.
  std::string broadcast_bytes(const std::string& bytes, int root = 0) const;
  std::vector<std::string> all_gather_bytes(const std::string& bytes) const;

  Impl* impl() const { return impl_.get(); }  // null: this process alone

 private:
  std::shared_ptr<Impl> impl_;
};

struct InitOptions {
  // Compares what the ranks ask for before each operation: they get an error instead of a hang or
  // wrong numbers. Left out: EMBER_DISTRIBUTED_CHECKED, which is 1 unless it is set to 0.
  std::optional<bool> checked;
  // Seconds after which an operation that waits for another rank ends the process; left out:
  // EMBER_DISTRIBUTED_TIMEOUT, or 300.
  std::optional<double> timeout;
};
// All processes that mpirun, srun or `ember launch` started; this one alone otherwise. Later calls
// give the same group.
EMBER_API Group init(const InitOptions& options = {});
EMBER_API Group world();  // init()'s, or this process alone before it
EMBER_API bool is_initialized();
// Ends all processes of the world with a message.
[[noreturn]] EMBER_API void abort(const std::string& message, int status = 1);

// The rows [first, last) of n that a rank has: as equal as they can be, the longer parts first.
struct Span {
  int64_t first, last;
};
inline Span share(int64_t n, int rank, int size) {
  const int64_t each = n / size;
  const int64_t more = n % size;
  const int64_t first = each * rank + std::min<int64_t>(rank, more);
  return {first, first + each + (rank < more)};
}

// Sum over all ranks as part of a gradient: what comes back is summed as well.
EMBER_API Tensor all_reduce_sum(const Tensor& x, const Group& group);

// ---- Strategies ----
// How a model is trained: this one on this process alone. A Trainer calls it in the order of the
// declarations.
class EMBER_API Strategy {
 public:
  Strategy() = default;
  Strategy(const Strategy&) = delete;
  virtual ~Strategy() = default;
  int64_t num_devices = 1;
  std::vector<Tensor> distribute(
      const Tensor& batch) const;  // a part for each device along axis 0, as share() has them
  virtual Group group() const { return {}; }
  virtual void prepare(nn::Module&, nn::Optimizer&) {}  // once, before the first step
  // The gradients become the sums over ranks. also: what else this step evaluates, which is then
  // done together with them.
  virtual void reduce(const std::vector<nn::Parameter>& parameters, const Tensors& also) {
    (void)parameters;
    (void)also;
  }
  virtual bool step(nn::Optimizer& optimizer, const nn::StepOptions& options) {
    return optimizer.step(options);
  }
  // each rank has a part of the optimizer's state
  virtual bool shards_state() const { return false; }
  virtual bool shards_checkpoints() const { return false; }  // and saves it to a file of its own
  // of an optimizer's whole state, this rank's part
  virtual nn::StateDict own(const nn::StateDict& state) const { return state; }
};
using StrategyPtr = std::shared_ptr<Strategy>;

struct DataParallelOptions {
  Group group = init();
  size_t bucket_bytes = 25 << 20;       // gradients travel in pieces of about this size
  bool synchronize_batch_norm = false;  // statistics are those of the whole batch
  bool shard_optimizer =
      false;  // each rank has the optimizer's state of some of the parameters (ZeRO-1)
  bool sharded_checkpoints = false;  // and saves it to a file of its own
};
// Each rank has the whole model and a part of each batch. Weights are rank 0's at first; losses are
// weighted by examples, so that uneven parts give the gradient of the whole batch.
class EMBER_API DataParallelStrategy : public Strategy {
 public:
  explicit DataParallelStrategy(DataParallelOptions options = {});
  Group group() const override { return options_.group; }
  void prepare(nn::Module&, nn::Optimizer&) override;
  // The pieces are computed from the last parameter to the first; while one travels the next is
  // computed.
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

// BatchNorm of this module and all below takes its statistics from the batches of all ranks.
EMBER_API void synchronize_batch_norm(nn::Module&, const Group& group);

}  // namespace ember::distributed
