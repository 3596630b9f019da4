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

// An entry of the kernel table: a kernel, or a function that chooses one for a node, and a check
// that rejects nodes.
using Pick = Kernel<Array> (*)(const SliceNode&, const Slice&);
using Check = Support (*)(const SliceNode&, const Slice&);
struct Entry {
  Kernel<Array> kernel;
  Pick pick = nullptr;
  Check check = nullptr;
  void (*before_nothing)(const C&) = nullptr;  // checks inputs even if all outputs are empty
};
using Table = std::array<Entry, size_t(OpId::count)>;
using One = Array (*)(const C&);
inline Entry one(One f, Check check = nullptr) { return {{.one = f}, nullptr, check}; }
inline Entry many(std::vector<Array> (*f)(const C&), Check check = nullptr) {
  return {{.many = f}, nullptr, check};
}
inline Entry pick(Pick f, Check check = nullptr) { return {{}, f, check}; }
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

void add_elementwise(Table&);
void add_math(Table&);
void add_reductions(Table&);
void add_order(Table&);
void add_movement(Table&);
void add_indexing(Table&);
void add_linalg(Table&);
void add_windows(Table&);
void add_neural(Table&);

}  // namespace ember::mlx
