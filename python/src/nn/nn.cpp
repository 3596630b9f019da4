// The submodule _core.nn.
#include "python/src/nn/members.h"

namespace ember::python {
namespace {

void add_parameter() {
  nb::handle type(reinterpret_cast<PyObject*>(parameter_type));
  type.attr("__deepcopy__") = nb::cpp_function(
      [](nb::handle self, nb::handle) {
        const nn::Parameter& old = reinterpret_cast<PyParameter*>(self.ptr())->cell;
        nn::Parameter copy(old.value().detach());
        copy.set_trainable(old.trainable());
        PyTypeObject* type = Py_TYPE(self.ptr());
        nb::object made = nb::steal(type->tp_new(type, nb::tuple().ptr(), nullptr));
        if (!made.is_valid()) throw nb::python_error();
        set_cell(made.ptr(), std::move(copy));
        return made;
      },
      nb::scope(type), nb::name("__deepcopy__"), nb::is_method(), nb::arg("memo"));
}

// Names for import *. Classes are known, also to pickle, by their public module.
void publish(const nb::module_& m, const char* place) {
  nb::list names;
  for (auto [name, value] : nb::cast<nb::dict>(m.attr("__dict__"))) {
    if (nb::cast<std::string_view>(name).starts_with("_") ||
        PyModule_Check(nb::handle(value).ptr())) {
      continue;
    }
    names.append(name);
    if (PyType_Check(nb::handle(value).ptr())) nb::handle(value).attr("__module__") = place;
  }
  names.attr("sort")();
  m.attr("__all__") = names;
}

}  // namespace

void add_nn(nb::module_& m) {
  nb::module_ nn = m.def_submodule("nn", "Modules and layers.");
  add_parameter();
  add_module(nn);
  add_containers(nn);
  add_layers(nn);
  add_windows(nn);
  add_recurrent(nn);
  add_attention(nn);
  add_init(nn);
  publish(nn, "ember_ml.nn");
  publish(nb::borrow<nb::module_>(nn.attr("mixing")), "ember_ml.nn.layers");
  publish(nb::borrow<nb::module_>(nn.attr("init")), "ember_ml.nn.init");
}
}  // namespace ember::python
