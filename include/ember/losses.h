// Losses with PyTorch's formulas, options and defaults. The plain ones are ops as well
// (ember/ops.h); here are those with weights and those that only training needs. reduction is mean,
// sum or none.
#pragma once
#include <optional>
#include <string_view>

#include "ember/tensor.h"

namespace ember::train {

struct CrossEntropyOptions {
  std::string_view reduction = "mean";
  int64_t ignore_index = -100;  // targets that do not count
  double label_smoothing = 0;
  std::optional<Tensor> weight;  // one number per class; the mean is then weighted, too
};
// Of logits whose classes lie along axis 1 (0 for a single example): targets are classes, or
// probabilities in the shape of the logits.
EMBER_API Tensor cross_entropy(const Tensor& logits, const Tensor& target,
                               const CrossEntropyOptions& options = {});

struct NLLOptions {
  std::string_view reduction = "mean";
  int64_t ignore_index = -100;
  std::optional<Tensor> weight;
};
// Of logarithms of probabilities whose classes lie along axis 1 (0 for a single example).
EMBER_API Tensor nll(const Tensor& log_probabilities, const Tensor& target,
                     const NLLOptions& options = {});

struct BinaryCrossEntropyOptions {
  std::string_view reduction = "mean";
  std::optional<Tensor> weight;      // of the examples; broadcasts
  std::optional<Tensor> pos_weight;  // of the yes answers; broadcasts. Logits only
};
EMBER_API Tensor binary_cross_entropy(const Tensor& probability, const Tensor& target,
                                      const BinaryCrossEntropyOptions& options = {});
EMBER_API Tensor binary_cross_entropy_with_logits(const Tensor& logit, const Tensor& target,
                                                  const BinaryCrossEntropyOptions& options = {});

// 0.5 d^2 / beta below beta, d - 0.5 beta above; beta 0 is the absolute difference.
EMBER_API Tensor smooth_l1(const Tensor& prediction, const Tensor& target, double beta = 1,
                           std::string_view reduction = "mean");
// target (log target - prediction) for logarithms of probabilities; also reduction batchmean: the
// sum over the first axis' length.
EMBER_API Tensor kl_div(const Tensor& prediction, const Tensor& target, bool log_target = false,
                        std::string_view reduction = "mean");

struct PoissonOptions {
  bool log_input = true;  // the prediction is the logarithm of the rate
  bool full = false;      // with Stirling's term
  double eps = 1e-8;
  std::string_view reduction = "mean";
};
EMBER_API Tensor poisson_nll(const Tensor& prediction, const Tensor& target,
                             const PoissonOptions& options = {});
// Of a normal distribution with this mean and variance, which is at least eps. full: with the
// constant log(2 pi) / 2.
EMBER_API Tensor gaussian_nll(const Tensor& mean, const Tensor& target, const Tensor& variance,
                              bool full = false, double eps = 1e-6,
                              std::string_view reduction = "mean");

// Targets are 1 and -1.
EMBER_API Tensor margin_ranking(const Tensor& a, const Tensor& b, const Tensor& target,
                                double margin = 0, std::string_view reduction = "mean");
EMBER_API Tensor hinge_embedding(const Tensor& x, const Tensor& target, double margin = 1,
                                 std::string_view reduction = "mean");
EMBER_API Tensor soft_margin(const Tensor& x, const Tensor& target,
                             std::string_view reduction = "mean");

struct TripletOptions {
  double margin = 1, p = 2, eps = 1e-6;
  bool swap = false;  // the nearer of anchor and positive counts as the distance to the negative
  std::string_view reduction = "mean";
};
EMBER_API Tensor triplet_margin(const Tensor& anchor, const Tensor& positive,
                                const Tensor& negative, const TripletOptions& options = {});

struct MultiMarginOptions {
  double p = 1, margin = 1;      // p: 1 or 2
  std::optional<Tensor> weight;  // one number per class
  std::string_view reduction = "mean";
};
EMBER_API Tensor multi_margin(const Tensor& scores, const Tensor& target,
                              const MultiMarginOptions& options = {});
// Targets are classes from the front of each row on, up to the first -1.
EMBER_API Tensor multilabel_margin(const Tensor& scores, const Tensor& target,
                                   std::string_view reduction = "mean");
EMBER_API Tensor multilabel_soft_margin(const Tensor& logits, const Tensor& target,
                                        const std::optional<Tensor>& weight = {},
                                        std::string_view reduction = "mean");
// ops::ctc_loss; zero_infinity: a target longer than its input costs nothing.
EMBER_API Tensor ctc(const Tensor& log_probabilities, const Tensor& targets,
                     const Tensor& input_lengths, const Tensor& target_lengths, int64_t blank = 0,
                     bool zero_infinity = false, std::string_view reduction = "mean");

}  // namespace ember::train
