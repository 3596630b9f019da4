// Finds and opens Python, holds the GIL, and translates exceptions.
#include "engines/numpy/python.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <vector>

extern char** environ;

namespace ember::numpy {
namespace {

std::atomic<bool> forked_child =
    false;  // only if the engine started the interpreter; a host's handles fork itself

struct Found {
  std::string program, library, version, numpy;
};

// Prints four lines: the program, libpython's path, the version, NumPy's version. Runs nothing from
// the working directory.
constexpr const char* question = R"(
import sys
sys.path = [p for p in sys.path if p]
import os, sysconfig
get = sysconfig.get_config_var
names = [n for n in (get('INSTSONAME'), get('LDLIBRARY')) if n and not n.endswith('.a')]
places = [p for p in (get('LIBDIR'), os.path.join(sys.base_prefix, 'lib'), get('PYTHONFRAMEWORKPREFIX'), get('LIBPL')) if p]
found = [f for f in (os.path.join(p, n) for p in places for n in names) if os.path.isfile(f)]
try:
    from importlib.metadata import version
    numpy = version('numpy')
except Exception:
    numpy = ''
print(sys.executable, found[0] if found else '', '%d.%d' % sys.version_info[:2], numpy, sep='\n')
)";

// The output of `program -c question`; empty if it cannot be run.
std::string ask(const std::string& program) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  const char* argv[] = {program.c_str(), "-c", question, nullptr};
  pid_t child = 0;
  const int failed =
      posix_spawnp(&child, program.c_str(), &actions, nullptr, const_cast<char**>(argv), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string text;
  if (!failed) {
    char buffer[4096];
    for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0 || (n < 0 && errno == EINTR);) {
      if (n > 0) text.append(buffer, size_t(n));
    }
    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {}
  }
  close(ends[0]);
  return text;
}

// Fills in the program's answers. Returns a reason to reject it, or an empty text.
std::string examine(const std::string& program, const std::string& version, Found& found) {
  const std::string text = ask(program);
  std::vector<std::string> lines(1);
  for (char c : text) {
    if (c == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += c;
    }
  }
  if (lines.size() < 4) return program + " is not a Python that runs";
  found = {lines[0].empty() ? program : lines[0], lines[1], lines[2], lines[3]};
  if (found.numpy.empty()) return program + " has no NumPy";
  if (!version.empty() && found.version != version) {
    return program + " is Python " + found.version + ", the process has " + version;
  }
  if (version.empty() && found.library.empty()) {
    return program + " was built without a shared library";
  }
  return {};
}

// The Python that Ember was built with if this plug-in is in the build folder, else an empty text.
std::string build_python() {
  Dl_info info;
  std::string venv;
  if (!dladdr(reinterpret_cast<void*>(&build_python), &info) || !info.dli_fname) return {};
  const std::string plugin = info.dli_fname;
  if (!std::getline(std::ifstream(plugin.substr(0, plugin.rfind('/')) + "/../venv"), venv)) {
    return {};
  }
  venv += "/bin/python";
  return access(venv.c_str(), X_OK) == 0 ? venv : "";
}

// version: what the process already has, or nothing.
Found find(const std::string& version) {
  std::vector<std::string> programs;
  if (const char* chosen = std::getenv("EMBER_PYTHON"); chosen && *chosen) {
    programs = {chosen};
  } else {
    if (const char* env = std::getenv("VIRTUAL_ENV"); env && *env == '/') {
      programs.push_back(std::string(env) + "/bin/python");
    }
    if (const std::string built_with = build_python(); !built_with.empty()) {
      programs.push_back(built_with);
    }
    programs.push_back("python3");
  }
  std::string reasons;
  for (const auto& program : programs) {
    Found found;
    const std::string reason = examine(program, version, found);
    if (reason.empty()) return found;
    reasons += (reasons.empty() ? "" : "; ") + reason;
  }
  throw EngineError("NumPy not found: " + reasons + " (set EMBER_PYTHON to select another Python)");
}

void* symbol(void* library, const char* name) {
  void* p = dlsym(library, name);
  if (!p) throw EngineError(std::string("this Python does not have ") + name);
  return p;
}

void look_up(Python& py, void* library) {
#define X(result, name, args) py.name = reinterpret_cast<result(*) args>(symbol(library, #name));
  EMBER_PYTHON_FUNCTIONS(X)
#undef X
#define X(name) py.PyExc_##name = static_cast<PyObject**>(symbol(library, "PyExc_" #name));
  EMBER_PYTHON_EXCEPTIONS(X)
#undef X
  void* finalizing = dlsym(library, "Py_IsFinalizing");
  if (!finalizing) finalizing = dlsym(library, "_Py_IsFinalizing");
  py.is_finalizing = reinterpret_cast<int (*)()>(finalizing);
}

// Starts the interpreter as if it were `program`, so that it finds that program's packages.
// Installs no signal handlers.
void start(const Python& py, void* library, const std::string& program) {
  if (auto* set = reinterpret_cast<void (*)(const wchar_t*)>(dlsym(library, "Py_SetProgramName"))) {
    set(py.Py_DecodeLocale(program.c_str(), nullptr));  // Python keeps the pointer
    py.Py_InitializeEx(0);
  } else {  // Python 3.15 and later
    auto* create = reinterpret_cast<void* (*)()>(symbol(library, "PyInitConfig_Create"));
    auto* set_text = reinterpret_cast<int (*)(void*, const char*, const char*)>(
        symbol(library, "PyInitConfig_SetStr"));
    auto* set_int = reinterpret_cast<int (*)(void*, const char*, int64_t)>(
        symbol(library, "PyInitConfig_SetInt"));
    auto* initialize =
        reinterpret_cast<int (*)(void*)>(symbol(library, "Py_InitializeFromInitConfig"));
    void* config = create();
    if (!config || set_text(config, "executable", program.c_str()) ||
        set_int(config, "install_signal_handlers", 0) || set_int(config, "parse_argv", 0) ||
        initialize(config)) {
      throw EngineError("Python of " + program + " cannot be started");
    }
  }
  py.PyEval_SaveThread();
  pthread_atfork(nullptr, nullptr, [] { forked_child = true; });
}

Python open() {
  Python py;
  void* library = RTLD_DEFAULT;
  if (dlsym(RTLD_DEFAULT, "Py_IsInitialized")) {
    look_up(py, library);
    py.where = "the host's";
    if (py.Py_IsInitialized()) return py;
    const std::string text = py.Py_GetVersion();  // "3.11.7 (main, ..."
    const Found found = find(text.substr(0, text.find('.', text.find('.') + 1)));
    py.where = found.program;
  } else {
    const Found found = find({});
    library = dlopen(found.library.c_str(),
                     RTLD_NOW | RTLD_GLOBAL);  // global: NumPy's own modules look for its symbols
    if (!library) throw EngineError(std::string("libpython cannot be opened: ") + dlerror());
    look_up(py, library);
    py.where = found.program;
  }
  start(py, library, py.where);
  return py;
}

}  // namespace

bool Python::usable() const {
  return !forked_child && Py_IsInitialized() && !(is_finalizing && is_finalizing());
}

// Never destroyed: arrays may outlive every static.
const Python& python() {
  static const Python& py = *new Python(open());
  return py;
}

Gil::Gil() {
  const Python& py = python();
  if (forked_child) {
    throw EngineError(
        "NumPy cannot be used in a forked child of a process that started Python itself");
  }
  if (!py.usable()) throw EngineError("Python has shut down");
  state_ = outlive(py.PyGILState_Ensure);
}

void forget(PyObject* object) {
  const Python& py = python();
  if (!object || !py.usable()) return;
  const int state = outlive(py.PyGILState_Ensure);
  py.Py_DecRef(object);
  py.PyGILState_Release(state);
}

static PyObject* foreign_test = nullptr;
void set_foreign_test(PyObject* function) { foreign_test = function; }

static bool is_foreign(PyObject* error, PyObject* trace) {
  const Python& py = python();
  if (!foreign_test || !trace || !get_runtime().hold) return false;
  py.PyException_SetTraceback(error, trace);
  PyObject* args = py.PyTuple_New(1);
  if (!args) {
    py.PyErr_Clear();
    return false;
  }
  py.Py_IncRef(error);
  py.PyTuple_SetItem(args, 0, error);
  PyObject* answer = py.PyObject_CallObject(foreign_test, args);
  py.Py_DecRef(args);
  const bool yes = answer && py.PyObject_IsTrue(answer) == 1;
  if (answer) {
    py.Py_DecRef(answer);
  } else {
    py.PyErr_Clear();
  }
  return yes;
}

void throw_python_error() {
  const Python& py = python();
  PyObject* type = nullptr;
  PyObject* value = nullptr;
  PyObject* trace = nullptr;
  py.PyErr_Fetch(&type, &value, &trace);
  if (!type) throw EngineError("Python failed without an exception");
  py.PyErr_NormalizeException(&type, &value, &trace);
  if (is_foreign(value, trace)) {
    py.PyErr_Restore(type, value, trace);
    get_runtime().hold();
    throw Interrupted("interrupted");
  }
  std::string message;
  if (PyObject* text = value ? py.PyObject_Str(value) : nullptr) {
    intptr_t size = 0;
    if (const char* s = py.PyUnicode_AsUTF8AndSize(text, &size)) message.assign(s, size_t(size));
    py.Py_DecRef(text);
  }
  py.PyErr_Clear();
  const auto is = [&](PyObject** kind) { return py.PyErr_GivenExceptionMatches(type, *kind) != 0; };
  const int kind = is(py.PyExc_IndexError)          ? 0
                   : is(py.PyExc_ValueError)        ? 1
                   : is(py.PyExc_TypeError)         ? 2
                   : is(py.PyExc_MemoryError)       ? 3
                   : is(py.PyExc_KeyboardInterrupt) ? 4
                                                    : 5;
  for (PyObject* p : {type, value, trace}) {
    if (p) py.Py_DecRef(p);
  }
  switch (kind) {
    case 0: throw IndexError(message);
    case 1: throw ValueError(message);
    case 2: throw DTypeError(message);
    case 3: throw MemoryError(message.empty() ? "Python has no memory left" : message);
    case 4: throw Interrupted("interrupted");
    default: throw EngineError(message.empty() ? "Python failed" : message);
  }
}

}  // namespace ember::numpy
