// DType: one object per element type. It compares equal to its name and to the same dtype of
// another library; comparisons never raise.
#include "python/src/python.h"

namespace ember::python {

PyTypeObject* dtype_type = nullptr;

namespace {

struct PyDType {
  PyObject_HEAD DType dtype;
};
PyObject* all[dtype_count] = {};

DType of(PyObject* o) { return reinterpret_cast<PyDType*>(o)->dtype; }
PyObject* text(std::string_view s) {
  return PyUnicode_FromStringAndSize(s.data(), Py_ssize_t(s.size()));
}

PyObject* create(PyTypeObject*, PyObject* args, PyObject* kwargs) {
  PyObject* given;
  static const char* names[] = {"dtype", nullptr};
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O", const_cast<char**>(names), &given)) {
    return nullptr;
  }
  return guarded([&] { return wrap(to_dtype(given)); });
}
// float32(3) is a tensor of that dtype, as NumPy's float32(3) is a scalar of it; float32() is 0.
PyObject* call(PyObject* self, PyObject* args, PyObject* kwargs) {
  PyObject* data = nullptr;
  static const char* names[] = {"", nullptr};
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O", const_cast<char**>(names), &data)) {
    return nullptr;
  }
  return guarded([&] {
    const nb::object zero = nb::int_(0);
    return wrap(to_array(data ? data : zero.ptr(), {.dtype = of(self)}));
  });
}
PyObject* compare(PyObject* a, PyObject* b, int op) {
  if (op != Py_EQ && op != Py_NE) Py_RETURN_NOTIMPLEMENTED;
  const bool makes_dtypes = PyCallable_Check(b) && !PyType_Check(b) && Py_TYPE(b) != dtype_type;
  const auto other = makes_dtypes ? std::nullopt : try_dtype(b);
  return PyBool_FromLong((other == of(a)) == (op == Py_EQ));
}
Py_hash_t hash(PyObject* o) {
  PyObject* s = text(name(of(o)));
  const Py_hash_t h = s ? PyObject_Hash(s) : -1;
  Py_XDECREF(s);
  return h;
}
PyObject* reduce(PyObject* o, PyObject*) {
  return Py_BuildValue("O(s)", dtype_type, std::string(name(of(o))).c_str());
}

nb::object numpys(DType t) {
  const bool extra = t == DType::bfloat16 || t == DType::int4 || t == DType::uint4;
  const nb::object numpy = nb::module_::import_("numpy");
  const std::string n(name(t));
  return numpy.attr("dtype")(extra ? nb::object(nb::module_::import_("ml_dtypes").attr(n.c_str()))
                                   : nb::object(nb::str(n.c_str())));
}

// NumPy's letter for a kind of dtype.
const char* kind_of(DType t) {
  if (t == DType::bool_) return "b";
  if (is_complex(t)) return "c";
  if (is_float(t)) return "f";
  return name(t).starts_with('u') ? "u" : "i";
}

PyMethodDef methods[] = {{"__reduce__", reduce, METH_NOARGS, nullptr}, {}};
PyGetSetDef properties[] = {
    {"name", [](PyObject* o, void*) { return text(name(of(o))); }, nullptr,
     "The name, such as 'float32'.", nullptr},
    {"dtype",
     [](PyObject* o, void*) { return guarded([&] { return numpys(of(o)).release().ptr(); }); },
     nullptr, "NumPy's dtype of that name, for NumPy's functions.", nullptr},
    {"itemsize", [](PyObject* o, void*) { return PyLong_FromSize_t(size_of(of(o))); }, nullptr,
     "Bytes of one element.", nullptr},
    {"kind", [](PyObject* o, void*) { return text(kind_of(of(o))); }, nullptr,
     "NumPy's letter for the kind of number: b, i, u, f or c.", nullptr},
    {"char",
     [](PyObject* o, void*) {
       return guarded([&] { return nb::object(numpys(of(o)).attr("char")).release().ptr(); });
     },
     nullptr, "NumPy's letter for the type.", nullptr},
    {"is_floating_point", [](PyObject* o, void*) { return PyBool_FromLong(is_float(of(o))); },
     nullptr, "Whether elements are real floating-point numbers.", nullptr},
    {"is_complex", [](PyObject* o, void*) { return PyBool_FromLong(is_complex(of(o))); }, nullptr,
     "Whether elements are complex numbers.", nullptr},
    {}};
PyType_Slot slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(create)},
    {Py_tp_repr, reinterpret_cast<void*>(
                     +[](PyObject* o) { return text("ember_ml." + std::string(name(of(o)))); })},
    {Py_tp_str, reinterpret_cast<void*>(+[](PyObject* o) { return text(name(of(o))); })},
    {Py_tp_call, reinterpret_cast<void*>(call)},
    {Py_tp_richcompare, reinterpret_cast<void*>(compare)},
    {Py_tp_hash, reinterpret_cast<void*>(hash)},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {Py_tp_doc, const_cast<char*>("DType(name)\n--\n\nThe type of a tensor's elements.")},
    {}};
PyType_Spec spec = {"ember_ml.DType", sizeof(PyDType), 0, Py_TPFLAGS_DEFAULT, slots};

}  // namespace

PyObject* wrap(DType t) { return Py_NewRef(all[int(t)]); }

std::optional<DType> try_dtype(PyObject* o) {
  if (Py_TYPE(o) == dtype_type) return of(o);
  if (PyUnicode_Check(o)) {
    const char* s = PyUnicode_AsUTF8(o);
    if (!s) return PyErr_Clear(), std::nullopt;
    return parse_dtype(s);
  }
  if (o == reinterpret_cast<PyObject*>(&PyBool_Type)) return DType::bool_;
  if (o == reinterpret_cast<PyObject*>(&PyLong_Type)) return DType::int64;
  if (o == reinterpret_cast<PyObject*>(&PyFloat_Type)) return default_float();
  if (o == reinterpret_cast<PyObject*>(&PyComplex_Type)) return complex_of(default_float());
  if (o == Py_None || PyLong_Check(o) || PyFloat_Check(o) || PyTuple_Check(o) || PyList_Check(o) ||
      is_tensor(o)) {
    return std::nullopt;
  }
  // NumPy's float32 and dtype('float32') have a name; torch.float32 and MLX's print theirs.
  for (const char* attribute : {"name", "__name__"}) {
    nb::object n = nb::steal(PyObject_GetAttrString(o, attribute));
    if (!n.is_valid()) {
      PyErr_Clear();
    } else if (PyUnicode_Check(n.ptr())) {
      return try_dtype(n.ptr());
    }
  }
  nb::object s = nb::steal(PyObject_Str(o));
  const char* c = s.is_valid() ? PyUnicode_AsUTF8(s.ptr()) : nullptr;
  if (!c) return PyErr_Clear(), std::nullopt;
  const std::string_view all_of_it = c;
  const size_t dot = all_of_it.rfind('.');
  return dot == std::string_view::npos ? std::nullopt : parse_dtype(all_of_it.substr(dot + 1));
}

DType to_dtype(PyObject* o) {
  if (const auto t = try_dtype(o)) return *t;
  if (PyCallable_Check(o) && !PyType_Check(o)) {
    nb::object made = nb::steal(PyObject_CallNoArgs(o));
    if (!made.is_valid()) throw nb::python_error();
    if (const auto t = try_dtype(made.ptr())) return *t;
  }
  nb::object r = nb::steal(PyObject_Repr(o));
  std::string said = r.is_valid() ? nb::cast<std::string>(r) : std::string(Py_TYPE(o)->tp_name);
  PyErr_Clear();
  throw DTypeError("unknown dtype " + said.substr(0, 80) +
                   "; use ember_ml.float32 or a name such as 'float32'");
}

void add_dtype(nb::module_& m) {
  dtype_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  m.attr("DType") = nb::steal(reinterpret_cast<PyObject*>(dtype_type));
  Py_INCREF(dtype_type);
  for (int i = 0; i < dtype_count; ++i) {
    auto* o = PyObject_New(PyDType, dtype_type);
    o->dtype = DType(i);
    all[i] = reinterpret_cast<PyObject*>(o);
    m.attr(std::string(name(DType(i))).c_str()) = nb::borrow(all[i]);
  }
}

}  // namespace ember::python
