// What the runtime of another language does around Ember's work: Python lets go of its lock, looks
// for Ctrl-C, and knows where its packages are.
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
  void* (*release)();  // lets go of the lock if this thread holds it, and returns what acquire
                       // needs; else null
  void (*acquire)(void*);
  bool (*interrupted)();  // asked now and then while evaluating
  std::vector<std::string> (
      *package_folders)();  // engines' libraries are those that it would import
  void (*hold)();  // takes over the exception that is set there: an Interrupted is about to be
                   // thrown for it
};
EMBER_API void set_runtime(const Runtime&);  // once, before any work
EMBER_API const Runtime& get_runtime();

// Stands where a thread may wait or work for long.
class EMBER_API Waiting {
 public:
  Waiting();
  Waiting(const Waiting&) = delete;
  ~Waiting();

 private:
  void* held_;
};

// fork() waits for the evaluation that runs and holds Ember's locks, by itself. A language whose
// own fork function takes locks calls these around it: the first before it takes them, the second
// in the parent.
EMBER_API void before_fork();
EMBER_API void after_fork();

// Runs what may end the thread: Python before 3.14 unwinds the stack of a daemon thread that asks
// for its lock during shutdown, which may not pass through a destructor. Such a thread waits here
// until the process ends.
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
EMBER_API void poll();  // between kernels: throws Interrupted if the runtime says so

}  // namespace ember
