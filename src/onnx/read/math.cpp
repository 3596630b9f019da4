// Elementwise operators.
#include <algorithm>
#include <cctype>

#include "src/graph/graph.h"
#include "src/onnx/read/read.h"

namespace ember::onnx {
namespace {

template <Tensor (*F)(Tensor)> Values unary(const Call& c) { return {F(c.x(0))}; }

// The second operand. Before opset 7, its axes are aligned with the first operand's from `axis` on:
// with axis = 1, [2, 3, 4] + [3] means [2, 3, 4] + [3, 1].
Tensor second_operand(const Call& c) {
  const Tensor& a = c.x(0);
  const Tensor& b = c.x(1);
  if (c.opset >= 7) return b;
  const bool broadcast = c.flag("broadcast");
  const auto* axis = c.attribute("axis", proto::Attribute::int_);
  if (!broadcast || !axis) return b;
  const int64_t first = c.axis(axis->i, a.ndim());
  const int64_t after = a.ndim() - first - b.ndim();
  if (after < 0) {
    throw ShapeError("a second operand of shape " + to_string(b.shape()) + " does not fit axis " +
                     std::to_string(first) + " of " + to_string(a.shape()));
  }
  Shape aligned = b.shape();
  for (int64_t d = 0; d < after; ++d) aligned.push_back(1);
  return ops::reshape(b, aligned);
}
template <Tensor (*F)(Tensor, Tensor)> Values binary(const Call& c) {
  return {F(c.x(0), second_operand(c))};
}
template <Tensor (*F)(Tensor, Tensor)> Values variadic(const Call& c) {
  const Tensors in = c.all();
  Tensor r = in[0];
  for (size_t i = 1; i < in.size(); ++i) r = F(r, in[i]);
  return {r};
}

// Integer division truncates.
Values divide(const Call& c) {
  const Tensor a = c.x(0);
  const Tensor b = second_operand(c);
  if (!is_integer(a.dtype())) return {ops::divide(a, b)};
  const Tensor down = ops::floor_divide(a, b);
  if (is_unsigned(a.dtype())) return {down};
  const Tensor inexact = ops::not_equal(down * b, a);
  const Tensor apart = ops::not_equal(ops::less(a, 0), ops::less(b, 0));
  return {down + cast_to(ops::logical_and(inexact, apart), a.dtype())};
}

Values mod(const Call& c) {
  const bool truncate = c.flag("fmod");
  if (!truncate && !is_integer(c.x(0).dtype()) && c.opset < 28) {
    throw ValueError("fmod must be 1 for floats before opset 28");
  }
  return {truncate ? ops::fmod(c.x(0), c.x(1)) : ops::remainder(c.x(0), c.x(1))};
}

Values power(const Call& c) {
  const Tensor& x = c.x(0);
  const Tensor exponent = second_operand(c);
  const bool is_constant =
      c.in[1].depends == 0 && exponent.size() == 1 && exponent.ndim() <= x.ndim();
  const bool is_number = is_constant && is_float(x.dtype()) && !is_complex(exponent.dtype());
  return {
      cast_to(ops::pow(x, is_number ? Tensor(c.number(1, "the exponent")) : exponent), x.dtype())};
}

Values mean(const Call& c) {
  return {ops::divide(variadic<ops::add>(c)[0].tensor, double(c.in.size()))};
}

Values shift(const Call& c) {
  const std::string direction = c.s("direction", "");
  const Tensor& x = c.x(0);
  const Tensor& by = c.x(1);
  if (direction != "LEFT" && direction != "RIGHT") {
    throw ValueError("direction must be LEFT or RIGHT, not '" + direction.substr(0, 40) + "'");
  }
  const int64_t bits = bits_of(x.dtype());
  // A shift by the full width or more gives 0, or the sign, on every engine.
  const Tensor inside =
      ops::less(by, bits) & (is_signed(x.dtype()) ? ops::greater_equal(by, 0) : Tensor(true));
  const Tensor safe = ops::where(inside, by, ops::zeros_like(by));
  if (direction == "LEFT") {
    return {ops::where(inside, ops::bitwise_left_shift(x, safe), ops::zeros_like(x))};
  }
  const Tensor gone = is_signed(x.dtype())
                          ? ops::where(ops::less(x, 0), ops::full_like(x, -1), ops::zeros_like(x))
                          : ops::zeros_like(x);
  return {ops::where(inside, ops::bitwise_right_shift(x, safe), gone)};
}

Values clip(const Call& c) {
  Tensor x = c.x(0);
  const DType t = x.dtype();
  if (c.opset < 11) {
    const auto* low = c.attribute("min", proto::Attribute::float_);
    const auto* high = c.attribute("max", proto::Attribute::float_);
    if (low) x = ops::maximum(x, cast_to(Tensor(double(low->f)), t));
    if (high) x = ops::minimum(x, cast_to(Tensor(double(high->f)), t));
    return {x};
  }
  if (c.has(1)) x = ops::maximum(x, c.x(1));
  if (c.has(2)) x = ops::minimum(x, c.x(2));
  return {x};
}

// Conversion to 4-bit types discards the higher bits; Ember's would saturate.
Tensor converted(const Tensor& x, DType t) {
  return cast_to(is_float(x.dtype()) && bits_of(t) == 4 ? cast_to(x, DType::int32) : x, t);
}
Values cast(const Call& c) {
  c.ignore("saturate");
  c.ignore("round_mode");  // about 8-bit floats, which Ember does not have
  if (c.opset < 6) {       // the type's name, "FLOAT"
    std::string name = c.s("to", "");
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char letter) { return char(std::tolower(letter)); });
    const std::optional<DType> to = name == "float"    ? DType::float32
                                    : name == "double" ? DType::float64
                                                       : parse_dtype(name);
    if (!to) c.refuse("a cast to " + io::printable(name));
    return {converted(c.x(0), *to)};
  }
  const auto to = c.dtype("to");
  if (!to) throw ValueError("the attribute \"to\" is missing");
  return {converted(c.x(0), *to)};
}
Values cast_like(const Call& c) {
  c.ignore("saturate");
  c.ignore("round_mode");
  return {converted(c.x(0), c.x(1).dtype())};
}

Values bit_cast(const Call& c) {
  const auto to = c.dtype("to");
  const Tensor& x = c.x(0);
  if (!to || bits_of(*to) != bits_of(x.dtype())) {
    throw DTypeError("the dtypes must have the same number of bits");
  }
  if (is_integer(x.dtype()) && is_integer(*to)) return {cast_to(x, *to)};
  const Tensor& t = c.known(0, "the bits");
  const EngineScope native(native_engine);
  if (*to == DType::bool_) {
    return {ops::not_equal(from_data(t.data_ptr(), DType::uint8, t.shape()), 0)};
  }
  return {from_data(t.data_ptr(), *to, t.shape())};
}

Values is_infinite(const Call& c) {
  const Tensor& x = c.x(0);
  const bool below = c.flag("detect_negative", true);
  const bool above = c.flag("detect_positive", true);
  Tensor r = ops::isinf(x);
  if (!below) r = ops::logical_and(r, ops::greater(x, 0.0));
  if (!above) r = ops::logical_and(r, ops::less(x, 0.0));
  return {r};
}

Values identity(const Call& c) {
  if (!c.has(0)) throw ValueError("input 0 is missing");
  return {c.in[0]};
}

// ---- Activations ----
Values relu(const Call& c) { return {ops::maximum(c.x(0), cast_to(Tensor(0), c.x(0).dtype()))}; }
Values selu(const Call& c) {
  const Tensor& x = c.x(0);
  const double alpha = c.f("alpha", c.opset < 6 ? 1.6732 : 1.6732631921768188);
  const double gamma = c.f("gamma", c.opset < 6 ? 1.0507 : 1.0507010221481323);
  return {
      ops::where(ops::greater(x, 0.0), x * gamma,
                 (ops::expm1(ops::minimum(x, cast_to(Tensor(0), x.dtype()))) * (alpha * gamma)))};
}
Values shrink(const Call& c) {
  const Tensor& x = c.x(0);
  const double lambda = c.f("lambd", 0.5);
  const double bias = c.f("bias", 0);
  const Tensor wide = is_float(x.dtype()) ? x : x.astype(DType::float32);
  return {cast_to(
      ops::where(ops::less(wide, -lambda), wide + bias,
                 ops::where(ops::greater(wide, lambda), wide - bias, ops::zeros_like(wide))),
      x.dtype())};
}
// The slope broadcasts from the trailing axes, before opset 7 from the channels (axis 1).
Values prelu(const Call& c) {
  const Tensor& x = c.x(0);
  Tensor slope = c.x(1);
  if (c.opset < 7 && slope.ndim() == 1 && x.ndim() > 2) {
    Shape channels(size_t(x.ndim() - 1), 1);
    channels[0] = slope.size();
    slope = ops::reshape(slope, channels);
  }
  return {ops::where(ops::less(x, cast_to(Tensor(0), x.dtype())), x * slope, x)};
}
Tensor swish(const Tensor& x, double alpha) {
  return alpha == 1 ? ops::silu(x) : x * ops::sigmoid(x * alpha);
}

#define UNARY(name, since, op) {{name, since, ""}, unary<ops::op>}
#define BINARY(name, since, op) {{name, since, ""}, binary<ops::op>}
const Reader readers[] = {
    UNARY("Abs", 1, abs),
    UNARY("Acos", 7, acos),
    UNARY("Acosh", 9, acosh),
    UNARY("Asin", 7, asin),
    UNARY("Asinh", 9, asinh),
    UNARY("Atan", 7, atan),
    UNARY("Atanh", 9, atanh),
    UNARY("BitwiseNot", 18, bitwise_invert),
    UNARY("Ceil", 1, ceil),
    UNARY("Cos", 7, cos),
    UNARY("Cosh", 9, cosh),
    UNARY("Erf", 9, erf),
    UNARY("Exp", 1, exp),
    UNARY("Floor", 1, floor),
    UNARY("IsNaN", 9, isnan),
    UNARY("Log", 1, log),
    UNARY("Neg", 1, negative),
    UNARY("Not", 1, logical_not),
    UNARY("Reciprocal", 1, reciprocal),
    UNARY("Sigmoid", 1, sigmoid),
    UNARY("Sign", 9, sign),
    UNARY("Sin", 7, sin),
    UNARY("Sinh", 9, sinh),
    UNARY("Sqrt", 1, sqrt),
    UNARY("Tan", 7, tan),
    UNARY("Tanh", 1, tanh),
    BINARY("Add", 1, add),
    BINARY("And", 1, logical_and),
    BINARY("BitwiseAnd", 18, bitwise_and),
    BINARY("BitwiseOr", 18, bitwise_or),
    BINARY("BitwiseXor", 18, bitwise_xor),
    {{"Equal", 1, ""}, binary<ops::equal>, strings},
    BINARY("Greater", 1, greater),
    BINARY("GreaterOrEqual", 12, greater_equal),
    BINARY("Less", 1, less),
    BINARY("LessOrEqual", 12, less_equal),
    BINARY("Mul", 1, multiply),
    BINARY("Or", 1, logical_or),
    BINARY("Sub", 1, subtract),
    BINARY("Xor", 1, logical_xor),
    {{"Max", 1, ""}, variadic<ops::maximum>},
    {{"Min", 1, ""}, variadic<ops::minimum>},
    {{"Sum", 1, ""}, variadic<ops::add>},
    {{"Mean", 1, ""}, mean},
    {{"Div", 1, ""}, divide},
    {{"Mod", 10, ""}, mod},
    {{"Pow", 1, ""}, power},
    {{"BitShift", 11, ""}, shift},
    {{"BitCast", 26, "between integers and floats only where the value is known while recording"},
     bit_cast},
    {{"Clip", 1, ""}, clip},
    {{"Cast", 1, "no strings, no floats of 8 bits or less, no 2-bit integers"}, cast},
    {{"CastLike", 15, "as Cast"}, cast_like},
    {{"IsInf", 10, ""}, is_infinite},
    {{"Round", 11, ""}, [](const Call& c) -> Values { return {ops::round(c.x(0))}; }},
    {{"Where", 9, ""},
     [](const Call& c) -> Values { return {ops::where(c.x(0), c.x(1), c.x(2))}; },
     moves_strings},
    {{"Relu", 1, ""}, relu},
    {{"Selu", 1, ""}, selu},
    {{"Shrink", 9, ""}, shrink},
    {{"PRelu", 1, ""}, prelu},
    {{"Elu", 1, ""}, [](const Call& c) -> Values { return {ops::elu(c.x(0), c.f("alpha", 1))}; }},
    {{"Celu", 12, ""},
     [](const Call& c) -> Values { return {ops::celu(c.x(0), c.f("alpha", 1))}; }},
    {{"LeakyRelu", 1, ""},
     [](const Call& c) -> Values { return {ops::leaky_relu(c.x(0), c.f("alpha", 0.01))}; }},
    {{"HardSigmoid", 1, ""},
     [](const Call& c) -> Values {
       return {ops::hard_sigmoid(c.x(0), c.f("alpha", 0.2), c.f("beta", 0.5))};
     }},
    {{"HardSwish", 14, ""}, [](const Call& c) -> Values { return {ops::hardswish(c.x(0))}; }},
    {{"Gelu", 20, ""},
     [](const Call& c) -> Values { return {ops::gelu(c.x(0), c.s("approximate", "none"))}; }},
    {{"Mish", 18, ""}, [](const Call& c) -> Values { return {ops::mish(c.x(0))}; }},
    {{"Softplus", 1, ""}, [](const Call& c) -> Values { return {ops::softplus(c.x(0))}; }},
    {{"Softsign", 1, ""}, [](const Call& c) -> Values { return {ops::softsign(c.x(0))}; }},
    {{"Swish", 24, ""}, [](const Call& c) -> Values { return {swish(c.x(0), c.f("alpha", 1))}; }},
    {{"SwiGLU", 28, ""},
     [](const Call& c) -> Values { return {swish(c.x(0), c.f("alpha", 1)) * c.x(1)}; }},
    {{"ThresholdedRelu", 10, ""},
     [](const Call& c) -> Values { return {ops::threshold(c.x(0), c.f("alpha", 1))}; }},
    {{"Identity", 1, ""}, identity, moves_strings},
};
#undef UNARY
#undef BINARY

}  // namespace

std::span<const Reader> math_readers() { return readers; }

}  // namespace ember::onnx
