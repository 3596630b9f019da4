// EmberTensor and Parameter: the types, their operators and properties. Operators record ops
// directly.
#include "python/src/python.h"
#include "python/src/views.h"

#include <structmember.h>

#include <unordered_map>

#include "ember/element.h"
#include "ember/grad.h"
#include "ember/print.h"

namespace ember::python {

PyTypeObject *tensor_type = nullptr, *parameter_type = nullptr;

namespace {

// Caches freed objects of the exact type, because a chain of small ops creates and drops one per
// op.
constexpr int max_spare = 256;
PyObject* spare[max_spare];
int spares = 0;

PyObject* create(PyTypeObject* type, PyObject*, PyObject*) {
  return guarded([&]() -> PyObject* {
    Tensor empty = ops::zeros({0});
    PyObject* o = type->tp_alloc(type, 0);
    if (o) new (&reinterpret_cast<PyTensor*>(o)->tensor) Tensor(std::move(empty));
    return o;
  });
}
void destroy(PyObject* o) {
  auto* t = reinterpret_cast<PyTensor*>(o);
  if (t->weakrefs) PyObject_ClearWeakRefs(o);
  forget_view(o);
  t->tensor.~Tensor();
  delete t->owner;
  PyTypeObject* type = Py_TYPE(o);
  if (type == tensor_type && spares < max_spare) {
    spare[spares++] = o;
  } else {
    type->tp_free(o);
  }
  Py_DECREF(type);
}
PyObject* create_parameter(PyTypeObject* type, PyObject* a, PyObject* k) {
  PyObject* o = create(type, a, k);
  if (o) {
    new (&reinterpret_cast<PyParameter*>(o)->cell)
        nn::Parameter(reinterpret_cast<PyTensor*>(o)->tensor);
  }
  return o;
}
std::unordered_map<const void*, PyObject*> of_cells;  // the Python object of each cell
void destroy_parameter(PyObject* o) {
  set_cell(o, {});
  reinterpret_cast<PyParameter*>(o)->cell.~Parameter();
  destroy(o);
}

int init(PyObject* self, PyObject* args, PyObject* kwargs) {
  PyObject* data = Py_None;
  PyObject* dtype = Py_None;
  PyObject* device = Py_None;
  int requires_grad = 0;
  static const char* names[] = {"data", "dtype", "device", "requires_grad", nullptr};
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O$OOp:EmberTensor", const_cast<char**>(names),
                                   &data, &dtype, &device, &requires_grad)) {
    return -1;
  }
  return guarded([&] {
    ArrayOptions options;
    if (dtype != Py_None) options.dtype = to_dtype(dtype);
    if (device != Py_None) options.device = Device(nb::cast<std::string_view>(nb::handle(device)));
    Tensor t = data == Py_None ? ops::zeros({0}, options.dtype.value_or(default_float()))
                               : to_array(data, options);
    if (requires_grad) t = t.detach().set_requires_grad();
    reinterpret_cast<PyTensor*>(self)->tensor = std::move(t);
    return 0;
  });
}
int init_parameter(PyObject* self, PyObject* args, PyObject* kwargs) {
  PyObject* data;
  int requires_grad = 1;
  static const char* names[] = {"data", "requires_grad", nullptr};
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|p:Parameter", const_cast<char**>(names), &data,
                                   &requires_grad)) {
    return -1;
  }
  return guarded([&] {
    nn::Parameter p(to_array(data, {}));
    if (!requires_grad) p.set_trainable(false);
    set_cell(self, std::move(p));
    return 0;
  });
}

// ---- Operators ----
template <auto F> PyObject* unary(PyObject* a) {
  return guarded([&] { return wrap(F(tensor_of(a))); });
}
template <auto F> PyObject* binary(PyObject* a, PyObject* b) {
  return guarded([&]() -> PyObject* {
    Tensor x;
    Tensor y;
    if (!to_operand(a, x) || !to_operand(b, y)) Py_RETURN_NOTIMPLEMENTED;
    return wrap(F(std::move(x), std::move(y)));
  });
}
// `x += y` keeps x's dtype if only precision or range is lost, as in NumPy and torch: float64 to
// float32, int64 to int32.
Tensor narrowed(Tensor value, DType to) {
  const DType from = value.dtype();
  const bool same_kind = (is_float(from) && is_float(to)) || (is_complex(from) && is_complex(to)) ||
                         (is_signed(from) && is_signed(to)) ||
                         (is_unsigned(from) && is_unsigned(to));
  return same_kind && from != to ? ops::astype(value, to) : value;
}
template <auto F> PyObject* in_place(PyObject* a, PyObject* b) {
  return guarded([&]() -> PyObject* {
    Tensor y;
    if (!to_operand(b, y)) Py_RETURN_NOTIMPLEMENTED;
    const DType dtype = tensor_of(a).dtype();
    rebind(a, narrowed(F(tensor_of(a), std::move(y)), dtype));
    return Py_NewRef(a);
  });
}
PyObject* power(PyObject* a, PyObject* b, PyObject* modulus) {
  if (modulus != Py_None) Py_RETURN_NOTIMPLEMENTED;
  return binary<ops::pow>(a, b);
}
PyObject* in_place_power(PyObject* a, PyObject* b, PyObject*) { return in_place<ops::pow>(a, b); }
PyObject* divmod(PyObject* a, PyObject* b) {
  PyObject* q = binary<ops::floor_divide>(a, b);
  if (!q || q == Py_NotImplemented) return q;
  PyObject* r = binary<ops::remainder>(a, b);
  if (r) return Py_BuildValue("NN", q, r);
  Py_DECREF(q);
  return nullptr;
}
PyObject* compare(PyObject* a, PyObject* b, int op) {
  switch (op) {
    case Py_LT: return binary<ops::less>(a, b);
    case Py_LE: return binary<ops::less_equal>(a, b);
    case Py_EQ: return binary<ops::equal>(a, b);
    case Py_NE: return binary<ops::not_equal>(a, b);
    case Py_GT: return binary<ops::greater>(a, b);
    default: return binary<ops::greater_equal>(a, b);
  }
}
int truth(PyObject* o) {
  return guarded([&] {
    const Tensor& t = tensor_of(o);
    if (t.size() != 1) {
      throw ValueError("the truth of a tensor of " + std::to_string(t.size()) +
                       " elements is ambiguous: use any() or all()");
    }
    return PyObject_IsTrue(to_number(t).ptr());
  });
}
PyObject* as_int(PyObject* o) {
  const Param* v = scalar_value(tensor_of(o));
  if (v && is_integer(tensor_of(o).dtype()) && tensor_of(o).dtype() != DType::uint64) {
    return PyLong_FromLongLong(v->i);
  }
  return guarded([&] { return PyNumber_Long(to_number(tensor_of(o)).ptr()); });
}
PyObject* as_float(PyObject* o) {
  const Param* v = scalar_value(tensor_of(o));
  if (v && tensor_of(o).dtype() == DType::float64) return PyFloat_FromDouble(v->f);
  if (v && tensor_of(o).dtype() == DType::float32) return PyFloat_FromDouble(double(float(v->f)));
  return guarded([&] { return PyNumber_Float(to_number(tensor_of(o)).ptr()); });
}
PyObject* as_index(PyObject* o) {
  return guarded([&] {
    const Tensor& t = tensor_of(o);
    if (!is_integer(t.dtype()) || t.ndim()) {
      throw DTypeError("only a 0-d integer tensor is an index, not " +
                       std::string(name(t.dtype())) + to_string(t.shape()));
    }
    return to_number(t).release().ptr();
  });
}

// ---- Sequences ----
Py_ssize_t length(PyObject* o) {
  const Tensor& t = tensor_of(o);
  if (t.ndim()) return Py_ssize_t(t.shape()[0]);
  PyErr_SetString(PyExc_TypeError, "a 0-d tensor has no length");
  return -1;
}
PyObject* nth(PyObject* o, Py_ssize_t i) {
  return guarded([&]() -> PyObject* {
    const Tensor& t = tensor_of(o);
    const int64_t at = i;
    if (auto element = read_element(t, {&at, 1})) return wrap(std::move(*element));
    if (t.ndim() && (i < 0 || i >= t.shape()[0])) {
      throw IndexError("index " + std::to_string(i) + " is out of range for length " +
                       std::to_string(t.shape()[0]));
    }
    return wrap(t(int64_t(i)));
  });
}
// Parses a key of Python ints; returns 0 for any other key.
constexpr size_t max_places = 4;
size_t places_of(PyObject* key, int64_t (&at)[max_places]) {
  PyObject* const* items = &key;
  size_t n = 1;
  if (PyTuple_CheckExact(key)) {
    n = size_t(PyTuple_GET_SIZE(key));
    if (n == 0 || n > max_places) return 0;
    items = &PyTuple_GET_ITEM(key, 0);
  }
  for (size_t i = 0; i < n; ++i) {
    int overflow = 0;
    if (!PyLong_CheckExact(items[i])) return 0;
    at[i] = PyLong_AsLongLongAndOverflow(items[i], &overflow);
    if (overflow) return 0;
  }
  return n;
}
PyObject* subscript(PyObject* o, PyObject* key) {
  int64_t at[max_places];
  if (const size_t n = places_of(key, at)) {
    PyObject* found = guarded([&]() -> PyObject* {
      auto element = read_element(tensor_of(o), {at, n});
      return element ? wrap(std::move(*element)) : nullptr;
    });
    if (found || PyErr_Occurred()) return found;
  }
  return get_item(o, key);
}
int assign_subscript(PyObject* o, PyObject* key, PyObject* value) {
  int64_t at[max_places];
  const bool is_number =
      value && (PyFloat_CheckExact(value) || PyLong_CheckExact(value) || PyBool_Check(value));
  const bool writes_memory = is_number && !is_parameter(o) &&
                             !reinterpret_cast<PyTensor*>(o)->owner && !may_reach_another(o);
  if (const size_t n = writes_memory ? places_of(key, at) : 0) {
    const int done =
        guarded([&] { return int(write_element(tensor_of(o), {at, n}, to_tensor(value))); });
    if (done != 0) return done > 0 ? 0 : -1;
  }
  return set_item(o, key, value);
}
PyObject* iterate(PyObject* o) {
  if (tensor_of(o).ndim()) return PySeqIter_New(o);
  PyErr_SetString(PyExc_TypeError, "a 0-d tensor cannot be iterated over");
  return nullptr;
}
int contains(PyObject* o, PyObject* value) {
  return guarded([&] {
    Tensor v;
    if (!to_operand(value, v)) return 0;
    return int(ops::any(ops::equal(tensor_of(o), v)).item<bool>());
  });
}

// ---- Text ----
std::string described(const Tensor& t) {
  PrintOptions options = print_options();
  options.separator = ", ";
  options.indent = 7;
  options.linewidth -= 1;
  std::string shown = t.ndim() ? to_string(t, options) : to_string(ops::reshape(t, {1}), options);
  if (!t.ndim()) {
    const size_t first = shown.find_first_not_of(' ', 1);
    shown = shown.substr(first, shown.size() - 1 - first);
  }
  std::string s = "tensor(" + shown + ", dtype=" + std::string(name(t.dtype()));
  if (t.size() == 0 && t.ndim() != 1) {
    s += ", shape=(" + to_string(t.shape()).substr(1, to_string(t.shape()).size() - 2) + ")";
  }
  s += ", device='" + to_string(t.device()) + "', backend='" + std::string(t.backend()) + "'";
  return s + (t.requires_grad() ? ", requires_grad=True)" : ")");
}
PyObject* repr(PyObject* o) {
  return guarded([&] {
    const std::string s = described(tensor_of(o));
    return PyUnicode_FromStringAndSize(s.data(), Py_ssize_t(s.size()));
  });
}
PyObject* str(PyObject* o) {
  return guarded([&] {
    const std::string s = to_string(tensor_of(o));
    return PyUnicode_FromStringAndSize(s.data(), Py_ssize_t(s.size()));
  });
}
std::string html(const Tensor& t) {
  constexpr int64_t most = 1 << 20;  // larger pending tensors are not evaluated
  std::string s = "<div><code>" + std::string(name(t.dtype())) + to_string(t.shape()) + " on " +
                  std::string(t.backend()) + ", " + to_string(t.device()) + "</code>";
  if (!t.evaluated() && t.size() > most) return s + " <i>not evaluated yet</i></div>";
  s += "<pre>";
  for (char c : to_string(t)) s += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return s + "</pre></div>";
}

// ---- Properties ----
template <auto F> PyObject* get(PyObject* o, void*) {
  return guarded([&] { return F(tensor_of(o)); });
}
PyObject* text(std::string_view s) {
  return PyUnicode_FromStringAndSize(s.data(), Py_ssize_t(s.size()));
}
// x.grad. In-place changes, such as x.grad.zero_(), change x's gradient.
PyObject* gradient(const Tensor& t) {
  if (!t.grad().defined()) Py_RETURN_NONE;
  PyObject* g = wrap(t.grad());
  reinterpret_cast<PyTensor*>(g)->owner = new Tensor(t);
  return g;
}
PyObject* tuple(const Ints& v) { return nb::cast(v).release().ptr(); }
int set_requires_grad(PyObject* o, PyObject* v, void*) {
  return guarded([&] {
    const int on = v ? PyObject_IsTrue(v) : -1;
    if (on < 0) throw DTypeError("requires_grad must be a bool");
    if (is_parameter(o)) {
      reinterpret_cast<PyParameter*>(o)->cell.set_trainable(on);
    } else {
      reinterpret_cast<PyTensor*>(o)->tensor.set_requires_grad(on);
    }
    return 0;
  });
}
PyObject* get_data(PyObject* o, void*) {
  return guarded([&] {
    PyObject* data = wrap(tensor_of(o).detach());
    remember_data(o, data);
    return data;
  });
}
int set_data(PyObject* o, PyObject* v, void*) {
  return guarded([&] {
    if (!v) throw DTypeError("data cannot be deleted");
    const no_grad off;
    rebind(o, to_tensor(v).detach());
    return 0;
  });
}
int set_grad(PyObject* o, PyObject* v, void*) {
  return guarded([&] {
    Tensor(tensor_of(o)).set_grad(!v || v == Py_None ? Tensor() : to_tensor(v));
    return 0;
  });
}
Tensor matrix_transposed(const Tensor& t) { return ops::matrix_transpose(t); }
Tensor transposed(const Tensor& t) {
  if (t.ndim() != 2) {
    throw ShapeError("[T] needs a matrix, not shape " + to_string(t.shape()) +
                     ": use permute_dims or mT");
  }
  return ops::transpose(t);
}
#define SHOWS(name, expression, set, doc) \
  {name, get<+[](const Tensor& t) -> PyObject* { return expression; }>, set, doc, nullptr}
PyGetSetDef properties[] = {
    SHOWS("shape", tuple(t.shape()), nullptr, "The length of each axis."),
    SHOWS("dtype", wrap(t.dtype()), nullptr, "The type of the elements."),
    SHOWS("device", text(to_string(t.device())), nullptr, "The device of the tensor."),
    SHOWS("backend", text(t.backend()), nullptr, "The backend of the tensor."),
    SHOWS("requires_grad", PyBool_FromLong(t.requires_grad()), set_requires_grad,
          "Whether the tensor requires gradients."),
    SHOWS("ndim", PyLong_FromLongLong(t.ndim()), nullptr, "The number of axes."),
    SHOWS("size", PyLong_FromLongLong(t.size()), nullptr, "The number of elements."),
    SHOWS("nbytes", PyLong_FromSize_t(t.nbytes()), nullptr, "The number of bytes of all elements."),
    SHOWS("itemsize", PyLong_FromSize_t(size_of(t.dtype())), nullptr, "Bytes of one element."),
    SHOWS("strides", tuple(t.strides()), nullptr,
          "Distances between neighbors along each axis, in elements; evaluates the tensor."),
    {"data", get_data, set_data,
     "The value without a gradient; assignment replaces it by one of the same shape and dtype.",
     nullptr},
    SHOWS("T", wrap(transposed(t)), nullptr, "The transposed matrix."),
    SHOWS("mT", wrap(matrix_transposed(t)), nullptr, "The last two axes swapped."),
    SHOWS("real", wrap(ops::real(t)), nullptr, "The real part."),
    SHOWS("imag", wrap(ops::imag(t)), nullptr, "The imaginary part."),
    SHOWS("grad", gradient(t), set_grad, "The gradient from backward(), or None."),
    SHOWS("is_leaf", PyBool_FromLong(t.is_leaf()), nullptr,
          "Whether the tensor was not computed from tensors that require gradients."),
    SHOWS("evaluated", PyBool_FromLong(t.evaluated()), nullptr,
          "Whether the value has been computed."),
    SHOWS("_dtype", wrap(t.dtype()), nullptr, nullptr),
    SHOWS("_device", text(to_string(t.device())), nullptr, nullptr),
    SHOWS("_requires_grad", PyBool_FromLong(t.requires_grad()), nullptr, nullptr),
    SHOWS("_backend", text(t.backend()), nullptr, nullptr),
    {}};
#undef SHOWS

PyMemberDef members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(PyTensor, weakrefs), READONLY, nullptr}, {}};

constexpr auto matmul = [](Tensor a, Tensor b) { return ops::matmul(a, b); };
#define SLOT(slot, ...) {slot, reinterpret_cast<void*>(__VA_ARGS__)}
#define BOTH(name, ...) \
  SLOT(Py_nb_##name, binary<__VA_ARGS__>), SLOT(Py_nb_inplace_##name, in_place<__VA_ARGS__>)
PyType_Slot slots[] = {
    SLOT(Py_tp_new, create),
    SLOT(Py_tp_init, init),
    SLOT(Py_tp_dealloc, destroy),
    SLOT(Py_tp_repr, repr),
    SLOT(Py_tp_str, str),
    SLOT(Py_tp_richcompare, compare),
    SLOT(Py_tp_hash, PyObject_HashNotImplemented),
    SLOT(Py_tp_iter, iterate),
    SLOT(Py_tp_getset, properties),
    SLOT(Py_tp_members, members),
    SLOT(Py_tp_doc,
         const_cast<char*>(
             "EmberTensor(data=None, *, dtype=None, device=None, requires_grad=False)\n--\n\n"
             "A tensor: calling an op records it, reading a value evaluates it.")),
    BOTH(add, ops::add),
    BOTH(subtract, ops::subtract),
    BOTH(multiply, ops::multiply),
    BOTH(true_divide, ops::divide),
    BOTH(floor_divide, ops::floor_divide),
    BOTH(remainder, ops::remainder),
    BOTH(and, ops::bitwise_and),
    BOTH(or, ops::bitwise_or),
    BOTH(xor, ops::bitwise_xor),
    BOTH(lshift, ops::bitwise_left_shift),
    BOTH(rshift, ops::bitwise_right_shift),
    BOTH(matrix_multiply, matmul),
    SLOT(Py_nb_power, power),
    SLOT(Py_nb_inplace_power, in_place_power),
    SLOT(Py_nb_divmod, divmod),
    SLOT(Py_nb_negative, unary<ops::negative>),
    SLOT(Py_nb_positive, unary<ops::positive>),
    SLOT(Py_nb_absolute, unary<ops::abs>),
    SLOT(Py_nb_invert, unary<ops::bitwise_invert>),
    SLOT(Py_nb_bool, truth),
    SLOT(Py_nb_int, as_int),
    SLOT(Py_nb_float, as_float),
    SLOT(Py_nb_index, as_index),
    SLOT(Py_mp_length, length),
    SLOT(Py_mp_subscript, subscript),
    SLOT(Py_mp_ass_subscript, assign_subscript),
    SLOT(Py_sq_length, length),
    SLOT(Py_sq_item, nth),
    SLOT(Py_sq_contains, contains),
    SLOT(Py_bf_getbuffer, get_buffer),
    SLOT(Py_bf_releasebuffer, release_buffer),
    {}};
PyType_Spec spec = {"ember_ml.EmberTensor", sizeof(PyTensor), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};

PyType_Slot parameter_slots[] = {
    SLOT(Py_tp_new, create_parameter),
    SLOT(Py_tp_init, init_parameter),
    SLOT(Py_tp_dealloc, destroy_parameter),
    SLOT(Py_tp_doc, const_cast<char*>("Parameter(data, requires_grad=True)\n--\n\n"
                                      "A trainable tensor, shared by modules and optimizers.")),
    {}};
PyType_Spec parameter_spec = {"ember_ml.Parameter", sizeof(PyParameter), 0,
                              Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, parameter_slots};
#undef SLOT
#undef BOTH

}  // namespace

PyObject* wrap(Tensor t) {
  PyObject* o =
      spares ? PyObject_Init(spare[--spares], tensor_type) : tensor_type->tp_alloc(tensor_type, 0);
  if (!o) throw nb::python_error();
  auto* p = reinterpret_cast<PyTensor*>(o);
  p->weakrefs = nullptr;
  p->owner = nullptr;
  new (&p->tensor) Tensor(std::move(t));
  return o;
}
void set_cell(PyObject* o, nn::Parameter p) {
  nn::Parameter& cell = reinterpret_cast<PyParameter*>(o)->cell;
  if (const auto it = of_cells.find(cell.id()); it != of_cells.end() && it->second == o) {
    of_cells.erase(it);
  }
  cell = std::move(p);
  if (cell.defined()) of_cells.try_emplace(cell.id(), o);
}
PyObject* wrap(nn::Parameter p) {
  if (const auto it = of_cells.find(p.id()); it != of_cells.end()) return Py_NewRef(it->second);
  PyObject* o = parameter_type->tp_alloc(parameter_type, 0);
  if (!o) throw nb::python_error();
  new (&reinterpret_cast<PyTensor*>(o)->tensor) Tensor();
  new (&reinterpret_cast<PyParameter*>(o)->cell) nn::Parameter();
  set_cell(o, std::move(p));
  return o;
}

void rebind(PyObject* o, Tensor value) {
  const Tensor& before = tensor_of(o);
  if (value.dtype() != before.dtype()) {
    throw DTypeError("an in-place op cannot change the dtype from " +
                     std::string(name(before.dtype())) + " to " + std::string(name(value.dtype())));
  }
  if (value.shape() != before.shape()) {
    throw ShapeError("an in-place op cannot change the shape from " + to_string(before.shape()) +
                     " to " + to_string(value.shape()));
  }
  // A leaf that is trained by hand, `with no_grad(): w -= lr * w.grad`, stays a leaf and keeps its
  // gradient, as in PyTorch.
  const bool leaf = before.requires_grad() && before.is_leaf() && !grad_enabled();
  const Tensor gradient = leaf ? before.grad() : Tensor();
  if (is_parameter(o)) {
    nn::Parameter& cell = reinterpret_cast<PyParameter*>(o)->cell;
    cell.assign(value);
    if (gradient.defined()) Tensor(cell.value()).set_grad(gradient);
    return;
  }
  auto* t = reinterpret_cast<PyTensor*>(o);
  if (!leaf) {
    t->tensor = std::move(value);
  } else {
    // A new node: other handles must not begin to require gradients.
    Tensor fresh = value.detach();
    fresh.set_requires_grad();
    if (gradient.defined()) fresh.set_grad(gradient);
    t->tensor = std::move(fresh);
  }
  if (t->owner) t->owner->set_grad(t->tensor);
  update_data_owner(o, t->tensor);
}

void add_tensor(nb::module_& m) {
  tensor_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  if (!tensor_type) throw nb::python_error();
  parameter_type = reinterpret_cast<PyTypeObject*>(
      PyType_FromSpecWithBases(&parameter_spec, reinterpret_cast<PyObject*>(tensor_type)));
  if (!parameter_type) throw nb::python_error();
  m.attr("EmberTensor") = nb::borrow(reinterpret_cast<PyObject*>(tensor_type));
  m.attr("Parameter") = nb::borrow(reinterpret_cast<PyObject*>(parameter_type));
  nb::handle type(reinterpret_cast<PyObject*>(tensor_type));
  type.attr("__array_priority__") = 1000;  // NumPy's arrays defer to our operators

  method(
      "item", [](const Tensor& t) { return to_number(t); }, "The only element as a Python number.");
  method(
      "tolist", [](const Tensor& t) { return to_list(t); },
      "The elements as nested lists of Python numbers.");
  method(
      "zero_",
      [](nb::handle self) {
        rebind(self.ptr(), ops::zeros_like(tensor_of(self.ptr()).detach()));
        return nb::borrow(self);
      },
      "Zeros in place of the elements.");
  method(
      "eval",
      [](nb::handle self) {
        tensor_of(self.ptr()).eval();
        return nb::borrow(self);
      },
      "Evaluates the tensor.");
  method(
      "detach", [](const Tensor& t) { return t.detach(); }, "The same value without a gradient.");
  method(
      "backward",
      [](const Tensor& t, std::optional<Tensor> gradient, bool retain_graph, bool create_graph) {
        backward(t, gradient.value_or(Tensor()),
                 {.retain_graph = retain_graph, .create_graph = create_graph});
      },
      nb::arg("gradient") = nb::none(), nb::arg("retain_graph") = false,
      nb::arg("create_graph") = false,
      "Adds the gradients of this tensor to grad of every leaf that requires them.");
  method(
      "to_device",
      [](const Tensor& t, std::string_view device, nb::handle) {
        return t.to_device(Device(device));
      },
      nb::arg("device"), nb::kw_only(), nb::arg("stream") = nb::none(),
      "The same value on another device.");
  method(
      "to_backend", [](const Tensor& t, std::string_view name) { return t.to_backend(name); },
      nb::arg("name"), "The same value on another engine.");
  method(
      "__array_namespace__",
      [](const Tensor&, std::optional<std::string_view> version) {
        if (version && *version != "2025.12" && *version != "2024.12" && *version != "2023.12" &&
            *version != "2022.12" && *version != "2021.12") {
          throw ValueError("[__array_namespace__] there is no array API version '" +
                           std::string(version->substr(0, 40)) + "'");
        }
        return nb::module_::import_("ember_ml");
      },
      nb::kw_only(), nb::arg("api_version") = nb::none(), "The array API namespace: ember_ml.");
  method("_repr_html_", [](const Tensor& t) { return html(t); });
  method("__format__", [](nb::handle self, nb::str format) {
    const Tensor& t = tensor_of(self.ptr());
    if (nb::len(format) == 0) return nb::object(nb::str(self));
    if (t.ndim()) {
      throw DTypeError("[format] only a 0-d tensor takes a format such as '" +
                       nb::cast<std::string>(format) + "', not shape " + to_string(t.shape()) +
                       ": use em.set_printoptions, or format x.tolist()");
    }
    nb::object text = nb::steal(PyObject_Format(to_number(t).ptr(), format.ptr()));
    if (!text.is_valid()) throw nb::python_error();
    return text;
  });
  method(
      "__round__",
      [](const Tensor& t, nb::object ndigits) -> nb::object {
        if (t.ndim()) {
          return object(ops::round(t, ndigits.is_none() ? 0 : nb::cast<int64_t>(ndigits)));
        }
        return nb::module_::import_("builtins").attr("round")(to_number(t), ndigits);
      },
      nb::arg("ndigits") = nb::none());
  method("__complex__", [](const Tensor& t) {
    const std::complex<double> v = t.astype(DType::complex128).item<std::complex<double>>();
    return nb::steal(PyComplex_FromDoubles(v.real(), v.imag()));
  });
  method("__copy__", [](const Tensor& t) { return t; });
  method(
      "__deepcopy__",
      [](const Tensor& t, nb::handle) {
        Tensor copy = t.detach();
        return t.requires_grad() ? copy.set_requires_grad() : copy;
      },
      nb::arg("memo"));
}

}  // namespace ember::python
