// The two kinds of native kernels: whole-array kernels (one op, any strides) and tile kernels
// (fused elementwise programs).
#pragma once
#include <bit>
#include <complex>
#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <type_traits>

#include "ember/engine.h"

namespace ember::native {

// An array as a kernel sees it. Inputs may have any strides (also 0 and negative) unless the
// kernel's row asks for contiguous ones; outputs are contiguous unless the row says otherwise,
// uninitialised, 64-byte aligned.
struct Array {
  std::byte* data = nullptr;
  DType dtype = DType::float32;
  std::span<const int64_t> shape, strides;  // strides in elements
  int64_t size = 0;
  template <class T> T* as() const { return reinterpret_cast<T*>(data); }
  int64_t rank() const { return int64_t(shape.size()); }
};
inline bool contiguous(std::span<const int64_t> shape, std::span<const int64_t> strides) {
  int64_t step = 1;
  for (size_t i = shape.size(); i--;) {
    if (shape[i] != 1 && strides[i] != step) return false;
    step *= shape[i];
  }
  return true;
}
template <class R>
bool all_finite(const R* x, int64_t n) {  // by bits, which the compiler turns into vectors
  using Bits = std::conditional_t<sizeof(R) == 4, uint32_t, uint64_t>;
  constexpr Bits exponent = std::bit_cast<Bits>(std::numeric_limits<R>::infinity());
  Bits beyond = 0;
  for (int64_t i = 0; i < n; ++i) beyond |= (std::bit_cast<Bits>(x[i]) & exponent) == exponent;
  return !beyond;
}
template <class R> bool all_finite(const std::complex<R>* x, int64_t n) {
  return all_finite(reinterpret_cast<const R*>(x), 2 * n);
}
struct Call {
  std::span<const Array> in, out;
  const Attrs& attrs;
};
using Kernel =
    void (*)(const Call&);  // throws Ember's typed errors, without the op's name: eval adds it
struct KernelRow {
  OpId op;
  Kernel run;
  bool contiguous_inputs = true;                                  // false: takes any strides
  Support (*supports)(const SliceNode&, const Slice&) = nullptr;  // null: every valid node
  bool keeps_channels_last = false;  // of the first input: axis 1 is the last in memory
};
// One function per kernels/*.cpp.
std::span<const KernelRow> reduction_kernels();  // reductions, scans
std::span<const KernelRow> order_kernels();      // sort, argsort, searchsorted, nonzero
std::span<const KernelRow> movement_kernels();   // arange, concat, pad, copy
std::span<const KernelRow> indexing_kernels();   // take, gather, scatter
std::span<const KernelRow> product_kernels();
std::span<const KernelRow> attention_kernels();
std::span<const KernelRow> linalg_kernels();  // LAPACK
std::span<const KernelRow> signal_kernels();
std::span<const KernelRow> convolution_kernels();
std::span<const KernelRow> pooling_kernels();
std::span<const KernelRow> random_kernels();
std::span<const KernelRow> normalization_kernels();  // softmax, layer_norm

// Copies between any two arrays of one shape and dtype that do not overlap. In
// kernels/movement.cpp.
void copy_strided(const Array& dst, const Array& src);

// Runs f(begin, end) over [0, n) in pieces of at least grain on our pool; pieces do not depend on
// the thread count.
void parallel_for(int64_t n, int64_t grain, const std::function<void(int64_t, int64_t)>& f);
int num_threads();
// While one lives, this thread's parallel_for looks for Ctrl-C between pieces: what has been
// computed may be thrown away.
struct Interruptible {
  explicit Interruptible(bool on);
  Interruptible(const Interruptible&) = delete;
  ~Interruptible();

 private:
  bool before_;
};
// While one lives, threads of the pool that have nothing to do look for work a while before they
// sleep: waking one takes longer than a small layer. For runs of steps that all use the pool.
struct Awake {
  Awake();
  Awake(const Awake&) = delete;
  ~Awake();
};

// Tile kernels: out[i] = op(a[i], b[i], c[i]) for i < n. Bit k of `lines` says that operand k is a
// line: 64 bytes that repeat one value (16 floats, 8 doubles, 64 bools), to be read again and
// again. Operands and out are 64-byte aligned or not, but always readable and (out) writable up to
// the next multiple of 64 bytes past n elements. out may be the same address as an operand. The
// signature is TileFn in ember/engine.h.

TileFn tile_kernel(OpId op,
                   DType in);  // in: the dtype of the (last) operand; null where there is none
TileFn cast_kernel(DType from, DType to);
TileFn round_kernel(
    DType to);  // float32 rounded to float16 or bfloat16 and back, in place in a float32 slot
TileFn pair_kernel(OpId first, OpId second, bool swapped,
                   DType in);  // second(first(a, b), c), or second(c, first(a, b)) if swapped
inline constexpr size_t stream_bytes =
    32 << 20;  // of a result: below, a streaming store looks faster until somebody reads it
void stream_tile(std::byte* to, const std::byte* from,
                 size_t bytes);  // a copy around the caches; `to` on a 64-byte boundary
// sum, max, min, prod of n elements of a, written as a line to out: block by block, then what the
// blocks come to. With `joins`, a has one element for each block.
inline constexpr size_t row_block = 1024;
TileFn row_reduce_kernel(OpId op, DType in, bool joins = false);
TileFn count_kernel();  // the number of true bools among n of a, as a line of int64

}  // namespace ember::native
