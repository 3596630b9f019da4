// Finding, opening and checking engines; which one is current.
#include <dirent.h>
#include <dlfcn.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <mutex>

#include "ember/backend.h"
#include "ember/runtime.h"
#include "src/core/counters.h"
#include "src/core/fork.h"
#include "src/engines/amx_guard.h"
#include "src/engines/builtin.h"
#include "src/engines/vendor.h"
#include "src/graph/compile.h"
#include "src/io/atomic_file.h"

namespace ember {
namespace {

// In the order in which they are listed; other plug-ins found in the engine folder come after.
constexpr const char* known[] = {"native", "numpy", "torch", "mlx", "onnxruntime"};

struct Entry {
  int id;
  std::string name;
  std::unique_ptr<Engine> engine;
  std::string reason;  // why it could not be loaded
  Device device;       // its default device
  int forks = 0;       // how often the process had forked when it was opened
};
std::atomic<int> forks{0};

constexpr int max_engines = 64;
struct Registry {
  std::recursive_mutex mutex;  // held while an engine is found and opened
  std::atomic<Entry*> entries[max_engines] =
      {};  // a node's engine number is a place in here; read without the lock
  std::atomic<int> count{0};
};

// An engine and one of its devices; no engine: not chosen yet.
struct Choice {
  int16_t engine = -1;
  Device device;
};
constinit std::atomic<Choice> chosen{Choice()};  // where no scope says otherwise
static_assert(decltype(chosen)::is_always_lock_free);
Registry& registry() {
  static Registry& r = *new Registry;  // leaked: tensors may outlive static destruction
  return r;
}
constinit thread_local int scope __attribute__((tls_model("initial-exec"))) = -1;
constinit thread_local Device scope_device
    __attribute__((tls_model("initial-exec")));  // where scope is an engine

std::string folder_of_libember() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<void*>(&folder_of_libember), &info) || !info.dli_fname) return ".";
  const std::string path = info.dli_fname;
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

std::vector<std::string> engine_folders() {
  std::vector<std::string> r;
  if (const char* p = std::getenv("EMBER_ENGINE_PATH")) {
    std::string list = p;
    for (size_t at = 0; at <= list.size();) {
      const size_t end = std::min(list.find(':', at), list.size());
      if (list[at] == '/') r.push_back(list.substr(at, end - at));
      at = end + 1;
    }
  }
  r.push_back(folder_of_libember() + "/ember/engines");
  return r;
}

// Names come from users and files: only what can be a plug-in's name is looked for, never a path.
bool plausible(std::string_view name) {
  return !name.empty() && name.size() <= 32 && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

std::string printable(std::string_view s) {
  std::string r;
  for (char c : s.substr(0, 40)) r += c >= ' ' && c < 127 ? c : '?';
  return s.size() > 40 ? r + "..." : r;
}

// A small gemm through the whole interface: an engine that cannot do it right is not used.
void known_answer(Engine& e) {
  if (e.devices().empty()) throw EngineError("it has no device");
  Slice s;
  SliceNode leaf{.op = OpId::leaf, .dtype = DType::float32, .shape = {2, 2}};
  s.nodes = {leaf, leaf,
             SliceNode{.op = OpId::matmul,
                       .dtype = DType::float32,
                       .wanted = true,
                       .shape = {2, 2},
                       .in = {0, 1}}};
  s.inputs = {0, 1};
  s.outputs = {2};
  const float a[] = {1, 2, 3, 4};
  const float b[] = {5, 6, 7, 8};
  const float expect[] = {19, 22, 43, 50};
  Value in[2];
  Value out[1];
  for (int k = 0; k < 2; ++k) {
    in[k].storage = allocate(16);
    std::memcpy(in[k].storage->data, k ? b : a, 16);
  }
  if (!e.supports(s.nodes[2], s).yes) throw EngineError("it has no float32 matmul");
  e.compile(s, e.devices().front())->run(in, out, {});
  const Type type{DType::float32, {2, 2}};
  const bool on_host = out[0].storage->device == Device(Device::cpu);
  Storage* dense = on_host ? pack(out[0], type) : e.download(out[0], type);
  const bool right = std::memcmp(dense->data, expect, 16) == 0;
  for (Storage* x : {in[0].storage, in[1].storage, out[0].storage, dense}) drop(x);
  if (!right) throw EngineError("it fails the known-answer check: a 2x2 matmul came out wrong");
}

// An environment variable, for a while, where the user has not set it.
struct Setting {
  Setting(const char* name, const char* value, bool wanted)
      : name_(wanted && !std::getenv(name) ? name : nullptr) {
    if (name_) setenv(name_, value, 1);
  }
  ~Setting() {
    if (name_) unsetenv(name_);
  }
  const char* name_;
};

// The loader's message; of a missing library, also what provides it.
std::string why_not_opened(std::string message) {
  if (message.find("cannot open shared object file") == std::string::npos) return message;
  const std::string missing = message.substr(0, message.find(':'));
  return message + ". Install the package that has " + missing +
         (missing == "libgomp.so.1" ? " (libgomp1 in Debian and Ubuntu, libgomp in Fedora)" : "");
}

std::unique_ptr<Engine> open_plugin(const std::string& name) {
  guard_amx();
  std::string tried;
  for (const std::string& folder : engine_folders()) {
    const std::string path = folder + "/libember_" + name + ".so";
    if (access(path.c_str(), R_OK) != 0) {
      tried += (tried.empty() ? "" : ", ") + folder;
      continue;
    }
    // Read by the libraries of native and torch while they are opened; a copy that the process has
    // already is left alone. Native uses one thread of OpenBLAS, whose idle ones would spin.
    // OpenMP's threads spin a while before they sleep: with the default, on a machine that has
    // other work, a step took ten to twenty times as long.
    const bool native = name == "native";
    const bool openmp = native || name == "torch";
    const Setting blas_threads("OPENBLAS_NUM_THREADS", "1", native);
    const Setting omp_spins("GOMP_SPINCOUNT", "2000", openmp && !std::getenv("OMP_WAIT_POLICY"));
    open_vendor_libraries(folder, name);
    void* so = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!so) throw EngineError(why_not_opened(dlerror()));
    const auto create = reinterpret_cast<Engine* (*)()>(dlsym(so, "ember_engine_create"));
    const auto interface = reinterpret_cast<uint64_t (*)()>(dlsym(so, "ember_engine_interface"));
    if (!create) throw EngineError(path + " is not an Ember engine");
    if (!interface || interface() != engine_interface) {
      throw EngineError(
          path +
          " was built against the headers of another Ember: build it again with those of this one");
    }
    return std::unique_ptr<Engine>(create());
  }
  throw EngineError("no plug-in libember_" + name + ".so in " + tried);
}

Entry& entry(const std::string& name) {
  Registry& r = registry();
  const int n = r.count.load();
  for (int i = 0; i < n; ++i) {
    if (r.entries[i].load()->name == name) return *r.entries[i].load();
  }
  if (n == max_engines) throw EngineError("too many engines were asked for");
  r.entries[n].store(new Entry{n, name, nullptr, ""});
  r.count.store(n + 1);
  return *r.entries[n].load();
}

void load(Entry& e) {
  if (e.engine || !e.reason.empty()) return;
  try {
    std::unique_ptr<Engine> engine = e.name == "null" ? make_null_engine() : open_plugin(e.name);
    if (e.name != "null") known_answer(*engine);
    e.device = engine->devices().front();
    const char* check = std::getenv("EMBER_CHECKED");
    if (check && *check && *check != '0' && e.name != "native" && e.name != "null") {
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

// native is always number 0.
void ensure_native() {
  if (registry().count.load() == 0) entry("native");
}

std::string home_folder() {
  if (const char* home = std::getenv("HOME"); home && *home) return home;
  const passwd* user = getpwuid(getuid());
  return user ? user->pw_dir : "";
}

// The first line of ~/.ember/backend; nothing where there is no such file, or nothing in it.
std::string remembered_backend() {
  const std::string home = home_folder();
  const std::string path = home + "/.ember/backend";
  struct stat status;
  if (home.empty() || stat(path.c_str(), &status) != 0) return "";
  if (!S_ISREG(status.st_mode)) throw EngineError("it is not a file");
  std::ifstream file(path);
  char text[256] = {};  // more than any name
  file.read(text, sizeof text - 1);
  std::string_view line(text, size_t(file.gcount()));
  line = line.substr(0, line.find('\n'));
  constexpr std::string_view spaces = " \t\r\v\f";
  const size_t first = line.find_first_not_of(spaces);
  if (first == line.npos) return "";
  return std::string(line.substr(first, line.find_last_not_of(spaces) - first + 1));
}

// The device on which an engine begins.
Device default_device(int id) {
  const Entry* e = registry().entries[id].load();
  return e ? e->device : Device();
}

Choice resolve(std::string_view name) {
  if (name != "auto") {
    const int id = engine_id(name);
    return {int16_t(id), default_device(id)};
  }
  const auto [backend, device] = auto_select_backend();
  return {int16_t(engine_id(backend)), device};
}

void need_device(int id, Device d) {
  const std::vector<Device> all = engine(id).devices();
  if (std::find(all.begin(), all.end(), d) != all.end()) return;
  std::string names;
  for (Device x : all) names += (names.empty() ? "" : ", ") + to_string(x);
  throw DeviceError("backend '" + std::string(engine_name(id)) + "' has no device " + to_string(d) +
                    " here; it has " + names);
}

// Calls f; errors name the source of the choice, which lies outside the program.
template <class F> void with_source(const std::string& source, F&& f) {
  try {
    f();
  } catch (const DeviceError& e) {
    throw DeviceError(source + ": " + e.what());
  } catch (const EngineError& e) {
    throw EngineError(source + ": " + e.what());
  }
}

// What runs where the program has not chosen: the environment's choice, the remembered one, or
// native.
Choice process_default() {
  Registry& r = registry();
  const Waiting waiting_for_the_lock;
  std::lock_guard lock(r.mutex);
  if (const Choice c = chosen.load(); c.engine >= 0) return c;
  Choice choice;
  if (const char* name = std::getenv("EMBER_ML_BACKEND"); name && *name) {
    with_source("EMBER_ML_BACKEND", [&] { choice = resolve(name); });
  } else {
    with_source("~/.ember/backend", [&] {
      if (const std::string name = remembered_backend(); !name.empty()) choice = resolve(name);
    });
  }
  if (choice.engine < 0) choice = resolve("native");
  if (const char* name = std::getenv("EMBER_ML_DEVICE"); name && *name) {
    with_source("EMBER_ML_DEVICE", [&] {
      choice.device = Device(name);
      need_device(choice.engine, choice.device);
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
// The same for whoever replaces it: an environment that names what is not there is no error then.
Choice replaced() {
  try {
    return current();
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

std::recursive_mutex& loading_mutex() { return registry().mutex; }

int engine_id(std::string_view name) {
  Registry& r = registry();
  const Waiting waiting_for_the_lock;
  std::lock_guard lock(r.mutex);
  ensure_native();
  if (!plausible(name)) {
    throw EngineError("unknown backend '" + printable(name) +
                      "': a name has lower-case letters, digits and _, such as native, numpy, "
                      "torch, mlx, onnxruntime or auto");
  }
  Entry& e = entry(std::string(name));
  load(e);
  if (!e.engine) {
    const EngineError error("backend '" + e.name + "' is not available: " + e.reason);
    // What is no engine at all takes no place.
    if (e.id == r.count.load() - 1 &&
        std::find(std::begin(known), std::end(known), e.name) == std::end(known)) {
      r.count.store(e.id);
      delete r.entries[e.id].exchange(nullptr);
    }
    throw error;
  }
  return e.id;
}

Engine& engine(int id) {
  Registry& r = registry();
  // The fast path reads what never changes once it is set; entries are only ever added.
  static constinit thread_local Engine* seen[16] __attribute__((tls_model("initial-exec"))) = {};
  if (id < 16 && seen[id]) return *seen[id];
  const Waiting waiting_for_the_lock;
  std::lock_guard lock(r.mutex);
  ensure_native();
  Entry& e = *r.entries[id].load();
  load(e);
  if (!e.engine) throw EngineError("backend '" + e.name + "' is not available: " + e.reason);
  if (id < 16) seen[id] = e.engine.get();
  return *e.engine;
}

bool forked_away(int id) {
  const int now = forks.load(std::memory_order_relaxed);
  return now && !engine(id).survives_fork() && registry().entries[id].load()->forks != now;
}

std::string_view engine_name(int id) { return registry().entries[id].load()->name; }

int current_engine() { return current().engine; }
Device current_device() { return current().device; }

std::string get_backend() { return std::string(engine_name(current_engine())); }

void set_backend(std::string_view name, bool persist) {
  Choice choice = resolve(name);
  const Choice before = replaced();
  // chosen again: it stays where it is
  if (choice.engine == before.engine && name != "auto") {
    choice.device = before.device;
  }
  chosen.store(choice);
  if (scope >= 0) {
    scope = choice.engine;
    scope_device = choice.device;
  }
  if (!persist) return;
  const std::string home = home_folder();
  const std::string folder = home + "/.ember";
  if (home.empty()) {
    throw IoError("[set_backend] HOME is not set: there is no place to remember the backend in");
  }
  if (mkdir(folder.c_str(), 0777) != 0 && errno != EEXIST) {
    throw IoError("[set_backend] cannot make " + folder);
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
  std::vector<std::string> names(std::begin(known), std::end(known));
  for (const std::string& folder : engine_folders()) {
    if (DIR* d = opendir(folder.c_str())) {
      while (const dirent* f = readdir(d)) {
        const std::string_view n = f->d_name;
        if (!n.starts_with("libember_") || !n.ends_with(".so")) continue;
        const std::string plug(n.substr(9, n.size() - 12));
        if (plausible(plug) && std::find(names.begin(), names.end(), plug) == names.end()) {
          names.push_back(plug);
        }
      }
      closedir(d);
    }
  }
  std::vector<BackendInfo> r;
  for (const std::string& n : names) {
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

void clear_engine_caches() {
  const Waiting waiting_for_the_lock;
  const std::lock_guard none_runs(eval_mutex());
  Registry& r = registry();
  for (int i = 0; i < r.count.load(); ++i) {
    const Entry* e = r.entries[i].load();
    if (e && e->engine && !forked_away(i)) e->engine->clear_cache();
  }
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
  need_device(c.engine, d);
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

// Where an engine's scope records: on the device in use if it is the engine in use, else on its
// default one.
static Device device_of(int id) {
  const Choice c = replaced();
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

Tally& tally() {
  static Tally& t = *new Tally;
  return t;
}
void count_copy() { tally().copies.fetch_add(1, std::memory_order_relaxed); }
Counters counters() {
  const Tally& t = tally();
  return {t.compiled, t.cache_hits, t.evaluations, t.fallbacks, t.allocations, t.copies};
}

static void need_value(const Tensor& t) {
  if (!t.defined()) throw ValueError("this tensor is empty: it was never given a value");
}
Tensor Tensor::to_backend(std::string_view name) const {
  need_value(*this);
  const int id = engine_id(name);
  if (node_->engine == id) return *this;
  if (node_->tracked) {  // recorded, so that gradients find the way back
    const EngineScope there(id);
    return identity(*this);
  }
  eval();
  const Node& n = *node_;
  Tensor r = make_leaf({n.dtype, n.shape}, value_of(n));
  r.node()->engine = uint8_t(id);
  r.node()->requires_grad = n.requires_grad;
  return r;
}
Tensor Tensor::to_device(Device d) const {
  need_value(*this);
  if (d == node_->device) return *this;
  need_device(node_->engine, d);
  eval();
  Tensor host[] = {make_leaf({node_->dtype, node_->shape}, value_of(*node_))};
  host[0].node()->engine = node_->engine;
  if (d == Device(Device::cpu)) return host[0];
  // A copy whose node is on the device: its engine brings the operand there.
  const with_backend scope(backend());
  Tensor there = apply_typed(OpId::copy, host, {node_->dtype, node_->shape});
  there.node()->device = d;
  return there;
}

}  // namespace ember
