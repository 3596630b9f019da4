// fork() copies one thread and the locks of all. The forking thread therefore first takes the locks
// that others may hold while they record, load or evaluate, so that in the child they are free and
// the state that they guard is consistent.
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
// A recursive mutex stores its owner's thread number, which differs in the child: constructing it
// again makes it free.
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
