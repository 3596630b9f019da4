// Ember's values as Python objects: what all parts of the extension share.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "ember/backend.h"
#include "ember/grad.h"
#include "ember/nn/module.h"
#include "ember/ops.h"
#include "ember/runtime.h"

namespace ember {
struct Arg;
namespace python {

namespace nb = nanobind;

// The object is a handle like Tensor itself: x[i] = v and x += v give it another value.
struct PyTensor {
  PyObject_HEAD PyObject* weakrefs;
  Tensor tensor;
  Tensor*
      owner;  // of a gradient that x.grad gave: x, which gets what is assigned in place; else null
};
struct PyParameter {  // its value is the cell's
  PyTensor base;
  nn::Parameter cell;
};
extern PyTypeObject *tensor_type, *parameter_type, *dtype_type;

inline bool is_tensor(PyObject* o) {
  return Py_TYPE(o) == tensor_type || PyType_IsSubtype(Py_TYPE(o), tensor_type);
}
inline bool is_parameter(PyObject* o) { return PyType_IsSubtype(Py_TYPE(o), parameter_type); }
inline const Tensor& tensor_of(PyObject* o) {
  return Py_TYPE(o) == tensor_type || !is_parameter(o)
             ? reinterpret_cast<PyTensor*>(o)->tensor
             : reinterpret_cast<PyParameter*>(o)->cell.value();
}
void rebind(PyObject* o, Tensor value);  // of the same dtype and shape
PyObject* wrap(Tensor t);                // new references
PyObject* wrap(nn::Parameter p);         // the same object for the same cell, while it is in use
void set_cell(PyObject* parameter, nn::Parameter p);
PyObject* wrap(DType t);
inline nb::object object(Tensor t) { return nb::steal(wrap(std::move(t))); }
inline nb::tuple tuple_of(const Tensors& tensors) {
  nb::list all;
  for (const Tensor& t : tensors) all.append(object(t));
  return nb::tuple(all);
}

// Numbers become weak scalars; lists, buffers, DLPack exporters and what has __array__ become
// tensors. DTypeError for anything else.
Tensor to_tensor(PyObject* o);
// For operators: false where the other object should be asked instead.
bool to_operand(PyObject* o, Tensor& t);
struct ArrayOptions {
  std::optional<DType> dtype;
  std::optional<Device> device;
  std::optional<bool> copy;
};
Tensor to_array(PyObject* o, const ArrayOptions& options);  // asarray
DType to_dtype(PyObject* o);  // a DType, a name, a Python type, another library's dtype, a callable
std::optional<DType> try_dtype(PyObject* o);
nb::object to_list(const Tensor& t);  // nested lists of Python's numbers
nb::object to_number(const Tensor& t);
nb::object from_arg(const Arg& a);  // lists become tuples
int get_buffer(PyObject* self, Py_buffer* view, int flags);
void release_buffer(PyObject* self, Py_buffer* view);
PyObject* get_item(PyObject* self, PyObject* key);
int set_item(PyObject* self, PyObject* key, PyObject* value);

inline std::string type_of(PyObject* o) { return o == Py_None ? "None" : Py_TYPE(o)->tp_name; }

// Names. ValueError where a str holds a lone surrogate or bytes are not UTF-8, DTypeError where it
// is not a str.
std::string name_of(nb::handle str);
nb::object name_object(std::string_view utf8);

// A method of EmberTensor.
template <class F, class... A> void method(const char* name, F f, const A&... more) {
  const nb::handle type(reinterpret_cast<PyObject*>(tensor_type));
  nb::setattr(type, name,
              nb::cpp_function(f, nb::scope(type), nb::name(name), nb::is_method(), more...));
}

// Python's lock, for a thread that may not have it.
class Gil {
 public:
  Gil() : state_(outlive(PyGILState_Ensure)) {}
  Gil(const Gil&) = delete;
  ~Gil() { PyGILState_Release(state_); }

 private:
  PyGILState_STATE state_;
};

// Calls a Python function with a tuple and, perhaps, a dict of arguments. At shutdown the
// interpreter may end a daemon thread in there: the thread stops at this call, before the callers'
// destructors could touch Python objects without the lock.
inline nb::object call_python(const nb::object& f, nb::handle args, nb::handle kwargs = {}) {
  PyObject* const result =
      outlive([=] { return PyObject_Call(f.ptr(), args.ptr(), kwargs.ptr()); });
  if (!result) throw nb::python_error();
  return nb::steal(result);
}
template <class... Args> nb::object call_python_with(const nb::object& f, const Args&... args) {
  return call_python(f, nb::make_tuple(args...));
}

// Inside a catch block: the exception as Python's.
void set_error() noexcept;
template <class F> auto guarded(F&& f) noexcept -> decltype(f()) {
  try {
    return f();
  } catch (...) {
    set_error();
    if constexpr (std::is_pointer_v<decltype(f())>) {
      return nullptr;
    } else {
      return -1;
    }
  }
}

void add_dtype(nb::module_& m);
void add_tensor(nb::module_& m);
void add_exchange(nb::module_& m);
void add_functions(nb::module_& m);
void finish_functions(nb::module_& m);
void add_errors(nb::module_& m);
void add_nn(nb::module_& m);  // modules and layers: the submodule _core.nn
void add_training(
    nb::module_& m);  // optimizers, loaders, the Trainer, features: the submodule _core.training
void add_webnn(nb::module_& m);  // the submodule _core.webnn
void add_onnx(nb::module_& m);   // the submodule _core.onnx
void add_export(nb::module_& m);

}  // namespace python
}  // namespace ember

namespace nanobind::detail {

template <> struct type_caster<ember::Tensor> {
  NB_TYPE_CASTER(ember::Tensor, const_name("EmberTensor"))
  bool from_python(handle src, uint8_t flags, cleanup_list*) noexcept {
    if (ember::python::is_tensor(src.ptr())) {
      value = ember::python::tensor_of(src.ptr());
      return true;
    }
    if (!(flags & uint8_t(cast_flags::convert)) || src.is_none()) return false;
    try {
      value = ember::python::to_tensor(src.ptr());
      return true;
    } catch (...) {
      PyErr_Clear();
      return false;
    }
  }
  static handle from_cpp(const ember::Tensor& t, rv_policy, cleanup_list*) noexcept {
    if (!t.defined()) return none().release();
    return ember::python::wrap(t);
  }
};

template <> struct type_caster<ember::DType> {
  NB_TYPE_CASTER(ember::DType, const_name("DType"))
  bool from_python(handle src, uint8_t, cleanup_list*) noexcept {
    const auto t = ember::python::try_dtype(src.ptr());
    if (t) value = *t;
    return bool(t);
  }
  static handle from_cpp(ember::DType t, rv_policy, cleanup_list*) noexcept {
    return ember::python::wrap(t);
  }
};

template <> struct type_caster<ember::Ints> {
  NB_TYPE_CASTER(ember::Ints, const_name("int | collections.abc.Sequence[int]"))
  bool from_python(handle src, uint8_t, cleanup_list*) noexcept {
    value = {};
    const auto one = [&](PyObject* o) {
      if (!PyIndex_Check(o)) return false;
      const Py_ssize_t v = PyNumber_AsSsize_t(o, PyExc_OverflowError);
      if (v == -1 && PyErr_Occurred()) return PyErr_Clear(), false;
      value.push_back(v);
      return true;
    };
    if (PyIndex_Check(src.ptr())) return one(src.ptr());
    if (!PySequence_Check(src.ptr()) || PyUnicode_Check(src.ptr())) return false;
    PyObject* list = PySequence_Fast(src.ptr(), "");
    if (!list) return PyErr_Clear(), false;
    bool ok = true;
    for (Py_ssize_t i = 0; ok && i < PySequence_Fast_GET_SIZE(list); ++i) {
      ok = one(PySequence_Fast_GET_ITEM(list, i));
    }
    Py_DECREF(list);
    return ok;
  }
  static handle from_cpp(const ember::Ints& v, rv_policy, cleanup_list*) noexcept {
    PyObject* t = PyTuple_New(Py_ssize_t(v.size()));
    for (size_t i = 0; t && i < v.size(); ++i) {
      PyTuple_SET_ITEM(t, Py_ssize_t(i), PyLong_FromLongLong(v[i]));
    }
    return t;
  }
};

}  // namespace nanobind::detail
