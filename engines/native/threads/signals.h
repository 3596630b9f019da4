// Blocks signals for this thread, and for the threads that it starts, while it exists.
#pragma once
#include <pthread.h>
#include <signal.h>

namespace ember::native {

// oneDNN's gemm puts its stack into a heap block without space for a signal frame, so Ctrl-C would
// overwrite neighbouring memory.
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
