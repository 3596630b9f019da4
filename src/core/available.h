// How much memory the process may still touch before the system kills somebody.
#pragma once
#include <cstddef>

namespace ember {

struct AvailableMemory {
  size_t free;      // of the machine, or of the control group where that has less
  size_t resident;  // what the process has touched
};
AvailableMemory available_memory();  // reads the kernel's files: some 50 us
size_t physical_memory();

}  // namespace ember
