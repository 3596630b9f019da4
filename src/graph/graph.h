// Recording and evaluation, as the ops and the engines' side see them.
#pragma once
#include "ember/row.h"
#include "src/core/node.h"

namespace ember {

// Records one node: promotion, kinds, infer, engine. Inputs are moved in.
Tensor apply(OpId op, std::span<Tensor> in, Attrs attrs = {});
std::vector<Tensor> apply_many(OpId op, std::span<Tensor> in, Attrs attrs = {});
template <class... T> Tensor apply_to(OpId op, Attrs attrs, T... in) {
  Tensor list[] = {std::move(in)...};
  return apply(op, list, std::move(attrs));
}
// Creation: no inputs; the type is given.
Tensor apply_new(OpId op, Type type, Attrs attrs = {});
// Ops whose output type the attributes do not hold (reshape, broadcast_to, as_strided, cast...): it
// is given.
Tensor apply_typed(OpId op, std::span<Tensor> in, Type type, Attrs attrs = {});

// The same value as a node of its own, without a copy, evaluated after the tensors in `first`.
Tensor identity(const Tensor& x);
Tensor identity(const Tensor& x, Inputs first);
Tensor output_of(const Tensor& tuple, size_t which);  // of a node with several outputs
Tensor cast_to(Tensor x, DType t);                    // the same tensor when nothing changes
DType result_dtype(Inputs in);                        // what promotion gives, weak scalars included
void promote_inputs(std::span<Tensor> in,
                    DType target);  // casts; weak scalars are made anew and must fit

// Adds the op's name and its arguments' types to the error in flight and throws it again.
[[noreturn]] void rethrow(std::string_view op, std::string_view args, Inputs in);

void eval_nodes(std::span<Node* const> roots);
void release_tape(std::span<Node* const> nodes);  // inputs before users: they are no longer kept

// The bound on pending work counts from here: who evaluates step by step is not interrupted in the
// middle of one.
void forget_pending();

// While it is on, this thread only records: nothing is flushed, nothing counts as pending. Returns
// what was before (see Recording).
bool set_tracing(bool on);

// Engines by number, as nodes name them.
int current_engine();
Device current_device();
Engine& engine(int id);
std::string_view engine_name(int id);
int engine_id(
    std::string_view name);  // loads it; EngineError with the reason when it cannot be had
void clear_engine_caches();
bool forked_away(
    int id);  // it has threads, and this is a forked child of the process that opened it
inline constexpr int native_engine = 0;
struct EngineScope {  // what is recorded on this thread goes to this engine and device; without
                      // one, to that of the backend, or the cpu
  explicit EngineScope(int id);
  EngineScope(int id, Device device);
  ~EngineScope();
  int before;
  Device device_before;
};

}  // namespace ember
