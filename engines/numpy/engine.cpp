// The numpy engine: kernels.py compiles a slice into one Python function. Values and arrays share
// their memory.
#include <map>
#include <mutex>

#include "ember/engine.h"
#include "engines/numpy/python.h"

namespace ember::numpy {
namespace {

constexpr const char kernels[] =
#include "kernels_py.inc"
    ;

// NumPy's public array interface, the C struct behind __array_struct__.
struct ArrayInterface {
  int two = 2, dims = 0;
  char kind = 'f';
  int itemsize = 0, flags = 0;
  intptr_t *shape = nullptr, *strides = nullptr;  // in bytes
  void* data = nullptr;
  PyObject* descr = nullptr;
};
enum : int { contiguous = 1, aligned = 0x100, not_swapped = 0x200 };

// The dtypes' names in kernels.py and kinds in the interface. NumPy does not have bfloat16:
// kernels.py views its bits.
constexpr struct {
  const char* name;
  char kind;
} dtypes[dtype_count] = {{"bool", 'b'},      {"int4", 'i'},    {"uint4", 'u'},   {"int8", 'i'},
                         {"uint8", 'u'},     {"int16", 'i'},   {"uint16", 'u'},  {"int32", 'i'},
                         {"uint32", 'u'},    {"int64", 'i'},   {"uint64", 'u'},  {"float16", 'f'},
                         {"bfloat16", 'u'},  {"float32", 'f'}, {"float64", 'f'}, {"complex64", 'c'},
                         {"complex128", 'c'}};

Ref text(std::string_view s) {
  return Ref(python().PyUnicode_FromStringAndSize(s.data(), intptr_t(s.size())));
}
Ref text(DType t) { return text(dtypes[size_t(t)].name); }
Ref integer(int64_t v) { return Ref(python().PyLong_FromLongLong(v)); }
Ref number(double v) { return Ref(python().PyFloat_FromDouble(v)); }

// A tuple of n objects, each made by make(i).
template <class F> Ref tuple(size_t n, F&& make) {
  const Python& py = python();
  Ref t(py.PyTuple_New(intptr_t(n)));
  for (size_t i = 0; i < n; ++i) {
    if (py.PyTuple_SetItem(t.get(), intptr_t(i), make(i).release()) != 0) throw_python_error();
  }
  return t;
}
template <class... R> Ref pack(R... items) {
  Ref* all[] = {&items...};
  return tuple(sizeof...(items), [&](size_t i) { return std::move(*all[i]); });
}
template <class Range> Ref integers(const Range& values) {
  return tuple(values.size(), [&](size_t i) { return integer(int64_t(values[i])); });
}

std::string string_of(PyObject* object) {
  intptr_t size = 0;
  const char* s = python().PyUnicode_AsUTF8AndSize(object, &size);
  if (!s) throw_python_error();
  return {s, size_t(size)};
}

struct AttrsToDict : FieldVisitor {
  Ref dict{python().PyDict_New()};
  void set(const char* name, Ref v) {
    if (python().PyDict_SetItemString(dict.get(), name, v.get()) != 0) throw_python_error();
  }
  void field(const char* name, int64_t v) override { set(name, integer(v)); }
  void field(const char* name, double v) override { set(name, number(v)); }
  void field(const char* name, const Ints& v) override { set(name, integers(v)); }
};

struct ModeOf : FieldVisitor {
  int64_t mode = 0;
  void field(const char* name, int64_t v) override {
    if (std::string_view(name) == "mode") mode = v;
  }
  void field(const char*, double) override {}
  void field(const char*, const Ints&) override {}
};

// An input: Ember's memory, read-only for NumPy. The capsule holds a reference to it.
struct Loan {
  ArrayInterface array;
  Ints shape, strides;
  Storage* storage = nullptr;
};

Ref lend(const Value& v, const SliceNode& leaf) {
  if (!v.storage) throw StateError("an input has no memory");
  auto loan = std::make_unique<Loan>();
  const int64_t size = int64_t(size_of(leaf.dtype));
  loan->shape = leaf.shape;
  loan->strides = v.strided ? v.strides : Ints(leaf.shape.size());
  if (!v.strided) {
    int64_t step = 1;
    for (size_t i = leaf.shape.size(); i-- > 0; step *= leaf.shape[i]) loan->strides[i] = step;
  }
  if (loan->strides.size() != loan->shape.size()) {
    throw StateError("the strides of an input do not match its shape");
  }
  for (int64_t& s : loan->strides) s *= size;
  ArrayInterface& a = loan->array;
  a.dims = int(leaf.shape.size());
  a.kind = dtypes[size_t(leaf.dtype)].kind;
  a.itemsize = int(size);
  a.flags = aligned | not_swapped;
  static_assert(sizeof(intptr_t) == sizeof(int64_t));
  a.shape = reinterpret_cast<intptr_t*>(loan->shape.data());
  a.strides = reinterpret_cast<intptr_t*>(loan->strides.data());
  static std::byte nothing[64];
  a.data = v.storage->data ? v.storage->data + v.offset * size : nothing;
  Ref capsule(python().PyCapsule_New(loan.get(), nullptr, [](PyObject* c) {
    std::unique_ptr<Loan> done(static_cast<Loan*>(python().PyCapsule_GetPointer(c, nullptr)));
    drop(done->storage);
  }));
  loan->storage = v.storage;
  retain(v.storage);
  loan.release();
  return capsule;
}

const ArrayInterface& interface_of(PyObject* capsule) {
  auto* a = static_cast<const ArrayInterface*>(python().PyCapsule_GetPointer(capsule, nullptr));
  if (!a) throw_python_error();
  return *a;
}

// The memory of an array that owns it: adopted, or shared with an earlier output that has the same.
Storage* adopt_array(PyObject* capsule, std::span<const Value> earlier) {
  const ArrayInterface& a = interface_of(capsule);
  for (const Value& v : earlier) {
    if (v.storage->data == a.data) return retain(v.storage), v.storage;
  }
  size_t bytes = size_t(a.itemsize);
  for (int i = 0; i < a.dims; ++i) bytes *= size_t(a.shape[i]);
  python().Py_IncRef(capsule);
  try {
    return adopt(a.data, bytes, capsule,
                 [](void* owner) { forget(static_cast<PyObject*>(owner)); });
  } catch (...) {
    python().Py_DecRef(capsule);
    throw;
  }
}

// An output of give(): the array's capsule and the owner of its memory, which is -1 (the array),
// the index of an input, or the capsule of another array.
Value receive(PyObject* pair, std::span<const Value> in, std::span<const Value> earlier) {
  const Python& py = python();
  PyObject* array = py.PyTuple_GetItem(pair, 0);
  PyObject* from = py.PyTuple_GetItem(pair, 1);
  if (!array || !from) throw_python_error();
  const ArrayInterface& a = interface_of(array);
  Value v;
  if (py.PyCapsule_IsValid(from, nullptr)) {
    v.storage = adopt_array(from, earlier);
  } else {
    const long long place = py.PyLong_AsLongLong(from);
    if (place >= 0 && size_t(place) < in.size()) {
      retain(v.storage = in[size_t(place)].storage);
    } else if (!py.PyErr_Occurred()) {
      v.storage = adopt_array(array, earlier);
    } else {
      throw_python_error();
    }
  }
  if (v.storage->data) v.offset = (static_cast<std::byte*>(a.data) - v.storage->data) / a.itemsize;
  v.strided = v.offset != 0 || !(a.flags & contiguous);
  for (int i = 0; i < a.dims && v.strided; ++i) v.strides.push_back(a.strides[i] / a.itemsize);
  return v;
}

class Function final : public Executable {
 public:
  Function(const Slice& slice, PyObject* compile_slice) {
    Ref nodes = tuple(slice.nodes.size(), [&](size_t i) {
      const SliceNode& n = slice.nodes[i];
      AttrsToDict attrs;
      n.attrs.visit(attrs);
      return pack(text(name(n.op)), text(n.dtype), integers(n.shape), integers(n.in),
                  std::move(attrs.dict), integer(n.param), integer(n.wanted));
    });
    const Ref args = pack(std::move(nodes), integers(slice.inputs), integers(slice.outputs));
    for (const SliceNode& n : slice.nodes) {
      if (n.op == OpId::scalar) {
        kind_of(n.param) = is_inexact(n.dtype) ? 'f' : is_unsigned(n.dtype) ? 'u' : 'i';
      }
      if (n.op == OpId::slice || n.op == OpId::slice_update) {
        for (size_t k = 0; k < n.attrs.as<SliceAttr>().steps.size(); ++k) {
          kind_of(n.param + k) = 'i';
        }
      }
    }
    for (uint32_t i : slice.inputs) {
      leaves_.emplace_back();
      leaves_.back().dtype = slice.nodes[i].dtype;
      leaves_.back().shape = slice.nodes[i].shape;
    }
    outputs_ = slice.outputs.size();
    function_ = Ref(python().call(compile_slice, args.get())).release();
  }
  ~Function() override { forget(function_); }

  void run(std::span<const Value> in, std::span<Value> out,
           std::span<const Param> params) override {
    if (in.size() != leaves_.size() || out.size() != outputs_ || params.size() < kinds_.size()) {
      throw StateError("a compiled slice with other inputs, outputs or parameters than it has");
    }
    const Gil gil;
    const Python& py = python();
    Ref inputs = tuple(in.size(), [&](size_t i) { return lend(in[i], leaves_[i]); });
    Ref numbers = tuple(kinds_.size(), [&](size_t i) {
      const Param p = params[i];
      if (kinds_[i] == 'f') return number(p.f);
      return kinds_[i] == 'u' ? Ref(py.PyLong_FromUnsignedLongLong(p.u))
                              : integer(kinds_[i] ? p.i : 0);
    });
    const Ref args = pack(std::move(inputs), std::move(numbers));
    const Ref results(py.call(function_, args.get()));
    size_t done = 0;
    try {
      for (; done < out.size(); ++done) {
        PyObject* pair = py.PyTuple_GetItem(results.get(), intptr_t(done));
        if (!pair) throw_python_error();
        out[done] = receive(pair, in, out.first(done));
      }
    } catch (...) {
      while (done-- > 0) drop(std::exchange(out[done], Value()).storage);
      throw;
    }
  }

 private:
  char& kind_of(size_t param) {
    if (param >= kinds_.size()) kinds_.resize(param + 1);
    return kinds_[param];
  }
  std::vector<SliceNode> leaves_;  // dtype and shape only
  std::vector<char> kinds_;        // of the parameters: f, i, u, or 0 for unused ones
  size_t outputs_ = 0;
  PyObject* function_ = nullptr;
};

class NumpyEngine final : public Engine {
 public:
  NumpyEngine() {
    const Gil gil;
    const Python& py = python();
    const Ref builtins(py.PyImport_ImportModule("builtins"));
    Ref scope(py.PyDict_New());
    const Ref title = text("ember.numpy.kernels");
    if (py.PyDict_SetItemString(scope.get(), "__builtins__", builtins.get()) != 0 ||
        py.PyDict_SetItemString(scope.get(), "__name__", title.get()) != 0) {
      throw_python_error();
    }
    constexpr int whole_file = 257;  // Py_file_input
    try {
      const Ref code(py.Py_CompileString(kernels, "<ember kernels.py>", whole_file));
      const Ref none(py.PyEval_EvalCode(code.get(), scope.get(), scope.get()));
      const Ref numpy(py.PyImport_ImportModule("numpy"));
      version_ = string_of(Ref(py.PyObject_GetAttrString(numpy.get(), "__version__")).get());
      const Ref facts(py.call(at(scope, "facts"), nullptr));
      for (intptr_t i = 0; i < py.PyTuple_Size(facts.get()); ++i) {
        PyObject* fact = py.PyTuple_GetItem(facts.get(), i);
        facts_.emplace_back(string_of(py.PyTuple_GetItem(fact, 0)),
                            string_of(py.PyTuple_GetItem(fact, 1)));
      }
    } catch (const Error& e) {
      throw EngineError("NumPy not found: " + std::string(e.what()) + " (" + py.where + ")");
    }
    facts_.emplace_back("interpreter", py.where);
    compile_slice_ = at(scope, "compile_slice");
    supports_ = at(scope, "supports");
    set_foreign_test(at(scope, "is_foreign"));
    scope_ = scope.release();
  }
  ~NumpyEngine() override {
    set_foreign_test(nullptr);
    forget(scope_);
  }

  std::string_view name() const override { return "numpy"; }
  std::string version() const override { return version_; }
  std::vector<std::pair<std::string, std::string>> facts() const override { return facts_; }

  Support supports(const SliceNode& n, const Slice& slice) const override {
    ModeOf mode;
    n.attrs.visit(mode);
    // The properties that kernels.py decides by. Inputs after the third have the dtype of the
    // first.
    const size_t inputs = std::min<size_t>(n.in.size(), 3);
    uint64_t key = uint64_t(n.op) << 8 | uint64_t(mode.mode & 255);
    key = key << 8 | (n.outputs.empty() ? uint64_t(n.dtype) : 255);
    for (size_t i = 0; i < 3; ++i) {
      key = key << 8 | (i < inputs ? uint64_t(slice.nodes[n.in[i]].dtype) : 255);
    }
    {
      const std::lock_guard lock(mutex_);
      if (const auto it = known_.find(key); it != known_.end()) return it->second;
    }
    Support answer = ask(n, slice, inputs, mode.mode);
    const std::lock_guard lock(mutex_);
    return known_.emplace(key, std::move(answer)).first->second;
  }

  std::unique_ptr<Executable> compile(const Slice& slice, Device device) override {
    if (device != Device(Device::cpu)) throw DeviceError("the numpy engine has only the cpu");
    const Gil gil;
    return std::make_unique<Function>(slice, compile_slice_);
  }

 private:
  static PyObject* at(const Ref& scope, const char* name) {
    PyObject* p = python().PyDict_GetItemString(scope.get(), name);
    if (!p) throw EngineError(std::string("kernels.py has no ") + name);
    return p;
  }
  Support ask(const SliceNode& n, const Slice& slice, size_t inputs, int64_t mode) const {
    const Gil gil;
    const DType dtype = n.outputs.empty() ? n.dtype : slice.nodes[n.in[0]].dtype;
    Ref types = tuple(inputs, [&](size_t i) { return text(slice.nodes[n.in[i]].dtype); });
    const Ref args = pack(text(ember::name(n.op)), text(dtype), std::move(types), integer(mode));
    std::string reason = string_of(Ref(python().call(supports_, args.get())).get());
    return reason.empty() ? Support() : Support(std::move(reason));
  }

  std::string version_;
  std::vector<std::pair<std::string, std::string>> facts_;
  PyObject *scope_ = nullptr, *compile_slice_ = nullptr,
           *supports_ = nullptr;  // the latter two are in scope_
  mutable std::mutex mutex_;      // never held while the thread waits for the GIL
  mutable std::map<uint64_t, Support> known_;
};

}  // namespace
}  // namespace ember::numpy

EMBER_ENGINE(ember::numpy::NumpyEngine)
