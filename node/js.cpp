// Conversions between JavaScript and C++, errors, promises.
#include "js.h"

#include <new>

#include "ember/error.h"

namespace ember::node {

Port::Port(napi_env env) {
  napi_value name = nullptr;
  napi_create_string_utf8(env, "ember", NAPI_AUTO_LENGTH, &name);
  const auto call = [](napi_env env, napi_value, void*, void* data) {
    const std::unique_ptr<std::function<void(napi_env)>> f(
        static_cast<std::function<void(napi_env)>*>(data));
    if (env) (*f)(env);
  };
  napi_create_threadsafe_function(env, nullptr, nullptr, name, 0, 1, nullptr, nullptr, nullptr,
                                  call, &function_);
  napi_unref_threadsafe_function(env, function_);
}
void Port::post(std::function<void(napi_env)> f) {
  const std::lock_guard lock(mutex_);
  if (!function_) return;
  auto owned = std::make_unique<std::function<void(napi_env)>>(std::move(f));
  if (napi_call_threadsafe_function(function_, owned.get(), napi_tsfn_nonblocking) == napi_ok) {
    (void)owned.release();
  }
}
void Port::hold() {
  if (held_++ == 0 && function_) napi_ref_threadsafe_function(nullptr, function_);
}
void Port::release() {
  if (--held_ == 0 && function_) napi_unref_threadsafe_function(nullptr, function_);
}
void Port::close() {
  const std::lock_guard lock(mutex_);
  if (function_) napi_release_threadsafe_function(function_, napi_tsfn_abort);
  function_ = nullptr;
}

namespace {
// The specification's names of Ember's errors; all others are a TypeError.
const char* dom_name(const std::exception& e) {
  if (dynamic_cast<const StateError*>(&e)) return "InvalidStateError";
  if (dynamic_cast<const UnsupportedError*>(&e)) return "NotSupportedError";
  if (dynamic_cast<const EngineError*>(&e) || dynamic_cast<const MemoryError*>(&e) ||
      dynamic_cast<const IoError*>(&e) || dynamic_cast<const std::bad_alloc*>(&e)) {
    return "OperationError";
  }
  return nullptr;
}
}  // namespace

void Instance::ok(napi_status s) const {
  if (s == napi_ok) return;
  if (s != napi_pending_exception) napi_throw_error(env, nullptr, "ember: Node-API refused a call");
  throw Thrown();
}
napi_value Instance::error(std::exception_ptr p) const {
  std::string text = "unknown error";
  const char* name = nullptr;
  try {
    std::rethrow_exception(p);
  } catch (const std::exception& e) {
    text = e.what();
    name = dom_name(e);
  } catch (...) {}
  napi_value r = nullptr;
  napi_value message = string(text);
  if (!name) {
    ok(napi_create_type_error(env, nullptr, message, &r));
    return r;
  }
  napi_value type = nullptr;
  napi_value args[] = {message, string(name)};
  ok(napi_get_reference_value(env, dom_exception, &type));
  ok(napi_new_instance(env, type, 2, args, &r));
  return r;
}
napi_value Instance::undefined() const {
  napi_value r = nullptr;
  ok(napi_get_undefined(env, &r));
  return r;
}
napi_value Instance::string(std::string_view s) const {
  napi_value r = nullptr;
  ok(napi_create_string_utf8(env, s.data(), s.size(), &r));
  return r;
}
napi_value Instance::number(double v) const {
  napi_value r = nullptr;
  ok(napi_create_double(env, v, &r));
  return r;
}
napi_value Instance::boolean(bool v) const {
  napi_value r = nullptr;
  ok(napi_get_boolean(env, v, &r));
  return r;
}
napi_value Instance::list(size_t n, const std::function<napi_value(size_t)>& item) const {
  napi_value r = nullptr;
  ok(napi_create_array_with_length(env, n, &r));
  for (size_t i = 0; i < n; ++i) ok(napi_set_element(env, r, uint32_t(i), item(i)));
  return r;
}
napi_value Instance::object(
    std::initializer_list<std::pair<const char*, napi_value>> members) const {
  napi_value r = nullptr;
  ok(napi_create_object(env, &r));
  for (const auto& [name, v] : members) ok(napi_set_named_property(env, r, name, v));
  return r;
}
std::string Instance::text(napi_value v) const {
  char some[256];
  size_t n = 0;
  ok(napi_get_value_string_utf8(env, v, some, sizeof some, &n));
  // The text is certainly complete: a character has at most four bytes.
  if (n < sizeof some - 4) {
    return {some, n};
  }
  ok(napi_get_value_string_utf8(env, v, nullptr, 0, &n));
  std::string r(n, 0);
  ok(napi_get_value_string_utf8(env, v, r.data(), n + 1, &n));
  return r;
}
double Instance::as_number(napi_value v) const {
  double r = 0;
  ok(napi_get_value_double(env, v, &r));
  return r;
}
bool Instance::as_bool(napi_value v) const {
  bool r = false;
  ok(napi_get_value_bool(env, v, &r));
  return r;
}
uint32_t Instance::length(napi_value list) const {
  uint32_t r = 0;
  ok(napi_get_array_length(env, list, &r));
  return r;
}
napi_value Instance::at(napi_value list, uint32_t i) const {
  napi_value r = nullptr;
  ok(napi_get_element(env, list, i, &r));
  return r;
}
std::span<std::byte> Instance::bytes(napi_value v) const {
  bool view = false;
  void* data = nullptr;
  size_t n = 0;
  ok(napi_is_buffer(env, v, &view));  // Node accepts any view here
  ok(view ? napi_get_buffer_info(env, v, &data, &n) : napi_get_arraybuffer_info(env, v, &data, &n));
  return {static_cast<std::byte*>(data), n};
}
void Instance::account(Handle& h, int64_t bytes) {
  if (bytes == h.bytes) return;
  int64_t now = 0;
  napi_adjust_external_memory(env, bytes - std::exchange(h.bytes, bytes), &now);
}

void Instance::finish() {
  for (const auto& c : contexts) {
    if (auto state = c.lock()) {
      const webnn::MLContext context(std::move(state));
      context.destroy();
      context.wait();
    }
  }
}

webnn::MLOperandDescriptor Args::descriptor(size_t i) const {
  webnn::MLOperandDescriptor d{dtype(i), webnn::Dimensions(in.length(v[i + 1]))};
  for (uint32_t k = 0; k < d.shape.size(); ++k) {
    d.shape[k] = uint32_t(in.as_number(in.at(v[i + 1], k)));
  }
  return d;
}

void wrong_handle() { throw ValueError("not a handle of this addon"); }
napi_value new_handle(Instance& in, std::unique_ptr<Handle> h) {
  const auto finalize = [](napi_env env, void* data, void*) {
    const std::unique_ptr<Handle> h(static_cast<Handle*>(data));
    int64_t now = 0;
    if (h->bytes) napi_adjust_external_memory(env, -h->bytes, &now);
  };
  napi_value r = nullptr;
  in.ok(napi_create_external(in.env, h.get(), finalize, nullptr, &r));
  (void)h.release();
  return r;
}

namespace {
struct Work {
  Instance& in;
  std::function<void()> run;
  std::function<napi_value(Instance&)> answer;
  std::exception_ptr error = nullptr;
  napi_deferred deferred = nullptr;
  napi_async_work work = nullptr;
};
void finish(napi_env env, napi_status, void* data) {
  const std::unique_ptr<Work> w(static_cast<Work*>(data));
  napi_delete_async_work(env, w->work);
  // JavaScript may have ended meanwhile.
  try {
    if (w->error) {
      napi_reject_deferred(env, w->deferred, w->in.error(w->error));
    } else {
      napi_resolve_deferred(env, w->deferred, w->answer(w->in));
    }
  } catch (const Thrown&) {
    napi_value e = nullptr;
    if (napi_get_and_clear_last_exception(env, &e) == napi_ok) {
      napi_reject_deferred(env, w->deferred, e);
    }
  }
}
}  // namespace
napi_value promise(Instance& in, std::function<void()> run,
                   std::function<napi_value(Instance&)> answer) {
  auto w = std::make_unique<Work>(in, std::move(run), std::move(answer));
  const auto execute = [](napi_env, void* data) {
    auto& w = *static_cast<Work*>(data);
    try {
      w.run();
    } catch (...) {
      w.error = std::current_exception();
    }
    w.run = nullptr;
  };
  napi_value r = nullptr;
  in.ok(napi_create_promise(in.env, &w->deferred, &r));
  in.ok(napi_create_async_work(in.env, nullptr, in.string("ember"), execute, finish, w.get(),
                               &w->work));
  in.ok(napi_queue_async_work(in.env, w->work));
  (void)w.release();
  return r;
}

}  // namespace ember::node

NAPI_MODULE_INIT() {
  using namespace ember::node;
  auto owned = std::make_unique<Instance>(env);
  Instance& in = *owned;
  try {
    in.port = std::make_shared<Port>(env);
    napi_value global = nullptr;
    napi_value type = nullptr;
    in.ok(napi_get_global(env, &global));
    in.ok(napi_get_named_property(env, global, "DOMException", &type));
    in.ok(napi_create_reference(env, type, 1, &in.dom_exception));
    for (const auto exports_of : {context_exports(), builder_exports()}) {
      for (const Export& e : exports_of) {
        napi_value f = nullptr;
        in.ok(napi_create_function(env, e.name, NAPI_AUTO_LENGTH, e.function, &in, &f));
        in.ok(napi_set_named_property(env, exports, e.name, f));
      }
    }
    const auto end = [](void* data) {
      static_cast<Instance*>(data)->port->close();
      static_cast<Instance*>(data)->finish();
    };
    in.ok(napi_add_env_cleanup_hook(env, end, &in));
    in.ok(napi_set_instance_data(
        env, &in, [](napi_env, void* data, void*) { delete static_cast<Instance*>(data); },
        nullptr));
    (void)owned.release();
  } catch (const Thrown&) {}
  return exports;
}
