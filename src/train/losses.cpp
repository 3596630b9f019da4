// Losses in ops. 16-bit operands are widened and the result is narrowed once.
#include "ember/losses.h"

#include <cmath>
#include <numbers>

#include "ember/grad.h"
#include "ember/ops.h"
#include "src/ops/broadcast_warning.h"

namespace ember::train {

using namespace ops;

namespace {

std::string shown(const Tensor& t) { return std::string(name(t.dtype())) + to_string(t.shape()); }

// The context of a loss function: checks, errors with its name, the reduction.
struct Loss {
  std::string op;
  std::string_view reduction;

  Loss(std::string name, std::string_view how, bool batchmean = false)
      : op(std::move(name)), reduction(how) {
    if (how != "mean" && how != "sum" && how != "none" && !(batchmean && how == "batchmean")) {
      throw ValueError("[" + op + "] reduction must be mean, sum or none" +
                       (batchmean ? ", or batchmean" : "") + ", not '" + std::string(how) + "'");
    }
  }
  void need(bool good, const std::string& what) const {
    if (!good) throw ValueError("[" + op + "] " + what);
  }
  void need_shape(bool good, const std::string& what, const Tensor& a, const Tensor& b) const {
    if (!good) {
      throw ShapeError("[" + op + "] " + what + " (prediction: " + shown(a) +
                       ", target: " + shown(b) + ")");
    }
  }
  // Converts both to floating-point numbers of at least 32 bits.
  std::pair<Tensor, Tensor> wide(const Tensor& a, const Tensor& b) const {
    return {wide(a), wide(b)};
  }
  Tensor wide(const Tensor& t) const {
    if (is_complex(t.dtype())) throw DTypeError("[" + op + "] takes real numbers, not " + shown(t));
    if (t.dtype() == DType::float16 || t.dtype() == DType::bfloat16) {
      return t.astype(DType::float32);
    }
    return is_float(t.dtype()) ? t : t.astype(default_float());
  }
  Tensor finish(const Tensor& each, DType dtype) const {
    const Tensor r = reduction == "mean" ? mean(each) : reduction == "none" ? each : sum(each);
    return is_float(dtype) ? r.astype(dtype) : r;
  }
};

// Class weights, reshaped to broadcast along the class axis.
Tensor broadcast_weights(const Loss& loss, const Tensor& weight, const Tensor& scores,
                         int64_t axis) {
  if (weight.shape() != Shape{scores.shape(axis)}) {
    throw ShapeError("[" + loss.op + "] weight must have one number per class, " +
                     std::to_string(scores.shape(axis)) + ", not the shape " +
                     to_string(weight.shape()));
  }
  Shape s(size_t(scores.ndim()), 1);
  s[size_t(axis)] = scores.shape(axis);
  return reshape(weight.astype(scores.dtype()), s);
}
int64_t class_axis(const Loss& loss, const Tensor& scores) {
  if (scores.ndim() == 0) {
    throw ShapeError("[" + loss.op + "] a 0-d tensor has no classes (" + shown(scores) + ")");
  }
  return scores.ndim() > 1 ? 1 : 0;
}
void need_classes(const Loss& loss, const Tensor& scores, const Tensor& target, int64_t axis) {
  Shape wanted = scores.shape();
  wanted.erase(size_t(axis));
  if (!is_integer(target.dtype())) {
    throw DTypeError("[" + loss.op + "] targets must be classes, as integers, not " +
                     shown(target));
  }
  loss.need_shape(target.shape() == wanted, "targets must have shape " + to_string(wanted), scores,
                  target);
}
// Reduces weighted terms; the mean divides by the sum of the weights.
Tensor reduce_weighted(const Loss& loss, const Tensor& terms, const Tensor& weights, DType dtype) {
  const Tensor r = loss.reduction == "mean"  ? sum(terms) / sum(weights)
                   : loss.reduction == "sum" ? sum(terms)
                                             : terms;
  return r.astype(dtype);
}
// The weight of each target's class, 0 for ignored targets.
Tensor weights_of(const Loss& loss, const std::optional<Tensor>& weight, const Tensor& scores,
                  const Tensor& target, const Tensor& counted, int64_t axis) {
  const Tensor one = counted.astype(scores.dtype());
  if (!weight) return one;
  broadcast_weights(loss, *weight, scores, axis);
  return where(counted, take(loss.wide(*weight).astype(scores.dtype()), where(counted, target, 0)),
               zeros_like(one));
}
Tensor norm_of(const Tensor& x, double p) { return vector_norm(x, -1, false, p); }

}  // namespace

Tensor cross_entropy(const Tensor& logits, const Tensor& target, const CrossEntropyOptions& o) {
  const Loss loss("cross_entropy", o.reduction);
  const int64_t axis = class_axis(loss, logits);
  loss.need(o.label_smoothing >= 0 && o.label_smoothing <= 1,
            "label_smoothing must lie in [0, 1], not " + std::to_string(o.label_smoothing));
  const Tensor log_p = log_softmax(loss.wide(logits), axis);
  const double confidence = 1 - o.label_smoothing;
  const double spread = o.label_smoothing / double(logits.shape(axis));
  if (is_float(target.dtype())) {
    loss.need_shape(target.shape() == logits.shape(),
                    "probabilities must have the shape of the logits", logits, target);
    const Tensor p = target.astype(log_p.dtype());
    Tensor terms = log_p * (confidence == 1 ? p : p * confidence + spread);
    if (o.weight) terms = terms * broadcast_weights(loss, *o.weight, log_p, axis);
    return loss.finish(-sum(terms, axis), logits.dtype());
  }
  need_classes(loss, logits, target, axis);
  const Tensor counted = target != o.ignore_index;
  const Tensor weights = weights_of(loss, o.weight, log_p, target, counted, axis);
  Tensor terms = nll_loss(log_p, where(counted, target, 0), axis, "none") * weights;
  if (confidence != 1) {
    const Tensor all =
        sum(o.weight ? log_p * broadcast_weights(loss, *o.weight, log_p, axis) : log_p, axis);
    terms = terms * confidence - all * spread;
  }
  return reduce_weighted(loss, where(counted, terms, zeros_like(terms)), weights, logits.dtype());
}

Tensor nll(const Tensor& log_probabilities, const Tensor& target, const NLLOptions& o) {
  const Loss loss("nll_loss", o.reduction);
  const int64_t axis = class_axis(loss, log_probabilities);
  need_classes(loss, log_probabilities, target, axis);
  const Tensor log_p = loss.wide(log_probabilities);
  const Tensor counted = target != o.ignore_index;
  const Tensor weights = weights_of(loss, o.weight, log_p, target, counted, axis);
  const Tensor terms = nll_loss(log_p, where(counted, target, 0), axis, "none");
  return reduce_weighted(loss, where(counted, terms * weights, zeros_like(terms)), weights,
                         log_probabilities.dtype());
}

Tensor binary_cross_entropy(const Tensor& probability, const Tensor& target,
                            const BinaryCrossEntropyOptions& o) {
  const Loss loss("binary_cross_entropy", o.reduction);
  loss.need(!o.pos_weight, "pos_weight is for logits: use binary_cross_entropy_with_logits");
  const auto [p, t] = loss.wide(probability, target);
  Tensor terms = ops::binary_cross_entropy(p, t, false, "none");
  if (o.weight) terms = terms * loss.wide(*o.weight);
  return loss.finish(terms, probability.dtype());
}
Tensor binary_cross_entropy_with_logits(const Tensor& logit, const Tensor& target,
                                        const BinaryCrossEntropyOptions& o) {
  const Loss loss("binary_cross_entropy_with_logits", o.reduction);
  const auto [x, t] = loss.wide(logit, target);
  Tensor terms;
  if (o.pos_weight) {
    warn_of_broadcast(loss.op, x, t);
    // -(w t log s(x) + (1 - t) log(1 - s(x))) with log(1 - s(x)) = log s(x) - x.
    terms = (1.0 - t) * x - (1.0 + (loss.wide(*o.pos_weight) - 1.0) * t) * logsigmoid(x);
  } else {
    terms = ops::binary_cross_entropy(x, t, true, "none");
  }
  if (o.weight) terms = terms * loss.wide(*o.weight);
  return loss.finish(terms, logit.dtype());
}

Tensor smooth_l1(const Tensor& prediction, const Tensor& target, double beta,
                 std::string_view reduction) {
  const Loss loss("smooth_l1_loss", reduction);
  loss.need(beta >= 0 && std::isfinite(beta),
            "beta must not be negative, not " + std::to_string(beta));
  warn_of_broadcast(loss.op, prediction, target);
  const auto [p, t] = loss.wide(prediction, target);
  const Tensor d = abs(p - t);
  return loss.finish(beta == 0 ? d : where(d < beta, square(d) * (0.5 / beta), d - 0.5 * beta),
                     prediction.dtype());
}

Tensor kl_div(const Tensor& prediction, const Tensor& target, bool log_target,
              std::string_view reduction) {
  const Loss loss("kl_div", reduction, true);
  const auto [p, t] = loss.wide(prediction, target);
  const Tensor terms = log_target ? exp(t) * (t - p) : kl_div_loss(p, t, "none");
  if (reduction != "batchmean") return loss.finish(terms, prediction.dtype());
  loss.need(terms.ndim() > 0, "batchmean needs a batch axis");
  return loss.finish(sum(terms) / double(std::max<int64_t>(1, terms.shape(0))), prediction.dtype());
}

Tensor poisson_nll(const Tensor& prediction, const Tensor& target, const PoissonOptions& o) {
  const Loss loss("poisson_nll_loss", o.reduction);
  warn_of_broadcast(loss.op, prediction, target);
  const auto [x, t] = loss.wide(prediction, target);
  Tensor terms = o.log_input ? exp(x) - t * x : x - t * log(x + o.eps);
  if (o.full) {
    const Tensor many = t > 1.0;
    const Tensor safe = where(many, t, ones_like(t));
    terms = terms + where(many, safe * log(safe) - safe + 0.5 * log(safe * (2 * std::numbers::pi)),
                          zeros_like(t));
  }
  return loss.finish(terms, prediction.dtype());
}

Tensor gaussian_nll(const Tensor& mean, const Tensor& target, const Tensor& variance, bool full,
                    double eps, std::string_view reduction) {
  const Loss loss("gaussian_nll_loss", reduction);
  loss.need(eps > 0, "eps must be positive, not " + std::to_string(eps));
  warn_of_broadcast(loss.op, mean, target);
  const auto [m, t] = loss.wide(mean, target);
  const Tensor given = loss.wide(variance);
  // The clamp does not change the gradient.
  const Tensor v = given + (maximum(given, eps) - given).detach();
  const Tensor terms =
      0.5 * (log(v) + square(m - t) / v) + (full ? 0.5 * std::log(2 * std::numbers::pi) : 0.0);
  return loss.finish(terms, mean.dtype());
}

Tensor margin_ranking(const Tensor& a, const Tensor& b, const Tensor& target, double margin,
                      std::string_view reduction) {
  const Loss loss("margin_ranking_loss", reduction);
  const auto [x, y] = loss.wide(a, b);
  return loss.finish(maximum(-loss.wide(target) * (x - y) + margin, 0.0), a.dtype());
}
Tensor hinge_embedding(const Tensor& x, const Tensor& target, double margin,
                       std::string_view reduction) {
  const Loss loss("hinge_embedding_loss", reduction);
  const Tensor v = loss.wide(x);
  return loss.finish(where(target == 1, v, maximum(margin - v, 0.0)), x.dtype());
}
Tensor soft_margin(const Tensor& x, const Tensor& target, std::string_view reduction) {
  const Loss loss("soft_margin_loss", reduction);
  return loss.finish(-logsigmoid(loss.wide(target) * loss.wide(x)), x.dtype());
}

Tensor triplet_margin(const Tensor& anchor, const Tensor& positive, const Tensor& negative,
                      const TripletOptions& o) {
  const Loss loss("triplet_margin_loss", o.reduction);
  loss.need(o.p > 0, "p must be positive, not " + std::to_string(o.p));
  const Tensor a = loss.wide(anchor);
  const Tensor p = loss.wide(positive);
  const Tensor n = loss.wide(negative);
  const auto distance = [&](const Tensor& x, const Tensor& y) {
    return norm_of(x - y + o.eps, o.p);
  };
  Tensor negative_distance = distance(a, n);
  if (o.swap) negative_distance = minimum(negative_distance, distance(p, n));
  return loss.finish(maximum(distance(a, p) - negative_distance + o.margin, 0.0), anchor.dtype());
}

Tensor multi_margin(const Tensor& scores, const Tensor& target, const MultiMarginOptions& o) {
  const Loss loss("multi_margin_loss", o.reduction);
  loss.need(o.p == 1 || o.p == 2, "p must be 1 or 2, not " + std::to_string(o.p));
  const int64_t axis = class_axis(loss, scores);
  need_classes(loss, scores, target, axis);
  const Tensor x = loss.wide(scores);
  const Tensor index = expand_dims(target, {axis});
  const Tensor target_score = take_along_axis(x, index, axis);
  const Tensor classes = arange(0, scores.shape(axis), 1, DType::int64);
  Tensor over = maximum(x - target_score + o.margin, 0.0);
  if (o.p == 2) over = square(over);
  if (o.weight) {
    over =
        over * take_along_axis(broadcast_to(broadcast_weights(loss, *o.weight, x, axis), x.shape()),
                               index, axis);
  }
  const Tensor others = where(classes == index, zeros_like(over), over);
  return loss.finish(sum(others, axis) / double(scores.shape(axis)), scores.dtype());
}

Tensor multilabel_margin(const Tensor& scores, const Tensor& target, std::string_view reduction) {
  const Loss loss("multilabel_margin_loss", reduction);
  loss.need_shape(scores.shape() == target.shape() && scores.ndim() > 0,
                  "targets must have the shape of the scores", scores, target);
  if (!is_integer(target.dtype())) {
    throw DTypeError("[multilabel_margin_loss] targets must be classes, as integers, not " +
                     shown(target));
  }
  const Tensor x = loss.wide(scores);
  const int64_t classes = scores.shape(-1);
  const Tensor valid = cumulative_prod((target >= 0).astype(DType::int64), -1) == 1;
  const Tensor index = where(valid, target, 0);
  // [..., label, class].
  const Tensor at = expand_dims(index, {-1}) == arange(0, classes, 1, DType::int64);
  const Tensor wanted = any(at & expand_dims(valid, {-1}), Axes(int64_t(-2)));
  const Tensor target_score = expand_dims(take_along_axis(x, index, -1), {-1});
  const Tensor pairs = expand_dims(valid, {-1}) & logical_not(expand_dims(wanted, {-2}));
  const Tensor over = maximum(1.0 - target_score + expand_dims(x, {-2}), 0.0);
  return loss.finish(sum(where(pairs, over, zeros_like(over)), {-2, -1}) / double(classes),
                     scores.dtype());
}

Tensor multilabel_soft_margin(const Tensor& logits, const Tensor& target,
                              const std::optional<Tensor>& weight, std::string_view reduction) {
  const Loss loss("multilabel_soft_margin_loss", reduction);
  loss.need_shape(logits.shape() == target.shape() && logits.ndim() > 0,
                  "targets must have the shape of the logits", logits, target);
  const auto [x, t] = loss.wide(logits, target);
  Tensor terms = -(t * logsigmoid(x) + (1.0 - t) * logsigmoid(-x));
  if (weight) terms = terms * loss.wide(*weight);
  return loss.finish(ops::mean(terms, Axes(int64_t(-1))), logits.dtype());
}

Tensor ctc(const Tensor& log_probabilities, const Tensor& targets, const Tensor& input_lengths,
           const Tensor& target_lengths, int64_t blank, bool zero_infinity,
           std::string_view reduction) {
  const Loss loss("ctc_loss", reduction);
  if (!zero_infinity) {
    return ctc_loss(log_probabilities, targets, input_lengths, target_lengths, blank, reduction);
  }
  const Tensor each =
      ctc_loss(log_probabilities, targets, input_lengths, target_lengths, blank, "none");
  Tensor finite = where(isinf(each), zeros_like(each), each);
  if (reduction == "mean") finite = finite / maximum(target_lengths, 1).astype(finite.dtype());
  return loss.finish(finite, log_probabilities.dtype());
}

}  // namespace ember::train
