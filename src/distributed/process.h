// This process as a rank: the communicators, the thread that carries out operations, and the watch
// over the other ranks.
#pragma once
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "src/distributed/mpi.h"

namespace ember::distributed {

double now();  // seconds

enum class Call : int32_t {
  barrier,
  broadcast,
  all_reduce,
  all_gather,
  reduce_scatter,
  all_to_all,
  send,
  recv,
  split,
  exchange,
  exit
};
std::string_view name(Call);

// A rank's request, in the form that ranks compare.
struct Signature {
  uint64_t sequence = 0;
  Call call = Call::barrier;
  int32_t reduce = -1, dtype = -1, root = -1, ndim = 0, rank = 0;
  int64_t shape[8] = {};  // further axes are hashed into the last
};
Signature signature(Call, const Tensor&, std::optional<Reduce> = {}, int root = -1);
std::string describe(const Signature&);
// text(): the error message if they differ.
template <class Text> void need_same_type(const Signature& a, const Signature& b, Text text) {
  if (a.dtype != b.dtype) throw DTypeError(text());
  if (a.ndim != b.ndim || !std::equal(std::begin(a.shape), std::end(a.shape), b.shape)) {
    throw ShapeError(text());
  }
}

struct Nccl;  // a communicator between GPUs
struct Group::Impl {
  // Never freed: freeing is collective, and handles are destroyed at different times.
  Handle comm = 0;
  int rank = 0, size = 1;
  // Number of collective operations so far; changed by the thread that carries them out.
  uint64_t sequence = 0;
  std::vector<uint32_t> sent, received;  // by rank
  std::shared_ptr<Nccl> nccl;            // created for the first tensors on a GPU
};

struct Task {
  Group group;       // keeps the group alive, like the argument
  std::string what;  // for messages
  Tensor in;
  Type type;                // of the result
  std::optional<DType> as;  // the dtype that the result is rounded to
  Storage* out = nullptr;
  uint8_t engine = 0;
  Device device;                       // the device of the result
  std::function<void(Task&)> run;      // a collective: runs all of it
  std::function<bool(Task&)> advance;  // send, recv: runs one step; returns whether it was the last
  std::atomic<bool> finished = false;
  std::exception_ptr error;
  Tensor result;
  std::mutex taking;
  ~Task() {
    if (out) drop(out);
  }
};

struct Peer {
  int rank;
  long pid;
  // The kernel's start time of the process: process numbers are reused.
  std::string began;
};

class Process {
 public:
  Process(const InitOptions& options);
  const Mpi& mpi;
  bool checked = true;
  double timeout = 300;
  std::shared_ptr<Group::Impl> world;

  // Runs the task on the worker thread; with here, on the calling thread if it is the next one and
  // no signal may interrupt the thread.
  void carry_out(const std::shared_ptr<Task>& task, bool here);
  void wait(Task& task);
  bool done(Task& task);
  // Begins a transfer and keeps it alive until it is complete.
  void keep(const std::shared_ptr<Task>& transfer);
  bool ended() const { return ended_; }
  void finish(int status);  // called when the process ends
  [[noreturn]] void abort(const std::string& message, int status);
  // Checks that all ranks make the same request, or throws on all of them. Numbers the operation.
  void agree(Group::Impl& group, Signature mine);

 private:
  void run(Task& task);  // requires busy_
  void work();
  void watch();
  void find_peers();
  bool move_transfers();  // whether some remain
  void drop_finished();   // destroys the tasks in over_
  bool initialized_here_ = false, any_thread_ = false;
  long pid_;
  std::mutex mutex_;
  std::condition_variable changed_, look_;  // look_: wakes the watch
  std::deque<std::shared_ptr<Task>> queue_;
  std::mutex kept_mutex_;
  // In progress; the watch advances them while this process waits.
  std::vector<std::shared_ptr<Task>> transfers_;
  // Completed tasks, destroyed by the next call: a tensor may belong to another language's runtime,
  // whose lock the calling thread has, and which may end while the threads of this class still run.
  std::vector<std::shared_ptr<Task>> over_;
  bool busy_ = false, stop_ = false;
  std::atomic<bool> ending_ = false, ended_ = false;
  std::string current_;  // the operation in progress, and its start
  double since_ = 0;
  std::thread worker_, watcher_;
  std::vector<Peer> peers_;  // the other ranks on this machine
};
Process* process();  // null before init, and if this process is alone

// ---- Shared by the operations ----
constexpr int64_t max_count = 1 << 30;  // elements per call: MPI counts in int
void need_rank(const char* what, int rank, const Group&);
// Evaluates in, which may be undefined.
std::shared_ptr<Task> task_for(const Group&, Call, const Tensor& in, Type result);
Storage* allocate_for(const Type&);

}  // namespace ember::distributed
