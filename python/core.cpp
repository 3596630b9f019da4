// The rows for Python: one generic call, tensors as bytes in and out. The parity tests drive every op through it.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "ember/ember.h"
#include "ember/row.h"

namespace nb = nanobind;
using namespace ember;

namespace {

Arg to_arg(nb::handle h) {
  if (h.is_none()) return {};
  if (PyBool_Check(h.ptr())) return h.ptr() == Py_True;
  if (PyLong_Check(h.ptr())) {
    int overflow = 0;
    const long long v = PyLong_AsLongLongAndOverflow(h.ptr(), &overflow);
    if (overflow) throw ValueError("an integer argument does not fit 64 bits");
    return int64_t(v);
  }
  if (PyFloat_Check(h.ptr())) return PyFloat_AsDouble(h.ptr());
  if (PyComplex_Check(h.ptr())) return std::complex<double>(PyComplex_RealAsDouble(h.ptr()), PyComplex_ImagAsDouble(h.ptr()));
  if (PyUnicode_Check(h.ptr())) return nb::cast<std::string>(h);
  if (nb::isinstance<Tensor>(h)) return nb::cast<Tensor>(h);
  if (PyList_Check(h.ptr()) || PyTuple_Check(h.ptr())) {
    std::vector<Arg> list;
    for (nb::handle e : h) list.push_back(to_arg(e));
    return list;
  }
  throw DTypeError("an argument of type " + std::string(Py_TYPE(h.ptr())->tp_name) + " cannot be passed to an op");
}

nb::object to_python(const Arg& a) {
  return std::visit([]<class T>(const T& v) -> nb::object {
    if constexpr (std::is_same_v<T, std::monostate>) return nb::none();
    else if constexpr (std::is_same_v<T, std::vector<Arg>>) {
      nb::list l;
      for (const Arg& e : v) l.append(to_python(e));
      return l;
    } else if constexpr (std::is_same_v<T, DType>) return nb::cast(std::string(name(v)));
    else if constexpr (std::is_same_v<T, std::complex<double>>) return nb::steal(PyComplex_FromDoubles(v.real(), v.imag()));
    else return nb::cast(v);
  }, static_cast<const Arg::variant&>(a));
}

nb::object call_op(const std::string& name, nb::args args, nb::kwargs kwargs) {
  std::vector<Arg> list;
  for (nb::handle a : args) list.push_back(to_arg(a));
  Kwargs named;
  for (auto [k, v] : kwargs) named[nb::cast<std::string>(k)] = to_arg(v);
  Arg r;
  {
    nb::gil_scoped_release release;
    r = call(name, std::move(list), std::move(named));
  }
  return to_python(r);
}

}  // namespace

NB_MODULE(_core, m) {
  nb::set_leak_warnings(false);
  const auto error = [&](const char* name, auto* tag, PyObject* base) {
    using E = std::remove_pointer_t<decltype(tag)>;
    nb::exception<E>(m, name, base);
  };
  nb::object base = nb::exception<Error>(m, "Error", PyExc_RuntimeError);
  error("ShapeError", static_cast<ShapeError*>(nullptr), base.ptr());
  error("DTypeError", static_cast<DTypeError*>(nullptr), base.ptr());
  error("IndexError", static_cast<IndexError*>(nullptr), base.ptr());
  error("ValueError", static_cast<ValueError*>(nullptr), base.ptr());
  error("DeviceError", static_cast<DeviceError*>(nullptr), base.ptr());
  error("UnsupportedError", static_cast<UnsupportedError*>(nullptr), base.ptr());
  error("EngineError", static_cast<EngineError*>(nullptr), base.ptr());
  error("StateError", static_cast<StateError*>(nullptr), base.ptr());
  error("MemoryError", static_cast<MemoryError*>(nullptr), base.ptr());
  error("IoError", static_cast<IoError*>(nullptr), base.ptr());

  nb::class_<Tensor>(m, "Tensor")
      .def_prop_ro("shape", [](const Tensor& t) { return nb::tuple(nb::cast(t.shape().vec())); })
      .def_prop_ro("dtype", [](const Tensor& t) { return std::string(name(t.dtype())); })
      .def_prop_ro("backend", [](const Tensor& t) { return std::string(t.backend()); })
      .def_prop_ro("requires_grad", &Tensor::requires_grad)
      .def("set_requires_grad", [](Tensor& t, bool on) { return t.set_requires_grad(on); }, nb::arg("on") = true)
      .def("eval", [](const Tensor& t) { nb::gil_scoped_release release; t.eval(); })
      .def("tobytes", [](const Tensor& t) {
        const void* p;
        {
          nb::gil_scoped_release release;
          p = t.data_ptr();
        }
        return nb::bytes(static_cast<const char*>(p), t.nbytes());
      })
      .def("__repr__", [](const Tensor& t) { nb::gil_scoped_release release; return to_string(t); });

  m.def("tensor", [](nb::bytes data, const std::string& dtype, const std::vector<int64_t>& shape) {
    const auto t = parse_dtype(dtype);
    if (!t) throw DTypeError("unknown dtype '" + dtype + "'");
    const Shape s(shape);
    if (size_t(size_of(std::span<const int64_t>(s))) * size_of(*t) != data.size()) throw ShapeError("the bytes do not fill the shape");
    return from_data(data.c_str(), *t, s);
  });
  m.def("call", &call_op);
  m.def("index", [](const Tensor& x, nb::list items) {
    std::vector<IndexItem> list;
    for (nb::handle h : items) {
      if (h.is_none()) list.push_back(newaxis);
      else if (h.ptr() == Py_Ellipsis) list.push_back(ellipsis);
      else if (PySlice_Check(h.ptr())) {
        const auto part = [&](const char* n) -> std::optional<int64_t> {
          nb::object o = h.attr(n);
          return o.is_none() ? std::nullopt : std::optional<int64_t>(nb::cast<int64_t>(o));
        };
        list.push_back(slice(part("start"), part("stop"), part("step").value_or(1)));
      } else if (nb::isinstance<Tensor>(h)) list.push_back(nb::cast<Tensor>(h));
      else list.push_back(nb::cast<int64_t>(h));
    }
    nb::gil_scoped_release release;
    return x(list);
  });
  m.def("eval", [](const std::vector<Tensor>& ts) { nb::gil_scoped_release release; eval(ts); });
  m.def("rows", [] {
    nb::list l;
    for (const Row* r : all_rows()) l.append(nb::make_tuple(r->name, signature(*r), r->doc, r->family, int(r->kinds), r->id == OpId::leaf ? "function" : r->compose ? "composite" : "primitive"));
    return l;
  });
  m.def("set_backend", [](const std::string& n) { nb::gil_scoped_release release; set_backend(n); });
  m.def("get_backend", &get_backend);
  m.def("get_available_backends", [] { nb::gil_scoped_release release; return get_available_backends(); });
  m.def("set_default_float", [](const std::string& n) {
    const auto t = parse_dtype(n);
    if (!t) throw DTypeError("unknown dtype '" + n + "'");
    set_default_float(*t);
  });
  m.def("counters", [] {
    const Counters c = counters();
    return std::map<std::string, uint64_t>{{"compiled", c.compiled}, {"cache_hits", c.cache_hits}, {"evaluations", c.evaluations},
                                           {"fallbacks", c.fallbacks}, {"copies", c.copies}};
  });
  m.def("gradients", [](const std::vector<Tensor>& ys, const std::vector<Tensor>& xs, const std::vector<Tensor>& gs, bool create_graph) {
    nb::gil_scoped_release release;
    return gradients(ys, xs, gs, {.create_graph = create_graph});
  }, nb::arg("ys"), nb::arg("xs"), nb::arg("gs"), nb::arg("create_graph") = false);
  m.def("watch_ops", &watch_ops);
  m.def("watched_ops", [] {
    nb::list l;
    for (const Taken& t : watched_ops()) l.append(nb::make_tuple(std::string(name(t.op)), int(t.how)));
    return l;
  });
}
