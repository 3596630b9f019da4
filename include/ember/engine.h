// What an engine sees and what it must give. Plug-ins include this and nothing else of Ember's.
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
  leaf,    // a value from outside the slice
  scalar,  // a 0-d constant whose value is a parameter
  output,  // one output of a node with several
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

// A counted block of memory. The header is 64 bytes and lies right before data when it comes from
// allocate(); its last word is the size in bytes, which is where MLX looks for it, so that MLX can
// take our memory without a copy.
struct Storage {
  std::atomic<uint32_t> refs{1};
  uint16_t bucket = 0;
  bool padded = false;   // readable and writable up to the next multiple of 64 bytes
  bool writable = true;  // false: foreign or exported memory, never reused in place
  std::byte* data = nullptr;
  void* owner = nullptr;                // what a foreign block belongs to
  void (*release)(Storage*) = nullptr;  // called once, when the last reference goes
  Device device;
  size_t spare[2] = {};
  size_t bytes = 0;
};
static_assert(sizeof(Storage) == 64);
EMBER_API Storage* allocate(
    size_t bytes);  // 64-byte aligned host memory, from the caching allocator; MemoryError
EMBER_API void drop(Storage*);
inline void retain(Storage* s) { s->refs.fetch_add(1, std::memory_order_relaxed); }
// Host memory of somebody else's; release is called with the owner when nobody needs it any more.
EMBER_API Storage* adopt(void* data, size_t bytes, void* owner, void (*release)(void* owner));
EMBER_API void count_copy();  // an engine says so when it had to copy an operand to take it

// An array in storage. Strides and offset are in elements; contiguous ones leave strides empty.
struct Value {
  Storage* storage = nullptr;
  int64_t offset = 0;
  Ints strides;
  bool strided = false;  // strides are set (a 0-d view has none, yet may have an offset)
  bool donated = false;  // an input nobody else will read: its storage may be written
};

EMBER_API Storage* pack(
    const Value&, const Type&);  // a contiguous copy of a value in host memory; the caller owns it

// The value of a scalar; its dtype says which member is set: f of floats, u of unsigned integers,
// i of others.
union Param {
  double f;
  int64_t i;
  uint64_t u;
};
// Writes a scalar as one element of a dtype.
EMBER_API void store(Param, DType, void* to);

// A slice: the part of the graph an engine compiles, nodes in order, inputs before users.
struct SliceNode {
  const Value* constant = nullptr;  // a leaf whose value is always this one, in programs: it may be
                                    // packed or folded once
  OpId op = OpId::leaf;
  DType dtype = DType::float32;
  bool wanted = false;  // an output of the slice
  uint32_t param = 0;  // scalar: place of its value; slice, slice_update: place of the first start;
                       // output: which one
  Shape shape;
  Small<uint32_t, 3> in;
  Attrs attrs;
  std::vector<Type>
      outputs;   // ops with several outputs: their types (dtype and shape above are then unused)
  Ints strides;  // a leaf with strides: what they are; empty means contiguous
  bool strided = false;
};
struct Slice {
  std::vector<SliceNode> nodes;
  std::vector<uint32_t> inputs;   // the leaves, in the order that run() gets them
  std::vector<uint32_t> outputs;  // the wanted nodes, in the order that run() fills them
};

struct Executable {
  virtual ~Executable() = default;
  // Fills out with values the caller then owns. Inputs stay the caller's; they lie in host memory
  // or in the engine's own. One executable is never run twice at once.
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

// Inside a catch block: the error in flight, with the op's name in front of its text.
[[noreturn]] EMBER_API void rethrow_for(std::string_view op);

// One elementwise op over whole arrays in host memory, for graphs of one node: out[i] = op(a[i],
// b[i], c[i]), i < n. Bit k of `lines` says that operand k is 64 bytes repeating one value.
// Everything is readable and writable up to whole 64 bytes.
using TileFn = void (*)(void* out, const void* a, const void* b, const void* c, unsigned lines,
                        size_t n);

class EMBER_API Engine {
 public:
  virtual ~Engine() = default;
  virtual std::string_view name() const = 0;
  virtual std::string version() const = 0;
  // at least one; the first is where it begins
  virtual std::vector<Device> devices() const { return {Device::cpu}; }
  virtual Support supports(const SliceNode&, const Slice&) const = 0;
  virtual std::unique_ptr<Executable> compile(const Slice&, Device) = 0;
  // the one-op path, where the engine has one
  virtual TileFn quick(OpId, DType) const { return nullptr; }
  virtual void synchronize(Device) {}
  virtual Storage* download(const Value&,
                            const Type&);  // device memory of this engine as contiguous host memory
  // false: it has threads, so a forked child gets an EngineError
  virtual bool survives_fork() const { return true; }
  // threads, instruction set, BLAS...
  virtual std::vector<std::pair<std::string, std::string>> facts() const { return {}; }
  // in nodes; more are compiled as several
  virtual size_t longest_slice() const { return SIZE_MAX; }
  // gives back what it keeps for later; never called while it runs a slice
  virtual void clear_cache() {}
};
// What a plug-in exports. The loader opens none that was built against other headers:
// engine_interface is a hash of them.
#define EMBER_ENGINE(T)                                                                      \
  extern "C" EMBER_API uint64_t ember_engine_interface() { return ember::engine_interface; } \
  extern "C" EMBER_API ember::Engine* ember_engine_create() { return new T; }

}  // namespace ember
