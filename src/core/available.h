// How much memory the process can still use before the system kills a process.
#pragma once
#include <cstddef>

namespace ember {

struct AvailableMemory {
  size_t free;      // of the machine, or of the control group if that has less
  size_t resident;  // the process's resident set
};
AvailableMemory available_memory();  // reads files in /proc and /sys; takes about 50 us
size_t physical_memory();

}  // namespace ember
