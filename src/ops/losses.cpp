// Quantization, losses and distances. 16-bit floats are computed in float32 and rounded once.
#include <cmath>
#include <numbers>

#include "src/ops/broadcast_warning.h"
#include "src/ops/layouts.h"

namespace ember {
namespace {

void need_reduction(std::string_view reduction) {
  one_of("reduction", reduction, {"mean", "sum", "none"});
}

// Real floating-point operands of one dtype, widened; the dtype of the result.
DType make_alike(std::span<Tensor> in) {
  for (const Tensor& t : in) {
    if (is_complex(t.dtype())) {
      throw DTypeError("takes real dtypes, not " + std::string(name(t.dtype())));
    }
  }
  const DType t = float_of(result_dtype(in));
  promote_inputs(in, t);
  for (Tensor& x : in) x = widen(x);
  return t;
}

Tensor reduced(const Tensor& loss, std::string_view reduction, DType t, const Axes& axis = {},
               bool keepdims = false) {
  return cast_to(reduction == "mean"  ? ops::mean(loss, axis, keepdims)
                 : reduction == "sum" ? ops::sum(loss, axis, keepdims)
                                      : loss,
                 t);
}

// An elementwise loss f(prediction, target) of widened operands.
template <class F>
Tensor loss(const char* name, const Tensor& prediction, const Tensor& target,
            std::string_view reduction, F&& f, const Axes& axis = {}, bool keepdims = false) {
  const Tensor given[] = {prediction, target};
  return named(name, "prediction, target", given, [&] {
    need_reduction(reduction);
    broadcast_shapes(prediction.shape(), target.shape());
    warn_of_broadcast(name, prediction, target);
    Tensor in[] = {prediction, target};
    const DType t = make_alike(in);
    return reduced(f(in[0], in[1]), reduction, t, axis, keepdims);
  });
}

constexpr double clip_eps = 1e-7;

Tensor log_of_probabilities(const Tensor& p) {
  return ops::log(ops::clip(p, Tensor(clip_eps), Tensor(1 - clip_eps)));
}

// Minus the entry at each target index along the axis.
Tensor picked(const Tensor& log_p, const Tensor& target, int64_t axis) {
  if (!is_integer(target.dtype())) {
    throw DTypeError("targets must be integers, not " + std::string(name(target.dtype())));
  }
  const Shape wanted = reduced_shape(log_p.shape(), {axis}, false);
  if (target.shape() != wanted) {
    throw ShapeError("targets must have shape " + to_string(wanted) + ", not " +
                     to_string(target.shape()));
  }
  return -ops::squeeze(ops::take_along_axis(log_p, ops::expand_dims(target, {axis}), axis), axis);
}

// Scale or zero point, reshaped to broadcast over x: one number, one per index along the axis, or
// one per block of an axis.
Tensor per_block(const char* what, const Tensor& v, const Shape& x, std::optional<int64_t> axis,
                 std::optional<int64_t> block) {
  if (block && *block < 1) {
    throw ValueError("block_size must be at least 1, not " + std::to_string(*block));
  }
  if (axis) axis = normal_axis(*axis, int64_t(x.size()));
  if (block && !axis) throw ValueError("block_size needs an axis");
  if (v.ndim() == 0) return v;
  Shape s = v.shape();
  if (s.size() == 1 && x.size() != 1) {
    if (!axis && s[0] != 1) {
      throw ValueError("axis is required for the " + std::to_string(s[0]) + " elements of the " +
                       what);
    }
    s = Shape(x.size(), 1);
    if (axis) s[size_t(*axis)] = v.shape()[0];
  }
  if (s.size() != x.size()) {
    throw ShapeError(std::string("the ") + what + " has " + std::to_string(s.size()) +
                     " dimensions, but x has " + std::to_string(x.size()));
  }
  Shape expanded;
  Shape wide;
  Shape joined;
  bool blocks = false;
  for (size_t d = 0; d < x.size(); ++d) {
    int64_t times = 1;
    if (block && int64_t(d) == *axis) {
      const int64_t wanted = x[d] / *block + (x[d] % *block != 0);
      if (s[d] != wanted) {
        throw ShapeError("the " + std::string(what) + " must have " + std::to_string(wanted) +
                         " blocks along axis " + std::to_string(d) + ", not " +
                         std::to_string(s[d]));
      }
      times = s[d] == 1 ? 1 : *block;
    } else if (s[d] != x[d] && s[d] != 1) {
      if (s[d] == 0 || x[d] % s[d]) {
        throw ShapeError("the " + std::string(what) + " has " + std::to_string(s[d]) +
                         " elements along axis " + std::to_string(d) +
                         ", which do not divide the " + std::to_string(x[d]) + " of x");
      }
      times = x[d] / s[d];
    }
    blocks |= times != 1;
    expanded.push_back(s[d]);
    expanded.push_back(1);
    wide.push_back(s[d]);
    wide.push_back(times);
    joined.push_back(extent(s[d], times, 0));
  }
  Tensor r = ops::reshape(v, s);
  if (!blocks) return r;
  r = ops::reshape(ops::broadcast_to(ops::reshape(r, expanded), wide), joined);
  for (size_t d = 0; d < x.size(); ++d) {  // the last block may be shorter
    if (joined[d] > x[d] && x[d] > 0) r = sliced(r, int64_t(d), {0, 1, x[d]});
  }
  return r;
}

void need_quantized(const char* what, const Tensor& x) {
  if (!is_integer(x.dtype()) || bits_of(x.dtype()) == 64) {
    throw DTypeError(std::string("the ") + what + " must be integers of at most 32 bits, not " +
                     std::string(name(x.dtype())));
  }
}
void need_real_scale(const Tensor& scale) {
  if (is_complex(scale.dtype()) || scale.dtype() == DType::bool_) {
    throw DTypeError("the scale must be real numbers, not " + std::string(name(scale.dtype())));
  }
}

// alpha shifted by n states; the first n have probability 0.
Tensor shifted(const Tensor& alpha, int64_t n) {
  const int64_t states = alpha.shape(1);
  const int64_t kept = std::max<int64_t>(0, states - n);
  const Tensor never = ops::broadcast_to(like(alpha, -HUGE_VAL), {alpha.shape(0), states - kept});
  return ops::concat({never, sliced(alpha, 1, {0, 1, kept})}, 1);
}

// CTC: minus the log probability of each target, summed over all alignments. The states of the
// chain are blank, label 1, blank, label 2, ..., blank.
Tensor ctc(const Tensor& log_p, const Tensor& targets, const Tensor& input_lengths,
           const Tensor& target_lengths, int64_t blank) {
  const int64_t steps = log_p.shape(0);
  const int64_t n = log_p.shape(1);
  const int64_t labels = targets.shape(1);
  const int64_t states = 2 * labels + 1;
  const Tensor blanks = ops::full({n, labels}, Tensor(blank), DType::int64);
  const Tensor length = ops::reshape(target_lengths, {n, 1});
  const Tensor used = ops::where(index_range(labels) < length, targets,
                                 blanks);  // what is behind the end is never looked up
  Tensor chain = ops::concat({ops::full({n, 1}, Tensor(blank), DType::int64),
                              ops::reshape(ops::stack({used, blanks}, 2), {n, 2 * labels})},
                             1);
  // A path may skip the blank before a label unless the label repeats the one before the blank.
  const Tensor two_back =
      ops::concat({ops::full({n, std::min<int64_t>(2, states)}, Tensor(blank), DType::int64),
                   sliced(chain, 1, {0, 1, std::max<int64_t>(0, states - 2)})},
                  1);
  const Tensor skips = (chain != Tensor(blank)) & (chain != two_back);
  const Tensor scores = ops::take_along_axis(log_p, ops::reshape(chain, {1, n, states}), 2);
  const Tensor never = like(log_p, -HUGE_VAL);
  const Tensor inputs = ops::reshape(input_lengths, {n, 1});
  Tensor alpha =
      ops::broadcast_to(ops::where(index_range(states) == 0, like(log_p, 0), never), {n, states});
  for (int64_t t = 0; t < steps; ++t) {
    const Tensor reach = ops::logaddexp(ops::logaddexp(alpha, shifted(alpha, 1)),
                                        ops::where(skips, shifted(alpha, 2), never));
    const Tensor score = ops::reshape(sliced(scores, 0, {t, 1, 1}), {n, states});
    alpha = ops::where(Tensor(t) < inputs, reach + score, alpha);
  }
  const Tensor end = length * 2;
  const Tensor last = ops::take_along_axis(alpha, end, 1);
  const Tensor before =
      ops::where(length > 0, ops::take_along_axis(alpha, ops::maximum(end - 1, 0), 1), never);
  return ops::reshape(-ops::logaddexp(last, before), {n});
}

// A loss of pairs of vectors along the last axis, with one formula for similar pairs and one for
// others.
template <class F>
Tensor pair_loss(const char* name, const Tensor& a, const Tensor& b, const Tensor& target,
                 std::string_view reduction, F&& f) {
  const Tensor given[] = {a, b, target};
  return named(name, "a, b, target", given, [&] {
    need_reduction(reduction);
    const Shape both = broadcast_shapes(a.shape(), b.shape());
    if (both.empty()) throw ShapeError("takes vectors, not 0-d tensors");
    const Shape pairs(both.begin(), both.end() - 1);
    if (broadcast_shapes(pairs, target.shape()) != pairs) {
      throw ShapeError("targets must have shape " + to_string(pairs) + ", not " +
                       to_string(target.shape()));
    }
    if (is_complex(target.dtype())) {
      throw DTypeError("targets must be real, not " + std::string(ember::name(target.dtype())));
    }
    Tensor in[] = {a, b};
    const DType t = make_alike(in);
    const auto [alike, unlike] = f(in[0], in[1]);
    return reduced(ops::where(target == 1, alike, unlike), reduction, t);
  });
}

}  // namespace

namespace ops {

Tensor quantize_linear(const Tensor& x, const Tensor& scale, const Tensor& zero_point,
                       std::optional<int64_t> axis, std::optional<int64_t> block_size) {
  const Tensor given[] = {x, scale, zero_point};
  return named("quantize_linear", "x, scale, zero_point", given, [&] {
    need_quantized("zero point", zero_point);
    need_real_scale(scale);
    if (is_complex(x.dtype())) {
      throw DTypeError("takes real dtypes, not " + std::string(name(x.dtype())));
    }
    const DType t = zero_point.dtype();
    Tensor in[] = {x, per_block("scale", scale, x.shape(), axis, block_size)};
    make_alike(in);
    // 32-bit integers have more digits than a float32.
    const DType wide = bits_of(t) > 16 ? DType::float64 : in[0].dtype();
    const Tensor zero =
        cast_to(per_block("zero point", zero_point, x.shape(), axis, block_size), wide);
    const IntInfo info = iinfo(t);
    const Tensor q = cast_to(round(in[0] / in[1]), wide) + zero;
    const Tensor r = cast_to(
        clip(q, cast_to(Tensor(double(info.min)), wide), cast_to(Tensor(double(info.max)), wide)),
        t);
    if (r.shape() != x.shape()) throw ShapeError("scale and zero point do not broadcast to x");
    return r;
  });
}
Tensor dequantize_linear(const Tensor& x, const Tensor& scale, const Tensor& zero_point,
                         std::optional<int64_t> axis, std::optional<int64_t> block_size) {
  const Tensor given[] = {x, scale, zero_point};
  return named("dequantize_linear", "x, scale, zero_point", given, [&] {
    need_quantized("input", x);
    need_real_scale(scale);
    Tensor zero = zero_point.node()->weak && is_integer(zero_point.dtype())
                      ? cast_to(zero_point, x.dtype())
                      : zero_point;
    need_quantized("zero point", zero);
    const DType t = float_of(scale.dtype());
    const DType whole =
        std::max(bits_of(x.dtype()), bits_of(zero.dtype())) > 16 ? DType::int64 : DType::int32;
    const Tensor factor = widen(to_float(per_block("scale", scale, x.shape(), axis, block_size)));
    zero = cast_to(per_block("zero point", zero, x.shape(), axis, block_size), whole);
    const Tensor r = cast_to(cast_to(cast_to(x, whole) - zero, factor.dtype()) * factor, t);
    if (r.shape() != x.shape()) throw ShapeError("scale and zero point do not broadcast to x");
    return r;
  });
}

Tensor mse_loss(const Tensor& prediction, const Tensor& target, std::string_view reduction,
                const Axes& axis, bool keepdims) {
  return loss(
      "mse_loss", prediction, target, reduction,
      [](const Tensor& p, const Tensor& t) { return square(p - t); }, axis, keepdims);
}
Tensor mae_loss(const Tensor& prediction, const Tensor& target, std::string_view reduction,
                const Axes& axis, bool keepdims) {
  return loss(
      "mae_loss", prediction, target, reduction,
      [](const Tensor& p, const Tensor& t) { return abs(p - t); }, axis, keepdims);
}
Tensor huber_loss(const Tensor& prediction, const Tensor& target, double delta,
                  std::string_view reduction, const Axes& axis, bool keepdims) {
  return loss(
      "huber_loss", prediction, target, reduction,
      [&](const Tensor& p, const Tensor& t) {
        if (!(delta > 0)) throw ValueError("delta must be positive, not " + std::to_string(delta));
        // the linear part would be inf - inf, in the gradient too
        if (std::isinf(delta)) {
          return square(p - t) * 0.5;
        }
        const Tensor d = abs(p - t);
        return where(d <= delta, square(d) * 0.5, (d - 0.5 * delta) * delta);
      },
      axis, keepdims);
}
// Small differences use a form without cancellation, large ones a form without overflow.
Tensor log_cosh_loss(const Tensor& prediction, const Tensor& target, std::string_view reduction,
                     const Axes& axis, bool keepdims) {
  return loss(
      "log_cosh_loss", prediction, target, reduction,
      [](const Tensor& p, const Tensor& t) {
        const Tensor d = abs(p - t);
        const Tensor small = log1p(square(sinh(minimum(d, 1.0) * 0.5)) * 2.0);
        return where(d < 1.0, small, d + log1p(exp(d * -2.0)) - std::numbers::ln2);
      },
      axis, keepdims);
}
Tensor binary_cross_entropy(const Tensor& prediction, const Tensor& target, bool from_logits,
                            std::string_view reduction) {
  return loss("binary_cross_entropy", prediction, target, reduction,
              [&](const Tensor& p, const Tensor& t) {
                if (from_logits) return maximum(p, 0.0) - p * t + log1p(exp(-abs(p)));
                // Logarithms are clamped to at least -100, so that a wrong prediction of
                // probability 0 or 1 has a finite loss.
                const auto held = [](const Tensor& none, const Tensor& log) {
                  return where(none, -100.0, maximum(log, -100.0));
                };
                const Tensor no = p == 0.0;
                const Tensor yes = p == 1.0;
                return -(t * held(no, log(where(no, 1.0, p))) +
                         (Tensor(1.0) - t) * held(yes, log1p(where(yes, 0.0, -p))));
              });
}
Tensor categorical_cross_entropy(const Tensor& prediction, const Tensor& target, bool from_logits,
                                 int64_t axis, std::string_view reduction) {
  return loss("categorical_cross_entropy", prediction, target, reduction,
              [&](const Tensor& p, const Tensor& t) {
                const int64_t a = normal_axis(axis, p.ndim());
                if (t.shape() != p.shape()) {
                  throw ShapeError("targets must have shape " + to_string(p.shape()) + ", not " +
                                   to_string(t.shape()));
                }
                return -sum(t * (from_logits ? log_softmax(p, a) : log_of_probabilities(p)), a);
              });
}
Tensor sparse_categorical_cross_entropy(const Tensor& prediction, const Tensor& target,
                                        bool from_logits, int64_t axis,
                                        std::string_view reduction) {
  const Tensor given[] = {prediction, target};
  return named("sparse_categorical_cross_entropy", "prediction, target", given, [&] {
    need_reduction(reduction);
    const int64_t a = normal_axis(axis, prediction.ndim());
    Tensor p[] = {prediction};
    const DType t = make_alike(p);
    return reduced(
        picked(from_logits ? log_softmax(p[0], a) : log_of_probabilities(p[0]), target, a),
        reduction, t);
  });
}
Tensor nll_loss(const Tensor& log_probabilities, const Tensor& target, int64_t axis,
                std::string_view reduction) {
  const Tensor given[] = {log_probabilities, target};
  return named("nll_loss", "log_probabilities, target", given, [&] {
    need_reduction(reduction);
    const int64_t a = normal_axis(axis, log_probabilities.ndim());
    Tensor p[] = {log_probabilities};
    const DType t = make_alike(p);
    return reduced(picked(p[0], target, a), reduction, t);
  });
}
Tensor kl_div_loss(const Tensor& prediction, const Tensor& target, std::string_view reduction) {
  return loss("kl_div_loss", prediction, target, reduction, [](const Tensor& p, const Tensor& t) {
    const Tensor zero = like(t, 0);
    const Tensor none = t == zero;
    return where(none, zero, t * (log(where(none, like(t, 1), t)) - p));
  });
}
Tensor ctc_loss(const Tensor& log_probabilities, const Tensor& targets, const Tensor& input_lengths,
                const Tensor& target_lengths, int64_t blank, std::string_view reduction) {
  const Tensor given[] = {log_probabilities, targets, input_lengths, target_lengths};
  return named("ctc_loss", "log_probabilities, targets, input_lengths, target_lengths", given, [&] {
    need_reduction(reduction);
    if (log_probabilities.ndim() != 3) {
      throw ShapeError("log_probabilities must have the axes [steps, batch, classes]");
    }
    const int64_t steps = log_probabilities.shape(0);
    const int64_t n = log_probabilities.shape(1);
    const int64_t classes = log_probabilities.shape(2);
    if (targets.ndim() != 2 || targets.shape(0) != n) {
      throw ShapeError("targets must have shape [" + std::to_string(n) + ", length], not " +
                       to_string(targets.shape()));
    }
    for (const Tensor* l : {&input_lengths, &target_lengths}) {
      if (l->shape() != Shape{n}) {
        throw ShapeError("lengths must have shape " + to_string(Shape{n}) + ", not " +
                         to_string(l->shape()));
      }
    }
    if (blank < 0 || blank >= classes) {
      throw IndexError("blank " + std::to_string(blank) + " is not one of " +
                       std::to_string(classes) + " classes");
    }
    if (steps > std::max<int64_t>(log_probabilities.size(), 65536)) {
      throw ValueError(std::to_string(steps) + " steps for so few log probabilities are too many");
    }
    extent(4, targets.shape(1), 4);
    Tensor p[] = {log_probabilities};
    const DType t = make_alike(p);
    const Tensor lengths = to_index(target_lengths);
    const Tensor each = ctc(p[0], to_index(targets), to_index(input_lengths), lengths, blank);
    return reduced(reduction == "mean" ? each / cast_to(maximum(lengths, 1), each.dtype()) : each,
                   reduction, t);
  });
}

Tensor contrastive_loss(const Tensor& a, const Tensor& b, const Tensor& target, double margin,
                        std::string_view reduction) {
  return pair_loss("contrastive_loss", a, b, target, reduction,
                   [&](const Tensor& x, const Tensor& y) {
                     const Tensor squared = sum(square(x - y), -1);
                     const Tensor none = squared == 0.0;  // a root has no slope at 0
                     const Tensor distance = where(none, 0.0, sqrt(where(none, 1.0, squared)));
                     return std::pair(squared, square(maximum(margin - distance, 0.0)));
                   });
}
Tensor cosine_embedding_loss(const Tensor& a, const Tensor& b, const Tensor& target, double margin,
                             std::string_view reduction) {
  return pair_loss(
      "cosine_embedding_loss", a, b, target, reduction, [&](const Tensor& x, const Tensor& y) {
        // As in torch, eps is added to the squares.
        const auto squares = [](const Tensor& v) { return sum(square(v), -1) + 1e-12; };
        const Tensor cosine = sum(x * y, -1) / sqrt(squares(x) * squares(y));
        return std::pair(1.0 - cosine, maximum(cosine - margin, 0.0));
      });
}
Tensor cosine_similarity(const Tensor& a, const Tensor& b, int64_t axis, double eps) {
  const Tensor given[] = {a, b};
  return named("cosine_similarity", "a, b", given, [&] {
    broadcast_shapes(a.shape(), b.shape());  // so that an error names this op
    Tensors in = broadcast_arrays({a, b});
    const DType t = make_alike(in);
    const int64_t along = normal_axis(axis, in[0].ndim());
    const Tensor norms =
        maximum(vector_norm(in[0], along), eps) * maximum(vector_norm(in[1], along), eps);
    return cast_to(sum(in[0] * in[1], along) / norms, t);
  });
}
Tensor euclidean_distance(const Tensor& a, const Tensor& b, int64_t axis) {
  const Tensor given[] = {a, b};
  return named("euclidean_distance", "a, b", given, [&] {
    Tensor in[] = {a, b};
    const DType t = make_alike(in);
    const int64_t along =
        normal_axis(axis, int64_t(broadcast_shapes({a.shape(), b.shape()}).size()));
    return cast_to(vector_norm(in[0] - in[1], along), t);
  });
}
Tensor pairwise_distance(const Tensor& a, const std::optional<Tensor>& b, double p) {
  Tensors given{a};
  if (b) given.push_back(*b);
  return named("pairwise_distance", "a, b", given, [&] {
    if (!(p >= 0)) throw ValueError("p must not be negative: " + std::to_string(p));
    Tensor in[] = {a, b.value_or(a)};
    for (const Tensor& t : in) {
      if (t.ndim() != 2) throw ShapeError("points must have the axes [count, dimension]");
    }
    if (in[0].shape(1) != in[1].shape(1)) {
      throw ShapeError("dimensions differ: " + std::to_string(in[0].shape(1)) + " and " +
                       std::to_string(in[1].shape(1)));
    }
    const DType t = make_alike(in);
    return cast_to(vector_norm(expand_dims(in[0], {1}) - expand_dims(in[1], {0}), -1, false, p), t);
  });
}
Tensor normalize_vector(const Tensor& x, std::optional<int64_t> axis, double eps) {
  return named("normalize_vector", x, [&] {
    const Tensor v = widen(to_float(x));
    return cast_to(
        v / maximum(vector_norm(v, axis ? Axes(normal_axis(*axis, x.ndim())) : Axes(), true), eps),
        float_of(x.dtype()));
  });
}

}  // namespace ops

namespace {
using binder::fn;

// Ember ML's form: the target comes first, and the mean is over any axes that remain after the
// classes.
Tensor binary_crossentropy(const Tensor& y_true, const Tensor& y_pred, bool from_logits,
                           const Axes& axis, bool keepdims) {
  return ops::mean(ops::binary_cross_entropy(y_pred, y_true, from_logits, "none"), axis, keepdims);
}
Tensor categorical_crossentropy(const Tensor& y_true, const Tensor& y_pred, bool from_logits,
                                const Axes& axis, bool keepdims) {
  return ops::mean(ops::categorical_cross_entropy(y_pred, y_true, from_logits, -1, "none"), axis,
                   keepdims);
}
Tensor sparse_categorical_crossentropy(const Tensor& y_true, const Tensor& y_pred, bool from_logits,
                                       const Axes& axis, bool keepdims) {
  return ops::mean(ops::sparse_categorical_cross_entropy(y_pred, y_true, from_logits, -1, "none"),
                   axis, keepdims);
}

#define OWN(op, a, d) {.name = #op, .args = a, .doc = d, .call = fn<op>}
const Row rows[] = {
    FUN(quantize_linear, "x, scale, zero_point, axis=None, block_size=None",
        "round(x / scale) + zero_point, saturated to the dtype of zero_point."),
    FUN(dequantize_linear, "x, scale, zero_point, axis=None, block_size=None",
        "(x - zero_point) * scale."),
    FUN(mse_loss, "prediction, target, reduction=\"mean\", axis=None, keepdims=False",
        "(prediction - target)^2."),
    FUN(mae_loss, "prediction, target, reduction=\"mean\", axis=None, keepdims=False",
        "|prediction - target|."),
    FUN(huber_loss, "prediction, target, delta=1, reduction=\"mean\", axis=None, keepdims=False",
        "d^2 / 2 where d = |prediction - target| <= delta, delta * (d - delta / 2) elsewhere."),
    FUN(log_cosh_loss, "prediction, target, reduction=\"mean\", axis=None, keepdims=False",
        "log(cosh(prediction - target))."),
    FUN(binary_cross_entropy, "prediction, target, from_logits=False, reduction=\"mean\"",
        "Cross entropy of probabilities or logits with targets in [0, 1]."),
    FUN(categorical_cross_entropy,
        "prediction, target, from_logits=False, axis=-1, reduction=\"mean\"",
        "Cross entropy of probabilities or logits with target distributions."),
    FUN(sparse_categorical_cross_entropy,
        "prediction, target, from_logits=False, axis=-1, reduction=\"mean\"",
        "Cross entropy of probabilities or logits with target class indices."),
    OWN(binary_crossentropy, "y_true, y_pred, from_logits=False, axis=None, keepdims=False",
        "binary_cross_entropy with the target first, averaged over axes."),
    OWN(categorical_crossentropy, "y_true, y_pred, from_logits=False, axis=None, keepdims=False",
        "categorical_cross_entropy over the last axis with the target first, averaged over axes."),
    OWN(sparse_categorical_crossentropy,
        "y_true, y_pred, from_logits=False, axis=None, keepdims=False",
        "sparse_categorical_cross_entropy over the last axis with the target first, averaged over "
        "axes."),
    FUN(nll_loss, "log_probabilities, target, axis=-1, reduction=\"mean\"",
        "Negative log probability of the target class."),
    FUN(kl_div_loss, "prediction, target, reduction=\"mean\"",
        "target * (log(target) - prediction); prediction holds log probabilities."),
    FUN(ctc_loss,
        "log_probabilities, targets, input_lengths, target_lengths, blank=0, reduction=\"mean\"",
        "Negative log probability of label sequences, summed over all alignments."),
    FUN(contrastive_loss, "a, b, target, margin=1, reduction=\"mean\"",
        "d^2 where target is 1, max(margin - d, 0)^2 elsewhere, with d the distance of a and b."),
    FUN(cosine_embedding_loss, "a, b, target, margin=0, reduction=\"mean\"",
        "1 - cos(a, b) where target is 1, max(cos(a, b) - margin, 0) elsewhere."),
    FUN(cosine_similarity, "a, b, axis=-1, eps=1e-8",
        "Cosine of the angle between vectors along an axis."),
    FUN(euclidean_distance, "a, b, axis=-1", "Euclidean length of a - b along an axis."),
    FUN(pairwise_distance, "a, b=None, p=2", "p-norm distance of each row of a to each row of b."),
    FUN(normalize_vector, "x, axis=-1, eps=1e-12",
        "x divided by its Euclidean length along an axis, or over all elements if axis is None."),
};
#undef OWN
}  // namespace

std::span<const Row> loss_rows() { return rows; }

}  // namespace ember
