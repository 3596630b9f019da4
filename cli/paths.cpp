// The folders of the installation.
#include "cli/paths.h"

#include <dlfcn.h>

#include "ember/backend.h"

namespace ember::cli {

std::string library_folder() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<void*>(&ember::get_backend), &info) || !info.dli_fname) return ".";
  const std::string library = info.dli_fname;
  const size_t slash = library.rfind('/');
  return slash == std::string::npos ? "." : library.substr(0, slash);
}

std::string share_folder() { return library_folder() + "/../share/ember"; }
std::string program(const std::string& name) { return library_folder() + "/../bin/" + name; }

}  // namespace ember::cli
