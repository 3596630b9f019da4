// Shares memory with other libraries by the buffer protocol and DLPack; pickling.
#include <algorithm>
#include <cstring>

#include "ember/dlpack.h"
#include "python/src/nn/memory.h"

struct DLManagedTensorVersioned;

namespace ember::python {
namespace {

struct Format {
  DType dtype;
  const char* code;
};
constexpr Format formats[] = {
    {DType::bool_, "?"},      {DType::int8, "b"},        {DType::uint8, "B"},
    {DType::int16, "h"},      {DType::uint16, "H"},      {DType::int32, "i"},
    {DType::uint32, "I"},     {DType::int64, "q"},       {DType::uint64, "Q"},
    {DType::float16, "e"},    {DType::float32, "f"},     {DType::float64, "d"},
    {DType::complex64, "Zf"}, {DType::complex128, "Zd"}, {DType::int64, "l"},
    {DType::uint64, "L"}};

const char* format_of(DType t) {
  for (const Format& f : formats) {
    if (f.dtype == t) return f.code;
  }
  throw DTypeError("Python's buffers do not support " + std::string(name(t)) +
                   ": cast first, for example to float32");
}

struct View {
  Py_buffer b{};
  ~View() { PyBuffer_Release(&b); }
};

// Keeps the memory of an export alive.
struct Export {
  Tensor tensor;
  std::vector<Py_ssize_t> shape, strides;
};

// as: the dtype, where the buffer protocol cannot express it.
Tensor from_buffer_of(PyObject* o, std::optional<bool> copy, std::optional<DType> as = {}) {
  auto view = std::make_unique<View>();
  if (PyObject_GetBuffer(o, &view->b, PyBUF_RECORDS_RO) < 0) throw nb::python_error();
  const Py_buffer& b = view->b;
  std::string_view code = b.format ? b.format : "B";
  bool swapped = false;
  if (!code.empty() && std::strchr("@=<>!", code[0])) {
    swapped = (code[0] == '>' || code[0] == '!') && b.itemsize > 1;
    code.remove_prefix(1);
  }
  const Format* f = std::find_if(std::begin(formats), std::end(formats),
                                 [&](const Format& f) { return code == f.code; });
  if (f == std::end(formats)) {
    throw DTypeError("buffer format '" + std::string(b.format ? b.format : "").substr(0, 40) +
                     "' (" + type_of(o) + ") is not a supported dtype");
  }
  DType dtype = f->dtype;
  if (dtype == DType::int64 && b.itemsize == 4) dtype = DType::int32;
  if (dtype == DType::uint64 && b.itemsize == 4) dtype = DType::uint32;
  dtype = as.value_or(dtype);
  const Py_ssize_t item = Py_ssize_t(size_of(dtype));
  if (b.itemsize != item) {
    throw DTypeError("a buffer's elements have " + std::to_string(b.itemsize) +
                     " bytes, its format says " + std::to_string(item));
  }
  if (b.suboffsets &&
      std::any_of(b.suboffsets, b.suboffsets + b.ndim, [](Py_ssize_t s) { return s >= 0; })) {
    throw UnsupportedError("a buffer of pointers cannot be read");
  }
  const Shape shape(b.shape, b.shape + b.ndim);
  Ints strides;
  bool whole = true;
  for (int i = 0; i < b.ndim; ++i) {
    whole &= b.strides[i] % item == 0;
    strides.push_back(b.strides[i] / item);
  }
  const bool aligned = reinterpret_cast<uintptr_t>(b.buf) % size_of(real_of(dtype)) == 0;
  if (copy == false && !swapped && whole && aligned && b.len) {
    const void* data = b.buf;
    return from_buffer(
        data, dtype, shape, view.release(),
        [](void* p) {
          if (!Py_IsInitialized()) return;  // objects that remain at exit are not freed
          const Gil lock;
          delete static_cast<View*>(p);
        },
        strides);
  }
  if (copy == false && b.len) {
    throw ValueError("this buffer cannot be shared: its bytes are in another order or not aligned");
  }
  std::vector<std::byte> bytes(static_cast<size_t>(b.len));
  if (b.len && PyBuffer_ToContiguous(bytes.data(), &view->b, b.len, 'C') < 0) {
    throw nb::python_error();
  }
  if (swapped) {
    const size_t word = size_of(real_of(dtype));
    for (size_t i = 0; i < bytes.size(); i += word) {
      std::reverse(bytes.begin() + ptrdiff_t(i), bytes.begin() + ptrdiff_t(i + word));
    }
  }
  return from_data(bytes.data(), dtype, shape);
}

// ---- DLPack ----
constexpr const char *plain = "dltensor", *versioned = "dltensor_versioned";

Tensor from_capsule(PyObject* capsule, bool copy) {
  const auto take = [&](const char* name, const char* used) {
    void* p = PyCapsule_GetPointer(capsule, name);
    if (!p || PyCapsule_SetName(capsule, used) < 0) throw nb::python_error();
    return p;
  };
  if (PyCapsule_IsValid(capsule, versioned)) {
    return from_dlpack(
        static_cast<DLManagedTensorVersioned*>(take(versioned, "used_dltensor_versioned")), copy);
  }
  if (PyCapsule_IsValid(capsule, plain)) {
    return from_dlpack(static_cast<DLManagedTensor*>(take(plain, "used_dltensor")), copy);
  }
  throw DTypeError("[from_dlpack] __dlpack__ did not return an unused DLPack capsule");
}

template <class M> void delete_capsule(PyObject* capsule) {
  const char* name = PyCapsule_GetName(capsule);
  // A consumer has taken ownership.
  if (!name || (std::strcmp(name, plain) && std::strcmp(name, versioned))) {
    return;
  }
  // Without a consumer, an import that is dropped at once calls the struct's deleter.
  try {
    from_dlpack(static_cast<M*>(PyCapsule_GetPointer(capsule, name)), false);
  } catch (...) {
    PyErr_Clear();
  }
}

nb::object to_capsule(const Tensor& t, nb::object stream, nb::object max_version, nb::object device,
                      std::optional<bool> copy) {
  if (!stream.is_none() && !(PyLong_Check(stream.ptr()) && nb::cast<long long>(stream) == -1)) {
    throw ValueError("[__dlpack__] host memory has no stream");
  }
  if (!device.is_none()) {
    const auto [kind, id] = nb::cast<std::pair<int, int>>(device);
    if (kind != 1 || id != 0) {
      throw nb::buffer_error("[__dlpack__] only host memory can be given: device (1, 0)");
    }
  }
  const Tensor given = copy == true ? ops::copy(t) : t;
  const bool new_enough = !max_version.is_none() && nb::cast<long>(nb::object(max_version[0])) >= 1;
  PyObject* capsule = new_enough
                          ? PyCapsule_New(to_dlpack_versioned(given), versioned,
                                          delete_capsule<DLManagedTensorVersioned>)
                          : PyCapsule_New(to_dlpack(given), plain, delete_capsule<DLManagedTensor>);
  if (!capsule) throw nb::python_error();
  return nb::steal(capsule);
}

// A tensor that is what is asked for already.
bool unchanged(PyObject* o, const ArrayOptions& options) {
  return is_tensor(o) && options.dtype.value_or(tensor_of(o).dtype()) == tensor_of(o).dtype() &&
         options.device.value_or(tensor_of(o).device()) == tensor_of(o).device();
}

nb::object bytes_of(const Tensor& t) {
  const void* p = t.data_ptr();
  return nb::bytes(p, t.nbytes());
}

// The tensor as an array of the engine's own Python library, sharing memory if that library can.
nb::object library_object(nb::handle self) {
  const std::string_view backend = tensor_of(self.ptr()).backend();
  const bool torch = backend == "torch";
  const bool mlx = backend == "mlx";
  const char* library = torch ? "torch" : mlx ? "mlx.core" : "numpy";
  nb::object module;
  try {
    module = nb::module_::import_(library);
  } catch (nb::python_error& e) {
    if (!e.matches(PyExc_ImportError)) throw;
    nb::raise_from(e, PyExc_ImportError,
                   "[to_backend_tensor] a tensor of backend '%s' becomes an object of %s, which "
                   "cannot be imported here; memoryview(x) and x.__dlpack__() need no library",
                   std::string(backend).c_str(), library);
  }
  return module.attr(torch ? "from_dlpack" : mlx ? "array" : "asarray")(self);
}

// The state of seed 000's pickles. Data is (shape, bytes), or anything that converts to a tensor.
nb::dict get_state(const Tensor& t) {
  nb::dict s;
  s["tensor_data"] = nb::make_tuple(nb::cast(t.shape()), bytes_of(t));
  s["dtype"] = std::string(name(t.dtype()));
  s["device"] = to_string(t.device());
  s["requires_grad"] = t.requires_grad();
  s["backend"] = std::string(t.backend());
  return s;
}
void set_state(nb::handle self, nb::dict s) {
  nb::object data = s["tensor_data"];
  const DType dtype = to_dtype(nb::object(s["dtype"]).ptr());
  Tensor t;
  if (nb::isinstance<nb::tuple>(data) && nb::len(data) == 2 && nb::isinstance<nb::bytes>(data[1])) {
    const Shape shape = nb::cast<Ints>(data[0]);
    const nb::bytes bytes = nb::cast<nb::bytes>(data[1]);
    if (bytes.size() != size_t(size_of(std::span<const int64_t>(shape))) * size_of(dtype)) {
      throw ShapeError("[__setstate__] the bytes do not fill the shape " + to_string(shape));
    }
    t = from_data(bytes.data(), dtype, shape);
  } else {
    t = to_array(data.ptr(), {.dtype = dtype});
  }
  const std::string backend = nb::cast<std::string>(s["backend"]);
  const std::string device = nb::cast<std::string>(s["device"]);
  try {
    t = t.to_backend(backend).to_device(Device(device));
  } catch (const Error& e) {
    if (PyErr_WarnFormat(PyExc_RuntimeWarning, 1,
                         "a tensor of backend '%s' on '%s' is restored on '%s': %s",
                         backend.c_str(), device.c_str(), get_backend().c_str(), e.what()) < 0) {
      throw nb::python_error();
    }
  }
  if (nb::cast<bool>(s["requires_grad"])) t = t.detach().set_requires_grad();
  if (is_parameter(self.ptr())) {
    nn::Parameter p(t);
    p.set_trainable(nb::cast<bool>(s["requires_grad"]));
    set_cell(self.ptr(), std::move(p));
  } else {
    reinterpret_cast<PyTensor*>(self.ptr())->tensor = std::move(t);
  }
}

}  // namespace

Tensor from_exporter(PyObject* o, std::optional<bool> copy) {
  nb::object exporter = nb::borrow(o);
  nb::object capsule;
  try {
    capsule = exporter.attr("__dlpack__")(nb::arg("max_version") = nb::make_tuple(1, 0));
  } catch (nb::python_error& e) {
    if (!e.matches(PyExc_TypeError)) throw;
    capsule = exporter.attr("__dlpack__")();  // an exporter from before versions
  }
  return from_capsule(capsule.ptr(), copy != false);
}

Tensor from_memory(PyObject* o, std::optional<bool> copy) {
  if (is_tensor(o)) return copy == true ? ops::copy(tensor_of(o)) : tensor_of(o);
  nb::object array = nb::borrow(o);
  nb::object dtype = nb::getattr(array, "dtype", nb::none());
  const auto named = dtype.is_none() ? std::nullopt : try_dtype(dtype.ptr());
  // Dtypes of ml_dtypes, which the buffer protocol cannot express.
  if (nb::hasattr(dtype, "kind") && nb::hasattr(array, "view") &&
      (named == DType::bfloat16 || named == DType::int4 || named == DType::uint4)) {
    if (*named == DType::bfloat16) {
      return from_buffer_of(nb::object(array.attr("view")("uint16")).ptr(), copy, named);
    }
    if (copy == false) {
      throw ValueError("NumPy's " + std::string(name(*named)) +
                       " cannot be shared: leave copy=False out");
    }
    return ops::astype(from_buffer_of(nb::object(array.attr("astype")("int8")).ptr(), {}), *named);
  }
  std::string why;
  if (PyObject_CheckBuffer(o)) {
    try {
      const Tensor t = from_buffer_of(o, copy);
      if (!dtype.is_none() && named != t.dtype()) {
        throw DTypeError("a tensor cannot hold " + nb::cast<std::string>(nb::str(dtype)));
      }
      return t;
    } catch (nb::python_error& e) {
      why = e.what();
    } catch (const DTypeError& e) {
      why = e.what();
    }
  }
  if (PyObject_HasAttrString(o, "__dlpack__")) {
    try {
      return from_exporter(o, copy);
    } catch (nb::python_error& e) {
      why = e.what();
    }
  }
  if (nb::hasattr(array, "__array__")) {
    nb::object given = array.attr("__array__")();
    if (given.ptr() != o && PyObject_CheckBuffer(given.ptr())) {
      return from_buffer_of(given.ptr(), copy);
    }
  }
  if (nb::hasattr(array, "__array_interface__")) {  // for example Pillow's images
    nb::object given = nb::module_::import_("numpy").attr("asarray")(array);
    if (given.ptr() != o) return from_buffer_of(given.ptr(), copy);
  }
  throw DTypeError("cannot create a tensor from " + type_of(o) +
                   (why.empty() ? "" : ": " + why.substr(0, 300)));
}

int get_buffer(PyObject* self, Py_buffer* view, int flags) {
  view->obj = nullptr;
  if (flags & PyBUF_WRITABLE) {
    PyErr_SetString(PyExc_BufferError, "a tensor's memory is shared for reading only");
    return -1;
  }
  return guarded([&] {
    const Tensor& t = tensor_of(self);
    const char* format;
    try {
      format = format_of(t.dtype());
    } catch (const DTypeError& e) {
      throw nb::buffer_error(e.what());
    }
    auto e = std::make_unique<Export>();
    e->tensor = t;
    view->buf = const_cast<void*>(t.data_ptr());
    const Ints strides = contiguous_strides(t.shape());
    for (size_t i = 0; i < t.shape().size(); ++i) {
      e->shape.push_back(t.shape()[i]);
      e->strides.push_back(strides[i] * Py_ssize_t(size_of(t.dtype())));
    }
    view->len = Py_ssize_t(t.nbytes());
    view->itemsize = Py_ssize_t(size_of(t.dtype()));
    view->readonly = 1;
    view->ndim = int(t.ndim());
    view->format = flags & PyBUF_FORMAT ? const_cast<char*>(format) : nullptr;
    view->shape = flags & PyBUF_ND ? e->shape.data() : nullptr;
    view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? e->strides.data() : nullptr;
    view->suboffsets = nullptr;
    view->internal = e.release();
    view->obj = Py_NewRef(self);
    return 0;
  });
}
void release_buffer(PyObject*, Py_buffer* view) { delete static_cast<Export*>(view->internal); }

void add_exchange(nb::module_& m) {
  method("__dlpack__", &to_capsule, nb::kw_only(), nb::arg("stream") = nb::none(),
         nb::arg("max_version") = nb::none(), nb::arg("dl_device") = nb::none(),
         nb::arg("copy") = nb::none(), "The memory as a DLPack capsule.");
  method(
      "__dlpack_device__", [](const Tensor&) { return nb::make_tuple(1, 0); },
      "DLPack's device: (1, 0), host memory.");
  method(
      "__array__",
      [](nb::handle self, nb::object dtype, nb::object copy) {
        format_of(tensor_of(self.ptr()).dtype());
        nb::object numpy = nb::module_::import_("numpy");
        nb::object view = nb::steal(PyMemoryView_FromObject(self.ptr()));
        if (!view.is_valid()) throw nb::python_error();
        return nb::object(copy.is_none()
                              ? numpy.attr("asarray")(view, dtype)
                              : numpy.attr("array")(view, dtype, nb::arg("copy") = copy));
      },
      nb::arg("dtype") = nb::none(), nb::arg("copy") = nb::none(),
      "The tensor as a NumPy array, sharing its memory.");
  method(
      "to_numpy",
      [](nb::handle self) { return nb::module_::import_("numpy").attr("asarray")(self); },
      "The tensor as a NumPy array, sharing its memory.");
  method("to_backend_tensor", &library_object,
         "The tensor as its backend's own object: an np.ndarray, torch.Tensor or mx.array.");
  method(
      "__jax_array__",
      [](nb::handle self) {
        return nb::object(nb::module_::import_("jax.numpy").attr("from_dlpack")(self));
      },
      "The tensor as a JAX array.");
  method("tobytes", &bytes_of, "The bytes of the elements in row-major order.");
  method("__getstate__", &get_state);
  method("__setstate__", &set_state, nb::arg("state"));

  m.def(
      "asarray",
      [](nb::handle obj, nb::object dtype, std::optional<std::string_view> device,
         std::optional<bool> copy) -> nb::object {
        ArrayOptions options{.copy = copy};
        if (!dtype.is_none()) options.dtype = to_dtype(dtype.ptr());
        if (device) options.device = Device(*device);
        if (copy != true && unchanged(obj.ptr(), options)) return nb::borrow(obj);
        return object(to_array(obj.ptr(), options));
      },
      nb::arg("obj"), nb::arg("dtype") = nb::none(), nb::arg("device") = nb::none(),
      nb::arg("copy") = nb::none(),
      "A tensor of numbers, nested lists, or another library's array. copy=False shares the "
      "memory, which must not change then.");
  m.def(
      "convert_to_tensor",
      [](nb::handle data, nb::object dtype, std::optional<std::string_view> device,
         std::optional<bool> requires_grad) -> nb::object {
        ArrayOptions options;
        if (!dtype.is_none()) options.dtype = to_dtype(dtype.ptr());
        if (device) options.device = Device(*device);
        if (unchanged(data.ptr(), options) &&
            requires_grad.value_or(tensor_of(data.ptr()).requires_grad()) ==
                tensor_of(data.ptr()).requires_grad()) {
          return nb::borrow(data);
        }
        Tensor t = to_array(data.ptr(), options);
        if (requires_grad && *requires_grad != t.requires_grad()) {
          t = t.detach().set_requires_grad(*requires_grad);
        }
        return object(t);
      },
      nb::arg("data"), nb::arg("dtype") = nb::none(), nb::arg("device") = nb::none(),
      nb::arg("requires_grad") = nb::none(),
      "The same object if it is a matching tensor, else a tensor of it.");
  m.def(
      "from_dlpack",
      [](nb::handle x, std::optional<std::string_view> device, std::optional<bool> copy) {
        if (!PyObject_HasAttrString(x.ptr(), "__dlpack__")) {
          throw DTypeError("[from_dlpack] " + type_of(x.ptr()) + " has no __dlpack__");
        }
        const Tensor t =
            is_tensor(x.ptr()) ? from_memory(x.ptr(), copy) : from_exporter(x.ptr(), copy);
        return device ? t.to_device(Device(*device)) : t;
      },
      nb::arg("x"), nb::kw_only(), nb::arg("device") = nb::none(), nb::arg("copy") = nb::none(),
      "A tensor of another library's array, by DLPack. copy=False shares the memory, which must "
      "not change then.");
}

}  // namespace ember::python
