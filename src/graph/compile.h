// A slice of nodes, made ready for engines: composites expanded, what an engine lacks handed to
// native.
#pragma once
#include <mutex>

#include "src/graph/graph.h"

namespace ember {

struct Item {
  Node* node;
  uint32_t uses;
  bool leaf, output;  // leaf: its value comes from outside; output: it is stored
  bool needed, held;  // needed: a gradient rule reads it; held: a kept node has it as an input
};

// A value in another engine's device memory comes as a contiguous copy in host memory.
inline bool is_away(const Node& n, uint8_t engine) {
  return n.engine != engine && on_device(n.value.load(std::memory_order_acquire));
}
inline bool is_strided(const Node& n, uint8_t engine) {
  return n.extra && n.extra->strided && !is_away(n, engine);
}

struct Part {  // one engine's share; values are numbered over all parts
  Engine* engine;
  std::unique_ptr<Executable> exec;
  std::vector<uint32_t> in, out;
  std::vector<Type> types;  // of in
};
struct Compiled {
  std::vector<Part> parts;
  uint32_t values = 0;
  std::vector<uint32_t> inputs, outputs;  // which values the slice's inputs and outputs are
  std::vector<Param> constants;  // scalars of expanded bodies, after the slice's own parameters
  std::vector<Taken> taken;      // what became of each op
};
// constants: per item, the value of a leaf that never changes, or null; empty where there are none.
std::unique_ptr<Compiled> compile(std::span<const Item>, size_t params,
                                  std::span<const Value* const> constants = {});
void run(Compiled&, std::span<const Value> in, std::span<Value> out,
         std::span<const Param> params);  // params: the constants of bodies too

// The slice that a graph is to an engine that runs nothing, such as a file's writer: what it does
// not take as a whole is replaced by its body; a primitive it lacks is an UnsupportedError. The
// inputs are the slice's first ones, in order, also those that nothing reads.
struct Lowered {
  Slice slice;
  std::vector<Param> params;
  std::vector<Value> constants;  // what the leaves' constants point to
};
Lowered lower(Engine&, std::span<const Tensor> inputs, std::span<const Tensor> outputs);
// Inputs before users, from placeholders and values to the outputs; each output is an item of its
// own. Constant parts are evaluated.
struct Recorded {
  std::vector<Tensor> outputs;
  std::vector<Item> items;
  std::vector<Param> params;
  std::vector<Value> values;            // of the constant leaves, in order
  std::vector<const Value*> constants;  // per item
  std::vector<uint32_t> order;          // which output the k-th wanted item is
};
Recorded record(std::span<const Tensor> inputs, std::span<const Tensor> outputs);

std::recursive_mutex& eval_mutex();  // one evaluation at a time: places in the order are written
                                     // into the nodes, which threads may share

void publish(Node&, Value&&);
void fill_line(void* line, Param v, DType);  // 64 bytes of one value
bool watching();
void watch(const Compiled&);

}  // namespace ember
