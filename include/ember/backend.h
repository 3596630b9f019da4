// The choice of the engine that runs the ops recorded next.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ember/tensor.h"

namespace ember {

// The explicit choice, else EMBER_ML_BACKEND, else ~/.ember/backend, else "native". The name "auto"
// selects auto_select_backend().
EMBER_API std::string get_backend();
// persist: also store the choice in ~/.ember/backend.
EMBER_API void set_backend(std::string_view name, bool persist = false);
EMBER_API std::pair<std::string, Device> auto_select_backend();
// Engines that load and pass their self-test.
EMBER_API std::vector<std::string> get_available_backends();
EMBER_API Device get_device();
EMBER_API Device get_device(const Tensor&);
EMBER_API void set_device(Device);
EMBER_API Tensor to_device(const Tensor&, Device);
EMBER_API std::vector<Device> get_available_devices();
EMBER_API void synchronize();

// Selects an engine on this thread until the object is destroyed. Takes precedence over
// set_backend.
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
  std::string reason;  // why the engine is not available
  std::string version;
  std::vector<std::string> devices;
  int ops = 0;  // number of graph ops that the engine runs itself
  std::vector<std::pair<std::string, std::string>> facts;
};
EMBER_API std::vector<BackendInfo> backend_info();  // every engine found, available or not

struct MemoryStats {
  size_t used, cached, peak;
};
EMBER_API MemoryStats memory_stats();
EMBER_API void clear_cache();  // releases cached memory

// What evaluation did so far in this process. copies: operands that an engine or a reader had to
// copy before use.
struct Counters {
  uint64_t compiled, cache_hits, evaluations, fallbacks, allocations, copies;
};
EMBER_API Counters counters();

}  // namespace ember
