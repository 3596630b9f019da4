// Elementwise ops: one operation each, or a short formula.
#include <cmath>
#include <cstdint>
#include <numbers>

#include "src/coreml/writer.h"

namespace ember::coreml {
namespace {

bool is_bool(const Val& x) { return x.dtype == DType::bool_; }
Val logical(const char* type, const Val& a, const Val& b) { return compare(type, a, b); }
Val logical_not(const Val& x) { return unary("logical_not", x); }

template <const char* const& type> Val direct(const Call& c) { return unary(type, c.x()); }
template <const char* const& type> Val pair(const Call& c) { return binary(type, c[0], c[1]); }
template <const char* const& type> Val comparison(const Call& c) {
  if (!is_bool(c[0])) return compare(type, c[0], c[1]);
  return compare(type, cast(c[0], DType::int32), cast(c[1], DType::int32));
}
template <const char* const& type> Val logic(const Call& c) { return logical(type, c[0], c[1]); }
// Integers are not changed by rounding.
template <const char* const& type> Val rounding(const Call& c) {
  return is_float(c.x().dtype) ? unary(type, c.x()) : c.x();
}

// clang-format off
#define NAMES(X) \
  X(acos) X(asin) X(atan) X(atanh) X(ceil) X(cos) X(cosh) X(erf) X(exp) X(exp2) X(floor) \
  X(round) X(sign) X(sin) X(sinh) X(sqrt) X(square) X(tan) X(tanh) X(sigmoid) X(silu) X(sub) \
  X(real_div) X(floor_div) X(mod) X(pow) X(maximum) X(minimum) X(equal) X(not_equal) X(less) \
  X(less_equal) X(greater) X(greater_equal) X(logical_and) X(logical_or) X(logical_xor)
// clang-format on
namespace mil {
#define X(name) constexpr const char* name = #name;
NAMES(X)
#undef X
}  // namespace mil
#undef NAMES

// log, rsqrt and inverse add a default epsilon to x, so 0 is passed explicitly.
Val with_epsilon(const char* type, const Val& x) {
  return x.w->operation(type, {{"x", x}, {"epsilon", like(x, 0)}}, x.dtype, x.shape);
}
Val natural_log(const Val& x) { return with_epsilon("log", x); }
Val log(const Call& c) { return natural_log(c.x()); }
Val log2(const Call& c) { return natural_log(c.x()) * (1 / std::numbers::ln2); }
Val log10(const Call& c) { return natural_log(c.x()) * (1 / std::numbers::ln10); }
Val rsqrt(const Call& c) { return with_epsilon("rsqrt", c.x()); }
Val reciprocal(const Call& c) { return like(c.x(), 1) / c.x(); }
Val negative(const Call& c) { return c.x() * -1; }
Val erfc(const Call& c) { return like(c.x(), 1) - unary("erf", c.x()); }

// Kahan's formulas: for small x, the errors of exp and log cancel.
Val expm1(const Call& c) {
  const Val& x = c.x();
  const Val u = unary("exp", x);
  const Val d = u - 1.0;
  const Val exact = compare("equal", u, like(u, 1));
  const Val edge = logical("logical_or", compare("equal", d, like(d, -1)),
                           compare("equal", u, like(u, HUGE_VAL)));
  const Val near = d * (x / natural_log(select(logical("logical_or", exact, edge), like(u, 2), u)));
  return select(exact, x, select(edge, d, near));
}
Val log1p(const Call& c) {
  const Val& x = c.x();
  const Val u = x + 1.0;
  const Val d = u - 1.0;
  const Val exact = compare("equal", d, like(d, 0));
  const Val infinite = compare("equal", u, like(u, HUGE_VAL));
  const Val near = natural_log(u) * (x / select(exact, like(d, 1), d));
  return select(exact, x, select(infinite, u, near));
}
Val trunc(const Call& c) {
  const Val& x = c.x();
  if (!is_float(x.dtype)) return x;
  return select(compare("less", x, like(x, 0)), unary("ceil", x), unary("floor", x));
}
Val identity(const Call& c) { return c.x(); }
Val magnitude(const Call& c) { return is_bool(c.x()) ? c.x() : unary("abs", c.x()); }
// Floats saturate to int32 and NaN becomes 0; Core ML's own conversion leaves these cases
// undefined.
Val converted(const Call& c) {
  const Val& given = c.x();
  const DType t = stored(c.n.dtype);
  if (t != DType::int32 || !is_float(given.dtype)) return cast(given, t);
  const Val x = cast(given, DType::float32);
  const Val number = select(compare("equal", x, x), x, like(x, 0));
  const Val large = compare("greater_equal", number, like(x, 2147483648.0));
  const Val small = compare("less", number, like(x, -2147483648.0));
  const Val inside = select(logical("logical_or", large, small), like(x, 0), number);
  const Val bounded = select(small, c.w.number(INT32_MIN, t), cast(inside, t));
  return select(large, c.w.number(INT32_MAX, t), bounded);
}

Val add(const Call& c) { return is_bool(c[0]) ? logical("logical_or", c[0], c[1]) : c[0] + c[1]; }
Val multiply(const Call& c) {
  return is_bool(c[0]) ? logical("logical_and", c[0], c[1]) : c[0] * c[1];
}
Val bitwise(const Call& c, const char* type) {
  if (!is_bool(c[0])) throw Unsupported{"Core ML has no operations on bits"};
  return logical(type, c[0], c[1]);
}
Val bitwise_and(const Call& c) { return bitwise(c, "logical_and"); }
Val bitwise_or(const Call& c) { return bitwise(c, "logical_or"); }
Val bitwise_xor(const Call& c) { return bitwise(c, "logical_xor"); }
Val invert(const Call& c) {
  if (!is_bool(c.x())) throw Unsupported{"Core ML has no operations on bits"};
  return logical_not(c.x());
}
Val negated(const Call& c) { return logical_not(c.x()); }
// maximum(x, 0) is written as relu, which Core ML fuses with the previous layer.
Val maximum(const Call& c) {
  if (is_bool(c[0])) return logical("logical_or", c[0], c[1]);
  const bool constant = c.w.slice.nodes[c.n.in[1]].op == OpId::scalar;
  if (constant && is_float(c[0].dtype) && c.w.scalar(c.n.in[1]) == 0 && c[0].shape == c.n.shape) {
    return unary("relu", c[0]);
  }
  return binary("maximum", c[0], c[1]);
}
Val minimum(const Call& c) {
  return is_bool(c[0]) ? logical("logical_and", c[0], c[1]) : binary("minimum", c[0], c[1]);
}
Val where(const Call& c) { return select(c[0], c[1], c[2]); }

Val never(const Val& x) {
  return compare("not_equal", cast(x, DType::int32), cast(x, DType::int32));
}
Val isnan(const Call& c) {
  return is_float(c.x().dtype) ? compare("not_equal", c.x(), c.x()) : never(c.x());
}
Val isinf(const Call& c) {
  if (!is_float(c.x().dtype)) return never(c.x());
  return compare("equal", unary("abs", c.x()), like(c.x(), HUGE_VAL));
}
Val isfinite(const Call& c) {
  if (!is_float(c.x().dtype)) return logical_not(never(c.x()));
  return compare("less", unary("abs", c.x()), like(c.x(), HUGE_VAL));
}
Val gelu(const Call& c) {
  const char* mode = c.attr<GeluAttr>().tanh ? "TANH_APPROXIMATION" : "EXACT";
  return c.w.operation("gelu", {{"x", c.x()}, {"mode", c.w.text(mode)}}, c.x().dtype, c.x().shape);
}

}  // namespace

void add_elementwise(Table& t) {
  constexpr std::pair<OpId, Emit> entries[] = {
      {OpId::abs, magnitude},
      {OpId::acos, direct<mil::acos>},
      {OpId::asin, direct<mil::asin>},
      {OpId::atan, direct<mil::atan>},
      {OpId::atanh, direct<mil::atanh>},
      {OpId::ceil, rounding<mil::ceil>},
      {OpId::cos, direct<mil::cos>},
      {OpId::cosh, direct<mil::cosh>},
      {OpId::erf, direct<mil::erf>},
      {OpId::exp, direct<mil::exp>},
      {OpId::exp2, direct<mil::exp2>},
      {OpId::floor, rounding<mil::floor>},
      {OpId::round, rounding<mil::round>},
      {OpId::sign, direct<mil::sign>},
      {OpId::sin, direct<mil::sin>},
      {OpId::sinh, direct<mil::sinh>},
      {OpId::sqrt, direct<mil::sqrt>},
      {OpId::square, direct<mil::square>},
      {OpId::tan, direct<mil::tan>},
      {OpId::tanh, direct<mil::tanh>},
      {OpId::sigmoid, direct<mil::sigmoid>},
      {OpId::silu, direct<mil::silu>},
      {OpId::subtract, pair<mil::sub>},
      {OpId::divide, pair<mil::real_div>},
      {OpId::floor_divide, pair<mil::floor_div>},
      {OpId::remainder, pair<mil::mod>},
      {OpId::pow, pair<mil::pow>},
      {OpId::equal, comparison<mil::equal>},
      {OpId::not_equal, comparison<mil::not_equal>},
      {OpId::less, comparison<mil::less>},
      {OpId::less_equal, comparison<mil::less_equal>},
      {OpId::greater, comparison<mil::greater>},
      {OpId::greater_equal, comparison<mil::greater_equal>},
      {OpId::logical_and, logic<mil::logical_and>},
      {OpId::logical_or, logic<mil::logical_or>},
      {OpId::logical_xor, logic<mil::logical_xor>},
      {OpId::logical_not, negated},
      {OpId::log, coreml::log},
      {OpId::log2, coreml::log2},
      {OpId::log10, coreml::log10},
      {OpId::log1p, coreml::log1p},
      {OpId::expm1, coreml::expm1},
      {OpId::rsqrt, coreml::rsqrt},
      {OpId::reciprocal, coreml::reciprocal},
      {OpId::negative, coreml::negative},
      {OpId::erfc, coreml::erfc},
      {OpId::trunc, coreml::trunc},
      {OpId::conj, identity},
      {OpId::real, identity},
      {OpId::copy, identity},
      {OpId::cast, converted},
      {OpId::add, coreml::add},
      {OpId::multiply, coreml::multiply},
      {OpId::maximum, coreml::maximum},
      {OpId::minimum, coreml::minimum},
      {OpId::bitwise_and, coreml::bitwise_and},
      {OpId::bitwise_or, coreml::bitwise_or},
      {OpId::bitwise_xor, coreml::bitwise_xor},
      {OpId::bitwise_invert, invert},
      {OpId::where, coreml::where},
      {OpId::isnan, coreml::isnan},
      {OpId::isinf, coreml::isinf},
      {OpId::isfinite, coreml::isfinite},
      {OpId::gelu, coreml::gelu},
  };
  for (auto [op, emit] : entries) t[size_t(op)] = emit;
}

}  // namespace ember::coreml
