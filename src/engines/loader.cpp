// Finds and opens engine plug-ins, and runs a known-answer test on them.
#include "src/engines/loader.h"

#include <dirent.h>
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "src/engines/amx_guard.h"
#include "src/engines/vendor.h"
#include "src/graph/graph.h"

namespace ember {
namespace {

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

// Throws EngineError unless the engine computes a 2x2 matmul correctly.
void check_known_answer(Engine& e) {
  if (e.devices().empty()) throw EngineError("no device was found");
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
  if (!e.supports(s.nodes[2], s).yes) throw EngineError("float32 matmul is not supported");
  e.compile(s, e.devices().front())->run(in, out, {});
  const Type type{DType::float32, {2, 2}};
  const bool on_host = out[0].storage->device == Device(Device::cpu);
  Storage* dense = on_host ? pack(out[0], type) : e.download(out[0], type);
  const bool right = std::memcmp(dense->data, expect, 16) == 0;
  for (Storage* x : {in[0].storage, in[1].storage, out[0].storage, dense}) drop(x);
  if (!right) throw EngineError("the known-answer check failed: a 2x2 matmul gave a wrong result");
}

// Sets an environment variable for the lifetime of the object, unless the user has set it.
struct Setting {
  Setting(const char* name, const char* value, bool enabled)
      : name_(enabled && !std::getenv(name) ? name : nullptr) {
    if (name_) setenv(name_, value, 1);
  }
  ~Setting() {
    if (name_) unsetenv(name_);
  }
  const char* name_;
};

// dlopen's message; for a missing library, with a hint how to install it.
std::string explain_dlerror(std::string message) {
  if (message.find("cannot open shared object file") == std::string::npos) return message;
  const std::string missing = message.substr(0, message.find(':'));
  return message + ". Install the package that has " + missing +
         (missing == "libgomp.so.1" ? " (libgomp1 in Debian and Ubuntu, libgomp in Fedora)" : "");
}

std::unique_ptr<Engine> load_plugin(const std::string& name) {
  guard_amx();
  std::string tried;
  for (const std::string& folder : engine_folders()) {
    const std::string path = folder + "/libember_" + name + ".so";
    if (access(path.c_str(), R_OK) != 0) {
      tried += (tried.empty() ? "" : ", ") + folder;
      continue;
    }
    // The libraries of native and torch read these variables while they are opened. Native uses one
    // thread of OpenBLAS, because its idle threads would spin. OpenMP's threads spin before they
    // sleep: with the default count, a step on a busy machine took ten to twenty times as long.
    const bool native = name == "native";
    const bool openmp = native || name == "torch";
    const Setting blas_threads("OPENBLAS_NUM_THREADS", "1", native);
    const Setting omp_spins("GOMP_SPINCOUNT", "2000", openmp && !std::getenv("OMP_WAIT_POLICY"));
    open_vendor_libraries(folder, name);
    void* so = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!so) throw EngineError(explain_dlerror(dlerror()));
    const auto create = reinterpret_cast<Engine* (*)()>(dlsym(so, "ember_engine_create"));
    const auto interface = reinterpret_cast<uint64_t (*)()>(dlsym(so, "ember_engine_interface"));
    if (!create) throw EngineError(path + " is not an Ember engine");
    if (!interface || interface() != engine_interface) {
      throw EngineError(path +
                        " was built against the headers of another version of Ember: rebuild it");
    }
    return std::unique_ptr<Engine>(create());
  }
  throw EngineError("no plug-in libember_" + name + ".so in " + tried);
}

}  // namespace

bool is_engine_name(std::string_view name) {
  return !name.empty() && name.size() <= 32 && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

std::vector<std::string> find_plugins() {
  constexpr std::string_view prefix = "libember_";
  constexpr std::string_view suffix = ".so";
  std::vector<std::string> names;
  for (const std::string& folder : engine_folders()) {
    DIR* directory = opendir(folder.c_str());
    if (!directory) continue;
    while (const dirent* file = readdir(directory)) {
      std::string_view name = file->d_name;
      if (!name.starts_with(prefix) || !name.ends_with(suffix)) continue;
      name.remove_prefix(prefix.size());
      name.remove_suffix(std::min(suffix.size(), name.size()));
      if (is_engine_name(name)) names.emplace_back(name);
    }
    closedir(directory);
  }
  return names;
}

std::unique_ptr<Engine> open_engine(const std::string& name) {
  std::unique_ptr<Engine> engine = load_plugin(name);
  check_known_answer(*engine);
  return engine;
}

}  // namespace ember
