// Elementwise ops with one operator of ONNX, or several for some dtypes; casts; integer arithmetic.
#include <cmath>

#include "src/onnx/write/writer.h"

namespace ember::onnx {

Val bits(const Val& x) {
  if (const auto made = x.w->bits_of_floats.find(x.name); made != x.w->bits_of_floats.end()) {
    return made->second;
  }
  const DType t = size_of(x.dtype) == 2 ? int16 : size_of(x.dtype) == 4 ? int32 : int64;
  x.w->need(26, "BitCast");
  return x.w->node("BitCast", {x}, t, x.shape, {{"to", int64_t(proto::data_type_of(t))}});
}
Val float_of_bits(const Val& x, DType t) {
  x.w->need(26, "BitCast");
  const Val r = x.w->node("BitCast", {x}, t, x.shape, {{"to", int64_t(proto::data_type_of(t))}});
  x.w->bits_of_floats[r.name] = x;
  return r;
}
Val sign_bit(const Val& x) {
  const Val b = bits(x);
  return b < integer_like(b, 0);
}

Val extreme_of(const char* type, const Val& a, const Val& b) {
  if (!a.w->exact() || a.dtype != int64) return op(type, {a, b});
  // On some processors, ONNX Runtime compares differences of int64 in 32 bits.
  return where(op(std::string_view(type) == "Max" ? "Greater" : "Less", {a, b}), a, b);
}

Val convert(const Val& given, DType t) {
  const bool packed = is_4bit(t);
  const DType target = t == int4 ? int8 : t == uint4 ? uint8 : t;
  if (!is_float(given.dtype) || !is_integer(t)) {
    const Val r = cast(given, target);
    if (!packed || given.dtype == bool_) return r;
    const Val low = op("BitwiseAnd", {r, integer_like(r, 15)});
    return t == uint4 ? low : where(low > integer_like(low, 7), low - integer_like(low, 16), low);
  }
  // Clamps values to the type's range and NaN to 0, because ONNX's Cast leaves other values
  // undefined.
  const Val x = widen(given);
  const int value_bits = bits_of(t) - is_signed(t);
  const int digits = x.dtype == float32 ? 24 : 53;
  const double limit = std::ldexp(1.0, value_bits);
  const double low = is_signed(t) ? -limit : 0;
  const double high =
      value_bits <= digits ? limit - 1 : limit - std::ldexp(1.0, value_bits - digits);
  const Val fits =
      op("Clip", {where(op("IsNaN", {x}), like(x, 0), x), like(x, low), like(x, high)}, x.shape);
  const Val r = cast(fits, target);
  if (value_bits <= digits) return r;
  const Val most = x.w->integer(
      is_signed(t) ? INT64_MAX >> (63 - value_bits) : int64_t(~uint64_t(0) >> (64 - value_bits)),
      target);
  return where(op("GreaterOrEqual", {x, like(x, limit)}), most, r);
}

namespace {

Val same(const Call& c) { return c.x(); }
Val real_only(const Call& c, const char* type) {
  return is_float(c.x().dtype) ? op(type, {c.x()}) : c.x();
}
template <const char* const& type> Val rounded(const Call& c) { return real_only(c, type); }
constexpr const char *ceil_type = "Ceil", *floor_type = "Floor", *round_type = "Round";

Val truncated(const Call& c) {
  const Val& x = c.x();
  return is_float(x.dtype) ? where(x < 0.0, op("Ceil", {x}), op("Floor", {x})) : x;
}
Val absolute(const Call& c) {
  return c.x().dtype == bool_ || is_unsigned(c.x().dtype) ? c.x() : op("Abs", {c.x()});
}
Val negated(const Call& c) { return -c.x(); }
Val squared(const Call& c) { return c.x() * c.x(); }
Val inverted(const Call& c) { return op(c.x().dtype == bool_ ? "Not" : "BitwiseNot", {c.x()}); }

Val never(const Val& x) { return !(x == x); }  // false, for integers
Val is_nan(const Call& c) { return is_float(c.x().dtype) ? op("IsNaN", {c.x()}) : never(c.x()); }
Val is_inf(const Call& c) { return is_float(c.x().dtype) ? op("IsInf", {c.x()}) : never(c.x()); }
Val is_finite(const Call& c) {
  const Val x = widen(c.x());
  return is_float(x.dtype) ? op("Abs", {x}) < HUGE_VAL : x == x;
}

// Logic for bool, arithmetic for numbers.
Val either(const Call& c, const char* logic, const char* numbers) {
  return op(c.x().dtype == bool_ ? logic : numbers, c.in);
}
Val added(const Call& c) { return either(c, "Or", "Add"); }
Val multiplied(const Call& c) { return either(c, "And", "Mul"); }
Val smaller(const Call& c) {
  return c.x().dtype == bool_ ? op("And", c.in) : extreme_of("Min", c[0], c[1]);
}
Val bit_and(const Call& c) { return either(c, "And", "BitwiseAnd"); }
Val bit_or(const Call& c) { return either(c, "Or", "BitwiseOr"); }
Val bit_xor(const Call& c) { return either(c, "Xor", "BitwiseXor"); }
Val larger(const Call& c) {
  if (c.x().dtype == bool_) return op("Or", c.in);
  const auto p = c.w.known(c.n.in[1]);
  if (p && p->f == 0 && is_float(c.x().dtype) && c.x().shape == c.n.shape) {
    return op("Relu", {c.x()});
  }
  return extreme_of("Max", c[0], c[1]);
}
Val sign(const Call& c) {  // see extreme_of
  const Val& x = c.x();
  if (!c.w.exact() || x.dtype != int64) return op("Sign", {x});
  const Val zero = integer_like(x, 0);
  return cast(x > zero, int64) - cast(x < zero, int64);
}
// ONNX Runtime's float32 Sigmoid is a rational approximation that is 0 for very negative x.
Val logistic(const Call& c) {
  return c.w.exact() ? op("Reciprocal", {op("Exp", {-c.x()}) + 1.0}) : op("Sigmoid", {c.x()});
}
Val wave(const Call& c, const char* type) {
  if (c.w.exact() && c.x().dtype == float64) {
    throw Unsupported{"ONNX Runtime's float64 sine of pi is 0"};
  }
  return op(type, {c.x()});
}
Val sine(const Call& c) { return wave(c, "Sin"); }
Val cosine(const Call& c) { return wave(c, "Cos"); }
Val unequal(const Call& c) { return !(c[0] == c[1]); }
Val chosen(const Call& c) { return where(c[0], c[1], c[2]); }
Val converted(const Call& c) {
  // The model stores 4-bit integers as bytes, so their range has to be enforced.
  return convert(c.x(), c.n.dtype);
}

// Replaces divisors that would end the process by 1: 0, and -1, whose quotient may overflow.
struct Divisor {
  Val safe, zero, minus;
};
Divisor guarded(const Val& b) {
  const Val zero = b == integer_like(b, 0);
  if (is_unsigned(b.dtype)) return {where(zero, integer_like(b, 1), b), zero, {}};
  const Val minus = b == integer_like(b, -1);
  return {where(zero || minus, integer_like(b, 1), b), zero, minus};
}
Val float_remainder(const Val& a, const Val& b) {
  const Val r = op("Mod", {a, b}, Options{{"fmod", 1}});
  const Val zero = r == 0.0;
  const Val moved = where(op("Xor", {r < 0.0, b < 0.0}), r + b, r);
  return where(zero && !(b == 0.0), where(b < 0.0, like(a, -0.0), like(a, 0.0)), moved);
}
Val remainder(const Call& c) {
  if (is_float(c.x().dtype)) return float_remainder(c[0], c[1]);
  return op("Mod", {c[0], guarded(c[1]).safe});
}
Val fmod(const Call& c) {
  if (is_float(c.x().dtype)) return op("Mod", c.in, Options{{"fmod", 1}});
  const Val safe = guarded(c[1]).safe;
  return c[0] - c[0] / safe * safe;
}
Val floor_divide(const Call& c) {
  const Val& a = c[0];
  const Val& b = c[1];
  if (is_float(a.dtype)) {
    const Val r = op("Mod", {a, b}, Options{{"fmod", 1}});
    const Val ratio = a / b;
    const Val less = !(r == 0.0) && op("Xor", {r < 0.0, b < 0.0});
    const Val q = (a - r) / b - cast(less, a.dtype);
    const Val f = op("Floor", {q});
    const Val whole = where(q - f > 0.5, f + 1.0, f);
    const Val zero =
        where(op("Less", {ratio, like(a, 0)}) || sign_bit(ratio), like(a, -0.0), like(a, 0.0));
    return where(b == 0.0 || op("IsInf", {a}) || op("IsInf", {b}), ratio,
                 where(q == 0.0, zero, whole));
  }
  const Divisor d = guarded(b);
  Val q = a / d.safe;
  if (!is_unsigned(a.dtype)) {
    const Val r = a - q * d.safe;
    const Val zero = integer_like(a, 0);
    q = q - cast(!(r == zero) && op("Xor", {r < zero, d.safe < zero}), a.dtype);
    q = where(d.minus, -a, q);
  }
  return where(d.zero, integer_like(a, 0), q);
}

// In uint64: ONNX shifts unsigned numbers by less than their width.
Val shifted(const Val& x, const Val& by, const char* direction) {
  const Val amount = op("Min", {by, integer_like(by, 63)});
  return op("BitShift", {x, amount}, Options{{"direction", direction}});
}
// A negative shift counts as a huge one.
Val amount_of(const Val& by) {
  const DType u = by.dtype == int8    ? uint8
                  : by.dtype == int16 ? uint16
                  : by.dtype == int32 ? uint32
                  : by.dtype == int64 ? uint64
                                      : by.dtype;
  return cast(cast(by, u), uint64);
}
Val shift_left(const Call& c) {
  const Val amount = amount_of(c[1]);
  const Val moved = cast(shifted(cast(c[0], uint64), amount, "LEFT"), c.n.dtype);
  return where(op("GreaterOrEqual", {amount, integer_like(amount, bits_of(c.n.dtype))}),
               integer_like(moved, 0), moved);
}
Val shift_right(const Call& c) {
  const Val amount = amount_of(c[1]);
  if (is_unsigned(c.n.dtype)) {
    const Val moved = shifted(cast(c[0], uint64), amount, "RIGHT");
    return cast(where(amount > integer_like(amount, 63), integer_like(moved, 0), moved), c.n.dtype);
  }
  const Val x = cast(c[0], int64);
  const Val mask = where(x < integer_like(x, 0), integer_like(x, -1), integer_like(x, 0));
  const Val moved =
      cast(shifted(cast(op("BitwiseXor", {x, mask}), uint64), amount, "RIGHT"), int64);
  return cast(op("BitwiseXor", {moved, mask}), c.n.dtype);
}
Val count_bits(const Call& c) {
  const DType t = c.x().dtype;
  const DType u = t == int8    ? uint8
                  : t == int16 ? uint16
                  : t == int32 ? uint32
                  : t == int64 ? uint64
                               : t;
  Val x = cast(cast(c.x(), u), uint64);
  const auto mask = [&](const Val& v, uint64_t m) {
    return op("BitwiseAnd", {v, integer_like(v, int64_t(m))});
  };
  const auto down = [&](const Val& v, int n) {
    return op("BitShift", {v, integer_like(v, n)}, Options{{"direction", "RIGHT"}});
  };
  constexpr uint64_t all = ~uint64_t(0);
  x = x - mask(down(x, 1), all / 3);
  x = mask(x, all / 5) + mask(down(x, 2), all / 5);
  return cast(down(mask(x + down(x, 4), all / 17) * integer_like(x, int64_t(all / 255)), 56),
              uint8);
}

}  // namespace

void add_elementwise(Table& t) {
  const auto at = [&](OpId op) -> Entry& { return t[size_t(op)]; };
  using enum OpId;
  constexpr std::pair<OpId, const char*> direct[] = {{exp, "Exp"},
                                                     {log, "Log"},
                                                     {sqrt, "Sqrt"},
                                                     {tanh, "Tanh"},
                                                     {reciprocal, "Reciprocal"},
                                                     {erf, "Erf"},
                                                     {acos, "Acos"},
                                                     {asin, "Asin"},
                                                     {atan, "Atan"},
                                                     {logical_not, "Not"},
                                                     {subtract, "Sub"},
                                                     {divide, "Div"},
                                                     {pow, "Pow"},
                                                     {logical_and, "And"},
                                                     {logical_or, "Or"},
                                                     {logical_xor, "Xor"},
                                                     {equal, "Equal"},
                                                     {less, "Less"},
                                                     {less_equal, "LessOrEqual"},
                                                     {greater, "Greater"},
                                                     {greater_equal, "GreaterOrEqual"}};
  for (auto [op, type] : direct) at(op).type = type;
  constexpr std::pair<OpId, Emit> others[] = {{abs, absolute},
                                              {ceil, rounded<ceil_type>},
                                              {floor, rounded<floor_type>},
                                              {round, rounded<round_type>},
                                              {trunc, truncated},
                                              {conj, same},
                                              {real, same},
                                              {negative, negated},
                                              {square, squared},
                                              {bitwise_invert, inverted},
                                              {isnan, is_nan},
                                              {isinf, is_inf},
                                              {isfinite, is_finite},
                                              {add, added},
                                              {multiply, multiplied},
                                              {maximum, larger},
                                              {minimum, smaller},
                                              {bitwise_and, bit_and},
                                              {bitwise_or, bit_or},
                                              {bitwise_xor, bit_xor},
                                              {not_equal, unequal},
                                              {where, chosen},
                                              {sign, onnx::sign},
                                              {remainder, onnx::remainder},
                                              {fmod, onnx::fmod},
                                              {floor_divide, onnx::floor_divide},
                                              {bitwise_left_shift, shift_left},
                                              {bitwise_right_shift, shift_right},
                                              {popcount, count_bits},
                                              {sigmoid, logistic},
                                              {sin, sine},
                                              {cos, cosine}};
  for (auto [op, emit] : others) at(op).emit = emit;
  for (OpId op : {remainder, fmod, floor_divide, sigmoid}) at(op).wide = true;
  at(cast) = {.emit = converted, .takes_4bit = true};
  at(where).takes_4bit = true;
}

}  // namespace ember::onnx
