// A slice of nodes, made ready for engines: composites expanded, what an engine lacks handed to native.
#pragma once
#include "src/graph/graph.h"

namespace ember {

struct Item {
  Node* node;
  uint32_t uses;
  bool leaf, output;  // leaf: its value comes from outside; output: it is stored
  bool needed, held;  // needed: a gradient rule reads it; held: a kept node has it as an input
};

// A value in another engine's device memory comes as a contiguous copy in host memory.
inline bool is_away(const Node& n, uint8_t engine) { return n.engine != engine && on_device(n.value.load(std::memory_order_acquire)); }
inline bool is_strided(const Node& n, uint8_t engine) { return n.extra && n.extra->strided && !is_away(n, engine); }

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
  std::vector<Param> constants;           // scalars of expanded bodies, after the slice's own parameters
  std::vector<Taken> taken;               // what became of each op
};
std::unique_ptr<Compiled> compile(std::span<const Item>, size_t params);
void run(Compiled&, std::span<const Value> in, std::span<Value> out, std::vector<Param>& params);

void publish(Node&, Value&&);
void fill_line(void* line, Param v, DType);  // 64 bytes of one value
bool watching();
void watch(const Compiled&);

}  // namespace ember
