// Elementwise operators.
#include <cmath>

#include "src/webnn/operators/operator.h"

namespace ember::webnn {

namespace {

// Comparisons and logical operators return uint8.
Tensor byte(const Tensor& t) { return ops::astype(t, DType::uint8); }

template <class F> Results binary(Call& c, const char* a, const char* b, DType t, F&& f) {
  check_descriptor({t, broadcast(c.shape(a), c.shape(b))});
  return {c.result(f(c.tensor(a), c.tensor(b)))};
}

// Integer division truncates.
Tensor truncating_divide(const Tensor& a, const Tensor& b) {
  if (is_float(a.dtype())) return ops::divide(a, b);
  const Tensor q = ops::floor_divide(a, b);
  if (is_unsigned(a.dtype())) return q;
  const Tensor up = ops::logical_and(ops::less(q, 0), ops::not_equal(ops::multiply(q, b), a));
  return ops::add(q, ops::astype(up, a.dtype()));
}

// A NaN bound means no bound.
std::optional<MLNumber> bound(const Call& c, const char* name, DType t) {
  if (!c.has(name)) return {};
  const MLNumber v = number_as(c.number(name), t);
  if (const double* x = std::get_if<double>(&v); x && std::isnan(*x)) return {};
  return v;
}

Results clamp(Call& c) {
  const Tensor x = c.tensor("input");
  const DType t = x.dtype();
  const std::optional<MLNumber> low = bound(c, "minValue", t);
  const std::optional<MLNumber> high = bound(c, "maxValue", t);
  if (low && high && *low > *high) throw ValueError("minValue is greater than maxValue");
  const auto limit = [&](const std::optional<MLNumber>& v) {
    return v ? std::optional(scalar(*v, t)) : std::nullopt;
  };
  return {c.result(ops::clip(x, limit(low), limit(high)))};
}

Results where(Call& c) {
  const Dimensions values = broadcast(c.shape("trueValue"), c.shape("falseValue"));
  check_descriptor({c.operand("trueValue").dataType(), broadcast(c.shape("condition"), values)});
  return {c.result(ops::where(ops::astype(c.tensor("condition"), DType::bool_),
                              c.tensor("trueValue"), c.tensor("falseValue")))};
}

// A double option, rounded to the operand's dtype.
double cast_option(const Call& c, const char* name, double otherwise) {
  return std::get<double>(number_as(c.f64(name, otherwise), c.operand("input").dataType()));
}

#define ROW(name, params, limits, body) \
  {#name, params, "", limits, [](Call& c) -> Results { return body; }}
#define UNARY(name, op, types) \
  ROW(name, "input", "input:" types "@any output:input@any", {c.result(ops::op(c.tensor("input")))})
#define FLOATS(name, op) UNARY(name, op, "float")
#define TEST1(name, op, types) \
  ROW(name, "a", "a:" types "@any output:u8@any", {c.result(byte(ops::op(c.tensor("a"))))})
#define BINARY(name, op)                                \
  ROW(name, "a b", "a:number@any b:a@any output:a@any", \
      binary(c, "a", "b", c.operand("a").dataType(), [](Tensor a, Tensor b) { return op(a, b); }))
#define TEST2(name, op, types)                              \
  ROW(name, "a b", "a:" types "@any b:a@any output:u8@any", \
      binary(c, "a", "b", DType::uint8, [](Tensor a, Tensor b) { return byte(ops::op(a, b)); }))
#define NUMBERS(name, op) TEST2(name, op, "number")
#define OPTION(name, options, expression)                                                \
  {#name, "input", options, "input:float@any output:input@any", [](Call& c) -> Results { \
     const Tensor x = c.tensor("input");                                                 \
     return {c.result(expression)};                                                      \
   }}

const RowText rows[] = {
    BINARY(add, ops::add),
    BINARY(sub, ops::subtract),
    BINARY(mul, ops::multiply),
    BINARY(div, truncating_divide),
    BINARY(max, ops::maximum),
    BINARY(min, ops::minimum),
    BINARY(pow, ops::pow),
    NUMBERS(equal, equal),
    NUMBERS(notEqual, not_equal),
    NUMBERS(greater, greater),
    NUMBERS(greaterOrEqual, greater_equal),
    NUMBERS(lesser, less),
    NUMBERS(lesserOrEqual, less_equal),
    TEST2(logicalAnd, logical_and, "u8"),
    TEST2(logicalOr, logical_or, "u8"),
    TEST2(logicalXor, logical_xor, "u8"),
    TEST1(logicalNot, logical_not, "u8"),
    TEST1(isNaN, isnan, "float"),
    TEST1(isInfinite, isinf, "float"),
    UNARY(abs, abs, "signed"),
    UNARY(neg, negative, "signed"),
    UNARY(sign, sign, "signed"),
    UNARY(relu, relu, "signed"),
    UNARY(identity, positive, "any"),
    FLOATS(ceil, ceil),
    FLOATS(cos, cos),
    FLOATS(erf, erf),
    FLOATS(exp, exp),
    FLOATS(floor, floor),
    FLOATS(log, log),
    FLOATS(reciprocal, reciprocal),
    FLOATS(roundEven, round),
    FLOATS(sin, sin),
    FLOATS(sqrt, sqrt),
    FLOATS(tan, tan),
    FLOATS(gelu, gelu),
    FLOATS(hardSwish, hardswish),
    FLOATS(sigmoid, sigmoid),
    FLOATS(softplus, softplus),
    FLOATS(softsign, softsign),
    FLOATS(tanh, tanh),
    OPTION(elu, "alpha:f64", ops::elu(x, cast_option(c, "alpha", 1))),
    OPTION(leakyRelu, "alpha:f64", ops::leaky_relu(x, cast_option(c, "alpha", 0.01))),
    OPTION(hardSigmoid, "alpha:f64 beta:f64",
           ops::hard_sigmoid(x, cast_option(c, "alpha", 0.2), cast_option(c, "beta", 0.5))),
    OPTION(linear, "alpha:f64 beta:f64", x* cast_option(c, "alpha", 1) + cast_option(c, "beta", 0)),
    ROW(prelu, "input slope", "input:signed@any slope:input@any output:input@any",
        binary(c, "input", "slope", c.operand("input").dataType(),
               [](const Tensor& x, const Tensor& slope) { return ops::prelu(x, slope); })),
    {"clamp", "input", "minValue:number maxValue:number", "input:number@any output:input@any",
     clamp},
    ROW(cast, "input dataType:dtype", "input:any@any output:any@any",
        {c.result(ops::astype(c.tensor("input"), c.dtype("dataType", {})))}),
    {"where", "condition trueValue falseValue", "",
     "condition:u8@any trueValue:any@any falseValue:trueValue@any output:trueValue@any", where},
};

}  // namespace

std::span<const RowText> elementwise_operators() { return rows; }

}  // namespace ember::webnn
