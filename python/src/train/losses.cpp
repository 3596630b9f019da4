// Losses with weights and losses that are not ops, with PyTorch's names for functions and
// arguments.
#include "ember/losses.h"

#include "ember/warning.h"
#include "python/src/train/training.h"

namespace ember::python {
namespace {

using nb::arg;
using namespace train;
using Given = std::optional<Tensor>;

// Raises a Python UserWarning, which shows the line that called the loss.
void warn_in_python(const std::string& text) {
  const Gil lock;
  nb::module_::import_("ember_ml._warnings").attr("warn")(text);
}

}  // namespace

void add_losses(nb::module_& m) {
  set_warning_handler(warn_in_python);
  const auto reduction = arg("reduction") = "mean";
  const auto weight = arg("weight") = nb::none();
  m.def(
      "cross_entropy",
      [](const Tensor& x, const Tensor& t, const Given& w, int64_t ignore_index,
         const std::string& how, double smoothing) {
        return cross_entropy(x, t,
                             {.reduction = how,
                              .ignore_index = ignore_index,
                              .label_smoothing = smoothing,
                              .weight = w});
      },
      arg("input"), arg("target"), weight, arg("ignore_index") = -100, reduction,
      arg("label_smoothing") = 0.0,
      "Cross entropy of logits (classes along axis 1) with target classes or probabilities. "
      "weight: "
      "one number per class.");
  m.def(
      "nll_loss",
      [](const Tensor& x, const Tensor& t, const Given& w, int64_t ignore_index,
         const std::string& how) {
        return nll(x, t, {.reduction = how, .ignore_index = ignore_index, .weight = w});
      },
      arg("input"), arg("target"), weight, arg("ignore_index") = -100, reduction,
      "Negative log probability of the target class (classes along axis 1). "
      "weight: one number per class.");
  m.def(
      "binary_cross_entropy",
      [](const Tensor& p, const Tensor& t, const Given& w, const std::string& how) {
        return binary_cross_entropy(p, t, {.reduction = how, .weight = w});
      },
      arg("input"), arg("target"), weight, reduction, "Binary cross entropy of probabilities.");
  m.def(
      "binary_cross_entropy_with_logits",
      [](const Tensor& x, const Tensor& t, const Given& w, const std::string& how,
         const Given& yes) {
        return binary_cross_entropy_with_logits(x, t,
                                                {.reduction = how, .weight = w, .pos_weight = yes});
      },
      arg("input"), arg("target"), weight, reduction, arg("pos_weight") = nb::none(),
      "Binary cross entropy of logits. pos_weight: the weight of positive targets.");
  m.def(
      "smooth_l1_loss",
      [](const Tensor& p, const Tensor& t, const std::string& how, double beta) {
        return smooth_l1(p, t, beta, how);
      },
      arg("input"), arg("target"), reduction, arg("beta") = 1.0,
      "d^2 / (2 beta) below beta, d - beta / 2 above.");
  m.def(
      "kl_div",
      [](const Tensor& p, const Tensor& t, const std::string& how, bool log_target) {
        return kl_div(p, t, log_target, how);
      },
      arg("input"), arg("target"), reduction, arg("log_target") = false,
      "target (log(target) - input) for logarithms of probabilities; reduction may be batchmean.");
  m.def(
      "poisson_nll_loss",
      [](const Tensor& p, const Tensor& t, bool log_input, bool full, double eps,
         const std::string& how) {
        return poisson_nll(p, t,
                           {.log_input = log_input, .full = full, .eps = eps, .reduction = how});
      },
      arg("input"), arg("target"), arg("log_input") = true, arg("full") = false, arg("eps") = 1e-8,
      reduction, "Negative log likelihood of counts, given the rate or its logarithm.");
  m.def(
      "gaussian_nll_loss",
      [](const Tensor& p, const Tensor& t, const Tensor& var, bool full, double eps,
         const std::string& how) { return gaussian_nll(p, t, var, full, eps, how); },
      arg("input"), arg("target"), arg("var"), arg("full") = false, arg("eps") = 1e-6, reduction,
      "Negative log likelihood of a normal distribution with this mean and variance.");
  m.def(
      "margin_ranking_loss",
      [](const Tensor& a, const Tensor& b, const Tensor& t, double margin, const std::string& how) {
        return margin_ranking(a, b, t, margin, how);
      },
      arg("input1"), arg("input2"), arg("target"), arg("margin") = 0.0, reduction,
      "max(0, margin - target (input1 - input2)); targets are 1 and -1.");
  m.def(
      "hinge_embedding_loss",
      [](const Tensor& x, const Tensor& t, double margin, const std::string& how) {
        return hinge_embedding(x, t, margin, how);
      },
      arg("input"), arg("target"), arg("margin") = 1.0, reduction,
      "input where the target is 1, max(0, margin - input) where it is -1.");
  m.def(
      "soft_margin_loss",
      [](const Tensor& x, const Tensor& t, const std::string& how) {
        return soft_margin(x, t, how);
      },
      arg("input"), arg("target"), reduction, "log(1 + exp(-target input)); targets are 1 and -1.");
  m.def(
      "triplet_margin_loss",
      [](const Tensor& a, const Tensor& p, const Tensor& n, double margin, double order, double eps,
         bool swap, const std::string& how) {
        return triplet_margin(
            a, p, n, {.margin = margin, .p = order, .eps = eps, .swap = swap, .reduction = how});
      },
      arg("anchor"), arg("positive"), arg("negative"), arg("margin") = 1.0, arg("p") = 2.0,
      arg("eps") = 1e-6, arg("swap") = false, reduction,
      "max(0, |anchor - positive| - |anchor - negative| + margin).");
  m.def(
      "multi_margin_loss",
      [](const Tensor& x, const Tensor& t, double p, double margin, const Given& w,
         const std::string& how) {
        return multi_margin(x, t, {.p = p, .margin = margin, .weight = w, .reduction = how});
      },
      arg("input"), arg("target"), arg("p") = 1.0, arg("margin") = 1.0, weight, reduction,
      "The hinge loss of each class against the target class, averaged over the classes.");
  m.def(
      "multilabel_margin_loss",
      [](const Tensor& x, const Tensor& t, const std::string& how) {
        return multilabel_margin(x, t, how);
      },
      arg("input"), arg("target"), reduction,
      "The multi-class hinge loss with several target classes: those of each row up to the first "
      "-1.");
  m.def(
      "multilabel_soft_margin_loss",
      [](const Tensor& x, const Tensor& t, const Given& w, const std::string& how) {
        return multilabel_soft_margin(x, t, w, how);
      },
      arg("input"), arg("target"), weight, reduction,
      "Binary cross entropy of logits, averaged over the classes.");
  m.def(
      "ctc_loss",
      [](const Tensor& p, const Tensor& t, const Tensor& lengths, const Tensor& target_lengths,
         int64_t blank, const std::string& how, bool zero_infinity) {
        return ctc(p, t, lengths, target_lengths, blank, zero_infinity, how);
      },
      arg("log_probs"), arg("targets"), arg("input_lengths"), arg("target_lengths"),
      arg("blank") = 0, reduction, arg("zero_infinity") = false,
      "Negative log probability of label sequences, summed over all alignments.");
}

}  // namespace ember::python
