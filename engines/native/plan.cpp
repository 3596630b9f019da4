// From a slice to steps: equal subexpressions, views, groups, slots, memory. Linear passes.
#include "engines/native/plan.h"

#include <algorithm>
#include <bit>

namespace ember::native {
namespace {

constexpr size_t max_group = 4096;
constexpr int64_t max_row = 1 << 16;          // elements of a row that reductions inside a tile program may span
constexpr int64_t short_row = 64;             // rows shorter than this are not worth a tile of their own
constexpr size_t stream_bytes = 32 << 20;     // below, a streaming store looks faster until somebody reads the result

// How a value is laid out: a place in the buffer of another value, or its own.
struct Layout {
  uint32_t base = none;
  int64_t offset = 0;
  Small<DynamicTerm, 2> dynamic;
  Ints strides;
};

struct Info {
  uint32_t rep = none;       // the earlier equal value, or itself
  uint32_t step = none;      // which group or kernel makes it
  uint32_t last = 0;         // the last step that reads its buffer
  uint32_t uses = 0;
  uint32_t buffer = none;
  bool needs_buffer = false, wanted = false, owned = false;
  bool line = false, squeezed = false, uniform = false;
  uint32_t slot_step = none;  // step for which `slot` holds
  uint16_t slot = 0;
  Layout at;
};

bool contiguous(const Shape& shape, const Ints& strides) {
  int64_t step = 1;
  for (size_t i = shape.size(); i--;) {
    if (shape[i] != 1 && strides[i] != step) return false;
    step *= shape[i];
  }
  return true;
}

// Strides of the same memory seen in another shape, where that needs no copy.
std::optional<Ints> reshaped(const Shape& from, const Ints& strides, const Shape& to) {
  if (size_of(std::span<const int64_t>(from)) == 0) return contiguous_strides(to);
  Shape dims;
  Ints steps;
  for (size_t i = 0; i < from.size(); ++i) {  // without ones; runs that are contiguous merged
    if (from[i] == 1) continue;
    if (!dims.empty() && steps.back() == strides[i] * from[i]) dims.back() *= from[i], steps.back() = strides[i];
    else dims.push_back(from[i]), steps.push_back(strides[i]);
  }
  Ints r(to.size());
  size_t k = dims.size();
  int64_t left = 1, step = 1;
  for (size_t i = to.size(); i--;) {
    if (to[i] == 1) { r[i] = step; continue; }
    if (left == 1) {
      if (k == 0) return {};
      --k;
      left = dims[k], step = steps[k];
    }
    if (left % to[i]) return {};
    r[i] = step, step *= to[i], left /= to[i];
  }
  return r;
}

Ints broadcast_strides(const Shape& shape, const Ints& strides, const Shape& full) {
  Ints r(full.size(), 0);
  const size_t off = full.size() - shape.size();
  for (size_t i = 0; i < shape.size(); ++i) r[off + i] = shape[i] == 1 ? 0 : strides[i];
  return r;
}

// Adjacent dimensions that one stride can walk become one.
void collapse(Ints& dims, Ints& strides) {
  Ints d, s;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] == 1) continue;
    if (!d.empty() && s.back() == strides[i] * dims[i]) d.back() *= dims[i], s.back() = strides[i];
    else d.push_back(dims[i]), s.push_back(strides[i]);
  }
  dims = d, strides = s;
}

bool commutes(OpId o) { return o == OpId::add || o == OpId::multiply || o == OpId::maximum || o == OpId::minimum; }
bool pairs(OpId o) { return o >= OpId::add && o <= OpId::minimum; }
// Ops whose result needs no rounding when 16-bit floats are held as float32.
bool exact(OpId o) {
  return o == OpId::abs || o == OpId::negative || o == OpId::where || o == OpId::maximum || o == OpId::minimum || o == OpId::ceil || o == OpId::floor ||
         o == OpId::trunc || o == OpId::round || o == OpId::sign || o == OpId::copysign;
}

class Compiler {
 public:
  Compiler(const Slice& s, Plan& p) : s_(s), plan_(p) {}

  void compile() {
    number();
    group();
    find_buffers();
    donors_.resize(s_.inputs.size());
    emit();
    place_buffers();
    outputs();
  }

 private:
  const Slice& s_;
  Plan& plan_;
  std::vector<Info> info_;
  std::vector<Type> extra_types_;  // of the outputs of nodes with several: values after the nodes
  struct First { uint32_t node, value; };
  std::vector<First> tuples_;
  struct Group { uint32_t first, end, split; bool fused; std::vector<uint32_t> members; };
  std::vector<uint8_t> donors_;     // inputs whose memory some output takes
  std::vector<uint32_t> value_of_;  // of the buffers that values own
  std::vector<Group> groups_;      // one to a step, before copies are added

  const SliceNode& node(uint32_t i) const { return s_.nodes[i]; }
  const Shape& shape(uint32_t v) const { return v < s_.nodes.size() ? node(v).shape : extra_types_[v - s_.nodes.size()].shape; }
  DType dtype(uint32_t v) const { return v < s_.nodes.size() ? node(v).dtype : extra_types_[v - s_.nodes.size()].dtype; }
  int64_t count(uint32_t v) const { return size_of(std::span<const int64_t>(shape(v))); }
  uint32_t rep(uint32_t i) const { return info_[i].rep; }
  uint32_t tuple_value(uint32_t n, uint32_t k) const {
    for (const First& f : tuples_)
      if (f.node == n) return f.value + k;
    return none;
  }

  // Value numbering: equal ops over equal inputs are one value.
  void number() {
    const size_t n = s_.nodes.size();
    info_.resize(n);
    std::vector<uint32_t> table(std::bit_ceil(n * 2 + 1), none);
    for (uint32_t i = 0; i < n; ++i) {
      info_[i].rep = i;
      const SliceNode& a = node(i);
      info_[i].wanted = a.wanted;
      if (!a.outputs.empty()) {
        tuples_.push_back({i, uint32_t(n + extra_types_.size())});
        for (const Type& t : a.outputs) extra_types_.push_back(t);
      }
      if (!is_elementwise(a.op)) continue;
      uint32_t in[3] = {none, none, none};
      for (size_t k = 0; k < a.in.size(); ++k) in[k] = rep(a.in[k]);
      if (commutes(a.op) && in[0] > in[1]) std::swap(in[0], in[1]);
      uint64_t h = ((in[0] * uint64_t(0x9E3779B1) + in[1]) * 0x85EBCA6Bu + in[2]) * 64 + uint64_t(a.op) * 32 + uint64_t(a.dtype);
      for (h = h * 0x9E3779B97F4A7C15u >> 20;; ++h) {
        uint32_t& e = table[h & (table.size() - 1)];
        if (e == none) { e = i; break; }
        const SliceNode& b = node(e);
        if (a.op != b.op || a.dtype != b.dtype) continue;
        uint32_t other[3] = {none, none, none};
        for (size_t k = 0; k < b.in.size(); ++k) other[k] = rep(b.in[k]);
        if (commutes(b.op) && other[0] > other[1]) std::swap(other[0], other[1]);
        if (std::equal(in, in + 3, other)) {
          info_[i].rep = e;
          info_[e].wanted |= a.wanted;
          break;
        }
      }
    }
    info_.resize(n + extra_types_.size());
    for (uint32_t v = uint32_t(n); v < info_.size(); ++v) info_[v].rep = v;
    for (uint32_t v = 0; v < info_.size(); ++v) info_[v].at = {v, 0, {}, contiguous_strides(shape(v))};
  }

  // A view of the value r, or nothing where a copy is needed first.
  std::optional<Layout> view(uint32_t i, uint32_t r) const {
    const SliceNode& n = node(i);
    Layout at = info_[r].at;
    const Shape& from = shape(r);
    switch (n.op) {
      case OpId::reshape: {
        auto strides = reshaped(from, at.strides, n.shape);
        if (!strides) return {};
        at.strides = std::move(*strides);
        return at;
      }
      case OpId::transpose: {
        Ints s;
        for (int64_t a : n.attrs.as<AxesAttr>().axes) s.push_back(at.strides[size_t(a)]);
        at.strides = std::move(s);
        return at;
      }
      case OpId::broadcast_to: at.strides = broadcast_strides(from, at.strides, n.shape); return at;
      case OpId::slice: {
        const auto& a = n.attrs.as<SliceAttr>();
        for (size_t d = 0; d < from.size(); ++d) {
          at.dynamic.push_back({n.param + uint32_t(d), at.strides[d]});
          at.strides[d] *= a.steps[d];
        }
        return at;
      }
      case OpId::as_strided: {
        const auto& a = n.attrs.as<StridedAttr>();
        if (!contiguous(from, at.strides)) return {};
        at.offset += a.offset, at.strides = a.strides;
        return at;
      }
      default: return {};
    }
  }

  // Tile programs take every elementwise op, and reductions over the trailing axes of what they compute.
  struct Open {
    bool on = false;
    Shape full;
    int64_t split = -1;  // leading axes that are rows; -1: no reduction has decided yet
    std::vector<uint32_t> members;
  };

  bool is_row_reduce(uint32_t i) const {
    const SliceNode& n = node(i);
    return (n.op == OpId::sum || n.op == OpId::max || n.op == OpId::min || n.op == OpId::prod) && row_reduce_kernel(n.op, held(n.dtype));
  }
  static bool line_shape(const Shape& s, const Shape& full, int64_t split) {
    if (s.size() != full.size()) return false;
    for (size_t i = 0; i < s.size(); ++i)
      if (s[i] != (int64_t(i) < split ? full[i] : 1)) return false;
    return true;
  }
  static bool squeezed_shape(const Shape& s, const Shape& full, int64_t split) {
    return int64_t(s.size()) == split && std::equal(s.begin(), s.end(), full.begin());
  }

  // Whether node i can be computed inside the open group; sets what kind of member it would be.
  bool join(uint32_t i, Open& g, uint32_t step) {
    const SliceNode& n = node(i);
    Info& f = info_[i];
    f.line = f.squeezed = f.uniform = false;
    const auto inside = [&](uint32_t r) { return info_[r].step == step; };
    for (uint32_t k : n.in) {  // a view of something that the group is only about to compute
      const uint32_t r = rep(k);
      if (info_[r].at.base != r && inside(info_[r].at.base)) return false;
    }
    if (!is_elementwise(n.op)) {
      const uint32_t r = rep(n.in[0]);
      if (shape(r) != g.full || (inside(r) && info_[r].line)) return false;
      const auto& a = n.attrs.as<AxesAttr>();
      const int64_t split = int64_t(g.full.size() - a.axes.size());
      for (size_t k = 0; k < a.axes.size(); ++k)
        if (a.axes[k] != split + int64_t(k)) return false;
      if (a.axes.empty() || (g.split >= 0 && g.split != split)) return false;
      int64_t row = 1;
      for (size_t d = size_t(split); d < g.full.size(); ++d) row *= g.full[d];
      if (row > max_row || row < 1) return false;
      if (size_of(std::span<const int64_t>(g.full)) == 0) return false;
      if (g.split < 0)
        for (uint32_t m : g.members)
          if (info_[m].line && !info_[m].uniform) return false;
      g.split = split;
      return f.line = true, f.squeezed = !a.keepdims && split > 0, f.uniform = split == 0, true;
    }
    if (n.shape == g.full) {
      for (uint32_t k : n.in) {
        const uint32_t r = rep(k);
        if (inside(r) && info_[r].squeezed) return false;
      }
      f.line = count(i) == 1, f.uniform = f.line;
      return true;
    }
    const bool one = count(i) == 1, row = g.split >= 0 && line_shape(n.shape, g.full, g.split), squeezed = g.split > 0 && squeezed_shape(n.shape, g.full, g.split);
    if (!one && !row && !squeezed) return false;
    for (uint32_t k : n.in) {
      const uint32_t r = rep(k);
      if (inside(r)) {
        if (!info_[r].line || (info_[r].squeezed != (squeezed && !row) && !info_[r].uniform)) return false;
        if (one && !info_[r].uniform) return false;
      } else if (count(r) != 1 && !(row && line_shape(shape(r), g.full, g.split))) return false;
    }
    f.line = true, f.uniform = one, f.squeezed = squeezed && !row && !one;
    return true;
  }

  void group() {
    Open g;
    const auto close = [&] {
      if (!g.on) return;
      groups_.push_back({0, 0, uint32_t(g.split), true, std::move(g.members)});
      g = Open();
    };
    const auto start = [&](const Shape& full) {
      g.on = true, g.full = full, g.split = -1, g.members.clear();
    };
    for (uint32_t i = 0; i < s_.nodes.size(); ++i) {
      const SliceNode& n = node(i);
      Info& f = info_[i];
      if (n.op == OpId::leaf) {
        if (n.strided) f.at.strides = n.strides;
        continue;
      }
      if (n.op == OpId::scalar || f.rep != i) continue;
      if (n.op == OpId::output) {
        f.at = {tuple_value(n.in[0], n.param), 0, {}, f.at.strides};
        continue;
      }
      if (is_view(n.op)) {
        const uint32_t r = rep(n.in[0]);
        if (auto v = view(i, r)) {
          f.at = std::move(*v);
          continue;
        }
        // A copy makes it contiguous; then any view is possible. A reshape's copy is the result itself.
        close();
        groups_.push_back({0, 0, 0, false, {i}});
        f.step = uint32_t(groups_.size() - 1);
        continue;
      }
      const bool elementwise = is_elementwise(n.op), reduction = !elementwise && is_row_reduce(i);
      if (elementwise || reduction) {
        if (g.on && g.members.size() < max_group && join(i, g, uint32_t(groups_.size()))) {
          f.step = uint32_t(groups_.size());
          g.members.push_back(i);
          continue;
        }
        close();
        start(reduction ? shape(rep(n.in[0])) : n.shape);
        if (join(i, g, uint32_t(groups_.size()))) {
          f.step = uint32_t(groups_.size());
          g.members.push_back(i);
          continue;
        }
        g = Open();
      }
      close();
      f.step = uint32_t(groups_.size());
      for (uint32_t k = 0; k < n.outputs.size(); ++k) info_[tuple_value(i, k)].step = f.step;
      groups_.push_back({0, 0, 0, false, {i}});
    }
    close();
  }

  void find_buffers() {
    const auto read = [&](uint32_t v, uint32_t step) {
      Info& b = info_[info_[v].at.base];
      ++b.uses;
      if (b.step != step) b.needs_buffer = true, b.last = std::max(b.last, step);
    };
    for (uint32_t s = 0; s < groups_.size(); ++s)
      for (uint32_t i : groups_[s].members)
        for (uint32_t k : node(i).in) read(rep(k), s);
    for (uint32_t i = 0; i < s_.nodes.size(); ++i) {
      if (!info_[i].wanted || rep(i) != i) continue;
      Info& b = info_[info_[i].at.base];
      b.needs_buffer = true, b.owned = true, b.last = none;
      ++b.uses;
    }
    for (uint32_t s = 0; s < groups_.size(); ++s)
      if (!groups_[s].fused)
        for (uint32_t i : groups_[s].members) {
          info_[i].needs_buffer = true;
          for (uint32_t k = 0; k < node(i).outputs.size(); ++k) info_[tuple_value(i, k)].needs_buffer = true;
        }
    uint32_t inputs = 0;  // leaves come in the order of the slice's inputs
    for (uint32_t v = 0; v < info_.size(); ++v) {
      Info& f = info_[v];
      const bool leaf = v < s_.nodes.size() && (node(v).op == OpId::leaf || node(v).op == OpId::scalar);
      if (v < s_.nodes.size() && !node(v).outputs.empty()) continue;
      if (!leaf && (!f.needs_buffer || f.rep != v)) continue;
      Buffer b{.dtype = dtype(v), .bytes = size_t(count(v)) * size_of(dtype(v))};
      if (leaf && node(v).op == OpId::leaf) {
        b.home = Buffer::input;
        b.place = inputs++;
      } else if (leaf) b.home = Buffer::scalar, b.place = node(v).param;
      else if (f.owned) b.home = Buffer::owned;
      f.buffer = uint32_t(plan_.buffers.size());
      plan_.buffers.push_back(b);
      value_of_.push_back(v);
    }
  }

  Operand operand(uint32_t v) const {
    const Layout& at = info_[v].at;
    return {info_[at.base].buffer, dtype(v), at.offset, at.dynamic, shape(v), at.strides};
  }
  Operand fresh(uint32_t v) const { return {info_[v].buffer, dtype(v), 0, {}, shape(v), contiguous_strides(shape(v))}; }

  // A contiguous copy of an operand, in a step before.
  Operand packed(Operand from) {
    Buffer b{.dtype = from.dtype, .bytes = size_t(size_of(std::span<const int64_t>(from.shape))) * size_of(from.dtype)};
    plan_.buffers.push_back(b);
    Operand to{uint32_t(plan_.buffers.size() - 1), from.dtype, 0, {}, from.shape, contiguous_strides(from.shape)};
    Step c{.kind = Step::copy, .op = "copy"};
    c.in.push_back(std::move(from)), c.out.push_back(to);
    plan_.steps.push_back(std::move(c));
    return to;
  }

  void emit() {
    for (uint32_t g = 0; g < groups_.size(); ++g) {
      if (groups_[g].fused) emit_fused(g);
      else emit_kernel(groups_[g].members[0]);
    }
  }

  void emit_kernel(uint32_t i) {
    const SliceNode& n = node(i);
    Step st{.kind = Step::kernel, .op = name(n.op)};
    if (is_view(n.op)) {  // reshape or as_strided of something strided
      const uint32_t r = rep(n.in[0]);
      Operand to = fresh(i);
      if (n.op == OpId::reshape) {
        to.shape = shape(r), to.strides = contiguous_strides(to.shape);
        st.kind = Step::copy;
        st.in.push_back(operand(r)), st.out.push_back(to);
      } else {
        Operand from = packed(operand(r));
        const auto& a = n.attrs.as<StridedAttr>();
        from.shape = n.shape, from.offset = a.offset, from.strides = a.strides;
        st.kind = Step::copy;
        st.in.push_back(from), st.out.push_back(to);
      }
      plan_.steps.push_back(std::move(st));
      return;
    }
    const KernelRow* row = n.op == OpId::slice_update ? nullptr : find_kernel(n.op);
    for (uint32_t k : n.in) {
      Operand o = operand(rep(k));
      if (row && row->contiguous_inputs && !contiguous(o.shape, o.strides)) o = packed(o);
      st.in.push_back(std::move(o));
    }
    if (n.op == OpId::slice_update) {
      st.kind = Step::update;
      st.out.push_back(fresh(i));
      const auto& a = n.attrs.as<SliceAttr>();
      Operand region = fresh(i);
      region.shape = shape(rep(n.in[1]));
      for (size_t d = 0; d < region.shape.size(); ++d) {
        region.dynamic.push_back({n.param + uint32_t(d), region.strides[d]});
        region.strides[d] *= a.steps[d];
      }
      st.out.push_back(std::move(region));
    } else {
      st.run = row->run, st.attrs = n.attrs;
      plan_.may_fail = true;
      if (n.outputs.empty()) st.out.push_back(fresh(i));
      for (uint32_t k = 0; k < n.outputs.size(); ++k) st.out.push_back(fresh(tuple_value(i, k)));
    }
    plan_.steps.push_back(std::move(st));
  }

  // ---- tile programs ----
  struct Emitter {
    Step step{.kind = Step::fused, .op = "fused"};
    uint32_t group = 0;
    Shape full;
    int64_t split = 0;  // rows: leading axes before it
    std::vector<uint16_t> free[2];
    std::vector<std::pair<uint32_t, uint16_t>> written;  // value, slot: to be stored
    size_t widest = 1;
  };

  uint16_t add_slot(Emitter& e, Slot s) {
    if (e.step.program.slots.size() > 65000) throw ValueError("one expression needs too many temporaries");
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
    return add_slot(e, {.kind = line ? Slot::temp_line : Slot::temp, .element = uint8_t(size_of(t))});
  }
  void release(Emitter& e, uint16_t s) {
    const Slot::Kind k = e.step.program.slots[s].kind;
    if (k == Slot::temp || k == Slot::temp_line) e.free[k == Slot::temp_line].push_back(s);
  }

  // The slot of a value, as a tile holds it; external values get a slot of their own the first time.
  uint16_t read_slot(Emitter& e, uint32_t v) {
    Info& f = info_[v];
    if (f.slot_step == e.group) return f.slot;
    const DType t = dtype(v);
    Program& p = e.step.program;
    Slot s{.element = uint8_t(size_of(t))};
    s.operand = uint32_t(e.step.in.size());
    Operand o = operand(v);
    const bool small = t == DType::float16 || t == DType::bfloat16;
    f.line = true;
    if (plan_.buffers[o.buffer].home == Buffer::scalar) s.kind = Slot::scalar, s.element = uint8_t(size_of(held(t)));
    else {
      const Shape& full = e.full;
      // A one-element operand may have more dimensions than the group it is a uniform member of.
      const Ints strides = o.shape.size() > full.size() ? Ints(full.size(), 0) : broadcast_strides(o.shape, o.strides, full);
      const auto all_zero = [](std::span<const int64_t> x) { return std::all_of(x.begin(), x.end(), [](int64_t v) { return v == 0; }); };
      const std::span<const int64_t> inner = std::span<const int64_t>(strides).subspan(size_t(e.split));
      Ints rows(full.begin(), full.begin() + e.split), row_strides(strides.begin(), strides.begin() + e.split);
      Ints cols(full.begin() + e.split, full.end()), col_strides(inner.begin(), inner.end());
      // A leaf with strides may be foreign memory, which ends where it ends: whole vectors are only read from a copy of it.
      const uint32_t base = info_[v].at.base;
      const bool exact_end = base < s_.nodes.size() && node(base).strided;
      if (count(v) == 1) s.kind = Slot::scalar;
      else if (o.shape == full && contiguous(full, strides) && !exact_end) s.kind = Slot::full, f.line = false;
      else if (all_zero(inner) || p.cols == 1) {
        collapse(rows, row_strides);
        s.kind = Slot::row_line, s.dims = rows, s.strides = row_strides;
      } else if (collapse(cols, col_strides); cols.size() == 1 && col_strides[0] == 1 && e.split > 0 && !exact_end) {
        collapse(rows, row_strides);
        s.kind = Slot::row, s.dims = rows, s.strides = row_strides, f.line = false;
      } else {
        s.kind = Slot::gather, s.dims = full, s.strides = strides, f.line = false;
        collapse(s.dims, s.strides);
        e.widest = std::max(e.widest, size_of(t));
      }
    }
    e.step.in.push_back(std::move(o));
    uint16_t slot = add_slot(e, s);
    if (small && s.kind != Slot::scalar) {
      const uint16_t wide = temp(e, f.line, DType::float32);
      code(e, cast_kernel(t, DType::float32), wide, {slot}, {f.line}, f.line);
      slot = wide;
    } else if (small) {  // a one-element array: the interpreter converts it when it fills the line
      p.slots[slot].element = 4;
    }
    f.slot = slot, f.slot_step = e.group;
    return slot;
  }

  void code(Emitter& e, TileFn fn, uint16_t d, std::initializer_list<uint16_t> in, std::initializer_list<bool> lines, bool line) {
    Instr c{.fn = fn, .d = d};
    uint16_t* slots[] = {&c.a, &c.b, &c.c};
    size_t k = 0;
    for (uint16_t s : in) *slots[k++] = s;
    k = 0;
    for (bool l : lines) c.lines |= uint8_t(l << k++);
    c.mode = line ? Instr::line : Instr::tile;
    e.step.program.code.push_back(c);
  }

  void emit_fused(uint32_t g) {
    Group& gr = groups_[g];
    Emitter e;
    e.group = g;
    Program& p = e.step.program;
    const SliceNode& first = node(gr.members[0]);
    e.full = is_elementwise(first.op) ? first.shape : shape(rep(first.in[0]));
    const int64_t total = size_of(std::span<const int64_t>(e.full));
    const bool reduces = int32_t(gr.split) >= 0;
    choose_rows(e, gr, reduces);
    p.rows = 1, p.cols = 1;
    for (size_t d = 0; d < e.full.size(); ++d) (int64_t(d) < e.split ? p.rows : p.cols) *= e.full[d];
    p.whole_rows = reduces;
    for (uint32_t i : gr.members) info_[i].uses = 0;
    for (uint32_t i : gr.members)
      for (uint32_t k : node(i).in) ++info_[rep(k)].uses;
    // Values read again later in this group keep their slot; absorbed ones are computed inside their user.
    std::vector<uint8_t> absorbed(gr.members.size(), 0);
    std::vector<int8_t> absorb(gr.members.size(), -1);
    find_pairs(gr, absorb, absorbed);
    for (size_t m = 0; m < gr.members.size(); ++m) {
      if (absorbed[m]) continue;
      emit_member(e, gr.members[m], absorb[m]);
    }
    finish(e, total);
  }

  // Rows are worth having where reductions need them, or where broadcasts along long rows come cheap.
  void choose_rows(Emitter& e, const Group& gr, bool reduces) {
    if (reduces) { e.split = int32_t(gr.split); return; }
    e.split = 0;
    if (e.full.size() < 2 || e.full.back() < short_row) return;
    for (uint32_t i : gr.members)
      for (uint32_t k : node(i).in) {
        const uint32_t v = rep(k);
        if (info_[v].step == e.group || count(v) == 1) continue;
        const Ints strides = broadcast_strides(shape(v), info_[v].at.strides, e.full);
        if (shape(v) != e.full || !contiguous(e.full, strides)) { e.split = int64_t(e.full.size()) - 1; return; }
      }
  }

  // A binary op used once, by a binary op, is computed inside it: op2(op1(a, b), c). Both roundings stay, so bits never change.
  void find_pairs(const Group& gr, std::vector<int8_t>& absorb, std::vector<uint8_t>& absorbed) {
    std::vector<uint32_t> place(s_.nodes.size() ? gr.members.back() - gr.members.front() + 1 : 0, none);
    const uint32_t low = gr.members.front();
    for (uint32_t m = 0; m < gr.members.size(); ++m) place[gr.members[m] - low] = m;
    for (uint32_t m = 0; m < gr.members.size(); ++m) {
      const uint32_t i = gr.members[m];
      const SliceNode& n = node(i);
      if (!pairs(n.op) || info_[i].line || (n.dtype != DType::float32 && n.dtype != DType::float64)) continue;
      for (uint32_t k = 0; k < 2 && absorb[m] < 0; ++k) {
        const uint32_t r = rep(n.in[k]);
        if (r < low || r - low >= place.size() || place[r - low] == none) continue;
        const uint32_t inner = place[r - low];
        const Info& f = info_[r];
        if (!pairs(node(r).op) || f.uses != 1 || f.needs_buffer || f.line || absorb[inner] >= 0 || absorbed[inner]) continue;
        absorb[m] = int8_t(k), absorbed[inner] = 1;
      }
    }
  }

  void emit_member(Emitter& e, uint32_t i, int8_t absorb) {
    const SliceNode& n = node(i);
    Info& f = info_[i];
    uint32_t v[3] = {none, none, none};
    size_t inputs = n.in.size();
    for (size_t k = 0; k < inputs; ++k) v[k] = rep(n.in[k]);
    TileFn fn = nullptr;
    const DType t = held(n.dtype);
    if (absorb >= 0) {
      const uint32_t inner = v[absorb], other = v[1 - absorb];
      const bool swapped = absorb == 1 && !commutes(n.op);
      fn = pair_kernel(node(inner).op, n.op, swapped, t);
      v[0] = rep(node(inner).in[0]), v[1] = rep(node(inner).in[1]), v[2] = other, inputs = 3;
    } else if (n.op == OpId::cast) fn = cast_kernel(held(dtype(v[0])), t);
    else if (!is_elementwise(n.op)) fn = row_reduce_kernel(n.op, t);
    else fn = tile_kernel(n.op, held(dtype(v[inputs - 1])));
    uint16_t s[3] = {};
    bool lines[3] = {};
    for (size_t k = 0; k < inputs; ++k) s[k] = read_slot(e, v[k]), lines[k] = info_[v[k]].line;
    for (size_t k = 0; k < inputs; ++k)
      if (info_[v[k]].step == e.group && --info_[v[k]].uses == 0 && !info_[v[k]].needs_buffer) release(e, s[k]);
    const bool direct = f.needs_buffer && !f.line && n.dtype == t && can_write(e, i);
    uint16_t d;
    if (direct) {
      d = add_slot(e, {.kind = Slot::full, .element = uint8_t(size_of(t)), .written = true, .operand = none});
      e.widest = std::max(e.widest, size_of(t));
    } else d = temp(e, f.line, t);
    Instr c{.fn = fn, .d = d, .a = s[0], .b = s[1], .c = s[2]};
    for (size_t k = 0; k < inputs; ++k) c.lines |= uint8_t(lines[k] << k);
    c.mode = !is_elementwise(n.op) ? Instr::reduce : f.line ? Instr::line : Instr::tile;
    e.step.program.code.push_back(c);
    if (n.dtype != t && !exact(n.op)) code(e, round_kernel(n.dtype), d, {d}, {f.line}, f.line);
    f.slot = d, f.slot_step = e.group;
    if (!f.needs_buffer) return;
    if (direct) { e.written.push_back({i, d}); return; }
    uint16_t source = d;
    if (n.dtype != t) {
      source = temp(e, f.line, n.dtype);
      code(e, cast_kernel(t, n.dtype), source, {d}, {f.line}, f.line);
    }
    Slot out{.kind = f.line ? Slot::line_out : Slot::store, .element = uint8_t(size_of(n.dtype)), .per_row = !f.uniform, .source = source};
    out.stream = !f.line && streams(i) && size_of(n.dtype) * size_t(e.step.program.cols) % 64 == 0;
    e.written.push_back({i, add_slot(e, out)});
  }

  bool streams(uint32_t i) const { return size_t(count(i)) * size_of(dtype(i)) >= stream_bytes; }
  // Kernels write whole vectors: rows must end on one, or the next row's start would be overwritten.
  bool can_write(const Emitter& e, uint32_t i) const {
    const size_t row = size_t(e.step.program.cols) * size_of(dtype(i));
    return !streams(i) && (e.split == 0 || e.step.program.rows == 1 || row % 64 == 0);
  }

  void finish(Emitter& e, int64_t total) {
    Program& p = e.step.program;
    for (auto [v, slot] : e.written) {
      p.slots[slot].operand = uint32_t(e.step.in.size() + e.step.out.size());
      e.step.out.push_back(fresh(v));
    }
    size_t tiles = 1;
    for (const Slot& s : p.slots) tiles += s.kind == Slot::temp || s.kind == Slot::full || s.kind == Slot::gather || s.kind == Slot::store;
    const size_t fit = std::bit_floor(std::max<size_t>(1, 40960 / (tiles * e.widest)));
    p.tile = p.whole_rows ? p.cols : std::min<int64_t>(p.cols, int64_t(std::clamp<size_t>(fit, 256, 512)));
    p.temp_bytes = (size_t(p.tile) * e.widest + 63) / 64 * 64;
    find_donors(e, total);
    plan_.steps.push_back(std::move(e.step));
  }

  // An output may take the memory of an input that dies here, if every read of a tile comes before the write.
  void find_donors(Emitter& e, int64_t total) {
    Program& p = e.step.program;
    const auto last_read = [&](uint16_t slot) {
      size_t at = 0;
      for (size_t k = 0; k < p.code.size(); ++k)
        if (p.code[k].a == slot || p.code[k].b == slot || p.code[k].c == slot) at = k;
      return at;
    };
    const auto write = [&](uint16_t slot) {
      for (size_t k = 0; k < p.code.size(); ++k)
        if (p.code[k].d == slot) return k;
      return size_t(0);
    };
    for (auto [v, d] : e.written) {
      const Slot& o = p.slots[d];
      if (o.kind != Slot::full) continue;
      Buffer& out = plan_.buffers[info_[v].buffer];
      if (out.home != Buffer::owned) continue;
      for (uint16_t k = 0; k < p.slots.size() && k < 64 && out.donor == none; ++k) {
        const Slot& s = p.slots[k];
        if (s.kind != Slot::full || s.written || s.element != o.element) continue;
        const Operand& from = e.step.in[s.operand];
        const Buffer& b = plan_.buffers[from.buffer];
        if (b.home != Buffer::input || int64_t(b.bytes) != total * s.element || !from.dynamic.empty() || from.offset) continue;
        size_t readers = 0;
        for (const Operand& x : e.step.in) readers += x.buffer == from.buffer;
        const Info& f = info_[value_of_[from.buffer]];
        if (readers != 1 || f.last > e.group || f.owned || donors_[b.place] || last_read(k) > write(d)) continue;
        out.donor = b.place, donors_[b.place] = 1;
      }
    }
  }

  // Arena memory is reused as soon as its last reader is done.
  void place_buffers() {
    std::vector<uint32_t> first(plan_.buffers.size(), none), last(plan_.buffers.size(), 0);
    for (uint32_t s = 0; s < plan_.steps.size(); ++s) {
      for (const Operand& o : plan_.steps[s].in) last[o.buffer] = s;
      for (const Operand& o : plan_.steps[s].out) {
        first[o.buffer] = std::min(first[o.buffer], s);
        last[o.buffer] = std::max(last[o.buffer], s);
      }
    }
    struct Hole { size_t offset, bytes; };
    std::vector<Hole> holes;
    size_t top = 0;
    std::vector<std::vector<uint32_t>> born(plan_.steps.size()), dies(plan_.steps.size());
    for (uint32_t b = 0; b < plan_.buffers.size(); ++b) {
      if (plan_.buffers[b].home != Buffer::arena || first[b] == none) continue;
      born[first[b]].push_back(b), dies[last[b]].push_back(b);
    }
    const auto round = [](size_t n) { return (n + 127) / 64 * 64; };  // one spare line: kernels write whole vectors
    for (uint32_t s = 0; s < plan_.steps.size(); ++s) {
      for (uint32_t b : born[s]) {
        const size_t need = round(plan_.buffers[b].bytes);
        auto best = holes.end();
        for (auto it = holes.begin(); it != holes.end(); ++it)
          if (it->bytes >= need && (best == holes.end() || it->bytes < best->bytes)) best = it;
        if (best != holes.end()) {
          plan_.buffers[b].offset = best->offset;
          best->offset += need, best->bytes -= need;
          if (!best->bytes) holes.erase(best);
        } else plan_.buffers[b].offset = top, top += need;
      }
      for (uint32_t b : dies[s]) {
        Hole h{plan_.buffers[b].offset, round(plan_.buffers[b].bytes)};
        for (auto it = holes.begin(); it != holes.end();) {  // joined with its neighbours
          if (it->offset + it->bytes == h.offset) h.offset = it->offset, h.bytes += it->bytes, it = holes.erase(it);
          else if (h.offset + h.bytes == it->offset) h.bytes += it->bytes, it = holes.erase(it);
          else ++it;
        }
        holes.push_back(h);
      }
    }
    plan_.arena_bytes = top;
  }

  void outputs() {
    for (uint32_t o : s_.outputs) {
      const Layout& at = info_[rep(o)].at;
      const bool dense = at.offset == 0 && at.dynamic.empty() && contiguous(shape(o), at.strides);
      plan_.outputs.push_back({info_[at.base].buffer, at.offset, at.dynamic, at.strides, !dense});
    }
  }
};

}  // namespace

bool is_elementwise(OpId op) { return op >= OpId::abs && op <= OpId::cast; }
bool is_view(OpId op) { return op == OpId::reshape || op == OpId::transpose || op == OpId::slice || op == OpId::broadcast_to || op == OpId::as_strided; }
DType held(DType t) { return t == DType::float16 || t == DType::bfloat16 ? DType::float32 : t; }

Plan make_plan(const Slice& s) {
  Plan p;
  Compiler(s, p).compile();
  return p;
}

}  // namespace ember::native
