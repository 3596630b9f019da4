// What the runtime of another language does around Ember's work: Python lets go of its lock, looks for Ctrl-C, and knows where its
// packages are.
#pragma once
#include <string>
#include <vector>

#include "ember/error.h"

namespace ember {

struct Runtime {
  void* (*release)();     // lets go of the lock if this thread holds it, and returns what acquire needs; else null
  void (*acquire)(void*);
  bool (*interrupted)();  // asked now and then while evaluating
  std::vector<std::string> (*package_folders)();  // engines' libraries are those that it would import
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

struct EMBER_API Interrupted : Error { using Error::Error; };
EMBER_API void poll();  // between kernels: throws Interrupted if the runtime says so

}  // namespace ember
