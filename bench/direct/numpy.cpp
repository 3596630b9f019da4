// NumPy called from C, one call per op.
#include <memory>

#include "bench/direct.h"
#include "engines/numpy/python.h"

namespace ember::bench {
namespace {

using namespace ember::numpy;

Ref function(const char* name) {
  const Ref numpy(python().PyImport_ImportModule("numpy"));
  return Ref(python().PyObject_GetAttrString(numpy.get(), name));
}
Ref call(const Ref& f, PyObject* a, PyObject* b = nullptr) {
  const Python& py = python();
  const Ref args(py.PyTuple_New(b ? 2 : 1));
  py.Py_IncRef(a);
  if (b) py.Py_IncRef(b);
  if (py.PyTuple_SetItem(args.get(), 0, a) != 0 ||
      (b && py.PyTuple_SetItem(args.get(), 1, b) != 0)) {
    throw_python_error();
  }
  return Ref(py.PyObject_CallObject(f.get(), args.get()));
}
// Only the shape matters: the time does not depend on the values.
Ref tensor(const Floats& f) {
  const Python& py = python();
  const Ref shape(py.PyTuple_New(intptr_t(f.shape.size())));
  for (size_t i = 0; i < f.shape.size(); ++i) {
    py.PyTuple_SetItem(shape.get(), intptr_t(i), py.PyLong_FromLongLong(f.shape[i]));
  }
  const Ref type = function("float32");
  const Ref small(py.PyFloat_FromDouble(0.05));
  const Ref full = function("full");
  const Ref args(py.PyTuple_New(3));
  for (const auto& [i, r] : {std::pair(0, &shape), std::pair(1, &small), std::pair(2, &type)}) {
    py.Py_IncRef(r->get());
    py.PyTuple_SetItem(args.get(), i, r->get());
  }
  return Ref(py.PyObject_CallObject(full.get(), args.get()));
}
// May be dropped by a thread that does not hold Python's lock.
std::shared_ptr<Ref> shared(Ref r) {
  return {new Ref(std::move(r)), [](Ref* p) {
            forget(p->release());
            delete p;
          }};
}

class Numpy final : public Direct {
  Work elementwise(const Floats& fx, const Floats& fy, int ops) override {
    const Gil gil;
    return [x = shared(tensor(fx)), y = shared(tensor(fy)), mul = shared(function("multiply")),
            add = shared(function("add")), ops](bool) {
      const Gil gil;
      Ref t = call(*mul, x->get(), y->get());
      for (int i = 1; i < ops; ++i) t = call(i % 2 ? *add : *mul, t.get(), y->get());
      return std::vector<float>();
    };
  }
  Work matmuls(const Floats& fx, const Floats& fw, int ops) override {
    const Gil gil;
    return [x = shared(tensor(fx)), w = shared(tensor(fw)), matmul = shared(function("matmul")),
            ops](bool) {
      const Gil gil;
      Ref t = call(*matmul, x->get(), w->get());
      for (int i = 1; i < ops; ++i) t = call(*matmul, t.get(), w->get());
      return std::vector<float>();
    };
  }
  Work mlp(const Floats& fx, const std::vector<std::pair<Floats, Floats>>& layers) override {
    const Gil gil;
    std::vector<std::pair<std::shared_ptr<Ref>, std::shared_ptr<Ref>>> ts;
    for (const auto& [w, b] : layers) ts.emplace_back(shared(tensor(w)), shared(tensor(b)));
    const Ref type = function("float32");
    const Ref zero(python().PyFloat_FromDouble(0));
    return [x = shared(tensor(fx)), ts, matmul = shared(function("matmul")),
            add = shared(function("add")), most = shared(function("maximum")),
            none = shared(call(type, zero.get()))](bool) {
      const Gil gil;
      Ref t = call(*matmul, x->get(), ts[0].first->get());
      for (size_t i = 0; i < ts.size(); ++i) {
        if (i) t = call(*matmul, t.get(), ts[i].first->get());
        t = call(*add, t.get(), ts[i].second->get());
        if (i + 1 < ts.size()) t = call(*most, t.get(), none->get());
      }
      return std::vector<float>();
    };
  }
};

}  // namespace
}  // namespace ember::bench

EMBER_DIRECT(ember::bench::Numpy)
