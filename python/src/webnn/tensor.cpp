// Tensors of the package webnn: conversion of arguments and results, and the tensor classes.
#include <cmath>

#include "ember/backend.h"
#include "ember/runtime.h"
#include "python/src/nn/memory.h"
#include "python/src/webnn/webnn.h"

namespace ember::python {

using namespace webnn;
using nb::arg;

namespace {

PyTypeObject *tensor_class = nullptr, *device_tensor_class = nullptr;

}  // namespace

DType webnn_dtype(nb::handle name) {
  const auto t = PyUnicode_Check(name.ptr()) ? parse_dtype(nb::cast<std::string_view>(name))
                                             : try_dtype(name.ptr());
  if (!t || std::find(data_types().begin(), data_types().end(), *t) == data_types().end()) {
    throw ValueError("Unsupported data type: " +
                     nb::cast<std::string>(nb::str(name)).substr(0, 100));
  }
  return *t;
}

Dimensions webnn_shape(nb::handle shape) {
  if (!PySequence_Check(shape.ptr()) || PyUnicode_Check(shape.ptr())) {
    throw DTypeError("a shape must be a list of integers, not " + type_of(shape.ptr()));
  }
  Dimensions d;
  for (nb::handle h : nb::borrow<nb::sequence>(shape)) {
    if (!PyIndex_Check(h.ptr()) || PyBool_Check(h.ptr())) {
      throw DTypeError("a shape must be a list of integers, not of " + type_of(h.ptr()));
    }
    const nb::object i = nb::steal(PyNumber_Index(h.ptr()));
    int overflow = 0;
    const long long v = i.is_valid() ? PyLong_AsLongLongAndOverflow(i.ptr(), &overflow) : 0;
    if (PyErr_Occurred()) throw nb::python_error();
    if (overflow || v < 0 || v > UINT32_MAX) {
      PyErr_Format(PyExc_OverflowError,
                   "a dimension of %R: out of range integral type conversion attempted", i.ptr());
      throw nb::python_error();
    }
    d.push_back(uint32_t(v));
  }
  return d;
}

DType held_as(DType t) {
  return t == DType::int4 ? DType::int8 : t == DType::uint4 ? DType::uint8 : t;
}
nb::list list_of(const Dimensions& d) {
  nb::list l;
  for (uint32_t n : d) l.append(n);
  return l;
}
std::string text_of(const Dimensions& d) { return to_string(Shape(d.begin(), d.end())); }

namespace {

// The elements of x that change in an integer type beyond rounding: fractions, NaN, values out of
// range.
Tensor misfits_of_integer(const Tensor& x, DType want) {
  const int value_bits = bits_of(want) - is_signed(want);
  if (is_float(x.dtype())) {
    const double limit = std::ldexp(1.0, value_bits);
    const double least = is_signed(want) ? -limit : 0;
    // NaN and infinities are out of range too.
    const Tensor wide = x.astype(DType::float64);
    const Tensor fits = ops::logical_and(ops::greater_equal(wide, least), ops::less(wide, limit));
    return ops::logical_or(ops::logical_not(fits), ops::not_equal(ops::trunc(wide), wide));
  }
  Tensor misfits = ops::zeros(x.shape(), DType::bool_);
  const auto bound = [&](int64_t v) { return ops::full({}, v, x.dtype()); };
  if (is_signed(x.dtype()) && (is_unsigned(want) || bits_of(want) < bits_of(x.dtype()))) {
    misfits = ops::less(x, bound(is_signed(want) ? -(int64_t(1) << value_bits) : 0));
  }
  if (value_bits < bits_of(x.dtype()) - is_signed(x.dtype())) {
    misfits =
        ops::logical_or(misfits, ops::greater(x, bound(int64_t((uint64_t(1) << value_bits) - 1))));
  }
  return misfits;
}
Tensor misfits_of(const Tensor& x, DType want) {
  if (x.dtype() == DType::bool_) return ops::zeros(x.shape(), DType::bool_);
  if (is_integer(want)) return misfits_of_integer(x, want);
  return ops::logical_and(ops::isinf(x.astype(want)), ops::logical_not(ops::isinf(x)));
}

bool has_floats(PyObject* o) {
  if (!PyList_Check(o) && !PyTuple_Check(o)) return !PyIndex_Check(o);
  for (nb::handle item : nb::borrow<nb::sequence>(o)) {
    if (has_floats(item.ptr())) return true;
  }
  return false;
}

// Conversion to a float may round numbers; other changes are errors.
void check_fits(const Tensor& x, DType want, const char* what) {
  if (x.size() == 0) return;
  const Tensor misfits = ops::flatten(misfits_of(x, want));
  if (!ops::any(misfits).item<bool>()) return;
  const Tensor first = ops::take(ops::flatten(x), ops::argmax(misfits.astype(DType::int32)), 0);
  throw ValueError(to_string(first) + " does not fit " + std::string(name(want)) + " (" + what +
                   ": " + to_string(Type{x.dtype(), x.shape()}) + "). Round or clip it first");
}

}  // namespace

Tensor webnn_array(PyObject* o, std::optional<DType> want, const char* what) {
  const with_backend native("native");
  Tensor t;
  if (is_tensor(o)) {
    t = tensor_of(o);
  } else if (PyObject_CheckBuffer(o)) {
    try {
      t = from_memory(o, false);
    } catch (const ValueError&) {
      t = from_memory(o, {});
    }
  } else {
    // Lists are converted to the requested type directly, so that large integers stay exact.
    if (want && is_integer(*want) && has_floats(o)) {
      check_fits(to_array(o, {.dtype = DType::float64}), *want, what);
    }
    t = to_array(o, {.dtype = want ? std::optional(held_as(*want)) : std::nullopt});
  }
  if (is_complex(t.dtype())) throw DTypeError("WebNN's tensors cannot hold complex numbers");
  if (!want) return t;
  if (t.dtype() != *want) check_fits(t, *want, what);
  return t.dtype() == held_as(*want) ? t : ops::astype(t, held_as(*want));
}

// A buffer of the requested type and shape is shared without a copy.
bool WebnnData::shared(PyObject* o, const MLOperandDescriptor& type) {
  if (is_4bit(type.dataType) || !PyObject_CheckBuffer(o)) return false;
  if (PyObject_GetBuffer(o, &view_, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) < 0) {
    return PyErr_Clear(), false;
  }
  const std::string_view codes = is_float(type.dataType)      ? "ef"
                                 : is_unsigned(type.dataType) ? "BHILQ"
                                                              : "bhilq";
  const bool same =
      view_.format && view_.format[0] && !view_.format[1] &&
      codes.find(view_.format[0]) != codes.npos &&
      size_t(view_.itemsize) == size_of(type.dataType) &&
      std::equal(type.shape.begin(), type.shape.end(), view_.shape, view_.shape + view_.ndim);
  if (same) {
    data = view_.buf;
    bytes = size_t(view_.len);
  } else {
    PyBuffer_Release(&view_);
  }
  return same;
}

WebnnData::WebnnData(PyObject* o, const MLOperandDescriptor& type, const char* what) {
  if (shared(o, type)) return;
  tensor_ = webnn_array(o, type.dataType, what);
  if (tensor_.shape() != Shape(type.shape.begin(), type.shape.end())) {
    throw ShapeError("Shape mismatch: " + std::string(what) + " has shape " + text_of(type.shape) +
                     ", but data has shape " + to_string(tensor_.shape()));
  }
  data = tensor_.data_ptr();
  bytes = byte_length(type);
  if (!is_4bit(type.dataType)) return;
  packed_.resize(bytes);
  const auto* in = static_cast<const uint8_t*>(data);
  for (int64_t i = 0; i < tensor_.size(); ++i) {
    packed_[size_t(i / 2)] |= std::byte((in[i] & 15) << i % 2 * 4);
  }
  data = packed_.data();
}

namespace {

struct NumPy {
  nb::object empty, types[dtype_count];
};
NumPy* numpy() {
  static NumPy* known = nullptr;
  if (known) return known;
  try {
    nb::module_ m = nb::module_::import_("numpy");
    auto* n = new NumPy{m.attr("empty")};
    for (DType t : data_types()) {
      n->types[size_t(t)] = m.attr("dtype")(std::string(name(held_as(t))));
    }
    return known = n;
  } catch (nb::python_error& e) {
    if (!e.matches(PyExc_ImportError)) throw;
    return nullptr;
  }
}

}  // namespace

WebnnResult::WebnnResult(const MLOperandDescriptor& type) : type_(type) {
  for (uint32_t d : type.shape) elements_ *= d;
  if (NumPy* n = numpy()) {
    const nb::object shape = nb::steal(PyTuple_New(Py_ssize_t(type.shape.size())));
    for (size_t i = 0; i < type.shape.size(); ++i) {
      PyTuple_SET_ITEM(shape.ptr(), Py_ssize_t(i), PyLong_FromUnsignedLong(type.shape[i]));
    }
    PyObject* args[] = {shape.ptr(), n->types[size_t(type.dataType)].ptr()};
    array_ = nb::steal(PyObject_Vectorcall(n->empty.ptr(), args, 2, nullptr));
    if (!array_.is_valid() || PyObject_GetBuffer(array_.ptr(), &view_, PyBUF_WRITABLE) < 0) {
      throw nb::python_error();
    }
  } else {
    memory_.resize(elements_ * size_of(type.dataType));
  }
  if (is_4bit(type.dataType)) packed_.resize(byte_length(type));
}

nb::object WebnnResult::done() {
  if (!packed_.empty()) {
    for (size_t i = 0; i < elements_; ++i) {
      const auto v = uint8_t(packed_[i / 2] >> (i % 2 * 4)) & 15;
      data()[i] = std::byte(type_.dataType == DType::int4 && v > 7 ? v - 16 : v);
    }
  }
  if (array_.is_valid()) return array_;
  const Tensor t = from_data(memory_.data(), held_as(type_.dataType),
                             Shape(type_.shape.begin(), type_.shape.end()));
  return object(is_4bit(type_.dataType) ? t.astype(type_.dataType) : t);
}

constexpr size_t large = 1 << 16;  // copying less is faster than releasing the lock

nb::object read_webnn(const MLContext& c, const MLTensor& t) {
  const MLOperandDescriptor type{t.dataType(), t.shape()};
  WebnnResult r(type);
  const size_t bytes = byte_length(type);
  std::optional<Waiting> others_may_work;
  if (bytes > large) others_may_work.emplace();
  c.readTensor(t, r.into(), bytes);
  others_may_work.reset();
  return r.done();
}
void write_webnn(const MLContext& c, const MLTensor& t, PyObject* data) {
  const WebnnData d(data, {t.dataType(), t.shape()}, "tensor");
  std::optional<Waiting> others_may_work;
  if (d.bytes > large) others_may_work.emplace();
  c.writeTensor(t, d.data, d.bytes);
}

std::string webnn_backend(const MLContext& c) {
  if (c.engine() != "onnxruntime") return std::string(c.engine());
  return c.device().kind == Device::cpu ? "onnx_cpu" : "onnx_gpu";
}

const WebnnTensor* as_webnn_tensor(PyObject* o) {
  const bool yes = Py_TYPE(o) == tensor_class || Py_TYPE(o) == device_tensor_class ||
                   PyType_IsSubtype(Py_TYPE(o), tensor_class);
  return yes ? nb::inst_ptr<WebnnTensor>(o) : nullptr;
}
void check_live(const WebnnTensor& t) {
  if (t.tensor.destroyed()) throw StateError("Tensor has been destroyed");
}

void add_webnn_tensors(nb::module_& m) {
  const auto yes_no = [](bool b) { return b ? "true" : "false"; };
  auto tensor =
      nb::class_<WebnnTensor>(m, "MLTensor",
                              "A tensor of a context. It reads as zeros until something is written "
                              "or dispatched to it.")
          .def_prop_ro("data_type",
                       [](const WebnnTensor& t) { return std::string(name(t.tensor.dataType())); })
          .def_prop_ro(
              "shape", [](const WebnnTensor& t) { return list_of(t.tensor.shape()); },
              nb::for_getter(nb::sig("def shape(self) -> list[int]")))
          .def_prop_ro("size",
                       [](const WebnnTensor& t) {
                         size_t n = 1;
                         for (uint32_t d : t.tensor.shape()) n *= d;
                         return n;
                       })
          .def_ro("readable", &WebnnTensor::readable)
          .def_ro("writable", &WebnnTensor::writable)
          .def_ro("exportable_to_gpu", &WebnnTensor::exportable)
          .def_prop_ro("constant", [](const WebnnTensor& t) { return t.tensor.constant(); })
          .def_prop_ro(
              "materialized", [](const WebnnTensor& t) { return t.tensor.materialized(); },
              "Whether its storage is allocated.")
          .def(
              "destroy",
              [](WebnnTensor& t) {
                if (t.tensor.destroyed()) {
                  throw StateError("Tensor has already been destroyed (already destroyed)");
                }
                t.tensor.destroy();
              },
              "Frees the tensor; a second call is an error.")
          .def(
              "__dlpack__",
              [](const WebnnTensor& t, nb::kwargs options) {
                check_live(t);
                if (!t.exportable && !t.tensor.constant()) {
                  throw StateError("Tensor is not exportable (exportable_to_gpu=false)");
                }
                return object(t.tensor.value()).attr("__dlpack__")(**options);
              },
              nb::sig("def __dlpack__(self, **options: object) -> object"),
              "Its value now, in host memory, without a copy.")
          .def("__dlpack_device__", [](const WebnnTensor&) { return std::pair(1, 0); })
          .def("__repr__", [yes_no](const WebnnTensor& t) {
            return "MLTensor(shape=" + text_of(t.tensor.shape()) +
                   ", dtype=" + std::string(name(t.tensor.dataType())) +
                   ", readable=" + yes_no(t.readable) + ", writable=" + yes_no(t.writable) +
                   ", exportable_to_gpu=" + yes_no(t.exportable) + ")";
          });
  auto device =
      nb::class_<WebnnDeviceTensor, WebnnTensor>(m, "MLDeviceTensor",
                                                 "A tensor in the memory of the context's device.")
          .def_prop_ro("device", [](const WebnnTensor& t) { return to_string(t.context.device()); })
          .def_prop_ro("backend", [](const WebnnTensor& t) { return webnn_backend(t.context); })
          .def(
              "read",
              [](const WebnnTensor& t) {
                check_live(t);
                return read_webnn(t.context, t.tensor);
              },
              nb::sig("def read(self) -> Any"), "Its value as an array.")
          .def(
              "write",
              [](const WebnnTensor& t, nb::handle data) {
                check_live(t);
                write_webnn(t.context, t.tensor, data.ptr());
              },
              arg("data"), nb::sig("def write(self, data: ArrayLike) -> None"),
              "Replaces the value.")
          .def("__repr__", [](const WebnnTensor& t) {
            return "MLDeviceTensor(shape=" + text_of(t.tensor.shape()) +
                   ", dtype=" + std::string(name(t.tensor.dataType())) +
                   ", device=" + to_string(t.context.device()) +
                   ", backend=" + webnn_backend(t.context) + ")";
          });
  tensor_class = reinterpret_cast<PyTypeObject*>(tensor.ptr());
  device_tensor_class = reinterpret_cast<PyTypeObject*>(device.ptr());
}

}  // namespace ember::python
