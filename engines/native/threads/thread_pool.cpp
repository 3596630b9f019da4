// The thread pool of the native engine. It is never destroyed, because its threads may outlive
// main.
#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <limits>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "ember/runtime.h"
#include "engines/native/kernel.h"
#include "engines/native/threads/signals.h"

namespace ember::native {
namespace {

constexpr int64_t max_pieces = 256;
std::atomic<int> awake{0};         // the number of runs that keep the threads awake
thread_local bool inside = false;  // this thread runs a piece, so a nested call runs inline
thread_local bool interruptible = false;

struct Inside {
  Inside() { inside = true; }
  ~Inside() { inside = false; }
};

// Spins until the condition holds, for at most the time of several thread wake-ups, and only while
// a run keeps threads awake.
template <class F> void look_for(F&& condition) {
  using clock = std::chrono::steady_clock;
  if (!awake.load(std::memory_order_relaxed) || condition()) return;
  for (const auto end = clock::now() + std::chrono::microseconds(100); clock::now() < end;) {
    for (int i = 0; i < 32; ++i) {
      if (condition() || !awake.load(std::memory_order_relaxed)) return;
#if defined(__SSE2__)
      _mm_pause();
#endif
    }
  }
}

// Each thread begins with its own part, so that its results of one step are in its cache for the
// next, and then helps others.
struct Job {
  static constexpr int64_t max_parts = 64;
  Job(const std::function<void(int64_t, int64_t)>& f, int64_t n, int64_t piece, int64_t pieces)
      : f(f),
        n(n),
        piece(piece),
        pieces(pieces),
        parts(std::min<int64_t>({pieces, num_threads(), max_parts})) {
    for (int64_t p = 0; p < parts; ++p) {
      next[p].store(p * pieces / parts, std::memory_order_relaxed);
    }
  }
  const std::function<void(int64_t, int64_t)>& f;
  int64_t n, piece, pieces, parts;
  std::atomic<int64_t> next[max_parts];
  std::mutex mutex;
  std::atomic<int64_t> failed = std::numeric_limits<int64_t>::max();  // the first piece that threw
  std::exception_ptr error;

  // All pieces before a failing one run, so the error does not depend on the number of threads.
  void work(int64_t thread) {
    Inside mark;
    for (int64_t k = 0; k < parts; ++k) {
      const int64_t p = (thread + k) % parts;
      const int64_t end = (p + 1) * pieces / parts;
      for (int64_t i; next[p].load(std::memory_order_relaxed) < end &&
                      (i = next[p].fetch_add(1, std::memory_order_relaxed)) < end;) {
        if (i > failed.load(std::memory_order_relaxed)) break;
        try {
          f(i * piece, std::min(n, (i + 1) * piece));
          if (interruptible) poll();
        } catch (...) {
          std::lock_guard lock(mutex);
          if (i < failed) {
            failed = i;
            error = std::current_exception();
          }
        }
      }
    }
  }
};

class Pool {
 public:
  // Returns false if another thread uses the pool.
  bool run(Job& job) {
    std::unique_lock owner(owner_, std::try_to_lock);
    if (!owner) return false;
    if (!started_) start();
    {
      std::lock_guard lock(mutex_);
      job_ = &job;
      generation_.fetch_add(1, std::memory_order_release);
    }
    for (int64_t i = std::min(job.pieces - 1, workers_); i > 0; --i) wake_.notify_one();
    job.work(0);
    look_for([&] { return active_.load(std::memory_order_relaxed) == 0; });
    std::unique_lock lock(mutex_);
    job_ = nullptr;  // a worker that wakes later finds no job
    done_.wait(lock, [&] { return active_ == 0; });
    return true;
  }

 private:
  void start() {
    started_ = true;
    const NoSignals for_the_programs_own_threads;
    try {
      for (; workers_ < num_threads() - 1; ++workers_) {
        std::thread([this, thread = workers_ + 1] { serve(thread); }).detach();
      }
    } catch (const std::system_error&) {  // no more threads: continue with those that started
    }
  }
  void serve(int64_t thread) {
    uint64_t seen = 0;
    std::unique_lock lock(mutex_);
    for (;;) {
      lock.unlock();
      look_for([&] { return generation_.load(std::memory_order_relaxed) != seen; });
      lock.lock();
      wake_.wait(lock, [&] { return job_ && generation_ != seen; });
      seen = generation_;
      Job* job = job_;
      ++active_;
      lock.unlock();
      job->work(thread);
      lock.lock();
      if (--active_ == 0) done_.notify_one();
    }
  }
  std::mutex owner_;  // locked by the caller whose job runs
  bool started_ = false;
  int64_t workers_ = 0;
  std::mutex mutex_;  // guards the members below; the counts are also read without it
  std::condition_variable wake_, done_;
  Job* job_ = nullptr;
  std::atomic<uint64_t> generation_ = 0;
  std::atomic<int> active_ = 0;
};

std::atomic<Pool*> current{nullptr};

Pool& pool() {
  Pool* p = current.load(std::memory_order_acquire);
  if (p) return *p;
  // A child of fork() has none of the threads, and its locks may stay locked, so it leaks the pool
  // and makes another.
  [[maybe_unused]] static const int registered =
      pthread_atfork(nullptr, nullptr, [] { current.store(nullptr); });
  Pool* fresh = new Pool;
  if (current.compare_exchange_strong(p, fresh, std::memory_order_acq_rel)) return *fresh;
  delete fresh;
  return *p;
}

}  // namespace

Interruptible::Interruptible(bool on) : before_(std::exchange(interruptible, on)) {}
Interruptible::~Interruptible() { interruptible = before_; }

Awake::Awake() { awake.fetch_add(1, std::memory_order_relaxed); }
Awake::~Awake() { awake.fetch_sub(1, std::memory_order_relaxed); }

int num_threads() {
  static const int n = [] {
    const char* text = std::getenv("EMBER_NUM_THREADS");
    char* end = nullptr;
    const long asked = text ? std::strtol(text, &end, 10) : 0;
    if (text && *text && !*end && asked >= 1) return int(std::min(asked, 1024L));
    return int(std::max(1u, std::thread::hardware_concurrency()));
  }();
  return n;
}

void parallel_for(int64_t n, int64_t grain, const std::function<void(int64_t, int64_t)>& f) {
  if (n <= 0) return;
  grain = std::max<int64_t>(grain, 1);
  if (n <= grain) return f(0, n);
  const int64_t piece = std::max(grain, (n + max_pieces - 1) / max_pieces);
  const int64_t pieces = (n + piece - 1) / piece;
  if (pieces > 1 && !inside && num_threads() > 1) {
    Job job(f, n, piece, pieces);
    if (pool().run(job)) {
      if (job.error) std::rethrow_exception(job.error);
      return;
    }
  }
  for (int64_t i = 0; i < pieces; ++i) {
    f(i * piece, std::min(n, (i + 1) * piece));
    if (interruptible) poll();
  }
}

}  // namespace ember::native
