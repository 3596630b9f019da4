// Emits a run as machine code, for AVX2 and AVX-512. Included by jit.cpp, inside its namespace.
//
// One iteration computes a vector of each value, 64 (or 32) bytes of the widest type. Tiles are
// padded, so there is no remainder loop. Lines stay in registers through the loop while there are
// enough. Conditions are in mask registers, which AVX2 does not have: there the interpreter runs
// instructions with conditions, and functions, which need AVX-512's table lookup.

class Code : Xbyak::CodeGenerator {
 public:
  using Fn = void (*)(std::byte* const*, size_t);
  Code(const std::vector<Op>& ops, const std::vector<Value>& values, int lanes)
      : CodeGenerator(room(ops), Xbyak::DontSetProtectRWE), registers_(ops, values), lanes_(lanes) {
    for (const Value& v : values) {
      if ((v.source != Value::computed || v.stored) && !has_base(v.slot)) slots_.push_back(v.slot);
    }
    // Emitted twice: the first pass finds the constants and the registers that are left for them.
    write_body(ops);
    std::vector<Bits> found;
    for (const auto& entry : constants_) found.push_back(entry.first);
    constants_.clear();
    rescues_.clear();  // with their labels, before others get the same numbers
    reset();
    for (int r = registers_.most(); const Bits& bits : found) {
      constants_[bits].reg = r < vectors() ? r++ : -1;
    }
    registers_ = Registers(ops, values);
    // The addresses of slots beyond the base registers are loaded when needed.
    const bool more = slots_.size() > std::size(bases);
    const size_t held = std::min(slots_.size(), std::size(bases));
    for (size_t k = scratch_bases; k < held; ++k) push(bases[k]);
    if (more) push(r15);
    for (size_t k = 0; k < held; ++k) mov(bases[k], ptr[rdi + slots_[k] * 8]);
    for (uint32_t v : registers_.kept()) load(v);
    for (auto& [bits, c] : constants_) {
      if (c.reg >= 0) {
        vmovups(Reg(wide() ? Xbyak::Operand::ZMM : Xbyak::Operand::YMM, c.reg), ptr[rip + c.label]);
      }
    }
    xor_(eax, eax);
    align(32);
    Xbyak::Label loop;
    L(loop);
    write_body(ops);
    add(rax, lanes_);
    cmp(rax, rsi);
    jb(loop, T_NEAR);
    vzeroupper();
    if (more) pop(r15);
    for (size_t k = held; k-- > scratch_bases;) pop(bases[k]);
    ret();
    for (Rescue& r : rescues_) write_rescue(r);
    align(64);
    for (auto& [bits, c] : constants_) {
      L(c.label);
      for (int k = 0; k < 16; ++k) {
        dd(bits.table ? std::bit_cast<uint32_t>(bits.table[k])
                      : uint32_t(bits.repeated >> k % 2 * 32));
      }
    }
    setProtectModeRE();
  }
  Fn entry() const { return getCode<Fn>(); }
  const std::vector<uint16_t>& slots() const { return slots_; }  // whose memory the code accesses

 private:
  using Reg = Xbyak::Xmm;
  const Xbyak::Reg64 bases[11] = {rcx, rdx, r8, r9, r10, r11, rbx, rbp, r12, r13, r14};
  static constexpr size_t scratch_bases = 6;  // the caller-saved ones among them
  Registers registers_;
  int lanes_;
  std::vector<uint16_t> slots_;
  struct Bits {  // of a vector: a repeated pattern, or a table
    const float* table = nullptr;
    uint64_t repeated = 0;
    auto operator<=>(const Bits&) const = default;
  };
  struct Constant {
    Xbyak::Label label;
    int reg = -1;
  };
  std::map<Bits, Constant> constants_;  // tables last: other constants profit more from registers
  struct Rescue {
    OpId op;
    int from, to;
    Xbyak::Label begin, back;
  };  // see write_rescue
  std::deque<Rescue> rescues_;
  std::deque<Reg> constant_registers_;  // a deque, so that references to operands stay valid
  std::deque<Xbyak::Address> constant_addresses_;

  bool wide() const { return isa() == Isa::avx512; }
  bool has_base(uint16_t slot) const {
    return std::find(slots_.begin(), slots_.end(), slot) != slots_.end();
  }
  Reg vec(int r, size_t element) const {
    const size_t bytes = element * size_t(lanes_);
    return Reg(bytes == 64   ? Xbyak::Operand::ZMM
               : bytes == 32 ? Xbyak::Operand::YMM
                             : Xbyak::Operand::XMM,
               r);
  }
  int scratch(int k) const { return vectors() + k; }
  Xbyak::Opmask mask(int r) const { return Xbyak::Opmask(r); }
  static size_t room(const std::vector<Op>& ops) {
    size_t r = 8191;
    for (const Op& o : ops) r += is_function(o.instr->op) ? 2048 : 192;
    return r / 4096 * 4096;
  }
  const Xbyak::Operand& constant(uint64_t bits, size_t element) {
    return constant({nullptr, bits}, element);
  }
  const Xbyak::Operand& constant(Bits bits, size_t element) {
    Constant& c = constants_[bits];
    if (c.reg >= 0) return constant_registers_.emplace_back(vec(c.reg, element));
    return constant_addresses_.emplace_back(ptr[rip + c.label]);
  }
  const Xbyak::Operand& constant4(uint32_t v) { return constant(uint64_t(v) << 32 | v, 4); }
  const Xbyak::Operand& constant8(uint64_t v) { return constant(v, 8); }
  const Xbyak::Operand& sign(bool d) {
    return d ? constant8(uint64_t(1) << 63) : constant4(uint32_t(1) << 31);
  }
  const Xbyak::Operand& magnitude(bool d) {
    return d ? constant8(~(uint64_t(1) << 63)) : constant4(~(uint32_t(1) << 31));
  }
  const Xbyak::Operand& one(DType t) {
    if (t == DType::float64) return constant8(0x3ff0000000000000);
    return is_i8(t) ? constant8(1) : constant4(t == DType::float32 ? 0x3f800000 : 1);
  }

  void write_body(const std::vector<Op>& ops) {
    for (uint32_t i = 0, n; i < ops.size(); i += n) {
      n = ops[i].side_by_side;
      const std::vector<Registers::Places> at =
          registers_.enter(ops, i, [&](uint32_t v) { load(v); });
      if (is_function(ops[i].instr->op)) {
        std::vector<Steps> functions;
        size_t longest = 0;
        for (uint32_t f = 0; f < n; ++f) {
          longest = std::max(longest,
                             functions.emplace_back(steps_of(ops[i + f].instr->op, at[f])).size());
        }
        for (size_t k = 0; k < longest; ++k) {
          for (const Steps& f : functions) {
            if (k < f.size()) f[k]();
          }
        }
      } else {
        write(ops[i], at[0].to, at[0].in);
      }
      for (uint32_t f = i; f < i + n; ++f) {
        if (registers_.value(ops[f].out).stored) store(ops[f].out);
        registers_.drop(ops[f].out, f);
      }
    }
  }
  Xbyak::Address place(const Value& v) {
    const size_t k = size_t(std::find(slots_.begin(), slots_.end(), v.slot) - slots_.begin());
    Xbyak::Reg64 base = rdi;
    if (k < std::size(bases)) {
      base = bases[k];
    } else {
      mov(base = r15, ptr[rdi + v.slot * 8]);
    }
    if (v.source == Value::line) return ptr[base];
    return ptr[base + rax * int(size_of(v.dtype))];
  }
  void load(uint32_t v) {
    const Value& value = registers_.value(v);
    const int r = registers_.at(v);
    const size_t bytes = size_of(value.dtype) * size_t(lanes_);
    if (value.mask()) {
      const Reg t = Reg(scratch(0));
      if (bytes == 8) {
        vmovq(t, place(value));
      } else {
        vmovups(t, place(value));
      }
      vptestmb(mask(r), t, t);
    } else if (bytes == 8) {
      vmovq(Reg(r), place(value));
    } else if (bytes == 4) {
      vmovd(Reg(r), place(value));
    } else {
      vmovups(vec(r, size_of(value.dtype)), place(value));
    }
  }
  void store(uint32_t v) {
    Value value = registers_.value(v);
    const int r = registers_.at(v);
    const size_t bytes = size_of(value.dtype) * size_t(lanes_);
    if (value.mask()) {
      const Reg t = Reg(scratch(0));
      vpmovm2b(t, mask(r));
      vpabsb(t, t);
      if (bytes == 8) {
        vmovq(place(value), t);
      } else {
        vmovups(place(value), t);
      }
    } else if (bytes == 8) {
      vmovq(place(value), Reg(r));
    } else if (value.streams) {
      vmovntps(place(value), vec(r, size_of(value.dtype)));
    } else {
      vmovups(place(value), vec(r, size_of(value.dtype)));
    }
  }

  void write(const Op& o, int to, const int* in) {
    const Instr& c = *o.instr;
    if (c.op == OpId::cast) return write_cast(o, to, in[0]);
    if (c.from == DType::bool_) return write_mask(c.op, mask(to), mask(in[0]), mask(in[1]));
    const size_t size = size_of(c.from);
    if (c.op == OpId::where) {
      const Reg r = vec(to, size);
      const Reg a = vec(in[1], size);
      const Reg b = vec(in[2], size);
      if (size == 8) {
        vblendmpd(r | mask(in[0]), b, a);
      } else {
        vblendmps(r | mask(in[0]), b, a);
      }
    } else if (is_test(c.op)) {
      write_test(c, mask(to), vec(in[0], size), vec(in[1], size));
    } else if (is_f(c.from)) {
      write_float(c, to, vec(in[0], size), vec(in[1], size));
    } else {
      write_int(c, vec(to, size), vec(in[0], size), vec(in[1], size));
    }
  }

#define EMBER_FP(name, ...) (d ? v##name##pd(__VA_ARGS__) : v##name##ps(__VA_ARGS__))
  void write_float(const Instr& c, int to, const Reg& a, const Reg& b) {
    const bool d = c.from == DType::float64;
    const size_t size = size_of(c.from);
    const Reg r = vec(to, size);
    const Reg t = vec(scratch(0), size);
    const Reg u = vec(scratch(1), size);
    const auto rounded = [&](int mode) {
      if (wide()) {
        EMBER_FP(rndscale, r, a, mode);
      } else {
        EMBER_FP(round, r, a, mode);
      }
    };
    const auto extreme = [&](auto pick) {  // NaN wins, as in the tile kernels
      pick(t);
      if (wide()) {
        EMBER_FP(cmp, mask(7), a, a, 3);
        EMBER_FP(blendm, r | mask(7), t, a);
      } else {
        EMBER_FP(cmp, u, a, a, 3);
        EMBER_FP(blendv, r, t, a, u);
      }
    };
    switch (c.op) {
      case OpId::add: EMBER_FP(add, r, a, b); break;
      case OpId::subtract: EMBER_FP(sub, r, a, b); break;
      case OpId::multiply: EMBER_FP(mul, r, a, b); break;
      case OpId::divide: EMBER_FP(div, r, a, b); break;
      case OpId::maximum: extreme([&](const Reg& x) { EMBER_FP(max, x, a, b); }); break;
      case OpId::minimum: extreme([&](const Reg& x) { EMBER_FP(min, x, a, b); }); break;
      case OpId::square: EMBER_FP(mul, r, a, a); break;
      case OpId::sqrt: EMBER_FP(sqrt, r, a); break;
      case OpId::abs: vandps(r, a, magnitude(d)); break;
      case OpId::negative: vxorps(r, a, sign(d)); break;
      case OpId::copysign:
        vandps(t, a, magnitude(d));
        vandps(u, b, sign(d));
        vorps(r, t, u);
        break;
      case OpId::reciprocal:
        vmovups(t, one(c.from));
        EMBER_FP(div, r, t, a);
        break;
      case OpId::rsqrt:
        EMBER_FP(sqrt, u, a);
        vmovups(t, one(c.from));
        EMBER_FP(div, r, t, u);
        break;
      case OpId::floor: rounded(1); break;
      case OpId::ceil: rounded(2); break;
      case OpId::trunc: rounded(3); break;
      case OpId::round: rounded(0); break;
      case OpId::isnan: EMBER_FP(cmp, mask(to), a, a, 3); break;
      default: {  // isinf, isfinite
        vandps(t, a, magnitude(d));
        const Xbyak::Operand& inf = d ? constant8(0x7ff0000000000000) : constant4(0x7f800000);
        EMBER_FP(cmp, mask(to), t, inf, c.op == OpId::isinf ? 0 : 1);
      }
    }
  }
  void write_int(const Instr& c, const Reg& r, const Reg& a, const Reg& b) {
    const bool d = is_i8(c.from);
    const bool sign = c.from == DType::int32 || c.from == DType::int64;
    const Reg t = vec(scratch(0), size_of(c.from));
    switch (c.op) {
      case OpId::add: d ? vpaddq(r, a, b) : vpaddd(r, a, b); break;
      case OpId::subtract: d ? vpsubq(r, a, b) : vpsubd(r, a, b); break;
      case OpId::multiply: d ? vpmullq(r, a, b) : vpmulld(r, a, b); break;
      case OpId::square: d ? vpmullq(r, a, a) : vpmulld(r, a, a); break;
      case OpId::maximum:
        sign ? (d ? vpmaxsq(r, a, b) : vpmaxsd(r, a, b))
             : (d ? vpmaxuq(r, a, b) : vpmaxud(r, a, b));
        break;
      case OpId::minimum:
        sign ? (d ? vpminsq(r, a, b) : vpminsd(r, a, b))
             : (d ? vpminuq(r, a, b) : vpminud(r, a, b));
        break;
      case OpId::abs: d ? vpabsq(r, a) : vpabsd(r, a); break;
      case OpId::negative:
        vxorps(t, t, t);
        d ? vpsubq(r, t, a) : vpsubd(r, t, a);
        break;
      case OpId::bitwise_and: vandps(r, a, b); break;
      case OpId::bitwise_or: vorps(r, a, b); break;
      case OpId::bitwise_xor: vxorps(r, a, b); break;
      default: vxorps(r, a, constant(~uint64_t(0), size_of(c.from)));  // bitwise_invert
    }
  }
  void write_test(const Instr& c, const Xbyak::Opmask& k, const Reg& a, const Reg& b) {
    const bool d = size_of(c.from) == 8;
    const bool f = is_f(c.from);
    const bool sign = c.from == DType::int32 || c.from == DType::int64;
    int how = 0;  // equal, less, less or equal, not equal, not less, not less or equal: of floats
                  // the last two are greater or equal, greater
    switch (c.op) {
      case OpId::equal: how = 0; break;
      case OpId::less: how = 1; break;
      case OpId::less_equal: how = 2; break;
      case OpId::not_equal: how = 4; break;
      case OpId::greater_equal: how = f ? 13 : 5; break;
      default: how = f ? 14 : 6;
    }
    if (f) {
      EMBER_FP(cmp, k, a, b, how);
    } else if (sign) {
      d ? vpcmpq(k, a, b, how) : vpcmpd(k, a, b, how);
    } else {
      d ? vpcmpuq(k, a, b, how) : vpcmpud(k, a, b, how);
    }
  }
  void write_mask(OpId op, const Xbyak::Opmask& r, const Xbyak::Opmask& a, const Xbyak::Opmask& b) {
    switch (op) {
      case OpId::bitwise_and:
      case OpId::logical_and: kandw(r, a, b); break;
      case OpId::bitwise_or:
      case OpId::logical_or: korw(r, a, b); break;
      case OpId::bitwise_xor:
      case OpId::logical_xor: kxorw(r, a, b); break;
      default: knotw(r, a);
    }
  }
  void write_cast(const Op& o, int to, int in) {
    const Instr& c = *o.instr;
    const bool d = c.from == DType::float64;
    const Reg a = vec(in, size_of(c.from));
    const Reg r = vec(to, size_of(result_of(c)));
    const Reg t = vec(scratch(0), 4);
    const Reg u = vec(scratch(1), 4);
    if (c.from == c.to) return vmovups(r, a);
    if (c.to == DType::bool_) {
      if (!is_f(c.from)) return is_i8(c.from) ? vptestmq(mask(to), a, a) : vptestmd(mask(to), a, a);
      const Reg zero = vec(scratch(0), size_of(c.from));
      vxorps(zero, zero, zero);
      return EMBER_FP(cmp, mask(to), a, zero, 4);
    }
    switch (c.from) {
      case DType::bool_:
        return size_of(c.to) == 8 ? vmovupd(r | mask(in) | T_z, one(c.to))
                                  : vmovups(r | mask(in) | T_z, one(c.to));
      case DType::float16: return vcvtph2ps(r, a);
      case DType::bfloat16: return vpmovzxwd(r, a), vpslld(r, r, 16);
      case DType::float64: return vcvtpd2ps(r, a);
      case DType::int8: vpmovsxbd(r, a); break;
      case DType::uint8: vpmovzxbd(r, a); break;
      case DType::int16: vpmovsxwd(r, a); break;
      case DType::uint16: vpmovzxwd(r, a); break;
      case DType::int32: return c.to == DType::float64 ? vcvtdq2pd(r, a) : vcvtdq2ps(r, a);
      case DType::uint32: return c.to == DType::float64 ? vcvtudq2pd(r, a) : vcvtudq2ps(r, a);
      case DType::int64: return c.to == DType::float64 ? vcvtqq2pd(r, a) : vcvtqq2ps(r, a);
      case DType::uint64: return c.to == DType::float64 ? vcvtuqq2pd(r, a) : vcvtuqq2ps(r, a);
      default:  // float32
        if (c.to == DType::float64) return vcvtps2pd(r, a);
        if (c.to == DType::bfloat16) {
          return c.rounds ? round_bf16(r, a, t, u, o.rounds_clean) : narrow_bf16(to, a, t);
        }
        if (!c.rounds) return vcvtps2ph(vec(to, 2), a, 0);
        vcvtps2ph(vec(scratch(0), 2), a, 0);
        return vcvtph2ps(r, vec(scratch(0), 2));
    }
    if (c.to == DType::float32) vcvtdq2ps(r, r);
  }
  // The functions of math-inl.h that use tables, with the same instructions, so that results have
  // the same bits.
  const Xbyak::Operand& number(float v) { return constant4(std::bit_cast<uint32_t>(v)); }
  Reg number(float v, const Reg& spare) {  // for instructions that read a register only
    const Xbyak::Operand& c = number(v);
    if (!c.isMEM()) return Reg(Xbyak::Operand::ZMM, c.getIdx());
    vmovups(spare, c);
    return spare;
  }
  using Steps = std::vector<std::function<void()>>;
  // The registers of one function: its operand and result, and four to work in.
  struct FunctionRegisters {
    Xbyak::Zmm x, r, a, b, c, d;
  };
#define STEP(...) steps.push_back([=, this] { __VA_ARGS__; })
  void add_lookup(Steps& steps, const Xbyak::Zmm& to, const Xbyak::Zmm& i, const float* table) {
    STEP(vpermps(to, i, constant(Bits{table}, 4)));
  }
  void add_polynomial(Steps& steps, const Xbyak::Zmm& to, const Xbyak::Zmm& v,
                      std::span<const float> terms) {
    STEP(vmovups(to, number(terms[0])));
    for (float t : terms.subspan(1)) STEP(vfmadd213ps(to, v, number(t)));
  }
  // a = x clamped; NaN stays.
  void add_clamp(Steps& steps, const FunctionRegisters& f, float low, float high) {
    const auto [x, r, a, b, c, d] = f;
    STEP(vmaxps(a, number(low, a), x));
    STEP(vminps(a, number(high, b), a));
  }
  // For exp(a): r = e, b = n, c = the root, as in exp_parts() of math-inl.h.
  void add_exp_parts(Steps& steps, const FunctionRegisters& f) {
    const auto [x, r, a, b, c, d] = f;
    STEP(vmovups(c, number(tables::sixteenths)));
    STEP(vfmadd231ps(c, a, number(tables::log2_e)));
    STEP(vsubps(b, c, number(tables::sixteenths)));
    STEP(vfnmadd231ps(a, b, number(tables::ln2)));
    STEP(vfmadd231ps(a, b, number(tables::over_ln2)));
    add_polynomial(steps, r, a, tables::exp_terms);
    add_lookup(steps, d, c, tables::roots_of_2[1]);
    STEP(vfmadd213ps(r, a, d));
    add_lookup(steps, c, c, tables::roots_of_2[0]);
  }
  void add_exp(Steps& steps, const FunctionRegisters& f) {
    add_clamp(steps, f, tables::exp_low, tables::exp_high);
    add_exp_parts(steps, f);
    const auto [x, r, a, b, c, d] = f;
    STEP(vfmadd213ps(r, c, c));
    STEP(vscalefps(r, r, b));
  }
  void add_sigmoid(Steps& steps, const FunctionRegisters& f) {
    const auto [x, r, a, b, c, d] = f;
    add_clamp(steps, f, -tables::sigmoid_end, tables::sigmoid_end);
    STEP(vxorps(a, a, sign(false)));
    add_exp_parts(steps, f);
    STEP(vsubps(b, b, number(32)));
    STEP(vscalefps(c, c, b));
    STEP(vminps(a, c, number(0x1p-32f)));
    STEP(vfmadd213ps(r, c, a));
    STEP(vmaxps(a, c, number(0x1p-32f)));
    STEP(vaddps(a, a, r));
    STEP(vdivps(r, number(0x1p-32f, d), a));
  }
  // log(x), or log(1 + x).
  void add_log(Steps& steps, const FunctionRegisters& f, bool plus_1) {
    const auto [x, r, a, b, c, d] = f;
    const Xbyak::Zmm u = plus_1 ? r : x;
    if (plus_1) STEP(vaddps(u, x, number(1)));
    STEP(vpaddd(a, u, constant4(uint32_t((1 << 18) - (127 << 23)))));
    STEP(vpandd(b, a, constant4(uint32_t(-1 << 23))));
    STEP(vpsrad(a, a, 19));
    add_lookup(steps, c, a, tables::log_points[0]);
    STEP(vpsubd(c, c, b));
    if (plus_1) {
      STEP(vsubps(d, c, number(1)));
      STEP(vfmadd213ps(c, x, d));
    } else {
      STEP(vfmadd213ps(c, x, number(-1)));
    }
    add_polynomial(steps, d, c, tables::log_terms);
    STEP(vcvtdq2ps(b, b));
    add_lookup(steps, a, a, tables::log_points[1]);
    STEP(vfmadd231ps(a, b, number(tables::ln2 * 0x1p-23f)));
    STEP(vpsubd(b, u, constant4(1 << 23)));
    STEP(vmulps(r, c, c));
    STEP(vfmadd213ps(d, r, c));
    STEP(vaddps(r, a, d));
    if (plus_1) STEP(vpternlogd(r, x, sign(false), 0xD8));  // the sign of x
    const OpId op = plus_1 ? OpId::log1p : OpId::log;
    steps.push_back([=, this] {
      Rescue& other = rescues_.emplace_back(Rescue{op, x.getIdx(), r.getIdx(), {}, {}});
      vpcmpud(mask(7), b, constant4(251u << 23), 1);
      kortestw(mask(7), mask(7));
      jnc(other.begin, T_NEAR);
      L(other.back);
    });
  }
  // An odd function: a polynomial of |x| from a table, with the sign of x.
  void add_odd(Steps& steps, const FunctionRegisters& registers, const tables::Odd& f) {
    const auto [x, r, a, b, c, d] = registers;
    STEP(vandps(a, x, magnitude(false)));
    STEP(vminps(a, number(f.high, b), a));
    STEP(vmaxps(b, number(f.low, b), a));
    STEP(vpsrad(b, b, f.shift));
    add_lookup(steps, c, b, f.points[0]);
    STEP(vsubps(a, a, c));
    add_lookup(steps, r, b, f.points[7]);
    for (int k = 6; k > 1; --k) {
      add_lookup(steps, d, b, f.points[k]);
      STEP(vfmadd213ps(r, a, d));
    }
    add_lookup(steps, d, b, f.points[1]);
    STEP(vmaxps(d, a, d));
    STEP(vfmadd213ps(r, a, d));
    STEP(vpternlogd(r, x, sign(false), 0xF8));
  }
#undef STEP
  Steps steps_of(OpId op, const Registers::Places& at) {
    const FunctionRegisters f{Xbyak::Zmm(at.in[0]),   Xbyak::Zmm(at.to),
                              Xbyak::Zmm(at.work[0]), Xbyak::Zmm(at.work[1]),
                              Xbyak::Zmm(at.work[2]), Xbyak::Zmm(at.work[3])};
    Steps steps;
    switch (op) {
      case OpId::exp: add_exp(steps, f); break;
      case OpId::sigmoid: add_sigmoid(steps, f); break;
      case OpId::log:
      case OpId::log1p: add_log(steps, f, op == OpId::log1p); break;
      default: add_odd(steps, f, op == OpId::tanh ? tables::tanh : tables::erf);
    }
    return steps;
  }
  // Calls the kernel for a vector in which some lane's argument is special. The kernel may use any
  // register.
  void write_rescue(Rescue& r) {
    const Xbyak::Reg64 kept[] = {rax, rcx, rdx, rsi, rdi, r8, r9, r10, r11};
    constexpr int frame = 64 * 36;
    constexpr int vectors_at = 64 * 4;
    L(r.begin);
    push(rbp);
    mov(rbp, rsp);
    and_(rsp, -64);
    sub(rsp, frame);
    for (int k = 0; k < 9; ++k) mov(ptr[rsp + 128 + k * 8], kept[k]);
    for (int k = 1; k < 7; ++k) kmovw(ptr[rsp + 208 + k * 2], mask(k));
    for (int k = 0; k < 32; ++k) vmovaps(ptr[rsp + vectors_at + k * 64], Xbyak::Zmm(k));
    mov(rdi, rsp);
    lea(rsi, ptr[rsp + vectors_at + r.from * 64]);
    xor_(r8d, r8d);
    mov(r9d, 16);
    mov(rax, reinterpret_cast<uintptr_t>(tile_kernel(r.op, DType::float32)));
    call(rax);
    for (int k = 0; k < 32; ++k) {
      if (k != r.to) vmovaps(Xbyak::Zmm(k), ptr[rsp + vectors_at + k * 64]);
    }
    vmovaps(Xbyak::Zmm(r.to), ptr[rsp]);
    for (int k = 1; k < 7; ++k) kmovw(mask(k), ptr[rsp + 208 + k * 2]);
    for (int k = 0; k < 9; ++k) mov(kept[k], ptr[rsp + 128 + k * 8]);
    mov(rsp, rbp);
    pop(rbp);
    jmp(r.back, T_NEAR);
  }
  // Rounds half to even by adding to the bits. The addition may overflow a NaN's bits unless the
  // lower half is 0.
  void round_bf16(const Reg& r, const Reg& a, const Reg& t, const Reg& u, bool clean) {
    if (wide()) {
      vptestmd(mask(7), a, constant4(0x10000));
      vpaddd(t, a, constant4(0x7fff));
      vpaddd(t | mask(7), t, constant4(1));
      if (!clean) {
        vcmpps(mask(7), a, a, 3);
        vpord(t | mask(7), a, constant4(0x400000));
      }
    } else {
      vpsrld(t, a, 16);
      vandps(t, t, constant4(1));
      vpaddd(t, t, constant4(0x7fff));
      vpaddd(t, t, a);
      if (!clean) {
        vcmpps(u, a, a, 3);
        vblendvps(t, t, a, u);
        vandps(u, u, constant4(0x400000));
        vorps(t, t, u);
      }
    }
    vandps(r, t, constant4(0xffff0000));
  }
  void narrow_bf16(int to, const Reg& a, const Reg& t) {  // of a rounded value
    vpsrld(t, a, 16);
    if (wide()) return vpmovdw(vec(to, 2), t);
    const Reg low(scratch(0));
    const Reg high(scratch(1));
    if (lanes_ == 8) vextracti128(high, Xbyak::Ymm(scratch(0)), 1);
    vpackusdw(Reg(to), low, lanes_ == 8 ? high : low);
  }
#undef EMBER_FP
};
