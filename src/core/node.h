// The node behind a Tensor: 128 bytes, two cache lines, from a pool.
#pragma once
#include <sys/single_threaded.h>

#include <functional>

#include "ember/engine.h"
#include "ember/tensor.h"

namespace ember {

// Members that few nodes need: a view's layout, or the outputs of an op with several.
struct Extra {
  int64_t offset = 0;
  Ints strides;
  bool strided = false;
  std::vector<Type> types;
  std::vector<Value> values;
  // A contiguous host copy of a strided or device value, made on first use.
  std::atomic<Storage*> packed{nullptr};
  Tensor grad;  // of a leaf, set by backward
  // A user-defined gradient; inputs after the first are the tensors that it differentiates.
  std::function<std::vector<Tensor>(const Tensor& g)> vjp;
  ~Extra() {
    for (Value& v : values) drop(v.storage);
    drop(packed.load());
  }
};

struct Node {
  std::atomic<uint32_t> refs{1};
  OpId op = OpId::leaf;
  DType dtype = DType::float32;
  bool weak : 1 = false;  // made from a C++ or Python scalar
  bool requires_grad : 1 = false;
  bool tracked : 1 = false;  // computed from tensors that require gradients
  // A gradient may still be requested, so the inputs are kept after evaluation.
  bool kept : 1 = false;
  uint32_t index = 0;  // eval's position in the topological order (validated, so never reset)
  uint8_t engine = 0;
  Device device;
  std::atomic<Storage*> value{nullptr};
  Extra* extra = nullptr;
  int64_t size = 1;
  Attrs attrs;
  // Placed so that its header and first extent share the first cache line.
  Shape shape;
  Param scalar{};          // scalar: its value; output: which output
  Small<Node*, 3> inputs;  // counted references; dropped after evaluation, unless the node is kept

  bool pending() const { return !value.load(std::memory_order_acquire) && op != OpId::scalar; }
};
static_assert(sizeof(Node) <= 128);

Node* new_node();     // with one reference
void destroy(Node*);  // iterative, for any depth

// An atomic add costs as much as the rest of recording. A process with one thread uses plain adds,
// and dropping the last reference needs no atomic write.
inline void retain_node(Node* n) {
  if (__libc_single_threaded) {
    n->refs.store(n->refs.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  } else {
    n->refs.fetch_add(1, std::memory_order_relaxed);
  }
}
inline void drop_node(Node* n) {
  const uint32_t v = n->refs.load(std::memory_order_acquire);
  if (v == 1) return destroy(n);
  if (__libc_single_threaded) {
    n->refs.store(v - 1, std::memory_order_relaxed);
  } else if (n->refs.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    destroy(n);
  }
}

// The value of an evaluated node or a scalar in host memory; the caller owns it.
Value value_of(const Node&);
// A contiguous host copy of the value, cached with the node and borrowed by the caller.
Storage* host_copy(const Node&);
inline bool on_device(const Storage* s) { return s->device.kind != Device::cpu; }
Tensor copy_of(const Tensor&);             // a leaf with its own memory
Tensor make_leaf(Type type, Value value);  // takes ownership of the value
Extra& extra_of(Node&);                    // created on first use
Tensor make_scalar(Param v, DType dtype, bool weak = true);
Storage* scalar_storage(Param v, DType dtype);  // one element
Param to_param(DType dtype, double v);          // the scalar representation of a dtype: f, i or u
// ShapeError or MemoryError if the shape is too large.
void check_size(const Shape& shape, DType dtype);

}  // namespace ember
