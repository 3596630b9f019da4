// Gradients of elementwise ops. For complex numbers they are what descends: g * conj(f'(x)).
#include "src/ops/rules.h"

namespace ember {
namespace {

using namespace ops;

constexpr double ln2 = std::numbers::ln2, ln10 = std::numbers::ln10, pi = std::numbers::pi;
const double two_over_sqrt_pi = 2 * std::numbers::inv_sqrtpi,
             half_sqrt_pi = 0.5 / std::numbers::inv_sqrtpi;

Tensor share(const Tensor& wins, const Tensor& ties, const Tensor& g) {
  return where(ties, g * 0.5, where(wins, g, 0.0));
}

// The derivative of digamma: recurrence up to where the asymptotic series holds, reflection below
// one half.
Tensor trigamma(const Tensor& x) {
  const Tensor low = x < 0.5;
  const Tensor at = where(low, 1.0 - x, x);
  Tensor sum = zeros_like(x);
  Tensor z = at;
  for (int i = 0; i < 10; ++i) {
    sum = sum + 1.0 / square(z);
    z = z + 1.0;
  }
  const Tensor r = 1.0 / square(z);
  sum = sum + 1.0 / z + r * 0.5 +
        r / z * (1.0 / 6 - r * (1.0 / 30 - r * (1.0 / 42 - r * (1.0 / 30 - r * (5.0 / 66)))));
  return where(low, square(pi / sin(x * pi)) - sum, sum);
}

Tensor power_by_base(const Tensor& a, const Tensor& b, const Tensor& g) {
  return where(b == 0.0, 0.0, g * cj(b * pow(a, where(b == 0.0, 1.0, b) - 1.0)));
}
Tensor power_by_exponent(const Tensor& a, const Tensor& b, const Tensor& y, const Tensor& g) {
  const Tensor zero = is_complex(b.dtype()) ? a == 0.0 : logical_and(a == 0.0, b >= 0.0);
  return where(zero, 0.0, g * cj(y * log(where(zero, 1.0, a))));
}

// The result is read for the second input's gradient only.
template <int inputs> uint8_t y_for_second(const Node& n) {
  return uint8_t(inputs | (n.inputs[1]->requires_grad ? reads_y : 0));
}

const GradientRule rules[] = {
    RULE1(abs, reads_x, g* sign(x)),
    RULE1(acos, reads_x, -g / cj(sqrt(1.0 - x * x))),
    RULE1(acosh, reads_x, g / cj(sqrt(x - 1.0) * sqrt(x + 1.0))),
    RULE1(asin, reads_x, g / cj(sqrt(1.0 - x * x))),
    RULE1(asinh, reads_x, g / cj(sqrt(x * x + 1.0))),
    RULE1(atan, reads_x, g / cj(x * x + 1.0)),
    RULE1(atanh, reads_x, g / cj(1.0 - x * x)),
    RULE1(cbrt, reads_y, g / (square(y) * 3.0)),
    FLAT(ceil),
    FLAT(floor),
    FLAT(trunc),
    FLAT(round),
    FLAT(floor_divide),
    RULE1(conj, reads_none, cj(g)),
    RULE1(cos, reads_x, -g* cj(sin(x))),
    RULE1(cosh, reads_x, g* cj(sinh(x))),
    RULE1(digamma, reads_x, g* trigamma(x)),
    RULE1(erf, reads_x, g* exp(-x* x) * two_over_sqrt_pi),
    RULE1(erfc, reads_x, -g* exp(-x* x) * two_over_sqrt_pi),
    RULE1(erfinv, reads_y, g* exp(y* y) * half_sqrt_pi),
    RULE1(exp, reads_y, g* cj(y)),
    RULE1(exp2, reads_y, g* cj(y) * ln2),
    RULE1(expm1, reads_y, g* cj(y + 1.0)),
    RULE1(imag, reads_none, g* Tensor(std::complex<double>(0, 1))),
    RULE1(real, reads_none, g),
    RULE1(lgamma, reads_x, g* digamma(x)),
    RULE1(log, reads_x, g / cj(x)),
    RULE1(log10, reads_x, g / cj(x) / ln10),
    RULE1(log1p, reads_x, g / cj(x + 1.0)),
    RULE1(log2, reads_x, g / cj(x) / ln2),
    RULE1(negative, reads_none, -g),
    RULE1(reciprocal, reads_y, -g* cj(square(y))),
    RULE1(rsqrt, reads_y, g* cj(y* square(y)) * -0.5),
    RULE1(sigmoid, reads_y, g* y * (1.0 - y)),
    {OpId::sign,
     [](const Vjp& v) -> Gradients {
       if (!is_complex(v.x[0].dtype())) return {};
       const Tensor& y = v.y[0];
       const Tensor& g = v.g[0];  // only what is across the direction of x turns it
       return {
           where(y == 0.0, 0.0, (g - y * real(conj(y) * g)) / where(y == 0.0, 1.0, abs(v.x[0])))};
     },
     reads_x | reads_y},
    RULE1(sin, reads_x, g* cj(cos(x))),
    RULE1(sinh, reads_x, g* cj(cosh(x))),
    RULE1(sqrt, reads_y, g / cj(y * 2.0)),
    RULE1(square, reads_x, g* cj(x) * 2.0),
    RULE1(tan, reads_y, g* cj(square(y) + 1.0)),
    RULE1(tanh, reads_y, g* cj(1.0 - square(y))),
    RULE2(add, reads_none, g, g),
    RULE2(subtract, reads_none, g, -g),
    RULE2_BY(multiply, reads_x | reads_x2, reads_crosswise, g* cj(b), g* cj(a)),
    RULE2_BY(divide, reads_x2 | reads_y, y_for_second<reads_x2>, g / cj(b), -g* cj(y / b)),
    RULE2(maximum, reads_x | reads_x2, share(a > b, a == b, g), share(b > a, a == b, g)),
    RULE2(minimum, reads_x | reads_x2, share(a < b, a == b, g), share(b < a, a == b, g)),
    RULE2(remainder, reads_x | reads_x2, g, -g* floor(a / b)),
    RULE2(fmod, reads_x | reads_x2, g, -g* trunc(a / b)),
    RULE2_BY(pow, reads_x | reads_x2 | reads_y, y_for_second<reads_x | reads_x2>,
             power_by_base(a, b, g), power_by_exponent(a, b, y, g)),
    RULE2(atan2, reads_x | reads_x2, g* b / (square(a) + square(b)),
          -g* a / (square(a) + square(b))),
    RULE2(copysign, reads_x | reads_y, g* sign(a) * sign(y), Tensor()),
    RULE2(hypot, reads_x | reads_x2 | reads_y, where(y == 0.0, 0.0, g* a / y),
          where(y == 0.0, 0.0, g* b / y)),
    RULE2(logaddexp, reads_x | reads_x2, g* sigmoid(where(a == b, 0.0, a - b)),
          g* sigmoid(where(a == b, 0.0, b - a))),  // both may be -inf
    {OpId::where,
     [](const Vjp& v)
         -> Gradients { return {Tensor(), where(v.x[0], v.g[0], 0.0), where(v.x[0], 0.0, v.g[0])}; },
     reads_x},
    RULE1(cast, reads_none, g),
};

}  // namespace

std::span<const GradientRule> elementwise_gradients() { return rules; }

}  // namespace ember
