// The locks that the fork handlers take before the process is copied (src/graph/fork.cpp).
#pragma once
#include <mutex>

namespace ember {

std::recursive_mutex& loading_mutex();  // held while an engine is found and opened
std::mutex& random_mutex();
void lock_allocator();
void unlock_allocator();

}  // namespace ember
