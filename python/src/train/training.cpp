// Conversions for training, and the submodules.
#include "python/src/train/training.h"

namespace ember::python {

std::vector<nn::Parameter> parameters_of(const char* who, nb::handle o, std::vector<Leaf>* leaves) {
  std::vector<nn::Parameter> r;
  const auto take = [&](nb::handle p) {
    if (is_parameter(p.ptr())) {
      r.push_back(nb::cast<nn::Parameter>(p));
      return;
    }
    if (!is_tensor(p.ptr())) {
      throw DTypeError("[" + std::string(who) +
                       "] takes Parameters, such as a module's parameters(), not " +
                       Py_TYPE(p.ptr())->tp_name);
    }
    const Tensor& t = tensor_of(p.ptr());
    if (!t.requires_grad() || !t.is_leaf()) {
      throw ValueError(
          "[" + std::string(who) +
          "] takes tensors that require gradients and are computed from nothing that does: "
          "make one by em.Tensor(data, requires_grad=True), or detach() it first");
    }
    nn::Parameter stand_in(t);
    stand_in.exchange(t);  // the same leaf, so that both handles see its gradient
    r.push_back(stand_in);
    if (leaves) leaves->push_back({nb::borrow(p), std::move(stand_in)});
  };
  if (is_tensor(o.ptr()) || !nb::hasattr(o, "__iter__")) {
    take(o);
  } else {
    for (nb::handle p : o) take(p);
  }
  return r;
}

Tensors tensors_of(nb::handle o) {
  if (!PyTuple_Check(o.ptr()) && !PyList_Check(o.ptr())) return {to_array(o.ptr(), {})};
  Tensors r;
  for (nb::handle t : o) r.push_back(to_array(t.ptr(), {}));
  return r;
}

nn::StateDict state_of(nb::handle o) {
  if (!PyDict_Check(o.ptr())) {
    throw DTypeError("a state is a dict of tensors, not " + std::string(Py_TYPE(o.ptr())->tp_name));
  }
  nn::StateDict r;
  for (auto [key, value] : nb::borrow<nb::dict>(o)) {
    const nb::handle v = value;
    Tensor& t = r[name_of(key)];
    if (PyFloat_Check(v.ptr())) {
      const double d = PyFloat_AS_DOUBLE(v.ptr());
      t = from_data(&d, DType::float64, {});
    } else {
      t = to_array(v.ptr(), {});
    }
  }
  return r;
}

Tensor tensor_returned(const char* by, const nb::object& o) {
  if (!is_tensor(o.ptr())) {
    throw DTypeError("[" + std::string(by) + "] must return a tensor, not " +
                     Py_TYPE(o.ptr())->tp_name);
  }
  return tensor_of(o.ptr());
}
Tensor call_for_tensor(const char* who, const nb::object& f, const Tensors& args) {
  const Gil lock;
  return tensor_returned(who, call_python(f, tuple_of(args)));
}

std::string path_of(nb::handle o) {
  const nb::object s = nb::steal(PyOS_FSPath(o.ptr()));
  if (!s.is_valid()) throw nb::python_error();
  return nb::cast<std::string>(s);
}

void add_training(nb::module_& m) {
  nb::module_ training = m.def_submodule("training", "Optimizers, data, metrics, the Trainer.");
  add_optimizers(training);
  add_data(training);
  add_metrics(training);
  add_losses(training);
  nb::module_ distributed = m.def_submodule("distributed", "Several processes that work together.");
  add_distributed(distributed);  // before the Trainer, which refers to the strategies
  add_trainer(training);
  nb::module_ features = m.def_submodule("features", "Features from data.");
  add_features(features);
  nb::module_ registry = m.def_submodule("registry", "Layers and models by name.");
  add_registry(registry);
}

}  // namespace ember::python
