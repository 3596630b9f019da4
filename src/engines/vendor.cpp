// Finds the libraries of engines in package folders.
#include "src/engines/vendor.h"

#include <dlfcn.h>
#include <glob.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>
#include <vector>

#include "ember/runtime.h"

namespace ember {
namespace {

void add_matches(const std::string& pattern, std::vector<std::string>& to) {
  glob_t found{};
  if (glob(pattern.c_str(), 0, nullptr, &found) == 0) {
    for (size_t i = 0; i < found.gl_pathc; ++i) to.push_back(found.gl_pathv[i]);
  }
  globfree(&found);
}

bool is_absolute(std::string_view path) { return path.starts_with('/'); }

// Finds a program in the absolute folders of PATH.
std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return is_absolute(name) ? name : "";
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (const std::string file = folder + "/" + name;
        is_absolute(file) && access(file.c_str(), X_OK) == 0) {
      return file;
    }
  }
  return "";
}

// Package folders, the most explicit choice first: EMBER_TORCH_PATH, the Python that was named, the
// one that runs Ember, else the active one, the one Ember was built with (if it is in the build
// folder), the user's and the system's. Only absolute folders, because files in the working
// directory must not be run.
std::vector<std::string> package_folders(const std::string& plugins, const std::string& engine) {
  std::vector<std::string> r;
  std::string variable = "EMBER_" + engine + "_PATH";
  std::transform(variable.begin(), variable.end(), variable.begin(),
                 [](unsigned char c) { return char(std::toupper(c)); });
  if (const char* p = std::getenv(variable.c_str()); p && *p) {
    if (!is_absolute(p)) throw EngineError(variable + " must be an absolute path, not '" + p + "'");
    return {p};
  }
  const auto prefix = [&](const std::string& p) {
    if (!is_absolute(p)) return;
    add_matches(p + "/lib/python3*/site-packages", r);
    add_matches(p + "/lib/python3*/dist-packages", r);
    add_matches(p + "/lib/python3/dist-packages", r);
  };
  if (const char* p = std::getenv("EMBER_PYTHON"); p && *p) {
    if (const std::string program = find_program(p); !program.empty()) {
      prefix(program.substr(0, program.rfind('/')) + "/..");
    }
  }
  if (get_runtime().package_folders) {
    for (std::string& folder : get_runtime().package_folders()) {
      if (is_absolute(folder)) r.push_back(std::move(folder));
    }
    return r;
  }
  if (const char* p = std::getenv("VIRTUAL_ENV"); p && *p) prefix(p);
  std::string venv;
  if (std::getline(std::ifstream(plugins + "/../venv"), venv)) prefix(venv);
  if (const char* p = std::getenv("HOME"); p && *p) prefix(std::string(p) + "/.local");
  prefix("/usr/local");
  prefix("/usr");
  return r;
}

}  // namespace

void open_vendor_libraries(const std::string& folder, const std::string& engine) {
  std::ifstream list(folder + "/libember_" + engine + ".needs");
  std::vector<std::string> folders;
  for (std::string name; std::getline(list, name);) {
    if (name.empty()) continue;
    const bool shipped = name.starts_with("deps/");
    std::string file = name.substr(name.rfind('/') + 1);
    // A pattern ends with the version: libx.so.1*.
    file.resize(std::min(file.size(), file.find('*')));
    // Uses a library that the process has already loaded, because two copies would not share state.
    if (dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD)) continue;
    std::vector<std::string> paths;
    if (shipped) {
      paths = {folder + "/" + name};
    } else {
      if (folders.empty()) folders = package_folders(folder, engine);
      for (const std::string& f : folders) add_matches(f + "/" + name, paths);
    }
    const auto there = std::find_if(paths.begin(), paths.end(), [](const std::string& p) {
      return access(p.c_str(), R_OK) == 0;
    });
    // A bare name uses the loader's own path.
    const std::string path = there == paths.end() ? file : *there;
    if (dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) continue;
    const char* why = dlerror();
    if (there != paths.end()) throw EngineError(why ? why : path + " cannot be opened");
    throw EngineError(name + " was not found: pip install " + engine +
                      ", or set EMBER_PYTHON to a Python that has it");
  }
}

}  // namespace ember
