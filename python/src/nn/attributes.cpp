// A module's attributes: members are stored in the C++ module, other attributes in the Python
// object. Garbage collection, copies, pickling.
#include <nanobind/stl/tuple.h>

#include <unordered_set>

#include "python/src/nn/layer.h"
#include "python/src/nn/members.h"

namespace ember::python {

using nn::Module;
using Member = Module::Member;

namespace {

std::unordered_set<PyTypeObject*> bound;  // classes implemented in C++
PyObject* config_key() {
  static PyObject* key = PyUnicode_InternFromString("_config");
  return key;
}
// Borrowed; null if there is none yet.
PyObject* dict_of(PyObject* self) {
  PyObject** d = _PyObject_GetDictPtr(self);
  return d ? *d : nullptr;
}
PyObject* config_of(PyObject* self) {
  PyObject* d = dict_of(self);
  return d ? PyDict_GetItem(d, config_key()) : nullptr;
}
std::string_view text(PyObject* name) {
  Py_ssize_t n = 0;
  const char* s = PyUnicode_AsUTF8AndSize(name, &n);
  if (!s) throw nb::python_error();
  return {s, size_t(n)};
}
[[noreturn]] void not_initialized(PyObject* self) {
  const std::string name = class_name(self);
  throw StateError("[" + name + "] is not initialized: " + name +
                   ".__init__ must call super().__init__() before it is used");
}
// A C++ layer's parts are members of its class: their values can be replaced, the parts cannot.
[[noreturn]] void fixed(const Module& m, std::string_view name) {
  throw StateError("[" + m.kind() + "] '" + std::string(name) +
                   "' is a part of the layer: it can be neither replaced nor removed");
}

// ---- Owners ----
struct Owner {
  PyObject* object;
  // Iterative: dropping a chain of thousands of modules must not recurse.
  void operator()(void*) const noexcept {
    if (!Py_IsInitialized()) return;
    const Gil lock;
    static std::vector<PyObject*> waiting;
    static bool busy = false;
    waiting.push_back(object);
    if (busy) return;
    busy = true;
    while (!waiting.empty()) {
      PyObject* o = waiting.back();
      waiting.pop_back();
      Py_DECREF(o);
    }
    busy = false;
  }
};
std::shared_ptr<void> owner(nb::handle h) {
  return {static_cast<void*>(h.ptr()), Owner{h.inc_ref().ptr()}};
}

}  // namespace

PyObject* python_part(const Member& m) {
  const Owner* o = m.owner ? std::get_deleter<Owner>(m.owner) : nullptr;
  return o ? o->object : nullptr;
}
const Member* find_member(const Module& m, std::string_view name) {
  for (const Member& p : m.members()) {
    if (p.name == name) return &p;
  }
  return nullptr;
}

Module& module_of(nb::handle h) {
  if (!nb::isinstance<Module>(h)) throw DTypeError("a module is needed, not " + type_of(h.ptr()));
  if (!nb::inst_ready(h)) not_initialized(h.ptr());
  return *nb::inst_ptr<Module>(h);
}
nn::ModulePtr module_ptr(nb::handle h) {
  Module& m = module_of(h);
  return {owner(h), &m};
}
nb::object object_of(Module& m) { return nb::cast(&m, nb::rv_policy::reference); }

nb::object part_of(nb::handle self, const Member& m) {
  if (m.parameter && !m.parameter->defined()) return nb::none();
  if (m.buffer && !m.buffer->defined()) return nb::none();
  if (PyObject* o = python_part(m)) return nb::borrow(o);
  if (m.parameter) return nb::steal(wrap(*m.parameter));
  if (m.buffer) return object(*m.buffer);
  if (m.owner) return nb::cast(std::shared_ptr<Module>(m.owner, m.child));
  nb::object child = object_of(*m.child);
  nb::keep_alive_obj(child, self);  // it lives inside this one
  return child;
}

void put_part(nb::handle self, std::string_view name, nb::handle value, bool saved) {
  Module& m = module_of(self);
  static PyObject* base = nb::type<Module>().ptr();
  if (PyObject_HasAttrString(base, std::string(name).c_str())) {
    throw ValueError("[" + m.kind() + "] a member cannot be called '" + std::string(name) +
                     "': every module has that attribute");
  }
  if (!nb::inst_state(self).second) fixed(m, name);
  Member part{.name = std::string(name), .owner = owner(value), .saved = saved};
  if (is_parameter(value.ptr())) {
    part.parameter = &reinterpret_cast<PyParameter*>(value.ptr())->cell;
  } else if (is_tensor(value.ptr())) {
    part.buffer = &reinterpret_cast<PyTensor*>(value.ptr())->tensor;
  } else {
    part.child = &module_of(value);
  }
  m.put(std::move(part));
  if (PyObject* d = dict_of(self.ptr())) {
    if (PyObject* key = PyUnicode_FromStringAndSize(name.data(), Py_ssize_t(name.size()))) {
      if (PyDict_Contains(d, key) == 1) PyDict_DelItem(d, key);
      Py_DECREF(key);
    }
  }
}

namespace {

// Registered by Python, and without another owner.
bool only_python(const Member& m) { return python_part(m) && m.owner.use_count() == 1; }

// ---- Reading and writing ----
PyObject* get_attribute(PyObject* self, PyObject* name) {
  return guarded([&]() -> PyObject* {
    const bool ready = nb::inst_ready(self);
    if (ready) {
      if (const Member* m = find_member(*nb::inst_ptr<Module>(self), text(name))) {
        return part_of(self, *m).release().ptr();
      }
    }
    PyObject* r = PyObject_GenericGetAttr(self, name);
    if (r || !PyErr_ExceptionMatches(PyExc_AttributeError)) return r;
    PyObject* config = config_of(self);
    PyObject* argument = config ? PyDict_GetItem(config, name) : nullptr;
    if (argument || (!ready && !text(name).starts_with("__"))) PyErr_Clear();
    if (argument) return Py_NewRef(argument);
    if (!PyErr_Occurred()) not_initialized(self);
    return nullptr;
  });
}

// Extents are checked where they are used, but a layer's code relies on the number of axes.
void check_axes(const Module& m, const std::string& name, const Tensor& old, const Tensor& value) {
  if (!old.defined() || old.ndim() == value.ndim()) return;
  throw ShapeError("[" + m.kind() + "] '" + name + "' of shape " + to_string(old.shape()) +
                   " cannot become one of shape " + to_string(value.shape()));
}
// Assigns to an existing member. Returns false if the value has to become a new member or an
// attribute.
bool assign(PyObject* self, Module& m, const Member& p, PyObject* value) {
  if (python_part(p) == value) return true;
  const bool own = only_python(p);
  const auto refuse = [&](const char* kind, const char* wanted) {
    throw DTypeError("[" + m.kind() + "] '" + p.name + "' is a " + kind + ": it takes " + wanted +
                     " or None, not " + type_of(value));
  };
  if (value == Py_None) {
    if (p.child && !own) fixed(m, p.name);
    if (p.child) return m.remove(p.name), false;
    if (!own) return (p.parameter ? void(*p.parameter = {}) : void(*p.buffer = {})), true;
    return put_part(self, std::string(p.name),
                    nb::steal(p.parameter ? wrap(nn::Parameter()) : wrap(Tensor())), p.saved),
           true;
  }
  if (p.parameter) {
    if (!is_parameter(value)) refuse("parameter", "a Parameter");
    if (own) return false;
    check_axes(m, p.name, p.parameter->defined() ? p.parameter->value() : Tensor(),
               tensor_of(value));
    *p.parameter = reinterpret_cast<PyParameter*>(value)->cell;
  } else if (p.buffer) {
    if (is_parameter(value) && own) return false;
    if (!is_tensor(value) || is_parameter(value)) refuse("buffer", "a tensor");
    if (own) return put_part(self, std::string(p.name), value, p.saved), true;
    check_axes(m, p.name, *p.buffer, tensor_of(value));
    *p.buffer = tensor_of(value);
  } else {
    if (!nb::isinstance<Module>(value)) refuse("module", "a Module");
    if (!own) fixed(m, p.name);
    return false;
  }
  return true;
}
void check_argument(PyObject* self, PyObject* name, PyObject* value) {
  PyObject* config = config_of(self);
  PyObject* argument = config ? PyDict_GetItem(config, name) : nullptr;
  if (!argument) return;
  const int same = value ? PyObject_RichCompareBool(argument, value, Py_EQ) : 0;
  if (same < 0) PyErr_Clear();
  if (same != 1) {
    throw StateError("[" + class_name(self) + "] '" + std::string(text(name)) +
                     "' was fixed when the layer was made: make another one");
  }
}
// Whether value is a list of modules that can become parts of owner. A list that leads back to
// owner stays a list.
bool is_list_of_parts(PyObject* value, const Module& owner) {
  if (!PyList_Check(value) || !PyList_GET_SIZE(value)) return false;
  for (nb::handle v : nb::borrow<nb::list>(value)) {
    if (!nb::isinstance<Module>(v)) return false;
    for (const auto& [name, below] : nb::cast<Module&>(v).named_modules()) {
      if (below == &owner) return false;
    }
  }
  return true;
}
int set_attribute(PyObject* self, PyObject* name, PyObject* value) {
  return guarded([&] {
    const std::string key(text(name));
    // Modules in a plain list would be neither trained nor saved.
    nb::object row;
    if (value && nb::inst_ready(self) && is_list_of_parts(value, *nb::inst_ptr<Module>(self))) {
      row = nb::borrow(nb::type<nn::ModuleList>())(nb::handle(value));
      value = row.ptr();
    }
    const bool member = value && (is_parameter(value) || nb::isinstance<Module>(value));
    if (!nb::inst_ready(self)) {
      if (member) not_initialized(self);
      return PyObject_GenericSetAttr(self, name, value);
    }
    Module& m = *nb::inst_ptr<Module>(self);
    if (const Member* p = find_member(m, key)) {
      if (!value) {
        if (!only_python(*p)) fixed(m, key);
        m.remove(key);
        return 0;
      }
      if (assign(self, m, *p, value)) return 0;
    }
    if (member) return put_part(self, key, value), 0;
    check_argument(self, name, value);
    return PyObject_GenericSetAttr(self, name, value);
  });
}

PyObject* call(PyObject* self, PyObject* args, PyObject* kwargs) {
  static PyObject* name = PyUnicode_InternFromString("forward");
  return guarded([&]() -> PyObject* {
    if (!nb::inst_ready(self)) not_initialized(self);
    nb::object forward = nb::steal(PyObject_GetAttr(self, name));
    return forward.is_valid() ? call_python(forward, args, kwargs).release().ptr() : nullptr;
  });
}

// ---- Garbage collection ----
int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(dict_of(self));
  const auto [ready, owns] = nb::inst_state(self);
  if (ready && owns) {
    for (const Member& m : nb::inst_ptr<Module>(self)->members()) {
      if (only_python(m)) Py_VISIT(python_part(m));
    }
  }
  return 0;
}
int clear(PyObject* self) {
  if (PyObject** d = _PyObject_GetDictPtr(self)) Py_CLEAR(*d);
  const auto [ready, owns] = nb::inst_state(self);
  if (!ready || !owns) return 0;
  Module& m = *nb::inst_ptr<Module>(self);
  std::vector<std::string> names;
  for (const Member& p : m.members()) {
    if (only_python(p)) names.push_back(p.name);
  }
  for (const std::string& n : names) m.remove(n);
  return 0;
}

// ---- State: the constructor's arguments, attributes and members. Parts that C++ creates are
// described, not copied ----
nb::list state_of_members(nb::handle self, const Module& m) {
  nb::list all;
  for (size_t i = 0; i < m.members().size(); ++i) {
    const Member& p = m.members()[i];
    if (p.parameter && !p.parameter->initialized()) continue;  // set_state defers again
    const char* kind = p.parameter ? "parameter" : p.buffer ? "buffer" : "module";
    nb::object value = part_of(self, p);
    if (p.child && !python_part(p)) {
      kind = "part";
      value = nb::make_tuple(p.child->training(), state_of_members(value, *p.child));
    }
    all.append(nb::make_tuple(p.name, kind, value, p.saved));
  }
  return all;
}
void set_members(nb::handle self, Module& m, nb::handle state) {
  for (nb::handle row : state) {
    const auto [name, kind, value, saved] =
        nb::cast<std::tuple<std::string, std::string, nb::object, bool>>(row);
    const Member* p = find_member(m, name);
    if (kind == "part") {
      if (!p || !p->child) {
        throw ValueError("[__setstate__] " + m.kind() + " has no part '" + name + "'");
      }
      nb::object child = part_of(self, *p);
      p->child->set_training(nb::cast<bool>(value[0]));
      set_members(child, *p->child, value[1]);
    } else if (!p || !assign(self.ptr(), m, *p, value.ptr())) {
      const bool absent = value.is_none();
      put_part(
          self, name,
          !absent ? value : nb::steal(kind == "parameter" ? wrap(nn::Parameter()) : wrap(Tensor())),
          saved);
    }
  }
}
PyObject* get_state(PyObject* self, PyObject*) {
  return guarded([&] {
    Module& m = module_of(self);
    if (!nb::inst_state(self).second) {
      throw StateError("[" + m.kind() +
                       "] is a part of another module: copy or pickle that one, or its state_dict");
    }
    nb::dict attributes;
    if (PyObject* d = dict_of(self)) attributes = nb::steal<nb::dict>(PyDict_Copy(d));
    PyObject* config = config_of(self);
    nb::dict state;
    state["config"] = config ? nb::borrow(config) : nb::dict();
    if (config) PyDict_DelItem(attributes.ptr(), config_key());
    state["deferred"] = !m.built();
    state["attributes"] = attributes;
    state["training"] = m.training();
    state["members"] = state_of_members(self, m);
    return state.release().ptr();
  });
}
PyObject* set_state(PyObject* self, PyObject* given) {
  return guarded([&] {
    nb::dict state = nb::cast<nb::dict>(nb::handle(given));
    if (!nb::inst_ready(self)) {
      PyTypeObject* type = Py_TYPE(self);
      while (!bound.contains(type)) type = type->tp_base;
      nb::dict config = nb::cast<nb::dict>(state["config"]);
      if (type->tp_init(self, nb::tuple().ptr(), config.ptr()) < 0) throw nb::python_error();
    }
    Module& m = module_of(self);
    for (auto [key, value] : nb::cast<nb::dict>(state["attributes"])) {
      if (PyObject_GenericSetAttr(self, nb::handle(key).ptr(), nb::handle(value).ptr()) < 0) {
        throw nb::python_error();
      }
    }
    set_members(self, m, state["members"]);
    if (state.contains("deferred") && nb::cast<bool>(state["deferred"])) {
      nb::handle(self).attr("_defer")();
    }
    m.set_training(nb::cast<bool>(state["training"]));
    return Py_NewRef(Py_None);
  });
}
PyObject* reduce(PyObject* self, PyObject*) {
  return guarded([&] {
    nb::object make = nb::module_::import_("copyreg").attr("__newobj__");
    return nb::make_tuple(make,
                          nb::make_tuple(nb::borrow(reinterpret_cast<PyObject*>(Py_TYPE(self)))),
                          nb::handle(self).attr("__getstate__")())
        .release()
        .ptr();
  });
}
PyMethodDef methods[] = {{"__getstate__", get_state, METH_NOARGS, nullptr},
                         {"__setstate__", set_state, METH_O, nullptr},
                         {"__reduce_ex__", reduce, METH_O, nullptr},
                         {}};

}  // namespace

#define SLOT(slot, f) {slot, reinterpret_cast<void*>(f)}
PyType_Slot base_slots[] = {SLOT(Py_tp_traverse, traverse),
                            SLOT(Py_tp_clear, clear),
                            SLOT(Py_tp_getattro, get_attribute),
                            SLOT(Py_tp_setattro, set_attribute),
                            SLOT(Py_tp_call, call),
                            SLOT(Py_tp_methods, methods),
                            SLOT(Py_tp_init, &initialize_as<Module>),
                            {}};
std::vector<PyType_Slot> slots_of_class(initproc init) {
  return {SLOT(Py_tp_traverse, traverse), SLOT(Py_tp_clear, clear), SLOT(Py_tp_init, init), {}};
}
#undef SLOT

// ---- Constructors ----
namespace {
// Argument names of other libraries, for layers that have only the other name.
constexpr std::pair<std::string_view, std::string_view> synonyms[] = {{"rate", "p"},
                                                                      {"axis", "dim"},
                                                                      {"epsilon", "eps"},
                                                                      {"use_bias", "bias"},
                                                                      {"input_dim", "in_features"},
                                                                      {"units", "out_features"}};

size_t field_of(const Class& c, std::string_view name) {
  const auto at = [&](std::string_view n) {
    return size_t(std::find_if(c.fields.begin(), c.fields.end(),
                               [&](const Field& f) { return f.name == n; }) -
                  c.fields.begin());
  };
  size_t i = at(name);
  for (const auto& [word, ours] : synonyms) {
    if (i == c.fields.size() && word == name) i = at(ours);
  }
  return i;
}
}  // namespace

void check_new(PyObject* self) {
  if (nb::inst_ready(self)) {
    throw StateError("[" + class_name(self) +
                     "] is initialized already: __init__ can be called once");
  }
}
int initialize(const Class& c, PyObject* self, PyObject* args, PyObject* kwargs) {
  return guarded([&] {
    check_new(self);
    const std::string me = "[" + c.name + "] ";
    const size_t n = c.fields.size();
    const size_t given = size_t(PyTuple_GET_SIZE(args));
    if (given > n) {
      throw DTypeError(me + "takes " + std::to_string(n) + " arguments, not " +
                       std::to_string(given) + ": " + documented(c, ""));
    }
    std::vector<nb::object> values(n);
    for (size_t i = 0; i < given; ++i) {
      values[i] = nb::borrow(PyTuple_GET_ITEM(args, Py_ssize_t(i)));
    }
    nb::object dtype = nb::none();
    nb::object device = nb::none();  // accepted by every layer
    if (kwargs) {
      for (auto [key, value] : nb::borrow<nb::dict>(kwargs)) {
        const std::string name = nb::cast<std::string>(key);
        const size_t i = field_of(c, name);
        if (i == n && name == "dtype") {
          dtype = nb::borrow(value);
        } else if (i == n && name == "device") {
          device = nb::borrow(value);
        } else if (i == n && name == "inplace") {
          continue;
        }  // values are immutable, so a reference suffices
        else if (i == n) {
          throw DTypeError(me + "has no argument '" + name + "': " + documented(c, ""));
        } else if (values[i].is_valid()) {
          throw DTypeError(me + "got two values for '" + c.fields[i].name + "'");
        } else {
          values[i] = nb::borrow(value);
        }
      }
    }
    nb::list all;
    for (size_t i = 0; i < n; ++i) {
      if (!values[i].is_valid()) values[i] = c.fields[i].fallback;
      if (!values[i].is_valid()) {
        throw DTypeError(me + "needs the argument '" + c.fields[i].name +
                         "': " + documented(c, ""));
      }
      all.append(values[i]);
    }
    c.make(self, all);
    nb::inst_mark_ready(self);
    nb::dict config;
    for (size_t i = 0; i < n; ++i) config[c.fields[i].name] = all[i];
    Module& m = *nb::inst_ptr<Module>(self);
    if (!dtype.is_none()) m.to_dtype(to_dtype(dtype.ptr()));
    if (!device.is_none()) m.to_device(Device(nb::cast<std::string_view>(device)));
    return n ? PyObject_GenericSetAttr(self, config_key(), config.ptr()) : 0;
  });
}
// In the format of docstrings of C functions, which Python parses for the signature.
std::string documented(const Class& c, const char* doc) {
  std::string s = c.name + "(";
  for (const Field& f : c.fields) {
    s += (s.ends_with('(') ? "" : ", ") + std::string(f.name);
    if (f.fallback.is_valid()) s += "=" + nb::cast<std::string>(nb::repr(f.fallback));
  }
  return s + ")" + (*doc ? "\n--\n\n" + std::string(doc) : "");
}
void finish(const nb::object& type) { bound.insert(reinterpret_cast<PyTypeObject*>(type.ptr())); }

std::string class_name(nb::handle self) {
  const std::string_view name = Py_TYPE(self.ptr())->tp_name;
  return std::string(name.substr(name.rfind('.') + 1));
}
Tensor tensor_from(nb::handle self, const nb::object& result) {
  if (is_tensor(result.ptr())) return tensor_of(result.ptr());
  throw DTypeError("[" + class_name(self) + "] forward must return a tensor here, not " +
                   type_of(result.ptr()));
}
nb::object call_forward(nb::handle self, nb::handle method, const Tensor& x, const Tensor& mask) {
  const nb::object f = self.attr(method);
  return mask.defined() ? call_python_with(f, object(x), object(mask))
                        : call_python_with(f, object(x));
}

}  // namespace ember::python
