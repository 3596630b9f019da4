// Random numbers from one counter-based generator, Philox 4x32-10. Bits and uniform numbers are
// bit-equal on every engine and with any number of threads; other distributions are ops over them.
// An op takes its counter when it is recorded.
#include <cmath>
#include <mutex>
#include <random>

#include "src/core/fork.h"
#include "src/ops/views.h"

namespace ember {
namespace {

struct Process {
  std::mutex mutex;
  Generator generator{std::random_device{}()};
};
Process& process() {
  static Process& p = *new Process;
  return p;
}
thread_local Generator* scoped = nullptr;

int64_t count(const Shape& s) { return size_of(std::span<const int64_t>(s)); }

// The number of top bits of a random word that a dtype holds exactly, so that rounding never gives
// 1.
int digits(DType t) {
  return t == DType::float16 ? 11 : t == DType::bfloat16 ? 8 : t == DType::float32 ? 24 : 53;
}

void need_float(const char* op, DType t) {
  if (!is_float(t)) {
    throw DTypeError("[" + std::string(op) + "] draws real floating-point numbers, not " +
                     std::string(name(t)));
  }
}
void need(bool ok, const char* op, const std::string& text) {
  if (!ok) throw ValueError("[" + std::string(op) + "] " + text);
}
// Checks that the shape is valid with `each` draws per element.
void need_shape(const char* op, const Shape& shape, int64_t each = 2) {
  named(op, [&] {
    Shape all = shape;
    all.push_back(each);
    check_size(shape, DType::complex128);
    check_size(all, DType::float64);
  });
}
// Calls f with each element of an evaluated tensor in row-major order. A pending tensor is not
// evaluated for a check.
template <class F> void for_known(const Tensor& x, F f) {
  if (const Node& n = *x.node(); n.op == OpId::scalar) {
    const double v = is_float(n.dtype) ? n.scalar.f : double(n.scalar.i);
    return f(std::span<const double>(&v, 1));
  }
  if (!x.evaluated() || x.size() == 0) return;
  const std::vector<double> all = x.to_vector<double>();
  const size_t row = x.ndim() ? size_t(x.shape(-1)) : 1;
  for (size_t i = 0; i < all.size(); i += row) f(std::span<const double>(all).subspan(i, row));
}
void check_weights(std::span<const double> row, int64_t least_possible) {
  int64_t possible = 0;
  for (double p : row) {
    if (!(p >= 0 && std::isfinite(p))) {
      throw ValueError("probabilities must be finite and not negative: " + std::to_string(p));
    }
    possible += p > 0;
  }
  if (possible == 0) throw ValueError("all probabilities are 0");
  if (possible < least_possible) {
    throw ValueError("without replacement " + std::to_string(least_possible) +
                     " samples cannot be drawn from " + std::to_string(possible) +
                     " categories whose probability is not 0");
  }
}

// The dtype that a distribution is computed in: 16-bit floats are computed in float32.
DType wide(DType t) { return t == DType::float64 ? t : DType::float32; }

// The largest number of a dtype below v as rounded to that dtype.
template <class T> double below_half(double v) {
  T t{float(v)};
  const bool zero = (t.bits & 0x7fff) == 0;
  t.bits = zero ? 0x8001 : uint16_t(t.bits & 0x8000 ? t.bits + 1 : t.bits - 1);
  return double(float(t));
}
double below(double v, DType t) {
  if (t == DType::float64) return std::nextafter(v, -HUGE_VAL);
  if (t == DType::float32) return double(std::nextafter(float(v), -HUGE_VALF));
  return t == DType::float16 ? below_half<Half>(v) : below_half<BFloat>(v);
}

// Random 64-bit words, each from two 32-bit words.
Tensor random_words(const Shape& shape) {
  Shape two = shape;
  two.push_back(2);
  const Tensor bits = ops::random_bits(two);
  const auto half = [&](int64_t k) { return cast_to(bits(ellipsis, k), DType::uint64); };
  return ops::bitwise_left_shift(half(0), 32) | half(1);
}

// Uniform in (0, 1]: safe for logarithms.
Tensor open_uniform(const Shape& shape, DType t) {
  return 1.0 - ops::random_uniform(shape, 0, 1, t);
}

Tensor range_of(const char* op, const Tensor& n) {
  const int64_t size = ops::astype(n, DType::int64).item<int64_t>();
  need(size >= 0, op, "x must not be negative: " + std::to_string(size));
  return named(op, [&] { return index_range(size); });
}
Tensor shuffle_as(const char* op, const Tensor& x, int64_t axis) {
  return named(op, x, [&] {
    const int64_t a = normal_axis(axis, x.ndim());
    return ops::take(x, ops::argsort(ops::random_uniform({x.shape(a)}, 0, 1, DType::float64)), a);
  });
}

}  // namespace

std::mutex& random_mutex() { return process().mutex; }

with_generator::with_generator(Generator& g) : before_(std::exchange(scoped, &g)) {}
with_generator::~with_generator() { scoped = before_; }

namespace ops {

void seed(int64_t value) {
  std::lock_guard lock(process().mutex);
  process().generator = Generator(uint64_t(value));
}

int64_t get_seed() { return int64_t(get_random_state().key); }
RandomState get_random_state() {
  if (scoped) return {scoped->key(), scoped->counter()};
  std::lock_guard lock(process().mutex);
  return {process().generator.key(), process().generator.counter()};
}
void set_random_state(RandomState state) {
  if (scoped) {
    *scoped = Generator(state.key, state.counter);
  } else {
    std::lock_guard lock(process().mutex);
    process().generator = Generator(state.key, state.counter);
  }
}

Tensor random_bits(const Shape& shape) {
  need_shape("random_bits", shape, 1);
  const uint64_t blocks = uint64_t((count(shape) + 3) / 4);
  uint64_t key;
  uint64_t counter;
  if (scoped) {
    key = scoped->key();
    counter = scoped->take(blocks);
  } else {
    std::lock_guard lock(process().mutex);
    key = process().generator.key();
    counter = process().generator.take(blocks);
  }
  Tensor in[] = {make_scalar({.u = key}, DType::uint64, false),
                 make_scalar({.u = counter}, DType::uint64, false)};
  return apply_typed(OpId::random_bits, in, {DType::uint32, shape});
}

Tensor random_uniform(const Shape& shape, double low, double high, DType dtype) {
  need_float("random_uniform", dtype);
  need_shape("random_uniform", shape);
  const double most = ops::finfo(dtype).max;
  need(std::abs(low) <= most && std::abs(high) <= most, "random_uniform",
       "low and high must be finite in " + std::string(name(dtype)) + ": " + std::to_string(low) +
           " and " + std::to_string(high));
  need(low <= high, "random_uniform",
       "low must not exceed high: " + std::to_string(low) + " and " + std::to_string(high));
  const int d = digits(dtype);
  const DType t =
      wide(dtype);  // one rounding for 16-bit floats, so that every engine has the same one
  Tensor u;
  if (d <= 32) {
    u = cast_to(bitwise_right_shift(random_bits(shape), 32 - d), t) * std::ldexp(1.0, -d);
  } else {
    u = cast_to(bitwise_right_shift(random_words(shape), 64 - d), t) * std::ldexp(1.0, -d);
  }
  if (low == 0 && high == 1) return cast_to(u, dtype);
  // Rounding may give high, which becomes the largest number below it.
  const bool fits = high - low <= ops::finfo(t).max;
  const Tensor r = cast_to(fits ? u * (high - low) + low : u * high + (1.0 - u) * low, dtype);
  return low < high ? minimum(r, like(r, below(high, dtype))) : r;
}

// Box-Muller in float32 or wider; both numbers of a pair are used.
Tensor random_normal(const Shape& shape, double mean, double stddev, DType dtype) {
  need_float("random_normal", dtype);
  need_shape("random_normal", shape);
  need(stddev >= 0, "random_normal", "stddev must not be negative: " + std::to_string(stddev));
  const DType t = wide(dtype);
  const int64_t n = count(shape);
  const int64_t half = (n + 1) / 2;
  const Tensor r = sqrt(log(open_uniform({half}, t)) * -2.0);
  const Tensor a = random_uniform({half}, 0, 1, t) * 6.283185307179586476925;
  const Tensor both = concat({r * cos(a), r * sin(a)});
  const Tensor z = reshape(n % 2 ? slice(both, {0}, {n}) : both, shape);
  return cast_to(z * stddev + mean, dtype);
}

// By the inverse distribution function, so that each number takes one draw. The tails need float64.
Tensor truncated_normal(const Shape& shape, double mean, double stddev, double low, double high,
                        DType dtype) {
  need_float("truncated_normal", dtype);
  need_shape("truncated_normal", shape);
  need(stddev >= 0, "truncated_normal", "stddev must not be negative: " + std::to_string(stddev));
  need(low < high, "truncated_normal",
       "low must be less than high: " + std::to_string(low) + " and " + std::to_string(high));
  const DType t = low > 1 || high < -1 ? DType::float64 : wide(dtype);
  const double a = std::erf(low / std::sqrt(2.0));
  const double b = std::erf(high / std::sqrt(2.0));
  need(b - a > 1e-12, "truncated_normal",
       "the probability between " + std::to_string(low) + " and " + std::to_string(high) +
           " standard deviations is too small");
  const Tensor z = erfinv(random_uniform(shape, a, b, t)) * std::sqrt(2.0);
  return cast_to(clip(z, like(z, low), like(z, high)) * stddev + mean, dtype);
}

Tensor random_bernoulli(const Shape& shape, const Tensor& p) {
  need_shape("random_bernoulli", shape);
  return named("random_bernoulli", "p", {&p, 1}, [&] {
    if (is_complex(p.dtype())) throw DTypeError("p must be real");
    for_known(p, [](std::span<const double> row) {
      for (double v : row) {
        if (!(v >= 0 && v <= 1)) throw ValueError("p must lie in [0, 1], not " + std::to_string(v));
      }
    });
    if (ember::broadcast_shapes(shape, p.shape()) != shape) {
      throw ShapeError("p does not broadcast to shape " + to_string(shape));
    }
    const DType t = wide(default_float());
    return random_uniform(shape, 0, 1, t) < cast_to(p, t);
  });
}

// Draws all n trials at once: exact, with memory for n numbers per element.
Tensor random_binomial(const Shape& shape, double p, int64_t n, DType dtype) {
  need(n >= 0, "random_binomial", "n must not be negative: " + std::to_string(n));
  need(p >= 0 && p <= 1, "random_binomial", "p must lie in [0, 1], not " + std::to_string(p));
  need_shape("random_binomial", shape, n);
  Shape all = shape;
  all.push_back(n);
  return cast_to(sum(cast_to(random_bernoulli(all, p), DType::int64), -1), dtype);
}

// Gumbel-max: the argmax of logits plus Gumbel noise.
Tensor random_categorical(const Tensor& logits, int64_t num_samples, DType dtype) {
  need(logits.ndim() >= 1 && logits.shape(-1) > 0, "random_categorical",
       "logits need a last axis that is not empty");
  need(num_samples >= 0, "random_categorical",
       "num_samples must not be negative: " + std::to_string(num_samples));
  return named("random_categorical", "logits", {&logits, 1}, [&] {
    if (is_complex(logits.dtype())) throw DTypeError("logits must be real");
    for_known(logits, [](std::span<const double> row) {
      double most = -HUGE_VAL;
      for (double v : row) {
        if (std::isnan(v) || v == HUGE_VAL) {
          throw ValueError("logits must be finite or -inf, not " + std::to_string(v));
        }
        most = std::max(most, v);
      }
      if (most == -HUGE_VAL) throw ValueError("all logits are -inf");
    });
    const DType t = wide(float_of(logits.dtype()));
    Shape s = logits.shape();
    s.insert(s.size() - 1, num_samples);
    check_size(s, DType::complex128);
    return cast_to(argmax(cast_to(expand_dims(logits, {-2}), t) + random_gumbel(s, 0, 1, t), -1),
                   dtype);
  });
}

Tensor random_multinomial(const Tensor& probabilities, int64_t num_samples, bool replacement) {
  const char* op = "random_multinomial";
  need(probabilities.ndim() >= 1 && probabilities.shape(-1) > 0, op,
       "probabilities need a last axis that is not empty");
  need(num_samples >= 0, op, "num_samples must not be negative: " + std::to_string(num_samples));
  need(replacement || num_samples <= probabilities.shape(-1), op,
       "without replacement at most as many samples as categories can be drawn");
  return named(op, "probabilities", {&probabilities, 1}, [&] {
    if (is_complex(probabilities.dtype())) throw DTypeError("probabilities must be real");
    for_known(probabilities, [&](std::span<const double> row) {
      check_weights(row, replacement ? 1 : num_samples);
    });
    const DType t = wide(float_of(probabilities.dtype()));
    const Tensor logits = log(cast_to(probabilities, t));
    if (replacement) return random_categorical(logits, num_samples);
    return std::get<1>(topk(logits + random_gumbel(logits.shape(), 0, 1, t), num_samples, -1));
  });
}

namespace {

// The logarithm of a gamma-distributed number, which does not underflow. Marsaglia and Tsang's
// method with a fixed number of tries: the probability that all are rejected is below 1e-12 per
// number.
Tensor log_gamma_draw(const Shape& shape, double alpha, DType t) {
  const double a = alpha < 1 ? alpha + 1 : alpha;
  const double d = a - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  constexpr int64_t tries = 10;
  Shape many = shape;
  many.insert(0, tries);
  const Tensor z = random_normal(many, 0, 1, t);
  const Tensor v0 = z * c + 1.0;
  const Tensor v = v0 * v0 * v0;
  const Tensor log_v = log(maximum(v, 1e-30));
  const Tensor ok =
      logical_and(v0 > 0.0, log(open_uniform(many, t)) < z * z * 0.5 + d - v * d + log_v * d);
  const Tensor which = argmax(cast_to(ok, DType::int8), 0, true);
  const Tensor g = reshape(take_along_axis(log_v, which, 0), shape) + std::log(d);
  return alpha < 1 ? g + log(open_uniform(shape, t)) * (1 / alpha) : g;
}

}  // namespace

Tensor random_gamma(const Shape& shape, double alpha, double beta, DType dtype) {
  need_float("random_gamma", dtype);
  need(alpha > 0 && beta > 0 && std::isfinite(alpha) && std::isfinite(beta), "random_gamma",
       "alpha and beta must be positive and finite");
  need_shape("random_gamma", shape, 10);
  return cast_to(exp(log_gamma_draw(shape, alpha, wide(dtype))) / beta, dtype);
}
Tensor random_beta(const Shape& shape, double a, double b, DType dtype) {
  need_float("random_beta", dtype);
  need(a > 0 && b > 0 && std::isfinite(a) && std::isfinite(b), "random_beta",
       "a and b must be positive and finite");
  need_shape("random_beta", shape, 10);
  const DType t = wide(dtype);
  const Tensor x = log_gamma_draw(shape, a, t);
  const Tensor y = log_gamma_draw(shape, b, t);
  return cast_to(sigmoid(x - y), dtype);
}
Tensor random_exponential(const Shape& shape, double scale, DType dtype) {
  need_float("random_exponential", dtype);
  need_shape("random_exponential", shape);
  need(scale >= 0, "random_exponential", "scale must not be negative: " + std::to_string(scale));
  return cast_to(log(open_uniform(shape, wide(dtype))) * -scale, dtype);
}
// Poisson: the number of exponential intervals that fit into the rate. Exact, for rates up to a few
// thousand.
Tensor random_poisson(const Shape& shape, double rate, DType dtype) {
  need(rate >= 0 && rate <= 1e4, "random_poisson",
       "the rate must lie in [0, 10000], not " + std::to_string(rate));
  const int64_t steps = int64_t(rate + 12 * std::sqrt(rate + 1) + 16);
  need_shape("random_poisson", shape, steps);
  Shape all = shape;
  all.push_back(steps);
  return cast_to(sum(cast_to(cumulative_sum(random_exponential(all, 1, DType::float64), -1) <= rate,
                             DType::int64),
                     -1),
                 dtype);
}
// Laplace: an exponential number with a random sign.
Tensor random_laplace(const Shape& shape, double loc, double scale, DType dtype) {
  need_float("random_laplace", dtype);
  need_shape("random_laplace", shape);
  need(scale >= 0, "random_laplace", "scale must not be negative: " + std::to_string(scale));
  const Tensor e = random_exponential(shape, scale, wide(dtype));
  return cast_to(where(random_uniform(shape, 0, 1, DType::float32) < 0.5, e, -e) + loc, dtype);
}
Tensor random_gumbel(const Shape& shape, double loc, double scale, DType dtype) {
  need_float("random_gumbel", dtype);
  need_shape("random_gumbel", shape);
  need(scale >= 0, "random_gumbel", "scale must not be negative: " + std::to_string(scale));
  const DType t = wide(dtype);
  // A uniform number of 1 represents all that round to it, so it becomes 1 minus half a step.
  const Tensor e = maximum(-log(open_uniform(shape, t)), std::ldexp(1.0, -digits(t) - 1));
  return cast_to(loc - log(e) * scale, dtype);
}
// From 64 bits: the bias of the remainder is below 2^-32 for any range that fits 32 bits.
Tensor random_integers(const Shape& shape, int64_t low, int64_t high, DType dtype) {
  if (!is_integer(dtype)) {
    throw DTypeError("[random_integers] draws integers, not " + std::string(name(dtype)));
  }
  need(low < high, "random_integers",
       "low must be less than high: " + std::to_string(low) + " and " + std::to_string(high));
  need_shape("random_integers", shape);
  const IntInfo info = iinfo(dtype);
  need(low >= info.min && (high <= 0 || uint64_t(high) - 1 <= info.max), "random_integers",
       "numbers from " + std::to_string(low) + " to below " + std::to_string(high) +
           " do not fit " + std::string(name(dtype)));
  const uint64_t range = uint64_t(high) - uint64_t(low);
  const Tensor r = remainder(random_words(shape), make_scalar({.u = range}, DType::uint64, false)) +
                   make_scalar({.u = uint64_t(low)}, DType::uint64, false);
  return cast_to(cast_to(r, DType::int64), dtype);
}
Tensor random_permutation(const Tensor& x, int64_t axis, Dtype dtype) {
  const bool range = x.ndim() == 0 && is_integer(x.dtype());
  const Tensor r = range ? shuffle(range_of("random_permutation", x), 0)
                         : shuffle_as("random_permutation", x, axis);
  return cast_to(r, dtype.value_or(r.dtype()));
}
Tensor shuffle(const Tensor& x, int64_t axis) { return shuffle_as("shuffle", x, axis); }
Tensor choice(const Tensor& x, const Shape& shape, bool replace, const std::optional<Tensor>& p) {
  need_shape("choice", shape);
  const Tensor from = x.ndim() == 0 && is_integer(x.dtype()) ? range_of("choice", x) : x;
  need(from.ndim() == 1 && from.size() > 0, "choice",
       "x must be a vector that is not empty, or a positive integer");
  const int64_t n = count(shape);
  const int64_t size = from.size();
  need(replace || n <= size, "choice",
       "without replacement at most " + std::to_string(size) + " can be drawn, not " +
           std::to_string(n));
  Tensor index;
  if (p) {
    need(p->shape() == from.shape(), "choice", "p must have a probability for each element");
    index = random_multinomial(*p, n, replace);
  } else if (replace) {
    index = random_integers({n}, 0, size);
  } else {
    index = slice(shuffle(index_range(size), 0), {0}, {n});
  }
  return reshape(take(from, index, 0), shape);
}

}  // namespace ops

namespace {
using binder::fn;

Type infer_bits(Inputs in, const Attrs&) { return {DType::uint32, in[0].shape()}; }

bool set_seed(int64_t v) {
  ops::seed(v);
  return true;
}

const Row rows[] = {
    {.name = "seed",
     .args = "value",
     .doc = "Seeds the random generator of the process.",
     .call = fn<set_seed>},
    FUN(get_seed, "", "Seed of the random generator."),
    {.name = "random_bits",
     .args = "shape",
     .doc = "Random 32-bit words (uint32).",
     .call = fn<ops::random_bits>,
     .id = OpId::random_bits,
     .traits = t_random,
     .arity = {2, 2},
     .infer = infer_bits},
    FUN(random_uniform, "shape, low=0, high=1, dtype=float", "Uniform numbers in [low, high)."),
    FUN(random_normal, "shape, mean=0, stddev=1, dtype=float",
        "Normally distributed numbers with the given mean and standard deviation."),
    FUN(truncated_normal, "shape, mean=0, stddev=1, low=-2, high=2, dtype=float",
        "Normal numbers between low and high standard deviations from the mean."),
    FUN(random_bernoulli, "shape, p=0.5", "True with probability p."),
    FUN(random_binomial, "shape, p=0.5, n=1, dtype=int64",
        "Number of successes in n trials with probability p."),
    FUN(random_categorical, "logits, num_samples=1, dtype=int64",
        "Indices drawn with probabilities softmax(logits) along the last axis."),
    FUN(random_multinomial, "probabilities, num_samples=1, replacement=True",
        "Indices drawn with the given probabilities along the last axis."),
    FUN(random_gamma, "shape, alpha=1, beta=1, dtype=float",
        "Gamma-distributed numbers with shape alpha and rate beta."),
    FUN(random_beta, "shape, a, b, dtype=float", "Beta-distributed numbers with shapes a and b."),
    FUN(random_exponential, "shape, scale=1, dtype=float",
        "Exponentially distributed numbers with mean scale."),
    FUN(random_poisson, "shape, rate=1, dtype=int64", "Poisson-distributed counts with mean rate."),
    FUN(random_laplace, "shape, loc=0, scale=1, dtype=float",
        "Laplace-distributed numbers with mean loc and the given scale."),
    FUN(random_gumbel, "shape, loc=0, scale=1, dtype=float",
        "Gumbel-distributed numbers with mode loc and the given scale."),
    FUN(random_integers, "shape, low, high, dtype=int64", "Uniform integers in [low, high)."),
    FUN(random_permutation, "x, axis=0, dtype=None",
        "Entries of x along an axis in random order; an integer n means arange(n)."),
    FUN(shuffle, "x, axis=0", "Entries of x along an axis in random order."),
    FUN(choice, "x, shape=[], replace=True, p=None",
        "Elements drawn from a vector with probabilities p, by default equal ones."),
};
}  // namespace

std::span<const Row> random_rows() { return rows; }

}  // namespace ember
