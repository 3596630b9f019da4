// Converts Python objects to tensors and back: numbers, nested lists, and objects that share
// memory.
#include <complex>

#include "ember/dlpack.h"
#include "ember/row.h"
#include "python/src/nn/memory.h"
#include "python/src/views.h"

namespace ember::python {
namespace {

[[noreturn]] void not_an_array(PyObject* o) {
  std::string hint;
  if (PyUnicode_Check(o)) {
    hint = "; strings hold no numbers";
  } else if (o == Py_None) {
    hint = "; a value is missing";
  } else if (PyIter_Check(o)) {
    hint = ": make a list of it first";
  }
  throw DTypeError("cannot create a tensor from " + type_of(o) + hint);
}

// Converts a Python number.
Tensor scalar_of(PyObject* o) {
  if (PyBool_Check(o)) return Tensor(o == Py_True);
  if (PyLong_Check(o)) {
    int overflow = 0;
    const long long v = PyLong_AsLongLongAndOverflow(o, &overflow);
    if (!overflow) return Tensor(int64_t(v));
    const unsigned long long u = overflow > 0 ? PyLong_AsUnsignedLongLong(o) : 0;
    if (overflow < 0 || PyErr_Occurred()) {
      PyErr_Clear();
      throw ValueError("an integer does not fit 64 bits");
    }
    return Tensor(static_cast<unsigned long>(u));
  }
  if (PyFloat_Check(o)) return Tensor(PyFloat_AS_DOUBLE(o));
  return Tensor(std::complex<double>(PyComplex_RealAsDouble(o), PyComplex_ImagAsDouble(o)));
}
// bool is a subclass of int.
bool is_number(PyObject* o) { return PyFloat_Check(o) || PyLong_Check(o) || PyComplex_Check(o); }
// np.float64 and np.complex128 are subclasses of Python's float and complex.
bool has_wide_dtype(PyObject* o) {
  const bool subclass = (PyFloat_Check(o) && !PyFloat_CheckExact(o)) ||
                        (PyComplex_Check(o) && !PyComplex_CheckExact(o));
  return subclass && PyObject_HasAttrString(o, "dtype");
}

// ---- Nested lists ----
enum class Kind : uint8_t { none, boolean, integer, unsigned_, real, complex };

struct Nest {
  Shape shape;
  Kind kind = Kind::none;
  bool arrays = false;  // the elements contain tensors or other arrays
  // np.float64 or np.complex128 are among them: Python's float and complex with a dtype.
  bool wide = false;
  std::vector<PyObject*> leaves;

  [[noreturn]] static void ragged(size_t depth) {
    throw ShapeError("a nested list is ragged: the lists at depth " + std::to_string(depth) +
                     " differ in length");
  }
  void read(PyObject* o, size_t depth) {
    if (arrays) return;  // they are stacked, which checks their shapes
    if (PyList_Check(o) || PyTuple_Check(o)) {
      const Py_ssize_t n = PySequence_Fast_GET_SIZE(o);
      if (depth >= max_dims) {
        throw ShapeError("a list is nested deeper than " + std::to_string(max_dims) + " levels");
      }
      if (depth == shape.size()) {
        if (!leaves.empty()) ragged(depth);
        shape.push_back(n);
      } else if (shape[depth] != n) {
        ragged(depth);
      }
      for (Py_ssize_t i = 0; i < n; ++i) read(PySequence_Fast_GET_ITEM(o, i), depth + 1);
      return;
    }
    arrays = !is_number(o);
    if (arrays) return;
    if (depth < shape.size()) ragged(depth);
    Kind k = PyBool_Check(o)    ? Kind::boolean
             : PyLong_Check(o)  ? Kind::integer
             : PyFloat_Check(o) ? Kind::real
                                : Kind::complex;
    if (k == Kind::integer) {
      int overflow = 0;
      PyLong_AsLongLongAndOverflow(o, &overflow);
      if (overflow > 0) k = Kind::unsigned_;
    }
    kind = std::max(kind, k);
    wide |= has_wide_dtype(o);
    leaves.push_back(o);
  }
};

template <class T, class F> Tensor filled(const Nest& n, F value) {
  std::vector<T> v;
  v.reserve(n.leaves.size());
  for (PyObject* o : n.leaves) v.push_back(value(o));
  return from_data(v.data(), dtype_of<T>, n.shape);
}
double real_value(PyObject* o) {
  const double v = PyFloat_AsDouble(o);
  if (v == -1 && PyErr_Occurred()) throw nb::python_error();
  return v;
}

// Converts to the widest type of the elements' kind, then to the given dtype or the kind's default.
Tensor from_numbers(const Nest& n, std::optional<DType> dtype) {
  switch (n.kind) {
    case Kind::none: return ops::zeros(n.shape, dtype.value_or(default_float()));
    case Kind::boolean: {
      std::vector<uint8_t> v;
      for (PyObject* o : n.leaves) v.push_back(o == Py_True);
      const Tensor t = from_data(v.data(), DType::bool_, n.shape);
      return dtype ? ops::astype(t, *dtype) : t;
    }
    case Kind::unsigned_:
    case Kind::integer: {
      const DType t = dtype.value_or(n.kind == Kind::integer ? DType::int64 : DType::uint64);
      if (is_inexact(t)) return ops::astype(filled<double>(n, real_value), t);
      const auto check = [&](bool fits) {
        if (fits) return;
        PyErr_Clear();
        throw ValueError("an integer of the list does not fit " + std::string(name(t)));
      };
      if (t == DType::uint64) {
        return filled<uint64_t>(n, [&](PyObject* o) {
          const uint64_t v = PyLong_AsUnsignedLongLong(o);
          check(!PyErr_Occurred());
          return v;
        });
      }
      const ops::IntInfo limits = t == DType::bool_ ? ops::IntInfo{} : ops::iinfo(t);
      const Tensor wide = filled<int64_t>(n, [&](PyObject* o) {
        int overflow = 0;
        const int64_t v = PyLong_AsLongLongAndOverflow(o, &overflow);
        check(!overflow && (t == DType::bool_ || (v >= limits.min && v <= int64_t(limits.max))));
        return v;
      });
      return t == DType::int64 ? wide : ops::astype(wide, t);
    }
    case Kind::real: {
      const DType t = dtype.value_or(n.wide ? DType::float64 : default_float());
      if (t == DType::float32) {
        return filled<float>(n, [](PyObject* o) { return float(real_value(o)); });
      }
      return ops::astype(filled<double>(n, real_value), t);
    }
    case Kind::complex: break;
  }
  const DType t = dtype.value_or(n.wide ? DType::complex128 : complex_of(default_float()));
  return ops::astype(filled<std::complex<double>>(n,
                                                  [](PyObject* o) {
                                                    const Py_complex c = PyComplex_AsCComplex(o);
                                                    if (PyErr_Occurred()) throw nb::python_error();
                                                    return std::complex<double>(c.real, c.imag);
                                                  }),
                     t);
}

Tensor from_sequence(PyObject* o, std::optional<DType> dtype, int depth = 0) {
  if (depth > int(max_dims)) {
    throw ShapeError("a list is nested deeper than " + std::to_string(max_dims) + " levels");
  }
  Nest n;
  n.read(o, 0);
  if (!n.arrays) return from_numbers(n, dtype);
  Tensors parts;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(o); ++i) {
    PyObject* e = PySequence_Fast_GET_ITEM(o, i);
    parts.push_back(PyList_Check(e) || PyTuple_Check(e) ? from_sequence(e, dtype, depth + 1)
                                                        : to_tensor(e));
  }
  const Tensor all = ops::stack(parts);
  return dtype ? ops::astype(all, *dtype) : all;
}

bool is_bytes(PyObject* o) { return PyBytes_Check(o) || PyByteArray_Check(o); }
bool shares_memory(PyObject* o) {
  return (PyObject_CheckBuffer(o) && !is_bytes(o)) || PyObject_HasAttrString(o, "__dlpack__") ||
         PyObject_HasAttrString(o, "__array__") || PyObject_HasAttrString(o, "__array_interface__");
}

}  // namespace

bool to_operand(PyObject* o, Tensor& t) {
  if (is_tensor(o)) {
    t = tensor_of(o);
  } else if (is_number(o)) {
    t = scalar_of(o);
  } else if (PyList_Check(o) || PyTuple_Check(o)) {
    t = from_sequence(o, {});
  } else if (!PyUnicode_Check(o) && o != Py_None && !PyType_Check(o) && shares_memory(o)) {
    t = from_memory(o, {});
  } else {
    return false;
  }
  return true;
}

Tensor to_tensor(PyObject* o) {
  Tensor t;
  if (to_operand(o, t)) return t;
  if (is_bytes(o)) return from_memory(o, {});
  if (PyRange_Check(o)) {
    nb::object list = nb::steal(PySequence_List(o));
    if (!list.is_valid()) throw nb::python_error();
    return from_sequence(list.ptr(), {});
  }
  not_an_array(o);
}

Tensor to_array(PyObject* o, const ArrayOptions& options) {
  Tensor t;
  if (is_tensor(o)) {
    t = ops::asarray(tensor_of(o), options.dtype, options.copy);
  } else if (is_number(o) || PyList_Check(o) || PyTuple_Check(o)) {
    if (options.copy == false) {
      throw ValueError("[asarray] Python's numbers cannot be shared: leave copy=False out");
    }
    // As a list of one, which checks that it fits.
    if (is_number(o) && (options.dtype || has_wide_dtype(o))) {
      Nest one;
      one.read(o, 0);
      t = from_numbers(one, options.dtype);
    } else {
      t = is_number(o) ? ops::asarray(scalar_of(o)) : from_sequence(o, options.dtype);
    }
  } else if (PyUnicode_Check(o) || PyRange_Check(o) ||
             !(shares_memory(o) || (is_bytes(o) && options.copy == false))) {
    t = ops::asarray(to_tensor(o), options.dtype);
    if (options.copy == false) {
      throw ValueError("[asarray] a " + type_of(o) + " cannot be shared: leave copy=False out");
    }
  } else {
    t = ops::asarray(from_memory(o, options.copy), options.dtype,
                     options.copy == false ? options.copy : std::nullopt);
  }
  return options.device ? t.to_device(*options.device) : t;
}

// ---- Back to Python ----
namespace {

template <class T> PyObject* number(T v) {
  if constexpr (std::is_same_v<T, bool>) {
    return PyBool_FromLong(v);
  } else if constexpr (std::is_same_v<T, uint64_t>) {
    return PyLong_FromUnsignedLongLong(v);
  } else if constexpr (std::is_integral_v<T>) {
    return PyLong_FromLongLong(v);
  } else if constexpr (std::is_same_v<T, std::complex<float>> ||
                       std::is_same_v<T, std::complex<double>>) {
    return PyComplex_FromDoubles(v.real(), v.imag());
  } else {
    return PyFloat_FromDouble(double(v));
  }
}
template <class T> PyObject* nested(const T*& at, const Shape& shape, size_t depth) {
  if (depth == shape.size()) {
    PyObject* value = number(*at++);
    if (!value) throw nb::python_error();
    return value;
  }
  nb::object list = nb::steal(PyList_New(Py_ssize_t(shape[depth])));
  if (!list.is_valid()) throw nb::python_error();
  for (int64_t i = 0; i < shape[depth]; ++i) {
    PyList_SET_ITEM(list.ptr(), Py_ssize_t(i), nested(at, shape, depth + 1));
  }
  return list.release().ptr();
}

}  // namespace

nb::object to_list(const Tensor& t) {
  const void* data = t.data_ptr();
  return visit_dtype(t.dtype(), [&]<class T>(T) {
    const T* at = static_cast<const T*>(data);
    return nb::steal(nested(at, t.shape(), 0));
  });
}
nb::object to_number(const Tensor& t) {
  if (t.size() != 1) {
    throw ValueError("[item] needs one element, not " + std::to_string(t.size()) + " (shape " +
                     to_string(t.shape()) + ")");
  }
  const void* data = t.data_ptr();
  return visit_dtype(t.dtype(), [&]<class T>(T) {
    nb::object value = nb::steal(number(*static_cast<const T*>(data)));
    if (!value.is_valid()) throw nb::python_error();
    return value;
  });
}

nb::object from_arg(const Arg& a) {
  return std::visit(
      []<class T>(const T& v) -> nb::object {
        if constexpr (std::is_same_v<T, std::monostate>) {
          return nb::none();
        } else if constexpr (std::is_same_v<T, Tensor>) {
          return object(v);
        } else if constexpr (std::is_same_v<T, DType>) {
          return nb::steal(wrap(v));
        } else if constexpr (std::is_same_v<T, std::vector<Arg>>) {
          nb::object all = nb::steal(PyTuple_New(Py_ssize_t(v.size())));
          for (size_t i = 0; i < v.size(); ++i) {
            PyTuple_SET_ITEM(all.ptr(), Py_ssize_t(i), from_arg(v[i]).release().ptr());
          }
          return all;
        } else if constexpr (std::is_same_v<T, std::string>) {
          return nb::cast(v);
        } else {
          return nb::steal(number(v));
        }
      },
      static_cast<const Arg::variant&>(a));
}

// ---- Indexing ----
namespace {

// Arrays of other libraries define __index__ for their 0-d integers, so PyIndex_Check is true for
// all of them.
bool is_array_index(PyObject* o) {
  if (PyLong_Check(o) || !shares_memory(o)) return false;
  const nb::object ndim = nb::getattr(nb::handle(o), "ndim", nb::int_(0));
  if (nb::cast<int64_t>(ndim) != 0) return true;
  const nb::object dtype = nb::getattr(nb::handle(o), "dtype", nb::none());
  return try_dtype(dtype.ptr()) == DType::bool_;
}

IndexItem index_item(PyObject* o) {
  if (o == Py_None) return newaxis;
  if (o == Py_Ellipsis) return ellipsis;
  if (PySlice_Check(o)) {
    Py_ssize_t start;
    Py_ssize_t stop;
    Py_ssize_t step;
    if (PySlice_Unpack(o, &start, &stop, &step) < 0) throw nb::python_error();
    const auto* s = reinterpret_cast<PySliceObject*>(o);
    return slice(s->start == Py_None ? std::nullopt : std::optional<int64_t>(start),
                 s->stop == Py_None ? std::nullopt : std::optional<int64_t>(stop), step);
  }
  if (PyBool_Check(o)) return ops::asarray(Tensor(o == Py_True));
  if (is_tensor(o)) return tensor_of(o);
  if (PyList_Check(o) || PyTuple_Check(o) || PyRange_Check(o)) {
    return PySequence_Size(o) ? to_array(o, {}) : ops::zeros({0}, DType::int64);
  }
  if (PyIndex_Check(o) && !is_array_index(o)) {
    const Py_ssize_t i = PyNumber_AsSsize_t(o, PyExc_IndexError);
    if (i == -1 && PyErr_Occurred()) throw nb::python_error();
    return int64_t(i);
  }
  if (!PyUnicode_Check(o) && !PyFloat_Check(o) && shares_memory(o)) return to_array(o, {});
  throw IndexError(
      "only integers, slices, None, Ellipsis, and integer or bool tensors and lists are indices, "
      "not " +
      type_of(o));
}

}  // namespace

std::vector<IndexItem> index_items(PyObject* key) {
  std::vector<IndexItem> items;
  if (!PyTuple_Check(key)) {
    items.push_back(index_item(key));
  } else {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(key); ++i) {
      items.push_back(index_item(PyTuple_GET_ITEM(key, i)));
    }
  }
  return items;
}

PyObject* get_item(PyObject* self, PyObject* key) {
  return guarded([&] {
    PyObject* result = wrap(tensor_of(self)(index_items(key)));
    remember_slice(self, key, result);
    return result;
  });
}
int set_item(PyObject* self, PyObject* key, PyObject* value) {
  return guarded([&] {
    if (!value) throw DTypeError("elements of a tensor cannot be deleted");
    const Tensor v = to_tensor(value);
    assign_through(self, key, v);
    rebind(self, index_update(tensor_of(self), index_items(key), v));
    return 0;
  });
}

}  // namespace ember::python
