// The extension: errors, backends, gradients, files. Tensors and ops have files of their own.
#include <nanobind/stl/function.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/tuple.h>
#include <unistd.h>

#include <cstring>

#include "ember/backend.h"
#include "ember/custom_gradient.h"
#include "ember/grad.h"
#include "ember/io.h"
#include "ember/memory.h"
#include "ember/print.h"
#include "ember/row.h"
#include "ember/runtime.h"
#include "python/src/train/training.h"

namespace ember::python {
namespace {

// ---- Errors: Ember's kinds, each also one of Python's own ----
struct Kind {
  const char* name;
  PyObject* const* base;
  void (*match)();  // rethrows the current exception and catches this kind
  PyObject* type = nullptr;
};
template <class E> void match() {
  try {
    throw;
  } catch (const E&) {}
}
Kind kinds[] = {{"ShapeError", &PyExc_ValueError, match<ShapeError>},
                {"DTypeError", &PyExc_TypeError, match<DTypeError>},
                {"IndexError", &PyExc_IndexError, match<IndexError>},
                {"ValueError", &PyExc_ValueError, match<ValueError>},
                {"DeviceError", &PyExc_RuntimeError, match<DeviceError>},
                {"UnsupportedError", &PyExc_NotImplementedError, match<UnsupportedError>},
                {"EngineError", &PyExc_RuntimeError, match<EngineError>},
                {"StateError", &PyExc_RuntimeError, match<StateError>},
                {"MemoryError", &PyExc_MemoryError, match<MemoryError>},
                {"IoError", &PyExc_OSError, match<IoError>}};
PyObject* base_error = nullptr;

PyObject* type_of_error() {
  for (const Kind& k : kinds) {
    try {
      k.match();
      return k.type;
    } catch (...) {}
  }
  return base_error;
}

PyObject* type_named(std::string_view name) {
  for (const Kind& k : kinds) {
    if (k.name == name) return k.type;
  }
  return base_error;
}

// Messages quote names from files, which may be any bytes.
void set_message(PyObject* type, const char* text) {
  PyObject* const message =
      PyUnicode_DecodeUTF8(text, Py_ssize_t(std::strlen(text)), "backslashreplace");
  if (!message) return;  // another error is set
  PyErr_SetObject(type, message);
  Py_DECREF(message);
}

// ---- Python's lock and Ctrl-C ----
void* release() { return PyGILState_Check() ? PyEval_SaveThread() : nullptr; }
void acquire(void* state) {
  outlive([=] { PyEval_RestoreThread(static_cast<PyThreadState*>(state)); });
}
// What a signal's handler raised, from poll() until the call that was interrupted returns: no
// Python code may run with it set.
struct Held {
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  void fetch() { PyErr_Fetch(&type, &value, &trace); }
  void restore() {
    if (type) {
      PyErr_Restore(std::exchange(type, nullptr), std::exchange(value, nullptr),
                    std::exchange(trace, nullptr));
    } else {
      PyErr_SetNone(PyExc_KeyboardInterrupt);
    }
  }
};
constinit thread_local Held held;

bool interrupted() {
  // signals are the main thread's; others would wait for the lock in vain
  if (gettid() != getpid() || !Py_IsInitialized()) {
    return false;
  }
  const Gil lock;
  const bool yes = PyErr_CheckSignals() != 0;
  if (yes) held.fetch();
  return yes;
}

void hold() { held.fetch(); }

std::vector<std::string> package_folders() {
  const Gil lock;
  std::vector<std::string> r;
  for (nb::handle folder : nb::module_::import_("sys").attr("path")) {
    if (PyUnicode_Check(folder.ptr()) && nb::len(folder)) {
      r.push_back(nb::cast<std::string>(folder));
    }
  }
  return r;
}

struct Scope {
  std::string name;
  std::optional<with_backend> on;
};
struct Mode {
  bool enabled;
  std::optional<grad_mode> on;
};

TensorMap tensor_map(const nb::dict& d) {
  TensorMap m;
  for (auto [k, v] : d) m[name_of(k)] = to_array(nb::handle(v).ptr(), {});
  return m;
}
bool is_path(nb::handle o) { return PyUnicode_Check(o.ptr()) || nb::hasattr(o, "__fspath__"); }

void save_any(nb::object a, nb::object b) {
  if (!is_path(a)) std::swap(a, b);  // both orders are in use
  if (!is_path(a)) {
    throw DTypeError("[save] takes a path and a tensor, or a path and a dict of tensors");
  }
  const std::string path = path_of(a);
  if (nb::isinstance<nb::dict>(b)) {
    save(path, tensor_map(nb::borrow<nb::dict>(b)));
  } else {
    save(path, to_array(b.ptr(), {}));
  }
}
nb::object load_any(nb::handle path, bool mmap) {
  const std::string p = path_of(path);
  Metadata meta;
  const TensorMap all = load_all(p, mmap, &meta);
  if (all.size() == 1 && (all.begin()->first == "tensor" || p.ends_with(".npy"))) {
    return object(all.begin()->second);
  }
  nb::dict d;
  for (const auto& [k, v] : all) d[name_object(k)] = object(v);
  return d;
}

}  // namespace

std::string name_of(nb::handle o) {
  if (!PyUnicode_Check(o.ptr())) throw DTypeError("a name must be a str, not " + type_of(o.ptr()));
  Py_ssize_t size = 0;
  if (const char* text = PyUnicode_AsUTF8AndSize(o.ptr(), &size)) return {text, size_t(size)};
  PyErr_Clear();
  throw ValueError("the name " + nb::cast<std::string>(nb::steal(PyObject_ASCII(o.ptr()))) +
                   " holds a lone surrogate, which UTF-8 cannot write");
}
nb::object name_object(std::string_view utf8) {
  PyObject* const text = PyUnicode_DecodeUTF8(utf8.data(), Py_ssize_t(utf8.size()), nullptr);
  if (text) return nb::steal(text);
  PyErr_Clear();
  const nb::bytes bytes(utf8.data(), utf8.size());
  throw ValueError("a name is not UTF-8: " + nb::cast<std::string>(nb::repr(bytes)));
}

void set_error() noexcept {
  try {
    outlive([] { throw; });
  } catch (nb::python_error& e) {
    e.restore();
  } catch (const nb::builtin_exception& e) {
    PyErr_SetString(
        e.type() == nb::exception_type::buffer_error ? PyExc_BufferError : PyExc_RuntimeError,
        e.what());
  } catch (const Interrupted&) {
    held.restore();
  } catch (const Error& e) {
    set_message(type_of_error(), e.what());
  } catch (const nb::cast_error&) {
    if (!PyErr_Occurred()) {
      PyErr_SetString(type_named("DTypeError"), "an argument has the wrong type");
    }
  } catch (const std::bad_alloc&) {
    PyErr_SetString(type_named("MemoryError"), "out of memory");
  } catch (const std::exception& e) {
    set_message(PyExc_RuntimeError, e.what());
  } catch (...) {
    PyErr_SetString(PyExc_SystemError, "an unknown error");
  }
}

void add_errors(nb::module_& m) {
  base_error = PyErr_NewExceptionWithDoc("ember_ml.errors.Error", "Every error that Ember raises.",
                                         PyExc_Exception, nullptr);
  m.attr("Error") = nb::borrow(base_error);
  for (Kind& k : kinds) {
    nb::object bases = nb::make_tuple(nb::borrow(base_error), nb::borrow(*k.base));
    k.type = PyErr_NewException((std::string("ember_ml.errors.") + k.name).c_str(), bases.ptr(),
                                nullptr);
    if (!k.type) throw nb::python_error();
    m.attr(k.name) = nb::borrow(k.type);
  }
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    if (!p) set_error();  // no exception, but the end of the thread
    try {
      std::rethrow_exception(p);
    } catch (const Interrupted&) {
      set_error();
    } catch (const Error&) {
      set_error();
    } catch (const nb::cast_error&) {
      set_error();
    } catch (const std::bad_alloc&) {
      set_error();
    }
  });
}

void add_backends(nb::module_& m) {
  m.def(
      "set_backend", [](std::string_view name, bool persist) { set_backend(name, persist); },
      nb::arg("backend"), nb::kw_only(), nb::arg("persist") = false,
      "Selects the backend of subsequent ops; persist: also for later processes.");
  m.def("get_backend", &get_backend, "The name of the current engine.");
  m.def(
      "get_available_backends",
      [] {
        const Waiting loading;
        return get_available_backends();
      },
      "The available backends.");
  m.def(
      "auto_select_backend",
      [] {
        const auto [name, device] = auto_select_backend();
        return nb::make_tuple(name, to_string(device));
      },
      "Selects and returns the best available backend and device.");
  m.def(
      "get_device",
      [](std::optional<Tensor> t) { return to_string(t ? t->device() : get_device()); },
      nb::arg("tensor") = nb::none(), "The current device, or that of a tensor.");
  m.def(
      "set_device", [](std::string_view d) { set_device(Device(d)); }, nb::arg("device"),
      "Selects the device of subsequent ops.");
  m.def(
      "to_device", [](const Tensor& t, std::string_view d) { return t.to_device(Device(d)); },
      nb::arg("x"), nb::arg("device"), "The same value on another device.");
  m.def(
      "get_available_devices",
      [] {
        std::vector<std::string> r;
        for (Device d : get_available_devices()) r.push_back(to_string(d));
        return r;
      },
      "The current engine's devices.");
  m.def(
      "synchronize",
      [](nb::handle) {
        const Waiting for_the_device;
        synchronize();
      },
      nb::arg("device") = nb::none(), "Waits for all work of the devices.");
  nb::class_<Scope>(m, "using_backend", "A context manager that selects a backend on this thread.")
      .def(nb::init<std::string>(), nb::arg("name"))
      .def("__enter__",
           [](Scope& s) {
             s.on.emplace(s.name);
             return s.name;
           })
      .def("__exit__", [](Scope& s, nb::args) { s.on.reset(); });
  m.def(
      "backend_info",
      [] {
        nb::list all;
        for (const BackendInfo& b : backend_info()) {
          nb::dict d;
          d["name"] = b.name;
          d["available"] = b.available;
          d["reason"] = b.reason;
          d["version"] = b.version;
          d["devices"] = b.devices;
          d["ops"] = b.ops;
          all.append(d);
        }
        return all;
      },
      "All known backends, and the reason for each that is not available.");
  m.def(
      "memory_stats",
      [] {
        const MemoryStats s = memory_stats();
        return std::map<std::string, size_t>{
            {"used", s.used}, {"cached", s.cached}, {"peak", s.peak}};
      },
      "Bytes in use, cached, and at the peak.");
  m.def("reset_peak_memory", &memory::reset_peak, "Resets the peak to the bytes in use.");
  m.def("clear_cache", &clear_cache, "Returns cached memory to the system.");
  m.def(
      "counters",
      [] {
        const Counters c = counters();
        return std::map<std::string, uint64_t>{{"compiled", c.compiled},
                                               {"cache_hits", c.cache_hits},
                                               {"evaluations", c.evaluations},
                                               {"fallbacks", c.fallbacks},
                                               {"copies", c.copies}};
      },
      "Counts of evaluations, compilations, copies and fallbacks.");
  m.def("get_default_dtype", &default_float, "The default float dtype.");
  m.def(
      "set_default_dtype", [](nb::handle t) { set_default_float(to_dtype(t.ptr())); },
      nb::arg("dtype"), "Sets the default float dtype.");
}

// A function that is called again when a gradient is taken, and dropped, maybe on other threads.
std::shared_ptr<nb::object> shared(nb::object f) {
  return std::shared_ptr<nb::object>(new nb::object(std::move(f)), [](nb::object* o) {
    if (!Py_IsInitialized()) return;
    const Gil lock;
    delete o;
  });
}

void add_gradients(nb::module_& m) {
  m.def("eval", [](const std::vector<Tensor>& ts) { eval(ts); }, nb::arg("tensors"));
  m.def(
      "gradients",
      [](const std::vector<Tensor>& ys, const std::vector<Tensor>& xs,
         const std::vector<Tensor>& gs, bool create_graph, bool retain_graph, bool allow_unused) {
        return gradients(ys, xs, gs,
                         {.retain_graph = retain_graph,
                          .create_graph = create_graph,
                          .allow_unused = allow_unused});
      },
      nb::arg("ys"), nb::arg("xs"), nb::arg("gs") = nb::list(), nb::arg("create_graph") = false,
      nb::arg("retain_graph") = false, nb::arg("allow_unused") = true,
      "The gradients of sum(ys * gs) with respect to xs.");
  m.def("grad_enabled", &grad_enabled, "Whether gradients are enabled.");
  nb::class_<Mode>(m, "GradMode")
      .def(nb::init<bool>(), nb::arg("enabled"))
      .def("__enter__", [](Mode& s) { s.on.emplace(s.enabled); })
      .def("__exit__", [](Mode& s, nb::args) { s.on.reset(); });
  // f gets and gives tensors; what else it returns is handed through as it is.
  m.def(
      "value_and_grad",
      [](nb::callable f, const std::vector<Tensor>& args, bool has_aux) {
        nb::object aux = nb::none();
        ValueAndGrad r = value_and_grad(
            [&](const Tensors& a) {
              nb::object result = call_python(f, tuple_of(a));
              if (has_aux) {
                aux = result[1];
                result = result[0];
              }
              if (!is_tensor(result.ptr())) {
                throw DTypeError("[grad] the function must return a tensor, not " +
                                 std::string(Py_TYPE(result.ptr())->tp_name));
              }
              return tensor_of(result.ptr());
            },
            args);
        return nb::make_tuple(object(r.value), nb::cast(r.grads), aux);
      },
      nb::arg("f"), nb::arg("args"), nb::arg("has_aux") = false);
  m.def(
      "checkpoint",
      [](nb::callable f, const std::vector<Tensor>& args) {
        return memory::checkpoint(
            [held = shared(std::move(f))](const Tensors& a) {
              const Gil lock;
              const nb::object result = call_python(*held, tuple_of(a));
              if (!is_tensor(result.ptr())) {
                throw DTypeError("[checkpoint] the function must return a tensor, not " +
                                 std::string(Py_TYPE(result.ptr())->tp_name));
              }
              return tensor_of(result.ptr());
            },
            args);
      },
      nb::arg("f"), nb::arg("args"));
  m.def(
      "with_gradient",
      [](const Tensor& y, const std::vector<Tensor>& inputs, nb::callable vjp) {
        return with_gradient(y, inputs, [held = shared(std::move(vjp))](const Tensor& g) {
          const Gil lock;
          Tensors gradients;
          for (nb::handle given : call_python_with(*held, object(g))) {
            gradients.push_back(given.is_none() ? Tensor() : tensor_of(given.ptr()));
          }
          return gradients;
        });
      },
      nb::arg("y"), nb::arg("inputs"), nb::arg("vjp"));
  m.def(
      "get_random_state",
      [] {
        const auto s = ops::get_random_state();
        return nb::make_tuple(s.key, s.counter);
      },
      "The key and counter of the random generator.");
  m.def(
      "set_random_state",
      [](std::pair<uint64_t, uint64_t> s) { ops::set_random_state({s.first, s.second}); },
      nb::arg("state"), "Restores the state of the random generator.");
}

void add_files(nb::module_& m) {
  m.def("save", &save_any, nb::arg("filepath"), nb::arg("obj"),
        "Writes a tensor (.npy, .safetensors) or a dict of tensors (.safetensors, .npz), "
        "atomically.");
  m.def("load", &load_any, nb::arg("filepath"), nb::arg("mmap") = false,
        "Reads a file: one tensor, or a dict of them. Never runs code.");
  m.def(
      "load_metadata",
      [](nb::handle path) {
        Metadata meta;
        load_all(path_of(path), true, &meta);
        return meta;
      },
      nb::arg("path"), "The metadata of a safetensors file.");
}

void add_print(nb::module_& m) {
  m.def(
      "get_printoptions",
      [] {
        const PrintOptions o = print_options();
        nb::dict d;
        d["precision"] = o.precision;
        d["threshold"] = o.threshold;
        d["edgeitems"] = o.edgeitems;
        d["linewidth"] = o.linewidth;
        d["suppress"] = o.suppress;
        return d;
      },
      "The print options of tensors.");
  m.def(
      "set_printoptions",
      [](std::optional<int> precision, std::optional<int64_t> threshold,
         std::optional<int64_t> edgeitems, std::optional<int64_t> linewidth,
         std::optional<bool> suppress) {
        PrintOptions o = print_options();
        o.precision = precision.value_or(o.precision);
        o.threshold = threshold.value_or(o.threshold);
        o.edgeitems = edgeitems.value_or(o.edgeitems);
        o.linewidth = linewidth.value_or(o.linewidth);
        o.suppress = suppress.value_or(o.suppress);
        set_print_options(o);
      },
      nb::kw_only(), nb::arg("precision") = nb::none(), nb::arg("threshold") = nb::none(),
      nb::arg("edgeitems") = nb::none(), nb::arg("linewidth") = nb::none(),
      nb::arg("suppress") = nb::none(),
      "Sets the print options of tensors, like NumPy's function of that name.");
}

// What the rows say, for tests and tools.
void add_rows(nb::module_& m) {
  m.def("rows", [] {
    nb::list l;
    for (const Row* r : all_rows()) {
      nb::list args;
      for (const Field& f : r->fields) {
        args.append(nb::make_tuple(f.name, f.type, f.fallback, f.variadic));
      }
      nb::dict d;
      d["name"] = r->name;
      d["args"] = args;
      d["result"] = r->call.result;
      d["results"] = r->results;
      d["signature"] = signature(*r);
      d["doc"] = r->doc;
      d["family"] = r->family;
      d["kinds"] = int(r->kinds);
      d["kind"] = r->id == OpId::leaf ? "function" : r->compose ? "composite" : "primitive";
      l.append(d);
    }
    return l;
  });
  m.def("aliases", [] {
    nb::dict d;
    for (const Alias& a : aliases()) d[a.name] = a.target;
    return d;
  });
  m.def("watch_ops", &watch_ops, nb::arg("on"));
  m.def("watched_ops", [] {
    nb::list l;
    for (const Taken& t : watched_ops()) {
      l.append(nb::make_tuple(std::string(name(t.op)), int(t.how)));
    }
    return l;
  });
}

void add_info(nb::module_& m) {
  const auto of = [](nb::handle o) {
    return is_tensor(o.ptr()) ? tensor_of(o.ptr()).dtype() : to_dtype(o.ptr());
  };
  nb::class_<ops::FloatInfo>(m, "finfo", "The limits of a floating-point dtype.")
      .def(
          "__init__",
          [of](ops::FloatInfo* p, nb::handle type) {
            new (p) ops::FloatInfo(ops::finfo(of(type)));
          },
          nb::arg("type"))
      .def_ro("bits", &ops::FloatInfo::bits)
      .def_ro("eps", &ops::FloatInfo::eps)
      .def_ro("max", &ops::FloatInfo::max)
      .def_ro("min", &ops::FloatInfo::min)
      .def_ro("smallest_normal", &ops::FloatInfo::smallest_normal)
      .def_ro("smallest_subnormal", &ops::FloatInfo::smallest_subnormal)
      .def_prop_ro("dtype", [](const ops::FloatInfo& i) { return i.dtype; })
      .def_prop_ro("tiny", [](const ops::FloatInfo& i) { return i.smallest_normal; });
  nb::class_<ops::IntInfo>(m, "iinfo", "The limits of an integer dtype.")
      .def(
          "__init__",
          [of](ops::IntInfo* p, nb::handle type) { new (p) ops::IntInfo(ops::iinfo(of(type))); },
          nb::arg("type"))
      .def_ro("bits", &ops::IntInfo::bits)
      .def_ro("max", &ops::IntInfo::max)
      .def_ro("min", &ops::IntInfo::min)
      .def_prop_ro("dtype", [](const ops::IntInfo& i) { return i.dtype; });
}

}  // namespace ember::python

NB_MODULE(_core, m) {
  using namespace ember::python;
  nb::set_leak_warnings(false);
  m.attr("__version__") = EMBER_VERSION;
  ember::set_runtime({release, acquire, interrupted, package_folders, hold});
  nb::module_::import_("os").attr("register_at_fork")(
      nb::arg("before") = nb::cpp_function(ember::before_fork),
      nb::arg("after_in_parent") = nb::cpp_function(ember::after_fork));
  add_errors(m);
  add_dtype(m);
  add_tensor(m);
  add_exchange(m);
  add_functions(m);
  add_backends(m);
  add_gradients(m);
  add_files(m);
  add_print(m);
  add_info(m);
  add_rows(m);
  finish_functions(m);
  add_nn(m);
  add_training(m);
  add_webnn(m);
  add_onnx(m);
  add_export(m);
}
