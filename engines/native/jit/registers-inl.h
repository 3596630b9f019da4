// Finds instructions that have machine code, and allocates registers. Included by jit.cpp, inside
// its namespace.

struct Value {
  enum Source : uint8_t { memory, line, computed };
  DType dtype;
  uint16_t slot;
  Source source;
  uint32_t made_by = 0, last_use = 0;
  bool stored = false, streams = false;  // streams: with non-temporal stores
  bool mask() const { return dtype == DType::bool_; }
};
struct Op {
  const Instr* instr;
  uint32_t in[3] = {}, out = 0;
  int inputs = 0;
  uint32_t side_by_side = 1;  // functions from here on whose instructions are interleaved
  bool rounds_clean = false;  // NaN has zeros in the bits that bfloat16 drops
};

bool is_f(DType t) { return t == DType::float32 || t == DType::float64; }
bool is_i4(DType t) { return t == DType::int32 || t == DType::uint32; }
bool is_i8(DType t) { return t == DType::int64 || t == DType::uint64; }
bool is_test(OpId o) {
  return o == OpId::equal || o == OpId::not_equal || o == OpId::less || o == OpId::less_equal ||
         o == OpId::greater || o == OpId::greater_equal;
}
bool is_function(OpId o) {
  return o == OpId::exp || o == OpId::sigmoid || o == OpId::tanh || o == OpId::erf ||
         o == OpId::log || o == OpId::log1p;
}
bool is_class(OpId o) { return o == OpId::isnan || o == OpId::isinf || o == OpId::isfinite; }

int operands(const Instr& c) {
  if (is_function(c.op)) return 1;
  switch (c.op) {
    case OpId::where: return 3;
    case OpId::abs:
    case OpId::negative:
    case OpId::square:
    case OpId::sqrt:
    case OpId::reciprocal:
    case OpId::rsqrt:
    case OpId::floor:
    case OpId::ceil:
    case OpId::trunc:
    case OpId::round:
    case OpId::isnan:
    case OpId::isinf:
    case OpId::isfinite:
    case OpId::logical_not:
    case OpId::bitwise_invert:
    case OpId::cast: return 1;
    default: return 2;
  }
}
DType result_of(const Instr& c) {
  if (is_test(c.op) || is_class(c.op)) return DType::bool_;
  return c.op != OpId::cast ? c.from : c.rounds ? DType::float32 : c.to;
}
bool can_cast(DType from, DType to, bool wide) {
  using enum DType;
  if (to == bool_) return wide && (is_f(from) || is_i4(from) || is_i8(from));
  switch (from) {
    case float32: return to == float16 || to == bfloat16 || to == float64 || to == float32;
    case float64: return to == float32 || to == float64;
    case float16:
    case bfloat16: return to == float32;
    case int8:
    case uint8:
    case int16:
    case uint16: return to == float32 || to == int32;
    case int32: return is_f(to) || to == int32;
    case uint32: return wide && is_f(to);
    case int64:
    case uint64: return wide && is_f(to);
    case bool_: return wide && (is_f(to) || is_i4(to) || is_i8(to));
    default: return false;
  }
}
// Whether there is machine code for an instruction.
bool can_write(const Instr& c) {
  const bool wide = isa() == Isa::avx512;
  const bool f = is_f(c.from);
  const bool i4 = is_i4(c.from);
  const bool i8 = is_i8(c.from);
  const bool mask = wide && c.from == DType::bool_;
  if (is_test(c.op)) return wide && (f || i4 || i8);
  if (is_class(c.op)) return wide && f;
  if (is_function(c.op)) return wide && c.from == DType::float32;
  switch (c.op) {
    case OpId::add:
    case OpId::subtract: return f || i4 || i8;
    case OpId::multiply:
    case OpId::maximum:
    case OpId::minimum: return f || i4 || (i8 && wide);
    case OpId::divide:
    case OpId::copysign:
    case OpId::sqrt:
    case OpId::reciprocal:
    case OpId::rsqrt:
    case OpId::floor:
    case OpId::ceil:
    case OpId::trunc:
    case OpId::round: return f;
    case OpId::abs: return f || c.from == DType::int32 || (c.from == DType::int64 && wide);
    case OpId::negative: return f || i4 || i8;
    case OpId::square: return f || i4 || (i8 && wide);
    case OpId::bitwise_and:
    case OpId::bitwise_or:
    case OpId::bitwise_xor: return i4 || i8 || mask;
    case OpId::bitwise_invert: return i4 || i8 || mask;
    case OpId::logical_and:
    case OpId::logical_or:
    case OpId::logical_xor:
    case OpId::logical_not: return mask;
    case OpId::where: return wide && (f || i4 || i8);
    case OpId::cast: return can_cast(c.from, c.to, wide);
    default: return false;
  }
}

// The last two vector registers and the last mask register are temporaries of an instruction;
// functions get more.
int vectors() { return isa() == Isa::avx512 ? 30 : 14; }
constexpr int masks = 6, max_lines = 8, function_vectors = 4;
constexpr size_t most_side_by_side = 3;

// Allocates registers to values. `enter` and `drop` are called in the order of emission.
class Registers {
 public:
  Registers(const std::vector<Op>& ops, std::vector<Value> values)
      : values_(std::move(values)), at_(values_.size(), -1) {
    for (int r = vectors(); r--;) free_[0].push_back(r);
    for (int r = masks; r; --r) free_[1].push_back(r);  // k0 means no mask
    int lines = 0;
    for (uint32_t v = 0; v < values_.size(); ++v) {
      if (values_[v].source == Value::line && lines < (values_[v].mask() ? 2 : max_lines)) {
        ++lines;
        take(v);
        values_[v].last_use =
            uint32_t(ops.size());  // behind the run: the next iteration reads it again
        kept_.push_back(v);
      }
    }
  }
  const std::vector<uint32_t>& kept() const { return kept_; }
  const Value& value(uint32_t v) const { return values_[v]; }
  int at(uint32_t v) const { return at_[v]; }
  int most() const { return most_; }  // the number of vector registers in use, the first ones
  // The registers of an op, or of interleaved functions; nothing if registers run out. `load` is
  // called for values that are not in a register yet. Functions write while others still read.
  struct Places {
    int in[3], work[function_vectors], to;
  };
  template <class F> std::vector<Places> enter(const std::vector<Op>& ops, uint32_t i, F load) {
    const Op* const o = &ops[i];
    const uint32_t n = o->side_by_side;
    const bool function = is_function(o->instr->op);
    std::vector<Places> r(n);
    for (uint32_t f = 0; f < n; ++f) {
      for (int k = 0; k < o[f].inputs; ++k) {
        const uint32_t v = o[f].in[k];
        if (at_[v] < 0) {
          if (!take(v)) return {};
          load(v);
        }
        r[f].in[k] = at_[v];
      }
    }
    std::vector<int> work;
    for (size_t k = function ? 2 : function_vectors; k < n * function_vectors; ++k) {
      if (free_[0].empty()) return {};
      work.push_back(grab(free_[0]));
    }
    if (!function) {
      for (int k = 0; k < o->inputs; ++k) drop(o->in[k], i);
    }
    for (uint32_t f = 0; f < n; ++f) {
      if (!take(o[f].out)) return {};
      r[f].to = at_[o[f].out];
      for (int k = 0; k < function_vectors && function; ++k) {
        r[f].work[k] = f == 0 && k < 2 ? vectors() + k : work[f * function_vectors + size_t(k) - 2];
      }
    }
    if (function) {
      for (uint32_t f = 0; f < n; ++f) drop(o[f].in[0], i + f);
    }
    free_[0].insert(free_[0].end(), work.begin(), work.end());
    return r;
  }
  void drop(uint32_t v, uint32_t op) {
    if (values_[v].last_use == op && at_[v] >= 0) {
      free_[values_[v].mask()].push_back(std::exchange(at_[v], -1));
    }
  }

 private:
  int grab(std::vector<int>& from) {
    const int r = from.back();
    from.pop_back();
    most_ = std::max(most_, vectors() - int(free_[0].size()));
    return r;
  }
  bool take(uint32_t v) {
    auto& f = free_[values_[v].mask()];
    if (f.empty()) return false;
    at_[v] = grab(f);
    return true;
  }
  std::vector<Value> values_;
  std::vector<int> at_, free_[2];
  std::vector<uint32_t> kept_;
  int most_ = 0;
};
// The number of ops that can be emitted before registers run out.
size_t registers_last(const std::vector<Op>& ops, const std::vector<Value>& values) {
  Registers r(ops, values);
  for (uint32_t i = 0, n; i < ops.size(); i += n) {
    n = ops[i].side_by_side;
    if (r.enter(ops, i, [](uint32_t) {}).empty()) return i;
    for (uint32_t f = i; f < i + n; ++f) r.drop(ops[f].out, f);
  }
  return ops.size();
}
