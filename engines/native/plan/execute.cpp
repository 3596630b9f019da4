// Runs a plan: binds buffers to memory, runs the steps in order, and packs the outputs.
#include <cstring>
#include <optional>

#include "ember/runtime.h"
#include "engines/native/kernels/iterate.h"
#include "engines/native/plan/plan.h"

namespace ember::native {
namespace {

constexpr size_t scalar_bytes = 64;      // the memory of a scalar: one line
constexpr size_t large_block = 1 << 20;  // a small view does not keep more than this alive

// Allocates, and names the op in the error if there is no memory.
Storage* allocate_for(std::string_view op, size_t bytes) {
  try {
    return allocate(bytes);
  } catch (...) {
    rethrow_for(op.empty() ? name(OpId::copy) : op);
  }
}

// The vectors of a run. A thread keeps them, so that a run allocates only what outlives it.
struct Vectors {
  std::vector<Address> addresses;  // of the plan's buffers
  std::vector<Storage*> owned;     // the storages of Buffer::owned, by buffer; null for others
  std::vector<int64_t> offsets;    // of each dynamic term, with those before it, in elements
  std::vector<Address> operands;   // of one fused step
  std::vector<Array> arrays;       // of one kernel step
};
Vectors& spare_vectors() {
  static thread_local Vectors v;
  return v;
}

class Execution {
 public:
  Execution(const Plan& plan, std::span<const Value> in, std::span<const Param> params)
      : plan_(plan), in_(in), params_(params) {
    std::swap(v_, spare_vectors());
  }
  ~Execution() {
    for (Storage* s : v_.owned) drop(s);
    v_.owned.clear();
    drop(arena_);
    std::swap(v_, spare_vectors());
  }

  void bind() {
    size_t scalars = 0;
    for (const Buffer& b : plan_.buffers) scalars += b.home == Buffer::scalar;
    v_.addresses.assign(plan_.buffers.size(), {});
    v_.owned.assign(plan_.buffers.size(), nullptr);
    const size_t bytes = plan_.arena_bytes + scalars * scalar_bytes;
    if (bytes) arena_ = allocate_for(plan_.largest, bytes);
    next_scalar_ = arena_ ? arena_->data + plan_.arena_bytes : nullptr;
    for (size_t i = 0; i < plan_.buffers.size(); ++i) bind_buffer(i);
    v_.offsets.clear();
    for (const DynamicTerm& t : plan_.terms) {
      v_.offsets.push_back(offset(t.before) + params_[t.param].i * t.stride);
    }
  }

  void run() {
    std::optional<Awake> awake;
    // A training step is many short steps in a row: the threads do not sleep between them.
    if (plan_.weights || plan_.steps.size() >= 16) awake.emplace();
    const Interruptible unless_inputs_change(!overwrites_);
    for (const Step& s : plan_.steps) {
      if (!overwrites_ && &s != &plan_.steps.front()) poll();
      run_step(s, awake.has_value());
    }
  }

  Value output(const Output& o) {
    const Buffer& b = plan_.buffers[o.buffer];
    const bool from_input = b.home == Buffer::input;
    if (b.home == Buffer::scalar && !v_.owned[o.buffer]) {
      // The arena does not outlive the run, so an output that is a view of a scalar is copied.
      v_.owned[o.buffer] = allocate(scalar_bytes);
      std::memcpy(v_.owned[o.buffer]->data, v_.addresses[o.buffer].data, 16);
    }
    Value v;
    v.storage = from_input ? in_[b.place].storage : v_.owned[o.buffer];
    if (o.strided || (from_input && in_[b.place].strided)) {
      v.strided = true;
      v.strides = o.strides;
      v.offset = o.offset + offset(o.dynamic) + (from_input ? in_[b.place].offset : 0);
      if (keeps_too_much_alive(v, o.type)) return contiguous_copy(v, o.type);
    }
    retain(v.storage);
    return v;
  }

 private:
  void bind_buffer(size_t i) {
    const Buffer& b = plan_.buffers[i];
    Address& address = v_.addresses[i];
    switch (b.home) {
      case Buffer::input: {
        const Value& v = in_[b.place];
        address.data = v.storage->data + v.offset * int64_t(size_of(b.dtype));
        if (!v.storage->padded) address.end = v.storage->data + v.storage->bytes;
        break;
      }
      case Buffer::scalar:
        store(params_[b.place], b.dtype, next_scalar_);
        address.data = next_scalar_;
        next_scalar_ += scalar_bytes;
        break;
      case Buffer::arena: address.data = arena_->data + b.offset; break;
      case Buffer::owned:
        if (b.donor != none && !plan_.may_fail && in_[b.donor].donated && !in_[b.donor].strided) {
          retain(v_.owned[i] = in_[b.donor].storage);
          overwrites_ = true;
        } else {
          v_.owned[i] = allocate_for(b.op, b.bytes);
        }
        address.data = v_.owned[i]->data;
    }
  }

  int64_t offset(uint32_t term) const { return term == none ? 0 : v_.offsets[term]; }

  Address place(const Operand& o) const {
    const Address& p = v_.addresses[o.buffer];
    return {p.data + (o.offset + offset(o.dynamic)) * int64_t(size_of(o.dtype)), p.end};
  }

  Array array(const Operand& o) const {
    return {place(o).data, o.dtype, o.shape, o.strides, size_of(std::span<const int64_t>(o.shape))};
  }

  void run_step(const Step& s, bool awake) {
    switch (s.kind) {
      case Step::fused:
        v_.operands.clear();
        for (const Operand& o : s.in) v_.operands.push_back(place(o));
        for (const Operand& o : s.out) v_.operands.push_back(place(o));
        run_program(s, v_.operands.data(), awake);
        break;
      case Step::copy: copy_strided(array(s.out[0]), array(s.in[0])); break;
      case Step::update:
        copy_strided(array(s.out[0]), array(s.in[0]));
        copy_strided(array(s.out[1]), array(s.in[1]));
        break;
      case Step::kernel:
      case Step::layer: run_kernel(s);
    }
  }

  void run_kernel(const Step& s) {
    v_.arrays.clear();
    for (const Operand& o : s.in) v_.arrays.push_back(array(o));
    for (const Operand& o : s.out) v_.arrays.push_back(array(o));
    const std::span<const Array> all(v_.arrays);
    try {
      if (s.kind == Step::layer) {
        run_layers(s.layers, all.first(s.in.size()), all.back());
      } else {
        s.run({all.first(s.in.size()), all.subspan(s.in.size()), s.attrs});
      }
    } catch (...) {
      rethrow_for(s.op);
    }
  }

  static bool keeps_too_much_alive(const Value& view, const Type& type) {
    const size_t block = view.storage->bytes;
    const size_t bytes =
        size_t(size_of(std::span<const int64_t>(type.shape))) * size_of(type.dtype);
    return block > large_block && bytes < block / 8;
  }

  static Value contiguous_copy(const Value& view, const Type& type) {
    const int64_t count = size_of(std::span<const int64_t>(type.shape));
    const size_t element = size_of(type.dtype);
    Value r;
    r.storage = allocate(size_t(count) * element);
    const Ints dense = contiguous_strides(type.shape);
    std::byte* from = view.storage->data + view.offset * int64_t(element);
    copy_strided({r.storage->data, type.dtype, type.shape, dense, count},
                 {from, type.dtype, type.shape, view.strides, count});
    return r;
  }

  const Plan& plan_;
  std::span<const Value> in_;
  std::span<const Param> params_;
  Vectors v_;
  Storage* arena_ = nullptr;
  std::byte* next_scalar_ = nullptr;
  bool overwrites_ = false;  // an input is overwritten, so the run can no longer be abandoned
};

}  // namespace

void run_plan(const Plan& plan, std::span<const Value> in, std::span<Value> out,
              std::span<const Param> params) {
  Execution execution(plan, in, params);
  execution.bind();
  execution.run();
  for (size_t k = 0; k < out.size(); ++k) out[k] = execution.output(plan.outputs[k]);
}

}  // namespace ember::native
