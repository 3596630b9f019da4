// The interface between Ember and an engine. A plug-in includes this header, or nodewise.h.
#pragma once
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ember/attrs.h"
#include "ember/device.h"
#include "ember/dtype.h"
#include "ember/engine_interface.h"
#include "ember/shape.h"

namespace ember {

enum class OpId : uint16_t {
  leaf,    // a value computed outside the slice
  scalar,  // a 0-d constant whose value is passed to run() in params
  output,  // one output of a node with several outputs
#define X(name) name,
#include "ember/ops.def"
#undef X
  count
};
EMBER_API std::string_view name(OpId);
// The order of ops.def has no meaning.
bool operator<(OpId, OpId) = delete;
bool operator>(OpId, OpId) = delete;
bool operator<=(OpId, OpId) = delete;
bool operator>=(OpId, OpId) = delete;

struct Type {
  DType dtype = DType::float32;
  Shape shape;
  bool operator==(const Type&) const = default;
};
EMBER_API std::string to_string(const Type&);  // "float32[2, 3]"

// A reference-counted block of memory. In a block from allocate(), the 64-byte header is directly
// before the data and its last word is the size in bytes. MLX expects this layout, so it can adopt
// our memory without a copy.
struct Storage {
  std::atomic<uint32_t> refs{1};
  uint16_t bucket = 0;
  bool padded = false;   // readable and writable up to the next multiple of 64 bytes
  bool writable = true;  // false: foreign or exported memory, which is never reused in place
  std::byte* data = nullptr;
  void* owner = nullptr;                // passed to the owner of a foreign block
  void (*release)(Storage*) = nullptr;  // called once, when the last reference is dropped
  Device device;
  size_t spare[2] = {};
  size_t bytes = 0;
};
static_assert(sizeof(Storage) == 64);
// 64-byte aligned host memory from the caching allocator; MemoryError.
EMBER_API Storage* allocate(size_t bytes);
EMBER_API void drop(Storage*);
inline void retain(Storage* s) { s->refs.fetch_add(1, std::memory_order_relaxed); }
// Wraps foreign host memory; release is called with the owner when the last reference is dropped.
EMBER_API Storage* adopt(void* data, size_t bytes, void* owner, void (*release)(void* owner));
EMBER_API void count_copy();  // an engine calls this after it copied an operand before use

// An array in storage. Strides and offset are in elements; contiguous ones leave strides empty.
struct Value {
  Storage* storage = nullptr;
  int64_t offset = 0;
  Ints strides;
  bool strided = false;  // strides are set (a 0-d view has none, yet may have an offset)
  bool donated = false;  // nobody reads this input later: its storage may be overwritten
};

// A contiguous copy of a value in host memory, owned by the caller.
EMBER_API Storage* pack(const Value&, const Type&);

// The value of a scalar; its dtype says which member is set: f of floats, u of unsigned integers,
// i of others.
union Param {
  double f;
  int64_t i;
  uint64_t u;
};
// Writes a scalar as one element of a dtype.
EMBER_API void store(Param, DType, void* to);

// A slice: the part of the graph that one engine compiles. Nodes are in topological order.
struct SliceNode {
  // Programs: a leaf whose value never changes. It may be packed or folded once.
  const Value* constant = nullptr;
  OpId op = OpId::leaf;
  DType dtype = DType::float32;
  bool wanted = false;  // an output of the slice
  // The index into params of a scalar's value, or of the first start of slice and slice_update. For
  // output: which output of its node.
  uint32_t param = 0;
  Shape shape;
  Small<uint32_t, 3> in;
  Attrs attrs;
  // Ops with several outputs: the type of each (dtype and shape above are then unused).
  std::vector<Type> outputs;
  Ints strides;  // the strides of a strided leaf; empty means contiguous
  bool strided = false;
};
struct Slice {
  std::vector<SliceNode> nodes;
  std::vector<uint32_t> inputs;   // the leaves, in the order of run()'s in
  std::vector<uint32_t> outputs;  // the wanted nodes, in the order of run()'s out
};

struct Executable {
  virtual ~Executable() = default;
  // Fills out with values that the caller then owns. The caller keeps ownership of the inputs,
  // which are in host memory or in the engine's own. An executable never runs twice at the same
  // time.
  virtual void run(std::span<const Value> in, std::span<Value> out,
                   std::span<const Param> params) = 0;
};

// Yes, or no with a reason.
struct Support {
  bool yes = true;
  std::string reason;
  Support() = default;
  Support(std::string why) : yes(false), reason(std::move(why)) {}
  Support(const char* why) : yes(false), reason(why) {}
};

// Rethrows the current exception with the op's name in front of its text. Call it in a catch block.
[[noreturn]] EMBER_API void rethrow_for(std::string_view op);

// An elementwise op over contiguous host memory: out[i] = op(a[i], b[i], c[i]) for i < n. Bit k of
// `broadcast` means that operand k is 64 bytes that repeat one value. All memory is readable and
// writable up to a multiple of 64 bytes.
using TileFn = void (*)(void* out, const void* a, const void* b, const void* c, unsigned broadcast,
                        size_t n);

class EMBER_API Engine {
 public:
  virtual ~Engine() = default;
  virtual std::string_view name() const = 0;
  virtual std::string version() const = 0;
  // At least one; the first is the default.
  virtual std::vector<Device> devices() const { return {Device::cpu}; }
  virtual Support supports(const SliceNode&, const Slice&) const = 0;
  virtual std::unique_ptr<Executable> compile(const Slice&, Device) = 0;
  // A kernel for evaluating a single elementwise op without compiling a slice, or null.
  virtual TileFn quick(OpId, DType) const { return nullptr; }
  virtual void synchronize(Device) {}
  // Copies a value from this engine's device memory to contiguous host memory.
  virtual Storage* download(const Value&, const Type&);
  // False if the engine has threads: using it in a forked child is then an EngineError.
  virtual bool survives_fork() const { return true; }
  // Facts for diagnostics, such as threads, instruction set and BLAS.
  virtual std::vector<std::pair<std::string, std::string>> facts() const { return {}; }
  // The largest number of nodes in a slice; longer graphs are compiled as several slices.
  virtual size_t longest_slice() const { return SIZE_MAX; }
  // Releases cached memory. Never called while a slice runs.
  virtual void clear_cache() {}
};
// Exports the engine from a plug-in. The loader rejects a plug-in that was built against other
// headers: engine_interface is a hash of them.
#define EMBER_ENGINE(T)                                                                      \
  extern "C" EMBER_API uint64_t ember_engine_interface() { return ember::engine_interface; } \
  extern "C" EMBER_API ember::Engine* ember_engine_create() { return new T; }

}  // namespace ember
