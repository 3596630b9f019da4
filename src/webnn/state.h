// The state behind WebNN's handles.
#pragma once
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "ember/program.h"
#include "ember/webnn.h"

namespace ember::webnn {

// The requests to a context, in order. A short task runs on the requesting thread if the queue is
// idle; otherwise the queue's thread runs it.
class Queue {
 public:
  ~Queue();
  // Whether this thread may run tasks until it leaves; false if another thread runs a task that may
  // be long.
  bool enter();
  void wait_and_enter();  // after all earlier tasks
  void leave();
  void push(std::function<void()>, bool brief = true);  // for the queue's thread
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
    // Tasks so far: a waiting thread waits for those that were added before it.
    uint64_t added = 0, done = 0;
    uint64_t lengthy = 0;  // long tasks that are not done
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
  Queue queue;  // last: its thread ends before the other members are destroyed
};

struct TensorState {
  std::shared_ptr<ContextState> context;
  MLTensorDescriptor type;
  bool constant = false;
  std::atomic<bool> destroyed{false};
  // Accessed only by tasks of the queue.
  Value value;  // empty: zeros; 4-bit integers use one byte each
  std::exception_ptr error;
  ~TensorState() { drop(value.storage); }
};

struct OperandState {
  uint64_t builder;
  MLOperandDescriptor type;
  std::string name;  // of an input
  Tensor tensor;     // a placeholder, a constant or the result of an operator
  bool constant = false;
};

struct BuilderState {
  uint64_t id;
  MLContext context;
  bool built = false,
       reusable = false;  // may build several graphs, as other packages allow
  std::vector<MLOperand> inputs, constants;
  std::vector<Operation> operations;
};

struct GraphState {
  std::shared_ptr<ContextState> context;
  std::vector<std::pair<std::string, MLOperandDescriptor>> inputs, outputs;
  std::optional<Program> program;
  std::atomic<bool> destroyed{false};
  std::atomic<uint8_t> recent{0};  // one bit for each of the last runs: it took a few microseconds
  // An interrupted run does not count.
  bool short_work() const { return recent.load(std::memory_order_relaxed) & 3; }
  // The graph as built, for files and other formats.
  std::vector<MLOperand> input_operands, constants, output_operands;
  std::vector<Operation> operations;
};

void check_descriptor(const MLOperandDescriptor&);  // checks dtype, extents and size
Shape shape_of(const Dimensions&);
Dimensions dimensions_of(const Shape&);
MLOperand new_operand(BuilderState&, Tensor);  // with the tensor's dtype and shape
// The data as written: 4-bit integers packed.
Tensor tensor_from(const MLOperandDescriptor&, const void* data, size_t bytes);
// 0-d, clamped to the dtype, truncated for integers.
Tensor scalar_of(const MLNumber&, DType);
Tensor move_to_context(const BuilderState&, const Tensor&);  // on the context's device
double to_double(const MLNumber&);

}  // namespace ember::webnn
