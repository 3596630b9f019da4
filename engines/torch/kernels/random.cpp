// Random bits.
#include <ATen/Parallel.h>

#include "engines/torch/torch.h"
#include "src/core/philox.h"

namespace ember::torch {
namespace {

// The words of src/core/philox.h, the same on every device: computed on the host and uploaded.
Array random_bits(const Call& c) {
  const uint64_t key = uint64_t(c[0].view(at::kLong).item<int64_t>());
  const uint64_t counter = uint64_t(c[1].view(at::kLong).item<int64_t>());
  const int64_t n = size_of(c.node.shape);
  Array r = at::empty(ints(c.node.shape), at::TensorOptions(at::kUInt32));
  auto* const out = static_cast<uint32_t*>(r.mutable_data_ptr());
  at::parallel_for(0, (n + 3) / 4, 8192, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const auto words = philox_block(key, counter + uint64_t(i));
      std::copy_n(words.begin(), std::min<int64_t>(4, n - 4 * i), out + 4 * i);
    }
  });
  return device().is_cpu() ? r : r.to(device());
}

constexpr KernelRow rows[] = {{OpId::random_bits, random_bits}};

}  // namespace

std::span<const KernelRow> random_kernels() { return rows; }

}  // namespace ember::torch
