// Optimizers and schedules, with PyTorch's names and arguments; Ember ML's argument names are
// accepted too.
#include <nanobind/stl/function.h>

#include <set>

#include "ember/nn/optim.h"
#include "python/src/train/training.h"

namespace ember::python {
namespace {

using nb::arg;
using namespace nn;

// ---- The options by name. Positional arguments depend on their order, which is PyTorch's ----
template <class F> void each_option(SGDOptions& o, F&& f) {
  f("lr", o.lr);
  f("momentum", o.momentum);
  f("dampening", o.dampening);
  f("weight_decay", o.weight_decay);
  f("nesterov", o.nesterov);
  f("maximize", o.maximize);
}
template <class O, class F> void each_adam_option(O& o, F&& f) {
  f("lr", o.lr);
  f("betas", o.betas);
  f("eps", o.eps);
  f("weight_decay", o.weight_decay);
  if constexpr (requires { o.amsgrad; }) f("amsgrad", o.amsgrad);
  f("maximize", o.maximize);
}
template <class F> void each_option(AdamOptions& o, F&& f) { each_adam_option(o, f); }
template <class F> void each_option(AdamWOptions& o, F&& f) { each_adam_option(o, f); }
template <class F> void each_option(AdamaxOptions& o, F&& f) { each_adam_option(o, f); }
template <class F> void each_option(RMSpropOptions& o, F&& f) {
  f("lr", o.lr);
  f("alpha", o.alpha);
  f("eps", o.eps);
  f("weight_decay", o.weight_decay);
  f("momentum", o.momentum);
  f("centered", o.centered);
  f("maximize", o.maximize);
}
template <class F> void each_option(AdagradOptions& o, F&& f) {
  f("lr", o.lr);
  f("lr_decay", o.lr_decay);
  f("weight_decay", o.weight_decay);
  f("initial_accumulator_value", o.initial_accumulator_value);
  f("eps", o.eps);
  f("maximize", o.maximize);
}
template <class F> void each_option(AdadeltaOptions& o, F&& f) {
  f("lr", o.lr);
  f("rho", o.rho);
  f("eps", o.eps);
  f("weight_decay", o.weight_decay);
  f("maximize", o.maximize);
}
template <class F> void each_option(LionOptions& o, F&& f) {
  f("lr", o.lr);
  f("betas", o.betas);
  f("weight_decay", o.weight_decay);
  f("maximize", o.maximize);
}

using Betas = std::array<double, 2>;
nb::object shown(double v) { return nb::float_(v); }
nb::object shown(bool v) { return nb::bool_(v); }
nb::object shown(const Betas& v) { return nb::make_tuple(v[0], v[1]); }

[[noreturn]] void mistyped(const std::string& who, const char* name, const char* wanted,
                           nb::handle v) {
  PyErr_Clear();
  throw DTypeError("[" + who + "] " + name + " must be " + wanted + ", not " +
                   Py_TYPE(v.ptr())->tp_name);
}
void take(const std::string& who, const char* name, double& field, nb::handle v) {
  const double d = PyFloat_AsDouble(v.ptr());
  if (d == -1 && PyErr_Occurred()) mistyped(who, name, "a number", v);
  field = d;
}
void take(const std::string& who, const char* name, bool& field, nb::handle v) {
  if (!PyBool_Check(v.ptr())) mistyped(who, name, "True or False", v);
  field = v.ptr() == Py_True;
}
void take(const std::string& who, const char* name, Betas& field, nb::handle v) {
  if (!PySequence_Check(v.ptr()) || PySequence_Size(v.ptr()) != 2) {
    mistyped(who, name, "two numbers", v);
  }
  Betas b;
  for (size_t i = 0; i < 2; ++i) take(who, name, b[i], v[i]);
  field = b;
}

template <class O>
std::string put(const std::string& who, O& options, std::string_view key, nb::handle value) {
  std::string known;  // the option's own name, or beta_1 and beta_2
  each_option(options, [&](const char* name, auto& field) {
    const std::string_view n = name;
    if (key == n || (key == "learning_rate" && n == "lr") || (key == "epsilon" && n == "eps")) {
      take(who, name, field, value);
      known = name;
    }
    if constexpr (std::is_same_v<std::remove_reference_t<decltype(field)>, Betas>) {
      if (key == "beta_1" || key == "beta_2") {
        take(who, name, field[key == "beta_2"], value);
        known = key;
      }
    }
  });
  if (!known.empty()) return known;
  std::string names;
  each_option(options, [&](const char* name, auto&) {
    names += (names.empty() ? "" : ", ") + std::string(name);
  });
  throw DTypeError("[" + who + "] has no option '" + std::string(key) + "'; it has " + names);
}

template <class O>
ParameterGroup<O> group_of(const std::string& who, nb::handle given, const O& defaults,
                           std::vector<Leaf>& leaves) {
  ParameterGroup<O> g{{}, defaults};
  if (!PyDict_Check(given.ptr())) {
    g.parameters = parameters_of(who.c_str(), given, &leaves);
  } else {
    const nb::dict d = nb::borrow<nb::dict>(given);
    if (!d.contains("params")) throw ValueError("[" + who + "] a parameter group has no 'params'");
    for (auto [key, value] : d) {
      const std::string name = name_of(key);
      if (name == "params") {
        g.parameters = parameters_of(who.c_str(), value, &leaves);
      } else {
        put(who, g.options, name, value);
      }
    }
  }
  return g;
}
// Parameters, or dicts that are groups with their own options.
template <class O>
std::vector<ParameterGroup<O>> groups_of(const std::string& who, nb::handle params,
                                         const O& defaults, std::vector<Leaf>& leaves) {
  if (params.is_none()) return {{{}, defaults}};
  nb::list items;
  if (is_tensor(params.ptr()) || PyDict_Check(params.ptr()) || !nb::hasattr(params, "__iter__")) {
    items.append(params);
  } else {
    for (nb::handle p : params) items.append(p);
  }
  if (nb::len(items) == 0) {
    throw ValueError("[" + who +
                     "] there are no parameters to optimize. A module that is not built yet has "
                     "them after build() or its first call; "
                     "without parameters, make the optimizer by " +
                     who + "(lr=...) and call apply_gradients");
  }
  if (!PyDict_Check(nb::handle(items[0]).ptr())) return {group_of(who, items, defaults, leaves)};
  std::vector<ParameterGroup<O>> groups;
  for (nb::handle g : items) groups.push_back(group_of(who, g, defaults, leaves));
  return groups;
}

// ---- Tensors that are not Parameters, `SGD([w, b])`: the optimizer's object stores them with the
// parameters that represent them ----
constexpr const char* leaves_key = "_leaves";
nb::list leaves_of(nb::handle optimizer) {
  const nb::dict attributes = optimizer.attr("__dict__");
  return attributes.contains(leaves_key) ? nb::list(attributes[leaves_key]) : nb::list();
}
void keep_leaves(nb::handle optimizer, const std::vector<Leaf>& leaves) {
  if (leaves.empty()) return;
  nb::list kept = leaves_of(optimizer);
  for (const Leaf& leaf : leaves) kept.append(nb::make_tuple(leaf.tensor, leaf.parameter));
  nb::dict(optimizer.attr("__dict__"))[leaves_key] = kept;
}
// While it lives, the representing parameters have the tensors' current values and gradients; the
// destructor copies the updated values back.
class LeafUpdate {
 public:
  explicit LeafUpdate(nb::handle optimizer) {
    for (nb::handle pair : leaves_of(optimizer)) {
      Leaf leaf{nb::object(pair[0]), nb::cast<Parameter>(nb::object(pair[1]))};
      leaf.parameter.exchange(tensor_of(leaf.tensor.ptr()));
      leaves_.push_back(std::move(leaf));
    }
  }
  LeafUpdate(const LeafUpdate&) = delete;
  LeafUpdate& operator=(const LeafUpdate&) = delete;
  ~LeafUpdate() {
    for (const Leaf& leaf : leaves_) {
      reinterpret_cast<PyTensor*>(leaf.tensor.ptr())->tensor = leaf.parameter.value();
    }
  }

 private:
  std::vector<Leaf> leaves_;
};

// ---- An optimizer's group as a mapping that writes to the optimizer ----
struct Options {
  nb::dict (*get)(const Optimizer&, size_t);
  void (*set)(Optimizer&, size_t, const std::string&, nb::handle);
};
template <class T>
const Options options_of = {
    [](const Optimizer& o, size_t group) {
      nb::dict d;
      auto options = static_cast<const T&>(o).options(group);
      each_option(options, [&](const char* name, auto& field) { d[name] = shown(field); });
      return d;
    },
    [](Optimizer& o, size_t group, const std::string& key, nb::handle value) {
      auto options = static_cast<T&>(o).options(group);
      put("param_groups", options, key, value);
      static_cast<T&>(o).set_options(group, options);
    }};
struct Group {
  nb::object owner;
  const Options* options;
  size_t index;
  Optimizer& optimizer() const { return nb::cast<Optimizer&>(owner); }
  nb::dict all() const {
    nb::dict d;
    d["params"] = nb::cast(optimizer().parameters(index));
    d.update(options->get(optimizer(), index));
    return d;
  }
};
void add_group_view(nb::module_& m) {
  nb::class_<Group>(
      m, "ParamGroup",
      "A parameter group of an optimizer: a mapping whose changes reach the optimizer.")
      .def("__getitem__", [](const Group& g, nb::str key) { return nb::object(g.all()[key]); })
      .def("__setitem__",
           [](Group& g, const std::string& key, nb::handle value) {
             g.options->set(g.optimizer(), g.index, key, value);
           })
      .def("__contains__", [](const Group& g, nb::handle key) { return g.all().contains(key); })
      .def("__iter__", [](const Group& g) { return nb::iter(g.all()); })
      .def("__len__", [](const Group& g) { return nb::len(g.all()); })
      .def("keys", [](const Group& g) { return g.all().keys(); })
      .def("values", [](const Group& g) { return g.all().values(); })
      .def("items", [](const Group& g) { return g.all().items(); })
      .def("__repr__",
           [](const Group& g) { return nb::repr(g.options->get(g.optimizer(), g.index)); });
}

// Must live as long as the class.
template <class O> const char* signature_of() {
  auto* s = new std::string("def __init__(self, params: object = None");
  O options;
  each_option(options, [&](const char* name, auto& field) {
    using T = std::remove_reference_t<decltype(field)>;
    *s += std::string(", ") + name + ": " +
          (std::is_same_v<T, double> ? "float"
           : std::is_same_v<T, bool> ? "bool"
                                     : "tuple[float, float]");
    *s += " = " + nb::cast<std::string>(nb::repr(shown(field)));
  });
  return (*s += ", **kwargs: object) -> None").c_str();
}

template <class T> void optimizer(nb::module_& m, const char* name, const char* doc) {
  using O = typename T::Options;
  const std::string who = name;
  nb::class_<T, Optimizer>(m, name, nb::dynamic_attr(), doc)
      .def(
          "__init__",
          [who](nb::pointer_and_handle<T> self, nb::handle params, nb::args positional,
                nb::kwargs named) {
            O options;
            size_t at = 0;
            each_option(options, [&](const char* name, auto& field) {
              if (at < positional.size()) take(who, name, field, positional[at]);
              ++at;
            });
            if (positional.size() > at) {
              throw DTypeError("[" + who + "] has " + std::to_string(at) + " options, not " +
                               std::to_string(positional.size()));
            }
            std::set<std::string> given;
            each_option(options, [&, i = size_t(0)](const char* name, auto&) mutable {
              if (i++ < positional.size()) given.insert(name);
            });
            for (auto [key, value] : named) {
              const std::string option = put(who, options, nb::cast<std::string>(key), value);
              if (!given.insert(option).second) {
                throw DTypeError("[" + who + "] got two values for '" + option + "'");
              }
            }
            std::vector<Leaf> leaves;
            new (self.p) T(groups_of(who, params, options, leaves));
            keep_leaves(self.h, leaves);
          },
          arg("params") = nb::none(), arg("args"), arg("kwargs"), nb::sig(signature_of<O>()))
      .def(
          "add_param_group",
          [who](nb::handle self, nb::handle group) {
            T& t = nb::cast<T&>(self);
            std::vector<Leaf> leaves;
            t.add_group(group_of(who, group, t.options(0), leaves));
            keep_leaves(self, leaves);
          },
          arg("param_group"),
          "Adds Parameters, or a dict with 'params' and options of their own; others are those of "
          "the first group.")
      .def(
          "__getattr__",
          [who](const T& t, const std::string& name) {
            auto options = t.options(0);
            nb::object found;
            each_option(options, [&](const char* option, auto& field) {
              const std::string_view n = option;
              if (name == n || (name == "epsilon" && n == "eps")) found = shown(field);
              if constexpr (std::is_same_v<std::remove_reference_t<decltype(field)>, Betas>) {
                if (name == "beta_1" || name == "beta_2") found = shown(field[name == "beta_2"]);
              }
            });
            if (!found.is_valid()) {
              throw nb::attribute_error(
                  ("'" + who + "' object has no attribute '" + name + "'").c_str());
            }
            return found;
          },
          arg("name"), "The options of the first group: momentum, beta_1, weight_decay...")
      .def_prop_ro(
          "param_groups",
          [](nb::object self) {
            nb::list groups;
            for (size_t g = 0; g < nb::cast<Optimizer&>(self).groups(); ++g) {
              groups.append(Group{self, &options_of<T>, g});
            }
            return groups;
          },
          "The groups, each a mapping of its parameters and options; what is assigned there counts "
          "from the next step on.");
}

// Ember ML's step(gradients): if no parameter has a gradient, tensors with the shapes of all
// parameters are the gradients. Otherwise they are evaluated together with the updates.
bool step(Optimizer& o, const Tensors& given, const Tensor& only_if) {
  const std::vector<Parameter> all = o.parameters();
  bool alike = !given.empty() && all.size() == given.size();
  for (size_t i = 0; alike && i < all.size(); ++i) {
    alike = !all[i].grad().defined() && all[i].shape() == given[i].shape();
  }
  if (!alike) return o.step(StepOptions{.also = given, .only_if = only_if});
  std::vector<std::pair<Tensor, Parameter>> gradients;
  for (size_t i = 0; i < all.size(); ++i) gradients.emplace_back(given[i], all[i]);
  return o.apply_gradients(gradients, {.only_if = only_if});
}

void add_schedule(nb::module_& m) {
  nb::class_<Schedule>(m, "Schedule",
                       "Sets the learning rates of an optimizer: step() after each epoch, or after "
                       "each step of the optimizer.")
      .def(
          "step",
          [](Schedule& s, std::optional<double> metric) { metric ? s.step(*metric) : s.step(); },
          arg("metric") = nb::none(), "Sets the next rate; ReduceLROnPlateau needs its metric.")
      .def(
          "get_last_lr",
          [](const Schedule& s) {
            std::vector<double> r;
            for (size_t g = 0; g < s.groups(); ++g) r.push_back(s.lr(g));
            return r;
          },
          "The rate of each group.")
      .def_prop_ro("last_epoch", &Schedule::count, "The number of calls of step().")
      .def("state_dict", &Schedule::state_dict, "The state, as tensors.")
      .def(
          "load_state_dict",
          [](Schedule& s, nb::handle state) { s.load_state_dict(state_of(state)); },
          arg("state_dict"), "Restores a saved state.");
}

void add_lambda_schedules(nb::module_& m) {
  const auto keep = nb::keep_alive<1, 2>();
  nb::class_<LambdaLR, Schedule>(m, "LambdaLR", "The first rate times lr_lambda(count).")
      .def(nb::init<Optimizer&, std::function<double(int64_t)>>(), arg("optimizer"),
           arg("lr_lambda"), keep);
  nb::class_<StepLR, LambdaLR>(m, "StepLR", "Times gamma every step_size counts.")
      .def(nb::init<Optimizer&, int64_t, double>(), arg("optimizer"), arg("step_size"),
           arg("gamma") = 0.1, keep);
  nb::class_<MultiStepLR, LambdaLR>(m, "MultiStepLR", "Times gamma at each milestone.")
      .def(nb::init<Optimizer&, std::vector<int64_t>, double>(), arg("optimizer"),
           arg("milestones"), arg("gamma") = 0.1, keep);
  nb::class_<ExponentialLR, LambdaLR>(m, "ExponentialLR", "Times gamma at each count.")
      .def(nb::init<Optimizer&, double>(), arg("optimizer"), arg("gamma"), keep);
  nb::class_<LinearLR, LambdaLR>(
      m, "LinearLR", "A factor that goes from start_factor to end_factor in total_iters counts.")
      .def(nb::init<Optimizer&, double, double, int64_t>(), arg("optimizer"),
           arg("start_factor") = 1.0 / 3, arg("end_factor") = 1.0, arg("total_iters") = 5, keep);
}

void add_other_schedules(nb::module_& m) {
  const auto keep = nb::keep_alive<1, 2>();
  nb::class_<CosineAnnealingLR, Schedule>(
      m, "CosineAnnealingLR", "Half a cosine from the first rate to eta_min in T_max counts.")
      .def(nb::init<Optimizer&, int64_t, double>(), arg("optimizer"), arg("T_max"),
           arg("eta_min") = 0.0, keep);
  nb::class_<CosineAnnealingWarmRestarts, Schedule>(
      m, "CosineAnnealingWarmRestarts", "Half cosines of T_0, T_0 * T_mult, ... counts.")
      .def(nb::init<Optimizer&, int64_t, int64_t, double>(), arg("optimizer"), arg("T_0"),
           arg("T_mult") = 1, arg("eta_min") = 0.0, keep);
  nb::class_<OneCycleLR, Schedule>(m, "OneCycleLR",
                                   "Up to max_lr, and down again, in total_steps counts.")
      .def(
          "__init__",
          [](OneCycleLR* self, Optimizer& optimizer, double max_lr,
             std::optional<int64_t> total_steps, std::optional<int64_t> epochs,
             std::optional<int64_t> steps_per_epoch, double pct_start,
             const std::string& anneal_strategy, bool cycle_momentum, double base_momentum,
             double max_momentum, double div_factor, double final_div_factor, bool three_phase) {
            if (anneal_strategy != "cos" && anneal_strategy != "linear") {
              throw ValueError("[OneCycleLR] anneal_strategy must be cos or linear, not " +
                               anneal_strategy);
            }
            new (self) OneCycleLR(optimizer, {.max_lr = max_lr,
                                              .total_steps = total_steps.value_or(
                                                  epochs.value_or(0) * steps_per_epoch.value_or(0)),
                                              .pct_start = pct_start,
                                              .div_factor = div_factor,
                                              .final_div_factor = final_div_factor,
                                              .linear = anneal_strategy == "linear",
                                              .three_phase = three_phase,
                                              .cycle_momentum = cycle_momentum,
                                              .base_momentum = base_momentum,
                                              .max_momentum = max_momentum});
          },
          arg("optimizer"), arg("max_lr"), arg("total_steps") = nb::none(),
          arg("epochs") = nb::none(), arg("steps_per_epoch") = nb::none(), arg("pct_start") = 0.3,
          arg("anneal_strategy") = "cos", arg("cycle_momentum") = true, arg("base_momentum") = 0.85,
          arg("max_momentum") = 0.95, arg("div_factor") = 25.0, arg("final_div_factor") = 1e4,
          arg("three_phase") = false, keep);
  nb::class_<ReduceLROnPlateau, Schedule>(
      m, "ReduceLROnPlateau",
      "Times factor if a metric has not improved for more than patience counts.")
      .def(
          "__init__",
          [](ReduceLROnPlateau* self, Optimizer& optimizer, const std::string& mode, double factor,
             int64_t patience, double threshold, const std::string& threshold_mode,
             int64_t cooldown, double min_lr, double eps) {
            if (mode != "min" && mode != "max") {
              throw ValueError("[ReduceLROnPlateau] mode must be min or max, not " + mode);
            }
            if (threshold_mode != "rel" && threshold_mode != "abs") {
              throw ValueError("[ReduceLROnPlateau] threshold_mode must be rel or abs, not " +
                               threshold_mode);
            }
            new (self) ReduceLROnPlateau(optimizer, {.maximize = mode == "max",
                                                     .factor = factor,
                                                     .patience = patience,
                                                     .threshold = threshold,
                                                     .absolute = threshold_mode == "abs",
                                                     .cooldown = cooldown,
                                                     .min_lr = min_lr,
                                                     .eps = eps});
          },
          arg("optimizer"), arg("mode") = "min", arg("factor") = 0.1, arg("patience") = 10,
          arg("threshold") = 1e-4, arg("threshold_mode") = "rel", arg("cooldown") = 0,
          arg("min_lr") = 0.0, arg("eps") = 1e-8, keep);
  nb::class_<SequentialLR, Schedule>(m, "SequentialLR",
                                     "Schedules in sequence; each begins at its milestone.")
      .def(nb::init<Optimizer&, std::vector<std::shared_ptr<Schedule>>, std::vector<int64_t>>(),
           arg("optimizer"), arg("schedulers"), arg("milestones"), keep);
}

void add_schedules(nb::module_& m) {
  add_schedule(m);
  add_lambda_schedules(m);
  add_other_schedules(m);
}

}  // namespace

void add_optimizers(nb::module_& m) {
  add_group_view(m);
  nb::class_<Optimizer>(
      m, "Optimizer", "The base of optimizers. A step updates each parameter that has a gradient.")
      .def(
          "step",
          [](nb::handle self, nb::handle also, std::optional<Tensor> only_if) {
            const LeafUpdate update(self);
            return step(nb::cast<Optimizer&>(self), tensors_of(also), only_if.value_or(Tensor()));
          },
          arg("also") = nb::tuple(), nb::kw_only(), arg("only_if") = nb::none(),
          "All updates as one graph, evaluated once together with the tensors in also. Where no "
          "parameter has a gradient and also has a tensor\n"
          "of each one's shape, those are the gradients.\n\n"
          "Returns whether the step took place: False only if only_if, one bool, is false.")
      .def(
          "apply_gradients",
          [](Optimizer& o, nb::handle pairs) {
            std::vector<std::pair<Tensor, Parameter>> gradients;
            for (nb::handle pair : pairs) {
              if (!PySequence_Check(pair.ptr()) || nb::len(pair) != 2 ||
                  !is_parameter(nb::object(pair[1]).ptr())) {
                throw DTypeError(
                    "[apply_gradients] takes pairs of a gradient and a Parameter: zip(gradients, "
                    "model.trainable_variables)");
              }
              const nb::object gradient = pair[0];
              gradients.emplace_back(gradient.is_none() ? Tensor() : to_array(gradient.ptr(), {}),
                                     nb::cast<Parameter>(nb::object(pair[1])));
            }
            return o.apply_gradients(gradients);
          },
          arg("grads_and_vars"),
          "A step with the gradients of pairs (gradient, Parameter); None is passed over. New "
          "Parameters join the first group.")
      .def(
          "zero_grad",
          [](nb::handle self, bool) {
            const LeafUpdate update(self);
            nb::cast<Optimizer&>(self).zero_grad();
          },
          arg("set_to_none") = true, "Clears the gradients.")
      .def(
          "parameters", [](const Optimizer& o) { return o.parameters(); },
          "The parameters of all groups.")
      .def_prop_rw(
          "lr", [](const Optimizer& o) { return o.lr(); },
          [](Optimizer& o, double lr) { o.set_lr(lr); },
          "The learning rate of the first group; assignment sets that of all groups.")
      .def_prop_rw(
          "learning_rate", [](const Optimizer& o) { return o.lr(); },
          [](Optimizer& o, double lr) { o.set_lr(lr); },
          "The learning rate of the first group; assignment sets that of all groups.")
      .def("state_dict", &Optimizer::state_dict,
           "The state, as tensors: state.0.exp_avg, group.0.lr...")
      .def(
          "load_state_dict",
          [](Optimizer& o, nb::handle state) { o.load_state_dict(state_of(state)); },
          arg("state_dict"),
          "Takes the state of an optimizer of the same kind over parameters of the same shapes; "
          "else nothing changes.");
  optimizer<SGD>(m, "SGD", "Gradient descent, optionally with momentum.");
  optimizer<Adam>(m, "Adam", "Adam: Kingma and Ba's method of moments.");
  optimizer<AdamW>(m, "AdamW", "Adam with decoupled weight decay.");
  optimizer<Adamax>(m, "Adamax", "Adam with the infinity norm instead of the second moment.");
  optimizer<RMSprop>(m, "RMSprop", "Gradients divided by their running root mean square.");
  optimizer<Adagrad>(m, "Adagrad", "Gradients divided by the root of the sum of their squares.");
  optimizer<Adadelta>(m, "Adadelta", "Adadelta: steps in the units of the parameters.");
  optimizer<Lion>(m, "Lion", "Lion: the sign of a running mean of gradients.");
  add_schedules(m);
  m.def(
      "clip_grad_norm_",
      [](nb::handle parameters, double max_norm, double norm_type) {
        return clip_grad_norm(parameters_of("clip_grad_norm_", parameters), max_norm, norm_type);
      },
      arg("parameters"), arg("max_norm"), arg("norm_type") = 2.0,
      "Scales the gradients so that their common norm is at most max_norm; returns the original "
      "norm.");
  m.def(
      "clip_grad_value_",
      [](nb::handle parameters, double clip_value) {
        clip_grad_value(parameters_of("clip_grad_value_", parameters), clip_value);
      },
      arg("parameters"), arg("clip_value"),
      "Clamps each element of the gradients to [-clip_value, clip_value].");
}

}  // namespace ember::python
