// DLPack's structs with their ABI, and the conversions.
#include "ember/dlpack.h"

#include "src/core/node.h"

namespace {

struct DLDevice {
  int32_t device_type, device_id;
};
struct DLDataType {
  uint8_t code, bits;
  uint16_t lanes;
};
struct DLTensor {
  void* data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t *shape, *strides;  // strides in elements; null means contiguous
  uint64_t byte_offset;
};
constexpr int32_t on_cpu = 1, pinned_host = 3;
constexpr uint64_t read_only = 1;
enum : uint8_t {
  code_int,
  code_uint,
  code_float,
  code_handle,
  code_bfloat,
  code_complex,
  code_bool
};

}  // namespace

struct DLManagedTensor {
  DLTensor dl_tensor;
  void* manager_ctx;
  void (*deleter)(DLManagedTensor*);
};
struct DLManagedTensorVersioned {
  struct {
    uint32_t major, minor;
  } version;
  void* manager_ctx;
  void (*deleter)(DLManagedTensorVersioned*);
  uint64_t flags;
  DLTensor dl_tensor;
};

namespace ember {
namespace {

DType dtype_of_code(DLDataType t) {
  if (t.lanes != 1) {
    throw DTypeError("[from_dlpack] elements of " + std::to_string(t.lanes) +
                     " lanes are not supported");
  }
  const auto pick = [&](std::initializer_list<std::pair<int, DType>> list) -> DType {
    for (auto [bits, d] : list) {
      if (bits == t.bits) return d;
    }
    throw DTypeError("[from_dlpack] unknown dtype: code " + std::to_string(t.code) + " of " +
                     std::to_string(t.bits) + " bits");
  };
  switch (t.code) {
    case code_int: return pick({{8, int8}, {16, int16}, {32, int32}, {64, int64}});
    case code_uint: return pick({{8, uint8}, {16, uint16}, {32, uint32}, {64, uint64}});
    case code_float: return pick({{16, float16}, {32, float32}, {64, float64}});
    case code_bfloat: return pick({{16, bfloat16}});
    case code_complex: return pick({{64, complex64}, {128, complex128}});
    case code_bool: return pick({{8, bool_}});
  }
  return pick({});
}

DLDataType code_of(DType t) {
  const uint8_t bits = uint8_t(size_of(t) * 8);
  if (t == DType::bool_) return {code_bool, bits, 1};
  if (t == DType::bfloat16) return {code_bfloat, bits, 1};
  if (t == DType::int4 || t == DType::uint4) {
    throw DTypeError(
        "[to_dlpack] DLPack has no format for 4-bit integers stored one per byte: cast first");
  }
  return {uint8_t(is_complex(t)    ? code_complex
                  : is_float(t)    ? code_float
                  : is_unsigned(t) ? code_uint
                                   : code_int),
          bits, 1};
}

template <class M> void finish(M* m) {
  if (m->deleter) m->deleter(m);
}

template <class M> Tensor import(M* m, bool copy) {
  struct Guard {
    M* m;
    ~Guard() {
      if (m) finish(m);
    }
  } guard{m};
  const DLTensor& t = m->dl_tensor;
  if (t.device.device_type != on_cpu && t.device.device_type != pinned_host) {
    throw DeviceError("[from_dlpack] the tensor is on device type " +
                      std::to_string(t.device.device_type) + ": move it to the host first");
  }
  if (t.ndim < 0 || t.ndim > int32_t(max_dims)) {
    throw ShapeError("[from_dlpack] " + std::to_string(t.ndim) + " dimensions");
  }
  if (t.ndim && !t.shape) throw ValueError("[from_dlpack] the shape is missing");
  const DType dtype = dtype_of_code(t.dtype);
  const Shape shape(t.shape, t.shape + t.ndim);
  check_size(shape, dtype);
  const bool empty = size_of(std::span<const int64_t>(shape)) == 0;
  if (!t.data && !empty) throw ValueError("[from_dlpack] the memory is missing");
  if (uintptr_t end;
      __builtin_add_overflow(reinterpret_cast<uintptr_t>(t.data), t.byte_offset, &end) ||
      t.byte_offset > uint64_t(PTRDIFF_MAX)) {
    throw ValueError("[from_dlpack] the byte offset exceeds the buffer: " +
                     std::to_string(t.byte_offset));
  }
  if (reinterpret_cast<uintptr_t>(t.data) % size_of(real_of(dtype)) ||
      t.byte_offset % size_of(real_of(dtype))) {
    throw ValueError("[from_dlpack] the memory is not aligned");
  }
  Ints strides = t.strides ? Ints(t.strides, t.strides + t.ndim) : contiguous_strides(shape);
  std::byte* data = static_cast<std::byte*>(t.data) + t.byte_offset;
  if (empty) return from_data(nullptr, dtype, shape);
  if (copy) {
    Storage* lent = adopt(data, 0, nullptr, nullptr);
    Value v;
    v.storage = lent;
    v.strides = std::move(strides);
    v.strided = true;
    Value own;
    own.storage = pack(v, {dtype, shape});
    drop(lent);
    return make_leaf({dtype, shape}, std::move(own));
  }
  guard.m = nullptr;
  return from_buffer(
      data, dtype, shape, m, [](void* p) { finish(static_cast<M*>(p)); }, std::move(strides));
}

// Keeps the memory of an export alive.
struct Export {
  Tensor tensor;
  Shape shape;
  Ints strides;
};

template <class M> M* share(const Tensor& x) {
  const DLDataType code = code_of(x.dtype());
  // Scalars have no memory. Elements with a shared address are copied, because a write would change
  // all of them and some consumers reject them.
  bool own = x.eval().node()->op != OpId::scalar;
  const Ints steps = own ? x.strides() : Ints();
  for (size_t d = 0; d < steps.size(); ++d) own &= steps[d] != 0 || x.shape()[d] < 2;
  const Tensor t = own ? x : copy_of(x);
  const Value v = value_of(*t.node());
  drop(v.storage);  // the handle keeps a reference
  v.storage->writable = false;
  auto* e = new Export{t, t.shape(), v.strided ? v.strides : contiguous_strides(t.shape())};
  M* m = new M{};
  m->dl_tensor = {v.storage->data,
                  {on_cpu, 0},
                  int32_t(e->shape.size()),
                  code,
                  e->shape.data(),
                  e->strides.data(),
                  uint64_t(v.offset) * size_of(t.dtype())};
  m->manager_ctx = e;
  m->deleter = [](M* p) {
    delete static_cast<Export*>(p->manager_ctx);
    delete p;
  };
  return m;
}

}  // namespace

Tensor from_dlpack(DLManagedTensor* m, bool copy) {
  if (!m) throw ValueError("[from_dlpack] no tensor was given");
  return import(m, copy);
}
Tensor from_dlpack(DLManagedTensorVersioned* m, bool copy) {
  if (!m) throw ValueError("[from_dlpack] no tensor was given");
  if (m->version.major != 1) {
    const std::string v = std::to_string(m->version.major);
    finish(m);
    throw UnsupportedError("[from_dlpack] DLPack version " + v + " is not 1");
  }
  return import(m, copy);
}
DLManagedTensor* to_dlpack(const Tensor& x) { return share<DLManagedTensor>(x); }
DLManagedTensorVersioned* to_dlpack_versioned(const Tensor& x) {
  auto* m = share<DLManagedTensorVersioned>(x);
  m->version = {1, 0};
  m->flags = read_only;
  return m;
}

}  // namespace ember
