// Turns a slice into steps, in linear passes: merges equal subexpressions, resolves views, groups
// ops and assigns memory. fuse.cpp writes the tile programs.
#include <algorithm>
#include <bit>

#include "engines/native/plan/draft.h"

namespace ember::native {
namespace {

constexpr size_t max_group = 4096;
constexpr int64_t min_row = 33;       // a kernel reduces many shorter rows at a time
constexpr int64_t max_row = 1 << 16;  // longer rows are cut into tiles

// The strides of a reshaped view, or nothing if the reshape needs a copy.
std::optional<Ints> reshaped(const Shape& from, const Ints& strides, const Shape& to) {
  if (size_of(std::span<const int64_t>(from)) == 0) return contiguous_strides(to);
  Shape dims;
  Ints steps;
  for (size_t i = 0; i < from.size(); ++i) {  // drops axes of length 1 and merges contiguous ones
    if (from[i] == 1) continue;
    if (!dims.empty() && steps.back() == strides[i] * from[i]) {
      dims.back() *= from[i];
      steps.back() = strides[i];
    } else {
      dims.push_back(from[i]);
      steps.push_back(strides[i]);
    }
  }
  Ints r(to.size());
  size_t k = dims.size();
  int64_t left = 1;
  int64_t step = 1;
  for (size_t i = to.size(); i--;) {
    if (to[i] == 1) {
      r[i] = step;
      continue;
    }
    if (left == 1) {
      if (k == 0) return {};
      --k;
      left = dims[k];
      step = steps[k];
    }
    if (left % to[i]) return {};
    r[i] = step;
    step *= to[i];
    left /= to[i];
  }
  return r;
}

class Compiler : Draft {
 public:
  using Draft::Draft;
  Plan compile() {
    number();
    match_layers(*this);
    group();
    find_buffers();
    donors.resize(slice.inputs.size());
    for (uint32_t g = 0; g < groups.size(); ++g) {
      if (groups[g].kind == Group::fused) {
        fuse(*this, g);
      } else if (groups[g].kind == Group::layer) {
        emit_layer(*this, info[groups[g].members.back()].layer);
      } else {
        emit_kernel(groups[g].members.back());
      }
    }
    pack_layers(*this);
    outputs();
    place_buffers();
    return std::move(plan);
  }

 private:
  struct First {
    uint32_t node, value;
  };
  std::vector<First> tuples_;

  uint32_t tuple_value(uint32_t n, uint32_t k) const {
    for (const First& f : tuples_) {
      if (f.node == n) return f.value + k;
    }
    return none;
  }

  OpId op_of(uint32_t v) const {
    if (v < slice.nodes.size()) return node(v).op;
    const auto after =
        std::upper_bound(tuples_.begin(), tuples_.end(), v,
                         [](uint32_t value, const First& f) { return value < f.value; });
    return node(std::prev(after)->node).op;
  }

  // Value numbering: equal ops over equal inputs become one value.
  void number() {
    const size_t n = slice.nodes.size();
    info.resize(n);
    std::vector<uint32_t> table(std::bit_ceil(n * 2 + 1), none);
    for (uint32_t i = 0; i < n; ++i) {
      info[i].rep = i;
      const SliceNode& a = node(i);
      info[i].wanted = a.wanted;
      if (!a.outputs.empty()) {
        tuples_.push_back({i, uint32_t(n + extra_types.size())});
        for (const Type& t : a.outputs) extra_types.push_back(t);
      }
      if (!is_elementwise(a.op)) continue;
      uint32_t in[3] = {none, none, none};
      for (size_t k = 0; k < a.in.size(); ++k) in[k] = rep(a.in[k]);
      if (commutes(a.op) && in[0] > in[1]) std::swap(in[0], in[1]);
      uint64_t h = ((in[0] * uint64_t(0x9E3779B1) + in[1]) * 0x85EBCA6Bu + in[2]) * 64 +
                   uint64_t(a.op) * 32 + uint64_t(a.dtype);
      for (h = h * 0x9E3779B97F4A7C15u >> 20;; ++h) {
        uint32_t& e = table[h & (table.size() - 1)];
        if (e == none) {
          e = i;
          break;
        }
        const SliceNode& b = node(e);
        if (a.op != b.op || a.dtype != b.dtype) continue;
        uint32_t other[3] = {none, none, none};
        for (size_t k = 0; k < b.in.size(); ++k) other[k] = rep(b.in[k]);
        if (commutes(b.op) && other[0] > other[1]) std::swap(other[0], other[1]);
        if (std::equal(in, in + 3, other)) {
          info[i].rep = e;
          info[e].wanted |= a.wanted;
          break;
        }
      }
    }
    info.resize(n + extra_types.size());
    for (uint32_t v = uint32_t(n); v < info.size(); ++v) info[v].rep = v;
    for (uint32_t v = 0; v < info.size(); ++v) {
      info[v].at = {v, 0, none, contiguous_strides(shape(v))};
    }
  }

  // The layout of a view of the value r, or nothing if a copy is needed first.
  std::optional<Layout> view(uint32_t i, uint32_t r) {
    const SliceNode& n = node(i);
    Layout at = info[r].at;
    const Shape& from = shape(r);
    switch (n.op) {
      case OpId::identity: return at;
      case OpId::reshape: {
        auto strides = reshaped(from, at.strides, n.shape);
        if (!strides) return {};
        at.strides = std::move(*strides);
        return at;
      }
      case OpId::transpose: {
        Ints s;
        for (int64_t a : n.attrs.as<PermutationAttr>().axes) s.push_back(at.strides[size_t(a)]);
        at.strides = std::move(s);
        return at;
      }
      case OpId::broadcast_to: at.strides = broadcast_strides(from, at.strides, n.shape); return at;
      case OpId::slice: {
        const auto& a = n.attrs.as<SliceAttr>();
        at.dynamic = add_terms(at.dynamic, n.param, at.strides);
        for (size_t d = 0; d < from.size(); ++d) at.strides[d] *= a.steps[d];
        return at;
      }
      case OpId::as_strided: {
        const auto& a = n.attrs.as<StridedAttr>();
        if (!contiguous(from, at.strides)) return {};
        at.offset += a.offset;
        at.strides = a.strides;
        return at;
      }
      default: return {};
    }
  }

  // The group under construction. A tile program contains elementwise ops, and reductions over
  // trailing axes.
  struct Open {
    bool on = false;
    bool channels_last = false;
    bool cut = false;  // a row is longer than a tile may be
    Shape full;
    int64_t split = -1;  // leading axes that are rows; -1: not known before the first reduction
    std::vector<uint32_t> members;
  };
  Open open_;

  bool is_row_reduce(uint32_t i) const {
    const SliceNode& n = node(i);
    return (n.op == OpId::sum || n.op == OpId::max || n.op == OpId::min || n.op == OpId::prod) &&
           !info[rep(n.in[0])].channels_last && row_reduce_kernel(n.op, tile_dtype(n.dtype));
  }
  static bool line_shape(const Shape& s, const Shape& full, int64_t split) {
    if (s.size() != full.size()) return false;
    for (size_t i = 0; i < s.size(); ++i) {
      if (s[i] != (int64_t(i) < split ? full[i] : 1)) return false;
    }
    return true;
  }
  static bool squeezed_shape(const Shape& s, const Shape& full, int64_t split) {
    return int64_t(s.size()) == split && std::equal(s.begin(), s.end(), full.begin());
  }

  // Whether node i fits into the open group; sets line, squeezed and uniform of its info if so.
  bool join(uint32_t i, Open& g, uint32_t step) {
    const SliceNode& n = node(i);
    Info& f = info[i];
    f.line = f.squeezed = f.uniform = false;
    const auto inside = [&](uint32_t r) { return info[r].step == step; };
    for (uint32_t k : n.in) {  // a view of a value that this group computes
      const uint32_t r = rep(k);
      if (info[r].at.base != r && inside(info[r].at.base)) return false;
    }
    if (!is_elementwise(n.op)) {
      const uint32_t r = rep(n.in[0]);
      if (g.channels_last || shape(r) != g.full || (inside(r) && info[r].line)) return false;
      const auto& a = n.attrs.as<ReductionAttr>();
      const int64_t split = int64_t(g.full.size() - a.axes.size());
      for (size_t k = 0; k < a.axes.size(); ++k) {
        if (a.axes[k] != split + int64_t(k)) return false;
      }
      if (a.axes.empty() || (g.split >= 0 && g.split != split)) return false;
      int64_t row = 1;
      for (size_t d = size_t(split); d < g.full.size(); ++d) row *= g.full[d];
      if (row < 1 || (row > max_row && is_complex(n.dtype))) return false;
      if (row < min_row && split > 0 && row < count(rep(n.in[0]))) return false;
      if (size_of(std::span<const int64_t>(g.full)) == 0) return false;
      if (g.split < 0) {
        for (uint32_t m : g.members) {
          if (info[m].line && !info[m].uniform) return false;
        }
      }
      g.split = split;
      g.cut = row > max_row;
      return f.line = true, f.squeezed = !a.keepdims && split > 0, f.uniform = split == 0, true;
    }
    if (n.shape == g.full) {
      for (uint32_t k : n.in) {
        const uint32_t r = rep(k);
        if (inside(r) && (info[r].squeezed || (g.cut && info[r].line))) return false;
      }
      f.line = count(i) == 1;
      f.uniform = f.line;
      return true;
    }
    const bool one = count(i) == 1;
    const bool row = g.split >= 0 && line_shape(n.shape, g.full, g.split);
    const bool squeezed = g.split > 0 && squeezed_shape(n.shape, g.full, g.split);
    // An empty group runs no tiles.
    if ((!one && !row && !squeezed) || size_of(std::span<const int64_t>(g.full)) == 0) {
      return false;
    }
    for (uint32_t k : n.in) {
      const uint32_t r = rep(k);
      if (inside(r)) {
        if (!info[r].line || (info[r].squeezed != (squeezed && !row) && !info[r].uniform)) {
          return false;
        }
        if (one && !info[r].uniform) return false;
      } else if (count(r) != 1 && !(row && line_shape(shape(r), g.full, g.split))) {
        return false;
      }
    }
    f.line = true;
    f.uniform = one;
    f.squeezed = squeezed && !row && !one;
    return true;
  }

  // The frames of a windowed rfft, which may overlap: rfft(frames * window) multiplies while it
  // reads, if only the rfft reads the product r.
  uint32_t windowed_frames(uint32_t i, uint32_t r) const {
    const SliceNode& n = node(i);
    const SliceNode& m = node(r);
    const size_t rank = m.shape.size();
    if (n.op != OpId::rfft || rep(n.in[0]) != r || m.op != OpId::multiply || info[r].wanted ||
        rank < 2) {
      return none;
    }
    const int64_t axis = n.attrs.as<FftAttr>().axis;
    const int64_t length = m.shape.back();
    if ((axis < 0 ? axis + int64_t(rank) : axis) != int64_t(rank) - 1) return none;
    for (size_t k = 0; k < 2; ++k) {
      const uint32_t x = rep(m.in[k]);
      const uint32_t window = rep(m.in[1 - k]);
      const Ints& strides = info[x].at.strides;
      if (shape(x) != m.shape || strides.back() != 1 || count(window) != length ||
          shape(window).back() != length || info[window].at.strides.back() != 1) {
        continue;
      }
      bool evenly_spaced = true;  // one stride leads from frame to frame
      for (size_t d = 0; d + 2 < rank; ++d) {
        evenly_spaced &= m.shape[d] == 1 || strides[d] == strides[d + 1] * m.shape[d + 1];
      }
      const auto reads = [&](const SliceNode& o) {
        return std::count_if(o.in.begin(), o.in.end(), [&](uint32_t v) { return rep(v) == r; });
      };
      if (evenly_spaced && std::all_of(slice.nodes.begin() + r, slice.nodes.end(),
                                       [&](const SliceNode& o) { return &o == &n || !reads(o); })) {
        return x;
      }
    }
    return none;
  }

  void set_channels_last(uint32_t v) {
    info[v].channels_last = true;
    info[v].at.strides = channels_last_strides(shape(v));
  }

  void start(const Shape& full, bool channels_last) {
    open_ = {.on = true, .channels_last = channels_last, .full = full};
  }
  void close() {
    if (!open_.on) return;
    groups.push_back({Group::fused, open_.split, std::move(open_.members), open_.channels_last});
    open_ = {};
  }
  // Adds node i to the open group if it fits.
  bool add(uint32_t i) {
    if (!open_.on || open_.members.size() >= max_group) return false;
    if (!join(i, open_, uint32_t(groups.size()))) return false;
    info[i].step = uint32_t(groups.size());
    if (open_.channels_last && shape(i) == open_.full) set_channels_last(i);
    open_.members.push_back(i);
    return true;
  }
  void add_single(std::vector<uint32_t> members) {
    for (uint32_t m : members) info[m].step = uint32_t(groups.size());
    groups.push_back({Group::single, 0, std::move(members)});
  }

  void group_layer(uint32_t i) {
    const LayerDraft& l = layers[info[i].layer];
    if (l.joined || l.members.back() != i) return;  // the layer is computed at its last member
    close();
    Group all{Group::layer, 0, {}};
    for (uint32_t k : l.before) {
      all.members.insert(all.members.end(), layers[k].members.begin(), layers[k].members.end());
    }
    all.members.insert(all.members.end(), l.members.begin(), l.members.end());
    for (uint32_t m : all.members) info[m].step = uint32_t(groups.size());
    if (!l.product) set_channels_last(i);
    groups.push_back(std::move(all));
  }
  void group_view(uint32_t i) {
    if (auto v = view(i, rep(node(i).in[0]))) {
      info[i].at = std::move(*v);
      return;
    }
    // A contiguous copy allows any view. The copy of a reshape is its result.
    close();
    add_single({i});
  }
  // Whether node i becomes part of a tile program.
  bool group_fused(uint32_t i) {
    const SliceNode& n = node(i);
    const bool elementwise = is_elementwise(n.op);
    if (!elementwise && !is_row_reduce(i)) return false;
    if (add(i)) return true;
    close();
    const bool channels_last =
        elementwise && std::any_of(n.in.begin(), n.in.end(), [&](uint32_t k) {
          return info[rep(k)].channels_last && shape(rep(k)) == n.shape;
        });
    start(elementwise ? n.shape : shape(rep(n.in[0])), channels_last);
    if (add(i)) return true;
    open_ = {};
    return false;
  }
  void group_kernel(uint32_t i) {
    const SliceNode& n = node(i);
    std::vector<uint32_t> members;
    if (open_.on && windowed_frames(i, open_.members.back()) != none) {
      members.push_back(open_.members.back());
      open_.members.pop_back();
      open_.on = !open_.members.empty();
    }
    members.push_back(i);
    close();
    const KernelRow* row = find_kernel(n.op);
    if (row && row->keeps_channels_last && info[rep(n.in[0])].channels_last &&
        n.dtype == DType::float32) {
      set_channels_last(i);
    }
    add_single(std::move(members));
    for (uint32_t k = 0; k < n.outputs.size(); ++k) info[tuple_value(i, k)].step = info[i].step;
  }
  void group() {
    for (uint32_t i = 0; i < slice.nodes.size(); ++i) {
      const SliceNode& n = node(i);
      Info& f = info[i];
      if (n.op == OpId::leaf) {
        if (n.strided) f.at.strides = n.strides;
      } else if (n.op == OpId::scalar || f.rep != i) {
        continue;
      } else if (n.op == OpId::output) {
        f.at = {tuple_value(n.in[0], n.param), 0, none, f.at.strides};
      } else if (f.layer != none) {
        group_layer(i);
      } else if (is_view(n.op)) {
        group_view(i);
      } else if (!group_fused(i)) {
        group_kernel(i);
      }
    }
    close();
  }

  void find_buffers() {
    const auto read = [&](uint32_t v, uint32_t step) {
      Info& b = info[info[v].at.base];
      ++b.uses;
      if (b.step != step) {
        b.needs_buffer = true;
        b.end = std::max(b.end, step);
      }
    };
    for (uint32_t s = 0; s < groups.size(); ++s) {
      for (uint32_t i : groups[s].members) {
        for (uint32_t k : node(i).in) read(rep(k), s);
      }
    }
    for (uint32_t i = 0; i < slice.nodes.size(); ++i) {
      if (!info[i].wanted || rep(i) != i) continue;
      Info& b = info[info[i].at.base];
      b.needs_buffer = true;
      b.owned |= !info[i].channels_last;
      b.end = none;  // the output is a copy with channels first
      ++b.uses;
    }
    for (uint32_t s = 0; s < groups.size(); ++s) {
      if (const uint32_t i = groups[s].members.back(); groups[s].kind != Group::fused) {
        info[i].needs_buffer = true;
        for (uint32_t k = 0; k < node(i).outputs.size(); ++k) {
          info[tuple_value(i, k)].needs_buffer = true;
        }
      }
    }
    uint32_t inputs = 0;  // leaves are in the order of the slice's inputs
    for (uint32_t v = 0; v < info.size(); ++v) {
      Info& f = info[v];
      const bool leaf =
          v < slice.nodes.size() && (node(v).op == OpId::leaf || node(v).op == OpId::scalar);
      if (v < slice.nodes.size() && !node(v).outputs.empty()) continue;
      if (!leaf && (!f.needs_buffer || f.rep != v)) continue;
      Buffer b{.dtype = dtype(v), .bytes = size_t(count(v)) * size_of(dtype(v))};
      b.op = name(op_of(v));
      if (leaf && node(v).op == OpId::leaf) {
        b.home = Buffer::input;
        b.place = inputs++;
      } else if (leaf) {
        b.home = Buffer::scalar;
        b.place = node(v).param;
      } else if (f.owned) {
        b.home = Buffer::owned;
      }
      f.buffer = uint32_t(plan.buffers.size());
      plan.buffers.push_back(b);
      value_of.push_back(v);
    }
  }

  void emit_kernel(uint32_t i) {
    const SliceNode& n = node(i);
    Step st{.kind = Step::kernel, .op = name(n.op)};
    if (is_view(n.op)) {  // reshape or as_strided of a strided value
      const uint32_t r = rep(n.in[0]);
      Operand to = own_operand(i);
      if (n.op == OpId::reshape) {
        to.shape = shape(r);
        to.strides = contiguous_strides(to.shape);
        st.kind = Step::copy;
        st.in.push_back(operand(r));
        st.out.push_back(to);
      } else {
        Operand from = packed(operand(r));
        const auto& a = n.attrs.as<StridedAttr>();
        from.shape = n.shape;
        from.offset = a.offset;
        from.strides = a.strides;
        st.kind = Step::copy;
        st.in.push_back(from);
        st.out.push_back(to);
      }
      plan.steps.push_back(std::move(st));
      return;
    }
    const KernelRow* row = n.op == OpId::slice_update ? nullptr : find_kernel(n.op);
    for (uint32_t k : n.in) {
      if (info[rep(k)].step == info[i].step) {  // a windowed rfft: frames and window
        const SliceNode& m = node(rep(k));
        const uint32_t x = windowed_frames(i, rep(k));
        const uint32_t other = rep(m.in[rep(m.in[0]) == x]);
        st.in.push_back(operand(x));
        st.in.push_back(operand(other));
        continue;
      }
      Operand o = operand(rep(k));
      if (row && row->contiguous_inputs && !contiguous(o.shape, o.strides) &&
          !info[i].channels_last) {
        o = packed(o);
      }
      st.in.push_back(std::move(o));
    }
    if (n.op == OpId::slice_update) {
      st.kind = Step::update;
      st.out.push_back(own_operand(i));
      const auto& a = n.attrs.as<SliceAttr>();
      Operand region = own_operand(i);
      region.shape = shape(rep(n.in[1]));
      region.dynamic = add_terms(none, n.param, region.strides);
      for (size_t d = 0; d < region.shape.size(); ++d) region.strides[d] *= a.steps[d];
      st.out.push_back(std::move(region));
    } else {
      st.run = row->run;
      st.attrs = n.attrs;
      plan.may_fail = true;
      if (n.outputs.empty()) st.out.push_back(own_operand(i));
      for (uint32_t k = 0; k < n.outputs.size(); ++k)
        st.out.push_back(own_operand(tuple_value(i, k)));
    }
    plan.steps.push_back(std::move(st));
  }

  // Assigns the arena by liveness: best fit, holes merged.
  void place_buffers() {
    std::vector<uint32_t> first(plan.buffers.size(), none);
    std::vector<uint32_t> last(plan.buffers.size(), 0);
    for (uint32_t s = 0; s < plan.steps.size(); ++s) {
      for (const Operand& o : plan.steps[s].in) last[o.buffer] = s;
      for (const Operand& o : plan.steps[s].out) {
        first[o.buffer] = std::min(first[o.buffer], s);
        last[o.buffer] = std::max(last[o.buffer], s);
      }
    }
    struct Hole {
      size_t offset, bytes;
    };
    std::vector<Hole> holes;
    size_t top = 0;
    std::vector<std::vector<uint32_t>> born(plan.steps.size());
    std::vector<std::vector<uint32_t>> dies(plan.steps.size());
    for (uint32_t b = 0; b < plan.buffers.size(); ++b) {
      if (plan.buffers[b].home != Buffer::arena || first[b] == none) continue;
      born[first[b]].push_back(b);
      dies[last[b]].push_back(b);
    }
    // A line more than needed, because kernels write whole vectors.
    const auto round = [](size_t n) { return (n + 127) / 64 * 64; };
    for (uint32_t s = 0; s < plan.steps.size(); ++s) {
      for (uint32_t b : born[s]) {
        const size_t need = round(plan.buffers[b].bytes);
        auto best = holes.end();
        for (auto it = holes.begin(); it != holes.end(); ++it) {
          if (it->bytes >= need && (best == holes.end() || it->bytes < best->bytes)) best = it;
        }
        if (best != holes.end()) {
          plan.buffers[b].offset = best->offset;
          best->offset += need;
          best->bytes -= need;
          if (!best->bytes) holes.erase(best);
        } else {
          plan.buffers[b].offset = top;
          top += need;
        }
      }
      for (uint32_t b : dies[s]) {
        Hole h{plan.buffers[b].offset, round(plan.buffers[b].bytes)};
        for (auto it = holes.begin(); it != holes.end();) {  // merged with its neighbours
          if (it->offset + it->bytes == h.offset) {
            h.offset = it->offset;
            h.bytes += it->bytes;
            it = holes.erase(it);
          } else if (h.offset + h.bytes == it->offset) {
            h.bytes += it->bytes;
            it = holes.erase(it);
          } else {
            ++it;
          }
        }
        holes.push_back(h);
      }
    }
    plan.arena_bytes = top;
    size_t most = 0;
    for (const Buffer& b : plan.buffers) {
      if (b.home == Buffer::arena && b.bytes > most) {
        most = b.bytes;
        plan.largest = b.op;
      }
    }
  }

  void outputs() {
    for (uint32_t o : slice.outputs) {
      const uint32_t v = rep(o);
      if (info[v].channels_last) {
        const Operand copy = packed(operand(v));
        plan.buffers[copy.buffer].home = Buffer::owned;
        plan.outputs.push_back({copy.buffer, 0, none, {dtype(o), shape(o)}, copy.strides, false});
        continue;
      }
      const Layout& at = info[v].at;
      const bool dense = at.offset == 0 && at.dynamic == none && contiguous(shape(o), at.strides);
      plan.outputs.push_back(
          {info[at.base].buffer, at.offset, at.dynamic, {dtype(o), shape(o)}, at.strides, !dense});
    }
  }
};

}  // namespace

bool is_elementwise(OpId op) { return has_trait(op, t_elementwise); }
bool is_view(OpId op) { return has_trait(op, t_view); }
DType tile_dtype(DType t) {
  return t == DType::float16 || t == DType::bfloat16 ? DType::float32 : t;
}

Plan make_plan(const Slice& s) { return Compiler(s).compile(); }

}  // namespace ember::native
