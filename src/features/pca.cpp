// Principal components: four algorithms for the decomposition of the centered rows.
#include <cmath>

#include "src/features/common.h"

namespace ember::features {
namespace {

constexpr const char* who = "PCA";

struct Decomposition {
  Tensor singular, vt, squares;  // squares: the sum of all squared values
};

// Directions are unique only up to their sign: makes the largest loading of each positive.
Tensor fix_signs(const Tensor& vt) {
  const Tensor largest = take_along_axis(vt, argmax(abs(vt), 1, true), 1);
  return where(largest < 0.0, -vt, vt);
}
Decomposition by_svd(const Tensor& x) {
  const auto [u, s, vt] = svd(x, false);
  return {s, fix_signs(vt), sum(square(x))};
}
// Decomposes the small matrix x.T @ x, which is fast for many rows. Singular values below sqrt(eps)
// times the largest are not accurate.
Decomposition decompose_covariance(const Tensor& x, int64_t count) {
  const Tensor products = matmul(matrix_transpose(x), x);
  const auto [values, vectors] = eigh(products);
  const auto last = slice(-1, -1 - count, -1);  // the largest, in descending order
  return {sqrt(maximum(values(last), 0.0)), fix_signs(matrix_transpose(vectors(all_, last))),
          trace(products)};
}
// Halko, Martinsson and Tropp: projects x onto a few random directions, improved by powers of x @
// x.T, and decomposes the projection.
Decomposition decompose_randomized(const Tensor& x, int64_t count, const PCAOptions& o) {
  const int64_t rows = x.shape(0);
  const int64_t columns = x.shape(1);
  const int64_t least = std::min(rows, columns);
  const int64_t directions = std::min(count + std::min(o.oversamples, least), least);
  const int64_t powers = o.power_iterations.value_or(double(count) < 0.1 * double(least) ? 7 : 4);
  const bool wide = rows < columns;
  const Tensor a = wide ? matrix_transpose(x) : x;
  const Tensor at = wide ? x : matrix_transpose(x);
  const auto draw = [&] { return random_normal({a.shape(1), directions}, 0, 1, x.dtype()); };
  Tensor q;
  if (o.seed) {
    Generator own(*o.seed);
    const with_generator use(own);
    q = draw();
  } else {
    q = draw();
  }
  for (int64_t i = 0; i < powers; ++i) {
    q = std::get<0>(qr(matmul(at, std::get<0>(qr(matmul(a, q))))));
  }
  q = std::get<0>(qr(matmul(a, q)));
  const auto [u, s, vt] = svd(matmul(matrix_transpose(q), a), false);
  const Tensor v = wide ? matrix_transpose(matmul(q, u)) : vt;
  return {s(slice(0, count)), fix_signs(v(slice(0, count))), sum(square(x))};
}

}  // namespace

PCA::PCA(PCAOptions options) : o_(std::move(options)) {
  const std::string& s = o_.svd_solver;
  NEED(
      s == "auto" || s == "full" || s == "covariance_eigh" || s == "randomized" ||
          s == "incremental",
      ValueError, who,
      "svd_solver must be auto, full, covariance_eigh, randomized or incremental, not " + brief(s));
  if (const auto* n = std::get_if<int64_t>(&o_.n_components)) {
    NEED(*n > 0, ValueError, who, "n_components must be positive, not " + std::to_string(*n));
  }
  if (const auto* f = std::get_if<double>(&o_.n_components)) {
    NEED(*f > 0 && *f < 1, ValueError, who,
         "n_components as a part of the variance must be between 0 and 1, not " + text(*f));
    NEED(s != "randomized" && s != "incremental", ValueError, who,
         "svd_solver " + s + " needs n_components as a number, not a part of the variance");
  }
  NEED(o_.oversamples >= 0, ValueError, who,
       "oversamples cannot be negative: " + std::to_string(o_.oversamples));
  NEED(o_.power_iterations.value_or(0) >= 0, ValueError, who,
       "power_iterations cannot be negative: " + std::to_string(*o_.power_iterations));
  NEED(o_.batch_size.value_or(1) > 0, ValueError, who,
       "batch_size must be positive, not " + std::to_string(*o_.batch_size));
}

void PCA::forget() {
  components_ = singular_ = mean_ = squares_ = {};
  samples_ = 0;
}
void PCA::need_fit() const { need_state(components_, who); }

void PCA::learn(const Tensor& singular, const Tensor& vt, const Tensor& mean, const Tensor& squares,
                int64_t samples) {
  int64_t count = singular.size();
  if (const auto* n = std::get_if<int64_t>(&o_.n_components)) {
    count = *n;
  } else if (const auto* f = std::get_if<double>(&o_.n_components)) {
    const Tensor part = cumulative_sum(square(singular) / where(squares == 0.0, 1.0, squares), 0);
    eval({part, singular, vt, mean, squares});
    count = std::min<int64_t>(count,
                              searchsorted(part, reshape(asarray(*f, part.dtype()), {1}), "right")
                                      .astype(DType::int64)
                                      .item<int64_t>() +
                                  1);
  }
  // Copies, so that the omitted components are freed.
  const Tensor components = copy(vt(slice(0, count)));
  const Tensor kept = copy(singular(slice(0, count)));
  eval({components, kept, mean, squares});
  components_ = components;
  singular_ = kept;
  mean_ = mean;
  squares_ = squares;
  samples_ = samples;
  feature_dim_ = mean.size();
}

// Learns, and returns the centered rows; undefined for incremental learning.
Tensor PCA::fit_rows(const Tensor& data) {
  const no_grad off;
  const Tensor x = samples_of(data, who);
  NEED(x.ndim() == 2, ShapeError, who,
       "expects [samples, features], not the shape " + to_string(x.shape()));
  const int64_t rows = x.shape(0);
  const int64_t columns = x.shape(1);
  const int64_t least = std::min(rows, columns);
  const auto* number = std::get_if<int64_t>(&o_.n_components);
  NEED(!number || *number <= least, ValueError, who,
       std::to_string(number ? *number : 0) + " components cannot be had from " +
           std::to_string(rows) + " samples of " + std::to_string(columns) + " features");
  std::string solver = o_.svd_solver;
  if (solver == "auto") {
    solver = columns <= 1000 && rows >= 10 * columns ? "covariance_eigh"
             : std::max(rows, columns) > 500 && number && double(*number) < 0.8 * double(least)
                 ? "randomized"
                 : "full";
  }
  if (solver == "incremental") {
    forget();
    const int64_t step = std::min(o_.batch_size.value_or(5 * columns), rows);
    const int64_t tail = number ? *number : 1;
    for (int64_t at = 0, end; at < rows; at = end) {
      end = at + step;
      // A last batch that is too small is merged with the previous one.
      if (end + tail > rows) {
        end = rows;
      }
      partial_fit(x(slice(at, end)));
    }
    return {};
  }
  const Tensor mean = o_.center ? ops::mean(x, 0) : zeros({columns}, x.dtype());
  const Tensor centred = o_.center ? x - mean : x;
  eval({mean, centred});
  const int64_t count = number ? *number : least;
  const Decomposition d = solver == "full"              ? by_svd(centred)
                          : solver == "covariance_eigh" ? decompose_covariance(centred, count)
                                                        : decompose_randomized(centred, count, o_);
  learn(d.singular, d.vt, mean, d.squares, rows);
  return centred;
}
PCA& PCA::fit(const Tensor& x) { return fit_rows(x), *this; }
Tensor PCA::fit_transform(const Tensor& x) {
  const Tensor centred = fit_rows(x);
  return centred.defined() && !x.requires_grad() ? project(centred) : transform(x);
}

// Represents the earlier rows by the learned components, scaled by the singular values, and one
// more row for the difference between the means.
PCA& PCA::partial_fit(const Tensor& data) {
  const no_grad off;
  NEED(!std::get_if<double>(&o_.n_components), ValueError, who,
       "partial_fit needs n_components as a number, not a part of the variance");
  const Tensor x = samples_of(data, who);
  NEED(x.ndim() == 2, ShapeError, who,
       "expects [samples, features], not the shape " + to_string(x.shape()));
  const int64_t rows = x.shape(0);
  const int64_t columns = x.shape(1);
  const int64_t total = samples_ + rows;
  const auto* number = std::get_if<int64_t>(&o_.n_components);
  const Tensor batch_mean = o_.center ? ops::mean(x, 0) : zeros({columns}, x.dtype());
  const Tensor centred = o_.center ? x - batch_mean : x;
  if (samples_ == 0) {
    NEED(!number || *number <= std::min(rows, columns), ValueError, who,
         std::to_string(number ? *number : 0) + " components cannot be had from a first batch of " +
             std::to_string(rows) + " samples of " + std::to_string(columns) + " features");
    const Decomposition d = by_svd(centred);
    learn(d.singular, d.vt, batch_mean, d.squares, rows);
    return *this;
  }
  NEED(columns == feature_dim_, ShapeError, who,
       "expects " + std::to_string(feature_dim_) + " features, not the shape " +
           to_string(x.shape()));
  const Tensor apart = mean_ - batch_mean;
  const double weight = double(samples_) / double(total) * double(rows);
  Tensors stack = {expand_dims(singular_, {1}) * components_, centred};
  if (o_.center) stack.push_back(expand_dims(apart, {0}) * std::sqrt(weight));
  Decomposition d = by_svd(concat(stack));
  const int64_t count = n_components();
  learn(d.singular(slice(0, count)), d.vt(slice(0, count)),
        mean_ - apart * (double(rows) / double(total)),
        squares_ + sum(square(centred)) + sum(square(apart)) * weight, total);
  return *this;
}

const Tensor& PCA::components() const { return need_fit(), components_; }
const Tensor& PCA::singular_values() const { return need_fit(), singular_; }
const Tensor& PCA::mean() const { return need_fit(), mean_; }
Tensor PCA::explained_variance() const {
  return square(singular_values()) / double(std::max<int64_t>(samples_ - 1, 1));
}
Tensor PCA::explained_variance_ratio() const {
  return square(singular_values()) / where(squares_ == 0.0, 1.0, squares_);
}
Tensor PCA::noise_variance() const {
  const int64_t rest = std::min(samples_, feature_dim_) - n_components();
  if (rest <= 0) return zeros({}, singular_.dtype());
  return maximum(squares_ - sum(square(singular_)), 0.0) /
         double(rest * std::max<int64_t>(samples_ - 1, 1));
}

Tensor PCA::scale() const {
  return maximum(sqrt(explained_variance()), finfo(singular_.dtype()).eps);
}
Tensor PCA::transform(const Tensor& data) const {
  const Tensor x = real_of(data, who);
  NEED(x.ndim() > 0 && x.shape(-1) == mean().size(), ShapeError, who,
       "expects " + std::to_string(mean_.size()) + " features along the last axis, not the shape " +
           to_string(x.shape()));
  return project(x - mean_);
}
Tensor PCA::project(const Tensor& centred) const {
  const Tensor y = matmul(centred, matrix_transpose(components_));
  return o_.whiten ? y / scale() : y;
}
Tensor PCA::inverse_transform(const Tensor& data) const {
  const Tensor y = real_of(data, who);
  NEED(y.ndim() > 0 && y.shape(-1) == n_components(), ShapeError, who,
       "expects " + std::to_string(components_.shape(0)) +
           " components along the last axis, not the shape " + to_string(y.shape()));
  return matmul(o_.whiten ? y * scale() : y, components_) + mean_;
}

TensorMap PCA::state() const {
  need_fit();
  return {{"components", components_},
          {"singular_values", singular_},
          {"mean", mean_},
          {"squares", squares_},
          {"n_samples", nn::number(samples_)},
          {"whiten", nn::number(int64_t(o_.whiten))}};
}
void PCA::load_state(const TensorMap& s) {
  const Tensor& c = nn::entry(s, "components");
  const Tensor& v = nn::entry(s, "singular_values");
  const Tensor& m = nn::entry(s, "mean");
  const Tensor& q = nn::entry(s, "squares");
  const int64_t samples = nn::read_whole(nn::entry(s, "n_samples"));
  NEED(c.ndim() == 2 && v.shape() == Shape{c.shape(0)} && m.shape() == Shape{c.shape(1)} &&
           q.size() == 1 && samples > 0,
       ShapeError, who, "the parts of the state are not compatible");
  o_.whiten = nn::read_whole(nn::entry(s, "whiten")) != 0;
  components_ = c;
  singular_ = v;
  mean_ = m;
  squares_ = reshape(q, {});
  samples_ = samples;
  feature_dim_ = m.size();
}

}  // namespace ember::features
