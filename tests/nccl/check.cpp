// What src/distributed/nccl.cpp does, on one GPU: a communicator of one rank, every operation,
// against the same worked out by hand. It needs no engine but native and no MPI, so that it can be
// built alone beside the library:
//   g++ -std=c++20 -O1 -Iinclude -I. tests/nccl/check.cpp -Lbuild/lib -lember -ldl
//   -Wl,-rpath,build/lib -o nccl_check
#include "src/distributed/nccl.cpp"

#include <cstdio>

#include "ember/tensor.h"

namespace ember::distributed {
namespace {

int failures = 0, checks = 0;
void expect(bool good, const std::string& what) {
  ++checks;
  if (!good) {
    ++failures;
    std::printf("FAILED: %s\n", what.c_str());
  }
}

constexpr int to_gpu = 1, from_gpu = 2;
int (*copy)(void* to, const void* from, size_t bytes, int kind);

// 0, 1, 2, 0, ... in any dtype.
std::vector<std::byte> pattern(DType t, size_t n) {
  std::vector<std::byte> r(n * size_of(t));
  visit_dtype(t, [&]<class T>(T) {
    for (size_t i = 0; i < n; ++i) {
      const T v = t == DType::bool_ ? T(i % 2) : T(float(i % 3));
      std::memcpy(r.data() + i * sizeof v, &v, sizeof v);
    }
  });
  return r;
}

struct Sample {
  Task task;
  std::vector<std::byte> bytes;
  Sample(Nccl& n, DType t, Shape shape)
      : bytes(pattern(t, size_t(size_of(std::span<const int64_t>(shape))))) {
    void* p = nullptr;
    api().check_cuda(api().cudaMalloc(&p, std::max<size_t>(bytes.size(), 1)));
    task.in = from_buffer(p, t, shape, p, [](void* owner) { api().cudaFree(owner); });
    task.in.node()->value.load()->device = Device(Device::cuda, uint8_t(n.device));
    api().check_cuda(copy(p, bytes.data(), bytes.size(), to_gpu));
    task.type = {t, std::move(shape)};
    n.begin(task);
  }
  // With one rank, every operation returns its argument.
  bool came_back() const {
    std::vector<std::byte> out(bytes.size());
    if (!task.out || task.out->device.kind != Device::cuda || task.out->bytes < out.size()) {
      return false;
    }
    api().check_cuda(copy(out.data(), task.out->data, out.size(), from_gpu));
    return out == bytes;
  }
};

template <class F>
void try_one(const std::string& what, bool supported, Nccl& n, DType t, Shape shape, F f) {
  Sample s(n, t, std::move(shape));
  bool refused = false;
  try {
    f(s.task);
  } catch (const UnsupportedError&) {
    refused = true;
  }
  expect(refused == !supported && (refused || s.came_back()), what + " of " + std::string(name(t)));
}

void run() {
  Nccl n(0, 0, 1, [](void*, int) {});
  for (int i = 0; i < dtype_count; ++i) {
    const DType t = DType(i);
    const bool words = t == DType::int16 || t == DType::uint16;
    for (const Shape& shape : {Shape{6, 5}, Shape{0, 5}, Shape{1 << 20}}) {
      const std::string on = to_string(shape);
      try_one("broadcast " + on, true, n, t, shape, [&](Task& task) { n.broadcast(task, 0); });
      try_one("all_gather " + on, true, n, t, shape,
              [&](Task& task) { n.all_gather(task, {shape[0]}, shape.size() > 1 ? shape[1] : 1); });
      const int64_t size = size_of(std::span<const int64_t>(shape));
      try_one("all_to_all " + on, true, n, t, shape,
              [&](Task& task) { n.all_to_all(task, int(size)); });
      for (int o = 0; o < 5; ++o) {
        const Reduce op = Reduce(o);
        const bool refused_before = (op == Reduce::mean && !is_inexact(t)) ||
                                    (t == DType::bool_ && op == Reduce::sum) ||
                                    (is_complex(t) && (op == Reduce::max || op == Reduce::min));
        if (refused_before) continue;
        const bool supported = !words && !is_4bit(t) && !(is_complex(t) && op == Reduce::prod);
        const std::string what = std::string(name(op)) + " " + on;
        try_one("all_reduce " + what, supported, n, t, shape,
                [&](Task& task) { n.all_reduce(task, op); });
        try_one("reduce_scatter " + what, supported, n, t, shape,
                [&](Task& task) { n.reduce_scatter(task, {int(size)}, op); });
      }
    }
  }
  Sample elsewhere(n, DType::float32, {3});
  elsewhere.task.in.node()->value.load()->device = Device(Device::cuda, 1);
  try {
    n.begin(elsewhere.task);
    expect(false, "a tensor of another GPU is an error");
  } catch (const DeviceError&) {
    ++checks;
  }
}

}  // namespace
}  // namespace ember::distributed

int main() {
  using namespace ember::distributed;
  constexpr int skipped = 77;
  try {
    api();
  } catch (const ember::EngineError& e) {
    std::printf("skipped: %s\n", e.what());
    return skipped;
  }
  int count = 0;
  int (*devices)(int*) = nullptr;
  void* cuda = open_one_of(cudart_names);
  devices = reinterpret_cast<int (*)(int*)>(dlsym(cuda, "cudaGetDeviceCount"));
  copy = reinterpret_cast<decltype(copy)>(dlsym(cuda, "cudaMemcpy"));
  if (!devices || !copy || devices(&count) != 0 || count == 0) {
    std::printf("skipped: CUDA finds no GPU\n");
    return skipped;
  }
  try {
    run();
  } catch (const ember::Error& e) {
    expect(false, e.what());
  }
  std::printf("%d checks, %d failed\n", checks, failures);
  return failures != 0;
}
