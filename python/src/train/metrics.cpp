// Metrics, including metrics written in Python, and scores and losses as functions.
#include <nanobind/trampoline.h>

#include "ember/train.h"
#include "python/src/train/training.h"

namespace ember::python {
namespace {

using nb::arg;
using namespace train;

struct PyMetric : Metric {
  NB_TRAMPOLINE(Metric);
  std::string name() const override {
    const Gil lock;
    return nb::cast<std::string>(nb::str(nb_trampoline.base().attr("name")));
  }
  Tensor statistics(const Tensor& prediction, const Tensor& target) const override {
    const Gil lock;
    return call_for_tensor("Metric.statistics", nb_trampoline.base().attr("statistics"),
                           {prediction, target});
  }
  double result() const override {
    const Gil lock;
    const nb::object value = call_python_with(nb_trampoline.base().attr("result"));
    return nb::cast<double>(nb::float_(value));
  }
};
// Raises for a method that a subclass has to define.
[[noreturn]] void missing(nb::handle self, const char* what) {
  throw UnsupportedError("[" + nb::cast<std::string>(nb::type_name(self.type())) +
                         "] a metric must define " + what);
}

Average average_of(const std::string& s) {
  if (s == "macro") return Average::macro;
  if (s == "micro") return Average::micro;
  if (s == "binary") return Average::binary;
  throw ValueError("[metrics] average must be macro, micro or binary, not " + s);
}
template <class M> void class_score(nb::module_& m, const char* name, const char* doc) {
  nb::class_<M, ConfusionMatrix>(m, name, doc)
      .def(
          "__init__",
          [](M* p, int64_t classes, const std::string& average, double threshold) {
            new (p) M(classes, average_of(average), threshold);
          },
          arg("classes") = 2, arg("average") = "macro", arg("threshold") = 0.5);
}

}  // namespace

void add_metrics(nb::module_& m) {
  nb::class_<Metric, PyMetric>(
      m, "Metric",
      "The contribution of a batch is recorded with the step and summed when the metric is "
      "read.\n\n"
      "One of your own defines statistics(prediction, target), a vector of what a batch adds to "
      "the totals, and result(), which makes a\n"
      "number of self.totals; the attribute name says how it is called in the history.")
      .def(nb::init<>())
      .def_prop_ro(
          "name",
          [](nb::handle self) -> std::string {
            Metric& metric = nb::cast<Metric&>(self);
            return dynamic_cast<PyMetric*>(&metric)
                       ? nb::cast<std::string>(self.type().attr("__name__"))
                       : metric.name();
          },
          "Its name in the history.")
      .def(
          "statistics",
          [](nb::handle self, const Tensor&, const Tensor&) -> Tensor {
            missing(self, "statistics(prediction, target)");
          },
          arg("prediction"), arg("target"), "The vector that a batch adds to the totals.")
      .def(
          "result", [](nb::handle self) -> double { missing(self, "result()"); },
          "The score computed from the totals.")
      .def("update", &Metric::update, arg("prediction"), arg("target"), "Adds a batch.")
      .def("value", &Metric::value, "The score of all batches so far.")
      .def("reset", &Metric::reset, "Clears the totals.")
      .def("__call__", &Metric::of, arg("prediction"), arg("target"),
           "The score of these predictions.")
      .def_prop_rw("totals", &Metric::totals, &Metric::set_totals, "The sums so far.");
  nb::class_<Accuracy, Metric>(
      m, "Accuracy",
      "The fraction of correct predictions: scores per class, or positive above the threshold.")
      .def(nb::init<double>(), arg("threshold") = 0.5);
  nb::class_<ConfusionMatrix, Metric>(m, "ConfusionMatrix",
                                      "The confusion matrix; its value is the accuracy.")
      .def(nb::init<int64_t, double>(), arg("classes"), arg("threshold") = 0.5)
      .def("matrix", &ConfusionMatrix::matrix, "Counts: [target][prediction].");
  class_score<Precision>(m, "Precision", "The fraction of positive predictions that are correct.");
  class_score<Recall>(m, "Recall", "The fraction of positive targets that were found.");
  class_score<F1>(m, "F1", "The harmonic mean of precision and recall.");
  nb::class_<AUC, Metric>(m, "AUC", "The area under the ROC curve.").def(nb::init<>());
  nb::class_<MeanSquaredError, Metric>(m, "MeanSquaredError",
                                       "The mean of the squared differences.")
      .def(nb::init<>());
  nb::class_<MeanAbsoluteError, MeanSquaredError>(m, "MeanAbsoluteError",
                                                  "The mean of the absolute differences.")
      .def(nb::init<>());
  nb::class_<R2, Metric>(m, "R2", "The fraction of the variance that is explained.")
      .def(nb::init<>());

  m.def("confusion_matrix", &confusion_matrix, arg("y_true"), arg("y_pred"),
        arg("normalize") = false, arg("threshold") = 0.5,
        "Counts of each class taken for each: [target][prediction]; normalize: parts of each "
        "target's row.");
  m.def("classification_metrics", &classification_metrics, arg("y_true"), arg("y_pred"),
        "accuracy, and precision, recall and f1 as the mean over the classes.");
  m.def("binary_classification_metrics", &binary_classification_metrics, arg("y_true"),
        arg("y_pred"), arg("threshold") = 0.5, "accuracy, precision, recall and f1 of class 1.");
  m.def("regression_metrics", &regression_metrics, arg("y_true"), arg("y_pred"),
        "mse, rmse, mae and r2.");
  m.def("roc_auc", &roc_auc, arg("y_true"), arg("y_score"), "The area under the ROC curve.");
  m.def(
      "precision_recall_curve",
      [](const Tensor& target, const Tensor& score) {
        const PrecisionRecall c = precision_recall_curve(target, score);
        return nb::make_tuple(c.precision, c.recall, c.thresholds);
      },
      arg("y_true"), arg("y_score"), "(precision, recall, thresholds), from the lowest score on.");
  m.def("average_precision_score", &average_precision_score, arg("y_true"), arg("y_score"),
        "The area under the precision-recall curve, as a sum of steps.");
}

}  // namespace ember::python
