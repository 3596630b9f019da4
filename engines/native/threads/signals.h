// While one of these lives, no signal reaches this thread, nor the threads that it starts.
#pragma once
#include <pthread.h>
#include <signal.h>

namespace ember::native {

// oneDNN's gemm makes its stack inside a block of the heap, with no room for a signal's frame:
// Ctrl-C would overwrite its neighbours.
class NoSignals {
 public:
  NoSignals() {
    sigset_t all;
    sigfillset(&all);
    for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP}) sigdelset(&all, fault);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  NoSignals(const NoSignals&) = delete;
  ~NoSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

}  // namespace ember::native
