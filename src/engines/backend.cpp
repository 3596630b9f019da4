// The engine and device of recorded ops: the process's choice, and scopes of a thread.
#include "ember/backend.h"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <mutex>

#include "ember/runtime.h"
#include "src/core/fork.h"
#include "src/engines/builtin.h"
#include "src/engines/registry.h"
#include "src/io/atomic_file.h"

namespace ember {
namespace {

struct Choice {
  int16_t engine = -1;  // -1: not chosen yet
  Device device;
};
constinit std::atomic<Choice> chosen{Choice()};  // used where the thread has no scope
static_assert(decltype(chosen)::is_always_lock_free);

// The scope of this thread, if its engine is not -1.
constinit thread_local int scope __attribute__((tls_model("initial-exec"))) = -1;
constinit thread_local Device scope_device __attribute__((tls_model("initial-exec")));

std::string home_folder() {
  if (const char* home = std::getenv("HOME"); home && *home) return home;
  const passwd* user = getpwuid(getuid());
  return user ? user->pw_dir : "";
}

// The first line of ~/.ember/backend, or "" if the file is missing or empty.
std::string saved_backend() {
  const std::string home = home_folder();
  const std::string path = home + "/.ember/backend";
  struct stat status;
  if (home.empty() || stat(path.c_str(), &status) != 0) return "";
  if (!S_ISREG(status.st_mode)) throw EngineError("it is not a file");
  std::ifstream file(path);
  char text[256] = {};  // longer than any name
  file.read(text, sizeof text - 1);
  std::string_view line(text, size_t(file.gcount()));
  line = line.substr(0, line.find('\n'));
  constexpr std::string_view spaces = " \t\r\v\f";
  const size_t first = line.find_first_not_of(spaces);
  if (first == line.npos) return "";
  return std::string(line.substr(first, line.find_last_not_of(spaces) - first + 1));
}

Choice resolve(std::string_view name) {
  if (name != "auto") {
    const int id = engine_id(name);
    return {int16_t(id), default_device(id)};
  }
  const auto [backend, device] = auto_select_backend();
  return {int16_t(engine_id(backend)), device};
}

// Calls f and adds the source of the choice, which lies outside the program, to its errors.
template <class F> void with_error_source(const std::string& source, F&& f) {
  try {
    f();
  } catch (const DeviceError& e) {
    throw DeviceError(source + ": " + e.what());
  } catch (const EngineError& e) {
    throw EngineError(source + ": " + e.what());
  }
}

// The choice where the program has made none: the environment's, the saved one, or native.
Choice process_default() {
  const Waiting waiting_for_the_lock;
  std::lock_guard lock(loading_mutex());
  if (const Choice c = chosen.load(); c.engine >= 0) return c;
  Choice choice;
  if (const char* name = std::getenv("EMBER_ML_BACKEND"); name && *name) {
    with_error_source("EMBER_ML_BACKEND", [&] { choice = resolve(name); });
  } else {
    with_error_source("~/.ember/backend", [&] {
      if (const std::string name = saved_backend(); !name.empty()) choice = resolve(name);
    });
  }
  if (choice.engine < 0) choice = resolve("native");
  if (const char* name = std::getenv("EMBER_ML_DEVICE"); name && *name) {
    with_error_source("EMBER_ML_DEVICE", [&] {
      choice.device = Device(name);
      check_device(choice.engine, choice.device);
    });
  }
  chosen.store(choice);
  return choice;
}

Choice current() {
  if (scope >= 0) return {int16_t(scope), scope_device};
  const Choice c = chosen.load(std::memory_order_relaxed);
  return c.engine >= 0 ? c : process_default();
}

// For a choice that replaces the current one: an environment that names a missing engine is not an
// error then.
Choice current_or_none() {
  try {
    return current();
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

int current_engine() { return current().engine; }
Device current_device() { return current().device; }

std::string get_backend() { return std::string(engine_name(current_engine())); }

void set_backend(std::string_view name, bool persist) {
  Choice choice = resolve(name);
  const Choice before = current_or_none();
  // The engine in use keeps its device.
  if (choice.engine == before.engine && name != "auto") choice.device = before.device;
  chosen.store(choice);
  if (scope >= 0) {
    scope = choice.engine;
    scope_device = choice.device;
  }
  if (!persist) return;
  const std::string home = home_folder();
  const std::string folder = home + "/.ember";
  if (home.empty()) {
    throw IoError("[set_backend] HOME is not set, so the choice cannot be saved");
  }
  if (mkdir(folder.c_str(), 0777) != 0 && errno != EEXIST) {
    throw IoError("[set_backend] cannot create " + folder);
  }
  const std::string text = std::string(name) + "\n";
  io::AtomicFile f(folder + "/backend");
  f.write(text.data(), text.size());
  f.commit();
}

std::pair<std::string, Device> auto_select_backend() {
  const auto has = [](const char* name, Device::Kind kind) {
    try {
      const auto d = engine(engine_id(name)).devices();
      return std::any_of(d.begin(), d.end(), [&](Device x) { return x.kind == kind; });
    } catch (const Error&) {
      return false;
    }
  };
  constexpr std::pair<const char*, Device::Kind> order[] = {
      {"torch", Device::cuda}, {"torch", Device::mps}, {"mlx", Device::gpu},
      {"native", Device::cpu}, {"torch", Device::cpu}, {"numpy", Device::cpu}};
  for (auto [name, kind] : order) {
    if (has(name, kind)) return {name, kind};
  }
  throw EngineError("no backend is available");
}

std::vector<BackendInfo> backend_info() {
  std::vector<BackendInfo> r;
  for (const std::string& n : engine_names()) {
    BackendInfo b{.name = n};
    try {
      Engine& e = engine(engine_id(n));
      b.available = true;
      b.version = e.version();
      b.facts = e.facts();
      for (Device d : e.devices()) b.devices.push_back(to_string(d));
      b.ops = count_supported(e);
    } catch (const std::exception& x) {
      b.reason = x.what();
      const std::string prefix = "backend '" + n + "' is not available: ";
      if (b.reason.starts_with(prefix)) b.reason = b.reason.substr(prefix.size());
    }
    r.push_back(std::move(b));
  }
  return r;
}

std::vector<std::string> get_available_backends() {
  std::vector<std::string> r;
  for (const BackendInfo& b : backend_info()) {
    if (b.available) r.push_back(b.name);
  }
  return r;
}

Device get_device() { return current_device(); }
Device get_device(const Tensor& t) { return t.device(); }
std::vector<Device> get_available_devices() { return engine(current_engine()).devices(); }
void set_device(Device d) {
  Choice c = current();
  check_device(c.engine, d);
  c.device = d;
  if (scope >= 0) {
    scope_device = d;
  } else {
    chosen.store(c);
  }
}
Tensor to_device(const Tensor& t, Device d) { return t.to_device(d); }
void synchronize() {
  Engine& e = engine(current_engine());
  for (Device d : e.devices()) e.synchronize(d);
}

// The device in use if the engine is in use, else the engine's default device.
static Device device_of(int id) {
  const Choice c = current_or_none();
  return c.engine == id ? c.device : default_device(id);
}
EngineScope::EngineScope(int id) : EngineScope(id, device_of(id)) {}
EngineScope::EngineScope(int id, Device device)
    : before(std::exchange(scope, id)), device_before(std::exchange(scope_device, device)) {}
EngineScope::~EngineScope() {
  scope = before;
  scope_device = device_before;
}
with_backend::with_backend(std::string_view name) : before_(scope), device_before_(scope_device) {
  const Choice c = resolve(name);
  scope_device = name == "auto" ? c.device : device_of(c.engine);
  scope = c.engine;
}
with_backend::~with_backend() {
  scope = before_;
  scope_device = device_before_;
}

}  // namespace ember
