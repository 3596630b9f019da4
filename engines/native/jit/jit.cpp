// Chooses the instructions of a run. registers-inl.h allocates registers, emit-inl.h emits the
// machine code.
#include "engines/native/jit/jit.h"

#if defined(__x86_64__) && defined(__linux__)
#include <algorithm>
#include <bit>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include <xbyak/xbyak.h>

#include "engines/native/tiles/tables.h"

namespace ember::native {
const char* instruction_set();

namespace {
enum class Isa { none, avx2, avx512 };
Isa isa() {  // Highway's choice, so that a test which disables a target disables it here
  static const Isa found = [] {
    const std::string_view name = instruction_set();
    return name.starts_with("AVX3") ? Isa::avx512 : name == "AVX2" ? Isa::avx2 : Isa::none;
  }();
  return found;
}

#include "engines/native/jit/registers-inl.h"

// After registers-inl.h, which it uses.
#include "engines/native/jit/emit-inl.h"

// A candidate for a run: values in the order of their definition, each computed once.
struct Draft {
  const Program& program;
  size_t begin, end;
  std::vector<Value> values;
  std::vector<Op> ops;
  int lanes = 0;

  Draft(const Program& p, size_t b, size_t e) : program(p), begin(b), end(e) {
    std::map<uint16_t, uint32_t> now;  // the current value of a slot
    const auto read = [&](uint16_t slot, DType t, bool line) {
      const auto [at, fresh] = now.try_emplace(slot, uint32_t(values.size()));
      if (fresh) {
        values.push_back({.dtype = t, .slot = slot, .source = line ? Value::line : Value::memory});
      }
      return at->second;
    };
    for (size_t i = b; i < e; ++i) {
      const Instr& c = p.code[i];
      Op op{.instr = &c};
      const uint16_t slots[] = {c.a, c.b, c.c};
      for (int k = 0; k < operands(c); ++k) {
        const DType t = c.op == OpId::where && k == 0 ? DType::bool_ : c.from;
        op.in[op.inputs++] = read(slots[k], t, c.lines >> k & 1);
      }
      op.rounds_clean = c.rounds && values[op.in[0]].source == Value::computed &&
                        ops[values[op.in[0]].made_by].instr->op != OpId::cast;
      op.out = uint32_t(values.size());
      now[c.d] = op.out;
      values.push_back({.dtype = result_of(c),
                        .slot = c.d,
                        .source = Value::computed,
                        .made_by = uint32_t(ops.size())});
      ops.push_back(op);
    }
    for (const auto& [slot, v] : now) {
      if (values[v].source == Value::computed) keep(values[v]);
    }
    gather_functions();
    for (uint32_t i = 0; i < ops.size(); ++i) {
      values[ops[i].out].made_by = values[ops[i].out].last_use = i;
      for (int k = 0; k < ops[i].inputs; ++k) values[ops[i].in[k]].last_use = i;
    }
    size_t widest = 4;
    for (const Value& v : values) widest = std::max(widest, size_of(v.dtype));
    lanes = int((isa() == Isa::avx512 ? 64 : 32) / widest);
  }
  // Moves independent functions together, because one alone is a chain of dependent instructions.
  // An instruction between them may move ahead of them if it writes no memory, which they may read.
  void gather_functions() {
    constexpr size_t ahead = 16;  // beyond it, more values would occupy registers
    std::vector<Op> order;
    std::vector<uint8_t> there(values.size(), 0);
    std::vector<uint8_t> done(ops.size(), 0);
    for (uint32_t v = 0; v < values.size(); ++v) there[v] = values[v].source != Value::computed;
    for (size_t first = 0; first < ops.size();) {
      std::vector<size_t> together;
      bool passed = false;  // some op
      for (size_t i = first, end = std::min(ops.size(), first + ahead);
           i < end && together.size() < most_side_by_side; ++i) {
        const Op& o = ops[i];
        if (done[i]) continue;
        const bool function = is_function(o.instr->op);
        const bool ready = std::all_of(o.in, o.in + o.inputs, [&](uint32_t v) { return there[v]; });
        if (!ready || (values[o.out].stored && (passed || (!function && !together.empty())))) {
          passed = true;
        } else if (function) {
          together.push_back(i);
        } else {
          order.push_back(o);
          there[o.out] = done[i] = true;
        }
      }
      for (size_t i : together) {
        order.push_back(ops[i]);
        order.back().side_by_side = i == together.front() ? uint32_t(together.size()) : 1;
        there[ops[i].out] = done[i] = true;
      }
      while (first < ops.size() && done[first]) ++first;
    }
    ops = std::move(order);
  }
  // Whether the value is read after the run. A value that would be copied with non-temporal stores
  // is stored directly.
  void keep(Value& v) const {
    v.stored = program.slots[v.slot].kind == Slot::full;
    for (size_t i = end; i < program.code.size() && !v.stored; ++i) {
      const Instr& c = program.code[i];
      v.stored = c.reads(v.slot);
      if (c.d == v.slot) return;
    }
    for (size_t k = 0; k < program.slots.size() && !v.stored; ++k) {
      const Slot& s = program.slots[k];
      if ((s.kind != Slot::store && s.kind != Slot::line_out) || s.source != v.slot) continue;
      v.stored = true;
      if (s.stream && !v.mask()) {
        v.slot = uint16_t(k);
        v.streams = true;
      }
    }
  }
  // The number of ops that fit into one run: while registers last, and until a slot is written with
  // wider elements than were read from it, because later iterations still read it.
  size_t fits() const {
    size_t n = registers_last(ops, values);
    if (lanes == 8) {  // vectors of 8 lanes have no functions: a run has one kind or the other
      const auto function = std::find_if(ops.begin(), ops.end(),
                                         [](const Op& o) { return is_function(o.instr->op); });
      const auto wide = std::find_if(ops.begin(), ops.end(), [](const Op& o) {
        return size_of(o.instr->from) == 8 || size_of(o.instr->to) == 8;
      });
      n = std::min(n, size_t(std::max(function, wide) - ops.begin()));
    }
    for (const Value& to : values) {
      for (const Value& from : values) {
        if (to.stored && from.source == Value::memory && from.slot == to.slot &&
            size_of(from.dtype) < size_of(to.dtype)) {
          n = std::min<size_t>(n, to.made_by);
        }
      }
    }
    return n;
  }
  std::string key() const {
    std::string r;
    const auto put = [&](auto v) { r.append(reinterpret_cast<const char*>(&v), sizeof v); };
    for (const Op& o : ops) {
      const Instr& c = *o.instr;
      put(c.op);
      put(c.from);
      put(c.to);
      put(c.rounds);
      put(c.lines);
      put(c.d);
      put(c.a);
      put(c.b);
      put(c.c);
      put(values[o.out].stored);
      put(values[o.out].slot);
    }
    return r;
  }
};

// Moves instructions over lines before the tile's instructions, so that they do not split runs.
void gather_lines(std::vector<Instr>& code) {
  for (size_t i = 1; i < code.size(); ++i) {
    for (size_t k = i; code[k].mode == Instr::line && k && code[k - 1].mode == Instr::tile &&
                       !code[k - 1].reads(code[k].d);
         --k) {
      std::swap(code[k - 1], code[k]);
    }
  }
}

// Equal runs of different plans share their code.
std::shared_ptr<const Code> code_for(const Draft& draft) {
  static std::mutex lock;
  static std::map<std::string, std::weak_ptr<const Code>, std::less<>>* const known =
      new std::map<std::string, std::weak_ptr<const Code>, std::less<>>;
  const std::string key = draft.key();
  const std::lock_guard guard(lock);
  if (const auto at = known->find(key); at != known->end()) {
    if (auto code = at->second.lock()) return code;
  }
  auto code = std::make_shared<Code>(draft.ops, draft.values, draft.lanes);
  if (known->size() >= 1024) {
    std::erase_if(*known, [](const auto& entry) { return entry.second.expired(); });
  }
  (*known)[key] = code;
  return code;
}
}  // namespace

bool generates() { return isa() != Isa::none; }

size_t generate_runs(Program& p) {
  if (!generates()) return 0;
  gather_lines(p.code);
  size_t functions = 0;
  std::vector<Instr> code;
  std::vector<uint8_t> used(p.slots.size(), 0);
  const auto use = [&](const Instr& c) { used[c.d] = used[c.a] = used[c.b] = used[c.c] = 1; };
  for (size_t i = 0; i < p.code.size();) {
    size_t end = i;
    while (end < p.code.size() && p.code[end].mode == Instr::tile && can_write(p.code[end])) ++end;
    std::shared_ptr<const Code> made;
    while (!made && end >= i + 1) {
      const Draft draft(p, i, end);
      if (const size_t fits = draft.fits(); fits < draft.ops.size()) {
        end = i + fits;
        continue;
      }
      try {
        made = code_for(draft);
      } catch (
          const Xbyak::Error&) {  // no executable memory: the interpreter runs the instructions
        break;
      }
    }
    if (!made) {
      use(p.code[i]);
      code.push_back(p.code[i++]);
      continue;
    }
    for (uint16_t slot : made->slots()) {
      used[slot] = 1;
      if (Slot& s = p.slots[slot]; s.kind == Slot::store) {
        s.kind = Slot::full;
        s.written = true;
      }
    }
    functions += size_t(std::count_if(p.code.begin() + i, p.code.begin() + end,
                                      [](const Instr& c) { return is_function(c.op); }));
    code.push_back({.run_fn = made->entry(), .mode = Instr::run});
    p.generated.push_back(std::move(made));
    i = end;
  }
  p.code = std::move(code);
  for (const Slot& s : p.slots) {
    if (s.kind == Slot::store || s.kind == Slot::line_out) used[s.source] = 1;
  }
  for (size_t k = 0; k < used.size(); ++k) {
    if (!used[k] && (p.slots[k].kind == Slot::temp || p.slots[k].kind == Slot::temp_line)) {
      p.slots[k].kind = Slot::unused;
    }
  }
  return functions;
}
}  // namespace ember::native

#else
namespace ember::native {
bool generates() { return false; }
size_t generate_runs(Program&) { return 0; }
}  // namespace ember::native
#endif
