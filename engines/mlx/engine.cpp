// The mlx engine: a slice becomes a graph of MLX, which is evaluated once, at the end of the slice.
#include <dlfcn.h>
#include <sys/mman.h>

#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "ember/kernel_table.h"
#include "engines/mlx/memory.h"

namespace ember::mlx {
namespace {

thread_local std::optional<mx::Stream> current;

// MLX creates a stream and a thread for every thread that calls it, and keeps them after that
// thread has ended. A run borrows one of these streams instead. All are created at the start,
// because MLX does not lock the map in which it finds them.
class Streams {
 public:
  explicit Streams(mx::Device device) {
    for (int i = 0; i < 16; ++i) free_.push_back(mx::new_thread_unsafe_stream(device));
  }
  mx::Stream borrow() {
    std::unique_lock lock(mutex_);
    ready_.wait(lock, [this] { return !free_.empty(); });
    const mx::Stream s = free_.back();
    free_.pop_back();
    return s;
  }
  void give_back(mx::Stream s) {
    {
      const std::lock_guard lock(mutex_);
      free_.push_back(s);
    }
    ready_.notify_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable ready_;
  std::vector<mx::Stream> free_;
};
Streams& streams(Device device) {
  static Streams cpu{mx::Device(mx::Device::cpu)};
  if (device.kind == Device::cpu) return cpu;
  static Streams gpu{mx::Device(mx::Device::gpu)};
  return gpu;
}

// Borrows a stream for a run. It also becomes the thread's default stream, because a few functions
// of MLX do not pass on their stream argument.
class OnStream {
 public:
  explicit OnStream(Device device) : pool_(streams(device)), before_(current) {
    current = pool_.borrow();
    default_ = mx::default_stream(current->device);
    mx::set_default_stream(*current);
  }
  ~OnStream() {
    mx::set_default_stream(*default_);
    pool_.give_back(*current);
    current = before_;
  }

 private:
  Streams& pool_;
  std::optional<mx::Stream> before_, default_;
};

const KernelRow* find_kernel(OpId op) {
  static const KernelTable<KernelRow> table{
      elementwise_kernels(),   special_function_kernels(), reduction_kernels(), order_kernels(),
      movement_kernels(),      indexing_kernels(),         linalg_kernels(),    signal_kernels(),
      normalization_kernels(), convolution_kernels(),      random_kernels()};
  return table.find(op);
}

Array empty_result(const C& c) {
  if (const auto check = find_kernel(c.node.op)->check_empty) check(c);
  return mx::zeros(to_shape(c.node.shape), type_of(c.node), stream());
}
std::vector<Array> empty_results(const C& c) {
  std::vector<Array> r;
  for (const Type& t : c.node.outputs) {
    r.push_back(mx::zeros(to_shape(t.shape), to_mlx(t.dtype), stream()));
  }
  return r;
}

bool all_empty(const SliceNode& n) {
  if (n.outputs.empty()) return size_of(n.shape) == 0;
  return std::all_of(n.outputs.begin(), n.outputs.end(),
                     [](const Type& t) { return size_of(t.shape) == 0; });
}

class Library {
 public:
  using Array = mlx::Array;

  Kernel<Array> kernel(const SliceNode& n, const Slice& s) {
    if (all_empty(n)) {
      return n.outputs.empty() ? Kernel<Array>{.one = empty_result}
                               : Kernel<Array>{.many = empty_results};
    }
    const KernelRow* row = find_kernel(n.op);
    if (!row) throw StateError("the mlx engine has no kernel for " + std::string(name(n.op)));
    return row->pick ? row->pick(n, s) : Kernel<Array>{row->one, row->many};
  }
  Array lend(const Value& v, const SliceNode& leaf) { return mlx::lend(v, leaf); }

  void scalar(Array& slot, Param p, DType t) {
    if (slot && same(*slot, p, t)) return;
    slot = is_inexact(t) ? constant(p.f, to_mlx(t)) : constant_int(p.i, to_mlx(t));
  }

  void finish(std::span<Array* const> outputs) {
    std::vector<mx::array> all;
    for (const Array* a : outputs) all.push_back(**a);
    mx::eval(std::move(all));
    for (Array* a : outputs) {
      if (small_view(**a)) {
        *a = mx::contiguous(**a, false, stream());
        (*a)->eval();
      }
    }
  }

  Value take(Array&& a, DType t, const Shape& shape) {
    if (a->dtype() != to_mlx(t) ||
        !std::equal(shape.begin(), shape.end(), a->shape().begin(), a->shape().end())) {
      throw StateError("MLX returned another dtype or shape than " + to_string(Type{t, shape}));
    }
    return mlx::take(std::move(*a));
  }

  [[noreturn]] void translate() {
    try {
      throw;
    } catch (const Error&) {
      throw;
    } catch (const std::bad_alloc&) {
      throw MemoryError("MLX is out of memory");
    } catch (const std::exception& e) {
      throw EngineError(std::string("MLX: ") + e.what());
    } catch (const char* text) {  // MLX throws a few string literals
      throw EngineError(std::string("MLX: ") + text);
    }
  }

 private:
  // Whether a, a scalar of the last run, has the value p.
  static bool same(const mx::array& a, Param p, DType t) {
    switch (t) {
      case DType::float32:
        return std::bit_cast<uint32_t>(*a.data<float>()) == std::bit_cast<uint32_t>(float(p.f));
      case DType::float64: return std::bit_cast<uint64_t>(*a.data<double>()) == p.u;
      case DType::int32: return *a.data<int32_t>() == int32_t(p.i);
      case DType::int64:
      case DType::uint64: return *a.data<int64_t>() == p.i;
      default: return false;
    }
  }
};

// Bytes of a node's results; 0 for leaves and scalars.
size_t size_of_results(const SliceNode& n) {
  if (n.op == OpId::leaf || n.op == OpId::scalar || n.op == OpId::output) return 0;
  size_t bytes = n.outputs.empty() ? size_t(size_of(n.shape)) * size_of(n.dtype) : 0;
  for (const Type& t : n.outputs) bytes += size_t(size_of(t.shape)) * size_of(t.dtype);
  return bytes;
}
// Bytes that MLX allocates for a node besides its results: 16-bit floats as float32, permuted
// copies, the windows of a convolution.
size_t size_of_scratch(const SliceNode& n, const Slice& s) {
  size_t elements = size_t(size_of(n.shape));
  bool converts = narrow(n.dtype);
  for (uint32_t i : n.in) {
    elements += size_t(size_of(s.nodes[i].shape));
    converts |= narrow(s.nodes[i].dtype);
  }
  size_t bytes = converts ? elements * sizeof(float) : 0;
  if (n.op == OpId::conv) {
    const Shape& filter = input_shape(n, s, 1);
    bytes += size_t(size_of(n.shape) / n.shape[1]) * size_t(size_of(filter) / filter[0]) *
             size_t(n.attrs.as<ConvAttr>().groups) * sizeof(float);
  } else if (n.op == OpId::fft || n.op == OpId::rfft || n.op == OpId::irfft || n.op == OpId::sort ||
             n.op == OpId::argsort) {
    bytes += elements * sizeof(double);
  }
  return bytes;
}

// MLX does not check whether an allocation failed, so the least memory that a run needs is
// requested first.
void check_memory(size_t bytes) {
  constexpr size_t min_checked = 1 << 18;
  constexpr size_t margin = 1 << 21;
  if (bytes < min_checked) return;
  void* const p =
      mmap(nullptr, bytes + margin, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) {
    throw MemoryError("cannot allocate " + std::to_string(bytes) + " bytes: out of memory");
  }
  munmap(p, bytes + margin);
}

class Graph final : public Executable {
 public:
  Graph(const Slice& s, Device device) : device_(device), nodes_(s, Library()) {
    const auto see = [&](DType t) {
      // MLX's GPUs have no float64. They share memory with the CPU, which runs the slice then.
      if (t == DType::float64) device_ = Device::cpu;
    };
    for (const SliceNode& n : s.nodes) {
      see(n.dtype);
      for (const Type& t : n.outputs) see(t.dtype);
      size_t bytes = size_of_results(n);
      if (bytes == 0) continue;
      bytes += size_of_scratch(n, s);
      for (uint32_t i : n.in) bytes += size_of_results(s.nodes[i]);
      needed_ = std::max(needed_, bytes);
    }
  }
  void run(std::span<const Value> in, std::span<Value> out,
           std::span<const Param> params) override {
    check_memory(needed_);
    const OnStream on(device_);
    nodes_.run(in, out, params);
  }

 private:
  Device device_;
  Nodewise<Library> nodes_;
  size_t needed_ = 0;  // bytes for the node that needs the most
};

class MlxEngine final : public Engine {
 public:
  MlxEngine() {
    const std::string compiled = std::to_string(MLX_VERSION_MAJOR) + "." +
                                 std::to_string(MLX_VERSION_MINOR) + "." +
                                 std::to_string(MLX_VERSION_PATCH);
    if (version() != compiled) {
      throw EngineError("built for MLX " + compiled + ", found " + version());
    }
    has_gpu_ = mx::is_available(mx::Device(mx::Device::gpu));
  }
  std::string_view name() const override { return "mlx"; }
  std::string version() const override {
    const std::string v = mx::version();
    return v.substr(0, v.find_first_not_of("0123456789."));
  }
  std::vector<Device> devices() const override {
    if (has_gpu_) return {Device::cpu, Device::gpu};
    return {Device::cpu};
  }
  bool survives_fork() const override { return false; }

  Support supports(const SliceNode& n, const Slice& s) const override {
    if (n.op == OpId::leaf || n.op == OpId::scalar || n.op == OpId::output) {
      return takes(n.dtype, n.shape);
    }
    const KernelRow* row = find_kernel(n.op);
    if (!row) return "MLX has no " + std::string(ember::name(n.op));
    if (is_complex(n.dtype) && (n.op == OpId::expm1 || n.op == OpId::tanh || n.op == OpId::sign)) {
      return "MLX's complex " + std::string(ember::name(n.op)) + " misses special cases";
    }
    for (uint32_t i : n.in) {
      if (const Support r = takes(s.nodes[i].dtype, s.nodes[i].shape);
          s.nodes[i].outputs.empty() && !r.yes) {
        return r;
      }
    }
    if (n.outputs.empty()) {
      if (const Support r = takes(n.dtype, n.shape); !r.yes) return r;
    }
    for (const Type& t : n.outputs) {
      if (const Support r = takes(t.dtype, t.shape); !r.yes) return r;
    }
    if (all_empty(n)) return {};
    return row->supports ? row->supports(n, s) : Support();
  }

  std::unique_ptr<Executable> compile(const Slice& slice, Device device) override {
    if (device.kind != Device::cpu && !(device.kind == Device::gpu && has_gpu_)) {
      throw DeviceError("the mlx engine has no device " + to_string(device));
    }
    return std::make_unique<Graph>(slice, device);
  }

  std::vector<std::pair<std::string, std::string>> facts() const override {
    std::vector<std::pair<std::string, std::string>> r;
    for (const auto kind : {mx::Device::cpu, mx::Device::gpu}) {
      if (!mx::is_available(mx::Device(kind))) continue;
      const auto& info = mx::device_info(mx::Device(kind));
      if (const auto it = info.find("device_name"); it != info.end()) {
        if (const auto* text = std::get_if<std::string>(&it->second)) {
          r.emplace_back(kind == mx::Device::cpu ? "cpu" : "gpu", *text);
        }
      }
    }
    r.emplace_back("blas", blas());
    return r;
  }

 private:
  static std::string blas() {
#ifdef EMBER_MLX_BLAS
    void* shim = dlopen(EMBER_MLX_BLAS, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    const bool ours = shim && dlsym(shim, "ember_mlx_blas_shim");
    if (shim) dlclose(shim);
    if (ours) return "OpenBLAS";
#endif
    return "MLX's own";
  }
  // MLX counts elements in 32 bits.
  static Support takes(DType t, const Shape& shape) {
    if (t == DType::complex128) return "MLX has no complex128";
    if (shape.size() > 32) return "MLX takes at most 32 axes";
    if (size_of(shape) > INT32_MAX) return "MLX takes fewer than 2^31 elements";
    for (int64_t d : shape) {
      if (d > INT32_MAX) return "MLX takes fewer than 2^31 elements";
    }
    return {};
  }
  bool has_gpu_ = false;
};

}  // namespace

mx::Stream stream() { return *current; }
mx::Stream cpu_stream() {
  return on_gpu() ? mx::default_stream(mx::Device(mx::Device::cpu)) : stream();
}

}  // namespace ember::mlx

EMBER_ENGINE(ember::mlx::MlxEngine)
