// Sequential and ModuleList: sequences of modules with a list's methods.
#include "python/src/nn/layer.h"
#include "python/src/nn/members.h"

namespace ember::python {
namespace {

using namespace nn;
using nb::arg;

nb::list items(nb::handle self) {
  nb::list all;
  for (const auto& m : module_of(self).members()) {
    if (m.child) all.append(part_of(self, m));
  }
  return all;
}
// Renumbers the items.
void set_items(nb::handle self, const nb::list& all) {
  Module& m = module_of(self);
  for (nb::handle child : all) module_of(child);
  if (!nb::inst_state(self).second) {
    throw StateError("[" + m.kind() + "] is a part of a layer that fixes what it holds");
  }
  const nb::list alive = items(self);
  for (const auto& [name, child] : m.children()) m.remove(name);
  for (size_t i = 0; i < nb::len(all); ++i) put_part(self, std::to_string(i), all[i]);
}
template <class F> nb::object change(nb::handle self, F f) {
  nb::list all = items(self);
  f(all);
  set_items(self, all);
  return nb::borrow(self);
}
void check(int result) {
  if (result < 0) throw nb::python_error();
}
nb::object append(nb::handle self, nb::handle module) {
  return change(self, [&](nb::list& l) { l.append(module); });
}
nb::list list_of(nb::handle modules) {
  PyObject* l = PySequence_List(modules.ptr());
  if (!l) throw nb::python_error();
  return nb::steal<nb::list>(l);
}

template <class L> int start(PyObject* self, PyObject* args, PyObject* kwargs) {
  return guarded([&] {
    check_new(self);
    const auto given = nb::borrow<nb::tuple>(args);
    nb::object first = given.size() == 1 ? nb::object(given[0]) : nb::object();
    const std::string me = "[" + class_of<L>().name + "] ";
    if (kwargs && PyDict_Size(kwargs)) {
      const char* word = std::is_same_v<L, Sequential> ? "layers" : "modules";
      PyObject* only = PyDict_Size(kwargs) == 1 ? PyDict_GetItemString(kwargs, word) : nullptr;
      if (!only || given.size()) throw DTypeError(me + "takes modules, or " + word + "=[...]");
      first = nb::borrow(only);
    }
    emplace<L, Trampoline<L>>(self);
    nb::inst_mark_ready(self);
    if (first.is_valid() && nb::isinstance<nb::dict>(first)) {
      for (auto [name, child] : nb::borrow<nb::dict>(first)) {
        module_of(child);
        put_part(self, name_of(name), child);
      }
    } else if (first.is_valid() && !nb::isinstance<Module>(first)) {
      if (first.is_none()) return 0;
      if (!PyIter_Check(first.ptr()) && !PySequence_Check(first.ptr())) {
        throw DTypeError(me + "takes modules, or an iterable of them, not " +
                         Py_TYPE(first.ptr())->tp_name);
      }
      set_items(self, list_of(first));
    } else {
      if (std::is_same_v<L, ModuleList> && given.size()) {
        throw DTypeError(me + "takes one iterable of modules");
      }
      set_items(self, nb::list(given));
    }
    return 0;
  });
}

template <class L> auto row(nb::module_& m, const char* name, const char* doc) {
  class_of<L>().fields = {{std::is_same_v<L, Sequential> ? "*modules" : "modules",
                           std::is_same_v<L, Sequential> ? nb::object() : nb::none()}};
  return make_class<L, Module>(m, name, doc, &start<L>)
      .def("__len__", [](const L& l) { return l.size(); })
      .def("__iter__", [](nb::handle self) { return nb::iter(items(self)); })
      .def(
          "__getitem__",
          [](nb::handle self, nb::handle key) -> nb::object {
            nb::object found = nb::steal(PyObject_GetItem(items(self).ptr(), key.ptr()));
            if (!found.is_valid()) throw nb::python_error();
            return PySlice_Check(key.ptr()) ? nb::type<L>()(found) : found;
          },
          arg("index"))
      .def(
          "__setitem__",
          [](nb::handle self, nb::handle key, nb::handle module) {
            change(self,
                   [&](nb::list& l) { check(PyObject_SetItem(l.ptr(), key.ptr(), module.ptr())); });
          },
          arg("index"), arg("module"))
      .def(
          "__delitem__",
          [](nb::handle self, nb::handle key) {
            change(self, [&](nb::list& l) { check(PyObject_DelItem(l.ptr(), key.ptr())); });
          },
          arg("index"))
      .def("append", &append, arg("module"), "Appends a module.")
      .def(
          "extend",
          [](nb::handle self, nb::handle modules) {
            return change(self, [&](nb::list& l) { l.extend(list_of(modules)); });
          },
          arg("modules"), "Appends modules.")
      .def(
          "insert",
          [](nb::handle self, Py_ssize_t index, nb::handle module) {
            return change(self, [&](nb::list& l) { l.insert(index, module); });
          },
          arg("index"), arg("module"), "Inserts a module before an index.")
      .def(
          "pop",
          [](nb::handle self, nb::handle index) {
            nb::object gone = self[index];
            change(self, [&](nb::list& l) { check(PyObject_DelItem(l.ptr(), index.ptr())); });
            return gone;
          },
          arg("index") = -1, "Removes and returns a module.");
}

}  // namespace

void add_containers(nb::module_& m) {
  row<Sequential>(m, "Sequential",
                  "Modules applied in order: Sequential(Linear(64, 32), ReLU()), also of a dict "
                  "of names and modules.")
      .def(
          "forward", [](Sequential& l, const Tensor& x) { return l.Sequential::forward(x); },
          arg("x"), "The last module's output.")
      .def("add", &append, arg("layer"), "Appends a module.")
      .def_prop_ro("layers", &items, "The modules, as a list.")
      .def(
          "get_config",
          [](nb::handle self) {
            return nb::module_::import_("ember_ml.nn.modules._config").attr("of_sequential")(self);
          },
          "What from_config makes the same layers of, with new parameters: their classes and "
          "arguments.");
  nb::handle type = nb::type<Sequential>();
  const nb::object from_config = nb::cpp_function(
      [](nb::handle cls, nb::handle config) {
        return nb::module_::import_("ember_ml.nn.modules._config").attr("sequential")(cls, config);
      },
      nb::name("from_config"), nb::arg("cls"), nb::arg("config"),
      "The layers that get_config describes.");
  type.attr("from_config") = nb::steal(PyClassMethod_New(from_config.ptr()));
  row<ModuleList>(m, "ModuleList", "A list of modules that are all registered.");
}

}  // namespace ember::python
