// What is behind WebNN's handles.
#pragma once
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "ember/program.h"
#include "ember/webnn.h"

namespace ember::webnn {

// What a context was asked to do, in order. Work is done by the thread that asks while nothing waits and the work is known to be short;
// else by a thread of the queue's own.
class Queue {
 public:
  ~Queue();
  // Runs work now if it is short and nothing is before it; else takes a copy of it.
  template <class F> void add(bool short_work, F&& work) {
    if (short_work && enter()) {
      const Leave leave{*this};
      work();
    } else push(std::forward<F>(work));
  }
  void wait();  // until all that was added is done

 private:
  struct Leave { Queue& q; ~Leave() { q.leave(); } };
  struct Shared {
    std::mutex mutex;
    std::condition_variable more, idle;
    std::deque<std::function<void()>> tasks;
    bool busy = false, stop = false;
  };
  bool enter();  // nothing waits, nobody works: this thread does now
  void leave();
  void push(std::function<void()>);
  static void work(std::shared_ptr<Shared>);
  std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
  std::thread thread_;
};

struct ContextState {
  MLContextOptions options;
  int engine = 0;
  Device device;
  Queue queue;
  std::mutex mutex;  // of what follows
  std::atomic<bool> lost{false};
  std::vector<std::function<void(std::string)>> on_lost;
};

struct TensorState {
  std::shared_ptr<ContextState> context;
  MLTensorDescriptor type;
  bool constant = false;
  std::atomic<bool> destroyed{false};
  uint64_t dispatch = 0;  // the last one that named it
  // Only the work of the queue touches these.
  Value value;            // none yet: zeros; elements as Ember keeps them, 4-bit integers in a byte each
  std::exception_ptr error;
  ~TensorState() { drop(value.storage); }
};

struct OperandState {
  const BuilderState* builder;
  MLOperandDescriptor type;
  std::string name;     // of an input
  Tensor tensor;        // a placeholder, a constant or what an operator records
  bool constant = false;
};

struct BuilderState {
  MLContext context;
  bool built = false, reusable = false;  // reusable: as other packages' users expect, it may build again
  std::vector<MLOperand> inputs, constants;
  std::vector<Operation> operations;
};

struct GraphState {
  std::shared_ptr<ContextState> context;
  std::vector<std::pair<std::string, MLOperandDescriptor>> inputs, outputs;
  std::optional<Program> program;
  std::atomic<bool> destroyed{false};
  std::atomic<int64_t> took{INT64_MAX};  // nanoseconds, the last time
  // As it was built, for files and other formats.
  std::vector<MLOperand> input_operands, constants, output_operands;
  std::vector<Operation> operations;
};

void check_descriptor(const MLOperandDescriptor&);  // dtype, no zeros, size
Shape shape_of(const Dimensions&);
Dimensions dimensions_of(const Shape&);
MLOperand new_operand(BuilderState&, Tensor);       // its descriptor is the tensor's
Tensor tensor_from(const MLOperandDescriptor&, const void* data, size_t bytes);  // as written: 4-bit integers packed
Param param_of(const MLNumber&, DType);             // held within the dtype, fractions cut off for integers

}  // namespace ember::webnn
