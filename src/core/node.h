// The node behind a Tensor: 128 bytes, two cache lines, from a pool.
#pragma once
#include <sys/single_threaded.h>

#include <functional>

#include "ember/engine.h"
#include "ember/tensor.h"

namespace ember {

// What few nodes need: a view's layout, or the outputs of an op with several.
struct Extra {
  int64_t offset = 0;
  Ints strides;
  bool strided = false;
  std::vector<Type> types;
  std::vector<Value> values;
  std::atomic<Storage*> packed{nullptr};  // a contiguous host copy of a strided or a device's
                                          // value, once somebody asked for it
  Tensor grad;                            // of a leaf, once backward reached it
  std::function<std::vector<Tensor>(const Tensor& g)>
      vjp;  // a gradient of its own; inputs after the first are what it is of
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
  bool tracked : 1 = false;  // made from what requires gradients: its inputs lead on
  bool kept : 1 = false;     // a gradient may still be asked for: its inputs stay after evaluation
  uint32_t index = 0;        // eval's scratch: place in the current order (checked, so never reset)
  uint8_t engine = 0;
  Device device;
  std::atomic<Storage*> value{nullptr};
  Extra* extra = nullptr;
  int64_t size = 1;
  Attrs attrs;
  Shape shape;  // its start lies in the first line with its first dimension, which is read as often
                // as the rest of it
  Param scalar{};          // scalar: its value; output: which one
  Small<Node*, 3> inputs;  // counted references; gone once evaluated, unless the node is kept

  bool pending() const { return !value.load(std::memory_order_acquire) && op != OpId::scalar; }
};
static_assert(sizeof(Node) <= 128);

Node* new_node();     // refs 1
void destroy(Node*);  // iterative: any depth

// A locked add costs as much as the rest of recording: plain while the process has one thread; the
// last owner needs none.
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

Value value_of(
    const Node&);  // in host memory, of an evaluated node or a scalar; the caller owns it
Storage* host_copy(
    const Node&);  // contiguous host memory of a value that is not; kept beside it, borrowed
inline bool on_device(const Storage* s) { return s->device.kind != Device::cpu; }
Tensor copy_of(const Tensor&);             // a leaf of its own memory
Tensor make_leaf(Type type, Value value);  // takes the value over
Extra& extra_of(Node&);                    // made if there is none
Tensor make_scalar(Param v, DType dtype, bool weak = true);
Storage* scalar_storage(Param v, DType dtype);  // one element
Param to_param(DType dtype, double v);          // the scalar representation of a dtype: f, i or u
void check_size(const Shape& shape,
                DType dtype);  // ShapeError or MemoryError when it is no possible size

}  // namespace ember
