// Module: the tree, the state, conversion and printing. The C++ module does the work; this file
// adds Python objects.
#include <sstream>
#include <unordered_set>

#include "python/src/nn/layer.h"
#include "python/src/nn/members.h"
#include "python/src/train/training.h"

namespace ember::python {

using nb::arg;
using nn::Module;
using Member = Module::Member;

namespace {

using Named = std::vector<std::pair<std::string, nb::object>>;

std::string joined(const std::string& prefix, const std::string& name) {
  return prefix.empty() ? name : prefix + "." + name;
}

// This module and its descendants, each once, under its first name.
void walk(nb::handle self, const std::string& prefix, Named& out,
          std::unordered_set<const Module*>& seen) {
  const Module& m = module_of(self);
  if (!seen.insert(&m).second) return;
  out.emplace_back(prefix, nb::borrow(self));
  for (const Member& p : m.members()) {
    if (p.child) walk(part_of(self, p), joined(prefix, p.name), out, seen);
  }
}
Named modules(nb::handle self, const std::string& prefix = "", bool recurse = true) {
  if (!recurse) return {{prefix, nb::borrow(self)}};
  module_of(self).named_modules();  // rejects excessive nesting
  Named r;
  std::unordered_set<const Module*> seen;
  walk(self, prefix, r, seen);
  return r;
}
Named parameters(nb::handle self, const std::string& prefix, bool recurse, bool once) {
  Named r;
  std::unordered_set<const void*> seen;
  for (const auto& [name, module] : modules(self, prefix, recurse)) {
    for (const Member& p : module_of(module).members()) {
      if (p.has_parameter() && (seen.insert(p.parameter->id()).second || !once)) {
        r.emplace_back(joined(name, p.name), part_of(module, p));
      }
    }
  }
  return r;
}
Named buffers(nb::handle self, const std::string& prefix, bool recurse) {
  Named r;
  for (const auto& [name, module] : modules(self, prefix, recurse)) {
    for (const Member& p : module_of(module).members()) {
      if (p.has_buffer()) r.emplace_back(joined(name, p.name), part_of(module, p));
    }
  }
  return r;
}
Named children(nb::handle self) {
  Named r;
  for (const Member& p : module_of(self).members()) {
    if (p.child) r.emplace_back(p.name, part_of(self, p));
  }
  return r;
}
nb::object iterator(const Named& all, bool names) {
  nb::list l;
  for (const auto& [name, o] : all) l.append(names ? nb::object(nb::make_tuple(name, o)) : o);
  return nb::iter(l);
}

// In the order of registration, as in PyTorch.
nb::dict state_dict(nb::handle self) {
  const Module& m = module_of(self);
  nn::StateDict state = m.state_dict();
  nb::dict d;
  for (const auto& [prefix, module] : m.named_modules()) {
    for (const Member& p : module->members()) {
      if (const auto it = state.find(joined(prefix, p.name)); it != state.end()) {
        d[name_object(it->first)] = object(it->second);
      }
    }
  }
  return d;
}
nb::object to(nb::handle self, nb::args args, nb::object device, nb::object dtype) {
  for (nb::handle a : args) {
    if (try_dtype(a.ptr())) {
      dtype = nb::borrow(a);
    } else if (PyUnicode_Check(a.ptr())) {
      device = nb::borrow(a);
    } else {
      throw DTypeError("[to] takes a dtype and a device, not " +
                       std::string(Py_TYPE(a.ptr())->tp_name));
    }
  }
  Module& m = module_of(self);
  if (!dtype.is_none()) m.to_dtype(to_dtype(dtype.ptr()));
  if (!device.is_none()) m.to_device(Device(nb::cast<std::string_view>(device)));
  return nb::borrow(self);
}

void register_parameter(nb::handle self, const std::string& name, nb::object p) {
  if (!p.is_none() && !is_parameter(p.ptr())) {
    throw DTypeError("[register_parameter] '" + name + "' must be a Parameter or None, not " +
                     Py_TYPE(p.ptr())->tp_name);
  }
  put_part(self, name, p.is_none() ? nb::steal(wrap(nn::Parameter())) : p);
}
void register_buffer(nb::handle self, const std::string& name, nb::object t, bool persistent) {
  if (t.is_none()) {
    t = nb::steal(wrap(Tensor()));
  } else if (!is_tensor(t.ptr()) || is_parameter(t.ptr())) {
    t = object(to_array(t.ptr(), {}).detach());
  }
  put_part(self, name, t, persistent);
}
void add_child(nb::handle self, const std::string& name, nb::handle module) {
  module_of(module);
  put_part(self, name, module);
}
// For methods that return the module.
template <class F> nb::object with(nb::handle self, F f) {
  f(module_of(self));
  return nb::borrow(self);
}
void apply(nb::handle self, const nb::callable& f) {
  for (const auto& [name, child] : children(self)) apply(child, f);
  call_python_with(f, self);
}

// Makes protected functions available to Python subclasses.
struct Building : Module {
  using Module::defer, Module::finish_build;
};

using ModuleClass = nb::class_<Module, Trampoline<Module>>;

void add_load_report(nb::module_& m) {
  nb::class_<nn::LoadReport>(m, "LoadReport", "The missing and the unexpected keys of a state.")
      .def_ro("missing_keys", &nn::LoadReport::missing, "Keys of the module that the state lacks.")
      .def_ro("unexpected_keys", &nn::LoadReport::unexpected,
              "Keys of the state that the module lacks.")
      .def(
          "__iter__",
          [](const nn::LoadReport& r) { return nb::iter(nb::make_tuple(r.missing, r.unexpected)); })
      .def("__repr__", [](const nn::LoadReport& r) -> nb::object {
        if (r.missing.empty() && r.unexpected.empty()) return nb::str("<all keys matched>");
        return nb::str("LoadReport(missing_keys={}, unexpected_keys={})")
            .format(r.missing, r.unexpected);
      });
}

void add_basics(ModuleClass& type) {
  type.def(
          "forward",
          [](nb::handle self, nb::args args, nb::kwargs kwargs) {
            Module& m = module_of(self);
            if (nb::inst_state(self).second || args.size() != 1 || kwargs.size()) {
              throw UnsupportedError("[" + m.kind() +
                                     "] has no forward: define forward(self, x) in its class");
            }
            return m.forward(to_tensor(nb::handle(args[0]).ptr()));
          },
          "What calling the module computes; subclasses define it.")
      .def("__repr__",
           [](nb::handle self) {
             std::ostringstream os;
             os << module_of(self);
             return os.str();
           })
      .def("__dir__",
           [](nb::handle self) {
             nb::list names = nb::cast<nb::list>(
                 nb::borrow(reinterpret_cast<PyObject*>(&PyBaseObject_Type)).attr("__dir__")(self));
             for (const Member& p : module_of(self).members()) names.append(p.name);
             return names;
           })
      .def(
          "extra_repr", [](const Module& m) { return m.Module::details(); },
          "The options in the printed form.")
      .def_prop_ro(
          "trainable_variables",
          [](nb::handle self) {
            nb::list all;
            for (const auto& [name, p] : parameters(self, "", true, true)) {
              if (reinterpret_cast<PyParameter*>(p.ptr())->cell.trainable()) all.append(p);
            }
            return all;
          },
          "The Parameters that get gradients, as a list.")
      .def(
          "_defer",
          [](nb::handle self, std::optional<DType> dtype) {
            (module_of(self).*(&Building::defer))(dtype.value_or(default_float()));
          },
          arg("dtype") = nb::none(),
          "Says that the parameters are made when the first input comes.")
      .def(
          "_finish_build", [](nb::handle self) { (module_of(self).*(&Building::finish_build))(); },
          "Hands the parameters made since _defer to the optimizers that wait for them.")
      .def_prop_ro(
          "built", [](nb::handle self) { return module_of(self).built(); },
          "Whether its own parameters are there: some layers make them when they see their first "
          "input.")
      .def(
          "get_config",
          [](nb::handle self) { return nb::getattr(self, "_config", nb::dict()).attr("copy")(); },
          "The constructor's arguments.")
      .def_prop_rw(
          "training", [](nb::handle self) { return module_of(self).training(); },
          [](nb::handle self, bool on) { module_of(self).set_training(on); },
          "Whether dropout and batch statistics are those of training; train() and eval() set it "
          "for all below too.");
}

void add_members(ModuleClass& type) {
  const auto prefix = arg("prefix") = "";
  const auto recurse = arg("recurse") = true;
  type.def(
          "parameters",
          [](nb::handle self, bool recurse) {
            return iterator(parameters(self, "", recurse, true), false);
          },
          recurse, "Every Parameter, each once.")
      .def(
          "named_parameters",
          [](nb::handle self, const std::string& prefix, bool recurse, bool once) {
            return iterator(parameters(self, prefix, recurse, once), true);
          },
          prefix, recurse, arg("remove_duplicate") = true,
          "Pairs of a name such as 'fc.weight' and a Parameter.")
      .def(
          "buffers",
          [](nb::handle self, bool recurse) { return iterator(buffers(self, "", recurse), false); },
          recurse, "Every buffer.")
      .def(
          "named_buffers",
          [](nb::handle self, const std::string& prefix, bool recurse) {
            return iterator(buffers(self, prefix, recurse), true);
          },
          prefix, recurse, "Pairs of a name and a buffer.")
      .def(
          "children", [](nb::handle self) { return iterator(children(self), false); },
          "The modules directly below.")
      .def(
          "named_children", [](nb::handle self) { return iterator(children(self), true); },
          "Pairs of a name and a module directly below.")
      .def(
          "modules", [](nb::handle self) { return iterator(modules(self), false); },
          "This module and all below, each once.")
      .def(
          "named_modules",
          [](nb::handle self, const std::string& prefix) {
            return iterator(modules(self, prefix), true);
          },
          prefix, "Pairs of a name and a module: this one, named '', and all below.")
      .def("register_parameter", &register_parameter, arg("name"), arg("param").none(),
           "Registers a Parameter under a name; None keeps the name free.")
      .def("register_buffer", &register_buffer, arg("name"), arg("tensor").none(),
           arg("persistent") = true,
           "Registers a tensor that is saved with the module but not trained; not persistent: not "
           "saved either.")
      .def("add_module", &add_child, arg("name"), arg("module"), "Registers a module under a name.")
      .def("register_module", &add_child, arg("name"), arg("module"),
           "Registers a module under a name.")
      .def(
          "apply",
          [](nb::handle self, const nb::callable& fn) {
            return with(self, [&](Module&) { apply(self, fn); });
          },
          arg("fn"), "Calls fn with every module below, then with this one.");
}

void add_modes(ModuleClass& type) {
  type.def(
          "train",
          [](nb::handle self, bool mode) { return with(self, [&](Module& m) { m.train(mode); }); },
          arg("mode") = true, "Training mode for this module and all below.")
      .def(
          "eval", [](nb::handle self) { return with(self, [](Module& m) { m.eval(); }); },
          "Evaluation mode for this module and all below.")
      .def(
          "freeze",
          [](nb::handle self, bool frozen) {
            return with(self, [&](Module& m) { m.freeze(frozen); });
          },
          arg("frozen") = true, "Frozen parameters get no gradients.")
      .def(
          "requires_grad_",
          [](nb::handle self, bool on) { return with(self, [&](Module& m) { m.freeze(!on); }); },
          arg("requires_grad") = true, "Whether the parameters get gradients.")
      .def(
          "zero_grad", [](nb::handle self, bool) { module_of(self).zero_grad(); },
          arg("set_to_none") = true, "Drops the gradients of all parameters.")
      .def("to", &to, arg("args"), arg("device") = nb::none(), arg("dtype") = nb::none(),
           "Moves floating-point parameters and buffers to a dtype, all to a device.");
}

void add_state(ModuleClass& type) {
  type.def("state_dict", &state_dict,
           "Parameters and buffers by name, with PyTorch's names; tensors outside every gradient.")
      .def(
          "load_state_dict",
          [](nb::handle self, const nb::dict& state, bool strict) {
            return module_of(self).load_state_dict(state_of(state), strict);
          },
          arg("state_dict"), arg("strict") = true,
          "Takes the values of a dict of tensors; unless strict, keys may lack or be too many.")
      .def(
          "save", [](nb::handle self, nb::handle path) { module_of(self).save(path_of(path)); },
          arg("path"), "Writes the state to a .safetensors file, atomically.")
      .def(
          "load",
          [](nb::handle self, nb::handle path, bool strict) {
            return module_of(self).load(path_of(path), strict);
          },
          arg("path"), arg("strict") = true,
          "Loads the values from a file written by save or PyTorch.")
      .def(
          "parameter_count",
          [](nb::handle self, bool trainable) {
            return module_of(self).parameter_count(trainable);
          },
          arg("trainable_only") = false, "The number of elements of all parameters.")
      .def(
          "summary", [](nb::handle self) { return module_of(self).summary(); },
          "A table of the modules and their parameters.");
}

void add_from_config(ModuleClass& type) {
  const nb::object from_config = nb::cpp_function(
      [](nb::handle cls, nb::handle config) {
        PyObject* made =
            PyObject_Call(cls.ptr(), nb::tuple().ptr(), nb::cast<nb::dict>(config).ptr());
        if (!made) throw nb::python_error();
        return nb::steal(made);
      },
      nb::name("from_config"), nb::arg("cls"), nb::arg("config"),
      "A module made of what get_config gave.");
  type.attr("from_config") = nb::steal(PyClassMethod_New(from_config.ptr()));
}

void add_casts(ModuleClass& type) {
  constexpr std::pair<const char*, DType> casts[] = {{"half", DType::float16},
                                                     {"float", DType::float32},
                                                     {"double", DType::float64},
                                                     {"bfloat16", DType::bfloat16}};
  for (const auto& [name, t] : casts) {
    type.def(
        name, [t](nb::handle self) { return with(self, [&](Module& m) { m.to_dtype(t); }); },
        "Floating-point parameters and buffers in this dtype.");
  }
}

}  // namespace

void add_module(nb::module_& m) {
  Class& c = class_of<Module>();
  c.name = "Module";
  c.make = [](PyObject* self, nb::list&) { emplace<Module, Trampoline<Module>>(self); };
  const std::string doc = documented(c,
                                     "The base of all layers and models. A subclass calls "
                                     "super().__init__(), assigns Parameters and modules as\n"
                                     "attributes, and defines forward.");
  ModuleClass type(m, "Module", doc.c_str(), nb::type_slots(base_slots), nb::dynamic_attr(),
                   nb::is_weak_referenceable());
  finish(type);

  add_load_report(m);
  add_basics(type);
  add_members(type);
  add_modes(type);
  add_state(type);
  add_from_config(type);
  add_casts(type);
}

}  // namespace ember::python
