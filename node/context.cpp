// Contexts, tensors, graphs and files.
#include <algorithm>
#include <cstring>
#include <thread>

#include "ember/error.h"
#include "ember/io.h"
#include "js.h"

namespace ember::node {
namespace {
using namespace webnn;

// (powerPreference, accelerated, engine, device): [handle, accelerated]
napi_value create_context(Args& a) {
  const auto made = std::make_shared<MLContext>();
  MLContextOptions o{a.in.text(a.v[0]), a.in.as_bool(a.v[1]), a.in.text(a.v[2]), a.in.text(a.v[3])};
  return promise(
      a.in, [made, o = std::move(o)] { *made = createContext(o); },
      [made](Instance& in) {
        std::erase_if(in.contexts, [](const auto& c) { return c.expired(); });
        in.contexts.push_back(made->shared());
        const napi_value r[] = {wrap(in, *made), in.boolean(made->accelerated())};
        return in.list(std::size(r), [&](size_t i) { return r[i]; });
      });
}
napi_value destroy_context(Args& a) {
  a.get<MLContext>(0).destroy();
  return nullptr;
}
napi_value finish(Args& a) {
  a.in.finish();
  return nullptr;
}

// (context, dataType, shape, readable, writable)
napi_value create_tensor(Args& a) {
  MLTensorDescriptor d{a.descriptor(1), a.in.as_bool(a.v[3]), a.in.as_bool(a.v[4])};
  return wrap(a.in, a.get<MLContext>(0).createTensor(d));
}
// (context, dataType, shape, bytes)
napi_value create_constant_tensor(Args& a) {
  const auto bytes = a.in.bytes(a.v[3]);
  const napi_value r = wrap(
      a.in, a.get<MLContext>(0).createConstantTensor(a.descriptor(1), bytes.data(), bytes.size()));
  a.in.account(handle<MLTensor>(a.in, r), int64_t(bytes.size()));
  return r;
}
napi_value destroy_tensor(Args& a) {
  a.get<MLTensor>(0).destroy();
  a.in.account(a.handle<MLTensor>(0), 0);
  return nullptr;
}

// Reports a tensor's memory to the garbage collector after its first use.
void used(Instance& in, HandleOf<MLTensor>& h) {
  if (h.bytes == 0 && !h.value.constant()) {
    in.account(h, int64_t(byte_length({h.value.dataType(), h.value.shape()})));
  }
}

// (context, tensor, bytes)
napi_value write(Args& a) {
  const auto bytes = a.in.bytes(a.v[2]);
  auto& tensor = a.handle<MLTensor>(1);
  a.get<MLContext>(0).writeTensor(tensor.value, bytes.data(), bytes.size());
  used(a.in, tensor);
  return nullptr;
}

// A read that is not finished when its call returns.
struct Read {
  Instance& in;
  std::thread::id thread = std::this_thread::get_id();
  bool inside = true,
       // inside: the call has not returned. Both of interest on its own thread alone.
      answered = false;
  napi_ref callback = nullptr, target = nullptr;
  std::exception_ptr error = nullptr;
  std::vector<std::byte> bytes = {};

  static void give(std::span<const std::byte> from, std::span<std::byte> to) {
    if (to.size() < from.size()) {
      throw ValueError("[readTensor] outputData has " + std::to_string(to.size()) +
                       " bytes (a detached buffer has none), the tensor " +
                       std::to_string(from.size()));
    }
    std::memcpy(to.data(), from.data(), from.size());
  }
  void answer(napi_env env) {
    napi_handle_scope scope = nullptr;
    if (napi_open_handle_scope(env, &scope) != napi_ok) return;
    in.port->release();
    try {
      napi_value f = nullptr;
      napi_value to = nullptr;
      napi_value failure = in.undefined();
      in.ok(napi_get_reference_value(env, callback, &f));
      in.ok(napi_get_reference_value(env, target, &to));
      try {
        if (error) std::rethrow_exception(error);
        give(bytes, in.bytes(to));
      } catch (const std::exception&) {
        failure = in.error(std::current_exception());
      }
      napi_call_function(env, in.undefined(), f, 1, &failure, nullptr);
    } catch (const Thrown&) {}
    napi_delete_reference(env, callback);
    napi_delete_reference(env, target);
    napi_close_handle_scope(env, scope);
  }
};
// (context, tensor, buffer, callback(error)): whether the read finished at once.
napi_value read(Args& a) {
  const auto r = std::make_shared<Read>(Read{a.in});
  const auto done = [r, buffer = a.v[2], port = a.in.port](std::exception_ptr error,
                                                           std::span<const std::byte> bytes) {
    if (std::this_thread::get_id() == r->thread && r->inside) {
      if (error) std::rethrow_exception(error);
      Read::give(bytes, r->in.bytes(buffer));
      r->answered = true;
      return;
    }
    r->error = error;
    r->bytes.assign(bytes.begin(), bytes.end());
    port->post([r](napi_env env) { r->answer(env); });
  };
  a.get<MLContext>(0).readTensor(a.get<MLTensor>(1), done);
  r->inside = false;
  if (!r->answered) {
    a.in.ok(napi_create_reference(a.in.env, a.v[3], 1, &r->callback));
    a.in.ok(napi_create_reference(a.in.env, a.v[2], 1, &r->target));
    a.in.port->hold();
  }
  return a.in.boolean(r->answered);
}

// (context, graph, number of inputs, name, tensor, name, tensor...)
napi_value dispatch(Args& a) {
  Instance& in = a.in;
  const size_t all = (a.n - 3) / 2;
  const size_t inputs = size_t(in.as_number(a.v[2]));
  struct Clear {
    Instance& in;
    ~Clear() { in.tensors.clear(); }
  } const clear{in};
  if (in.names.size() < all) in.names.resize(all);
  for (size_t i = 0; i < all; ++i) {
    auto& tensor = a.handle<MLTensor>(4 + 2 * i);
    in.names[i] = in.text(a.v[3 + 2 * i]);
    in.tensors.emplace_back(in.names[i], tensor.value);
    used(in, tensor);
  }
  const MLNamedTensors tensors = in.tensors;
  a.get<MLContext>(0).dispatch(a.get<MLGraph>(1), tensors.first(inputs), tensors.subspan(inputs));
  return nullptr;
}
napi_value destroy_graph(Args& a) {
  a.get<MLGraph>(0).destroy();
  a.in.account(a.handle<MLGraph>(0), 0);
  return nullptr;
}
napi_value devices(Args& a) {
  const auto names = a.get<MLGraph>(0).devices();
  return a.in.list(names.size(), [&](size_t i) { return a.in.string(names[i]); });
}
napi_value byte_length_of(Args& a) { return a.in.number(double(a.in.bytes(a.v[0]).size())); }

// (path): [name, dataType, shape, ArrayBuffer]...; 4-bit integers are packed, as in tensors.
napi_value load_file(Args& a) {
  struct Entry {
    std::string name;
    Tensor tensor;
    DType dtype;
    Shape shape;
  };
  const auto entries = std::make_shared<std::vector<Entry>>();
  return promise(
      a.in,
      [entries, path = a.in.text(a.v[0])] {
        for (auto& [name, t] : load_all(path)) {
          Entry e{name, t, t.dtype(), t.shape()};
          if (bits_of(e.dtype) == 4) {
            const auto* from = static_cast<const uint8_t*>(t.data_ptr());
            std::vector<uint8_t> packed(size_t(t.size() + 1) / 2);
            for (size_t i = 0; i < size_t(t.size()); ++i) {
              packed[i / 2] |= uint8_t((from[i] & 15) << i % 2 * 4);
            }
            e.tensor = array(packed);
          }
          (void)e.tensor.data_ptr();  // evaluates it
          entries->push_back(std::move(e));
        }
      },
      [entries](Instance& in) {
        return in.list(entries->size(), [&](size_t i) {
          const Entry& e = (*entries)[i];
          const napi_value shape =
              in.list(e.shape.size(), [&](size_t k) { return in.number(double(e.shape[k])); });
          napi_value buffer = nullptr;
          void* to = nullptr;
          in.ok(napi_create_arraybuffer(in.env, e.tensor.nbytes(), &to, &buffer));
          if (to) std::memcpy(to, e.tensor.data_ptr(), e.tensor.nbytes());
          const napi_value r[] = {in.string(e.name), in.string(name(e.dtype)), shape, buffer};
          return in.list(std::size(r), [&](size_t k) { return r[k]; });
        });
      });
}
}  // namespace

std::span<const Export> context_exports() {
  static constexpr Export all[] = {{"createContext", entry<create_context>},
                                   {"destroyContext", entry<destroy_context>},
                                   {"createTensor", entry<create_tensor>},
                                   {"createConstantTensor", entry<create_constant_tensor>},
                                   {"destroyTensor", entry<destroy_tensor>},
                                   {"write", entry<write>},
                                   {"read", entry<read>},
                                   {"dispatch", entry<dispatch>},
                                   {"destroyGraph", entry<destroy_graph>},
                                   {"devices", entry<devices>},
                                   {"byteLength", entry<byte_length_of>},
                                   {"load", entry<load_file>},
                                   {"finish", entry<finish>}};
  return all;
}

}  // namespace ember::node
