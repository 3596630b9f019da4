#include "engines/onnxruntime/session.h"

#include <dlfcn.h>
#include <strings.h>

#include <charconv>
#include <cstdlib>
#include <mutex>

namespace ember::ort {
namespace {

constexpr uint32_t api_version =
    22;  // the lowest version of the C interface that works; the wheel has a later one

struct Library {
  const OrtApi* api = nullptr;
  std::string version;
  Library() {
    void* so =
        dlopen(EMBER_ORT_LIBRARY, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);  // the loader has opened it
    const auto base =
        so ? reinterpret_cast<const OrtApiBase* (*)()>(dlsym(so, "OrtGetApiBase")) : nullptr;
    if (!base) throw EngineError("the loaded library is not ONNX Runtime");
    version = base()->GetVersionString();
    api = base()->GetApi(api_version);
    if (!api) throw EngineError("ONNX Runtime " + version + " is too old: 1.22 or later is needed");
  }
};
const Library& library() {
  static const Library l;
  return l;
}

// Disables ONNX Runtime's telemetry, which identifies the user, before the environment is created.
// A value set by the user stays.
struct NoTelemetry {
  static constexpr const char* variable = "ORT_DISABLE_TELEMETRY";
  const bool ours = !std::getenv(variable);
  NoTelemetry() {
    if (ours) setenv(variable, "1", 1);
  }
  ~NoTelemetry() {
    if (ours) unsetenv(variable);
  }
};

OrtEnv* environment() {
  static OrtEnv* const env = [] {
    const NoTelemetry quiet;
    OrtThreadingOptions* pools = nullptr;
    OrtEnv* e = nullptr;
    check(api().CreateThreadingOptions(&pools));
    // One thread pool for all sessions: every compiled slice is a session.
    check(api().SetGlobalIntraOpNumThreads(pools, threads()));
    check(api().SetGlobalInterOpNumThreads(pools, 1));
    // Its threads spin between operators and after a run, unless OMP_WAIT_POLICY says passive.
    if (const char* wait = std::getenv("OMP_WAIT_POLICY");
        wait && strcasecmp(wait, "passive") == 0) {
      check(api().SetGlobalSpinControl(pools, 0));
    }
    check(api().CreateEnvWithGlobalThreadPools(ORT_LOGGING_LEVEL_FATAL, "ember", pools, &e));
    api().ReleaseThreadingOptions(pools);
    if (quiet.ours)
      check(api().DisableTelemetryEvents(e));  // for libraries that ignore the variable
    // One arena, which grows by the requested size; the default doubles it.
    OrtMemoryInfo* host = nullptr;
    OrtArenaCfg* arena = nullptr;
    check(api().CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault, &host));
    constexpr int same_as_requested = 1;
    constexpr int its_choice = -1;
    check(api().CreateArenaCfg(0, same_as_requested, its_choice, its_choice, &arena));
    check(api().CreateAndRegisterAllocator(e, host, arena));
    api().ReleaseArenaCfg(arena);
    api().ReleaseMemoryInfo(host);
    return e;
  }();
  return env;
}

std::vector<std::string> providers() {
  char** names = nullptr;
  int n = 0;
  check(api().GetAvailableProviders(&names, &n));
  std::vector<std::string> r(names, names + n);
  check(api().ReleaseAvailableProviders(names, n));
  return r;
}

void add_provider(OrtSessionOptions* o, Device d) {
  const std::string index = std::to_string(d.index);
  const char* key = "device_id";
  const char* value = index.c_str();
  if (d.kind == Device::cuda) {
    OrtCUDAProviderOptionsV2* p = nullptr;
    check(api().CreateCUDAProviderOptions(&p));
    const std::unique_ptr<OrtCUDAProviderOptionsV2, void (*)(OrtCUDAProviderOptionsV2*)> held(
        p, api().ReleaseCUDAProviderOptions);
    check(api().UpdateCUDAProviderOptions(p, &key, &value, 1));
    check(api().SessionOptionsAppendExecutionProvider_CUDA_V2(o, p));
  } else if (d.kind == Device::tensorrt) {
    OrtTensorRTProviderOptionsV2* p = nullptr;
    check(api().CreateTensorRTProviderOptions(&p));
    const std::unique_ptr<OrtTensorRTProviderOptionsV2, void (*)(OrtTensorRTProviderOptionsV2*)>
        held(p, api().ReleaseTensorRTProviderOptions);
    check(api().UpdateTensorRTProviderOptions(p, &key, &value, 1));
    check(api().SessionOptionsAppendExecutionProvider_TensorRT_V2(o, p));
  } else if (d.kind == Device::coreml) {
    check(api().SessionOptionsAppendExecutionProvider(o, "CoreML", nullptr, nullptr, 0));
  }
}

ONNXTensorElementDataType element_of(DType t) {
  switch (t) {
    case bool_: return ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL;
    case int4:
    case int8: return ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8;
    case uint4:
    case uint8: return ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8;
    case int16: return ONNX_TENSOR_ELEMENT_DATA_TYPE_INT16;
    case uint16: return ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16;
    case int32: return ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32;
    case uint32: return ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT32;
    case int64: return ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64;
    case uint64: return ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT64;
    case float16: return ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16;
    case bfloat16: return ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16;
    case float32: return ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT;
    case float64: return ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE;
    default: throw EngineError("ONNX Runtime does not support " + std::string(name(t)));
  }
}

std::atomic<uint64_t> made{0};

bool has(const std::string& text, const char* part) { return text.find(part) != text.npos; }

}  // namespace

const OrtApi& api() { return *library().api; }
const std::string& version() { return library().version; }

int threads() {
  int n = 0;
  if (const char* text = std::getenv("EMBER_NUM_THREADS")) {
    std::from_chars(text, text + std::strlen(text), n);
  }
  return std::max(n, 0);
}

std::vector<Device> devices() {
  std::vector<Device> r{Device::cpu};
  for (const std::string& p : providers()) {
    if (p == "CUDAExecutionProvider") r.push_back(Device::cuda);
    if (p == "TensorrtExecutionProvider") r.push_back(Device::tensorrt);
    if (p == "CoreMLExecutionProvider") r.push_back(Device::coreml);
  }
  return r;
}

void check(OrtStatus* status) {
  if (!status) return;
  std::string text = library().api->GetErrorMessage(status);
  library().api->ReleaseStatus(status);
  // "... while running Gather node. Name:'take_3' Status Message: ...": nodes are named after ops.
  std::string op;
  const std::string_view before = "Name:'";
  const std::string_view message = "Status Message: ";
  if (const size_t at = text.find(before); at != text.npos) {
    const std::string node =
        text.substr(at + before.size(), text.find('\'', at + before.size()) - at - before.size());
    if (const size_t number = node.rfind('_'); number != node.npos && number > 0) {
      op = "[" + node.substr(0, number) + "] ";
    }
  }
  const bool index = has(text, "out of data bounds") || has(text, "invalid ind") ||
                     has(text, "Out of range value in index");
  const bool memory =
      has(text, "Failed to allocate") || has(text, "bad_alloc") || has(text, "bad allocation");
  if (const size_t at = text.find(message); at != text.npos) text.erase(0, at + message.size());
  text.resize(std::min(text.size(), text.find('\n')));
  if (text.starts_with("/")) {  // a source position and a function
    if (const size_t at = text.rfind("] "); at != text.npos) text.erase(0, at + 2);
  }
  if (index) throw IndexError(op + text);
  if (memory) throw MemoryError(op + text);
  throw EngineError(op + "ONNX Runtime: " + text);
}

Owned<OrtValue> tensor(void* data, DType t, const Shape& shape) {
  static OrtMemoryInfo* const host = [] {
    OrtMemoryInfo* p = nullptr;
    check(api().CreateCpuMemoryInfo(OrtDeviceAllocator, OrtMemTypeDefault, &p));
    return p;
  }();
  OrtValue* v = nullptr;
  check(api().CreateTensorWithDataAsOrtValue(host, data, size_t(size_of(shape)) * size_of(t),
                                             shape.data(), shape.size(), element_of(t), &v));
  return Owned<OrtValue>(v);
}

Session::Session(const Slice& s, onnx::Written w, Device d) : written(std::move(w)) {
  OrtSessionOptions* raw = nullptr;
  OrtEnv* const env = environment();
  check(api().CreateSessionOptions(&raw));
  const Owned<OrtSessionOptions> options(raw);
  check(api().SetSessionGraphOptimizationLevel(raw, ORT_ENABLE_ALL));
  check(api().DisablePerSessionThreads(raw));
  check(api().AddSessionConfigEntry(raw, "session.use_env_allocators", "1"));
  // This optimizer moves a factor into an attribute, which is a float32, also for products of
  // float64.
  check(api().AddSessionConfigEntry(raw, "optimization.disable_specified_optimizers",
                                    "MatMulScaleFusion"));
  // Extents of an open model differ between runs.
  if (!written.feeds.empty()) {
    check(api().DisableMemPattern(raw));
  }
  add_provider(raw, d);
  std::vector<const char*> names;
  std::vector<const OrtValue*> values;
  try {
    for (const onnx::Written::External& a : written.external) {
      const SliceNode& n = s.nodes[a.leaf];
      Storage* const dense =
          n.constant->strided ? pack(*n.constant, {n.dtype, n.shape}) : n.constant->storage;
      if (dense == n.constant->storage) retain(dense);
      storages_.push_back(dense);
      constants_.push_back(tensor(dense->data, n.dtype, n.shape));
      names.push_back(a.name.c_str());
      values.push_back(constants_.back().get());
    }
    if (!names.empty()) {
      check(api().AddExternalInitializers(raw, names.data(), values.data(), names.size()));
    }
    OrtSession* created = nullptr;
    check(api().CreateSessionFromArray(env, written.model.data(), written.model.size(), raw,
                                       &created));
    session.reset(created);
    made.fetch_add(1, std::memory_order_relaxed);
  } catch (...) {
    for (Storage* h : storages_) drop(h);
    throw;
  }
  written.model = {};
}
Session::~Session() {
  session.reset();
  for (Storage* h : storages_) drop(h);
}

// Any session's run can request that the arena shrinks.
void shrink_arena() {
  static const Session& smallest = []() -> const Session& {
    Slice s;
    s.nodes = {SliceNode{.op = OpId::leaf, .shape = {1}},
               SliceNode{.op = OpId::negative, .wanted = true, .shape = {1}, .in = {0}}};
    s.inputs = {0};
    s.outputs = {1};
    return *new Session(s, onnx::write(s, {.style = onnx::Style::exact}), Device());
  }();
  OrtRunOptions* raw = nullptr;
  check(api().CreateRunOptions(&raw));
  const Owned<OrtRunOptions> options(raw);
  check(api().AddRunConfigEntry(raw, "memory.enable_memory_arena_shrinkage", "cpu:0"));
  float number = 0;
  const Owned<OrtValue> x = tensor(&number, float32, {1});
  const OrtValue* const in = x.get();
  const char* const from = smallest.written.names[0].c_str();
  const char* const to = smallest.written.outputs[0].c_str();
  OrtValue* out = nullptr;
  check(api().Run(smallest.session.get(), raw, &from, &in, 1, &to, 1, &out));
  const Owned<OrtValue> result(out);
}

}  // namespace ember::ort

extern "C"  // for tests
    EMBER_API uint64_t
    ember_onnxruntime_sessions() {
  return ember::ort::made.load();
}
