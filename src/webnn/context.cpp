// Contexts and tensors: the requests to a context are carried out in order.
#include <chrono>
#include <cstring>

#include "ember/runtime.h"
#include "src/core/node.h"
#include "src/graph/graph.h"
#include "src/webnn/state.h"

namespace ember::webnn {

// ---- the queue ----

Queue::~Queue() {
  {
    std::lock_guard lock(shared_->mutex);
    shared_->stop = true;
  }
  shared_->more.notify_all();
  if (!thread_.joinable()) return;
  const Waiting waiting;
  if (thread_.get_id() == std::this_thread::get_id()) {
    thread_.detach();
  }  // the last handle was destroyed by one of the queue's own tasks
  else {
    thread_.join();
  }
}

bool Queue::enter() {
  Shared& s = *shared_;
  {
    std::lock_guard lock(s.mutex);
    if (!s.busy && s.tasks.empty()) return s.busy = true;
    if (s.lengthy) return false;
  }
  // Before the lock, so that it ends after it: no thread waits for a language's lock while it holds
  // this mutex.
  const Waiting waiting;
  std::unique_lock lock(s.mutex);
  s.free.wait(lock, [&] { return s.lengthy || (!s.busy && s.tasks.empty()); });
  return !s.lengthy && (s.busy = true);
}

void Queue::wait_and_enter() {
  if (enter()) return;
  const Waiting waiting;
  std::unique_lock lock(shared_->mutex);
  const uint64_t before = shared_->added;
  shared_->free.wait(lock, [&] { return !shared_->busy && shared_->done >= before; });
  shared_->busy = true;
}

void Queue::leave() {
  std::lock_guard lock(shared_->mutex);
  shared_->busy = false;
  shared_->free.notify_all();
  if (!shared_->tasks.empty()) shared_->more.notify_one();
}

void Queue::push(std::function<void()> task, bool brief) {
  std::lock_guard lock(shared_->mutex);
  shared_->tasks.push_back({std::move(task), brief});
  ++shared_->added;
  shared_->lengthy += !brief;
  if (!std::exchange(shared_->started, true)) thread_ = std::thread(work, shared_);
  shared_->more.notify_one();
}

void Queue::work(std::shared_ptr<Shared> s) {
  std::unique_lock lock(s->mutex);
  while (true) {
    s->more.wait(lock,
                 [&] { return (s->stop && s->tasks.empty()) || (!s->busy && !s->tasks.empty()); });
    if (s->tasks.empty()) return;
    auto task = std::move(s->tasks.front());
    s->tasks.pop_front();
    s->busy = true;
    lock.unlock();
    task.run();
    task.run = nullptr;  // destroys the task's captures before the next task runs
    lock.lock();
    s->busy = false;
    ++s->done;
    s->lengthy -= !task.brief;
    s->free.notify_all();
  }
}

// ---- descriptors and data ----

namespace {

constexpr DType all_types[] = {DType::float32, DType::float16, DType::int32, DType::uint32,
                               DType::int64,   DType::uint64,  DType::int8,  DType::uint8,
                               DType::int4,    DType::uint4};

size_t elements(const Dimensions& shape) {
  size_t n = 1;
  for (uint32_t d : shape) n *= d;
  return n;
}

void pack(std::byte* out, const std::byte* in, size_t n) {
  for (size_t i = 0; i < n; i += 2) {
    out[i / 2] = (in[i] & std::byte(15)) | (i + 1 < n ? in[i + 1] << 4 : std::byte(0));
  }
}
void unpack(std::byte* out, const std::byte* in, size_t n, DType t) {
  for (size_t i = 0; i < n; ++i) {
    const auto v = uint8_t(in[i / 2] >> (i % 2 * 4)) & 15;
    out[i] = std::byte(t == DType::int4 && v > 7 ? v - 16 : v);
  }
}

Storage* storage_from(const MLOperandDescriptor& type, const void* data, size_t bytes) {
  Storage* s = allocate(elements(type.shape) * size_of(type.dataType));
  if (is_4bit(type.dataType)) {
    unpack(s->data, static_cast<const std::byte*>(data), elements(type.shape), type.dataType);
  } else {
    std::memcpy(s->data, data, bytes);
  }
  return s;
}

std::string text(const MLOperandDescriptor& d) {
  return ember::to_string(Type{d.dataType, shape_of(d.shape)});
}

void check_live(const ContextState& c) {
  if (c.lost.load()) throw StateError("the context is lost");
}
void check_bytes(const MLOperandDescriptor& d, size_t bytes, const char* what) {
  if (bytes != byte_length(d)) {
    throw ValueError(std::string(what) + " has " + std::to_string(bytes) + " bytes, " + text(d) +
                     " takes " + std::to_string(byte_length(d)));
  }
}
TensorState& state_in(const ContextState& c, const MLTensor& t, const char* what) {
  if (!t.defined()) throw ValueError(std::string(what) + ": the tensor is missing");
  if (t.state().context.get() != &c) {
    throw ValueError(std::string(what) + ": the tensor belongs to another context");
  }
  if (t.destroyed()) throw StateError(std::string(what) + ": the tensor is destroyed");
  return t.state();
}

// Allocates the tensor's memory; a tensor that was never written is zeros.
void materialize(TensorState& t) {
  if (t.value.storage) return;
  const size_t bytes = elements(t.type.shape) * size_of(t.type.dataType);
  t.value = {.storage = allocate(bytes)};
  std::memset(t.value.storage->data, 0, bytes);
}
void set(TensorState& t, Storage* s) {
  drop(t.value.storage);
  t.value = {.storage = s};
  t.error = nullptr;
}

// The bytes as a reader gets them, valid until the next task of the queue. packed owns them if they
// are not the value's own memory.
std::span<const std::byte> bytes_of(TensorState& t, Storage*& packed) {
  if (t.error) std::rethrow_exception(t.error);
  materialize(t);
  const Storage* s = t.value.storage;
  if (on_device(s)) {
    s = packed =
        engine(t.context->engine).download(t.value, {t.type.dataType, shape_of(t.type.shape)});
  }
  const size_t n = byte_length(t.type);
  if (!is_4bit(t.type.dataType)) return {s->data, n};
  Storage* half = allocate(n);
  pack(half->data, s->data, elements(t.type.shape));
  drop(packed);
  packed = half;
  return {half->data, n};
}
struct Packed {
  Storage* s = nullptr;
  ~Packed() { drop(s); }
};

// Copying this much takes as long as waking another thread.
constexpr size_t short_bytes = 1 << 22;
constexpr auto short_time = std::chrono::microseconds(50);

void run(GraphState& g, std::span<TensorState* const> in, std::span<TensorState* const> out) {
  constexpr size_t few = 8;
  Value few_args[few];
  Value few_results[few];
  std::vector<Value> many;
  if (in.size() > few || out.size() > few) many.resize(in.size() + out.size());
  const std::span<Value> args(many.empty() ? few_args : many.data(), in.size());
  const std::span<Value> results(many.empty() ? few_results : many.data() + in.size(), out.size());
  const auto start = std::chrono::steady_clock::now();
  try {
    check_live(*g.context);
    for (size_t i = 0; i < in.size(); ++i) {
      if (in[i]->error) std::rethrow_exception(in[i]->error);
      materialize(*in[i]);
      args[i].storage = in[i]->value.storage;
    }
    g.program->run(args, results);
    for (size_t i = 0; i < out.size(); ++i) {
      Storage* s = results[i].storage;
      if (results[i].strided) {
        s = ember::pack(results[i], {out[i]->type.dataType, shape_of(out[i]->type.shape)});
        drop(results[i].storage);
      }
      set(*out[i], s);
    }
  } catch (...) {
    for (TensorState* t : out) t->error = std::current_exception();
  }
  const bool brief = std::chrono::steady_clock::now() - start < short_time;
  g.recent.store(uint8_t(g.recent.load(std::memory_order_relaxed) << 1 | brief),
                 std::memory_order_relaxed);
}

// The tensors of a dispatch in the graph's order.
void match(const ContextState& c,
           const std::vector<std::pair<std::string, MLOperandDescriptor>>& wanted,
           MLNamedTensors given, const char* what, Small<TensorState*, 16>& into) {
  for (size_t i = 0; i < wanted.size(); ++i) {
    const auto& [name, type] = wanted[i];
    const std::pair<std::string_view, MLTensor>* found =
        i < given.size() && given[i].first == name ? &given[i] : nullptr;
    for (size_t k = 0; !found && k < given.size(); ++k) {
      if (given[k].first == name) found = &given[k];
    }
    if (!found) {
      throw ValueError("[dispatch] the " + std::string(what) + " '" + name + "' is missing");
    }
    TensorState& t = state_in(c, found->second, "[dispatch]");
    if (t.type.dataType != type.dataType || t.type.shape != type.shape) {
      throw ValueError("[dispatch] the " + std::string(what) + " '" + name + "' is " + text(type) +
                       ", the tensor " + text(t.type));
    }
    into.push_back(&t);
  }
  if (given.size() > wanted.size()) {
    for (const auto& [name, tensor] : given) {
      if (std::none_of(wanted.begin(), wanted.end(),
                       [&](const auto& w) { return w.first == name; })) {
        throw ValueError("[dispatch] the graph has no " + std::string(what) + " '" +
                         std::string(name) + "'");
      }
    }
  }
  if (given.size() != wanted.size()) {
    throw ValueError("[dispatch] an " + std::string(what) + " is given twice");
  }
}

void check_distinct(std::span<TensorState* const> in, std::span<TensorState* const> out) {
  Small<TensorState*, 16> all(in.begin(), in.end());
  all.append(out.begin(), out.end());
  bool twice = false;
  if (all.size() <= 16) {
    for (size_t i = 1; i < all.size(); ++i) {
      twice |= std::find(all.begin(), all.begin() + i, all[i]) != all.begin() + i;
    }
  } else {
    std::sort(all.begin(), all.end());
    twice = std::adjacent_find(all.begin(), all.end()) != all.end();
  }
  if (twice) {
    throw ValueError(
        "[dispatch] a tensor is given twice: all inputs and outputs must be different tensors");
  }
  for (TensorState* t : all) {
    if (t->constant) {
      throw ValueError(
          "[dispatch] a constant tensor cannot be dispatched: pass it to builder.constant(tensor)");
    }
  }
}

}  // namespace

std::span<const DType> data_types() { return all_types; }
size_t byte_length(const MLOperandDescriptor& d) {
  return is_4bit(d.dataType) ? (elements(d.shape) + 1) / 2
                             : elements(d.shape) * size_of(d.dataType);
}
Shape shape_of(const Dimensions& d) { return Shape(d.begin(), d.end()); }
Dimensions dimensions_of(const Shape& s) { return Dimensions(s.begin(), s.end()); }

void check_descriptor(const MLOperandDescriptor& d) {
  if (std::find(std::begin(all_types), std::end(all_types), d.dataType) == std::end(all_types)) {
    throw DTypeError(std::string(ember::name(d.dataType)) + " is not a WebNN data type");
  }
  if (d.shape.size() > max_rank) {
    throw ShapeError(std::to_string(d.shape.size()) + " dimensions; at most " +
                     std::to_string(max_rank) + " are allowed");
  }
  size_t bytes = size_of(d.dataType);
  for (uint32_t n : d.shape) {
    if (n == 0) {
      throw ShapeError("the shape " + ember::to_string(shape_of(d.shape)) +
                       " has a 0: WebNN has no empty tensors");
    }
    if (__builtin_mul_overflow(bytes, size_t(n), &bytes)) bytes = SIZE_MAX;
    if (bytes > max_tensor_bytes) {
      throw ValueError(text(d) + " is larger than " + std::to_string(max_tensor_bytes) +
                       " bytes, the most a tensor may take");
    }
  }
}

Tensor tensor_from(const MLOperandDescriptor& type, const void* data, size_t bytes) {
  check_bytes(type, bytes, "the buffer");
  return make_leaf({type.dataType, shape_of(type.shape)},
                   {.storage = storage_from(type, data, bytes)});
}

// ---- tensors ----

DType MLTensor::dataType() const { return state_->type.dataType; }
const Dimensions& MLTensor::shape() const { return state_->type.shape; }
bool MLTensor::readable() const { return state_->type.readable; }
bool MLTensor::writable() const { return state_->type.writable; }
bool MLTensor::exportable() const { return state_->type.exportable; }
bool MLTensor::constant() const { return state_->constant; }
bool MLTensor::destroyed() const { return state_->destroyed.load(); }
bool MLTensor::materialized() const {
  Queue& q = state_->context->queue;
  q.wait_and_enter();
  const Queue::Turn turn{q};
  return state_->value.storage != nullptr;
}

void MLTensor::destroy() {
  if (state_->destroyed.exchange(true)) return;
  Queue& q = state_->context->queue;
  if (q.enter()) {
    const Queue::Turn turn{q};
    set(*state_, nullptr);
  } else {
    q.push([t = state_] { set(*t, nullptr); });
  }
}

Tensor MLTensor::value() const {
  TensorState& t = *state_;
  if (t.destroyed.load()) throw StateError("the tensor is destroyed");
  if (!t.constant && !t.type.exportable) throw ValueError("the tensor was not made exportable");
  t.context->queue.wait_and_enter();
  const Queue::Turn turn{t.context->queue};
  if (t.error) std::rethrow_exception(t.error);
  materialize(t);
  retain(t.value.storage);
  const EngineScope scope(t.context->engine);
  return make_leaf({t.type.dataType, shape_of(t.type.shape)}, {.storage = t.value.storage});
}

// ---- contexts ----

MLContext createContext(const MLContextOptions& options) {
  if (options.powerPreference != "default" && options.powerPreference != "high-performance" &&
      options.powerPreference != "low-power") {
    throw ValueError(
        "[createContext] powerPreference must be default, high-performance or low-power, not '" +
        options.powerPreference + "'");
  }
  auto c = std::make_shared<ContextState>();
  c->options = options;
  c->engine = options.engine.empty() ? current_engine() : engine_id(options.engine);
  const auto devices = engine(c->engine).devices();
  if (!options.device.empty()) {
    c->device = Device(options.device);
  } else {
    c->device = c->engine == current_engine() ? current_device() : devices.front();
  }
  if (options.device == "gpu") {  // the engine's own name for its GPU
    for (const Device d : devices) {
      if (d.kind != Device::cpu) c->device = d;
    }
  }
  if (std::find(devices.begin(), devices.end(), c->device) == devices.end()) {
    throw DeviceError("[createContext] engine '" + std::string(engine_name(c->engine)) +
                      "' has no device '" + options.device + "' here");
  }
  return MLContext(std::move(c));
}

MLTensor MLContext::createTensor(const MLTensorDescriptor& d) const {
  check_live(*state_);
  check_descriptor(d);
  auto t = std::make_shared<TensorState>();
  t->context = state_;
  t->type = d;
  return MLTensor(std::move(t));
}

MLTensor MLContext::createConstantTensor(const MLOperandDescriptor& d, const void* data,
                                         size_t bytes) const {
  check_live(*state_);
  check_descriptor(d);
  check_bytes(d, bytes, "[createConstantTensor] the buffer");
  auto t = std::make_shared<TensorState>();
  t->context = state_;
  t->constant = true;
  static_cast<MLOperandDescriptor&>(t->type) = d;
  t->value = {.storage = storage_from(d, data, bytes)};
  return MLTensor(std::move(t));
}

void MLContext::dispatch(const MLGraph& graph, MLNamedTensors inputs,
                         MLNamedTensors outputs) const {
  ContextState& c = *state_;
  check_live(c);
  if (!graph.defined() || graph.state().context != state_) {
    throw ValueError("[dispatch] the graph belongs to another context");
  }
  GraphState& g = graph.state();
  if (g.destroyed.load()) throw StateError("[dispatch] the graph is destroyed");
  Small<TensorState*, 16> in;
  Small<TensorState*, 16> out;
  match(c, g.inputs, inputs, "input", in);
  match(c, g.outputs, outputs, "output", out);
  check_distinct(in, out);
  if (g.short_work() && c.queue.enter()) {
    const Queue::Turn turn{c.queue};
    return run(g, in, out);
  }
  std::vector<MLTensor> held;
  for (const auto& [name, t] : inputs) held.push_back(t);
  for (const auto& [name, t] : outputs) held.push_back(t);
  c.queue.push([graph, held = std::move(held), in, out] { run(graph.state(), in, out); },
               g.short_work());
}

void MLContext::writeTensor(const MLTensor& tensor, const void* data, size_t bytes) const {
  ContextState& c = *state_;
  check_live(c);
  TensorState& t = state_in(c, tensor, "[writeTensor]");
  if (!t.type.writable) throw ValueError("[writeTensor] the tensor is not writable");
  check_bytes(t.type, bytes, "[writeTensor] the buffer");
  if (c.queue.enter()) {
    const Queue::Turn turn{c.queue};
    Storage* s = t.value.storage;
    const bool alone = s && s->refs.load(std::memory_order_acquire) == 1 && s->writable &&
                       !on_device(s) && !is_4bit(t.type.dataType);
    if (alone) {
      std::memcpy(s->data, data, bytes);
      t.error = nullptr;
    } else {
      set(t, storage_from(t.type, data, bytes));
    }
    return;
  }
  Storage* s = storage_from(t.type, data, bytes);
  c.queue.push([tensor, s] { set(tensor.state(), s); });
}

void MLContext::readTensor(const MLTensor& tensor, void* out, size_t bytes) const {
  check_live(*state_);
  TensorState& t = state_in(*state_, tensor, "[readTensor]");
  if (!t.type.readable) throw ValueError("[readTensor] the tensor is not readable");
  if (bytes < byte_length(t.type)) check_bytes(t.type, bytes, "[readTensor] the buffer");
  state_->queue.wait_and_enter();
  const Queue::Turn turn{state_->queue};
  Packed packed;
  const auto from = bytes_of(t, packed.s);
  std::memcpy(out, from.data(), from.size());
}

std::vector<std::byte> MLContext::readTensor(const MLTensor& tensor) const {
  std::vector<std::byte> out(tensor.defined() ? byte_length(tensor.state().type) : 0);
  readTensor(tensor, out.data(), out.size());
  return out;
}

void MLContext::readTensor(const MLTensor& tensor, Done done) const {
  check_live(*state_);
  TensorState& t = state_in(*state_, tensor, "[readTensor]");
  if (!t.type.readable) throw ValueError("[readTensor] the tensor is not readable");
  const auto read = [tensor, done = std::move(done)] {
    Packed packed;
    std::span<const std::byte> bytes;
    std::exception_ptr error;
    try {
      bytes = bytes_of(tensor.state(), packed.s);
    } catch (...) {
      error = std::current_exception();
    }
    // g++ 12 leaves bytes undefined if bytes_of threw.
    done(error, error ? std::span<const std::byte>() : bytes);
  };
  if (byte_length(t.type) <= short_bytes && state_->queue.enter()) {
    const Queue::Turn turn{state_->queue};
    return read();
  }
  state_->queue.push(read);
}

void MLContext::wait() const {
  state_->queue.wait_and_enter();
  state_->queue.leave();
}

void MLContext::destroy() const {
  if (state_->lost.exchange(true)) return;
  std::vector<std::function<void(std::string)>> tell;
  {
    std::lock_guard lock(state_->mutex);
    tell.swap(state_->on_lost);
  }
  for (const auto& f : tell) f("destroyed");
}

void MLContext::onLost(std::function<void(std::string)> f) const {
  std::unique_lock lock(state_->mutex);
  if (!state_->lost.load()) return state_->on_lost.push_back(std::move(f));
  lock.unlock();
  f("destroyed");
}

bool MLContext::lost() const { return state_->lost.load(); }
bool MLContext::accelerated() const { return state_->device.kind != Device::cpu; }
const std::string& MLContext::powerPreference() const { return state_->options.powerPreference; }
std::string_view MLContext::engine() const { return engine_name(state_->engine); }
Device MLContext::device() const { return state_->device; }

}  // namespace ember::webnn
