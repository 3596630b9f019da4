// Metrics: statistics() records a batch's contribution as one vector, and result() reads their
// sums.
#include <algorithm>
#include <cmath>
#include <limits>

#include "ember/grad.h"
#include "ember/train.h"

namespace ember::train {

using namespace ops;

namespace {
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// The predicted class of each example: int64, in the shape of the targets.
Tensor classes_of(const Tensor& prediction, const Tensor& target, double threshold) {
  if (prediction.ndim() == target.ndim() + 1) {
    if (prediction.shape(-1) > 1) return argmax(prediction, -1).astype(DType::int64);
    return classes_of(squeeze(prediction, -1), target, threshold);
  }
  if (prediction.shape() != target.shape()) {
    throw ShapeError("predictions of shape " + to_string(prediction.shape()) +
                     " do not fit targets of shape " + to_string(target.shape()));
  }
  return (prediction > threshold).astype(DType::int64);
}
// Targets as int64 classes. A float is class 1 above 0.5.
Tensor labels_of(const Tensor& target) {
  return is_float(target.dtype()) ? (target > 0.5).astype(DType::int64)
                                  : target.astype(DType::int64);
}
Tensor flat_float64(const Tensor& x) { return flatten(x).astype(DType::float64); }
void need_same(const Tensor& prediction, const Tensor& target) {
  if (prediction.size() != target.size()) {
    throw ShapeError("predictions of shape " + to_string(prediction.shape()) +
                     " do not fit targets of shape " + to_string(target.shape()));
  }
}
}  // namespace

void Metric::update(const Tensor& prediction, const Tensor& target) {
  const no_grad off;
  waiting_.push_back(statistics(prediction.detach(), target.detach()));
  if (waiting_.size() > 256) fold();
}
void Metric::fold() {
  if (waiting_.empty()) return;
  eval(waiting_);
  for (const Tensor& t : waiting_) add(t.to_vector<double>());
  waiting_.clear();
}
void Metric::add(const std::vector<double>& batch) {
  totals_.resize(std::max(totals_.size(), batch.size()));
  for (size_t i = 0; i < batch.size(); ++i) totals_[i] += batch[i];
}
void Metric::merge(const std::vector<std::vector<double>>& totals) {
  reset();
  for (const auto& part : totals) {
    if (!part.empty()) add(part);
  }
}
void Metric::reset() {
  waiting_.clear();
  totals_.clear();
}
double Metric::of(const Tensor& prediction, const Tensor& target) {
  reset();
  update(prediction, target);
  return value();
}

Tensor Accuracy::statistics(const Tensor& prediction, const Tensor& target) const {
  const Tensor right = classes_of(prediction, target, threshold_) == labels_of(target);
  return stack(
      {sum(right.astype(DType::float32)), full({}, double(target.size()), DType::float32)});
}
double Accuracy::result() const { return totals_.empty() ? nan : totals_[0] / totals_[1]; }

ConfusionMatrix::ConfusionMatrix(int64_t classes, double threshold)
    : classes_(classes), threshold_(threshold) {
  if (classes < 2 || classes > 4096) {
    throw ValueError("[ConfusionMatrix] " + std::to_string(classes) + " classes");
  }
}
Tensor ConfusionMatrix::statistics(const Tensor& prediction, const Tensor& target) const {
  if (prediction.ndim() == target.ndim() + 1 && prediction.shape(-1) > classes_) {
    throw ShapeError("[" + name() + "] " + std::to_string(prediction.shape(-1)) +
                     " scores per example, but " + std::to_string(classes_) + " classes");
  }
  const Tensor place =
      flatten(labels_of(target) * classes_ + classes_of(prediction, target, threshold_));
  return scatter(ones({place.size()}, DType::float32), place, classes_ * classes_);
}
double ConfusionMatrix::count(int64_t target, int64_t prediction) const {
  return totals_.empty() ? 0 : totals_[size_t(target * classes_ + prediction)];
}
double ConfusionMatrix::result() const {
  double hits = 0;
  double all = 0;
  for (int64_t i = 0; i < classes_; ++i) hits += count(i, i);
  for (double n : totals_) all += n;
  return hits / all;
}
std::vector<std::vector<int64_t>> ConfusionMatrix::matrix() {
  totals();
  const auto n = static_cast<size_t>(classes_);
  std::vector<std::vector<int64_t>> r(n, std::vector<int64_t>(n));
  for (int64_t i = 0; i < classes_; ++i) {
    for (int64_t k = 0; k < classes_; ++k) r[size_t(i)][size_t(k)] = int64_t(count(i, k));
  }
  return r;
}

double ClassScore::result() const {
  double hits = 0;
  double predicted = 0;
  double actual = 0;
  double sum = 0;
  double occurring = 0;
  for (int64_t c = average_ == Average::binary ? 1 : 0;
       c < (average_ == Average::binary ? 2 : classes_); ++c) {
    double p = 0;
    double a = 0;
    for (int64_t k = 0; k < classes_; ++k) {
      p += count(k, c);
      a += count(c, k);
    }
    hits += count(c, c);
    predicted += p;
    actual += a;
    if (p + a > 0) {
      sum += score(count(c, c), p, a);
      ++occurring;
    }
  }
  return average_ == Average::macro ? (occurring ? sum / occurring : 0)
                                    : score(hits, predicted, actual);
}

// Scores and labels, interleaved. The totals contain all of them, so that ranks can be merged.
Tensor AUC::statistics(const Tensor& prediction, const Tensor& target) const {
  const Tensor scores = prediction.ndim() == target.ndim() + 1 && prediction.shape(-1) == 2
                            ? prediction(ellipsis, 1)
                            : prediction;
  need_same(scores, target);
  return flatten(stack({flat_float64(scores), flat_float64(labels_of(target))}, 1));
}
void AUC::add(const std::vector<double>& batch) {
  totals_.insert(totals_.end(), batch.begin(), batch.end());
}
double AUC::result() const {
  std::vector<std::pair<double, bool>> all;
  for (size_t i = 0; i + 1 < totals_.size(); i += 2) {
    all.emplace_back(totals_[i], totals_[i + 1] != 0);
  }
  std::sort(all.begin(), all.end());
  // The fraction of (positive, negative) pairs in the right order; ties count half.
  double yes = 0;
  double no = 0;
  double wins = 0;
  for (size_t i = 0; i < all.size();) {
    double yes_here = 0;
    double no_here = 0;
    for (const double score = all[i].first; i < all.size() && all[i].first == score; ++i) {
      (all[i].second ? yes_here : no_here) += 1;
    }
    if (yes_here + no_here == 0) return nan;  // a score is NaN
    wins += yes_here * (no + no_here / 2);
    yes += yes_here;
    no += no_here;
  }
  return yes > 0 && no > 0 ? wins / (yes * no) : nan;
}

Tensor MeanSquaredError::statistics(const Tensor& prediction, const Tensor& target) const {
  need_same(prediction, target);
  return stack({sum(square(flat_float64(prediction) - flat_float64(target))),
                full({}, double(target.size()), DType::float64)});
}
double MeanSquaredError::result() const { return totals_.empty() ? nan : totals_[0] / totals_[1]; }
Tensor MeanAbsoluteError::statistics(const Tensor& prediction, const Tensor& target) const {
  need_same(prediction, target);
  return stack({sum(abs(flat_float64(prediction) - flat_float64(target))),
                full({}, double(target.size()), DType::float64)});
}
Tensor R2::statistics(const Tensor& prediction, const Tensor& target) const {
  need_same(prediction, target);
  const Tensor t = flat_float64(target);
  return stack({sum(square(flat_float64(prediction) - t)), sum(t), sum(square(t)),
                full({}, double(target.size()), DType::float64)});
}
double R2::result() const {
  if (totals_.empty()) return nan;
  const double spread = totals_[2] - totals_[1] * totals_[1] / totals_[3];
  return spread > 0 ? 1 - totals_[0] / spread : nan;
}

}  // namespace ember::train
