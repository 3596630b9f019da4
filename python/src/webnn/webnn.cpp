// Contexts of the package webnn, which create tensors and run graphs.
#include "python/src/webnn/webnn.h"

#include <cstring>

#include "ember/backend.h"
#include "ember/onnx.h"
#include "ember/runtime.h"
#include "python/src/train/training.h"
#include "src/webnn/state.h"

namespace ember::python {

using namespace webnn;
using nb::arg;

const MLContext& default_webnn_context() {
  static const MLContext& c = *new MLContext(createContext());
  return c;
}

namespace {

// ---- contexts ----

// Pending work is completed before Python ends: a thread that requests Python's lock later would be
// ended in the middle of it.
std::vector<std::weak_ptr<ContextState>> live;
void finish_work() {
  for (const auto& weak : live) {
    if (const auto c = weak.lock()) MLContext(c).wait();
  }
}

void warn(PyObject* kind, const std::string& what) {
  if (PyErr_WarnEx(kind, what.c_str(), 1) < 0) throw nb::python_error();
}

nb::object create_context(std::string power, bool accelerated, std::string_view device_type,
                          std::optional<std::string> engine, std::optional<std::string> device) {
  MLContextOptions o{.powerPreference = std::move(power),
                     .accelerated = accelerated,
                     .engine = engine.value_or(""),
                     .device = device.value_or("")};
  if (device_type != "auto" && device_type != "cpu" && device_type != "gpu" &&
      device_type != "npu") {
    throw ValueError("device_type must be 'auto', 'cpu', 'gpu' or 'npu', not '" +
                     std::string(device_type.substr(0, 100)) + "'");
  }
  WebnnContext c;
  if (device == "npu") {  // not an engine's device, but a kind, as in device_type
    device_type = "npu";
    device.reset();
    o.device.clear();
  }
  if (!device && device_type == "cpu") o.device = "cpu";
  if (!device && (device_type == "gpu" || device_type == "npu")) {
    const auto [best, where] = engine ? std::pair(*engine, Device()) : auto_select_backend();
    o.engine = best;
    o.device = to_string(where);
    if (engine) o.device = "gpu";
    if (!engine && where.kind == Device::cpu) {
      o.engine.clear();
      c.fallback = "no engine here has a " + std::string(device_type);
    }
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
  if (!c.fallback.empty()) {
    warn(PyExc_RuntimeWarning, "tensors stay in host memory and " +
                                   std::string(c.context.engine()) + " computes on " +
                                   to_string(c.context.device()) + ": " + c.fallback);
  }
  return nb::cast(std::move(c));
}

nb::dict backend_info_of(const WebnnContext& c) {
  nb::dict d;
  nb::dict compiled;
  bool onnx = false;
  {
    std::vector<BackendInfo> all;
    {
      const Waiting loading;
      all = ember::backend_info();
    }
    for (const BackendInfo& b : all) {
      onnx |= b.name == "onnxruntime" && b.available;
      if (b.name == c.context.engine()) d["version"] = b.version;
    }
  }
  d["backend"] = webnn_backend(c.context);
  d["accelerated_available"] = c.context.accelerated();
  compiled["onnx_runtime"] = onnx;
  compiled["coreml_runtime"] = false;
  compiled["trtx_runtime"] = false;
  d["compiled_features"] = compiled;
  d["backend_available"] = true;
  if (!c.fallback.empty()) d["fallback_reason"] = c.fallback;
  d["engine"] = std::string(c.context.engine());
  d["device"] = to_string(c.context.device());
  return d;
}

nb::dict limit(std::span<const DType> types, uint32_t low, uint32_t high) {
  nb::dict d;
  nb::dict ranks;
  nb::list names;
  for (DType t : types) names.append(std::string(name(t)));
  ranks["min"] = low;
  ranks["max"] = high;
  d["dataTypes"] = names;
  d["rankRange"] = ranks;
  return d;
}
nb::dict support_limits(const WebnnContext&) {
  nb::dict all;
  all["preferredInputLayout"] = "nchw";
  all["maxTensorByteLength"] = max_tensor_bytes;
  for (const char* n : {"input", "constant", "output"}) all[n] = limit(data_types(), 0, max_rank);
  for (const Operator& op : operators()) {
    nb::dict d;
    for (const TensorLimit& l : op.limits) {
      d[l.name.c_str()] = limit(l.dataTypes, l.min_rank, l.max_rank);
    }
    all[op.name.c_str()] = d;
  }
  return all;
}

// ---- tensors ----

nb::object create_tensor(const WebnnContext& c, nb::handle shape, nb::handle data_type,
                         bool readable, bool writable, bool exportable) {
  MLTensorDescriptor d;
  d.dataType = webnn_dtype(data_type);
  d.shape = webnn_shape(shape);
  d.readable = d.writable = true;
  d.exportable = exportable;
  WebnnTensor t{c.context.createTensor(d), c.context, readable, writable, exportable};
  if (readable || writable) return nb::cast(std::move(t));
  return nb::cast(WebnnDeviceTensor{std::move(t)});
}

nb::object create_constant_tensor(const WebnnContext& c, nb::handle shape, nb::handle data_type,
                                  nb::handle data) {
  const MLOperandDescriptor type{webnn_dtype(data_type), webnn_shape(shape)};
  const WebnnData d(data.ptr(), type, "tensor");
  return nb::cast(WebnnTensor{c.context.createConstantTensor(type, d.data, d.bytes), c.context});
}

const MLGraph& graph_for(const MLContext& c, WebnnGraph& g) {
  if (!g.free || g.graph.state().context == c.shared()) return g.graph;
  for (const MLGraph& o : g.others) {
    if (o.state().context == c.shared()) return o;
  }
  g.others.push_back(rebuild(c, g.graph));
  return g.others.back();
}

nb::object create_tensor_for_graph(const WebnnContext& c, WebnnGraph& g, nb::handle shape,
                                   nb::handle data_type) {
  const MLGraph& graph = graph_for(c.context, g);
  if (graph.state().context != c.context.shared()) {
    throw ValueError("[create_tensor_for_graph] the graph belongs to another context");
  }
  const MLOperandDescriptor type{webnn_dtype(data_type), webnn_shape(shape)};
  const auto has = [&](const auto& ports) {
    return std::any_of(ports.begin(), ports.end(), [&](const auto& p) { return p.second == type; });
  };
  if (!has(graph.inputs()) && !has(graph.outputs())) {
    throw ValueError("[create_tensor_for_graph] no input or output of the graph is " +
                     to_string(Type{type.dataType, Shape(type.shape.begin(), type.shape.end())}));
  }
  return create_tensor(c, shape, data_type, false, false, false);
}

nb::object create_device_tensor(const WebnnContext& c, WebnnGraph& g, nb::handle shape,
                                nb::handle data_type, std::optional<std::string_view> device) {
  warn(PyExc_DeprecationWarning,
       "create_device_tensor() is deprecated and goes with version 1.0: create_tensor() makes "
       "device tensors by default");
  if (device && *device != "cpu" && *device != "cuda" && *device != "directml" &&
      *device != "coreml") {
    throw ValueError("Unsupported device: " + std::string(device->substr(0, 100)) +
                     ". Use 'cpu', 'cuda', 'directml', or 'coreml'");
  }
  if (const std::string has = to_string(c.context.device()); device && !has.starts_with(*device)) {
    warn(PyExc_RuntimeWarning, "the context has no device '" + std::string(*device) +
                                   "': the tensor stays with the context, on " + has);
  }
  if (graph_for(c.context, g).state().context != c.context.shared()) {
    throw ValueError("[create_device_tensor] the graph belongs to another context");
  }
  return create_tensor(c, shape, data_type, false, false, false);
}

void check_readable(const WebnnTensor& t) {
  check_live(t);
  if (!t.readable) {
    throw StateError(
        "Tensor is not readable (readable=false): create_host_tensor() makes one that is");
  }
}
void check_writable(const WebnnTensor& t) {
  check_live(t);
  if (!t.writable) {
    throw StateError(
        "Tensor is not writable (writable=false): create_host_tensor() makes one that is");
  }
}

// ---- running ----

// The tensors of a dict, without an allocation if they are few.
class Named {
 public:
  Named(PyObject* dict, const char* what) {
    if (!PyDict_Check(dict)) {
      throw DTypeError("[dispatch] " + std::string(what) +
                       " must be a dict of tensors by name, not " + type_of(dict));
    }
    const size_t size = size_t(PyDict_GET_SIZE(dict));
    if (size > few_.size()) many_.resize(size);
    std::pair<std::string_view, MLTensor>* at = size > few_.size() ? many_.data() : few_.data();
    PyObject* key;
    PyObject* value;
    for (Py_ssize_t i = 0; PyDict_Next(dict, &i, &key, &value);) {
      Py_ssize_t n = 0;
      const char* text = PyUnicode_Check(key) ? PyUnicode_AsUTF8AndSize(key, &n) : nullptr;
      if (!text && PyErr_Occurred()) throw nb::python_error();
      if (!text) {
        throw DTypeError("[dispatch] the names of " + std::string(what) + " must be strings, not " +
                         type_of(key));
      }
      const WebnnTensor* t = as_webnn_tensor(value);
      if (!t) {
        throw DTypeError("[dispatch] '" + std::string(text, size_t(n)) + "': '" + type_of(value) +
                         "' object is not an instance of 'MLTensor'");
      }
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
  const Named in(inputs.ptr(), "inputs");
  const Named out(outputs.ptr(), "outputs");
  c.context.dispatch(graph_for(c.context, g), in, out);
}

nb::dict compute(const WebnnContext& c, WebnnGraph& g, nb::dict inputs, nb::object) {
  const MLGraph& graph = graph_for(c.context, g);
  std::vector<std::pair<std::string_view, MLTensor>> in;
  std::vector<std::pair<std::string_view, MLTensor>> out;
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
  for (const auto& [name, t] : out) results[nb::cast(std::string(name))] = read_webnn(c.context, t);
  return results;
}

// Calls done(array, None) or done(None, error), once, on any thread.
void read_later(const WebnnContext& c, const WebnnTensor& t, nb::object done) {
  check_readable(t);
  auto held = std::shared_ptr<nb::object>(new nb::object(std::move(done)), [](nb::object* o) {
    if (!Py_IsInitialized()) return;
    const Gil lock;
    delete o;
  });
  const MLOperandDescriptor type{t.tensor.dataType(), t.tensor.shape()};
  c.context.readTensor(t.tensor,
                       [held, type](std::exception_ptr error, std::span<const std::byte> bytes) {
                         if (!Py_IsInitialized()) return;
                         const Gil lock;
                         nb::object value = nb::none();
                         nb::object failure = nb::none();
                         try {
                           if (error) std::rethrow_exception(error);
                           WebnnResult r(type);
                           std::memcpy(r.into(), bytes.data(), bytes.size());
                           value = r.done();
                         } catch (...) {
                           set_error();
                           PyObject* type;
                           PyObject* what;
                           PyObject* trace;
                           PyErr_Fetch(&type, &what, &trace);
                           PyErr_NormalizeException(&type, &what, &trace);
                           failure = nb::steal(what);
                           Py_XDECREF(type);
                           Py_XDECREF(trace);
                         }
                         try {
                           (*held)(value, failure);
                         } catch (nb::python_error& e) {
                           e.discard_as_unraisable("MLContext.read_tensor_async");
                         }
                       });
}

void convert_to_onnx(const WebnnContext&, const WebnnGraph& g, nb::handle path) {
  const GraphState& s = g.graph.state();
  std::vector<Tensor> inputs;
  std::vector<Tensor> outputs;
  onnx::SaveOptions names;
  for (const MLOperand& i : s.input_operands) {
    inputs.push_back(i.state().tensor);
    names.inputs.push_back(i.name());
  }
  for (size_t i = 0; i < s.outputs.size(); ++i) {
    outputs.push_back(s.output_operands[i].state().tensor);
    names.outputs.push_back(s.outputs[i].first);
  }
  const std::string target = path_of(path);
  const Waiting others_may_work;
  onnx::save(target, inputs, outputs, names);
}

// Parts of signatures.
#define GRAPH ", graph: MLGraph"
#define TENSORS ": Mapping[str, MLTensor]"
#define SHAPE ", shape: Sequence[int], data_type: str"

void add_context(nb::module_& m) {
  const char* how =
      "Runs the graph: inputs and outputs are dicts of tensors by name. It does not wait; "
      "read_tensor does.";
  nb::class_<WebnnContext>(
      m, "MLContext",
      "A context for building and running graphs: an engine and one of its devices.")
      .def(
          "create_graph_builder",
          [](nb::handle self) {
            return nb::module_::import_("webnn").attr("MLGraphBuilder")(self);
          },
          nb::sig("def create_graph_builder(self) -> webnn.MLGraphBuilder"))
      .def("dispatch", &dispatch, arg("graph"), arg("inputs"), arg("outputs"),
           nb::sig("def dispatch(self" GRAPH ", inputs" TENSORS ", outputs" TENSORS ") -> None"),
           how)
      .def("dispatch_with_host_tensors", &dispatch, arg("graph"), arg("inputs"), arg("outputs"),
           nb::sig("def dispatch_with_host_tensors(self" GRAPH ", inputs" TENSORS
                   ", outputs" TENSORS ") -> None"),
           how)
      .def("dispatch_with_device_tensors", &dispatch, arg("graph"), arg("inputs"), arg("outputs"),
           nb::sig("def dispatch_with_device_tensors(self" GRAPH ", inputs" TENSORS
                   ", outputs" TENSORS ") -> None"),
           how)
      .def("compute", &compute, arg("graph"), arg("inputs"), arg("_outputs") = nb::none(),
           nb::sig("def compute(self" GRAPH
                   ", inputs: Mapping[str, ArrayLike], _outputs: object = None) -> dict[str, Any]"),
           "Runs the graph with a dict of arrays and returns a dict of arrays.")
      .def("create_tensor", &create_tensor, arg("shape"), arg("data_type"), arg("readable") = false,
           arg("writable") = false, arg("exportable_to_gpu") = false,
           nb::sig("def create_tensor(self" SHAPE
                   ", readable: bool = False, writable: bool = False, exportable_to_gpu: bool = "
                   "False) -> MLTensor"),
           "A tensor of zeros: an MLDeviceTensor, which stays where the context computes, unless "
           "it shall be readable or writable.")
      .def(
          "create_host_tensor",
          [](const WebnnContext& c, nb::handle shape, nb::handle type) {
            return create_tensor(c, shape, type, true, true, false);
          },
          arg("shape"), arg("data_type"),
          nb::sig("def create_host_tensor(self" SHAPE ") -> MLTensor"),
          "A tensor that can be read and written.")
      .def("create_constant_tensor", &create_constant_tensor, arg("shape"), arg("data_type"),
           arg("data"),
           nb::sig("def create_constant_tensor(self" SHAPE ", data: ArrayLike) -> MLTensor"),
           "A tensor for MLGraphBuilder.constant, shared by the graphs that use it.")
      .def("create_tensor_for_graph", &create_tensor_for_graph, arg("graph"), arg("shape"),
           arg("data_type"),
           nb::sig("def create_tensor_for_graph(self" GRAPH SHAPE ") -> MLDeviceTensor"),
           "A device tensor; create_tensor needs no graph.")
      .def("create_device_tensor", &create_device_tensor, arg("graph"), arg("shape"),
           arg("data_type"), arg("device") = nb::none(),
           nb::sig("def create_device_tensor(self" GRAPH SHAPE
                   ", device: str | None = None) -> MLDeviceTensor"),
           "Deprecated: create_tensor creates device tensors.")
      .def(
          "read_tensor",
          [](const WebnnContext& c, const WebnnTensor& t) {
            check_readable(t);
            return read_webnn(c.context, t.tensor);
          },
          arg("tensor"), nb::sig("def read_tensor(self, tensor: MLTensor) -> Any"),
          "The value as an array of its data type, after all earlier operations.")
      .def(
          "write_tensor",
          [](const WebnnContext& c, const WebnnTensor& t, nb::handle data) {
            check_writable(t);
            write_webnn(c.context, t.tensor, data.ptr());
          },
          arg("tensor"), arg("data"),
          nb::sig("def write_tensor(self, tensor: MLTensor, data: ArrayLike) -> None"),
          "Replaces the value by an array or lists of numbers.")
      .def("_read_later", &read_later, arg("tensor"), arg("done"),
           nb::sig("def _read_later(self, tensor: MLTensor, done: Callable[[Any, BaseException | "
                   "None], object]) -> None"))
      .def("convert_to_onnx", &convert_to_onnx, arg("graph"), arg("path"),
           nb::sig("def convert_to_onnx(self" GRAPH ", path: str | PathLike[str]) -> None"),
           "Writes the graph as an ONNX model; very large weights go to a file beside it.")
      .def("op_support_limits", &support_limits)
      .def("backend_info", &backend_info_of)
      .def(
          "destroy", [](const WebnnContext& c) { c.context.destroy(); },
          "Destroys the context; it cannot be used afterwards.")
      .def_prop_ro("lost", [](const WebnnContext& c) { return c.context.lost(); })
      .def_prop_ro("power_preference",
                   [](const WebnnContext& c) { return c.context.powerPreference(); })
      .def_prop_ro("accelerated", [](const WebnnContext& c) { return c.context.accelerated(); })
      .def("__repr__", [](const WebnnContext& c) {
        return "MLContext(accelerated=" + std::string(c.context.accelerated() ? "true" : "false") +
               ", power='" + c.context.powerPreference() + "')";
      });
}

void add_namespace(nb::module_& m) {
  struct Namespace {};
  nb::class_<Namespace>(m, "ML", "Makes contexts.")
      .def(nb::init<>())
      .def(
          "create_context",
          [](const Namespace&, std::string power, bool accelerated, std::string_view type,
             std::optional<std::string> engine, std::optional<std::string> device) {
            return create_context(std::move(power), accelerated, type, std::move(engine),
                                  std::move(device));
          },
          arg("power_preference") = "default", arg("accelerated") = true,
          arg("device_type") = "auto", nb::kw_only(), arg("engine") = nb::none(),
          arg("device") = nb::none(),
          nb::sig("def create_context(self, power_preference: str = \"default\", accelerated: bool "
                  "= True, device_type: str = \"auto\", *, engine: str | None = None, "
                  "device: str | None = None) -> MLContext"),
          "A context. engine: one of Ember's backends, native unless named; device: one of its "
          "devices. A missing device falls back to the CPU with a warning.");
}

}  // namespace

void add_webnn(nb::module_& core) {
  nb::module_ m = core.def_submodule("webnn", "The interfaces of the package webnn.");
  add_webnn_tensors(m);
  add_webnn_graph(m);
  add_context(m);
  add_namespace(m);
  add_webnn_builder(m);
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(&finish_work));
  for (auto [name, value] : nb::cast<nb::dict>(m.attr("__dict__"))) {
    if (PyType_Check(nb::handle(value).ptr())) nb::handle(value).attr("__module__") = "webnn";
  }
}

}  // namespace ember::python