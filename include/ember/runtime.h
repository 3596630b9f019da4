// Hooks of another language's runtime: Python releases its lock during Ember's work, reports
// Ctrl-C, and knows the folders of its packages.
#pragma once
#include <unistd.h>

#include <string>
#include <vector>
#if defined(__GLIBCXX__)
#include <cxxabi.h>
#endif

#include "ember/error.h"

namespace ember {

struct Runtime {
  // Releases the lock if this thread holds it and returns the argument for acquire; else null.
  void* (*release)();
  void (*acquire)(void*);
  bool (*interrupted)();  // polled during evaluation
  // Package folders, so that engines open the libraries that the runtime would import.
  std::vector<std::string> (*package_folders)();
  // Saves the runtime's current exception; Ember then throws Interrupted.
  void (*hold)();
};
EMBER_API void set_runtime(const Runtime&);  // call it once, before any other work
EMBER_API const Runtime& get_runtime();

// Releases the runtime's lock while this thread waits or computes for a long time.
class EMBER_API Waiting {
 public:
  Waiting();
  Waiting(const Waiting&) = delete;
  ~Waiting();

 private:
  void* held_;
};

// Ember's own fork handlers wait for the running evaluation and lock Ember's mutexes. A language
// whose fork function takes further locks calls these around it: before_fork before it takes them,
// after_fork in the parent.
EMBER_API void before_fork();
EMBER_API void after_fork();

// Runs f, which may end the thread: Python before 3.14 unwinds the stack of a daemon thread that
// requests its lock during shutdown, and the unwinding must not pass through a destructor. Such a
// thread blocks here until the process ends.
template <class F> auto outlive(F f) {
#if defined(__GLIBCXX__)
  try {
    return f();
  } catch (const abi::__forced_unwind&) {
    for (;;) pause();
  }
#else
  return f();
#endif
}

struct EMBER_API Interrupted : Error {
  using Error::Error;
};
EMBER_API void poll();  // called between kernels: throws Interrupted if the runtime reports it

}  // namespace ember
