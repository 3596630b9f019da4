// Which engine runs what is recorded next (R1).
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ember/tensor.h"

namespace ember {

// Explicit choice, else EMBER_ML_BACKEND, else ~/.ember/backend, else "native". "auto" means
// auto_select_backend().
EMBER_API std::string get_backend();
EMBER_API void set_backend(std::string_view name,
                           bool persist = false);  // persist: written to ~/.ember/backend
EMBER_API std::pair<std::string, Device> auto_select_backend();
EMBER_API std::vector<std::string>
get_available_backends();  // those that load and pass their checks
EMBER_API Device get_device();
EMBER_API Device get_device(const Tensor&);
EMBER_API void set_device(Device);
EMBER_API Tensor to_device(const Tensor&, Device);
EMBER_API std::vector<Device> get_available_devices();
EMBER_API void synchronize();

// A scope on this thread: wins over set_backend, ends with the object.
class EMBER_API with_backend {
 public:
  explicit with_backend(std::string_view name);
  with_backend(const with_backend&) = delete;
  ~with_backend();

 private:
  int before_;
  Device device_before_;
};

struct BackendInfo {
  std::string name;
  bool available = false;
  std::string reason;  // why it is not
  std::string version;
  std::vector<std::string> devices;
  int ops = 0;  // how many graph ops it takes itself
  std::vector<std::pair<std::string, std::string>> facts;
};
EMBER_API std::vector<BackendInfo> backend_info();  // every engine found, working or not

struct MemoryStats {
  size_t used, cached, peak;
};
EMBER_API MemoryStats memory_stats();
EMBER_API void clear_cache();  // gives cached memory back

// What evaluation did so far, in this process. copies: operands that had to be copied to be read,
// by an engine or as memory.
struct Counters {
  uint64_t compiled, cache_hits, evaluations, fallbacks, allocations, copies;
};
EMBER_API Counters counters();

}  // namespace ember
