// Metrics of complete sets of predictions, as functions.
#include <cmath>

#include "ember/grad.h"
#include "ember/train.h"

namespace ember::train {

using namespace ops;

namespace {

struct Classes {
  Tensor target, prediction;  // flat, int64
  int64_t count = 2;
};
Classes classes_of(const Tensor& target, const Tensor& prediction, double threshold) {
  const no_grad off;
  const bool scores = prediction.ndim() == target.ndim() + 1 && prediction.shape(-1) > 1;
  if (!scores && prediction.size() != target.size()) {
    throw ShapeError("[metrics] predictions of shape " + to_string(prediction.shape()) +
                     " do not fit targets of shape " + to_string(target.shape()));
  }
  const auto decided = [&](const Tensor& x, double limit) {
    return flatten(is_float(x.dtype()) ? (x > limit).astype(DType::int64) : x.astype(DType::int64));
  };
  Classes c{decided(target, 0.5), scores ? flatten(argmax(prediction, -1)).astype(DType::int64)
                                         : decided(prediction, threshold)};
  if (c.target.size() == 0) return c;
  const Tensor both = concat({c.target, c.prediction});
  const Tensor least = min(both);
  const Tensor most = max(both);
  eval({least, most, c.target, c.prediction});
  if (least.item<int64_t>() < 0) {
    throw ValueError("[metrics] class indices must not be negative: " +
                     std::to_string(least.item<int64_t>()));
  }
  c.count = std::max({int64_t(2), most.item<int64_t>() + 1, scores ? prediction.shape(-1) : 0});
  if (c.count > 4096) throw ValueError("[metrics] " + std::to_string(c.count) + " classes");
  return c;
}
Tensor counts(const Classes& c) {
  const Tensor ones = ops::ones({c.target.size()}, DType::float64);
  return reshape(scatter(ones, c.target * c.count + c.prediction, c.count * c.count),
                 {c.count, c.count});
}
Record class_scores(const Classes& c, Average average) {
  const std::vector<double> matrix = counts(c).to_vector<double>();
  ConfusionMatrix all(c.count);
  Precision precision(c.count, average);
  Recall recall(c.count, average);
  F1 f1(c.count, average);
  Record r;
  for (Metric* m : std::initializer_list<Metric*>{&all, &precision, &recall, &f1}) {
    m->set_totals(matrix);
    r[m->name()] = m->value();
  }
  return r;
}
}  // namespace

Tensor confusion_matrix(const Tensor& target, const Tensor& prediction, bool normalize,
                        double threshold) {
  const no_grad off;
  const Tensor all = counts(classes_of(target, prediction, threshold));
  if (!normalize) return all.astype(DType::int64).eval();
  const Tensor rows = sum(all, 1, true);
  return (all / where(rows == 0.0, 1.0, rows)).eval();
}
Record classification_metrics(const Tensor& target, const Tensor& prediction) {
  return class_scores(classes_of(target, prediction, 0.5), Average::macro);
}
Record binary_classification_metrics(const Tensor& target, const Tensor& prediction,
                                     double threshold) {
  const Classes c = classes_of(target, prediction, threshold);
  if (c.count > 2) {
    throw ValueError("[binary_classification_metrics] there are " + std::to_string(c.count) +
                     " classes");
  }
  return class_scores(c, Average::binary);
}
Record regression_metrics(const Tensor& target, const Tensor& prediction) {
  const double mse = MeanSquaredError().of(prediction, target);
  return {{"mse", mse},
          {"rmse", std::sqrt(mse)},
          {"mae", MeanAbsoluteError().of(prediction, target)},
          {"r2", R2().of(prediction, target)}};
}
double roc_auc(const Tensor& target, const Tensor& score) { return AUC().of(score, target); }

PrecisionRecall precision_recall_curve(const Tensor& target, const Tensor& score) {
  const no_grad off;
  if (target.size() != score.size() || target.size() == 0) {
    throw ShapeError("[precision_recall_curve] scores of shape " + to_string(score.shape()) +
                     " do not fit targets of shape " + to_string(target.shape()));
  }
  const Tensor flat = flatten(score);
  const Tensor order = argsort(flat, -1, true);
  const Tensor sorted = take(flat, order);
  const Tensor yes = take(
      flatten(is_float(target.dtype()) ? target > 0.5 : target != 0).astype(DType::float64), order);
  // Equal scores share a threshold, so only the last of them is a point of the curve.
  const int64_t n = flat.size();
  const Tensor last =
      concat({sorted(slice(1, n)) != sorted(slice(0, n - 1)), ops::ones({1}, DType::bool_)});
  const Tensor hits = cumulative_sum(yes);
  const Tensor taken = arange(1.0, double(n + 1), 1.0, DType::float64);
  const Tensor precision = (hits / taken)(last);
  const Tensor recall = (hits / sum(yes))(last);
  const auto ended = [](const Tensor& x, double v) {
    return concat({flip(x), full({1}, v, DType::float64)});
  };
  PrecisionRecall r{ended(precision, 1), ended(recall, 0), flip(sorted(last))};
  eval({r.precision, r.recall, r.thresholds});
  return r;
}
double average_precision_score(const Tensor& target, const Tensor& score) {
  const PrecisionRecall c = precision_recall_curve(target, score);
  const int64_t n = c.precision.size();
  return -item(sum(diff(c.recall) * c.precision(slice(0, n - 1))));
}

}  // namespace ember::train
