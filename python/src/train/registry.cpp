// Layers and models by name. Configs are dicts or JSON; entries may be Python classes and
// functions.
#include "ember/registry.h"
#include "ember/backend.h"
#include "python/src/nn/module.h"
#include "python/src/train/training.h"

namespace ember::python {
namespace {

using nb::arg;

nb::object json(const char* function, nb::handle argument) {
  return nb::module_::import_("json").attr(function)(argument);
}
std::string text_of(nb::handle config) { return nb::cast<std::string>(json("dumps", config)); }

bool creates(const nb::object& o) {
  return !nb::isinstance<nn::Module>(o) && nb::hasattr(o, "create");
}
nb::object created(const nb::object& config) { return config.attr("create")(get_backend()); }

// Calls f with a config's fields as arguments. The result is the module, or has a create(backend)
// that returns it.
Registry::Factory factory_of(nb::object f) {
  if (!PyCallable_Check(f.ptr())) {
    throw DTypeError("[registry] an entry is a class or a function, not " +
                     std::string(Py_TYPE(f.ptr())->tp_name));
  }
  auto held = std::shared_ptr<nb::object>(new nb::object(std::move(f)), [](nb::object* o) {
    if (nb::detail::cleanup_guard guard{}) delete o;
  });
  return [held](const Config& config) {
    const Gil lock;
    nb::dict fields = nb::cast<nb::dict>(json("loads", nb::cast(config.text())));
    // Python's own error names unknown arguments.
    for (const std::string& name : config.names()) {
      config.has(name);
    }
    if (fields.contains("type")) nb::del(fields["type"]);
    const nb::object made = call_python(*held, nb::tuple(), fields);
    return module_ptr(creates(made) ? created(made) : made);
  };
}

nb::object create(const Registry& r, const nb::object& config, const nb::kwargs& fields) {
  if (creates(config)) return created(config);
  const bool name = PyUnicode_Check(config.ptr()) && !name_of(config).starts_with("{");
  if (name) return nb::cast(r.create(name_of(config), Config(text_of(fields))));
  if (fields.size()) throw DTypeError("[registry] fields need a name, or belong in the config");
  return nb::cast(r.create(PyUnicode_Check(config.ptr()) ? name_of(config) : text_of(config)));
}

}  // namespace

void add_registry(nb::module_& m) {
  nb::class_<Registry>(m, "Registry", "Layers and models by name, created from configs.")
      .def(nb::init<>())
      .def(
          "add",
          [](Registry& r, const std::string& name, nb::object entry) {
            r.add(name, factory_of(entry));
          },
          arg("name"), arg("entry"),
          "Adds a class or function whose arguments are the fields of a config. What it makes is a "
          "Module, or has create(backend), which gives one.")
      .def(
          "replace",
          [](Registry& r, const std::string& name, nb::object entry) {
            r.replace(name, factory_of(entry));
          },
          arg("name"), arg("entry"), "Like register, but replaces an existing entry.")
      .def("remove", &Registry::remove, arg("name"),
           "Removes an entry; returns whether it existed.")
      .def("has", &Registry::has, arg("name"))
      .def("__contains__", &Registry::has)
      .def("__len__", &Registry::size)
      .def("list", &Registry::list, arg("prefix") = "", "The names, in order.")
      .def("create", &create, arg("config"), arg("fields"),
           "Makes what a config says: a dict or JSON whose field \"type\" names the entry, a name "
           "and its fields, or what has create(backend).");
  m.def("registry", &registry, nb::rv_policy::reference,
        "The process's registry, which knows Ember's layers as layers/... and its models as "
        "models/...");
}

}  // namespace ember::python
