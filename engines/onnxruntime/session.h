// ONNX Runtime's C interface, as far as the engine uses it.
#pragma once
#include <onnxruntime_c_api.h>

#include <memory>

#include "ember/onnx_writer.h"

namespace ember::ort {

const OrtApi& api();
const std::string& version();   // of the library
std::vector<Device> devices();  // what its providers make of this machine
int threads();                  // 0: as many as it likes

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

Owned<OrtValue> tensor(void* data, DType, const Shape&);  // over the caller's memory

void shrink_arena();  // gives back what no session uses

// A written slice, ready to run.
struct Session {
  Session(const Slice&, onnx::Written, Device);
  ~Session();
  Session(const Session&) = delete;

  onnx::Written written;  // without the model's bytes
  Owned<OrtSession> session;

 private:
  std::vector<Storage*> held_;  // constants that the session reads where they are
  std::vector<Owned<OrtValue>> constants_;
};

}  // namespace ember::ort
