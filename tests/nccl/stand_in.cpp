// Stands in for NCCL and CUDA's runtime where there is no GPU: host memory, one rank, and the argument checks that the real ones make.
#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace {
constexpr size_t type_sizes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2};  // ncclInt8, Uint8, Int32, Uint32, Int64, Uint64, Float16, Float32, Float64, Bfloat16
constexpr int invalid_argument = 4, invalid_usage = 5;
int the_comm, groups = 0;
bool device_set = false;

int move(const void* in, void* out, size_t n, int type, void* comm) {
  if (comm != &the_comm || type < 0 || type > 9 || (n && (!in || !out))) return invalid_argument;
  if (n) std::memcpy(out, in, n * type_sizes[type]);
  return 0;
}
struct { const void* data; size_t n; int type; } waiting;
}  // namespace

#pragma GCC visibility push(default)
extern "C" {
struct Id { char bytes[128]; };
int ncclGetUniqueId(Id* id) { return std::strcpy(id->bytes, "stand-in"), 0; }
int ncclCommInitRank(void** comm, int size, Id id, int rank) {
  if (size != 1 || rank != 0 || !device_set || std::strcmp(id.bytes, "stand-in") != 0) return invalid_argument;
  return *comm = &the_comm, 0;
}
const char* ncclGetErrorString(int) { return "the stand-in has none"; }
const char* ncclGetLastError(void*) { return ""; }
int ncclAllReduce(const void* in, void* out, size_t n, int type, int op, void* comm, void*) {
  return op < 0 || op > 4 ? invalid_argument : move(in, out, n, type, comm);
}
int ncclReduce(const void* in, void* out, size_t n, int type, int op, int root, void* comm, void* s) {
  return root != 0 ? invalid_argument : ncclAllReduce(in, out, n, type, op, comm, s);
}
int ncclBroadcast(const void* in, void* out, size_t n, int type, int root, void* comm, void*) {
  return root != 0 ? invalid_argument : move(in, out, n, type, comm);
}
int ncclSend(const void* in, size_t n, int type, int peer, void*, void*) {
  if (peer != 0 || groups == 0) return invalid_usage;  // to itself outside of a group, it would wait for ever
  return waiting = {in, n, type}, 0;
}
int ncclRecv(void* out, size_t n, int type, int peer, void* comm, void*) {
  if (peer != 0 || groups == 0 || n != waiting.n || type != waiting.type) return invalid_usage;
  return move(waiting.data, out, n, type, comm);
}
int ncclGroupStart() { return ++groups, 0; }
int ncclGroupEnd() { return groups-- > 0 ? 0 : invalid_usage; }

int cudaSetDevice(int d) { return device_set = d == 0, d != 0; }
int cudaGetDeviceCount(int* n) { return *n = 1, 0; }
int cudaMalloc(void** p, size_t n) { return (*p = std::malloc(n)) == nullptr; }
int cudaFree(void* p) { return std::free(p), 0; }
int cudaMemcpy(void* to, const void* from, size_t n, int) { return n ? (std::memcpy(to, from, n), 0) : 0; }
int cudaStreamCreate(void** s) { return *s = &the_comm, 0; }
int cudaStreamSynchronize(void* s) { return s != &the_comm; }
int cudaDeviceSynchronize() { return 0; }
const char* cudaGetErrorString(int) { return "the stand-in has none"; }
}
