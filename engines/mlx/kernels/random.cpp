// Random bits.
#include "engines/mlx/library.h"

namespace ember::mlx {
namespace {

// Philox 4x32-10: word i is word i % 4 of the block at counter + i / 4.
Array random_bits(const C& c) {
  const mx::Dtype u64 = mx::uint64;
  const auto word = [&](uint64_t v) { return mx::array(v, u64); };
  const auto low = [&](const mx::array& x) {
    return mx::bitwise_and(x, word(0xffffffff), stream());
  };
  const auto high = [&](const mx::array& x) { return mx::right_shift(x, word(32), stream()); };
  const auto mix = [&](const mx::array& a, const mx::array& b, const mx::array& k) {
    return mx::bitwise_xor(mx::bitwise_xor(a, b, stream()), k, stream());
  };
  const int size = int(size_of(c.node.shape));
  const int blocks = size / 4 + (size % 4 != 0);
  const mx::array key = as(*c[0], u64);
  const mx::array at =
      mx::add(mx::arange(0.0, double(blocks), 1.0, u64, stream()), as(*c[1], u64), stream());
  mx::array s0 = low(at);
  mx::array s1 = high(at);
  mx::array s2 = mx::zeros_like(at, stream());
  mx::array s3 = s2;
  mx::array k0 = low(key);
  mx::array k1 = high(key);
  for (int round = 0; round < 10; ++round) {
    const mx::array a = mx::multiply(s0, word(0xD2511F53), stream());
    const mx::array b = mx::multiply(s2, word(0xCD9E8D57), stream());
    s0 = mix(high(b), s1, k0);
    s1 = low(b);
    s2 = mix(high(a), s3, k1);
    s3 = low(a);
    k0 = low(mx::add(k0, word(0x9E3779B9), stream()));
    k1 = low(mx::add(k1, word(0xBB67AE85), stream()));
  }
  const mx::array words =
      reshaped(as(mx::stack({s0, s1, s2, s3}, 1, stream()), mx::uint32), mx::Shape{4 * blocks});
  return reshaped(mx::slice(words, mx::Shape{0}, mx::Shape{size}, stream()),
                  to_shape(c.node.shape));
}

constexpr KernelRow rows[] = {
    {.op = OpId::random_bits, .one = random_bits},
};

}  // namespace

std::span<const KernelRow> random_kernels() { return rows; }

}  // namespace ember::mlx
