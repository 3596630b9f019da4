// Every row as a Python function, and as a method where its first argument is a tensor x. The row's
// C++ function reads its arguments from the call's objects, each as the type of its parameter.
#include "python/src/python.h"

#include <structmember.h>

#include <algorithm>

#include "ember/row.h"

namespace ember::python {
namespace {

struct Keyword {
  PyObject* name;  // interned: callers' keywords are compared by address
  size_t field;
};

struct Function {
  PyObject_HEAD vectorcallfunc vectorcall;
  const Row* row;
  PyObject* name;
  const std::vector<Keyword>* keywords;  // the fields' names, then other libraries' words
  const char* torch_dim;  // why torch's dim= is refused; null where it means the same as axis=
  PyObject* result_type;  // of a tuple with names; made when it is first needed
  PyObject* target;       // of the extension's own functions: what is called; they have no row
  bool device, random;    // also takes device= or seed=
  bool inherits;          // a method that makes a tensor like its own
  bool is_where, is_transpose;
};
PyTypeObject* function_type = nullptr;

// Other libraries' words for the same arguments, where a row has the one but not the other.
constexpr std::pair<std::string_view, std::string_view> synonyms[] = {
    {"ddof", "correction"},
    {"keepdim", "keepdims"},
    {"dim", "axis"},
    {"axes", "axis"},
    {"axis", "axes"},
    {"min_val", "min"},
    {"max_val", "max"},
    {"data", "x"},
    {"tensor", "x"},
    {"tensors", "arrays"},
    {"input_array", "x"},
    {"a", "x"},
    {"num_or_size_splits", "sections"},
    {"num_classes", "depth"},
    {"minval", "low"},
    {"maxval", "high"},
    {"lam", "rate"},
    {"reps", "repetitions"},
    {"shape", "s"},
    {"output_length", "n"},
    {"paddings", "pad_width"},
    {"constant_values", "value"},
    {"input_value", "x"},
    {"condition", "mask"},
    {"x", "x1"},
    {"y", "x2"},
    {"x", "a"},
    {"y", "b"},
    {"a", "x1"},
    {"b", "x2"},
    {"data1", "x1"},
    {"data2", "x2"},
    {"vector1", "a"},
    {"vector2", "b"},
    {"y_true", "target"},
    {"y_pred", "prediction"},
    {"f", "x"},
    {"A", "x"},
    {"matrix", "x"},
    {"input_vector", "x"},
    {"obj", "x"},
    {"data", "arrays"},
    {"data", "values"},
    {"data", "logits"},
    {"src", "values"},
    {"index", "indices"},
    {"shifts", "by"},
    {"shifts", "x2"},
    {"n", "n_rows"},
    {"m", "n_cols"},
    {"output_shape", "s"},
    {"num_splits", "sections"},
    {"seed", "value"},
    // NumPy
    {"a_min", "min"},
    {"a_max", "max"},
    {"size", "shape"},
    {"newshape", "shape"},
    {"loc", "mean"},
    {"scale", "stddev"},
    {"std", "stddev"},
    {"N", "n_rows"},
    {"M", "n_cols"},
    {"indices_or_sections", "sections"},
    {"elements", "x1"},
    {"test_elements", "x2"},
    {"element", "x1"},
    {"v", "x2"},
    {"v", "x"},
    {"ary", "x"},
    {"arr", "x"},
    {"array", "x"},
    {"m", "x"},
    {"tup", "arrays"},
    {"object", "x"},
    {"subscripts", "equation"},
    // torch
    {"input", "x"},
    {"input", "x1"},
    {"input", "a"},
    {"input", "prediction"},
    {"other", "x2"},
    {"other", "b"},
    {"vec2", "x2"},
    {"mat2", "x2"},
    {"exponent", "x2"},
    {"end", "stop"},
    {"steps", "num"},
    {"diagonal", "k"},
    {"dim", "axes"},
    {"dims", "axes"},
    {"dims", "axis"},
    {"dims", "repetitions"},
    {"repeats", "repetitions"},
    {"dim0", "axis1"},
    {"dim1", "axis2"},
    {"shifts", "shift"},
    {"stride", "strides"},
    {"stride", "step"},
    {"negative_slope", "alpha"},
    {"min_val", "low"},
    {"max_val", "high"},
    {"min", "low"},
    {"max", "high"},
    {"num_groups", "groups"},
    {"weight", "scale"},
    {"weight", "slope"},
    {"running_mean", "mean"},
    {"running_var", "variance"},
    {"attn_mask", "mask"},
    {"is_causal", "causal"},
    {"boundaries", "bins"},
    {"sorted_sequence", "x1"},
    {"values", "x2"},
    {"upscale_factor", "factor"},
    {"downscale_factor", "factor"}};

// Keywords that other libraries pass along, with the values that ask for nothing: np.sum(x) calls
// x.sum(axis, dtype, out).
bool asks_for_nothing(std::string_view keyword, PyObject* value) {
  const auto is_one_of = [](std::string_view s, std::initializer_list<std::string_view> all) {
    return std::ranges::count(all, s) > 0;
  };
  if (value == Py_None) {
    return is_one_of(keyword, {"out", "dtype", "like", "order", "layout", "generator", "name",
                               "stream", "precision", "kind"});
  }
  if (value == Py_False) {
    return is_one_of(keyword, {"requires_grad", "pin_memory", "overwrite_input", "non_blocking"});
  }
  if (value == Py_True) return is_one_of(keyword, {"where", "subok"});
  if (!PyUnicode_Check(value)) return false;
  const std::string text = nb::cast<std::string>(nb::handle(value));
  if (keyword == "order") return is_one_of(text, {"C", "A", "K"});
  if (keyword == "kind") return is_one_of(text, {"quicksort", "stable", "mergesort", "heapsort"});
  return (keyword == "mode" && text == "raise") || (keyword == "casting" && text == "same_kind");
}

// torch's word dim= for functions that do something else there: refused, with what to write, unless
// a form knows it.
constexpr std::pair<std::string_view, const char*> differs_from_torch[] = {
    {"max", "gives values and indices: write axis= for the values, em.argmax for the indices"},
    {"min", "gives values and indices: write axis= for the values, em.argmin for the indices"},
    {"median",
     "gives values and indices, and the lower of two middle values: write axis= for NumPy's "
     "median"},
    {"nanmedian",
     "gives values and indices, and the lower of two middle values: write axis= for NumPy's "
     "median"},
    {"cummax", "gives values and indices: write axis= for the values"},
    {"cummin", "gives values and indices: write axis= for the values"},
    {"sort", "gives values and indices: write axis= for the values, em.argsort for the indices"},
    {"std", "divides by n - 1: write axis= and correction=1, or correction=0 to divide by n"},
    {"var", "divides by n - 1: write axis= and correction=1, or correction=0 to divide by n"},
    {"gather",
     "takes one index for each element of the result: write em.take_along_axis(x, index, axis)"},
    {"split", "takes the length of a piece: write axis= and the number of pieces, or em.chunk"}};
const char* differs_from_torch_by(std::string_view name) {
  for (const auto& [other, why] : differs_from_torch) {
    if (other == name) return why;
  }
  return nullptr;
}
void refuse_torchs_dim(const Function& f, PyObject* kwnames) {
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(kwnames); ++i) {  // std and var: the divisor is given
    if (PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(kwnames, i), "correction") == 0) return;
  }
  throw DTypeError("dim= is torch's word, and torch's " + std::string(f.row->name) + " " +
                   f.torch_dim);
}

[[noreturn]] void mismatch(const Field& f, const char* wanted, PyObject* given) {
  throw DTypeError("argument '" + f.name + "' must be " + wanted + ", not " +
                   Py_TYPE(given)->tp_name);
}

int64_t to_integer(const Field& f, PyObject* o) {
  int overflow = 0;
  if (PyLong_CheckExact(o)) {
    const long long v = PyLong_AsLongLongAndOverflow(o, &overflow);
    if (!overflow) return v;
  }
  if (!PyIndex_Check(o) || PyBool_Check(o)) mismatch(f, "an integer", o);
  nb::object i = nb::steal(PyNumber_Index(o));
  if (!i.is_valid()) {  // arrays have __index__, for those of one integer
    if (!PyErr_ExceptionMatches(PyExc_TypeError)) throw nb::python_error();
    PyErr_Clear();
    mismatch(f, "an integer", o);
  }
  const long long v = PyLong_AsLongLongAndOverflow(i.ptr(), &overflow);
  // a diagonal: so far away none is left
  if (overflow && f.name == "k") return overflow < 0 ? INT64_MIN / 2 : INT64_MAX / 2;
  if (overflow) {
    throw ValueError("argument '" + f.name + "': an integer does not fit 64 bits");
  }
  return v;
}

template <class F> void each(PyObject* sequence, F f) {
  nb::object list = nb::steal(PySequence_Fast(sequence, "not a sequence"));
  if (!list.is_valid()) throw nb::python_error();
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(list.ptr()); ++i) {
    f(PySequence_Fast_GET_ITEM(list.ptr(), i));
  }
}

Tensor read_tensor(const Field& f, PyObject* o) {
  Tensor t;
  if (to_operand(o, t)) return t;
  if (PyUnicode_Check(o) || o == Py_None) mismatch(f, "a tensor", o);
  return to_tensor(o);
}

// Whatever it is: numbers, strings, and lists of these.
Arg to_arg(const Field& f, PyObject* o, int depth = 0) {
  if (o == Py_None) return {};
  if (is_tensor(o)) return tensor_of(o);
  if (Py_TYPE(o) == dtype_type) return to_dtype(o);
  if (PyBool_Check(o)) return o == Py_True;
  if (PyFloat_Check(o)) return PyFloat_AS_DOUBLE(o);
  if (PyIndex_Check(o)) return to_integer(f, o);
  if (PyComplex_Check(o)) {
    return std::complex<double>(PyComplex_RealAsDouble(o), PyComplex_ImagAsDouble(o));
  }
  if (PyUnicode_Check(o)) return name_of(o);
  if (PyList_Check(o) || PyTuple_Check(o)) {
    if (depth > int(max_dims)) {
      throw ValueError("argument '" + f.name + "' is nested too deep");
    }
    std::vector<Arg> list;
    each(o, [&](PyObject* e) { list.push_back(to_arg(f, e, depth + 1)); });
    return list;
  }
  Tensor t;
  if (to_operand(o, t)) return t;
  mismatch(f, "something that an op can take", o);
}

Ints to_integers(const Field& f, PyObject* o) {
  Ints r;
  // pad's widths come in pairs; they are one flat list.
  const auto append = [&](PyObject* e) {
    if (PyTuple_Check(e) || PyList_Check(e)) {
      each(e, [&](PyObject* i) { r.push_back(to_integer(f, i)); });
    } else {
      r.push_back(to_integer(f, e));
    }
  };
  if (PyLong_CheckExact(o)) return {to_integer(f, o)};
  if (PyTuple_CheckExact(o)) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(o); ++i) append(PyTuple_GET_ITEM(o, i));
    return r;
  }
  if (PyIndex_Check(o) && !(is_tensor(o) && tensor_of(o).ndim())) return {to_integer(f, o)};
  nb::object list = is_tensor(o) ? to_list(tensor_of(o)) : nb::borrow(o);
  if (!PySequence_Check(list.ptr()) || PyUnicode_Check(list.ptr())) {
    mismatch(f, "an integer or a list of integers", o);
  }
  each(list.ptr(), append);
  return r;
}

// The field of a keyword: its own name or another library's word for it; none for others.
std::optional<size_t> field_of(const Function& f, PyObject* name) {
  for (const Keyword& k : *f.keywords) {
    if (k.name == name) return k.field;
  }
  if (PyUnicode_CHECK_INTERNED(name)) return {};
  PyObject* interned = Py_NewRef(name);
  PyUnicode_InternInPlace(&interned);
  const nb::object held = nb::steal(interned);
  return PyUnicode_CHECK_INTERNED(interned) ? field_of(f, interned) : std::nullopt;
}
std::vector<Keyword> keywords_of(const Row& row) {
  std::vector<Keyword> all;
  const auto add = [&](std::string_view name, size_t field) {
    PyObject* text = PyUnicode_FromStringAndSize(name.data(), Py_ssize_t(name.size()));
    if (!text) throw nb::python_error();
    PyUnicode_InternInPlace(&text);
    all.push_back({text, field});  // the first of a name counts
  };
  for (size_t i = 0; i < row.fields.size(); ++i) add(row.fields[i].name, i);
  for (const auto& [other, ours] : synonyms) {
    const auto field = std::ranges::find(row.fields, ours, &Field::name);
    if (field != row.fields.end()) add(other, size_t(field - row.fields.begin()));
  }
  return all;
}

struct Extras {
  std::optional<Device> device;
  std::optional<Generator> seed;
  bool requires_grad = false;
};

// The arguments of one call: Python's objects, placed by field. A field may take all that follow.
class Objects final : public Arguments {
 public:
  Objects(const Function& f, PyObject* const* args, size_t n, PyObject* kwnames)
      : fields_(f.row->fields) {
    place(f, args, n);
    for (Py_ssize_t k = 0; kwnames && k < PyTuple_GET_SIZE(kwnames); ++k) {
      PyObject* name = PyTuple_GET_ITEM(kwnames, k);
      PyObject* value = args[n + size_t(k)];
      if (f.torch_dim && PyUnicode_CompareWithASCIIString(name, "dim") == 0) {
        refuse_torchs_dim(f, kwnames);
      }
      if (const std::optional<size_t> i = field_of(f, name)) {
        if (is_given(*i)) throw DTypeError("argument '" + name_of(name) + "' is given twice");
        put(*i, value);
      } else {
        take_other(f, name_of(name), value);
      }
    }
  }

  Tensor tensor(size_t i) override { return read_tensor(fields_[i], values_[i]); }
  Tensors tensors(size_t i) override {
    const Field& f = fields_[i];
    Tensors list;
    const auto append = [&](PyObject* e) { list.push_back(read_tensor(f, e)); };
    PyObject* o = values_[i];
    if (i == spread_) {
      std::ranges::for_each(rest_, append);
    } else if (is_tensor(o)) {  // along its first axis, as NumPy has it
      list = ops::unstack(tensor_of(o));
    } else if (!PySequence_Check(o) || PyUnicode_Check(o)) {
      mismatch(f, "a list of tensors", o);
    } else {
      each(o, append);
    }
    return list;
  }
  bool boolean(size_t i) override {
    PyObject* o = values_[i];
    if (PyBool_Check(o)) return o == Py_True;
    if (o == Py_None || PyUnicode_Check(o) || PySequence_Check(o)) {
      mismatch(fields_[i], "a bool", o);
    }
    const int v = PyObject_IsTrue(o);
    if (v < 0) throw nb::python_error();
    return v == 1;
  }
  int64_t integer(size_t i) override { return to_integer(fields_[i], values_[i]); }
  double number(size_t i) override {
    PyObject* o = values_[i];
    if (PyLong_Check(o)) return double(to_integer(fields_[i], o));
    if (is_tensor(o) && tensor_of(o).size() != 1) {
      throw DTypeError("argument '" + fields_[i].name +
                       "' must be a number, not a tensor of shape " +
                       to_string(tensor_of(o).shape()));
    }
    if (PyUnicode_Check(o) || !PyNumber_Check(o)) mismatch(fields_[i], "a number", o);
    const double v = PyFloat_AsDouble(o);
    if (v == -1 && PyErr_Occurred()) throw nb::python_error();
    return v;
  }
  Ints integers(size_t i) override {
    if (i != spread_) return to_integers(fields_[i], values_[i]);
    Ints all;
    for (PyObject* o : rest_) all.push_back(to_integer(fields_[i], o));
    return all;
  }
  DType dtype(size_t i) override {
    PyObject* o = values_[i];
    return is_tensor(o) ? tensor_of(o).dtype() : to_dtype(o);
  }
  Arg value(size_t i) override {
    if (i != spread_) return to_arg(fields_[i], values_[i]);
    std::vector<Arg> all;
    for (PyObject* o : rest_) all.push_back(to_arg(fields_[i], o));
    return unpack_variadic(std::move(all));
  }

  // The fallback of dtype= where a tensor's method makes another like its own.
  void set_dtype(const Function& f, nb::object dtype) {
    static PyObject* const name = PyUnicode_InternFromString("dtype");
    const std::optional<size_t> i = field_of(f, name);
    if (!i || is_given(*i)) return;
    dtype_ = std::move(dtype);
    put(*i, dtype_.ptr());
  }
  Extras extras;

 private:
  void put(size_t i, PyObject* value) {
    set_given(i, value == Py_None);
    values_[i] = value;
  }
  void place(const Function& f, PyObject* const* args, size_t n) {
    for (size_t i = 0; i < n; ++i) {
      if (i == fields_.size()) {
        throw DTypeError("takes " + std::to_string(i) + " arguments, not " + std::to_string(n) +
                         ": (" + signature(*f.row) + ")");
      }
      put(i, args[i]);
      const std::span<PyObject* const> rest(args + i, n - i);
      if (fields_[i].variadic ? !is_list_of_tensors(i, rest)
                              : rest.size() > 1 && takes_all(i, rest)) {
        spread_ = i;
        rest_ = rest;
        return;
      }
    }
  }
  // f([a, b]) where f(a, b) would do.
  bool is_list_of_tensors(size_t i, std::span<PyObject* const> rest) const {
    PyObject* o = rest[0];
    if (fields_[i].type != "Tensors" || rest.size() > 1) return false;
    if (!PyList_Check(o) && !PyTuple_Check(o)) return false;
    if (!PySequence_Fast_GET_SIZE(o)) return true;
    PyObject* first = PySequence_Fast_GET_ITEM(o, 0);
    return !PyNumber_Check(first) || is_tensor(first);
  }
  // x.reshape(2, 3): the last integers are one list; after a shape, a bool may follow by name.
  bool takes_all(size_t i, std::span<PyObject* const> rest) const {
    const Field& f = fields_[i];
    if (!f.type.starts_with("Ints") && !f.type.starts_with("Axes")) return false;
    if (i + 1 < fields_.size() && (f.name != "shape" || !fields_[i + 1].type.starts_with("bool"))) {
      return false;
    }
    return std::ranges::all_of(rest,
                               [](PyObject* o) { return PyIndex_Check(o) && !PyBool_Check(o); });
  }
  // A keyword that is not a field of the row.
  void take_other(const Function& f, const std::string& key, PyObject* value) {
    if (f.device && key == "device") {
      if (value != Py_None) extras.device = Device(nb::cast<std::string_view>(nb::handle(value)));
    } else if (f.random && key == "seed") {
      if (value != Py_None) extras.seed.emplace(uint64_t(to_integer({.name = "seed"}, value)));
    } else if (f.device && key == "requires_grad" && PyBool_Check(value)) {
      extras.requires_grad = value == Py_True;
    } else if (key == "out" && value != Py_None) {
      throw DTypeError(
          "has no out=: a result is a new tensor; give it a name, or write x[...] = value");
    } else if (!asks_for_nothing(key, value)) {
      throw DTypeError("has no argument '" + key + "': (" + signature(*f.row) + ")");
    }
  }

  const std::vector<Field>& fields_;
  PyObject* values_[max_fields];
  size_t spread_ = max_fields;  // the field that takes rest_
  std::span<PyObject* const> rest_;
  nb::object dtype_;
};

// A tuple with names for its members.
nb::object with_names(Function& f, nb::object tuple) {
  const auto& names = f.row->results;
  if (names.empty()) return tuple;
  if (!f.result_type) {
    std::string title = std::string(f.row->name) + "_result";
    nb::object type =
        nb::module_::import_("collections")
            .attr("namedtuple")(title, nb::cast(names), nb::arg("module") = "ember_ml");
    f.result_type = type.release().ptr();
  }
  return nb::handle(f.result_type)(*nb::borrow<nb::tuple>(tuple));
}

// x.transpose(0, 1) of a matrix: NumPy's permutation, which changes nothing; torch would swap the
// two axes.
void warn_of_identity_transpose(PyObject* const* args) {
  if (!is_tensor(args[0]) || tensor_of(args[0]).ndim() != 2 || !PyLong_Check(args[1]) ||
      !PyLong_Check(args[2])) {
    return;
  }
  int overflow = 0;
  const long first = PyLong_AsLongAndOverflow(args[1], &overflow);
  const long second = PyLong_AsLongAndOverflow(args[2], &overflow);
  if (first != second - 1 || (first != 0 && first != -2)) return;
  if (PyErr_WarnEx(
          PyExc_UserWarning,
          "[transpose] two integers are a permutation of a matrix's axes, as in NumPy, and this "
          "one "
          "changes nothing: x.T or x.swapaxes(0, 1) is what torch's x.transpose(0, 1) does",
          1) < 0) {
    throw nb::python_error();
  }
}

PyObject* wrap_result(Function& f, Arg result) {
  if (auto* t = std::get_if<Tensor>(&result)) return wrap(std::move(*t));
  nb::object r = from_arg(result);
  if (nb::isinstance<nb::tuple>(r)) r = with_names(f, std::move(r));
  return r.release().ptr();
}

// A function with device= or seed=, or one that makes a tensor like its own.
PyObject* run_creation(Function& f, PyObject* const* args, size_t n, PyObject* kwnames) {
  Tensor like;
  if (f.inherits) {
    if (!n || !is_tensor(args[0])) throw DTypeError("a tensor's method needs its tensor");
    like = tensor_of(args[0]);
    ++args;
    --n;
  }
  Objects arguments(f, args, n, kwnames);
  Extras& extras = arguments.extras;
  std::optional<with_generator> drawing;
  if (extras.seed) drawing.emplace(*extras.seed);
  std::optional<with_backend> there;
  if (f.inherits) {
    there.emplace(like.backend());
    arguments.set_dtype(f, nb::steal(wrap(like.dtype())));
    if (!extras.device) extras.device = like.device();
  }
  Arg result = call(*f.row, arguments);
  if (auto* t = std::get_if<Tensor>(&result)) {
    if (extras.device) *t = t->to_device(*extras.device);
    if (extras.requires_grad || (f.inherits && like.requires_grad() && is_inexact(t->dtype()))) {
      t->set_requires_grad();
    }
  }
  return wrap_result(f, std::move(result));
}

PyObject* run(Function& f, PyObject* const* args, size_t n, PyObject* kwnames) {
  if (f.device || f.random || f.inherits) return run_creation(f, args, n, kwnames);
  if (f.is_where && n == 1 && !kwnames) {
    return tuple_of(ops::nonzero(read_tensor(f.row->fields[0], args[0]))).release().ptr();
  }
  if (f.is_transpose && n == 3 && !kwnames) warn_of_identity_transpose(args);
  Objects arguments(f, args, n, kwnames);
  return wrap_result(f, call(*f.row, arguments));
}

// The call as another library writes it, where Python knows the form: null where it does not.
PyObject* call_foreign_form(const Function& f, PyObject* const* args, size_t n, PyObject* kwnames) {
  nb::object form =
      nb::module_::import_("ember_ml._compat.forms").attr("FORMS").attr("get")(f.row->name);
  if (form.is_none()) return nullptr;
  nb::object result = nb::steal(PyObject_Vectorcall(form.ptr(), args, n, kwnames));
  if (!result.is_valid()) throw nb::python_error();
  return result.is(nb::handle(Py_NotImplemented)) ? nullptr : result.release().ptr();
}

PyObject* call_function(PyObject* self, PyObject* const* args, size_t flags, PyObject* kwnames) {
  auto& f = *reinterpret_cast<Function*>(self);
  if (f.target) return PyObject_Vectorcall(f.target, args, flags, kwnames);
  const size_t n = size_t(PyVectorcall_NARGS(flags));
  return guarded([&]() -> PyObject* {
    try {
      const Binding& b = f.row->call;
      if (!kwnames && n == 1 && b.unary && is_tensor(args[0])) {
        return wrap(b.unary(tensor_of(args[0])));
      }
      if (!kwnames && n == 2 && b.binary) {
        Tensor x;
        Tensor y;
        if (to_operand(args[0], x) && to_operand(args[1], y)) {
          return wrap(b.binary(std::move(x), std::move(y)));
        }
      }
      return run(f, args, n, kwnames);
    } catch (const Error&) {
      if (PyObject* result = call_foreign_form(f, args, n, kwnames)) return result;
      rethrow_for(f.row->name);
    }
  });
}

// ---- What Python asks of a function ----
std::string python_default(std::string_view s) {
  if (s == "float") return "None";
  if (parse_dtype(s)) return "'" + std::string(s) + "'";
  return std::string(s);
}
// nanobind's text without the types, for which the stubs are.
std::string plain_signature(PyObject* target) {
  nb::object tools = nb::module_::import_("ember_ml._signature");
  return nb::cast<std::string>(tools.attr("plain")(nb::handle(target).attr("__nb_signature__")));
}
std::string signature_of(const Function& f) {
  if (f.target) return plain_signature(f.target);
  std::string s = f.inherits ? "self" : "";
  bool keyword_only = false;
  for (const Field& x : f.row->fields) {
    s += (s.empty() ? "" : ", ") + std::string(x.variadic ? "*" : "") + x.name;
    if (!x.fallback.empty()) s += "=" + python_default(x.fallback);
    keyword_only |= x.variadic;
  }
  const auto extra = [&](const char* name) {
    s += std::string(s.empty() ? "" : ", ") + (keyword_only ? "" : "*, ") + name + "=None";
    keyword_only = true;
  };
  if (f.device) extra("device");
  if (f.random) extra("seed");
  return s;
}
PyObject* get_signature(PyObject* self, void*) {
  return guarded([&] {
    nb::dict scope;
    const std::string code = "def f(" + signature_of(*reinterpret_cast<Function*>(self)) + "): ...";
    nb::object done =
        nb::steal(PyRun_String(code.c_str(), Py_file_input, scope.ptr(), scope.ptr()));
    if (!done.is_valid()) throw nb::python_error();
    return nb::module_::import_("inspect").attr("signature")(scope["f"]).release().ptr();
  });
}
PyObject* get_doc(PyObject* self, void*) {
  return guarded([&] {
    const auto& f = *reinterpret_cast<Function*>(self);
    if (f.target) return PyObject_GetAttrString(f.target, "__doc__");
    std::string s = f.row->doc;
    std::string others;
    for (const Alias& a : aliases()) {
      if (std::string_view(a.target) == f.row->name) {
        others += (others.empty() ? "" : ", ") + std::string(a.name);
      }
    }
    if (!others.empty()) s += " Also: " + others + ".";
    const auto& names = f.row->results;
    if (!names.empty()) {
      s += "\n\nGives: ";
      for (size_t i = 0; i < names.size(); ++i) s += (i ? ", " : "") + names[i];
      s += ".";
    }
    nb::object example =
        nb::module_::import_("ember_ml._examples").attr("EXAMPLES").attr("get")(f.row->name, "");
    s += nb::cast<std::string>(example);
    return PyUnicode_FromStringAndSize(s.data(), Py_ssize_t(s.size()));
  });
}
PyObject* get_typed_signature(PyObject* self, void*) {  // for the stubs
  PyObject* target = reinterpret_cast<Function*>(self)->target;
  if (target) return PyObject_GetAttrString(target, "__nb_signature__");
  PyErr_SetString(PyExc_AttributeError, "__nb_signature__");
  return nullptr;
}
PyObject* get_family(PyObject* self, void*) {
  const Row* row = reinterpret_cast<Function*>(self)->row;
  return PyUnicode_FromString(row ? row->family : "");
}
PyObject* get_name(PyObject* self, void*) {
  return Py_NewRef(reinterpret_cast<Function*>(self)->name);
}
PyObject* get_module(PyObject* self, void*) {
  return PyUnicode_FromString(reinterpret_cast<Function*>(self)->row ? "ember_ml.ops" : "ember_ml");
}
PyObject* repr(PyObject* self) {
  return guarded([&] {
    const auto& f = *reinterpret_cast<Function*>(self);
    return PyUnicode_FromFormat("<ember_ml op %U(%s)>", f.name, signature_of(f).c_str());
  });
}
PyObject* bind(PyObject* self, PyObject* object, PyObject*) {
  return object && object != Py_None ? PyMethod_New(self, object) : Py_NewRef(self);
}
// pickled by name
PyObject* reduce(PyObject* self, PyObject*) {
  return Py_NewRef(reinterpret_cast<Function*>(self)->name);
}

PyGetSetDef properties[] = {{"__signature__", get_signature, nullptr, nullptr, nullptr},
                            {"__doc__", get_doc, nullptr, nullptr, nullptr},
                            {"__name__", get_name, nullptr, nullptr, nullptr},
                            {"__qualname__", get_name, nullptr, nullptr, nullptr},
                            {"__module__", get_module, nullptr, nullptr, nullptr},
                            {"family", get_family, nullptr, nullptr, nullptr},
                            {"__nb_signature__", get_typed_signature, nullptr, nullptr, nullptr},
                            {}};
PyMethodDef methods[] = {{"__reduce__", reduce, METH_NOARGS, nullptr}, {}};
PyMemberDef members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Function, vectorcall), READONLY, nullptr}, {}};

PyObject* make(const Row& row, const char* name, bool inherits) {
  auto* f = PyObject_New(Function, function_type);
  if (!f) throw nb::python_error();
  const std::string_view family = row.family;
  const std::string_view title = row.name;
  f->vectorcall = call_function;
  f->row = &row;
  f->name = PyUnicode_InternFromString(name);
  f->keywords = new std::vector<Keyword>(keywords_of(row));
  f->torch_dim = title == name ? differs_from_torch_by(title) : nullptr;
  f->result_type = nullptr;
  f->target = nullptr;
  f->random = family == "random";
  f->device = family == "random" ||
              (family == "creation" && title != "copy" && title != "tril" && title != "triu") ||
              title.ends_with("freq") || title.ends_with("_window") || title == "orthogonal";
  f->inherits = inherits;
  f->is_where = title == "where";
  f->is_transpose = title == "transpose";
  return reinterpret_cast<PyObject*>(f);
}

// The extension's own functions, with names and signatures that Python's tools can read.
PyObject* described(nb::handle target, nb::handle name) {
  auto* f = PyObject_New(Function, function_type);
  if (!f) throw nb::python_error();
  f->vectorcall = call_function;
  f->row = nullptr;
  f->name = Py_NewRef(name.ptr());
  f->keywords = nullptr;
  f->torch_dim = nullptr;
  f->result_type = nullptr;
  f->target = Py_NewRef(target.ptr());
  f->device = f->random = f->inherits = f->is_where = f->is_transpose = false;
  return reinterpret_cast<PyObject*>(f);
}
void describe_all(nb::handle owner) {
  nb::dict all = nb::borrow<nb::dict>(nb::object(owner.attr("__dict__").attr("copy")()));
  for (auto [name, value] : all) {
    const std::string_view type = Py_TYPE(nb::handle(value).ptr())->tp_name;
    if (type.ends_with("nb_func") || type.ends_with("nb_method")) {
      nb::setattr(owner, name, nb::steal(described(value, name)));
    }
  }
}

}  // namespace

// Methods that make a tensor with the dtype, device and backend of theirs.
constexpr std::string_view inheriting_methods[] = {"zeros",    "ones",          "empty",
                                                   "full",     "eye",           "arange",
                                                   "linspace", "random_normal", "random_uniform"};

// A function whose first argument is a tensor is a method too. x.equal(y) would be torch's, which
// compares the tensors as wholes.
bool is_method(std::string_view name, const Row& row) {
  const std::vector<Field>& list = row.fields;
  if (list.empty() || list[0].type != "Tensor" || name == "equal") return false;
  return list[0].name == "x" || list[0].name == "x1" || list[0].name == "a";
}

void add_functions(nb::module_& m) {
  PyType_Slot slots[] = {{Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
                         {Py_tp_repr, reinterpret_cast<void*>(repr)},
                         {Py_tp_descr_get, reinterpret_cast<void*>(bind)},
                         {Py_tp_getset, properties},
                         {Py_tp_methods, methods},
                         {Py_tp_members, members},
                         {}};
  PyType_Spec spec = {"ember_ml.Function", sizeof(Function), 0,
                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL |
                          Py_TPFLAGS_METHOD_DESCRIPTOR | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                      slots};
  function_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  if (!function_type) throw nb::python_error();
  nb::handle tensor(reinterpret_cast<PyObject*>(tensor_type));
  nb::dict table;
  const auto add = [&](const char* name, const Row& row) {
    nb::object f = nb::steal(make(row, name, false));
    table[name] = f;
    if (nb::hasattr(tensor, name)) return;
    if (is_method(name, row)) {
      nb::setattr(tensor, name, f);
    } else if (std::ranges::count(inheriting_methods, std::string_view(name))) {
      nb::setattr(tensor, name, nb::steal(make(row, name, true)));
    }
  };
  for (const Row* row : all_rows()) add(row->name, *row);
  for (const Alias& a : aliases()) {
    if (const Row* row = find_row(a.target)) add(a.name, *row);
  }
  m.attr("functions") = table;
}

void finish_functions(nb::module_& m) {
  describe_all(m);
  describe_all(nb::handle(reinterpret_cast<PyObject*>(tensor_type)));
}

}  // namespace ember::python
