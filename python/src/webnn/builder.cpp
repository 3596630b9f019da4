// The graph builder of the package webnn: calls an operator by its row. webnn/_operators.py has a
// method for each.
#include "python/src/webnn/webnn.h"
#include "src/webnn/state.h"

namespace ember::python {
namespace {

using namespace webnn;
using nb::arg;
using webnn::Arg, webnn::Param;  // different from Ember's own

[[noreturn]] void wrong(const Param& p, const char* wanted, PyObject* given) {
  throw DTypeError("'" + p.name + "' must be " + wanted + ", not " + type_of(given));
}

Arg integer(const Param& p, PyObject* o, bool is_signed) {
  if (!PyIndex_Check(o) || PyBool_Check(o)) wrong(p, "an integer", o);
  const nb::object i = nb::steal(PyNumber_Index(o));
  if (!i.is_valid()) throw nb::python_error();
  int overflow = 0;
  const long long v = PyLong_AsLongLongAndOverflow(i.ptr(), &overflow);
  if (overflow || v > UINT32_MAX || v < (is_signed ? INT32_MIN : 0)) {
    PyErr_Format(PyExc_OverflowError, "'%s' is %R: out of range integral type conversion attempted",
                 p.name.c_str(), i.ptr());
    throw nb::python_error();
  }
  return MLNumber(int64_t(v));
}

// A number without loss: an integer of up to 64 bits, or a double.
Arg number(const Param& p, PyObject* o) {
  if (PyUnicode_Check(o) || PyBool_Check(o) || !PyNumber_Check(o)) wrong(p, "a number", o);
  if (PyIndex_Check(o)) {
    const nb::object i = nb::steal(PyNumber_Index(o));
    if (!i.is_valid()) throw nb::python_error();
    int overflow = 0;
    const long long v = PyLong_AsLongLongAndOverflow(i.ptr(), &overflow);
    if (!overflow) return MLNumber(int64_t(v));
    if (overflow > 0) {
      const unsigned long long u = PyLong_AsUnsignedLongLong(i.ptr());
      if (!PyErr_Occurred()) return MLNumber(uint64_t(u));
      PyErr_Clear();
    }
  }
  const double v = PyFloat_AsDouble(o);
  if (v == -1 && PyErr_Occurred()) throw nb::python_error();
  return MLNumber(v);
}

Arg text(const Param& p, PyObject* o) {
  if (!PyUnicode_Check(o)) wrong(p, "a string", o);
  return name_of(o);
}
Arg operand(const Param& p, PyObject* o) {
  if (!nb::isinstance<MLOperand>(o)) wrong(p, "an MLOperand", o);
  return nb::cast<MLOperand>(nb::handle(o));
}
template <class F> Arg list(const Param& p, PyObject* o, F item) {
  if (!PySequence_Check(o) || PyUnicode_Check(o)) wrong(p, "a list", o);
  const nb::object fast = nb::steal(PySequence_Fast(o, "not a list"));
  if (!fast.is_valid()) throw nb::python_error();
  std::vector<Arg> all;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(fast.ptr()); ++i) {
    all.push_back(item(PySequence_Fast_GET_ITEM(fast.ptr(), i)));
  }
  return all;
}

Arg converted(const Param& p, PyObject* o) {
  switch (p.type) {
    case ParamType::operand: return operand(p, o);
    case ParamType::operands: return list(p, o, [&](PyObject* e) { return operand(p, e); });
    case ParamType::boolean:
      if (!PyBool_Check(o)) wrong(p, "True or False", o);
      return o == Py_True;
    case ParamType::i32: return integer(p, o, true);
    case ParamType::u32:
    case ParamType::wrapped_u32: return integer(p, o, false);
    case ParamType::splits:
      if (PyIndex_Check(o)) return integer(p, o, false);
      [[fallthrough]];
    case ParamType::u32s:
    case ParamType::wrapped_u32s:
      return list(p, o, [&](PyObject* e) { return integer(p, e, false); });
    case ParamType::f64:
    case ParamType::number: return number(p, o);
    case ParamType::f32s: return list(p, o, [&](PyObject* e) { return number(p, e); });
    case ParamType::data_type: return webnn_dtype(o);
    case ParamType::choice: return text(p, o);
    case ParamType::choices: return list(p, o, [&](PyObject* e) { return text(p, e); });
  }
  return {};
}

// args: in the order of the row's parameters. options: by WebNN's names; None means not given.
nb::object call(WebnnBuilder& b, std::string_view name, nb::tuple args, nb::dict options) {
  const Operator* op = find_operator(name);
  if (!op) throw ValueError("unknown operator '" + std::string(name) + "'");
  std::vector<Arg> given;
  Options named;
  try {
    for (size_t i = 0; i < args.size(); ++i) {
      given.push_back(i < op->params.size() ? converted(op->params[i], nb::object(args[i]).ptr())
                                            : Arg());
    }
    for (auto [k, v] : options) {
      const std::string key = name_of(k);
      const nb::object value = nb::borrow(v);
      if (value.is_none()) continue;
      const auto p = std::find_if(op->options.begin(), op->options.end(),
                                  [&](const Param& o) { return o.name == key; });
      if (key == "label") {
        if (nb::len(value)) named.emplace(key, text({"label"}, value.ptr()));
      } else if (p == op->options.end()) {
        throw ValueError("unknown option '" + key + "'");
      } else {
        named.emplace(key, converted(*p, value.ptr()));
      }
    }
  } catch (...) {
    rethrow_for(name);
  }
  std::vector<MLOperand> results = b.builder.call(*op, std::move(given), std::move(named));
  if (!op->several) return nb::cast(std::move(results[0]));
  nb::list all;
  for (MLOperand& r : results) all.append(std::move(r));
  return all;
}

// A constant tensor, or an array with its own shape and type or with the given ones. Bytes are
// copied unchanged.
MLOperand constant(WebnnBuilder& b, nb::handle value, nb::handle shape, nb::handle data_type) {
  if (nb::isinstance<WebnnTensor>(value)) {
    return b.builder.constant(nb::cast<const WebnnTensor&>(value).tensor);
  }
  std::optional<DType> type;
  if (!data_type.is_none()) type = webnn_dtype(data_type);
  if ((PyBytes_Check(value.ptr()) || PyByteArray_Check(value.ptr())) && type && !shape.is_none()) {
    const nb::object view = nb::steal(PyMemoryView_FromObject(value.ptr()));
    if (!view.is_valid()) throw nb::python_error();
    const Py_buffer& bytes = *PyMemoryView_GET_BUFFER(view.ptr());
    return b.builder.constant({*type, webnn_shape(shape)}, bytes.buf, size_t(bytes.len));
  }
  Tensor t = webnn_array(value.ptr(), type, "constant");
  if (!type) type = webnn_dtype(nb::cast(std::string(name(t.dtype()))));
  MLOperandDescriptor d{*type, {t.shape().begin(), t.shape().end()}};
  if (!shape.is_none()) d.shape = webnn_shape(shape);
  const Shape wanted(d.shape.begin(), d.shape.end());
  if (t.shape() != wanted) {
    if (size_of(std::span<const int64_t>(wanted)) != t.size()) {
      throw ShapeError("Shape mismatch: constant has shape " + to_string(wanted) +
                       ", but data has shape " + to_string(t.shape()));
    }
    const with_backend native("native");
    t = t.reshape(wanted);
  }
  const WebnnData data(object(t).ptr(), d, "constant");
  return b.builder.constant(d, data.data, data.bytes);
}

nb::object build(WebnnBuilder& b, nb::dict outputs) {
  MLNamedOperands named;
  for (auto [name, o] : outputs) {
    if (!PyUnicode_Check(nb::handle(name).ptr())) {
      throw DTypeError("[build] the names of outputs must be strings, not " +
                       type_of(nb::handle(name).ptr()));
    }
    if (!nb::isinstance<MLOperand>(o)) {
      throw DTypeError("[build] the output '" + name_of(name) + "' must be an MLOperand, not " +
                       type_of(nb::handle(o).ptr()));
    }
    named.emplace_back(name_of(name), nb::cast<MLOperand>(o));
  }
  return nb::cast(WebnnGraph{b.builder.build(named), b.free});
}

}  // namespace

void add_webnn_builder(nb::module_& m) {
  nb::class_<WebnnBuilder>(m, "Builder", "The base of MLGraphBuilder.")
      .def(
          "__init__",
          [](WebnnBuilder* b, const WebnnContext* c) {
            new (b) WebnnBuilder{MLGraphBuilder(c ? c->context : default_webnn_context()),
                                 c == nullptr};
            b->builder.state().reusable = true;
          },
          arg("context") = nb::none(), "Without a context, any context can run the graphs.")
      .def(
          "input",
          [](WebnnBuilder& b, std::string name, nb::handle shape, nb::handle data_type) {
            return b.builder.input(std::move(name), {webnn_dtype(data_type), webnn_shape(shape)});
          },
          arg("name"), arg("shape"), arg("data_type"),
          nb::sig("def input(self, name: str, shape: Sequence[int], data_type: str) -> MLOperand"),
          "An input of the graph.")
      .def("constant", &constant, arg("value"), arg("shape") = nb::none(),
           arg("data_type") = nb::none(),
           nb::sig("def constant(self, value: ArrayLike | MLTensor, shape: Sequence[int] | None = "
                   "None, data_type: str | None = None) -> MLOperand"),
           "A constant: an array, lists of numbers, bytes, or a constant tensor.")
      .def("build", &build, arg("outputs"),
           nb::sig("def build(self, outputs: Mapping[str, MLOperand]) -> MLGraph"),
           "Compiles the graph of the outputs.")
      .def(
          "squeeze",
          [](WebnnBuilder& b, const MLOperand& x, nb::handle axes, std::string label) {
            return squeeze(b.builder, x, axes.is_none() ? List() : List(webnn_shape(axes)), label);
          },
          arg("input"), arg("axes") = nb::none(), nb::kw_only(), arg("label") = "",
          nb::sig("def squeeze(self, input: MLOperand, axes: Sequence[int] | None = None, *, "
                  "label: str = \"\") -> MLOperand"),
          "Removes the given axes of length 1, or all of them.")
      .def(
          "unsqueeze",
          [](WebnnBuilder& b, const MLOperand& x, nb::handle axes, std::string label) {
            return unsqueeze(b.builder, x, webnn_shape(axes), label);
          },
          arg("input"), arg("axes"), nb::kw_only(), arg("label") = "",
          nb::sig("def unsqueeze(self, input: MLOperand, axes: Sequence[int], *, label: str = "
                  "\"\") -> MLOperand"),
          "Inserts axes of length 1 at positions of the result.")
      .def(
          "_call", &call, arg("name"), arg("args"), arg("options"),
          nb::sig(
              "def _call(self, name: str, args: tuple[Any, ...], options: dict[str, Any]) -> Any"));
  // The rows, for webnn/_operators.py and its tests.
  m.def("_operators", [] {
    nb::list all;
    const auto params = [](const std::vector<Param>& list) {
      nb::list l;
      for (const Param& p : list) l.append(nb::make_tuple(p.name, int(p.type), p.choices));
      return l;
    };
    for (const Operator& o : operators()) {
      all.append(nb::make_tuple(o.name, params(o.params), params(o.options), o.several));
    }
    return all;
  });
}

}  // namespace ember::python
