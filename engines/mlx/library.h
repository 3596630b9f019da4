// Shared by the kernels of the mlx engine: arrays, the stream of the run, conversions, and the
// kernel table.
#pragma once
#include <mlx/mlx.h>

#include "ember/nodewise.h"

namespace ember::mlx {

namespace mx = ::mlx::core;

using Array = std::optional<mx::array>;  // mx::array has no empty state
using C = Call<Array>;
using Axes = std::vector<int>;

// The stream of the run on this thread. Kernels pass it to every function of MLX.
mx::Stream stream();
inline bool on_gpu() { return stream().device == mx::Device::gpu; }
mx::Stream cpu_stream();  // for ops that MLX has on the cpu only

// Dtypes. int4 and uint4 are stored one per byte, and are moved as bytes.
mx::Dtype to_mlx(DType);
inline bool narrow(DType t) { return t == DType::float16 || t == DType::bfloat16; }
inline bool narrow(const mx::array& x) {
  return x.dtype() == mx::float16 || x.dtype() == mx::bfloat16;
}
inline mx::Dtype type_of(const SliceNode& n) { return to_mlx(n.dtype); }

inline mx::Shape to_shape(std::span<const int64_t> s) {
  mx::Shape r;
  for (int64_t d : s) r.push_back(int32_t(d));
  return r;
}
inline Axes to_axes(std::span<const int64_t> s) { return Axes(s.begin(), s.end()); }
inline mx::array reshaped(const mx::array& x, mx::Shape s) {
  return mx::reshape(x, std::move(s), stream());
}

// Casts; none if the dtype does not change. wide(): 16-bit floats as float32, for accumulation.
inline mx::array as(const mx::array& x, mx::Dtype t) {
  return x.dtype() == t ? x : mx::astype(x, t, stream());
}
inline mx::array wide(const mx::array& x) {
  return narrow(x) ? mx::astype(x, mx::float32, stream()) : x;
}
mx::array constant(double v, mx::Dtype t);  // 0-d
mx::array constant_int(int64_t v, mx::Dtype t);
inline mx::array like(const mx::array& x, double v) { return constant(v, x.dtype()); }
mx::array filled(const SliceNode& n, double v);  // of a node's dtype and shape
mx::array exponential(
    const mx::array& x);  // in x's precision; MLX computes exp of float64 in float32

// Sums and means that stay precise over many elements.
mx::array sum_of(mx::array x, const Axes& axes, bool keep);
mx::array mean_of(const mx::array& x, const Axes& axes, bool keep);

mx::array product_of_ints(const mx::array& a,
                          const mx::array& b);  // a matrix product that wraps like the dtype

// x evaluated and contiguous, so that the host can read its data.
mx::array on_host(const mx::array& x);

// One op: a kernel with one result or with many, or a choice among kernels by the node.
using One = Array (*)(const C&);
using Many = std::vector<Array> (*)(const C&);
struct KernelRow {
  OpId op;
  One one = nullptr;
  Many many = nullptr;
  Kernel<Array> (*pick)(const SliceNode&, const Slice&) = nullptr;
  Support (*supports)(const SliceNode&,
                      const Slice&) = nullptr;  // null: whatever MLX's dtypes allow
  void (*check_empty)(const C&) = nullptr;      // what to check if all results are empty
};
std::span<const KernelRow> elementwise_kernels();
std::span<const KernelRow> special_function_kernels();
std::span<const KernelRow> reduction_kernels();
std::span<const KernelRow> order_kernels();
std::span<const KernelRow> movement_kernels();
std::span<const KernelRow> indexing_kernels();
std::span<const KernelRow> linalg_kernels();
std::span<const KernelRow> signal_kernels();
std::span<const KernelRow> normalization_kernels();
std::span<const KernelRow> convolution_kernels();
std::span<const KernelRow> random_kernels();

inline DType input_type(const SliceNode& n, const Slice& s, size_t i = 0) {
  return s.nodes[n.in[i]].dtype;
}
inline const Shape& input_shape(const SliceNode& n, const Slice& s, size_t i = 0) {
  return s.nodes[n.in[i]].shape;
}

inline Support no_four_bits(const SliceNode& n, const Slice& s) {
  for (uint32_t i : n.in) {
    if (bits_of(s.nodes[i].dtype) == 4) return "MLX has no 4-bit integers";
  }
  return {};
}
inline Support single(const SliceNode& n, const Slice&) {
  return n.dtype == DType::float64 ? Support("MLX computes it in float32") : Support();
}
// MLX keeps attributes in 32 bits.
inline bool fits(std::initializer_list<const Ints*> attributes) {
  for (const Ints* a : attributes) {
    for (int64_t v : *a) {
      if (v > 1 << 30 || v < -(1 << 30)) return false;
    }
  }
  return true;
}

}  // namespace ember::mlx
