// The hooks of another language's runtime.
#include "ember/runtime.h"

#include <atomic>
#include <chrono>

namespace ember {
namespace {
constinit Runtime runtime{};
using Clock = std::chrono::steady_clock;
constexpr auto interval = std::chrono::milliseconds(50);
}  // namespace

void set_runtime(const Runtime& r) { runtime = r; }
const Runtime& get_runtime() { return runtime; }

Waiting::Waiting() : held_(runtime.release ? runtime.release() : nullptr) {}
Waiting::~Waiting() {
  if (held_) runtime.acquire(held_);
}

void poll() {
  if (!runtime.interrupted) return;
  static thread_local Clock::time_point next{};
  const auto now = Clock::now();
  if (now < next) return;
  next = now + interval;
  if (runtime.interrupted()) throw Interrupted("interrupted");
}

}  // namespace ember
