// What the kernels of the torch engine share: a value is an at::Tensor, a kernel is one ATen call
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

struct KernelRow {
  OpId op;
  One one = nullptr;
  One unsigned_one = nullptr;  // where an operand is uint16, uint32 or uint64; null: as the others
  Many many = nullptr;
  std::string (*refuse)(const SliceNode&, const Slice&) =
      nullptr;              // why not, for a node that the kernel does not take
  One elsewhere = nullptr;  // on devices other than the cpu, for which ATen has fewer kernels;
                            // null: as on the cpu
};
std::span<const KernelRow> elementwise_kernels();
std::span<const KernelRow> reduce_kernels();
std::span<const KernelRow> order_kernels();
std::span<const KernelRow> movement_kernels();
std::span<const KernelRow> index_kernels();
std::span<const KernelRow> linalg_kernels();
std::span<const KernelRow> neural_kernels();
std::span<const KernelRow> window_kernels();

// minimum(maximum(x, low), high) and add(matmul(a, b), c) as one node: minimum or add with three
// inputs.
Slice folded(const Slice&);
One folded_kernel(
    const SliceNode&,
    const Slice&);  // of such a node, or of one with a scalar as its bound; null for others

// int4 and uint4 lie one to a byte, so they can be moved as bytes.
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
// 16-bit floats in float32
inline Array widened(const Array& x) { return narrow(x.scalar_type()) ? x.to(at::kFloat) : x; }
inline Array typed(Array x, DType t) {
  return x.scalar_type() == type_of(t) ? std::move(x) : x.to(type_of(t));
}

inline bool anywhere(const Array& mask) { return mask.any().item<bool>(); }

// Where kernels without operands put their results: the device of the run.
at::Device& device();

// An input that the result may be written into: made in this slice, read by nobody after this call,
// of the result's type.
inline Array* spare(const Call& c, size_t i) {
  if (!(c.fresh >> i & 1)) return nullptr;
  Array& t = *c.in[i];
  return t.use_count() == 1 && t.storage().use_count() == 1 &&
                 t.scalar_type() == type_of(c.node.dtype) && t.is_contiguous() &&
                 t.sizes() == ints(c.node.shape)
             ? &t
             : nullptr;
}
inline Array* spare(const Call& c) {
  if (!c.fresh) return nullptr;
  Array* t = spare(c, 0);
  return t || c.size() < 2 ? t : spare(c, 1);
}
// The same for a kernel that changes its first input: that input, or a copy, also where another
// operand is the same tensor.
inline Array owned(const Call& c) {
  const bool again = std::count(c.in.begin(), c.in.end(), c.in[0]) > 1;
  return !again && spare(c, 0) ? std::move(*c.in[0]) : c[0].clone(at::MemoryFormat::Contiguous);
}

// The elements of x's storage that sizes, strides and offset name.
Array view_of(const Array& x, at::IntArrayRef sizes, at::IntArrayRef strides, int64_t offset);
// x with its axes moved so that `axes`, ascending, are the last ones.
Array last_axes(const Array& x, const Ints& axes, Ints* order = nullptr);

// ATen has few kernels for uint16, uint32 and uint64. Two ways around, both exact: on the bits, as
// the signed type as wide (sums, products, moves); and in order, as int64, where uint64 has its top
// bit flipped. The operands are changed, the kernel is called, and its result is changed back.
enum class Detour { bits, order };
Array to_signed(const Array& x, Detour);
Array to_unsigned(Array x, ScalarType, Detour);
template <One f, Detour how> Array detour(const Call& c) {
  std::array<Array, 3> held;
  Arrays more;
  std::vector<Array*> in(c.in.begin(), c.in.end());
  if (in.size() > held.size()) more.resize(in.size());
  for (size_t i = 0; i < in.size(); ++i) {
    Array& t = more.empty() ? held[i] : more[i];
    t = wide_unsigned(c.from(i).dtype) ? to_signed(*in[i], how) : *in[i];
    in[i] = &t;
  }
  Array r = f({c.node, in, c.params, 0, c.slice});
  return wide_unsigned(c.node.dtype) ? to_unsigned(std::move(r), type_of(c.node.dtype), how) : r;
}

// The detour only where it is needed.
template <One f, Detour how> Array detour_if_unsigned(const Call& c) {
  bool any = wide_unsigned(c.node.dtype);
  for (size_t i = 0; i < c.size(); ++i) any |= wide_unsigned(c.from(i).dtype);
  return any ? detour<f, how>(c) : f(c);
}
// To the cpu and back, for what ATen has there alone.
template <One f, One of_unsigned> Array on_cpu(const Call& c) {
  Arrays held;
  for (const Array* t : c.in) held.push_back(t->cpu());
  std::vector<Array*> in;
  for (Array& t : held) in.push_back(&t);
  const Call there{c.node, in, c.params, 0, c.slice};
  return (wide_unsigned(c.node.dtype) ? of_unsigned : f)(there).to(c[0].device());
}

}  // namespace ember::torch
