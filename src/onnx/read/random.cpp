// Random numbers, drawn at each call: a network with random ops is recorded at each call.
#include "src/graph/graph.h"
#include "src/onnx/read/read.h"

namespace ember::onnx {
namespace {

// A seed in the file creates a generator; without one, draws from Ember's generator.
template <class F> Tensor with_seed(const Call& c, F&& f) {
  const auto* seed = c.attribute("seed", proto::Attribute::float_);
  c.recorder.draw();
  if (!seed) return f();
  Generator g(std::bit_cast<uint32_t>(seed->f));
  const with_generator here(g);
  return f().eval();
}

template <bool normal> Values random(const Call& c) {
  const bool like = !c.in.empty();
  const double a = normal ? c.f("mean", 0) : c.f("low", 0);
  const double b = normal ? c.f("scale", 1) : c.f("high", 1);
  const auto asked = c.dtype("dtype");
  const std::optional<Ints> given = c.list_of("shape");
  if (!like && !given) throw ValueError("the shape is missing");
  const DType t = asked ? *asked : like ? c.x(0).dtype() : DType::float32;
  if (!is_float(t)) throw DTypeError("random numbers are floats, not " + std::string(name(t)));
  const Shape shape = like ? c.x(0).shape() : *given;
  return {with_seed(c, [&] {
    return normal ? ops::random_normal(shape, a, b, t) : ops::random_uniform(shape, a, b, t);
  })};
}
Values bernoulli(const Call& c) {
  const DType t = c.dtype("dtype").value_or(c.x(0).dtype());
  return {with_seed(c, [&] { return cast_to(ops::random_bernoulli(c.x(0).shape(), c.x(0)), t); })};
}
Values multinomial(const Call& c) {
  const DType t = c.dtype("dtype").value_or(DType::int32);
  const int64_t n = c.i("sample_size", 1);
  return {
      with_seed(c, [&] { return cast_to(ops::random_categorical(c.x(0), n, DType::int64), t); })};
}

#define WHEN "drawn at each call, so not in programs and exports"
const Reader readers[] = {
    {{"RandomNormal", 1, WHEN}, random<true>},   {{"RandomNormalLike", 1, WHEN}, random<true>},
    {{"RandomUniform", 1, WHEN}, random<false>}, {{"RandomUniformLike", 1, WHEN}, random<false>},
    {{"Bernoulli", 15, WHEN}, bernoulli},        {{"Multinomial", 7, WHEN}, multinomial},
};
#undef WHEN

}  // namespace

std::span<const Reader> random_readers() { return readers; }

}  // namespace ember::onnx
