// The engines of this process: each is loaded once, on first use, and keeps its number.
#include "src/engines/registry.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <mutex>

#include "ember/runtime.h"
#include "src/core/fork.h"
#include "src/engines/builtin.h"
#include "src/engines/loader.h"
#include "src/graph/compile.h"

namespace ember {
namespace {

// The engines that are part of Ember, in the order of listings.
constexpr const char* known[] = {"native", "numpy", "torch", "mlx", "onnxruntime"};

struct Entry {
  int id;
  std::string name;
  std::unique_ptr<Engine> engine;
  std::string reason;  // why it could not be loaded
  Device device;       // its default device
  int forks = 0;       // number of forks before it was opened
};
std::atomic<int> forks{0};

constexpr int max_engines = 64;
struct Registry {
  std::recursive_mutex mutex;  // held while an engine is found and opened
  // Indexed by a node's engine number. Entries are only added, and read without the lock.
  std::atomic<Entry*> entries[max_engines] = {};
  std::atomic<int> count{0};
};

Registry& registry() {
  static Registry& r = *new Registry;  // never destroyed: tensors may outlive static destruction
  return r;
}

std::string printable(std::string_view s) {
  std::string r;
  for (char c : s.substr(0, 40)) r += c >= ' ' && c < 127 ? c : '?';
  return s.size() > 40 ? r + "..." : r;
}

Entry& entry(const std::string& name) {
  Registry& r = registry();
  const int n = r.count.load();
  for (int i = 0; i < n; ++i) {
    if (r.entries[i].load()->name == name) return *r.entries[i].load();
  }
  if (n == max_engines) throw EngineError("too many engines");
  r.entries[n].store(new Entry{n, name, nullptr, ""});
  r.count.store(n + 1);
  return *r.entries[n].load();
}

bool is_on(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value && *value != '0';
}

void load(Entry& e) {
  if (e.engine || !e.reason.empty()) return;
  try {
    const bool null = e.name == "null";
    std::unique_ptr<Engine> engine = null ? make_null_engine() : open_engine(e.name);
    e.device = engine->devices().front();
    if (!null && e.name != "native" && is_on("EMBER_CHECKED")) {
      engine = make_checked_engine(std::move(engine));
    }
    e.engine = std::move(engine);
    static const int hooked = pthread_atfork(nullptr, nullptr, [] { forks.fetch_add(1); });
    (void)hooked;
    e.forks = forks.load();
  } catch (const std::exception& x) {
    e.reason = x.what();
  }
}

// native is always engine 0.
void ensure_native() {
  if (registry().count.load() == 0) entry("native");
}

EngineError not_available(const Entry& e) {
  return EngineError("backend '" + e.name + "' is not available: " + e.reason);
}

bool is_known(std::string_view name) {
  return std::find(std::begin(known), std::end(known), name) != std::end(known);
}

}  // namespace

std::recursive_mutex& loading_mutex() { return registry().mutex; }

Device default_device(int id) {
  const Entry* e = registry().entries[id].load();
  return e ? e->device : Device();
}

void check_device(int id, Device d) {
  const std::vector<Device> all = engine(id).devices();
  if (std::find(all.begin(), all.end(), d) != all.end()) return;
  std::string names;
  for (Device x : all) names += (names.empty() ? "" : ", ") + to_string(x);
  throw DeviceError("backend '" + std::string(engine_name(id)) + "' has no device " + to_string(d) +
                    " here; it has " + names);
}

std::vector<std::string> engine_names() {
  std::vector<std::string> names(std::begin(known), std::end(known));
  for (std::string& plugin : find_plugins()) {
    if (std::find(names.begin(), names.end(), plugin) == names.end()) {
      names.push_back(std::move(plugin));
    }
  }
  return names;
}

int engine_id(std::string_view name) {
  Registry& r = registry();
  const Waiting waiting_for_the_lock;
  std::lock_guard lock(r.mutex);
  ensure_native();
  if (!is_engine_name(name)) {
    throw EngineError("unknown backend '" + printable(name) +
                      "': a name has lower-case letters, digits and _, such as native, numpy, "
                      "torch, mlx, onnxruntime or auto");
  }
  Entry& e = entry(std::string(name));
  load(e);
  if (!e.engine) {
    const EngineError error = not_available(e);
    // A name that is not an engine does not use up a number.
    if (e.id == r.count.load() - 1 && !is_known(e.name)) {
      r.count.store(e.id);
      delete r.entries[e.id].exchange(nullptr);
    }
    throw error;
  }
  return e.id;
}

Engine& engine(int id) {
  Registry& r = registry();
  // An engine's address never changes once it is loaded.
  static constinit thread_local Engine* seen[16] __attribute__((tls_model("initial-exec"))) = {};
  if (id < 16 && seen[id]) return *seen[id];
  const Waiting waiting_for_the_lock;
  std::lock_guard lock(r.mutex);
  ensure_native();
  Entry& e = *r.entries[id].load();
  load(e);
  if (!e.engine) throw not_available(e);
  if (id < 16) seen[id] = e.engine.get();
  return *e.engine;
}

bool forked_away(int id) {
  const int now = forks.load(std::memory_order_relaxed);
  return now && !engine(id).survives_fork() && registry().entries[id].load()->forks != now;
}

std::string_view engine_name(int id) { return registry().entries[id].load()->name; }

void clear_engine_caches() {
  const Waiting waiting_for_the_lock;
  const std::lock_guard none_runs(eval_mutex());
  Registry& r = registry();
  for (int i = 0; i < r.count.load(); ++i) {
    const Entry* e = r.entries[i].load();
    if (e && e->engine && !forked_away(i)) e->engine->clear_cache();
  }
}

}  // namespace ember
