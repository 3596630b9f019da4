// A Python interpreter, used without its headers: the host's if the process has one, else one that
// the engine finds and opens. Every function is looked up by name, so the plug-in has no undefined
// symbols.
#pragma once
#include <string>
#include <utility>

#include "ember/error.h"
#include "ember/runtime.h"

struct _object;  // Python's tag

namespace ember::numpy {

using PyObject = ::_object;

// The functions of Python's C interface that the engine uses: X(result, name, arguments).
#define EMBER_PYTHON_FUNCTIONS(X)                                         \
  X(int, Py_IsInitialized, (void))                                        \
  X(void, Py_InitializeEx, (int))                                         \
  X(const char*, Py_GetVersion, (void))                                   \
  X(wchar_t*, Py_DecodeLocale, (const char*, size_t*))                    \
  X(void*, PyEval_SaveThread, (void))                                     \
  X(int, PyGILState_Ensure, (void))                                       \
  X(void, PyGILState_Release, (int))                                      \
  X(void, Py_DecRef, (PyObject*))                                         \
  X(void, Py_IncRef, (PyObject*))                                         \
  X(PyObject*, Py_CompileString, (const char*, const char*, int))         \
  X(PyObject*, PyEval_EvalCode, (PyObject*, PyObject*, PyObject*))        \
  X(PyObject*, PyImport_ImportModule, (const char*))                      \
  X(PyObject*, PyDict_New, (void))                                        \
  X(int, PyDict_SetItemString, (PyObject*, const char*, PyObject*))       \
  X(PyObject*, PyDict_GetItemString, (PyObject*, const char*))            \
  X(PyObject*, PyTuple_New, (intptr_t))                                   \
  X(int, PyTuple_SetItem, (PyObject*, intptr_t, PyObject*))               \
  X(PyObject*, PyTuple_GetItem, (PyObject*, intptr_t))                    \
  X(intptr_t, PyTuple_Size, (PyObject*))                                  \
  X(PyObject*, PyLong_FromLongLong, (long long))                          \
  X(PyObject*, PyLong_FromUnsignedLongLong, (unsigned long long))         \
  X(long long, PyLong_AsLongLong, (PyObject*))                            \
  X(PyObject*, PyFloat_FromDouble, (double))                              \
  X(PyObject*, PyUnicode_FromStringAndSize, (const char*, intptr_t))      \
  X(const char*, PyUnicode_AsUTF8AndSize, (PyObject*, intptr_t*))         \
  X(PyObject*, PyObject_CallObject, (PyObject*, PyObject*))               \
  X(int, PyObject_IsTrue, (PyObject*))                                    \
  X(PyObject*, PyObject_Str, (PyObject*))                                 \
  X(PyObject*, PyObject_GetAttrString, (PyObject*, const char*))          \
  X(PyObject*, PyCapsule_New, (void*, const char*, void (*)(PyObject*)))  \
  X(void*, PyCapsule_GetPointer, (PyObject*, const char*))                \
  X(int, PyCapsule_IsValid, (PyObject*, const char*))                     \
  X(PyObject*, PyErr_Occurred, (void))                                    \
  X(void, PyErr_Fetch, (PyObject**, PyObject**, PyObject**))              \
  X(void, PyErr_NormalizeException, (PyObject**, PyObject**, PyObject**)) \
  X(int, PyErr_GivenExceptionMatches, (PyObject*, PyObject*))             \
  X(int, PyException_SetTraceback, (PyObject*, PyObject*))                \
  X(void, PyErr_Restore, (PyObject*, PyObject*, PyObject*))               \
  X(void, PyErr_Clear, (void))
#define EMBER_PYTHON_EXCEPTIONS(X) \
  X(IndexError) X(ValueError) X(TypeError) X(MemoryError) X(KeyboardInterrupt)

struct Python {
#define X(result, name, args) result(*name) args = nullptr;
  EMBER_PYTHON_FUNCTIONS(X)
#undef X
#define X(name) PyObject** PyExc_##name = nullptr;
  EMBER_PYTHON_EXCEPTIONS(X)
#undef X
  int (*is_finalizing)() = nullptr;  // named differently by version, may be absent
  std::string where;                 // "the host's", or the program it was found with

  // Calls f; a thread that the shutting interpreter ends in there does not unwind what called it
  // (see outlive).
  PyObject* call(PyObject* f, PyObject* args) const {
    return outlive([=, this] { return PyObject_CallObject(f, args); });
  }
  // false in a forked child if the engine started the interpreter, and while it shuts down
  bool usable() const;
};

// Opens the interpreter on the first call; EngineError names the programs tried and the reasons.
const Python& python();
// Drops a reference, from any thread; leaks it if the interpreter is gone.
void forget(PyObject*);

// Holds the GIL. EngineError if the interpreter is not usable any more.
class Gil {
 public:
  Gil();
  ~Gil() { python().PyGILState_Release(state_); }
  Gil(const Gil&) = delete;
  Gil& operator=(const Gil&) = delete;

 private:
  int state_;
};

// The current Python exception as one of Ember's. An exception that the test calls foreign, such as
// a signal handler's, reaches a Python program unchanged.
[[noreturn]] void throw_python_error();
void set_foreign_test(PyObject* function);

// An owned reference, used under a Gil. The constructor throws the current exception if it gets
// null.
class Ref {
 public:
  Ref() = default;
  explicit Ref(PyObject* p) : p_(p) {
    if (!p) throw_python_error();
  }
  Ref(Ref&& o) noexcept : p_(std::exchange(o.p_, nullptr)) {}
  Ref& operator=(Ref&& o) noexcept { return std::swap(p_, o.p_), *this; }
  ~Ref() {
    if (p_) python().Py_DecRef(p_);
  }
  PyObject* get() const { return p_; }
  PyObject* release() { return std::exchange(p_, nullptr); }

 private:
  PyObject* p_ = nullptr;
};

}  // namespace ember::numpy
