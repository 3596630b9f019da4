// Contexts, tensors and graphs of the package webnn.
#include "python/webnn.h"

#include <nanobind/stl/map.h>

#include <cstring>

#include "ember/backend.h"
#include "ember/onnx.h"
#include "ember/runtime.h"
#include "python/memory.h"
#include "python/training.h"
#include "src/webnn/state.h"

namespace ember::python {

using namespace webnn;
using nb::arg;

DType webnn_dtype(nb::handle name) {
  const auto t = PyUnicode_Check(name.ptr()) ? parse_dtype(nb::cast<std::string_view>(name)) : try_dtype(name.ptr());
  if (!t || std::find(data_types().begin(), data_types().end(), *t) == data_types().end())
    throw ValueError("Unsupported data type: " + nb::cast<std::string>(nb::str(name)).substr(0, 100));
  return *t;
}

Dimensions webnn_shape(nb::handle shape) {
  if (!PySequence_Check(shape.ptr()) || PyUnicode_Check(shape.ptr())) throw DTypeError("a shape is a list of integers, not " + type_of(shape.ptr()));
  Dimensions d;
  for (nb::handle h : nb::borrow<nb::sequence>(shape)) {
    if (!PyIndex_Check(h.ptr()) || PyBool_Check(h.ptr())) throw DTypeError("a shape is a list of integers, not of " + type_of(h.ptr()));
    const nb::object i = nb::steal(PyNumber_Index(h.ptr()));
    int overflow = 0;
    const long long v = i.is_valid() ? PyLong_AsLongLongAndOverflow(i.ptr(), &overflow) : 0;
    if (PyErr_Occurred()) throw nb::python_error();
    if (overflow || v < 0 || v > UINT32_MAX) {
      PyErr_Format(PyExc_OverflowError, "a dimension of %R: out of range integral type conversion attempted", i.ptr());
      throw nb::python_error();
    }
    d.push_back(uint32_t(v));
  }
  return d;
}

const MLContext& default_webnn_context() {
  static const MLContext& c = *new MLContext(createContext());
  return c;
}

namespace {

bool nibbles(DType t) { return t == DType::int4 || t == DType::uint4; }
DType held_as(DType t) { return t == DType::int4 ? DType::int8 : t == DType::uint4 ? DType::uint8 : t; }
nb::list list_of(const Dimensions& d) {
  nb::list l;
  for (uint32_t n : d) l.append(n);
  return l;
}
std::string text_of(const Dimensions& d) { return to_string(Shape(d.begin(), d.end())); }

}  // namespace

Tensor webnn_array(PyObject* o, std::optional<DType> want) {
  const with_backend native("native");
  Tensor t;
  if (is_tensor(o)) t = tensor_of(o);
  else if (PyObject_CheckBuffer(o)) {
    try {
      t = from_memory(o, false);
    } catch (const ValueError&) {
      t = from_memory(o, {});
    }
  } else t = to_array(o, {.dtype = want});
  if (is_complex(t.dtype())) throw DTypeError("complex numbers have no place in WebNN's tensors");
  return want && t.dtype() != *want ? ops::astype(t, *want) : t;
}

// A buffer that is what is asked for already: the way of all arrays that were made with care.
bool WebnnData::shared(PyObject* o, const MLOperandDescriptor& type) {
  if (nibbles(type.dataType) || !PyObject_CheckBuffer(o)) return false;
  if (PyObject_GetBuffer(o, &view_, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) < 0) return PyErr_Clear(), false;
  const std::string_view codes = is_float(type.dataType) ? "ef" : is_unsigned(type.dataType) ? "BHILQ" : "bhilq";
  const bool same = view_.format && view_.format[0] && !view_.format[1] && codes.find(view_.format[0]) != codes.npos && size_t(view_.itemsize) == size_of(type.dataType) &&
                    std::equal(type.shape.begin(), type.shape.end(), view_.shape, view_.shape + view_.ndim);
  if (same) data = view_.buf, bytes = size_t(view_.len);
  else PyBuffer_Release(&view_);
  return same;
}

WebnnData::WebnnData(PyObject* o, const MLOperandDescriptor& type, const char* what) {
  if (shared(o, type)) return;
  tensor_ = webnn_array(o, held_as(type.dataType));
  if (tensor_.shape() != Shape(type.shape.begin(), type.shape.end()))
    throw ShapeError("Shape mismatch: " + std::string(what) + " has shape " + text_of(type.shape) + ", but data has shape " + to_string(tensor_.shape()));
  data = tensor_.data_ptr(), bytes = byte_length(type);
  if (!nibbles(type.dataType)) return;
  packed_.resize(bytes);
  const auto* in = static_cast<const uint8_t*>(data);
  for (int64_t i = 0; i < tensor_.size(); ++i) packed_[size_t(i / 2)] |= std::byte((in[i] & 15) << i % 2 * 4);
  data = packed_.data();
}

namespace {

PyTypeObject *tensor_class = nullptr, *device_tensor_class = nullptr;
const WebnnTensor* as_tensor(PyObject* o) {
  const bool yes = Py_TYPE(o) == tensor_class || Py_TYPE(o) == device_tensor_class || PyType_IsSubtype(Py_TYPE(o), tensor_class);
  return yes ? nb::inst_ptr<WebnnTensor>(o) : nullptr;
}

// ---- results: NumPy's arrays where it can be imported, else Ember's tensors ----

struct NumPy {
  nb::object empty, types[dtype_count];
};
NumPy* numpy() {
  static NumPy* known = nullptr;
  if (known) return known;
  try {
    nb::module_ m = nb::module_::import_("numpy");
    auto* n = new NumPy{m.attr("empty")};
    for (DType t : data_types()) n->types[size_t(t)] = m.attr("dtype")(std::string(name(held_as(t))));
    return known = n;
  } catch (nb::python_error& e) {
    if (!e.matches(PyExc_ImportError)) throw;
    return nullptr;
  }
}

// An array of the type, and what to fill with its bytes as they are read.
struct Result {
  explicit Result(const MLOperandDescriptor& type) : type(type) {
    if (NumPy* n = numpy()) {
      nb::object shape = nb::steal(PyTuple_New(Py_ssize_t(type.shape.size())));
      for (size_t i = 0; i < type.shape.size(); ++i) PyTuple_SET_ITEM(shape.ptr(), Py_ssize_t(i), PyLong_FromUnsignedLong(type.shape[i]));
      PyObject* args[] = {shape.ptr(), n->types[size_t(type.dataType)].ptr()};
      array = nb::steal(PyObject_Vectorcall(n->empty.ptr(), args, 2, nullptr));
      if (!array.is_valid() || PyObject_GetBuffer(array.ptr(), &view, PyBUF_WRITABLE) < 0) throw nb::python_error();
    } else memory.resize(elements() * size_of(type.dataType));
    if (nibbles(type.dataType)) packed.resize(byte_length(type));
  }
  Result(const Result&) = delete;
  ~Result() { if (view.obj) PyBuffer_Release(&view); }
  size_t elements() const {
    size_t n = 1;
    for (uint32_t d : type.shape) n *= d;
    return n;
  }
  std::byte* data() { return view.obj ? static_cast<std::byte*>(view.buf) : memory.data(); }
  std::byte* into() { return packed.empty() ? data() : packed.data(); }
  nb::object done() {
    if (!packed.empty())
      for (size_t i = 0; i < elements(); ++i) {
        const auto v = uint8_t(packed[i / 2] >> (i % 2 * 4)) & 15;
        data()[i] = std::byte(type.dataType == DType::int4 && v > 7 ? v - 16 : v);
      }
    if (array.is_valid()) return array;
    const Tensor t = from_data(memory.data(), held_as(type.dataType), Shape(type.shape.begin(), type.shape.end()));
    return object(nibbles(type.dataType) ? t.astype(type.dataType) : t);
  }
  MLOperandDescriptor type;
  nb::object array;
  Py_buffer view{};
  std::vector<std::byte> memory, packed;
};

constexpr size_t large = 1 << 16;  // copying less takes less time than letting go of the lock

nb::object read(const MLContext& c, const MLTensor& t) {
  Result r({t.dataType(), t.shape()});
  const size_t bytes = byte_length(r.type);
  std::optional<Waiting> others_may_work;
  if (bytes > large) others_may_work.emplace();
  c.readTensor(t, r.into(), bytes);
  others_may_work.reset();
  return r.done();
}
void write(const MLContext& c, const MLTensor& t, PyObject* data) {
  const WebnnData d(data, {t.dataType(), t.shape()}, "tensor");
  std::optional<Waiting> others_may_work;
  if (d.bytes > large) others_may_work.emplace();
  c.writeTensor(t, d.data, d.bytes);
}

void check_live(const WebnnTensor& t) {
  if (t.tensor.destroyed()) throw StateError("Tensor has been destroyed");
}
void check_readable(const WebnnTensor& t) {
  check_live(t);
  if (!t.readable) throw StateError("Tensor is not readable (readable=false): create_host_tensor() makes one that is");
}
void check_writable(const WebnnTensor& t) {
  check_live(t);
  if (!t.writable) throw StateError("Tensor is not writable (writable=false): create_host_tensor() makes one that is");
}

// ---- contexts ----

// Work that is left when Python ends is done first: a thread that asks for Python's lock after that would be ended in the middle of it.
std::vector<std::weak_ptr<ContextState>> live;
void finish_work() {
  for (const auto& weak : live)
    if (const auto c = weak.lock()) MLContext(c).wait();
}

void warn(PyObject* kind, const std::string& what) {
  if (PyErr_WarnEx(kind, what.c_str(), 1) < 0) throw nb::python_error();
}

nb::object create_context(std::string power, bool accelerated, std::string_view device_type, std::optional<std::string> engine, std::optional<std::string> device) {
  MLContextOptions o{.powerPreference = std::move(power), .accelerated = accelerated, .engine = engine.value_or(""), .device = device.value_or("")};
  if (device_type != "auto" && device_type != "cpu" && device_type != "gpu" && device_type != "npu")
    throw ValueError("device_type must be 'auto', 'cpu', 'gpu' or 'npu', not '" + std::string(device_type.substr(0, 100)) + "'");
  WebnnContext c;
  if (!device && device_type == "cpu") o.device = "cpu";
  if (!device && (device_type == "gpu" || device_type == "npu")) {
    const auto [best, where] = engine ? std::pair(*engine, Device()) : auto_select_backend();
    o.engine = best, o.device = to_string(where);
    if (engine) o.device = "gpu";
    if (!engine && where.kind == Device::cpu) o.engine.clear(), c.fallback = "no engine here has a " + std::string(device_type);
  }
  try {
    c.context = createContext(o);
  } catch (const DeviceError& e) {
    c.fallback = e.what();
    o.device.clear();
    c.context = createContext(o);
  }
  std::erase_if(live, [](const auto& old) { return old.expired(); });
  live.push_back(c.context.shared());
  if (!c.fallback.empty())
    warn(PyExc_RuntimeWarning, "tensors stay in host memory and " + std::string(c.context.engine()) + " computes on " + to_string(c.context.device()) + ": " + c.fallback);
  return nb::cast(std::move(c));
}

// pywebnn's words, where they fit.
std::string backend_of(const MLContext& c) {
  if (c.engine() != "onnxruntime") return std::string(c.engine());
  return c.device().kind == Device::cpu ? "onnx_cpu" : "onnx_gpu";
}

nb::dict backend_info_of(const WebnnContext& c) {
  nb::dict d, compiled;
  bool onnx = false;
  {
    std::vector<BackendInfo> all;
    { const Waiting loading; all = ember::backend_info(); }
    for (const BackendInfo& b : all) {
      onnx |= b.name == "onnxruntime" && b.available;
      if (b.name == c.context.engine()) d["version"] = b.version;
    }
  }
  d["backend"] = backend_of(c.context);
  d["accelerated_available"] = c.context.accelerated();
  compiled["onnx_runtime"] = onnx, compiled["coreml_runtime"] = false, compiled["trtx_runtime"] = false;
  d["compiled_features"] = compiled;
  d["backend_available"] = true;
  if (!c.fallback.empty()) d["fallback_reason"] = c.fallback;
  d["engine"] = std::string(c.context.engine());
  d["device"] = to_string(c.context.device());
  return d;
}

nb::dict limit(std::span<const DType> types, uint32_t low, uint32_t high) {
  nb::dict d, ranks;
  nb::list names;
  for (DType t : types) names.append(std::string(name(t)));
  ranks["min"] = low, ranks["max"] = high;
  d["dataTypes"] = names, d["rankRange"] = ranks;
  return d;
}
nb::dict support_limits(const WebnnContext&) {
  nb::dict all;
  all["preferredInputLayout"] = "nchw";
  all["maxTensorByteLength"] = max_tensor_bytes;
  for (const char* n : {"input", "constant", "output"}) all[n] = limit(data_types(), 0, max_rank);
  for (const Operator& op : operators()) {
    nb::dict d;
    for (const TensorLimit& l : op.limits) d[l.name.c_str()] = limit(l.dataTypes, l.min_rank, l.max_rank);
    all[op.name.c_str()] = d;
  }
  return all;
}

// ---- tensors ----

nb::object create_tensor(const WebnnContext& c, nb::handle shape, nb::handle data_type, bool readable, bool writable, bool exportable) {
  MLTensorDescriptor d;
  d.dataType = webnn_dtype(data_type), d.shape = webnn_shape(shape);
  d.readable = d.writable = true, d.exportable = exportable;
  WebnnTensor t{c.context.createTensor(d), c.context, readable, writable, exportable};
  if (readable || writable) return nb::cast(std::move(t));
  return nb::cast(WebnnDeviceTensor{std::move(t)});
}

nb::object create_constant_tensor(const WebnnContext& c, nb::handle shape, nb::handle data_type, nb::handle data) {
  const MLOperandDescriptor type{webnn_dtype(data_type), webnn_shape(shape)};
  const WebnnData d(data.ptr(), type, "tensor");
  return nb::cast(WebnnTensor{c.context.createConstantTensor(type, d.data, d.bytes), c.context});
}

const MLGraph& graph_for(const MLContext& c, WebnnGraph& g) {
  if (!g.free || g.graph.state().context == c.shared()) return g.graph;
  for (const MLGraph& o : g.others)
    if (o.state().context == c.shared()) return o;
  g.others.push_back(rebuild(c, g.graph));
  return g.others.back();
}

nb::object create_tensor_for_graph(const WebnnContext& c, WebnnGraph& g, nb::handle shape, nb::handle data_type) {
  if (graph_for(c.context, g).state().context != c.context.shared()) throw ValueError("[create_tensor_for_graph] the graph belongs to another context");
  return create_tensor(c, shape, data_type, false, false, false);
}

nb::object create_device_tensor(const WebnnContext& c, WebnnGraph& g, nb::handle shape, nb::handle data_type, std::optional<std::string_view> device) {
  warn(PyExc_DeprecationWarning, "create_device_tensor() is deprecated and goes with version 1.0: create_tensor() makes device tensors by default");
  if (device && *device != "cpu" && *device != "cuda" && *device != "directml" && *device != "coreml")
    throw ValueError("Unsupported device: " + std::string(device->substr(0, 100)) + ". Use 'cpu', 'cuda', 'directml', or 'coreml'");
  if (const std::string has = to_string(c.context.device()); device && !has.starts_with(*device))
    warn(PyExc_RuntimeWarning, "the context has no device '" + std::string(*device) + "': the tensor stays with the context, on " + has);
  return create_tensor_for_graph(c, g, shape, data_type);
}

// ---- running ----

// The tensors of a dict, without memory of their own as long as they are few.
class Named {
 public:
  Named(PyObject* dict, const char* what) {
    if (!PyDict_Check(dict)) throw DTypeError("[dispatch] " + std::string(what) + " must be a dict of tensors by name, not " + type_of(dict));
    const size_t size = size_t(PyDict_GET_SIZE(dict));
    if (size > few_.size()) many_.resize(size);
    std::pair<std::string_view, MLTensor>* at = size > few_.size() ? many_.data() : few_.data();
    PyObject *key, *value;
    for (Py_ssize_t i = 0; PyDict_Next(dict, &i, &key, &value);) {
      Py_ssize_t n = 0;
      const char* text = PyUnicode_Check(key) ? PyUnicode_AsUTF8AndSize(key, &n) : nullptr;
      if (!text && PyErr_Occurred()) throw nb::python_error();
      if (!text) throw DTypeError("[dispatch] the names of " + std::string(what) + " are strings, not " + type_of(key));
      const WebnnTensor* t = as_tensor(value);
      if (!t) throw DTypeError("[dispatch] '" + std::string(text, size_t(n)) + "': '" + type_of(value) + "' object is not an instance of 'MLTensor'");
      *at++ = {std::string_view(text, size_t(n)), t->tensor};
    }
    view_ = {size > few_.size() ? many_.data() : few_.data(), size};
  }
  operator MLNamedTensors() const { return view_; }

 private:
  std::array<std::pair<std::string_view, MLTensor>, 8> few_;
  std::vector<std::pair<std::string_view, MLTensor>> many_;
  MLNamedTensors view_;
};

void dispatch(const WebnnContext& c, WebnnGraph& g, nb::handle inputs, nb::handle outputs) {
  const Named in(inputs.ptr(), "inputs"), out(outputs.ptr(), "outputs");
  c.context.dispatch(graph_for(c.context, g), in, out);
}

nb::dict compute(const WebnnContext& c, WebnnGraph& g, nb::dict inputs, nb::object) {
  const MLGraph& graph = graph_for(c.context, g);
  std::vector<std::pair<std::string_view, MLTensor>> in, out;
  for (const auto& [name, type] : graph.inputs()) {
    const nb::object key = nb::cast(name);
    PyObject* value = PyDict_GetItemWithError(inputs.ptr(), key.ptr());
    if (!value && PyErr_Occurred()) throw nb::python_error();
    if (!value) throw ValueError("Missing input: " + name);
    MLTensorDescriptor d{type};
    d.writable = true;
    in.emplace_back(name, c.context.createTensor(d));
    const WebnnData data(value, type, ("input '" + name + "'").c_str());
    c.context.writeTensor(in.back().second, data.data, data.bytes);
  }
  for (const auto& [name, type] : graph.outputs()) {
    MLTensorDescriptor d{type};
    d.readable = true;
    out.emplace_back(name, c.context.createTensor(d));
  }
  c.context.dispatch(graph, in, out);
  nb::dict results;
  for (const auto& [name, t] : out) results[nb::cast(std::string(name))] = read(c.context, t);
  return results;
}

// done(array, None) or done(None, error), once, on any thread.
void read_later(const WebnnContext& c, const WebnnTensor& t, nb::object done) {
  check_readable(t);
  auto held = std::shared_ptr<nb::object>(new nb::object(std::move(done)), [](nb::object* o) {
    if (!Py_IsInitialized()) return;
    nb::gil_scoped_acquire lock;
    delete o;
  });
  const MLOperandDescriptor type{t.tensor.dataType(), t.tensor.shape()};
  c.context.readTensor(t.tensor, [held, type](std::exception_ptr error, std::span<const std::byte> bytes) {
    if (!Py_IsInitialized()) return;
    nb::gil_scoped_acquire lock;
    nb::object value = nb::none(), failure = nb::none();
    try {
      if (error) std::rethrow_exception(error);
      Result r(type);
      std::memcpy(r.into(), bytes.data(), bytes.size());
      value = r.done();
    } catch (...) {
      set_error();
      PyObject *type, *what, *trace;
      PyErr_Fetch(&type, &what, &trace);
      PyErr_NormalizeException(&type, &what, &trace);
      failure = nb::steal(what);
      Py_XDECREF(type), Py_XDECREF(trace);
    }
    try {
      (*held)(value, failure);
    } catch (nb::python_error& e) {
      e.discard_as_unraisable("MLContext.read_tensor_async");
    }
  });
}

// ---- graphs ----

void convert_to_onnx(const WebnnContext&, const WebnnGraph& g, nb::handle path) {
  const GraphState& s = g.graph.state();
  std::vector<Tensor> inputs, outputs;
  onnx::SaveOptions names;
  for (const MLOperand& i : s.input_operands) inputs.push_back(i.state().tensor), names.inputs.push_back(i.name());
  for (size_t i = 0; i < s.outputs.size(); ++i) outputs.push_back(s.output_operands[i].state().tensor), names.outputs.push_back(s.outputs[i].first);
  const std::string target = path_of(path);
  const Waiting others_may_work;
  onnx::save(target, inputs, outputs, names);
}

nb::object load_graph(nb::handle path, nb::handle manifest, nb::handle weights, const WebnnContext* context, const std::map<std::string, uint32_t>& sizes) {
  MLGraphFiles files;
  if (!manifest.is_none()) files.manifest = path_of(manifest);
  if (!weights.is_none()) files.weights = path_of(weights);
  files.sizes.insert(sizes.begin(), sizes.end());
  return nb::cast(WebnnGraph{load(context ? context->context : default_webnn_context(), path_of(path), files), context == nullptr});
}

// Every operand: inputs, constants, results, in this order.
std::vector<MLOperand> operands_of(const WebnnGraph& g) {
  const GraphState& s = g.graph.state();
  std::vector<MLOperand> all(s.input_operands);
  all.insert(all.end(), s.constants.begin(), s.constants.end());
  for (const Operation& o : s.operations) all.insert(all.end(), o.results.begin(), o.results.end());
  return all;
}
std::string repr(const MLOperand& o) {
  return "MLOperand(name='" + (o.name().empty() ? "unnamed" : o.name()) + "', dtype='" + std::string(name(o.dataType())) + "', shape=" + text_of(o.shape()) + ")";
}
size_t scalars(const WebnnGraph& g, bool constants_only) {
  size_t n = 0;
  for (const MLOperand& o : operands_of(g)) n += o.shape().empty() && (!constants_only || o.state().constant);
  return n;
}

void add_tensors(nb::module_& m) {
  const auto yes_no = [](bool b) { return b ? "true" : "false"; };
  auto tensor = nb::class_<WebnnTensor>(m, "MLTensor", "A tensor of a context. It reads as zeros until something is written or dispatched to it.")
      .def_prop_ro("data_type", [](const WebnnTensor& t) { return std::string(name(t.tensor.dataType())); })
      .def_prop_ro("shape", [](const WebnnTensor& t) { return list_of(t.tensor.shape()); }, nb::for_getter(nb::sig("def shape(self) -> list[int]")))
      .def_prop_ro("size", [](const WebnnTensor& t) {
        size_t n = 1;
        for (uint32_t d : t.tensor.shape()) n *= d;
        return n;
      })
      .def_ro("readable", &WebnnTensor::readable)
      .def_ro("writable", &WebnnTensor::writable)
      .def_ro("exportable_to_gpu", &WebnnTensor::exportable)
      .def_prop_ro("constant", [](const WebnnTensor& t) { return t.tensor.constant(); })
      .def_prop_ro("materialized", [](const WebnnTensor& t) { return t.tensor.materialized(); }, "Its storage exists: it was written, read or dispatched.")
      .def("destroy", [](WebnnTensor& t) {
        if (t.tensor.destroyed()) throw StateError("Tensor has already been destroyed (already destroyed)");
        t.tensor.destroy();
      }, "Frees it; a second time is an error.")
      .def("__dlpack__", [](const WebnnTensor& t, nb::kwargs options) {
        check_live(t);
        if (!t.exportable && !t.tensor.constant()) throw StateError("Tensor is not exportable (exportable_to_gpu=false)");
        return object(t.tensor.value()).attr("__dlpack__")(**options);
      }, nb::sig("def __dlpack__(self, **options: object) -> object"), "Its value now, in host memory, without a copy.")
      .def("__dlpack_device__", [](const WebnnTensor&) { return std::pair(1, 0); })
      .def("__repr__", [yes_no](const WebnnTensor& t) {
        return "MLTensor(shape=" + text_of(t.tensor.shape()) + ", dtype=" + std::string(name(t.tensor.dataType())) + ", readable=" + yes_no(t.readable) +
               ", writable=" + yes_no(t.writable) + ", exportable_to_gpu=" + yes_no(t.exportable) + ")";
      });
  auto device = nb::class_<WebnnDeviceTensor, WebnnTensor>(m, "MLDeviceTensor", "A tensor that stays where the context computes.")
      .def_prop_ro("device", [](const WebnnTensor& t) { return to_string(t.context.device()); })
      .def_prop_ro("backend", [](const WebnnTensor& t) { return backend_of(t.context); })
      .def("read", [](const WebnnTensor& t) {
        check_live(t);
        return read(t.context, t.tensor);
      }, nb::sig("def read(self) -> Any"), "Its value as an array.")
      .def("write", [](const WebnnTensor& t, nb::handle data) {
        check_live(t);
        write(t.context, t.tensor, data.ptr());
      }, arg("data"), nb::sig("def write(self, data: ArrayLike) -> None"), "Another value for it.")
      .def("__repr__", [](const WebnnTensor& t) {
        return "MLDeviceTensor(shape=" + text_of(t.tensor.shape()) + ", dtype=" + std::string(name(t.tensor.dataType())) + ", device=" + to_string(t.context.device()) +
               ", backend=" + backend_of(t.context) + ")";
      });
  tensor_class = reinterpret_cast<PyTypeObject*>(tensor.ptr()), device_tensor_class = reinterpret_cast<PyTypeObject*>(device.ptr());
}

void add_graph(nb::module_& m) {
  nb::class_<MLOperand>(m, "MLOperand", "A value inside a graph that is being built.")
      .def_prop_ro("data_type", [](const MLOperand& o) { return std::string(name(o.dataType())); })
      .def_prop_ro("shape", [](const MLOperand& o) { return list_of(o.shape()); }, nb::for_getter(nb::sig("def shape(self) -> list[int]")))
      .def_prop_ro("name", [](const MLOperand& o) { return o.name().empty() ? std::nullopt : std::optional(o.name()); })
      .def("__repr__", &repr);
  const auto names = [](const std::vector<std::pair<std::string, MLOperandDescriptor>>& all) {
    std::vector<std::string> r;
    for (const auto& [name, type] : all) r.push_back(name);
    return r;
  };
  nb::class_<WebnnGraph>(m, "MLGraph", "A graph that is compiled.")
      .def_prop_ro("operand_count", [](const WebnnGraph& g) { return operands_of(g).size(); })
      .def_prop_ro("operation_count", [](const WebnnGraph& g) { return g.graph.state().operations.size(); })
      .def_prop_ro("devices", [](const WebnnGraph& g) { return g.graph.devices(); })
      .def("get_input_names", [names](const WebnnGraph& g) { return names(g.graph.inputs()); })
      .def("get_output_names", [names](const WebnnGraph& g) { return names(g.graph.outputs()); })
      .def("save", [](const WebnnGraph& g, nb::handle path, bool quantized) { save(g.graph, path_of(path), quantized); }, arg("path"), arg("quantized") = false,
           nb::sig("def save(self, path: str | PathLike[str], quantized: bool = False) -> None"),
           "Writes the graph to path, .webnn or .json, and its constants to a .safetensors file beside it.")
      .def_static("load", &load_graph, arg("path"), arg("manifest_path") = nb::none(), arg("weights_path") = nb::none(), nb::kw_only(), arg("context") = nb::none(),
                  arg("sizes") = std::map<std::string, uint32_t>(),
                  nb::sig("def load(path: str | PathLike[str], manifest_path: str | PathLike[str] | None = None, weights_path: str | PathLike[str] | None = None, *, "
                          "context: MLContext | None = None, sizes: Mapping[str, int] = {}) -> MLGraph"),
                  "A graph from a file. sizes: of its dynamic dimensions, by name. Without a context, any context may run it.")
      .def("destroy", [](WebnnGraph& g) { g.graph.destroy(); for (MLGraph& o : g.others) o.destroy(); })
      .def("debug_operand", [](const WebnnGraph& g, size_t idx) {
        const auto all = operands_of(g);
        return idx < all.size() ? "Operand[" + std::to_string(idx) + "]: " + repr(all[idx]) : "Operand[" + std::to_string(idx) + "]: not found";
      }, arg("idx"))
      .def("count_empty_shapes", [](const WebnnGraph& g) { return scalars(g, false); }, "How many operands are scalars.")
      .def("count_scalar_constants", [](const WebnnGraph& g) { return scalars(g, true); })
      .def("count_unknown_shapes", [](const WebnnGraph&) { return 0; }, "None: every shape is known.")
      .def("count_unknown_shapes_excluding_scalar_ops", [](const WebnnGraph&) { return 0; })
      .def("debug_unknown_shapes", [](const WebnnGraph&) { return std::vector<std::string>(); })
      .def("debug_unknown_shapes_structured", [](const WebnnGraph&) { return nb::list(); })
      .def("__repr__", [](const WebnnGraph& g) {
        return "MLGraph(operands=" + std::to_string(operands_of(g).size()) + ", operations=" + std::to_string(g.graph.state().operations.size()) + ")";
      });
}

}  // namespace

// Parts of signatures.
#define GRAPH ", graph: MLGraph"
#define TENSORS ": Mapping[str, MLTensor]"
#define SHAPE ", shape: Sequence[int], data_type: str"

void add_webnn(nb::module_& core) {
  nb::module_ m = core.def_submodule("webnn", "The interfaces of the package webnn.");
  add_tensors(m);
  add_graph(m);
  const char* how = "Runs the graph: inputs and outputs are dicts of tensors by name. It does not wait; read_tensor does.";
  nb::class_<WebnnContext>(m, "MLContext", "Where graphs are built and run: an engine and one of its devices.")
      .def("create_graph_builder", [](nb::handle self) { return nb::module_::import_("webnn").attr("MLGraphBuilder")(self); }, nb::sig("def create_graph_builder(self) -> webnn.MLGraphBuilder"))
      .def("dispatch", &dispatch, arg("graph"), arg("inputs"), arg("outputs"), nb::sig("def dispatch(self" GRAPH ", inputs" TENSORS ", outputs" TENSORS ") -> None"), how)
      .def("dispatch_with_host_tensors", &dispatch, arg("graph"), arg("inputs"), arg("outputs"),
           nb::sig("def dispatch_with_host_tensors(self" GRAPH ", inputs" TENSORS ", outputs" TENSORS ") -> None"), how)
      .def("dispatch_with_device_tensors", &dispatch, arg("graph"), arg("inputs"), arg("outputs"),
           nb::sig("def dispatch_with_device_tensors(self" GRAPH ", inputs" TENSORS ", outputs" TENSORS ") -> None"), how)
      .def("compute", &compute, arg("graph"), arg("inputs"), arg("_outputs") = nb::none(),
           nb::sig("def compute(self" GRAPH ", inputs: Mapping[str, ArrayLike], _outputs: object = None) -> dict[str, Any]"), "Runs the graph with arrays by name and gives arrays by name.")
      .def("create_tensor", &create_tensor, arg("shape"), arg("data_type"), arg("readable") = false, arg("writable") = false, arg("exportable_to_gpu") = false,
           nb::sig("def create_tensor(self" SHAPE ", readable: bool = False, writable: bool = False, exportable_to_gpu: bool = False) -> MLTensor"),
           "A tensor of zeros: an MLDeviceTensor, which stays where the context computes, unless it shall be readable or writable.")
      .def("create_host_tensor", [](const WebnnContext& c, nb::handle shape, nb::handle type) { return create_tensor(c, shape, type, true, true, false); }, arg("shape"), arg("data_type"),
           nb::sig("def create_host_tensor(self" SHAPE ") -> MLTensor"),
           "A tensor that can be read and written.")
      .def("create_constant_tensor", &create_constant_tensor, arg("shape"), arg("data_type"), arg("data"),
           nb::sig("def create_constant_tensor(self" SHAPE ", data: ArrayLike) -> MLTensor"), "A tensor for MLGraphBuilder.constant, shared by the graphs that take it.")
      .def("create_tensor_for_graph", &create_tensor_for_graph, arg("graph"), arg("shape"), arg("data_type"),
           nb::sig("def create_tensor_for_graph(self" GRAPH SHAPE ") -> MLDeviceTensor"), "A device tensor; create_tensor needs no graph.")
      .def("create_device_tensor", &create_device_tensor, arg("graph"), arg("shape"), arg("data_type"), arg("device") = nb::none(),
           nb::sig("def create_device_tensor(self" GRAPH SHAPE ", device: str | None = None) -> MLDeviceTensor"), "Deprecated: create_tensor makes device tensors.")
      .def("read_tensor", [](const WebnnContext& c, const WebnnTensor& t) {
        check_readable(t);
        return read(c.context, t.tensor);
      }, arg("tensor"), nb::sig("def read_tensor(self, tensor: MLTensor) -> Any"), "Its value as an array of its data type, after all that was asked for before.")
      .def("write_tensor", [](const WebnnContext& c, const WebnnTensor& t, nb::handle data) {
        check_writable(t);
        write(c.context, t.tensor, data.ptr());
      }, arg("tensor"), arg("data"), nb::sig("def write_tensor(self, tensor: MLTensor, data: ArrayLike) -> None"), "Another value for it: an array, or lists of numbers.")
      .def("_read_later", &read_later, arg("tensor"), arg("done"), nb::sig("def _read_later(self, tensor: MLTensor, done: Callable[[Any, BaseException | None], object]) -> None"))
      .def("convert_to_onnx", &convert_to_onnx, arg("graph"), arg("path"), nb::sig("def convert_to_onnx(self" GRAPH ", path: str | PathLike[str]) -> None"),
           "Writes the graph as an ONNX model; very large weights go to a file beside it.")
      .def("op_support_limits", &support_limits)
      .def("backend_info", &backend_info_of)
      .def("destroy", [](const WebnnContext& c) { c.context.destroy(); }, "The context is lost: nothing can be asked of it any more.")
      .def_prop_ro("lost", [](const WebnnContext& c) { return c.context.lost(); })
      .def_prop_ro("power_preference", [](const WebnnContext& c) { return c.context.powerPreference(); })
      .def_prop_ro("accelerated", [](const WebnnContext& c) { return c.context.accelerated(); })
      .def("__repr__", [](const WebnnContext& c) {
        return "MLContext(accelerated=" + std::string(c.context.accelerated() ? "true" : "false") + ", power='" + c.context.powerPreference() + "')";
      });
  struct Namespace {};
  nb::class_<Namespace>(m, "ML", "Makes contexts.")
      .def(nb::init<>())
      .def("create_context", [](const Namespace&, std::string power, bool accelerated, std::string_view type, std::optional<std::string> engine, std::optional<std::string> device) {
        return create_context(std::move(power), accelerated, type, std::move(engine), std::move(device));
      }, arg("power_preference") = "default", arg("accelerated") = true, arg("device_type") = "auto", nb::kw_only(), arg("engine") = nb::none(), arg("device") = nb::none(),
         nb::sig("def create_context(self, power_preference: str = \"default\", accelerated: bool = True, device_type: str = \"auto\", *, engine: str | None = None, "
                 "device: str | None = None) -> MLContext"),
         "A context. engine: one of Ember's backends, native unless named; device: one of its devices. A device that is not here gives way to the CPU, with a warning.");
  add_webnn_builder(m);
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(&finish_work));
  for (auto [name, value] : nb::cast<nb::dict>(m.attr("__dict__")))
    if (PyType_Check(nb::handle(value).ptr())) nb::handle(value).attr("__module__") = "webnn";
}

}  // namespace ember::python
