// Losses with PyTorch's formulas, options and defaults. Losses without weights are also ops
// (ember/ops.h). reduction is mean, sum or none.
#pragma once
#include <optional>
#include <string_view>

#include "ember/tensor.h"

namespace ember::train {

struct CrossEntropyOptions {
  std::string_view reduction = "mean";
  int64_t ignore_index = -100;  // targets with this value are ignored
  double label_smoothing = 0;
  std::optional<Tensor> weight;  // one per class; the mean is weighted too
};
// Logits have their classes along axis 1 (0 for a single example). Targets are classes, or
// probabilities in the shape of the logits.
EMBER_API Tensor cross_entropy(const Tensor& logits, const Tensor& target,
                               const CrossEntropyOptions& options = {});

struct NLLOptions {
  std::string_view reduction = "mean";
  int64_t ignore_index = -100;
  std::optional<Tensor> weight;
};
// Log-probabilities have their classes along axis 1 (0 for a single example).
EMBER_API Tensor nll(const Tensor& log_probabilities, const Tensor& target,
                     const NLLOptions& options = {});

struct BinaryCrossEntropyOptions {
  std::string_view reduction = "mean";
  std::optional<Tensor> weight;      // of the examples; broadcasts
  std::optional<Tensor> pos_weight;  // weight of the positive targets; broadcasts. Logits only
};
EMBER_API Tensor binary_cross_entropy(const Tensor& probability, const Tensor& target,
                                      const BinaryCrossEntropyOptions& options = {});
EMBER_API Tensor binary_cross_entropy_with_logits(const Tensor& logit, const Tensor& target,
                                                  const BinaryCrossEntropyOptions& options = {});

// 0.5 d^2 / beta below beta, d - 0.5 beta above; beta 0 is the absolute difference.
EMBER_API Tensor smooth_l1(const Tensor& prediction, const Tensor& target, double beta = 1,
                           std::string_view reduction = "mean");
// target * (log target - prediction), where prediction is a log-probability. reduction batchmean
// divides the sum by the length of the first axis.
EMBER_API Tensor kl_div(const Tensor& prediction, const Tensor& target, bool log_target = false,
                        std::string_view reduction = "mean");

struct PoissonOptions {
  bool log_input = true;  // the prediction is the logarithm of the rate
  bool full = false;      // add Stirling's term
  double eps = 1e-8;
  std::string_view reduction = "mean";
};
EMBER_API Tensor poisson_nll(const Tensor& prediction, const Tensor& target,
                             const PoissonOptions& options = {});
// Negative log-likelihood of a normal distribution. The variance is clamped to at least eps. full
// adds the constant log(2 pi) / 2.
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
  bool swap = false;  // use min(d(anchor, negative), d(positive, negative))
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
// Targets of a row are the classes before its first -1.
EMBER_API Tensor multilabel_margin(const Tensor& scores, const Tensor& target,
                                   std::string_view reduction = "mean");
EMBER_API Tensor multilabel_soft_margin(const Tensor& logits, const Tensor& target,
                                        const std::optional<Tensor>& weight = {},
                                        std::string_view reduction = "mean");
// ops::ctc_loss. zero_infinity: a target longer than its input has loss 0.
EMBER_API Tensor ctc(const Tensor& log_probabilities, const Tensor& targets,
                     const Tensor& input_lengths, const Tensor& target_lengths, int64_t blank = 0,
                     bool zero_infinity = false, std::string_view reduction = "mean");

}  // namespace ember::train
