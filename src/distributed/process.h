// This process among the others: the communicators, the thread that carries operations out, the
// watch over the other ranks.
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

// What a rank asks for, as the ranks compare it.
struct Signature {
  uint64_t sequence = 0;
  Call call = Call::barrier;
  int32_t reduce = -1, dtype = -1, root = -1, ndim = 0, rank = 0;
  int64_t shape[8] = {};  // axes beyond them are mixed into the last
};
Signature signature(Call, const Tensor&, std::optional<Reduce> = {}, int root = -1);
std::string describe(const Signature&);
template <class Text>
void need_same_type(const Signature& a, const Signature& b,
                    Text text) {  // text(): what is thrown where they differ
  if (a.dtype != b.dtype) throw DTypeError(text());
  if (a.ndim != b.ndim || !std::equal(std::begin(a.shape), std::end(a.shape), b.shape)) {
    throw ShapeError(text());
  }
}

struct Nccl;  // a communicator between GPUs
struct Group::Impl {
  Handle comm =
      0;  // never freed: that is an operation of all ranks, and handles go at different times
  int rank = 0, size = 1;
  uint64_t sequence = 0;  // of collective operations; moved by whoever carries them out
  std::vector<uint32_t> sent, received;  // by rank
  std::shared_ptr<Nccl> nccl;            // once there were tensors on a GPU
};

struct Task {
  Group group;       // kept alive, as is the argument
  std::string what;  // for messages
  Tensor in;
  Type type;                // of the result
  std::optional<DType> as;  // what the result is rounded to
  Storage* out = nullptr;
  uint8_t engine = 0;
  Device device;                       // where the result is wanted
  std::function<void(Task&)> run;      // a collective: all of it
  std::function<bool(Task&)> advance;  // send, recv: one step; whether that was the last
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
  std::string
      began;  // the kernel's number for when it was started: a process number may be used again
};

class Process {
 public:
  Process(const InitOptions& options);
  const Mpi& mpi;
  bool checked = true;
  double timeout = 300;
  std::shared_ptr<Group::Impl> world;

  // Runs the task on the worker thread; with here, on the calling thread if nothing is before it
  // and no signal may interrupt that thread.
  void carry_out(const std::shared_ptr<Task>& task, bool here);
  void wait(Task& task);
  bool done(Task& task);
  void keep(const std::shared_ptr<Task>&
                transfer);  // until it is over, whoever else lets go of it; begins it
  bool ended() const { return ended_; }
  void finish(int status);  // at the end of the process
  [[noreturn]] void abort(const std::string& message, int status);
  // All ranks ask for the same, or all of them throw. Numbers the operation.
  void agree(Group::Impl& group, Signature mine);

 private:
  void run(Task& task);  // with busy_ set
  void work();
  void watch();
  void find_peers();
  bool move_transfers();  // whether some remain
  void let_go();          // of over_
  bool initialized_here_ = false, any_thread_ = false;
  long pid_;
  std::mutex mutex_;
  std::condition_variable changed_, look_;  // look_: the watch has something to do
  std::deque<std::shared_ptr<Task>> queue_;
  std::mutex kept_mutex_;
  std::vector<std::shared_ptr<Task>>
      transfers_;  // under way; the watch moves them on, whatever this process waits for
  // Over, and let go of by the next call: a tensor may belong to another language's runtime, whose
  // lock that call's thread has, and which may be ending while the threads of this class still run.
  std::vector<std::shared_ptr<Task>> over_;
  bool busy_ = false, stop_ = false;
  std::atomic<bool> ending_ = false, ended_ = false;
  std::string current_;  // what busy_ is about, and since when
  double since_ = 0;
  std::thread worker_, watcher_;
  std::vector<Peer> peers_;  // the other ranks on this machine
};
Process* process();  // null before init, and where this process is alone

// ---- What the operations share ----
constexpr int64_t at_once = 1 << 30;  // elements: MPI counts in int
void need_rank(const char* what, int rank, const Group&);
std::shared_ptr<Task> task_for(const Group&, Call, const Tensor& in,
                               Type result);  // evaluates in, which may be none
Storage* room(const Type&);

}  // namespace ember::distributed
