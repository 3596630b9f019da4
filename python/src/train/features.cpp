// Feature extractors. Options are given to the constructor or, as in Ember ML, to fit.
#include <nanobind/trampoline.h>

#include "ember/features.h"
#include "python/src/train/training.h"

namespace ember::python {
namespace {

using nb::arg;
using namespace features;

struct PyExtractor : FeatureExtractor {
  NB_TRAMPOLINE(FeatureExtractor);
  FeatureExtractor& fit(const Tensor& x) override {
    const nb::detail::ticket ticket(nb_trampoline, "fit", nb::detail::str_hash("fit"), false);
    if (!ticket.key.is_valid()) return FeatureExtractor::fit(x);
    nb_trampoline.base().attr(ticket.key)(x);
    return *this;
  }
  Tensor transform(const Tensor& x) const override { NB_OVERRIDE(transform, x); }
  Tensor inverse_transform(const Tensor& x) const override { NB_OVERRIDE(inverse_transform, x); }
  std::string kind() const override {
    const Gil lock;
    return nb::cast<std::string>(nb_trampoline.base().type().attr("__name__"));
  }
  TensorMap state() const override {
    const nb::detail::ticket ticket(nb_trampoline, "state_dict", nb::detail::str_hash("state_dict"),
                                    false);
    return ticket.key.is_valid() ? state_of(nb_trampoline.base().attr(ticket.key)()) : TensorMap();
  }
  void load_state(const TensorMap& s) override {
    NB_OVERRIDE_NAME("load_state_dict", load_state, s);
  }
};

// Keyword options; unknown names are an error.
struct Given {
  const char* who;
  nb::dict left;
  bool any = false;
  Given(const char* name, const char* first, const nb::args& a, const nb::kwargs& k) : who(name) {
    left.update(k);
    if (a.size() > (first ? 1u : 0u)) {
      throw DTypeError("[" + std::string(who) + "] options must be passed by keyword");
    }
    if (a.size()) left[first] = a[0];
  }
  template <class T> void operator()(const char* name, T& field) {
    if (!left.contains(name)) return;
    const nb::object value = left[name];
    nb::del(left[name]);
    any = true;
    if (!nb::try_cast(value, field)) {
      throw DTypeError("[" + std::string(who) + "] " + name + " cannot be of type " +
                       Py_TYPE(value.ptr())->tp_name);
    }
  }
  void operator()(const char* name, ComponentCount& field) {
    std::optional<double> number;
    const bool whole = left.contains(name) && PyLong_Check(nb::handle(left[name]).ptr());
    (*this)(name, number);
    if (any) {
      field = !number ? ComponentCount()
              : whole ? ComponentCount(int64_t(*number))
                      : ComponentCount(*number);
    }
  }
  void none_left() const {
    for (auto [key, value] : left) {
      throw DTypeError("[" + std::string(who) + "] has no option '" + nb::cast<std::string>(key) +
                       "'");
    }
  }
};
void read(Given& g, PCAOptions& o) {
  g("n_components",
    o.n_components);  // before the others, because it checks whether anything was given
  g("whiten", o.whiten);
  g("center", o.center);
  g("svd_solver", o.svd_solver);
  g("oversamples", o.oversamples);
  g("power_iterations", o.power_iterations);
  g("seed", o.seed);
  g("batch_size", o.batch_size);
}
void read(Given& g, StandardizeOptions& o) {
  g("with_mean", o.with_mean);
  g("with_std", o.with_std);
  g("axis", o.axis);
}
void read(Given& g, NormalizeOptions& o) {
  g("norm", o.norm);
  g("axis", o.axis);
  g("low", o.low);
  g("high", o.high);
  g("clip", o.clip);
  g("quantile_low", o.quantile_low);
  g("quantile_high", o.quantile_high);
}
void read(Given& g, TimeSeriesOptions& o) {
  g("window", o.window);
  g("step", o.step);
  g("statistics", o.statistics);
  g("lags", o.lags);
  g("differences", o.differences);
  g("sample_rate", o.sample_rate);
}
template <class O> O options_from(Given given, O options = {}) {
  read(given, options);
  given.none_left();
  return options;
}

// first: the option that may be positional.
template <class C, class O>
nb::class_<C, FeatureExtractor> extractor(nb::module_& m, const char* name, const char* doc,
                                          const char* options, const char* first = nullptr) {
  // Must live as long as the class.
  auto* init = new std::string("def __init__(self, " + std::string(options) + ") -> None");
  nb::class_<C, FeatureExtractor> c(m, name, doc);
  c.def(
      "__init__",
      [name, first](C* p, nb::args a, nb::kwargs k) {
        new (p) C(options_from<O>({name, first, a, k}));
      },
      nb::sig(init->c_str()));
  if constexpr (requires(const C& x) { x.options(); }) {
    c.def(
        "fit",
        [name, first](nb::object self, const Tensor& x, nb::args a, nb::kwargs k) {
          C& mine = nb::cast<C&>(self);
          if (a.size() || k.size()) mine = C(options_from<O>({name, first, a, k}, mine.options()));
          mine.fit(x);
          return self;
        },
        arg("x"), arg("args"), arg("kwargs"),
        "Learns from data; options given here replace earlier ones.");
  }
  return c;
}

void add_extractor(nb::module_& m) {
  nb::class_<FeatureExtractor, PyExtractor>(
      m, "FeatureExtractor",
      "The base class, which learns and changes nothing. Override fit, transform or extract.")
      .def(nb::init<int64_t>(), arg("feature_dim") = 0)
      .def(
          "fit",
          [](nb::object self, const Tensor& x) {
            nb::cast<FeatureExtractor&>(self).fit(x);
            return self;
          },
          arg("x"), "Learns from data.")
      .def("transform", &FeatureExtractor::transform, arg("x"), "Applies what fit learned.")
      .def("inverse_transform", &FeatureExtractor::inverse_transform, arg("x"),
           "The inverse of transform, if there is one.")
      .def(
          "fit_transform",
          [](nb::object self, nb::handle x, nb::args a, nb::kwargs k) {
            if (self.type().is(nb::type<PCA>()) && !a.size() && !k.size()) {
              return nb::cast(nb::cast<PCA&>(self).fit_transform(nb::cast<Tensor>(x)));
            }
            self.attr("fit")(x, *a, **k);
            return self.attr("transform")(x);
          },
          arg("x"), arg("args"), arg("kwargs"), "fit, then transform.")
      .def(
          "extract",
          [](const FeatureExtractor& f, const Tensor& x, std::optional<Tensor> mask) {
            return f.extract(x, mask.value_or(Tensor()));
          },
          arg("x"), arg("mask") = nb::none(),
          "transform of x, multiplied by the mask if there is one.")
      .def_prop_rw("feature_dim", &FeatureExtractor::feature_dim,
                   &FeatureExtractor::set_feature_dim, "The number of input features, if known.")
      .def("state_dict", &FeatureExtractor::state, "The learned state as tensors.")
      .def(
          "load_state_dict",
          [](FeatureExtractor& f, nb::handle state) { f.load_state(state_of(state)); },
          arg("state_dict"))
      .def(
          "save", [](const FeatureExtractor& f, nb::handle path) { f.save(path_of(path)); },
          arg("path"), "Writes the learned state to a file.")
      .def(
          "load", [](FeatureExtractor& f, nb::handle path) { f.load(path_of(path)); }, arg("path"),
          "Loads the learned state of the same kind of extractor.");
}

void add_pca(nb::module_& m) {
  extractor<PCA, PCAOptions>(m, "PCA",
                             "Principal components of rows [samples, features]. The largest "
                             "loading of every component is positive.",
                             "n_components: int | float | None = None, *, whiten: bool = False, "
                             "center: bool = True, svd_solver: str = 'auto', "
                             "oversamples: int = 10, power_iterations: int | None = None, seed: "
                             "int | None = None, batch_size: int | None = None",
                             "n_components")
      .def(
          "partial_fit",
          [](nb::object self, const Tensor& x) {
            nb::cast<PCA&>(self).partial_fit(x);
            return self;
          },
          arg("x"), "Updates the learned state with more rows.")
      .def_prop_ro("components_", &PCA::components, "[components, features], rows of length 1.")
      .def_prop_ro("n_components_", &PCA::n_components)
      .def_prop_ro("n_samples_", &PCA::n_samples)
      .def_prop_ro("singular_values_", &PCA::singular_values)
      .def_prop_ro("mean_", &PCA::mean)
      .def_prop_ro("explained_variance_", &PCA::explained_variance)
      .def_prop_ro("explained_variance_ratio_", &PCA::explained_variance_ratio)
      .def_prop_ro("noise_variance_", &PCA::noise_variance,
                   "The mean variance of the discarded directions.");
}

void add_scaling(nb::module_& m) {
  extractor<Standardize, StandardizeOptions>(
      m, "Standardize",
      "Scales to mean 0 and standard deviation 1 along an axis; constant features keep their "
      "scale.",
      "*, with_mean: bool = True, with_std: bool = True, axis: int = 0")
      .def_prop_ro("mean_", &Standardize::mean)
      .def_prop_ro("scale_", &Standardize::scale);
  extractor<Normalize, NormalizeOptions>(
      m, "Normalize",
      "Scales to length 1 (l1, l2, max), into a range (minmax), or by median and quantiles "
      "(robust).\n\n"
      "Along axis 0 the scale is learned by fit, along another it is worked out anew for each "
      "sample.",
      "*, norm: str = 'l2', axis: int | None = None, low: float = 0.0, high: float = 1.0, clip: "
      "bool = False, "
      "quantile_low: float = 0.25, quantile_high: float = 0.75")
      .def_prop_ro("center_", &Normalize::center)
      .def_prop_ro("scale_", &Normalize::scale);
}

void add_time_series(nb::module_& m) {
  extractor<TimeSeriesFeatures, TimeSeriesOptions>(
      m, "TimeSeriesFeatures",
      "Features of series [batch, steps], [steps] or [batch, steps, channels].\n\n"
      "Without options, each series is standardized.",
      "*, window: int | None = None, step: int = 1, statistics: list[str] = [], lags: list[int] = "
      "[], "
      "differences: list[int] = [], sample_rate: float = 1.0")
      .def("feature_names", &TimeSeriesFeatures::feature_names,
           "Of one channel: mean, lag_2, difference_1.");
  nb::class_<SpecializedProcessor>(m, "SpecializedProcessor",
                                   "The effect of a neuron's role on a signal: memory decays "
                                   "slowly, inhibition dampens and inverts.")
      .def(nb::init<std::string>(), arg("role") = "default")
      .def_prop_ro("role", &SpecializedProcessor::role)
      .def("process", &SpecializedProcessor::process, arg("x"))
      .def("__call__", &SpecializedProcessor::process, arg("x"));

  m.def("window_statistics", &window_statistics, arg("x"), arg("window"), arg("step") = 1,
        arg("names") =
            std::vector<std::string>{"mean", "std", "min", "max", "median", "skew", "kurtosis"},
        arg("axis") = -1, arg("sample_rate") = 1.0,
        "Features of each window along an axis: [..., windows, features].");
  m.def("spectral_features", &spectral_features, arg("x"), arg("sample_rate") = 1.0,
        arg("axis") = -1, "[..., 3]: power, centroid, dominant frequency.");
  m.def("lagged", &lagged, arg("x"), arg("lags"), arg("axis") = -1,
        "Lagged values: [..., steps - largest, lags].");
  m.def("differences", &differences, arg("x"), arg("orders") = Ints{1}, arg("axis") = -1,
        "Differences of the given orders: [..., steps - largest, orders].");
}

}  // namespace

void add_features(nb::module_& m) {
  add_extractor(m);
  add_pca(m);
  add_scaling(m);
  add_time_series(m);
}

}  // namespace ember::python
