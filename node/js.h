// The addon's part of Node-API: arguments, handles, buffers, errors, and calls on JavaScript's
// thread.
#pragma once
#include <node_api.h>

#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <typeinfo>
#include <vector>

#include "ember/webnn.h"

namespace ember::node {

struct Thrown {};  // a JavaScript exception is pending

// Runs functions on JavaScript's thread, from any thread. hold() keeps the process alive while a
// promise is pending.
class Port {
 public:
  explicit Port(napi_env);
  void post(std::function<void(napi_env)>);  // ignored after JavaScript has ended
  void hold();                               // hold, release and close: only on JavaScript's thread
  void release();
  void close();

 private:
  std::mutex mutex_;
  napi_threadsafe_function function_ = nullptr;
  int held_ = 0;
};

// The state of the addon in one environment: the main thread or a worker.
struct Instance {
  napi_env env;
  napi_ref dom_exception = nullptr;
  std::shared_ptr<Port> port;
  std::vector<std::weak_ptr<webnn::ContextState>> contexts;
  std::vector<std::string> names;  // names of a dispatch, kept to reuse their memory
  std::vector<std::pair<std::string_view, webnn::MLTensor>> tensors;

  void ok(napi_status) const;                  // throws Thrown
  napi_value error(std::exception_ptr) const;  // converts it to a JavaScript error
  napi_value undefined() const;
  napi_value string(std::string_view) const;
  napi_value number(double) const;
  napi_value boolean(bool) const;
  napi_value list(size_t n, const std::function<napi_value(size_t)>& item) const;
  napi_value object(std::initializer_list<std::pair<const char*, napi_value>>) const;
  std::string text(napi_value) const;  // UTF-8; invalid Unicode becomes U+FFFD
  double as_number(napi_value) const;
  bool as_bool(napi_value) const;
  uint32_t length(napi_value list) const;
  napi_value at(napi_value list, uint32_t i) const;
  std::span<std::byte> bytes(napi_value) const;  // of an ArrayBuffer or a view; empty if detached
  void account(struct Handle&, int64_t bytes);   // memory that only the garbage collector can free
  // Called before the process exits: all computation has to stop, because exiting frees what
  // engines use.
  void finish();
};

// A JavaScript object's C++ value.
struct Handle {
  const std::type_info* type = nullptr;
  int64_t bytes = 0;
  virtual ~Handle() = default;
};
template <class T> struct HandleOf : Handle {
  T value;
  explicit HandleOf(T v) : value(std::move(v)) { type = &typeid(T); }
};
napi_value new_handle(Instance&, std::unique_ptr<Handle>);
template <class T> napi_value wrap(Instance& in, T value) {
  return new_handle(in, std::make_unique<HandleOf<T>>(std::move(value)));
}
[[noreturn]] void wrong_handle();
template <class T> HandleOf<T>& handle(const Instance& in, napi_value v) {
  void* p = nullptr;
  if (napi_get_value_external(in.env, v, &p) != napi_ok ||
      *static_cast<Handle*>(p)->type != typeid(T)) {
    wrong_handle();
  }
  return *static_cast<HandleOf<T>*>(p);
}

// The arguments of a call. index.js has already checked and converted their types.
struct Args {
  Instance& in;
  size_t n;
  napi_value* v;
  template <class T> HandleOf<T>& handle(size_t i) const { return node::handle<T>(in, v[i]); }
  template <class T> T& get(size_t i) const { return handle<T>(i).value; }
  DType dtype(size_t i) const { return *parse_dtype(in.text(v[i])); }
  webnn::MLOperandDescriptor descriptor(size_t i) const;  // from two arguments: dataType, shape
};
using Function = napi_value (*)(Args&);
template <Function F> napi_value entry(napi_env env, napi_callback_info info) {
  napi_value some[16];
  std::vector<napi_value> all;
  size_t n = std::size(some);
  void* data = nullptr;
  if (napi_get_cb_info(env, info, &n, some, nullptr, &data) != napi_ok) return nullptr;
  if (n > std::size(some)) {
    all.resize(n);
    napi_get_cb_info(env, info, &n, all.data(), nullptr, nullptr);
  }
  auto& in = *static_cast<Instance*>(data);
  Args args{in, n, all.empty() ? some : all.data()};
  try {
    return F(args);
  } catch (const Thrown&) {
  } catch (...) {
    napi_throw(env, in.error(std::current_exception()));
  }
  return nullptr;
}

// Creates a promise: work runs on another thread, then answer creates the value on JavaScript's
// thread.
napi_value promise(Instance&, std::function<void()> work,
                   std::function<napi_value(Instance&)> answer);

struct Export {
  const char* name;
  napi_callback function;
};
std::span<const Export> context_exports();
std::span<const Export> builder_exports();

}  // namespace ember::node
