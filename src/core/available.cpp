// Reads the available memory from /proc and the control groups.
#include "src/core/available.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

namespace ember {
namespace {

constexpr size_t unlimited = std::numeric_limits<size_t>::max();

// The first number of the line that begins with `name`, or of the file if no name is given. nullopt
// for "max".
std::optional<size_t> read_number(const std::string& path, const std::string& name = "") {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(name)) continue;
    const size_t digit = line.find_first_of("0123456789", name.size());
    if (digit == std::string::npos) return {};
    return std::strtoull(line.c_str() + digit, nullptr, 10);
  }
  return {};
}

// The limit of a control group minus its usage. Cached file pages count as free.
size_t remaining_in_cgroup(const std::string& folder, const char* limit, const char* usage,
                           const char* files) {
  const auto maximum = read_number(folder + limit);
  const auto used = read_number(folder + usage);
  if (!maximum || !used) return unlimited;
  const size_t kept =
      *used - std::min(*used, read_number(folder + "/memory.stat", files).value_or(0));
  return *maximum - std::min(*maximum, kept);
}

// The least that remains in the process's control group and its visible ancestors.
size_t remaining_in_cgroups() {
  size_t left = remaining_in_cgroup("/sys/fs/cgroup/memory", "/memory.limit_in_bytes",
                                    "/memory.usage_in_bytes", "total_cache ");
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    if (!line.starts_with("0::")) continue;
    for (std::string path = line.substr(3); !path.empty(); path.resize(path.rfind('/'))) {
      left = std::min(left, remaining_in_cgroup("/sys/fs/cgroup" + path, "/memory.max",
                                                "/memory.current", "file "));
    }
  }
  return left;
}

}  // namespace

size_t physical_memory() {
  static const size_t bytes = size_t(sysconf(_SC_PHYS_PAGES)) * size_t(sysconf(_SC_PAGE_SIZE));
  return bytes;
}

AvailableMemory available_memory() {
  const auto unused = read_number("/proc/meminfo", "MemAvailable:");
  if (!unused) return {physical_memory(), 0};  // no such file on this system
  const size_t machine = (*unused + read_number("/proc/meminfo", "SwapFree:").value_or(0)) * 1024;
  size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages >> pages;
  return {std::min(machine, remaining_in_cgroups()), pages * size_t(sysconf(_SC_PAGE_SIZE))};
}

}  // namespace ember
