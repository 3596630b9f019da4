// Shared by the kernels of the torch engine. A value is an at::Tensor; a kernel is one ATen call
// where ATen has the op.
#pragma once
#include <ATen/ATen.h>

#include "ember/nodewise.h"

namespace ember::torch {

using Array = at::Tensor;
using Arrays = std::vector<Array>;
using Call = ember::Call<Array>;
using Kernel = ember::Kernel<Array>;
using One = Array (*)(const Call&);
using Many = Arrays (*)(const Call&);
using at::ScalarType;

// One op: a kernel with one result or with many.
struct KernelRow {
  OpId op;
  One one = nullptr;
  One unsigned_one = nullptr;  // for operands of uint16, uint32 or uint64; null: `one`
  Many many = nullptr;
  Support (*supports)(const SliceNode&,
                      const Slice&) = nullptr;  // null: whatever ATen's dtypes allow
  One elsewhere = nullptr;  // for other devices than the cpu, which have fewer kernels; null: `one`
};
std::span<const KernelRow> elementwise_kernels();
std::span<const KernelRow> reduction_kernels();
std::span<const KernelRow> order_kernels();
std::span<const KernelRow> movement_kernels();
std::span<const KernelRow> indexing_kernels();
std::span<const KernelRow> linalg_kernels();
std::span<const KernelRow> signal_kernels();
std::span<const KernelRow> normalization_kernels();
std::span<const KernelRow> convolution_kernels();
std::span<const KernelRow> random_kernels();

// Replaces minimum(maximum(x, low), high) and add(matmul(a, b), c) by one node each: minimum or add
// with three inputs.
Slice fuse(const Slice&);
// The kernel of such a node, or of a maximum or minimum with a scalar; null for others.
One fused_kernel(const SliceNode&, const Slice&);

// int4 and uint4 are stored one per byte, so they can be moved as bytes.
constexpr ScalarType type_of(DType t) {
  using enum ScalarType;
  constexpr ScalarType types[dtype_count] = {
      Bool, Char,   Byte, Char,     Byte,  Short,  UInt16,       Int,          UInt32,
      Long, UInt64, Half, BFloat16, Float, Double, ComplexFloat, ComplexDouble};
  return types[size_t(t)];
}
inline at::IntArrayRef ints(const Ints& v) { return {v.data(), v.size()}; }
inline bool narrow(ScalarType t) { return t == ScalarType::Half || t == ScalarType::BFloat16; }
inline bool narrow(DType t) { return t == DType::float16 || t == DType::bfloat16; }
inline bool wide_unsigned(DType t) {
  return t == DType::uint16 || t == DType::uint32 || t == DType::uint64;
}
// 16-bit floats as float32.
inline Array widened(const Array& x) { return narrow(x.scalar_type()) ? x.to(at::kFloat) : x; }
inline Array typed(Array x, DType t) {
  return x.scalar_type() == type_of(t) ? std::move(x) : x.to(type_of(t));
}

inline bool any_true(const Array& mask) { return mask.any().item<bool>(); }

// The device of the current run. Kernels without operands allocate their results there.
at::Device& device();

// Input i if the result may be written into it: made in this slice, not read after this call, and
// of the result's dtype, shape and layout. Else null.
inline Array* donated(const Call& c, size_t i) {
  if (!(c.fresh >> i & 1)) return nullptr;
  Array& t = *c.in[i];
  return t.use_count() == 1 && t.storage().use_count() == 1 &&
                 t.scalar_type() == type_of(c.node.dtype) && t.is_contiguous() &&
                 t.sizes() == ints(c.node.shape)
             ? &t
             : nullptr;
}
inline Array* donated(const Call& c) {
  if (!c.fresh) return nullptr;
  Array* t = donated(c, 0);
  return t || c.size() < 2 ? t : donated(c, 1);
}
// For a kernel that modifies its first input: that input if it is donated, else a copy. A copy,
// too, if another operand is the same tensor.
inline Array donated_or_copy(const Call& c) {
  const bool again = std::count(c.in.begin(), c.in.end(), c.in[0]) > 1;
  return !again && donated(c, 0) ? std::move(*c.in[0]) : c[0].clone(at::MemoryFormat::Contiguous);
}

// A view of x's storage with these sizes, strides and offset, in elements.
Array view_of(const Array& x, at::IntArrayRef sizes, at::IntArrayRef strides, int64_t offset);
// x permuted so that `axes`, which are ascending, come last. `order` receives the permutation.
Array last_axes(const Array& x, const Ints& axes, Ints* order = nullptr);

// ATen has few kernels for uint16, uint32 and uint64, so their operands are converted, and the
// result is converted back. Both conversions are exact. `bits` reinterprets as the signed type of
// the same width: for sums, products and movement. `order` keeps the order, as int64: for
// comparisons; uint64 has its top bit flipped.
enum class Detour { bits, order };
Array to_signed(const Array& x, Detour);
Array to_unsigned(Array x, ScalarType, Detour);
template <One f, Detour how> Array detour(const Call& c) {
  std::array<Array, 3> converted;
  Arrays more;
  std::vector<Array*> in(c.in.begin(), c.in.end());
  if (in.size() > converted.size()) more.resize(in.size());
  for (size_t i = 0; i < in.size(); ++i) {
    Array& t = more.empty() ? converted[i] : more[i];
    t = wide_unsigned(c.from(i).dtype) ? to_signed(*in[i], how) : *in[i];
    in[i] = &t;
  }
  Array r = f({c.node, in, c.params, 0, c.slice});
  return wide_unsigned(c.node.dtype) ? to_unsigned(std::move(r), type_of(c.node.dtype), how) : r;
}

// The detour if an operand or the result is such an unsigned integer, else f alone.
template <One f, Detour how> Array detour_if_unsigned(const Call& c) {
  bool any = wide_unsigned(c.node.dtype);
  for (size_t i = 0; i < c.size(); ++i) any |= wide_unsigned(c.from(i).dtype);
  return any ? detour<f, how>(c) : f(c);
}
// Copies the operands to the cpu and the result back, for ops that ATen has on the cpu only.
template <One f, One of_unsigned> Array on_cpu(const Call& c) {
  Arrays converted;
  for (const Array* t : c.in) converted.push_back(t->cpu());
  std::vector<Array*> in;
  for (Array& t : converted) in.push_back(&t);
  const Call there{c.node, in, c.params, 0, c.slice};
  return (wide_unsigned(c.node.dtype) ? of_unsigned : f)(there).to(c[0].device());
}

}  // namespace ember::torch
