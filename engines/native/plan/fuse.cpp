// Writes tile programs: a group of elementwise ops and row reductions becomes instructions over
// slots.
#include <algorithm>
#include <bit>

#include "engines/native/jit/jit.h"
#include "engines/native/plan/draft.h"

namespace ember::native {
namespace {

constexpr int64_t short_row = 64;  // shorter rows are not worth a tile of their own
constexpr int64_t cut_row = 8192;  // longer rows that are only reduced are cut into tiles

// Ops that pair_kernel combines.
bool pairs(OpId o) {
  return o == OpId::add || o == OpId::subtract || o == OpId::multiply || o == OpId::divide ||
         o == OpId::maximum || o == OpId::minimum;
}
// Ops whose result needs no rounding if 16-bit floats are computed in float32.
bool exact(OpId o) {
  return o == OpId::abs || o == OpId::negative || o == OpId::where || o == OpId::maximum ||
         o == OpId::minimum || o == OpId::ceil || o == OpId::floor || o == OpId::trunc ||
         o == OpId::round || o == OpId::sign || o == OpId::copysign;
}

class Fuser {
 public:
  explicit Fuser(Draft& d) : d_(d) {}

  void run(uint32_t g) {
    Group& gr = d_.groups[g];
    Emitter e;
    e.group = g;
    Program& p = e.step.program;
    const SliceNode& first = d_.node(gr.members[0]);
    e.shape = is_elementwise(first.op) ? first.shape : d_.shape(d_.rep(first.in[0]));
    e.channels_last = gr.channels_last;
    e.full = in_order(e, e.shape);
    const int64_t total = size_of(std::span<const int64_t>(e.full));
    const bool reduces = gr.split >= 0;
    choose_rows(e, gr, reduces);
    p.rows = 1;
    p.cols = 1;
    for (size_t d = 0; d < e.full.size(); ++d) {
      (int64_t(d) < e.split ? p.rows : p.cols) *= e.full[d];
    }
    p.reduces = reduces;
    for (uint32_t i : gr.members) d_.info[i].uses = 0;
    for (uint32_t i : gr.members) {
      for (uint32_t k : d_.node(i).in) ++d_.info[d_.rep(k)].uses;
    }
    // Info::uses counts how often the group still reads a value, whose slot is free at 0.
    // absorb[m]: the input that is computed inside member m, or -1; absorbed[m]: m is such an
    // input.
    std::vector<uint8_t> absorbed(gr.members.size(), 0);
    std::vector<int8_t> absorb(gr.members.size(), -1);
    if (!generates()) find_pairs(gr, absorb, absorbed);
    if (reduces) find_counts(gr, absorb, absorbed);
    for (size_t m = 0; m < gr.members.size(); ++m) {
      if (absorbed[m]) continue;
      emit_member(e, gr.members[m], absorb[m]);
    }
    finish(e, total);
  }

 private:
  Draft& d_;

  struct Emitter {
    Step step{.kind = Step::fused, .op = "fused"};
    uint32_t group = 0;
    Shape shape, full;  // the group's shape, and with its axes in the order of the tiles
    bool channels_last = false;
    int64_t split = 0;  // leading axes that are rows
    std::vector<uint16_t> free[2];
    std::vector<std::pair<uint32_t, uint16_t>> written;  // value and slot of each output
    size_t widest = 1;
  };

  // Extents or strides of the axes, in the order of the tiles.
  static Ints in_order(const Emitter& e, Ints axes) {
    if (e.channels_last) std::rotate(axes.begin() + 1, axes.begin() + 2, axes.end());
    return axes;
  }

  uint16_t add_slot(Emitter& e, Slot s) {
    if (e.step.program.slots.size() > 65000) {
      throw ValueError("an expression needs too many temporaries");
    }
    e.step.program.slots.push_back(std::move(s));
    return uint16_t(e.step.program.slots.size() - 1);
  }
  uint16_t temp(Emitter& e, bool line, DType t) {
    auto& fr = e.free[line];
    e.widest = std::max(e.widest, size_of(t));
    if (!fr.empty()) {
      const uint16_t s = fr.back();
      fr.pop_back();
      e.step.program.slots[s].element = uint8_t(size_of(t));
      return s;
    }
    return add_slot(e,
                    {.kind = line ? Slot::temp_line : Slot::temp, .element = uint8_t(size_of(t))});
  }
  void release(Emitter& e, uint16_t s) {
    const Slot::Kind k = e.step.program.slots[s].kind;
    if (k == Slot::temp || k == Slot::temp_line) e.free[k == Slot::temp_line].push_back(s);
  }

  // Whether an operand is better transposed by a copy, which reads a cache line once, than gathered
  // along its last axis tile by tile, which reads a line for each element.
  static bool runs_across(const Operand& o) {
    constexpr int64_t least = 4096;  // elements worth a step of their own
    constexpr int64_t line = 64;
    const size_t rank = o.shape.size();
    if (rank < 2 || size_of(std::span<const int64_t>(o.shape)) < least) return false;
    if (o.strides.back() * int64_t(size_of(o.dtype)) < line || o.shape.back() < 4) return false;
    for (size_t d = 0; d + 1 < rank; ++d) {
      if (o.strides[d] == 1 && o.shape[d] >= 4) return true;
    }
    return false;
  }

  // The slot of a value; an external value gets one when it is first read.
  uint16_t read_slot(Emitter& e, uint32_t v) {
    Info& f = d_.info[v];
    if (f.slot_step == e.group) return f.slot;
    const DType t = d_.dtype(v);
    Program& p = e.step.program;
    Slot s{.element = uint8_t(size_of(t))};
    s.operand = uint32_t(e.step.in.size());
    Operand o = d_.operand(v);
    if (o.shape == e.shape && !e.channels_last && runs_across(o)) o = d_.packed(std::move(o));
    const bool is_16_bit = t == DType::float16 || t == DType::bfloat16;
    f.line = true;
    if (d_.plan.buffers[o.buffer].home == Buffer::scalar) {
      s.kind = Slot::scalar;
      s.element = uint8_t(size_of(tile_dtype(t)));
    } else {
      const Shape& full = e.full;
      // An operand of one element may have more dimensions than the group.
      const Ints strides = o.shape.size() > full.size()
                               ? Ints(full.size(), 0)
                               : in_order(e, broadcast_strides(o.shape, o.strides, e.shape));
      const auto all_zero = [](std::span<const int64_t> x) {
        return std::all_of(x.begin(), x.end(), [](int64_t v) { return v == 0; });
      };
      const std::span<const int64_t> inner =
          std::span<const int64_t>(strides).subspan(size_t(e.split));
      Ints rows(full.begin(), full.begin() + e.split);
      Ints row_strides(strides.begin(), strides.begin() + e.split);
      Ints cols(full.begin() + e.split, full.end());
      Ints col_strides(inner.begin(), inner.end());
      if (d_.count(v) == 1) {
        s.kind = Slot::scalar;
      } else if (o.shape == e.shape && contiguous(full, strides)) {
        s.kind = Slot::full;
        f.line = false;
      } else if (all_zero(inner) || p.cols == 1) {
        collapse(rows, row_strides);
        s.kind = Slot::row_line;
        s.dims = rows;
        s.strides = row_strides;
      } else if (collapse(cols, col_strides);
                 cols.size() == 1 && col_strides[0] == 1 && e.split > 0) {
        collapse(rows, row_strides);
        s.kind = Slot::row;
        s.dims = rows;
        s.strides = row_strides;
        f.line = false;
      } else {
        s.kind = Slot::gather;
        s.dims = full;
        s.strides = strides;
        f.line = false;
        collapse(s.dims, s.strides);
        e.widest = std::max(e.widest, size_of(t));
      }
    }
    e.step.in.push_back(std::move(o));
    uint16_t slot = add_slot(e, s);
    if (is_16_bit && s.kind != Slot::scalar) {
      const uint16_t wide = temp(e, f.line, DType::float32);
      code(
          e,
          {.fn = cast_kernel(t, DType::float32), .d = wide, .a = slot, .op = OpId::cast, .from = t},
          f.line);
      slot = wide;
    } else if (is_16_bit) {  // the interpreter converts the one element when it fills the line
      p.slots[slot].element = uint8_t(size_of(DType::float32));
    }
    f.slot = slot;
    f.slot_step = e.group;
    return slot;
  }

  void code(Emitter& e, Instr c, bool line) {  // an instruction with one operand
    c.lines = line;
    c.mode = line ? Instr::line : Instr::tile;
    e.step.program.code.push_back(c);
  }

  // Rows are needed by reductions, and make broadcasts along long rows cheap.
  void choose_rows(Emitter& e, const Group& gr, bool reduces) {
    if (reduces) {
      e.split = gr.split;
      return;
    }
    e.split = 0;
    if (e.full.size() < 2 || e.full.back() < short_row) return;
    for (uint32_t i : gr.members) {
      for (uint32_t k : d_.node(i).in) {
        const uint32_t v = d_.rep(k);
        if (d_.info[v].step == e.group || d_.count(v) == 1) continue;
        const Ints strides =
            in_order(e, broadcast_strides(d_.shape(v), d_.info[v].at.strides, e.shape));
        if (d_.shape(v) != e.shape || !contiguous(e.full, strides)) {
          e.split = int64_t(e.full.size()) - 1;
          return;
        }
      }
    }
  }

  // A binary op whose only user is a binary op is computed inside it: op2(op1(a, b), c). Both
  // results are rounded, so bits do not change.
  void find_pairs(const Group& gr, std::vector<int8_t>& absorb, std::vector<uint8_t>& absorbed) {
    const uint32_t low = gr.members.front();  // members ascend
    std::vector<uint32_t> place(gr.members.back() - low + 1, none);
    for (uint32_t m = 0; m < gr.members.size(); ++m) place[gr.members[m] - low] = m;
    for (uint32_t m = 0; m < gr.members.size(); ++m) {
      const uint32_t i = gr.members[m];
      const SliceNode& n = d_.node(i);
      if (!pairs(n.op) || d_.info[i].line ||
          (n.dtype != DType::float32 && n.dtype != DType::float64)) {
        continue;
      }
      for (uint32_t k = 0; k < 2 && absorb[m] < 0; ++k) {
        const uint32_t r = d_.rep(n.in[k]);
        if (r < low || r - low >= place.size() || place[r - low] == none) continue;
        const uint32_t inner = place[r - low];
        const Info& f = d_.info[r];
        if (!pairs(d_.node(r).op) || f.uses != 1 || f.needs_buffer || f.line ||
            absorb[inner] >= 0 || absorbed[inner]) {
          continue;
        }
        absorb[m] = int8_t(k);
        absorbed[inner] = 1;
      }
    }
  }

  // A sum of bools as int64 counts the bools, without a tile of int64.
  void find_counts(const Group& gr, std::vector<int8_t>& absorb, std::vector<uint8_t>& absorbed) {
    for (uint32_t m = 0; m < gr.members.size(); ++m) {
      const SliceNode& n = d_.node(gr.members[m]);
      if (n.op != OpId::sum || n.dtype != DType::int64) continue;
      const uint32_t r = d_.rep(n.in[0]);
      const auto inner = std::lower_bound(gr.members.begin(), gr.members.end(), r);
      if (inner == gr.members.end() || *inner != r || d_.node(r).op != OpId::cast ||
          d_.dtype(d_.rep(d_.node(r).in[0])) != DType::bool_) {
        continue;
      }
      const Info& f = d_.info[r];
      if (f.uses != 1 || f.needs_buffer || f.line) continue;
      absorb[m] = 0;
      absorbed[size_t(inner - gr.members.begin())] = 1;
    }
  }

  // The operands of one instruction.
  struct Operands {
    size_t count = 0;
    uint32_t value[3] = {none, none, none};
    uint16_t slot[3] = {};
    bool line[3] = {};
  };

  // Finds the operands of node i and the kernel of their instruction. absorb: the input that is
  // computed inside it, or -1.
  TileFn find_instruction(uint32_t i, int8_t absorb, Operands& o) const {
    const SliceNode& n = d_.node(i);
    const DType t = tile_dtype(n.dtype);
    o.count = n.in.size();
    for (size_t k = 0; k < o.count; ++k) o.value[k] = d_.rep(n.in[k]);
    if (absorb >= 0) {
      const SliceNode& inner = d_.node(o.value[absorb]);
      if (n.op == OpId::sum) {
        o = {1, {d_.rep(inner.in[0])}};
        return count_kernel();
      }
      const bool swapped = absorb == 1 && !commutes(n.op);
      o = {3, {d_.rep(inner.in[0]), d_.rep(inner.in[1]), o.value[1 - absorb]}};
      return pair_kernel(inner.op, n.op, swapped, t);
    }
    const DType last = tile_dtype(d_.dtype(o.value[o.count - 1]));
    if (n.op == OpId::cast) return cast_kernel(last, t);
    if (!is_elementwise(n.op)) return row_reduce_kernel(n.op, t);
    return tile_kernel(n.op, n.op == OpId::nextafter ? n.dtype : last);
  }

  // The slot of node i's result. Slots of operands that die here are released: before the result
  // gets its slot, unless the result would overwrite the operand before it is read. This is the
  // case for a line, which is read again and again, and for an operand of smaller elements.
  uint16_t result_slot(Emitter& e, uint32_t i, const Operands& o, bool direct) {
    const DType t = tile_dtype(d_.node(i).dtype);
    bool late[3] = {};
    for (size_t k = 0; k < o.count; ++k) {
      Info& f = d_.info[o.value[k]];
      if (f.step != e.group || --f.uses != 0 || f.needs_buffer) continue;
      late[k] = o.line[k] || size_of(tile_dtype(d_.dtype(o.value[k]))) < size_of(t);
      if (!late[k]) release(e, o.slot[k]);
    }
    uint16_t d;
    if (direct) {
      d = add_slot(e, {.kind = Slot::full, .element = uint8_t(size_of(t)), .written = true});
      e.widest = std::max(e.widest, size_of(t));
    } else {
      d = temp(e, d_.info[i].line, t);
    }
    for (size_t k = 0; k < o.count; ++k) {
      if (late[k]) release(e, o.slot[k]);
    }
    return d;
  }

  // Stores the result of node i, which is in slot d.
  void emit_store(Emitter& e, uint32_t i, uint16_t d) {
    const SliceNode& n = d_.node(i);
    const Info& f = d_.info[i];
    const DType t = tile_dtype(n.dtype);
    uint16_t source = d;
    if (n.dtype != t) {
      source = temp(e, f.line, n.dtype);
      code(e, {.fn = cast_kernel(t, n.dtype), .d = source, .a = d, .op = OpId::cast, .to = n.dtype},
           f.line);
    }
    Slot out{.kind = f.line ? Slot::line_out : Slot::store,
             .element = uint8_t(size_of(n.dtype)),
             .per_row = !f.uniform,
             .source = source};
    out.stream = !f.line && streams(i) && size_of(n.dtype) * size_t(e.step.program.cols) % 64 == 0;
    e.written.push_back({i, add_slot(e, out)});
  }

  void emit_member(Emitter& e, uint32_t i, int8_t absorb) {
    const SliceNode& n = d_.node(i);
    Info& f = d_.info[i];
    const DType t = tile_dtype(n.dtype);
    Operands o;
    const TileFn fn = find_instruction(i, absorb, o);
    uint8_t lines = 0;
    for (size_t k = 0; k < o.count; ++k) {
      o.slot[k] = read_slot(e, o.value[k]);
      o.line[k] = d_.info[o.value[k]].line;
      lines |= uint8_t(o.line[k] << k);
    }
    const bool direct = f.needs_buffer && !f.line && n.dtype == t && can_write(e, i);
    const uint16_t d = result_slot(e, i, o, direct);
    e.step.program.code.push_back({.fn = fn,
                                   .d = d,
                                   .a = o.slot[0],
                                   .b = o.slot[1],
                                   .c = o.slot[2],
                                   .lines = lines,
                                   .mode = !is_elementwise(n.op) ? Instr::reduce
                                           : f.line              ? Instr::line
                                                                 : Instr::tile,
                                   .op = n.op,
                                   .from = tile_dtype(d_.dtype(o.value[o.count - 1])),
                                   .to = t});
    if (n.dtype != t && !exact(n.op)) {
      code(e,
           {.fn = round_kernel(n.dtype),
            .d = d,
            .a = d,
            .op = OpId::cast,
            .to = n.dtype,
            .rounds = true},
           f.line);
    }
    f.slot = d;
    f.slot_step = e.group;
    if (direct) {
      e.written.push_back({i, d});
    } else if (f.needs_buffer) {
      emit_store(e, i, d);
    }
  }

  bool streams(uint32_t i) const {
    return size_t(d_.count(i)) * size_of(d_.dtype(i)) >= stream_bytes;
  }
  // Kernels write whole vectors, so a row must end with one, or the start of the next row would be
  // overwritten.
  bool can_write(const Emitter& e, uint32_t i) const {
    const size_t row = size_t(e.step.program.cols) * size_of(d_.dtype(i));
    return !streams(i) && (e.split == 0 || e.step.program.rows == 1 || row % 64 == 0);
  }

  void finish(Emitter& e, int64_t total) {
    Program& p = e.step.program;
    for (auto [v, slot] : e.written) {
      p.slots[slot].operand = uint32_t(e.step.in.size() + e.step.out.size());
      e.step.out.push_back(d_.own_operand(v));
    }
    p.whole_rows = p.reduces && (p.cols <= cut_row || uses_rows(p));
    find_donors(e, total);
    const size_t ops = p.code.size();
    const size_t functions = generate_runs(p);
    p.work = int64_t(p.code.size());
    // A loop over memory, and the arithmetic that overlaps with it.
    if (!p.generated.empty()) {
      p.work += int64_t(p.generated.size() + ops / 8 + 2 * functions);
    }
    // A tile of one instruction may be long. Temporaries between instructions should stay in the
    // first-level cache.
    size_t tiles = 1;
    size_t between = 0;
    for (const Slot& s : p.slots) {
      const bool temporary =
          s.kind == Slot::temp || s.kind == Slot::gather || s.kind == Slot::store;
      tiles += temporary || s.kind == Slot::full;
      between += temporary;
    }
    constexpr size_t l1_share = 40960;  // bytes of the first-level cache for the tiles of all slots
    const size_t fit =
        p.reduces ? row_block * (p.code.size() == 1 ? 16 : 1)
        : p.code.size() == 1 && !between
            ? std::max<size_t>(2048, 8192 / e.widest)
            : std::clamp<size_t>(std::bit_floor(l1_share / (tiles * e.widest) | 1), 256, 512);
    p.tile = p.whole_rows ? p.cols : std::min(p.cols, int64_t(fit));
    p.temp_bytes = (size_t(p.tile) * e.widest + 63) / 64 * 64;
    d_.plan.steps.push_back(std::move(e.step));
  }

  // Whether rows must be whole, because tiles are computed from their reductions.
  static bool uses_rows(const Program& p) {
    std::vector<uint8_t> row(p.slots.size(), 0);  // slots that depend on a reduction
    for (const Instr& c : p.code) {
      // The kernel of complex numbers does not join blocks.
      if (c.mode == Instr::reduce && is_complex(c.to)) {
        return true;
      }
      const bool from_row = c.mode == Instr::reduce || row[c.a] || row[c.b] || row[c.c];
      if (c.mode == Instr::tile && from_row) return true;
      row[c.d] = from_row;
    }
    return false;
  }

  // An output may reuse the memory of an input that dies here if each tile is read before it is
  // written.
  void find_donors(Emitter& e, int64_t total) {
    Program& p = e.step.program;
    const auto last_read = [&](uint16_t slot) {
      size_t at = 0;
      for (size_t k = 0; k < p.code.size(); ++k) {
        if (p.code[k].a == slot || p.code[k].b == slot || p.code[k].c == slot) at = k;
      }
      return at;
    };
    const auto write = [&](uint16_t slot) {
      for (size_t k = 0; k < p.code.size(); ++k) {
        if (p.code[k].d == slot) return k;
      }
      return size_t(0);
    };
    for (auto [v, d] : e.written) {
      const Slot& o = p.slots[d];
      if (o.kind != Slot::full) continue;
      Buffer& out = d_.plan.buffers[d_.info[v].buffer];
      if (out.home != Buffer::owned) continue;
      for (uint16_t k = 0; k < p.slots.size() && k < 64 && out.donor == none; ++k) {
        const Slot& s = p.slots[k];
        if (s.kind != Slot::full || s.written || s.element != o.element) continue;
        const Operand& from = e.step.in[s.operand];
        const Buffer& b = d_.plan.buffers[from.buffer];
        if (b.home != Buffer::input || int64_t(b.bytes) != total * s.element ||
            from.dynamic != none || from.offset) {
          continue;
        }
        size_t readers = 0;
        for (const Operand& x : e.step.in) readers += x.buffer == from.buffer;
        const Info& f = d_.info[d_.value_of[from.buffer]];
        if (readers != 1 || f.end > e.group || f.owned || d_.donors[b.place] ||
            last_read(k) > write(d)) {
          continue;
        }
        out.donor = b.place;
        d_.donors[b.place] = 1;
      }
    }
  }
};

}  // namespace

void fuse(Draft& d, uint32_t group) { Fuser(d).run(group); }

}  // namespace ember::native
