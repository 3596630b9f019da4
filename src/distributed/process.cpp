// The worker thread, the watch over other ranks, start and end.
#include "src/distributed/process.h"

#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "ember/runtime.h"

namespace ember::distributed {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

namespace {

Process* the_process = nullptr;
bool is_init = false;
std::mutex init_mutex;

// The state letter and start time of a process; empty if it does not exist.
std::pair<char, std::string> process_state(long pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  if (!std::getline(file, line)) return {};
  const size_t name_end = line.rfind(')');  // the name before it may contain anything
  if (name_end == std::string::npos) return {};
  std::istringstream rest(line.substr(name_end + 1));
  std::string field;
  char state = 0;
  for (int i = 3; rest >> field && i < 22; ++i) {
    if (i == 3) state = field[0];
  }
  return {state, field};
}
bool gone(const Peer& p) {
  const auto [state, began] = process_state(p.pid);
  return began.empty() || state == 'Z' || state == 'X' || began != p.began;
}

double number_in(const char* variable, double otherwise) {
  const char* text = std::getenv(variable);
  if (!text || !*text) return otherwise;
  char* end;
  const double v = std::strtod(text, &end);
  if (*end || !(v >= 0)) {
    throw ValueError("[distributed] " + std::string(variable) + " is '" + text +
                     "', which is not a non-negative integer");
  }
  return v;
}

}  // namespace

Process* process() { return the_process; }

Process::Process(const InitOptions& options) : mpi(open_mpi()), pid_(getpid()) {
  checked = options.checked.value_or(number_in("EMBER_DISTRIBUTED_CHECKED", 1) != 0);
  timeout = options.timeout.value_or(number_in("EMBER_DISTRIBUTED_TIMEOUT", 300));
  if (!(timeout > 0)) {
    throw ValueError("[distributed] the timeout must be positive, not " + std::to_string(timeout));
  }
  constexpr int multiple = 3;
  int already = 0;
  int over = 0;
  int level = 0;
  mpi.Initialized(&already);
  mpi.Finalized(&over);
  if (over) throw StateError("[distributed] MPI was finalized outside Ember");
  // Open MPI spins while it waits, which slows down a busy machine.
  setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
  if (already) {
    mpi.Query_thread(&level);
  } else {
    mpi.check(mpi.Init_thread(nullptr, nullptr, multiple, &level), "distributed");
  }
  initialized_here_ = !already;
  any_thread_ = level == multiple;
  world = std::make_shared<Group::Impl>();
  mpi.check(mpi.Comm_dup(mpi.world, &world->comm), "distributed");
  mpi.check(mpi.Comm_set_errhandler(world->comm, mpi.errors_return), "distributed");
  mpi.check(mpi.Comm_rank(world->comm, &world->rank), "distributed");
  mpi.check(mpi.Comm_size(world->comm, &world->size), "distributed");
  world->sent.resize(size_t(world->size));
  world->received.resize(size_t(world->size));
  const char* tasks = std::getenv("SLURM_STEP_NUM_TASKS");
  if (world->size == 1 && tasks && std::atoi(tasks) > 1) {
    throw StateError(
        "[distributed] srun started " + std::string(tasks) +
        " tasks, but MPI sees one: try srun --mpi=pmix (or pmi2), as the MPI library needs");
  }
  find_peers();
  watcher_ = std::thread([this] { watch(); });
}

void Process::find_peers() {
  struct Card {
    char host[64], began[32];
    int64_t pid;
  } mine{};
  gethostname(mine.host, sizeof mine.host - 1);
  mine.pid = pid_;
  std::snprintf(mine.began, sizeof mine.began, "%s", process_state(pid_).second.c_str());
  std::vector<Card> all(size_t(world->size));
  mpi.check(
      mpi.Allgather(&mine, sizeof mine, mpi.byte, all.data(), sizeof mine, mpi.byte, world->comm),
      "distributed");
  for (int r = 0; r < world->size; ++r) {
    const Card& c = all[size_t(r)];
    if (r == world->rank || std::strncmp(c.host, mine.host, sizeof c.host) != 0) continue;
    const Peer p{r, long(c.pid), std::string(c.began, strnlen(c.began, sizeof c.began))};
    // Otherwise it is in another container with the same host name.
    if (!p.began.empty() && !gone(p)) {
      peers_.push_back(p);
    }
  }
}

void Process::abort(const std::string& message, int status) {
  std::fflush(stdout);
  std::fprintf(stderr, "[distributed] rank %d of %d: %s\n", world->rank, world->size,
               message.c_str());
  std::fflush(stderr);
  signal(SIGALRM, SIG_DFL);
  alarm(5);  // an MPI call may never return if its peer is gone
  bool idle;
  {
    std::unique_lock lock(mutex_, std::try_to_lock);
    idle = lock && !busy_;
  }
  if (any_thread_ || idle) mpi.Abort(mpi.world, status);
  _exit(status);
}

// Ends this process with a message if another rank died or an operation exceeded the timeout; MPI
// would wait forever.
void Process::watch() {
  double missed = 0;
  double looked = now();
  std::unique_lock lock(mutex_);
  while (!ended_) {
    lock.unlock();
    const bool moving = move_transfers();
    lock.lock();
    if (ended_) return;
    look_.wait_for(lock, moving ? std::chrono::microseconds(200) : std::chrono::milliseconds(250));
    if (ended_) return;
    if (now() - looked < 0.2) continue;
    looked = now();
    const std::string current = busy_ ? current_ : "";
    const double waited = busy_ ? now() - since_ : 0;
    lock.unlock();
    const auto dead = std::find_if(peers_.begin(), peers_.end(), gone);
    if (dead == peers_.end()) {
      missed = 0;
    } else if (missed == 0) {
      missed = now();
    }
    // At the end of a run, other ranks may leave the last operation before this rank does.
    if (dead != peers_.end() && !ended_ && now() - missed >= (ending_ ? 2.0 : 0.2)) {
      abort("rank " + std::to_string(dead->rank) + " (process " + std::to_string(dead->pid) +
                ") has died: this rank ends as well",
            70);
    }
    if (waited > timeout) {
      abort(current + " has waited " + std::to_string(int64_t(waited)) +
                " seconds for the other ranks, which is longer than the timeout",
            70);
    }
    lock.lock();
  }
}

void Process::run(Task& task) {
  try {
    task.run(task);
  } catch (...) {
    task.error = std::current_exception();
  }
  task.run = nullptr;
}

void Process::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return (stop_ && queue_.empty()) || (!busy_ && !queue_.empty()); });
    if (queue_.empty()) return;
    std::shared_ptr<Task> task = std::move(queue_.front());
    queue_.pop_front();
    busy_ = true;
    current_ = task->what;
    since_ = now();
    lock.unlock();
    run(*task);
    lock.lock();
    busy_ = false;
    task->finished = true;
    changed_.notify_all();
    lock.unlock();
    {
      std::lock_guard kept(kept_mutex_);
      over_.push_back(std::move(task));
    }
    lock.lock();
  }
}

void Process::drop_finished() {
  std::vector<std::shared_ptr<Task>> over;  // destroyed after the lock is released
  std::lock_guard kept(kept_mutex_);
  over.swap(over_);
}

void Process::carry_out(const std::shared_ptr<Task>& task, bool here) {
  drop_finished();
  // MPI returns only after the other ranks have answered. If a signal may interrupt this thread,
  // the worker calls MPI and this thread waits in wait(), which polls for signals.
  if (get_runtime().interrupted) here = false;
  std::unique_lock lock(mutex_);
  if (here && queue_.empty() && !busy_) {
    busy_ = true;
    current_ = task->what;
    since_ = now();
    lock.unlock();
    {
      const Waiting for_the_others;
      run(*task);
    }
    lock.lock();
    busy_ = false;
    task->finished = true;
  } else {
    if (!worker_.joinable()) worker_ = std::thread([this] { work(); });
    queue_.push_back(task);
  }
  changed_.notify_all();
}

bool Process::done(Task& task) {
  if (task.finished || !task.advance) return task.finished;
  std::lock_guard one_at_a_time(task.taking);
  if (task.finished) return true;
  std::unique_lock lock(mutex_, std::defer_lock);
  if (!any_thread_ && (!lock.try_lock() || busy_)) return false;
  try {
    task.finished = task.advance(task);
  } catch (...) {
    task.error = std::current_exception();
    task.finished = true;
  }
  return task.finished;
}

bool Process::move_transfers() {
  std::lock_guard kept(kept_mutex_);
  for (std::shared_ptr<Task>& t : transfers_) {
    if (done(*t)) over_.push_back(std::move(t));
  }
  std::erase(transfers_, nullptr);
  return !transfers_.empty();
}
void Process::keep(const std::shared_ptr<Task>& transfer) {
  drop_finished();
  if (done(*transfer)) return;
  {
    std::lock_guard kept(kept_mutex_);
    transfers_.push_back(transfer);
  }
  look_.notify_one();
}

void Process::wait(Task& task) {
  const Waiting for_the_others;
  if (!task.advance) {
    std::unique_lock lock(mutex_);
    while (!task.finished) {
      changed_.wait_for(lock, std::chrono::milliseconds(50), [&] { return task.finished.load(); });
      if (!task.finished) {
        lock.unlock();
        poll();
        lock.lock();
      }
    }
    return;
  }
  const double began = now();
  for (int i = 0; !done(task); ++i) {
    if (i < 2000) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    if (i % 256 != 255) continue;
    poll();
    if (now() - began > timeout) {
      abort(task.what + " has waited longer than the timeout of " +
                std::to_string(int64_t(timeout)) + " seconds",
            70);
    }
  }
}

// Other ranks may be waiting for this one: ending with an error ends them too, ending without one
// waits until they have ended.
void Process::finish(int status) {
  if (getpid() != pid_ || ended_) return;  // in a forked child
  if (status != 0) {
    abort("ends with status " + std::to_string(status) + ", and with it the others", status);
  }
  {
    std::unique_lock lock(mutex_);
    stop_ = true;
    changed_.notify_all();
    changed_.wait(lock, [&] { return queue_.empty() && !busy_; });
  }
  if (worker_.joinable()) worker_.join();
  const double began = now();
  while (move_transfers()) {
    std::this_thread::yield();
    if (now() - began > timeout) {
      abort("at the end of the program a send or recv has waited longer than the timeout", 70);
    }
  }
  {
    std::lock_guard lock(mutex_);
    busy_ = true;
    current_ = name(Call::exit);
    since_ = now();
  }
  ending_ = true;
  int over = 0;
  mpi.Finalized(&over);  // by its initializer, for example mpi4py
  try {
    if (!over && checked) {
      agree(*world, {.call = Call::exit});
    } else if (!over) {
      mpi.Barrier(world->comm);
    }
  } catch (const Error& e) {
    busy_ = false;
    abort(e.what(), 70);
  }
  {
    std::lock_guard lock(mutex_);
    ended_ = true;
    busy_ = false;
  }
  look_.notify_all();
  watcher_.join();
  if (initialized_here_ && !over) mpi.Finalize();
}

Group init(const InitOptions& options) {
  std::lock_guard lock(init_mutex);
  if (!is_init && started_by_a_launcher()) {
    the_process = new Process(options);  // never destroyed, because threads use it until the end
#ifdef __GLIBC__
    on_exit([](int status, void*) { the_process->finish(status); }, nullptr);
#else
    std::atexit([] { the_process->finish(0); });
#endif
  }
  is_init = true;
  return world();
}
Group world() { return the_process ? Group(the_process->world) : Group(); }
bool is_initialized() { return is_init; }
void abort(const std::string& message, int status) {
  if (the_process) the_process->abort(message, status);
  std::fprintf(stderr, "[distributed] %s\n", message.c_str());
  std::fflush(stderr);
  _exit(status);
}

}  // namespace ember::distributed
