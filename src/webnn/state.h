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

// What a context was asked to do, in order. Work is done by the thread that asks while nothing
// waits and the work is known to be short; else by a thread of the queue's own.
class Queue {
 public:
  ~Queue();
  bool enter();  // this thread may work now, until it leaves; false: somebody is at work that may
                 // take long
  void wait_and_enter();  // after all that was added before
  void leave();
  void push(std::function<void()>, bool brief = true);  // for the queue's own thread
  struct Turn {
    Queue& q;
    ~Turn() { q.leave(); }
  };

 private:
  struct Shared {
    std::mutex mutex;
    std::condition_variable more, free;
    struct Task {
      std::function<void()> run;
      bool brief;
    };
    std::deque<Task> tasks;
    uint64_t added = 0, done = 0,
             lengthy =
                 0;  // tasks; who waits, waits for those added before; lengthy ones not done yet
    bool busy = false, stop = false, started = false;
  };
  static void work(std::shared_ptr<Shared>);
  std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
  std::thread thread_;
};

struct ContextState {
  MLContextOptions options;
  int engine = 0;
  Device device;
  std::atomic<bool> lost{false};
  std::mutex mutex;
  std::vector<std::function<void(std::string)>> on_lost;
  Queue queue;  // last: its thread ends before the rest goes
};

struct TensorState {
  std::shared_ptr<ContextState> context;
  MLTensorDescriptor type;
  bool constant = false;
  std::atomic<bool> destroyed{false};
  // Only the work of the queue touches these.
  Value value;  // none yet: zeros; elements as Ember keeps them, 4-bit integers in a byte each
  std::exception_ptr error;
  ~TensorState() { drop(value.storage); }
};

struct OperandState {
  uint64_t builder;
  MLOperandDescriptor type;
  std::string name;  // of an input
  Tensor tensor;     // a placeholder, a constant or what an operator records
  bool constant = false;
};

struct BuilderState {
  uint64_t id;
  MLContext context;
  bool built = false,
       reusable = false;  // reusable: as other packages' users expect, it may build again
  std::vector<MLOperand> inputs, constants;
  std::vector<Operation> operations;
};

struct GraphState {
  std::shared_ptr<ContextState> context;
  std::vector<std::pair<std::string, MLOperandDescriptor>> inputs, outputs;
  std::optional<Program> program;
  std::atomic<bool> destroyed{false};
  std::atomic<uint8_t> recent{0};  // a bit for each of the last runs: it took a few microseconds
  // one that was interrupted does not count
  bool short_work() const { return recent.load(std::memory_order_relaxed) & 3; }
  // As it was built, for files and other formats.
  std::vector<MLOperand> input_operands, constants, output_operands;
  std::vector<Operation> operations;
};

void check_descriptor(const MLOperandDescriptor&);  // dtype, no zeros, size
Shape shape_of(const Dimensions&);
Dimensions dimensions_of(const Shape&);
MLOperand new_operand(BuilderState&, Tensor);  // its descriptor is the tensor's
Tensor tensor_from(const MLOperandDescriptor&, const void* data,
                   size_t bytes);  // as written: 4-bit integers packed
Tensor scalar_of(const MLNumber&,
                 DType);  // 0-d; held within the dtype, fractions cut off for integers
Tensor placed(const BuilderState&, const Tensor&);  // on the context's device
double to_double(const MLNumber&);

}  // namespace ember::webnn
