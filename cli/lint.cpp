// `ember lint`: the checker is a Python file among Ember's data, the same that the package has;
// this process becomes it.
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iostream>

#include "cli/commands.h"
#include "cli/paths.h"

namespace ember::cli {

int lint(std::vector<std::string> arguments) {
  const char* chosen = std::getenv("EMBER_PYTHON");
  const std::string python = chosen && *chosen ? chosen : "python3";
  const std::string script = share_folder() + "/lint.py";
  if (access(script.c_str(), R_OK) != 0) {
    std::cerr << "ember: " << script << " cannot be read: " << std::strerror(errno) << "\n";
    return 2;
  }
  arguments.insert(arguments.begin(), {python, script});
  std::vector<char*> argv;
  for (std::string& a : arguments) argv.push_back(a.data());
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
  std::cerr << "ember: lint needs Python, and '" << python
            << "' cannot be run: " << std::strerror(errno)
            << (chosen && *chosen ? " (EMBER_PYTHON names it)"
                                  : "; install Python 3, or name one in EMBER_PYTHON")
            << "\n";
  return 2;  // 1 would mean findings
}

}  // namespace ember::cli
