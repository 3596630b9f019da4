// Subcommands that are programs of their own: this process becomes them.
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iostream>

#include "cli/commands.h"
#include "cli/paths.h"

namespace ember::cli {
namespace {

// Returns only if the program cannot be started.
void become(std::vector<std::string> words) {
  std::vector<char*> argv;
  for (std::string& w : words) argv.push_back(w.data());
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
}

}  // namespace

// The checker is a Python file, the same that the package has.
int lint(std::vector<std::string> arguments) {
  const char* chosen = std::getenv("EMBER_PYTHON");
  const std::string python = chosen && *chosen ? chosen : "python3";
  const std::string script = share_folder() + "/lint.py";
  if (access(script.c_str(), R_OK) != 0) {
    std::cerr << "ember: " << script << " cannot be read: " << std::strerror(errno) << "\n";
    return 2;
  }
  arguments.insert(arguments.begin(), {python, script});
  become(std::move(arguments));
  std::cerr << "ember: lint needs Python, and '" << python
            << "' cannot be run: " << std::strerror(errno)
            << (chosen && *chosen ? " (EMBER_PYTHON names it)"
                                  : "; install Python 3, or name one in EMBER_PYTHON")
            << "\n";
  return 2;  // 1 would mean findings
}

int bench(std::vector<std::string> arguments) {
  const std::string path = program("ember-bench");
  arguments.insert(arguments.begin(), path);
  become(std::move(arguments));
  std::cerr << "ember: " << path << " cannot be run: " << std::strerror(errno) << "\n";
  return 1;
}

}  // namespace ember::cli
