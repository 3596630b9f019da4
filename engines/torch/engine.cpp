// The torch engine: every op is an ATen call. Memory passes between Ember and libtorch without a
// copy.
#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <c10/core/InferenceMode.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <torch/headeronly/version.h>

#include <dlfcn.h>

#include <charconv>
#include <cstdlib>

#include "ember/kernel_table.h"
#include "engines/torch/torch.h"

namespace ember::torch {
namespace {

at::Device at_device(Device d) {
  if (d.kind == Device::cpu) return at::kCPU;
  return {d.kind == Device::cuda ? at::kCUDA : at::kMPS, c10::DeviceIndex(d.index)};
}
Device from_at(at::Device d) {
  if (d.is_cpu()) return Device::cpu;
  return {d.is_cuda() ? Device::cuda : Device::mps, uint8_t(std::max<int>(d.index(), 0))};
}

// The deleter of a tensor's storage that refers to Ember's memory.
void release_storage(void* storage) { drop(static_cast<Storage*>(storage)); }
// The release function of a Storage that owns libtorch's tensor.
void release_tensor(Storage* s) {
  c10::raw::intrusive_ptr::decref(static_cast<c10::TensorImpl*>(s->owner));
  delete s;
}

bool has_layout(const c10::TensorImpl& t, const Value& v, ScalarType type, const Shape& shape) {
  return t.dtype() == c10::scalarTypeToTypeMeta(type) && t.storage_offset() == v.offset &&
         t.sizes() == ints(shape) &&
         (v.strided ? t.strides() == ints(v.strides) : t.is_contiguous());
}

Array tensor_in(c10::Storage storage, const Value& v, ScalarType type, const Shape& shape) {
  const auto key = storage.device().is_cpu()    ? c10::DispatchKey::CPU
                   : storage.device().is_cuda() ? c10::DispatchKey::CUDA
                                                : c10::DispatchKey::MPS;
  Array t = at::detail::make_tensor<c10::TensorImpl>(std::move(storage), c10::DispatchKeySet(key),
                                                     c10::scalarTypeToTypeMeta(type));
  c10::TensorImpl& impl = *t.unsafeGetTensorImpl();
  if (v.strided) {
    impl.set_sizes_and_strides(ints(shape), ints(v.strides), v.offset);
  } else {
    impl.set_sizes_contiguous(ints(shape));
    if (v.offset) impl.set_storage_offset(v.offset);
  }
  return t;
}

// A value as a tensor. A value that libtorch made is its own tensor again if the layout is the
// same.
Array tensor_of(const Value& v, DType dtype, const Shape& shape) {
  Storage* const s = v.storage;
  if (!s) throw StateError("an input has no storage");
  const ScalarType type = type_of(dtype);
  if (v.strided && v.strides.size() != shape.size()) {
    throw StateError("an input has " + std::to_string(v.strides.size()) + " strides for " +
                     std::to_string(shape.size()) + " axes");
  }
  if (size_of(shape) == 0) return at::empty(ints(shape), at::TensorOptions(type));
  c10::Storage storage;
  if (s->release == release_tensor) {
    auto* impl = static_cast<c10::TensorImpl*>(s->owner);
    if (has_layout(*impl, v, type, shape)) {
      return Array(
          c10::intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>::reclaim_copy(impl));
    }
    storage = impl->storage();
  } else {
    retain(s);
    storage = c10::Storage(c10::make_intrusive<c10::StorageImpl>(
        c10::StorageImpl::use_byte_size_t(), c10::SymInt(int64_t(s->bytes)),
        c10::DataPtr(s->data, s, release_storage, at_device(s->device)), nullptr, false));
  }
  bool any_negative = false;
  for (size_t i = 0; v.strided && i < shape.size(); ++i) any_negative |= v.strides[i] < 0;
  if (!any_negative) return tensor_in(std::move(storage), v, type, shape);
  Value positive = v;  // libtorch has no negative strides
  std::vector<int64_t> flipped;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (int64_t& step = positive.strides[i]; step < 0) {
      positive.offset += step * (shape[i] - 1);
      step = -step;
      flipped.push_back(int64_t(i));
    }
  }
  count_copy();
  return at::flip(tensor_in(std::move(storage), positive, type, shape), flipped);
}

Value value_of(Array&& t, DType dtype, const Shape& shape) {
  if (t.scalar_type() != type_of(dtype) || t.sizes() != ints(shape)) {
    throw EngineError("libtorch returned " + std::string(c10::toString(t.scalar_type())) + " of " +
                      std::to_string(t.dim()) + " dimensions for " + to_string(Type{dtype, shape}));
  }
  if (t._is_zerotensor() || t.is_conj() || t.is_neg()) t = t.resolve_conj().resolve_neg();
  Value v;
  if (t.numel() == 0) {
    v.storage = allocate(0);
    return v;
  }
  constexpr size_t small =
      4096;  // a view of less than a quarter is copied, or it would keep all of the array alive
  if (const size_t all = t.storage().nbytes(); all > small && all / 4 > t.nbytes()) {
    t = t.clone(at::MemoryFormat::Contiguous);
  }
  v.offset = t.storage_offset();
  v.strided = v.offset != 0 || !t.is_contiguous();
  if (v.strided) v.strides.append(t.strides().begin(), t.strides().end());
  const c10::StorageImpl& memory = *t.storage().unsafeGetStorageImpl();
  if (memory.data_ptr().get_deleter() == release_storage) {
    v.storage = static_cast<Storage*>(memory.data_ptr().get_context());
    retain(v.storage);
    return v;
  }
  auto* s = new Storage;
  s->data = static_cast<std::byte*>(const_cast<void*>(memory.data()));
  s->bytes = memory.nbytes();
  s->writable = false;
  s->device = from_at(memory.device());
  s->release = release_tensor;
  s->owner = t.unsafeReleaseTensorImpl();
  v.storage = s;
  return v;
}

std::string first_line(const char* text) { return std::string(text, std::strcspn(text, "\n")); }

const KernelRow* find_kernel(OpId op) {
  static const KernelTable<KernelRow> table{
      elementwise_kernels(), reduction_kernels(), order_kernels(),  movement_kernels(),
      indexing_kernels(),    linalg_kernels(),    signal_kernels(), normalization_kernels(),
      convolution_kernels(), random_kernels()};
  return table.find(op);
}

// Stores a scalar parameter in slot, whose memory is reused unless somebody else refers to it.
void store_scalar(Array& slot, Param p, DType dtype, at::Device where) {
  if (!slot.defined() || slot.use_count() != 1 || slot.storage().use_count() != 1) {
    slot = at::empty({}, at::TensorOptions(type_of(dtype)).device(where));
  }
  if (!where.is_cpu()) {
    if (is_inexact(dtype)) {
      slot.fill_(p.f);
    } else if (is_unsigned(dtype)) {
      slot.fill_(at::Scalar(p.u));
    } else {
      slot.fill_(p.i);
    }
    return;
  }
  store(p, dtype, slot.unsafeGetTensorImpl()->mutable_data());
}

class Torch {
 public:
  using Array = at::Tensor;
  explicit Torch(at::Device d) : device_(d) {}

  Kernel kernel(const SliceNode& n, const Slice& s) const {
    const KernelRow* row = find_kernel(n.op);
    if (!row) throw EngineError("the torch engine has no " + std::string(name(n.op)));
    if (One f = fused_kernel(n, s)) return {f};
    if (row->elsewhere && !device_.is_cpu()) return {row->elsewhere};
    bool has_unsigned = n.outputs.empty() && wide_unsigned(n.dtype);
    for (uint32_t i : n.in) has_unsigned |= wide_unsigned(s.nodes[i].dtype);
    return {has_unsigned && row->unsigned_one ? row->unsigned_one : row->one, row->many};
  }
  Array lend(const Value& v, const SliceNode& leaf) const {
    Array t = tensor_of(v, leaf.dtype, leaf.shape);
    return t.device() == device_ ? t : t.to(device_);
  }
  void scalar(Array& slot, Param p, DType t) const { store_scalar(slot, p, t, device_); }
  void finish(std::span<Array* const>) const {}
  Value take(Array&& t, DType dtype, const Shape& shape) const {
    return value_of(std::move(t), dtype, shape);
  }

  [[noreturn]] void translate() const {
    try {
      throw;
    } catch (const Error&) {
      throw;
    } catch (const c10::OutOfMemoryError& e) {
      throw MemoryError(first_line(e.what_without_backtrace()));
    } catch (const c10::IndexError& e) {
      throw IndexError(first_line(e.what_without_backtrace()));
    } catch (const c10::Error& e) {
      const std::string text = first_line(e.what_without_backtrace());
      const size_t tried = text.find(
          "tried to allocate ");  // the allocator's text begins with a place in its source
      if (tried != text.npos) {
        throw MemoryError("cannot allocate " +
                          text.substr(tried + 18, text.find(' ', tried + 18) - tried - 18) +
                          " bytes");
      }
      throw EngineError(text);
    } catch (const std::bad_alloc&) {
      throw MemoryError("out of memory");
    } catch (const std::exception& e) {
      throw EngineError(first_line(e.what()));
    }
  }

 private:
  at::Device device_;
};

// Silences libtorch's warnings on stderr.
struct Quiet final : c10::WarningHandler {
  void process(const c10::Warning&) override {}
};

class Run final : public Executable {
 public:
  Run(const Slice& s, at::Device d) : device_(d), nodes_(fuse(s), Torch(d)) {}
  void run(std::span<const Value> in, std::span<Value> out,
           std::span<const Param> params) override {
    const c10::InferenceMode guard;
    static Quiet quiet;
    const c10::WarningUtils::WarningHandlerGuard no_warnings(&quiet);
    device() = device_;
    nodes_.run(in, out, params);
  }

 private:
  at::Device device_;
  Nodewise<Torch> nodes_;
};

bool is_movement(OpId op) {
  using enum OpId;
  for (OpId m : {reshape, transpose, slice, broadcast_to, as_strided, concat, pad, copy,
                 slice_update, take, take_along_axis, gather_nd}) {
    if (m == op) return true;
  }
  return false;
}

// libtorch_cuda.so is large, so it is opened only if there is a driver. It must be opened before
// anything asks libtorch whether it has CUDA, because libtorch remembers the answer.
void open_cuda() {
  Dl_info here{};
  if (!dlopen("libcuda.so.1", RTLD_LAZY) ||
      !dladdr(reinterpret_cast<void*>(&at::show_config), &here)) {
    return;
  }
  const std::string library = here.dli_fname;
  dlopen((library.substr(0, library.rfind('/') + 1) + "libtorch_cuda.so").c_str(),
         RTLD_NOW | RTLD_GLOBAL);
}

class TorchEngine final : public Engine {
 public:
  TorchEngine() {
    open_cuda();
    if (version() != TORCH_VERSION)
      throw EngineError("libtorch " + version() +
                        " was loaded, the engine was built with " TORCH_VERSION);
    if (const char* text = std::getenv("EMBER_NUM_THREADS")) {
      int n = 0;
      if (std::from_chars(text, text + std::strlen(text), n).ec == std::errc() && n > 0) {
        at::set_num_threads(n);
      }
    }
  }
  std::string_view name() const override { return "torch"; }
  std::string version() const override {  // of the library that was loaded
    const std::string text = at::show_config();
    const std::string key = "TORCH_VERSION=";
    const size_t at = text.find(key);
    return at == text.npos
               ? "of an unknown version"
               : text.substr(at + key.size(), text.find_first_of(", \n", at) - at - key.size());
  }
  std::vector<Device> devices() const override {
    std::vector<Device> found{Device::cpu};
    if (at::hasCUDA()) {
      for (size_t i = 0; i < at::getNumGPUs(); ++i) found.emplace_back(Device::cuda, uint8_t(i));
    }
    if (at::hasMPS()) found.emplace_back(Device::mps);
    return found;
  }
  bool survives_fork() const override { return false; }
  std::vector<std::pair<std::string, std::string>> facts() const override {
    const auto yes = [](bool b) { return std::string(b ? "yes" : "no"); };
    return {{"threads", std::to_string(at::get_num_threads())},
            {"instructions", at::get_cpu_capability()},
            {"mkl", yes(at::hasMKL())},
            {"onednn", yes(at::hasMKLDNN())},
            {"lapack", yes(at::hasLAPACK())}};
  }

  Support supports(const SliceNode& n, const Slice& s) const override {
    if (n.op == OpId::leaf || n.op == OpId::scalar || n.op == OpId::output) return {};
    const KernelRow* row = find_kernel(n.op);
    if (!row) return "libtorch has no " + std::string(ember::name(n.op));
    const auto bits4 = [](DType t) { return t == DType::int4 || t == DType::uint4; };
    bool small = n.outputs.empty() && bits4(n.dtype);
    for (uint32_t i : n.in) small |= bits4(s.nodes[i].dtype);
    if (small && n.op != OpId::cast && !is_movement(n.op)) return "libtorch has no 4-bit integers";
    if (is_complex(n.dtype) &&
        (n.op == OpId::acos || n.op == OpId::expm1 || n.op == OpId::log1p || n.op == OpId::tanh)) {
      return "libtorch's complex " + std::string(ember::name(n.op)) + " misses special cases";
    }
    return row->supports ? row->supports(n, s) : Support();
  }
  std::unique_ptr<Executable> compile(const Slice& s, Device d) override {
    if (const std::vector<Device> all = devices();
        std::find(all.begin(), all.end(), d) == all.end()) {
      throw DeviceError("the torch engine has no device " + to_string(d));
    }
    return std::make_unique<Run>(s, at_device(d));
  }
  void synchronize(Device d) override {
    if (d.kind != Device::cpu) {
      c10::impl::VirtualGuardImpl(at_device(d).type()).synchronizeDevice(c10::DeviceIndex(d.index));
    }
  }
  Storage* download(const Value& v, const Type& t) override {
    const c10::InferenceMode guard;
    const Torch torch(at::kCPU);
    try {
      Storage* s = allocate(size_t(size_of(t.shape)) * size_of(t.dtype));
      try {
        const Array host = tensor_of(v, t.dtype, t.shape).cpu().contiguous();
        std::memcpy(s->data, host.const_data_ptr(), host.nbytes());
      } catch (...) {
        drop(s);
        throw;
      }
      return s;
    } catch (...) {
      torch.translate();
    }
  }
};

}  // namespace

at::Device& device() {
  thread_local at::Device current = at::kCPU;
  return current;
}

Array view_of(const Array& x, at::IntArrayRef sizes, at::IntArrayRef strides, int64_t offset) {
  Array t =
      at::detail::make_tensor<c10::TensorImpl>(c10::Storage(x.storage()), x.key_set(), x.dtype());
  t.unsafeGetTensorImpl()->set_sizes_and_strides(sizes, strides, offset);
  return t;
}

Array last_axes(const Array& x, const Ints& axes, Ints* given) {
  Ints own;
  Ints& order = given ? *given : own;
  for (int64_t d = 0; d < x.dim(); ++d) {
    if (std::find(axes.begin(), axes.end(), d) == axes.end()) order.push_back(d);
  }
  order.append(axes.begin(), axes.end());
  return x.permute(ints(order));
}

Array to_signed(const Array& x, Detour how) {
  const bool longest = x.scalar_type() == ScalarType::UInt64;
  if (how == Detour::order && !longest) return x.to(at::kLong);
  const Array bits = x.view(longest                                 ? at::kLong
                            : x.scalar_type() == ScalarType::UInt32 ? at::kInt
                                                                    : at::kShort);
  return how == Detour::order ? at::bitwise_xor(bits, INT64_MIN) : bits;
}
Array to_unsigned(Array x, ScalarType type, Detour how) {
  if (type != ScalarType::UInt64) return how == Detour::order ? x.to(type) : x.view(type);
  return (how == Detour::order ? at::bitwise_xor(x, INT64_MIN) : x).view(type);
}

}  // namespace ember::torch

EMBER_ENGINE(ember::torch::TorchEngine)
