// A compiled slice: a list of steps over a table of buffers. Views have no steps. A group of
// elementwise ops and row reductions is one step, which runs tile by tile in cache. Every other op
// is one kernel call.
#pragma once
#include <memory>

#include "engines/native/kernels/scratch.h"
#include "engines/native/plan/run_layer.h"

namespace ember::native {

inline constexpr uint32_t none = ~0u;
inline constexpr size_t line_elements = 64;  // a line slot repeats one value this often

// The offset of a slice along one axis: params[param].i * stride elements, plus the term `before`.
// A slice of a slice shares the terms of its input, so a chain has one term for each slice and
// axis.
struct DynamicTerm {
  uint32_t before;
  uint32_t param;
  int64_t stride;
};

// An operand of a step: a strided array in a buffer.
struct Operand {
  uint32_t buffer = none;
  DType dtype = DType::float32;
  int64_t offset = 0;       // in elements
  uint32_t dynamic = none;  // its last term
  Shape shape;
  Ints strides;
};

struct Instr {
  enum Mode : uint8_t {
    tile,    // over the tile's elements
    line,    // over one line
    reduce,  // the tile's exact elements into a line
    run,     // generated: several in one
  };
  TileFn fn = nullptr;
  void (*run_fn)(std::byte* const* slots, size_t n) = nullptr;
  uint16_t d = 0, a = 0, b = 0, c = 0;
  uint8_t lines = 0;
  Mode mode = tile;
  // The meaning, for the code generator: an op whose operands have the slots' dtype `from`, except
  // a condition. A cast that rounds leaves its result in a float32 slot.
  OpId op = OpId::copy;
  DType from = DType::float32, to = DType::float32;
  bool rounds = false;
  bool reads(uint16_t slot) const { return a == slot || b == slot || c == slot; }
};

struct Slot {
  enum Kind : uint8_t {
    full,      // memory that advances with the tiles, read or written in place
    row,       // contiguous along a row, rows placed by strides
    gather,    // any strides: copied into a temporary tile first
    row_line,  // one value to a row
    scalar,    // one value for all
    store,     // a temporary tile that is copied out exactly, or past the caches
    line_out,  // one value to a row, written
    temp,
    temp_line,
    unused,  // a temporary that lives in registers
  };
  Kind kind = temp;
  uint8_t element = 4;   // bytes
  bool stream = false;   // store, or full and generated: go around the caches
  bool per_row = true;   // line_out: rows differ (false: one value in all)
  bool written = false;  // full: an output
  uint32_t operand = none;
  uint16_t source = 0;  // store: the slot that holds the tile
  Ints dims, strides;   // gather: all dimensions; row, row_line: those of the rows
};

struct Program {
  int64_t rows = 1, cols = 0;
  bool whole_rows = false;  // a tile is a row, since something is computed from its reductions;
                            // else rows are cut into tiles
  bool reduces = false;     // tiles are reduced first, then rows
  int64_t tile = 0;
  int64_t work = 0;       // the cost of an element in simple instructions of about 0.1 ns
  size_t temp_bytes = 0;  // of one temporary tile
  std::vector<Slot> slots;
  std::vector<Instr> code;
  std::vector<std::shared_ptr<const void>> generated;  // keeps the code of the runs
};

struct Step {
  enum Kind : uint8_t { fused, kernel, layer, copy, update } kind = kernel;
  std::string_view op;  // for errors
  std::vector<Operand> in, out;
  Program program;  // fused: slots index `in`, then `out`
  Kernel run = nullptr;
  Attrs attrs;
  std::vector<Layer> layers;
};

struct Buffer {
  enum Home : uint8_t { input, scalar, arena, owned } home = arena;
  DType dtype = DType::float32;
  uint32_t place = 0;            // input: which; scalar: which parameter
  uint32_t donor = none;         // owned: a dying input whose memory it may take
  size_t bytes = 0, offset = 0;  // arena: where
  std::string_view op;           // what computes it, for errors
};

struct Output {
  uint32_t buffer;
  int64_t offset;
  uint32_t dynamic;
  Type type;
  Ints strides;
  bool strided;
};

struct Plan {
  std::vector<Buffer> buffers;
  std::vector<Step> steps;
  std::vector<DynamicTerm> terms;  // each after the one it adds to
  std::vector<Output> outputs;
  size_t arena_bytes = 0;
  std::string_view largest;  // the op with the largest buffer in the arena, for errors
  std::unique_ptr<const Scratch<float>> weights;  // of the layers, in the order that they run
  bool may_fail =
      false;  // a step may raise an error that depends on data, so inputs must not be overwritten
};

bool is_elementwise(OpId);
bool is_view(OpId);
const KernelRow* find_kernel(OpId);
DType tile_dtype(DType);  // the dtype of a tile's elements: float32 for 16-bit floats
// Whether a batch_norm has constants only, so that it becomes a layer or a part of one.
bool folds_batch_norm(const SliceNode&, const Slice&);
Plan make_plan(const Slice&);
void run_plan(const Plan&, std::span<const Value> in, std::span<Value> out,
              std::span<const Param> params);

// The address of an operand of a tile program. Foreign memory is never read at or past `end`;
// Ember's own (end null) may be read up to the next multiple of 64 bytes.
struct Address {
  std::byte* data = nullptr;
  const std::byte* end = nullptr;
};
// Interprets a tile program.
void run_program(const Step&, const Address* operands, bool awake);  // awake: threads look for work

}  // namespace ember::native
