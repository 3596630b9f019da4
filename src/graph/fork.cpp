// fork() copies one thread and everybody's locks. So the forking thread first takes the locks that
// others may hold while they record, load or evaluate: in the child they are free, and what they
// guard is whole.
#include "src/core/fork.h"

#include <pthread.h>

#include <new>

#include "ember/runtime.h"
#include "src/graph/compile.h"

namespace ember {
namespace {

void lock_all() {
  before_fork();
  random_mutex().lock();
  lock_allocator();
}
void unlock_others() {
  unlock_allocator();
  random_mutex().unlock();
}
void unlock_parent() {
  unlock_others();
  after_fork();
}
// A recursive mutex belongs to a thread by number, and the child's thread has another: made anew,
// it is free.
void unlock_child() {
  unlock_others();
  new (&loading_mutex()) std::recursive_mutex;
  new (&eval_mutex()) std::recursive_mutex;
}
[[maybe_unused]] const int registered = pthread_atfork(lock_all, unlock_parent, unlock_child);

}  // namespace

void before_fork() {
  if (std::try_lock(eval_mutex(), loading_mutex()) == -1) return;
  const Waiting
      for_an_evaluation;  // ends with Ember's locks held: another language's lock comes after them
  std::lock(eval_mutex(), loading_mutex());
}
void after_fork() {
  loading_mutex().unlock();
  eval_mutex().unlock();
}

}  // namespace ember
