#pragma once
#include <string>

namespace ember::cli {

std::string share_folder();  // where Ember's data files lie: ../share/ember beside the library

}  // namespace ember::cli
