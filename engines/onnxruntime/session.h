// Sessions of ONNX Runtime, through its C interface.
#pragma once
#include <onnxruntime_c_api.h>

#include <memory>

#include "ember/onnx_writer.h"

namespace ember::ort {

const OrtApi& api();
const std::string& version();   // of the library
std::vector<Device> devices();  // the devices of its providers
int threads();                  // 0: ONNX Runtime's choice

// ONNX Runtime's error as one of Ember's, with the name of the op whose node failed.
void check(OrtStatus*);

struct Release {
  void operator()(OrtValue* p) const { api().ReleaseValue(p); }
  void operator()(OrtSession* p) const { api().ReleaseSession(p); }
  void operator()(OrtSessionOptions* p) const { api().ReleaseSessionOptions(p); }
  void operator()(OrtIoBinding* p) const { api().ReleaseIoBinding(p); }
  void operator()(OrtRunOptions* p) const { api().ReleaseRunOptions(p); }
};
template <class T> using Owned = std::unique_ptr<T, Release>;

Owned<OrtValue> tensor(void* data, DType, const Shape&);  // of the caller's memory

void shrink_arena();  // frees unused memory

// A session of a written slice.
struct Session {
  Session(const Slice&, onnx::Written, Device);
  ~Session();
  Session(const Session&) = delete;

  onnx::Written written;  // without the model's bytes
  Owned<OrtSession> session;

 private:
  std::vector<Storage*> storages_;  // of constants that the session reads in place
  std::vector<Owned<OrtValue>> constants_;
};

}  // namespace ember::ort
