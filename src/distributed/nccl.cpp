// Communicators between GPUs.
#include "src/distributed/nccl.h"

#include <dlfcn.h>

#include <cstring>
#include <numeric>

#include "src/core/node.h"

namespace ember::distributed {
namespace {

struct UniqueId {
  char bytes[128];
};

struct Api {
  int (*GetUniqueId)(UniqueId*);
  int (*CommInitRank)(void** comm, int size, UniqueId, int rank);
  const char* (*GetErrorString)(int);
  const char* (*GetLastError)(void* comm);
  int (*AllReduce)(const void*, void*, size_t, int type, int op, void* comm, void* stream);
  int (*Broadcast)(const void*, void*, size_t, int type, int root, void* comm, void* stream);
  int (*Reduce)(const void*, void*, size_t, int type, int op, int root, void* comm, void* stream);
  int (*Send)(const void*, size_t, int type, int peer, void* comm, void* stream);
  int (*Recv)(void*, size_t, int type, int peer, void* comm, void* stream);
  int (*GroupStart)();
  int (*GroupEnd)();
  int (*cudaSetDevice)(int);
  int (*cudaMalloc)(void**, size_t);
  int (*cudaFree)(void*);
  int (*cudaMemcpyAsync)(void*, const void*, size_t, int kind, void* stream);
  int (*cudaStreamCreate)(void**);
  int (*cudaStreamSynchronize)(void*);
  int (*cudaDeviceSynchronize)();
  const char* (*cudaGetErrorString)(int);

  void check(int code) const {
    if (!code) return;
    const std::string details = GetLastError(nullptr);
    throw EngineError("[distributed] NCCL: " + std::string(GetErrorString(code)) +
                      (details.empty() ? "" : "; " + details));
  }
  void check_cuda(int code) const {
    if (code) {
      throw EngineError("[distributed] CUDA: " + std::string(cudaGetErrorString(code)));
    }
  }
};

// Already open if a CUDA engine is in use; otherwise the plain names are tried.
constexpr std::initializer_list<const char*> nccl_names = {"libnccl.so.2", "libnccl.so"};
constexpr std::initializer_list<const char*> cudart_names = {"libcudart.so.12", "libcudart.so.13",
                                                             "libcudart.so.11.0", "libcudart.so"};
void* open_one_of(std::initializer_list<const char*> names) {
  for (int flags : {RTLD_NOW | RTLD_NOLOAD, RTLD_NOW}) {
    for (const char* n : names) {
      if (void* h = dlopen(n, flags)) return h;
    }
  }
  throw EngineError("[distributed] tensors on GPUs need NCCL: " + std::string(*names.begin()) +
                    " was not found; move them to the cpu, or install it");
}

const Api& api() {
  static const Api loaded = [] {
    Api a{};
    void* nccl = open_one_of(nccl_names);
    void* cuda = open_one_of(cudart_names);
    const auto find = [](void* library, const char* name, auto& out) {
      void* p = dlsym(library, name);
      if (!p) throw EngineError("[distributed] " + std::string(name) + " was not found");
      out = reinterpret_cast<std::decay_t<decltype(out)>>(p);
    };
#define NCCL(name) find(nccl, "nccl" #name, a.name)
    NCCL(GetUniqueId);
    NCCL(CommInitRank);
    NCCL(GetErrorString);
    NCCL(GetLastError);
    NCCL(AllReduce);
    NCCL(Broadcast);
    NCCL(Reduce);
    NCCL(Send);
    NCCL(Recv);
    NCCL(GroupStart);
    NCCL(GroupEnd);
#undef NCCL
#define CUDA(name) find(cuda, #name, a.name)
    CUDA(cudaSetDevice);
    CUDA(cudaMalloc);
    CUDA(cudaFree);
    CUDA(cudaMemcpyAsync);
    CUDA(cudaStreamCreate);
    CUDA(cudaStreamSynchronize);
    CUDA(cudaDeviceSynchronize);
    CUDA(cudaGetErrorString);
#undef CUDA
    return a;
  }();
  return loaded;
}

constexpr int int8 = 0, uint8 = 1;
int type_of(DType t) {
  switch (t) {
    case DType::int8:
    case DType::int4: return int8;
    case DType::bool_:
    case DType::uint8:
    case DType::uint4: return uint8;
    case DType::int32: return 2;
    case DType::uint32: return 3;
    case DType::int64: return 4;
    case DType::uint64: return 5;
    case DType::float16: return 6;
    case DType::float32:
    case DType::complex64: return 7;
    case DType::float64:
    case DType::complex128: return 8;
    case DType::bfloat16: return 9;
    default:
      throw UnsupportedError("[distributed] NCCL does not reduce " + std::string(name(t)) +
                             ": move the tensor to the cpu");
  }
}
int op_of(Reduce r) {
  return r == Reduce::sum    ? 0
         : r == Reduce::prod ? 1
         : r == Reduce::max  ? 2
         : r == Reduce::min  ? 3
                             : 4;
}
void check_supported(DType t, Reduce r) {
  if (is_complex(t) && r == Reduce::prod) {
    throw UnsupportedError(
        "[distributed] NCCL does not multiply complex numbers: move the tensor to the cpu");
  }
  if (t == DType::int4 || t == DType::uint4) {
    throw UnsupportedError(
        "[distributed] NCCL does not reduce 4-bit numbers: move the tensor to the cpu");
  }
}

const std::byte* memory(const Task& t) {
  const Node& n = *t.in.node();
  const Storage* s = n.value.load();
  if (!n.extra || !n.extra->strided) return s->data;
  if (n.extra->strides != contiguous_strides(n.shape)) {
    throw UnsupportedError("[distributed] a strided tensor on a GPU: make it contiguous first");
  }
  return s->data + size_t(n.extra->offset) * size_of(n.dtype);
}
void allocate_output(Task& t, int device) {
  const size_t bytes =
      size_t(size_of(std::span<const int64_t>(t.type.shape))) * size_of(t.type.dtype);
  void* p = nullptr;
  api().check_cuda(api().cudaMalloc(&p, std::max<size_t>(bytes, 1)));
  t.out = adopt(p, bytes, p, [](void* owner) { api().cudaFree(owner); });
  t.out->device = Device(Device::cuda, uint8_t(device));
}
size_t elements(const Task& t) { return size_t(t.in.size()) * (is_complex(t.type.dtype) ? 2 : 1); }

}  // namespace

Nccl::Nccl(int gpu, int own_rank, int ranks, const std::function<void(void*, int)>& share)
    : device(gpu), rank(own_rank), size(ranks) {
  const Api& a = api();
  UniqueId id{};
  if (rank == 0) a.check(a.GetUniqueId(&id));
  share(&id, sizeof id);
  a.check_cuda(a.cudaSetDevice(device));
  a.check_cuda(a.cudaStreamCreate(&stream));
  a.check(a.CommInitRank(&comm, size, id, rank));
}

void Nccl::begin(const Task& t) {
  const Api& a = api();
  const int there = t.in.node()->value.load()->device.index;
  if (there != device) {
    throw DeviceError("[distributed] a group works on one GPU per rank: cuda:" +
                      std::to_string(device) + ", not cuda:" + std::to_string(there));
  }
  a.check_cuda(a.cudaSetDevice(device));
  a.check_cuda(a.cudaDeviceSynchronize());  // the engine computes on its own streams
}

void Nccl::broadcast(Task& t, int root) {
  const Api& a = api();
  allocate_output(t, device);
  a.check(a.Broadcast(memory(t), t.out->data, t.in.nbytes(), uint8, root, comm, stream));
  a.check_cuda(a.cudaStreamSynchronize(stream));
}
void Nccl::all_reduce(Task& t, Reduce op) {
  const Api& a = api();
  check_supported(t.type.dtype, op);
  allocate_output(t, device);
  a.check(a.AllReduce(memory(t), t.out->data, elements(t), type_of(t.type.dtype), op_of(op), comm,
                      stream));
  a.check_cuda(a.cudaStreamSynchronize(stream));
}
void Nccl::all_gather(Task& t, const std::vector<int64_t>& lengths, int64_t width) {
  const Api& a = api();
  const std::byte* in = memory(t);
  allocate_output(t, device);
  a.check(a.GroupStart());
  size_t at = 0;
  for (size_t r = 0; r < lengths.size(); ++r) {
    const size_t bytes = size_t(lengths[r] * width) * size_of(t.type.dtype);
    a.check(a.Broadcast(in, t.out->data + at, bytes, uint8, int(r), comm, stream));
    at += bytes;
  }
  a.check(a.GroupEnd());
  a.check_cuda(a.cudaStreamSynchronize(stream));
}
void Nccl::reduce_scatter(Task& t, const std::vector<int>& counts, Reduce op) {
  const Api& a = api();
  check_supported(t.type.dtype, op);
  allocate_output(t, device);
  const size_t per = is_complex(t.type.dtype) ? 2 : 1;
  const std::byte* in = memory(t);
  a.check(a.GroupStart());
  for (size_t r = 0; r < counts.size(); ++r) {
    a.check(a.Reduce(in, t.out->data, size_t(counts[r]) * per, type_of(t.type.dtype), op_of(op),
                     int(r), comm, stream));
    in += size_t(counts[r]) * size_of(t.type.dtype);
  }
  a.check(a.GroupEnd());
  a.check_cuda(a.cudaStreamSynchronize(stream));
}
void Nccl::all_to_all(Task& t, int count) {
  const Api& a = api();
  allocate_output(t, device);
  const size_t bytes = size_t(count) * size_of(t.type.dtype);
  if (!bytes) return;
  a.check(a.GroupStart());
  for (int r = 0; r < size; ++r) {
    if (r == rank) continue;
    a.check(a.Send(memory(t) + size_t(r) * bytes, bytes, uint8, r, comm, stream));
    a.check(a.Recv(t.out->data + size_t(r) * bytes, bytes, uint8, r, comm, stream));
  }
  a.check(a.GroupEnd());
  // Copied without NCCL: messages of a rank to itself were lost after the first fifteen (NCCL 2.28,
  // one H200).
  const size_t own = size_t(rank) * bytes;
  constexpr int on_device = 3;
  a.check_cuda(a.cudaMemcpyAsync(t.out->data + own, memory(t) + own, bytes, on_device, stream));
  a.check_cuda(a.cudaStreamSynchronize(stream));
}

}  // namespace ember::distributed
