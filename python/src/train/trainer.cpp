// The Trainer and its callbacks.
#include <nanobind/stl/function.h>
#include <nanobind/trampoline.h>

#include "ember/train.h"
#include "python/src/nn/module.h"
#include "python/src/train/training.h"

namespace ember::python {
namespace {

using nb::arg;
using namespace train;

// A trainer and the Python objects that it uses. They are visible to Python's garbage collector,
// because a loss is often a method of the object that owns the trainer.
struct Held {
  nb::object py_model, py_optimizer, py_loss, py_forward;
};
struct PyTrainer : Held, Trainer {
  PyTrainer(Held held, TrainerOptions options)
      : Held(std::move(held)),
        Trainer(
            module_of(py_model), nb::cast<nn::Optimizer&>(py_optimizer),
            [this](const Tensor& prediction, const Tensor& target) {
              return call_for_tensor("loss", py_loss, {prediction, target});
            },
            with_forward(std::move(options))) {}
  TrainerOptions with_forward(TrainerOptions o) {
    o.forward = [this](nn::Module&, const Tensors& inputs) {
      if (py_forward.is_none()) return call_for_tensor("forward", py_model, inputs);
      const Gil lock;
      nb::list given;
      given.append(py_model);
      for (const Tensor& t : inputs) given.append(object(t));
      return tensor_returned("forward", py_forward(*given));
    };
    return o;
  }
};
int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  const Held& h = *nb::inst_ptr<PyTrainer>(self);
  Py_VISIT(h.py_model.ptr());
  Py_VISIT(h.py_optimizer.ptr());
  Py_VISIT(h.py_loss.ptr());
  Py_VISIT(h.py_forward.ptr());
  return 0;
}
int clear(PyObject* self) {
  static_cast<Held&>(*nb::inst_ptr<PyTrainer>(self)) = {};
  return 0;
}
PyType_Slot slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                       {Py_tp_clear, reinterpret_cast<void*>(clear)},
                       {}};

nb::dict columns(const History& h) {
  Record names;
  for (const Record& e : h.epochs) names.insert(e.begin(), e.end());
  nb::dict d;
  for (const auto& [name, v] : names) d[name_object(name)] = h.of(name);
  return d;
}

// ---- Callbacks: a Python class overrides the hooks ----
template <class C> struct PyCallback : C {
  NB_TRAMPOLINE(C);
#define HOOK(name)                                                                             \
  void name(Trainer& t) override {                                                             \
    const nb::detail::ticket ticket(nb_trampoline, #name, nb::detail::str_hash(#name), false); \
    if (!ticket.key.is_valid()) return C::name(t);                                             \
    const nb::object trainer = nb::find(static_cast<PyTrainer&>(t));                           \
    call_python_with(nb_trampoline.base().attr(ticket.key), trainer);                          \
  }
  HOOK(on_fit_begin)
  HOOK(on_epoch_begin)
  HOOK(on_step_end)
  HOOK(on_epoch_end)
  HOOK(on_fit_end)
#undef HOOK
  bool runs_last() const override { NB_OVERRIDE(runs_last); }
  StateDict state_dict() const override {
    const nb::detail::ticket ticket(nb_trampoline, "state_dict", nb::detail::str_hash("state_dict"),
                                    false);
    return ticket.key.is_valid() ? state_of(nb_trampoline.base().attr(ticket.key)())
                                 : C::state_dict();
  }
  void load_state_dict(const StateDict& s) override { NB_OVERRIDE(load_state_dict, s); }
};
template <class C, class... A> void make(C* p, A&&... args) {
  new (static_cast<void*>(p)) PyCallback<C>(std::forward<A>(args)...);
}

template <class C>
nb::class_<C, Callback, PyCallback<C>> callback(nb::module_& m, const char* name, const char* doc) {
  return {m, name, doc};
}

void add_callbacks(nb::module_& m) {
  nb::class_<Callback, PyCallback<Callback>>(
      m, "Callback",
      "Hooks into fit: override on_fit_begin, on_epoch_begin, on_step_end, on_epoch_end, "
      "on_fit_end, each called with the trainer.\n\n"
      "state_dict and load_state_dict, if defined, make its state part of checkpoints.")
      .def("__init__", [](Callback* p) { make(p); })
      .def(
          "on_fit_begin", [](Callback& c, PyTrainer& t) { c.on_fit_begin(t); }, arg("trainer"),
          "After a checkpoint was loaded.")
      .def(
          "on_epoch_begin", [](Callback& c, PyTrainer& t) { c.on_epoch_begin(t); }, arg("trainer"))
      .def(
          "on_step_end", [](Callback& c, PyTrainer& t) { c.on_step_end(t); }, arg("trainer"),
          "After each step of the optimizer.")
      .def(
          "on_epoch_end", [](Callback& c, PyTrainer& t) { c.on_epoch_end(t); }, arg("trainer"),
          "The record of the epoch is complete.")
      .def(
          "on_fit_end", [](Callback& c, PyTrainer& t) { c.on_fit_end(t); }, arg("trainer"))
      .def("runs_last", &Callback::runs_last,
           "Whether it runs after the others, like callbacks that save their state.")
      .def(
          "state_dict", [](const Callback& c) { return c.state_dict(); },
          "The state, as tensors or numbers.")
      .def(
          "load_state_dict",
          [](Callback& c, nb::handle state) { c.load_state_dict(state_of(state)); },
          arg("state_dict"));
  callback<Checkpoint>(
      m, "Checkpoint",
      "Saves the complete state, so that fit(resume=folder) continues bit for bit.")
      .def(
          "__init__",
          [](Checkpoint* p, nb::handle folder, int64_t every_steps, int64_t every_epochs,
             int64_t keep, bool best, bool best_only, const std::string& monitor, bool maximize) {
            make(p, CheckpointOptions{.folder = path_of(folder),
                                      .every_steps = every_steps,
                                      .every_epochs = every_epochs,
                                      .keep = keep,
                                      .best = best,
                                      .best_only = best_only,
                                      .monitor = monitor,
                                      .maximize = maximize});
          },
          arg("folder"), nb::kw_only(), arg("every_steps") = 0, arg("every_epochs") = 1,
          arg("keep") = 0, arg("best") = false, arg("best_only") = false,
          arg("monitor") = "val_loss", arg("maximize") = false)
      .def_static(
          "latest", [](nb::handle folder) { return Checkpoint::latest(path_of(folder)); },
          arg("folder"), "The path of the newest checkpoint, or an empty string.");
  callback<EarlyStopping>(
      m, "EarlyStopping",
      "Stops if the monitored metric has not improved for more than patience epochs.")
      .def(
          "__init__",
          [](EarlyStopping* p, const std::string& monitor, int64_t patience, double min_delta,
             bool maximize, bool restore_best) {
            make(p, EarlyStoppingOptions{.monitor = monitor,
                                         .patience = patience,
                                         .min_delta = min_delta,
                                         .maximize = maximize,
                                         .restore_best = restore_best});
          },
          arg("monitor") = "val_loss", arg("patience") = 0, arg("min_delta") = 0.0,
          arg("maximize") = false, arg("restore_best") = false)
      .def_prop_ro("best", &EarlyStopping::best, "The best value so far.");
}

void add_logs(nb::module_& m) {
  callback<CSVLog>(m, "CSVLog", "A row per epoch; after a resume the file has each epoch once.")
      .def("__init__", [](CSVLog* p, nb::handle path) { make(p, path_of(path)); }, arg("path"));
  callback<TensorBoard>(
      m, "TensorBoard",
      "TensorBoard's event files of the history, and of the loss at an interval of steps.")
      .def(
          "__init__",
          [](TensorBoard* p, nb::handle folder, int64_t every_steps) {
            make(p, path_of(folder), every_steps);
          },
          arg("folder"), arg("every_steps") = 0);
  callback<Progress>(m, "Progress",
                     "A bar with rate and remaining time on a terminal, a line per epoch "
                     "elsewhere. file: sys.stderr unless given.")
      .def(
          "__init__",
          [](Progress* p, nb::object file) {
            const auto out = [file] {
              return file.is_none() ? nb::object(nb::module_::import_("sys").attr("stderr")) : file;
            };
            const nb::object now = out();
            const bool terminal =
                nb::hasattr(now, "isatty") && nb::cast<bool>(now.attr("isatty")());
            make(
                p,
                [out](const std::string& text) {
                  const nb::object to = out();
                  to.attr("write")(text);
                  if (nb::hasattr(to, "flush")) to.attr("flush")();
                },
                terminal);
          },
          arg("file") = nb::none());
}

void add_event_writer(nb::module_& m) {
  nb::class_<EventWriter>(m, "EventWriter", "TensorBoard's event files.")
      .def(
          "__init__",
          [](EventWriter* p, nb::handle folder, int64_t first_step) {
            new (p) EventWriter(path_of(folder), first_step);
          },
          arg("folder"), arg("first_step") = 0)
      .def("scalar", &EventWriter::scalar, arg("tag"), arg("value"), arg("step"),
           "Writes a number.")
      .def("flush", &EventWriter::flush)
      .def_prop_ro("path", &EventWriter::path);
}

void need_callable(const char* what, nb::handle o) {
  if (!PyCallable_Check(o.ptr())) {
    throw DTypeError("[Trainer] " + std::string(what) + " must be callable, not " +
                     Py_TYPE(o.ptr())->tp_name);
  }
}

void add_loss_scaler(nb::module_& m) {
  nb::class_<LossScaler>(m, "LossScaler",
                         "Scales the loss so that small gradients do not underflow in 16 bits.\n\n"
                         "If gradients overflow, the step is skipped and the scale reduced.")
      .def(
          "__init__",
          [](LossScaler* p, double init_scale, double growth_factor, double backoff_factor,
             int64_t growth_interval, bool enabled) {
            new (p) LossScaler({.enabled = enabled,
                                .initial = init_scale,
                                .growth = growth_factor,
                                .backoff = backoff_factor,
                                .interval = growth_interval});
          },
          arg("init_scale") = 65536.0, arg("growth_factor") = 2.0, arg("backoff_factor") = 0.5,
          arg("growth_interval") = 2000, arg("enabled") = true)
      .def_prop_ro("scale", &LossScaler::scale, "The current scale of the loss.")
      .def(
          "unscale",
          [](const LossScaler& s, nb::handle parameters) {
            return s.unscale(parameters_of("unscale", parameters));
          },
          arg("parameters"),
          "Unscales the gradients; returns one bool for step(only_if=...): whether all are finite.")
      .def("update", &LossScaler::update, arg("finite"),
           "Call after each step with whether it took place.")
      .def("state_dict", &LossScaler::state_dict)
      .def(
          "load_state_dict",
          [](LossScaler& s, nb::handle state) { s.load_state_dict(state_of(state)); },
          arg("state_dict"));
}

void add_trainer_class(nb::module_& m) {
  nb::class_<PyTrainer>(
      m, "Trainer",
      "Trains a module: epochs, validation, metrics, accumulation, clipping, mixed precision, "
      "schedules, callbacks, exact resume.\n\n"
      "The last tensor of a batch is the target, those before it are the inputs; a batch of one "
      "tensor is both. loss(prediction, target)\n"
      "is any callable that returns one number as a tensor; forward(model, *inputs), if given, is "
      "called in place of model(*inputs).\n"
      "strategy, such as distributed.DataParallelStrategy(), trains on several processes.",
      nb::type_slots(slots))
      .def(
          "__init__",
          [](PyTrainer* p, nb::object model, nb::object optimizer, nb::object loss,
             int64_t accumulate, double clip_norm, double clip_value,
             std::optional<DType> precision, const LossScaler* scaler,
             std::shared_ptr<nn::Schedule> schedule, bool schedule_each_step,
             const std::string& schedule_metric, std::vector<MetricPtr> metrics, nb::object forward,
             std::shared_ptr<distributed::Strategy> strategy) {
            if (!nb::isinstance<nn::Optimizer>(optimizer)) {
              throw DTypeError("[Trainer] optimizer must be an Optimizer, not " +
                               std::string(Py_TYPE(optimizer.ptr())->tp_name));
            }
            need_callable("loss", loss);
            if (!forward.is_none()) need_callable("forward", forward);
            new (p) PyTrainer({model, optimizer, loss, forward},
                              {.accumulate = accumulate,
                               .clip_norm = clip_norm,
                               .clip_value = clip_value,
                               .precision = precision,
                               .scaler = scaler ? scaler->options() : ScalerOptions(),
                               .schedule = std::move(schedule),
                               .schedule_each_step = schedule_each_step,
                               .schedule_metric = schedule_metric,
                               .metrics = std::move(metrics),
                               .forward = {},
                               .strategy = std::move(strategy)});
          },
          arg("model"), arg("optimizer"), arg("loss"), nb::kw_only(), arg("accumulate") = 1,
          arg("clip_norm") = 0.0, arg("clip_value") = 0.0, arg("precision") = nb::none(),
          arg("scaler") = nb::none(), arg("schedule") = nb::none(),
          arg("schedule_each_step") = false, arg("schedule_metric") = "",
          arg("metrics") = nb::tuple(), arg("forward") = nb::none(), arg("strategy") = nb::none())
      .def(
          "fit",
          [](PyTrainer& t, DataLoader& data, int64_t epochs, DataLoader* validation,
             std::vector<CallbackPtr> callbacks, nb::handle resume) {
            return columns(t.fit(data, {.epochs = epochs,
                                        .validation = validation,
                                        .callbacks = std::move(callbacks),
                                        .resume = resume.is_none() ? "" : path_of(resume)}));
          },
          arg("data"), arg("epochs") = 1, nb::kw_only(), arg("validation") = nb::none(),
          arg("callbacks") = nb::tuple(), arg("resume") = nb::none(),
          "Trains the model and returns the history, a list for each name. resume: a checkpoint, "
          "or a folder of them whose "
          "newest is taken; epochs then count from where the\n"
          "interrupted fit began.")
      .def(
          "evaluate", [](PyTrainer& t, DataLoader& data) { return t.evaluate(data); }, arg("data"),
          "Loss and metrics, from the start of the loader's first epoch.")
      .def(
          "predict", [](PyTrainer& t, DataLoader& data) { return t.predict(data); }, arg("data"),
          "The predictions for all examples of a loader, in order, or for a tensor.")
      .def(
          "predict", [](PyTrainer& t, const Tensor& x) { return t.predict(x); }, arg("data"))
      .def(
          "stop", [](PyTrainer& t) { t.stop(); }, "Ends fit after this epoch.")
      .def(
          "save", [](PyTrainer& t, nb::handle path) { t.save(path_of(path)); }, arg("path"),
          "Writes the complete state of the training.")
      .def(
          "load", [](PyTrainer& t, nb::handle path) { t.load(path_of(path)); }, arg("path"),
          "Restores weights, optimizer and the rest of the state from a checkpoint.")
      .def_prop_ro("model", [](const PyTrainer& t) { return t.py_model; })
      .def_prop_ro("optimizer", [](const PyTrainer& t) { return t.py_optimizer; })
      .def_prop_ro("scaler", [](const PyTrainer& t) -> const LossScaler& { return t.scaler(); })
      .def_prop_ro(
          "history", [](const PyTrainer& t) { return columns(t.history()); },
          "All epochs so far, a list per name.")
      .def_prop_ro(
          "record", [](const PyTrainer& t) { return t.record(); }, "The epoch that just ended.")
      .def_prop_ro(
          "epoch", [](const PyTrainer& t) { return t.epoch(); }, "Epochs completed.")
      .def_prop_ro(
          "epochs", [](const PyTrainer& t) { return t.epochs(); }, "The last epoch of this fit.")
      .def_prop_ro(
          "step", [](const PyTrainer& t) { return t.step(); },
          "Steps so far, including skipped ones.")
      .def_prop_ro(
          "skipped", [](const PyTrainer& t) { return t.skipped(); },
          "Steps skipped because of infinities.")
      .def_prop_ro(
          "batch", [](const PyTrainer& t) { return t.batch(); }, "Batches of this epoch so far.")
      .def_prop_ro(
          "batches", [](const PyTrainer& t) { return t.batches(); }, "Batches of an epoch.")
      .def_prop_ro(
          "loss", [](PyTrainer& t) { return t.loss(); }, "The mean loss of this epoch so far.")
      .def_prop_ro(
          "last_loss", [](const PyTrainer& t) { return t.last_loss(); },
          "The loss of the last batch.");
}

}  // namespace

void add_trainer(nb::module_& m) {
  add_loss_scaler(m);
  add_callbacks(m);
  add_logs(m);
  add_event_writer(m);
  add_trainer_class(m);
}

}  // namespace ember::python
